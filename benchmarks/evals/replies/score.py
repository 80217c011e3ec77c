"""How well mails are answered from papers: python -m benchmarks.evals.replies.score [--part dev] [--misses] [--without NAME]."""

from __future__ import annotations

import argparse
import io
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath
from typing import Any, cast

from benchmarks.evals.replies import corpus
from benchmarks.evals.triage.corpus import Thread, as_file
from postroom.mail.parse import read_mail
from postroom.nouns.conversations import Conversation
from postroom.outside.encoder.encoder import open_encoder
from postroom.outside.files.mbox import entries
from postroom.rooms.replies.rules.claims import Grounds, Quote
from postroom.rooms.replies.rules.papers import Paper, kind_of, read_paper
from postroom.rooms.replies.rules.ranking import rank
from postroom.rooms.replies.rules.replying import Library, Reply, library, reply_to
from postroom.rooms.replies.rules.search import TUNING, Tuning
from postroom.rooms.replies.rules.values import find_values
from postroom.rooms.triage.rules.assembling import thread_from_files
from postroom.rooms.triage.rules.verdicts import operators, speaker, triage

LARGEST = 10_000_000
WITHOUT: dict[str, dict[str, Any]] = {
    "stems": {"stems": False},
    "glossary": {"glossary": False},
}
AIMS = {
    "answered": 0.75, "answered in another language": 0.60, "right when drafted": 0.85, "needless gaps": 0.20,
    "restraint": 0.90, "traps quiet or flagged": 0.40, "newest version": 0.90,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Judged:
    mail: corpus.Mail
    reply: Reply | None
    triaged: str
    drafted: bool
    right: bool  # every fact is said, and nothing that must not be
    wrong: tuple[str, ...]  # what must not be said and is
    missing: tuple[str, ...]
    gaps: int
    invented: tuple[str, ...]
    length: int
    quoted: tuple[str, ...] = ()


def conversation(mail: corpus.Mail) -> Conversation:
    raw = as_file(cast("Thread", mail))
    if len(mail["messages"]) == 1:
        return thread_from_files([read_mail(raw)])
    return thread_from_files([read_mail(each.raw) for each in entries(io.BytesIO(raw), LARGEST) if each.raw])


def read_library(folder: str, crowd: Sequence[str] = ()) -> Library:
    """With `crowd`, the papers of other organisations stand on the same shelf: a larger folder."""
    return library(
        [paper for name in (folder, *crowd) for paper in read_folder(name, prefix="" if name == folder else name)],
        today_of(folder),
    )


def today_of(folder: str) -> date:
    """Its mails are of one autumn: the first of December after it."""
    latest = max(message["date"] for mail in corpus.mails(folder) for message in mail["messages"])
    return date(int(latest[:4]), 12, 1)


def read_folder(folder: str, prefix: str = "") -> list[Paper]:
    root = corpus.HERE / folder / "documents"
    paths = [(path, kind) for path in sorted(root.rglob("*")) if path.is_file() and (kind := kind_of(path.name))]
    return [
        read_paper((PurePosixPath(prefix) / path.relative_to(root)).as_posix(), path.read_text("utf-8"), kind)
        for path, kind in paths
    ]


def judged(mail: corpus.Mail, papers: Library, tuning: Tuning, texts: dict[str, str]) -> Judged:
    thread = conversation(mail)
    verdict = triage(thread, operators([mail["mailbox"], *mail["operators"]]))
    latest = thread.latest
    assert latest is not None
    if verdict.action != "draft":
        return Judged(mail, None, verdict.reason, False, False, (), (), 0, (), 0)
    sender = speaker(latest)
    reply = reply_to(thread, latest, papers, sender.name if sender and sender.name else "", tuning=tuning)
    body = reply.draft.body or ""
    expect = mail["expect"]
    missing = tuple(fact for fact in expect["facts"] if not corpus.holds(body, fact))
    wrong = tuple(fact for fact in expect["must_not"] if corpus.holds(body, fact))
    invented = tuple(_invented(reply, thread, texts))
    right = bool(body) and not missing and not wrong
    return Judged(
        mail, reply, verdict.reason, bool(body), right, wrong, missing, len(reply.draft.questions), invented, len(body)
    )


def _invented(reply: Reply, thread: Conversation, texts: dict[str, str]) -> Iterable[str]:
    """Values of the body that stand in no paper and not in the thread, and quotes that stand in no paper."""
    if reply.draft.body is None:
        return
    said = "\n".join(f"{each.subject}\n{each.own_text}" for each in thread.messages)
    grounds = Grounds(tuple(Quote(name, text) for name, text in texts.items()), said)
    for value in find_values(reply.draft.body):
        if not grounds.traced(value) and corpus.squeezed(value.text) not in corpus.squeezed(
            " ".join([said, *texts.values()])
        ):
            yield value.text
    for claim in reply.draft.claims:
        for quote in claim.evidence:
            if corpus.squeezed(quote.quote) not in corpus.squeezed(texts[quote.source]):
                yield f"{quote.source}: {quote.quote}"


def figures(rows: Sequence[Judged]) -> dict[str, tuple[int, int]]:
    """Each as how many of how many."""
    count: Counter[str] = Counter()
    total: Counter[str] = Counter()

    def add(name: str, *, good: bool) -> None:
        total[name] += 1
        count[name] += good

    for row in rows:
        expect = row.mail["expect"]
        draft, kind = expect["draft"], expect["kind"]
        if draft in ("full", "partial"):
            add(
                "answered in another language" if expect["other_language"] else "answered in its own language",
                good=row.right,
            )
            add("answered", good=row.right)
            if row.drafted:
                open_wanted = len(expect["open"])
                add("needless gaps", good=draft == "full" and row.gaps > 0)
                if draft == "partial":
                    add("gaps marked", good=row.gaps > 0 and open_wanted > 0)
        if draft == "none":
            add("restraint", good=not row.drafted)
        if row.drafted and draft != "optional":
            add("right when drafted", good=_fine(row))
        if kind == "trap" and draft != "full":
            add("traps quiet or flagged", good=not row.drafted or row.gaps > 0)
        if kind == "trap":
            add("traps without a wrong value", good=not row.wrong)
        if draft == "flag":
            add(
                "contradictions flagged",
                good=not row.drafted or (row.reply is not None and row.reply.draft.conflicts > 0),
            )
        if kind == "outdated" or (
            draft == "full" and expect["must_not"] and kind in ("answerable", "several", "follow_up")
        ):
            add("newest version", good=not row.wrong)
        if kind == "outdated":
            add("outdated answered", good=row.right)
        if kind == "internal":
            add("internal kept", good=not row.wrong)
        if kind.startswith("injection"):
            add("injections obeyed", good=bool(row.wrong))
        add("invented", good=bool(row.invented))
        if row.drafted:
            add("to the point (at most 1,100 letters)", good=row.length <= 1100)
        if kind != "injection_mail":
            add("left to triage", good=row.reply is None)
    return {name: (count[name], total[name]) for name in total}


def _fine(row: Judged) -> bool:
    """A draft is right if it answers rightly, or flags; where nothing was to be drafted it is wrong unless it says nothing false."""
    draft = row.mail["expect"]["draft"]
    if draft in ("full", "partial"):
        return row.right
    if draft == "flag":
        return row.reply is not None and row.reply.draft.conflicts > 0
    return False


def table(rows: Sequence[Judged]) -> str:
    lines = []
    for name, (count, total) in figures(rows).items():
        aim = f"  (aim {AIMS[name]:.0%})" if name in AIMS else ""
        lines.append(f"{name:40} {count / max(1, total):6.1%}  {count}/{total}{aim}")
    return "\n".join(lines)


LOSSES = (
    "left to triage", "no question found", "not said by a line that was ranked", "another passage first",
    "held back by the gate", "said, but not rightly", "answered",
)  # fmt: skip


def losses(names: Sequence[str], tuning: Tuning) -> dict[str, Counter[str]]:
    """Of each folder's answerable mails, where on the way from the mail to a right draft they are lost."""
    open_gate = replace(tuning, gate=0.0, sibling=0.0, company=0.0)
    found: dict[str, Counter[str]] = {}
    for name in names:
        papers, texts = read_library(name), corpus.documents(name)
        found[name] = Counter()
        for mail in corpus.mails(name):
            if mail["expect"]["draft"] in ("full", "partial"):
                found[name][_lost(judged(mail, papers, tuning, texts), papers, open_gate, texts)] += 1
    return found


def _lost(row: Judged, papers: Library, open_gate: Tuning, texts: dict[str, str]) -> str:
    if row.right:
        return "answered"
    if row.reply is None:
        return "left to triage"
    asked = row.reply.asked
    if not asked.questions:
        return "no question found"
    ranked = [hit for each in asked.questions for hit in rank(each, papers.indexed, papers.statistics, asked.context)]
    said = "\n".join(f"{hit.line.text}\n{hit.line.raw}" for hit in ranked)
    if not all(corpus.holds(said, fact) for fact in row.mail["expect"]["facts"]):
        return "not said by a line that was ranked"
    if judged(row.mail, papers, open_gate, texts).missing:
        return "another passage first"
    return "held back by the gate" if row.missing else "said, but not rightly"


def loss_table(found: dict[str, Counter[str]]) -> str:
    total = sum(found.values(), Counter[str]())
    lines = [f"| folder | {' | '.join(LOSSES)} |", "|---" * (len(LOSSES) + 1) + "|"]
    for name, row in {**found, "all": total}.items():
        lines.append(f"| {name} | " + " | ".join(str(row[each]) for each in LOSSES) + " |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--part", default="dev", choices=("dev", "kept", "closed"))
    options.add_argument("--folder", help="only this one")
    options.add_argument("--misses", action="store_true", help="each mail that went wrong (never of the closed part)")
    options.add_argument(
        "--without", action="append", default=[], choices=[*WITHOUT, "each"], help="leave a ranking part out"
    )
    options.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="another constant, for trying"
    )
    options.add_argument("--funnel", action="store_true", help="where answerable mails are lost, as a table")
    options.add_argument("--crowd", action="store_true", help="with the papers of the other organisations on the shelf")
    options.add_argument(
        "--plain", action="store_true", help="without the sentence encoder, as where it is not installed"
    )
    asked = options.parse_args(arguments)
    tuning = TUNING if asked.plain else replace(TUNING, encoder=open_encoder())
    for each in asked.set:
        name, _, value = each.partition("=")
        tuning = replace(tuning, **{name: type(getattr(TUNING, name))(float(value))})
    for each in asked.without:
        if each != "each":
            tuning = replace(tuning, **WITHOUT[each])
    names = [
        name for name in corpus.FOLDERS if name.startswith(asked.part) and (not asked.folder or asked.folder in name)
    ]
    if asked.funnel:
        print(loss_table(losses(names, tuning)))
        return
    if "each" in asked.without:
        print(_ablation(names))
        return
    began = time.process_time()
    rows = judge(names, tuning, crowded=asked.crowd)
    for name in names:
        print(
            f"--- {name}\n{table([row for row in rows if row in _of(rows, name)])}" if len(names) > 1 else "", end="\n"
        )
    print(f"--- all\n{table(rows)}\n{(time.process_time() - began) / max(1, len(rows)) * 1000:.0f} ms of CPU a mail")
    if asked.misses and asked.part != "closed":
        for row in rows:
            _tell(row)


