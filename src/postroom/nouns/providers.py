"""What passes between a mail provider and us, in our words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NewType, get_args

from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet

ProviderName = Literal["outlook", "gmail", "imap", "files"]
Capability = Literal["read", "draft", "send"]  # each includes the ones before it
CAPABILITIES: tuple[Capability, ...] = get_args(Capability)
ProviderRef = NewType("ProviderRef", str)  # the provider's id of a message, thread or draft: opaque, case-sensitive
Cursor = NewType("Cursor", str)  # how far we have read: opaque to all but its adapter

INBOX, SPAM, TRASH, SENT, DRAFT = "INBOX", "SPAM", "TRASH", "SENT", "DRAFT"


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What a listing already says of a message; empty fields were not said."""

    ref: ProviderRef
    thread_ref: ProviderRef | None = None
    received_at: datetime | None = None
    labels: frozenset[str] = frozenset()  # canonical INBOX, SPAM, TRASH, SENT, DRAFT; others as the provider names them
    version: str = ""  # changes when the message does: Graph's changeKey, Gmail's historyId
    subject: str = ""
    sender: str = ""
    internet_message_id: str = ""
    is_draft: bool = False


@dataclass(frozen=True, slots=True)
class MailboxEndpoint:
    """How a mailbox is reached. Connected anew, even with the same words, it may have another password or server."""

    provider: ProviderName
    access: str
    address: str
    folder: str
    connected_at: datetime


@dataclass(frozen=True, slots=True)
class Changes:
    """One page of what came after a cursor. `more`: the next page is there to be read at once.

    `arrived` may name what was there before and changed. `relabelled` is what surely was, where the provider tells.
    """

    arrived: Sequence[Glimpse]
    removed: Sequence[ProviderRef]
    cursor: Cursor
    more: bool
    relabelled: Sequence[Glimpse] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """One page of what the provider holds since a moment. `next_page` is None on the last."""

    messages: Sequence[Glimpse]
    next_page: str | None


@dataclass(frozen=True, slots=True)
class RawMail:
    """A message as the provider hands it out."""

    glimpse: Glimpse
    raw: bytes = field(repr=False)


WatchedFolder = Literal["served", "sent", "drafts"]  # which of them changes are told of
SERVED_ONLY: tuple[WatchedFolder, ...] = ("served",)


@dataclass(frozen=True, slots=True)
class Watch:
    """The provider's promise to tell us."""

    id: str  # Graph's subscription id; Gmail's topic
    resource: str
    expires_at: datetime
    callback: str
    lifecycle_callback: str | None = None


LifecycleEvent = Literal["reauthorizationRequired", "subscriptionRemoved", "missed"]


@dataclass(frozen=True, slots=True)
class Notification:
    """One item of a provider's notification. What is missing was not said."""

    watch_id: str = ""  # Graph: the subscription
    address: str = ""  # Gmail: the mailbox
    client_state: Secret | None = None
    message_ref: ProviderRef | None = None
    change: str = ""
    lifecycle: LifecycleEvent | None = None
    position: int | None = None  # Gmail's history id


@dataclass(frozen=True, slots=True)
class Grant:
    """What a person, or an administrator, allowed us."""

    tokens: TokenSet
    address: str  # the mailbox that was granted, lower case
    subject: str = ""  # the provider's own id of the account
    missing_scopes: Sequence[str] = ()
