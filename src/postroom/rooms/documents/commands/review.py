"""A person decides: confirm, correct, reject."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.documents import Booking, Field, PaperEntry, Value, plain
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import OrderId
from postroom.reading.unbookable import unbookable_booking, unbookable_invoice, unbookable_trade
from postroom.rooms.documents.commands.deciding import (
    document_as_seen,
    invoice_cautions,
    orders_for,
    settle,
    trade_cautions,
    unbook,
)
from postroom.rooms.documents.rules import caution, checks
from postroom.rooms.documents.rules import fingerprints as prints
from postroom.rooms.documents.rules.mail import Status
from postroom.rooms.documents.rules.orders import Matched, PendingOrder, match
from postroom.rooms.documents.rules.routes import PostedStatus
from postroom.rooms.documents.store import bookings, books, decisions, documents, invoices, reviews
from postroom.rooms.documents.store.bookings import BookedEntry
from postroom.rooms.documents.store.books import BookedTrade
from postroom.rooms.documents.store.documents import Document
from postroom.rooms.documents.store.invoices import BookedInvoice

Part = TypeVar("Part", BookedTrade, BookedEntry)


@dataclass(frozen=True, slots=True)
class Corrected:
    """What still does not fit together after a correction; empty when all does."""

    doubts: Sequence[str]


async def confirm(
    who: TenantScope,
    document_id: UUID,
    *,
    trade_id: UUID | None = None,
    entry_id: UUID | None = None,
    order_id: UUID | None = None,
    another: bool = False,
    reason: str = "",
    revision: int | None = None,
) -> Status:
    """Book what waits for a person: one trade or other entry, or all of the document.

    `order_id` says which order it fulfils; `another` that it is not the trade it looks like. What looks forged, is paid
    to another account or does not add up wants a `reason`. `revision` is what the person looked at.
    """
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await document_as_seen(tx, who, document_id, revision)
        said = f"Confirmed by {spoken_actor(who.actor)}" + (f": {reason.strip()}" if reason.strip() else ".")
        await decisions.begin(tx, found.id, "confirmed", reason.strip(), who.actor, who.now)
        invoice = await invoices.invoice_of_document(tx, found.id)
        trades = await books.trades_of_document(tx, found.id)
        others = await bookings.bookings_of_document(tx, found.id)
        entries = _open_entries(others, entry_id) if trade_id is None else []
        if entries:
            _bookable(unbookable_booking(entry.as_booking()) for entry in entries)
            _with_reason(reason, trade_cautions(found, ()))
            for entry in entries:
                await _confirm_entry(tx, who, found, entry, said, another=another)
        elif entry_id is not None or (others and not trades and invoice is None):
            raise Conflict(f"{found.filename} is {found.status}; nothing of that in it waits for a person.")
        is_done = entry_id is not None or bool(entries)  # what is beside them may be over
        if invoice is not None and (not is_done or (entry_id is None and invoice.status == "review")):
            await _confirm_invoice(tx, who, found, invoice, said, reason, another=another)
        waits = entry_id is None and any(each.status == "review" for each in trades)
        if invoice is None and (waits or not is_done):
            waiting = _chosen(trades, found, trade_id, another=another)
            if order_id is not None and len(waiting) > 1:
                raise BadRequest("Say which trade the order is for.")
            _bookable(unbookable_trade(trade.as_trade()) for trade in waiting)
            _with_reason(reason, trade_cautions(found, waiting))
            for trade in waiting:
                await _confirm_trade(tx, who, found, trade, order_id, said, another=another)
        status = await settle(tx, who, found)
        await _tell_checked(tx, who, found, status)
        return status


async def _tell_checked(tx: Tx, who: TenantScope, found: Document, status: Status) -> None:
    sender = found.sender_email
    if sender and status == "confirmed" and await reviews.bears_on_profile(tx, found.id, sender):
        await who.tell(tx, facts.DocumentChecked(document_id=found.id, sender_email=sender))


def _bookable(objections: Iterable[str]) -> None:
    """Said before a reason is asked for: none would help."""
    for why in objections:
        if why:
            raise BadRequest(f"{why} Correct it first.")


def _with_reason(reason: str, found: Sequence[str]) -> None:
    if why := caution.one_reason(reason, found):
        raise BadRequest(why)


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
    tx: Tx,
    who: TenantScope,
    found: Document,
    booked: BookedTrade,
    order_id: UUID | None,
    because: str,
    *,
    another: bool,
) -> None:
    trade = booked.as_trade()
    instance = _instance(
        await books.booked_twins(tx, booked.id, booked.fingerprint), booked.instance, "trade", another=another
    )
    order = await _order_for(tx, order_id or booked.order_id, asked=order_id is not None)
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


async def _confirm_invoice(
    tx: Tx, who: TenantScope, found: Document, booked: BookedInvoice, because: str, reason: str, *, another: bool
) -> None:
    if booked.status == "confirmed" or (booked.status == "duplicate" and not another):
        raise Conflict(f"{found.filename} is {booked.status}; it does not wait for a person.")
    _bookable([unbookable_invoice(booked.as_invoice())])
    _with_reason(reason, (await invoice_cautions(tx, found, booked))[0])
    twins = await invoices.booked_invoices(tx, booked.id, booked.fingerprint)
    instance = _instance(twins, booked.instance, "invoice", another=another)
    await invoices.settle_invoice(tx, booked.id, "confirmed", because, who.actor, who.now, instance=instance)
    await who.tell(tx, facts.InvoiceConfirmed(document_id=found.id, invoice_id=booked.id, because=because))


def _open_entries(others: Sequence[BookedEntry], entry_id: UUID | None) -> Sequence[BookedEntry]:
    return [entry for entry in others if entry_id in (None, entry.id) and entry.status == "review"]


async def _confirm_entry(
    tx: Tx, who: TenantScope, found: Document, booked: BookedEntry, because: str, *, another: bool
) -> None:
    twins = await bookings.booked_twins(tx, booked.id, booked.fingerprint)
    instance = _instance(twins, booked.instance, booked.kind.replace("_", " "), another=another)
    await bookings.settle_booking(tx, booked.id, "confirmed", because, who.actor, who.now, instance=instance)
    told = facts.BookingConfirmed(document_id=found.id, booking_id=booked.id, entry_kind=booked.kind, because=because)
    await who.tell(tx, told)


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
    who: TenantScope,
    document_id: UUID,
    changes: Mapping[str, str | None],
    *,
    trade_id: UUID | None = None,
    entry_id: UUID | None = None,
    revision: int | None = None,
) -> Corrected:
    """Write what the document really says. It waits for a person's confirmation afterwards."""
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await document_as_seen(tx, who, document_id, revision)
        await decisions.begin(tx, found.id, "corrected", "", who.actor, who.now)
        invoice = await invoices.invoice_of_document(tx, found.id)
        others = await bookings.bookings_of_document(tx, found.id)
        trades = await books.trades_of_document(tx, found.id)
        if entry_id is not None or (others and not trades and invoice is None):
            doubts = await _correct_entry(
                tx, who, found, _the_one(others, entry_id, found, "entry", "entries"), changes
            )
        elif invoice is not None:
            doubts = await _correct_invoice(tx, who, found, invoice, changes)
        else:
            trade = _the_one(trades, trade_id, found, "trade", "trades")
            doubts = await _correct_trade(tx, who, found, trade, changes)
        await settle(tx, who, found)
    return Corrected(doubts)


