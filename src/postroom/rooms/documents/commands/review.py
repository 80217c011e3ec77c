"""A person decides: confirm, correct, reject, try again, or hand in."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.documents import Field, Invoice, Trade, plain
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import DocumentId, OrderId, new_id
from postroom.nouns.mail import Trust
from postroom.reading.missing import missing_in_invoice, missing_in_trade
from postroom.rooms.documents.rules import checks, uploads
from postroom.rooms.documents.rules import fingerprints as prints
from postroom.rooms.documents.rules.mail import Status
from postroom.rooms.documents.rules.orders import Matched, PendingOrder, match
from postroom.rooms.documents.rules.routes import PostedStatus
from postroom.rooms.documents.store import books, documents, invoices, reviews
from postroom.rooms.documents.store.books import BookedTrade
from postroom.rooms.documents.store.documents import Document, NewDocument
from postroom.rooms.documents.store.invoices import BookedInvoice


@dataclass(frozen=True, slots=True)
class Corrected:
    """What still does not fit together after a correction; empty when all does."""

    doubts: Sequence[str]


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


async def retry(who: TenantScope, document_id: UUID) -> None:
    """Read a document that failed once more: fetched again from its mailbox, or from what was handed in."""
    async with who.finish() as tx:
        found = await _document(tx, who, document_id)
        if found.status != "failed":
            raise Conflict(f"{found.filename} is {found.status}; only what could not be read is tried again.")
        if found.message_id is None and await documents.upload(tx, found.id) is None:
            raise Conflict(f"{found.filename} is no longer held here; hand it in again.")
        told = facts.DocumentRetried(
            document_id=found.id,
            message_id=found.message_id,
            mailbox_id=found.mailbox_id,
            because=f"{spoken_actor(who.actor)} asked for it.",
        )
        await who.tell(tx, told)


async def confirm(
    who: TenantScope,
    document_id: UUID,
    *,
    trade_id: UUID | None = None,
    order_id: UUID | None = None,
    another: bool = False,
) -> Status:
    """Book what waits for a person: one trade, or all of the document.

    `order_id` says which order it fulfils; `another` that it is not the trade it looks like.
    """
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await _document(tx, who, document_id)
        invoice = await invoices.invoice_of_document(tx, found.id)
        if invoice is not None:
            await _confirm_invoice(tx, who, found, invoice, another=another)
        else:
            waiting = _chosen(await books.trades_of_document(tx, found.id), found, trade_id, another=another)
            if order_id is not None and len(waiting) > 1:
                raise BadRequest("Say which trade the order is for.")
            for trade in waiting:
                await _confirm_trade(tx, who, found, trade, order_id, another=another)
        return await _settle(tx, who, found)


def _chosen(
    trades: Sequence[BookedTrade], found: Document, trade_id: UUID | None, *, another: bool
) -> Sequence[BookedTrade]:
    if trade_id is not None:
        chosen = [trade for trade in trades if trade.id == trade_id]
        if not chosen:
            raise NotFound(f"{found.filename} has no trade {trade_id}.")
        if chosen[0].status == "confirmed":
            raise Conflict("This trade is confirmed already.")
        return chosen
    wanted = ("review", "duplicate") if another else ("review",)
    if waiting := [trade for trade in trades if trade.status in wanted]:
        return waiting
    if not trades:
        raise Conflict(f"Nothing was read from {found.filename} that could be confirmed.")
    raise Conflict(f"{found.filename} is {found.status}; nothing in it waits for a person.")


async def _confirm_trade(
    tx: Tx, who: TenantScope, found: Document, booked: BookedTrade, order_id: UUID | None, *, another: bool
) -> None:
    trade = booked.as_trade()
    if why := missing_in_trade(trade):
        raise BadRequest(f"{why} Correct it first.")
    instance = _instance(
        await books.booked_twins(tx, booked.id, booked.fingerprint), booked.instance, "trade", another=another
    )
    order = await _order_for(tx, order_id or booked.order_id, asked=order_id is not None)
    because = f"Confirmed by {spoken_actor(who.actor)}."
    await books.settle_trade(
        tx,
        booked.id,
        "confirmed",
        because,
        who.actor,
        who.now,
        instance=instance,
        order_id=OrderId(order.id) if order else None,
        trade_key=prints.trade_key(order.username, trade) if order else None,
    )
    if order is not None and trade.quantity is not None:
        await books.fill_orders(tx, [(order.id, min(trade.quantity, order.left))], who.now)
    told = facts.TradeConfirmed(
        document_id=found.id, trade_id=booked.id, order_id=order.id if order else None, because=because
    )
    await who.tell(tx, told)


async def _order_for(tx: Tx, order_id: UUID | None, *, asked: bool) -> PendingOrder | None:
    order = await books.order(tx, order_id) if order_id else None
    if order is not None and order.status == "open":
        return order
    if asked:
        raise NotFound(f"There is no open order {order_id}.")
    return None


async def _confirm_invoice(tx: Tx, who: TenantScope, found: Document, booked: BookedInvoice, *, another: bool) -> None:
    if booked.status == "confirmed" or (booked.status == "duplicate" and not another):
        raise Conflict(f"{found.filename} is {booked.status}; it does not wait for a person.")
    if why := missing_in_invoice(booked.as_invoice()):
        raise BadRequest(f"{why} Correct it first.")
    twins = await invoices.booked_invoices(tx, booked.id, booked.fingerprint)
    instance = _instance(twins, booked.instance, "invoice", another=another)
    because = f"Confirmed by {spoken_actor(who.actor)}."
    await invoices.settle_invoice(tx, booked.id, "confirmed", because, who.actor, who.now, instance=instance)
    await who.tell(tx, facts.InvoiceConfirmed(document_id=found.id, invoice_id=booked.id, because=because))


def _instance(twins: Sequence[books.Booked], instance: int, what: str, *, another: bool) -> int:
    """Booking the same thing twice needs a person who says that it happened twice."""
    taken = {twin.instance: twin for twin in twins}
    if instance not in taken:
        return instance
    if not another:
        raise Conflict(
            f"The same {what} is booked already, from {taken[instance].filename}. "
            f"Reject this one, or confirm it as another {what}."
        )
    return max(taken) + 1


async def correct(
    who: TenantScope, document_id: UUID, changes: Mapping[str, str | None], *, trade_id: UUID | None = None
) -> Corrected:
    """Write what the document really says. It waits for a person's confirmation afterwards."""
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await _document(tx, who, document_id)
        invoice = await invoices.invoice_of_document(tx, found.id)
        if invoice is not None:
            doubts = await _correct_invoice(tx, who, found, invoice, changes)
        else:
            trade = _to_correct(await books.trades_of_document(tx, found.id), found, trade_id)
            doubts = await _correct_trade(tx, who, found, trade, changes)
        await _settle(tx, who, found)
    return Corrected(doubts)


