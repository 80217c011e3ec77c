"""What is known of a thread, what was decided about it, and its turns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.copilot import CopilotMode, StateKey
from postroom.nouns.ids import MailboxId, MessageId, PersonId, TenantId, ThreadId
from postroom.nouns.providers import ProviderName, ProviderRef
from postroom.rooms.triage.rules.codes import new_code
from postroom.rooms.triage.rules.labels import LabelHeld
from postroom.rooms.triage.rules.planning import ThreadStanding
from postroom.rooms.triage.rules.turns import HeldMessage, KeptTurn
from postroom.rooms.triage.rules.verdicts import Operators, Verdict, operators

QUERIES = sql.load("postroom.rooms.triage")
ADDRESSES_KEPT = timedelta(hours=12)
_CODES_TRIED = 5


@dataclass(frozen=True, slots=True)
class Assignee:
    """A person to whom a thread is to be given; who only looks, or is locked out, can do nothing about it."""

    email: str
    may_act: bool


@dataclass(frozen=True, slots=True)
class ThreadCase:
    """A thread before it is judged: its mailbox, who answers there, and what was decided last."""

    thread_id: ThreadId
    mailbox_id: MailboxId
    thread_ref: ProviderRef
    address: str
    provider: ProviderName
    status: str
    copilot: CopilotMode
    operators: list[str]
    addresses: list[str]
    addresses_at: datetime | None
    labels_made: str | None
    refused: str | None
    people: list[str]
    known: bool
    state: StateKey | None
    action: str | None
    reason: str | None
    newest_ref: ProviderRef | None
    newest_message_id: UUID | None
    settled: ProviderRef | None
    inputs: str | None
    label: str | None
    label_intended: str | None
    label_refs: list[str]
    label_by_person: bool
    not_for_us: bool
    done: bool
    snoozed_till: datetime | None
    analysis: dict[str, Any] | None
    channel_id: UUID | None
    our_draft: ProviderRef | None
    our_version: str | None

    @property
    def our_drafts(self) -> dict[str, str]:
        """The draft that we wrote, by the version that we left it in. One that a person took over is not ours."""
        return {self.our_draft: self.our_version} if self.our_draft and self.our_version else {}

    @property
    def is_open(self) -> bool:
        return self.status not in {"paused", "disconnected", "token_refresh_failed"}

    @property
    def label_held(self) -> LabelHeld:
        return LabelHeld(self.label, self.label_intended, frozenset(self.label_refs))

    @property
    def standing(self) -> ThreadStanding:
        return ThreadStanding(
            state=self.state,
            newest_ref=self.newest_ref,
            reason=self.reason,
            settled=self.settled,
            label_by_person=self.label_by_person,
            not_for_us=self.not_for_us,
            done=self.done,
            snoozed_till=self.snoozed_till,
        )

    def who_answers(self, own: Collection[str]) -> Operators:
        """The mailbox, its aliases, a list of its own, and the tenant's people."""
        return operators([self.address, *own, *self.operators, *self.people])

    def knows_addresses(self, now: datetime) -> bool:
        return self.addresses_at is not None and now - self.addresses_at < ADDRESSES_KEPT


@dataclass(frozen=True, slots=True)
class Judged:
    """A verdict as it is kept."""

    verdict: Verdict
    state: StateKey | None
    because: str
    settled: bool
    newest_message_id: UUID | None
    newest_ref: ProviderRef | None
    newest_at: datetime | None
    newest_from: str | None
    operators_seen: Sequence[str]
    inputs: str
    label_by_person: bool
    done: bool
    wakes: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """A thread as people find it who do something about it."""

    thread_id: ThreadId
    mailbox_id: MailboxId
    state: StateKey | None
    assigned_to: PersonId | None
    snoozed_till: datetime | None
    channel_id: UUID | None
    reference_code: str
    not_for_us: bool
    done: bool
    revision: int
    newest_from: str | None
    newest_at: datetime | None


@dataclass(frozen=True, slots=True)
class ChangeByPerson:
    """What a person did about a thread; `name` is whom or where they gave it to."""

    kind: str
    how: str | None
    actor: str
    told_at: datetime
    name: str | None
    revision: int


@dataclass(frozen=True, slots=True)
class MessagePlace:
    """Where a message stands, and who answers there."""

    message_id: MessageId
    thread_id: ThreadId | None
    mailbox_id: MailboxId
    ref: ProviderRef
    address: str
    operators: list[str]
    people: list[str]


