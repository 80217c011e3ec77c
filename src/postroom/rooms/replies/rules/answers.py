"""For each question the passage that answers it, or nothing: a gate that opens only where the evidence covers it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from postroom.mail.language import Language, detect
from postroom.nouns.counting import told_apart
from postroom.rooms.replies.rules.claims import Quote
from postroom.rooms.replies.rules.contradictions import contradicts, denies
from postroom.rooms.replies.rules.papers import EvidenceLine
from postroom.rooms.replies.rules.periods import ALWAYS
from postroom.rooms.replies.rules.questions import Asked, Question
from postroom.rooms.replies.rules.ranking import NEARLY, Hit, is_touched, paragraph_of, passage_features, rank
from postroom.rooms.replies.rules.search import TUNING, IndexedSnippet, Statistics, Tuning
from postroom.rooms.replies.rules.terms import terms
from postroom.rooms.replies.rules.weights import FittedWeights, fitted

Candidates = Callable[[Question], Sequence[IndexedSnippet]]
FARTHER = 2.5  # below the best score, for a line that has the amount that is asked for
FARTHER_IF_LOOSE = 2.0  # the same where an answer may do without it
SAME_PAPER, SAME_SECTION = 0.4, 0.6  # a later part of a sentence is likelier answered where the first one was
NEARLY_HERE = 2.2  # below the best score, in the same section: it is quoted too
TOUCHED = 0.3  # of a later part's own words, to be answered beside the first
FAR_OFF = 0.15  # chance of a question that is not answered at all
SURE = 0.6  # chance that what leans on such a one, or has no word of the question, must reach
MOST_BESIDE = 2  # places that are quoted beside the best
MOST_LETTERS = 700  # of three places together
MOST_ROWS = 4
MOST_ITEMS = 8
SAID = 0.8  # of a question's own words in a passage that is quoted anyway
MOST_LOOKED_AT = 5
TIED = 0.15  # of scores: rows that answer alike
ALL_OF_IT = 0.99  # of a question's words: a line that has so many needs no other beside it
BESIDE_ALL = 0.6  # of a question's words in another line of the paragraph, to be quoted beside such a one
BESIDE_SOME = 0.3  # of the line's own share, where it has fewer
BESIDE_NOTHING = 0.01  # what has none of them is not quoted
DENIED = 0.35  # of the question that a denial has to cover: the amount is missing
_EMPTY_CELL = re.compile(r"^[\s–—\-./]*$|^n/?a$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines of one snippet in their order, and the one among them that answers."""

    snippet: IndexedSnippet
    lines: tuple[EvidenceLine, ...]
    best: EvidenceLine | None = None

    @property
    def source(self) -> str:
        return self.snippet.snippet.source

    @property
    def text(self) -> str:
        return " ".join(line.text for line in self.lines)

    def quote(self, line: EvidenceLine) -> Quote:
        held = line.period or ALWAYS
        return Quote(self.source, " ".join(line.raw.split()), held.first, held.last)


@dataclass(frozen=True, slots=True)
class Answer:
    """A question, what answers it, and a sentence why or why not."""

    question: Question
    passage: Passage | None
    chance: float  # that the passage, or what was best, answers it
    because: str
    conflict: Passage | None = None  # another paper says something else
    also: tuple[Passage, ...] = ()  # do nearly as well, and are quoted beside it
    partly: bool = False  # something is said about it, but not what was asked for


