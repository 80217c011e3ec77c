"""Keeping the book by hand: accounts, contacts and work are added, changed, merged and closed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.clients import AccountId, BookStatus, ContactId
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.versions import require_seen
from postroom.rooms.clients.commands.importing import write
from postroom.rooms.clients.rules.book_files import (
    AccountEntry,
    BookFiles,
    ContactEntry,
    EngagementEntry,
    WorkItemEntry,
    clean_code,
    clean_email,
    clean_name,
    clean_status,
)
from postroom.rooms.clients.rules.book_plan import BookChange, BookPlan, HeldBook, plan, told_account
from postroom.rooms.clients.rules.domains import clean_domain
from postroom.rooms.clients.rules.words import code_key
from postroom.rooms.clients.store import book
from postroom.rooms.clients.store.book import AccountRow


@dataclass(frozen=True, slots=True)
class Merged:
    """What moved."""

    contacts: int
    messages: int


async def add_account(
    who: TenantScope,
    code: str,
    name: str,
    *,
    aliases: Sequence[str] = (),
    domains: Sequence[str] = (),
    status: str = "open",
) -> AccountRow:
    entry = AccountEntry(
        clean_code(code),
        clean_name(name, "name"),
        _aliases(aliases),
        _domains(domains),
        clean_status(status),
    )
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        if await book.account_by_code(tx, entry.code) is not None:
            raise Conflict(f"There is an account {entry.code} already; change that one.")
        await _put(tx, who, BookFiles(accounts=[entry]), HeldBook())
        return await _account(tx, entry.code)


async def change_account(
    who: TenantScope,
    account: UUID | str,
    *,
    name: str | None = None,
    aliases: Sequence[str] | None = None,
    domains: Sequence[str] | None = None,
    status: str | None = None,
    seen: str | None = None,
) -> AccountRow:
    """What is None stays as it is. The code stays in any case: files and mails know the account by it.

    `seen` is the version that the person looked at; another one is refused.
    """
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        row = await _open_to_change(tx, account)
        require_seen(seen, row.version, row.code)
        held = row.as_entry()
        wanted = AccountEntry(
            held.code,
            held.name if name is None else clean_name(name, "name"),
            held.aliases if aliases is None else _aliases(aliases),
            held.domains if domains is None else _domains(domains),
            held.status if status is None else clean_status(status),
        )
        await _put(tx, who, BookFiles(accounts=[wanted]), HeldBook(accounts={held.key: held}))
        return await _account(tx, held.code)


async def close_account(who: TenantScope, account: UUID | str) -> AccountRow:
    """Its mail still finds it, but waits for a person."""
    return await change_account(who, account, status="closed")


async def reopen_account(who: TenantScope, account: UUID | str) -> AccountRow:
    return await change_account(who, account, status="open")


async def merge_accounts(who: TenantScope, account: UUID | str, into: UUID | str) -> Merged:
    """Two accounts were one: contacts, domains, names, work and mail go to the other, and the code stays known."""
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        gone, stays = await _open_to_change(tx, account), await _open_to_change(tx, into)
        if gone.id == stays.id:
            raise BadRequest(f"{gone.code} cannot be merged into itself.")
        if stays.status == "closed":
            raise Conflict(f"{stays.code} is closed: open it again first, or merge it into {gone.code}.")
        contacts, mails = await book.move_everything(tx, who.tenant_id, gone.id, stays.id, who.now)
        await book.mark_merged(tx, gone.id, code_key(gone.code), stays.id, who.now)
        joined = replace(
            stays.as_entry(),
            aliases=tuple(dict.fromkeys((*stays.aliases, gone.name, *gone.aliases))),
            domains=tuple(dict.fromkeys((*stays.domains, *gone.domains))),
        )
        before = stays.as_entry()
        history = [
            BookChange(code_key(gone.code), "merged", told_account(gone.as_entry()), {"into": stays.code}),
            BookChange(before.key, "merged", told_account(before), {**told_account(joined), "from": gone.code}),
        ]
        await write(tx, who, BookPlan(accounts=[joined], history=history))
        told = facts.AccountsMerged(
            account_id=gone.id,
            code=gone.code,
            into_id=stays.id,
            into_code=stays.code,
            contacts=contacts,
            messages=mails,
        )
        await who.tell(tx, told)
    return Merged(contacts, mails)


async def add_contact(who: TenantScope, account: UUID | str, email: str, name: str = "") -> ContactEntry:
    """A contact may be on several accounts; this adds one more to those it has. Who is known keeps the name."""
    address, called = clean_email(email), clean_name(name, "name") if name.strip() else ""
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        row = await _open_to_change(tx, account)
        held = await book.held_contacts(tx, [address])
        before, key = held.get(address, ContactEntry(address, called, ())), code_key(row.code)
        known = {code_key(each.code): each.as_entry() for each in await book.held_accounts(tx, [*before.accounts, key])}
        of = ", ".join(known[each].code for each in before.accounts if each in known)
        if key in before.accounts:
            named = f", as {before.name}" if before.name else ""
            raise Conflict(f"{address} is a contact of {row.code} already{named}.")
        if before.accounts and before.name and called not in ("", before.name):
            raise Conflict(
                f"{address} is a contact already, of {of}, as {before.name}. "
                "Leave the name empty to add it here too; take it from there first to give it another name."
            )
        wanted = ContactEntry(address, called or before.name, (*before.accounts, key))
        await _put(tx, who, BookFiles(contacts=[wanted]), HeldBook(accounts=known, contacts=held))
    return replace(wanted, accounts=tuple(known[each].code for each in wanted.accounts if each in known))


async def remove_contact(who: TenantScope, account: UUID | str, contact_id: UUID) -> None:
    """From this account only."""
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        row = await find_account(tx, account)
        contact = await book.contact(tx, ContactId(contact_id))
        if contact is None or code_key(row.code) not in contact.accounts:
            raise NotFound(f"{row.code} has no such contact.")
        await move_contact(tx, who, contact, [each for each in contact.accounts if each != code_key(row.code)])


async def remove_contact_by_email(who: TenantScope, account: UUID | str, email: str) -> None:
    address = clean_email(email)
    async with who.read() as tx:
        contact = await book.contact_by_email(tx, address)
    if contact is None:
        raise NotFound(f"There is no contact {address}.")
    await remove_contact(who, account, contact.id)


async def move_contact(tx: Tx, who: TenantScope, contact: book.KnownContact, accounts: Sequence[str]) -> None:
    """To exactly these accounts, by key, in the caller's transaction."""
    before = ContactEntry(contact.email, contact.name, tuple(contact.accounts))
    wanted = replace(before, accounts=tuple(accounts))
    known = {code_key(each.code): each.as_entry() for each in await book.held_accounts(tx, [*accounts])}
    await _put(tx, who, BookFiles(contacts=[wanted]), HeldBook(accounts=known, contacts={before.email: before}))