@dataclass(frozen=True, slots=True)
class WokenThread:
    thread_id: ThreadId
    mailbox_id: MailboxId


async def thread_case(tx: Tx, thread_id: ThreadId) -> ThreadCase | None:
    return await tx.row(QUERIES.thread_case, ThreadCase, thread_id=thread_id)


async def turns(tx: Tx, thread_id: ThreadId) -> list[KeptTurn]:
    """Oldest first."""
    return await tx.rows(QUERIES.turns, KeptTurn, thread_id=thread_id)


async def held_messages(tx: Tx, mailbox_id: MailboxId, refs: Sequence[str]) -> list[HeldMessage]:
    return await tx.rows(QUERIES.held_messages, HeldMessage, mailbox_id=mailbox_id, refs=list(refs))


async def held_thread(tx: Tx, thread_id: ThreadId, most: int) -> list[HeldMessage]:
    """The newest that came."""
    return await tx.rows(QUERIES.held_thread, HeldMessage, thread_id=thread_id, most=most)


async def held_message(tx: Tx, message_id: MessageId) -> HeldMessage | None:
    return await tx.row(QUERIES.held_message, HeldMessage, message_id=message_id)


async def place_of_message(tx: Tx, message_id: MessageId) -> MessagePlace | None:
    return await tx.row(QUERIES.place_of_message, MessagePlace, message_id=message_id)


async def own_addresses_of_all(tx: Tx) -> list[str]:
    return await tx.values(QUERIES.own_addresses_of_all)


async def accounts_of_thread(tx: Tx, thread_id: ThreadId) -> list[str]:
    return await tx.values(QUERIES.accounts_of_thread, thread_id=thread_id)


async def put_turns(tx: Tx, tenant_id: TenantId, thread_id: ThreadId, kept: Sequence[KeptTurn], now: datetime) -> None:
    rows = as_json([msgspec.to_builtins(each) for each in kept])
    await tx.run(QUERIES.put_turns, tenant_id=tenant_id, thread_id=thread_id, turns=rows, now=now)


async def announced_message(tx: Tx, mailbox_id: MailboxId, ref: str) -> UUID | None:
    found: UUID | None = await tx.value(QUERIES.announced_message, mailbox_id=mailbox_id, ref=ref)
    return found


async def drop_turns(tx: Tx, thread_id: ThreadId, refs: Sequence[str]) -> None:
    await tx.run(QUERIES.drop_turns, thread_id=thread_id, refs=list(refs))


async def start_state(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, thread_id: ThreadId, now: datetime) -> None:
    """With a code of its own. One lane a thread: nobody else starts it meanwhile."""
    about = {"tenant_id": tenant_id, "mailbox_id": mailbox_id, "thread_id": thread_id, "now": now}
    for _ in range(_CODES_TRIED):
        if await tx.value(QUERIES.start_state, code=new_code(), **about):
            return


async def put_verdict(tx: Tx, thread_id: ThreadId, judged: Judged, now: datetime) -> None:
    verdict = judged.verdict
    matched = [{"topic": each.topic, "words": list(each.words), "weight": each.weight} for each in verdict.matched]
    await tx.run(
        QUERIES.put_verdict,
        thread_id=thread_id,
        state=judged.state,
        action=verdict.action,
        reason=verdict.reason,
        because=judged.because,
        settled=judged.settled,
        language=verdict.language,
        matched=as_json(matched),
        newest_message_id=judged.newest_message_id,
        newest_ref=judged.newest_ref,
        newest_at=judged.newest_at,
        newest_from=judged.newest_from,
        operators_seen=list(judged.operators_seen),
        inputs=judged.inputs,
        label_by_person=judged.label_by_person,
        done=judged.done,
        wakes=judged.wakes,
        now=now,
    )


async def put_analysis(
    tx: Tx, thread_id: ThreadId, analysis: dict[str, Any], model: str, channel_id: UUID | None, because: str
) -> None:
    await tx.run(
        QUERIES.put_analysis,
        thread_id=thread_id,
        analysis=as_json(analysis),
        model=model,
        channel_id=channel_id,
        channel_because=because,
    )


async def drop_analysis(tx: Tx, thread_id: ThreadId) -> None:
    await tx.run(QUERIES.drop_analysis, thread_id=thread_id)


async def intend_label(tx: Tx, thread_id: ThreadId, label: str | None) -> None:
    """Before it is written: after a crash, either label may be ours."""
    await tx.run(QUERIES.intend_label, thread_id=thread_id, label=label)


