"""Labels no lexicon lists, understood by what they are made of: a head such as `…kurs`, and words that say whose."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cache

from postroom.reading.labels.words import DATE_FIELDS, MOST_REMEMBERED, Meaning, PhraseHit, SpeltLine, entries
from postroom.reading.page.dates import fold
from postroom.reading.page.lines import PrintedLine

HEADS = ("count", "price", "sum", "date", "fee", "tax", "id")
MARKS = (
    "trade", "settle", "order", "issue", "net", "gross", "exchange", "other", "each", "moved", "account", "base",
)  # fmt: skip
HEAD_FIRST = frozenset(("fr", "it", "es", "pt", "pl"))
"""Languages that say the head before what belongs to it."""
COMPOUNDING = frozenset(("de", "nl", "da", "sv"))
"""Languages that write such nouns as one word: beside each other they are two labels."""
CLEAR = 2.2
LIKELY = 1.6
FAINT = 1.0
OUTWEIGHED = 2.0  # a phrase of the lexicon no louder than this yields to a longer label made of roots
OUTSPOKEN = 3.0
LONGEST = 14  # words of a line without digits; longer ones are sentences
SHORTEST_INSIDE = 4  # letters of a root that may stand in the middle of a compound
SHORTEST_BEGUN, SHORTEST_END = 2, 3  # letters of a root that begins or ends one
_PARTS_LABELS = re.compile(r"[:;|\d]|  ")
_DATE_BEHIND = re.compile(r"[ :.]{0,4}(?:\d{1,2}[./-]\d{1,2}[./-]\d|\d{4}[./-]\d\d?[./-]\d|\d{1,2}\.? [^\W\d_]{3,})")
_VALUE_BEHIND = re.compile(r"[ :.]{0,4}(?:[A-Z]{3} )?[-+€$£]? ?\d")
_DATED = frozenset(DATE_FIELDS)
INFLECTED = ("e", "er", "es", "en", "em", "s", "t", "d")
DONE = ("ed", "able", "due", "sold", "bought", "dealt", "paid", "drawn")
DONE_IN_COMPOUNDING = ("t",)
"""How words end that may stand behind their noun: `Amount debited`, `Betrag belastet`."""


NamedRoot = tuple[str, list[str]]
"""A root, and what it is a root of."""


@dataclass(frozen=True, slots=True)
class WordPart:
    """What a word contributes to a label."""

    head: str | None = None
    marks: frozenset[str] = frozenset()
    links: bool = False


@dataclass(slots=True)
class LabelRoots:
    """The roots of some languages."""

    head_first: bool
    compounds: bool
    exact: dict[str, list[str]] = field(default_factory=dict)
    begins: dict[str, list[str]] = field(default_factory=dict)
    ends: dict[str, list[str]] = field(default_factory=dict)
    links: frozenset[str] = frozenset()
    part: Callable[[str], WordPart | None] = field(init=False)
    """What a word is made of, looked up; None, as of most, if it tells nothing."""
    heard: dict[bytes, tuple[list[PhraseHit], list[PhraseHit]]] = field(default_factory=dict)
    """By the form of a line: what the lexicon said, and what was made of it."""
    forgotten: Set[str] = frozenset()
    """Labels not to be understood: for measuring how much hangs on them."""
    by_last_letters: dict[str, list[NamedRoot]] = field(default_factory=dict)
    by_first_letters: dict[str, list[NamedRoot]] = field(default_factory=dict)
    inside: dict[str, list[NamedRoot]] = field(default_factory=dict)
    """Roots that end, that begin, and that may stand inside a word, longest first: most words have none."""

    def __post_init__(self) -> None:
        self.part = WordParts(self).__getitem__

    def numbers(self, phrase: str) -> bool:
        """Whether a phrase is about an account or a reference."""
        part = self.part(phrase.rpartition(" ")[2])
        return part is not None and (part.head == "id" or "account" in part.marks)

    def modifies(self, text: str, words: SpeltLine, place: int) -> bool:
        """Whether a word belongs to the head behind it rather than to a column of its own."""
        if not self.compounds:
            return True
        word = words.words[place]
        if word in self.links:
            return True
        end = words.spans[place][1]
        hyphen = text.startswith(("-", ".-"), end)
        return hyphen or (word.endswith(INFLECTED) and word not in self.begins)

    def follows(self, word: str) -> bool:
        """Whether a word may say more of the noun before it."""
        return self.head_first or word.endswith(DONE_IN_COMPOUNDING if self.compounds else DONE)

    def used(self, word: str) -> Iterator[str]:
        """Which roots tell of a word, with their asterisks: for measuring how much hangs on them."""
        if word in self.exact:
            yield word
        yield from (f"*{word[at:]}" for at in range(len(word)) if word[at:] in self.ends)
        for start in range(len(word)):
            yield from (
                f"{word[start:end]}*" for end in range(start + 1, len(word) + 1) if word[start:end] in self.begins
            )

    def taken_apart(self, word: str) -> WordPart | None:
        if word in self.links:
            return WordPart(links=True)
        ending, beginning = word[-SHORTEST_END:], word[:SHORTEST_BEGUN]
        if not (ending in self.by_last_letters or beginning in self.by_first_letters or word in self.exact):
            return None
        head, rest = self._head(word)
        marks = {name for name in self.exact.get(word, ()) if name in MARKS}
        for root, names in self.by_last_letters.get(ending, ()):
            if len(root) > SHORTEST_END and word.endswith(root):
                marks.update(name for name in names if name in MARKS)
        marks |= set(self._marks(rest, inside=head is not None))
        return WordPart(head, frozenset(marks)) if head or marks else None

    def _head(self, word: str) -> tuple[str | None, str]:
        """The head, and what stands before it in the word."""
        for name in self.exact.get(word, ()):
            if name in HEADS:
                return name, ""
        ended = _first_head(self.by_last_letters.get(word[-SHORTEST_END:], ()), word.endswith)
        begun = _first_head(self.by_first_letters.get(word[:SHORTEST_BEGUN], ()), word.startswith)
        if ended is not None and (begun is None or len(ended[0]) >= len(begun[0])):
            return ended[1], word[: -len(ended[0])]
        return (begun[1], "") if begun is not None and len(begun[0]) >= SHORTEST_END else (None, word)

    def _marks(self, rest: str, *, inside: bool) -> Iterator[str]:
        starts = range(max(len(rest) - SHORTEST_INSIDE + 1, 1)) if inside else (0,)
        for start in starts:
            shelf, letters = (self.inside, SHORTEST_INSIDE) if start else (self.by_first_letters, SHORTEST_BEGUN)
            for root, names in shelf.get(rest[start : start + letters], ()):
                if rest.startswith(root, start):
                    yield from (name for name in names if name in MARKS)


def _first_head(roots: Iterable[NamedRoot], fits: Callable[[str], bool]) -> tuple[str, str] | None:
    """The longest root that fits and is a head, with its name."""
    for root, names in roots:
        if fits(root):
            for name in names:
                if name in HEADS:
                    return root, name
    return None


class WordParts(dict[str, WordPart | None]):
    """What words were found to be made of; documents use few."""

    def __init__(self, roots: LabelRoots) -> None:
        self._roots = roots

    def __missing__(self, word: str) -> WordPart | None:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        part = self[word] = self._roots.taken_apart(word)
        return part


@cache
def roots(languages: tuple[str, ...], unknown: frozenset[str] = frozenset()) -> LabelRoots:
    """The roots of these languages but those in `unknown`, folded, with their asterisks."""
    made = LabelRoots(languages[0] in HEAD_FIRST, languages[0] in COMPOUNDING)
    links: set[str] = set()
    for language in languages:
        table: Mapping[str, Iterable[str]] = entries(language).get("roots", {})
        links |= {fold(word) for word in table.get("link", ())}
        for name in (*HEADS, *MARKS):
            for root in table.get(name, ()):
                if fold(root) in unknown:
                    continue
                shelf = made.ends if root.startswith("*") else made.begins if root.endswith("*") else made.exact
                names = shelf.setdefault(fold(root.strip("*")), [])
                if name not in names:
                    names.append(name)
    made.links = frozenset(links)
    for root, names in sorted(made.ends.items(), key=lambda item: -len(item[0])):
        if len(root) >= SHORTEST_END:
            made.by_last_letters.setdefault(root[-SHORTEST_END:], []).append((root, names))
    for root, names in sorted(made.begins.items(), key=lambda item: -len(item[0])):
        if len(root) >= SHORTEST_BEGUN:
            made.by_first_letters.setdefault(root[:SHORTEST_BEGUN], []).append((root, names))
        if len(root) >= SHORTEST_INSIDE:
            made.inside.setdefault(root[:SHORTEST_INSIDE], []).append((root, names))
    return made


def completed(line: PrintedLine, words: SpeltLine, hits: list[PhraseHit], known: LabelRoots) -> list[PhraseHit]:
    """A line's labels: those of the lexicon, and those that roots tell where it is silent or vague."""
    if line.spaced or (not line.numbered and len(words.words) > LONGEST):
        return hits
    remembered = known.heard.get(line.form)
    if remembered is None or remembered[0] is not hits:  # a sender's own lexicon says something else
        if len(known.heard) > MOST_REMEMBERED:
            known.heard.clear()
        remembered = known.heard[line.form] = (hits, _completed(line, words, hits, known))
    return remembered[1]


