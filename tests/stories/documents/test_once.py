"""Exactly once: two workers, a DAG beside us, crashes, and failures that do not go away."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import psycopg
import pytest

from postroom.engine.ledger import CHECK, CLAIM, SUCCESS
from postroom.nouns.errors import AccessRevoked, BadRequest, Unavailable
from postroom_simulators.papers import NOTES
from rooms.documents.dealing import DAY, open_desk

NOTE = NOTES["thornbury"](DAY, 1, direction="BUY")
BACK = "UPDATE postroom.job SET run_at = now(), not_before = '-infinity' WHERE state = 'later'"


class Dag:
    """The other side: runs the published statements on its own connection."""

    def __init__(self, scope) -> None:
        self.scope = scope

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


async def test_what_the_dag_has_done_is_left_to_it(scope):
    message = await scope.receives(("note.pdf", NOTE.pdf))
    dag = Dag(scope)
    assert dag.claims(scope.received[0])
    dag.succeeds(scope.received[0])

    await scope.works()

    assert "processed" == scope.dispositions(message)["pad_contract_notes"]
    assert [] == scope.trades()
    assert ["Processed by the other side of the shared ledger."] == scope.reasons()


async def test_while_the_dag_is_at_it_we_wait_without_spending_an_attempt(scope):
    await scope.trusts()
    message = await scope.receives(("note.pdf", NOTE.pdf))
    dag = Dag(scope)
    assert dag.claims(scope.received[0])

    await scope.works()

    assert [] == scope.statuses()
    ((state, tries, waits, wait),) = scope.own(
        "SELECT state, tries, waits, extract(epoch FROM run_at - now()) FROM postroom.job"
    )
    assert ("later", 0, 1) == (state, tries, waits)
    assert 50 < wait <= 60

    dag.succeeds(scope.received[0])
    scope.own(BACK)
    await scope.works()
    assert "processed" == scope.dispositions(message)["pad_contract_notes"]
    assert [] == scope.trades()


async def test_a_dag_that_died_is_taken_over_when_its_lease_has_lapsed(scope):
    await scope.trusts()
    await scope.receives(("note.pdf", NOTE.pdf))
    assert Dag(scope).claims(scope.received[0])
    await scope.works()
    scope.own("ALTER TABLE bo_airflow.email_ingestion_state DISABLE TRIGGER nobody_takes_over_a_live_lease")
    scope.own("UPDATE bo_airflow.email_ingestion_state SET updated_at = now() - interval '16 minutes'")
    scope.own("ALTER TABLE bo_airflow.email_ingestion_state ENABLE TRIGGER nobody_takes_over_a_live_lease")
    scope.own(BACK)

    await scope.works()

    assert ["confirmed"] == scope.statuses(), scope.reasons()
    assert ("pad_contract_notes", "success") in scope.ledger()


async def test_the_dag_cannot_take_what_we_are_reading(scope):
    await scope.receives(("note.pdf", NOTE.pdf))
    claims = []
    read = scope.outside.reader.aextract

    async def reading(content, passwords=(), **known):
        claims.append(await asyncio.to_thread(Dag(scope).claims, scope.received[0]))
        return await read(content, passwords, **known)

    scope.outside.reader.aextract = reading
    await scope.works()

    assert [False] == claims
    assert not Dag(scope).claims(scope.received[0])


async def test_two_workers_and_two_copies_of_one_note_at_once_make_one_trade(scope):
    await scope.trusts()
    await scope.places_order(NOTE)
    for number in range(6):
        await scope.receives((f"note{number}.pdf", NOTE.pdf + b"\n" * (number // 2)))

    await asyncio.gather(scope.worker(slots=4).run_until_quiet(), scope.worker(slots=4).run_until_quiet())

    assert ["confirmed"] + ["duplicate"] * 5 == sorted(scope.statuses())
    assert 1 == scope.trades().count("confirmed")
    assert ["filled"] == [row[0] for row in scope.own("SELECT status FROM postroom.pending_order")]
    assert 6 == sum(status == "success" for name, status in scope.ledger() if name == "pad_contract_notes")
    ((count,),) = scope.own("SELECT sum(count)::int FROM postroom.document_tally WHERE status = 'duplicate'")
    assert 5 == count


async def test_a_crash_between_archive_and_success_leaves_one_object_and_one_trade(scope):
    await scope.trusts()
    await scope.places_order(NOTE)
    await scope.receives(("note.pdf", NOTE.pdf))
    scope.outside.archive = archive = Shelf(scope.outside.archive)
    worker = scope.worker(grace=timedelta(milliseconds=10))
    running = asyncio.create_task(worker.run())
    await asyncio.wait_for(archive.kept.wait(), 60)
    worker.stop()
    await running
    assert ([], 1) == (scope.statuses(), len(scope.archived()))

    await scope.works()

    assert (["confirmed"], ["confirmed"], 1) == (scope.statuses(), scope.trades(), len(scope.archived()))
    assert ("pad_contract_notes", "success") in scope.ledger()


async def test_the_job_of_a_worker_that_was_killed_is_done_by_the_next(scope):
    await scope.trusts()
    await scope.receives(("note.pdf", NOTE.pdf))
    scope.outside.archive = archive = Shelf(scope.outside.archive)
    running = asyncio.create_task(scope.worker(grace=timedelta(milliseconds=10)).run())
    await asyncio.wait_for(archive.kept.wait(), 60)
    scope.own("UPDATE postroom.worker SET lease_till = now() - interval '1 minute'")
    scope.own("SELECT postroom.reap_workers(5)")  # presumed dead while it hangs

    await scope.works()

    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    assert (["confirmed"], ["confirmed"], 1) == (scope.statuses(), scope.trades(), len(scope.archived()))


async def test_a_passing_trouble_is_tried_again_and_leaves_nothing_behind(scope):
    await scope.trusts()
    message = await scope.receives(("note.pdf", NOTE.pdf))
    scope.outside.fetcher.failing = [Unavailable("Graph is down.")]
    await scope.works()
    assert "pending" == scope.dispositions(message)["pad_contract_notes"]
    scope.own(BACK)

    await scope.works()

    assert ["confirmed"] == scope.statuses()
    assert 2 == len(scope.outside.fetcher.fetched)


async def test_when_nothing_more_is_tried_ledger_and_message_say_failed_with_the_reason(scope):
    message = await scope.receives(("note.pdf", NOTE.pdf))
    scope.outside.fetcher.failing = [BadRequest("The id is malformed.")]

    await scope.works()

    assert {"failed"} == set(scope.dispositions(message).values())
    rows = scope.own("SELECT DISTINCT status, error_message FROM bo_airflow.email_ingestion_state")
    assert [("failed", "The id is malformed.")] == rows
    assert ["quarantined"] == [row[0] for row in scope.own("SELECT state FROM postroom.job")]


async def test_the_last_of_many_tries_says_failed_too_and_a_replay_mends_it(scope):
    await scope.trusts()
    message = await scope.receives(("note.pdf", NOTE.pdf))
    scope.own("UPDATE postroom.job SET tries = 5")
    scope.outside.fetcher.failing = [Unavailable("Graph is down.")]
    await scope.works()
    assert {"failed"} == set(scope.dispositions(message).values())

    scope.own("SELECT postroom.replay_job(tenant_id, id, 'rosalind') FROM postroom.job")
    await scope.works()

    assert "processed" == scope.dispositions(message)["pad_contract_notes"]
    assert ("pad_contract_notes", "success") in scope.ledger()


async def test_a_mailbox_that_must_be_reconnected_parks_the_job_and_fails_nothing(scope):
    message = await scope.receives(("note.pdf", NOTE.pdf))
    scope.outside.fetcher.failing = [AccessRevoked("Reconnect the mailbox.")]

    with pytest.MonkeyPatch.context() as quiet:
        quiet.setattr("rooms.documents.dealing.next_jobs", lambda fact: [])  # the mailbox room is not at work here
        await scope.works()

    assert {"pending"} == set(scope.dispositions(message).values())
    assert ["parked"] == [row[0] for row in scope.own("SELECT state FROM postroom.job WHERE kind = 'documents.read'")]


async def test_a_message_deleted_before_it_was_read_is_accounted_for(scope):
    message = await scope.receives(("note.pdf", NOTE.pdf))
    scope.outside.fetcher.held.clear()

    await scope.works()

    assert {"deleted"} == set(scope.dispositions(message).values())
    assert {"skipped"} == {status for _, status in scope.ledger()}


async def test_a_replay_of_a_message_that_was_handled_changes_nothing(scope):
    await scope.trusts()
    message = await scope.receives(("note.pdf", NOTE.pdf))
    await scope.works()
    before = scope.own("SELECT id, status, because FROM postroom.document")
    told = scope.dispositions(message)
    from postroom.rooms.documents.jobs import ReadDocuments

    teller = scope.teller()
    async with teller.finish() as tx:
        await teller.enqueue(
            tx, ReadDocuments(message, scope.mailbox), ReadDocuments(message, scope.mailbox, again=True)
        )
    await scope.works()

    assert before == scope.own("SELECT id, status, because FROM postroom.document")
    assert told == scope.dispositions(message)
    assert ["confirmed"] == scope.trades()


async def test_two_copies_of_a_note_in_one_mail_are_one_trade(scope):
    await scope.trusts()
    await scope.receives(("note.pdf", NOTE.pdf), ("note-copy.pdf", NOTE.pdf + b"\n"))

    await scope.works()

    assert ["confirmed", "duplicate"] == scope.statuses(), scope.reasons()


async def test_what_takes_too_long_is_said_to_have_taken_too_long(scope, monkeypatch):
    message = await scope.receives(("note.pdf", NOTE.pdf))
    scope.own("UPDATE postroom.job SET tries = 5")
    monkeypatch.setattr("postroom.rooms.documents.jobs.mail.OUR_LIMIT", timedelta(milliseconds=50))

    async def for_ever(content, passwords=(), **known):
        await asyncio.sleep(3600)

    scope.outside.reader.aextract = for_ever
    await scope.works()

    assert {"failed"} == set(scope.dispositions(message).values())
    ((because,), *_) = scope.own("SELECT because FROM postroom.disposition")
    assert "Reading its documents took longer than 0 minutes." == because


async def test_two_tenants_whose_mails_have_the_same_id_each_get_theirs(scope, tmp_path):
    """IMAP's ids count within a mailbox, and a file imported twice has the same everywhere."""
    scope.own("UPDATE postroom.tenant SET name = 'first'; UPDATE postroom.mailbox SET provider = 'imap'")
    other = open_desk(scope.db, scope.waker, scope.owner_dsn, tmp_path / "other", scope.outside.reader)
    other.own("UPDATE postroom.mailbox SET provider = 'imap'")
    for each in (scope, other):
        await each.trusts()
        await each.receives(("note.pdf", NOTE.pdf))
        raw = each.outside.fetcher.held.pop(each.received[0])
        each.outside.fetcher.held["1700000000.7"] = raw
        each.own("UPDATE postroom.message SET provider_message_id = '1700000000.7' WHERE mailbox_id = %s", each.mailbox)
    await scope.works()
    await other.works()

    assert 2 == scope.own("SELECT count(*) FROM bo_airflow.email_ingestion_state WHERE status = 'success'")[0][0]
    assert 2 == scope.own("SELECT count(DISTINCT tenant_id) FROM postroom.trade")[0][0]
