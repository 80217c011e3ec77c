"""Orders that wait for their contract notes."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal
from uuid import UUID

from fastapi import File, UploadFile
from fastapi.responses import JSONResponse, Response
from pydantic import ConfigDict, Field

from postroom.doors.api.books import Amount
from postroom.doors.api.paging import NO_NUL, Cursor, InBody, Limit, OutBody, PageOut, by_id, next_after
from postroom.doors.api.route import Operator, OrderFileRoute, Reader, collection
from postroom.doors.entry import Caller
from postroom.doors.http import problem
from postroom.nouns.counting import count
from postroom.nouns.documents import Direction
from postroom.nouns.errors import NotFound
from postroom.rooms.documents import commands
from postroom.rooms.documents.store import books

router = collection("orders")
files = collection("orders", OrderFileRoute)
Text = Annotated[str, Field(max_length=200, pattern=NO_NUL)]
Number = Annotated[str, Field(max_length=30, pattern=r"^\d{1,15}(\.\d{1,10})?$", examples=["100"])]


class OrderOut(OutBody):
    """Somebody's wish to trade."""

    id: UUID
    external_id: str
    username: str
    isin: str | None
    ticker: str | None
    name: str | None
    direction: Direction
    quantity: Amount
    filled: Amount
    limit_price: Amount | None
    currency: str | None
    placed_on: date
    status: Literal["open", "filled", "cancelled"]


class OrderIn(InBody):
    """One of isin, ticker and name says what is traded."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {
                    "username": "ldeburna",
                    "isin": "IE00B4L5Y983",
                    "direction": "BUY",
                    "quantity": "100",
                    "placed_on": "2026-02-04",
                }
            ]
        },
    )

    external_id: Text | None = Field(None, description="Your own id; made from the rest if not given.")
    username: Annotated[str, Field(min_length=1, max_length=200, pattern=NO_NUL)]
    isin: Text | None = None
    ticker: Text | None = None
    name: Text | None = None
    direction: Direction
    quantity: Number
    limit_price: Number | None = None
    currency: Annotated[str, Field(pattern=r"^[A-Za-z]{3}$")] | None = None
    placed_on: date


class OrdersImportedOut(OutBody):
    """What became of a file."""

    new: int
    changed: int
    unchanged: int


@router.get("/orders", summary="List orders, newest first")
async def list_orders(
    who: Reader,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: Literal["open", "filled", "cancelled"] | None = None,
) -> PageOut[OrderOut]:
    found = await commands.orders(who.scope, status=status, before=by_id(cursor), most=limit)
    return PageOut(items=[OrderOut.model_validate(each) for each in found.items], next=next_after(found.next))


@router.post("/orders", summary="Place an order, or change an open one", status_code=201)
async def place_order(body: OrderIn, who: Operator) -> OrderOut:
    """An open order of the same `external_id` is changed; an equal one is a conflict."""
    values: dict[str, Any] = body.model_dump(mode="json")
    return await _find(who, await commands.place_order(who.scope, values))


@files.post(
    "/orders/import", summary="Import orders from a CSV file, wholly or not at all", response_model=OrdersImportedOut
)
async def import_orders(
    who: Operator, file: Annotated[UploadFile, File(description="Its first line names the columns.")]
) -> Response:
    """The same file twice changes nothing. With a bad line nothing is imported, and 422 names each of them."""
    return _told(await commands.import_orders(who.scope, await file.read()))


@router.get("/orders/{order_id}", summary="One order")
async def get_order(order_id: UUID, who: Reader) -> OrderOut:
    return await _find(who, order_id)


@router.post("/orders/{order_id}/cancel", summary="Cancel an open order")
async def cancel_order(order_id: UUID, who: Operator) -> OrderOut:
    await commands.cancel_order(who.scope, order_id)
    return await _find(who, order_id)


async def _find(who: Caller, order_id: UUID) -> OrderOut:
    async with who.scope.read() as tx:
        found = await books.order(tx, order_id)
    if found is None:
        raise NotFound(f"There is no order {order_id}.")
    return OrderOut.model_validate(found)


def _told(done: commands.Imported) -> Response:
    if done.bad:
        wrong = [{"where": f"line {each.line}", "what": each.because} for each in done.bad[:200]]
        text = f"Nothing was imported; {count(len(done.bad), 'line')} to mend. The first: {done.bad[0].because}"
        return problem(422, "BadLines", text, errors=wrong)
    return JSONResponse(OrdersImportedOut.model_validate(done).model_dump())
