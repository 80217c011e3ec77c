"""Access tokens: kept encrypted, refreshed by one at a time, saved before they are used."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from postroom.db.errors import DatabaseError
from postroom.db.pool import Database
from postroom.nouns.errors import AccessRevoked, Misconfigured, TimedOut, Transient
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.providers import ProviderName
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet, TokenStore
from postroom.ports import Consent, Sealing
from postroom.rooms.mailboxes import store

JUST_NOW = timedelta(seconds=10)
WAIT_FOR_REFRESH_SECONDS = 40.0
LOOK_AGAIN_SECONDS = 0.1
SAVE_AGAIN_SECONDS = (0.1, 0.5, 2.0, 5.0)


class SealedTokens:
    """The default store: in our database, encrypted, bound to the mailbox they are for."""

    def __init__(self, db: Database, sealer: Sealing, clock: Callable[[], datetime]) -> None:
        self._db, self._sealer, self._clock = db, sealer, clock

    async def get(self, tenant: TenantId, mailbox: MailboxId) -> TokenSet | None:
        async with self._db.tenant(tenant) as tx:
            sealed = await store.get_token(tx, mailbox)
        if sealed is None:
            return None
        return TokenSet.from_bytes(self._sealer.open(sealed, about=about_token(tenant, mailbox)))

    async def put(self, tenant: TenantId, mailbox: MailboxId, tokens: TokenSet) -> None:
        sealed = self._sealer.seal(tokens.to_bytes(), about=about_token(tenant, mailbox))
        async with self._db.tenant(tenant) as tx:
            await store.put_token(tx, tenant, mailbox, sealed, self._clock())

    async def remove(self, tenant: TenantId, mailbox: MailboxId) -> None:
        async with self._db.tenant(tenant) as tx:
            await store.remove_token(tx, mailbox)


@dataclass(frozen=True, slots=True)
class _Known:
    tokens: TokenSet
    replaced_at: datetime | None  # when it took the place of one that was refused


class MailboxAccess:
    """Hands out access tokens. Two workers never refresh at once, and a rotated token is never lost."""

    def __init__(
        self,
        db: Database,
        tokens: TokenStore,
        consents: Mapping[ProviderName, Consent],
        clock: Callable[[], datetime],
    ) -> None:
        self._db, self._tokens, self._consents, self._clock = db, tokens, consents, clock
        self._known: dict[UUID, _Known] = {}
        self._one_here: defaultdict[UUID, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._under_way: set[asyncio.Task[TokenSet]] = set()

    async def token(self, tenant: TenantId, mailbox: MailboxId, provider: ProviderName, *, fresh: bool) -> Secret:
        """`fresh`: the one we gave out was refused."""
        known = self._known.get(mailbox)
        if known is not None and self._still_good(known, refused=fresh):
            return known.tokens.access_token
        async with self._one_here[mailbox]:
            current = self._known.get(mailbox)
            if current is not None and current is not known and not self._is_old(current.tokens):
                return current.tokens.access_token  # somebody in this process was quicker
            refused = known.tokens if known and fresh else None
            tokens = await self._current(tenant, mailbox, provider, refused)
            self._known[mailbox] = _Known(tokens, self._clock() if refused else None)
            return tokens.access_token

    def forget(self, mailbox: MailboxId) -> None:
        self._known.pop(mailbox, None)

    async def replace(self, tenant: TenantId, mailbox: MailboxId, tokens: TokenSet | None) -> None:
        """Another grant, or none any more: who is refreshing the old one ends first, and cannot write over it."""
        mine = await self._turn(tenant, mailbox)
        try:
            if tokens is None:
                await self._tokens.remove(tenant, mailbox)
            else:
                await self._save(tenant, mailbox, tokens)
        finally:
            self.forget(mailbox)
            if mine:
                await self._end(tenant, mailbox)

    async def close(self) -> None:
        """What is being refreshed is saved before we go."""
        await asyncio.gather(*self._under_way, return_exceptions=True)

    def _is_old(self, tokens: TokenSet) -> bool:
        return tokens.is_old(self._clock())

    def _still_good(self, known: _Known, *, refused: bool) -> bool:
        """One that took a refused one's place just now is not what was refused: many may have used the one before. One
        from the future came by a clock that was put right since."""
        just_came = known.replaced_at is not None and abs(self._clock() - known.replaced_at) < JUST_NOW
        return not self._is_old(known.tokens) and (not refused or just_came)

    async def _current(
        self, tenant: TenantId, mailbox: MailboxId, provider: ProviderName, refused: TokenSet | None
    ) -> TokenSet:
        loop = asyncio.get_running_loop()
        until = loop.time() + WAIT_FOR_REFRESH_SECONDS
        while loop.time() < until:
            kept = await self._tokens.get(tenant, mailbox)
            if kept is None:
                raise AccessRevoked("There is no permission for this mailbox.")
            if not self._is_old(kept) and not _same(kept, refused):
                return kept  # another process brought it
            if await self._take(tenant, mailbox):
                # Whoever asked may be cancelled; a token that was rotated meanwhile is kept all the same.
                task = asyncio.create_task(self._refresh(tenant, mailbox, provider, kept, refused))
                self._under_way.add(task)
                task.add_done_callback(self._under_way.discard)
                return await asyncio.shield(task)
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        raise TimedOut("Another worker has been refreshing this mailbox's access for too long.")

    async def _refresh(
        self,
        tenant: TenantId,
        mailbox: MailboxId,
        provider: ProviderName,
        kept: TokenSet,
        refused: TokenSet | None,
    ) -> TokenSet:
        try:
            again = await self._tokens.get(tenant, mailbox)
            if again is not None and not _same(again, kept) and not _same(again, refused) and not self._is_old(again):
                return again  # refreshed between our look and our turn
            consent = self._consents.get(provider)
            if consent is None:
                raise Misconfigured(f"The client id and secret for {provider} are not set.")
            try:
                tokens = await consent.refresh(again or kept)
            except AccessRevoked:
                # Who was slower than their lease may be refused for what the next one rotated: that is no end.
                newer = await self._tokens.get(tenant, mailbox)
                if newer is None or _same(newer, again or kept):
                    raise
                return newer
            await self._save(tenant, mailbox, tokens)
            return tokens
        finally:
            await self._end(tenant, mailbox)

    async def _save(self, tenant: TenantId, mailbox: MailboxId, tokens: TokenSet) -> None:
        """The old refresh token may be dead by now: a short trouble of the store must not lose the new one."""
        for pause in SAVE_AGAIN_SECONDS:
            try:
                await self._tokens.put(tenant, mailbox, tokens)
                return
            except (DatabaseError, OSError, Transient):
                await asyncio.sleep(pause)
        await self._tokens.put(tenant, mailbox, tokens)

    # one at a time, across processes

    async def _turn(self, tenant: TenantId, mailbox: MailboxId) -> bool:
        """Wait for the lease. Who held it for so long is dead, or will find that its lease is over."""
        loop = asyncio.get_running_loop()
        until = loop.time() + WAIT_FOR_REFRESH_SECONDS
        while not await self._take(tenant, mailbox):
            if loop.time() > until:
                return False
            await asyncio.sleep(LOOK_AGAIN_SECONDS)
        return True

    async def _take(self, tenant: TenantId, mailbox: MailboxId) -> bool:
        async with self._db.tenant(tenant) as tx:
            return await store.take_refresh(tx, tenant, mailbox)

    async def _end(self, tenant: TenantId, mailbox: MailboxId) -> None:
        async with self._db.tenant(tenant) as tx:
            await store.end_refresh(tx, mailbox)


def _same(one: TokenSet | None, other: TokenSet | None) -> bool:
    if one is None or other is None:
        return False
    return one.access_token.reveal() == other.access_token.reveal()


def about_token(tenant: object, mailbox: object) -> str:
    return f"{tenant}/mailbox-token/{mailbox}"


def about_consent(state: str) -> str:
    return f"consent-verifier/{state}"
