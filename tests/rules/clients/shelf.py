"""A small book of clients, looked up as the store would, for tables of cases."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from postroom.nouns.clients import (
    AccountId,
    ClientAccount,
    Email,
    Engagement,
    EngagementId,
    PastMapping,
    Suggestion,
    WorkItem,
    WorkItemId,
)
from postroom.nouns.mail import Address
from postroom.rooms.clients.rules import domains, signals, suggesting, words
from postroom.rooms.clients.rules.known import (
    Found,
    FoundCode,
    Known,
    Rejection,
    SenderChoice,
    lookups,
    plain_address,
)
from postroom.rooms.clients.rules.suggesting import MappingPolicy

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
OURS = "service@larkspur.example"


def made_id(text: str) -> UUID:
    return uuid5(UUID(int=1), text)


def account_id(code: str) -> AccountId:
    return AccountId(made_id(code))


def address(text: str) -> Address:
    name, _, email = text.rpartition("<")
    return Address(email.strip("> ").lower(), name.strip())


def mail(sender: str | None = "anna@acme.example", *, to: str = OURS, cc: str = "", **more: Any) -> Email:
    """`to` and `cc` are lists separated by commas."""
    people = {name: tuple(address(each) for each in text.split(",") if each) for name, text in (("to", to), ("cc", cc))}
    return Email(address(sender) if sender else None, date=more.pop("date", NOW), **people, **more)


def past(code: str | None, days: float = 1, status: str = "mapped", engagement: str | None = None) -> PastMapping:
    work = EngagementId(made_id(engagement)) if engagement else None
    return PastMapping(account_id(code) if code else None, work, None, status, NOW - timedelta(days=days))


@dataclass
class Shelf:
    """Add to it, then ask."""

    accounts: dict[str, ClientAccount] = field(default_factory=dict)
    contacts: list[tuple[str, str, str]] = field(default_factory=list)
    domains: list[tuple[str, str]] = field(default_factory=list)
    names: list[tuple[str, str]] = field(default_factory=list)
    engagements: dict[str, Engagement] = field(default_factory=dict)
    work_items: dict[str, WorkItem] = field(default_factory=dict)
    history: list[PastMapping] = field(default_factory=list)
    rejections: list[tuple[str, float]] = field(default_factory=list)
    choice: SenderChoice | None = None
    own: frozenset[str] = frozenset({OURS})
    own_domains: frozenset[str] = frozenset({"larkspur.example"})

    def account(
        self,
        code: str,
        name: str = "",
        contacts: str = "",
        domains: str = "",
        aliases: str = "",
        work: str = "",
        status: str = "open",
    ) -> Shelf:
        """Lists are separated by blanks, aliases by commas; `work` as `ENGAGEMENT:ITEM,ITEM ENGAGEMENT`."""
        self.accounts[code] = ClientAccount(account_id(code), code, name or code.title(), status)
        self.contacts += [(each, "", code) for each in contacts.split()]
        self.domains += [(each, code) for each in domains.split()]
        spoken = [name or code.title(), *(alias for alias in aliases.split(",") if alias)]
        self.names += [(key, code) for each in spoken for key in words.phrases_of_name(each)]
        for each in work.split():
            engagement, _, items = each.partition(":")
            made = Engagement(EngagementId(made_id(engagement)), account_id(code), engagement, engagement.title())
            self.engagements[engagement] = made
            for item in filter(None, items.split(",")):
                held = WorkItem(WorkItemId(made_id(item)), account_id(code), made.id, item, item.title())
                self.work_items[item] = held
        return self

    def person(self, name: str, email: str, code: str) -> Shelf:
        self.contacts.append((email, name, code))
        return self

    def known(self, email: Email) -> Known:
        """As the store would look it up, by the keys of this mail alone."""
        asked = lookups(email, signals.forwarded_from(email))
        return Known(
            accounts={each.id: each for each in self.accounts.values()},
            engagements={each.id: each for each in self.engagements.values()},
            work_items={each.id: each for each in self.work_items.values()},
            contacts=[
                Found(email, account_id(code), name)
                for email, name, code in self.contacts
                if plain_address(email) in asked.addresses
            ],
            domains=[Found(name, account_id(code)) for name, code in self.domains if name in asked.domains],
            near_domains=[
                Found(key, account_id(code), name)
                for name, code in self.domains
                for key in domains.look_alike_keys(name)
                if key in asked.near
            ],
            codes=self._codes(asked.codes),
            names=[Found(key, account_id(code)) for key, code in self.names if key in asked.phrases],
            people=[
                Found(words.phrase(name), account_id(code), email)
                for email, name, code in self.contacts
                if words.phrase(name) in asked.people
            ],
            history=self.history,
            rejections=[Rejection(account_id(code), NOW - timedelta(days=days)) for code, days in self.rejections],
            choice=self.choice,
            own_addresses=self.own,
            own_domains=self.own_domains,
        )

    def _codes(self, asked: list[str]) -> list[FoundCode]:
        found = [FoundCode(code.upper(), account_id(code)) for code in self.accounts]
        found += [FoundCode(each.code.upper(), each.account_id, each.id) for each in self.engagements.values()]
        found += [
            FoundCode(each.code.upper(), each.account_id, each.engagement_id, each.id)
            for each in self.work_items.values()
        ]
        return [each for each in found if each.key in asked]

    def suggest(self, email: Email, policy: MappingPolicy | None = None) -> Suggestion:
        return suggesting.suggest(email, self.known(email), NOW, policy)


def retreats() -> Shelf:
    """Four clients of a retreat house; Tessa works for two of them."""
    tessa = "tessa@bridgework.example"
    return (
        Shelf()
        .account(
            "ACME", "ACME Industries GmbH", f"anna@acme.example ben@acme.example {tessa}", "acme.example",
            aliases="Acme Leadership", work="LEAD:ACME-1042 SPRING:ACME-1050",
        )
        .account("BOREALIS", "Borealis GmbH", f"jonas@borealis.example {tessa}", "borealis.example", work="TEAM:BOR-0311")
        .account("FONTANEL", "Atelier Fontanel", "claire@atelier-fontanel.example", "atelier-fontanel.example")
        .account("OLDHAM", "Oldham & Sons Ltd", "max@oldham.example", "oldham.example", status="closed")
    )  # fmt: skip
