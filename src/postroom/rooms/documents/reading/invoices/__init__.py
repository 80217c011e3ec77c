"""Invoices: e-invoice XML exactly, printed ones by their words, places and sums."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.nouns.documents import DocumentText
from postroom.rooms.documents.reading.invoices.einvoice import InvoiceReading, e_invoice_among, read_e_invoice
from postroom.rooms.documents.reading.invoices.likeness import invoice_likeness
from postroom.rooms.documents.reading.invoices.text import read_text_invoice
from postroom.rooms.documents.reading.invoices.xmlguard import BadXml

__all__ = [
    "BadXml",
    "InvoiceReading",
    "e_invoice_among",
    "invoice_likeness",
    "read_e_invoice",
    "read_invoice",
    "read_text_invoice",
]


def read_invoice(document: DocumentText, own: Sequence[str] = ()) -> InvoiceReading:
    """What the document states as XML if it does, else what its words say. `own` are our own names."""
    return e_invoice_among(document.embedded) or read_text_invoice(document, own)
