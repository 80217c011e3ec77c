"""Fills: every quantity, price and gross amount of a document that multiply, as printed."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from operator import attrgetter
from typing import Literal

from postroom.reading.page.tokens import TokenKind
from postroom.reading.sums.amounts import AmountReading
from postroom.reading.sums.rules import OF_A_TRADE, SumRule
from postroom.reading.weights import Weights

Quote = Literal["unit", "percent", "pence", "converted", "contract"]

TRIED_QUANTITIES = 14
TRIED_PRICES = 14
TRIED_RATES = 5
TRIED_UNPRINTED = 2
USUAL_SIZE = 100.0  # of an option
LOOSEST = 0.004  # a product may miss its printed result by this share, however coarse the price
VERY_LOOSE = 0.25  # when both are labelled and the quantity is printed with few digits
LOOSE_IN_ENTRY = 0.02
CALLED_COUNT, CALLED_PRICE = 1.4, 2.0
FREE_OF_LABELS = 0.0002  # an agreement this exact needs no labels
TOO_COARSE = 0.02  # of the product: agreement of small change is none unless a label says price
SMALL_CHANGE = 1.0
UNITS_CUT_OFF = 1.0  # of the last place: fractions of a share are cut off rather than rounded
EXACTLY = 0.0051
A_CENT, ROUNDED = 0.01, 0.6  # a cent, and half a unit with it, and some room: by so much printed amounts are rounded
SMALL_PRODUCT = 140.0  # below this the share that a product may miss is less than half a unit
ROUNDING = 1e-9  # far more than what floating-point numbers lose, far less than a cent
FAR = 25  # lines
LIKE_A_RATE = 1.2
LOWEST_RATE = 0.1  # at which what is not printed may be converted
CENTS_AT_MOST = (1, 2)  # decimals; a count has more or none


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
    proved: bool = True
    """Whether it multiplies; else it is only what the labels say."""

    @property
    def gross_amount(self) -> AmountReading | None:
        """The printed gross amount, if one stands for all parts."""
        return self.parts[0][2] if len(self.parts) == 1 or self.shared else None


def find_fills(
    amounts: Sequence[AmountReading], w: Weights, rule: SumRule = OF_A_TRADE, *, entry: bool = False
) -> Iterator[PriceFill]:
    """Every quantity, price and gross amount that agree within what was printed."""
    totals = sorted(amounts, key=attrgetter("value"))
    values = [amount.value for amount in totals]
    rates = likely_rates(amounts)
    sizes = _contract_sizes(amounts)
    pence = any(amount.currency in ("GBP", "GBX") for amount in amounts) or not any(
        amount.currency for amount in amounts
    )
    quantities = sorted(amounts, key=lambda amount: -amount.scores[rule.count])[:TRIED_QUANTITIES]
    prices = sorted(amounts, key=lambda amount: -amount.scores[rule.each])[:TRIED_PRICES]
    factors = [
        (price, price.scores[rule.each] >= CALLED_PRICE, list(_factors(price, rates, sizes, pence=pence)))
        for price in prices
    ]
    unlabelled = LOOSE_IN_ENTRY if entry else LOOSEST
    largest = values[-1] + ROUNDED if values else 0.0
    reach = {loose: max(largest / (1.0 - loose), SMALL_PRODUCT) for loose in (VERY_LOOSE, unlabelled)}
    ends = [*values, inf]
    for quantity in quantities:
        counted, token = quantity.scores[rule.count] >= CALLED_COUNT, quantity.token
        for price, priced, tried in factors:
            if price.token is token or (token.head is not None and _back_to_front(quantity, price)):
                continue
            both = quantity.value * price.value
            loose = VERY_LOOSE if counted and priced else unlabelled
            most = reach[loose]
            for factor, quote, rate in tried:
                product = both * factor
                if product > most:
                    continue  # more than any amount, as many pairs make
                slack = loose * product + (LOOSEST * product + A_CENT if product < SMALL_PRODUCT else ROUNDED)
                nearest = ends[bisect_left(values, product - slack)]  # no less than `_matches` reaches
                if nearest > product + slack or (rate is not None and rate.token is token):
                    continue  # no amount is near it at all, as for most pairs
                yield from _matches(quantity, price, factor, quote, rate, totals, values, w, rule, entry=entry)


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


def _labelled(quantity: AmountReading, price: AmountReading, rule: SumRule) -> bool:
    return quantity.scores[rule.count] >= CALLED_COUNT and price.scores[rule.each] >= CALLED_PRICE


def _back_to_front(quantity: AmountReading, price: AmountReading) -> bool:
    """Digits that might be two numbers: the count comes first."""
    return (price.line, price.token.start) == (quantity.line, quantity.token.start)


def _factors(
    price: AmountReading, rates: Sequence[AmountReading], sizes: Sequence[AmountReading], *, pence: bool
) -> Iterator[tuple[float, Quote, AmountReading | None]]:
    named = [rate for rate in rates if rate.token is not price.token and rate.role("fx") >= LIKE_A_RATE]
    if price.token.kind is TokenKind.PERCENT:
        yield 0.01, "percent", None
        for rate in named:
            yield 0.01 * rate.value, "percent", rate
            yield 0.01 / rate.value, "percent", rate
        return
    yield 1.0, "unit", None
    if price.currency == "GBX" or (pence and price.currency in (None, "GBP")):
        yield 0.01, "pence", None
    else:
        yield 0.01, "percent", None
    for size in sizes:
        yield size.value, "contract", size
    for rate in named:
        yield rate.value, "converted", rate
        yield 1.0 / rate.value, "converted", rate


def likely_rates(amounts: Sequence[AmountReading]) -> list[AmountReading]:
    """Numbers labelled as an exchange rate, then those that look like one."""
    likely = [
        amount
        for amount in amounts
        if amount.value not in (0.0, 1.0) and (amount.role("fx") >= LIKE_A_RATE or _looks_like_rate(amount))
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
    w: Weights,
    rule: SumRule,
    *,
    entry: bool,
) -> Iterator[PriceFill]:
    product = quantity.value * price.value * factor
    slack = price_slack(price) * quantity.value * factor
    if quantity.decimals > 0:
        slack += UNITS_CUT_OFF * quantity.step * price.value * factor
    if rate is not None and quote != "contract":
        slack += product * rate.step / rate.value
    loosest = (
        VERY_LOOSE
        if _labelled(quantity, price, rule)
        else LOOSE_IN_ENTRY
        if entry and quantity.decimals >= 3
        else LOOSEST
    )
    slack = min(slack, loosest * product) + 0.006
    reach = slack + min(0.5, LOOSEST * product) + ROUNDING * (1.0 + product)
    for gross in totals[bisect_left(values, product - reach) : bisect_right(values, product + reach)]:
        if gross.token is quantity.token or gross.token is price.token:
            continue
        allowed = slack + min(0.5 * gross.step, LOOSEST * product)
        if abs(gross.value - product) <= allowed:
            missed = abs(gross.value - product)
            looseness = EXACTLY / product if missed <= EXACTLY else allowed / product
            score = _fill_score(quantity, price, gross, quote, rate, looseness, w, rule, entry=entry)
            if score < w["fill.worst"]:
                continue
            parts = ((quantity, price, gross),)
            exact = missed <= EXACTLY
            yield PriceFill(quantity.value, price, gross.value, parts, quote, rate, score, exact=exact)


def _fill_score(
    quantity: AmountReading,
    price: AmountReading,
    gross: AmountReading,
    quote: Quote,
    rate: AmountReading | None,
    looseness: float,
    w: Weights,
    rule: SumRule,
    *,
    entry: bool,
) -> float:
    support = quantity.role(rule.count) + price.role(rule.each) + w["fill.gross_role"] * gross.role("gross")
    if _says_too_little(quantity, price, gross, quote, looseness, support, rule, entry=entry):
        return w["fill.worst"] - 1.0
    score = _surprise(quantity, price, quote, looseness, w, rule) + support
    if quote == "percent":
        nominal = price.token.kind is TokenKind.PERCENT or quantity.currency is not None
        score += w["fill.percent_of_nominal" if nominal else "fill.percent_of_pieces"]
        if quantity.value < 100 or not 1 < price.value < 250:
            score += w["fill.odd_percent"]
    if rate is not None and quote != "contract":
        score += w["fill.converted"]
    if quote == "unit" and price.currency and gross.currency and price.currency != gross.currency:
        score += w["fill.two_currencies"]
    score += w["fill.turned"] * _is_turned(quantity, price, quote)
    if (quantity.line, quantity.token.start) < (price.line, price.token.start):
        score += w["fill.count_first"]
    if abs(quantity.line - gross.line) > FAR:
        score += w["fill.far"]
    return score


def _is_turned(quantity: AmountReading, price: AmountReading, quote: Quote) -> bool:
    """Whether the form says that they are the other way round: money is the price, a whole number the count."""
    if quote not in ("unit", "converted") or price.currency is not None:
        return False
    return quantity.currency is not None or (price.decimals == 0 and quantity.decimals in CENTS_AT_MOST)


def _says_too_little(
    quantity: AmountReading,
    price: AmountReading,
    gross: AmountReading,
    quote: Quote,
    looseness: float,
    support: float,
    rule: SumRule,
    *,
    entry: bool,
) -> bool:
    """Whether such an agreement may well be chance."""
    if rule.count == "holding" and quantity.value == 1.0 and quantity.role(rule.count) < CALLED_COUNT:
        return True
    if looseness > FREE_OF_LABELS and not entry and (support < 2.0 or quantity.role(rule.count) < 0.3):
        return True
    if looseness > TOO_COARSE and gross.value < SMALL_CHANGE and price.named(rule.each) < 1.0:
        return True
    return quote == "contract" and not _labelled(quantity, price, rule)


def _surprise(
    quantity: AmountReading, price: AmountReading, quote: Quote, looseness: float, w: Weights, rule: SumRule
) -> float:
    """How unlikely such an agreement is by chance."""
    at_par = quote in ("percent", "pence") and price.value == 100.0
    if quantity.value == 1.0 or price.value == 1.0 or at_par:
        sure = quantity.role(rule.count) >= 1.5 and price.role(rule.each) >= 1.0
        return w["fill.trivial" if sure else "fill.nothing"]
    if looseness < 0.001:
        return w["fill.exact"]
    return w["fill.coarse" if looseness <= 2 * LOOSEST else "fill.loose"]


def told_only(amounts: Sequence[AmountReading], w: Weights, rule: SumRule = OF_A_TRADE) -> list[PriceFill]:
    """What only labels tell, where nothing multiplies: a quantity, with the price beside it if there is one."""
    likely = sorted(amounts, key=lambda amount: -amount.role(rule.count))[:2]
    found = []
    for quantity in likely:
        if quantity.role(rule.count) <= w["fill.lone_quantity"]:
            continue
        price = _price_beside(quantity, amounts, rule)
        quote: Quote = "percent" if price is not None and price.token.kind is TokenKind.PERCENT else "unit"
        score = quantity.role(rule.count) + w["fill.unproved"]
        parts = ((quantity, price, None),)
        gross = quantity.value * price.value * (0.01 if quote == "percent" else 1.0) if price is not None else 0.0
        found.append(PriceFill(quantity.value, price, gross, parts, quote, score=score, proved=False))
    return found or list(_told_by_row(amounts, w))


def _told_by_row(amounts: Sequence[AmountReading], w: Weights) -> Iterator[PriceFill]:
    """A row of a bond: its nominal amount, the price in percent, and what that is in another currency, at a rate that
    is not printed."""
    for before, price, after in zip(amounts, amounts[1:], amounts[2:], strict=False):
        if price.token.kind is not TokenKind.PERCENT or not before.line == price.line == after.line:
            continue
        if before.currency and after.currency and before.currency != after.currency:
            gross = before.value * price.value * 0.01
            if LOWEST_RATE <= after.value / gross <= 1.0 / LOWEST_RATE:
                parts = ((before, price, None),)
                score = w["fill.unproved"]
                yield PriceFill(before.value, price, gross, parts, "percent", score=score, proved=False)


def unprinted(amounts: Sequence[AmountReading], w: Weights, rule: SumRule = OF_A_TRADE) -> Iterator[PriceFill]:
    """Counts and prices that labels name, their product not printed: it counts if charges lead from it to a total."""
    quantities = sorted(_called(amounts, rule.count), key=lambda amount: -amount.scores[rule.count])[:TRIED_UNPRINTED]
    prices = sorted(_called(amounts, rule.each), key=lambda amount: -amount.scores[rule.each])[:TRIED_UNPRINTED]
    for quantity in quantities:
        for price in prices:
            if price.token is quantity.token or not _labelled(quantity, price, rule):
                continue
            percent = price.token.kind is TokenKind.PERCENT
            product = quantity.value * price.value * (0.01 if percent else 1.0)
            score = quantity.role(rule.count) + price.role(rule.each) + w["fill.unprinted"]
            parts = ((quantity, price, None),)
            yield PriceFill(
                quantity.value, price, product, parts, "percent" if percent else "unit", score=score, exact=True
            )


def _called(amounts: Sequence[AmountReading], name: str) -> list[AmountReading]:
    return [amount for amount in amounts if amount.named(name) >= 1.0 and not amount.reread]


def _price_beside(quantity: AmountReading, amounts: Sequence[AmountReading], rule: SumRule) -> AmountReading | None:
    fit = [
        amount
        for amount in amounts
        if amount.token is not quantity.token
        and (
            amount.named(rule.each) >= 1.5 or (amount.token.kind is TokenKind.PERCENT and amount.line == quantity.line)
        )
        and abs(amount.line - quantity.line) <= 3
    ]
    return max(fit, key=lambda amount: (amount.line == quantity.line, amount.role(rule.each)), default=None)
