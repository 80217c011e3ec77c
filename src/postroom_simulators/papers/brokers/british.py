"""A London stockbroker's note in pence with stamp duty, and a fund's in thousandths of a share."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

from postroom_simulators.papers.brokers.holders import HOLDERS
from postroom_simulators.papers.deals import (
    FUNDS,
    SHARES,
    Direction,
    SampleDeal,
    business_days_after,
    contract_note,
    either_way,
    market_price,
)
from postroom_simulators.papers.locales import BRITISH, cents
from postroom_simulators.papers.paper import PaperSheet, SamplePaper, SheetColumn

_GREEN = "#14452f"


def thornbury_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    """Prices are printed in pence; the truth keeps pounds."""
    chance = random.Random(f"thornbury {seed}")
    deal = _thornbury_deal(day, chance, direction)
    sheet = PaperSheet(
        title="Contract Note",
        author="Thornbury & Vale Stockbrokers LLP",
        font="Times-Roman",
        bold="Times-Bold",
    )
    _thornbury_head(sheet, deal, chance)
    _thornbury_table(sheet, deal)
    _thornbury_foot(sheet, deal)
    return SamplePaper(sheet.finish(), contract_note(deal, ticker=True))


def _thornbury_deal(day: date, chance: random.Random, direction: Direction | None) -> SampleDeal:
    instrument = SHARES[chance.choice(["VOD", "SHEL", "AZN"])]
    way = direction or either_way(chance)
    price = market_price(instrument, chance, 4)
    quantity = Decimal(int(Decimal(chance.randrange(6_000, 28_000)) / price))
    gross = cents(quantity * price)
    levy = {"PTM Levy": Decimal("1.50")} if gross > 10_000 else {}
    return SampleDeal(
        direction=way,
        instrument=instrument,
        quantity=quantity,
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 1),
        fees={"Commission": max(Decimal("25.00"), cents(gross * Decimal("0.0065"))), **levy},
        taxes={"Stamp Duty Reserve Tax @ 0.5%": cents(gross * Decimal("0.005"))} if way == "BUY" else {},
        reference=f"B{chance.randrange(10**5, 10**6)}/{day:%y}",
    )


def _thornbury_head(sheet: PaperSheet, deal: SampleDeal, chance: random.Random) -> None:
    sheet.disc(30, 22, 9, _GREEN)
    sheet.text(30, 24.6, "T&V", size=15, bold=True, align="center", color="#ffffff")
    sheet.text(44, 21, "Thornbury & Vale", size=19, bold=True, color=_GREEN)
    sheet.text(44, 26.5, "Stockbrokers LLP  ·  Member of the London Stock Exchange", size=9, color=_GREEN)
    sheet.lines(150, 17, ["3 Finch Lane", "London EC3V 3NA", "Tel 020 7946 0821"], size=8.5, gap=4)
    sheet.rule(20, 34, 170, color=_GREEN, weight=1.2)
    sheet.lines(22, 46, HOLDERS["en"].address(), size=10.5, gap=5)
    facts = [
        ("Account", HOLDERS["en"].account),
        ("Contract reference", deal.reference),
        ("Tax point / date", deal.trade_date.strftime("%d %b %Y")),
        ("Time of execution", f"{chance.randrange(8, 16):02d}:{chance.randrange(60):02d} GMT"),
        ("Venue", "London Stock Exchange (XLON)"),
    ]
    for number, (label, value) in enumerate(facts):
        sheet.text(118, 46 + number * 5, label, size=9.5)
        sheet.text(188, 46 + number * 5, value, size=9.5, align="right")
    sheet.text(105, 84, "CONTRACT NOTE", size=16, bold=True, align="center")
    word = "BOUGHT" if deal.direction == "BUY" else "SOLD"
    sheet.text(
        105,
        91,
        f"We have today {word} on your behalf, as agent, subject to the rules of the Exchange",
        size=10,
        align="center",
    )


def _thornbury_table(sheet: PaperSheet, deal: SampleDeal) -> None:
    columns = [
        SheetColumn("Quantity", 26, "right"),
        SheetColumn("", 6),
        SheetColumn("Security", 72),
        SheetColumn("Price (pence)", 28, "right"),
        SheetColumn("Consideration £", 36, "right"),
    ]
    sheet.frame(20, 97, 170, 100)
    sheet.row(20, 103, columns, [column.title for column in columns], size=9.5, bold=True)
    sheet.rule(20, 105.5, 170)
    pence = BRITISH.number(deal.price * 100, 2)
    cells = [
        BRITISH.number(deal.quantity, 0),
        "",
        deal.instrument.name,
        f"{pence}p",
        BRITISH.number(deal.gross),
    ]
    sheet.row(20, 112, columns, cells, size=10)
    sheet.text(
        52,
        117,
        f"{deal.instrument.ticker}.L   SEDOL {deal.instrument.national}   ISIN {deal.instrument.isin}",
        size=8.5,
    )
    y = 134.0
    for name, amount in {**deal.fees, **deal.taxes}.items():
        shown = BRITISH.number(amount)
        y = sheet.pair(y, name, shown if deal.direction == "BUY" else f"({shown})", left=90, right=188, size=10)
    sheet.rule(154, y - 2, 34)
    label = "TOTAL PAYABLE BY YOU" if deal.direction == "BUY" else "TOTAL DUE TO YOU"
    sheet.pair(y + 4, label, f"£{BRITISH.number(deal.net)}", left=90, right=188, size=11, bold=True)
    sheet.text(24, 186, f"For settlement: {deal.settlement_date.strftime('%d %b %Y')}", size=10, bold=True)
    sheet.text(
        24,
        191.5,
        "Settlement through our nominee account. No action is needed if your account is in funds.",
        size=9,
    )


def _thornbury_foot(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.paragraph(
        20,
        206,
        "This transaction was executed on an agency basis. Please retain this document for tax purposes. Any "
        "query should be raised within two business days of receipt. Unless otherwise stated dealing is cum all "
        "entitlements. The value of investments may fall as well as rise; past performance is no guide to the "
        "future.",
        width=170,
        size=8.5,
    )
    sheet.text(
        20,
        232,
        f"E. & O. E.        Statement of costs available on request quoting {deal.reference}.",
        size=8.5,
    )
    sheet.text(
        105,
        284,
        "Thornbury & Vale Stockbrokers LLP is registered in England OC300418. Authorised and regulated by the "
        "Financial Conduct Authority.",
        size=7.5,
        align="center",
        color="#555555",
    )


def arbour_fund_note(day: date, seed: int, *, direction: Direction | None = None) -> SamplePaper:
    chance = random.Random(f"arbour {seed}")
    fund = FUNDS[chance.choice(["WORLD", "GREEN"])]
    price = market_price(fund, chance, 4 if fund is FUNDS["GREEN"] else 2)
    shares = (Decimal(chance.randrange(2_000, 30_000)) / price).quantize(Decimal("0.001"))
    deal = SampleDeal(
        direction=direction or either_way(chance),
        instrument=fund,
        quantity=shares,
        price=price,
        trade_date=day,
        settlement_date=business_days_after(day, 3),
        fees={"Initial charge": cents(shares * price * Decimal("0.01"))},
        reference=f"ORD-{chance.randrange(10**8, 10**9)}",
    )
    sheet = PaperSheet(title="Confirmation of transaction", author="Arbour Fund Services S.A.")
    _arbour_page(sheet, deal)
    return SamplePaper(sheet.finish(), contract_note(deal))


def _arbour_page(sheet: PaperSheet, deal: SampleDeal) -> None:
    _arbour_head(sheet, deal)
    _arbour_deal(sheet, deal)


def _arbour_head(sheet: PaperSheet, deal: SampleDeal) -> None:
    sheet.block(0, 0, 62, 297, "#eef3ee")
    for number in range(5):
        sheet.disc(
            22 + number * 4.2,
            24 - (number % 2) * 4,
            4.4 - number * 0.5,
            ["#2f6f4e", "#58946f", "#86b694"][number % 3],
        )
    sheet.text(14, 37, "ARBOUR", size=14, bold=True, color="#2f6f4e")
    sheet.text(14, 41.5, "Fund Services S.A.", size=9, color="#2f6f4e")
    side = [
        "Transfer agent",
        "49, avenue J.F. Kennedy",
        "L-1855 Luxembourg",
        "",
        "Shareholder services",
        "+352 27 00 44 10",
        "dealing@arbourfunds.example",
        "",
        "Account",
        HOLDERS["lu"].account,
        "",
        "Order",
        deal.reference,
    ]
    sheet.lines(14, 54, side, size=8)
    sheet.lines(75, 26, HOLDERS["lu"].address(country=True), size=10, gap=4.8)
    word = "Subscription" if deal.direction == "BUY" else "Redemption"
    sheet.text(75, 62, f"{word} confirmation", size=17, bold=True, color="#2f6f4e")


def _arbour_deal(sheet: PaperSheet, deal: SampleDeal) -> None:
    rows = [
        ("Fund", deal.instrument.name),
        ("ISIN", deal.instrument.isin),
        ("Dealing date", deal.trade_date.strftime("%d-%b-%Y")),
        ("Settlement date", deal.settlement_date.strftime("%d-%b-%Y")),
        ("Number of shares", BRITISH.number(deal.quantity, 3)),
        ("Net asset value per share", f"EUR {BRITISH.number(deal.price, None)}"),
        ("Gross amount", f"EUR {BRITISH.number(deal.gross)}"),
        *((name, f"EUR {BRITISH.number(amount)}") for name, amount in deal.fees.items()),
    ]
    y = 76.0
    for label, value in rows:
        sheet.text(75, y, label, size=9.5, color="#444444")
        sheet.text(190, y, value, size=9.5, align="right")
        sheet.rule(75, y + 2.4, 115, color="#d5ded5")
        y += 8
    label = "Net amount payable" if deal.direction == "BUY" else "Net proceeds paid"
    sheet.block(75, y - 3, 115, 11, "#2f6f4e")
    sheet.text(79, y + 4, label, size=11, bold=True, color="#ffffff")
    sheet.text(186, y + 4, f"EUR {BRITISH.number(deal.net)}", size=11, bold=True, align="right", color="#ffffff")
    sheet.paragraph(
        75,
        y + 22,
        "Shares are held in registered form without certificates. Fractions are issued to three decimal places. "
        "Prices are published each business day at 16:00 CET. Please check this confirmation and tell us of any "
        "error within five business days. Investors should read the prospectus and the key information document.",
        width=115,
        size=8.5,
        color="#555555",
    )
