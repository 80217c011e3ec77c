"""Asking the library: what would be answered to a question, from which paper, and why or why not."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.nouns.conversations import Conversation, Turn
from postroom.nouns.errors import BadRequest
from postroom.nouns.ids import MailboxId
from postroom.nouns.providers import ProviderRef
from postroom.ports import Encoder
from postroom.rooms.replies.asking import LookedUp, answered_once, reply_from_papers, working
from postroom.rooms.replies.rules.answers import Answer, Passage
from postroom.rooms.replies.rules.drafting import ReplyDraft
from postroom.rooms.replies.rules.questions import Asked
from postroom.rooms.replies.rules.ranking import Hit, rank
from postroom.rooms.replies.rules.search import TUNING, Tuning
from postroom.rooms.replies.store.policy import reply_policy

LONGEST_QUESTION = 4_000
MOST_NEAR = 3  # lines that came near, shown where nothing is answered, and beside what is


@dataclass(frozen=True, slots=True)
class QuotedPassage:
    source: str
    headings: tuple[str, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TriedQuestion:
    """One thing that was asked: what answers it, or the sentence why nothing does, and what came near."""

    question: str
    answer: QuotedPassage | None
    conflict: QuotedPassage | None
    also: QuotedPassage | None
    third: QuotedPassage | None
    partly: bool
    chance: float
    because: str
    near: tuple[QuotedPassage, ...]


@dataclass(frozen=True, slots=True)
class TriedAnswer:
    draft: ReplyDraft
    questions: tuple[TriedQuestion, ...]
    language: str
    gate: float
    searched: int

    @property
    def unanswered_because(self) -> str | None:
        """Why there is no body."""
        if self.draft.body is not None:
            return None
        return (
            " ".join(dict.fromkeys(each.because for each in self.questions)) or "Nothing is asked that a paper answers."
        )


async def ask_evidence(
    scope: TenantScope, question: str, mailbox_id: UUID | None = None, encoder: Encoder | None = None
) -> TriedAnswer:
    """Nothing is kept. With a mailbox, what may be learned from its answers counts too."""
    text = question.strip()
    if not text or len(text) > LONGEST_QUESTION:
        raise BadRequest(f"Ask something, in up to {LONGEST_QUESTION:,} letters.")
    latest = Turn(ref=ProviderRef("asked"), own_text=text)
    box = MailboxId(mailbox_id) if mailbox_id else None
    async with scope.read() as tx:
        policy = await reply_policy(tx)
        thread = Conversation(ProviderRef("asked"), (latest,))
        today = scope.now.date()
        reply, found = await reply_from_papers(tx, thread, latest, today, policy, box, encoder)
        left = replace(reply.asked, questions=tuple(each.question for each in reply.answers if each.passage is None))
        once = await answered_once(tx, left, today) if left.questions else {}
        reply = replace(reply, answers=tuple(_with_ended(each, once.get(each.question)) for each in reply.answers))
    tuning = replace(TUNING, encoder=await working(encoder))
    tried = await asyncio.to_thread(lambda: tuple(_tried(each, reply.asked, found, tuning) for each in reply.answers))
    return TriedAnswer(reply.draft, tried, reply.language, policy.gate_now, found.searched)


def _with_ended(answer: Answer, once: Answer | None) -> Answer:
    """A paper that is over is named as the reason, where it would have answered."""
    if once is None or once.passage is None:
        return answer
    last = next((line.period.last for line in once.passage.lines if line.period and line.period.last), None)
    return replace(answer, because=f"{once.passage.source} would answer it, and held until {last}.") if last else answer


def _tried(answer: Answer, asked: Asked, found: LookedUp, tuning: Tuning) -> TriedQuestion:
    hits = rank(answer.question, found.candidates.get(answer.question, []), found.statistics, asked.context, tuning)
    told = {id(line) for each in (answer.passage, answer.conflict, *answer.also) if each for line in each.lines}
    near = [_near(hit) for hit in hits[: 4 * MOST_NEAR] if id(hit.line) not in told][:MOST_NEAR]
    return TriedQuestion(
        question=" ".join(answer.question.text.split()),
        answer=_quoted(answer.passage),
        conflict=_quoted(answer.conflict),
        also=_quoted(next(iter(answer.also), None)),
        third=_quoted(next(iter(answer.also[1:]), None)),
        partly=answer.partly,
        chance=answer.chance,
        because=answer.because,
        near=tuple(near),
    )


def _quoted(passage: Passage | None) -> QuotedPassage | None:
    if passage is None:
        return None
    lines = tuple(line.text for line in passage.lines)
    return QuotedPassage(passage.source, passage.snippet.snippet.headings, lines)


def _near(hit: Hit) -> QuotedPassage:
    return QuotedPassage(hit.source, hit.snippet.snippet.headings, (hit.line.text,))
