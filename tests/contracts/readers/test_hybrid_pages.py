"""PDFs that state an invoice as XML: the words that bear it out must be what people see on the pages."""

from __future__ import annotations

from io import BytesIO

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name
from reportlab.pdfgen.canvas import Canvas

from rules.invoices.test_e_invoices import CII
from rules.invoices.test_hybrids import PAGE

WIDE, HIGH = 595, 842


def invoice(below=None, above=None, *, size=11.0, left=50.0, upwards=0.0) -> Canvas:
    sheet = Canvas(BytesIO(), pagesize=(WIDE, HIGH))
    sheet.saveState()
    if below:
        below(sheet)
    for number, line in enumerate(PAGE.splitlines()):
        what, _, amount = line.partition("   ")
        sheet.setFont("Helvetica", size)
        sheet.drawString(left, 780 - 18 * number + upwards, what)
        sheet.drawString(left + 350, 780 - 18 * number + upwards, amount.strip())
    sheet.restoreState()
    if above:
        above(sheet)
    sheet.setFont("Helvetica", 11)
    sheet.drawString(50, 80, "Vielen Dank")
    return sheet


def hybrid(sheet: Canvas, change=None) -> bytes:
    with pikepdf.open(BytesIO(sheet.getpdfdata())) as pdf:
        pdf.attachments["factur-x.xml"] = pikepdf.AttachedFileSpec(pdf, CII.encode(), mime_type="text/xml")
        if change:
            change(pdf)
        out = BytesIO()
        pdf.save(out)
        return out.getvalue()


def covered(sheet, ground=(1, 1, 1)):
    sheet.setFillColorRGB(*ground)
    sheet.rect(0, 560, WIDE, 240, fill=1, stroke=0)
    sheet.setFillColorRGB(0, 0, 0)


def cut_away(sheet):
    path = sheet.beginPath()
    path.rect(0, 0, 1, 1)
    sheet.clipPath(path, stroke=0, fill=0)


def cropped(pdf):
    pdf.pages[0].CropBox = Array([0, 0, WIDE, 700])


def in_a_layer_that_is_off(pdf):
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="Notes"))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
    page = pdf.pages[0]
    page.Resources.Properties = Dictionary(Layer=layer)
    page.contents_add(b"/OC /Layer BDC", prepend=True)
    page.contents_add(b"EMC")


def stamped_over(pdf):
    page = pdf.pages[0]
    stamp = pdf.make_stream(
        b"1 1 1 rg 0 0 300 30 re f 0 g BT /F1 11 Tf 5 8 Td (IBAN DE02 1203 0000 0000 2020 51) Tj ET"
    )
    stamp.update(
        Dictionary(Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 300, 30]), Resources=page.Resources)
    )
    note = Dictionary(Type=Name.Annot, Subtype=Name.Stamp, Rect=Array([40, 610, 340, 640]), F=4, AP=Dictionary(N=stamp))
    page.Annots = Array([pdf.make_indirect(note)])


def linked(pdf):
    link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([40, 70, 200, 95]), Border=Array([0, 0, 0]))
    pdf.pages[0].Annots = Array([pdf.make_indirect(link)])


@pytest.mark.parametrize("content", [hybrid(invoice()), hybrid(invoice(), linked)], ids=["plain", "with a link"])
def test_words_that_people_see_bear_the_xml_out(readers, content):
    assert readers.extract(content).extraction.auto_confirm


@pytest.mark.parametrize(
    "content",
    [
        hybrid(invoice(above=covered)),
        hybrid(invoice(above=lambda sheet: covered(sheet, (0, 0, 0)))),
        hybrid(invoice(below=cut_away)),
        hybrid(invoice(left=700)),
        hybrid(invoice(upwards=400)),
        hybrid(invoice(size=0.4)),
        hybrid(invoice(), cropped),
        hybrid(invoice(), in_a_layer_that_is_off),
        hybrid(invoice(), stamped_over),
    ],
    ids=["covered", "blackened", "cut away", "beside", "above", "tiny", "cropped", "in a layer", "stamped over"],
)
def test_words_that_people_do_not_see_bear_nothing_out(readers, content):
    read = readers.extract(content).extraction

    assert read.type == "invoice"
    assert not read.auto_confirm
    assert "words that nobody sees on the page" in read.because
