"""Finding the lexicon's words in a line: labels name a value, topics tell what a document is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from itertools import pairwise
from math import lcm
from typing import Any, NamedTuple

from postroom.reading.page.dates import fold
from postroom.reading.page.lines import PrintedLine

WEIGHTS = {"strong": 3.0, "fair": 2.0, "weak": 1.0}
NUMBER_FIELDS = (
    "quantity", "price", "gross", "net", "fee", "tax", "accrued", "fx", "multiplier", "other", "rate", "holding",
)  # fmt: skip
DATE_FIELDS = ("trade_date", "settlement_date", "order_date", "other_date", "ex_date")
TOPICS = (
    "buy", "sell", "contract", "statement", "dividend", "cash", "transfer", "tax_document", "cost_document",
    "order_document", "redemption", "invoice", "before_tax",
)  # fmt: skip
KINDS = "postroom.reading.kinds"
"""Where each kind of entry keeps the words that are its own: in `words.toml`, by language."""
SHORTEST_IN_SPACED_TEXT = 5
SHORTEST_PART, LONGEST_PART = 3, 16  # letters that tell what a compound is
SHORTEST_COMPOUND = 6
MOST_REMEMBERED = 20_000
SHORTEST_TELLING = 4  # letters of a word that tells the language
_WORD = re.compile(r"[^\W\d_]++(?!\d)")
_GLUED = re.compile(r"[A-Z](?<=[^\W\d_A-Z]{4}[A-Z])(?=[^\W\d_A-Z]{3})")
"""Where two words ran together: `OrderAcquisto`."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})

Meaning = tuple[tuple[str, float], ...]
"""What a phrase stands for: fields or topics with their weights."""


class PhraseHit(NamedTuple):
    """A phrase of the lexicon at its place in a line."""

    phrase: str
    start: int
    end: int
    meaning: Meaning


@dataclass(slots=True)
class Phrases:
    """Phrases by first word, longest first; ends and beginnings of compounds apart."""

    by_first: dict[str, list[tuple[tuple[str, ...], Meaning]]] = field(default_factory=dict)
    ends: dict[str, Meaning] = field(default_factory=dict)
    beginnings: dict[str, Meaning] = field(default_factory=dict)
    closed: dict[str, list[tuple[int, str, Meaning]]] = field(default_factory=dict)
    """Without their blanks, by their first letters, with their rank: the longest come first."""
    forgotten: Set[str] = frozenset()
    """Compounds not to be understood: for measuring how much hangs on them."""
    compounds: Compounds | None = field(init=False)
    """None if a word tells only as a whole, as in most languages."""
    heard: dict[bytes, list[PhraseHit]] = field(default_factory=dict)
    """Forms of lines looked at before: small print comes again, and so do a sender's other lines."""

    def __post_init__(self) -> None:
        self.compounds = Compounds(self) if self.ends or self.beginnings else None


