"""What a paper calls itself in its title: an invoice, or one of those that look like one."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from statistics import median

from postroom.reading.invoices.words import flat, labels_in
from postroom.reading.page.lines import PrintedLine

TITLE_LINES = 45  # of the first page; a title that comes later is of a part
TALLER = 1.25  # a title this much taller than another is the paper's, the other a part's
LONGEST = 80  # letters of a title with its number and date
QUOTED = ("purchase_order", "order_confirmation", "delivery_note", "offer")
"""What invoices refer to by name: small, such a name is a reference."""
_YOUR = re.compile(r"^(?:ihre|your|votre|uw|vostra|sua|su|tu|din|deres|jeres) ")
_BOTH = re.compile(r"([a-z ]+?) ?/ ?([a-z].+)")
_CELL = re.compile(r"\S+(?: \S+)*")
_WORD = re.compile(r"[a-z0-9]+")
_GOES_ON = re.compile(r"\s*\(|\s+[-–—]\s+")
_INVOICE = re.compile(r"invoice|bill|rechn|factu|fattur|faktur|fatur|regning|inv ")
_COMPOUND = re.compile(
    r"[a-z]{3,}(?:(?<!ab)(?<!be)rechnung|factuur|faktura|regning)(?![a-z])"
)  # Energierechnung, slutfaktura
_NUMBERED = re.compile(
    r"^(?=.*\d)\W*(?:\(\d{1,3}\)\W*)?(?:(?:no|nr|num|number|nummer|numero|n|numer)\b)?\W*(?:[a-z]{0,5}\W?\d[\w./-]*)?\W*"
    r"(?:(?:vom|von|v|of|dated|du|del|van|fra|fran|af|z dnia|de|den|le|il|from|per|zum"
    r"|seite|page|pagina|strona|sida|side)\b.*)?$"
)


@dataclass(frozen=True, slots=True)
class PaperTitle:
    """A name that a paper gives itself, and how tall it is printed."""

    kind: str
    text: str
    height: float
    line: int


@dataclass(frozen=True, slots=True)
class PaperNames:
    names: Mapping[str, str]
    titles: Mapping[tuple[str, ...], str]
    first_words: frozenset[str]
    denied: re.Pattern[str]
    settled: re.Pattern[str]


@cache
def _known() -> PaperNames:
    raw = tomllib.loads(resources.files(__package__).joinpath("papers.toml").read_text("utf-8"))
    denied, settled = (_any_of(raw.pop(name)["phrases"]) for name in ("denied", "settled"))
    titles = {tuple(title.split()): kind for kind, told in raw.items() for title in told["titles"]}
    names = {kind: told.get("name", "an invoice") for kind, told in raw.items()}
    return PaperNames(names, titles, frozenset(title[0] for title in titles), denied, settled)


def _any_of(phrases: Sequence[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, phrases))})(?![a-z])")


def titles(lines: Sequence[PrintedLine]) -> Iterator[PaperTitle]:
    """Cells of the first page that hold a paper's name and nothing else but its number."""
    for line in lines[:TITLE_LINES]:
        if line.page != lines[0].page:
            return
        cells = list(_CELL.finditer(line.text))
        for place, match in enumerate(cells):
            kind = _named(match[0])
            behind = cells[place + 1][0] if place + 1 < len(cells) else ""
            if kind is not None and (kind == "invoice" or not (re.search(r"\d", behind) or _heads_a_table(line.text))):
                box = line.box_of(*match.span())
                yield PaperTitle(kind, match[0], box[3] - box[1], line.index)
            elif kind is None and _is_compound(match[0]):
                yield PaperTitle("invoice", match[0], 0.0, line.index)  # any known title comes before it


def _heads_a_table(text: str) -> bool:
    """`Tarif` or `Order` over a column is no title; and one with a number beside it labels that."""
    return sum(1 for label in labels_in(text) if any(kind.startswith("column.") for kind in label.kinds)) >= 3


