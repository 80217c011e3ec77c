"""What people decide about a proposal: yes, no, not any more, and what became of a send that nobody knows of."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from postroom import reads
from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.errors import Conflict, NotFound, StaleRevision
from postroom.rooms.outbox import telling
from postroom.rooms.outbox.commands.looking import one_proposal
from postroom.rooms.outbox.jobs.definitions import SendProposal
from postroom.rooms.outbox.rules.approvals import enough, objection_to_approval, why_stopped, why_void
from postroom.rooms.outbox.rules.guards import objection_to_recipients, over_the_cap
from postroom.rooms.outbox.rules.mails import gaps
from postroom.rooms.outbox.rules.second_person import second_person_because
from postroom.rooms.outbox.rules.states import DECIDABLE, OPEN, too_late
from postroom.rooms.outbox.rules.timing import approval_expires, send_at
from postroom.rooms.outbox.store import approvals, proposals
from postroom.rooms.outbox.store.proposals import MailProposal, ProposalCase

Outcome = Literal["sent", "not_sent"]
_TAKEN_BACK = "{who} took the approval back."
_WITHDRAWN = "{who} withdrew it before anybody approved it."


async def approve(scope: TenantScope, proposal_id: UUID, hash_: str, *, papers_seen: bool = False) -> MailProposal:
    """This person's yes to exactly what has this hash. With enough of them it goes out after the undo delay.

    `papers_seen`: they were told that a paper it quotes does not say so any more, and say yes all the same.

    Raises StaleRevision when it is not what is proposed now, Conflict when it may not be sent. Safe to repeat.
    """
    refused: str | None = None
    async with scope.finish() as tx:
        await proposals.sending_policy(tx)
        case = await _locked(tx, scope, proposal_id)
        if case.status in OPEN and (refused := why_void(case.standing, scope.now)):
            await telling.void(tx, scope, case, refused)  # said so, whatever becomes of this yes
        else:
            if hash_ != case.hash and case.status in (*DECIDABLE, "approved"):
                raise await proposals.stale(tx, case.id, hash_)
            _require_approvable(case, hash_)
            await _require_papers(tx, scope, case, papers_seen=papers_seen)
            await _agree(tx, scope, case)
    if refused is not None:
        raise StaleRevision(f"{refused} It is void: look at the newest proposal of the thread.")
    return await one_proposal(scope, proposal_id)


def _require_approvable(case: ProposalCase, hash_: str) -> None:
    guarded = objection_to_recipients(case.kind, case.mail.recipients, case.own_addresses, case.answered)
    stopped = why_stopped(case.rights) or over_the_cap(case.lately, case.sending)
    objection = objection_to_approval(case.standing, hash_, gaps(case.body), stopped, guarded)
    if objection is not None:
        raise Conflict(objection)


async def _require_papers(tx: Tx, scope: TenantScope, case: ProposalCase, *, papers_seen: bool) -> None:
    """What nobody would draft today goes out only if a person was told so."""
    if case.draft_id is None or case.status not in DECIDABLE or papers_seen:
        return
    found = await reads.papers.outdated(tx, case.draft_id, scope.now.date(), case.body)
    if found:
        because = " ".join(dict.fromkeys(each.because for each in found))
        raise Conflict(f"{because} Look at the mail again, and say yes once more if it shall go out all the same.")


async def _agree(tx: Tx, scope: TenantScope, case: ProposalCase) -> None:
    if case.status == "approved":
        if scope.actor not in case.approvers:
            raise Conflict("Enough people approved it already.")
        return
    people = await approvals.known_people(tx, case.thread_id, case.mail.recipients)
    reasons = second_person_because(case.mail, people, case.sending)
    await _require_another_person(tx, scope, case)
    await proposals.note_needed(tx, case.id, reasons)
    await approvals.end_expired(tx, case.id, scope.now)
    expires = approval_expires(case.sending, scope.now)
    if not await approvals.put(tx, scope.tenant_id, case.id, case.hash, scope.actor, scope.now, expires):
        return  # this person's yes is there already; another person's is missing
    approvers, needed = {*case.approvers, scope.actor}, 2 if reasons else 1
    at = send_at(case.sending, scope.now) if enough(approvers, needed) else None
    status, because = ("approved", "") if at else ("waiting", f"A second person must agree: {' '.join(reasons)}")
    await proposals.set_status(tx, case, status, because, scope.now, at)  # type: ignore[arg-type]  # one of both
    told = facts.ProposalApproved(
        **telling.about(scope, case), hash=case.hash, approvals=len(approvers), needed=needed, send_at=at
    )
    await scope.tell(tx, told)


async def _require_another_person(tx: Tx, scope: TenantScope, case: ProposalCase) -> None:
    if scope.actor in case.approvers:
        return
    before = await approvals.people_behind(tx, case.approvers)
    if before & await approvals.people_behind(tx, [scope.actor]):
        raise Conflict("You agreed already: a key counts as the person who made it. Another person must agree.")


async def revoke(scope: TenantScope, proposal_id: UUID, because: str = "") -> MailProposal:
    """Every yes to it is taken back, until the send begins; without any, it is withdrawn. Safe to repeat."""
    async with scope.finish() as tx:
        case = await _locked(tx, scope, proposal_id)
        if case.status not in OPEN:
            raise Conflict(too_late(case.status))
        if case.status != "revoked":
            said = (_TAKEN_BACK if case.approvers else _WITHDRAWN).format(who=spoken_actor(scope.actor))
            await telling.revoke(tx, scope, case, because.strip() or said)
    return await one_proposal(scope, proposal_id)


async def discard(
    scope: TenantScope, proposal_id: UUID, because: str = "", *, hash_: str | None = None
) -> MailProposal:
    """It is not wanted. The draft that it was made from goes from the mailbox too, if nobody touched it.

    With a hash, only what has it: nobody throws away what they have not read.
    """
    async with scope.finish() as tx:
        case = await _locked(tx, scope, proposal_id)
        if hash_ is not None and hash_ != case.hash:
            raise await proposals.stale(tx, case.id, hash_)
        if case.status not in OPEN and case.status != "unknown":
            raise Conflict(too_late(case.status))
        said = because.strip() or "A person discarded it."
        await proposals.set_status(tx, case, "discarded", said, scope.now)
        await approvals.end(tx, case.id, said, scope.now)
        draft_id = None if case.status == "unknown" else case.draft_id
        await scope.tell(tx, facts.ReplyDiscarded(**telling.about(scope, case), draft_id=draft_id, how="console"))
    return await one_proposal(scope, proposal_id)


async def resolve(scope: TenantScope, proposal_id: UUID, outcome: Outcome) -> MailProposal:
    """A person looked: it was sent, or it was not. If not, it waits for a new yes."""
    async with scope.finish() as tx:
        case = await _locked(tx, scope, proposal_id)
        if case.status != "unknown":
            raise Conflict(f"It is {case.status}: only of what is unknown can be said whether it was sent.")
        await scope.tell(tx, facts.SendResolved(**telling.about(scope, case), hash=case.hash, outcome=outcome))
        if outcome == "sent":
            await telling.sent(tx, scope, case, "resolved", None, "", "A person found that it was sent.")
        else:
            await telling.give_back(tx, scope, case, "A person found that it was not sent.")
    return await one_proposal(scope, proposal_id)


async def look_again(scope: TenantScope, proposal_id: UUID) -> MailProposal:
    """Once more in Sent and Drafts, for a send that hangs."""
    async with scope.finish() as tx:
        case = await _locked(tx, scope, proposal_id)
        if case.status != "sending":
            raise Conflict(f"It is {case.status}: there is nothing to look for.")
        await scope.enqueue(tx, SendProposal(case.id, case.mailbox_id, case.thread_id))
    return await one_proposal(scope, proposal_id)


async def _locked(tx: Tx, scope: TenantScope, proposal_id: UUID) -> ProposalCase:
    case = await proposals.proposal_case(tx, proposal_id, scope.now, lock=True)
    if case is None:
        raise NotFound(f"There is no proposal {proposal_id}.")
    return case
