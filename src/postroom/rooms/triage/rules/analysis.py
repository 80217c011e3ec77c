"""What a thread is about, by rules: a summary in the sender's own words, the intent, the urgency, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from postroom.mail.language import Language, detect
from postroom.mail.sentences import Sentence, sentences
from postroom.nouns.conversations import Conversation
from postroom.rooms.triage.rules.concepts import lexicon
from postroom.rooms.triage.rules.verdicts import Verdict

Intent = Literal["request", "question", "update", "complaint", "introduction", "other"]
Urgency = Literal["low", "normal", "high", "critical"]
LONGEST_SUMMARY = 280
# How much each concept speaks for an intent: set by hand, checked on the labelled threads.
QUESTION_MARK = 1.6
SILENCE = 0.4
_SIGNS: dict[Intent, dict[str, float]] = {
    "complaint": {"complaint": 1.1, "overcharged": 0.8, "compensation": 0.5, "failing": 0.4},
    "introduction": {"introduction": 2.0},
    "request": {"ask_for_action": 0.9, "cancel": 1.2, "refund": 1.0, "exception": 0.5},
    "question": {"question": 0.3},
    "update": {"update": 1.5},
    "other": {"thanks": 0.5},
}


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
    text = "\n\n".join(part for part in (latest.own_text, latest.forwarded_text) if part) or latest.subject
    language = detect(f"{latest.subject}\n{text}").language
    reading = _read(f"{latest.subject}.\n\n{text}", language)
    intent, why = _intent(reading, text)
    urgency, urgent_why = _urgency(reading, verdict, intent)
    return Analysis(_summary(text, reading, language), intent, urgency, reasoning=f"{why} {urgent_why}")


def _read(text: str, language: Language) -> _Reading:
    words = lexicon(*sorted({language, "en"}))
    found = sentences(text)
    return _Reading(found, [Counter(hit.concept for hit in words.hits(each) if not hit.negated) for each in found])


def _intent(reading: _Reading, text: str) -> tuple[Intent, str]:
    total = reading.total
    marks = text.count("?")
    scores = {intent: sum(weight * total[name] for name, weight in signs.items()) for intent, signs in _SIGNS.items()}
    scores["question"] += QUESTION_MARK * marks
    scores["other"] += SILENCE
    best = max(scores, key=lambda intent: scores[intent])
    return best, f"Read as {best}."


def _urgency(reading: _Reading, verdict: Verdict, intent: Intent) -> tuple[Urgency, str]:
    total = reading.total
    topics = {match.topic for match in verdict.matched if match.decides}
    if "safety" in topics and total["ongoing"]:
        return "critical", "Danger or harm, and it goes on now."
    if topics & {"safety", "medical", "legal"}:
        return "high", f"It concerns {', '.join(sorted(topics & {'safety', 'medical', 'legal'}))}."
    if total["haste"] or total["soon"]:
        return "high", "It wants to be dealt with soon."
    if intent in {"update", "other"}:
        return "low", "Nothing is asked."
    return "normal", "No haste is told."


def _summary(text: str, reading: _Reading, language: Language) -> str:
    del language
    chosen = [each.text for each, concepts in zip(reading.sentences[1:], reading.concepts[1:], strict=True) if concepts]
    summary = " ".join(chosen or [" ".join(text.split())])
    return summary if len(summary) <= LONGEST_SUMMARY else summary[: LONGEST_SUMMARY - 1].rsplit(" ", 1)[0] + "…"
