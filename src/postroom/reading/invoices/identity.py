"""What an invoice calls itself and when: its number, its date, and till when it wants to be paid."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from postroom.nouns.documents import Box
from postroom.reading.invoices.found import InvoiceFinding
from postroom.reading.invoices.layout import (
    InvoiceSheet,
    SheetCell,
    below,
    labels_for,
    left_of,
    right_of,
    strength,
)
from postroom.reading.invoices.words import InvoiceLabel, flat, labels_in
from postroom.reading.page.dates import read_date
from postroom.reading.page.tokens import Token, TokenKind

_ID = re.compile(r"(?<![^\W_])(?=[^\s]*\d)[^\W_](?:[^\W_]|[./_-](?=[^\W_])){1,34}(?![^\W_])")
_SPACED_ID = re.compile(r"[A-Z]{1,5}[ -]\d{2,}(?:[ /-]\d{3,})*(?:[/-]\d+)*(?![\d.,]|[^\W_])")
_GROUPED_ID = re.compile(r"(?<!\d)\d{1,4}(?: \d{3,4}){2,5}(?![\d.,])")
_WHOLE_ID = re.compile(r"(?:[A-Z0-9]{1,6} ){1,3}[A-Z0-9./-]*\d[A-Z0-9./-]*")  # a cell that holds nothing else
_NOT_AN_ID = re.compile(
    r"^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})|\d{4}-\d{2}-\d{2}|[A-Z]{2}\d{2}[A-Z0-9]{11,30}|\d{1,3}(?:[.,]\d{3})*[.,]\d{2}"
    r"|DE\d{9}|ATU\d{8}|FR[A-Z0-9]{2}\d{9}|NL\d{9}B\d{2}|IT\d{11}|ES[A-Z0-9]\d{7}[A-Z0-9]|DK\d{8}|SE\d{12}|PL\d{10}|PT\d{9})$"
)
_BETWEEN = re.compile(
    r"^[\s:.#°ºn№()\-–]*(?:(?:nr|no|num|number|nummer|numero|id|ref)\b[\s.:#°º]*)?(?:\(\d+\)\s*)?(?:nr\.?\s*)?$"
    r"|^(?:[\s-]+[^\W\d_]{2,}){1,2}\W+(?:nr|no|num|number|nummer|numero|numer|n)\b[\s.:#°º]*$"  # "Faktura końcowa nr"
)
_OF_ANOTHER = re.compile(
    r"(?<![a-z])(?:zu|zur|vedr|vedrorende|against|regarding|concerning|corrects|original|relating to|relates to|for"
    r"|dotyczy|do|concernant|relati[vf][aoe]?|annule|rif|riferimento|storno|storniert|korrigiert|ersetzt|statt|betreft|inzake"
    r"|avser|rectifica[a-z]*|anula|sobre|referente|previous|vorherige|letzte|last|deposit|acompte|anzahlungs?|zaliczk[a-z]*"
    r"|acconto|forskud|forskott|abzgl|abzuglich|less|minus|moins|meno|menos|avgar|fratrukket|sur)\W*(?:[a-z0-9]\w*\W+)?$"
)
_BARE = re.compile(
    r"(?:tax )?invoice|rechnung|facture|fattura|factura|factuur|faktura|fatura|bill|number|nummer|numero|numer|num"
    r"|n|nr|no|n[ .]?[°ºo]|[a-z]{3,}(?:rechnung|factuur|faktura|regning)"
)
_CREDIT = re.compile(r"credit|kredit|gutschrift|avoir|storno|korrekt|abono|rectif|korekt|koryg")
_TERMS = re.compile(r"(?<!\d)(\d{1,3})\s*([^\W\d_]+)")
_NET_DAYS = re.compile(r"(?<![a-z])net\s?(\d{1,3})(?![\d.,])")


@dataclass(frozen=True, slots=True)
class _Candidate:
    text: str
    score: float
    evidence: str
    page: int
    box: Box
    line: int
    label: str


def invoice_number(sheet: InvoiceSheet, *, credit: bool = False) -> InvoiceFinding[str] | None:
    """`credit` says that the paper is a credit note: what it calls one is its own."""
    candidates = list(_numbers(sheet, credit=credit))
    if not candidates:
        return None
    best = max(candidates, key=lambda one: (one.score, -one.line))
    evidence = best.evidence
    if _BARE.fullmatch(flat(best.label)) and all(one.text == best.text for one in candidates):
        evidence = re.sub("weak|likely", "sole", evidence)
    return InvoiceFinding(best.text, evidence, best.page, best.box, best.line, f"Beside “{best.label}”.")


def _numbers(sheet: InvoiceSheet, *, credit: bool) -> Iterator[_Candidate]:
    for cell in sheet.cells():
        for label in cell.labels:
            power = label.strength("number")
            if not power:
                continue
            line = sheet.lines[cell.line].text
            bonus = _whose(line, label, credit=credit)
            for found in _numbers_at(sheet, cell, label, power):
                evidence = "quoted" if bonus < 0 else found.evidence
                yield replace(found, score=found.score + bonus, evidence=evidence)


def _whose(line: str, label: InvoiceLabel, *, credit: bool) -> float:
    """The number of another invoice is quoted in brackets, or behind `zu`, `against`, `vedr.`."""
    before = flat(line[: label.start])
    bonus = 1.5 if credit and _CREDIT.search(flat(line[label.start : label.end])) else 0.0
    quoted = bool(_OF_ANOTHER.search(before)) or before.count("(") > before.count(")")
    return bonus - (3.0 if quoted else 0.0)


def _numbers_at(sheet: InvoiceSheet, cell: SheetCell, label: InvoiceLabel, power: int) -> Iterator[_Candidate]:
    """Right behind the label, else in the next cell, else under it."""
    line = sheet.lines[cell.line].text
    said = line[label.start : label.end]
    behind = line[label.end : cell.end]
    early = -cell.line * 0.002 - (1.5 if len(cell.text) > 75 else 0.0)
    early += 1.0 if sheet.lines[cell.line].of(TokenKind.DATE) and len(cell.text) < 75 else 0.0
    if power < 2 and _continues_a_word(line, cell, label):
        return  # "Customer no", "Steuer-Nr"
    if power == 3 and (whole := _WHOLE_ID.fullmatch(behind.strip(" :.#°º"))) and not _dated(sheet, cell):
        start = label.end + behind.index(whole[0])
        yield _candidate(sheet, cell, start, whole[0], power + 3.0 + early, power, "beside", said)
        return
    if found := _first_id(behind, grouped=power == 3):
        gap = flat(behind[: found.start()])
        if _BETWEEN.match(gap):
            start = label.end + found.start()
            yield _candidate(sheet, cell, start, found[0], power + 3.0 + early, power, "beside", said)
        return
    captioned = behind.strip() == ":"  # "Invoice:" names what follows, "Invoice" alone is a heading
    worded = bool(re.search(r"(?i)n[r°ºo.]|num|id|#|ref", said))
    if power < 3 and not captioned and not worded and not _heads_a_column(sheet, cell, label):
        return
    told = behind.strip(" :.#°º-()")
    if told and (power < 2 or not re.fullmatch(r"[\s:.()\w-]{0,14}", behind)):
        return  # "Nº Contrib." is the number of something else
    for other in right_of(sheet, cell)[:1]:
        match = _id_of(sheet, other, grouped=power == 3)
        if match and not other.text[: match.start()].strip(" :.#"):
            start = other.start + match.start()
            yield _candidate(sheet, other, start, match[0], power + 2.5 + early, power, "beside", said)
            return
    for other in below(sheet, cell)[:2]:
        match = _id_of(sheet, other, grouped=power == 3)
        if match and match.start() == 0 and len(match[0]) >= 0.5 * len(other.text):
            yield _candidate(sheet, other, other.start, match[0], power + 1.8 + early, power, "below", said)
            return


def _continues_a_word(line: str, cell: SheetCell, label: InvoiceLabel) -> bool:
    before, said = line[cell.start : label.start], flat(line[label.start : label.end])
    return bool(re.search(r"[^\W\d_]{2,}[\s.-]{0,2}$", before)) and bool(re.match(r"n|ref", said))


def _heads_a_column(sheet: InvoiceSheet, cell: SheetCell, label: InvoiceLabel) -> bool:
    labelled = [other for other in sheet.rows[cell.line] if other.labels]
    return len(labelled) >= 3 and label.end - label.start == len(cell.text)


def _candidate(
    sheet: InvoiceSheet, cell: SheetCell, start: int, text: str, score: float, power: int, where: str, said: str
) -> _Candidate:
    box = sheet.lines[cell.line].line.box_of(start, start + len(text))
    shape = 0.6 if len(text) >= 4 else -1.0 if len(text) < 3 else 0.0
    evidence = f"{('weak', 'likely', 'strong')[power - 1]} {where}"
    return _Candidate(text, score + shape, evidence, cell.page, box, cell.line, said)


def _id_of(sheet: InvoiceSheet, cell: SheetCell, *, grouped: bool) -> re.Match[str] | None:
    """The number in a cell; all of it, where the label is plain and only capitals and digits stand there."""
    whole = _WHOLE_ID.fullmatch(cell.text) if grouped and len(cell.text) <= 24 and not _dated(sheet, cell) else None
    return whole or _first_id(cell.text, grouped=grouped)


def _dated(sheet: InvoiceSheet, cell: SheetCell) -> bool:
    return any(cell.start <= token.start < cell.end for token in sheet.lines[cell.line].of(TokenKind.DATE))


def _first_id(text: str, *, grouped: bool = False) -> re.Match[str] | None:
    """`grouped` digits, as in `74 1234 5678 9012`, are one number only behind a plain label."""
    patterns: tuple[re.Pattern[str], ...] = (_SPACED_ID, _GROUPED_ID, _ID) if grouped else (_SPACED_ID, _ID)
    for pattern in patterns:
        for match in pattern.finditer(text):
            if pattern is not _ID and not _BETWEEN.match(flat(text[: match.start()])):
                continue
            bracketed = text[match.start() - 1 : match.start()] == "(" and text[match.end() : match.end() + 1] == ")"
            if not _NOT_AN_ID.match(match[0]) and not bracketed:
                return match
    return None


_SPREAD_DATE = re.compile(r"\b([^\W\d_]{3,12}\.?\s+\d{1,2})\s+(,\s*\d{4})\b")
_HYPHENED_DATE = re.compile(r"(?<![\d-])(\d{1,2})[-./]([^\W\d_]{3,9})\.?[-./](20\d\d|\d\d)(?![\d-])")
_RANGE = re.compile(r"^\d{1,2}\s*[-–]\s*[^\W\d]")


def _spelt(match: re.Match[str]) -> str:
    return f"{match[1]} {match[2]} {match[3] if len(match[3]) == 4 else '20' + match[3]}"


def dates(sheet: InvoiceSheet) -> list[Token]:
    """The dates of the document, with `August 3 , 2024` and `3-Aug-24`, without the middle of `July 1 - July 31`."""
    found = [token for token in sheet.tokens.of(TokenKind.DATE) if not _RANGE.match(token.text)]
    known = {(token.line, token.start) for token in found}
    for typed in sheet.lines:
        spread = ((match, match[1] + match[2]) for match in _SPREAD_DATE.finditer(typed.text))
        hyphened = ((match, _spelt(match)) for match in _HYPHENED_DATE.finditer(typed.text))
        for match, text in (*spread, *hyphened):
            if (typed.index, match.start()) not in known and (day := read_date(text)):
                page, index = typed.line.page, typed.index
                found.append(Token(TokenKind.DATE, match[0], page, index, *match.span(), typed.line, day))
    return sorted(found, key=lambda token: (token.line, token.start))


def issue_date(sheet: InvoiceSheet, number: InvoiceFinding[str] | None) -> InvoiceFinding[date] | None:
    """The date with the best label; on the number's line; else the first that nothing speaks against."""
    best: tuple[float, InvoiceFinding[date]] | None = None
    for token in dates(sheet):
        labels = labels_for(sheet, token)
        for_it = max(strength(labels, "issue_date"), 1.2 * (strength(labels, "number") >= 0.9))
        against = means_another(sheet, token, labels)
        beside_number = number is not None and number.line == token.line and number.page == token.page
        score = for_it + (2.2 if beside_number else 0.0) - (against if against > for_it else 0.0)
        score -= 0.004 * token.line + (0.5 if token.page > 1 else 0.0)
        evidence = (
            "labelled" if for_it >= 2 else "beside number" if beside_number else "weak label" if for_it else "alone"
        )
        if against > for_it and not beside_number:
            evidence = "doubtful"
        if best is None or score > best[0]:
            best = (score, _found(token, evidence))
    return best[1] if best else None


