"""What was put aside, and trying it again."""

from __future__ import annotations

import json

import aiohttp

from doors.console.place import Place, put_aside
from postroom.engine import lanes


async def test_what_was_put_aside_is_tried_again_one_or_many(place: Place):
    admin = await place.come_in()
    jobs = [await put_aside(place, number) for number in range(4)]
    assert "The provider gave up." in (await admin.get("/attempts"))[1]

    one = await admin.post(f"/attempts/{jobs[0]}/retry")
    many = await admin.post("/attempts/retry", aiohttp.FormData([("job", str(job)) for job in [*jobs[1:3], 999_999]]))
    none = await admin.post("/attempts/retry")

    assert (200, 200, 400) == (one.status, many.status, none.status)
    assert "2 tried again now. 1 had moved on already." in json.loads(many.headers["HX-Trigger"])["toast"]["text"]
    async with place.house.db.tenant(place.tenant) as tx:
        assert {"quarantined": 1, "ready": 3} == {
            state: len(await lanes.jobs(tx, states=[state])) for state in ("quarantined", "ready")
        }
    assert 3 == place.ask("SELECT count(*) FROM postroom.fact WHERE kind = 'attempt.manual_retry_requested'")
