"""The tenant's papers as evidence: split at headings and tables into snippets, with what they say of their own age."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from postroom.mail.language import LANGUAGES, Language, detect
from postroom.rooms.replies.rules.blocks import Block, BlockedText, markdown_blocks, shown, text_blocks
from postroom.rooms.replies.rules.dating import Validity, only_dates, validity
from postroom.rooms.replies.rules.marks import is_internal, speaks_to_machines
from postroom.rooms.replies.rules.pages import html_blocks
from postroom.rooms.replies.rules.sentencing import sentence_texts
from postroom.rooms.replies.rules.terms import best_known

Audience = Literal["public", "internal"]
PaperKind = Literal["markdown", "text", "html"]
LineKind = Literal["sentence", "item", "row"]
KINDS: Mapping[str, PaperKind] = {
    "md": "markdown",
    "markdown": "markdown",
    "txt": "text",
    "text": "text",
    "html": "html",
    "htm": "html",
    "xhtml": "html",
}
ENOUGH_TO_TELL = 240  # letters of a section from which on its language counts, not the paper's
SURE_OF_LANGUAGE = 0.95
ENOUGH_PROSE = 25  # words
TOLD_BY = 3_000  # letters of a paper by whose words its language is told
TOP_BLOCKS = 3  # of a section, in which its version stands
MOST_LINES = 14  # of a snippet; a longer section becomes several


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A sentence, list item or table row. `raw` stands in the paper letter by letter, white space aside."""

    kind: LineKind
    raw: str
    text: str
    paragraph: int  # lines of one paragraph or list item have the same
    group: int = 0  # lines of one list or table have the same
    label: str = ""  # a lead-in such as "Shuttle.", or the question that the paragraph answers
    cells: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of one section, with the headings above it: what is searched for."""

    source: str
    number: int
    headings: tuple[str, ...]
    lines: tuple[EvidenceLine, ...]
    language: Language

    @property
    def text(self) -> str:
        return "\n".join(line.raw for line in self.lines)


@dataclass(frozen=True, slots=True)
class Paper:
    """A document as evidence. `source` is its path in the folder."""

    source: str
    title: str
    language: Language
    audience: Audience
    validity: Validity = field(default_factory=Validity)
    snippets: tuple[Snippet, ...] = ()
    years: frozenset[int] = frozenset()  # named anywhere in it
    version: int = 1

    @property
    def dated(self) -> date | None:
        return self.validity.dated


_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def kind_of(name: str) -> PaperKind | None:
    """By its ending; of a PDF the text is read elsewhere, and comes here as text."""
    return KINDS.get(name.rpartition(".")[2].lower())


def kept_as(kind: str) -> PaperKind:
    """How the text of such evidence is kept: that of a PDF as text, an answer that was learned as Markdown."""
    kept: Mapping[str, PaperKind] = {"pdf": "text", "answer": "markdown"}
    return kept[kind] if kind in kept else KINDS[kind]


def read_paper(
    source: str,
    text: str,
    kind: PaperKind,
    audience: Audience | None = None,
    valid_until: date | None = None,
    version: int = 1,
) -> Paper:
    """What a person said of its audience and validity outranks what the paper says."""
    reader = {"markdown": markdown_blocks, "text": text_blocks, "html": html_blocks}[kind]
    read = reader(text.replace("\0", ""))
    plain = _plain(read.blocks)
    language = _language(read, plain)
    held = validity(plain, read.about, source)
    if valid_until:
        held = Validity(held.dated, held.valid_from, valid_until)
    if audience is None:
        audience = "internal" if _internal(source, read) else "public"
    return Paper(
        source=source,
        title=_title(read, source),
        language=language,
        audience=audience,
        validity=held,
        snippets=tuple(_snippets(source, read.blocks, language)),
        years=frozenset(int(year) for year in _YEAR.findall(f"{source} {' '.join(read.about.values())} {plain}")),
        version=version,
    )


def _plain(blocks: Iterable[Block]) -> str:
    return "\n\n".join(shown(block.raw) for block in blocks)


def _language(read: BlockedText, plain: str) -> Language:
    """As it says itself; else by its small words; a price list has few, so the glossary's words decide there."""
    stated = (read.about.get("language") or read.about.get("lang") or "")[:2].lower()
    prose = " ".join(shown(block.raw) for block in read.blocks if block.kind != "row")
    guess = detect(prose)
    if guess.sure >= SURE_OF_LANGUAGE and len(prose.split()) >= ENOUGH_PROSE:
        return guess.language
    told = next((known for known in LANGUAGES if known == stated), None)
    return told or best_known(plain[:TOLD_BY], dict.fromkeys((*guess.ranked[:3], *detect(plain).ranked[:2], "en")))