def means_another(sheet: InvoiceSheet, token: Token, labels: Sequence[tuple[InvoiceLabel, float]]) -> float:
    """How strongly a date is called something else than the day of issue."""
    said = max(strength(labels, "other_date"), strength(labels, "due_date"))
    return max(said, 2.8 * (_in_period(sheet, token) or _of_another_paper(sheet, token)))


_APART = 60.0  # points: what is further left does not label it
_DATED = re.compile(r"^(?:[^\W\d_][^\d,]{1,30},)?\W*(?:(?:den|le|li|il|lì|a|am|d|dne)\b)?\W*$")


def dates_the_letter(sheet: InvoiceSheet, token: Token) -> bool:
    """`Torino, 12 giugno 2025`: a day alone, or behind the name of a town, in the upper half of the first page."""
    cell = sheet.cell_of(token)
    if cell is None or token.page != 1 or token.box[1] > 420:
        return False
    beside = next(iter(left_of(sheet, cell)), None)
    if beside is not None and (beside.text.endswith(":") or cell.box[0] - beside.box[2] < _APART):
        return False
    line = sheet.lines[token.line].text
    return bool(_DATED.match(flat(line[cell.start : token.start]))) and not line[token.end : cell.end].strip(" .")


def _of_another_paper(sheet: InvoiceSheet, token: Token) -> bool:
    """`BL n° 77120 du 4 février`, `zu Rechnung 17 vom 3. Mai`: the date of what is quoted before it."""
    cell = sheet.cell_of(token)
    if cell is None:
        return False
    beside = next(iter(left_of(sheet, cell)), None)
    cells = [cell] if beside is None or beside.line != cell.line else [beside, cell]
    before = [label for one in cells for label in one.labels if label.end <= token.start]
    if not before or before[-1].strength("issue_date") > 1:
        return False
    line = sheet.lines[token.line].text
    return any(
        label.strength("other_date") >= 3 or (label.strength("number") and _whose(line, label, credit=False) < 0)
        for label in before
    )


