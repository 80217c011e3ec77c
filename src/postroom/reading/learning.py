"""What corrections teach of a sender: only what several documents agree on, and none contradicts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum

from postroom.nouns.documents import Booking, DocumentText, Value
from postroom.reading.extractor import extract
from postroom.reading.labels.words import spell
from postroom.reading.profiles import OF_BOOKINGS, OF_INVOICES, OF_TRADES, Lesson, SenderProfile, labels_beside

TRADE, INVOICE = "trade", "invoice"
CHECKED = {
    TRADE: ("direction", "trade_date", "quantity", "isin", "currency", "net", "fees", "taxes", "settlement_date"),
    INVOICE: ("number", "issue_date", "due_date", "currency", "net_total", "tax_total", "grand_total", "iban"),
}
OF_ANOTHER = ("isin", "pay_date", "ex_date", "quantity", "currency", "net", "fees", "taxes", "gross")
"""What is checked of a dividend and of kinds to come."""
LEARNABLE = {TRADE: OF_TRADES, INVOICE: OF_INVOICES}
NOTICED = 20  # lessons of a sender that too few agree on so far


@dataclass(frozen=True, slots=True)
class CheckedPaper:
    """A document of one entry, with what was found right in it; `kind` is the entry's, all trades being one."""

    text: DocumentText
    values: Mapping[str, Value]
    kind: str = TRADE
    id: str = ""
    by_person: bool = True
    """Whether a person found it right; one that was confirmed by itself teaches nothing."""


class Say(Enum):
    """What a document says of a lesson."""

    NOTHING = 0
    MENDED = 1
    AGREED = 2
    BROKEN = 3


def taught(
    before: SenderProfile | None, paper: CheckedPaper, changed: Collection[str], earlier: Sequence[CheckedPaper]
) -> SenderProfile:
    """The sender's profile once a person found a paper right after correcting the fields in `changed`, perhaps none.

    The paper is heard on every lesson known so far. What it contradicts is dropped. What enough papers agree on, and
    none of the earlier ones contradicts, the next ones are read with.
    """
    known = held_against(before, paper, changed)
    for lesson in known.lessons:
        said = Say.NOTHING if known.holds(lesson) else _say(known, lesson, paper, changed)
        if said is Say.MENDED:
            known = known.noting(lesson.told_by(mended=[paper.id]))
        elif said is Say.AGREED:
            known = known.noting(lesson.told_by(agreed=[paper.id]))
    for lesson in _noticed(known, paper, changed):
        if all(one.key != lesson.key for one in known.lessons) and not _breaks_one(known, lesson, earlier):
            agreed = [one.id for one in earlier if one.by_person and _say(known, lesson, one) is Say.AGREED]
            known = known.noting(lesson.told_by(mended=[paper.id], agreed=agreed))
    return _newest(_agreed(known, paper, changed, earlier))


def held_against(before: SenderProfile | None, paper: CheckedPaper, changed: Collection[str]) -> SenderProfile:
    """The sender's profile without what a paper contradicts. What it said before is forgotten: it is heard anew."""
    known = (before or SenderProfile()).without(paper.id)
    for lesson in (*_bare(known), *known.lessons):
        if _say(known, lesson, paper, changed) is Say.BROKEN:
            known = known.contradicted(lesson, paper.id)
    return known


def _bare(known: SenderProfile) -> list[Lesson]:
    """What documents are read with though nothing says by whom it was taught."""
    evident = {one.key for one in known.lessons}
    return [Lesson(name, phrase) for phrase, name in known.labels.items() if (phrase, name) not in evident]


def _noticed(known: SenderProfile, paper: CheckedPaper, changed: Collection[str]) -> Iterator[Lesson]:
    """What would have read a corrected paper right: the words beside what a person wrote, or the habit."""
    corrected = {name: paper.values[name] for name in changed if name in paper.values}
    tried = []
    if paper.kind == TRADE and "trade_date" in corrected:
        tried.append(Lesson("trade_date", overrules=True))
    of_others = _read_for_others(known, paper)
    for name, value in corrected.items():
        for beside in labels_beside(paper.text, {name: value}, LEARNABLE.get(paper.kind, OF_BOOKINGS)):
            for phrase in beside.phrases:
                taken = value in of_others or phrase in beside.taken
                tried.append(Lesson(beside.field, phrase, overrules=taken or _was_dropped(known, phrase)))
    yield from (lesson for lesson in tried if _say(known, lesson, paper, changed) is Say.MENDED)


