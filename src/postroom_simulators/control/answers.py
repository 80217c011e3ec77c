"""How the control API answers: plain values as JSON, mistakes as `{"error": "what to do"}`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from aiohttp import web

Handler = Callable[[web.Request], Awaitable[Any]]
Table = list[tuple[str, str, Handler]]  # verb, path below /control, handler


def number(request: web.Request, name: str, otherwise: int) -> int:
    text = request.query.get(name, str(otherwise))
    if not text.isdigit():
        raise ValueError(f"{name} must be a whole number, not {text!r}.")
    return int(text)


def guarded(handler: Handler) -> Callable[[web.Request], Awaitable[web.Response]]:
    async def answered(request: web.Request) -> web.Response:
        try:
            return _json(await handler(request))
        except KeyError as error:
            return _json({"error": str(error.args[0])}, 404)
        except (ValueError, msgspec.MsgspecError) as error:
            return _json({"error": str(error)}, 400)

    return answered


def _json(body: Any, status: int = 200) -> web.Response:
    headers = {"Cache-Control": "no-store"}
    return web.Response(body=msgspec.json.encode(body), status=status, content_type="application/json", headers=headers)
