"""All that an e-invoice's XML says, wherever it says it: what pages may print without contradicting it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from postroom.nouns.documents import typed
from postroom.reading.invoices.xmlguard import XmlNode, number
from postroom.reading.page.dates import fold
from postroom.reading.page.tokens import TokenKind, tokenise

LONGEST_NOTE = 20_000  # characters of free text that are looked through for amounts and days
WORDS = re.compile(r"[^\W_]+")
_DAY = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?!\d)")
_LETTERS = re.compile(r"[^\W\d_]{2}")


@dataclass(frozen=True)
class StatedAnywhere:
    """Amounts without their sign, days, and the texts of all elements."""

    amounts: frozenset[Decimal] = frozenset()
    money: frozenset[Decimal] = frozenset()
    """Those that are no rates and no quantities."""
    rates: frozenset[Decimal] = frozenset()
    noted_days: frozenset[date] = frozenset()
    """Those in free text, such as terms of payment, and every day that something is due."""
    texts: tuple[str, ...] = ()

    @cached_property
    def words(self) -> frozenset[str]:
        return frozenset(word for text in self.texts for word in WORDS.findall(fold(text)))


def stated_anywhere(root: XmlNode) -> StatedAnywhere:
    texts = tuple(node.text for node in _nodes(root) if node.text)
    notes = "\n".join(text for text in texts if _LETTERS.search(text))[:LONGEST_NOTE]
    tokens = tokenise(typed(notes))
    noted = {abs(token.number) for token in tokens.of(TokenKind.NUMBER)}
    amounts = {abs(value) for text in texts if (value := number(text)) is not None} | noted
    rates = {token.number for token in tokens.of(TokenKind.PERCENT)}
    rates |= {value for node in _nodes(root) if "Percent" in node.name and (value := number(node.text)) is not None}
    amounts |= rates
    named = (number(node.text) for node in _nodes(root) if node.name.endswith("Amount"))
    money = {abs(value) for value in named if value is not None} | {one for one in noted if one % 1}
    due = (_day(part.text) for node in _nodes(root) if "Due" in node.name for part in _nodes(node))
    days = {day for day in due if day is not None} | {token.day for token in tokens.of(TokenKind.DATE)}
    return StatedAnywhere(frozenset(amounts), frozenset(money), frozenset(rates), frozenset(days), texts)


def _nodes(node: XmlNode) -> Iterator[XmlNode]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _day(text: str) -> date | None:
    digits = _DAY.match(text)
    try:
        return date(int(digits[1]), int(digits[2]), int(digits[3])) if digits else None
    except ValueError:
        return None
