"""Exactly once: two workers, a DAG beside us, crashes, and failures that do not go away."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg

from postroom.engine.ledger import CHECK, CLAIM, SUCCESS
from postroom.nouns.errors import AccessRevoked, BadRequest, Unavailable
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY, open_desk

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")
BACK = "UPDATE postroom.job SET run_at = now(), not_before = '-infinity' WHERE state = 'later'"


class Dag:
    """The other side: runs the published statements on its own connection."""

    def __init__(self, desk) -> None:
        self.scope = desk

    def run(self, statement, *values):
        with psycopg.connect(self.scope.owner_dsn, autocommit=True) as own:
            cursor = own.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def claims(self, ref: str) -> bool:
        if self.run(CHECK, ref):
            return False
        values = [ref, "notes@larkspur.example", "a@b.test", self.scope.now, "Contract note", "airflow-7"]
        return bool(self.run(CLAIM, *values))

    def succeeds(self, ref: str) -> None:
        self.run(SUCCESS, 1, 1, "[]", ref)


class Shelf:
    """The archive, with somebody who pulls the plug after a file is kept."""

    def __init__(self, inner) -> None:
        self.inner, self.crashes, self.kept = inner, 1, asyncio.Event()

    async def put_if_absent(self, key, data, metadata, content_type):
        stored = await self.inner.put_if_absent(key, data, metadata, content_type)
        self.kept.set()
        if self.crashes:
            self.crashes -= 1
            await asyncio.sleep(3600)
        return stored

    async def get(self, key):
        return await self.inner.get(key)


async def test_what_the_dag_has_done_is_left_to_it(desk):
    message = await desk.receives(("note.pdf", NOTE.pdf))
    dag = Dag(desk)
    assert dag.claims(desk.received[0])
    dag.succeeds(desk.received[0])

    await desk.works()

    assert "processed" == desk.dispositions(message)["pad_contract_notes"]
    assert [] == desk.trades()
    assert ["Processed by the other side of the shared ledger."] == desk.reasons()


async def test_while_the_dag_is_at_it_we_wait_without_spending_an_attempt(desk):
    await desk.trusts()
    message = await desk.receives(("note.pdf", NOTE.pdf))
    dag = Dag(desk)
    assert dag.claims(desk.received[0])

    await desk.works()

    assert [] == desk.statuses()
    ((state, tries, waits, wait),) = desk.own(
        "SELECT state, tries, waits, extract(epoch FROM run_at - now()) FROM postroom.job"
    )
    assert ("later", 0, 1) == (state, tries, waits)
    assert 50 < wait <= 60

    dag.succeeds(desk.received[0])
    desk.own(BACK)
    await desk.works()
    assert "processed" == desk.dispositions(message)["pad_contract_notes"]
    assert [] == desk.trades()


async def test_a_dag_that_died_is_taken_over_when_its_lease_has_lapsed(desk):
    await desk.trusts()
    await desk.receives(("note.pdf", NOTE.pdf))
    assert Dag(desk).claims(desk.received[0])
    await desk.works()
    desk.own("ALTER TABLE bo_airflow.email_ingestion_state DISABLE TRIGGER nobody_takes_over_a_live_lease")
    desk.own("UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '16 minutes'")
    desk.own("ALTER TABLE bo_airflow.email_ingestion_state ENABLE TRIGGER nobody_takes_over_a_live_lease")
    desk.own(BACK)

    await desk.works()

    assert ["confirmed"] == desk.statuses(), desk.reasons()
    assert ("pad_contract_notes", "success") in desk.ledger()


async def test_the_dag_cannot_take_what_we_are_reading(desk):
    await desk.receives(("note.pdf", NOTE.pdf))
    claims = []
    read = desk.outside.reader.aextract

    async def reading(content, passwords=(), **known):
        claims.append(await asyncio.to_thread(Dag(desk).claims, desk.received[0]))
        return await read(content, passwords, **known)

    desk.outside.reader.aextract = reading
    await desk.works()

    assert [False] == claims
    assert not Dag(desk).claims(desk.received[0])


async def test_two_workers_and_two_copies_of_one_note_at_once_make_one_trade(desk):
    await desk.trusts()
    await desk.places_order(NOTE)
    for number in range(6):
        await desk.receives((f"note{number}.pdf", NOTE.pdf + b"\n" * (number // 2)))

    await asyncio.gather(desk.worker(slots=4).run_until_quiet(), desk.worker(slots=4).run_until_quiet())

    assert ["confirmed"] + ["duplicate"] * 5 == sorted(desk.statuses())
    assert 1 == desk.trades().count("confirmed")
    assert ["filled"] == [row[0] for row in desk.own("SELECT status FROM postroom.pending_order")]
    assert 6 == sum(status == "success" for name, status in desk.ledger() if name == "pad_contract_notes")
    ((count,),) = desk.own("SELECT sum(count)::int FROM postroom.document_tally WHERE status = 'duplicate'")
    assert 5 == count


async def test_a_crash_between_archive_and_success_leaves_one_object_and_one_trade(desk):
    await desk.trusts()
    await desk.places_order(NOTE)
    await desk.receives(("note.pdf", NOTE.pdf))
    desk.outside.archive = archive = Shelf(desk.outside.archive)
    worker = desk.worker(grace=timedelta(milliseconds=10))
    running = asyncio.create_task(worker.run())
    await asyncio.wait_for(archive.kept.wait(), 60)
    worker.stop()
    await running
    assert ([], 1) == (desk.statuses(), len(desk.archived()))

    await desk.works()

    assert (["confirmed"], ["confirmed"], 1) == (desk.statuses(), desk.trades(), len(desk.archived()))
    assert ("pad_contract_notes", "success") in desk.ledger()


async def test_the_job_of_a_worker_that_was_killed_is_done_by_the_next(desk):
    await desk.trusts()
    await desk.receives(("note.pdf", NOTE.pdf))
    desk.outside.archive = archive = Shelf(desk.outside.archive)
    running = asyncio.create_task(desk.worker(grace=timedelta(milliseconds=10)).run())
    await asyncio.wait_for(archive.kept.wait(), 60)
    desk.own("UPDATE postroom.worker SET lease_till = now() - interval '1 minute'")
    desk.own("SELECT postroom.reap_workers()")  # presumed dead while it hangs

    await desk.works()

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert (["confirmed"], ["confirmed"], 1) == (desk.statuses(), desk.trades(), len(desk.archived()))


async def test_a_mail_whose_reading_kills_every_worker_is_failed_with_the_reason(desk):
    message = await desk.receives(("note.pdf", NOTE.pdf))
    desk.own("UPDATE postroom.job SET deaths = 6")

    await desk.works()

    assert {"failed"} == set(desk.dispositions(message).values())
    rows = desk.own("SELECT DISTINCT status, error_message FROM bo_airflow.email_ingestion_state")
    assert [("failed", "Its worker died 6 times.")] == rows
    left = "SELECT state, reason FROM postroom.job WHERE kind = 'documents.read'"
    assert [("quarantined", "Its worker died 6 times.")] == desk.own(left)
    assert [] == desk.outside.fetcher.fetched


async def test_a_passing_trouble_is_tried_again_and_leaves_nothing_behind(desk):
    await desk.trusts()
    message = await desk.receives(("note.pdf", NOTE.pdf))
    desk.outside.fetcher.failing = [Unavailable("Graph is down.")]
    await desk.works()
    assert "pending" == desk.dispositions(message)["pad_contract_notes"]
    desk.own(BACK)

    await desk.works()

    assert ["confirmed"] == desk.statuses()
    assert 2 == len(desk.outside.fetcher.fetched)


async def test_when_nothing_more_is_tried_ledger_and_message_say_failed_with_the_reason(desk):
    message = await desk.receives(("note.pdf", NOTE.pdf))
    desk.outside.fetcher.failing = [BadRequest("The id is malformed.")]

    await desk.works()

    assert {"failed"} == set(desk.dispositions(message).values())
    rows = desk.own("SELECT DISTINCT status, error_message FROM bo_airflow.email_ingestion_state")
    assert [("failed", "The id is malformed.")] == rows
    assert ["quarantined"] == [row[0] for row in desk.own("SELECT state FROM postroom.job")]


async def test_the_last_of_many_tries_says_failed_too_and_a_replay_mends_it(desk):
    await desk.trusts()
    message = await desk.receives(("note.pdf", NOTE.pdf))
    desk.own("UPDATE postroom.job SET tries = 5")
    desk.outside.fetcher.failing = [Unavailable("Graph is down.")]
    await desk.works()
    assert {"failed"} == set(desk.dispositions(message).values())

    desk.own("SELECT postroom.replay_job(tenant_id, id, 'rosalind') FROM postroom.job")
    await desk.works()

    assert "processed" == desk.dispositions(message)["pad_contract_notes"]
    assert ("pad_contract_notes", "success") in desk.ledger()


async def test_a_mailbox_that_must_be_reconnected_parks_the_job_and_fails_nothing(desk):
    message = await desk.receives(("note.pdf", NOTE.pdf))
    desk.outside.fetcher.failing = [AccessRevoked("Reconnect the mailbox.")]

    await desk.works()

    assert {"pending"} == set(desk.dispositions(message).values())
    assert ["parked"] == [row[0] for row in desk.own("SELECT state FROM postroom.job WHERE kind = 'documents.read'")]


async def test_a_message_deleted_before_it_was_read_is_accounted_for(desk):
    message = await desk.receives(("note.pdf", NOTE.pdf))
    desk.outside.fetcher.held.clear()

    await desk.works()

    assert {"deleted"} == set(desk.dispositions(message).values())
    assert {"skipped"} == {status for _, status in desk.ledger()}


async def test_a_replay_of_a_message_that_was_handled_changes_nothing(desk):
    await desk.trusts()
    message = await desk.receives(("note.pdf", NOTE.pdf))
    await desk.works()
    before = desk.own("SELECT id, status, because FROM postroom.document")
    told = desk.dispositions(message)
    from postroom.rooms.documents.jobs import ReadDocuments

    scope = desk.scope()
    async with scope.finish() as tx:
        await scope.enqueue(tx, ReadDocuments(message, desk.mailbox), ReadDocuments(message, desk.mailbox, again=True))
    await desk.works()

    assert before == desk.own("SELECT id, status, because FROM postroom.document")
    assert told == desk.dispositions(message)
    assert ["confirmed"] == desk.trades()


async def test_two_copies_of_a_note_in_one_mail_are_one_trade(desk):
    await desk.trusts()
    await desk.receives(("note.pdf", NOTE.pdf), ("note-copy.pdf", NOTE.pdf + b"\n"))

    await desk.works()

    assert ["confirmed", "duplicate"] == desk.statuses(), desk.reasons()


async def test_what_takes_too_long_is_said_to_have_taken_too_long(desk, monkeypatch):
    message = await desk.receives(("note.pdf", NOTE.pdf))
    desk.own("UPDATE postroom.job SET tries = 5")
    monkeypatch.setattr("postroom.rooms.documents.jobs.mail.OUR_LIMIT", timedelta(milliseconds=50))

    async def for_ever(content, passwords=(), **known):
        await asyncio.sleep(3600)

    desk.outside.reader.aextract = for_ever
    await desk.works()

    assert {"failed"} == set(desk.dispositions(message).values())
    ((because,), *_) = desk.own("SELECT because FROM postroom.disposition")
    assert "Reading its documents took longer than 0 minutes." == because


async def test_two_tenants_whose_mails_have_the_same_id_each_get_theirs(desk, tmp_path):
    """IMAP's ids count within a mailbox, and a file imported twice has the same everywhere."""
    desk.own("UPDATE postroom.tenant SET name = 'first'; UPDATE postroom.mailbox SET provider = 'imap'")
    other = open_desk(desk.db, desk.waker, desk.owner_dsn, tmp_path / "other", desk.outside.reader)
    other.own("UPDATE postroom.mailbox SET provider = 'imap'")
    for each in (desk, other):
        await each.trusts()
        await each.receives(("note.pdf", NOTE.pdf))
        raw = each.outside.fetcher.held.pop(each.received[0])
        each.outside.fetcher.held["1700000000.7"] = raw
        each.own("UPDATE postroom.message SET provider_message_id = '1700000000.7' WHERE mailbox_id = %s", each.mailbox)
    await desk.works()
    await other.works()

    assert 2 == desk.own("SELECT count(*) FROM bo_airflow.email_ingestion_state WHERE status = 'success'")[0][0]
    assert 2 == desk.own("SELECT count(DISTINCT tenant_id) FROM postroom.trade")[0][0]


