"""Brokers nobody has seen: their notes are read by what labels are made of, where they stand, and sums."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import plain, typed
from postroom.reading.extractor import extract
from rules.reading import arrivals
from rules.reading.callers import CALLERS
from rules.reading.latecomers import LATECOMERS
from rules.reading.newcomers import NEWCOMERS
from rules.reading.notes import Note
from rules.reading.outsiders import OUTSIDERS
from rules.reading.passersby import PASSERSBY
from rules.reading.strangers import STRANGERS
from rules.reading.visitors import VISITORS

EVERY = (
    *STRANGERS, *NEWCOMERS, *LATECOMERS, *OUTSIDERS,
    *arrivals.FIRST, *arrivals.SECOND, *arrivals.THIRD, *arrivals.FOURTH, *arrivals.FIFTH, *VISITORS,
    *CALLERS, *PASSERSBY,
)  # fmt: skip
BEYOND = {
    "Australian, brokerage with tax": "It says `as at` of the day it dealt.",
    "Hungarian, a deal slip": "Only blanks part its thousands, and nothing has cents.",
    "German, savings from an employer": "No word says bought, and the paper calls itself a list of movements.",
    "Austrian, a statement whose days have no year": "The year stands in the paper's number only.",
    "German, foreign charges converted in one line": "The sum before the exchange is not printed, the last word is unknown.",
    "French, a bulletin with a debit column": "It prints no currency.",
    "German, a letter's day that is the trade's": "It prints the order's day, and no day of the trade.",
    "Australian, only a confirmation's day": "It prints a confirmation's day and no day of the trade.",
}
"""Read wrongly as yet, and why."""


def told(note: Note) -> list[tuple[str | None, str, str | None, str, str | None, str | None]]:
    return [
        (trade.direction, str(trade.trade_date), plain(trade.quantity), str(trade.net), trade.currency, trade.isin)
        for trade in extract(typed(note.text)).trades
    ]


@pytest.mark.parametrize("note", [note for note in EVERY if note.name not in BEYOND], ids=lambda note: note.name)
def test_a_note_in_words_and_a_layout_of_its_own_is_read(note):
    expected = (note.direction, note.trade_date, note.quantity, note.net, note.currency, note.isin)

    assert [expected] == told(note)


@pytest.mark.parametrize("note", EVERY, ids=lambda note: note.name)
def test_what_is_booked_unseen_is_right(note):
    extraction = extract(typed(note.text))
    expected = (note.direction, note.trade_date, note.quantity, note.net, note.currency, note.isin)

    assert not extraction.auto_confirm or [expected] == told(note)
