"""The account that an invoice wants to be paid to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from stdnum import iban as iban_number

from postroom.nouns.documents import Box
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.layout import InvoiceSheet
from postroom.reading.invoices.words import flat

_SAID = re.compile(r"(?i)\biban\b|bankverbindung|coordonnées bancaires|coordinate bancarie|rekeningnummer|bankrelation")
_SPACED_IBAN = re.compile(r"\b[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]){11,30}\b")


_YOURS = re.compile(
    r"(?:ihre[mrs]?|your|votre|v[ou]st?ro|tu|su|uw|deres|jeres|din|ert|twoje|panstwa|sua|vossa|kundens|customer s?)\W+"
    r"(?:bank\W*)?(?:konto|account|compte|conto|cuenta|rekening|rachunku?|conta|kontos)(?![a-z])"
    r"|mandat|lastschrift|direct debit|prelev|abgebucht|eingezogen|debited|addebit|domicilia|incasso|autogiro"
    r"|(?:af )?van rekening|schrijven (?:we|wij)|afgeschreven|traekkes|trekkes fra|dras fran|pobran"
)


def account(sheet: InvoiceSheet) -> InvoiceFinding[str] | None:
    """The first account number whose check digits are right, not the buyer's, from which the money is fetched; one
    that merely looks right only if labelled IBAN."""
    found = sorted(accounts(sheet), key=lambda one: ("check digits", "labelled", "fetched from").index(one.evidence))
    return found[0] if found else None


def accounts(sheet: InvoiceSheet) -> Iterator[InvoiceFinding[str]]:
    for typed in sheet.lines:
        for match in _SPACED_IBAN.finditer(typed.text):
            place: Box = typed.line.box_of(match.start(), match.start() + len(match[0]))
            before = (sheet.lines[typed.index - 1].text if typed.index else "") + " " + typed.text[: match.start()]
            where = (typed.line.page, place, typed.index)
            valid = [text for text in _shortened(match[0]) if iban_number.is_valid(text, check_country=False)]
            around = flat(f"{before[-60:]} {typed.text[match.end() :][:30]}")
            if valid and _YOURS.search(around):
                yield InvoiceFinding(valid[0], "fetched from", *where, "The money is fetched from it.")
            elif valid:
                yield InvoiceFinding(valid[0], "check digits", *where, "Its check digits fit.")
            elif _SAID.search(before[-60:]):
                yield InvoiceFinding(re.sub(r"\s", "", match[0]), "labelled", *where, "Beside IBAN.")


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
