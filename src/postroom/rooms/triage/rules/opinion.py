"""A model's opinion of a mail: the question, and what of the answer counts. It can only add caution."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from typing import Any, get_args

from postroom.nouns.conversations import Turn
from postroom.nouns.errors import Unreadable
from postroom.rooms.triage.rules.analysis import LONGEST_SUMMARY, Analysis
from postroom.rooms.triage.rules.meaning import Intent, Urgency
from postroom.rooms.triage.rules.topics import ENOUGH, TOPICS, TopicMatch

LONGEST_MAIL = 20_000  # letters
LONGEST_REASONING = 400
MOST_TOPICS = 10
URGENCIES: tuple[Urgency, ...] = get_args(Urgency)
INTENTS: tuple[Intent, ...] = get_args(Intent)


@dataclass(frozen=True, slots=True)
class MailOpinion:
    """What a model said, as far as it has the form that was asked for."""

    summary: str
    intent: Intent
    urgency: Urgency
    reasoning: str
    topics: tuple[TopicMatch, ...] = ()


def question(latest: Turn) -> tuple[str, str]:
    """What is ours to say, and the stranger's words behind a fence that they cannot hold."""
    sender = latest.sender.email if latest.sender else ""
    parts = (f"From: {sender}", f"Subject: {latest.subject}", "", latest.own_text, latest.forwarded_text)
    mail = "\n".join(parts)[:LONGEST_MAIL]
    fence = f"=== {hashlib.sha256(mail.encode('utf-8', 'replace')).hexdigest()[:24]} ==="
    return _system().replace("{fence}", fence), f"{fence}\n{mail}\n{fence}"


@cache
def _system() -> str:
    text = resources.files(__package__).joinpath("opinion.toml").read_text("utf-8")
    return str(tomllib.loads(text)["system"]).strip()


def understood(answer: str, latest: Turn) -> MailOpinion:
    """Raises Unreadable: an answer of another form counts for nothing."""
    told = _object(answer)
    intent, urgency = told.get("intent"), told.get("urgency")
    summary, reasoning = told.get("summary"), told.get("reasoning")
    if intent not in INTENTS or urgency not in URGENCIES:
        raise Unreadable("The model named an intent or an urgency that there is none.")
    if not isinstance(summary, str) or not summary.strip():
        raise Unreadable("The model gave no summary.")
    said = reasoning if isinstance(reasoning, str) else ""
    topics = told.get("sensitive")
    return MailOpinion(
        summary=_cut(summary, LONGEST_SUMMARY),
        intent=intent,
        urgency=urgency,
        reasoning=_cut(said, LONGEST_REASONING),
        topics=tuple(_topics(topics if isinstance(topics, list) else [], latest)),
    )


def _object(answer: str) -> dict[str, Any]:
    start = answer.find("{")
    try:
        found, _ = json.JSONDecoder().raw_decode(answer, start) if start >= 0 else (None, 0)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Unreadable("The model's answer is no JSON object.")
    return found


def _topics(told: Sequence[Any], latest: Turn) -> list[TopicMatch]:
    """A quote that does not stand in the mail is left out; the caution stays."""
    mail = " ".join(f"{latest.subject} {latest.own_text} {latest.forwarded_text}".split()).casefold()
    found: list[TopicMatch] = []
    for each in told[:MOST_TOPICS]:
        topic = each.get("topic") if isinstance(each, dict) else each
        quote = each.get("quote") if isinstance(each, dict) else None
        if topic in TOPICS:
            words = " ".join(quote.split()) if isinstance(quote, str) else ""
            stands = bool(words) and words.casefold() in mail
            found.append(TopicMatch(str(topic), ENOUGH, (words[:120],) if stands else ("as a model reads it",)))
    return found


def _cut(text: str, longest: int) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= longest else plain[: longest - 1].rsplit(" ", 1)[0] + "…"


def weighed(ours: Analysis, opinion: MailOpinion) -> Analysis:
    """Its words, and the higher urgency of the two."""
    higher = max(ours.urgency, opinion.urgency, key=URGENCIES.index)
    reasoning = opinion.reasoning or ours.reasoning
    return replace(ours, summary=opinion.summary, intent=opinion.intent, urgency=higher, reasoning=reasoning)