def _the_one(parts: Sequence[Part], part_id: UUID | None, found: Document, one: str, many: str) -> Part:
    chosen = [part for part in parts if part_id in (None, part.id)]
    if not chosen:
        raise NotFound(f"{found.filename} has no such {one}.")
    if len(chosen) > 1:
        raise BadRequest(f"{found.filename} tells of {len(chosen)} {many}; say which one to correct.")
    return chosen[0]


async def _correct_trade(
    tx: Tx, who: TenantScope, found: Document, booked: BookedTrade, changes: Mapping[str, str | None]
) -> Sequence[str]:
    _not_confirmed(booked.status)
    before = booked.as_trade()
    after = checks.corrected_trade(before, changes)
    doubts = checks.doubts_of_trade(after)
    order = match(after, await orders_for(tx, found, after), found.sender_email)
    linked = (order.order.id, order.because) if isinstance(order, Matched) else (None, order.because)
    await books.correct_trade(
        tx, booked.id, after, prints.trade_fingerprint(after), booked.because, linked, who.actor, who.now
    )
    await books.settle_trade(tx, booked.id, "review", booked.because, who.actor, who.now)
    await _tell_correction(tx, who, found, before, after, changes, trade=booked)
    return doubts


async def _correct_invoice(
    tx: Tx, who: TenantScope, found: Document, booked: BookedInvoice, changes: Mapping[str, str | None]
) -> Sequence[str]:
    _not_confirmed(booked.status)
    before = booked.as_invoice(await invoices.invoice_lines(tx, booked.id))
    after = checks.corrected_invoice(before, changes)
    doubts = checks.doubts_of_invoice(after)
    mark = prints.invoice_fingerprint(after)
    await invoices.correct_invoice(tx, booked.id, after, mark, booked.because, who.actor, who.now)
    await invoices.settle_invoice(tx, booked.id, "review", booked.because, who.actor, who.now)
    await _tell_correction(tx, who, found, before, after, changes, invoice=booked)
    return doubts


