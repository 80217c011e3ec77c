"""Errors as people see them: the table of the JSON problems, shown as a page, or in the corner of one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import quote

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from postroom.db.errors import DatabaseAway
from postroom.doors.console import frame
from postroom.doors.entry import NotSignedIn, by_session
from postroom.doors.http import problem, status_of, without_database
from postroom.nouns.errors import PostroomError, Throttled

Handler = Callable[[Request, Exception], Awaitable[Response]]
UNFORESEEN = "Something we did not foresee went wrong; it is in the log. Try again, or tell whoever runs this house."
HEADINGS = {
    400: "That did not work",
    401: "Please sign in",
    403: "Not allowed",
    404: "Nothing here",
    405: "Nothing here",
    409: "Not now",
    413: "Too large",
    422: "Cannot be read",
    429: "One moment",
    503: "Not available right now",
}


def show_as_pages(app: FastAPI) -> None:
    """Browsers get pages; everybody else gets what they got before."""
    for kind in (PostroomError, DatabaseAway, HTTPException):
        app.exception_handlers[kind] = _for_people(app.exception_handlers[kind])
    app.exception_handlers[Exception] = _for_people(_unforeseen)


async def _unforeseen(request: Request, error: Exception) -> Response:
    del request, error  # the server logs it
    return problem(500, "Internal error", UNFORESEEN)


def _for_people(other: Any) -> Handler:
    async def handle(request: Request, error: Exception) -> Response:
        if not wants_a_page(request):
            answer: Response = await other(request, error)
            return answer
        if isinstance(error, NotSignedIn):
            return to_the_door(request)
        status, detail = _explained(request, error)
        if "hx-request" in request.headers:
            return _in_the_corner(request, status, detail)
        return await _as_a_page(request, status, detail, error)

    return handle


def wants_a_page(request: Request) -> bool:
    if request.url.path.startswith(("/api/", "/webhooks/")) or "authorization" in request.headers:
        return False
    return "hx-request" in request.headers or "text/html" in request.headers.get("accept", "")


def to_the_door(request: Request) -> Response:
    if "hx-request" in request.headers:
        return frame.go_to(f"/signin?next={quote(_path(request.headers.get('hx-current-url', '/')))}")
    asked = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    back = asked if request.method == "GET" and asked != "/" else ""
    return RedirectResponse(f"/signin?next={quote(back)}" if back else "/signin", 303)


def _path(url: str) -> str:
    return "/" + url.split("://", 1)[-1].partition("/")[2]


def _explained(request: Request, error: Exception) -> tuple[int, str]:
    if isinstance(error, PostroomError):
        return status_of(error), str(error)
    if isinstance(error, DatabaseAway):
        return 503, str(without_database(error))
    if not isinstance(error, HTTPException):
        return 500, UNFORESEEN
    if error.status_code in (404, 405):
        return 404, f"There is nothing at {request.url.path}. It may have moved, or belong to another tenant."
    return error.status_code, str(error.detail)


def _in_the_corner(request: Request, status: int, detail: str) -> Response:
    response = frame.html(request, "_problem.html", status, heading=HEADINGS.get(status, "Problem"), detail=detail)
    if request.headers.get("hx-target") == "sheet":  # a page that cannot be drawn says so in its own place
        return response
    response.headers["HX-Reswap"] = "none"
    return frame.toast(response, detail, "bad")


async def _as_a_page(request: Request, status: int, detail: str, error: Exception) -> Response:
    heading = HEADINGS.get(status, "Something went wrong")
    who = None
    if request.method in ("GET", "HEAD") and not isinstance(error, DatabaseAway):
        who = await by_session(request)
    if who is None:
        response = frame.html(request, "problem_outside.html", status, heading=heading, detail=detail)
    else:
        response = await frame.page(request, who, "problem.html", heading=heading, detail=detail)
        response.status_code = status
    if isinstance(error, Throttled) and error.retry_after:
        response.headers["Retry-After"] = str(int(error.retry_after) or 1)
    return response
