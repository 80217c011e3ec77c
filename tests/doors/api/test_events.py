"""Events: as they happen, and none lost over a broken connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator

import httpx
import psycopg

from doors.api.filling import PDF
from postroom.doors import sse


async def events(client: httpx.AsyncClient, url: str, **options) -> AsyncIterator[dict]:
    """The events of a stream that have data; the first thing yielded says that it is open."""
    async with client.stream("GET", url, **options) as answer:
        assert 200 == answer.status_code
        assert answer.headers["content-type"].startswith("text/event-stream")
        seen: dict = {}
        async for line in answer.aiter_lines():
            name, _, value = line.partition(": ")
            if name in {"id", "event", "data"}:
                seen[name] = value
            elif name == "retry":
                yield {"open": True}
            elif not line and "data" in seen:
                yield seen
                seen = {}


async def test_a_fact_comes_as_it_is_told(api):
    stream = events(api.by("viewer"), "/events", params={"kind": "mailbox"})
    assert {"open": True} == await anext(stream)
    await api.by("operator").post(f"/mailboxes/{api.ours['mailbox_id']}/pause")
    seen = await anext(stream)
    assert "mailbox.paused" == seen["event"]
    assert (seen["id"], str(api.ours["mailbox_id"])) == (
        json.loads(seen["data"])["position"],
        json.loads(seen["data"])["mailbox_id"],
    )
    await stream.aclose()


async def test_whoever_comes_back_hears_what_was_told_meanwhile_and_nothing_twice(api):
    mailbox = f"/mailboxes/{api.ours['mailbox_id']}"
    await api.by("operator").post(f"{mailbox}/pause")
    first = (await api.get("/facts", kind="mailbox.paused"))["items"][0]["position"]
    await api.by("operator").post(f"{mailbox}/resume")
    await api.by("operator").post(f"{mailbox}/pause")
    for how in ({"headers": {"Last-Event-ID": first}}, {"params": {"after": first}}):
        stream = events(api.by("viewer"), "/events", **how)
        await anext(stream)
        assert ["mailbox.resumed", "mailbox.paused"] == [(await anext(stream))["event"] for _ in range(2)]
        await stream.aclose()


async def test_another_tenants_facts_are_not_told(api):
    theirs = api.by(await api.key("operator", tenant=api.theirs.tenant_id))
    stream = events(api.by("viewer"), "/events", params={"after": "0-0", "kind": "mailbox"})
    await anext(stream)
    await theirs.post(f"/mailboxes/{api.theirs['mailbox_id']}/pause")
    await api.by("operator").post(f"/mailboxes/{api.ours['mailbox_id']}/pause")
    assert str(api.ours["mailbox_id"]) == json.loads((await anext(stream))["data"])["mailbox_id"]
    await stream.aclose()


async def test_documents_have_a_stream_of_their_own(api):
    stream = events(api.by("viewer"), f"{api.url}/documents/events")
    await anext(stream)
    await api.by("operator").post(f"/mailboxes/{api.ours['mailbox_id']}/pause")
    made = await api.by("operator").post("/documents", files={"file": ("live.pdf", PDF)})
    seen = await anext(stream)
    assert ("document.uploaded", made.json()["id"]) == (seen["event"], json.loads(seen["data"])["document_id"])
    await stream.aclose()


async def test_a_position_that_is_none_is_refused(api):
    assert 422 == (await api.by("viewer").get("/events", headers={"Last-Event-ID": "yesterday"})).status_code


async def test_a_position_that_the_feed_has_not_come_to_is_refused_instead_of_waited_for(api):
    for path in ("/events", f"{api.url}/documents/events", "/events/mail"):
        answer = await api.by("viewer").get(path, params={"after": "999999999-17"})
        assert 400 == answer.status_code
        assert "The feed has not come to 999999999-17 yet" in answer.json()["detail"]


async def test_a_revoked_key_hears_nothing_more(api):
    made = (await api.by("admin").post("/keys", json={"name": "listener", "role": "viewer"})).json()
    stream = events(api.by(made["key"]), "/events", params={"kind": "mailbox"})
    await anext(stream)
    await api.by("admin").post(f"/keys/{made['id']}/revoke")
    await api.by("operator").post(f"/mailboxes/{api.ours['mailbox_id']}/pause")
    async with asyncio.timeout(20):
        assert [] == [seen async for seen in stream]


async def test_an_expired_key_hears_nothing_more(api, monkeypatch):
    monkeypatch.setattr(sse, "CHECK_EVERY_SECONDS", 0.1)
    made = (await api.by("admin").post("/keys", json={"name": "listener", "role": "viewer", "days": 1})).json()
    stream = events(api.by(made["key"]), "/events", params={"kind": "nothing"})
    await anext(stream)
    with psycopg.connect(api.owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.api_key SET expires_at = now() WHERE id = %s", [made["id"]])
    async with asyncio.timeout(20):
        assert [] == [seen async for seen in stream]


async def test_streams_end_when_the_process_stops(api):
    stream = events(api.by("viewer"), "/events", params={"kind": "nothing"})
    await anext(stream)
    api.app.state.streams.close()
    async with asyncio.timeout(20):
        assert [] == [seen async for seen in stream]
