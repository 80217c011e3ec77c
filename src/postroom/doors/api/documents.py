"""Documents: files as understood; looked at, confirmed, corrected, rejected, handed in."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import File, Form, Path, Query, Request, Response, UploadFile
from pydantic import ConfigDict, Field, JsonValue

from postroom import reads
from postroom.doors.api.books import EntryOut, FieldOut, InvoiceDetailOut, TradeOut, invoice_of
from postroom.doors.api.facts import FactOut, facts_of
from postroom.doors.api.files import BYTES, as_file
from postroom.doors.api.paging import (
    NO_NUL,
    Cursor,
    InBody,
    Limit,
    OutBody,
    PageOut,
    Revision,
    Word,
    by_id,
    next_after,
)
from postroom.doors.api.route import Operator, Reader, UploadRoute, collection
from postroom.doors.entry import Caller
from postroom.nouns.confirming import ConfirmingMode
from postroom.nouns.documents import DocumentType
from postroom.nouns.errors import BadRequest
from postroom.nouns.mail import TrustLevel
from postroom.reads.clients import MessageClient
from postroom.rooms.documents import commands
from postroom.rooms.documents.rules.mail import Source, Status
from postroom.rooms.documents.store.documents import Listed

router = collection("documents")
uploads = collection("documents", UploadRoute)
Name = Literal[
    "direction", "trade_date", "settlement_date", "quantity", "isin", "ticker", "name", "price", "currency", "gross",
    "fees", "taxes", "net", "number", "issue_date", "due_date", "supplier", "buyer", "net_total", "tax_total",
    "grand_total", "iban", "pay_date", "ex_date", "refund",
]  # fmt: skip
TAKEN = "PDF, PNG, JPEG, TIFF, Word, Excel, HTML, text, CSV or e-invoice XML"
IMAGE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The page as a picture.",
        "content": {"image/png": {"schema": {"type": "string", "format": "binary"}}, "image/svg+xml": {}},
    }
}


class DocumentOut(OutBody):
    """A file as understood."""

    id: UUID
    message_id: UUID | None
    mailbox_id: UUID | None
    filename: str
    content_type: str
    size: int
    kind: DocumentType
    status: Status
    because: str = Field(description="Why it has this status.")
    source: Source
    sender_email: str | None
    received_at: datetime
    trust: TrustLevel
    archive_path: str | None
    duplicate_of: UUID | None
    created_at: datetime
    updated_at: datetime
    tells_of: str | None = Field(description="Of `other`: the kind of its first entry, such as `dividend`.")
    client: str | None = Field(None, description="The code of the account whose mail it came with, where that is sure.")


class CorrectionOut(OutBody):
    """A person overruling us."""

    field: str
    before: str | None
    after: str | None
    page: int | None
    box: list[float] | None
    trade_id: UUID | None
    invoice_id: UUID | None
    booking_id: UUID | None
    corrected_by: str
    corrected_at: datetime


class TwoReadingsOut(OutBody):
    """Both readings of one field; `quote` is the text that the model's rests on."""

    ours: str | None
    theirs: str
    quote: str


class OpinionOut(OutBody):
    """What came of asking a model: it can send a document to a person, never past one."""

    model: str
    agreed: list[str]
    filled: list[str] = Field(description="Fields that only the model read, with a quote.")
    differs: dict[str, TwoReadingsOut]
    dropped: dict[str, str] = Field(description="Claims that did not hold, and why.")
    note: str


class GateOut(OutBody):
    """Whether it could be confirmed by itself, as it was judged when it was read."""

    pipeline: str
    mode: ConfirmingMode = Field(description="What the mailbox let it do then.")
    stated: float = Field(ge=0, le=1, description="How sure the reading is of all that it tells.")
    clear: bool = Field(description="Nothing but the tenant's threshold could speak against it.")
    passed: bool = Field(description="It was confirmed by itself, or would have been.")
    because: str


class DocumentDetailOut(DocumentOut):
    """With everything that came of it, and where on its pages each value was read."""

    sha256: str
    failure: str | None = Field(description="A stable word for why it could not be read.")
    doubts: list[str]
    text_source: str | None
    pages: int | None
    trust_because: str
    source_metadata: dict[str, JsonValue]
    reviewed_by: str | None
    reviewed_at: datetime | None
    revision: int = Field(description="Raised by every change. Say it with a decision, and a stale one is refused.")
    cautions: list[str] = Field(description="What wants a typed reason before it is booked.")
    differences: list[str] = Field(description="To the last invoice of the same sender that was confirmed.")
    fields: dict[str, FieldOut]
    gate: GateOut | None = Field(description="Null where nothing could be confirmed, such as of a file seen before.")
    opinion: OpinionOut | None = Field(description="What a model said of it, where one was asked.")
    trades: list[TradeOut]
    invoice: InvoiceDetailOut | None
    entries: list[EntryOut] = Field(description="What it tells of that is neither a trade nor an invoice.")
    explanations: list[dict[str, JsonValue]] = Field(
        description="Why each entry of the reading is believed or not: amounts used and left over, checks, objections."
    )
    corrections: list[CorrectionOut]


