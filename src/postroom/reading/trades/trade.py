"""One trade from the lines that tell of it: solver, days, direction and security, put together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from postroom.nouns.documents import Box, Direction
from postroom.reading.labels.pairing import LabelledText
from postroom.reading.page.lines import union
from postroom.reading.page.tokens import Token, TokenKind, checks
from postroom.reading.trades import amounts, days, directions, flags, securities, solver
from postroom.reading.trades.amounts import CHARGES, AmountReading
from postroom.reading.trades.fills import PriceFill
from postroom.reading.trades.solver import MoneySolution
from postroom.reading.trades.sums import NetPath

HUNDRED = Decimal(100)
MILLIONTH = Decimal("0.000001")
NEAR = 12  # letters
DAY_OF_ROW = 1.2
BY_ROW = {"direction": ("quantity", "net"), "currency": ("net", "gross")}
OTHER_DAYS = ("settlement_date", "order_date", "other_date")

PagePlace = tuple[int, Box]


@dataclass(slots=True)
class EntryReading:
    """A trade as read, with the tokens it was read from and the evidence for each part."""

    direction: Direction | None = None
    trade_date: date | None = None
    settlement_date: date | None = None
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
    tokens: dict[str, Token] = field(default_factory=dict)
    flags: dict[str, float] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    places: dict[str, PagePlace] = field(default_factory=dict)
    """Of what is no single token: words, a name, several charges."""
    lines: tuple[int, int] = (0, 0)

    def place_of(self, name: str) -> PagePlace | None:
        """Where a value stands. A row that says neither sold nor in what money stands for it itself."""
        token = self.tokens.get(name)
        if token is not None:
            return token.page, token.box
        if name in self.places or name not in BY_ROW:
            return self.places.get(name)
        row = next((self.tokens[other] for other in BY_ROW[name] if other in self.tokens), None)
        return None if row is None else (row.page, row.box)


def read_trade(reading: LabelledText, lines: Sequence[int], *, entry: bool = False) -> EntryReading:
    """The single trade told by these lines; `entry` if they are known to be one entry of a list."""
    tokens = [token for index in lines for token in reading.text.lines[index].tokens]
    lean = directions.lean(reading, lines)
    found_amounts = amounts.candidates(reading, tokens)
    solution = solver.best(found_amounts, lean.margin, entry=entry)
    found = EntryReading(lines=(lines[0], lines[-1]))
    _settle_direction(found, lean, solution)
    _settle_money(found, solution, tokens)
    _note_places(reading, found, lean, solution, tokens)
    _note_day_of_row(reading, found)
    _settle_days(found, reading, tokens)
    found.flags |= flags.of_solution(solution, found_amounts)
    near = found.tokens["quantity"].line if "quantity" in found.tokens else None
    isin, different = securities.choose(reading, tokens, near)
    if isin is not None:
        found.isin, found.tokens["isin"] = isin.text, isin
    named = securities.name(reading, isin)
    if named is not None:
        found.name, found.places["name"] = named.text, _place(reading, named.line, named.start, named.end)
    quoted = securities.ticker(reading, lines)
    if quoted is not None:
        found.ticker, found.places["ticker"] = quoted.text, _place(reading, quoted.line, quoted.start, quoted.end)
    for label, token in found.tokens.items():
        known = reading.about(token).labels
        found.labels[label] = known.get(label) or next(iter(known.values()), "")
    found.flags["currencies"] = float(len({str(token.value) for token in tokens if token.kind is TokenKind.CURRENCY}))
    found.flags["isins"] = float(different)
    found.flags["isin_said"] = float(isin is not None and securities.said_to_be_isin(reading, isin))
    found.flags["numbered"] = float(found.ticker is not None or securities.is_numbered(reading, lines[:120]))
    found.flags["isin_checks"] = float(found.isin is not None and checks(found.isin))
    return found


def of_row(
    direction: Direction, quantity: Token, price: Token, gross: Token, net: Token, currency: str | None
) -> EntryReading:
    """The trade that a table's row tells of, its columns being known."""
    exact = abs(gross.number - quantity.number * price.number) <= Decimal("0.0051")
    found = EntryReading(direction=direction)
    found.tokens = {"quantity": quantity, "price": price, "gross": gross, "net": net}
    found.quantity = quantity.number / HUNDRED if price.kind is TokenKind.PERCENT else quantity.number
    found.price, found.gross, found.net = price.number, gross.number, net.number
    found.currency = net.currency or gross.currency or price.currency or currency
    found.flags = {"filled": 1.0, "exact": float(exact), "explained": float(net is not gross), "score": 0.0}
    return found


def _settle_direction(found: EntryReading, lean: directions.DirectionLean, solution: MoneySolution) -> None:
    margin = lean.margin
    grows = solution.chain.grows if solution.chain is not None and solution.chain.explained else 0
    found.flags["direction_words"] = abs(margin)
    found.flags["said"] = lean.said
    found.flags["costlier"] = float(grows > 0)
    found.flags["direction_sums"] = float(grows * (1 if margin > 0 else -1)) if margin else 0.0
    if abs(margin) < 0.75 and grows:
        margin = float(grows)
    if margin == 0:
        margin = _by_sign(solution)
    if margin > 0:
        found.direction = "BUY"
    elif margin < 0:
        found.direction = "SELL"


def _by_sign(solution: MoneySolution) -> float:
    """Rows without words: a negative quantity went out, negative money paid for something."""
    if solution.fill is None or solution.chain is None:
        return 0.0
    if solution.fill.parts[0][0].token.negative:
        return -1.0
    return 1.0 if solution.chain.net.token.negative else 0.0


