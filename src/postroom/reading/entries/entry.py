"""One entry from the lines that tell of it: its money, days, direction and security, put together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import partial

from postroom.nouns.documents import Box, Direction, PrintedAmount
from postroom.reading.entries import days, directions, flags, money, securities
from postroom.reading.labels import words
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.lines import union
from postroom.reading.page.tokens import Token, TokenKind, TokenLine, checks
from postroom.reading.sums import amounts, explanation, solver
from postroom.reading.sums.amounts import AmountReading
from postroom.reading.sums.rules import OF_A_TRADE, SumRule
from postroom.reading.sums.solver import MoneySolution

NAMED_IN = 120  # lines in which another number than an ISIN is looked for
BY_ROW = {"direction": ("quantity", "net"), "currency": ("net", "gross")}
OTHER_DAYS = ("settlement_date", "order_date", "other_date")
TITLE_WORDS = 10
ABOVE = 2  # lines: a header may say for its value that it is before tax

PagePlace = tuple[int, Box]


@dataclass(slots=True)
class EntryReading:
    """An entry as read, with the tokens it was read from and the evidence for each part."""

    direction: Direction | None = None
    trade_date: date | None = None
    settlement_date: date | None = None
    ex_date: date | None = None
    quantity: Decimal | None = None
    isin: str | None = None
    ticker: str | None = None
    name: str | None = None
    price: Decimal | None = None
    currency: str | None = None
    gross: Decimal | None = None
    fees: Decimal | None = None
    taxes: Decimal | None = None
    net: Decimal | None = None
    refund: Decimal = Decimal(0)
    """Tax paid back along with it."""
    tokens: dict[str, Token] = field(default_factory=dict)
    flags: dict[str, float] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    places: dict[str, PagePlace] = field(default_factory=dict)
    """Of what is no single token: words, a name, several charges."""
    lines: tuple[int, int] = (0, 0)
    used: tuple[PrintedAmount, ...] = ()
    left: tuple[PrintedAmount, ...] = ()
    aside: tuple[PrintedAmount, ...] = ()
    """Taxes told for information, below what was booked."""

    @property
    def pay_date(self) -> date | None:
        return self.settlement_date or self.trade_date

    def place_of(self, name: str) -> PagePlace | None:
        """Where a value stands. A row that says neither sold nor in what money stands for it itself."""
        if name == "pay_date":
            name = "settlement_date" if self.settlement_date is not None else "trade_date"
        token = self.tokens.get(name)
        if token is not None:
            return token.page, token.box
        if name in self.places or name not in BY_ROW:
            return self.places.get(name)
        row = next((self.tokens[other] for other in BY_ROW[name] if other in self.tokens), None)
        return None if row is None else (row.page, row.box)


def read_entry(
    reading: LabelledText, lines: Sequence[int], rule: SumRule = OF_A_TRADE, *, entry: bool = False
) -> EntryReading:
    """The single entry told by these lines; `entry` if they are known to be one of a list."""
    tokens = [token for index in lines for token in reading.text.lines[index].tokens]
    ago = frozenset[date]() if entry else days.long_ago(reading, tokens)
    former = days.former_lines(tokens, ago)
    lean = directions.lean(reading, [index for index in lines if index not in former] if former else lines)
    found_amounts = amounts.candidates(reading, tokens, held=rule.way < 0)
    solution = solver.best(found_amounts, reading.weights, lean.margin, rule, entry=entry)
    found = EntryReading(lines=(lines[0], lines[-1]) if lines else (0, 0))
    _settle_direction(found, reading, lean, solution, rule)
    money.settle_money(found, solution, tokens)
    _note_places(reading, found, lean, solution, tokens)
    _note_day_of_row(reading, found)
    _settle_days(found, reading, tokens, ago)
    found.flags |= flags.of_solution(solution, found_amounts, rule)
    _explain(found, reading, found_amounts, solution)
    _settle_security(found, reading, lines, tokens)
    for label, token in found.tokens.items():
        known = reading.about(token).labels
        found.labels[label] = known.get(label) or next(iter(known.values()), "")
    if found.currency is None and not reading.text.of(TokenKind.CURRENCY):
        american = any("cusip" in reading.spelt[index].words for index in lines[:NAMED_IN])
        found.currency = money.guessed_currency(found.isin, reading.lexicon.languages[0], american=american)
        found.flags["currency_guessed"] = float(found.currency is not None)
    found.flags["currencies"] = float(len({str(token.value) for token in tokens if token.kind is TokenKind.CURRENCY}))
    return found


def _explain(
    found: EntryReading, reading: LabelledText, every: Sequence[AmountReading], solution: MoneySolution
) -> None:
    """Which printed amounts the sums rest on, and which they have no place for."""
    found.used = explanation.used(solution)
    unused = explanation.left_over(every, solution, partial(_costs_told, found, reading))
    found.left, found.aside, found.flags["booked_apart"] = unused.left, unused.aside, unused.apart
    found.flags["unexplained"] = explanation.unexplained(every, solution)
    for role in ("total", "fee", "tax"):
        found.flags[f"left_{role}"] = float(sum(amount.role == role for amount in found.left))
    found.flags["before_tax"] = float(any(_is_before_tax(reading, index) for index in _lines_of_net(found)))


def _costs_told(found: EntryReading, reading: LabelledText) -> int | None:
    """The first line below the booked amount that is a title over costs, told for information."""
    net = found.tokens.get("net")
    if net is None:
        return None
    for line in reading.text.lines[net.line + 1 :]:
        spelt = reading.spelt[line.index]
        titled = not line.tokens and len(spelt.words) <= TITLE_WORDS
        if titled and words.found(line.line, spelt, reading.lexicon.costs):
            return line.index
    return None


def _lines_of_net(found: EntryReading) -> Iterator[int]:
    net = found.tokens.get("net")
    if net is not None:
        yield from range(max(net.line - ABOVE, 0), net.line + 1)


def _is_before_tax(reading: LabelledText, index: int) -> bool:
    return any(name == "before_tax" for hit in reading.topics[index] for name, _ in hit.meaning)


def _settle_security(found: EntryReading, reading: LabelledText, lines: Sequence[int], tokens: Sequence[Token]) -> None:
    near = found.tokens["quantity"].line if "quantity" in found.tokens else None
    isin, different = securities.choose(reading, tokens, near)
    if isin is not None:
        found.isin, found.tokens["isin"] = isin.text, isin
    named = securities.name(reading, isin)
    if named is not None:
        found.name, found.places["name"] = named.text, _place(reading, named.line, named.start, named.end)
    quoted = securities.ticker(reading, lines)
    if quoted is None and isin is None and near is not None:
        quoted = securities.symbol(reading, near)
    if quoted is not None:
        found.ticker, found.places["ticker"] = quoted.text, _place(reading, quoted.line, quoted.start, quoted.end)
    found.flags["isins"] = float(different)
    found.flags["isin_said"] = float(isin is not None and securities.said_to_be_isin(reading, isin))
    found.flags["numbered"] = float(found.ticker is not None or securities.is_numbered(reading, lines[:NAMED_IN]))
    found.flags["isin_checks"] = float(found.isin is not None and checks(found.isin))


def of_row(
    direction: Direction, quantity: Token, price: Token, gross: Token, net: Token, currency: str | None
) -> EntryReading:
    """The trade that a table's row tells of, its columns being known."""
    exact = abs(gross.number - quantity.number * price.number) <= Decimal("0.0051")
    found = EntryReading(direction=direction)
    found.tokens = {"quantity": quantity, "price": price, "gross": gross, "net": net}
    found.quantity = quantity.number / money.HUNDRED if price.kind is TokenKind.PERCENT else quantity.number
    found.price, found.gross, found.net = price.number, gross.number, net.number
    found.currency = net.currency or gross.currency or price.currency or currency
    found.flags = {"filled": 1.0, "exact": float(exact), "explained": float(net is not gross), "score": 0.0}
    return found


