"""What a mail asks: its questions one by one, what kind of answer each wants, and what it leans on."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from importlib import resources
from itertools import chain, takewhile
from typing import Any, Literal

from postroom.mail.language import Language
from postroom.mail.sentences import fold, tokens
from postroom.mail.subjects import bare_subject
from postroom.rooms.replies.rules.marks import speaks_to_machines
from postroom.rooms.replies.rules.periods import ALWAYS, Period, named_days
from postroom.rooms.replies.rules.reminders import reminds
from postroom.rooms.replies.rules.sentencing import sentence_texts
from postroom.rooms.replies.rules.slots import Slot, slots_of

Want = Literal["money", "time", "duration", "count", "size", "contact"]
MOST_QUESTIONS = 60
MOST_LOOKED_UP = 12  # of them; the others stay open
FEW_SLOTS = 2  # a question with no more words of its own than these leans on the thread
LED_BY = 2  # sentences that tell what a question is about
FEWEST_FIELDS = 2  # of a web form, one of them for what was typed
LONGEST_QUESTION = 600
LONGEST_TOLD = 800  # letters of a mail that are held against papers as a whole
MOST_HELD = 14
_ITEM = re.compile(r"^\s*(?:[-*•–]\s+|\(?\d{1,2}[.)]\s+|[a-z]\)\s+)")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?![\d.,]\d|\d)")


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that is asked, with the words that an answer has to cover."""

    text: str
    language: Language
    slots: tuple[Slot, ...]
    wants: frozenset[Want]
    years: frozenset[int] = frozenset()
    before: tuple[Slot, ...] = ()  # what it leans on, and an answer has to cover too: the question before it
    loosely: bool = False  # it leans on a sentence that was no question, and says much else
    around: tuple[Slot, ...] = ()  # what was said beside it
    topic: tuple[Slot, ...] = ()  # the subject of the mail
    part: int = 0  # of its sentence
    firm: bool = True  # an answer without the wanted kind of value is none
    days: Period = ALWAYS  # about which it asks
    today: date | None = None
    subject: str = ""
    lead: str = ""  # the sentences before it
    mail: str = ""  # all that is new in it

    @property
    def leans(self) -> bool:
        return bool(self.before)


@dataclass(frozen=True, slots=True)
class Asked:
    """A mail as questions, and what surrounds them."""

    questions: tuple[Question, ...]
    context: tuple[Slot, ...] = ()
    orders: tuple[str, ...] = field(default=())  # sentences that speak to a machine: left out, and told

    @property
    def looked_up(self) -> tuple[Question, ...]:
        return self.questions[:MOST_LOOKED_UP]


@dataclass(frozen=True, slots=True)
class Held:
    """What a question may lean on: the one before it, what else was said, and the thread around it."""

    question: tuple[Slot, ...] = ()
    said: tuple[Slot, ...] = ()
    around: tuple[Slot, ...] = ()


@cache
def _raw() -> dict[str, Any]:
    return tomllib.loads(resources.files("postroom.rooms.replies").joinpath("words/asking.toml").read_text("utf-8"))


@cache
def _openers(language: Language) -> tuple[frozenset[str], tuple[tuple[str, ...], ...]]:
    said = [tuple(tokens(each.replace("_", " "))) for each in _raw()["openers"][language].split()]
    return frozenset(each[0] for each in said if len(each) == 1), tuple(each for each in said if len(each) > 1)


@cache
def _joins(language: Language) -> frozenset[str]:
    return frozenset(fold(word) for word in _raw()["joins"][language].split())


@cache
def _conditional() -> frozenset[str]:
    return frozenset(fold(word) for word in _raw()["conditions"]["all"].split())


@cache
def _leaning(language: Language) -> frozenset[str]:
    return frozenset(fold(word) for word in _raw()["leaning"][language].split())


@cache
def _phrases(section: str, name: str) -> re.Pattern[str]:
    phrases = sorted(set(_raw()[section][name]), key=len, reverse=True)
    return re.compile(
        r"(?<!\w)(?:" + "|".join(re.escape(each).replace(r"\ ", r"\s+") for each in phrases) + r")(?!\w)", re.I
    )


