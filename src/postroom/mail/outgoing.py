"""Recipients and subject of a mail that goes out, as people say them. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from postroom.nouns.errors import BadRequest

LONGEST_SUBJECT = 500
MOST_RECIPIENTS = 50
_ADDRESS = re.compile(r"[^@\s<>,;:\"'()\[\]\\]+@[^@\s<>,;:\"'()\[\]\\]+\.[^@\s<>,;:\"'()\[\]\\.]{2,}")
_PERSON = re.compile(r'(?:"[^"]{0,100}"|[^"<>@;\n]){0,100}<([^<>]{0,300})>|[^,;\s]+')  # Smith, Anna <anna@x.example>
_NAMED = re.compile(r'(?:"[^"\r\n]{0,200}"[ \t]*|[^"<>@;\r\n]{0,200})<([^<>]{0,300})>')
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_REPLIES = re.compile(r"^(?:(?:re|aw|antw|sv|vs|tr|fw|fwd|wg|rv|odp)\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)


def addresses_in(text: str) -> list[str]:
    """As people type and paste them: with names or without, after commas, semicolons, spaces or line ends.

    Names are dropped: whom a mail goes to is shown, approved and kept by address alone.
    """
    return [found[1] if found[1] is not None else found[0] for found in _PERSON.finditer(text)]


def clean_addresses(said: Sequence[str]) -> tuple[str, ...]:
    """Lower case, without names, each once. Raises BadRequest at the first that is none."""
    found = [_without_name(each.strip()).lower() for each in said]
    if odd := [each for each in found if not _is_address(each)]:
        raise BadRequest(f"{odd[0]!r} is not a mail address.")
    return tuple(dict.fromkeys(found))


def _without_name(text: str) -> str:
    named = _NAMED.fullmatch(text)
    return named[1] if named else text


def _is_address(text: str) -> bool:
    """Nothing that the eye does not see, and nothing that a mail program would decode into another address."""
    return _ADDRESS.fullmatch(text) is not None and len(text) <= 254 and text.isprintable() and "=?" not in text


def check_recipients(to: Sequence[str], *copies: Sequence[str]) -> None:
    """Raises BadRequest with a sentence when there are none, or too many."""
    if not to:
        raise BadRequest("A mail needs somebody it goes to.")
    if (people := len({*to, *(each for group in copies for each in group)})) > MOST_RECIPIENTS:
        raise BadRequest(f"A mail goes to up to {MOST_RECIPIENTS} people; this one names {people}.")


def clean_subject(said: str) -> str:
    """A line break in a header would begin another one; marks that turn letters round would show what is not sent."""
    subject = _one_line(said)
    if len(subject) > LONGEST_SUBJECT:
        raise BadRequest(f"A subject has up to {LONGEST_SUBJECT} letters; this one has {len(subject)}. Shorten it.")
    return subject


def subject_after(mark: str, subject: str) -> str:
    """Of an answer to a mail: a subject that came is no one's words here, and an overlong one is shortened."""
    return f"{mark} {without_reply_marks(_one_line(subject))}".strip()[:LONGEST_SUBJECT]


def _one_line(said: str) -> str:
    return _UNSEEN.sub("", " ".join(said.split()))


def without_reply_marks(subject: str) -> str:
    """What it is about: `Re:`, `Fwd:` and their relatives aside."""
    return _REPLIES.sub("", subject)