def answer_all(
    mail: Asked, candidates: Candidates, statistics: Statistics, tuning: Tuning = TUNING, gate: float | None = None
) -> list[Answer]:
    """Question by question; parts of one sentence help each other. Beyond a bound they stay open."""
    limit = tuning.gate if gate is None else gate
    gating = Gating(_weights(tuning), limit, tuning.sibling, min(limit, tuning.company))
    answers: list[Answer] = []

    def ranked_for(question: Question, among: Question) -> Ranked:
        return Ranked(rank(question, candidates(among), statistics, mail.context, tuning))

    questions, ranked = _standing_alone(mail.looked_up, ranked_for)
    firsts = [
        choose(question, each.hits) if each.hits else None for question, each in zip(questions, ranked, strict=True)
    ]
    for at, question in enumerate(questions):
        before = answers[-1].passage if answers and (question.part or question.leans) else None
        mates = [first for other, first in enumerate(firsts) if first is not None and other != at]
        ranked[at] = Ranked(_preferred(ranked[at].hits, before), mates)
        later = mail.questions[at].part and mail.questions[at].leans
        lost = bool(later and answers and answers[-1].chance < FAR_OFF)
        answers.append(_answered(question, ranked[at], gating.stricter() if lost else gating, before))
    answers = [_with_siblings(at, answers, ranked, gating) for at in range(len(answers))]
    if any(each.chance >= gating.limit and each.passage is not None for each in answers):
        answers = [_in_company(answer, each.hits, gating) for answer, each in zip(answers, ranked, strict=True)]
    said = [each.passage for each in answers if each.passage is not None and each.conflict is None]
    found = [_said_anyway(answer, each.hits, said) for answer, each in zip(answers, ranked, strict=True)]
    return found + [Answer(each, None, 0.0, "The mail asks too much at once.") for each in mail.questions[len(found) :]]


def _weights(tuning: Tuning) -> FittedWeights:
    used = tuning.weights or fitted()
    return used.nearer if tuning.encoder is not None and used.nearer is not None else used


@dataclass(frozen=True, slots=True)
class Ranked:
    """The lines for a question, best first, and what comes first for the other questions of the mail."""

    hits: Sequence[Hit]
    mates: Sequence[Hit] = ()


def _standing_alone(
    questions: Sequence[Question], ranked_for: Callable[[Question, Question], Ranked]
) -> tuple[list[Question], list[Ranked]]:
    """A short question after another seems to lean on it ("… and for children?"). If the best place then has none of
    its own words, while all of them stand elsewhere, it is a matter of its own: "How much is parking?"."""
    found, ranked = list(questions), [ranked_for(each, each) for each in questions]
    for at, question in enumerate(questions):
        if not question.leans or question.loosely or not question.slots or _own_share(question, ranked[at]) > 0:
            continue
        alone = replace(question, before=(), part=0)
        if _own_share(alone, among := ranked_for(alone, question)) >= SAID:
            found[at], ranked[at] = alone, among
    return found, ranked


def _own_share(question: Question, among: Ranked) -> float:
    return choose(question, among.hits).feature("own_share") if among.hits else 0.0


@dataclass(frozen=True, slots=True)
class Gating:
    """What a passage has to reach."""

    weights: FittedWeights
    limit: float
    sibling: float
    company: float = 1.0  # of a question in a mail of which another one is answered

    def chance(self, hit: Hit, among: Ranked) -> float:
        return self.weights.chance(passage_features(hit, among.hits, among.mates))

    def beside(self, before: Passage | None, hit: Hit) -> float:
        """Less is asked of a later part of a sentence where the first one was answered."""
        near = before is not None and hit.source == before.source
        return self.lower(hit) if near else self.limit

    def stricter(self) -> Gating:
        """For a part that leans on a question of which the papers know next to nothing."""
        return replace(self, limit=max(self.limit, SURE))

    def lower(self, hit: Hit) -> float:
        touched = not hit.asked.own or hit.feature("own_share") >= TOUCHED
        return min(self.limit, self.sibling) if touched else self.limit


def _preferred(hits: Sequence[Hit], before: Passage | None) -> Sequence[Hit]:
    """Not a line with none of its words over one that has them all."""
    if before is None:
        return hits
    said = any(hit.asked.own and hit.feature("own_share") >= SAID for hit in hits[:MOST_LOOKED_AT])
    moved = [
        replace(hit, score=hit.score + _nearness(hit, before)) if is_touched(hit) or not said else hit for hit in hits
    ]
    return sorted(moved, key=lambda hit: -hit.score)


def _nearness(hit: Hit, before: Passage) -> float:
    return SAME_PAPER * (hit.source == before.source) + SAME_SECTION * hit.snippet.is_same(before.snippet)


