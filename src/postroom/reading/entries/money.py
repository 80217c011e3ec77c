"""The money of an entry: what was traded at which price, what it cost, and what was booked in which currency."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import combinations
from typing import TYPE_CHECKING

from postroom.reading.page.tokens import Token, TokenKind
from postroom.reading.sums.amounts import CHARGES, AmountReading
from postroom.reading.sums.fills import PriceFill
from postroom.reading.sums.ledger import NetPath
from postroom.reading.sums.solver import MoneySolution

if TYPE_CHECKING:
    from postroom.reading.entries.entry import EntryReading

HUNDRED = Decimal(100)
CENT = Decimal("0.01")
MILLIONTH = Decimal("0.000001")
NEAR = 12  # letters
MOST_SUMMED = 8  # charges of which every sum is tried
ENGLISH = {"US": "USD", "GB": "GBP", "CA": "CAD", "AU": "AUD", "NZ": "NZD"}
"""Where papers in English come from, by the security's country."""
HOME = {
    **dict.fromkeys(("de", "fr", "it", "es", "nl", "pt", "fi", "el"), "EUR"),
    "da": "DKK", "sv": "SEK", "pl": "PLN", "cs": "CZK", "hu": "HUF", "ro": "RON",
}  # fmt: skip
"""The currency that papers in a language mostly count in."""
PAID_IN = {
    "EUR": frozenset(("AT", "BE", "DE", "ES", "FI", "FR", "GR", "IE", "IT", "LU", "NL", "PT")),
    "DKK": frozenset(("DK",)), "SEK": frozenset(("SE",)), "PLN": frozenset(("PL",)), "CZK": frozenset(("CZ",)),
    "HUF": frozenset(("HU",)), "RON": frozenset(("RO",)),
}  # fmt: skip


def settle_money(found: EntryReading, solution: MoneySolution, tokens: Sequence[Token]) -> None:
    fill, path = solution.fill, solution.path
    if fill is not None:
        if fill.quote == "pence" and path is not None and any(called(path.charges, "accrued")):
            fill = replace(fill, quote="percent")  # what bears interest is quoted in percent: 85.80 of 100
        _settle_fill(found, fill)
    if path is not None:
        found.net = path.net.exact.quantize(CENT) if path.net.decimals > 2 else path.net.exact
        found.tokens["net"] = path.net.token
        spent = fill.gross_amount.currency if fill is not None and fill.gross_amount is not None else None
        found.currency = path.net.currency or _after_conversion(path, tokens, spent)
        if found.currency is None and not (fill is not None and fill.quote == "pence" and path.rate is None):
            found.currency = _currency_for(path.net, tokens)
        _settle_charges(found, path)
    elif fill is not None and fill.gross:
        found.net = Decimal(repr(fill.gross)).quantize(CENT)
        found.currency = fill.price.currency if fill.price is not None else None
        found.flags["net_computed"] = 1.0
    if found.currency == "GBX" or (found.currency is None and fill is not None and fill.quote == "pence"):
        found.currency = "GBP"


def _settle_charges(found: EntryReading, path: NetPath) -> None:
    """What the entry cost. A tax paid back with a sale is a booking of its own."""
    costs, benefits = path.costs, path.benefits
    if path.grows and path.grows != (1 if found.direction == "BUY" else -1):
        costs, benefits = benefits, costs
    found.flags["rebate"] = float(_total(benefits, "fee"))
    found.fees = _total(costs, "fee") - _total(benefits, "fee")
    found.taxes = _total(costs, "tax")
    found.refund = _total(benefits, "tax")
    if found.refund in _sums(called(costs, "tax")):  # what is charged and taken off again is one tax told twice
        found.taxes, found.refund = found.taxes - found.refund, Decimal(0)
    if found.refund and found.net is not None:
        found.net += found.refund if found.direction == "BUY" else -found.refund


