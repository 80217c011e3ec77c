"""Who is never written to, and how much goes out in an hour: loops end here, whatever was approved."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from postroom.mail.words import words
from postroom.nouns.sending import SendingPolicy
from postroom.rooms.outbox.rules.mails import MailKind

# Mail of these kinds is never answered: a machine, or a crowd, would get it. (A no-reply sender may name a person in
# Reply-To; there the recipient decides.)
NEVER_ANSWERED = {
    "bounce": "a delivery report",
    "auto_reply": "an automatic reply",
    "report": "a receipt or report of a machine",
    "mailing_list": "mail of a mailing list",
}
# Addresses at which programs read: of mail servers (RFC 2142, RFC 5321) and of mailing lists (RFC 2142, VERP).
_MACHINES = re.compile(
    r"(?:mailer[-_.]?daemon|mail[-_.]?daemon|postmaster|listserv|majordomo|mailman|sympa|ecartis|ezmlm)"
    r"|(?:owner-|bounces?[-+=]|prvs=|srs[01][-+=]).+|bounces?"
    r"|.+-(?:request|owner|bounces?|subscribe|unsubscribe|join|leave|confirm)(?:[-+].*)?"
)


@dataclass(frozen=True, slots=True)
class AnsweredMail:
    """What a reply answers."""

    automatic: str | None = None  # the kind of machine that wrote it
    machine_answers: bool = False  # its headers say that a machine wrote it in answer to something


def objection_to_recipients(
    kind: MailKind, recipients: Sequence[str], ours: Collection[str], answered: AnsweredMail | None
) -> str | None:
    """Why this mail is never sent; None when it may be."""
    if kind == "reply" and answered is not None:
        if what := NEVER_ANSWERED.get(answered.automatic or ""):
            return f"It would answer {what}: such mail is never answered."
        if answered.machine_answers:
            return "It would answer a machine that answers by itself: such mail is never answered."
    for address in recipients:
        if plain(address) in ours:
            return f"{address} is one of our own mailboxes: mail to ourselves would come round again."
        if words("senders", "no_reply").search(address.rpartition("@")[0]):
            return f"{address} takes no answers."
        if _MACHINES.fullmatch(address.lower().rpartition("@")[0]):
            return f"{address} is read by a program of a mail server or mailing list: nobody would read the mail."
    return None


def plain(address: str) -> str:
    """Without what stands after a plus: it is the same mailbox."""
    local, _, domain = address.lower().rpartition("@")
    return f"{local.partition('+')[0]}@{domain}"


@dataclass(frozen=True, slots=True)
class SentLately:
    """How many mails went out within the last hour."""

    in_thread: int = 0
    from_mailbox: int = 0


def over_the_cap(lately: SentLately, policy: SendingPolicy) -> str | None:
    """Why nothing more goes out for now."""
    if lately.in_thread >= policy.per_thread_hour:
        return f"{lately.in_thread} mails went out in this thread within an hour: it looks like a loop, so it waits."
    if lately.from_mailbox >= policy.per_mailbox_hour:
        return f"{lately.from_mailbox} mails went out of this mailbox within an hour: the rest waits."
    return None
