"""A service desk that drafts: mail comes, papers answer it, and people work on the drafts in their mail program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness import bench_of
from postroom.nouns.providers import DRAFT, TRASH, ProviderRef
from postroom.outside.memory.mailbox import MemoryMessage
from postroom.rooms.replies import commands
from postroom.rooms.replies import jobs as reply_jobs
from postroom.rooms.sync import jobs as sync_jobs
from postroom.rooms.triage import jobs as triage_jobs
from rooms.triage.desk import ServiceDesk, seat

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


@dataclass(kw_only=True)
class DraftingDesk(ServiceDesk):
    rooms = (sync_jobs, triage_jobs, reply_jobs)

    async def knows(self, name: str, text: str) -> commands.AddedEvidence:
        return await commands.add_evidence(self.scope(), NoPdfs(), name, text.encode())

    def drafts(self) -> list[MemoryMessage]:
        return [each for each in self.box.messages.values() if DRAFT in each.labels and TRASH not in each.labels]

    def draft(self) -> MemoryMessage:
        [only] = self.drafts()
        return only

    def revisions(self) -> list[tuple[ProviderRef, str]]:
        """Message and status, in the order in which they were written."""
        rows = self.own("SELECT message_ref, status FROM postroom.draft_revision ORDER BY created_at, id")
        return [(ref, status) for ref, status in rows]


def open_drafting_desk(db: Any, waker: Any, owner_dsn: str, trouble: Any = lambda: None) -> DraftingDesk:
    return seat(DraftingDesk, bench_of(db, waker, owner_dsn, copilot="drafts", pipelines=[]), trouble)
