"""From a thread and a shelf of papers to a draft: the whole way without a database and without a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import takewhile

from postroom.mail.language import Language, detect
from postroom.mail.sentences import tokens
from postroom.nouns.conversations import Conversation, Turn
from postroom.rooms.replies.rules.answers import Answer, Candidates, answer_all
from postroom.rooms.replies.rules.claims import Blocked
from postroom.rooms.replies.rules.drafting import ReplyDraft, Voice, draft_reply
from postroom.rooms.replies.rules.papers import Paper
from postroom.rooms.replies.rules.questions import Asked, asked
from postroom.rooms.replies.rules.search import TUNING, IndexedSnippet, Statistics, Tuning, index_papers, statistics_of
from postroom.rooms.replies.rules.shelf import Shelf, shelf
from postroom.rooms.replies.rules.terms import best_known

SURE_OF_LANGUAGE = 0.8
MOST_EARLIER = 4  # messages of the thread that are looked at


@dataclass(frozen=True, slots=True)
class Library:
    """Papers made ready to be asked."""

    shelf: Shelf
    indexed: tuple[IndexedSnippet, ...]
    statistics: Statistics
    today: date


@dataclass(frozen=True, slots=True)
class Reply:
    asked: Asked
    answers: tuple[Answer, ...]
    draft: ReplyDraft
    language: Language


def library(papers: Sequence[Paper], today: date) -> Library:
    """Internal and outdated papers are gone before anything is indexed, so no score can leak them."""
    kept = shelf(papers, today)
    indexed = tuple(index_papers(kept.papers))
    return Library(kept, indexed, statistics_of(indexed), today)


def read_question(thread: Conversation, latest: Turn, today: date | None = None) -> tuple[Asked, Language]:
    earlier = [each for each in thread.messages if each is not latest and not each.is_draft][-MOST_EARLIER:]
    language = spoken_language(latest, earlier)
    waiting = unanswered(earlier, latest)
    told = [each for each in reversed(earlier[: len(earlier) - len(waiting)]) if each.sender == latest.sender]
    words = [each.own_text for each in told if each.own_text]
    before = [_unsigned(each) for each in waiting]
    return asked(latest.subject, _unsigned(latest), language, words, before, today), language


def unanswered(earlier: Sequence[Turn], latest: Turn) -> Sequence[Turn]:
    """What the same person wrote right before, oldest first: who writes again still waits for the first answer."""
    writer = latest.sender.email if latest.sender else ""
    found = takewhile(lambda turn: turn.sender is not None and turn.sender.email == writer, reversed(earlier))
    return list(found)[::-1]


def _unsigned(turn: Turn) -> str:
    """The text without the lines that hold only the sender's name: no paper speaks of it."""
    named = set(tokens(turn.sender.name)) if turn.sender else set()
    return "\n".join(
        line for line in turn.own_text.split("\n") if not tokens(line) or not named.issuperset(tokens(line))
    )


def spoken_language(latest: Turn, earlier: Sequence[Turn]) -> Language:
    """A short answer such as "And in January?" is in the language of the thread."""
    guess = detect(f"{latest.subject}\n{latest.own_text}")
    if guess.sure >= SURE_OF_LANGUAGE:
        return guess.language
    if not earlier:
        return best_known(latest.own_text or latest.subject, guess.ranked[:3])
    return detect("\n".join([latest.own_text, *(each.own_text for each in earlier)]), fallback=guess.language).language


def spoken_words(thread: Conversation, question: Asked) -> str:
    """What was said in the thread, as far as a draft may repeat it: orders to machines are no ground for anything."""
    told = "\n".join(each.own_text for each in thread.messages if not each.is_draft)
    flat = " ".join(told.split())
    for order in question.orders:
        flat = flat.replace(" ".join(order.split()), " ")
    return flat


def reply_to(
    thread: Conversation,
    latest: Turn,
    papers: Library,
    sender: str,
    voice: Voice | None = None,
    tuning: Tuning = TUNING,
    gate: float | None = None,
) -> Reply:
    question, language = read_question(thread, latest, papers.today)
    return answered(
        thread, question, language, lambda _: papers.indexed, papers.statistics, sender, voice, tuning, gate
    )


def answered(
    thread: Conversation,
    question: Asked,
    language: Language,
    candidates: Candidates,
    statistics: Statistics,
    sender: str,
    voice: Voice | None = None,
    tuning: Tuning = TUNING,
    gate: float | None = None,
) -> Reply:
    """The same from candidates that were looked up."""
    answers = answer_all(question, candidates, statistics, tuning, gate)
    draft = draft_reply(answers, language, sender, voice, spoken_words(thread, question))
    return Reply(question, tuple(answers), with_orders(draft, question), language)


def with_orders(draft: ReplyDraft, question: Asked) -> ReplyDraft:
    """Orders to a machine are told; one that asks something stays open as well, since it may have been a person's."""
    blocked = tuple(Blocked(order, "It gives orders to a machine; it was not followed.") for order in question.orders)
    asks = tuple(order for order in question.orders if order.rstrip(" \"'»”)").endswith("?"))
    return replace(draft, questions=(*draft.questions, *asks), blocked=(*draft.blocked, *blocked))
