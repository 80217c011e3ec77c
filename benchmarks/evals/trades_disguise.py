"""The same contract notes in another broker's dress: what reading loses shows which mechanism is brittle.

    python -m benchmarks.evals.trades_disguise DATA… [--most N] [--only NAME…] [--show NAME]

Every disguise keeps the facts and changes how they are printed: a label becomes a word that nobody knows, a value moves
below its label or all values below all labels, numbers and days are written as elsewhere, small print is added. Papers of
closed brokers are left out. `--most` papers of a broker count, so that large ones do not outvote small ones.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.evals import trades_data
from benchmarks.evals.trades_data import Case, misread
from postroom.reading.confidence import shipped
from postroom.reading.labels.words import PhraseHit

MOST_PER_BROKER = 6
FIRM = 1.5
UNKNOWN = ("Ravelin", "Quonset", "Tamarill", "Obdurex", "Felspra", "Wendigam")
FIELDS = ("quantity", "price", "gross", "net", "fee", "trade_date", "settlement_date", "fx")
TITLES = ("contract", "statement")
_AMOUNT = re.compile(r"(?<![\w.,'-])(\d{1,3}(?:([.,'’])\d{3})*|\d+)([.,])(\d+)(?![\w%]|[.,:]\d)")
_DAY = re.compile(r"(?<![\d.])([0-3]?\d)\.([01]?\d)\.((?:19|20)\d\d)(?!\d)")
_BEFORE = re.compile(r"\b(EUR|USD|CHF|GBP) (-?[\d.,']*\d)(?![\w%]| (?:EUR|USD|CHF|GBP)\b)")
_BEHIND = re.compile(r"(?<![\w.,])(-?\d[\d.,']*) (EUR|USD|CHF|GBP)\b(?! -?\d)")
_LABELLED = re.compile(
    r"(?P<label>[^\W\d_][^\d:]{2,40}?)\s*:?\s+(?P<value>(?:[A-Z]{3} )?[-+]?\d[\d.,' ]*-?(?: ?[A-Z]{3}|%)?)"
)
SHOWN = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

Disguise = Callable[[Case], str]


def unknown_label(case: Case, field: str) -> str:
    """Each label of a field is a word that is in no lexicon."""
    return _renamed(case, lambda hit: _loudest(hit) == field and _weight(hit) >= FIRM, labels=True)


def unknown_title(case: Case) -> str:
    return _renamed(case, lambda hit: _loudest(hit) in TITLES, labels=False)


def _renamed(case: Case, chosen: Callable[[PhraseHit], bool], *, labels: bool) -> str:
    reading = case.read().reading
    words: dict[str, str] = {}
    lines = []
    for index, line in enumerate(reading.text.lines):
        text = line.text
        for hit in reversed((reading.labels if labels else reading.topics)[index]):
            if chosen(hit):
                name = words.setdefault(hit.phrase, UNKNOWN[len(words) % len(UNKNOWN)])
                text = text[: hit.start] + name + text[hit.end :]
        lines.append(text)
    return "\n".join(lines)


def _loudest(hit: PhraseHit) -> str:
    return max(hit.meaning, key=lambda item: item[1])[0]


def _weight(hit: PhraseHit) -> float:
    return max(weight for _, weight in hit.meaning)


def value_below(case: Case) -> str:
    """`Kurs 12,50 EUR` in two lines."""
    return "\n".join(part for line in case.text.splitlines() for part in _parted(line))


def _parted(line: str) -> tuple[str, ...]:
    found = _LABELLED.fullmatch(line.strip())
    return (found["label"], found["value"]) if found else (line,)


def value_first(case: Case, between: str) -> str:
    """`12,50 EUR Kurs`, on one line or with the value in the line above."""
    found = ((line, _LABELLED.fullmatch(line.strip())) for line in case.text.splitlines())
    return "\n".join(f"{match['value']}{between}{match['label']}" if match else line for line, match in found)


def values_apart(case: Case) -> str:
    """Labels that stand below each other come first, then all their values."""
    lines: list[str] = []
    labels: list[str] = []
    values: list[str] = []
    for line in [*case.text.splitlines(), ""]:
        found = _LABELLED.fullmatch(line.strip())
        if found:
            labels.append(found["label"])
            values.append(found["value"])
            continue
        lines += [*labels, *values, line]
        labels, values = [], []
    return "\n".join(lines)


def two_columns(case: Case) -> str:
    """Two lines of label and value on one."""
    lines: list[str] = []
    open_line = ""
    for line in case.text.splitlines():
        if _LABELLED.fullmatch(line.strip()):
            lines += [f"{open_line} {line}"] if open_line else []
            open_line = "" if open_line else line
        else:
            lines += [open_line, line] if open_line else [line]
            open_line = ""
    return "\n".join([*lines, open_line])


def numbers(case: Case, thousands: str, decimal: str) -> str:
    marks = Counter(found[3] for found in _AMOUNT.finditer(case.text) if len(found[4]) == 2)
    own = marks.most_common(1)[0][0] if marks else decimal

    def written(found: re.Match[str]) -> str:
        if found[3] != own and (found[2] or len(found[4]) != 3):
            return found[0]
        whole = re.sub(r"\D", "", found[1]) if found[3] == own else re.sub(r"\D", "", found[1] + found[4])
        grouped = f"{int(whole):,}".replace(",", thousands) if found[2] or found[3] != own else whole
        return grouped + (decimal + found[4] if found[3] == own else "")

    return _AMOUNT.sub(written, case.text)


def days(case: Case, form: str) -> str:
    return _DAY.sub(
        lambda found: form.format(
            d=int(found[1]), m=int(found[2]), y=int(found[3]), s=int(found[3]) % 100, n=SHOWN[(int(found[2]) - 1) % 12]
        ),
        case.text,
    )


def currency_behind(case: Case) -> str:
    return _BEFORE.sub(r"\2 \1", case.text)


def currency_before(case: Case) -> str:
    return _BEHIND.sub(r"\2 \1", case.text)


def currency_apart(case: Case) -> str:
    """A blank between an amount's currency and its line: `EUR` alone in the line above."""
    return _BEFORE.sub("\\1\n\\2", case.text)


