"""What is older than the tenant wants it kept is forgotten; what was booked, told, or waits for a person is not."""

from __future__ import annotations

from datetime import timedelta

import pytest

from postroom.nouns.archive_keys import import_key
from postroom.nouns.errors import NotFound, Unavailable
from postroom.nouns.providers import ProviderRef
from postroom.nouns.retention import KEPT, Retention
from postroom.rooms.documents import commands
from postroom.rooms.retention import jobs as retention_jobs
from postroom.rooms.retention.jobs import ForgetOld
from postroom.rooms.tenants import commands as tenants
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY, FAILED

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")
OTHER = NOTES["thornbury"](DAY, 2, direction="SELL")


async def keeps(desk, **days):
    await tenants.change_retention(desk.scope(), Retention(**days))


async def forgets(desk, days=40):
    """The night comes, so many days later."""
    desk.now += timedelta(days=days)
    scope = desk.scope("postroom")
    async with scope.finish() as tx:
        await scope.enqueue(tx, ForgetOld())
    await desk.works()


async def booked(desk, paper=NOTE):
    await desk.trusts()
    await desk.places_order(paper)
    message_id = await desk.receives(("Contract_Note.pdf", paper.pdf))
    await desk.works()
    assert "confirmed" in desk.statuses(), desk.reasons()
    return message_id


def told(desk):
    return [(fact["what"], fact["count"]) for fact in desk.facts("tenant.forgotten")]


async def test_nothing_is_forgotten_unless_the_tenant_says_so(desk):
    await booked(desk)

    await forgets(desk, days=4000)

    assert [] == told(desk)
    assert [(True, True)] == desk.own("SELECT body IS NOT NULL, subject IS NOT NULL FROM postroom.message")


async def test_what_a_mail_says_is_forgotten_and_that_it_came_is_not(desk):
    message_id = await booked(desk)
    await keeps(desk, messages=30)

    await forgets(desk)

    assert [("messages", 1)] == told(desk)
    assert [(None, None, None, "settlements@thornburyvale.example", "arrived")] == desk.own(
        "SELECT subject, body, snippet, sender_email, state FROM postroom.message"
    )
    assert "processed" == desk.dispositions(message_id)["pad_contract_notes"]
    await forgets(desk)
    assert [("messages", 1)] == told(desk)


async def test_what_came_lately_is_kept(desk):
    await booked(desk)
    await keeps(desk, **dict.fromkeys(KEPT, 30))

    await forgets(desk, days=29)

    assert [] == told(desk)
    assert 1 == len(desk.archived())


async def test_what_waits_for_a_person_is_kept_however_old(desk):
    await desk.trusts()
    await desk.receives(("Contract_Note.pdf", NOTE.pdf), verdict=FAILED)
    await desk.works()
    assert ["review"] == desk.statuses()
    await keeps(desk, **dict.fromkeys(KEPT, 30))

    await forgets(desk, days=4000)

    assert [] == told(desk)
    assert [(True, True)] == desk.own(
        "SELECT m.body IS NOT NULL, d.extraction IS NOT NULL FROM postroom.message m JOIN postroom.document d ON true"
    )
    await commands.reject(desk.scope(), desk.only_document(), "A forgery.")
    await forgets(desk, days=1)
    assert {("messages", 1), ("documents", 1), ("archive", 1)} == set(told(desk))


async def test_what_was_booked_of_a_forgotten_document_stays_with_its_provenance(desk):
    await booked(desk)
    before = desk.own("SELECT id, document_id, isin, net, trade_key, order_id, fields FROM postroom.trade")
    facts = desk.own("SELECT count(*) FROM postroom.fact WHERE kind LIKE 'document.%%' OR kind LIKE 'trade.%%'")
    await keeps(desk, documents=30)

    await forgets(desk)

    assert [("documents", 1)] == told(desk)
    assert [(None, False)] == desk.own("SELECT extraction, source_metadata ? 'subject' FROM postroom.document")
    assert before == desk.own("SELECT id, document_id, isin, net, trade_key, order_id, fields FROM postroom.trade")
    assert facts == desk.own("SELECT count(*) FROM postroom.fact WHERE kind LIKE 'document.%%' OR kind LIKE 'trade.%%'")


