"""Genuine notifications whose clientState arrives as null are told from forged ones by the key in their URL."""

from __future__ import annotations

import pytest

from stories.office import DESK

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"


def subscription(office):
    [found] = [each for each in office.world.graph.subscriptions.all.values() if each.mailbox.address == DESK]
    return found


async def test_a_null_state_with_the_right_key_is_taken_also_after_a_renewal(office):
    office.world.faults.turn(null_client_state=1.0)
    office.receives(1)
    await office.works_until(HELD, 1)

    office.own("UPDATE padealing.graph_subscription_state SET expiration_datetime = now() + interval '1 hour'")
    first = subscription(office).url
    await office.fires_the_timetable("keep watches")
    await office.works()
    assert first != subscription(office).url
    office.receives(1)
    await office.works_until(HELD, 2)

    assert 0 == office.count("security.event")
    assert 2 <= office.ask("SELECT pushes FROM postroom.mailbox_push")


@pytest.mark.parametrize(
    ("state", "key", "status"),
    [
        ("null", "right", 202),
        ("null", "wrong", 401),
        ("null", "none", 401),
        ("wrong", "right", 401),
        ("right", "none", 202),
    ],
)
async def test_only_the_right_key_stands_in_for_a_state_that_was_not_said(office, state, key, status):
    one = subscription(office)
    states = {"null": None, "wrong": "forged", "right": one.client_state}
    query = {"right": "?" + one.url.partition("?")[2], "wrong": "?key=forged", "none": ""}[key]
    item = {"subscriptionId": one.id, "changeType": "created", "clientState": states[state], "resource": "x"}

    found, _ = await office.post(f"/api/graph/notifications{query}", json={"value": [item]})

    assert status == found


async def test_the_key_stands_nowhere_in_the_database(office):
    key = subscription(office).url.partition("key=")[2]

    shown = office.ask("SELECT row_to_json(s)::text FROM padealing.graph_subscription_state s")

    assert (True, False) == (len(key) >= 40, key in shown)


async def test_a_lifecycle_event_with_a_null_state_is_taken(office):
    office.world.faults.turn(null_client_state=1.0)
    office.world.graph.lifecycle(subscription(office).id, "reauthorizationRequired")
    await office.world.graph.settle()
    await office.works()

    assert 1 == office.count("watch.lifecycle")
