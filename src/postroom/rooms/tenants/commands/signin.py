"""Coming in: by password, by a one-time link, or sent by an identity provider; staying in, and leaving."""

from __future__ import annotations

import asyncio
import functools
import secrets
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime
from typing import Literal
from uuid import UUID

from argon2.exceptions import VerificationError

from postroom.db.pool import Database
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.errors import BadRequest, NotAllowed, NotFound, Throttled
from postroom.nouns.ids import PersonId, TenantId, new_id
from postroom.nouns.secrets import Secret
from postroom.rooms.tenants import rules, store
from postroom.rooms.tenants.commands.people import HASHER, end_all, hash_password

How = Literal["password", "oidc", "link"]
ScopeFor = Callable[[TenantId, str], TenantScope]
FIRST_ADMIN, HOUSE_TENANT = "admin@localhost", "default"
CHECKS_AT_ONCE = 2  # each takes 64 MB and a core for a moment

_checkers = ThreadPoolExecutor(CHECKS_AT_ONCE, "passwords")


@dataclass(frozen=True, slots=True)
class SignInSource:
    """Where somebody comes from, for the limits, the list of sessions and the trail."""

    address: str = ""
    agent: str = ""


async def enter_with_password(
    db: Database,
    scope_for: ScopeFor,
    email: str,
    password: str,
    source: SignInSource,
    now: datetime,
    tenant: str | None = None,
) -> Secret:
    """A session's secret, or a refusal that does not say which part was wrong."""
    clean = email.strip().lower()[:320]
    limits = rules.guess_limits(clean, source.address)
    await _count_try(db, limits, now)
    people = await store.people_to_enter(db, clean, tenant or None)
    right = [person for person in people if await _verify(person.password_hash, password)]
    if not people:
        await _verify(None, password)
    if not right:
        await _note_refusal(db, scope_for, people, source)
        raise NotAllowed("Address and password do not match. Try again, or ask an admin of your tenant for a link.")
    if len(right) > 1:
        names = ", ".join(person.tenant for person in right)
        raise BadRequest(f"You are known in several tenants ({names}): say which one you want to enter.")
    both, account, everybody = limits
    async with db.front_desk() as tx:
        await store.forgive(tx, [both.key, account.key])
        await store.take_back_try(tx, everybody.key, everybody.free, now)  # others there may still be guessing
    return await _start(scope_for, right[0].tenant_id, right[0].id, right[0].email, "password", source)


async def _count_try(db: Database, limits: Sequence[rules.GuessLimit], now: datetime) -> None:
    """Counted before it is checked, so that many guesses at once count too; forgiven when it was right."""
    every = [each.key for each in limits]
    free = {each.key: each.free for each in limits}
    forget = now - rules.GUESSES_FORGOTTEN
    async with db.front_desk() as tx:
        counted = await store.count_try(tx, every, now, forget)
        if len(counted) < len(every):  # one of them waits: nothing of this try is counted
            till = await store.waiting_till(tx, every, now) or now
            seconds = (till - now).total_seconds()
            raise Throttled(f"Too many attempts. Wait {_spoken(seconds)}, then try again.", seconds)
        for each in counted:
            if pause := rules.pause_after(each.tries, free[bytes(each.key)]):
                await store.hold_till(tx, each.key, now + pause)
    async with db.front_desk() as tx:
        await store.sweep_tries(tx, forget)


def _spoken(seconds: float) -> str:
    return f"{seconds / 60:.0f} minutes" if seconds > 90 else f"{max(1, seconds):.0f} seconds"


async def _verify(hashed: str | None, password: str) -> bool:
    loop = asyncio.get_running_loop()
    good = await loop.run_in_executor(_checkers, _matches, hashed, password[:1000])
    return good and hashed is not None


@functools.cache
def _nobody() -> str:
    return HASHER.hash(secrets.token_urlsafe(16))


def _matches(hashed: str | None, password: str) -> bool:
    """Somebody unknown costs as much work as somebody known, the first time too."""
    nobody = _nobody()
    try:
        return HASHER.verify(hashed or nobody, password)
    except VerificationError:
        return False


async def _note_refusal(
    db: Database, scope_for: ScopeFor, people: list[store.SignInCandidate], source: SignInSource
) -> None:
    """Somebody unknown is noted too: who measures the time must not learn who is known."""
    for person in people:
        scope = scope_for(person.tenant_id, "door")
        async with scope.finish() as tx:
            told = facts.SignInRefused(person_id=person.id, because="The password was wrong.", source=source.address)
            await scope.tell(tx, told)
    tenant = None if people else await store.tenant_by_name(db, HOUSE_TENANT)
    if tenant is not None:
        scope = scope_for(tenant.tenant_id, "door")
        async with scope.finish() as tx:
            noted = facts.SecurityNoted(what="sign-in refused for an unknown address", source=source.address)
            await scope.tell(tx, noted)


