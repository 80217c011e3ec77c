"""Orders from a CSV file, with a clear word about every line that will not do."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

from postroom.nouns.documents import Direction
from postroom.nouns.errors import BadRequest
from postroom.rooms.documents.rules.checks import checked_isin

MOST_LINES = 20_000
MOST_BAD_LINES = 1_000  # so many show what is wrong with the file
_NAMES: Mapping[str, tuple[str, ...]] = {
    "external_id": ("external_id", "id", "order_id", "order"),
    "username": ("username", "user"),
    "isin": ("isin",),
    "ticker": ("ticker", "symbol"),
    "name": ("name", "instrument", "security"),
    "direction": ("direction", "side"),
    "quantity": ("quantity", "qty", "shares"),
    "limit_price": ("limit_price", "limit"),
    "currency": ("currency",),
    "placed_on": ("placed_on", "placed", "date", "placed_date"),
}
_NEEDED = ("username", "direction", "quantity", "placed_on")
_SIDES: Mapping[str, Direction] = {"buy": "BUY", "b": "BUY", "sell": "SELL", "s": "SELL"}


@dataclass(frozen=True, slots=True)
class NewOrder:
    external_id: str
    username: str
    isin: str | None
    ticker: str | None
    name: str | None
    direction: Direction
    quantity: Decimal
    limit_price: Decimal | None
    currency: str | None
    placed_on: date


@dataclass(frozen=True, slots=True)
class BadLine:
    line: int
    because: str


@dataclass(frozen=True, slots=True)
class OrderFile:
    orders: tuple[NewOrder, ...]
    bad: tuple[BadLine, ...]


def read_orders(content: bytes) -> OrderFile:
    """Comma, semicolon or tab; the first line names the columns, in any order."""
    text = _decoded(content)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    try:
        columns = _columns(next(rows, []))
        return _lines(rows, columns)
    except csv.Error as error:
        raise BadRequest(f"This is not a CSV file: {error}.") from None


def _lines(rows: object, columns: Mapping[str, int]) -> OrderFile:
    orders: dict[str, NewOrder] = {}
    bad: list[BadLine] = []
    for cells in rows:  # type: ignore[attr-defined]  # csv's reader type has no public name
        number = rows.line_num  # type: ignore[attr-defined]  # likewise
        if number > MOST_LINES:
            raise BadRequest(f"The file has more than {MOST_LINES:,} lines; cut it into several.")
        if not any(cell.strip() for cell in cells):
            continue
        values = {name: cells[at].strip() for name, at in columns.items() if at < len(cells)}
        try:
            order = new_order(values)
        except BadRequest as problem:
            bad.append(BadLine(number, str(problem)))
            if len(bad) >= MOST_BAD_LINES:
                break
            continue
        if order.external_id in orders:
            bad.append(BadLine(number, f"The order {order.external_id} stands in the file twice."))
            continue
        orders[order.external_id] = order
    return OrderFile(tuple(orders.values()), tuple(bad))


def new_order(values: Mapping[str, str | None]) -> NewOrder:
    """One order from text values, however it came: a line of a file or a request."""
    given = {name: (text or "").strip() for name, text in values.items()}
    if missing := [name for name in _NEEDED if not given.get(name)]:
        raise BadRequest(f"{missing[0]} is missing.")
    if not any(given.get(name) for name in ("isin", "ticker", "name")):
        raise BadRequest("One of isin, ticker and name must be given.")
    direction = _SIDES.get(given["direction"].lower())
    if direction is None:
        raise BadRequest(f"direction {given['direction']!r} is neither BUY nor SELL.")
    quantity = _positive("quantity", given["quantity"])
    placed = _day(given["placed_on"])
    isin = checked_isin(given["isin"]) if given.get("isin") else None
    currency = given.get("currency", "").upper() or None
    if currency and not (len(currency) == 3 and currency.isalpha()):
        raise BadRequest(f"currency {currency!r} is not a code of three letters such as EUR.")
    instrument = isin or given.get("ticker", "").upper() or given.get("name", "")
    made_up = f"{given['username']}-{placed:%Y%m%d}-{instrument}-{direction}-{quantity:f}"
    return NewOrder(
        external_id=given.get("external_id") or made_up,
        username=given["username"],
        isin=isin,
        ticker=given.get("ticker", "").upper() or None,
        name=given.get("name") or None,
        direction=direction,
        quantity=quantity,
        limit_price=_positive("limit_price", given["limit_price"]) if given.get("limit_price") else None,
        currency=currency,
        placed_on=placed,
    )


def _columns(header: list[str]) -> dict[str, int]:
    said = [cell.strip().lower().replace(" ", "_") for cell in header]
    columns = {
        name: said.index(spelling)
        for name, spellings in _NAMES.items()
        for spelling in reversed(spellings)
        if spelling in said
    }
    if missing := [name for name in _NEEDED if name not in columns]:
        raise BadRequest(
            f"The first line must name the columns; {missing[0]} is missing. Columns are {', '.join(_NAMES)}."
        )
    return columns


def _positive(name: str, text: str) -> Decimal:
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal(0)
    if not number.is_finite() or number <= 0 or abs(number.adjusted()) > 15:
        raise BadRequest(f"{name} {text!r} is not a positive number; write it as 1234.56.")
    return number


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        raise BadRequest(f"placed_on {text!r} is not a day; write it as 2026-02-04.") from None


def _decoded(content: bytes) -> str:
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            return content.decode(encoding).replace("\0", "")
        except UnicodeDecodeError:
            continue
    raise BadRequest("The file is no text; save it as CSV in UTF-8.")
