"""Watching mailboxes: the subscriptions alive, their renewal, and who hears of which change."""

from __future__ import annotations

import uuid
from typing import Any

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.recorder import Recorder
from postroom_simulators.schedule import SimSchedule

from . import rich, wire
from .gate import GraphGate
from .items import SimGraphItem
from .mailbox import SimGraphChange, SimGraphMailbox
from .pushes import GraphPushes, may_push
from .request import GraphCaller, GraphError, GraphRequest, GraphResponse
from .subscriptions import SimGraphSubscription, expiry, invalid, moment, read, required, whose
from .table import GraphRoute
from .tokens import EntraSigner, EntraTokens
from .views import value_of

_PER_MAILBOX = 1000
_PAGE = 100
_QUIET = 600.0  # reauthorize and PATCH may not both come within this time


class SimGraphSubscriptions:
    """All subscriptions, by id and by mailbox; an expired one is gone when next looked at."""

    def __init__(
        self,
        clock: SimClock,
        faults: Faults,
        recorder: Recorder,
        pushes: GraphPushes,
        schedule: SimSchedule,
        tokens: EntraTokens,
        signer: EntraSigner,
    ) -> None:
        self._clock, self._faults, self._recorder = clock, faults, recorder
        self._pushes, self._schedule, self._tokens, self._signer = pushes, schedule, tokens, signer
        self.all: dict[str, SimGraphSubscription] = {}
        self._by_mailbox: dict[str, dict[str, SimGraphSubscription]] = {}
        self._proofs: dict[tuple[str, str], tuple[float, str]] = {}

    def now(self) -> float:
        return self._clock.time()

    def get(self, key: str) -> SimGraphSubscription:
        found = self.all.get(key)
        if found is not None and found.expires <= self._clock.time():
            self.remove(found)
            found = None
        if found is None:
            raise GraphError(404, "ResourceNotFound", "The object was not found.")
        return found

    def owned(self, key: str, caller: GraphCaller) -> SimGraphSubscription:
        found = self.get(key)
        if found.caller.app != caller.app:
            raise GraphError(404, "ResourceNotFound", "The object was not found.")
        return found

    def of(self, mailbox: SimGraphMailbox) -> list[SimGraphSubscription]:
        now = self._clock.time()
        mine = self._by_mailbox.get(mailbox.guid)
        if not mine:
            return []
        for gone in [one for one in mine.values() if one.expires <= now]:
            self.remove(gone)
        return list(mine.values())

    def remove(self, subscription: SimGraphSubscription) -> None:
        self.all.pop(subscription.id, None)
        self._by_mailbox.get(subscription.mailbox.guid, {}).pop(subscription.id, None)

    async def create(self, request: GraphRequest, mailbox: SimGraphMailbox, asked: dict[str, Any]) -> GraphResponse:
        made = read(request, mailbox, asked, self._clock.time())
        self._refuse_twin(made)
        if len(self.of(mailbox)) >= _PER_MAILBOX:
            raise GraphError(403, "ExtensionError", "The limit of active subscriptions for this mailbox was reached.")
        await self._validate(made)
        self._refuse_twin(made)  # another may have been created during the handshake
        self.all[made.id] = made
        self._by_mailbox.setdefault(mailbox.guid, {})[made.id] = made
        self._plan_reauthorization(made)
        context = {"@odata.context": f"{request.root}/$metadata#subscriptions/$entity"}
        return GraphResponse(201, {**context, **made.shown(secret=True)})

    def _refuse_twin(self, made: SimGraphSubscription) -> None:
        for one in self.of(made.mailbox):
            same = (one.change_type, one.resource.lower()) == (made.change_type, made.resource.lower())
            if same and (one.caller.app, one.caller.address) == (made.caller.app, made.caller.address):
                text = f"Subscription Id {one.id} already exists for the requested combination"
                raise GraphError(409, "ObjectIdentifierInUse", text)

    async def _validate(self, one: SimGraphSubscription) -> None:
        request_id = str(uuid.uuid4())
        await self._pushes.validate(one.url, request_id)
        if one.lifecycle_url:
            await self._pushes.validate(one.lifecycle_url, request_id)

    async def patch(self, one: SimGraphSubscription, caller: GraphCaller, asked: dict[str, Any]) -> dict[str, Any]:
        if unknown := set(asked) - {"expirationDateTime", "notificationUrl", "@odata.type", "id"}:
            raise invalid(
                f"{', '.join(sorted(unknown))} cannot be updated; delete the subscription and create it anew."
            )
        till = asked.get("expirationDateTime")
        expires = expiry(till, self._clock.time(), rich=one.lock is not None) if till else one.expires
        moved = str(asked["notificationUrl"]) if asked.get("notificationUrl") else one.url
        if not may_push(moved):
            raise invalid("Notification endpoint must use the HTTPS protocol.")
        now = self._clock.time()
        if now - one.reauthorized_at < _QUIET:
            self._recorder.mistake(f"subscription {one.id}: PATCH within 10 minutes of reauthorize")
        if self._faults.switches.validate_on_renew or moved != one.url:
            await self._pushes.validate(moved, str(uuid.uuid4()))
        one.url, one.expires = moved, expires
        one.patched_at, one.caller = now, caller
        self._plan_reauthorization(one)
        return one.shown(secret=True)

    async def reauthorize(self, one: SimGraphSubscription, caller: GraphCaller) -> None:
        now = self._clock.time()
        if now - one.patched_at < _QUIET:
            self._recorder.mistake(f"subscription {one.id}: reauthorize within 10 minutes of PATCH")
        if self._faults.switches.validate_on_renew:
            await self._pushes.validate(one.url, str(uuid.uuid4()))
        one.reauthorized_at, one.caller = now, caller

    def glance(self, mailbox: SimGraphMailbox, item: SimGraphItem) -> frozenset[str]:
        """Filtered subscriptions that this message matches as it is now."""
        mine = self._by_mailbox.get(mailbox.guid)
        if not mine:
            return frozenset()
        return frozenset(
            one.id
            for one in mine.values()
            if one.chosen and (one.folder is None or one.folder is item.folder) and one.chosen.test(item)
        )

    def hear(self, mailbox: SimGraphMailbox, change: SimGraphChange) -> None:
        """Tell every subscription that wants to know."""
        if mailbox.guid not in self._by_mailbox:
            return
        for one in self.of(mailbox):
            kind = _kind_for(one, change)
            if kind is not None and kind in one.changes and self._tokens.alive(one.caller.grant):
                self._tell(one, kind, change)

    def _tell(self, one: SimGraphSubscription, kind: str, change: SimGraphChange) -> None:
        switches = self._faults.switches
        if kind == "created" and switches.unreadable_for:
            change.item.readable_at = self._clock.time() + switches.unreadable_for
        if self._faults.strikes(switches.missed):
            self.lifecycle(one, "missed")
            return
        proof = self._proof(one) if one.lock else None
        self._pushes.put(one.url, self._notice(one, kind, change), proof)
        if kind == "created" and "updated" in one.changes and self._faults.strikes(switches.extra_updates):
            self._pushes.put(one.url, self._notice(one, "updated", change), proof)

    def _proof(self, one: SimGraphSubscription) -> str:
        """The token that says Graph sent this; one serves an app and tenant for most of an hour."""
        key, now = (one.caller.app, one.mailbox.tenant), self._clock.time()
        made = self._proofs.get(key)
        if made is None or made[0] < now - 3000:
            made = self._proofs[key] = (now, self._signer.sign(rich.proof_claims(*key, now)))
        return made[1]

    def _notice(self, one: SimGraphSubscription, kind: str, change: SimGraphChange) -> dict[str, Any]:
        key = change.item.immutable_id if one.immutable else change.mutable_id
        resource = f"Users/{one.mailbox.guid}/Messages/{key}"
        if self._faults.strikes(self._faults.switches.odd_resource):
            resource = f"users/{one.mailbox.guid}@{one.mailbox.tenant}/messages/{key}"
        if one.lock:
            resource = f"Users('{one.mailbox.guid}')/messages('{key}')"
        notice: dict[str, Any] = {
            "subscriptionId": one.id,
            "subscriptionExpirationDateTime": moment(one.expires),
            "changeType": kind,
            "resource": resource,
            "resourceData": {
                "@odata.type": "#Microsoft.Graph.Message",
                "@odata.id": resource,
                "@odata.etag": f'W/"{change.item.change_key}"',
                "id": key,
            },
            "clientState": self._client_state(one),
            "tenantId": one.mailbox.tenant,
        }
        if one.lock:
            content = {name: value_of(change.item, name) for name in one.select}
            notice["encryptedContent"] = one.lock.seal(
                {"@odata.type": "#Microsoft.Graph.Message", **content, "id": key}
            )
        return notice

    def _client_state(self, one: SimGraphSubscription) -> str | None:
        """As it was given, but for tenants where it arrives as null."""
        return None if self._faults.strikes(self._faults.switches.null_client_state) else one.client_state

    def lifecycle(self, one: SimGraphSubscription, event: str) -> None:
        """Send a lifecycle event; `subscriptionRemoved` removes the subscription as well."""
        if event == "subscriptionRemoved":
            self.remove(one)
        astray = self._faults.strikes(self._faults.switches.lifecycle_at_notification_url)
        where = one.url if astray else one.lifecycle_url
        if where is None:
            return
        item: dict[str, Any] = {
            "subscriptionId": one.id,
            "subscriptionExpirationDateTime": moment(one.expires),
            "tenantId": one.mailbox.tenant,
            "clientState": self._client_state(one),
            "lifecycleEvent": event,
        }
        if self._faults.strikes(self._faults.switches.organization_id):
            item["organizationId"] = item.pop("tenantId")
            item |= {"resource": "", "resourceData": {}, "sequence": None, "encryptedContent": None}
        self._pushes.put(where, item)

    def _plan_reauthorization(self, one: SimGraphSubscription) -> None:
        before = self._faults.switches.reauthorize_before
        if not before or one.lifecycle_url is None:
            return
        expires = one.expires

        def due() -> None:
            if self.all.get(one.id) is one and one.expires == expires:
                self.lifecycle(one, "reauthorizationRequired")

        self._schedule.after(max(0.0, expires - before - self._clock.time()), due)


