"""Skills: what a program may ask for by name. What needs a person's yes ends in a proposal."""

from __future__ import annotations

import asyncio
import base64
from datetime import datetime
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

from fastapi import Request
from pydantic import BaseModel, ConfigDict, Field, model_validator

from postroom.doors.api.paging import NO_NUL, InBody, Moment, OutBody, PageOut
from postroom.doors.api.proposals import ProposalIn, ProposalOut, proposal_of, wanted_mail
from postroom.doors.api.route import Operator, Reader, collection
from postroom.mail.headers import addresses
from postroom.mail.replies import split_reply
from postroom.nouns.errors import BadRequest
from postroom.nouns.mail import MailMessage
from postroom.rooms import skillset
from postroom.rooms.documents.commands import AttachedFile
from postroom.rooms.skills import rules
from postroom.rooms.skills.commands import SkillRun
from postroom.rooms.tenants.rules import Role

router = collection("skills")
T = TypeVar("T")
MOST_ADDRESSES, MOST_EARLIER, LONGEST_BODY = 300, 50, 100_000
LARGEST_INLINE = 5 * 1024 * 1024
AddressText = Annotated[str, Field(max_length=500, pattern=NO_NUL, examples=["Anna Kowalski <anna@client.example>"])]
AddressTexts = Annotated[list[AddressText], Field(max_length=MOST_ADDRESSES)]
BodyText = Annotated[str, Field(max_length=LONGEST_BODY, pattern=NO_NUL)]


class ShownMailIn(InBody):
    """A mail in words."""

    model_config = ConfigDict(extra="forbid", populate_by_name=True)

    from_: AddressText | None = Field(None, alias="from")
    to: AddressTexts = Field(default_factory=list)
    cc: AddressTexts = Field(default_factory=list)
    reply_to: AddressTexts = Field(default_factory=list)
    subject: str = Field("", max_length=2000, pattern=NO_NUL)
    body: BodyText | None = None
    received_at: Moment | None = None


class AnalyseIn(ShownMailIn):
    """A message or a thread that is kept here, by its id; or a mail in words: `from`, `subject`, `body`."""

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        json_schema_extra={
            "examples": [
                {"message_id": "0193a7c4-5f00-7000-8000-1b2c3d4e5f60"},
                {"from": "guest@client.example", "subject": "Breakfast", "body": "When is breakfast served?"},
            ]
        },
    )

    message_id: UUID | None = Field(None, description="The thread as it was when this message came.")
    thread_id: UUID | None = Field(None, description="The thread as it is now.")
    thread: Annotated[list[ShownMailIn], Field(max_length=MOST_EARLIER)] = Field(
        default_factory=list, description="With a mail in words: those before it, oldest first."
    )

    @model_validator(mode="after")
    def one_mail(self) -> AnalyseIn:
        words = self.from_ is not None or self.body is not None
        if [self.message_id is not None, self.thread_id is not None, words].count(True) != 1:
            raise ValueError("give one of message_id, thread_id, or a mail in words (from, subject, body)")
        if words and (self.from_ is None or self.body is None):
            raise ValueError("a mail in words has from and body")
        return self


class AnalysisOfMailOut(OutBody):
    """What a mail is about. `draftResponse` only where triage leaves an answer to be made and papers support one."""

    summary: str
    intent: Literal["request", "question", "update", "complaint", "introduction", "other"]
    urgency: Literal["low", "normal", "high", "critical"]
    suggestedChannel: str | None = Field(description="The id of a channel; null: Default.")  # noqa: N815 - the name that its readers know
    draftResponse: str | None  # noqa: N815 - the name that its readers know
    reasoning: str


class FetchAttachmentIn(InBody):
    message_id: UUID
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="Of the file's bytes, as the message names it.")
    with_content: bool = Field(default=False, description="Also give the bytes, in base64, of files up to 5 MB.")


class FetchedAttachmentOut(OutBody):
    """A stranger's file: to be saved, never run. Its type is what the bytes say."""

    message_id: UUID
    sha256: str
    filename: str
    content_type: str
    size: int
    path: str = Field(
        description="Where the bytes are to be had: GET it with the same key.",
        examples=["/api/v1/messages/0193a7c4-5f00-7000-8000-1b2c3d4e5f60/attachments/9f86d0…"],
    )
    content: str | None = Field(None, description="The bytes in base64, if they were asked for and are not too many.")


