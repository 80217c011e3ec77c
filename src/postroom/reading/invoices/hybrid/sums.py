"""Amounts and rates that a page calls by a name: each must come from what the XML states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal
from itertools import accumulate

from postroom.nouns.documents import Invoice
from postroom.reading.invoices.anywhere import StatedAnywhere
from postroom.reading.invoices.layout import InvoiceSheet, labels_for, strength
from postroom.reading.invoices.words import flat
from postroom.reading.page.tokens import Token, TokenKind

SAID = {
    "gross": "a total", "net": "a net total", "tax": "tax", "paid": "paid already", "left": "left to pay",
    "withheld": "kept back", "earlier": "owed before", "credit": "a credit",
}  # fmt: skip
BESIDE = 2.4  # a strong label in its cell or left of it
ROLES = tuple(SAID)[:-1]
PLAIN = 2.0  # a strong label, also over it
WEAK = 0.9  # a weak label right beside
ITEMS = 60  # lines of which runs are added up
_CENT = Decimal("0.01")
ASIDE = ("rebate", "extra", "carried")
_CREDIT = re.compile(
    r"(?<![a-z])(?:guthaben|gutschrift|credit(?! card| insurance| transfer)|avoir|credito|saldo a favor|abono|tegoed"
    r"|tilgodehavende|kreditnota|kreditering|nadplata|saldo kredytowe)(?![a-z])"
)
_LONE = re.compile(r"[^\W\d_]{2,}")


def amounts_otherwise(sheet: InvoiceSheet, stated: Invoice, anywhere: StatedAnywhere) -> Iterator[str]:
    """A sentence for each amount that a label calls a sum and the XML does not explain."""
    roles = _roles(stated, anywhere)
    any_role = anywhere.money.union(*roles.values())
    told: set[Decimal] = set()
    for token in sheet.tokens.of(TokenKind.NUMBER):
        role, plainly = _called(sheet, token)
        values = {abs(token.number), *(abs(other.value) for other in token.also)}
        known = roles.get(role, set()) if plainly else any_role
        if not role or values & told or values & (known if token.number else {stated.grand_total}):
            continue
        told.add(abs(token.number))
        if token.number:
            yield f"Its pages show {token.number} as {SAID[role]}, which the XML does not state."
        else:
            yield "Its pages say that nothing is left to pay."


def _called(sheet: InvoiceSheet, token: Token) -> tuple[str, bool]:
    """What a label calls an amount, and whether so plainly that another amount of the XML does not explain it. A weak
    label counts on a line with nothing else."""
    if token.decimals != 2:
        return "", False
    labels = labels_for(sheet, token, in_table=True)
    said = {kind: strength(labels, kind) for kind in (*ROLES, *ASIDE)}
    role = max(ROLES if token.number else ("gross", "left"), key=lambda kind: said[kind])
    aside = max(said[kind] for kind in ASIDE)
    if token.number and aside > said[role] and aside >= BESIDE:
        return "", False
    line = sheet.lines[token.line]
    if said[role] < PLAIN and token.number and _CREDIT.search(flat(line.text[: token.start])):
        return "credit", False
    alone = sum(other.decimals == 2 for other in line.of(TokenKind.NUMBER)) == 1
    if said[role] >= PLAIN or (said[role] >= WEAK and _stands_alone(sheet, token)):
        return role, alone and said[role] >= BESIDE
    return "", False


def _stands_alone(sheet: InvoiceSheet, token: Token) -> bool:
    """Whether its line holds a label, amounts and currencies, and nothing else."""
    line = sheet.lines[token.line]
    spans = [(label.start, label.end) for cell in sheet.rows[token.line] for label in cell.labels]
    spans += [(other.start, other.end) for other in line.tokens]
    rest = "".join(" " if any(a <= at < b for a, b in spans) else sign for at, sign in enumerate(line.text))
    return not _LONE.search(rest)


def _roles(stated: Invoice, anywhere: StatedAnywhere) -> dict[str, set[Decimal]]:
    """What may be called a total, a net, a tax: as stated, for one rate, for a line, or for lines one after another."""
    nets, taxes, totals = (
        {abs(one) for one in some if one is not None}
        for some in ((stated.net_total,), (stated.tax_total, *stated.tax_by_rate.values()), (stated.grand_total,))
    )
    lines = [line.total for line in stated.lines[:ITEMS] if line.total is not None]
    for start in range(len(lines)):
        nets |= {abs(one) for one in accumulate(lines[start:])}
    rates = [rate / 100 for rate in {*stated.tax_by_rate, *(line.tax_rate for line in stated.lines)} if rate]
    bases = {one for one in anywhere.amounts if any(_cents(one * rate) in taxes for rate in rates)}
    nets |= bases
    for rate in rates:
        taxes |= {_cents(one * rate) for one in nets}
        totals |= {one + _cents(one * rate) for one in nets}
    untaxed = nets if not any(stated.tax_by_rate.values()) and not stated.tax_total else set()
    return {
        "gross": totals | untaxed,
        "left": totals | untaxed,
        "net": nets,
        "tax": taxes | nets | totals | anywhere.money,  # what a tax is charged on stands on its line
    }


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(_CENT, ROUND_HALF_UP)


def rates_otherwise(sheet: InvoiceSheet, stated: Invoice, anywhere: StatedAnywhere) -> Iterator[str]:
    """A sentence for each rate that a label calls a tax's and the XML does not name."""
    if not stated.tax_by_rate and stated.tax_total != 0:
        return
    known = anywhere.rates | {*stated.tax_by_rate, *(line.tax_rate for line in stated.lines)}
    told: set[Decimal] = set()
    for token in sheet.tokens.of(TokenKind.PERCENT):
        labels = labels_for(sheet, token, trailing=True)
        tax = max(strength(labels, "tax"), PLAIN * _on_a_tax_line(sheet, token))
        if tax < 1.5 or strength(labels, "rebate") >= tax or not 0 < token.number <= 30:
            continue
        if token.number not in known | told:
            told.add(token.number)
            yield f"Its pages show tax at {token.number.normalize():f} %, which the XML does not state."


def _on_a_tax_line(sheet: InvoiceSheet, token: Token) -> bool:
    labels = [label for cell in sheet.rows[token.line] for label in cell.labels]
    near = [label for label in labels if abs(label.end - token.start) <= 4 or abs(token.end - label.start) <= 4]
    return any(label.strength("tax") >= 3 for label in near)
