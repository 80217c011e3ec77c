"""A reply without a model: greeting, the answering lines of the papers unchanged, gaps marked, closing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources

from postroom.mail.language import LANGUAGES, Language
from postroom.rooms.replies.rules.answers import Answer, Passage, already_quoted
from postroom.rooms.replies.rules.claims import Blocked, Claim, Grounds, Quote, forbidden, untraced
from postroom.rooms.replies.rules.papers import EvidenceLine

GAP_OPENS, GAP_CLOSES = "[[", "]]"  # approval is refused while one of these is left in the body
_NAME = re.compile(r"^[^\W\d_][\w'’.-]*(?:\s+[^\W\d_][\w'’.-]*){0,3}$")
LONGEST_GAP_TEXT = 240


@dataclass(frozen=True, slots=True)
class Voice:
    """The tenant's own words; what is missing comes from the language's."""

    signature: str = ""
    greeting: str | None = None
    closing: str | None = None
    thanks: bool = True


@dataclass(frozen=True, slots=True)
class ReplyDraft:
    """A body with what it stands on. `questions` are open: a person has to fill them before it may go out."""

    body: str | None
    claims: tuple[Claim, ...] = ()
    questions: tuple[str, ...] = ()
    confidence: float = 0.0
    blocked: tuple[Blocked, ...] = ()
    because: str = ""
    conflicts: int = 0

    @property
    def complete(self) -> bool:
        return self.body is not None and not self.questions


@dataclass(slots=True)
class DraftBody:
    """What is being written: paragraphs, what they stand on, and what stays open."""

    paragraphs: list[str] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)
    questions: list[str] = field(default_factory=list)
    blocked: list[Blocked] = field(default_factory=list)
    announced: Language | None = None  # another language than the sender's, in which the last paragraph stands


@cache
def phrases(language: Language) -> Mapping[str, str]:
    raw = tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/voice.toml").read_text("utf-8"))
    names = {known: raw["languages"][known].split()[LANGUAGES.index(language)] for known in LANGUAGES}
    return {**raw[language], **{f"language_{known}": name for known, name in names.items()}}


def draft_reply(
    answers: Sequence[Answer], language: Language, sender: str, voice: Voice | None = None, thread: str = ""
) -> ReplyDraft:
    """Nothing supported: no draft, and every question stays open."""
    said = phrases(language)
    body = DraftBody()
    quoted: list[Passage] = []
    covered: list[float] = []
    for answer in answers:
        if answer.passage is None:
            body.questions.append(_one_line(answer.question.text))
            continue
        before = len(body.claims)
        if answer.conflict is not None:
            _show_conflict(body, answer, language, thread)
        elif not already_quoted(answer.passage, quoted):
            show_passage(body, answer.passage, quoted, language, thread)
            for beside in answer.also:
                if not already_quoted(beside, quoted):
                    show_passage(body, beside, [*quoted, answer.passage], language, thread)
                    quoted.append(beside)
        else:
            before = -1
        quoted.append(answer.passage)
        if len(body.claims) > before:
            covered.append(answer.chance)
        if answer.partly or len(body.claims) <= before:
            body.questions.append(_one_line(answer.question.text))
    because = " ".join(dict.fromkeys(answer.because for answer in answers))
    if not covered:
        questions = tuple(dict.fromkeys(body.questions))
        return ReplyDraft(None, questions=questions, blocked=tuple(body.blocked), because=because)
    paragraphs = with_gaps(body.paragraphs, answers, said, dict.fromkeys(body.questions))
    text = letter(paragraphs, said, sender, voice or Voice())
    conflicts = sum(answer.conflict is not None for answer in answers)
    share = len(covered) / max(1, len(answers))
    confidence = round(min(covered) * (0.5 + 0.5 * share) * (0.5 if conflicts else 1.0), 2)
    questions = tuple(dict.fromkeys(body.questions))
    return ReplyDraft(text, tuple(body.claims), questions, confidence, tuple(body.blocked), because, conflicts)


def _one_line(text: str) -> str:
    bare = " ".join(text.split())
    return (bare[:1].upper() + bare[1:])[:LONGEST_GAP_TEXT]


def show_passage(body: DraftBody, passage: Passage, quoted: Sequence[Passage], language: Language, thread: str) -> None:
    known = {line for each in quoted if each.source == passage.source for line in each.lines}
    fresh = [line for line in passage.lines if line not in known]
    kept = [line for line in fresh if _may_stand(body, line, passage.source, thread)]
    if not kept:
        return
    text = _shown_lines(kept)
    spoken = passage.snippet.snippet.language
    if spoken != language and spoken != body.announced:
        said = phrases(language)
        text = f"{said['other_language'].format(language=said[f'language_{spoken}'])}\n{text}"
    body.announced = None if spoken == language else spoken
    body.paragraphs.append(text)
    body.claims += [Claim(line.text, (passage.quote(line),)) for line in kept]


def _may_stand(body: DraftBody, line: EvidenceLine, source: str, thread: str) -> bool:
    grounds = Grounds(
        (Quote(source, line.raw), Quote(source, " ".join(line.columns)), Quote(source, line.text)), thread
    )
    why = forbidden(line.text) or untraced(line.text, grounds)
    if why is not None:
        body.blocked.append(Blocked(line.text, why))
    return why is None


def _shown_lines(lines: Sequence[EvidenceLine]) -> str:
    """Sentences of a paragraph run on; items and rows have a line each."""
    text = ""
    for before, line in zip([None, *lines], lines, strict=False):
        if before is None:
            text = line.text if line.kind == "sentence" or len(lines) == 1 else f"- {line.text}"
        elif line.kind == "sentence" or line.paragraph == before.paragraph:
            text += f" {line.text}"
        else:
            text += f"\n- {line.text}"
    return text


def _show_conflict(body: DraftBody, answer: Answer, language: Language, thread: str) -> None:
    """Both, side by side, inside a gap: no value is chosen silently, and it cannot go out as it is. Where one of them
    says what only a person may say, the other is no answer either: nothing is said, and the question stays open."""
    assert answer.passage is not None
    assert answer.conflict is not None
    said = phrases(language)
    both = (answer.passage, answer.conflict)
    kept = [[line for line in each.lines if _may_stand(body, line, each.source, thread)] for each in both]
    if not all(kept):
        return
    rows = []
    for passage, lines in zip(both, kept, strict=True):
        rows.append(f"{_name(passage)}: {_shown_lines(lines)}")
        body.claims += [Claim(line.text, (passage.quote(line),)) for line in lines]
    body.announced = None
    body.paragraphs.append(f"{GAP_OPENS} {said['conflict']}\n" + "\n".join(rows) + f" {GAP_CLOSES}")
    body.questions.append(f"{said['conflict']} {answer.passage.source}, {answer.conflict.source}")


def _name(passage: Passage) -> str:
    """What the paper calls itself; a file's name may hold numbers that nobody said."""
    return next(iter(passage.snippet.snippet.headings), passage.source)


