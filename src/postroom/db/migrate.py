"""Forward-only SQL migrations, applied under a lock by whoever comes first."""

from __future__ import annotations

import contextlib
import hashlib
import re
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable

import psycopg
from psycopg import sql

from postroom.db.address import POOLER, parts
from postroom.nouns.errors import Misconfigured, Unavailable

LOCK = 7_120_000
OLDEST_SERVER = 150_000
ROLES = ("postroom_app", "postroom_desk")
_FILE = re.compile(r"^(\d{4})_(expand|contract)_(\w+)\.sql$")


@dataclass(frozen=True, slots=True)
class Migration:
    """One file. Its checksum is kept, so that history cannot change unnoticed."""

    number: int
    name: str
    text: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


def migrations(folder: Traversable | None = None) -> list[Migration]:
    """The steps in their order; ours, unless another folder is named."""
    found = [
        Migration(int(match[1]), file.name.removesuffix(".sql"), file.read_text("utf-8"))
        for file in (folder or resources.files("postroom.db").joinpath("migrations")).iterdir()
        if (match := _FILE.match(file.name))
    ]
    return sorted(found, key=lambda migration: migration.number)


def migrate(dsn: str, login: str | None = None, steps: Sequence[Migration] | None = None) -> list[str]:
    """Bring the database up to date; returns the names of what was applied.

    `login` is a role that may act as the runtime roles besides the one that migrates.
    """
    steps = migrations() if steps is None else steps
    with _connected(dsn) as connection:
        _refuse_old_server(connection)
        _wait_for_lock(connection)
        try:
            _make_roles(connection, login)
            applied = _apply(connection, steps)
            connection.execute("RESET ROLE")
            _keep_order(connection)
            return applied
        finally:
            connection.execute("RESET ROLE")
            connection.execute("SELECT pg_advisory_unlock(%s)", [LOCK])


def is_up_to_date(dsn: str) -> bool:
    """Whether there is nothing to apply; needs no rights but those of the runtime."""
    with _connected(dsn) as connection:
        try:
            connection.execute("SET ROLE postroom_desk")
            return not _missing(_done(connection), migrations())
        except psycopg.errors.InvalidParameterValue:
            return False  # there is no such role yet
        except psycopg.errors.InsufficientPrivilege:
            _refuse_stranger(connection)
            return False  # the roles are of another database on this server


def bring_up_to_date(url: str, *, only_if_behind: bool = False) -> list[str]:
    """Migrate, which needs the owner's rights; seeing that nothing is behind needs none."""
    try:
        return [] if only_if_behind and is_up_to_date(url) else migrate(url)
    except psycopg.errors.InsufficientPrivilege as problem:
        raise Misconfigured(
            f"The database is not up to date and this user may not change it ({problem.diag.message_primary}). "
            "Run `postroom migrate` once with the owner's POSTROOM_DATABASE_URL."
        ) from None
    except psycopg.OperationalError as problem:
        raise Unavailable(
            f"No connection to PostgreSQL: {str(problem).strip()}\n"
            "Check POSTROOM_DATABASE_URL, and that the server runs."
        ) from None


@contextlib.contextmanager
def _connected(dsn: str) -> Iterator[psycopg.Connection]:
    """As the login; refused when a pooler stands between, which would spread what we set over others' sessions."""
    options = f"{parts(dsn).get('options', '')} -c postroom.direct=yes".strip()
    try:
        connection = psycopg.connect(dsn, autocommit=True, options=options)
    except psycopg.OperationalError as problem:
        if "startup parameter" in str(problem):
            raise Misconfigured(f"{POOLER} ({str(problem).strip()})") from None
        raise
    with connection:
        if connection.execute("SELECT current_setting('postroom.direct', true)").fetchone() != ("yes",):
            raise Misconfigured(POOLER)
        yield connection


def _refuse_stranger(connection: psycopg.Connection) -> None:
    """The login may act as the runtime roles, or as an owner could; otherwise say which right is missing."""
    row = connection.execute(
        "SELECT current_user, pg_has_role('postroom_desk', 'MEMBER') AND pg_has_role('postroom_app', 'MEMBER'),"
        " pg_has_role(datdba, 'MEMBER') FROM pg_database WHERE datname = current_database()"
    ).fetchone()
    assert row is not None
    login, runs, owns = row
    if not runs and not owns:
        raise Misconfigured(
            f"The database user {login} may not act for Postroom. Let the owner of the database run "
            f"`postroom migrate`, then `GRANT postroom_app, postroom_desk TO {login};`"
        )


def _refuse_old_server(connection: psycopg.Connection) -> None:
    if connection.info.server_version < OLDEST_SERVER:
        raise Misconfigured(
            f"PostgreSQL {connection.info.server_version // 10_000} is too old: Postroom needs 15 or newer."
        )


def _wait_for_lock(connection: psycopg.Connection) -> None:
    """Polled, since waiting in pg_advisory_lock deadlocks with CREATE INDEX CONCURRENTLY."""
    while True:
        row = connection.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone()
        if row is not None and row[0]:
            return
        time.sleep(0.05)


