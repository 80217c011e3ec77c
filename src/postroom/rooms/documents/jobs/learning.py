"""What corrections teach: a sender's next documents are read with what several of its documents agree on."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import ClassVar

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns import facts
from postroom.nouns.documents import CannotRead, Invoice, Trade, Value
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import DocumentId
from postroom.nouns.jobs import DocumentJob, Priority
from postroom.reading.learning import INVOICE, TRADE, CheckedPaper, held_against, taught
from postroom.reading.profiles import SenderProfile
from postroom.rooms.documents.ports import DocumentPorts
from postroom.rooms.documents.store import bookings, books, documents, invoices, reviews
from postroom.rooms.documents.store.reviews import CheckedDocument, Correction

REMEMBERED = 8
"""Earlier papers of a sender that a lesson is held against."""

EntryAsBooked = tuple[str, Mapping[str, Value | None]]
"""Its kind, and its values by name."""


class LearnProfile(DocumentJob, frozen=True):
    """Hear what a document that a person corrected or found right says of how its sender calls things."""

    kind: ClassVar[str] = "documents.learn"
    priority: ClassVar[Priority] = Priority.ROUTINE
    time_limit: ClassVar[timedelta] = timedelta(minutes=10)

    @property
    def lane(self) -> str:
        return "documents.learn"


class RelearnProfile(DocumentJob, frozen=True):
    """A decision was taken back: what the document said of its sender goes, and what the others said stays."""

    kind: ClassVar[str] = "documents.relearn"
    priority: ClassVar[Priority] = Priority.ROUTINE
    time_limit: ClassVar[timedelta] = timedelta(minutes=10)

    @property
    def lane(self) -> str:
        return "documents.learn"


@works(LearnProfile)
async def learn_profile(job: LearnProfile, work: Work[DocumentPorts]) -> None:
    await _hear(job.document_id, work)


@works(RelearnProfile)
async def relearn_profile(job: RelearnProfile, work: Work[DocumentPorts]) -> None:
    await _hear(job.document_id, work)


async def _hear(document_id: DocumentId, work: Work[DocumentPorts]) -> None:
    """What the document says of its sender, as it stands now; what it said before is forgotten."""
    async with work.read() as tx:
        held = await documents.document(tx, document_id)
        if held is None or not held.sender_email or held.trust == "spoofed":
            return  # whoever pretends to be this sender teaches nothing of how it writes
        before = await reviews.profile(tx, held.sender_email)
        changed = _changed(await reviews.corrections_of_document(tx, document_id))
        if before is None and not changed:
            return
        found = await _entries(tx, document_id)
        sealed = await reviews.passwords(tx)
        witnesses = {one for lesson in before.lessons for one in (*lesson.mended, *lesson.agreed)} if before else ()
        gone = await reviews.no_longer_confirmed(tx, witnesses)
    work.about(held.walk)
    known = before or SenderProfile()
    for one in gone:
        known = known.without(one)
    secrets = [each.opened(work.outside.sealer, work.tenant_id) for each in sealed]
    paper = None
    if held.archive_path is not None and len(found) == 1:  # a statement's rows share their labels
        paper = await _paper(work, CheckedDocument(held.id, held.archive_path, by_person=True), found[0], secrets)
    if paper is None:
        learnt = known.without(str(held.id))
    elif held.status == "confirmed" and held.reviewed_by is not None:
        earlier = await _earlier(work, held.sender_email, held.id, secrets)
        learnt = await asyncio.to_thread(taught, known, paper, changed, earlier)
    elif changed and held.status == "review":
        learnt = await asyncio.to_thread(held_against, known, paper, changed)
    else:
        learnt = known.without(str(held.id))
    if learnt != (before or SenderProfile()):
        await _keep(work, held.id, held.sender_email, before or SenderProfile(), learnt)


def _changed(corrections: Sequence[Correction]) -> set[str]:
    """The fields that are not what was read; a value that was changed back is."""
    first = {each.field: each.before for each in reversed(corrections)}
    last = {each.field: each.after for each in corrections}
    return {name for name in first if first[name] != last[name]}


async def _keep(
    work: Work[DocumentPorts],
    document_id: DocumentId,
    sender_email: str,
    before: SenderProfile,
    learnt: SenderProfile,
) -> None:
    async with work.finish() as tx:
        if learnt == SenderProfile():
            await reviews.drop_profile(tx, sender_email)
        else:
            await reviews.put_profile(tx, work.tenant_id, sender_email, learnt, document_id, work.now)
        for each in learnt.dropped:
            if each not in before.dropped:
                dropped = facts.LessonDropped(
                    document_id=document_id,
                    sender_email=sender_email,
                    phrase=each.phrase,
                    field=each.field,
                    because=f"{each.said} This document says otherwise; the next ones are read without it.",
                )
                await work.tell(tx, dropped)
        if (learnt.labels, learnt.trades_on_settlement_day) != (before.labels, before.trades_on_settlement_day):
            told = facts.ProfileLearnt(document_id=document_id, sender_email=sender_email, labels=dict(learnt.labels))
            await work.tell(tx, told)


async def _earlier(
    work: Work[DocumentPorts], sender_email: str, but: DocumentId, secrets: Sequence[str]
) -> list[CheckedPaper]:
    """The sender's newest papers that somebody found right: what is learnt now must break none of them."""
    async with work.read() as tx:
        found = await reviews.checked_papers(tx, sender_email, but, REMEMBERED)
        entries = [(each, (await _entries(tx, each.id))[0]) for each in found]
    papers = [await _paper(work, each, entry, secrets) for each, entry in entries]
    return [paper for paper in papers if paper is not None]


async def _entries(tx: Tx, document_id: DocumentId) -> list[EntryAsBooked]:
    """What stands in the books of a document, of whatever kind."""
    bill = await invoices.invoice_of_document(tx, document_id)
    trades = [each.as_trade() for each in await books.trades_of_document(tx, document_id)]
    others = [each.as_booking() for each in await bookings.bookings_of_document(tx, document_id)]
    return [
        *((TRADE, {name: getattr(trade, name) for name in Trade.NAMES}) for trade in trades),
        *((INVOICE, {name: getattr(bill, name) for name in Invoice.NAMES}) for bill in ([bill] if bill else [])),
        *((other.kind, other.values) for other in others),
    ]


async def _paper(
    work: Work[DocumentPorts], document: CheckedDocument, entry: EntryAsBooked, secrets: Sequence[str]
) -> CheckedPaper | None:
    try:
        content = await work.outside.archive.get(document.archive_path)
        text = await work.outside.reader.aread(content, secrets, tenant=work.tenant_id)
    except (NotFound, CannotRead):
        return None
    kind, values = entry
    stated = {name: value for name, value in values.items() if value is not None}
    return CheckedPaper(text, stated, kind, str(document.id), document.by_person)
