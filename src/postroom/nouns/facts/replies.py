"""What happens to evidence and drafts."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from postroom.nouns.facts.base import FactBase, SilentFact


class EvidenceAdded(FactBase, frozen=True, kw_only=True):
    """A paper is new, or has a new version."""

    kind = "evidence.added"
    evidence_id: UUID
    name: str
    version: int
    audience: str
    snippets: int
    outdated: int = 0  # words that waiting drafts quote of it, or of what it replaces, and that do not hold any more


class EvidenceRetired(FactBase, frozen=True, kw_only=True):
    """A person took a paper, or an answer that was learned, off the shelf: nothing is drafted from it any more."""

    kind = "evidence.retired"
    evidence_id: UUID
    name: str
    version: int
    outdated: int = 0  # as above


class EvidenceRestored(SilentFact, frozen=True, kw_only=True):
    """A person took what was retired back in use: drafts are written from it again."""

    kind = "evidence.restored"
    evidence_id: UUID
    name: str
    version: int


class AnswerLearned(FactBase, frozen=True, kw_only=True):
    """What a person answered may answer somebody else; `left_out` counts the sentences that were one client's."""

    kind = "evidence.learned"
    evidence_id: UUID
    mailbox_id: UUID
    thread_id: UUID
    name: str
    version: int
    left_out: int
    outdated: int = 0  # as above


class ReplyPolicyChanged(SilentFact, frozen=True, kw_only=True):
    """How sure drafts have to be, in which voice they are written, and from whose answers they may learn."""

    kind = "evidence.policy_changed"
    before: dict[str, Any]
    after: dict[str, Any]


class DraftWritten(FactBase, frozen=True, kw_only=True):
    """A draft of ours stands in the mailbox; `how` says whether it is new or took the place of an older revision."""

    kind = "mail.draft.created"
    mailbox_id: UUID
    thread_id: UUID
    message_id: UUID | None
    provider_thread_id: str
    provider_message_id: str
    provider_draft_id: str
    draft_id: UUID
    how: str  # created, updated, found again
    state: str
    reason: str
    because: str
    fingerprint: str
    model: str
    outdated: bool = False  # a paper was changed while it was written: it is written anew


class DraftBlocked(FactBase, frozen=True, kw_only=True):
    """A person changed the draft, or was there first: nothing is written, and nothing is tried again."""

    kind = "mail.draft.blocked"
    mailbox_id: UUID
    thread_id: UUID
    provider_thread_id: str
    draft_id: UUID | None
    code: str
    because: str


class DraftWithheld(FactBase, frozen=True, kw_only=True):
    """No draft: nothing supports one, or we may not write it. A person answers."""

    kind = "mail.draft.withheld"
    mailbox_id: UUID
    thread_id: UUID
    message_id: UUID | None
    provider_thread_id: str
    provider_message_id: str
    reason: str
    because: str


class DraftEnded(FactBase, frozen=True, kw_only=True):
    """A draft is over: sent or discarded by a person, or taken back by us, untouched."""

    kind = "mail.draft.ended"
    mailbox_id: UUID
    thread_id: UUID
    provider_thread_id: str
    provider_message_id: str | None
    draft_id: UUID
    status: str
    because: str
    goes_on: bool  # a newer message wants a draft of its own


class DraftRestored(FactBase, frozen=True, kw_only=True):
    """A person took back that a draft was discarded: it stands in the mailbox again, word by word."""

    kind = "mail.draft.restored"
    mailbox_id: UUID
    thread_id: UUID
    message_id: UUID | None
    provider_thread_id: str
    provider_message_id: str
    provider_draft_id: str
    draft_id: UUID
    state: str
    reason: str
    because: str
    fingerprint: str
    outdated: bool = False  # a paper that it quotes was changed since


class DraftEdited(FactBase, frozen=True, kw_only=True):
    """A person changed a draft at the console: from now on it is theirs."""

    kind = "mail.draft.edited"
    mailbox_id: UUID
    thread_id: UUID
    draft_id: UUID
    before: str
    after: str
