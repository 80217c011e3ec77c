"""Papers to be read: printed, changed, drawn, sent."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage

import pikepdf
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfgen import canvas


def printed(*pages, encrypt=None, size=12):
    out = io.BytesIO()
    sheet = canvas.Canvas(out, pagesize=(595.0, 842.0), invariant=1, encrypt=encrypt)
    for lines in pages or (["Kurswert EUR 1.234,56"] * 2,):
        sheet.setFont("Helvetica", size)
        for row, line in enumerate(lines):
            sheet.drawString(72, 770 - (20 if size == 12 else 2 * size) * row, line)
        sheet.showPage()
    sheet.save()
    return out.getvalue()


def changed(content, change):
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as document:
        change(document)
        document.save(out)
    return out.getvalue()


def boxes(page):
    return [word.box for word in page.words]


def spelt(text, star=b"002A"):
    """A page with one line; its font says that `*` is another letter."""
    cmap = (
        b"/CIDInit /ProcSet findresource begin 1 dict begin begincmap /CMapName /X def /CMapType 2 def "
        b"1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfchar <2A> <"
        + star
        + b"> endbfchar endcmap end end"
    )
    document = pikepdf.new()
    page = document.add_blank_page(page_size=(595, 842))
    font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name.Helvetica)
    font.ToUnicode = document.make_stream(cmap)
    page.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F1=document.make_indirect(font)))
    page.Contents = document.make_stream(b"BT /F1 12 Tf 50 700 Td (" + text + b") Tj ET")
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def raising(points):
    """A page with one word, whose last letter stands so much higher."""
    out = io.BytesIO()
    sheet = canvas.Canvas(out, pagesize=(595.0, 842.0), invariant=1)
    line = sheet.beginText(72, 700)
    line.setFont("Helvetica", 12)
    line.textOut("Kurswert")
    line.setRise(points)
    line.textOut("a")
    sheet.drawText(line)
    sheet.drawString(72, 600, "and some other words")
    sheet.save()
    return out.getvalue()


def mail_with(*parts, subject="Note"):
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "Notes <notes@bank.example>", subject
    mail.set_content("See the attached note.")
    for name, content in parts:
        mail.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return mail.as_bytes()


def zipped(**files):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def picture(kind, lines=("Net amount EUR 1234.56",), pages=1):
    face = ImageFont.load_default(size=34)
    drawn = []
    for _ in range(pages):
        sheet = Image.new("RGB", (700, 60 + 60 * len(lines)), "white")
        pen = ImageDraw.Draw(sheet)
        for row, line in enumerate(lines):
            pen.text((30, 30 + 60 * row), line, fill="black", font=face)
        drawn.append(sheet)
    out = io.BytesIO()
    drawn[0].save(out, kind, save_all=pages > 1, append_images=drawn[1:])
    return out.getvalue()
