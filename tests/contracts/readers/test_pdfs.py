from __future__ import annotations

import io

import pikepdf
import pytest
from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen import canvas

from contracts.readers.papers import boxes, changed, printed, raising, spelt
from postroom.nouns.documents import BrokenFile, FileTooLarge, PasswordNeeded, Scripted
from postroom.outside.readers.pool import Readers
from postroom.outside.readers.wire import ReadLimits


def test_words_come_with_their_page_and_box(readers):
    text = readers.read(printed(["Kurswert EUR 1.234,56", "more words here"], ["second page has words"]))

    first = text.pages[0].words[0]
    assert ("text_layer", 2, "Kurswert", 1) == (text.source, len(text.pages), first.text, first.page)
    left, top, right, bottom = first.box
    assert 71 <= left < right <= 125
    assert 55 <= top < 72 < bottom <= 80
    assert ["second", "page", "has", "words"] == [word.text for word in text.pages[1].words]


@pytest.mark.parametrize("rotate", [90, 180, 270])
def test_a_turned_page_has_its_words_inside_its_edges(readers, rotate):
    def turn(document):
        document.pages[0].Rotate = rotate

    (page,) = readers.read(changed(printed(), turn)).pages

    assert all(0 <= box[0] < box[2] <= page.width and 0 <= box[1] < box[3] <= page.height for box in boxes(page))


def test_a_crowded_page_has_every_word_at_its_place(readers):
    lines = [[f"w{row}.{at}" for at in range(30)] for row in range(100)]
    (page,) = readers.read(printed([" ".join(line) for line in lines], size=3)).pages

    assert [word for line in lines for word in line] == [word.text for word in page.words]
    for start in range(0, 3000, 30):
        row = boxes(page)[start : start + 30]
        assert sorted(row) == row
        assert len({(top, bottom) for _, top, _, bottom in row}) == 1


def test_a_word_with_a_raised_letter_is_as_high_as_both(readers):
    plain, raised = (readers.read(raising(by)).pages[0].words[0].box for by in (0, 6))

    assert (plain[0], plain[3]) == (raised[0], raised[3])
    assert pytest.approx(plain[1] - 6, abs=0.1) == raised[1]


@pytest.mark.parametrize("blank", ["\u00a0", "  "])
def test_a_blank_of_any_kind_parts_words(readers, blank):
    words = readers.read(printed([f"gross{blank}1.234,56 EUR net"])).pages[0].words

    assert ["gross", "1.234,56", "EUR", "net"] == [word.text for word in words]
    assert words[0].box[2] <= words[1].box[0] <= words[2].box[0]


def test_letters_beyond_the_first_plane_do_not_shift_the_places_of_others(readers):
    plain = readers.read(spelt(b"ab*cd 12 * xyz* end")).pages[0].words
    smiling = readers.read(spelt(b"ab*cd 12 * xyz* end", b"D83DDE00")).pages[0].words
    halved = readers.read(spelt(b"ab cd 12 * xyz* end", b"D83D")).pages[0].words

    assert [word.text.replace("*", "\U0001f600") for word in plain] == [word.text for word in smiling]
    assert [word.box for word in plain] == [word.box for word in smiling]
    assert ["ab", "cd", "12", "xyz", "end"] == [word.text for word in halved]
    assert plain[-1].box == pytest.approx(halved[-1].box, abs=1.5)


@pytest.mark.parametrize("crop", [(0, 0, 595, 842), (20, 30, 573, 811)])
def test_words_are_where_the_drawn_page_shows_ink(readers, crop):
    def cut(document):
        document.pages[0].CropBox = list(crop)

    content = changed(printed(["Kurswert EUR 1.234,56 here"]), cut)
    drawn = Image.open(io.BytesIO(readers.page_image(content, 1, width=1100)))

    scale = drawn.info["dpi"][0] / 72
    boxes = [[edge * scale for edge in word.box] for word in readers.read(content).pages[0].words]
    ink = drawn.convert("L").point(lambda light: 255 if light < 128 else 0).getbbox()
    assert pytest.approx((min(box[0] for box in boxes), max(box[2] for box in boxes)), abs=5) == (ink[0], ink[2])
    assert min(box[1] for box in boxes) - 2 <= ink[1] < ink[3] <= max(box[3] for box in boxes) + 2


def test_a_protected_file_opens_with_one_of_the_tenants_passwords(readers):
    locked = printed(encrypt=StandardEncryption("sesame", ownerPassword="owner"))

    assert readers.read(locked, ["wrong", "sesame"]).words > 0
    with pytest.raises(PasswordNeeded, match="add it"):
        readers.read(locked)
    with pytest.raises(PasswordNeeded, match="none of the known"):
        readers.read(locked, ["wrong"])


