"""The ledger: how the net amount follows from the gross one by charges, interest and exchange."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from operator import itemgetter

from postroom.reading.trades.amounts import CHARGES, AmountReading
from postroom.reading.trades.fills import EXACTLY, LOOSEST, PriceFill, likely_rates

TRIED_NETS = 16
TRIED_CHARGES = 9
TRIED_BETWEEN = 6
EXPLAINED_BY_CHARGES = 3.0
EXPLAINED_BY_EQUALITY = 2.0
EXPLAINED_BY_PLACE = 2.0
ONE_AMOUNT_ONLY = 0.6
UNUSED_CHARGE = 0.35
CONVERTED = 1.6
WITH_INTEREST = 0.3
UNNAMED_NET = 1.2
UNLINKED = 0.8
LARGEST_CHARGE = 0.5  # of the net amount
LONGEST_SUM = 14  # lines
NEXT_IN_SUM = 2  # lines
SAME_COLUMN = 6.0  # points between the right edges of figures that are added up


@dataclass(slots=True)
class NetPath:
    """How the net amount follows: from gross by charges, maybe converted."""

    net: AmountReading
    charges: tuple[AmountReading, ...] = ()
    rebates: tuple[AmountReading, ...] = ()
    gross: float | None = None
    rate: AmountReading | None = None
    explained: bool = False
    alone: bool = False
    grows: int = 0
    score: float = 0.0


class MoneyLedger:
    """The amounts of a document as a sum: what is added to or taken from what."""

    def __init__(self, amounts: Sequence[AmountReading]) -> None:
        self._amounts = amounts
        fit = [amount for amount in amounts if amount.role("net") > -0.3]
        self._nets = sorted(fit, key=lambda amount: -amount.role("net"))[:TRIED_NETS]
        self._rates = likely_rates(amounts)
        self._charges = _charges(amounts)
        self._sums: dict[str | None, dict[int, tuple[AmountReading, ...]]] = {}
        self._placed = sorted(enumerate(amounts), key=lambda item: item[1].value)
        self._values = [amount.value for _, amount in self._placed]
        self._known: dict[tuple[float, str | None], list[tuple[AmountReading, AmountReading]]] = {}

    def unexplained(self) -> NetPath | None:
        likely = [net for net in self._nets if net.role("net") >= 1.0]
        if not likely:
            return None
        chain = NetPath(likely[0], score=likely[0].role("net") - 0.5)
        later = [
            other for other in self._converted(chain) if other.net.named("net") and other.net.line > chain.net.line
        ]
        return max(later, key=lambda other: other.score, default=chain)

    def chains(self, fill: PriceFill, lean: float) -> Iterator[NetPath]:
        used = {id(part.token) for parts in fill.parts for part in parts[:2] if part is not None}
        if fill.rate is not None:
            used.add(id(fill.rate.token))
        for gross, currency, rate, bonus in self._grosses(fill):
            for net in self._nets:
                if id(net.token) in used:
                    continue
                chain = self._explain(fill.gross_amount or fill.parts[-1][2], gross, currency, net, lean)
                if chain is None:
                    continue
                chain.rate = rate or (fill.rate if fill.quote == "converted" else None)
                chain.score += bonus
                yield chain
                if rate is None:
                    yield from self._converted(chain)

    def through_rate(self, fill: PriceFill, lean: float) -> Iterator[NetPath]:
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
                            yield NetPath(
                                net,
                                charges,
                                (),
                                fill.gross,
                                rate,
                                explained=True,
                                grows=sign * bool(charges),
                                score=score,
                            )

    def from_subtotal(self, fill: PriceFill, lean: float) -> Iterator[NetPath]:
        """A net amount in another currency than the fill's, explained from a subtotal in its own."""
        own = fill.gross_amount
        for net in self._nets[:6]:
            if net.role("net") < 1.5 or net.currency is None or (own and own.currency in (None, net.currency)):
                continue
            for subtotal in self._near(net.value, 0.2 * net.value + EXACTLY):
                fits = subtotal.currency == net.currency and subtotal.token is not net.token
                if not fits or subtotal in self._charges or abs(subtotal.value - net.value) > 0.2 * net.value:
                    continue
                chain = self._explain(subtotal, subtotal.value, subtotal.currency, net, lean)
                if chain is not None and chain.explained:
                    chain.score -= UNLINKED
                    yield chain

    def _grosses(self, fill: PriceFill) -> Iterator[tuple[float, str | None, AmountReading | None, float]]:
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

    def _conversions(self, value: float, currency: str | None) -> list[tuple[AmountReading, AmountReading]]:
        """Rates with the amounts they turn this one into."""
        known = self._known.get((value, currency))
        if known is None:
            known = self._known[value, currency] = list(self._exchanged(value, currency))
        return known

    def _exchanged(self, value: float, currency: str | None) -> Iterator[tuple[AmountReading, AmountReading]]:
        for rate in self._rates:
            for factor in (rate.value, 1.0 / rate.value):
                product = value * factor
                slack = 0.006 + min(product * rate.step / rate.value, LOOSEST * product)
                for other in self._near(product, slack + 0.005):
                    if abs(other.value - product) > slack + 0.5 * min(other.step, 0.01):
                        continue
                    if other.token is rate.token or (currency and other.currency == currency):
                        continue
                    if rate.role("fx") < 1.2 and (slack > 0.0005 * product or other.decimals != 2):
                        continue
                    yield rate, other

    def _near(self, value: float, reach: float) -> list[AmountReading]:
        """Amounts about this large, in the order they are printed."""
        first, last = bisect_left(self._values, value - reach), bisect_right(self._values, value + reach)
        return [amount for _, amount in sorted(self._placed[first:last], key=itemgetter(0))]

    def _converted(self, chain: NetPath) -> Iterator[NetPath]:
        for rate, other in self._conversions(chain.net.value, chain.net.currency):
            if other.token is chain.net.token:
                continue
            later = 0.4 if other.line >= chain.net.line else -0.4
            score = chain.score - 0.5 * max(chain.net.role("net"), 0.0) + max(other.role("net"), 0.0)
            score -= 0.0 if other.named("net") else UNNAMED_NET
            yield NetPath(
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
        self, own: AmountReading | None, gross: float, currency: str | None, net: AmountReading, lean: float
    ) -> NetPath | None:
        if currency and net.currency and currency != net.currency:
            return None
        difference = net.value - gross
        score = net.role("net") - (0.0 if net.named("net") else UNNAMED_NET)
        if abs(difference) < 0.0051:
            same_token = own is not None and own.token is net.token
            score += ONE_AMOUNT_ONLY if same_token else EXPLAINED_BY_EQUALITY
            score -= UNUSED_CHARGE * len(self._relevant(currency, net))
            return NetPath(net, gross=gross, explained=not same_token, alone=same_token, score=score)
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
        return NetPath(net, charges, (), gross, explained=True, grows=grows, score=score)

    def _between(self, gross: AmountReading, net: AmountReading, difference: float) -> tuple[AmountReading, ...] | None:
        """Amounts without a label that stand between gross and net and make up the difference.

        Where nothing calls the net amount by its name, all of them must.
        """
        if not gross.line < net.line <= gross.line + LONGEST_SUM:
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
        if not net.named("net"):
            return self._all_between(listed, net, difference)
        for size in range(min(len(listed), 4), 0, -1) if len(listed) <= TRIED_BETWEEN else ():
            for chosen in combinations(listed, size):
                if abs(sum(amount.value for amount in chosen) - difference) <= EXACTLY:
                    return chosen
        return None

    def _all_between(
        self, listed: Sequence[AmountReading], net: AmountReading, difference: float
    ) -> tuple[AmountReading, ...] | None:
        """A column of figures that ends with its sum says what it is without words."""
        if not listed or max(net.named("quantity"), net.named("price"), net.named("other"), net.named("fee")) >= 2.0:
            return None
        if net.line - listed[-1].line > NEXT_IN_SUM or abs(net.token.box[2] - listed[-1].token.box[2]) > SAME_COLUMN:
            return None
        total = sum(amount.value for amount in listed)
        return tuple(listed) if abs(total - difference) <= EXACTLY else None

    def _relevant(self, currency: str | None, net: AmountReading) -> list[AmountReading]:
        return [
            charge
            for charge in self._charges
            if charge.token is not net.token
            and charge.value < LARGEST_CHARGE * net.value
            and (not currency or charge.currency in (currency, None))
        ]

    def _sum_to(self, difference: float, currency: str | None, net: AmountReading) -> tuple[AmountReading, ...] | None:
        sums = self._sums.get(currency)
        if sums is None:
            sums = self._sums[currency] = _subset_sums(self._relevant(currency, net))
        cents = round(difference * 100)
        for near in (cents, cents - 1, cents + 1):
            charges = sums.get(near)
            if charges and all(charge.token is not net.token for charge in charges):
                return charges
        return None


def _charges(amounts: Iterable[AmountReading]) -> list[AmountReading]:
    """What is labelled as a fee, tax or accrued interest; a value printed twice counts once."""
    found = [
        amount for amount in amounts if max(amount.role(name) for name in CHARGES) >= 1.3 and amount.role("net") < 3.0
    ]
    found.sort(key=lambda amount: -max(amount.role(name) for name in CHARGES))
    return found[:TRIED_CHARGES]


def _is_accrued(charge: AmountReading) -> bool:
    return max(CHARGES, key=charge.role) == "accrued"


def _subset_sums(charges: Sequence[AmountReading]) -> dict[int, tuple[AmountReading, ...]]:
    """Every sum some of the charges make, in cents; more charges are better, rebates may lessen it."""
    sums: dict[int, tuple[AmountReading, ...]] = {}
    for size in range(len(charges), 0, -1):
        for chosen in combinations(charges, size):
            total = round(sum(_signed(charge) for charge in chosen) * 100)
            sums.setdefault(total, chosen)
            plain = round(sum(charge.value for charge in chosen) * 100)
            sums.setdefault(plain, chosen)
    return sums


def _signed(charge: AmountReading) -> float:
    return -charge.value if charge.token.negative else charge.value
