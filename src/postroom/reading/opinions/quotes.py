"""Quotes held against the document: found letter by letter, and what stands there read by our own rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from stdnum import iban as iban_number

from postroom.nouns.documents import Box, Value
from postroom.reading.opinions.answers import LONGEST_QUOTE, ModelClaim
from postroom.reading.page.lines import union
from postroom.reading.page.numbers import read_number
from postroom.reading.page.tokens import OneKind, Token, TokenKind, TokenText, checks

_IBAN = re.compile(r"[A-Z]{2}\d{2}[A-Z0-9]{11,30}")


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Where a quote stands: from a letter of one line to a letter of the same or a later one."""

    first: tuple[int, int]
    last: tuple[int, int]

    def covers(self, line: int, start: int, end: int) -> bool:
        return self.first <= (line, start) and (line, end - 1) <= self.last

    def touches(self, line: int, start: int, end: int) -> bool:
        return self.first <= (line, end - 1) and (line, start) <= self.last


@dataclass(frozen=True, slots=True)
class HeardClaim:
    """A claim that holds: its value as we read it, where it stands, and the quote."""

    value: Value
    quote: str
    page: int
    box: Box
    token: Token | None = None


class ClaimDropped(Exception):
    """Why a claim does not count."""


class Quotes:
    """A document in which quotes are looked up, blanks aside."""

    def __init__(self, text: TokenText) -> None:
        self.text = text
        letters: list[str] = []
        self._at: list[tuple[int, int]] = []
        for line in text.lines:
            for column, letter in enumerate(line.text):
                if letter.isspace():
                    if letters and letters[-1] == " ":
                        continue
                    letter = " "
                letters.append(letter)
                self._at.append((line.index, column))
            letters.append(" ")
            self._at.append((line.index, len(line.text)))
        self._folded = "".join(letters)

    def places(self, quote: str) -> Iterator[QuotePlace]:
        """Every place where it stands as a whole: not within a word, a number or its decimals."""
        wanted = " ".join(quote.split())
        start = self._folded.find(wanted) if wanted else -1
        while start >= 0:
            end = start + len(wanted)
            if not _runs_on(self._folded, start, end):
                yield QuotePlace(self._at[start], self._at[end - 1])
            start = self._folded.find(wanted, start + 1)

    def box(self, place: QuotePlace) -> tuple[int, Box]:
        (line, start), (last, end) = place.first, place.last
        page = self.text.lines[line].line.page
        if line == last:
            return page, self.text.lines[line].line.box_of(start, end + 1)
        lines = [
            typed.line for typed in self.text.lines[line : last + 1] if typed.line.page == page and typed.line.words
        ]
        return page, union(one.box for one in lines)

    def tokens(self, place: QuotePlace, *kinds: OneKind) -> list[Token]:
        lines = self.text.lines[place.first[0] : place.last[0] + 1]
        return [
            token for line in lines for token in line.of(*kinds) if place.covers(token.line, token.start, token.end)
        ]

    def heard(self, name: str, claim: ModelClaim) -> HeardClaim:
        """What the quote says of this field. Raises Dropped with the reason."""
        if not claim.quote:
            raise ClaimDropped("It quotes nothing.")
        places = [] if len(claim.quote) > LONGEST_QUOTE else list(self.places(claim.quote))
        if not places:
            raise ClaimDropped("Its quote is not in the document.")
        read = _READERS.get(name, _words)
        found = read(self, places, claim)
        if found is None:
            raise ClaimDropped(f"Its quote does not say {claim.value or 'so'}.")
        return found


def _runs_on(text: str, start: int, end: int) -> bool:
    before, first = text[start - 1] if start else " ", text[start]
    behind, last = text[end] if end < len(text) else " ", text[end - 1]
    if (before.isalnum() and first.isalnum()) or (last.isalnum() and behind.isalnum()):
        return True
    further = text[end + 1] if end + 1 < len(text) else " "
    earlier = text[start - 2] if start > 1 else " "
    cut_behind = last.isdigit() and behind in ".,'’" and further.isdigit()
    return cut_behind or (first.isdigit() and before in ".,'’" and earlier.isdigit())


Reader = Callable[[Quotes, Sequence[QuotePlace], ModelClaim], HeardClaim | None]


