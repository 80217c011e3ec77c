"""A parsed mail as a message of a thread: the sender's own words, what it forwards, who made it, whose draft it is."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from postroom.mail.automatic import automatic, machine_answers
from postroom.mail.gmail_labels import canonical
from postroom.mail.own_words import forwarded_text, own_words
from postroom.mail.set_aside import set_aside
from postroom.nouns.conversations import Conversation, DraftOwner, Turn, conversation_of
from postroom.nouns.drafts import KEY_HEADER, MARKER_VERSION, VERSION_HEADER, markers_in
from postroom.nouns.mail import MailMessage
from postroom.nouns.providers import DRAFT, INBOX, TRASH, ProviderRef

_LABEL = re.compile(r'(?:[^,"]|"[^"]*"?)+')  # a name with a comma stands in quotes


def thread_message(
    mail: MailMessage, ref: ProviderRef, labels: Collection[str], draft_of: DraftOwner | None = None
) -> Turn:
    """A draft that nobody knows for ours is a person's."""
    own = own_words(mail.new_text)
    forwarded = [
        forwarded_text(mail.subject, mail.quoted_text),
        *(own_words(each.new_text).text for each in mail.enclosed),
    ]
    signature = "\n".join(part for part in (own.signature, mail.signature) if part)
    return Turn(
        ref=ref,
        sender=mail.sender,
        to=mail.to,
        cc=mail.cc,
        bcc=mail.bcc,
        reply_to=mail.reply_to,
        sent_at=mail.date,
        subject=mail.subject,
        labels=frozenset(labels),
        own_text=own.text,
        forwarded_text="\n\n".join(part for part in forwarded if part),
        set_aside=set_aside(mail.subject, mail.quoted_text, signature, own.disclaimer),
        automatic=automatic(mail),
        machine_answers=machine_answers(mail.header),
        draft_of=draft_of or ("person" if DRAFT in labels else None),
    )


def thread_from_files(mails: Sequence[MailMessage]) -> Conversation:
    """An exported thread: labels stand in `X-Gmail-Labels`."""
    made = []
    for number, mail in enumerate(mails):
        labels = exported_labels(mail)
        if {DRAFT, TRASH} <= labels:  # what was discarded is nobody's draft
            continue
        owner = _owner(mail) if DRAFT in labels else None
        made.append(thread_message(mail, ProviderRef(mail.message_id or str(number)), labels, owner))
    return conversation_of(ProviderRef(made[0].ref if made else ""), made)


def _owner(mail: MailMessage) -> DraftOwner:
    """By its marker alone: nothing is written over it here, and what we wrote first is not known."""
    key, version = (mail.header(name).strip() for name in (KEY_HEADER, VERSION_HEADER))
    marks = markers_in(key, version, mail.html_body, mail.text_body)
    return "copilot" if marks is not None and marks.version == MARKER_VERSION else "person"


def thread_from_words(mails: Sequence[MailMessage]) -> Conversation:
    """Mails that somebody shows us, in the order in which they were written: all of them count as having come."""
    made = [thread_message(mail, ProviderRef(str(number)), {INBOX}) for number, mail in enumerate(mails)]
    return Conversation(ProviderRef("0"), tuple(made))


def exported_labels(mail: MailMessage) -> frozenset[str]:
    return canonical(label for line in mail.header_all("x-gmail-labels") for label in _LABEL.findall(line))
