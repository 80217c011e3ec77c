"""Proposals: mails that wait for a person's yes, exactly as they would go out, and what became of each."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Request
from pydantic import ConfigDict, Field

from postroom.doors.api.drafts import OutdatedOut, outdated_of
from postroom.doors.api.paging import NO_NUL, Cursor, InBody, Limit, OutBody, PageOut, by_time, page
from postroom.doors.api.route import Operator, Reader, collection
from postroom.doors.entry import Caller
from postroom.rooms.outbox import commands
from postroom.rooms.outbox.commands import MailChanges, MailProposal, ProposalPreview, WantedFile, WantedMail
from postroom.rooms.tenants import rules as access

router = collection("proposals")
approvals = collection("approvals")
Status = Literal["waiting", "approved", "sending", "sent", "unknown", "void", "revoked", "discarded"]
Kind = Literal["reply", "new", "forward"]
LONGEST_BODY = 100_000
Address = Annotated[str, Field(max_length=500, pattern=NO_NUL, examples=["anna@client.example"])]
Addresses = Annotated[list[Address], Field(max_length=50)]
Subject = Annotated[str, Field(max_length=500, pattern=NO_NUL)]
Because = Annotated[str, Field(max_length=500, pattern=NO_NUL)]
HASH = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
Hash = Annotated[str, Field(max_length=100, pattern=NO_NUL, examples=[HASH])]


class ProposalFileOut(OutBody):
    filename: str
    content_type: str
    size: int
    sha256: str
    message_id: UUID | None = Field(None, description="The mail it came with.")


class CheckedOut(OutBody):
    """Where a mail was looked for whose answer was lost, and what was found."""

    at: datetime
    found: Literal["sent", "not_sent", "unknown"]
    because: str


class ProposalOut(OutBody):
    """A mail that is proposed. `hash` is over recipients, subject, body, files and the thread's newest message."""

    id: UUID
    mailbox_id: UUID
    mailbox: str
    thread_id: UUID | None
    draft_id: UUID | None = Field(description="The draft in the mailbox that it is made from.")
    message_id: UUID | None = Field(description="The message that it answers or forwards.")
    kind: Kind
    origin: Literal["draft", "person", "program"]
    status: Status
    because: str = Field(description="Why it is as it is.")
    hash: str = Field(examples=[HASH])
    version: int
    to: list[str]
    cc: list[str]
    bcc: list[str]
    subject: str
    body: str
    attachments: list[ProposalFileOut]
    proposed_by: str
    approvers: list[str] = Field(description="Who agreed to exactly this.")
    needed: int = Field(description="How many people must agree.")
    needed_because: list[str] = Field(description="Why one person is not enough.")
    replaces: UUID | None = Field(description="The proposal before it in the thread.")
    send_at: datetime | None = Field(description="Not before then; until then it can be revoked.")
    expires_at: datetime
    sent_at: datetime | None
    provider_message_id: str | None = Field(description="Of the mail that was sent.")
    checked: list[CheckedOut] = Field(description="Where it was looked for after a lost answer.")
    bounced_at: datetime | None
    bounce: str | None = Field(description="What came back, and why.")
    created_at: datetime
    updated_at: datetime


class HeaderOut(OutBody):
    name: str
    value: str


class LineOut(OutBody):
    kind: Literal["same", "added", "removed"]
    text: str


class FieldChangeOut(OutBody):
    name: str
    before: str
    after: str


class DifferenceOut(OutBody):
    fields: list[FieldChangeOut]
    lines: list[LineOut]


class ApprovalOut(OutBody):
    actor: str
    hash: str
    approved_at: datetime
    expires_at: datetime
    used_at: datetime | None = Field(description="When the send began that it was used for.")
    ended_at: datetime | None
    ended_because: str | None


