"""A dollar trade on a euro account, and a Swiss order filled in several parts."""

from __future__ import annotations

import random
from collections.abc import Sequence
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
from postroom_simulators.papers.locales import BRITISH, SWISS, cents
from postroom_simulators.papers.paper import PaperSheet, SamplePaper, SheetColumn

_NIGHT = "#16213e"
_RED = "#a4161a"

Fills = Sequence[tuple[Decimal, Decimal]]


def kestrel_fx_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    """Priced in dollars, settled in euros at the printed rate."""
    chance = random.Random(f"kestrel {seed}")
    instrument = SHARES[chance.choice(["AAPL", "MSFT"])]
    price = market_price(instrument, chance, 2)
    deal = SampleDeal(
        direction=direction or either_way(chance),
        instrument=instrument,
        quantity=Decimal(chance.randrange(5, 80)),
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 1),
        rate=Decimal(chance.randrange(10_400, 11_600)) / 10_000,
        account_currency="EUR",
        fees={
            "Commission": Decimal("4.90"),
            "Currency conversion": Decimal(chance.randrange(150, 900)) / 100,
        },
        reference=f"KD{chance.randrange(10**8, 10**9)}",
    )
    sheet = PaperSheet(title="Trade confirmation", author="Kestrel Direct Europe Ltd")
    _kestrel_page(sheet, deal, chance)
    return SamplePaper(sheet.finish(), contract_note(deal, ticker=True))


def _kestrel_page(sheet: PaperSheet, deal: SampleDeal, chance: random.Random) -> None:
    _kestrel_head(sheet, deal, chance)
    _kestrel_deal(sheet, deal)
    _kestrel_money(sheet, deal)


def _kestrel_head(sheet: PaperSheet, deal: SampleDeal, chance: random.Random) -> None:
    sheet.block(0, 0, 210, 30, _NIGHT)
    sheet.shape([(20, 20), (34, 10), (30, 17), (40, 15), (26, 24)], "#e94560")
    sheet.text(46, 18, "KESTREL", size=18, bold=True, color="#ffffff")
    sheet.text(83, 18, "direct", size=18, color="#e94560")
    sheet.text(190, 18, "Trade confirmation", size=13, align="right", color="#ffffff")
    sheet.lines(20, 44, HOLDERS["us"].address(country=True), size=9.5, gap=4.6)
    facts = [
        ("Account", HOLDERS["us"].account),
        ("Account currency", "EUR"),
        ("Confirmation", deal.reference),
        ("Trade date", deal.trade_date.strftime("%d %b %Y")),
        (
            "Trade time",
            f"{chance.randrange(14, 21):02d}:{chance.randrange(60):02d}:{chance.randrange(60):02d} UTC",
        ),
        ("Settlement date", deal.settlement_date.strftime("%d %b %Y")),
    ]
    for number, (label, value) in enumerate(facts):
        sheet.text(125, 44 + number * 5, label, size=8.5, color="#666666")
        sheet.text(190, 44 + number * 5, value, size=8.5, align="right")


def _kestrel_deal(sheet: PaperSheet, deal: SampleDeal) -> None:
    word = "Buy" if deal.direction == "BUY" else "Sell"
    sheet.text(20, 84, f"{word} {deal.instrument.ticker}", size=22, bold=True, color=_NIGHT)
    sheet.text(20, 90, f"{deal.instrument.name}  ·  ISIN {deal.instrument.isin}  ·  {deal.instrument.venue}", size=9)
    sheet.frame(20, 98, 170, 26, "#cccccc")
    cards = [
        ("Quantity", BRITISH.number(deal.quantity, 0)),
        ("Price", f"USD {BRITISH.number(deal.price)}"),
        ("Principal", f"USD {BRITISH.number(deal.local_gross)}"),
        ("FX rate EUR/USD", f"{deal.rate:.4f}"),
    ]
    for number, (label, value) in enumerate(cards):
        sheet.text(26 + number * 42, 108, label, size=8, color="#666666")
        sheet.text(26 + number * 42, 116, value, size=12, bold=True)


def _kestrel_money(sheet: PaperSheet, deal: SampleDeal) -> None:
    y = 146.0
    sheet.text(20, y - 5, "Amounts in account currency", size=8, color="#666666")
    y = sheet.pair(y + 2, "Principal converted", f"EUR {BRITISH.number(deal.gross)}", left=20, right=190)
    for name, amount in deal.fees.items():
        y = sheet.pair(y, name, f"EUR {BRITISH.number(amount)}", left=20, right=190)
    sheet.rule(20, y - 2, 170, color=_NIGHT)
    label = "Net amount debited" if deal.direction == "BUY" else "Net amount credited"
    y = sheet.pair(y + 4, label, f"EUR {BRITISH.number(deal.net)}", left=20, right=190, bold=True, size=11)
    sheet.paragraph(
        20,
        y + 14,
        "Kestrel Direct acted as agent. The exchange rate shown is the rate at which the whole principal was "
        f"converted, 1 EUR = {deal.rate:.4f} USD. Orders in US securities settle on the next business day. This "
        "confirmation is deemed correct unless you tell us otherwise within ten days.",
        width=170,
        size=8,
        color="#555555",
    )
    sheet.text(
        20,
        285,
        "Kestrel Direct Europe Ltd · 40 Sir John Rogerson's Quay · Dublin 2 · regulated by the Central Bank of Ireland",
        size=7,
    )