def _settle_direction(
    found: EntryReading,
    reading: LabelledText,
    lean: directions.DirectionLean,
    solution: MoneySolution,
    rule: SumRule,
) -> None:
    w, path = reading.weights, solution.path
    grows = path.grows if path is not None and path.explained else 0
    booked = _by_sign(solution)
    margin = lean.margin + w["direction.sums"] * grows + w["direction.booked_minus"] * booked
    found.flags["direction_words"] = abs(lean.margin)
    found.flags["said"] = lean.said
    found.flags["costlier"] = float(grows > 0)
    way = rule.way or (1 if margin > 0 else -1 if margin < 0 else 0)
    found.flags["direction_sums"] = float(grows * way)
    found.flags["direction_booked"] = float(booked * way)
    found.flags["direction_margin"] = margin * way
    found.flags["direction_lean"] = lean.margin * way
    if way:
        found.direction = "BUY" if way > 0 else "SELL"


def _by_sign(solution: MoneySolution) -> int:
    """A negative quantity went out; negative money, wherever the booked amount is printed, paid for something."""
    if solution.fill is None or solution.path is None:
        return 0
    if solution.fill.parts[0][0].token.negative:
        return -1
    return 1 if solution.path.net.token.negative or solution.path.minus else 0


def _note_day_of_row(reading: LabelledText, found: EntryReading) -> None:
    """The day in the quantity's own row is the trade's, if nothing calls it otherwise."""
    if "quantity" not in found.tokens:
        return
    dates = reading.text.lines[found.tokens["quantity"].line].of(TokenKind.DATE) or _of_executions(reading, found)
    free = [token for token in dates if all(reading.about(token).of(name) < 1.0 for name in OTHER_DAYS)]
    if free:
        reading.about(min(free, key=lambda token: token.day)).add("trade_date", reading.weights["day.of_row"], "")


