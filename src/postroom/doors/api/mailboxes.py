"""Mailboxes: how each is doing by evidence, and what people do about them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from fastapi import Request
from pydantic import ConfigDict, Field

from postroom.doors.api.paging import NO_NUL, Cursor, InBody, Limit, Moment, OutBody, PageOut, by_name, page
from postroom.doors.api.route import Admin, Operator, Reader, collection
from postroom.doors.entry import Caller
from postroom.doors.oauth import redirect_uri
from postroom.nouns.confirming import ConfirmingMode
from postroom.nouns.copilot import CopilotMode
from postroom.nouns.ids import MailboxId
from postroom.nouns.mailbox_rules import FILE_KINDS, MAX_BYTES, FileKind, MailboxRules, mailbox_rules
from postroom.nouns.pipelines import INVOICES, PIPELINES, PipelineName
from postroom.nouns.providers import Capability, ProviderName
from postroom.nouns.secrets import Secret
from postroom.nouns.sending import SendingSwitch
from postroom.rooms.mailboxes import commands, store
from postroom.rooms.mailboxes.rules import Status
from postroom.rooms.sync import commands as syncing
from postroom.rooms.sync import store as sync_store

router = collection("mailboxes")
Glob = Annotated[str, Field(min_length=1, max_length=320, pattern=NO_NUL)]


class MailboxHealthOut(OutBody):
    """How a mailbox is doing, by what was seen and not by a flag."""

    delivery: str = Field(description="`push`, or `poll` while pushes do not reach us.")
    last_push_at: datetime | None
    pushes: int | None
    cursor_moved_at: datetime | None = Field(validation_alias="moved_at")
    synced_at: datetime | None
    resync_since: datetime | None
    unlisted_since: datetime | None = Field(
        description="Mail that came from then until `unlisted_till` was never listed: it may be missing here."
    )
    unlisted_till: datetime | None
    watch_expires_at: datetime | None
    token_at: datetime | None
    reconciled_at: datetime | None = Field(validation_alias="checked_at")
    listed: int | None = Field(description="What the provider listed when we last compared, at `reconciled_at`.")
    held: int | None = Field(description="How many of those were ours then.")
    came: int = Field(description="Received since then.")
    waiting: int = Field(description="Announced, and on their way now.")
    failed: int = Field(description="Put aside now, each with its reason.")
    ratio: float | None = Field(description="What is ours now of all that was listed or came since.")
    unannounced: int | None = Field(description="How many of those came without a push.")
    reasons: dict[str, int] | None = Field(description="What became of them, by pipeline, status and rule.")


class MailboxRulesBody(InBody):
    """What is kept of a mailbox's mail. Senders are addresses, domains or globs; files are globs."""

    model_config = ConfigDict(
        extra="forbid",
        from_attributes=True,
        json_schema_extra={"examples": [{"allow_senders": ["broker.test"], "deny_files": ["*logo*"]}]},
    )

    allow_senders: list[Glob] = Field(default=[], max_length=500)
    deny_senders: list[Glob] = Field(default=[], max_length=500)
    allow_files: list[Glob] = Field(default=[], max_length=500)
    deny_files: list[Glob] = Field(default=[], max_length=500)
    kinds: list[FileKind] = Field(default=list(FILE_KINDS), max_length=len(FILE_KINDS))
    attachments_only: bool = False
    max_bytes: int = Field(default=MAX_BYTES, ge=1, le=MAX_BYTES)


class MailboxRulesIn(InBody):
    rules: MailboxRulesBody
    pipelines: list[PipelineName] | None = Field(
        None, max_length=2, description="Which pipelines read it; null leaves them."
    )


