"""Proposals as people find them: what would go out, what is different, and what stands in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom import reads
from postroom.engine.work import TenantScope
from postroom.nouns.errors import NotFound
from postroom.reads.papers import OutdatedQuote
from postroom.rooms.outbox.rules.approvals import why_stopped, why_void
from postroom.rooms.outbox.rules.differences import ChangedLine, MailDifference, line_difference, mail_difference
from postroom.rooms.outbox.rules.guards import objection_to_recipients, over_the_cap
from postroom.rooms.outbox.rules.mails import gaps
from postroom.rooms.outbox.rules.second_person import second_person_because
from postroom.rooms.outbox.rules.states import DECIDABLE, OPEN
from postroom.rooms.outbox.store import approvals, proposals
from postroom.rooms.outbox.store.approvals import ApprovalRow
from postroom.rooms.outbox.store.proposals import MailProposal, ProposalCase


@dataclass(frozen=True, slots=True)
class HeaderLine:
    """A header as the recipient will see it."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ProposalPreview:
    """All that a page shows of a proposal, decided already."""

    proposal: MailProposal
    headers: Sequence[HeaderLine]
    approvals: Sequence[ApprovalRow]
    since_last: MailDifference | None  # what is not as it was before the last change; none: it is the first
    since_machine: Sequence[ChangedLine] | None  # the machine's words against these; none: no machine wrote it
    gaps: Sequence[str]
    outdated: Sequence[OutdatedQuote]  # what it quotes of papers that do not say so today
    objection: str | None  # why it cannot be approved now
    void_because: str | None  # what changed since it was proposed
    second_person: Sequence[str]  # why one person's yes is not enough
    may_approve: bool
    may_revoke: bool
    may_change: bool
    may_discard: bool
    may_resolve: bool


async def list_proposals(
    scope: TenantScope,
    most: int,
    before: tuple[datetime, UUID] | None = None,
    *,
    thread_id: UUID | None = None,
    draft_id: UUID | None = None,
    mailbox_id: UUID | None = None,
    statuses: Sequence[str] | None = None,
    words: str | None = None,
) -> list[MailProposal]:
    """Newest first; with words, those that have them in subject, mailbox or recipients."""
    about: dict[str, Any] = {"thread_id": thread_id, "draft_id": draft_id, "mailbox_id": mailbox_id, "words": words}
    async with scope.read() as tx:
        return await proposals.proposals(tx, most, before, statuses=statuses, **about)


async def one_proposal(scope: TenantScope, proposal_id: UUID) -> MailProposal:
    async with scope.read() as tx:
        found = await proposals.proposals(tx, 1, proposal_id=proposal_id)
    if not found:
        raise NotFound(f"There is no proposal {proposal_id}.")
    return found[0]


async def preview(scope: TenantScope, proposal_id: UUID) -> ProposalPreview:
    """Exactly what would go out, and what stands in the way of it."""
    row = await one_proposal(scope, proposal_id)
    async with scope.read() as tx:
        case = await proposals.proposal_case(tx, proposal_id, scope.now)
        assert case is not None  # it was there a moment ago
        given = await approvals.approvals(tx, proposal_id)
        versions = await proposals.versions(tx, proposal_id)
        people = await approvals.known_people(tx, case.thread_id, row.mail.recipients)
        quotes = {case.draft_id: row.body} if case.draft_id is not None and case.status in OPEN else {}
        outdated = await reads.papers.outdated_quotes(tx, quotes, scope.now.date())
    is_open = case.status in OPEN
    void = why_void(case.standing, scope.now) if is_open else None
    objection = (void or _objection(case)) if is_open else None  # what is over says why by itself
    return ProposalPreview(
        proposal=row,
        headers=_headers(row),
        approvals=given,
        since_last=mail_difference(versions[1].said, versions[0].said) if len(versions) > 1 else None,
        since_machine=line_difference(row.machine_body, row.body) if row.machine_body is not None else None,
        gaps=gaps(row.body),
        outdated=[each for found in outdated.values() for each in found],
        objection=objection,
        void_because=void,
        second_person=second_person_because(row.mail, people, case.sending),
        may_approve=objection is None and case.status in DECIDABLE and scope.actor not in case.approvers,
        may_revoke=case.status == "approved" or (case.status == "waiting" and bool(case.approvers)),
        may_change=case.status in DECIDABLE and case.draft_id is None,
        may_discard=case.status in OPEN or case.status == "unknown",
        may_resolve=case.status == "unknown",
    )


def _objection(case: ProposalCase) -> str | None:
    if open_questions := gaps(case.body):
        return f"Open questions are left in the body: {'; '.join(open_questions)}. Answer or remove them first."
    guarded = objection_to_recipients(case.kind, case.mail.recipients, case.own_addresses, case.answered)
    return guarded or why_stopped(case.rights) or over_the_cap(case.lately, case.sending)


def _headers(row: MailProposal) -> list[HeaderLine]:
    said = {
        "From": row.mailbox,
        "To": ", ".join(row.recipients),
        "Cc": ", ".join(row.cc),
        "Bcc": ", ".join(row.bcc),
        "Subject": row.subject,
        "Attachments": ", ".join(each["filename"] for each in row.files),
    }
    return [HeaderLine(name, value) for name, value in said.items() if value]
