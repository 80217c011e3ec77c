"""What happens to the client book, and to the question whose mail a mail is."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


class BookImported(FactBase, frozen=True, kw_only=True):
    """A book was taken in from files; by kind how many are new and how many changed."""

    kind = "account.imported"
    new: dict[str, int]
    changed: dict[str, int]


class BookChanged(FactBase, frozen=True, kw_only=True):
    """A person changed an account, or something of it; before and after. `before` is null for what is new."""

    kind = "account.changed"
    account_id: UUID
    code: str
    what: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AccountsMerged(FactBase, frozen=True, kw_only=True):
    """Two accounts were one: what belonged to the first belongs to the second."""

    kind = "account.merged"
    account_id: UUID
    code: str
    into_id: UUID
    into_code: str
    contacts: int
    messages: int


class ClientMapped(SilentFact, frozen=True, kw_only=True):
    """A mail is an account's, surely enough to need no person."""

    kind = "mapping.mapped"
    mapping_id: UUID
    message_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    account_id: UUID
    engagement_id: UUID | None
    work_item_id: UUID | None
    confidence: str
    because: str


class ClientUnclear(SilentFact, frozen=True, kw_only=True):
    """A person has to say whose mail it is; the likeliest account, if any is."""

    kind = "mapping.triage_required"
    mapping_id: UUID
    message_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    account_id: UUID | None
    confidence: str
    because: str


class MappingConfirmed(SilentFact, frozen=True, kw_only=True):
    """A person said whose mail it is. What it was taken away from is in `before`, and what had misled us beside it."""

    kind = "mapping.confirmed"
    mapping_id: UUID
    message_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None = None
    act_id: UUID
    before: dict[str, str | None]
    after: dict[str, str | None]
    misled: list[str]
    next_from_sender: bool = False


class MappingIgnored(SilentFact, frozen=True, kw_only=True):
    """A person set a mail aside: it is no client's."""

    kind = "mapping.ignored"
    mapping_id: UUID
    message_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None = None
    act_id: UUID
    before: dict[str, str | None]
    after: dict[str, str | None]
    reason: str
    next_from_sender: bool = False


class MappingUndone(SilentFact, frozen=True, kw_only=True):
    """A person took a decision back: the mail is what it was before."""

    kind = "mapping.undone"
    mapping_id: UUID
    message_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None = None
    act_id: UUID
    before: dict[str, str | None]
    after: dict[str, str | None]


class ContactsAged(SilentFact, frozen=True, kw_only=True):
    """Contacts bounced, fell silent or turned up elsewhere; a person is asked what to do about them."""

    kind = "account.contacts_aged"
    proposals: dict[str, int]


class ContactProposalDecided(SilentFact, frozen=True, kw_only=True):
    kind = "account.contact_proposal_decided"
    proposal_id: UUID
    contact_id: UUID
    proposal: str
    accepted: bool


class MappingPolicyChanged(FactBase, frozen=True, kw_only=True):
    """The threshold, or what a doubt costs."""

    kind = "mapping.policy_changed"
    before: dict[str, str]
    after: dict[str, str]
