"""The jobs of this room."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from postroom.nouns.jobs import MailboxJob, Priority, RoutineJob, ThreadJob


class DraftReply(ThreadJob, frozen=True):
    """A thread was judged: write its draft, write it anew, take it back, or leave it to the person who is at it.

    In the lane of its thread, as triage is: one at a time, whoever works on it.
    """

    kind: ClassVar[str] = "replies.draft"
    stage: ClassVar[str | None] = "draft"


class DiscardDraft(ThreadJob, frozen=True):
    """A person does not want the draft: take it from the mailbox, if nobody touched it there."""

    kind: ClassVar[str] = "replies.discard"
    draft_id: UUID

    @property
    def key(self) -> str:
        return str(self.draft_id)


class KeepAnswer(ThreadJob, frozen=True):
    """A person answered: how far it went from what was proposed, and whether it may answer somebody else again."""

    kind: ClassVar[str] = "replies.keep_answer"
    priority: ClassVar[Priority] = Priority.ROUTINE


class DraftAgain(MailboxJob, frozen=True):
    """A mailbox was connected anew or resumed: see to the drafts that we had no right to write."""

    kind: ClassVar[str] = "replies.draft_again"
    priority: ClassVar[Priority] = Priority.ROUTINE

    @property
    def lane(self) -> str:
        return f"replies.draft_again:{self.mailbox_id}"


class RecheckDrafts(RoutineJob, frozen=True):
    """Papers were changed, or do not hold any more: write the drafts anew that nobody touched and that quote them.

    One waits at a time: a folder of papers is one look.
    """

    kind: ClassVar[str] = "replies.recheck"

    @property
    def lane(self) -> str:
        return self.kind


class ReadPapersAnew(RoutineJob, frozen=True):
    """After an upgrade with other words: read the papers again, so that they are found by them."""

    kind: ClassVar[str] = "replies.read_anew"
