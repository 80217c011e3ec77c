"""A service desk at a mailbox in memory: mail comes, people work in their mail program, and a worker of ours looks on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from email.message import EmailMessage
from typing import Any, TypeVar

import psycopg

from harness import BOX, Bench, bench_of
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.mail.parse import read_mail
from postroom.nouns.copilot import NAMESPACE
from postroom.nouns.ids import MailboxId, TenantId, ThreadId
from postroom.nouns.mail import MailMessage
from postroom.nouns.providers import MailboxEndpoint, ProviderRef, RawMail
from postroom.outside.memory import MemoryMailbox, MemoryProvider, open_copilot
from postroom.ports import CopilotMailbox, Encoder, MailProvider, Model
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.sync import jobs as sync_jobs
from postroom.rooms.sync.jobs import PollMailboxes, SyncMailbox
from postroom.rooms.triage import jobs as triage_jobs
from postroom.rooms.triage.jobs import TriageMailbox

Seated = TypeVar("Seated", bound="ServiceDesk")
GUEST = "guest@client.test"
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
    encoder: Encoder | None = None
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

    async def open_mailbox(
        self, tenant_id: TenantId, mailbox_id: MailboxId, seen: MailboxEndpoint | None = None
    ) -> MailProvider:
        del tenant_id, mailbox_id, seen
        return MemoryProvider(self.box)

    async def open_copilot(self, tenant_id: TenantId, mailbox_id: MailboxId) -> CopilotMailbox:
        del tenant_id, mailbox_id
        return self.copilot


@dataclass(kw_only=True)
class ServiceDesk(Bench):
    rooms = (sync_jobs, triage_jobs)

    box: MemoryMailbox
    sent: int = 0

    async def syncs(self) -> None:
        """A push comes, and all that follows from it is done."""
        self.now += timedelta(seconds=30)
        await self.does(SyncMailbox(self.mailbox))

    async def polls(self) -> None:
        """A minute goes by without a push."""
        self.now += timedelta(minutes=1)
        await self.does(PollMailboxes())

    async def looks_again(self) -> None:
        """Somebody asks for work that was done already."""
        await self.does(TriageMailbox(self.mailbox))

    async def waits(self) -> None:
        """Until what failed is due again."""
        self.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
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


def open_service_desk(
    db: Database, waker: Waker, owner_dsn: str, trouble: Callable[[], Any] = lambda: None
) -> ServiceDesk:
    return seat(ServiceDesk, bench_of(db, waker, owner_dsn, copilot="labels", pipelines=[]), trouble)


def seat(kind: type[Seated], bench: dict[str, Any], trouble: Callable[[], Any]) -> Seated:
    """This kind of desk at a new mailbox in memory, both with one clock."""
    box = MemoryMailbox(BOX, trouble=trouble)
    desk = kind(**bench, box=box, outside=DeskOutside(box, open_copilot(box)))
    box.clock = desk.clock
    return desk
