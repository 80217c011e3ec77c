"""Chaos over drafts: mail comes, people edit, answers are lost, and workers with the real jobs are killed at random.

Checked at the end: one draft in every thread, never a second one beside it, every word that a person wrote still there,
and no job put aside: nothing that happens here is its fault.
`make chaos` runs it after the storm over bare jobs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import psycopg
import uvicorn

from benchmarks.bench import private_server
from benchmarks.drafts import PAPER
from benchmarks.one_mail import BOX, Server, house_settings, sample_mail
from postroom import logs
from postroom.app.house import ensure_configured, open_house
from postroom.app.web import web_app
from postroom.nouns.ids import TenantId
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.replies import commands
from postroom.settings import Settings
from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.world import World

LEASE = timedelta(seconds=3)
PATIENCE_SECONDS = 120.0
WORKERS = 2


@dataclass(frozen=True, slots=True)
class DraftsOutcome:
    """What is to be shown: the last four numbers must be zero, and nothing put aside."""

    threads: int
    edits: int
    kills: int
    drained_in: float
    without_draft: int
    second_drafts: int
    words_lost: int
    left_behind: int
    put_aside: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        wrong = self.without_draft or self.second_drafts or self.words_lost or self.left_behind
        return not (wrong or self.put_aside)


async def run_worker(told: str) -> None:
    logs.set_up("json", "error")
    async with open_house(Settings(**json.loads(told))) as house:
        worker = house.worker()
        worker.lease = LEASE
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        print("up", flush=True)
        await worker.run()


class DraftsStorm:
    """People and mail at a simulated mailbox, and the workers that are killed while they draft."""

    def __init__(self, world: World, told: str, seed: int) -> None:
        self.world, self.told, self.chance = world, told, random.Random(seed)
        self.person = world.mail_program(BOX)
        self.threads: list[str] = []
        self.said: dict[str, str] = {}  # a person's words, by the thread they stand in
        self.kills = 0
        self.crew = [self._spawn() for _ in range(WORKERS)]

    def _spawn(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "benchmarks.chaos_drafts", "--worker"]
        told = {**os.environ, "POSTROOM_CHAOS_HOUSE": self.told}
        return subprocess.Popen(command, cwd=Path(__file__).parent.parent, env=told, stdout=subprocess.PIPE)

    async def rage(self, seconds: float) -> None:
        end, killing = time.monotonic() + seconds, asyncio.create_task(self._kill())
        self.world.faults.turn(unavailable=0.03, reset=0.05)
        while time.monotonic() < end:
            self.threads.append(self.world.deliver(IncomingMail(BOX, sample_mail(len(self.threads)))))
            self._somebody_edits()
            await asyncio.sleep(self.chance.uniform(0.1, 0.4))
            if killing.done():
                killing = asyncio.create_task(self._kill())
        await killing
        self.world.faults.turn(unavailable=0.0, reset=0.0)

    def _somebody_edits(self) -> None:
        drafted = [each for each in self.threads if each not in self.said and self.drafts(each)]
        if drafted and self.chance.random() < 0.3:
            thread = self.chance.choice(drafted)
            self.said[thread] = f"A person wrote this as number {len(self.said)}."
            self.person.edit_draft(self.drafts(thread)[0]["id"], self.said[thread])

    async def _kill(self) -> None:
        """One that is up and at work."""
        victim = self.chance.randrange(len(self.crew))
        told = self.crew[victim].stdout
        assert told is not None  # it is a pipe
        await asyncio.to_thread(told.readline)
        await asyncio.sleep(self.chance.uniform(0.5, 3.0))
        self.crew[victim].kill()
        await asyncio.to_thread(self.crew[victim].wait)
        self.crew[victim] = self._spawn()
        self.kills += 1

    def drafts(self, thread: str) -> list[dict[str, str]]:
        return [each for each in self.person.thread(thread) if "words" in each and each.get("folder") != "deleteditems"]

    async def drain(self, owner: psycopg.Connection[tuple[int]]) -> float:
        """Till every thread has its draft and no job is due; one that was put aside is not waited for."""
        began = time.monotonic()
        while time.monotonic() - began < PATIENCE_SECONDS:
            owner.execute("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
            await asyncio.sleep(0.5)
            if time.monotonic() - began < PATIENCE_SECONDS / 10:
                self._somebody_edits()
            elif _put_aside(owner) or (all(self.drafts(each) for each in self.threads) and not _due(owner)):
                break
        return time.monotonic() - began

    def stop(self) -> None:
        for worker in self.crew:
            worker.kill()
            worker.wait()

    def outcome(self, drained: float, left: int, put_aside: tuple[str, ...]) -> DraftsOutcome:
        found = {each: self.drafts(each) for each in self.threads}
        return DraftsOutcome(
            threads=len(found),
            edits=len(self.said),
            kills=self.kills,
            drained_in=round(drained, 1),
            without_draft=sum(not each for each in found.values()),
            second_drafts=sum(len(each) > 1 for each in found.values()),
            words_lost=sum(
                words not in "".join(each["words"] for each in found[at]) for at, words in self.said.items()
            ),
            left_behind=left,
            put_aside=put_aside,
        )


def _due(owner: psycopg.Connection[tuple[int]]) -> int:
    row = owner.execute(
        "SELECT count(*) FROM postroom.job WHERE kind IN ('replies.draft', 'triage.thread', 'sync.fetch_message')"
    ).fetchone()
    return row[0] if row else 0


def _put_aside(owner: psycopg.Connection[tuple[int]]) -> tuple[str, ...]:
    rows = owner.execute("SELECT kind || ': ' || coalesce(reason, '') FROM postroom.job WHERE state = 'quarantined'")
    return tuple(str(row[0]) for row in rows.fetchall())


async def storm(seconds: float, seed: int) -> DraftsOutcome:
    with private_server() as server, tempfile.TemporaryDirectory() as home:
        async with World() as world:
            world.add_mailbox(BOX, name="Service", provider="graph")
            told = house_settings(world, home, server.dsn(user="postroom"))
            async with open_house(Settings(**told)) as house:
                web = Server(uvicorn.Config(web_app(house), port=house.settings.port, log_level="error", lifespan="off", access_log=False))  # fmt: skip
                serving = asyncio.create_task(web.serve())
                mailbox = await ensure_configured(house)
                assert mailbox is not None
                with psycopg.connect(server.dsn(), autocommit=True) as owner:
                    tenant = UUID(str(owner.execute("SELECT tenant_id FROM postroom.mailbox").fetchone()[0]))
                    scope = house.scope(TenantId(tenant), "chaos")
                    await commands.add_evidence(scope, house.outside.reader, "house.md", PAPER)
                    await mailboxes.set_copilot(scope, mailbox, "drafts")
                    raging = DraftsStorm(world, json.dumps(told), seed)
                    try:
                        await asyncio.sleep(5)  # the mailbox is connected and quiet
                        await raging.rage(seconds)
                        drained = await raging.drain(owner)
                        return raging.outcome(drained, _due(owner), _put_aside(owner))
                    finally:
                        raging.stop()
                        web.should_exit = True
                        await serving


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--worker", action="store_true")
    options = parser.parse_args()
    if options.worker:
        asyncio.run(run_worker(os.environ["POSTROOM_CHAOS_HOUSE"]))
        return
    logs.set_up("json", "error")
    outcome = asyncio.run(storm(options.seconds, options.seed))
    print(f"seed {options.seed}: {outcome}")
    sys.exit(0 if outcome.is_sound else 1)


if __name__ == "__main__":
    main()
