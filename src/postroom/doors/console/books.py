"""Trades, pending orders, invoices and entries of other kinds, as lists."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from postroom.doors import limits
from postroom.doors.console import frame
from postroom.doors.console.forms import asked_id, handed_in, id_of, one_of, said
from postroom.doors.entry import signed_in
from postroom.nouns.counting import count
from postroom.nouns.errors import BadRequest
from postroom.rooms.documents import commands

POSTED = ("confirmed", "review", "duplicate", "rejected")
BOOKED = ("confirmed", "review", "rejected")
ORDERED = ("open", "filled", "cancelled")
ORDER_FIELDS = (
    "external_id", "username", "direction", "quantity", "isin", "ticker", "name", "limit_price", "currency",
    "placed_on",
)  # fmt: skip


async def trades(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    status = one_of(request, "status", POSTED)
    found = await commands.trades(who.scope, status=status, before=asked_id(request, "before"))
    parts = {"trades": "trades/_list.html"}
    return await frame.page(request, who, "trades/index.html", parts, found=found, status=status, statuses=POSTED)


async def invoices(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    status = one_of(request, "status", POSTED)
    found = await commands.invoices(who.scope, status=status, before=asked_id(request, "before"))
    parts = {"invoices": "invoices/_list.html"}
    return await frame.page(request, who, "invoices/index.html", parts, found=found, status=status, statuses=POSTED)


async def bookings(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    status = one_of(request, "status", BOOKED)
    found = await commands.bookings(who.scope, status=status, before=asked_id(request, "before"))
    parts = {"bookings": "bookings/_list.html"}
    return await frame.page(request, who, "bookings/index.html", parts, found=found, status=status, statuses=BOOKED)


async def orders(request: Request) -> Response:
    who = await signed_in(request, "viewer")
    status = one_of(request, "status", ORDERED)
    found = await commands.orders(who.scope, status=status, before=asked_id(request, "before"))
    parts = {"orders": "orders/_list.html"}
    return await frame.page(request, who, "orders/index.html", parts, found=found, status=status, statuses=ORDERED)


async def place(request: Request) -> Response:
    who = await signed_in(request, "operator")
    words = await said(request)
    await commands.place_order(who.scope, {name: words.get(name, "").strip() or None for name in ORDER_FIELDS})
    return frame.done(f"Order {words.get('external_id', '')} waits for its contract note.", "orders")


async def take_file(request: Request) -> Response:
    """A CSV file, wholly or not at all."""
    who = await signed_in(request, "operator")
    files = await handed_in(request, "files", limits.ORDER_FILE_BYTES)
    if not files:
        raise BadRequest("Choose a CSV file of orders first.")
    done = await commands.import_orders(who.scope, files[0][1])
    if done.bad:
        first = done.bad[0]
        raise BadRequest(
            f"Nothing was taken in: line {first.line}: {first.because} ({count(len(done.bad), 'bad line')})."
        )
    said = f"{count(done.new, 'order')} new, {done.changed} changed, {done.unchanged} known already."
    return frame.done(said, "orders")


async def cancel(request: Request) -> Response:
    who = await signed_in(request, "operator")
    await commands.cancel_order(who.scope, id_of(request))
    return frame.done("The order is cancelled.", "orders")


ROUTES = [
    Route("/trades", trades, methods=["GET"]),
    Route("/invoices", invoices, methods=["GET"]),
    Route("/bookings", bookings, methods=["GET"]),
    Route("/orders", orders, methods=["GET"]),
    Route("/orders", place, methods=["POST"]),
    Route("/orders/file", take_file, methods=["POST"]),
    Route("/orders/{id:uuid}/cancel", cancel, methods=["POST"]),
]
