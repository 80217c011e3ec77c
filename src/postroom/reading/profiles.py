"""What a sender's corrections taught: its own labels and habits, as data that any later document is read with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple

from postroom.nouns.documents import Box, DocumentText, Value
from postroom.reading.labels import pairing
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import DATE_FIELDS, NUMBER_FIELDS, spell
from postroom.reading.page.tokens import TokenKind, tokenise

LONGEST_LABEL = 5  # words
SHORTEST_LABEL = 4  # letters
OF_TRADES = {
    "quantity": "quantity", "price": "price", "gross": "gross", "net": "net", "fees": "fee", "taxes": "tax",
    "trade_date": "trade_date", "settlement_date": "settlement_date",
}  # fmt: skip
OF_BOOKINGS = {
    "quantity": "holding", "gross": "gross", "net": "net", "fees": "fee", "taxes": "tax",
    "pay_date": "settlement_date", "ex_date": "ex_date",
}  # fmt: skip
OF_INVOICES = {
    name: f"invoice.{name}" for name in ("number", "issue_date", "due_date", "net_total", "tax_total", "grand_total")
}
INVOICE = "invoice."
"""Begins the names of an invoice's fields among the labels: a net amount there is none of a trade."""
MOST_PLACES = 3  # of one value
_TRAILING = re.compile(r"[^\W\d_]+(?:[^\w]{1,3}[^\W\d_]+)*[^\w]*$")


@dataclass(frozen=True, slots=True)
class SenderProfile:
    """Labels (phrase → field) and habits of one sender. A habit is one only after several documents agree."""

    labels: Mapping[str, str] = field(default_factory=dict)
    trades_on_settlement_day: bool = False
    moved_to_settlement: int = 0
    """How often a person moved the trade day to the settlement day."""

    @property
    def entry_labels(self) -> Mapping[str, str]:
        """Those of trades, dividends and the like."""
        return {phrase: name for phrase, name in self.labels.items() if not name.startswith(INVOICE)}

    @property
    def invoice_labels(self) -> Mapping[str, str]:
        """Those of invoices, by the invoice's own names."""
        found = ((phrase, name) for phrase, name in self.labels.items() if name.startswith(INVOICE))
        return {phrase: name.removeprefix(INVOICE) for phrase, name in found}

    def as_json(self) -> dict[str, Any]:
        return {
            "labels": dict(self.labels),
            "trades_on_settlement_day": self.trades_on_settlement_day,
            "moved_to_settlement": self.moved_to_settlement,
        }

    @staticmethod
    def from_json(content: Mapping[str, Any]) -> SenderProfile:
        known = {*NUMBER_FIELDS, *DATE_FIELDS, *OF_INVOICES.values()}
        labels = {str(phrase): str(name) for phrase, name in content.get("labels", {}).items() if name in known}
        return SenderProfile(
            labels, bool(content.get("trades_on_settlement_day", False)), int(content.get("moved_to_settlement", 0))
        )


def labels_beside(
    text: DocumentText, corrected: Mapping[str, Value], learnable: Mapping[str, str] = OF_TRADES
) -> Iterator[tuple[str, Sequence[str]]]:
    """Of each value that a person corrected: its field, and the words that may be its name, the longest first.

    What is nothing is called by nothing.
    """
    reading = pairing.pair(tokenise(text))
    for name, value in corrected.items():
        label = learnable.get(name)
        if label is not None and value != 0:
            yield label, list(dict.fromkeys(_names_beside(reading, value)))


def _names_beside(reading: LabelledText, value: Value) -> Iterator[str]:
    """The words by which the value is called, wherever it stands: whole, and their ends."""
    for token in islice(_places(reading, value), MOST_PLACES):
        phrase = _words_before(reading, token) or _words_above(reading, token)
        words = phrase.split(" ") if phrase else []
        tails = [" ".join(words[-size:]) for size in dict.fromkeys((len(words), 2, 1)) if 0 < size <= len(words)]
        yield from (tail for tail in tails if len(tail) >= SHORTEST_LABEL)


class ValuePlace(NamedTuple):
    line: int
    start: int
    box: Box


def _places(reading: LabelledText, value: Value) -> Iterator[ValuePlace]:
    if isinstance(value, str):
        for line in reading.text.lines:
            at = line.text.find(value)
            if at >= 0:
                yield ValuePlace(line.index, at, line.line.box_of(at, at + len(value)))
    for token in reading.text.of(TokenKind.NUMBER, TokenKind.DATE):
        if isinstance(value, Decimal) and token.kind is TokenKind.NUMBER:
            if value == token.number or any(value == other.value for other in token.also):
                yield ValuePlace(token.line, token.start, token.box)
        elif isinstance(value, date) and token.kind is TokenKind.DATE and token.day == value:
            yield ValuePlace(token.line, token.start, token.box)


def _words_before(reading: LabelledText, token: ValuePlace) -> str | None:
    line = reading.text.lines[token.line]
    before = [other for other in line.tokens if other.end <= token.start]
    edge = max((other.end for other in before if other.kind is not TokenKind.CURRENCY), default=0)
    currency = [other for other in before if other.kind is TokenKind.CURRENCY and other.start >= edge]
    stop = currency[0].start if currency else token.start
    found = _TRAILING.search(line.text[edge:stop].rstrip(" :-+€$£"))
    return _phrase(found.group()) if found else None


def _words_above(reading: LabelledText, token: ValuePlace) -> str | None:
    left, _, right, _ = token.box
    for index in range(token.line - 1, max(token.line - 4, -1), -1):
        line = reading.text.lines[index].line
        over = [word.text for word in line.words if word.box[0] < right and word.box[2] > left]
        if over and (phrase := _phrase(" ".join(over))):
            return phrase
    return None


def _phrase(text: str) -> str | None:
    words = spell(text)[-LONGEST_LABEL:]
    return " ".join(words) if sum(map(len, words)) >= 3 else None
