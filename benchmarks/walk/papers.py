"""The mail of the walk: text, HTML and a contract note as banks print them."""

from __future__ import annotations

import io
import random
from datetime import date, timedelta
from email.message import EmailMessage
from functools import cache

from PIL import Image
from reportlab.lib.utils import ImageReader
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen import canvas

from benchmarks.documents import SMALL_PRINT, money

DAY = date(2026, 3, 13)
SENDER = "notes@musterbank.example"
PASSED = "spf=pass smtp.mailfrom=musterbank.example; dkim=pass header.d=musterbank.example; dmarc=pass action=none header.from=musterbank.example"


def traded_on(number: int, *, spread: bool) -> date:
    return DAY - timedelta(days=number % 250) if spread else DAY


def figures(number: int) -> tuple[int, int, int]:
    """Quantity, price and fee in cents: together different for every number."""
    return 10 + number % 997, 1000 + 37 * (number // 997) + number % 89, 495 + number % 400


def note(number: int, day: date) -> bytes:
    """A contract note of about 49 kB: an embedded face and a logo, as banks print them."""
    quantity, cents, fee = figures(number)
    settled = f"{day + timedelta(days=2):%d.%m.%Y}"
    lines = [
        "Musterbank Direkt AG", "Frau Erika Beispiel", "Hauptstraße 1", "60311 Frankfurt am Main", "",
        f"Depotnummer 70{number:08d}", f"Auftragsnummer {number:06d}/10.00", f"Datum {day:%d.%m.%Y}", "",
        "Wertpapier Abrechnung Kauf", "Nominale Wertpapierbezeichnung ISIN (WKN)",
        f"Stück {quantity} SAP SE INHABER-AKTIEN O.N. DE0007164600 (716460)", "Handels-/Ausführungsplatz Xetra",
        f"Schlusstag/-Zeit {day:%d.%m.%Y} 10:15:22", f"Ausführungskurs {money(cents)} EUR",
        f"Kurswert {money(quantity * cents)}- EUR", f"Provision {money(fee)}- EUR",
        f"Ausmachender Betrag {money(quantity * cents + fee)}- EUR",
        f"Den Gegenwert buchen wir mit Valuta {settled} zu Lasten des Kontos 1234567890", "",
        *(line for _ in range(4) for line in SMALL_PRINT),
    ]  # fmt: skip
    out = io.BytesIO()
    sheet = canvas.Canvas(out, pagesize=(595.0, 842.0), invariant=1)
    sheet.drawImage(ImageReader(_logo()), 400, 780, 120, 40)
    sheet.setFont(_face(), 9)
    for row, line in enumerate(lines):
        sheet.drawString(50, 770 - 14 * row, line)
    sheet.save()
    return out.getvalue()


@cache
def _face() -> str:
    pdfmetrics.registerFont(TTFont("Vera", "Vera.ttf"))
    return "Vera"


@cache
def _logo() -> io.BytesIO:
    out = io.BytesIO()
    Image.frombytes("RGB", (96, 64), random.Random(1).randbytes(96 * 64 * 3)).save(out, "PNG")
    return out


def mail(to: str, number: int, *, spread: bool, megabytes: int = 0) -> bytes:
    message = EmailMessage()
    message["Authentication-Results"] = PASSED
    message["From"], message["To"], message["Subject"] = f"Musterbank <{SENDER}>", to, f"Wertpapierabrechnung {number}"
    message["Message-ID"] = f"<{number}.{to}>"
    text = "Guten Tag Frau Beispiel, anbei die Abrechnung. " * 20
    message.set_content(text)
    message.add_alternative(f"<html><body><p>{text}</p><table><tr><td>1.234,56</td></tr></table></body></html>", "html")
    content = note(number, traded_on(number, spread=spread))
    if megabytes:
        content += b"%" + random.Random(number).randbytes(megabytes << 20).replace(b"\n", b" ") + b"\n%%EOF\n"
    message.add_attachment(content, maintype="application", subtype="pdf", filename=f"Abrechnung_{number}.pdf")
    return message.as_bytes()
