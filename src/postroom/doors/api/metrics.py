"""Metrics: how long things take, what waits, what fails, and whether every mail is accounted for."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

from fastapi import Query
from pydantic import Field

from postroom import reads
from postroom.doors.api.paging import OutBody
from postroom.doors.api.route import Reader, collection
from postroom.engine import queue as lanes
from postroom.engine.queue import StateName
from postroom.rooms.mailboxes import store as mailboxes

router = collection("metrics")


class TimesOut(OutBody):
    """Over the newest messages of the window, at most 5,000; backfill and imports left out."""

    messages: int
    median_seconds: float | None
    p95_seconds: float | None
    slowest_seconds: float | None


class QueueDepthOut(OutBody):
    state: StateName
    jobs: int
    oldest_seconds: float = Field(description="For how long the oldest has been due; negative if it is not due yet.")


class AttemptRatesOut(OutBody):
    attempts: int
    failed: int
    retry_rate: float = Field(ge=0, le=1)
    provider_error_rate: float = Field(ge=0, le=1)


class MailboxCoverageOut(OutBody):
    mailbox_id: UUID
    mailbox: str
    checked_at: datetime | None
    listed: int | None
    held: int | None
    failed: int = Field(description="Put aside, with a reason; they lower the ratio.")
    ratio: float | None = Field(description="1 means that everything the provider listed is accounted for.")


class DocumentCountOut(OutBody):
    kind: str
    status: str
    documents: int


class MetricsOut(OutBody):
    at: datetime
    hours: int
    time_to_arrive: TimesOut = Field(description="From the provider's receipt of a message to ours.")
    time_to_take_in: TimesOut = Field(description="From hearing of a message to having it.")
    queue: list[QueueDepthOut]
    attempts: AttemptRatesOut
    coverage: list[MailboxCoverageOut]
    documents: list[DocumentCountOut]


class DayFiguresOut(OutBody):
    """A mailbox's day (UTC), counted from facts."""

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


class DraftTimesOut(OutBody):
    drafts: int
    median: float | None = Field(description="Seconds from the provider's receipt of the message to its draft.")
    p95: float | None


class MailboxFiguresOut(OutBody):
    """A rate is null when there is nothing that it could be a rate of."""

    mailbox_id: UUID
    mailbox: str
    draft_rate: float | None = Field(description="Drafts, of mails whose thread triage found draftable.")
    sensitive_rate: float | None = Field(description="Flagged sensitive, of mails whose thread was triaged.")
    retry_rate: float | None = Field(description="Runs that were tried again, of runs that process mail.")
    provider_error_rate: float | None = Field(
        description="Tries that ended in an error of the provider's, of all tries."
    )
    operator_actions: int = Field(description="Sent, edited and discarded.")
    time_to_draft: DraftTimesOut | None
    days: list[DayFiguresOut]


class FiguresOut(OutBody):
    since: datetime
    items: list[MailboxFiguresOut]


@router.get("/metrics/figures", summary="How the copilot does, by mailbox and day")
async def figures(
    who: Reader, days: Annotated[int, Query(ge=1, le=366, description="The window, today included.")] = 30
) -> FiguresOut:
    today = who.scope.now.replace(hour=0, minute=0, second=0, microsecond=0)
    since = today - timedelta(days=days - 1)
    async with who.scope.read() as tx:
        found = await reads.figures.by_mailbox(tx, since)
        names = {each.id: each.address for each in await mailboxes.mailboxes(tx)}
    items = [_figures(box, names.get(box, ""), each) for box, each in found.items()]
    return FiguresOut(since=since, items=sorted(items, key=lambda each: each.mailbox))


def _figures(mailbox_id: UUID, mailbox: str, found: reads.figures.MailboxFigures) -> MailboxFiguresOut:
    return MailboxFiguresOut(
        mailbox_id=mailbox_id,
        mailbox=mailbox,
        draft_rate=found.draft_rate,
        sensitive_rate=found.sensitive_rate,
        retry_rate=found.retry_rate,
        provider_error_rate=found.provider_error_rate,
        operator_actions=found.operator_actions,
        time_to_draft=DraftTimesOut.model_validate(found.times) if found.times else None,
        days=[DayFiguresOut.model_validate(each) for each in found.days],
    )


@router.get("/metrics", summary="How the house is doing for this tenant")
async def metrics(
    who: Reader, hours: Annotated[int, Query(ge=1, le=168, description="The window.")] = 24
) -> MetricsOut:
    now = who.scope.now
    since = now - timedelta(hours=hours)
    async with who.scope.read() as tx:
        arrived = await reads.messages.arrivals(tx, since, from_provider=True)
        taken_in = await reads.messages.arrivals(tx, since, from_provider=False)
        waiting = await lanes.queue(tx, now)
        tries = await lanes.tries(tx, since)
        known = {each.id: each.address for each in await mailboxes.mailboxes(tx) if each.status != "disconnected"}
        health = [each for each in await mailboxes.health(tx) if each.id in known]
        papers = await reads.overview.documents(tx)
    return MetricsOut(
        at=now,
        hours=hours,
        time_to_arrive=_times(arrived),
        time_to_take_in=_times(taken_in),
        queue=[QueueDepthOut(state=each.state, jobs=each.jobs, oldest_seconds=each.oldest) for each in waiting],
        attempts=_attempts(tries),
        coverage=[_covered(each, known[each.id]) for each in health],
        documents=[DocumentCountOut(kind=each.kind, status=each.status, documents=each.count) for each in papers],
    )


def _times(seen: reads.messages.Arrivals) -> TimesOut:
    return TimesOut(
        messages=seen.messages, median_seconds=seen.median, p95_seconds=seen.p95, slowest_seconds=seen.slowest
    )


def _attempts(tries: lanes.TryCounts) -> AttemptRatesOut:
    every = max(tries.attempts, 1)
    return AttemptRatesOut(
        attempts=tries.attempts,
        failed=tries.failed,
        retry_rate=tries.retried / every,
        provider_error_rate=tries.by_provider / every,
    )


def _covered(health: mailboxes.MailboxHealth, address: str) -> MailboxCoverageOut:
    return MailboxCoverageOut(
        mailbox_id=health.id,
        mailbox=address,
        checked_at=health.checked_at,
        listed=health.listed_now,
        held=health.held_now,
        failed=health.failed,
        ratio=health.ratio,
    )
