"""One safe send: prepare the draft, commit that it begins, ask once; after a lost answer look before anything else."""

from __future__ import annotations

import contextlib
from datetime import timedelta

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.drafts import Draft
from postroom.nouns.errors import (
    DraftTouched,
    Gone,
    PermissionDenied,
    PostroomError,
    Refused,
    TimedOut,
    Unavailable,
)
from postroom.nouns.jobs import Enqueue
from postroom.nouns.mail import MailMessage
from postroom.nouns.providers import ProviderRef
from postroom.ports import CopilotMailbox
from postroom.rooms.outbox import telling
from postroom.rooms.outbox.jobs.definitions import SendProposal
from postroom.rooms.outbox.jobs.preparing import (
    AlreadySent,
    CannotPrepare,
    drop_own_draft,
    prepare,
    sent_draft,
)
from postroom.rooms.outbox.ports import SendingPorts
from postroom.rooms.outbox.rules.approvals import enough, why_stopped, why_void
from postroom.rooms.outbox.rules.doubts import Looking, after_looking
from postroom.rooms.outbox.rules.drafted import sent_as_approved
from postroom.rooms.outbox.rules.guards import objection_to_recipients, over_the_cap
from postroom.rooms.outbox.rules.second_person import second_person_because
from postroom.rooms.outbox.rules.timing import next_open
from postroom.rooms.outbox.store import approvals, proposals, sending
from postroom.rooms.outbox.store.proposals import ProposalCase

HOUR = timedelta(hours=1)
DIFFERS = (
    "What lies in Sent is not word by word what was approved: somebody changed the draft while it was being sent. "
    "Look at it in the mailbox."
)
WENT_OUT_OTHERWISE = (
    "A mail of this proposal lies in Sent already, and it is not word by word what was approved now. Look at it in the "
    "mailbox; what is still to be said, propose anew."
)


@works(SendProposal)
async def send_proposal(job: SendProposal, work: Work[SendingPorts]) -> None:
    async with work.read() as tx:
        case = await proposals.proposal_case(tx, job.proposal_id, work.now)
    if case is None or case.status not in ("approved", "sending"):
        return
    work.about(telling.walk_of(case))
    if case.status == "approved":
        if not await _may_begin(work, job):
            return
        box = await work.outside.open_copilot(work.tenant_id, case.mailbox_id)
        await _begin(work, job, box, case)
    else:  # we were here before, and do not know how it ended
        box = await work.outside.open_copilot(work.tenant_id, case.mailbox_id)
        await _look(work, job, box, case)


async def _may_begin(work: Work[SendingPorts], job: SendProposal) -> bool:
    """By all that we know without asking the provider; if not, what follows from it is recorded."""
    async with work.read() as tx:
        case = await proposals.proposal_case(tx, job.proposal_id, work.now)
        if case is None or await _ready(tx, work, case):
            return case is not None
    async with work.finish() as tx:
        case = await _locked(tx, work, job)
        if case is not None and case.status == "approved":
            await _hold(tx, work, job, case)
    return False


async def _locked(tx: Tx, work: Work[SendingPorts], job: SendProposal) -> ProposalCase | None:
    await proposals.lock_switches(tx, job.mailbox_id)
    return await proposals.proposal_case(tx, job.proposal_id, work.now, lock=True)


async def _ready(tx: Tx, work: Work[SendingPorts], case: ProposalCase) -> bool:
    return (
        case.status == "approved"
        and why_stopped(case.rights) is None
        and why_void(case.standing, work.now) is None
        and _guarded(case) is None
        and await _agreed(tx, case)
        and not _too_early(work, case)
    )


def _guarded(case: ProposalCase) -> str | None:
    return objection_to_recipients(case.kind, case.mail.recipients, case.own_addresses, case.answered)


async def _agreed(tx: Tx, case: ProposalCase) -> bool:
    """Rules may have changed since: more people may be needed by now."""
    people = await approvals.known_people(tx, case.thread_id, case.mail.recipients)
    needed = 2 if second_person_because(case.mail, people, case.sending) else 1
    return enough(case.approvers, max(needed, case.needed))


def _too_early(work: Work[SendingPorts], case: ProposalCase) -> bool:
    waits = case.send_at is not None and case.send_at > work.now
    closed = next_open(case.sending.window, work.now) > work.now
    return waits or closed or over_the_cap(case.lately, case.sending) is not None


