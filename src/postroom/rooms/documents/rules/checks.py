"""What a person may write into a field, and whether the whole still adds up."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal, InvalidOperation

from stdnum import iban as iban_number
from stdnum import isin as isin_number

from postroom.nouns.documents import Booking, Field, Invoice, Trade, Value, plain
from postroom.nouns.errors import BadRequest
from postroom.reading.invoices.einvoice import disagreements
from postroom.reading.unbookable import impossible_in_booking, impossible_in_trade
from postroom.rooms.documents.rules.typed_values import is_day, is_number

CENT = Decimal("0.01")
HUNDRED = Decimal(100)
LONGEST_TEXT = 500
FIRST_YEAR, LAST_YEAR = 1970, 2100  # as they are read on papers
MOST_CHARGES = Decimal("0.05")  # of the gross amount, where nothing says what was charged
_CURRENCY = re.compile(r"[A-Z]{3}")
_GROUPED = re.compile(r"-?\d{1,3}(,\d{3})+\.\d+|-?\d{1,3}(,\d{3}){2,}")

TRADE_DATES = ("trade_date", "settlement_date")
TRADE_NUMBERS = ("quantity", "price", "gross", "fees", "taxes", "net")
INVOICE_DATES = ("issue_date", "due_date")
INVOICE_NUMBERS = ("net_total", "tax_total", "grand_total")


def corrected_trade(trade: Trade, changes: Mapping[str, str | None]) -> Trade:
    """The trade with these fields as a person says, each checked; empty text takes a value out."""
    _known(changes, Trade.NAMES, "trade")
    values = {name: _value(name, text, TRADE_DATES, TRADE_NUMBERS) for name, text in changes.items()}
    _possible(impossible_in_trade(values))
    return replace(trade, **values, fields=_fields(trade.fields, values))  # type: ignore[arg-type]  # names were checked


def corrected_invoice(invoice: Invoice, changes: Mapping[str, str | None]) -> Invoice:
    _known(changes, Invoice.NAMES, "invoice")
    values = {name: _value(name, text, INVOICE_DATES, INVOICE_NUMBERS) for name, text in changes.items()}
    return replace(invoice, **values, fields=_fields(invoice.fields, values))  # type: ignore[arg-type]  # names were checked


def corrected_booking(booking: Booking, changes: Mapping[str, str | None]) -> Booking:
    """An entry of any other kind: what a field may be follows from its name."""
    names = tuple(booking.values)
    _known(changes, names, booking.kind.replace("_", " "))
    days, numbers = tuple(filter(is_day, names)), tuple(filter(is_number, names))
    values = {name: _value(name, text, days, numbers) for name, text in changes.items()}
    _possible(impossible_in_booking(values))
    return replace(booking, values={**booking.values, **values}, fields=_fields(booking.fields, values))


def doubts_of_trade(trade: Trade) -> list[str]:
    """Sentences about what does not fit together; a person may confirm all the same."""
    found = [_days_doubted(trade)]
    if not _is_exchanged(trade):
        found += [_product_doubted(trade), _sum_doubted(trade)]
    return [why for why in found if why]


def _days_doubted(trade: Trade) -> str:
    if not (trade.settlement_date and trade.trade_date and trade.settlement_date < trade.trade_date):
        return ""
    return f"It settles on {trade.settlement_date}, before it was traded on {trade.trade_date}."


def _product_doubted(trade: Trade) -> str:
    """Also for pence and percent quotes, and for prices rounded as printed."""
    if trade.quantity is None or trade.price is None or trade.gross is None:
        return ""
    made = trade.quantity * trade.price
    step = Decimal(1).scaleb(int(trade.price.as_tuple().exponent)) if trade.price.is_finite() else CENT
    slack = max(CENT, abs(trade.quantity) * step / 2)
    if any(abs(abs(made) * factor - abs(trade.gross)) <= max(CENT, slack * factor) for factor in _FACTORS):
        return ""
    return f"{plain(trade.quantity)} × {plain(trade.price)} is {plain(made)}, not {plain(trade.gross)}."


def _sum_doubted(trade: Trade) -> str:
    if trade.gross is None or trade.net is None or not trade.direction:
        return ""
    charges = (trade.fees or Decimal(0)) + (trade.taxes or Decimal(0))
    buys, interest = trade.direction == "BUY", _interest(trade)
    paid = trade.net - trade.gross if buys else trade.gross - trade.net
    if trade.fees is None and trade.taxes is None and 0 <= paid <= abs(trade.gross) * MOST_CHARGES:
        return ""  # statements seldom name the charges of each trade
    expected = trade.gross + (charges if buys else -charges) + interest
    if abs(expected - trade.net) <= CENT:
        return ""
    more = f", plus {plain(interest)} of interest," if interest else ""
    sign = "plus" if buys else "minus"
    return f"{plain(trade.gross)} {sign} {plain(charges)} of charges{more} is not {plain(trade.net)}."


def doubts_of_invoice(invoice: Invoice) -> list[str]:
    found = disagreements(invoice)
    if invoice.due_date and invoice.issue_date and invoice.due_date < invoice.issue_date:
        found.append(f"It is due on {invoice.due_date}, before it was issued on {invoice.issue_date}.")
    return found


_FACTORS = (Decimal(1), Decimal(1) / HUNDRED, HUNDRED)


def _is_exchanged(trade: Trade) -> bool:
    """Whether its price and what was booked are in two currencies, which cannot be held against each other. That its
    sums hold was looked at when it was read."""
    used = trade.explanation.used if trade.explanation else ()
    sums = {amount.currency for amount in used if amount.role in ("gross", "total", "net") and amount.currency}
    return len(sums) > 1 or any(amount.role == "fx" for amount in used)


def _interest(trade: Trade) -> Decimal:
    """What a bond has earned since its last coupon, as far as the paper's sums use it; whoever sells it gets it too."""
    used = trade.explanation.used if trade.explanation else ()
    return sum((amount.value for amount in used if amount.role == "accrued"), Decimal(0))


