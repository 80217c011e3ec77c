"""Markdown and typed text as blocks: headings, paragraphs, list items and table rows, each verbatim."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from typing import Literal

from postroom.mail.language import ends_in_small_word

BlockKind = Literal["heading", "paragraph", "item", "row"]
LONGEST_HEADING = 70  # letters; a line of a wrapped paragraph is longer
MOST_HEADING_WORDS = 9
WRAPPED_LINE = 55  # letters from which on a line that ends without a full stop goes on in the next

_FRONT_MATTER = re.compile(r"\A\ufeff?\s*---[ \t]*\n(.*?)\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FIELD = re.compile(r"^([\w -]{1,40}):\s*(.*)$")
_HEADING = re.compile(r"^ {0,3}(#{1,6})\s++(.*)$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{3,})\s*$")
_ITEM = re.compile(r"^\s*(?:[-*+•–]\s+|\(?\d{1,2}[.)]\s+|\([a-z0-9]{1,2}\)\s+|[a-z]\)\s+)(?=\S)")
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"^(?=[\s:|-]++$).*--")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_COLUMNS = re.compile(r"\S(?: {2,}|\t+)\S")
_ENDS = re.compile(r"[.!?…:;]['\"»”)*_]*$")
_NUMBERED = re.compile(r"^(?:§\s*\d+|\d{1,2}(?:\.\d{1,2})*\.?)\s+\S")
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_DIALLED = r"(?<![\w*#])(?:\*\d{2,3}\*(?!\*)|\*\*\d{2,3}\*(?=\w)|\*?\*?#\d{2,4}[*#])[\w*#]*"  # `*21*number#`, `*#06#`
_MARKS = re.compile(rf"({_DIALLED})|\*\*|__|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
_PRIVATE = 0xE000  # where no letters are: an escaped mark waits there until the others are gone
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_KEPT = re.compile(r"[\ue021-\ue07e]")
_QUOTED = re.compile(r"^[ \t]*>[> \t]*", re.MULTILINE)
_SELDOM = re.compile(r"[\\>]")
_ANY_MARK = re.compile(r"[\\>~\[*_`&\ue021-\ue07e]")  # each mark below has one of these
_FOOTNOTE = re.compile(r"\[\^[^\]\s]{1,20}\]:?")
STRUCK = re.compile(r"~~(?=\S)[^~]{1,2000}~~")
_LINK = re.compile(r"!?\[([^\]]{0,300}+)\]\([^)]{0,2000}+\)")


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of a paper. `raw` stands in it letter by letter; `cells` and `columns` belong to a row of a table."""

    kind: BlockKind
    raw: str
    level: int = 0
    cells: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BlockedText:
    """What a file says about itself, its blocks, and what stands in comments or at the foot of a page."""

    blocks: tuple[Block, ...]
    about: Mapping[str, str] = field(default_factory=dict)
    aside: tuple[str, ...] = ()


def shown(raw: str) -> str:
    """As a person reads it: without the marks of Markdown and what is struck out, on one line; a code to be dialled
    keeps its stars."""
    if not _ANY_MARK.search(raw):
        return " ".join(raw.split())
    meant = (
        _ESCAPED.sub(lambda mark: chr(_PRIVATE + ord(mark[1])), _QUOTED.sub("", raw)) if _SELDOM.search(raw) else raw
    )
    meant = _FOOTNOTE.sub("", STRUCK.sub("", meant))
    bare = _MARKS.sub(lambda mark: mark[1] or "", _LINK.sub(r"\1", meant))
    return " ".join(unescape(_KEPT.sub(lambda mark: chr(ord(mark[0]) - _PRIVATE), bare)).split())


