"""A dealing desk: a mailbox whose mail we hand in, the real readers, an archive in a folder, and a worker."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import msgspec

from harness import Bench, bench_of
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.engine.work import TenantScope
from postroom.mail.bodies import body_file
from postroom.nouns import facts
from postroom.nouns.documents import Extraction
from postroom.nouns.errors import Gone
from postroom.nouns.ids import DocumentId, MailboxId, MessageId, TenantId, new_id
from postroom.nouns.providers import Glimpse, ProviderRef, RawMail
from postroom.outside.blobs.folder import FolderBlobs
from postroom.outside.keys.encryption import Key, Sealer
from postroom.outside.readers.pool import Readers
from postroom.reading.profiles import SenderProfile
from postroom.rooms import forgetting
from postroom.rooms.clients import jobs as client_jobs
from postroom.rooms.documents import jobs
from postroom_simulators.papers import SamplePaper

BROKER = "settlements@thornburyvale.example"
DAY = date(2026, 2, 4)
NOON = datetime(2026, 2, 4, 12, tzinfo=UTC)
PASSED = "spf=pass smtp.mailfrom={d}; dkim=pass header.d={d}; dmarc=pass action=none header.from={d}"
FAILED = "spf=fail smtp.mailfrom=bulk.example; dkim=none; dmarc=fail action=oreject header.from={d}"


IN_ORDER = (
    "FROM postroom.document d LEFT JOIN postroom.message m ON m.id = d.message_id WHERE true"
    " ORDER BY m.announced_at, d.attachment_path, d.id"
)


class Post:
    """The provider's side: hands a message out, and counts how often."""

    def __init__(self) -> None:
        self.held: dict[str, bytes] = {}
        self.failing: list[Exception] = []
        self.fetched: list[str] = []

    async def fetch(self, tenant_id: TenantId, mailbox_id: MailboxId, ref: ProviderRef) -> RawMail:
        self.fetched.append(ref)
        if self.failing:
            raise self.failing.pop(0)
        if ref not in self.held:
            raise Gone(f"There is no message {ref}.")
        return RawMail(Glimpse(ref), self.held[ref])


def sure(read: Extraction) -> Extraction:
    """The real reading with its gate held open: most stories are about what comes after the gate."""
    return replace(read, auto_confirm=True)


def as_it_is(read: Extraction) -> Extraction:
    return read


class ChangedReader:
    """The real readers, with what they found changed on its way."""

    def __init__(self, real: Readers, change: Callable[[Extraction], Extraction] = sure) -> None:
        self.real, self.change = real, change
        self.profiles: list[SenderProfile | None] = []

    async def aextract(self, content: bytes, passwords: Sequence[str] = (), **known: Any) -> Any:
        self.profiles.append(known.get("profile"))
        read = await self.real.aextract(content, passwords, **known)
        return replace(read, extraction=self.change(read.extraction))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.real, name)


@dataclass
class World:
    """What jobs find outside."""

    fetcher: Post
    reader: Any
    archive: Any
    sealer: Sealer
    model: Any = None


