"""The joint solver: of all fills and all ways to the net amount, the pair that fits best as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from postroom.reading.trades.amounts import AmountReading
from postroom.reading.trades.fills import PriceFill, find_fills
from postroom.reading.trades.partial_fills import in_parts
from postroom.reading.trades.sums import MoneyLedger, NetPath

TRIED_FILLS = 24
FAR_FROM_GROSS = 3.0


@dataclass(slots=True)
class MoneySolution:
    fill: PriceFill | None
    chain: NetPath | None
    score: float
    runner_up: float = 0.0


def best(amounts: Sequence[AmountReading], lean: float = 0.0, *, entry: bool = False) -> MoneySolution:
    """The best assignment. `lean` is how much the words say BUY (positive) or SELL (negative).

    `entry` says that the amounts are those of one row or paragraph known to be a trade.
    """
    fills = sorted(find_fills(amounts, entry=entry), key=lambda fill: -fill.score)[:TRIED_FILLS]
    fills += in_parts(fills, amounts)
    ledger = MoneyLedger(amounts)
    found: list[MoneySolution] = []
    for fill in fills:
        chains = [*ledger.chains(fill, lean), *ledger.from_subtotal(fill, lean), *ledger.through_rate(fill, lean)]
        found.extend(MoneySolution(fill, chain, fill.score + chain.score) for chain in chains)
    alone = ledger.unexplained()
    single = _lone_quantity(amounts)
    for fill in [*fills[:3], *single]:
        if alone is not None:
            found.append(MoneySolution(fill, alone, fill.score + alone.score - _far(fill, alone.net)))
        else:
            found.append(MoneySolution(fill, None, fill.score))
    if not found:
        return MoneySolution(None, alone, alone.score if alone else 0.0)
    found.sort(key=lambda solution: -solution.score)
    winner = found[0]
    rival = next((other for other in found[1:] if _differs(winner, other)), None)
    winner.runner_up = rival.score if rival else 0.0
    return winner


def _far(fill: PriceFill, net: AmountReading) -> float:
    """What an unexplained net amount loses for being nowhere near the gross amount in its own currency."""
    gross = fill.gross_amount
    if gross is None or (gross.currency and net.currency and gross.currency != net.currency):
        return 0.0
    return FAR_FROM_GROSS if abs(net.value - gross.value) > 0.3 * gross.value else 0.0


def _differs(one: MoneySolution, other: MoneySolution) -> bool:
    if one.fill is None or other.fill is None or one.chain is None or other.chain is None:
        return True
    return one.fill.quantity != other.fill.quantity or one.chain.net.value != other.chain.net.value


def _lone_quantity(amounts: Sequence[AmountReading]) -> list[PriceFill]:
    likely = sorted(amounts, key=lambda amount: -amount.role("quantity"))[:2]
    return [
        PriceFill(amount.value, None, 0.0, ((amount, None, None),), score=amount.role("quantity") - 1.0)
        for amount in likely
        if amount.role("quantity") > 0.5
    ]
