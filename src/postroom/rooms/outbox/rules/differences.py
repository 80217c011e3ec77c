"""What is not as it was: between two proposals, and between the machine's words and a person's."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from postroom.nouns.actors import spoken_actor
from postroom.rooms.outbox.rules.mails import ProposedMail, settled

LineKind = Literal["same", "added", "removed"]


@dataclass(frozen=True, slots=True)
class ChangedLine:
    kind: LineKind
    text: str


@dataclass(frozen=True, slots=True)
class ChangedField:
    """A header or the files: before and after, as people read them."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class MailDifference:
    fields: tuple[ChangedField, ...]
    lines: tuple[ChangedLine, ...]  # of the body, all of them, in order


def mail_difference(before: ProposedMail, after: ProposedMail) -> MailDifference:
    shown = {
        "to": (before.to, after.to),
        "cc": (before.cc, after.cc),
        "bcc": (before.bcc, after.bcc),
        "subject": ((before.subject,), (after.subject,)),
        "files": (_files(before), _files(after)),
    }
    fields = [
        ChangedField(name, ", ".join(old), ", ".join(new)) for name, (old, new) in shown.items() if set(old) != set(new)
    ]
    return MailDifference(tuple(fields), line_difference(before.text, after.text))


class SaidVersion(Protocol):
    """What a mail said at some time, and who made it say so."""

    @property
    def hash(self) -> str: ...

    @property
    def said(self) -> ProposedMail: ...

    @property
    def made_by(self) -> str: ...

    @property
    def made_at(self) -> datetime: ...


def changed_since(versions: Sequence[SaidVersion], seen: str) -> str:
    """For somebody who decides about an old version. Newest first; `seen` is the hash of what they read."""
    newer = [each.hash for each in versions].index(seen) if seen in {each.hash for each in versions} else 0
    told = [
        f"{spoken_actor(after.made_by)} changed {_what(before.said, after.said)} at {after.made_at:%H:%M} UTC."
        for before, after in reversed(list(zip(versions[1 : newer + 1], versions[:newer], strict=True)))
    ]
    said = " ".join(told) or "This is not what is proposed now."
    return f"{said} Nothing of yours was saved. Look again, then decide."


def _what(before: ProposedMail, after: ProposedMail) -> str:
    found = mail_difference(before, after)
    words = any(each.kind != "same" for each in found.lines)
    return ", ".join([*(each.name for each in found.fields), *(["the words"] if words else [])]) or "it"


def _files(mail: ProposedMail) -> tuple[str, ...]:
    """By their content too: a file may change under its name."""
    return tuple(f"{each.filename} ({each.sha256[:8]})" for each in mail.files)


def line_difference(before: str, after: str) -> tuple[ChangedLine, ...]:
    old, new = settled(before).split("\n"), settled(after).split("\n")
    found: list[ChangedLine] = []
    for what, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what == "equal":
            found += [ChangedLine("same", line) for line in old[a:b]]
            continue
        found += [ChangedLine("removed", line) for line in old[a:b]]
        found += [ChangedLine("added", line) for line in new[c:d]]
    return tuple(found)
