"""A PDF that was read elsewhere, as typed text with its paragraphs and columns."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.nouns.documents import DocumentText, Word
from postroom.reading.page.lines import read_lines

GAP_OF_LINES = 0.6  # of a line's height: more parts two paragraphs
GAP_OF_COLUMNS = 1.2


def pdf_text(document: DocumentText) -> str:
    """A wide gap between lines parts paragraphs, one inside a line parts columns."""
    told: list[str] = []
    bottom, page = 0.0, 0
    for line in read_lines(document):
        top, low = min(word.box[1] for word in line.words), max(word.box[3] for word in line.words)
        height = max(1.0, low - top)
        if told and (line.page != page or top - bottom > GAP_OF_LINES * height):
            told.append("")
        told.append(_spaced(line.words, height))
        bottom, page = low, line.page
    return "\n".join(told)


def _spaced(words: Sequence[Word], height: float) -> str:
    text, right = "", 0.0
    for word in words:
        wide = bool(text) and word.box[0] - right > GAP_OF_COLUMNS * height
        text += ("   " if wide else " " if text else "") + word.text
        right = word.box[2]
    return text