def asked(
    subject: str,
    text: str,
    language: Language,
    earlier: Sequence[str] = (),
    waiting: Sequence[str] = (),
    today: date | None = None,
) -> Asked:
    """`text` is what the sender newly wrote, `waiting` what was left unanswered before it, `earlier` what else was said
    in the thread, newest first. A question asks about the days that were named last, or about today."""
    sentences, orders = _kept("\n\n".join(map(_fields_apart, [*waiting, text])), language)
    if waiting:
        sentences = [each for each in sentences if not reminds(each, language)]
    asking = {at for at, sentence in enumerate(sentences) if _asks(sentence, language)} or _unmarked(
        sentences, language
    )
    asking = _with_lists(sentences, asking, language)
    topic = tuple(slot for slot in slots_of(bare_subject(subject), language) if slot.kind == "word")
    spoken = tuple(slot for each in earlier[:2] for slot in slots_of(each, language) if slot.kind == "word")
    found: list[Question] = []
    held = Held(around=spoken)
    days = Period(today, today) if today else ALWAYS
    for at, sentence in enumerate(sentences):
        days = _days_of(sentence, today, days, asks=at in asking) if today else days
        if at in asking:
            lead = " ".join(sentences[max(0, at - LED_BY) : at])
            made = [replace(each, days=days, lead=lead) for each in _questions(sentence, language, held)]
            found += made
            question = _merged(*(each.slots for each in made), made[-1].before if made else ())
            held = Held(question[:MOST_HELD], (), ())
        elif said := slots_of(sentence, language):
            held = Held(held.question, said[:MOST_HELD], held.around)
    rest = " ".join(sentence for at, sentence in enumerate(sentences) if at not in asking)
    named, mail = bare_subject(subject), " ".join(sentences)[:LONGEST_TOLD]
    questions = tuple(
        replace(each, topic=topic, today=today, subject=named, mail=mail) for each in found[:MOST_QUESTIONS]
    )
    return Asked(questions, slots_of(rest, language), tuple(orders))


def _days_of(sentence: str, today: date, before: Period, *, asks: bool) -> Period:
    """A question is about the days that it names itself; else about those to come that were named last, or today."""
    named = named_days(sentence, today)
    to_come = named.first is not None and named.first >= today
    return named if named and (asks or to_come) else before


_FIELD = re.compile(r"^[^\S\n]*([^\W\d_][^\n:?!.]{0,30}?)[^\S\n]*:(?!//)[^\S\n]*", re.MULTILINE)


def _fields_apart(text: str) -> str:
    """What a web form sends: each field apart from the one before, and what was typed without the name of its field."""
    if len(_FIELD.findall(text)) < FEWEST_FIELDS or not any(_names_message(each[1]) for each in _FIELD.finditer(text)):
        return text
    return _FIELD.sub(lambda field: "\n" if _names_message(field[1]) else f"\n{field[0]}", text)


def _names_message(label: str) -> bool:
    return tokens(label) in _message_fields()


@cache
def _message_fields() -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(tokens(each)) for each in _raw()["forms"]["message"])


def _kept(text: str, language: Language) -> tuple[list[str], list[str]]:
    """Sentences for people, and those that give orders to a machine; what an order says next to it belongs to it."""
    kept: list[str] = []
    orders: list[str] = []
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*•–]\s+|\(?\d{1,2}[.)]\s+|[a-z]\)\s+|\[))|(?<=\])\s*\n", text):
        ordered = False
        marked = _ITEM.match(block)
        block = f"- {block[marked.end() :]}" if marked else block
        for sentence in chain.from_iterable(map(_in_pieces, sentence_texts(_unwrapped(block), language))):
            ordered = ordered or speaks_to_machines(sentence)
            if ordered and (speaks_to_machines(sentence) or not sentence.endswith("?")):
                orders.append(sentence)
            else:
                ordered = False
                kept.append(sentence)
    return kept, orders


