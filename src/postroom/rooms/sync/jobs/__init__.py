"""Sync jobs: on from the cursor, resync after it was lost, reconcile with the provider's list, fetch messages."""

from postroom.rooms.sync.jobs.definitions import (
    FetchMessage,
    FetchMessages,
    FollowOutgoing,
    PollMailboxes,
    ReconcileMailbox,
    ReconcileMailboxes,
    ResyncMailbox,
    RetryPutAside,
    SyncMailbox,
)
from postroom.rooms.sync.jobs.fetching import fetch_message, fetch_messages
from postroom.rooms.sync.jobs.following import follow_outgoing
from postroom.rooms.sync.jobs.reconcile import reconcile_mailbox
from postroom.rooms.sync.jobs.resync import resync_mailbox
from postroom.rooms.sync.jobs.schedule import poll_mailboxes, reconcile_mailboxes, retry_put_aside
from postroom.rooms.sync.jobs.syncing import sync_mailbox

__all__ = [
    "FetchMessage",
    "FetchMessages",
    "FollowOutgoing",
    "PollMailboxes",
    "ReconcileMailbox",
    "ReconcileMailboxes",
    "ResyncMailbox",
    "RetryPutAside",
    "SyncMailbox",
    "fetch_message",
    "fetch_messages",
    "follow_outgoing",
    "poll_mailboxes",
    "reconcile_mailbox",
    "reconcile_mailboxes",
    "resync_mailbox",
    "retry_put_aside",
    "sync_mailbox",
]
