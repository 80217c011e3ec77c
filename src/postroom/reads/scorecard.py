"""How often confirming by itself would have been right, from what people decided about the same documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.figures import interval, rate
from postroom.nouns.ids import MailboxId

QUERIES = sql.load(__package__ or "", "scorecard.sql")
EDGES = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98)  # of the bands of stated confidence
WINDOW_DAYS = 90
MOST_SENDERS = 100


@dataclass(frozen=True, slots=True)
class Score:
    """Counts of one group of documents. `passed` would have been confirmed by itself, or was.

    Of those: `found_right` people confirmed unchanged, `corrected`, `rejected`; `unseen` nobody looked at since it was
    confirmed by itself; `waiting` nobody decided yet. `decided` and `read_right` count all documents, whatever the gate
    said, and `stated` is how sure the reading was of the decided ones on average.
    """

    level: Literal["all", "pipeline", "sender", "week", "band"]
    mailbox_id: UUID | None
    pipeline: str | None
    sender_email: str | None
    week: datetime | None
    band: int | None
    judged: int
    passed: int
    found_right: int
    corrected: int
    rejected: int
    unseen: int
    waiting: int
    decided: int
    read_right: int
    stated: float | None

    @property
    def checked(self) -> int:
        """Documents that passed and that a person decided about: what the precision is of."""
        return self.found_right + self.corrected + self.rejected

    @property
    def precision(self) -> float | None:
        return rate(self.found_right, self.checked)

    @property
    def precision_between(self) -> tuple[float, float] | None:
        return interval(self.found_right, self.checked)

    @property
    def true_share(self) -> float | None:
        """How many of all that people decided were read right."""
        return rate(self.read_right, self.decided)

    @property
    def true_between(self) -> tuple[float, float] | None:
        return interval(self.read_right, self.decided)

    @property
    def said(self) -> str:
        """The figure in one sentence."""
        if not self.checked:
            return (
                f"{self.passed:,} of {self.judged:,} documents would have been confirmed by themselves. "
                "Nobody has decided about any of these yet, so nothing is known of how often that is right."
            )
        low, high = self.precision_between or (0.0, 1.0)
        return (
            f"{self.passed:,} of {self.judged:,} documents would have been confirmed by themselves. People decided "
            f"about {self.checked:,} of these: {self.found_right:,} were right, {self.corrected:,} corrected, "
            f"{self.rejected:,} rejected. That is {self.found_right / self.checked:.1%} right "
            f"(between {low:.1%} and {high:.1%})."
        )

    @property
    def edges(self) -> tuple[float, float]:
        """Of its band."""
        ends = (0.0, *EDGES, 1.0)
        return ends[self.band or 0], ends[(self.band or 0) + 1]


@dataclass(frozen=True, slots=True)
class Scorecard:
    since: datetime
    every: Score
    pipelines: Sequence[Score]
    weeks: Sequence[Score]
    bands: Sequence[Score]
    senders: Sequence[Score]


@dataclass(frozen=True, slots=True)
class ThresholdEffect:
    """What another threshold would have changed: how many pass more or fewer, and what people made of those."""

    judged: int
    before: int
    after: int
    more: int
    more_right: int
    more_wrong: int
    fewer: int
    fewer_right: int
    fewer_wrong: int

    @property
    def said(self) -> str:
        if not self.judged:
            return f"No document of the last {WINDOW_DAYS} days says anything about it."
        if not self.more and not self.fewer:
            return (
                f"It would have changed nothing in the last {WINDOW_DAYS} days: {self.before:,} of {self.judged:,} "
                "documents pass either way."
            )
        many, right, wrong, word = (
            (self.more, self.more_right, self.more_wrong, "more")
            if self.more
            else (self.fewer, self.fewer_right, self.fewer_wrong, "fewer")
        )
        unknown = many - right - wrong
        return (
            f"In the last {WINDOW_DAYS} days {many:,} {word} documents would have been confirmed by themselves: "
            f"{self.after:,} instead of {self.before:,} of {self.judged:,}. Of these {many:,}, people found {right:,} "
            f"right and corrected or rejected {wrong:,}" + (f"; about {unknown:,} nobody decided." if unknown else ".")
        )


async def scorecard(
    tx: Tx, since: datetime, *, mailbox_id: UUID | None = None, pipeline: str | None = None
) -> Scorecard:
    asked = {"since": since, "mailbox_id": mailbox_id, "pipeline": pipeline}
    found = await tx.rows(QUERIES.scorecard, Score, edges=list(EDGES), **asked)
    senders = await tx.rows(QUERIES.scorecard_senders, Score, most=MOST_SENDERS, **asked)
    of = {level: [each for each in found if each.level == level] for level in ("all", "pipeline", "week", "band")}
    return Scorecard(since, of["all"][0], of["pipeline"], of["week"], of["band"], senders)


async def switching_on(tx: Tx, mailbox_id: MailboxId, pipeline: str, now: datetime) -> Score:
    """The figure that is looked at before a pipeline of a mailbox may confirm by itself."""
    card = await scorecard(tx, now - timedelta(days=WINDOW_DAYS), mailbox_id=mailbox_id, pipeline=pipeline)
    return card.every


async def threshold_effect(tx: Tx, before: float, after: float, now: datetime) -> ThresholdEffect:
    values = {"before": before, "after": after, "since": now - timedelta(days=WINDOW_DAYS)}
    found = await tx.row(QUERIES.threshold_effect, ThresholdEffect, **values)
    assert found is not None  # counts are always a row
    return found
