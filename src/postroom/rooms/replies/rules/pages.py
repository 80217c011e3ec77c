"""HTML as blocks: what a visitor of the page reads, without its menus."""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from postroom.mail.html import html_to_text
from postroom.mail.markup import takes_long
from postroom.rooms.replies.rules.blocks import Block, BlockedText, text_blocks

_UNSEEN = frozenset(
    [
        "del",
        "s",
        "strike",
        "head",
        "script",
        "style",
        "template",
        "noscript",
        "svg",
        "object",
        "iframe",
        "nav",
        "form",
        "button",
        "select",
    ]
)
_MENU = re.compile(r"\b(?:menu|nav|navigation|breadcrumb|cookie|footer)\b", re.IGNORECASE)
_FOOT = re.compile(r"\bfooter\b", re.IGNORECASE)
_HIDDEN = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:font-size|opacity)\s*:\s*0(?:\.0+)?(?![.\d])",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"<!--(.{0,400}?)-->", re.DOTALL)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_TEXT_BLOCKS = frozenset(["p", "blockquote", "pre", "dd", "dt", "address", "figcaption", "caption", "summary"])
_LARGEST = 4_000_000
_DEEPEST = 200


def html_blocks(html: str) -> BlockedText:
    """A page that nests like none that people made is read as plain text."""
    html = html[:_LARGEST].replace("\0", "")
    if takes_long(html, _DEEPEST):
        return text_blocks(html_to_text(html))
    tree = LexborHTMLParser(html)
    walk = _Walk()
    if tree.body is not None:
        walk.read(tree.body, 0)
        walk.flush()
    return BlockedText(tuple(walk.blocks), _about(tree), (*_COMMENT.findall(html), *walk.foot))


def _about(tree: LexborHTMLParser) -> dict[str, str]:
    about: dict[str, str] = {}
    if tree.root is not None and (language := tree.root.attributes.get("lang")):
        about["language"] = language
    if (title := tree.css_first("title")) is not None:
        about["title"] = " ".join(title.text().split())
    for meta in tree.css("meta[name]"):
        name, content = meta.attributes.get("name"), meta.attributes.get("content")
        if name and content:
            about[name.lower()] = content.strip()
    return about


class _Walk:
    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.loose: list[str] = []
        self.foot: list[str] = []

    def read(self, node: LexborNode, depth: int) -> None:
        child = node.child
        while child is not None:
            self._visit(child, depth)
            child = child.next

    def _visit(self, node: LexborNode, depth: int) -> None:
        tag = node.tag or ""
        if tag == "-text":
            self.loose.append(node.text_content or "")
        elif _is_unseen(node) or depth > _DEEPEST:
            if _is_foot(node):
                self.foot += _texts(node, without=("a", "script", "style"))
        elif tag in _HEADINGS:
            self._block(Block("heading", _words(node), level=_HEADINGS[tag]))
        elif tag == "table":
            self.flush()
            self.blocks += _rows(node)
        elif tag in _TEXT_BLOCKS:
            self._block(Block("paragraph", _words(node)))
        elif tag == "li" and node.css_first("ul, ol, table, p") is None:
            self._block(Block("item", _words(node)))
        elif tag in (
            "a",
            "b",
            "i",
            "u",
            "em",
            "strong",
            "span",
            "small",
            "sup",
            "sub",
            "code",
            "abbr",
            "time",
            "mark",
            "ins",
        ):
            self.read(node, depth + 1)
        elif tag == "br":
            self.loose.append(" ")
        else:
            self.flush()
            self.read(node, depth + 1)
            self.flush()

    def _block(self, block: Block) -> None:
        self.flush()
        if block.raw:
            self.blocks.append(block)

    def flush(self) -> None:
        text = " ".join("".join(self.loose).split())
        self.loose = []
        if text:
            self.blocks.append(Block("paragraph", text))


def _is_hidden(node: LexborNode) -> bool:
    attributes = node.attributes
    if (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or _HIDDEN.search(attributes.get("style") or "")
    ):
        return True
    named = f"{attributes.get('class') or ''} {attributes.get('id') or ''} {attributes.get('role') or ''}"
    return node.tag == "footer" or bool(_MENU.search(named))


def _is_unseen(node: LexborNode) -> bool:
    """Not shown, or struck out: it holds no longer."""
    tag = node.tag or ""
    return tag.startswith(("-", "!")) or tag in _UNSEEN or _is_hidden(node)


def _is_foot(node: LexborNode) -> bool:
    attributes = node.attributes
    return node.tag == "footer" or bool(_FOOT.search(f"{attributes.get('class') or ''} {attributes.get('id') or ''}"))


def _texts(node: LexborNode, *, without: tuple[str, ...] = ()) -> list[str]:
    """The texts below a node in their order, without what is unseen. `without`: only without these instead."""
    found: list[str] = []
    waiting = [node.child]
    while waiting:
        child = waiting.pop()
        if child is None:
            continue
        waiting.append(child.next)
        if child.tag == "-text":
            found.append(child.text_content or "")
        elif (child.tag or "-") not in without if without else not _is_unseen(child):
            waiting.append(child.child)
    return found


def _words(node: LexborNode) -> str:
    return re.sub(r"\s+(?=[.,;:!?)])", "", " ".join(" ".join(_texts(node)).split()))


def _rows(table: LexborNode) -> list[Block]:
    """The first row is the head if it has headers or if its cells hold no value."""
    columns: tuple[str, ...] = ()
    rows: list[Block] = []
    for number, row in enumerate(table.css("tr")):
        if _is_unseen(row) or (row.parent is not None and row.parent.tag != "table" and _is_unseen(row.parent)):
            continue
        cells = tuple("" if _is_unseen(cell) else _words(cell) for cell in row.css("td, th"))
        if not any(cells):
            continue
        if not columns and (row.css_first("td") is None or (number == 0 and not re.search(r"\d", " ".join(cells)))):
            columns = cells
            continue
        rows.append(Block("row", " ".join(cells), cells=cells, columns=columns))
    return rows
