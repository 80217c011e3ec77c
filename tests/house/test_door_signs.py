"""The door signs, held against the SQL: a room reads any table, and writes only those that its sign says it owns."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

import psycopg
import pytest

import postroom
from postroom.db.sql import split

SOURCE = Path(postroom.__file__).parent
PLACES = {"engine": SOURCE / "engine"} | {
    path.name: path for path in sorted((SOURCE / "rooms").iterdir()) if (path / "__init__.py").is_file()
}
# Sealing anew with another key reaches whatever was sealed, whoever owns it (`postroom keys rotate`).
RESEALED = {"mailbox_token", "consent", "pdf_password", "idempotency", "webhook"}
WRITTEN = re.compile(
    r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO)\s+(?:ONLY\s+)?(?:postroom|padealing|bo_airflow)\.(\w+)",
    re.I,
)


def owns(place: Path) -> set[str]:
    sign = ast.get_docstring(ast.parse((place / "__init__.py").read_text())) or ""
    said = re.search(r"^Owns:(.*?)(?:^\S|^$|\Z)", sign, re.MULTILINE | re.DOTALL)
    listed = re.sub(r"\(.*?\)", "", said[1], flags=re.DOTALL).replace(".", "") if said else ""
    return {name.strip() for name in listed.split(",") if name.strip() and not name.strip().startswith("nothing")}


def written(folder: Path) -> dict[str, set[str]]:
    """Table → the queries that write it, in every `.sql` below a folder."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in folder.rglob("*.sql"):
        for query in split(text, file.name) if "-- name:" in (text := file.read_text()) else ():
            for table in WRITTEN.findall(re.sub(r"--.*", "", query.text)):
                found[table.lower()].add(f"{file.relative_to(SOURCE)}:{query.name}")
    return found


@pytest.mark.parametrize("place", PLACES)
def test_a_room_writes_only_what_its_sign_says_it_owns(place):
    others = {table: by for table, by in written(PLACES[place]).items() if table not in owns(PLACES[place])}

    assert {} == others


def test_nobody_else_writes_but_to_seal_anew():
    assert set(written(SOURCE / "chores")) == RESEALED
    assert {} == written(SOURCE / "reads")
    assert {} == written(SOURCE / "doors")


def test_the_signs_and_the_schema_name_the_same_owners(server):
    with psycopg.connect(server.dsn("postroom_template")) as connection:
        said = connection.execute(
            "SELECT c.relname, obj_description(c.oid) FROM pg_class c "
            "WHERE c.relnamespace::regnamespace::text IN ('postroom', 'padealing') AND c.relkind IN ('r', 'p') "
            "AND NOT c.relispartition"
        ).fetchall()
    by_schema = {
        table: set(re.split(r", | and ", re.search(r"Owned by ([\w, ]+)\.", comment)[1]))
        for table, comment in said
        if "Owned by db." not in comment
    }
    by_sign: dict[str, set[str]] = defaultdict(set)
    for name, place in PLACES.items():
        for table in owns(place):
            by_sign[table].add(name)

    assert by_schema == by_sign
