"""When the text of a mail is a document itself, and when it only speaks of one."""

from __future__ import annotations

from collections.abc import Iterable

from postroom.mail.bodies import BODY
from postroom.nouns.documents import DocumentType, Extraction, Invoice, Trade
from postroom.rooms.documents.rules.mail import Status


def any_carries(files: Iterable[tuple[str, DocumentType, Status]]) -> bool:
    """Whether one of the mail's files is the document, or may be it and could not be looked into."""
    return any(path != BODY and (kind != "other" or status == "failed") for path, kind, status in files)


def is_document(read: Extraction) -> bool:
    """Whether a text has all that a trade or a bill has: one who mentions a trade leaves most of it out."""
    if read.type == "invoice":
        return read.invoice is not None and _is_bill(read.invoice)
    return read.type != "other" and bool(read.trades) and all(map(_is_trade, read.trades))


def _is_bill(bill: Invoice) -> bool:
    day = bill.issue_date or bill.due_date
    sums = bill.net_total is not None or bill.tax_total is not None or bool(bill.lines)
    return bool(bill.number and day and bill.currency and bill.grand_total is not None and sums)


def _is_trade(trade: Trade) -> bool:
    named = trade.isin or trade.ticker or trade.name
    counted = trade.quantity is not None and trade.price is not None and trade.net is not None
    return bool(trade.direction and trade.trade_date and trade.currency and named and counted)
