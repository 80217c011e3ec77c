"""Who is woken by a ring: this process at once, the others a moment later, and nobody twice."""

from __future__ import annotations

import asyncio

import pytest

from postroom.engine.waker import Waker


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
