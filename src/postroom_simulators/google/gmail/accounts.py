"""All simulated Gmail accounts, and the mail between them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import format_datetime
from secrets import token_urlsafe

from postroom_simulators.clock import SimClock
from postroom_simulators.faults import Faults
from postroom_simulators.google import errors
from postroom_simulators.google.gmail import mime
from postroom_simulators.google.gmail.attachments import AttachmentIds
from postroom_simulators.google.gmail.mailbox import GmailIds, SimGmailDraft, SimGmailMailbox, SimGmailMessage
from postroom_simulators.google.gmail.quota import GmailQuota
from postroom_simulators.google.gmail.watches import GmailWatches
from postroom_simulators.google.pubsub.broker import PubSubBroker
from postroom_simulators.recorder import Recorder
from postroom_simulators.traffic import ProviderTraffic

Outbound = Callable[[bytes, list[str]], None]

FOLDERS: dict[str, tuple[str, ...]] = {
    "inbox": ("INBOX", "UNREAD", "CATEGORY_PERSONAL"),
    "junkemail": ("SPAM", "UNREAD"),
    "sentitems": ("SENT",),
    "deleteditems": ("TRASH",),
    "archive": (),
}


class Gmail:
    """The accounts and what they share."""

    def __init__(self, clock: SimClock, faults: Faults, recorder: Recorder, broker: PubSubBroker) -> None:
        self.clock = clock
        self.faults = faults
        self.recorder = recorder
        self.boxes: dict[str, SimGmailMailbox] = {}
        self.aliases: dict[str, SimGmailMailbox] = {}
        self.watches = GmailWatches(clock, faults, broker)
        self.quota = GmailQuota(clock)
        self.traffic = ProviderTraffic(clock)
        self.attachment_ids = AttachmentIds(clock)
        self.on_outbound: Outbound | None = None
        self._numbers = GmailIds(clock)

    def open(self, address: str, name: str = "") -> SimGmailMailbox:
        key = address.lower()
        if key not in self.boxes:
            self.boxes[key] = SimGmailMailbox(key, name, self.clock, self._numbers, self.watches.changed)
        return self.boxes[key]

    def box(self, address: str) -> SimGmailMailbox:
        try:
            return self.boxes[address.lower()]
        except KeyError:
            raise ValueError(f"There is no simulated Gmail mailbox {address}; add it with add_mailbox first.") from None

    def find(self, address: str) -> SimGmailMailbox | None:
        """By its own address or an alias."""
        return self.boxes.get(address.lower()) or self.aliases.get(address.lower())

    def receive(
        self, box: SimGmailMailbox, raw: bytes, folder: str = "inbox", *, poisoned: bool = False
    ) -> SimGmailMessage:
        """Mail from outside, put into its thread."""
        if folder == "drafts":
            return box.put_draft(raw, thread_id=box.thread_for(raw)).mail
        if folder not in FOLDERS:
            raise ValueError(f"Unknown folder {folder!r}; known are drafts, {', '.join(FOLDERS)}.")
        switches = self.faults.switches
        hidden_for = switches.unreadable_for + switches.delay if switches.unreadable_for else 0.0
        thread_id = box.thread_for(raw)
        return box.add(raw, FOLDERS[folder], thread_id=thread_id, hidden_for=hidden_for, poisoned=poisoned)

    def thread_for(self, box: SimGmailMailbox, raw: bytes, wanted: str) -> str:
        """Joining a thread takes its id, the reference headers and the same subject."""
        if not wanted:
            return box.thread_for(raw)
        if wanted not in box.threads:
            raise errors.not_found()
        joined = box.thread_for(raw, wanted)
        if not joined:
            self.recorder.mistake(f"{box.address}: threadId {wanted} without matching References and Subject.")
        return joined

    def send(self, box: SimGmailMailbox, raw: bytes, thread_id: str = "") -> SimGmailMessage:
        recipients = mime.addresses(raw, "To", "Cc", "Bcc")
        if not recipients:
            raise errors.invalid("Recipient address required")
        stamped = self._stamped(box, raw)
        others = [to for to in recipients if to not in box.addresses]
        labels = ("SENT",) if len(others) == len(recipients) else ("SENT", "INBOX", "UNREAD")
        sent = box.add(stamped, labels, thread_id=thread_id)
        self._carry(mime.with_headers(stamped, drop=("Bcc",)), others)
        return sent

    def send_draft(self, box: SimGmailMailbox, draft: SimGmailDraft) -> SimGmailMessage:
        """A sent draft is another message; the draft's own is gone."""
        mail = self.send(box, draft.mail.raw, draft.mail.thread_id)
        box.delete(draft.mail)
        return mail

    def _carry(self, raw: bytes, recipients: list[str]) -> None:
        for box in {id(box): box for address in recipients if (box := self.find(address))}.values():
            self.receive(box, raw)
        elsewhere = [address for address in recipients if self.find(address) is None]
        if elsewhere and self.on_outbound:
            self.on_outbound(raw, elsewhere)

    def _stamped(self, box: SimGmailMailbox, raw: bytes) -> bytes:
        """Gmail answers for sender, date and, when sent by the API, a Message-ID of its own."""
        drop: list[str] = []
        add: list[tuple[str, str]] = []
        sender = mime.addresses(raw, "From")
        if len(sender) != 1 or sender[0] not in box.addresses:
            drop.append("From")
            add.append(("From", f"{box.name} <{box.address}>" if box.name.isascii() else box.address))
        if not mime.header(raw, "Date"):
            add.append(("Date", format_datetime(datetime.fromtimestamp(self.clock.time(), UTC))))
        if self.faults.switches.new_message_id or not mime.header(raw, "Message-ID"):
            drop.append("Message-ID")
            add.append(("Message-ID", f"<CA{token_urlsafe(30)}@mail.gmail.com>"))
        return mime.with_headers(raw, drop=tuple(drop), add=tuple(add)) if add else raw