def test_a_truncated_file_is_repaired_and_says_so(readers):
    whole = printed(["Kurswert EUR 1.234,56"] * 5)

    text = readers.read(whole[: whole.rindex(b"xref") - 20])

    assert "1.234,56" in [word.text for word in text.pages[0].words]
    assert any("repaired" in note for note in text.notes)


def test_a_page_that_is_no_page_is_named(readers):
    whole = printed(["Kurswert EUR 1.234,56"] * 5, ["second page has words"])

    def lose(document):
        document.Root.Pages.Kids[1] = pikepdf.Dictionary(Type=pikepdf.Name.Font)

    with pytest.raises(BrokenFile, match="Page 2 of the PDF is damaged"):
        readers.read(changed(whole, lose))


def test_rubbish_under_a_pdfs_name_is_broken(readers):
    with pytest.raises(BrokenFile, match="ask for it again"):
        readers.read(b"%PDF-1.7 and nothing else")


def test_too_many_pages_are_refused():
    with Readers(processes=1, limits=ReadLimits(pages=2)) as few, pytest.raises(FileTooLarge, match="3 pages"):
        few.read(printed(["a b c d e"], ["f"], ["g"]))


def test_files_inside_the_pdf_come_along(readers):
    def attach(document):
        document.attachments["factur-x.xml"] = b"<Invoice/>"

    text = readers.read(changed(printed(), attach))

    assert [("factur-x.xml", b"<Invoice/>")] == [(file.name, file.content) for file in text.embedded]


def with_script(document):
    document.Root.OpenAction = pikepdf.Dictionary(S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)"))


def test_a_script_is_never_run_and_is_reported(readers):
    text = readers.read(changed(printed(), with_script))

    assert text.scripted
    assert any("script" in note for note in text.notes)


def test_a_script_can_be_refused():
    with Readers(processes=1, refuse_scripts=True) as strict, pytest.raises(Scripted, match="without"):
        strict.read(changed(printed(), with_script))


NOTE = """Contract note: we have BOUGHT for your account
ISIN DE0007236101 Siemens AG
Trade date 12.03.2026 14:05:11
Value date 16.03.2026
Quantity 100
Price 180.50 EUR
Gross amount 18,050.00 EUR
Commission 25.00 EUR
Net amount debited 18,075.00 EUR"""


def drawn(unseen=lambda text, line: None, ground=None):
    """The note line by line; `unseen` may change how a line is drawn, `ground` what lies under all."""
    out = io.BytesIO()
    sheet = canvas.Canvas(out)
    if ground is not None:
        ground(sheet)
    for line, said in enumerate(NOTE.splitlines()):
        text = sheet.beginText(50, 700 - 16 * line)
        text.setFillColorRGB(0, 0, 0)
        text.setTextRenderMode(0)
        unseen(text, line)
        text.textLine(said)
        sheet.drawText(text)
    sheet.save()
    return out.getvalue()


def without_ink(text, line):
    text.setTextRenderMode(3)


def white(text, line):
    if line == 8:
        text.setFillColorRGB(1, 1, 1)


def see_through(text, line):
    if line == 8:
        text._canvas.setFillAlpha(0)


def scan(sheet):
    sheet.drawInlineImage(Image.new("RGB", (60, 84), (240, 240, 240)), 0, 0, 595, 842)


def form_without_ink(sheet):
    sheet.beginForm("below")
    text = sheet.beginText(50, 100)
    text.setTextRenderMode(3)
    text.textLine("seen by nobody")
    sheet.drawText(text)
    sheet.endForm()
    sheet.doForm("below")


@pytest.mark.parametrize(
    "content",
    [drawn(without_ink), drawn(white), drawn(see_through), drawn(without_ink, scan), drawn(ground=form_without_ink)],
    ids=["without ink", "white on white", "see-through", "under a scan", "in a form"],
)
def test_words_that_nobody_sees_send_a_paper_to_a_person(readers, content):
    assert readers.extract(drawn()).extraction.auto_confirm
    read = readers.extract(content).extraction

    assert not read.auto_confirm
    assert read.because.startswith("It holds words that nobody sees on the page")


def test_white_words_on_a_dark_ground_are_seen(readers):
    def band(sheet):
        sheet.setFillColorRGB(0, 0, 0.5)
        sheet.rect(40, 568, 400, 16, fill=1, stroke=0)

    assert readers.extract(drawn(white, band)).extraction.auto_confirm
