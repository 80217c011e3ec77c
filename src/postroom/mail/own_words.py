"""What the sender says: without closing, unmarked signature and disclaimer; and what it forwards."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from postroom.mail.replies import POSTSCRIPT, mails_of_chain
from postroom.mail.sentences import tokens
from postroom.mail.subjects import is_forward

_FORWARD_LINE = re.compile(r"^[\s>*_-]*(?:[-_=]{2,}|begin|inizio|début|anfang)?.{0,40}$", re.IGNORECASE)
_CONTACT = re.compile(
    r"@|https?:|www\.|\b(?:tel|phone|mobile|mobil|fax|telefon|tél|tlf|kom|gsm)\b|\+?\d[\d\s()/.-]{6,}|\b\d{4,5}\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+")
LONGEST_CLOSING_LINE = 60  # letters; a sentence that begins with "Thanks" is longer
LONGEST_SIGNATURE_LINES = 14
LONGEST_NAME_LINE = 48
MOST_NAMES = 4  # in the line that closes
FEWEST_SPOKEN_WORDS = 3


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The sender's own text, and what was set aside."""

    text: str
    signature: str = ""
    disclaimer: str = ""


@dataclass(frozen=True, slots=True)
class _QuoteMarks:
    closings: frozenset[tuple[str, ...]]
    beside_closings: frozenset[str]
    speakers: frozenset[str]
    titles: frozenset[str]
    devices: frozenset[tuple[str, ...]]
    disclaimers: tuple[tuple[str, ...], ...]
    forwards: tuple[tuple[str, ...], ...]


@cache
def _marks() -> _QuoteMarks:
    raw = tomllib.loads(resources.files(__package__).joinpath("own_words.toml").read_text("utf-8"))
    return _QuoteMarks(
        closings=frozenset(_all(raw["closings"])),
        beside_closings=_each_word(raw["beside_closings"]) | _each_word(raw["closings"]),
        speakers=_each_word(raw["speakers"]),
        titles=_each_word(raw["titles"]),
        devices=frozenset(_all(raw["devices"])),
        disclaimers=tuple(_all(raw["disclaimers"])),
        forwards=tuple(_all(raw["forwards"])),
    )


def _each_word(lists: dict[str, list[str]]) -> frozenset[str]:
    return frozenset(word for phrase in _all(lists) for word in phrase)


def _all(lists: dict[str, list[str]]) -> Iterable[tuple[str, ...]]:
    return [tokens(phrase) for phrases in lists.values() for phrase in phrases]


def own_words(text: str) -> OwnWords:
    """`text` is what is new in a mail; quotes and marked signatures are gone already."""
    lines = text.split("\n")
    body, disclaimer = _without_disclaimer(lines)
    kept, closing = _without_closing(body)
    said, signature = _spoken(closing)
    text = "\n\n".join(part for part in ("\n".join(kept).strip(), "\n".join(said).strip()) if part)
    return OwnWords(text, "\n".join(signature).strip(), "\n".join(disclaimer).strip())


def forwarded_text(subject: str, quoted: str) -> str:
    """What a mail hands on below its own words, the chain inside it too; a mere quotation is nothing.

    A reply to a forward quotes it: only the outermost prefix of the subject counts.
    """
    if not quoted.strip():
        return ""
    head = [line for line in quoted.split("\n")[:4] if line.strip()]
    if not (is_forward(subject) or any(_says_forwarded(line) for line in head[:2])):
        return ""
    return "\n\n".join(said for mail in mails_of_chain(quoted) if (said := own_words(mail).text))


def _says_forwarded(line: str) -> bool:
    said = tokens(line)
    return bool(_FORWARD_LINE.match(line)) and any(_holds(said, phrase) for phrase in _marks().forwards)


def _without_disclaimer(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """From the paragraph on that only lawyers write; never the first one."""
    for number, (start, paragraph) in enumerate(_paragraphs(lines)):
        said = tokens(paragraph)
        if number and len(said) > 12 and sum(_holds(said, phrase) for phrase in _marks().disclaimers) >= 2:
            return list(lines[:start]), list(lines[start:])
    return list(lines), []


def _paragraphs(lines: Sequence[str]) -> Iterable[tuple[int, str]]:
    start, held = 0, list[str]()
    for number, line in enumerate((*lines, "")):
        if line.strip():
            if not held:
                start = number
            held.append(line)
        elif held:
            yield start, " ".join(held)
            held = []


def _without_closing(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """A line that is nothing but a greeting ends the letter, if what follows looks like a name and an address."""
    below = 0  # lines with something on them
    for at in range(len(lines) - 1, 0, -1):
        if below > LONGEST_SIGNATURE_LINES:
            break
        if _closes(lines[at]) and _like_signature(lines[at + 1 :]):
            return list(lines[:at]), list(lines[at:])
        below += bool(lines[at].strip())
    return list(lines), []


def _closes(line: str) -> bool:
    if len(line.strip()) > LONGEST_CLOSING_LINE:
        return False
    said = tokens(line)
    closings = _marks().closings
    return any(said[:length] in closings for length in range(1, min(len(said), 6) + 1)) and len(said) <= 9


def _like_signature(lines: Sequence[str]) -> bool:
    written = [line.strip() for line in lines if line.strip()]
    return all(len(line) <= LONGEST_NAME_LINE or _CONTACT.search(line) for line in written)


def _spoken(closing: Sequence[str]) -> tuple[list[str], list[str]]:
    """What is said all the same from the closing on, and the rest: "Thanks, but I want my money back", a postscript."""
    said, rest = list[str](), list[str]()
    after_name = False
    for number, line in enumerate(closing):
        after_name = after_name or POSTSCRIPT.match(line) is not None
        speaks = after_name or (_speaks(line) if number else _says_more(line))
        (said if speaks else rest).append(line)
    return said, rest


def _says_more(line: str) -> bool:
    """A line that closes may thank for something and name somebody; any other word in it is said."""
    marks = _marks()
    unknown = [word for word in _WORD.findall(line) if tokens(word)[0] not in marks.beside_closings]
    named = [word for word in unknown if word[0].isupper() and not (word.isupper() and len(word) > 3)]
    return len(named) < len(unknown) or len(named) > MOST_NAMES


def _speaks(line: str) -> bool:
    """Below a name stand titles and addresses; who says "I", or writes a sentence there, says something."""
    words, marks = _WORD.findall(line), _marks()
    folded = [tokens(word)[0] for word in words]
    if len(words) < FEWEST_SPOKEN_WORDS or _CONTACT.search(line) or tuple(folded[:2]) in marks.devices:
        return False
    small = [word for word in words[1:] if word[0].islower()]
    if line.rstrip().endswith((".", "!", "?", "…")) and len(small) > 1:
        return True
    if any(
        said in marks.speakers and (not at or word[0].islower())
        for at, (word, said) in enumerate(zip(words, folded, strict=True))
    ):
        return True
    return len(words) > FEWEST_SPOKEN_WORDS and len(small) == len(words) - 1 and folded[1] not in marks.titles


def _holds(said: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return any(tuple(said[at : at + size]) == tuple(phrase) for at in range(len(said) - size + 1))
