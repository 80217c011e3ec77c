"""A page costs the same with a hundred thousand rows behind it."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg

from makers import make_tenant
from postroom.db.sql import Query
from postroom.engine import queue as lanes
from postroom.reads import facts, jobs, messages, threads

ROWS = 100_000
MOST_PAGES = 1500  # of 8 kB that one page of a list may touch; a scan would touch more than ten thousand


def fill(owner: psycopg.Connection, tenant: UUID, rows: int) -> tuple[UUID, UUID]:
    """Two mailboxes, of which one is quiet: 1 message in 1,000 is its own, failed, and has facts of a rare kind."""
    busy, quiet = uuid4(), uuid4()
    for mailbox, address in ((busy, "busy@ours.test"), (quiet, "quiet@ours.test")):
        owner.execute(
            "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access) VALUES (%s, %s, %s, 'outlook', 'delegated')",
            [mailbox, tenant, address],
        )
    values: dict[str, Any] = {"tenant": tenant, "busy": busy, "quiet": quiet, "rows": rows}
    owner.execute(
        "INSERT INTO postroom.thread (id, tenant_id, mailbox_id, provider_thread_id, last_message_at) SELECT gen_random_uuid(), %(tenant)s, CASE WHEN n %% 1000 = 0 THEN %(quiet)s::uuid ELSE %(busy)s::uuid END, 'T' || n, now() - make_interval(secs => n) FROM generate_series(1, %(rows)s) n",
        values,
    )
    owner.execute(
        "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, state, source, received_at, arrived_at, subject) SELECT gen_random_uuid(), %(tenant)s, CASE WHEN n %% 1000 = 0 THEN %(quiet)s::uuid ELSE %(busy)s::uuid END, 'M' || n, 'arrived', 'push', now() - make_interval(secs => n), now(), 'Contract note ' || n FROM generate_series(1, %(rows)s) n",
        values,
    )
    owner.execute(
        "INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status) SELECT tenant_id, id, 'pad_contract_notes', CASE WHEN mailbox_id = %(quiet)s THEN 'failed' ELSE 'processed' END FROM postroom.message ON CONFLICT DO NOTHING",
        values,
    )
    owner.execute(
        "INSERT INTO postroom.fact (xid, told_at, tenant_id, kind, mailbox_id, message_id, actor, body, digest) SELECT n, now() - make_interval(secs => %(rows)s - n), %(tenant)s, CASE WHEN n %% 1000 = 0 THEN 'mailbox.paused' ELSE 'mail.message.received' END, %(busy)s, gen_random_uuid(), 'postroom', '{}', '' FROM generate_series(1, %(rows)s) n",
        values,
    )
    owner.execute(
        "INSERT INTO postroom.attempt (tenant_id, job_id, kind, epoch, outcome, error_class, retry_count, correlation_id, created_at, finished_at) SELECT %(tenant)s, n, 'sync.fetch_message', 1, CASE WHEN n %% 1000 = 0 THEN 'retry' ELSE 'done' END, CASE WHEN n %% 1000 = 0 THEN 'transient' END, 0, gen_random_uuid(), now(), now() - make_interval(secs => %(rows)s - n) FROM generate_series(1, %(rows)s) n",
        values,
    )
    owner.execute(
        "VACUUM ANALYZE postroom.message, postroom.thread, postroom.disposition, postroom.fact, postroom.attempt, postroom.mailbox"
    )
    return busy, quiet


def pages_touched(tx: psycopg.Connection, query: Query, asked: dict[str, Any]) -> int:
    names = set(re.findall(r"%\((\w+)\)s", query.text))
    values = dict.fromkeys(names) | {"most": 51} | {name: value for name, value in asked.items() if name in names}
    plan = tx.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {query.text}".encode(), values).fetchone()[0]
    top = (plan if isinstance(plan, list) else json.loads(plan))[0]["Plan"]
    return top["Shared Hit Blocks"] + top["Shared Read Blocks"]


def test_lists_touch_few_pages_however_much_there_is(owner_dsn, dsn):
    tenant = make_tenant(owner_dsn)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        busy, quiet = fill(owner, tenant, ROWS)
    deep = {"before_at": datetime.now(UTC) - timedelta(seconds=ROWS / 2), "before_id": uuid4()}
    beyond = {"before_xid": 2**62, "before_id": 2**62, "after_xid": -1, "scan": 51}
    looking = {**beyond, "scan": facts.SCAN, "actor": "nobody"}
    asks: list[tuple[Query, dict[str, Any]]] = [
        (messages.QUERIES.messages, {}),
        (messages.QUERIES.messages, deep),
        (messages.QUERIES.messages, {"mailbox_id": quiet}),
        (messages.QUERIES.messages, {"mailbox_id": busy, **deep}),
        (messages.QUERIES.messages_of_status, {"status": "failed"}),
        (messages.QUERIES.messages_of_status, {"status": "processed", "pipeline": "pad_contract_notes"}),
        (messages.QUERIES.messages, {"state": "announced"}),
        (messages.QUERIES.messages, {"provider_message_id": "M77777"}),
        (messages.QUERIES.messages, {"until": deep["before_at"]}),
        (
            messages.QUERIES.searched_messages,
            {"scan": messages.SCAN, "words": "%nothing like it%", "before_at": None, "most": 50},
        ),
        (messages.QUERIES.searched_till, {"scan": messages.SCAN}),
        (threads.QUERIES.threads, {}),
        (threads.QUERIES.threads, deep),
        (threads.QUERIES.threads, {"mailbox_id": quiet}),
        (facts.QUERIES.searched_facts, beyond),
        (facts.QUERIES.searched_facts, {**beyond, "before_xid": ROWS // 2, "before_id": 0}),
        (facts.QUERIES.searched_facts, looking),
        (facts.QUERIES.searched_till, looking),
        (facts.QUERIES.span, {"since": deep["before_at"], "until": deep["before_at"]}),
        (facts.QUERIES.searched_facts, {**beyond, "kind": "mailbox.paused"}),
        (facts.QUERIES.searched_facts, {**beyond, "message_id": uuid4()}),
        (lanes.QUERIES.attempts, {"before": 2**62}),
        (lanes.QUERIES.attempts, {"before": 2**62, "failed": True}),
        (lanes.QUERIES.attempts, {"before": 2**62, "error_class": "transient", "failed": True}),
        (lanes.QUERIES.attempts, {"before": ROWS // 2}),
        (jobs.QUERIES.newest_attempt, {}),
        (
            jobs.QUERIES.retry_progress,
            {"since": deep["before_at"], "till": deep["before_at"], "after": ROWS - 5000, "mark": ""},
        ),
    ]
    with psycopg.connect(dsn, options="-c role=postroom_app") as tx:
        tx.execute(f"SET postroom.tenant = '{tenant}'")
        touched = {f"{query.name} {sorted(asked)}": pages_touched(tx, query, asked) for query, asked in asks}
    assert {} == {what: pages for what, pages in touched.items() if pages > MOST_PAGES}
