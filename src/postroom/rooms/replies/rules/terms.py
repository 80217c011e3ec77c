"""Words as terms: the surface form beside the stem, the glossary's concept, parts of a compound."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

from postroom.mail.language import LANGUAGES, Language
from postroom.mail.sentences import fold
from postroom.rooms.replies.rules.calendar_terms import calendar_terms, is_day_or_month
from postroom.rooms.replies.rules.stems import stem

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
_ELISION = re.compile(
    r"^(?:l|d|j|qu|n|s|c|m|t|dell|all|nell|sull|un|dall|quest|jusqu|puisqu|lorsqu)['’](?=\w{2})", re.IGNORECASE
)
_INVERSION = re.compile(r"-(?:t-)?(?:il|elle|on|nous|vous|ils|elles|je|tu|ce|là|ci|moi|y|lo|la|me|se)$", re.IGNORECASE)
_ENDINGS: Mapping[Language, tuple[str, ...]] = {
    "sv": ("arna", "orna", "erna", "en", "et", "an", "na", "n", "t"),
    "da": ("erne", "ene", "en", "et", "ne", "n", "t"),
    "de": ("innen", "in", "test", "te", "st", "t"),
    "nl": ("tjes", "tje", "jes", "je", "t"),
    "pl": ("ami", "ach", "owi", "em", "ie", "ów", "om", "y", "i", "u", "a", "ę", "ą", "o", "e"),
}
_PARTICIPLES: Mapping[Language, re.Pattern[str]] = {
    "de": re.compile(
        r"(?P<prefix>an|ab|auf|aus|bei|ein|mit|nach|vor|zu|um|über|weg|zurück|los|her|hin|fest|frei|dar|durch|weiter)?"
        r"(?:ge|(?<=.)zu)(?P<root>\w{3,}?)(?:e?t|en)(?:e[rnsm]?)?$"
    ),
    "nl": re.compile(
        r"(?P<prefix>aan|af|op|uit|in|mee|na|voor|toe|om|over|weg|terug|door|bij|vast)?ge(?P<root>\w{3,}?)(?:[dt]|en)e?$"
    ),
}
_SEPARABLE: Mapping[Language, re.Pattern[str]] = {
    "de": re.compile(r"ab|an|auf|aus|bei|dran|ein|fest|frei|her|hin|los|mit|nach|vor|weg|weiter|zu|zurück"),
    "nl": re.compile(r"aan|af|bij|door|in|mee|na|om|op|over|terug|toe|uit|vast|voor|weg"),
}
_CLAUSE_ENDS = re.compile(r"\s*(?:[,;.:?!)–]|$)|\s+(?:und|oder|en|of)\b")
_COMPOUNDING: frozenset[Language] = frozenset(["de", "nl", "sv", "da"])
_LINKS = ("", "s", "es", "n", "en", "e", "er")
GLOSSARIES = (
    "glossary.toml",
    "glossary_trades.toml",
    "glossary_general.toml",
    "glossary_further.toml",
)
SERVICES = "glossary_services.toml"  # of further trades: a word may mean this too
# These never change what a known word means.
EVERYDAY, SAYINGS, KINDS = "glossary_everyday.toml", "glossary_sayings.toml", "glossary_kinds.toml"
READING = "7"  # raised when the same words become other terms, or a paper other lines
SHORTEST_PART = 3
SHORTEST_COMPOUND = 7
SHORTEST_INFLECTED = 5
SHORTEST_STRANGE_PART = 5  # of a compound, when the glossary does not know it
SURFACE, STEM, CONCEPT, PART = "=", "~", "@", "%"  # of terms; a part stands inside a longer word


@dataclass(frozen=True, slots=True)
class TermToken:
    """A word as written, with its place."""

    text: str
    start: int
    end: int

    @property
    def bare(self) -> str:
        return _INVERSION.sub("", _ELISION.sub("", self.text))


@dataclass(frozen=True, slots=True)
class WordGlossary:
    """One language's words: stems to concepts, and phrases by their first stem."""

    words: Mapping[str, tuple[str, ...]]
    forms: Mapping[str, tuple[str, ...]]  # as they stand on the page
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    parts: Mapping[str, tuple[str, ...]]  # surface forms and stems that a compound may be made of


def tokenised(text: str) -> list[TermToken]:
    return [TermToken(match[0], *match.span()) for match in _WORD.finditer(text)]


