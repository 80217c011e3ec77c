"""Yesterday's database comes back while the provider went on: nothing is sent twice, no draft stands beside another."""

from __future__ import annotations

import contextlib
import socket
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
import pytest

import warm_connections
from harness import held_port, served
from postroom.app.house import ensure_configured, open_house
from postroom.app.web import web_app
from postroom.nouns.ids import TenantId
from postroom.nouns.sending import SendingPolicy
from postroom.rooms.tenants import commands as tenants
from postroom_simulators.world import World
from stories.client_desk import BOX, PROVIDERS, ClientDeskStory
from stories.office import HouseClock, Office, settings_for
from stories.test_outbox import again, goes_out, newest, opens, says_yes, sent
from stories.test_replies import QUESTION, drafts
from stories.visitors import connects, gives_gmail

pytestmark = pytest.mark.programs

AN_HOUR = 3600
NEW_MAIL = {"to": ["ada@client.test"], "subject": "Your room", "body": "The room is free.\n\nYours, Nora"}


@dataclass
class Copies:
    """Databases as they were at a moment."""

    owner_dsn: str
    made: list[str]

    @property
    def name(self) -> str:
        return psycopg.conninfo.conninfo_to_dict(self.owner_dsn)["dbname"]

    def take(self) -> str:
        """Nobody may be connected meanwhile. Its name."""
        name = f"b_{uuid.uuid4().hex}"
        warm_connections.let_go(self.name)
        self._run(f"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{self.name}'")
        self._run(f"CREATE DATABASE {name} TEMPLATE {self.name}")
        self.made.append(name)
        return name

    def drop(self) -> None:
        for name in self.made:
            self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def _run(self, statement: str) -> None:
        with psycopg.connect(self.owner_dsn.replace(self.name, "postgres"), autocommit=True) as server:
            server.execute(statement.encode())


@pytest.fixture
def copies(owner_dsn) -> Iterator[Copies]:
    copies = Copies(owner_dsn, [])
    yield copies
    copies.drop()


@dataclass
class Town:
    """One provider, and houses that open at the same address one after the other."""

    world: World
    provider: str
    owner_dsn: str
    home: str
    port: int

    @contextlib.asynccontextmanager
    async def house(self, database: str) -> AsyncIterator[ClientDeskStory]:
        own = psycopg.conninfo.conninfo_to_dict(self.owner_dsn)["dbname"]
        owner_dsn = self.owner_dsn.replace(str(own), database)
        dsn = owner_dsn.replace("user=postgres", "user=postroom")
        more: dict[str, Any] = {"graph_mailbox_email": BOX} if self.provider == "outlook" else {}
        settings = settings_for(self.world, dsn, self.port, self.home, **more)
        clock = HouseClock(self.world)
        async with (
            open_house(settings, clock=clock.now) as house,
            served(web_app(house), self._listens()),
        ):
            office = Office(self.world, house, owner_dsn, settings.outside_url, clock)
            yield ClientDeskStory(office, self.provider)

    def _listens(self) -> socket.socket:
        listens = socket.socket()
        listens.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listens.bind(("127.0.0.1", self.port))
        return listens


@pytest.fixture(params=PROVIDERS)
async def town(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[Town]:
    async with World() as world:
        with held_port() as free:
            port = free.getsockname()[1]
        yield Town(world, request.param, owner_dsn, str(tmp_path), port)


async def begins(desk: ClientDeskStory) -> None:
    """Connected, with papers to answer from; a yes goes out after an hour."""
    if desk.provider == "outlook":
        desk.office.world.add_mailbox(BOX, name="Larkspur Retreats Service", provider="graph")
        await ensure_configured(desk.office.house)
    else:
        gives_gmail(desk.office, BOX)
        assert 303 == (await connects(desk.office, "gmail", BOX, capability="draft"))[0]
    await desk.works()
    await opens(desk)
    tenant = TenantId(desk.office.ask("SELECT tenant_id FROM postroom.mailbox"))
    scope = desk.office.house.scope(tenant, "person:test")
    await tenants.change_sending(scope, SendingPolicy("on", undo_seconds=AN_HOUR))


async def a_day_passes(desk: ClientDeskStory) -> None:
    for hours in (2, 8, 8, 8):
        desk.later(hours=hours)
        await desk.office.fires_the_timetable("poll", "watches", "reconcile")
        await goes_out(desk, seconds=2)
    await desk.a_minute_passes()


async def test_what_was_sent_after_the_backup_is_not_sent_again(town, copies):
    async with town.house(copies.name) as desk:
        await begins(desk)
        await desk.receives(QUESTION, subject="Breakfast")
        answer = await newest(desk)
        assert 200 == await says_yes(desk, answer)
        status, mail = await desk.asks("POST", "/proposals", NEW_MAIL)
        assert (201, 200) == (status, await says_yes(desk, mail))
        assert [] == sent(desk)
    yesterday = copies.take()
    async with town.house(copies.name) as desk:
        await a_day_passes(desk)
        assert ["Re: Breakfast", "Your room"] == sorted(each["subject"] for each in sent(desk))

    async with town.house(yesterday) as desk:
        await a_day_passes(desk)

        assert ["Re: Breakfast", "Your room"] == sorted(each["subject"] for each in sent(desk))
        now = [await again(desk, each) for each in (answer, mail)]
        assert ["void", "sent"] == [each["status"] for each in now]
        assert "Something newer is in the thread" in now[0]["because"]
        assert "It was found in Sent" in now[1]["because"]
        assert [] == desk.office.world.recorder.mistakes
        assert [] == desk.person.messages("drafts")


async def test_drafts_written_after_the_backup_are_alone_in_their_threads(town, copies):
    async with town.house(copies.name) as desk:
        await begins(desk)
        before = await desk.receives(QUESTION, subject="Before")
    yesterday = copies.take()
    async with town.house(copies.name) as desk:
        untouched = await desk.receives(QUESTION, subject="After")
        edited = await desk.receives(QUESTION, subject="Edited")
        desk.later(minutes=1)
        desk.person.edit_draft(drafts(desk, edited)[0]["id"], "Until eleven, and I keep you a table.")
        desk.person.edit_draft(drafts(desk, before)[0]["id"], "Until eleven for you too.")
        await desk.a_minute_passes()
        keys = (before, untouched, edited)
        words = [drafts(desk, each)[0]["words"] for each in keys]

    async with town.house(yesterday) as desk:
        await a_day_passes(desk)

        assert [[each] for each in words] == [[one["words"] for one in drafts(desk, each)] for each in keys]
        known = "SELECT count(*) FROM postroom.message WHERE state = 'arrived' AND provider_message_id = ANY (%s)"
        assert len(keys) == desk.office.ask(known, list(keys))
        assert [] == sent(desk)
