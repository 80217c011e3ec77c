"""The control API: a person or a test turns the world's switches over HTTP, under /control/."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from datetime import timedelta
from email.utils import parseaddr
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from aiohttp import web

from postroom_simulators import control_bodies
from postroom_simulators.faults import FaultSwitches
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.mail_programs import MailProgram, known_folder
from postroom_simulators.scenarios import SCENARIOS, ScenarioMailbox
from postroom_simulators.scenarios.envelopes import Correspondent, MailWriter

if TYPE_CHECKING:
    from postroom_simulators.world import World

Handler = Callable[[web.Request], Awaitable[Any]]

_PAGE = Path(__file__).parent / "page"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {"Content-Security-Policy": _POLICY, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}
_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript"}


class ControlApi:
    """Handlers return plain values; mistakes come back as `{"error": "what to do"}`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._dropped = 0

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/", self._page("index.html")),
            web.get("/page/static/page.css", self._page("static/page.css")),
            web.get("/page/static/page.js", self._page("static/page.js")),
            *(web.route(verb, f"/control{path}", _guarded(handler)) for verb, path, handler in self._table()),
        ]

    def _table(self) -> list[tuple[str, str, Handler]]:
        mailbox = "/mailboxes/{address}"
        return [
            ("GET", "/", self.overview),
            ("GET", "/faults", self.faults),
            ("PUT", "/faults", self.turn_faults),
            ("DELETE", "/faults", self.reset_faults),
            ("GET", "/clock", self.clock),
            ("POST", "/clock/advance", self.advance),
            ("GET", "/mailboxes", self.mailboxes),
            ("POST", "/mailboxes", self.add_mailbox),
            ("GET", f"{mailbox}/messages", self.messages),
            ("POST", f"{mailbox}/messages/{{id}}/move", self.move),
            ("POST", f"{mailbox}/messages/{{id}}/read", self.read),
            ("DELETE", f"{mailbox}/messages/{{id}}", self.delete),
            ("PATCH", f"{mailbox}/drafts/{{id}}", self.edit_draft),
            ("POST", f"{mailbox}/revoke", self.revoke),
            ("POST", f"{mailbox}/expire-cursors", self.expire_cursors),
            ("GET", "/sent", self.sent),
            ("POST", "/letters", self.post_letter),
            ("GET", "/scenarios", self.scenarios),
            ("POST", "/scenarios/{name}", self.play),
            ("GET", "/record", self.record),
            ("DELETE", "/record", self.clear_record),
            ("GET", "/graph/subscriptions", self.subscriptions),
            ("POST", "/graph/subscriptions/{id}/lifecycle", self.lifecycle),
            ("DELETE", "/graph/subscriptions/{id}", self.remove_subscription),
            ("POST", "/pubsub/subscriptions", self.add_push_subscription),
        ]

    def _page(self, name: str) -> Callable[[web.Request], Awaitable[web.Response]]:
        path = _PAGE / name

        async def show(_request: web.Request) -> web.Response:
            kind = _KINDS[path.suffix]
            return web.Response(body=path.read_bytes(), content_type=kind, charset="utf-8", headers=_HEADERS)

        return show

    async def overview(self, _request: web.Request) -> Any:
        return {
            "base_url": self.world.base_url,
            "now": self.world.clock.now().isoformat(timespec="seconds"),
            "endpoints": [f"{verb} /control{path}" for verb, path, _ in self._table()],
        }

    # faults and time

    async def faults(self, _request: web.Request) -> Any:
        return self.world.faults.as_dict()

    async def turn_faults(self, request: web.Request) -> Any:
        if request.content_type != "application/json":
            raise ValueError("Send the faults as JSON with Content-Type: application/json.")
        settings = msgspec.json.decode(await request.read(), type=dict[str, Any])
        return asdict(self.world.faults.turn(**settings))

    async def reset_faults(self, request: web.Request) -> Any:
        seed = request.query.get("seed")
        if seed is not None and not seed.lstrip("-").isdigit():
            raise ValueError(f"seed must be a whole number, not {seed!r}.")
        self.world.faults.reset(None if seed is None else int(seed))
        return asdict(FaultSwitches())

    async def clock(self, _request: web.Request) -> Any:
        return {"now": self.world.clock.now().isoformat()}

    async def advance(self, request: web.Request) -> Any:
        by = msgspec.structs.asdict(await control_bodies.read_body(request, control_bodies.AdvanceBody))
        return {"now": self.world.clock.advance(timedelta(**by)).isoformat()}

    # mailboxes, and what people do in them

    async def mailboxes(self, _request: web.Request) -> Any:
        return {
            "items": [
                {
                    "address": program.address,
                    "name": program.name,
                    "provider": program.provider,
                    **program.counts(),
                }
                for program in self.world.mail_programs()
            ]
        }

    async def add_mailbox(self, request: web.Request) -> Any:
        body = await control_bodies.read_body(request, control_bodies.NewMailboxBody)
        program = self.world.add_mailbox(body.address, name=body.name, provider=body.provider)
        return {"address": program.address, "name": program.name, "provider": program.provider}

    async def messages(self, request: web.Request) -> Any:
        program = self.world.mail_program(request.match_info["address"])
        return {"items": program.messages(request.query.get("folder", ""), _number(request, "last", 50))}

    async def move(self, request: web.Request) -> Any:
        body = await control_bodies.read_body(request, control_bodies.MoveBody)
        self.world.mail_program(request.match_info["address"]).move(request.match_info["id"], body.folder)
        return {"folder": body.folder}

    async def read(self, request: web.Request) -> Any:
        body = await control_bodies.read_body(request, control_bodies.ReadBody)
        self.world.mail_program(request.match_info["address"]).mark_read(request.match_info["id"], read=body.read)
        return {"read": body.read}

    async def delete(self, request: web.Request) -> Any:
        for_good = request.query.get("for_good", "") in {"1", "true"}
        self.world.mail_program(request.match_info["address"]).delete(request.match_info["id"], for_good=for_good)
        return {"deleted": request.match_info["id"]}

    async def edit_draft(self, request: web.Request) -> Any:
        body = await control_bodies.read_body(request, control_bodies.EditDraftBody)
        program = self.world.mail_program(request.match_info["address"])
        return {"id": program.edit_draft(request.match_info["id"], body.words)}

    async def revoke(self, request: web.Request) -> Any:
        body = await control_bodies.read_body(request, control_bodies.RevokeBody)
        program = self.world.mail_program(request.match_info["address"])
        if program.provider == "graph":
            self.world.graph.revoke(program.address)
        else:
            self.world.google.revoke(program.address, body.reason or "revoked")
        return {"revoked": program.address}

    async def expire_cursors(self, request: web.Request) -> Any:
        program = self.world.mail_program(request.match_info["address"])
        if program.provider == "graph":
            self.world.graph.expire_cursors(program.address)
        else:
            self.world.google.expire_history(program.address)
        return {"expired": program.address}

    async def sent(self, request: web.Request) -> Any:
        last = _number(request, "last", 50)
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

    # mail and stories

    async def post_letter(self, request: web.Request) -> Any:
        body = await control_bodies.read_body(request, control_bodies.NewLetterBody)
        targets = [self.world.mail_program(body.mailbox)] if body.mailbox else self._targets(body)
        ids, folder = {}, known_folder(body.folder)
        for program in targets:
            box = ScenarioMailbox(program.address, program.name, program.provider)
            raw = control_bodies.from_base64(body.raw, "raw") if body.raw else self._written(body, box)
            ids[program.address] = self.world.deliver(IncomingMail(program.address, raw, folder=folder))
        return {"delivered": ids}

    def _targets(self, body: control_bodies.NewLetterBody) -> list[MailProgram]:
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

    def _written(self, body: control_bodies.NewLetterBody, box: ScenarioMailbox) -> bytes:
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
                enclosures=[file.enclosure() for file in body.attachments],
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
        body = await control_bodies.read_body(request, control_bodies.PlayBody)
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

    # what the client did, and what the providers do to it

    async def record(self, request: web.Request) -> Any:
        return self.world.recorder.as_dict(_number(request, "last", 200))

    async def clear_record(self, _request: web.Request) -> Any:
        self.world.recorder.clear()
        return {"cleared": True}

    async def subscriptions(self, _request: web.Request) -> Any:
        return {"items": [one.shown(secret=False) for one in self.world.graph.subscriptions.all.values()]}

    async def lifecycle(self, request: web.Request) -> Any:
        body = await control_bodies.read_body(request, control_bodies.LifecycleBody)
        self.world.graph.lifecycle(request.match_info["id"], body.event)
        return {"sent": body.event}

    async def remove_subscription(self, request: web.Request) -> Any:
        self.world.graph.remove_subscription(request.match_info["id"])
        return {"removed": request.match_info["id"]}

    async def add_push_subscription(self, request: web.Request) -> Any:
        body = await control_bodies.read_body(request, control_bodies.PushSubscriptionBody)
        google = self.world.google
        if body.endpoint:
            google.add_push_subscription(body.name, body.topic, body.endpoint, body.audience, body.service_account)
        else:
            google.add_pull_subscription(body.name, body.topic)
        return {"name": body.name, "topic": body.topic}


def _person(text: str) -> Correspondent:
    return Correspondent(*parseaddr(text))


def _number(request: web.Request, name: str, otherwise: int) -> int:
    text = request.query.get(name, str(otherwise))
    if not text.isdigit():
        raise ValueError(f"{name} must be a whole number, not {text!r}.")
    return int(text)


def _guarded(handler: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def guarded(request: web.Request) -> web.Response:
        try:
            return _json(await handler(request))
        except KeyError as error:
            return _json({"error": str(error.args[0])}, 404)
        except (ValueError, msgspec.MsgspecError) as error:
            return _json({"error": str(error)}, 400)

    return guarded


def _json(body: Any, status: int = 200) -> web.Response:
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json", headers=headers)