def _answered(question: Question, among: Ranked, gating: Gating, before: Passage | None) -> Answer:
    hits = among.hits
    if not hits:
        return Answer(question, None, 0.0, "No paper speaks of it.")
    best = choose(question, hits)
    chance, limit = gating.chance(best, among), gating.beside(before, best)
    if not is_touched(best):
        limit = max(limit, SURE)
    if why := objection(question, best, chance, limit):
        if not best.satisfied and (denial := next((hit for hit in hits[:5] if _denied(question, hit)), None)):
            return Answer(question, quoted(denial, hits), chance, "It is not offered.", partly=True)
        return Answer(question, None, chance, why)
    passage = quoted(best, hits)
    other = next((hit for hit in hits[:40] if hit.source != best.source and contradicts(question, best, hit)), None)
    conflict = quoted(other, hits) if other else None
    because = f"The chance that it answers is {chance:.2f}; {limit:.2f} is asked for."
    also = () if conflict else runners_up(best, passage, hits)
    return Answer(question, passage, chance, because, conflict, also, partly=_in_part(best, chance))


def _in_part(hit: Hit, chance: float) -> bool:
    """No word of the question stands there, only of what was said around it: unless that is sure, it stays open."""
    return not is_touched(hit) and (chance < SURE or _is_news(hit))


def _is_news(hit: Hit) -> bool:
    """It is asked whether there is something of which no paper has ever heard, or for its price."""
    asked = hit.asked
    unheard = [not asked.heard(each) for each in asked.own if not each.slot.light]
    return any(unheard) and (not asked.question.wants or all(unheard))


def runners_up(best: Hit, passage: Passage, hits: Sequence[Hit]) -> tuple[Passage, ...]:
    """Where places answer alike, a reader is better served by two or three of them than by the wrong one."""
    shown, letters = [passage], len(passage.text)
    for other in hits[:20]:
        if len(shown) > MOST_BESIDE or _is_shown(other, shown):
            continue
        nearly = NEARLY_HERE if other.snippet is best.snippet and len(shown) == 1 else NEARLY
        if other.score < best.score - nearly or _spoken_of(best) >= ALL_OF_IT > _spoken_of(other):
            break
        beside = quoted(other, hits)
        letters += len(beside.text)
        if len(shown) > 1 and letters > MOST_LETTERS:
            break
        shown.append(beside)
    return tuple(shown[1:])


def _is_shown(hit: Hit, shown: Sequence[Passage]) -> bool:
    return any(hit.line is line for passage in shown for line in passage.lines)


def choose(question: Question, hits: Sequence[Hit]) -> Hit:
    """The best; where an amount, a time or the like is asked for, the best that has one, if it is nearly as good."""
    best = hits[0]
    if question.wants and not best.satisfied:
        least = best.score - (FARTHER if question.firm else FARTHER_IF_LOOSE)
        return next((hit for hit in hits if hit.satisfied and hit.score >= least), best)
    return best


def objection(question: Question, hit: Hit, chance: float, limit: float) -> str | None:
    """Why a hit is no answer, if it is none."""
    if chance < limit:
        found, asked = told_apart(chance, limit)
        return f"The chance that it answers is only {found}; {asked} is asked for."
    if question.years - hit.snippet.years:
        return f"{hit.source} does not speak of {min(question.years - hit.snippet.years)}."
    if not hit.satisfied and question.firm:
        return "No amount or number stands there."
    if not hit.satisfied and _asks_more_of_the_same(question, hit):
        return "It tells of the question before, not what is asked here."
    if _asks_for_an_empty_cell(question, hit.line):
        return "The table leaves this open."
    return None


def _asks_more_of_the_same(question: Question, hit: Hit) -> bool:
    """Such as "is it for free?": without its own words in the lines, only the kind of value tells that they answer."""
    return question.leans and not question.loosely and not (hit.asked.own and is_touched(hit))


