"""Drafts at the provider: what we write, what stands there, and whether it was sent."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from postroom.nouns.providers import ProviderRef

KEY_HEADER = "X-Inbox-Copilot-Draft-Key"
VERSION_HEADER = "X-Inbox-Copilot-Marker-Version"
REVISION_HEADER = "X-Inbox-Copilot-Revision"


@dataclass(frozen=True, slots=True)
class DraftMarkers:
    """How we know a draft of ours again. They travel as headers, and in Outlook as an extended property too.

    `revision` tells one mail from the next in the same thread: after a lost answer it finds the one that was sent.
    """

    key: str
    version: str = "1"
    revision: str = ""


@dataclass(frozen=True, slots=True)
class OutgoingFile:
    """A file that goes along."""

    filename: str
    content_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A mail to be written, exactly as it shall read. `text` and `html` say the same; a body marker is in the HTML."""

    to: tuple[str, ...]
    subject: str
    text: str
    html: str
    cc: tuple[str, ...] = ()
    answers: ProviderRef | None = None  # the message it replies to; none: a mail of its own
    bcc: tuple[str, ...] = ()
    files: tuple[OutgoingFile, ...] = ()  # given when a draft is made; a later update leaves them as they are


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft as the provider shows it. What a provider makes of our words may differ from what we wrote."""

    ref: ProviderRef  # stays the same until it is sent or discarded
    message_ref: ProviderRef  # of the message inside: Gmail gives every edit another one
    version: str  # changes with every edit, whoever makes it
    thread_ref: ProviderRef | None
    to: tuple[str, ...]
    cc: tuple[str, ...]
    bcc: tuple[str, ...]
    subject: str
    text: str
    html: str
    markers: DraftMarkers | None = None  # as found outside the body; none: not ours, or stripped
    internet_message_id: str = ""
    files: tuple[str, ...] = ()  # names of what is attached


SentState = Literal["sent", "not_sent", "unknown"]


@dataclass(frozen=True, slots=True)
class SentLookup:
    """Whether a draft was sent. `unknown`: it is neither there nor found as sent; a person decides."""

    state: SentState
    ref: ProviderRef | None = None
