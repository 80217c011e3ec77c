"""A reply in a model's words: evidence as data in the prompt, a fixed form for the answer, then the same checks."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from postroom.mail.language import Language
from postroom.rooms.replies.rules.answers import Answer, Passage
from postroom.rooms.replies.rules.claims import Blocked, Claim, Grounds, Quote, check_statements
from postroom.rooms.replies.rules.contradictions import denies
from postroom.rooms.replies.rules.drafting import (
    DraftBody,
    ReplyDraft,
    Voice,
    letter,
    open_questions,
    phrases,
    show_passage,
    with_gaps,
)
from postroom.rooms.replies.rules.holding import CitedGround, unheld

LONGEST_ANSWER = 60_000  # letters of a model's answer that are looked at
LONGEST_STATEMENT = 600
MOST_STATEMENTS = 24
LONGEST_BODY = 3_000
SHORTEST_REPEATED = 12  # letters of a line that is repeated word by word


@dataclass(frozen=True, slots=True)
class ReplyPrompt:
    """What a model is asked: our part, and the strangers' words behind a fence that they cannot hold."""

    system: str
    document: str


@dataclass(frozen=True, slots=True)
class ModelStatement:
    text: str
    sources: tuple[int, ...]


@cache
def _system() -> str:
    text = resources.files("postroom.rooms.replies").joinpath("words/prompt.toml").read_text("utf-8")
    return str(tomllib.loads(text)["system"]).strip()


def quotes_of(answers: Sequence[Answer]) -> tuple[Quote, ...]:
    """Every line that a draft may stand on, each once, in the order of the questions."""
    return tuple(dict.fromkeys(passage.quote(line) for passage in _passages(answers) for line in passage.lines))


def _passages(answers: Sequence[Answer]) -> list[Passage]:
    """What answers, with the places that do nearly as well. Where papers contradict each other no model chooses."""
    return [
        passage
        for answer in answers
        if answer.passage is not None and answer.conflict is None
        for passage in (answer.passage, *answer.also)
    ]


def reply_prompt(answers: Sequence[Answer], language: Language, voice: str = "") -> ReplyPrompt:
    """Only questions that the gate let through, and only the lines that answer them."""
    asked = [answer.question.text for answer in answers if answer.passage is not None and answer.conflict is None]
    sources = [f"{number}| {quote.quote}" for number, quote in enumerate(quotes_of(answers), start=1)]
    questions = [f"{number}? {' '.join(text.split())}" for number, text in enumerate(asked, start=1)]
    lines = [*questions, *sources]
    fence = f"=== {hashlib.sha256(chr(10).join(lines).encode()).hexdigest()[:24]} ==="
    system = _system().replace("{fence}", fence).replace("{language}", phrases(language)[f"language_{language}"])
    if voice:
        system += f"\n\nThe house writes like this: {voice}"
    return ReplyPrompt(system, "\n".join([fence, *lines, fence]))


def model_statements(text: str) -> list[ModelStatement] | None:
    """The statements of the first JSON object in the answer; None if it has not the form that was asked for."""
    start = text.find("{")
    if start < 0 or len(text) > LONGEST_ANSWER:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        return None
    told = found.get("statements") if isinstance(found, dict) else None
    if not isinstance(told, list):
        return None
    return [made for each in told[:MOST_STATEMENTS] if (made := _statement(each)) is not None]


def _statement(told: Any) -> ModelStatement | None:
    if not isinstance(told, dict) or not isinstance(told.get("text"), str):
        return None
    text = " ".join(told["text"].split())
    cited = told.get("sources")
    sources = tuple(number for number in cited if isinstance(number, int)) if isinstance(cited, list) else ()
    return ModelStatement(text, sources) if 0 < len(text) <= LONGEST_STATEMENT else None


