"""Days that a page calls the day of issue or the last day to pay: each must be the one that the XML states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from postroom.nouns.documents import Invoice
from postroom.reading.invoices.anywhere import StatedAnywhere
from postroom.reading.invoices.identity import dates, due_date, issue_date, means_another, says_due
from postroom.reading.invoices.layout import InvoiceSheet, labels_for, strength
from postroom.reading.invoices.words import flat
from postroom.reading.page.tokens import Token, TokenKind

PLAIN = 2.0  # a strong label, also over it
CLAUSE = 60  # letters
_REBATE = r"(?:skonto|discount|escompte|sconto|descuento|desconto|korting|rabat)"
_DISCOUNT = re.compile(_REBATE)
_NO_DISCOUNT = re.compile(
    rf"(?<![a-z])(?:ohne|without|no|sans|senza|sin|sem|zonder|uden|utan|bez)\W+(?:\w+\W+)?{_REBATE}"
)


def days_otherwise(sheet: InvoiceSheet, stated: Invoice, anywhere: StatedAnywhere) -> Iterator[str]:
    told: set[tuple[str, date]] = set()
    for token in dates(sheet):
        labels = labels_for(sheet, token)
        issued = strength(labels, "issue_date") >= PLAIN
        due = says_due(sheet, token, labels) and not _earns_a_discount(sheet, token)
        name = "due_date" if due else "issue_date" if issued else ""
        if name == "issue_date" and means_another(sheet, token, labels) >= PLAIN:
            continue
        want = getattr(stated, name) if name else None
        known = {want} | (anywhere.noted_days if name == "due_date" else set())
        if name and token.day not in known and (name, token.day) not in told:
            told.add((name, token.day))
            yield _said(name, token.day, want)
    read = None if told else issue_date(sheet, None)
    if read is not None and stated.issue_date not in {token.day for token in dates(sheet)}:
        yield f"The XML states the issue date {stated.issue_date}, which its pages do not show."
    terms = due_date(sheet, stated.issue_date)
    if not told and terms is not None and terms.evidence == "terms" and stated.due_date not in (None, terms.value):
        yield _said("due_date", terms.value, stated.due_date)


def _earns_a_discount(sheet: InvoiceSheet, token: Token) -> bool:
    """`Bei Zahlung bis 28.03. gewähren wir 2 % Skonto`, before the next day that the line names."""
    line = sheet.lines[token.line]
    end = min((other.start for other in line.of(TokenKind.DATE) if other.start > token.start), default=len(line.text))
    behind = flat(line.text[token.end : min(end, token.end + CLAUSE)]).partition(". ")[0]
    return bool(_DISCOUNT.search(behind)) and not _NO_DISCOUNT.search(behind)


def _said(name: str, shown: date, stated: date | None) -> str:
    name = name.replace("_", " ")
    return f"Its pages show the {name} {shown}, the XML states {stated or 'none'}."
