"""Pairing labels with values: to the right on the line, below in a column, beside a unit."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from operator import itemgetter

from postroom.reading.labels import compounds as roots
from postroom.reading.labels import placement, split_headers, stacks, turned, way_letters, words
from postroom.reading.labels.columns import by_form, in_order, part_count, unknown, with_unknown
from postroom.reading.labels.compounds import LabelRoots
from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.placement import SECURITY_NUMBERS
from postroom.reading.labels.words import DATE_FIELDS, NUMBER_FIELDS, Lexicon, PhraseHit
from postroom.reading.page.dates import fold
from postroom.reading.page.locale import CODES
from postroom.reading.page.tokens import OneKind, Token, TokenKind, TokenLine, TokenText
from postroom.reading.weights import Weights, shipped

HEADER_REACH = 5  # lines between a header and its first row
LABEL_REACH = 2  # lines between a single label and its value
TAIL_BEHIND_LABEL = 24  # letters: a label with more text behind it is part of a sentence
LONGEST_HEADER = 22  # words
SENTENCE = 9  # words
LABELS_IN_HEADER = 0.4
ROWS_UNDER_HEADER = 60
FIRM = 2.0
CENTS = 2  # decimals
BEFORE_VALUE = 6  # letters, a currency among them, between a value and its own label
GAP_IN_TABLE = 1  # lines without a value inside a table
BASE_BEHIND_SHARE = 9
CURRENCY_BEHIND_LABEL = 5
LABELS_BEFORE = 3  # labels on a line that may still tell of a value behind them
_JOINS = re.compile(r" [^\W\d_]{1,3} | ?/ ?")
_GOES_ON = re.compile(r" ([^\W\d_]{2,})")
_LEADS = re.compile(r"([^\W\d_]{3,})[^\d]*?:? (?:[A-Z]{3} )?$")
TOUCHING = 2  # letters between a label and its value, which leave others little to say
SHORT = 4  # letters; shorter labels count only right beside their value
_NUMERIC = frozenset(NUMBER_FIELDS)
_DATED = frozenset(DATE_FIELDS)
_TELLING = {names: frozenset(name for name in names if not name.startswith("other")) for names in (_NUMERIC, _DATED)}
_FIELDS: tuple[tuple[OneKind, frozenset[str]], ...] = ((TokenKind.NUMBER, _NUMERIC), (TokenKind.DATE, _DATED))


def pair(
    text: TokenText,
    chosen: Lexicon | None = None,
    parts: LabelRoots | None = None,
    weights: Weights | None = None,
) -> LabelledText:
    """All evidence of a document. `chosen` overrules the languages that would be detected, `parts` their roots."""
    spelt = [words.spelt(line.line) for line in text.lines]
    lexicon = chosen or words.lexicon(words.detect(spelt))
    lines = [line.line for line in text.lines]
    known = parts or roots.roots(lexicon.languages)
    labels = [
        roots.completed(line, own, words.found(line, own, lexicon.labels), known)
        for line, own in zip(lines, spelt, strict=True)
    ]
    split_headers.join(text.lines, labels, lexicon.labels)
    topics = [words.found(line, own, lexicon.topics) for line, own in zip(lines, spelt, strict=True)]
    way_letters.noted(text.lines, topics)
    reading = LabelledText(text, lexicon, spelt, labels, topics, known, weights or shipped())
    backwards = turned.turned(reading) | stacks.stacked(reading)
    for index, line in enumerate(text.lines):
        if index in backwards:
            turned.credit(reading, index, backwards[index])
        if line.tokens:
            _to_the_right(reading, line, labels[index])
            _before_its_label(reading, line, labels[index])
            placement.told(reading, index)
        elif spelt[index].words:
            placement.row_numbers(reading, index)
        if labels[index] and index not in backwards:
            _below(reading, index)
    return reading


def _to_the_right(reading: LabelledText, line: TokenLine, hits: Sequence[PhraseHit]) -> None:
    if not hits:
        return
    for kind, names in _FIELDS:
        tokens = line.of(kind, TokenKind.PERCENT) if kind is TokenKind.NUMBER else line.of(kind)
        known = [hit for hit in hits if _tells_of(hit, names)] if tokens else []
        if len(tokens) >= LABELS_BEFORE and _is_header_beside(known, tokens):
            for hit, token in zip(known, tokens, strict=True):
                _credit(reading, hit, token, names, 1.0)
            continue
        for place, token in enumerate(tokens):
            _from_the_left(reading, line, token, tokens[:place], known, names)
        if kind is TokenKind.NUMBER and len(tokens) > 1:
            _total_at_the_end(reading, tokens, known)


def _is_header_beside(hits: Sequence[PhraseHit], tokens: Sequence[Token]) -> bool:
    """`Quantity Price Amount 3 129.28 387.85`: a header and its row on one line, as many labels as values behind."""
    if len(hits) != len(tokens) or hits[-1].end > tokens[0].start:
        return False
    if any(after.start - before.end > TOUCHING for before, after in pairwise(hits)):
        return False
    return len({_loudest(hit) for hit in hits}) == len(hits) and in_order(hits, tokens)


def _from_the_left(
    reading: LabelledText,
    line: TokenLine,
    token: Token,
    before: Sequence[Token],
    hits: Sequence[PhraseHit],
    names: frozenset[str],
) -> None:
    shares = [other for other in before if other.kind is TokenKind.PERCENT]
    nearest = [hit for hit in reversed(hits) if hit.end <= token.start and not _is_base(hit, shares)]
    if token.currency is not None and token.decimals == CENTS:
        nearest = [hit for hit in nearest if not _calls_a_number(reading.parts, hit)]
    before = [other for other in before if other.kind is not TokenKind.PERCENT]
    rank, w = 0, reading.weights
    for hit in nearest[:LABELS_BEFORE]:
        between = sum(1 for other in before if other.start >= hit.end)
        gap = token.start - hit.end
        adjacent = between == 0 and gap <= 14
        if len(hit.phrase) <= SHORT and not adjacent:
            continue
        factor = (w["pair.further_label"] ** rank) * (w["pair.further_value"] ** min(between, 3))
        if between == 0 and gap > 45:
            factor *= w["pair.wide_gap"]
        for name, weight in hit.meaning:
            if name in names and not (name == "fx" and between):  # a rate is one number
                share = w["pair.distant_other"] if name == "other" and not adjacent and gap > 30 else 1.0
                reading.about(token).add(name, weight * factor * share, hit.phrase)
        distant_other = not adjacent and all(name in ("other", "other_date") for name, _ in hit.meaning)
        rank += 0 if distant_other else 2 if gap <= TOUCHING else 1
        if rank >= LABELS_BEFORE:
            break


def _calls_a_number(parts: LabelRoots, hit: PhraseHit) -> bool:
    """Whether a label is for an account's or a paper's number: it says nothing of money that follows."""
    return all(name == "other" for name, _ in hit.meaning) and parts.numbers(hit.phrase)


def _total_at_the_end(reading: LabelledText, tokens: Sequence[Token], hits: Sequence[PhraseHit]) -> None:
    """A row that begins with a total's name has it in the last column."""
    before = [hit for hit in hits if hit.end <= tokens[0].start]
    between = [hit for hit in hits if hit.end > tokens[0].start]
    if before and not between:
        for name, weight in before[-1].meaning:
            if name in ("net", "gross", "fee", "tax"):
                reading.about(tokens[-1]).add(name, reading.weights["pair.row_total"] * weight, before[-1].phrase)


