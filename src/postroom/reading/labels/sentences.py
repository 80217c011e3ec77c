"""What a sentence says of its days: on the one something was carried out, on another ordered, on a third paid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from postroom.reading.labels import words
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import PhraseHit
from postroom.reading.page.tokens import Token, TokenKind

FIELD_OF = {
    "done": "trade_date", "moved": "settlement_date", "issued": "other_date",
    "ordered": "order_date", "order": "order_date",
}  # fmt: skip
TELLS = frozenset(("done", "moved", "issued"))
WRAPPED = 60  # letters from which on a line without a full stop goes on in the next
LEADS = 18  # letters between a day and the word that leads to it: a weekday may stand there
TOUCHES = 3  # letters between a day and a verb that is about no other
TOUCHES_BEHIND = 16  # ... behind it, where its time may stand
OF_ORDER = 45  # letters between an order and its day
BARE = 2.0  # the loudest that a bare `on` or a word for what was done says of a day
LINE = 10_000  # more letters than a line has
_ENDS = re.compile(r"(?:[^\W\d_]{3}|\d{4}|\))[.;!?] +(?=[^\W\d_])")
_STOPS = re.compile(r"[.:;!?]\s*$")


class SaidWord(NamedTuple):
    """A word of a sentence that tells what was done, or leads to a day."""

    start: int
    end: int
    names: frozenset[str]
    phrase: str


def told(reading: LabelledText, index: int, days: Sequence[Token]) -> None:
    """`Wir haben Ihren Auftrag vom 2.5.2024 am 3.5.2024 ausgeführt`: each day by the words around it. What a sentence
    calls another day is no longer called the trade's for a bare `am`."""
    if not words.found(reading.text.lines[index].line, reading.spelt[index], reading.lexicon.sentences):
        return
    said, ends, dated = _around(reading, index)
    for day in days:
        name, phrase = _said_of(day.start + LINE, day.end + LINE, said, ends, dated)
        if not name:
            continue
        known = reading.about(day)
        if name != "trade_date":
            known.forget("trade_date", BARE)
        known.add(name, reading.weights["pair.sentence_day"], phrase)


def _around(reading: LabelledText, index: int) -> tuple[list[SaidWord], list[int], list[int]]:
    """Telling words, ends of sentences and days of a line, and of those that it goes on from and in."""
    lines, said, ends, dated = reading.text.lines, list[SaidWord](), [0], list[int]()
    for offset, at in _lines(reading, index):
        line = lines[at]
        hits = words.found(line.line, reading.spelt[at], reading.lexicon.sentences)
        said += [_shifted(hit, offset) for hit in hits]
        dated += [token.start + offset for token in line.of(TokenKind.DATE)]
        ends += [found.end() + offset for found in _ENDS.finditer(line.text) if line.text[found.end()].isupper()]
    return said, sorted(ends), dated


def _lines(reading: LabelledText, index: int) -> Iterator[tuple[int, int]]:
    if index and goes_on(reading, index - 1):
        yield 0, index - 1
    yield LINE, index
    if index + 1 < len(reading.text.lines) and goes_on(reading, index):
        yield 2 * LINE, index + 1


def goes_on(reading: LabelledText, index: int) -> bool:
    """Whether a line is long and ends in the middle of a sentence."""
    text = reading.text.lines[index].text
    return len(text) >= WRAPPED and not _STOPS.search(text)


def _shifted(hit: PhraseHit, offset: int) -> SaidWord:
    return SaidWord(hit.start + offset, hit.end + offset, frozenset(name for name, _ in hit.meaning), hit.phrase)


def _said_of(
    start: int, end: int, every: Sequence[SaidWord], ends: Sequence[int], dated: Sequence[int]
) -> tuple[str, str]:
    """The field that a day is by its sentence, and by which word."""
    begins = max(place for place in ends if place <= start)
    stops = min((place for place in ends if place > start), default=10 * LINE)
    said = [word for word in every if begins <= word.start < stops]
    leads = next((word for word in reversed(said) if _leads(word, start)), None)
    if leads is None:
        touching = [word for word in said if "ordered" in word.names and 0 <= start - word.end <= TOUCHES]
        return ("order_date", touching[0].phrase) if touching else ("", "")
    if "of" in leads.names:
        before = (at for at in dated if at < start)
        since = max(before, default=0)
        ordered = [word for word in said if "order" in word.names and since < word.start < leads.start]
        if ordered and leads.start - ordered[-1].end <= OF_ORDER:
            return "order_date", ordered[-1].phrase
        if "on" not in leads.names:
            return "", ""
    touching = [word for word in said if "ordered" in word.names and _touches(word, leads.start, end)]
    if touching:
        return "order_date", touching[0].phrase
    said = [word for word in said if not _leads_elsewhere(word, said, dated, leads)]
    telling = [word for word in said if not word.names.isdisjoint(TELLS)]
    telling = telling or [word for word in said if not word.names.isdisjoint(("ordered", "order"))]
    if not telling:
        return "", ""
    nearest = min(telling, key=lambda word: leads.start - word.end if word.end <= start else word.start - end)
    return next(FIELD_OF[name] for name in FIELD_OF if name in nearest.names), nearest.phrase


def _leads(word: SaidWord, start: int) -> bool:
    return not word.names.isdisjoint(("on", "of")) and 0 <= start - word.end <= LEADS


def _leads_elsewhere(word: SaidWord, said: Sequence[SaidWord], dated: Sequence[int], own: SaidWord) -> bool:
    """`traded on … with settlement on …`: a word right before what leads to a day is about that one."""
    return any(
        0 <= other.start - word.end <= TOUCHES and any(_leads(other, at) for at in dated)
        for other in said
        if other is not own
    )


def _touches(word: SaidWord, start: int, end: int) -> bool:
    return 0 <= start - word.end <= TOUCHES or 0 <= word.start - end <= TOUCHES_BEHIND
