"""Trade day and settlement day: by label, by a time beside them, and by settlement not coming before the trade."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, timedelta

from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.tokens import Token, TokenKind
from postroom.reading.weights import Weights

LABELLED = 0.85
LONGEST_SETTLEMENT = timedelta(days=12)
BESIDE = 12  # letters between a day and its time
UNNAMED = 0.5  # below this a label says nothing
TOLD = 2.4  # so plainly a label must call a day something else
PLAINLY = 1.5  # a label as loud as this leaves no doubt
PLAINER = 0.8  # by so much plainer a label tells the trade day from that of booking
AGO = timedelta(days=45)  # so long before settlement or the letter lies another trade's day
LETTERHEAD = 40  # lines in which a letter's day stands
LETTER_AFTER = timedelta(days=10)  # a paper is written so soon after what it tells of
_LETTERHEAD = re.compile(r"[^\W\d_]+(?: [^\W\d_]+){0,3}, ?(?:(?:the|den|le|am|op|il|el|em|a) )?$", re.IGNORECASE)
"""A place and a comma, as it stands before a letter's day."""
_NAMED = re.compile(r"[^\W\d_]{3,}[.):]*[ :]{1,3}$")

Times = Mapping[int, Sequence[int]]
"""Where times of day begin, by line."""


@dataclass(frozen=True, slots=True)
class TradeDays:
    trade: Token | None
    settlement: Token | None
    trade_score: float = 0.0
    settlement_score: float = 0.0
    rival: float = 0.0
    borrowed: bool = False
    """The settlement day stands in for a trade day that is not printed."""
    seen: int = 0
    """How often the trade day is printed."""
    different: int = 0
    """How many days are printed."""
    timed: bool = False
    """Whether a time of day stands beside the trade day."""
    label: float = 0.0
    """How plainly a label calls it the trade day, all else aside."""
    called_too: float = 0.0
    """How plainly a label calls another day the trade day."""
    ex: Token | None = None
    """The first day without the right to a dividend."""
    early: bool = False
    """Whether a label calls a day before the trade that of settlement."""
    told: bool = False
    """Whether it is plain of every other day what it is: settlement's, the order's, the letter's or the print's."""


def choose(reading: LabelledText, tokens: Sequence[Token], ago: Set[date] = frozenset()) -> TradeDays:
    """The likeliest pair of days among the dates of a document or block; those `ago` are another trade's."""
    dates = [token for token in tokens if token.kind is TokenKind.DATE]
    if not dates:
        return TradeDays(None, None)
    settle = [(reading.about(token).of("settlement_date"), token) for token in dates]
    settle = [(score, token) for score, token in settle if score > 0]
    top = max(settle, key=lambda item: item[0], default=None)
    times = _times(tokens)
    ranked = _before_the_letter(reading, _ranked(reading, dates, times, top, ago), times)
    score, trade = ranked[0]
    rival = next((other for other, token in ranked[1:] if token.day != trade.day), 0.0)
    plain = reading.about(trade).of("trade_date") >= TOLD
    borrowed = score < LABELLED and not plain and top is not None and top[0] >= LABELLED
    if borrowed and top is not None:
        borrowed = all(token.day != top[1].day for token in dates if reading.about(token).of("settlement_date") < 1.0)
        score, trade = 0.0, top[1]
    seen = sum(1 for token in dates if token.day == trade.day)
    different = len({token.day for token in dates})
    label = max(reading.about(token).of("trade_date") for token in dates if token.day == trade.day)
    timed = any(_is_timed(reading, token, times) for token in dates if token.day == trade.day)
    settlement = _settlement(trade, settle)
    ex = max(dates, key=lambda token: reading.about(token).of("ex_date"))
    return TradeDays(
        trade,
        settlement,
        score,
        top[0] if top else 0.0,
        rival,
        borrowed,
        seen,
        different,
        timed,
        label,
        _called_too(reading, dates, trade, settlement, label),
        ex if reading.about(ex).of("ex_date") >= LABELLED else None,
        plain and settlement is None and top is not None and top[0] >= LABELLED and top[1].day < trade.day,
        all(_is_told(reading, token) for token in dates if token.day != trade.day),
    )


def _is_told(reading: LabelledText, token: Token) -> bool:
    known = reading.about(token)
    if max(known.of(name) for name in ("settlement_date", "order_date", "other_date", "ex_date")) >= TOLD:
        return True
    return _is_letter_s(reading, token)


def _called_too(
    reading: LabelledText, dates: Sequence[Token], trade: Token, settlement: Token | None, label: float
) -> float:
    """How plainly another day is called the trade's; one that comes later and is named much less plainly is when it was
    booked."""
    others = [token for token in dates if token.day != trade.day and (not settlement or token.day != settlement.day)]
    named = ((token, reading.about(token)) for token in others)
    called = ((token, one.of("trade_date")) for token, one in named if one.of("other_date") < 1.0)
    return max(
        (score for token, score in called if score and not (label - score >= PLAINER and token.day > trade.day)),
        default=0.0,
    )


