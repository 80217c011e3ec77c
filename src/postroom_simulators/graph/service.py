"""How a request goes through the simulated Graph: admitted, counted, answered, perhaps hit by a fault, recorded."""

from __future__ import annotations

import asyncio
import inspect
import uuid
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import unquote

from aiohttp import web

from postroom_simulators import planned_faults
from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.planned_faults import ConnectionDropped, FaultKind
from postroom_simulators.recorder import RecordedCall, Recorder

from . import batch
from .attachments import content_of
from .entra import Entra
from .gate import GraphGate
from .mailbox import SimGraphMailbox
from .messages import apply
from .request import GraphError, GraphRequest, GraphResponse, split_path
from .table import GraphRoute, RouteTable

_KEPT_HEADERS = ("Prefer", "client-request-id", "If-Match", "Content-Type", "User-Agent")
_CONFLICT = "The send or update operation could not be performed because the change key passed in the request is stale."


class GraphService:
    """The way in, for single requests and for those of a batch."""

    def __init__(self, clock: SimClock, faults: Faults, recorder: Recorder, gate: GraphGate, entra: Entra) -> None:
        self._clock, self._faults, self._recorder = clock, faults, recorder
        self._gate, self._entra = gate, entra
        self._table = RouteTable([])
        self.operations: list[str] = []

    def routes(self, routes: list[GraphRoute]) -> None:
        mine = [*routes, GraphRoute("POST", "$batch", service=self._batch)]
        self._table = RouteTable(mine)
        self.operations = sorted({f"graph.{route.name}" for route in mine})

    def guarded(self, handler: Any) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """The switches that hit every endpoint, around a handler of Entra's."""

        async def handle(request: web.Request) -> web.StreamResponse:
            await self._linger()
            try:
                self._gate.strike()
            except GraphError as refused:
                self._entra.note(request, refused.status, note="fault")
                body = {"error": "temporarily_unavailable", "error_description": f"AADSTS50033: {refused.message}"}
                return web.json_response(body, status=refused.status, headers=refused.headers)
            response: web.StreamResponse = await handler(request)
            if self._faults.strikes(self._faults.switches.reset):
                return await _break_off(request, GraphResponse(response.status, getattr(response, "body", None)))
            return response

        return handle

    async def handle(self, received: web.Request) -> web.StreamResponse:
        segments = received.rel_url.raw_path.removeprefix("/v1.0/").rstrip("/").split("/")
        decoded = [unquote(one) for one in segments]
        request = GraphRequest(
            method=received.method,
            path="/".join(decoded),
            parts=split_path(decoded),
            query=dict(received.query),
            headers=received.headers,
            content=await content_of(received),
            origin=f"{received.scheme}://{received.host}",
            keep_comments=self._faults.switches.keep_comments,
        )
        try:
            answer = await self._answer(request)
        except ConnectionDropped:
            return drop(received)
        if self._faults.strikes(self._faults.switches.reset):
            return await _break_off(received, answer)
        return _response(request, answer)

    async def _answer(self, request: GraphRequest) -> GraphResponse:
        """One request, alone or from a batch, kept on record."""
        try:
            answer = await self._serve(request)
        except GraphError as refused:
            body = refused.body(self._clock.now(), request.headers.get("client-request-id", ""))
            answer = GraphResponse(refused.status, body, refused.headers)
        except ConnectionDropped as dropped:
            self._record(request, 0, str(dropped))
            raise
        said = answer.body.get("error", {}).get("code", "") if isinstance(answer.body, dict) else ""
        self._record(request, answer.status, str(said) if answer.status >= 400 else "")
        return answer

    async def _serve(self, request: GraphRequest) -> GraphResponse:
        self._gate.strike(throttle=False)
        if request.parts[:1] == ["me"]:
            request.parts = ["users", "me", *request.parts[1:]]
        found = self._table.find(request.parts)
        if found is None:
            raise GraphError(400, "BadRequest", f"Resource not found for the segment '{request.parts[-1]}'.")
        request.caller = self._gate.admit(request)
        routes, request.params = found
        route = routes.get(request.method)
        if route is None:
            raise GraphError(405, "BadRequest", f"The method {request.method} is not allowed here.")
        if route.mailbox is None:
            return await self._at_service(request, route)
        mailbox = self._gate.mailbox(request.params["user"], request.caller, route.need)
        request.params["user"] = mailbox.address
        with self._gate.inside(request.caller, mailbox):
            await self._linger()
            return await self._at_mailbox(request, route, mailbox)

    async def _at_service(self, request: GraphRequest, route: GraphRoute) -> GraphResponse:
        assert route.service is not None
        handler = route.service
        self._gate.strike(unavailable=False)
        await self._linger()
        fault = self._faults.planned.take(f"graph.{route.name}", "") if self._faults.planned.all else None
        if fault is None:
            return await _settled(handler(request))
        return await planned_faults.meet(
            fault, lambda: _settled(handler(request)), lambda kind: self._refusal(request, None, kind), lambda: None
        )

    async def _at_mailbox(self, request: GraphRequest, route: GraphRoute, mailbox: SimGraphMailbox) -> GraphResponse:
        assert route.mailbox is not None
        handler, planned = route.mailbox, self._faults.planned
        fault = planned.take(f"graph.{route.name}", mailbox.address) if planned.all else None
        if fault is None:
            return await _settled(handler(request, mailbox))
        return await planned_faults.meet(
            fault,
            lambda: _settled(handler(request, mailbox)),
            lambda kind: self._refusal(request, mailbox, kind),
            lambda: _edit_meanwhile(request, mailbox),
        )

    def _refusal(self, request: GraphRequest, mailbox: SimGraphMailbox | None, kind: FaultKind) -> GraphError:
        match kind:
            case "throttled" if mailbox is not None:
                traffic = self._gate.traffic.of(request.caller.app, mailbox.address)
                return self._gate.throttled(traffic, "TooManyRequests")
            case "throttled":
                wait = {"Retry-After": str(self._faults.switches.retry_after)}
                return GraphError(429, "TooManyRequests", "Too many requests.", wait)
            case "conflict":
                return GraphError(409, "ErrorIrresolvableConflict", _CONFLICT)
            case "precondition_failed":
                return GraphError(412, "ErrorIrresolvableConflict", _CONFLICT)
            case _:
                return GraphError(500, "ErrorInternalServerError", "An internal server error occurred.")

    async def _batch(self, request: GraphRequest) -> GraphResponse:
        return await batch.run(request, self._answer, max(1, self._faults.switches.batch_parallel))

    async def _linger(self) -> None:
        """A request takes time; at the least others have a turn meanwhile, and are then under way with it."""
        await asyncio.sleep(self._faults.switches.slow)

    def _record(self, request: GraphRequest, status: int, note: str) -> None:
        headers = {name: request.headers[name] for name in _KEPT_HEADERS if name in request.headers}
        path, who = f"/v1.0/{request.path}", request.params.get("user", "")
        self._recorder.record(
            RecordedCall(self._clock.time(), "graph", request.method, path, status, who, note, headers)
        )


