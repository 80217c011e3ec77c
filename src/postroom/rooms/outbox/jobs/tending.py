"""Proposals follow their drafts, expire, are stopped by kill switches, and hear of delivery reports."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.mail.headers import message_ids
from postroom.nouns import facts
from postroom.nouns.ids import new_id
from postroom.rooms.outbox import telling
from postroom.rooms.outbox.jobs.definitions import NoteBounce, SendProposal, StopSending, TendOutbox, TendProposals
from postroom.rooms.outbox.rules.approvals import enough, why_void
from postroom.rooms.outbox.rules.drafted import DraftedAct, HeldProposal, plan_proposals
from postroom.rooms.outbox.rules.mails import ProposedMail, proposal_hash
from postroom.rooms.outbox.rules.second_person import second_person_because
from postroom.rooms.outbox.rules.timing import proposal_expires
from postroom.rooms.outbox.store import approvals, proposals, sending, sources
from postroom.rooms.outbox.store.proposals import NewProposal, ProposalCase
from postroom.rooms.outbox.store.sources import DraftedProposal, ThreadDraft

AT_ONCE = 200
OVERDUE = timedelta(minutes=2)  # an approved mail without a job was forgotten
BOUNCES_WITHIN = timedelta(days=3)
_FAILED_RECIPIENT = re.compile(
    r"^(?:final|original)-recipient:\s*(?:rfc822;)?\s*(\S+@\S+)", re.IGNORECASE | re.MULTILINE
)
_STATUS = re.compile(r"\b[45]\.\d{1,3}\.\d{1,3}\b")
_MESSAGE_ID = re.compile(r"^(?:x-)?(?:original-)?message-id:\s*(<[^<>\s]+>)", re.IGNORECASE | re.MULTILINE)


@works(TendProposals)
async def tend_proposals(job: TendProposals, work: Work[object]) -> None:
    """Draft, proposals and what follows in one commit: whoever looks sees them agree."""
    async with work.finish() as tx:
        draft = await sources.thread_draft(tx, job.thread_id)
        if draft is None:
            return
        made = await sources.drafted_proposals(tx, job.thread_id)
        mail = _mail(draft)
        now = proposal_hash(draft.mailbox_id, mail, draft.message_ref, draft.message_ref) if mail else None
        held = [HeldProposal(e.id, e.draft_id, e.status, e.hash, e.draft_status, e.is_current) for e in made]
        for act in plan_proposals(draft.draft_id, now, held):
            await _follow(tx, work, draft, mail, now, made, act)


def _mail(draft: ThreadDraft) -> ProposedMail | None:
    """As the provider gave it back; none when there is nothing that waits."""
    stands = draft.draft
    if draft.status != "written" or stands is None or not stands.to:
        return None
    return ProposedMail(stands.to, stands.subject, draft.body or "", stands.html, stands.cc, stands.bcc)


async def _follow(
    tx: Tx,
    work: Work[object],
    draft: ThreadDraft,
    mail: ProposedMail | None,
    hash_: str | None,
    made: Sequence[DraftedProposal],
    act: DraftedAct,
) -> None:
    if act.proposal_id is None:
        await _propose(tx, work, draft, mail, hash_, made, None)
        return
    case = await proposals.proposal_case(tx, act.proposal_id, work.now, lock=True)
    before = next(each for each in made if each.id == act.proposal_id)
    if case is None or case.status != before.status:
        return  # a person was quicker: what they did tells its own fact, which brings us here again
    match act.doing:
        case "change":
            await _change(tx, work, draft, mail, hash_, case)
        case "replace":
            if await telling.void(tx, work, case, "The draft was changed after it was approved."):
                await _tell_edited(tx, work, case, draft.edited_by)
                await _propose(tx, work, draft, mail, hash_, made, case)
        case "sent" | "edited" | "discarded" as how:
            await _elsewhere(tx, work, case, how, before)
        case _:
            await telling.void(tx, work, case, why_void(case.standing, work.now) or "Another draft took its place.")


async def _elsewhere(tx: Tx, work: Work[object], case: ProposalCase, how: str, before: DraftedProposal) -> None:
    """A person acted in the mail program: it counts as much as here."""
    because = why_void(case.standing, work.now) or "The draft is over."
    if how == "discarded":
        if await proposals.set_status(tx, case, "discarded", because, work.now):
            await approvals.end(tx, case.id, because, work.now)
            ids = telling.about(work, case)
            await work.tell(tx, facts.ReplyDiscarded(**ids, draft_id=case.draft_id, how="mail_program"))
        return
    if not await telling.void(tx, work, case, because):
        return
    if how == "sent":
        await telling.tell_sent(tx, work, case, "mail_program", None)
    else:
        told = {"how": "mail_program", "by": before.edited_by or "a person", "draft_id": case.draft_id}
        await work.tell(tx, facts.ReplyEdited(**telling.about(work, case), **told))  # type: ignore[arg-type]  # by their names


async def _change(
    tx: Tx, work: Work[object], draft: ThreadDraft, mail: ProposedMail | None, hash_: str | None, case: ProposalCase
) -> None:
    assert mail is not None  # only what is written is a change
    assert hash_ is not None
    people = await approvals.known_people(tx, case.thread_id, mail.recipients)
    reasons = second_person_because(mail, people, case.sending)
    actor = draft.edited_by or work.actor
    version = await proposals.change(tx, work.tenant_id, case, mail, hash_, reasons, actor, work.now)
    if version is None:
        return
    ended = await approvals.end(tx, case.id, "The draft was changed.", work.now)
    told = facts.ProposalChanged(
        **telling.about(work, case), before=case.hash, after=hash_, version=version, ended=ended
    )
    await work.tell(tx, told)
    await _tell_edited(tx, work, case, draft.edited_by)


async def _tell_edited(tx: Tx, work: Work[object], case: ProposalCase, by: str | None) -> None:
    if by is not None:
        ids = telling.about(work, case)
        await work.tell(tx, facts.ReplyEdited(**ids, draft_id=case.draft_id, how="console", by=by))


async def _propose(
    tx: Tx,
    work: Work[object],
    draft: ThreadDraft,
    mail: ProposedMail | None,
    hash_: str | None,
    made: Sequence[DraftedProposal],
    replaces: ProposalCase | None,
) -> None:
    assert mail is not None  # only what is written is proposed
    assert hash_ is not None
    policy = await proposals.sending_policy(tx)
    people = await approvals.known_people(tx, draft.thread_id, mail.recipients)
    reasons = second_person_because(mail, people, policy)
    same = next((each for each in made if each.draft_id == draft.draft_id and each.machine_body is not None), None)
    last = made[-1].id if made else None
    new = NewProposal(
        id=new_id(),
        mailbox_id=draft.mailbox_id,
        kind="reply",
        origin="draft",
        mail=mail,
        hash=hash_,
        proposed_by=draft.edited_by or work.actor,
        needed=2 if reasons else 1,
        needed_because=reasons,
        expires_at=proposal_expires(policy, work.now),
        thread_id=draft.thread_id,
        draft_id=draft.draft_id,
        message_id=draft.message_id,
        answers=draft.message_ref,
        head=draft.message_ref,
        head_at=draft.head_at or work.now,
        machine_body=same.machine_body if same else draft.body if draft.edited_by is None else None,
        model=draft.model,
        replaces=replaces.id if replaces else last,
    )
    await telling.make(tx, work, new)


@works(StopSending)
async def stop_sending(job: StopSending, work: Work[object]) -> None:
    because = "Sending was switched off for this mailbox." if job.mailbox_id else "Sending was switched off."
    async with work.finish() as tx:
        for proposal_id in await proposals.with_a_yes(tx, job.mailbox_id):
            case = await proposals.proposal_case(tx, proposal_id, work.now, lock=True)
            switched_on = case is not None and case.sending.switch == "on" and case.mailbox_sending == "on"
            if case is not None and case.status in ("approved", "waiting") and not switched_on:
                await telling.revoke(tx, work, case, because)


@works(TendOutbox)
async def tend_outbox(job: TendOutbox, work: Work[object]) -> None:
    del job
    work.found_nothing()
    async with work.finish() as tx:
        for proposal_id in await proposals.to_tend(tx, work.now, AT_ONCE):
            await _tend(tx, work, proposal_id)
        for due in await proposals.to_send(tx, work.now - OVERDUE, AT_ONCE):
            await work.enqueue(tx, SendProposal(due.id, due.mailbox_id, due.thread_id))


async def _tend(tx: Tx, work: Work[object], proposal_id: UUID) -> None:
    case = await proposals.proposal_case(tx, proposal_id, work.now, lock=True)
    if case is None or case.status not in ("waiting", "revoked", "approved"):
        return
    if because := why_void(case.standing, work.now):
        await telling.void(tx, work, case, because)
        return
    await approvals.end_expired(tx, case.id, work.now)
    if case.status == "approved" and not enough(case.approvers, case.needed):
        await telling.wait_again(tx, work, case, "An approval expired before it was sent: approve it again.")


@works(NoteBounce)
async def note_bounce(job: NoteBounce, work: Work[object]) -> None:
    """By the Message-ID that the report names; else by its thread."""
    async with work.finish() as tx:
        report = await sending.report(tx, job.message_id)
        if report is None or report.automatic != "bounce":
            return
        text = "\n".join(each for each in (report.body, report.enclosed_text) if each)
        named = [*_MESSAGE_ID.findall(text)]
        for name in ("in-reply-to", "references", "x-original-message-id"):
            named += message_ids(str(report.headers.get(name) or ""))
        found = await sending.bounced(tx, named) if named else None
        if found is None and report.thread_id is not None:
            found = await sending.last_sent_in(tx, report.thread_id, work.now - BOUNCES_WITHIN)
        if found is None:
            return
        because = why_bounced(text)
        if await sending.put_bounce(tx, found.id, because, work.now):
            told = facts.MailBounced(
                proposal_id=found.id,
                mailbox_id=found.mailbox_id,
                thread_id=found.thread_id,
                message_id=report.id,
                because=because,
            )
            await work.tell(tx, told)


def why_bounced(text: str) -> str:
    """Whom it did not reach, and the status, as far as the report says."""
    people = list(dict.fromkeys(each.strip("<>").lower() for each in _FAILED_RECIPIENT.findall(text)))
    status = _STATUS.search(text)
    whom = f"It did not reach {', '.join(people)}" if people else "It came back"
    return f"{whom} (status {status[0]})." if status else f"{whom}."
