"""The ledger: how the booked amount follows from the gross one, by charges, interest, exchange, total after total."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from operator import attrgetter, itemgetter
from typing import NamedTuple

from postroom.reading.sums.amounts import CHARGE, CHARGES, AmountReading
from postroom.reading.sums.fills import EXACTLY, LIKE_A_RATE, LOOSEST, PriceFill, likely_rates
from postroom.reading.weights import Weights

TRIED_NETS = 16
TRIED_CHARGES = 9
TRIED_BETWEEN = 6
LARGEST_CHARGE = 0.5  # of the net amount
LARGEST_CHANGE = 0.45  # of the gross amount
LONGEST_SUM = 14  # lines
NEXT_IN_SUM = 2  # lines
SAME_COLUMN = 6.0  # points between the right edges of figures that are added up
NAMED_CHARGE = 1.3
SAME_LIST = 8  # lines: further off, the same value is the same charge told again
FIRM = 2.0
MOST_TOLD_AGAIN = 3  # charges in a sum that is told again
CENTS = 2  # decimals
LOUD = 2.0  # a label that calls an amount a total this loudly wants it explained


@dataclass(slots=True)
class NetPath:
    """How the booked amount follows: from gross by charges, over printed totals, maybe converted."""

    net: AmountReading
    costs: tuple[AmountReading, ...] = ()
    benefits: tuple[AmountReading, ...] = ()
    """What works against the costs: rebates, and taxes that are paid back."""
    gross: float | None = None
    start: AmountReading | None = None
    """The printed amount it starts from, if that is not the fill's own."""
    totals: tuple[AmountReading, ...] = ()
    """Printed totals on the way."""
    rate: AmountReading | None = None
    interest: AmountReading | None = None
    """What a bond has earned since its last coupon, where the way begins with it."""
    explained: bool = False
    alone: bool = False
    grows: int = 0
    score: float = 0.0
    minus: bool = False
    """Whether the booked amount is printed with a minus somewhere."""

    @property
    def charges(self) -> tuple[AmountReading, ...]:
        return (*self.costs, *self.benefits)


class PathStart(NamedTuple):
    """Where a way to the booked amount begins: the gross amount, with interest, or exchanged as it is printed."""

    value: float
    currency: str | None
    printed: AmountReading | None = None
    rate: AmountReading | None = None
    interest: AmountReading | None = None
    bonus: float = 0.0


class ChargeSum(NamedTuple):
    """Charges that make up a difference: those that work its way, and those that work against it."""

    along: tuple[AmountReading, ...]
    against: tuple[AmountReading, ...] = ()


