"""A conversation as the provider holds it: every message with its labels, drafts among them, in order."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from postroom.nouns.mail import Address, Automatic
from postroom.nouns.providers import ProviderRef

DraftOwner = Literal["person", "copilot"]
_BEFORE_ALL = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a thread, with the sender's own words told from the rest."""

    ref: ProviderRef
    sender: Address | None = None
    to: tuple[Address, ...] = ()
    cc: tuple[Address, ...] = ()
    bcc: tuple[Address, ...] = ()
    reply_to: tuple[Address, ...] = ()
    sent_at: datetime | None = None
    subject: str = ""
    labels: frozenset[str] = frozenset()  # canonical INBOX, SPAM, TRASH, SENT, DRAFT; others as the provider names them
    own_text: str = ""  # new in this message: no quotes, no signature, no disclaimer
    forwarded_text: str = ""
    set_aside: str = ""  # said where a signature, a disclaimer or a quotation stands; it only adds caution
    automatic: Automatic | None = None
    machine_answers: bool = False  # its headers say that a machine wrote it in answer to something
    draft_of: DraftOwner | None = None  # a draft, and whose it is; any doubt makes it a person's

    @property
    def is_draft(self) -> bool:
        return self.draft_of is not None

    def answer_to(self, ours: Collection[str] = ()) -> Address | None:
        """Where an answer goes: the first of Reply-To that is not the mailbox it came to, nor `ours`; else the sender.

        Its name is what it is called there; an address that is the sender's has the sender's.
        """
        own = {_plain(each) for each in (*ours, *(person.email for person in self.to))}
        target = next((each for each in self.reply_to if _plain(each.email) not in own), self.sender)
        if target and not target.name and self.sender and _plain(target.email) == _plain(self.sender.email):
            return replace(target, name=self.sender.name)
        return target

    def to_others(self, ours: Collection[str]) -> Turn:
        """The same, to be answered to nobody of `ours`."""
        own = {_plain(each) for each in ours}
        return replace(self, reply_to=tuple(each for each in self.reply_to if _plain(each.email) not in own))


def _plain(email: str) -> str:
    local, _, domain = email.strip().lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


@dataclass(frozen=True, slots=True)
class Conversation:
    """All messages of a conversation, oldest first; ties in time are broken by the provider's id."""

    ref: ProviderRef
    messages: tuple[Turn, ...] = ()

    @property
    def latest(self) -> Turn | None:
        """The newest that is no draft."""
        return next((each for each in reversed(self.messages) if not each.is_draft), None)

    @property
    def labels(self) -> frozenset[str]:
        return frozenset[str]().union(*(each.labels for each in self.messages))


def conversation_of(ref: ProviderRef, messages: Sequence[Turn]) -> Conversation:
    return Conversation(ref, tuple(sorted(messages, key=lambda each: (each.sent_at or _BEFORE_ALL, each.ref))))
