"""API keys: made, listed and revoked; a key is shown once."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from pydantic import ConfigDict, Field

from postroom.doors.api.paging import NO_NUL, Cursor, InBody, Limit, OutBody, PageOut, by_id, page
from postroom.doors.api.route import Admin, OwnRoute, Reader, collection
from postroom.nouns.ids import KeyId
from postroom.rooms.tenants import commands, rules, store
from postroom.rooms.tenants.rules import LONGEST_KEY_DAYS, SCOPES, Role, Scope

router = collection("keys")
own = collection("keys", OwnRoute)


class KeyOut(OutBody):
    id: UUID
    name: str
    role: Role
    scopes: list[str] = Field(description="The collections it is limited to; none means all.")
    created_by: str
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None


class OwnKeyOut(OutBody):
    """What the caller may do here, by the key or the session that it shows."""

    tenant_id: UUID
    actor: str = Field(
        description="As the trail names it.", examples=["key:agent:0193a7c4-5f00-7000-8000-000000000001"]
    )
    role: Role
    scopes: list[str] = Field(description="The collections it is limited to; none means all.")
    expires_at: datetime | None


class KeyIn(InBody):
    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"name": "dashboard", "role": "viewer", "scopes": ["metrics"], "days": 90}]},
    )

    name: str = Field(min_length=1, max_length=100, pattern=NO_NUL)
    role: Role
    scopes: list[Scope] = Field(default=[], max_length=len(SCOPES), description="Limit it to these collections.")
    days: int | None = Field(None, ge=1, le=LONGEST_KEY_DAYS, description="Until it expires; null: never.")


class MadeKeyOut(OutBody):
    id: UUID
    key: str = Field(description="Shown now and never again.", examples=["pr_…"])


@router.get("/keys", summary="List keys, newest first")
async def list_keys(who: Admin, limit: Limit = 50, cursor: Cursor = None) -> PageOut[KeyOut]:
    before = by_id(cursor)
    async with who.scope.read() as tx:
        known = await store.keys(tx)
    rows = sorted(
        (each for each in known if before is None or each.id < before), key=lambda each: each.id, reverse=True
    )
    return page(rows, limit, KeyOut.model_validate, lambda row: (row.id,))


@own.get("/keys/own", summary="What this key may do")
async def own_key(who: Reader) -> OwnKeyOut:
    """For every key, whatever its role and scopes."""
    return OwnKeyOut(
        tenant_id=who.tenant_id, actor=who.actor, role=who.role, scopes=list(who.scopes), expires_at=who.key_till
    )


@router.post("/keys", summary="Make a key", status_code=201)
async def create_key(body: KeyIn, who: Admin) -> MadeKeyOut:
    """A key can only make keys that are limited likewise, and that expire no later."""
    till = who.scope.now + timedelta(days=body.days) if body.days is not None else None
    rules.require_no_more(who.scopes, who.key_till, body.scopes, till)
    key_id, secret = await commands.create_key(
        who.scope, name=body.name, role=body.role, scopes=[*body.scopes], days=body.days
    )
    return MadeKeyOut(id=key_id, key=secret.reveal())


@router.post("/keys/{key_id}/revoke", summary="Revoke a key")
async def revoke_key(key_id: UUID, who: Admin) -> KeyOut:
    """At once, and for ever. Repeating it changes nothing."""
    return KeyOut.model_validate(await commands.revoke_key(who.scope, KeyId(key_id)))