def _is_base(hit: PhraseHit, shares: Sequence[Token]) -> bool:
    """`0,19 % vom Kurswert`: the label names what the share is of, not the amount that follows."""
    return any(0 <= hit.start - share.end <= BASE_BEHIND_SHARE for share in shares)


def _before_its_label(reading: LabelledText, line: TokenLine, hits: Sequence[PhraseHit]) -> None:
    """A line that begins with a date, maybe a time, and then says what happened."""
    first = line.tokens[0]
    if first.kind is not TokenKind.DATE or first.start > 2:
        return
    edge = max(
        (token.end for token in line.tokens[:2] if token.kind in (TokenKind.DATE, TokenKind.TIME)), default=first.end
    )
    for hit in hits:
        if 0 <= hit.start - edge <= 3:
            _credit(reading, hit, first, _DATED, reading.weights["pair.day_before_label"])


def _below(reading: LabelledText, index: int) -> None:
    """Labels without a value on their own line look down: a column, or simply the next line."""
    if _is_sentence(reading, index):
        return
    line = reading.text.lines[index]
    for kind, names in _FIELDS:
        header = _merged(line.text, _open_labels(line, reading.labels[index], kind, names))
        if header:
            _rows(reading, index, header, kind, names)


def _is_sentence(reading: LabelledText, index: int) -> bool:
    """A header is made of labels; a sentence has a few among many other words."""
    count = len(reading.spelt[index].words)
    if count < SENTENCE or count > LONGEST_HEADER:
        return count > LONGEST_HEADER
    if reading.text.lines[index].text.rstrip().endswith("."):
        return True
    return sum(hit.phrase.count(" ") + 1 for hit in reading.labels[index]) < LABELS_IN_HEADER * count


