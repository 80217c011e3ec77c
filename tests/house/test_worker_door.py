"""A process that only works says how it is doing, where it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys

import aiohttp
import pytest

from makers import make_tenant
from postroom import settings
from postroom.nouns.errors import Misconfigured

pytestmark = pytest.mark.programs


def free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.asynccontextmanager
async def working(**told: str):
    """A real `postroom work`."""
    environment = {**os.environ, **told}
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "postroom", "work", env=environment)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.wait(), 30)


async def get(url: str) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(url) as answer:
        return answer.status, await answer.text()


async def first_answer(url: str, process, *, saying: str = "") -> tuple[int, str]:
    """The first answer that says so: the door opens before the worker has registered."""
    async with asyncio.timeout(60):
        while process.returncode is None:
            with contextlib.suppress(aiohttp.ClientConnectionError):
                answer = await get(url)
                if saying in answer[1]:
                    return answer
            await asyncio.sleep(0.1)
    raise AssertionError("It ended before it answered.")


async def test_a_worker_answers_health_and_metrics_and_nothing_else(dsn, owner_dsn, tmp_path):
    make_tenant(owner_dsn, "default")
    door = f"127.0.0.1:{free_port()}"
    told = {
        "POSTROOM_DATABASE_URL": dsn,
        "POSTROOM_HOME": str(tmp_path),
        "POSTROOM_METRICS_BIND": door,
    }
    async with working(**told) as process:
        health = await first_answer(f"http://{door}/healthz", process)
        ready = await first_answer(f"http://{door}/readyz", process, saying='"workers":1')
        metrics = await get(f"http://{door}/metrics")
        other = await get(f"http://{door}/api/v1/jobs")

    assert health == (200, "ok\n")
    assert ready == (200, '{"ready":true,"workers":1}')
    assert "postroom_run_seconds" in metrics[1]
    assert other[0] == 404
    assert process.returncode == 0


@pytest.mark.parametrize("wrong", ["9025", "localhost", "127.0.0.1:http", "127.0.0.1:70000"])
def test_a_door_that_is_no_address_is_refused_by_name(wrong, monkeypatch):
    monkeypatch.setenv("POSTROOM_METRICS_BIND", wrong)

    with pytest.raises(Misconfigured, match=r"POSTROOM_METRICS_BIND.*host:port"):
        settings.load()
