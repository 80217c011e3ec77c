"""An order executed in parts: rows added up, with a total in each or one for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from postroom.reading.sums.amounts import AmountReading
from postroom.reading.sums.fills import EXACTLY, LOOSEST, PriceFill, price_slack
from postroom.reading.weights import Weights

MOST_PARTS = 40


def in_parts(fills: Sequence[PriceFill], amounts: Sequence[AmountReading], w: Weights) -> list[PriceFill]:
    """Executions in several rows, added up: with a total in each row, or one for all."""
    rows: dict[int, PriceFill] = {}
    for fill in fills:
        quantity, price, gross = fill.parts[0]
        if price is not None and gross is not None and quantity.line == gross.line and fill.quote == "unit":
            rows.setdefault(quantity.line, fill)
    sums = [_added(list(rows.values()), w)] if 2 <= len(rows) <= MOST_PARTS else []
    return sums + list(_parts_of_one_total(amounts, w))


def _added(rows: Sequence[PriceFill], w: Weights) -> PriceFill:
    quantity = round(sum(row.quantity for row in rows), 9)
    gross = round(sum(row.gross for row in rows), 6)
    score = min(row.score for row in rows) + w["fill.added"]
    exact = all(row.exact for row in rows)
    return PriceFill(quantity, rows[0].price, gross, tuple(row.parts[0] for row in rows), score=score, exact=exact)


def _parts_of_one_total(amounts: Sequence[AmountReading], w: Weights) -> Iterator[PriceFill]:
    """Neighbouring rows of quantity and price whose products add up to a printed amount."""
    by_line: dict[int, tuple[AmountReading, AmountReading]] = {}
    for line, group in _grouped(amounts):
        quantity = max(group, key=lambda amount: amount.role("quantity"))
        price = max(group, key=lambda amount: amount.role("price"))
        if quantity.token is not price.token and quantity.role("quantity") >= 1.5 and price.role("price") >= 1.0:
            by_line[line] = (quantity, price)
    for run in _runs(by_line):
        pairs = [by_line[line] for line in run]
        total = sum(quantity.value * price.value for quantity, price in pairs)
        slack = sum(quantity.value * price_slack(price) for quantity, price in pairs)
        for gross in amounts:
            if gross.line > run[0] and abs(gross.value - total) <= min(slack, LOOSEST * total) + EXACTLY:
                parts = tuple((quantity, price, gross) for quantity, price in pairs)
                count = sum(quantity.exact for quantity, _ in pairs)
                score = w["fill.exact"] + pairs[0][0].role("quantity") + pairs[0][1].role("price")
                score += w["fill.gross_role"] * gross.role("gross")
                exact = abs(gross.value - total) <= EXACTLY
                yield PriceFill(float(count), pairs[0][1], gross.value, parts, score=score, shared=True, exact=exact)


def _grouped(amounts: Sequence[AmountReading]) -> Iterator[tuple[int, list[AmountReading]]]:
    groups: dict[int, list[AmountReading]] = {}
    for amount in amounts:
        groups.setdefault(amount.line, []).append(amount)
    for line, group in groups.items():
        if 2 <= len({id(amount.token) for amount in group}) <= 4:
            yield line, group


def _runs(lines: Iterable[int]) -> Iterator[list[int]]:
    """Neighbouring lines, at least two."""
    run: list[int] = []
    for line in [*sorted(lines), 1 << 30]:
        if run and line - run[-1] > 1:
            if 2 <= len(run) <= MOST_PARTS:
                yield run
            run = []
        run.append(line)