_TILL = re.compile(r"^\W*(?:bis|bis zum|to|until|through|au|jusqu.?au|al|tot|t/m|til|till|do|ate|a|-|–|—)?\W*$")


def _in_period(sheet: InvoiceSheet, token: Token) -> bool:
    """`from 6 December 2023 to 6 December 2024` is about neither the invoice nor its payment."""
    text = flat(sheet.lines[token.line].text)
    others = [other for other in sheet.lines[token.line].of(TokenKind.DATE) if other.start != token.start]
    gaps = [text[min(token.end, other.end) : max(token.start, other.start)] for other in others]
    return any(gap.strip() and len(gap) < 14 and bool(_TILL.match(gap)) for gap in gaps)


def _found(token: Token, evidence: str) -> InvoiceFinding[date]:
    return InvoiceFinding(token.day, evidence, token.page, token.box, token.line, f"Printed as “{token.text}”.")


def due_date(sheet: InvoiceSheet, issued: date | None) -> InvoiceFinding[date] | None:
    """A date that is called due, not before the issue; else the issue date and the days of grace."""
    best: tuple[float, InvoiceFinding[date]] | None = None
    for token in dates(sheet):
        power = says_due(sheet, token, labels_for(sheet, token))
        if not power:
            continue
        if issued is not None and not issued <= token.day <= issued + timedelta(days=200):
            continue
        if best is None or power > best[0]:
            best = (power, _found(token, "labelled"))
    if best:
        return best[1]
    return _by_terms(sheet, issued) if issued else None


