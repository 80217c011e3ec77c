"""Who sees to a thread, where, when, and whether it is for us at all."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, NoSuchThread, NotFound, StaleRevision
from postroom.nouns.ids import PersonId, ThreadId
from postroom.rooms.triage.rules.changes import changed_since
from postroom.rooms.triage.store import settings, threads

LONGEST_SNOOZE = timedelta(days=366)


async def assign(
    scope: TenantScope, thread_id: ThreadId, person_id: PersonId | None, *, revision: int | None = None
) -> None:
    """To a person of the tenant's who can see to it, or to nobody. Safe to repeat. Like all here, refused when the
    thread changed since `revision`: nobody decides about a mail, or over a colleague, that they have not seen."""
    async with scope.finish() as tx:
        found = await _known(tx, thread_id, revision)
        if found.assigned_to != person_id:
            if person_id is not None:
                await _can_see_to_it(tx, person_id)
            told = facts.ThreadAssigned(
                mailbox_id=found.mailbox_id,
                thread_id=thread_id,
                before=found.assigned_to,
                after=person_id,
                revision=await threads.assign(tx, thread_id, person_id, scope.now),
            )
            await scope.tell(tx, told)


async def _can_see_to_it(tx: Tx, person_id: PersonId) -> None:
    person = await threads.assignee(tx, person_id)
    if person is None:
        raise NotFound(f"There is no person {person_id}.")
    if not person.may_act:
        raise BadRequest(f"{person.email} can only look, or is locked out: give it to an operator or an admin.")


async def snooze(
    scope: TenantScope, thread_id: ThreadId, till: datetime | None, *, revision: int | None = None
) -> None:
    """Out of sight until then, or until somebody writes; None brings it back. Safe to repeat."""
    if till is not None and not scope.now < till < scope.now + LONGEST_SNOOZE:
        raise BadRequest("A thread is snoozed till a time within the next year.")
    async with scope.finish() as tx:
        found = await _known(tx, thread_id, revision)
        if found.snoozed_till != till:
            await threads.snooze(tx, thread_id, till, scope.now)
            await scope.tell(tx, facts.ThreadSnoozed(mailbox_id=found.mailbox_id, thread_id=thread_id, till=till))


async def move(
    scope: TenantScope, thread_id: ThreadId, channel_id: UUID | None, *, revision: int | None = None
) -> None:
    """Into another channel; None is Default. Safe to repeat."""
    async with scope.finish() as tx:
        found = await _known(tx, thread_id, revision)
        if channel_id is not None and channel_id not in {each.id for each in await settings.channels(tx)}:
            raise NotFound(f"There is no channel {channel_id}.")
        if found.channel_id != channel_id:
            told = facts.ThreadMoved(
                mailbox_id=found.mailbox_id,
                thread_id=thread_id,
                before=found.channel_id,
                after=channel_id,
                revision=await threads.move_to_channel(tx, thread_id, channel_id, "A person chose it.", scope.now),
            )
            await scope.tell(tx, told)


async def set_not_for_us(scope: TenantScope, thread_id: ThreadId, *, revision: int | None = None) -> None:
    """Nothing more is done about the thread, whoever writes in it, until a person takes this back."""
    await _set_aside(scope, thread_id, "not_for_us", revision)


async def set_done(scope: TenantScope, thread_id: ThreadId, *, revision: int | None = None) -> None:
    """A person has dealt with it; new mail opens it again."""
    await _set_aside(scope, thread_id, "done", revision)


async def reopen(scope: TenantScope, thread_id: ThreadId, *, revision: int | None = None) -> None:
    await _set_aside(scope, thread_id, "open", revision)


async def _set_aside(scope: TenantScope, thread_id: ThreadId, how: str, revision: int | None) -> None:
    async with scope.finish() as tx:
        found = await _known(tx, thread_id, revision)
        stands = "not_for_us" if found.not_for_us else "done" if found.done else "open"
        if stands != how:
            made = await threads.set_aside(tx, thread_id, how, scope.actor, scope.now)
            told = facts.ThreadSetAside(mailbox_id=found.mailbox_id, thread_id=thread_id, how=how, revision=made)
            await scope.tell(tx, told)


async def _known(tx: Tx, thread_id: ThreadId, revision: int | None) -> threads.Standing:
    found = await threads.standing(tx, thread_id)
    if found is None:
        raise NoSuchThread(f"There is no thread {thread_id} that was triaged.")
    if revision is not None and revision != found.revision:
        raise StaleRevision(await _what_changed(tx, found, revision))
    return found


async def _what_changed(tx: Tx, found: threads.Standing, revision: int) -> str:
    """What people did has its revision; what is left between them is mail."""
    people = await threads.changes_by_people(tx, found.thread_id, revision)
    mail = found.revision - revision > len(people)
    return changed_since(people, found.newest_from if mail else None, found.newest_at)