def _denied(question: Question, hit: Hit) -> bool:
    """A price is asked for, and the paper says that there is no such thing: worth telling, though no answer."""
    return (
        question.firm
        and not hit.satisfied
        and not question.years - hit.snippet.years
        and hit.feature("own_share") >= DENIED
        and denies(hit.line.text)
        and bool(question.slots)
        and question.slots[0].filled(hit.snippet.lines[hit.number].held | hit.snippet.top) > 0.8
    )


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
        kept = [lines[each] for each in _to_the_point(hit)]
    return Passage(indexed, tuple(kept), line)


def _to_the_point(hit: Hit) -> list[int]:
    """The line, the one below, for it may hold a condition, and what else of its paragraph speaks nearly as much of the
    question: where the line itself speaks of all that is asked, more of it than where it does not."""
    here = _spoken_of(hit)
    least = BESIDE_ALL if here >= ALL_OF_IT else BESIDE_SOME * here
    return [
        at
        for at in paragraph_of(hit.snippet, hit.number)
        if hit.number <= at <= hit.number + 1 or _spoken_of(hit, at) >= max(least, BESIDE_NOTHING)
    ]


def _spoken_of(hit: Hit, at: int | None = None) -> float:
    """How much of the question, and of what it leans on, stands in the line itself, or in another of its snippet."""
    held = hit.snippet.lines[hit.number if at is None else at].held
    words = [*hit.asked.own, *hit.asked.before]
    weight = sum(each.weight for each in words)
    return sum(each.weight * each.slot.filled(held) for each in words) / weight if weight else 0.0


def _tied(hit: Hit, hits: Sequence[Hit]) -> list[EvidenceLine]:
    """Rows or items that answer just as well: "how many keys" has a line for each kind."""
    most = MOST_ROWS if hit.line.kind == "row" else MOST_ITEMS
    same = [
        each
        for each in hits
        if each.snippet is hit.snippet and each.line.group == hit.line.group
        and each.score >= hit.score - TIED and each.feature("own_line") >= hit.feature("own_line") - TIED
    ]  # fmt: skip
    chosen = sorted(same, key=lambda each: each.number)
    return [each.line for each in chosen] if 1 < len(chosen) <= most else [hit.line]


def _with_siblings(at: int, answers: Sequence[Answer], ranked: Sequence[Ranked], gating: Gating) -> Answer:
    """A part that found nothing by itself may be answered where its neighbours in the sentence are."""
    answer = answers[at]
    if answer.passage is not None:
        return answer
    for sibling in _siblings(at, answers):
        if sibling.passage is None:
            continue
        inside = [hit for hit in ranked[at].hits if hit.snippet.is_same(sibling.passage.snippet)]
        if not inside:
            continue
        best = choose(answer.question, inside)
        chance = gating.chance(best, ranked[at])
        if objection(answer.question, best, chance, gating.lower(best)) is None:
            because = "Answered beside the rest of the sentence."
            return Answer(answer.question, quoted(best, inside), chance, because, partly=_in_part(best, chance))
    return answer


def _in_company(answer: Answer, hits: Sequence[Hit], gating: Gating) -> Answer:
    """Papers that answer one question of a mail are likely to answer the others: less is asked of them."""
    if answer.passage is not None or not hits:
        return answer
    best = choose(answer.question, hits)
    if objection(answer.question, best, answer.chance, gating.company) or not is_touched(best):
        return answer
    because = (
        f"The chance that it answers is {answer.chance:.2f}; beside another answer {gating.company:.2f} is asked for."
    )
    return replace(answer, passage=quoted(best, hits), because=because)


def _said_anyway(answer: Answer, hits: Sequence[Hit], said: Sequence[Passage]) -> Answer:
    """What is quoted for another question has nearly all its words: then it is no gap."""
    if answer.passage is not None or not answer.question.slots:
        return answer
    for hit in hits[:MOST_LOOKED_AT]:
        passage = next((each for each in said if any(hit.line is line for line in each.lines)), None)
        if passage and hit.feature("own_share") >= SAID and not objection(answer.question, hit, 1.0, 0.0):
            return replace(answer, passage=passage, because="What answers another question says it.")
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
        passage.source == other.source and all(line in other.lines for line in passage.lines) for other in others
    )
