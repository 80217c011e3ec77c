"""Settings: what a tenant decides for itself, the senders it believes, and passwords of protected files."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import datetime
from typing import Annotated
from uuid import UUID

from fastapi import Request, Response
from pydantic import ConfigDict, Field

from postroom.doors.api.paging import NO_NUL, InBody, OutBody, PageOut
from postroom.doors.api.route import Admin, Reader, collection
from postroom.doors.entry import Caller
from postroom.nouns.errors import NotFound
from postroom.nouns.pipelines import PipelineName
from postroom.nouns.retention import LONGEST, SHORTEST, SHORTEST_OF, retention_of
from postroom.nouns.secrets import Secret
from postroom.rooms.documents import commands as documents
from postroom.rooms.policy import WholePolicy, change_tenant_policy
from postroom.rooms.tenants import rules, store

router = collection("settings")


Days = Annotated[int | None, Field(ge=SHORTEST, le=LONGEST, examples=[365])]


class RetentionBody(InBody):
    """Days from the moment a thing came; null keeps it for ever. Facts, and what was booked, are never forgotten."""

    messages: Days = Field(None, description="What a mail says; that it came, and what became of it, stays.")
    attachments: Days = Field(None, description="Files that somebody fetched on demand.")
    documents: Days = Field(None, description="What was read of a document that is over.")
    archive: Days = Field(None, description="Archived originals.")
    events: Annotated[int | None, Field(ge=SHORTEST_OF["events"], le=LONGEST)] = Field(
        None, description="What webhooks were told, and how that went; null: 30 days."
    )
    analyses: Days = Field(None, description="What was concluded about a thread. Empty: as long as its mail.")
    drafts: Days = Field(None, description="What a draft that is over said, and the excerpts it stood on.")
    evidence: Days = Field(None, description="Versions of papers that were replaced or retired, and learned answers.")


class SettingsOut(OutBody):
    tenant_id: UUID
    tenant: str
    created_at: datetime
    sure_enough: float = Field(description="Documents read with less confidence than this go to a person.")
    require_order: bool | None = Field(
        description="A contract note with no order that fits goes to a person; null: as soon as orders are kept."
    )
    retention: RetentionBody


class SettingsIn(InBody):
    """What is left out stays as it is."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"sure_enough": 0.9, "retention": {"messages": 365}}]}
    )

    sure_enough: float = Field(0.0, ge=0, le=1)
    require_order: bool | None = None
    retention: RetentionBody = Field(default_factory=RetentionBody)


class SenderRuleOut(OutBody):
    """A sender whose authenticated documents may be confirmed without a person."""

    id: UUID
    pipeline: str
    entry: str = Field(examples=["notes@bank.example", "bank.example", "*@*.bank.example"])
    created_by: str
    created_at: datetime


class SenderRuleIn(InBody):
    pipeline: PipelineName
    entry: str = Field(min_length=1, max_length=320, pattern=NO_NUL, examples=["bank.example"])


class NoticedOut(OutBody):
    """What corrections say of a sender, and too few documents agree on so far: nothing is read with it."""

    phrase: str = Field(description="Empty for the habit of booking on the settlement day.", examples=["unterm strich"])
    field: str = Field(examples=["net"])
    documents: int = Field(description="How many documents agree on it.")
    wanted: int = Field(description="How many must, before its documents are read with it.")


class DroppedOut(OutBody):
    """What a sender's documents were read with, until one contradicted it."""

    phrase: str = Field(examples=["trade date"])
    field: str = Field(examples=["settlement_date"])
    document: UUID = Field(description="The document that contradicted it.")


class LearntOut(OutBody):
    """What corrections taught of a sender: its words for our fields, and its habits."""

    sender_email: str
    labels: dict[str, str] = Field(examples=[{"unterm strich": "net"}])
    trades_on_settlement_day: bool
    noticed: list[NoticedOut]
    dropped: list[DroppedOut]
    learnt_from: UUID | None = Field(description="The document whose correction taught it last.")
    borne_out: int = Field(description="How many of its documents people confirmed since as they were read.")
    wanted: int = Field(description="Until so many were confirmed, its next documents go to review.")
    updated_at: datetime


