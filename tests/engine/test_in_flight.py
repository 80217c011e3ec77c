"""The budget of bytes in flight: large mails wait for each other, small ones for nobody."""

from __future__ import annotations

import asyncio
import contextlib

import pytest

from postroom.engine.in_flight import UNCOUNTED_BYTES, BytesInFlight

MB = 1 << 20


class Carrier:
    """Holds a mail of some size until it is told to let go."""

    def __init__(self, budget: BytesInFlight, *sizes: int) -> None:
        self.in_hand, self._done = asyncio.Event(), asyncio.Event()
        self.task = asyncio.create_task(self._carry(budget, sizes))

    async def _carry(self, budget: BytesInFlight, sizes: tuple[int, ...]) -> None:
        async with budget.hold():
            for size in sizes:
                await budget.admit(size)
            self.in_hand.set()
            await self._done.wait()

    async def lets_go(self) -> None:
        self._done.set()
        await self.task

    async def is_in(self) -> bool:
        for _ in range(5):
            await asyncio.sleep(0)
        return self.in_hand.is_set()


async def test_large_mails_wait_for_room_and_come_in_the_order_they_came():
    budget = BytesInFlight(32 * MB)
    first, second, third = (Carrier(budget, size * MB) for size in (24, 20, 2))

    assert [True, False, False] == [await each.is_in() for each in (first, second, third)]
    await first.lets_go()
    assert [True, True] == [await second.is_in(), await third.is_in()]
    assert 22 * MB == budget.used
    await second.lets_go()
    await third.lets_go()

    assert 0 == budget.used


async def test_a_small_mail_is_not_counted():
    budget = BytesInFlight(MB)
    large, small = Carrier(budget, 8 * MB), Carrier(budget, UNCOUNTED_BYTES)

    assert [True, True] == [await large.is_in(), await small.is_in()]
    await large.lets_go()
    await small.lets_go()


async def test_one_that_is_larger_than_the_budget_goes_alone():
    budget = BytesInFlight(8 * MB)
    huge, other = Carrier(budget, 24 * MB), Carrier(budget, MB)

    assert [True, False] == [await huge.is_in(), await other.is_in()]
    await huge.lets_go()
    assert await other.is_in()
    await other.lets_go()


async def test_what_is_held_already_is_counted_once_and_waits_for_nobody():
    """Else two who hold some and wait for more would wait for each other."""
    budget = BytesInFlight(32 * MB)
    one, other = Carrier(budget, 10 * MB, 10 * MB, 20 * MB), Carrier(budget, 10 * MB, 24 * MB)

    assert [True, True] == [await one.is_in(), await other.is_in()]
    assert 44 * MB == budget.used
    await one.lets_go()
    await other.lets_go()
    assert 0 == budget.used


async def test_outside_of_a_mail_nothing_is_counted():
    budget = BytesInFlight(MB)

    await budget.admit(100 * MB)

    assert 0 == budget.used


@pytest.mark.parametrize("let_in", [False, True])
async def test_one_that_gives_up_leaves_its_place_to_the_next(let_in):
    budget = BytesInFlight(32 * MB)
    first, second, third = (Carrier(budget, size * MB) for size in (24, 30, 4))
    assert not await second.is_in()
    if let_in:
        first.task.cancel()
    second.task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await second.task

    assert await third.is_in()
    with contextlib.suppress(asyncio.CancelledError):
        await (first.task if let_in else first.lets_go())
    await third.lets_go()
    assert 0 == budget.used