def says_due(sheet: InvoiceSheet, token: Token, labels: Sequence[tuple[InvoiceLabel, float]]) -> float:
    """How strongly a date is called the last day to pay; zero if it is another day."""
    power = max(strength(labels, "due_date"), 2.5 * _asked_for(sheet, token))
    if power < 1.5 or power < strength(labels, "issue_date") or _discounted(sheet, token) or _in_period(sheet, token):
        return 0.0
    return power


_PAY_BY = re.compile(
    r"(?<![a-z])(?:pay|payable|due|remit|zahlen|uberweisen|bezahlen|payer|regler|pagare|pagar|betalen|betales|betalas|zaplac[a-z]*)"
    r"(?![a-z]).{0,45}(?<![a-z])(?:by|before|on|until|bis|zum|avant|jusqu.?au|tard le|le"
    r"|entro|il|antes|del|voor|senest|senast|do|ate)\W*$"
)


def _asked_for(sheet: InvoiceSheet, token: Token) -> bool:
    """`Please pay 223.02 by 28 March`: an amount between the words."""
    return bool(_PAY_BY.search(flat(sheet.lines[token.line].text[: token.start])))


def _discounted(sheet: InvoiceSheet, token: Token) -> bool:
    """The nearer date that earns a discount is not the due date."""
    text = flat(sheet.lines[token.line].text)
    before = text[max(0, token.start - 45) : token.start]
    return bool(re.search(r"skonto|discount|escompte|sconto|korting|rabat", before)) and "netto bis" not in before[-12:]


