"""Microsoft's webhooks: what it says about the subscription itself."""

from __future__ import annotations

from datetime import timedelta

import pytest

from doors.webhooks.doorstep import GRAPH


@pytest.mark.parametrize(
    ("event", "jobs"),
    [
        ("reauthorizationRequired", {"mailboxes.keep_watch"}),
        ("subscriptionRemoved", {"mailboxes.keep_watch", "sync.mailbox", "sync.reconcile"}),
        ("missed", {"sync.mailbox", "sync.reconcile"}),
    ],
)
async def test_a_lifecycle_event_acts_at_once_on_whichever_address_it_comes(doorstep, event, jobs):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    said = {"subscriptionId": "s-1", "clientState": doorstep.states["s-1"], "lifecycleEvent": event}

    for path in GRAPH[:2]:
        answer = await doorstep.notifies({**said, "organizationId": "o", "resource": "", "resourceData": {}}, path=path)

        assert 202 == answer.status_code
        assert {(kind,) for kind in jobs} == set(doorstep.own("SELECT kind FROM postroom.job"))
        question = "SELECT body ->> 'event' FROM postroom.fact WHERE kind = 'watch.lifecycle' ORDER BY id DESC LIMIT 1"
        assert event == doorstep.ask(question)
        doorstep.own("DELETE FROM postroom.job")


async def test_a_lifecycle_event_with_a_wrong_state_is_refused_like_any_other(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")

    item = {"subscriptionId": "s-1", "clientState": "no", "lifecycleEvent": "subscriptionRemoved"}

    assert 401 == (await doorstep.notifies(item, path=GRAPH[1])).status_code
    assert 0 == doorstep.jobs()


async def test_missed_says_since_when_and_that_range_is_looked_at(doorstep):
    await doorstep.has_mailbox("a@desk.test", "s-1")
    await doorstep.notifies(doorstep.item("s-1"))
    heard = doorstep.ask("SELECT last_push_at FROM postroom.mailbox_push")
    doorstep.world.clock.advance(timedelta(hours=2))

    said = {"subscriptionId": "s-1", "clientState": doorstep.states["s-1"], "lifecycleEvent": "missed"}
    await doorstep.notifies(said, path=GRAPH[1])

    question = "SELECT (body ->> 'since')::timestamptz FROM postroom.fact WHERE kind = 'watch.lifecycle'"
    assert heard == doorstep.ask(question)
    assert heard == doorstep.ask(
        "SELECT (args ->> 'since')::timestamptz FROM postroom.job WHERE kind = 'sync.reconcile'"
    )
