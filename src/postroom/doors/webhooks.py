"""Webhooks of Microsoft Graph and of Pub/Sub: checked, written down, answered; nothing else happens here.

A burst comes through this door, so it stands in front of router and middleware. The validation handshake is answered
before anything is looked at.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from prometheus_client import Counter, Histogram
from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from postroom.db.gathering import SharedQuestion
from postroom.logs import words
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, NotAllowed, PostroomError, Unavailable
from postroom.nouns.ids import TenantId
from postroom.nouns.providers import Notification
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import rules, watch_store
from postroom.rooms.sync.notifications import Intake, MailboxNotification, TenantFact

LARGEST_BODY_BYTES = 4 * 1024 * 1024
LONGEST_TOKEN_CHARACTERS = 4096
ANSWER_WITHIN_SECONDS = 2.5  # Graph wants an answer within three, and a slow one counts against us more than a no
OWNER_KNOWN_SECONDS = 5.0  # a subscription's owner is remembered so long
GATHER_SECONDS = 0.02  # in a burst, pushes for so many mailboxes are looked up, and written down, together
GATHERED_IDS = 100  # who asks for more, perhaps a stranger, asks alone: nobody's push waits for that
REFUSAL_WINDOW_SECONDS = 60.0  # in which a source's refusals are counted
REFUSALS_TOLD_ONE_BY_ONE = 20  # of a window; the others are told together at its end
OWNERS_KNOWN = 50_000
log = structlog.get_logger()

NOTIFICATIONS = Counter(
    "postroom_notifications", "Notifications from providers by what became of them", ["provider", "outcome"]
)
ANSWERED = Histogram(
    "postroom_webhook_seconds",
    "Time to answer a webhook",
    ["provider"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 3),
)
_ACCEPTED = Response(status_code=202)
_GRAPH_ANSWERED, _GRAPH_ACCEPTED = ANSWERED.labels("graph"), NOTIFICATIONS.labels("graph", "accepted")

FindOwners = Callable[[list[str]], Awaitable[list[watch_store.SubscriptionOwner]]]
FindAddresses = Callable[[list[str]], Awaitable[list[watch_store.AddressOwner]]]


@dataclass(slots=True)
class RefusalCount:
    """How often one source was refused for one reason in this window, and how many of those nobody was told of."""

    owner: watch_store.SubscriptionOwner | None
    told: int = 0
    untold: int = 0


@dataclass(slots=True)
class WebhookGate:
    """Knows whose subscription is whose, for a few seconds, and counts strangers."""

    find: FindOwners
    find_addresses: FindAddresses
    intake: Intake
    house_tenant: Callable[[], Awaitable[TenantId | None]]
    parse_graph: Callable[[bytes], list[Notification]]
    parse_gmail: Callable[[bytes], Notification]
    verify_gmail: Callable[[Request], Awaitable[None]]
    _known: dict[str, tuple[float, watch_store.SubscriptionOwner]] = field(default_factory=dict)
    _refusals: dict[tuple[str, str], RefusalCount] = field(default_factory=dict)
    _telling: set[asyncio.Task[None]] = field(default_factory=set)
    _asked: SharedQuestion[str, watch_store.SubscriptionOwner] = field(init=False)

    def __post_init__(self) -> None:
        self._asked = SharedQuestion(self._find, in_burst=GATHER_SECONDS)

    async def owners(self, ids: Sequence[str]) -> dict[str, watch_store.SubscriptionOwner]:
        now = time.monotonic()
        known = {each: kept[1] for each in ids if (kept := self._known.get(each)) and kept[0] > now}
        if stale := [each for each in dict.fromkeys(ids) if each not in known]:
            if len(self._known) > OWNERS_KNOWN:
                self._known.clear()
            found = await (self._asked.answers(*stale) if len(stale) <= GATHERED_IDS else self._find(stale))
            for each in stale:  # a stranger is not remembered: the next moment it may be ours
                self._known.pop(each, None)
            self._known |= {each: (now + OWNER_KNOWN_SECONDS, owner) for each, owner in found.items()}
            known |= found
        return known

    async def _find(self, ids: list[str]) -> Mapping[str, watch_store.SubscriptionOwner]:
        return {owner.subscription_id: owner for owner in await self.find(ids)}

    async def owners_now(self, ids: Sequence[str]) -> dict[str, watch_store.SubscriptionOwner]:
        """As they stand: a renewal of a moment ago may have brought another key."""
        for each in ids:
            self._known.pop(each, None)
        return await self.owners(ids)

    async def refuse(
        self, provider: str, what: str, source: str, owner: watch_store.SubscriptionOwner | None = None
    ) -> None:
        """A security event. Of very many from one source most are told as a number: strangers cannot fill the disk."""
        NOTIFICATIONS.labels(provider, "refused").inc()
        key = (what, source)
        count = self._refusals.get(key)
        if count is None:
            count = self._refusals[key] = RefusalCount(owner)
            asyncio.get_running_loop().call_later(REFUSAL_WINDOW_SECONDS, self._end_window, key)
        if count.told < REFUSALS_TOLD_ONE_BY_ONE:
            count.told += 1
            await self._tell(key, owner, 1)
        else:
            count.untold += 1

    async def tell_the_rest(self) -> None:
        """What was only counted so far."""
        for key in list(self._refusals):
            count = self._refusals.pop(key)
            if count.untold:
                await self._tell(key, count.owner, count.untold)

    def _end_window(self, key: tuple[str, str]) -> None:
        count = self._refusals.pop(key, None)
        if count is not None and count.untold:
            task = asyncio.create_task(self._tell(key, count.owner, count.untold))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _tell(self, key: tuple[str, str], owner: watch_store.SubscriptionOwner | None, times: int) -> None:
        what, source = key
        log.warning("notification refused", what=what, source=source, times=times)
        tenant = owner.tenant_id if owner else await self.house_tenant()
        if tenant is None:
            return
        mailbox: UUID | None = owner.mailbox_id if owner else None
        fact = facts.SecurityNoted(what=what, source=source, times=times, mailbox_id=mailbox)
        await self.intake.put([], [TenantFact(tenant, fact)])


async def graph(request: Request, gate: WebhookGate) -> Response:
    """Notifications and lifecycle events alike, on all of their addresses."""
    if b"validationToken" in request.scope["query_string"] and "validationToken" in request.query_params:
        return handshake(request)
    began = time.perf_counter()
    try:
        notifications = gate.parse_graph(await read_body(request))
        key = request.query_params.get("key") if b"key=" in request.scope["query_string"] else None
        answer = await _written_down(_take_graph(gate, notifications, _source(request), Secret(key) if key else None))
    except BadRequest as problem:
        answer = _refusal(problem)
    _GRAPH_ANSWERED.observe(time.perf_counter() - began)
    return answer


def handshake(request: Request) -> Response:
    token = request.query_params["validationToken"]
    if len(token) > LONGEST_TOKEN_CHARACTERS:
        return PlainTextResponse("The validationToken is too long.\n", 400)
    return PlainTextResponse(token, 200, headers={"X-Content-Type-Options": "nosniff"})


async def _take_graph(
    gate: WebhookGate, notifications: Sequence[Notification], source: str, key: Secret | None
) -> Response:
    """Valid ones are taken, bad ones dropped and noted; only when all are bad is the whole refused."""
    owners = await gate.owners([each.watch_id for each in notifications])
    unsure = [each.watch_id for each in notifications if each.client_state is None]
    if unsure and not all(_is_genuine(each, key, owners) for each in notifications):
        owners |= await gate.owners_now(unsure)
    valid: list[MailboxNotification] = []
    lifecycle: list[TenantFact] = []
    for each in notifications:
        owner = owners.get(each.watch_id)
        if owner is None:
            await gate.refuse("graph", "unknown subscription", source)
        elif not _is_genuine(each, key, owners):
            await gate.refuse("graph", "wrong clientState", source, owner)
        elif each.lifecycle is not None:
            lifecycle.append(_lifecycle_event(each, owner))
        else:
            is_incoming = owner.folder == "served" and each.change != "deleted"
            ref = each.message_ref if is_incoming else None
            valid.append(MailboxNotification(owner.tenant_id, owner.mailbox_id, ref))
    if notifications and not valid and not lifecycle:
        return PlainTextResponse("Unknown subscription or clientState.\n", 401)
    await gate.intake.put(valid, lifecycle)
    _GRAPH_ACCEPTED.inc(len(valid) + len(lifecycle))
    return _ACCEPTED


def _is_genuine(each: Notification, key: Secret | None, owners: Mapping[str, watch_store.SubscriptionOwner]) -> bool:
    owner = owners.get(each.watch_id)
    if owner is None:
        return False
    return rules.is_genuine(each.client_state, key, owner.client_state_digest, owner.url_key_digests)


def _lifecycle_event(notification: Notification, owner: watch_store.SubscriptionOwner) -> TenantFact:
    watch, event = notification.watch_id, notification.lifecycle or ""
    return TenantFact(owner.tenant_id, facts.WatchNoticed(mailbox_id=owner.mailbox_id, watch_id=watch, event=event))


async def gmail(request: Request, gate: WebhookGate) -> Response:
    """Pub/Sub push: the token is checked before anything is kept."""
    with ANSWERED.labels("gmail").time():
        try:
            await gate.verify_gmail(request)
            body = await read_body(request)
        except NotAllowed as problem:
            return await _written_down(_turn_away(gate, problem, _source(request)))
        except Unavailable as problem:
            return PlainTextResponse(f"{problem}\n", 503)
        except BadRequest as problem:
            return _refusal(problem)
        except PostroomError as problem:
            return PlainTextResponse(f"{problem}\n", 403)
        return await _written_down(_take_gmail(gate, body, _source(request)))


async def _take_gmail(gate: WebhookGate, body: bytes, source: str) -> Response:
    try:
        notification = gate.parse_gmail(body)
    except NotAllowed as problem:
        return await _turn_away(gate, problem, source)
    except BadRequest as problem:  # it will not get better: acknowledged, or it would come for seven days
        log.warning("push cannot be read", problem=str(problem))
        NOTIFICATIONS.labels("gmail", "unreadable").inc()
        return Response(status_code=204)
    owners = await gate.find_addresses([notification.address])
    if not owners:
        log.warning("push for an unknown mailbox")
        NOTIFICATIONS.labels("gmail", "unknown").inc()
        return Response(status_code=204)
    await gate.intake.put([MailboxNotification(each.tenant_id, each.mailbox_id) for each in owners])
    NOTIFICATIONS.labels("gmail", "accepted").inc()
    return Response(status_code=204)


async def _turn_away(gate: WebhookGate, problem: NotAllowed, source: str) -> Response:
    await gate.refuse("gmail", f"Pub/Sub push refused: {problem}", source)
    return PlainTextResponse(f"{problem}\n", 403)


async def _written_down(taking: Awaitable[Response]) -> Response:
    """In time, or 503: then the provider sends it again."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN_SECONDS):
            return await taking
    except Exception as problem:  # noqa: BLE001 - whatever it is, a notification that is not durable is not acknowledged
        log.warning("notification not written down", **words(problem))
        return PlainTextResponse("The notification could not be stored. Send it again.\n", 503)


