"""Mailboxes, and what people do in them at their mail programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiohttp import web

from postroom_simulators.control import bodies
from postroom_simulators.control.answers import Table, number
from postroom_simulators.mail_programs import MailProgram

if TYPE_CHECKING:
    from postroom_simulators.world import World


class PeopleControls:
    def __init__(self, world: World) -> None:
        self.world = world

    def table(self) -> Table:
        mailbox = "/mailboxes/{address}"
        message, draft = f"{mailbox}/messages/{{id}}", f"{mailbox}/drafts/{{id}}"
        return [
            ("GET", "/mailboxes", self.mailboxes),
            ("POST", "/mailboxes", self.add_mailbox),
            ("GET", f"{mailbox}/traffic", self.traffic),
            ("GET", f"{mailbox}/messages", self.messages),
            ("GET", f"{message}/thread", self.thread),
            ("GET", f"{message}/text", self.text),
            ("POST", f"{message}/answer", self.answer),
            ("POST", f"{message}/labels", self.label),
            ("POST", f"{message}/move", self.move),
            ("POST", f"{message}/spam", self.mark_spam),
            ("POST", f"{message}/read", self.read),
            ("POST", f"{message}/poison", self.poison),
            ("DELETE", message, self.delete),
            ("POST", f"{mailbox}/drafts", self.write_draft),
            ("PATCH", draft, self.edit_draft),
            ("DELETE", draft, self.discard_draft),
            ("POST", f"{draft}/send", self.send_draft),
            ("POST", f"{mailbox}/revoke", self.revoke),
            ("POST", f"{mailbox}/expire-cursors", self.expire_cursors),
        ]

    def _at(self, request: web.Request) -> tuple[MailProgram, str]:
        """The person, and the message or draft that is meant."""
        return self.world.mail_program(request.match_info["address"]), request.match_info.get("id", "")

    # seeing

    async def mailboxes(self, _request: web.Request) -> Any:
        return {"items": [{**_named(program), **program.counts()} for program in self.world.mail_programs()]}

    async def add_mailbox(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.NewMailboxBody)
        return _named(
            self.world.add_mailbox(body.address, name=body.name, provider=body.provider, aliases=body.aliases)
        )

    async def traffic(self, request: web.Request) -> Any:
        return self.world.traffic(self._at(request)[0].address)

    async def messages(self, request: web.Request) -> Any:
        program, _ = self._at(request)
        return {"items": program.messages(request.query.get("folder", ""), number(request, "last", 50))}

    async def thread(self, request: web.Request) -> Any:
        program, key = self._at(request)
        return {"items": program.thread(key)}

    async def text(self, request: web.Request) -> Any:
        program, key = self._at(request)
        return {"text": program.text(key)}

    # drafts and sending

    async def write_draft(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.WriteDraftBody)
        program, _ = self._at(request)
        return {
            "id": program.write_draft(body.text, answers=body.answers, to=body.to, cc=body.cc, subject=body.subject)
        }

    async def edit_draft(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.EditDraftBody)
        program, key = self._at(request)
        return {"id": program.edit_draft(key, body.words, text=body.text, subject=body.subject, to=body.to, cc=body.cc)}

    async def discard_draft(self, request: web.Request) -> Any:
        program, key = self._at(request)
        program.discard_draft(key)
        return {"discarded": key}

    async def send_draft(self, request: web.Request) -> Any:
        program, key = self._at(request)
        return {"sent": program.send_draft(key)}

    async def answer(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.AnswerBody)
        program, key = self._at(request)
        return {"sent": program.answer(key, body.text, everyone=body.everyone)}

    # keeping order

    async def label(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.LabelBody)
        program, key = self._at(request)
        program.label(key, add=body.add, remove=body.remove)
        return {"labelled": key}

    async def move(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.MoveBody)
        program, key = self._at(request)
        (program.move_thread if body.thread else program.move)(key, body.folder)
        return {"folder": body.folder}

    async def mark_spam(self, request: web.Request) -> Any:
        program, key = self._at(request)
        program.mark_spam(key)
        return {"folder": "junkemail"}

    async def read(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.ReadBody)
        program, key = self._at(request)
        program.mark_read(key, read=body.read)
        return {"read": body.read}

    async def delete(self, request: web.Request) -> Any:
        program, key = self._at(request)
        program.delete(key, for_good=request.query.get("for_good", "") in {"1", "true"})
        return {"deleted": key}

    # what the provider does to them

    async def poison(self, request: web.Request) -> Any:
        program, key = self._at(request)
        program.poison(key)
        return {"poisoned": key}

    async def revoke(self, request: web.Request) -> Any:
        body = await bodies.read_body(request, bodies.RevokeBody)
        program, _ = self._at(request)
        if program.provider == "graph":
            self.world.graph.revoke(program.address)
        else:
            self.world.google.revoke(program.address, body.reason or "revoked")
        return {"revoked": program.address}

    async def expire_cursors(self, request: web.Request) -> Any:
        program, _ = self._at(request)
        if program.provider == "graph":
            self.world.graph.expire_cursors(program.address)
        else:
            self.world.google.expire_history(program.address)
        return {"expired": program.address}


def _named(program: MailProgram) -> dict[str, str]:
    return {"address": program.address, "name": program.name, "provider": program.provider}