class Compounds(dict[str, Meaning | None]):
    """What a word tells by its end or its beginning, looked up; documents use few words."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases
        self._last_letters = frozenset(end[-SHORTEST_PART:] for end in phrases.ends)
        self._first_letters = frozenset(beginning[:SHORTEST_PART] for beginning in phrases.beginnings)

    def __missing__(self, word: str) -> Meaning | None:
        if len(self) > MOST_REMEMBERED:
            self.clear()
        ended, begun = word[-SHORTEST_PART:] in self._last_letters, word[:SHORTEST_PART] in self._first_letters
        meaning = self[word] = self._looked_up(word) if ended or begun else None
        return meaning

    def _looked_up(self, word: str) -> Meaning | None:
        if len(word) < SHORTEST_COMPOUND or word in self._phrases.forgotten:
            return None
        ends, beginnings = self._phrases.ends, self._phrases.beginnings
        for size in range(min(len(word) - 2, LONGEST_PART), SHORTEST_PART - 1, -1):
            if (meaning := ends.get(word[-size:])) is not None:
                return meaning
            if (meaning := beginnings.get(word[:size])) is not None:
                return meaning
        return None


@dataclass(slots=True)
class Lexicon:
    """The phrases of a set of languages, ready to be looked up."""

    languages: tuple[str, ...]
    labels: Phrases
    topics: Phrases
    units: frozenset[str]
    balances: frozenset[str]
    """Words of a row that tells what is there, not what was moved."""
    included: Phrases
    """What says of a charge that it is part of another amount already."""
    costs: Phrases
    """Titles over what a trade cost, told for information below what was booked."""
    rebates: Phrases
    """What says of a charge that it is given back."""
    asides: Phrases
    """What begins a line that tells an amount for information: nothing was booked by it."""
    sentences: Phrases
    """What a sentence says of its days: done on it, ordered, moved; and what leads to one."""


@cache
def languages() -> tuple[str, ...]:
    folder = resources.files(__package__) / "lexicon"
    return tuple(sorted(name[:-5] for name in (item.name for item in folder.iterdir()) if name.endswith(".toml")))


@cache
def entries(language: str) -> Mapping[str, Any]:
    """All words of a language: what every paper uses, and what each kind adds."""
    text = (resources.files(__package__) / "lexicon" / f"{language}.toml").read_text("utf-8")
    found: dict[str, Any] = tomllib.loads(text)
    for words in _words_of_kinds():
        for section, by_strength in words.get(language, {}).items():
            known = found.setdefault(section, {})
            for strength, phrases in by_strength.items():
                known[strength] = [*known.get(strength, ()), *phrases]
    return found


@cache
def _words_of_kinds() -> tuple[Mapping[str, Any], ...]:
    folders = sorted((item for item in resources.files(KINDS).iterdir() if item.is_dir()), key=lambda item: item.name)
    files = [folder / "words.toml" for folder in folders]
    return tuple(tomllib.loads(file.read_text("utf-8")) for file in files if file.is_file())


@cache
def _topics() -> tuple[str, ...]:
    """What papers are heard for: the topics that all know, and those that kinds add."""
    folders = sorted((item for item in resources.files(KINDS).iterdir() if item.is_dir()), key=lambda item: item.name)
    stated = [tomllib.loads((one / "kind.toml").read_text("utf-8")) for one in folders if (one / "kind.toml").is_file()]
    return tuple(dict.fromkeys((*TOPICS, *(one["topic"] for one in stated))))


@cache
def lexicon(chosen: tuple[str, ...]) -> Lexicon:
    labels = _phrases(chosen, (*NUMBER_FIELDS, *DATE_FIELDS))
    units, balances = (_folded(chosen, name) for name in ("units", "balances"))
    included, costs, rebates, asides = (_plain(chosen, name) for name in ("included", "costs", "rebates", "asides"))
    topics = _phrases(chosen, _topics())
    return Lexicon(chosen, labels, topics, units, balances, included, costs, rebates, asides, _said(chosen))


def _said(chosen: Iterable[str]) -> Phrases:
    """What sentences say of days; a word may both say what was done and lead to a day."""
    meanings: dict[str, dict[str, float]] = {}
    for language in chosen:
        for name, phrases in entries(language)["sentences"].items():
            for phrase in _spellings(phrases):
                meanings.setdefault(phrase, {})[name] = 1.0
    return _arranged(meanings)


@cache
def told_by(chosen: tuple[str, ...], *names: str) -> Phrases:
    """The phrases of some sections alone: for what speaks against a paper, whatever else it is about."""
    return _phrases(chosen, names)


def _plain(chosen: Iterable[str], name: str) -> Phrases:
    """Phrases that say one thing, and say it or not."""
    return _arranged({phrase: {name: 1.0} for language in chosen for phrase in entries(language)[name]})


def _folded(chosen: Iterable[str], name: str) -> frozenset[str]:
    return frozenset(fold(word) for language in chosen for word in entries(language)[name])


def extended(base: Lexicon, aliases: Mapping[str, str]) -> Lexicon:
    """The lexicon with a sender's own labels added (phrase → field)."""
    labels = Phrases({}, dict(base.labels.ends), dict(base.labels.beginnings), base.labels.closed)
    for first, phrases in base.labels.by_first.items():
        labels.by_first[first] = list(phrases)
    for phrase, name in aliases.items():
        words = tuple(spell(phrase))
        if words:
            known = labels.by_first.setdefault(words[0], [])
            known[:] = [(other, meaning) for other, meaning in known if other != words]
            known.append((words, ((name, WEIGHTS["strong"] + 1.5),)))
            known.sort(key=lambda item: -len(item[0]))
    return replace(base, labels=labels)


def without(base: Lexicon, forgotten: Set[str]) -> Lexicon:
    """The lexicon with some phrases unknown: for measuring how much hangs on them."""
    return replace(base, labels=_without(base.labels, forgotten), topics=_without(base.topics, forgotten))


