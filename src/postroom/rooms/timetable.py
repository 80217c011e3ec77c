"""The clock, on one page: which jobs are due when (UTC), for every tenant; and what the house does for itself."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from postroom.db.pool import Database
from postroom.engine.audit_trail import AuditTrail
from postroom.engine.scheduler import CronLine, UpkeepLine, drop_old_payloads, keep_partitions, learn_new_tables
from postroom.rooms.clients.jobs import AgeContacts
from postroom.rooms.documents.jobs import RereadDocuments
from postroom.rooms.mailboxes.jobs import KeepWatches, LookAfterMailboxes, TidyConnections
from postroom.rooms.outbox.jobs import TendOutbox
from postroom.rooms.replies.jobs import ReadPapersAnew, RecheckDrafts
from postroom.rooms.retention.jobs import ForgetOld
from postroom.rooms.subscribers.jobs import ForgetEvents
from postroom.rooms.subscribers.publishing import EventPublisher
from postroom.rooms.sync.jobs import PollMailboxes, ReconcileMailboxes, RetryPutAside
from postroom.rooms.triage.jobs import ForgetThreads, WakeThreads

LINES: Sequence[CronLine] = (
    CronLine("poll", "* * * * *", PollMailboxes),
    CronLine("look after mailboxes", "*/5 * * * *", LookAfterMailboxes),
    CronLine("retry failed", "*/5 * * * *", RetryPutAside),
    CronLine("read failed documents again", "*/5 * * * *", RereadDocuments),
    CronLine("keep watches", "7 * * * *", KeepWatches),
    CronLine("tidy connections", "37 * * * *", TidyConnections),
    CronLine("reconcile", "23 */6 * * *", ReconcileMailboxes),
    CronLine("forget", "41 2 * * *", ForgetOld),
    CronLine("forget events", "53 2 * * *", ForgetEvents),
    CronLine("age contacts", "17 3 * * *", AgeContacts),
    CronLine("wake threads", "* * * * *", WakeThreads),
    CronLine("tend outbox", "* * * * *", TendOutbox),
    CronLine("read papers anew", "*/15 * * * *", ReadPapersAnew),
    CronLine("recheck drafts", "3 0 * * *", RecheckDrafts),
    CronLine("forget threads", "51 2 * * *", ForgetThreads),
)


def upkeep(db: Database, trail: AuditTrail, publisher: EventPublisher) -> Sequence[UpkeepLine]:
    return (
        UpkeepLine("seal facts", 1.0, trail.seal_all, after_news=True),
        UpkeepLine("publish events to webhooks", 0.25, publisher.publish_all, after_news=True),
        UpkeepLine("note heads of the audit chain in the archive", 3600.0, trail.archive_heads),
        UpkeepLine("keep partitions", 3600.0, partial(keep_partitions, db)),
        UpkeepLine("learn how large new tables are", 5.0, partial(learn_new_tables, db), after_news=True),
        UpkeepLine("drop payloads that nobody came for", 60.0, partial(drop_old_payloads, db)),
    )
