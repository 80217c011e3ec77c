"""What a thread is about, by rules: a summary in the sender's own words, the intent, the urgency, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from postroom.mail.language import Language, detect
from postroom.mail.sentences import Sentence, sentences
from postroom.mail.subjects import names_something
from postroom.nouns.conversations import Conversation, Turn
from postroom.rooms.triage.rules.concepts import lexicon
from postroom.rooms.triage.rules.deadlines import deadline
from postroom.rooms.triage.rules.history import SOON, raised, written_in_vain
from postroom.rooms.triage.rules.meaning import INTENTS, URGENCIES, Intent, Meaning, Urgency, meaning_of
from postroom.rooms.triage.rules.topics import Topic
from postroom.rooms.triage.rules.verdicts import Verdict, languages_of, words_that_count

NEAR_TIE = 0.5  # log-odds between two intents that a reader might take for each other
LONGEST_SUMMARY = 280


@dataclass(frozen=True, slots=True)
class Analysis:
    """The answer of `email-analyse`."""

    summary: str
    intent: Intent
    urgency: Urgency
    suggested_channel: str | None = None
    draft_response: str | None = None
    reasoning: str = ""

    def as_json(self) -> dict[str, str | None]:
        return {
            "summary": self.summary,
            "intent": self.intent,
            "urgency": self.urgency,
            "suggestedChannel": self.suggested_channel,
            "draftResponse": self.draft_response,
            "reasoning": self.reasoning,
        }


@dataclass(frozen=True, slots=True)
class _Reading:
    sentences: Sequence[Sentence]
    concepts: Sequence[Mapping[str, int]]

    @property
    def total(self) -> Counter[str]:
        return sum((Counter(each) for each in self.concepts), Counter[str]())


def analyse(thread: Conversation, verdict: Verdict) -> Analysis:
    latest = thread.latest
    if latest is None:
        return Analysis("", "other", "low", reasoning="There is no message.")
    if not (latest.own_text.strip() or latest.forwarded_text.strip() or names_something(latest.subject)):
        return Analysis("", "other", "low", reasoning="Nothing is written in it.")
    text = "\n\n".join(part for part in (latest.own_text, latest.forwarded_text) if part) or latest.subject
    language = detect(f"{latest.subject}\n{text}").language
    reading = _read(f"{latest.subject}.\n\n{text}", language)
    meaning = meaning_of(words_that_count(latest), languages_of(words_that_count(latest)))
    intent, why = _intent(meaning)
    told, told_why = _urgency(meaning, reading, verdict)
    hurried, hurry_why = _wanted_by(told, intent, latest)
    urgency, waiting_why = raised(hurried, written_in_vain(thread))
    because = waiting_why or hurry_why or told_why
    return Analysis(_summary(text, reading, language), intent, urgency, reasoning=f"{why} {because}")


def _read(text: str, language: Language) -> _Reading:
    words = lexicon(*sorted({language, "en"}))
    found = sentences(text)
    return _Reading(found, [Counter(hit.concept for hit in words.hits(each) if not hit.negated) for each in found])


def _intent(meaning: Meaning) -> tuple[Intent, str]:
    best = meaning.intent
    second = max((intent for intent in INTENTS if intent != best), key=meaning.odds.__getitem__)
    near = meaning.odds[best] - meaning.odds[second] < NEAR_TIE
    return best, f"Read as {best}; it may be {second} too." if near else f"Read as {best}."


def _urgency(meaning: Meaning, reading: _Reading, verdict: Verdict) -> tuple[Urgency, str]:
    """What similar mails are; danger that goes on now is critical, health or safety never less than high."""
    total = reading.total
    topics = {match.topic for match in verdict.matched if match.decides}
    if ("safety" in topics and total["ongoing"]) or (topics & _GRAVE and total["life_in_danger"]):
        return "critical", "Danger or harm, and it goes on now."
    urgency = max(URGENCIES, key=meaning.odds.__getitem__)
    if topics and meaning.strongest in _GRAVE and urgency != "critical":
        urgency = "high"
    return urgency, _URGENT_WHY[urgency]


def _wanted_by(urgency: Urgency, intent: Intent, latest: Turn) -> tuple[Urgency, str | None]:
    """A wish with a last day that is near is urgent, whatever its words."""
    if urgency != "normal" or intent not in _WISHES or latest.sent_at is None:
        return urgency, None
    last = deadline(latest)
    if last is None or not timedelta() <= last - latest.sent_at.date() <= SOON:
        return urgency, None
    return "high", f"It is wanted by {last.day} {last:%B}."


_GRAVE: frozenset[Topic] = frozenset({"medical", "safety"})
_WISHES: frozenset[Intent] = frozenset({"request", "question", "complaint"})
_URGENT_WHY: dict[Urgency, str] = {
    "critical": "Danger or harm, and it goes on now.",
    "high": "It concerns health, safety or the law, or wants to be dealt with soon.",
    "normal": "Nothing in it says that it is urgent.",
    "low": "Nothing is asked.",
}


def _summary(text: str, reading: _Reading, language: Language) -> str:
    del language
    chosen = [each.text for each, concepts in zip(reading.sentences[1:], reading.concepts[1:], strict=True) if concepts]
    summary = " ".join(chosen or [" ".join(text.split())])
    return summary if len(summary) <= LONGEST_SUMMARY else summary[: LONGEST_SUMMARY - 1].rsplit(" ", 1)[0] + "…"
