"""E-invoices as XML: stated, not read."""

from __future__ import annotations

from dataclasses import replace

from postroom.nouns.documents import BrokenFile, Extraction
from postroom.reading.invoices import BadXml, read_e_invoice
from postroom.reading.unbookable import unbookable_invoice

XML = ("application/xml", "text/xml")


def read_stated(content: bytes) -> Extraction:
    """Certain as far as it agrees with itself. Raises CannotRead for any other XML."""
    try:
        reading = read_e_invoice(content)
    except BadXml as refusal:
        raise BrokenFile(f"The XML is no e-invoice that can be read: {refusal}") from None
    doubts = [*reading.warnings, *([why] if (why := unbookable_invoice(reading.invoice)) else [])]
    if reading.invoice.supplier is None:
        doubts.append("The XML states no supplier.")
    return Extraction(
        type="invoice",
        invoice=replace(reading.invoice, confidence=0.5 if doubts else 1.0),
        auto_confirm=not doubts,
        because=" ".join(doubts) or "Read exactly from the e-invoice.",
        warnings=reading.warnings,
    )
