"""The currency of an invoice: beside its total, by its label, or by the country that the papers name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.layout import InvoiceSheet
from postroom.reading.invoices.words import flat
from postroom.reading.page.tokens import Token, TokenKind

_EXTRA_CURRENCIES = {
    "rs": "INR",
    "inr": "INR",
    "₹": "INR",
    "kc": "CZK",
    "ft": "HUF",
    "lei": "RON",
    "zl": "PLN",
    "sfr": "CHF",
    "fr": "CHF",
}
_CROWNS = {"SE": "SEK", "DK": "DKK", "NO": "NOK", "IS": "ISK", "CZ": "CZK"}
_EXTRA = re.compile(r"(?<![^\W\d_])(rs|inr|₹|kc|ft|lei|sfr|kr|fr)\.?\s*$")
_EXTRA_BEHIND = re.compile(r"^\s*(rs|inr|₹|kc|ft|lei|kr|zl|pln|:-)(?![^\W\d_])")


def foreign_currency(sheet: InvoiceSheet, token: Token) -> str | None:
    """Currencies written in ways that need the rest of the document, such as `kr`."""
    text = flat(sheet.lines[token.line].text)
    match = _EXTRA.search(text[: token.start]) or _EXTRA_BEHIND.search(text[token.end :])
    if match is None:
        return None
    return _EXTRA_CURRENCIES.get(match[1]) or _crowns(sheet)


def _crowns(sheet: InvoiceSheet) -> str | None:
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


_OF_COUNTRY = {
    **dict.fromkeys(("AT", "BE", "DE", "EE", "ES", "FI", "FR", "IE", "IT"), "EUR"),
    **dict.fromkeys(("LT", "LU", "LV", "NL", "PT", "SI", "SK"), "EUR"),
    "CH": "CHF", "LI": "CHF", "CZ": "CZK", "DK": "DKK", "GB": "GBP", "HU": "HUF", "NO": "NOK", "PL": "PLN",
    "RO": "RON", "SE": "SEK",
}  # fmt: skip
_COUNTRY = re.compile(
    r"\b(?:(?P<vat>[A-Z]{2})U?\d{8,12}(?:[B-]\d{2})?\b|(?P<iban>[A-Z]{2})\d{2} ?[A-Z0-9]{4} ?[A-Z0-9]{4} ?\d)"
)


def currency(sheet: InvoiceSheet, gross: InvoiceFinding[Decimal] | None) -> InvoiceFinding[str] | None:
    """Beside the total; beside the word currency; else the one that the document uses most, or its country."""
    everywhere: dict[str, list[Token]] = {}
    for token in sheet.tokens.of(TokenKind.NUMBER):
        found = token.currency or foreign_currency(sheet, token)
        if not found:
            continue
        everywhere.setdefault(found, []).append(token)
        value = -token.number if token.negative else token.number
        if gross is not None and value == gross.value:
            return InvoiceFinding(found, "beside total", token.page, token.box, token.line, "Beside the total.")
    return _on_the_line(sheet, gross) or _labelled(sheet) or _used(sheet, everywhere) or _of_country(sheet)


def _on_the_line(sheet: InvoiceSheet, gross: InvoiceFinding[Decimal] | None) -> InvoiceFinding[str] | None:
    """`Total CHF incl. tax  1'624.10`."""
    tokens = sheet.lines[gross.line].of(TokenKind.CURRENCY) if gross is not None and gross.line >= 0 else []
    if len({token.value for token in tokens}) != 1:
        return None
    token = tokens[0]
    return InvoiceFinding(str(token.value), "beside total", token.page, token.box, token.line, "On the total's line.")


def _labelled(sheet: InvoiceSheet) -> InvoiceFinding[str] | None:
    for cell in sheet.cells():
        if any("currency" in label.kinds for label in cell.labels):
            near = " ".join(other.text for row in sheet.rows[cell.line : cell.line + 2] for other in row)
            if code := _first_code(sheet, cell.line):
                return InvoiceFinding(code, "labelled", cell.page, cell.box, cell.line, f"Beside “{near[:30]}”.")
    return None


def _used(sheet: InvoiceSheet, beside: Mapping[str, Sequence[Token]]) -> InvoiceFinding[str] | None:
    """The currency that most amounts and words name."""
    places = {code: list(tokens) for code, tokens in beside.items()}
    for token in sheet.tokens.of(TokenKind.CURRENCY):
        places.setdefault(str(token.value), []).append(token)
    if not places:
        return None
    code, seen = max(places.items(), key=lambda one: len(one[1]))
    evidence = "most frequent" if len(places) > 1 else "throughout" if len(seen) > 2 else "only one"
    return InvoiceFinding(code, evidence, seen[0].page, seen[0].box, seen[0].line, f"Printed {len(seen)} times.")


def _of_country(sheet: InvoiceSheet) -> InvoiceFinding[str] | None:
    """No currency is printed: that of the first country in a tax or account number."""
    for typed in sheet.lines:
        for match in _COUNTRY.finditer(typed.text):
            if code := _OF_COUNTRY.get(match["vat"] or match["iban"]):
                box = typed.line.box_of(*match.span())
                return InvoiceFinding(
                    code, "by country", typed.line.page, box, typed.index, f"By the country of “{match[0]}”."
                )
    return None


def _first_code(sheet: InvoiceSheet, line: int) -> str | None:
    for typed in sheet.lines[line : line + 3]:
        for token in typed.of(TokenKind.CURRENCY):
            return str(token.value)
    return None
