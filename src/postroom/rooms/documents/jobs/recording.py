"""The closing of a reading: documents, routes and facts, in the caller's transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.rooms.documents.jobs.understanding import Understood, repeated
from postroom.rooms.documents.routing import ExtractionRouter
from postroom.rooms.documents.rules.mail import Outcome
from postroom.rooms.documents.store import documents
from postroom.rooms.documents.store.documents import NewDocument


async def record(tx: Tx, scope: TenantScope, understood: Sequence[Understood]) -> list[Outcome]:
    """Whoever read the same file at the same time and was first is seen here, since we take turns."""
    await documents.take_turns(tx, scope.tenant_id)
    fresh = [each for each in understood if each.extraction is not None]
    hashes = {each.document.sha256 for each in fresh}
    known = await documents.known_contents(tx, hashes, [each.document.id for each in understood])
    outcomes = []
    for each in understood:
        twin = known.get(each.document.sha256) if each.extraction is not None else None
        outcomes.append(await _record_one(tx, scope, repeated(each.document, twin) if twin else each))
    return outcomes


async def _record_one(tx: Tx, scope: TenantScope, each: Understood) -> Outcome:
    document = each.document
    await documents.put(tx, scope.tenant_id, document, scope.now)
    if document.status == "failed":
        await scope.tell(tx, _unreadable(document))
        return _outcome(document)
    if each.extraction is None or document.status != "read":
        await scope.tell(tx, _routed(document))
        return _outcome(document)
    await scope.tell(tx, _read(document))
    routed = await ExtractionRouter(scope, tx).process_and_route(document.id, each.extraction, document.sender_email)
    settled = replace(document, status=routed.status, because=routed.because)
    return replace(_outcome(settled), trades=len(routed.trades))


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


def _routed(document: NewDocument) -> facts.DocumentRouted:
    return facts.DocumentRouted(
        document_id=document.id,
        message_id=document.message_id,
        mailbox_id=document.mailbox_id,
        document_kind=document.kind,
        status=document.status,
        because=document.because,
    )
