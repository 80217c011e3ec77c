"""HTML to words with places: as text with its tables, without what nobody sees. For reading processes only."""

from __future__ import annotations

import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

from postroom.mail.html import BLOCKS, PARAGRAPHS, UNSEEN, html_to_text
from postroom.mail.markup import MANY_TAGS, takes_long
from postroom.nouns.documents import FileTooLarge
from postroom.reading.page.grid import CELL_WIDTH, LINE_WIDTH, TableCell, TextBlock, paragraph, stacked, table

DEEPEST = 1_500
DEEPEST_TABLE = 12  # tables in tables; further in, cells are read one after the other
MOST_SPANNED = 100  # columns or rows by one cell
ROWS = ("tr", "thead", "tbody", "tfoot")
HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|mso-hide\s*:\s*all|(?:^|[;\s])(?:font-size|max-height|opacity)\s*:\s*0(?![.\d])",
    re.IGNORECASE,
)
BLANKS = re.compile(r"[ \t\r\n\f]+")


def sheet(html: str) -> TextBlock:
    """The whole page as one block."""
    html = html.replace("\0", "")
    if html.count("<") > MANY_TAGS:
        raise FileTooLarge("The page holds more than any trade or bill does; ask for a shorter one, or a PDF.")
    if takes_long(html, DEEPEST):
        return paragraph(html_to_text(html))
    tree = LexborHTMLParser(html)
    root = tree.body or tree.root
    return TextBlock() if root is None else _flow(root, 0, LINE_WIDTH)


class _Flow:
    """Running text with tables in it, as it comes."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.blocks: list[TextBlock] = []
        self.line = ""
        self.pre = 0

    def write(self, text: str) -> None:
        if self.pre:
            *whole, last = text.replace("\r", "").split("\n")
            for part in whole:
                self.line += part
                self.end_line(always=True)
            self.line += last
            return
        words = BLANKS.sub(" ", text)
        self.line += words.lstrip(" ") if not self.line or self.line.endswith(" ") else words

    def end_line(self, *, always: bool = False) -> None:
        said = _plain(self.line)
        if said.strip() or always:
            self.blocks.append(paragraph(said if self.pre else said.strip(), self.most))
        self.line = ""

    def gap(self) -> None:
        if self.blocks and self.blocks[-1]:
            self.blocks.append(TextBlock([[]]))

    def done(self) -> TextBlock:
        self.end_line()
        while self.blocks and not self.blocks[-1]:
            self.blocks.pop()
        return stacked(self.blocks)


def _plain(text: str) -> str:
    return text.replace("\xa0", " ").replace("\u200b", "").replace("\ufeff", "").replace("\u200c", "")


def _flow(root: LexborNode, depth: int, most: int) -> TextBlock:
    """A walk with a stack of its own: mail nests deeper than Python likes to recurse."""
    flow = _Flow(most)
    stack: list[tuple[LexborNode, bool]] = [(child, True) for child in reversed(_children(root))]
    while stack:
        node, entering = stack.pop()
        tag = node.tag or ""
        if not entering:
            _leave(flow, tag)
        elif tag == "-text":
            flow.write(node.text_content or "")
        elif not _seen(node, tag):
            continue
        elif tag == "table" and depth < DEEPEST_TABLE:
            flow.end_line()
            flow.blocks.append(_table(node, depth + 1, most))
        else:
            _enter(flow, tag)
            stack.append((node, False))
            stack.extend((child, True) for child in reversed(_children(node)))
    return flow.done()


def _enter(flow: _Flow, tag: str) -> None:
    if tag == "br":
        flow.end_line(always=True)
    elif tag in BLOCKS:
        flow.end_line()
    if tag in PARAGRAPHS:
        flow.gap()
    if tag == "li":
        flow.line = "- "
    flow.pre += tag == "pre"


def _leave(flow: _Flow, tag: str) -> None:
    if tag in ("td", "th"):  # of a table too deep to be laid out
        flow.write(" ")
    if tag in BLOCKS:
        flow.end_line()
    flow.pre -= tag == "pre"
    if tag in PARAGRAPHS:
        flow.gap()


def _seen(node: LexborNode, tag: str) -> bool:
    if tag in UNSEEN or tag.startswith(("-", "!")):
        return False
    attributes = node.attributes
    return "hidden" not in attributes and not HIDDEN.search(attributes.get("style") or "")


def _children(node: LexborNode) -> list[LexborNode]:
    found = []
    child = node.child
    while child is not None:
        found.append(child)
        child = child.next
    return found


def _table(node: LexborNode, depth: int, most: int) -> TextBlock:
    rows = [[cell for cell in _children(row) if (cell.tag or "") in ("td", "th")] for row in _rows(node)]
    said = [[cell for cell in row if _seen(cell, cell.tag or "")] for row in rows]
    several = any(sum(bool(_plain(cell.text()).strip()) for cell in row) > 1 for row in said)
    width = CELL_WIDTH if several else most
    return table([[_cell(cell, depth, width) for cell in row] for row in said])


def _rows(node: LexborNode) -> Iterator[LexborNode]:
    for child in _children(node):
        tag = child.tag or ""
        if tag not in ROWS or not _seen(child, tag):
            continue
        if tag == "tr":
            yield child
        else:
            yield from (row for row in _children(child) if row.tag == "tr" and _seen(row, "tr"))


def _cell(cell: LexborNode, depth: int, most: int) -> TableCell:
    across, down = (_span(cell.attributes.get(name)) for name in ("colspan", "rowspan"))
    return TableCell(_flow(cell, depth, most), across, down)


def _span(said: str | None) -> int:
    text = (said or "").strip()
    return min(max(int(text), 1), MOST_SPANNED) if text.isdecimal() and len(text) < 6 else 1
