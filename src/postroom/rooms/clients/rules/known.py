"""What was looked up for one mail: the part of the book, and of the past, that has to do with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from postroom.nouns.clients import (
    AccountId,
    ClientAccount,
    Email,
    Engagement,
    EngagementId,
    PastMapping,
    WorkItem,
    WorkItemId,
)
from postroom.nouns.mail import Address
from postroom.rooms.clients.rules import domains, words


@dataclass(frozen=True, slots=True)
class Found:
    """An entry of the book that a mail touches: by which key, and whose it is."""

    key: str
    account_id: AccountId
    label: str = ""


@dataclass(frozen=True, slots=True)
class FoundCode:
    key: str
    account_id: AccountId
    engagement_id: EngagementId | None = None
    work_item_id: WorkItemId | None = None


@dataclass(frozen=True, slots=True)
class Rejection:
    """A person took a mail of this sender away from an account."""

    account_id: AccountId
    at: datetime


@dataclass(frozen=True, slots=True)
class SenderChoice:
    """What a person decided for every mail of a sender. Without an account: set aside."""

    account_id: AccountId | None
    engagement_id: EngagementId | None
    by: str
    at: datetime
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """Nothing but what concerns one mail."""

    accounts: Mapping[AccountId, ClientAccount] = field(default_factory=dict)
    engagements: Mapping[EngagementId, Engagement] = field(default_factory=dict)
    work_items: Mapping[WorkItemId, WorkItem] = field(default_factory=dict)
    contacts: Sequence[Found] = ()  # by address; the label is the contact's name
    domains: Sequence[Found] = ()
    near_domains: Sequence[Found] = ()  # the client's domain is the label
    codes: Sequence[FoundCode] = ()
    names: Sequence[Found] = ()
    people: Sequence[Found] = ()  # contacts by their name; the label is their address
    history: Sequence[PastMapping] = ()  # of the sender, newest first
    rejections: Sequence[Rejection] = ()
    choice: SenderChoice | None = None
    own_addresses: frozenset[str] = frozenset()
    own_domains: frozenset[str] = frozenset()

    def is_own(self, address: Address) -> bool:
        """Ours: a mailbox, one of the tenant's people, or somebody of the house."""
        return plain_address(address.email) in self.own_addresses or address.domain in self.own_domains

    def writes_for_all(self, sender: Address | None) -> bool:
        """Our own people write to every client: whose their last mail was says nothing about the next."""
        return sender is not None and self.is_own(sender)

    def accounts_by_contact(self, address: Address) -> list[AccountId]:
        email = plain_address(address.email)
        return sorted({each.account_id for each in self.contacts if each.key == email})

    def accounts_by_domain(self, address: Address) -> list[AccountId]:
        """By the nearest domain that is in the book."""
        if self.is_own(address):
            return []
        for domain in domains.speaking(address.domain):
            if found := sorted({each.account_id for each in self.domains if each.key == domain}):
                return found
        return []

    def accounts_of(self, address: Address) -> list[AccountId]:
        """Whose contact it is, else whose domain it has."""
        if self.is_own(address):
            return []
        return self.accounts_by_contact(address) or self.accounts_by_domain(address)


@dataclass(frozen=True, slots=True)
class Lookups:
    """Keys of a mail, by which the book is asked. Their number is bounded, however long the mail."""

    addresses: list[str]
    domains: list[str]
    near: list[str]
    codes: list[str]
    phrases: list[str]
    people: list[str]


def plain_address(email: str) -> str:
    """Case and plus-addressing do not make another person."""
    local, _, domain = email.strip().lower().rpartition("@")
    return f"{local.partition('+')[0] or local}@{domain}" if local else email.strip().lower()


def lookups(email: Email, forwarded: Sequence[str] = ()) -> Lookups:
    """What to ask the book about this mail."""
    people = [address for each in (email, *email.thread) for address in (each.sender, *each.recipients) if address]
    addresses = [plain_address(address.email) for address in people] + [plain_address(each) for each in forwarded]
    spoken = [domain for address in people for domain in domains.speaking(address.domain)]
    spoken += [domain for each in forwarded for domain in domains.speaking(each.rpartition("@")[2])]
    sender = email.sender
    return Lookups(
        addresses=words.first_of(addresses, 100),
        domains=words.first_of(spoken, 100),
        near=domains.keys_to_look_up(sender.domain) if sender else [],
        codes=words.first_of(_codes(email), words.MOST_CODES),
        phrases=words.first_of(_phrases(email), words.MOST_PHRASES),
        people=[name] if sender and " " in (name := words.phrase(sender.name)) else [],
    )


def _codes(email: Email) -> list[str]:
    printed = [words.code_key(code) for each in email.documents for code in each.codes]
    return [*words.codes_in(email.subject), *printed, *words.codes_in(email.text)]


def _phrases(email: Email) -> list[str]:
    printed = [key for each in email.documents for name in each.names for key in words.phrases_of_name(name)]
    printed += [key for each in email.documents for code in each.codes if (key := words.phrase(code))]
    spoken = words.phrases_in(email.subject, capital=False)
    signed = words.phrases_in(email.signature, capital=False)
    return [*spoken, *printed, *signed, *words.phrases_in(email.text, capital=True)]
