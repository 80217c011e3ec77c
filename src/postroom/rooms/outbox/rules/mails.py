"""A mail that is proposed: exactly what would go out, and the hash that an approval is bound to."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from postroom.mail.outgoing import check_recipients, subject_after
from postroom.nouns.errors import BadRequest

MailKind = Literal["reply", "new", "forward"]
LONGEST_BODY = 100_000
MOST_FILES = 20
LARGEST_FILES = 25 * 1024 * 1024  # of one mail together: what most mail servers still take in
_GAP = re.compile(r"\[\[(.*?)(?:\]\]|\Z)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ProposedFile:
    """A file that goes along. Its bytes lie in the archive; the hash says which they are."""

    filename: str
    content_type: str
    size: int
    sha256: str
    blob_key: str = ""
    message_id: UUID | None = None  # the mail it came with, if it did


@dataclass(frozen=True, slots=True)
class ProposedMail:
    """What recipients would get. Addresses are lower case, in the order in which they were given."""

    to: tuple[str, ...]
    subject: str
    text: str
    html: str = ""
    cc: tuple[str, ...] = ()
    bcc: tuple[str, ...] = ()
    files: tuple[ProposedFile, ...] = ()

    @property
    def recipients(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.to, *self.cc, *self.bcc)))


def proposal_hash(mailbox_id: UUID, mail: ProposedMail, answers: str | None, head: str | None) -> str:
    """Of recipients, subject, body, files, what it answers, and the newest message of its thread.

    Each part is told with its length, so that none can pose as the next.
    """
    files = [f"{each.sha256} {each.size} {each.content_type} {each.filename}" for each in mail.files]
    people = (mail.to, mail.cc, mail.bcc)
    lists = ["\n".join(sorted(each)) for each in people] + ["\n".join(files)]
    parts = [str(mailbox_id), *lists, mail.subject, settled(mail.text), settled(mail.html), answers or "", head or ""]
    told = "".join(f"{len(part)}:{part}\n" for part in parts)
    return f"sha256:{hashlib.sha256(told.encode('utf-8', 'surrogatepass')).hexdigest()}"


def settled(text: str) -> str:
    """Line endings and blank lines at the end are no one's words."""
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip()


def gaps(text: str) -> list[str]:
    """What nobody has answered yet: marked in the body, and never sent."""
    return [" ".join(found.split()) for found in _GAP.findall(text)]


def clean_text(said: str) -> str:
    """Line ends as we write them, and nothing that a database or a mail cannot hold."""
    return said.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def check_mail(mail: ProposedMail) -> ProposedMail:
    """Raises BadRequest with a sentence when it can never be sent."""
    check_recipients(mail.to, mail.cc, mail.bcc)
    if not mail.text.strip():
        raise BadRequest("A mail needs words.")
    if len(mail.text) > LONGEST_BODY:
        raise BadRequest(f"A mail has up to {LONGEST_BODY:,} letters; this one has {len(mail.text):,}. Shorten it.")
    if len(mail.files) > MOST_FILES or sum(each.size for each in mail.files) > LARGEST_FILES:
        most = LARGEST_FILES // 1024 // 1024
        raise BadRequest(f"A mail takes up to {MOST_FILES} files with {most} MB together; send a link instead.")
    return mail


def reply_subject(subject: str) -> str:
    return subject_after("Re:", subject)


def forward_subject(subject: str) -> str:
    return subject_after("Fw:", subject)
