"""When the tests take all work for done: they ask, and wait only for what is due in a moment."""

from __future__ import annotations

import asyncio

import pytest

from engine.office import Note, Sync
from harness import OwnerEyes, work_until_quiet
from postroom.nouns.errors import Throttled


@pytest.fixture
def eyes(owner_dsn) -> OwnerEyes:
    opened = OwnerEyes()
    opened.owner_dsn = owner_dsn
    return opened


async def test_when_all_is_done_nobody_waits_for_silence(office, eyes):
    await office.put(Note("one"), Note("two"))

    async with asyncio.timeout(60):
        await work_until_quiet(office.worker, eyes, idle=600)

    assert ["one", "two"] == sorted(office.diary)


async def test_what_is_due_in_a_moment_is_waited_for(office, eyes):
    office.failing["a"] = [Throttled("wait", retry_after=0.4)]
    await office.put(Sync("a"))

    await work_until_quiet(office.worker, eyes, idle=1)

    assert ["a", "a"] == office.diary


async def test_what_is_on_its_way_is_waited_for(office, eyes):
    async def arrives() -> None:
        await asyncio.sleep(0.1)
        await office.put(Note("late"))

    arriving = asyncio.create_task(arrives())
    await work_until_quiet(office.worker, eyes, idle=1, on_its_way=lambda: not arriving.done())

    assert ["late"] == office.diary
