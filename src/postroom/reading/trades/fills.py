"""Fills: every quantity, price and gross amount of a document that multiply, as printed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from postroom.reading.page.tokens import TokenKind
from postroom.reading.trades.amounts import AmountReading

Quote = Literal["unit", "percent", "pence", "converted", "contract"]

TRIED_QUANTITIES = 14
TRIED_PRICES = 14
TRIED_RATES = 5
USUAL_SIZE = 100.0  # of an option
LOOSEST = 0.004  # a product may miss its printed result by this share, however coarse the price
VERY_LOOSE = 0.25  # when both are labelled and the quantity is printed with few digits
LOOSE_IN_ENTRY = 0.02
FREE_OF_LABELS = 0.0002  # an agreement this exact needs no labels
TOO_COARSE = 0.02  # of the product: agreement of small change is none unless a label says price
SMALL_CHANGE = 1.0
WORST_FILL = 0.0
UNITS_CUT_OFF = 1.0  # of the last place: fractions of a share are cut off rather than rounded
EXACTLY = 0.0051
EXACT_FILL = 4.0
COARSE_FILL = 2.5
TRIVIAL_FILL = 1.2


@dataclass(slots=True)
class PriceFill:
    """quantity × price = gross, as printed. Several when an order was executed in parts."""

    quantity: float
    price: AmountReading | None
    gross: float
    parts: tuple[tuple[AmountReading, AmountReading | None, AmountReading | None], ...]
    quote: Quote = "unit"
    rate: AmountReading | None = None
    score: float = 0.0
    shared: bool = False
    exact: bool = False

    @property
    def gross_amount(self) -> AmountReading | None:
        """The printed gross amount, if one stands for all parts."""
        return self.parts[0][2] if len(self.parts) == 1 or self.shared else None


def find_fills(amounts: Sequence[AmountReading], *, entry: bool = False) -> Iterator[PriceFill]:
    """Every quantity, price and gross amount that agree within what was printed."""
    totals = sorted((amount for amount in amounts), key=lambda amount: amount.value)
    values = [amount.value for amount in totals]
    rates = likely_rates(amounts)
    sizes = _contract_sizes(amounts)
    pence = any(amount.currency in ("GBP", "GBX") for amount in amounts) or not any(
        amount.currency for amount in amounts
    )
    quantities = sorted(amounts, key=lambda amount: -amount.scores["quantity"])[:TRIED_QUANTITIES]
    prices = sorted(amounts, key=lambda amount: -amount.scores["price"])[:TRIED_PRICES]
    factors = [(price, list(_factors(price, rates, sizes, pence=pence))) for price in prices]
    for quantity in quantities:
        for price, tried in factors:
            if price.token is quantity.token or _back_to_front(quantity, price):
                continue
            loose = VERY_LOOSE if _labelled(quantity, price) else LOOSE_IN_ENTRY
            for factor, quote, rate in tried:
                if _within_reach(quantity.value * price.value * factor, loose, values) and (
                    rate is None or rate.token is not quantity.token
                ):
                    yield from _matches(quantity, price, factor, quote, rate, totals, values, entry=entry)


def _contract_sizes(amounts: Sequence[AmountReading]) -> list[AmountReading]:
    """What an option is multiplied by: labelled so, or the usual hundred, printed alone and bare."""
    named = [amount for amount in amounts if amount.role("multiplier") >= 2.0 and amount.value > 1]
    usual = [
        amount
        for amount in amounts
        if amount.value == USUAL_SIZE
        and not (amount.decimals or amount.currency)
        and max(amount.named("quantity"), amount.named("other")) < 2.0
    ]
    return (named or usual)[:1]


def _within_reach(product: float, loose: float, values: Sequence[float]) -> bool:
    """Whether any amount is near the product at all; spares most pairs a closer look."""
    slack = loose * product + 0.6
    at = bisect_left(values, product - slack)
    return at < len(values) and values[at] <= product + slack


def _labelled(quantity: AmountReading, price: AmountReading) -> bool:
    return quantity.scores["quantity"] >= 1.4 and price.scores["price"] >= 2.0


def _back_to_front(quantity: AmountReading, price: AmountReading) -> bool:
    """Digits that might be two numbers: the count comes first."""
    if quantity.token.head is None:
        return False
    return (price.line, price.token.start) == (quantity.line, quantity.token.start)


def _factors(
    price: AmountReading, rates: Sequence[AmountReading], sizes: Sequence[AmountReading], *, pence: bool
) -> Iterator[tuple[float, Quote, AmountReading | None]]:
    if price.token.kind is TokenKind.PERCENT:
        yield 0.01, "percent", None
        return
    yield 1.0, "unit", None
    if price.currency == "GBX" or (pence and price.currency in (None, "GBP")):
        yield 0.01, "pence", None
    else:
        yield 0.01, "percent", None
    for size in sizes:
        yield size.value, "contract", size
    for rate in rates:
        if rate.token is not price.token and rate.role("fx") >= 1.2:
            yield rate.value, "converted", rate
            yield 1.0 / rate.value, "converted", rate


def likely_rates(amounts: Sequence[AmountReading]) -> list[AmountReading]:
    """Numbers labelled as an exchange rate, then those that look like one."""
    likely = [
        amount
        for amount in amounts
        if amount.value not in (0.0, 1.0) and (amount.role("fx") >= 1.2 or _looks_like_rate(amount))
    ]
    return sorted(likely, key=lambda amount: -amount.role("fx"))[:TRIED_RATES]


def _looks_like_rate(amount: AmountReading) -> bool:
    return amount.decimals >= 4 and amount.value < 1000 and amount.role("quantity") < 2.0


def price_slack(price: AmountReading) -> float:
    """A price with less than two decimals is exact: its zeros were dropped, not rounded."""
    return price.step if price.decimals >= 2 else 0.0


def _matches(
    quantity: AmountReading,
    price: AmountReading,
    factor: float,
    quote: Quote,
    rate: AmountReading | None,
    totals: Sequence[AmountReading],
    values: Sequence[float],
    *,
    entry: bool,
) -> Iterator[PriceFill]:
    product = quantity.value * price.value * factor
    slack = price_slack(price) * quantity.value * factor
    if quantity.decimals > 0:
        slack += UNITS_CUT_OFF * quantity.step * price.value * factor
    if rate is not None and quote == "converted":
        slack += product * rate.step / rate.value
    loosest = (
        VERY_LOOSE if _labelled(quantity, price) else LOOSE_IN_ENTRY if entry and quantity.decimals >= 3 else LOOSEST
    )
    slack = min(slack, loosest * product) + 0.006
    at = bisect_left(values, product - slack - 0.5)
    while at < len(totals) and values[at] <= product + slack + 0.5:
        gross = totals[at]
        at += 1
        if gross.token is quantity.token or gross.token is price.token:
            continue
        allowed = slack + min(0.5 * gross.step, LOOSEST * product)
        if abs(gross.value - product) <= allowed:
            missed = abs(gross.value - product)
            looseness = EXACTLY / product if missed <= EXACTLY else allowed / product
            score = _fill_score(quantity, price, gross, quote, looseness, entry=entry)
            if score < WORST_FILL:
                continue
            parts = ((quantity, price, gross),)
            exact = missed <= EXACTLY
            yield PriceFill(quantity.value, price, gross.value, parts, quote, rate, score, exact=exact)


def _fill_score(
    quantity: AmountReading, price: AmountReading, gross: AmountReading, quote: Quote, looseness: float, *, entry: bool
) -> float:
    score = _surprise(quantity, price, looseness)
    support = quantity.role("quantity") + price.role("price") + 0.6 * gross.role("gross")
    if looseness > FREE_OF_LABELS and not entry and (support < 2.0 or quantity.role("quantity") < 0.3):
        return -1.0
    if looseness > TOO_COARSE and gross.value < SMALL_CHANGE and price.named("price") < 1.0:
        return -1.0
    score += support
    if quote == "percent":
        nominal = price.token.kind is TokenKind.PERCENT or quantity.currency is not None
        score -= 0.5 if nominal else 1.5
        if quantity.value < 100 or not 1 < price.value < 250:
            score -= 2.5
    if quote == "converted":
        score -= 0.5
    if quote == "contract" and not _labelled(quantity, price):
        return -1.0
    if quote == "unit" and price.currency and gross.currency and price.currency != gross.currency:
        score -= 4.0
    if (quantity.line, quantity.token.start) < (price.line, price.token.start):
        score += 0.3
    if abs(quantity.line - gross.line) > 25:
        score -= 0.5
    return score


def _surprise(quantity: AmountReading, price: AmountReading, looseness: float) -> float:
    """How unlikely such an agreement is by chance."""
    if quantity.value == 1.0 or price.value == 1.0:
        sure = quantity.role("quantity") >= 1.5 and price.role("price") >= 1.0
        return TRIVIAL_FILL if sure else -2.0
    if looseness < 0.001:
        return EXACT_FILL
    return COARSE_FILL if looseness <= 2 * LOOSEST else 1.0
