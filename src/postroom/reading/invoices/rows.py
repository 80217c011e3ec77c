"""Line items: rows built around their amounts, with descriptions of several lines merged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import permutations

from postroom.nouns.documents import Box, InvoiceLine
from postroom.reading.invoices.layout import InvoiceSheet, SheetCell, label_box, shares_width
from postroom.reading.invoices.money import InvoiceTotals
from postroom.reading.page.tokens import Token, TokenKind

_COLUMNS = ("description", "quantity", "price", "total")
_MOST_NUMBERS = 8  # in one row; more is a statement, not an item
_WORDS = re.compile(r"[^\W\d_]{2}")
_PURE_WORD = re.compile(r"(?<![^\W_])[^\W\d_]{2,}(?![^\W_])")
_UNIT = re.compile(r"^[\d.,\s]*[^\W\d_]{1,6}\.?$")

_UNITS = re.compile(
    r"(?i)(?:st(?:ck|k|uks?|d)?|pcs?|pz|pza|szt|uds?|uni?|ea|each|k?g|mt?|m[23²³]|c?m|km|kwh|l|lt|h|hrs?|ore|timer|tim|psch|jm|lm|kpl"
    r"|us[lł]|mies|ks|erä|pk|pak|fl|pal|days?|tage?|dage|dni|mon(?:at)?|units?|unit\(s\)|stück|paar|set|rol|wo|gg|nr|n|x)\.?"
)


@dataclass(slots=True)
class _Head:
    """A table's heading: where its columns stand."""

    line: int
    page: int
    columns: dict[str, Box]


@dataclass(slots=True)
class _Row:
    anchor: Token
    lines: list[int] = field(default_factory=list)


def line_items(sheet: InvoiceSheet, totals: InvoiceTotals | None) -> tuple[InvoiceLine, ...]:
    """The items between a table's heading and its sums; without a heading, rows that multiply out."""
    heads = list(_heads(sheet))
    if not heads:
        return tuple(_loose_items(sheet, totals))
    found: list[InvoiceLine] = []
    whole = Decimal(0)
    for number, head in enumerate(heads):
        end = heads[number + 1].line if number + 1 < len(heads) else len(sheet.lines)
        body = list(_body(sheet, head, end, totals))
        rows = _rows(sheet, head, body)
        items: list[InvoiceLine] = []
        for place, row in enumerate(rows):
            item = _item(sheet, head, row)
            if item is not None and _repeats(item, whole, len(found) + len(items)):
                if place:
                    break  # the sum of all so far: what follows is added to it
            elif item is not None:
                items.append(item)
                whole += item.total or Decimal(0)
        if any(item.description for item in items):
            found.extend(items)
            if body and body[-1] + 1 < end:
                break  # the sums came: whatever is headed below is about tax or payment
    return tuple(found) or tuple(_loose_items(sheet, totals))


def _repeats(item: InvoiceLine, whole: Decimal, count: int) -> bool:
    """What is carried over to the next page, or the sum of all so far, is no item."""
    return count >= 2 and item.quantity is None and item.total == whole


def _heads(sheet: InvoiceSheet) -> Iterator[_Head]:
    """Lines that name at least a description or quantity, and a price or amount; up to three lines high."""
    line = 0
    while line < len(sheet.rows):
        head = _head_at(sheet, line)
        if head is None:
            line += 1
        else:
            yield head
            line = head.line + 1


def _head_at(sheet: InvoiceSheet, line: int) -> _Head | None:
    columns: dict[str, Box] = {}
    last = line
    for at in range(line, min(line + 3, len(sheet.rows))):
        row = sheet.rows[at]
        near = not row or row[0].box[1] - sheet.rows[line][0].box[1] < 24 if sheet.rows[line] else False
        if not row or not near or row[0].page != sheet.rows[line][0].page or _has_money(sheet, at):
            break
        new = _columns(sheet, row)
        if not new and at > line:
            continue
        for name, box in new.items():
            if name not in columns:
                columns[name] = box
                last = at
    wanted = {"description", "quantity"} & columns.keys()
    priced = {"price", "total"} & columns.keys()
    own = _columns(sheet, sheet.rows[line]) if sheet.rows[line] else {}
    if not wanted or not priced or len(columns) < 2 or not own:
        return None
    return _Head(last, sheet.rows[line][0].page, columns)


def _columns(sheet: InvoiceSheet, row: Sequence[SheetCell]) -> dict[str, Box]:
    """The last amount column is the line's total: net before gross is common."""
    found: dict[str, Box] = {}
    for cell in row:
        if len(cell.text) > 60 or _counts(sheet, cell):
            continue
        for label in cell.labels:
            box = label_box(sheet, cell, label)
            for name in _COLUMNS:
                if f"column.{name}" in label.kinds and (name not in found or name == "total"):
                    found[name] = box
    return found


