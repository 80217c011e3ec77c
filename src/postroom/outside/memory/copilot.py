"""The mailbox in memory behind the ports of answering: threads, drafts, labels, sending, Sent and Drafts."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from postroom.nouns.drafts import Draft, DraftMarkers, OutgoingMail, SentLookup
from postroom.nouns.errors import DraftTouched, Gone
from postroom.nouns.providers import DRAFT, SENT, Cursor, ProviderRef
from postroom.nouns.threads import MailThread, OutgoingChanges, StateLabel, ThreadMessage
from postroom.outside.memory.mailbox import MemoryMailbox, MemoryMessage, composed
from postroom.outside.memory.provider import ask, cursor_at, read_log
from postroom.ports import CopilotMailbox


def open_copilot(mailbox: MemoryMailbox, page_size: int = 100) -> CopilotMailbox:
    drafts = MemoryDrafts(mailbox)
    return CopilotMailbox(
        threads=MemoryThreads(mailbox),
        drafts=drafts,
        labels=MemoryLabels(mailbox),
        sender=MemorySender(mailbox, drafts),
        outgoing=MemoryOutgoing(mailbox, page_size),
        addresses=MemoryAddresses(mailbox),
    )


class MemoryThreads:
    """A `ports.ThreadReader`."""

    def __init__(self, mailbox: MemoryMailbox) -> None:
        self._box = mailbox

    async def thread(self, ref: ProviderRef) -> MailThread:
        ask(self._box)
        found = self._box.thread(ref)
        if not found:
            raise Gone("Nothing of this conversation is in the mailbox any more.")
        return MailThread.of(ref, [_shown(each) for each in found])


def _shown(message: MemoryMessage) -> ThreadMessage:
    mail = message.mail
    to, cc, bcc, reply_to = (
        tuple(each.email for each in people) for people in (mail.to, mail.cc, mail.bcc, mail.reply_to)
    )
    return ThreadMessage(message.glimpse(), to, cc, bcc, reply_to, message.ref if message.is_draft else None)


class MemoryDrafts:
    """A `ports.DraftBox`."""

    def __init__(self, mailbox: MemoryMailbox) -> None:
        self._box = mailbox

    async def draft(self, ref: ProviderRef) -> Draft | None:
        ask(self._box)
        found = self._box.messages.get(ref)
        return _draft(found) if found is not None and found.is_draft else None

    async def find_drafts(self, key: str, thread: ProviderRef | None) -> Sequence[Draft]:
        ask(self._box)
        drafts = [each for each in self._box.messages.values() if each.is_draft and thread in (None, each.thread_ref)]
        return [_draft(each) for each in drafts if each.markers is not None and each.markers.key == key]

    async def create_draft(self, mail: OutgoingMail, markers: DraftMarkers) -> Draft:
        ask(self._box)
        thread = self._box.message(mail.answers).thread_ref if mail.answers else ""
        return _draft(self._box.add_draft(self._raw(mail, markers), thread, markers))

    async def update_draft(self, draft: Draft, mail: OutgoingMail, markers: DraftMarkers) -> Draft:
        ask(self._box)
        message = self.untouched(draft)
        self._box.change(message, raw=self._raw(mail, markers), markers=markers)
        return _draft(message)

    async def discard_draft(self, draft: Draft) -> None:
        ask(self._box)
        found = self._box.messages.get(draft.ref)
        if found is not None and found.is_draft:
            self._box.discard_draft(self.untouched(draft).ref)

    def untouched(self, draft: Draft) -> MemoryMessage:
        message = self._box.message(draft.ref)
        if not message.is_draft:
            raise Gone("The draft is not there any more: it was sent or discarded.")
        if str(message.version) != draft.version:
            raise DraftTouched("Somebody changed the draft since we read it: it is left as it is.")
        return message

    def _raw(self, mail: OutgoingMail, markers: DraftMarkers) -> bytes:
        named = f"<{markers.revision}@{self._box.address.rpartition('@')[2]}>" if markers.revision else ""
        return composed(
            self._box.address, mail.to, mail.cc, mail.subject, mail.text, mail.html, named, mail.bcc, mail.files
        )


def _draft(message: MemoryMessage) -> Draft:
    mail = message.mail
    to, cc, bcc = (tuple(each.email for each in people) for people in (mail.to, mail.cc, mail.bcc))
    return Draft(
        ref=message.ref,
        message_ref=message.ref,
        version=str(message.version),
        thread_ref=message.thread_ref,
        to=to,
        cc=cc,
        bcc=bcc,
        subject=mail.subject,
        text=mail.text_body,
        html=mail.html_body,
        markers=message.markers,
        internet_message_id=mail.message_id,
        files=tuple(each.filename for each in mail.attachments),
    )


class MemoryLabels:
    """A `ports.LabelBook`."""

    def __init__(self, mailbox: MemoryMailbox) -> None:
        self._box = mailbox

    async def ensure_labels(self, labels: Sequence[StateLabel]) -> None:
        ask(self._box)
        for label in labels:
            self._box.colours.setdefault(label.name, label.colour)

    async def label_thread(self, thread: ProviderRef, label: StateLabel | None, among: Sequence[StateLabel]) -> None:
        ask(self._box)
        ours = {each.name for each in among}
        for message in self._box.thread(thread):
            wanted = (message.labels - ours) | ({label.name} if label and message.is_served else set())
            if not message.is_draft and wanted != message.labels:
                self._box.change(message, labels=wanted)


class MemorySender:
    """A `ports.Sender`. What was sent is in the mailbox under the ref that the draft had."""

    def __init__(self, mailbox: MemoryMailbox, drafts: MemoryDrafts) -> None:
        self._box, self._drafts = mailbox, drafts

    async def send_draft(self, draft: Draft) -> ProviderRef:
        ask(self._box)
        self._box.send(self._drafts.untouched(draft).ref)
        return draft.ref

    async def find_sent(self, draft: Draft) -> SentLookup:
        ask(self._box)
        found = self._box.messages.get(draft.ref)
        if found is None:
            return SentLookup("unknown")
        return SentLookup("sent", found.ref) if SENT in found.labels else SentLookup("not_sent")

    async def find_marked(self, key: str, to: str, since: datetime) -> ProviderRef | None:
        ask(self._box)
        sent = [each for each in self._box.messages.values() if SENT in each.labels]
        return next((each.ref for each in sent if each.markers is not None and each.markers.key == key), None)


class MemoryOutgoing:
    """A `ports.OutgoingFollower`."""

    def __init__(self, mailbox: MemoryMailbox, page_size: int) -> None:
        self._box, self._page_size = mailbox, page_size

    async def outgoing(self, since: Cursor | None) -> OutgoingChanges:
        ask(self._box)
        if since is None:
            return OutgoingChanges([], [], [], cursor_at(self._box.newest), more=False)
        page, more = read_log(self._box, since, "outgoing", self._page_size)
        found = {each.ref: self._box.messages.get(each.ref) for each in page}
        seen = [each for each in found.values() if each is not None]
        return OutgoingChanges(
            sent=[each.glimpse() for each in seen if SENT in each.labels],
            drafted=[each.glimpse() for each in seen if each.is_draft],
            removed=[
                ref for ref, each in found.items() if each is None or (DRAFT in each.labels and not each.is_draft)
            ],
            cursor=cursor_at(page[-1].number if page else self._box.newest),
            more=more,
        )


class MemoryAddresses:
    """A `ports.OwnAddresses`."""

    def __init__(self, mailbox: MemoryMailbox) -> None:
        self._box = mailbox

    async def own_addresses(self) -> frozenset[str]:
        ask(self._box)
        return frozenset(each.lower() for each in (self._box.address, *self._box.aliases))
