"""What one Gmail call is, and the list of those the simulator answers."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from postroom_simulators.google import errors
from postroom_simulators.google.gmail.mailbox import SimGmailMailbox, SimGmailMessage

if TYPE_CHECKING:
    from postroom_simulators.google.gmail.accounts import Gmail

_PREFIX = "https://www.googleapis.com/auth/gmail."
EVERYTHING = "https://mail.google.com/"
_TRUE = {"true", "1", "yes"}


def scopes(*names: str) -> frozenset[str]:
    """Full access always suffices."""
    return frozenset({EVERYTHING, *(_PREFIX + name for name in names)})


METADATA = _PREFIX + "metadata"
READ = scopes("readonly", "modify")
READ_OR_METADATA = scopes("readonly", "modify", "metadata")
MODIFY = scopes("modify")


@dataclass(slots=True)
class GmailRequest:
    """One call, whether it came alone, as an upload or inside a batch."""

    gmail: Gmail
    box: SimGmailMailbox
    project: str  # of the calling application; empty when nobody registered it
    scopes: frozenset[str]
    path: Mapping[str, str]
    query: Mapping[str, Sequence[str]]
    body: dict[str, Any] = field(default_factory=dict)
    media: bytes | None = None

    def one(self, name: str, default: str = "") -> str:
        values = self.query.get(name)
        return values[-1] if values else default

    def flag(self, name: str) -> bool:
        return self.one(name).lower() in _TRUE

    def choice(self, name: str, known: Sequence[str], default: str) -> str:
        value = self.one(name, default)
        found = next((choice for choice in known if choice.lower() == value.lower()), None)
        if found is None:
            raise errors.invalid(f"Invalid value at '{name}': {value!r}; use one of {', '.join(known)}.")
        return found

    def page_size(self) -> int:
        text = self.one("maxResults", "100")
        if not text.isdecimal() or int(text) < 1:
            raise errors.invalid(f"Invalid value at 'maxResults': {text!r}; use 1 to 500.")
        return min(int(text), 500)

    def only_metadata(self) -> bool:
        return METADATA in self.scopes and not self.scopes & READ

    def mail(self, name: str = "id") -> SimGmailMessage:
        found = self.box.mails.get(self.path[name])
        if found is None or found.readable_at > self.gmail.clock.time():
            raise errors.not_found()
        return found

    def names(self, key: str) -> list[str]:
        value = self.body.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise errors.invalid(f"Invalid value at '{key}': a list of strings is needed.")
        return value

    def raw(self, message: Mapping[str, Any]) -> bytes:
        """The mail a client hands over: uploaded, or base64url in `raw`."""
        if self.media is not None:
            return self.media
        text = message.get("raw")
        if not isinstance(text, str) or not text:
            raise errors.invalid("'raw' RFC822 payload message string or uploading message via /upload/* URL required")
        return decoded(text)


Function = Callable[[GmailRequest], dict[str, Any] | None]


@dataclass(frozen=True, slots=True)
class GmailOperation:
    name: str
    verb: str
    path: str  # below users/{userId}
    scopes: frozenset[str]
    cost: tuple[int, int]  # in the old and in the new quota table
    run: Function
    upload: int = 0  # the largest upload in bytes; 0 takes none
    pattern: re.Pattern[str] = field(init=False)

    def __post_init__(self) -> None:
        below = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.path)
        object.__setattr__(self, "pattern", re.compile(rf"/gmail/v1/users/(?P<userId>[^/]+)/{below}"))


ALL: list[GmailOperation] = []


def operation(
    name: str, verb: str, path: str, allowed: frozenset[str], cost: int | tuple[int, int], *, upload: int = 0
) -> Callable[[Function], Function]:
    """Puts a function on the list."""

    def put(run: Function) -> Function:
        both = cost if isinstance(cost, tuple) else (cost, cost)
        ALL.append(GmailOperation(name, verb, path, allowed, both, run, upload))
        return run

    return put


def find(verb: str, path: str) -> tuple[GmailOperation, dict[str, str]] | None:
    for item in ALL:
        found = item.pattern.fullmatch(path)
        if found and item.verb == verb:
            return item, found.groupdict()
    return None


def decoded(text: str) -> bytes:
    """Base64 in either alphabet, with or without padding."""
    plain = text.replace("-", "+").replace("_", "/").rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise errors.invalid("Invalid value (TYPE_BYTES), Base64 decoding failed") from error
