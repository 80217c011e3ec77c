"""`$batch`: up to twenty requests in one, each with an answer of its own."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec
from multidict import CIMultiDict

from . import wire
from .request import GraphRequest, GraphResponse, bad_request, split_path

_MOST = 20
Serve = Callable[[GraphRequest], Awaitable[GraphResponse]]


async def run(request: GraphRequest, serve: Serve) -> GraphResponse:
    items = request.shaped(wire.PostedBatch)["requests"]
    _check(items)
    status: dict[str, int] = {}
    answers = []
    for item in items:
        answer = await _one(request, item, status, serve)
        status[str(item["id"]).lower()] = answer.status
        answers.append(_shown(str(item["id"]), answer))
    return GraphResponse(200, {"responses": answers})


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


async def _one(request: GraphRequest, item: Mapping[str, Any], status: dict[str, int], serve: Serve) -> GraphResponse:
    if any(status[str(one).lower()] >= 400 for one in item.get("dependsOn") or []):
        error = {"code": "FailedDependency", "message": "A request this one depends on failed."}
        return GraphResponse(424, {"error": error})
    headers = CIMultiDict({str(name): str(value) for name, value in (item.get("headers") or {}).items()})
    body = item.get("body")
    if body is not None and "Content-Type" not in headers:
        error = {"code": "BadRequest", "message": "A batch request with a body needs a Content-Type header."}
        return GraphResponse(400, {"error": error})
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
    )
    if inner.parts[:1] == ["$batch"]:
        return GraphResponse(400, {"error": {"code": "BadRequest", "message": "A batch cannot hold a batch."}})
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