@dataclass(kw_only=True)
class Desk(Bench):
    rooms = (jobs, client_jobs, forgetting)

    root: Path
    counter: int = 0
    now: datetime = NOON
    received: list[str] = field(default_factory=list)

    def scope(self, actor: str = "rosalind@larkspur.example") -> TenantScope:
        return super().scope(actor)

    def mail(
        self,
        *files: tuple[str, bytes],
        sender: str = BROKER,
        verdict: str = PASSED,
        subject: str = "Contract note",
        kind: str = "application/pdf",
    ) -> bytes:
        self.counter += 1
        mail = EmailMessage()
        mail["Authentication-Results"] = verdict.format(d=sender.rpartition("@")[2])
        mail["From"], mail["To"], mail["Subject"] = sender, "notes@larkspur.example", subject
        mail["Message-ID"] = f"<{self.counter}.{self.tenant}@larkspur.example>"
        mail.set_content("Please find attached your contract note.")
        for name, content in files:
            main, _, sub = kind.partition("/")
            mail.add_attachment(content, main, sub, filename=name)
        return mail.as_bytes()

    async def receives(
        self, *files: tuple[str, bytes], automatic: str | None = None, raw: bytes | None = None, **about: Any
    ) -> MessageId:
        """A message arrives, as the sync room leaves it."""
        made = self.mail(*files, **about)
        raw = raw or made
        message = await self.outside.reader.aread_mail(raw)
        ref, message_id = f"AAMk-{self.counter}-{self.tenant.hex[:6]}", MessageId(new_id())
        self.outside.fetcher.held[ref] = raw
        held = [
            {"filename": each.filename, "size": each.size, "type": each.sniffed_type, "sha256": each.sha256}
            for each in message.attachments
        ]
        thread_id, thread_ref = new_id(), f"AAQk-{self.counter}"
        self.own(
            "INSERT INTO postroom.thread (id, tenant_id, mailbox_id, provider_thread_id, messages, last_message_at)"
            " VALUES (%s, %s, %s, %s, 1, %s)",
            *[thread_id, self.tenant, self.mailbox, thread_ref, self.now],
        )
        self.own(
            "INSERT INTO postroom.message (id, tenant_id, mailbox_id, thread_id, provider_message_id, state, source,"
            " sender_email, subject, body, attachments, automatic, received_at, arrived_at)"
            " VALUES (%s, %s, %s, %s, %s, 'arrived', 'push', %s, %s, %s, %s, %s, %s, %s)",
            *[
                message_id,
                self.tenant,
                self.mailbox,
                thread_id,
                ref,
                message.sender.email,
                message.subject,
                message.text_body,
            ],
            *[msgspec.json.encode(held).decode(), automatic, self.now, self.now],
        )
        self.own(
            "INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status)"
            " SELECT tenant_id, %s, unnest(pipelines), 'pending' FROM postroom.mailbox WHERE id = %s",
            *[message_id, self.mailbox],
        )
        self.received.append(ref)
        told = facts.MessageArrived(
            message_id=message_id,
            mailbox_id=self.mailbox,
            thread_id=thread_id,
            provider_message_id=ref,
            provider_thread_id=thread_ref,
            source="push",
            received_at=self.now,
            automatic=automatic,
            body=body_file(message) is not None,
        )
        await self.tells(told)
        return message_id

    async def places_order(self, paper: SamplePaper, user: str = "rwhitlock", **changes: Any) -> None:
        from postroom.rooms.documents import commands

        trade = paper.truth["trades"][0]
        wanted = {name: trade[name] for name in ("isin", "name", "direction", "quantity")}
        order = {"username": user, "placed_on": trade["trade_date"], "external_id": f"{user}-{self.counter}"}
        await commands.place_order(self.scope(), {**order, **wanted, **changes})

    async def trusts(self, sender: str = BROKER, pipeline: str = "pad_contract_notes") -> None:
        from postroom.rooms.documents import commands

        await commands.allow_sender(self.scope(), pipeline, sender)

    def statuses(self) -> list[str]:
        return [row[0] for row in self.own(f"SELECT d.status {IN_ORDER}")]

    def reasons(self) -> list[str]:
        return [row[0] for row in self.own(f"SELECT d.because {IN_ORDER}")]

    def trades(self) -> list[str]:
        trades = IN_ORDER.replace("WHERE", "JOIN postroom.trade t ON t.document_id = d.id WHERE")
        return [row[0] for row in self.own(f"SELECT t.status {trades}, t.position")]

    def dispositions(self, message_id: MessageId) -> dict[str, str]:
        rows = self.own("SELECT pipeline, status FROM postroom.disposition WHERE message_id = %s", message_id)
        return {str(pipeline): str(status) for pipeline, status in rows}

    def ledger(self) -> list[tuple[str, str]]:
        rows = self.own("SELECT app_name, status FROM bo_airflow.email_ingestion_state ORDER BY app_name, id")
        return [(str(name), str(status)) for name, status in rows]

    def archived(self) -> list[str]:
        paths = [path for path in (self.root / "archive").rglob("*") if path.is_file() and path.name[0] != "."]
        return sorted(str(path.relative_to(self.root)) for path in paths)

    def only_document(self) -> DocumentId:
        ((found,),) = self.own("SELECT id FROM postroom.document")
        return DocumentId(found)


def open_desk(db: Database, waker: Waker, owner_dsn: str, root: Path, reader: Readers) -> Desk:
    world = World(Post(), ChangedReader(reader), FolderBlobs(root), Sealer([Key(os.urandom(32))]))
    bench = bench_of(db, waker, owner_dsn, tenant="default", address="notes@larkspur.example")
    return Desk(**bench, outside=world, root=root)
