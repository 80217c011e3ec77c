"""What syncing asks of the outside: mailboxes to open, and mail to be parsed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Protocol

from postroom.nouns.ids import MailboxId
from postroom.nouns.mail import MailMessage
from postroom.ports import MailProvider


class SyncPorts(Protocol):
    """What the jobs of this room ask of the outside."""

    open_mailbox: Callable[[Any, MailboxId], Awaitable[MailProvider]]
    read_mail: Callable[[bytes], MailMessage]
    backfill: timedelta
    furthest_back: timedelta
    poll_every: timedelta
