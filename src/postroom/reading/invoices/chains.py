"""Sums printed one under the other: a net, what comes to it and goes off it, and the total under all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import accumulate
from typing import NamedTuple

from postroom.reading.page.tokens import Token

_CENT = Decimal("0.01")
_LONGEST = 8  # steps from the net to the total
_EDGE = 14.0  # points by which amounts flush right may miss each other
_CALLED = 1.4
_STEPS = ("tax", "extra", "rebate", "withheld")


class PrintedSum(NamedTuple):
    """An amount where it stands, with what its labels say."""

    token: Token
    value: Decimal
    says: Mapping[str, float]


class ChainedSum(NamedTuple):
    score: float
    net: Decimal
    tax: Decimal
    called: float
    """How strongly its label calls it a tax."""
    evidence: str
    steps: tuple[tuple[str, PrintedSum], ...] = ()
    """The printed amounts that make the total, each by what it is called."""


def chain(token: Token, total: Decimal, printings: Sequence[PrintedSum], rates: Sequence[Decimal]) -> ChainedSum | None:
    """How the amounts over this one add up to it: from a net, through taxes, freight and rebates that are called so."""
    column = _over(token, printings)
    for start in range(len(column) - 2, -1, -1):
        first, steps = column[start], column[start + 1 :]
        named = max(step.says[kind] for step in steps[:1] for kind in _STEPS) >= _CALLED
        if not named or any(_is_payment(step) for step in steps):
            continue
        parts = [_signed(step) for step in steps]
        if abs(first.value + sum(parts) - total) > _CENT:
            continue
        taxes = [part for part, step in zip(parts, steps, strict=True) if _is_tax(step)]
        if first.says["net"] < _CALLED and (first.says["gross"] >= _CALLED or not taxes):
            continue
        return _told(first, steps, parts, sum(taxes, Decimal(0)), rates)
    return None


def _over(token: Token, printings: Sequence[PrintedSum]) -> list[PrintedSum]:
    """The amounts over a place that end where it ends, one a line, from the top."""
    found: dict[int, PrintedSum] = {}
    for printing in printings:
        other = printing.token
        if other.page == token.page and other.line < token.line and abs(other.box[2] - token.box[2]) <= _EDGE:
            found[other.line] = printing
    return [found[line] for line in sorted(found)][-_LONGEST:]


def _signed(step: PrintedSum) -> Decimal:
    """A rebate goes off, printed with its sign or without."""
    return -abs(step.value) if step.says["rebate"] >= _CALLED else step.value


def _is_payment(step: PrintedSum) -> bool:
    """What was paid already takes nothing off the invoice."""
    return step.says["paid"] >= _CALLED and step.says["paid"] > max(step.says[kind] for kind in _STEPS)


def _is_tax(step: PrintedSum) -> bool:
    return step.says["tax"] >= max(_CALLED, step.says["extra"], step.says["withheld"])


def _told(
    first: PrintedSum, steps: Sequence[PrintedSum], parts: Sequence[Decimal], tax: Decimal, rates: Sequence[Decimal]
) -> ChainedSum:
    kept = [part for part, step in zip(parts, steps, strict=True) if step.says["withheld"] >= _CALLED]
    extras = [part for part, step in zip(parts, steps, strict=True) if not _is_tax(step) and part not in kept]
    bases = list(accumulate([first.value, *extras]))
    rated = bool(tax) and any(abs(base * rate - tax) <= Decimal("0.02") for base in bases for rate in rates)
    called = max((step.says["tax"] for step in steps if _is_tax(step)), default=0.0)
    score = 1.0 + 0.5 * (first.says["net"] + called) + (2.0 if rated else 0.0)
    named = (("tax" if _is_tax(step) else max(_STEPS, key=step.says.__getitem__), step) for step in steps)
    evidence = "withheld" if kept else "sum and rate" if rated else "sum"
    return ChainedSum(score, bases[-1], tax, called, evidence, (("net", first), *named))
