"""The client desk of the simulators, served with the copilot on, at either provider."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import aiohttp

from postroom.nouns.copilot import NAMESPACE
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.scenarios import scenario
from stories.office import Office, open_office
from stories.visitors import connects, gives_gmail

BOX = "service@larkspur-retreats.example"
NORA = "nora.feld@larkspur-retreats.example"
READY, REVIEW, ERROR = (f"{NAMESPACE}/{name}" for name in ("Ready", "Needs review", "Error"))
PROVIDERS = ("outlook", "gmail")


@dataclass
class ClientDeskStory:
    office: Office
    provider: str

    @property
    def person(self) -> Any:
        """Somebody at the mail program."""
        return self.office.world.mail_program(BOX)

    async def asks(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {"Authorization": f"Bearer {await self.office.key()}"}
        async with (
            aiohttp.ClientSession() as session,
            session.request(method, f"{self.office.url}/api/v1{path}", json=body, headers=headers) as answer,
        ):
            return answer.status, await answer.json() if answer.status != 204 else None

    async def switches(self, copilot: str) -> None:
        mailbox = self.office.ask("SELECT id FROM postroom.mailbox WHERE address = %s", BOX)
        changes = {"copilot": copilot, "operators": [NORA]}
        status, answer = await self.asks("PATCH", f"/mailboxes/{mailbox}", changes)
        assert 200 == status, answer
        await self.works()

    async def works(self) -> None:
        await self.office.works()

    async def a_minute_passes(self) -> None:
        """Without a push: what is looked at every minute is looked at."""
        self.later(minutes=1)
        self.office.own("UPDATE postroom.mailbox_cursor SET outgoing_at = outgoing_at - interval '2 minutes'")
        await self.office.fires_the_timetable("poll")
        await self.works()

    def later(self, **by: float) -> None:
        """Gmail drops all but one push a second."""
        self.office.world.clock.advance(timedelta(**by))

    def delivers(self, raw: bytes) -> str:
        self.later(seconds=2)
        return self.office.world.deliver(IncomingMail(BOX, raw))

    async def receives(self, text: str, **about: Any) -> str:
        key = self.delivers(self.office.mail(text, to=BOX, **about))
        await self.works()
        return key

    async def receives_all(self) -> list[dict[str, Any]]:
        """Every mail of the scenario; the truth about its threads."""
        story = scenario("client-service", start=self.office.world.clock.now())
        for mail in story.mails:
            self.later(seconds=2)
            self.office.world.deliver(mail)
        await self.works()
        return list(story.truth["threads"])

    def labels(self, key: str) -> set[str]:
        """Ours, on any message of the thread, as a person sees them."""
        seen = {label for each in self.person.thread(key) for label in each["labels"]}
        return {label for label in seen if label.startswith(f"{NAMESPACE}/")}

    def verdict(self, key: str) -> tuple[str | None, str | None]:
        about = "FROM postroom.thread_state s JOIN postroom.message m ON m.thread_id = s.thread_id"
        state, reason = (
            self.office.ask(f"SELECT s.{column} {about} WHERE m.provider_message_id = %s", key)
            for column in ("state", "reason")
        )
        return state, reason


@contextlib.asynccontextmanager
async def open_client_desk(dsn: str, owner_dsn: str, home: str, provider: str) -> AsyncIterator[ClientDeskStory]:
    outlook = provider == "outlook"
    settings = {"graph_mailbox_email": BOX} if outlook else {}
    async with open_office(dsn, owner_dsn, home, start=False, **settings) as office:
        desk = ClientDeskStory(office, provider)
        if outlook:
            from postroom.app.house import ensure_configured

            office.world.add_mailbox(BOX, name="Larkspur Retreats Service", provider="graph")
            await ensure_configured(office.house)
        else:
            gives_gmail(office, BOX)
            assert 303 == (await connects(office, "gmail", BOX, capability="draft"))[0]
        await desk.works()
        await desk.switches("labels")
        yield desk