def markdown_blocks(text: str) -> BlockedText:
    """A comment is not seen by readers of the page, so it is no evidence."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    about: dict[str, str] = {}
    if front := _FRONT_MATTER.match(text):
        about = _fields(front[1])
        text = text[front.end() :]
    aside = tuple(_COMMENT.findall(text, 0, _last_comment_ends(text)))
    return BlockedText(tuple(_markdown(_without_comments(text).split("\n"))), about, aside)


def _without_comments(text: str) -> str:
    """What stands before and after a comment are two paragraphs, each of which is in the paper as it is quoted; only a
    row goes on behind it."""

    def parted(comment: re.Match[str]) -> str:
        line = text[text.rfind("\n", 0, comment.start()) + 1 : comment.start()]
        return "" if "|" in line else "\n\n"

    end = _last_comment_ends(text)
    return _COMMENT.sub(parted, text[:end]) + text[end:]


def _last_comment_ends(text: str) -> int:
    """Behind it each beginning of a comment would be followed to the end of the paper."""
    return text.rfind("-->") + len("-->") if "-->" in text else 0


def _fields(front: str) -> dict[str, str]:
    """`name: value`, or a list of values in the lines below the name."""
    about: dict[str, str] = {}
    name = ""
    for line in front.split("\n"):
        if told := _FIELD.match(line):
            name = told[1].strip().lower()
            about[name] = told[2].strip(" \"'")
        elif name and (item := _ITEM.match(line)):
            about[name] = f"{about[name]} {line[item.end() :].strip()}".strip()
    return about


def _markdown(lines: Sequence[str]) -> Iterator[Block]:
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip() or _FENCE.match(line):
            at += 1
        elif heading := _HEADING.match(line):
            yield Block("heading", heading[2].rstrip("#").strip(), level=len(heading[1]))
            at += 1
        elif "|" in line and at + 1 < len(lines) and "|" in lines[at + 1] and _RULE.match(lines[at + 1]):
            end = _run(lines, at + 2, lambda each: "|" in each)
            yield from _table(_cells(line), lines[at + 2 : end])
            at = end
        elif at + 1 < len(lines) and _UNDERLINE.match(lines[at + 1]) and not _ITEM.match(line):
            yield Block("heading", line.strip(), level=1 if "=" in lines[at + 1] else 2)
            at += 2
        elif _RULE.match(line):
            at += 1
        else:
            end = _run(lines, at, lambda each: bool(each.strip()) and not _HEADING.match(each))
            yield from _prose(lines[at:end])
            at = max(end, at + 1)


def _run(lines: Sequence[str], at: int, goes_on: Callable[[str], object]) -> int:
    while at < len(lines) and goes_on(lines[at]):
        at += 1
    return at


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in _BAR.split(_row(line)))


def _row(line: str) -> str:
    """Without the bars at its ends; one behind a backslash is a letter."""
    bare = line.strip().removeprefix("|")
    return (bare[:-1] if _BAR.match(bare, len(bare) - 1) else bare).strip()


def _table(columns: tuple[str, ...], lines: Sequence[str]) -> Iterator[Block]:
    for line in lines:
        yield Block("row", _row(line), cells=_cells(line), columns=columns)


def _prose(lines: Sequence[str]) -> Iterator[Block]:
    """List items begin where they are marked; all other lines belong to what is above them."""
    held: list[str] = []
    kind: BlockKind = "paragraph"
    for line in lines:
        bare = line.lstrip("> ")
        if marked := _ITEM.match(bare):
            if held:
                yield Block(kind, "\n".join(held))
            held, kind = [bare[marked.end() :]], "item"
        elif bare.strip():
            held.append(line.strip() if held else bare.strip())  # the marks inside a quotation are a part of it
        elif held:
            yield Block(kind, "\n".join(held))
            held, kind = [], "paragraph"
    if held:
        yield Block(kind, "\n".join(held))


def text_blocks(text: str) -> BlockedText:
    """Typed text has no marks: a short line that stands alone or above a paragraph is a heading."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").replace("\f", "\n\n").split("\n")
    return BlockedText(tuple(_typed(lines)))


def _typed(lines: Sequence[str]) -> Iterator[Block]:
    at, first = 0, True
    while at < len(lines):
        if not lines[at].strip():
            at += 1
            continue
        end = _run(lines, at, lambda each: bool(each.strip()))
        part = [line.rstrip() for line in lines[at:end]]
        if _UNDERLINE.match(part[-1]) and len(part) == 2:
            part = part[:1]
        part = [line for line in part if not _UNDERLINE.match(line)]
        below = part[1] if len(part) > 1 else ""
        if part and not _goes_on(part[0], below, top=first) and _is_heading(part[0], alone=len(part) == 1, top=first):
            yield Block("heading", part[0].strip(), level=1 if first else 2)
            part = part[1:]
        if part:
            yield from _typed_part(part)
        first, at = False, end


def _goes_on(line: str, below: str, *, top: bool) -> bool:
    """The first line of a wrapped sentence is no heading, however short the lines are."""
    if not below:
        return False
    wide = len(line.strip()) >= WRAPPED_LINE and not top
    return wide or (below.strip()[:1].islower() and ends_in_small_word(line))


def _is_heading(line: str, *, alone: bool, top: bool) -> bool:
    bare = line.strip()
    if len(bare) > LONGEST_HEADING or len(bare.split()) > MOST_HEADING_WORDS or (_ITEM.match(line) and not alone):
        return False
    if _COLUMNS.search(bare) or (_ENDS.search(bare) and not (bare.isupper() or (top and not _is_sentence(bare)))):
        return False
    if top or _NUMBERED.match(bare) or (bare.isupper() and not re.search(r"\d", bare)):
        return True
    return bare[:1].isupper() and not re.search(r"\d", bare) and (not alone or len(bare.split()) <= 6)


def _is_sentence(line: str) -> bool:
    """ "Parking costs 12 EUR per day." is no title."""
    return line.endswith((".", "!")) and len(line.split()) > 2


def _typed_part(lines: Sequence[str]) -> Iterator[Block]:
    """Lines in columns are rows; the others are joined where they were only wrapped."""
    held: list[str] = []
    kind: BlockKind = "paragraph"
    for line in lines:
        marked, columns = _ITEM.match(line), _COLUMNS.search(line.strip())
        if held and (marked or columns or _begins_anew(held[-1], line)):
            yield Block(kind, "\n".join(held))
            held, kind = [], "paragraph"
        if columns and not marked:
            yield Block("row", line.strip(), cells=tuple(re.split(r" {2,}|\t+", line.strip())))
            continue
        if marked:
            kind = "item"
        held.append(line[marked.end() :] if marked else line.strip())
    if held:
        yield Block(kind, "\n".join(held))


def _begins_anew(above: str, line: str) -> bool:
    """A full short line, such as an entry of a list that nobody marked."""
    return len(above) < WRAPPED_LINE and bool(re.search(r"[^,;\w-]$|\d$", above)) and line.strip()[:1].isupper()
