"""The labelled threads: read, checked, and written as files that `postroom triage` reads.

python -m benchmarks.evals.triage.corpus                        # check all, print the counts
python -m benchmarks.evals.triage.corpus --write FOLDER [--part dev] [--language de]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from email import policy
from email.generator import BytesGenerator
from email.message import EmailMessage
from email.parser import Parser
from email.utils import format_datetime
from io import BytesIO
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, cast

HERE = Path(__file__).parent
PARTS = ("dev", "closed")
LANGUAGES = ("da", "de", "en", "es", "fr", "it", "nl", "pl", "pt", "sv")
KINDS = ("sensitive", "draftable", "hard_negative", "structural")
TOPICS = ("refund_or_cancellation", "medical", "safety", "legal", "exception")
ACTIONS = {
    "empty_thread": "ignore",
    "latest_sender_missing": "ignore",
    "in_spam_or_trash": "ignore",
    "not_in_inbox": "ignore",
    "user_edited_draft": "needs_review",
    "latest_is_operator_sent": "ignore",
    "ambiguous_sender": "needs_review",
    "no_reply_or_auto_reply": "ignore",
    **{f"sensitive_{topic}": "needs_review" for topic in TOPICS},
    "multi_party": "needs_review",
    "draftable": "draft",
}
INTENTS = ("request", "question", "update", "complaint", "introduction", "other")
URGENCIES = ("low", "normal", "high", "critical")
# Chosen among some thousands so that both halves have nearly the same mix of languages, kinds and topics.
SALT = "triage-3796"
BREAK = " ¶ "  # between a subject and its text, and between paragraphs, in a written line


class Part(TypedDict):
    """A further MIME part: a calendar entry, a delivery status."""

    type: str
    text: str


MessageJson = TypedDict(
    "MessageJson",
    {
        "from": str | None,
        "to": list[str],
        "cc": list[str],
        "reply_to": str | None,
        "date": str,
        "subject": str,
        "labels": list[str],
        "headers": dict[str, str],
        "text": NotRequired[str],
        "html": NotRequired[str],
        "parts": NotRequired[list[Part]],
    },
)


class Expect(TypedDict):
    action: str
    reason: str
    topic: str
    topics: list[str]
    wording: Literal["explicit", "implicit", "none"]
    intent: str | None
    urgency: str | None
    intent_also: NotRequired[list[str]]
    urgency_also: NotRequired[list[str]]
    kind: str
    note: str


class Thread(TypedDict):
    id: str
    language: str
    mailbox: str | None
    operators: list[str]
    messages: list[MessageJson]
    expect: Expect


def half(thread_id: str) -> str:
    """The half a thread belongs to, by its id alone."""
    return PARTS[hashlib.sha256(f"{SALT}:{thread_id}".encode()).digest()[0] % 2]


def threads(parts: Iterable[str] = PARTS, languages: Iterable[str] = LANGUAGES) -> Iterator[Thread]:
    for part in parts:
        for language in languages:
            with (HERE / part / f"{language}.jsonl").open(encoding="utf-8") as lines:
                yield from (cast("Thread", json.loads(line)) for line in lines)


def written(number: str, languages: Iterable[str] = LANGUAGES) -> Iterator[Thread]:
    """The lines of a round of `training`, or of `fresh`, as mails; the first of several paragraphs is the subject."""
    for language in languages:
        path = (
            HERE / "fresh" / f"{language}.txt" if number == "fresh" else HERE / "training" / f"{language}-{number}.txt"
        )
        for at, line in enumerate(path.read_text("utf-8").splitlines() if path.exists() else ()):
            yield _written(f"{language}-{number}-{at + 1}", language, line)


def _written(thread_id: str, language: str, line: str) -> Thread:
    head, _, text = line.partition(" | ")
    letters, *wording, intent, urgency = head.split()
    topics = [topic for letter, topic in zip("RMSLE", TOPICS, strict=True) if letter in letters]
    subject, text = text.split(BREAK, 1) if BREAK in text else ("", text)
    reason = f"sensitive_{topics[0]}" if topics else "draftable"
    return {
        "id": thread_id,
        "language": language,
        "mailbox": "post@house.example",
        "operators": [],
        "messages": [
            {
                "from": "Sender <sender@people.example>",
                "to": ["post@house.example"],
                "cc": [],
                "reply_to": None,
                "date": "2026-03-03T09:00:00+00:00",
                "subject": subject,
                "labels": ["INBOX"],
                "headers": {},
                "text": text.replace(BREAK, "\n\n"),
            }
        ],
        "expect": {
            "action": ACTIONS[reason],
            "reason": reason,
            "topic": topics[0] if topics else "",
            "topics": topics,
            "wording": ("explicit" if wording == ["e"] else "implicit") if topics else "none",
            "intent": next(each for each in INTENTS if each[0] == intent),
            "urgency": next(each for each in URGENCIES if each[0] == urgency),
            "kind": "sensitive" if topics else "hard_negative" if wording == ["h"] else "draftable",
            "note": "a written line",
        },
    }


def arguments(thread: Thread) -> list[str]:
    """What `postroom triage` must be told beside the file."""
    mailbox = ["--mailbox", thread["mailbox"]] if thread["mailbox"] else []
    return mailbox + [word for operator in thread["operators"] for word in ("--operator", operator)]


def file_name(thread: Thread) -> str:
    return f"{thread['id']}.{'eml' if len(thread['messages']) == 1 else 'mbox'}"


def as_file(thread: Thread) -> bytes:
    """An `.eml` for one message, an `.mbox` for several or none."""
    mails = [_mail(thread, number) for number in range(len(thread["messages"]))]
    if len(mails) == 1:
        return _bytes(mails[0])
    return b"".join(b"From postroom@corpus.example " + _asctime(mail) + b"\n" + _bytes(mail) + b"\n" for mail in mails)


def _asctime(mail: EmailMessage) -> bytes:
    return datetime.fromisoformat(str(mail["X-Corpus-Date"])).strftime("%a %b %d %H:%M:%S %Y").encode()


def _bytes(mail: EmailMessage) -> bytes:
    out = BytesIO()
    del mail["X-Corpus-Date"]
    BytesGenerator(out, mangle_from_=True, policy=policy.default.clone(linesep="\n")).flatten(mail)
    return out.getvalue()


def _mail(thread: Thread, number: int) -> EmailMessage:
    said = thread["messages"][number]
    mail = EmailMessage()
    for name, value in _headers(thread, number):
        mail[name] = value
    mail.set_content(said.get("html", said.get("text", "")), subtype="html" if "html" in said else "plain")
    for part in said.get("parts", []):
        _attach(mail, part)
    return mail


def _headers(thread: Thread, number: int) -> Iterator[tuple[str, str]]:
    said = thread["messages"][number]
    ids = [f"<{thread['id']}.{count}@corpus.example>" for count in range(len(thread["messages"]))]
    if said["from"]:
        yield "From", said["from"]
    yield "To", ", ".join(said["to"])
    if said["cc"]:
        yield "Cc", ", ".join(said["cc"])
    if said["reply_to"]:
        yield "Reply-To", said["reply_to"]
    yield "Subject", said["subject"]
    yield "Date", format_datetime(datetime.fromisoformat(said["date"]))
    yield "Message-ID", ids[number]
    earlier = [ids[other] for other in range(len(ids)) if thread["messages"][other]["date"] < said["date"]]
    if earlier:
        yield "In-Reply-To", earlier[-1]
        yield "References", " ".join(earlier)
    yield "X-Gmail-Labels", ",".join(said["labels"])
    yield "X-Corpus-Date", said["date"]
    yield from said["headers"].items()


def _attach(mail: EmailMessage, part: Part) -> None:
    kind, _, rest = part["type"].partition(";")
    if kind == "message/delivery-status":
        status = EmailMessage()
        status["Content-Type"] = kind
        blocks = [Parser(policy=policy.default).parsestr(block + "\n\n") for block in part["text"].split("\n\n")]
        status.set_payload(cast("Any", blocks))
        mail.make_mixed()
        mail.attach(status)
        mail.replace_header("Content-Type", "multipart/report; report-type=delivery-status")
        return
    mail.add_alternative(part["text"], subtype=kind.partition("/")[2])
    method = re.search(r"method=(\w+)", rest)
    if method:
        cast("list[EmailMessage]", mail.get_payload())[-1].set_param("method", method[1])


def problems(found: Sequence[tuple[str, Thread]]) -> list[str]:
    """What contradicts the rules of the README, a sentence each."""
    told = [f"{thread['id']}: {what}" for part, thread in found for what in _thread_problems(part, thread)]
    for name, values in (
        ("id", [thread["id"] for _, thread in found]),
        ("text", [_newest_text(thread) for _, thread in found if thread["messages"]]),
    ):
        told += [f"{name} twice: {value[:60]!r}" for value, times in Counter(values).items() if times > 1]
    return told


def _newest_text(thread: Thread) -> str:
    newest = max(thread["messages"], key=lambda said: said["date"])
    return newest["subject"] + "\n" + newest.get("text", newest.get("html", ""))


def _thread_problems(part: str, thread: Thread) -> Iterator[str]:
    expect = thread["expect"]
    if half(thread["id"]) != part:
        yield "stands in the wrong half"
    if not thread["id"].startswith(thread["language"] + "-"):
        yield "language and id differ"
    if ACTIONS.get(expect["reason"]) != expect["action"]:
        yield "reason and action differ"
    if expect["kind"] not in KINDS or not expect["note"]:
        yield "no kind or no note"
    yield from _topic_problems(expect)
    yield from _analysis_problems(expect)
    yield from _message_problems(thread)


def _topic_problems(expect: Expect) -> Iterator[str]:
    sensitive = expect["kind"] == "sensitive"
    if sensitive != (expect["wording"] != "none") or sensitive != bool(expect["topics"]):
        yield "kind, wording and topics differ"
    if expect["topics"] != [topic for topic in TOPICS if topic in expect["topics"]]:
        yield "topics out of order"
    if sensitive and not expect["topic"] == expect["topics"][0] == expect["reason"].removeprefix("sensitive_"):
        yield "the reason is not the first topic"


def _analysis_problems(expect: Expect) -> Iterator[str]:
    for name, allowed in (("intent", INTENTS), ("urgency", URGENCIES)):
        value = cast("dict[str, Any]", expect)[name]
        if (value is None) != (expect["action"] == "ignore") or value not in (None, *allowed):
            yield f"{name} {value!r} does not fit"
        if not set(cast("dict[str, Any]", expect).get(f"{name}_also", ())) <= set(allowed):
            yield f"{name}_also does not fit"


def _message_problems(thread: Thread) -> Iterator[str]:
    for said in thread["messages"]:
        if ("text" in said) == ("html" in said):
            yield "a message needs text or html"
        if datetime.fromisoformat(said["date"]).tzinfo is None:
            yield "a date without a zone"
    if bool(thread["messages"]) == (expect_reason(thread) == "empty_thread"):
        yield "messages and reason differ"
    written = as_file(thread)
    if len(thread["messages"]) > 1 and written.count(b"\nMessage-ID: ") != len(thread["messages"]):
        yield "the written file does not hold every message"


def expect_reason(thread: Thread) -> str:
    return thread["expect"]["reason"]


def tables(found: Sequence[tuple[str, Thread]]) -> str:
    """The counts as the README shows them."""
    every = [thread for _, thread in found]
    lines = ["| language | " + " | ".join(KINDS) + " | all | dev | closed |", "|---" * 8 + "|"]
    for language in (*LANGUAGES, "all"):
        mine = [(part, thread) for part, thread in found if language in (thread["language"], "all")]
        kinds = Counter(thread["expect"]["kind"] for _, thread in mine)
        halves = Counter(part for part, _ in mine)
        row = [kinds[kind] for kind in KINDS] + [len(mine), halves["dev"], halves["closed"]]
        lines.append(f"| {language} | " + " | ".join(map(str, row)) + " |")
    lines += ["", "| topic | explicit | implicit |", "|---|---|---|"]
    topics = Counter((thread["expect"]["topic"], thread["expect"]["wording"]) for thread in every)
    lines += [f"| {topic} | {topics[topic, 'explicit']} | {topics[topic, 'implicit']} |" for topic in TOPICS]
    for name, values in (
        ("reason", [expect_reason(thread) for thread in every]),
        ("intent", [thread["expect"]["intent"] or "none (ignored)" for thread in every]),
        ("urgency", [thread["expect"]["urgency"] or "none (ignored)" for thread in every]),
    ):
        lines += ["", f"| {name} | threads |", "|---|---|"]
        counts = sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0]))
        lines += [f"| {value} | {count} |" for value, count in counts]
    return "\n".join(lines)


def write(folder: Path, chosen: Iterable[Thread]) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    return sum((folder / file_name(thread)).write_bytes(as_file(thread)) >= 0 for thread in chosen)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, metavar="FOLDER")
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--language", choices=LANGUAGES)
    asked = parser.parse_args()
    if asked.write:
        chosen = threads([asked.part] if asked.part else PARTS, [asked.language] if asked.language else LANGUAGES)
        print(write(asked.write, chosen), "files")
        return 0
    found = [(part, thread) for part in PARTS for thread in threads([part])]
    told, counted = problems(found), tables(found)
    if counted not in (HERE / "README.md").read_text(encoding="utf-8"):
        told.append("README.md: the counts differ from the files")
    print(counted, *told, sep="\n")
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
