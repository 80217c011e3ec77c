"""What a sender's corrections taught: its own labels and habits, as data that any later document is read with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Any

from postroom.nouns.documents import DocumentText, Value
from postroom.reading.labels import pairing
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import DATE_FIELDS, NUMBER_FIELDS, spell
from postroom.reading.page.tokens import Token, TokenKind, tokenise

LONGEST_LABEL = 5  # words
LEARNABLE = {
    "quantity": "quantity", "price": "price", "gross": "gross", "net": "net", "fees": "fee", "taxes": "tax",
    "trade_date": "trade_date", "settlement_date": "settlement_date",
}  # fmt: skip
_TRAILING = re.compile(r"[^\W\d_]+(?:[^\w]{1,3}[^\W\d_]+)*[^\w]*$")


@dataclass(frozen=True, slots=True)
class SenderProfile:
    """Labels (phrase → field) and habits of one sender."""

    labels: Mapping[str, str] = field(default_factory=dict)
    trades_on_settlement_day: bool = False

    def merged(self, newer: SenderProfile) -> SenderProfile:
        """Both; where they differ, the newer correction counts."""
        return replace(
            newer,
            labels={**self.labels, **newer.labels},
            trades_on_settlement_day=newer.trades_on_settlement_day or self.trades_on_settlement_day,
        )

    def as_json(self) -> dict[str, Any]:
        return {"labels": dict(self.labels), "trades_on_settlement_day": self.trades_on_settlement_day}

    @staticmethod
    def from_json(content: Mapping[str, Any]) -> SenderProfile:
        known = {*NUMBER_FIELDS, *DATE_FIELDS}
        labels = {str(phrase): str(name) for phrase, name in content.get("labels", {}).items() if name in known}
        return SenderProfile(labels, bool(content.get("trades_on_settlement_day", False)))


def learn(text: DocumentText, corrected: Mapping[str, Value]) -> SenderProfile:
    """The labels beside the values a person confirmed or corrected."""
    reading = pairing.pair(tokenise(text))
    labels: dict[str, str] = {}
    for name, value in corrected.items():
        label = LEARNABLE.get(name)
        if label is not None and (phrase := _label_beside(reading, value, label)):
            labels[phrase] = label
    settled, traded = corrected.get("settlement_date"), corrected.get("trade_date")
    return SenderProfile(labels, trades_on_settlement_day=settled is not None and settled == traded)


def _label_beside(reading: LabelledText, value: Value, name: str) -> str | None:
    """The words by which the value is called; the document's own label first, if it has one for it already."""
    places = list(_places(reading, value))
    if any(reading.about(token).of(name) >= 2.0 for token in places):
        return None
    for token in places:
        if phrase := _words_before(reading, token) or _words_above(reading, token):
            return phrase
    return None


def _places(reading: LabelledText, value: Value) -> Iterator[Token]:
    for token in reading.text.of(TokenKind.NUMBER, TokenKind.DATE):
        if isinstance(value, Decimal) and token.kind is TokenKind.NUMBER:
            if value == token.number or any(value == other.value for other in token.also):
                yield token
        elif isinstance(value, date) and token.kind is TokenKind.DATE and token.day == value:
            yield token


def _words_before(reading: LabelledText, token: Token) -> str | None:
    line = reading.text.lines[token.line]
    before = [other for other in line.tokens if other.end <= token.start]
    edge = max((other.end for other in before if other.kind is not TokenKind.CURRENCY), default=0)
    currency = [other for other in before if other.kind is TokenKind.CURRENCY and other.start >= edge]
    stop = currency[0].start if currency else token.start
    found = _TRAILING.search(line.text[edge:stop].rstrip(" :-+€$£"))
    return _phrase(found.group()) if found else None


def _words_above(reading: LabelledText, token: Token) -> str | None:
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