def _completed(line: PrintedLine, words: SpeltLine, hits: list[PhraseHit], known: LabelRoots) -> list[PhraseHit]:
    parts = list(map(known.part, words.words))
    if not any(parts) or not any(part is not None and not part.links for part in parts):
        return hits
    runs = _runs(line.text, words, parts)
    made = [hit for run in runs for hit in _labels(line, words, parts, run, known) if hit.phrase not in known.forgotten]
    if not made:
        return hits
    kept = list(hits)
    for hit in made:
        _fit_in(kept, hit)
    return sorted(kept, key=lambda hit: hit.start)


def _fit_in(kept: list[PhraseHit], made: PhraseHit) -> None:
    """Adds a label where the lexicon says nothing of its kind; takes in what it says only faintly."""
    over = [hit for hit in kept if hit.start < made.end and made.start < hit.end]
    if any(_longer(hit, made) for hit in over):
        return
    firm = {name in _DATED for hit in over for name, weight in hit.meaning if weight > _bearable(hit, made)}
    meaning = {name: weight for name, weight in made.meaning if (name in _DATED) not in firm}
    if not meaning:
        return
    taken = {name in _DATED for name in meaning}
    for hit in over:
        kept.remove(hit)
        left = tuple(item for item in hit.meaning if (item[0] in _DATED) not in taken)
        if left:
            kept.append(PhraseHit(hit.phrase, hit.start, hit.end, left))
        meaning |= {name: weight for name, weight in hit.meaning if weight > meaning.get(name, weight)}
    kept.append(PhraseHit(made.phrase, made.start, made.end, tuple(meaning.items())))


