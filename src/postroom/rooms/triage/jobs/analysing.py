"""What a thread is about, as the job records it: the analysis, who was asked, and the channel it goes to."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.nouns import facts
from postroom.nouns.conversations import Conversation
from postroom.rooms.triage.asking import AskedModel, ask_model, weighed
from postroom.rooms.triage.ports import TriagePorts
from postroom.rooms.triage.rules.analysis import Analysis
from postroom.rooms.triage.rules.channels import ChannelChoice, in_channel
from postroom.rooms.triage.rules.topics import TopicMatch
from postroom.rooms.triage.rules.verdicts import Operators, Verdict
from postroom.rooms.triage.store import threads
from postroom.rooms.triage.store.threads import ThreadCase

if TYPE_CHECKING:
    from postroom.rooms.triage.jobs.triaging import Gathered


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
    asked = await ask_model(work.outside.model, thread)
    if asked.name is not None:
        work.answered_by(asked.name, asked.model)
    verdict, found = await asyncio.to_thread(weighed, thread, who, cautions, verdict, asked.opinion)
    async with work.read() as tx:
        accounts = await threads.accounts_of_thread(tx, gathered.case.thread_id)
    assert thread.latest is not None  # a thread without a message is ignored
    named, channel = await asyncio.to_thread(in_channel, found, gathered.channels, thread.latest, accounts)
    return verdict, Analysed(named, channel, asked)
