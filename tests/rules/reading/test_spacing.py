"""Letters that are set apart become words and numbers again."""

from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.extractor import extract
from postroom.reading.page import lines
from postroom.reading.page.lines import read_lines


@pytest.mark.parametrize(
    ("printed", "meant"),
    [
        ("K u r s w e r t      1 . 2 3 4 , 5 0      E U R", ["Kurswert", "1.234,50", "EUR"]),
        ("B e t r a g        E     U     R      1 2 , 5 0", ["Betrag", "EUR", "12,50"]),
        ("D a t u m   1 3     . 0 3 . 2 0 2 3  S t  12,50", ["Datum", "13.03.2023", "St", "12,50"]),
        ("S t ü c k  1 2 3 4      5 6,   7 8      9 , 0 0", ["Stück", "123456,78", "9,00"]),
        ("P r o v i s i o n   4 , 5 0 9 9 , 0 0   E U R", ["Provision", "4,50", "99,00", "EUR"]),
    ],
)
def test_a_run_goes_on_while_a_number_lacks_its_cents_or_a_currency_its_letters(printed, meant):
    (line,) = read_lines(typed(printed))
    assert line.spaced
    assert meant == [word.text for word in line.words]


def test_a_word_put_together_stands_from_its_first_letter_to_its_last():
    (line,) = read_lines(typed("K u r s w e r t      1 2 , 5 0"))
    assert [(0.0, 90.0), (126.0, 180.0)] == [(word.box[0], word.box[2]) for word in line.words]


def test_a_paper_without_a_security_is_laid_out_once_to_be_told_from_an_invoice(monkeypatch):
    laid_out = []
    rows = lines._rows
    monkeypatch.setattr(lines, "_rows", lambda page: [laid_out.append(page.number), *rows(page)][1:])
    told = extract(typed("Lieferschein Nr. 17\nDatum 13.03.2023\nStück 10 Schrauben\nGesamt 119,00 EUR\n"))
    assert "other" == told.type
    assert [1] == laid_out
