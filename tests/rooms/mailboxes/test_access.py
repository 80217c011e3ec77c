"""Tokens that work now: one refreshes, what it brought is never lost, and nobody can read them."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from makers import make_tenant
from postroom.db.errors import DatabaseAway
from postroom.nouns.errors import AccessRevoked, Misconfigured, Unavailable
from postroom.nouns.ids import MailboxId, new_id
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.outside.imap.client import ImapServer
from postroom.outside.imap.provider import ImapAccount
from postroom.outside.keys import load_sealer
from postroom.rooms.mailboxes import access, store
from postroom.rooms.mailboxes.access import MailboxAccess, SealedTokens

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class Rotating:
    """A provider that takes every refresh token once, and answers after a while."""

    def __init__(self, first: str) -> None:
        self.valid, self.refreshes, self.busy, self.most_at_once = first, 0, 0, 0
        self.answered, self.began = asyncio.Event(), asyncio.Event()
        self.error: Exception | None = None
        self.lives = timedelta(hours=1)

    async def refresh(self, tokens: TokenSet) -> TokenSet:
        self.busy += 1
        self.began.set()
        self.most_at_once = max(self.most_at_once, self.busy)
        try:
            await asyncio.sleep(0.05)
            if self.error:
                raise self.error
            if tokens.refresh_token is None or tokens.refresh_token.reveal() != self.valid:
                raise AccessRevoked("This refresh token was used before.")
            self.refreshes += 1
            self.valid = f"refresh-{self.refreshes}"
            self.answered.set()
            return TokenSet(Secret(f"access-{self.refreshes}"), Secret(self.valid), NOW + self.lives)
        finally:
            self.busy -= 1


class Place:
    def __init__(self, db, tenant, mailbox, consent, tokens) -> None:
        self.db, self.tenant, self.mailbox, self.consent, self.tokens = db, tenant, mailbox, consent, tokens
        self.now = NOW

    def process(self, tokens=None) -> MailboxAccess:
        """What one process holds in memory."""
        return MailboxAccess(self.db, tokens or self.tokens, {"outlook": self.consent}, lambda: self.now)

    def passes(self, time: timedelta) -> None:
        self.now += time

    async def ask(self, holder: MailboxAccess, *, fresh: bool = False) -> str:
        return (await holder.token(self.tenant, self.mailbox, "outlook", fresh=fresh)).reveal()

    async def keeps(self, refresh: str = "refresh-0", *, lives: timedelta = timedelta(minutes=-1)) -> None:
        await self.tokens.put(self.tenant, self.mailbox, TokenSet(Secret("access-0"), Secret(refresh), NOW + lives))


@pytest.fixture
async def place(db, owner_dsn, tmp_path) -> Place:
    tenant, mailbox = make_tenant(owner_dsn), MailboxId(new_id())
    async with db.tenant(tenant) as tx:
        await store.add(tx, tenant, mailbox, NOW, address="a@desk.test", provider="outlook", access="delegated")
    tokens = SealedTokens(db, load_sealer(None, tmp_path), lambda: NOW)
    made = Place(db, tenant, mailbox, Rotating("refresh-0"), tokens)
    await made.keeps()
    return made


async def test_a_token_that_lives_is_not_refreshed(place):
    await place.keeps(lives=timedelta(minutes=30))

    assert "access-0" == await place.ask(place.process())
    assert 0 == place.consent.refreshes


async def test_two_processes_with_many_workers_refresh_once(place):
    one, other = place.process(), place.process()

    got = await asyncio.gather(*(place.ask(holder) for holder in (one, other) for _ in range(10)))

    assert {"access-1"} == set(got)
    assert (1, 1) == (place.consent.refreshes, place.consent.most_at_once)


async def test_a_refused_token_is_refreshed_once_although_both_processes_were_refused(place):
    await place.keeps(lives=timedelta(minutes=30))
    one, other = place.process(), place.process()
    await asyncio.gather(place.ask(one), place.ask(other))

    got = await asyncio.gather(*(place.ask(holder, fresh=True) for holder in (one, other) for _ in range(3)))

    assert {"access-1"} == set(got)
    assert 1 == place.consent.refreshes


async def test_those_refused_a_moment_later_take_what_the_first_one_brought(place):
    await place.keeps(lives=timedelta(minutes=30))
    holder = place.process()
    assert "access-0" == await place.ask(holder)
    place.passes(timedelta(minutes=1))

    got = [await place.ask(holder, fresh=True) for _ in range(4)]

    assert ["access-1"] * 4 == got
    assert 1 == place.consent.refreshes
    place.passes(timedelta(seconds=11))  # one that is refused again later is refreshed again
    assert "access-2" == await place.ask(holder, fresh=True)


async def test_one_that_was_replaced_by_a_clock_that_was_ahead_is_refreshed_when_it_is_refused(place):
    await place.keeps(lives=timedelta(days=2))
    holder = place.process()
    assert "access-0" == await place.ask(holder)
    place.passes(timedelta(days=1))
    place.consent.lives = timedelta(days=1, hours=1)
    assert "access-1" == await place.ask(holder, fresh=True)
    place.passes(timedelta(days=-1))

    assert "access-2" == await place.ask(holder, fresh=True)


async def test_a_new_grant_is_not_overwritten_by_who_still_refreshes_the_old_one(place):
    holder = place.process()
    asking = asyncio.create_task(place.ask(holder))
    await place.consent.began.wait()

    granted = TokenSet(Secret("granted"), Secret("anew"), NOW + timedelta(hours=1))
    await place.process().replace(place.tenant, place.mailbox, granted)
    await asking

    kept = await place.tokens.get(place.tenant, place.mailbox)
    assert ("granted", "anew") == (kept.access_token.reveal(), kept.refresh_token.reveal())


async def test_what_was_taken_away_stays_away_although_somebody_was_refreshing_it(place, owner_dsn):
    asking = asyncio.create_task(place.ask(place.process()))
    await place.consent.began.wait()

    await place.process().replace(place.tenant, place.mailbox, None)
    await asking

    assert await place.tokens.get(place.tenant, place.mailbox) is None
    with psycopg.connect(owner_dsn) as owner:
        assert (None,) == owner.execute("SELECT refreshing_till FROM postroom.mailbox_token").fetchone()


async def test_a_lease_that_nobody_gives_back_does_not_stop_a_disconnect(place, monkeypatch):
    monkeypatch.setattr(access, "WAIT_FOR_REFRESH_SECONDS", 0.2)
    async with place.db.tenant(place.tenant) as tx:
        assert await store.take_refresh(tx, place.tenant, place.mailbox)

    await place.process().replace(place.tenant, place.mailbox, None)

    assert await place.tokens.get(place.tenant, place.mailbox) is None


async def test_who_was_slower_than_their_lease_uses_what_the_next_one_rotated(place):
    slow = place.process()
    asking = asyncio.create_task(place.ask(slow))
    await place.consent.began.wait()
    place.consent.valid = "refresh-by-another"  # who took the lease over was quicker at the provider, and saved it
    brought = TokenSet(Secret("access-by-another"), Secret("refresh-by-another"), NOW + timedelta(hours=1))
    await place.tokens.put(place.tenant, place.mailbox, brought)

    assert "access-by-another" == await asking


async def test_a_house_that_closes_saves_what_is_being_refreshed_first(place):
    holder = place.process()
    asking = asyncio.create_task(place.ask(holder))
    await place.consent.began.wait()
    asking.cancel()

    await holder.close()

    kept = await place.tokens.get(place.tenant, place.mailbox)
    assert "refresh-1" == kept.refresh_token.reveal()


def test_nothing_that_holds_tokens_shows_them():
    tokens = TokenSet(Secret("s3cret-access"), Secret("s3cret-refresh"), NOW)
    shown = (tokens, access._Known(tokens, NOW), ImapAccount(ImapServer("h"), "u", Secret("s3cret-password")))

    assert "s3cret" not in "".join(f"{each!r} {each}" for each in shown)


async def test_what_was_rotated_is_saved_before_it_is_used_and_works_after_a_restart(place):
    await place.ask(place.process())

    kept = await place.tokens.get(place.tenant, place.mailbox)
    assert ("access-1", "refresh-1") == (kept.access_token.reveal(), kept.refresh_token.reveal())


async def test_a_caller_who_is_cancelled_in_the_middle_does_not_lose_the_rotated_token(place):
    asking = asyncio.create_task(place.ask(place.process()))
    await place.consent.answered.wait()
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)

    assert "access-1" == await place.ask(place.process())
    assert 1 == place.consent.refreshes


async def test_a_short_trouble_of_the_store_does_not_lose_the_rotated_token(place, monkeypatch):
    class Troubled:
        failures = 2

        async def put(self, *values):
            if self.failures:
                self.failures -= 1
                raise DatabaseAway("the connection is lost")
            await place.tokens.put(*values)

        get = staticmethod(place.tokens.get)
        remove = staticmethod(place.tokens.remove)

    monkeypatch.setattr(access, "SAVE_AGAIN_SECONDS", (0.0, 0.0, 0.0))

    assert "access-1" == await place.ask(place.process(Troubled()))
    assert "access-1" == await place.ask(place.process())


async def test_a_process_that_died_while_refreshing_is_taken_over_when_its_lease_ends(place, owner_dsn):
    async with place.db.tenant(place.tenant) as tx:
        assert await store.take_refresh(tx, place.tenant, place.mailbox)
        assert not await store.take_refresh(tx, place.tenant, place.mailbox)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.mailbox_token SET refreshing_till = now() - interval '1 s'")

    assert "access-1" == await place.ask(place.process())


async def test_a_refresh_that_fails_lets_the_next_one_try_at_once(place):
    place.consent.error = Unavailable("not now")
    with pytest.raises(Unavailable):
        await place.ask(place.process())
    place.consent.error = None

    assert "access-1" == await place.ask(place.process())


async def test_without_tokens_or_settings_a_person_is_needed(place):
    with pytest.raises(Misconfigured, match="client id and secret"):
        await MailboxAccess(place.db, place.tokens, {}, lambda: NOW).token(
            place.tenant, place.mailbox, "outlook", fresh=False
        )
    await place.tokens.remove(place.tenant, place.mailbox)
    with pytest.raises(AccessRevoked):
        await place.ask(place.process())


async def test_a_sealed_token_moved_to_another_mailbox_does_not_open(place, owner_dsn):
    other = MailboxId(new_id())
    async with place.db.tenant(place.tenant) as tx:
        await store.add(tx, place.tenant, other, NOW, address="b@desk.test", provider="outlook", access="delegated")
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        copy = "INSERT INTO postroom.mailbox_token (mailbox_id, tenant_id, sealed) SELECT %s, tenant_id, sealed FROM postroom.mailbox_token"
        owner.execute(copy, [other])

    with pytest.raises(Exception, match=r"(?i)seal|key|open"):
        await place.tokens.get(place.tenant, other)
