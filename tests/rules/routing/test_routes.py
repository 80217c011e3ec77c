"""Where trades and invoices go: a table of cases, each with its reason."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal
from uuid import UUID, uuid4

import pytest

from postroom.nouns.documents import Extraction, Invoice, Trade
from postroom.nouns.mail import Trust
from postroom.rooms.documents.rules.orders import Matched, PendingOrder, Unmatched, match
from postroom.rooms.documents.rules.routes import (
    Confirm,
    Duplicate,
    Review,
    RoutingContext,
    Twin,
    document_verdict,
    route_invoice,
    route_trade,
)

DAY = date(2026, 2, 4)
TRADE = Trade(
    direction="BUY",
    trade_date=DAY,
    quantity=Decimal(100),
    isin="US0378331005",
    ticker="AAPL",
    name="Apple Inc.",
    price=Decimal("187.50"),
    currency="USD",
    net=Decimal("18760.00"),
    confidence=0.98,
)
INVOICE = Invoice(
    number="R-17",
    issue_date=DAY,
    supplier="Lieferant GmbH",
    grand_total=Decimal("119.00"),
    currency="EUR",
    confidence=1.0,
)
PRINTED = replace(INVOICE, confidence=0.93, iban="DE1")
KNOWN_ACCOUNT = RoutingContext(
    Trust("trusted", "DMARC passed."), sender_email="a@b.example", accounts=frozenset({"DE1"})
)
READ = Extraction(type="contract_note", trades=(TRADE,), auto_confirm=True, because="All fits.")
BILL = Extraction(type="invoice", invoice=INVOICE, auto_confirm=True)
TRUSTED = RoutingContext(Trust("trusted", "DMARC passed."))


def order(**changes: object) -> PendingOrder:
    plain = PendingOrder(
        id=UUID(int=1),
        external_id="O-1",
        username="ldeburna",
        isin="US0378331005",
        ticker=None,
        name=None,
        direction="BUY",
        quantity=Decimal(100),
        filled=Decimal(0),
        limit_price=None,
        currency=None,
        placed_on=DAY,
        status="open",
    )
    return replace(plain, **changes)


def twin(**changes: object) -> Twin:
    plain = Twin(UUID(int=7), UUID(int=8), "first.pdf", "confirmed", same_print=True, net=TRADE.net, received_on=DAY)
    return replace(plain, **changes)


def test_a_sure_reading_from_a_trusted_sender_with_its_order_is_confirmed():
    route = route_trade(TRADE, READ, TRUSTED, [], [order()])

    assert isinstance(route, Confirm)
    assert route.order is not None
    assert (
        "ldeburna's order O-1 has the same ISIN, side and quantity, and was placed on 2026-02-04."
        == route.order.because
    )


@pytest.mark.parametrize(
    ("trade", "extraction", "standing", "orders", "because"),
    [
        (TRADE, READ, RoutingContext(Trust("spoofed", "DMARC failed.")), [order()], "DMARC failed."),
        (TRADE, READ, RoutingContext(Trust("authenticated", "Not on the list.")), [order()], "Not on the list."),
        (TRADE, READ, replace(TRUSTED, doubts=("It carries a script.",)), [order()], "It carries a script."),
        (TRADE, replace(READ, auto_confirm=False, because="Unsure of net."), TRUSTED, [order()], "Unsure of net."),
        (TRADE, READ, replace(TRUSTED, sure_enough=0.99), [order()], "The reading is 98% sure; 99% is asked for here."),
        (
            replace(TRADE, confidence=0.9884),
            READ,
            replace(TRUSTED, sure_enough=0.99),
            [order()],
            "The reading is 98.8% sure; 99.0% is asked for here.",
        ),
        (
            TRADE,
            READ,
            replace(TRUSTED, sender_email="desk@bank.example", confirmed_since_learnt=2),
            [order()],
            "A correction told how desk@bank.example writes; 2 of 3 since were right as read.",
        ),
        (replace(TRADE, net=None), READ, TRUSTED, [order()], "Not found: net."),
        (
            replace(TRADE, quantity=Decimal(-100)),
            READ,
            TRUSTED,
            [order()],
            "The quantity must be greater than 0, and -100 is not. Whether it was bought or sold is said by the direction.",
        ),
        (TRADE, READ, TRUSTED, [], "No pending order is for US0378331005."),
        (
            TRADE,
            READ,
            TRUSTED,
            [order(quantity=Decimal(250))],
            "Only 100 of 250 of ldeburna's order O-1 were executed.",
        ),
        (
            TRADE,
            READ,
            TRUSTED,
            [order(limit_price=Decimal(180), currency="USD")],
            "The price 187.5 is beyond the limit 180 of ldeburna's order O-1.",
        ),
        (
            TRADE,
            READ,
            TRUSTED,
            [order(), order(id=uuid4(), external_id="O-2", username="kbrandt")],
            "It fits orders of ldeburna, kbrandt equally well.",
        ),
    ],
)
def test_any_doubt_about_a_trade_goes_to_a_person(trade, extraction, standing, orders, because):
    route = route_trade(trade, extraction, standing, [], orders)

    assert isinstance(route, Review)
    assert because == route.because


def test_the_same_print_is_a_duplicate_of_what_is_booked():
    route = route_trade(TRADE, READ, TRUSTED, [twin()], [])

    assert Duplicate(UUID(int=7), "The same trade came with first.pdf of 2026-02-04.") == route


def test_the_same_print_while_another_order_waits_is_for_a_person():
    taken, waiting = order(), order(id=UUID(int=2), external_id="O-2", username="kbrandt")

    route = route_trade(TRADE, READ, TRUSTED, [twin(order_id=taken.id)], [taken, waiting])

    assert isinstance(route, Review)
    assert "kbrandt's order O-2 still waits for one like it" in route.because


def test_the_order_that_the_first_copy_was_linked_to_does_not_make_the_second_a_trade():
    route = route_trade(TRADE, READ, TRUSTED, [twin(status="review", order_id=order().id)], [order()])

    assert isinstance(route, Duplicate)


@pytest.mark.parametrize(
    ("known", "because"),
    [
        (twin(same_print=False, net=Decimal("18799.00")), "the amount is another"),
        (twin(status="rejected"), "was rejected"),
    ],
)
def test_what_looks_like_something_known_is_for_a_person(known, because):
    route = route_trade(TRADE, READ, TRUSTED, [known], [order()])

    assert isinstance(route, Review)
    assert because in route.because


def test_a_house_without_orders_needs_none():
    assert isinstance(route_trade(TRADE, READ, replace(TRUSTED, keeps_orders=False), [], []), Confirm)


@pytest.mark.parametrize(
    ("held", "because"),
    [
        (order(isin="DE0008404005"), "No pending order is for US0378331005."),
        (order(direction="SELL"), "is to SELL, not BUY"),
        (order(placed_on=date(2026, 2, 5)), "was placed on 2026-02-05, which does not fit 2026-02-04"),
        (order(placed_on=date(2025, 12, 1)), "was placed on 2025-12-01"),
        (order(quantity=Decimal(40)), "is for 40, but 100 were traded"),
        (order(quantity=Decimal(150), filled=Decimal(100)), "is for 50, but 100 were traded"),
    ],
)
def test_an_order_that_does_not_fit_says_why(held, because):
    found = match(TRADE, [held], None)

    assert isinstance(found, Unmatched)
    assert because in found.because


def test_the_senders_own_order_goes_first_and_then_the_oldest():
    mine = order(id=UUID(int=3), external_id="O-3", username="kbrandt")
    older = order(id=UUID(int=4), external_id="O-4", placed_on=date(2026, 2, 2))

    own = match(TRADE, [order(), mine], "kbrandt@larkspur.example")
    oldest = match(TRADE, [order(), older], None)

    assert isinstance(own, Matched)
    assert isinstance(oldest, Matched)
    assert (mine, older) == (own.order, oldest.order)
    assert "The mail came from kbrandt@larkspur.example." in own.because
    assert "It is the oldest of 2 that fit." in oldest.because


def test_a_match_by_name_alone_is_for_a_person():
    by_name = match(replace(TRADE, isin=None, ticker=None), [order(isin=None, name="APPLE INC")], None)

    assert isinstance(by_name, Matched)
    assert "by its name only" in by_name.doubt


@pytest.mark.parametrize(
    ("invoice", "standing", "known", "expected", "because"),
    [
        (INVOICE, TRUSTED, [], Confirm, "read with confidence"),
        (INVOICE, TRUSTED, [twin(supplier="LIEFERANT G.m.b.H.")], Duplicate, "The same invoice came with first.pdf"),
        (INVOICE, TRUSTED, [twin(supplier=None)], Duplicate, "The same invoice"),
        (INVOICE, TRUSTED, [twin(supplier="Nordlicht AG")], Review, "but the supplier is another"),
        (INVOICE, TRUSTED, [twin(same_print=False, supplier="Lieferant")], Review, "with another day or total"),
        (INVOICE, TRUSTED, [twin(same_print=False, supplier="Nordlicht AG")], Confirm, "read with confidence"),
        (INVOICE, TRUSTED, [twin(status="rejected", supplier="Lieferant")], Review, "was rejected"),
        (replace(INVOICE, grand_total=None), TRUSTED, [], Review, "Not found: grand total."),
        (replace(INVOICE, iban="DE1"), replace(TRUSTED, accounts=frozenset({"DE1"})), [], Confirm, "DMARC passed."),
        (
            replace(INVOICE, iban="DE2"),
            replace(TRUSTED, accounts=frozenset({"DE1"})),
            [],
            Review,
            "DE2 is a new bank account",
        ),
        (INVOICE, RoutingContext(Trust("unknown", "Nobody vouches.")), [], Review, "Nobody vouches."),
        (PRINTED, KNOWN_ACCOUNT, [], Confirm, "DMARC passed."),
        (PRINTED, replace(KNOWN_ACCOUNT, accounts=frozenset()), [], Review, "First invoice from a@b.example"),
        (
            PRINTED,
            replace(KNOWN_ACCOUNT, accounts=frozenset(), sender_email="person:anna@c.example"),
            [],
            Review,
            "First invoice from anna@c.example: check it once",
        ),
        (replace(PRINTED, iban=None), KNOWN_ACCOUNT, [], Review, "It names no account that we know of"),
    ],
)
def test_invoices(invoice, standing, known, expected, because):
    route = route_invoice(invoice, BILL, standing, known)

    assert isinstance(route, expected)
    assert because in route.because


def test_a_document_waits_as_long_as_anything_in_it_does():
    yes, no, again = Confirm("Sure."), Review("Unsure."), Duplicate(uuid4(), "Known.")

    assert ("review", "Of 3 trades: 1 confirmed, 1 for review, 1 known already. Unsure.") == document_verdict(
        [yes, no, again]
    )
    assert ("confirmed", "Of 2 trades: 1 confirmed, 0 for review, 1 known already. Sure.") == document_verdict(
        [yes, again]
    )
    assert ("duplicate", "Known.") == document_verdict([again])
