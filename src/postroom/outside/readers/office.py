"""Word files (.docx) to words with places, and what holds of every Office file. For reading processes only."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator
from typing import Any
from xml.parsers import expat

import docx
from docx.oxml.ns import qn

from postroom.nouns.documents import BrokenFile, FileTooLarge, Protected
from postroom.reading.page.grid import CELL_WIDTH, LINE_WIDTH, TableCell, TextBlock, paragraph, stacked, table

UNPACKED_MEGABYTES = 48
MOST_PARTS = 2_000
MOST_TAGS = 500_000  # in all parts: some hundred pages
MOST_PARAGRAPHS = 30_000  # of a Word file, cells counted: each costs the same however short it is
DEEPEST = 40  # elements in elements around a paragraph
DEEPEST_TABLE = 12
MOST_SPANNED = 100
MACROS = "vbaproject.bin"

_PARAGRAPH = re.compile(rb"<(?:\w+:)?p[ />]")
_P, _TBL, _TR, _TC = (qn(f"w:{name}") for name in ("p", "tbl", "tr", "tc"))
_T, _TAB, _BR, _CR, _R = (qn(f"w:{name}") for name in ("t", "tab", "br", "cr", "r"))
_OLD_PROGRAMS = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"  # the same once more
_STYLES = ("pPr", "rPr", "tblPr", "trPr", "tcPr", "sectPr")
_UNSEEN = {qn(f"w:{name}") for name in ("del", "moveFrom", "instrText", "delText", *_STYLES)} | {_OLD_PROGRAMS}


def unpacked(content: bytes) -> zipfile.ZipFile:
    """The parts of an Office file, once it is known what they unpack to and that they are data and nothing else."""
    try:
        package = zipfile.ZipFile(io.BytesIO(content))
        entries = package.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as failure:
        raise _broken(failure) from failure
    if len(entries) > MOST_PARTS or sum(each.file_size for each in entries) > UNPACKED_MEGABYTES << 20:
        raise FileTooLarge(f"The file unpacks to more than {UNPACKED_MEGABYTES} MB; ask for it as a PDF.")
    if any(each.flag_bits & 0x1 for each in entries):
        raise Protected("The file is protected by a password; ask for it without one, or as a PDF.")
    tags = 0
    for each in entries:
        if each.filename.lower().endswith((".xml", ".rels")):
            part = _read(package, each)
            _refuse_entities(part)
            tags += part.count(b"<")
    if tags > MOST_TAGS:
        raise FileTooLarge("The file holds more than any trade or bill does; ask for a shorter one, or a PDF.")
    return package


def has_macros(package: zipfile.ZipFile) -> bool:
    return any(name.lower().endswith(MACROS) for name in package.namelist())


def _read(package: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    try:
        return package.read(entry)
    except Exception as failure:
        raise _broken(failure) from failure


def _broken(failure: Exception) -> BrokenFile:
    return BrokenFile(f"The file is damaged ({type(failure).__name__}); ask for it again, or for a PDF.")


class _Enough(Exception):
    """The first element was reached: what comes before it was harmless."""


def _refuse_entities(part: bytes) -> None:
    """A document type stands before the first element; Office files never have one."""
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = _stop
    try:
        parser.Parse(part, True)  # noqa: FBT003 - expat takes it by position only
    except _Enough:
        return
    except (expat.ExpatError, LookupError, ValueError) as failure:
        raise _broken(failure) from failure


def _refuse(*_: object) -> None:
    raise BrokenFile("The file declares XML entities, which no Office program does; ask for it as a PDF.")


def _stop(*_: object) -> None:
    raise _Enough


def word_file(content: bytes) -> tuple[list[TextBlock], bool]:
    """Heads, text with its tables, and feet; and whether it carries macros."""
    package = unpacked(content)
    _refuse_many_paragraphs(package)
    macros = has_macros(package)
    try:
        document = docx.Document(io.BytesIO(content))
        bodies = [*_around(document, "header"), document.element.body, *_around(document, "footer")]
    except Exception as failure:
        raise _broken(failure) from failure
    return [stacked([_flow(body, 0, LINE_WIDTH) for body in bodies])], macros


def _refuse_many_paragraphs(package: zipfile.ZipFile) -> None:
    """Counted in the bytes, before anything is built of them."""
    parts = (package.read(name) for name in package.namelist() if name.lower().endswith(".xml"))
    if sum(len(_PARAGRAPH.findall(part)) for part in parts) > MOST_PARAGRAPHS:
        raise FileTooLarge(f"The file has more than {MOST_PARAGRAPHS:,} paragraphs; ask for a shorter one, or a PDF.")


def _around(document: Any, what: str) -> Iterator[Any]:
    """The heads or feet of its pages, each once."""
    for section in document.sections:
        for name in (f"first_page_{what}", what):
            part = getattr(section, name)
            if not part.is_linked_to_previous and (what == name or section.different_first_page_header_footer):
                yield part._element  # noqa: SLF001 - its paragraphs alone leave out text boxes and tables


def _flow(root: Any, tables: int, most: int) -> TextBlock:
    parts = _parts(root, 0)
    blocks = [_paragraph(each, tables, most) if each.tag == _P else _table(each, tables + 1, most) for each in parts]
    while blocks and not blocks[-1]:
        blocks.pop()
    return stacked(blocks)


def _parts(root: Any, depth: int) -> Iterator[Any]:
    """Paragraphs and tables, whatever stands around them: content controls, accepted insertions."""
    for child in root:
        if child.tag in (_P, _TBL):
            yield child
        elif depth < DEEPEST and child.tag not in _UNSEEN:
            yield from _parts(child, depth + 1)


def _paragraph(element: Any, tables: int, most: int) -> TextBlock:
    text: list[str] = []
    boxes: list[Any] = []
    _gather(element, text, boxes, 0)
    written = paragraph("".join(text).expandtabs(8), most)
    return stacked([written, *(_flow(box, tables, most) for box in boxes)]) if boxes else written


def _gather(element: Any, text: list[str], boxes: list[Any], depth: int) -> None:
    for child in element:
        tag = child.tag
        if tag == _T:
            text.append((child.text or "").replace("\xa0", " "))
        elif tag == _TAB:
            text.append("\t")
        elif tag in (_BR, _CR):
            text.append("\n")
        elif tag == qn("w:txbxContent"):
            boxes.append(child)
        elif tag in _UNSEEN or depth > DEEPEST or (tag == _R and _hidden(child)):
            continue
        else:
            _gather(child, text, boxes, depth + 1)


def _hidden(run: Any) -> bool:
    mark = run.find(f"{qn('w:rPr')}/{qn('w:vanish')}")
    return mark is not None and mark.get(qn("w:val")) not in ("0", "false")


def _table(element: Any, depth: int, most: int) -> TextBlock:
    rows = [list(_inside(row, _TC)) for row in _inside(element, _TR)]
    if depth > DEEPEST_TABLE:
        return stacked(_flow(cell, depth, most) for row in rows for cell in row)
    width = CELL_WIDTH if any(len(row) > 1 for row in rows) else most
    return table([[_cell(cell, depth, width) for cell in row] for row in rows])


def _inside(element: Any, tag: str) -> Iterator[Any]:
    """Rows or cells, also inside content controls."""
    for child in element:
        if child.tag == tag:
            yield child
        elif child.tag in (qn("w:sdt"), qn("w:sdtContent"), qn("w:ins")):
            yield from _inside(child, tag)


def _cell(cell: Any, depth: int, most: int) -> TableCell:
    said = cell.find(f"{qn('w:tcPr')}/{qn('w:gridSpan')}")
    across = said.get(qn("w:val"), "1") if said is not None else "1"
    spanned = int(across) if across.isdecimal() and len(across) < 6 else 1
    return TableCell(_flow(cell, depth, most), min(max(spanned, 1), MOST_SPANNED))
