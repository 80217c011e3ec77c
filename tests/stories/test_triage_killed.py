"""`kill -9` at every step of triage: one verdict, one label, and nobody taken for a person who was not there."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator

import pytest

from stories.client_desk import BOX, PROVIDERS, READY, ClientDeskStory, open_client_desk
from stories.killing import presumed_dead
from stories.test_killed import pushed

pytestmark = pytest.mark.programs

STORE = "postroom.rooms.triage.store.threads"
THREADS = {
    "outlook": "postroom.outside.graph.threads:OutlookThreads",
    "gmail": "postroom.outside.gmail.threads:GmailThreads",
}
LABELS = {
    "outlook": "postroom.outside.graph.labels:OutlookLabels",
    "gmail": "postroom.outside.gmail.labels:GmailLabels",
}


def steps(provider: str) -> list[tuple[str, str]]:
    return [
        (f"{THREADS[provider]}.thread", "after"),  # read, nothing written
        (f"{STORE}:put_verdict", "after"),  # judged, not committed
        (f"{STORE}:intend_label", "after"),  # intended, not committed
        (f"{LABELS[provider]}.label_thread", "before"),  # intended and committed
        (f"{LABELS[provider]}.label_thread", "after"),  # labelled, not recorded
        (f"{STORE}:put_label", "after"),  # recorded, not committed
    ]


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        yield opened


@pytest.mark.long
async def test_a_worker_killed_at_any_step_of_triage_leaves_one_verdict_and_one_label(desk, dsn, doomed):
    victims = doomed(desk.office, dsn)
    for number, (where, when) in enumerate(steps(desk.provider), start=1):
        key = desk.delivers(desk.office.mail("Hello, at what time is breakfast served?", to=BOX))
        await desk.office.world.graph.settle() if desk.provider == "outlook" else await pushed(desk.office)

        assert -signal.SIGKILL == await victims.dies(where, when), f"it was not killed {when} {where}"
        presumed_dead(desk.office)
        labelled = "SELECT count(*) FROM postroom.thread_state WHERE label IS NOT NULL"
        await desk.office.works_until(labelled, number, seconds=60)
        await desk.works()

        assert {READY} == desk.labels(key), f"killed {when} {where}"
        assert number == desk.office.count("thread.labelled"), f"killed {when} {where}"
        assert number == desk.office.count("thread.triaged"), f"killed {when} {where}"
        assert 0 == desk.office.count("thread.label_changed_by_person")
