"""Tenants, people and keys in the database."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Database, Tx
from postroom.engine.facts import Run, as_json, envelope
from postroom.nouns.facts import TenantCreated
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
    expires_at: datetime | None


async def add_tenant(db: Database, tenant_id: TenantId, name: str, actor: str) -> bool:
    """At the front desk: there is no tenant yet to act for. False when the name is taken."""
    async with db.front_desk() as tx:
        made_at = await tx.value(QUERIES.add_tenant, tenant_id=tenant_id, name=name)
        if made_at is None:
            return False
        told = envelope(TenantCreated(name=name), tenant_id, made_at, actor, Run())
        await tx.run(QUERIES.tell_of_tenant, tenant_id=tenant_id, facts=as_json([told]))
    return True


async def tenant_by_name(db: Database, name: str) -> Tenant | None:
    async with db.front_desk() as tx:
        return await tx.row(QUERIES.tenant_by_name, Tenant, name=name)


async def all_tenants(db: Database) -> list[Tenant]:
    async with db.front_desk() as tx:
        return await tx.rows(QUERIES.all_tenants, Tenant)


async def own_tenant(tx: Tx, *, lock: bool = False) -> Tenant | None:
    """`lock`: whoever changes it next waits till this transaction is over."""
    return await tx.row(QUERIES.own_tenant_to_change if lock else QUERIES.own_tenant, Tenant)


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


@dataclass(frozen=True, slots=True)
class SignInCandidate:
    """Somebody who may be the one at the door."""

    id: PersonId
    tenant_id: TenantId
    tenant: str
    email: str
    name: str
    role: Role
    password_hash: str | None


@dataclass(frozen=True, slots=True)
class OidcCandidate:
    """Whom an identity provider's subject, or else its address, points to."""

    id: PersonId
    email: str
    name: str
    role: Role
    disabled_at: datetime | None
    created_at: datetime
    oidc_subject: str | None


@dataclass(frozen=True, slots=True)
class SessionHolder:
    """Who comes in with a session."""

    id: UUID
    tenant_id: TenantId
    tenant: str
    person_id: PersonId
    how: str
    seen_at: datetime
    expires_at: datetime
    ends_at: datetime
    email: str
    name: str
    role: Role
    settled: int  # facts of later transactions may not have been seen by this request


@dataclass(frozen=True, slots=True)
class Session:
    id: UUID
    person_id: PersonId
    email: str
    how: str
    source: str
    agent: str
    started_at: datetime
    seen_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class UsedLink:
    tenant_id: TenantId
    person_id: PersonId
    email: str
    good: bool


@dataclass(frozen=True, slots=True)
class GuessCount:
    key: bytes
    tries: int


async def people_to_enter(db: Database, email: str, tenant: str | None) -> list[SignInCandidate]:
    return await db.desk_rows(QUERIES.people_to_enter, SignInCandidate, email=email, tenant=tenant)


async def password_of(tx: Tx, person_id: PersonId) -> str | None:
    hashed: str | None = await tx.value(QUERIES.password_of, id=person_id)
    return hashed


async def person_by_id(tx: Tx, person_id: UUID) -> Person | None:
    return await tx.row(QUERIES.person_by_id, Person, id=person_id)


async def first_admin(tx: Tx) -> Person | None:
    return await tx.row(QUERIES.first_admin, Person)


async def person_for_subject(tx: Tx, subject: str, email: str | None) -> OidcCandidate | None:
    return await tx.row(QUERIES.person_for_subject, OidcCandidate, subject=subject, email=email)


async def bind_subject(tx: Tx, person_id: PersonId, subject: str) -> None:
    await tx.run(QUERIES.bind_subject, id=person_id, subject=subject)


async def start_session(tx: Tx, tenant_id: TenantId, person_id: PersonId, now: datetime, **values: Any) -> None:
    await tx.run(QUERIES.sweep_sessions, now=now)
    await tx.run(QUERIES.start_session, tenant_id=tenant_id, person_id=person_id, now=now, **values)


async def session_holder(db: Database, digest: bytes, now: datetime) -> SessionHolder | None:
    found = await db.desk_rows(QUERIES.session_holder, SessionHolder, digest=digest, now=now)
    return found[0] if found else None


async def touch_session(tx: Tx, session_id: UUID, now: datetime, expires_at: datetime) -> None:
    await tx.run(QUERIES.touch_session, id=session_id, now=now, expires_at=expires_at)


async def sessions(tx: Tx, now: datetime, person_id: PersonId | None = None) -> list[Session]:
    return await tx.rows(QUERIES.sessions, Session, now=now, person_id=person_id)


async def end_session(tx: Tx, session_id: UUID, person_id: PersonId | None) -> PersonId | None:
    """Whose it was."""
    ended: PersonId | None = await tx.value(QUERIES.end_session, id=session_id, person_id=person_id)
    return ended


async def end_sessions(tx: Tx, person_id: PersonId, keep: UUID | None = None) -> int:
    return await tx.run(QUERIES.end_sessions, person_id=person_id, keep=keep)


async def add_link(tx: Tx, tenant_id: TenantId, person_id: PersonId, digest: bytes, expires_at: datetime) -> None:
    await tx.run(QUERIES.add_link, digest=digest, tenant_id=tenant_id, person_id=person_id, expires_at=expires_at)


async def sweep_links(tx: Tx, now: datetime) -> None:
    await tx.run(QUERIES.sweep_links, now=now)


async def take_link(db: Database, digest: bytes, now: datetime) -> UsedLink | None:
    found = await db.desk_rows(QUERIES.take_link, UsedLink, digest=digest, now=now)
    return found[0] if found else None


async def owner_of_link(db: Database, digest: bytes, now: datetime) -> str | None:
    found: str | None = await db.desk_value(QUERIES.owner_of_link, digest=digest, now=now)
    return found


async def waiting_till(tx: Tx, keys: list[bytes], now: datetime) -> datetime | None:
    till: datetime | None = await tx.value(QUERIES.waiting_till, keys=keys, now=now)
    return till


async def count_try(tx: Tx, keys: list[bytes], now: datetime, forget: datetime) -> list[GuessCount]:
    return await tx.rows(QUERIES.count_try, GuessCount, keys=keys, now=now, forget=forget)


async def hold_till(tx: Tx, key: bytes, till: datetime) -> None:
    await tx.run(QUERIES.hold_till, key=key, till=till)


async def forgive(tx: Tx, keys: list[bytes]) -> None:
    await tx.run(QUERIES.forgive, keys=keys)


async def take_back_try(tx: Tx, key: bytes, free: int, now: datetime) -> None:
    await tx.run(QUERIES.take_back_try, key=key, free=free, now=now)


async def sweep_tries(tx: Tx, forget: datetime) -> None:
    await tx.run(QUERIES.sweep_tries, forget=forget)


async def look(tx: Tx, tenant_id: TenantId, item: str, actor: str, now: datetime) -> None:
    await tx.run(QUERIES.look, tenant_id=tenant_id, item=item, actor=actor, now=now)


async def others_looking(tx: Tx, item: str, actor: str, since: datetime) -> list[str]:
    return await tx.values(QUERIES.others_looking, item=item, actor=actor, since=since)


async def look_away(tx: Tx, item: str, actor: str) -> None:
    await tx.run(QUERIES.look_away, item=item, actor=actor)


async def forget_presence(tx: Tx, before: datetime) -> None:
    await tx.run(QUERIES.forget_presence, before=before)
