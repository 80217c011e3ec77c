"""Words to lines: what stands on one height reads as one line, and spread-out letters become words again."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from operator import itemgetter

from postroom.nouns.documents import Box, DocumentText, TextPage, Word
from postroom.reading.page import spacing

SAME_LINE = 0.45  # of a letter's height: centres nearer than this are one line
WIDE_GAP = 2.2  # of a letter's width: a gap this wide parts columns
_DIGIT = re.compile(r"\d")
_ALIKE = bytes.maketrans(b"123456789", b"0" * 9)


@dataclass(slots=True)
class PrintedLine:
    """One printed line. `text` joins its words by blanks, two before those words that begin a column."""

    index: int
    page: int
    text: str
    words: list[Word]
    columns: Sequence[int] = ()
    spaced: bool = False
    numbered: bool = field(init=False)
    """Whether it has digits."""
    form: bytes = field(init=False)
    """Its text as UTF-8 with every digit alike: what its words say hangs on nothing else, and forms come again."""
    _starts: list[int] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        text = self.text
        self.form = text.encode("utf-8", "surrogatepass").translate(_ALIKE)
        self.numbered = b"0" in self.form or (not text.isascii() and _DIGIT.search(text) is not None)

    @property
    def starts(self) -> list[int]:
        """Where each word begins in `text`: few lines are ever asked."""
        if self._starts is None:
            steps = [0, *(len(word[0]) + 1 for word in self.words[:-1])]
            for place in self.columns:
                steps[place] += 1
            self._starts = list(accumulate(steps))
        return self._starts

    @property
    def box(self) -> Box:
        return union(word.box for word in self.words)

    def box_of(self, start: int, end: int) -> Box:
        """Where the characters from `start` to `end` of `text` stand."""
        starts = self.starts
        first = max(bisect_right(starts, start) - 1, 0)
        last = max(bisect_left(starts, end), first + 1)
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


def read_lines(document: DocumentText) -> list[PrintedLine]:
    lines: list[PrintedLine] = []
    for page in document.pages:
        for words in _rows(page):
            lines.append(_line(len(lines), page.number, words))
    return lines


def _rows(page: TextPage) -> list[list[Word]]:
    """The words by line, from the top down and from left to right."""
    runs = _runs(page.words)
    if any(tall < 0 for _, tall, _ in runs) or len({run[0] for run in runs}) < len({run[:2] for run in runs}):
        runs = [run for word in sorted(page.words, key=_left) for run in _runs((word,))]
    runs.sort(key=itemgetter(0))
    rows: list[list[Word]] = []
    middle, height = -1e9, 0.0
    for doubled, tall, words in runs:
        if rows and doubled - middle <= 2 * SAME_LINE * (tall if 0.5 * height < tall < height else height * 0.75):
            rows[-1] += words
        else:
            rows.append(words)
            middle, height = doubled, tall
    for row in rows:
        lefts = [word[2][0] for word in row]
        if lefts != sorted(lefts):  # seldom: papers are mostly written from left to right
            row.sort(key=_left)
    return rows


def _left(word: Word) -> float:
    return word[2][0]


def _runs(words: Iterable[Word]) -> list[tuple[float, float, list[Word]]]:
    """Words that follow each other on exactly one height, as most do; with their doubled middle and their height.

    All of a run belong to one line, so that it need not be asked for each.
    """
    runs = []
    run: list[Word] = []
    top = bottom = math.nan
    for word in words:
        box = word[2]
        if box[1] != top or box[3] != bottom:
            _, top, _, bottom = box
            run = []
            runs.append((top + bottom, bottom - top, run))
        run.append(word)
    return runs


def _line(index: int, page: int, words: list[Word]) -> PrintedLine:
    texts = [word[0] for word in words]
    letters = "".join(texts)
    if "_" in letters and spacing.is_ruled(texts):
        words = spacing.unruled(words) or words
        texts = [word[0] for word in words]
        letters = "".join(texts)
    if len(letters) <= spacing.SPACED * len(texts) and spacing.is_spaced(texts):
        words = spacing.closed_up(words)
        return _joined(index, page, words, [word[0] for word in words], spaced=True)
    return _joined(index, page, words, texts, spaced=False)


def _joined(index: int, page: int, words: list[Word], texts: list[str], *, spaced: bool) -> PrintedLine:
    columns: list[int] = []
    edge = words[0].box[0]
    for place, (text, _, (left, _, right, _)) in enumerate(words):
        if (left - edge) * len(text) > WIDE_GAP * (right - left):
            columns.append(place)
            texts[place] = f" {text}"
        edge = right
    return PrintedLine(index, page, " ".join(texts), words, columns, spaced)