def _open_labels(line: TokenLine, hits: Sequence[PhraseHit], kind: OneKind, names: frozenset[str]) -> list[PhraseHit]:
    known = [hit for hit in hits if _tells_of(hit, names)]
    if not known:
        return []
    last = max([token.start for token in line.tokens if token.kind is kind], default=-1)
    left = [hit for hit in known if hit.start >= last]
    if not any(_tells_of(hit, _TELLING[names]) for hit in left):
        return []
    if len(hits) == 1 and len(line.text) - left[0].end > TAIL_BEHIND_LABEL:
        return []
    return left


def _tells_of(hit: PhraseHit, names: frozenset[str]) -> bool:
    for name, _ in hit.meaning:  # noqa: SIM110 - asked for every label of every line: any() takes thrice as long
        if name in names:
            return True
    return False


def _merged(text: str, header: Sequence[PhraseHit]) -> list[PhraseHit]:
    """Labels of one meaning that a small word joins are one column: `Montant net` au `débit de votre compte`."""
    merged: list[PhraseHit] = []
    for hit in header:
        last = merged[-1] if merged else None
        if last is not None and _JOINS.fullmatch(text, last.end, hit.start) and _loudest(last) == _loudest(hit):
            merged[-1] = PhraseHit(f"{last.phrase} {hit.phrase}", last.start, hit.end, last.meaning)
        else:
            merged.append(hit)
    return merged


def _loudest(hit: PhraseHit) -> str:
    return max(hit.meaning, key=itemgetter(1))[0]


def _rows(reading: LabelledText, index: int, header: Sequence[PhraseHit], kind: OneKind, names: frozenset[str]) -> None:
    lines = reading.text.lines
    page = lines[index].line.page
    width: int | None = None
    seen = blank = 0
    columns = len(reading.labels[index]) + sum(word in SECURITY_NUMBERS for word in reading.spelt[index].words)
    reach = HEADER_REACH if columns > 1 else LABEL_REACH
    counts = kind is TokenKind.NUMBER and any(name == "quantity" for hit in header for name, _ in hit.meaning)
    for below in range(index + 1, min(index + 1 + ROWS_UNDER_HEADER, len(lines))):
        row = lines[below]
        if counts and len(header) > 1:
            part_count(header, row)
        tokens = row.of(kind, TokenKind.PERCENT) if kind is TokenKind.NUMBER else row.of(kind)
        if counts and len(tokens) > 1:
            tokens = _beside_security(reading, index, header, row, tokens)
        if row.line.page != page:
            return
        if not tokens:
            if width is not None and _names_values(reading.labels[below], names):
                return
            blank += 1
            if blank > GAP_IN_TABLE if width is not None else below - index >= reach:
                return
            continue
        blank = 0
        if counts and width is None and len(tokens) == 1 < len(header) and _is_balance(reading, below):
            continue
        if width is not None and len(tokens) != width:
            return
        factor = reading.weights["pair.below"] * (1.0 if seen == 0 else reading.weights["pair.further_row"])
        if (columns == 1 and _has_own_label(reading, row, tokens[0])) or _is_labelled(reading, below, tokens):
            factor *= reading.weights["pair.own_label"]
        _align(reading, lines[index], header, tokens, names, factor)
        width, seen = len(tokens), seen + 1
        if seen > 1 and len(header) < 2:
            return


def _is_balance(reading: LabelledText, index: int) -> bool:
    """`01.07.2021 Anfangsbestand 12,5000`: a table's first row tells what is there, and leaves columns empty."""
    return any(word in reading.lexicon.balances for word in reading.spelt[index].words)


def _beside_security(
    reading: LabelledText, index: int, header: Sequence[PhraseHit], row: TokenLine, tokens: list[Token]
) -> list[Token]:
    """Labels on one side of the word `ISIN` have their values on that side of the ISIN: `S&P 500` counts nothing."""
    spelt, isins = reading.spelt[index], row.of(TokenKind.ISIN)
    places = [start for word, (start, _) in zip(spelt.words, spelt.spans, strict=True) if word in SECURITY_NUMBERS]
    if len(places) != 1 or len(isins) != 1:
        return tokens
    if all(hit.start > places[0] for hit in header):
        return [token for token in tokens if token.start > isins[0].start] or tokens
    if all(hit.start < places[0] for hit in header):
        return [token for token in tokens if token.start < isins[0].start] or tokens
    return tokens


def _has_own_label(reading: LabelledText, row: TokenLine, first: Token) -> bool:
    """Whether words of its own, known or not, lead to a row's value."""
    named = _LEADS.match(row.text[: first.start])
    return named is not None and fold(named[1]) not in reading.lexicon.units


