"""What is not as it was: between two proposals, and between the machine's words and a person's."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

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

    @property
    def is_none(self) -> bool:
        return not self.fields and all(each.kind == "same" for each in self.lines)


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
