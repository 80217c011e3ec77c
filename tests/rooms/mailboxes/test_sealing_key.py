"""Another sealing key: everything sealed is sealed anew, nothing is lost, and nobody has to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import aiohttp
import psycopg
import pytest
from typer.testing import CliRunner

from postroom.chores import resealing
from postroom.cli import app
from postroom.nouns.ids import MailboxId, new_id
from postroom.nouns.secrets import Secret
from postroom.nouns.tokens import TokenSet
from postroom.outside.keys import load_sealer
from postroom.outside.keys.keyring import add_key
from postroom.rooms.documents import commands as documents
from postroom.rooms.mailboxes import commands, store
from postroom.rooms.subscribers import commands as subscribers
from postroom.rooms.tenants import commands as tenants
from stories.office import Office, open_office

# Digests, hashes and files: what is kept in bytes and not sealed, because it need not be read back or is no secret.
NOT_SEALED = {
    "padealing.graph_subscription_state.client_state_digest",
    "postroom.api_key.digest",
    "postroom.consent.browser",
    "postroom.consent.ticket",
    "postroom.fact.digest",
    "postroom.idempotency.request",
    "postroom.job_payload.content",
    "postroom.seal.chain",
    "postroom.seal.key_id",
    "postroom.seal.link",
    "postroom.seal.root",
    "postroom.session.digest",
    "postroom.signin_link.digest",
    "postroom.signin_try.key",
    "postroom.upload.content",
}
COLUMNS = """
    SELECT format('%s.%s', a.attrelid::regclass, a.attname) FROM pg_attribute a
      JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE a.atttypid = 'bytea'::regtype AND a.attnum > 0 AND NOT a.attisdropped AND NOT c.relispartition
       AND c.relkind IN ('r', 'p') AND n.nspname IN ('postroom', 'padealing', 'bo_airflow')"""


@pytest.fixture
async def office(dsn, owner_dsn, tmp_path) -> AsyncIterator[Office]:
    async with open_office(dsn, owner_dsn, str(tmp_path), start=False) as opened:
        yield opened


async def fill(office: Office, mailboxes: int = 1, tenant: str = "default") -> list[MailboxId]:
    """Something sealed in every place."""
    house = office.house
    scope = house.scope(await tenants.ensure_tenant(house.db, tenant), "test")
    ids = []
    for number in range(mailboxes):
        async with scope.finish() as tx:
            made = await store.add(
                tx,
                scope.tenant_id,
                MailboxId(new_id()),
                scope.now,
                address=f"{number}@{tenant}.test",
                provider="outlook",
                access="delegated",
            )
        kept = TokenSet(Secret(f"access {number}"), Secret(f"refresh {number}"), datetime(2030, 1, 1, tzinfo=UTC))
        await house.providers.tokens.put(scope.tenant_id, made.id, kept)
        ids.append(made.id)
    await documents.add_password(scope, house.outside.sealer, "statements", Secret("open sesame"))
    made, _ = await subscribers.create_webhook(
        scope, house.outside.sealer, house.outside.webhooks, "https://hooks.example.org/mail"
    )
    await subscribers.rotate_secret(scope, house.outside.sealer, made.id)
    back = f"{office.url}/oauth/outlook/callback"
    await commands.start_connect(scope, house.providers, "outlook", back, address="a@b.example")
    return ids


def sealed_with(office: Office) -> dict[str, set[str]]:
    """By column, the ids of the keys in use."""
    found = {}
    for place in resealing.PLACES:
        table, _, column = place.column.rpartition(".")
        keys = office.ask(f"SELECT array_agg(DISTINCT encode(substring({column} FROM 2 FOR 8), 'hex')) FROM {table}")
        found[place.column] = set(keys or ()) - {None}
    return found


def test_every_column_of_bytes_is_either_resealed_or_known_to_be_no_secret(owner_dsn):
    with psycopg.connect(owner_dsn) as owner:
        columns = {row[0] for row in owner.execute(COLUMNS).fetchall()}

    assert {place.column for place in resealing.PLACES} == columns - NOT_SEALED
    assert columns >= NOT_SEALED


async def test_everything_sealed_in_every_tenant_is_sealed_anew_and_opens(office):
    [mine], [theirs] = await fill(office), await fill(office, tenant="other")
    key = await office.key()
    headers = {"Authorization": f"Bearer {key}", "Idempotency-Key": "once"}
    url, body = f"{office.url}/api/v1/mailboxes/connect", {"provider": "outlook"}
    async with aiohttp.ClientSession() as session:
        async with session.post(url, json=body, headers=headers) as first:
            answered = await first.text()
        newest = add_key(office.house.settings.home).newest.hex()

        done = await resealing.reseal(office.house, office.house.outside.sealer, "test")

        assert {column: {newest} for column in sealed_with(office)} == sealed_with(office)
        assert [2, 3, 2, 2, 2, 1] == [each.resealed for each in done]
        async with session.post(url, json=body, headers=headers) as again:
            assert (answered, "true") == (await again.text(), again.headers["Idempotency-Replayed"])
    for tenant, mailbox in (("default", mine), ("other", theirs)):
        tenant_id = office.ask("SELECT tenant_id FROM postroom.tenant WHERE name = %s", tenant)
        kept = await office.house.providers.tokens.get(tenant_id, mailbox)
        assert "refresh 0" == kept.refresh_token.reveal()
    told = "SELECT sum((body ->> 'resealed')::int) FROM postroom.fact WHERE kind = 'key.sealing_rotated' AND body ->> 'key' = %s"
    assert sum(each.resealed for each in done) == office.ask(told, newest) >= 7
    assert 0 == sum(each.resealed for each in await resealing.reseal(office.house, office.house.outside.sealer, "test"))


async def test_the_old_key_may_go_once_all_is_resealed(office, tmp_path):
    [mailbox] = await fill(office)
    tenant_id = office.ask("SELECT tenant_id FROM postroom.tenant")
    add_key(tmp_path)
    await resealing.reseal(office.house, office.house.outside.sealer, "test")
    file = tmp_path / "sealing.key"
    file.write_text(file.read_text().splitlines()[0])

    alone = load_sealer(None, tmp_path)

    about = f"{tenant_id}/mailbox-token/{mailbox}"
    assert b"refresh 0" in alone.open(office.ask("SELECT sealed FROM postroom.mailbox_token"), about=about)


async def test_a_worker_that_seals_meanwhile_is_not_overwritten(office, monkeypatch):
    [mailbox] = await fill(office)
    tenant_id = office.ask("SELECT tenant_id FROM postroom.tenant")
    add_key(office.house.settings.home)
    rotated = TokenSet(Secret("access 1"), Secret("refresh 1"), datetime(2030, 1, 1, tzinfo=UTC))
    replace_page = resealing._replace_page

    async def late(tx, *rest):
        if "tokens" in rest[2].what:
            await office.house.providers.tokens.put(tenant_id, mailbox, rotated)
        return await replace_page(tx, *rest)

    monkeypatch.setattr(resealing, "_replace_page", late)
    await resealing.reseal(office.house, office.house.outside.sealer, "test")

    kept = await office.house.providers.tokens.get(tenant_id, mailbox)
    assert "refresh 1" == kept.refresh_token.reveal()
    assert all(len(keys) == 1 for keys in sealed_with(office).values() if keys)


async def test_what_no_key_opens_is_counted_and_left_as_it_is(office, tmp_path):
    await fill(office, 3)
    (tmp_path / "sealing.key").unlink()
    other = load_sealer(None, tmp_path)  # a new file, as if the old one had been lost

    done = await resealing.reseal(office.house, other, "test")

    assert (0, 3) == (done[0].resealed, done[0].unreadable)


def run_cli(office: Office, tmp_path: Path, *words: str, **more: str):
    environment = {"POSTROOM_HOME": str(tmp_path), "POSTROOM_DATABASE_URL": office.house.db.dsn, **more}
    command = [sys.executable, "-m", "postroom", *words]
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("POSTROOM_")}
    return subprocess.Popen(
        command, env={**inherited, **environment}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


async def test_rotating_beside_a_running_house_needs_no_restart(office, tmp_path):
    ids = await fill(office, 5)
    tenant_id = office.ask("SELECT tenant_id FROM postroom.tenant")

    process = await asyncio.to_thread(run_cli, office, tmp_path, "key", "rotate")
    said, trouble = await asyncio.to_thread(process.communicate)

    assert 0 == process.returncode, trouble
    assert "Back up" in trouble
    assert "The newest key is" in said
    kept = [await office.house.providers.tokens.get(tenant_id, each) for each in ids]
    assert [f"refresh {n}" for n in range(5)] == [each.refresh_token.reveal() for each in kept]
    await office.house.providers.tokens.put(tenant_id, ids[0], kept[0])  # and what it seals from now on
    assert {1} == {len(keys) for keys in sealed_with(office).values() if keys}


async def test_killed_in_the_middle_it_goes_on_where_it_stopped(office, tmp_path):
    ids = await fill(office, 120)
    tenant_id = office.ask("SELECT tenant_id FROM postroom.tenant")
    process = await asyncio.to_thread(run_cli, office, tmp_path, "key", "rotate")
    await _until(lambda: office.count("key.sealing_rotated") >= 1)
    process.send_signal(signal.SIGKILL)
    await asyncio.to_thread(process.communicate)

    process = await asyncio.to_thread(run_cli, office, tmp_path, "key", "reseal")
    _, trouble = await asyncio.to_thread(process.communicate)

    assert 0 == process.returncode, trouble
    assert {1} == {len(keys) for keys in sealed_with(office).values() if keys}
    for number, each in enumerate(ids):
        kept = await office.house.providers.tokens.get(tenant_id, each)
        assert f"refresh {number}" == kept.refresh_token.reveal()


async def _until(true) -> None:
    till = asyncio.get_running_loop().time() + 60
    while not true():
        assert asyncio.get_running_loop().time() < till
        await asyncio.sleep(0.005)


def test_a_key_from_the_environment_is_left_to_who_set_it(dsn, tmp_path, monkeypatch):
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path))
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_SEALING_KEY", "00" * 32)

    done = CliRunner().invoke(app, ["key", "rotate"])

    assert 2 == done.exit_code
    assert "new,old" in done.stderr
    assert not (tmp_path / "sealing.key").exists()


def test_a_key_file_is_not_rotated_under_workers_of_another_host(dsn, owner_dsn, tmp_path, monkeypatch):
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path))
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute(
            "INSERT INTO postroom.worker (id, name, started_at, lease_till) VALUES (%s, 'elsewhere:7', now(), %s)",
            [new_id(), datetime.now(UTC) + timedelta(minutes=5)],
        )

    done = CliRunner().invoke(app, ["key", "rotate"])

    assert 1 == done.exit_code
    assert "elsewhere" in done.stderr
