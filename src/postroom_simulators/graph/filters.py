"""`$filter` for messages: a small OData reader that turns the text into a test."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from .items import SimGraphItem
from .request import bad_request
from .views import KNOWN, value_of

Test = Callable[[SimGraphItem], bool]
Read = Callable[[SimGraphItem], Any]

_TOKEN = re.compile(
    r"\s*(?:(?P<text>'(?:[^']|'')*')|(?P<time>\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+\- ]\d\d:?\d\d)?)?)"
    r"|(?P<number>-?\d+)|(?P<name>[A-Za-z_][\w/]*)|(?P<mark>[(),:]))"
)
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda left, right: bool(left == right),
    "ne": lambda left, right: bool(left != right),
    "gt": lambda left, right: left is not None and left > right,
    "ge": lambda left, right: left is not None and left >= right,
    "lt": lambda left, right: left is not None and left < right,
    "le": lambda left, right: left is not None and left <= right,
}
_TEXT_TESTS: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda left, right: right in left,
    "startswith": lambda left, right: left.startswith(right),
    "endswith": lambda left, right: left.endswith(right),
}
_TIMES = {"receivedDateTime", "sentDateTime", "createdDateTime", "lastModifiedDateTime"}


@dataclass(slots=True)
class MessageFilter:
    """The test, and what a listing can use to avoid looking at everything."""

    test: Test
    properties: list[str] = field(default_factory=list)  # in the order of the text
    equals: dict[str, str] = field(default_factory=dict)  # joined by `and` at the top
    since: float | None = None  # no older message can match
    comparisons: list[tuple[str, str]] = field(default_factory=list)  # property, operator


def parse_time(text: str) -> float:
    """Seconds; Graph takes a date, a fraction and an offset (whose plus sign may have become a blank)."""
    try:
        when = datetime.fromisoformat(text.replace(" ", "+").replace("Z", "+00:00"))
    except ValueError:
        raise bad_request(f"Invalid filter clause: '{text}' is not a date.", "BadRequest") from None
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp()


def parse(text: str) -> MessageFilter:
    return _Reader(text).whole()


class _Reader:
    """Recursive descent: or, and, not, comparison, function, any()."""

    def __init__(self, text: str) -> None:
        self._tokens = self._split(text)
        self._at = 0
        self.found = MessageFilter(lambda _item: True)
        self._inside_or = 0

    @staticmethod
    def _split(text: str) -> list[tuple[str, str]]:
        tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text.rstrip()):
            match = _TOKEN.match(text, at)
            if match is None or match.lastgroup is None:
                raise bad_request(f"Invalid filter clause: syntax error at position {at} in '{text}'.", "BadRequest")
            tokens.append((match.lastgroup, match[match.lastgroup]))
            at = match.end()
        return tokens

    def whole(self) -> MessageFilter:
        self._inside_or = sum(1 for kind, text in self._tokens if kind == "name" and text.lower() == "or")
        self.found.test = self._either()
        if self._at != len(self._tokens):
            raise self._wrong()
        return self.found

    def _wrong(self) -> Exception:
        near = self._tokens[self._at][1] if self._at < len(self._tokens) else "the end"
        return bad_request(f"Invalid filter clause: syntax error at {near}.", "BadRequest")

    def _peek(self) -> str:
        return self._tokens[self._at][1] if self._at < len(self._tokens) else ""

    def _take(self, *wanted: str) -> str:
        found = self._peek()
        if not found or (wanted and found not in wanted):
            raise self._wrong()
        self._at += 1
        return found

    def _either(self) -> Test:
        tests = [self._both()]
        while self._peek().lower() == "or":
            self._take()
            tests.append(self._both())
        return tests[0] if len(tests) == 1 else lambda item: any(test(item) for test in tests)

    def _both(self) -> Test:
        tests = [self._one()]
        while self._peek().lower() == "and":
            self._take()
            tests.append(self._one())
        return tests[0] if len(tests) == 1 else lambda item: all(test(item) for test in tests)

    def _one(self) -> Test:
        word = self._peek()
        if word == "(":
            self._take()
            inner = self._either()
            self._take(")")
            return inner
        if word.lower() == "not":
            self._take()
            self._inside_or += 1
            negated = self._one()
            return lambda item: not negated(item)
        if word.lower() in _TEXT_TESTS:
            return self._function(self._take().lower())
        name = self._take()
        if name.lower().endswith(("/any", "/all")):
            return self._any(name.rpartition("/")[0])
        return self._comparison(name)

    def _function(self, name: str) -> Test:
        self._take("(")
        read = self._property(self._take())
        self._take(",")
        wanted = str(self._literal()).lower()
        self._take(")")
        test = _TEXT_TESTS[name]
        return lambda item: test(str(read(item) or "").lower(), wanted)

    def _comparison(self, name: str) -> Test:
        read = self._property(name)
        operator = self._take().lower()
        if operator not in _COMPARE:
            self._at -= 1
            raise self._wrong()
        wanted = self._literal()
        self.found.comparisons.append((name, operator))
        if not self._inside_or:
            self._hint(name, operator, wanted)
        if name in _TIMES:
            return _time_test(name, operator, wanted)
        compare = _COMPARE[operator]
        if isinstance(wanted, str) and name not in {"id", "conversationId"}:
            wanted = wanted.lower()
            return lambda item: compare(str(read(item) or "").lower(), wanted)
        return lambda item: _like(read(item), wanted) and compare(read(item), wanted)

    def _hint(self, name: str, operator: str, wanted: Any) -> None:
        if operator == "eq" and isinstance(wanted, str):
            self.found.equals[name] = wanted
        if name == "receivedDateTime" and operator in {"ge", "gt", "eq"}:
            self.found.since = max(self.found.since or 0.0, parse_time(str(wanted)))

    def _any(self, name: str) -> Test:
        self.found.properties.append(name)
        self._take("(")
        variable = self._take()
        self._take(":")
        pairs: list[tuple[str, str]] = []
        while True:
            path = self._take().removeprefix(variable).lstrip("/")
            self._take("eq")
            pairs.append((path, str(self._literal())))
            if self._peek().lower() != "and":
                break
            self._take()
        self._take(")")
        return _any_test(name, pairs)

    def _literal(self) -> Any:
        kind, text = self._tokens[self._at] if self._at < len(self._tokens) else ("", "")
        self._take()
        match kind:
            case "text":
                return text[1:-1].replace("''", "'")
            case "number":
                return int(text)
            case "time":
                return text
            case _ if text in {"true", "false", "null"}:
                return {"true": True, "false": False, "null": None}[text]
        self._at -= 1
        raise self._wrong()

    def _property(self, name: str) -> Read:
        root, *path = name.split("/")
        if root not in KNOWN:
            raise bad_request(
                f"Could not find a property named '{root}' on type 'Microsoft.OutlookServices.Message'.",
                "RequestBroker--ParseUri",
            )
        self.found.properties.append(name)
        return lambda item: _dig(value_of(item, root), path)


def _like(left: Any, right: Any) -> bool:
    """Comparable at all: the same kind of thing, or nothing."""
    return left is None or right is None or isinstance(left, type(right))


def _dig(value: Any, path: list[str]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _time_test(name: str, operator: str, wanted: Any) -> Test:
    moment, compare = parse_time(str(wanted)), _COMPARE[operator]
    match name:
        case "receivedDateTime":
            return lambda item: compare(item.received, moment)
        case "createdDateTime":
            return lambda item: compare(item.created, moment)
        case "lastModifiedDateTime":
            return lambda item: compare(item.modified, moment)
        case _:
            return lambda item: compare(parse_time(value_of(item, name)), moment)


def _any_test(name: str, pairs: list[tuple[str, str]]) -> Test:
    if name == "singleValueExtendedProperties":
        wanted = dict(pairs)
        key, value = wanted.get("id", ""), wanted.get("value", "").lower()
        return lambda item: str(item.marks.get(key, "\0")).lower() == value
    if name == "categories":
        return lambda item: any(one == pairs[0][1] for one in item.categories)
    return lambda item: any(
        all(str(_dig(one, path.split("/")) or "").lower() == text.lower() for path, text in pairs)
        for one in value_of(item, name) or []
    )