async def _hold(tx: Tx, work: Work[SendingPorts], job: SendProposal, case: ProposalCase) -> None:
    """Why it does not go out now, in the order in which it matters."""
    if because := why_void(case.standing, work.now) or _guarded(case):
        work.concluded("void", because)
        await telling.void(tx, work, case, because)
    elif because := why_stopped(case.rights):
        work.concluded("revoked", because)
        await telling.revoke(tx, work, case, because)
    elif not await _agreed(tx, case):
        because = "An approval expired, or more people are needed by now: approve it again."
        work.concluded("waiting", because)
        await approvals.end_expired(tx, case.id, work.now)
        await telling.wait_again(tx, work, case, because)
    elif _too_early(work, case):
        await _postpone(tx, work, job, case)


async def _postpone(tx: Tx, work: Work[SendingPorts], job: SendProposal, case: ProposalCase) -> None:
    capped = over_the_cap(case.lately, case.sending)
    at = max(case.send_at or work.now, next_open(case.sending.window, work.now))
    if capped and case.first_lately is not None:
        at = max(at, case.first_lately + HOUR)
    because = capped or "It waits for its time."
    work.concluded("later", because)
    await sending.postpone(tx, case.id, at, because, work.now)
    await work.enqueue(tx, Enqueue(job, run_at=at))


async def _begin(work: Work[SendingPorts], job: SendProposal, box: CopilotMailbox, case: ProposalCase) -> None:
    """The draft first, then the commit that it begins, then the call."""
    try:
        draft = await prepare(work, box, case)
    except AlreadySent as sent:
        await _went_out_before(work, job, case, sent)
        return
    except CannotPrepare as refused:
        await _void(work, job, case, str(refused))
        return
    if not await _commit(work, job, case, draft):
        await drop_own_draft(box, case, draft)
        return
    await _call(work, job, box, draft)


async def _went_out_before(work: Work[SendingPorts], job: SendProposal, case: ProposalCase, sent: AlreadySent) -> None:
    """What was changed since somebody said that it was not sent neither follows it by itself nor counts as sent."""
    copy = await _sent_copy(work, job, sent.ref)
    if copy is not None and not sent_as_approved(copy, case.mail):
        await _void(work, job, case, WENT_OUT_OTHERWISE)
        return
    draft = sent_draft(case, sent.ref)
    if await _commit(work, job, case, draft):
        await _record_sent(work, job, draft, sent.ref, str(sent))


async def _void(work: Work[SendingPorts], job: SendProposal, case: ProposalCase, because: str) -> None:
    work.concluded("void", because)
    async with work.finish() as tx:
        now = await _locked(tx, work, job)
        if now is not None and now.status == "approved" and now.hash == case.hash:
            await telling.void(tx, work, now, because)


async def _commit(work: Work[SendingPorts], job: SendProposal, case: ProposalCase, draft: Draft) -> bool:
    """Whether it is really to be sent: from this commit on it cannot be taken back, and its approvals are used."""
    async with work.step() as tx:
        now = await _locked(tx, work, job)
        if now is None or now.hash != case.hash or not await _ready(tx, work, now):
            if now is not None and now.status == "approved":
                await _hold(tx, work, job, now)
            return False
        moment = work.now  # of both: the database compares them
        by = await approvals.use(tx, case.id, case.hash, moment)
        if not await sending.begin(tx, now, draft, moment):
            return False
        await work.tell(tx, facts.SendBegun(**telling.about(work, case), hash=case.hash, approved_by=by))
    return True


async def _call(work: Work[SendingPorts], job: SendProposal, box: CopilotMailbox, draft: Draft) -> None:
    """Once. Throttled and revoked access went nowhere: the job comes again, and looks first."""
    try:
        ref = await box.sender.send_draft(draft)
    except (TimedOut, Unavailable, Gone):
        await _look(work, job, box, await _case(work, job))
        return
    except DraftTouched as touched:
        await _end(work, job, box, "void", str(touched))
        return
    except (PermissionDenied, Refused) as refused:
        await _end(work, job, box, "give_back", f"The provider refused it, so nothing was sent: {refused}")
        return
    await _record_sent(work, job, draft, ref, "")


