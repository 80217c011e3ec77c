"""Which security: its ISIN, and its name as printed near it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from postroom.reading.labels.labelled import LabelledText
from postroom.reading.labels.words import PhraseHit
from postroom.reading.page.dates import fold
from postroom.reading.page.locale import CODES
from postroom.reading.page.tokens import Token, TokenKind, checks

_NOISE = re.compile(
    r"\b(?:isin|wkn|valor|sedol|symbol|ticker|titel|wertpapier(?:bezeichnung)?|security|instrument|valeur|titolo)\b"
    r"|\([A-Z0-9]{6}\)|[:/|]|\b(?=[A-Z]*\d)[A-Z0-9]{6}\b(?=\s*$)",
    re.IGNORECASE,
)
_TICKER = re.compile(r"(?:symbol|ticker|stock code|citicode)\s*:?\s*([A-Z][A-Z0-9.]{0,9})\b", re.IGNORECASE)
_CODE = re.compile(
    r"\b(?:wkn|valor(?:en-?nr|ennummer)?|sedol|cusip|wertpapier-?kenn-?(?:nummer|nr)|symbol|ticker|security code|nkn)"
    r"\b[^A-Z0-9]{0,6}([A-Z0-9]{4,12})\b",
    re.IGNORECASE,
)
_PLAIN_CODE = re.compile(r"(?<![\w.,/-])(?=[A-Z0-9]*\d)(?:[A-Z0-9]{6}|[A-Z0-9]{7}|\d{8,9})(?![\w.,/-])")
_BRACKETED = re.compile(r"[^\W\d_]{3,} \(([A-Z][A-Z0-9]{1,5})\)")
_WORDS = re.compile(r"\S+")
NO_NAMES = frozenset((
    "code", "unterdepot", "unterkonto", "etf-name", "name", "bezeichnung", "handelsplatz", "borsenplatz", "wp-kenn-nr",
    "wahrung", "stock", "currency", "devise", "divisa", "demande", "codice", "codigo", "kod", "nome", "nombre",
    "descrizione", "descripcion", "denominazione", "denominacion", "designation", "libelle", "titolo", "strumento",
    "gattung", "gattungsbezeichnung", "titulo", "designacao", "naam", "waardepapier", "effect", "nazwa", "walor",
    "namn", "vardepapper", "navn", "vardipapir",
))  # fmt: skip
COMPANY_FORMS = frozenset((
    "ag", "se", "sa", "spa", "s.p.a", "nv", "plc", "inc", "corp", "corporation", "ltd", "limited", "group", "holding",
    "company", "co", "ab", "asa", "oyj", "kgaa", "etf", "ucits", "fund", "fonds", "fondo", "registered", "shares",
    "aktien", "anleihe", "bond", "notes", "zertifikat",
))  # fmt: skip
_ELSEWHERE = re.compile(  # exchanges and streets
    r"^(?:exchange|borse|borsenplatz|bourse|borsa|bolsa|beurs|xetra|tradegate|nyse|mta|euronext)$"
    r"|str(?:asse|aat)$|^(?:street|strasse|rue|via|viale|piazza|corso|road|avenue|platz|postfach|boulevard|calle)$"
)
TICKER_WORDS = frozenset(("symbol", "ticker", "stock", "citicode"))
CODE_WORDS = TICKER_WORDS | {
    "wkn", "valor", "valoren", "valorennummer", "sedol", "cusip", "wertpapier", "wertpapierkennnummer", "security",
    "nkn", "kennnummer", "wertpapierkennummer", "kennummer",
}  # fmt: skip
_LETTER = re.compile(r"[^\W\d_]{2}")


def choose(reading: LabelledText, tokens: Sequence[Token], near: int | None) -> tuple[Token | None, int]:
    """The ISIN most likely meant, and how many different valid ones there are."""
    found = [token for token in tokens if token.kind is TokenKind.ISIN]
    valid = [token for token in found if checks(token.text)]
    pool = valid or found
    if not pool:
        return None, 0
    labelled = [token for token in pool if said_to_be_isin(reading, token)]
    if len({token.text for token in labelled}) == 1:
        return labelled[0], len({token.text for token in pool})
    counts = Counter(token.text for token in pool)
    if len(counts) == 1 or near is None:
        return pool[0], len(counts)
    return min(pool, key=lambda token: (abs(token.line - near) - 3 * counts[token.text], token.line)), len(counts)


def said_to_be_isin(reading: LabelledText, token: Token) -> bool:
    before = reading.text.lines[token.line].text[max(token.start - 14, 0) : token.start]
    return "isin" in before.casefold()


class PlacedText(NamedTuple):
    """A security's name, and where in its line it stands."""

    text: str
    line: int
    start: int
    end: int


