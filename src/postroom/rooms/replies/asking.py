"""A thread held against the tenant's papers, and then its sent answers: candidates from the database, rest by rules."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.conversations import Conversation, Turn
from postroom.nouns.ids import MailboxId
from postroom.ports import Encoder
from postroom.rooms.replies.rules.answers import Answer, answer_all
from postroom.rooms.replies.rules.drafting import draft_reply
from postroom.rooms.replies.rules.periods import ALWAYS
from postroom.rooms.replies.rules.questions import Asked, Question
from postroom.rooms.replies.rules.replying import Reply, answered, read_question, spoken_words, with_orders
from postroom.rooms.replies.rules.search import (
    TUNING,
    IndexedSnippet,
    Statistics,
    question_keys,
    rarity_of,
    search_terms,
)
from postroom.rooms.replies.rules.voicing import ReplyPolicy, addressed, voice_of
from postroom.rooms.replies.store import evidence

MOST_CANDIDATES = 120  # snippets that are ranked for a question


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What was found for the questions of a mail."""

    candidates: dict[Question, list[IndexedSnippet]]
    statistics: Statistics
    documents: Sequence[UUID]
    searched: int


async def look_up(tx: Tx, asked: Asked, today: date, answers_of: MailboxId | None = None) -> LookedUp:
    """Among the papers; or among the answers that a mailbox sent."""
    keys = question_keys(asked.looked_up, asked.context)
    told = await evidence.statistics(tx, keys, "answer" if answers_of else "paper")
    found: dict[Question, list[IndexedSnippet]] = {}
    made: dict[UUID, IndexedSnippet] = {}  # most questions of a mail lead to the same sections
    documents: dict[UUID, None] = {}
    for question in asked.looked_up:
        terms = {key: rarity_of(told.frequency[key], told, TUNING) for key in search_terms(question, told)}
        rows = await evidence.candidates(tx, terms, today, MOST_CANDIDATES, answers_of) if terms else []
        made |= {each.id: each.indexed() for each in rows if each.id not in made}
        found[question] = [made[each.id] for each in rows]
        documents |= dict.fromkeys(each.document_id for each in rows)
    return LookedUp(found, told, list(documents), told.snippets)


async def answered_once(tx: Tx, asked: Asked, today: date) -> dict[Question, Answer]:
    """What papers that are over by now, or replaced, would have answered."""
    rest = replace(asked, questions=tuple(replace(each, days=ALWAYS) for each in asked.questions))
    once = await look_up(tx, rest, date.min)
    ended = {each: [one for one in found if _is_over(one, today)] for each, found in once.candidates.items()}
    if not any(ended.values()):
        return {}
    answers = await asyncio.to_thread(answer_all, rest, ended.__getitem__, once.statistics)
    return {question: each for question, each in zip(asked.questions, answers, strict=True) if each.passage}


def _is_over(snippet: IndexedSnippet, today: date) -> bool:
    return any(each.line.period and each.line.period.last and each.line.period.last < today for each in snippet.lines)


async def reply_from_papers(
    tx: Tx,
    thread: Conversation,
    latest: Turn,
    today: date,
    policy: ReplyPolicy,
    mailbox_id: MailboxId | None = None,
    encoder: Encoder | None = None,
) -> tuple[Reply, LookedUp]:
    """What no paper answers may be answered as it was before, if the tenant wants that of this mailbox."""
    asked, spoken = await asyncio.to_thread(read_question, thread, latest, today)
    language = policy.language or spoken
    found = await look_up(tx, asked, today)
    voice, gate = voice_of(policy, language), policy.gate_now
    name, tuning = called(latest, policy), replace(TUNING, encoder=await working(encoder))
    papers = found.candidates.__getitem__
    reply = await asyncio.to_thread(
        answered, thread, asked, language, papers, found.statistics, name, voice, tuning, gate
    )
    left = tuple(each.question for each in reply.answers if each.passage is None)
    if not left or mailbox_id is None or mailbox_id not in policy.learn_from:
        return reply, found
    sent = await look_up(tx, replace(asked, questions=left), today, mailbox_id)
    answers_sent, rest = sent.candidates.__getitem__, replace(asked, questions=left)
    again = await asyncio.to_thread(answer_all, rest, answers_sent, sent.statistics, tuning, max(gate, TUNING.gate))
    both = LookedUp(
        found.candidates, found.statistics, [*found.documents, *sent.documents], found.searched + sent.searched
    )
    if all(each.passage is None for each in again):
        return reply, both
    answers = _completed(reply.answers, again)
    draft = draft_reply(answers, language, name, voice, spoken_words(thread, asked))
    return replace(reply, answers=answers, draft=with_orders(draft, asked)), both


async def working(encoder: Encoder | None) -> Encoder | None:
    return encoder if encoder is not None and await asyncio.to_thread(encoder.works) else None


def called(latest: Turn, policy: ReplyPolicy) -> str:
    """What the one who is answered is called."""
    writer = latest.answer_to()
    return addressed(policy, writer.name) if writer else ""


def _completed(answers: Sequence[Answer], again: Sequence[Answer]) -> tuple[Answer, ...]:
    """Question by question: a paper's answer stays, whatever was once written about it."""
    found = {each.question: each for each in again if each.passage is not None}
    return tuple(each if each.passage is not None else found.get(each.question, each) for each in answers)
