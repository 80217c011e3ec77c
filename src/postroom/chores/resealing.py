"""Seals anew, with the newest key, all that is kept sealed: page by page, beside running workers, safe to repeat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from postroom.app.house import House
from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import Misconfigured, Unreadable
from postroom.nouns.ids import TenantId
from postroom.outside.keys import Sealer
from postroom.rooms.documents.ports import about_password
from postroom.rooms.mailboxes.access import about_consent, about_token
from postroom.rooms.subscribers.ports import about_secret
from postroom.rooms.tenants import store as tenants

QUERIES = sql.load(__package__ or "")
PAGE = 50


@dataclass(frozen=True, slots=True)
class SealedColumn:
    """A column that holds sealed values, and what each of them was sealed for."""

    column: str
    what: str
    stale: sql.Query
    replace: sql.Query
    about: Callable[[TenantId, str, str], str]


PLACES: Sequence[SealedColumn] = (
    SealedColumn(
        "postroom.mailbox_token.sealed",
        "tokens and passwords of mailboxes",
        QUERIES.stale_tokens,
        QUERIES.reseal_token,
        lambda tenant, one, _: about_token(tenant, one),
    ),
    SealedColumn(
        "postroom.consent.verifier",
        "consents on their way",
        QUERIES.stale_verifiers,
        QUERIES.reseal_verifier,
        lambda _, one, __: about_consent(one),
    ),
    SealedColumn(
        "postroom.pdf_password.sealed",
        "passwords of files",
        QUERIES.stale_passwords,
        QUERIES.reseal_password,
        lambda tenant, one, _: about_password(tenant, one),
    ),
    SealedColumn(
        "postroom.webhook.secret",
        "secrets of webhooks",
        QUERIES.stale_webhook_secrets,
        QUERIES.reseal_webhook_secret,
        lambda tenant, one, _: about_secret(tenant, one),
    ),
    SealedColumn(
        "postroom.webhook.old_secret",
        "secrets of webhooks that are being replaced",
        QUERIES.stale_old_webhook_secrets,
        QUERIES.reseal_old_webhook_secret,
        lambda tenant, one, _: about_secret(tenant, one),
    ),
    SealedColumn(
        "postroom.idempotency.answer",
        "answers kept for repeated requests",
        QUERIES.stale_answers,
        QUERIES.reseal_answer,
        lambda tenant, one, two: f"{tenant}/idempotency/{one}/{two}",
    ),
)


@dataclass(slots=True)
class Resealed:
    """What became of one column, in all tenants."""

    what: str
    resealed: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class _Sealed:
    one: str
    two: str
    sealed: bytes


async def reseal(house: House, sealer: Sealer, actor: str) -> list[Resealed]:
    """Everything of every tenant. Killed in the middle, it goes on where it stopped when it is run again."""
    done = {place.column: Resealed(place.what) for place in PLACES}
    for tenant in await tenants.all_tenants(house.db):
        scope = house.scope(tenant.tenant_id, actor)
        for place in PLACES:
            await _reseal(scope, sealer, place, done[place.column])
    return list(done.values())


async def _reseal(scope: TenantScope, sealer: Sealer, place: SealedColumn, done: Resealed) -> None:
    at = ("", "")
    while True:
        async with scope.read() as tx:
            page = await tx.rows(place.stale, _Sealed, newest=sealer.newest, one=at[0], two=at[1], most=PAGE)
        if not page:
            return
        at = (page[-1].one, page[-1].two)
        async with scope.finish() as tx:
            fresh = await _replace_page(tx, scope, sealer, place, page, done)
            if fresh:
                await scope.tell(tx, facts.SealingKeyRotated(key=sealer.newest.hex(), resealed=fresh))
        done.resealed += fresh


async def _replace_page(
    tx: Tx, scope: TenantScope, sealer: Sealer, place: SealedColumn, page: Sequence[_Sealed], done: Resealed
) -> int:
    fresh = 0
    for each in page:
        was, about = bytes(each.sealed), place.about(scope.tenant_id, each.one, each.two)
        try:
            sealed = sealer.reseal(was, about=about)
        except (Misconfigured, Unreadable):
            done.unreadable += 1
            continue
        fresh += await tx.run(place.replace, one=each.one, two=each.two, was=was, sealed=sealed)
    return fresh
