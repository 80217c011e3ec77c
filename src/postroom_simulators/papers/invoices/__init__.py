"""Invoices of made-up suppliers in seven languages, on paper and as e-invoices."""

from __future__ import annotations

from postroom_simulators.papers.invoices.bills import BillLine, SampleBill, bill_of
from postroom_simulators.papers.invoices.einvoices import factur_x, ubl_xml
from postroom_simulators.papers.invoices.layouts import invoice
from postroom_simulators.papers.invoices.suppliers import BUYER, SUPPLIERS, SampleSupplier

__all__ = [
    "BUYER",
    "SUPPLIERS",
    "BillLine",
    "SampleBill",
    "SampleSupplier",
    "bill_of",
    "factur_x",
    "invoice",
    "ubl_xml",
]
