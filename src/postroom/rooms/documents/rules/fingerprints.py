"""What makes two documents tell of the same trade, or be the same invoice."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal

from postroom.nouns.documents import Booking, Extraction, Invoice, Trade, plain
from postroom.rooms.documents.archive import key_of_trade

_COMPANY_FORMS = frozenset(
    (
        *("ag", "se", "gmbh", "kg", "ohg", "co", "inc", "corp", "corporation", "ltd", "limited", "llc", "llp", "plc"),
        *("sa", "sas", "sarl", "spa", "srl", "nv", "bv", "ab", "oy", "as", "asa", "lda", "the", "company", "cie"),
    )
)
_DIFFERS_BY_PAPER = frozenset(("gross", "fees", "taxes", "ex_date", "settlement_date"))


def trade_fingerprint(trade: Trade) -> str | None:
    """The same trade has the same print, however its note came: as sent, as a scan, as a row of a statement.

    Only what every such paper shows and what a trade must have: instrument, side, quantity, day, and the money
    moved. Charges, names and settlement days differ between papers of one trade, so they are left out.
    None when a part is missing: then nothing can be said.
    """
    instrument = instrument_of(trade.isin, trade.ticker, trade.name)
    parts = (instrument, trade.direction, trade.trade_date, trade.quantity, trade.net, trade.currency)
    if any(part is None or part == "" for part in parts):
        return None
    return _digest([plain(part) for part in parts])


def instrument_of(isin: str | None, ticker: str | None, name: str | None) -> str:
    """The ISIN if there is one: a ticker means different things at different places, a name is spelt differently."""
    if isin:
        return isin.upper()
    if ticker:
        return f"ticker {ticker.upper()}"
    return f"name {' '.join(sorted(name_words(name)))}" if name and name_words(name) else ""


def instances(prints: Sequence[str | None]) -> list[int]:
    """Equal rows of one document are different trades: the second one is compared with the second one only."""
    seen: Counter[str] = Counter()
    numbers = []
    for mark in prints:
        seen[mark or ""] += 1
        numbers.append(seen[mark or ""] if mark else 1)
    return numbers


def invoice_fingerprint(invoice: Invoice) -> str | None:
    """Number, day and total. Not the supplier: its name is what scans and letterheads spell differently."""
    parts = (number_words(invoice.number), invoice.issue_date, invoice.grand_total, invoice.currency)
    if any(part is None or part == "" for part in parts):
        return None
    return _digest([plain(part) for part in parts])


def booking_fingerprint(booking: Booking) -> str:
    """The same kind, instrument, days and money is the same entry, whatever else each of its papers prints."""
    held = {name: plain(value) or "" for name, value in booking.values.items()}
    instrument = instrument_of(*(held.pop(name, None) for name in ("isin", "ticker", "name")))
    kept = [f"{name}={value}" for name, value in sorted(held.items()) if name not in _DIFFERS_BY_PAPER]
    return _digest([booking.kind, instrument, *kept])


def same_supplier(one: str | None, other: str | None) -> bool:
    """Unknown is no contradiction; else they share a word that is not a legal form."""
    if not one or not other:
        return True
    return bool(name_words(one) & name_words(other))


def name_words(text: str | None) -> frozenset[str]:
    plain_text = unicodedata.normalize("NFKD", text or "").encode("ascii", "ignore").decode().lower()
    words = frozenset(re.findall(r"[a-z0-9]+", plain_text))
    return words - _COMPANY_FORMS or words


def number_words(number: str | None) -> str:
    return re.sub(r"[^0-9A-Z]", "", (number or "").upper())


def trade_key(username: str, trade: Trade) -> str | None:
    """`{username}-{date}-{ticker}-{direction}-{qty}`, with the ISIN where no ticker is known."""
    symbol = trade.ticker or trade.isin
    if not (username and symbol and trade.trade_date and trade.direction and trade.quantity is not None):
        return None
    return key_of_trade(username, trade.trade_date, symbol, trade.direction, trade.quantity)


def collisions(read: Extraction) -> list[str]:
    """By what two documents could be in each other's way: trades that may be one, or take one order, and invoices that
    may be one. Coarser than their prints, so that what only looks alike is seen as well."""
    trades = [
        f"trade {instrument_of(trade.isin, trade.ticker, trade.name)} {trade.direction} {plain(trade.quantity)}"
        for trade in read.trades
    ]
    return trades if read.invoice is None else [*trades, f"invoice {number_words(read.invoice.number)}"]


def lock_numbers(marks: Iterable[str]) -> list[int]:
    """Numbers to lock by, sorted, so that no two who lock several of them wait for each other."""
    digests = (hashlib.sha256(mark.encode("utf-8", "surrogatepass")).digest() for mark in marks)
    return sorted({int.from_bytes(digest[:8], "big", signed=True) for digest in digests})


def same_money(one: Decimal | None, other: Decimal | None) -> bool:
    return one is not None and other is not None and one == other


def _digest(parts: Sequence[str | None]) -> str:
    return hashlib.sha256("\x1f".join(part or "" for part in parts).encode()).hexdigest()
