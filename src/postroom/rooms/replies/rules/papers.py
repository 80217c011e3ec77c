"""The tenant's papers as evidence: split at headings and tables into snippets, with what they say of their own age."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal

from postroom.mail.headers import decode_bytes
from postroom.mail.language import LANGUAGES, Language, detect
from postroom.mail.sniff import is_text
from postroom.nouns.documents import CannotRead
from postroom.rooms.replies.rules.audiences import is_internal, public_blocks
from postroom.rooms.replies.rules.blocks import STRUCK, Block, BlockedText, markdown_blocks, shown, text_blocks
from postroom.rooms.replies.rules.dating import Validity, only_dates, validity
from postroom.rooms.replies.rules.marks import speaks_to_machines
from postroom.rooms.replies.rules.pages import html_blocks
from postroom.rooms.replies.rules.periods import ALWAYS, Period, is_notice, stated_period
from postroom.rooms.replies.rules.sentencing import sentence_texts
from postroom.rooms.replies.rules.terms import best_known
from postroom.rooms.replies.rules.values import value_kinds

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
    period: Period | None = None  # in which it holds, if it or what stands above it says so


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


def typed_text(content: bytes) -> str:
    """The words of a paper that is no PDF. Raises CannotRead with a sentence."""
    if not is_text(content):
        raise CannotRead("It is not text, whatever its name says. Save it as Markdown, text, HTML or PDF.")
    text = decode_bytes(content).replace("\0", "")
    if not any(map(str.isalnum, text)):
        raise CannotRead("There are no words in it.")
    return text


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
    held = validity(plain, read.about, source, _head(read.blocks))
    stated = _stated(_above_second(read.blocks), held.dated)
    begins = held.valid_from or stated.first
    held = Validity(held.dated or begins, begins, valid_until or held.valid_until or stated.last)
    told = audience
    if audience is None:
        audience = "internal" if is_internal(source, read, _above_second(read.blocks)) else "public"
    public = list(public_blocks(read.blocks, whole=told == "public"))
    return Paper(
        source=source,
        title=_title(read, source),
        language=language,
        audience=audience,
        validity=held,
        snippets=tuple(_snippets(source, public, language, held.dated)),
        years=frozenset(int(year) for year in _YEAR.findall(f"{source} {' '.join(read.about.values())} {plain}")),
        version=version,
    )


def _head(blocks: Sequence[Block]) -> int:
    """Letters before the second heading: what holds for a while there is the paper, below it one of its sections."""
    headings = [at for at, block in enumerate(blocks) if block.kind == "heading"]
    return (
        len(_plain(blocks[: headings[1]]))
        if len(list(_sections(blocks))) > 1 and len(headings) > 1
        else len(_plain(blocks))
    )


def _stated(head: Sequence[Block], dated: date | None) -> Period:
    """How long the paper holds by a notice in its first lines; one beside a price is about that."""
    headings = [block.level for block in head if block.kind == "heading"]
    if len(headings) > 1 or (headings and headings[0] > 1):
        return ALWAYS
    lines = [shown(block.raw) for block in head if block.kind == "paragraph"][:TOP_BLOCKS]
    free = [text for text in lines if "money" not in value_kinds(text)]
    told = [*free, *(each for text in free for each in sentence_texts(text, "de"))]  # where "1." ends no sentence
    return next((stated_period(each, dated) for each in told if is_notice(each)), ALWAYS)


def held_within(snippet: Snippet, first: date | None, last: date | None) -> Snippet:
    """A snippet of a paper that holds from or until a day: so do its lines, unless they say otherwise themselves."""
    if first is None and last is None:
        return snippet
    lines = (
        replace(line, period=replace(held, first=held.first or first, last=held.last or last))
        for line in snippet.lines
        for held in [line.period or ALWAYS]
    )
    return replace(snippet, lines=tuple(lines))


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


def _above_second(blocks: Sequence[Block]) -> Sequence[Block]:
    """The blocks up to the heading that ends the first section with words in it."""
    seen = False
    for at, block in enumerate(blocks):
        if block.kind == "heading" and seen:
            return blocks[:at]
        seen = seen or block.kind != "heading"
    return blocks


def _snippets(source: str, blocks: Sequence[Block], language: Language, dated: date | None) -> Iterator[Snippet]:
    number = 0
    noticed: dict[tuple[str, ...], Period] = {}
    for headings, section in _sections(blocks):
        above = next(
            (noticed[headings[:end]] for end in range(len(headings), 0, -1) if headings[:end] in noticed), ALWAYS
        )
        if (told := list(_notices(section).values())) and (len(headings) > 1 or number):
            noticed[headings] = stated_period(told[0], dated)
        words = " ".join(block.raw for block in section if block.kind != "row")
        spoken = detect(words, fallback=language)
        said = spoken.language if spoken.sure > 0.95 and len(words) > ENOUGH_TO_TELL else language
        lines = list(_lines(section, said, headings, dated, above))
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


def _periods(
    headings: Sequence[str], section: Sequence[Block], language: Language, dated: date | None, above: Period
) -> Iterator[Period]:
    """Of each block how long it holds by what stands above or beside it: a heading, a lead-in, a notice.

    A notice that is a paragraph is about all of its section, of several each about what follows it; inside a paragraph,
    about that. `above` is what a notice of the section around it says.
    """
    whole = above
    for heading in headings:
        whole = stated_period(heading, dated, heading=True) or whole
    notices = _notices(section)
    if notices and (len(notices) == 1 or not {0, len(section) - 1}.isdisjoint(notices)):
        whole = stated_period(next(iter(notices.values())), dated)
    led, leads = whole, False
    for at, block in enumerate(section):
        text = shown(block.raw)
        sentences = sentence_texts(text, language) if block.kind != "row" else []
        if at in notices:
            led, whole = stated_period(text, dated), stated_period(text, dated)
        elif block.kind == "paragraph":
            led = stated_period(text, dated, heading=True) or whole if text.endswith(":") else led if leads else whole
        leads = block.kind == "paragraph" and text.endswith(":")
        yield next((stated_period(each, dated) for each in sentences if is_notice(each)), led)


def _notices(section: Sequence[Block]) -> dict[int, str]:
    """The paragraphs that say nothing but how long something holds."""
    told = {at: shown(block.raw) for at, block in enumerate(section) if block.kind == "paragraph"}
    return {at: text for at, text in told.items() if is_notice(text)}


def _lines(
    section: Sequence[Block], language: Language, headings: Sequence[str], dated: date | None, above: Period
) -> Iterator[EvidenceLine]:
    """Paragraphs that speak to machines are left out: they inform nobody."""
    group = 0
    before: Block | None = None
    for paragraph, (block, around) in enumerate(
        zip(section, _periods(headings, section, language, dated, above), strict=True)
    ):
        if before is None or block.kind == "paragraph" or before.kind != block.kind or before.columns != block.columns:
            group += 1
        before = block
        if speaks_to_machines(block.raw) or (paragraph < TOP_BLOCKS and only_dates(shown(block.raw))):
            continue
        if block.kind == "row":
            held = _row_period(block) or _held(shown(next(iter(block.cells), "")), dated, around, heading=True)
            yield EvidenceLine(
                "row", block.raw, _row_text(block), paragraph, group, "", block.cells, block.columns, held
            )
            continue
        kind: LineKind = "item" if block.kind == "item" else "sentence"
        sentences = _sentences(block.raw, language)
        label = _label(sentences)
        led = stated_period(label, dated, heading=True) or around
        for raw in sentences[1:] if label else sentences:
            yield EvidenceLine(
                kind, raw, shown(raw), paragraph, group, label, period=_held(shown(raw), dated, led, heading=False)
            )


_HELD = str.maketrans(".!?", "\ue0fa\ue0fb\ue0fc")
_FREED = str.maketrans("\ue0fa\ue0fb\ue0fc", ".!?")


def _sentences(raw: str, language: Language) -> list[str]:
    """What is struck out ends no sentence, and is none."""
    whole = STRUCK.sub(lambda struck: struck[0].translate(_HELD), raw)
    found = [each.translate(_FREED) for each in sentence_texts(whole, language)]
    return [each for each in found if shown(each)]


def _held(text: str, dated: date | None, above: Period, *, heading: bool) -> Period | None:
    """What a line says itself outranks what stands above it. A notice says nothing to who asks about something else."""
    own = stated_period(text, dated, heading=heading)
    return replace(own, itself=not is_notice(text)) if own else above or None


def _row_period(block: Block) -> Period | None:
    """By a column such as "valid until"."""
    told = [stated_period(shown(f"{name} {cell}")) for name, cell in zip(block.columns, block.cells, strict=False)]
    first = next((each.first for each in told if each.first), None)
    last = next((each.last for each in told if each.last), None)
    return Period(first, last, itself=True) if first or last else None


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
