"""Contacts age: they bounce, fall silent, or turn up elsewhere. A person is asked; nothing is changed by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from postroom.nouns.clients import AccountId, ContactId

ProposalKind = Literal["bounced", "elsewhere", "silent"]
ENOUGH_ELSEWHERE = 2  # mails that people put under another account, with none under its own since
ASKED_AGAIN_AFTER = timedelta(days=180)
_FOR_GOOD = re.compile(
    r"\b5[0-9]{2}[ -]5\.\d\.\d+|\b5\.\d\.\d+\b|\b55[0-4]\b|user unknown|no such user|does not exist", re.I
)
_ADDRESS = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")


@dataclass(frozen=True, slots=True)
class ContactLife:
    """What became of a contact lately."""

    id: ContactId
    email: str
    name: str
    accounts: tuple[str, ...]  # as people call them
    last_seen_at: datetime | None
    bounced_at: datetime | None
    bounce_because: str
    elsewhere_id: AccountId | None  # where people put its newest mails
    elsewhere: str
    elsewhere_count: int


@dataclass(frozen=True, slots=True)
class ContactProposal:
    contact_id: UUID
    kind: ProposalKind
    account_id: UUID | None
    because: str


def proposal(life: ContactLife, silent_after: timedelta, now: datetime) -> ContactProposal | None:
    """The first that applies: an address that is dead, one that moved, one that is quiet."""
    seen, bounced = life.last_seen_at, life.bounced_at
    if bounced is not None and (seen is None or seen < bounced):
        said = f"Mail to {life.email} came back on {bounced:%Y-%m-%d}: {life.bounce_because}"
        return ContactProposal(life.id, "bounced", None, f"{said} Retire the contact?")
    if life.elsewhere_id is not None and life.elsewhere_count >= ENOUGH_ELSEWHERE:
        said = f"People put the last {life.elsewhere_count} mails of {life.email} under {life.elsewhere}"
        return ContactProposal(life.id, "elsewhere", life.elsewhere_id, f"{said}. Move the contact there?")
    if seen is not None and now - seen > silent_after:
        said = f"{life.email} has not written since {seen:%Y-%m-%d}."
        return ContactProposal(life.id, "silent", None, f"{said} Retire the contact?")
    return None


def returned_addresses(text: str, own: Sequence[str] = ()) -> tuple[list[str], str]:
    """Whom a bounce says cannot be reached for good, and its words. Of a delay nobody is named."""
    line = next((line.strip() for line in text.splitlines() if _FOR_GOOD.search(line)), "")
    if not line:
        return [], ""
    found = dict.fromkeys(address.lower().rstrip(".") for address in _ADDRESS.findall(text))
    return [address for address in found if address not in own][:10], line[:200]
