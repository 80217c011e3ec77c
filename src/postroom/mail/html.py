"""HTML mail as plain text, with what it quotes marked by `>`; and plain text as HTML."""

from __future__ import annotations

import re
from html import escape

from selectolax.lexbor import LexborHTMLParser, LexborNode

from postroom.mail.markup import takes_long

BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "center",
        "dd",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tbody",
        "tfoot",
        "thead",
        "tr",
        "ul",
    ]
)
PARAGRAPHS = frozenset(["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "ul", "ol", "table", "pre"])
UNSEEN = frozenset(["head", "script", "style", "title", "template", "noscript", "svg", "object", "iframe"])
_LIMIT = 4_000_000
_DEEPEST = 1_500  # no mail that people wrote comes near this
_ANY_TAG = re.compile(r"<[^>]{0,2000}>")
_CID = re.compile(r"""cid:([^"'\s>)]+)""", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all", re.IGNORECASE)


def cids(html: str) -> frozenset[str]:
    """The content ids that the HTML shows."""
    return frozenset(match.strip("<>") for match in _CID.findall(html))


def html_to_text(html: str) -> str:
    """The words a person sees; block ends become line ends, quoted blocks get `> ` before each line."""
    html = html[:_LIMIT].replace("\0", "")
    if takes_long(html, _DEEPEST):
        return _tidy(_ANY_TAG.sub("\n", html).split("\n"))
    tree = LexborHTMLParser(html)
    root = tree.body or tree.root
    if root is None:
        return ""
    return _Page().render(root)


def text_to_html(text: str) -> str:
    """The same words for programs that show HTML: paragraphs and line breaks, and nothing that acts."""
    paragraphs = (escape(each, quote=False).replace("\n", "<br>") for each in text.strip().split("\n\n"))
    return "".join(f"<p>{each}</p>" for each in paragraphs if each)


class _Page:
    """A walk over the tree with a stack of its own: mail nests deeper than Python likes to recurse."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.line = ""
        self.depth = 0
        self.pre = 0

    def render(self, root: LexborNode) -> str:
        stack: list[tuple[LexborNode, bool]] = [(root, True)]
        while stack:
            node, entering = stack.pop()
            if not entering:
                self._leave(node)
                continue
            if node.tag == "-text":
                self._write(node.text_content or "")
                continue
            if not self._enter(node):
                continue
            stack.append((node, False))
            children: list[LexborNode] = []
            child = node.child
            while child is not None:
                children.append(child)
                child = child.next
            stack.extend((child, True) for child in reversed(children))
        self._break()
        return _tidy(self.lines)

    def _enter(self, node: LexborNode) -> bool:
        tag = node.tag or ""
        if tag in UNSEEN or (tag.startswith(("-", "!")) and tag != "-document"):
            return False
        style = node.attributes.get("style") or ""
        if _HIDDEN.search(style):
            return False
        if tag == "br":
            self._break(always=True)
        elif tag in BLOCKS:
            self._break()
        if tag in PARAGRAPHS:
            self._gap()
        if tag == "hr":
            self.lines.append(self._prefix() + "-" * 3)
        elif tag == "li":
            self.line = "- "
        elif tag == "pre":
            self.pre += 1
        if _quotes(node, tag):
            self.depth += 1
        return True

    def _leave(self, node: LexborNode) -> None:
        tag = node.tag or ""
        if tag in ("td", "th"):
            self.line += "\t"
        if tag in BLOCKS:
            self._break()
        if tag in PARAGRAPHS:
            self._gap()
        if tag == "pre":
            self.pre -= 1
        if _quotes(node, tag):
            self.depth -= 1

    def _write(self, text: str) -> None:
        if self.pre:
            *whole, last = text.split("\n")
            for part in whole:
                self.line += part
                self._break(always=True)
            self.line += last
            return
        words = re.sub(r"[ \t\r\n\f]+", " ", text)
        self.line += words.lstrip(" ") if not self.line or self.line.endswith((" ", "\t")) else words

    def _prefix(self) -> str:
        return "> " * min(self.depth, 20)

    def _break(self, *, always: bool = False) -> None:
        if self.line.strip() or always:
            self.lines.append(self._prefix() + self.line.strip(" \t"))
        self.line = ""

    def _gap(self) -> None:
        if self.lines and self.lines[-1].strip("> "):
            self.lines.append(self._prefix().rstrip())


def _quotes(node: LexborNode, tag: str) -> bool:
    if tag == "blockquote":
        # Apple Mail indents a person's own words with a blockquote that has no line at its left.
        style = (node.attributes.get("style") or "").replace(" ", "").lower()
        return node.attributes.get("type") == "cite" or "border:none" not in style
    return tag == "div" and (node.attributes.get("id") or "").startswith("yahoo_quoted")


def _tidy(lines: list[str]) -> str:
    text = "\n".join(line.rstrip() for line in lines).replace("\xa0", " ")
    return re.sub(r"\n{3,}", "\n\n", text.replace("\u200b", "").replace("﻿", "")).strip()
