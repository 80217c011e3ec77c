"""What the database enforces, held against the catalogue."""

from __future__ import annotations

import re
import subprocess
from importlib import resources
from pathlib import Path

import psycopg
import pytest

import postroom
from postroom.db.binaries import find_programs
from postroom.db.dump import dump
from postroom.db.migrate import LOCK, migrate, migrations
from postroom.db.sql import split
from postroom.nouns.errors import Misconfigured

SOURCE = Path(postroom.__file__).parent
# The house's own tables, which belong to no tenant; only the front desk reaches the first five.
HOUSE_TABLES = {"worker", "timetable", "provider_slot", "provider_quota", "house", "migration"}
SHARED_LEDGER = "bo_airflow.email_ingestion_state"  # exactly the published columns; its policy goes by who wrote a row


def named_queries() -> list[tuple[str, str]]:
    found = []
    for file in SOURCE.rglob("*.sql"):
        if "-- name:" in (text := file.read_text()):
            found += [(f"{file.relative_to(SOURCE)}:{query.name}", query.text) for query in split(text, file.name)]
    return found


def tables(owner_dsn: str) -> list[tuple[str, str]]:
    with psycopg.connect(owner_dsn) as owner:
        return owner.execute(
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE n.nspname IN ('postroom', 'bo_airflow', 'padealing') AND c.relkind IN ('r', 'p') ORDER BY 1, 2"
        ).fetchall()


SCHEMA = resources.files("postroom.db").joinpath("schema.sql")


def test_schema_sql_equals_the_migrated_database(owner_dsn):
    assert SCHEMA.read_text() == dump(owner_dsn), "run `make schema`"


def test_schema_sql_loads_with_psql_into_an_empty_database(server, empty_dsn):
    psql = [
        str(find_programs() / "psql"),
        "--no-psqlrc",
        "--quiet",
        "--set=ON_ERROR_STOP=1",
        f"--file={SCHEMA}",
        empty_dsn,
    ]

    loaded = subprocess.run(psql, capture_output=True, text=True, check=False)

    assert (0, "") == (loaded.returncode, loaded.stderr)
    assert SCHEMA.read_text() == dump(empty_dsn)


def test_every_table_says_what_it_is_and_who_owns_it(owner_dsn):
    with psycopg.connect(owner_dsn) as owner:
        said = owner.execute(
            "SELECT c.oid::regclass::text, obj_description(c.oid) FROM pg_class c "
            "WHERE c.relnamespace::regnamespace::text IN ('postroom', 'bo_airflow', 'padealing') "
            "AND c.relkind IN ('r', 'p', 'v') AND NOT c.relispartition"
        ).fetchall()
    owners = {"db", "engine", "reads", *(path.name for path in (SOURCE / "rooms").iterdir() if path.is_dir())}
    named = re.compile(rf"\w.*\. Owned by ({'|'.join(owners)})( and ({'|'.join(owners)}))?\.")

    assert [] == [table for table, comment in said if not comment or not named.fullmatch(comment)]


