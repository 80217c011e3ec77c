"""What this room asks of the outside: mailboxes, mail to take files from, a place to keep them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol
from uuid import UUID

from postroom.nouns.ids import MailboxId
from postroom.nouns.mail import MailMessage
from postroom.ports import CopilotMailbox, MessageFetcher


class MailOpener(Protocol):
    """Takes mails apart in a confined process."""

    async def aread_mail(self, raw: bytes, *, tenant: UUID | None = None) -> MailMessage: ...


class FileStore(Protocol):
    """Where the files of proposals lie until they are sent and forgotten."""

    async def put_if_absent(self, key: str, content: bytes, metadata: Mapping[str, str], content_type: str) -> bool: ...
    async def get(self, key: str) -> bytes: ...


class ProposingPorts(Protocol):
    """What proposing a mail asks of the outside."""

    @property
    def open_copilot(self) -> Callable[[Any, MailboxId], Awaitable[CopilotMailbox]]: ...
    @property
    def fetcher(self) -> MessageFetcher: ...
    @property
    def reader(self) -> MailOpener: ...
    @property
    def archive(self) -> FileStore: ...


class SendingPorts(ProposingPorts, Protocol):
    """What the jobs of this room ask of the outside: the same, to look at what was sent."""
