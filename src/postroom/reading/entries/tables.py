"""Tables of trades: which column holds what shows from the rows that multiply, and then holds for all rows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import NamedTuple

from postroom.nouns.documents import Direction
from postroom.reading.entries import days
from postroom.reading.entries.entry import EntryReading, of_row
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.tokens import Token, TokenKind

FEWEST = 3  # numbers in a row
MOST = 14
TIGHT = 0.004  # of the product: rounding that leaves no doubt
LOOSEST = 0.12  # a fund's few decimals may miss by this much where other rows show the columns
AGREED = 2.0  # votes that make a layout
LABELLED = 0.5
NEAR_GROSS = Decimal("0.1")
NEXT_LINES = 3  # a security's number may stand below its row
FAR_ABOVE = 60
BALANCE = 1.5
FIRST_WORDS = 3
SIGNED = {"+": 0.5, "-": 0.1}  # only what comes and goes is printed with a plus
SAID = 2.0
MOSTLY = 0.7
FRACTION = 5  # decimals that a price seldom has
FINER = 0.4
CENT = Decimal("0.01")


class ColumnLayout(NamedTuple):
    """Where quantity, price and gross amount stand, counted from the left or, below zero, from the right."""

    quantity: int
    price: int
    gross: int


@dataclass(slots=True)
class TableRow:
    line: int
    numbers: list[Token]
    fits: dict[ColumnLayout, float] = field(default_factory=dict)
    """Layouts by which it multiplies, and how far that convinces."""


def read_rows(reading: LabelledText, whole: EntryReading) -> list[EntryReading]:
    """The trades that single rows tell of, or none if no columns emerge."""
    rows = list(_rows(reading))
    layouts = _layouts(reading, rows)
    if not layouts:
        return []
    formats = _usual_formats(rows, layouts)
    fitting = [row for row in rows if row.fits.keys() & layouts.keys()]
    spoken = any(said(reading, row.line) for row in fitting) or not _on_many_days(reading, fitting)
    nets: dict[ColumnLayout, int] = {}
    found: list[EntryReading] = []
    for row in rows:
        layout = _layout_of(row, layouts, formats)
        if layout is None or (spoken and not said(reading, row.line) and not _signed(row, layout)):
            continue
        if layout not in nets:
            nets[layout] = _net_column(reading, [other for other in rows if layout in other.fits], layout)
        trade = _trade(reading, row, layout, nets[layout], whole)
        if trade is not None:
            found.append(trade)
    return found


def _rows(reading: LabelledText) -> Iterator[TableRow]:
    for line in reading.text.lines:
        if len(line.tokens) > FEWEST and any(token.kind is TokenKind.DATE for token in line.tokens):
            numbers = line.of(TokenKind.NUMBER, TokenKind.PERCENT)
            if FEWEST <= len(numbers) <= MOST and not _is_balance(reading, line.index):
                row = _row(reading, line.index, numbers)
                parted = row if row.fits else _row(reading, line.index, _parted(numbers))
                yield parted if parted.fits else row


def _row(reading: LabelledText, line: int, numbers: list[Token]) -> TableRow:
    rates = {place for place, token in enumerate(numbers) if _is_rate(reading, token)}
    return TableRow(line, numbers, dict(_fits(numbers, rates)))


def _parted(numbers: Sequence[Token]) -> list[Token]:
    """Digits that might be a count and a price beside each other, taken as two."""
    for place, token in enumerate(numbers):
        if token.head is not None and token.also and not token.negative:
            edge = token.start + len(token.text.split()[0])
            whole = replace(token, also=(), head=None, stated_box=token.box)
            count = replace(whole, value=token.head.value, decimals=0, end=edge, currency=None)
            price = replace(whole, value=token.also[0].value, start=edge + 1)
            return [*numbers[:place], count, price, *numbers[place + 1 :]]
    return list(numbers)


def _is_balance(reading: LabelledText, line: int) -> bool:
    return not reading.lexicon.balances.isdisjoint(reading.spelt[line].words[:FIRST_WORDS])


def _is_rate(reading: LabelledText, token: Token) -> bool:
    evidence = reading.about(token)
    return evidence.of("fx") >= BALANCE and evidence.of("fx") > evidence.of("price")


def _fits(numbers: Sequence[Token], rates: Container[int]) -> Iterator[tuple[ColumnLayout, float]]:
    """Every way in which two of the numbers make a third; an exchange rate is neither."""
    values = [abs(float(token.number)) for token in numbers]
    steps = [0.5 * 10.0**-token.decimals for token in numbers]
    size = len(numbers)
    for quantity in range(size):
        for price in range(size):
            if price == quantity or values[quantity] in (0.0, 1.0) or values[price] in (0.0, 1.0):
                continue
            if price in rates or quantity in rates or _odd(numbers, quantity, price):
                continue
            product = values[quantity] * values[price]
            slack = steps[price] * values[quantity] if numbers[price].decimals >= 2 else 0.0
            slack += 2 * steps[quantity] * values[price] if numbers[quantity].decimals else 0.0
            for gross in range(size):
                if gross in (quantity, price) or numbers[gross].decimals > 2:
                    continue
                if _exchanged(numbers[quantity], numbers[price], numbers[gross]):
                    continue
                missed = abs(values[gross] - product)
                if missed <= min(slack, LOOSEST * product) + 0.0051:
                    certain = max(min(slack, missed), 0.005) <= TIGHT * product
                    for shift in (0, size):
                        yield ColumnLayout(quantity - shift, price - shift, gross - shift), 1.0 if certain else 0.3


def _odd(numbers: Sequence[Token], quantity: int, price: int) -> bool:
    """Money is no quantity; a price is not negative, nor whole without a currency beside a fraction."""
    count, cost = numbers[quantity], numbers[price]
    if count.currency is not None or count.kind is TokenKind.PERCENT or cost.negative:
        return True
    return cost.currency is None and cost.decimals == 0 and count.decimals > 0 and _decimals(count) < FRACTION


def _exchanged(count: Token, price: Token, gross: Token) -> bool:
    """Sums in two currencies, or two that both go out: the number between them is an exchange rate."""
    if price.currency and gross.currency and price.currency != gross.currency:
        return True
    return count.negative and gross.negative and count.decimals == 2


def _layouts(reading: LabelledText, rows: Sequence[TableRow]) -> dict[ColumnLayout, float]:
    """The layouts that enough rows agree on, with their votes; labels of columns count too."""
    votes: dict[ColumnLayout, float] = defaultdict(float)
    for row in rows:
        for layout, certain in row.fits.items():
            votes[layout] += certain * (1.0 + max(_labelled(reading, row, layout) + _by_form(row, layout), 0.0))
    return {layout: vote for layout, vote in votes.items() if vote >= AGREED}


def _labelled(reading: LabelledText, row: TableRow, layout: ColumnLayout) -> float:
    told = 0.0
    for name, place in zip(("quantity", "price", "gross"), layout, strict=True):
        scores = reading.about(row.numbers[place]).scores
        told += 1.0 if scores.get(name, 0.0) >= LABELLED else 0.0
        told -= 0.5 if any(scores.get(other, 0.0) >= SAID for other in ("quantity", "price") if other != name) else 0.0
    return 0.3 * told + SIGNED.get(row.numbers[layout.quantity].text[0], 0.0)


def _by_form(row: TableRow, layout: ColumnLayout) -> float:
    """Fractions of a share have more decimals than prices, zeros aside."""
    count, cost = _decimals(row.numbers[layout.quantity]), _decimals(row.numbers[layout.price])
    return FINER if count >= FRACTION and count > cost else 0.0


def _decimals(token: Token) -> int:
    exponent = token.number.normalize().as_tuple().exponent
    return max(-exponent, 0) if isinstance(exponent, int) else 0


Format = tuple[int, ...]
"""How many decimals each number of a row has."""


def _usual_formats(rows: Sequence[TableRow], layouts: dict[ColumnLayout, float]) -> dict[ColumnLayout, Counter[Format]]:
    formats: dict[ColumnLayout, Counter[Format]] = defaultdict(Counter)
    for row in rows:
        fitting = [layout for layout in row.fits if layout in layouts]
        if fitting:
            formats[max(fitting, key=lambda layout: layouts[layout])][_format(row)] += 1
    return formats


def _format(row: TableRow) -> Format:
    return tuple(token.decimals for token in row.numbers)


def _layout_of(
    row: TableRow, layouts: dict[ColumnLayout, float], formats: dict[ColumnLayout, Counter[Format]]
) -> ColumnLayout | None:
    """The layout by which a row multiplies, or, if it does not, that of rows printed alike."""
    fitting = [layout for layout in row.fits if layout in layouts]
    if fitting:
        return max(fitting, key=lambda layout: layouts[layout])
    alike = [
        layout
        for layout, known in formats.items()
        if known[_format(row)] >= AGREED or (_format(row)[-1:] in {one[-1:] for one in known} and _nearly(row, layout))
    ]
    return max(alike, key=lambda layout: layouts[layout], default=None)


def _nearly(row: TableRow, layout: ColumnLayout) -> bool:
    """Whether it would multiply but for a charge that the amount includes."""
    if not -len(row.numbers) <= min(layout) <= max(layout) < len(row.numbers):
        return False
    quantity, price, gross = (row.numbers[place].number for place in layout)
    return quantity != 0 and price > 0 and abs(abs(gross) - abs(quantity * price)) <= NEAR_GROSS * abs(gross)


def said(reading: LabelledText, line: int) -> Direction | None:
    """Bought or sold, by the first plain word for it in the row."""
    for hit in reading.topics[line]:
        for name, weight in hit.meaning:
            if name in ("buy", "sell") and weight >= SAID:
                return "BUY" if name == "buy" else "SELL"
    return None


def _on_many_days(reading: LabelledText, rows: Sequence[TableRow]) -> bool:
    """Purchases come on different days; what is held is valued on one."""
    firsts = {reading.text.lines[row.line].of(TokenKind.DATE)[0].day for row in rows}
    return len(firsts) >= MOSTLY * len(rows)


def _signed(row: TableRow, layout: ColumnLayout) -> bool:
    return row.numbers[layout.quantity].text[0] in SIGNED or row.numbers[layout.gross].negative


def _net_column(reading: LabelledText, rows: Sequence[TableRow], layout: ColumnLayout) -> int:
    """The last column, if it is what the gross amount comes to; else the gross amount itself."""
    if layout.gross == -1:
        return -1
    good = 0
    for row in rows:
        last, gross = row.numbers[-1], row.numbers[layout.gross]
        if last.decimals != 2 or last in (row.numbers[layout.quantity], row.numbers[layout.price]):
            continue
        other = last.currency is not None and gross.currency is not None and last.currency != gross.currency
        near = abs(abs(last.number) - abs(gross.number)) <= NEAR_GROSS * abs(gross.number)
        good += near or (other and reading.about(last).of("net") > 0)
    return -1 if 2 * good > len(rows) else layout.gross


def _trade(
    reading: LabelledText, row: TableRow, layout: ColumnLayout, net: int, whole: EntryReading
) -> EntryReading | None:
    numbers = row.numbers
    quantity, price, gross = (numbers[place] for place in layout)
    direction = _direction(reading, row, quantity, numbers[net]) or whole.direction
    if direction is None or (layout not in row.fits and not _plausible(quantity)):
        return None
    found = of_row(direction, quantity, price, gross, numbers[net], whole.currency)
    found.lines = (row.line, row.line)
    chosen = days.choose(reading, reading.text.lines[row.line].tokens)
    day = _first_day(reading, row) if chosen.trade_score < LABELLED else chosen.trade
    if day is not None:
        found.trade_date, found.tokens["trade_date"] = day.day, day
    isin = _security(reading, row.line)
    if isin is not None:
        found.isin, found.tokens["isin"] = isin.text, isin
    _note_evidence(reading, found)
    return found


def _note_evidence(reading: LabelledText, found: EntryReading) -> None:
    """For the kind's curve: what the labels say, as with any other reading."""
    for name in ("quantity", "price", "net"):
        found.flags[f"{name}_label"] = reading.about(found.tokens[name]).of(name)
    found.flags["isins"] = float(found.isin is not None)
    found.flags["score"] = sum(found.flags[f"{name}_label"] for name in ("quantity", "price", "net"))


def _plausible(quantity: Token) -> bool:
    return quantity.number != 0 and quantity.currency is None


def _direction(reading: LabelledText, row: TableRow, quantity: Token, net: Token) -> Direction | None:
    if (told := said(reading, row.line)) is not None:
        return told
    if quantity.negative:
        return "SELL"
    if quantity.text.startswith("+") or net.negative:
        return "BUY"
    return None


def _first_day(reading: LabelledText, row: TableRow) -> Token | None:
    """Without a label: the earliest, for booking and payment come later."""
    dates = sorted(reading.text.lines[row.line].of(TokenKind.DATE), key=lambda token: token.day)
    return dates[0] if dates else None


def _security(reading: LabelledText, line: int) -> Token | None:
    """In the row, right below it, or the one named last above."""
    lines = reading.text.lines
    below, above = range(line + 1, min(line + NEXT_LINES, len(lines))), range(line - 1, max(line - FAR_ABOVE, -1), -1)
    places: list[int] = [line, *below, *above]
    for index in places:
        if index > line and any(token.kind is TokenKind.DATE for token in lines[index].tokens):
            continue
        for token in lines[index].tokens:
            if token.kind is TokenKind.ISIN:
                return token
    return None
