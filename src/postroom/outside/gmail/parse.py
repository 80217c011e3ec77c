"""Gmail's words become ours."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal, TypeVar

import msgspec

from postroom.mail.headers import addresses, header_text, message_ids
from postroom.mail.parse import read_mail
from postroom.nouns.drafts import KEY_HEADER, REVISION_HEADER, VERSION_HEADER, Draft, DraftMarkers
from postroom.nouns.errors import CursorExpired, Unavailable, Unreadable
from postroom.nouns.providers import (
    DRAFT,
    INBOX,
    SENT,
    SPAM,
    TRASH,
    Changes,
    Cursor,
    Glimpse,
    Listing,
    ProviderRef,
    RawMail,
    Watch,
)
from postroom.nouns.threads import OutgoingChanges, ThreadMessage
from postroom.outside.gmail import compose, wire

T = TypeVar("T")

OWN_WRITING = frozenset({DRAFT, SENT})
THROWN_AWAY = frozenset({SPAM, TRASH})
_POSITION = re.compile(r"(?P<start>\d+)(?:\.(?P<seen>\d+)\.(?P<high>\d+)\.(?P<page>.*))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class HistoryPosition:
    """How far we have read. History ids are numbers that grow with gaps; they count nothing."""

    start: int  # everything up to here was read
    seen: int  # where the mailbox stood when we last asked
    high: int  # the newest record on the pages read since `start`
    page: str = ""  # the page to read next; empty between two readings

    @classmethod
    def at(cls, history_id: wire.Number) -> HistoryPosition:
        return cls(int(history_id), int(history_id), int(history_id))

    @classmethod
    def read(cls, cursor: Cursor) -> HistoryPosition:
        found = _POSITION.fullmatch(cursor)
        if found is None:
            raise CursorExpired("The stored Gmail cursor cannot be understood: a resync is needed.")
        start = int(found["start"])
        return cls(start, int(found["seen"] or start), int(found["high"] or start), found["page"] or "")

    def cursor(self) -> Cursor:
        return Cursor(f"{self.start}.{self.seen}.{self.high}.{self.page}")

    def from_first_page(self) -> HistoryPosition:
        return replace(self, high=self.start, page="")

    def after(self, page: wire.HistoryPage) -> HistoryPosition:
        """An empty answer is believed the second time: a push can overtake the index it announces."""
        high = max([self.high, *(int(record["id"]) for record in page.get("history", ()))])
        if token := page.get("nextPageToken"):
            return replace(self, high=high, page=token)
        start = high if high > self.start else max(self.start, self.seen)
        return HistoryPosition(start, max(start, int(page["historyId"])), start)


def decoded(body: bytes, answer_type: type[T]) -> T:
    try:
        return msgspec.json.decode(body, type=answer_type)
    except (msgspec.DecodeError, UnicodeDecodeError):
        # The cause is dropped: its text would quote the mail.
        raise Unavailable("Gmail gave an answer that cannot be understood.") from None


def changes(page: wire.HistoryPage, at: HistoryPosition) -> Changes:
    """A history page. What came and went on it is named on both sides: it was here, so it counts."""
    passing: dict[str, Glimpse] = {}
    arrived: dict[str, Glimpse] = {}
    removed: dict[str, None] = {}
    relabelled: dict[str, Glimpse] = {}
    for record in sorted(page.get("history", ()), key=lambda record: int(record["id"])):
        relabelled |= {one["id"]: glimpse(one, version=record["id"]) for one in _relabelled(record)}
        for move, message in _moves(record):
            ref = message["id"]
            if move == "passed":
                passing[ref] = glimpse(message, version=record["id"])
            elif move == "came":
                arrived[ref] = glimpse(message, version=record["id"])
                removed.pop(ref, None)
            else:
                removed[ref] = None
                if ref in passing:
                    arrived.setdefault(ref, passing[ref])
    after = at.after(page)
    return Changes(
        arrived=list(arrived.values()),
        removed=[ProviderRef(ref) for ref in removed],
        cursor=after.cursor(),
        more=bool(after.page),
        relabelled=[one for ref, one in relabelled.items() if ref not in arrived and ref not in removed],
    )


def named(found: Changes, names: Mapping[str, str]) -> Changes:
    """Labels of what was relabelled by the names that people see."""
    shown = [replace(one, labels=frozenset(names.get(each, each) for each in one.labels)) for one in found.relabelled]
    return replace(found, relabelled=shown)


def _relabelled(record: wire.HistoryRecord) -> Iterator[wire.GmailMessage]:
    """Labels that people make are called `Label_…`; being read or starred is of no interest."""
    for change in (*record.get("labelsAdded", ()), *record.get("labelsRemoved", ())):
        if "labelIds" in change["message"] and any(each.startswith("Label_") for each in change.get("labelIds", ())):
            yield change["message"]


def _moves(record: wire.HistoryRecord) -> Iterator[tuple[Literal["came", "passed", "left"], wire.GmailMessage]]:
    """Into and out of the inbox; `passed` is new mail that is not there by now."""
    for added in record.get("messagesAdded", ()):
        if not OWN_WRITING & _labels(added["message"]):
            yield ("came" if _in_inbox(added["message"]) else "passed"), added["message"]
    for change in record.get("labelsAdded", ()):
        message, put_on = change["message"], set(change.get("labelIds", ()))
        if THROWN_AWAY & put_on and not OWN_WRITING & _labels(message):
            yield "left", message
        elif INBOX in put_on and _in_inbox(message):
            yield "came", message
    for change in record.get("labelsRemoved", ()):
        message, taken_off = change["message"], set(change.get("labelIds", ()))
        if INBOX in taken_off and not OWN_WRITING & _labels(message):
            yield "left", message
        elif THROWN_AWAY & taken_off and "labelIds" in message and _in_inbox(message):
            yield "came", message
    for deleted in record.get("messagesDeleted", ()):
        if not OWN_WRITING & _labels(deleted["message"]):
            yield "left", deleted["message"]


def _labels(message: wire.GmailMessage) -> frozenset[str]:
    return frozenset(message.get("labelIds", ()))


def _in_inbox(message: wire.GmailMessage) -> bool:
    """History may leave the labels out: then it counts, and reading the message will tell."""
    labels = _labels(message)
    return "labelIds" not in message or (INBOX in labels and not labels & (OWN_WRITING | THROWN_AWAY))


def glimpse(message: wire.GmailMessage, *, version: wire.Number | None = None) -> Glimpse:
    labels = _labels(message)
    thread, told = message.get("threadId"), message.get("historyId", version)
    return Glimpse(
        ref=ProviderRef(message["id"]),
        thread_ref=None if thread is None else ProviderRef(thread),
        received_at=received_at(message),
        labels=labels,
        version="" if told is None else str(told),
        is_draft=DRAFT in labels,
    )


def received_at(message: wire.GmailMessage) -> datetime | None:
    millis = message.get("internalDate")
    return None if millis is None else moment(millis)


def moment(millis: wire.Number) -> datetime:
    return datetime.fromtimestamp(int(millis) / 1000, UTC)


def to_millisecond(at: datetime) -> datetime:
    """Gmail cuts times off there: what came right after a moment may seem to have come before."""
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


REPLY_HEADERS = ("Message-ID", "References", "Subject")
THREAD_HEADERS = (
    *("From", "To", "Cc", "Bcc", "Reply-To", "Subject", "Message-ID"),
    *(KEY_HEADER, VERSION_HEADER, REVISION_HEADER),
)


def is_draft(message: wire.GmailMessage) -> bool:
    return DRAFT in _labels(message)


def thread_message(message: wire.GmailMessage, names: Mapping[str, str], draft_id: str | None) -> ThreadMessage:
    """Labels by the names that people see; those of the system keep theirs, which are ours too."""
    seen = glimpse(message)
    labels = frozenset(names.get(each, each) for each in seen.labels)
    sender = _addresses(message, "From")
    subject, message_id = header_text(_header(message, "Subject")), _header(message, "Message-ID").strip()
    return ThreadMessage(
        replace(
            seen, labels=labels, subject=subject, sender=sender[0] if sender else "", internet_message_id=message_id
        ),
        to=_addresses(message, "To"),
        cc=_addresses(message, "Cc"),
        bcc=_addresses(message, "Bcc"),
        reply_to=_addresses(message, "Reply-To"),
        draft_ref=ProviderRef(draft_id) if draft_id else None,
    )


def _headers(message: wire.GmailMessage, name: str) -> list[str]:
    """Senders write header names in any case."""
    listed = message.get("payload", {}).get("headers", ())
    return [each.get("value", "") for each in listed if each["name"].lower() == name.lower()]


def _header(message: wire.GmailMessage, name: str) -> str:
    return next(iter(_headers(message, name)), "")


def _addresses(message: wire.GmailMessage, name: str) -> tuple[str, ...]:
    return tuple(each.email for each in addresses(_headers(message, name)))


def answered(message: wire.GmailMessage) -> compose.Answered:
    """What a reply names of it. Without a Message-ID it joins the thread by its id alone."""
    own = message_ids(_header(message, "Message-ID"))
    references = message_ids(_header(message, "References"))
    return compose.Answered(
        message.get("threadId", ""), own[0] if own else "", references, header_text(_header(message, "Subject"))
    )


def answered_by(found: wire.GmailDraft) -> compose.Answered:
    """What a draft that is there answers."""
    mail = read_mail(raw_mail(found["message"]).raw)
    return compose.Answered(found["message"].get("threadId", ""), mail.in_reply_to, mail.references, mail.subject)


def draft(found: wire.GmailDraft) -> Draft:
    message = found["message"]
    mail = read_mail(raw_mail(message).raw)
    thread = message.get("threadId")
    return Draft(
        ref=ProviderRef(found["id"]),
        message_ref=ProviderRef(message["id"]),
        version=message["id"],
        thread_ref=ProviderRef(thread) if thread else None,
        to=tuple(each.email for each in mail.to),
        cc=tuple(each.email for each in mail.cc),
        bcc=tuple(each.email for each in mail.bcc),
        subject=mail.subject,
        text=mail.text_body,
        html=mail.html_body,
        markers=_markers(mail.header(KEY_HEADER), mail.header(VERSION_HEADER), mail.header(REVISION_HEADER)),
        internet_message_id=mail.message_id,
        files=tuple(each.filename for each in mail.attachments if len(each.path) <= 1),
    )


def _markers(key: str, version: str, revision: str) -> DraftMarkers | None:
    return DraftMarkers(key.strip(), version.strip(), revision.strip()) if key.strip() else None


def bears(message: wire.GmailMessage, key: str) -> bool:
    """Whether it carries our marker with this key."""
    return _header(message, KEY_HEADER).strip() == key


def was_sent(message: wire.GmailMessage, was: Draft) -> bool:
    """Whether this is the draft, as sent: by its Message-ID, or by markers that name the same revision."""
    if SENT not in _labels(message):
        return False
    said = _markers(*(_header(message, name) for name in (KEY_HEADER, VERSION_HEADER, REVISION_HEADER)))
    same_id = was.internet_message_id in message_ids(_header(message, "Message-ID"))
    return same_id or (said is not None and bool(said.revision) and said == was.markers)


def outgoing(page: wire.HistoryPage, at: HistoryPosition) -> OutgoingChanges:
    """A history page. An edit of a draft is a deletion and a new message; so is sending one."""
    sent: dict[str, Glimpse] = {}
    drafted: dict[str, Glimpse] = {}
    removed: dict[str, None] = {}
    for record in sorted(page.get("history", ()), key=lambda record: int(record["id"])):
        for added in record.get("messagesAdded", ()):
            labels, ref = _labels(added["message"]), added["message"]["id"]
            if labels & OWN_WRITING:
                (drafted if DRAFT in labels else sent)[ref] = glimpse(added["message"], version=record["id"])
        for deleted in record.get("messagesDeleted", ()):
            ref = deleted["message"]["id"]
            if ref in drafted or _labels(deleted["message"]) & OWN_WRITING:
                drafted.pop(ref, None)
                removed[ref] = None
    after = at.after(page)
    gone = [ProviderRef(ref) for ref in removed]
    return OutgoingChanges(list(sent.values()), list(drafted.values()), gone, after.cursor(), more=bool(after.page))


def own_addresses(listed: wire.SendAsList) -> frozenset[str]:
    """One that waits to be verified is not theirs yet."""
    known = [each for each in listed.get("sendAs", ()) if each.get("verificationStatus", "accepted") == "accepted"]
    return frozenset(each["sendAsEmail"].lower() for each in known)


def raw_mail(message: wire.GmailMessage) -> RawMail:
    if "raw" not in message:
        raise Unreadable("Gmail gave the message without its content.")
    return RawMail(glimpse(message), bytes_of(message["raw"]))


def bytes_of(text: str) -> bytes:
    """Base64 in either alphabet, with or without padding."""
    plain = text.translate(_ONE_ALPHABET).rstrip("=")
    try:
        return base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
    except (binascii.Error, ValueError):
        raise Unreadable("Google gave content that is not base64.") from None


_ONE_ALPHABET = str.maketrans("-_", "+/")


def listing(page: wire.GmailMessagePage, extra: Sequence[wire.GmailMessage] = ()) -> Listing:
    """`extra` are messages found besides the page; a message listed twice counts once."""
    found = {message["id"]: message for message in (*page.get("messages", ()), *extra)}
    return Listing([glimpse(message) for message in found.values()], page.get("nextPageToken") or None)


def watch(answer: wire.WatchAnswer, topic: str, callback: str) -> Watch:
    """The history id in the answer is left alone: it is where the mailbox stands, not how far we have read."""
    return Watch(id=topic, resource=INBOX, expires_at=moment(answer["expiration"]), callback=callback)
