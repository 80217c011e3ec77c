"""The clock of our machine jumps a day ahead and back while the provider's goes on: every mail once, one draft, one send."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import pytest

from stories.client_desk import PROVIDERS, ClientDeskStory, open_client_desk
from stories.test_outbox import again, goes_out, opens, says_yes, sent
from stories.test_replies import QUESTION, drafts


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        yield await opens(opened)


async def proposed(desk: ClientDeskStory, subject: str) -> dict[str, Any]:
    """The list goes by our clock."""
    listed = (await desk.asks("GET", "/proposals?limit=50"))[1]["items"]
    return next(each for each in listed if each["subject"] == f"Re: {subject}")


async def an_hour_passes(desk: ClientDeskStory) -> None:
    desk.later(hours=1)
    desk.office.own("UPDATE postroom.mailbox_cursor SET outgoing_at = outgoing_at - interval '1 hour'")
    await desk.office.fires_the_timetable("poll", "watches", "reconcile")
    await goes_out(desk)


@pytest.mark.parametrize("jump", [timedelta(hours=1), timedelta(days=1)], ids=["an hour", "a day"])
async def test_every_mail_has_one_draft_and_one_send_on_a_day_when_the_clock_jumps(desk, jump):
    keys = [await desk.receives(QUESTION, subject="Before")]
    before = await proposed(desk, "Before")
    desk.office.clock.ahead = jump
    keys.append(await desk.receives(QUESTION, subject="Ahead"))
    await desk.a_minute_passes()  # a push from Google is signed for minutes, which are over by our clock
    ahead = await proposed(desk, "Ahead")
    assert [200, 200] == [await says_yes(desk, each) for each in (before, ahead)]
    desk.office.clock.ahead = timedelta(0)  # put right before anything went out
    keys.append(await desk.receives(QUESTION, subject="Put right"))
    last = await proposed(desk, "Put right")
    assert 200 == await says_yes(desk, last)
    for _ in range(3):
        await an_hour_passes(desk)
    assert "sent" == (await again(desk, last))["status"]
    desk.later(days=1)
    await an_hour_passes(desk)

    assert ["sent"] * 3 == [(await again(desk, each))["status"] for each in (before, ahead, last)]
    assert ["Re: Ahead", "Re: Before", "Re: Put right"] == sorted(each["subject"] for each in sent(desk))
    assert [[]] * 3 == [drafts(desk, each) for each in keys]
    known = "SELECT count(*) FROM postroom.message WHERE state = 'arrived' AND provider_message_id = ANY (%s)"
    assert len(keys) == desk.office.ask(known, keys)
    assert 0 == desk.office.ask("SELECT count(*) FROM postroom.job WHERE state IN ('quarantined', 'parked')")


async def test_a_mailbox_that_was_kept_by_a_wrong_clock_is_read_on_after_it_was_put_right(desk):
    desk.office.clock.ahead = timedelta(days=1)
    for _ in range(3):
        await an_hour_passes(desk)  # watches are kept, cursors moved, coverage told by a clock that is wrong
    desk.office.clock.ahead = timedelta(0)

    desk.office.world.faults.turn(drop=1.0)  # no push: only what is looked at every minute
    keys = [desk.delivers(desk.office.mail(QUESTION, to="service@larkspur-retreats.example")) for _ in range(3)]
    for _ in range(3):
        await an_hour_passes(desk)

    assert [1, 1, 1] == [len(drafts(desk, each)) for each in keys]
    assert "active" == desk.office.ask("SELECT status FROM postroom.mailbox")
