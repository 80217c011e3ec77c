"""What happens to mails that are proposed: a person's yes, the send, and what became of it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


class ProposalMade(SilentFact, frozen=True, kw_only=True):
    """A mail waits for a person's yes. `what` is reply, new or forward; `origin` draft, person or program."""

    kind = "proposal.made"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    message_id: UUID | None
    draft_id: UUID | None
    what: str
    origin: str
    hash: str
    recipients: int
    files: int
    needed: int
    replaces: UUID | None


class ProposalChanged(SilentFact, frozen=True, kw_only=True):
    """It says something else by now; every yes to what it said before is void."""

    kind = "proposal.changed"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    before: str
    after: str
    version: int
    ended: int  # approvals that are void by it


class ProposalApproved(FactBase, frozen=True, kw_only=True):
    """A person's yes to exactly this. `send_at` when it is enough: not before then it goes out."""

    kind = "proposal.approved"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    hash: str
    approvals: int
    needed: int
    send_at: datetime | None


class ProposalRevoked(SilentFact, frozen=True, kw_only=True):
    """A yes was taken back before the send began, by a person, a kill switch or time; `withdrawn`: there was none."""

    kind = "proposal.revoked"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    hash: str
    because: str
    withdrawn: bool = False


class ProposalVoided(SilentFact, frozen=True, kw_only=True):
    """Something changed, or nobody decided in time: it is never sent."""

    kind = "proposal.voided"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    hash: str
    because: str
    was: str


class SendBegun(SilentFact, frozen=True, kw_only=True):
    """From now on it cannot be taken back; told before the provider is asked."""

    kind = "proposal.sending"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    hash: str
    approved_by: list[str]


class SendGivenBack(SilentFact, frozen=True, kw_only=True):
    """It was not sent, and that is certain: a person decides again."""

    kind = "proposal.not_sent"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    hash: str
    because: str


class SendUnknown(SilentFact, frozen=True, kw_only=True):
    """Whether it was sent cannot be told: a person looks and decides."""

    kind = "proposal.unknown"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    hash: str
    because: str
    checked: int


class SendResolved(SilentFact, frozen=True, kw_only=True):
    """A person said whether it was sent."""

    kind = "proposal.resolved"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    hash: str
    outcome: str  # sent, not_sent


class ReplySent(FactBase, frozen=True, kw_only=True):
    """A mail of ours went out. `how`: approved, mail_program, or resolved by a person who found it."""

    kind = "reply.sent"
    proposal_id: UUID | None
    mailbox_id: UUID
    thread_id: UUID | None
    draft_id: UUID | None
    hash: str
    how: str
    provider_message_id: str | None
    copilot: str


class ReplyEdited(SilentFact, frozen=True, kw_only=True):
    """A person put other words into what the machine wrote. `how`: console or mail_program."""

    kind = "reply.edited"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    draft_id: UUID | None
    how: str
    by: str


class ReplyDiscarded(FactBase, frozen=True, kw_only=True):
    """A person does not want it. `how`: console or mail_program."""

    kind = "reply.discarded"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    draft_id: UUID | None
    how: str


class MailBounced(SilentFact, frozen=True, kw_only=True):
    """What we sent came back; `message_id` is the report."""

    kind = "proposal.bounced"
    proposal_id: UUID
    mailbox_id: UUID
    thread_id: UUID | None
    message_id: UUID
    because: str
