"""PostgreSQL is killed in the middle of a send: never two mails, never other words, and it ends sent or unknown."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import AsyncIterator

import pytest

from postroom.db.errors import DatabaseError
from stories.client_desk import PROVIDERS, ClientDeskStory, open_client_desk
from stories.killing import presumed_dead
from stories.mortal_server import once
from stories.test_outbox import again, goes_out, newest, opens, says_yes, sent
from stories.test_outbox_killed import ADAPTERS, ROOM
from stories.test_replies import QUESTION

STEPS = [
    (f"{ROOM}.jobs.sending:prepare", "after", "postmaster"),
    (f"{ROOM}.store.sending:begin", "after", "backend"),  # begun, not committed
    ("{sender}.send_draft", "before", "postmaster"),  # committed, the provider was not asked
    ("{sender}.send_draft", "after", "backend"),  # sent, and the database is away when it is to be recorded
    ("{sender}.send_draft", "after", "postmaster"),
    (f"{ROOM}.telling:sent", "after", "postmaster"),  # recorded, not committed
]


@pytest.fixture(params=PROVIDERS)
async def desk(request, own_server, tmp_path) -> AsyncIterator[ClientDeskStory]:
    dsn = own_server.server.dsn(user="postroom")
    async with open_client_desk(dsn, own_server.server.dsn(), str(tmp_path), request.param) as opened:
        yield await opens(opened)


async def goes_on(desk: ClientDeskStory) -> None:
    """The worker, and after it died of the database's death the next one."""
    for seconds in (2, 20, 20, 60, 60):
        with contextlib.suppress(DatabaseError):
            await goes_out(desk, seconds=seconds)
        presumed_dead(desk.office)


@pytest.mark.long
@pytest.mark.timeout(600)
async def test_the_death_of_the_database_sends_nothing_twice_and_loses_nothing(desk, own_server, monkeypatch):
    for number, (where, when, victim) in enumerate(STEPS, start=1):
        desk.office.own("DELETE FROM postroom.provider_quota")
        await desk.receives(QUESTION, subject=f"Breakfast {number}")
        await desk.office.works_until("SELECT count(*) FROM postroom.proposal", number, seconds=90)
        proposal = await newest(desk)
        assert f"Re: Breakfast {number}" == proposal["subject"]
        assert 200 == await says_yes(desk, proposal)
        place = where.format(**ADAPTERS[desk.provider])
        once(monkeypatch, place, when, functools.partial(own_server.dies, victim))

        await goes_on(desk)

        assert number == own_server.kills, f"it was not killed {when} {place}"
        now = await again(desk, proposal)
        mails = sent(desk)
        if now["status"] == "unknown":  # a person is told both possibilities, and what was looked at
            assert now["checked"], f"killed {when} {place}"
            outcome = {"outcome": "sent" if number == len(mails) else "not_sent"}
            assert 200 == (await desk.asks("POST", f"/proposals/{proposal['id']}/resolve", outcome))[0]
            assert "sent" == outcome["outcome"], f"killed {when} {place}: nothing was lost"
        else:
            assert "sent" == now["status"], f"killed {when} {place}"
        assert number == len(mails), f"killed {when} {place}"
        assert proposal["body"].split() == desk.person.text(mails[0]["id"]).split()
        assert number == desk.office.ask("SELECT count(*) FROM postroom.approval WHERE used_at IS NOT NULL")
