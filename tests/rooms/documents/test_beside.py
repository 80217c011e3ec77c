"""What is asked before the files of a mail are read."""

from __future__ import annotations

import re
from typing import Any

from harness import make_mailbox
from makers import make_tenant
from postroom.db.sql import Query
from postroom.nouns.ids import MessageId, new_id
from postroom.rooms.documents.store import documents
from postroom.rooms.documents.store.beside import NOBODY, QUERIES, reading_context

MANY = """
INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access)
SELECT gen_random_uuid(), %s, n || '@desk.test', 'gmail', 'delegated' FROM generate_series(1, 300) n
"""

ANNOUNCED = """
INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source) VALUES (%s, %s, %s, 'a', 'push')
"""


async def test_the_houses_own_domains_are_told_once_each_and_nobody_elses(desk):
    for address in ("b@zebra.test", "a@zebra.test", "a@alder.test", "nameless"):
        make_mailbox(desk.owner_dsn, desk.tenant, address, provider="gmail", access="delegated")
    make_mailbox(desk.owner_dsn, make_tenant(desk.owner_dsn), "a@stranger.test")
    its_own = desk.ask("SELECT split_part(address, '@', 2) FROM postroom.mailbox WHERE id = %s", desk.mailbox)

    context = await reading_context(desk.db, desk.tenant, None, set(), but_message=MessageId(new_id()))

    assert sorted({"", "alder.test", "zebra.test", its_own}) == context.domains


async def test_hundreds_of_mailboxes_of_one_domain_are_not_read_for_every_mail(desk):
    desk.own(MANY, desk.tenant)
    desk.own("ANALYZE postroom.mailbox")
    message = MessageId(new_id())
    desk.own(ANNOUNCED, message, desk.tenant, desk.mailbox)
    about = {"sender_email": "a@b.test", "hashes": [], "but_message": NOBODY, "but_document": NOBODY}

    assert 2 >= await mailboxes_read(desk, QUERIES.reading_context, **about)
    assert 1 == await mailboxes_read(desk, documents.QUERIES.letter, message_id=message)


async def mailboxes_read(desk, question: Query, **about: Any) -> float:
    """By the step of its plan that read most."""
    async with desk.db.tenant(desk.tenant) as tx:
        await tx.run(Query("worst", "SET LOCAL enable_nestloop = off"))  # if the planner could, it would now merge
        explained = Query("explained", f"EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) {question.text}")
        lines = await tx.values(explained, **about)
    return max(float(rows) for line in lines if " on mailbox " in line for rows in re.findall(r"rows=([\d.]+)", line))