def _note_day_of_row(reading: LabelledText, found: EntryReading) -> None:
    """The day in the quantity's own row is the trade's, if nothing calls it otherwise."""
    if "quantity" not in found.tokens:
        return
    dates = reading.text.lines[found.tokens["quantity"].line].of(TokenKind.DATE)
    free = [token for token in dates if all(reading.about(token).of(name) < 1.0 for name in OTHER_DAYS)]
    if free:
        reading.about(min(free, key=lambda token: token.day)).add("trade_date", DAY_OF_ROW, "")


def _settle_days(found: EntryReading, reading: LabelledText, tokens: Sequence[Token]) -> None:
    chosen = days.choose(reading, tokens)
    if chosen.trade is not None:
        found.trade_date, found.tokens["trade_date"] = chosen.trade.day, chosen.trade
    if chosen.settlement is not None:
        found.settlement_date, found.tokens["settlement_date"] = chosen.settlement.day, chosen.settlement
    found.flags["day_score"] = chosen.trade_score
    found.flags["day_margin"] = chosen.trade_score - chosen.rival
    found.flags["day_borrowed"] = float(chosen.borrowed)
    found.flags["settles"] = float(chosen.settlement is not None)
    found.flags["day_seen"] = float(chosen.seen)
    found.flags["days"] = float(chosen.different)
    found.flags["day_timed"] = float(chosen.timed)


def _settle_money(found: EntryReading, solution: MoneySolution, tokens: Sequence[Token]) -> None:
    fill, chain = solution.fill, solution.chain
    if fill is not None:
        _settle_fill(found, fill)
    if chain is not None:
        found.net = chain.net.exact.quantize(Decimal("0.01")) if chain.net.decimals > 2 else chain.net.exact
        found.tokens["net"] = chain.net.token
        spent = fill.gross_amount.currency if fill is not None and fill.gross_amount is not None else None
        found.currency = (
            chain.net.currency or _after_conversion(chain, tokens, spent) or _currency_for(chain.net, tokens)
        )
        found.fees = _total(chain.charges, "fee")
        found.taxes = _total(chain.charges, "tax")
    if found.currency == "GBX" or (found.currency is None and fill is not None and fill.quote == "pence"):
        found.currency = "GBP"


def _settle_fill(found: EntryReading, fill: PriceFill) -> None:
    quantity, price, gross = fill.parts[0]
    found.tokens["quantity"] = quantity.token
    found.quantity = sum((part[0].exact for part in fill.parts), Decimal(0))
    if fill.quote == "percent":
        found.quantity /= HUNDRED
    if fill.quote == "contract" and fill.rate is not None:
        found.quantity *= fill.rate.exact
    if price is not None:
        found.price, found.tokens["price"] = price.exact, price.token
        if fill.quote == "pence":
            found.price = price.exact / HUNDRED
        if len(fill.parts) > 1:
            found.price = _average(fill)
    if gross is not None:
        shared = [gross] if fill.shared else [part[2] for part in fill.parts if part[2] is not None]
        found.gross = sum((amount.exact for amount in shared), Decimal(0))
        found.tokens["gross"] = gross.token


def _average(fill: PriceFill) -> Decimal:
    quantity = sum((part[0].exact for part in fill.parts), Decimal(0))
    return (Decimal(repr(fill.gross)) / quantity).quantize(MILLIONTH)


def _total(charges: Sequence[AmountReading], name: str) -> Decimal:
    return sum((charge.exact for charge in _called(charges, name)), Decimal(0))


def _called(charges: Sequence[AmountReading], name: str) -> list[AmountReading]:
    return [charge for charge in charges if max(CHARGES, key=charge.role) == name]


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
    if solution.chain is not None:
        for field_name, called in (("fees", "fee"), ("taxes", "tax")):
            charges = [charge.token for charge in _called(solution.chain.charges, called)]
            if charges:
                page = charges[0].page
                found.places[field_name] = (page, union(token.box for token in charges if token.page == page))


def _place(reading: LabelledText, index: int, start: int, end: int) -> PagePlace:
    line = reading.text.lines[index].line
    return line.page, line.box_of(start, end)


def _after_conversion(chain: NetPath, tokens: Sequence[Token], spent: str | None) -> str | None:
    """The currency converted into: the other one beside the rate, else the document's other one."""
    if chain.rate is None:
        return None
    codes = [token for token in tokens if token.kind is TokenKind.CURRENCY and str(token.value) != spent]
    beside = [token for token in codes if token.line == chain.rate.line]
    if beside:
        return str(beside[-1].value)
    return str(Counter(str(token.value) for token in codes).most_common(1)[0][0]) if codes and spent else None


def _currency_for(net: AmountReading, tokens: Sequence[Token]) -> str | None:
    """The currency of an amount printed without one: beside it, in its column, or most of the document's."""
    codes = [token for token in tokens if token.kind is TokenKind.CURRENCY]
    if not codes:
        return None
    near = [token for token in codes if token.line == net.line and abs(token.start - net.token.end) <= NEAR]
    if near:
        return str(near[0].value)
    left, _, right, _ = net.token.box
    above = [
        token for token in codes if token.line < net.line and token.box[0] < right + 12 and token.box[2] > left - 12
    ]
    if above and net.line - above[-1].line <= 12:
        return str(above[-1].value)
    beside = Counter(token.currency for token in tokens if token.currency)
    if beside:
        return str(beside.most_common(1)[0][0])
    return str(Counter(str(token.value) for token in codes).most_common(1)[0][0])
