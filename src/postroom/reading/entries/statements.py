"""Documents that tell of many trades: cut into entries, each read like a small contract note."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from postroom.reading.entries import entry as trades
from postroom.reading.entries import tables
from postroom.reading.entries.entry import EntryReading
from postroom.reading.kinds.kind import topics_apart
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.tokens import Token, TokenKind
from postroom.reading.sums import amounts, fills

LONGEST_ENTRY = 40  # lines
LONGEST_SHOWN_ENTRY = 26
FIRST_WORDS = 3
BALANCE = 1.5
FIRM_RATE = 1.5
MOSTLY = 0.8
CALLED = 0.9  # the least that a label over a value says
PLAIN = 3.0  # the weight of a word that says one thing only
TRADED = frozenset(("buy", "sell"))
EVENTS = TRADED | {*topics_apart(), "redemption", "transfer", "tax_document"}

Anchor = Callable[[LabelledText, int], bool]


@dataclass(slots=True)
class EntryCut:
    """One way to cut a document: the entries that hold a trade, and what such a cut is worth."""

    filled: list[range]
    worth: float


def read_many(reading: LabelledText, whole: EntryReading) -> list[EntryReading]:
    """Several trades, or none if the document is better read as one."""
    cut = _best_cut(reading)
    filled = cut.filled if len(cut.filled) > 1 else []
    found = [entry for lines in filled if (entry := _read_entry(reading, lines, whole))]
    found = [entry for entry in _spoken(_distinct(found)) if not _was_acquired(whole, entry)]
    listed = tables.read_rows(reading, whole)
    if "quantity" in whole.tokens and all(entry.tokens["quantity"] is not whole.tokens["quantity"] for entry in listed):
        listed = [entry for entry in listed if not _was_acquired(whole, entry)]
    if len(listed) > 1 and len(listed) >= MOSTLY * len(found):
        found = [*listed, *_besides(reading, found, listed)]
    if len(found) < 2 or _parts_of(reading, whole, found):
        return []
    return found


def read_only(reading: LabelledText, whole: EntryReading) -> EntryReading | None:
    """The one trade of a statement whose other entries are none, or whose money is not explained as a whole: what
    stands around it is not about it."""
    starts = [index for index in range(len(reading.text.lines)) if _tells_event(reading, index)]
    mixed = any(TRADED.isdisjoint(_begun_by(reading, index)) for index in starts)
    if whole.flags.get("explained") and not whole.left and not mixed:
        return None
    entries = [_before_balance(reading, lines) for lines in _entries(reading, starts)] if starts else []
    filled = [lines for lines in entries if _is_filled(reading, lines)]
    found = [entry for lines in filled if (entry := _read_entry(reading, lines, whole)) is not None]
    if len(found) != 1 or found[0].trade_date is None or found[0].net is None or _was_acquired(whole, found[0]):
        return None
    return found[0]


def _besides(
    reading: LabelledText, found: Sequence[EntryReading], listed: Sequence[EntryReading]
) -> Iterator[EntryReading]:
    """Entries in lines that no row of the table covers, if they say themselves what was done."""
    covered = {entry.lines[0] for entry in listed}
    for entry in found:
        quantity, net = entry.tokens["quantity"], entry.tokens.get("net")
        signed = quantity.text[0] in "+-" or (net is not None and net.negative)
        if quantity.line not in covered and (signed or tables.said(reading, quantity.line)):
            yield entry


def _starts_with_date(reading: LabelledText, index: int) -> bool:
    tokens = reading.text.lines[index].tokens
    return bool(tokens) and tokens[0].kind is TokenKind.DATE and tokens[0].start <= 2


def _names_security(reading: LabelledText, index: int) -> bool:
    tokens = reading.text.lines[index].tokens
    return bool(tokens) and any(token.kind is TokenKind.ISIN for token in tokens)


def _tells_direction(reading: LabelledText, index: int) -> bool:
    return not TRADED.isdisjoint(_begun_by(reading, index))


def _tells_event(reading: LabelledText, index: int) -> bool:
    """A line that begins with what was done, be it a trade or not, and says when: entries of all kinds end here."""
    if not reading.topics[index] or not reading.text.lines[index].of(TokenKind.DATE):
        return False
    return not EVENTS.isdisjoint(_begun_by(reading, index))


def _begun_by(reading: LabelledText, index: int) -> set[str]:
    """What the first words of a line plainly say was done."""
    topics = reading.topics[index]
    if not topics:
        return set()
    spans = reading.spelt[index].spans
    edge = spans[min(FIRST_WORDS, len(spans)) - 1][1] if spans else 0
    return {name for hit in topics if hit.start < edge for name, weight in hit.meaning if weight >= PLAIN}


ANCHORS: dict[Anchor, float] = {
    _tells_event: 1.3,
    _tells_direction: 1.25,
    _starts_with_date: 1.0,
    _names_security: 0.95,
}
"""Where an entry may begin, and how much to trust that."""
TOLD = (_tells_event, _tells_direction)
"""Those that words tell, not values."""


def _best_cut(reading: LabelledText) -> EntryCut:
    """The cut that is worth most; those that could not be worth more are not looked at."""
    spoken = [index for index, topics in enumerate(reading.topics) if topics]
    valued = [index for index, line in enumerate(reading.text.lines) if line.tokens]
    starts = {
        anchor: [index for index in (spoken if anchor in TOLD else valued) if anchor(reading, index)]
        for anchor in ANCHORS
    }
    most = {anchor: len(found) * ANCHORS[anchor] if len(found) > 1 else 0.0 for anchor, found in starts.items()}
    best, known = EntryCut([], 0.0), dict[range, bool]()
    for anchor in sorted(ANCHORS, key=lambda anchor: -most[anchor]):
        if most[anchor] <= best.worth:
            break
        filled = []
        for lines in _entries(reading, starts[anchor]):
            if lines not in known:
                known[lines] = _is_filled(reading, lines)
            if known[lines]:
                filled.append(lines)
        worth = len(filled) * ANCHORS[anchor]
        if worth > best.worth:
            best = EntryCut(filled, worth)
    return best


def _entries(reading: LabelledText, starts: Sequence[int]) -> Iterator[range]:
    """From one start to the next, but none much longer than most are."""
    ends = [*starts[1:], len(reading.text.lines)]
    lengths = sorted(end - start for start, end in zip(starts, ends, strict=True))
    usual = lengths[len(lengths) // 2]
    longest = min(usual + usual // 2 + 1, LONGEST_ENTRY)
    for start, end in zip(starts, ends, strict=True):
        yield _before_holdings(reading, range(start, min(end, start + longest)))


def _before_holdings(reading: LabelledText, lines: range) -> range:
    """An entry ends where a heading says that what is held follows."""
    for index in lines[1:]:
        words = reading.spelt[index].words
        if len(words) in (1, 2) and words[0] in reading.lexicon.balances and not reading.text.lines[index].tokens:
            return range(lines[0], index)
    return lines


def _before_balance(reading: LabelledText, lines: range) -> range:
    """An entry ends where a line begins to tell what is held."""
    for index in lines[1:]:
        words = reading.spelt[index].words
        if words and words[0] in reading.lexicon.balances and reading.text.lines[index].of(TokenKind.NUMBER):
            return range(lines[0], index)
    return lines


def _is_filled(reading: LabelledText, lines: range) -> bool:
    tokens = _tokens(reading, lines[:LONGEST_SHOWN_ENTRY])
    if sum(1 for token in tokens if token.kind is TokenKind.NUMBER) < 3:
        return False
    likely = amounts.candidates(reading, tokens)
    found = fills.find_fills(likely, reading.weights, entry=_tells_direction(reading, lines[0]))
    return any(_is_product(fill) and not _is_holding(fill) and not _says_nothing(fill) for fill in found)


def _is_product(fill: fills.PriceFill) -> bool:
    """Converted only by what a label calls a rate; in percent only by what is no money, or what is called a price."""
    rated = fill.rate is not None and fill.rate.named("fx") >= FIRM_RATE
    price = fill.price
    quoted = price is not None and (price.currency is None or price.named("price") > 0)
    if fill.quote == "percent":
        return quoted
    return fill.quote in ("unit", "pence") or (fill.quote == "converted" and rated)


def _says_nothing(fill: fills.PriceFill) -> bool:
    """One piece costs its price: that is no evidence unless labels say the same."""
    quantity, price, _ = fill.parts[0]
    trivial = fill.quantity == 1.0 or (price is not None and price.value == 1.0)
    return trivial and (quantity.named("quantity") < BALANCE or price is None or price.named("price") < 1.0)


def _is_holding(fill: fills.PriceFill) -> bool:
    """A position's worth is a product too, but a label says that it is a balance."""
    return any(amount is not None and amount.named("other") >= BALANCE for amount in fill.parts[0])


