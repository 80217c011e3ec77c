"""The trail: searched, exported, proved."""

from __future__ import annotations

import json

from doors.console.place import Place
from makers import settle
from postroom.nouns import facts


async def test_the_trail_is_searched_exported_and_verified(place: Place):
    admin = await place.come_in()
    scope = place.house.scope(place.tenant, "person:anna@larkspur.example")
    async with scope.finish() as tx:
        for number in range(3):
            await scope.tell(tx, facts.SecurityNoted(what=f"needle {number}", source="9.9.9.9"))
    await settle(place.owner_dsn)
    await place.house.trail.seal(place.tenant)
    _, found = await admin.get("/audit?q=needle%201&actor=anna&kind=security.event")
    exported = await admin.raw("GET", "/audit/export")
    lines = [json.loads(line) for line in (await exported.text()).splitlines()]
    verified = await (await admin.post("/audit/verify")).text()

    assert "Needle 1" in found
    assert "Needle 2" not in found
    assert place.ask("SELECT count(*) FROM postroom.fact") == len(lines) + 0
    assert {"kind", "actor", "digest", "position", "body"} <= set(lines[0])
    assert "The trail holds." in verified

    place.own(
        "ALTER TABLE postroom.fact DISABLE TRIGGER USER; UPDATE postroom.fact SET body = jsonb_set(body, '{source}', '\"1.1.1.1\"') WHERE body ->> 'what' = 'needle 1'"
    )
    assert "was changed" in await (await admin.post("/audit/verify")).text()
