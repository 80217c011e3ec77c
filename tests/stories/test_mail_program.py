"""What a person does with a draft in the mail program is noticed within seconds: by a push, or by looking for it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from postroom.nouns.ids import TenantId
from postroom.rooms.replies import commands
from stories.client_desk import BOX, PROVIDERS, ClientDeskStory, open_client_desk

PAPER = b"# Breakfast\n\nBreakfast is served from 8 to 10 o'clock in the garden room.\n"
QUESTION = "Hello, at what time is breakfast served?"
FOLDERS = "SELECT folder FROM padealing.graph_subscription_state WHERE status = 'active' ORDER BY folder"
TOUCHED = "SELECT count(*) FROM postroom.fact WHERE kind = 'mail.thread.updated' AND body ->> 'what' = %s"
HURRY = "UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'"
CLOSELY = "SELECT count(*) FROM postroom.job WHERE kind = 'sync.follow_outgoing' AND key LIKE '%% closely'"


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        tenant = TenantId(opened.office.ask("SELECT tenant_id FROM postroom.mailbox"))
        scope = opened.office.house.scope(tenant, "person:test")
        await commands.add_evidence(scope, opened.office.house.outside.reader, "house.md", PAPER)
        await opened.switches("drafts")
        yield opened


async def the_draft(desk: ClientDeskStory) -> tuple[str, str]:
    """A question came, and the draft for it stands in the mailbox."""
    key = await desk.receives(QUESTION)
    [draft] = [each for each in desk.person.thread(key) if "words" in each]
    desk.later(seconds=2)
    return key, draft["id"]


def status(desk: ClientDeskStory) -> str:
    return desk.office.ask("SELECT status FROM postroom.draft_revision")


async def test_an_edit_a_discard_and_a_send_are_noticed_by_their_pushes(desk):
    _, first = await the_draft(desk)
    desk.person.edit_draft(first, "At eight, and I keep you a table.")
    await desk.works()
    assert 0 < desk.office.ask(TOUCHED, "drafted")

    desk.later(seconds=2)
    desk.person.send_draft(first)
    await desk.works()
    assert ("sent", 1) == (status(desk), min(1, desk.office.ask(TOUCHED, "sent")))
    assert [] == desk.office.world.recorder.mistakes


async def test_a_discard_is_noticed_by_its_push(desk):
    _, draft = await the_draft(desk)
    desk.person.discard_draft(draft)
    await desk.works()
    assert "discarded" == status(desk)


async def test_what_is_watched_follows_the_switch(desk):
    if desk.provider == "gmail":
        watched = "SELECT folders FROM postroom.gmail_watch_state"
        assert ["served", "sent", "drafts"] == desk.office.ask(watched)
        await desk.switches("off")
        assert ["served"] == desk.office.ask(watched)
        return
    assert [("drafts",), ("sent",), ("served",)] == desk.office.own(FOLDERS)
    states = desk.office.own("SELECT client_state_digest FROM padealing.graph_subscription_state")
    assert 3 == len(set(states))
    await desk.switches("off")
    assert [("served",)] == desk.office.own(FOLDERS)
    now = desk.office.world.clock.time()
    assert 1 == sum(each.expires > now for each in desk.office.world.graph.subscriptions.all.values())


@pytest.mark.parametrize("desk", ["outlook"], indirect=True)  # Gmail has one watch
async def test_a_lost_subscription_of_sent_is_made_anew_and_the_served_one_stays(desk):
    which = "SELECT subscription_id FROM padealing.graph_subscription_state WHERE status = 'active' AND folder = %s"
    served, sent = (desk.office.ask(which, folder) for folder in ("served", "sent"))
    desk.office.world.graph.lifecycle(sent, "subscriptionRemoved")
    await desk.office.world.graph.settle()
    await desk.works()
    assert served == desk.office.ask(which, "served")
    assert desk.office.ask(which, "sent") not in {None, sent}
    assert "active" == desk.office.ask("SELECT status FROM postroom.mailbox WHERE address = %s", BOX)


async def test_where_no_push_comes_a_fresh_draft_is_looked_after_closely_and_then_no_more(desk):
    desk.office.own("UPDATE padealing.graph_subscription_state SET status = 'expired' WHERE folder <> 'served'")
    desk.office.own("UPDATE postroom.gmail_watch_state SET folders = '{served}'")
    desk.office.world.faults.turn(drop=1.0)
    key = desk.delivers(desk.office.mail(QUESTION, to=BOX))
    await desk.a_minute_passes()
    [draft] = [each for each in desk.person.thread(key) if "words" in each]
    assert 1 == desk.office.ask(CLOSELY)

    desk.person.edit_draft(draft["id"], "At eight, and I keep you a table.")
    desk.later(seconds=6)
    desk.office.own(HURRY)
    await desk.works()
    assert 0 < desk.office.ask(TOUCHED, "drafted")

    desk.later(minutes=6)
    desk.office.own(HURRY)
    await desk.works()
    assert 0 == desk.office.ask(CLOSELY)


async def test_where_pushes_come_nobody_looks_closely(desk):
    await the_draft(desk)
    desk.later(seconds=6)
    await desk.works()
    assert 0 == desk.office.ask(CLOSELY)
