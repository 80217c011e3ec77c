"""Proposals: as people find them, as they are decided about, and how they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.drafts import Draft
from postroom.nouns.errors import StaleRevision
from postroom.nouns.ids import MailboxId, MessageId, TenantId, ThreadId
from postroom.nouns.providers import Capability, ProviderName, ProviderRef
from postroom.nouns.sending import SendingPolicy, SendingSwitch, sending_policy_of
from postroom.rooms.outbox.rules.approvals import ProposalStanding, SendingRights
from postroom.rooms.outbox.rules.differences import changed_since
from postroom.rooms.outbox.rules.guards import AnsweredMail, SentLately, plain
from postroom.rooms.outbox.rules.mails import MailKind, ProposedFile, ProposedMail, settled
from postroom.rooms.outbox.rules.states import ProposalStatus

QUERIES = sql.load("postroom.rooms.outbox")
HOUR = timedelta(hours=1)
MOST_TOLD = 20  # changes that are told to somebody whose page is old


@dataclass(frozen=True, slots=True)
class NewProposal:
    """A mail to be proposed. `head` is the newest message of its thread."""

    id: UUID
    mailbox_id: MailboxId
    kind: MailKind
    origin: str
    mail: ProposedMail
    hash: str
    proposed_by: str
    needed: int
    needed_because: Sequence[str]
    expires_at: datetime
    thread_id: ThreadId | None = None
    draft_id: UUID | None = None
    message_id: MessageId | None = None
    answers: ProviderRef | None = None
    head: ProviderRef | None = None
    head_at: datetime | None = None
    machine_body: str | None = None
    model: str | None = None
    replaces: UUID | None = None


@dataclass(frozen=True, slots=True)
class MailProposal:
    """A proposal as people find it: a row of `proposal_view`."""

    id: UUID
    mailbox_id: MailboxId
    mailbox: str
    thread_id: ThreadId | None
    provider_thread_id: str | None
    draft_id: UUID | None
    message_id: MessageId | None
    kind: MailKind
    origin: str
    status: ProposalStatus
    because: str
    version: int
    hash: str
    recipients: list[str]
    cc: list[str]
    bcc: list[str]
    subject: str
    body: str
    html: str
    files: list[dict[str, Any]]
    answers: str | None
    head: str | None
    machine_body: str | None
    model: str | None
    proposed_by: str
    replaces: UUID | None
    needed: int
    needed_because: list[str]
    expires_at: datetime
    send_at: datetime | None
    begun_at: datetime | None
    sends: int
    looks: int
    checked: list[dict[str, Any]]
    sent_ref: str | None
    internet_message_id: str | None
    sent_at: datetime | None
    bounced_at: datetime | None
    bounce: str | None
    created_at: datetime
    updated_at: datetime
    forgotten_at: datetime | None
    approvers: list[str]

    @property
    def mail(self) -> ProposedMail:
        return mail_of(self.recipients, self.cc, self.bcc, self.subject, self.body, self.html, self.files)


@dataclass(frozen=True, slots=True)
class ProposalCase:
    """A proposal with all that decides about it at this moment."""

    id: UUID
    mailbox_id: MailboxId
    thread_id: ThreadId | None
    draft_id: UUID | None
    message_id: MessageId | None
    kind: MailKind
    origin: str
    status: ProposalStatus
    because: str
    version: int
    hash: str
    recipients: list[str]
    cc: list[str]
    bcc: list[str]
    subject: str
    body: str
    html: str
    files: list[dict[str, Any]]
    answers: ProviderRef | None
    head: ProviderRef | None
    head_at: datetime | None
    machine_body: str | None
    model: str | None
    proposed_by: str
    needed: int
    needed_because: list[str]
    expires_at: datetime
    send_at: datetime | None
    begun_at: datetime | None
    called_at: datetime | None
    sends: int
    looks: int
    checked: list[dict[str, Any]]
    attempt: int
    held: Any
    created_at: datetime
    mailbox: str
    provider: ProviderName
    access: str
    mailbox_status: str
    mailbox_sending: SendingSwitch
    capability: Capability
    copilot: str
    policy: dict[str, Any]
    thread_ref: ProviderRef | None
    draft_status: str | None
    draft_is_current: bool
    draft_body: str | None
    draft_print: str | None
    draft_held: Any
    draft_key: str | None
    newer: ProviderRef | None
    answered_automatic: str | None
    answered_machine: bool
    ours: list[str]
    from_mailbox: int
    in_thread: int
    first_lately: datetime | None
    approvers: list[str]

    @property
    def mail(self) -> ProposedMail:
        return mail_of(self.recipients, self.cc, self.bcc, self.subject, self.body, self.html, self.files)

    @property
    def sending(self) -> SendingPolicy:
        return sending_policy_of(self.policy)

    @property
    def rights(self) -> SendingRights:
        return SendingRights(self.sending.switch, self.mailbox_sending, self.mailbox_status, self.capability == "send")

    @property
    def standing(self) -> ProposalStanding:
        return ProposalStanding(
            status=self.status,
            hash=self.hash,
            head=self.head,
            head_now=self.newer or self.head,
            draft_status=self.draft_status,
            draft_is_current=self.draft_is_current,
            draft_is_same=self._draft_says_the_same,
            expires_at=self.expires_at,
        )

    @property
    def _draft_says_the_same(self) -> bool:
        held, mail = self.written_draft, self.mail
        if held is not None and (held.to, held.cc, held.bcc, held.subject) != (
            mail.to,
            mail.cc,
            mail.bcc,
            mail.subject,
        ):
            return False
        return settled(self.draft_body or "") == settled(self.body)

    @property
    def answered(self) -> AnsweredMail:
        return AnsweredMail(self.answered_automatic, self.answered_machine)

    @property
    def own_addresses(self) -> frozenset[str]:
        return frozenset(plain(each) for each in self.ours)

    @property
    def lately(self) -> SentLately:
        return SentLately(self.in_thread, self.from_mailbox)

    @property
    def draft(self) -> Draft | None:
        """At the provider, as it was read before the send began."""
        return msgspec.convert(self.held, Draft) if self.held else None

    @property
    def written_draft(self) -> Draft | None:
        """The draft that it was made from, as the provider gave it back."""
        return msgspec.convert(self.draft_held, Draft) if self.draft_held else None


def mail_of(
    to: Sequence[str],
    cc: Sequence[str],
    bcc: Sequence[str],
    subject: str,
    body: str,
    html: str,
    files: Sequence[dict[str, Any]],
) -> ProposedMail:
    attached = tuple(msgspec.convert(each, ProposedFile) for each in files)
    return ProposedMail(tuple(to), subject, body, html, tuple(cc), tuple(bcc), attached)


@dataclass(frozen=True, slots=True)
class MailVersion:
    """What a proposal said, and who made it say so."""

    version: int
    hash: str
    mail: dict[str, Any]
    made_by: str
    made_at: datetime

    @property
    def said(self) -> ProposedMail:
        return msgspec.convert(self.mail, ProposedMail)


@dataclass(frozen=True, slots=True)
class DueSend:
    id: UUID
    mailbox_id: MailboxId
    thread_id: ThreadId | None


async def proposal_case(tx: Tx, proposal_id: UUID, now: datetime, *, lock: bool = False) -> ProposalCase | None:
    """Locked, nobody else decides about it until the transaction is over."""
    if lock:
        await tx.run(QUERIES.lock_proposal, id=proposal_id)
    return await tx.row(QUERIES.proposal_case, ProposalCase, id=proposal_id, now=now, hour_ago=now - HOUR)


async def sending_policy(tx: Tx) -> SendingPolicy:
    """What the tenant decided about sending."""
    return sending_policy_of(await tx.value(QUERIES.tenant_policy) or {})


async def lock_switches(tx: Tx, mailbox_id: MailboxId) -> None:
    """A kill switch waits until it is decided whether a send begins; from then on none begins any more."""
    await tx.run(QUERIES.lock_sending)
    await tx.run(QUERIES.lock_mailbox_switch, mailbox_id=mailbox_id)


async def put(tx: Tx, tenant_id: TenantId, new: NewProposal, now: datetime) -> None:
    await tx.run(
        QUERIES.put_proposal,
        id=new.id,
        tenant_id=tenant_id,
        mailbox_id=new.mailbox_id,
        thread_id=new.thread_id,
        draft_id=new.draft_id,
        kind=new.kind,
        origin=new.origin,
        hash=new.hash,
        answers=new.answers,
        message_id=new.message_id,
        head=new.head,
        head_at=new.head_at,
        machine_body=new.machine_body,
        model=new.model,
        proposed_by=new.proposed_by,
        replaces=new.replaces,
        needed=new.needed,
        needed_because=list(new.needed_because),
        expires_at=new.expires_at,
        now=now,
        **_columns(new.mail),
    )
    await _put_version(tx, tenant_id, new.id, 1, new.hash, new.mail, new.proposed_by, now)


def _columns(mail: ProposedMail) -> dict[str, Any]:
    return {
        "recipients": list(mail.to),
        "cc": list(mail.cc),
        "bcc": list(mail.bcc),
        "subject": mail.subject,
        "body": mail.text,
        "html": mail.html,
        "files": as_json(msgspec.to_builtins(mail.files)),
    }


async def _put_version(
    tx: Tx,
    tenant_id: TenantId,
    proposal_id: UUID,
    version: int,
    hash_: str,
    mail: ProposedMail,
    actor: str,
    now: datetime,
) -> None:
    said = {"hash": hash_, "mail": as_json(msgspec.to_builtins(mail)), "actor": actor, "now": now}
    await tx.run(QUERIES.put_version, proposal_id=proposal_id, tenant_id=tenant_id, version=version, **said)


async def change(
    tx: Tx,
    tenant_id: TenantId,
    case: ProposalCase,
    mail: ProposedMail,
    hash_: str,
    needed_because: Sequence[str],
    actor: str,
    now: datetime,
) -> int | None:
    """The new version; None when somebody changed or approved it meanwhile."""
    needs = {"needed": 2 if needed_because else 1, "needed_because": list(needed_because)}
    values = {"id": case.id, "hash": hash_, "before": case.hash, "now": now, **needs, **_columns(mail)}
    version: int | None = await tx.value(QUERIES.change_proposal, **values)
    if version is not None:
        await _put_version(tx, tenant_id, case.id, version, hash_, mail, actor, now)
    return version


async def set_status(
    tx: Tx, case: ProposalCase, status: ProposalStatus, because: str, now: datetime, send_at: datetime | None = None
) -> bool:
    """False when it is another one by now."""
    values = {"id": case.id, "was": case.status, "status": status, "because": because, "send_at": send_at, "now": now}
    return bool(await tx.run(QUERIES.set_status, **values))


async def note_needed(tx: Tx, proposal_id: UUID, because: Sequence[str]) -> None:
    needed = 2 if because else 1
    await tx.run(QUERIES.note_needed, id=proposal_id, needed=needed, needed_because=list(because))


async def proposals(
    tx: Tx,
    most: int,
    before: tuple[datetime, UUID] | None = None,
    *,
    proposal_id: UUID | None = None,
    thread_id: UUID | None = None,
    draft_id: UUID | None = None,
    mailbox_id: UUID | None = None,
    statuses: Sequence[str] | None = None,
    words: str | None = None,
) -> list[MailProposal]:
    at, last = before or (None, None)
    wanted = {
        "words": words,
        "thread_id": thread_id,
        "draft_id": draft_id,
        "mailbox_id": mailbox_id,
        "before_at": at,
        "before_id": last,
    }
    chosen = list(statuses) if statuses else None
    return await tx.rows(QUERIES.proposals, MailProposal, id=proposal_id, most=most, statuses=chosen, **wanted)


async def stale(tx: Tx, proposal_id: UUID, seen: str) -> StaleRevision:
    """The refusal of whoever saw something else: who changed what since."""
    return StaleRevision(changed_since(await versions(tx, proposal_id, MOST_TOLD), seen))


async def versions(tx: Tx, proposal_id: UUID, most: int = 2) -> list[MailVersion]:
    return await tx.rows(QUERIES.versions, MailVersion, proposal_id=proposal_id, most=most)


async def to_tend(tx: Tx, now: datetime, most: int) -> list[UUID]:
    return await tx.values(QUERIES.to_tend, now=now, most=most)


async def to_send(tx: Tx, before: datetime, most: int) -> list[DueSend]:
    return await tx.rows(QUERIES.to_send, DueSend, before=before, most=most)


async def with_a_yes(tx: Tx, mailbox_id: MailboxId | None) -> list[UUID]:
    """Those that somebody approved and that have not begun to be sent."""
    approved: list[UUID] = await tx.values(QUERIES.approved_of, mailbox_id=mailbox_id)
    return approved + await tx.values(QUERIES.partly_approved_of, mailbox_id=mailbox_id)
