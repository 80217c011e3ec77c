"""What corrections teach, document after document: only what several agree on, and nothing that one contradicts."""

from __future__ import annotations

from datetime import timedelta
from decimal import Decimal
from uuid import UUID

import pytest

from postroom.rooms.documents import commands
from postroom.rooms.documents.store import reviews as keeping
from postroom_simulators.papers.paper import PaperSheet
from rooms.documents.dealing import BROKER, FAILED, as_it_is

ODD = {"grumbling wobble": "net"}
SLIP = {"settlement_date": "2026-11-16"}
NETS = ("18762.35", "18764.10", "18766.20", "18768.45", "18770.05")


def odd_note(net: str, number: int) -> bytes:
    """A broker with a word of its own for the money moved."""
    sheet = PaperSheet(title="Contract note", author="Oddfellow")
    lines = [
        "Contract note",
        f"Reference {number}",
        "We have bought for your account",
        "Shares 100 Apple Inc. ISIN US0378331005",
        f"Trade date {1 + number % 28:02}.02.2026",
        "Price USD 187.50",
        "Market value USD 18750.00",
        f"Grumbling wobble USD {net}",
    ]
    for at, line in enumerate(lines):
        sheet.text(20, 30 + 8 * at, line)
    return sheet.finish()


def odd_paper(*lines: str) -> bytes:
    sheet = PaperSheet(title=lines[1], author="Oddfellow")
    for at, line in enumerate(lines):
        sheet.text(20, 30 + 8 * at, line)
    return sheet.finish()


def odd_bill(number: str) -> bytes:
    return odd_paper(
        "Oddfellow Ltd", "Invoice", f"Grumbling wobble {number}", "Invoice date 04.02.2026", "Advice 100.00 EUR",
        "Subtotal 100.00 EUR", "VAT 20 % 20.00 EUR", "Total 120.00 EUR", "IBAN DE89 3704 0044 0532 0130 00",
    )  # fmt: skip


def odd_dividend(paid_on: str) -> bytes:
    return odd_paper(
        "Oddfellow Ltd", "Dividend advice", "SAP SE ISIN DE0007164600", "Holding 20", "Dividend per share 2.00 EUR",
        "Gross amount 40.00 EUR", "Net amount 40.00 EUR", "Value date 12.05.2026", f"Grumbling wobble {paid_on}",
    )  # fmt: skip


def plain_note(number: int) -> bytes:
    gross = number * 100
    return odd_paper(
        "Contract note", "We have bought for you", "ISIN DE0007164600 SAP SE", f"Quantity {number}", "Price 100.00 EUR",
        f"Gross amount {gross:,}.00 EUR", "Commission 5.00 EUR", f"Total amount {gross + 5:,}.00 EUR",
        "Trade date 16/11/2026", "Settlement date 18/11/2026",
    )  # fmt: skip


async def comes(desk, content, **about):
    """A paper of the sender, read and routed, a while after the one before."""
    desk.now += timedelta(hours=1)
    await desk.receives((f"{desk.counter}.pdf", content), **about)
    await desk.works()
    ((document,),) = desk.own("SELECT id FROM postroom.document ORDER BY id DESC LIMIT 1")
    return document


async def is_checked(desk, document, changes=None):
    """A person corrects and confirms it."""
    desk.now += timedelta(minutes=1)
    if changes:
        await commands.correct(desk.scope(), document, changes)
    await commands.confirm(desk.scope(), document, reason="Checked.")
    await desk.works()


async def two_agree(desk):
    for number, net in enumerate(NETS[:2]):
        document = await comes(desk, odd_note(net, number))
        await is_checked(desk, document, {"net": net})
    return document


async def learnt(desk):
    return {each.sender_email: each for each in await commands.learnt_profiles(desk.scope())}.get(BROKER)


async def read_as(desk, document, name="net"):
    return getattr((await commands.get_document(desk.scope(), document)).trades[0], name)


async def test_the_next_document_is_read_with_what_two_corrected_ones_agree_on(desk):
    first = await comes(desk, odd_note(NETS[0], 0))
    await commands.correct(desk.scope(), first, {"net": "1"})
    await is_checked(desk, first, {"net": NETS[0]})
    known = await learnt(desk)
    assert ({}, [], "grumbling wobble") == (
        known.labels,
        desk.facts("document.profile_learnt"),
        known.noticed[0].phrase,
    )

    second = await comes(desk, odd_note(NETS[1], 1))
    assert Decimal(NETS[1]) != await read_as(desk, second)
    await is_checked(desk, second, {"net": NETS[1]})
    third = await comes(desk, odd_note(NETS[2], 2))

    (told,) = desk.facts("document.profile_learnt")
    assert ODD == told["labels"] == dict((await learnt(desk)).labels)
    assert Decimal(NETS[2]) == await read_as(desk, third)
    after = desk.own("SELECT after FROM postroom.document_correction WHERE sender_email = %s ORDER BY id", BROKER)
    assert [("1",), (NETS[0],), ("18764.1",)] == after


async def test_what_only_pretends_to_be_a_sender_s_teaches_nothing_of_that_sender(desk):
    for number, net in enumerate(NETS[:3]):
        await is_checked(desk, await comes(desk, odd_note(net, number), verdict=FAILED), {"net": net})

    assert [("spoofed",)] == desk.own("SELECT DISTINCT trust FROM postroom.document")
    assert None is await learnt(desk)