def _tokens_of(quotes: Quotes, places: Sequence[QuotePlace], *kinds: OneKind) -> list[Token]:
    return [token for place in places for token in quotes.tokens(place, *kinds)]


def _of_token(token: Token, value: Value, claim: ModelClaim) -> HeardClaim:
    return HeardClaim(value, claim.quote, token.page, token.box, token)


def _number(quotes: Quotes, places: Sequence[QuotePlace], claim: ModelClaim) -> HeardClaim | None:
    """The number in the quote; of several, the one that is meant, if that is clear."""
    tokens = _tokens_of(quotes, places, TokenKind.NUMBER, TokenKind.PERCENT)
    said = _readings(claim.value)
    if claim.value and not said:
        return None
    meant = [(token, value) for token in tokens if (value := _meant(token, said)) is not None]
    if len({value for _, value in meant}) != 1:
        return None
    token, value = meant[0]
    return _of_token(token, -value if token.negative else value, claim)


def _readings(text: str) -> set[Decimal]:
    digits = re.sub(r"[^\d.,' ’]", "", text).strip(" .,'’")
    both = [number for decimal in (".", ",") if digits and (number := read_number(digits, decimal)) is not None]
    return {value for number in both for value in (number.value, number.also) if value is not None}


def _meant(token: Token, said: set[Decimal]) -> Decimal | None:
    """The token's own reading if it is what was said, else another possible one that is."""
    if not said or token.number in said:
        return token.number
    return next((other.value for other in token.also if other.value in said), None)


def _day(quotes: Quotes, places: Sequence[QuotePlace], claim: ModelClaim) -> HeardClaim | None:
    tokens = _tokens_of(quotes, places, TokenKind.DATE)
    said = _iso(claim.value)
    if claim.value and said is None:
        return None
    meant = [token for token in tokens if said is None or token.day == said]
    return _of_token(meant[0], meant[0].day, claim) if len({token.day for token in meant}) == 1 else None


def _iso(text: str) -> date | None:
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _isin(quotes: Quotes, places: Sequence[QuotePlace], claim: ModelClaim) -> HeardClaim | None:
    tokens = [token for token in _tokens_of(quotes, places, TokenKind.ISIN) if checks(token.text)]
    meant = [token for token in tokens if not claim.value or token.text == claim.value.upper()]
    return _of_token(meant[0], meant[0].text, claim) if len({token.text for token in meant}) == 1 else None


def _currency(quotes: Quotes, places: Sequence[QuotePlace], claim: ModelClaim) -> HeardClaim | None:
    tokens = _tokens_of(quotes, places, TokenKind.CURRENCY)
    meant = [token for token in tokens if not claim.value or token.value == claim.value.upper()]
    return _of_token(meant[0], str(meant[0].value), claim) if len({token.value for token in meant}) == 1 else None


def _iban(quotes: Quotes, places: Sequence[QuotePlace], claim: ModelClaim) -> HeardClaim | None:
    squeezed = re.sub(r"\s", "", claim.quote).upper()
    said = re.sub(r"\s", "", claim.value).upper()
    found = said if said and said in squeezed else next(iter(_IBAN.findall(squeezed)), "")
    if not iban_number.is_valid(found, check_country=False) or (said and said != found):
        return None
    return HeardClaim(found, claim.quote, *quotes.box(places[0]))


def _words(quotes: Quotes, places: Sequence[QuotePlace], claim: ModelClaim) -> HeardClaim | None:
    """Text must stand in the quote as it is."""
    said, quote = " ".join(claim.value.split()), " ".join(claim.quote.split())
    value = said or quote
    if value not in quote:
        return None
    exact = [
        place for place in quotes.places(value) if any(whole.first <= place.first <= whole.last for whole in places)
    ]
    return HeardClaim(value, claim.quote, *quotes.box(exact[0])) if exact else None


NUMBERS = ("quantity", "price", "gross", "net", "net_total", "tax_total", "grand_total")
DAYS = ("trade_date", "settlement_date", "issue_date", "due_date")
_READERS: Mapping[str, Reader] = {
    **dict.fromkeys(NUMBERS, _number),
    **dict.fromkeys(DAYS, _day),
    "isin": _isin,
    "currency": _currency,
    "iban": _iban,
}