def _named(text: str) -> str | None:
    """`RECHNUNGS-KORREKTUR` is a Rechnungskorrektur."""
    if len(text) > LONGEST:
        return None
    folded = _YOUR.sub("", flat(text))
    if "/" in folded and (both := _BOTH.fullmatch(folded)):  # "Invoice / Facture"
        kinds = {_kind(both[1]), _kind(both[2])}
        return kinds.pop() if len(kinds) == 1 else None
    return _kind(folded) or (_kind(re.sub(r"(?<=[a-z])-(?=[a-z])", "", folded)) if "-" in text else None)


def _kind(folded: str) -> str | None:
    first = _WORD.search(folded)
    if first is None or first[0] not in _known().first_words:
        return None
    words = [(found[0], found.end()) for found in _WORD.finditer(folded)]
    for count in range(min(len(words), 5), 0, -1):
        kind = _known().titles.get(tuple(word for word, _ in words[:count]))
        if kind is not None:
            rest = folded[words[count - 1][1] :]
            alone = count == len(words) and ":" not in rest
            return kind if alone or (_NUMBERED.match(rest) and ":" not in rest) else None
    return None


def _is_compound(text: str) -> bool:
    """`Energierechnung Nr. 17`: no known title, but an invoice by its last part."""
    folded = flat(text)
    found = _COMPOUND.match(folded) if len(text) <= LONGEST else None
    rest = folded[found.end() :] if found else ":"
    return ":" not in rest and (not rest.strip() or bool(_NUMBERED.match(rest)))


@dataclass(frozen=True, slots=True)
class PaperCalled:
    """What a paper is by its own word: `kind` is `invoice`, `credit_note`, another, or empty when it does not say."""

    kind: str = ""
    because: str = ""

    @property
    def is_other(self) -> bool:
        return self.kind not in ("", "invoice", "credit_note")


def called(lines: Sequence[PrintedLine]) -> PaperCalled:
    """The tallest title, an invoice's before others of its height; else what it says it is not."""
    found = [title for title in titles(lines) if not _is_reference(title, lines)]
    if found:
        tallest = max(title.height for title in found)
        heads = [title for title in found if title.height * TALLER >= tallest]
        best = min(heads, key=lambda title: (_rank(title.kind), title.line))
        return PaperCalled(best.kind, f"It calls itself {_known().names[best.kind]} (“{best.text}”).")
    if denied := _known().denied.search(" ".join(flat(line.text) for line in lines[:400])):
        return PaperCalled("denied", f"It says of itself that it is none (“{denied[0]}”).")
    return PaperCalled()


def calls_back(lines: Sequence[PrintedLine]) -> str:
    """A sentence if a title begins as that of a reminder, a credit note or a pro forma, and goes on; else empty."""
    for line in lines[:TITLE_LINES]:
        first = _GOES_ON.split(line.text.strip(), maxsplit=1)
        kind = _named(first[0]) if len(first) > 1 else None
        if kind in ("reminder", "credit_note", "proforma"):
            return f"It calls itself {_known().names[kind]} (“{first[0]}”)."
    return ""


def settled(lines: Sequence[PrintedLine]) -> str:
    """A sentence if it says that nothing is to be paid any more; else empty."""
    found = _known().settled.search(" ".join(flat(line.text) for line in lines[:400]))
    return f"It says that nothing is to be paid (“{found[0]}”)." if found else ""


def _is_reference(title: PaperTitle, lines: Sequence[PrintedLine]) -> bool:
    if title.kind not in QUOTED:
        return False
    heights = [word.box[3] - word.box[1] for line in lines[:TITLE_LINES] for word in line.words]
    return title.height < TALLER * median(heights) and names_its_number(lines)


def names_its_number(lines: Sequence[PrintedLine]) -> bool:
    """Whether something on it is called the number of an invoice."""
    return any(
        label.strength("number") >= 3 and _INVOICE.search(flat(line.text[label.start : label.end]))
        for line in lines[:TITLE_LINES]
        for label in labels_in(line.text)
    )


def names_an_invoice(text: str) -> bool:
    return bool(_INVOICE.search(flat(text)))


def _rank(kind: str) -> int:
    """A credit note is told by its name even beside the word invoice; an order only by its own."""
    return {"proforma": 0, "credit_note": 1, "reminder": 2, "invoice": 3}.get(kind, 4)
