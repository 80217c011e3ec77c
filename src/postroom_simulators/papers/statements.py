"""Papers about many trades or none: an activity statement of several pages, and a dividend advice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from postroom_simulators.papers.brokers.german import hansekontor_logo
from postroom_simulators.papers.brokers.holders import HOLDERS
from postroom_simulators.papers.deals import (
    SHARES,
    SampleDeal,
    business_day_before,
    business_days_after,
    contract_note,
    market_price,
)
from postroom_simulators.papers.locales import BRITISH, GERMAN, cents
from postroom_simulators.papers.paper import PaperSheet, SamplePaper, SheetColumn

_NAVY = "#1d3557"
_ROWS_A_PAGE = 18
_COLUMNS = [
    SheetColumn("Trade date", 19),
    SheetColumn("Settle", 16),
    SheetColumn("Side", 9),
    SheetColumn("Quantity", 14, "right"),
    SheetColumn("", 3),
    SheetColumn("Symbol", 12),
    SheetColumn("ISIN", 25),
    SheetColumn("Price", 17, "right"),
    SheetColumn("Gross", 21, "right"),
    SheetColumn("Comm.", 12, "right"),
    SheetColumn("Net USD", 22, "right"),
]


def activity_statement(day: date, seed: int, *, trades: int = 27) -> SamplePaper:
    """A month of trades in dollars, over as many pages as it takes."""
    chance = random.Random(f"statement {seed}")
    deals = _month_of_deals(day, chance, trades)
    sheet = PaperSheet(title="Monthly activity statement", author="Pinecrest Brokerage Inc.")
    pages = -(-len(deals) // _ROWS_A_PAGE) + 1
    _statement_cover(sheet, deals, pages)
    for first in range(0, len(deals), _ROWS_A_PAGE):
        sheet.next_page()
        _statement_rows(sheet, deals[first : first + _ROWS_A_PAGE], pages)
    _statement_totals(sheet, deals)
    return SamplePaper(
        sheet.finish(), {"type": "activity_statement", "trades": contract_note(*deals, ticker=True)["trades"]}
    )


def _month_of_deals(day: date, chance: random.Random, trades: int) -> list[SampleDeal]:
    days = sorted(business_day_before(day, chance.randrange(1, 20)) for _ in range(trades))
    deals = []
    for traded in days:
        instrument = SHARES[chance.choice(["AAPL", "MSFT"])]
        price = market_price(instrument, chance, 2)
        deals.append(
            SampleDeal(
                direction=chance.choice(["BUY", "BUY", "SELL"]),
                instrument=instrument,
                quantity=Decimal(chance.randrange(3, 120)),
                price=price,
                trade_date=traded,
                settlement_date=business_days_after(traded, 1),
                fees={"Commission": Decimal(chance.choice(["1.00", "1.95", "2.40"]))},
            )
        )
    return deals


def _statement_head(sheet: PaperSheet, pages: int) -> None:
    sheet.shape([(20, 24), (25, 12), (30, 24)], "#2a6f4f")
    sheet.shape([(23, 18), (25, 13), (27, 18)], "#7fb69a")
    sheet.text(34, 19, "PINECREST", size=15, bold=True, color=_NAVY)
    sheet.text(34, 23.5, "Brokerage Inc. · Member FINRA/SIPC", size=7.5, color="#666666")
    sheet.text(190, 19, "Monthly activity statement", size=11, bold=True, align="right", color=_NAVY)
    sheet.text(190, 23.5, f"Page {sheet.page} of {pages}", size=8, align="right")
    sheet.rule(20, 28, 170, color=_NAVY, weight=1)


def _statement_cover(sheet: PaperSheet, deals: Sequence[SampleDeal], pages: int) -> None:
    _statement_address(sheet, deals, pages)
    y = _statement_summary(sheet, deals)
    _statement_small_print(sheet, y)


def _statement_address(sheet: PaperSheet, deals: Sequence[SampleDeal], pages: int) -> None:
    _statement_head(sheet, pages)
    sheet.lines(20, 42, HOLDERS["us"].address(country=True), size=10, gap=4.8)
    first, last = deals[0].trade_date, deals[-1].trade_date
    sheet.text(120, 42, "Statement period", size=8, color="#666666")
    sheet.text(120, 47, f"{first:%b %d, %Y} – {last:%b %d, %Y}", size=10.5, bold=True)
    sheet.text(120, 54, "Account", size=8, color="#666666")
    sheet.text(120, 59, "PB-7741-20993 (individual margin)", size=10.5)


def _statement_summary(sheet: PaperSheet, deals: Sequence[SampleDeal]) -> float:
    sheet.text(20, 82, "Summary of activity", size=13, bold=True, color=_NAVY)
    bought = sum((deal.net for deal in deals if deal.direction == "BUY"), Decimal(0))
    sold = sum((deal.net for deal in deals if deal.direction == "SELL"), Decimal(0))
    fees = sum((deal.total_fees for deal in deals), Decimal(0))
    opening = Decimal("412500.00")
    rows = [
        ("Opening cash balance", opening),
        ("Securities purchased", -bought),
        ("Securities sold", sold),
        ("Closing cash balance", opening - bought + sold),
    ]
    y = 92.0
    for label, amount in rows:
        y = sheet.pair(y, label, f"USD {BRITISH.number(amount)}", left=22, right=188, bold=label.startswith("Closing"))
        sheet.rule(20, y - 3.2, 170, color="#dddddd")
        y += 1.4
    sheet.text(
        22,
        y + 3,
        f"Commissions included in the above: USD {BRITISH.number(fees)} on {len(deals)} executions.",
        size=8.5,
    )
    return y


def _statement_small_print(sheet: PaperSheet, y: float) -> None:
    sheet.paragraph(
        20,
        y + 16,
        "This statement lists every transaction that settled or is due to settle in the period. Please compare it "
        "with your own records and with the confirmations you have received. Report differences in writing within "
        "thirty days to the address below. Securities in margin accounts may be loaned. Trades marked with the "
        "symbol of the issuer only are in common stock.",
        width=170,
        size=8.5,
    )
    sheet.text(
        105,
        285,
        "Pinecrest Brokerage Inc. · 200 Liberty Street, New York NY 10281 · www.pinecrest.example",
        size=7,
        align="center",
    )


def _statement_rows(sheet: PaperSheet, deals: Sequence[SampleDeal], pages: int) -> None:
    _statement_head(sheet, pages)
    sheet.text(20, 37, "Transactions", size=12, bold=True, color=_NAVY)
    sheet.block(20, 41, 190 - 20, 6, "#e8eef5")
    sheet.row(20, 45.2, _COLUMNS, [column.title for column in _COLUMNS], size=7.5, bold=True)
    sheet.y = 52.0
    for deal in deals:
        cells = [
            f"{deal.trade_date:%m/%d/%Y}",
            f"{deal.settlement_date:%m/%d/%y}",
            deal.direction.title(),
            BRITISH.number(deal.quantity, 0),
            "",
            deal.instrument.ticker,
            deal.instrument.isin,
            BRITISH.number(deal.price),
            BRITISH.number(deal.gross),
            BRITISH.number(deal.total_fees),
            BRITISH.number(deal.net),
        ]
        sheet.row(20, sheet.y, _COLUMNS, cells, size=7.5)
        sheet.rule(20, sheet.y + 2.2, 170, color="#e3e3e3", weight=0.3)
        sheet.y += 6.2


def _statement_totals(sheet: PaperSheet, deals: Sequence[SampleDeal]) -> None:
    total = sum((deal.net for deal in deals), Decimal(0))
    sheet.text(
        20,
        sheet.y + 4,
        f"{len(deals)} executions · turnover USD {BRITISH.number(total)}",
        size=8.5,
        bold=True,
    )


def dividend_advice(day: date, seed: int) -> SamplePaper:
    """Looks like a contract note at first glance, but nothing was bought or sold."""
    chance = random.Random(f"dividend {seed}")
    instrument = SHARES["ALV"]
    shares, rate = Decimal(chance.randrange(20, 400)), Decimal("15.40")
    gross = cents(shares * rate)
    tax = cents(gross * Decimal("0.25"))
    soli = cents(tax * Decimal("0.055"))
    sheet = PaperSheet(title="Dividendengutschrift", author="Hansekontor Bank AG")
    hansekontor_logo(sheet)
    sheet.lines(20, 53, HOLDERS["de"].address(), size=10, gap=4.8)
    sheet.text(20, 88, "Dividendengutschrift", size=14, bold=True)
    terms = [
        ("Bestand", f"{GERMAN.number(shares, 0)} Stück"),
        ("Gattung", instrument.name),
        ("ISIN / WKN", f"{instrument.isin} / {instrument.national}"),
        ("Zahlungstag", GERMAN.date(day)),
        ("Dividende pro Stück", f"{GERMAN.number(rate)} EUR"),
    ]
    y = 100.0
    for label, value in terms:
        sheet.text(21, y, label)
        sheet.text(62, y, value)
        y += 5
    y = sheet.pair(y + 6, "Bruttobetrag", f"{GERMAN.number(gross)} EUR", left=21, right=189)
    y = sheet.pair(y, "Kapitalertragsteuer", f"{GERMAN.number(tax)}- EUR", left=21, right=189)
    y = sheet.pair(y, "Solidaritätszuschlag", f"{GERMAN.number(soli)}- EUR", left=21, right=189)
    sheet.rule(140, y - 2, 50)
    sheet.pair(
        y + 3,
        "Gutschrift",
        f"{GERMAN.number(gross - tax - soli)} EUR",
        left=21,
        right=189,
        bold=True,
        size=10,
    )
    return SamplePaper(sheet.finish(), {"type": "other", "trades": []})
