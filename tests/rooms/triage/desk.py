"""A service desk at a mailbox in memory: mail comes, people work in their mail program, and a worker of ours looks on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from typing import Any

import psycopg

from makers import make_tenant
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.engine.worker import Handlers, Worker
from postroom.mail.parse import read_mail
from postroom.nouns import facts
from postroom.nouns.copilot import NAMESPACE
from postroom.nouns.ids import MailboxId, TenantId, ThreadId, new_id
from postroom.nouns.mail import MailMessage
from postroom.nouns.providers import ProviderRef, RawMail
from postroom.outside.memory import MemoryMailbox, MemoryProvider, open_copilot
from postroom.ports import CopilotMailbox, MailProvider, Model
from postroom.rooms.itinerary import next_jobs
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.sync import jobs as sync_jobs
from postroom.rooms.sync.jobs import PollMailboxes, SyncMailbox
from postroom.rooms.triage import jobs as triage_jobs
from postroom.rooms.triage.jobs import TriageMailbox

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
BOX = "service@larkspur.example"
NORA = "person:nora@larkspur.example"
GUEST = "guest@client.test"
ROOMS = ("sync.", "triage.")
REVIEW, READY, ERROR = (f"{NAMESPACE}/{name}" for name in ("Needs review", "Ready", "Error"))


class Reader:
    async def aread_mail(self, raw: bytes, *, tenant: TenantId | None = None) -> MailMessage:
        del tenant
        return read_mail(raw)


@dataclass
class DeskOutside:
    """What jobs may ask of the world: one mailbox."""

    box: MemoryMailbox
    copilot: CopilotMailbox
    model: Model | None = None
    label_namespace: str = NAMESPACE
    reader: Reader = field(default_factory=Reader)
    backfill: timedelta = timedelta(days=7)
    furthest_back: timedelta = timedelta(days=90)
    poll_every: timedelta = timedelta(minutes=3)

    @property
    def fetcher(self) -> DeskOutside:
        return self

    async def fetch(self, tenant_id: TenantId, mailbox_id: MailboxId, ref: ProviderRef) -> RawMail:
        del tenant_id, mailbox_id
        return await MemoryProvider(self.box).message(ref)

    async def open_mailbox(self, tenant_id: TenantId, mailbox_id: MailboxId) -> MailProvider:
        del tenant_id, mailbox_id
        return MemoryProvider(self.box)

    async def open_copilot(self, tenant_id: TenantId, mailbox_id: MailboxId) -> CopilotMailbox:
        del tenant_id, mailbox_id
        return self.copilot


@dataclass
class ServiceDesk:
    db: Database
    waker: Waker
    owner_dsn: str
    tenant: TenantId
    mailbox: MailboxId
    box: MemoryMailbox
    outside: DeskOutside
    now: datetime = NOON
    sent: int = 0

    def clock(self) -> datetime:
        return self.now

    def scope(self, actor: str = NORA) -> TenantScope:
        return TenantScope(self.db, self.waker, self._next_jobs, self.tenant, actor, self.clock)

    def _next_jobs(self, fact: facts.Fact) -> list[Any]:
        """Only sync and triage are at work here."""
        return [each for each in next_jobs(fact) if getattr(each, "job", each).kind.startswith(ROOMS)]

    async def works(self) -> None:
        handlers = Handlers.of(sync_jobs, triage_jobs)
        worker = Worker(self.db, self.waker, handlers, self._next_jobs, self.outside, clock=self.clock)
        await worker.run_until_quiet(idle=0.1)

    async def syncs(self) -> None:
        """A push comes, and all that follows from it is done."""
        self.now += timedelta(seconds=30)
        scope = self.scope("test")
        async with scope.finish() as tx:
            await scope.enqueue(tx, SyncMailbox(self.mailbox))
        await self.works()

    async def polls(self) -> None:
        """A minute goes by without a push."""
        self.now += timedelta(minutes=1)
        scope = self.scope("test")
        async with scope.finish() as tx:
            await scope.enqueue(tx, PollMailboxes())
        await self.works()

    async def looks_again(self) -> None:
        """Somebody asks for work that was done already."""
        scope = self.scope("test")
        async with scope.finish() as tx:
            await scope.enqueue(tx, TriageMailbox(self.mailbox))
        await self.works()

    async def switches(self, copilot: str) -> None:
        await mailboxes.set_copilot(self.scope(), self.mailbox, copilot)  # type: ignore[arg-type]  # as told
        await self.works()

    def delivers(
        self,
        text: str = "Hello, at what time is breakfast served? Thank you, Ada",
        *,
        sender: str = GUEST,
        subject: str = "Our stay",
        to: str = BOX,
        cc: str = "",
        answers: ProviderRef | None = None,
        **headers: str,
    ) -> ProviderRef:
        self.sent += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        mail["Message-ID"] = f"<{self.sent}@client.test>"
        if cc:
            mail["Cc"] = cc
        if answers is not None:
            mail["In-Reply-To"] = self.box.message(answers).mail.message_id
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(text)
        return self.box.deliver(mail.as_bytes())

    async def receives(self, text: str = "Hello, at what time is breakfast served?", **about: Any) -> ProviderRef:
        ref = self.delivers(text, **about)
        await self.syncs()
        return ref

    def answers(self, ref: ProviderRef, text: str = "At eight.") -> ProviderRef:
        """A person answers in the mail program."""
        self.now += timedelta(minutes=1)
        draft = self.box.write_draft(text, answers=ref)
        self.box.send(draft)
        return draft

    def labels(self, ref: ProviderRef) -> set[str]:
        return {each for each in self.box.message(ref).labels if each.startswith(f"{self.outside.label_namespace}/")}

    def thread_of(self, ref: ProviderRef) -> ThreadId:
        found = self.ask("SELECT thread_id FROM postroom.message WHERE provider_message_id = %s", ref)
        assert found is not None
        return ThreadId(found)

    def row(self, ref: ProviderRef) -> dict[str, Any]:
        with psycopg.connect(self.owner_dsn, row_factory=psycopg.rows.dict_row) as owner:
            found = owner.execute(
                "SELECT s.* FROM postroom.thread_state s WHERE s.thread_id = %s", [self.thread_of(ref)]
            ).fetchone()
        assert found is not None
        return found

    def verdict(self, ref: ProviderRef) -> tuple[str | None, str | None]:
        row = self.row(ref)
        return row["state"], row["reason"]

    def facts(self, kind: str) -> list[dict[str, Any]]:
        with psycopg.connect(self.owner_dsn) as owner:
            rows = owner.execute("SELECT body FROM postroom.fact WHERE kind = %s ORDER BY id", [kind]).fetchall()
        return [each[0] for each in rows]

    def ask(self, question: str, *values: Any) -> Any:
        with psycopg.connect(self.owner_dsn, autocommit=True) as owner:
            row = owner.execute(question, values).fetchone()
        return row[0] if row else None


def open_service_desk(
    db: Database, waker: Waker, owner_dsn: str, trouble: Callable[[], Any] = lambda: None
) -> ServiceDesk:
    tenant, mailbox_id = make_tenant(owner_dsn), MailboxId(new_id())
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access, copilot, pipelines)"
            " VALUES (%s, %s, %s, 'outlook', 'app_only', 'labels', '{}')",
            [mailbox_id, tenant, BOX],
        )
    box = MemoryMailbox(BOX, trouble=trouble)
    desk = ServiceDesk(db, waker, owner_dsn, tenant, mailbox_id, box, DeskOutside(box, open_copilot(box)))
    box.clock = desk.clock
    return desk
