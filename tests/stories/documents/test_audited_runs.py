"""An auditor reads every run of a mail from the facts: what happened in which order, with every id."""

from __future__ import annotations

from postroom.rooms.documents import commands
from postroom.rooms.documents.store import documents
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")
OF_THE_RUN = "SELECT kind FROM postroom.fact WHERE run_id IS NOT NULL AND kind NOT LIKE 'mapping.%%' ORDER BY id"
WITHOUT_IDS = (
    "SELECT kind FROM postroom.fact WHERE (kind LIKE 'document.%%' OR kind LIKE 'trade.%%' OR kind LIKE 'mail.%%')"
    " AND kind NOT LIKE 'document.sender%%' AND (mailbox_id IS NULL OR thread_id IS NULL OR message_id IS NULL)"
)


async def test_a_run_that_worked_tells_every_step_in_order_with_all_ids(desk):
    await desk.trusts()
    await desk.places_order(NOTE)
    message = await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    await desk.works()

    told = [row[0] for row in desk.own(OF_THE_RUN)]
    assert [
        "mail.processing.enqueued",
        "mail.processing.started",
        "mail.processing.retrieval_completed",
        "mail.processing.ai_completed",
    ] == told[:4]
    assert "mail.processing.completed" == told[-1]
    assert {"document.read", "trade.confirmed", "document.routed", "document.message_sifted"} == set(told[4:-1])
    assert [] == desk.own(WITHOUT_IDS)
    (run,) = desk.own(
        "SELECT DISTINCT message_id, job_id IS NOT NULL, run_id IS NOT NULL, correlation_id IS NOT NULL,"
        " body ->> 'provider_message_id', body ->> 'provider_thread_id', body ->> 'stage'"
        " FROM postroom.fact WHERE kind LIKE 'mail.processing.%%'"
    )
    assert (message, True, True, True, desk.received[0], "AAQk-1", "documents") == run
    assert [("rules", 0)] == [(each["model"], each["answers"]) for each in desk.facts("mail.processing.ai_completed")]
    [searched] = desk.facts("mail.processing.retrieval_completed")
    assert (1, [str(desk.only_document())]) == (searched["searched"], searched["evidence_ids"])
    assert ["processed"] == [each["outcome"] for each in desk.facts("mail.processing.completed")]


async def test_a_mail_with_nothing_to_read_says_why_it_ended_without_a_document(desk):
    await desk.receives()

    await desk.works()

    assert [("filtered", "The mail has no document with it.")] == [
        (each["outcome"], each["because"]) for each in desk.facts("mail.processing.completed")
    ]


async def test_a_run_that_failed_tells_that_it_was_enqueued_and_started_and_why_it_failed(desk):
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    async def breaks(*_):
        raise RuntimeError("the archive burns")

    desk.outside.fetcher.fetch = breaks

    await desk.works()

    first = desk.own("SELECT min(run_id) FROM postroom.fact WHERE kind = 'attempt.failed'")[0][0]
    told = [row[0] for row in desk.own("SELECT kind FROM postroom.fact WHERE run_id = %s ORDER BY id", first)]
    assert ["mail.processing.enqueued", "mail.processing.started", "attempt.failed"] == told
    failed = desk.facts("attempt.failed")[0]
    assert ("documents", desk.received[0], "AAQk-1") == (
        failed["stage"],
        failed["provider_message_id"],
        failed["provider_thread_id"],
    )
    assert [] == desk.own(WITHOUT_IDS)
    assert [] == desk.facts("mail.processing.completed")


async def test_what_a_person_does_with_a_document_names_the_mail_that_brought_it(desk):
    message = await desk.receives(("Contract_Note.pdf", NOTE.pdf))
    await desk.works()

    await commands.reject(desk.scope(), desk.only_document(), "Not ours.")

    ((found, thread),) = desk.own(
        "SELECT message_id, thread_id IS NOT NULL FROM postroom.fact WHERE kind = 'document.rejected'"
    )
    assert (message, True) == (found, thread)


async def test_a_chain_of_jobs_carries_the_correlation_of_the_act_that_began_it(desk):
    await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    await desk.works()

    chains = desk.own(
        "SELECT count(DISTINCT correlation_id) FROM postroom.fact"
        " WHERE kind IN ('mail.message.received', 'mail.processing.enqueued', 'document.read')"
    )
    assert [(1,)] == chains


async def test_a_run_that_failed_before_it_looked_tells_of_its_mail_all_the_same(desk, monkeypatch):
    message = await desk.receives(("Contract_Note.pdf", NOTE.pdf))

    async def breaks(*_):
        raise RuntimeError("the database is away")

    monkeypatch.setattr(documents, "look_up_letter", breaks)

    await desk.works()

    about = "SELECT DISTINCT message_id, mailbox_id IS NOT NULL FROM postroom.fact WHERE kind LIKE 'mail.processing.%%'"
    assert [(message, True)] == desk.own(about)