def _to_correct(trades: Sequence[BookedTrade], found: Document, trade_id: UUID | None) -> BookedTrade:
    chosen = [trade for trade in trades if trade_id is None or trade.id == trade_id]
    if not chosen:
        raise NotFound(f"{found.filename} has no such trade.")
    if len(chosen) > 1:
        raise BadRequest(f"{found.filename} tells of {len(chosen)} trades; say which one to correct.")
    return chosen[0]


async def _correct_trade(
    tx: Tx, who: TenantScope, found: Document, booked: BookedTrade, changes: Mapping[str, str | None]
) -> Sequence[str]:
    _not_confirmed(booked.status)
    before = booked.as_trade()
    after = checks.corrected_trade(before, changes)
    doubts = checks.doubts_of_trade(after)
    order = match(after, await books.open_orders(tx, [after]), found.sender_email)
    linked = (order.order.id, order.because) if isinstance(order, Matched) else (None, order.because)
    because = " ".join([f"Corrected by {spoken_actor(who.actor)}.", *doubts])
    await books.correct_trade(
        tx, booked.id, after, prints.trade_fingerprint(after), because, linked, who.actor, who.now
    )
    await books.settle_trade(tx, booked.id, "review", because, who.actor, who.now)
    await _tell_correction(tx, who, found, before, after, changes, trade=booked)
    return doubts


