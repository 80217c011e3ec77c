"""Typed tokens: the numbers, dates, security numbers and currencies of a line, with their places."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Final, Literal

from postroom.nouns.documents import Box, DocumentText
from postroom.reading.page import dates, locale, numbers
from postroom.reading.page.lines import PrintedLine, read_lines
from postroom.reading.page.locale import CODES, PrintHabits
from postroom.reading.page.numbers import PrintedNumber


class TokenKind:
    """What a token is. No Enum: to name its members costs six times as much, and is done a thousand times a paper."""

    NUMBER: Final = "number"
    PERCENT: Final = "percent"
    DATE: Final = "date"
    TIME: Final = "time"
    ISIN: Final = "isin"
    IBAN: Final = "iban"
    CURRENCY: Final = "currency"


OneKind = Literal["number", "percent", "date", "time", "isin", "iban", "currency"]


@dataclass(slots=True)
class Token:
    """`value` is a Decimal, a date, or text, by kind. A number keeps its sign, its printed decimals, its
    other possible readings and the currency printed beside it."""

    kind: OneKind
    text: str
    page: int
    line: int
    start: int
    end: int
    printed: PrintedLine = field(compare=False, repr=False)
    value: Decimal | date | str
    decimals: int = 0
    negative: bool = False
    also: tuple[PrintedNumber, ...] = ()
    head: PrintedNumber | None = None
    """What stands before the first blank, if the digits might be two numbers after all."""
    currency: str | None = None
    stated_box: Box | None = None
    """Where it stands, if that is not where its letters do."""

    @property
    def box(self) -> Box:
        """Where it stands on its page: few are ever asked."""
        return self.stated_box or self.printed.box_of(self.start, self.end)

    @property
    def number(self) -> Decimal:
        assert isinstance(self.value, Decimal)
        return self.value

    @property
    def day(self) -> date:
        assert isinstance(self.value, date)
        return self.value


@dataclass(slots=True)
class TokenLine:
    line: PrintedLine
    tokens: list[Token]

    @property
    def text(self) -> str:
        return self.line.text

    @property
    def index(self) -> int:
        return self.line.index

    def of(self, *kinds: OneKind) -> list[Token]:
        return [token for token in self.tokens if token.kind in kinds] if self.tokens else []


@dataclass(slots=True)
class TokenText:
    """A document as typed lines, with the habits it was read by."""

    lines: list[TokenLine]
    locale: PrintHabits
    pages: int

    def of(self, *kinds: OneKind) -> list[Token]:
        return [token for line in self.lines for token in line.tokens if token.kind in kinds]

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)


KINDS: dict[str, OneKind] = {
    "date": TokenKind.DATE, "spelt": TokenKind.DATE, "time": TokenKind.TIME, "isin": TokenKind.ISIN,
    "iban": TokenKind.IBAN, "code": TokenKind.CURRENCY, "symbol": TokenKind.CURRENCY,
}  # fmt: skip
SYMBOLS = {
    "€": "EUR", "£": "GBP", "$": "USD", "US$": "USD", "A$": "AUD", "AU$": "AUD", "C$": "CAD", "CA$": "CAD",
    "HK$": "HKD", "R$": "BRL", "¥": "JPY", "zł": "PLN", "Euro": "EUR", "EURO": "EUR", "euro": "EUR",
    "euros": "EUR", "Fr.": "CHF", "SFr.": "CHF", "sFr.": "CHF", "GBp": "GBX", "US-Dollar": "USD",
    "Pence": "GBX", "pence": "GBX", "₹": "INR", "Rs.": "INR",
}  # fmt: skip
_CODE = "|".join(CODES)
_SYMBOL = "|".join(re.escape(symbol) for symbol in sorted(SYMBOLS, key=len, reverse=True))
_NUMERIC_DATE = f"{dates.ISO}|{dates.NUMERIC}|{dates.DAY_FIRST}|{dates.PRESSED}|{dates.PARTED}"
_NUMBER = (
    rf"(?P<lead>[(]?(?:(?<![\w)])[{numbers.MINUS}+][ ]?)?)(?P<core>{numbers.CORE}){numbers.TAIL}"
    rf"(?P<trail>[-+](?![\w])|\))?(?P<percent>[ ]?%)?"
)
MASTER = re.compile(
    # Most letters begin no token, and none does behind another: that is asked first, and before each costly list of
    # words whether it could be one.
    r"(?![a-df-oqrt-y ])(?!(?<=[A-Za-z])[A-Za-z])"
    rf"(?:(?=[{numbers.MINUS}\d.,(+])(?:(?P<date>(?<![\w.,/-])(?:{_NUMERIC_DATE}))"
    rf"|(?P<time>(?<![\w.,:])\d{{1,2}}(?::\d{{2}}(?::\d{{2}}(?:[.,:]\d{{1,6}})?)?(?![\w:])| ?h ?[0-5]\d(?!\w)"
    rf"|[.][0-5]\d(?:[.][0-5]\d)?(?= (?:uur|Uhr|Uur|h|hod)\b)|(?<=\bklo \d\d|\bkl\. \d\d)[.][0-5]\d(?![.,]?\d)))"
    rf"|(?P<number>{_NUMBER}))"
    rf"|(?=[A-Z])(?<![A-Za-z])(?:(?P<isin>\b[A-Z]{{2}}[A-Z0-9]{{9}}\d\b)"
    rf"|(?P<iban>\b[A-Z]{{2}}\d{{2}}(?:[ ]?[A-Z0-9X*]{{4}}){{3,7}}(?:[ ]?[A-Z0-9X*]{{1,3}})?\b(?![.,'’]\d))"
    rf"|(?P<code>(?=[A-Z]{{3}}(?![a-zA-Z]))(?:{_CODE}))|(?P<spelt>\b{dates.MONTH_FIRST}))"
    rf"|(?=[€$£¥₹AUCHRPzeEFSsGp])(?P<symbol>(?<![^\W\d_])(?:{_SYMBOL})(?![^\W\d_])))"
)
NUMBER_ONLY = re.compile(rf"(?P<number>{_NUMBER})")
_VERSION = re.compile(r"version\b.{0,14}$", re.IGNORECASE)
_PRESSED = re.compile(r"\d{8}")
_DAY_NAMED = re.compile(
    r"(?:dat|dag|tag|day|valut|valeur|fecha|giorn|dzie|päiv|pvm|kelt|päev|dátum|zi)[^\W\d_]{0,12}\W{0,4}$",
    re.IGNORECASE,
)
_TAX_NUMBER = re.compile(
    r"(?i:\b(?:nip|vat|ust|uid|btw|tva|iva|moms|mva|di[cč]|i[cč]\s*dph|cui|cif|nif|eik|tax|steuer)[\w.\s:/#()-]*)$"
)
LETTERED = frozenset(("PL", "RO"))  # their ISINs always have letters after the country
FEWEST_DIGITS = 3  # of an ISIN; less is a word in capitals
LONGEST_NUMBER = 9  # digits before the fraction; longer ones are references
_GLUED_BEFORE = re.compile(rf"(?:(?:{_CODE}|{_SYMBOL}|\bx)[ ]?)$")
_UNITS = "Stk|Stck|St|Stücke?|Ant|Anteile|szt|pcs?|x|p"
_UNIT_BEHIND = re.compile(rf"(?:{_CODE}|{_SYMBOL}|(?:{_UNITS})\b)", re.IGNORECASE)
_PARTS = re.compile(r"[\s()/:,*-]+")
_CURRENCIES = frozenset((*CODES, *SYMBOLS))
_SAID_IBAN = re.compile(
    r"IBAN:? ?[A-Za-z]{2}\d{2}(?: ?[A-Za-z0-9]{4}\b(?![.,]\d)){2,7}(?: ?[A-Za-z0-9]{1,2}\b(?![.,]\d))?"
)
_BLANK = re.compile(f"[{numbers.BLANKS}]")
_NOTED = re.compile(r"\)| ?[^\W\d_]{2}")
_MONTH = re.compile(r"(?<![^\W\d_])([^\W\d_]{3,12})\.?[ -]$")
_GLUE = set("/:\\#_@=&")


def tokenise(document: DocumentText, habits: PrintHabits | None = None) -> TokenText:
    """The typed lines of a document; `habits` overrules what would be inferred."""
    lines = read_lines(document)
    if habits is None:
        numbered = "\n".join([line.text for line in lines if line.numbered])
        habits = locale.infer(numbered)
        if "$" in numbered:
            habits = replace(habits, dollar=locale.dollar("\n".join(line.text for line in lines)))
    typed = [TokenLine(line, _tokens(line, habits)) for line in lines]
    return TokenText(typed, habits, len(document.pages))


def _tokens(line: PrintedLine, habits: PrintHabits) -> list[Token]:
    found: list[Token] = []
    text = line.text
    joined: dict[int, PrintedNumber] = {}
    if not line.numbered and _says_no_currency(text):
        return found
    position, length = 0, len(text)
    while position < length:
        match = _next(text, position)
        if match is None:
            break
        if not habits.blank_thousands and match.lastgroup == "number":
            _note_joined(match, habits, joined)
        token = _token(line, match, habits)
        if token is None and match.lastgroup == "date":
            match = NUMBER_ONLY.match(text, match.start())
            token = _number(line, match, habits) if match else None
        if match is None:
            position += 1
        elif token is None:
            position = _past(match, text)
        else:
            found.append(token)
            position = min(max(match.end(), position + 1), token.end)
    found = _without_account(found, text)
    for token in found:
        if token.end in joined:
            token.also = (*token.also, joined[token.end])
    if found:
        _attach_currencies(found, text, habits)
    return found


@lru_cache(maxsize=20_000)
def _says_no_currency(text: str) -> bool:
    """Of a line without digits; small print comes again. A sentence may end with one."""
    parts = _PARTS.split(text)
    if not _CURRENCIES.isdisjoint(parts):
        return False
    return not ("." in text or ";" in text) or _CURRENCIES.isdisjoint([part.rstrip(".;") for part in parts])


def _next(text: str, position: int) -> re.Match[str] | None:
    """The next match; what looks like a minus before a date only parts two days."""
    match = MASTER.search(text, position)
    if match is not None and match.lastgroup == "number" and match["lead"].endswith(" "):
        dated = MASTER.match(text, match.start("core"))
        return dated if dated is not None and dated.lastgroup == "date" else match
    return match


def _without_account(tokens: list[Token], text: str) -> list[Token]:
    """What follows the word IBAN is one, however it is disguised."""
    spans = [said.span() for said in _SAID_IBAN.finditer(text)] if "IBAN" in text else []
    if not spans:
        return tokens
    return [
        token
        for token in tokens
        if token.kind is not TokenKind.NUMBER or not any(start <= token.start < end for start, end in spans)
    ]


def _note_joined(match: re.Match[str], habits: PrintHabits, joined: dict[int, PrintedNumber]) -> None:
    """Remember that digits parted by a blank, here taken for two numbers, could be one."""
    core = match["core"]
    if (" " in core or not core.isascii()) and _BLANK.search(core):
        reading = numbers.read_number(core, habits.decimal)
        if reading is not None and reading.decimals:
            joined[match.end("core")] = reading


def _past(match: re.Match[str], text: str) -> int:
    """Where to go on after a match that was no token: past the whole glued group it belongs to."""
    end = match.end() if match.end() > match.start() else match.start() + 1
    if match.lastgroup == "spelt":
        return text.index(" ", match.start()) if " " in match.group() else match.start() + 1
    while end < len(text) and (text[end].isalnum() or text[end] in "/-"):
        end += 1
    return end


def _token(line: PrintedLine, match: re.Match[str], habits: PrintHabits) -> Token | None:
    group = match.lastgroup or ""
    if group == "number":
        return _number(line, match, habits)
    value = _plain_value(group, match, habits)
    if value is None:
        return None
    start, end = match.span()
    return Token(KINDS[group], match.group(), line.page, line.index, start, end, line, value)


def _plain_value(group: str, match: re.Match[str], habits: PrintHabits) -> date | str | None:
    raw = match.group()
    if group in ("date", "spelt"):
        if _VERSION.search(match.string, 0, match.start()):
            return None
        if _PRESSED.fullmatch(raw) and not _DAY_NAMED.search(match.string, 0, match.start()):
            return None
        if raw[2] == " " and raw[5:6] == " " and not habits.parted_days and raw[:2].isdigit() and raw[3:5].isdigit():
            return None
        return dates.read_date(raw, day_first=habits.day_first)
    if group == "isin" and not (_plausible_isin(raw, _before(match)) and _is_no_tax_number(match)):
        return None
    return habits.dollar if raw == "$" else SYMBOLS.get(raw, raw)


def _before(match: re.Match[str]) -> str:
    return match.string[max(match.start() - 30, 0) : match.start()].casefold()


def _plausible_isin(text: str, before: str) -> bool:
    if sum(map(str.isdigit, text)) < FEWEST_DIGITS:
        return "isin" in before and text[-1].isdigit() and checks(text)
    return text[:2] not in ("ID", "NR", "NO") or checks(text)


def _is_no_tax_number(match: re.Match[str]) -> bool:
    """Tax numbers of some countries have the form of an ISIN, and one in ten its check digit."""
    if not match.group()[2:].isdigit():
        return True
    before = _before(match)
    if "isin" in before:
        return True
    return match.group()[:2] not in LETTERED and not _TAX_NUMBER.search(before)


@lru_cache(maxsize=1024)
def checks(isin: str) -> bool:
    """Whether the last digit is the right one for the rest (Luhn over letters as two digits)."""
    digits = "".join(str(int(c, 36)) for c in isin)
    total = 0
    for place, c in enumerate(reversed(digits)):
        digit = int(c) * (1 + place % 2)
        total += digit // 10 + digit % 10
    return total % 10 == 0


def _number(line: PrintedLine, match: re.Match[str], habits: PrintHabits) -> Token | None:
    text = line.text
    lead, core, trail, percent = match.group("lead", "core", "trail", "percent")
    start, end = match.span()
    begin = start + len(lead)
    parted = _BLANK.search(core) if " " in core or not core.isascii() else None
    if parted is not None and not habits.blank_thousands:
        core, trail, percent = core[: parted.start()], None, None
        end, parted = begin + len(core), None
    if not _stands_alone(text, begin, end) or _is_reference(core) or _is_year(text, begin, core):
        return None
    if ("+" in lead and len(core) == 1 and _NOTED.match(text, end)) or _is_footnote(lead, core, trail):
        return None
    reading = numbers.read_number(text[begin:end], habits.decimal)
    if reading is None:
        return None
    token = Token(
        TokenKind.PERCENT if percent else TokenKind.NUMBER,
        text[start:end],
        line.page,
        line.index,
        begin,
        end,
        line,
        reading.value,
        reading.decimals,
        trail == "-" or (lead != "" and _is_minus(lead, trail) and not _is_empty_cell(text, start, lead)),
    )
    if parted is not None and reading.decimals:
        _note_two(token, core, habits)
    if reading.also is not None:
        token.also = (PrintedNumber(reading.also, 0 if reading.decimals else 3),)
    return token


def _is_footnote(lead: str, core: str, trail: str | None) -> bool:
    return lead[:1] == "(" and trail == ")" and len(core) <= 2 and core.isdigit()


def _is_minus(lead: str, trail: str | None) -> bool:
    return any(sign in lead for sign in numbers.MINUS) or (lead[0] == "(" and trail == ")")


def _is_empty_cell(text: str, start: int, lead: str) -> bool:
    """`- - 5`: where one dash stands for an empty cell, so does the next."""
    return lead[-1] == " " and text[max(start - 3, 0) : start] in (" - ", "- ")


def _note_two(token: Token, core: str, habits: PrintHabits) -> None:
    """Remember that a number with blanks, as the document writes them, could still be two beside each other."""
    first, rest = _BLANK.split(core, maxsplit=1)
    tail = numbers.read_number(rest, habits.decimal)
    if tail is not None:
        token.head, token.also = numbers.read_number(first), (tail,)


def part(token: Token, row: TokenLine) -> None:
    """Make two numbers of one that has a blank: the first gets a token of its own."""
    assert token.head is not None
    blank = _BLANK.search(row.text, token.start)
    assert blank is not None
    first = replace(
        token,
        text=row.text[token.start : blank.start()],
        end=blank.start(),
        value=token.head.value,
        decimals=token.head.decimals,
        also=(),
        head=None,
        currency=None,
    )
    rest = token.also[0]
    token.start, token.text = blank.end(), row.text[blank.end() : token.end]
    token.value, token.decimals, token.also, token.head = rest.value, rest.decimals, (), None
    row.tokens.insert(row.tokens.index(token), first)


def _is_reference(core: str) -> bool:
    """A telephone, account or version number rather than an amount."""
    plain = core.isdigit()
    return plain and (len(core) > LONGEST_NUMBER or (len(core) > 1 and core[0] == "0"))


def _is_year(text: str, begin: int, core: str) -> bool:
    """`Sept. 2064` in a bond's name is no amount."""
    if len(core) != 4 or core[:2] not in ("19", "20"):
        return False
    month = _MONTH.search(text, max(begin - 14, 0), begin)
    return month is not None and dates.fold(month[1]) in dates.MONTHS


