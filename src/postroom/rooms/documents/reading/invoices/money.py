"""The amounts of an invoice as one answer: net + tax = gross, with the labels and rates that fit best together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import combinations, permutations

from stdnum import iban as iban_number

from postroom.nouns.documents import Box
from postroom.rooms.documents.reading.invoices.found import Found
from postroom.rooms.documents.reading.invoices.layout import Sheet, labels_for, strength
from postroom.rooms.documents.reading.invoices.words import flat
from postroom.rooms.documents.reading.tokens import Kind, Token, TokenLine

_CENT = Decimal("0.01")
_MOST = 70  # distinct amounts looked at; more only in long statements, where the last ones hold the sums
_HIGHEST_RATE = Decimal("0.32")
_CALLED = 2.4  # a strong label some way off
_SAID = 0.9  # a weak label right beside


@dataclass(slots=True)
class Amount:
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


@dataclass(frozen=True, slots=True)
class TaxRow:
    rate: Decimal
    base: Decimal
    tax: Decimal


@dataclass(frozen=True, slots=True)
class Totals:
    gross: Found[Decimal]
    net: Found[Decimal] | None
    tax: Found[Decimal] | None
    by_rate: Mapping[Decimal, Decimal]
    doubt: str = ""
    taxed: bool = False
    """A plain label calls what was added a tax."""


def totals(sheet: Sheet, called: Mapping[tuple[int, int], str] | None = None) -> Totals | None:
    """`called` names numbers by line and letter, as somebody else would: each counts like a label."""
    amounts = _amounts(sheet, called or {})
    if not amounts:
        return None
    rows = _tax_rows(sheet)
    rates = {row.rate for row in rows} | {token.number for token in sheet.tokens.of(Kind.PERCENT)}
    by_value = {amount.value: amount for amount in amounts}
    best: tuple[float, Amount, Amount | None, Amount | None, str] | None = None
    for gross in amounts:
        score, net, tax, evidence = _best_split(gross, amounts, by_value, rows, rates)
        score += gross.says.get("gross", 0.0) + min(gross.times, 4) * 0.25
        if gross.says.get("gross", 0.0) < _SAID:  # a total that was paid at once is still the total
            score -= max(0.0, gross.says.get("paid", 0.0) - gross.says.get("gross", 0.0))
        score -= 0.6 * max(0.0, gross.says.get("net", 0.0) - gross.says.get("gross", 0.0))
        score -= 0.6 * max(0.0, gross.says.get("tax", 0.0) - gross.says.get("gross", 0.0))
        if best is None or (score, abs(gross.value)) > (best[0], abs(best[1].value)):
            best = (score, gross, net, tax, evidence)
    assert best is not None
    _, gross, net, tax, evidence = best
    doubt = ""
    if evidence == "label" and (parts := _called(gross, amounts)):
        if _withheld(gross, *parts, amounts):
            (net, tax), evidence = parts, "withheld"
        else:
            doubt = f"Printed net {parts[0].value} and tax {parts[1].value} do not make {gross.value}."
    if evidence == "label":
        evidence = "contradicted" if doubt else "label" if gross.says.get("gross", 0.0) else "guess"
    return Totals(
        gross=_placed(gross, evidence),
        net=_placed(net, evidence) if net else None,
        tax=_placed(tax, evidence) if tax else None,
        by_rate=_by_rate(rows, net, tax, gross),
        doubt=doubt,
        taxed=tax is not None and tax.says.get("tax", 0.0) >= _CALLED and bool(tax.value),
    )


def _called(gross: Amount, amounts: Sequence[Amount]) -> tuple[Amount, Amount] | None:
    """The net and the tax by their labels alone, where both are clear."""

    def clearest(kind: str) -> Amount | None:
        called = [
            one for one in amounts if one is not gross and one.says.get(kind, 0.0) >= 2.4 > one.says.get("gross", 0)
        ]
        return max(called, key=lambda one: abs(one.value), default=None)

    net, tax = clearest("net"), clearest("tax")
    if net is None or tax is None or net is tax or abs(tax.value) > abs(net.value) * _HIGHEST_RATE:
        return None
    return net, tax


def _withheld(gross: Amount, net: Amount, tax: Amount, amounts: Sequence[Amount]) -> bool:
    """Income tax that the buyer keeps back explains why net and tax make more than what is to be paid."""
    back = net.value + tax.value - gross.value
    return any(one.says.get("withheld", 0.0) and abs(abs(one.value) - back) <= _CENT for one in amounts)


def _placed(amount: Amount, evidence: str) -> Found[Decimal]:
    token = amount.token
    return Found(amount.value, evidence, token.page, token.box, token.line, f"Printed as “{token.text.strip()}”.")


def _amounts(sheet: Sheet, called: Mapping[tuple[int, int], str]) -> list[Amount]:
    """Numbers that can be money, each value once, the last ones if there are too many."""
    found: dict[Decimal, Amount] = {}
    for token in sheet.tokens.of(Kind.NUMBER):
        labels = labels_for(sheet, token, trailing=True)
        says = {kind: strength(labels, kind) for kind in ("gross", "net", "tax", "paid", "withheld")}
        if kind := called.get((token.line, token.start)):
            says[kind] = max(says[kind], _CALLED)
        if not _is_money(sheet, token, says):
            continue
        value = -token.number if token.negative else token.number
        if value in found:
            found[value].hear(token, says)
        else:
            found[value] = Amount(value, token)
            found[value].hear(token, says)
    kept = list(found.values())
    if len(kept) > _MOST:
        spoken = [amount for amount in kept if any(amount.says.values())]
        kept = (spoken or kept)[-_MOST:]
    return kept


def _is_money(sheet: Sheet, token: Token, says: Mapping[str, float]) -> bool:
    if token.number == 0:
        return False
    if token.decimals == 2:
        return True
    beside = token.currency is not None or _foreign_currency(sheet, token) is not None
    return beside and token.decimals in (0, 1) and bool(says["gross"] or says["net"] or token.currency)


def _best_split(
    gross: Amount,
    amounts: Sequence[Amount],
    by_value: Mapping[Decimal, Amount],
    rows: Sequence[TaxRow],
    rates: Iterable[Decimal],
) -> tuple[float, Amount | None, Amount | None, str]:
    """The net and tax that make this gross, if any do."""
    best: tuple[float, Amount | None, Amount | None, str] = (0.0, None, None, "label")
    sign = 1 if gross.value > 0 else -1
    known = [rate / 100 for rate in rates if 0 < rate <= 30]
    for net in amounts:
        difference = gross.value - net.value
        if difference * sign <= 0 or net.value * sign <= 0 or abs(difference) > abs(net.value) * _HIGHEST_RATE:
            continue
        tax = by_value.get(difference) or by_value.get(difference + _CENT) or by_value.get(difference - _CENT)
        tax = tax or _taxes_that_make(difference, amounts)
        if tax is None:
            continue
        spoken = net.says.get("net", 0.0) + tax.says.get("tax", 0.0)
        rated = any(abs(net.value * rate - tax.value) <= Decimal("0.02") for rate in known)
        rowed = bool(_rows_making(rows, net.value, tax.value))
        score = (1.0 if spoken else 0.0) + 0.5 * spoken + (3.5 if rowed else 2.0 if rated else 0.0)
        if score > best[0]:
            best = (score, net, tax, "sum and rate" if rated or rowed else "sum")
    if best[1] is not None:
        return best
    if gross.says.get("net", 0.0) and gross.says.get("gross", 0.0):
        return 0.8, gross, replace(gross, value=Decimal(0)), "untaxed"
    return _tax_inside(gross, by_value, known)


def _taxes_that_make(whole: Decimal, amounts: Sequence[Amount]) -> Amount | None:
    """Taxes of several rates, each on its own line, whose sum is printed nowhere."""
    taxes = [amount for amount in amounts if amount.says.get("tax", 0.0) >= 1.4 and abs(amount.value) < abs(whole)][:9]
    for size in (2, 3, 4):
        for some in combinations(taxes, size):
            if abs(sum(amount.value for amount in some) - whole) < _CENT:
                return replace(some[0], value=whole)
    return None


def _tax_inside(
    gross: Amount, by_value: Mapping[Decimal, Amount], rates: Sequence[Decimal]
) -> tuple[float, Amount | None, Amount | None, str]:
    """Only the total and the tax within it are printed; the net follows."""
    for rate in rates:
        within = (gross.value * rate / (1 + rate)).quantize(_CENT)
        tax = by_value.get(within)
        if tax is not None and tax.says.get("tax", 0.0):
            return 2.0, replace(gross, value=gross.value - within), tax, "tax inside"
    return 0.0, None, None, "label"


def _rows_making(rows: Sequence[TaxRow], net: Decimal, tax: Decimal) -> tuple[TaxRow, ...]:
    """The tax rows of different rates that together make this net and this tax."""
    for size in (2, 3, 4):
        for some in combinations(rows[-9:], size):
            taxes, bases = sum(row.tax for row in some), sum(row.base for row in some)
            apart = len({row.rate for row in some}) == size
            if apart and abs(taxes - tax) <= _CENT * size and abs(bases - net) <= _CENT * size:
                return some
    return ()


def _tax_rows(sheet: Sheet) -> list[TaxRow]:
    """Lines that hold a rate, an amount and the tax on it."""
    found: dict[tuple[Decimal, Decimal], TaxRow] = {}
    for typed in sheet.lines:
        money = [token for token in typed.of(Kind.NUMBER) if token.decimals == 2]
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
        for token in typed.of(Kind.NUMBER)
        if 2 <= token.number <= 27 and not token.negative and (token.decimals <= 1 or token.number % 1 == 0)
    ]
    signed = [token.number for token in typed.of(Kind.PERCENT) if 0 < token.number <= 30]
    return list(dict.fromkeys(signed or bare))


def _by_rate(rows: Sequence[TaxRow], net: Amount | None, tax: Amount | None, gross: Amount) -> dict[Decimal, Decimal]:
    """The rates whose taxes make the whole tax; one rate alone if it fits; nothing if unsure."""
    if net is None or tax is None or net is gross:
        return {}
    whole = [row for row in rows if abs(row.base - net.value) <= _CENT and abs(row.tax - tax.value) <= _CENT]
    if whole:
        return {whole[0].rate: whole[0].tax}
    if several := _rows_making(rows, net.value, tax.value):
        return {row.rate: row.tax for row in several}
    rate = (tax.value / net.value * 100).quantize(Decimal("0.1"))
    exact = abs(net.value * rate / 100 - tax.value) <= Decimal("0.02")
    return {rate.normalize(): tax.value} if exact and rate == rate.to_integral() else {}


_EXTRA_CURRENCIES = {
    "rs": "INR",
    "inr": "INR",
    "₹": "INR",
    "kc": "CZK",
    "ft": "HUF",
    "lei": "RON",
    "sfr": "CHF",
    "fr": "CHF",
}
_CROWNS = {"SE": "SEK", "DK": "DKK", "NO": "NOK", "IS": "ISK", "CZ": "CZK"}
_EXTRA = re.compile(r"(?<![^\W\d_])(rs|inr|₹|kc|ft|lei|sfr|kr|fr)\.?\s*$")
_EXTRA_BEHIND = re.compile(r"^\s*(rs|inr|₹|kc|ft|lei|kr|:-)(?![^\W\d_])")


def _foreign_currency(sheet: Sheet, token: Token) -> str | None:
    """Currencies written in ways that need the rest of the document, such as `kr`."""
    text = flat(sheet.lines[token.line].text)
    match = _EXTRA.search(text[: token.start]) or _EXTRA_BEHIND.search(text[token.end :])
    if match is None:
        return None
    return _EXTRA_CURRENCIES.get(match[1]) or _crowns(sheet)


def _crowns(sheet: Sheet) -> str | None:
    text = sheet.tokens.text
    for code, currency in _CROWNS.items():
        if re.search(rf"\b{code}\d{{2}}[ \d]{{8,}}|\b{code}\s?\d{{8,12}}\b", text):
            return currency
    folded = flat(text)
    if re.search(r"\b(?:att betala|fakturadatum|forfallodatum|bankgiro|plusgiro)\b", folded):
        return "SEK"
    if re.search(r"\b(?:at betale|fakturadato|cvr|belob)\b", folded):
        return "DKK"
    return "NOK" if re.search(r"\b(?:mva|org\.? ?nr|kid)\b", folded) else None


def currency(sheet: Sheet, gross: Found[Decimal] | None) -> Found[str] | None:
    """Beside the total; beside the word currency; else the one that the document uses most."""
    everywhere: Counter[str] = Counter()
    for token in sheet.tokens.of(Kind.NUMBER):
        found = token.currency or _foreign_currency(sheet, token)
        if not found:
            continue
        everywhere[found] += 1
        value = -token.number if token.negative else token.number
        if gross is not None and value == gross.value:
            return Found(found, "beside total", token.page, token.box, token.line, "Beside the total.")
    for cell in sheet.cells():
        if any("currency" in label.kinds for label in cell.labels):
            near = " ".join(other.text for row in sheet.rows[cell.line : cell.line + 2] for other in row)
            if code := _first_code(sheet, cell.line):
                return Found(code, "labelled", cell.page, cell.box, cell.line, f"Beside “{near[:30]}”.")
    codes = Counter(str(token.value) for token in sheet.tokens.of(Kind.CURRENCY))
    for code, _ in (everywhere + codes).most_common(1):
        where = next((token for token in sheet.tokens.of(Kind.CURRENCY) if token.value == code), None)
        evidence = "only one" if len(codes) <= 1 else "most frequent"
        return Found(code, evidence, where.page if where else None, where.box if where else None)
    return None


def _first_code(sheet: Sheet, line: int) -> str | None:
    for typed in sheet.lines[line : line + 3]:
        for token in typed.of(Kind.CURRENCY):
            return str(token.value)
    return None


_SPACED_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]){11,30}\b")


def account(sheet: Sheet) -> Found[str] | None:
    """The first account number whose check digits are right; one that merely looks right only if labelled IBAN."""
    doubtful: Found[str] | None = None
    for typed in sheet.lines:
        for match in _SPACED_IBAN.finditer(typed.text):
            for text in _shortened(match[0]):
                place: Box = typed.line.box_of(match.start(), match.start() + len(match[0]))
                if iban_number.is_valid(text, check_country=False):
                    return Found(text, "check digits", typed.line.page, place, typed.index, "Its check digits fit.")
                before = (sheet.lines[typed.index - 1].text if typed.index else "") + typed.text[: match.start()]
                if doubtful is None and "IBAN" in before.upper()[-40:]:
                    doubtful = Found(
                        re.sub(r"\s", "", match[0]), "labelled", typed.line.page, place, typed.index, "Beside IBAN."
                    )
                    break
    return doubtful


_LENGTHS = {
    "DE": 22, "AT": 20, "CH": 21, "FR": 27, "IT": 27, "ES": 24, "NL": 18, "BE": 16, "DK": 18, "SE": 24, "PL": 28,
    "PT": 25, "GB": 22, "IE": 22, "LU": 20, "NO": 15, "FI": 18, "CZ": 24, "SK": 24, "HU": 28, "LI": 21, "RO": 24,
}  # fmt: skip


def _shortened(raw: str) -> list[str]:
    """Without blanks, cut to the country's length: what follows an IBAN on the line is often a word."""
    text = re.sub(r"\s", "", raw)
    length = _LENGTHS.get(text[:2])
    if length is None:
        return [text] if 15 <= len(text) <= 34 else []
    return [text[:length]] if len(text) >= length else []
