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


async def keeps(scope, **days):
    await tenants.change_retention(scope.teller(), Retention(**days))


async def forgets(scope, days=40):
    """The night comes, so many days later."""
    scope.now += timedelta(days=days)
    teller = scope.teller("postroom")
    async with teller.finish() as tx:
        await teller.enqueue(tx, ForgetOld())
    await scope.works()


async def booked(scope, paper=NOTE):
    await scope.trusts()
    await scope.places_order(paper)
    message_id = await scope.receives(("Contract_Note.pdf", paper.pdf))
    await scope.works()
    assert "confirmed" in scope.statuses(), scope.reasons()
    return message_id


def told(scope):
    return [(fact["what"], fact["count"]) for fact in scope.facts("tenant.forgotten")]


async def test_nothing_is_forgotten_unless_the_tenant_says_so(scope):
    await booked(scope)

    await forgets(scope, days=4000)

    assert [] == told(scope)
    assert [(True, True)] == scope.own("SELECT body IS NOT NULL, subject IS NOT NULL FROM postroom.message")


async def test_what_a_mail_says_is_forgotten_and_that_it_came_is_not(scope):
    message_id = await booked(scope)
    await keeps(scope, messages=30)

    await forgets(scope)

    assert [("messages", 1)] == told(scope)
    assert [(None, None, None, "settlements@thornburyvale.example", "arrived")] == scope.own(
        "SELECT subject, body, snippet, sender_email, state FROM postroom.message"
    )
    assert "processed" == scope.dispositions(message_id)["pad_contract_notes"]
    await forgets(scope)
    assert [("messages", 1)] == told(scope)


async def test_what_came_lately_is_kept(scope):
    await booked(scope)
    await keeps(scope, **dict.fromkeys(KEPT, 30))

    await forgets(scope, days=29)

    assert [] == told(scope)
    assert 1 == len(scope.archived())


async def test_what_waits_for_a_person_is_kept_however_old(scope):
    await scope.trusts()
    await scope.receives(("Contract_Note.pdf", NOTE.pdf), verdict=FAILED)
    await scope.works()
    assert ["review"] == scope.statuses()
    await keeps(scope, **dict.fromkeys(KEPT, 30))

    await forgets(scope, days=4000)

    assert [] == told(scope)
    assert [(True, True)] == scope.own(
        "SELECT m.body IS NOT NULL, d.extraction IS NOT NULL FROM postroom.message m JOIN postroom.document d ON true"
    )
    await commands.reject(scope.teller(), scope.only_document(), "A forgery.")
    await forgets(scope, days=1)
    assert {("messages", 1), ("documents", 1), ("archive", 1)} == set(told(scope))


async def test_what_was_booked_of_a_forgotten_document_stays_with_its_provenance(scope):
    await booked(scope)
    before = scope.own("SELECT id, document_id, isin, net, trade_key, order_id, fields FROM postroom.trade")
    facts = scope.own("SELECT count(*) FROM postroom.fact WHERE kind LIKE 'document.%%' OR kind LIKE 'trade.%%'")
    await keeps(scope, documents=30)

    await forgets(scope)

    assert [("documents", 1)] == told(scope)
    assert [(None, False)] == scope.own("SELECT extraction, source_metadata ? 'subject' FROM postroom.document")
    assert before == scope.own("SELECT id, document_id, isin, net, trade_key, order_id, fields FROM postroom.trade")
    assert facts == scope.own(
        "SELECT count(*) FROM postroom.fact WHERE kind LIKE 'document.%%' OR kind LIKE 'trade.%%'"
    )


async def test_a_note_that_comes_again_is_still_known_after_its_original_was_forgotten(scope):
    await booked(scope)
    await keeps(scope, documents=30, archive=30, messages=30)
    await forgets(scope)
    assert [] == scope.archived()

    await scope.receives(("again.pdf", NOTE.pdf))
    await scope.works()

    assert ["confirmed", "duplicate"] == scope.statuses()
    assert ["confirmed"] == scope.trades()
    with pytest.raises(NotFound, match="was kept till"):
        await commands.original(
            scope.teller(), scope.outside, scope.own("SELECT min(id::text)::uuid FROM postroom.document")[0][0]
        )


async def test_an_original_that_a_younger_document_shares_stays_in_the_archive(scope):
    await booked(scope)
    await keeps(scope, archive=30)
    scope.now += timedelta(days=25)
    await scope.receives(("again.pdf", NOTE.pdf))
    await scope.works()

    await forgets(scope, days=10)
    assert 1 == len(scope.archived())

    await forgets(scope, days=30)
    assert [] == scope.archived()
    assert [("archive", 1)] == told(scope)


async def test_fetched_files_are_removed_after_their_time(scope):
    content = b"Minutes.\n" * 30
    message_id = await scope.receives(("minutes.txt", content), kind="text/plain")
    await scope.works()
    sha256 = scope.own("SELECT attachments -> 0 ->> 'sha256' FROM postroom.message")[0][0]
    await commands.fetch_attachment(scope.teller(), scope.outside, message_id, sha256)
    await keeps(scope, attachments=30)

    await forgets(scope)

    assert [("attachments", 1)] == told(scope)
    assert [] == [key async for key in scope.outside.archive.beneath("attachments")]
    assert content == (await commands.fetch_attachment(scope.teller(), scope.outside, message_id, sha256)).content


async def test_an_imported_mail_is_removed_with_what_it_says(scope):
    await booked(scope)
    scope.own("UPDATE postroom.mailbox SET provider = 'files'")
    key = import_key(scope.tenant, ProviderRef(scope.received[0]))
    await scope.outside.archive.put_if_absent(key, b"raw", {}, "message/rfc822")
    await keeps(scope, messages=30)

    await forgets(scope)

    assert not await scope.outside.archive.exists(key)


async def test_much_is_forgotten_in_small_batches(scope, monkeypatch):
    monkeypatch.setattr(retention_jobs, "BATCH", 2)
    for paper in (NOTE, OTHER):
        await scope.receives(("Contract_Note.pdf", paper.pdf))
    for number in range(3):
        await scope.receives((f"{number}.txt", b"words " * 50), kind="text/plain")
    await scope.works()
    for each in scope.own("SELECT id FROM postroom.document WHERE status = 'review'"):
        await commands.reject(scope.teller(), each[0], "Not ours.")
    await keeps(scope, messages=30)

    await forgets(scope)

    assert [("messages", 2), ("messages", 2), ("messages", 1)] == told(scope)


async def test_an_archive_that_is_away_leaves_a_note_and_the_file_is_removed_later(scope, monkeypatch):
    await booked(scope)
    await keeps(scope, archive=30)

    async def away(key):
        raise Unavailable(f"{key} cannot be reached.")

    with monkeypatch.context() as broken:
        broken.setattr(scope.outside.archive, "remove", away)
        await forgets(scope)
        assert 1 == len(scope.archived())
        assert 1 == len(scope.own("SELECT blob_key FROM postroom.unwanted_blob"))

    scope.own("UPDATE postroom.job SET run_at = '-infinity', not_before = '-infinity'")  # the time of its retry comes
    await scope.works()
    assert [] == scope.archived() == scope.own("SELECT blob_key FROM postroom.unwanted_blob")
    assert [("archive", 1)] == told(scope)
