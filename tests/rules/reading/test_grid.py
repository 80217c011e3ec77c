from __future__ import annotations

from postroom.reading.page.grid import TableCell, TextBlock, pages, paragraph, stacked, table


def drawn(block: TextBlock) -> list[str]:
    lines = []
    for runs in block.lines:
        line = ""
        for at, text in runs:
            line = line.ljust(at) + text
        lines.append(line)
    return lines


def cells(*texts: str) -> list[TableCell]:
    return [TableCell(paragraph(text)) for text in texts]


def test_cells_stand_beside_each_other_below_their_heads():
    block = table([cells("ISIN", "Price"), cells("US0378331005", "150.25")])

    assert drawn(block) == ["ISIN           Price", "US0378331005   150.25"]


def test_a_column_without_words_takes_no_room():
    assert drawn(table([cells("Total", "", "119.00"), cells("Tax", "", "19.00")])) == [
        "Total   119.00",
        "Tax     19.00",
    ]


def test_what_spans_columns_does_not_widen_the_first():
    wide = [TableCell(paragraph("Commission and other charges"), across=2), *cells("10.00")]

    assert drawn(table([cells("A", "B", "C"), wide])) == [
        "A   B                          C",
        "Commission and other charges   10.00",
    ]


def test_what_reaches_down_is_stepped_over():
    tall = [TableCell(paragraph("Apple"), down=2), *cells("Price", "150.25")]

    assert drawn(table([tall, cells("Amount", "1502.50")])) == ["Apple   Price    150.25", "        Amount   1502.50"]


def test_a_table_in_a_cell_stays_together():
    inner = table([cells("Price", "150.25"), cells("Amount", "1502.50")])

    assert drawn(table([[*cells("Apple"), TableCell(inner)]])) == [
        "Apple   Price    150.25",
        "        Amount   1502.50",
    ]


def test_long_lines_go_on_below():
    assert drawn(paragraph("one two three four", 9)) == ["one two", "three", "four"]
    assert drawn(paragraph("x" * 20, 9)) == ["x" * 20]


def test_every_word_has_its_place():
    (page,) = pages([stacked([paragraph("Total:  119.00")])])

    assert [(word.text, word.box) for word in page.words] == [
        ("Total:", (12.0, 12.0, 48.0, 24.0)),
        ("119.00", (60.0, 12.0, 96.0, 24.0)),
    ]


def test_sheets_have_pages_of_their_own_and_long_ones_several():
    long = paragraph("\n".join(str(line) for line in range(1500)))

    assert [len(page.words) for page in pages([paragraph("one"), long])] == [1, 1000, 500]
