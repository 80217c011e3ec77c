"""A mail that is proposed: exactly what would go out, and the hash that an approval is bound to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from postroom.nouns.errors import BadRequest

MailKind = Literal["reply", "new", "forward"]
LONGEST_SUBJECT = 500
LONGEST_BODY = 100_000
MOST_RECIPIENTS = 50
MOST_FILES = 20
LARGEST_FILES = 25 * 1024 * 1024  # of one mail together: what most mail servers still take in
_ADDRESS = re.compile(r"[^@\s<>,;:\"'()\[\]\\]+@[^@\s<>,;:\"'()\[\]\\]+\.[^@\s<>,;:\"'()\[\]\\.]{2,}")
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_GAP = re.compile(r"\[\[(.*?)(?:\]\]|\Z)", re.DOTALL)
_REPLIES = re.compile(r"^(?:(?:re|aw|antw|sv|vs|tr|fw|fwd|wg|rv|odp)\s*(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)


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


def clean_addresses(said: Sequence[str]) -> tuple[str, ...]:
    """Lower case, each once. Raises BadRequest at the first that is none."""
    found = [each.strip().lower() for each in said]
    if odd := [each for each in found if not _is_address(each)]:
        raise BadRequest(f"{odd[0]!r} is not a mail address.")
    return tuple(dict.fromkeys(found))


def _is_address(text: str) -> bool:
    """Nothing that the eye does not see, and nothing that a mail program would decode into another address."""
    return _ADDRESS.fullmatch(text) is not None and len(text) <= 254 and text.isprintable() and "=?" not in text


def clean_subject(said: str) -> str:
    """A line break in a header would begin another one; marks that turn letters round would show what is not sent."""
    return _UNSEEN.sub("", " ".join(said.split()))[:LONGEST_SUBJECT]


def clean_text(said: str) -> str:
    """Line ends as we write them, and nothing that a database or a mail cannot hold."""
    return said.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def check_mail(mail: ProposedMail) -> ProposedMail:
    """Raises BadRequest with a sentence when it can never be sent."""
    if not mail.to:
        raise BadRequest("A mail needs somebody it goes to.")
    if len(mail.recipients) > MOST_RECIPIENTS:
        raise BadRequest(f"A mail goes to up to {MOST_RECIPIENTS} people; this one names {len(mail.recipients)}.")
    if not mail.text.strip():
        raise BadRequest("A mail needs words.")
    if len(mail.text) > LONGEST_BODY:
        raise BadRequest(f"A mail has up to {LONGEST_BODY:,} letters; this one has {len(mail.text):,}. Shorten it.")
    if len(mail.files) > MOST_FILES or sum(each.size for each in mail.files) > LARGEST_FILES:
        most = LARGEST_FILES // 1024 // 1024
        raise BadRequest(f"A mail takes up to {MOST_FILES} files with {most} MB together; send a link instead.")
    return mail


def reply_subject(subject: str) -> str:
    return f"Re: {_REPLIES.sub('', clean_subject(subject))}".strip()


def forward_subject(subject: str) -> str:
    return f"Fw: {_REPLIES.sub('', clean_subject(subject))}".strip()