async def _case(work: Work[SendingPorts], job: SendProposal) -> ProposalCase:
    async with work.read() as tx:
        case = await proposals.proposal_case(tx, job.proposal_id, work.now)
    assert case is not None  # it was there a moment ago, and what is being sent is not removed
    return case


async def _look(work: Work[SendingPorts], job: SendProposal, box: CopilotMailbox, case: ProposalCase) -> None:
    """In Sent and in Drafts, before anything is sent again."""
    draft = case.draft
    assert draft is not None  # the database keeps it with everything that began
    assert case.called_at is not None
    found = await box.sender.find_sent(draft)
    after = after_looking(
        found.state,
        sends=case.sends,
        looks=case.looks + 1,
        called_at=case.called_at,
        stopped=why_stopped(case.rights),
        now=work.now,
    )
    match after.doing:
        case "sent":
            await _record_sent(work, job, draft, found.ref, after.because)
        case "send":
            if await _again(work, job, after):
                await _call(work, job, box, draft)
        case "look_later":
            await _look_later(work, job, found.state, after)
        case "give_back":
            await _end(work, job, box, "give_back", after.because)
        case "unknown":
            await _unknown(work, job, case, found.state, after)


async def _again(work: Work[SendingPorts], job: SendProposal, after: Looking) -> bool:
    """Committed before the call, as the first one was; a kill switch that was turned meanwhile stops it."""
    async with work.step() as tx:
        case = await _locked(tx, work, job)
        if case is None or case.status != "sending":
            return False
        await sending.note_look(tx, case.id, "not_sent", after.because, work.now)
        if stopped := why_stopped(case.rights):
            await telling.give_back(tx, work, case, f"{after.because} {stopped}")
            return False
        await sending.call_again(tx, case.id, work.now)
    return True


async def _look_later(work: Work[SendingPorts], job: SendProposal, found: str, after: Looking) -> None:
    work.concluded("look_later", after.because)
    async with work.finish() as tx:
        await sending.note_look(tx, job.proposal_id, found, after.because, work.now)
        await work.enqueue(tx, Enqueue(job, run_at=after.at))


async def _unknown(work: Work[SendingPorts], job: SendProposal, case: ProposalCase, found: str, after: Looking) -> None:
    work.concluded("unknown", after.because)
    async with work.finish() as tx:
        now = await _locked(tx, work, job)
        if now is None or now.status != "sending":
            return
        await sending.note_look(tx, case.id, found, after.because, work.now)
        await proposals.set_status(tx, now, "unknown", after.because, work.now, now.send_at)
        told = facts.SendUnknown(
            **telling.about(work, case), hash=case.hash, because=after.because, checked=case.looks + 1
        )
        await work.tell(tx, told)


async def _end(work: Work[SendingPorts], job: SendProposal, box: CopilotMailbox, how: str, because: str) -> None:
    """It was not sent, and that is certain."""
    work.concluded(how, because)
    async with work.finish() as tx:
        case = await _locked(tx, work, job)
        if case is None or case.status != "sending":
            return
        if how == "void":
            await telling.void(tx, work, case, because)
        else:
            await telling.give_back(tx, work, case, because)
    if case.draft is not None:
        await drop_own_draft(box, case, case.draft)


async def _record_sent(
    work: Work[SendingPorts],
    job: SendProposal,
    draft: Draft,
    ref: ProviderRef | None,
    because: str,
) -> None:
    found = await _sent_copy(work, job, ref)
    work.concluded("sent", because or "The provider took it.")
    async with work.finish() as tx:
        case = await _locked(tx, work, job)
        if case is None or case.status != "sending":
            return
        if found is not None and not sent_as_approved(found, case.mail):
            because = DIFFERS
        message_id = found.message_id if found is not None else draft.internet_message_id
        await telling.sent(tx, work, case, "approved", ref, message_id, because)


async def _sent_copy(work: Work[SendingPorts], job: SendProposal, ref: ProviderRef | None) -> MailMessage | None:
    """As recipients have it, under the Message-ID that delivery reports name: Gmail may put another in place of ours.

    No provider sends a draft only if it has a version: whether it still was what we read a moment before is seen here.
    """
    if ref is None:
        return None
    with contextlib.suppress(PostroomError):
        raw = await work.outside.fetcher.fetch(work.tenant_id, job.mailbox_id, ref)
        return await work.outside.reader.aread_mail(raw.raw, tenant=work.tenant_id)
    return None
