"""The joint solver: of all fills and all ways to the booked amount, the pair that fits best as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from postroom.reading.sums.amounts import AmountReading
from postroom.reading.sums.fills import EXACTLY, PriceFill, find_fills, told_only, unprinted
from postroom.reading.sums.ledger import MoneyLedger, NetPath
from postroom.reading.sums.partial_fills import in_parts
from postroom.reading.sums.rules import OF_A_TRADE, SumRule
from postroom.reading.weights import Weights

TRIED_FILLS = 24
TRIED_FURTHER = 10  # solutions that are followed to later totals
ROUNDS = 2  # of following
MOST_UNUSED = 3
NEAR_GROSS = 0.3


@dataclass(slots=True)
class MoneySolution:
    """One reading of a document's money: what was traded at which price, and what was booked for it."""

    fill: PriceFill | None
    path: NetPath | None
    score: float
    runner_up: float = 0.0


def best(
    amounts: Sequence[AmountReading],
    weights: Weights,
    lean: float = 0.0,
    rule: SumRule = OF_A_TRADE,
    *,
    entry: bool = False,
) -> MoneySolution:
    """The best assignment. `lean` is how much the words say BUY (positive) or SELL (negative).

    `entry` says that the amounts are those of one row or paragraph known to be a trade.
    """
    found = solutions(amounts, weights, lean, rule, entry=entry)
    winner = found[0]
    rival = next((other for other in found[1:] if _differs(winner, other)), None)
    winner.runner_up = rival.score if rival else 0.0
    if winner.path is not None:
        net = winner.path.net
        winner.path.minus = any(
            amount.token.negative and amount.value == net.value and amount.named("net") for amount in amounts
        )
    return winner


def solutions(
    amounts: Sequence[AmountReading],
    w: Weights,
    lean: float = 0.0,
    rule: SumRule = OF_A_TRADE,
    *,
    entry: bool = False,
) -> list[MoneySolution]:
    """All that could be meant, the likeliest first; never none."""
    lean = rule.lean(lean)
    fills = sorted(find_fills(amounts, w, rule, entry=entry), key=lambda fill: -fill.score)[:TRIED_FILLS]
    fills += in_parts(fills, amounts, w)
    ledger = MoneyLedger(amounts, w)
    found = [_solved(ledger, w, fill, path) for fill in fills for path in ledger.paths(fill, lean)]
    supposed = unprinted(amounts, w, rule)
    found += [_solved(ledger, w, fill, path) for fill in supposed for path in ledger.charged(fill, lean)]
    found += _followed(ledger, w, found, lean)
    alone = ledger.unexplained()
    for fill in [*fills[:3], *told_only(amounts, w, rule)]:
        if alone is not None:
            found.append(MoneySolution(fill, alone, fill.score + alone.score + _far(fill, alone.net, w)))
        else:
            found.append(MoneySolution(fill, None, fill.score))
    if not found:
        return [MoneySolution(None, alone, alone.score if alone else 0.0)]
    return sorted(found, key=lambda solution: -solution.score)


def _followed(ledger: MoneyLedger, w: Weights, found: Sequence[MoneySolution], lean: float) -> list[MoneySolution]:
    """The best ones, followed to later totals."""
    every: list[MoneySolution] = []
    last = sorted(found, key=lambda solution: -solution.score)[:TRIED_FURTHER]
    for _ in range(ROUNDS):
        last = [
            _solved(ledger, w, solution.fill, path)
            for solution in last
            if solution.fill is not None and solution.path is not None
            for path in ledger.further(solution.path, lean)
        ]
        every += last
        last = last[:TRIED_FURTHER]
    return every


def _solved(ledger: MoneyLedger, w: Weights, fill: PriceFill, path: NetPath) -> MoneySolution:
    unused = min(unused_totals(ledger, fill, path), MOST_UNUSED)
    return MoneySolution(fill, path, fill.score + path.score + w["path.unused_total"] * unused)


def unused_totals(ledger: MoneyLedger, fill: PriceFill, path: NetPath) -> int:
    """How many amounts a label plainly calls a total that this reading has no place for."""
    if not ledger.totals:
        return 0
    known = {path.net.value, fill.gross, path.gross or 0.0, *(total.value for total in path.totals)}
    if path.start is not None:
        known.add(path.start.value)
    if charges := [charge.value for charge in path.charges]:
        known |= {sum(charges), *charges}
    return sum(1 for total in ledger.totals if not _is_among(total.value, known))


def _is_among(value: float, known: Iterable[float]) -> bool:
    for one in known:  # noqa: SIM110 - asked thousands of times for a statement: any() takes thrice as long
        if abs(value - one) <= EXACTLY:
            return True
    return False


def _far(fill: PriceFill, net: AmountReading, w: Weights) -> float:
    """What an unexplained net amount loses for being nowhere near the gross amount in its own currency."""
    gross = fill.gross_amount
    if gross is None or (gross.currency and net.currency and gross.currency != net.currency):
        return 0.0
    return w["path.far_from_gross"] if abs(net.value - gross.value) > NEAR_GROSS * gross.value else 0.0


def _differs(one: MoneySolution, other: MoneySolution) -> bool:
    if one.fill is None or other.fill is None or one.path is None or other.path is None:
        return True
    return one.fill.quantity != other.fill.quantity or one.path.net.value != other.path.net.value
