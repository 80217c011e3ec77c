"""Graph mail and Entra in one object: mailboxes to fill, routes to serve, people to play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from aiohttp import web

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.recorder import Recorder
from postroom_simulators.schedule import SimSchedule

from . import tokens
from .attachments import AttachmentRoutes
from .delta import DeltaQueries
from .drafts import DraftRoutes
from .entra import Entra
from .folders import FolderRoutes
from .gate import GraphGate
from .items import SimGraphItem
from .mailbox import SimGraphMailbox
from .messages import MessageRoutes, apply, throw_away
from .mime import SimGraphAttachment
from .outbox import GraphOutbox
from .pushes import GraphPushes
from .request import GraphCaller
from .service import GraphService
from .subscriptions import SimGraphSubscription
from .table import GraphRoute
from .users import UserRoutes
from .watching import SimGraphSubscriptions, SubscriptionRoutes

Carrier = Callable[[str, bytes, list[str]], None]


class GraphSim:
    """The simulated service. Everything is public that a test or a scenario may want to turn."""

    def __init__(self, clock: SimClock, faults: Faults, recorder: Recorder, *, first: int = 1) -> None:
        self.clock, self.faults, self.recorder, self._first = clock, faults, recorder, first
        self.mailboxes: dict[str, SimGraphMailbox] = {}  # by address in lower case
        self.aliases: dict[str, SimGraphMailbox] = {}  # further addresses, in lower case
        self._by_guid: dict[str, SimGraphMailbox] = {}
        self.auto_mailboxes = False
        self.carrier: Carrier | None = None  # takes sent mail for addresses that are not ours
        self._schedule = SimSchedule(clock)
        self.entra = Entra(clock, faults, recorder, self.mailboxes)
        self.entra.find = self.find
        self.pushes = GraphPushes(clock, faults, recorder, self._schedule)
        self.subscriptions = SimGraphSubscriptions(
            clock, faults, recorder, self.pushes, self._schedule, self.entra.tokens, self.entra.signer
        )
        self.deltas = DeltaQueries(faults, recorder)
        self.gate = GraphGate(clock, faults, recorder, self.entra)
        self.gate.find = self.find
        self.outbox = GraphOutbox(faults, self._schedule, self._carry)
        self._attachments = AttachmentRoutes(clock, recorder)
        self._service = GraphService(clock, faults, recorder, self.gate, self.entra)
        self._service.routes(self._all_routes())

    # set-up

    def routes(self) -> list[web.RouteDef]:
        return [
            web.route("*", "/v1.0/{tail:.*}", self._service.handle),
            *self._attachments.web_routes(),
            *(web.route(one.method, one.path, self._service.guarded(one.handler)) for one in self.entra.routes()),
        ]

    async def start(self) -> None:
        await self.pushes.start()

    async def stop(self) -> None:
        await self._schedule.stop()
        await self.pushes.stop()

    def add_mailbox(self, address: str, *, name: str = "") -> SimGraphMailbox:
        """A mailbox at this address; the existing one if there is one."""
        if "@" not in address:
            raise ValueError(f"{address!r} is not an address; a mailbox needs one like anna@desk.test.")
        if (known := self.mailboxes.get(address.lower())) is not None:
            return known
        made = SimGraphMailbox(address, name, self.clock, first=self._first)
        made.on_change, made.glance = self.subscriptions.hear, self.subscriptions.glance
        self.mailboxes[address.lower()] = made
        self._by_guid[made.guid] = made
        return made

    def add_alias(self, address: str, alias: str) -> None:
        """One more address that reaches this mailbox, and that it may send from."""
        mailbox = self._mailbox(address)
        mailbox.addresses.append(alias.lower())
        self.aliases[alias.lower()] = mailbox

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
        made = tokens.EntraApp(client_id, client_secret, tenant, chosen, redirect_uris, allowed)
        self.entra.apps[client_id] = made

    def issue_token(
        self,
        address: str = "",
        *,
        app: str = "test-app",
        scopes: frozenset[str] | None = None,
        seconds: float | None = None,
    ) -> str:
        """A ready access token: app-only, or for the person at this address."""
        chosen = scopes or (tokens.DELEGATED if address else tokens.ROLES)
        tenant = self._mailbox(address).tenant if address else tokens.tenant_of("common")
        grant = self.entra.tokens.grant(app, address, tenant, chosen).key if address else ""
        life = self.faults.switches.token_life if seconds is None else seconds
        return self.entra.tokens.issue(GraphCaller(app, tenant, address, chosen, grant), life)

    @property
    def operations(self) -> list[str]:
        return self._service.operations

    # what happens in the world

    def deliver(self, letter: IncomingMail, *, received_at: float | None = None) -> str:
        """Mail comes in; returns its immutable id."""
        mailbox = self._mailbox(letter.mailbox)
        folder = mailbox.folder(letter.folder)
        return mailbox.receive(letter.raw, folder, received_at, poisoned=letter.poisoned).immutable_id

    def item(self, address: str, key: str) -> SimGraphItem:
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
        item.attached.append(
            SimGraphAttachment("reference", name, None, b"", url=url, number=number, modified=item.received)
        )

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

    def waiting_pushes(self) -> int:
        """Pushes that can go out now and did not arrive yet."""
        return self.pushes.busy()

    # inside

    def _subscription(self, key: str) -> SimGraphSubscription:
        if key not in self.subscriptions.all:
            raise KeyError(f"There is no subscription {key}.")
        return self.subscriptions.all[key]

    def _mailbox(self, address: str) -> SimGraphMailbox:
        found = self.find(address)
        if found is None:
            raise KeyError(f"There is no mailbox {address}; add it with add_mailbox().")
        return found

    def find(self, key: str) -> SimGraphMailbox | None:
        """By address, guid, or guid@tenant."""
        found = self.mailboxes.get(key.lower()) or self._by_guid.get(key.lower().partition("@")[0])
        if found is None and self.auto_mailboxes and "@" in key:
            return self.add_mailbox(key)
        return found

    def _all_routes(self) -> list[GraphRoute]:
        return [
            *UserRoutes(self.mailboxes).routes(),
            *FolderRoutes().routes(),
            *MessageRoutes(self.faults, self.deltas).routes(),
            *self._attachments.routes(),
            *DraftRoutes(self.outbox).routes(),
            *SubscriptionRoutes(self.subscriptions, self.gate).routes(),
        ]

    def _carry(self, sender: SimGraphMailbox, raw: bytes, people: list[str]) -> None:
        others = []
        for address in people:
            target = self.mailboxes.get(address.lower()) or self.aliases.get(address.lower())
            if target is None:
                others.append(address)
            else:
                target.receive(raw, target.folder("inbox"))
        if others and self.carrier is not None:
            self.carrier(sender.address, raw, others)
