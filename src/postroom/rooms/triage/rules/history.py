"""How long somebody has been writing in vain: mails without an answer, asking after it, a time that went by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise

from postroom.mail.sentences import sentences
from postroom.nouns.conversations import Conversation, Turn
from postroom.rooms.triage.rules.concepts import lexicon
from postroom.rooms.triage.rules.deadlines import asks, deadline
from postroom.rooms.triage.rules.meaning import Urgency
from postroom.rooms.triage.rules.verdicts import bare, languages_of, speaker, words_that_count
from postroom.rooms.triage.rules.vocabulary import rows_of

ANOTHER_TIME = timedelta(hours=12)  # what comes sooner belongs to the mail before: a file forgotten, a word put right
SOON = timedelta(days=2)  # the longest that the lists call soon
OFTEN = 3
# Rows of the vocabulary that ask after an answer when they stand in one sentence.
_CHASING = (
    frozenset({"wait", "answer"}),
    frozenset({"wait", "still"}),
    frozenset({"wait", "since"}),
    frozenset({"still", "answer"}),
    frozenset({"not", "answer"}),
    frozenset({"again", "answer"}),
)


@dataclass(frozen=True, slots=True)
class WritingInVain:
    """What the newest writer did since anybody else wrote."""

    times: int = 0  # mails soon after each other are one
    chases: bool = False  # asks after an answer
    overdue: bool = False  # asked for something soon, and soon is over


def written_in_vain(thread: Conversation) -> WritingInVain:
    mails = _since_anybody_answered(thread)
    dates = [each.sent_at for each in mails if each.sent_at is not None]
    times = 1 + sum(later - earlier >= ANOTHER_TIME for earlier, later in pairwise(dates)) if mails else 0
    if times < 2:
        return WritingInVain(times)
    return WritingInVain(times, chases=_chases(mails[-1]), overdue=_overdue(mails))


def raised(urgency: Urgency, history: WritingInVain) -> tuple[Urgency, str | None]:
    """One step, and the reason. What asks for nothing stays low; what is high is not made a danger by waiting."""
    if urgency != "normal":
        return urgency, None
    if history.overdue:
        return "high", "It was asked for in good time, and that time went by without an answer."
    if history.times >= OFTEN:
        return "high", f"The sender wrote {history.times} times without an answer."
    if history.chases:
        return "high", "The sender asks after an answer that never came."
    return urgency, None


def _since_anybody_answered(thread: Conversation) -> list[Turn]:
    """The newest mails of one writer, oldest first; a machine's receipt is no answer."""
    found: list[Turn] = []
    writer = None
    for each in reversed(thread.messages):
        who = speaker(each)
        if each.is_draft or each.machine_answers or who is None:
            continue
        if writer is not None and bare(who.email) != writer:
            break
        writer = bare(who.email)
        found.append(each)
    return found[::-1]


def _chases(latest: Turn) -> bool:
    text = latest.own_text
    languages = languages_of(text)
    for sentence in sentences(text):
        rows = {row.name for token in sentence.tokens for row in rows_of(token, languages)}
        if any(together <= rows for together in _CHASING):
            return True
    return False


def _overdue(mails: Sequence[Turn]) -> bool:
    newest = mails[-1].sent_at
    if newest is None:
        return False
    for each in mails[:-1]:
        if each.sent_at is not None and newest - each.sent_at > SOON and _wants_it_soon(each):
            return True
        wanted_by = deadline(each)
        if wanted_by is not None and wanted_by < newest.date():
            return True
    return False


def _wants_it_soon(mail: Turn) -> bool:
    languages = languages_of(words_that_count(mail))
    words = lexicon(*sorted({*languages, "en"}))
    return any(
        asks(each, languages) and any(hit.concept == "soon" and not hit.negated for hit in words.hits(each))
        for each in sentences(mail.own_text)
    )
