from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import Field, Trade, plain, typed
from postroom.reading.extractor import extract
from rules.reading.notes import DIVIDEND, NOTES, STATEMENT

BY_NAME = {note.name: note for note in NOTES}
PLAIN = BY_NAME["German, labels and values in one column"]


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.name)
def test_a_contract_note_in_any_language_gives_its_one_trade(note):
    extraction = extract(typed(note.text))

    (trade,) = extraction.trades
    told = (trade.direction, str(trade.trade_date), plain(trade.quantity), str(trade.net), trade.currency)
    assert (note.direction, note.trade_date, note.quantity, note.net, note.currency) == told
    assert note.isin == trade.isin
    assert "contract_note" == extraction.type


def test_every_field_says_where_it_stands():
    extraction = extract(typed(PLAIN.text))

    net = extraction.fields["net"]
    line = PLAIN.text.split("\n").index("Endbetrag zu Ihren Lasten EUR 1.697,05")
    assert (1, Decimal("1697.05")) == (net.page, net.value)
    assert (line * 12.0, (line + 1) * 12.0) == (net.box[1], net.box[3])


def test_quantity_times_price_is_gross_even_for_a_bond():
    (trade,) = extract(typed(BY_NAME["German bond in percent with accrued interest"].text)).trades

    assert trade.gross == trade.quantity * trade.price


def test_charges_are_told_apart():
    (trade,) = extract(typed(BY_NAME["German, sale with taxes and a foreign currency"].text)).trades

    assert (Decimal("22.66"), Decimal("323.22")) == (trade.fees, trade.taxes)


def test_a_dividend_is_not_a_trade():
    extraction = extract(typed(DIVIDEND))

    assert ("other", (), False) == (extraction.type, extraction.trades, extraction.auto_confirm)
    assert "dividend" in extraction.because


def test_a_statement_gives_every_trade_and_goes_to_a_person():
    extraction = extract(typed(STATEMENT))

    told = [(trade.direction, plain(trade.quantity), str(trade.net), trade.isin) for trade in extraction.trades]
    assert [
        ("BUY", "5", "1094.00", "DE0008404005"),
        ("SELL", "40", "2082.00", "DE000BASF111"),
        ("BUY", "20", "1169.00", "DE000BAY0017"),
    ] == told
    assert ("activity_statement", False) == (extraction.type, extraction.auto_confirm)
    assert "2.net" in extraction.fields


def test_a_note_whose_sums_agree_may_go_unattended_and_says_why():
    extraction = extract(typed(PLAIN.text))

    assert extraction.auto_confirm
    assert "15 × 112.34 = 1685.1" in extraction.because


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        ("DE0007164600", "DE0007164601", "check digit"),
        ("EUR 1.697,05", "EUR 1.797,05", "does not follow"),
        ("Kurswert EUR 1.685,10", "Kurswert EUR 1.585,10", "do not multiply"),
        ("Valuta 15.03.2023", "Valuta 15.04.2023", "days after the trade"),
        ("Ausführungstag / -zeit 13.03.2023 um 10:15:22 Uhr", "Stichtag 13.03.2023", "calls none the trade day"),
        ("Handelsplatzgebühr EUR 2,05", "Handelsplatzgebühr EUR 3,05\nRabatt EUR -1,00", "A rebate of 1.00"),
        ("Kauf\n", "Kauf\nTilgung\n", "bought or sold"),
    ],
)
def test_a_note_that_does_not_agree_with_itself_goes_to_a_person(old, new, because):
    extraction = extract(typed(PLAIN.text.replace(old, new)))

    assert not extraction.auto_confirm
    assert because in extraction.because


def test_what_was_recognised_from_an_image_or_carries_a_script_goes_to_a_person():
    text = typed(PLAIN.text)

    assert not extract(replace(text, source="ocr")).auto_confirm
    assert not extract(replace(text, scripted=True)).auto_confirm


def test_an_empty_page_is_nothing():
    assert ("other", ()) == (extract(typed("")).type, extract(typed("")).trades)


def test_a_letter_is_neither_trade_nor_invoice():
    extraction = extract(typed("Dear Sir,\nthank you for your letter of 3 May 2023.\nKind regards"))

    assert ("other", None) == (extraction.type, extraction.invoice)


def test_the_json_has_the_promised_shape():
    told = json.loads(json.dumps(extract(typed(PLAIN.text)).as_json()))

    assert {"type", "trades", "invoice", "auto_confirm", "because", "fields", "entries"} == set(told)
    (trade,) = told["trades"]
    assert {
        "direction", "trade_date", "settlement_date", "quantity", "isin", "ticker", "name", "price", "currency",
        "gross", "fees", "taxes", "net", "confidence",
    } == set(trade)  # fmt: skip
    assert ("15", "112.34", "1697.05", "2023-03-13", "2023-03-15") == (
        trade["quantity"], trade["price"], trade["net"], trade["trade_date"], trade["settlement_date"],
    )  # fmt: skip
    assert {"value", "confidence", "page", "box"} == set(told["fields"]["net"])


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Decimal("1000"), "1000"), (Decimal("1E+3"), "1000"), (Decimal("12.500"), "12.5"), (Decimal("0.00"), "0"),
        (Decimal("-0.0"), "0"), (date(2023, 5, 1), "2023-05-01"), ("BUY", "BUY"), (None, None),
    ],
)  # fmt: skip
def test_numbers_are_plain_and_dates_iso(value, expected):
    assert expected == plain(value)


def test_a_field_shows_its_value_confidence_and_place():
    shown = Field(Decimal("12.50"), 0.98765, 2, (1.04, 2.0, 3.0, 4.0)).as_json()

    assert {"value": "12.5", "confidence": 0.9877, "page": 2, "box": [1.0, 2.0, 3.0, 4.0]} == shown


def test_a_thousand_lines_are_read_without_a_cut():
    rows = "\n".join(
        f"{day:02d}-02-2023 09:04 ALLIANZ SE DE0008404005 {n} 10,00 EUR -{n}0,00 EUR -2,00 EUR -{n}2,00 EUR"
        for n in range(2, 250)
        for day in (1 + n % 28,)
    )
    header = "Transaction history\nDate Time Product ISIN Quantity Price Value Fee Total\n"

    extraction = extract(typed(header + rows))

    assert 248 == len(extraction.trades)
    assert Decimal("2492.00") == extraction.trades[-1].net


@pytest.mark.parametrize(
    "line",
    [
        "Stück 15 SAP SE INHABER-AKTIEN DE0007164600 (716460)",
        "ISIN: DE0007164600 SAP SE INHABER-AKTIEN",
        "Bezeichnung: SAP SE INHABER-AKTIEN\nISIN DE0007164600 Kurs",
    ],
)
def test_a_security_is_called_by_its_name_alone(line):
    text = (
        f"Wertpapierabrechnung Kauf\n{line}\nStück 15\nKurs 112,34 EUR\nKurswert 1.685,10 EUR\nEndbetrag 1.685,10 EUR\n"
    )

    (trade,) = extract(typed(f"{text}Schlusstag 13.03.2023\n")).trades

    assert "SAP SE INHABER-AKTIEN" == trade.name


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.isin)
def test_every_value_that_is_printed_has_its_place(note):
    found = extract(typed(note.text))

    for number, trade in enumerate(found.trades, 1):
        for name in Trade.NAMES:
            value = getattr(trade, name)
            if value is None or (name in ("fees", "taxes") and not value):
                continue  # what is not charged stands nowhere
            field = found.fields[name if len(found.trades) == 1 else f"{number}.{name}"]
            assert (field.value, True) == (value, bool(field.page and field.box)), name
