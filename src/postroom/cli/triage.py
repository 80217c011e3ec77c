"""Threads at the command line: whether each wants an answer, what it is about and why; no database, nothing kept."""

from __future__ import annotations

import io
import json
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, BinaryIO

import typer

from postroom.cli.printing import err, printable, show

if TYPE_CHECKING:
    from postroom.nouns.conversations import Conversation
    from postroom.rooms.triage.rules.verdicts import Operators

LARGEST_MAIL = 50 * 1024 * 1024
LONGEST_ABOVE = 4096
STANDARD_INPUT = "-"
_HEADERS = frozenset(
    [
        "from",
        "to",
        "cc",
        "subject",
        "date",
        "message-id",
        "received",
        "return-path",
        "delivered-to",
        "sender",
        "reply-to",
    ]
)
ADDRESS = re.compile(r"[^@\s<>]+@[^@\s<>]+")
Files = Annotated[
    list[str], typer.Argument(help="Each a thread: an .eml or an .mbox; - is standard input.", metavar="FILE…")
]
MailboxAddress = Annotated[str | None, typer.Option(help="The mailbox it came to; its address is an operator's.")]
OperatorAddresses = Annotated[
    list[str] | None, typer.Option(help="An address that answers for the mailbox; may be repeated.")
]


def triage(
    files: Files,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line per thread, for programs.")] = False,
    mailbox: MailboxAddress = None,
    operator: OperatorAddresses = None,
) -> None:
    """Judge threads from files: who needs an answer, what about, how urgent.

    Labels come from X-Gmail-Labels, as in exports of Gmail; none means INBOX. A file that cannot be read gives an
    error, and the others go on; then the exit code is 1.
    """
    from postroom.rooms.triage.rules.verdicts import operators

    known = operators(named(mailbox, operator))
    lines: list[dict[str, Any]] = []
    for name in files:
        line = judged_file(name, known)
        if as_json:
            sys.stdout.write(printable(json.dumps(line, ensure_ascii=False)) + "\n")
            sys.stdout.flush()
        lines.append(line)
    if not as_json:
        columns = ["file", "action", "reason", "intent", "urgency", "summary"]
        show("Threads", columns, [_row(line) for line in lines], empty="No thread.")
        if nobody := next((line for line in lines if line.get("reason") == "ambiguous_sender"), None):
            err.print(nobody["because"], highlight=False)
    if any("error" in line for line in lines):
        raise typer.Exit(1)


def named(mailbox: str | None, operator: Sequence[str] | None) -> list[str]:
    """Who answers for the mailbox. A slip of the pen would else leave every thread to a person."""
    for option, each in [("--mailbox", mailbox), *(("--operator", one) for one in operator or ())]:
        if each is not None and not ADDRESS.fullmatch(each.strip()):
            raise typer.BadParameter(f"{each!r} is not a mail address.", param_hint=option)
    return [*([mailbox] if mailbox else []), *(operator or [])]


def judged_file(name: str, known: Operators) -> dict[str, Any]:
    thread = read_thread(name)
    return {"file": name, "error": thread} if isinstance(thread, str) else {"file": name, **judged(thread, known)}


def judged(thread: Conversation, known: Operators) -> dict[str, Any]:
    """The line of a thread, without its file."""
    from postroom.rooms.triage.rules.analysis import analyse
    from postroom.rooms.triage.rules.verdicts import triage as decide

    verdict = decide(thread, known)
    return {
        "language": verdict.language,
        "action": verdict.action,
        "reason": verdict.reason,
        "because": verdict.because,
        "state": verdict.state,
        "matched": [{"topic": match.topic, "words": list(match.words)} for match in verdict.matched],
        "analysis": None if verdict.action == "ignore" else analyse(thread, verdict).as_json(),
    }


def read_thread(name: str) -> Conversation | str:
    """The thread in a file, or the sentence why there is none."""
    from postroom.mail.parse import read_mail
    from postroom.rooms.triage.rules.assembling import thread_from_files

    try:
        raws = _mails(name)
    except IsADirectoryError:
        return "This is a folder; name the files in it, such as folder/*.eml."
    except OSError as problem:
        return f"The file cannot be opened: {problem.strerror}."
    if any(raw is None for raw in raws):
        return f"A message in it is larger than {LARGEST_MAIL // 1024 // 1024} MB."
    mails = [read_mail(raw) for raw in raws if raw is not None]
    if any(_HEADERS.isdisjoint(name for name, _ in mail.headers) for mail in mails):
        return "This is no mail: it does not begin with the header of one (From, To, Subject, Date)."
    return thread_from_files(mails)


def _mails(name: str) -> Sequence[bytes | None]:
    if name == STANDARD_INPUT:
        return _messages(io.BytesIO(sys.stdin.buffer.read()))
    with Path(name).open("rb") as file:
        return _messages(file)


def _messages(file: BinaryIO) -> Sequence[bytes | None]:
    from postroom.outside.files.mbox import entries

    head = file.read(LONGEST_ABOVE)  # editors and exports leave a byte order mark and blank lines there
    above = len(head) - len(head.removeprefix(BOM_UTF8).lstrip())
    file.seek(above)
    several = file.read(5) == b"From "
    file.seek(above)
    if several:
        return [entry.raw for entry in entries(file, LARGEST_MAIL)]
    raw = file.read(LARGEST_MAIL + 1)
    if len(raw) > LARGEST_MAIL:
        return [None]
    return [raw] if raw.strip() else []


def _row(line: dict[str, Any]) -> list[str]:
    if "error" in line:
        return [line["file"], "error", line["error"], "", "", ""]
    told = line["analysis"] or {}
    return [
        line["file"],
        line["action"],
        line["reason"],
        *(told.get(part, "") for part in ("intent", "urgency", "summary")),
    ]
