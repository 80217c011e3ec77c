"""Clients as we talk about them: the book, a mail as far as its client goes, clues, and what is suggested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Literal, NewType, get_args
from uuid import UUID

from postroom.nouns.mail import Address, TrustLevel

AccountId = NewType("AccountId", UUID)
EngagementId = NewType("EngagementId", UUID)
WorkItemId = NewType("WorkItemId", UUID)
ContactId = NewType("ContactId", UUID)
MappingId = NewType("MappingId", UUID)

BookStatus = Literal["open", "closed"]
MappingStatus = Literal["mapped", "triage", "confirmed", "ignored"]
MAPPING_STATUSES: tuple[MappingStatus, ...] = get_args(MappingStatus)
Signal = Literal[
    "choice", "correction", "contact", "domain", "thread", "history", "code_subject", "code_text", "name_subject",
    "name_text", "name_signature", "recipient", "participant", "document", "forwarded", "person", "rejected",
]  # fmt: skip
SIGNALS: tuple[Signal, ...] = get_args(Signal)


@dataclass(frozen=True, slots=True)
class ClientAccount:
    """A client of the tenant's."""

    id: AccountId
    code: str
    name: str
    status: BookStatus = "open"

    def __str__(self) -> str:
        return f"{self.name} ({self.code})" if self.name and self.name != self.code else self.code


@dataclass(frozen=True, slots=True)
class Engagement:
    """Something we do for an account."""

    id: EngagementId
    account_id: AccountId
    code: str
    name: str
    status: BookStatus = "open"


@dataclass(frozen=True, slots=True)
class WorkItem:
    """A piece of an engagement that has a code of its own."""

    id: WorkItemId
    account_id: AccountId
    engagement_id: EngagementId
    code: str
    name: str
    status: BookStatus = "open"


@dataclass(frozen=True, slots=True)
class PrintedClient:
    """What a document says about whose it is: names of the parties, and codes that are printed on it."""

    filename: str
    names: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PastMapping:
    """Whose an earlier mail was, and since when we think so."""

    account_id: AccountId | None
    engagement_id: EngagementId | None
    work_item_id: WorkItemId | None
    status: MappingStatus
    at: datetime

    @property
    def is_confident(self) -> bool:
        """A person said so, or it was sure enough to go without one."""
        return self.account_id is not None and self.status in ("mapped", "confirmed")


@dataclass(frozen=True, slots=True)
class Email:
    """A mail, as far as its client goes. `text` is what the sender newly wrote, `thread` what came before it."""

    sender: Address | None
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    subject: str = ""
    text: str = ""
    signature: str = ""
    quoted: str = ""
    date: datetime | None = None
    trust: TrustLevel | None = None
    trust_because: str = ""
    automatic: str | None = None
    is_named_only: bool = False  # a form wrote, and the person stands in Reply-To, which nobody checks
    documents: tuple[PrintedClient, ...] = ()
    thread: tuple[Email, ...] = ()
    mapped: PastMapping | None = None  # of an earlier mail

    @property
    def recipients(self) -> tuple[Address, ...]:
        return (*self.to, *self.cc)


@dataclass(frozen=True, slots=True)
class Clue:
    """One piece of evidence for (or against) an account: its weight in log-odds, and the sentence that says it."""

    signal: Signal
    weight: float
    because: str


@dataclass(frozen=True, slots=True)
class ClientCandidate:
    account: ClientAccount
    confidence: Decimal
    clues: tuple[Clue, ...] = ()

    @property
    def reasons(self) -> list[str]:
        return [clue.because for clue in self.clues]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Whose mail it is, as far as we can tell, and why. `objections` keep it from being mapped without a person."""

    account: ClientAccount | None
    engagement: Engagement | None
    work_item: WorkItem | None
    confidence: Decimal
    reasons: tuple[str, ...]
    staleness: tuple[str, ...]
    objections: tuple[str, ...]
    requires_triage: bool
    candidates: Sequence[ClientCandidate] = field(default_factory=tuple)

    @property
    def because(self) -> str:
        """All of it, as one text."""
        return " ".join((*self.reasons, *self.objections, *self.staleness)) or "Nothing points to an account."