class MailboxOut(OutBody):
    """An account that is served."""

    id: UUID
    address: str = Field(examples=["dealing@house.test"])
    provider: ProviderName
    access: str
    folder: str
    name: str
    status: Status
    because: str | None = Field(description="Why it is not active, and what to do about it.")
    capability: Capability = Field(description="What its grant allows; each includes the ones before it.")
    attention: dict[str, str] = Field(description="What somebody should look at, by what it is about.")
    pipelines: list[str]
    rules: MailboxRulesBody
    confirming: dict[PipelineName, ConfirmingMode] = Field(
        description="For each pipeline whether it may confirm by itself: `off`, `shadow` (it only says so), or `on`."
    )
    copilot: CopilotMode = Field(description="How much the copilot may do here.")
    sending: SendingSwitch = Field(description="Its kill switch: `off` stops also what was approved.")
    operators: list[str] = Field(description="Who answers for it besides its own addresses and the tenant's people.")
    paused_at: datetime | None
    connected_at: datetime
    disconnected_at: datetime | None
    health: MailboxHealthOut | None


class CoverageOut(OutBody):
    """What the provider listed in a window against what we hold, with a reason for every message."""

    id: int
    since: datetime
    checked_at: datetime
    listed: int
    held: int
    failed: int = Field(description="Put aside, each with its reason.")
    missing: int = Field(description="Listed there and not here yet; they are taken in at once.")
    missing_refs: list[str] = Field(description="The provider's ids of those, at most 1,000.")
    unannounced: int
    ratio: float = Field(ge=0, le=1, description="1 means that every listed message was held.")
    reasons: dict[str, int]


class ConnectIn(InBody):
    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"provider": "outlook", "address": "dealing@house.test"}]}
    )

    provider: Literal["outlook", "gmail"]
    address: str | None = Field(None, max_length=320, pattern=NO_NUL, description="The mailbox that must be granted.")
    shared: bool = Field(
        default=False, description="The address is a shared mailbox that the person may read (Outlook)."
    )
    capability: Capability = Field(
        default="read", description="The least that is asked for; what is switched on at the mailbox may need more."
    )
    return_to: str = Field("/mailboxes", max_length=500, pattern=NO_NUL, description="Where the person comes back to.")


class ConnectImapIn(InBody):
    """A mailbox on any IMAP server. The password is sealed and never shown."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"address": "ap@house.test", "host": "imap.house.test", "password": "an app password"}]
        },
    )

    address: str = Field(min_length=3, max_length=320, pattern=NO_NUL)
    host: str = Field(min_length=1, max_length=253, pattern=NO_NUL)
    password: str = Field(min_length=1, max_length=1000, pattern=NO_NUL)
    user: str = Field("", max_length=320, pattern=NO_NUL, description="If it is not the address.")
    port: int = Field(993, ge=1, le=65535)
    security: Literal["tls", "starttls", "plain"] = Field("tls", description="`plain` for this machine only.")
    folder: str = Field("INBOX", min_length=1, max_length=500, pattern=NO_NUL)


class FolderIn(InBody):
    folder: str = Field(
        min_length=1,
        max_length=500,
        pattern=NO_NUL,
        description="As the mail program shows it, inner folders after a slash.",
        examples=["Inbox/Broker notes"],
    )


class ConsentOut(OutBody):
    url: str = Field(description="Send the person's browser here; the provider sends it back to us.")


class MailboxChangesIn(InBody):
    """What is left out stays as it is."""

    copilot: CopilotMode | None = Field(None, description="`off`, `labels`, or `drafts` too.")
    confirming: dict[PipelineName, ConfirmingMode] | None = Field(
        None,
        description="For the pipelines named: `off`, `shadow` or `on`. Look at `/scorecard` before you switch one on.",
        examples=[{INVOICES: "shadow"}],
    )
    sending: SendingSwitch | None = Field(None, description="The kill switch of this mailbox: `off` or `on`.")
    operators: list[Annotated[str, Field(max_length=320, pattern=NO_NUL)]] | None = Field(None, max_length=500)


class PauseIn(InBody):
    because: str = Field("A person paused it.", min_length=1, max_length=500, pattern=NO_NUL)


class WindowIn(InBody):
    since: Moment | None = Field(None, description="From when on; 7 days ago if not given.")


@router.get("/mailboxes", summary="List mailboxes with the evidence of their health")
async def list_mailboxes(
    who: Reader, limit: Limit = 50, cursor: Cursor = None, status: Status | None = None
) -> PageOut[MailboxOut]:
    """By address."""
    after = by_name(cursor) or ("", "")
    async with who.scope.read() as tx:
        known = await store.mailboxes(tx)
        health = {each.id: each for each in await store.health(tx)}
    shown = [each for each in known if (each.address, each.provider) > after and status in (None, each.status)]
    return page(shown, limit, lambda row: _mailbox(row, health.get(row.id)), lambda row: (row.address, row.provider))


@router.post("/mailboxes/connect", summary="Begin to connect a mailbox", status_code=201)
async def connect(body: ConnectIn, request: Request, who: Admin) -> ConsentOut:
    """Answers with a link for a person's browser; nothing is connected before they consented there and came back."""
    board, back = request.app.state.house.providers, redirect_uri(request, body.provider)
    started = await commands.start_connect(
        who.scope,
        board,
        body.provider,
        back,
        address=body.address,
        return_to=body.return_to,
        shared=body.shared,
        capability=body.capability,
    )
    return ConsentOut(url=started.url)


