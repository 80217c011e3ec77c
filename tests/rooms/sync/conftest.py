"""A mailbox in memory where only the sync is at work."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from harness import bench_of
from postroom.nouns.errors import PostroomError
from postroom.rooms.sync import jobs
from rooms.triage.desk import ServiceDesk, seat


@dataclass(kw_only=True)
class MailRoom(ServiceDesk):
    """`troubles` are what the provider answers with, one a call, before it works again."""

    rooms = (jobs,)

    troubles: list[PostroomError] = field(default_factory=list)

    def arrived(self) -> list[str]:
        """The messages that are ours, in the order of the mailbox."""
        held = "SELECT provider_message_id FROM postroom.message WHERE state = 'arrived' ORDER BY provider_message_id"
        return [ref for (ref,) in self.own(held)]

    def states(self) -> dict[str, str]:
        return dict(self.own("SELECT provider_message_id, state FROM postroom.message"))

    async def tries_again(self) -> None:
        """What failed is due."""
        self.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
        await self.works()


@pytest.fixture
async def room(db, waker, owner_dsn) -> MailRoom:
    made = seat(MailRoom, bench_of(db, waker, owner_dsn, copilot="off", pipelines=[]), lambda: None)
    made.box.trouble = lambda: made.troubles.pop(0) if made.troubles else None
    await made.syncs()
    return made
