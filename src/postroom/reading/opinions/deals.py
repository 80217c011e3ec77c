"""A model's claims about a trade, put to the same solver as our own reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from postroom.nouns.documents import DocumentText, Field, Trade, Value
from postroom.reading.entries.entry import EntryReading, read_entry
from postroom.reading.extractor import TextReading, understand
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.opinions.answers import Claims
from postroom.reading.opinions.ballot import UNMEASURED, Ballot
from postroom.reading.opinions.quotes import HeardClaim, Quotes
from postroom.reading.profiles import SenderProfile

COMPARED = ("direction", "trade_date", "settlement_date", "quantity", "isin", "currency", "net")
NEEDED = ("direction", "trade_date", "quantity", "currency", "net")
FILLED_ONLY = ("name",)
SOLVED = ("quantity", "price", "gross", "fees", "taxes", "net", "currency")
LABELS = ("quantity", "price", "gross", "net", "trade_date", "settlement_date")
AS_LOUD_AS_A_LABEL = 2.0


class Deals:
    """A document's trades as we read them, ready to be held against a model's."""

    def __init__(self, text: DocumentText, profile: SenderProfile | None) -> None:
        self._understood: TextReading = understand(text, profile)
        self.quotes = Quotes(self._reading.text)

    @property
    def _reading(self) -> LabelledText:
        return self._understood.reading

    def found(self, count: int) -> list[EntryReading]:
        """Our readings with their tokens, if they are as many as were told."""
        every = self._understood.many or [self._understood.whole]
        told = [one for one in every if one.quantity is not None or one.net is not None]
        return told if len(told) == count else []

    def direction(self, ballot: Ballot, claims: Claims) -> HeardClaim | None:
        """Bought or sold counts only by a word that our lexicon knows as such."""
        claim = claims.get("direction")
        if claim is None:
            return None
        said = claim.value.upper()
        for place in self.quotes.places(claim.quote) if claim.quote else ():
            for line in range(place.first[0], place.last[0] + 1):
                for hit in self._reading.topics[line]:
                    means = {name for name, _ in hit.meaning}
                    if {"BUY": "buy", "SELL": "sell"}.get(said) in means and place.touches(line, hit.start, hit.end):
                        return HeardClaim(said, claim.quote, *self.quotes.box(place))
        ballot.drop("direction", f"Its quote does not say {said or 'so'} in words that we know.")
        return None

    def again(self, first: EntryReading, heard: Mapping[str, HeardClaim]) -> EntryReading:
        """The same lines solved once more, with each quote as a label beside its value."""
        for name in LABELS:
            one = heard.get(name)
            if one is not None and one.token is not None:
                self._reading.about(one.token).add(name, AS_LOUD_AS_A_LABEL, "model")
        return read_entry(self._reading, range(first.lines[0], first.lines[1] + 1))

    def whole(self) -> EntryReading:
        return self._understood.whole


def weigh_trade(deals: Deals, ballot: Ballot, ours: Trade, first: EntryReading | None, claims: Claims) -> Trade:
    """Our trade with the model's view of it: filled, or with both values, or as it was."""
    heard = _heard(deals, ballot, claims)
    second = deals.again(first, heard) if first is not None and _unsettled(ours, first, heard) else None
    fields = dict(ours.fields)
    if second is not None and first is not None and _closes(second) and not _closes(first):
        _adopt(ballot, fields, second, heard)
    for name in (*COMPARED, *FILLED_ONLY):
        if (one := heard.get(name)) is not None and ballot.prefix + name not in (*ballot.differs, *ballot.filled):
            _compare(ballot, ours, fields, name, one, first)
    return _retold(ours, fields) if _touched(ballot) else ours


