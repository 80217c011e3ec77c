"""Text as sentences that stand in it letter by letter; days such as "1. Mai" and abbreviations do not end one."""

from __future__ import annotations

import re

from postroom.mail.language import Language

# After a question a sign may follow that opens nothing: "Is it free? /Oskar", "Is it free? :)".
_END = re.compile(r"[.!?…][\"'»”)\]*_]*\s+(?=[\"'«„“(\[*_¿¡]*[^\W_])|[?!]\s+(?=\S)|\n\s*\n")
_SHORT = re.compile(
    r"(?:^|[\s(])(?:mr|mrs|ms|dr|prof|st|nr|no|tel|art|abs|bzw|ca|approx|incl|excl|etc|e\.g|i\.e|z\.b|d\.h|u\.a|usw|inkl|exkl|evtl|ggf|max|min|std"
    r"|zzgl|str|mme|mlle|m|sr|sra|srta|sig|dott|avv|dhr|mevr|bijv|pan|ul|np|tzn|godz|tys|fru|kl|bl\.a|t\.ex|f\.eks|p\.ex|p\.es|vgl|mo|di|mi|do|fr|sa|so"
    r"|jan|feb|mar|apr|jun|jul|aug|sep|sept|okt|oct|nov|dez|dec|dic|(?-i:[a-z]))\.$",
    re.IGNORECASE,
)
_ORDINAL = re.compile(r"(?:^|[\s(–—-])\d{1,2}\.$")
_ORDINAL_LANGUAGES: frozenset[Language] = frozenset(["de", "da", "pl"])
LONGEST = 200_000
_LONGEST_SHORT = 16  # letters in which an abbreviation or an ordinal ends, with what stands before it


def sentence_texts(text: str, language: Language) -> list[str]:
    """In their order; put together again they are the text, white space aside."""
    pieces: list[str] = []
    start = 0
    for end in _END.finditer(text[:LONGEST]):
        if end[0].startswith("."):
            before = text[max(start, end.start() - _LONGEST_SHORT) : end.end()].rstrip()
            if _goes_on(before, text[end.end() : end.end() + 1], language):
                continue
        pieces.append(text[start : end.end()])
        start = end.end()
    pieces.append(text[start:LONGEST])
    return [clean for piece in pieces if (clean := piece.strip())]


def _goes_on(before: str, next_letter: str, language: Language) -> bool:
    if _SHORT.search(before):
        return True
    ordinal = _ORDINAL.search(before) is not None
    return (ordinal and (language in _ORDINAL_LANGUAGES or next_letter.islower())) or next_letter.islower()
