"""Traces: one from the act to what came of it, across processes; nothing at all when nobody collects them."""

from __future__ import annotations

from datetime import UTC, datetime

import psycopg
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from engine.office import Sync
from makers import make_tenant
from postroom.engine import tracing
from postroom.engine.work import TenantScope, Work
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.facts import Counted
from postroom.outside.traces import OtelTracing


@works(Sync)
async def sync_then_again(job: Sync, work: Work) -> None:
    async with work.finish() as tx:
        if job.mailbox == "a":
            await work.enqueue(tx, Sync("b"))


def now() -> datetime:
    return datetime.now(UTC)


async def run(db, waker, owner_dsn) -> list[dict]:
    tenant = make_tenant(owner_dsn)
    scope = TenantScope(db, waker, lambda fact: [Sync("a")], tenant, "test", now)
    with tracing.span("act", None, {}):
        async with scope.finish() as tx:
            await scope.tell(tx, Counted(number=1))
    with psycopg.connect(owner_dsn) as owner:
        args = [row[0] for row in owner.execute("SELECT args FROM postroom.job").fetchall()]
    await Worker(db, waker, Handlers([sync_then_again]), lambda fact: [], None, clock=now).run_until_quiet()
    return args


async def test_jobs_belong_to_the_trace_of_what_set_them_in_motion(db, waker, owner_dsn):
    spans = InMemorySpanExporter()
    traces = OtelTracing(spans, at_once=True)
    with tracing.collected_by(traces):
        await run(db, waker, owner_dsn)
    traces.close()

    made = {span.attributes.get("postroom.job", "act"): span for span in spans.get_finished_spans()}
    assert 3 == len(made)
    assert 1 == len({span.context.trace_id for span in made.values()})
    act, first, second = sorted(made.values(), key=lambda span: span.start_time)
    assert (act.context.span_id, first.context.span_id) == (first.parent.span_id, second.parent.span_id)


async def test_without_a_collector_nothing_is_carried(db, waker, owner_dsn):
    [args] = await run(db, waker, owner_dsn)

    assert tracing.CARRIED not in args
