"""Databases for tests: made once from a migrated template, and handed on when a test left nothing but rows behind.

Making one costs more than most tests do. So what a test wrote is deleted, and the next test takes the same database. One
whose tables, functions or policies were changed, that grew large, or whose own rows (`house`, `migration`) differ, is
dropped instead, and one that a program might still know gets another name. The owner's connection to each is kept as well
(`as_owner`): opening one costs more than most questions.
"""

from __future__ import annotations

import contextlib
import select
import time
import uuid
from typing import TYPE_CHECKING, Any

import psycopg

import warm_connections

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postroom.db.embedded import EmbeddedServer

TEMPLATE = "postroom_template"
LARGEST_BYTES = 28_000_000  # pages that stay behind would show in tests that count them
KEPT_AT_MOST = 3

# DDL leaves rows in the catalogue that are younger than the template, or takes some away.
FINGERPRINT = """
SELECT (SELECT ROW (count(*), min(age(xmin)) < template.age) FROM pg_class),
       (SELECT ROW (count(*), min(age(xmin)) < template.age) FROM pg_attribute),
       (SELECT ROW (count(*), min(age(xmin)) < template.age) FROM pg_proc),
       (SELECT ROW (count(*), min(age(xmin)) < template.age) FROM pg_trigger),
       (SELECT ROW (count(*), min(age(xmin)) < template.age) FROM pg_policy),
       (SELECT ROW (count(*), min(age(xmin)) < template.age) FROM pg_constraint),
       (SELECT array_agg(nspname || coalesce(nspacl::text, '') ORDER BY nspname) FROM pg_namespace WHERE nspname NOT LIKE 'pg_%%'),
       (SELECT array_agg(setrole || setconfig::text) FROM pg_db_role_setting
         WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())),
       (SELECT array_agg(h::text) FROM postroom.house h),
       (SELECT array_agg(number || checksum ORDER BY number) FROM postroom.migration)
  FROM (SELECT age(xmin) FROM pg_database WHERE datname = %s) template
"""
CUT_OFF = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
LEFT = """
SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND pid <> ALL (%s)
"""
GOING_SECONDS = (0, 0.005, 0.01, 0.02, 0.05)
GROWN = """
SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
 WHERE relnamespace::regnamespace::text IN ('postroom', 'bo_airflow', 'padealing') AND relkind = 'r' AND pg_relation_size(oid) > 0
"""
# As a replica: no trigger refuses it, no foreign key orders it. A table without a page never held a row.
EMPTY = """
DO $$
DECLARE place regclass;
BEGIN
    SET LOCAL session_replication_role = replica;
    FOR place IN SELECT c.oid FROM pg_class c
                  WHERE c.relnamespace::regnamespace::text IN ('postroom', 'bo_airflow', 'padealing')
                    AND c.relkind = 'r' AND c.relname NOT IN ('house', 'migration') AND pg_relation_size(c.oid) > 0
    LOOP
        EXECUTE format('DELETE FROM ONLY %s', place);
    END LOOP;
    PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
       FROM pg_sequences WHERE last_value IS NOT NULL;
END $$
"""
_KEPT: dict[str, psycopg.Connection | None] = {}  # of the databases that are lent or ready to be


@contextlib.contextmanager
def as_owner(dsn: str) -> Iterator[psycopg.Connection]:
    """The owner's connection, each statement a transaction: the kept one of a lent database, a new one of any other."""
    if dsn not in _KEPT:
        with psycopg.connect(dsn, autocommit=True) as owner:
            yield owner
        return
    kept = _KEPT[dsn]
    if kept is None or kept.closed or _was_cut_off(kept):
        kept = _KEPT[dsn] = psycopg.connect(dsn, autocommit=True, prepare_threshold=None)
    yield kept


def _was_cut_off(connection: psycopg.Connection) -> bool:
    """Whether the server said goodbye: it sends nothing else to one who asked nothing."""
    if not select.select([connection.fileno()], [], [], 0)[0]:
        return False
    connection.close()
    return True


def _is_alone(owner: psycopg.Connection) -> bool:
    """Whether nobody else is connected, but for connections that wait for the next test: who is going gets a moment, who stays is cut off.

    Waited for: one that is cut off in the middle of a commit would write after the rows were deleted.
    """
    waiting = [warm_connections.pids(owner.info.dbname)]
    for seconds in GOING_SECONDS:
        time.sleep(seconds)
        if owner.execute(LEFT, waiting).fetchone() == (0,):
            return True
    warm_connections.let_go(owner.info.dbname)
    owner.execute(CUT_OFF)
    return owner.execute(LEFT, [[]]).fetchone() == (0,)


class DatabasePool:
    """The databases of one test process."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._server, self._clean = server, list[str]()
        self._fingerprint: tuple[Any, ...] | None = None

    @contextlib.contextmanager
    def lend(self, *, renamed: bool) -> Iterator[str]:
        """A migrated database with no rows in it. With `renamed`, who outlives the test finds it no more."""
        name = self._clean.pop() if self._clean else self._make()
        try:
            yield name
        finally:
            if renamed:
                name = self._rename(name)
            if len(self._clean) < KEPT_AT_MOST and self._emptied(name):
                self._clean.append(name)
            else:
                self._let_go(name)
                self._run(f"DROP DATABASE {name} WITH (FORCE)")

    def close(self) -> None:
        for name in self._clean:
            self._let_go(name)

    def _make(self) -> str:
        name = f"t_{uuid.uuid4().hex}"
        self._run(f"CREATE DATABASE {name} TEMPLATE {TEMPLATE} STRATEGY FILE_COPY")
        _KEPT[self._server.dsn(name)] = None
        if self._fingerprint is None:
            with as_owner(self._server.dsn(name)) as owner:
                self._fingerprint = self._seen(owner)
        return name

    def _rename(self, name: str) -> str:
        new = f"t_{uuid.uuid4().hex}"
        self._let_go(name)
        self._run(CUT_OFF.replace("current_database()", f"'{name}'"))
        self._run(f"ALTER DATABASE {name} RENAME TO {new}")
        _KEPT[self._server.dsn(new)] = None
        return new

    def _let_go(self, name: str) -> None:
        warm_connections.let_go(name)
        if kept := _KEPT.pop(self._server.dsn(name), None):
            kept.close()

    def _emptied(self, name: str) -> bool:
        """Whether it is as good as new."""
        try:
            with as_owner(self._server.dsn(name)) as owner:
                owner.rollback()
                owner.execute("DISCARD ALL")
                if not _is_alone(owner):
                    return False  # on a busy machine one may outlive the wait
                size = owner.execute(GROWN).fetchone()
                if size is None or size[0] > LARGEST_BYTES or self._seen(owner) != self._fingerprint:
                    return False
                owner.execute(EMPTY)
        except psycopg.OperationalError:  # somebody dropped it, or cut us off
            return False
        return True

    @staticmethod
    def _seen(owner: psycopg.Connection) -> tuple[Any, ...] | None:
        return owner.execute(FINGERPRINT, [TEMPLATE]).fetchone()

    def _run(self, statement: str) -> None:
        with psycopg.connect(self._server.dsn(), autocommit=True) as connection:
            connection.execute(statement.encode())
