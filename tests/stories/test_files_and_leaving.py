"""Mail from files by the page, and the last moment of a web process."""

from __future__ import annotations

import psycopg

from postroom.app.house import open_house
from postroom.chores.imports import import_paths
from postroom.nouns.ids import MailboxId, new_id
from postroom.rooms.mailboxes import store as mailboxes
from postroom.rooms.sync.notifications import MailboxNotification
from postroom.rooms.tenants import commands as tenants
from postroom.settings import Settings

HELD = "SELECT count(*) FROM postroom.message WHERE state = 'arrived'"


def ask(owner_dsn: str, question: str) -> object:
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        return owner.execute(question).fetchone()[0]


async def test_imported_mail_is_taken_in_by_the_page_and_each_once(dsn, owner_dsn, tmp_path):
    for number in range(120):
        text = f"From: a@files.test\r\nSubject: {number}\r\nMessage-ID: <{number}@files.test>\r\n\r\nHello.\r\n"
        (tmp_path / f"{number}.eml").write_text(text)
    async with open_house(Settings(home=tmp_path / "home", database_url=dsn)) as house:
        scope = house.scope(await tenants.ensure_tenant(house.db, "default"), "test")
        for known in (0, 120):
            found = await import_paths(house, scope, sorted(tmp_path.glob("*.eml")), lambda done, total: None)
            assert (120 - known, known, []) == (found.new, found.known, found.broken)
            jobs = "SELECT count(*) FROM postroom.job WHERE kind LIKE 'sync.fetch_message%'"
            assert (0 if known else 2) == ask(owner_dsn, jobs)
            await house.worker().run_until_quiet()

    assert 120 == ask(owner_dsn, HELD)
    assert 120 == ask(owner_dsn, "SELECT count(*) FROM postroom.fact WHERE kind = 'mail.message.received'")


async def test_notifications_of_the_last_moment_are_sorted_before_the_house_closes(dsn, owner_dsn, tmp_path):
    mailbox = MailboxId(new_id())
    async with open_house(Settings(home=tmp_path / "home", database_url=dsn)) as house:
        tenant = await tenants.ensure_tenant(house.db, "default")
        async with house.db.tenant(tenant) as tx:
            how = {"address": "desk@leaving.test", "provider": "outlook", "access": "delegated"}
            await mailboxes.add(tx, tenant, mailbox, house.clock(), **how)
        await house.intake().put([MailboxNotification(tenant, mailbox)])

    assert 0 == ask(owner_dsn, "SELECT count(*) FROM postroom.notification")
    assert 1 == ask(owner_dsn, "SELECT count(*) FROM postroom.job WHERE kind = 'sync.mailbox'")