def _bearable(hit: PhraseHit, made: PhraseHit) -> float:
    """How loud a known phrase may be inside a longer label that roots tell: of a single word they say more."""
    if not _longer(made, hit):
        return FAINT
    if max(weight for _, weight in made.meaning) <= FAINT:
        return 0.0
    return OUTSPOKEN if " " not in hit.phrase else OUTWEIGHED


def _longer(made: PhraseHit, known: PhraseHit) -> bool:
    return made.end - made.start > known.end - known.start


def _runs(text: str, words: SpeltLine, parts: Sequence[WordPart | None]) -> Iterator[range]:
    """Words that may be one label or several beside each other: no value, colon or column parts them."""
    start, telling = 0, False
    last = len(parts) - 1
    for place, part in enumerate(parts):
        telling = telling or (part is not None and not part.links)
        if place == last or not _beside(text, words.spans[place][1], words.spans[place + 1][0]):
            if telling:
                yield range(start, place + 1)
            start, telling = place + 1, False


def _beside(text: str, end: int, start: int) -> bool:
    if start - end == 1:
        return text[end] not in ":;|"
    return not _PARTS_LABELS.search(text, end, start)


def _labels(
    line: PrintedLine, words: SpeltLine, parts: Sequence[WordPart | None], run: range, known: LabelRoots
) -> Iterator[PhraseHit]:
    place, begun = run.start, run.start
    marks: frozenset[str] = frozenset()
    while place < run.stop:
        part = parts[place]
        if part is None or (part.links and not marks):
            yield from _bare(line, words, range(begun, place), run, marks)
            place, begun, marks = place + 1, place + 1, frozenset()
        elif part.head is not None:
            last, more = _belonging(words, parts, range(place, run.stop), known)
            begun = begun if known.modifies(line.text, words, place - 1) else place
            marks = (marks - {"each"} if begun < place else frozenset()) | part.marks | more
            yield from _hit(words, begun, last, _of_head(part.head, marks))
            place, begun, marks = last + 1, last + 1, frozenset()
        else:
            marks |= part.marks
            place += 1
    yield from _bare(line, words, range(begun, run.stop), run, marks)


