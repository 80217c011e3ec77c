"""What a sentence is for: a question to know, a question to do, an order, a wish, thanks, something amiss."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cache
from importlib import resources
from itertools import pairwise

from postroom.mail.language import Language
from postroom.mail.sentences import Sentence
from postroom.rooms.triage.rules.concepts import ConceptLexicon, make_lexicon

_US = frozenset({"i", "we"})
_ASKED_ABOUT = frozenset({"who", "what", "when", "where", "how", "why"})
_AMISS = frozenset({"wait", "missing", "wrong", "disappointed", "dirty", "noise", "fail", "rude", "worse", "late"})
_COURTESY = frozenset({"thank", "please", "you", "we", "i", "lovely", "happy", "greetings"})

_CLAUSE_ENDS = re.compile(r"[,;:!–—…]| - ")
_AND: Mapping[Language, frozenset[str]] = {
    "en": frozenset({"and", "so", "then", "please"}),
    "de": frozenset({"und", "also", "dann", "bitte"}),
    "fr": frozenset({"et", "donc", "alors"}),
    "es": frozenset({"y", "entonces", "pues"}),
    "it": frozenset({"e", "quindi", "allora"}),
    "nl": frozenset({"en", "dus", "dan"}),
    "pt": frozenset({"e", "entao"}),
    "pl": frozenset({"i", "wiec", "to"}),
    "sv": frozenset({"och", "sa"}),
    "da": frozenset({"og", "sa"}),
}
_CLITIC = "(?:me|mi|ce|ci|ve|vi|te|ti|se|glie|nos|no|les|le|gli|los|lo|las|la|li|ne)"
# Imperatives by their endings, on folded words; where the ending could be another form, only where a clause begins.
_ORDER_ANYWHERE: Mapping[Language, re.Pattern[str]] = {
    "es": re.compile(rf"\w\w[ae]n{_CLITIC}{{1,2}}$"),  # "ingrésenme", "recójanla"
    "it": re.compile(rf"\w\w[aei]te{_CLITIC}{{1,2}}$"),  # "toglieteci", "rimandatemelo"
}
_ORDER_WITH_HYPHEN = re.compile(r"\b\w+(?<!r)(?<!v)[ae]m-(?:me|n?[oa]s?|lhes?)\b")  # "guardem-no", but not "deram-me"
_ORDER_FIRST: Mapping[Language, re.Pattern[str]] = {
    "fr": re.compile(r"(?!avez|savez|assez|allez|pouvez|voulez|devez|etiez)\w{2,}ez$"),
    "it": re.compile(r"(?!avete|siete|potete|volete|dovete|sapete|estate|state|sete|quest)\w{2,}[aei]te$"),
    "pl": re.compile(r"(?!wreszcie|jestescie)\w{2,}[cjzbnlrwdmkgp]cie$"),
}
_NO_ORDERS = frozenset(  # "sollten Sie", "haben Sie": conditions and questions
    {"sollten", "haben", "sind", "hatten", "konnten", "konnen", "werden", "wurden", "waren", "wollen", "mochten"}
    | {"mussen", "durfen", "wissen", "wenn"}
)


def kinds_of(sentence: Sentence, rows: Set[str], languages: tuple[Language, ...]) -> frozenset[str]:
    """By its mood, its phrases, and the rows of its words."""
    hits = _talk(languages).hits(sentence)
    told = {at for hit in hits if hit.concept == "tell" for at in range(hit.first, hit.last + 1)}
    phrases = {hit.concept for hit in hits if hit.concept != "order"}
    orders = {hit.first for hit in hits if hit.concept == "order" and _begins_clause(sentence, hit.first, languages)}
    if "?" in sentence.text:
        return frozenset(_of_question(rows, phrases | ({"order"} if orders - told else set())))
    orders.update(_orders_by_ending(sentence, languages))
    return frozenset(_of_statement(rows, phrases | ({"order"} if orders - told else set()), sentence.text))


def _of_question(rows: Set[str], phrases: Set[str]) -> Iterator[str]:
    asked_about = bool(rows & _ASKED_ABOUT)
    tell = "tell" in phrases
    does = not tell and (bool(phrases & {"you_do", "order"}) or "please" in rows)
    if does:
        yield "question_to_do"
    if tell or asked_about or not does:
        yield "question_to_know"
    if not does and not tell and ("may" in phrases or ("can" in rows and rows & _US and not asked_about)):
        yield "question_whether_we_may"
    if "how_come" in phrases:
        yield "protests"
    if rows & _AMISS:
        yield "asks_amiss"


def _of_statement(rows: Set[str], phrases: Set[str], text: str) -> Iterator[str]:
    only_thanks = "thank" in rows and not rows - _COURTESY  # some languages thank and beg with one word
    wonders = "tell" in phrases or bool("know" in rows and rows & (_ASKED_ABOUT | {"whether"}))
    if wonders:
        yield "wonders"
    if "please" in rows and not only_thanks and ("order" in phrases or not wonders):
        yield "asks"
    if "order" in phrases and not only_thanks:
        yield "orders"
    if rows & {"would", "need"} and rows & _US:
        yield "wants"
    if only_thanks:
        yield "only_thanks"
    elif rows & {"thank", "lovely"}:
        yield "thanks"
    if "attached" in rows:
        yield "attaches"
    if "not" in rows:
        yield "denies"
    if "!" in text:
        yield "exclaims"
    if rows & _AMISS or {"still", "not"} <= rows:  # "still" alone may be "one more"
        yield "amiss"
    yield from (kind for phrase, kind in _BY_PHRASE.items() if phrase in phrases)


_BY_PHRASE = {"present": "presents", "nothing": "wants_nothing", "well": "wishes_well", "how_come": "protests"}
_STEPS = (  # what a sentence mainly is for the course of a mail, the first that applies
    ("do", frozenset({"question_to_do", "asks", "orders"})),
    ("know", frozenset({"question_to_know", "wonders"})),
    ("wish", frozenset({"wants"})),
    ("amiss", frozenset({"amiss", "protests"})),
    ("presents", frozenset({"presents"})),
    ("thanks", frozenset({"only_thanks", "thanks", "wishes_well"})),
    ("nothing", frozenset({"wants_nothing", "attaches"})),
    ("denies", frozenset({"denies"})),
)
_ASKING = frozenset({"know", "do", "wish"})
_LONGEST_COURSE = 4


def course_of(kinds: Sequence[Set[str]]) -> Iterator[str]:
    """In which order they come: trouble and then a wish is a complaint, and the last that asks says what is wanted."""
    steps = [next((step for step, those in _STEPS if each & those), "tells") for each in kinds]
    asking = [step for step in steps if step in _ASKING]
    yield f"ask:{asking[-1] if asking else 'none'}"
    yield f"asks:{'+'.join(sorted(set(asking)))}"
    changes = [step for at, step in enumerate(steps) if at == 0 or steps[at - 1] != step]
    yield from {f"{one}>{other}" for one, other in pairwise(changes)}
    if asking:
        before = steps[: len(steps) - 1 - steps[::-1].index(asking[-1])]
        yield from {f"{step}..{asking[-1]}" for step in before}
    if len(changes) <= _LONGEST_COURSE:
        yield ">".join(changes)


def _begins_clause(sentence: Sentence, at: int, languages: tuple[Language, ...]) -> bool:
    if at == 0 or any(sentence.tokens[at - 1] in _AND[language] for language in languages):
        return True
    return bool(_CLAUSE_ENDS.search(sentence.text[sentence.spans[at - 1][1] : sentence.spans[at][0]]))


def _orders_by_ending(sentence: Sentence, languages: tuple[Language, ...]) -> Iterator[int]:
    words = sentence.tokens
    for at, word in enumerate(words):
        alone = any(language in _ORDER_ANYWHERE and _ORDER_ANYWHERE[language].search(word) for language in languages)
        if alone or (_may_order(words, at, languages) and _begins_clause(sentence, at, languages)):
            yield at
    if "pt" in languages and (found := _ORDER_WITH_HYPHEN.search(sentence.text)):
        yield next(at for at, span in enumerate(sentence.spans) if span[1] > found.start())


def _may_order(words: Sequence[str], at: int, languages: tuple[Language, ...]) -> bool:
    word, following = words[at], words[at + 1] if at + 1 < len(words) else ""
    if any(language in _ORDER_FIRST and _ORDER_FIRST[language].match(word) for language in languages):
        return following != "vous"
    return "de" in languages and following == "sie" and word.endswith("n") and word not in _NO_ORDERS


@cache
def _talk(languages: tuple[Language, ...]) -> ConceptLexicon:
    merged: dict[str, list[str]] = defaultdict(list)
    for language in languages:
        for name, phrases in phrases_by_language()[language].items():
            merged[name] += [phrase for phrase in phrases if phrase not in merged[name]]
    return make_lexicon(merged)


@cache
def phrases_by_language() -> Mapping[str, Mapping[str, Sequence[str]]]:
    return tomllib.loads(resources.files("postroom.rooms.triage").joinpath("lexicon/talk.toml").read_text("utf-8"))
