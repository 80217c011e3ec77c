"""The retry service: what failed is found, asked for again, and what came of it is told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from engine.office import Note, Office
from makers import make_tenant
from postroom.db import sql
from postroom.engine.retry_service import IngestionRetryService
from postroom.engine.work import TenantScope
from postroom.nouns.errors import BadRequest

TOLD = sql.Query("told", "SELECT kind || ' ' || coalesce(body ->> 'asked_by', '') FROM postroom.fact ORDER BY id")


@pytest.fixture
def office(db, waker, owner_dsn) -> Office:
    return Office(db, waker, make_tenant(owner_dsn))


def service(office) -> IngestionRetryService:
    scope = TenantScope(
        office.db, office.waker, lambda fact: [], office.tenant, "person:anna", lambda: datetime.now(UTC)
    )
    return IngestionRetryService(scope)


async def test_what_failed_is_asked_for_again_and_its_end_is_told(office):
    office.failing["x"] = [BadRequest("The subject is missing."), BadRequest("It still is.")]
    await office.put(Note("x"))
    await office.worker().run_until_quiet()
    retries = service(office)

    [failed] = await retries.get_failed_attempts_for_retry()
    assert ("quarantined", "The subject is missing.") == (failed.outcome, failed.error)
    assert {"success": True, "attempt_id": failed.id} == await retries.manual_retry(failed.id)
    await office.worker().run_until_quiet()
    [again] = await retries.get_failed_attempts_for_retry()
    assert (await retries.manual_retry(again.id))["success"]
    await office.worker().run_until_quiet()

    assert [] == await retries.get_failed_attempts_for_retry()
    assert [
        "attempt.failed ",
        "attempt.manual_retry_requested ",
        "attempt.failed ",
        "attempt.manual_retry_failed person:anna",
        "attempt.manual_retry_requested ",
        "attempt.manual_retry_success person:anna",
    ] == await office.ask(TOLD)


async def test_what_is_over_cannot_be_asked_for_again(office):
    office.failing["x"] = [BadRequest("The subject is missing.")]
    await office.put(Note("x"))
    await office.worker().run_until_quiet()
    retries = service(office)
    [failed] = await retries.get_failed_attempts_for_retry()
    assert 1 == (await retries.get_retry_statistics())["refused_at_once"]
    await retries.manual_retry(failed.id)
    await office.worker().run_until_quiet()

    refused = await retries.manual_retry(failed.id)

    assert (False, True) == (refused["success"], bool(refused["error"]))
    assert 0 == (await retries.get_retry_statistics())["total_failures"]
