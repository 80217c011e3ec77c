"""Evidence: the papers that answers are drawn from."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import File, Form, Request, UploadFile
from pydantic import Field

from postroom.doors.api.paging import OutBody, PageOut
from postroom.doors.api.route import Operator, Reader, UploadRoute, collection
from postroom.rooms.replies import commands
from postroom.rooms.replies.store.evidence import EvidenceDocument

router = collection("evidence")
uploads = collection("evidence", UploadRoute)


class EvidenceOut(OutBody):
    """The current version of a paper. What is internal informs people and is never quoted."""

    id: UUID
    name: str = Field(examples=["house-rules.md"])
    version: int
    kind: Literal["markdown", "text", "html", "pdf"]
    title: str
    language: str
    audience: Literal["public", "internal"]
    dated: date | None
    valid_from: date | None
    valid_until: date | None
    snippets: int
    created_by: str
    created_at: datetime


@uploads.post("/evidence", summary="Hand in a paper, or a new version of one", status_code=201)
async def add_evidence(
    request: Request,
    who: Operator,
    file: Annotated[UploadFile, File(description="Markdown, text, HTML or PDF, up to 20 MB.")],
    audience: Annotated[
        Literal["public", "internal"] | None, Form(description="Told by the paper itself if not given.")
    ] = None,
    valid_until: Annotated[date | None, Form(description="The last day on which it holds.")] = None,
) -> EvidenceOut:
    """The same name makes a new version, which counts from now on. The same paper again changes nothing."""
    reader, name = request.app.state.house.outside.reader, file.filename or ""
    made = await commands.add_evidence(who.scope, reader, name, await file.read(), audience, valid_until)
    return _evidence(made.document)


@router.get("/evidence", summary="List papers by name, each in its current version")
async def list_evidence(who: Reader) -> PageOut[EvidenceOut]:
    return PageOut(items=[_evidence(each) for each in await commands.list_evidence(who.scope)], next=None)


def _evidence(document: EvidenceDocument) -> EvidenceOut:
    return EvidenceOut(**{name: getattr(document, name) for name in EvidenceOut.model_fields})