def _refusal(problem: BadRequest) -> Response:
    return PlainTextResponse(f"{problem}\n", 413 if isinstance(problem, NotificationTooLarge) else 400)


class NotificationTooLarge(BadRequest):
    """More than a notification may say."""


async def read_body(request: Request) -> bytes:
    """Never more than a notification may say, whatever its Content-Length claims."""
    body, more = bytearray(), True
    while more:
        part = await request.receive()
        if part["type"] != "http.request":
            raise BadRequest("The connection was closed before the body was complete.")
        body += part.get("body", b"")
        if len(body) > LARGEST_BODY_BYTES:
            raise NotificationTooLarge(f"The body is larger than {LARGEST_BODY_BYTES // (1024 * 1024)} MB.")
        more = part.get("more_body", False)
    return bytes(body)


def _source(request: Request) -> str:
    client = request.scope.get("client")
    return str(client[0]) if client else "unknown"


WEBHOOKS: dict[str, Callable[[Request, WebhookGate], Awaitable[Response]]] = {
    "/api/graph/notifications": graph,
    "/api/graph/lifecycle": graph,
    "/webhooks/outlook": graph,
    "/api/email/webhook": graph,
    "/webhooks/gmail": gmail,
}


class WebhookApp:
    """In front of the web application: a webhook is answered here, everything else goes on to it."""

    def __init__(self, app: Starlette, gate: WebhookGate) -> None:
        self.app, self.gate = app, gate

    @property
    def state(self) -> State:
        return self.app.state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        webhook = WEBHOOKS.get(scope["path"]) if scope["type"] == "http" else None
        if webhook is None:
            await self.app(scope, receive, send)
        elif scope["method"] != "POST":
            await PlainTextResponse("Send webhooks with POST.\n", 405, {"Allow": "POST"})(scope, receive, send)
        else:
            await (await webhook(Request(scope, receive), self.gate))(scope, receive, send)
