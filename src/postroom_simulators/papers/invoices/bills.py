"""What an invoice charges: lines, tax by rate, and totals that add up to the cent."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from postroom_simulators.papers.identifiers import iban_of
from postroom_simulators.papers.invoices.suppliers import BUYER, InvoiceParty, SampleSupplier
from postroom_simulators.papers.locales import cents, plain


@dataclass(frozen=True, slots=True)
class BillLine:
    description: str
    quantity: Decimal
    unit_price: Decimal
    rate: Decimal

    @property
    def total(self) -> Decimal:
        return cents(self.quantity * self.unit_price)


@dataclass(frozen=True, slots=True)
class SampleBill:
    supplier: SampleSupplier
    number: str
    issued: date
    due: date
    lines: tuple[BillLine, ...]
    iban: str
    customer: str
    buyer: InvoiceParty = BUYER

    def taxes(self) -> dict[Decimal, tuple[Decimal, Decimal]]:
        """For each rate, what it is charged on and how much that makes."""
        bases: dict[Decimal, Decimal] = {}
        for line in self.lines:
            bases[line.rate] = bases.get(line.rate, Decimal("0.00")) + line.total
        return {rate: (base, cents(base * rate / 100)) for rate, base in sorted(bases.items(), reverse=True)}

    @property
    def net(self) -> Decimal:
        return sum((line.total for line in self.lines), Decimal("0.00"))

    @property
    def tax(self) -> Decimal:
        return sum((tax for _, tax in self.taxes().values()), Decimal("0.00"))

    @property
    def total(self) -> Decimal:
        return self.net + self.tax

    def truth(self) -> dict[str, Any]:
        return {
            "type": "invoice",
            "trades": [],
            "invoice": {
                "number": self.number,
                "issue_date": self.issued.isoformat(),
                "due_date": self.due.isoformat(),
                "supplier": self.supplier.party.name,
                "buyer": self.buyer.name,
                "currency": self.supplier.currency,
                "net_total": plain(self.net),
                "tax_total": plain(self.tax),
                "grand_total": plain(self.total),
                "iban": self.iban,
                "lines": [
                    {
                        "description": line.description,
                        "quantity": plain(line.quantity),
                        "unit_price": plain(line.unit_price),
                        "line_total": plain(line.total),
                        "tax_rate": plain(line.rate),
                    }
                    for line in self.lines
                ],
            },
        }


def bill_of(supplier: SampleSupplier, day: date, seed: int) -> SampleBill:
    """A plausible bill; the supplier's account and our customer number stay the same on every one."""
    chance = random.Random(f"{supplier.key} {seed}")
    wares = chance.sample(supplier.wares, k=chance.randrange(2, len(supplier.wares) + 1))
    lines = tuple(
        BillLine(
            ware.description,
            Decimal(chance.randint(ware.least, ware.most)),
            Decimal(ware.price),
            Decimal(ware.rate),
        )
        for ware in wares
    )
    steady = random.Random(f"{supplier.key} account")
    return SampleBill(
        supplier=supplier,
        number=f"{supplier.prefix}{day.year}-{chance.randrange(1000, 9999)}",
        issued=day,
        due=day + timedelta(days=supplier.terms),
        lines=lines,
        iban=iban_of(supplier.party.country, steady),
        customer=f"{steady.randrange(10_000, 99_999)}",
    )
