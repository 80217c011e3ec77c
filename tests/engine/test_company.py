"""Runs that close in one commit: all or none of it, and nobody waits or fails for another."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any, ClassVar

import psycopg
import pytest

from engine.office import OUTCOMES, STATES, Office, Sync
from makers import make_tenant
from postroom.db import sql
from postroom.db.errors import DatabaseAway
from postroom.engine import company
from postroom.engine.work import finish_all
from postroom.engine.worker import Handlers, Worker, works
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest

COMMITS = sql.Query("commits", "SELECT count(DISTINCT xid) FROM postroom.fact WHERE kind = 'security.event'")
WHO = sql.Query("who", "SELECT body ->> 'what' FROM postroom.fact WHERE kind = 'security.event' ORDER BY 1")
OPENINGS = sql.Query(
    "openings",
    "SELECT kind FROM postroom.fact WHERE kind IN ('mail.processing.enqueued', 'mail.processing.started') ORDER BY job_id, kind",
)
SPOIL = sql.Query("spoil", "SELECT 1 / (%(by)s::integer)")


class Round(Sync, frozen=True):
    kind: ClassVar[str] = "test.round"
    in_company: ClassVar[bool] = True
    refuses: bool = False


class AuditedRound(Round, frozen=True):
    kind: ClassVar[str] = "test.audited_round"
    stage: ClassVar[str | None] = "classification"


class Rounds:
    """Jobs that end when all that are wanted are there; `spoilt` fails whenever it is recorded."""

    def __init__(self, office: Office, wanted: int) -> None:
        self.office, self.wanted, self.there = office, wanted, 0
        self.all_there = asyncio.Event()
        self.recorded: list[list[str]] = []
        self.spoilt: set[str] = set()
        self.late: set[str] = set()
        self.finds_something = True

    def worker(self, does: type[Round] = Round, **options) -> Worker:
        @works(does)
        async def go(job: Round, work: Any) -> None:
            self.there += 1
            if self.there >= self.wanted:
                self.all_there.set()
            await self.all_there.wait()
            if job.mailbox in self.late:
                await asyncio.sleep(0.2)
            if job.refuses:
                raise BadRequest("Not today.")
            await work.finish_with_others(job.mailbox, self.record)

        return Worker(self.office.db, self.office.waker, Handlers([go]), lambda fact: [], None, **options)

    async def record(self, tx, runs) -> None:
        self.recorded.append(sorted(name for _, name in runs))
        for work, name in runs:
            await work.as_itself(self._tell(tx, work, name))

    async def _tell(self, tx, work, name: str) -> None:
        if name in self.spoilt:
            await tx.run(SPOIL, by=0)
        await work.tell(tx, facts.SecurityNoted(what=name, source="test"))
        if not self.finds_something:
            work.found_nothing()


@pytest.fixture(autouse=True)
def patient(monkeypatch) -> None:
    """However busy the machine is, they come to their end together."""
    monkeypatch.setattr(company, "WAITS_SECONDS", 5.0)


async def test_runs_that_end_together_close_in_one_commit(office):
    rounds = Rounds(office, wanted=3)
    await office.put(Round("a"), Round("b"), Round("c"))

    await rounds.worker().run_until_quiet()

    assert [["a", "b", "c"]] == rounds.recorded
    assert ([], ["done"] * 3, [1]) == (await office.ask(STATES), await office.ask(OUTCOMES), await office.ask(COMMITS))
    assert ["a", "b", "c"] == await office.ask(WHO)


async def test_who_is_alone_waits_for_nobody(office):
    rounds = Rounds(office, wanted=1)
    await office.put(Round("a"))

    async with asyncio.timeout(4):
        await rounds.worker().run_until_quiet()

    assert [["a"]] == rounds.recorded


async def test_those_who_are_late_close_later_and_hold_up_nobody_for_long(office, monkeypatch):
    monkeypatch.setattr(company, "WAITS_SECONDS", 0.05)
    rounds = Rounds(office, wanted=3)
    rounds.late = {"c"}
    await office.put(Round("a"), Round("b"), Round("c"))

    await rounds.worker().run_until_quiet()

    assert [["a", "b"], ["c"]] == rounds.recorded


async def test_who_fails_before_its_end_is_waited_for_no_longer(office):
    rounds = Rounds(office, wanted=3)
    await office.put(Round("a"), Round("b"), Round("c", refuses=True))

    async with asyncio.timeout(4):
        await rounds.worker().run_until_quiet()

    assert [["a", "b"]] == rounds.recorded
    assert ["done", "done", "quarantined"] == sorted(await office.ask(OUTCOMES))


async def test_what_fails_together_is_done_alone_and_fails_alone(office):
    rounds = Rounds(office, wanted=3)
    rounds.spoilt = {"b"}
    await office.put(Round("a"), Round("b"), Round("c"))

    running = asyncio.create_task(rounds.worker().run())
    while len(rounds.recorded) < 4:  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert ["a", "b", "c"] == rounds.recorded[0]
    assert ["a", "c"] == await office.ask(WHO)


async def fails_once_together(rounds: Rounds, worker: Worker) -> None:
    """Whoever it was that failed, the others record everything once more."""
    alone = rounds.record

    async def record(tx, runs) -> None:
        await alone(tx, runs)
        if len(runs) > 1:
            rounds.finds_something = True
            await tx.run(SPOIL, by=0)

    rounds.record = record
    await worker.run_until_quiet()


async def test_what_failed_together_is_audited_when_it_is_done_alone(office):
    rounds = Rounds(office, wanted=2)
    await office.put(AuditedRound("a"), AuditedRound("b"))

    await fails_once_together(rounds, rounds.worker(AuditedRound))

    assert [["a", "b"], ["a"], ["b"]] == [rounds.recorded[0], *sorted(rounds.recorded[1:])]
    assert ["mail.processing.enqueued", "mail.processing.started"] * 2 == await office.ask(OPENINGS)


async def test_that_closing_together_failed_is_said_of_all_of_them(office, capsys):
    rounds = Rounds(office, wanted=2)
    await office.put(Round("a"), Round("b"))

    await fails_once_together(rounds, rounds.worker())

    [line] = [each for each in capsys.readouterr().out.splitlines() if "closing together failed" in each]
    assert ("jobs=[" in line, " job=" in line, str(office.tenant) in line) == (True, False, True)


async def test_what_found_nothing_together_and_something_alone_is_kept_among_the_attempts(office):
    rounds = Rounds(office, wanted=2)
    rounds.finds_something = False
    await office.put(Round("a"), Round("b"))

    await fails_once_together(rounds, rounds.worker())

    assert ["done"] * 2 == await office.ask(OUTCOMES)


async def test_a_common_commit_whose_answer_is_lost_counts_once(office):
    @contextlib.asynccontextmanager
    async def mute(runs):
        async with finish_all(runs) as tx:
            yield tx
        raise DatabaseAway("cut off")

    rounds = Rounds(office, wanted=3)
    await office.put(Round("a"), Round("b"), Round("c"))
    worker = rounds.worker()
    worker._company = company.Company(mute)

    await worker.run_until_quiet()

    assert 4 == len(rounds.recorded)
    assert (["a", "b", "c"], [], ["done"] * 3) == (
        await office.ask(WHO),
        await office.ask(STATES),
        await office.ask(OUTCOMES),
    )


async def test_a_claim_that_was_lost_keeps_no_other_from_closing(office, owner_dsn):
    rounds = Rounds(office, wanted=3)
    await office.put(Round("a"), Round("b"), Round("c"))
    running = asyncio.create_task(rounds.worker().run())
    rounds.late = {"a", "b", "c"}
    await rounds.all_there.wait()
    with psycopg.connect(owner_dsn) as owner:
        owner.execute("UPDATE postroom.job SET epoch = epoch + 1 WHERE key = 'b'")
    while sum(map(len, rounds.recorded)) < 6:  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.05)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert ["a", "c"] == await office.ask(WHO)
    assert ["running"] == await office.ask(STATES)


async def test_one_that_is_stopped_meanwhile_is_left_out(office):
    rounds = Rounds(office, wanted=2)
    rounds.late = {"b"}
    await office.put(Round("a"), Round("b"))
    worker = rounds.worker()
    running = asyncio.create_task(worker.run())
    await rounds.all_there.wait()
    await asyncio.sleep(0.05)
    [waiting] = [task for task, claimed in worker._running.items() if claimed.key == "a"]
    waiting.cancel()
    while not rounds.recorded:  # noqa: ASYNC110 - nobody tells us
        await asyncio.sleep(0.01)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)

    assert ["b"] == rounds.recorded[0]


async def test_runs_of_two_tenants_never_close_together(office, owner_dsn):
    other = make_tenant(owner_dsn, "other")
    rounds = Rounds(office, wanted=2)
    await office.put(Round("a"))
    await office.put(Round("b"), tenant=other)

    async with asyncio.timeout(4):
        await rounds.worker().run_until_quiet()

    assert [["a"], ["b"]] == sorted(rounds.recorded)
    assert (["a"], ["b"]) == (await office.ask(WHO), await office.ask(WHO, tenant=other))


async def test_one_that_was_begun_before_closes_by_itself(office, owner_dsn):
    rounds = Rounds(office, wanted=2)
    await office.put(Round("a"), Round("b"))
    with psycopg.connect(owner_dsn) as owner:
        owner.execute("UPDATE postroom.job SET deaths = 1 WHERE key = 'b'")

    async with asyncio.timeout(4):
        await rounds.worker().run_until_quiet()

    assert [["a"], ["b"]] == sorted(rounds.recorded)
