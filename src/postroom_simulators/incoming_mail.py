"""A mail on its way into a simulated mailbox."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """The raw mail, where it goes, and what a reader should find out about it."""

    mailbox: str
    raw: bytes  # RFC 5322, as it would have come over SMTP
    after: float = 0.0  # seconds after the scenario's start
    folder: str = "inbox"  # Graph's well-known name; Gmail maps it to a label
    about: str = ""  # one line for a person: what this letter shows
    truth: Mapping[str, object] = field(default_factory=dict)  # what the product should make of it
    poisoned: bool = False  # the provider answers 500 whenever its content is asked for
