"""What a reading used of the printed amounts, and which it has no place for."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple

from postroom.nouns.documents import PrintedAmount
from postroom.reading.sums.amounts import CHARGES, AmountReading
from postroom.reading.sums.fills import EXACTLY, LOOSEST, PriceFill
from postroom.reading.sums.ledger import NetPath
from postroom.reading.sums.solver import MoneySolution

CENTS = 2  # decimals
CALLED = 2.0  # a label this loud wants its amount explained
MOST_SUMMED = 8  # charges of which every sum is known
NEAR = 3  # lines between a charge and what takes it off again
BELOW = 5  # lines under the booked amount in which a tax may still be this trade's
CLOSE = 0.1  # of the net amount: charges are rarely more
NAMED = 1.0
WANTED = {"net": "total", "fee": "fee", "tax": "tax"}
AGAIN = 0.02  # a total may be told again, rounded

CostTitle = Callable[[], int | None]
"""Finds the line of a title over costs that are told for information."""


def _no_title() -> None:
    """Where nobody looks for one."""


def used(solution: MoneySolution) -> tuple[PrintedAmount, ...]:
    """Every printed number that the sums rest on, with its role."""
    return tuple(printed(role, amount) for role, amount in _used(solution))


def printed(role: str, amount: AmountReading) -> PrintedAmount:
    token = amount.token
    label = amount.evidence.labels.get(role) or next(iter(amount.evidence.labels.values()), "")
    return PrintedAmount(role, amount.exact, amount.currency, token.page, token.box, label)


def _used(solution: MoneySolution) -> Iterator[tuple[str, AmountReading]]:
    fill, path = solution.fill, solution.path
    if fill is not None:
        yield from _of_fill(fill)
    if path is not None:
        yield from _of_path(path)


def _of_fill(fill: PriceFill) -> Iterator[tuple[str, AmountReading]]:
    for quantity, price, gross in fill.parts:
        yield "quantity", quantity
        if price is not None:
            yield "price", price
        if gross is not None:
            yield "gross", gross
    if fill.rate is not None:
        yield "multiplier" if fill.quote == "contract" else "fx", fill.rate


def _of_path(path: NetPath) -> Iterator[tuple[str, AmountReading]]:
    if path.start is not None:
        yield "gross", path.start
    if path.interest is not None:
        yield "accrued", path.interest
    for charge in path.charges:
        yield max(CHARGES, key=charge.role), charge
    for total in path.totals:
        yield "total", total
    if path.rate is not None:
        yield "fx", path.rate
    yield "net", path.net


class Unused(NamedTuple):
    """Amounts that the sums do not use: `left` wants an explanation, `aside` is information."""

    left: tuple[PrintedAmount, ...]
    aside: tuple[PrintedAmount, ...]
    apart: float
    """The total of another booking below, made up of what was taken out of these."""


def left_over(amounts: Sequence[AmountReading], solution: MoneySolution, costs: CostTitle = _no_title) -> Unused:
    """What the paper calls a total, a booking, a charge or a tax, and the sums do not use: one for each value.

    Taxes further below the booked amount are information (of the year, of the fund), as long as no further total
    follows there and nothing says that they were given back; so is what a title there, found by `costs`, says the
    trade cost.
    """
    tokens = {id(amount.token) for _, amount in _used(solution)}
    known = _known(solution)
    end = _end(amounts, solution)
    same: dict[float, list[AmountReading]] = {}
    for amount in amounts:
        same.setdefault(amount.value, []).append(amount)
    found: dict[tuple[str, float], AmountReading] = {}
    for amount in amounts:
        if amount.reread or id(amount.token) in tokens or amount.decimals != CENTS:
            continue
        name = _called(amount)
        if name is None or (name, amount.value) in found or _is_known(amount.value, known):
            continue
        if not _is_cancelled(amount, name, same[amount.value]):
            found[name, amount.value] = amount
    booked = solution.path.net.line if solution.path is not None else end
    apart = 0.0
    informing = _informing(found, solution, costs)
    for key in informing:
        del found[key]
    for name, value in _booked_apart(found, booked):
        apart = value if name == "total" else apart
        del found[name, value]
    goes_on = any(name == "total" and amount.line > end for (name, _), amount in found.items())
    left: list[PrintedAmount] = []
    aside: list[PrintedAmount] = []
    for (name, _), amount in found.items():
        wanted = name != "tax" or amount.line <= end + BELOW or goes_on or amount.named("rebate")
        (left if wanted else aside).append(printed(name, amount))
    aside += [printed(name, amount) for (name, _), amount in informing.items()]
    return Unused(tuple(left), tuple(aside), apart)


def _informing(
    found: Mapping[tuple[str, float], AmountReading], solution: MoneySolution, costs: CostTitle
) -> dict[tuple[str, float], AmountReading]:
    """Charges under a title over costs, and small totals of them."""
    path = solution.path
    below = [] if path is None else [key for key, amount in found.items() if amount.line > path.net.line]
    title = costs() if below else None
    if path is None or title is None:
        return {}
    most = CLOSE * path.net.value
    return {key: found[key] for key in below if found[key].line > title and found[key].value < most}


def _booked_apart(found: Mapping[tuple[str, float], AmountReading], end: int) -> list[tuple[str, float]]:
    """Charges and taxes below the booked amount that come to a total of their own: another booking of the paper."""
    below = [(key, amount) for key, amount in found.items() if amount.line > end]
    totals = [(key, amount) for key, amount in below if key[0] == "total"]
    if len(totals) != 1:
        return []
    (key, total) = totals[0]
    parts = [(other, amount) for other, amount in below if other[0] != "total" and amount.line <= total.line]
    for size in range(min(len(parts), MOST_SUMMED), 1, -1):
        for chosen in combinations(parts[-MOST_SUMMED:], size):
            if abs(sum(amount.value for _, amount in chosen) - total.value) <= EXACTLY:
                return [key, *(other for other, _ in chosen)]
    return []


def unexplained(amounts: Sequence[AmountReading], solution: MoneySolution) -> float:
    """An amount that nothing names, close to a net one that is only the gross one again; 0 if there is none.

    Where labels and values stand apart, charges and the booked amount may be among what nothing names.
    """
    path = solution.path
    if path is None or path.charges or path.rate is not None:
        return 0.0
    known, net = _known(solution), path.net
    return next(
        (
            amount.value
            for amount in amounts
            if not amount.reread
            and amount.decimals == CENTS
            and abs(amount.value - net.value) < CLOSE * net.value
            and amount.currency in (None, net.currency)
            and max(amount.evidence.scores.values(), default=0.0) < NAMED
            and not _is_known(amount.value, known)
        ),
        0.0,
    )


def _is_cancelled(amount: AmountReading, name: str, same: Sequence[AmountReading]) -> bool:
    """A charge that another line near it takes off again."""
    return name != "total" and any(
        other.token.negative is not amount.token.negative
        and 0 < abs(other.line - amount.line) <= NEAR
        and other.decimals == amount.decimals
        for other in same
    )


def _end(amounts: Sequence[AmountReading], solution: MoneySolution) -> int:
    """The last line that prints the booked amount."""
    if solution.path is None:
        return -1
    net = solution.path.net
    return max(
        (amount.line for amount in amounts if amount.value == net.value and amount.named("net")), default=net.line
    )


def _called(amount: AmountReading) -> str | None:
    """What its loudest label calls it, if that wants an explanation."""
    loudest = max(amount.evidence.scores.items(), key=lambda item: (item[1], item[0] in WANTED), default=("", 0.0))
    if loudest[1] < CALLED or amount.role(loudest[0]) < 1.0 or amount.evidence.of("included"):
        return None
    return WANTED.get(loudest[0])


def _known(solution: MoneySolution) -> list[float]:
    """Every amount that the reading accounts for: used, added up, or told again in another currency."""
    path, fill = solution.path, solution.fill
    sums: set[float] = set()
    if fill is not None:
        sums |= {fill.gross, *(part[2].value for part in fill.parts if part[2] is not None)}
    if path is not None:
        charges = path.charges[:MOST_SUMMED]
        made = set(_sums(charge.value for charge in charges))
        starts = {start for start in (path.gross, path.start and path.start.value, fill and fill.gross) if start}
        sums |= made | starts | {path.net.value, *(total.value for total in path.totals)}
        sums |= {start + way * some for start in starts for some in made for way in (1, -1)}
    rates = [rate.value for rate in (path.rate if path else None, fill.rate if fill else None) if rate is not None]
    told_again = {value * factor for value in sums for rate in rates for factor in (rate, 1.0 / rate)}
    return sorted(sums | told_again)


def _sums(values: Iterable[float]) -> Iterator[float]:
    every = list(values)
    for size in range(1, len(every) + 1):
        yield from (sum(chosen) for chosen in combinations(every, size))


def _is_known(value: float, known: Sequence[float]) -> bool:
    near = known[bisect_left(known, value - AGAIN) : bisect_right(known, value + AGAIN)]
    return any(abs(value - one) <= max(EXACTLY, min(LOOSEST * one, AGAIN)) for one in near)
