from __future__ import annotations

import pytest

from postroom.nouns.documents import typed
from postroom.reading.labels.pairing import pair
from postroom.reading.page.tokens import TokenKind, tokenise


def best_fields(text, kind=TokenKind.NUMBER):
    reading = pair(tokenise(typed(text)))
    found = []
    for token in reading.text.of(kind):
        scores = {name: score for name, score in reading.about(token).scores.items() if name != "unit"}
        found.append(max(scores, key=scores.__getitem__) if scores else None)
    return found


def test_a_value_belongs_to_the_label_on_its_left():
    assert ["quantity", "price"] == best_fields("Menge 10 Ausführungskurs 12,50")


def test_a_row_belongs_to_the_header_above_it():
    assert ["quantity", "price", "gross"] == best_fields("Anzahl Ausführungskurs Kurswert\n10 12,50 125,00")


def test_columns_are_matched_by_place_where_the_header_has_more_labels_than_the_row_has_values():
    text = "Anzahl        Kurs     Provision       Kurswert\n10          12,50                      125,00"

    assert ["quantity", "price", "gross"] == best_fields(text)


def test_an_empty_column_shifts_no_value_to_a_wrong_label():
    text = "Anzahl Kurs Devisenkurs Provision Endbetrag\n10 12,50 EUR -1,00 EUR 126,00 EUR"

    assert ["quantity", "price", "fee", "net"] == best_fields(text)


def test_a_lone_label_looks_to_the_next_line():
    assert ["net"] == best_fields("Endbetrag zu Ihren Lasten\nEUR 1.697,05")


def test_a_label_inside_a_sentence_does_not_look_down():
    text = "Bitte melden Sie die Menge der Bank innerhalb eines Monats nach Erhalt dieses Schreibens\n68616777"

    assert [None] == best_fields(text)


def test_a_unit_makes_a_count():
    assert ["quantity", "quantity"] == best_fields("Stück 13\n128,1618 Stk")


def test_the_base_of_a_percentage_is_not_the_label_of_the_amount():
    assert ["fee"] == best_fields("Provision 0,1900 % vom Kurswert 17,81- EUR")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Schlusstag 12.04.2021 Valuta 14.04.2021", ["trade_date", "settlement_date"]),
        ("Trade date Settlement date\n12/04/2021 14/04/2021", ["trade_date", "settlement_date"]),
        ("Auftrag vom 12.04.2021", ["order_date"]),
    ],
)
def test_days_are_told_apart_by_their_labels(text, expected):
    assert expected == best_fields(text, TokenKind.DATE)


def test_a_column_lends_its_currency():
    reading = pair(tokenise(typed("Date Désignation Montant net (€)\nACHAT 100,00")))

    assert ["EUR"] == [token.currency for token in reading.text.of(TokenKind.NUMBER)]
