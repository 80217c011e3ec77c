"""A person's yes: when it is refused, when it is enough, and what makes it void."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from postroom.nouns.sending import SendingSwitch
from postroom.rooms.outbox.rules.states import DECIDABLE, ProposalStatus, too_late

NEWER_MAIL = "Something newer is in the thread than what was proposed."


@dataclass(frozen=True, slots=True)
class SendingRights:
    """Whether mail may leave a mailbox at all."""

    tenant_switch: SendingSwitch
    mailbox_switch: SendingSwitch
    mailbox_status: str
    may_send: bool  # the grant has the right, and the provider can


def why_stopped(rights: SendingRights) -> str | None:
    """Why nothing leaves the mailbox just now, whatever was approved; None when it may."""
    if rights.tenant_switch == "off":
        return "Sending is switched off for this tenant."
    if rights.mailbox_switch == "off":
        return "Sending is switched off for this mailbox."
    if rights.mailbox_status in {"paused", "disconnected", "token_refresh_failed"}:
        return f"The mailbox is {rights.mailbox_status.replace('_', ' ')}: resume or reconnect it first."
    if not rights.may_send:
        return "The mailbox has no right to send yet: an admin has to press Grant sending on its page, and consent."
    return None


@dataclass(frozen=True, slots=True)
class ProposalStanding:
    """A proposal, and what it was made from, at this moment."""

    status: ProposalStatus
    hash: str
    head: str | None  # the newest message of the thread that it was proposed over; none: it has no thread
    head_now: str | None
    draft_status: str | None  # of the draft it is made from; none: it has none
    draft_is_current: bool
    draft_is_same: bool  # the draft still says what was proposed
    expires_at: datetime


def why_void(standing: ProposalStanding, now: datetime) -> str | None:
    """What changed since it was proposed, if something did. Any doubt counts as a change."""
    if standing.head != standing.head_now:
        return NEWER_MAIL
    if standing.draft_status is not None:
        if standing.draft_status != "written":
            return _ENDED.get(standing.draft_status, "The draft is over.")
        if not standing.draft_is_current or not standing.draft_is_same:
            return "The draft says something else by now."
    if now >= standing.expires_at:
        return "Nobody decided in time."
    return None


_ENDED = {
    "blocked_user_edited": "A person changed the draft in the mail program.",
    "superseded": "Another draft took its place, or a person answered without it.",
    "sent": "A person sent the draft in the mail program.",
    "discarded": "A person discarded the draft in the mail program.",
}


def objection_to_approval(
    standing: ProposalStanding, said_hash: str, gaps: Collection[str], stopped: str | None, guarded: str | None
) -> str | None:
    """Why this yes does not count; None when it does. What is void is asked before."""
    if standing.status not in DECIDABLE and standing.status != "approved":
        return too_late(standing.status)
    if said_hash != standing.hash:
        return "This is not what is proposed now: somebody changed it since you looked. Look again."
    if gaps:
        return f"Open questions are left in the body: {'; '.join(gaps)}. Answer or remove them first."
    return guarded or stopped


def enough(approvers: Collection[str], needed: int) -> bool:
    """Each person counts once."""
    return len(set(approvers)) >= needed