def open_questions(answers: Sequence[Answer]) -> tuple[str, ...]:
    """What no paper answers, as it was asked."""
    return tuple(
        dict.fromkeys(_one_line(each.question.text) for each in answers if each.passage is None or each.partly)
    )


def with_gaps(
    paragraphs: Sequence[str],
    answers: Sequence[Answer],
    said: Mapping[str, str],
    questions: Iterable[str] | None = None,
) -> list[str]:
    """Each open question as a marked gap below what is answered."""
    asked = {_one_line(answer.question.text) for answer in answers}
    left = [each for each in (open_questions(answers) if questions is None else questions) if each in asked]
    gaps = [f"{GAP_OPENS} {said['open'].format(question=question)} {GAP_CLOSES}" for question in left]
    return [*paragraphs, *gaps]


def letter(paragraphs: Sequence[str], said: Mapping[str, str], sender: str, voice: Voice) -> str:
    """Greeting, thanks, what there is to say, closing and signature."""
    name = " ".join(sender.split())
    named = (voice.greeting or said["greeting"]).format(name=name)
    greeting = named if _NAME.match(name) else said["greeting_unnamed"]
    thanks = [said["thanks"]] if voice.thanks else []
    closing = "\n".join(part for part in (voice.closing or said["closing"], voice.signature) if part)
    return "\n\n".join([greeting, *thanks, *paragraphs, closing])