async def test_a_note_that_comes_again_is_still_known_after_its_original_was_forgotten(desk):
    await booked(desk)
    await keeps(desk, documents=30, archive=30, messages=30)
    await forgets(desk)
    assert [] == desk.archived()

    await desk.receives(("again.pdf", NOTE.pdf))
    await desk.works()

    assert ["confirmed", "duplicate"] == desk.statuses()
    assert ["confirmed"] == desk.trades()
    with pytest.raises(NotFound, match="was kept till"):
        await commands.original(
            desk.scope(), desk.outside, desk.own("SELECT min(id::text)::uuid FROM postroom.document")[0][0]
        )


async def test_an_original_that_a_younger_document_shares_stays_in_the_archive(desk):
    await booked(desk)
    await keeps(desk, archive=30)
    desk.now += timedelta(days=25)
    await desk.receives(("again.pdf", NOTE.pdf))
    await desk.works()

    await forgets(desk, days=10)
    assert 1 == len(desk.archived())

    await forgets(desk, days=30)
    assert [] == desk.archived()
    assert [("archive", 1)] == told(desk)


async def test_fetched_files_are_removed_after_their_time(desk):
    content = b"Minutes.\n" * 30
    message_id = await desk.receives(("minutes.txt", content), kind="text/plain")
    await desk.works()
    sha256 = desk.own("SELECT attachments -> 0 ->> 'sha256' FROM postroom.message")[0][0]
    await commands.fetch_attachment(desk.scope(), desk.outside, message_id, sha256)
    await keeps(desk, attachments=30)

    await forgets(desk)

    assert [("attachments", 1)] == told(desk)
    assert [] == [key async for key in desk.outside.archive.beneath("attachments")]
    assert content == (await commands.fetch_attachment(desk.scope(), desk.outside, message_id, sha256)).content


async def test_an_imported_mail_is_removed_with_what_it_says(desk):
    await booked(desk)
    desk.own("UPDATE postroom.mailbox SET provider = 'files'")
    key = import_key(desk.tenant, ProviderRef(desk.received[0]))
    await desk.outside.archive.put_if_absent(key, b"raw", {}, "message/rfc822")
    await keeps(desk, messages=30)

    await forgets(desk)

    assert not await desk.outside.archive.exists(key)


async def test_much_is_forgotten_in_small_batches(desk, monkeypatch):
    monkeypatch.setattr(retention_jobs, "BATCH", 2)
    for paper in (NOTE, OTHER):
        await desk.receives(("Contract_Note.pdf", paper.pdf))
    for number in range(3):
        await desk.receives((f"{number}.txt", b"words " * 50), kind="text/plain")
    await desk.works()
    for each in desk.own("SELECT id FROM postroom.document WHERE status = 'review'"):
        await commands.reject(desk.scope(), each[0], "Not ours.")
    await keeps(desk, messages=30)

    await forgets(desk)

    assert [("messages", 2), ("messages", 2), ("messages", 1)] == told(desk)


async def test_an_archive_that_is_away_leaves_a_note_and_the_file_is_removed_later(desk, monkeypatch):
    await booked(desk)
    await keeps(desk, archive=30)

    async def away(key):
        raise Unavailable(f"{key} cannot be reached.")

    with monkeypatch.context() as broken:
        broken.setattr(desk.outside.archive, "remove", away)
        await forgets(desk)
        assert 1 == len(desk.archived())
        assert 1 == len(desk.own("SELECT blob_key FROM postroom.unwanted_blob"))

    desk.own("UPDATE postroom.job SET run_at = '-infinity', not_before = '-infinity'")  # the time of its retry comes
    await desk.works()
    assert [] == desk.archived() == desk.own("SELECT blob_key FROM postroom.unwanted_blob")
    assert [("archive", 1)] == told(desk)
