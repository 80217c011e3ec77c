"""What a thread is about: by rules, and with a model if there is one; and the channel it goes to."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.nouns import facts
from postroom.nouns.conversations import Conversation
from postroom.nouns.errors import PostroomError
from postroom.rooms.triage.ports import TriagePorts
from postroom.rooms.triage.rules import opinion as opinions
from postroom.rooms.triage.rules.analysis import Analysis, analyse
from postroom.rooms.triage.rules.channels import ChannelChoice, choose_channel
from postroom.rooms.triage.rules.opinion import MailOpinion
from postroom.rooms.triage.rules.topics import TopicMatch
from postroom.rooms.triage.rules.verdicts import Operators, Verdict, triage
from postroom.rooms.triage.store import threads
from postroom.rooms.triage.store.threads import ThreadCase

if TYPE_CHECKING:
    from postroom.rooms.triage.jobs.triaging import Gathered

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


@dataclass(frozen=True, slots=True)
class Analysed:
    analysis: Analysis
    channel: ChannelChoice
    asked: AskedModel

    async def record(self, tx: Tx, work: Work[TriagePorts], case: ThreadCase, message_id: UUID | None) -> None:
        kept = {**self.analysis.as_json(), "note": self.asked.note}
        channel_id = self.channel.channel.id if self.channel.channel else None
        await threads.put_analysis(tx, case.thread_id, kept, self.asked.model, channel_id, self.channel.because)
        told = facts.ThreadAnalysed(
            mailbox_id=case.mailbox_id,
            thread_id=case.thread_id,
            message_id=message_id,
            intent=self.analysis.intent,
            urgency=self.analysis.urgency,
            channel=self.channel.name,
            model=self.asked.model,
            seconds=round(self.asked.seconds, 3),
            tokens_in=self.asked.tokens_in,
            tokens_out=self.asked.tokens_out,
            note=self.asked.note,
        )
        await work.tell(tx, told)


async def analysed(
    work: Work[TriagePorts],
    gathered: Gathered,
    thread: Conversation,
    who: Operators,
    cautions: Sequence[TopicMatch],
    verdict: Verdict,
) -> tuple[Verdict, Analysed]:
    """The verdict with a model's caution added to it, and the analysis that goes with it."""
    asked = await _ask(work, thread)
    if asked.opinion is not None:
        verdict = triage(thread, who, [*cautions, *asked.opinion.topics])
    ours = analyse(thread, verdict)
    found = opinions.weighed(ours, asked.opinion) if asked.opinion is not None else ours
    async with work.read() as tx:
        accounts = await threads.accounts_of_thread(tx, gathered.case.thread_id)
    assert thread.latest is not None  # a thread without a message is ignored
    channel = choose_channel(gathered.channels, thread.latest, found.intent, accounts)
    named = replace(found, suggested_channel=str(channel.channel.id) if channel.channel else None)
    return verdict, Analysed(named, channel, asked)


async def _ask(work: Work[TriagePorts], thread: Conversation) -> AskedModel:
    """No answer, late or of another form, is no reason to wait: the rules' own analysis stands."""
    model: Any = work.outside.model
    if model is None or thread.latest is None:
        return AskedModel(None)
    system, mail = opinions.question(thread.latest)
    started = time.monotonic()
    try:
        answer = await model.ask(system, mail)
        spent = time.monotonic() - started
        cost = (answer.model, spent, answer.tokens_in, answer.tokens_out)
        work.answered_by(model.name, answer.model)
    except PostroomError as trouble:
        return AskedModel(None, BY_RULES, time.monotonic() - started, note=f"{model.name} gave no opinion: {trouble}")
    try:
        return AskedModel(opinions.understood(answer.text, thread.latest), *cost)
    except PostroomError as odd:
        return AskedModel(None, *cost, note=f"{answer.model}'s opinion was left out: {odd}")
