"""Evidence: the papers that answers are drawn from."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import File, Form, Query, Request, UploadFile
from pydantic import Field

from postroom.doors.api.paging import NO_NUL, InBody, OutBody, PageOut
from postroom.doors.api.route import Operator, Reader, UploadRoute, collection
from postroom.rooms.replies import commands
from postroom.rooms.replies.store.evidence import EvidenceDocument
from postroom.rooms.triage import commands as triage

router = collection("evidence")
uploads = collection("evidence", UploadRoute)


LONGEST_TEXT = 2_000_000
AudienceWord = Literal["public", "internal"]


class EvidenceOut(OutBody):
    """A version of a paper, or an answer that a person sent. What is internal informs people and is never quoted."""

    id: UUID
    name: str = Field(examples=["house-rules.md"])
    version: int
    kind: Literal["markdown", "text", "html", "pdf", "answer"]
    title: str
    language: str
    audience: Literal["public", "internal"]
    dated: date | None
    valid_from: date | None
    valid_until: date | None
    snippets: int
    is_current: bool
    mailbox_id: UUID | None = Field(description="Of an answer: the mailbox that sent it, and alone may give it again.")
    thread_id: UUID | None
    created_by: str
    created_at: datetime
    retired_by: str | None
    retired_at: datetime | None


class ReplacingPaperOut(OutBody):
    id: UUID
    name: str
    effective_from: date


class DatedPartOut(OutBody):
    headings: list[str]
    text: str = Field(description="The first of its lines.")
    lines: int
    valid_from: date | None
    valid_until: date | None


class EvidenceDetailOut(EvidenceOut):
    body: str = Field(description="Its text as it was read.")
    versions: list[EvidenceOut] = Field(description="Newest first.")
    replaced_by: list[ReplacingPaperOut] = Field(description="Papers that took, or will take, its place.")
    parts: list[DatedPartOut] = Field(description="Parts that hold only from or until a day, as the paper says.")


class EvidenceIn(InBody):
    text: Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT, pattern=NO_NUL)] | None = Field(
        None, description="Null leaves the words as they are."
    )
    audience: AudienceWord | None = Field(None, description="Told by the paper itself if not given.")
    valid_until: date | None = None


class EvidenceQuestionIn(InBody):
    question: Annotated[str, Field(min_length=1, max_length=4_000, pattern=NO_NUL, examples=["When is breakfast?"])]
    mailbox_id: UUID | None = Field(None, description="Then what may be learned from its answers counts too.")


class PassageOut(OutBody):
    source: str
    headings: list[str]
    lines: list[str]


class TriedQuestionOut(OutBody):
    """One thing that was asked: what answers it, or why nothing does."""

    question: str
    answer: PassageOut | None
    conflict: PassageOut | None = Field(description="Another paper says something else: a person has to choose.")
    also: PassageOut | None = Field(description="Does nearly as well, and is quoted beside it.")
    third: PassageOut | None = Field(description="Does nearly as well, too.")
    partly: bool
    chance: float = Field(description="That what was found answers it.")
    because: str
    near: list[PassageOut] = Field(description="What came near.")


class TriedAnswerOut(OutBody):
    """What would be drafted; nothing was kept."""

    body: str | None
    withheld_because: str | None = Field(
        description="Why a mail that says this waits for a person: a sensitive topic, or nothing that answers it."
    )
    questions: list[TriedQuestionOut]
    language: str
    gate: float = Field(description="The chance of being right from which on something is quoted.")
    searched: int


@uploads.post("/evidence", summary="Hand in a paper, or a new version of one", status_code=201)
async def add_evidence(
    request: Request,
    who: Operator,
    file: Annotated[UploadFile, File(description="Markdown, text, HTML or PDF, up to 20 MB.")],
    audience: Annotated[AudienceWord | None, Form(description="Told by the paper itself if not given.")] = None,
    valid_until: Annotated[date | None, Form(description="The last day on which it holds.")] = None,
) -> EvidenceOut:
    """The same name makes a new version, which counts from now on. The same paper again changes nothing."""
    reader, name = request.app.state.house.outside.reader, file.filename or ""
    made = await commands.add_evidence(who.scope, reader, name, await file.read(), audience, valid_until)
    return _evidence(made.document)


@router.get("/evidence", summary="List papers by name, each in its current version")
async def list_evidence(
    who: Reader,
    source: Annotated[
        Literal["paper", "answer", "retired"],
        Query(
            description="`answer`: what was learned from sent mail, newest first. `retired`: what of both was retired, "
            "the last one first."
        ),
    ] = "paper",
) -> PageOut[EvidenceOut]:
    lists = {"paper": commands.list_evidence, "answer": commands.list_answers, "retired": commands.list_retired}
    listed = lists[source]
    return PageOut(items=[_evidence(each) for each in await listed(who.scope)], next=None)


@router.post("/evidence/ask", summary="What would be answered to a question, from which paper, and why or why not")
async def ask_evidence(body: EvidenceQuestionIn, who: Reader, request: Request) -> TriedAnswerOut:
    """Nothing is kept, and nothing is written anywhere."""
    encoder = request.app.state.house.outside.encoder
    tried = await commands.ask_evidence(who.scope, body.question, body.mailbox_id, encoder)
    return TriedAnswerOut(
        body=tried.draft.body,
        withheld_because=await triage.withheld_because(who.scope, body.question) or tried.unanswered_because,
        questions=[TriedQuestionOut.model_validate(each) for each in tried.questions],
        language=tried.language,
        gate=tried.gate,
        searched=tried.searched,
    )


@router.get("/evidence/{evidence_id}", summary="One version of a paper with its text, and the others")
async def get_evidence(evidence_id: UUID, who: Reader) -> EvidenceDetailOut:
    found = await commands.one_evidence(who.scope, evidence_id)
    return EvidenceDetailOut(
        **_evidence(found.document).model_dump(),
        body=found.body,
        versions=[_evidence(each) for each in found.versions],
        replaced_by=[ReplacingPaperOut.model_validate(each) for each in found.replaced_by],
        parts=[DatedPartOut.model_validate(each) for each in found.parts],
    )


@router.put("/evidence/{evidence_id}", summary="Change a paper: that makes a new version")
async def change_evidence(evidence_id: UUID, body: EvidenceIn, who: Operator) -> EvidenceOut:
    """Of a PDF only what is said of it; hand in the changed file for other words."""
    made = await commands.change_evidence(who.scope, evidence_id, body.text, body.audience, body.valid_until)
    return _evidence(made.document)


@router.post("/evidence/{evidence_id}/retire", summary="Take a paper off the shelf")
async def retire_evidence(evidence_id: UUID, who: Operator) -> EvidenceDetailOut:
    """Nothing is drafted from it any more. Drafts that were written from it keep what they stand on."""
    await commands.retire_evidence(who.scope, evidence_id)
    return await get_evidence(evidence_id, who)


@router.post("/evidence/{evidence_id}/restore", summary="Take a retired paper back in use")
async def restore_evidence(evidence_id: UUID, who: Operator) -> EvidenceDetailOut:
    """Its last version counts again, as it was."""
    await commands.restore_evidence(who.scope, evidence_id)
    return await get_evidence(evidence_id, who)


def _evidence(document: EvidenceDocument) -> EvidenceOut:
    return EvidenceOut(**{name: getattr(document, name) for name in EvidenceOut.model_fields})