def _edit_meanwhile(request: GraphRequest, mailbox: SimGraphMailbox) -> None:
    """A person at the mail program was quicker: another body, another change key."""
    item = mailbox.by_id.get(request.params.get("message", ""))
    if item is None or not item.is_draft:
        return
    content = f"<p>Edited meanwhile.</p>{item.props['body']['content']}"
    mailbox.edit(item, lambda one: apply(mailbox, one, {"body": {"contentType": "html", "content": content}}))


async def _settled(answer: GraphResponse | Awaitable[GraphResponse]) -> GraphResponse:
    return await answer if inspect.isawaitable(answer) else answer


def _headers(request: GraphRequest, answer: GraphResponse) -> Mapping[str, str]:
    headers = {"request-id": str(uuid.uuid4()), **answer.headers}
    if request.applied:
        headers["Preference-Applied"] = ", ".join(request.applied)
    if answer.body is not None and not isinstance(answer.body, bytes):
        headers["Content-Type"] = "application/json;odata.metadata=minimal;odata.streaming=true;charset=utf-8"
    return headers


def _response(request: GraphRequest, answer: GraphResponse) -> web.Response:
    return web.Response(status=answer.status, body=answer.content(), headers=_headers(request, answer))


async def _break_off(request: web.Request, answer: GraphResponse) -> web.StreamResponse:
    """Half of the body, then the line goes dead."""
    content = answer.content() or b"\n"
    response = web.StreamResponse(status=answer.status)
    response.content_length = len(content) + 1
    await response.prepare(request)
    await response.write(content[: len(content) // 2])
    return _aborted(request, response)


def drop(request: web.Request) -> web.StreamResponse:
    """No answer at all: the line goes dead."""
    return _aborted(request, web.Response())


def _aborted(request: web.Request, response: web.StreamResponse) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return response
