"""Where providers ring: checked, written down, answered; nothing else happens here.

A burst comes through this door, so it stands in front of the house: no router, no middleware. The handshake is answered
before anything is looked at.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from uuid import UUID

import structlog
from prometheus_client import Counter, Histogram
from starlette.applications import Starlette
from starlette.datastructures import State
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, NotAllowed, PostroomError, Unavailable
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.providers import Notice
from postroom.rooms.mailboxes import rules, store
from postroom.rooms.sync.notifications import Intake, Ring, Told

LARGEST_BODY = 4 * 1024 * 1024
LONGEST_TOKEN = 4096
PATIENCE = 2.5  # seconds: Graph wants an answer within three, and a slow one counts against us more than a no
REMEMBER = 5.0  # seconds a subscription's owner is remembered
WINDOW = 60.0  # seconds in which a source's refusals are counted
ONE_BY_ONE = 20  # so many of a window are told each by itself; the others together at its end
log = structlog.get_logger()

RINGS = Counter("postroom_rings", "Notices from providers by what became of them", ["provider", "outcome"])
ANSWERED = Histogram(
    "postroom_hook_seconds", "Time to answer a bell", ["provider"], buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 3)
)
_TAKEN = Response(status_code=202)
_GRAPH_ANSWERED, _GRAPH_TAKEN = ANSWERED.labels("graph"), RINGS.labels("graph", "taken")

FindRingers = Callable[[list[str]], Awaitable[list[store.Ringer]]]
FindAddresses = Callable[[list[str]], Awaitable[list[store.RingingAddress]]]


@dataclass(slots=True)
class Tally:
    """How often one source was refused for one reason in this window, and how many of those nobody was told of."""

    whose: store.Ringer | None
    told: int = 0
    untold: int = 0


@dataclass(slots=True)
class Porter:
    """Knows whose bell is whose, for a few seconds, and counts strangers."""

    find: FindRingers
    find_addresses: FindAddresses
    intake: Intake
    house_tenant: Callable[[], Awaitable[TenantId | None]]
    parse_graph: Callable[[bytes], list[Notice]]
    parse_gmail: Callable[[bytes], Notice]
    verify_gmail: Callable[[Request], Awaitable[None]]
    _known: dict[str, tuple[float, store.Ringer]] = field(default_factory=dict)
    _tallies: dict[tuple[str, str], Tally] = field(default_factory=dict)
    _telling: set[asyncio.Task[None]] = field(default_factory=set)

    async def ringers(self, ids: Sequence[str]) -> dict[str, store.Ringer]:
        now = time.monotonic()
        known = {each: kept[1] for each in ids if (kept := self._known.get(each)) and kept[0] > now}
        if stale := [each for each in dict.fromkeys(ids) if each not in known]:
            if len(self._known) > 50_000:
                self._known.clear()
            found = {ringer.subscription_id: ringer for ringer in await self.find(stale)}
            for each in stale:  # a stranger is not remembered: the next moment it may be ours
                self._known.pop(each, None)
            self._known |= {each: (now + REMEMBER, ringer) for each, ringer in found.items()}
            known |= found
        return known

    async def note(self, provider: str, what: str, source: str, ringer: store.Ringer | None = None) -> None:
        """A security event. Of very many from one source most are told as a number: strangers cannot fill the disk."""
        RINGS.labels(provider, "refused").inc()
        key = (what, source)
        tally = self._tallies.get(key)
        if tally is None:
            tally = self._tallies[key] = Tally(ringer)
            asyncio.get_running_loop().call_later(WINDOW, self._end_window, key)
        if tally.told < ONE_BY_ONE:
            tally.told += 1
            await self._tell(key, ringer, 1)
        else:
            tally.untold += 1

    async def tell_the_rest(self) -> None:
        """What was only counted so far."""
        for key in list(self._tallies):
            tally = self._tallies.pop(key)
            if tally.untold:
                await self._tell(key, tally.whose, tally.untold)

    def _end_window(self, key: tuple[str, str]) -> None:
        tally = self._tallies.pop(key, None)
        if tally is not None and tally.untold:
            task = asyncio.create_task(self._tell(key, tally.whose, tally.untold))
            self._telling.add(task)
            task.add_done_callback(self._telling.discard)

    async def _tell(self, key: tuple[str, str], ringer: store.Ringer | None, times: int) -> None:
        what, source = key
        log.warning("bell refused", what=what, source=source, times=times)
        tenant = ringer.tenant_id if ringer else await self.house_tenant()
        if tenant is None:
            return
        mailbox: UUID | None = ringer.mailbox_id if ringer else None
        fact = facts.SecurityNoted(what=what, source=source, times=times, mailbox_id=mailbox)
        await self.intake.put([], [Told(tenant, fact)])


async def graph(request: Request, porter: Porter) -> Response:
    """Notifications and lifecycle events alike, on all of their addresses."""
    if b"validationToken" in request.scope["query_string"] and "validationToken" in request.query_params:
        return handshake(request)
    began = time.perf_counter()
    try:
        notices = porter.parse_graph(await read_body(request))
        answer = await _written_down(_take(porter, notices, _source(request)))
    except BadRequest as problem:
        answer = _refusal(problem)
    _GRAPH_ANSWERED.observe(time.perf_counter() - began)
    return answer


def handshake(request: Request) -> Response:
    token = request.query_params["validationToken"]
    if len(token) > LONGEST_TOKEN:
        return PlainTextResponse("That is not a validation token.\n", 400)
    return PlainTextResponse(token, 200, headers={"X-Content-Type-Options": "nosniff"})


async def _take(porter: Porter, notices: Sequence[Notice], source: str) -> Response:
    """Valid ones are taken, bad ones dropped and noted; only when all are bad is the whole refused."""
    ringers = await porter.ringers([notice.watch_id for notice in notices])
    rings: list[Ring] = []
    told: list[Told] = []
    refused = 0
    for notice in notices:
        ringer = ringers.get(notice.watch_id)
        if ringer is None:
            refused += 1
            await porter.note("graph", "unknown subscription", source)
        elif not rules.state_matches(notice.client_state, ringer.client_state_digest):
            refused += 1
            await porter.note("graph", "wrong clientState", source, ringer)
        else:
            _sort(notice, ringer, rings, told)
    if notices and refused == len(notices):
        return PlainTextResponse("Not one of ours.\n", 401)
    await porter.intake.put(rings, told)
    _GRAPH_TAKEN.inc(len(rings) + len(told))
    return _TAKEN


def _sort(notice: Notice, ringer: store.Ringer, rings: list[Ring], told: list[Told]) -> None:
    tenant, mailbox = ringer.tenant_id, ringer.mailbox_id
    if notice.lifecycle is not None:
        event = facts.WatchNoticed(mailbox_id=mailbox, watch_id=notice.watch_id, event=notice.lifecycle)
        told.append(Told(tenant, event))
    else:
        rings.append(Ring(tenant, mailbox, notice.message_ref if notice.change != "deleted" else None))


async def gmail(request: Request, porter: Porter) -> Response:
    """Pub/Sub push: the token is checked before anything is kept."""
    with ANSWERED.labels("gmail").time():
        try:
            await porter.verify_gmail(request)
            body = await read_body(request)
        except NotAllowed as problem:
            return await _written_down(_turn_away(porter, problem, _source(request)))
        except Unavailable as problem:
            return PlainTextResponse(f"{problem}\n", 503)
        except BadRequest as problem:
            return _refusal(problem)
        except PostroomError as problem:
            return PlainTextResponse(f"{problem}\n", 403)
        return await _written_down(_take_gmail(porter, body, _source(request)))


async def _take_gmail(porter: Porter, body: bytes, source: str) -> Response:
    try:
        notice = porter.parse_gmail(body)
    except NotAllowed as problem:
        return await _turn_away(porter, problem, source)
    except BadRequest as problem:  # it will not get better: acknowledged, or it would come for seven days
        log.warning("push that says nothing to us", problem=str(problem))
        RINGS.labels("gmail", "unreadable").inc()
        return Response(status_code=204)
    owners = await porter.find_addresses([notice.address])
    if not owners:
        log.warning("push for a mailbox that is not ours")
        RINGS.labels("gmail", "unknown").inc()
        return Response(status_code=204)
    await porter.intake.put([Ring(TenantId(each.tenant_id), MailboxId(each.mailbox_id)) for each in owners])
    RINGS.labels("gmail", "taken").inc()
    return Response(status_code=204)


async def _turn_away(porter: Porter, problem: NotAllowed, source: str) -> Response:
    await porter.note("gmail", f"Pub/Sub push refused: {problem}", source)
    return PlainTextResponse(f"{problem}\n", 403)


async def _written_down(taking: Awaitable[Response]) -> Response:
    """In time, or a no: then the provider rings again."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await taking
    except Exception as problem:  # noqa: BLE001 - whatever it is, a bell that is not durable is not acknowledged
        log.warning("bell not written down", error=type(problem).__name__)
        return PlainTextResponse("Not written down; ring again.\n", 503)