def name(reading: LabelledText, isin: Token | None) -> PlacedText | None:
    """The text beside the ISIN, or on the line before or after it."""
    if isin is None:
        return None
    lines = reading.text.lines
    for index in (isin.line, isin.line - 1, isin.line + 1, isin.line - 2):
        if 0 <= index < len(lines):
            named = _bare(reading, index)
            if named is not None and names_a_security(named.text):
                return named._replace(text=named.text[:120])
    return None


def names_a_security(text: str) -> bool:
    """Not where it was traded, not the head of a column, not an address: a wrong name is worse than none."""
    words = [fold(word.strip(".,:;()")) for word in text.split()]
    if len(text) < 4 or "@" in text or not _LETTER.search(text) or all(word in NO_NAMES for word in words):
        return False
    issued = not COMPANY_FORMS.isdisjoint(words)
    return issued or not any(_ELSEWHERE.search(word) for word in words)


def _bare(reading: LabelledText, index: int) -> PlacedText | None:
    """A line's words without its values, and without the labels and units at either end."""
    line = reading.text.lines[index]
    text = line.text
    for token in reversed(line.tokens):
        text = text[: token.start] + " " * (token.end - token.start) + text[token.end :]
    hits = (*reading.labels[index], *reading.topics[index])
    text = _NOISE.sub(lambda found: " " * len(found.group()), text)
    words = list(_WORDS.finditer(text))
    said = [_is_label(reading, word, hits) for word in words]
    while said and said[0]:
        del words[0], said[0]
    while said and said[-1]:
        del words[-1], said[-1]
    if not words:
        return None
    start, end = words[0].start(), words[-1].end()
    return PlacedText(" ".join(text[start:end].split()).strip(" ,;.:-()/|"), index, start, end)


def _is_label(reading: LabelledText, word: re.Match[str], hits: Sequence[PhraseHit]) -> bool:
    bare = fold(word.group().strip(".,:;()"))
    inside = any(hit.start <= word.start() and word.end() <= hit.end + 2 for hit in hits)
    return inside or bare in reading.lexicon.units or bare in NO_NAMES or not any(map(str.isalpha, bare))


def ticker(reading: LabelledText, lines: Sequence[int]) -> PlacedText | None:
    for index in lines:
        if TICKER_WORDS.isdisjoint(reading.spelt[index].words):
            continue
        found = _TICKER.search(reading.text.lines[index].text)
        if found:
            return PlacedText(found.group(1).split(".")[0].upper(), index, *found.span(1))
    return None


def symbol(reading: LabelledText, near: int) -> PlacedText | None:
    """A symbol in brackets behind the name, beside the quantity: `Ethereum (ETH)`."""
    for index in (near, near - 1, near + 1):
        if 0 <= index < len(reading.text.lines):
            found = _BRACKETED.search(reading.text.lines[index].text)
            if found and found[1] not in CODES:
                return PlacedText(found[1], index, *found.span(1))
    return None


def is_numbered(reading: LabelledText, lines: Sequence[int]) -> bool:
    """Whether another number than an ISIN says which security it is: beside its label or below."""
    for index in lines:
        if CODE_WORDS.isdisjoint(reading.spelt[index].words):
            continue
        below = reading.text.lines[index + 1 : index + 3]
        if _CODE.search(reading.text.lines[index].text) or any(_PLAIN_CODE.search(line.text) for line in below):
            return True
    return False
