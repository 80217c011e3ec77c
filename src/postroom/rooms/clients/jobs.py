"""Mapping mail as it comes, again when more is known, and looking after contacts at night."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope, Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.clients import Suggestion
from postroom.nouns.ids import MailboxId, MessageId, ThreadId
from postroom.nouns.jobs import Job, Priority, RoutineJob
from postroom.rooms.clients.mapping_service import MappingCase, decide, gather_message
from postroom.rooms.clients.rules.aging import ASKED_AGAIN_AFTER, proposal, returned_addresses
from postroom.rooms.clients.rules.known import SenderChoice, plain_address
from postroom.rooms.clients.rules.staleness import NOTHING
from postroom.rooms.clients.rules.suggesting import status_of, worth_keeping
from postroom.rooms.clients.store import aging, book, mappings
from postroom.rooms.clients.store.mappings import Decision, PutMapping

PAGE = 25  # mails that are mapped anew in one commit: a person who decides meanwhile waits for no more
MANY = 500
LOOKED_BACK = timedelta(days=90)  # mail that came before the book is mapped as far back as this
FORGOTTEN_LATELY = timedelta(days=7)
FIRST_ID, LAST_ID = UUID(int=0), UUID(int=2**128 - 1)


class MapClient(Job, frozen=True):
    """Say whose mail a mail is."""

    kind: ClassVar[str] = "clients.map"
    holds_lane: ClassVar[bool] = False
    message_id: MessageId
    mailbox_id: MailboxId
    thread_id: ThreadId | None = None

    @property
    def key(self) -> str:
        return str(self.message_id)

    @property
    def lane(self) -> str:
        """One at a time in a thread: what was said of the first counts for the next."""
        return f"clients:{self.thread_id or self.message_id}"


class ReconsiderTriage(RoutineJob, frozen=True):
    """Look again at what waits for a person: the book has changed."""

    kind: ClassVar[str] = "clients.reconsider"
    time_limit: ClassVar[timedelta] = timedelta(minutes=30)

    @property
    def lane(self) -> str:
        return "clients.reconsider"


class MapEarlierMail(RoutineJob, frozen=True):
    """Map what came before there was a book."""

    kind: ClassVar[str] = "clients.map_earlier"
    priority: ClassVar[Priority] = Priority.BACKFILL
    time_limit: ClassVar[timedelta] = timedelta(hours=1)

    @property
    def lane(self) -> str:
        return "clients.reconsider"


class AgeContacts(RoutineJob, frozen=True):
    """Look for contacts that bounce, fell silent or turned up elsewhere; forget what forgotten mails said."""

    kind: ClassVar[str] = "clients.age"
    priority: ClassVar[Priority] = Priority.BACKFILL
    time_limit: ClassVar[timedelta] = timedelta(hours=1)

    @property
    def lane(self) -> str:
        return "clients.age"


@works(MapClient)
async def map_client(job: MapClient, work: Work[Any]) -> None:
    if not await book.look_for_book(work.db, work.tenant_id):
        return
    async with work.read() as tx:
        case = await gather_message(tx, job.message_id, work.now)
    if case is None or not _concerns_us(case):
        return
    if case.email.automatic == "bounce":
        await _note_bounce(work, case)
        return
    suggestion = decide(case.email, case.context, case.known, work.now)
    async with work.finish() as tx:
        await record(tx, work, case, suggestion)


def _concerns_us(case: MappingCase) -> bool:
    return case.context.has_book and case.message.mailbox_id not in case.context.policy.left_out


async def _note_bounce(work: Work[Any], case: MappingCase) -> None:
    addresses, because = returned_addresses(case.message.body or "", [*case.context.mailboxes, *case.context.people])
    async with work.finish() as tx:
        if addresses:
            await aging.note_bounce(tx, [plain_address(each) for each in addresses], because, case.received_at)


async def record(tx: Tx, scope: TenantScope, case: MappingCase, suggestion: Suggestion) -> None:
    """Kept and told, unless a person has decided about it, or nobody needs to know."""
    choice, now = case.context.choice, scope.now
    if choice is not None and choice.account_id is None:
        decision = _set_aside(choice, now)
    elif worth_keeping(case.email, suggestion):
        decision = _decision(suggestion)
    else:
        return
    put = await mappings.put_suggestion(
        tx,
        scope.tenant_id,
        case.message.id,
        case.message.thread_id,
        plain_address(case.email.sender.email) if case.email.sender else None,
        case.received_at,
        suggestion,
        decision,
        now,
    )
    if put is not None and (put.was_status, put.was_account_id) != (decision.status, put.account_id):
        await scope.tell(tx, _told(case, put, replace(decision, account_id=put.account_id), suggestion))


def _set_aside(choice: SenderChoice, now: datetime) -> Decision:
    return Decision(
        account_id=None,
        engagement_id=None,
        work_item_id=None,
        confidence=NOTHING,
        status="ignored",
        requires_triage=False,
        ignore_reason=choice.reason,
        decided_by=choice.by,
        decided_at=now,
    )


def _decision(found: Suggestion) -> Decision:
    return Decision(
        account_id=found.account.id if found.account else None,
        engagement_id=found.engagement.id if found.engagement else None,
        work_item_id=found.work_item.id if found.work_item else None,
        confidence=found.confidence,
        status=status_of(found),
        requires_triage=found.requires_triage,
        ignore_reason=None,
        decided_by=None,
        decided_at=None,
    )


def _told(
    case: MappingCase, put: PutMapping, decision: Decision, suggestion: Suggestion
) -> facts.ClientMapped | facts.ClientUnclear | facts.MappingIgnored:
    about: dict[str, Any] = {"mapping_id": put.id, "message_id": case.message.id, "mailbox_id": case.message.mailbox_id}
    if decision.status == "ignored":
        before = {"account_id": str(put.was_account_id) if put.was_account_id else None, "status": put.was_status}
        reason = decision.ignore_reason or ""
        return facts.MappingIgnored(**about, act_id=put.id, before=before, after=decision.ids(), reason=reason)
    said: dict[str, Any] = {"thread_id": case.message.thread_id, "confidence": str(decision.confidence)}
    if decision.status == "triage" or decision.account_id is None:
        because = " ".join((*suggestion.objections, *suggestion.staleness)) or "Below the threshold."
        return facts.ClientUnclear(**about, **said, account_id=decision.account_id, because=because)
    return facts.ClientMapped(
        **about,
        **said,
        account_id=decision.account_id,
        engagement_id=decision.engagement_id,
        work_item_id=decision.work_item_id,
        because=suggestion.because,
    )


@works(ReconsiderTriage)
async def reconsider_triage(job: ReconsiderTriage, work: Work[Any]) -> None:
    """Page by page, each a commit of its own."""
    del job
    after = (datetime(1, 1, 1, tzinfo=UTC), FIRST_ID)
    while True:
        async with work.step() as tx:
            page = await mappings.page_of_triage(tx, after, PAGE)
            for each in page:
                await _map_again(tx, work, each.message_id)
        if len(page) < PAGE:
            return
        after = (page[-1].received_at, page[-1].id)


@works(MapEarlierMail)
async def map_earlier_mail(job: MapEarlierMail, work: Work[Any]) -> None:
    """Newest first, so that what people look at comes first."""
    del job
    since, before = work.now - LOOKED_BACK, (work.now, LAST_ID)
    while True:
        async with work.step() as tx:
            page = await mappings.page_of_unmapped(tx, since, before, PAGE)
            for each in page:
                await _map_again(tx, work, each.id)
        if len(page) < PAGE:
            return
        before = (page[-1].received_at, page[-1].id)


async def _map_again(tx: Tx, work: Work[Any], message_id: MessageId) -> None:
    case = await gather_message(tx, message_id, work.now)
    if case is not None and _concerns_us(case) and case.email.automatic != "bounce":
        await record(tx, work, case, decide(case.email, case.context, case.known, work.now))


@works(AgeContacts)
async def age_contacts(job: AgeContacts, work: Work[Any]) -> None:
    del job
    async with work.read() as tx:
        silent_after = timedelta(days=(await mappings.policy(tx)).silent_after_days)
    after, made = "", Counter[str]()
    while True:
        async with work.step() as tx:
            page = await aging.lives(tx, after, MANY)
            wanted = [found for life in page if (found := proposal(life, silent_after, work.now))]
            made += await aging.put_proposals(tx, work.tenant_id, wanted, work.now - ASKED_AGAIN_AFTER, work.now)
        if len(page) < MANY:
            break
        after = page[-1].email
    async with work.step() as tx:
        if made:
            await work.tell(tx, facts.ContactsAged(proposals=dict(made)))
    while True:
        async with work.step() as tx:
            if await mappings.forget(tx, work.now - FORGOTTEN_LATELY, MANY) < MANY:
                return
