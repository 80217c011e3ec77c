"""`kill -9` at every step from the bell to "ours, recorded": nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from stories.office import Office

STORE = "postroom.rooms.sync.store"
OUTLOOK = "postroom.outside.graph.provider:OutlookProvider"
STEPS = [
    ("postroom.engine.worker:Worker._run", "before"),  # claimed, nothing done
    (f"{OUTLOOK}.changes", "before"),
    (f"{OUTLOOK}.changes", "after"),  # Graph answered, nothing written
    (f"{STORE}:announce", "after"),  # written, not committed
    (f"{STORE}:move_cursor", "before"),
    (f"{STORE}:move_cursor", "after"),  # all of the page written, not committed
    ("postroom.engine.bell:Bell.ring", "before"),  # committed, nobody woken
    (f"{OUTLOOK}.message", "before"),
    (f"{OUTLOOK}.message", "after"),  # fetched, not kept
    (f"{STORE}:arrive", "before"),
    (f"{STORE}:arrive", "after"),  # kept, not committed
]
TESTS = Path(__file__).parent.parent


async def dies(office: Office, dsn: str, where: str, when: str) -> int:
    settings = office.house.settings
    values = [office.world.base_url, dsn, str(settings.port), str(settings.home), where, when]
    path = {"PYTHONPATH": f"{TESTS}:{TESTS.parent / 'src'}", "PATH": "/usr/bin:/bin"}
    quiet = {"stdout": asyncio.subprocess.DEVNULL, "stderr": asyncio.subprocess.DEVNULL, "env": path}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "stories.doomed", *values, **quiet)
    return await asyncio.wait_for(process.wait(), 60)


def presumed_dead(office: Office) -> None:
    """As the other workers see it when its lease ends."""
    office.tell("UPDATE postroom.worker SET lease_till = now() - interval '1 s'")
    office.tell("SELECT postroom.reap_workers(5)")


@pytest.mark.parametrize("half", [0, 1])
async def test_a_worker_killed_at_any_step_neither_loses_nor_doubles_a_mail(office, dsn, half):
    for number, (where, when) in enumerate(STEPS[half::2], start=1):
        office.receives(2)
        await office.world.graph.settle()

        assert -signal.SIGKILL == await dies(office, dsn, where, when), f"it was not killed {when} {where}"
        presumed_dead(office)
        await office.works_until("SELECT count(*) FROM postroom.message WHERE state = 'arrived'", 2 * number)

        assert 2 * number == office.facts("mail.message.received"), f"killed {when} {where}"
    assert 0 == office.ask("SELECT count(*) FROM postroom.job WHERE state = 5")
    assert office.ask("SELECT sum(messages) FROM postroom.thread") == office.arrived()