Seen = Annotated[Revision | None, Field(description="The `revision` that was looked at; 409 when it is an older one.")]
Because = Annotated[str, Field(max_length=1000, pattern=NO_NUL)]


class ConfirmationIn(InBody):
    """All that waits in the document, or one trade or other entry of it."""

    trade_id: UUID | None = None
    entry_id: UUID | None = None
    order_id: UUID | None = Field(None, description="The order that it fulfils.")
    another: bool = Field(default=False, description="It looks like one that is booked, and is another all the same.")
    reason: Because = Field("", description="Why it is right all the same: asked for when there are `cautions`.")
    revision: Seen = None


class CorrectionIn(InBody):
    """Values as text: numbers as 1234.56, days as 2026-02-04; null takes a value out."""

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"changes": {"quantity": "100"}}]})

    changes: dict[Name, Annotated[str, Field(max_length=500, pattern=NO_NUL)] | None] = Field(min_length=1)
    trade_id: UUID | None = Field(None, description="Which trade, when the document tells of several.")
    entry_id: UUID | None = Field(None, description="Which other entry, when the document tells of several.")
    revision: Seen = None


class CorrectedOut(OutBody):
    doubts: list[str] = Field(description="What still does not fit together; a person may confirm all the same.")
    document: DocumentDetailOut


class LeavingOutIn(InBody):
    """One of the two."""

    trade_id: UUID | None = None
    entry_id: UUID | None = None
    revision: Seen = None


class RejectionIn(InBody):
    because: str = Field(min_length=1, max_length=1000, pattern=r"^[^\u0000]*\S[^\u0000]*$")

    revision: Seen = None


class RevisionIn(InBody):
    revision: Seen = None


class EntryIn(InBody):
    """What a document says from which nothing was read. Values as in a correction."""

    kind: commands.ByHand
    values: dict[Name, Annotated[str, Field(max_length=500, pattern=NO_NUL)]] = Field(min_length=1)
    revision: Seen = None


class NextDocumentOut(OutBody):
    id: UUID | None = Field(description="Null when nothing waits.")


@router.get("/documents", summary="List documents, newest first")
async def list_documents(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: Status | None = None,
    kind: DocumentType | None = None,
    message_id: UUID | None = None,
    client: Annotated[Word | None, Query(description="An account's code or id: only what came with its mail.")] = None,
) -> PageOut[DocumentOut]:
    """By `status`, by `kind`, by `client`, by several of them, or those of one message."""
    if message_id and (status or kind or client):
        raise BadRequest("Ask for the documents of one message, or by status, kind and client; not for both at once.")
    async with who.scope.read() as tx:
        account_id = await reads.clients.account_called(tx, client) if client else None
    asked: dict[str, Any] = {"status": status, "kind": kind, "message_id": message_id, "account_id": account_id}
    found = await commands.documents(who.scope, **asked, before=by_id(cursor), most=limit)
    async with who.scope.read() as tx:
        clients = await reads.clients.clients_of(tx, [each.message_id for each in found.items])
    items = [_listed(each, clients.get(each.message_id)) for each in found.items]
    return PageOut(items=items, next=next_after(found.next))


def _listed(row: Listed, client: MessageClient | None) -> DocumentOut:
    return DocumentOut.model_validate(row).model_copy(update={"client": client.code if client else None})


@uploads.post("/documents", summary="Hand in a file", status_code=201)
async def upload(
    who: Operator,
    file: Annotated[
        UploadFile,
        File(description=f"{TAKEN}, up to 25 MB."),
    ],
    sender_email: Annotated[
        str | None, Form(max_length=320, pattern=NO_NUL, description="Whom it is from; you if not given.")
    ] = None,
) -> DocumentDetailOut:
    """It is read in the background, through the same door as mail: watch it at `/documents/events`."""
    name = file.filename or "document"
    made = await commands.upload(who.scope, await file.read(), name, sender_email=sender_email or None)
    return await _full(who, made)


@router.get("/documents/next", summary="The document that has waited longest for a person")
async def next_in_review(
    who: Reader, after: Annotated[UUID | None, Query(description="Skip to after this one.")] = None
) -> NextDocumentOut:
    return NextDocumentOut(id=await commands.next_in_review(who.scope, after))


@router.get("/documents/{document_id}", summary="One document with all that came of it")
async def get_document(document_id: UUID, who: Reader) -> DocumentDetailOut:
    return await _full(who, document_id)


@router.post("/documents/{document_id}/confirm", summary="Book what waits for a person")
async def confirm(document_id: UUID, who: Operator, body: ConfirmationIn | None = None) -> DocumentDetailOut:
    said = body or ConfirmationIn()
    await commands.confirm(
        who.scope,
        document_id,
        trade_id=said.trade_id,
        entry_id=said.entry_id,
        order_id=said.order_id,
        another=said.another,
        reason=said.reason,
        revision=said.revision,
    )
    return await _full(who, document_id)


