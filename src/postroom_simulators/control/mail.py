"""Mail that is dropped in, scenarios that are played, and what was sent."""

from __future__ import annotations

import asyncio
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any

from aiohttp import web

from postroom_simulators.control import bodies
from postroom_simulators.control.answers import Table, number
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.mail_programs import MailProgram, known_folder
from postroom_simulators.scenarios import SCENARIOS, ScenarioMailbox
from postroom_simulators.scenarios.envelopes import Correspondent, MailWriter, bulk

if TYPE_CHECKING:
    from postroom_simulators.world import World


class MailControls:
    def __init__(self, world: World) -> None:
        self.world = world
        self._dropped = 0

    def table(self) -> Table:
        return [
            ("GET", "/sent", self.sent),
            ("POST", "/letters", self.post_letter),
            ("GET", "/scenarios", self.scenarios),
            ("POST", "/scenarios/{name}", self.play),
        ]

    async def sent(self, request: web.Request) -> Any:
        last = number(request, "last", 50)
        found = [
            {"mailbox": program.address, **shown}
            for program in self.world.mail_programs()
            for shown in program.messages("sentitems", last)
        ]
        left = [
            {"at": one.at, "from": one.sender, "to": list(one.to), "subject": one.subject}
            for one in list(self.world.departed)[-last:]
        ]
        return {"items": found, "left_the_world": left}

    async def post_letter(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.NewLetterBody)
        targets = [self.world.mail_program(body.mailbox)] if body.mailbox else self._targets(body)
        ids, folder = {}, known_folder(body.folder)
        for program in targets:
            box = ScenarioMailbox(program.address, program.name, program.provider)
            raw = bodies.from_base64(body.raw, "raw") if body.raw else self._written(body, box)
            mail = IncomingMail(program.address, raw, folder=folder, poisoned=body.poisoned)
            ids[program.address] = self.world.deliver(mail)
        return {"delivered": ids}

    def _targets(self, body: bodies.NewLetterBody) -> list[MailProgram]:
        """Every recipient that lives here; a letter to nobody here is a mistake."""
        here = {program.address.lower(): program for program in self.world.mail_programs()}
        named = [parseaddr(person)[1].lower() for person in (*body.to, *body.cc)]
        found = [here[address] for address in dict.fromkeys(named) if address in here]
        if not found:
            known = ", ".join(sorted(here)[:10]) or "none yet; add one with POST /control/mailboxes"
            raise ValueError(
                f"Nobody in 'to' or 'cc' has a mailbox here, and no 'mailbox' is given. Mailboxes: {known}."
            )
        return found

    def _written(self, body: bodies.NewLetterBody, box: ScenarioMailbox) -> bytes:
        if "@" not in parseaddr(body.sender)[1]:
            raise ValueError("Give the sender as 'from', for example \"Anna Berg <anna@client.example>\".")
        self._dropped += 1
        reply = {"In-Reply-To": body.in_reply_to, "References": body.in_reply_to} if body.in_reply_to else {}
        return (
            MailWriter(box, self.world.clock.now(), self._dropped)
            .letter(
                "dropped",
                0,
                _person(body.sender),
                body.subject,
                body.text,
                html=body.html or "",
                to=[_person(one) for one in body.to],
                cc=[_person(one) for one in body.cc],
                enclosures=[*(file.enclosure() for file in body.attachments), *bulk(body.megabytes)],
                verdict=body.verdict,
                headers=reply,
                about="Dropped in by hand.",
            )
            .raw
        )

    async def scenarios(self, _request: web.Request) -> Any:
        return {"items": list(SCENARIOS)}

    async def play(self, request: web.Request) -> Any:
        """Starts it and answers at once; the mail comes in over time."""
        body = await bodies.read_body(request, bodies.PlayBody)
        if body.speed < 0:
            raise ValueError("speed must not be negative; 1 is as written, 0 is all at once.")
        story = await self.world.tell(request.match_info["name"], seed=body.seed)
        self.world.furnish(story.boxes)
        self.world.in_background(asyncio.create_task(self.world.play(story, body.speed)))
        lasts = story.lasts / body.speed if body.speed else 0.0
        return {
            "name": story.name,
            "about": story.about,
            "letters": len(story.mails),
            "lasts": lasts,
            "boxes": [box.address for box in story.boxes],
            "truth": story.truth,
        }


def _person(text: str) -> Correspondent:
    return Correspondent(*parseaddr(text))
