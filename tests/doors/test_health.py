"""What `/healthz` and `/readyz` say in every state; docs/reference/health.md lists the same."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette

from postroom.db.errors import DatabaseAway
from postroom.doors import health
from postroom.engine.vitals import Vitals
from postroom.engine.worker import HUNG_SECONDS, Handlers, Worker

PAGE = Path(__file__).parents[2] / "docs/reference/health.md"


class Base:
    """A database in the state that a test wants."""

    def __init__(self, problem: Exception | None = None) -> None:
        self._problem = problem

    async def prove(self) -> None:
        if self._problem:
            raise self._problem


async def asked(path: str, db: object, vitals: Vitals) -> tuple[int, str]:
    app = Starlette(routes=health.ROUTES)
    app.state.db, app.state.vitals = db, vitals
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://house.test") as client:
        answer = await client.get(path)
    return answer.status_code, answer.text


@pytest.fixture(autouse=True)
def _no_workers(monkeypatch):
    async def workers(db: object) -> list[object]:
        return []

    monkeypatch.setattr(health.lanes, "workers", workers)


async def test_a_process_that_is_well_is_alive_and_ready():
    assert (200, "ok\n") == await asked("/healthz", Base(), Vitals())
    assert (200, '{"ready":true,"workers":0}') == await asked("/readyz", Base(), Vitals())


async def test_without_a_database_it_is_alive_and_not_ready():
    gone = Base(DatabaseAway("Connection refused"))

    assert 200 == (await asked("/healthz", gone, Vitals()))[0]
    status, said = await asked("/readyz", gone, Vitals())
    assert (503, True) == (status, "The database does not answer: Connection refused" in said)


async def test_a_process_about_to_stop_is_alive_and_not_ready():
    stopping = Vitals(stopping=True)

    assert 200 == (await asked("/healthz", Base(), stopping))[0]
    status, said = await asked("/readyz", Base(), stopping)
    assert (503, True) == (status, "about to stop" in said)


async def test_a_worker_that_no_longer_looks_for_work_is_not_alive(monkeypatch):
    worker: Worker[None] = Worker(None, None, Handlers([]), lambda fact: [], None)  # type: ignore[arg-type]
    vitals = Vitals([worker.complaint])
    assert 200 == (await asked("/healthz", Base(), vitals))[0]

    monkeypatch.setattr(worker, "_went_round_at", 0.0)
    monkeypatch.setattr("postroom.engine.worker.time.monotonic", lambda: HUNG_SECONDS + 1)

    status, said = await asked("/healthz", Base(), vitals)
    assert (503, True) == (status, "has not looked for work" in said)


def test_every_state_is_on_its_page():
    text = PAGE.read_text("utf-8")

    for said in ("ok", "has not looked for work", '"ready": true', "does not answer", "about to stop"):
        assert said in text, said
