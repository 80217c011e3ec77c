"""A lookup by an id goes by it also in a table that PostgreSQL knows nothing of yet."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import psycopg

from makers import make_tenant
from postroom.db.sql import Query
from postroom.engine.scheduler import learn_new_tables
from postroom.nouns.ids import MailboxId, new_id
from postroom.rooms.mailboxes import store

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LOOKUP = "SELECT subject FROM postroom.thread WHERE id = %(id)s"
FILLED = """
INSERT INTO postroom.thread (id, tenant_id, mailbox_id, provider_thread_id, subject, messages, last_message_at)
SELECT gen_random_uuid(), %s, %s, n::text, 'note', 1, now() FROM generate_series(1, 400) n
"""

MAILBOXES = """
INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access)
SELECT gen_random_uuid(), %s, n || '@desk.test', 'gmail', 'delegated' FROM generate_series(1, 100) n
"""


async def test_new_tables_are_learnt_of_once_and_looked_into_by_id(db, owner_dsn):
    tenant, mailbox = make_tenant(owner_dsn), MailboxId(new_id())
    async with db.tenant(tenant) as tx:
        await store.add(tx, tenant, mailbox, NOW, address="a@desk.test", provider="outlook", access="delegated")
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(FILLED, [tenant, mailbox])
        owner.execute("SELECT pg_stat_force_next_flush()")

    await learn_new_tables(db)

    assert 400 == known_rows(owner_dsn)
    async with db.tenant(tenant) as tx:
        plan = "\n".join(await tx.values(Query("explained", f"EXPLAIN (COSTS OFF) {LOOKUP}"), id=uuid4()))
    assert "thread_of_mailbox" not in plan
    assert "thread_pkey" in plan or "thread_is_of_one_tenant" in plan
    assert 0 == await learns_again(db)


async def test_a_mailbox_is_looked_up_by_its_id_also_among_a_hundred(db, owner_dsn):
    """Every message names its mailbox in several rows: reading all mailboxes for each would make many of them dear."""
    tenant = make_tenant(owner_dsn)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(MAILBOXES, [tenant])
        owner.execute("ANALYZE postroom.mailbox")

    async with db.tenant(tenant) as tx:
        question = "SELECT rules FROM postroom.mailbox WHERE id = %(id)s"
        plan = "\n".join(await tx.values(Query("explained", f"EXPLAIN (COSTS OFF) {question}"), id=uuid4()))

    assert "Seq Scan" not in plan


async def learns_again(db) -> int:
    return await db.desk_value(Query("again", "SELECT postroom.learn_new_tables()"))


def known_rows(owner_dsn: str) -> int:
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        row = owner.execute("SELECT reltuples::int FROM pg_class WHERE oid = 'postroom.thread'::regclass").fetchone()
    return row[0] if row else 0
