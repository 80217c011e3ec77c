"""A release's migrations never change again, and its data survive the way to today's schema and beyond."""

from __future__ import annotations

import re
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from house.sampling import orphans, tables
from postroom.db.dump import dump
from postroom.db.migrate import Migration, migrate, migrations

ROOT = Path(__file__).parents[2]
RELEASES = Path(__file__).parent / "releases"
NEXT_STEP = migrations(RELEASES)
_RELEASED = re.compile(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", re.MULTILINE)  # a heading with its day


def released() -> list[str]:
    return _RELEASED.findall((ROOT / "CHANGELOG.md").read_text("utf-8"))


def frozen(version: str) -> dict[str, str]:
    """The checksums that a release was made with: name → checksum, as `make freeze` noted them."""
    lines = (RELEASES / f"{version}.sums").read_text("utf-8").splitlines()
    return {name: checksum for checksum, name in (line.split() for line in lines)}


def changed(sums: dict[str, str], steps: list[Migration]) -> list[str]:
    """Steps of a release that are not what they were, or not there any more."""
    here = {step.name: step.checksum for step in steps}
    return [name for name, checksum in sums.items() if here.get(name) != checksum]


def steps_of(version: str) -> list[Migration]:
    """The schema that a stored release was made with; of one that is not out yet, today's."""
    if not (RELEASES / f"{version}.sums").exists():
        return migrations()
    return [step for step in migrations() if step.name in frozen(version)]


def stored() -> list[str]:
    return sorted(path.stem for path in RELEASES.glob("[0-9]*.sql") if path.stem[0] != "9")


def test_migrations_of_a_release_are_frozen():
    assert {} == {version: broken for version in released() if (broken := changed(frozen(version), migrations()))}


def test_a_release_keeps_its_data_for_the_upgrade():
    assert set(released()) <= set(stored())


def test_an_edited_or_missing_step_of_a_release_is_noticed():
    first, *rest = migrations()
    sums = {step.name: step.checksum for step in migrations()}

    assert [] == changed(sums, migrations())
    assert [first.name] == changed(sums, [Migration(first.number, first.name, first.text + " "), *rest])
    assert [first.name] == changed(sums, rest)


def prepared(dsn: str, version: str) -> None:
    """A database as that release left it."""
    migrate(dsn, steps=steps_of(version))
    with psycopg.connect(dsn, autocommit=True) as owner:
        owner.execute((RELEASES / f"{version}.sql").read_bytes())


def counted(owner: psycopg.Connection) -> dict[str, int]:
    return {
        table: owner.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(*table.split(".")))).fetchone()[0]
        for table in tables(owner)
    }


@pytest.mark.parametrize("version", stored())
def test_a_release_keeps_rows_of_every_table(version, empty_dsn):
    prepared(empty_dsn, version)

    with psycopg.connect(empty_dsn) as owner:
        assert [] == [table for table, rows in counted(owner).items() if not rows]
        assert [] == orphans(owner)


@pytest.mark.parametrize("version", stored())
def test_no_row_of_a_release_is_lost_on_the_way(version, empty_dsn):
    prepared(empty_dsn, version)
    with psycopg.connect(empty_dsn) as owner:
        before = counted(owner)

    migrate(empty_dsn, steps=[*migrations(), *NEXT_STEP])

    with psycopg.connect(empty_dsn) as owner:
        after = counted(owner)
        assert before == {table: after.get(table) for table in before}
        assert [] == orphans(owner)


@pytest.mark.parametrize("version", stored())
def test_data_of_a_release_come_along_to_todays_schema(version, empty_dsn, owner_dsn):
    prepared(empty_dsn, version)

    migrate(empty_dsn)

    assert dump(owner_dsn) == dump(empty_dsn)
    with psycopg.connect(empty_dsn) as owner:
        held = owner.execute("SELECT provider_message_id FROM postroom.message ORDER BY received_at").fetchall()
        assert ("AAMk1",) == held[0]
        assert [("later",), ("parked",), ("quarantined",), ("ready",)] == owner.execute(
            "SELECT state FROM postroom.job ORDER BY state"
        ).fetchall()


@pytest.mark.parametrize("version", stored())
def test_data_of_a_release_survive_a_further_step(version, empty_dsn):
    prepared(empty_dsn, version)

    applied = migrate(empty_dsn, steps=[*migrations(), *NEXT_STEP])

    assert ["9999_expand_next"] == [name for name in applied if name not in {step.name for step in migrations()}]
    with psycopg.connect(empty_dsn) as owner:
        asked = owner.execute("SELECT state, asked_for_by FROM postroom.job ORDER BY state").fetchall()
    assert [("later", "nobody"), ("parked", "nobody"), ("quarantined", "somebody"), ("ready", "nobody")] == asked
