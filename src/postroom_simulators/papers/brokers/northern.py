"""Notes from Amsterdam and Stockholm."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from postroom_simulators.papers.brokers.holders import HOLDERS
from postroom_simulators.papers.deals import (
    SHARES,
    Direction,
    SampleDeal,
    business_days_after,
    contract_note,
    either_way,
    market_price,
)
from postroom_simulators.papers.locales import DUTCH, SWEDISH, cents
from postroom_simulators.papers.paper import PaperSheet, SamplePaper, SheetColumn

_TEAL = "#006d77"


def polderhuis_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    chance = random.Random(f"polderhuis {seed}")
    instrument = SHARES[chance.choice(["ASML", "INGA"])]
    price = market_price(instrument, chance, 3)
    quantity = Decimal(int(Decimal(chance.randrange(4_000, 20_000)) / price) or 5)
    gross = cents(quantity * price)
    deal = SampleDeal(
        direction=direction or either_way(chance),
        instrument=instrument,
        quantity=quantity,
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 2),
        fees={"Transactiekosten": cents(Decimal("6.00") + gross * Decimal("0.0010"))},
        reference=f"{chance.randrange(10**7, 10**8)}",
    )
    sheet = PaperSheet(title="Effectennota", author="Polderhuis Effecten N.V.")
    _polderhuis_page(sheet, deal, chance)
    return SamplePaper(sheet.finish(), contract_note(deal, ticker=True))


def _polderhuis_page(sheet: PaperSheet, deal: SampleDeal, chance: random.Random) -> None:
    _polderhuis_head(sheet, deal, chance)
    _polderhuis_table(sheet, deal)
    _polderhuis_money(sheet, deal)


def _polderhuis_head(sheet: PaperSheet, deal: SampleDeal, chance: random.Random) -> None:
    for number, color in enumerate(["#006d77", "#83c5be", "#e29578"]):
        sheet.block(20 + number * 5, 14 + number * 2.4, 4, 14 - number * 2.4, color)
    sheet.text(39, 22, "polderhuis", size=19, bold=True, color=_TEAL)
    sheet.text(39, 27, "effecten", size=9.5, color="#e29578")
    sheet.lines(20, 44, HOLDERS["nl"].address(), size=10, gap=4.8)
    sheet.text(20, 72, "Aankoopnota" if deal.direction == "BUY" else "Verkoopnota", size=20, bold=True, color=_TEAL)
    sheet.text(20, 79, f"Amsterdam, {DUTCH.long_date(deal.trade_date)}")
    sheet.text(20, 84, f"Effectenrekening {HOLDERS['nl'].account}   |   Notanummer {deal.reference}")
    verb = "gekocht" if deal.direction == "BUY" else "verkocht"
    clock = f"{chance.randrange(9, 17):02d}:{chance.randrange(60):02d}"
    sheet.text(20, 94, f"Wij hebben voor u op {DUTCH.date(deal.trade_date)} om {clock} uur {verb}:")


def _polderhuis_table(sheet: PaperSheet, deal: SampleDeal) -> None:
    columns = [
        SheetColumn("Aantal", 18, "right"),
        SheetColumn("", 4),
        SheetColumn("Fonds", 48),
        SheetColumn("Symbool", 18),
        SheetColumn("ISIN-code", 30),
        SheetColumn("Koers", 22, "right"),
        SheetColumn("Bedrag", 30, "right"),
    ]
    sheet.block(20, 99, 170, 7, _TEAL)
    x = 20.0
    for column in columns:
        at = x + column.width if column.align == "right" else x
        sheet.text(
            at - (1 if column.align == "right" else -1),
            103.8,
            column.title,
            size=8,
            bold=True,
            align=column.align,
            color="#ffffff",
        )
        x += column.width
    cells = [
        DUTCH.number(deal.quantity, 0),
        "",
        deal.instrument.name,
        deal.instrument.ticker,
        deal.instrument.isin,
        f"€ {DUTCH.number(deal.price, 3)}",
        f"€ {DUTCH.number(deal.gross)}",
    ]
    sheet.row(20, 112, columns, cells)
    sheet.text(42, 117, deal.instrument.venue, size=8, color="#666666")


def _polderhuis_money(sheet: PaperSheet, deal: SampleDeal) -> None:
    y = 128.0
    for name, amount in deal.fees.items():
        y = sheet.pair(y, name, f"€ {DUTCH.number(amount)}", left=110, right=190)
    sheet.rule(110, y - 2.5, 80, color=_TEAL, weight=1)
    label = "Totaal af te schrijven" if deal.direction == "BUY" else "Totaal bij te schrijven"
    y = sheet.pair(y + 3, label, f"€ {DUTCH.number(deal.net)}", left=110, right=190, bold=True, size=10)
    sheet.text(110, y + 2, f"Valutadatum {DUTCH.date(deal.settlement_date)}", size=8.5)
    sheet.paragraph(
        20,
        y + 22,
        "Deze order is uitgevoerd volgens ons orderuitvoeringsbeleid. Klopt er iets niet? Laat het ons binnen "
        "vijf werkdagen weten via Mijn Polderhuis. Bewaar deze nota voor uw belastingaangifte (box 3).",
        width=170,
        size=8.5,
    )
    sheet.text(
        20,
        285,
        "Polderhuis Effecten N.V. · Herengracht 595 · 1017 CE Amsterdam · KvK 33098714 · polderhuis.example",
        size=7,
        color="#666666",
    )


def malarbanken_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    chance = random.Random(f"malarbanken {seed}")
    instrument = SHARES[chance.choice(["VOLV", "ERIC"])]
    price = market_price(instrument, chance, 2)
    quantity = Decimal(chance.randrange(4, 90) * 10)
    gross = cents(quantity * price)
    deal = SampleDeal(
        direction=direction or either_way(chance),
        instrument=instrument,
        quantity=quantity,
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 2),
        fees={"Courtage": max(Decimal("39.00"), cents(gross * Decimal("0.0009")))},
        reference=f"{chance.randrange(10**6, 10**7)}-{chance.randrange(10)}",
    )
    sheet = PaperSheet(title="Avräkningsnota", author="Mälarbanken AB (publ)")
    _malarbanken_page(sheet, deal)
    return SamplePaper(sheet.finish(), contract_note(deal))


def _malarbanken_page(sheet: PaperSheet, deal: SampleDeal) -> None:
    _malarbanken_head(sheet, deal)
    _malarbanken_deal(sheet, deal)


def _malarbanken_head(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.disc(26, 20, 7, "#005293")
    sheet.block(18, 19.2, 16, 1.6, "#fecb00")
    sheet.text(38, 22, "Mälarbanken", size=16, bold=True, color="#005293")
    sheet.text(190, 18, "AVRÄKNINGSNOTA", size=13, bold=True, align="right")
    sheet.text(190, 23, "Sida 1 (1)", size=8, align="right")
    sheet.lines(115, 40, HOLDERS["sv"].address(), size=10, gap=4.8)
    left = [
        ("Depå", HOLDERS["sv"].account),
        ("Notanummer", deal.reference),
        ("Avslutsdag", SWEDISH.date(deal.trade_date)),
        ("Likviddag", SWEDISH.date(deal.settlement_date)),
        ("Marknadsplats", deal.instrument.venue),
    ]
    for number, (label, value) in enumerate(left):
        sheet.text(20, 40 + number * 5, label, size=8.5, color="#555555")
        sheet.text(50, 40 + number * 5, value, size=9)


def _malarbanken_deal(sheet: PaperSheet, deal: SampleDeal) -> None:
    word = "KÖP" if deal.direction == "BUY" else "SÄLJ"
    sheet.block(20, 76, 170, 9, "#e7eff6")
    sheet.text(23, 82.2, f"{word}   {deal.instrument.name}   {deal.instrument.isin}", size=11, bold=True)
    columns = [
        SheetColumn("Antal", 40, "right"),
        SheetColumn("Kurs", 45, "right"),
        SheetColumn("Valuta", 30, "center"),
        SheetColumn("Belopp", 55, "right"),
    ]
    sheet.row(20, 95, columns, [column.title for column in columns], size=8.5, bold=True)
    sheet.rule(20, 97, 170)
    cells = [
        f"{SWEDISH.number(deal.quantity, 0)} st",
        SWEDISH.number(deal.price),
        "SEK",
        SWEDISH.number(deal.gross),
    ]
    sheet.row(20, 103, columns, cells, size=9.5)
    y = 114.0
    for name, amount in deal.fees.items():
        shown = SWEDISH.number(amount if deal.direction == "BUY" else -amount)
        y = sheet.pair(y, name, shown, left=105, right=190, size=9.5)
    sheet.rule(105, y - 2.5, 85)
    label = "Att betala SEK" if deal.direction == "BUY" else "Att erhålla SEK"
    y = sheet.pair(y + 3.5, label, SWEDISH.number(deal.net), left=105, right=190, size=11, bold=True)
    sheet.paragraph(
        20,
        y + 16,
        "Affären har utförts i kommission för Er räkning. Likvidbeloppet bokförs på Ert depåkonto på likviddagen. "
        "Eventuell reklamation ska göras omgående till Mälarbanken Kundservice, telefon 08-505 550 00.",
        width=170,
        size=8.5,
    )
    sheet.text(
        20,
        284,
        "Mälarbanken AB (publ) · Box 7011 · 103 86 Stockholm · Org.nr 516401-9901 · Styrelsens säte: Stockholm",
        size=7,
    )
