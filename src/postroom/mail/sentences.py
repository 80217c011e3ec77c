"""Text as sentences and tokens, folded so that case, accents and typing habits do not matter."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_TOKEN = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(
    r"(?<=[.!?…])[\"'»”)\]]{0,9}+\s++(?=\W{0,20}+[^\W_])|\n\s*\n|\n(?=\s*[-*•–—]\s)|\n(?=\s*\d{1,2}[.)]\s)"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|nr|tel|art|abs|bzw|ca|etc|e\.g|i\.e|z\.b|d\.h|u\.a|usw|inkl|evtl|mme|mlle|m"
    r"|sr|sra|srta|sig|dott|avv|dhr|mevr|bijv|pan|ul|np|tzn|ok|godz|hr|fru|kl|bl\.a|t\.ex|f\.eks|p\.ex|p\.es)\.$",
    re.IGNORECASE,
)
_LETTERS = str.maketrans({"ß": "ss", "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "’": "'"})
# Letters of other alphabets that look like ours; nobody writes them among ours but to be misread.
_LIKE_OURS = str.maketrans("асеіјорѕхуһԁԛԝαεικνορτυχ", "aceijopsxyhdqwaeikvoptux")
_OTHER_ALPHABET = re.compile(r"[\u0370-\u03ff\u0400-\u052f]")
_OURS = re.compile(r"[a-z]")
# Zero width, directions, soft hyphens, letters of tags and marks that strike a letter through: no part of a word.
_UNSEEN = re.compile(
    "[\u00ad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef]"
)
LONGEST = 20_000  # letters looked at; hardly anybody writes more that is new


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence as written, with its folded tokens and where each stands in it."""

    text: str
    tokens: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    def words(self, first: int, last: int) -> str:
        """As written, from one token to another."""
        return " ".join(self.text[self.spans[first][0] : self.spans[last][1]].split())


@lru_cache(65536)
def fold(word: str) -> str:
    """One word without case and accents; `ue` for `ü` as people type it is the same as `u`."""
    plain = unicodedata.normalize("NFKD", word.casefold().translate(_LETTERS))
    if _OTHER_ALPHABET.search(plain) and _OURS.search(plain):
        plain = plain.translate(_LIKE_OURS)
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return bare.replace("ae", "a").replace("oe", "o").replace("ue", "u") if len(bare) > 3 else bare


def seen(text: str) -> str:
    """As people see it: without what has no width, and an accent that is written apart back on its letter."""
    if text.isascii() or not _UNSEEN.search(text):
        return text
    return _UNSEEN.sub("", unicodedata.normalize("NFC", text))


def tokens(text: str) -> tuple[str, ...]:
    return tuple(fold(match[0]) for match in _TOKEN.finditer(seen(text)))


def sentences(text: str) -> list[Sentence]:
    """A line that ends without a full stop goes on in the next, unless a blank line or a bullet parts them."""
    found: list[Sentence] = []
    for piece in _pieces(seen(text[:LONGEST])):
        marks = list(_TOKEN.finditer(piece))
        if marks:
            found.append(Sentence(piece, tuple(fold(mark[0]) for mark in marks), tuple(mark.span() for mark in marks)))
    return found


def _pieces(text: str) -> list[str]:
    pieces: list[str] = []
    for piece in _SENTENCE_END.split(text.replace("\r\n", "\n")):
        clean = " ".join(piece.split())
        if not clean:
            continue
        if pieces and _ABBREVIATION.search(pieces[-1]) and len(pieces[-1]) < 400:
            pieces[-1] = f"{pieces[-1]} {clean}"
        else:
            pieces.append(clean)
    return pieces
