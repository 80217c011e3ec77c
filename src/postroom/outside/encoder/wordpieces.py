"""Text as the network reads it: lower case without accents, words as the longest pieces that it knows."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

BEGIN, END, UNKNOWN = "[CLS]", "[SEP]", "[UNK]"
INSIDE = "##"  # before a piece that does not begin a word
LONGEST_WORD = 100


class WordPieces:
    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._number: Mapping[str, int] = {piece: at for at, piece in enumerate(vocabulary)}
        self._of_word = lru_cache(16384)(self._split)

    def numbers(self, text: str, most: int) -> list[int]:
        """The numbers of its pieces, with what marks both ends; a longer text is cut."""
        found: list[int] = []
        for word in _words(text):
            found += self._of_word(word)
            if len(found) >= most - 2:
                break
        return [self._number[BEGIN], *found[: most - 2], self._number[END]]

    def _split(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        start = 0
        while start < len(word) <= LONGEST_WORD:
            mark = INSIDE if start else ""
            ends = range(len(word), start, -1)
            end = next((each for each in ends if mark + word[start:each] in self._number), None)
            if end is None:
                break
            found.append(self._number[mark + word[start:end]])
            start = end
        return tuple(found) if start == len(word) else (self._number[UNKNOWN],)


def _words(text: str) -> Iterator[str]:
    """Signs stand alone, accents and control letters are left out."""
    word = ""
    for letter in unicodedata.normalize("NFD", text.lower()):
        kind = unicodedata.category(letter)
        if letter.isspace() or _stands_alone(letter, kind):
            if word:
                yield word
            word = ""
            if not letter.isspace():
                yield letter
        elif kind != "Mn" and not kind.startswith("C"):
            word += letter
    if word:
        yield word


def _stands_alone(letter: str, kind: str) -> bool:
    """Punctuation, every sign of ASCII, and Chinese characters."""
    return kind.startswith("P") or (letter.isascii() and kind[0] == "S") or "\u4e00" <= letter <= "\u9fff"