def _refusal(problem: BadRequest) -> Response:
    return PlainTextResponse(f"{problem}\n", 413 if isinstance(problem, TooMuch) else 400)


class TooMuch(BadRequest):
    """More than a bell may say."""


async def read_body(request: Request) -> bytes:
    """Never more than a bell may say, whatever its length line claims."""
    body, more = bytearray(), True
    while more:
        part = await request.receive()
        if part["type"] != "http.request":
            raise BadRequest("The caller hung up.")
        body += part.get("body", b"")
        if len(body) > LARGEST_BODY:
            raise TooMuch("This is more than a bell may say.")
        more = part.get("more_body", False)
    return bytes(body)


def _source(request: Request) -> str:
    client = request.scope.get("client")
    return str(client[0]) if client else "unknown"


BELLS: dict[str, Callable[[Request, Porter], Awaitable[Response]]] = {
    "/api/graph/notifications": graph,
    "/api/graph/lifecycle": graph,
    "/webhooks/outlook": graph,
    "/api/email/webhook": graph,
    "/webhooks/gmail": gmail,
}


class Porch:
    """In front of the house: a bell is answered here, everything else goes in."""

    def __init__(self, house: Starlette, porter: Porter) -> None:
        self.house, self.porter = house, porter

    @property
    def state(self) -> State:
        return self.house.state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ring = BELLS.get(scope["path"]) if scope["type"] == "http" else None
        if ring is None:
            await self.house(scope, receive, send)
        elif scope["method"] != "POST":
            await PlainTextResponse("Bells are rung with POST.\n", 405, {"Allow": "POST"})(scope, receive, send)
        else:
            await (await ring(Request(scope, receive), self.porter))(scope, receive, send)
