"""The jobs of this room: sync, resync, reconcile, fetch, poll."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar

from postroom.nouns.ids import MailboxId, MessageId
from postroom.nouns.jobs import Job, MailboxJob, Priority, RoutineJob
from postroom.nouns.providers import Glimpse


class InOrderJob(MailboxJob, frozen=True):
    """One at a time per mailbox; a retry keeps the others waiting, since order matters here."""

    @property
    def lane(self) -> str:
        return f"mailbox:{self.mailbox_id}"


class SyncMailbox(InOrderJob, frozen=True):
    """Something may have changed: read on from the cursor."""

    kind: ClassVar[str] = "sync.mailbox"
    by_key: ClassVar[bool] = True
    in_company: ClassVar[bool] = True
    look: int = 0  # which look it is after news, where a provider drops pushes


class FollowOutgoing(MailboxJob, frozen=True):
    """Read on in Sent and Drafts, where the copilot is on."""

    kind: ClassVar[str] = "sync.follow_outgoing"
    closely: bool = False  # again and again, for a while after a draft was written where no push tells of it

    @property
    def key(self) -> str:
        return f"{self.mailbox_id} closely" if self.closely else str(self.mailbox_id)

    @property
    def lane(self) -> str:
        """Not the lane of the sync: trouble here holds up no mail."""
        return f"outgoing:{self.mailbox_id}"


class ResyncMailbox(InOrderJob, frozen=True):
    """The cursor was lost: list everything since then, one page a run, live mail going ahead."""

    kind: ClassVar[str] = "sync.resync"
    priority: ClassVar[Priority] = Priority.BACKFILL


class ReconcileMailbox(Job, frozen=True):
    """Compare what the provider lists with what we hold, and fetch what is missing. Live mail need not wait."""

    kind: ClassVar[str] = "sync.reconcile"
    priority: ClassVar[Priority] = Priority.ROUTINE
    mailbox_id: MailboxId
    since: datetime | None = None
    recompare: bool = False  # once more, when what was missing has come in

    @property
    def key(self) -> str:
        """A gap of an hour ago is not forgotten for one of now, nor the whole window for either."""
        which = f"{self.mailbox_id} {self.since:%Y-%m-%dT%H}" if self.since else str(self.mailbox_id)
        return f"{which} again" if self.recompare else which

    @property
    def lane(self) -> str:
        return f"reconcile:{self.mailbox_id}"


class FetchMessage(Job, frozen=True):
    """Fetch a message that was announced and make it ours. Its retry holds up nobody."""

    kind: ClassVar[str] = "sync.fetch_message"
    by_key: ClassVar[bool] = True
    holds_lane: ClassVar[bool] = False
    mailbox_id: MailboxId
    message_id: MessageId
    known: Glimpse | None = None  # what the listing said of it, which may save a call

    @property
    def key(self) -> str:
        return str(self.message_id)


class FetchMessages(Job, frozen=True):
    """The same for the messages of a page: fetched one by one, recorded by the batch. What fails goes on by itself.

    One page of a mailbox at a time: it asks for as much at once as the mailbox allows, and leaves the other slots to
    other mailboxes.
    """

    kind: ClassVar[str] = "sync.fetch_messages"
    by_key: ClassVar[bool] = True
    time_limit: ClassVar[timedelta] = timedelta(minutes=30)
    mailbox_id: MailboxId
    messages: tuple[FetchMessage, ...]

    @property
    def lane(self) -> str:
        return f"fetch:{self.mailbox_id}"


class PollMailboxes(RoutineJob, frozen=True):
    """The safety net: sync every mailbox that has not been read for a while."""

    kind: ClassVar[str] = "sync.poll"


class RetryPutAside(RoutineJob, frozen=True):
    """Begin anew with what was put aside after its retries: so many times, later each time."""

    kind: ClassVar[str] = "sync.retry_put_aside"


class ReconcileMailboxes(RoutineJob, frozen=True):
    """Several times a day: reconcile every mailbox; also picks up what got stuck."""

    kind: ClassVar[str] = "sync.reconcile_all"