async def put_engagement(
    who: TenantScope, account: UUID | str, code: str, *, name: str | None = None, status: str | None = None
) -> None:
    """Add one, or change the one of this code; what is None stays as it is."""
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        row = await _open_to_change(tx, account)
        held = await book.held_engagements(tx, [code_key(clean_code(code))])
        before = next(iter(held.values()), None)
        if before is not None and before.account != code_key(row.code):
            raise Conflict(f"The engagement {before.code} belongs to {before.account}.")
        called, standing = _called(name, before, code), _standing(status, before)
        wanted = EngagementEntry(before.code if before else clean_code(code), called, code_key(row.code), standing)
        known = {code_key(row.code): row.as_entry()}
        await _put(tx, who, BookFiles(engagements=[wanted]), HeldBook(accounts=known, engagements=held))


async def put_work_item(
    who: TenantScope,
    engagement: str,
    code: str,
    *,
    account: UUID | str | None = None,
    name: str | None = None,
    status: str | None = None,
) -> None:
    """Likewise, for a piece of an engagement; with an account, of one of that account's."""
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        row = await find_account(tx, account) if account is not None else None
        work = await book.held_engagements(tx, [code_key(engagement)])
        if not work or (row and work[code_key(engagement)].account != code_key(row.code)):
            raise NotFound(f"There is no engagement {engagement}{f' of {row.code}' if row else ''}.")
        held = await book.held_work_items(tx, [code_key(clean_code(code))])
        before = next(iter(held.values()), None)
        if before is not None and before.engagement != code_key(engagement):
            raise Conflict(f"The work item {before.code} belongs to {before.engagement}.")
        called, standing = _called(name, before, code), _standing(status, before)
        wanted = WorkItemEntry(before.code if before else clean_code(code), called, code_key(engagement), standing)
        await _put(tx, who, BookFiles(work_items=[wanted]), HeldBook(engagements=work, work_items=held))


def _called(name: str | None, before: EngagementEntry | WorkItemEntry | None, code: str) -> str:
    if name is None:
        return before.name if before else clean_code(code)
    return clean_name(name, "name")


def _standing(status: str | None, before: EngagementEntry | WorkItemEntry | None) -> BookStatus:
    if status is None:
        return before.status if before else "open"
    return clean_status(status)


async def _put(tx: Tx, who: TenantScope, wanted: BookFiles, held: HeldBook) -> None:
    """As an import of one line would: only what differs is written, kept in the history, and told."""
    planned = plan(wanted, held)
    if planned.bad:
        raise BadRequest(planned.bad[0].because)
    if planned.is_empty:
        return
    await write(tx, who, planned)
    rows = {code_key(each.code): each for each in await book.held_accounts(tx, [e.account for e in planned.history])}
    for each in planned.history:
        row = rows[each.account]
        told = facts.BookChanged(
            account_id=row.id, code=row.code, what=each.what, before=_plain(each.before), after=_plain(each.after)
        )
        await who.tell(tx, told)


def _plain(told: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return dict(told) if told is not None else None


async def find_account(tx: Tx, account: UUID | str) -> AccountRow:
    """By id or code; a text may be either, and is a code first."""
    found = None if isinstance(account, UUID) else await book.account_by_code(tx, account)
    if found is None and (account_id := _as_id(account)) is not None:
        found = await book.account(tx, AccountId(account_id))
    if found is None:
        raise NotFound(f"There is no account {account}.")
    return found


async def account_that_stays(tx: Tx, account: UUID | str) -> AccountRow:
    """The account, or the one it was merged into."""
    row = await find_account(tx, account)
    stays = await book.account(tx, await book.account_that_stays(tx, row.id))
    assert stays is not None, "an account is never deleted"
    return stays


async def _open_to_change(tx: Tx, account: UUID | str) -> AccountRow:
    row = await find_account(tx, account)
    if row.merged_into is not None:
        stays = await find_account(tx, row.merged_into)
        raise Conflict(f"{row.code} was merged into {stays.code}; change that one.")
    return row


def _as_id(account: UUID | str) -> UUID | None:
    try:
        return account if isinstance(account, UUID) else UUID(account)
    except ValueError:
        return None


async def _account(tx: Tx, code: str) -> AccountRow:
    found = await book.account_by_code(tx, code)
    assert found is not None, "it was written a moment ago"
    return found


def _aliases(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clean_name(each, "alias") for each in names))


def _domains(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(clean_domain(each) for each in names))