def seewald_partial_fills_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    """Three to five fills; quantity and gross are their sums, the price is the printed average."""
    chance = random.Random(f"seewald {seed}")
    instrument = SHARES["NESN"]
    start = market_price(instrument, chance, 2)
    ticks = [Decimal(chance.randrange(0, 12)) / 50 for _ in range(chance.randrange(3, 6))]
    fills = [(Decimal(chance.randrange(20, 180)), start + tick) for tick in ticks]
    quantity = sum((amount for amount, _ in fills), Decimal(0))
    gross = sum((amount * price for amount, price in fills), Decimal(0))
    deal = SampleDeal(
        direction=direction or either_way(chance),
        instrument=instrument,
        quantity=quantity,
        price=cents(gross / quantity, 6),
        trade_date=day,
        settlement_date=business_days_after(day, 2),
        fees={
            "Courtage": max(Decimal("40.00"), cents(gross * Decimal("0.0045"))),
            "Börsengebühr": Decimal("2.00"),
        },
        taxes={"Eidg. Umsatzabgabe 0.075 %": cents(gross * Decimal("0.00075"))},
        reference=f"{chance.randrange(100, 999)}.{chance.randrange(100, 999)}.{chance.randrange(10, 99)}",
    )
    sheet = PaperSheet(title="Börsenabrechnung", author="Seewald Bank AG")
    _seewald_page(sheet, deal, fills, chance)
    return SamplePaper(sheet.finish(), contract_note(deal))


def _seewald_page(sheet: PaperSheet, deal: SampleDeal, fills: Fills, chance: random.Random) -> None:
    _seewald_head(sheet, deal)
    y = _seewald_fills(sheet, deal, fills, chance)
    _seewald_money(sheet, deal, y)


def _seewald_head(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.block(20, 14, 10, 10, _RED)
    sheet.block(24, 16, 2, 6, "#ffffff")
    sheet.block(22, 18, 6, 2, "#ffffff")
    sheet.text(34, 21.5, "SEEWALD BANK", size=15, bold=True)
    sheet.text(190, 19, "Seewald Bank AG, Talstrasse 66, CH-8022 Zürich", size=7.5, align="right")
    sheet.lines(120, 44, ["Herr", *HOLDERS["ch"].address()], size=10, gap=4.8)
    sheet.text(20, 74, f"Zürich, {SWISS.long_date(deal.trade_date)}")
    word = "Ihr Kauf" if deal.direction == "BUY" else "Ihr Verkauf"
    sheet.text(20, 84, f"Börsenabrechnung – {word}", size=14, bold=True, color=_RED)
    sheet.text(
        20,
        90,
        f"Depot {HOLDERS['ch'].account}   Auftrag {deal.reference}   Ausführung in Teilen am "
        f"{SWISS.date(deal.trade_date)}",
    )
    sheet.text(20, 99, f"{deal.instrument.name}", size=11, bold=True)
    sheet.text(
        20,
        104,
        f"ISIN {deal.instrument.isin}   Valor {deal.instrument.national}   {deal.instrument.venue}",
        size=8.5,
    )


def _seewald_fills(sheet: PaperSheet, deal: SampleDeal, fills: Fills, chance: random.Random) -> float:
    columns = [
        SheetColumn("Zeit", 35),
        SheetColumn("Anzahl", 35, "right"),
        SheetColumn("Kurs CHF", 45, "right"),
        SheetColumn("Betrag CHF", 55, "right"),
    ]
    sheet.row(20, 114, columns, [column.title for column in columns], bold=True)
    sheet.rule(20, 116, 170, color=_RED)
    y, minute = 121.5, chance.randrange(5, 40)
    for amount, price in fills:
        cells = [
            f"10:{minute:02d}:{chance.randrange(60):02d}",
            SWISS.number(amount, 0),
            SWISS.number(price),
            SWISS.number(amount * price),
        ]
        sheet.row(20, y, columns, cells)
        y, minute = y + 5, minute + chance.randrange(1, 4)
    sheet.rule(20, y - 3, 170)
    total = [
        "Total",
        SWISS.number(deal.quantity, 0),
        f"Ø {SWISS.number(deal.price, 6)}",
        SWISS.number(deal.gross),
    ]
    sheet.row(20, y + 1.5, columns, total, bold=True)
    return y


def _seewald_money(sheet: PaperSheet, deal: SampleDeal, y: float) -> None:
    y += 13
    for name, amount in {**deal.fees, **deal.taxes}.items():
        y = sheet.pair(y, name, SWISS.number(amount), left=90, right=190)
    sheet.rule(90, y - 2, 100, color=_RED)
    label = "Zu Ihren Lasten" if deal.direction == "BUY" else "Zu Ihren Gunsten"
    y = sheet.pair(
        y + 3,
        f"{label}   Valuta {SWISS.date(deal.settlement_date)}",
        f"CHF {SWISS.number(deal.net)}",
        left=90,
        right=190,
        bold=True,
        size=10,
    )
    sheet.paragraph(
        20,
        y + 14,
        "Wir haben diesen Auftrag gemäss unseren Allgemeinen Geschäftsbedingungen ausgeführt. Anzeige ohne "
        "Unterschrift.",
        width=170,
        size=8,
    )
