"""Answers that people sent, as evidence: only what holds for everybody, nothing of the client who asked.

Sentence by sentence, and in doubt without it: no names, no prices, days, numbers or addresses, in figures or words,
nothing that is about one case or about somebody else, was agreed with or done for somebody, or was true on the day it
was written.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from postroom.mail.language import Language
from postroom.mail.sentences import fold, tokens
from postroom.rooms.replies.rules.calendar_terms import is_day_or_month
from postroom.rooms.replies.rules.claims import forbidden, policy_names
from postroom.rooms.replies.rules.holding import is_free
from postroom.rooms.replies.rules.questions import asked
from postroom.rooms.replies.rules.reserved import families_in
from postroom.rooms.replies.rules.sentencing import sentence_texts
from postroom.rooms.replies.rules.stems import stem
from postroom.rooms.replies.rules.terms import is_small, meanings, word_terms
from postroom.rooms.replies.rules.values import find_values, number_words, value_kinds

FEWEST_WORDS = 4  # of a sentence: "Yes, gladly." answers nobody else
MOST_SENTENCES = 8
MOST_QUESTIONS = 3
LONGEST_QUESTION = 240
GENERAL_VALUES = frozenset({"time", "duration", "measure"})  # opening hours are everybody's; amounts and days are not
_CAPITAL = re.compile(r"(?<![^\s(\"'„“«¿¡-])[^\W\d_]*[A-ZÀ-ÖØ-ÞĀŁŚŻŹĆŃÓĘ][\w'’-]*")
_PRICES = frozenset(
    {
        "money",
        "discount",
        "special",
        "refund",
        "waive",
        "half",
        "half_part",
        "free_night",
        "gift_you",
        "cheaper",
        "bill",
        "pay",
    }
)
_SAFE_CAPITALS = frozenset({"i", "wlan", "wifi", "wi-fi", "tv", "pdf", "ok", "faq", "uhr", "sie", "ihnen"})
_GREETING = re.compile(r"^[^\n.?]{1,60}[,!:]\s*\n")
_LEADING = re.compile(r"^[\W_]+")


@dataclass(frozen=True, slots=True)
class HandledAnswer:
    """What is worth keeping of a question and its answer, as a paper; `left_out` counts what is not."""

    text: str
    left_out: int


@cache
def _words(section: str, language: Language) -> frozenset[tuple[str, ...]]:
    raw = tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/handled.toml").read_text("utf-8"))
    return frozenset(tuple(tokens(each.replace("_", " "))) for each in raw[section][language].split())


def _says(sentence: str, section: str, language: Language) -> bool:
    said = tokens(sentence)
    return any(
        said[at : at + len(phrase)] == phrase
        for phrase in _words(section, language)
        if phrase
        for at in range(len(said))
    )


def unknown_names(text: str, language: Language) -> list[str]:
    """Words with a capital that no glossary knows: names, until a paper of the house has them. Also where a sentence
    begins, unless the mail has the word without its capital too."""
    found = (match[0] for sentence in sentence_texts(text, language) for match in _CAPITAL.finditer(sentence))
    written = set(re.findall(r"[\w'’-]+", text))
    return list(
        dict.fromkeys(
            word
            for word in found
            if fold(word) not in _SAFE_CAPITALS
            and word.lower() not in written
            and not is_small(word, language)
            and not is_day_or_month(word)
            and not _is_no_name(word, language)
        )
    )


def _is_no_name(word: str, language: Language) -> bool:
    """A German who does something ("Berger", "Fischer") is called so as well."""
    doer = language == "de" and word.endswith("er") and stem(word, language) != fold(word)
    return bool(meanings(fold(word), language)) and not doer


def keys_of_names(names: Iterable[str], language: Language) -> dict[str, frozenset[str]]:
    """By what each name would be looked up in the papers."""
    return {name: frozenset(word_terms(fold(name), language)) for name in names}


def too_personal(sentence: str, language: Language, names: Collection[str]) -> str | None:
    """Why a sentence is left out, if it is."""
    if len(tokens(sentence)) < FEWEST_WORDS:
        return "It says too little by itself."
    if value_kinds(sentence) - GENERAL_VALUES:
        return "It has an amount, a day, a number or an address."
    if set(tokens(sentence)) & {fold(each) for name in names for each in tokens(name)}:
        return "It has a name."
    if _says(sentence, "personal", language):
        return "It is about one person."
    if _says(sentence, "others", language):
        return "It is about somebody else, or what was agreed with them."
    if _says(sentence, "deeds", language):
        return "It tells what was done for somebody."
    if _says(sentence, "moments", language):
        return "It was true on the day it was written."
    if policy_names(sentence) or forbidden(sentence):
        return "Nobody but a person may say it."
    if is_free(sentence) or families_in(sentence, language) & _PRICES or _has_number_word(sentence):
        return "It has a price or a number in words."
    return None


def _has_number_word(sentence: str) -> bool:
    """Beside those of hours, spans and measures, which hold for everybody."""
    rest = sentence
    for value in reversed(find_values(sentence)):
        rest = f"{rest[: value.start]} {rest[value.end :]}"
    return any(number_words().get(word, 0) > 1 for word in re.findall(r"\w+", rest.lower()))


def handled_answer(
    subject: str, question: str, answer: str, language: Language, names: Collection[str]
) -> HandledAnswer | None:
    """None when nothing is left that answers somebody else."""
    asks = [
        text
        for each in asked(subject, question, language).questions
        if (text := _one_line(each.text)) and too_personal(text, language, names) is None
    ]
    blocks = _GREETING.sub("", answer.strip()).split("\n\n")
    sentences = [_one_line(each) for block in blocks for each in sentence_texts(block, language)]
    told = [each for each in sentences if not each.endswith("?")]
    kept = [each for each in told if too_personal(each, language, names) is None]
    if not asks or not kept:
        return None
    return HandledAnswer(_paper(asks[:MOST_QUESTIONS], kept[:MOST_SENTENCES]), len(sentences) - len(kept))


def _paper(asks: Sequence[str], kept: Sequence[str]) -> str:
    return f"# {' '.join(asks)}\n\n{' '.join(kept)}\n"


def _one_line(text: str) -> str:
    bare = _LEADING.sub("", " ".join(text.split()).replace("#", " ").replace("|", " "))
    return (bare[:1].upper() + bare[1:])[:LONGEST_QUESTION]