@pytest.mark.parametrize(
    ("paper", "field", "values"),
    [
        (odd_bill, "number", ("OF-1/26", "OF-2/26", "OF-3/26")),
        (odd_dividend, "pay_date", ("2026-05-14", "2026-05-15", "2026-05-18")),
    ],
    ids=["invoice", "dividend"],
)
async def test_corrections_of_invoices_and_dividends_teach_too(desk, paper, field, values):
    printed = [value if field == "number" else ".".join(reversed(value.split("-"))) for value in values]
    for value, shown in zip(values[:2], printed, strict=False):
        await is_checked(desk, await comes(desk, paper(shown)), {field: value})

    third = await comes(desk, paper(printed[2]))

    (told,) = desk.facts("document.profile_learnt")
    assert "grumbling wobble" in told["labels"]
    held = await commands.get_document(desk.scope(), third)
    assert values[2] == (held.invoice.number if held.invoice else held.bookings[0].entry[field])


async def test_what_is_taken_back_is_unlearned(desk):
    second = await two_agree(desk)
    assert ODD == dict((await learnt(desk)).labels)

    await commands.take_back(desk.scope(), second)
    await desk.works()

    assert {} == desk.facts("document.profile_learnt")[-1]["labels"]
    known = await learnt(desk)
    assert ({}, 1) == (known.labels, known.noticed[0].documents)


async def test_the_next_documents_are_a_person_s_until_three_were_right_as_read(desk):
    await two_agree(desk)
    await desk.trusts()
    borne_out = []
    for number, net in enumerate(NETS[2:], start=2):
        document = await comes(desk, odd_note(net, number))
        assert "review" == desk.statuses()[-1]
        assert f"{number - 2} of 3 since were right as read." in desk.reasons()[-1]
        await is_checked(desk, document)
        borne_out.append((await learnt(desk)).borne_out)

    await comes(desk, odd_note("18772.25", 9))

    assert ([1, 2, 3], "confirmed") == (borne_out, desk.statuses()[-1])


async def test_a_corrected_document_bears_nothing_out(desk):
    await two_agree(desk)

    await is_checked(desk, await comes(desk, odd_note(NETS[2], 2)), {"name": "Apple"})

    assert (ODD, 0) == (dict((await learnt(desk)).labels), (await learnt(desk)).borne_out)


async def test_a_lesson_that_a_document_contradicts_is_dropped_at_once_and_that_is_told(desk):
    await two_agree(desk)
    misled = await comes(desk, odd_note("18771.00", 7))
    assert Decimal("18771.00") == await read_as(desk, misled)

    await commands.correct(desk.scope(), misled, {"net": "18750.00"})
    await desk.works()

    known = await learnt(desk)
    assert ({}, [misled]) == (known.labels, [UUID(one.document) for one in known.dropped])
    (told,) = desk.facts("document.lesson_dropped")
    assert ("grumbling wobble", "net") == (told["phrase"], told["field"])
    assert "“grumbling wobble” is net. This document says otherwise" in told["because"]


async def test_one_slip_turns_no_later_note_and_nothing_wrong_is_ever_booked_by_it(desk):
    """A person once writes the trade day where the settlement day is printed."""
    desk.outside.reader.change = as_it_is
    await is_checked(desk, await comes(desk, plain_note(41)), SLIP)
    await desk.trusts()
    assert ({}, 1) == ((known := await learnt(desk)).labels, known.noticed[0].documents)

    read = []
    for number in (42, 43, 44):
        document = await comes(desk, plain_note(number))
        read.append(str(await read_as(desk, document, "settlement_date")))
        if desk.statuses()[-1] == "review":
            await is_checked(desk, document)

    assert ["2026-11-18"] * 3 == read
    assert None is await learnt(desk)
    last = await comes(desk, plain_note(45))
    assert ("confirmed", "2026-11-18") == (desk.statuses()[-1], str(await read_as(desk, last, "settlement_date")))
    assert [] == desk.facts("document.profile_learnt")


async def test_a_lesson_taught_by_slips_ends_with_the_first_note_that_is_corrected_back(desk):
    for number in (41, 42, 43):
        await is_checked(desk, await comes(desk, plain_note(number)), SLIP)
    assert {"trade date": "settlement_date"} == dict((await learnt(desk)).labels)

    turned = await comes(desk, plain_note(44))
    assert "2026-11-16" == str(await read_as(desk, turned, "settlement_date"))
    await is_checked(desk, turned, {"settlement_date": "2026-11-18"})

    known = await learnt(desk)
    assert ({}, 0, ["trade date"]) == (known.labels, known.borne_out, [one.phrase for one in known.dropped])
    assert "2026-11-18" == str(await read_as(desk, await comes(desk, plain_note(45)), "settlement_date"))


async def test_what_was_forgotten_is_read_with_no_more(desk):
    await two_agree(desk)

    await commands.forget_profile(desk.scope(), BROKER)

    assert Decimal(NETS[2]) != await read_as(desk, await comes(desk, odd_note(NETS[2], 2)))
    async with desk.db.tenant(desk.tenant) as tx:
        assert None is await keeping.profile(tx, BROKER)
