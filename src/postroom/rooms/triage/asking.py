"""A thread analysed: by rules, and with a model's opinion if there is a model, which can only add caution."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from postroom.nouns.conversations import Conversation
from postroom.nouns.errors import PostroomError
from postroom.ports import Model
from postroom.rooms.triage.rules import opinion as opinions
from postroom.rooms.triage.rules.analysis import Analysis, analyse
from postroom.rooms.triage.rules.opinion import MailOpinion
from postroom.rooms.triage.rules.topics import TopicMatch
from postroom.rooms.triage.rules.verdicts import Operators, Verdict, triage

BY_RULES = "rules"


@dataclass(frozen=True, slots=True)
class AskedModel:
    """What came of asking a model, and what it cost."""

    opinion: MailOpinion | None
    model: str = BY_RULES
    seconds: float = 0.0
    tokens_in: int = 0
    tokens_out: int = 0
    note: str = ""
    name: str | None = None  # of the model that answered, as the settings name it; None: none did


async def ask_model(model: Model | None, thread: Conversation) -> AskedModel:
    """No answer, late or of another form, is no reason to wait: the rules' own analysis stands."""
    if model is None or thread.latest is None:
        return AskedModel(None)
    system, mail = opinions.question(thread.latest)
    started = time.monotonic()
    try:
        answer = await model.ask(system, mail)
    except PostroomError as trouble:
        return AskedModel(None, BY_RULES, time.monotonic() - started, note=f"{model.name} gave no opinion: {trouble}")
    cost = (answer.model, time.monotonic() - started, answer.tokens_in, answer.tokens_out)
    try:
        return AskedModel(opinions.understood(answer.text, thread.latest), *cost, name=model.name)
    except PostroomError as odd:
        return AskedModel(None, *cost, note=f"{answer.model}'s opinion was left out: {odd}", name=model.name)


def weighed(
    thread: Conversation,
    who: Operators,
    cautions: Sequence[TopicMatch],
    verdict: Verdict,
    opinion: MailOpinion | None,
) -> tuple[Verdict, Analysis]:
    """The verdict with a model's caution added to it, and the analysis that goes with it."""
    if opinion is not None:
        verdict = triage(thread, who, [*cautions, *opinion.topics])
    ours = analyse(thread, verdict)
    return verdict, opinions.weighed(ours, opinion) if opinion is not None else ours
