"""When the text of a mail is a document itself, and when it only speaks of one."""

from __future__ import annotations

from collections.abc import Iterable

from postroom.mail.bodies import BODY
from postroom.nouns.documents import Booking, DocumentType, Extraction, Invoice, Trade
from postroom.rooms.documents.rules.mail import Status


def any_carries(files: Iterable[tuple[str, DocumentType, Status, str | None]]) -> bool:
    """Whether one of the mail's files is the document, or may be it and could not be looked into."""
    return any(
        path != BODY and (kind != "other" or status == "failed" or tells_of is not None)
        for path, kind, status, tells_of in files
    )


def is_document(read: Extraction) -> bool:
    """Whether a text has all that a trade, a bill or a dividend has: one who mentions a trade leaves most of it out."""
    if read.type == "invoice":
        return read.invoice is not None and _is_bill(read.invoice)
    if read.tells_of is not None:
        return all(isinstance(entry, Booking) and _adds_up(entry) for entry in read.entries)
    return read.type != "other" and bool(read.trades) and all(map(_is_trade, read.trades))


def _is_bill(bill: Invoice) -> bool:
    day = bill.issue_date or bill.due_date
    sums = bill.net_total is not None or bill.tax_total is not None or bool(bill.lines)
    return bool(bill.number and day and bill.currency and bill.grand_total is not None and sums)


def _is_trade(trade: Trade) -> bool:
    named = trade.isin or trade.ticker or trade.name
    counted = trade.quantity is not None and trade.price is not None and trade.net is not None
    return bool(trade.direction and trade.trade_date and trade.currency and named and counted)


def _adds_up(entry: Booking) -> bool:
    """Of other kinds only what nothing speaks against: nothing is missing, and its sums hold."""
    return entry.explanation is not None and not entry.explanation.objections