async def _correct_entry(
    tx: Tx, who: TenantScope, found: Document, booked: BookedEntry, changes: Mapping[str, str | None]
) -> Sequence[str]:
    _not_confirmed(booked.status)
    before = booked.as_booking()
    after = checks.corrected_booking(before, changes)
    await bookings.correct_booking(tx, booked.id, after, who.actor, who.now)
    await bookings.settle_booking(tx, booked.id, "review", booked.because, who.actor, who.now)
    await _tell_correction(tx, who, found, before, after, changes, entry=booked)
    return ()


def _not_confirmed(status: PostedStatus) -> None:
    if status == "confirmed":
        raise Conflict("This is confirmed and booked; put it back to review first, then correct it.")


async def _tell_correction(
    tx: Tx,
    who: TenantScope,
    found: Document,
    before: PaperEntry,
    after: PaperEntry,
    changes: Mapping[str, str | None],
    *,
    trade: BookedTrade | None = None,
    invoice: BookedInvoice | None = None,
    entry: BookedEntry | None = None,
) -> None:
    was = {name: plain(_value_of(before, name)) for name in changes}
    now = {name: plain(_value_of(after, name)) for name in changes}
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
            booking_id=entry.id if entry else None,
        )
    if changed:
        said = "; ".join(f"{name.replace('_', ' ')} {was[name] or '–'} → {now[name] or '–'}" for name in changed)
        await decisions.word(tx, found.id, found.revision + 1, said)
        told = facts.DocumentCorrected(
            document_id=found.id,
            trade_id=trade.id if trade else None,
            invoice_id=invoice.id if invoice else None,
            booking_id=entry.id if entry else None,
            before={name: was[name] for name in changed},
            after={name: now[name] for name in changed},
        )
        await who.tell(tx, told)


def _value_of(entry: PaperEntry, name: str) -> Value | None:
    if isinstance(entry, Booking):
        return entry.values.get(name)
    found: Value | None = getattr(entry, name)
    return found


async def leave_out(
    who: TenantScope,
    document_id: UUID,
    *,
    trade_id: UUID | None = None,
    entry_id: UUID | None = None,
    revision: int | None = None,
) -> Status:
    """One thing that was read is not so, or is another reading of the same: it is not booked, the rest waits on."""
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await document_as_seen(tx, who, document_id, revision)
        said = f"Left out by {spoken_actor(who.actor)}."
        part: BookedTrade | BookedEntry
        if entry_id is not None:
            part = _the_one(await bookings.bookings_of_document(tx, found.id), entry_id, found, "entry", "entries")
        elif trade_id is not None:
            part = _the_one(await books.trades_of_document(tx, found.id), trade_id, found, "trade", "trades")
        else:
            raise BadRequest("Say what is to be left out.")
        if part.status != "review":
            raise Conflict(f"This is {part.status}; only what waits can be left out.")
        await decisions.begin(tx, found.id, "corrected", said, who.actor, who.now)
        if isinstance(part, BookedEntry):
            await bookings.settle_booking(tx, part.id, "rejected", said, who.actor, who.now)
        else:
            await books.settle_trade(tx, part.id, "rejected", said, who.actor, who.now)
        told = facts.DocumentCorrected(
            document_id=found.id,
            trade_id=trade_id,
            invoice_id=None,
            booking_id=entry_id,
            before={"status": "review"},
            after={"status": "rejected"},
        )
        await who.tell(tx, told)
        return await settle(tx, who, found)


async def reject(who: TenantScope, document_id: UUID, because: str, *, revision: int | None = None) -> None:
    """Not ours, not true, or not wanted: nothing of it stays booked, and orders it filled are open again."""
    if not because.strip():
        raise BadRequest("Say why it is rejected.")
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        found = await document_as_seen(tx, who, document_id, revision)
        if found.status == "rejected":
            raise Conflict(f"{found.filename} is rejected already.")
        await decisions.begin(tx, found.id, "rejected", because.strip(), who.actor, who.now)
        said = f"Rejected by {spoken_actor(who.actor)}: {because.strip()}"
        await unbook(tx, who, found, "rejected", said)
        await documents.set_status(tx, found.id, "rejected", said, who.now, who.actor)
        told = facts.DocumentRejected(document_id=found.id, before=found.status, because=because.strip())
        await who.tell(tx, told)
