"""What a failed try is worth: its class, what happens next, and what is told of it."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from postroom.engine import retry_policy as retry
from postroom.engine.facts import CORRELATED
from postroom.engine.work import ClaimedJob
from postroom.nouns.errors import NeedsPerson
from postroom.nouns.facts import AttemptFailed, Fact, RetryFailed
from postroom.nouns.walks import NO_MAIL, Walk

FailureOutcome = Literal["retry", "throttled", "parked", "quarantined", "stopped"]
LONGEST_TEXT = 2000


@dataclass(frozen=True, slots=True)
class JudgedAttempt:
    """A failed try, as the lanes record it. Without a delay nothing happens by itself."""

    outcome: FailureOutcome
    details: dict[str, str]
    delay: timedelta | None
    spends_attempt: bool
    parked_for: str | None
    failed: AttemptFailed
    in_vain: RetryFailed | None  # a person had asked for this try

    @property
    def facts(self) -> list[Fact]:
        return [self.failed] if self.in_vain is None else [self.failed, self.in_vain]


def judge(
    claimed: ClaimedJob,
    error: Exception,
    *,
    now: datetime,
    chance: float,
    stage: str | None = None,
    walk: Walk = NO_MAIL,
) -> JudgedAttempt:
    """`walk` is the mail that the run was about, `stage` how far it was."""
    step = retry.next_step(error, tries=claimed.tries, waits=claimed.waits, chance=chance)
    details = _details(error)
    delay: timedelta | None = None
    outcome: FailureOutcome
    match step:
        case retry.Again(delay=wait, spends_attempt=spends):
            delay, outcome = wait, "retry" if spends else "throttled"
        case retry.Park():
            outcome, spends = "parked", False
        case retry.Quarantine():
            outcome, spends = "quarantined", True
        case retry.Stop():
            outcome, spends = "stopped", True
    asked_by = claimed.asked_by if outcome != "throttled" else None
    return JudgedAttempt(
        outcome=outcome,
        details=details,
        delay=delay,
        spends_attempt=spends,
        parked_for=_parked_for(error, claimed),
        failed=_told(claimed, outcome, details, now + delay if delay is not None else None, stage, walk),
        in_vain=_in_vain(claimed, asked_by, outcome, details["text"]) if asked_by is not None else None,
    )


def _details(error: Exception) -> dict[str, str]:
    text = str(error) or type(error).__name__
    if not getattr(error, "code", None):  # a fault of ours: say where, for whoever mends it
        frames = traceback.extract_tb(error.__traceback__)
        text = f"{type(error).__name__}: {text}" + (
            f" ({frames[-1].filename.rsplit('/', 1)[-1]}:{frames[-1].lineno})" if frames else ""
        )
    return {"class": retry.error_class(error), "code": retry.error_code(error), "text": text[:LONGEST_TEXT]}


def _told(
    claimed: ClaimedJob,
    outcome: str,
    details: dict[str, str],
    next_at: datetime | None,
    stage: str | None,
    walk: Walk,
) -> AttemptFailed:
    about = {name: UUID(claimed.args[name]) for name in CORRELATED if claimed.args.get(name)}
    return AttemptFailed(
        job_kind=claimed.kind,
        key=claimed.key,
        outcome=outcome,
        error_class=details["class"],
        error_code=details["code"],
        error=details["text"],
        retry_count=claimed.tries,
        next_retry_at=next_at,
        stage=stage,
        provider_thread_id=walk.provider_thread_id,
        provider_message_id=walk.provider_message_id,
        **about,
    )


def _in_vain(claimed: ClaimedJob, asked_by: str, outcome: str, error: str) -> RetryFailed:
    return RetryFailed(job_kind=claimed.kind, key=claimed.key, asked_by=asked_by, outcome=outcome, error=error)


def _parked_for(error: Exception, claimed: ClaimedJob) -> str | None:
    if not isinstance(error, NeedsPerson):
        return None
    mailbox = claimed.args.get("mailbox_id")
    return f"mailbox:{mailbox}" if mailbox else f"job:{claimed.id}"
