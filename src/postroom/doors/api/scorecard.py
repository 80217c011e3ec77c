"""The scorecard: how often confirming by itself would have been right, from what people decided."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from fastapi import Query
from pydantic import Field

from postroom import reads
from postroom.doors.api.paging import OutBody
from postroom.doors.api.route import Reader, collection
from postroom.nouns.pipelines import PipelineName
from postroom.reads.scorecard import WINDOW_DAYS, Score

router = collection("scorecard")
Between = Annotated[
    list[float] | None, Field(description="Where it lies with 95 %; null when there is nothing to tell.")
]


class ScoreOut(OutBody):
    """Counts of one group of documents."""

    judged: int
    passed: int = Field(description="Would have been confirmed by itself, or was.")
    right: int = Field(validation_alias="found_right", description="Of those, people confirmed unchanged.")
    corrected: int
    rejected: int
    unseen: int = Field(description="Confirmed by itself, and nobody touched it since: not counted as right.")
    waiting: int
    precision: float | None = Field(description="`right` of `right`, `corrected` and `rejected`.")
    precision_between: Between
    decided: int = Field(description="Documents that people decided about, whatever the gate said.")
    read_right: int = Field(description="Of those, confirmed unchanged.")
    true_share: float | None
    true_between: Between
    stated: float | None = Field(description="How sure the reading said it was of the decided ones, on average.")


class PipelineScoreOut(ScoreOut):
    mailbox_id: UUID | None = Field(description="Null for files that were handed in.")
    pipeline: str


class WeekScoreOut(ScoreOut):
    week: datetime


class BandScoreOut(ScoreOut):
    """Documents whose stated confidence lies in one band."""

    at_least: float
    below: float


class SenderScoreOut(ScoreOut):
    sender_email: str | None


class ScorecardOut(OutBody):
    since: datetime
    said: str = Field(description="The figure in one sentence.")
    every: ScoreOut
    pipelines: list[PipelineScoreOut]
    weeks: list[WeekScoreOut] = Field(description="By the week (UTC) in which the documents came.")
    bands: list[BandScoreOut] = Field(description="Stated confidence against what came true.")
    senders: list[SenderScoreOut] = Field(description="The 100 with the most documents.")


class ThresholdEffectOut(OutBody):
    """What another threshold would have changed in the last 90 days."""

    said: str
    judged: int
    before: int = Field(description="Documents that pass with the threshold as it is.")
    after: int
    more: int
    more_right: int
    more_wrong: int = Field(description="People corrected or rejected them.")
    fewer: int
    fewer_right: int
    fewer_wrong: int


@router.get("/scorecard", summary="How often confirming by itself would have been right")
async def get_scorecard(
    who: Reader,
    days: Annotated[int, Query(ge=1, le=3650, description="How far back, by when the documents came.")] = WINDOW_DAYS,
    mailbox_id: UUID | None = None,
    pipeline: PipelineName | None = None,
) -> ScorecardOut:
    """All of it, or of one mailbox, one pipeline, or both."""
    since = who.scope.now - timedelta(days=days)
    async with who.scope.read() as tx:
        card = await reads.scorecard.scorecard(tx, since, mailbox_id=mailbox_id, pipeline=pipeline)
    return ScorecardOut(
        since=card.since,
        said=card.every.said,
        every=ScoreOut.model_validate(card.every),
        pipelines=[PipelineScoreOut.model_validate(each) for each in card.pipelines],
        weeks=[WeekScoreOut.model_validate(each) for each in card.weeks],
        bands=[_band(each) for each in card.bands],
        senders=[SenderScoreOut.model_validate(each) for each in card.senders],
    )


def _band(score: Score) -> BandScoreOut:
    at_least, below = score.edges
    counts: dict[str, Any] = ScoreOut.model_validate(score).model_dump()
    counts["found_right"] = counts.pop("right")
    return BandScoreOut(**counts, at_least=at_least, below=below)
