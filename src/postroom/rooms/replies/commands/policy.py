"""What a tenant decides about its drafts, and how they fare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest
from postroom.rooms.replies.rules.voicing import ReplyPolicy, check_policy
from postroom.rooms.replies.store import drafts, policy
from postroom.rooms.replies.store.drafts import DraftOutcomes
from postroom.rooms.replies.store.policy import NamedMailbox

LOOKED_BACK = timedelta(days=90)


async def reply_policy(scope: TenantScope) -> ReplyPolicy:
    async with scope.read() as tx:
        return await policy.reply_policy(tx)


async def change_reply_policy(scope: TenantScope, changes: Mapping[str, Any]) -> ReplyPolicy:
    """Some of it; the rest stays as it is. It counts for drafts that are written from now on."""
    async with scope.finish() as tx:
        await policy.lock_policy(tx)
        return await put_reply_policy(tx, scope, replace(await policy.reply_policy(tx), **changes))


async def put_reply_policy(tx: Tx, scope: TenantScope, wanted: ReplyPolicy) -> ReplyPolicy:
    """Checked, and told if it is another one; in the caller's transaction."""
    before = await policy.reply_policy(tx)
    if wanted == before:
        return before
    wanted = check_policy(wanted)
    known = {each.id for each in await policy.mailboxes(tx)}
    if strange := wanted.learn_from - known - before.learn_from:
        raise BadRequest(f"There is no mailbox {min(strange)} here.")
    wanted = replace(wanted, learn_from=frozenset(wanted.learn_from & known))
    if wanted != before:
        await policy.put_reply_policy(tx, scope.tenant_id, wanted, scope.now)
        await scope.tell(tx, facts.ReplyPolicyChanged(before=before.told(), after=wanted.told()))
    return wanted


async def mailboxes_to_learn_from(scope: TenantScope) -> Sequence[NamedMailbox]:
    async with scope.read() as tx:
        return await policy.mailboxes(tx)


async def draft_outcomes(scope: TenantScope) -> DraftOutcomes:
    """What became of the drafts of the last three months."""
    async with scope.read() as tx:
        return await drafts.outcomes(tx, scope.now - LOOKED_BACK)
