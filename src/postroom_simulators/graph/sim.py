"""Graph mail and Entra in one object: mailboxes to fill, routes to serve, people to play."""

from __future__ import annotations

import asyncio
import inspect
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import unquote

from aiohttp import web

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.letters import Letter
from postroom_simulators.recorder import Call, Recorder

from . import batch, tokens
from .agenda import Agenda
from .asks import Answer, Ask, Caller, Refused, split_path
from .attachments import Attachments, content_of
from .delta import Deltas
from .drafts import Drafts
from .entra import Entra
from .folders import Folders
from .gate import Gate
from .items import Item
from .mailbox import Mailbox
from .messages import Messages, apply, throw_away
from .mime import Attached
from .people import People
from .pushes import Pushes
from .subscriptions import Subscription
from .table import Route, Table
from .watching import Subscriptions, Watching

_KEPT_HEADERS = ("Prefer", "client-request-id", "If-Match", "Content-Type", "User-Agent")
Carrier = Callable[[str, bytes, list[str]], None]


class GraphSim:
    """The simulated service. Everything is public that a test or a scenario may want to turn."""

    def __init__(self, clock: SimClock, faults: Faults, recorder: Recorder) -> None:
        self.clock, self.faults, self.recorder = clock, faults, recorder
        self.mailboxes: dict[str, Mailbox] = {}  # by address in lower case
        self._by_guid: dict[str, Mailbox] = {}
        self.auto_mailboxes = False
        self.carrier: Carrier | None = None  # takes sent mail for addresses that are not ours
        self.agenda = Agenda(clock)
        self.entra = Entra(clock, recorder, self.mailboxes)
        self.entra.find = self.find
        self.pushes = Pushes(clock, faults, recorder, self.agenda)
        self.subscriptions = Subscriptions(
            clock, faults, recorder, self.pushes, self.agenda, self.entra.tokens, self.entra.signer
        )
        self.deltas = Deltas(faults, recorder)
        self.gate = Gate(clock, faults, recorder, self.entra)
        self.gate.find = self.find
        self._attachments = Attachments(clock, recorder)
        self._table = Table(self._all_routes())

    # set-up

    def routes(self) -> list[web.RouteDef]:
        return [
            web.route("*", "/v1.0/{tail:.*}", self._handle),
            *self._attachments.web_routes(),
            *(web.route(one.method, one.path, self._guarded(one.handler)) for one in self.entra.routes()),
        ]

    async def start(self) -> None:
        await self.pushes.start()

    async def stop(self) -> None:
        await self.agenda.stop()
        await self.pushes.stop()

    def add_mailbox(self, address: str, *, name: str = "") -> Mailbox:
        """A mailbox at this address; the existing one if there is one."""
        if "@" not in address:
            raise ValueError(f"{address!r} is not an address; a mailbox needs one like anna@desk.test.")
        if (known := self.mailboxes.get(address.lower())) is not None:
            return known
        made = Mailbox(address, name, self.clock)
        made.on_change, made.glance = self.subscriptions.hear, self.subscriptions.glance
        self.mailboxes[address.lower()] = made
        self._by_guid[made.guid] = made
        return made

    def register_app(
        self,
        client_id: str,
        client_secret: str,
        tenant: str = "",
        *,
        roles: frozenset[str] | None = None,
        redirect_uris: tuple[str, ...] = (),
        only: frozenset[str] | None = None,
    ) -> None:
        """An app whose secret, redirects, roles and allowed mailboxes are checked."""
        chosen = tokens.ROLES if roles is None else roles
        allowed = None if only is None else frozenset(one.lower() for one in only)
        made = tokens.App(client_id, client_secret, tenant, chosen, redirect_uris, allowed)
        self.entra.apps[client_id] = made

    def issue_token(
        self,
        address: str = "",
        *,
        app: str = "test-app",
        scopes: frozenset[str] | None = None,
        seconds: float = tokens.ACCESS,
    ) -> str:
        """A ready access token: app-only, or for the person at this address."""
        chosen = scopes or (tokens.DELEGATED if address else tokens.ROLES)
        tenant = self._mailbox(address).tenant if address else tokens.tenant_of("common")
        grant = self.entra.tokens.grant(app, address, tenant, chosen).key if address else ""
        return self.entra.tokens.issue(Caller(app, tenant, address, chosen, grant), seconds)

    # what happens in the world

    def deliver(self, letter: Letter, *, received_at: float | None = None) -> str:
        """Mail comes in; returns its immutable id."""
        mailbox = self._mailbox(letter.mailbox)
        return mailbox.receive(letter.raw, mailbox.folder(letter.folder), received_at).immutable_id

    def item(self, address: str, key: str) -> Item:
        mailbox = self._mailbox(address)
        if key not in mailbox.by_id:
            raise KeyError(f"{address} has no message {key}.")
        return mailbox.by_id[key]

    def move(self, address: str, key: str, folder: str) -> None:
        mailbox = self._mailbox(address)
        mailbox.move(self.item(address, key), mailbox.folder(folder))

    def delete(self, address: str, key: str, *, for_good: bool = False) -> None:
        mailbox, item = self._mailbox(address), self.item(address, key)
        if for_good:
            mailbox.erase(item)
        else:
            throw_away(mailbox, item)

    def mark_read(self, address: str, key: str, *, read: bool = True) -> None:
        mailbox = self._mailbox(address)
        mailbox.edit(self.item(address, key), lambda item: setattr(item, "is_read", read))

    def edit_draft(self, address: str, key: str, *, body: str | None = None, subject: str | None = None) -> None:
        """As a person in Outlook would: the change key moves on."""
        changes: dict[str, Any] = {}
        if body is not None:
            changes["body"] = {"contentType": "html", "content": body}
        if subject is not None:
            changes["subject"] = subject
        mailbox = self._mailbox(address)
        mailbox.edit(self.item(address, key), lambda item: apply(mailbox, item, changes))

    def attach_link(self, address: str, key: str, name: str, url: str) -> None:
        """Hang a cloud file on a message: a reference attachment."""
        item = self.item(address, key)
        number = 1 + max((one.number for one in item.attached), default=0)
        item.attached.append(Attached("reference", name, None, b"", url=url, number=number, modified=item.received))

    def revoke(self, address: str, aadsts: int = 50173) -> None:
        self.entra.revoke(address, aadsts)

    def expire_cursors(self, address: str = "") -> None:
        """Every delta link given out so far answers 410."""
        self.deltas.expire(self._mailbox(address) if address else None)

    def lifecycle(self, subscription_id: str, event: str) -> None:
        known = {"reauthorizationRequired", "subscriptionRemoved", "missed"}
        if event not in known:
            raise ValueError(f"Unknown lifecycle event {event!r}; known are {', '.join(sorted(known))}.")
        self.subscriptions.lifecycle(self._subscription(subscription_id), event)

    def remove_subscription(self, subscription_id: str) -> None:
        """Silently gone, as after a tenant's change that nobody announces."""
        self.subscriptions.remove(self._subscription(subscription_id))

    async def settle(self, timeout: float = 30.0) -> None:
        """Wait until every push that can go out now has gone out."""
        async with asyncio.timeout(timeout):
            await self.pushes.drained()

    # inside

    def _subscription(self, key: str) -> Subscription:
        if key not in self.subscriptions.all:
            raise KeyError(f"There is no subscription {key}.")
        return self.subscriptions.all[key]

    def _mailbox(self, address: str) -> Mailbox:
        found = self.find(address)
        if found is None:
            raise KeyError(f"There is no mailbox {address}; add it with add_mailbox().")
        return found

    def find(self, key: str) -> Mailbox | None:
        """By address, guid, or guid@tenant."""
        found = self.mailboxes.get(key.lower()) or self._by_guid.get(key.lower().partition("@")[0])
        if found is None and self.auto_mailboxes and "@" in key:
            return self.add_mailbox(key)
        return found

    def _all_routes(self) -> list[Route]:
        drafts = Drafts(self.faults, self.agenda, self._carry)
        return [
            *People(self.mailboxes).routes(),
            *Folders().routes(),
            *Messages(self.faults, self.deltas).routes(),
            *self._attachments.routes(),
            *drafts.routes(),
            Route("POST", "$batch", service=lambda ask: batch.run(ask, self.serve)),
            *Watching(self.subscriptions, self.gate).routes(),
        ]

    def _carry(self, sender: Mailbox, raw: bytes, people: list[str]) -> None:
        others = []
        for address in people:
            target = self.mailboxes.get(address.lower())
            if target is None:
                others.append(address)
            else:
                target.receive(raw, target.folder("inbox"))
        if others and self.carrier is not None:
            self.carrier(sender.address, raw, others)

    def _guarded(self, handler: Any) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """The knobs that hit every endpoint, around a handler of Entra's."""

        async def handle(request: web.Request) -> web.StreamResponse:
            await self._linger()
            try:
                self.gate.strike()
            except Refused as refused:
                self.entra.note(request, refused.status, note="fault")
                body = {"error": "temporarily_unavailable", "error_description": f"AADSTS50033: {refused.message}"}
                return web.json_response(body, status=refused.status, headers=refused.headers)
            response: web.StreamResponse = await handler(request)
            if self.faults.strikes(self.faults.knobs.reset):
                return await _break_off(request, Answer(response.status, getattr(response, "body", None)))
            return response

        return handle

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        segments = request.rel_url.raw_path.removeprefix("/v1.0/").rstrip("/").split("/")
        decoded = [unquote(one) for one in segments]
        ask = Ask(
            method=request.method,
            path="/".join(decoded),
            parts=split_path(decoded),
            query=dict(request.query),
            headers=request.headers,
            content=await content_of(request),
            origin=f"{request.scheme}://{request.host}",
        )
        answer = await self.serve(ask)
        if self.faults.strikes(self.faults.knobs.reset):
            return await _break_off(request, answer)
        return _response(ask, answer)

    async def serve(self, ask: Ask) -> Answer:
        """Answer one request, alone or from a batch, and keep it on record."""
        try:
            answer = await self._serve(ask)
        except Refused as refused:
            body = refused.body(self.clock.now(), ask.headers.get("client-request-id", ""))
            answer = Answer(refused.status, body, refused.headers)
        self._record(ask, answer)
        return answer

    async def _serve(self, ask: Ask) -> Answer:
        self.gate.strike()
        if ask.parts[:1] == ["me"]:
            ask.parts = ["users", "me", *ask.parts[1:]]
        found = self._table.find(ask.parts)
        if found is None:
            raise Refused(400, "BadRequest", f"Resource not found for the segment '{ask.parts[-1]}'.")
        ask.caller = self.gate.admit(ask)
        routes, ask.params = found
        route = routes.get(ask.method)
        if route is None:
            raise Refused(405, "BadRequest", f"The method {ask.method} is not allowed here.")
        if route.mailbox is None:
            assert route.service is not None
            await self._linger()
            return await _settled(route.service(ask))
        mailbox = self.gate.mailbox(ask.params["user"], ask.caller, route.need)
        ask.params["user"] = mailbox.address
        with self.gate.inside(ask.caller, mailbox):
            await self._linger()
            return await _settled(route.mailbox(ask, mailbox))

    async def _linger(self) -> None:
        if self.faults.knobs.slow:
            await asyncio.sleep(self.faults.knobs.slow)

    def _record(self, ask: Ask, answer: Answer) -> None:
        note = ""
        if answer.status >= 400 and isinstance(answer.body, dict):
            note = str(answer.body.get("error", {}).get("code", ""))
        headers = {name: ask.headers[name] for name in _KEPT_HEADERS if name in ask.headers}
        path = f"/v1.0/{ask.path}"
        who = ask.params.get("user", "")
        self.recorder.record(Call(self.clock.time(), "graph", ask.method, path, answer.status, who, note, headers))


async def _settled(answer: Answer | Awaitable[Answer]) -> Answer:
    return await answer if inspect.isawaitable(answer) else answer


def _headers(ask: Ask, answer: Answer) -> Mapping[str, str]:
    headers = {"request-id": str(uuid.uuid4()), **answer.headers}
    if ask.applied:
        headers["Preference-Applied"] = ", ".join(ask.applied)
    if answer.body is not None and not isinstance(answer.body, bytes):
        headers["Content-Type"] = "application/json;odata.metadata=minimal;odata.streaming=true;charset=utf-8"
    return headers


def _response(ask: Ask, answer: Answer) -> web.Response:
    return web.Response(status=answer.status, body=answer.content(), headers=_headers(ask, answer))


async def _break_off(request: web.Request, answer: Answer) -> web.StreamResponse:
    """Half of the body, then the line goes dead."""
    content = answer.content() or b"\n"
    response = web.StreamResponse(status=answer.status)
    response.content_length = len(content) + 1
    await response.prepare(request)
    await response.write(content[: len(content) // 2])
    if request.transport is not None:
        request.transport.abort()
    return response
