"""A mailbox in memory: its messages, the log of what changed, and what people do in their mail program."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from postroom.mail.parse import read_mail
from postroom.mail.writing import write_mail
from postroom.nouns.drafts import DraftMarkers, OutgoingFile
from postroom.nouns.errors import Gone, PostroomError
from postroom.nouns.mail import MailMessage
from postroom.nouns.providers import (
    DRAFT,
    INBOX,
    SENT,
    SPAM,
    TRASH,
    Glimpse,
    Notification,
    ProviderRef,
    Watch,
)
from postroom.nouns.secrets import Secret

Side = Literal["incoming", "outgoing"]
FOLDERS = {"inbox": {INBOX}, "archive": set[str](), "junkemail": {SPAM}, "deleteditems": {TRASH}}


@dataclass(slots=True)
class MemoryMessage:
    """One message. `version` counts its changes."""

    ref: ProviderRef
    thread_ref: ProviderRef
    raw: bytes
    received_at: datetime
    labels: set[str]
    version: int = 1
    markers: DraftMarkers | None = None

    @property
    def mail(self) -> MailMessage:
        return read_mail(self.raw)

    @property
    def side(self) -> Side:
        return "outgoing" if self.labels & {DRAFT, SENT} else "incoming"

    @property
    def is_served(self) -> bool:
        return INBOX in self.labels and not self.labels & {DRAFT, SENT, SPAM, TRASH}

    @property
    def is_draft(self) -> bool:
        return DRAFT in self.labels and TRASH not in self.labels

    def glimpse(self) -> Glimpse:
        mail = self.mail
        return Glimpse(
            ref=self.ref,
            thread_ref=self.thread_ref,
            received_at=self.received_at,
            labels=frozenset(self.labels),
            version=str(self.version),
            subject=mail.subject,
            sender=mail.sender.email if mail.sender else "",
            internet_message_id=mail.message_id,
            is_draft=DRAFT in self.labels,
        )


@dataclass(frozen=True, slots=True)
class LoggedChange:
    """A message of this side came, changed or left. Numbers only grow."""

    number: int
    ref: ProviderRef
    side: Side


@dataclass(slots=True)
class MemoryMailbox:
    """`trouble` is asked before every call of a provider: what it returns is raised. `notify` hears of pushes."""

    address: str
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    aliases: Sequence[str] = ()
    trouble: Callable[[], PostroomError | None] = lambda: None
    notify: Callable[[Notification], None] = lambda _: None
    messages: dict[ProviderRef, MemoryMessage] = field(default_factory=dict)
    colours: dict[str, str] = field(default_factory=dict)
    log: list[LoggedChange] = field(default_factory=list)
    forgotten: int = 0  # cursors below this number have expired
    watch: Watch | None = None
    outgoing_watches: dict[str, Watch] = field(default_factory=dict)  # of Sent and Drafts
    client_state: Secret | None = None
    _numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    # what people and the world do

    def deliver(self, raw: bytes, folder: str = "inbox", *, thread: str = "") -> ProviderRef:
        """A mail comes in now; one that answers a known one joins its thread."""
        made = self._add(raw, FOLDERS[folder], thread or self._thread_of(raw))
        self._push(made)
        return made.ref

    def move(self, ref: ProviderRef, folder: str) -> None:
        message = self.message(ref)
        self.change(message, labels=(message.labels - {INBOX, SPAM, TRASH}) | FOLDERS[folder])

    def erase(self, ref: ProviderRef) -> None:
        message = self.messages.pop(ref)
        self._record(message.ref, message.side)

    def label(self, ref: ProviderRef, *, add: Collection[str] = (), remove: Collection[str] = ()) -> None:
        message = self.message(ref)
        self.change(message, labels=(message.labels | set(add)) - set(remove))

    def write_draft(self, text: str, *, answers: ProviderRef | None = None) -> ProviderRef:
        """A person begins a mail of their own."""
        thread = self.message(answers).thread_ref if answers else ""
        return self._add(composed(self.address, (), (), "Not finished", text, ""), {DRAFT}, thread).ref

    def edit_draft(self, ref: ProviderRef, text: str) -> None:
        message, mail = self.message(ref), self.message(ref).mail
        to, cc = ([each.email for each in people] for people in (mail.to, mail.cc))
        self.change(message, raw=composed(self.address, to, cc, mail.subject, text, ""))

    def discard_draft(self, ref: ProviderRef) -> None:
        message = self.message(ref)
        self.change(message, labels={DRAFT, TRASH})

    def send(self, ref: ProviderRef) -> None:
        """A draft goes out; its ref stays."""
        message = self.message(ref)
        message.received_at = self.clock()
        self.change(message, labels={SENT})

    def expire_cursors(self) -> None:
        self.forgotten = self.newest + 1
        self.log.append(LoggedChange(next(self._numbers), ProviderRef("nothing"), "outgoing"))

    # for the provider

    @property
    def newest(self) -> int:
        return self.log[-1].number if self.log else 0

    def message(self, ref: ProviderRef) -> MemoryMessage:
        found = self.messages.get(ref)
        if found is None:
            raise Gone("There is no such message in this mailbox.")
        return found

    def thread(self, ref: ProviderRef) -> list[MemoryMessage]:
        return [each for each in self.messages.values() if each.thread_ref == ref]

    def add_draft(self, raw: bytes, thread: str, markers: DraftMarkers) -> MemoryMessage:
        made = self._add(raw, {DRAFT}, thread)
        made.markers = markers
        return made

    def change(
        self,
        message: MemoryMessage,
        *,
        labels: set[str] | None = None,
        raw: bytes | None = None,
        markers: DraftMarkers | None = None,
    ) -> None:
        came = not message.is_served
        message.labels = message.labels if labels is None else labels
        message.raw = message.raw if raw is None else raw
        message.markers = message.markers if markers is None else markers
        message.version += 1
        self._record(message.ref, message.side)
        if came:
            self._push(message)

    def _add(self, raw: bytes, labels: Collection[str], thread: str) -> MemoryMessage:
        ref = ProviderRef(f"m{next(self._numbers):06}")
        made = MemoryMessage(ref, ProviderRef(thread or f"t-{ref}"), raw, self.clock(), set(labels))
        self.messages[ref] = made
        self._record(ref, made.side)
        return made

    def _record(self, ref: ProviderRef, side: Side) -> None:
        self.log.append(LoggedChange(next(self._numbers), ref, side))

    def _thread_of(self, raw: bytes) -> str:
        mail = read_mail(raw)
        named = {mail.in_reply_to, *mail.references} - {""}
        known = (each for each in self.messages.values() if each.mail.message_id in named)
        return next((each.thread_ref for each in known), "")

    def _push(self, message: MemoryMessage) -> None:
        if self.watch is not None and self.watch.expires_at > self.clock() and message.is_served:
            state = self.client_state
            self.notify(Notification(self.watch.id, self.address, state, message.ref, "created"))


def composed(
    sender: str,
    to: Collection[str],
    cc: Collection[str],
    subject: str,
    text: str,
    html: str,
    message_id: str = "",
    bcc: Collection[str] = (),
    files: Collection[OutgoingFile] = (),
) -> bytes:
    people = {"From": [sender], "To": [*to], "Cc": [*cc], "Bcc": [*bcc]}
    return write_mail(people, {"Subject": subject, "Message-ID": message_id}, text, html, [*files])
