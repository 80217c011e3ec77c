"""What an import would change: the files held against the book, before anything is written."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from postroom.rooms.clients.rules.book_files import (
    CONTACTS,
    ENGAGEMENTS,
    WORK_ITEMS,
    AccountEntry,
    BadBookLine,
    BookFiles,
    ContactEntry,
    EngagementEntry,
    WorkItemEntry,
)

MOST_NAMED = 20  # addresses that one line of the history names


@dataclass(frozen=True, slots=True)
class HeldBook:
    """The part of the book that the files speak of, by key."""

    accounts: Mapping[str, AccountEntry] = field(default_factory=dict)
    contacts: Mapping[str, ContactEntry] = field(default_factory=dict)
    engagements: Mapping[str, EngagementEntry] = field(default_factory=dict)
    work_items: Mapping[str, WorkItemEntry] = field(default_factory=dict)
    merged: Mapping[str, str] = field(default_factory=dict)  # accounts that went into others


@dataclass(frozen=True, slots=True)
class Diff:
    """How many of a kind are new, changed, and as they were."""

    new: int = 0
    changed: int = 0
    same: int = 0


@dataclass(frozen=True, slots=True)
class BookChange:
    """A line of an account's history: what was, and what is."""

    account: str  # its key
    what: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class BookPlan:
    """Only what differs is written. With a bad line, nothing is."""

    accounts: Sequence[AccountEntry] = ()
    contacts: Sequence[ContactEntry] = ()
    engagements: Sequence[EngagementEntry] = ()
    work_items: Sequence[WorkItemEntry] = ()
    diffs: Mapping[str, Diff] = field(default_factory=dict)
    history: Sequence[BookChange] = ()
    bad: Sequence[BadBookLine] = ()
    known_contacts: AbstractSet[str] = frozenset()  # addresses among them that the book has already

    @property
    def is_empty(self) -> bool:
        return not (self.accounts or self.contacts or self.engagements or self.work_items)


def plan(files: BookFiles, held: HeldBook) -> BookPlan:
    bad = [*files.bad, *_unknown(files, held)]
    if bad:
        return BookPlan(bad=sorted(bad, key=lambda each: (each.file, each.line)))
    files = _redirected(files, held.merged)
    accounts = [each for each in _different(files.accounts, held.accounts) if each.key not in held.merged]
    contacts = [each for each in files.contacts if _contact_differs(each, held.contacts.get(each.email))]
    engagements = _different(files.engagements, held.engagements)
    work_items = _different(files.work_items, held.work_items)
    diffs = {
        "accounts": _diff(accounts, files.accounts, held.accounts, lambda each: each.key),
        "contacts": _diff(contacts, files.contacts, held.contacts, lambda each: each.email),
        "engagements": _diff(engagements, files.engagements, held.engagements, lambda each: each.key),
        "work_items": _diff(work_items, files.work_items, held.work_items, lambda each: each.key),
    }
    history = [
        *(_of_account(each, held.accounts.get(each.key)) for each in accounts),
        *_of_contacts(contacts, held.contacts),
        *(_of_engagement(each, held.engagements.get(each.key)) for each in engagements),
        *_of_work_items(work_items, files, held),
    ]
    known = held.contacts.keys()
    return BookPlan(accounts, contacts, engagements, work_items, diffs, history, known_contacts=known)


Entry = TypeVar("Entry", AccountEntry, EngagementEntry, WorkItemEntry)
Any_ = TypeVar("Any_", AccountEntry, EngagementEntry, WorkItemEntry, ContactEntry)


def _redirected(files: BookFiles, merged: Mapping[str, str]) -> BookFiles:
    """Files of others may still name an account that was merged here: then its target is meant."""
    if not merged:
        return files
    contacts = [
        replace(each, accounts=tuple(dict.fromkeys(merged.get(key, key) for key in each.accounts)))
        for each in files.contacts
    ]
    engagements = [replace(each, account=merged.get(each.account, each.account)) for each in files.engagements]
    return replace(files, contacts=contacts, engagements=engagements)


