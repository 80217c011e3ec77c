"""A whole office for stories: simulated providers, our web process and our worker, on real HTTP and PostgreSQL."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Any

import aiohttp

from harness import OwnerEyes, held_port, served, works_off
from postroom.app.house import House, ensure_configured, open_house
from postroom.app.web import web_app
from postroom.db import sql
from postroom.rooms.tenants import commands as tenants
from postroom.settings import Settings
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.world import World

DESK = "notes@larkspur.example"
PUSH_ACCOUNT = "push@project.iam.gserviceaccount.com"
TOPIC, SUBSCRIPTION = "projects/p/topics/mail", "projects/p/subscriptions/postroom"
APP_STATE = "a-configured-state-that-is-long-enough"


@dataclass
class HouseClock:
    """The clock of our machine: as the provider's, unless it jumped."""

    world: World
    ahead: timedelta = timedelta(0)

    def now(self) -> datetime:
        return self.world.clock.now() + self.ahead


@dataclass
class Office(OwnerEyes):
    """What a story may do and see."""

    world: World
    house: House
    owner_dsn: str
    url: str
    clock: HouseClock
    counter: int = 0
    sent: list[str] = field(default_factory=list)

    def mail(
        self, text: str = "Good morning.", *, to: str = DESK, sender: str = "anna@client.test", subject: str = ""
    ) -> bytes:
        self.counter += 1
        mail = EmailMessage()
        mail["From"], mail["To"] = sender, to
        mail["Subject"] = subject or f"Letter {self.counter}"
        mail["Message-ID"] = f"<{self.counter}.{id(self)}@client.test>"
        mail.set_content(text)
        return mail.as_bytes()

    def receives(self, count: int = 1, *, to: str = DESK, **about: Any) -> list[str]:
        refs = [self.world.deliver(IncomingMail(to, self.mail(to=to, **about))) for _ in range(count)]
        self.sent += refs
        return refs

    async def works(self, *, idle: float = 0.3) -> None:
        """Work until quiet; pushes that are on their way have arrived by then."""
        await works_off(self.world, self.house, self, idle)

    async def works_until(self, question: str, expected: Any, *, seconds: float = 30) -> None:
        """Keep a worker running until the database gives the expected answer."""
        worker = self.house.worker()
        running = asyncio.create_task(worker.run())
        try:
            for _ in range(int(seconds / 0.05)):
                if self.ask(question) == expected:
                    return
                await asyncio.sleep(0.05)
            raise AssertionError(f"{question} gave {self.ask(question)}, not {expected}")
        finally:
            worker.stop()
            await running

    async def fires_the_timetable(self, *names: str) -> None:
        """Every line of it, or those named, is due now."""
        scheduler = self.house.scheduler()
        await scheduler.announce()
        self.own("UPDATE postroom.timetable SET next_at = now() + interval '1 year'")
        which = list(names) or None
        due = (
            "UPDATE postroom.timetable SET next_at = now() - interval '1 s' WHERE %s::text[] IS NULL OR name = ANY (%s)"
        )
        self.own(due, which, which)
        await scheduler.tick()

    def arrived(self) -> int:
        return self.ask("SELECT count(*) FROM postroom.message WHERE state = 'arrived'")

    def count(self, kind: str) -> int:
        """How many facts of this kind were told."""
        return self.ask("SELECT count(*) FROM postroom.fact WHERE kind = %s", kind)

    async def key(self, role: str = "admin") -> str:
        tenant = await tenants.ensure_tenant(self.house.db, "default")
        _, secret = await tenants.create_key(self.house.scope(tenant, "test"), name="test", role=role)
        return secret.reveal()

    async def get(self, path: str, **options: Any) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {await self.key()}", "Accept": "application/json"}
        async with (
            aiohttp.ClientSession() as session,
            session.get(self.url + path, headers=headers, allow_redirects=False, **options) as answer,
        ):
            body = await answer.json() if "json" in answer.content_type else await answer.text()
            return answer.status, body

    async def post(self, path: str, **options: Any) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.post(self.url + path, **options) as answer:
            return answer.status, await answer.text()

    @property
    def tenant_query(self) -> sql.Query:
        return sql.Query("tenant", "SELECT tenant_id FROM postroom.tenant WHERE name = 'default'")


def settings_for(world: World, dsn: str, port: int, home: str, **more: Any) -> Settings:
    values: dict[str, Any] = {
        "home": home,
        "database_url": dsn,
        "bind": f"127.0.0.1:{port}",
        "graph_base_url": f"{world.base_url}/v1.0",
        "graph_login_url": world.base_url,
        "graph_tenant_id": "contoso",
        "graph_client_id": "app",
        "graph_client_secret": "secret",
        "graph_mailbox_email": DESK,
        "gmail_base_url": world.base_url,
        "google_auth_url": f"{world.base_url}/o/oauth2/v2/auth",
        "google_token_url": f"{world.base_url}/token",
        "google_certs_url": f"{world.base_url}/oauth2/v3/certs",
        "google_pubsub_url": world.base_url,
        "gmail_client_id": "app",
        "gmail_client_secret": "secret",
        "gmail_topic": TOPIC,
        "gmail_subscription": SUBSCRIPTION,
        "gmail_audience": "https://postroom.example/gmail",
        "gmail_service_account": PUSH_ACCOUNT,
        "backfill_days": 7,
    }
    named = {
        f"POSTROOM_{name.upper()}"
        if name.startswith("graph_") and name not in {"graph_base_url", "graph_login_url"}
        else name: value
        for name, value in (values | more).items()
    }
    return Settings(**named)


def free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.asynccontextmanager
async def open_office(dsn: str, owner_dsn: str, home: str, *, start: bool = True, **more: Any) -> AsyncIterator[Office]:
    async with World() as world:
        world.add_mailbox(DESK, name="Contract notes", provider="graph")
        port = held_port()
        settings = settings_for(world, dsn, port.getsockname()[1], home, **more)
        clock = HouseClock(world)
        async with open_house(settings, clock=clock.now) as house, served(web_app(house), port):
            office = Office(world, house, owner_dsn, settings.outside_url, clock)
            if start:
                await ensure_configured(house)
                await office.works()
            yield office
