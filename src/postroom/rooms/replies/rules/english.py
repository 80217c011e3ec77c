"""A text told in English word by word, by the glossary, for an encoder that knows no other language."""

from __future__ import annotations

from functools import lru_cache

from postroom.mail.language import Language
from postroom.rooms.replies.rules.stems import stem
from postroom.rooms.replies.rules.terms import (
    compound_parts,
    concepts_of_part,
    english_word,
    is_small,
    meanings,
    phrase_at,
    rejoined,
    tokenised,
)


@lru_cache(16384)
def in_english(text: str, language: Language) -> str:
    """Small words are left out, as are those of courtesy; a word that no page has stays, for it may be a name."""
    if language == "en":
        return " ".join(text.split())
    tokens = tokenised(text)
    stems = [stem(token.bare, language) for token in tokens]
    verbs = rejoined(text, tokens, language)
    told: list[str] = []
    at = end = 0
    while at < len(tokens):
        told.append(text[end : tokens[at].start])
        if phrase := phrase_at(stems, at, language):
            told.append(english_word(phrase[1]))
            at += phrase[0]
        else:
            told.append(_word(verbs.get(at, tokens[at].bare), language))
            at += 1
        end = tokens[at - 1].end
    return " ".join(" ".join([*told, text[end:]]).split())


@lru_cache(32768)
def _word(word: str, language: Language) -> str:
    if is_small(word, language):
        return ""
    if found := meanings(word, language):
        return english_word(found[0])
    parts = [(part, concepts_of_part(part, language)) for part in compound_parts(word, language)]
    return " ".join(english_word(found[0]) if found else part for part, found in parts) or word
