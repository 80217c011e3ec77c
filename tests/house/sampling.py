"""Rows of every table of a living house, as SQL: what a release keeps for the upgrade tests of those to come.

At a release, with a demo that was used a little (`postroom demo --keep`):

    .venv/bin/python tests/house/sampling.py "host=$POSTROOM_HOME/postgres/run user=postgres" > rows.sql
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import psycopg
from psycopg import sql

SCHEMAS = ["postroom", "padealing", "bo_airflow"]
OWN = {"postroom.migration", "postroom.house"}  # what a database says of itself
TABLES = """
    SELECT c.oid::regclass::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY (%s) AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1"""
COLUMNS = """
    SELECT attname FROM pg_attribute
     WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' ORDER BY attnum"""
PARENTS = """
    SELECT k.confrelid::regclass::text,
           ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY AS u (n, o)
                   JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n ORDER BY u.o),
           ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY AS u (n, o)
                   JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n ORDER BY u.o)
      FROM pg_constraint k WHERE k.contype = 'f' AND k.conparentid = 0 AND k.conrelid = %s::regclass"""


def tables(db: psycopg.Connection[Any]) -> list[str]:
    return [name for (name,) in db.execute(TABLES, [SCHEMAS]).fetchall() if name not in OWN]


def orphans(db: psycopg.Connection[Any]) -> list[str]:
    """Foreign keys that lead nowhere: rows were loaded without their being checked."""
    return [
        f"{table} → {parent}"
        for table in tables(db)
        for parent, ours, theirs in db.execute(PARENTS, [table]).fetchall()
        if db.execute(_orphan(table, parent, ours, theirs)).fetchone()
    ]


def _orphan(table: str, parent: str, ours: list[str], theirs: list[str]) -> sql.Composed:
    same = sql.SQL(" AND ").join(
        sql.SQL("p.{} = c.{}").format(sql.Identifier(b), sql.Identifier(a)) for a, b in zip(ours, theirs, strict=True)
    )
    whole = sql.SQL(" AND ").join(sql.SQL("c.{} IS NOT NULL").format(sql.Identifier(a)) for a in ours)
    question = sql.SQL("SELECT 1 FROM {} c WHERE {} AND NOT EXISTS (SELECT FROM {} p WHERE {}) LIMIT 1")
    return question.format(_name(table), whole, _name(parent), same)


def _name(table: str) -> sql.Identifier:
    return sql.Identifier(*table.split("."))


class Sample:
    """The smallest row of each table, and every row that those lean on."""

    def __init__(self, db: psycopg.Connection[Any]) -> None:
        self.db = db
        self.rows: dict[str, dict[str, dict[str, str | None]]] = {name: {} for name in tables(db)}

    def take(self) -> None:
        for table in self.rows:
            if not self.rows[table]:
                self._add(table, sql.SQL("TRUE"))

    def _add(self, table: str, where: sql.Composable) -> None:
        columns = [name for (name,) in self.db.execute(COLUMNS, [table]).fetchall()]
        listed = sql.SQL(", ").join(sql.SQL("t.{}::text").format(sql.Identifier(name)) for name in columns)
        question = sql.SQL("SELECT {}, t::text FROM {} t WHERE {} ORDER BY length(t::text), t::text LIMIT 1")
        found = self.db.execute(question.format(listed, _name(table), where)).fetchone()
        if found is None or found[-1] in self.rows[table]:
            return
        row = dict(zip(columns, found[:-1], strict=True))
        self.rows[table][found[-1]] = row
        for parent, ours, theirs in self.db.execute(PARENTS, [table]).fetchall():
            if all(row[name] is not None for name in ours):
                same = [
                    sql.SQL("t.{}::text = {}").format(sql.Identifier(b), sql.Literal(row[a]))
                    for a, b in zip(ours, theirs, strict=True)
                ]
                self._add(parent, sql.SQL(" AND ").join(same))

    def statements(self) -> Iterator[str]:
        for table, rows in self.rows.items():
            for row in rows.values():
                values = ", ".join(sql.Literal(value).as_string(self.db) for value in row.values())
                names = ", ".join(sql.Identifier(name).as_string(self.db) for name in row)
                yield f"INSERT INTO {table} ({names}) OVERRIDING SYSTEM VALUE VALUES\n    ({values});\n"


def main() -> None:
    with psycopg.connect(sys.argv[1]) as db:
        db.execute("SET TIME ZONE 'UTC'")
        sample = Sample(db)
        sample.take()
        empty = [table for table, rows in sample.rows.items() if not rows]
        sys.stdout.write("\n".join(sample.statements()))
        sys.stderr.write(f"Nothing in {', '.join(empty) or 'no table'}: write these rows by hand.\n")


if __name__ == "__main__":
    main()
