"""Papers as banks and suppliers would send them: PDFs drawn here, each with the truth about it."""

from __future__ import annotations

from postroom_simulators.papers.brochures import brochure
from postroom_simulators.papers.brokers import HOLDERS, NOTES, DealHolder
from postroom_simulators.papers.copies import locked, scanned
from postroom_simulators.papers.invoices import SUPPLIERS, bill_of, factur_x, invoice, ubl_xml
from postroom_simulators.papers.paper import SamplePaper
from postroom_simulators.papers.statements import activity_statement, dividend_advice

__all__ = [
    "HOLDERS",
    "NOTES",
    "SUPPLIERS",
    "DealHolder",
    "SamplePaper",
    "activity_statement",
    "bill_of",
    "brochure",
    "dividend_advice",
    "factur_x",
    "invoice",
    "locked",
    "scanned",
    "ubl_xml",
]
