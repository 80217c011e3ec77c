"""Messages of a thread as they are kept: the sender's own words told from quotes, signature and disclaimer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.mail.automatic import automatic, machine_answers
from postroom.mail.headers import addresses
from postroom.mail.own_words import forwarded_text, own_words
from postroom.mail.replies import split_reply
from postroom.mail.set_aside import set_aside
from postroom.nouns.conversations import Conversation, DraftOwner, Turn, conversation_of
from postroom.nouns.mail import Address, Automatic, AutomaticKind, MailMessage
from postroom.nouns.providers import DRAFT, INBOX, SENT, SPAM, TRASH, Glimpse, ProviderRef
from postroom.nouns.threads import MailThread, ThreadMessage
from postroom.rooms.triage.rules.assembling import thread_message

LONGEST_TEXT = 100_000  # letters kept of each part
MOST_FETCHED = 12  # messages of a thread that are fetched to be kept, the newest first
_FIELDS = ("to", "cc", "bcc", "reply_to")
_SEEN = frozenset({INBOX, SPAM, TRASH, SENT, DRAFT})


@dataclass(frozen=True, slots=True)
class HeldMessage:
    """A message as sync keeps it."""

    id: UUID
    ref: ProviderRef
    sender_email: str | None
    sender_name: str | None
    recipients: dict[str, Any]
    subject: str | None
    body: str | None
    enclosed_text: str | None
    headers: dict[str, Any]
    automatic: AutomaticKind | None
    automatic_because: str | None
    received_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeptTurn:
    """A message of a thread as triage keeps it."""

    ref: ProviderRef
    message_id: UUID | None
    draft_ref: ProviderRef | None
    version: str
    outgoing: bool
    sender_email: str | None
    sender_name: str
    recipients: dict[str, Any]
    sent_at: datetime | None
    subject: str
    own_text: str
    forwarded_text: str
    quoted_text: str
    signature: str
    disclaimer: str
    automatic: AutomaticKind | None
    automatic_because: str | None
    machine_answers: bool


def from_held(held: HeldMessage, seen: ThreadMessage) -> KeptTurn:
    """What we hold says the same as the mail itself: text as parsed, headers as far as they matter."""
    parts = split_reply(held.body or "")
    own = own_words(parts.new)
    subject = held.subject or ""
    forwarded = [forwarded_text(subject, parts.quoted), held.enclosed_text or ""]
    return KeptTurn(
        ref=held.ref,
        message_id=held.id,
        draft_ref=None,
        version=seen.glimpse.version,
        outgoing=SENT in seen.glimpse.labels and INBOX not in seen.glimpse.labels,
        sender_email=held.sender_email,
        sender_name=held.sender_name or "",
        recipients={field: list(held.recipients.get(field) or ()) for field in _FIELDS},
        sent_at=seen.glimpse.received_at or held.received_at,
        subject=subject,
        own_text=own.text[:LONGEST_TEXT],
        forwarded_text="\n\n".join(part for part in forwarded if part)[:LONGEST_TEXT],
        quoted_text=parts.quoted[:LONGEST_TEXT],
        signature="\n".join(part for part in (own.signature, parts.signature) if part),
        disclaimer=own.disclaimer,
        automatic=held.automatic,
        automatic_because=held.automatic_because,
        machine_answers=machine_answers(lambda name: " ".join(held.headers.get(name) or ())),
    )


def from_mail(mail: MailMessage, seen: ThreadMessage) -> KeptTurn:
    turn = thread_message(mail, seen.glimpse.ref, seen.glimpse.labels)
    own = own_words(mail.new_text)
    machine = automatic(mail)
    return KeptTurn(
        ref=seen.glimpse.ref,
        message_id=None,
        draft_ref=None,
        version=seen.glimpse.version,
        outgoing=SENT in seen.glimpse.labels and INBOX not in seen.glimpse.labels,
        sender_email=mail.sender.email if mail.sender else None,
        sender_name=mail.sender.name if mail.sender else "",
        recipients={field: [str(each) for each in getattr(mail, field)] for field in _FIELDS},
        sent_at=seen.glimpse.received_at or mail.date,
        subject=mail.subject,
        own_text=turn.own_text[:LONGEST_TEXT],
        forwarded_text=turn.forwarded_text[:LONGEST_TEXT],
        quoted_text=mail.quoted_text[:LONGEST_TEXT],
        signature="\n".join(part for part in (own.signature, mail.signature) if part),
        disclaimer=own.disclaimer,
        automatic=machine.kind if machine else None,
        automatic_because=machine.because if machine else None,
        machine_answers=turn.machine_answers,
    )


def from_glimpse(seen: ThreadMessage) -> KeptTurn:
    """What the thread says of it: all there is of a draft, and of a message that cannot be had any more."""
    glimpse = seen.glimpse
    return KeptTurn(
        ref=glimpse.ref,
        message_id=None,
        draft_ref=seen.draft_ref,
        version=glimpse.version,
        outgoing=bool(glimpse.labels & {SENT, DRAFT}),
        sender_email=glimpse.sender or None,
        sender_name="",
        recipients={field: list(getattr(seen, field)) for field in _FIELDS},
        sent_at=glimpse.received_at,
        subject=glimpse.subject,
        own_text="",
        forwarded_text="",
        quoted_text="",
        signature="",
        disclaimer="",
        automatic=None,
        automatic_because=None,
        machine_answers=False,
    )


def worth_fetching(thread: MailThread, known: Collection[str]) -> list[ThreadMessage]:
    """Those whose words we do not have: the newest ones, without drafts and what was thrown away."""
    missing = [
        each
        for each in thread.messages
        if not each.is_draft and each.glimpse.ref not in known and not each.glimpse.labels & {SPAM, TRASH}
    ]
    return missing[-MOST_FETCHED:]


def conversation(
    thread: MailThread, kept: Mapping[ProviderRef, KeptTurn], our_drafts: Mapping[str, str]
) -> Conversation:
    """Labels and order are the provider's of this moment. `our_drafts`: versions of what we wrote, by draft."""
    turns = [
        _turn(each, kept.get(each.glimpse.ref) or from_glimpse(each), our_drafts)
        for each in thread.messages
        if not discarded(each)
    ]
    return conversation_of(thread.ref, turns)