@router.post("/mailboxes/imap", summary="Connect a mailbox over IMAP", status_code=201)
async def connect_imap(body: ConnectImapIn, request: Request, who: Admin) -> MailboxOut:
    """We sign in and look at the folder first: with a wrong password nothing is kept. Repeat it with a new password."""
    values = {**body.model_dump(exclude={"password"}), "password": Secret(body.password)}
    made = await commands.connect_imap(who.scope, request.app.state.house.providers, **values)
    return await _shown(who, made)


@router.get("/mailboxes/{mailbox_id}", summary="One mailbox")
async def get_mailbox(mailbox_id: UUID, who: Reader) -> MailboxOut:
    return await _shown(who, mailbox_id)


@router.patch("/mailboxes/{mailbox_id}", summary="Switch what a mailbox may do by itself, or say who answers for it")
async def change_mailbox(mailbox_id: UUID, body: MailboxChangesIn, who: Admin) -> MailboxOut:
    """Switched on, threads of the last week are triaged; switched off, our labels are taken off again."""
    if body.operators is not None:
        await commands.set_operators(who.scope, MailboxId(mailbox_id), body.operators)
    if body.sending is not None:
        await commands.set_sending(who.scope, MailboxId(mailbox_id), body.sending)
    if body.confirming is not None:
        await commands.set_confirming(who.scope, MailboxId(mailbox_id), body.confirming)
    if body.copilot is not None:
        await commands.set_copilot(who.scope, MailboxId(mailbox_id), body.copilot)
    return await _shown(who, mailbox_id)


@router.post("/mailboxes/{mailbox_id}/pause", summary="Stop reading a mailbox")
async def pause(mailbox_id: UUID, who: Operator, body: PauseIn | None = None) -> MailboxOut:
    """Notifications are still taken; nothing is lost meanwhile."""
    await commands.pause(who.scope, MailboxId(mailbox_id), (body or PauseIn()).because)
    return await _shown(who, mailbox_id)


@router.post("/mailboxes/{mailbox_id}/resume", summary="Go on reading a mailbox, after a pause or a refusal")
async def resume(mailbox_id: UUID, who: Operator) -> MailboxOut:
    """It goes on where it stopped, and the gap is reconciled."""
    await commands.resume(who.scope, MailboxId(mailbox_id))
    return await _shown(who, mailbox_id)


@router.post("/mailboxes/{mailbox_id}/resync", summary="Read a mailbox anew from a date on", status_code=202)
async def resync(mailbox_id: UUID, who: Operator, body: WindowIn | None = None) -> MailboxOut:
    """Everything since then is listed again; what we hold already is not taken in twice. Live mail goes ahead."""
    await syncing.resync(who.scope, MailboxId(mailbox_id), body.since if body else None)
    return await _shown(who, mailbox_id)


@router.post("/mailboxes/{mailbox_id}/reconcile", summary="Compare with what the provider lists", status_code=202)
async def reconcile(mailbox_id: UUID, who: Operator, body: WindowIn | None = None) -> MailboxOut:
    """What is missing is taken in; the outcome is among the coverage."""
    await syncing.reconcile(who.scope, MailboxId(mailbox_id), body.since if body else None)
    return await _shown(who, mailbox_id)


