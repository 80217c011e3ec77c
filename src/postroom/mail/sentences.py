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
    bare = "".join(letter for letter in plain if not unicodedata.combining(letter))
    return bare.replace("ae", "a").replace("oe", "o").replace("ue", "u") if len(bare) > 3 else bare


def tokens(text: str) -> tuple[str, ...]:
    return tuple(fold(match[0]) for match in _TOKEN.finditer(text))


def sentences(text: str) -> list[Sentence]:
    """A line that ends without a full stop goes on in the next, unless a blank line or a bullet parts them."""
    found: list[Sentence] = []
    for piece in _pieces(text[:LONGEST]):
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
