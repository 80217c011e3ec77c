"""Documents: the review queue, one document beside its pages, and handing files in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from postroom import reads
from postroom.doors import limits
from postroom.doors.console import frame
from postroom.doors.console.forms import asked, asked_id, each_taken, handed_in, id_of, one_of, said
from postroom.doors.console.messages import file_response
from postroom.doors.console.page_images import WIDTH, DrawnPage, PageImageCache
from postroom.doors.console.queue_items import changed_meanwhile, seen_revision, with_undo
from postroom.doors.console.review_parts import ReviewPart, amount_spots, parts_of
from postroom.doors.entry import Caller, signed_in
from postroom.mail.sniff import CSV, DOCX, HTML, IMAGES, PDF, RFC822, XLSX
from postroom.nouns.documents import Invoice, Trade
from postroom.nouns.errors import BadRequest, NotFound, StaleRevision
from postroom.rooms.documents import commands
from postroom.rooms.documents.rules.changes import sentence

STATUSES = ("review", "failed", "waiting", "confirmed", "duplicate", "rejected", "skipped")
KINDS = ("contract_note", "activity_statement", "invoice", "other")
PARTS = {"documents": "documents/_list.html", "to-review": "documents/_review.html"}
ONE = {"document": "documents/_document.html"}
ALBUM = PageImageCache()
DRAWN = (PDF, *IMAGES, HTML, CSV, "text/plain", RFC822, DOCX, XLSX)
"""What has pages to look at."""
BY_HAND: dict[commands.ByHand, tuple[str, ...]] = {"invoice": Invoice.NAMES, "contract_note": Trade.NAMES}


async def index(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    everything = asked(request, "status") == "all"
    status = None if everything else one_of(request, "status", STATUSES) or "review"
    kind = one_of(request, "kind", KINDS)
    words, client = asked(request, "q") or None, asked(request, "client")
    async with who.scope.read() as tx:
        account_id = await reads.clients.account_called(tx, client) if client else None
    narrowed: dict[str, Any] = {"status": status, "kind": kind, "account_id": account_id, "words": words}
    found = await commands.documents(who.scope, **narrowed, before=asked_id(request, "before"))
    async with who.scope.read() as tx:
        tally = await reads.overview.documents(tx)
        clients = await reads.clients.clients_of(tx, [each.message_id for each in found.items])
    counts = {each: sum(row.count for row in tally if row.status == each) for each in STATUSES}
    values = {"found": found, "status": status or "all", "kind": kind, "counts": counts, "words": words}
    values |= {"client": client, "clients": clients}
    return await frame.page(request, who, "documents/index.html", PARTS, statuses=STATUSES, kinds=KINDS, **values)


async def review(request: Request) -> Response:
    """To the document that has waited longest."""
    who = await signed_in(request, "viewer")
    first = await commands.next_in_review(who.scope)
    return RedirectResponse(f"/documents/{first}" if first else "/documents", 303)


async def show(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    return await _shown(request, who, id_of(request))


async def _shown(
    request: Request, who: Caller, document_id: UUID, *, typed: Mapping[str, str] | None = None
) -> Response:
    detail = await commands.get_document(who.scope, document_id)
    after = await commands.next_in_review(who.scope, document_id)
    after = after or await commands.next_in_review(who.scope)
    before = await commands.previous_in_review(who.scope, document_id)
    async with who.scope.read() as tx:
        walk = await reads.facts.walk_of_document(tx, document_id)
        names = await reads.facts.labels(tx, walk)
        needs = await reads.overview.needs(tx)
    last = detail.decisions[-1] if detail.decisions else None
    values: dict[str, Any] = {"detail": detail, "doc": detail.document, "walk": walk, "left": needs.review}
    values["drawn"] = DRAWN
    values |= {"pieces": parts_of(detail, typed), "by_hand": BY_HAND, "before": before}
    values["left_over"] = [spot for spot in amount_spots(detail) if spot.left]
    values["following"] = after if after != document_id else None
    values["changed"] = sentence(last) if last and last.actor != who.actor else ""
    values["undoable"] = last if last and last.revision == detail.document.revision and last.can_be_undone else None
    if "hx-request" in request.headers:
        return frame.html(request, ONE["document"], who=who, names=names, **values)
    return await frame.page(request, who, "documents/show.html", names=names, **values)


async def _next(request: Request, who: Caller, document_id: UUID, text: str) -> Response:
    """The next document of the queue in the place of this one; this one again when it was the last."""
    decided = (await commands.get_document(who.scope, document_id)).document
    after = await commands.next_in_review(who.scope, document_id) or await commands.next_in_review(who.scope)
    response = await _shown(request, who, after or document_id)
    response.headers["HX-Push-Url"] = f"/documents/{after or document_id}"
    told = f"{text} {decided.filename}." + ("" if after else " Nothing else is to review.")
    return with_undo(response, told, f"/documents/{document_id}/undo", decided.revision)


async def _as_it_is_now(request: Request, who: Caller, error: StaleRevision, typed: Mapping[str, str]) -> Response:
    """What the person had typed is offered beside what stands there now."""
    return changed_meanwhile(await _shown(request, who, id_of(request), typed=typed), error)


async def confirm(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words, document_id = await said(request), id_of(request)
    try:
        status = await commands.confirm(
            who.scope,
            document_id,
            trade_id=_maybe_id(words.get("trade_id")),
            entry_id=_maybe_id(words.get("entry_id")),
            another=words.get("another") == "yes",
            reason=words.get("reason", ""),
            revision=seen_revision(words),
        )
    except StaleRevision as error:
        return await _as_it_is_now(request, who, error, {})
    if status == "review":  # more of it waits
        return await _again(request, who, "Confirmed. The rest of the document waits.")
    return await _next(request, who, document_id, "Confirmed")


async def _again(request: Request, who: Caller, text: str, kind: str = "good") -> Response:
    """The same document after a decision that can be taken back."""
    response = await _shown(request, who, id_of(request))
    revision = (await commands.get_document(who.scope, id_of(request))).document.revision
    return with_undo(response, text, f"/documents/{id_of(request)}/undo", revision, kind)


async def correct(request: Request) -> Response:
    """Only what differs from what is held counts as a correction."""
    who = await signed_in(request, "operator")
    words, document_id = await said(request), id_of(request)
    trade_id, entry_id = _maybe_id(words.get("trade_id")), _maybe_id(words.get("entry_id"))
    part = _chosen(parts_of(await commands.get_document(who.scope, document_id)), trade_id or entry_id)
    changes = {
        line.name: words[line.name].strip() or None
        for line in part.lines
        if line.name in words and words[line.name].strip() not in (line.value, line.held)
    }
    try:
        if not changes:
            seen_revision(words)
            return frame.toast(await _shown(request, who, document_id), "Nothing was changed.", "plain")
        which = {"trade_id": trade_id, "entry_id": entry_id}
        done = await commands.correct(who.scope, document_id, changes, **which, revision=seen_revision(words))
    except StaleRevision as error:
        typed = {f"{part.id}:{name}": text or "" for name, text in changes.items()}
        return await _as_it_is_now(request, who, error, typed)
    return await _again(request, who, " ".join(["Corrected.", *done.doubts]), "warn" if done.doubts else "good")


def _chosen(parts: Sequence[ReviewPart], part_id: UUID | None) -> ReviewPart:
    found = [part for part in parts if part_id in (None, part.id)]
    if not found:
        raise NotFound("There is nothing of that kind in this document.")
    return found[0]


async def leave_out(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words, document_id = await said(request), id_of(request)
    which = {"trade_id": _maybe_id(words.get("trade_id")), "entry_id": _maybe_id(words.get("entry_id"))}
    try:
        status = await commands.leave_out(who.scope, document_id, **which, revision=seen_revision(words))
    except StaleRevision as error:
        return await _as_it_is_now(request, who, error, {})
    if status == "review":
        return await _again(request, who, "Left out. The rest of the document waits.")
    return await _next(request, who, document_id, "Left out")


async def enter(request: Request) -> Response:
    """What a file says that we could not read, written down by hand."""
    who = await signed_in(request, "operator")
    words, document_id = await said(request), id_of(request)
    kind: commands.ByHand = "invoice" if words.get("kind") == "invoice" else "contract_note"
    values = {name: words.get(name, "") for name in BY_HAND[kind]}
    try:
        await commands.enter(who.scope, document_id, kind, values, revision=seen_revision(words))
    except StaleRevision as error:
        return await _as_it_is_now(request, who, error, {})
    return await _again(request, who, "Entered. Confirm it when it is right.")


async def undo(request: Request) -> Response:
    """Take the last decision back, or put what is over back to review; shows the document again."""
    who = await signed_in(request, "operator")
    document_id = id_of(request)
    try:
        done = await commands.take_back(who.scope, document_id, revision=seen_revision(await said(request)))
    except StaleRevision as error:
        return await _as_it_is_now(request, who, error, {})
    response = await _shown(request, who, document_id)
    response.headers["HX-Push-Url"] = f"/documents/{document_id}"
    text = "It waits for review again." if done.did == "reopened" else f"Taken back: {done.did}. All is as before."
    return frame.toast(response, text, changed=["documents"])


async def reject(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words, document_id = await said(request), id_of(request)
    try:
        await commands.reject(who.scope, document_id, words.get("because", ""), revision=seen_revision(words))
    except StaleRevision as error:
        return await _as_it_is_now(request, who, error, {})
    return await _next(request, who, document_id, "Rejected")


async def retry(request: Request) -> Response:
    who = await signed_in(request, "operator")
    try:
        await commands.retry(who.scope, id_of(request), revision=seen_revision(await said(request)))
    except StaleRevision as error:
        return await _as_it_is_now(request, who, error, {})
    return frame.toast(await _shown(request, who, id_of(request)), "It is being read once more.")


async def upload(request: Request) -> Response:
    who = await signed_in(request, "operator")
    files = await handed_in(request, "files", limits.FILE_BYTES, several=True)
    if not files:
        raise BadRequest("Choose a file first: PDF, picture, Word, Excel, HTML, text, CSV, or an e-invoice as XML.")
    taken, refused = await each_taken(files, lambda name, content: commands.upload(who.scope, content, name))
    what = f"{files[0][0]} is" if len(files) == 1 else f"{len(files)} files are"
    if refused:
        what = f"Of {len(files)} files {len(taken)} {'is' if len(taken) == 1 else 'are'}"
    return frame.done(f"{what} being read.", "documents", refused=refused)


async def page_part(request: Request) -> Response:
    """The picture of a page with the fields that were read from it."""
    who = await signed_in(request, "viewer")
    number = int(request.path_params["page"])
    detail = await commands.get_document(who.scope, id_of(request))
    picture = await _picture(request, who, id_of(request), number)
    values: dict[str, Any] = {"doc": detail.document, "number": number, "picture": picture, "pieces": parts_of(detail)}
    values["spots"] = [spot for spot in amount_spots(detail) if spot.page == number]
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
    Route("/documents/{id:uuid}/leave-out", leave_out, methods=["POST"]),
    Route("/documents/{id:uuid}/retry", retry, methods=["POST"]),
    Route("/documents/{id:uuid}/enter", enter, methods=["POST"]),
    Route("/documents/{id:uuid}/undo", undo, methods=["POST"]),
    Route("/documents/{id:uuid}/original", original, methods=["GET"]),
    Route("/documents/{id:uuid}/pages/{page:int}", page_part, methods=["GET"]),
    Route("/documents/{id:uuid}/pages/{page:int}/image", page_image, methods=["GET"]),
]