async def _correct_invoice(
    tx: Tx, who: TenantScope, found: Document, booked: BookedInvoice, changes: Mapping[str, str | None]
) -> Sequence[str]:
    _not_confirmed(booked.status)
    before = booked.as_invoice(await invoices.invoice_lines(tx, booked.id))
    after = checks.corrected_invoice(before, changes)
    doubts = checks.doubts_of_invoice(after)
    because = " ".join([f"Corrected by {spoken_actor(who.actor)}.", *doubts])
    mark = prints.invoice_fingerprint(after)
    await invoices.correct_invoice(tx, booked.id, after, mark, because, who.actor, who.now)
    await invoices.settle_invoice(tx, booked.id, "review", because, who.actor, who.now)
    await _tell_correction(tx, who, found, before, after, changes, invoice=booked)
    return doubts


def _not_confirmed(status: PostedStatus) -> None:
    if status == "confirmed":
        raise Conflict("This is confirmed and booked; reject it first, then correct it.")


async def _tell_correction(
    tx: Tx,
    who: TenantScope,
    found: Document,
    before: Trade | Invoice,
    after: Trade | Invoice,
    changes: Mapping[str, str | None],
    *,
    trade: BookedTrade | None = None,
    invoice: BookedInvoice | None = None,
) -> None:
    was = {name: plain(getattr(before, name)) for name in changes}
    now = {name: plain(getattr(after, name)) for name in changes}
    changed = [name for name in changes if was[name] != now[name]]
    places: Mapping[str, Field] = before.fields
    for name in changed:
        await reviews.put_correction(
            tx,
            who.tenant_id,
            found.id,
            field=name,
            before=was[name],
            after=now[name],
            place=places.get(name),
            sender_email=found.sender_email,
            actor=who.actor,
            now=who.now,
            trade_id=trade.id if trade else None,
            invoice_id=invoice.id if invoice else None,
        )
    if changed:
        told = facts.DocumentCorrected(
            document_id=found.id,
            trade_id=trade.id if trade else None,
            invoice_id=invoice.id if invoice else None,
            before={name: was[name] for name in changed},
            after={name: now[name] for name in changed},
        )
        await who.tell(tx, told)


async def reject(who: TenantScope, document_id: UUID, because: str) -> None:
    """Not ours, not true, or not wanted: nothing of it stays booked, and orders it filled are open again."""
    if not because.strip():
        raise BadRequest("Say why it is rejected.")
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await _document(tx, who, document_id)
        if found.status == "rejected":
            raise Conflict(f"{found.filename} is rejected already.")
        said = f"Rejected by {spoken_actor(who.actor)}: {because.strip()}"
        for trade in await books.trades_of_document(tx, found.id):
            if trade.status == "confirmed" and trade.order_id is not None:
                await books.release_order(tx, trade.order_id, trade.quantity or Decimal(0), who.now)
            await books.settle_trade(tx, trade.id, "rejected", said, who.actor, who.now)
        invoice = await invoices.invoice_of_document(tx, found.id)
        if invoice is not None:
            await invoices.settle_invoice(tx, invoice.id, "rejected", said, who.actor, who.now)
        await documents.drop_upload(tx, found.id)
        await documents.set_status(tx, found.id, "rejected", said, who.now, who.actor)
        told = facts.DocumentRejected(document_id=found.id, before=found.status, because=because.strip())
        await who.tell(tx, told)


async def _document(tx: Tx, who: TenantScope, document_id: UUID) -> Document:
    found = await documents.document(tx, DocumentId(document_id))
    if found is None:
        raise NotFound(f"There is no document {document_id}.")
    who.about(found.walk)
    return found


async def _settle(tx: Tx, who: TenantScope, found: Document) -> Status:
    """A document waits for a person as long as anything in it does."""
    trades = await books.trades_of_document(tx, found.id)
    invoice = await invoices.invoice_of_document(tx, found.id)
    parts = [(trade.status, trade.because) for trade in trades]
    parts += [(invoice.status, invoice.because)] if invoice else []
    order: tuple[Literal["review", "confirmed", "duplicate", "rejected"], ...]
    order = ("review", "confirmed", "duplicate", "rejected")
    for status in order:
        if said := [because for each, because in parts if each == status]:
            await documents.set_status(tx, found.id, status, said[0], who.now, who.actor)
            return status
    return found.status