def _title(read: BlockedText, source: str) -> str:
    first = next((block for block in read.blocks if block.kind == "heading"), None)
    if stated := read.about.get("title"):
        return stated
    return shown(first.raw) if first else re.sub(r"[-_]+", " ", source.rpartition("/")[2].rpartition(".")[0])


def _internal(source: str, read: BlockedText) -> bool:
    stated = read.about.get("audience") or read.about.get("access") or read.about.get("visibility") or ""
    title = [(read.about["title"], True)] if "title" in read.about else []
    return is_internal(
        source, stated, [*title, *((shown(block.raw), block.kind == "heading") for block in read.blocks)]
    )


def _snippets(source: str, blocks: Sequence[Block], language: Language) -> Iterator[Snippet]:
    number = 0
    for headings, section in _sections(blocks):
        words = " ".join(block.raw for block in section if block.kind != "row")
        spoken = detect(words, fallback=language)
        said = spoken.language if spoken.sure > 0.95 and len(words) > ENOUGH_TO_TELL else language
        lines = list(_lines(section, said))
        for chunk in _chunks(lines):
            yield Snippet(source, number, headings, tuple(chunk), said)
            number += 1


def _sections(blocks: Sequence[Block]) -> Iterator[tuple[tuple[str, ...], list[Block]]]:
    path: list[tuple[int, str]] = []
    held: list[Block] = []
    for block in blocks:
        if block.kind != "heading":
            held.append(block)
            continue
        if held:
            yield tuple(text for _, text in path), held
            held = []
        path = [*((level, text) for level, text in path if level < block.level), (block.level, shown(block.raw))]
    if held:
        yield tuple(text for _, text in path), held


def _lines(section: Sequence[Block], language: Language) -> Iterator[EvidenceLine]:
    """Paragraphs that speak to machines are left out: they inform nobody."""
    group = 0
    before: Block | None = None
    for paragraph, block in enumerate(section):
        if before is None or block.kind == "paragraph" or before.kind != block.kind or before.columns != block.columns:
            group += 1
        before = block
        if speaks_to_machines(block.raw) or (paragraph < TOP_BLOCKS and only_dates(shown(block.raw))):
            continue
        if block.kind == "row":
            yield EvidenceLine("row", block.raw, _row_text(block), paragraph, group, "", block.cells, block.columns)
            continue
        kind: LineKind = "item" if block.kind == "item" else "sentence"
        sentences = sentence_texts(block.raw, language)
        label = _label(sentences)
        for raw in sentences[1:] if label else sentences:
            yield EvidenceLine(kind, raw, shown(raw), paragraph, group, label)


def _label(sentences: Sequence[str]) -> str:
    """The lead-in of a paragraph: a short bold beginning, or a question that the rest answers."""
    if len(sentences) < 2:
        return ""
    first = shown(sentences[0])
    bold = sentences[0].startswith(("**", "__")) and sentences[0].rstrip(".:!?").endswith(("**", "__"))
    bold = bold or re.fullmatch(r"(\*\*|__)[^*_]+(\*\*|__)[.:]?", sentences[0]) is not None
    short = len(first.split()) <= 3 and first.endswith(".") and not re.search(r"\d", first)
    return first if bold or first.endswith("?") or short else ""


def _row_text(block: Block) -> str:
    """Each cell with the name of its column; the first one names the row."""
    cells = [shown(cell) for cell in block.cells]
    if len(cells) == 1 or not any(cells[1:]):
        return cells[0] if cells else ""
    names = [shown(name) for name in block.columns]
    told = [
        f"{names[at]} {cell}" if at < len(names) and names[at] else cell for at, cell in enumerate(cells[1:], 1) if cell
    ]
    first = cells[0]
    return f"{first}: {'; '.join(told)}" if first else "; ".join(told)


def _chunks(lines: Sequence[EvidenceLine]) -> Iterator[list[EvidenceLine]]:
    """Cut between paragraphs where that is possible, and never longer than a page can show."""
    held: list[EvidenceLine] = []
    rest = Counter(line.group for line in lines)
    for line in lines:
        new = not held or line.group != held[-1].group
        if held and (len(held) >= MOST_LINES or (new and len(held) + rest[line.group] > MOST_LINES)):
            yield held
            held = []
        held.append(line)
        rest[line.group] -= 1
    if held:
        yield held
