"""Mail files as messages: each once, with a ref that stays the same however often it is imported."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import Message
from email.parser import BytesHeaderParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from pathlib import Path

from postroom.nouns.providers import DRAFT, INBOX, TRASH, Glimpse, ProviderRef, RawMail
from postroom.outside.files import mbox
from postroom.outside.files.folders import MailFile, Unreachable, mail_files

MEGABYTE = 1024 * 1024
LARGEST = 150 * MEGABYTE
_HEAD = 512 * 1024
_HEADER_LINE = re.compile(rb"[!-9;-~]+[ \t]*:")
_BOM = b"\xef\xbb\xbf"
_MAILDIR_FLAGS = {"D": DRAFT, "T": TRASH}

Progress = Callable[[int, int], None]
"""Told how many bytes of how many are done."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file, or a message in one, that was left out."""

    where: str
    because: str


def open_files(
    paths: Iterable[str | Path],
    *,
    progress: Progress = lambda done, total: None,
    broken: Callable[[SkippedFile], None] = lambda what: None,
    largest: int = LARGEST,
) -> Iterator[RawMail]:
    """All mail under the paths; what is broken is reported and the others go on.

    One message is held in memory at a time, and the names of one folder.
    """
    named = [Path(path) for path in paths]
    total = sum(file.size for path in named for file in _found(path, lambda what: None))
    done = 0
    progress(done, total)
    for path in named:
        for file in _found(path, broken):
            for mail, place in _messages(file, broken, largest):
                yield mail
                progress(min(done + place, total), total)
            done += file.size
            progress(min(done, total), total)


def ref_of(raw: bytes) -> ProviderRef:
    """By content, whatever the line ends: the same mail has one ref as .eml, in an mbox and in a Maildir."""
    text = raw.replace(b"\r\n", b"\n").rstrip(b"\n")
    return ProviderRef(f"sha256:{hashlib.sha256(text).hexdigest()}")


def _found(path: Path, broken: Callable[[SkippedFile], None]) -> Iterator[MailFile]:
    for file in mail_files(path):
        if isinstance(file, Unreachable):
            broken(SkippedFile(str(file.path), _say(file.problem)))
        else:
            yield file


def _messages(file: MailFile, broken: Callable[[SkippedFile], None], largest: int) -> Iterator[tuple[RawMail, int]]:
    """Each message, and how far into the file it reaches."""
    try:
        if file.kind == "mbox":
            yield from _in_mbox(file, broken, largest)
        else:
            yield from _in_file(file, broken, largest)
    except OSError as problem:
        broken(SkippedFile(str(file.path), _say(problem)))


def _in_file(file: MailFile, broken: Callable[[SkippedFile], None], largest: int) -> Iterator[tuple[RawMail, int]]:
    if file.size > largest:
        broken(SkippedFile(str(file.path), _too_large(largest)))
        return
    raw = file.path.read_bytes().removeprefix(_BOM)
    if objection := _objection(raw):
        broken(SkippedFile(str(file.path), objection))
        return
    written = datetime.fromtimestamp(file.path.stat().st_mtime, UTC)
    yield _mail(raw, None, written, _labels(file)), file.size


def _in_mbox(file: MailFile, broken: Callable[[SkippedFile], None], largest: int) -> Iterator[tuple[RawMail, int]]:
    with file.path.open("rb") as opened:
        written = datetime.fromtimestamp(file.path.stat().st_mtime, UTC)
        number = 0
        for entry in mbox.entries(opened, largest):
            number = entry.number
            objection = _too_large(largest) if entry.raw is None else _objection(entry.raw)
            if entry.raw is None or objection:
                broken(SkippedFile(f"{file.path}, message {number}", objection))
            else:
                envelope = mbox.delivered_at(entry.envelope)
                yield _mail(entry.raw, envelope, written, frozenset({INBOX})), entry.end
        if not number:
            broken(SkippedFile(str(file.path), "This is no mbox file: it does not begin with a line “From …”."))


def _objection(raw: bytes) -> str:
    if not raw.strip():
        return "There is nothing in it."
    if not _HEADER_LINE.match(raw):
        return "This does not look like a mail: it does not begin with a header such as “From: …”."
    return ""


def _labels(file: MailFile) -> frozenset[str]:
    """A Maildir keeps flags at the end of the name: https://cr.yp.to/proto/maildir.html."""
    _, found, flags = file.path.name.rpartition(":2,")
    if file.kind != "maildir" or not found:
        return frozenset({INBOX})
    return frozenset(_MAILDIR_FLAGS[flag] for flag in flags if flag in _MAILDIR_FLAGS) or frozenset({INBOX})


def _mail(raw: bytes, envelope: datetime | None, written: datetime, labels: frozenset[str]) -> RawMail:
    headers = BytesHeaderParser(policy=compat32).parsebytes(_head(raw))
    glimpse = Glimpse(
        ref=ref_of(raw),
        received_at=_received(headers) or envelope or _date(str(headers.get("Date", ""))) or written,
        labels=labels,
        internet_message_id="".join(str(headers.get("Message-ID", "")).split()),
        is_draft=DRAFT in labels,
    )
    return RawMail(glimpse, raw)


def _head(raw: bytes) -> bytes:
    head = raw[:_HEAD]
    ends = [place for mark in (b"\n\n", b"\n\r\n") if (place := head.find(mark)) >= 0]
    return head[: min(ends) + 1] if ends else head


def _received(headers: Message) -> datetime | None:
    """The topmost trace line was written by the server that took the mail in."""
    topmost = headers.get("Received")
    return None if topmost is None else _date(str(topmost).rpartition(";")[2])


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text.strip())
        return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return None


def _too_large(largest: int) -> str:
    return f"It is larger than {largest // MEGABYTE} MB."


def _say(problem: OSError) -> str:
    if isinstance(problem, FileNotFoundError):
        return "There is no such file."
    if isinstance(problem, PermissionError):
        return "We may not read it: change its permissions."
    return f"It cannot be read: {problem.strerror or type(problem).__name__}."
