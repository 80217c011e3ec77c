"""Evidence as numbers: what the solver found and what speaks against it, for calibration and the gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from postroom.reading.sums.amounts import MOVED, AmountReading
from postroom.reading.sums.fills import CENTS_AT_MOST
from postroom.reading.sums.rules import OF_A_TRADE, SumRule
from postroom.reading.sums.solver import MoneySolution

NAMED = 2.0  # a label this loud makes a rival


def of_solution(
    solution: MoneySolution, amounts: Sequence[AmountReading], rule: SumRule = OF_A_TRADE
) -> dict[str, float]:
    fill, path = solution.fill, solution.path
    found = {
        "filled": float(fill is not None and fill.price is not None and fill.proved),
        "explained": float(path is not None and path.explained),
        "margin": min(solution.score - solution.runner_up, 6.0),
        "score": solution.score,
    }
    if fill is not None:
        quantity, price, gross = fill.parts[0]
        found |= {
            "exact": float(fill.exact),
            "trivial": float(fill.price is not None and (fill.quantity == 1.0 or fill.price.value == 1.0)),
            "percent": float(fill.quote == "percent"),
            "parts": float(len(fill.parts) > 1),
            "quantity_label": quantity.named(rule.count),
            "unit": quantity.named("unit"),
            "moved": quantity.named(MOVED),
            "price_label": price.named(rule.each) if price else 0.0,
            "gross_label": gross.named("gross") if gross else 0.0,
            "told_apart": _told_apart(quantity, price, rule) if price else 0.0,
            "formed": float(price is not None and fill.exact and _is_formed(quantity, price)),
            "turned": float(price is not None and fill.quote != "percent" and _is_formed_otherwise(quantity, price)),
            "reread": float(any(part is not None and part.exact != part.token.value for part in fill.parts[0])),
            "quantity_rivals": _rivals(amounts, rule.count, {quantity.value, fill.quantity}),
        }
    if path is not None:
        known = {path.net.value, path.gross or 0.0, fill.gross if fill else 0.0}
        known |= {total.value for total in path.totals}
        found |= {
            "net_label": path.net.named("net"),
            "charges": float(bool(path.charges)),
            "one_amount": float(path.alone),
            "converted": float(path.rate is not None),
            "net_currency": float(path.net.currency is not None),
            "net_rivals": _rivals(amounts, "net", known),
            "net_louder": _louder(amounts, path.net, known),
            "net_reread": float(path.net.exact != path.net.token.value),
        }
    return found


def _told_apart(quantity: AmountReading, price: AmountReading, rule: SumRule) -> float:
    """How much more speaks for this count and this price than for the same two the other way round."""
    as_read = quantity.role("quantity") + price.role("price") + quantity.named(rule.count) + price.named(rule.each)
    turned = price.role("quantity") + quantity.role("price") + price.named(rule.count) + quantity.named(rule.each)
    return as_read - turned


def _is_formed(quantity: AmountReading, price: AmountReading) -> bool:
    """Whether the form alone says which is the count: whole and bare, beside a price in money with a fraction."""
    whole = quantity.exact > 1 and quantity.exact == quantity.exact.to_integral_value()
    return whole and quantity.currency is None and price.currency is not None and price.exact % 1 != 0


def _is_formed_otherwise(quantity: AmountReading, price: AmountReading) -> bool:
    """Whether the form says the opposite of the labels: a count in money, or with cents where the price has none."""
    if price.currency is not None:
        return False
    return quantity.currency is not None or (quantity.decimals in CENTS_AT_MOST and price.decimals not in CENTS_AT_MOST)


def _rivals(amounts: Sequence[AmountReading], name: str, known: set[float]) -> float:
    """How many other values a loud label calls by the same name."""
    values = {amount.value for amount in amounts if amount.named(name) >= NAMED and amount.role(name) > 1.0}
    return float(min(len(values - known), 3))


def _louder(amounts: Sequence[AmountReading], net: AmountReading, known: set[float]) -> float:
    """By how much a label calls another amount the net one more plainly than this."""
    others = [amount.named("net") for amount in amounts if amount.value not in known and amount.role("net") > 1.0]
    return max(max(others, default=0.0) - net.named("net"), 0.0)


FIELDS: Mapping[str, tuple[str, ...]] = {
    "direction": ("direction_words", "direction_sums", "direction_booked", "said"),
    "trade_date": ("day_label", "day_score", "day_margin", "day_borrowed", "settles", "day_seen", "day_timed", "days"),
    "quantity": (
        "filled", "exact", "trivial", "percent", "quantity_label", "unit", "price_label", "gross_label",
        "reread", "quantity_rivals", "margin", "moved", "told_apart",
    ),
    "net": (
        "explained", "charges", "one_amount", "converted", "net_label", "net_rivals", "net_reread", "margin",
        "filled", "net_louder", "net_currency", "left_total", "left_fee", "left_tax", "before_tax",
    ),
    "currency": ("net_currency", "explained", "net_label", "currencies", "left_total"),
    "isin": ("isins", "isin_checks"),
}  # fmt: skip
"""Which evidence speaks for which field."""

AGAINST = frozenset((
    "day_borrowed", "days", "trivial", "percent", "reread", "quantity_rivals", "one_amount", "converted",
    "net_rivals", "net_reread", "net_louder", "isins", "left_total", "left_fee", "left_tax", "before_tax",
    "currencies",
))  # fmt: skip
"""Evidence that can only lower confidence; all other can only raise it. So more evidence never means less trust."""

LARGEST: Mapping[str, float] = {
    "direction_words": 5.0, "said": 3.0, "day_score": 5.0, "day_margin": 5.0, "day_seen": 3.0, "quantity_label": 3.0,
    "price_label": 3.0, "gross_label": 3.0, "net_label": 3.0, "margin": 6.0, "isins": 3.0, "days": 4.0,
    "net_louder": 3.0, "net_rivals": 3.0, "quantity_rivals": 3.0, "left_total": 2.0, "left_fee": 2.0, "left_tax": 2.0,
    "currencies": 3.0, "day_label": 3.0, "told_apart": 4.0,
}  # fmt: skip
"""Beyond this a number says no more; evidence is handed on between -1 and 1."""


def scaled(found: Mapping[str, float], names: tuple[str, ...]) -> list[float]:
    values = [found.get(name, 0.0) for name in names]
    return [
        (top if value > top else -top if value < -top else value) / top
        for value, top in zip(values, _largest(names), strict=True)
    ]


@cache
def _largest(names: tuple[str, ...]) -> tuple[float, ...]:
    return tuple(LARGEST.get(name, 1.0) for name in names)
