"""Mails whose text is the document: read once, shown, and never made out of a letter that only mentions a trade."""

from __future__ import annotations

import pytest

from postroom.rooms.documents import commands
from postroom_simulators.papers import NOTES, locked
from rooms.documents.dealing import DAY, as_it_is
from stories.documents.mail_texts import BILL, LETTERS, mail_of, note

DESK = "notes@larkspur.example"
HELD = "SELECT attachment_path, filename, content_type, kind, status FROM postroom.document ORDER BY id"


@pytest.fixture
def desk(desk):
    desk.outside.reader.change = as_it_is
    return desk


async def test_a_trade_in_the_text_of_a_mail_is_booked_like_any_other(desk):
    await desk.trusts()
    message = await desk.receives(raw=mail_of(DESK, "Trade confirmation", "See HTML.", note()).as_bytes())
    await desk.works()

    assert [("mail text", "Trade confirmation.html", "text/html", "contract_note", "confirmed")] == desk.own(HELD)
    assert [("US0378331005", 100, 15035)] == desk.own("SELECT isin, quantity, net FROM postroom.trade")
    assert {"pad_contract_notes": "processed", "ap_invoices": "filtered"} == desk.dispositions(message)
    assert desk.archived()[0].endswith("/Trade confirmation.html")


async def test_the_same_text_twice_is_one_document_and_the_same_trade_one_booking(desk):
    await desk.trusts()
    for text in ("See HTML.", "See HTML.", "Please look at the HTML version."):
        await desk.receives(raw=mail_of(DESK, "Trade confirmation", text, note()).as_bytes())
        await desk.works()
    reworded = note().replace("Dear client", "Dear friend")
    await desk.receives(raw=mail_of(DESK, "Again", "See HTML.", reworded).as_bytes())
    await desk.works()

    assert ["confirmed", "duplicate", "duplicate", "duplicate"] == desk.statuses()
    assert "The same file as Trade confirmation.html" in desk.reasons()[1]
    assert "The same trade came with Trade confirmation.html" in desk.reasons()[3]
    assert [(1,)] == desk.own("SELECT count(*) FROM postroom.trade WHERE status = 'confirmed'")


async def test_a_bill_written_as_text_waits_for_a_person_with_its_page(desk):
    message = await desk.receives(raw=mail_of(DESK, "Invoice KC-2026-118", BILL).as_bytes())
    await desk.works()

    assert [("mail text", "Invoice KC-2026-118.txt", "text/plain", "invoice", "review")] == desk.own(HELD)
    assert {"pad_contract_notes": "filtered", "ap_invoices": "processed"} == desk.dispositions(message)
    page = await commands.page_image(desk.scope(), desk.outside, desk.only_document())
    assert "image/svg+xml" == page.content_type
    assert b"KC-2026-118" in page.content


@pytest.mark.parametrize(("subject", "text"), LETTERS.values(), ids=LETTERS)
async def test_a_letter_that_only_speaks_of_one_stays_a_letter(desk, subject, text):
    message = await desk.receives(raw=mail_of(DESK, subject, text).as_bytes())
    await desk.works()

    assert [] == desk.own(HELD)
    assert {"filtered"} == set(desk.dispositions(message).values())


async def test_where_a_file_is_the_document_the_text_is_not(desk):
    await desk.trusts()
    mail = mail_of(DESK, "Trade confirmation", "See HTML.", note())
    mail.add_attachment(NOTES["hansekontor"](DAY, 1).pdf, "application", "pdf", filename="note.pdf")
    await desk.receives(raw=mail.as_bytes())
    await desk.works()

    assert ["note.pdf"] == [row[1] for row in desk.own(HELD)]


async def test_where_a_file_may_be_it_and_cannot_be_opened_the_text_waits_with_it(desk):
    mail = mail_of(DESK, "Trade confirmation", "See HTML.", note())
    shut = locked(NOTES["hansekontor"](DAY, 1), "larkspur").pdf
    mail.add_attachment(shut, "application", "pdf", filename="note.pdf")
    await desk.receives(raw=mail.as_bytes())
    await desk.works()

    assert [("note.pdf", "failed")] == [(row[1], row[4]) for row in desk.own(HELD)]


async def test_a_mailbox_that_reads_attachments_only_reads_no_text(desk):
    rules = '{"attachments_only": true}'
    desk.own("UPDATE postroom.mailbox SET rules = %s WHERE id = %s", rules, desk.mailbox)
    await desk.receives(raw=mail_of(DESK, "Trade confirmation", "See HTML.", note()).as_bytes())
    await desk.works()

    assert [] == desk.own(HELD)


async def test_a_mail_without_shape_is_not_even_fetched_again(desk):
    await desk.receives(raw=mail_of(DESK, "Lunch", "At noon?").as_bytes())
    await desk.works()

    assert [] == desk.outside.fetcher.fetched