def checked_reply(
    told: str, answers: Sequence[Answer], language: Language, sender: str, thread: str, voice: Voice | None = None
) -> ReplyDraft | None:
    """The model's words where they hold, statement by statement; None if nothing of them does.

    Each statement is held against the lines it names, never against all: a price of one thing is no price of another.
    Only a line that is repeated word by word stands on itself. What answers is not lost with words that do not hold:
    then the line itself is quoted.
    """
    statements = model_statements(told)
    if statements is None:
        return None
    quotes, spoken = quotes_of(answers), _languages(answers)
    kept: list[str] = []
    claims: list[Claim] = []
    blocked: list[Blocked] = []
    owed: set[Quote] = set()
    for each in statements:
        if "?" in each.text or _is_echo(each.text, thread):
            blocked.append(Blocked(each.text, "It repeats what was asked."))
            continue
        repeated = _repeated(each.text, quotes)
        named = tuple(quotes[number - 1] for number in each.sources if 0 < number <= len(quotes))
        cited = (repeated,) if repeated is not None else named
        if not cited:
            blocked.append(Blocked(each.text, "It names no source."))
            continue
        if repeated is not None and spoken.get(repeated, language) != language:
            owed.add(repeated)  # it stays as it is, with a word on the language
            continue
        owed.update(cited)
        checked = check_statements([each.text], Grounds(cited, thread), must_stand=False)
        blocked += checked.blocked
        if checked.kept and (why := unlike(each.text, language, CitedGround(cited, spoken, thread))):
            blocked.append(Blocked(each.text, why))
        elif checked.kept and sum(map(len, kept)) + len(each.text) <= LONGEST_BODY:
            kept.append(each.text)
            claims.append(Claim(each.text, cited))
    if not kept or _unanswered(answers, claims):
        return None
    said = phrases(language)
    questions = open_questions(answers)
    rest = _quoted_beside(answers, owed, claims, language, thread)
    claims += rest.claims
    body = letter(with_gaps([" ".join(kept), *rest.paragraphs], answers, said), said, sender, voice or Voice())
    sure = min(answer.chance for answer in answers if answer.passage is not None)
    share = sum(answer.passage is not None for answer in answers) / max(1, len(answers))
    return ReplyDraft(
        body, tuple(claims), questions, round(sure * (0.5 + 0.5 * share), 2), tuple(blocked), "In a model's words."
    )


def _repeated(statement: str, quotes: Sequence[Quote]) -> Quote | None:
    """The line that a statement repeats word by word, whichever one it names."""
    same = statement.rstrip(" .")
    return next((quote for quote in quotes if len(same) >= SHORTEST_REPEATED and same in quote.quote), None)


def _is_echo(statement: str, thread: str) -> bool:
    """Whether the sender wrote this, word by word."""
    same = statement.rstrip(" .!")
    return len(same) >= SHORTEST_REPEATED and same in " ".join(thread.split())


def _quoted_beside(
    answers: Sequence[Answer], owed: Collection[Quote], claims: Sequence[Claim], language: Language, thread: str
) -> DraftBody:
    """The lines that answer, and those whose words did not hold, if nothing that was kept stands on them."""
    body, told = DraftBody(), {quote for claim in claims for quote in claim.evidence}
    firsts = {id(answer.passage) for answer in answers}
    for passage in _passages(answers):
        answers_it = passage.best if id(passage) in firsts else None
        missing = tuple(
            line
            for line in passage.lines
            if (quote := passage.quote(line)) not in told and (quote in owed or line is answers_it)
        )
        if missing:
            show_passage(body, Passage(passage.snippet, missing), (), language, thread)
            told.update(passage.quote(line) for line in missing)
    return body


def _languages(answers: Sequence[Answer]) -> dict[Quote, Language]:
    return {
        passage.quote(line): passage.snippet.snippet.language
        for passage in _passages(answers)
        for line in passage.lines
    }


def unlike(statement: str, language: Language, held: CitedGround) -> str | None:
    """Why a statement is not what its lines say: it says more, or turns a no into a yes."""
    if why := unheld(statement, language, held):
        return why
    if all(denies(quote.quote) for quote in held.cited) and not denies(statement):
        return "The lines it names say no."
    if denies(statement) and not any(denies(quote.quote) for quote in held.cited):
        return "The lines it names do not say no."
    return None


def _unanswered(answers: Sequence[Answer], claims: Sequence[Claim]) -> bool:
    """A question that the evidence answers and the model's words leave out: then the evidence speaks for itself."""
    cited = {quote for claim in claims for quote in claim.evidence}
    for answer in answers:
        if answer.passage is None or answer.conflict is not None:
            continue
        own = {passage.quote(line) for passage in (answer.passage, *answer.also) for line in passage.lines}
        if not own & cited:
            return True
    return False
