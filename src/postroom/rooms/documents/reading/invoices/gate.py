"""The gate for printed invoices: whether nobody needs to look at the reading, and why or why not."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from postroom.nouns.documents import Invoice, plain
from postroom.rooms.documents.reading.invoices.found import Found
from postroom.rooms.documents.reading.invoices.layout import Sheet, labels_for, strength
from postroom.rooms.documents.reading.invoices.money import Totals
from postroom.rooms.documents.reading.invoices.papers import Called, names_its_number
from postroom.rooms.documents.reading.tokens import Kind, Token

LABELLED_NUMBER = ("strong beside", "strong below")
PRINTED_CURRENCY = ("beside total", "labelled")
NAMED = ("label", "sender line", "legal form", "address")
LONGEST_TERM = 120  # days
_NEAR = 0.7  # a weak label right beside or over it


def objection(sheet: Sheet, found: Mapping[str, Found[Any] | None], sums: Totals | None, title: Called) -> str:
    """Why a person must look; empty if nothing speaks against it. The first objection decides."""
    if sheet.source.source == "ocr":
        return "The text was recognised from an image."
    if title.kind not in ("invoice", ""):
        return title.because
    return (
        _about_number(sheet, found.get("number"), title)
        or _about_day(sheet, found)
        or _about_supplier(found.get("supplier"))
        or _about_money(sheet, found, sums)
        or _about_payment(found)
    )


def _about_number(sheet: Sheet, number: Found[str] | None, title: Called) -> str:
    """Its label calls it an invoice's number, or it stands in the title."""
    if number is None:
        return "There is no number."
    if title.kind == "invoice" and (number.evidence in LABELLED_NUMBER or number.value in title.because):
        return ""
    if title.kind == "" and number.evidence in LABELLED_NUMBER and names_its_number(sheet.plain_lines):
        return ""
    return f"Nothing plainly calls {number.value} the number of an invoice."


def _about_supplier(supplier: Found[str] | None) -> str:
    return "" if supplier is not None and supplier.evidence in NAMED else "Nothing plainly says who the supplier is."


def _about_day(sheet: Sheet, found: Mapping[str, Found[Any] | None]) -> str:
    """By its label, or on the number's line; called just `date` it must be the only one that could be meant."""
    issued = found.get("issue_date")
    if issued is None:
        return "There is no issue date."
    own = [token for token in sheet.tokens.of(Kind.DATE) if token.line == issued.line and token.day == issued.value]
    beside = issued.evidence == "beside number" and not any(_means_another(sheet, token) for token in own)
    if issued.evidence == "labelled" or beside:
        return ""
    others = [token for token in sheet.tokens.of(Kind.DATE) if token.day != issued.value]
    named = any(strength(labels_for(sheet, token), "issue_date") >= _NEAR for token in own)
    if named and all(_means_another(sheet, token) for token in others):
        return ""
    return f"Nothing plainly calls {issued.value} the issue date."


def _means_another(sheet: Sheet, token: Token) -> bool:
    labels = labels_for(sheet, token)
    return max(strength(labels, "due_date"), strength(labels, "other_date")) >= 2.0


def _about_money(sheet: Sheet, found: Mapping[str, Found[Any] | None], sums: Totals | None) -> str:
    if sums is None:
        return "There is no total."
    if sums.gross.evidence != "sum and rate":
        return f"Nothing proves the total of {plain(sums.gross.value)}: net and tax at a printed rate do not make it."
    if sums.gross.value <= 0:
        return "Its total is negative: the money comes back."
    currency = found.get("currency")
    if currency is None or currency.evidence not in PRINTED_CURRENCY:
        return "No currency stands beside the total."
    rivals = _rivals(sheet, sums)
    return f"It also names {', '.join(map(str, rivals))} as an amount to pay." if rivals else ""


def _rivals(sheet: Sheet, sums: Totals) -> list[Decimal]:
    """Other amounts that a plain label calls the total, or what was paid: then more than one sum may be meant."""
    known = {part.value for part in (sums.gross, sums.net, sums.tax) if part is not None} | set(sums.by_rate.values())
    found: dict[Decimal, None] = {}
    for token in sheet.tokens.of(Kind.NUMBER):
        if token.decimals != 2 or not token.number or token.number in known or token.line < sums.gross.line:
            continue
        labels = labels_for(sheet, token)
        if max(strength(labels, "gross"), strength(labels, "paid")) >= 2.0:
            found[token.number] = None
    return list(found)[:3]


def _about_payment(found: Mapping[str, Found[Any] | None]) -> str:
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
    return f"{made} {invoice.currency}; number and date are labelled; the IBAN's check digits fit."
