"""A mailbox that is throttled: four requests at a time, each of a batch by itself, and whoever was told to wait waits."""

from __future__ import annotations

import asyncio
import itertools
from datetime import timedelta

import pytest

from postroom_simulators import traffic
from simulators.graph.office import ANNA, BERT

ME = f"/users/{ANNA}"


def batch(size: int, url: str = f"{ME}/messages", **more) -> dict:
    return {"requests": [{"id": str(number), "method": "GET", "url": url, **more} for number in range(size)]}


def statuses(answer) -> list[int]:
    return sorted(row["status"] for row in answer.body["responses"])


async def test_a_batch_alone_runs_four_at_a_time_and_stays_within_the_limit(desk):
    answer = await desk.post("/$batch", batch(20))

    assert [200] * 20 == statuses(answer)
    seen = desk.sim.gate.traffic.at(ANNA)
    assert (20, 4, 0) == (seen["requests"], seen["most_in_flight"], seen["throttled"])


async def test_two_batches_at_once_go_over_the_limit_item_by_item(desk):
    desk.sim.faults.turn(slow=1.0, retry_after=10)

    answers = await asyncio.gather(desk.post("/$batch", batch(4)), desk.post("/$batch", batch(4)))

    rows = [row for answer in answers for row in answer.body["responses"]]
    refused = [row for row in rows if row["status"] == 429]
    assert [200, 200] == [answer.status for answer in answers]
    assert 4 == len(refused)
    assert {("ApplicationThrottled", "10")} == {
        (row["body"]["error"]["code"], row["headers"]["Retry-After"]) for row in refused
    }


async def test_a_batch_can_run_all_at_once_as_it_once_did(desk):
    desk.sim.faults.turn(batch_parallel=20, retry_after=10)

    answer = await desk.post("/$batch", batch(6))

    assert [200] * 4 + [429] * 2 == statuses(answer)


async def test_requests_of_a_batch_to_other_mailboxes_do_not_count(desk):
    desk.sim.faults.turn(slow=0.2)
    mixed = batch(4)["requests"] + [{"id": "b", "method": "GET", "url": f"/users/{BERT}/messages"}]

    both = await asyncio.gather(desk.post("/$batch", {"requests": mixed}), desk.get(f"/users/{BERT}/messages"))

    assert [200, 200] == [answer.status for answer in both]
    assert [200] * 5 == statuses(both[0])


async def test_items_in_turn_count_as_one_at_a_time(desk):
    chained = batch(8)["requests"]
    for before, after in itertools.pairwise(chained):
        after["dependsOn"] = [before["id"]]

    answer = await desk.post("/$batch", {"requests": chained})

    assert [200] * 8 == statuses(answer)
    assert 1 == desk.sim.gate.traffic.at(ANNA)["most_in_flight"]


async def test_the_time_to_wait_is_the_mailboxs_and_runs_down(desk):
    desk.sim.faults.turn(throttle=1.0, retry_after=30)
    first = await desk.get(f"{ME}/messages")
    desk.sim.faults.turn(throttle=0.0)

    still = await desk.get(ME)
    other = await desk.get(f"/users/{BERT}")
    desk.sim.clock.advance(timedelta(seconds=20))
    nearly = await desk.get(f"{ME}/messages")
    desk.sim.clock.advance(timedelta(seconds=11))
    at_last = await desk.get(f"{ME}/messages")

    assert ["30", "30"] == [first.headers["Retry-After"], still.headers["Retry-After"]]
    assert 1 <= int(nearly.headers["Retry-After"]) <= 10
    assert [429, 200, 429, 200] == [still.status, other.status, nearly.status, at_last.status]


async def test_another_application_is_not_throttled_with_the_first(desk):
    desk.sim.faults.turn(throttle=1.0, retry_after=30)
    mine = await desk.get(f"{ME}/messages")
    desk.sim.faults.turn(throttle=0.0)

    theirs = await desk.get(f"{ME}/messages", token=desk.sim.issue_token(app="another-app"))

    assert (429, 200) == (mine.status, theirs.status)


async def test_coming_back_too_early_is_counted_but_a_request_already_on_its_way_is_not(desk, monkeypatch):
    desk.sim.faults.turn(throttle=1.0, retry_after=600)
    await desk.get(f"{ME}/messages")
    desk.sim.faults.turn(throttle=0.0)

    monkeypatch.setattr(traffic, "NOTICE", 60.0)
    await desk.get(f"{ME}/messages")
    on_its_way = dict(desk.sim.gate.traffic.at(ANNA))
    monkeypatch.setattr(traffic, "NOTICE", 0.0)
    await desk.get(f"{ME}/messages")
    early = desk.sim.gate.traffic.at(ANNA)

    assert (2, 0) == (on_its_way["throttled"], on_its_way["too_early"])
    assert (3, 1, True) == (early["throttled"], early["too_early"], early["waiting"])


async def test_ten_thousand_requests_make_the_mailbox_wait_till_the_ten_minutes_are_over(desk):
    desk.sim.gate._counted["test-app", desk.sim.mailboxes[ANNA].guid] = (desk.sim.clock.time(), 10_000)

    refused = await desk.get(f"{ME}/messages")

    assert 590 < int(refused.headers["Retry-After"]) <= 600
    assert ["anna@desk.test: more than 10000 requests in ten minutes"] == desk.sim.recorder.mistakes


@pytest.mark.parametrize("path", ["/messages", "/mailFolders/inbox/messages/delta"])
async def test_the_most_in_flight_is_remembered(desk, path):
    desk.sim.faults.turn(slow=1.0)

    await asyncio.gather(*(desk.get(ME + path) for _ in range(3)))
    seen = desk.sim.gate.traffic.at(ANNA)
    desk.sim.gate.traffic.clear()

    assert (3, 3, 0) == (seen["requests"], seen["most_in_flight"], seen["in_flight"])
    assert 0 == desk.sim.gate.traffic.at(ANNA)["most_in_flight"]
