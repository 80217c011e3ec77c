"""`$batch`: up to twenty requests in one, each with an answer of its own."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from multidict import CIMultiDict

from postroom_simulators.planned_faults import ConnectionDropped

from . import wire
from .request import GraphRequest, GraphResponse, bad_request, split_path

_MOST = 20
Serve = Callable[[GraphRequest], Awaitable[GraphResponse]]


async def run(request: GraphRequest, serve: Serve, at_once: int) -> GraphResponse:
    """`at_once` of them run side by side, each counted as if it had come alone; answers come as they are ready."""
    items = request.shaped(wire.PostedBatch)["requests"]
    _check(items)
    turns = asyncio.Semaphore(at_once)
    steps: dict[str, asyncio.Task[int]] = {}
    answers: list[dict[str, Any]] = []
    dropped: list[ConnectionDropped] = []

    async def step(item: Mapping[str, Any]) -> int:
        before = [await steps[str(one).lower()] for one in item.get("dependsOn") or []]
        if any(status >= 400 for status in before):
            answer = _refusal(424, "FailedDependency", "A request this one depends on failed.")
        else:
            async with turns:
                try:
                    answer = await _one(request, item, serve)
                except ConnectionDropped as lost:
                    dropped.append(lost)
                    return 500
        answers.append(_shown(str(item["id"]), answer))
        return answer.status

    async with asyncio.TaskGroup() as group:
        for item in items:
            steps[str(item["id"]).lower()] = group.create_task(step(item))
    if dropped:
        raise dropped[0]
    return GraphResponse(200, {"responses": answers})


def _refusal(status: int, code: str, message: str) -> GraphResponse:
    return GraphResponse(status, {"error": {"code": code, "message": message}})


def _check(items: list[dict[str, Any]]) -> None:
    if not items:
        raise bad_request("Invalid batch payload format.", "BadRequest")
    if len(items) > _MOST:
        raise bad_request(f"Number of batch request steps exceeds the maximum value of {_MOST}.", "BadRequest")
    seen: set[str] = set()
    for item in items:
        if not all(item.get(name) for name in ("id", "method", "url")):
            raise bad_request("Every batch request needs an id, a method and a url.", "BadRequest")
        key = item["id"].lower()
        if key in seen:
            raise bad_request(f"Duplicate request id '{item['id']}' in the batch.", "BadRequest")
        if not {one.lower() for one in item.get("dependsOn", [])} <= seen:
            raise bad_request("A batch request may depend only on requests before it.", "BadRequest")
        seen.add(key)


async def _one(request: GraphRequest, item: Mapping[str, Any], serve: Serve) -> GraphResponse:
    headers = CIMultiDict({str(name): str(value) for name, value in (item.get("headers") or {}).items()})
    body = item.get("body")
    if body is not None and "Content-Type" not in headers:
        return _refusal(400, "BadRequest", "A batch request with a body needs a Content-Type header.")
    headers.setdefault("Authorization", request.headers.get("Authorization", ""))
    where = urlsplit(str(item["url"]).lstrip("/"))
    path = unquote(where.path.removeprefix("v1.0/"))
    inner = GraphRequest(
        method=str(item["method"]).upper(),
        path=path,
        parts=split_path([unquote(one) for one in where.path.removeprefix("v1.0/").split("/")]),
        query=dict(parse_qsl(where.query, keep_blank_values=True)),
        headers=headers,
        content=_content(body),
        origin=request.origin,
        keep_comments=request.keep_comments,
    )
    if inner.parts[:1] == ["$batch"]:
        return _refusal(400, "BadRequest", "A batch cannot hold a batch.")
    return await serve(inner)


def _content(body: Any) -> bytes:
    if body is None:
        return b""
    return body.encode() if isinstance(body, str) else msgspec.json.encode(body)


def _shown(key: str, answer: GraphResponse) -> dict[str, Any]:
    body = answer.body
    if isinstance(body, bytes):
        body = base64.urlsafe_b64encode(body).decode()
    headers = dict(answer.headers)
    if answer.body is not None:
        headers.setdefault("Content-Type", "application/json")
    shown: dict[str, Any] = {"id": key, "status": answer.status, "headers": headers}
    return shown if body is None else {**shown, "body": body}
