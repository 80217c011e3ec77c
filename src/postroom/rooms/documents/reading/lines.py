"""Words to lines: what stands on one height reads as one line, and spread-out letters become words again."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter

from postroom.nouns.documents import Box, DocumentText, Page, Word

SAME_LINE = 0.45  # of a letter's height: centres nearer than this are one line
WIDE_GAP = 2.2  # of a letter's width: a gap this wide parts columns
_LETTERS = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")


@dataclass(slots=True)
class Line:
    """One printed line. `text` joins its words by blanks, two where columns part."""

    index: int
    page: int
    text: str
    starts: list[int]
    words: list[Word]
    spaced: bool = False
    numbered: bool = field(init=False)
    """Whether it has digits."""

    def __post_init__(self) -> None:
        self.numbered = _DIGIT.search(self.text) is not None

    @property
    def box(self) -> Box:
        return union(word.box for word in self.words)

    def box_of(self, start: int, end: int) -> Box:
        """Where the characters from `start` to `end` of `text` stand."""
        first = max(bisect_right(self.starts, start) - 1, 0)
        last = max(bisect_left(self.starts, end), first + 1)
        if last - first > 1:
            return union(word.box for word in self.words[first:last])
        return self._part(first, start, end)

    def _part(self, index: int, start: int, end: int) -> Box:
        word = self.words[index]
        left, top, right, bottom = word.box
        length = len(word.text)
        if not length or end - start >= length:
            return word.box
        step = (right - left) / length
        offset = max(start - self.starts[index], 0)
        return (left + step * offset, top, min(right, left + step * (offset + end - start)), bottom)


def union(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return (min(lefts), min(tops), max(rights), max(bottoms))


def read_lines(document: DocumentText) -> list[Line]:
    lines: list[Line] = []
    for page in document.pages:
        for words in _rows(page):
            lines.append(_line(len(lines), page.number, words))
    return lines


def _rows(page: Page) -> list[list[Word]]:
    placed = [(word.box[1] + word.box[3], word.box[0], word.box[3] - word.box[1], word) for word in page.words]
    placed.sort(key=itemgetter(0, 1))
    rows: list[list[tuple[float, Word]]] = []
    middle, height = -1e9, 0.0
    for doubled, left, tall, word in placed:
        if rows and doubled - middle <= 2 * SAME_LINE * (tall if 0.5 * height < tall < height else height * 0.75):
            rows[-1].append((left, word))
        else:
            rows.append([(left, word)])
            middle, height = doubled, tall
    for row in rows:
        row.sort(key=itemgetter(0))
    return [[word for _, word in row] for row in rows]


def _line(index: int, page: int, words: list[Word]) -> Line:
    if _is_spaced(words):
        return _close_up(index, page, words)
    return _joined(index, page, words, spaced=False)


def _joined(index: int, page: int, words: list[Word], *, spaced: bool) -> Line:
    parts: list[str] = []
    starts: list[int] = []
    at = 0
    edge = words[0].box[0]
    for text, _, (left, _, right, _) in words:
        length = len(text)
        if (left - edge) * length > WIDE_GAP * (right - left):
            parts.append(" ")
            at += 1
        starts.append(at)
        parts.append(text)
        at += length + 1
        edge = right
    return Line(index, page, " ".join(parts) if len(parts) == len(starts) else _spread(parts), starts, words, spaced)


def _spread(parts: list[str]) -> str:
    """Words joined by a blank, and by two where a lone blank says so."""
    return "".join(part if part == " " else f"{part} " for part in parts)[:-1]


def _is_spaced(words: Sequence[Word]) -> bool:
    """Letters set apart: most words are a letter or two, and they are many."""
    count = len(words)
    if count < 5:
        return False
    lengths = [len(word.text) for word in words]
    if sum(lengths) > 3.5 * count:
        return False
    if count >= 6 and lengths.count(1) >= 0.6 * count:
        return True
    lettered = [len(word.text) for word in words if _LETTERS.search(word.text)]
    brief = sum(1 for length in lettered if length <= 2)
    return len(lettered) >= 5 and brief >= 0.5 * len(lettered) and sum(lettered) < 2.7 * len(lettered)


def _close_up(index: int, page: int, words: list[Word]) -> Line:
    """Single letters and digits joined to words; a capital after a small letter starts a new one."""
    merged: list[Word] = []
    gap = _usual_gap(words)
    for word in words:
        if merged and _belongs(merged[-1], word, gap):
            last = merged[-1]
            merged[-1] = Word(last.text + word.text, page, union((last.box, word.box)))
        else:
            merged.append(word)
    return _joined(index, page, merged, spaced=True)


def _usual_gap(words: Sequence[Word]) -> float:
    gaps = sorted(after.box[0] - before.box[2] for before, after in pairwise(words))
    return gaps[len(gaps) // 2] if gaps else 0.0


def _belongs(before: Word, after: Word, gap: float) -> bool:
    if after.box[0] - before.box[2] > 2.6 * max(gap, 0.1):
        return False
    last, first = before.text[-1], after.text[0]
    if last.isdigit() or first.isdigit():
        begun = last.isdigit() or (last in ".,'-" and (len(before.text) == 1 or before.text[0].isdigit()))
        number = begun and (first.isdigit() or first in ".,'-:%")
        goes_on = first in ".,'" and after.text[1:].isdigit()
        return number and (len(after.text) == 1 or len(before.text) == 1 or not last.isdigit() or goes_on)
    if last.islower() and first.isupper():
        return False
    return len(after.text) <= 3 or len(before.text) <= 2