def _counts(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    """`-5 Stk` is an item's, not the head of a column."""
    return any(cell.start <= token.start < cell.end for token in sheet.lines[cell.line].of(TokenKind.NUMBER))


def _has_money(sheet: InvoiceSheet, line: int) -> bool:
    return any(_is_money(token) for token in sheet.lines[line].of(TokenKind.NUMBER))


def _is_money(token: Token) -> bool:
    return token.decimals == 2 or (token.currency is not None and token.decimals in (0, 1))


def _body(sheet: InvoiceSheet, head: _Head, end: int, totals: InvoiceTotals | None) -> Iterator[int]:
    """Lines of the table, till one that states a sum."""
    started = False
    for line in range(head.line + 1, end):
        row = sheet.rows[line]
        if not row:
            continue
        money = _has_money(sheet, line)
        if (money or not started) and _states_a_sum(sheet, line, totals, started=started):
            return
        if not money and started and (_opens_another_part(row) or _heads_the_sums(row)):
            return
        started = started or money
        yield line


def _states_a_sum(sheet: InvoiceSheet, line: int, totals: InvoiceTotals | None, *, started: bool) -> bool:
    tokens = sheet.lines[line].of(TokenKind.NUMBER)
    labels = [label for cell in sheet.rows[line] for label in cell.labels if label.start == cell.start]
    strong = any(label.strength(kind) >= 3 for label in labels for kind in ("gross", "net"))
    summing = strong or any(
        label.strength(kind) for label in labels for kind in ("gross", "tax", "paid", "extra", "rebate", "net")
    )
    values = {abs(token.number) for token in tokens if _is_money(token)}
    known = {abs(found.value) for found in (totals.gross, totals.net, totals.tax) if found} if totals else set()
    if summing and values & known and (started or strong):
        return True
    return strong and len(values) == 1 and started and not _multiplies(tokens)


def _multiplies(tokens: Sequence[Token]) -> bool:
    return any(_fits(a, b, c) for a, b, c in permutations(tokens[:_MOST_NUMBERS], 3))


def _heads_the_sums(row: Sequence[SheetCell]) -> bool:
    kinds = {
        kind for cell in row for label in cell.labels for kind in ("net", "tax", "gross") if label.strength(kind) >= 3
    }
    return len(kinds) >= 2


def _opens_another_part(row: Sequence[SheetCell]) -> bool:
    text = row[0].text.casefold()
    return bool(
        re.match(r"(?:umsatzsteuer|steuer)aufschl|zahlungs(?:bed|info)|belegsummen|bank(?:verb|-)|payment|terms", text)
    )


def _rows(sheet: InvoiceSheet, head: _Head, body: Sequence[int]) -> list[_Row]:
    anchors = _anchors(sheet, head, body)
    rows = [_Row(anchor, [anchor.line]) for anchor in anchors]
    taken = {anchor.line for anchor in anchors}
    for line in body:
        if line in taken or not sheet.rows[line]:
            continue
        if (row := _nearest(sheet, rows, line)) is not None:
            row.lines.append(line)
    for row in rows:
        row.lines.sort()
    return rows


def _nearest(sheet: InvoiceSheet, rows: Sequence[_Row], line: int) -> _Row | None:
    """The row that a line without an amount belongs to: the one above, unless the next is clearly nearer."""
    box, page = sheet.lines[line].line.box, sheet.lines[line].line.page
    height = max(box[3] - box[1], 6.0)

    def gap(row: _Row) -> float:
        return abs((row.anchor.box[1] + row.anchor.box[3]) / 2 - (box[1] + box[3]) / 2)

    before = [row for row in rows if row.anchor.line < line and row.anchor.page == page]
    after = [row for row in rows if row.anchor.line > line and row.anchor.page == page]
    if after and gap(after[0]) < 1.6 * height and (not before or gap(after[0]) < 0.6 * gap(before[-1])):
        return after[0]
    if before and gap(before[-1]) < 12 * height:
        return before[-1]
    return after[0] if after and gap(after[0]) < 1.8 * height else None


def _anchors(sheet: InvoiceSheet, head: _Head, body: Sequence[int]) -> list[Token]:
    """The amount that makes a line an item: the last one, in the column where most of them end."""
    lasts = []
    for line in body:
        money = [token for token in sheet.lines[line].of(TokenKind.NUMBER) if _is_money(token)]
        if money:
            lasts.append(money)
    total = head.columns.get("total")
    edges = Counter(round(tokens[-1].box[2] / 6) for tokens in lasts)
    usual = edges.most_common(1)[0][0] * 6 if edges else 0
    under = [_last([token for token in tokens if total and shares_width(total, token.box, 6.0)]) for tokens in lasts]
    if any(under):
        return [token for token in under if token is not None]
    ending = [_last([token for token in tokens if abs(token.box[2] - usual) <= 14]) for tokens in lasts]
    return [token for token in ending if token is not None]


def _last(tokens: Sequence[Token]) -> Token | None:
    return tokens[-1] if tokens else None


def _item(sheet: InvoiceSheet, head: _Head | None, row: _Row) -> InvoiceLine | None:
    numbers = [token for line in row.lines for token in sheet.lines[line].of(TokenKind.NUMBER)]
    percents = [token for line in row.lines for token in sheet.lines[line].of(TokenKind.PERCENT)]
    total = row.anchor
    factors = _factors(head, numbers, total)
    if factors is None and (better := _product(head, numbers, total)) is not None:
        total, factors = better
    description = _without_place(_description(sheet, head, row), factors)
    carried = any("carried" in label.kinds for line in row.lines for cell in sheet.rows[line] for label in cell.labels)
    if (not description and factors is None) or (carried and factors is None):
        return None
    quantity, price = factors or (
        _in_column(head, numbers, "quantity", total),
        _in_column(head, numbers, "price", total),
    )
    each = _signed(price)
    rebate = _rebate(quantity, price, total, [*percents, *numbers]) if factors is None else None
    if rebate is not None and each is not None:
        each *= 1 - rebate.number / 100
    return InvoiceLine(
        description=description,
        quantity=_signed(quantity),
        unit_price=each,
        tax_rate=next((token.number for token in percents if token.number <= 30 and token is not rebate), None),
        total=_signed(total),
    )


def _rebate(quantity: Token | None, price: Token | None, total: Token, rates: Sequence[Token]) -> Token | None:
    """The rate, with its sign or without, that goes off before quantity and price make the total."""
    if quantity is None or price is None:
        return None
    made = quantity.number * price.number
    for rate in rates:
        fits = 0 < rate.number < 100 and abs(made * (1 - rate.number / 100) - total.number) <= Decimal("0.011")
        if fits and rate not in (quantity, price, total):
            return rate
    return None


def _without_place(text: str, factors: tuple[Token, Token] | None) -> str:
    """`1. Shelf` is the first item, and `10 Dowels` are ten: neither number is part of the name."""
    led = re.match(r"(\d{1,4})([.)]?) +(?=[^\W\d_])", text)
    if led is None:
        return text
    counted = factors is not None and factors[0].number == Decimal(led[1])
    return text[led.end() :] if led[2] or counted else text


def _signed(token: Token | None) -> Decimal | None:
    if token is None:
        return None
    return -token.number if token.negative else token.number


def _in_column(head: _Head | None, numbers: Sequence[Token], name: str, total: Token) -> Token | None:
    box = head.columns.get(name) if head else None
    if box is None:
        return None
    return next((token for token in numbers if token is not total and shares_width(box, token.box, 6.0)), None)


def _factors(head: _Head | None, numbers: Sequence[Token], total: Token) -> tuple[Token, Token] | None:
    """The quantity and price that make the total; their columns, if known, tell which is which."""
    best: tuple[float, tuple[Token, Token]] | None = None
    others = [token for token in numbers if token is not total][: _MOST_NUMBERS * 2]
    for quantity, price in permutations(others, 2):
        if not _fits(quantity, price, total):
            continue
        score = _under(head, quantity, "quantity") + _under(head, price, "price")
        score += 0.5 * (quantity.decimals == 0) + 0.6 * _is_money(price) + 0.4 * (quantity.line == total.line)
        score += 0.3 * (price.decimals >= 2) - 0.5 * (quantity.currency is not None)
        if best is None or score > best[0]:
            best = (score, (quantity, price))
    return best[1] if best else None


def _product(head: _Head | None, numbers: Sequence[Token], total: Token) -> tuple[Token, tuple[Token, Token]] | None:
    """The net amount before the gross one: what quantity and price make, where their columns are known."""
    if head is None or not {"quantity", "price"} <= head.columns.keys():
        return None
    for token in numbers:
        if token is not total and token.line == total.line and _is_money(token) and token.box[2] < total.box[0]:
            found = _factors(head, [one for one in numbers if one is not total], token)
            if found is not None and _under(head, found[0], "quantity") and _under(head, found[1], "price"):
                return token, found
    return None


def _under(head: _Head | None, token: Token, name: str) -> float:
    box = head.columns.get(name) if head else None
    return 1.5 if box is not None and shares_width(box, token.box, 3.0) else 0.0


def _fits(quantity: Token, price: Token, total: Token) -> bool:
    """Within what the printed decimals allow; prices may be for a hundred or a thousand."""
    made = quantity.number * price.number
    if not made or not total.number:
        return False
    slack = Decimal("0.006") + quantity.number * Decimal(5).scaleb(-price.decimals - 1) * Decimal("1.01")
    slack = min(slack, abs(total.number) * Decimal("0.02") + Decimal("0.006"))
    return any(abs(made / per - total.number) <= slack for per in (1, 100, 1000))


def _description(sheet: InvoiceSheet, head: _Head | None, row: _Row) -> str:
    """The words of the row's text column, over all its lines; article numbers are not words."""
    cells = [cell for line in row.lines for cell in sheet.rows[line] if _is_text(sheet, cell, row.anchor)]
    if not cells:
        return ""
    column = head.columns.get("description") if head else None
    wordy = [cell for cell in cells if _letters(cell) >= 3] or cells
    placed = [cell for cell in wordy if column is not None and shares_width(column, cell.box, 10.0)]
    # On the amount's own line, else on the one above it, else on the nearest below.
    nearest = min((abs(cell.line - row.anchor.line), cell.line) for cell in wordy)[1]
    near = [cell for cell in wordy if cell.line == nearest]
    most = max(_letters(cell) for cell in near)
    heads = [cell for cell in placed if cell.line == nearest and _letters(cell) >= 0.4 * most]  # no article's number
    first = max(heads or near, key=lambda cell: (_letters(cell), len(cell.text)))
    same = [cell for cell in cells if abs(cell.box[0] - first.box[0]) <= 14]
    return " ".join(_words_of(sheet, cell) for cell in sorted(same, key=lambda cell: cell.line)).strip()


def _letters(cell: SheetCell) -> int:
    return 0 if _UNITS.fullmatch(cell.text) else sum(map(len, _PURE_WORD.findall(cell.text)))


def _is_text(sheet: InvoiceSheet, cell: SheetCell, anchor: Token) -> bool:
    counted = _UNIT.match(cell.text) and re.search(r"\d", cell.text) and not re.match(r"\d+\. ", cell.text)
    if counted or not re.search(r"[^\W\d_]", cell.text):
        return False
    numbers = [
        t for t in sheet.lines[cell.line].tokens if cell.start <= t.start < cell.end and t.kind is TokenKind.NUMBER
    ]
    return anchor not in numbers or len(_without_numbers(cell.text)) > 5


def _words_of(sheet: InvoiceSheet, cell: SheetCell) -> str:
    """The cell's text without amounts that ran into it; a number that is part of a name stays."""
    money = any(
        cell.start <= token.start < cell.end and _is_money(token)
        for token in sheet.lines[cell.line].of(TokenKind.NUMBER)
    )
    return _without_numbers(cell.text) if money else cell.text


def _without_numbers(text: str) -> str:
    return re.sub(r"(?:\s+[-€$£]*\d[\d.,]*(?:\s?[€$£%])?)+$", "", text).strip()


def _loose_items(sheet: InvoiceSheet, totals: InvoiceTotals | None) -> Iterator[InvoiceLine]:
    """No heading was understood: lines that multiply out, else a run of amounts that adds up to a total."""
    stop = totals.gross.line if totals and totals.gross.line >= 0 else len(sheet.lines)
    rows: list[_Row] = []
    for typed in sheet.lines[:stop]:
        numbers = typed.of(TokenKind.NUMBER)
        money = [token for token in numbers if _is_money(token)]
        if money and len(numbers) <= _MOST_NUMBERS:
            rows.append(_Row(money[-1], [typed.index]))
    multiplied = [row for row in rows if _factors(None, sheet.lines[row.anchor.line].of(TokenKind.NUMBER), row.anchor)]
    summed = _adding_up(rows, totals)
    for row in summed if len(summed) > len(multiplied) else multiplied:
        item = _item(sheet, None, row)
        if item is not None and item.description:
            yield item


def _adding_up(rows: Sequence[_Row], totals: InvoiceTotals | None) -> Sequence[_Row]:
    wanted = [found.value for found in (totals.net, totals.gross) if found] if totals else []
    for start in range(len(rows)):
        total = Decimal(0)
        for end in range(start, min(start + 60, len(rows))):
            total += _signed(rows[end].anchor) or Decimal(0)
            if total in wanted:
                return rows[start : end + 1]
    return ()
