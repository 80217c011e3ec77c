"""News for open pages."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from uuid import uuid4

import pytest

from doors.console.place import Browser, Place
from makers import settle
from postroom.doors.console.topics import topics
from postroom.nouns import facts
from postroom.rooms.tenants import commands as tenants


async def read_events(browser: Browser, path: str, count: int, **headers: str) -> list[tuple[str, str, str]]:
    """The first events of a stream as (id, name, data)."""
    found: list[tuple[str, str, str]] = []
    async with browser.session.get(
        browser.url + path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    ) as answer:
        assert "text/event-stream" == answer.content_type
        block: dict[str, str] = {}
        async with asyncio.timeout(20):
            async for raw in answer.content:
                line = raw.decode().rstrip("\n")
                if line:
                    name, _, value = line.partition(": ")
                    block[name] = value
                    continue
                if "data" in block:
                    found.append((block["id"], block["event"], block["data"]))
                block = {}
                if len(found) == count:
                    return found
    return found


async def note(place: Place, what: str) -> None:
    scope = place.house.scope(place.tenant, "test")
    async with scope.finish() as tx:
        await scope.tell(tx, facts.DocumentUploaded(document_id=uuid4(), filename=what, size=1))


async def test_news_goes_on_where_the_connection_was_lost(place: Place):
    viewer = await place.come_in("viewer")
    await settle(place.owner_dsn)  # coming in is told too
    ((start, name, _),) = await read_events(viewer, "/live", 1)
    assert "open" == name
    await note(place, "first")
    news = await read_events(viewer, f"/live?after={start}", 2)
    await note(place, "missed")
    later = await read_events(viewer, "/live", 2, Last_Event_ID=news[1][0])

    assert {"activity": 1, "documents": 1, "messages": 1} == json.loads(news[1][2])
    assert {"activity": 1, "documents": 1, "messages": 1} == json.loads(later[1][2])
    assert 400 == (await viewer.raw("GET", "/live?after=nonsense")).status


async def test_whoever_is_far_behind_hears_that_everything_is_old(place: Place):
    viewer = await place.come_in("viewer")
    scope = place.house.scope(place.tenant, "test")
    async with scope.finish() as tx:
        for _ in range(250):
            await scope.tell(tx, facts.SecurityNoted(what="x", source=""))
    await settle(place.owner_dsn)
    ((_, _, _), (position, name, data)) = await read_events(viewer, "/live?after=0-0", 2)

    assert "news" == name
    assert {"documents", "messages", "mailboxes", "trades"} <= set(json.loads(data))
    assert int(position.partition("-")[2]) == place.ask("SELECT max(id) FROM postroom.fact")


async def test_a_tab_that_was_open_on_another_database_hears_that_everything_is_old_and_then_the_news(place: Place):
    viewer = await place.come_in("viewer")
    await settle(place.owner_dsn)  # coming in is told too
    ((_, _, _), (position, name, data)) = await read_events(viewer, "/live", 2, Last_Event_ID="999999999-17")
    await note(place, "new")
    later = await read_events(viewer, "/live", 2, Last_Event_ID=position)

    assert "news" == name
    assert {"documents", "messages", "mailboxes", "trades"} <= set(json.loads(data))
    assert {"activity": 1, "documents": 1, "messages": 1} == json.loads(later[1][2])


async def test_another_tenant_hears_nothing(place: Place):
    stranger = await place.come_in("viewer", await place.tenant_named("other"))
    await settle(place.owner_dsn)  # coming in is told too
    ((start, _, _),) = await read_events(stranger, "/live", 1)
    await note(place, "ours")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(2):
            await read_events(stranger, f"/live?after={start}", 2)


async def _until_silent(browser: Browser, start: str, heard: asyncio.Event) -> list[str]:
    """The names of all events until the stream ends by itself."""
    names = []
    async with browser.session.get(f"{browser.url}/live?after={start}") as answer, asyncio.timeout(20):
        async for raw in answer.content:
            line = raw.decode().strip()
            if line.startswith("event: "):
                names.append(line.removeprefix("event: "))
                heard.set()
    return names


async def test_whoever_is_shut_out_hears_nothing_more(place: Place):
    await place.come_in("admin")
    for way in ("shut out", "session ended"):
        viewer = await place.come_in("viewer")
        await settle(place.owner_dsn)
        ((start, _, _),) = await read_events(viewer, "/live", 1)
        heard = asyncio.Event()
        listening = asyncio.create_task(_until_silent(viewer, start, heard))
        await heard.wait()
        scope = place.house.scope(place.tenant, "test")
        email = place.ask(
            "SELECT p.email FROM postroom.person p WHERE role = 'viewer' ORDER BY created_at DESC LIMIT 1"
        )
        if way == "shut out":
            await tenants.change_person(scope, email, disabled=True)
        else:
            session = place.ask(
                "SELECT s.id FROM postroom.session s JOIN postroom.person p ON p.id = s.person_id WHERE p.email = %s",
                email,
            )
            await tenants.end_session(scope, session, None)
        await note(place, "secret")
        assert ["open"] == await listening


@pytest.mark.parametrize(
    ("kind", "old"),
    [
        ("mailbox.sending_switched", {"activity", "mailboxes", "proposals"}),
        ("mailbox.paused", {"activity", "mailboxes"}),
        ("proposal.approved", {"activity", "proposals", "threads"}),
    ],
)
def test_a_fact_makes_the_pages_old_that_show_it(kind, old):
    assert old == set(topics([SimpleNamespace(kind=kind)]))