class SendIn(ProposalIn):
    """A mail to propose: a reply or a forward names a message. Nothing is sent until a person approves it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"message_id": "0193a7c4-5f00-7000-8000-1b2c3d4e5f60", "body": "Breakfast is served from 7 to 10."},
                {"to": ["anna@client.example"], "subject": "Your order", "body": "It is on its way."},
            ]
        },
    )

    @model_validator(mode="before")
    @classmethod
    def a_reply_where_a_message_is_named(cls, given: Any) -> Any:
        if isinstance(given, dict) and given.get("message_id") and "kind" not in given:
            return {**given, "kind": "reply"}
        return given


class SkillOut(OutBody):
    """What can be asked for, by whom, and whether it acts by itself (`JustDoIt`) or asks a person (`AskMeFirst`)."""

    id: str = Field(examples=["email-analyse"])
    description: str
    category: str = Field(examples=["integration"])
    executor: Literal["llm", "code"]
    authority: rules.Authority
    triggers: list[str]
    role: Role = Field(description="The least role that may run it.")
    input_schema: dict[str, Any] = Field(description="JSON Schema of the body that `run` takes.")
    output_schema: dict[str, Any] = Field(description="JSON Schema of `output`.")


class SkillRunOut(OutBody, Generic[T]):
    """What came of a run. `waiting`: a person has to say yes first."""

    run_id: UUID
    skill: str
    authority: rules.Authority
    status: Literal["done", "waiting"]
    because: str
    model: str = Field(description="`rules` when no model was asked.")
    output: T
    started_at: datetime
    finished_at: datetime


BODIES: dict[rules.SkillId, tuple[type[BaseModel], type[BaseModel], Role]] = {
    "email-analyse": (AnalyseIn, AnalysisOfMailOut, "viewer"),
    "email-send": (SendIn, ProposalOut, "operator"),
    "email-fetch-attachment": (FetchAttachmentIn, FetchedAttachmentOut, "viewer"),
}


@router.get("/skills", summary="What can be asked for by name")
async def list_skills(who: Reader) -> PageOut[SkillOut]:
    del who
    return PageOut(items=[_skill(each) for each in rules.SKILLS], next=None)


@router.post("/skills/email-analyse/run", summary="Say what a mail is about")
async def run_analyse(body: AnalyseIn, request: Request, who: Reader) -> SkillRunOut[AnalysisOfMailOut | None]:
    """`output` is null where nobody has to do anything about the mail; `because` says why."""
    mails = await asyncio.to_thread(_mails, body) if body.from_ is not None else []
    run = await skillset.run_analyse(
        who.scope,
        request.app.state.house.outside,
        message_id=body.message_id,
        thread_id=body.thread_id,
        mails=mails,
    )
    analysis = run.result.output
    return _run(run, AnalysisOfMailOut.model_validate(analysis.as_json()) if analysis else None)


@router.post("/skills/email-send/run", summary="Propose a mail: a person decides whether it is sent")
async def run_send(body: SendIn, request: Request, who: Operator) -> SkillRunOut[ProposalOut]:
    """Never sends. `status` is `waiting`; `output` is the proposal, with the hash that a person's yes is bound to.

    Left out, `kind` is `reply` where a message is named, else `new`.
    """
    origin = "person" if who.person_id else "program"
    run = await skillset.run_send(who.scope, request.app.state.house.outside, wanted_mail(body), origin)
    return _run(run, proposal_of(run.result.output))


@router.post("/skills/email-fetch-attachment/run", summary="Bring a file of a mail, and keep it")
async def run_fetch_attachment(
    body: FetchAttachmentIn, request: Request, who: Reader
) -> SkillRunOut[FetchedAttachmentOut]:
    """The bytes come from the mailbox the first time, from the archive after that."""
    outside = request.app.state.house.outside
    run = await skillset.run_fetch_attachment(who.scope, outside, body.message_id, body.sha256)
    return _run(run, await asyncio.to_thread(_fetched, body, run.result.output))


@router.post("/skills/{skill_id}/run", summary="Run a skill by its id", include_in_schema=False)
async def run_unknown(skill_id: str, who: Reader) -> None:
    """Those that there are have routes of their own."""
    del who
    raise BadRequest(f"{rules.skill_called(skill_id).id} cannot be run here.")


def _skill(skill: rules.Skill) -> SkillOut:
    asked, given, role = BODIES[skill.id]
    said = {name: getattr(skill, name) for name in ("id", "description", "category", "executor", "authority")}
    return SkillOut(
        **said,
        triggers=list(skill.triggers),
        role=role,
        input_schema=asked.model_json_schema(),
        output_schema=given.model_json_schema(mode="serialization"),
    )


def _run(run: SkillRun[Any], output: T) -> SkillRunOut[T]:
    return SkillRunOut[T](
        run_id=run.id,
        skill=run.skill.id,
        authority=run.skill.authority,
        status="waiting" if run.result.outcome == "waiting" else "done",
        because=run.result.because,
        model=run.result.grounds.version or run.result.grounds.model,
        output=output,
        started_at=run.started_at,
        finished_at=run.finished_at,
    )


def _mails(body: AnalyseIn) -> list[MailMessage]:
    return [_mail(each) for each in [*body.thread, body]]


def _mail(shown: ShownMailIn) -> MailMessage:
    sender = addresses([shown.from_ or ""])
    text = shown.body or ""
    parts = split_reply(text)
    return MailMessage(
        sender=sender[0] if sender else None,
        from_=sender,
        to=addresses(shown.to),
        cc=addresses(shown.cc),
        reply_to=addresses(shown.reply_to),
        subject=shown.subject,
        date=shown.received_at,
        text_body=text,
        new_text=parts.new,
        quoted_text=parts.quoted,
        signature=parts.signature,
    )


def _fetched(asked: FetchAttachmentIn, file: AttachedFile) -> FetchedAttachmentOut:
    inline = asked.with_content and len(file.content) <= LARGEST_INLINE
    return FetchedAttachmentOut(
        message_id=asked.message_id,
        sha256=asked.sha256,
        filename=file.filename,
        content_type=file.content_type,
        size=len(file.content),
        path=f"/api/v1/messages/{asked.message_id}/attachments/{asked.sha256}",
        content=base64.b64encode(file.content).decode() if inline else None,
    )
