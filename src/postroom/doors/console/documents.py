"""Documents: the review queue, one document beside its pages, and handing files in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from postroom import reads
from postroom.doors import limits
from postroom.doors.console import frame
from postroom.doors.console.forms import asked, asked_id, handed_in, id_of, one_of, said
from postroom.doors.console.messages import file_response
from postroom.doors.console.page_images import WIDTH, DrawnPage, PageImageCache
from postroom.doors.entry import Caller, signed_in
from postroom.nouns.documents import Invoice, Trade, plain
from postroom.nouns.errors import BadRequest, NotFound
from postroom.rooms.documents import commands

STATUSES = ("review", "failed", "waiting", "confirmed", "duplicate", "rejected", "skipped")
KINDS = ("contract_note", "activity_statement", "invoice", "other")
PARTS = {"documents": "documents/_list.html"}
ONE = {"document": "documents/_document.html"}
ALBUM = PageImageCache()


@dataclass(frozen=True, slots=True)
class FieldLine:
    """A field as it is shown: its value as text, how sure the reading is, and where it stands on the page."""

    name: str
    value: str
    confidence: float | None
    page: int | None
    box: Sequence[float] | None
    others: Sequence[Mapping[str, Any]] = ()

    @property
    def doubtful(self) -> bool:
        return self.confidence is not None and self.confidence < 0.9


@dataclass(frozen=True, slots=True)
class ReviewPart:
    """A trade or an invoice of the document."""

    id: UUID
    what: str
    status: str
    because: str
    lines: Sequence[FieldLine]
    order: str = ""


def parts_of(detail: commands.Detail) -> list[ReviewPart]:
    if detail.invoice is not None:
        return [
            ReviewPart(detail.invoice.id, "invoice", *_standing(detail.invoice), _lines(detail.invoice, Invoice.NAMES))
        ]
    return [
        ReviewPart(trade.id, "trade", *_standing(trade), _lines(trade, Trade.NAMES), trade.order_because or "")
        for trade in detail.trades
    ]


def _standing(row: Any) -> tuple[str, str]:
    return row.status, row.because


def _lines(row: Any, names: Sequence[str]) -> list[FieldLine]:
    lines = []
    for name in names:
        place: dict[str, Any] = row.fields.get(name) or {}
        value = plain(getattr(row, name)) or ""
        others = place.get("candidates") or ()
        lines.append(FieldLine(name, value, place.get("confidence"), place.get("page"), place.get("box"), others))
    return lines


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    everything = asked(request, "status") == "all"
    status = None if everything else one_of(request, "status", STATUSES) or "review"
    kind = one_of(request, "kind", KINDS)
    found = await commands.documents(who.scope, status=status, kind=kind, before=asked_id(request, "before"))
    async with who.scope.read() as tx:
        tally = await reads.overview.documents(tx)
    counts = {each: sum(row.count for row in tally if row.status == each) for each in STATUSES}
    values = {"found": found, "status": status or "all", "kind": kind, "counts": counts}
    return await frame.page(request, who, "documents/index.html", PARTS, statuses=STATUSES, kinds=KINDS, **values)


async def review(request: Request) -> Response:
    """To the document that has waited longest."""
    who = await signed_in(request, "viewer")
    first = await commands.next_in_review(who.scope)
    return RedirectResponse(f"/documents/{first}" if first else "/documents", 303)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    return await _shown(request, who, id_of(request))


async def _shown(request: Request, who: Caller, document_id: UUID) -> Response:
    detail = await commands.get_document(who.scope, document_id)
    after = await commands.next_in_review(who.scope, document_id)
    after = after or await commands.next_in_review(who.scope)
    async with who.scope.read() as tx:
        walk = await reads.facts.walk_of_document(tx, document_id)
        names = await reads.facts.labels(tx, walk)
        needs = await reads.overview.needs(tx)
    values: dict[str, Any] = {"detail": detail, "doc": detail.document, "pieces": parts_of(detail), "walk": walk}
    values["left"] = needs.review
    values["following"] = after if after != document_id else None
    if "hx-request" in request.headers:
        return frame.html(request, ONE["document"], who=who, names=names, **values)
    return await frame.page(request, who, "documents/show.html", names=names, **values)


async def _next(request: Request, who: Caller, document_id: UUID, text: str) -> Response:
    """The next document of the queue in the place of this one; this one again when it was the last."""
    after = await commands.next_in_review(who.scope, document_id) or await commands.next_in_review(who.scope)
    response = await _shown(request, who, after or document_id)
    response.headers["HX-Push-Url"] = f"/documents/{after or document_id}"
    return frame.toast(response, text if after else f"{text} Nothing else waits for you.")


async def confirm(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words, document_id = await said(request), id_of(request)
    status = await commands.confirm(
        who.scope, document_id, trade_id=_maybe_id(words.get("trade_id")), another=words.get("another") == "yes"
    )
    if status == "review":  # more of it waits
        return frame.toast(await _shown(request, who, document_id), "Confirmed. The rest of the document waits.")
    return await _next(request, who, document_id, "Confirmed.")


async def correct(request: Request) -> Response:
    """Only what differs from what is held counts as a correction."""
    who = await signed_in(request, "operator")
    words, document_id = await said(request), id_of(request)
    trade_id = _maybe_id(words.get("trade_id"))
    part = _chosen(parts_of(await commands.get_document(who.scope, document_id)), trade_id)
    changes = {
        line.name: words[line.name].strip() or None
        for line in part.lines
        if line.name in words and words[line.name].strip() != line.value
    }
    if not changes:
        return frame.toast(await _shown(request, who, document_id), "Nothing was changed.", "plain")
    done = await commands.correct(who.scope, document_id, changes, trade_id=trade_id)
    text = " ".join(["Corrected.", *done.doubts])
    return frame.toast(await _shown(request, who, document_id), text, "warn" if done.doubts else "good")


def _chosen(parts: Sequence[ReviewPart], part_id: UUID | None) -> ReviewPart:
    found = [part for part in parts if part_id is None or part.id == part_id or part.what == "invoice"]
    if not found:
        raise NotFound("There is nothing of that kind in this document.")
    return found[0]


async def reject(request: Request) -> Response:
    who = await signed_in(request, "operator")
    document_id = id_of(request)
    await commands.reject(who.scope, document_id, (await said(request)).get("because", ""))
    return await _next(request, who, document_id, "Rejected.")


async def retry(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.retry(who.scope, id_of(request))
    return frame.toast(await _shown(request, who, id_of(request)), "It is read once more.")


async def upload(request: Request) -> Response:
    who = await signed_in(request, "operator")
    files = await handed_in(request, "files", limits.FILE_BYTES, several=True)
    if not files:
        raise BadRequest("Choose a file first: PDF, PNG, JPEG, TIFF, or an e-invoice as XML.")
    for filename, content in files:
        await commands.upload(who.scope, content, filename)
    text = f"{files[0][0]} is being read." if len(files) == 1 else f"{len(files)} files are being read."
    return frame.done(text, "documents")


async def page_part(request: Request) -> Response:
    """The picture of a page with the fields that were read from it."""
    who = await signed_in(request, "viewer")
    number = int(request.path_params["page"])
    detail = await commands.get_document(who.scope, id_of(request))
    picture = await _picture(request, who, id_of(request), number)
    values: dict[str, Any] = {"doc": detail.document, "number": number, "picture": picture, "pieces": parts_of(detail)}
    return frame.html(request, "documents/_page.html", who=who, **values)


async def page_image(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    picture = await _picture(request, who, id_of(request), int(request.path_params["page"]))
    headers = {**frame.GUARDS, "Content-Security-Policy": "default-src 'none'"}
    return Response(picture.content, headers=headers, media_type=picture.content_type)


async def _picture(request: Request, who: Caller, document_id: UUID, page: int) -> DrawnPage:
    async def draw() -> tuple[bytes, str]:
        drawn = await commands.page_image(who.scope, request.app.state.house.outside, document_id, page, WIDTH)
        return drawn.content, drawn.content_type

    return await ALBUM.picture(who.tenant_id, document_id, page, draw)


async def original(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    found, content = await commands.original(who.scope, request.app.state.house.outside, id_of(request))
    return file_response(content, found.filename, found.content_type)


def _maybe_id(text: str | None) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise NotFound("There is no such trade in this document.") from None


ROUTES = [
    Route("/documents", index, methods=["GET"]),
    Route("/documents/review", review, methods=["GET"]),
    Route("/documents/upload", upload, methods=["POST"]),
    Route("/documents/{id:uuid}", show, methods=["GET"]),
    Route("/documents/{id:uuid}/confirm", confirm, methods=["POST"]),
    Route("/documents/{id:uuid}/correct", correct, methods=["POST"]),
    Route("/documents/{id:uuid}/reject", reject, methods=["POST"]),
    Route("/documents/{id:uuid}/retry", retry, methods=["POST"]),
    Route("/documents/{id:uuid}/original", original, methods=["GET"]),
    Route("/documents/{id:uuid}/pages/{page:int}", page_part, methods=["GET"]),
    Route("/documents/{id:uuid}/pages/{page:int}/image", page_image, methods=["GET"]),
]
