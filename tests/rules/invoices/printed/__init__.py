"""Invoices as text, written for these tests: ten languages, as many layouts, with what they say."""

from __future__ import annotations

from rules.invoices.printed.abroad import ABROAD
from rules.invoices.printed.craft import CRAFT
from rules.invoices.printed.houses import HOUSES
from rules.invoices.printed.layouts import LAYOUTS
from rules.invoices.printed.letters import LETTERS
from rules.invoices.printed.net import NET
from rules.invoices.printed.paper import Printed, drawn, on_paper, printed
from rules.invoices.printed.services import SERVICES
from rules.invoices.printed.shops import SHOPS
from rules.invoices.printed.trade import TRADE

PRINTED = (*LETTERS, *LAYOUTS, *CRAFT, *TRADE, *SERVICES, *SHOPS, *NET, *HOUSES, *ABROAD)

__all__ = ["PRINTED", "Printed", "drawn", "on_paper", "printed"]
