"""Channels and topics that a tenant made, and what a change would have done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db.errors import DatabaseError
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.copilot import CopilotMode
from postroom.nouns.errors import Conflict
from postroom.nouns.ids import MailboxId, TenantId, ThreadId
from postroom.rooms.triage.rules.channels import Channel, channel_rules
from postroom.rooms.triage.rules.own_topics import OwnTopic
from postroom.rooms.triage.rules.topics import Topic
from postroom.rooms.triage.store.threads import QUERIES


@dataclass(frozen=True, slots=True)
class ChannelRow:
    id: UUID
    name: str
    rules: dict[str, Any]
    active: bool


@dataclass(frozen=True, slots=True)
class TopicRow:
    id: UUID
    name: str
    counts_as: Topic
    words: list[str]
    active: bool


@dataclass(frozen=True, slots=True)
class JudgedThread:
    """The newest message of a thread, and what was said of it."""

    thread_id: ThreadId
    reference_code: str
    action: str
    reason: str
    subject: str
    own_text: str
    forwarded_text: str
    recipients: dict[str, Any]
    sender_email: str | None


async def channels(tx: Tx) -> list[Channel]:
    """In the order in which they are tried."""
    rows = await tx.rows(QUERIES.channels, ChannelRow)
    return [Channel(each.id, each.name, channel_rules(each.rules), each.active) for each in rows]


async def put_channel(tx: Tx, tenant_id: TenantId, channel: Channel, actor: str, now: datetime) -> None:
    rules = as_json(channel.rules.as_json())
    values = {"id": channel.id, "name": channel.name, "rules": rules, "active": channel.active}
    try:
        await tx.run(QUERIES.put_channel, tenant_id=tenant_id, actor=actor, now=now, **values)
    except DatabaseError as twin:
        if twin.constraint != "channel_name_is_unique":
            raise
        raise Conflict(f"There is a channel {channel.name!r} already.") from None


async def drop_channel(tx: Tx, channel_id: UUID) -> bool:
    return bool(await tx.run(QUERIES.drop_channel, id=channel_id))


async def topics(tx: Tx) -> list[OwnTopic]:
    rows = await tx.rows(QUERIES.topics, TopicRow)
    return [OwnTopic(each.id, each.name, each.counts_as, tuple(each.words), each.active) for each in rows]


async def put_topic(tx: Tx, tenant_id: TenantId, topic: OwnTopic, actor: str, now: datetime) -> None:
    words = list(topic.words)
    values = {"id": topic.id, "name": topic.name, "counts_as": topic.counts_as, "words": words, "active": topic.active}
    try:
        await tx.run(QUERIES.put_topic, tenant_id=tenant_id, actor=actor, now=now, **values)
    except DatabaseError as twin:
        if twin.constraint != "tenant_topic_name_is_unique":
            raise
        raise Conflict(f"There is a topic {topic.name!r} already.") from None


async def drop_topic(tx: Tx, topic_id: UUID) -> bool:
    return bool(await tx.run(QUERIES.drop_topic, id=topic_id))


async def judged_lately(tx: Tx, since: datetime, reasons: Sequence[str], most: int) -> list[JudgedThread]:
    return await tx.rows(QUERIES.judged_lately, JudgedThread, since=since, reasons=list(reasons), most=most)


async def copilot_mode(tx: Tx, mailbox_id: MailboxId) -> CopilotMode | None:
    found: CopilotMode | None = await tx.value(QUERIES.copilot_mode, mailbox_id=mailbox_id)
    return found


async def policy(tx: Tx) -> dict[str, Any]:
    found: dict[str, Any] = await tx.value(QUERIES.policy) or {}
    return found