async def make_link(scope: TenantScope, base_url: str, email: str | None = None) -> str:
    """A link that lets one person in, once, within 15 minutes. Nobody named: the first admin, made if need be."""
    token = rules.make_token()
    async with scope.finish() as tx:
        person = await (store.person_by_email(tx, rules.clean_email(email)) if email else store.first_admin(tx))
        if person is None and email:
            raise NotFound(f"{email} is not known here. Add them with `postroom person add {email}`.")
        person_id = person.id if person else PersonId(new_id())
        if person is None:
            await store.add_person(tx, scope.tenant_id, person_id, FIRST_ADMIN, "Administrator", "admin", None)
            await scope.tell(tx, facts.PersonAdded(person_id=person_id, role="admin"))
        await store.sweep_links(tx, scope.now)
        expires = scope.now + rules.LINK_LASTS
        await store.add_link(tx, scope.tenant_id, person_id, token.digest, expires)
        await scope.tell(tx, facts.SignInLinkMade(person_id=person_id, expires_at=expires))
    return f"{base_url}/signin/link/{token.secret.reveal()}"


async def enter_with_link(db: Database, scope_for: ScopeFor, token: str, source: SignInSource, now: datetime) -> Secret:
    taken = await store.take_link(db, rules.digest_of(token), now) if rules.SESSION_SHAPE.match(token) else None
    if taken is None or not taken.good:
        raise NotAllowed(
            "This link was used already, or is older than 15 minutes. Ask for a new one: `postroom person link`."
        )
    return await _start(scope_for, taken.tenant_id, taken.person_id, taken.email, "link", source)


async def owner_of_link(db: Database, token: str, now: datetime) -> str | None:
    """Whom a link would let in, for them to see before they follow it."""
    return await store.owner_of_link(db, rules.digest_of(token), now) if rules.SESSION_SHAPE.match(token) else None


async def enter_with_oidc(
    scope_for: ScopeFor, tenant_id: TenantId, subject: str, email: str | None, source: SignInSource
) -> Secret:
    """Whom the identity provider vouches for: by the subject we know, else by address, which binds the subject."""
    clean, scope = email.strip().lower() if email else None, scope_for(tenant_id, "door")
    async with scope.read() as tx:
        person = await store.person_for_subject(tx, subject, clean)
    if person is None:
        raise NotAllowed(
            f"{clean or 'This account'} is signed in at your identity provider, but is not known here. "
            "Ask an admin to add you under Settings, People."
        )
    if person.disabled_at is not None:
        raise NotAllowed(f"{person.email} is locked out here. Ask an admin of your tenant.")
    if person.oidc_subject not in (None, subject):
        raise NotAllowed(
            f"{person.email} is known here as another account of your identity provider. Ask an admin of your tenant."
        )
    if person.oidc_subject is None:
        async with scope.finish() as tx:
            await store.bind_subject(tx, person.id, subject)
    return await _start(scope_for, tenant_id, person.id, person.email, "oidc", source)


async def _start(
    scope_for: ScopeFor, tenant_id: TenantId, person_id: PersonId, email: str, how: How, source: SignInSource
) -> Secret:
    token, scope = rules.make_token(), scope_for(tenant_id, f"person:{email}")
    session_id, now = new_id(), scope.now
    async with scope.finish() as tx:
        await store.start_session(
            tx,
            tenant_id,
            person_id,
            now,
            id=session_id,
            digest=token.digest,
            how=how,
            source=source.address[:100],
            agent=source.agent[:300],
            expires_at=now + rules.SESSION_IDLE,
            ends_at=now + rules.SESSION_LASTS,
        )
        told = facts.SessionStarted(person_id=person_id, session_id=session_id, how=how, source=source.address[:100])
        await scope.tell(tx, told)
    return token.secret


async def who_is_in(db: Database, token: str, now: datetime) -> store.SessionHolder | None:
    """Whose session this is, if it is one of ours and still good. Being seen keeps it good."""
    if not rules.SESSION_SHAPE.match(token):
        return None
    holder = await store.session_holder(db, rules.digest_of(token), now)
    if holder is not None and now - holder.seen_at > rules.TOUCH_EVERY:
        async with db.tenant(holder.tenant_id) as tx:
            await store.touch_session(tx, holder.id, now, now + rules.SESSION_IDLE)
    return holder


async def end_session(scope: TenantScope, session_id: UUID, person_id: PersonId | None, because: str = "") -> None:
    """`person_id` None: an admin ends anybody's."""
    async with scope.finish() as tx:
        ended = await store.end_session(tx, session_id, person_id)
        if ended is None:
            raise NotFound("That session has ended already.")
        why = because or f"{spoken_actor(scope.actor)} ended it."
        await scope.tell(tx, facts.SessionEnded(person_id=ended, sessions=1, because=why))


async def end_other_sessions(scope: TenantScope, person_id: PersonId, keep: UUID | None) -> int:
    async with scope.finish() as tx:
        return await end_all(scope, tx, person_id, "They ended their other sessions.", keep)


async def change_own_password(scope: TenantScope, person_id: PersonId, keep: UUID, old: str, new: str) -> None:
    """Whoever has a password must know it; the other sessions end."""
    async with scope.read() as tx:
        held = await store.password_of(tx, person_id)
    if held is not None and not await _verify(held, old):
        raise BadRequest("The present password is not right.")
    async with scope.read() as tx:
        person = await store.person_by_id(tx, person_id)
    if person is None:
        raise NotFound("You are not known here any more.")
    hashed = await hash_password(new, person.email, person.name)
    async with scope.finish() as tx:
        changed = await store.change_person(tx, person_id, scope.now, password_hash=hashed)
        if changed is None:
            raise NotFound("You are not known here any more.")
        await end_all(scope, tx, person_id, "Their password was changed.", keep)
        await scope.tell(tx, facts.PersonChanged(person_id=person_id, role=changed.role, disabled=False))
