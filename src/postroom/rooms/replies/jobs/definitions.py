"""The jobs of this room."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from postroom.nouns.ids import MailboxId, ThreadId
from postroom.nouns.jobs import Job, Priority


class DraftReply(Job, frozen=True):
    """A thread was judged: write its draft, write it anew, take it back, or leave it to the person who is at it.

    In the lane of its thread, as triage is: one at a time, whoever works on it.
    """

    kind: ClassVar[str] = "replies.draft"
    stage: ClassVar[str | None] = "draft"
    mailbox_id: MailboxId
    thread_id: ThreadId

    @property
    def key(self) -> str:
        return str(self.thread_id)

    @property
    def lane(self) -> str:
        return f"thread:{self.thread_id}"


class DiscardDraft(Job, frozen=True):
    """A person does not want the draft: take it from the mailbox, if nobody touched it there."""

    kind: ClassVar[str] = "replies.discard"
    mailbox_id: MailboxId
    thread_id: ThreadId
    draft_id: UUID

    @property
    def key(self) -> str:
        return str(self.draft_id)

    @property
    def lane(self) -> str:
        return f"thread:{self.thread_id}"


class KeepAnswer(Job, frozen=True):
    """A person answered: how far it went from what was proposed, and whether it may answer somebody else again."""

    kind: ClassVar[str] = "replies.keep_answer"
    priority: ClassVar[Priority] = Priority.ROUTINE
    mailbox_id: MailboxId
    thread_id: ThreadId

    @property
    def key(self) -> str:
        return str(self.thread_id)

    @property
    def lane(self) -> str:
        return f"thread:{self.thread_id}"


class DraftAgain(Job, frozen=True):
    """A mailbox was connected anew or resumed: see to the drafts that we had no right to write."""

    kind: ClassVar[str] = "replies.draft_again"
    priority: ClassVar[Priority] = Priority.ROUTINE
    mailbox_id: MailboxId

    @property
    def key(self) -> str:
        return str(self.mailbox_id)

    @property
    def lane(self) -> str:
        return f"replies.draft_again:{self.mailbox_id}"
