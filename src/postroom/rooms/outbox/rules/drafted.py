"""What the draft of a thread means for its proposals: pure, the same for the same thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from postroom.nouns.drafts import Draft
from postroom.nouns.mail import MailMessage
from postroom.rooms.outbox.rules.mails import ProposedMail
from postroom.rooms.outbox.rules.states import BEGUN, DECIDABLE, OPEN, ProposalStatus

DraftedDoing = Literal["change", "replace", "void", "sent", "edited", "discarded", "propose"]
_ELSEWHERE: dict[str, DraftedDoing] = {"sent": "sent", "blocked_user_edited": "edited", "discarded": "discarded"}


@dataclass(frozen=True, slots=True)
class HeldProposal:
    """A proposal that was made from a draft, and what became of that draft."""

    id: UUID
    draft_id: UUID
    status: ProposalStatus
    hash: str
    draft_status: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class DraftedAct:
    """`proposal_id` is none for a draft that was never proposed."""

    doing: DraftedDoing
    proposal_id: UUID | None = None


def plan_proposals(draft_id: UUID | None, hash_now: str | None, held: Sequence[HeldProposal]) -> list[DraftedAct]:
    """`hash_now` is of what the thread's draft says; none: it has none that waits."""
    acts = [act for each in held if (act := _about(each, hash_now))]
    if draft_id is None or hash_now is None:
        return acts
    mine = [each for each in held if each.draft_id == draft_id]
    stands = any(each.status in OPEN | BEGUN or each.hash == hash_now for each in mine)
    return acts if stands else [*acts, DraftedAct("propose")]


def _about(held: HeldProposal, hash_now: str | None) -> DraftedAct | None:
    if held.status not in OPEN:
        return None
    if held.draft_status != "written" or not held.is_current or hash_now is None:
        return DraftedAct(_ELSEWHERE.get(held.draft_status, "void"), held.id)
    if held.hash == hash_now:
        return None
    return DraftedAct("change" if held.status in DECIDABLE else "replace", held.id)


def says_what_was_approved(draft: Draft, mail: ProposedMail) -> bool:
    """Whether a draft at the provider is, word by word, what a person said yes to."""
    return (
        _people(draft.to) == _people(mail.to)
        and _people(draft.cc) == _people(mail.cc)
        and _people(draft.bcc) == _people(mail.bcc)
        and draft.subject.split() == mail.subject.split()
        and draft.text.split() == mail.text.split()
        and sorted(draft.files) == sorted(each.filename for each in mail.files)
    )


def sent_as_approved(sent: MailMessage, mail: ProposedMail) -> bool:
    """Whether what lies in Sent is what a person said yes to. (Blind copies are not shown everywhere.)"""
    return (
        {each.email for each in sent.to} == _people(mail.to)
        and {each.email for each in sent.cc} == _people(mail.cc)
        and sent.subject.split() == mail.subject.split()
        and sent.text_body.split() == mail.text.split()
        and sorted(each.sha256 for each in sent.attachments) == sorted(each.sha256 for each in mail.files)
    )


def _people(addresses: Sequence[str]) -> set[str]:
    return {each.strip().lower() for each in addresses}
