"""Orders that wait for their contract notes."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import OrderId
from postroom.rooms.documents.commands.looking import MOST, Page
from postroom.rooms.documents.rules.order_files import BadLine, NewOrder, new_order, read_orders
from postroom.rooms.documents.rules.orders import PendingOrder
from postroom.rooms.documents.store import books, documents

STATUSES = ("open", "filled", "cancelled")
AT_ONCE = 500  # orders in one statement: making it takes no longer than others can wait


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file: with a bad line in it, nothing was imported."""

    new: int
    changed: int
    unchanged: int
    bad: Sequence[BadLine]


async def import_orders(who: TenantScope, content: bytes) -> Imported:
    """A CSV file, wholly or not at all. The same file twice changes nothing."""
    file = await asyncio.to_thread(read_orders, content)  # a large one takes seconds
    if file.bad:
        return Imported(0, 0, 0, file.bad)
    if not file.orders:
        raise BadRequest("The file names its columns but has no orders in it.")
    ids, new = await _put(who, file.orders)
    return Imported(new, len(ids) - new, len(file.orders) - len(ids), ())


async def place_order(who: TenantScope, values: Mapping[str, str | None]) -> OrderId:
    order = new_order(values)
    ids, _ = await _put(who, [order])
    if not ids:
        raise Conflict(f"The order {order.external_id} is known already, and is the same or no longer open.")
    return ids[0]


async def _put(who: TenantScope, new: Sequence[NewOrder]) -> tuple[list[OrderId], int]:
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        ids: list[OrderId] = []
        fresh = 0
        for at in range(0, len(new), AT_ONCE):
            put, made = await books.put_orders(tx, who.tenant_id, new[at : at + AT_ONCE], who.actor, who.now)
            ids, fresh = ids + put, fresh + made
        if ids:
            told = facts.OrdersPlaced(new=fresh, changed=len(ids) - fresh, order_ids=list(ids[:1000]))
            await who.tell(tx, told)
    return ids, fresh


async def cancel_order(who: TenantScope, order_id: UUID) -> None:
    async with who.finish() as tx:
        await documents.take_turns(tx, who.tenant_id)
        external = await books.cancel_order(tx, OrderId(order_id), who.now)
        if external is None:
            held = await books.order(tx, order_id)
            if held is None:
                raise NotFound(f"There is no order {order_id}.")
            raise Conflict(f"The order {held.external_id} is {held.status} and cannot be cancelled.")
        await who.tell(tx, facts.OrderCancelled(order_id=order_id, external_id=external))


async def orders(
    who: TenantScope, *, status: str | None = None, before: UUID | None = None, most: int = 50
) -> Page[PendingOrder]:
    if status is not None and status not in STATUSES:
        raise BadRequest(f"{status!r} is not a status; choose one of {', '.join(STATUSES)}.")
    most = max(1, min(most, MOST))
    async with who.read() as tx:
        found = await books.orders(tx, before=OrderId(before) if before else None, most=most + 1, status=status)
    return Page(found[:most], found[most - 1].id if len(found) > most else None)