@cache
def _pages() -> tuple[Mapping[str, Any], ...]:
    words = resources.files("postroom.rooms.replies").joinpath("words")
    return tuple(tomllib.loads(words.joinpath(name).read_text("utf-8")) for name in GLOSSARIES)


@cache
def reading_version() -> str:
    """By what the terms of a paper are made: with other pages of words they would be others."""
    words = resources.files("postroom.rooms.replies").joinpath("words")
    names = (*GLOSSARIES, SERVICES, EVERYDAY, SAYINGS, KINDS, "small.toml", "calendar.toml", "marks.toml")
    digest = hashlib.sha256(b"\0".join(words.joinpath(name).read_bytes() for name in names))
    return f"{READING}-{digest.hexdigest()[:12]}"


@cache
def _page(name: str) -> Mapping[str, tuple[str, ...]]:
    """A page that is read after the others: a column a language for each concept."""
    words = resources.files("postroom.rooms.replies").joinpath("words", name)
    concepts = tomllib.loads(words.read_text("utf-8"))["concepts"]
    return {name: tuple(line.split("|")) for name, line in concepts.items()}


@cache
def _concepts() -> Mapping[str, tuple[str, ...]]:
    """Each concept with its words, a column a language; what stands on several pages is put together."""
    found: dict[str, tuple[str, ...]] = {}
    for page in _pages():
        for name, line in page["concepts"].items():
            before = found.get(name, ("",) * len(LANGUAGES))
            found[name] = tuple(f"{old} {new}" for old, new in zip(before, line.split("|"), strict=True))
        for name, line in page.get("lists", {}).items():
            for words in zip(*(column.split() for column in line.split("|")), strict=True):
                found[f"{name}_{words[0].partition('/')[0]}"] = tuple(word.replace("/", " ") for word in words)
    return found


@cache
def _general() -> frozenset[str]:
    """Concepts of the third page: its words never change what a word of the pages before it means."""
    before = {name for page in _pages()[:2] for name in page["concepts"]}
    return frozenset(name for name in _concepts() if name not in before) - _further()


@cache
def _further() -> frozenset[str]:
    """Concepts of the last page: a word may mean this too, but not another word of the same stem."""
    return frozenset(_pages()[-1]["concepts"])


@cache
def light_concepts() -> frozenset[str]:
    return frozenset(CONCEPT + name for page in _pages() for name in page["light"]["concepts"])


@cache
def near_concepts() -> Mapping[str, tuple[str, ...]]:
    """Of each concept those that lie near it: who asks about a dog may be answered by a line about animals."""
    words = resources.files("postroom.rooms.replies").joinpath("words/near.toml")
    circles = tomllib.loads(words.read_text("utf-8"))["circles"]
    found: dict[str, list[str]] = {}
    for circle in (line.split() for lines in circles.values() for line in lines):
        for name in circle:
            found.setdefault(name, []).extend(other for other in circle if other != name)
    return _frozen(found)


@cache
def small_words(language: Language) -> frozenset[str]:
    own = tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/small.toml").read_text("utf-8"))
    known = tomllib.loads(resources.files("postroom.mail").joinpath("language.toml").read_text("utf-8"))
    return frozenset(f"{own['words'][language]} {known['words'][language]}".split())


def is_small(word: str, language: Language) -> bool:
    """Also with an ending that only English writes: we'd, isn't. Accents count: `nøgle` is a key, `nogle` are some."""
    small, written = small_words(language), word.lower().replace("’", "'")
    return written in small or (language == "en" and written.partition("'")[0] in small)


@cache
def glossary(language: Language) -> WordGlossary:
    column = LANGUAGES.index(language)
    made = _MadeGlossary(language)
    settled: frozenset[str] = frozenset()
    for concept, line in _concepts().items():
        if not settled and concept in _general():
            settled = frozenset(made.words)
        made.add(concept, line[column], settled if concept in _general() else frozenset(), again=concept in _further())
    for concept, line in _page(SERVICES).items():
        made.add(concept, line[column], frozenset(), again=True)
    for name in (EVERYDAY, SAYINGS, KINDS):
        known = frozenset(made.words)
        for concept, line in _page(name).items():
            made.add(concept, line[column], known)
    return made.frozen()


