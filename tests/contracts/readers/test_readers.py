from __future__ import annotations

import io
import os
import signal
import threading
import time
import zipfile
from email.message import EmailMessage

import pikepdf
import pytest
from PIL import Image, ImageDraw, ImageFont
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen import canvas

from postroom.nouns.documents import (
    Broken,
    CannotRead,
    Hostile,
    NotADocument,
    PasswordNeeded,
    ScanWithoutOcr,
    Scripted,
    TookTooLong,
    TooLarge,
)
from postroom.outside.readers import pool
from postroom.outside.readers.mail import read_mail
from postroom.outside.readers.pool import Readers
from postroom.outside.readers.sniff import decode, kind_of
from postroom.outside.readers.wire import Limits, Sheet


def printed(*pages, encrypt=None):
    out = io.BytesIO()
    sheet = canvas.Canvas(out, pagesize=(595.0, 842.0), invariant=1, encrypt=encrypt)
    for lines in pages or (["Kurswert EUR 1.234,56"] * 2,):
        sheet.setFont("Helvetica", 12)
        for row, line in enumerate(lines):
            sheet.drawString(72, 770 - 20 * row, line)
        sheet.showPage()
    sheet.save()
    return out.getvalue()


def changed(content, change):
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as document:
        change(document)
        document.save(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def readers():
    with Readers(processes=1, ocr=False) as known:
        yield known


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


def boxes(page):
    return [word.box for word in page.words]


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

    with pytest.raises(Broken, match="Page 2 of the PDF is damaged"):
        readers.read(changed(whole, lose))


def test_rubbish_under_a_pdfs_name_is_broken(readers):
    with pytest.raises(Broken, match="ask for it again"):
        readers.read(b"%PDF-1.7 and nothing else")


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04zip", b"\x7fELF", b"MZ\x90\x00", bytes(range(32)) * 4])
def test_other_files_are_refused_by_their_content(readers, content):
    with pytest.raises(NotADocument, match="convert"):
        readers.read(content)


def test_typed_text_is_read_without_a_process():
    with Readers(processes=1) as idle:
        text = idle.read("Kurswert  1.234,56 €".encode("cp1252"))

    assert ["Kurswert", "1.234,56", "€"] == [word.text for word in text.pages[0].words]


def test_too_many_pages_are_refused():
    with Readers(processes=1, limits=Limits(pages=2)) as few, pytest.raises(TooLarge, match="3 pages"):
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


def test_a_scan_needs_the_extra(readers):
    with pytest.raises(ScanWithoutOcr):
        readers.read(picture("PNG"))


def test_letters_beyond_the_first_plane_do_not_shift_the_places_of_others(readers):
    plain = readers.read(spelt(b"ab*cd 12 * xyz* end")).pages[0].words
    smiling = readers.read(spelt(b"ab*cd 12 * xyz* end", b"D83DDE00")).pages[0].words
    halved = readers.read(spelt(b"ab cd 12 * xyz* end", b"D83D")).pages[0].words

    assert [word.text.replace("*", "\U0001f600") for word in plain] == [word.text for word in smiling]
    assert [word.box for word in plain] == [word.box for word in smiling]
    assert ["ab", "cd", "12", "xyz", "end"] == [word.text for word in halved]
    assert plain[-1].box == pytest.approx(halved[-1].box, abs=1.5)


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


def test_words_without_places_are_hostile():
    with pytest.raises(Hostile, match="without places"):
        pool._page(Sheet(1, 10.0, 10.0, "two\nwords", bytes(32)))


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


def test_a_picture_is_drawn_in_the_points_it_was_read_in(readers):
    twice = io.BytesIO()
    frames = [Image.new("RGB", (2000, 500), "white"), Image.new("RGB", (2000, 700), "white")]
    frames[0].save(twice, "TIFF", save_all=True, append_images=frames[1:], dpi=(300, 300))

    drawn = Image.open(io.BytesIO(readers.page_image(twice.getvalue(), 2, width=1000)))

    assert ("PNG", (1000, 350)) == (drawn.format, drawn.size)
    assert pytest.approx(36, abs=0.1) == drawn.info["dpi"][0]  # half a dot a point: a dot of the file was one
    with pytest.raises(Broken, match="no page 3"):
        readers.page_image(twice.getvalue(), 3)


def test_a_page_can_be_drawn(readers):
    drawn = Image.open(io.BytesIO(readers.page_image(printed(), 1, width=300)))

    assert ("PNG", 300) == (drawn.format, drawn.width)
    with pytest.raises(Broken, match="no page 7"):
        readers.page_image(printed(), 7)
    with pytest.raises(NotADocument):
        readers.page_image(b"text", 1)


def test_a_file_that_takes_too_long_costs_its_process_only(monkeypatch):
    monkeypatch.setattr(pool, "WORKER", ("-c", "import time; time.sleep(60)"))
    with Readers(processes=1, limits=Limits(seconds=0.3)) as slow:
        with pytest.raises(TookTooLong, match=r"0\.3 seconds"):
            slow.read(printed())
        monkeypatch.undo()
        assert readable(slow)


def test_a_file_that_kills_its_process_costs_nothing_else(monkeypatch):
    kill = f"import os, sys; sys.stdin.buffer.read(8); os.kill(os.getpid(), {int(signal.SIGSEGV)})"
    monkeypatch.setattr(pool, "WORKER", ("-c", kill))
    with Readers(processes=1) as hurt:
        with pytest.raises(Hostile, match=f"signal {int(signal.SIGSEGV)}"):
            hurt.read(printed())
        monkeypatch.undo()
        assert readable(hurt)


def readable(known):
    known._plain._idle.clear()
    try:
        return known.read(printed()).words > 0
    except TookTooLong:
        known._limits = Limits()
        return known.read(printed()).words > 0


def test_an_answer_that_is_no_answer_is_hostile(monkeypatch):
    lie = "import sys; sys.stdin.buffer.read(8); sys.stdout.buffer.write(b'\\0' * 7 + b'\\4' + b'oops'); sys.stdout.flush()"
    monkeypatch.setattr(pool, "WORKER", ("-c", lie))
    with Readers(processes=1) as lied, pytest.raises(Hostile):
        lied.read(printed())


def test_a_page_that_unpacks_to_gigabytes_is_stopped_by_the_memory_limit():
    def inflate(document):
        page = document.pages[0]
        page.Contents = document.make_stream(b"(x) Tj " * 30_000_000)

    bomb = changed(printed(), inflate)
    with Readers(processes=1, limits=Limits(megabytes=300, seconds=20)) as small:
        with pytest.raises(CannotRead):
            small.read(bomb)
        assert small.read(printed()).words > 0


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


@pytest.mark.parametrize(
    ("raw", "here"),
    [
        (mail_with(("note.pdf", printed())), True),
        (mail_with(("note.zip", zipped(note=printed()))), False),
        (mail_with(("note.pdf", printed() + bytes(70_000))), False),
        (mail_with(*[(f"{each}.txt", b"text") for each in range(60)]), False),
    ],
)
def test_only_a_small_mail_with_nothing_to_open_is_read_on_the_spot(readers, raw, here):
    def processes():
        return readers._opening._idle

    before = len(processes()) and processes()[-1].served

    assert read_mail(raw) == readers.read_mail(raw)
    assert here is ((len(processes()) and processes()[-1].served) == before)


def test_a_mail_that_ends_its_process_is_known_by_its_headers_and_says_why(monkeypatch):
    monkeypatch.setattr(pool, "WORKER", ("-c", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"))
    with Readers(processes=1) as struck:
        mail = struck.read_mail(mail_with(("note.zip", zipped(note=b"x")), subject="Ihre Abrechnung"))

    assert ("notes@bank.example", "Ihre Abrechnung", "") == (mail.sender.email, mail.subject, mail.text_body)
    (unread,) = mail.attachments
    assert "could not be taken apart. Reading the file ended its process (signal 9)." in unread.flaw


def test_a_mail_that_takes_too_long_costs_its_process_only(monkeypatch):
    monkeypatch.setattr(pool, "WORKER", ("-c", "import time; time.sleep(60)"))
    with Readers(processes=1, limits=Limits(mail_seconds=0.3)) as slow:
        mail = slow.read_mail(mail_with(("note.zip", zipped(note=b"x"))))

    assert "took longer than 0.3 seconds" in mail.attachments[0].flaw


def test_half_a_surrogate_pair_in_a_mail_does_not_stop_it(readers):
    raw = mail_with(("note.zip", zipped(note=b"x"))).replace(b"Subject: Note", b"Subject: =?utf-7?q?+2D0-?= Note")

    assert readers.read_mail(raw).subject.endswith("Note")


@pytest.mark.parametrize("letters", ["=?", "\\", "[", "=?utf-8?b?"])
def test_a_long_line_of_no_addresses_is_read_in_a_moment(letters):
    started = time.process_time()

    assert () == read_mail(b"To: " + letters.encode() * (60_000 // len(letters)) + b"\r\n\r\nhello").to
    assert time.process_time() - started < 3


def test_ten_thousand_signature_marks_are_read_in_a_moment():
    started = time.process_time()

    assert read_mail(b"Subject: x\r\n\r\n" + b"-- \r\n" * 15_000).text_body
    assert time.process_time() - started < 3


def test_a_process_is_replaced_after_its_share_of_documents():
    with Readers(processes=1, limits=Limits(documents_per_process=2)) as worn:
        pids = []
        for _ in range(3):
            worn.read(printed())
            pids.append([process._child.pid for process in worn._plain._idle])
    assert pids[0] != []
    assert pids[1] == []
    assert pids[2] != pids[0]


def test_several_threads_share_the_processes():
    found = []
    with Readers(processes=2) as shared:
        threads = [threading.Thread(target=lambda: found.append(shared.read(printed()).words)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert [6] * 6 == found


async def test_reading_does_not_block_the_loop(readers):
    assert (await readers.aread(printed())).words == 6


def test_closing_ends_every_process():
    closing = Readers(processes=1)
    closing.read(printed())
    (pid,) = [process._child.pid for process in closing._plain._idle]
    closing.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_reading_process_sees_none_of_our_secrets(monkeypatch):
    monkeypatch.setenv("POSTROOM_SEALING_KEY", "hush")

    assert "POSTROOM_SEALING_KEY" not in pool._environment()


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


def test_pictures_are_recognised_page_by_page():
    with Readers(processes=1) as seeing:
        text = seeing.read(picture("TIFF", pages=2))
        with pytest.raises(Broken):
            seeing.read(picture("PNG")[:60])

    assert ("ocr", 2) == (text.source, len(text.pages))
    for page in text.pages:
        assert "1234.56" in " ".join(word.text for word in page.words)
        assert all(0 <= box[0] < box[2] <= page.width for box in boxes(page))


def test_an_enormous_picture_is_refused_before_it_is_unpacked():
    with Readers(processes=1, limits=Limits(pixels=10_000)) as small, pytest.raises(TooLarge, match="points"):
        small.read(picture("PNG"))


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"junk before %PDF-1.4", "pdf"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"\xff\xd8\xff\xe0", "image"),
        (b"II*\x00", "image"),
        (b"plain words\n", "text"),
        (b"GIF89a", "unknown"),
    ],
)
def test_a_file_is_what_its_first_bytes_say(content, kind):
    assert kind == kind_of(content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_text_is_decoded_whatever_wrote_it(encoding):
    assert "Börse €" == decode("Börse €".encode(encoding))