def _without(phrases: Phrases, forgotten: Set[str]) -> Phrases:
    by_first = {
        first: [(words, meaning) for words, meaning in known if " ".join(words) not in forgotten]
        for first, known in phrases.by_first.items()
    }
    return Phrases(by_first, phrases.ends, phrases.beginnings, phrases.closed, forgotten)


def _phrases(chosen: Iterable[str], names: Iterable[str]) -> Phrases:
    meanings: dict[str, dict[str, float]] = {}
    for language in chosen:
        content = entries(language)
        for name in names:
            for strength, phrases in content.get(name, {}).items():
                for phrase in _spellings(phrases):
                    known = meanings.setdefault(phrase, {})
                    known[name] = max(known.get(name, 0.0), WEIGHTS[strength])
    return _arranged(meanings)


def _spellings(phrases: Iterable[str]) -> Iterator[str]:
    for phrase in phrases:
        yield phrase
        written_out = phrase.translate(_UMLAUTS)
        if written_out != phrase:
            yield written_out


def _arranged(meanings: Mapping[str, Mapping[str, float]]) -> Phrases:
    by_first: dict[str, list[tuple[tuple[str, ...], Meaning]]] = {}
    ends: dict[str, Meaning] = {}
    beginnings: dict[str, Meaning] = {}
    closed: list[tuple[str, Meaning]] = []
    for phrase, by_name in meanings.items():
        meaning = tuple(by_name.items())
        words = _words_of(phrase)
        if phrase.startswith("*"):
            ends[words[0]] = meaning
        if phrase.endswith("*"):
            beginnings[words[0]] = meaning
        else:
            by_first.setdefault(words[0], []).append((words, meaning))
            if sum(map(len, words)) >= SHORTEST_IN_SPACED_TEXT:
                closed.append(("".join(words), meaning))
    for phrases in by_first.values():
        phrases.sort(key=lambda item: -len(item[0]))
    closed.sort(key=lambda item: -len(item[0]))
    ranked: dict[str, list[tuple[int, str, Meaning]]] = {}
    for rank, (letters, meaning) in enumerate(closed):
        ranked.setdefault(letters[:SHORTEST_IN_SPACED_TEXT], []).append((rank, letters, meaning))
    return Phrases(by_first, ends, beginnings, ranked)


def spell(phrase: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(phrase)]


@cache
def _words_of(phrase: str) -> tuple[str, ...]:
    """Of a phrase of the lexicon: those of English are in every one."""
    return tuple(spell(phrase))


