"""The knowledge folders and labelled mails for replies: read, checked, and written as files for `postroom reply`.

    python -m benchmarks.evals.replies.corpus                     # check all, print the counts
    python -m benchmarks.evals.replies.corpus --write FOLDER      # one .eml or .mbox a mail, in a folder for each tenant

A passage must stand verbatim in its document, white space aside; of HTML the text counts.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from benchmarks.evals.triage.corpus import MessageJson, Thread, as_file, file_name

HERE = Path(__file__).parent
FOLDERS = (
    "dev/holiday_park",
    "dev/property_manager",
    "dev/insurance_broker",
    "dev/tax_office",
    "dev/it_support",
    "dev/language_school",
    "dev/staff_agency",
    "dev/furniture_shop",
    "dev/freight_forwarder",
    "dev/city_library",
    "dev/car_garage",
    "dev/swimming_baths",
    "dev/theatre",
    "dev/veterinary_clinic",
    "dev/telecom_shop",
    "dev/motorhome_rental",
    "dev/savings_bank",
    "dev/fitness_club",
    "dev/museum",
    "dev/parcel_service",
    "dev/music_school",
    "dev/housing_association",
    "kept/fund_house",
    "kept/town_hall",
    "closed/brokers_desk",
    "closed/utility",
    "closed/student_office",
)
DRILLS = tuple(f"drills/{path.name}" for path in sorted((HERE / "drills").iterdir()))
"""What ranking and gate are fitted to besides: their mails say only which passages answer, if any. Nothing is measured on them."""
KINDS = (
    "answerable",
    "several",
    "partly",
    "unanswerable",
    "outdated",
    "contradiction",
    "trap",
    "internal",
    "follow_up",
    "injection_mail",
    "injection_document",
)
DRAFTS = ("full", "partial", "none", "flag", "optional")


class Evidence(TypedDict):
    document: str
    passage: str


class Answer(TypedDict):
    question: str
    evidence: list[Evidence]


class Expect(TypedDict):
    kind: str
    draft: str
    answers: list[Answer]
    facts: list[str]
    must_not: list[str]
    open: list[str]
    contradiction: NotRequired[list[Evidence]]
    other_language: bool
    note: str


class Mail(TypedDict):
    id: str
    language: str
    mailbox: str
    operators: list[str]
    messages: list[MessageJson]
    expect: Expect


class _Text(HTMLParser):
    """The text of a page, a space at every tag, without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in ("script", "style")
        self.said.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.hidden -= tag in ("script", "style")
        self.said.append(" ")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.said.append(data)


def mails(folder: str) -> list[Mail]:
    with (HERE / folder / "mails.jsonl").open(encoding="utf-8") as lines:
        return [cast("Mail", json.loads(line)) for line in lines]


def documents(folder: str) -> dict[str, str]:
    """Every document's text by its path in the folder."""
    root = HERE / folder / "documents"
    return {path.relative_to(root).as_posix(): _text(path) for path in sorted(root.rglob("*")) if path.is_file()}


def _text(path: Path) -> str:
    raw = path.read_text(encoding="utf-8")
    if path.suffix != ".html":
        return raw
    reader = _Text()
    reader.feed(raw)
    return "".join(reader.said)


def internal(path: str, text: str) -> bool:
    """Marked as internal by its folder, a flag in its front matter, or a heading at its top."""
    top = text.lstrip()[:600].lower()
    by_heading = re.search(r"^(#.*|[A-ZÄÖÜ ]*)\b(internal|intern|nur für mitarbeiter|staff only)\b", top, re.MULTILINE)
    return "internal/" in path or "intern/" in path or "audience: internal" in top or bool(by_heading)


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def same_form(text: str) -> str:
    """How facts are compared: case, line breaks, and the marks inside numbers and times do not matter."""
    return re.sub(r"(?<=\d)[.,:](?=\d)", ".", " ".join(text.lower().split()))


def holds(text: str, fact: str) -> bool:
    """Whether a text says the fact in one of its forms (`a|b`); a number may not be part of a longer one."""
    said = same_form(text)
    return any(re.search(rf"(?<![\d.]){re.escape(form)}(?!\.?\d)", said) for form in map(same_form, fact.split("|")))


def problems(folder: str) -> list[str]:
    papers, drilled = documents(folder), folder in DRILLS
    return [f"{mail['id']}: {what}" for mail in mails(folder) for what in _mail_problems(mail, papers, drilled=drilled)]


