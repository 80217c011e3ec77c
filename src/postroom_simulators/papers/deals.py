"""A securities deal whose amounts add up to the cent, and the instruments it can be about."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import Any, Literal

from postroom_simulators.papers.identifiers import isin
from postroom_simulators.papers.locales import cents, plain

Direction = Literal["BUY", "SELL"]


@dataclass(frozen=True, slots=True)
class DealInstrument:
    """What is dealt in. `price` is where a made-up price starts from."""

    name: str
    isin: str
    currency: str
    price: Decimal
    ticker: str = ""
    national: str = ""  # WKN, SEDOL and the like
    venue: str = ""


def _of(name: str, stem: str, currency: str, price: str, ticker: str, national: str, venue: str) -> DealInstrument:
    return DealInstrument(name, isin(stem), currency, Decimal(price), ticker, national, venue)


SHARES = {
    "SAP": _of("SAP SE Inhaber-Aktien o.N.", "DE000716460", "EUR", "241.35", "SAP", "716460", "XETRA"),
    "SIE": _of("Siemens AG Namens-Aktien o.N.", "DE000723610", "EUR", "198.72", "SIE", "723610", "XETRA"),
    "ALV": _of("Allianz SE vink.Namens-Aktien o.N.", "DE000840400", "EUR", "354.10", "ALV", "840400", "XETRA"),
    "AAPL": _of("Apple Inc. Registered Shares o.N.", "US037833100", "USD", "228.44", "AAPL", "865985", "NASDAQ"),
    "MSFT": _of("Microsoft Corp. Registered Shares", "US594918104", "USD", "417.19", "MSFT", "870747", "NASDAQ"),
    "VOD": _of("Vodafone Group plc Ord USD0.20 20/21", "GB00BH4HKS3", "GBP", "0.7218", "VOD", "BH4HKS3", "LSE"),
    "SHEL": _of("Shell plc Ord EUR0.07", "GB00BP6MXD8", "GBP", "26.415", "SHEL", "BP6MXD8", "LSE"),
    "AZN": _of("AstraZeneca plc Ord USD0.25", "GB000989529", "GBP", "118.62", "AZN", "0989529", "LSE"),
    "MC": _of("LVMH MOET HENNESSY VUITTON SE", "FR000012101", "EUR", "612.30", "MC", "MC", "Euronext Paris"),
    "AIR": _of("AIRBUS SE", "NL000023519", "EUR", "162.88", "AIR", "AIR", "Euronext Paris"),
    "ENI": _of("ENI SPA AZIONI ORD.", "IT000313247", "EUR", "13.784", "ENI", "ENI", "MTA"),
    "ISP": _of("INTESA SANPAOLO AZ. ORD.", "IT000007261", "EUR", "5.0815", "ISP", "ISP", "MTA"),
    "ASML": _of("ASML Holding N.V.", "NL001027321", "EUR", "671.90", "ASML", "ASML", "Euronext Amsterdam"),
    "INGA": _of("ING Groep N.V.", "NL001182120", "EUR", "17.246", "INGA", "INGA", "Euronext Amsterdam"),
    "VOLV": _of("Volvo B", "SE000011544", "SEK", "297.60", "VOLV B", "VOLV B", "Nasdaq Stockholm"),
    "ERIC": _of("Ericsson B", "SE000010865", "SEK", "84.92", "ERIC B", "ERIC B", "Nasdaq Stockholm"),
    "SAN": _of("BANCO SANTANDER S.A.", "ES0113900J3", "EUR", "4.6125", "SAN", "SAN", "Mercado Continuo"),
    "ITX": _of("INDUSTRIA DE DISEÑO TEXTIL S.A.", "ES014839600", "EUR", "52.48", "ITX", "ITX", "Mercado Continuo"),
    "NESN": _of("Nestlé SA Namenaktien", "CH003886335", "CHF", "84.56", "NESN", "3886335", "SIX Swiss Exchange"),
}
BONDS = {
    "BUND": _of(
        "2,300 % Bundesrep.Deutschland Bundesanl. v.2023(33)",
        "DE000BU2Z00",
        "EUR",
        "98.415",
        "",
        "BU2Z00",
        "",
    ),
    "OAT": _of("3,000 % Frankreich, Republik OAT v.2023(33)", "FR001400H7V", "EUR", "99.872", "", "A3LFJR", ""),
}
FUNDS = {
    "WORLD": _of("Meridian Global Equity Fund Class A Acc", "IE00B4X9L53", "EUR", "118.42", "", "A1W8SB", ""),
    "GREEN": _of("Clearwater Sustainable Bond UCITS Fund I", "LU034516481", "EUR", "57.331", "", "A0M8HD", ""),
}


@dataclass(frozen=True, slots=True)
class SampleDeal:
    """One execution. `fees` and `taxes` are named as the paper names them, in the account's currency.

    `rate` is how many units of the instrument's currency one unit of the account's currency buys.
    """

    direction: Direction
    instrument: DealInstrument
    quantity: Decimal
    price: Decimal
    trade_date: date
    settlement_date: date
    fees: Mapping[str, Decimal] = field(default_factory=dict)
    taxes: Mapping[str, Decimal] = field(default_factory=dict)
    accrued: Decimal = Decimal(0)
    percent: bool = False
    rate: Decimal | None = None
    account_currency: str = ""
    reference: str = ""

    @property
    def currency(self) -> str:
        return self.account_currency or self.instrument.currency

    @property
    def local_gross(self) -> Decimal:
        """Quantity times price, in the instrument's currency."""
        return cents(self.quantity * self.price / (100 if self.percent else 1))

    @property
    def gross(self) -> Decimal:
        return cents(self.local_gross / self.rate) if self.rate else self.local_gross

    @property
    def total_fees(self) -> Decimal:
        return sum(self.fees.values(), Decimal("0.00"))

    @property
    def total_taxes(self) -> Decimal:
        return sum(self.taxes.values(), Decimal("0.00"))

    @property
    def net(self) -> Decimal:
        """The money moved on the account."""
        costs = self.total_fees + self.total_taxes
        return self.gross + self.accrued + (costs if self.direction == "BUY" else -costs)

    def truth(self, *, ticker: bool = False) -> dict[str, Any]:
        """`price` is in the instrument's currency, every amount in the account's; bonds count by 100 of nominal."""
        found = {
            "direction": self.direction,
            "trade_date": self.trade_date.isoformat(),
            "settlement_date": self.settlement_date.isoformat(),
            "quantity": plain(self.quantity / 100 if self.percent else self.quantity),
            "isin": self.instrument.isin,
            "name": self.instrument.name,
            "price": plain(self.price),
            "currency": self.currency,
            "gross": plain(self.gross),
            "fees": plain(self.total_fees),
            "taxes": plain(self.total_taxes),
            "net": plain(self.net),
        }
        if ticker:
            found["ticker"] = self.instrument.ticker
        if self.accrued:
            found["accrued"] = plain(self.accrued)
        return found


def contract_note(*deals: SampleDeal, ticker: bool = False) -> dict[str, Any]:
    kind = "contract_note" if len(deals) == 1 else "activity_statement"
    return {"type": kind, "trades": [deal.truth(ticker=ticker) for deal in deals]}


def either_way(chance: random.Random) -> Direction:
    return "BUY" if chance.random() < 0.5 else "SELL"


def business_days_after(day: date, count: int) -> date:
    while count:
        day += timedelta(days=1)
        count -= day.weekday() < 5
    return day


def business_day_before(day: date, count: int = 1) -> date:
    while count:
        day -= timedelta(days=1)
        count -= day.weekday() < 5
    return day


def market_price(instrument: DealInstrument, chance: random.Random, places: int) -> Decimal:
    """Somewhere within five per cent of where the price starts from."""
    return cents(instrument.price * Decimal(str(round(chance.uniform(0.95, 1.05), 4))), places)