async def put_label(tx: Tx, thread_id: ThreadId, label: str | None, refs: Sequence[str], now: datetime) -> None:
    await tx.run(QUERIES.put_label, thread_id=thread_id, label=label, refs=list(refs), now=now)


async def fail_thread(tx: Tx, thread_id: ThreadId, code: str, because: str, now: datetime) -> bool:
    return bool(await tx.run(QUERIES.fail_thread, thread_id=thread_id, code=code, because=because, now=now))


async def settle_thread(
    tx: Tx,
    thread_id: ThreadId,
    newest_ref: ProviderRef | None,
    state: StateKey | None,
    reason: str,
    because: str,
    now: datetime,
    error_code: str | None = None,
) -> bool:
    """False when somebody wrote meanwhile: what was settled is old."""
    said = {"state": state, "reason": reason, "because": because, "error_code": error_code}
    return bool(await tx.run(QUERIES.settle_thread, thread_id=thread_id, newest_ref=newest_ref, now=now, **said))


async def know_addresses(
    tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, addresses: Collection[str], now: datetime
) -> None:
    values = {"tenant_id": tenant_id, "mailbox_id": mailbox_id, "addresses": sorted(addresses), "now": now}
    await tx.run(QUERIES.know_addresses, **values)


async def labels_made(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, namespace: str, now: datetime) -> None:
    values = {"tenant_id": tenant_id, "mailbox_id": mailbox_id, "namespace": namespace, "now": now}
    await tx.run(QUERIES.labels_made, **values)


async def refuse_labels(tx: Tx, tenant_id: TenantId, mailbox_id: MailboxId, because: str, now: datetime) -> bool:
    """Whether this is news."""
    values = {"tenant_id": tenant_id, "mailbox_id": mailbox_id, "because": because, "now": now}
    return await tx.value(QUERIES.refuse_labels, **values) is not None


async def allow_labels(tx: Tx, mailbox_id: MailboxId) -> None:
    await tx.run(QUERIES.allow_labels, mailbox_id=mailbox_id)


async def threads_to_triage(tx: Tx, mailbox_id: MailboxId, since: datetime, after: UUID, most: int) -> list[ThreadId]:
    return await tx.values(QUERIES.threads_to_triage, mailbox_id=mailbox_id, since=since, after=after, most=most)


async def wake_threads(tx: Tx, now: datetime) -> list[WokenThread]:
    return await tx.rows(QUERIES.wake_threads, WokenThread, now=now)


async def forget_turns(tx: Tx, before: datetime, now: datetime) -> int:
    return await tx.run(QUERIES.forget_turns, before=before, now=now)


async def forget_analyses(tx: Tx, before: datetime, now: datetime) -> int:
    return await tx.run(QUERIES.forget_analyses, before=before, now=now)


async def standing(tx: Tx, thread_id: ThreadId) -> Standing | None:
    return await tx.row(QUERIES.standing, Standing, thread_id=thread_id)


async def changes_by_people(tx: Tx, thread_id: ThreadId, revision: int) -> list[ChangeByPerson]:
    return await tx.rows(QUERIES.changes_by_people, ChangeByPerson, thread_id=thread_id, revision=revision)


async def assign(tx: Tx, thread_id: ThreadId, person_id: PersonId | None, now: datetime) -> int:
    """The thread's revision from now on, 0 if there is no such thread; so of the others that raise it."""
    return int(await tx.value(QUERIES.assign, thread_id=thread_id, person_id=person_id, now=now) or 0)


async def assignee(tx: Tx, person_id: PersonId) -> Assignee | None:
    return await tx.row(QUERIES.assignee, Assignee, person_id=person_id)


async def snooze(tx: Tx, thread_id: ThreadId, till: datetime | None, now: datetime) -> None:
    await tx.run(QUERIES.snooze, thread_id=thread_id, till=till, now=now)


async def set_aside(tx: Tx, thread_id: ThreadId, how: str, actor: str, now: datetime) -> int:
    revision = int(await tx.value(QUERIES.set_aside, thread_id=thread_id, how=how, actor=actor, now=now) or 0)
    if how == "open":
        await tx.run(QUERIES.stand_as_drafted, thread_id=thread_id, because="Its draft still stands.")
    return revision


async def move_to_channel(tx: Tx, thread_id: ThreadId, channel_id: UUID | None, because: str, now: datetime) -> int:
    said = {"channel_id": channel_id, "because": because, "now": now}
    return int(await tx.value(QUERIES.move_to_channel, thread_id=thread_id, **said) or 0)
