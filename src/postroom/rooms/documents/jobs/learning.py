"""What a correction teaches: the next document of that sender is read with it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from typing import ClassVar

from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.documents import CannotRead, Trade, Value
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import DocumentId
from postroom.nouns.jobs import Job, Priority
from postroom.reading.profiles import learn
from postroom.rooms.documents.ports import DocumentPorts
from postroom.rooms.documents.store import books, documents, reviews


class LearnProfile(Job, frozen=True):
    """Look at a corrected document once more, for how its sender calls things."""

    kind: ClassVar[str] = "documents.learn"
    priority: ClassVar[Priority] = Priority.ROUTINE
    time_limit: ClassVar[timedelta] = timedelta(minutes=10)
    document_id: DocumentId

    @property
    def key(self) -> str:
        return str(self.document_id)

    @property
    def lane(self) -> str:
        return "documents.learn"


@works(LearnProfile)
async def learn_profile(job: LearnProfile, work: Work[DocumentPorts]) -> None:
    async with work.read() as tx:
        held = await documents.document(tx, job.document_id)
        trades = await books.trades_of_document(tx, job.document_id)
        sealed = await reviews.passwords(tx)
    corrected = [trade for trade in trades if trade.corrected_at is not None]
    if held is None or held.archive_path is None or not held.sender_email or len(trades) != 1 or not corrected:
        return  # a statement's rows share their labels; one trade tells which is which
    work.about(held.walk)
    try:
        content = await work.outside.archive.get(held.archive_path)
        secrets = [each.opened(work.outside.sealer, work.tenant_id) for each in sealed]
        text = await work.outside.reader.aread(content, secrets, tenant=work.tenant_id)
    except (NotFound, CannotRead):
        return
    learnt = await asyncio.to_thread(learn, text, _values(corrected[0].as_trade()))
    async with work.finish() as tx:
        before = await reviews.profile(tx, held.sender_email)
        merged = before.merged(learnt) if before else learnt
        if merged == before:
            return
        await reviews.put_profile(tx, work.tenant_id, held.sender_email, merged, held.id, work.now)
        told = facts.ProfileLearnt(document_id=held.id, sender_email=held.sender_email, labels=dict(learnt.labels))
        await work.tell(tx, told)


def _values(trade: Trade) -> Mapping[str, Value]:
    values = {name: getattr(trade, name) for name in Trade.NAMES}
    return {name: value for name, value in values.items() if value is not None}