def _settle_fill(found: EntryReading, fill: PriceFill) -> None:
    quantity, price, gross = fill.parts[0]
    found.tokens["quantity"] = quantity.token
    found.quantity = sum((part[0].exact for part in fill.parts), Decimal(0))
    if fill.quote == "percent":
        found.quantity /= HUNDRED
    if fill.quote == "contract" and fill.rate is not None:
        found.quantity *= fill.rate.exact
    if price is not None:
        found.price, found.tokens["price"] = price.exact, price.token
        if fill.quote == "pence":
            found.price = price.exact / HUNDRED
        if len(fill.parts) > 1:
            found.price = _average(fill)
    if gross is not None:
        shared = [gross] if fill.shared else [part[2] for part in fill.parts if part[2] is not None]
        found.gross = sum((amount.exact for amount in shared), Decimal(0))
        found.tokens["gross"] = gross.token
    elif fill.proved:
        found.gross = Decimal(repr(fill.gross)).quantize(CENT)


def guessed_currency(isin: str | None, language: str, *, american: bool = False) -> str | None:
    """Where no currency is printed at all: that of the security's country, if the paper is written in its language.
    `american` says that it is named by the number of American securities."""
    if language == "en" and (isin is not None or american):
        return ENGLISH.get(isin[:2] if isin is not None else "US")
    home = HOME.get(language)
    if home is None or isin is None:
        return None
    return home if isin[:2] in PAID_IN[home] else None


def _average(fill: PriceFill) -> Decimal:
    quantity = sum((part[0].exact for part in fill.parts), Decimal(0))
    return (Decimal(repr(fill.gross)) / quantity).quantize(MILLIONTH)


def _sums(charges: Sequence[AmountReading]) -> set[Decimal]:
    """What some of the charges come to."""
    few = [charge.exact for charge in charges[:MOST_SUMMED]]
    return {sum(some, Decimal(0)) for size in range(1, len(few) + 1) for some in combinations(few, size)}


def _total(charges: Sequence[AmountReading], name: str) -> Decimal:
    return sum((charge.exact for charge in called(charges, name)), Decimal(0))


def called(charges: Sequence[AmountReading], name: str) -> list[AmountReading]:
    return [charge for charge in charges if max(CHARGES, key=charge.role) == name]


def _after_conversion(path: NetPath, tokens: Sequence[Token], spent: str | None) -> str | None:
    """The currency converted into: the other one beside the rate, else the document's other one."""
    if path.rate is None:
        return None
    codes = [token for token in tokens if token.kind is TokenKind.CURRENCY and str(token.value) != spent]
    beside = [token for token in codes if token.line == path.rate.line]
    if beside:
        return str(beside[-1].value)
    return str(Counter(str(token.value) for token in codes).most_common(1)[0][0]) if codes and spent else None


def _alone(tokens: Sequence[Token]) -> set[str]:
    """Currencies that stand beside no amount, and end a line: `Divisa: EUR`."""
    owned = {(token.line, token.currency) for token in tokens if token.currency}
    codes = [token for token in tokens if token.kind is TokenKind.CURRENCY]
    ending = [token for token in codes if not token.printed.text[token.end :].strip()]
    return {str(token.value) for token in ending if (token.line, str(token.value)) not in owned}


def _currency_for(net: AmountReading, tokens: Sequence[Token]) -> str | None:
    """The currency of an amount printed without one: beside it, in its column, or most of the document's."""
    codes = [token for token in tokens if token.kind is TokenKind.CURRENCY]
    if not codes:
        return None
    near = [token for token in codes if token.line == net.line and abs(token.start - net.token.end) <= NEAR]
    if near:
        return str(near[0].value)
    left, _, right, _ = net.token.box
    above = [
        token for token in codes if token.line < net.line and token.box[0] < right + 12 and token.box[2] > left - 12
    ]
    if above and net.line - above[-1].line <= 12:
        return str(above[-1].value)
    beside = Counter(token.currency for token in tokens if token.currency)
    if beside:
        likeliest = beside.most_common(1)[0][0]
        alone = _alone(tokens)
        if len(alone) == 1 and all(token.line > net.line for token in tokens if token.currency == likeliest):
            return alone.pop()
        return str(likeliest)
    return str(Counter(str(token.value) for token in codes).most_common(1)[0][0])
