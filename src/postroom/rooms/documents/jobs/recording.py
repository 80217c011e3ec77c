"""The closing of a reading: documents, routes and facts, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.ids import DocumentId
from postroom.rooms.documents.jobs.understanding import Understood, repeated
from postroom.rooms.documents.routing import ExtractionRouter
from postroom.rooms.documents.rules.fingerprints import collisions
from postroom.rooms.documents.rules.mail import Outcome
from postroom.rooms.documents.store import beside, documents
from postroom.rooms.documents.store.beside import BesideQuestion
from postroom.rooms.documents.store.documents import NewDocument


async def record(tx: Tx, scope: TenantScope, understood: Sequence[Understood]) -> list[Outcome]:
    """Whoever read the same file at the same time and was first is seen here, since we take turns."""
    if not understood:
        return []
    first, *others = understood
    ids = [each.document.id for each in understood]
    if first.extraction is not None:  # its question takes the turn for all of them: one trip less
        turn = beside.turn_numbers(scope.tenant_id, _marks(understood))
        outcomes = [await _record_one(tx, scope, first, ids, turn)]
    else:
        await beside.take_turn(tx, scope.tenant_id, _marks(understood))
        outcomes = [await _record_one(tx, scope, first, ids)]
    return outcomes + [await _record_one(tx, scope, each, ids) for each in others]


def _marks(understood: Sequence[Understood]) -> list[str]:
    """By what these documents could be in each other's way, and in that of others."""
    marks = []
    for each in understood:
        marks += [f"document {each.document.id}", f"content {each.document.sha256}"]
        marks += collisions(each.extraction) if each.extraction is not None else []
    return marks


async def _record_one(
    tx: Tx, scope: TenantScope, each: Understood, ids: Sequence[DocumentId], turn: Sequence[int] | None = None
) -> Outcome:
    document = each.document
    if each.extraction is None:
        return await _put(tx, scope, document)
    question = BesideQuestion(
        document.id, each.extraction, document.sender_email, document.sha256, ids, document.mailbox_id, turn
    )
    held = await beside.beside(tx, question)
    if held.known is not None:
        return await _put(tx, scope, repeated(document, held.known).document)
    if document.status != "read":
        return await _put(tx, scope, document)
    router = ExtractionRouter(scope, tx)
    routed = await router.plan(tx, question, held, document.trust, document.doubts)
    settled = replace(document, status=routed.status, because=routed.because)
    await documents.put(tx, scope.tenant_id, settled, scope.now)
    await scope.tell(tx, _read(document))
    await router.book(tx, question, routed)
    await scope.tell(tx, _routed(settled, trades=len(routed.trades)))
    return replace(_outcome(settled), trades=len(routed.trades))


async def _put(tx: Tx, scope: TenantScope, document: NewDocument) -> Outcome:
    """One of which nothing is booked."""
    await documents.put(tx, scope.tenant_id, document, scope.now)
    await scope.tell(tx, _unreadable(document) if document.status == "failed" else _routed(document))
    return _outcome(document)


def _outcome(document: NewDocument) -> Outcome:
    return Outcome(
        document.filename, document.kind, document.status, document.because, archive_path=document.archive_path
    )


def _read(document: NewDocument) -> facts.DocumentRead:
    return facts.DocumentRead(
        document_id=document.id,
        message_id=document.message_id,
        mailbox_id=document.mailbox_id,
        filename=document.filename,
        document_kind=document.kind,
        text_source=document.text_source or "",
        archive_path=document.archive_path,
        model=document.extraction.opinion.model if document.extraction and document.extraction.opinion else None,
        tells_of=document.extraction.tells_of if document.extraction else None,
    )


def _unreadable(document: NewDocument) -> facts.DocumentUnreadable:
    return facts.DocumentUnreadable(
        document_id=document.id,
        message_id=document.message_id,
        mailbox_id=document.mailbox_id,
        filename=document.filename,
        failure=document.failure or "",
        because=document.because,
    )


def _routed(document: NewDocument, trades: int = 0) -> facts.DocumentRouted:
    return facts.DocumentRouted(
        document_id=document.id,
        message_id=document.message_id,
        mailbox_id=document.mailbox_id,
        document_kind=document.kind,
        status=document.status,
        because=document.because,
        trades=trades,
        tells_of=document.extraction.tells_of if document.extraction else None,
    )