class MoneyLedger:
    """The amounts of a document as a sum: what is added to or taken from what."""

    def __init__(self, amounts: Sequence[AmountReading], weights: Weights) -> None:
        self._amounts, self._w = sorted(amounts, key=attrgetter("line")), weights
        self._lines = [amount.line for amount in self._amounts]
        fit = [amount for amount in amounts if amount.scores["net"] > -0.3]
        self._nets = sorted(fit, key=lambda amount: -amount.scores["net"])[:TRIED_NETS]
        self._rates = likely_rates(amounts)
        self._charges = _charges(amounts)
        self._sums: dict[tuple[str | None, frozenset[int]], dict[int, ChargeSum]] = {}
        self._placed = sorted(enumerate(amounts), key=lambda item: item[1].value)
        self._values = [amount.value for _, amount in self._placed]
        self._known: dict[tuple[float, str | None], list[tuple[AmountReading, AmountReading]]] = {}
        self._relevant_to: dict[tuple[str | None, AmountReading], list[AmountReading]] = {}
        self._subtotals: dict[tuple[str | None, float], list[NetPath]] = {}
        self.totals = _loud_totals(amounts)

    def unexplained(self) -> NetPath | None:
        likely = [net for net in self._nets if net.role("net") >= 1.0]
        if not likely:
            return None
        path = NetPath(likely[0], score=likely[0].role("net") + self._w["path.unexplained"])
        later = [other for other in self._converted(path) if other.net.named("net") and other.net.line > path.net.line]
        return max(later, key=lambda other: other.score, default=path)

    def paths(self, fill: PriceFill, lean: float) -> Iterator[NetPath]:
        """Every way from a fill to an amount that could be the booked one."""
        yield from self._direct(fill, lean)
        yield from self._from_subtotal(fill, lean)
        yield from self._through_rate(fill, lean)

    def further(self, path: NetPath, lean: float) -> Iterator[NetPath]:
        """From a total that is explained to a later one, by charges that were not used yet: taxes after all else."""
        if not (path.explained or path.alone):
            return
        used = frozenset(id(charge.token) for charge in path.charges)
        passed = {total.value for total in path.totals}
        at = (path.net.line, path.net.token.start)
        for net in self._nets:
            if (net.line, net.token.start) <= at or net.token is path.net.token:
                continue
            if not net.named("net") and not self._ends_a_list(path.net, net):
                continue
            if net.value in passed or _is_told_again(abs(net.value - path.net.value), path.charges):
                continue  # back to where it came from, or by the parts of a sum that was used
            if path.net.currency and net.currency and path.net.currency != net.currency:
                continue
            difference = net.value - path.net.value
            if abs(difference) <= EXACTLY or abs(difference) > LARGEST_CHANGE * path.net.value:
                continue
            found = self._sum_to(abs(difference), path.net.currency or net.currency, net, used)
            found = found or self._column(path.net, net, difference)
            if found is not None:
                yield self._extended(path, net, found, 1 if difference > 0 else -1, lean)

    def _ends_a_list(self, first: AmountReading, last: AmountReading) -> bool:
        """Whether an amount that nothing names stands right below the charges that follow a total."""
        if last.line - first.line > LONGEST_SUM or last.decimals != CENTS or _is_called_else(last):
            return False
        listed = [charge.line for charge in self._charges if first.line < charge.line < last.line]
        return bool(listed) and last.line - max(listed) <= NEXT_IN_SUM

    def _extended(self, path: NetPath, net: AmountReading, found: ChargeSum, grows: int, lean: float) -> NetPath:
        w = self._w
        costs, benefits, way = _sided(found, grows, path.grows or lean)
        if path.grows and way != path.grows:
            costs, benefits = benefits, costs  # what works against the charges before it is given back
        score = path.score + net.role("net") - w["path.passed_total"] * max(path.net.role("net"), 0.0)
        score += 0.0 if net.named("net") else w["path.unnamed"]
        score += w["path.further"] + w["path.unused_charge"] * -len(found.along + found.against)
        score += self._leaning(way, lean) if not path.grows else 0.0
        return replace(
            path,
            net=net,
            costs=(*path.costs, *costs),
            benefits=(*path.benefits, *benefits),
            totals=(*path.totals, path.net),
            explained=True,
            alone=False,
            grows=path.grows or way,
            score=score,
        )

    def _direct(self, fill: PriceFill, lean: float) -> Iterator[NetPath]:
        used = {id(part.token) for parts in fill.parts for part in parts[:2] if part is not None}
        if fill.rate is not None:
            used.add(id(fill.rate.token))
        for start in self._grosses(fill):
            first = start.printed or fill.gross_amount or fill.parts[-1][2]
            for net in self._nets:
                if id(net.token) in used:
                    continue
                path = self._explain(first, start.value, start.currency, net, lean)
                if path is None or _is_among(start.interest, path.charges):
                    continue
                path.rate = start.rate or (fill.rate if fill.quote in ("converted", "percent") else None)
                path.start, path.interest = start.printed, start.interest
                path.score += start.bonus
                yield path
                if start.rate is None:
                    yield from self._converted(path)

    def charged(self, fill: PriceFill, lean: float) -> Iterator[NetPath]:
        """From a gross amount that is not printed to one called the total, by charges that are; never past another
        amount that is called the gross one."""
        assert fill.price is not None
        used = {id(part.token) for part in fill.parts[0][:2] if part is not None}
        stated = {amount.value for amount in self._amounts if amount.named("gross") >= LOUD and not amount.reread}
        for net in self._nets:
            if id(net.token) in used or net.named("net") < NAMED_CHARGE or stated - {net.value}:
                continue
            path = self._explain(None, fill.gross, fill.price.currency, net, lean)
            if path is not None and path.charges and not used & {id(charge.token) for charge in path.charges}:
                yield path

    def _through_rate(self, fill: PriceFill, lean: float) -> Iterator[NetPath]:
        """Charges in both currencies, with the converted amount itself not printed."""
        own = fill.gross_amount
        if own is None or own.currency is None:
            return
        here = [charge for charge in self._relevant(own.currency, own) if charge.currency]
        for net in self._nets[:6]:
            if not net.named("net") or net.currency in (None, own.currency):
                continue
            there = [charge for charge in self._relevant(net.currency, net) if charge.currency]
            smallest = min((charge.value for charge in (*here, *there)), default=net.value)
            for rate in self._rates[:2]:
                for factor in (rate.value, 1.0 / rate.value):
                    for sign in (1, -1):
                        gross = fill.gross + sign * sum(charge.value for charge in here)
                        total = gross * factor + sign * sum(charge.value for charge in there)
                        if abs(total - net.value) <= 0.011 + min(total * rate.step / rate.value, smallest / 2):
                            costs, passed = (*here, *there), self._subtotal(gross, own, net)
                            score = net.role("net") + self._w["path.charges"] + self._leaning(sign, lean)
                            score += self._w["path.converted"] if passed else 0.0
                            grows = sign * bool(costs)
                            yield NetPath(
                                net, costs, gross=fill.gross, totals=passed, rate=rate, explained=True, grows=grows,
                                score=score,
                            )  # fmt: skip

    def _subtotal(self, value: float, own: AmountReading, net: AmountReading) -> tuple[AmountReading, ...]:
        """What charges in the trade's own currency came to, if that is printed between it and the booked amount."""
        between = (
            amount
            for amount in self._near(value, EXACTLY)
            if own.line < amount.line < net.line and amount.currency == own.currency and amount.named("net")
        )
        return tuple(between)[:1]

    def _from_subtotal(self, fill: PriceFill, lean: float) -> Sequence[NetPath]:
        """A net amount in another currency than the fill's, explained from a subtotal in its own."""
        own = fill.gross_amount
        if own is not None and own.currency is None:
            return ()
        currency = own.currency if own is not None else None
        if (currency, lean) not in self._subtotals:
            self._subtotals[currency, lean] = list(self._subtotalled(currency, lean))
        return self._subtotals[currency, lean]

    def _subtotalled(self, currency: str | None, lean: float) -> Iterator[NetPath]:
        for net in self._nets[:6]:
            if net.role("net") < 1.5 or net.currency in (None, currency):
                continue
            for subtotal in self._near(net.value, 0.2 * net.value + EXACTLY):
                fits = subtotal.currency == net.currency and subtotal.token is not net.token
                if not fits or subtotal in self._charges or abs(subtotal.value - net.value) > 0.2 * net.value:
                    continue
                path = self._explain(subtotal, subtotal.value, subtotal.currency, net, lean)
                if path is not None and path.explained:
                    path.start = subtotal
                    path.score += self._w["path.unlinked"]
                    yield path

    def _grosses(self, fill: PriceFill) -> Iterator[PathStart]:
        """The gross amount as printed, with interest, and in other currencies if it is printed converted."""
        gross = fill.gross_amount
        currency = gross.currency if gross else None
        yield PathStart(fill.gross, currency)
        accrued = [charge for charge in self._charges if _is_accrued(charge) and charge.currency in (currency, None)]
        for interest in accrued[:2]:
            bonus = self._w["path.with_interest"]
            yield PathStart(fill.gross + interest.value, currency, interest=interest, bonus=bonus)
        for rate, other in self._conversions(fill.gross, currency):
            if gross is None or other.token is not gross.token:
                yield PathStart(other.value, other.currency, other, rate, bonus=self._w["path.converted"])

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
                    if rate.role("fx") < LIKE_A_RATE and (slack > 0.0005 * product or other.decimals != 2):
                        continue
                    yield rate, other

    def _near(self, value: float, reach: float) -> list[AmountReading]:
        """Amounts about this large, in the order they are printed."""
        first, last = bisect_left(self._values, value - reach), bisect_right(self._values, value + reach)
        return [amount for _, amount in sorted(self._placed[first:last], key=itemgetter(0))]

    def _converted(self, path: NetPath) -> Iterator[NetPath]:
        w = self._w
        for rate, other in self._conversions(path.net.value, path.net.currency):
            if other.token is path.net.token:
                continue
            score = path.score - w["path.passed_total"] * max(path.net.role("net"), 0.0) + max(other.role("net"), 0.0)
            score += 0.0 if other.named("net") else w["path.unnamed"]
            score += w["path.later" if other.line >= path.net.line else "path.earlier"] + w["path.converted"]
            yield replace(path, net=other, rate=rate, totals=(*path.totals, path.net), alone=False, score=score)

    def _explain(
        self, own: AmountReading | None, gross: float, currency: str | None, net: AmountReading, lean: float
    ) -> NetPath | None:
        if currency and net.currency and currency != net.currency:
            return None
        w = self._w
        difference = net.value - gross
        if abs(difference) >= EXACTLY and abs(difference) > LARGEST_CHANGE * gross:
            return None
        score = net.role("net") + (0.0 if net.named("net") else w["path.unnamed"])
        if abs(difference) < EXACTLY:
            same_token = own is not None and own.token is net.token
            score += w["path.one_amount" if same_token else "path.equal"]
            evened = self._sums_of(currency, net).get(0, ChargeSum(()))
            score += w["path.unused_charge"] * (len(self._relevant(currency, net)) - len(evened.along + evened.against))
            return NetPath(
                net, evened.along, evened.against, gross, explained=not same_token, alone=same_token, score=score
            )
        found = self._sum_to(abs(difference), currency or net.currency, net)
        named = found is not None
        if found is None and own is not None:
            between = self._between(own, net, abs(difference))
            found = ChargeSum(between) if between is not None else self._column(own, net, difference)
        if found is None:
            return None
        grows = 1 if difference > 0 else -1
        spare = len(self._relevant(currency, net)) - len(found.along) - len(found.against)
        score += w["path.charges" if named else "path.by_place"] + w["path.unused_charge"] * max(spare, 0)
        costs, benefits, grows = _sided(found, grows, lean)
        score += self._leaning(grows, lean)
        return NetPath(net, costs, benefits, gross, explained=True, grows=grows, score=score)

    def _leaning(self, grows: int, lean: float) -> float:
        """Charges make a purchase dearer and a sale poorer: as much as the words say which it is."""
        return self._w["path.grows"] * min(max(grows * lean, -2.0), 2.0)

    def _lying_between(self, first: int, last: int) -> Sequence[AmountReading]:
        """The amounts in the lines after the first and before the last."""
        return self._amounts[bisect_right(self._lines, first) : bisect_left(self._lines, last)]

    def _between(self, gross: AmountReading, net: AmountReading, difference: float) -> tuple[AmountReading, ...] | None:
        """Amounts without a label that stand between gross and net and make up the difference.

        Where nothing calls the net amount by its name, all of them must.
        """
        if not gross.line < net.line <= gross.line + LONGEST_SUM:
            return None
        listed = [
            amount
            for amount in self._lying_between(gross.line, net.line)
            if amount.decimals == 2
            and amount.currency == net.currency
            and amount.value <= difference + EXACTLY
            and max(amount.named("quantity"), amount.named("price"), amount.named("other")) < FIRM
        ]
        if not net.named("net"):
            return self._all_between(listed, net, difference)
        for size in range(min(len(listed), 4), 0, -1) if len(listed) <= TRIED_BETWEEN else ():
            for chosen in combinations(listed, size):
                if abs(sum(amount.value for amount in chosen) - difference) <= EXACTLY:
                    return chosen
        return None

    def _column(self, first: AmountReading, last: AmountReading, difference: float) -> ChargeSum | None:
        """All amounts between two totals, labelled or not, if they make the difference by their signs."""
        if not first.line < last.line <= first.line + LONGEST_SUM:
            return None
        listed = [
            amount
            for amount in self._lying_between(first.line, last.line)
            if (amount.currency or last.currency) == last.currency
            and amount.decimals >= 2
            and max(amount.named("quantity"), amount.named("price"), amount.named("other")) < FIRM
        ]
        if not listed or len({id(amount.token) for amount in listed}) < len(listed):
            return None
        minus = tuple(amount for amount in listed if amount.token.negative)
        plus = tuple(amount for amount in listed if not amount.token.negative)
        signed = sum(amount.value for amount in plus) - sum(amount.value for amount in minus)
        if abs(abs(signed) - abs(difference)) > EXACTLY:
            return None
        return ChargeSum(plus, minus) if signed > 0 else ChargeSum(minus, plus)

    def _all_between(
        self, listed: Sequence[AmountReading], net: AmountReading, difference: float
    ) -> tuple[AmountReading, ...] | None:
        """A column of figures that ends with its sum says what it is without words."""
        if not listed or _is_called_else(net):
            return None
        if net.line - listed[-1].line > NEXT_IN_SUM or abs(net.token.box[2] - listed[-1].token.box[2]) > SAME_COLUMN:
            return None
        total = sum(amount.value for amount in listed)
        return tuple(listed) if abs(total - difference) <= EXACTLY else None

    def _relevant(self, currency: str | None, net: AmountReading) -> list[AmountReading]:
        known = self._relevant_to.get((currency, net))
        if known is None:
            known = self._relevant_to[currency, net] = [
                charge
                for charge in self._charges
                if charge.token is not net.token
                and charge.value < LARGEST_CHARGE * net.value
                and (not currency or charge.currency in (currency, None))
            ]
        return known

    def _sum_to(
        self, difference: float, currency: str | None, net: AmountReading, used: frozenset[int] = frozenset()
    ) -> ChargeSum | None:
        sums = self._sums_of(currency, net, used)
        cents = round(difference * 100)
        for near in (cents, cents - 1, cents + 1):
            found = sums.get(near)
            if found and all(charge.token is not net.token for charge in (*found.along, *found.against)):
                return found
        return None

    def _sums_of(
        self, currency: str | None, net: AmountReading, used: frozenset[int] = frozenset()
    ) -> dict[int, ChargeSum]:
        sums = self._sums.get((currency, used))
        if sums is None:
            free = [charge for charge in self._relevant(currency, net) if id(charge.token) not in used]
            sums = self._sums[currency, used] = _subset_sums(free)
        return sums