class PdfPasswordOut(OutBody):
    """A password for protected PDFs, by its name; what it is stays sealed."""

    id: UUID
    label: str
    created_by: str
    created_at: datetime


class PdfPasswordIn(InBody):
    label: str = Field(min_length=1, max_length=100, pattern=NO_NUL, examples=["Broker A"])
    password: str = Field(min_length=1, max_length=127, pattern=NO_NUL)


class PasswordKeptOut(OutBody):
    retried: int = Field(description="How many documents that waited for a password are read again.")


@router.get("/settings", summary="The tenant's settings")
async def get_settings(who: Reader) -> SettingsOut:
    return await _shown(who)


@router.patch("/settings", summary="Change the tenant's settings")
async def change_settings(body: SettingsIn, who: Admin) -> SettingsOut:
    said = body.model_dump(exclude_unset=True)
    keeping = said.pop("retention", {})

    def changed(held: WholePolicy) -> WholePolicy:
        documents, retention = replace(held.documents, **said), replace(held.retention, **keeping)
        return replace(held, documents=documents, retention=retention)

    await change_tenant_policy(who.scope, changed)
    return await _shown(who)


@router.get("/settings/learnt", summary="What corrections taught, sender by sender")
async def list_learnt(who: Reader) -> PageOut[LearntOut]:
    known = await documents.learnt_profiles(who.scope)
    return PageOut(items=[LearntOut.model_validate(each) for each in known], next=None)


@router.delete("/settings/learnt/{sender_email}", summary="Forget what corrections taught of a sender", status_code=204)
async def forget_learnt(sender_email: str, who: Admin) -> Response:
    """The sender's next documents are read as if nobody had ever corrected one."""
    await documents.forget_profile(who.scope, sender_email)
    return Response(status_code=204)


@router.get("/settings/senders", summary="The senders that are believed")
async def list_senders(who: Reader) -> PageOut[SenderRuleOut]:
    known = await documents.sender_rules(who.scope)
    return PageOut(items=[SenderRuleOut.model_validate(each) for each in known], next=None)


@router.post("/settings/senders", summary="Believe a sender", status_code=201)
async def allow_sender(body: SenderRuleIn, who: Admin) -> PageOut[SenderRuleOut]:
    """Repeating it changes nothing. Answers with all senders."""
    await documents.allow_sender(who.scope, body.pipeline, body.entry)
    return await list_senders(who)


@router.delete("/settings/senders/{rule_id}", summary="No longer believe a sender", status_code=204)
async def disallow_sender(rule_id: UUID, who: Admin) -> Response:
    await documents.disallow_sender(who.scope, rule_id)
    return Response(status_code=204)


@router.get("/settings/passwords", summary="The names of the passwords for protected files")
async def list_passwords(who: Admin) -> PageOut[PdfPasswordOut]:
    known = await documents.passwords(who.scope)
    return PageOut(items=[PdfPasswordOut.model_validate(each) for each in known], next=None)


@router.post("/settings/passwords", summary="Keep a password for protected files", status_code=201)
async def add_password(body: PdfPasswordIn, request: Request, who: Admin) -> PasswordKeptOut:
    """It is sealed at once and never shown. Documents that waited for one are tried again."""
    sealer = request.app.state.house.providers.sealer
    return PasswordKeptOut(retried=await documents.add_password(who.scope, sealer, body.label, Secret(body.password)))


@router.delete("/settings/passwords/{password_id}", summary="Forget a password", status_code=204)
async def remove_password(password_id: UUID, who: Admin) -> Response:
    await documents.remove_password(who.scope, password_id)
    return Response(status_code=204)


async def _tenant(who: Caller) -> store.Tenant:
    async with who.scope.read() as tx:
        tenant = await store.own_tenant(tx)
    if tenant is None:
        raise NotFound("This tenant is gone.")
    return tenant


async def _shown(who: Caller) -> SettingsOut:
    tenant = await _tenant(who)
    policy = rules.policy_of(tenant.policy)
    return SettingsOut(
        tenant_id=tenant.tenant_id,
        tenant=tenant.name,
        created_at=tenant.created_at,
        sure_enough=policy.sure_enough,
        require_order=policy.require_order,
        retention=RetentionBody.model_validate(asdict(retention_of(tenant.policy))),
    )
