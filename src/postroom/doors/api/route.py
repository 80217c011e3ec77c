"""One way through every route of the API: who is it, how much may be said, and was it said before."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine, Sequence
from typing import Annotated, Any, ClassVar

from fastapi import APIRouter, Depends, Header, Request, Security
from fastapi.params import Depends as Dependency
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Message, Receive

from postroom.doors import limits
from postroom.doors.api import idempotency
from postroom.doors.entry import Caller, caller
from postroom.nouns.errors import BadRequest
from postroom.rooms.tenants import rules

MOST_BRACKETS = 2_000
MOST_COMMAS = 5_000
KEY_SHAPE = r"^[\x21-\x7e]{1,200}$"

bearer = HTTPBearer(
    auto_error=False, scheme_name="key", description="An API key: `Authorization: Bearer pr_…` (`postroom key create`)."
)
Handler = Callable[[Request], Coroutine[Any, Any, Response]]


async def idempotency_key(
    key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            pattern=KEY_SHAPE,
            description="Any text of your own, such as a UUID. The same key with the same request gives the stored "
            "answer for 24 hours instead of acting again; with another request it is refused (422).",
        ),
    ] = None,
) -> None:
    """Declared here, kept by the route."""
    del key


class ApiRoute(APIRoute):
    """Strangers are turned away before anything they say is looked at."""

    largest_body: ClassVar[int] = limits.PEOPLES_BYTES
    asks_for_scope: ClassVar[bool] = True

    def __init__(
        self,
        path: str,
        endpoint: Callable[..., Any],
        *,
        dependencies: Sequence[Dependency] | None = None,
        **options: Any,
    ) -> None:
        asked = [*(dependencies or [])]
        if "POST" in (options.get("methods") or ()):
            asked.append(Depends(idempotency_key))
        super().__init__(path, endpoint, dependencies=asked, **options)

    def get_route_handler(self) -> Handler:
        answer = super().get_route_handler()

        async def through(request: Request) -> Response:
            who = await _authenticate(request, scoped=self.asks_for_scope)
            if request.method in {"GET", "HEAD"}:
                return await answer(request)
            body = await _read_body(request, self.largest_body)
            if why := objection_to_json(body, request.headers.get("content-type", "")):
                raise BadRequest(why)
            again = Request(request.scope, _say_again(body, request.receive))
            key = request.headers.get("idempotency-key")
            if request.method != "POST" or key is None or not re.fullmatch(KEY_SHAPE, key):
                return await answer(again)
            return await idempotency.once(again, body, who, key, answer)

        return through


class OwnRoute(ApiRoute):
    """Likewise, for what a key may know of itself, whatever it is limited to."""

    asks_for_scope = False


class UploadRoute(ApiRoute):
    """Likewise, for files."""

    largest_body = limits.UPLOAD_BYTES


class OrderFileRoute(ApiRoute):
    """Likewise, for lists of orders."""

    largest_body = limits.ORDER_FILE_BYTES + limits.MB


class BookFilesRoute(ApiRoute):
    """Likewise, for the files of a client book."""

    largest_body = limits.BOOK_BYTES + limits.MB


def collection(name: str, route: type[ApiRoute] = ApiRoute) -> APIRouter:
    """The routes of one collection; its name is also the scope that a key may be limited to."""
    return APIRouter(prefix="/api/v1", tags=[name], route_class=route)


async def _authenticate(request: Request, *, scoped: bool) -> Caller:
    try:
        who = await caller(request, "viewer", request.scope["route"].tags[0] if scoped else None)
    finally:
        await request.close()  # a session's form may have been read, in search of its token
    request.state.caller = who
    return who


async def _read_body(request: Request, most: int) -> bytes:
    """Never more than may be said, whatever its length line claims: `doors/limits.py` counts."""
    limits.allow(request, most)
    try:
        return b"".join([chunk async for chunk in request.stream()])
    except ClientDisconnect:
        raise BadRequest("The caller hung up.") from None
    except RuntimeError:  # the form was read already
        raise BadRequest("Send the session's token as the header X-CSRF-Token.") from None


def objection_to_json(body: bytes, content_type: str) -> str:
    """Why this is not even parsed: every bracket and comma becomes an object, and thousands of them hold others up."""
    if "json" not in content_type:
        return ""
    if body.count(b"[") + body.count(b"{") > MOST_BRACKETS:
        return f"This JSON has more than {MOST_BRACKETS:,} lists and objects in it."
    if body.count(b",") > MOST_COMMAS:
        return f"This JSON has more than {MOST_COMMAS:,} items in it."
    return ""


def _say_again(body: bytes, receive: Receive) -> Receive:
    said = False

    async def again() -> Message:
        nonlocal said
        if said:
            return await receive()
        said = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _as(request: Request, wanted: rules.Role) -> Caller:
    who: Caller = request.state.caller
    rules.require(who.role, wanted)
    return who


async def reader(request: Request, _: Annotated[object, Security(bearer)] = None) -> Caller:
    return _as(request, "viewer")


async def operator(request: Request, _: Annotated[object, Security(bearer)] = None) -> Caller:
    return _as(request, "operator")


async def admin(request: Request, _: Annotated[object, Security(bearer)] = None) -> Caller:
    return _as(request, "admin")


Reader = Annotated[Caller, Depends(reader)]
Operator = Annotated[Caller, Depends(operator)]
Admin = Annotated[Caller, Depends(admin)]
