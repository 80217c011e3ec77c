"""What a person brings: a file, another try at one that failed, or what a file says that we could not read."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from typing import Literal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.documents import Invoice, Trade, plain
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import DocumentId, InvoiceId, TradeId, new_id
from postroom.nouns.mail import Trust
from postroom.rooms.documents.commands.deciding import document_as_seen, orders_for
from postroom.rooms.documents.rereading import read_once_more
from postroom.rooms.documents.rules import checks, uploads
from postroom.rooms.documents.rules import fingerprints as prints
from postroom.rooms.documents.rules.orders import Matched, match
from postroom.rooms.documents.rules.routes import Review
from postroom.rooms.documents.store import bookings, books, decisions, documents, invoices
from postroom.rooms.documents.store.books import PlannedTrade
from postroom.rooms.documents.store.documents import Document, NewDocument

ByHand = Literal["contract_note", "invoice"]


async def upload(who: TenantScope, content: bytes, filename: str, *, sender_email: str | None = None) -> DocumentId:
    """Hand a file in. It is read in the background, through the same door as mail."""
    taken = uploads.accepted(content, filename)
    document_id, by = DocumentId(new_id()), sender_email or who.actor
    document = NewDocument(
        id=document_id,
        message_id=None,
        mailbox_id=None,
        attachment_path=taken.filename,
        filename=taken.filename,
        content_type=taken.content_type,
        size=len(content),
        sha256=(await asyncio.to_thread(hashlib.sha256, content)).hexdigest(),
        source="manual_upload",
        source_metadata={"uploaded_by": who.actor, "attachment_filename": taken.filename},
        sender_email=by,
        received_at=who.now,
        trust=Trust("trusted", f"Handed in by {spoken_actor(who.actor)}."),
        status="waiting",
        because="Waits to be read.",
    )
    async with who.finish() as tx:
        await documents.put(tx, who.tenant_id, document, who.now)
        await documents.put_upload(tx, who.tenant_id, document_id, content, who.now)
        told = facts.DocumentUploaded(document_id=document_id, filename=taken.filename, size=len(content))
        await who.tell(tx, told)
    return document_id


async def retry(who: TenantScope, document_id: UUID, *, revision: int | None = None) -> None:
    """Read a document that failed once more: fetched again from its mailbox, or from what was handed in."""
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await document_as_seen(tx, who, document_id, revision)
        if found.status != "failed":
            raise Conflict(f"{found.filename} is {found.status}; only what could not be read is tried again.")
        await read_once_more(tx, who, found, f"{spoken_actor(who.actor)} asked for it.", reviewer=who.actor)


async def enter(
    who: TenantScope,
    document_id: UUID,
    kind: ByHand,
    values: Mapping[str, str | None],
    *,
    revision: int | None = None,
) -> None:
    """Write down by hand what a document says from which nothing was read. It waits for confirmation afterwards."""
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await document_as_seen(tx, who, document_id, revision)
        if found.status == "waiting":
            raise Conflict(f"{found.filename} is being read right now; wait for what comes of it.")
        held = await books.trades_of_document(tx, found.id) or await bookings.bookings_of_document(tx, found.id)
        if held or await invoices.invoice_of_document(tx, found.id):
            raise Conflict(f"Something was read from {found.filename}; correct that instead.")
        given = {name: text for name, text in values.items() if text and text.strip()}
        await decisions.begin(tx, found.id, "entered", "", who.actor, who.now)
        because = f"Entered by hand by {spoken_actor(who.actor)}."
        if kind == "invoice":
            await _enter_invoice(tx, who, found, given, because)
        else:
            await _enter_trade(tx, who, found, given, because)
        await documents.set_kind(tx, found.id, kind)
        await documents.set_status(tx, found.id, "review", because, who.now, who.actor)


async def _enter_trade(
    tx: Tx, who: TenantScope, found: Document, given: Mapping[str, str | None], because: str
) -> None:
    trade = checks.corrected_trade(Trade(confidence=1.0), given)
    order = match(trade, await orders_for(tx, found, trade), found.sender_email)
    route = Review(because, order if isinstance(order, Matched) else None)
    made = PlannedTrade(TradeId(new_id()), trade, prints.trade_fingerprint(trade), 1, route)
    await books.put_trades(tx, who.tenant_id, found.id, [made], None, who.now)
    written = {name: plain(getattr(trade, name)) for name in given}
    await who.tell(
        tx,
        facts.DocumentEntered(
            document_id=found.id, document_kind="contract_note", trade_id=made.id, invoice_id=None, values=written
        ),
    )


async def _enter_invoice(
    tx: Tx, who: TenantScope, found: Document, given: Mapping[str, str | None], because: str
) -> None:
    invoice = checks.corrected_invoice(Invoice(confidence=1.0), given)
    made, mark = InvoiceId(new_id()), prints.invoice_fingerprint(invoice)
    await invoices.put_invoice(tx, who.tenant_id, found.id, made, invoice, mark, Review(because), who.now)
    written = {name: plain(getattr(invoice, name)) for name in given}
    await who.tell(
        tx,
        facts.DocumentEntered(
            document_id=found.id, document_kind="invoice", trade_id=None, invoice_id=made, values=written
        ),
    )