def _make_roles(connection: psycopg.Connection, login: str | None) -> None:
    """The two runtime roles. Neither owns a table, logs in, or bypasses row-level security."""
    for role in ROLES:
        if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
            continue
        try:
            connection.execute(sql.SQL("CREATE ROLE {} NOLOGIN NOBYPASSRLS").format(sql.Identifier(role)))
        except psycopg.errors.DuplicateObject:
            continue  # another database of the same server came first
        except psycopg.errors.InsufficientPrivilege:
            raise Misconfigured(
                f"The database user may not create the role {role}. Let an administrator run: "
                f"CREATE ROLE {role} NOLOGIN; GRANT {role} TO {connection.info.user};"
            ) from None
    if login is not None:
        with contextlib.suppress(psycopg.errors.DuplicateObject):
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN NOINHERIT").format(sql.Identifier(login)))
    _grant_roles(connection, login)
    _become_owner(connection)


def _grant_roles(connection: psycopg.Connection, login: str | None) -> None:
    """Since 16, being a member is not yet the right to act as the role."""
    right, option = ("SET", " WITH SET TRUE") if connection.info.server_version >= 160_000 else ("MEMBER", "")
    [us] = connection.execute("SELECT session_user").fetchone() or [connection.info.user]
    for role in ROLES:
        for member in filter(None, (us, login)):
            known = connection.execute("SELECT pg_has_role(%s, %s, %s)", [member, role, right]).fetchone()
            if known is not None and not known[0]:
                names = (sql.Identifier(role), sql.Identifier(member))
                connection.execute(sql.SQL("GRANT {} TO {}" + option).format(*names))


def _become_owner(connection: psycopg.Connection) -> None:
    """A superuser's tables would ignore row-level security for their owner's functions: own them as nobody special."""
    row = connection.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    if row is None or not row[0]:
        return
    if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = 'postroom_owner'").fetchone():
        with contextlib.suppress(psycopg.errors.DuplicateObject):
            connection.execute("CREATE ROLE postroom_owner NOLOGIN NOBYPASSRLS")
    database = sql.Identifier(connection.info.dbname)
    connection.execute(sql.SQL("GRANT CREATE, CONNECT ON DATABASE {} TO postroom_owner").format(database))
    connection.execute("SET ROLE postroom_owner")


def _done(connection: psycopg.Connection) -> dict[int, str]:
    if connection.execute("SELECT to_regclass('postroom.migration')").fetchone() == (None,):
        return {}
    return dict(connection.execute("SELECT number, checksum FROM postroom.migration").fetchall())


def _missing(done: dict[int, str], steps: Sequence[Migration]) -> list[Migration]:
    missing = []
    for migration in steps:
        checksum = done.get(migration.number)
        if checksum is None:
            missing.append(migration)
        elif checksum != migration.checksum:
            raise Misconfigured(
                f"Migration {migration.name} differs from the one this database was made with. "
                "Migrations are never edited: install the version that made it, or restore the file."
            )
    return missing


def _apply(connection: psycopg.Connection, steps: Sequence[Migration]) -> list[str]:
    applied = []
    for migration in _missing(_done(connection), steps):
        with connection.transaction():
            connection.execute("SET LOCAL lock_timeout = '10s'; SET LOCAL statement_timeout = '30min'")
            connection.execute(migration.text.encode())
            _note(connection, migration)
        applied.append(migration.name)
    today = "(now() AT TIME ZONE 'UTC')::date"
    connection.execute(f"SELECT postroom.keep_partitions({today}, 100000)".encode())
    return applied


def _note(connection: psycopg.Connection, migration: Migration) -> None:
    connection.execute(
        "CREATE TABLE IF NOT EXISTS postroom.migration "
        "(number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL, "
        "applied_at timestamptz NOT NULL DEFAULT now())"
    )
    connection.execute("COMMENT ON TABLE postroom.migration IS 'What was applied, and when. Owned by db.'")
    connection.execute("GRANT SELECT ON postroom.migration TO postroom_app, postroom_desk")
    connection.execute(
        "INSERT INTO postroom.migration (number, name, checksum) VALUES (%s, %s, %s)",
        [migration.number, migration.name, migration.checksum],
    )


def _keep_order(connection: psycopg.Connection) -> None:
    """After a restore into a younger server, transactions count from a lower number: lift it above the old facts.

    Row-level security hides the facts from all but a superuser; others are told by `audit verify`, and run
    deploy/after-restore.sql once as one.
    """
    connection.execute(
        """
        UPDATE postroom.house h
           SET xid_offset = h.xid_offset + last.xid + 1 - now_xid.xid
          FROM (SELECT greatest((SELECT coalesce(max(upto_xid), 0) FROM postroom.seal),
                                (SELECT coalesce(max(xid) + 1, 0) FROM postroom.fact)) AS xid) last,
               (SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset AS xid
                  FROM postroom.house) now_xid
         WHERE last.xid > now_xid.xid AND (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)
        """
    )


def main() -> None:
    """The checksums of the steps, one a line: what a release is frozen by."""
    sys.stdout.writelines(f"{step.checksum}  {step.name}\n" for step in migrations())


if __name__ == "__main__":
    main()
