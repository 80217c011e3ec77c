"""Pipelines: claim a message in the shared ledger, settle what became of it there, and dispose of it for people."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine import ledger
from postroom.engine.facts import as_json
from postroom.engine.ledger import LedgerMail
from postroom.nouns.errors import Throttled
from postroom.nouns.ids import MessageId, TenantId
from postroom.nouns.pipelines import Disposition

QUERIES = sql.load("postroom.engine", "pipeline.sql")
LOOK_AGAIN_SECONDS = 60.0  # till we look whether another worker of the ledger is done with a message
LONGEST_REASON = 2000
BY_THE_OTHER_SIDE = "Processed by the other side of the shared ledger."


@dataclass(frozen=True, slots=True)
class PipelineClaim:
    """Which pipelines of a message are ours to work for, and which the other side of the ledger has done."""

    ours: tuple[str, ...] = ()
    theirs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Settlement:
    """What became of a message in a pipeline, and what the ledger says of a success."""

    disposition: Disposition
    attachments: int = 0
    trades: int = 0
    archive_paths: Sequence[str] = ()


async def claim(
    tx: Tx, tenant_id: TenantId, mail: LedgerMail, pipelines: Sequence[str], *, again: bool = False
) -> PipelineClaim:
    """For every pipeline at once or for none. With `again`, what was a success of ours is worked on once more.

    The published claim gives nothing where the row is a success, so that only then the published check is asked.
    Raises Throttled while another worker holds one of them.
    """
    ours: list[str] = []
    theirs: list[str] = []
    for pipeline in pipelines:
        if await ledger.claim(tx, pipeline, mail, ledger.worker_name(tenant_id)):
            ours.append(pipeline)
        elif await ledger.is_done(tx, pipeline, mail.message_id):
            (ours if again else theirs).append(pipeline)
        else:
            raise Throttled(f"Another worker is at it for {pipeline}; we look again soon.", LOOK_AGAIN_SECONDS)
    return PipelineClaim(tuple(ours), tuple(theirs))


async def claim_free(tx: Tx, tenant_id: TenantId, mail: LedgerMail, pipelines: Sequence[str]) -> list[str]:
    """Those of them that nobody holds or has done."""
    worker = ledger.worker_name(tenant_id)
    return [pipeline for pipeline in pipelines if await ledger.claim(tx, pipeline, mail, worker)]


async def settle(
    tx: Tx,
    tenant_id: TenantId,
    message_id: MessageId,
    ledger_id: str,
    settlements: Sequence[Settlement],
    claimed: PipelineClaim,
    now: datetime,
) -> None:
    """Our pipelines in the ledger, ours and theirs for people."""
    for each in settlements:
        if each.disposition.pipeline in claimed.ours:
            await _settle_in_ledger(tx, ledger_id, each)
    await dispose(tx, tenant_id, message_id, [each.disposition for each in settlements], now)
    await leave_to_the_others(tx, tenant_id, message_id, claimed.theirs, now)


async def release(tx: Tx, ledger_id: str, claimed: PipelineClaim, because: str) -> None:
    """Our claim in the ledger ends: it says why, and whoever comes may claim the message."""
    for name in claimed.ours:
        await ledger.fail(tx, name, ledger_id, because)


async def leave_to_the_others(
    tx: Tx, tenant_id: TenantId, message_id: MessageId, pipelines: Collection[str], now: datetime
) -> None:
    """What the other side of the ledger has processed; a word of ours about it stays."""
    done = [Disposition(pipeline, "processed", None, BY_THE_OTHER_SIDE) for pipeline in pipelines]
    await dispose(tx, tenant_id, message_id, done, now, only_pending=True)


async def dispose(
    tx: Tx,
    tenant_id: TenantId,
    message_id: MessageId,
    dispositions: Sequence[Disposition],
    now: datetime,
    *,
    only_pending: bool = False,
) -> None:
    """What people see of a message, pipeline by pipeline."""
    if not dispositions:
        return
    rows = [
        {"pipeline": each.pipeline, "status": each.status, "rule": each.rule, "because": _short(each.because)}
        for each in dispositions
    ]
    values = {"dispositions": as_json(rows), "now": now, "only_pending": only_pending}
    await tx.run(QUERIES.dispose, tenant_id=tenant_id, message_id=message_id, **values)


async def _settle_in_ledger(tx: Tx, ledger_id: str, settlement: Settlement) -> None:
    told = settlement.disposition
    if told.status == "processed":
        paths = settlement.archive_paths
        await ledger.succeed(tx, told.pipeline, ledger_id, settlement.attachments, settlement.trades, paths)
    elif told.status == "failed":
        await ledger.fail(tx, told.pipeline, ledger_id, told.because or "")
    else:
        await ledger.skip(tx, told.pipeline, ledger_id, told.because or "")


def _short(because: str | None) -> str | None:
    """PostgreSQL has no place for NUL, nor UTF-8 for half of a surrogate pair."""
    return because and because.replace("\0", "").encode("utf-8", "replace").decode()[:LONGEST_REASON]
