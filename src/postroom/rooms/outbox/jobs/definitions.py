"""The jobs of this room."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from postroom.nouns.ids import MailboxId, MessageId, ThreadId
from postroom.nouns.jobs import Job, Priority, RoutineJob, ThreadJob


class SendProposal(Job, frozen=True):
    """An approved mail is due: send it once. One whose answer was lost is looked for first.

    In the lane of its thread, so that nobody works on its draft meanwhile.
    """

    kind: ClassVar[str] = "outbox.send"
    stage: ClassVar[str | None] = "send"
    priority: ClassVar[Priority] = Priority.URGENT
    holds_lane: ClassVar[bool] = False  # new mail of the thread does not wait for a send window
    proposal_id: UUID
    mailbox_id: MailboxId
    thread_id: ThreadId | None = None

    @property
    def key(self) -> str:
        return str(self.proposal_id)

    @property
    def lane(self) -> str:
        return f"thread:{self.thread_id}" if self.thread_id else f"proposal:{self.proposal_id}"


class TendProposals(ThreadJob, frozen=True):
    """Something happened to the draft of a thread: propose it, change its proposal, or end it."""

    kind: ClassVar[str] = "outbox.tend_thread"


class StopSending(Job, frozen=True):
    """A kill switch was turned: what was approved and has not begun is taken back."""

    kind: ClassVar[str] = "outbox.stop"
    priority: ClassVar[Priority] = Priority.URGENT
    mailbox_id: MailboxId | None = None

    @property
    def key(self) -> str:
        return str(self.mailbox_id or "tenant")


class TendOutbox(RoutineJob, frozen=True):
    """Every minute: what is over is void, and no approved mail is forgotten."""

    kind: ClassVar[str] = "outbox.tend"


class NoteBounce(Job, frozen=True):
    """A delivery report came: was it about a mail of ours?"""

    kind: ClassVar[str] = "outbox.bounce"
    message_id: MessageId
    mailbox_id: MailboxId

    @property
    def key(self) -> str:
        return str(self.message_id)
