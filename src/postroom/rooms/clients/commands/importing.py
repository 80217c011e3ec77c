"""The book from files: read, held against the book, and written wholly or not at all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.rooms.clients.rules.book_files import BadBookLine, BookFiles, read_book
from postroom.rooms.clients.rules.book_plan import BookPlan, Diff, HeldBook, plan
from postroom.rooms.clients.store import book

AT_ONCE = 2000  # lines in one statement
T = TypeVar("T")
Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class ImportedBook:
    """What became of the files: with a bad line in them, nothing was taken."""

    diffs: Mapping[str, Diff]
    bad: Sequence[BadBookLine]
    lines: int

    @property
    def changes(self) -> int:
        return sum(each.new + each.changed for each in self.diffs.values())


async def import_book(
    who: TenantScope, files: Mapping[str, bytes], *, dry_run: bool = False, progress: Progress | None = None
) -> ImportedBook:
    """All of it or nothing; the same again changes nothing. With `dry_run` it is only said what would change."""
    read = await asyncio.to_thread(read_book, files)
    if dry_run or read.bad:
        async with who.read() as tx:
            planned = await asyncio.to_thread(plan, read, await _held(tx, read))
        return ImportedBook(planned.diffs, planned.bad, read.lines)
    async with who.finish() as tx:
        await book.take_turns(tx, who.tenant_id)
        planned = await asyncio.to_thread(plan, read, await _held(tx, read))
        if not planned.bad and not planned.is_empty:
            await write(tx, who, planned, progress)
            await who.tell(tx, _told(planned))
    return ImportedBook(planned.diffs, planned.bad, read.lines)


async def _held(tx: Tx, read: BookFiles) -> HeldBook:
    """What the files speak of: also accounts that only their contacts and work name."""
    work_items = await book.held_work_items(tx, [each.key for each in read.work_items])
    named = {each.engagement for each in (*read.work_items, *work_items.values())}
    engagements = await book.held_engagements(tx, [*named, *(each.key for each in read.engagements)])
    accounts = {each.key for each in read.accounts}
    accounts |= {key for each in read.contacts for key in each.accounts}
    accounts |= {each.account for each in (*read.engagements, *engagements.values())}
    rows = await book.held_accounts(tx, list(accounts))
    held = {each.as_entry().key: each.as_entry() for each in rows}
    merged = {each.as_entry().key: each.merged_into for each in rows if each.merged_into}
    contacts = await book.held_contacts(tx, [each.email for each in read.contacts])
    return HeldBook(held, contacts, engagements, work_items, merged)


async def write(tx: Tx, who: TenantScope, planned: BookPlan, progress: Progress | None = None) -> None:
    """What differs, in slices, so that it can be said how far it is."""
    total = sum(map(len, (planned.accounts, planned.contacts, planned.engagements, planned.work_items)))
    done = 0

    def step(some: Sequence[object]) -> None:
        nonlocal done
        done += len(some)
        if progress:
            progress(done, total)

    for accounts in _slices(planned.accounts):
        await book.put_accounts(tx, who.tenant_id, accounts, who.actor, who.now)
        step(accounts)
    await book.plan_anew(tx)
    ids = await book.account_ids(tx, sorted({key for each in planned.contacts for key in each.accounts}))
    for contacts in _slices(planned.contacts):
        await book.put_contacts(tx, who.tenant_id, contacts, ids, planned.known_contacts, who.actor, who.now)
        step(contacts)
    for engagements in _slices(planned.engagements):
        await book.put_engagements(tx, who.tenant_id, engagements, who.now)
        step(engagements)
    for items in _slices(planned.work_items):
        await book.put_work_items(tx, who.tenant_id, items, who.now)
        step(items)
    for changes in _slices(planned.history):
        await book.put_changes(tx, who.tenant_id, changes, who.actor, who.now)


def _slices(rows: Sequence[T]) -> list[Sequence[T]]:
    return [rows[at : at + AT_ONCE] for at in range(0, len(rows), AT_ONCE)]


def _told(planned: BookPlan) -> facts.BookImported:
    return facts.BookImported(
        new={kind: diff.new for kind, diff in planned.diffs.items()},
        changed={kind: diff.changed for kind, diff in planned.diffs.items()},
    )