def _is_called_else(amount: AmountReading) -> bool:
    return max(amount.named(name) for name in ("quantity", "price", "other", "fee")) >= FIRM


def _is_told_again(difference: float, used: Sequence[AmountReading]) -> bool:
    """Whether charges that were used already make it: a sum and its parts are the same money."""
    return any(
        abs(sum(charge.value for charge in some) - difference) <= EXACTLY
        for size in range(1, min(len(used), MOST_TOLD_AGAIN) + 1)
        for some in combinations(used, size)
    )


def _charges(amounts: Iterable[AmountReading]) -> list[AmountReading]:
    """What is labelled as a fee, tax or accrued interest; a value printed twice counts once."""
    found = [amount for amount in amounts if amount.scores[CHARGE] >= NAMED_CHARGE and amount.scores["net"] < 3.0]
    kept: list[AmountReading] = []
    for amount in found:
        if all(other.value != amount.value or amount.line - other.line <= SAME_LIST for other in kept):
            kept.append(amount)
    kept.sort(key=lambda amount: -amount.scores[CHARGE])
    return kept[:TRIED_CHARGES]


def _loud_totals(amounts: Iterable[AmountReading]) -> list[AmountReading]:
    """What a label plainly calls the total or the booked amount: one for each value."""
    found: dict[float, AmountReading] = {}
    for amount in amounts:
        loud = amount.evidence.scores.get("net", 0.0) >= LOUD and amount.scores["net"] >= 1.0
        if loud and amount.decimals == 2 and not amount.reread:
            found.setdefault(amount.value, amount)
    return list(found.values())


