"""What every queue of work shares: the revision that a decision is about, undo, and who else is looking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from postroom.doors.console import frame
from postroom.doors.console.forms import said
from postroom.doors.entry import signed_in
from postroom.nouns.errors import BadRequest, StaleRevision
from postroom.rooms.tenants import commands as tenants

MOST_NEIGHBOURS = 1_000  # of a queue; beyond, nobody goes one by one
FRESH = "Postroom-Fresh"  # an answer of 409 whose body is the item as it is now


def seen_revision(form: Mapping[str, str]) -> int:
    """What the person was looking at when they decided; every form and button of an item carries it."""
    text = form.get("revision", "")
    if not text.isdecimal() or len(text) > 9:
        raise BadRequest("This page does not say which version of it you looked at. Reload it and decide again.")
    return int(text)


def changed_meanwhile(response: Response, error: StaleRevision) -> Response:
    """409: the item as it is now, in the place of the old one, and who changed what."""
    response.status_code = 409
    response.headers[FRESH] = "yes"
    return frame.toast(response, str(error), "bad")


def with_undo(
    response: Response, text: str, path: str, revision: int, kind: str = "good", changed: Sequence[str] = ()
) -> Response:
    """The toast says what was decided, and z takes it back: `path` is posted with the revision that was made."""
    return frame.toast(response, text, kind, changed, undo={"path": path, "revision": revision})


def neighbours(rows: Sequence[UUID], here: UUID) -> dict[str, UUID | None]:
    """Before and after it in the list that people came from; from elsewhere, its beginning is next."""
    at = rows.index(here) if here in rows else -1
    return {"before": rows[at - 1] if at > 0 else None, "after": rows[at + 1] if at + 1 < len(rows) else None}


async def look(request: Request) -> Response:
    """Said every few seconds by an open item; answered with who else looks at it."""
    who = await signed_in(request, "viewer")
    others = await tenants.look(who.scope, (await said(request)).get("item", ""))
    return JSONResponse({"others": list(others)}, headers=frame.GUARDS)


async def look_away(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    await tenants.look_away(who.scope, (await said(request)).get("item", ""))
    return Response(status_code=204, headers=frame.GUARDS)


ROUTES = [
    Route("/looking", look, methods=["POST"]),
    Route("/looking/away", look_away, methods=["POST"]),
]
