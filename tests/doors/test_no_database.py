"""A database that is gone or full is said to be so, to programs and to people, and never looks like our fault."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.routing import Route

from postroom.db.errors import DatabaseAway
from postroom.doors.console.errors import show_as_pages
from postroom.doors.console.mounting import Console
from postroom.doors.http import make_app
from postroom.settings import Settings

GONE, FULL = DatabaseAway("the connection was lost"), DatabaseAway("No space left on device", "53100")


def app_that_raises(problem: Exception) -> FastAPI:
    async def fail(request: Request) -> None:
        raise problem

    house = SimpleNamespace(settings=Settings(), clock=lambda: datetime.now(UTC))
    app = make_app([Route("/fails", fail, methods=["GET", "POST"])], house=house, console=Console())
    show_as_pages(app)
    return app


async def asked(problem: Exception, method: str = "GET", **headers: str) -> httpx.Response:
    transport = httpx.ASGITransport(app_that_raises(problem))
    async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as client:
        return await client.request(method, "/fails", headers=headers)


@pytest.mark.parametrize(
    ("problem", "said"), [(GONE, "The database does not answer just now."), (FULL, "The disk of the database is full")]
)
async def test_programs_get_503_and_when_to_try_again(problem, said):
    answer = await asked(problem, "POST")

    assert (503, "5") == (answer.status_code, answer.headers["Retry-After"])
    assert ("Unavailable", True) == (answer.json()["title"], answer.json()["detail"].startswith(said))


@pytest.mark.parametrize("problem", [GONE, FULL])
async def test_people_get_a_page_that_needs_no_database(problem):
    answer = await asked(problem, Accept="text/html")

    assert (503, True) == (answer.status_code, "Not available right now" in answer.text)
    assert "No space left on device" not in answer.text


async def test_a_problem_has_the_title_of_its_status_and_the_detail_of_its_own():
    answer = await asked(HTTPException(413, "At most 25 MB."))

    assert ("At most 25 MB.", False) == (answer.json()["detail"], answer.json()["title"] == "At most 25 MB.")
