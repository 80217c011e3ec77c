"""Who is woken by a ring: this process at once, the others a moment later, and nobody twice."""

from __future__ import annotations

import asyncio

import pytest

from postroom.engine.waker import BUSY, Waker


class CountedWaker(Waker):
    """Counts how often it wakes this process."""

    woken = 0

    def wake(self) -> None:
        self.woken += 1
        super().wake()

    async def reaches(self, times: int) -> None:
        for _ in range(2000):
            if self.woken >= times:
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"woken {self.woken} times, not {times}")


@pytest.fixture
async def wakers(db):
    made = [CountedWaker(db), CountedWaker(db)]
    for each in made:
        await each.start()
        await each.reaches(1)  # it listens now, and something may have happened before
    yield made
    for each in made:
        await each.stop()


async def test_a_ring_wakes_the_others_and_does_not_come_back(wakers):
    ours, theirs = wakers

    ours.ring()
    await theirs.reaches(2)
    theirs.ring()
    await ours.reaches(3)
    await asyncio.sleep(0.5)  # an echo would be here by now

    assert (3, 3) == (ours.woken, theirs.woken)


async def test_rings_that_follow_each_other_are_passed_on_now_and_then_and_the_last_one_too(wakers):
    ours, theirs = wakers
    loop = asyncio.get_running_loop()
    began = loop.time()

    for _ in range(40):
        ours.ring()
        await asyncio.sleep(0.005)
    took, before_the_last = loop.time() - began, theirs.woken
    ours.ring()
    await theirs.reaches(before_the_last + 1)
    await asyncio.sleep(0.3)

    assert theirs.woken - 1 <= (took + 0.3) / BUSY + 2
