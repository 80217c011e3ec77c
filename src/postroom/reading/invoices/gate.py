"""The gate for printed invoices: what was checked, which amounts the sums used, and what speaks against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import date
from decimal import Decimal
from typing import Any

from postroom.nouns.documents import Explanation, Invoice, InvoiceLine, PrintedAmount, plain
from postroom.reading.invoices.confidence import confidence
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.identity import dates, dates_the_letter, means_another
from postroom.reading.invoices.layout import InvoiceSheet, labels_for, strength
from postroom.reading.invoices.money import InvoiceTotals
from postroom.reading.invoices.papers import PaperCalled, names_an_invoice, names_its_number
from postroom.reading.page.tokens import Token, TokenKind

LABELLED_NUMBER = ("strong beside", "strong below")
SOLE_NUMBER = ("sole beside", "sole below")
PRINTED_CURRENCY = ("beside total", "labelled", "throughout")
NAMED = ("label", "sender line", "legal form", "address")
LONGEST_TERM = 120  # days
_LABELLED = "number and date are labelled; the IBAN's check digits fit."
_NEAR = 0.7  # a weak label right beside or over it


def explained(
    sheet: InvoiceSheet,
    found: Mapping[str, InvoiceFinding[Any] | None],
    sums: InvoiceTotals | None,
    title: PaperCalled,
    lines: Sequence[InvoiceLine] = (),
) -> Explanation:
    """All that was checked, by name, and every objection in the order in which they are told."""
    left = left_over(sheet, sums, {line.total for line in lines}) if sums is not None else []
    said = {
        "text": "The text was recognised from an image." if sheet.source.source == "ocr" else "",
        "title": title.because if title.kind not in ("invoice", "") else "",
        "number": _about_number(sheet, found.get("number"), title),
        "issue_date": _about_day(sheet, found),
        "supplier": _about_supplier(found.get("supplier")),
        **_about_money(found.get("currency"), sums, lines),
        "left_over": _about_left(left),
        "payment": _about_payment(found),
    }
    return Explanation(
        used=_used(sums, found.get("currency")),
        left=tuple(left),
        checks=tuple(name for name, against in said.items() if not against),
        objections=tuple(against for against in said.values() if against),
        evidence={name: confidence(name, one.evidence) for name, one in found.items() if one is not None},
    )


def _used(sums: InvoiceTotals | None, currency: InvoiceFinding[str] | None) -> tuple[PrintedAmount, ...]:
    """The printed amounts that make the total, and the total."""
    if sums is None:
        return ()
    money = currency.value if currency is not None else None
    total = sums.gross
    parts = [PrintedAmount(role, one.value, money, one.token.page, one.token.box) for role, one in sums.steps] or [
        PrintedAmount(role, one.value, money, one.page, one.box)
        for role, one in (("net", sums.net), ("tax", sums.tax))
        if one is not None and one.box != total.box  # it is printed itself
    ]
    return (*parts, PrintedAmount("total", total.value, money, total.page, total.box))


def _about_number(sheet: InvoiceSheet, number: InvoiceFinding[str] | None, title: PaperCalled) -> str:
    """Its label calls it an invoice's number, it stands in the title, or nothing else on an invoice is its number."""
    if number is None:
        return "There is no number."
    if title.kind == "invoice" and (
        number.evidence in (*LABELLED_NUMBER, *SOLE_NUMBER) or number.value in title.because
    ):
        return ""
    plain = number.evidence in LABELLED_NUMBER and names_its_number(sheet.plain_lines)
    if title.kind == "" and (plain or (number.evidence in SOLE_NUMBER and names_an_invoice(number.because))):
        return ""
    return f"Nothing plainly calls {number.value} the number of an invoice."


def _about_supplier(supplier: InvoiceFinding[str] | None) -> str:
    return "" if supplier is not None and supplier.evidence in NAMED else "Nothing plainly says who the supplier is."


def _about_day(sheet: InvoiceSheet, found: Mapping[str, InvoiceFinding[Any] | None]) -> str:
    """By its label, or on the number's line; called just `date` it must be the only one that could be meant."""
    issued = found.get("issue_date")
    if issued is None:
        return "There is no issue date."
    days = dates(sheet)
    own = [token for token in days if token.line == issued.line and token.day == issued.value]
    beside = issued.evidence == "beside number" and not any(_means_another(sheet, token) for token in own)
    if issued.evidence == "labelled" or beside:
        return ""
    others = [token for token in days if token.day != issued.value]
    named = any(
        (strength(labels_for(sheet, token), "issue_date") >= _NEAR or dates_the_letter(sheet, token))
        and not _means_another(sheet, token)
        for token in own
    )
    if named and all(_means_another(sheet, token) for token in others):
        return ""
    return f"Nothing plainly calls {issued.value} the issue date."


