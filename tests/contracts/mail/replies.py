"""Replies to put into a mailbox, and what the tests about answering ask again and again."""

from __future__ import annotations

from dataclasses import replace
from email.message import EmailMessage

from postroom.nouns.drafts import Draft, DraftMarkers, OutgoingMail
from postroom.nouns.providers import Cursor
from postroom.nouns.threads import StateLabel

MARKERS = DraftMarkers(key="sha256:0a1b2c", version="1", revision="r-1")
READY = StateLabel("Inbox Copilot/Ready", "green")
REVIEW = StateLabel("Inbox Copilot/Needs review", "yellow")
ERROR = StateLabel("Inbox Copilot/Error", "red")
LABELS = (READY, REVIEW, ERROR)
TEXT = "Dear Broker,\n\nthe invoice over 1,200.00 EUR was paid – on 2 November.\n\nAnna"
HTML = (
    "<p>Dear Broker,</p><p>the invoice over 1,200.00 EUR was paid – on 2 November.</p><p>Anna</p>"
    "<!-- inbox-copilot:draftKey=sha256:0a1b2c;v=1 -->"
)


def answer_to(mail_before: bytes) -> bytes:
    """A later mail of the same sender, in the same conversation."""
    first = next(line for line in mail_before.splitlines() if line.lower().startswith(b"message-id:"))
    named = first.partition(b":")[2].strip().decode()
    message = EmailMessage()
    message["From"], message["To"] = "Broker <notes@broker.test>", "anna.ash@desk.test"
    message["Subject"], message["Message-ID"] = "Re: Contract note", "<later@broker.test>"
    message["In-Reply-To"] = message["References"] = named
    message.set_content("Any news?")
    return message.as_bytes()


def reply(ref, **changes) -> OutgoingMail:
    written = OutgoingMail(("notes@broker.test",), "Re: Contract note", TEXT, HTML, answers=ref)
    return replace(written, **changes)


async def thread_of(office, ref):
    return (await office.provider.message(ref)).glimpse.thread_ref


async def written(office, ref, **changes) -> Draft:
    return await office.copilot.drafts.create_draft(reply(ref, **changes), MARKERS)


def words(text: str) -> list[str]:
    return text.split()


async def labels_of(office, ref) -> frozenset[str]:
    thread = await office.copilot.threads.thread(await thread_of(office, ref))
    return next(each.glimpse.labels for each in thread.messages if each.glimpse.ref == ref)


async def follow(office, since: Cursor):
    sent, drafted, removed = [], [], []
    page = await office.copilot.outgoing.outgoing(since)
    while True:
        sent += page.sent
        drafted += page.drafted
        removed += page.removed
        if not page.more:
            return sent, drafted, removed, page.cursor
        page = await office.copilot.outgoing.outgoing(page.cursor)
