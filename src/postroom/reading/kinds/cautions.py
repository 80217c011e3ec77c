"""What the paper around an entry says against posting it unseen: called off, only held, booked otherwise, more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

from postroom.nouns.documents import plain
from postroom.reading.entries import days
from postroom.reading.entries.entry import EntryReading
from postroom.reading.labels import words
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.page.tokens import Token, TokenKind

UNDONE = ("order_document", "undone")
HELD = ("held",)
LOOKED_AT = 400  # lines; beyond stands small print
TITLES = 50  # lines in which a title may stand
TITLE_WORDS = 8
SENTENCE_WORDS = 4  # so many that end in a full stop are no title
PROSE_WORDS = 13  # a line as long as this goes on in the next one
CENTS = 2  # decimals
BETWEEN = 2  # words between an account and its currency
NEAR = 8  # lines below the net amount
TOLD = 2.4  # so plainly a label calls a day the trade's
FAINT = 1.0
LONGEST_LINE = 60  # words; what is longer names no account
MOST_NUMBERS = 20  # of a line that are multiplied with each other
BESIDE = 12  # letters between a day and its time
SAID, CALLED = words.WEIGHTS["fair"], words.WEIGHTS["strong"]

Caution = Callable[[LabelledText, EntryReading], str]


def load(languages: tuple[str, ...]) -> None:
    """Arranges the words of these languages, before the first paper in them comes."""
    for names in (UNDONE, HELD):
        words.told_by(languages, *names)


def raised(reading: LabelledText, entry: EntryReading) -> tuple[str, ...]:
    """Every sentence that speaks against it; none if nothing does."""
    return tuple(said for caution in CAUTIONS if (said := caution(reading, entry)))


def undone(reading: LabelledText, entry: EntryReading) -> str:
    """A title or a sentence says that nothing was done, or that it was called off, or that another paper counts."""
    for index, hit in _remarks(reading, *UNDONE):
        loud = min(weight for _, weight in hit.meaning)  # what only sounds so is weak
        if loud == SAID or (loud == CALLED and _is_title(reading, index)):
            said = _printed(reading, index, hit)
            return f"It says “{said}”: it may be an order, an estimate, a cancellation or a correction."
    return ""


def held(reading: LabelledText, entry: EntryReading) -> str:
    """A title over the count says that it lists what is held: a price of today and a day of purchase are no trade."""
    counted = entry.tokens.get("quantity")
    for index, hit in _remarks(reading, *HELD):
        if (counted is None or index < counted.line) and _is_title(reading, index):
            return f"It is called “{_printed(reading, index, hit)}”: a list of what is held is no trade."
    return ""


def _remarks(reading: LabelledText, *names: str) -> Sequence[tuple[int, words.PhraseHit]]:
    """Every such phrase with its line."""
    known = reading.remarks.get(names)
    if known is None:
        phrases = words.told_by(reading.lexicon.languages, *names)
        lines = enumerate(reading.spelt[:LOOKED_AT])
        known = reading.remarks[names] = [(index, hit) for index, line in lines for hit in words.find(line, phrases)]
    return known


def _printed(reading: LabelledText, index: int, hit: words.PhraseHit) -> str:
    return reading.text.lines[index].text[hit.start : hit.end]


def _is_title(reading: LabelledText, index: int) -> bool:
    """Whether a line stands by itself: short, no sentence, and not the rest of a paragraph."""
    count = len(reading.spelt[index].words)
    ends = reading.text.lines[index].text.rstrip().endswith(".")
    goes_on = index > 0 and len(reading.spelt[index - 1].words) >= PROSE_WORDS
    return index < TITLES and count <= TITLE_WORDS and not (ends and count >= SENTENCE_WORDS) and not goes_on


def day_unread(reading: LabelledText, entry: EntryReading) -> str:
    """A label for the trade day without a day that can be read, while another day stands in for it."""
    if not entry.flags.get("day_borrowed"):
        return ""
    for index, hits in enumerate(reading.labels[:LOOKED_AT]):
        for hit in hits:
            meant = dict(hit.meaning)
            if meant.get("trade_date", 0.0) >= SAID and "quantity" not in meant:
                return f"It prints “{_printed(reading, index, hit)}”, but no day that can be read beside it."
    return ""


def booked_otherwise(reading: LabelledText, entry: EntryReading) -> str:
    """An account in another currency, or below the net amount an amount in one that no rate explains."""
    net = entry.tokens.get("net")
    if net is None or entry.currency is None:
        return ""
    for token in _accounts(reading):
        if token.value != entry.currency:
            return f"It names an account in {token.value}, but the net amount is in {entry.currency}."
    if entry.flags.get("converted"):
        return ""
    used = {id(token) for token in entry.tokens.values()}
    for line in reading.text.lines[net.line : LOOKED_AT]:
        for token in line.of(TokenKind.NUMBER):
            if token.currency not in (None, entry.currency) and token.decimals == CENTS and id(token) not in used:
                return f"Below the net amount it prints {token.text} {token.currency}, which no rate explains."
    return ""


def _accounts(reading: LabelledText) -> Sequence[Token]:
    """The currencies that accounts are in."""
    if reading.accounts is None:
        lines = enumerate(reading.text.lines[:LOOKED_AT])
        named = ((index, token) for index, line in lines for token in line.of(TokenKind.CURRENCY))
        reading.accounts = [token for index, token in named if _is_account_s(reading, index, token)]
    return reading.accounts


def _is_account_s(reading: LabelledText, index: int, currency: Token) -> bool:
    """Whether a word for an account stands so near that the currency is the account's."""
    spelt = reading.spelt[index]
    if len(spelt.words) > LONGEST_LINE:
        return False
    for place, word in enumerate(spelt.words):
        part = reading.parts.part(word)
        if part is not None and "account" in part.marks:
            start, end = spelt.spans[place]
            between = [span for span in spelt.spans if end < span[0] < currency.start or currency.end < span[0] < start]
            if len(between) <= BETWEEN:
                return True
    return False


