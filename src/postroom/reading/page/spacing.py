"""Text layers that set letters apart: fragments become words and numbers again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from postroom.nouns.documents import Box, Word
from postroom.reading.page.locale import CODES

COLUMN = 4.5  # of a letter's width: a gap this wide parts columns even where letters are set apart
IN_NUMBER = 7.0  # and this wide, two figures of which the first has no cents yet
FRAGMENT = 3  # letters; what is longer is a word
RULE = 4  # underscores
SOON = 5  # fragments in a line before it can be called spaced
_LETTERS = re.compile(r"[^\W\d_]")
_RULED = re.compile(r"[^_]+")
_PIECE = re.compile(r"[A-Z]{2}[A-Z0-9]{9}\d(?!\w)|\(\d{1,2}\)|[-+−]?\d[\d.,'’]*|[^\W\d_]+|[^\w\s]|\w")
_FIGURES = re.compile(r"[-+−\d.,'’]+")
_WHOLE = re.compile(r"[-+−]?\d[\d.'’]*,\d{2}|[-+−]?\d[\d,'’]*\.\d{2}")
_ENDED = re.compile(r"\d[.,]\d{2}")


def is_spaced(texts: Sequence[str]) -> bool:
    """Letters set apart: most words are a letter or two, and they are many."""
    count = len(texts)
    if count < SOON:
        return False
    lengths = list(map(len, texts))
    if sum(lengths) > 3.5 * count:
        return False
    if count >= 6 and lengths.count(1) >= 0.6 * count:
        return True
    lettered = [len(text) for text in texts if _LETTERS.search(text)]
    brief = sum(1 for length in lettered if length <= 2)
    return len(lettered) >= 5 and brief >= 0.5 * len(lettered) and sum(lettered) < 2.7 * len(lettered)


def is_ruled(texts: Sequence[str]) -> bool:
    """Whether letters stand on a printed rule: `E_U_R____1_2_,_5_0`. Elsewhere an underscore is part of a name."""
    ruled = [text for text in texts if "_" in text]
    strokes = sum(text.count("_") for text in ruled)
    return strokes >= RULE and 3 * strokes >= sum(map(len, ruled))


def unruled(words: Sequence[Word]) -> list[Word]:
    """The same without the rule: each letter by itself."""
    found: list[Word] = []
    for word in words:
        if "_" in word.text:
            found += (_cut(word, *match.span()) for match in _RULED.finditer(word.text))
        else:
            found.append(word)
    return found


def closed_up(words: Sequence[Word]) -> list[Word]:
    """The fragments of a spaced line as words: short ones joined, then parted into letters and numbers."""
    found: list[Word] = []
    for run in _runs(words):
        found += _reset(run) if len(run) > 1 else run
    return found


def _runs(words: Sequence[Word]) -> Iterator[list[Word]]:
    run: list[Word] = []
    for word in words:
        if run and not _belongs(run, word):
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _belongs(run: Sequence[Word], word: Word) -> bool:
    left, _, right, _ = word.box
    wide = (left - run[-1].box[2]) * len(word.text) / max(right - left, 1e-6)
    if wide > IN_NUMBER:
        return False
    if _goes_on(run, word) or _spells_currency(run, word):
        return True
    return wide <= COLUMN and max(len(run[-1].text), len(word.text)) <= FRAGMENT


def _goes_on(run: Sequence[Word], word: Word) -> bool:
    """Whether a number that has no cents yet goes on with more figures."""
    begun = ""
    for before in reversed(run):
        if not _FIGURES.fullmatch(before.text):
            break
        begun = before.text + begun
    return bool(begun and _FIGURES.fullmatch(word.text)) and not _WHOLE.fullmatch(begun)


def _spells_currency(run: Sequence[Word], word: Word) -> bool:
    begun = "".join(before.text for before in run)
    return len(begun) < 3 and any(code.startswith(begun + word.text) for code in CODES)


def _reset(run: Sequence[Word]) -> Iterator[Word]:
    """A run's letters in one text, cut where letters and figures meet."""
    text = "".join(word.text for word in run)
    edges = [edge for word in run for edge in _edges(word)]
    top, bottom = min(word.box[1] for word in run), max(word.box[3] for word in run)
    for match in _PIECE.finditer(text):
        start, end = match.span()
        box = (edges[start][0], top, edges[end - 1][1], bottom)
        yield from _numbers(Word(match[0], run[0].page, box))


def _numbers(word: Word) -> Iterator[Word]:
    """Two amounts that ran into each other part behind the cents of the first."""
    ended = _ENDED.search(word.text)
    if ended is not None and word.text.count(",") > 1 and word.text[ended.end() : ended.end() + 1].isdigit():
        yield _cut(word, 0, ended.end())
        yield from _numbers(_cut(word, ended.end(), len(word.text)))
    else:
        yield word


def _edges(word: Word) -> Iterator[tuple[float, float]]:
    left, _, right, _ = word.box
    step = (right - left) / max(len(word.text), 1)
    return ((left + step * at, left + step * (at + 1)) for at in range(len(word.text)))


def _cut(word: Word, start: int, end: int) -> Word:
    left, top, right, bottom = word.box
    step = (right - left) / max(len(word.text), 1)
    box: Box = (left + step * start, top, left + step * end, bottom)
    return Word(word.text[start:end], word.page, box)
