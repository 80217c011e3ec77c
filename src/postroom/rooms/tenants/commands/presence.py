"""Who looks at which item of work right now: no fact, and forgotten within a minute."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta

from postroom.engine.work import TenantScope
from postroom.nouns.errors import BadRequest
from postroom.rooms.tenants import store

LASTS = timedelta(seconds=15)  # pages say every few seconds that they are still open
FORGOTTEN_AFTER = timedelta(minutes=1)
ITEM = re.compile(r"[a-z_]{1,40}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


async def look(who: TenantScope, item: str) -> Sequence[str]:
    """Say that we look at an item, such as `document:<its id>`; the names of the others who do."""
    _known(item)
    async with who.finish() as tx:
        await store.forget_presence(tx, who.now - FORGOTTEN_AFTER)
        await store.look(tx, who.tenant_id, item, who.actor, who.now)
        return await store.others_looking(tx, item, who.actor, who.now - LASTS)


async def look_away(who: TenantScope, item: str) -> None:
    _known(item)
    async with who.finish() as tx:
        await store.look_away(tx, item, who.actor)


def _known(item: str) -> None:
    if not ITEM.fullmatch(item):
        raise BadRequest(f"{item[:80]!r} is not an item: write its kind, a colon and its id.")