def comes_to_more(reading: LabelledText, entry: EntryReading) -> str:
    """Below the net amount another is printed, and what lies between the two: charged under a name nobody knows."""
    net = entry.tokens.get("net")
    if net is None or entry.net is None:
        return ""
    below = [
        token
        for line in reading.text.lines[net.line : net.line + NEAR]
        for token in line.of(TokenKind.NUMBER)
        if token.decimals == CENTS and token.currency in (None, entry.currency) and token is not net
    ]
    printed = {abs(token.number) for token in below} - {0}
    known = {entry.net, *(amount.value for amount in entry.used)}
    for token in below:
        other = abs(token.number)
        if other not in known and abs(other - entry.net) in printed - known:
            return f"Nothing explains {token.text}, which is the net amount and another printed one together."
    return ""


def told_twice(reading: LabelledText, entry: EntryReading) -> str:
    """Two days or two times are plainly the trade's."""
    if reading.told_twice is None:
        reading.told_twice = _told_twice(reading)
    return reading.told_twice


def _told_twice(reading: LabelledText) -> str:
    dates = reading.text.of(TokenKind.DATE)
    ago = days.long_ago(reading, reading.text.of(TokenKind.DATE, TokenKind.TIME))
    called = [
        token
        for token in dates
        if token.day not in ago
        and (about := reading.about(token)).of("trade_date") >= TOLD
        and max(about.of("other_date"), about.of("settlement_date")) < FAINT
    ]
    if len({token.day for token in called}) > 1:
        return "It calls two different days the trade day."
    times = {str(time.value) for token in called for time in _times_beside(reading, token)}
    return f"It tells {len(times)} times of trade." if len(times) > 1 else ""


def _times_beside(reading: LabelledText, day: Token) -> list[Token]:
    return [time for time in reading.text.lines[day.line].of(TokenKind.TIME) if 0 <= time.start - day.end <= BESIDE]


def told_beside(reading: LabelledText, entry: EntryReading) -> str:
    """A line says bought or sold, and a count, a price and their product that are not this entry's."""
    own = {amount.value for amount in entry.used}
    for index, hits in enumerate(reading.topics[:LOOKED_AT]):
        if not hits or not any(
            name in ("buy", "sell") and weight >= CALLED for hit in hits for name, weight in hit.meaning
        ):
            continue
        values = [abs(token.number) for token in reading.text.lines[index].of(TokenKind.NUMBER)][:MOST_NUMBERS]
        for count, price in combinations([value for value in values if value > 1], 2):
            if count * price in values and count * price not in own:
                return f"It also tells of {plain(count)} × {plain(price)} = {plain(count * price)}."
    return ""


CAUTIONS: tuple[Caution, ...] = (
    undone, held, day_unread, booked_otherwise, comes_to_more, told_twice, told_beside,
)  # fmt: skip
