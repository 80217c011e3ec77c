"""Judging a thread: read it whole, decide, record, label."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine import retry_policy
from postroom.engine.work import ClaimLost, Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.conversations import Turn
from postroom.nouns.copilot import StateKey, state_labels
from postroom.nouns.errors import NeedsPerson, Throttled
from postroom.nouns.providers import ProviderRef
from postroom.nouns.walks import Walk
from postroom.rooms.triage.jobs.analysing import Analysed, analysed
from postroom.rooms.triage.jobs.definitions import SetThreadState, TriageThread
from postroom.rooms.triage.jobs.labelling import LabelWrite, label_name, labels_of_ours, record_label, write_label
from postroom.rooms.triage.jobs.reading import ThreadRead, read_thread, thread_now
from postroom.rooms.triage.ports import TriagePorts
from postroom.rooms.triage.rules.channels import Channel
from postroom.rooms.triage.rules.labels import LabelFromPerson, LabelSeen, changed_by_person, labels_on
from postroom.rooms.triage.rules.own_topics import OwnTopic, own_matches
from postroom.rooms.triage.rules.planning import ThreadPlan, plan, settled_state
from postroom.rooms.triage.rules.turns import KeptTurn, inputs_of, newest_inbound
from postroom.rooms.triage.rules.verdicts import Operators, Verdict, triage
from postroom.rooms.triage.store import settings, threads
from postroom.rooms.triage.store.threads import Judged, ThreadCase

RULES = 3  # raised when the rules judge otherwise, so that what is looked at again is judged again


@dataclass(frozen=True, slots=True)
class Gathered:
    """What we know before we ask."""

    case: ThreadCase
    kept: Sequence[KeptTurn]
    topics: Sequence[OwnTopic]
    channels: Sequence[Channel]


@dataclass(frozen=True, slots=True)
class TriageDecision:
    """All that is recorded of one look at a thread."""

    verdict: Verdict
    plan: ThreadPlan
    newest: Turn | None
    message_id: UUID | None  # of the newest
    inputs: str
    seen: LabelSeen
    by_person: LabelFromPerson | None
    operators_seen: Sequence[str]
    analysis: Analysed | None


@works(TriageThread)
async def triage_thread(job: TriageThread, work: Work[TriagePorts]) -> None:
    gathered = await _gather(job, work)
    if gathered is None or not gathered.case.is_open:
        return  # a person resumes or reconnects the mailbox, and that triages anew
    case = gathered.case
    work.about(Walk(case.mailbox_id, case.thread_id, case.newest_message_id, case.thread_ref, case.newest_ref))
    if gathered.case.copilot == "off":
        await _leave(work, gathered.case)
        return
    try:
        await _look(work, gathered)
    except (NeedsPerson, Throttled, ClaimLost):
        raise  # trouble of the whole mailbox stands on the mailbox
    except Exception as problem:
        await _note_failure(work, gathered.case, problem)
        raise


async def _gather(job: TriageThread, work: Work[TriagePorts]) -> Gathered | None:
    async with work.read() as tx:
        case = await threads.thread_case(tx, job.thread_id)
        if case is None:
            return None
        kept = await threads.turns(tx, job.thread_id)
        return Gathered(case, kept, await settings.topics(tx), await settings.channels(tx))


async def _look(work: Work[TriagePorts], gathered: Gathered) -> None:
    case = gathered.case
    box = await work.outside.open_copilot(work.tenant_id, case.mailbox_id)
    read = await read_thread(work, box, case, gathered.kept)
    known = case.knows_addresses(work.now)
    own = case.addresses if known else await box.addresses.own_addresses()
    decision = await _decide(work, gathered, read, case.who_answers(own))
    newest_ref = decision.newest.ref if decision.newest else None
    work.about(Walk(case.mailbox_id, case.thread_id, decision.message_id, case.thread_ref, newest_ref))
    work.concluded(decision.verdict.action, decision.plan.because)
    label = LabelWrite(decision.plan.label, decision.seen.refs)
    news = decision.inputs != case.inputs or decision.by_person is not None
    if decision.plan.keep_label or case.refused or decision.seen.bears(label.name):
        if not news and case.label == case.label_intended == label.name and set(case.label_refs) >= set(label.refs):
            work.concluded("nothing_to_do", "Nothing happened in the thread that concerns us.")
            return
        async with work.finish() as tx:
            await _record(tx, work, gathered, read, decision, None if known else own)
            if not case.refused:
                await record_label(tx, work, case, label)
        return
    async with work.step() as tx:
        await _record(tx, work, gathered, read, decision, None if known else own)
        await threads.intend_label(tx, case.thread_id, label.name)
    await write_label(work, box, case, label)


async def _decide(work: Work[TriagePorts], gathered: Gathered, read: ThreadRead, who: Operators) -> TriageDecision:
    case, thread = gathered.case, read.conversation
    namespace = work.outside.label_namespace
    seen = labels_on(read.thread, [each.name for each in labels_of_ours(case, namespace)], namespace)
    by_person = changed_by_person(case.label_held, seen)
    newest = newest_inbound(thread)
    own_topics = await asyncio.to_thread(own_matches, thread.latest, gathered.topics) if thread.latest else []
    verdict = await asyncio.to_thread(triage, thread, who, own_topics)
    inputs = inputs_of(
        thread, sorted(who.addresses), [each.as_json() for each in gathered.topics], case.copilot, namespace, RULES
    )
    analysis = None
    if verdict.action != "ignore" and (case.analysis is None or inputs != case.inputs):
        verdict, analysis = await analysed(work, gathered, thread, who, own_topics, verdict)
    planned = plan(
        verdict, newest.ref if newest else None, case.standing, by_person, case.copilot, state_labels(namespace)
    )
    wrote = {each.sender.email for each in thread.messages if each.sender and who.include(each.sender)}
    message_id = await _message_id(work, case, read, newest)
    return TriageDecision(verdict, planned, newest, message_id, inputs, seen, by_person, sorted(wrote), analysis)


async def _record(
    tx: Tx, work: Work[TriagePorts], gathered: Gathered, read: ThreadRead, decision: TriageDecision, own: Any
) -> None:
    case, now = gathered.case, work.now
    if not case.known:
        await threads.start_state(tx, work.tenant_id, case.mailbox_id, case.thread_id, now)
    if own is not None:
        await threads.know_addresses(tx, work.tenant_id, case.mailbox_id, own, now)
    if read.news:
        await threads.put_turns(tx, work.tenant_id, case.thread_id, read.news, now)
    if read.gone:
        await threads.drop_turns(tx, case.thread_id, read.gone)
    await threads.put_verdict(tx, case.thread_id, _judged(read, decision), now)
    if decision.analysis is not None:
        await decision.analysis.record(tx, work, case, decision.message_id)
    elif decision.verdict.action == "ignore" and case.analysis is not None:
        await threads.drop_analysis(tx, case.thread_id)
    await _tell(tx, work, case, read, decision)


async def _message_id(work: Work[TriagePorts], case: ThreadCase, read: ThreadRead, newest: Turn | None) -> UUID | None:
    """Ours, also of a mail that is still on its way: the thread may show it before we have taken it in."""
    held = read.kept.get(newest.ref) if newest is not None else None
    if newest is None or (held is not None and held.message_id is not None):
        return held.message_id if held is not None else None
    async with work.read() as tx:
        return await threads.announced_message(tx, case.mailbox_id, newest.ref)


def _judged(read: ThreadRead, decision: TriageDecision) -> Judged:
    newest, planned = decision.newest, decision.plan
    return Judged(
        verdict=decision.verdict,
        state=planned.state,
        because=planned.because,
        settled=planned.settled,
        newest_message_id=decision.message_id,
        newest_ref=newest.ref if newest else None,
        newest_at=newest.sent_at if newest else None,
        newest_from=newest.sender.email if newest and newest.sender else None,
        operators_seen=decision.operators_seen,
        inputs=decision.inputs,
        label_by_person=planned.keep_label,
        done=planned.done,
        wakes=planned.wakes,
    )


async def _tell(tx: Tx, work: Work[TriagePorts], case: ThreadCase, read: ThreadRead, decision: TriageDecision) -> None:
    verdict, newest = decision.verdict, decision.newest
    if decision.by_person is not None:
        changed = facts.LabelChangedByPerson(
            mailbox_id=case.mailbox_id, thread_id=case.thread_id, before=case.label, after=decision.by_person.name
        )
        await work.tell(tx, changed)
    if decision.inputs == case.inputs:
        return
    about: dict[str, Any] = {
        "mailbox_id": case.mailbox_id,
        "thread_id": case.thread_id,
        "message_id": decision.message_id,
        "provider_thread_id": case.thread_ref,
        "provider_message_id": newest.ref if newest else None,
    }
    is_new_mail = not case.known or (newest.ref if newest else None) != case.newest_ref
    is_news = case.reason != verdict.reason or is_new_mail
    if verdict.reason.startswith("sensitive_") and is_news:
        topics = sorted({each.topic for each in verdict.matched})
        await work.tell(tx, facts.SensitiveFlagged(**about, reason=verdict.reason, topics=topics))
    triaged = facts.ThreadTriaged(
        **about,
        action=verdict.action,
        reason=verdict.reason,
        because=decision.plan.because,
        state=decision.plan.state,
        copilot=case.copilot,
        again=not is_new_mail,
    )
    await work.tell(tx, triaged)


async def _leave(work: Work[TriagePorts], case: ThreadCase) -> None:
    """The copilot is off: our label goes, and with it the state."""
    if case.label is None and case.label_intended is None and case.state is None:
        return
    async with work.step() as tx:
        said = "The copilot is off at this mailbox."
        await threads.settle_thread(tx, case.thread_id, None, None, case.reason or "", said, work.now)
        await threads.intend_label(tx, case.thread_id, None)
    box = await work.outside.open_copilot(work.tenant_id, case.mailbox_id)
    await write_label(work, box, case, LabelWrite(None, ()))


async def _note_failure(work: Work[TriagePorts], case: ThreadCase, problem: Exception) -> None:
    """Our own state at once; at the provider only when the failure outlives its retries."""
    async with work.step() as tx:
        if not case.known:
            await threads.start_state(tx, work.tenant_id, case.mailbox_id, case.thread_id, work.now)
        code = retry_policy.error_code(problem)
        because = str(problem) if code != "unknown" else "Something went wrong in the house; see the attempts."
        await threads.fail_thread(tx, case.thread_id, code, because, work.now)


@works(SetThreadState)
async def set_thread_state(job: SetThreadState, work: Work[TriagePorts]) -> None:
    async with work.read() as tx:
        case = await threads.thread_case(tx, job.thread_id)
    if case is None or not case.known or case.copilot == "off" or not case.is_open:
        return
    if case.not_for_us or case.done or (job.newest_ref is not None and job.newest_ref != case.newest_ref):
        return
    work.about(Walk(case.mailbox_id, case.thread_id, case.newest_message_id, case.thread_ref, case.newest_ref))
    box = await work.outside.open_copilot(work.tenant_id, case.mailbox_id)
    namespace = work.outside.label_namespace
    seen = labels_on(await thread_now(box, case), [each.name for each in labels_of_ours(case, namespace)], namespace)
    state, shown = settled_state(job.state, job.reason, case.standing, failed=job.error_code is not None)
    wanted = LabelWrite(label_name(shown, namespace), seen.refs)
    write = not (case.refused or seen.bears(wanted.name))
    async with work.step() if write else work.finish() as tx:
        await _settle(tx, work, case, job, state)
        if write:
            await threads.intend_label(tx, case.thread_id, wanted.name)
        elif not case.refused:
            await record_label(tx, work, case, wanted)
    if write:
        await write_label(work, box, case, wanted)


async def _settle(
    tx: Tx, work: Work[TriagePorts], case: ThreadCase, job: SetThreadState, state: StateKey | None
) -> None:
    ref = ProviderRef(job.newest_ref) if job.newest_ref else None
    said = (state, job.reason, job.because)
    await threads.settle_thread(tx, case.thread_id, ref, *said, work.now, error_code=job.error_code)
    if (case.state, case.reason) != (state, job.reason):
        told = facts.ThreadStateSet(
            mailbox_id=case.mailbox_id,
            thread_id=case.thread_id,
            before=case.state,
            after=state,
            reason=job.reason,
            because=job.because,
        )
        await work.tell(tx, told)
