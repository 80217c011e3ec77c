"""The amounts of an invoice as one answer: net + tax = gross, with the labels and rates that fit best together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations

from postroom.reading.invoices.chains import ChainedSum, PrintedSum, chain
from postroom.reading.invoices.currencies import foreign_currency
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.layout import InvoiceSheet, labels_for, strength
from postroom.reading.invoices.taxes import TaxRow, by_rate, rows_inside, rows_making, tax_rows
from postroom.reading.page.tokens import Token, TokenKind

_CENT = Decimal("0.01")
_MOST = 70  # distinct amounts looked at; more only in long statements, where the last ones hold the sums
_HIGHEST_RATE = Decimal("0.32")
_CALLED = 2.4  # a strong label some way off
_PLAIN = 2.0  # a strong label, also over it
_SAID = 0.9  # a weak label right beside
_APART = ("paid", "extra", "rebate")
_KINDS = ("gross", "net", "tax", "paid", "extra", "rebate", "withheld", "earlier")


@dataclass(slots=True)
class InvoiceAmount:
    """One value with all that its printings say about it."""

    value: Decimal
    token: Token
    says: dict[str, float] = field(default_factory=dict)
    times: int = 0

    def hear(self, token: Token, says: Mapping[str, float]) -> None:
        """A place with a better reason to be the total becomes the place of the value."""
        if says.get("gross", 0) > self.says.get("gross", 0):
            self.token = token
        for kind, power in says.items():
            self.says[kind] = max(self.says.get(kind, 0.0), power)
        self.times += 1

    def said(self, kind: str) -> float:
        return self.says.get(kind, 0.0)


@dataclass(frozen=True, slots=True)
class TaxSplit:
    """How a gross is made up, and how well."""

    score: float = 0.0
    net: InvoiceAmount | None = None
    tax: InvoiceAmount | None = None
    evidence: str = "label"
    rows: tuple[TaxRow, ...] = ()
    steps: tuple[tuple[str, PrintedSum], ...] = ()


@dataclass(frozen=True, slots=True)
class InvoiceTotals:
    gross: InvoiceFinding[Decimal]
    net: InvoiceFinding[Decimal] | None
    tax: InvoiceFinding[Decimal] | None
    by_rate: Mapping[Decimal, Decimal]
    doubt: str = ""
    taxed: bool = False
    """A plain label calls what was added a tax."""
    named: bool = False
    """A plain label calls the gross a total."""
    spoken: bool = False
    """Plain labels call the net and the tax so."""
    parts: frozenset[Decimal] = frozenset()
    """What the rates were applied to, and what they made."""
    steps: tuple[tuple[str, PrintedSum], ...] = ()
    """Where charges and rebates stand between net and gross: all that is printed above the total and makes it."""


@dataclass(frozen=True, slots=True)
class _Ledger:
    """All that the amounts of a paper are held against."""

    amounts: Sequence[InvoiceAmount]
    printings: Sequence[PrintedSum]
    by_value: Mapping[Decimal, InvoiceAmount]
    taxes: Mapping[Decimal, InvoiceAmount]
    """What taxes on lines of their own make together, where the sum is printed nowhere."""
    rows: Sequence[TaxRow]
    rates: Sequence[Decimal]


def totals(sheet: InvoiceSheet, called: Mapping[tuple[int, int], str] | None = None) -> InvoiceTotals | None:
    """`called` names numbers by line and letter, as somebody else would: each counts like a label."""
    ledger = _ledger(sheet, called or {})
    if not ledger.amounts:
        return None
    gross, split = _chosen(ledger)
    net, tax, evidence, doubt = split.net, split.tax, split.evidence, ""
    if evidence == "label" and (parts := _called(gross, ledger.amounts)):
        if _withheld(gross, *parts, ledger.amounts):
            (net, tax), evidence = parts, "withheld"
        else:
            doubt = f"Printed net {parts[0].value} and tax {parts[1].value} do not make {gross.value}."
    if evidence == "label":
        evidence = "contradicted" if doubt else "label" if gross.said("gross") else "guess"
    return InvoiceTotals(
        gross=_placed(gross, evidence),
        net=_placed(net, evidence) if net else None,
        tax=_placed(tax, evidence) if tax else None,
        by_rate=_rates_of(split, ledger.rows) if net is not gross and evidence == split.evidence else {},
        doubt=doubt,
        taxed=tax is not None and tax.said("tax") >= _CALLED and bool(tax.value),
        named=gross.said("gross") >= _PLAIN,
        spoken=net is not None and tax is not None and min(net.said("net"), tax.said("tax")) >= _PLAIN,
        steps=split.steps,
        parts=frozenset(part for row in ledger.rows for part in (row.base, row.tax, row.base + row.tax)),
    )


def _chosen(ledger: _Ledger) -> tuple[InvoiceAmount, TaxSplit]:
    """The amount that is best called and best made; what one rate makes of a whole of several is only a part."""
    splits = [(gross, _best_split(gross, ledger)) for gross in ledger.amounts]
    parts = {row.base + row.tax for _, split in splits if len(split.rows) > 1 for row in split.rows}
    largest = max((abs(amount.value) for amount in ledger.amounts if not _subtracted(amount)), default=None)
    billed = _billed_in_all(splits, ledger)

    def worth(one: tuple[InvoiceAmount, TaxSplit]) -> tuple[float, Decimal]:
        gross, split = one
        score = _worth(gross) + split.score + 0.4 * (abs(gross.value) == largest)
        score += 3.0 * (gross.value in billed.values()) - 3.0 * (gross.value in billed)
        return score - 3.0 * (gross.value in parts and len(split.rows) < 2), abs(gross.value)

    return max(splits, key=worth)


def _billed_in_all(splits: Sequence[tuple[InvoiceAmount, TaxSplit]], ledger: _Ledger) -> dict[Decimal, Decimal]:
    """What is to be paid together with what was owed before, and how much of it this invoice bills."""
    earlier = [amount for amount in ledger.amounts if amount.said("earlier") >= _PLAIN]
    found: dict[Decimal, Decimal] = {}
    for gross, split in splits if earlier else ():
        for before in earlier:
            own = ledger.by_value.get(gross.value - before.value)
            if own is None or own.value <= 0 or gross.said("gross") < _SAID:
                continue
            again = own is not before or own.times > 1
            if again and (split.net is None or own.value != split.net.value):
                found[gross.value] = own.value
    return found


def _subtracted(amount: InvoiceAmount) -> bool:
    return max(amount.said("withheld"), *(amount.said(kind) for kind in _APART)) > amount.said("gross")


def _worth(gross: InvoiceAmount) -> float:
    """How much an amount is called the total, whatever makes it."""
    said = gross.said("gross")
    score = said + min(gross.times, 4) * 0.25
    if said < _SAID:  # a total that was paid at once is still the total
        score -= max(0.0, max(gross.said(kind) for kind in _APART) - said)
    return score - 0.6 * max(0.0, gross.said("net") - said) - 0.6 * max(0.0, gross.said("tax") - said)


def _rates_of(split: TaxSplit, rows: Sequence[TaxRow]) -> dict[Decimal, Decimal]:
    if split.net is None or split.tax is None:
        return {}
    if split.rows:
        return {row.rate: row.tax for row in split.rows}
    return by_rate(rows, split.net.value, split.tax.value)


def _called(gross: InvoiceAmount, amounts: Sequence[InvoiceAmount]) -> tuple[InvoiceAmount, InvoiceAmount] | None:
    """The net and the tax by their labels alone, where both are clear."""

    def clearest(kind: str) -> InvoiceAmount | None:
        called = [one for one in amounts if one is not gross and one.said(kind) >= _CALLED > one.said("gross")]
        return max(called, key=lambda one: abs(one.value), default=None)

    net, tax = clearest("net"), clearest("tax")
    if net is None or tax is None or net is tax or abs(tax.value) > abs(net.value) * _HIGHEST_RATE:
        return None
    return net, tax


def _withheld(gross: InvoiceAmount, net: InvoiceAmount, tax: InvoiceAmount, amounts: Sequence[InvoiceAmount]) -> bool:
    """Income tax that the buyer keeps back explains why net and tax make more than what is to be paid."""
    back = net.value + tax.value - gross.value
    return any(one.said("withheld") and abs(abs(one.value) - back) <= _CENT for one in amounts)


def _placed(amount: InvoiceAmount, evidence: str) -> InvoiceFinding[Decimal]:
    token = amount.token
    return InvoiceFinding(
        amount.value, evidence, token.page, token.box, token.line, f"Printed as “{token.text.strip()}”."
    )


def _ledger(sheet: InvoiceSheet, called: Mapping[tuple[int, int], str]) -> _Ledger:
    printings = _printings(sheet, called)
    amounts = _amounts(printings)
    rows = tax_rows(sheet)
    rates = {row.rate for row in rows} | {token.number for token in sheet.tokens.of(TokenKind.PERCENT)}
    return _Ledger(
        amounts=amounts,
        printings=printings,
        by_value={amount.value: amount for amount in amounts},
        taxes=_sums_of_taxes(amounts),
        rows=rows,
        rates=[rate / 100 for rate in rates if 0 < rate <= 30],
    )


def _printings(sheet: InvoiceSheet, called: Mapping[tuple[int, int], str]) -> list[PrintedSum]:
    """Numbers that can be money, in the order of the paper, each with what its labels say."""
    found: list[PrintedSum] = []
    for token in sheet.tokens.of(TokenKind.NUMBER):
        if token.number == 0:
            continue
        labels = labels_for(sheet, token, trailing=True, in_table=True)
        says = {kind: strength(labels, kind) for kind in _KINDS}
        if kind := called.get((token.line, token.start)):
            says[kind] = max(says[kind], _CALLED)
        if _is_money(sheet, token, says):
            found.append(PrintedSum(token, -token.number if token.negative else token.number, says))
    return found


def _amounts(printings: Sequence[PrintedSum]) -> list[InvoiceAmount]:
    """Each value once, the last ones if there are too many."""
    found: dict[Decimal, InvoiceAmount] = {}
    for token, value, says in printings:
        if value not in found:
            found[value] = InvoiceAmount(value, token)
        found[value].hear(token, says)
    kept = list(found.values())
    if len(kept) > _MOST:
        spoken = [amount for amount in kept if any(amount.says.values())]
        kept = (spoken or kept)[-_MOST:]
    return kept


def _is_money(sheet: InvoiceSheet, token: Token, says: Mapping[str, float]) -> bool:
    if token.decimals == 2:
        return True
    beside = token.currency is not None or foreign_currency(sheet, token) is not None
    return beside and token.decimals in (0, 1) and bool(says["gross"] or says["net"] or token.currency)


def _best_split(gross: InvoiceAmount, ledger: _Ledger) -> TaxSplit:
    """The net and tax that make this gross, if any do."""
    best = _added(gross, ledger)
    if rows := rows_inside(ledger.rows, gross.value):
        net = replace(gross, value=sum((row.base for row in rows), Decimal(0)))
        tax = replace(gross, value=gross.value - net.value)
        told = TaxSplit(5.0, net, tax, "sum and rate", rows)
        best = told if best.evidence != "sum and rate" or told.score > best.score else best
    chained = chain(gross.token, gross.value, ledger.printings, ledger.rates)
    if chained is not None and chained.score > best.score:
        best = _chained(gross, chained)
    if best.evidence != "label":
        return best
    if gross.said("net") and gross.said("gross"):
        return TaxSplit(0.8, gross, replace(gross, value=Decimal(0)), "untaxed")
    return _tax_inside(gross, ledger)


def _chained(gross: InvoiceAmount, chained: ChainedSum) -> TaxSplit:
    if not chained.tax:
        return TaxSplit(chained.score, evidence=chained.evidence, steps=chained.steps)
    net = replace(gross, value=chained.net)
    tax = replace(gross, value=chained.tax, says={"tax": chained.called})
    return TaxSplit(chained.score, net, tax, chained.evidence, steps=chained.steps)


def _added(gross: InvoiceAmount, ledger: _Ledger) -> TaxSplit:
    """A printed net with a printed tax, or with taxes that are printed one by one."""
    best = TaxSplit()
    sign = 1 if gross.value > 0 else -1
    for net in ledger.amounts:
        difference = gross.value - net.value
        if difference * sign <= 0 or net.value * sign <= 0 or abs(difference) > abs(net.value) * _HIGHEST_RATE:
            continue
        tax = _printed_tax(difference, ledger)
        if tax is None:
            continue
        spoken = net.said("net") + tax.said("tax")
        rated = any(abs(net.value * rate - tax.value) <= Decimal("0.02") for rate in ledger.rates)
        rows = rows_making(ledger.rows, net.value, tax.value)
        score = (1.0 if spoken else 0.0) + 0.5 * spoken + (3.5 if rows else 2.0 if rated else 0.0)
        if score > best.score:
            best = TaxSplit(score, net, tax, "sum and rate" if rated or rows else "sum", rows)
    return best


def _printed_tax(value: Decimal, ledger: _Ledger) -> InvoiceAmount | None:
    for near in (value, value + _CENT, value - _CENT):
        if found := ledger.by_value.get(near):
            return found
    return ledger.taxes.get(value)


def _sums_of_taxes(amounts: Sequence[InvoiceAmount]) -> dict[Decimal, InvoiceAmount]:
    """Taxes of several rates, each on its own line, whose sum is printed nowhere."""
    taxes = [amount for amount in amounts if amount.said("tax") >= 1.4][:9]
    found: dict[Decimal, InvoiceAmount] = {}
    for size in (2, 3, 4):
        for some in combinations(taxes, size):
            whole = sum((amount.value for amount in some), Decimal(0))
            found.setdefault(whole, replace(some[0], value=whole))
    return found


def _tax_inside(gross: InvoiceAmount, ledger: _Ledger) -> TaxSplit:
    """Only the total and the tax within it are printed, maybe in brackets; the net follows."""
    for rate in ledger.rates:
        within = (gross.value * rate / (1 + rate)).quantize(_CENT)
        tax = ledger.by_value.get(within) or ledger.by_value.get(-within)
        if tax is not None and tax.said("tax"):
            return TaxSplit(2.0, replace(gross, value=gross.value - within), replace(tax, value=within), "tax inside")
    return TaxSplit()
