"""The web process: one factory, and one table from our errors to HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute

from postroom.db.errors import DISK_FULL, DatabaseAway
from postroom.doors.entry import NotSignedIn
from postroom.doors.guards import DefaultHeaders, Note, ProxyWatch
from postroom.doors.limits import BodyLimits
from postroom.doors.sse import Streams
from postroom.logs import words
from postroom.nouns import errors

log = structlog.get_logger()
MOST_ERRORS = 50  # of one request that are told

STATUS: dict[type[errors.PostroomError], int] = {
    NotSignedIn: 401,
    errors.NotFound: 404,
    errors.NotAllowed: 403,
    errors.Conflict: 409,
    errors.Gone: 404,
    errors.Unreadable: 422,
    errors.Refused: 400,
    errors.Throttled: 429,
    errors.Transient: 503,
    errors.DraftTouched: 409,
    errors.Outdated: 409,
    errors.NeedsPerson: 409,
    errors.PostroomError: 500,
}


def status_of(error: errors.PostroomError) -> int:
    """The nearest kin in the table decides."""
    return next(STATUS[kin] for kin in type(error).__mro__ if kin in STATUS)


def make_app(
    routes: Sequence[BaseRoute], *, https: bool = False, note_proxy: Note | None = None, **state: Any
) -> FastAPI:
    app = FastAPI(title="Postroom", docs_url=None, redoc_url=None, openapi_url=None)
    app.state.streams = Streams()
    for name, value in state.items():
        setattr(app.state, name, value)
    app.router.routes.extend(routes)
    app.add_middleware(BodyLimits)
    if note_proxy is not None:
        app.add_middleware(ProxyWatch, note=note_proxy)
    app.add_middleware(DefaultHeaders, https=https)
    app.add_exception_handler(errors.PostroomError, _ours)
    app.add_exception_handler(DatabaseAway, _no_database)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    return app


def problem(status: int, title: str, detail: str, **more: Any) -> JSONResponse:
    """RFC 9457."""
    body = {"type": "about:blank", "title": title, "status": status, "detail": detail, **more}
    return JSONResponse(body, status, media_type="application/problem+json")


async def _ours(request: Request, error: Exception) -> JSONResponse:
    del request
    assert isinstance(error, errors.PostroomError)
    answer = problem(status_of(error), type(error).__name__, str(error), code=error.code)
    if isinstance(error, errors.Throttled) and error.retry_after is not None:
        answer.headers["Retry-After"] = str(int(error.retry_after) or 1)
    return answer


def without_database(error: Exception) -> errors.Unavailable:
    """Its server is gone, starts anew, or has no room: nothing of ours is wrong, and trying again may help."""
    if isinstance(error, DatabaseAway) and error.sqlstate == DISK_FULL:
        return errors.Unavailable("The disk of the database is full, so nothing was kept. Free some space; try again.")
    return errors.Unavailable("The database does not answer just now. Try again in a moment.")


async def _no_database(request: Request, error: Exception) -> JSONResponse:
    log.warning("no database", path=request.url.path, **words(error))
    answer = await _ours(request, without_database(error))
    answer.headers["Retry-After"] = "5"
    return answer


async def _http(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    detail = f"There is nothing at {request.url.path}." if error.status_code == 404 else str(error.detail)
    answer = problem(error.status_code, HTTPStatus(error.status_code).phrase, detail)
    answer.headers.update(error.headers or {})
    return answer


async def _invalid(request: Request, error: Exception) -> JSONResponse:
    del request
    assert isinstance(error, RequestValidationError)
    wrong = [{"where": _place(each), "what": each["msg"]} for each in error.errors()[:MOST_ERRORS]]
    return problem(422, "Invalid", "; ".join(f"{each['where']}: {each['what']}" for each in wrong), errors=wrong)


def _place(wrong: Any) -> str:
    """Where it stands; of a body that is no JSON, pydantic only counts the letters."""
    place = wrong["loc"][:1] if wrong["type"] == "json_invalid" else wrong["loc"]
    return ".".join(str(part) for part in place)
