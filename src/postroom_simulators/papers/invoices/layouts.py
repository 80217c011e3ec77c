"""Three ways to lay out an invoice: the classic letter, a colour band, and a sparse modern one."""

from __future__ import annotations

from collections.abc import Sequence

from postroom_simulators.papers.identifiers import grouped
from postroom_simulators.papers.invoices.bills import SampleBill
from postroom_simulators.papers.paper import PaperSheet, SamplePaper, SheetColumn

_GERMANY = {
    "en": "Germany",
    "fr": "Allemagne",
    "it": "Germania",
    "nl": "Duitsland",
    "es": "Alemania",
    "sv": "Tyskland",
}


def invoice(
    bill: SampleBill, *, title: str | None = None, font: str = "Helvetica", bold: str | None = None
) -> SamplePaper:
    """`title` replaces the word for invoice, as on a reminder that carries a copy."""
    sheet = PaperSheet(
        title=f"{bill.supplier.words.invoice} {bill.number}",
        author=bill.supplier.party.name,
        font=font,
        bold=bold,
    )
    head = {"classic": _classic_head, "band": _band_head, "minimal": _minimal_head}[bill.supplier.layout]
    y = head(sheet, bill, title or bill.supplier.words.invoice)
    y = _table(sheet, bill, y)
    y = _totals(sheet, bill, y)
    _payment(sheet, bill, y)
    return SamplePaper(sheet.finish(), bill.truth())


def _buyer(bill: SampleBill) -> list[str]:
    to = bill.buyer
    abroad = [] if to.country == bill.supplier.party.country else [_GERMANY[bill.supplier.locale.language]]
    return [to.name, "Accounts payable", to.street, to.town, *abroad]


def _facts(bill: SampleBill) -> Sequence[tuple[str, str]]:
    words, locale = bill.supplier.words, bill.supplier.locale
    return [
        (words.number, bill.number),
        (words.date, locale.date(bill.issued)),
        (words.due, locale.date(bill.due)),
        (words.customer, bill.customer),
    ]


def _classic_head(sheet: PaperSheet, bill: SampleBill, title: str) -> float:
    party, color = bill.supplier.party, bill.supplier.color
    sheet.block(170, 12, 20, 20, color, radius=3)
    sheet.text(180, 26, party.name[0], size=32, bold=True, align="center", color="#ffffff")
    sheet.text(20, 20, party.name, size=15, bold=True, color=color)
    sheet.text(20, 26, f"{party.street} · {party.town}", size=8.5)
    sheet.text(20, 48, f"{party.name} · {party.street} · {party.town}", size=6.5, color="#777777")
    sheet.rule(20, 49.2, 85, color="#aaaaaa", weight=0.3)
    sheet.lines(20, 55, _buyer(bill), size=10, gap=4.7)
    for number, (label, value) in enumerate(_facts(bill)):
        sheet.text(125, 55 + number * 5, label, size=9)
        sheet.text(190, 55 + number * 5, value, size=9, align="right", bold=number == 0)
    sheet.text(20, 94, f"{title} {bill.number}", size=15, bold=True)
    return 104.0


def _band_head(sheet: PaperSheet, bill: SampleBill, title: str) -> float:
    party, color = bill.supplier.party, bill.supplier.color
    sheet.block(0, 0, 210, 36, color)
    sheet.disc(28, 18, 8, "#ffffff")
    sheet.disc(28, 18, 5, color)
    sheet.text(42, 17, party.name, size=14, bold=True, color="#ffffff")
    sheet.text(42, 23, f"{party.street}, {party.town}", size=8.5, color="#ffffff")
    sheet.text(190, 21, title.upper(), size=20, bold=True, align="right", color="#ffffff")
    sheet.lines(20, 52, _buyer(bill), size=10, gap=4.7)
    for number, (label, value) in enumerate(_facts(bill)):
        sheet.text(118, 52 + number * 5.2, f"{label}:", size=9, bold=True)
        sheet.text(155, 52 + number * 5.2, value, size=9)
    return 90.0


def _minimal_head(sheet: PaperSheet, bill: SampleBill, title: str) -> float:
    party, color = bill.supplier.party, bill.supplier.color
    sheet.shape([(20, 16), (28, 12), (28, 24), (20, 28)], color)
    sheet.shape([(29.5, 12), (37.5, 16), (37.5, 28), (29.5, 24)], color)
    sheet.text(20, 44, title, size=26, bold=True, color=color)
    sheet.lines(120, 16, [party.name, party.street, f"{party.town}", party.vat], size=8.5, gap=4.2)
    x = 20.0
    for label, value in _facts(bill):
        sheet.text(x, 56, label, size=7, color="#888888")
        sheet.text(x, 61, value, size=9.5)
        x += 42
    sheet.lines(20, 74, _buyer(bill), size=9.5, gap=4.5)
    return 104.0


def _table(sheet: PaperSheet, bill: SampleBill, y: float) -> float:
    words, locale, color = bill.supplier.words, bill.supplier.locale, bill.supplier.color
    columns = [
        SheetColumn(words.item, 80),
        SheetColumn(words.quantity, 20, "right"),
        SheetColumn(words.unit_price, 28, "right"),
        SheetColumn(words.rate, 16, "right"),
        SheetColumn(words.amount, 26, "right"),
    ]
    sheet.row(20, y, columns, [column.title for column in columns], size=8.5, bold=True)
    sheet.rule(20, y + 2.4, 170, color=color, weight=1.1)
    y += 8.5
    for line in bill.lines:
        cells = [
            line.description,
            locale.number(line.quantity, 0),
            locale.number(line.unit_price),
            f"{locale.number(line.rate, None)} %",
            locale.number(line.total),
        ]
        sheet.row(20, y, columns, cells, size=9)
        sheet.rule(20, y + 2.6, 170, color="#dddddd", weight=0.3)
        y += 7
    return y + 3


def _totals(sheet: PaperSheet, bill: SampleBill, y: float) -> float:
    words, locale, currency = bill.supplier.words, bill.supplier.locale, bill.supplier.currency
    sign = {"EUR": "€", "GBP": "£", "SEK": "kr"}[currency]

    def money(amount: str) -> str:
        return f"{sign}{amount}" if currency == "GBP" else f"{amount} {sign}"

    y = sheet.pair(y, words.net, money(locale.number(bill.net)), left=112, right=190)
    for rate, (base, tax) in bill.taxes().items():
        label = words.tax.format(rate=locale.number(rate, None), base=locale.number(base))
        y = sheet.pair(y, label, money(locale.number(tax)), left=112, right=190)
    sheet.rule(112, y - 2.2, 78, color=bill.supplier.color, weight=1.1)
    return sheet.pair(y + 3.4, words.total, money(locale.number(bill.total)), left=112, right=190, size=11.5, bold=True)


def _payment(sheet: PaperSheet, bill: SampleBill, y: float) -> None:
    supplier = bill.supplier
    sheet.text(20, y + 14, supplier.words.bank, size=9, bold=True)
    sheet.text(20, y + 19, f"IBAN {grouped(bill.iban)}", size=9)
    sheet.text(20, y + 23.6, f"{supplier.words.due} {supplier.locale.date(bill.due)}", size=9)
    sheet.paragraph(20, y + 32, supplier.words.thanks, width=170, size=8.5, color="#555555")
    sheet.rule(20, 277, 170, color="#bbbbbb", weight=0.3)
    foot = f"{supplier.party.name} · {supplier.party.city} · {supplier.party.vat} · {supplier.email}"
    sheet.text(105, 282, foot, size=7, align="center", color="#666666")
