"""Text from images mended where a check digit proves it: a recogniser takes 1 for l and 0 for O."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from postroom.nouns.documents import DocumentText, Word
from postroom.reading.page.tokens import checks

ALIKE = {"l": "1", "i": "1", "I": "1I", "O": "0O", "o": "0O", "S": "S5", "B": "B8", "Z": "Z2"}
"""What a letter may have been; a digit that was seen is believed."""
MOST_TRIES = 256
_LIKE_ISIN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}[A-Za-z0-9]{10}(?![A-Za-z0-9])")


def mended(text: DocumentText) -> DocumentText:
    pages = [replace(page, words=tuple(_mended(word) for word in page.words)) for page in text.pages]
    return replace(text, pages=tuple(pages))


def _mended(word: Word) -> Word:
    found = _LIKE_ISIN.search(word.text)
    if found is None or (found.group().isupper() and checks(found.group())):
        return word
    seen = found.group()
    proven = sorted((_changes(seen, reading), reading) for reading in _proven(seen))
    if not proven or (len(proven) > 1 and proven[0][0] == proven[1][0]):
        return word
    return word._replace(text=word.text.replace(seen, proven[0][1]))


def _changes(seen: str, reading: str) -> int:
    """How far a reading is from what was seen."""
    return sum(before != after for before, after in zip(seen, reading, strict=True))


def _proven(code: str) -> Iterator[str]:
    """Readings with a right check digit that differ only in letters that look alike."""
    choices = [*code[:2], *(ALIKE.get(letter, letter) for letter in code[2:])]
    tries = 1
    for choice in choices:
        tries *= len(choice)
    if tries > MOST_TRIES:
        return
    for letters in product(*choices):
        reading = "".join(letters)
        if reading[-1].isdigit() and reading.isupper() and reading.isalnum() and checks(reading):
            yield reading