class _MadeGlossary:
    """One language's words while the pages are read."""

    def __init__(self, language: Language) -> None:
        self.language = language
        self.words: dict[str, list[str]] = {}
        self.forms: dict[str, list[str]] = {}
        self.phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
        self.parts: dict[str, list[str]] = {}

    def add(self, concept: str, entries: str, settled: frozenset[str], *, again: bool = False) -> None:
        """A word that is settled keeps its meaning; `again`, only the same form may mean this too."""
        for entry in entries.split():
            said = [each.bare for each in tokenised(entry.replace("_", " "))]
            stems = tuple(stem(word, self.language) for word in said)
            if len(stems) > 1:
                self.phrases.setdefault(stems[0], []).append((stems, concept))
                continue
            if stems[0] in settled or (again and stems[0] in self.words and fold(said[0]) not in self.forms):
                continue
            self.words.setdefault(stems[0], []).append(concept)
            self.forms.setdefault(fold(said[0]), []).append(concept)
            if self.language in _COMPOUNDING and len(said[0]) >= SHORTEST_PART:
                for form in {fold(said[0]), stems[0]}:
                    self.parts.setdefault(form, []).append(concept)

    def frozen(self) -> WordGlossary:
        together = {first: tuple(found) for first, found in self.phrases.items()}
        return WordGlossary(_frozen(self.words), _frozen(self.forms), together, _frozen(self.parts))


