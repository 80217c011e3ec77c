"""What triage asks of the outside: mailboxes, mail to be parsed, a model's opinion."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.mail import MailMessage
from postroom.ports import CopilotMailbox, MessageFetcher, Model


class TurnReader(Protocol):
    """Takes mails apart, never those of two tenants in one process."""

    async def aread_mail(self, raw: bytes, *, tenant: TenantId | None = None) -> MailMessage: ...


class TriagePorts(Protocol):
    """What the jobs of this room ask of the outside."""

    open_copilot: Callable[[Any, MailboxId], Awaitable[CopilotMailbox]]
    fetcher: MessageFetcher
    reader: TurnReader
    model: Model | None
    label_namespace: str