@dataclass(slots=True)
class SpeltLine:
    """A line's words, folded for comparison, with their places."""

    words: list[str]
    text: str
    closed: bool = False
    _spans: list[tuple[int, int]] | None = None
    _votes: list[tuple[str, int]] | None = None

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where each word stands: lines that tell nothing are not asked."""
        if self._spans is None:
            self._spans = [found.span() for found in _WORD.finditer(self.text)]
        return self._spans

    @property
    def votes(self) -> list[tuple[str, int]]:
        """For which languages its words speak, and how strongly: the same whenever such a line comes again."""
        if self._votes is None:
            found: dict[str, int] = {}
            for shares in filter(None, map(_votes().get, self.words)):
                for language, share in shares:
                    found[language] = found.get(language, 0) + share
            self._votes = list(found.items())
        return self._votes


SPELT: dict[bytes, SpeltLine] = {}
"""Forms of lines spelt before."""


def spelt(line: PrintedLine) -> SpeltLine:
    if line.spaced:
        return _spelt(line)
    known = SPELT.get(line.form)
    if known is None:
        if len(SPELT) > MOST_REMEMBERED:
            SPELT.clear()
        known = SPELT[line.form] = _spelt(line)
    return known


def _spelt(line: PrintedLine) -> SpeltLine:
    if _GLUED.search(line.text):
        return _parted(line)
    return SpeltLine(list(map(fold, _WORD.findall(line.text))), line.text, line.spaced)


def _parted(line: PrintedLine) -> SpeltLine:
    """A line in which two words ran together."""
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    for found in _WORD.finditer(line.text):
        word, start = found.group(), found.start()
        glued = _GLUED.search(word)
        edges = (0, glued.start(), len(word)) if glued else (0, len(word))
        words += (fold(word[first:last]) for first, last in pairwise(edges))
        spans += ((start + first, start + last) for first, last in pairwise(edges))
    return SpeltLine(words, line.text, line.spaced, spans)


def found(line: PrintedLine, words: SpeltLine, phrases: Phrases) -> list[PhraseHit]:
    """The phrases in a line, remembered by its form."""
    if line.spaced:
        return find(words, phrases)
    known = phrases.heard.get(line.form)
    if known is None:
        if len(phrases.heard) > MOST_REMEMBERED:
            phrases.heard.clear()
        known = phrases.heard[line.form] = find(words, phrases)
    return known


def find(line: SpeltLine, phrases: Phrases) -> list[PhraseHit]:
    """The phrases in a line, longest first, none overlapping another."""
    if line.closed:
        return _find_closed(line, phrases)
    words, begun = line.words, phrases.by_first
    compounds = list(map(phrases.compounds.__getitem__, words)) if phrases.compounds is not None else None
    if begun.keys().isdisjoint(words) and not (compounds and any(compounds)):
        return []
    hits: list[PhraseHit] = []
    past = 0
    for index, word in enumerate(words):
        if index < past:
            continue
        length, meaning = _match(line, index, begun[word]) if word in begun else (1, None)
        if meaning is None:
            meaning = compounds[index] if compounds else None
            if meaning is None:
                continue
        past = index + length
        hits.append(PhraseHit(" ".join(words[index:past]), line.spans[index][0], line.spans[past - 1][1], meaning))
    return hits


def _match(
    line: SpeltLine, index: int, phrases: Sequence[tuple[tuple[str, ...], Meaning]]
) -> tuple[int, Meaning | None]:
    second = line.words[index + 1] if index + 1 < len(line.words) else ""
    for words, meaning in phrases:
        length = len(words)
        if length == 1:
            return 1, meaning
        if words[1] != second or (length > 2 and tuple(line.words[index : index + length]) != words):
            continue
        if _together(line, index, length):
            return length, meaning
    return 1, None


def _together(line: SpeltLine, index: int, length: int) -> bool:
    return all(line.spans[at + 1][0] - line.spans[at][1] <= 3 for at in range(index, index + length - 1))


def _find_closed(line: SpeltLine, phrases: Phrases) -> list[PhraseHit]:
    """Phrases in a line whose blanks mean nothing: looked for in its letters alone."""
    letters = ""
    places: list[int] = []
    for word, (start, _) in zip(line.words, line.spans, strict=True):
        places.extend(range(start, start + len(word)))
        letters += word
    likely = [
        (rank, at, phrase, meaning)
        for at in range(len(letters) - SHORTEST_IN_SPACED_TEXT + 1)
        for rank, phrase, meaning in phrases.closed.get(letters[at : at + SHORTEST_IN_SPACED_TEXT], ())
        if letters.startswith(phrase, at)
    ]
    taken = bytearray(len(letters))
    hits: list[PhraseHit] = []
    for _, at, phrase, meaning in sorted(likely):
        end = at + len(phrase)
        if not any(taken[at:end]):
            taken[at:end] = b"\x01" * len(phrase)
            hits.append(PhraseHit(phrase, places[at], places[end - 1] + 1, meaning))
    return sorted(hits, key=lambda hit: hit.start)


@cache
def _votes() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """For every word that tells of a language: which, and how strongly. Shares of one vote, whole numbers all."""
    by_word: dict[str, set[str]] = {}
    for language in languages():
        content = entries(language)
        phrases = [
            phrase for name in (*NUMBER_FIELDS, *DATE_FIELDS, *_topics()) for phrase in _all(content.get(name, {}))
        ]
        vocabulary = {word for phrase in phrases for word in _words_of(phrase) if len(word) >= SHORTEST_TELLING}
        for word in vocabulary | {fold(word) for word in content["markers"]}:
            by_word.setdefault(word, set()).add(language)
    vote = lcm(*range(1, len(languages()) + 1))
    return {
        word: tuple((language, vote // len(known)) for language in sorted(known)) for word, known in by_word.items()
    }


def _all(by_strength: Mapping[str, Iterable[str]]) -> Iterator[str]:
    for phrases in by_strength.values():
        yield from phrases


def detect(lines: Iterable[SpeltLine]) -> tuple[str, ...]:
    """The likely languages of a document, best first; English always among them."""
    votes: dict[str, int] = {}
    for line in lines:
        for language, share in line.votes:
            votes[language] = votes.get(language, 0) + share
    if not votes:
        return languages()
    best = max(votes.values())
    likely = sorted((language for language in votes if 2 * votes[language] >= best), key=lambda name: -votes[name])
    return with_english(likely[:3])


def with_english(chosen: Iterable[str]) -> tuple[str, ...]:
    """Languages as a paper in them is read: English terms travel."""
    return tuple(dict.fromkeys([*chosen, "en"]))
