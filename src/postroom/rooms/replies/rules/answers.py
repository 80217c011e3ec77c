"""For each question the passage that answers it, or nothing: a gate that opens only where the evidence covers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from postroom.mail.language import Language, detect
from postroom.rooms.replies.rules.contradictions import contradicts
from postroom.rooms.replies.rules.papers import EvidenceLine
from postroom.rooms.replies.rules.questions import Asked, Question
from postroom.rooms.replies.rules.search import TUNING, Hit, IndexedSnippet, Statistics, Tuning, answers_want, rank
from postroom.rooms.replies.rules.terms import terms

Candidates = Callable[[Question], Sequence[IndexedSnippet]]
CLOSE = 0.78  # of the best score: among these the one that covers most is taken
FARTHER = 0.6  # of the best score, when nothing closer has the amount that is asked for
SAME_PLACE = 1.2  # a later part of a sentence is likelier answered where the first one was
LONGEST_PARAGRAPH = 520  # letters that are quoted whole; of a longer one the hit with its neighbours
MOST_ROWS = 4
MOST_ITEMS = 8
TIED = 0.97
BY_COVERAGE = 0.5
DENIED = 0.15  # less of the question that a denial has to cover: the amount is missing
_EMPTY_CELL = re.compile(r"^[\s–—\-./]*$|^n/?a$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of one snippet in their order, with how much of the question they cover."""

    snippet: IndexedSnippet
    lines: tuple[EvidenceLine, ...]
    coverage: float

    @property
    def source(self) -> str:
        return self.snippet.snippet.source

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, what answers it, and a sentence why or why not."""

    question: Question
    passage: Passage | None
    coverage: float
    because: str
    conflict: Passage | None = None  # another paper says something else
    also: Passage | None = None  # does nearly as well, and is quoted beside it
    partly: bool = False  # something is said about it, but not what was asked for


def answer_all(
    mail: Asked, candidates: Candidates, statistics: Statistics, tuning: Tuning = TUNING, gate: float | None = None
) -> list[Answer]:
    """Question by question; parts of one sentence help each other."""
    limit = tuning.gate if gate is None else gate
    answers: list[Answer] = []
    ranked: list[list[Hit]] = []
    for question in mail.questions:
        before = answers[-1].passage if answers and (question.part or question.leans) else None
        alone = not (question.leans and answers and answers[-1].passage is None)
        hits = rank(question, candidates(question), statistics, mail.context, tuning, alone=alone)
        hits = _preferred(hits, before)
        ranked.append(hits)
        answers.append(_answered(question, hits, limit, before, tuning))
    return [_with_siblings(at, answers, ranked, limit, tuning) for at in range(len(answers))]


def _preferred(hits: list[Hit], before: Passage | None) -> list[Hit]:
    if before is None:
        return hits
    return sorted(hits, key=lambda hit: -hit.score * (SAME_PLACE if hit.source == before.source else 1.0))


def _answered(question: Question, hits: Sequence[Hit], limit: float, before: Passage | None, tuning: Tuning) -> Answer:
    best = _best(question, hits)
    if best is None:
        return Answer(question, None, 0.0, "No paper speaks of it.")
    if before is not None and best.source == before.source:
        limit = min(limit, tuning.sibling)
    if why := objection(question, best, limit):
        if denial := next((hit for hit in hits[:5] if _denied(question, hit, limit)), None):
            return Answer(question, quoted(denial, hits), denial.coverage, "It is not offered.", partly=True)
        return Answer(question, None, best.coverage, why)
    passage = quoted(best, hits)
    other = next((hit for hit in hits if hit.source != best.source and contradicts(question, best, hit, limit)), None)
    conflict = quoted(other, hits) if other else None
    because = f"{best.coverage:.2f} of the question is covered; {limit:.2f} is asked for."
    also = None if conflict else _runner_up(best, passage, hits, limit, tuning)
    return Answer(question, passage, best.coverage, because, conflict, also)


def _runner_up(best: Hit, passage: Passage, hits: Sequence[Hit], limit: float, tuning: Tuning) -> Passage | None:
    """Where two places answer alike, a reader is better served by both than by the wrong one."""
    for hit in hits[:12]:
        if hit.snippet is passage.snippet and any(hit.line is line for line in passage.lines):
            continue
        close = hit.score >= tuning.second * best.score and hit.coverage >= max(limit, tuning.second * best.coverage)
        if close and hit.satisfied:
            return quoted(hit, hits)
    return None


def _best(question: Question, hits: Sequence[Hit]) -> Hit | None:
    """Among those that rank nearly alike the one that covers most; where an amount is asked for, one that has it."""
    if not hits:
        return None
    top = hits[0].score
    close = [hit for hit in hits[:30] if hit.score >= CLOSE * top]
    if question.firm and not any(hit.satisfied for hit in close):
        close = [hit for hit in hits[:40] if hit.score >= FARTHER * top and hit.satisfied] or close
    return max(close, key=lambda hit: (BY_COVERAGE * hit.coverage + hit.score / top, hit.score))


def objection(question: Question, hit: Hit, limit: float) -> str | None:
    """Why a hit is no answer, if it is none."""
    if hit.coverage < limit:
        return f"Only {hit.coverage:.2f} of the question is covered; {limit:.2f} is asked for."
    if question.years - hit.snippet.years:
        return f"{hit.source} does not speak of {min(question.years - hit.snippet.years)}."
    if not hit.satisfied and question.firm:
        return "No amount or number stands there."
    if _asks_for_an_empty_cell(question, hit.line):
        return "The table leaves this open."
    return None


def _denied(question: Question, hit: Hit, limit: float) -> bool:
    """A price is asked for, and the paper says that there is no such thing: worth telling, though no answer."""
    return (
        question.firm
        and not hit.satisfied
        and hit.coverage >= limit - DENIED
        and denies(hit.line.text)
        and bool(question.slots)
        and question.slots[0].filled(hit.snippet.lines[hit.number].held | hit.snippet.top) > 0.8
    )


_DENIALS = re.compile(
    r"(?<!\w)(?:not|no|never|cannot|nicht|kein\w*|ne|pas|aucun\w*|jamais|non|nessun\w*|ningún|ninguna|niet|geen|não|nenhum\w*|nie|żad\w*|inte|inga|ingen|ikke|intet)(?!\w)",
    re.IGNORECASE,
)


def denies(text: str) -> bool:
    """That something is not offered, or costs nothing, is an answer too."""
    return _DENIALS.search(text) is not None


def _asks_for_an_empty_cell(question: Question, line: EvidenceLine) -> bool:
    """The column that the question names is empty in this row."""
    if line.kind != "row" or len(line.columns) != len(line.cells):
        return False
    filled = []
    for name, cell in list(zip(line.columns, line.cells, strict=True))[1:]:
        held = frozenset(terms(name, question.language)) | frozenset(terms(name, _language_of(line, question)))
        match = sum(slot.filled(held) for slot in question.slots)
        filled.append((match, bool(_EMPTY_CELL.match(cell))))
    best = max((match for match, _ in filled), default=0.0)
    return best > 0 and all(empty for match, empty in filled if match >= best)


def _language_of(line: EvidenceLine, question: Question) -> Language:
    return detect(" ".join(line.columns), fallback=question.language).language


def quoted(hit: Hit, hits: Sequence[Hit]) -> Passage:
    """The hit with its neighbours inside the section: conditions often stand in the next sentence."""
    indexed, at = hit.snippet, hit.number
    lines = [each.line for each in indexed.lines]
    line = lines[at]
    if line.kind == "row" or (line.kind == "item" and sum(each.paragraph == line.paragraph for each in lines) == 1):
        kept = _tied(hit, hits)
    else:
        kept = _paragraph(lines, at)
    return Passage(indexed, tuple(kept), hit.coverage)


def _tied(hit: Hit, hits: Sequence[Hit]) -> list[EvidenceLine]:
    """Rows or items that answer just as well: "how many keys" has a line for each kind."""
    most = MOST_ROWS if hit.line.kind == "row" else MOST_ITEMS
    same = [
        each
        for each in hits
        if each.snippet is hit.snippet and each.line.group == hit.line.group
        and each.score >= TIED * hit.score and each.coverage >= TIED * hit.coverage
    ]  # fmt: skip
    chosen = sorted(same, key=lambda each: each.number)
    return [each.line for each in chosen] if 1 < len(chosen) <= most else [hit.line]


def _paragraph(lines: Sequence[EvidenceLine], at: int) -> list[EvidenceLine]:
    own = [number for number, each in enumerate(lines) if each.paragraph == lines[at].paragraph]
    if sum(len(lines[number].text) for number in own) <= LONGEST_PARAGRAPH:
        return [lines[number] for number in own]
    return [lines[number] for number in own if abs(number - at) <= 1]


def _with_siblings(
    at: int, answers: Sequence[Answer], ranked: Sequence[Sequence[Hit]], limit: float, tuning: Tuning
) -> Answer:
    """A part that found nothing by itself may be answered where its neighbours in the sentence are."""
    answer = answers[at]
    if answer.passage is not None:
        return answer
    for sibling in _siblings(at, answers):
        if sibling.passage is None:
            continue
        inside = [hit for hit in ranked[at] if hit.snippet is sibling.passage.snippet]
        best = _best(answer.question, inside)
        if best is not None and objection(answer.question, best, min(limit, tuning.sibling)) is None:
            return Answer(
                answer.question, quoted(best, inside), best.coverage, "Answered beside the rest of the sentence."
            )
    return answer


def _siblings(at: int, answers: Sequence[Answer]) -> Iterator[Answer]:
    """The other parts of its sentence."""
    start = at
    while answers[start].question.part and start:
        start -= 1
    end = at + 1
    while end < len(answers) and answers[end].question.part:
        end += 1
    return (each for number, each in enumerate(answers[start:end], start) if number != at)


def already_quoted(passage: Passage, others: Sequence[Passage]) -> bool:
    """All its lines stand in another one."""
    return any(
        passage.snippet is other.snippet and all(any(line is each for each in other.lines) for line in passage.lines)
        for other in others
    )


def has_wanted(question: Question, passage: Passage) -> bool:
    held = [(line, frozenset(terms(line.text, passage.snippet.snippet.language))) for line in passage.lines]
    return all(any(answers_want(line, found, want) for line, found in held) for want in question.wants)
