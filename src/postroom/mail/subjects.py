"""Subjects: what mail programs and gateways put before them, in our languages."""

from __future__ import annotations

import re

_MARKS = r"(?:\[(?:ext|extern|external|externe|esterno|externo)[^\]]{0,20}\]\s*)"
_REPLY = r"re|aw|antw|antwort|betr|sv|vs|rif|r|odp|res|отв|ha"
_FORWARD = r"fwd?|wg|tr|rv|enc|doorst|vb|vs|i|pd|vl|inoltra|podaj dalej"
_MARK = r"\.?\s?(?:\[\d+\]|\(\d+\))?\s?[:：]"
# "Ref: 4711" names something; before words it is how some programs mark a reply.
_PREFIX = rf"(?:(?:{_REPLY}|{_FORWARD}){_MARK}|r[eé]f{_MARK}(?!\s*\S*\d))"
_PREFIXES = re.compile(rf"^\s*(?:{_MARKS}|{_PREFIX}\s*)+", re.IGNORECASE)
_FORWARDED = re.compile(rf"^\s*{_MARKS}*(?:{_FORWARD}){_MARK}", re.IGNORECASE)
_ANSWERED = re.compile(rf"^\s*{_MARKS}*{_PREFIX}", re.IGNORECASE)
# What programs write where the sender wrote none.
_NONE_WRITTEN = re.compile(
    r"[\s(\[<*-]*(?:no subject|without subject|(?:kein|ohne) betreff|(?:sans|aucun|pas d[’']) ?objet|sans sujet"
    r"|(?:sin|ning[uú]n) asunto|(?:nessun|senza) oggetto|(?:geen|zonder) onderwerp|sem assunto|(?:brak|bez) tematu"
    r"|(?:inget|utan) ämne|(?:intet|uden|ingen) emne)[\s)\]>*.-]*",
    re.IGNORECASE,
)


def bare_subject(subject: str) -> str:
    """Without what mail programs put before it."""
    return _PREFIXES.sub("", subject).strip()


def own_subject(subject: str) -> str:
    """As the sender wrote it; nothing if it is that of an earlier mail, or says that there is none."""
    return bare_subject(subject) if names_something(subject) and not _ANSWERED.match(subject) else ""


def names_something(subject: str) -> bool:
    """Not empty, and not what programs write where the sender wrote none."""
    bare = bare_subject(subject)
    return bool(bare) and not _NONE_WRITTEN.fullmatch(bare)


def is_forward(subject: str) -> bool:
    """By the outermost prefix: a reply to a forward quotes it."""
    return _FORWARDED.match(subject) is not None


def is_reply_or_forward(subject: str) -> bool:
    return _ANSWERED.match(subject) is not None
