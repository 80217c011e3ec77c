"""How well threads are judged: python -m benchmarks.evals.triage.score [--part dev | --round 38] [--misses] [--language de].

A round is judged through the whole of triage, each written line as a mail whose first paragraph is the subject.
"""

from __future__ import annotations

import argparse
import io
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.evals.triage import adjudicate, corpus
from postroom.mail.parse import read_mail
from postroom.outside.files.mbox import entries
from postroom.rooms.triage.rules.analysis import analyse
from postroom.rooms.triage.rules.assembling import thread_from_files
from postroom.rooms.triage.rules.verdicts import Verdict, operators, triage

LARGEST = 10_000_000


def judged(thread: corpus.Thread) -> tuple[Verdict, Any]:
    raw = corpus.as_file(thread)
    if len(thread["messages"]) == 1:
        mails = [read_mail(raw)]
    else:
        mails = [read_mail(each.raw) for each in entries(io.BytesIO(raw), LARGEST) if each.raw]
    assembled = thread_from_files(mails)
    known = operators([*([thread["mailbox"]] if thread["mailbox"] else []), *thread["operators"]])
    verdict = triage(assembled, known)
    return verdict, analyse(assembled, verdict) if verdict.action != "ignore" else None


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--part", default="dev", choices=corpus.PARTS)
    options.add_argument("--round", help="the written mails of this round of training, or of fresh, instead of a part")
    options.add_argument("--language", action="append")
    options.add_argument("--misses", action="store_true", help="each thread that went wrong (never of the closed part)")
    asked = options.parse_args(arguments)
    languages = asked.language or corpus.LANGUAGES
    began = time.process_time()
    threads = corpus.written(asked.round, languages) if asked.round else corpus.threads([asked.part], languages)
    rows = [(thread, *judged(thread)) for thread in threads]
    spent = time.process_time() - began
    for name, group in (("all", rows), *_by(rows, "language")):
        print(_line(name, group))
    for name, group in _by(rows, "topic"):
        print(_line(name, group))
    print(f"{len(rows) / spent:.0f} threads per CPU second")
    if asked.misses and (asked.round or asked.part != "closed"):
        for thread, verdict, analysis in rows:
            _tell_miss(thread, verdict, analysis)


def _by(rows: Sequence[Any], field: str) -> Iterable[tuple[str, list[Any]]]:
    groups: dict[str, list[Any]] = defaultdict(list)
    for row in rows:
        value = row[0]["language"] if field == "language" else row[0]["expect"]["topic"] or "none"
        groups[str(value)].append(row)
    return sorted(groups.items())


def _line(name: str, rows: Sequence[Any]) -> str:
    count: Counter[str] = Counter()
    readings = adjudicate.readings()
    for thread, verdict, analysis in rows:
        expect = thread["expect"]
        count["action"] += verdict.action == expect["action"]
        count["reason"] += verdict.reason == expect["reason"]
        sensitive, said = expect["reason"].startswith("sensitive"), verdict.reason.startswith("sensitive")
        if sensitive:
            count["sensitive"] += 1
            count["recalled"] += said
            count[expect["wording"]] += 1
            count[f"{expect['wording']}_recalled"] += said
            count["sensitive_drafted"] += verdict.action == "draft"
            count["held"] += verdict.action == "needs_review"
        count["said"] += said
        count["rightly_said"] += said and sensitive
        count["drafted"] += verdict.action == "draft"
        count["rightly_drafted"] += verdict.action == "draft" == expect["action"]
        count["draftable"] += expect["action"] == "draft"
        count["uncertain"] += verdict.reason == "uncertain"
        if expect["intent"] and analysis:
            count["analysed"] += 1
            count["intent"] += analysis.intent in {expect["intent"], *expect.get("intent_also", [])}
            count["intent_of_author"] += analysis.intent in readings.get(thread["id"], [[expect["intent"]]])[0]
            count["urgency"] += analysis.urgency in {expect["urgency"], *expect.get("urgency_also", [])}
            count["language"] += verdict.language == thread["language"]
    return (
        f"{name:24} n {len(rows):4} action {_share(count['action'], len(rows))} reason {_share(count['reason'], len(rows))}"
        f" | sensitive recall {_share(count['recalled'], count['sensitive'])}"
        f" (explicit {_share(count['explicit_recalled'], count['explicit'])}"
        f" implicit {_share(count['implicit_recalled'], count['implicit'])} drafted {count['sensitive_drafted']})"
        f" precision {_share(count['rightly_said'], count['said'])}"
        f" | draft precision {_share(count['rightly_drafted'], count['drafted'])}"
        f" recall {_share(count['rightly_drafted'], count['draftable'])} uncertain {count['uncertain']}"
        f" | intent {_share(count['intent'], count['analysed'])}"
        f" (author alone {_share(count['intent_of_author'], count['analysed'])}) urgency {_share(count['urgency'], count['analysed'])}"
        f" language {_share(count['language'], count['analysed'])}"
    )


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:5.1f}" if whole else "    -"


def _tell_miss(thread: corpus.Thread, verdict: Verdict, analysis: Any) -> None:
    expect = thread["expect"]
    if verdict.reason != expect["reason"]:
        latest = thread["messages"][-1] if thread["messages"] else None
        text = " / ".join((latest["subject"], latest.get("text", latest.get("html", "")))) if latest else ""
        print(
            f"\n{thread['id']} wants {expect['reason']} ({expect['wording']}) got {verdict.reason}: {verdict.because}"
        )
        print("   ", " ".join(text.split())[:700])
    elif analysis and expect["intent"]:
        if analysis.intent not in {expect["intent"], *expect.get("intent_also", [])}:
            print(f"{thread['id']} intent wants {expect['intent']} got {analysis.intent}: {analysis.reasoning}")
        if analysis.urgency not in {expect["urgency"], *expect.get("urgency_also", [])}:
            print(f"{thread['id']} urgency wants {expect['urgency']} got {analysis.urgency}: {analysis.reasoning}")


if __name__ == "__main__":
    main()
