"""Whether a paper is an invoice, by the labels it uses."""

from __future__ import annotations

import re

from postroom.reading.invoices.words import flat, labels_in
from postroom.reading.page.tokens import checks

_INVOICE = re.compile(
    r"(?<![a-z])(?:(?:tax )?invoice|bill|credit note|[a-z]*(?<!ab)rechnung|rechnungs[a-z]*|gutschrift|facture|avoir"
    r"|fattura|nota di credito|factura|nota de credito|factuur[a-z]*|faktur[a-z]*|kreditnota|fatura|receipt|quittung"
    r"|recu|ricevuta|lasku[a-z]*|kassenbon|bon|honorarnote|note d.honoraires|parcella|notula|scontrino|ticket|kvitto"
    r"|kvittering|paragon|rachunek|recibo|fee note)(?![a-z])"
)
_TRADE = re.compile(
    r"(?<![a-z])(?:isin|wkn|valoren|cusip|sedol|contract note|wertpapier[a-z]*|depot(?:nummer|nr)?|dividend[a-z]*"
    r"|kurswert|ausmachender betrag|avis d.oper[a-z]*|nominale?|b(?:oe|o)rsenplatz|handelsplatz|coupon"
    r"|ertragsgutschrift|[a-z]*kontoauszug|[a-z]*rechnungsabschluss|kontostand|alter saldo|neuer saldo|bank statement"
    r"|releve de compte|estratto conto|extracto de cuenta|rekeningafschrift|kontoudtog|kontoutdrag|wyciag"
    r"|orderabrechnung|brokerage|(?:buy|sell) confirmation|settlement date|schlusstag|handelstag|bitcoin|ethereum"
    r"|kryptowahrung[a-z]*|zinsabrechnung|habenzins[a-z]*|sollzins[a-z]*|interest statement|asx|svwz|eref|buchungstag"
    r"|buchungsdatum|wertstellung|depotgebuhr[a-z]*|depotentgelt[a-z]*)(?![a-z])"
)
_PAYING = re.compile(
    r"zahlbar|zahlungs(?:ziel|bedingung)|payment terms|payable|please pay|remit|a regler|reglement|pagamento|betaling"
    r"|betalas|plat[nz]|pagar|iban"
)
_ISIN = re.compile(r"\b[A-Z]{2}[A-Z0-9]{9}\d\b")
_WEIGHTS = {
    "number": 2.0,
    "issue_date": 1.0,
    "due_date": 1.0,
    "gross": 1.0,
    "net": 1.0,
    "tax": 1.5,
    "buyer": 0.5,
    "seller": 0.5,
}
ENOUGH = 4.4


def invoice_likeness(text: str, title: str = "") -> tuple[float, str]:
    """A score, with ENOUGH meaning an invoice, and the reason in words. `title` is what it calls itself, if it does."""
    folded = flat(text)
    named = title or (found[0] if (found := _INVOICE.search(folded)) else "")
    if not named:
        return 0.0, "It does not call itself an invoice."
    labels = [label for line in text.split("\n") for label in labels_in(line)]
    states = {kind: weight for kind, weight in _WEIGHTS.items() if any(label.strength(kind) >= 3 for label in labels)}
    columns = {kind for label in labels for kind in label.kinds if "." in kind}
    trades = len(set(_TRADE.findall(folded)))
    isin = any(checks(text) for text in _ISIN.findall(text))
    score = (2.5 if title else 1.0) + sum(states.values()) + min(len(columns), 3) * 0.3 - 1.5 * trades - 3.0 * isin
    score += 0.5 * any(label.strength("gross") == 1 for label in labels) + 0.7 * bool(_PAYING.search(folded))
    said = ", ".join(kind.replace("_", " ") for kind in states)
    return score, f"It calls itself “{named}” and states {said or 'little'}."