def _tokens(reading: LabelledText, lines: range) -> list[Token]:
    return [token for index in lines for token in reading.text.lines[index].tokens]


def _read_entry(reading: LabelledText, lines: range, whole: EntryReading) -> EntryReading | None:
    if _speaks_of_income(reading, lines):
        return None
    found = trades.read_entry(reading, lines, entry=True)
    if not found.flags["filled"] or found.quantity is None:
        return None
    _take_row_end(reading, found)
    if found.net is None and found.gross is not None:
        found.net, found.currency = found.gross, found.currency or found.tokens["gross"].currency
        found.tokens["net"] = found.tokens["gross"]
    if found.direction is None and found.trade_date is None:
        return None  # a holding: it says neither what was done nor when
    found.direction = found.direction or whole.direction
    found.currency = found.currency or whole.currency
    if found.isin is None:
        _borrow_security(reading, found, lines[0])
    if found.trade_date is None:
        found.trade_date = whole.trade_date
    return found


def _take_row_end(reading: LabelledText, found: EntryReading) -> None:
    """In a table's row, what it comes to stands last."""
    quantity, gross = found.tokens["quantity"], found.tokens.get("gross")
    if gross is None or quantity.line != gross.line:
        return
    numbers = reading.text.lines[gross.line].of(TokenKind.NUMBER)
    last = numbers[-1]
    if len(numbers) < 4 or last.start <= gross.start or last.decimals != 2 or last is quantity:
        return
    currency = last.currency or found.currency
    if currency != gross.currency or abs(last.number - gross.number) <= gross.number * Decimal("0.15"):
        found.net, found.currency, found.tokens["net"] = last.number, currency, last


