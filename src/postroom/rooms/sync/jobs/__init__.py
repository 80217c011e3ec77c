"""Reading mailboxes: on from the cursor, after it was lost, against the provider's own list, message by message."""

from postroom.rooms.sync.jobs.definitions import (
    PollMailboxes,
    ReconcileMailbox,
    ReconcileMailboxes,
    ResyncMailbox,
    SyncMailbox,
    SyncPorts,
    TakeIn,
    TakeInMany,
)
from postroom.rooms.sync.jobs.fetching import take_in, take_in_many
from postroom.rooms.sync.jobs.reconcile import reconcile_mailbox
from postroom.rooms.sync.jobs.resync import resync_mailbox
from postroom.rooms.sync.jobs.schedule import poll_mailboxes, reconcile_mailboxes
from postroom.rooms.sync.jobs.syncing import sync_mailbox

__all__ = [
    "PollMailboxes",
    "ReconcileMailbox",
    "ReconcileMailboxes",
    "ResyncMailbox",
    "SyncMailbox",
    "SyncPorts",
    "TakeIn",
    "TakeInMany",
    "poll_mailboxes",
    "reconcile_mailbox",
    "reconcile_mailboxes",
    "resync_mailbox",
    "sync_mailbox",
    "take_in",
    "take_in_many",
]