@router.post("/documents/{document_id}/correct", summary="Write what the document really says")
async def correct(document_id: UUID, body: CorrectionIn, who: Operator) -> CorrectedOut:
    """It waits for confirmation afterwards. What is corrected helps with the sender's next documents."""
    changes = {str(name): value for name, value in body.changes.items()}
    which = {"trade_id": body.trade_id, "entry_id": body.entry_id}
    done = await commands.correct(who.scope, document_id, changes, **which, revision=body.revision)
    return CorrectedOut(doubts=[*done.doubts], document=await _full(who, document_id))


@router.post("/documents/{document_id}/reject", summary="Reject a document")
async def reject(document_id: UUID, body: RejectionIn, who: Operator) -> DocumentDetailOut:
    """Nothing of it stays booked, and orders it filled are open again."""
    await commands.reject(who.scope, document_id, body.because, revision=body.revision)
    return await _full(who, document_id)


@router.post("/documents/{document_id}/leave-out", summary="Leave out one thing that was read")
async def leave_out(document_id: UUID, body: LeavingOutIn, who: Operator) -> DocumentDetailOut:
    """It is not so, or another reading of the same: it is not booked, and the rest waits on."""
    which = {"trade_id": body.trade_id, "entry_id": body.entry_id}
    await commands.leave_out(who.scope, document_id, **which, revision=body.revision)
    return await _full(who, document_id)


@router.post("/documents/{document_id}/retry", summary="Read a document that failed once more", status_code=202)
async def retry(document_id: UUID, who: Operator) -> DocumentDetailOut:
    await commands.retry(who.scope, document_id)
    return await _full(who, document_id)


@router.post("/documents/{document_id}/enter", summary="Enter by hand what could not be read")
async def enter(document_id: UUID, body: EntryIn, who: Operator) -> DocumentDetailOut:
    """It waits for confirmation afterwards."""
    values = {str(name): value for name, value in body.values.items()}
    await commands.enter(who.scope, document_id, body.kind, values, revision=body.revision)
    return await _full(who, document_id)


@router.post("/documents/{document_id}/undo", summary="Take the last decision back, or put it back to review")
async def take_back(document_id: UUID, who: Operator, body: RevisionIn | None = None) -> DocumentDetailOut:
    """Exactly as before, if nothing happened since; else what is over waits for a person again."""
    await commands.take_back(who.scope, document_id, revision=body.revision if body else None)
    return await _full(who, document_id)


@router.get("/documents/{document_id}/facts", summary="What happened to a document, newest first")
async def timeline(document_id: UUID, who: Reader, limit: Limit = 100, cursor: Cursor = None) -> PageOut[FactOut]:
    await commands.get_document(who.scope, document_id)
    return await facts_of(who, reads.facts.FactFilter(document_id=document_id), limit, cursor)


@router.get(
    "/documents/{document_id}/pages/{number}",
    summary="One page as a picture",
    response_class=Response,
    responses=IMAGE,
)
async def page_image(
    document_id: UUID,
    number: Annotated[int, Path(ge=1, le=10_000)],
    request: Request,
    who: Reader,
    width: Annotated[int, Query(ge=50, le=3000, description="In pixels.")] = 1000,
) -> Response:
    """Boxes of fields are in points of the page: scale them by the picture's width over the page's."""
    image = await commands.page_image(who.scope, request.app.state.house.outside, document_id, number, width)
    return Response(image.content, media_type=image.content_type)


@router.get("/documents/{document_id}/file", summary="The file as it came", response_class=Response, responses=BYTES)
async def original(document_id: UUID, request: Request, who: Reader) -> Response:
    """To be saved, not shown: it is a stranger's."""
    found, content = await commands.original(who.scope, request.app.state.house.outside, document_id)
    return as_file(found.filename, content)


async def _full(who: Caller, document_id: UUID) -> DocumentDetailOut:
    detail = await commands.get_document(who.scope, document_id)
    found = detail.document
    async with who.scope.read() as tx:
        clients = await reads.clients.clients_of(tx, [found.message_id])
    client = clients.get(found.message_id)
    own = {name: getattr(found, name) for name in DocumentDetailOut.model_fields if hasattr(found, name)}
    extraction = found.extraction or {}
    return DocumentDetailOut(
        **own,
        cautions=[*detail.cautions],
        differences=[*detail.differences],
        client=client.code if client else None,
        fields=extraction.get("fields") or {},
        gate=GateOut.model_validate(detail.gate) if detail.gate else None,
        opinion=extraction.get("opinion"),
        trades=[TradeOut.model_validate(each) for each in detail.trades],
        invoice=invoice_of(detail.invoice, [*detail.lines]) if detail.invoice else None,
        entries=[EntryOut.model_validate(each) for each in detail.bookings],
        explanations=[each["explanation"] for each in extraction.get("entries") or () if each.get("explanation")],
        corrections=[CorrectionOut.model_validate(each) for each in detail.corrections],
    )