def _known(changes: Mapping[str, str | None], names: tuple[str, ...], what: str) -> None:
    if not changes:
        raise BadRequest("Say which field to correct, and to what.")
    if unknown := sorted(set(changes) - set(names)):
        raise BadRequest(f"A {what} has no field {unknown[0]!r}; it has {', '.join(names)}.")


def _possible(why_not: str) -> None:
    if why_not:
        raise BadRequest(why_not)


def _value(name: str, text: str | None, dates: tuple[str, ...], numbers: tuple[str, ...]) -> Value | None:
    text = (text or "").strip()
    if not text:
        return None
    if len(text) > LONGEST_TEXT:
        raise BadRequest(f"{name}: {len(text):,} letters are too many; it may have {LONGEST_TEXT}.")
    if name in dates:
        return _day(name, text)
    if name in numbers:
        return _number(name, text)
    checker = _CHECKERS.get(name)
    return checker(text) if checker else text.replace("\0", "")


def _day(name: str, text: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise BadRequest(f"{name}: {text!r} is not a day; write it as 2026-02-04.") from None
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise BadRequest(f"{name}: {day} is not between {FIRST_YEAR} and {LAST_YEAR}.")
    return day


def _number(name: str, text: str) -> Decimal:
    try:
        number = Decimal(_ungrouped(text.replace("\u00a0", "").replace(" ", "")))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or abs(number.adjusted()) > 15:
        raise BadRequest(
            f"{name}: {text!r} is not a number; write it as 1234.56 or 1,234.56, with a point before the cents."
        )
    return number


def _ungrouped(text: str) -> str:
    """1,234.50 and 1,234,567 can mean one thing only; 1,234 alone may be a decimal comma, and is asked about."""
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text


def _direction(text: str) -> str:
    if text.upper() not in ("BUY", "SELL"):
        raise BadRequest(f"direction: {text!r} is neither BUY nor SELL.")
    return text.upper()


def _currency(text: str) -> str:
    if not _CURRENCY.fullmatch(text.upper()):
        raise BadRequest(f"currency: {text!r} is not a code of three letters such as EUR.")
    return text.upper()


def checked_isin(text: str) -> str:
    try:
        return str(isin_number.validate(text))
    except isin_number.ValidationError:
        raise BadRequest(f"isin: {text!r} is no ISIN: twelve characters, and the last is a check digit.") from None


def _iban(text: str) -> str:
    try:
        return str(iban_number.validate(text))
    except iban_number.ValidationError:
        raise BadRequest(f"iban: {text!r} is no IBAN; its check digits do not fit.") from None


_CHECKERS: Mapping[str, Callable[[str], str]] = {
    "direction": _direction,
    "currency": _currency,
    "isin": checked_isin,
    "iban": _iban,
}


def _fields(fields: Mapping[str, Field], values: Mapping[str, Value | None]) -> dict[str, Field]:
    """A person's word is certain, and stands where the old value stood."""
    changed = dict(fields)
    for name, value in values.items():
        old = changed.pop(name, None)
        if value is not None:
            changed[name] = Field(value, 1.0, old.page if old else None, old.box if old else None, "A person said so.")
    return changed