@router.post("/mailboxes/{mailbox_id}/disconnect", summary="Disconnect a mailbox")
async def disconnect(mailbox_id: UUID, request: Request, who: Admin) -> MailboxOut:
    """The subscription ends and the tokens are forgotten; what was taken in stays."""
    await commands.disconnect(who.scope, request.app.state.house.providers, MailboxId(mailbox_id))
    return await _shown(who, mailbox_id)


@router.get("/mailboxes/{mailbox_id}/rules", summary="What is kept of a mailbox's mail")
async def get_rules(mailbox_id: UUID, who: Reader) -> MailboxRulesBody:
    return _rules((await commands.find(who.scope, mailbox_id)).rules)


@router.put("/mailboxes/{mailbox_id}/rules", summary="Say what is kept of a mailbox's mail")
async def set_rules(mailbox_id: UUID, body: MailboxRulesIn, who: Admin) -> MailboxOut:
    """Replaces all rules of the mailbox; mail that comes later is sifted by them."""
    wanted = mailbox_rules(body.rules.model_dump())
    await commands.set_rules(who.scope, MailboxId(mailbox_id), wanted, body.pipelines)
    return await _shown(who, mailbox_id)


@router.put("/mailboxes/{mailbox_id}/folder", summary="Serve another folder of a mailbox")
async def set_folder(mailbox_id: UUID, body: FolderIn, request: Request, who: Admin) -> MailboxOut:
    """The cursor begins anew, and what came there in the last days is taken in. What was taken in before stays."""
    await commands.set_folder(who.scope, request.app.state.house.providers, MailboxId(mailbox_id), body.folder)
    return await _shown(who, mailbox_id)


@router.get("/mailboxes/{mailbox_id}/coverage", summary="What was listed, held and missing, newest first")
async def list_coverage(mailbox_id: UUID, who: Reader, limit: Limit = 20) -> PageOut[CoverageOut]:
    """The last reconciles of the mailbox."""
    mailbox = await commands.find(who.scope, mailbox_id)
    async with who.scope.read() as tx:
        found = await sync_store.coverages(tx, mailbox.id, limit)
    return page(found, limit, _coverage, lambda row: (row.id,))


async def _shown(who: Caller, mailbox_id: UUID) -> MailboxOut:
    mailbox = await commands.find(who.scope, mailbox_id)
    async with who.scope.read() as tx:
        health = await store.health(tx, mailbox.id)
    return _mailbox(mailbox, health[0] if health else None)


def _mailbox(row: store.Mailbox, health: store.MailboxHealth | None) -> MailboxOut:
    return MailboxOut(
        id=row.id,
        address=row.address,
        provider=row.provider,
        access=row.access,
        folder=row.folder,
        name=row.name,
        status=row.status,
        because=row.because,
        capability=row.capability,
        attention={about: each["because"] for about, each in row.attention.items()},
        pipelines=row.pipelines,
        rules=_rules(row.rules),
        confirming={name: row.rules.confirms(name) for name in PIPELINES},
        copilot=row.copilot,
        sending=row.sending,
        operators=row.operators,
        paused_at=row.paused_at,
        connected_at=row.connected_at,
        disconnected_at=row.disconnected_at,
        health=MailboxHealthOut.model_validate(health) if health else None,
    )


def _rules(held: MailboxRules) -> MailboxRulesBody:
    return MailboxRulesBody.model_validate(held, from_attributes=True)


def _coverage(row: sync_store.Coverage) -> CoverageOut:
    return CoverageOut(
        id=row.id,
        since=row.since,
        checked_at=row.checked_at,
        listed=row.listed,
        held=row.held,
        failed=row.failed,
        missing=row.listed - row.held - row.failed,
        missing_refs=row.missing,
        unannounced=row.unannounced,
        ratio=min(1.0, row.held / row.listed) if row.listed else 1.0,
        reasons=row.reasons,
    )
