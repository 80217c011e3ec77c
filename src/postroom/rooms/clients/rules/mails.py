"""A mail as it is kept, turned into what its client is read from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from email.utils import parseaddr

from postroom.mail.replies import split_reply
from postroom.mail.words import words
from postroom.nouns.clients import Email
from postroom.nouns.mail import Address

_NEVER = datetime.max.replace(tzinfo=UTC)


def address_from(text: str) -> Address | None:
    """`Anna <anna@acme.example>`, or the bare address. None when there is no address in it."""
    name, email = parseaddr(text)
    return Address(email.strip().lower(), name.strip()) if "@" in email else None


def addresses_from(texts: Sequence[str]) -> tuple[Address, ...]:
    return tuple(address for text in texts if (address := address_from(text)))


def author(
    sender_email: str | None, sender_name: str | None, recipients: Mapping[str, Sequence[str]]
) -> tuple[Address | None, bool]:
    """Who wrote it, and whether that is only said: a form writes from a no-reply address, its person is in Reply-To."""
    sender = Address(sender_email.lower(), sender_name or "") if sender_email and "@" in sender_email else None
    named = addresses_from(recipients.get("reply_to") or ())
    if sender and len(named) == 1 and named[0].email != sender.email and _nobody(sender):
        return named[0], True
    return sender, False


def _nobody(sender: Address) -> bool:
    return bool(words("senders", "no_reply").search(sender.local))


def with_new_words(text: str, email: Email) -> Email:
    """The text told apart: what is new, what is quoted, and the signature."""
    parts = split_reply(text)
    return replace(email, text=parts.new, quoted=parts.quoted, signature=parts.signature or _last_lines(parts.new))


def _last_lines(text: str) -> str:
    """Without a mark, a signature is a few short lines at the end."""
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    tail: list[str] = []
    for line in reversed(lines[1:]):
        if len(line) > 60 or len(tail) == 6:
            break
        tail.append(line)
    return "\n".join(reversed(tail))


def with_thread(email: Email, earlier: Sequence[Email]) -> Email:
    """With what came before it, oldest first; those that say when they were written stand in that order."""
    dated = sorted(enumerate(earlier), key=lambda each: (each[1].date is None, each[1].date or _NEVER, each[0]))
    return replace(email, thread=tuple(mail for _, mail in dated))
