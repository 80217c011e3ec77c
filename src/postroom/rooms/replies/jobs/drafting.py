"""Seeing to the draft of a thread: look, decide, write only over what is ours, record what the provider gives back."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from postroom import reads
from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.mail.subjects import bare_subject
from postroom.nouns import facts
from postroom.nouns.conversations import Conversation
from postroom.nouns.drafts import Draft
from postroom.nouns.errors import Conflict, DraftTouched, Gone, PermissionDenied
from postroom.nouns.ids import new_id
from postroom.nouns.providers import ProviderRef
from postroom.nouns.walks import Walk
from postroom.ports import CopilotMailbox
from postroom.rooms.replies.asking import called, reply_from_papers
from postroom.rooms.replies.jobs.definitions import DiscardDraft, DraftReply
from postroom.rooms.replies.jobs.looking import DraftSeen, look, look_for_intended
from postroom.rooms.replies.model_drafts import drafted_by_model
from postroom.rooms.replies.ports import DraftPorts
from postroom.rooms.replies.rules.draft_plans import EDITED, SET_ASIDE, DraftPlan, DraftStatus, plan_draft
from postroom.rooms.replies.rules.drafting import ReplyDraft
from postroom.rooms.replies.rules.ownership import as_html, fingerprint
from postroom.rooms.replies.rules.replying import spoken_words
from postroom.rooms.replies.rules.voicing import tone_of, voice_of
from postroom.rooms.replies.store import drafts, evidence, quotations
from postroom.rooms.replies.store.drafts import DraftCase, DraftIntent
from postroom.rooms.replies.store.policy import reply_policy

BY_RULES = "rules"
_BLOCKED: DraftStatus = "blocked_user_edited"


@dataclass(frozen=True, slots=True)
class DraftedBy:
    """By rules or a model, and how likely right evidence had to be."""

    model: str
    gate: float


@works(DraftReply)
async def draft_reply(job: DraftReply, work: Work[DraftPorts]) -> None:
    case = await _gather(job, work)
    if case is None:
        return
    work.about(Walk(case.mailbox_id, case.thread_id, case.newest_message_id, case.thread_ref, case.newest_ref))
    if not case.is_reachable:
        work.concluded("left_alone", "The mailbox is paused, disconnected or waits for a person.")
        return
    if not case.wants_a_look:
        work.concluded("nothing_to_do", "The thread wants no draft, and has none of ours.")
        return
    box = await work.outside.open_copilot(work.tenant_id, case.mailbox_id)
    if case.intended is not None:
        if not await _find_again(work, box, case, case.intended):
            return
        case = await _gather(job, work)
        assert case is not None  # it was there a moment ago, and threads are not removed one by one
    seen = await look(box, case)
    action, reason = ("ignore", SET_ASIDE) if case.set_aside else (case.action, case.reason)
    plan = plan_draft(action, reason, case.newest_ref, seen.latest, seen.standing)
    if plan.doing in ("create", "update") and not case.writes_drafts:
        work.concluded("left_alone", "The copilot writes no drafts at this mailbox.")
        return
    work.concluded(plan.doing, plan.because)
    await _act(work, box, case, seen, plan)


@works(DiscardDraft)
async def discard_draft(job: DiscardDraft, work: Work[DraftPorts]) -> None:
    """Only the draft that was meant, and only while it is ours as we left it; else it stays where it is."""
    case = await _gather(job, work)
    if case is None or case.revision_id != job.draft_id or case.draft_status != "written":
        return
    box = await work.outside.open_copilot(work.tenant_id, case.mailbox_id)
    seen = await look(box, case)
    because = "A person discarded what was proposed."
    if seen.standing.there in ("touched", "sent"):
        return  # a person is at it in the mail program: what becomes of it there is noticed there
    if seen.standing.there in ("untouched", "edited") and not await _take_back(work, box, case, seen, because):
        return
    async with work.finish() as tx:
        await _end(tx, work, case, "discarded", because, goes_on=False)


async def _gather(job: DraftReply | DiscardDraft, work: Work[DraftPorts]) -> DraftCase | None:
    async with work.read() as tx:
        case = await drafts.draft_case(tx, job.thread_id)
        if case is None or case.revision_id is None or case.draft_status != "written" or case.edited_by is not None:
            return case
        gone = await reads.papers.outdated(tx, case.revision_id, work.now.date())
        if not gone or await quotations.somebody_said_yes(tx, case.thread_id, case.revision_id, work.now):
            return case
        return replace(case, outdated=gone[0].because)


async def _act(work: Work[DraftPorts], box: CopilotMailbox, case: DraftCase, seen: DraftSeen, plan: DraftPlan) -> None:
    match plan.doing:
        case "create" | "update":
            await _write(work, box, case, seen)
        case "supersede":
            if await _take_back(work, box, case, seen, plan.because):
                async with work.finish() as tx:
                    await _end(tx, work, case, "superseded", plan.because, goes_on=False)
        case "blocked":
            await _block(work, case, plan.because, seen.draft)
        case "sent" | "discarded" as how:
            goes_on = case.action == "draft" and case.newest_ref not in case.answered
            async with work.finish() as tx:
                await _end(tx, work, case, how, plan.because, goes_on=goes_on, sent_ref=seen.sent_ref)
        case "noop" | "label_only":
            return  # triage showed the thread to a person already


async def _find_again(work: Work[DraftPorts], box: CopilotMailbox, case: DraftCase, intent: DraftIntent) -> bool:
    """An answer was lost, or we were: whether to go on. What we find is ours only if it says what we meant to say."""
    assert case.slot_id is not None  # an intent stands in a slot
    found = await look_for_intended(box, case, intent)
    if found.draft is None:
        async with work.step() as tx:
            await drafts.drop_intent(tx, case.slot_id, work.now)
        return True
    if found.as_meant:
        async with work.finish() as tx:
            await _record(tx, work, case, intent, found.draft, "found again")
        return False
    because = "Somebody changed the draft before we had written it down: it is left as it is."
    async with work.finish() as tx:
        await _supersede_older(tx, work, case, intent)
        seen, status = fingerprint(found.draft), _BLOCKED
        await drafts.put_written(tx, work.tenant_id, case.slot_id, intent, found.draft, seen, status, because, work.now)
        await _tell_blocked(tx, work, case, intent.revision_id, because)
    return False


async def _write(work: Work[DraftPorts], box: CopilotMailbox, case: DraftCase, seen: DraftSeen) -> None:
    intent, because = await _intended(work, case, updates=seen.draft is not None)
    if intent is None:
        await _withhold(work, box, case, seen, "evidence_missing", because)
        return
    async with work.step() as tx:
        await drafts.intend(tx, work.tenant_id, case, intent, work.now)
    try:
        draft = await _written(box, case, seen, intent)
    except (DraftTouched, Conflict) as touched:
        await _block(work, case, str(touched))
        return
    except PermissionDenied as refused:
        await _withhold(work, box, case, None, "permission_denied", str(refused))
        return
    async with work.read() as tx:
        now = await drafts.draft_case(tx, case.thread_id)
    assert now is not None  # as above
    async with work.finish() as tx:
        await _record(tx, work, now, intent, draft, "created" if seen.draft is None else "updated")


async def _written(box: CopilotMailbox, case: DraftCase, seen: DraftSeen, intent: DraftIntent) -> Draft:
    marks = intent.markers(case.key)
    if seen.draft is None:
        return await box.drafts.create_draft(intent.mail, marks)
    try:
        return await box.drafts.update_draft(seen.draft, intent.mail, marks)
    except Gone:  # sent or discarded while we thought about it
        raise DraftTouched("The draft went while we were at it: what became of it is looked at first.") from None


async def _intended(work: Work[DraftPorts], case: DraftCase, *, updates: bool) -> tuple[DraftIntent | None, str]:
    async with work.read() as tx:
        turns = await drafts.spoken(tx, case.thread_id)
        latest = next((each for each in turns if each.ref == case.newest_ref), None)
        if latest is None or case.newest_ref is None:
            return None, "The words of the message are not kept any more."
        latest, thread = latest.to_others(case.ours), Conversation(case.thread_ref, tuple(turns))
        policy = await reply_policy(tx)
        encoder, today = work.outside.encoder, work.now.date()
        reply, found = await reply_from_papers(tx, thread, latest, today, policy, case.mailbox_id, encoder)
    work.retrieved(found.documents, searched=found.searched)
    made, model = reply.draft, BY_RULES
    writer = latest.answer_to()
    if work.outside.model is not None and made.body is not None and writer is not None:
        words = spoken_words(thread, reply.asked)
        voice, name = voice_of(policy, reply.language), called(latest, policy)
        made = await drafted_by_model(work.outside.model, reply, name, words, voice, tone_of(policy))
        model = work.outside.model.name if made.body != reply.draft.body else BY_RULES
        work.answered_by(work.outside.model.name)
    if made.body is None or writer is None:
        return None, made.because or "Nothing was asked that a paper answers."
    intent = _intent(case, made, writer.email, latest.subject, DraftedBy(model, policy.gate_now), updates=updates)
    async with work.read() as tx:
        return replace(intent, rests_on=await quotations.standing(tx, intent.claims, today)), ""


def _intent(case: DraftCase, made: ReplyDraft, to: str, subject: str, by: DraftedBy, *, updates: bool) -> DraftIntent:
    assert made.body is not None
    assert case.newest_ref is not None
    again = case.draft_status in ("superseded", "written") and case.answers == case.newest_ref  # it has one revision
    return DraftIntent(
        revision_id=case.revision_id if again and case.revision_id is not None else new_id(),
        message_ref=case.newest_ref,
        message_id=case.newest_message_id,
        to=(to,),
        subject=f"Re: {bare_subject(subject)}".strip(),
        text=made.body,
        html=as_html(made.body, case.key),
        claims=[asdict(each) for each in made.claims],
        questions=list(made.questions),
        blocked=[asdict(each) for each in made.blocked],
        confidence=made.confidence,
        gate=by.gate,
        model=by.model,
        because=made.because,
        updates=updates,
    )


async def _record(tx: Tx, work: Work[DraftPorts], case: DraftCase, intent: DraftIntent, draft: Draft, how: str) -> None:
    """What the provider gave back is what is compared with later, not what we wrote."""
    assert case.slot_id is not None
    await evidence.share(tx, work.tenant_id)
    await _supersede_older(tx, work, case, intent)
    print_ = fingerprint(draft)
    await drafts.put_written(
        tx, work.tenant_id, case.slot_id, intent, draft, print_, "written", intent.because, work.now
    )
    gone = await reads.papers.outdated(tx, intent.revision_id, work.now.date())  # a paper changed while it was written
    complete = not intent.questions
    told = facts.DraftWritten(
        mailbox_id=case.mailbox_id,
        thread_id=case.thread_id,
        message_id=intent.message_id,
        provider_thread_id=case.thread_ref,
        provider_message_id=intent.message_ref,
        provider_draft_id=draft.ref,
        draft_id=intent.revision_id,
        how=how,
        state="ready" if complete else "needs_review",
        reason="draft_written" if complete else "draft_has_gaps",
        because="Nothing in it is sensitive, papers answer it, and a draft is there."
        if complete
        else "A draft is there, with questions that no paper answers.",
        fingerprint=print_,
        model=intent.model,
        outdated=bool(gone),
    )
    await work.tell(tx, told)


async def _supersede_older(tx: Tx, work: Work[DraftPorts], case: DraftCase, intent: DraftIntent) -> None:
    if case.revision_id not in (None, intent.revision_id) and case.draft_status == "written":
        assert case.revision_id is not None
        await drafts.end(tx, case.revision_id, "superseded", "A newer message was answered instead.", work.now)


async def _take_back(
    work: Work[DraftPorts], box: CopilotMailbox, case: DraftCase, seen: DraftSeen, because: str
) -> bool:
    """Whether it is gone: only the version that was read just now, and only while that is ours."""
    del because
    if seen.draft is None or seen.standing.there not in ("untouched", "edited"):
        return False
    try:
        await box.drafts.discard_draft(seen.draft)
    except (DraftTouched, Conflict) as touched:
        await _block(work, case, str(touched))
        return False
    return True


async def _withhold(
    work: Work[DraftPorts], box: CopilotMailbox, case: DraftCase, seen: DraftSeen | None, reason: str, because: str
) -> None:
    """No draft for this message; one for an older message goes, if nobody touched it."""
    stale = seen is not None and seen.draft is not None
    if stale and seen is not None and not await _take_back(work, box, case, seen, because):
        return
    async with work.finish() as tx:
        if stale:
            why = f"{case.outdated or 'Somebody wrote again.'} No paper answers it now."
            await _end(tx, work, case, "superseded", why, goes_on=False)
        fresh = await drafts.draft_case(tx, case.thread_id)
        if fresh is not None and fresh.slot_id is not None:
            await drafts.drop_intent(tx, fresh.slot_id, work.now)
        told = facts.DraftWithheld(
            mailbox_id=case.mailbox_id,
            thread_id=case.thread_id,
            message_id=case.newest_message_id,
            provider_thread_id=case.thread_ref,
            provider_message_id=case.newest_ref or "",
            reason=reason,
            because=because,
        )
        await work.tell(tx, told)


async def _block(work: Work[DraftPorts], case: DraftCase, because: str, found: Draft | None = None) -> None:
    """A person was there: nothing is written, and nothing is tried again. What they wrote is kept as an example."""
    async with work.finish() as tx:
        fresh = await drafts.draft_case(tx, case.thread_id)
        if fresh is not None and fresh.slot_id is not None:
            await drafts.drop_intent(tx, fresh.slot_id, work.now)
        if case.revision_id is not None:
            await drafts.end(tx, case.revision_id, "blocked_user_edited", because, work.now)
            if found is not None and case.proposed is not None:
                await drafts.put_final(tx, case.revision_id, case.proposed, found.text, work.now)
        await _tell_blocked(tx, work, case, case.revision_id, because)


async def _tell_blocked(tx: Tx, work: Work[DraftPorts], case: DraftCase, draft_id: Any, because: str) -> None:
    told = facts.DraftBlocked(
        mailbox_id=case.mailbox_id,
        thread_id=case.thread_id,
        provider_thread_id=case.thread_ref,
        draft_id=draft_id,
        code=EDITED,
        because=because,
    )
    await work.tell(tx, told)


async def _end(
    tx: Tx,
    work: Work[DraftPorts],
    case: DraftCase,
    status: DraftStatus,
    because: str,
    *,
    goes_on: bool,
    sent_ref: ProviderRef | None = None,
) -> None:
    assert case.revision_id is not None  # only what was written ends
    await drafts.end(tx, case.revision_id, status, because, work.now, sent_ref)
    told = facts.DraftEnded(
        mailbox_id=case.mailbox_id,
        thread_id=case.thread_id,
        provider_thread_id=case.thread_ref,
        provider_message_id=case.newest_ref,
        draft_id=case.revision_id,
        status=status,
        because=because,
        goes_on=goes_on,
    )
    await work.tell(tx, told)
