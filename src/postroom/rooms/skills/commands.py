"""Running a skill: told before it begins and after it ended, whatever came of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Literal, TypeVar
from uuid import UUID

from postroom.engine import retry_policy
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import PostroomError
from postroom.nouns.ids import new_id
from postroom.nouns.walks import Walk
from postroom.rooms.skills.rules import Skill

T = TypeVar("T")
SkillOutcome = Literal["done", "waiting"]


@dataclass(frozen=True, slots=True)
class SkillGrounds:
    """Who answered, and what was looked up for it; `rules` when no model was asked."""

    model: str = "rules"
    version: str | None = None
    searched: int = 0
    evidence_ids: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class SkillResult(Generic[T]):
    """What a skill gives back, and what an auditor wants to know of it."""

    output: T
    because: str
    grounds: SkillGrounds = SkillGrounds()
    outcome: SkillOutcome = "done"
    proposal_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class SkillRun(Generic[T]):
    id: UUID
    skill: Skill
    result: SkillResult[T]
    started_at: datetime
    finished_at: datetime


async def run_skill(
    who: TenantScope, skill: Skill, walk: Walk, do: Callable[[], Awaitable[SkillResult[T]]]
) -> SkillRun[T]:
    """`do` is another room's command, `walk` the mail it is about. An error goes on to the caller after it was told."""
    said: dict[str, Any] = {
        "skill_run_id": new_id(),
        "skill": skill.id,
        "authority": skill.authority,
        "started_at": who.now,
        "provider_thread_id": walk.provider_thread_id,
        "provider_message_id": walk.provider_message_id,
    }
    await _tell(who, walk, facts.SkillStarted(**said))
    try:
        result = await do()
    except Exception as problem:
        code, kind = retry_policy.error_code(problem), retry_policy.error_class(problem)
        because = str(problem) if isinstance(problem, PostroomError) else "Something went wrong in the house."
        failed: dict[str, Any] = {"outcome": "failed", "because": because, "error_code": code, "error_class": kind}
        await _tell(who, walk, facts.SkillFinished(**said, **failed, finished_at=who.now))
        raise
    told = facts.SkillFinished(
        **said,
        outcome=result.outcome,
        because=result.because,
        finished_at=who.now,
        model=result.grounds.model,
        version=result.grounds.version,
        searched=result.grounds.searched,
        evidence_ids=[str(each) for each in result.grounds.evidence_ids],
        proposal_id=result.proposal_id,
    )
    await _tell(who, walk, told)
    return SkillRun(told.skill_run_id, skill, result, told.started_at, told.finished_at)


async def _tell(who: TenantScope, walk: Walk, fact: facts.SkillStarted | facts.SkillFinished) -> None:
    who.about(walk)
    async with who.finish() as tx:
        await who.tell(tx, fact)