def _means_another(sheet: InvoiceSheet, token: Token) -> bool:
    return means_another(sheet, token, labels_for(sheet, token)) >= 2.0


def _about_money(
    currency: InvoiceFinding[str] | None, sums: InvoiceTotals | None, lines: Sequence[InvoiceLine]
) -> dict[str, str]:
    if sums is None:
        return {"total": "There is no total."}
    unproved = f"Nothing proves the total of {plain(sums.gross.value)}: net and tax at a printed rate do not make it."
    printed = currency is not None and currency.evidence in PRINTED_CURRENCY
    return {
        "total": "" if _is_proved(sums, lines) else unproved,
        "way": "" if sums.gross.value > 0 else "Its total is negative: the money comes back.",
        "currency": "" if printed else "No currency stands beside the total.",
    }


def _about_left(left: Sequence[PrintedAmount]) -> str:
    return f"It also names {', '.join(str(one.value) for one in left)} as an amount to pay." if left else ""


def _is_proved(sums: InvoiceTotals, lines: Sequence[InvoiceLine]) -> bool:
    """Net and tax at a printed rate make the total; or plain labels say what it is, and the lines make it up."""
    if sums.gross.evidence == "sum and rate":
        return True
    listed = [line.total for line in lines if line.total is not None]
    if not sums.named or not listed or len(listed) != len(lines):
        return False
    whole = sum(listed, Decimal(0))
    if sums.gross.evidence == "sum":
        return sums.net is not None and sums.spoken and whole == sums.net.value
    return sums.gross.evidence in ("untaxed", "tax inside") and whole == sums.gross.value


ROLES = {
    "gross": "total", "paid": "payment", "extra": "fee", "left": "total", "withheld": "tax", "rebate": "rebate",
}  # fmt: skip
RIVALS = ("gross", "paid", "extra", "left", "withheld", "rebate")


def left_over(
    sheet: InvoiceSheet, sums: InvoiceTotals, listed: Set[Decimal | None], kinds: Sequence[str] = RIVALS
) -> list[PrintedAmount]:
    """Other amounts that a plain label calls the total, what was paid, what is left or what is kept back: then more
    than one sum may be meant. What the sums are made of, and what goes off for paying soon, is none."""
    known = {part.value for part in (sums.gross, sums.net, sums.tax) if part is not None} | sums.parts | listed
    soon = {
        (sums.gross.value * rate.number / 100).quantize(Decimal("0.01")) for rate in sheet.tokens.of(TokenKind.PERCENT)
    }
    found: dict[Decimal, PrintedAmount] = {}
    for token in sheet.tokens.of(TokenKind.NUMBER):
        if token.decimals != 2 or not token.number or token.line < sums.gross.line:
            continue
        labels = labels_for(sheet, token)
        said = {kind: strength(labels, kind) for kind in RIVALS}
        if token.number in soon and said["rebate"] >= 1.0:
            continue
        moved = "paid" in kinds and said["paid"] >= 2.0 and token.number != sums.gross.value and said["gross"] < 1.0
        named = token.number not in known and max(said[kind] for kind in kinds) >= 2.0
        if said["withheld"] >= 2.0 or moved or named:
            role = ROLES[max(RIVALS, key=lambda kind: said[kind])]
            found[token.number] = PrintedAmount(role, token.number, token.currency, token.page, token.box)
    return list(found.values())[:3]


def _about_payment(found: Mapping[str, InvoiceFinding[Any] | None]) -> str:
    account = found.get("iban")
    if account is None:
        return "There is no IBAN to pay to."
    if account.evidence != "check digits":
        return f"The check digits of {account.value} are wrong."
    issued, due = found.get("issue_date"), found.get("due_date")
    if issued is not None and due is not None and isinstance(due.value, date):
        wait = (due.value - issued.value).days
        if not 0 <= wait <= LONGEST_TERM:
            return f"It is due {wait} days after its date."
    return ""


def reason(invoice: Invoice) -> str:
    """Why nobody needs to look."""
    rates = " and ".join(f"{plain(rate)} %" for rate in invoice.tax_by_rate)
    at = f" at {rates}" if rates else ""
    made = f"{plain(invoice.net_total)} and {plain(invoice.tax_total)} tax{at} make {plain(invoice.grand_total)}"
    if not invoice.tax_total:
        return f"The lines make {plain(invoice.grand_total)} {invoice.currency}, without tax; {_LABELLED}"
    return f"{made} {invoice.currency}; {_LABELLED}"
