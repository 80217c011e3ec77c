"""What people do about tenants, people and keys."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from uuid import UUID

from argon2 import PasswordHasher

from postroom.db.pool import Database, Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import BadRequest, Conflict, NotFound
from postroom.nouns.ids import KeyId, PersonId, TenantId, new_id
from postroom.nouns.secrets import Secret
from postroom.rooms.tenants import rules, store

HASHER = PasswordHasher()


async def create_tenant(db: Database, name: str, actor: str = "postroom") -> TenantId:
    tenant_id = TenantId(new_id())
    if not await store.add_tenant(db, tenant_id, rules.clean_tenant_name(name), actor):
        raise Conflict(f"There is a tenant named {name} already.")
    return tenant_id


async def find_tenant(db: Database, name: str) -> store.Tenant:
    found = await store.tenant_by_name(db, rules.clean_tenant_name(name))
    if found is None:
        known = ", ".join(tenant.name for tenant in await store.all_tenants(db)) or "none yet"
        raise NotFound(
            f"There is no tenant named {name} (known: {known}). Make it with `postroom tenant create {name}`."
        )
    return found


async def ensure_tenant(db: Database, name: str) -> TenantId:
    """The tenant of that name, made if need be."""
    found = await store.tenant_by_name(db, rules.clean_tenant_name(name))
    if found is not None:
        return found.tenant_id
    try:
        return await create_tenant(db, name)
    except Conflict:  # somebody was quicker
        return (await find_tenant(db, name)).tenant_id


async def add_person(
    scope: TenantScope, email: str, *, name: str = "", role: str, password: str | None = None
) -> PersonId:
    clean, known = rules.clean_email(email), rules.known_role(role)
    person_id, called = PersonId(new_id()), rules.clean_person_name(name)
    hashed = await hash_password(password, clean, called) if password is not None else None
    async with scope.finish() as tx:
        if not await store.add_person(tx, scope.tenant_id, person_id, clean, called, known, hashed):
            raise Conflict(f"{clean} is known here already.")
        await scope.tell(tx, facts.PersonAdded(person_id=person_id, role=known))
    return person_id


async def change_person(
    scope: TenantScope,
    email: str,
    *,
    role: str | None = None,
    disabled: bool | None = None,
    password: str | None = None,
) -> store.Person:
    clean, wanted = rules.clean_email(email), rules.known_role(role) if role else None
    async with scope.read() as tx:
        known = await store.person_by_email(tx, clean)
    if known is None:
        raise NotFound(f"{email} is not known here.")
    hashed = await hash_password(password, known.email, known.name) if password is not None else None
    async with scope.finish() as tx:
        person = await store.person_by_email(tx, clean)
        if person is None:
            raise NotFound(f"{email} is not known here.")
        loses_admin = person.role == "admin" and (disabled or wanted not in (None, "admin"))
        if loses_admin and not await store.other_admins(tx, person.id):
            raise Conflict(f"{person.email} is the last admin: make somebody else admin first.")
        changed = await store.change_person(
            tx,
            person.id,
            scope.now,
            role=wanted,
            disabled=disabled,
            password_hash=hashed,
        )
        if changed is None:
            raise NotFound(f"{email} is not known here.")
        gone = changed.disabled_at is not None
        if gone or password is not None:
            why = "They were locked out." if gone else "Their password was changed."
            await end_all(scope, tx, person.id, why)
        await scope.tell(tx, facts.PersonChanged(person_id=changed.id, role=changed.role, disabled=gone))
    return changed


async def end_all(scope: TenantScope, tx: Tx, person_id: PersonId, because: str, keep: UUID | None = None) -> int:
    """All sessions of a person, but the one they keep."""
    ended = await store.end_sessions(tx, person_id, keep)
    if ended:
        await scope.tell(tx, facts.SessionEnded(person_id=person_id, sessions=ended, because=because))
    return ended


async def hash_password(password: str, *known: str) -> str:
    """`known` is what others know of the person. It takes 64 MB and a core for a moment, so in a thread."""
    if why := rules.objection_to_password(password, *known):
        raise BadRequest(f"This password will not do. {why}")
    return await asyncio.to_thread(HASHER.hash, password)


async def create_key(
    scope: TenantScope, *, name: str, role: str, scopes: list[str] | None = None, days: int | None = None
) -> tuple[KeyId, Secret]:
    key, key_id, known = rules.make_key(), KeyId(new_id()), rules.known_role(role)
    limited = rules.known_scopes(scopes or [])
    expires: datetime | None = scope.now + timedelta(days=days) if days is not None else None
    async with scope.finish() as tx:
        await store.add_key(
            tx,
            scope.tenant_id,
            key_id,
            name=name,
            role=known,
            scopes=limited,
            digest=key.digest,
            created_by=scope.actor,
            expires_at=expires,
        )
        await scope.tell(tx, facts.KeyCreated(key_id=key_id, name=name, role=known))
    return key_id, key.secret


async def revoke_key(scope: TenantScope, key_id: KeyId) -> store.ApiKey:
    async with scope.finish() as tx:
        revoked = await store.revoke_key(tx, key_id, scope.now)
        if revoked is None:
            raise NotFound(f"There is no key {key_id}.")
        await scope.tell(tx, facts.KeyRevoked(key_id=key_id, name=revoked.name))
    return revoked


async def who_holds(db: Database, key: str, now: datetime) -> store.KeyHolder | None:
    """Whose key this is, if it is one of ours and still good."""
    if not rules.KEY_SHAPE.match(key):
        return None
    return await store.key_holder(db, rules.digest_of(key), now)
