"""Whether a mail is worth the heavy work; in doubt it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from postroom.mail.attachments import Dropped, sift
from postroom.mail.automatic import automatic
from postroom.mail.bodies import body_file
from postroom.mail.words import pipeline_words
from postroom.nouns.mail import MailMessage
from postroom.nouns.mailbox_rules import MailboxRules, listed_sender
from postroom.nouns.pipelines import PIPELINES


@dataclass(frozen=True, slots=True)
class Relevance:
    keep: bool
    because: str


def worth_reading(
    message: MailMessage, rules: MailboxRules | None = None, pipelines: Iterable[str] = PIPELINES
) -> Relevance:
    """The fast look before anything heavy, for the pipelines of the mailbox. The first rule that applies decides."""
    rules = rules or MailboxRules()
    sender = message.sender
    if sender and (entry := listed_sender(sender, rules.deny_senders)):
        return Relevance(keep=False, because=f"This mailbox leaves out mail from {entry}.")
    if rules.allow_senders and not (sender and listed_sender(sender, rules.allow_senders)):
        return Relevance(keep=False, because=f"{sender or 'The sender'} is not one this mailbox takes mail from.")
    machine = automatic(message)
    if machine and machine.kind in ("bounce", "report"):
        return Relevance(keep=False, because=machine.because)
    sifted = sift(message, rules)
    if kept := sifted.kept:
        names = ", ".join(item.attachment.filename for item in kept[:3])
        return Relevance(keep=True, because=f"It carries {names}{' and more' if len(kept) > 3 else ''}.")
    for drop in sifted.dropped:
        if drop.attachment.flaw or drop.attachment.size > rules.max_bytes:
            return Relevance(keep=True, because=f"{drop.attachment.filename} was not opened, and may be a document.")
    if machine and machine.kind in ("auto_reply", "calendar"):
        return Relevance(keep=False, because=machine.because)
    if rules.attachments_only:
        return Relevance(keep=False, because="This mailbox reads attachments only, and there is none to read.")
    return _by_words(message, tuple(pipelines), sifted.dropped)


def _by_words(message: MailMessage, pipelines: tuple[str, ...], dropped: Sequence[Dropped]) -> Relevance:
    if body_file(message, pipelines) is not None:
        return Relevance(keep=True, because="Its text may be a trade or a bill itself.")
    if "<table" in message.html_body.lower() and re.search(r"\d[.,]\d{2}\b", message.text_body):
        return Relevance(keep=True, because="The text holds a table with amounts.")
    if word := pipeline_words(pipelines).search(f"{message.subject}\n{message.text_body[:20_000]}"):
        return Relevance(keep=True, because=f"It speaks of “{word[0]}”.")
    if files := [drop for drop in dropped if not drop.attachment.inline]:
        first = f"{files[0].attachment.filename}: {files[0].because}"
        more = f" {len(files) - 1} more are left out." if len(files) > 1 else ""
        return Relevance(
            keep=False, because=f"It does not speak of a document, and what it carries is left out. {first}{more}"
        )
    return Relevance(keep=False, because="It has no document with it and does not speak of one.")
