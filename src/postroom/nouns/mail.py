"""Mail as we talk about it: addresses, attachments, and a message with its new words told from the old."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal


@dataclass(frozen=True, slots=True)
class Address:
    """One mailbox as written in a header; `email` is lower case, so that it can be compared."""

    email: str
    name: str = ""

    @property
    def domain(self) -> str:
        return self.email.rpartition("@")[2]

    @property
    def local(self) -> str:
        return self.email.rpartition("@")[0]

    def __str__(self) -> str:
        return f"{self.name} <{self.email}>" if self.name else self.email


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file as sent. Its type is what the bytes say, never what the sender calls it."""

    filename: str
    content: bytes = field(repr=False)
    declared_type: str = "application/octet-stream"
    sniffed_type: str = "application/octet-stream"
    content_id: str = ""
    inline: bool = False  # the HTML of its own message shows it by `cid:`
    path: tuple[str, ...] = ()  # where it sat: part numbers and the names of what had to be opened
    flaw: str = ""  # why it could not be opened, if it is something to open
    sha256: str = ""  # of the content, worked out once

    def __post_init__(self) -> None:
        if not self.sha256:
            object.__setattr__(self, "sha256", hashlib.sha256(self.content).hexdigest())

    @property
    def size(self) -> int:
        return len(self.content)


@dataclass(frozen=True, slots=True)
class MailMessage:
    """A mail in one shape, whoever delivered it. Reading one never fails: what was odd is in `flaws`."""

    sender: Address | None = None  # the first of `from_`
    from_: tuple[Address, ...] = ()
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    reply_to: tuple[Address, ...] = ()
    subject: str = ""
    date: datetime | None = None
    text_body: str = ""
    html_body: str = ""
    new_text: str = ""  # what the sender wrote now: no quotes, no signature
    quoted_text: str = ""
    signature: str = ""
    snippet: str = ""
    attachments: tuple[Attachment, ...] = ()  # also those of enclosed mails and archives, each with its path
    enclosed: tuple[MailMessage, ...] = ()  # forwarded and returned mails
    report: str = ""  # the machine-readable part of a delivery or disposition report
    content_types: tuple[str, ...] = ()  # of every part, in order; the first is the message's own
    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    headers: tuple[tuple[str, str], ...] = ()  # lower-case names, decoded values, topmost first
    flaws: tuple[str, ...] = ()

    def header(self, name: str) -> str:
        """The topmost header of that name, or an empty string."""
        wanted = name.lower()
        for key, value in self.headers:
            if key == wanted:
                return value
        return ""

    def header_all(self, name: str) -> Iterator[str]:
        wanted = name.lower()
        return (value for key, value in self.headers if key == wanted)

    def answer_to(self) -> tuple[Address, ...]:
        """Where a reply goes: `Reply-To` if given, else the author."""
        return self.reply_to or self.from_[:1]

    @property
    def content_hash(self) -> str:
        """The same mail fetched twice, or through two routes, has the same hash: no trace headers in it."""
        digest = hashlib.sha256()
        for text in (
            self.message_id,
            self.subject,
            ",".join(address.email for address in self.from_),
            self.date.isoformat() if self.date else "",
            self.text_body,
            *sorted(attachment.sha256 for attachment in self.attachments),
        ):
            digest.update(text.encode("utf-8", "surrogatepass"))
            digest.update(b"\0")
        return digest.hexdigest()


AutomaticKind = Literal["bounce", "auto_reply", "report", "mailing_list", "calendar", "no_reply", "bulk"]


@dataclass(frozen=True, slots=True)
class Automatic:
    """A machine wrote it: never answer, and most often nothing to read."""

    kind: AutomaticKind
    because: str


TrustLevel = Literal["trusted", "authenticated", "unknown", "spoofed"]


@dataclass(frozen=True, slots=True)
class Trust:
    """How sure we are that the sender is who the `From` line says."""

    level: TrustLevel
    because: str
