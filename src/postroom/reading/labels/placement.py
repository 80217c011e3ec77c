"""What the place of a value says without a label: beside a unit, at a row's end, behind a word for what was done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise, permutations

from postroom.reading.labels import sentences, words
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import DATE_FIELDS, PhraseHit, SpeltLine
from postroom.reading.page.tokens import Token, TokenKind, TokenLine

FIRM = 2.0
LOUDEST = 3.0
CENTS = 2  # decimals
SECURITY_NUMBERS = frozenset(("isin", "valor", "wkn", "sedol", "cusip", "valoren"))
ROW_NUMBERS = frozenset(("nr", "no", "pos", "num", "nro", "lp", "n"))
ROWS_NUMBERED = 9
ROW_NUMBER = "row_number"
ASIDE = "aside"
LONGEST_PLACE = 40  # letters
LONGEST_CODE = 5  # letters of a currency and its blank
HIGHEST_COUPON = 20
MOST_MULTIPLIED = 4  # amounts of a line
ROUNDED = Decimal("0.011")
LEADING = 2  # letters before what begins a line
BEHIND_DAY = 3  # letters
TOUCHING = 2  # letters between a number and the word for what it counts
FACE_VALUE = ("nominal", "nennwert", "nominaal", "valeur nominale", "valore nominale", "face value")
_SHARE_OF = re.compile(r" ?(?:[^\W\d_]{1,4} ){1,2}(?:[A-Z]{3} |[€$£] ?)?")
_PLACE = re.compile(r"(?:[^\W\d_]+[ .-]{1,2}){0,3}[^\W\d_]+, ?(?:(?:den|am|le|il|el|the|em|dnia|d\.) )?(?:the )?")


def told(reading: LabelledText, index: int) -> None:
    """All that the places of a line's numbers and days tell."""
    line, spelt = reading.text.lines[index], reading.spelt[index]
    numbers, days = line.of(TokenKind.NUMBER), line.of(TokenKind.DATE)
    if numbers:
        _leading_count(reading, index, numbers)
        _leading_nominal(reading, index, numbers)
        _at_row_end(reading, line, numbers)
        _included(reading, line, numbers, spelt)
        _aside(reading, line, numbers, spelt)
        shares = line.of(TokenKind.PERCENT)
        _taxed(reading, line, numbers, shares, spelt)
        if shares:
            _taxed_gain(reading, line, numbers)
            _share_of(reading, line, numbers, shares)
        _given_back(reading, line, numbers, spelt)
        _beside_units(reading, line, numbers, spelt)
        _nominal(reading, line, numbers)
    if days:
        _behind_a_place(reading, line)
        _told_day(reading, index, days)
        sentences.told(reading, index, days)
        _of_the_rate(reading, index, days)
    if numbers and days:
        _booked(reading, index, numbers)


def _behind_a_place(reading: LabelledText, line: TokenLine) -> None:
    """`Linz, 9. Juni 2023`: the day a letter was written."""
    last = line.tokens[-1]
    if last.kind is TokenKind.DATE and last.start <= LONGEST_PLACE and _PLACE.fullmatch(line.text, 0, last.start):
        reading.about(last).add("other_date", reading.weights["pair.letter_day"], "")


def _included(reading: LabelledText, line: TokenLine, numbers: Sequence[Token], spelt: SpeltLine) -> None:
    """`Devisenkursmarge 13,83 EUR (im Kurs enthalten)`: nothing that comes on top."""
    if words.found(line.line, spelt, reading.lexicon.included):
        for token in numbers:
            reading.about(token).add("included", 1.0, "")


def _aside(reading: LabelledText, line: TokenLine, numbers: Sequence[Token], spelt: SpeltLine) -> None:
    """`Zur Information: Gegenwert CHF 3'098.58`: an amount that nobody booked. A rate is one all the same."""
    said = words.found(line.line, spelt, reading.lexicon.asides)
    if not said or said[0].start > LEADING:
        return
    for token in numbers:
        if not reading.about(token).of("fx"):
            reading.about(token).add(ASIDE, 1.0, said[0].phrase)


def _taxed(
    reading: LabelledText, line: TokenLine, numbers: Sequence[Token], shares: Sequence[Token], spelt: SpeltLine
) -> None:
    """`Bemessungsgrundlage für die Steuer 143,95`, `Steuer 25 % auf 143,95 35,99`: what a tax is reckoned from."""
    for first, second in pairwise(line.of(TokenKind.NUMBER, TokenKind.PERCENT)) if shares else ():
        behind = _SHARE_OF.fullmatch(line.text, first.end, second.start)
        if first.kind is TokenKind.PERCENT and behind and second.end < numbers[-1].start:
            reading.about(second).add("included", 1.0, "")
    base = _base(reading, spelt)
    if base is None:
        return
    opened = line.text.rfind("(", 0, base)
    closed = line.text.find(")", base) if opened >= 0 else -1
    for token in numbers:
        if token.start > base and (token.start < closed if closed >= 0 else not shares):
            reading.about(token).add("included", 1.0, "")


