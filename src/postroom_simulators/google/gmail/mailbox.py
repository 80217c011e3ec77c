"""One Gmail account in memory: mails, threads, labels, drafts, and the history of their changes."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from random import Random
from zlib import crc32

from postroom_simulators.clock import SimClock
from postroom_simulators.google.gmail import mime

_WEEK = 7 * 24 * 3600.0
_SHOWN = ("INBOX", "STARRED", "SENT", "DRAFT", "IMPORTANT")
SYSTEM_LABELS = (
    *("INBOX", "UNREAD", "STARRED", "IMPORTANT", "SENT", "DRAFT", "SPAM", "TRASH", "CHAT"),
    *("CATEGORY_PERSONAL", "CATEGORY_SOCIAL", "CATEGORY_PROMOTIONS", "CATEGORY_UPDATES", "CATEGORY_FORUMS"),
)


@dataclass(slots=True)
class SimGmailMessage:
    id: str
    thread_id: str
    raw: bytes
    labels: set[str]
    received_at: float
    history_id: int = 0
    readable_at: float = 0.0
    poisoned: bool = False  # its content answers 500, always
    message_id: str = ""
    subject: str = ""
    snippet: str | None = None  # found on the first look


@dataclass(slots=True)
class SimGmailLabel:
    id: str
    name: str
    kind: str = "user"
    list_visibility: str = "labelShow"
    message_visibility: str = "show"
    color: dict[str, str] | None = None


@dataclass(frozen=True, slots=True)
class SimHistoryRecord:
    """One change, as history shows it."""

    id: int
    at: float
    kind: str  # messagesAdded, messagesDeleted, labelsAdded, labelsRemoved
    mail: str
    thread: str
    labels: tuple[str, ...]  # as they were after the change
    changed: tuple[str, ...] = ()

    def touches(self, label: str) -> bool:
        return label in self.labels or label in self.changed


@dataclass(slots=True)
class SimGmailDraft:
    id: str
    mail: SimGmailMessage


OnChange = Callable[["SimGmailMailbox", Collection[str]], None]


@dataclass(slots=True)
class GmailIds:
    """Ids that only grow, in the shape Gmail gives them."""

    clock: SimClock
    chance: Random = field(default_factory=lambda: Random(7))
    _last: int = 0

    def message(self) -> str:
        self._last = max(self._last + 1, int(self.clock.time() * 1000) << 20)
        return f"{self._last:016x}"

    def draft(self) -> str:
        return f"r{self.chance.randrange(10**18, 9 * 10**18)}"


class SimGmailMailbox:
    """Every change leaves a record and tells `on_change` once which labels it touched."""

    def __init__(self, address: str, name: str, clock: SimClock, numbers: GmailIds, on_change: OnChange) -> None:
        self.address = address
        self.addresses = [address]  # its own first, then its aliases
        self.name = name or address.partition("@")[0]
        self.mails: dict[str, SimGmailMessage] = {}
        self.threads: dict[str, list[SimGmailMessage]] = {}
        self.drafts: dict[str, SimGmailDraft] = {}
        self.labels = {name: _system_label(name) for name in SYSTEM_LABELS}
        self.by_label: dict[str, dict[str, SimGmailMessage]] = {}
        self.records: list[SimHistoryRecord] = []
        self.history_id = 10_000 + crc32(address.encode()) % 1_000_000
        self.floor = self.history_id  # history before this is forgotten
        self._by_message_id: dict[str, SimGmailMessage] = {}
        self._draft_of: dict[str, str] = {}
        self._clock = clock
        self._numbers = numbers
        self._on_change = on_change
        self._label_numbers = itertools.count(1)

    # Mails

    def add(
        self,
        raw: bytes,
        labels: Iterable[str],
        *,
        thread_id: str = "",
        at: float | None = None,
        hidden_for: float = 0.0,
        poisoned: bool = False,
    ) -> SimGmailMessage:
        mail = self._place(raw, labels, thread_id=thread_id, at=at)
        mail.poisoned = poisoned
        mail.readable_at = self._clock.time() + hidden_for if hidden_for else 0.0
        self._on_change(self, mail.labels)
        return mail

    def delete(self, mail: SimGmailMessage) -> None:
        if draft_id := self._draft_of.get(mail.id):
            self.drafts.pop(draft_id, None)
        self._take_out(mail)
        self._on_change(self, mail.labels)

    def relabel(self, mail: SimGmailMessage, add: Iterable[str] = (), remove: Iterable[str] = ()) -> bool:
        """Whether anything changed; what is added wins over what is removed."""
        added = [label for label in dict.fromkeys(add) if label not in mail.labels]
        removed = [label for label in dict.fromkeys(remove) if label in mail.labels and label not in added]
        for label in added:
            mail.labels.add(label)
            self.by_label.setdefault(label, {})[mail.id] = mail
        for label in removed:
            mail.labels.discard(label)
            self.by_label[label].pop(mail.id, None)
        if added:
            self._note("labelsAdded", mail, added)
        if removed:
            self._note("labelsRemoved", mail, removed)
        if added or removed:
            self._on_change(self, {*mail.labels, *removed})
        return bool(added or removed)

    def with_message_id(self, message_id: str) -> SimGmailMessage | None:
        return self._by_message_id.get(message_id)

    def thread_for(self, raw: bytes, wanted: str = "") -> str:
        """The thread a mail belongs to by its references and subject; empty when it starts one."""
        about = mime.envelope(raw)
        for reference in about.refers_to:
            earlier = self._by_message_id.get(reference)
            if earlier and (not wanted or earlier.thread_id == wanted):
                return earlier.thread_id if self.threads[earlier.thread_id][0].subject == about.subject else ""
        return ""

    # Drafts

    def put_draft(self, raw: bytes, *, thread_id: str = "", draft_id: str = "") -> SimGmailDraft:
        """A new draft, or a new content of an old one: its id stays, its message's id does not."""
        old = self.drafts.get(draft_id)
        if old:
            self._take_out(old.mail)
        mail = self._place(raw, ["DRAFT"], thread_id=thread_id)
        draft = SimGmailDraft(draft_id or self._numbers.draft(), mail)
        self.drafts[draft.id] = draft
        self._draft_of[mail.id] = draft.id
        self._on_change(self, mail.labels)
        return draft

    def draft_of(self, mail_id: str) -> SimGmailDraft | None:
        return self.drafts.get(self._draft_of.get(mail_id, ""))

    # Labels

    def label_named(self, name: str) -> SimGmailLabel | None:
        wanted = name.casefold()
        return next((label for label in self.labels.values() if label.name.casefold() == wanted), None)

    def new_label(self, name: str) -> SimGmailLabel:
        label = SimGmailLabel(f"Label_{next(self._label_numbers)}", name)
        self.labels[label.id] = label
        return label

    def drop_label(self, label: SimGmailLabel) -> None:
        del self.labels[label.id]
        for mail in list(self.by_label.get(label.id, {}).values()):
            self.relabel(mail, remove=[label.id])

    # History

    def since(self, start: int) -> Iterator[SimHistoryRecord]:
        first = bisect_right(self.records, start, key=attrgetter("id"))
        return itertools.islice(self.records, first, None)

    def knows_history(self, start: int) -> bool:
        self._forget(self._clock.time() - _WEEK)
        return self.floor <= start <= self.history_id

    def forget_history(self) -> None:
        """As if the records had been lost early; even the newest cursor handed out so far is too old."""
        self._step()
        self.floor = self.history_id
        self.records.clear()

    def _forget(self, before: float) -> None:
        if not self.records or self.records[0].at >= before:
            return
        gone = bisect_right(self.records, before, key=attrgetter("at"))
        self.floor = self.records[gone - 1].id
        del self.records[:gone]

    def _place(
        self, raw: bytes, labels: Iterable[str], *, thread_id: str = "", at: float | None = None
    ) -> SimGmailMessage:
        about = mime.envelope(raw)
        mail_id = self._numbers.message()
        received = self._clock.time() if at is None else at
        mail = SimGmailMessage(mail_id, thread_id or mail_id, raw, set(labels), received)
        mail.message_id, mail.subject = about.message_id, about.subject
        self.mails[mail_id] = mail
        self.threads.setdefault(mail.thread_id, []).append(mail)
        if mail.message_id:
            self._by_message_id[mail.message_id] = mail
        for label in mail.labels:
            self.by_label.setdefault(label, {})[mail_id] = mail
        self._note("messagesAdded", mail)
        return mail

    def _take_out(self, mail: SimGmailMessage) -> None:
        del self.mails[mail.id]
        self._draft_of.pop(mail.id, None)
        for label in mail.labels:
            self.by_label[label].pop(mail.id, None)
        thread = self.threads[mail.thread_id]
        thread.remove(mail)
        if not thread:
            del self.threads[mail.thread_id]
        if self._by_message_id.get(mail.message_id) is mail:
            del self._by_message_id[mail.message_id]
        self._note("messagesDeleted", mail)

    def _note(self, kind: str, mail: SimGmailMessage, changed: Iterable[str] = ()) -> None:
        mail.history_id = self._step()
        shown = tuple(sorted(mail.labels))
        self.records.append(
            SimHistoryRecord(mail.history_id, self._clock.time(), kind, mail.id, mail.thread_id, shown, tuple(changed))
        )

    def _step(self) -> int:
        """History ids grow with gaps."""
        self.history_id += 1 + self.history_id * 7 % 23
        return self.history_id


def _system_label(name: str) -> SimGmailLabel:
    shown = name in _SHOWN
    return SimGmailLabel(name, name, "system", "labelShow" if shown else "labelHide", "hide")
