"""Tax by rate: lines that hold a rate, an amount and the tax on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, permutations

from postroom.reading.invoices.layout import InvoiceSheet
from postroom.reading.page.tokens import TokenKind, TokenLine

_CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True)
class TaxRow:
    rate: Decimal
    base: Decimal
    tax: Decimal


def rows_making(rows: Sequence[TaxRow], net: Decimal, tax: Decimal) -> tuple[TaxRow, ...]:
    """The tax rows of different rates that together make this net and this tax."""
    for size in (2, 3, 4):
        for some in combinations(rows[-9:], size):
            taxes, bases = sum(row.tax for row in some), sum(row.base for row in some)
            apart = len({row.rate for row in some}) == size
            if apart and abs(taxes - tax) <= _CENT * size and abs(bases - net) <= _CENT * size:
                return some
    return ()


def tax_rows(sheet: InvoiceSheet) -> list[TaxRow]:
    """Lines that hold a rate, an amount and the tax on it."""
    found: dict[tuple[Decimal, Decimal], TaxRow] = {}
    for typed in sheet.lines:
        money = [token for token in typed.of(TokenKind.NUMBER) if token.decimals == 2]
        if len(money) < 2:
            continue
        for rate in _rates(typed):
            for base, tax in permutations(money, 2):
                made = base.number * rate / 100
                fits = abs(made - tax.number) <= Decimal("0.011") and tax.number >= Decimal("0.05")
                if fits and base.negative == tax.negative:
                    sign = -1 if base.negative else 1
                    found.setdefault((rate, base.number), TaxRow(rate, base.number * sign, tax.number * sign))
    return list(found.values())


def _rates(typed: TokenLine) -> list[Decimal]:
    """Rates with or without their sign; a bare number must look like a rate, not like money."""
    bare = [
        token.number
        for token in typed.of(TokenKind.NUMBER)
        if 2 <= token.number <= 27 and not token.negative and (token.decimals <= 1 or token.number % 1 == 0)
    ]
    signed = [token.number for token in typed.of(TokenKind.PERCENT) if 0 < token.number <= 30]
    return list(dict.fromkeys(signed or bare))


def rows_inside(rows: Sequence[TaxRow], gross: Decimal) -> tuple[TaxRow, ...]:
    """The tax rows of different rates whose amounts and taxes together make this gross."""
    for size in (2, 3, 4):
        for some in combinations(rows[-9:], size):
            apart = len({row.rate for row in some}) == size
            if apart and abs(sum(row.base + row.tax for row in some) - gross) <= _CENT * (size - 1):
                return some
    return ()


def by_rate(rows: Sequence[TaxRow], net: Decimal, tax: Decimal) -> dict[Decimal, Decimal]:
    """The rates whose taxes make the whole tax; one rate alone if it fits; nothing if unsure."""
    whole = [row for row in rows if abs(row.base - net) <= _CENT and abs(row.tax - tax) <= _CENT]
    if whole:
        return {whole[0].rate: whole[0].tax}
    if several := rows_making(rows, net, tax):
        return {row.rate: row.tax for row in several}
    rate = (tax / net * 100).quantize(Decimal("0.1")) if net else Decimal(0)
    exact = abs(net * rate / 100 - tax) <= Decimal("0.02")
    return {rate.normalize(): tax} if exact and rate and rate == rate.to_integral() else {}