def _taxed_gain(reading: LabelledText, line: TokenLine, numbers: Sequence[Token]) -> None:
    """`Steuer auf Veräußerungsgewinn 26 % 242,46`: a share and one amount, which is the tax, whatever it is on."""
    if len(numbers) != 1:
        return
    before = [hit for hit in reading.labels[line.index] if hit.end <= numbers[0].start]
    taxes = [hit for hit in before if _means(hit, "tax")]
    if len(taxes) != 1 or len(before) < 2 or not all(_means(hit, "tax", "other") for hit in before):
        return
    known = reading.about(numbers[0])
    known.forget("other", LOUDEST)
    known.add("tax", LOUDEST, taxes[0].phrase)


def _share_of(reading: LabelledText, line: TokenLine, numbers: Sequence[Token], shares: Sequence[Token]) -> None:
    """`Steuer 26 % aus 932,53 242,46`: where one amount is the printed share of another, that other is its base."""
    if len(numbers) < 2 or not any(_means(hit, "fee", "tax") for hit in reading.labels[line.index]):
        return
    for share in shares:
        for base, part in permutations(numbers[:MOST_MULTIPLIED], 2):
            if part.decimals == CENTS and abs(base.number * share.number / 100 - part.number) <= ROUNDED < part.number:
                reading.about(base).add("included", 1.0, "")


def _base(reading: LabelledText, spelt: SpeltLine) -> int | None:
    """Where a line begins to say that something is reckoned from what follows."""
    for place, part in enumerate(map(reading.parts.part, spelt.words)):
        if part is not None and "base" in part.marks:
            return spelt.spans[place][0]
    return None


def _given_back(reading: LabelledText, line: TokenLine, numbers: Sequence[Token], spelt: SpeltLine) -> None:
    """`Kundenbonifikation 40 % vom Ausgabeaufschlag 9,71 EUR`: what makes a purchase cheaper."""
    if words.found(line.line, spelt, reading.lexicon.rebates):
        for token in numbers:
            reading.about(token).add("rebate", 1.0, "")


def _told_day(reading: LabelledText, index: int, days: Sequence[Token]) -> None:
    """`Kauf am 5.11.2019`, `executed the plan on …`, `5.11.2019 Kauf`: the day beside a word for what was done."""
    line = reading.text.lines[index]
    if any(_means(hit, "order_date", "settlement_date") for hit in reading.labels[index]):
        return
    first = days[0]
    if len(days) > 1 and any(token.start < first.start for token in line.of(TokenKind.NUMBER)):
        return  # a table's row, whose columns say which day is which
    done = [hit.start for hit in reading.topics[index] if _means(hit, "buy", "sell")]
    spelt = reading.spelt[index]
    for place, part in enumerate(map(reading.parts.part, spelt.words)):
        if part is not None and "trade" in part.marks and part.head in (None, "date"):
            done.append(spelt.spans[place][0])
    leads = first.start <= LEADING and any(0 < start - first.end <= BEHIND_DAY for start in done)
    if leads or any(start < first.start for start in done):
        reading.about(first).add("trade_date", reading.weights["pair.told_day"], "")


def _of_the_rate(reading: LabelledText, index: int, days: Sequence[Token]) -> None:
    """`Devisenkurs vom 3.5.2024: 1,0845`: the day of a rate."""
    hits = reading.labels[index]
    if not any(_means(hit, "fx") for hit in hits) or any(_means(hit, *DATE_FIELDS) for hit in hits):
        return
    for token in days:
        reading.about(token).add("other_date", reading.weights["pair.day_of_rate"], "")


def _means(hit: PhraseHit, *names: str) -> bool:
    return any(name in names and weight >= FIRM for name, weight in hit.meaning)


def _booked(reading: LabelledText, index: int, numbers: Sequence[Token]) -> None:
    """A line with an account and a day, or a header for both over it, ends with the money that was moved."""
    line = reading.text.lines[index]
    money = [token for token in numbers if token.decimals == CENTS]
    if len(money) != 1 or line.tokens[-1].start < money[0].start:
        return
    if line.of(TokenKind.IBAN) or _names_account(reading, index) or (index and _names_account(reading, index - 1)):
        reading.about(money[0]).add("net", reading.weights["pair.booked"], "")


