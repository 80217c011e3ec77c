"""What a person may write into a field, orders in files, and uploads."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import Booking, Explanation, Field, Invoice, PrintedAmount, Trade
from postroom.nouns.errors import BadRequest
from postroom.reading.unbookable import unbookable_trade
from postroom.rooms.documents.rules.checks import (
    corrected_booking,
    corrected_invoice,
    corrected_trade,
    doubts_of_invoice,
    doubts_of_trade,
)
from postroom.rooms.documents.rules.mail import Outcome, dispose, source_of
from postroom.rooms.documents.rules.order_files import read_orders
from postroom.rooms.documents.rules.uploads import accepted

TRADE = Trade(
    direction="BUY",
    trade_date=date(2026, 2, 4),
    settlement_date=date(2026, 2, 6),
    quantity=Decimal(100),
    price=Decimal("187.50"),
    gross=Decimal("18750.00"),
    fees=Decimal("10.00"),
    net=Decimal("18760.00"),
    currency="USD",
    fields={"net": Field(Decimal("18760.00"), 0.7, 1, (1.0, 2.0, 3.0, 4.0))},
)


def test_a_persons_word_is_certain_and_stands_where_the_old_value_stood():
    after = corrected_trade(TRADE, {"net": "18770.00", "isin": " us0378331005 ", "direction": "sell", "name": ""})

    assert (Decimal("18770.00"), "US0378331005", "SELL", None) == (after.net, after.isin, after.direction, after.name)
    assert Field(Decimal("18770.00"), 1.0, 1, (1.0, 2.0, 3.0, 4.0), "A person said so.") == after.fields["net"]


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({}, "Say which field"),
        ({"colour": "red"}, "A trade has no field 'colour'"),
        ({"net": "18.760,00"}, "write it as 1234.56"),
        ({"net": "NaN"}, "not a number"),
        ({"net": "1e99"}, "not a number"),
        ({"trade_date": "04.02.2026"}, "write it as 2026-02-04"),
        ({"trade_date": "9999-12-31"}, "9999-12-31 is not between 1970 and 2100"),
        ({"isin": "US0378331006"}, "the last is a check digit"),
        ({"direction": "HOLD"}, "neither BUY nor SELL"),
        ({"currency": "Euro"}, "three letters"),
        ({"quantity": "-60"}, "The quantity must be greater than 0, and -60 is not. .* said by the direction"),
        ({"quantity": "0.00"}, "must be greater than 0"),
        ({"price": "-1"}, "The price of a trade is never negative"),
        ({"net": "-18760"}, "The net of a trade is never negative"),
        ({"name": "x" * 501}, "name: 501 letters are too many; it may have 500"),
    ],
)
def test_what_cannot_be_is_refused_with_what_to_do(changes, because):
    with pytest.raises(BadRequest, match=because):
        corrected_trade(TRADE, changes)


@pytest.mark.parametrize(
    ("changes", "doubts"),
    [
        ({"net": "18760.00"}, []),
        ({"price": "18750"}, []),  # pence
        ({"net": "18761.00"}, ["18750 plus 10 of charges is not 18761."]),
        ({"direction": "SELL"}, ["18750 minus 10 of charges is not 18760."]),
        ({"quantity": "90"}, ["90 × 187.5 is 16875, not 18750."]),
        ({"settlement_date": "2026-02-01"}, ["It settles on 2026-02-01, before it was traded on 2026-02-04."]),
    ],
)
def test_what_does_not_add_up_is_told(changes, doubts):
    assert doubts == doubts_of_trade(corrected_trade(TRADE, changes))


def test_interest_and_another_currency_are_no_doubts():
    bond = replace(
        TRADE, gross=Decimal("9715.00"), price=Decimal("97.15"), fees=Decimal("48.58"), net=Decimal("9794.91")
    )
    told = PrintedAmount("accrued", Decimal("31.33"))
    assert ["9715 plus 48.58 of charges is not 9794.91."] == doubts_of_trade(bond)
    assert [] == doubts_of_trade(replace(bond, explanation=Explanation(used=(told,))))

    sold = replace(TRADE, net=Decimal("17200.11"))
    rate = PrintedAmount("fx", Decimal("1.0901"))
    assert [] == doubts_of_trade(replace(sold, explanation=Explanation(used=(rate,))))


def test_what_was_read_wrongly_elsewhere_keeps_no_other_correction_out():
    read = replace(TRADE, quantity=Decimal(-60))

    assert ("ACME", Decimal(-60)) == ((after := corrected_trade(read, {"name": "ACME"})).name, after.quantity)


def test_charges_may_have_been_paid_back_and_a_worthless_paper_expires_for_nothing():
    after = corrected_trade(TRADE, {"fees": "-2.50", "price": "0", "net": "0", "ticker": "ACM"})

    assert "" == unbookable_trade(after)


def test_the_holding_of_a_dividend_is_checked_likewise():
    dividend = Booking("dividend", {"quantity": Decimal(5), "net": Decimal(3)})

    with pytest.raises(BadRequest, match="must be greater than 0, and -5 is not"):
        corrected_booking(dividend, {"quantity": "-5"})
    assert Decimal(-3) == corrected_booking(dividend, {"net": "-3"}).values["net"]  # it was taken back


def test_an_invoice_is_checked_likewise():
    invoice = Invoice("7", date(2026, 2, 4), grand_total=Decimal(119), net_total=Decimal(100), tax_total=Decimal(19))

    assert [] == doubts_of_invoice(invoice)
    assert 2 == len(doubts_of_invoice(corrected_invoice(invoice, {"grand_total": "120", "due_date": "2026-01-01"})))
    with pytest.raises(BadRequest, match="no IBAN"):
        corrected_invoice(invoice, {"iban": "DE00123"})


GOOD = b"user;side;qty;date;ISIN;limit\nldeburna;buy;100;2026-02-04;US0378331005;187.50\n"


def test_orders_are_read_by_the_names_of_their_columns():
    (order,) = read_orders(GOOD).orders

    assert ("ldeburna", "BUY", Decimal(100), Decimal("187.50")) == (
        order.username,
        order.direction,
        order.quantity,
        order.limit_price,
    )
    assert "ldeburna-20260204-US0378331005-BUY-100" == order.external_id


@pytest.mark.parametrize(
    ("line", "because"),
    [
        (b";buy;100;2026-02-04;US0378331005;", "username is missing"),
        (b"a;hold;100;2026-02-04;US0378331005;", "neither BUY nor SELL"),
        (b"a;buy;-1;2026-02-04;US0378331005;", "not a positive number"),
        (b"a;buy;x;2026-02-04;US0378331005;", "not a positive number"),
        (b"a;buy;1;4.2.2026;US0378331005;", "not a day"),
        (b"a;buy;1;2026-02-04;US0378331000;", "check digit"),
        (b"a;buy;1;2026-02-04;;", "One of isin, ticker and name"),
        (b"ldeburna;buy;100;2026-02-04;US0378331005;187.50", "stands in the file twice"),
        (b"a;buy", "quantity is missing"),
    ],
)
def test_a_bad_line_is_named_with_its_number_and_reason(line, because):
    file = read_orders(GOOD + b"\n" + line + b"\n")

    assert 1 == len(file.orders)
    assert [4] == [bad.line for bad in file.bad]
    assert because in file.bad[0].because


@pytest.mark.parametrize("content", [b"", b"\x00\xff\xfe", b"isin,qty\nUS0378331005,1\n"])
def test_a_file_without_the_right_columns_is_refused(content):
    with pytest.raises(BadRequest, match="must name the columns"):
        read_orders(content)


@pytest.mark.parametrize(
    ("content", "because"),
    [
        (b"", "empty"),
        (b"MZ" + bytes(100), "not a document we read"),
        (b"GIF89a" + bytes(2000), "Too small a picture"),
        (b"PK\x03\x04" + bytes(2000), "hand in what is in it"),
        (b"%PDF-1.4" + bytes(25 * 1024 * 1024), "over the limit"),
    ],
)
def test_what_is_no_document_is_not_taken(content, because):
    with pytest.raises(BadRequest, match=because):
        accepted(content, "x.pdf")


@pytest.mark.parametrize(
    "content",
    [
        b"GIF89a",
        b"\0\0\0\x18ftypheic",
        b"RIFF\0\0\0\0WEBP",
        b"7z\xbc\xaf\x27\x1c",
        b"Rar!\x1a\x07",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    ],
    ids=["gif", "heic", "webp", "7z", "rar", "OLE"],
)
def test_what_cannot_be_read_is_taken_as_from_mail_and_waits_for_a_person(content):
    assert accepted(content + bytes(20_000), "note").content_type != "application/octet-stream"


def test_an_upload_is_named_without_its_folders_and_typed_by_its_bytes():
    taken = accepted(b"%PDF-1.4 hello", "C:\\fakepath\\..\\note\u202e.exe")

    assert ("note.exe", "application/pdf") == (taken.filename, taken.content_type)


@pytest.mark.parametrize(
    ("provider", "how", "source"),
    [
        ("outlook", "push", "graph_webhook"),
        ("outlook", "hint", "graph_webhook"),
        ("gmail", "push", "gmail_push"),
        ("outlook", "poll", "poller"),
        ("imap", "push", "poller"),
        ("gmail", "backfill", "backfill"),
        ("outlook", "reconcile", "backfill"),
        ("files", "import", "files"),
    ],
)
def test_how_a_message_came_in_seed_as_words(provider, how, source):
    assert source == source_of(provider, how)


NOTE = Outcome("note.pdf", "contract_note", "confirmed", "Sure.", trades=1)
BROKEN = Outcome("broken.pdf", "other", "failed", "Damaged.")
OTHER = Outcome("menu.pdf", "other", "skipped", "Nothing.")


@pytest.mark.parametrize(
    ("outcomes", "dropped", "status", "rule"),
    [
        ([NOTE], [], "processed", None),
        ([NOTE, BROKEN], [], "processed", None),
        ([BROKEN], [], "failed", "unreadable"),
        ([OTHER], ["logo.png: A picture."], "filtered", "other_kind"),
        ([], ["logo.png: A picture."], "filtered", "attachment_rule"),
        ([], [], "filtered", "no_document"),
    ],
)
def test_every_message_gets_a_word_for_every_pipeline(outcomes, dropped, status, rule):
    verdict = dispose("pad_contract_notes", outcomes, dropped)

    assert (status, rule) == (verdict.status, verdict.rule)
    assert verdict.because