def _is_labelled(reading: LabelledText, index: int, tokens: Sequence[Token]) -> bool:
    """Whether a known label stands right before a row's only value."""
    return len(tokens) == 1 and any(
        0 <= tokens[0].start - hit.end <= BEFORE_VALUE and max(weight for _, weight in hit.meaning) >= FIRM
        for hit in reading.labels[index]
    )


def _names_values(hits: Sequence[PhraseHit], names: frozenset[str]) -> bool:
    """Whether a line without values is a header of its own."""
    named = [hit for hit in hits if any(name in names and weight >= FIRM for name, weight in hit.meaning)]
    return len(named) > 1


def _align(
    reading: LabelledText,
    line: TokenLine,
    header: Sequence[PhraseHit],
    tokens: Sequence[Token],
    names: frozenset[str],
    factor: float,
) -> None:
    telling = [hit for hit in header if any(not name.startswith("other") for name, _ in hit.meaning)]
    strange = len(telling) > 1 and unknown(reading.labels[line.index], reading.spelt[line.index])
    if len(header) != len(tokens) or strange:
        header = telling
    if len(header) != len(tokens):
        columns = [token for token in tokens if not _in_text(reading, token)]
        tokens = columns if len(columns) == len(header) else tokens
    if len(header) == len(tokens) == 1 and "  " in line.text and not _overlap(line, header[0], tokens[0]):
        factor *= reading.weights["pair.one_end"]
    if len(header) == len(tokens) and in_order(header, tokens):
        for hit, token in zip(header, tokens, strict=True):
            _credit(reading, hit, token, names, factor)
            _lend_currency(line, hit, token)
        return
    if "  " in line.text and _by_column(reading, line, header, tokens, names, factor) == len(tokens):
        return
    if TokenKind.NUMBER in (token.kind for token in tokens) and len(header) > 1 and len(tokens) > 1:
        for hit, token in by_form(with_unknown(header, reading.spelt[line.index]), tokens):
            _credit(reading, hit, token, names, factor * reading.weights["pair.by_form"])
            _lend_currency(line, hit, token)
        return
    weaker = factor * reading.weights["pair.one_end"]
    for hit, token in zip(reversed(header), reversed(tokens), strict=False):
        _credit(reading, hit, token, names, weaker)
    for hit, token in zip(header, tokens, strict=False):
        _credit(reading, hit, token, names, weaker)


def _overlap(line: TokenLine, hit: PhraseHit, token: Token) -> bool:
    """Whether a value stands under its label, give or take a column's width."""
    start, _, end, _ = line.line.box_of(hit.start, hit.end)
    left, _, right, _ = token.box
    return left < end + (right - left) and start - (right - left) < right


def _in_text(reading: LabelledText, token: Token) -> bool:
    """Whether words go on right behind a number, as in a security's name: no column then."""
    found = _GOES_ON.match(reading.text.lines[token.line].text, token.end)
    if token.kind is not TokenKind.NUMBER or found is None:
        return False
    return token.currency is None and found[1] not in CODES and fold(found[1]) not in reading.lexicon.units


def _by_column(
    reading: LabelledText,
    line: TokenLine,
    header: Sequence[PhraseHit],
    tokens: Sequence[Token],
    names: frozenset[str],
    factor: float,
) -> int:
    """Pairs by overlapping columns; says how many values found theirs."""
    boxes = [(hit, line.line.box_of(hit.start, hit.end)) for hit in header]
    reached: dict[int, list[tuple[float, PhraseHit]]] = defaultdict(list)
    for place, token in enumerate(tokens):
        left, _, right, _ = token.box
        for hit, (start, _, end, _) in boxes:
            overlap = min(right, end) - max(left, start)
            if overlap > 0:
                reached[place].append((overlap, hit))
            elif abs(right - end) < 3:
                reached[place].append((0.1, hit))
    for place, found in reached.items():
        _, hit = max(found, key=lambda item: item[0])
        _credit(reading, hit, tokens[place], names, factor)
        _lend_currency(line, hit, tokens[place])
    return len(reached)


def _credit(reading: LabelledText, hit: PhraseHit, token: Token, names: frozenset[str], factor: float) -> None:
    for name, weight in hit.meaning:
        if name in names:
            reading.about(token).add(name, weight * factor, hit.phrase)


def _lend_currency(line: TokenLine, hit: PhraseHit, token: Token) -> None:
    """A column's currency stands in its header: `Betrag in EUR`, `Débit (€)`."""
    if token.currency is None and token.kind is TokenKind.NUMBER:
        for other in line.tokens:
            if other.kind is TokenKind.CURRENCY and 0 <= other.start - hit.end <= CURRENCY_BEHIND_LABEL:
                token.currency = str(other.value)
