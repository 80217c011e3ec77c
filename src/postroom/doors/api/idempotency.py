"""A request that is repeated under the same key acts once, and gets the same answer again."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import UUID

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from postroom.doors.api.problems import KeyReused
from postroom.doors.entry import Caller
from postroom.engine import idempotency as held_keys
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import new_id

KEPT = timedelta(hours=24)
PRESUMED_DEAD = timedelta(minutes=10)  # a request that has not answered by then never will


class StoredAnswer(msgspec.Struct, frozen=True):
    """As it was given."""

    status: int
    media_type: str
    body: bytes


async def once(
    request: Request, body: bytes, who: Caller, key: str, act: Callable[[Request], Awaitable[Response]]
) -> Response:
    """The stored answer, or a new one that is stored. A request that failed may be made again under its key."""
    asked, claim, now = _digest(request, body), new_id(), who.scope.now
    async with who.scope.read() as tx:
        held = await held_keys.claim_key(
            tx, who.tenant_id, who.actor, key, asked, claim, now, kept_since=now - KEPT, dead_since=now - PRESUMED_DEAD
        )
    if held.claim != claim:
        return _again(request, who, key, asked, held)
    try:
        response = await act(request)
    except BaseException:
        async with who.scope.read() as tx:
            await held_keys.release_key(tx, who.actor, key, claim)
        raise
    await _keep(request, who, key, claim, response)
    return response


def _digest(request: Request, body: bytes) -> bytes:
    head = f"{request.method} {request.url.path}?{request.url.query}\n{request.headers.get('content-type', '')}\n"
    return hashlib.sha256(head.encode() + body).digest()


def _about(who: Caller, key: str) -> str:
    return f"{who.tenant_id}/idempotency/{who.actor}/{key}"


async def _keep(request: Request, who: Caller, key: str, claim: UUID, response: Response) -> None:
    given = StoredAnswer(response.status_code, response.media_type or "application/json", bytes(response.body))
    sealer = request.app.state.house.providers.sealer
    sealed = sealer.seal(msgspec.msgpack.encode(given), about=_about(who, key))
    async with who.scope.read() as tx:
        await held_keys.keep_answer(tx, who.actor, key, claim, sealed)


def _again(request: Request, who: Caller, key: str, asked: bytes, held: held_keys.HeldKey) -> Response:
    if bytes(held.request) != asked:
        raise KeyReused("This Idempotency-Key was used for another request; make a new one for this.")
    if held.answer is None:
        raise Conflict("The first request under this Idempotency-Key is still being worked on; ask again in a moment.")
    opened = request.app.state.house.providers.sealer.open(bytes(held.answer), about=_about(who, key))
    given = msgspec.msgpack.decode(opened, type=StoredAnswer)
    headers = {"Idempotency-Replayed": "true", "Content-Type": given.media_type}
    return Response(given.body, given.status, headers)
