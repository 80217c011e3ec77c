"""What syncing asks of the outside: mailboxes to open, and mail to be parsed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Protocol

from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.mail import MailMessage
from postroom.ports import CopilotMailbox, OpenMailbox


class MailReader(Protocol):
    """Takes mails apart, where need be in a process of its own, never those of two tenants in one."""

    async def aread_mail(self, raw: bytes, *, tenant: TenantId | None = None) -> MailMessage: ...


class SyncPorts(Protocol):
    """What the jobs of this room ask of the outside."""

    open_mailbox: OpenMailbox
    open_copilot: Callable[[Any, MailboxId], Awaitable[CopilotMailbox]]
    label_namespace: str
    reader: MailReader
    backfill: timedelta
    furthest_back: timedelta
    poll_every: timedelta