def _names_account(reading: LabelledText, index: int) -> bool:
    settles = any(_means(hit, "settlement_date") for hit in reading.labels[index])
    parts = map(reading.parts.part, reading.spelt[index].words)
    return settles and any(part is not None and "account" in part.marks for part in parts)


def _leading_count(reading: LabelledText, index: int, numbers: Sequence[Token]) -> None:
    """A line that begins with a number and goes on with a name, the security's number soon after."""
    line = reading.text.lines[index]
    first = line.tokens[0]
    if first.kind is not TokenKind.NUMBER or first.start > 0 or first.currency or len(numbers) > 2:
        return
    if len(reading.spelt[index].words) < 2 or reading.about(first).of(ROW_NUMBER):
        return
    near = reading.text.lines[index : index + 4]
    if any(token.kind is TokenKind.ISIN for other in near for token in other.tokens) or _numbered(reading, index):
        reading.about(first).add("quantity", reading.weights["pair.leading_count"], "")


def _leading_nominal(reading: LabelledText, index: int, numbers: Sequence[Token]) -> None:
    """`CHF 20'000.00 1.25% Bonds …`: a line that begins with money and goes on with a coupon and a name, the security's
    number soon after, counts what is held of a bond."""
    if numbers[0].currency is None or numbers[0].start > LONGEST_CODE:
        return
    shares = reading.text.lines[index].of(TokenKind.PERCENT)
    if not shares:
        return
    coupon = shares[0]
    if not 0 <= coupon.start - numbers[0].end <= LONGEST_CODE or coupon.number >= HIGHEST_COUPON:
        return
    near = reading.text.lines[index : index + 4]
    if any(token.kind is TokenKind.ISIN for other in near for token in other.tokens) or _numbered(reading, index):
        reading.about(numbers[0]).add("quantity", reading.weights["pair.leading_count"], "")
        reading.about(numbers[0]).add("unit", 1.0, "")


def row_numbers(reading: LabelledText, index: int) -> None:
    """Under a header that begins with `No.`, rows begin with their number, which counts nothing."""
    spelt = reading.spelt[index].words
    if spelt[0] not in ROW_NUMBERS or len(spelt) < 2:
        return
    lines = reading.text.lines
    for line in lines[index + 1 : index + 1 + ROWS_NUMBERED]:
        first = line.tokens[0] if line.tokens else None
        if first is None or first.kind is not TokenKind.NUMBER or first.start > 0 or first.currency:
            continue
        if first.number <= ROWS_NUMBERED and first.decimals == 0:
            reading.about(first).add(ROW_NUMBER, 1.0, spelt[0])


def _numbered(reading: LabelledText, index: int) -> bool:
    near = reading.spelt[index + 1 : index + 5]
    return any(line.words and line.words[0] in SECURITY_NUMBERS for line in near)


def _beside_units(reading: LabelledText, line: TokenLine, numbers: Sequence[Token], spelt: SpeltLine) -> None:
    """A count stands beside its unit: `Stück 13`, `128,16 Stk`."""
    units = reading.lexicon.units
    if units.isdisjoint(spelt.words):
        return
    places = [span for word, span in zip(spelt.words, spelt.spans, strict=True) if word in units]
    for start, end in places:
        behind = next((token for token in numbers if 0 <= token.start - end <= 3), None)
        before = next((token for token in reversed(numbers) if 0 <= start - token.end <= 2), None)
        unit = line.text[start:end]
        if before is not None and before.currency is None:
            reading.about(before).add("quantity", reading.weights["pair.unit_behind"], unit)
            reading.about(before).add("unit", 1.0, unit)
        elif behind is not None:
            reading.about(behind).add("quantity", reading.weights["pair.unit_before"], unit)
            reading.about(behind).add("unit", 1.0, unit)


def _nominal(reading: LabelledText, line: TokenLine, numbers: Sequence[Token]) -> None:
    """`CHF 15'000 nominal`: of a bond, what is held is told in money."""
    for hit in reading.labels[line.index]:
        before = next((token for token in reversed(numbers) if 0 <= hit.start - token.end <= TOUCHING), None)
        if before is not None and before.currency is not None and hit.phrase.startswith(FACE_VALUE):
            reading.about(before).add("quantity", reading.weights["pair.unit_behind"], hit.phrase)
            reading.about(before).add("unit", 1.0, hit.phrase)


def _at_row_end(reading: LabelledText, line: TokenLine, numbers: Sequence[Token]) -> None:
    """A row that begins with a date and lists several numbers ends with what it comes to."""
    if line.tokens[0].kind is TokenKind.DATE and line.tokens[0].start <= 2 and len(numbers) > 3:
        reading.about(numbers[-1]).add("net", reading.weights["pair.row_end"], "")