async def test_a_mailbox_that_moved_to_another_tenant_is_read_for_it_anew(desk, tmp_path):
    """The mailbox and its ids are the same at Graph; what the first tenant did with a mail is no business of the second."""
    desk.own("UPDATE postroom.tenant SET name = 'first'")
    await desk.trusts()
    await desk.receives(("note.pdf", NOTE.pdf))
    await desk.works()
    desk.own("UPDATE postroom.mailbox SET status = 'disconnected'")
    other = open_desk(desk.db, desk.waker, desk.owner_dsn, tmp_path / "other", desk.outside.reader)
    assert 1 == desk.own("SELECT count(DISTINCT address) FROM postroom.mailbox")[0][0]
    await other.trusts()
    await other.receives(("note.pdf", NOTE.pdf))
    same, raw = desk.received[0], other.outside.fetcher.held.pop(other.received[0])
    other.outside.fetcher.held[same] = raw
    other.own("UPDATE postroom.message SET provider_message_id = %s WHERE mailbox_id = %s", str(same), other.mailbox)
    await other.works()

    assert 2 == desk.own("SELECT count(*) FROM bo_airflow.email_ingestion_state WHERE status = 'success'")[0][0]
    assert 2 == desk.own("SELECT count(DISTINCT tenant_id) FROM postroom.trade")[0][0]
