"""A service desk that drafts: mail comes, papers answer it, and people work on the drafts in their mail program."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import psycopg

from postroom.engine.worker import Handlers, Worker
from postroom.nouns import facts
from postroom.nouns.providers import DRAFT, TRASH, ProviderRef
from postroom.outside.memory.mailbox import MemoryMessage
from postroom.rooms.itinerary import next_jobs
from postroom.rooms.replies import commands
from postroom.rooms.replies import jobs as reply_jobs
from postroom.rooms.sync import jobs as sync_jobs
from postroom.rooms.triage import jobs as triage_jobs
from rooms.triage.desk import ServiceDesk, open_service_desk

ROOMS = ("sync.", "triage.", "replies.")
HOUSE_RULES = """# House rules

## Breakfast
Breakfast is served from 7:00 to 10:30 in the garden room.

## Parking
Parking costs 18 EUR per night. The garage has 40 places.

## Pets
Dogs are welcome and cost 12 EUR per night.
"""
BREAKFAST = "Hello, at what time is breakfast served? Thank you, Ada"
PARKING = "Hello again, how much does parking cost per night?"


class NoPdfs:
    async def aread(self, content: bytes, passwords: Any = (), *, tenant: Any = None) -> Any:
        raise AssertionError("no PDF is read here")


@dataclass
class DraftingDesk(ServiceDesk):
    def _next_jobs(self, fact: facts.Fact) -> list[Any]:
        return [each for each in next_jobs(fact) if getattr(each, "job", each).kind.startswith(ROOMS)]

    async def works(self) -> None:
        handlers = Handlers.of(sync_jobs, triage_jobs, reply_jobs)
        worker = Worker(self.db, self.waker, handlers, self._next_jobs, self.outside, clock=self.clock)
        await worker.run_until_quiet(idle=0.1)

    async def waits(self) -> None:
        """Until what failed is due again."""
        with psycopg.connect(self.owner_dsn, autocommit=True) as owner:
            owner.execute("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
        await self.works()

    async def knows(self, name: str, text: str) -> commands.AddedEvidence:
        return await commands.add_evidence(self.scope(), NoPdfs(), name, text.encode())

    def drafts(self) -> list[MemoryMessage]:
        return [each for each in self.box.messages.values() if DRAFT in each.labels and TRASH not in each.labels]

    def draft(self) -> MemoryMessage:
        [only] = self.drafts()
        return only

    def revisions(self) -> list[tuple[ProviderRef, str]]:
        """Message and status, in the order in which they were written."""
        with psycopg.connect(self.owner_dsn) as owner:
            rows = owner.execute("SELECT message_ref, status FROM postroom.draft_revision ORDER BY created_at, id")
            return [(ref, status) for ref, status in rows.fetchall()]


def open_drafting_desk(db: Any, waker: Any, owner_dsn: str, **more: Any) -> DraftingDesk:
    made = open_service_desk(db, waker, owner_dsn, **more)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.mailbox SET copilot = 'drafts' WHERE id = %s", [made.mailbox])
    desk = DraftingDesk(**{each.name: getattr(made, each.name) for each in fields(made)})
    desk.box.clock = desk.clock
    return desk
