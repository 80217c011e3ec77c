"""How every page is made: the frame around it, the part of it that was asked for, and the headers that guard it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from postroom import reads
from postroom.doors.console import charts, fact_texts, navigation, static_files, topics, words
from postroom.doors.entry import Caller
from postroom.nouns.provider_traits import traits

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
GUARDS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
THEMES = ("light", "dark")
WORTH_PACKING = 1400


def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(
        static=static_files.address,
        chart=charts.bars,
        calibration=charts.calibration,
        say=fact_texts.say,
        traits=traits,
    )
    made.globals.update(nav_groups=navigation.GROUPS, places=navigation.PLACES, live_topics=topics.ALL_TOPICS)
    made.filters.update(words.FILTERS)
    return made


TEMPLATES = _environment()


async def page(
    request: Request, who: Caller, template: str, parts: Mapping[str, str] | None = None, **values: Any
) -> Response:
    """The whole page, or just the part that htmx names as its target."""
    part = (parts or {}).get(request.headers.get("hx-target", ""))
    if part is not None:
        return html(request, part, who=who, **values)
    async with who.scope.read() as tx:
        needs = await reads.overview.needs(tx)
    return html(request, template, who=who, needs=needs, **values)


def html(request: Request, template: str, code: int = 200, **values: Any) -> Response:
    house = request.app.state.house
    theme = request.cookies.get("theme", "")
    text = TEMPLATES.get_template(template).render(
        request=request,
        path=request.url.path,
        query=request.query_params,
        console=request.app.state.console,
        now=house.clock(),
        theme=theme if theme in THEMES else "",
        linked=_linked(request),
        **values,
    )
    return packed(request, HTMLResponse(text, code, headers=GUARDS))


def packed(request: Request, response: Response) -> Response:
    body = bytes(response.body)
    if len(body) > WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        response.body = gzip.compress(body, 4, mtime=0)
        response.headers["Content-Encoding"] = "gzip"
        response.headers["Content-Length"] = str(len(response.body))
        response.headers["Vary"] = "Accept-Encoding"
    return response


def _linked(request: Request) -> Any:
    def linked(**changes: object) -> str:
        """This page's address with some of its filters changed; None takes one away."""
        kept = {**request.query_params, **changes}
        said = urlencode({name: value for name, value in kept.items() if value not in (None, "")})
        return f"{request.url.path}?{said}" if said else request.url.path

    return linked


def toast(
    response: Response,
    text: str,
    kind: str = "good",
    changed: Sequence[str] = (),
    undo: Mapping[str, object] | None = None,
) -> Response:
    """Say it in the corner, and tell the page what changed. For `undo` see queue_items.with_undo."""
    events = {f"live:{name}": True for name in changed}
    said = {"text": text, "kind": kind, **({"undo": undo} if undo else {})}
    response.headers["HX-Trigger"] = json.dumps({"toast": said, **events})
    return response


def done(text: str, *changed: str, refused: str = "") -> Response:
    """An action that worked: nothing to swap, a word about it, and the fragments that should look again. What of it was
    refused is said too."""
    response = Response(status_code=200, headers={"HX-Reswap": "none", **GUARDS})
    return toast(response, f"{text} {refused}".strip(), "bad" if refused else "good", changed)


def go_to(address: str) -> Response:
    """Elsewhere, for a request that htmx made."""
    return Response(status_code=200, headers={"HX-Redirect": address, **GUARDS})