def read_by_model(deals: Deals, ballot: Ballot, claims: Claims) -> Trade | None:
    """A trade in a document that told us of none: only if all that is needed is quoted."""
    heard = _heard(deals, ballot, claims)
    if any(name not in heard for name in NEEDED) or not ({"isin", "name"} & heard.keys()):
        return None
    second = deals.again(deals.whole(), heard)
    fields = {name: ballot.fill(name, one) for name, one in heard.items()}
    told = {name: getattr(second, name) for name in ("price", "gross", "fees", "taxes")} if _closes(second) else {}
    values = {**told, **{name: _positive(found.value) for name, found in fields.items()}}
    return Trade(**values, confidence=UNMEASURED, fields=fields)


def _heard(deals: Deals, ballot: Ballot, claims: Claims) -> dict[str, HeardClaim]:
    others = {name: claim for name, claim in claims.items() if name not in ("direction", "ticker", "fees", "taxes")}
    heard = ballot.hear(deals.quotes, others)
    if (side := deals.direction(ballot, claims)) is not None:
        heard["direction"] = side
    return heard


def _closes(found: EntryReading) -> bool:
    return bool(found.flags.get("filled") and found.flags.get("explained"))


def _unsettled(ours: Trade, first: EntryReading, heard: Mapping[str, HeardClaim]) -> bool:
    return any(not _same(name, getattr(ours, name), heard[name], first) for name in COMPARED if name in heard)


def _same(name: str, ours: Value | None, heard: HeardClaim, first: EntryReading | None) -> bool:
    """Equal, or read from the very same place: a bond's nominal and a price in pence are told in other units."""
    if ours is None:
        return False
    if ours == _positive(heard.value):
        return True
    token = first.tokens.get(name) if first is not None else None
    if token is None or heard.token is None:
        return False
    return (token.line, token.start) == (heard.token.line, heard.token.start)


def _positive(value: Value) -> Value:
    return abs(value) if isinstance(value, Decimal) else value


def _adopt(ballot: Ballot, fields: dict[str, Field], second: EntryReading, heard: Mapping[str, HeardClaim]) -> None:
    for name in SOLVED:
        value, ours = getattr(second, name), fields.get(name)
        if value is None or (ours is not None and ours.value == value):
            continue
        token = second.tokens.get(name)
        quote = heard[name].quote if name in heard else ""
        because = f"The sums close with what {ballot.model} quotes."
        theirs = Field(value, UNMEASURED, token.page if token else None, token.box if token else None, because)
        if ours is not None or name in COMPARED:
            fields[name] = ballot.adopt(name, ours, theirs, quote)


def _compare(
    ballot: Ballot, trade: Trade, fields: dict[str, Field], name: str, heard: HeardClaim, first: EntryReading | None
) -> None:
    value = getattr(trade, name)
    if value is None:
        fields[name] = ballot.fill(name, heard, _positive(heard.value))
    elif name in FILLED_ONLY or _same(name, value, heard, first):
        ballot.agree(name)
    else:
        fields[name] = ballot.beside(name, fields.get(name) or Field(value, trade.confidence), heard)


def _touched(ballot: Ballot) -> bool:
    names = [*ballot.filled, *ballot.differs]
    return any(name.startswith(ballot.prefix) for name in names)


def _retold(ours: Trade, fields: Mapping[str, Field]) -> Trade:
    values = {name: found.value for name, found in fields.items() if name in Trade.NAMES}
    sure = min([ours.confidence, *(found.confidence for name, found in fields.items() if name in COMPARED)])
    return replace(ours, **values, fields=fields, confidence=sure)  # type: ignore[arg-type]  # names and values as read


def several(deals: Deals, ballot: Ballot, ours: Sequence[Trade], theirs: Sequence[Claims]) -> tuple[Trade, ...]:
    """Each trade against the one at the same place of the list; another count is a difference of its own."""
    if len(ours) != len(theirs):
        ballot.differ("trades", str(len(ours)), str(len(theirs)), "")
        return tuple(ours)
    found: Sequence[EntryReading | None] = deals.found(len(ours)) or [None] * len(ours)
    told = []
    for number, (trade, first, claims) in enumerate(zip(ours, found, theirs, strict=True), start=1):
        ballot.prefix = f"{number}."
        told.append(weigh_trade(deals, ballot, trade, first, claims))
    ballot.prefix = ""
    return tuple(told)
