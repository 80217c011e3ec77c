"""Compares what is expected with what is there, and says what to do about each difference."""

from __future__ import annotations

from collections.abc import AsyncIterator

from postroom.app.house import House
from postroom.chores.doctor import house as ours
from postroom.chores.doctor import mailboxes, providers
from postroom.chores.doctor.bundle import bundle
from postroom.chores.doctor.findings import Finding
from postroom.db.errors import DatabaseError
from postroom.nouns.errors import PostroomError

__all__ = ["Finding", "bundle", "examine"]

PARTS = (
    ours.database,
    ours.workers,
    ours.home,
    ours.archive,
    ours.readers,
    ours.encoder,
    ours.port,
    ours.address,
    ours.proxies,
    providers.outlook,
    providers.gmail,
    providers.pubsub,
    mailboxes.mailboxes,
)


async def examine(house: House) -> list[Finding]:
    return [finding async for finding in _all(house)]


async def _all(house: House) -> AsyncIterator[Finding]:
    for part in PARTS:
        try:
            async for finding in part(house):
                yield finding
        except (PostroomError, DatabaseError, OSError) as problem:
            yield Finding(part.__name__, "wrong", "an answer", type(problem).__name__, str(problem))