def _bare(line: PrintedLine, words: SpeltLine, own: range, cell: range, marks: frozenset[str]) -> Iterator[PhraseHit]:
    """A label without a head counts right before its value, or in a column of its own."""
    if not marks - {"account"} or not own:
        return
    meaning = _of_marks(marks)
    if line.numbered:
        end = words.spans[own[-1]][1]
        dated = bool(_DATE_BEHIND.match(line.text, end))
        valued = dated or _VALUE_BEHIND.match(line.text, end)
        meaning = tuple(item for item in meaning if valued and (item[0] in _DATED) is dated)
    if line.numbered or (own == cell and "  " in line.text):
        yield from _hit(words, own[0], own[-1], meaning)


def _belonging(
    words: SpeltLine, parts: Sequence[WordPart | None], rest: range, known: LabelRoots
) -> tuple[int, frozenset[str]]:
    """How far a label goes on behind its head, and what that adds: `date of the deal`, `montant net`."""
    last, marks, linked = rest.start, frozenset[str](), False
    for place in rest[1:]:
        part = parts[place]
        if part is None:
            break
        if part.links:
            linked = True
            continue
        if not linked and (part.head is not None or not known.follows(words.words[place])):
            break
        marks |= part.marks
        last, linked = place, False
        if part.head is not None:
            break
    return last, marks


def _hit(words: SpeltLine, first: int, last: int, meaning: Meaning) -> Iterator[PhraseHit]:
    if meaning:
        phrase = " ".join(words.words[first : last + 1])
        yield PhraseHit(phrase, words.spans[first][0], words.spans[last][1], meaning)


def _of_head(head: str, marks: frozenset[str]) -> Meaning:
    match head:
        case "date":
            return _of_date(marks)
        case "count" if "moved" in marks:
            return (("net", CLEAR),)
        case "price" if "exchange" in marks:
            return (("fx", CLEAR),)
        case "price" | "count" | "fee" if "other" in marks:
            return (("other", CLEAR),)
        case "tax" | "sum" if "base" in marks:
            return (("other", CLEAR),)
        case "sum":
            return _of_sum(marks)
        case _:
            return ((NAMES[head], CLEAR),)


NAMES = {"price": "price", "count": "quantity", "fee": "fee", "tax": "tax", "id": "other"}


def _of_date(marks: frozenset[str]) -> Meaning:
    if "settle" in marks:
        return (("settlement_date", CLEAR),)
    if "issue" in marks or "other" in marks:
        return (("other_date", CLEAR),)
    if "order" in marks and "trade" not in marks:
        return (("order_date", CLEAR),)
    return (("trade_date", CLEAR if "trade" in marks else FAINT),)


def _of_sum(marks: frozenset[str]) -> Meaning:
    if "other" in marks:
        return (("other", CLEAR),)
    if "each" in marks and not marks & {"net", "moved"}:
        return (("price", CLEAR),)
    if marks & {"net", "moved", "account"}:
        return (("net", CLEAR),) if "gross" not in marks else (("net", LIKELY), ("gross", LIKELY))
    if "gross" in marks:
        return (("gross", CLEAR),)
    return (("gross", FAINT), ("net", FAINT))


def _of_marks(marks: frozenset[str]) -> Meaning:
    """A label without a head: `Ausgeführt am`, `Wir belasten`."""
    if "moved" in marks:
        return (("net", LIKELY), ("settlement_date", FAINT))
    if "settle" in marks:
        return (("settlement_date", LIKELY),)
    if "order" in marks and "trade" not in marks:
        return (("order_date", LIKELY),)
    if "issue" in marks:
        return (("other_date", LIKELY),)
    return (("trade_date", LIKELY),) if "trade" in marks else ()
