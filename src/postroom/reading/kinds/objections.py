"""What speaks against posting an entry that nobody looked at, each by name: kinds list those that concern them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from postroom.nouns.documents import Explanation, PrintedAmount, plain
from postroom.reading.entries.entry import EntryReading
from postroom.reading.kinds.kind import EntryKind
from postroom.reading.page.tokens import checks

LONGEST_SETTLEMENT_DAYS = 12
WITNESSES = 2  # a day is believed against another one if the document repeats it
LOUDER = 1.0
TOLD_APART = 6.0  # a product is the same both ways: labels for both, or one and the form of the other, must say which
CALLED = 1.0
DAY_CALLED = 1.2  # as loud as the day in the count's own row
PLAINLY_CALLED = 2.5
DAY_NAMED = 2.0
CALLED_TOO = 1.5
CLEAR = 1.2
SAID = 1.0  # how plainly words must say bought or sold
HELPS = 0.4  # a sign, or charges that make it dearer or poorer

Objection = Callable[[EntryReading, EntryKind, int], str | None]


def explained(entry: EntryReading, kind: EntryKind, shown: int, around: Sequence[str] = ()) -> Explanation:
    """All that was checked, and every objection in the order that the kind lists them; `around` are those of the
    paper as a whole."""
    found = [(name, OBJECTIONS[name](entry, kind, shown)) for name in kind.objections]
    return Explanation(
        used=entry.used,
        left=entry.left,
        aside=entry.aside,
        checks=tuple(name for name, objection in found if objection is None),
        shown=shown,
        objections=(*(objection for _, objection in found if objection is not None), *around),
        evidence=entry.flags,
    )


def missing(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    absent = [name for name in kind.required if getattr(entry, name) is None]
    if absent:
        return f"There is no {', '.join(absent).replace('_', ' ')}."
    return "The net amount is not printed." if entry.flags.get("net_computed") else None


def product(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    if entry.flags.get("filled"):
        return None
    return f"{kind.sums.count.capitalize()} and {kind.sums.each} do not multiply to a printed amount."


def counted(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    """One piece at its price proves nothing while another count stands beside a unit; nor does a number read twice."""
    if entry.flags.get("reread"):
        return f"The {kind.sums.count} or the {kind.sums.each} can be read in two ways."
    if entry.flags.get("trivial") and entry.flags.get("quantity_rivals"):
        return f"Another number is called the {kind.sums.count}."
    if kind.among_trades and entry.flags.get("filled") and not _are_told_apart(entry):
        return f"The {kind.sums.count} and the {kind.sums.each} could be each other."
    return None


def _are_told_apart(entry: EntryReading) -> bool:
    """By labels that the form does not contradict, by a unit beside the count, or by form."""
    flags = entry.flags
    called = flags.get("told_apart", 0.0) >= TOLD_APART and not flags.get("turned")
    return bool(called or flags.get("unit") or flags.get("formed"))


def way_to_net(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    if entry.flags.get("explained") or entry.flags.get("one_amount"):
        return None
    return "The net amount does not follow from the gross amount and the charges."


def left_over(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    if not entry.left:
        return None
    named = ", ".join(_said(amount) for amount in entry.left[:3])
    return f"The sums have no place for {named}."


def _said(amount: PrintedAmount) -> str:
    called = f" (“{amount.label}”)" if amount.label else ""
    return f"{plain(amount.value)}{' ' + amount.currency if amount.currency else ''}, called a {amount.role}{called}"


def unexplained(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    near = entry.flags.get("unexplained", 0.0)
    return f"Nothing explains {near:.2f}, which is close to the net amount." if near else None


def several_shown(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    return f"Its structure shows {shown} entries, and fewer were read." if shown > 1 else None


def security(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    if entry.isin is None and not entry.flags.get("numbered"):
        return "There is no ISIN and no other number of the security."
    if entry.isin is not None and not checks(entry.isin):
        return "The ISIN's check digit is wrong."
    if entry.flags.get("isins", 0.0) > 1 and not entry.flags.get("isin_said"):
        return "It names more than one security."
    return None


def charges_way(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    if entry.flags.get("direction_sums", 0.0) < 0:
        return "The charges make a purchase cheaper or a sale dearer."
    if entry.flags.get("net_louder", 0.0) >= LOUDER:
        return "Another amount is called the net amount more plainly."
    return None


def net_currency(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    if entry.flags.get("currency_guessed"):
        return "It prints no currency."
    if not entry.flags.get("net_currency") and entry.flags.get("currencies", 0.0) > 1:
        return "It names several currencies, but none beside the net amount."
    return None


def before_tax(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    if entry.flags.get("before_tax") and entry.direction == "SELL":
        return "The net amount is called one before tax; what was booked may stand elsewhere."
    return None


def paid_back(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    return f"Tax of {plain(entry.refund)} is paid back along with it." if entry.refund else None


def rebated(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    """What was waived or given back is booked with the trade by some and by itself by others."""
    rebate = entry.flags.get("rebate", 0.0)
    return f"A rebate of {rebate:.2f} is counted in." if rebate else None


def direction_said(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    """A sign or the way of the charges is not enough, but helps words that are not plain."""
    money = sum(entry.flags.get(name, 0.0) > 0 for name in ("direction_sums", "direction_booked"))
    if entry.flags.get("direction_lean", 0.0) + HELPS * money >= SAID:
        return None
    return "Nothing plainly says whether it was bought or sold."


def sold_day(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    """Units of a fund that are given back are sold on their day; what is repaid has none."""
    named = entry.flags.get("day_moved", 0.0) >= DAY_NAMED
    return "It names a trade day and a later settlement day: it may be a sale." if named else None


def days(entry: EntryReading, kind: EntryKind, shown: int) -> str | None:
    if entry.flags.get("day_borrowed"):
        return None if entry.flags.get("days_told") else "It prints a settlement day but no trade day."
    if entry.flags.get("settles_early"):
        return "A day before the trade is called that of settlement."
    unsaid = entry.flags.get("day_label", 0.0) < DAY_CALLED and not entry.flags.get("day_timed")
    faint = entry.flags.get("day_score", 0.0) < CALLED and entry.flags.get("days", 0.0) > 1
    if faint or (unsaid and _other_days(entry)):
        return "It prints several days, and plainly calls none the trade day."
    too = entry.flags.get("day_called_too", 0.0)
    if too >= CALLED_TOO and entry.flags.get("day_margin", 0.0) < CLEAR and not entry.flags.get("day_timed"):
        return "It calls two different days the trade day."
    if entry.trade_date is None or entry.settlement_date is None:
        return None
    wait = (entry.settlement_date - entry.trade_date).days
    if not 0 <= wait <= LONGEST_SETTLEMENT_DAYS:
        return f"Settlement comes {wait} days after the trade."
    if wait and not _is_witnessed(entry):
        return "It prints the trade day only once, and other days beside it."
    return None


def _other_days(entry: EntryReading) -> float:
    """How many days are printed beside those of trade and settlement."""
    return entry.flags.get("days", 0.0) - len({entry.trade_date, entry.settlement_date} - {None})


def _is_witnessed(entry: EntryReading) -> bool:
    """Whether the document tells the trade day twice, or to the minute, or by name, or no other day but settlement's.

    A fraction is bought in bulk for many, and its time is that of the bulk order.
    """
    flags = entry.flags
    whole = entry.quantity is not None and entry.quantity == entry.quantity.to_integral_value()
    no_other = flags.get("days", 0.0) == 2 and flags.get("day_score", 0.0) >= PLAINLY_CALLED
    told = flags.get("day_timed") or flags.get("day_label", 0.0) >= DAY_NAMED
    return flags.get("day_seen", 0.0) >= WITNESSES or no_other or bool(whole and told)


OBJECTIONS: Mapping[str, Objection] = {
    check.__name__: check
    for check in (
        missing, product, counted, way_to_net, left_over, unexplained, several_shown, security, charges_way,
        net_currency, before_tax, paid_back, rebated, direction_said, sold_day, days,
    )
}  # fmt: skip


def told(entry: EntryReading) -> str:
    """The sum that proves it, and what was checked beside."""
    rate = " (converted)" if entry.flags.get("converted") else ""
    made = f"{plain(entry.quantity)} × {plain(entry.price)} = {plain(entry.gross)}{rate}"
    again = next((one for one in entry.used if one.role == "gross" and one.value != entry.gross), None)
    if again is not None and not rate and again.currency == entry.currency:
        made += f", in {entry.currency} printed as {plain(again.value)}"
    charges = (entry.fees or Decimal(0)) + (entry.taxes or Decimal(0))
    interest = sum((amount.value for amount in entry.used if amount.role == "accrued"), Decimal(0))
    added = " and ".join(
        f"{name} of {plain(amount)}" for name, amount in (("charges", charges), ("interest", interest)) if amount
    )
    follows = f"{f'with {added}' if added else 'without charges'} it comes to {plain(entry.net)} {entry.currency}"
    security = f"the ISIN {entry.isin} checks" if entry.isin else "the security is named by another number"
    apart = entry.flags.get("booked_apart")
    rest = f"{apart:.2f} below is another booking; " if apart else ""
    borrowed = "no trade day is printed, so that of settlement stands for it"
    days_told = borrowed if entry.flags.get("day_borrowed") else "days in order"
    unused = "nothing called a total, charge or tax is left over"
    if entry.aside:
        named = ", ".join(_said(amount) for amount in entry.aside[:3])
        unused = f"nothing called a total or charge is left over; for information only, further below: {named}"
    return f"{made}; {follows}; {rest}{unused}; {security}; {days_told}."
