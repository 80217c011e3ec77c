"""Tenants, people and keys in the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.facts import as_json
from postroom.nouns.ids import KeyId, PersonId, TenantId
from postroom.rooms.tenants.rules import Role

QUERIES = sql.load(__package__ or "")


@dataclass(frozen=True, slots=True)
class Tenant:
    tenant_id: TenantId
    name: str
    policy: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Person:
    id: PersonId
    email: str
    name: str
    role: Role
    disabled_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class ApiKey:
    id: KeyId
    name: str
    role: Role
    scopes: list[str]
    created_by: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """Who comes in with a key."""

    id: KeyId
    tenant_id: TenantId
    name: str
    role: Role
    scopes: list[str]


async def add_tenant(db: Database, tenant_id: TenantId, name: str) -> bool:
    """At the front desk: there is no tenant yet to act for. False when the name is taken."""
    async with db.front_desk() as tx:
        return await tx.value(QUERIES.add_tenant, tenant_id=tenant_id, name=name) is not None


async def tenant_by_name(db: Database, name: str) -> Tenant | None:
    async with db.front_desk() as tx:
        return await tx.row(QUERIES.tenant_by_name, Tenant, name=name)


async def all_tenants(db: Database) -> list[Tenant]:
    async with db.front_desk() as tx:
        return await tx.rows(QUERIES.all_tenants, Tenant)


async def own_tenant(tx: Tx) -> Tenant | None:
    return await tx.row(QUERIES.own_tenant, Tenant)


async def set_policy(tx: Tx, tenant_id: TenantId, change: dict[str, Any]) -> dict[str, Any] | None:
    policy: dict[str, Any] | None = await tx.value(QUERIES.set_policy, tenant_id=tenant_id, change=as_json(change))
    return policy


async def add_person(
    tx: Tx, tenant_id: TenantId, person_id: PersonId, email: str, name: str, role: Role, password_hash: str | None
) -> bool:
    values = {"id": person_id, "tenant_id": tenant_id, "email": email, "name": name, "role": role}
    return await tx.value(QUERIES.add_person, **values, password_hash=password_hash) is not None


async def change_person(
    tx: Tx,
    person_id: PersonId,
    now: datetime,
    *,
    role: Role | None = None,
    disabled: bool | None = None,
    password_hash: str | None = None,
) -> Person | None:
    return await tx.row(
        QUERIES.change_person,
        Person,
        id=person_id,
        role=role,
        disabled=disabled,
        password_hash=password_hash,
        now=now,
    )


async def people(tx: Tx) -> list[Person]:
    return await tx.rows(QUERIES.people, Person)


async def person_by_email(tx: Tx, email: str) -> Person | None:
    return await tx.row(QUERIES.person_by_email, Person, email=email)


async def other_admins(tx: Tx, person_id: UUID) -> int:
    count: int = await tx.value(QUERIES.admins_left, id=person_id)
    return count


async def add_key(
    tx: Tx,
    tenant_id: TenantId,
    key_id: KeyId,
    *,
    name: str,
    role: Role,
    scopes: list[str],
    digest: bytes,
    created_by: str,
    expires_at: datetime | None,
) -> None:
    values = {"name": name, "role": role, "scopes": scopes, "digest": digest, "created_by": created_by}
    await tx.run(QUERIES.add_key, id=key_id, tenant_id=tenant_id, expires_at=expires_at, **values)


async def keys(tx: Tx) -> list[ApiKey]:
    return await tx.rows(QUERIES.keys, ApiKey)


async def revoke_key(tx: Tx, key_id: KeyId, now: datetime) -> ApiKey | None:
    return await tx.row(QUERIES.revoke_key, ApiKey, id=key_id, now=now)


async def key_holder(db: Database, digest: bytes, now: datetime) -> KeyHolder | None:
    found = await db.desk_rows(QUERIES.key_holder, KeyHolder, digest=digest, now=now)
    return found[0] if found else None
