"""What was put aside, and trying it again."""

from __future__ import annotations

import asyncio
import json
import re

import aiohttp
import pytest

from doors.console.place import Place, put_aside
from postroom.doors.console import words
from postroom.engine import queue as lanes


async def test_what_was_put_aside_is_tried_again_one_or_many(place: Place):
    admin = await place.come_in()
    jobs = [await put_aside(place, number) for number in range(4)]
    assert "The provider gave up." in (await admin.get("/attempts"))[1]

    one = await admin.post(f"/attempts/{jobs[0]}/retry")
    many = await admin.post("/attempts/retry", aiohttp.FormData([("job", str(job)) for job in [*jobs[1:3], 999_999]]))
    none = await admin.post("/attempts/retry")

    assert (200, 200, 400) == (one.status, many.status, none.status)
    assert "2 jobs tried again now." == json.loads(many.headers["HX-Trigger"])["toast"]["text"]
    assert "1 had moved on already." in await many.text()
    async with place.house.db.tenant(place.tenant) as tx:
        assert {"quarantined": 1, "ready": 3} == {
            state: len(await lanes.jobs(tx, states=[state])) for state in ("quarantined", "ready")
        }
    assert 3 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'attempt.manual_retry_requested'")


async def test_all_that_failed_is_tried_again_and_followed_to_the_end(place: Place):
    admin = await place.come_in()
    for number in range(6):
        await put_aside(place, number)
    answer = await admin.post("/attempts/retry", {"every": "yes"})
    page = await answer.text()
    batch = re.search(r'data-progress="([^"]+)"', page)
    assert batch
    assert "0 of 6 done" in page

    async def texts() -> list[str]:
        async with admin.session.get(place.url + batch[1]) as stream:
            assert "text/event-stream" == stream.content_type
            lines = [line.decode() async for line in stream.content]  # it ends by itself
        return [json.loads(line.removeprefix("data: "))["text"] for line in lines if line.startswith("data: ")]

    async with asyncio.timeout(30):
        following = asyncio.create_task(texts())
        await asyncio.sleep(0.3)
        await place.works()
        seen = await following
    assert ("0 of 6 done", "All 6 done.") == (seen[0], seen[-1])
    stranger = await place.come_in("admin", await place.tenant_named("other"))
    assert 404 == (await stranger.raw("GET", batch[1])).status
    assert 404 == (await admin.raw("GET", "/attempts/batches/nonsense")).status


@pytest.mark.parametrize(
    ("done", "failed", "later", "expected"),
    [
        (0, 0, 0, "0 of 40 done"),
        (12, 3, 0, "12 of 40 done, 3 failed"),
        (12, 0, 2, "12 of 40 done, 2 tried again later"),
        (37, 1, 2, "37 of 40 done, 1 failed, 2 tried again later"),
        (40, 0, 0, "All 40 done."),
    ],
)
def test_how_far_it_has_come_is_said_in_words(done, failed, later, expected):
    assert expected == words.progress(40, done, failed, later)
