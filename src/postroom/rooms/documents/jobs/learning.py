"""What a correction teaches: the next document of that sender is read with it, if no earlier one would be misread."""

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
from postroom.reading.learning import INVOICE, TRADE, CheckedPaper, taught
from postroom.reading.profiles import SenderProfile
from postroom.rooms.documents.ports import DocumentPorts
from postroom.rooms.documents.store import bookings, books, documents, invoices, reviews

REMEMBERED = 8
"""Earlier papers of a sender that a lesson is held against."""

EntryAsBooked = tuple[str, Mapping[str, Value | None]]
"""Its kind, and its values by name."""


class LearnProfile(DocumentJob, frozen=True):
    """Look at a corrected document once more, for how its sender calls things."""

    kind: ClassVar[str] = "documents.learn"
    priority: ClassVar[Priority] = Priority.ROUTINE
    time_limit: ClassVar[timedelta] = timedelta(minutes=10)

    @property
    def lane(self) -> str:
        return "documents.learn"


class RelearnProfile(DocumentJob, frozen=True):
    """A correction was taken back: what it taught goes, and what the others taught stays."""

    kind: ClassVar[str] = "documents.relearn"
    priority: ClassVar[Priority] = Priority.ROUTINE
    time_limit: ClassVar[timedelta] = timedelta(minutes=10)

    @property
    def lane(self) -> str:
        return "documents.learn"


@works(LearnProfile)
async def learn_profile(job: LearnProfile, work: Work[DocumentPorts]) -> None:
    async with work.read() as tx:
        held = await documents.document(tx, job.document_id)
        found = await _entries(tx, job.document_id)
        changed = {each.field for each in await reviews.corrections_of_document(tx, job.document_id)}
        sealed = await reviews.passwords(tx)
    if held is None or held.archive_path is None or not held.sender_email or len(found) != 1 or not changed:
        return  # a statement's rows share their labels; one entry tells which is which
    if held.trust == "spoofed":
        return  # whoever pretends to be this sender teaches nothing of how it writes
    work.about(held.walk)
    secrets = [each.opened(work.outside.sealer, work.tenant_id) for each in sealed]
    paper = await _paper(work, held.archive_path, found[0], secrets)
    if paper is None:
        return
    earlier = await _earlier(work, held.sender_email, held.id, secrets)
    async with work.read() as tx:
        before = await reviews.profile(tx, held.sender_email)
    learnt = await asyncio.to_thread(taught, before, paper, changed, earlier)
    if learnt != (before or SenderProfile()):
        await _keep(work, held.id, held.sender_email, learnt)


@works(RelearnProfile)
async def relearn_profile(job: RelearnProfile, work: Work[DocumentPorts]) -> None:
    async with work.read() as tx:
        held = await documents.document(tx, job.document_id)
        before = await reviews.profile(tx, held.sender_email) if held is not None else None
        if held is None or not held.sender_email or before is None:
            return
        standing = await reviews.corrected_papers(tx, held.sender_email, REMEMBERED)
        sealed = await reviews.passwords(tx)
    work.about(held.walk)
    secrets = [each.opened(work.outside.sealer, work.tenant_id) for each in sealed]
    learnt: SenderProfile | None = None
    for each in standing:
        async with work.read() as tx:
            (found,) = await _entries(tx, each.id)
            changed = {one.field for one in await reviews.corrections_of_document(tx, each.id)}
        paper = await _paper(work, each.archive_path, found, secrets)
        if paper is not None:
            earlier = await _earlier(work, held.sender_email, each.id, secrets)
            learnt = await asyncio.to_thread(taught, learnt, paper, changed, earlier)
    if (learnt or SenderProfile()) != before:
        await _keep(work, held.id, held.sender_email, learnt or SenderProfile())


async def _keep(work: Work[DocumentPorts], document_id: DocumentId, sender_email: str, learnt: SenderProfile) -> None:
    async with work.finish() as tx:
        await reviews.put_profile(tx, work.tenant_id, sender_email, learnt, document_id, work.now)
        told = facts.ProfileLearnt(document_id=document_id, sender_email=sender_email, labels=dict(learnt.labels))
        await work.tell(tx, told)


async def _earlier(
    work: Work[DocumentPorts], sender_email: str, but: DocumentId, secrets: Sequence[str]
) -> list[CheckedPaper]:
    """The sender's newest papers that somebody found right: what is learnt now must break none of them."""
    async with work.read() as tx:
        found = await reviews.checked_papers(tx, sender_email, but, REMEMBERED)
        entries = [(each.archive_path, (await _entries(tx, each.id))[0]) for each in found]
    papers = [await _paper(work, path, entry, secrets) for path, entry in entries]
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
    work: Work[DocumentPorts], path: str, entry: EntryAsBooked, secrets: Sequence[str]
) -> CheckedPaper | None:
    try:
        content = await work.outside.archive.get(path)
        text = await work.outside.reader.aread(content, secrets, tenant=work.tenant_id)
    except (NotFound, CannotRead):
        return None
    kind, values = entry
    return CheckedPaper(text, {name: value for name, value in values.items() if value is not None}, kind)
