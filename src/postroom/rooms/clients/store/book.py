"""The book: accounts with what they are known by, contacts, work, and who changed what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.facts import as_json
from postroom.nouns.clients import (
    AccountId,
    BookStatus,
    ContactId,
    Engagement,
    EngagementId,
    WorkItem,
    WorkItemId,
)
from postroom.nouns.ids import TenantId, new_id
from postroom.nouns.versions import version_of
from postroom.rooms.clients.rules import domains, words
from postroom.rooms.clients.rules.book_files import AccountEntry, ContactEntry, EngagementEntry, WorkItemEntry
from postroom.rooms.clients.rules.book_plan import BookChange

QUERIES = sql.load("postroom.rooms.clients", "book.sql")
LAST_CHARACTER = "\U0010ffff"


@dataclass(frozen=True, slots=True)
class _HasBook:
    has_book: bool


@dataclass(frozen=True, slots=True)
class _AccountKey:
    key: str
    id: AccountId


@dataclass(frozen=True, slots=True)
class _MergedAccount:
    id: AccountId
    merged_into: AccountId


@dataclass(frozen=True, slots=True)
class AccountRow:
    id: AccountId
    code: str
    name: str
    aliases: list[str]
    domains: list[str]
    status: BookStatus
    merged_into: AccountId | None
    created_at: datetime
    updated_at: datetime

    @property
    def version(self) -> str:
        """Of what people change about it by hand."""
        return version_of([self.name, self.aliases, self.domains])

    def as_entry(self) -> AccountEntry:
        return AccountEntry(self.code, self.name, tuple(self.aliases), tuple(self.domains), self.status)


@dataclass(frozen=True, slots=True)
class HeldAccount:
    """An account that a file or a person speaks of; `merged_into` is the key of the one it went to."""

    id: AccountId
    code: str
    name: str
    aliases: list[str]
    domains: list[str]
    status: BookStatus
    merged_into: str | None

    def as_entry(self) -> AccountEntry:
        return AccountEntry(self.code, self.name, tuple(self.aliases), tuple(self.domains), self.status)


@dataclass(frozen=True, slots=True)
class _HeldContact:
    email: str
    name: str
    accounts: list[str]


@dataclass(frozen=True, slots=True)
class ContactRow:
    """A contact of an account; `accounts` is on how many it is."""

    id: ContactId
    email: str
    name: str
    status: Literal["active", "retired"]
    bounced_at: datetime | None
    bounce_because: str | None
    since: datetime
    accounts: int
    last_seen_at: datetime | None


@dataclass(frozen=True, slots=True)
class KnownContact:
    """A contact with the keys of its accounts."""

    id: ContactId
    email: str
    name: str
    status: Literal["active", "retired"]
    accounts: list[str]


@dataclass(frozen=True, slots=True)
class WorkRow:
    """An engagement, with one of its work items if it has any."""

    engagement_id: EngagementId
    engagement_code: str
    engagement_name: str
    engagement_status: BookStatus
    work_item_id: WorkItemId | None
    work_item_code: str | None
    work_item_name: str | None
    work_item_status: BookStatus | None


@dataclass(frozen=True, slots=True)
class AccountChange:
    id: UUID
    what: str
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    changed_by: str
    changed_at: datetime


async def look_for_book(db: Database, tenant_id: TenantId) -> bool:
    """Most tenants have none: asked for every mail, so in one trip."""
    return (await db.look(tenant_id, QUERIES.has_book, _HasBook))[0].has_book


async def take_turns(tx: Tx, tenant_id: TenantId) -> None:
    await tx.value(QUERIES.take_turns, tenant_id=tenant_id)


async def held_accounts(tx: Tx, keys: Sequence[str]) -> list[HeldAccount]:
    return await tx.rows(QUERIES.held_accounts, HeldAccount, keys=list(keys))


async def held_contacts(tx: Tx, emails: Sequence[str]) -> dict[str, ContactEntry]:
    rows = await tx.rows(QUERIES.held_contacts, _HeldContact, emails=list(emails))
    return {row.email: ContactEntry(row.email, row.name, tuple(row.accounts)) for row in rows}


async def held_engagements(tx: Tx, keys: Sequence[str]) -> dict[str, EngagementEntry]:
    rows = await tx.rows(QUERIES.held_engagements, EngagementEntry, keys=list(keys))
    return {row.key: row for row in rows}


async def held_work_items(tx: Tx, keys: Sequence[str]) -> dict[str, WorkItemEntry]:
    rows = await tx.rows(QUERIES.held_work_items, WorkItemEntry, keys=list(keys))
    return {row.key: row for row in rows}


async def put_accounts(tx: Tx, tenant_id: TenantId, entries: Sequence[AccountEntry], actor: str, now: datetime) -> None:
    """With everything they are looked up by."""
    rows = [
        {
            "id": new_id(),
            "code": entry.code,
            "code_key": entry.key,
            "name": entry.name,
            "aliases": entry.aliases,
            "domains": entry.domains,
            "status": entry.status,
        }
        for entry in entries
    ]
    await tx.run(QUERIES.put_accounts, tenant_id=tenant_id, rows=as_json(rows), actor=actor, now=now)
    await tx.run(QUERIES.drop_account_keys, keys=[entry.key for entry in entries])
    keys = [key for entry in entries for key in _keys(entry)]
    await tx.run(QUERIES.put_account_keys, tenant_id=tenant_id, rows=as_json(keys))


def _keys(entry: AccountEntry) -> list[Mapping[str, str]]:
    spoken = (entry.name, *entry.aliases)
    phrases = {key for name in spoken for key in words.phrases_of_name(name)}
    single = {word for name in (*spoken, entry.code) for word in words.words_of(name)} | {entry.code.lower()}
    found: list[Mapping[str, str]] = []
    for kind, keys in (("phrase", phrases), ("word", single)):
        found += [{"account": entry.key, "table_name": "account_key", "kind": kind, "key": key} for key in sorted(keys)]
    for domain in entry.domains:
        found.append({"account": entry.key, "table_name": "account_domain", "domain": domain})
        found += [
            {"account": entry.key, "table_name": "domain_key", "key": key, "domain": domain}
            for key in domains.look_alike_keys(domain)
        ]
    return found


async def account_ids(tx: Tx, keys: Sequence[str]) -> dict[str, AccountId]:
    return {row.key: row.id for row in await tx.rows(QUERIES.account_ids, _AccountKey, keys=list(keys))}


async def plan_anew(tx: Tx) -> None:
    await tx.run(QUERIES.plan_anew)


async def put_contacts(
    tx: Tx,
    tenant_id: TenantId,
    entries: Sequence[ContactEntry],
    ids: Mapping[str, AccountId],
    known: AbstractSet[str],
    actor: str,
    now: datetime,
) -> None:
    """`ids` of the accounts by their keys; `known` are the addresses that the book has had."""
    rows = [
        {
            "id": new_id(),
            "email": entry.email,
            "name": entry.name,
            "name_key": words.phrase(entry.name),
            "accounts": [ids[key] for key in entry.accounts],
        }
        for entry in entries
    ]
    if held := [row for row in rows if row["email"] in known]:
        await tx.run(QUERIES.drop_other_accounts, rows=as_json(held))
    await tx.run(QUERIES.put_contacts, tenant_id=tenant_id, rows=as_json(rows), actor=actor, now=now)


async def put_engagements(tx: Tx, tenant_id: TenantId, entries: Sequence[EngagementEntry], now: datetime) -> None:
    rows = [
        {
            "id": new_id(),
            "code": entry.code,
            "code_key": entry.key,
            "name": entry.name,
            "account": entry.account,
            "status": entry.status,
        }
        for entry in entries
    ]
    await tx.run(QUERIES.put_engagements, tenant_id=tenant_id, rows=as_json(rows), now=now)


async def put_work_items(tx: Tx, tenant_id: TenantId, entries: Sequence[WorkItemEntry], now: datetime) -> None:
    rows = [
        {
            "id": new_id(),
            "code": entry.code,
            "code_key": entry.key,
            "name": entry.name,
            "engagement": entry.engagement,
            "status": entry.status,
        }
        for entry in entries
    ]
    await tx.run(QUERIES.put_work_items, tenant_id=tenant_id, rows=as_json(rows), now=now)


async def put_changes(tx: Tx, tenant_id: TenantId, changes: Sequence[BookChange], actor: str, now: datetime) -> None:
    rows = [
        {"id": new_id(), "account": each.account, "what": each.what, "before": each.before, "after": each.after}
        for each in changes
    ]
    await tx.run(QUERIES.put_account_changes, tenant_id=tenant_id, rows=as_json(rows), actor=actor, now=now)


async def accounts(tx: Tx, *, after: str = "", status: str | None = None, most: int = 50) -> list[AccountRow]:
    """By code."""
    return await tx.rows(QUERIES.accounts, AccountRow, after=after.upper(), status=status, most=most)


async def account(tx: Tx, account_id: AccountId) -> AccountRow | None:
    return await tx.row(QUERIES.account, AccountRow, id=account_id, key="")


async def account_by_code(tx: Tx, code: str) -> AccountRow | None:
    return await tx.row(QUERIES.account, AccountRow, id=None, key=words.code_key(code))


async def account_that_stays(tx: Tx, account_id: AccountId) -> AccountId:
    found: AccountId = await tx.value(QUERIES.account_that_stays, account_id=account_id)
    return found


async def merged_accounts(tx: Tx, ids: Sequence[AccountId]) -> dict[AccountId, AccountId]:
    """Those of them that went into others, and where to."""
    rows = await tx.rows(QUERIES.merged_accounts, _MergedAccount, ids=list(ids))
    return {row.id: row.merged_into for row in rows}


async def search_accounts(tx: Tx, text: str, most: int = 20) -> list[AccountRow]:
    """By the beginnings of words."""
    said = [text.strip().lower()] if "@" in text or "." in text else words.words_of(text)
    if not said or not said[0]:
        return []
    first, *others = sorted(said, key=len, reverse=True)
    return await tx.rows(
        QUERIES.search_accounts, AccountRow, start=first, till=first + LAST_CHARACTER, others=others, most=most
    )


async def contacts_of_account(tx: Tx, account_id: AccountId, most: int = 500) -> list[ContactRow]:
    return await tx.rows(QUERIES.contacts_of_account, ContactRow, account_id=account_id, most=most)


async def contact(tx: Tx, contact_id: ContactId) -> KnownContact | None:
    return await tx.row(QUERIES.contact, KnownContact, id=contact_id, email="")


async def contact_by_email(tx: Tx, email: str) -> KnownContact | None:
    return await tx.row(QUERIES.contact, KnownContact, id=None, email=email)


async def retire_contact(tx: Tx, contact_id: ContactId, now: datetime) -> bool:
    return bool(await tx.run(QUERIES.retire_contact, id=contact_id, now=now))


async def work_of_account(tx: Tx, account_id: AccountId, most: int = 500) -> list[WorkRow]:
    return await tx.rows(QUERIES.work_of_account, WorkRow, account_id=account_id, most=most)


async def engagement_by_code(tx: Tx, code: str) -> Engagement | None:
    return await tx.row(QUERIES.engagement, Engagement, id=None, key=words.code_key(code))


async def work_item_by_code(tx: Tx, code: str) -> WorkItem | None:
    return await tx.row(QUERIES.work_item, WorkItem, id=None, key=words.code_key(code))


async def changes_of_account(
    tx: Tx, account_id: AccountId, *, before: UUID | None = None, most: int = 50
) -> list[AccountChange]:
    return await tx.rows(QUERIES.changes_of_account, AccountChange, account_id=account_id, before_id=before, most=most)


async def move_everything(
    tx: Tx, tenant_id: TenantId, account_id: AccountId, into_id: AccountId, now: datetime
) -> tuple[int, int]:
    """Contacts, work, mail and choices of an account to another; how many contacts, and how many mails."""
    both = {"account_id": account_id, "into_id": into_id}
    await tx.value(QUERIES.lock_account, account_id=account_id)
    contacts: int = await tx.value(QUERIES.move_contacts, tenant_id=tenant_id, **both)
    await tx.run(QUERIES.move_work, now=now, **both)
    await tx.run(QUERIES.move_choices, **both)
    mails = await tx.run(QUERIES.move_mappings, now=now, **both)
    return contacts, mails


async def mark_merged(tx: Tx, account_id: AccountId, key: str, into_id: AccountId, now: datetime) -> None:
    await tx.run(QUERIES.move_merged, account_id=account_id, into_id=into_id, now=now)
    await tx.run(QUERIES.mark_merged, account_id=account_id, into_id=into_id, now=now)
    await tx.run(QUERIES.drop_account_keys, keys=[key])