def _mail_problems(mail: Mail, papers: dict[str, str], *, drilled: bool) -> Iterator[str]:
    expect = mail["expect"]
    if expect["kind"] not in KINDS or expect["draft"] not in DRAFTS or not expect["note"]:
        yield "kind, draft or note does not fit"
    proofs = [proof for answer in expect["answers"] for proof in answer["evidence"]]
    for proof in proofs + expect.get("contradiction", []):
        yield from _proof_problems(proof, papers)
    yield from _fact_problems(expect, " ~ ".join(proof["passage"] for proof in proofs))
    yield from _draft_problems(expect, drilled=drilled)


def _proof_problems(proof: Evidence, papers: dict[str, str]) -> Iterator[str]:
    if proof["document"] not in papers:
        yield f"no document {proof['document']}"
        return
    if squeezed(proof["passage"]) not in squeezed(papers[proof["document"]]):
        yield f"not in {proof['document']}: {proof['passage']!r}"
    if internal(proof["document"], papers[proof["document"]]):
        yield f"{proof['document']} is internal"


def _fact_problems(expect: Expect, passages: str) -> Iterator[str]:
    for fact in expect["facts"]:
        if not holds(passages, fact):
            yield f"the fact {fact!r} stands in no passage"
    for fact in expect["must_not"]:
        if holds(passages, fact):
            yield f"{fact!r} must not appear, yet stands in a passage"


def _draft_problems(expect: Expect, *, drilled: bool) -> Iterator[str]:
    answered, asked = bool(expect["answers"]), bool(expect["open"])
    fits = {
        "full": answered and not asked,
        "partial": answered and asked,
        "none": not answered and asked,
        "flag": len(expect.get("contradiction", [])) > 1,
        "optional": True,
    }
    if not fits[expect["draft"]]:
        yield f"draft {expect['draft']} does not fit answers and open questions"
    if expect["draft"] in ("full", "partial") and not expect["facts"] and not drilled:
        yield "a draft without facts"


def tables() -> str:
    """The counts as the README shows them."""
    found = {folder: mails(folder) for folder in FOLDERS}
    lines = ["| folder | documents | internal | words | mails | languages of mails | answer in another language |"]
    lines += ["|---" * 7 + "|"]
    for folder, every in found.items():
        papers = documents(folder)
        spoken = Counter(mail["language"] for mail in every)
        row = [
            len(papers),
            sum(internal(path, text) for path, text in papers.items()),
            sum(len(text.split()) for text in papers.values()),
            len(every),
            ", ".join(f"{language} {count}" for language, count in spoken.most_common()),
            sum(mail["expect"]["other_language"] for mail in every),
        ]
        lines.append(f"| {folder} | " + " | ".join(map(str, row)) + " |")
    lines += ["", *_crossed("kind", KINDS, found), "", *_crossed("draft", DRAFTS, found)]
    return "\n".join(lines)


def _crossed(name: str, values: Sequence[str], found: dict[str, list[Mail]]) -> Iterator[str]:
    yield f"| {name} | " + " | ".join(folder.partition("/")[2] for folder in FOLDERS) + " | all |"
    yield "|---" * (len(FOLDERS) + 2) + "|"
    for value in values:
        counts = [
            sum(cast("dict[str, str]", mail["expect"])[name] == value for mail in found[each]) for each in FOLDERS
        ]
        yield f"| {value} | " + " | ".join(map(str, [*counts, sum(counts)])) + " |"


def write(folder: Path) -> int:
    count = 0
    for name in FOLDERS:
        target = folder / name
        target.mkdir(parents=True, exist_ok=True)
        for mail in mails(name):
            thread = cast("Thread", mail)
            (target / file_name(thread)).write_bytes(as_file(thread))
            count += 1
    return count


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    asked = parser.parse_args()
    if asked.write:
        print(write(asked.write), "files")
        return 0
    told = [what for folder in (*FOLDERS, *DRILLS) for what in problems(folder)]
    ids = Counter(mail["id"] for folder in (*FOLDERS, *DRILLS) for mail in mails(folder))
    told += [f"{mail_id}: twice" for mail_id, times in ids.items() if times > 1]
    counted = tables()
    if counted not in (HERE / "README.md").read_text(encoding="utf-8"):
        told.append("README.md: the counts differ from the files")
    print(counted, *told, sep="\n")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
