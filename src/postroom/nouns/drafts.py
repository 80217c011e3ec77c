"""Drafts at the provider: what we write, what stands there, and whether it was sent."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

from postroom.nouns.providers import ProviderRef

KEY_HEADER = "X-Inbox-Copilot-Draft-Key"
VERSION_HEADER = "X-Inbox-Copilot-Marker-Version"
REVISION_HEADER = "X-Inbox-Copilot-Revision"
MARKER_VERSION = "1"
BODY_MARKER = re.compile(r"<!--\s*inbox-copilot:draftKey=(?P<key>[0-9a-f]{64});v=(?P<version>\d+)\s*-->")


@dataclass(frozen=True, slots=True)
class DraftMarkers:
    """How we know a draft of ours again. They travel as headers, and in Outlook as an extended property too.

    `revision` tells one mail from the next in the same thread: after a lost answer it finds the one that was sent.
    """

    key: str
    version: str = MARKER_VERSION
    revision: str = ""


def markers_in(key: str, version: str, *bodies: str) -> DraftMarkers | None:
    """Outside the body first; a provider that strips those leaves the mark in the body."""
    if key:
        return DraftMarkers(key, version)
    found = next((mark for body in bodies if (mark := BODY_MARKER.search(body))), None)
    return DraftMarkers(found["key"], found["version"]) if found else None


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
