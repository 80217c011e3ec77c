"""Finding the lexicon's words in a line: labels name a value, topics tell what a document is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from postroom.reading.page.dates import FOLDED, fold
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
MOST_REMEMBERED = 20_000
SHORTEST_TELLING = 4  # letters of a word that tells the language
_WORD = re.compile(r"[^\W\d_]++(?!\d)")
_GLUED = re.compile(r"([^\W\d_A-Z]{4})[A-Z](?=[^\W\d_A-Z]{3})")
GLUED = 8  # letters of two words that ran together: `OrderAcquisto`
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
    known: dict[str, Meaning | None] = field(default_factory=dict)
    """Compounds looked up before; documents use few words."""
    last_letters: frozenset[str] = field(init=False)
    first_letters: frozenset[str] = field(init=False)
    """Of those ends and of those beginnings: most words have neither."""
    silent: set[str] = field(default_factory=set)
    """Words looked at before that begin no phrase: most lines hold no others."""
    heard: dict[str, list[PhraseHit]] = field(default_factory=dict)
    """Lines without digits looked at before: small print comes again."""

    def __post_init__(self) -> None:
        self.last_letters = frozenset(end[-SHORTEST_PART:] for end in self.ends)
        self.first_letters = frozenset(beginning[:SHORTEST_PART] for beginning in self.beginnings)


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
    rebates: Phrases
    """What says of a charge that it is given back."""


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
    included, rebates = (_plain(chosen, name) for name in ("included", "rebates"))
    return Lexicon(chosen, labels, _phrases(chosen, _topics()), units, balances, included, rebates)


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
    unknown: dict[str, Meaning | None] = dict.fromkeys(forgotten)
    return Phrases(by_first, phrases.ends, phrases.beginnings, phrases.closed, unknown)


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
    spans: list[tuple[int, int]]
    closed: bool = False
    told: list[tuple[tuple[str, float], ...]] | None = None
    """What its words tell of the language, once that was asked."""


SPELT: dict[str, SpeltLine] = {}
"""Lines without digits spelt before: small print comes again."""


def spelt(line: PrintedLine) -> SpeltLine:
    if line.numbered or line.spaced:
        return _spelt(line)
    known = SPELT.get(line.text)
    if known is None:
        if len(SPELT) > MOST_REMEMBERED:
            SPELT.clear()
        known = SPELT[line.text] = _spelt(line)
    return known


def _spelt(line: PrintedLine) -> SpeltLine:
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    for found in _WORD.finditer(line.text):
        word = found.group()
        if len(word) >= GLUED and not word[1:].islower() and (parted := _GLUED.search(word)):
            at, start, end = parted.end(1), *found.span()
            words += fold(word[:at]), fold(word[at:])
            spans += (start, start + at), (start + at, end)
        else:
            words.append(FOLDED.get(word) or fold(word))
            spans.append(found.span())
    return SpeltLine(words, spans, line.spaced)


def found(line: PrintedLine, words: SpeltLine, phrases: Phrases) -> list[PhraseHit]:
    """The phrases in a line, remembered if it has no digits."""
    if line.numbered or line.spaced:
        return find(words, phrases)
    known = phrases.heard.get(line.text)
    if known is None:
        if len(phrases.heard) > MOST_REMEMBERED:
            phrases.heard.clear()
        known = phrases.heard[line.text] = find(words, phrases)
    return known


def find(line: SpeltLine, phrases: Phrases) -> list[PhraseHit]:
    """The phrases in a line, longest first, none overlapping another."""
    if line.closed:
        return _find_closed(line, phrases)
    hits: list[PhraseHit] = []
    words, silent = line.words, phrases.silent
    if silent.issuperset(words):
        return hits
    past = 0
    for index, word in enumerate(words):
        if index < past or word in silent:
            continue
        length, meaning = _match(line, index, phrases)
        if meaning is None:
            _keep_silent(word, phrases)
            continue
        past = index + length
        hits.append(PhraseHit(" ".join(words[index:past]), line.spans[index][0], line.spans[past - 1][1], meaning))
    return hits


def _keep_silent(word: str, phrases: Phrases) -> None:
    """Of a word that was no phrase here: if it begins none, it never will be."""
    if word not in phrases.by_first:
        if len(phrases.silent) > MOST_REMEMBERED:
            phrases.silent.clear()
        phrases.silent.add(word)


def _match(line: SpeltLine, index: int, phrases: Phrases) -> tuple[int, Meaning | None]:
    word = line.words[index]
    for words, meaning in phrases.by_first.get(word, ()):
        length = len(words)
        if length == 1 or (tuple(line.words[index : index + length]) == words and _together(line, index, length)):
            return length, meaning
    if len(word) > 5:
        return 1, _compound(word, phrases)
    return 1, None


def _together(line: SpeltLine, index: int, length: int) -> bool:
    return all(line.spans[at + 1][0] - line.spans[at][1] <= 3 for at in range(index, index + length - 1))


def _compound(word: str, phrases: Phrases) -> Meaning | None:
    if word in phrases.known:
        return phrases.known[word]
    if len(phrases.known) > MOST_REMEMBERED:
        phrases.known.clear()
    meaning = phrases.known[word] = _looked_up(word, phrases)
    return meaning


def _looked_up(word: str, phrases: Phrases) -> Meaning | None:
    if word[-SHORTEST_PART:] not in phrases.last_letters and word[:SHORTEST_PART] not in phrases.first_letters:
        return None
    for size in range(min(len(word) - 2, LONGEST_PART), SHORTEST_PART - 1, -1):
        if (meaning := phrases.ends.get(word[-size:])) is not None:
            return meaning
        if (meaning := phrases.beginnings.get(word[:size])) is not None:
            return meaning
    return None


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
def _votes() -> Mapping[str, tuple[tuple[str, float], ...]]:
    """For every word that tells of a language: which, and how strongly."""
    by_word: dict[str, set[str]] = {}
    for language in languages():
        content = entries(language)
        phrases = [phrase for name in (*NUMBER_FIELDS, *DATE_FIELDS, *TOPICS) for phrase in _all(content.get(name, {}))]
        vocabulary = {word for phrase in phrases for word in _words_of(phrase) if len(word) >= SHORTEST_TELLING}
        for word in vocabulary | {fold(word) for word in content["markers"]}:
            by_word.setdefault(word, set()).add(language)
    return {word: tuple((language, 1.0 / len(known)) for language in sorted(known)) for word, known in by_word.items()}


def _all(by_strength: Mapping[str, Iterable[str]]) -> Iterator[str]:
    for phrases in by_strength.values():
        yield from phrases


def detect(lines: Iterable[SpeltLine]) -> tuple[str, ...]:
    """The likely languages of a document, best first; English always among them."""
    votes: dict[str, float] = {}
    telling = _votes()
    for line in lines:
        if line.told is None:
            line.told = [telling[word] for word in line.words if word in telling]
        for told in line.told:
            for language, share in told:
                votes[language] = votes.get(language, 0.0) + share
    if not votes:
        return languages()
    best = max(votes.values())
    likely = sorted((language for language in votes if votes[language] >= 0.5 * best), key=lambda name: -votes[name])
    return with_english(likely[:3])


def with_english(chosen: Iterable[str]) -> tuple[str, ...]:
    """Languages as a paper in them is read: English terms travel."""
    return tuple(dict.fromkeys([*chosen, "en"]))
