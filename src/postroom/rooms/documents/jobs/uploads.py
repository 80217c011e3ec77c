"""A file that a person handed in goes through the same door as mail."""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns.jobs import DocumentJob
from postroom.nouns.mail import Trust
from postroom.rooms.documents.jobs.recording import record
from postroom.rooms.documents.jobs.understanding import File, archive, understand
from postroom.rooms.documents.ports import DocumentPorts
from postroom.rooms.documents.store import documents
from postroom.rooms.documents.store.beside import reading_context
from postroom.rooms.documents.store.documents import NewDocument


class ReadUpload(DocumentJob, frozen=True):
    """Read a file that waits in the upload table."""

    kind: ClassVar[str] = "documents.read_upload"
    holds_lane: ClassVar[bool] = False
    time_limit: ClassVar[timedelta] = timedelta(minutes=12)

    @property
    def lane(self) -> str:
        return f"document:{self.document_id}"


@works(ReadUpload)
async def read_upload(job: ReadUpload, work: Work[DocumentPorts]) -> None:
    async with work.read() as tx:
        held = await documents.document(tx, job.document_id)
        content = await documents.upload(tx, job.document_id)
        if held is None or content is None or held.status not in ("waiting", "failed"):
            return  # done already, or rejected meanwhile
    file = File(_afresh(held), content)
    context = await reading_context(
        work.db, work.tenant_id, held.sender_email, [file.document.sha256], but_document=held.id
    )
    understood = await archive(work, [file], await understand(work, [file], context), context)
    async with work.finish() as tx:
        outcomes = await record(tx, work, understood)
        if outcomes[0].status != "failed":
            await documents.drop_upload(tx, job.document_id)


def _afresh(held: documents.Document) -> NewDocument:
    """As it was when it came in."""
    return NewDocument(
        id=held.id,
        message_id=held.message_id,
        mailbox_id=held.mailbox_id,
        attachment_path=held.attachment_path,
        filename=held.filename,
        content_type=held.content_type,
        size=held.size,
        sha256=held.sha256,
        source=held.source,
        source_metadata=held.source_metadata,
        sender_email=held.sender_email,
        received_at=held.received_at,
        trust=Trust(held.trust, held.trust_because),
    )
