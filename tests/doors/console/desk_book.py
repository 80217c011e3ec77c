"""A client book and mail that waits for somebody to say whose it is, for the console's tests."""

from __future__ import annotations

from uuid import UUID

import msgspec

from doors.console.place import OUTLOOK, Place
from postroom.engine.work import TenantScope
from postroom.nouns.ids import MailboxId, MessageId, TenantId, ThreadId, new_id
from postroom.rooms.clients import commands
from postroom.rooms.clients.jobs import record
from postroom.rooms.clients.mapping_service import decide, gather_message
from rooms.clients.office import BOOK


async def with_book(place: Place, tenant: TenantId | None = None) -> TenantScope:
    scope = place.house.scope(tenant or place.tenant, "test")
    assert not (await commands.import_book(scope, BOOK)).bad
    return scope


def mailbox_of(place: Place, tenant: TenantId | None = None) -> MailboxId:
    held = place.ask("SELECT id FROM postroom.mailbox WHERE tenant_id = %s", tenant or place.tenant)
    if held is not None:
        return MailboxId(held)
    made = MailboxId(new_id())
    place.own(
        "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access) VALUES (%s, %s, %s, 'outlook', 'app_only')",
        *[made, tenant or place.tenant, OUTLOOK],
    )
    return made


async def mapped(
    place: Place,
    sender: str = "tessa@bridgework.example",
    *,
    subject: str = "Rooms",
    text: str = "Hello, may we have two more rooms?",
    trust: str = "authenticated",
    thread: ThreadId | None = None,
    minutes_ago: int = 0,
    tenant: TenantId | None = None,
) -> UUID:
    """A mail as the sync room leaves it, mapped as the job would; the mapping's id."""
    owner, box = tenant or place.tenant, mailbox_of(place, tenant)
    thread = thread or ThreadId(new_id())
    place.own(
        "INSERT INTO postroom.thread (id, tenant_id, mailbox_id, provider_thread_id, last_message_at) VALUES (%s, %s, %s, %s, now()) ON CONFLICT DO NOTHING",
        *[thread, owner, box, str(thread)],
    )
    message = MessageId(new_id())
    place.own(
        "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, state, source, thread_id, sender_email, recipients, subject, snippet, body, trust, trust_because, received_at, arrived_at)"
        " VALUES (%s, %s, %s, %s, 'arrived', 'push', %s, %s, %s, %s, %s, %s, %s, 'DMARC failed.', %s - make_interval(mins => %s), now())",
        *[message, owner, box, str(message), thread, sender, msgspec.json.encode({"to": [OUTLOOK]}).decode()],
        *[subject, text, text, trust, place.house.clock(), minutes_ago],
    )
    scope = place.house.scope(owner, "postroom")
    async with scope.finish() as tx:
        case = await gather_message(tx, message, scope.now)
        assert case is not None
        await record(tx, scope, case, decide(case.email, case.context, case.known, scope.now))
    return UUID(str(place.ask("SELECT id FROM postroom.mapping WHERE message_id = %s", message)))
