"""Channels: where threads are seen to, and by which rules they get there."""

from __future__ import annotations

from uuid import UUID

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import new_id
from postroom.nouns.versions import require_seen
from postroom.rooms.triage.rules.channels import Channel, ChannelRules, clean_name, clean_rules
from postroom.rooms.triage.store import settings


async def channels(scope: TenantScope) -> list[Channel]:
    """In the order in which they are tried."""
    async with scope.read() as tx:
        return await settings.channels(tx)


async def add_channel(scope: TenantScope, name: str, rules: ChannelRules, *, active: bool = True) -> Channel:
    made = Channel(new_id(), clean_name(name), clean_rules(rules), active)
    async with scope.finish() as tx:
        await settings.put_channel(tx, scope.tenant_id, made, scope.actor, scope.now)
        await scope.tell(tx, facts.ChannelChanged(channel_id=made.id, before=None, after=_told(made)))
    return made


async def change_channel(
    scope: TenantScope,
    channel_id: UUID,
    name: str,
    rules: ChannelRules,
    *,
    active: bool = True,
    seen: str | None = None,
) -> Channel:
    """For threads that are judged from now on. Safe to repeat. `seen` is the version that the person looked at."""
    wanted = Channel(channel_id, clean_name(name), clean_rules(rules), active)
    async with scope.finish() as tx:
        before = await _known(tx, channel_id)
        require_seen(seen, before.version, before.name)
        if before != wanted:
            await settings.put_channel(tx, scope.tenant_id, wanted, scope.actor, scope.now)
            changed = facts.ChannelChanged(channel_id=channel_id, before=_told(before), after=_told(wanted))
            await scope.tell(tx, changed)
    return wanted


async def remove_channel(scope: TenantScope, channel_id: UUID) -> None:
    """Its threads are in Default then."""
    async with scope.finish() as tx:
        before = await _known(tx, channel_id)
        await settings.drop_channel(tx, channel_id)
        await scope.tell(tx, facts.ChannelChanged(channel_id=channel_id, before=_told(before), after=None))


async def _known(tx: Tx, channel_id: UUID) -> Channel:
    found = next((each for each in await settings.channels(tx) if each.id == channel_id), None)
    if found is None:
        raise NotFound(f"There is no channel {channel_id}.")
    return found


def _told(channel: Channel) -> dict[str, object]:
    return {"name": channel.name, "active": channel.active, **channel.rules.as_json()}
