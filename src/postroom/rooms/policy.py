"""A tenant's policy, on one page: what every room lets it decide, seen together and changed in one commit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns.retention import Retention
from postroom.nouns.sending import SendingPolicy
from postroom.nouns.versions import require_seen, version_of
from postroom.rooms.clients.commands import policy_values, put_mapping_policy
from postroom.rooms.clients.rules.suggesting import MappingPolicy
from postroom.rooms.clients.store import mappings
from postroom.rooms.replies.commands import put_reply_policy
from postroom.rooms.replies.rules.voicing import ReplyPolicy
from postroom.rooms.replies.store.policy import reply_policy
from postroom.rooms.tenants.commands import TenantDecisions, decisions_in, put_decisions
from postroom.rooms.tenants.rules import Policy


@dataclass(frozen=True, slots=True)
class WholePolicy:
    """What a tenant decides for itself, whichever room it is for."""

    documents: Policy
    mapping: MappingPolicy
    retention: Retention
    sending: SendingPolicy
    replies: ReplyPolicy

    @property
    def version(self) -> str:
        """The same as long as nothing of it changed."""
        return version_of(self.as_json())

    def as_json(self) -> Mapping[str, Any]:
        return {
            "documents": self.documents.told(),
            "mapping": {name: str(value) for name, value in policy_values(self.mapping).items()},
            "retention": self.retention.as_json(),
            "sending": self.sending.as_json(),
            "replies": self.replies.told(),
        }


async def tenant_policy(who: TenantScope) -> WholePolicy:
    async with who.read() as tx:
        return await _held(tx, lock=False)


async def change_tenant_policy(
    who: TenantScope, change: Callable[[WholePolicy], WholePolicy], seen: str | None = None
) -> WholePolicy:
    """What `change` makes of it, checked by each room and told by its own fact; all of it, or nothing.

    One at a time for a tenant. `seen` is the version that the caller looked at; another one is refused.
    """
    async with who.finish() as tx:
        wanted = would_be(await _held(tx, lock=True), change, seen)
        await put_decisions(tx, who, TenantDecisions(wanted.documents, wanted.retention, wanted.sending))
        await put_mapping_policy(tx, who, wanted.mapping)
        await put_reply_policy(tx, who, wanted.replies)
        return await _held(tx, lock=False)


def would_be(held: WholePolicy, change: Callable[[WholePolicy], WholePolicy], seen: str | None = None) -> WholePolicy:
    """What a change makes of it, before any room looked at it."""
    require_seen(seen, held.version, "the policy")
    return change(held)


async def _held(tx: Tx, *, lock: bool) -> WholePolicy:
    decided = await decisions_in(tx, lock=lock)
    mapping, replies = await mappings.policy(tx), await reply_policy(tx)
    return WholePolicy(decided.documents, mapping, decided.retention, decided.sending, replies)