SMALL_PRINT = {
    "de": (
        """Erstellt am 28.12.2027
Ihr Ansprechpartner: Frau Muster, Telefon 0800 123456
Kundennummer 4711 0815
""",
        """
Angaben zur steuerlichen Behandlung
Verlusttopf Aktien 1.250,00 EUR
Freistellungsauftrag verfügbar 801,00 EUR
Bei einem Verkauf fallen weitere Kosten an. Kauf und Verkauf von Wertpapieren sind mit Risiken verbunden.
Bestand nach Buchung 4.000 Stück
Vorstand: A. Muster, B. Muster. HRB 12345, Amtsgericht Musterstadt
""",
    ),
    "en": (
        """Printed on 28 December 2027
Your adviser: Ms Sample, telephone 0800 123456
Client number 4711 0815
""",
        """
Buying and selling securities involves risk. A sale may incur further costs.
Holding after this deal 4000
Cash balance 1,250.00
Registered office: 1 Sample Street. Company number 12345
""",
    ),
}


def small_print(case: Case) -> str:
    language = case.read().reading.lexicon.languages[0]
    before, behind = SMALL_PRINT.get(language, SMALL_PRINT["en"])
    return before + case.text + behind


def turned_over(case: Case) -> str:
    """The lines with sums, charges and days in the order from last to first."""
    lines = case.text.splitlines()
    places = [at for at, line in enumerate(lines) if _LABELLED.fullmatch(line.strip())]
    for at, line in zip(places, [lines[at] for at in reversed(places)], strict=True):
        lines[at] = line
    return "\n".join(lines)


