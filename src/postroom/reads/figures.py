"""Figures of the copilot over time and by mailbox, counted from facts and tries."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.figures import COUNTED, PROVIDER_ERRORS, rate
from postroom.nouns.ids import MailboxId

QUERIES = sql.load(__package__ or "", "figures.sql")


@dataclass(frozen=True, slots=True)
class DayFigures:
    """What facts say of a mailbox's day."""

    mailbox_id: MailboxId
    day: datetime
    received: int
    triaged: int
    draftable: int
    drafted: int
    sensitive: int
    runs: int
    retried: int
    sent: int
    edited: int
    discarded: int


@dataclass(frozen=True, slots=True)
class DraftTimes:
    mailbox_id: MailboxId
    drafts: int
    median: float | None
    p95: float | None


@dataclass(frozen=True, slots=True)
class DayTries:
    mailbox_id: MailboxId
    day: datetime
    tries: int
    provider_errors: int


@dataclass(frozen=True, slots=True)
class MailboxFigures:
    """One mailbox over the window, or all of them together; each rate with what it is of."""

    days: Sequence[DayFigures] = ()
    tries: Sequence[DayTries] = ()
    times: DraftTimes | None = None

    def total(self, name: str) -> int:
        return sum(getattr(each, name) for each in self.days)

    @property
    def draft_rate(self) -> float | None:
        return rate(self.total("drafted"), self.total("draftable"))

    @property
    def sensitive_rate(self) -> float | None:
        return rate(self.total("sensitive"), self.total("triaged"))

    @property
    def retry_rate(self) -> float | None:
        return rate(self.total("retried"), self.total("runs"))

    @property
    def tried(self) -> int:
        return sum(each.tries for each in self.tries)

    @property
    def provider_errors(self) -> int:
        return sum(each.provider_errors for each in self.tries)

    @property
    def provider_error_rate(self) -> float | None:
        return rate(self.provider_errors, self.tried)

    @property
    def operator_actions(self) -> int:
        return sum(self.total(name) for name in ("sent", "edited", "discarded"))


@dataclass(slots=True)
class _Gathered:
    days: list[DayFigures] = field(default_factory=list)
    tries: list[DayTries] = field(default_factory=list)
    times: DraftTimes | None = None


async def by_mailbox(tx: Tx, since: datetime) -> dict[MailboxId, MailboxFigures]:
    """Only mailboxes of which there is something to tell."""
    found: dict[MailboxId, _Gathered] = defaultdict(_Gathered)
    for day in await tx.rows(QUERIES.figures, DayFigures, kinds=list(COUNTED), since=since):
        found[day.mailbox_id].days.append(day)
    for times in await tx.rows(QUERIES.times_to_draft, DraftTimes, since=since):
        found[times.mailbox_id].times = times
    for tries in await tx.rows(QUERIES.tries_by_mailbox, DayTries, since=since, provider_errors=list(PROVIDER_ERRORS)):
        found[tries.mailbox_id].tries.append(tries)
    return {mailbox: MailboxFigures(each.days, each.tries, each.times) for mailbox, each in found.items()}
