"""Brokers nobody has seen: their notes are read by what labels are made of, where they stand, and sums."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import plain, typed
from postroom.reading.extractor import extract
from rules.reading.newcomers import NEWCOMERS
from rules.reading.notes import Note
from rules.reading.strangers import STRANGERS

BEYOND = {"Australian, brokerage with tax"}
"""Read wrongly as yet: it says `as at` of the day it dealt."""


def told(note: Note) -> list[tuple[str | None, str, str | None, str, str | None, str | None]]:
    return [
        (trade.direction, str(trade.trade_date), plain(trade.quantity), str(trade.net), trade.currency, trade.isin)
        for trade in extract(typed(note.text)).trades
    ]


@pytest.mark.parametrize(
    "note", [note for note in (*STRANGERS, *NEWCOMERS) if note.name not in BEYOND], ids=lambda note: note.name
)
def test_a_note_in_words_and_a_layout_of_its_own_is_read(note):
    expected = (note.direction, note.trade_date, note.quantity, note.net, note.currency, note.isin)

    assert [expected] == told(note)


@pytest.mark.parametrize("note", [*STRANGERS, *NEWCOMERS], ids=lambda note: note.name)
def test_what_is_booked_unseen_is_right(note):
    extraction = extract(typed(note.text))
    expected = (note.direction, note.trade_date, note.quantity, note.net, note.currency, note.isin)

    assert not extraction.auto_confirm or [expected] == told(note)