def _ranked(
    reading: LabelledText, dates: Sequence[Token], times: Times, top: tuple[float, Token] | None, ago: Set[date]
) -> list[tuple[float, Token]]:
    """Dates by score; a day that several labels name gains from each."""
    by_day: dict[date, list[tuple[float, Token]]] = {}
    for token in dates:
        by_day.setdefault(token.day, []).append((_trade(reading, token, times), token))
    ranked, w = [], reading.weights
    for named in by_day.values():
        named.sort(key=lambda item: -item[0])
        score, token = named[0]
        more = sum(max(other, 0.0) for other, _ in named[1:3])
        score += w["day.again"] * more + _in_order(token, top, w)
        ranked.append((score + (w["day.long_ago"] if token.day in ago else 0.0), token))
    return sorted(ranked, key=lambda item: -item[0])


def long_ago(reading: LabelledText, tokens: Sequence[Token]) -> Set[date]:
    """Days long before the one on which a paper settles, or was written: of lots that are sold, of a former purchase.
    Of those nobody tells the minute. None if no other day is near that one: then it may be any."""
    dates = [token for token in tokens if token.kind is TokenKind.DATE]
    every = [token.day for token in dates]
    if not every or max(every) - min(every) <= AGO:
        return frozenset()
    settled = [token.day for token in dates if reading.about(token).of("settlement_date") >= PLAINLY]
    written = [token.day for token in dates if token.line < LETTERHEAD and _is_letter_s(reading, token)]
    own = min(settled or written, default=None)
    if own is None or not any(token.day != own and abs(own - token.day) <= AGO for token in dates):
        return frozenset()
    times = _times(tokens)
    timed = {token.day for token in dates if _has_time(token, times)}
    return {token.day for token in dates if own - token.day > AGO} - timed


def former_lines(tokens: Sequence[Token], ago: Set[date]) -> Set[int]:
    """Lines that tell of days long ago and of no other: bought and sold are said there of another trade."""
    if not ago:
        return frozenset()
    dates = [token for token in tokens if token.kind is TokenKind.DATE]
    return {token.line for token in dates if token.day in ago} - {token.line for token in dates if token.day not in ago}


def _is_letter_s(reading: LabelledText, token: Token) -> bool:
    line = reading.text.lines[token.line].text
    return not line[token.end :].strip() and _LETTERHEAD.fullmatch(line[: token.start].lstrip()) is not None


def _before_the_letter(
    reading: LabelledText, ranked: list[tuple[float, Token]], times: Times
) -> list[tuple[float, Token]]:
    """`Datum` alone may be the letter's: a day that an unknown word names and that came just before is the trade's.
    A letter is not dated to the minute."""
    score, first = ranked[0]
    if not ranked[1:] or reading.about(first).of("trade_date") >= PLAINLY or _has_time(first, times):
        return ranked
    for other in ranked[1:]:
        named = _is_named(reading, other[1]) or _is_named_more(reading, other[1], first)
        if named and timedelta(0) < first.day - other[1].day <= LETTER_AFTER:
            rest = [item for item in ranked if item is not other]
            return [(score, other[1]), *rest]
    return ranked


def _is_named(reading: LabelledText, token: Token) -> bool:
    """Whether words that nobody knows stand right before a day, as a label would."""
    known = reading.about(token)
    if any(known.of(name) >= UNNAMED for name in ("trade_date", "settlement_date", "order_date", "other_date")):
        return False
    return bool(_NAMED.search(reading.text.lines[token.line].text[: token.start]))


def _is_named_more(reading: LabelledText, token: Token, than: Token) -> bool:
    """Whether a compound of the other's bare name calls a day: `Kursdatum` beside `Datum`."""
    name, bare = (reading.about(one).labels.get("trade_date", "") for one in (token, than))
    return bool(bare) and name != bare and name.endswith(bare)


def _trade(reading: LabelledText, token: Token, times: Times) -> float:
    evidence, w = reading.about(token), reading.weights
    score = evidence.of("trade_date")
    score -= w["day.called_other"] * evidence.of("other_date") + w["day.called_settlement"] * evidence.of(
        "settlement_date"
    )
    if score <= 0 and evidence.of("order_date") >= 1.5:
        return w["day.ordered"]
    if _is_timed(reading, token, times):
        score += w["day.timed"]
    return score + (w["day.unnamed"] if _is_named(reading, token) else 0.0)


def _is_timed(reading: LabelledText, token: Token, times: Times) -> bool:
    """Whether a time of day stands beside it, and nothing calls it the order's day or the print's."""
    if not _has_time(token, times):
        return False
    evidence = reading.about(token)
    return max(evidence.of("other_date"), evidence.of("order_date")) < 1.5


def _times(tokens: Sequence[Token]) -> Times:
    found: dict[int, list[int]] = {}
    for token in tokens:
        if token.kind is TokenKind.TIME:
            found.setdefault(token.line, []).append(token.start)
    return found


def _has_time(token: Token, times: Times) -> bool:
    return any(0 <= start - token.end <= BESIDE for start in times.get(token.line, ()))


def _in_order(trade: Token, settlement: tuple[float, Token] | None, w: Weights) -> float:
    if settlement is None or settlement[0] < 1.5:
        return 0.0
    wait = settlement[1].day - trade.day
    if timedelta(0) <= wait <= LONGEST_SETTLEMENT:
        return w["day.before_settlement"]
    return w["day.after_settlement"] if wait < timedelta(0) else w["day.long_before"]


def _settlement(trade: Token, settle: Sequence[tuple[float, Token]]) -> Token | None:
    fitting = [(score, token) for score, token in settle if token.day >= trade.day and score >= 0.8]
    return max(fitting, key=lambda item: item[0])[1] if fitting else None