def _different(wanted: Sequence[Entry], held: Mapping[str, Entry]) -> list[Entry]:
    return [each for each in wanted if held.get(each.key) != each]


def _contact_differs(wanted: ContactEntry, held: ContactEntry | None) -> bool:
    """A file that gives no name takes none away."""
    if held is None or set(wanted.accounts) != set(held.accounts):
        return True
    return bool(wanted.name) and wanted.name != held.name


def _diff(different: Sequence[Any_], wanted: Sequence[Any_], held: Mapping[str, Any_], key: Any) -> Diff:
    new = sum(1 for each in different if key(each) not in held)
    return Diff(new, len(different) - new, len(wanted) - len(different))


def _unknown(files: BookFiles, held: HeldBook) -> Iterable[BadBookLine]:
    """Lines that belong to something that neither the files nor the book have."""
    accounts = _keys(files.accounts) | held.accounts.keys()
    engagements = _keys(files.engagements) | held.engagements.keys()
    for contact in files.contacts:
        for account in contact.accounts:
            if account not in accounts:
                yield BadBookLine(CONTACTS, contact.line, f"There is no account {account} for {contact.email}.")
    for engagement in files.engagements:
        if engagement.account not in accounts:
            said = f"There is no account {engagement.account} for {engagement.code}."
            yield BadBookLine(ENGAGEMENTS, engagement.line, said)
    for item in files.work_items:
        if item.engagement not in engagements:
            yield BadBookLine(WORK_ITEMS, item.line, f"There is no engagement {item.engagement} for {item.code}.")


def _keys(entries: Sequence[AccountEntry] | Sequence[EngagementEntry]) -> AbstractSet[str]:
    return {each.key for each in entries}


def _of_account(wanted: AccountEntry, held: AccountEntry | None) -> BookChange:
    return BookChange(wanted.key, "account", told_account(held) if held else None, told_account(wanted))


def told_account(entry: AccountEntry) -> dict[str, Any]:
    return {
        "code": entry.code,
        "name": entry.name,
        "aliases": list(entry.aliases),
        "domains": list(entry.domains),
        "status": entry.status,
    }


def _of_engagement(wanted: EngagementEntry, held: EngagementEntry | None) -> BookChange:
    before = {"code": held.code, "name": held.name, "status": held.status} if held else None
    after = {"code": wanted.code, "name": wanted.name, "status": wanted.status}
    return BookChange(wanted.account, "engagement", before, after)


def _of_contacts(contacts: Sequence[ContactEntry], held: Mapping[str, ContactEntry]) -> Iterable[BookChange]:
    """One line for each account that gains or loses some."""
    gained: dict[str, list[str]] = defaultdict(list)
    lost: dict[str, list[str]] = defaultdict(list)
    for contact in contacts:
        before = held[contact.email].accounts if contact.email in held else ()
        for account in set(contact.accounts) - set(before):
            gained[account].append(contact.email)
        for account in set(before) - set(contact.accounts):
            lost[account].append(contact.email)
    for account in sorted({*gained, *lost}):
        yield BookChange(account, "contacts", _some(lost[account]), _some(gained[account]))


def _some(addresses: Sequence[str]) -> dict[str, Any] | None:
    if not addresses:
        return None
    return {"count": len(addresses), "addresses": sorted(addresses)[:MOST_NAMED]}


def _of_work_items(items: Sequence[WorkItemEntry], files: BookFiles, held: HeldBook) -> Iterable[BookChange]:
    """One line for each account, with how many are new or changed."""
    owners = {each.key: each.account for each in held.engagements.values()}
    owners |= {each.key: each.account for each in files.engagements}
    codes: dict[str, list[str]] = defaultdict(list)
    for each in items:
        codes[owners[each.engagement]].append(each.code)
    for account, found in sorted(codes.items()):
        yield BookChange(account, "work_items", None, {"count": len(found), "codes": found[:MOST_NAMED]})
