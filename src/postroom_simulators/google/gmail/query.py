"""Gmail's search box, as much of it as a mail program uses."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from postroom_simulators.google import errors
from postroom_simulators.google.gmail import mime
from postroom_simulators.google.gmail.mailbox import SimGmailMailbox, SimGmailMessage

Test = Callable[[SimGmailMessage], bool]

QueryTokens = list[tuple[str, str, str, str]]

_TOKEN = re.compile(r'(-?)(?:(\w+):)?([({]|"[^"]*"|[^\s(){}"]+)|([)}])')
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "m": timedelta(days=30), "y": timedelta(days=365)}
_PLACES = {
    "inbox": "INBOX",
    "sent": "SENT",
    "drafts": "DRAFT",
    "draft": "DRAFT",
    "spam": "SPAM",
    "trash": "TRASH",
}
_STATES = {
    "unread": "UNREAD",
    "starred": "STARRED",
    "important": "IMPORTANT",
    "sent": "SENT",
    "draft": "DRAFT",
}
_HIDDEN = {"SPAM", "TRASH"}


def looks_in_hidden_places(text: str) -> bool:
    return bool(re.search(r"\b(?:in|label|is):(?:anywhere|spam|trash)\b", text, re.I))


def compiled(text: str, box: SimGmailMailbox, now: datetime) -> Test:
    """All terms must hold; OR joins neighbours, braces mean any of, a minus turns a term round."""
    tokens: QueryTokens = _TOKEN.findall(text)
    tests, rest = _terms(tokens, "", lambda word, value: _positive(word, value, box, now))
    if rest:
        raise errors.invalid(f"Invalid q: a bracket too many in {text!r}.")
    return _all(tests)


def _terms(tokens: QueryTokens, word: str, term: Callable[[str, str], Test]) -> tuple[list[Test], QueryTokens]:
    """The terms up to the closing bracket; `word` is the operator before the opening one."""
    tests: list[Test] = []
    joined = False
    while tokens and not tokens[0][3]:
        (minus, own, value, _), *tokens = tokens
        if value == "OR" and not own:
            joined = True
            continue
        if value in ("(", "{"):
            inner, tokens = _terms(tokens, own or word, term)
            test = _all(inner) if value == "(" else _any(inner)
            tokens = tokens[1:]
        else:
            test = term((own or word).lower(), value.strip('"'))
        test = _not(test) if minus else test
        tests.append(_any([tests.pop(), test]) if joined and tests else test)
        joined = False
    return tests, tokens


def _all(tests: list[Test]) -> Test:
    return lambda mail: all(test(mail) for test in tests)


def _any(tests: list[Test]) -> Test:
    return lambda mail: any(test(mail) for test in tests)


def _not(test: Test) -> Test:
    return lambda mail: not test(mail)


def _positive(word: str, value: str, box: SimGmailMailbox, now: datetime) -> Test:
    wanted = value.lower()
    match word:
        case "after" | "newer":
            moment = _moment(value)
            return lambda mail: mail.received_at >= moment
        case "before" | "older":
            moment = _moment(value)
            return lambda mail: mail.received_at < moment
        case "newer_than" | "older_than":
            moment = (now - _span(value)).timestamp()
            return lambda mail: (mail.received_at >= moment) is (word == "newer_than")
        case "in" | "label" | "is" | "category":
            return _labelled(word, wanted, box)
        case "rfc822msgid":
            bare = f"<{value.strip('<>')}>"
            return lambda mail: mail.message_id == bare
        case "has":
            return _has(wanted)
        case "":
            return lambda mail: wanted in mime.words(mail.raw)
        case _:
            return _in_header(word, wanted)


def _labelled(word: str, wanted: str, box: SimGmailMailbox) -> Test:
    if wanted == "anywhere":
        return lambda mail: True
    if word == "is" and wanted == "read":
        return lambda mail: "UNREAD" not in mail.labels
    known = (_STATES if word == "is" else _PLACES).get(wanted)
    if word == "category":
        known = f"CATEGORY_{'PERSONAL' if wanted == 'primary' else wanted.upper()}"
    if known is None:
        known = _label_id(wanted, box)
    return lambda mail: known in mail.labels


def _label_id(wanted: str, box: SimGmailMailbox) -> str:
    """The search box writes a label's blanks and slashes as dashes."""
    for label in box.labels.values():
        if wanted in (label.name.lower(), re.sub(r"[\s/]", "-", label.name.lower())):
            return label.id
    return ""


def _has(wanted: str) -> Test:
    if wanted == "attachment":
        return lambda mail: mime.has_attachment(mail.raw)
    if wanted == "userlabels":
        return lambda mail: any(label.startswith("Label_") for label in mail.labels)
    return lambda mail: False


def _in_header(word: str, wanted: str) -> Test:
    if word not in ("from", "to", "cc", "bcc", "subject", "filename", "list", "deliveredto"):
        return lambda mail: f"{word}:{wanted}" in mime.words(mail.raw)
    if word == "filename":
        return lambda mail: any(wanted in part.filename.lower() for part in mime.tree(mail.raw).walk())
    return lambda mail: wanted in mime.header(mail.raw, word).lower()


def _moment(value: str) -> float:
    """A number is seconds since 1970; a date counts from midnight."""
    if value.isdecimal() and len(value) > 4:
        return float(value)
    try:
        year, month, day = (int(piece) for piece in re.split(r"[/-]", value))
        return datetime(year, month, day, tzinfo=UTC).timestamp()
    except ValueError as error:
        raise errors.invalid(f"Invalid date {value!r} in q; write YYYY/MM/DD or seconds since 1970.") from error


def _span(value: str) -> timedelta:
    found = re.fullmatch(r"(\d+)([hdmy])", value)
    if not found:
        raise errors.invalid(f"Invalid span {value!r} in q; write a number and h, d, m or y.")
    return int(found[1]) * _UNITS[found[2]]


def listed(mail: SimGmailMessage, *, hidden_too: bool) -> bool:
    return hidden_too or not (mail.labels & _HIDDEN)
