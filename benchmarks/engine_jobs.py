"""The jobs that the engine's benchmark and chaos runs do, and a process that does them."""

from __future__ import annotations

import asyncio
import signal
import sys
from datetime import timedelta
from typing import Any, ClassVar

from postroom import logs
from postroom.db import sql
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.engine.work import Work
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns.jobs import Job

EFFECT = sql.Query("effect", "INSERT INTO bench_effect (number) VALUES (%(number)s)")
DDL = "CREATE TABLE bench_effect (number bigint, at timestamptz DEFAULT clock_timestamp()); GRANT ALL ON bench_effect TO postroom_app, postroom_desk"


class Nothing(Job, frozen=True):
    kind: ClassVar[str] = "bench.nothing"
    number: int


class Effect(Job, frozen=True):
    kind: ClassVar[str] = "bench.effect"
    number: int


class Audited(Job, frozen=True):
    kind: ClassVar[str] = "bench.audited"
    stage: ClassVar[str | None] = "bench"
    number: int


class InLane(Job, frozen=True):
    kind: ClassVar[str] = "bench.lane"
    number: int
    name: str

    @property
    def lane(self) -> str:
        return self.name


@works(Nothing)
async def nothing(job: Nothing, work: Work[Any]) -> None:
    pass


@works(Effect)
async def effect(job: Effect, work: Work[Any]) -> None:
    async with work.finish() as tx:
        await tx.run(EFFECT, number=job.number)


@works(Audited)
async def audited(job: Audited, work: Work[Any]) -> None:
    async with work.finish() as tx:
        await tx.run(EFFECT, number=job.number)


@works(InLane)
async def in_lane(job: InLane, work: Work[Any]) -> None:
    async with work.finish() as tx:
        await tx.run(EFFECT, number=job.number)


async def run(dsn: str, slots: int) -> None:
    logs.set_up(
        "json", "warning"
    )  # nobody reads our output: lines for every run would fill the pipe, and we would wait
    db = await Database(dsn, size=min(slots, 8)).open()
    await db.connect_all()
    waker = Waker(db)
    await waker.start()
    worker = Worker(
        db,
        waker,
        Handlers([nothing, effect, audited, in_lane]),
        lambda fact: [],
        None,
        slots=slots,
        lease=timedelta(seconds=10),
    )
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
    print("up", flush=True)
    await worker.run()
    await waker.stop()
    await db.close()


if __name__ == "__main__":
    import uvloop

    uvloop.run(run(sys.argv[1], int(sys.argv[2])))
