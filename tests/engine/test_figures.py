"""Figures of the copilot, counted from facts, each with its denominator."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID, uuid4

import psycopg
import pytest
from prometheus_client import REGISTRY

from makers import make_tenant
from postroom import reads
from postroom.engine.work import TenantScope, Work
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.errors import Unavailable
from postroom.nouns.facts import MessageArrived
from postroom.nouns.figures import COUNTED, FIGURES, counts_as
from postroom.nouns.jobs import Job

NOW = datetime.now(UTC)


@pytest.mark.parametrize(
    ("kind", "body", "counted"),
    [
        ("mail.message.received", {}, ["received"]),
        ("thread.triaged", {"action": "draft"}, ["triaged", "draftable"]),
        ("thread.triaged", {"action": "ignore"}, ["triaged"]),
        ("thread.triaged", {"action": "draft", "again": True}, []),
        ("mail.flagged.sensitive", {}, ["sensitive"]),
        ("mail.draft.created", {}, ["drafted"]),
        ("mail.processing.completed", {}, ["runs"]),
        ("attempt.failed", {"stage": "documents", "outcome": "retry"}, ["runs", "retried"]),
        ("attempt.failed", {"stage": "documents", "outcome": "throttled"}, ["runs", "retried"]),
        ("attempt.failed", {"stage": "documents", "outcome": "stopped"}, ["runs"]),
        ("attempt.failed", {"stage": None, "outcome": "retry"}, []),
        ("tenant.created", {}, []),
    ],
)
def test_what_a_fact_counts_as(kind, body, counted):
    assert counted == counts_as(kind, body)


def test_every_figure_is_counted_by_some_fact():
    assert set(FIGURES) - {"draftable", "retried"} == {each for counted in COUNTED.values() for each in counted}


class Told:
    """Facts of a mailbox, written as they would be told."""

    def __init__(self, owner_dsn: str) -> None:
        self.owner_dsn, self.tenant, self.mailbox = owner_dsn, make_tenant(owner_dsn), uuid4()

    def fact(self, kind: str, body: str = "{}", *, at: datetime = NOW, message: object = None) -> None:
        with psycopg.connect(self.owner_dsn, autocommit=True) as owner:
            owner.execute(
                "INSERT INTO postroom.fact (xid, told_at, tenant_id, kind, mailbox_id, message_id, actor, body, digest)"
                " VALUES (1, %s, %s, %s, %s, %s, 'postroom', %s, '')",
                [at, self.tenant, kind, self.mailbox, message or uuid4(), body],
            )

    def tried(self, outcome: str, code: str | None = None) -> None:
        with psycopg.connect(self.owner_dsn, autocommit=True) as owner:
            owner.execute(
                "INSERT INTO postroom.attempt (tenant_id, job_id, kind, mailbox_id, epoch, outcome, error_code, retry_count,"
                " correlation_id, created_at) VALUES (%s, 1, 'sync.mailbox', %s, 1, %s, %s, 0, gen_random_uuid(), now())",
                [self.tenant, self.mailbox, outcome, code],
            )


async def test_each_rate_is_of_what_the_reference_says(db, owner_dsn):
    told = Told(owner_dsn)
    for _ in range(4):
        told.fact("thread.triaged", '{"action": "draft"}')
    for _ in range(6):
        told.fact("thread.triaged", '{"action": "needs_review"}')
    told.fact("mail.flagged.sensitive")
    answered = uuid4()
    received = json.dumps({"received_at": (NOW - timedelta(seconds=30)).isoformat()})
    told.fact("mail.message.received", received, message=answered)
    told.fact("mail.draft.created", message=answered)
    for _ in range(8):
        told.fact("mail.processing.completed")
    told.fact("attempt.failed", '{"stage": "documents", "outcome": "retry"}')
    told.fact("attempt.failed", '{"stage": "documents", "outcome": "quarantined"}')
    told.fact("attempt.failed", '{"stage": null, "outcome": "retry"}')
    told.fact("mail.draft.created", at=NOW - timedelta(days=40))
    told.tried("done")
    told.tried("retry", "provider_unavailable")
    told.tried("retry", "unknown")
    told.tried("released", "rate_limited")

    async with db.tenant(told.tenant) as tx:
        [found] = (await reads.figures.by_mailbox(tx, NOW - timedelta(days=30))).values()

    assert (1 / 4, 1 / 10, 1 / 10, 1 / 3) == (
        found.draft_rate,
        found.sensitive_rate,
        found.retry_rate,
        found.provider_error_rate,
    )
    assert found.times is not None
    assert (1, 30.0) == (found.times.drafts, round(found.times.median or 0))
    assert 0 == found.operator_actions


async def test_a_rate_of_nothing_is_none_and_another_tenants_facts_do_not_count(db, owner_dsn):
    ours, theirs = Told(owner_dsn), Told(owner_dsn)
    ours.fact("mail.message.received")
    theirs.fact("thread.triaged", '{"action": "draft"}')

    async with db.tenant(ours.tenant) as tx:
        [found] = (await reads.figures.by_mailbox(tx, NOW - timedelta(days=30))).values()

    assert (1, None, None, None) == (
        found.total("received"),
        found.draft_rate,
        found.retry_rate,
        found.provider_error_rate,
    )


class Ask(Job, frozen=True):
    """About a mailbox; fails as its number says."""

    kind: ClassVar[str] = "test.ask"
    mailbox_id: UUID
    number: int


@works(Ask)
async def ask(job: Ask, work: Work[Any]) -> None:
    del work
    if job.number:
        raise Unavailable("The provider is away.") if job.number == 1 else ValueError("A mistake of ours.")


async def test_prometheus_counts_tries_and_what_the_provider_failed_by_mailbox(db, waker, owner_dsn):
    mailbox, tenant = uuid4(), make_tenant(owner_dsn)
    scope = TenantScope(db, waker, lambda fact: [], tenant, "test", lambda: NOW)
    async with scope.finish() as tx:
        await scope.enqueue(tx, *(Ask(mailbox, number) for number in range(3)))
    await Worker(db, waker, Handlers([ask]), lambda fact: [], None).run_until_quiet(idle=0.1)

    def counted(what: str) -> float | None:
        return REGISTRY.get_sample_value("postroom_tries_total", {"mailbox": str(mailbox), "what": what})

    assert (3.0, 1.0) == (counted("all"), counted("provider_error"))


async def test_prometheus_counts_what_was_told_once_it_is_committed(db, waker, owner_dsn):
    tenant, mailbox = make_tenant(owner_dsn), uuid4()
    scope = TenantScope(db, waker, lambda fact: [], tenant, "test", lambda: NOW)
    fact = MessageArrived(
        message_id=uuid4(), mailbox_id=mailbox, thread_id=None, provider_message_id="m", source="push", received_at=NOW
    )

    async def told_in_vain() -> None:
        async with scope.finish() as tx:
            await scope.tell(tx, fact)
            raise RuntimeError("not this time")

    with pytest.raises(RuntimeError, match="not this time"):
        await told_in_vain()
    async with scope.finish() as tx:
        await scope.tell(tx, fact)

    assert 1.0 == REGISTRY.get_sample_value("postroom_mail_total", {"mailbox": str(mailbox), "what": "received"})