def _of_executions(reading: LabelledText, found: EntryReading) -> list[Token]:
    """Days of rows that tell a count at the same price: an order may be executed in parts."""
    price = found.tokens.get("price")
    if price is None or not price.decimals:
        return []
    rows = (line for line in reading.text.lines if line.index != price.line and line.of(TokenKind.DATE))
    return [
        day
        for line in rows
        if any(token.number == price.number for token in line.of(TokenKind.NUMBER)) and _counts(line, price)
        for day in line.of(TokenKind.DATE)[:1]
    ]


def _counts(line: TokenLine, price: Token) -> bool:
    """Whether a row holds a whole number beside the price."""
    return any(not token.decimals and token.number != price.number for token in line.of(TokenKind.NUMBER))


def _settle_days(found: EntryReading, reading: LabelledText, tokens: Sequence[Token], ago: Set[date]) -> None:
    chosen = days.choose(reading, tokens, ago)
    if chosen.trade is not None:
        found.trade_date, found.tokens["trade_date"] = chosen.trade.day, chosen.trade
    if chosen.settlement is not None:
        found.settlement_date, found.tokens["settlement_date"] = chosen.settlement.day, chosen.settlement
    if chosen.ex is not None:
        found.ex_date, found.tokens["ex_date"] = chosen.ex.day, chosen.ex
    found.flags["day_score"] = chosen.trade_score
    found.flags["day_label"] = chosen.label
    found.flags["day_margin"] = chosen.trade_score - chosen.rival
    found.flags["day_borrowed"] = float(chosen.borrowed)
    found.flags["settles"] = float(chosen.settlement is not None)
    found.flags["day_seen"] = float(chosen.seen)
    found.flags["days"] = float(chosen.different)
    found.flags["day_timed"] = float(chosen.timed)
    found.flags["day_called_too"] = chosen.called_too
    found.flags["days_told"] = float(chosen.told)
    found.flags["settles_early"] = float(chosen.early)


def _note_places(
    reading: LabelledText,
    found: EntryReading,
    lean: directions.DirectionLean,
    solution: MoneySolution,
    tokens: Sequence[Token],
) -> None:
    said = lean.buy_at if found.direction == "BUY" else lean.sell_at
    if said is not None:
        line, hit = said
        found.places["direction"] = _place(reading, line, hit.start, hit.end)
    if found.currency is not None:
        beside = [token for token in tokens if token.kind is TokenKind.CURRENCY and token.value == found.currency]
        if beside:
            row = found.tokens["net"].line if "net" in found.tokens else 0
            nearest = min(beside, key=lambda token: abs(token.line - row))
            found.places["currency"] = (nearest.page, nearest.box)
    if solution.path is not None:
        for field_name, called in (("fees", "fee"), ("taxes", "tax")):
            charges = [charge.token for charge in money.called(solution.path.charges, called)]
            if charges:
                page = charges[0].page
                found.places[field_name] = (page, union(token.box for token in charges if token.page == page))


def _place(reading: LabelledText, index: int, start: int, end: int) -> PagePlace:
    line = reading.text.lines[index].line
    return line.page, line.box_of(start, end)
