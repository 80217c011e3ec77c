"""A client desk: a mailbox whose mail we hand in, a book, and a worker."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import msgspec

from harness import BOX, Bench, bench_of
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.nouns import facts
from postroom.nouns.clients import MappingId
from postroom.nouns.ids import MessageId, ThreadId, new_id
from postroom.rooms.clients import commands, jobs

BOOK = {
    "accounts.csv": b"""code,name,aliases,domains,status
ACME,ACME Industries GmbH,Acme Leadership,acme.example,open
BOREALIS,Borealis GmbH,,borealis.example,open
FONTANEL,Atelier Fontanel,,atelier-fontanel.example,open
OLDHAM,Oldham & Sons Ltd,,oldham.example,closed
""",
    "contacts.csv": b"""email,name,account
anna@acme.example,Anna Kowalski,ACME
ben@acme.example,Ben Achterberg,ACME
jonas@borealis.example,Jonas Petersen,BOREALIS
tessa@bridgework.example,Tessa Vermeulen,ACME
tessa@bridgework.example,Tessa Vermeulen,BOREALIS
claire@atelier-fontanel.example,Claire Fontanel,FONTANEL
lucia@gmail.com,Lucia Ibarra,FONTANEL
""",
    "engagements.csv": b"code,name,account,status\nLEAD,Leadership retreat,ACME,open\nTEAM,Team days,BOREALIS,open\n",
    "work_items.csv": b"code,name,engagement,status\nACME-1042,Check-in,LEAD,open\nBOR-0311,Rooms,TEAM,open\n",
}


@dataclass(kw_only=True)
class ClientDesk(Bench):
    rooms = (jobs,)

    sent: int = 0
    threads: dict[str, ThreadId] = field(default_factory=dict)

    async def has_book(self, **changed: bytes) -> None:
        """The files above, or others in their place."""
        files = BOOK | {f"{name}.csv": content for name, content in changed.items()}
        done = await commands.import_book(self.scope(), files)
        assert [] == list(done.bad)

    def inserts(
        self,
        sender: str | None = "anna@acme.example",
        *,
        name: str = "",
        subject: str = "Rooms",
        text: str = "Hello, may we have two more rooms?",
        thread: str = "",
        days_ago: float = 0,
        to: tuple[str, ...] = (BOX,),
        cc: tuple[str, ...] = (),
        reply_to: tuple[str, ...] = (),
        trust: str = "authenticated",
        automatic: str | None = None,
    ) -> MessageId:
        """A message as the sync room leaves it. Mails of one `thread` answer each other."""
        self.sent += 1
        message, received = MessageId(new_id()), self.now - timedelta(days=days_ago)
        recipients = {"to": list(to), "cc": list(cc), "reply_to": list(reply_to)}
        self.own(
            "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, state, source, thread_id, sender_email,"
            " sender_name, recipients, subject, body, automatic, trust, trust_because, received_at, arrived_at)"
            " VALUES (%s, %s, %s, %s, 'arrived', 'push', %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            *[
                message,
                self.tenant,
                self.mailbox,
                f"m-{self.sent}",
                self._thread(thread or f"t-{self.sent}"),
                sender,
                name,
            ],
            *[
                msgspec.json.encode(recipients).decode(),
                subject,
                text,
                automatic,
                trust,
                "DMARC says so.",
                received,
                self.now,
            ],
        )
        return message

    def _thread(self, name: str) -> ThreadId:
        if name not in self.threads:
            self.threads[name] = ThreadId(new_id())
            self.own(
                "INSERT INTO postroom.thread (id, tenant_id, mailbox_id, provider_thread_id, last_message_at) VALUES (%s, %s, %s, %s, %s)",
                *[self.threads[name], self.tenant, self.mailbox, name, self.now],
            )
        return self.threads[name]

    async def receives(self, sender: str | None = "anna@acme.example", **about: Any) -> MessageId:
        """A mail arrives, and is mapped."""
        message = self.inserts(sender, **about)
        await self.arrives(message)
        await self.works()
        return message

    async def arrives(self, message: MessageId) -> None:
        thread, automatic, received = self.own(
            "SELECT thread_id, automatic, received_at FROM postroom.message WHERE id = %s", message
        )[0]
        told = facts.MessageArrived(
            message_id=message,
            mailbox_id=self.mailbox,
            thread_id=thread,
            provider_message_id=f"m-{self.sent}",
            source="push",
            received_at=received,
            automatic=automatic,
            pipelines=(),
        )
        await self.tells(told)

    def mapping(self, message: MessageId) -> MappingId:
        return MappingId(self.own("SELECT id FROM postroom.mapping WHERE message_id = %s", message)[0][0])

    def standing(self, message: MessageId) -> tuple[str | None, str] | None:
        """Whose it is, and how that stands; None when it is not mapped at all."""
        rows = self.own(
            "SELECT a.code, g.status FROM postroom.mapping g LEFT JOIN postroom.account a ON a.id = g.account_id WHERE g.message_id = %s",
            message,
        )
        return (rows[0][0], rows[0][1]) if rows else None

    def account_id(self, code: str) -> UUID:
        return UUID(str(self.own("SELECT id FROM postroom.account WHERE code = %s", code)[0][0]))


def open_client_desk(db: Database, waker: Waker, owner_dsn: str, box: str = BOX) -> ClientDesk:
    return ClientDesk(**bench_of(db, waker, owner_dsn, address=box))