def _frozen(found: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {key: tuple(dict.fromkeys(values)) for key, values in found.items()}


@lru_cache(32768)
def infinitive(word: str, language: Language) -> str | None:
    """`angemeldet` and `anzumelden` are forms of `anmelden`, which the stemmer does not see."""
    pattern = _PARTICIPLES.get(language)
    found = pattern.match(word.lower()) if pattern else None
    return f"{found['prefix'] or ''}{found['root']}en" if found else None


@lru_cache(32768)
def meanings(word: str, language: Language) -> tuple[str, ...]:
    """The concepts of a word; endings that the stemmer leaves on are taken off if nothing else is found."""
    known = glossary(language).words
    if found := glossary(language).forms.get(fold(word)) or known.get(stem(word, language)):
        return found
    if (base := infinitive(word, language)) and (found := known.get(stem(base, language))):
        return found
    lower = word.lower()
    for ending in _ENDINGS.get(language, ()):
        base = lower.removesuffix(ending)
        if (
            base != lower
            and len(base) >= SHORTEST_PART
            and (found := known.get(stem(base, language)) or known.get(fold(base)))
        ):
            return found
    return _inflected(lower) if language == "pl" else ()


@cache
def _polish_beginnings() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for entry, concepts in glossary("pl").forms.items():
        if len(entry) >= SHORTEST_INFLECTED:
            found.setdefault(entry[: max(4, len(entry) - 2)], []).extend(concepts)
    return _frozen(found)


def _inflected(word: str) -> tuple[str, ...]:
    """Seven cases and aspects change the last letters in ways that no stemmer knows: a long beginning is enough."""
    folded = fold(word)
    if len(folded) < SHORTEST_INFLECTED:
        return ()
    known = _polish_beginnings()
    return next(
        (
            known[folded[:size]]
            for size in range(len(folded), max(4, len(folded) - 4) - 1, -1)
            if folded[:size] in known
        ),
        (),
    )


def best_known(text: str, languages: Iterable[Language]) -> Language:
    """In which of these languages most words have a meaning; ties go to the first."""
    words = [token.bare for token in tokenised(text) if not token.text.isdigit()]
    return max(
        languages,
        key=lambda language: sum(is_small(word, language) or bool(meanings(word, language)) for word in words),
    )


@lru_cache(32768)
def compound_parts(word: str, language: Language) -> tuple[str, ...]:
    """`briefkastenschlüssel` is `briefkasten` and `schlüssel`; nothing if it cannot be told for sure."""
    bare = fold(word).replace("-", "")
    if language not in _COMPOUNDING or len(bare) < SHORTEST_COMPOUND:
        return ()
    known = glossary(language).parts
    best: tuple[int, tuple[str, ...]] | None = None
    for cut in range(SHORTEST_PART, len(bare) - SHORTEST_PART + 1):
        head, tail = bare[:cut], bare[cut:]
        right = _known_part(tail, language)
        if right is None:
            continue
        left = next(
            (
                head[: len(head) - len(link)]
                for link in _LINKS
                if head.endswith(link) and head[: len(head) - len(link)] in known
            ),
            None,
        )
        if left is not None and len(left) >= SHORTEST_PART:
            score = min(len(left), len(tail))
            if best is None or score > best[0]:
                best = (score, (left, right))
    if best is None:
        best = _tail_only(bare, language)
    return best[1] if best else ()


def _known_part(tail: str, language: Language) -> str | None:
    known = glossary(language).parts
    forms = [tail, stem(tail, language), *(tail.removesuffix(fold(end)) for end in _ENDINGS.get(language, ()))]
    return next((form for form in forms if form in known and len(form) >= SHORTEST_PART), None)


def _tail_only(bare: str, language: Language) -> tuple[int, tuple[str, ...]] | None:
    """Only the end, or only the beginning, is known: the rest stays a part of its own."""
    known = glossary(language).parts
    for cut in range(SHORTEST_PART + 1, len(bare) - 3):
        tail = bare[cut:]
        right = _known_part(tail, language)
        if right is not None and len(tail) >= 4:
            return 0, (bare[:cut], right)
    for cut in range(len(bare) - 4, 4, -1):
        if bare[:cut] in known:
            return 0, (bare[:cut], bare[cut:])
    return None


@cache
def _english() -> Mapping[str, str]:
    pages = (_concepts(), *(_page(name) for name in (SERVICES, EVERYDAY, SAYINGS, KINDS)))
    column = LANGUAGES.index("en")
    lines = {name: line[column].split() for page in reversed(pages) for name, line in page.items()}
    return {name: words[0].replace("_", " ") for name, words in lines.items() if words}


def english_word(concept: str) -> str:
    """What English says first for a concept."""
    return _english().get(concept, concept.replace("_", " "))


def concepts_of_part(part: str, language: Language) -> tuple[str, ...]:
    return glossary(language).parts.get(part, ())


@cache
def _narrow() -> frozenset[str]:
    """Concepts of single trades: who asks for a season ticket may be answered by a line about tickets."""
    return frozenset(_page(SERVICES)) - frozenset(_concepts())


def is_whole(word: str, language: Language) -> bool:
    """Whether the glossary knows a word so well that it is not taken apart."""
    return any(each not in _narrow() for each in meanings(word, language))


@lru_cache(65536)
def word_terms(word: str, language: Language) -> tuple[str, ...]:
    """Every term of one word."""
    surface, own = fold(word).replace("-", ""), stem(word, language)
    found = [SURFACE + surface, STEM + own, *(CONCEPT + each for each in meanings(word, language))]
    if base := infinitive(word, language):
        found.append(STEM + stem(base, language))
    if "-" in word:
        for piece in word.split("-"):
            if len(piece) > 2:
                found += word_terms(piece, language)
    if is_whole(word, language):
        return tuple(dict.fromkeys(found))  # the glossary knows the whole word
    for part in compound_parts(word, language):
        if known := concepts_of_part(part, language):
            found += [PART + STEM + stem(part, language), *(PART + CONCEPT + each for each in known)]
        elif len(part) >= SHORTEST_STRANGE_PART:
            found.append(PART + STEM + stem(part, language))
    return tuple(dict.fromkeys(found))


def rejoined(text: str, tokens: Sequence[TermToken], language: Language) -> dict[int, str]:
    """Verbs whose first part stands at the end of the clause, by their place: `heben … auf` is `aufheben`."""
    found: dict[int, str] = {}
    start = 0
    for at, token in enumerate(tokens) if language in _SEPARABLE else ():
        if not _CLAUSE_ENDS.match(text, token.end):
            continue
        if _SEPARABLE[language].fullmatch(first := token.text.lower()):
            verbs = ((each, first + tokens[each].bare.lower()) for each in range(start, at))
            if verb := next((each for each in verbs if meanings(each[1], language)), None):
                found[verb[0]] = verb[1]
        start = at + 1
    return found


def phrase_at(stems: Sequence[str], at: int, language: Language) -> tuple[int, str] | None:
    """The longest phrase of the glossary that begins here: how many words, and its concept."""
    best: tuple[int, str] | None = None
    for phrase, concept in glossary(language).phrases.get(stems[at], ()):
        if tuple(stems[at : at + len(phrase)]) == phrase and (best is None or len(phrase) > best[0]):
            best = (len(phrase), concept)
    return best


def terms(text: str, language: Language) -> list[str]:
    """All terms of a text in their order, small words left out; what is indexed and what is searched for."""
    found: list[str] = list(calendar_terms(text))
    tokens = tokenised(text)
    stems = [stem(token.bare, language) for token in tokens]
    for verb in rejoined(text, tokens, language).values():
        found += word_terms(verb, language)
    for at, token in enumerate(tokens):
        if phrase := phrase_at(stems, at, language):
            found.append(CONCEPT + phrase[1])
        if token.text.isdigit() or (not is_small(token.bare, language) and not is_day_or_month(token.bare)):
            found += word_terms(token.bare, language)
    return found
