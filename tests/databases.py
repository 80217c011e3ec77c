"""Databases for tests: made once from a migrated template, and handed on when a test left nothing but rows behind.

Making one costs more than most tests do. So what a test wrote is deleted, and the next test takes the same database. One
whose tables, functions or policies were changed, that grew large, or whose own rows (`house`, `migration`) differ, is
dropped instead. The owner's connection to each is kept as well (`as_owner`): opening one costs more than most questions.
"""

from __future__ import annotations

import contextlib
import select
import uuid
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postroom.db.embedded import EmbeddedServer

TEMPLATE = "postroom_template"
LARGEST_BYTES = 40_000_000  # of a template of 12 MB; pages that stay behind would show in tests that count them
KEPT_AT_MOST = 3

# What DDL leaves behind: a row of the catalogue that another transaction wrote. Equal in all copies of one template.
FINGERPRINT = """
SELECT md5(string_agg(what, ',' ORDER BY what)) FROM (
    SELECT 'c' || oid || ':' || xmin AS what FROM pg_class WHERE relnamespace = ANY (%(ours)s::regnamespace[])
    UNION ALL SELECT 'a' || attrelid || '.' || attnum || ':' || a.xmin FROM pg_attribute a JOIN pg_class c ON c.oid = attrelid
     WHERE c.relnamespace = ANY (%(ours)s::regnamespace[])
    UNION ALL SELECT 'p' || oid || ':' || xmin FROM pg_proc WHERE pronamespace = ANY (%(ours)s::regnamespace[])
    UNION ALL SELECT 't' || oid || ':' || xmin FROM pg_trigger
    UNION ALL SELECT 'y' || oid || ':' || xmin FROM pg_policy
    UNION ALL SELECT 'k' || oid || ':' || xmin FROM pg_constraint WHERE connamespace = ANY (%(ours)s::regnamespace[])
    UNION ALL SELECT 'n' || nspname || ':' || coalesce(nspacl::text, '') FROM pg_namespace WHERE nspname NOT LIKE 'pg_%%'
    UNION ALL SELECT 's' || setrole || setconfig::text FROM pg_db_role_setting d
     WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
    UNION ALL SELECT 'h' || h::text FROM postroom.house h
    UNION ALL SELECT 'm' || number || checksum FROM postroom.migration
) seen
"""
OURS = ["postroom", "bo_airflow", "padealing"]
# Waited for: one that is cut off in the middle of a commit would write after the rows were deleted.
CUT_OFF = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
LEFT = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
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


class DatabasePool:
    """The databases of one test process."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._server, self._clean = server, list[str]()
        self._fingerprint: str | None = None

    @contextlib.contextmanager
    def lend(self, *, fresh: bool) -> Iterator[str]:
        """A migrated database with no rows in it. A `fresh` one was nobody's before, and will be nobody's after."""
        name = self._clean.pop() if self._clean and not fresh else self._make()
        try:
            yield name
        finally:
            if not fresh and len(self._clean) < KEPT_AT_MOST and self._emptied(name):
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

    def _let_go(self, name: str) -> None:
        if kept := _KEPT.pop(self._server.dsn(name), None):
            kept.close()

    def _emptied(self, name: str) -> bool:
        """Whether it is as good as new."""
        try:
            with as_owner(self._server.dsn(name)) as owner:
                owner.rollback()
                owner.execute("DISCARD ALL")
                owner.execute(CUT_OFF)
                if owner.execute(LEFT).fetchone() != (0,):
                    return False  # on a busy machine one may outlive the wait
                size = owner.execute("SELECT pg_database_size(current_database())").fetchone()
                if size is None or size[0] > LARGEST_BYTES or self._seen(owner) != self._fingerprint:
                    return False
                owner.execute(EMPTY)
        except psycopg.OperationalError:  # somebody dropped it, or cut us off
            return False
        return True

    @staticmethod
    def _seen(owner: psycopg.Connection) -> str:
        found = owner.execute(FINGERPRINT, {"ours": OURS}).fetchone()
        assert found
        return str(found[0])

    def _run(self, statement: str) -> None:
        with psycopg.connect(self._server.dsn(), autocommit=True) as connection:
            connection.execute(statement.encode())
