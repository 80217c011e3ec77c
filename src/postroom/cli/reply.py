"""A reply at the command line: drafted from a folder of papers, with its evidence; no database, nothing kept."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Annotated, Any

import typer

from postroom.cli.printing import err, out, printable
from postroom.cli.triage import MailboxAddress, OperatorAddresses, judged, named, read_thread

if TYPE_CHECKING:
    from postroom.nouns.conversations import Conversation, Turn
    from postroom.rooms.replies.rules.drafting import ReplyDraft
    from postroom.rooms.replies.rules.papers import Paper

LARGEST_PAPER = 20 * 1024 * 1024


def reply(
    file: Annotated[str, typer.Argument(help="A thread: an .eml or an .mbox.", metavar="FILE")],
    evidence: Annotated[Path, typer.Option(help="The folder with the papers: Markdown, text, HTML, PDF.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line, for programs.")] = False,
    mailbox: MailboxAddress = None,
    operator: OperatorAddresses = None,
) -> None:
    """Draft an answer to a thread from a folder of papers, each statement with its source.

    Triage comes first: what it ignores or leaves to a person gets no draft. Nothing is drafted that no paper supports;
    what stays open is marked in the draft.
    """
    line = replied_file(file, evidence, named(mailbox, operator))
    if as_json:
        sys.stdout.write(printable(json.dumps(line, ensure_ascii=False)) + "\n")
    else:
        _show(line)
    if "error" in line:
        raise typer.Exit(1)


def replied_file(name: str, evidence: Path, known: list[str]) -> dict[str, Any]:
    thread = read_thread(name)
    if isinstance(thread, str):
        return {"file": name, "error": thread}
    if not evidence.is_dir():
        return {"file": name, "error": f"{evidence} is not a folder; name the one with the papers in it."}
    return {"file": name, **replied(thread, evidence, known)}


def replied(thread: Conversation, evidence: Path, known: list[str]) -> dict[str, Any]:
    """The line of triage, with the draft where triage leaves one to be made."""
    from postroom.rooms.triage.rules.verdicts import operators

    line = judged(thread, operators(known))
    nothing: dict[str, Any] = {
        "draft": None,
        "claims": [],
        "questions": [],
        "confidence": 0.0,
        "blocked": [],
        "unread": [],
    }
    latest = thread.latest
    if line["action"] != "draft" or latest is None:
        return {**line, **nothing}
    papers, unread = read_papers(evidence)
    target = latest.answer_to(known)
    made = _drafted(thread, latest, papers, target.name if target else "")
    return {
        **_with_state(line, made),
        **_as_json(made, target.email if target else "", latest.subject),
        "unread": unread,
    }


def _drafted(thread: Conversation, latest: Turn, papers: list[Paper], name: str) -> ReplyDraft:
    from postroom.outside.encoder.encoder import open_encoder
    from postroom.rooms.replies.rules.replying import library, reply_to
    from postroom.rooms.replies.rules.search import TUNING

    shelf = library(papers, _day_of(latest))
    encoder = open_encoder()
    tuning = replace(TUNING, encoder=encoder if encoder is not None and encoder.works() else None)
    return reply_to(thread, latest, shelf, name, tuning=tuning).draft


def _day_of(latest: Turn) -> date:
    """Papers are held against the day of the mail: an old export is answered as it would have been then."""
    now = datetime.now(UTC)
    return min(latest.sent_at or now, now).date()


def _with_state(line: dict[str, Any], made: ReplyDraft) -> dict[str, Any]:
    analysis = {**line["analysis"], "draftResponse": made.body} if line["analysis"] else None
    if made.body is None:
        because = "No paper answers it: " + (made.because or "nothing was asked.")
        return {
            **line, "action": "needs_review", "reason": "evidence_missing", "because": because,
            "state": "needs_review", "analysis": analysis,
        }  # fmt: skip
    return {**line, "state": "ready" if made.complete else "needs_review", "analysis": analysis}


def _as_json(made: ReplyDraft, to: str, subject: str) -> dict[str, Any]:
    from postroom.mail.subjects import bare_subject

    reply = {"to": to, "subject": f"Re: {bare_subject(subject)}".strip(), "body": made.body}
    return {
        "draft": None if made.body is None else reply,
        "claims": [
            {
                "statement": claim.statement,
                "evidence": [{"source": each.source, "quote": each.quote} for each in claim.evidence],
            }
            for claim in made.claims
        ],
        "questions": list(made.questions),
        "confidence": made.confidence,
        "blocked": [{"statement": each.statement, "because": each.because} for each in made.blocked],
    }


def read_papers(folder: Path) -> tuple[list[Paper], list[dict[str, str]]]:
    """All that can be read, and the sentences about what cannot."""
    from postroom.nouns.documents import CannotRead
    from postroom.rooms.replies.rules.papers import kind_of, read_paper, typed_text

    papers: list[Paper] = []
    unread: list[dict[str, str]] = []
    pdfs: list[Path] = []
    for path in _files(folder, unread):
        name = path.relative_to(folder).as_posix()
        kind = kind_of(path.name)
        if path.suffix.lower() == ".pdf":
            pdfs.append(path)
        elif kind is None:
            unread.append({"source": name, "because": "It is neither Markdown, text, HTML nor PDF."})
        elif (content := _content(path, folder, unread)) is not None:
            try:
                papers.append(read_paper(name, typed_text(content), kind))
            except CannotRead as refusal:
                unread.append({"source": name, "because": str(refusal)})
    if pdfs:
        _read_pdfs(folder, pdfs, papers, unread)
    if not papers and not unread:
        unread.append({"source": str(folder), "because": "There is no paper in it: Markdown, text, HTML or PDF."})
    return papers, unread


def _files(folder: Path, unread: list[dict[str, str]]) -> list[Path]:
    """In the folder and those below it, hidden ones aside; a folder that may not be looked into is unread."""

    def refused(error: OSError) -> None:
        path = Path(str(error.filename))
        unread.append({"source": path.relative_to(folder).as_posix(), "because": _why(error)})

    found: list[Path] = []
    for where, below, names in os.walk(folder, onerror=refused):
        below[:] = sorted(each for each in below if not each.startswith("."))
        found += [Path(where, each) for each in names if not each.startswith(".")]
    return sorted(found)


def leads_out(path: Path, folder: Path) -> bool:
    """A link to what nobody put into the folder, and perhaps nobody meant to tell."""
    return path.is_symlink() and not path.resolve().is_relative_to(folder.resolve())


def _content(path: Path, folder: Path, unread: list[dict[str, str]]) -> bytes | None:
    """None: it cannot be read, and the sentence why is among the unread."""
    name = path.relative_to(folder).as_posix()
    try:
        told = path.stat()
        if leads_out(path, folder):
            because = "It is a link to a file outside the folder."
        elif not S_ISREG(told.st_mode):
            because = "It is not a file."
        elif told.st_size > LARGEST_PAPER:
            because = f"It is larger than {LARGEST_PAPER // 1024 // 1024} MB."
        else:
            return path.read_bytes()
    except OSError as error:
        because = _why(error)
    unread.append({"source": name, "because": because})
    return None


def _why(error: OSError) -> str:
    return f"It cannot be read: {error.strerror or error}."


def _read_pdfs(folder: Path, paths: list[Path], papers: list[Paper], unread: list[dict[str, str]]) -> None:
    """In a confined process, as every file that a stranger may have made."""
    from postroom.nouns.documents import CannotRead
    from postroom.outside.readers.pool import Readers
    from postroom.rooms.replies.rules.papers import read_paper
    from postroom.rooms.replies.rules.pdf_lines import pdf_text

    with Readers(processes=1, ocr=False) as readers:
        for path in paths:
            name = path.relative_to(folder).as_posix()
            if (content := _content(path, folder, unread)) is None:
                continue
            try:
                papers.append(read_paper(name, pdf_text(readers.read(content)), "text"))
            except CannotRead as refusal:
                unread.append({"source": name, "because": str(refusal)})


def _show(line: dict[str, Any]) -> None:
    if "error" in line:
        err.print(line["error"], style="red", highlight=False)
        return
    out.print(f"{line['action']} ({line['reason']}): {printable(line['because'])}", highlight=False)
    if line["draft"]:
        out.print(f"\nTo: {line['draft']['to']}\nSubject: {printable(line['draft']['subject'])}\n", highlight=False)
        out.print(printable(line["draft"]["body"]), highlight=False)
    for claim in line["claims"]:
        for each in claim["evidence"]:
            out.print(f"\n{printable(each['source'])}: {printable(each['quote'])}", highlight=False)
    for question in line["questions"]:
        out.print(f"\nOpen: {printable(question)}", highlight=False)
    for each in line["blocked"]:
        out.print(f"\nBlocked: {printable(each['statement'])} ({each['because']})", highlight=False)
    for each in line["unread"]:
        err.print(f"{printable(each['source'])}: {each['because']}", highlight=False)