def _was_dropped(known: SenderProfile, phrase: str) -> bool:
    """What was dropped once must convince more than what is new."""
    return any(one.phrase.endswith(phrase) or phrase.endswith(one.phrase) for one in known.dropped if one.phrase)


def _read_for_others(known: SenderProfile, paper: CheckedPaper) -> list[date]:
    """The days that were read, and rightly: a word beside one of them is its own."""
    read = _read(paper, known)
    values = read[0] if len(read) == 1 else {}
    return [day for name, day in values.items() if type(day) is date and day == paper.values.get(name)]


def _agreed(
    known: SenderProfile, paper: CheckedPaper, changed: Collection[str], earlier: Sequence[CheckedPaper]
) -> SenderProfile:
    """With what enough papers agree on by this one: first what most do, and nothing that the others mended already."""
    waiting = [lesson for lesson in known.lessons if lesson.is_agreed and not known.holds(lesson)]
    for lesson in sorted(waiting, key=lambda one: (-one.documents, bool(one.phrase), -len(one.phrase))):
        if _breaks_one(known, lesson, earlier):
            known = known.forgetting(lesson)
        elif paper.id in lesson.agreed or _say(known, lesson, paper, changed) is Say.MENDED:
            known = known.reading_with(lesson)
    return known


def _newest(known: SenderProfile) -> SenderProfile:
    """Of what too few agree on, the newest."""
    waiting = [lesson for lesson in known.lessons if not known.holds(lesson)]
    for lesson in waiting[:-NOTICED]:
        known = known.forgetting(lesson)
    return known


def _breaks_one(known: SenderProfile, lesson: Lesson, earlier: Sequence[CheckedPaper]) -> bool:
    return any(_say(known, lesson, paper) is Say.BROKEN for paper in earlier)


def _say(known: SenderProfile, lesson: Lesson, paper: CheckedPaper, changed: Collection[str] = ()) -> Say:
    """What a paper says of a lesson, by how it is read with it and without it."""
    if lesson.phrase and not _stands_on(lesson.phrase, paper.text):
        return Say.NOTHING
    without, read = (_misread(paper, one(lesson)) for one in (known.reading_without, known.reading_with))
    if read.keys() < without.keys():  # what was not typed by a person was read with the lesson: no proof of it
        return Say.NOTHING if (without.keys() - read.keys()).isdisjoint(changed) else Say.MENDED
    if any(name not in without or value != without[name] for name, value in read.items()):
        return Say.BROKEN
    agrees = lesson.phrase and not _misread(paper, None) and _stands_beside(lesson, paper)
    return Say.AGREED if agrees else Say.NOTHING


def _stands_on(phrase: str, text: DocumentText) -> bool:
    words = {word for page in text.pages for one in page.words for word in spell(one.text)}
    return words.issuperset(phrase.split(" "))


def _stands_beside(lesson: Lesson, paper: CheckedPaper) -> bool:
    learnable = LEARNABLE.get(paper.kind, OF_BOOKINGS)
    values = {name: value for name, value in paper.values.items() if learnable.get(name) == lesson.field}
    return any(lesson.phrase in beside.phrases for beside in labels_beside(paper.text, values, learnable))


def misread(paper: CheckedPaper, profile: SenderProfile | None) -> frozenset[str]:
    """The fields that are read otherwise than a person found them; of none or several entries, all."""
    return frozenset(_misread(paper, profile))


def _misread(paper: CheckedPaper, profile: SenderProfile | None) -> dict[str, Value | None]:
    """The same, with what was read instead."""
    names = [name for name in CHECKED.get(paper.kind, OF_ANOTHER) if name in paper.values]
    read = _read(paper, profile)
    if len(read) != 1:
        return dict.fromkeys(names)
    return {name: read[0].get(name) for name in names if read[0].get(name) != paper.values[name]}


def _read(paper: CheckedPaper, profile: SenderProfile | None) -> list[Mapping[str, Value | None]]:
    """The values of each entry of the paper's kind."""
    read = extract(paper.text, profile)
    if paper.kind == TRADE:
        return [{name: getattr(trade, name) for name in trade.NAMES} for trade in read.trades]
    if paper.kind == INVOICE:
        bill = read.invoice
        return [] if bill is None else [{name: getattr(bill, name) for name in bill.NAMES}]
    return [entry.values for entry in read.entries if isinstance(entry, Booking) and entry.kind == paper.kind]
