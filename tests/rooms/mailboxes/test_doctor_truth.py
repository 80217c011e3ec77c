"""The doctor when it matters: work that stands still, a subscription that is gone, a stranger on our port, a full disk."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from postroom.chores import doctor
from postroom.chores.doctor import Finding, examine
from postroom.db.errors import DatabaseAway
from stories.office import Office, free_port, open_office
from stories.visitors import ANNA, connects


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path)) as opened:
        yield opened


async def sees(office: Office, what: str) -> Finding:
    found = {finding.what: finding for finding in await examine(office.house)}
    assert what in found, sorted(found)
    return found[what]


JOB = """
INSERT INTO postroom.job (tenant_id, kind, state, priority, args, correlation_id, run_at, created_at, started_at, worker_id)
SELECT tenant_id, 'sync.poll', %s, 1, '{}', gen_random_uuid(), now() - %s::interval, now() - %s::interval,
       CASE %s WHEN 'running' THEN now() - %s::interval END, gen_random_uuid()
  FROM postroom.tenant LIMIT 1
"""


@pytest.mark.parametrize(
    ("state", "age", "what", "verdict"),
    [
        ("ready", "1 minute", "oldest job that is ready", "ok"),
        ("ready", "20 minutes", "oldest job that is ready", "wrong"),
        ("running", "20 minutes", "oldest job that runs", "ok"),
        ("running", "2 hours", "oldest job that runs", "wrong"),
    ],
)
async def test_work_that_stands_still_is_wrong(office, state, age, what, verdict):
    office.own("DELETE FROM postroom.job")
    office.own(JOB, state, age, age, state, age)

    found = await sees(office, what)

    assert verdict == found.verdict, found


async def test_a_subscription_that_is_gone_at_the_provider_is_wrong(office):
    office.world.add_mailbox(ANNA, name="Anna", provider="graph")
    assert 303 == (await connects(office, "outlook", ANNA))[0]
    await office.works()
    what = f"{ANNA}: subscription"
    assert ("ok", "there") == ((await sees(office, what)).verdict, (await sees(office, what)).actual)

    office.world.graph.subscriptions.all.clear()

    assert ("wrong", "gone") == ((await sees(office, what)).verdict, (await sees(office, what)).actual)


@contextlib.asynccontextmanager
async def stranger(port: int) -> AsyncIterator[None]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\nConnection: close\r\n\r\nwelcome")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", port):
        yield


async def test_another_program_on_our_port_is_not_taken_for_us(office):
    port = free_port()
    settings = office.house.settings.model_copy(update={"bind": f"127.0.0.1:{port}", "public_url": None})
    office.house.settings = office.house.providers.settings = settings
    assert "ok" == (await sees(office, "our port")).verdict

    async with stranger(port):
        found = await sees(office, "our port")
        reached = await sees(office, "we reach ourselves")

    assert ("wrong", True) == (found.verdict, "Another program listens on" in found.advice)
    assert "another program's answer" in reached.actual


async def test_a_database_that_can_write_nothing_is_a_finding_and_no_traceback(office, monkeypatch):
    async def full(house) -> AsyncIterator[Finding]:
        raise DatabaseAway("could not extend file: No space left on device", "53100")
        yield

    monkeypatch.setattr(doctor, "PARTS", (full, *doctor.PARTS))

    found = await sees(office, "full")

    assert ("wrong", True) == (found.verdict, "No space left" in found.advice)