DISGUISES: Mapping[str, Disguise] = {
    "as printed": lambda case: case.text,
    **{f"unknown {field}": partial(unknown_label, field=field) for field in FIELDS},
    "unknown title": unknown_title,
    "value below": value_below,
    "value first": partial(value_first, between=" "),
    "value above": partial(value_first, between="\n"),
    "values apart": values_apart,
    "two columns": two_columns,
    "turned over": turned_over,
    "1'234.50": partial(numbers, thousands="'", decimal="."),
    "1 234,50": partial(numbers, thousands=" ", decimal=","),
    "1,234.50": partial(numbers, thousands=",", decimal="."),
    "1.234,50": partial(numbers, thousands=".", decimal=","),
    "2027-02-01": partial(days, form="{y}-{m:02}-{d:02}"),
    "1 feb 2027": partial(days, form="{d} {n} {y}"),
    "01/02/2027": partial(days, form="{d:02}/{m:02}/{y}"),
    "01.02.27": partial(days, form="{d:02}.{m:02}.{s:02}"),
    "currency behind": currency_behind,
    "currency before": currency_before,
    "currency above": currency_apart,
    "small print": small_print,
}


STRANGE = ("unknown quantity", "unknown price", "unknown net", "unknown trade_date")
"""Disguises to learn from: how sure a reading is whose labels nobody knows."""


def strangers(cases: Sequence[Case], most: int = MOST_PER_BROKER) -> list[Case]:
    """Some papers of every broker, each once with each of the labels that matter unknown."""
    return [disguised(case, DISGUISES[name]) for name in STRANGE for case in some(cases, most)]


def some(cases: Sequence[Case], most: int) -> list[Case]:
    by_broker: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_broker[case.broker].append(case)
    return [case for own in by_broker.values() for case in own[:: max(len(own) // most, 1)][:most]]


def chosen(cases: Sequence[Case], most: int) -> list[Case]:
    """Some of every broker whose papers may be looked at, of those that are right as printed."""
    right = [case for case in cases if case.fold != "closed" and not misread(case.judged(shipped()), case.truth[0])]
    return some(right, most)


def disguised(case: Case, disguise: Disguise) -> Case:
    return replace(case, text=disguise(case), understood=None)


def lost(cases: Sequence[Case], disguise: Disguise) -> tuple[Counter[str], list[Case]]:
    """What went wrong with the papers that the disguise changed."""
    count: Counter[str] = Counter()
    missed = []
    for case in cases:
        other = disguised(case, disguise)
        if other.text.splitlines() == case.text.splitlines() and disguise is not DISGUISES["as printed"]:
            continue
        answer = other.judged(shipped())
        bad = misread(answer, case.truth[0])
        count.update(["changed", *bad])
        passed = answer.auto_confirm
        count.update({"wrong": bool(bad), "passed": passed, "passed wrong": passed and bool(bad)})
        if bad:
            missed.append(other)
    return count, missed


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="+")
    parser.add_argument("--most", type=int, default=MOST_PER_BROKER)
    parser.add_argument("--only", nargs="*", default=list(DISGUISES))
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    cases = chosen(trades_data.corpus(trades_data.folders(asked.data)).single, asked.most)
    print(f"{len(cases)} papers that are right as printed")
    for name in asked.only:
        count, missed = lost(cases, DISGUISES[name])
        seen = count.pop("changed", 0)
        fields = [(what, n) for what, n in count.most_common() if what not in ("wrong", "passed", "passed wrong") and n]
        told = ", ".join(f"{what} {n}" for what, n in fields)
        gate = f"{count['passed']} pass, {count['passed wrong']} of them wrong"
        print(f"{name:<24}{seen - count['wrong']:>4}/{seen:<4} right; {gate}; {told}", flush=True)
        for case in missed if asked.show else ():
            _show(case)
    return 0


def _show(case: Case) -> None:
    answer = case.judged(shipped())
    truth, trade = case.truth[0], answer.trades[0] if answer.trades else None
    got = trade and " ".join(str(getattr(trade, name)) for name in trades_data.FIELDS)
    wanted = " ".join(str(truth[name]) for name in ("type", "date", "isin", "shares", "amount", "currency"))
    print(f"  {'PASSED ' if answer.auto_confirm else ''}{case.broker}/{case.name} {misread(answer, truth)}")
    print(f"    want {wanted}\n    got  {got}\n    said {answer.because}")


if __name__ == "__main__":
    sys.exit(main())
