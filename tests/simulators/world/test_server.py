"""`postroom simulate` in a function."""

import asyncio

import pytest

from postroom_simulators.server import serve


async def test_serving_plays_the_scenarios_until_it_is_stopped():
    ready = asyncio.Event()
    worlds = []

    def on_ready(world):
        worlds.append(world)
        ready.set()

    serving = asyncio.create_task(
        serve("127.0.0.1", 0, ["client-service", "accounts-payable"], speed=0, drip=0.05, on_ready=on_ready)
    )
    await asyncio.wait_for(ready.wait(), 10)
    for _ in range(200):
        if (
            len(list(worlds[0].mail_programs())) == 3
            and worlds[0].mail_program("accounts.payable@larkspur.example").counts()["total"] > 15
        ):
            break
        await asyncio.sleep(0.05)
    counts = {desk.address: desk.counts()["total"] for desk in worlds[0].mail_programs()}
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving

    assert counts["service@larkspur-retreats.example"] >= 21
    assert counts["accounts.payable@larkspur.example"] >= 16
    assert "contract.notes@larkspur.example" in counts


async def test_serving_an_unknown_scenario_is_refused_before_anything_starts():
    with pytest.raises(ValueError, match="There is no scenario lunch; choose from dealing-desk"):
        await serve("127.0.0.1", 0, ["lunch"])
