"""What people look at: the book, one account with all that is its, mappings, and how the signals do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.nouns.clients import MAPPING_STATUSES, MappingId
from postroom.nouns.errors import BadRequest, NotFound
from postroom.nouns.ids import MessageId
from postroom.rooms.clients.commands.book import find_account
from postroom.rooms.clients.rules.known import plain_address
from postroom.rooms.clients.rules.learning import SignalReport, report
from postroom.rooms.clients.rules.weights import fitted
from postroom.rooms.clients.store import belongings, book, corrections, lookup, mappings
from postroom.rooms.clients.store.belongings import (
    DocumentOfAccount,
    InvoiceOfAccount,
    MailOfAccount,
    TradeOfAccount,
)
from postroom.rooms.clients.store.book import AccountChange, AccountRow, ContactRow, WorkRow
from postroom.rooms.clients.store.corrections import MappingChange
from postroom.rooms.clients.store.mappings import MappingRow

MOST = 200


@dataclass(frozen=True, slots=True)
class AccountDetail:
    """An account with all that is its, the newest of each."""

    account: AccountRow
    merged_into: AccountRow | None
    contacts: Sequence[ContactRow]
    work: Sequence[WorkRow]
    mail: Sequence[MailOfAccount]
    documents: Sequence[DocumentOfAccount]
    trades: Sequence[TradeOfAccount]
    invoices: Sequence[InvoiceOfAccount]
    history: Sequence[AccountChange]


@dataclass(frozen=True, slots=True)
class MappingDetail:
    mapping: MappingRow
    changes: Sequence[MappingChange]


async def accounts(
    who: TenantScope, *, after: str = "", status: str | None = None, most: int = 50
) -> tuple[Sequence[AccountRow], str | None]:
    """By code, and where the next page begins."""
    if status not in (None, "open", "closed"):
        raise BadRequest(f"{status!r} is neither open nor closed.")
    most = max(1, min(most, MOST))
    async with who.read() as tx:
        found = await book.accounts(tx, after=after, status=status, most=most + 1)
    return found[:most], found[most - 1].code if len(found) > most else None


async def search_accounts(who: TenantScope, text: str, most: int = 20) -> Sequence[AccountRow]:
    """By the beginnings of words in names, aliases, codes, domains and contacts' addresses."""
    async with who.read() as tx:
        return await book.search_accounts(tx, text, most)


async def account_named(who: TenantScope, account: UUID | str) -> AccountRow:
    """By id or code; NotFound when it is not in this tenant's book."""
    async with who.read() as tx:
        return await find_account(tx, account)


async def get_account(who: TenantScope, account: UUID | str, most: int = 50) -> AccountDetail:
    async with who.read() as tx:
        row = await find_account(tx, account)
        return AccountDetail(
            account=row,
            merged_into=await book.account(tx, row.merged_into) if row.merged_into else None,
            contacts=await book.contacts_of_account(tx, row.id),
            work=await book.work_of_account(tx, row.id),
            mail=await belongings.mail(tx, row.id, most=most),
            documents=await belongings.documents(tx, row.id, most),
            trades=await belongings.trades(tx, row.id, most),
            invoices=await belongings.invoices(tx, row.id, most),
            history=await book.changes_of_account(tx, row.id, most=most),
        )


async def account_history(
    who: TenantScope, account: UUID | str, *, before: UUID | None = None, most: int = 50
) -> tuple[Sequence[AccountChange], UUID | None]:
    """Who changed what, newest first."""
    most = max(1, min(most, MOST))
    async with who.read() as tx:
        row = await find_account(tx, account)
        found = await book.changes_of_account(tx, row.id, before=before, most=most + 1)
    return found[:most], found[most - 1].id if len(found) > most else None


async def list_mappings(
    who: TenantScope,
    *,
    status: str | None = None,
    account: str | None = None,
    message_id: UUID | None = None,
    sender: str | None = None,
    before: UUID | None = None,
    most: int = 50,
) -> tuple[Sequence[MappingRow], UUID | None]:
    """What became of each mail, newest first."""
    if status is not None and status not in MAPPING_STATUSES:
        raise BadRequest(f"{status!r} is not a status; choose one of {', '.join(MAPPING_STATUSES)}.")
    most = max(1, min(most, MOST))
    async with who.read() as tx:
        account_id = (await find_account(tx, account)).id if account else None
        found = await mappings.mappings(
            tx,
            message_id=MessageId(message_id) if message_id else None,
            account_id=account_id,
            status=status,
            sender=plain_address(sender) if sender else None,
            before=before,
            most=most + 1,
        )
    return found[:most], found[most - 1].id if len(found) > most else None


async def get_mapping(who: TenantScope, mapping_id: UUID) -> MappingDetail:
    async with who.read() as tx:
        found = await mappings.mappings(tx, mapping_id=MappingId(mapping_id), most=1)
        if not found:
            raise NotFound(f"There is no mapping {mapping_id}.")
        return MappingDetail(found[0], await corrections.changes_of_mapping(tx, found[0].id))


async def next_in_triage(who: TenantScope, after: UUID | None = None) -> MappingId | None:
    """The mail that has waited longest for somebody to say whose it is, after this one; then from the start."""
    async with who.read() as tx:
        found = await mappings.next_in_triage(tx, MappingId(after) if after else None)
        return found or (await mappings.next_in_triage(tx) if after else None)


async def previous_in_triage(who: TenantScope, before: UUID) -> MappingId | None:
    """The one that came just before it and waits too."""
    async with who.read() as tx:
        return await mappings.previous_in_triage(tx, MappingId(before))


async def waiting_in_triage(who: TenantScope) -> int:
    async with who.read() as tx:
        return await mappings.waiting_in_triage(tx)


async def signal_report(who: TenantScope) -> list[SignalReport]:
    """How often each signal was right, by what people said, and what it weighs here for it."""
    async with who.read() as tx:
        tallies = await corrections.tallies(tx, who.now - lookup.TALLIES_COUNT)
    return report(fitted(), tallies, who.now)
