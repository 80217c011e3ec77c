"""Files without pages of their own: HTML, tables as text, Word and Excel files."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest

from contracts.readers.office_files import TRADES, bill, locked, part, statement, with_parts
from postroom.nouns.documents import BrokenFile, DocumentText, FileTooLarge, NotADocument, Protected
from postroom.outside.readers.pool import Readers
from postroom.outside.readers.wire import ReadLimits
from postroom.outside.readers.workbooks import number

NOTE = """<html><head><title>x</title><style>td { color: red }</style></head><body>
<div style="display:none">What a list of mails shows: 99.99</div><span style="font-size:0px">hidden 1.00</span>
<table width="600"><tr><td width="20">&nbsp;</td><td><h1>Trade confirmation</h1><p>We have bought for you:</p>
<table><tr><th>ISIN</th><th>Security</th><th>Quantity</th><th>Price</th><th>Amount</th></tr>
<tr><td>US0378331005</td><td>Apple Inc.</td><td>100</td><td>150.25 USD</td><td>15,025.00 USD</td></tr>
<tr><td colspan="4">Commission</td><td>10.00 USD</td></tr>
<tr><td colspan="4">Total debit</td><td>15,035.00 USD</td></tr></table>
<p>Trade date: 2024-03-13<br>Settlement date: 2024-03-15</p><script>alert("1.00")</script></td></tr></table></body></html>"""
TABLE = (
    "Datum;Typ;ISIN;Stück;Kurs;Betrag;Währung\n"
    "13.03.2024;Kauf;DE0007164600;10;120,50;1.205,00;EUR\n"
    "14.03.2024;Verkauf;US0378331005;5;150,00;750,00;EUR\n"
)


def lines(text: DocumentText, page: int = 0) -> list[str]:
    rows: dict[float, list[str]] = {}
    for word in text.pages[page].words:
        rows.setdefault(word.box[1], []).append(word.text)
    return [" ".join(words) for _, words in sorted(rows.items())]


def test_a_trade_in_html_is_read_from_its_table(readers):
    read = readers.extract(NOTE.encode())

    (trade,) = read.extraction.trades
    assert read.extraction.type == "contract_note"
    assert read.extraction.auto_confirm, read.extraction.because
    assert ("BUY", Decimal(100), "US0378331005", Decimal(15035)) == (
        trade.direction, trade.quantity, trade.isin, trade.net,
    )  # fmt: skip
    assert trade.fields["net"].box is not None


PAIRS = (
    "Contract note,We have bought for you\nISIN,DE0007164600\nSecurity,SAP SE\nQuantity,12\nPrice EUR,100.00\n"
    "Gross amount EUR,1200.00\nCommission EUR,5.00\nTotal amount EUR,1205.00\nTrade date,16/11/2026\n"
)


@pytest.mark.parametrize(
    "text",
    [PAIRS, PAIRS.replace(",", "\t"), PAIRS.replace(",", "|"), "\ufeff" + PAIRS, PAIRS.replace(".00", ",00")],
    ids=["commas", "tabs", "bars", "byte order mark", "decimal commas"],
)
def test_a_trade_in_two_columns_is_read_whatever_parts_them(readers, text):
    (trade,) = readers.extract(text.encode()).extraction.trades

    assert ("BUY", Decimal(12), "DE0007164600", Decimal(1205)) == (
        trade.direction,
        trade.quantity,
        trade.isin,
        trade.net,
    )


def test_what_nobody_sees_is_not_read(readers):
    text = " ".join(lines(readers.read(NOTE.encode())))

    assert "Trade confirmation" in text
    assert not any(unseen in text for unseen in ("99.99", "hidden", "alert", "color"))


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-2", "cp1252"])
def test_html_says_which_letters_it_is_written_in(readers, charset):
    word = "Kč" if charset == "iso-8859-2" else "Stück"
    page = f'<html><meta charset="{charset}"><p>{word} 100</p></html>'.encode(charset)

    assert lines(readers.read(page)) == [f"{word} 100"]


def test_a_table_as_text_gives_its_trades(readers):
    read = readers.extract(TABLE.encode("cp1252"))

    assert [("BUY", Decimal(1205)), ("SELL", Decimal(750))] == [(t.direction, t.net) for t in read.extraction.trades]
    assert read.extraction.trades[1].isin == "US0378331005"


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_whatever_parts_the_cells(readers, mark):
    rows = [["ISIN", "Price", "Name"], ["US0378331005", "150.25", '"Apple, Inc"'], ["DE0007164600", "10.00", "SAP"]]
    content = "\n".join(mark.join(row) for row in rows).encode()

    words = readers.read(content).pages[0].words
    heads = {word.text: word.box[0] for word in words}
    assert heads["Price"] == heads["150.25"] == heads["10.00"]


def test_a_word_file_is_read_with_its_head_and_its_table(readers):
    read = readers.extract(bill())

    invoice = read.extraction.invoice
    assert ("RE-2024-0815", "Muster Handwerk GmbH") == (invoice.number, invoice.supplier)
    assert (Decimal(350), Decimal("66.5"), Decimal("416.5")) == (
        invoice.net_total, invoice.tax_total, invoice.grand_total,
    )  # fmt: skip
    assert [line.description for line in invoice.lines] == ["Montage Heizkörper", "Anfahrt"]


def test_a_word_file_says_what_it_shows_and_nothing_that_was_struck_out(readers):
    def change(document):
        paragraph = document.add_paragraph("Shown ")
        paragraph.add_run("unseen").font.hidden = True
        struck = paragraph.add_run("gone")._r  # the library does not write tracked changes
        kept = paragraph.add_run("added")._r
        for run, name in ((struck, "w:del"), (kept, "w:ins")):
            around = run.makeelement(run.tag.replace("}r", "}" + name[2:]))
            run.addprevious(around)
            around.append(run)

    assert "Shown added" in lines(readers.read(bill(change)))


def test_tables_in_tables_of_a_word_file_stay_in_place(readers):
    def change(document):
        cell = document.add_table(rows=1, cols=2).rows[0].cells[1]
        inner = cell.add_table(rows=1, cols=2)
        inner.rows[0].cells[0].text, inner.rows[0].cells[1].text = "Inner", "42.00"

    assert "Inner 42.00" in lines(readers.read(bill(change)))


def test_a_workbook_gives_its_trades(readers):
    read = readers.extract(statement())

    assert read.extraction.type == "activity_statement"
    assert [Decimal(str(row[-1])) for row in TRADES] == [trade.net for trade in read.extraction.trades]
    assert [row[0] for row in TRADES] == [trade.trade_date for trade in read.extraction.trades]
    assert not read.withheld


def test_hidden_sheets_rows_and_columns_are_left_out_and_told_of(readers):
    def change(book):
        book.active.row_dimensions[5].hidden = True
        book.active.column_dimensions["I"].hidden = True
        other = book.create_sheet("secret")
        other.append(["Hidden sheet"])
        other.sheet_state = "hidden"

    content = statement(change)
    text = readers.read(content)
    assert 1 == len(text.pages)
    assert not any("Microsoft" in line or "Commission" in line for line in lines(text))
    assert readers.extract(content).withheld


def test_a_formula_counts_with_the_result_that_was_stored(readers):
    content = statement(lambda book: book.active.__setitem__("H4", "=E4*F4"))
    name = "xl/worksheets/sheet1.xml"
    stored = re.sub(rb"(<f>E4\*F4</f>)(?:<v ?/>|<v></v>)", rb"\1<v>15025</v>", part(content, name))

    assert any("15025.00" in line for line in lines(readers.read(with_parts(content, {name: stored}))))


def test_a_workbook_that_was_never_calculated_is_refused_with_what_to_do(readers):
    with pytest.raises(BrokenFile, match="formulas without results; open it in a spreadsheet program, save it"):
        readers.read(statement(lambda book: book.active.__setitem__("H4", "=E4*F4")))


def test_each_sheet_is_a_page(readers):
    text = readers.read(statement(lambda book: book.create_sheet("More").append(["Second", 12.5])))

    assert lines(text, 1) == ["Second 12.5"]


@pytest.mark.parametrize(
    ("value", "shown_as", "said"),
    [
        (1234.5, "#,##0.00", "1234.50"),
        (1234.567, "#,##0.00", "1234.57"),
        (12.345, "General", "12.3450"),
        (100, "General", "100"),
        (100.0, "0", "100"),
        (0.19, "0%", "19%"),
        (0.125, "0.0%", "12.5%"),
        (10, '#,##0.00 "EUR"', "10.00 EUR"),
        (10, "[$€-407] #,##0.00", "10.00 €"),
        (-10, "#,##0.00;[Red]-#,##0.00", "-10.00"),
        (0.1 + 0.2, "General", "0.3"),
        (1e300, "General", f"{10**300}"),
    ],
)
def test_a_number_is_told_as_its_format_shows_it(value, shown_as, said):
    assert said == number(value, shown_as)


def test_a_last_row_far_away_costs_nothing(readers):
    text = readers.read(statement(lambda book: book.active.cell(1_048_576, 16_384, "far")))

    assert "far" in lines(text)


@pytest.mark.parametrize(
    ("content", "refusal", "sentence"),
    [
        (locked(), Protected, "protected by a password; ask for it without one, or as a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "WordDocument".encode("utf-16-le"), NotADocument, r"\(.doc\).*as a PDF"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Workbook".encode("utf-16-le"), NotADocument, r"\(.xls\).*as a PDF"),
        (b"{\\rtf1 Rechnung 100,00}", NotADocument, r"\(.rtf\).*as a PDF"),
        (bill()[:3000] + bill()[-200:], BrokenFile, "damaged"),
        (with_parts(statement(), {"xl/workbook.xml": b"<workbook/>"}), BrokenFile, "no sheets"),
    ],
    ids=["password", "doc", "xls", "rtf", "cut off", "empty workbook"],
)
def test_what_cannot_be_read_is_refused_with_a_sentence_that_helps(readers, content, refusal, sentence):
    with pytest.raises(refusal, match=sentence):
        readers.read(content)


@pytest.mark.parametrize("content", [bill(), statement()], ids=["docx", "xlsx"])
def test_macros_are_not_run_but_told_of(readers, content):
    named = "word/vbaProject.bin" if b"word/" in content[-4000:] else "xl/vbaProject.bin"

    assert readers.extract(with_parts(content, {named: b"Sub AutoOpen()"})).scripted


BOMB = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'


@pytest.mark.parametrize(
    "content",
    [
        with_parts(bill(), {"word/document.xml": BOMB}),
        with_parts(statement(), {"xl/sharedStrings.xml": BOMB}),
        with_parts(statement(), {"xl/sharedStrings.xml": BOMB.decode().encode("utf-16")}),
    ],
    ids=["docx", "xlsx", "utf-16"],
)
def test_entities_are_never_unfolded(readers, content):
    with pytest.raises(BrokenFile, match=r"entities|damaged"):
        readers.read(content)


def test_a_file_that_unpacks_to_far_more_is_not_unpacked(readers):
    bomb = with_parts(bill(), {"word/media/image1.bin": bytes(60 << 20)})

    assert len(bomb) < 200_000
    with pytest.raises(FileTooLarge, match="unpacks to more than 48 MB"):
        readers.read(bomb)


def test_more_words_than_any_paper_has_are_refused():
    rows = "".join(f"{row};1,00;2,00\n" for row in range(5_000)).encode()
    with Readers(processes=1, ocr=False, limits=ReadLimits(words=10_000)) as few:
        with pytest.raises(FileTooLarge, match="10,000 words"):
            few.read(rows)
        with pytest.raises(FileTooLarge, match="10,000 words"):
            few.read(statement(trades=[[row] * 10 for row in range(2_000)]))


PARAGRAPH = b"<w:p><w:r><w:t>Total 119.00</w:t></w:r></w:p>"


def bill_with(paragraphs: bytes) -> bytes:
    before = part(bill(), "word/document.xml")
    return with_parts(bill(), {"word/document.xml": before.replace(b"<w:sectPr", paragraphs + b"<w:sectPr")})


FLOODS = {
    "xlsx": lambda: statement(trades=[[row] * 10 for row in range(5_001)]),
    "csv": lambda: b"1;2;3;4;5\n" * 10_001,
    "html": lambda: b"<html><table>" + b"<tr><td>1.00" * 60_000,
    "docx": lambda: bill_with(PARAGRAPH * 170_000),
    "a Word file of 100,000 empty paragraphs": lambda: bill_with(b"<w:p/>" * 100_000),
}


@pytest.mark.parametrize("flood", FLOODS.values(), ids=FLOODS)
def test_a_flood_is_refused_before_it_is_laid_out(readers, flood):
    with pytest.raises(FileTooLarge, match="more than"):
        readers.read(flood())


def test_tables_nested_without_end_are_read_within_bounds(readers):
    deep = "<html>" + "<table><tr><td>" * 400 + "Total 119.00" + "</td></tr></table>" * 400

    assert lines(readers.read(deep.encode())) == ["Total 119.00"]


def test_a_cell_that_spans_everything_spans_little(readers):
    page = '<html><table><tr><td colspan="99999999" rowspan="99999">Total<td>119.00</table>'

    assert lines(readers.read(page.encode())) == ["Total 119.00"]


@pytest.mark.parametrize("content", [NOTE.encode(), TABLE.encode(), bill(), statement(), b"Total  119.00"])
def test_a_page_can_be_looked_at_and_nothing_in_it_acts(readers, content):
    drawn = readers.page_image(content, 1)
    words = readers.read(content).pages[0].words

    assert drawn.startswith(b"<svg")
    assert drawn.count(b"<text") == len(words)
    assert b"<script" not in drawn


def test_words_are_drawn_as_words_whatever_they_look_like(readers):
    drawn = readers.page_image(
        b"Total <script>alert(1)</script> &amp; 119.00 \x07 and forty letters more of plain text", 1
    ).decode()

    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in drawn
    assert "<script" not in drawn


def test_a_page_that_is_not_there_is_not_drawn(readers):
    with pytest.raises(BrokenFile, match="no page 2"):
        readers.page_image(b"Total 119.00", 2)
