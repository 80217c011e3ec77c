"""When the text of a mail is a document, and when it only speaks of one."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from postroom.nouns.documents import Booking, Explanation, Extraction, Invoice, InvoiceLine, Trade
from postroom.rooms.documents.rules.bodies import any_carries, is_document

DAY = date(2026, 2, 4)
TRADE = Trade("BUY", DAY, None, Decimal(100), "US0378331005", price=Decimal(10), currency="USD", net=Decimal(1010))
BILL = Invoice("KC-1", DAY, currency="GBP", net_total=Decimal(480), grand_total=Decimal(576))


def of(*trades: Trade) -> Extraction:
    return Extraction("activity_statement" if len(trades) > 1 else "contract_note", trades)


def bill(**changes: object) -> Extraction:
    return Extraction("invoice", invoice=replace(BILL, **changes))


def paid(*objections: str) -> Extraction:
    told = Booking("dividend", {"net": Decimal(30)}, explanation=Explanation(objections=objections))
    return Extraction("other", (told,))


ARE = {
    "a dividend whose sums hold": paid(),
    "a whole trade": of(TRADE),
    "several": of(TRADE, TRADE),
    "a trade known by its name": of(replace(TRADE, isin=None, name="Apple Inc.")),
    "a whole bill": bill(),
    "a bill that is only due": bill(issue_date=None, due_date=DAY),
    "a bill of lines": bill(net_total=None, lines=(InvoiceLine("Cleaning", total=Decimal(576)),)),
}
ARE_NOT = {
    "a dividend that does not add up": paid("Holding and rate do not multiply to a printed amount."),
    "nothing": Extraction("other"),
    **{f"a trade without {name}": of(replace(TRADE, **{name: None})) for name in (
        "direction", "trade_date", "quantity", "isin", "price", "currency", "net")},
    "several, one of them not whole": of(TRADE, replace(TRADE, net=None)),
    "a note without a trade": of(),
    **{f"a bill without {name}": bill(**{name: None}) for name in (
        "number", "issue_date", "currency", "grand_total", "net_total")},
}  # fmt: skip


@pytest.mark.parametrize("read", ARE.values(), ids=ARE)
def test_what_is_whole_is_a_document(read):
    assert is_document(read)


@pytest.mark.parametrize("read", ARE_NOT.values(), ids=ARE_NOT)
def test_what_lacks_something_is_a_letter(read):
    assert not is_document(read)


@pytest.mark.parametrize(
    ("files", "carried"),
    [
        ([], False),
        ([("terms.pdf", "other", "read", None)], False),
        ([("terms.pdf", "other", "skipped", None)], False),
        ([("terms.pdf", "other", "read", None), ("note.pdf", "contract_note", "read", None)], True),
        ([("locked.pdf", "other", "failed", None)], True),
        ([("note.pdf", "invoice", "duplicate", None)], True),
        ([("mail text", "contract_note", "review", None)], False),
        ([("dividend.pdf", "other", "review", "dividend")], True),
        ([("mail text", "other", "review", "dividend")], False),
    ],
)
def test_a_file_that_is_the_document_or_may_be_it_speaks_for_the_mail(files, carried):
    assert carried is any_carries(files)