def _in_pieces(sentence: str) -> Iterator[str]:
    """A sentence that is too long to be one question is cut at commas; what it asks stands mostly at its end."""
    while len(sentence) > LONGEST_QUESTION:
        comma, space = (sentence.rfind(mark, LONGEST_QUESTION // 2, LONGEST_QUESTION) for mark in (", ", " "))
        cut = next((at + 1 for at in (comma, space) if at > 0), LONGEST_QUESTION)
        yield sentence[:cut].rstrip()
        sentence = sentence[cut:].lstrip()
    yield sentence


def _unwrapped(block: str) -> str:
    return " ".join(block.split())


def _asks(sentence: str, language: Language) -> bool:
    """With a question mark, beginning like a question, or asking to be told something."""
    if sentence.rstrip(" \"'»”)").endswith("?"):
        return True
    said = tokens(_ITEM.sub("", sentence))
    start = 1 if said[:1] and said[0] in _joins(language) else 0
    if _opens(said, start, language) and len(said) > start + 2 and said[start] not in _CONDITIONS:
        return True
    return bool(_phrases("requests", "all").search(sentence)) and _opens_inside(sentence, language)


_CONDITIONS = frozenset(
    [
        "if",
        "when",
        "will",
        "ob",
        "wie",
        "as",
        "que",
        "si",
        "se",
        "om",
        "of",
        "jak",
        "or",
        "che",
        "da",
        "nar",
        "kan",
        "har",
        "is",
        "are",
    ]
)


def _opens_inside(sentence: str, language: Language) -> bool:
    """A request that has a question in it: "tell me what …"."""
    said = tokens(sentence)
    single, several = _openers(language)
    asking = single & _interrogatives(language)
    return any(word in asking for word in said[1:]) or any(_starts(said, at, several) for at in range(1, len(said)))


@cache
def _interrogatives(language: Language) -> frozenset[str]:
    """Of the openers those that are no verbs: a verb in the middle of a sentence opens nothing."""
    raw = _raw()["openers"][language].split()
    verb = next((at for at, word in enumerate(raw) if word in _FIRST_VERBS), len(raw))
    return frozenset(fold(word) for word in raw[:verb] if "_" not in word)


_FIRST_VERBS = frozenset(["is", "ist", "est-ce", "es", "è", "é", "jest", "är", "er"])


def _starts(said: Sequence[str], at: int, several: Sequence[tuple[str, ...]]) -> bool:
    return any(tuple(said[at : at + len(each)]) == each for each in several)


def _unmarked(sentences: Sequence[str], language: Language) -> set[int]:
    """Nobody put a question mark: those that ask for something."""
    return {at for at, each in enumerate(sentences) if _phrases("requests", "all").search(each)}


def _with_lists(sentences: Sequence[str], asking: set[int], language: Language) -> set[int]:
    """After "could you tell me:" every item of the list asks, and what leads to them asks nothing by itself."""
    found = set(asking)
    for at, sentence in enumerate(sentences):
        leads = sentence.endswith(":") and (at in asking or _phrases("requests", "all").search(sentence))
        items = list(takewhile(lambda below: _ITEM.match(sentences[below]), range(at + 1, len(sentences))))
        if leads and items:
            found |= set(items)
            if not any(slot.kind == "word" for slot in slots_of(sentence, language)):
                found.discard(at)
    return found


def _opens(said: Sequence[str], at: int, language: Language) -> bool:
    single, several = _openers(language)
    return at < len(said) and (said[at] in single or _starts(said, at, several))


def _parts(sentence: str, language: Language) -> Iterator[str]:
    """A sentence may ask several things: it is cut where a joining word is followed by a word that opens a question."""
    clean = _greeted(_ITEM.sub("", sentence))
    marks = list(re.finditer(r"[^\W_]+(?:[-'’][^\W_]+)*", clean))
    said = [fold(mark[0].replace("’", "'")) for mark in marks]
    flat = [tokens(mark[0]) for mark in marks]
    cuts = [0]
    for at in range(1, len(said)):
        words = [word for each in flat[at : at + 4] for word in each]
        after_join = said[at - 1] in _joins(language) and at - 1 > 0
        after_comma = (
            "," in clean[marks[at - 1].end() : marks[at].start()]
            or ";" in clean[marks[at - 1].end() : marks[at].start()]
        )
        if (after_join and _opens(words, 0, language)) or (after_comma and _asks_anew(words, language)):
            start = marks[at - 1].start() if after_join else marks[at].start()
            if start > cuts[-1] + 8:
                cuts.append(start)
    for start, end in zip(cuts, [*cuts[1:], len(clean)], strict=True):
        if piece := clean[start:end].strip(" ,;"):
            yield piece


def _greeted(sentence: str) -> str:
    """Without the greeting at its beginning."""
    match = _phrases("greetings", "all").match(sentence)
    rest = re.match(r"[^,:!.?]{0,40}[,:!]\s*", sentence[match.end() :]) if match else None
    return sentence[match.end() + rest.end() :] if match and rest else sentence


def _asks_anew(words: Sequence[str], language: Language) -> bool:
    single, several = _openers(language)
    return bool(words) and (words[0] in single & _interrogatives(language) or _starts(words, 0, several))


def _questions(sentence: str, language: Language, held: Held) -> Iterator[Question]:
    """The parts of one sentence. A later part leans on those before it; the first on what was said before."""
    before = held
    listed = _ITEM.match(sentence) is not None
    for number, part in enumerate(_whole_parts(sentence, language)):
        wants = _wants(part)
        every = slots_of(part, language)
        slots = tuple(slot for slot in every if not _carries(slot, wants))
        if number == 0 and not any(slot.kind == "word" for slot in slots) and not (held.question or held.said):
            slots = every
        words = sum(slot.kind == "word" for slot in slots)
        bound = _leans(tokens(part), words, number, before, language, wants=bool(wants), listed=listed)
        leant_on = before.question or before.said or before.around
        near = _merged(before.question if number else (), before.said, before.around)
        yield Question(
            text=part,
            language=language,
            slots=slots,
            wants=wants,
            years=frozenset(int(year) for year in _YEAR.findall(part)),
            before=_unless_said(leant_on, slots)[:MOST_HELD] if bound else (),
            loosely=not before.question,
            around=_unless_said(near, (*slots, *(leant_on if bound else ())))[:MOST_HELD],
            part=number,
            firm=_is_firm(part, wants),
        )
        before = Held(_merged(slots, before.question if number or bound else ()), before.said, before.around)


def _leans(
    said: Sequence[str], words: int, number: int, before: Held, language: Language, *, wants: bool, listed: bool
) -> bool:
    """Whether it cannot stand alone, so that an answer has to cover what it leans on too."""
    if words == 0:
        return True
    if words > FEW_SLOTS or (listed and not number):
        return False
    if number > 0:
        return True
    if not before.question:
        return bool(before.said) and words <= 1 and any(word in _leaning(language) for word in said)
    return said[0] in _joins(language) or (words <= 1 and (wants or any(word in _leaning(language) for word in said)))


def _whole_parts(sentence: str, language: Language) -> list[str]:
    """A part that asks nothing by itself, such as a greeting, goes with the next one."""
    whole: list[str] = []
    loose = ""
    for part in _parts(sentence, language):
        joined = f"{loose} {part}".strip()
        if tokens(part)[:1] and tokens(part)[0] in _conditional():
            loose = joined  # "if nobody can work, how fast …" asks once
            continue
        if not whole and not slots_of(joined, language) and not _wants(joined):
            loose = "" if len(tokens(joined)) <= 3 else joined
            continue
        if not whole and not slots_of(part, language):
            loose = joined
            continue
        whole.append(joined)
        loose = ""
    if len(whole) > 1 and not _wants(whole[0]) and _wants(whole[1]) and tokens(whole[1])[0] not in _joins(language):
        whole[:2] = [f"{whole[0]}, {whole[1]}"]  # "which connection is there, how many amps?" asks once
    return [*whole, loose] if loose else whole


def _is_firm(part: str, wants: frozenset[Want]) -> bool:
    if "contact" in wants:
        return True
    said = [" ".join(match[0].lower().split()) for match in _phrases("wants", "money").finditer(part)]
    return any(each not in _raw()["weak"]["money"] for each in said)


@cache
def _carriers(want: Want) -> frozenset[str]:
    return frozenset(f"@{concept}" for concept in _raw()["carriers"][want])


def _carries(slot: Slot, wants: frozenset[Want]) -> bool:
    meant = {key for key, _ in slot.keys if key.startswith("@")}
    return bool(meant) and meant <= frozenset[str]().union(*(_carriers(want) for want in wants))


def _wants(part: str) -> frozenset[Want]:
    kinds: tuple[Want, ...] = ("money", "time", "duration", "count", "size", "contact")
    found = {kind for kind in kinds if _phrases("wants", kind).search(part)}
    if "money" in found and found & {"duration", "size", "count"} and _only_how_much(part):
        found -= {"money"}  # "how much earlier"
    if "time" in found and not _asks_when(part):
        found -= {"time"}
    if "duration" in found and found & {"time", "count"}:
        found -= {"count"}
    return frozenset(found)


def _only_how_much(part: str) -> bool:
    return {" ".join(match[0].lower().split()) for match in _phrases("wants", "money").finditer(part)} == {"how much"}


def _asks_when(part: str) -> bool:
    """A word for "when" after another question word asks for no time: "what happens when …"."""
    said = list(_phrases("wants", "time").finditer(part))
    if any(match[0].lower() not in _raw()["whens"]["all"] for match in said):
        return True
    before = tokens(part[: said[0].start()])
    return not any(word in _raw()["whats"]["all"] for word in before)


def _merged(*many: Sequence[Slot]) -> tuple[Slot, ...]:
    seen: dict[str, Slot] = {}
    for slots in many:
        for slot in slots:
            seen.setdefault(slot.text, slot)
    return tuple(seen.values())


def _unless_said(slots: Sequence[Slot], own: Sequence[Slot]) -> tuple[Slot, ...]:
    keys = {key for slot in own for key, _ in slot.keys}
    return tuple(slot for slot in slots if not keys & {key for key, _ in slot.keys})
