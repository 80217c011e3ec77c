"""Invoices: e-invoice XML exactly, printed ones by their words, places and sums."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from postroom.nouns.documents import DocumentText, Embedded
from postroom.reading.invoices.einvoice import InvoiceReading, e_invoice_among, read_e_invoice
from postroom.reading.invoices.hybrid import contradictions
from postroom.reading.invoices.layout import sheet_of
from postroom.reading.invoices.likeness import ENOUGH, invoice_likeness
from postroom.reading.invoices.money import totals
from postroom.reading.invoices.papers import PaperCalled, called
from postroom.reading.invoices.text import read_text_invoice
from postroom.reading.invoices.xmlguard import BadXml
from postroom.reading.page.lines import PrintedLine, read_lines

UNSURE = 0.5
"""How sure we are of an e-invoice whose pages show something else."""

__all__ = [
    "BadXml",
    "InvoiceReading",
    "e_invoice_among",
    "held_against",
    "invoice_likeness",
    "looks_like_another",
    "read_e_invoice",
    "read_invoice",
    "read_text_invoice",
    "sells_goods",
    "states_itself",
]


def read_invoice(
    document: DocumentText, own: Sequence[str] = (), labels: Mapping[str, str] | None = None
) -> InvoiceReading:
    """What the document states as XML if it does, else what its words say. `own` are our own names, `labels` the
    sender's words for fields."""
    return e_invoice_among((*document.embedded, *_as_xml(document))) or read_text_invoice(document, own, labels)


def held_against(document: DocumentText, stated: InvoiceReading) -> InvoiceReading:
    """What the XML inside states, with what the pages around it show otherwise."""
    doubts = contradictions(document, stated.invoice, stated.anywhere)
    if not doubts:
        return stated
    unsure = replace(stated.invoice, confidence=UNSURE)
    return replace(stated, invoice=unsure, warnings=(*stated.warnings, *doubts))


def states_itself(document: DocumentText) -> bool:
    """Whether it is an e-invoice: data, which nobody needs to read."""
    return e_invoice_among((*document.embedded, *_as_xml(document))) is not None


def is_invoice(
    document: DocumentText, lines: Sequence[PrintedLine] | None = None, title: PaperCalled | None = None
) -> bool:
    """Whether it is one, whatever else it speaks of: as XML, or by its title and the labels it uses. `lines` and
    `title` are its own, if they were read already."""
    if states_itself(document):
        return True
    lines = read_lines(document) if lines is None else lines
    title = title or called(lines)
    if title.is_other:
        return False
    return invoice_likeness("\n".join(line.text for line in lines), title.kind.replace("_", " "))[0] >= ENOUGH


def looks_like_another(document: DocumentText, title: PaperCalled | None = None) -> str:
    """Why a paper that speaks of invoices is none: an order, a reminder, a catalogue. Empty if it may be one."""
    found = title or called(read_lines(document))
    return found.because if found.is_other and not states_itself(document) else ""


def sells_goods(document: DocumentText) -> bool:
    """Whether it charges for things with tax, as orders, offers and delivery notes do, and contract notes do not."""
    sums = totals(sheet_of(document))
    return sums is not None and sums.gross.evidence == "sum and rate" and sums.taxed


def _as_xml(document: DocumentText) -> tuple[Embedded, ...]:
    """An e-invoice that came as a bare XML file was read as typed text: its words, joined, are the XML again."""
    words = [word.text for page in document.pages for word in page.words]
    if document.source != "plain" or not words or not words[0].startswith("<"):
        return ()
    text = re.sub(r"^<\?xml[^>]*\?>", "", " ".join(words))  # it names the encoding of the file, not of these words
    return (Embedded("invoice.xml", text.encode()),)