class PreviewOut(OutBody):
    """Exactly what would go out, what is different from before, and what stands in the way."""

    proposal: ProposalOut
    headers: list[HeaderOut] = Field(description="As the recipient will see them.")
    html: str = Field(description="As it will be sent; show it only after making it harmless.")
    approvals: list[ApprovalOut]
    since_last: DifferenceOut | None = Field(description="Against the proposal before; null: it is the first.")
    since_machine: list[LineOut] | None = Field(description="Against what the machine drafted; null: it drafted none.")
    gaps: list[str] = Field(description="Questions that are left open in the body.")
    outdated: list[OutdatedOut] = Field(description="What it quotes of papers that do not say so today.")
    objection: str | None = Field(description="Why it cannot be approved now.")
    second_person: list[str]
    may_approve: bool
    may_revoke: bool
    may_change: bool
    may_discard: bool
    may_resolve: bool


class FileIn(InBody):
    """A file of a message that is here."""

    message_id: UUID
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", examples=[HASH.removeprefix("sha256:")])]


class ProposalIn(InBody):
    """A mail to propose. Nothing is sent until a person approves it."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"to": ["anna@client.example"], "subject": "Your order", "body": "It is on its way."}]
        },
    )

    kind: Kind = "new"
    mailbox_id: UUID | None = Field(None, description="The mailbox it leaves; a reply leaves that of its message.")
    message_id: UUID | None = Field(None, description="The message that it answers or forwards.")
    to: Addresses = Field(default_factory=list, description="Empty in a reply: where the message asks for answers.")
    cc: Addresses = Field(default_factory=list)
    bcc: Addresses = Field(default_factory=list)
    subject: Subject | None = None
    body: Annotated[str, Field(min_length=1, max_length=LONGEST_BODY, pattern=NO_NUL)]
    attachments: Annotated[list[FileIn], Field(max_length=20)] | None = Field(
        None, description="Left out, a forward takes all files of its message."
    )


class ProposalChangesIn(InBody):
    """What is left out stays as it is."""

    hash: Hash = Field(description="Of what was seen: another one is refused (409).")
    to: Addresses | None = None
    cc: Addresses | None = None
    bcc: Addresses | None = None
    subject: Subject | None = None
    body: Annotated[str, Field(min_length=1, max_length=LONGEST_BODY, pattern=NO_NUL)] | None = None
    attachments: Annotated[list[FileIn], Field(max_length=20)] | None = None


class ApproveIn(InBody):
    hash: Hash = Field(description="Of what was seen: another one is refused (409).")
    papers_seen: bool = Field(
        default=False,
        description="Yes, although a paper that it quotes was changed: `outdated` of the preview was seen.",
    )


class ReasonIn(InBody):
    because: Because = ""


class ResolveIn(InBody):
    outcome: Literal["sent", "not_sent"]


@router.get("/proposals", summary="List proposals, newest first")
async def list_proposals(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: Status | None = None,
    thread_id: UUID | None = None,
    draft_id: UUID | None = None,
    mailbox_id: UUID | None = None,
) -> PageOut[ProposalOut]:
    rows = await commands.list_proposals(
        who.scope,
        limit + 1,
        by_time(cursor),
        thread_id=thread_id,
        draft_id=draft_id,
        mailbox_id=mailbox_id,
        statuses=[status] if status else None,
    )
    return page(rows, limit, proposal_of, lambda row: (row.created_at, row.id))


@router.post("/proposals", summary="Propose a mail: new, a reply, or a forward", status_code=201)
async def propose(body: ProposalIn, request: Request, who: Operator) -> ProposalOut:
    """It waits for a person. 400 with a sentence when it can never be sent."""
    origin = "person" if who.person_id else "program"
    return proposal_of(await commands.propose(who.scope, request.app.state.house.outside, wanted_mail(body), origin))


@router.get("/proposals/{proposal_id}", summary="One proposal")
async def get_proposal(proposal_id: UUID, who: Reader) -> ProposalOut:
    return proposal_of(await commands.one_proposal(who.scope, proposal_id))


@router.get("/proposals/{proposal_id}/preview", summary="What would go out, what changed, and what stands in the way")
async def preview(proposal_id: UUID, who: Reader) -> PreviewOut:
    return _preview(await commands.preview(who.scope, proposal_id))


@router.patch("/proposals/{proposal_id}", summary="Change a proposal that is no draft in the mailbox")
async def change_proposal(proposal_id: UUID, body: ProposalChangesIn, request: Request, who: Operator) -> ProposalOut:
    """Every yes to what it said before is void. What stands in the mailbox is changed with `PUT /drafts/{id}`."""
    changes = MailChanges(body.to, body.cc, body.bcc, body.subject, body.body, _files(body.attachments))
    outside = request.app.state.house.outside
    return proposal_of(await commands.revise(who.scope, outside, proposal_id, body.hash, changes))


@router.post("/proposals/{proposal_id}/discard", summary="Do not send it")
async def discard(proposal_id: UUID, who: Operator, body: ReasonIn | None = None) -> ProposalOut:
    """Its draft goes from the mailbox too, if nobody touched it there."""
    return proposal_of(await commands.discard(who.scope, proposal_id, (body or ReasonIn()).because))


@approvals.post("/proposals/{proposal_id}/approve", summary="Say yes to exactly this")
async def approve(proposal_id: UUID, body: ApproveIn, who: Operator) -> ProposalOut:
    """409 when the hash is not the current one, a paper that it quotes was changed and `papers_seen` is not said, or it
    may not be sent. It goes out after the undo delay."""
    _may_see(who)
    return proposal_of(await commands.approve(who.scope, proposal_id, body.hash, papers_seen=body.papers_seen))


@approvals.post("/proposals/{proposal_id}/revoke", summary="Take a yes back, until the send begins")
async def revoke(proposal_id: UUID, who: Operator, body: ReasonIn | None = None) -> ProposalOut:
    _may_see(who)
    return proposal_of(await commands.revoke(who.scope, proposal_id, (body or ReasonIn()).because))


@approvals.post("/proposals/{proposal_id}/resolve", summary="Say whether a mail was sent that nobody knows of")
async def resolve(proposal_id: UUID, body: ResolveIn, who: Operator) -> ProposalOut:
    """Look in the mail program first. Not sent, it waits for a new yes."""
    _may_see(who)
    return proposal_of(await commands.resolve(who.scope, proposal_id, body.outcome))


@approvals.post("/proposals/{proposal_id}/look", summary="Look in Sent and Drafts once more")
async def look_again(proposal_id: UUID, who: Operator) -> ProposalOut:
    _may_see(who)
    return proposal_of(await commands.look_again(who.scope, proposal_id))


def _may_see(who: Caller) -> None:
    """Nobody decides about what they may not see, and the answer shows it."""
    access.require_scope(who.scopes, "proposals")


def wanted_mail(body: ProposalIn) -> WantedMail:
    return WantedMail(
        body=body.body,
        kind=body.kind,
        mailbox_id=body.mailbox_id,
        message_id=body.message_id,
        to=body.to,
        cc=body.cc,
        bcc=body.bcc,
        subject=body.subject,
        files=_files(body.attachments),
    )


def _files(said: list[FileIn] | None) -> list[WantedFile] | None:
    return None if said is None else [WantedFile(each.message_id, each.sha256) for each in said]


def proposal_of(row: MailProposal) -> ProposalOut:
    plain = {name: getattr(row, name) for name in ProposalOut.model_fields if hasattr(row, name)}
    files = [ProposalFileOut.model_validate(each) for each in row.mail.files]
    named = {"to": row.recipients, "attachments": files, "provider_message_id": row.sent_ref}
    return ProposalOut(**{**plain, **named})


def _preview(seen: ProposalPreview) -> PreviewOut:
    plain = {name: getattr(seen, name) for name in PreviewOut.model_fields if hasattr(seen, name)}
    return PreviewOut.model_validate(
        {
            **plain,
            "proposal": proposal_of(seen.proposal),
            "html": seen.proposal.html,
            "outdated": outdated_of(seen.outdated),
        }
    )