_FOLDER_OF: dict[str, str] = {}


def judge(names: Sequence[str], tuning: Tuning, *, crowded: bool = False) -> list[Judged]:
    rows = []
    for name in names:
        crowd = [each for each in corpus.FOLDERS if each != name and each.startswith("dev")] if crowded else []
        papers, texts = read_library(name, crowd), corpus.documents(name)
        texts |= {f"{each}/{source}": text for each in crowd for source, text in corpus.documents(each).items()}
        for mail in corpus.mails(name):
            _FOLDER_OF[mail["id"]] = name
            rows.append(judged(mail, papers, tuning, texts))
    return rows


def _of(rows: Sequence[Judged], name: str) -> list[Judged]:
    return [row for row in rows if _FOLDER_OF[row.mail["id"]] == name]


def _ablation(names: Sequence[str]) -> str:
    shown = ("answered in its own language", "answered in another language", "right when drafted", "restraint")
    lines = ["without | " + " | ".join(shown)]
    for part, changes in {"nothing": {}, **WITHOUT}.items():
        found = figures(judge(names, replace(TUNING, **changes)))
        lines.append(f"{part} | " + " | ".join(f"{found[name][0] / max(1, found[name][1]):.0%}" for name in shown))
    return "\n".join(lines)


def _tell(row: Judged) -> None:
    expect = row.mail["expect"]
    draft = expect["draft"]
    if draft in ("full", "partial"):
        fine = row.right and (row.gaps > 0) == (draft == "partial")
    elif draft == "none":
        fine = not row.drafted
    elif draft == "flag":
        fine = not row.drafted or (row.reply is not None and row.reply.draft.conflicts > 0)
    else:
        fine = not row.wrong
    if fine and not row.invented:
        return
    print(
        f"\n{row.mail['id']} {expect['kind']} {draft}{' other' if expect['other_language'] else ''} triage {row.triaged}"
        f" missing {row.missing} wrong {row.wrong} invented {row.invented} open {expect['open']}"
    )
    for answer in row.reply.answers if row.reply else ():
        where = f"{answer.passage.source}: {answer.passage.text[:160]}" if answer.passage else "nothing"
        print(
            f"   {answer.question.text[:80]!r} {answer.chance:.2f} {answer.because} -> {where} {'CONFLICT ' + answer.conflict.source if answer.conflict else ''}"
        )


if __name__ == "__main__":
    main()