_ON_RECEIPT = re.compile(
    r"due (?:up)?on receipt|payable immediately|sofort (?:zahlbar|fallig)|zahlbar sofort|a reception"
    r"|alla ricezione|al contado|rimessa diretta|vista fattura|pronto pagamento|per omgaande|a vista"
)
_PAYING = re.compile(
    r"net|zahl|pay|paie|due|terms|fallig|ziel|regl|echeance|pagament|scadenz|betal|binnen|forfald|plat|termin|vencim|pagar"
    r"|prazo|pago|transfer|virement|bonifico|uberweis|zaplat"
)


def _by_terms(sheet: InvoiceSheet, issued: date) -> InvoiceFinding[date] | None:
    for typed in sheet.lines:
        text = flat(typed.text)
        if not _PAYING.search(text):
            continue
        if _ON_RECEIPT.search(text):
            return InvoiceFinding(
                issued, "terms", typed.line.page, typed.line.box, typed.index, f"“{typed.text.strip()}”."
            )
        days = [
            int(match[1])
            for match in _TERMS.finditer(text)
            if any("terms.days" in label.kinds for label in labels_in(match[2])) and 0 < int(match[1]) <= 180
        ]
        days += [int(match[1]) for match in _NET_DAYS.finditer(text) if 0 < int(match[1]) <= 180]
        if days:
            wanted = _net_days(text, days)
            return InvoiceFinding(
                issued + timedelta(days=wanted),
                "terms",
                typed.line.page,
                typed.line.box,
                typed.index,
                f"{wanted} days after the issue date.",
            )
    return None


def _net_days(text: str, days: list[int]) -> int:
    """Of "3 % within 10 days, 30 days net" the net one."""
    return max(days) if re.search(r"skonto|discount|escompte|sconto|%", text) else days[0]
