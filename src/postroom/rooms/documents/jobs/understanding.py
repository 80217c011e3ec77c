"""From bytes to a document as understood, and from there into the archive. Nothing is recorded here."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, replace

import structlog

from postroom.engine.work import Work
from postroom.nouns.documents import CannotRead, Extraction
from postroom.nouns.errors import PostroomError
from postroom.ports import Model
from postroom.reading.profiles import SenderProfile
from postroom.rooms.documents import routing
from postroom.rooms.documents.agent import reconsidered
from postroom.rooms.documents.archive import PDFArchiver, unique_id_for
from postroom.rooms.documents.ports import DocumentPorts, FileReading
from postroom.rooms.documents.rules.mail import Status, archive_folder
from postroom.rooms.documents.second_opinion import WithDeadline
from postroom.rooms.documents.store import beside
from postroom.rooms.documents.store.beside import BesideQuestion, ReadingContext
from postroom.rooms.documents.store.documents import KnownContent, NewDocument

AT_ONCE = 2
OPINIONS_TAKE = 180.0  # seconds, for all documents of a mail: the job's own limit is not spent on them
SCRIPTED = "The file carries a script or macros, which were not run."
WITHHELD = "It has hidden sheets, rows or columns, which were not read."
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class File:
    """A file to be read, and all that is known of where it came from."""

    document: NewDocument
    content: bytes
    message_ref: str | None = None  # the provider's id of its message


@dataclass(frozen=True, slots=True)
class Understood:
    """A file after reading: what it says, or why not, or which document it repeats."""

    document: NewDocument
    extraction: Extraction | None = None
    known: KnownContent | None = None


async def understand(work: Work[DocumentPorts], files: Sequence[File], context: ReadingContext) -> list[Understood]:
    """Each file once: what we hold already is not read again. One that cannot be read does not stop the others."""
    known, profile, own = context.known_contents(), context.sender_profile, context.own
    secrets = context.passwords(work.outside.sealer, work.tenant_id)
    model = WithDeadline(work.outside.model, OPINIONS_TAKE) if work.outside.model else None
    turn = asyncio.Semaphore(AT_ONCE)

    async def one(file: File) -> Understood:
        if twin := known.get(file.document.sha256):
            return repeated(file.document, twin)
        async with turn:
            return await _read(work, file, secrets, profile, own, model)

    return list(await asyncio.gather(*(one(file) for file in files)))


def repeated(document: NewDocument, twin: KnownContent) -> Understood:
    """The same bytes again: the first document speaks for this one too."""
    fate = ", which was rejected" if twin.status == "rejected" else ""
    said = f"The same file as {twin.filename} of {twin.received_at:%Y-%m-%d}{fate}."
    status: Status = "skipped" if twin.status == "skipped" else "duplicate"
    again = replace(
        document,
        status=status,
        kind=twin.kind,
        because=said,
        duplicate_of=twin.id,
        archive_path=twin.archive_path,
        extraction=None,
    )
    return Understood(again, known=twin)


async def _read(
    work: Work[DocumentPorts],
    file: File,
    secrets: Sequence[str],
    profile: SenderProfile | None,
    own: Sequence[str],
    model: Model | None,
) -> Understood:
    try:
        read = await work.outside.reader.aextract(
            file.content, secrets, profile=profile, own=own, with_words=model is not None, tenant=work.tenant_id
        )
        extraction = await reconsidered(read, profile, model)
    except CannotRead as refusal:
        return _failed(file.document, refusal.reason, str(refusal))
    except PostroomError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours in one document must not hold up the mail
        log.warning("reading failed", document=str(file.document.id), error=type(error).__name__, at=_where(error))
        return _failed(file.document, "fault", f"The reading stumbled over it ({type(error).__name__}); try again.")
    return _understood(file.document, extraction, read)


def _where(error: Exception) -> str:
    """File and line only: a whole traceback would carry people's words into the log."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{last.filename.rpartition('/')[2]}:{last.lineno}"


def _understood(document: NewDocument, extraction: Extraction, read: FileReading) -> Understood:
    understood = replace(
        document,
        kind=extraction.type,
        extraction=extraction,
        because=extraction.because,
        doubts=[*([SCRIPTED] if read.scripted else []), *([WITHHELD] if read.withheld else [])],
        text_source=read.source,
        pages=read.pages or None,
    )
    return Understood(understood, extraction)


def _failed(document: NewDocument, failure: str, because: str) -> Understood:
    return Understood(replace(document, status="failed", failure=failure, because=because, extraction=None))


async def archive(
    work: Work[DocumentPorts], files: Sequence[File], understood: Sequence[Understood], context: ReadingContext
) -> list[Understood]:
    """Keep what was understood and concerns us. Safe to repeat: the same file has the same path."""
    archiver = PDFArchiver(work.outside.archive, now=lambda: work.now, under=archive_folder(context.tenant_name))
    kept = []
    for file, each in zip(files, understood, strict=True):
        key = await _trade_key(work, each) if context.has_orders else None
        kept.append(await _archive_one(archiver, file, each, key))
    return kept


async def _archive_one(archiver: PDFArchiver, file: File, each: Understood, key: str | None) -> Understood:
    document = each.document
    if (
        each.extraction is None
        or document.status != "read"
        or not (document.kind != "other" or each.extraction.entries)
    ):
        return each
    path = await archiver.aarchive_processed_pdf(
        file.content,
        document.sender_email or "",
        document.received_at,
        unique_id_for(key, file.message_ref) if key or file.message_ref else str(document.id),
        document.filename,
        document.source,
        trade_key=key,
    )
    return replace(each, document=replace(document, archive_path=path))


async def _trade_key(work: Work[DocumentPorts], each: Understood) -> str | None:
    """The name in the archive of a note about one trade, when we know whose it is: when an order waits for it."""
    document, read = each.document, each.extraction
    if read is None or document.status != "read" or len(read.trades) != 1:
        return None
    question = BesideQuestion(document.id, read, document.sender_email)
    held = await beside.look_beside(work.db, work.tenant_id, question)
    context = routing.routing_context(held, document.trust, document.doubts, document.sender_email)
    return routing.plan_trades(read, context, held)[0].trade_key
