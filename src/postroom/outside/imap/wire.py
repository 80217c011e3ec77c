"""IMAP's responses as written on the line: pure.

https://www.rfc-editor.org/rfc/rfc9051#section-9
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from postroom.nouns.errors import Unavailable

Value: TypeAlias = "bytes | list[Value] | None"
"""An atom, number or string as bytes; NIL as None; a parenthesised list as a list."""

LITERAL = re.compile(rb"(?:~?)\{(\d{1,12})\+?\}\r?\n$")
_STATUS = re.compile(rb"(OK|NO|BAD|BYE|PREAUTH)(?: \[([A-Za-z0-9-]+)(?: ([^\]]*))?\])?(?: (.*))?$", re.I | re.S)
_NUMBERED = re.compile(rb"(\d+) ([A-Za-z]+)(?: (.*))?$", re.S)
_NAMED = re.compile(rb"([A-Za-z0-9-]+)(?: (.*))?$", re.S)
_TOKEN = re.compile(rb' +|[()]|"(?:[^"\\]|\\.)*"|(?:[^\s()"\[]|\[[^\]]*\])+')
_ESCAPED = re.compile(rb"\\(.)")


class Garbled(Unavailable):
    """Not IMAP, or half of it."""


@dataclass(frozen=True, slots=True)
class Response:
    """One response. `pieces` alternates between text and literals, and begins and ends with text."""

    name: str  # OK, NO, BAD, BYE, PREAUTH, FETCH, EXISTS, SEARCH, …
    number: int | None = None
    code: str = ""  # of a status: UIDVALIDITY, AUTHENTICATIONFAILED, …
    argument: str = ""  # of the code
    pieces: Sequence[bytes] = field(default=(b"",), repr=False)

    @property
    def text(self) -> str:
        return self.pieces[0].decode("utf-8", "replace")

    def values(self) -> list[Value]:
        return values(self.pieces)


def response(pieces: Sequence[bytes]) -> Response:
    """What follows the tag."""
    first, rest = pieces[0].lstrip(b" "), pieces[1:]
    if status := _STATUS.match(first):
        name, code, argument, text = status.groups()
        return Response(_upper(name), None, _upper(code), _text(argument), (text or b"", *rest))
    if numbered := _NUMBERED.match(first):
        return Response(_upper(numbered[2]), int(numbered[1]), pieces=(numbered[3] or b"", *rest))
    if named := _NAMED.match(first):
        return Response(_upper(named[1]), pieces=(named[2] or b"", *rest))
    raise Garbled("The server's answer is not IMAP.")


def values(pieces: Sequence[bytes]) -> list[Value]:
    """The values in a response, literals in their places."""
    open_lists: list[list[Value]] = [[]]
    for token, literal in _tokens(pieces):
        if literal:
            open_lists[-1].append(token)
        elif token == b"(":
            open_lists.append([])
        elif token == b")":
            done = open_lists.pop()
            if not open_lists:
                raise Garbled("The server's answer closes a list that was not open.")
            open_lists[-1].append(done)
        elif token.startswith(b'"'):
            open_lists[-1].append(_ESCAPED.sub(rb"\1", token[1:-1]))
        else:
            open_lists[-1].append(None if token.upper() == b"NIL" else token)
    if len(open_lists) != 1:
        raise Garbled("The server's answer leaves a list open.")
    return open_lists[0]


def _tokens(pieces: Sequence[bytes]) -> Iterator[tuple[bytes, bool]]:
    for number, piece in enumerate(pieces):
        if number % 2:
            yield piece, True
            continue
        place = 0
        while place < len(piece):
            token = _TOKEN.match(piece, place)
            if token is None:
                raise Garbled("The server's answer cannot be read.")
            place = token.end()
            if not token[0].startswith(b" "):
                yield token[0], False


def pairs(listed: Value) -> dict[str, Value]:
    """A FETCH list as names and values."""
    if not isinstance(listed, list) or len(listed) % 2:
        raise Garbled("The server's answer is no list of names and values.")
    names = listed[::2]
    return {_upper(name): value for name, value in zip(names, listed[1::2], strict=True) if isinstance(name, bytes)}


def numbers(text: str) -> Iterator[tuple[int, int]]:
    """A set such as `3,5:7` as ranges."""
    for item in filter(None, text.split(",")):
        first, _, last = item.partition(":")
        if not first.isdecimal() or not (last or first).isdecimal():
            raise Garbled("The server's answer names a range that is none.")
        low, high = sorted((int(first), int(last or first)))
        yield low, high


def quoted(text: str) -> bytes:
    """An argument of a command; the caller has made sure that it fits on a line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'.encode()


def _upper(name: bytes | None) -> str:
    return (name or b"").decode("ascii", "replace").upper()


def _text(value: bytes | None) -> str:
    return (value or b"").decode("utf-8", "replace")
