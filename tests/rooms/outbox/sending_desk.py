"""A desk that sends: drafts are proposed, people say yes or no, and the answers of the provider may be lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from harness import bench_of
from postroom.nouns.drafts import Draft, SentLookup
from postroom.nouns.errors import NotFound, PostroomError
from postroom.nouns.providers import SENT, ProviderRef
from postroom.nouns.sending import SendingPolicy
from postroom.outside.memory.mailbox import MemoryMessage
from postroom.ports import CopilotMailbox, Sender
from postroom.rooms.outbox import commands
from postroom.rooms.outbox import jobs as outbox_jobs
from postroom.rooms.outbox.commands import MailProposal
from postroom.rooms.outbox.jobs import TendOutbox
from postroom.rooms.replies import jobs as reply_jobs
from postroom.rooms.sync import jobs as sync_jobs
from postroom.rooms.tenants import commands as tenants
from postroom.rooms.triage import jobs as triage_jobs
from rooms.outbox.send_calls import SendCalls
from rooms.replies.drafting_desk import BREAKFAST, HOUSE_RULES, DraftingDesk
from rooms.triage.desk import DeskOutside, seat

NORA, OTTO = "person:nora@larkspur.example", "person:otto@larkspur.example"


class MemoryFiles:
    """Where files of proposals lie."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}

    async def put_if_absent(self, key: str, content: bytes, metadata: Mapping[str, str], content_type: str) -> bool:
        del metadata, content_type
        return self.held.setdefault(key, content) is content

    async def get(self, key: str) -> bytes:
        if key not in self.held:
            raise NotFound("There is no such file.")
        return self.held[key]


@dataclass
class SendingOutside(DeskOutside):
    archive: MemoryFiles = field(default_factory=MemoryFiles)


class DoubtfulSender:
    """Asks `before` and `after` each send for an error; `lookup` may hide what became of it."""

    def __init__(self, inner: Sender, clock: Callable[[], datetime]) -> None:
        self.inner = inner
        self.asked = SendCalls(clock)
        self.before: list[PostroomError | None] = []
        self.after: list[PostroomError | None] = []
        self.lookup: list[SentLookup] = []
        self.meanwhile: Callable[[], Any] = lambda: None
        self.calls = 0

    async def send_draft(self, draft: Draft) -> ProviderRef:
        ref: ProviderRef = await self.asked.send(draft, self._send)
        return ref

    async def _send(self, draft: Draft) -> ProviderRef:
        self.calls += 1
        self.meanwhile()
        if self.before and (error := self.before.pop(0)):
            raise error
        ref = await self.inner.send_draft(draft)
        if self.after and (error := self.after.pop(0)):
            raise error
        return ref

    async def find_sent(self, draft: Draft) -> SentLookup:
        return await self.asked.look(draft, self._look)

    async def find_marked(self, key: str, to: str, since: datetime) -> ProviderRef | None:
        ref: ProviderRef | None = await self.inner.find_marked(key, to, since)
        return ref

    async def _look(self, draft: Draft) -> SentLookup:
        return self.lookup.pop(0) if self.lookup else await self.inner.find_sent(draft)


@dataclass(kw_only=True)
class SendingDesk(DraftingDesk):
    rooms = (sync_jobs, triage_jobs, reply_jobs, outbox_jobs)

    def clock(self) -> datetime:
        """It moves with every look at it, as real ones do."""
        self.now += timedelta(microseconds=1)
        return self.now

    @property
    def sender(self) -> DoubtfulSender:
        doubtful: DoubtfulSender = self.outside.copilot.sender
        return doubtful

    async def allows(self, **policy: Any) -> None:
        await tenants.change_sending(self.scope(), replace(SendingPolicy("on", undo_seconds=0), **policy))
        await self.works()

    async def is_asked(self, text: str = BREAKFAST, **about: Any) -> MailProposal:
        """A mail comes in, is drafted and proposed."""
        await self.receives(text, **about)
        return await self.newest()

    async def newest(self) -> MailProposal:
        return (await commands.list_proposals(self.scope(), 1))[0]

    async def again(self, proposal: MailProposal) -> MailProposal:
        return await commands.one_proposal(self.scope(), proposal.id)

    async def says_yes(self, proposal: MailProposal, actor: str = NORA) -> MailProposal:
        return await commands.approve(self.scope(actor), proposal.id, proposal.hash)

    async def goes_out(self, **later: float) -> None:
        """Time goes by, and all that is due then is done."""
        self.now += timedelta(**later)
        await self.waits()

    async def tends(self) -> None:
        await self.does(TendOutbox())

    def out(self) -> list[MemoryMessage]:
        """What lies in Sent."""
        return [each for each in self.box.messages.values() if SENT in each.labels]

    def tell(self, statement: str, *values: Any) -> None:
        self.own(statement, *values)


async def open_sending_desk(db: Any, waker: Any, owner_dsn: str) -> SendingDesk:
    """It is now: jobs that are due later wait in the database, by its own clock."""
    desk = seat(SendingDesk, bench_of(db, waker, owner_dsn, copilot="drafts", pipelines=[]), lambda: None)
    desk.now = datetime.now(UTC)
    plain: CopilotMailbox = desk.outside.copilot
    desk.outside = SendingOutside(desk.box, replace(plain, sender=DoubtfulSender(plain.sender, desk.clock)))
    await desk.syncs()
    await desk.syncs()
    await desk.knows("house-rules.md", HOUSE_RULES)
    return desk
