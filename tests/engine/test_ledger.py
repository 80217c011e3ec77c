"""The ledger shared with Airflow: the published statements, the lease that nobody takes over, and success for good."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from uuid import uuid4

import psycopg
import pytest

from makers import make_tenant
from postroom.db.errors import DatabaseError
from postroom.db.pool import Database
from postroom.engine import ledger
from postroom.engine.ledger import LedgerMail
from postroom.nouns.ids import MailboxId, TenantId, new_id
from postroom.rooms.mailboxes import store

APP, BOX = "pad_contract_notes", "notes@larkspur.example"
NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

# Typed from the specification, as the DAG elsewhere runs them.
CHECK = "SELECT 1 FROM bo_airflow.email_ingestion_state WHERE app_name = 'pad_contract_notes' AND message_id = %s AND status = 'success'"
CLAIM = (
    "INSERT INTO bo_airflow.email_ingestion_state (app_name, message_id, mailbox_email, sender_email, received_at, subject, "
    "status, worker_id, created_at, updated_at) VALUES ('pad_contract_notes', %s, %s, %s, %s, %s, 'processing', %s, NOW(), NOW()) "
    "ON CONFLICT (app_name, message_id) DO UPDATE SET status = CASE WHEN email_ingestion_state.status IN ('failed', 'skipped') "
    "THEN 'processing' ELSE email_ingestion_state.status END, worker_id = EXCLUDED.worker_id, updated_at = NOW() "
    "WHERE email_ingestion_state.status != 'success' RETURNING status"
)
SUCCESS = (
    "UPDATE bo_airflow.email_ingestion_state SET status = 'success', attachments_processed = %s, trades_extracted = %s, "
    "archive_gcs_paths = %s, updated_at = NOW() WHERE app_name = 'pad_contract_notes' AND message_id = %s"
)
FAILED = (
    "UPDATE bo_airflow.email_ingestion_state SET status = 'failed', error_message = %s, updated_at = NOW() "
    "WHERE app_name = 'pad_contract_notes' AND message_id = %s"
)


def squeezed(statement: str) -> str:
    return re.sub(r"\s*([(),])\s*", r"\1", " ".join(statement.split()))


@pytest.mark.parametrize(
    ("ours", "published"),
    [(ledger.CHECK, CHECK), (ledger.CLAIM, CLAIM), (ledger.SUCCESS, SUCCESS), (ledger.FAILED, FAILED)],
)
def test_the_statements_are_the_published_ones_to_the_letter(ours, published):
    assert squeezed(published) == squeezed(ours)


def test_ids_of_graph_stand_as_the_dag_writes_them_and_others_go_by_their_mailbox():
    one, other = MailboxId(new_id()), MailboxId(new_id())

    assert "AAkALg" == ledger.known_as("outlook", one, "AAkALg")
    for provider in ("gmail", "imap", "files"):
        assert ledger.known_as(provider, one, "1.7") != ledger.known_as(provider, other, "1.7")
        assert len(ledger.known_as(provider, one, "x" * 250)) <= 255
    assert 64 == len(ledger.known_as("outlook", one, "x" * 256))
    assert ledger.known_as("imap", one, "x" * 256).startswith(f"{one}:")


def test_another_pipeline_runs_the_same_text_under_its_own_name():
    assert "'ap_invoices'" in ledger.statement(ledger.CLAIM, "ap_invoices")
    assert "pad_contract_notes" not in ledger.statement(ledger.CLAIM, "ap_invoices")
    with pytest.raises(ValueError, match="cannot name a pipeline"):
        ledger.statement(ledger.CLAIM, "x'; DROP TABLE")


class Dag:
    """Airflow: a login of its own, the published statements, and nothing of ours."""

    def __init__(self, connection: psycopg.Connection) -> None:
        self.connection = connection

    def claims(self, message: str, worker: str = "airflow-1") -> bool:
        row = self.connection.execute(CLAIM, [message, BOX, "b@broker.test", NOW, "Note", worker]).fetchone()
        return row is not None

    def says(self, statement: str, *values: object) -> int:
        return self.connection.execute(statement, list(values)).rowcount


@pytest.fixture
def dag(owner_dsn) -> Iterator[Dag]:
    with playing_airflow(owner_dsn) as connection:
        yield Dag(connection)


@contextmanager
def playing_airflow(owner_dsn: str) -> Iterator[psycopg.Connection]:
    role = f"airflow_{uuid4().hex[:12]}"
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            f"CREATE ROLE {role}; GRANT USAGE ON SCHEMA bo_airflow TO {role};"
            f"GRANT SELECT, INSERT, UPDATE ON bo_airflow.email_ingestion_state TO {role};"
            f"GRANT USAGE ON SEQUENCE bo_airflow.email_ingestion_state_id_seq TO {role}"
        )
        try:
            with psycopg.connect(owner_dsn, autocommit=True) as connection:
                connection.execute(f"SET ROLE {role}")
                yield connection
        finally:
            owner.execute(f"DROP OWNED BY {role}; DROP ROLE {role}")


class Us:
    def __init__(self, db: Database, tenant: TenantId, owner_dsn: str) -> None:
        self.db, self.tenant, self._owner_dsn = db, tenant, owner_dsn

    async def claims(self, message: str, worker: str = "") -> bool:
        mail = LedgerMail(message, BOX, "b@broker.test", NOW, "Note")
        async with self.db.tenant(self.tenant) as tx:
            return await ledger.claim(tx, APP, mail, worker or ledger.worker_name(self.tenant))

    async def is_done(self, message: str) -> bool:
        async with self.db.tenant(self.tenant) as tx:
            return await ledger.is_done(tx, APP, message)

    async def succeeds(self, message: str) -> None:
        async with self.db.tenant(self.tenant) as tx:
            await ledger.succeed(tx, APP, message, 1, 2, ["archive/x.pdf"])

    async def fails(self, message: str) -> None:
        async with self.db.tenant(self.tenant) as tx:
            await ledger.fail(tx, APP, message, "unreadable")

    async def skips(self, message: str) -> None:
        async with self.db.tenant(self.tenant) as tx:
            await ledger.skip(tx, APP, message, "nothing in it")

    async def sees(self) -> int:
        async with self.db.tenant(self.tenant) as tx:
            return len(await tx.letter_of("SELECT 1 FROM bo_airflow.email_ingestion_state", []))

    def row(self, column: str) -> object:
        with psycopg.connect(self._owner_dsn, autocommit=True) as owner:
            found = owner.execute(f"SELECT {column} FROM bo_airflow.email_ingestion_state").fetchone()
        return found[0] if found else None

    def time_passes(self, minutes: int) -> None:
        with psycopg.connect(self._owner_dsn, autocommit=True) as owner:
            owner.execute("ALTER TABLE bo_airflow.email_ingestion_state DISABLE TRIGGER USER")
            back = "UPDATE bo_airflow.email_ingestion_state SET updated_at = updated_at - make_interval(mins => %s)"
            owner.execute(back, [minutes])
            owner.execute("ALTER TABLE bo_airflow.email_ingestion_state ENABLE TRIGGER USER")


@pytest.fixture
async def us(db, owner_dsn) -> Us:
    tenant = make_tenant(owner_dsn)
    async with db.tenant(tenant) as tx:
        await store.add(tx, tenant, MailboxId(new_id()), NOW, address=BOX, provider="outlook", access="app_only")
    return Us(db, tenant, owner_dsn)


async def test_the_one_who_claims_first_owns_it_whoever_that_is(us, dag):
    assert await us.claims("m-1")
    assert not dag.claims("m-1")
    assert dag.claims("m-2")
    assert not await us.claims("m-2")


async def test_two_who_claim_in_the_same_moment_are_one_owner(us, dag):
    with dag.connection.transaction():
        assert dag.claims("m-1")
        waiting = asyncio.create_task(us.claims("m-1"))
        await asyncio.sleep(0.2)
        assert not waiting.done()  # it waits for what the other is about to commit

    assert not await waiting


async def test_of_many_at_once_exactly_one_wins(us):
    won = await asyncio.gather(*(us.claims("m-1", f"worker-{n}") for n in range(12)))

    assert 1 == won.count(True)


async def test_our_own_crash_does_not_lock_us_out(us):
    assert await us.claims("m-1")
    assert await us.claims("m-1")


async def test_a_refused_claim_leaves_no_trace(us, dag):
    assert dag.claims("m-1", "airflow-7")
    before = us.row("updated_at")

    assert not await us.claims("m-1")

    assert ("airflow-7", before) == (us.row("worker_id"), us.row("updated_at"))


async def test_a_lapsed_lease_can_be_taken_over_and_a_live_one_not(us, dag):
    assert dag.claims("m-1")
    us.time_passes(minutes=14)
    assert not await us.claims("m-1")
    us.time_passes(minutes=2)

    assert await us.claims("m-1")
    assert not dag.claims("m-1")


async def test_a_lease_by_a_clock_that_was_a_day_ahead_holds_nobody_up(us, dag):
    assert dag.claims("m-1")
    us.time_passes(minutes=-24 * 60)

    assert await us.claims("m-1")


@pytest.mark.parametrize("ending", ["fails", "skips"])
async def test_what_failed_or_was_skipped_can_be_claimed_by_anybody(us, dag, ending):
    await us.claims("m-1")
    await getattr(us, ending)("m-1")

    assert dag.claims("m-1")
    assert "processing" == us.row("status")


async def test_success_is_final_for_both(us, dag):
    assert await us.claims("m-1")
    assert not await us.is_done("m-1")
    await us.succeeds("m-1")

    assert await us.is_done("m-1")
    assert 1 == dag.says(CHECK, "m-1")
    us.time_passes(minutes=600)
    assert not dag.claims("m-1")
    assert not await us.claims("m-1")
    assert (1, 2, ["archive/x.pdf"]) == (
        us.row("attachments_processed"),
        us.row("trades_extracted"),
        us.row("archive_gcs_paths"),
    )


async def test_a_failure_of_ours_does_not_undo_a_success_of_the_dag(us, dag):
    await us.claims("m-1")
    us.time_passes(minutes=16)
    dag.claims("m-1")
    dag.says(SUCCESS, 1, 1, None, "m-1")

    await us.fails("m-1")
    await us.skips("m-1")

    assert "success" == us.row("status")


async def test_what_the_dag_did_is_done_for_us(us, dag):
    dag.claims("m-1")
    dag.says(SUCCESS, 1, 1, None, "m-1")

    assert await us.is_done("m-1")


async def test_another_tenant_neither_sees_nor_claims_our_mail(us, db, owner_dsn):
    await us.claims("m-1")
    await us.succeeds("m-1")
    other = Us(db, make_tenant(owner_dsn), owner_dsn)

    assert not await other.is_done("m-1")
    with pytest.raises(DatabaseError, match="row-level security"):
        await other.claims("m-1")
    await other.fails("m-1")
    assert "success" == us.row("status")


@pytest.mark.parametrize("provider", ["gmail", "imap", "files"])
async def test_the_same_address_at_another_tenant_shows_nothing_of_our_rows(us, dag, db, owner_dsn, provider):
    other = Us(db, make_tenant(owner_dsn), owner_dsn)
    async with db.tenant(other.tenant) as tx:
        await store.add(tx, other.tenant, MailboxId(new_id()), NOW, address=BOX, provider=provider, access="app_only")
    await us.claims("ours")
    await us.succeeds("ours")
    dag.claims("the DAG's, about our Outlook mailbox")
    await other.claims("theirs")

    assert not await other.is_done("ours")
    assert not await other.claims("ours")
    with pytest.raises(DatabaseError, match="row-level security"):
        await other.claims("the DAG's, about our Outlook mailbox")
    with pytest.raises(DatabaseError, match="row-level security"):
        await other.claims("planted", ledger.worker_name(us.tenant))
    assert (2, 1) == (await us.sees(), await other.sees())


async def test_pipelines_do_not_stand_in_each_others_way(us, db):
    await us.claims("m-1")
    mail = LedgerMail("m-1", BOX, "x" * 400, NOW, None)

    async with db.tenant(us.tenant) as tx:
        assert await ledger.claim(tx, "ap_invoices", mail, "somebody")
