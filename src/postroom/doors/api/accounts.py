"""Accounts: the client book, kept by hand and from files; contacts, work, history, and contacts that age."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import File, Path, Query, UploadFile
from fastapi.responses import JSONResponse, Response
from pydantic import ConfigDict, Field, JsonValue

from postroom.doors.api.books import Amount
from postroom.doors.api.paging import (
    NO_NUL,
    Cursor,
    InBody,
    Limit,
    OutBody,
    PageOut,
    Word,
    by_code,
    by_id,
    next_after,
)
from postroom.doors.api.route import BookFilesRoute, Operator, Reader, collection
from postroom.doors.http import problem
from postroom.nouns.clients import BookStatus, MappingStatus
from postroom.nouns.counting import count
from postroom.nouns.errors import BadRequest
from postroom.rooms.clients import commands
from postroom.rooms.clients.store.book import WorkRow

router = collection("accounts")
files = collection("accounts", BookFilesRoute)
MOST_BAD = 200  # lines that one answer names
AccountRef = Annotated[str, Path(max_length=64, pattern=NO_NUL, description="The account's id, or its code.")]
Code = Annotated[str, Field(min_length=1, max_length=64, pattern=NO_NUL, examples=["ACME"])]
Name = Annotated[str, Field(max_length=200, pattern=NO_NUL)]
Names = Annotated[list[Name], Field(max_length=200)]


class AccountOut(OutBody):
    """A client."""

    model_config = ConfigDict(
        from_attributes=True,
        json_schema_extra={
            "examples": [
                {
                    "id": "0193a7c4-5f00-7000-8000-1b2c3d4e5f61",
                    "code": "ACME",
                    "name": "ACME Industries GmbH",
                    "aliases": ["Acme Leadership"],
                    "domains": ["acme.example"],
                    "status": "open",
                    "merged_into": None,
                    "created_at": "2026-03-02T09:15:00Z",
                    "updated_at": "2026-03-02T09:15:00Z",
                }
            ]
        },
    )

    id: UUID
    code: str
    name: str
    aliases: list[str]
    domains: list[str]
    status: BookStatus
    merged_into: UUID | None = Field(description="The account that it was merged into.")
    created_at: datetime
    updated_at: datetime


class ContactOut(OutBody):
    """Somebody who writes for the account."""

    id: UUID
    email: str
    name: str
    status: Literal["active", "retired"]
    accounts: int = Field(description="On how many accounts the contact is.")
    since: datetime
    last_seen_at: datetime | None
    bounced_at: datetime | None
    bounce_because: str | None


class WorkItemOut(OutBody):
    code: str
    name: str
    status: BookStatus


class EngagementOut(OutBody):
    """Something that is done for the account, with its work items."""

    code: str
    name: str
    status: BookStatus
    work_items: list[WorkItemOut]


class MailOfAccountOut(OutBody):
    id: UUID = Field(description="Of the mapping.")
    message_id: UUID
    subject: str | None
    sender_email: str | None
    received_at: datetime
    status: MappingStatus
    engagement: str | None
    work_item: str | None


class DocumentOfAccountOut(OutBody):
    id: UUID
    filename: str
    kind: str
    status: str
    received_at: datetime
    message_id: UUID


class TradeOfAccountOut(OutBody):
    id: UUID
    document_id: UUID
    status: str
    direction: str | None
    trade_date: date | None
    quantity: Amount | None
    isin: str | None
    name: str | None
    net: Amount | None
    currency: str | None


class InvoiceOfAccountOut(OutBody):
    id: UUID
    document_id: UUID
    status: str
    number: str | None
    issue_date: date | None
    supplier: str | None
    buyer: str | None
    grand_total: Amount | None
    currency: str | None


class AccountChangeOut(OutBody):
    """Who changed what in the book; `before` is null for what is new."""

    id: UUID
    what: str
    before: dict[str, JsonValue] | None
    after: dict[str, JsonValue] | None
    changed_by: str
    changed_at: datetime


class AccountDetailOut(AccountOut):
    """With all that is its, the newest fifty of each."""

    contacts: list[ContactOut]
    engagements: list[EngagementOut]
    mail: list[MailOfAccountOut]
    documents: list[DocumentOfAccountOut]
    trades: list[TradeOfAccountOut]
    invoices: list[InvoiceOfAccountOut]
    history: list[AccountChangeOut]


class AccountIn(InBody):
    code: Code
    name: Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]
    aliases: Names = Field(default_factory=list)
    domains: Names = Field(default_factory=list, description="Never a free-mail domain, nor one that many share.")
    status: BookStatus = "open"


class AccountChangeIn(InBody):
    """What is left out stays as it is; so does the code in any case."""

    name: Name | None = None
    aliases: Names | None = None
    domains: Names | None = None
    status: BookStatus | None = None


class MergeIn(InBody):
    into: Code = Field(description="The code of the account that stays.")


class MergedOut(OutBody):
    """What moved."""

    contacts: int
    messages: int
    account: AccountOut = Field(description="The account that stays.")


class ContactIn(InBody):
    email: Annotated[str, Field(min_length=3, max_length=254, pattern=NO_NUL)]
    name: Name = ""


class EngagementIn(InBody):
    code: Code
    name: Name | None = None
    status: BookStatus | None = None


class WorkItemIn(EngagementIn):
    engagement: Code


class DiffOut(OutBody):
    new: int
    changed: int
    same: int


class BookImportedOut(OutBody):
    """What an import changed, or would change, by kind."""

    dry_run: bool
    lines: int
    accounts: DiffOut
    contacts: DiffOut
    engagements: DiffOut
    work_items: DiffOut


class ContactProposalOut(OutBody):
    """A contact that bounced, fell silent or turned up elsewhere. Nothing is changed before a person says so."""

    id: UUID
    contact_id: UUID
    email: str
    name: str
    accounts: list[str] = Field(description="Whose contact it is.")
    kind: Literal["bounced", "elsewhere", "silent"]
    account: str | None = Field(description="Where it would go.")
    because: str
    status: Literal["open", "accepted", "dismissed"]
    made_at: datetime
    decided_by: str | None
    decided_at: datetime | None


@router.get("/accounts", summary="List accounts by their code, or search them")
async def list_accounts(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: BookStatus | None = None,
    q: Annotated[Word | None, Query(description="Beginnings of words, an address or a domain; one page.")] = None,
) -> PageOut[AccountOut]:
    if q is not None:
        found = await commands.search_accounts(who.scope, q, limit)
        return PageOut(items=[AccountOut.model_validate(each) for each in found], next=None)
    rows, more = await commands.accounts(who.scope, after=by_code(cursor) or "", status=status, most=limit)
    return PageOut(items=[AccountOut.model_validate(each) for each in rows], next=next_after(more))


@router.post("/accounts", summary="Add an account", status_code=201)
async def add_account(body: AccountIn, who: Operator) -> AccountOut:
    values: dict[str, Any] = body.model_dump()
    return AccountOut.model_validate(await commands.add_account(who.scope, **values))


@files.post("/accounts/import", summary="Import a client book, wholly or not at all", response_model=BookImportedOut)
async def import_accounts(
    who: Operator,
    file: Annotated[
        list[UploadFile],
        File(description="accounts.csv, contacts.csv, engagements.csv, work_items.csv; one or more.", max_length=4),
    ],
    *,
    dry_run: Annotated[bool, Query(description="Only say what would change.")] = False,
) -> Response:
    """The same files twice change nothing. With a bad line nothing is imported, and 422 names each of them."""
    contents = {(each.filename or "").rpartition("/")[2]: await each.read() for each in file}
    if len(contents) < len(file):
        raise BadRequest("Two of the files have the same name; send each file of the book once.")
    done = await commands.import_book(who.scope, contents, dry_run=dry_run)
    if done.bad:
        wrong = [{"where": f"{each.file}:{each.line}", "what": each.because} for each in done.bad[:MOST_BAD]]
        text = f"Nothing was imported; {count(len(done.bad), 'line')} to mend. The first: {done.bad[0]}"
        return problem(422, "BadLines", text, errors=wrong)
    told = BookImportedOut.model_validate({"dry_run": dry_run, "lines": done.lines, **done.diffs})
    return JSONResponse(told.model_dump())


@router.get("/accounts/contact-proposals", summary="Contacts that bounced, fell silent or turned up elsewhere")
async def list_contact_proposals(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: Literal["open", "accepted", "dismissed"] = "open",
) -> PageOut[ContactProposalOut]:
    found, more = await commands.proposals(who.scope, status=status, before=by_id(cursor), most=limit)
    return PageOut(items=[ContactProposalOut.model_validate(each) for each in found], next=next_after(more))


@router.post("/accounts/contact-proposals/{proposal_id}/accept", summary="Do as is proposed about a contact")
async def accept_contact_proposal(proposal_id: UUID, who: Operator) -> ContactProposalOut:
    """The contact is retired, or moves to the account where it turned up."""
    return ContactProposalOut.model_validate(await commands.accept_proposal(who.scope, proposal_id))


@router.post("/accounts/contact-proposals/{proposal_id}/dismiss", summary="Leave a contact as it is")
async def dismiss_contact_proposal(proposal_id: UUID, who: Operator) -> ContactProposalOut:
    """Nobody is asked about it again for half a year."""
    return ContactProposalOut.model_validate(await commands.dismiss_proposal(who.scope, proposal_id))


@router.get("/accounts/{account_id}", summary="One account with all that is its")
async def get_account(account_id: AccountRef, who: Reader) -> AccountDetailOut:
    return _detail(await commands.get_account(who.scope, account_id))


@router.patch("/accounts/{account_id}", summary="Change an account")
async def change_account(account_id: AccountRef, body: AccountChangeIn, who: Operator) -> AccountOut:
    values: dict[str, Any] = body.model_dump(exclude_unset=True)
    return AccountOut.model_validate(await commands.change_account(who.scope, account_id, **values))


@router.post("/accounts/{account_id}/close", summary="Close an account")
async def close_account(account_id: AccountRef, who: Operator) -> AccountOut:
    """Its mail still finds it, but waits for a person."""
    return AccountOut.model_validate(await commands.close_account(who.scope, account_id))


@router.post("/accounts/{account_id}/reopen", summary="Open an account again")
async def reopen_account(account_id: AccountRef, who: Operator) -> AccountOut:
    return AccountOut.model_validate(await commands.reopen_account(who.scope, account_id))


@router.post("/accounts/{account_id}/merge", summary="Merge an account into another")
async def merge_account(account_id: AccountRef, body: MergeIn, who: Operator) -> MergedOut:
    """Contacts, domains, names, work and mail go to the other; the code stays known and means the other.

    409 when that is closed."""
    moved = await commands.merge_accounts(who.scope, account_id, body.into)
    stays = (await commands.get_account(who.scope, body.into, most=1)).account
    return MergedOut(contacts=moved.contacts, messages=moved.messages, account=AccountOut.model_validate(stays))


@router.post("/accounts/{account_id}/contacts", summary="Add a contact to an account", status_code=201)
async def add_contact(account_id: AccountRef, body: ContactIn, who: Operator) -> AccountDetailOut:
    """A contact may be on several accounts: this adds one more to those it has. 409 with another name than it has."""
    await commands.add_contact(who.scope, account_id, body.email, body.name)
    return _detail(await commands.get_account(who.scope, account_id))


@router.delete(
    "/accounts/{account_id}/contacts/{contact_id}", summary="Take a contact from an account", status_code=204
)
async def remove_contact(account_id: AccountRef, contact_id: UUID, who: Operator) -> Response:
    """From this account only."""
    await commands.remove_contact(who.scope, account_id, contact_id)
    return Response(status_code=204)


@router.post("/accounts/{account_id}/engagements", summary="Add an engagement, or change the one of this code")
async def put_engagement(account_id: AccountRef, body: EngagementIn, who: Operator) -> AccountDetailOut:
    await commands.put_engagement(who.scope, account_id, body.code, name=body.name, status=body.status)
    return _detail(await commands.get_account(who.scope, account_id))


@router.post("/accounts/{account_id}/work-items", summary="Add a work item, or change the one of this code")
async def put_work_item(account_id: AccountRef, body: WorkItemIn, who: Operator) -> AccountDetailOut:
    await commands.put_work_item(
        who.scope, body.engagement, body.code, account=account_id, name=body.name, status=body.status
    )
    return _detail(await commands.get_account(who.scope, account_id))


@router.get("/accounts/{account_id}/history", summary="Who changed what in an account, newest first")
async def account_history(
    account_id: AccountRef, who: Reader, limit: Limit = 50, cursor: Cursor = None
) -> PageOut[AccountChangeOut]:
    found, more = await commands.account_history(who.scope, account_id, before=by_id(cursor), most=limit)
    return PageOut(items=[AccountChangeOut.model_validate(each) for each in found], next=next_after(more))


def _detail(found: commands.AccountDetail) -> AccountDetailOut:
    own = AccountOut.model_validate(found.account).model_dump()
    return AccountDetailOut(
        **own,
        contacts=[ContactOut.model_validate(each) for each in found.contacts],
        engagements=_engagements(found.work),
        mail=[MailOfAccountOut.model_validate(each) for each in found.mail],
        documents=[DocumentOfAccountOut.model_validate(each) for each in found.documents],
        trades=[TradeOfAccountOut.model_validate(each) for each in found.trades],
        invoices=[InvoiceOfAccountOut.model_validate(each) for each in found.invoices],
        history=[AccountChangeOut.model_validate(each) for each in found.history],
    )


def _engagements(rows: Any) -> list[EngagementOut]:
    """A row for each work item becomes an engagement with its items."""
    found: dict[str, EngagementOut] = {}
    row: WorkRow
    for row in rows:
        made = EngagementOut(
            code=row.engagement_code, name=row.engagement_name, status=row.engagement_status, work_items=[]
        )
        held = found.setdefault(row.engagement_code, made)
        if row.work_item_code is not None:
            item = WorkItemOut(
                code=row.work_item_code, name=row.work_item_name or "", status=row.work_item_status or "open"
            )
            held.work_items.append(item)
    return list(found.values())