@pytest.mark.parametrize(("where", "text"), named_queries(), ids=lambda value: value if ":" in value[:80] else "")
def test_every_named_query_is_understood_by_postgresql(server, where, text):
    names: list[str] = []

    def numbered(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    statement = re.sub(r"%\((\w+)\)s", numbered, text).replace("%%", "%")
    with psycopg.connect(server.dsn("postroom_template")) as connection:
        prepared = "" if "\nDISCARD " in statement else "PREPARE q AS "  # that one cannot be prepared, so it is run
        connection.execute(f"{prepared}{statement}".encode())
        connection.rollback()


def test_every_tenant_table_has_row_level_security_forced(owner_dsn):
    with psycopg.connect(owner_dsn) as owner:
        for schema, table in tables(owner_dsn):
            if schema == "postroom" and table in HOUSE_TABLES:
                continue
            enabled, forced = owner.execute(
                "SELECT relrowsecurity, relforcerowsecurity FROM pg_class WHERE oid = %s::regclass",
                [f"{schema}.{table}"],
            ).fetchone()
            assert (table, True, True) == (table, enabled, forced)
            columns = owner.execute(
                "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0", [f"{schema}.{table}"]
            ).fetchall()
            if f"{schema}.{table}" != SHARED_LEDGER:
                assert ("tenant_id",) in columns, f"{table} carries no tenant"


def test_the_runtime_roles_can_neither_log_in_nor_bypass_nor_own(owner_dsn):
    with psycopg.connect(owner_dsn) as owner:
        for role in ("postroom_app", "postroom_desk"):
            assert (False, False, False) == owner.execute(
                "SELECT rolcanlogin, rolbypassrls, rolsuper FROM pg_roles WHERE rolname = %s", [role]
            ).fetchone()
            assert (
                [] == owner.execute("SELECT relname FROM pg_class WHERE relowner = %s::regrole::oid", [role]).fetchall()
            )


def test_without_a_tenant_the_runtime_role_sees_nothing(dsn, owner_dsn):
    from makers import make_tenant

    make_tenant(owner_dsn)
    with psycopg.connect(dsn, options="-c role=postroom_app") as nobody:
        assert [] == nobody.execute("SELECT * FROM postroom.tenant").fetchall()


def test_the_front_desk_reaches_only_what_was_opened_to_it(owner_dsn):
    """A new table opened to it must be added here on purpose."""
    with psycopg.connect(owner_dsn) as owner:
        opened = owner.execute(
            "SELECT DISTINCT tablename FROM pg_policies WHERE policyname = 'front_desk' ORDER BY 1"
        ).fetchall()
    assert {name for (name,) in opened} >= {"tenant", "person", "api_key", "job", "attempt", "fact", "mailbox"}
    assert not {name for (name,) in opened} & {"message", "thread", "mailbox_token", "document", "trade", "disposition"}


def test_migrating_twice_changes_nothing(owner_dsn):
    assert [] == migrate(owner_dsn)


def test_many_who_migrate_at_once_apply_each_migration_once(server):
    import threading

    name = "many_at_once"
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    applied: list[list[str]] = []
    threads = [threading.Thread(target=lambda: applied.append(migrate(server.dsn(name)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")

    assert [migration.name for migration in migrations()] == [name for names in applied for name in names]


def test_an_edited_migration_is_refused(owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("UPDATE postroom.migration SET checksum = 'other' WHERE number = 1")

    with pytest.raises(Misconfigured, match="differs from the one this database was made with"):
        migrate(owner_dsn)


def test_the_migration_lock_is_let_go_of(owner_dsn):
    migrate(owner_dsn)
    with psycopg.connect(owner_dsn) as owner:
        assert (True,) == owner.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone()


def test_a_role_without_rights_is_told_to_run_migrate_as_the_owner(server, owner_dsn):
    from postroom.db.migrate import bring_up_to_date

    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("DELETE FROM postroom.migration WHERE number = 2")

    with pytest.raises(Misconfigured, match="Run `postroom migrate` once with the owner's"):
        bring_up_to_date(owner_dsn.replace("user=postgres", "user=postroom"))


async def test_after_a_restore_into_a_younger_server_new_facts_still_come_last(db, waker, owner_dsn):
    """The transaction numbers of a restored copy start low; facts of the old server carry high ones."""
    from datetime import UTC, datetime

    from makers import CHAIN_KEYS, make_tenant, settle
    from postroom.engine import audit_chain as seals
    from postroom.engine.work import TenantScope
    from postroom.nouns.facts import Counted

    tenant = make_tenant(owner_dsn)
    scope = TenantScope(db, waker, lambda fact: [], tenant, "test", lambda: datetime.now(UTC))
    async with scope.finish() as tx:
        await scope.tell(tx, Counted(number=1))
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        owner.execute("SET session_replication_role = replica")
        owner.execute("UPDATE postroom.fact SET xid = xid + 1000000")
    migrate(owner_dsn)
    await settle(owner_dsn)
    await seals.seal(db, CHAIN_KEYS, tenant, datetime.now(UTC))
    async with scope.finish() as tx:
        await scope.tell(tx, Counted(number=2))
    await settle(owner_dsn)
    await seals.seal(db, CHAIN_KEYS, tenant, datetime.now(UTC))

    report = await seals.verify(db, CHAIN_KEYS, tenant)
    assert ([], 2, 0) == (report.problems, report.facts, report.unsealed)


def test_an_owner_without_superuser_rights_can_migrate_and_run(server):
    from postroom.db.migrate import is_up_to_date

    with psycopg.connect(server.dsn(), autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS plain_owner")
        connection.execute("CREATE ROLE plain_owner LOGIN CREATEROLE CREATEDB")
        connection.execute("GRANT postroom_app, postroom_desk TO plain_owner WITH ADMIN TRUE, SET FALSE, INHERIT FALSE")
        connection.execute("CREATE DATABASE plain_house OWNER plain_owner")
    try:
        with psycopg.connect(server.dsn("plain_house"), autocommit=True) as connection:
            connection.execute("SET SESSION AUTHORIZATION plain_owner")
            from postroom.db import migrate as module

            module._make_roles(connection, None)
            assert [migration.name for migration in migrations()] == module._apply(connection, migrations())
            connection.execute("SET ROLE postroom_desk")
        assert is_up_to_date(server.dsn("plain_house"))
    finally:
        with psycopg.connect(server.dsn(), autocommit=True) as connection:
            connection.execute("DROP DATABASE plain_house WITH (FORCE)")
            connection.execute("DROP ROLE plain_owner")
