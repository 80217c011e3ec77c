"""What stands as a signature, a disclaimer or a quotation and yet reads like words of the sender's own.

Where a mail program put it, nobody looks at it closely: a threat could hide there, and an afterthought stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from postroom.mail.replies import POSTSCRIPT, QUOTE_MARKS, QUOTED
from postroom.mail.sentences import sentences, tokens
from postroom.mail.subjects import is_reply_or_forward

SHORTEST = 5  # words of what is said; names, roles and slogans have fewer
WRAPPED = 55  # letters from which on a line may go on in the next
LONGEST = 4_000
_ENDS = re.compile(r"[.!?…][\"'»”)\]]*\s*$")
_FIRST_PERSON = re.compile(
    r"\bI\b|(?i:\b(?:my|ich|mein|meine[nmrs]?|mich|mir|je|mon|mes|yo|mis|io|mio|mia|ik|mijn|eu|meu|minha|mój|moja|moje"
    r"|jag|mina|mitt|jeg|mine)\b)"
)


def set_aside(subject: str, quoted: str, signature: str, disclaimer: str) -> str:
    said = [*_said(signature), *_said_of_oneself(disclaimer)]
    if _quotes_nobody(subject, quoted):
        said += [QUOTE_MARKS.sub("", line) for line in quoted.split("\n")]
    return "\n".join(said)[:LONGEST].strip()


def _said(signature: str) -> Iterator[str]:
    """Sentences among names and addresses; they end with a full stop, or begin with P.S."""
    for line in _whole_lines(signature):
        after = POSTSCRIPT.match(line) is not None
        if after or (_ENDS.search(line) and len(tokens(line)) >= SHORTEST):
            yield line


def _whole_lines(text: str) -> Iterator[str]:
    held = ""
    for line in text[:LONGEST].split("\n"):
        held = f"{held} {line.strip()}".strip()
        if len(line) < WRAPPED or _ENDS.search(line):
            yield held
            held = ""
    yield held


def _said_of_oneself(disclaimer: str) -> Iterator[str]:
    """Lawyers write of “we” and of “the addressee”."""
    return (one.text for one in sentences(disclaimer[:LONGEST]) if _FIRST_PERSON.search(one.text))


def _quotes_nobody(subject: str, quoted: str) -> bool:
    """A mail that answers nothing has marked lines, and no line says whose they are."""
    first = next((line for line in quoted.split("\n") if line.strip()), "")
    return not is_reply_or_forward(subject) and QUOTED.match(first) is not None