def _stands_alone(text: str, core: int, end: int) -> bool:
    """No part of a reference, register number, path or word."""
    if core > 0:
        before = text[core - 1]
        if before in _GLUE and not (before in ":=" and core > 1 and text[core - 2].isalpha()):
            return False
        if before.isalnum() and not _GLUED_BEFORE.search(text, max(core - 5, 0), core):
            return False
        if before in ".,'" and core > 1 and text[core - 2].isdigit():
            return False
        if before == "-" and core > 1 and text[core - 2].isalnum() and not _GLUED_BEFORE.search(text, 0, core - 1):
            return False
    if end < len(text):
        behind = text[end]
        if behind in "/:\\_@#" and end + 1 < len(text) and text[end + 1].isalnum():
            return False
        if behind.isalnum() and text[end - 1] not in "-%)" and not _UNIT_BEHIND.match(text, end):
            return False
        if behind in "-.,'" and end + 1 < len(text) and text[end + 1].isdigit():
            return False
    return True


def _attach_currencies(tokens: list[Token], text: str, habits: PrintHabits) -> None:
    """Each currency belongs to the number beside it; between two, to the glued one, else by habit."""
    for index, token in enumerate(tokens):
        if token.kind is not TokenKind.CURRENCY:
            continue
        before = _gap(tokens, index - 1, index, text)
        behind = _gap(tokens, index, index + 1, text)
        if before is None and behind is None:
            continue
        behind_wins = before is None or (
            behind is not None and (behind == 0 or (before > 0 and habits.currency_before))
        )
        owner = tokens[index + 1 if behind_wins else index - 1]
        if owner.currency is None or behind_wins is habits.currency_before:
            owner.currency = str(token.value)


def _gap(tokens: list[Token], left: int, right: int, text: str) -> int | None:
    """How many blanks part a currency from the number beside it; None if something else stands between."""
    if left < 0 or right >= len(tokens) or TokenKind.NUMBER not in (tokens[left].kind, tokens[right].kind):
        return None
    between = text[tokens[left].end : tokens[right].start]
    return None if len(between) > 12 or between.strip(" -+−–:") else len(between)