def _kind_for(one: SimGraphSubscription, change: SimGraphChange) -> str | None:
    """How this change looks through this subscription."""
    if one.folder is None and change.moved and one.immutable:
        return "updated" if change.kind == "created" else None
    if one.folder is not None and one.folder is not change.folder:
        return None
    if one.chosen is None or change.kind == "deleted":
        return change.kind if one.chosen is None or one.id in change.matched else None
    matches = one.chosen.test(change.item)
    if change.kind == "created":
        return "created" if matches else None
    match (one.id in change.matched, matches):
        case (False, True):
            return "created"
        case (True, False):
            return "deleted"
        case (True, True):
            return "updated"
        case _:
            return None


class SubscriptionRoutes:
    """The subscription calls of the API."""

    def __init__(self, kept: SimGraphSubscriptions, gate: GraphGate) -> None:
        self._kept, self._gate = kept, gate

    def routes(self) -> list[GraphRoute]:
        return [
            GraphRoute("POST", "subscriptions", service=self.create),
            GraphRoute("GET", "subscriptions", service=self.list),
            GraphRoute("GET", "subscriptions/{id}", service=self.get),
            GraphRoute("PATCH", "subscriptions/{id}", service=self.renew),
            GraphRoute("DELETE", "subscriptions/{id}", service=self.delete),
            GraphRoute("POST", "subscriptions/{id}/reauthorize", service=self.reauthorize),
        ]

    async def create(self, request: GraphRequest) -> GraphResponse:
        asked = request.shaped(wire.PostedSubscription)
        required(asked)
        mailbox = self._gate.mailbox(whose(str(asked["resource"])), request.caller, "watch")
        request.params["user"] = mailbox.address
        return await self._kept.create(request, mailbox, asked)

    def list(self, request: GraphRequest) -> GraphResponse:
        now = self._kept.now()
        mine = [
            one.shown(secret=False)
            for one in self._kept.all.values()
            if one.expires > now
            and one.caller.app == request.caller.app
            and one.caller.address == request.caller.address
        ]
        skip = request.number("skiptoken", 0, lowest=0, highest=10**9)
        body: dict[str, Any] = {
            "@odata.context": f"{request.root}/$metadata#subscriptions",
            "value": mine[skip : skip + _PAGE],
        }
        if len(mine) > skip + _PAGE:
            body["@odata.nextLink"] = f"{request.root}/subscriptions?$skiptoken={skip + _PAGE}"
        return GraphResponse(200, body)

    def get(self, request: GraphRequest) -> GraphResponse:
        one = self._kept.owned(request.params["id"], request.caller)
        context = {"@odata.context": f"{request.root}/$metadata#subscriptions/$entity"}
        return GraphResponse(200, {**context, **one.shown(secret=False)})

    async def renew(self, request: GraphRequest) -> GraphResponse:
        one = self._kept.owned(request.params["id"], request.caller)
        context = {"@odata.context": f"{request.root}/$metadata#subscriptions/$entity"}
        return GraphResponse(
            200, {**context, **await self._kept.patch(one, request.caller, request.shaped(wire.PostedSubscription))}
        )

    async def reauthorize(self, request: GraphRequest) -> GraphResponse:
        await self._kept.reauthorize(self._kept.owned(request.params["id"], request.caller), request.caller)
        return GraphResponse(204)

    def delete(self, request: GraphRequest) -> GraphResponse:
        self._kept.remove(self._kept.owned(request.params["id"], request.caller))
        return GraphResponse(204)