def _sided(
    found: ChargeSum, grows: int, lean: float
) -> tuple[tuple[AmountReading, ...], tuple[AmountReading, ...], int]:
    """Costs, benefits, and which way the costs go: taxes that go another way than words or fees are paid back, and so
    are rebates."""
    paid_back = bool(found.along) and all(_is_tax(charge) or charge.named("rebate") for charge in found.along)
    against = any(not _is_tax(charge) for charge in found.against)
    if paid_back and (against or (not found.against and grows * lean < 0)):
        return found.against, found.along, -grows
    return found.along, found.against, grows


def _is_tax(charge: AmountReading) -> bool:
    return max(CHARGES, key=charge.role) == "tax"


def _is_among(amount: AmountReading | None, charges: Iterable[AmountReading]) -> bool:
    return amount is not None and any(charge.token is amount.token for charge in charges)


def _is_accrued(charge: AmountReading) -> bool:
    return max(CHARGES, key=charge.role) == "accrued"


def _subset_sums(charges: Sequence[AmountReading]) -> dict[int, ChargeSum]:
    """Every sum some of the charges make, in cents; more charges are better, some may lessen it."""
    sums: dict[int, ChargeSum] = {}
    for size in range(len(charges), 0, -1):
        for chosen in combinations(charges, size):
            if len({id(charge.token) for charge in chosen}) < size:
                continue
            minus = tuple(charge for charge in chosen if charge.token.negative)
            if not minus:  # printed without signs, words tell what comes back
                minus = tuple(charge for charge in chosen if charge.named("rebate"))
            if minus and len(minus) < size:
                plus = tuple(charge for charge in chosen if charge not in minus)
                if {charge.value for charge in plus} & {charge.value for charge in minus}:
                    continue
                signed = sum(charge.value for charge in plus) - sum(charge.value for charge in minus)
                found = ChargeSum(plus, minus) if signed > 0 else ChargeSum(minus, plus)
                sums.setdefault(round(abs(signed) * 100), found)
            sums.setdefault(round(sum(charge.value for charge in chosen) * 100), ChargeSum(chosen))
    return sums
