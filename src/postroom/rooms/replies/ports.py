"""What this room asks of the outside: mailboxes, papers to be read, a model's words."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol
from uuid import UUID

from postroom.nouns.documents import DocumentText
from postroom.nouns.ids import MailboxId
from postroom.ports import CopilotMailbox, Encoder, Model


class PaperReader(Protocol):
    """Reads PDFs in a confined process."""

    async def aread(
        self, content: bytes, passwords: Sequence[str] = (), *, tenant: UUID | None = None
    ) -> DocumentText: ...


class DraftPorts(Protocol):
    """What the jobs of this room ask of the outside."""

    open_copilot: Callable[[Any, MailboxId], Awaitable[CopilotMailbox]]
    model: Model | None
    encoder: Encoder | None
