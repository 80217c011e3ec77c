"""Files of Office programs, written by the libraries that others use to write them."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from typing import Any

import docx
import openpyxl

LINES = [("Montage Heizkörper", "2", "150,00 €", "300,00 €"), ("Anfahrt", "1", "50,00 €", "50,00 €")]
SUMS = [("Nettobetrag", "350,00 €"), ("zzgl. 19 % MwSt.", "66,50 €"), ("Gesamtbetrag", "416,50 €")]
HEADS = (
    "Trade date",
    "Type",
    "ISIN",
    "Security",
    "Quantity",
    "Price",
    "Currency",
    "Amount",
    "Commission",
    "Net amount",
)
TRADES = [
    (date(2024, 3, 13), "Buy", "US0378331005", "Apple Inc.", 100, 150.25, "USD", 15025.0, 10, 15035.0),
    (date(2024, 3, 14), "Sell", "US5949181045", "Microsoft Corp.", 20, 410.5, "USD", 8210.0, 10, 8200.0),
    (date(2024, 3, 15), "Buy", "DE0007164600", "SAP SE", 50, 175.3, "EUR", 8765.0, 10, 8775.0),
]


def bill(change: Callable[[Any], object] | None = None) -> bytes:
    """An invoice as Word writes it: the supplier above every page, a table with merged cells."""
    document = docx.Document()
    document.sections[0].header.paragraphs[0].text = "Muster Handwerk GmbH · Hauptstr. 1 · 10115 Berlin"
    document.add_heading("Rechnung", 1)
    document.add_paragraph("Rechnungsnummer: RE-2024-0815\nRechnungsdatum: 13.03.2024\nFällig am: 27.03.2024")
    rows = document.add_table(rows=0, cols=4)
    for texts in (("Beschreibung", "Menge", "Einzelpreis", "Gesamt"), *LINES):
        for cell, text in zip(rows.add_row().cells, texts, strict=True):
            cell.text = text
    for label, amount in SUMS:
        cells = rows.add_row().cells
        cells[0].merge(cells[2]).text = label
        cells[3].text = amount
    document.add_paragraph("IBAN: DE89 3704 0044 0532 0130 00")
    if change is not None:
        change(document)
    return saved(document)


def statement(change: Callable[[Any], object] | None = None, trades: Iterable[Sequence[Any]] = TRADES) -> bytes:
    """A list of trades as a broker exports it."""
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append(["Activity statement for account 4711"])
    sheet.append([])
    sheet.append(HEADS)
    for row in trades:
        sheet.append(row)
    for row in sheet.iter_rows(min_row=4):
        for cell in (row[5], row[7], row[8], row[9]):
            cell.number_format = "#,##0.00"
    if change is not None:
        change(book)
    return saved(book)


def saved(writable: Any) -> bytes:
    held = io.BytesIO()
    writable.save(held)
    return held.getvalue()


def with_parts(content: bytes, changed: Mapping[str, bytes]) -> bytes:
    """The same file with some parts replaced or added."""
    held = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as after:
        for name in before.namelist():
            after.writestr(name, changed.get(name, before.read(name)))
        for name in changed.keys() - set(before.namelist()):
            after.writestr(name, changed[name])
    return held.getvalue()


def part(content: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        return package.read(name)


def locked() -> bytes:
    """As Office keeps a file with a password: a compound file whose streams are called so."""
    names = "".join(f"{name:\0<32}" for name in ("Root Entry", "EncryptionInfo", "EncryptedPackage"))
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + names.encode("utf-16-le") + bytes(4096)