def discarded(seen: ThreadMessage) -> bool:
    """A draft that was thrown away, which Outlook keeps in the thread."""
    return seen.is_draft and TRASH in seen.glimpse.labels


def remembered(held: Sequence[HeldMessage], kept: Sequence[KeptTurn]) -> list[KeptTurn]:
    """A thread from what we keep of it, without asking the provider: words of what came stand in the message itself."""
    known = {each.ref for each in kept}
    return [*kept, *(from_held(each, _as_came(each.ref, each.received_at)) for each in held if each.ref not in known)]


def conversation_kept(ref: ProviderRef, kept: Sequence[KeptTurn], our_drafts: Mapping[str, str]) -> Conversation:
    """As `conversation`, with labels as far as they follow from what a message is."""
    return conversation_of(ref, [_turn(_seen_as_kept(each), each, our_drafts) for each in kept])


def _as_came(ref: ProviderRef, received_at: datetime | None) -> ThreadMessage:
    return ThreadMessage(Glimpse(ref, received_at=received_at, labels=frozenset({INBOX})))


def _seen_as_kept(kept: KeptTurn) -> ThreadMessage:
    draft = kept.draft_ref is not None
    labels = frozenset({DRAFT if draft else SENT if kept.outgoing else INBOX})
    glimpse = Glimpse(kept.ref, received_at=kept.sent_at, labels=labels, version=kept.version, is_draft=draft)
    return ThreadMessage(glimpse, draft_ref=kept.draft_ref)


def _turn(seen: ThreadMessage, kept: KeptTurn, our_drafts: Mapping[str, str]) -> Turn:
    people = {field: tuple(addresses(kept.recipients.get(field) or ())) for field in _FIELDS}
    machine = Automatic(kept.automatic, kept.automatic_because or "A machine wrote it.") if kept.automatic else None
    return Turn(
        ref=kept.ref,
        sender=Address(kept.sender_email, kept.sender_name) if kept.sender_email else None,
        **people,
        sent_at=seen.glimpse.received_at or kept.sent_at,
        subject=kept.subject,
        labels=seen.glimpse.labels,
        own_text=kept.own_text,
        forwarded_text=kept.forwarded_text,
        set_aside=set_aside(kept.subject, kept.quoted_text, kept.signature, kept.disclaimer),
        automatic=machine,
        machine_answers=kept.machine_answers,
        draft_of=_owner(seen, our_drafts) if seen.is_draft else None,
    )


def _owner(seen: ThreadMessage, our_drafts: Mapping[str, str]) -> DraftOwner:
    """Ours only as we left it; any doubt makes it a person's."""
    if seen.draft_ref is None:
        return "person"
    ours = our_drafts.get(
        seen.draft_ref
    )  # Gmail's version of a draft is the id of its message, Outlook's the changeKey
    return "copilot" if ours and ours in (seen.glimpse.version, seen.glimpse.ref) else "person"


def newest_inbound(thread: Conversation) -> Turn | None:
    """The newest that came: neither a draft nor what the mailbox itself sent."""
    return next(
        (
            each
            for each in reversed(thread.messages)
            if not each.is_draft and (SENT not in each.labels or INBOX in each.labels)
        ),
        None,
    )


def inputs_of(thread: Conversation, *more: Any) -> str:
    """A fingerprint of all that a verdict depends on: the same again asks for nothing."""
    seen = [[each.ref, sorted(each.labels & _SEEN), each.draft_of, bool(each.own_text)] for each in thread.messages]
    return hashlib.sha256(json.dumps([seen, *more], default=str, sort_keys=True).encode()).hexdigest()


def drafts_gone(kept: Sequence[KeptTurn], thread: MailThread) -> list[ProviderRef]:
    """What is no more in the thread: an edited draft has another id at Gmail."""
    there = {each.glimpse.ref for each in thread.messages if not discarded(each)}
    return [each.ref for each in kept if each.draft_ref is not None and each.ref not in there]
