"""`kill -9` while a client book is taken in or mail is mapped, and the death of PostgreSQL: nothing half done, nothing twice."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest

from postroom.db.errors import DatabaseError
from postroom.db.pool import Database
from postroom.engine.waker import Waker
from postroom.nouns.errors import Unavailable
from postroom.rooms.clients import commands
from postroom.rooms.clients.jobs import MapEarlierMail
from rooms.clients.office import BOOK, ClientDesk, open_client_desk
from stories.killing import Victims
from stories.mortal_server import OwnServer, once

pytestmark = pytest.mark.programs
STORE = "postroom.rooms.clients.store"
IMPORT_STEPS = [
    (f"{STORE}.book:put_accounts", "after"),
    (f"{STORE}.book:put_contacts", "before"),
    (f"{STORE}.book:put_work_items", "after"),
    (f"{STORE}.book:put_changes", "after"),  # all of it written, not committed
]
EARLIER = 60
Act = Callable[[], Awaitable[Any]]


@pytest.fixture
def dies(victims: Victims, dsn: str, desk: ClientDesk) -> Callable[..., Awaitable[int]]:
    async def started(act: str, where: str, when: str) -> int:
        await victims.starts("stories.doomed_clients:live", dsn, str(desk.tenant), act, where=where, when=when)
        return await victims.ended()

    return started


@pytest.fixture
def desk(db, waker, owner_dsn) -> ClientDesk:
    return open_client_desk(db, waker, owner_dsn)


async def test_an_import_that_is_killed_leaves_nothing_and_the_next_takes_all_in_once(desk, dies):
    for where, when in IMPORT_STEPS:
        assert -signal.SIGKILL == await dies("import", where, when), f"it was not killed {when} {where}"
        assert 0 == desk.ask("SELECT count(*) FROM postroom.account"), f"killed {when} {where}"
    done = await commands.import_book(desk.scope(), BOOK)

    assert (4, 6) == (done.diffs["accounts"].new, done.diffs["contacts"].new)
    assert 1 == len(desk.facts("account.imported"))
    assert 0 == (await commands.import_book(desk.scope(), BOOK)).changes


@pytest.mark.parametrize(("when", "kept"), [("after#1", 0), ("after#30", 25), ("before#51", 50)])
async def test_earlier_mail_is_mapped_once_although_a_worker_is_killed_in_the_middle(desk, dies, when, kept):
    messages = [desk.inserts("anna@acme.example", days_ago=number / 10) for number in range(EARLIER)]
    await desk.has_book()
    desk.own("DELETE FROM postroom.job")
    scope = desk.scope()
    async with scope.finish() as tx:
        await scope.enqueue(tx, MapEarlierMail())

    assert -signal.SIGKILL == await dies("work", f"{STORE}.mappings:put_suggestion", when)
    assert kept == desk.ask("SELECT count(*) FROM postroom.mapping")
    desk.own("UPDATE postroom.worker SET lease_till = now() - interval '1 s'")
    desk.own("SELECT postroom.reap_workers()")
    await desk.works()

    assert {("ACME", "mapped")} == {desk.standing(each) for each in messages}
    assert EARLIER == len(desk.facts("mapping.mapped"))


@pytest.fixture
async def mortal_desk(own_server: OwnServer) -> AsyncIterator[ClientDesk]:
    """On a PostgreSQL of its own."""
    db = await Database(own_server.server.dsn(user="postroom")).open()
    waker = Waker(db)
    await waker.start()
    yield open_client_desk(db, waker, own_server.server.dsn())
    await waker.stop()
    await db.close()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("victim", ["postmaster", "backend"])
async def test_the_death_of_the_database_leaves_nothing_half_done(mortal_desk, own_server, monkeypatch, victim):
    desk = mortal_desk
    death = functools.partial(own_server.dies, victim)

    async def fails_at(where: str, act: Act) -> None:
        once(monkeypatch, where, "after", death)
        with pytest.raises((DatabaseError, Unavailable)):
            await act()
        async with asyncio.timeout(60):  # connections that died with it are found out one by one, and it recovers
            while not await answers():  # noqa: ASYNC110 - a server outside tells nobody that it is back
                await asyncio.sleep(0.05)

    async def answers() -> bool:
        with contextlib.suppress(DatabaseError, Unavailable):
            await commands.accounts(desk.scope())
            return True
        return False

    await fails_at(f"{STORE}.book:put_contacts", lambda: commands.import_book(desk.scope(), BOOK))
    assert 0 == desk.ask("SELECT count(*) FROM postroom.account")
    await desk.has_book()
    assert 1 == len(desk.facts("account.imported"))

    thread = [await desk.receives("other@gmail.com", thread="one") for _ in range(3)]
    mapping = desk.mapping(thread[0])

    def confirm():
        return commands.confirm_mapping(desk.scope(), mapping, "ACME", thread=True, next_from_sender=True)

    await fails_at(f"{STORE}.mappings:decide", confirm)
    assert {(None, "triage")} == {desk.standing(each) for each in thread}
    assert 0 == desk.ask("SELECT count(*) FROM postroom.mapping_change")
    assert 3 == (await confirm()).messages

    await fails_at(f"{STORE}.mappings:decide", lambda: commands.undo_mapping(desk.scope(), mapping))
    assert {("ACME", "confirmed")} == {desk.standing(each) for each in thread}
    assert 3 == (await commands.undo_mapping(desk.scope(), mapping)).messages

    await confirm()
    await fails_at(f"{STORE}.book:mark_merged", lambda: commands.merge_accounts(desk.scope(), "ACME", "BOREALIS"))
    assert {("ACME", "confirmed")} == {desk.standing(each) for each in thread}
    assert ("open", 3) == (
        desk.ask("SELECT status FROM postroom.account WHERE code = 'ACME'"),
        desk.ask("SELECT count(*) FROM postroom.contact_account WHERE account_id = %s", desk.account_id("ACME")),
    )
    assert 3 == (await commands.merge_accounts(desk.scope(), "ACME", "BOREALIS")).messages
    assert {("BOREALIS", "confirmed")} == {desk.standing(each) for each in thread}
    assert 4 == own_server.kills
