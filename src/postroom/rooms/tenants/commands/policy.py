"""What a tenant decides for itself: when a reading is booked unseen, how long things are kept, and what may be sent."""

from __future__ import annotations

from dataclasses import dataclass, replace

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import NotFound
from postroom.nouns.retention import Retention, retention_of
from postroom.nouns.sending import SendingPolicy, check_sending, sending_policy_of
from postroom.rooms.tenants import rules, store


@dataclass(frozen=True, slots=True)
class TenantDecisions:
    """All of it that this room keeps."""

    documents: rules.Policy
    retention: Retention
    sending: SendingPolicy


async def decisions_in(tx: Tx, *, lock: bool) -> TenantDecisions:
    """`lock`: nobody else changes any policy of this tenant until the transaction ends."""
    tenant = await store.own_tenant(tx, lock=lock)
    if tenant is None:
        raise NotFound("This tenant is gone.")
    held = tenant.policy
    return TenantDecisions(rules.policy_of(held), retention_of(held), sending_policy_of(held))


async def put_decisions(tx: Tx, scope: TenantScope, wanted: TenantDecisions) -> None:
    """Each part that is another one than before is checked, kept and told. It holds from now on. Safe to repeat."""
    rules.check_retention(wanted.retention)
    check_sending(wanted.sending)
    before = await decisions_in(tx, lock=True)
    if before.documents != wanted.documents:
        await store.set_policy(tx, scope.tenant_id, wanted.documents.as_json())
        await scope.tell(tx, facts.PolicyChanged(before=before.documents.told(), after=wanted.documents.told()))
    if before.retention != wanted.retention:
        held, new = before.retention.as_json(), wanted.retention.as_json()
        await store.set_policy(tx, scope.tenant_id, {"retention": new})
        await scope.tell(tx, facts.RetentionChanged(before=held, after=new))
    if before.sending != wanted.sending:
        held, new = before.sending.as_json(), wanted.sending.as_json()
        await store.set_policy(tx, scope.tenant_id, {"sending": new})
        await scope.tell(tx, facts.SendingChanged(before=held, after=new, switch=wanted.sending.switch))


async def change_policy(scope: TenantScope, policy: rules.Policy) -> None:
    async with scope.finish() as tx:
        await put_decisions(tx, scope, replace(await decisions_in(tx, lock=True), documents=policy))


async def retention(scope: TenantScope) -> Retention:
    """How long this tenant keeps what."""
    async with scope.read() as tx:
        return (await decisions_in(tx, lock=False)).retention


async def change_retention(scope: TenantScope, wanted: Retention) -> None:
    """Takes effect with the next round of forgetting."""
    async with scope.finish() as tx:
        await put_decisions(tx, scope, replace(await decisions_in(tx, lock=True), retention=wanted))


async def sending(scope: TenantScope) -> SendingPolicy:
    """Whether this tenant sends, when, who else must agree, and how much."""
    async with scope.read() as tx:
        return (await decisions_in(tx, lock=False)).sending


async def change_sending(scope: TenantScope, wanted: SendingPolicy) -> SendingPolicy:
    """Holds from now on, also for what was approved before."""
    async with scope.finish() as tx:
        await put_decisions(tx, scope, replace(await decisions_in(tx, lock=True), sending=wanted))
    return wanted
