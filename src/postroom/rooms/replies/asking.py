"""A thread held against the tenant's papers: candidates from the database, the rest by rules."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.conversations import Conversation, Turn
from postroom.rooms.replies.rules.questions import Asked, Question
from postroom.rooms.replies.rules.replying import Reply, answered, read_question
from postroom.rooms.replies.rules.search import (
    TUNING,
    IndexedSnippet,
    Statistics,
    question_keys,
    rarity_of,
    search_terms,
)
from postroom.rooms.replies.store import evidence

MOST_CANDIDATES = 120  # snippets that are ranked for a question


@dataclass(frozen=True, slots=True)
class LookedUp:
    """What was found for the questions of a mail."""

    candidates: dict[Question, list[IndexedSnippet]]
    statistics: Statistics
    documents: Sequence[UUID]
    searched: int


async def look_up(tx: Tx, asked: Asked, today: date) -> LookedUp:
    told = await evidence.statistics(tx, question_keys(asked.questions, asked.context))
    found: dict[Question, list[IndexedSnippet]] = {}
    documents: dict[UUID, None] = {}
    for question in asked.questions:
        terms = {key: rarity_of(told.frequency[key], told, TUNING) for key in search_terms(question, told)}
        rows = await evidence.candidates(tx, terms, today, MOST_CANDIDATES) if terms else []
        found[question] = [each.indexed() for each in rows]
        documents |= dict.fromkeys(each.document_id for each in rows)
    return LookedUp(found, told, list(documents), told.snippets)


async def reply_from_papers(tx: Tx, thread: Conversation, latest: Turn, today: date) -> tuple[Reply, LookedUp]:
    asked, language = await asyncio.to_thread(read_question, thread, latest)
    found = await look_up(tx, asked, today)
    writer = next(iter(latest.reply_to), latest.sender)
    name = writer.name if writer else ""
    reply = await asyncio.to_thread(
        answered, thread, asked, language, lambda question: found.candidates[question], found.statistics, name
    )
    return reply, found
