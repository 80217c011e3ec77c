"""A tenant's own sensitive topics, and what a change would have done to the last days before it is saved."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import ThreadId, new_id
from postroom.nouns.versions import require_seen
from postroom.rooms.triage.rules.own_topics import OwnTopic, clean_topic
from postroom.rooms.triage.rules.previewing import REASONS_LOOKED_AT, judged_apart
from postroom.rooms.triage.store import settings

LOOKED_BACK = timedelta(days=30)
MOST_THREADS = 2000


@dataclass(frozen=True, slots=True)
class TopicEffect:
    """A thread that would have been judged otherwise."""

    thread_id: ThreadId
    reference_code: str
    subject: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class TopicPreview:
    looked_at: int
    all_looked_at: bool  # else only the newest
    changed: Sequence[TopicEffect]


async def topics(scope: TenantScope) -> list[OwnTopic]:
    async with scope.read() as tx:
        return await settings.topics(tx)


async def add_topic(
    scope: TenantScope, name: str, counts_as: str, words: Sequence[str], *, active: bool = True
) -> OwnTopic:
    made = clean_topic(new_id(), name, counts_as, words, active=active)
    async with scope.finish() as tx:
        await settings.put_topic(tx, scope.tenant_id, made, scope.actor, scope.now)
        await scope.tell(tx, facts.TopicChanged(topic_id=made.id, before=None, after=made.as_json()))
    return made


async def change_topic(
    scope: TenantScope,
    topic_id: UUID,
    name: str,
    counts_as: str,
    words: Sequence[str],
    *,
    active: bool = True,
    seen: str | None = None,
) -> OwnTopic:
    """For mail that is judged from now on. Safe to repeat. `seen` is the version that the person looked at."""
    wanted = clean_topic(topic_id, name, counts_as, words, active=active)
    async with scope.finish() as tx:
        before = await _known(tx, topic_id)
        require_seen(seen, before.version, before.name)
        if before != wanted:
            await settings.put_topic(tx, scope.tenant_id, wanted, scope.actor, scope.now)
            changed = facts.TopicChanged(topic_id=topic_id, before=before.as_json(), after=wanted.as_json())
            await scope.tell(tx, changed)
    return wanted


async def remove_topic(scope: TenantScope, topic_id: UUID) -> None:
    async with scope.finish() as tx:
        before = await _known(tx, topic_id)
        await settings.drop_topic(tx, topic_id)
        await scope.tell(tx, facts.TopicChanged(topic_id=topic_id, before=before.as_json(), after=None))


async def preview_topic(
    scope: TenantScope, topic_id: UUID | None, name: str, counts_as: str, words: Sequence[str], *, active: bool = True
) -> TopicPreview:
    """Nothing is kept. Without words: what removing the topic would have done."""
    async with scope.read() as tx:
        if topic_id is not None:
            await _known(tx, topic_id)
        held = await settings.topics(tx)
        lately = await settings.judged_lately(tx, scope.now - LOOKED_BACK, REASONS_LOOKED_AT, MOST_THREADS + 1)
    changed = [each for each in held if each.id != topic_id]
    if any(each.strip() for each in words):
        changed.append(clean_topic(topic_id or new_id(), name, counts_as, words, active=active))
    shown = lately[:MOST_THREADS]
    effects = await asyncio.to_thread(_effects, shown, held, changed)
    return TopicPreview(len(shown), len(lately) <= MOST_THREADS, effects)


def _effects(
    lately: Sequence[settings.JudgedThread], held: Sequence[OwnTopic], changed: Sequence[OwnTopic]
) -> list[TopicEffect]:
    """Two thousand threads judged twice take seconds: beside the loop."""
    return [
        TopicEffect(each.thread_id, each.reference_code, each.subject, *told)
        for each in lately
        if (told := judged_apart(each, held, changed)) is not None
    ]


async def _known(tx: Tx, topic_id: UUID) -> OwnTopic:
    found = next((each for each in await settings.topics(tx) if each.id == topic_id), None)
    if found is None:
        raise NotFound(f"There is no topic {topic_id}.")
    return found
