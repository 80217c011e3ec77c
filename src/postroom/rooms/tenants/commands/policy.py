"""What a tenant decides for itself: when a reading is booked unseen, how long things are kept, and what may be sent."""

from __future__ import annotations

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import NotFound
from postroom.nouns.retention import Retention, retention_of
from postroom.nouns.sending import SendingPolicy, check_sending, sending_policy_of
from postroom.rooms.tenants import rules, store


async def change_policy(scope: TenantScope, policy: rules.Policy) -> None:
    async with scope.finish() as tx:
        before = rules.policy_of((await _own(tx)).policy)
        if before == policy:
            return
        await store.set_policy(tx, scope.tenant_id, policy.as_json())
        await scope.tell(tx, facts.PolicyChanged(before=before.told(), after=policy.told()))


async def retention(scope: TenantScope) -> Retention:
    """How long this tenant keeps what."""
    async with scope.read() as tx:
        return retention_of((await _own(tx, lock=False)).policy)


async def change_retention(scope: TenantScope, wanted: Retention) -> None:
    """Takes effect with the next round of forgetting."""
    rules.check_retention(wanted)
    async with scope.finish() as tx:
        before = retention_of((await _own(tx)).policy)
        if before == wanted:
            return
        await store.set_policy(tx, scope.tenant_id, {"retention": wanted.as_json()})
        await scope.tell(tx, facts.RetentionChanged(before=before.as_json(), after=wanted.as_json()))


async def sending(scope: TenantScope) -> SendingPolicy:
    """Whether this tenant sends, when, who else must agree, and how much."""
    async with scope.read() as tx:
        return sending_policy_of((await _own(tx, lock=False)).policy)


async def change_sending(scope: TenantScope, wanted: SendingPolicy) -> SendingPolicy:
    """Holds from now on, also for what was approved before. Safe to repeat."""
    check_sending(wanted)
    async with scope.finish() as tx:
        before = sending_policy_of((await _own(tx)).policy)
        if before != wanted:
            await store.set_policy(tx, scope.tenant_id, {"sending": wanted.as_json()})
            told = facts.SendingChanged(before=before.as_json(), after=wanted.as_json(), switch=wanted.switch)
            await scope.tell(tx, told)
    return wanted


async def _own(tx: Tx, *, lock: bool = True) -> store.Tenant:
    tenant = await store.own_tenant(tx, lock=lock)
    if tenant is None:
        raise NotFound("This tenant is gone.")
    return tenant
