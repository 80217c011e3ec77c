"""What people made of drafts and wrote themselves: kept as examples, and learned from where the tenant wants that."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.mail.language import detect
from postroom.nouns import facts
from postroom.nouns.conversations import Turn
from postroom.nouns.jobs import Enqueue, Priority
from postroom.nouns.providers import SENT
from postroom.rooms.replies.jobs.definitions import DraftAgain, DraftReply, KeepAnswer
from postroom.rooms.replies.ports import DraftPorts
from postroom.rooms.replies.rules.handled import HandledAnswer, handled_answer, keys_of_names, unknown_names
from postroom.rooms.replies.rules.papers import read_paper
from postroom.rooms.replies.store import drafts, evidence, handled, quotations
from postroom.rooms.replies.store.evidence import LearnedFrom
from postroom.rooms.replies.store.handled import HandledCase
from postroom.rooms.replies.store.policy import reply_policy

HEEDED = timedelta(days=365)  # an answer that is older is asked for again
PAGE = 200


@works(KeepAnswer)
async def keep_answer(job: KeepAnswer, work: Work[DraftPorts]) -> None:
    async with work.read() as tx:
        sent = await drafts.sent_unread(tx, job.thread_id)
        case = await handled.handled_case(tx, job.thread_id)
        learns = job.mailbox_id in (await reply_policy(tx)).learn_from
        turns = await drafts.spoken(tx, job.thread_id) if learns else []
        made = await _learned(tx, case, turns) if case is not None and learns else None
    async with work.finish() as tx:
        for each in sent:
            await drafts.put_final(tx, each.id, each.proposed, each.final, work.now)
        if case is not None and made is not None:
            await _keep(tx, work, case, turns[-1], made)


async def _learned(tx: Tx, case: HandledCase, turns: Sequence[Turn]) -> HandledAnswer | None:
    """Only what a person sent last, as the answer to what somebody asked right before."""
    if case.sensitive or case.copilot == "off" or len(turns) < 2 or SENT not in turns[-1].labels:
        return None
    asked, answer = next((each for each in reversed(turns) if SENT not in each.labels), None), turns[-1]
    if asked is None or not asked.own_text:
        return None
    language = case.language or detect(asked.own_text).language
    known = [*case.clients, *(name for each in turns for name in _names(each))]
    strange = keys_of_names(unknown_names(f"{asked.own_text}\n\n{answer.own_text}", language), language)
    held = await evidence.frequencies(tx, {key for keys in strange.values() for key in keys})
    known += [name for name, keys in strange.items() if not keys & held.keys()]
    return handled_answer(asked.subject, asked.own_text, answer.own_text, language, known)


def _names(turn: Turn) -> list[str]:
    people = [*([turn.sender] if turn.sender else []), *turn.to, *turn.reply_to]
    return [word for each in people for word in (each.name, each.email.partition("@")[0]) if word]


async def _keep(tx: Tx, work: Work[DraftPorts], case: HandledCase, answer: Turn, made: HandledAnswer) -> None:
    """A later answer in the same thread takes the place of the one before."""
    await evidence.lock(tx, work.tenant_id)
    name, digest = case.reference_code, hashlib.sha256(made.text.encode()).hexdigest()
    before = next(iter(await evidence.current(tx, name, answers=True)), None)
    if before is not None and before.sha256 == digest:
        return
    until = ((answer.sent_at or work.now) + HEEDED).date()
    version = await evidence.next_version(tx, name)
    paper = await asyncio.to_thread(read_paper, name, made.text, "markdown", "public", until, version)
    if before is not None:
        await evidence.outdate(tx, before.id)
    by = answer.sender.email if answer.sender else ""
    learned = LearnedFrom(case.mailbox_id, case.thread_id)
    document_id = await evidence.put(tx, work.tenant_id, paper, "answer", made.text, digest, by, work.now, learned)
    told = facts.AnswerLearned(
        evidence_id=document_id,
        mailbox_id=case.mailbox_id,
        thread_id=case.thread_id,
        name=name,
        version=version,
        left_out=made.left_out,
        outdated=len(await quotations.gone(tx, [name], work.now.date())),
    )
    await work.tell(tx, told)


@works(DraftAgain)
async def draft_again(job: DraftAgain, work: Work[DraftPorts]) -> None:
    """Page by page, each a commit of its own."""
    after = UUID(int=0)
    while True:
        async with work.step() as tx:
            page = await drafts.withheld_for_rights(tx, job.mailbox_id, after, PAGE)
            wanted = [Enqueue(DraftReply(job.mailbox_id, each), priority=Priority.ROUTINE) for each in page]
            await work.enqueue(tx, *wanted)
        if len(page) < PAGE:
            return
        after = page[-1]
