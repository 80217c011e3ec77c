"""From the bell to the draft: one trace, one trail with every id, and the same told to who listens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import aiohttp
import jsonschema
import pytest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from postroom.engine import tracing
from postroom.outside.traces import OtelTracing
from stories.client_desk import BOX, PROVIDERS, ClientDeskStory, open_client_desk
from stories.test_outbox import goes_out, newest, opens, says_yes
from stories.test_replies import QUESTION

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/reference/events.schema.json").read_text("utf-8"))
OF_A_RUN = (
    "mail.processing.enqueued",
    "mail.processing.started",
    "mail.processing.retrieval_completed",
    "mail.processing.ai_completed",
)
WITHOUT_IDS = (
    "SELECT kind, body ->> 'stage' FROM postroom.fact WHERE kind LIKE 'mail.processing.%%' AND body ->> 'stage' = ANY (%s)"
    " AND (mailbox_id IS NULL OR thread_id IS NULL OR message_id IS NULL OR job_id IS NULL OR run_id IS NULL"
    " OR correlation_id IS NULL OR body ->> 'provider_message_id' IS NULL OR body ->> 'provider_thread_id' IS NULL)"
)


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        yield await opens(opened)


async def test_one_trace_leads_from_the_notification_to_the_draft(desk):
    spans = InMemorySpanExporter()
    traces = OtelTracing(spans, at_once=True)
    with tracing.collected_by(traces):
        await desk.receives(QUESTION)
        await desk.office.works_until("SELECT count(*) FROM postroom.draft_revision", 1)
    traces.close()

    told: dict[int, list[str]] = {}
    for span in spans.get_finished_spans():
        told.setdefault(span.context.trace_id, []).append(span.name)
    way = {"notification", "sync.mailbox", "triage.thread", "replies.draft"}
    assert [names for names in told.values() if way <= set(names)], told


async def test_every_run_from_triage_to_the_send_is_on_the_trail_with_every_id(desk):
    await desk.receives(QUESTION)
    proposal = await newest(desk)
    await says_yes(desk, proposal)
    await goes_out(desk)

    for stage, ends in (("triage", "thread.triaged"), ("draft", "mail.draft.created"), ("send", "reply.sent")):
        runs = "SELECT run_id FROM postroom.fact WHERE kind = 'mail.processing.completed' AND body ->> 'stage' = %s"
        told = [
            [row[0] for row in desk.office.own("SELECT kind FROM postroom.fact WHERE run_id = %s ORDER BY id", run)]
            for (run,) in desk.office.own(runs, stage)
        ]
        runs_to_it = [each for each in told if ends in each]
        assert runs_to_it, (stage, told)
        for run in runs_to_it:
            assert list(OF_A_RUN) == [kind for kind in run if kind in OF_A_RUN], stage
            assert "mail.processing.completed" == run[-1], stage
    assert 0 < desk.office.count("mailbox.notification_received")
    assert [] == desk.office.own(WITHOUT_IDS, ["triage", "draft", "send"])


async def test_who_listens_to_the_stream_hears_the_canonical_events_as_the_schema_says(desk):
    headers = {"Authorization": f"Bearer {await desk.office.key()}"}
    heard: list[dict[str, object]] = []
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"{desk.office.url}/api/v1/events/mail", headers=headers) as stream,
    ):
        assert (200, "text/event-stream") == (stream.status, stream.content_type)
        await stream.content.readline()
        await desk.receives(QUESTION)
        await desk.office.works_until("SELECT count(*) FROM postroom.draft_revision", 1)
        async with asyncio.timeout(60):
            while "mail.draft.created" not in [each["type"] for each in heard]:
                line = await stream.content.readline()
                if line.startswith(b"data:") and (event := json.loads(line[5:])).get("type"):
                    heard.append(event)

    for event in heard:
        jsonschema.validate(event, SCHEMA)
    cursor = "gmail_history_id" if desk.provider == "gmail" else "outlook_change_key"
    [received] = [each for each in heard if each["type"] == "mail.message.received"]
    assert received[cursor]
    types = [each["type"] for each in heard]
    order = ["mail.message.received", "mail.processing.started", "mail.processing.completed", "mail.draft.created"]
    assert sorted(map(types.index, order[:2])) == [types.index(each) for each in order[:2]]
    assert set(order) <= set(types)
    box = desk.office.ask("SELECT id FROM postroom.mailbox WHERE address = %s", BOX)
    assert {str(box)} == {each["mailbox_id"] for each in heard}
