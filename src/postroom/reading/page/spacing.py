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
SPACED = 3.5  # letters of a fragment, at most on average
_LETTERS = re.compile(r"[^\W\d_]")
_RULED = re.compile(r"[^_]+")
_PIECE = re.compile(r"[A-Z]{2}[A-Z0-9]{9}\d(?!\w)|\(\d{1,2}\)|[-+−]?\d[\d.,'’]*|[^\W\d_]+|[^\w\s]|\w")
_FIGURES = re.compile(r"[-+−\d.,'’]+")
_WHOLE = re.compile(r"[-+−]?\d[\d.'’]*,\d{2}|[-+−]?\d[\d,'’]*\.\d{2}")
_ENDED = re.compile(r"\d[.,]\d{2}")
_BEGUN_CODES = frozenset(code[:size] for code in CODES for size in range(len(code) + 1))


def is_spaced(texts: Sequence[str]) -> bool:
    """Letters set apart: most words are a letter or two, and they are many."""
    count = len(texts)
    if count < SOON:
        return False
    lengths = list(map(len, texts))
    if sum(lengths) > SPACED * count:
        return False
    if count >= 6 and lengths.count(1) >= 0.6 * count:
        return True
    lettered = [len(text) for text in texts if _LETTERS.search(text)]
    brief = sum(1 for length in lettered if length <= 2)
    return len(lettered) >= 5 and brief >= 0.5 * len(lettered) and sum(lettered) < 2.7 * len(lettered)


def is_ruled(texts: Sequence[str]) -> bool:
    """Whether letters stand on a printed rule: `E_U_R____1_2_,_5_0`. Elsewhere an underscore is part of a name."""
    ruled = [text for text in texts if "_" in text]
    if not ruled:
        return False
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
    letters = figures = ""  # of the run so far, and the figures it ends with
    for word in words:
        figured = _FIGURES.fullmatch(word.text) is not None
        if run and not _belongs(run[-1], word, letters, figures if figured else ""):
            yield run
            run, letters, figures = [], "", ""
        run.append(word)
        letters += word.text
        figures = figures + word.text if figured else ""
    if run:
        yield run


def _belongs(last: Word, word: Word, letters: str, figures: str) -> bool:
    """Whether a word goes on where a run ends. `figures` are those at its end, if the word is more of them."""
    left, _, right, _ = word.box
    wide = (left - last.box[2]) * len(word.text) / max(right - left, 1e-6)
    if wide > IN_NUMBER:
        return False
    if figures and not _WHOLE.fullmatch(figures):  # a number that has no cents yet
        return True
    if len(letters) < 3 and letters + word.text in _BEGUN_CODES:
        return True
    return wide <= COLUMN and max(len(last.text), len(word.text)) <= FRAGMENT


def _reset(run: Sequence[Word]) -> Iterator[Word]:
    """A run's letters in one text, cut where letters and figures meet."""
    text = "".join([word.text for word in run])
    lefts, rights = _edges(run)
    top, bottom = min([word.box[1] for word in run]), max([word.box[3] for word in run])
    for match in _PIECE.finditer(text):
        start, end = match.span()
        yield from _numbers(Word(match[0], run[0].page, (lefts[start], top, rights[end - 1], bottom)))


def _numbers(word: Word) -> Iterator[Word]:
    """Two amounts that ran into each other part behind the cents of the first."""
    ended = _ENDED.search(word.text) if word.text.count(",") > 1 else None
    if ended is not None and word.text[ended.end() : ended.end() + 1].isdigit():
        yield _cut(word, 0, ended.end())
        yield from _numbers(_cut(word, ended.end(), len(word.text)))
    else:
        yield word


def _edges(run: Sequence[Word]) -> tuple[list[float], list[float]]:
    """Where each letter of a run begins and ends."""
    lefts: list[float] = []
    rights: list[float] = []
    for word in run:
        left, _, right, _ = word.box
        step = (right - left) / max(len(word.text), 1)
        for at in range(len(word.text)):
            lefts.append(left + step * at)
            rights.append(left + step * (at + 1))
    return lefts, rights


def _cut(word: Word, start: int, end: int) -> Word:
    left, top, right, bottom = word.box
    step = (right - left) / max(len(word.text), 1)
    box: Box = (left + step * start, top, left + step * end, bottom)
    return Word(word.text[start:end], word.page, box)