def _speaks_of_income(reading: LabelledText, lines: range) -> bool:
    names = dict.fromkeys((*topics_apart(), "transfer", "trade"), 0.0)
    for index in lines[:LONGEST_SHOWN_ENTRY]:
        for hit in reading.topics[index]:
            for name, weight in hit.meaning:
                name = "trade" if name in ("buy", "sell") and weight >= 3.0 else name
                if name in names:
                    names[name] = max(names[name], weight)
    traded = names.pop("trade")
    return max(names.values()) > 0 and not traded


def _borrow_security(reading: LabelledText, found: EntryReading, start: int) -> None:
    """The security named last before the entry."""
    for index in range(start, max(start - 30, -1), -1):
        for token in reading.text.lines[index].tokens:
            if token.kind is TokenKind.ISIN:
                found.isin, found.tokens["isin"] = token.text, token
                return


def _distinct(found: Sequence[EntryReading]) -> list[EntryReading]:
    kept: dict[tuple[int, int], EntryReading] = {}
    for entry in found:
        token = entry.tokens["quantity"]
        kept.setdefault((token.line, token.start), entry)
    return list(kept.values())


def _spoken(found: Sequence[EntryReading]) -> list[EntryReading]:
    """Without products of numbers that no label calls count or price, if others are called so: those are chance."""
    called = [entry for entry in found if _is_called(entry)]
    return called or list(found)


def _is_called(entry: EntryReading) -> bool:
    said = entry.flags.get("quantity_label", 0.0), entry.flags.get("price_label", 0.0)
    if max(said) >= CALLED and (min(said) > 0 or not entry.flags.get("trivial")):
        return True
    places = [entry.tokens[name].line for name in ("quantity", "price", "net") if name in entry.tokens]
    return len(places) == 3 and len(set(places)) == 1


def _was_acquired(whole: EntryReading, entry: EntryReading) -> bool:
    """Whether an entry below a sale whose sums hold is one of the purchases that it ends, told for the tax."""
    if whole.direction != "SELL" or not whole.flags.get("explained") or not whole.flags.get("filled"):
        return False
    if whole.trade_date is None or entry.trade_date is None or "net" not in whole.tokens:
        return False
    named = entry.tokens.get("isin")
    if named is not None and named.line >= entry.lines[0]:
        return False  # it names its own security
    return entry.trade_date < whole.trade_date and entry.lines[0] > whole.tokens["net"].line


def _parts_of(reading: LabelledText, whole: EntryReading, found: Sequence[EntryReading]) -> bool:
    """Whether the entries are only the executions of one order that the document adds up."""
    if not whole.flags.get("explained") or whole.quantity is None or whole.gross is None:
        return False
    same = {(entry.isin, entry.direction) for entry in found} == {(whole.isin, whole.direction)}
    total = sum(entry.quantity for entry in found if entry.quantity is not None)
    return same and (total in (whole.quantity, 2 * whole.quantity) or _ends_in(reading, whole, found))


def _ends_in(reading: LabelledText, whole: EntryReading, found: Sequence[EntryReading]) -> bool:
    """Whether one of the entries is the whole, having swallowed the last execution: what the others leave of count and
    gross amount is printed in one line."""
    others = [entry for entry in found if (entry.quantity, entry.gross) != (whole.quantity, whole.gross)]
    if len(others) == len(found) or whole.quantity is None or whole.gross is None:
        return False
    count = whole.quantity - sum(entry.quantity or 0 for entry in others)
    gross = whole.gross - sum(entry.gross or 0 for entry in others)
    numbers = ({token.number for token in line.of(TokenKind.NUMBER)} for line in reading.text.lines)
    return count > 0 and any({count, gross} <= printed for printed in numbers)
