"""The joint solver: quantity × price = gross, gross ± charges = net, and the assignment that fits best as a whole."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from postroom.rooms.documents.reading.amounts import CHARGES, Amount
from postroom.rooms.documents.reading.tokens import Kind

Quote = Literal["unit", "percent", "pence", "converted", "contract"]

TRIED_QUANTITIES = 14
TRIED_PRICES = 14
TRIED_NETS = 16
TRIED_CHARGES = 9
TRIED_FILLS = 24
MOST_PARTS = 40
LOOSEST = 0.004  # a product may miss its printed result by this share, however coarse the price
VERY_LOOSE = 0.25  # when both are labelled and the quantity is printed with few digits
LOOSE_IN_ENTRY = 0.02
FREE_OF_LABELS = 0.0002  # an agreement this exact needs no labels
WORST_FILL = 0.0
EXACTLY = 0.0051
EXACT_FILL = 4.0
COARSE_FILL = 2.5
TRIVIAL_FILL = 1.2
EXPLAINED_BY_CHARGES = 3.0
EXPLAINED_BY_EQUALITY = 2.0
EXPLAINED_BY_PLACE = 2.0
LONGEST_SUM = 14  # lines
TRIED_BETWEEN = 6
ONE_AMOUNT_ONLY = 0.6
UNUSED_CHARGE = 0.35
CONVERTED = 1.6
UNNAMED_NET = 1.2
LARGEST_CHARGE = 0.5  # of the net amount
TRIED_RATES = 5
WITH_INTEREST = 0.3
UNLINKED = 0.8
FAR_FROM_GROSS = 3.0


@dataclass(slots=True)
class Fill:
    """quantity × price = gross, as printed. Several when an order was executed in parts."""

    quantity: float
    price: Amount | None
    gross: float
    parts: tuple[tuple[Amount, Amount | None, Amount | None], ...]
    quote: Quote = "unit"
    rate: Amount | None = None
    score: float = 0.0
    shared: bool = False
    exact: bool = False

    @property
    def gross_amount(self) -> Amount | None:
        """The printed gross amount, if one stands for all parts."""
        return self.parts[0][2] if len(self.parts) == 1 or self.shared else None


@dataclass(slots=True)
class Chain:
    """How the net amount follows: from gross by charges, maybe converted."""

    net: Amount
    charges: tuple[Amount, ...] = ()
    rebates: tuple[Amount, ...] = ()
    gross: float | None = None
    rate: Amount | None = None
    explained: bool = False
    alone: bool = False
    grows: int = 0
    score: float = 0.0


@dataclass(slots=True)
class Solution:
    fill: Fill | None
    chain: Chain | None
    score: float
    runner_up: float = 0.0


def best(amounts: Sequence[Amount], lean: float = 0.0, *, entry: bool = False) -> Solution:
    """The best assignment. `lean` is how much the words say BUY (positive) or SELL (negative).

    `entry` says that the amounts are those of one row or paragraph known to be a trade.
    """
    fills = sorted(find_fills(amounts, entry=entry), key=lambda fill: -fill.score)[:TRIED_FILLS]
    fills += _in_parts(fills, amounts)
    ledger = Ledger(amounts)
    found: list[Solution] = []
    for fill in fills:
        chains = [*ledger.chains(fill, lean), *ledger.from_subtotal(fill, lean), *ledger.through_rate(fill, lean)]
        found.extend(Solution(fill, chain, fill.score + chain.score) for chain in chains)
    alone = ledger.unexplained()
    single = _lone_quantity(amounts)
    for fill in [*fills[:3], *single]:
        if alone is not None:
            found.append(Solution(fill, alone, fill.score + alone.score - _far(fill, alone.net)))
        else:
            found.append(Solution(fill, None, fill.score))
    if not found:
        return Solution(None, alone, alone.score if alone else 0.0)
    found.sort(key=lambda solution: -solution.score)
    winner = found[0]
    rival = next((other for other in found[1:] if _differs(winner, other)), None)
    winner.runner_up = rival.score if rival else 0.0
    return winner


def _far(fill: Fill, net: Amount) -> float:
    """What an unexplained net amount loses for being nowhere near the gross amount in its own currency."""
    gross = fill.gross_amount
    if gross is None or (gross.currency and net.currency and gross.currency != net.currency):
        return 0.0
    return FAR_FROM_GROSS if abs(net.value - gross.value) > 0.3 * gross.value else 0.0


def _differs(one: Solution, other: Solution) -> bool:
    if one.fill is None or other.fill is None or one.chain is None or other.chain is None:
        return True
    return one.fill.quantity != other.fill.quantity or one.chain.net.value != other.chain.net.value


def _lone_quantity(amounts: Sequence[Amount]) -> list[Fill]:
    likely = sorted(amounts, key=lambda amount: -amount.role("quantity"))[:2]
    return [
        Fill(amount.value, None, 0.0, ((amount, None, None),), score=amount.role("quantity") - 1.0)
        for amount in likely
        if amount.role("quantity") > 0.5
    ]


def find_fills(amounts: Sequence[Amount], *, entry: bool = False) -> Iterator[Fill]:
    """Every quantity, price and gross amount that agree within what was printed."""
    totals = sorted((amount for amount in amounts), key=lambda amount: amount.value)
    values = [amount.value for amount in totals]
    rates = _rates(amounts)
    sizes = [amount for amount in amounts if amount.role("multiplier") >= 2.0 and amount.value > 1][:1]
    pence = any(amount.currency in ("GBP", "GBX") for amount in amounts) or not any(
        amount.currency for amount in amounts
    )
    quantities = sorted(amounts, key=lambda amount: -amount.role("quantity"))[:TRIED_QUANTITIES]
    prices = sorted(amounts, key=lambda amount: -amount.role("price"))[:TRIED_PRICES]
    for quantity in quantities:
        for price in prices:
            if price.token is quantity.token or _back_to_front(quantity, price):
                continue
            for factor, quote, rate in _factors(quantity, price, rates, sizes, pence=pence):
                yield from _matches(quantity, price, factor, quote, rate, totals, values, entry=entry)


def _back_to_front(quantity: Amount, price: Amount) -> bool:
    """Digits that might be two numbers: the count comes first."""
    same_place = (price.line, price.token.start) == (quantity.line, quantity.token.start)
    return same_place and quantity.token.head is not None


def _factors(
    quantity: Amount, price: Amount, rates: Sequence[Amount], sizes: Sequence[Amount], *, pence: bool
) -> Iterator[tuple[float, Quote, Amount | None]]:
    if price.token.kind is Kind.PERCENT:
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
        if rate.token is not price.token and rate.token is not quantity.token and rate.role("fx") >= 1.2:
            yield rate.value, "converted", rate
            yield 1.0 / rate.value, "converted", rate


def _rates(amounts: Sequence[Amount]) -> list[Amount]:
    """Numbers labelled as an exchange rate, then those that look like one."""
    likely = [
        amount
        for amount in amounts
        if amount.value not in (0.0, 1.0) and (amount.role("fx") >= 1.2 or _looks_like_rate(amount))
    ]
    return sorted(likely, key=lambda amount: -amount.role("fx"))[:TRIED_RATES]


def _looks_like_rate(amount: Amount) -> bool:
    return amount.decimals >= 4 and amount.value < 1000 and amount.role("quantity") < 2.0


def _price_slack(price: Amount) -> float:
    """A price with less than two decimals is exact: its zeros were dropped, not rounded."""
    return price.step if price.decimals >= 2 else 0.0


def _matches(
    quantity: Amount,
    price: Amount,
    factor: float,
    quote: Quote,
    rate: Amount | None,
    totals: Sequence[Amount],
    values: Sequence[float],
    *,
    entry: bool,
) -> Iterator[Fill]:
    product = quantity.value * price.value * factor
    slack = _price_slack(price) * quantity.value * factor
    if quantity.decimals > 0:
        slack += 0.5 * quantity.step * price.value * factor
    if rate is not None and quote == "converted":
        slack += product * rate.step / rate.value
    labelled = quantity.role("quantity") >= 1.4 and price.role("price") >= 2.0
    loosest = VERY_LOOSE if labelled else LOOSE_IN_ENTRY if entry and quantity.decimals >= 3 else LOOSEST
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
            yield Fill(quantity.value, price, gross.value, parts, quote, rate, score, exact=exact)


def _fill_score(
    quantity: Amount, price: Amount, gross: Amount, quote: Quote, looseness: float, *, entry: bool
) -> float:
    score = _surprise(quantity, price, looseness)
    support = quantity.role("quantity") + price.role("price") + 0.6 * gross.role("gross")
    if looseness > FREE_OF_LABELS and not entry and (support < 2.0 or quantity.role("quantity") < 0.3):
        return -1.0
    score += support
    if quote == "percent":
        nominal = price.token.kind is Kind.PERCENT or quantity.currency is not None
        score -= 0.5 if nominal else 1.5
        if quantity.value < 100 or not 1 < price.value < 250:
            score -= 2.5
    if quote == "converted":
        score -= 0.5
    if quote == "unit" and price.currency and gross.currency and price.currency != gross.currency:
        score -= 4.0
    if (quantity.line, quantity.token.start) < (price.line, price.token.start):
        score += 0.3
    if abs(quantity.line - gross.line) > 25:
        score -= 0.5
    return score


def _surprise(quantity: Amount, price: Amount, looseness: float) -> float:
    """How unlikely such an agreement is by chance."""
    if quantity.value == 1.0 or price.value == 1.0:
        sure = quantity.role("quantity") >= 1.5 and price.role("price") >= 1.0
        return TRIVIAL_FILL if sure else -2.0
    if looseness < 0.001:
        return EXACT_FILL
    return COARSE_FILL if looseness <= 2 * LOOSEST else 1.0


def _in_parts(fills: Sequence[Fill], amounts: Sequence[Amount]) -> list[Fill]:
    """Executions in several rows, added up: with a total in each row, or one for all."""
    rows: dict[int, Fill] = {}
    for fill in fills:
        quantity, price, gross = fill.parts[0]
        if price is not None and gross is not None and quantity.line == gross.line and fill.quote == "unit":
            rows.setdefault(quantity.line, fill)
    sums = [_added(list(rows.values()))] if 2 <= len(rows) <= MOST_PARTS else []
    return sums + list(_parts_of_one_total(amounts))


def _added(rows: Sequence[Fill]) -> Fill:
    quantity = round(sum(row.quantity for row in rows), 9)
    gross = round(sum(row.gross for row in rows), 6)
    score = min(row.score for row in rows) - 0.5
    return Fill(quantity, rows[0].price, gross, tuple(row.parts[0] for row in rows), score=score)


def _parts_of_one_total(amounts: Sequence[Amount]) -> Iterator[Fill]:
    """Neighbouring rows of quantity and price whose products add up to a printed amount."""
    by_line: dict[int, tuple[Amount, Amount]] = {}
    for line, group in _grouped(amounts):
        quantity = max(group, key=lambda amount: amount.role("quantity"))
        price = max(group, key=lambda amount: amount.role("price"))
        if quantity.token is not price.token and quantity.role("quantity") >= 1.5 and price.role("price") >= 1.0:
            by_line[line] = (quantity, price)
    for run in _runs(by_line):
        pairs = [by_line[line] for line in run]
        total = sum(quantity.value * price.value for quantity, price in pairs)
        slack = sum(quantity.value * _price_slack(price) for quantity, price in pairs)
        for gross in amounts:
            if gross.line > run[0] and abs(gross.value - total) <= min(slack, LOOSEST * total) + EXACTLY:
                parts = tuple((quantity, price, gross) for quantity, price in pairs)
                count = sum(quantity.exact for quantity, _ in pairs)
                score = EXACT_FILL + pairs[0][0].role("quantity") + pairs[0][1].role("price")
                score += 0.6 * gross.role("gross")
                yield Fill(float(count), pairs[0][1], gross.value, parts, score=score, shared=True)


def _grouped(amounts: Sequence[Amount]) -> Iterator[tuple[int, list[Amount]]]:
    groups: dict[int, list[Amount]] = {}
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


class Ledger:
    """The amounts of a document as a sum: what is added to or taken from what."""

    def __init__(self, amounts: Sequence[Amount]) -> None:
        self._amounts = amounts
        fit = [amount for amount in amounts if amount.role("net") > -0.3]
        self._nets = sorted(fit, key=lambda amount: -amount.role("net"))[:TRIED_NETS]
        self._rates = _rates(amounts)
        self._charges = _charges(amounts)
        self._sums: dict[str | None, dict[int, tuple[Amount, ...]]] = {}

    def unexplained(self) -> Chain | None:
        likely = [net for net in self._nets if net.role("net") >= 1.0]
        if not likely:
            return None
        chain = Chain(likely[0], score=likely[0].role("net") - 0.5)
        later = [
            other for other in self._converted(chain) if other.net.named("net") and other.net.line > chain.net.line
        ]
        return max(later, key=lambda other: other.score, default=chain)

    def chains(self, fill: Fill, lean: float) -> Iterator[Chain]:
        used = {id(part.token) for parts in fill.parts for part in parts[:2] if part is not None}
        if fill.rate is not None:
            used.add(id(fill.rate.token))
        for gross, currency, rate, bonus in self._grosses(fill):
            for net in self._nets:
                if id(net.token) in used:
                    continue
                chain = self._explain(fill.gross_amount, gross, currency, net, lean)
                if chain is None:
                    continue
                chain.rate = rate or (fill.rate if fill.quote == "converted" else None)
                chain.score += bonus
                yield chain
                if rate is None:
                    yield from self._converted(chain)

    def through_rate(self, fill: Fill, lean: float) -> Iterator[Chain]:
        """Charges in both currencies, with the converted amount itself not printed."""
        own = fill.gross_amount
        if own is None or own.currency is None:
            return
        here = [charge for charge in self._relevant(own.currency, own) if charge.currency]
        for net in self._nets[:6]:
            if not net.named("net") or net.currency in (None, own.currency):
                continue
            there = [charge for charge in self._relevant(net.currency, net) if charge.currency]
            for rate in self._rates[:2]:
                for factor in (rate.value, 1.0 / rate.value):
                    for sign in (1, -1):
                        gross = fill.gross + sign * sum(charge.value for charge in here)
                        total = gross * factor + sign * sum(charge.value for charge in there)
                        if abs(total - net.value) <= 0.011 + total * rate.step / rate.value:
                            score = net.role("net") + EXPLAINED_BY_CHARGES + min(max(sign * lean, -2.0), 2.0)
                            charges = (*here, *there)
                            yield Chain(
                                net,
                                charges,
                                (),
                                fill.gross,
                                rate,
                                explained=True,
                                grows=sign * bool(charges),
                                score=score,
                            )

    def from_subtotal(self, fill: Fill, lean: float) -> Iterator[Chain]:
        """A net amount in another currency than the fill's, explained from a subtotal in its own."""
        own = fill.gross_amount
        for net in self._nets[:6]:
            if net.role("net") < 1.5 or net.currency is None or (own and own.currency in (None, net.currency)):
                continue
            for subtotal in self._amounts:
                fits = subtotal.currency == net.currency and subtotal.token is not net.token
                if not fits or subtotal in self._charges or abs(subtotal.value - net.value) > 0.2 * net.value:
                    continue
                chain = self._explain(subtotal, subtotal.value, subtotal.currency, net, lean)
                if chain is not None and chain.explained:
                    chain.score -= UNLINKED
                    yield chain

    def _grosses(self, fill: Fill) -> Iterator[tuple[float, str | None, Amount | None, float]]:
        """The gross amount as printed, and in other currencies if it is printed converted."""
        gross = fill.gross_amount
        currency = gross.currency if gross else None
        yield fill.gross, currency, None, 0.0
        accrued = [charge for charge in self._charges if _is_accrued(charge) and charge.currency in (currency, None)]
        for interest in accrued[:2]:
            yield fill.gross + interest.value, currency, None, WITH_INTEREST
        for rate, other in self._conversions(fill.gross, currency):
            if gross is None or other.token is not gross.token:
                yield other.value, other.currency, rate, CONVERTED

    def _conversions(self, value: float, currency: str | None) -> Iterator[tuple[Amount, Amount]]:
        for rate in self._rates:
            for factor in (rate.value, 1.0 / rate.value):
                product = value * factor
                slack = 0.006 + min(product * rate.step / rate.value, LOOSEST * product)
                for other in self._amounts:
                    if abs(other.value - product) > slack + 0.5 * min(other.step, 0.01):
                        continue
                    if other.token is rate.token or (currency and other.currency == currency):
                        continue
                    if rate.role("fx") < 1.2 and (slack > 0.0005 * product or other.decimals != 2):
                        continue
                    yield rate, other

    def _converted(self, chain: Chain) -> Iterator[Chain]:
        for rate, other in self._conversions(chain.net.value, chain.net.currency):
            if other.token is chain.net.token:
                continue
            later = 0.4 if other.line >= chain.net.line else -0.4
            score = chain.score - 0.5 * max(chain.net.role("net"), 0.0) + max(other.role("net"), 0.0)
            score -= 0.0 if other.named("net") else UNNAMED_NET
            yield Chain(
                other,
                chain.charges,
                chain.rebates,
                chain.gross,
                rate,
                explained=chain.explained,
                grows=chain.grows,
                score=score + CONVERTED + later,
            )

    def _explain(
        self, own: Amount | None, gross: float, currency: str | None, net: Amount, lean: float
    ) -> Chain | None:
        if currency and net.currency and currency != net.currency:
            return None
        difference = net.value - gross
        score = net.role("net") - (0.0 if net.named("net") else UNNAMED_NET)
        if abs(difference) < 0.0051:
            same_token = own is not None and own.token is net.token
            score += ONE_AMOUNT_ONLY if same_token else EXPLAINED_BY_EQUALITY
            score -= UNUSED_CHARGE * len(self._relevant(currency, net))
            return Chain(net, gross=gross, explained=not same_token, alone=same_token, score=score)
        if abs(difference) > 0.45 * gross:
            return None
        charges = self._sum_to(abs(difference), currency or net.currency, net)
        named = charges is not None
        if charges is None and own is not None:
            charges = self._between(own, net, abs(difference))
        if charges is None:
            return None
        grows = 1 if difference > 0 else -1
        spare = len(self._relevant(currency, net)) - len(charges)
        score += (EXPLAINED_BY_CHARGES if named else EXPLAINED_BY_PLACE) - UNUSED_CHARGE * max(spare, 0)
        score += min(max(grows * lean, -2.0), 2.0)
        return Chain(net, charges, (), gross, explained=True, grows=grows, score=score)

    def _between(self, gross: Amount, net: Amount, difference: float) -> tuple[Amount, ...] | None:
        """Amounts without a label that stand between gross and net and make up the difference."""
        if not gross.line < net.line <= gross.line + LONGEST_SUM or not net.named("net"):
            return None
        listed = [
            amount
            for amount in self._amounts
            if gross.line < amount.line < net.line
            and amount.decimals == 2
            and amount.currency == net.currency
            and amount.value <= difference + EXACTLY
            and max(amount.named("quantity"), amount.named("price"), amount.named("other")) < 2.0
        ]
        for size in range(min(len(listed), 4), 0, -1) if len(listed) <= TRIED_BETWEEN else ():
            for chosen in combinations(listed, size):
                if abs(sum(amount.value for amount in chosen) - difference) <= EXACTLY:
                    return chosen
        return None

    def _relevant(self, currency: str | None, net: Amount) -> list[Amount]:
        return [
            charge
            for charge in self._charges
            if charge.token is not net.token
            and charge.value < LARGEST_CHARGE * net.value
            and (not currency or charge.currency in (currency, None))
        ]

    def _sum_to(self, difference: float, currency: str | None, net: Amount) -> tuple[Amount, ...] | None:
        sums = self._sums.get(currency)
        if sums is None:
            sums = self._sums[currency] = _subset_sums(self._relevant(currency, net))
        cents = round(difference * 100)
        for near in (cents, cents - 1, cents + 1):
            charges = sums.get(near)
            if charges and all(charge.token is not net.token for charge in charges):
                return charges
        return None


def _charges(amounts: Iterable[Amount]) -> list[Amount]:
    """What is labelled as a fee, tax or accrued interest; a value printed twice counts once."""
    found = [
        amount for amount in amounts if max(amount.role(name) for name in CHARGES) >= 1.3 and amount.role("net") < 3.0
    ]
    found.sort(key=lambda amount: -max(amount.role(name) for name in CHARGES))
    return found[:TRIED_CHARGES]


def _is_accrued(charge: Amount) -> bool:
    return max(CHARGES, key=charge.role) == "accrued"


def _subset_sums(charges: Sequence[Amount]) -> dict[int, tuple[Amount, ...]]:
    """Every sum some of the charges make, in cents; more charges are better, rebates may lessen it."""
    sums: dict[int, tuple[Amount, ...]] = {}
    for size in range(len(charges), 0, -1):
        for chosen in combinations(charges, size):
            total = round(sum(_signed(charge) for charge in chosen) * 100)
            sums.setdefault(total, chosen)
            plain = round(sum(charge.value for charge in chosen) * 100)
            sums.setdefault(plain, chosen)
    return sums


def _signed(charge: Amount) -> float:
    return -charge.value if charge.token.negative else charge.value
