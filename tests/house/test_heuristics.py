"""The table of heuristics, held against the code: every number that decides is in it, with its value and its origin."""

from __future__ import annotations

import ast
import importlib
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from house.written import ROOT, SOURCE

PAGE = ROOT / "docs" / "reference" / "heuristics.md"
ROW = re.compile(r"^\| `([\w.]+)\.([A-Z][A-Z0-9_]*)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
FILE = re.compile(r"^\| `([\w/.]+\.(?:toml|tsv))` \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)
# How much is looked at or kept at the most: a bound on work, not a judgement.
BOUND = re.compile(
    r"^(LONGEST|MOST|SHORTEST|FEWEST|LARGEST|SMALLEST|BATCH|AT_ONCE|MANY|MESSAGES_PER|PAGE$|LOOKED_AT$)|_(BYTES|CHARACTERS|AT_ONCE)$"
)


def places() -> list[Path]:
    """Where numbers judge: the rooms' rules and jobs, the mail floor, and what is done after a failure."""
    rooms = [*SOURCE.glob("rooms/*/rules.py"), *SOURCE.glob("rooms/*/rules/**/*.py")]
    rooms += [*SOURCE.glob("rooms/*/jobs.py"), *SOURCE.glob("rooms/*/jobs/*.py"), *SOURCE.glob("mail/*.py")]
    more = ("engine/retry_policy.py", "engine/pipeline.py", "rooms/mailboxes/access.py")
    return sorted([*rooms, *(SOURCE / each for each in more)])


def judges(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(judges(each) for each in value)
    return isinstance(value, int | float | timedelta) and not isinstance(value, bool)


def written(value: Any) -> str:
    """As the page writes it."""
    if isinstance(value, tuple):
        return ", ".join(written(each) for each in value)
    if not isinstance(value, timedelta):
        return f"{value:g}" if isinstance(value, float) else str(value)
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if value.total_seconds() % size == 0:
            return f"{value.total_seconds() / size:g} {unit}"
    return f"{value.total_seconds():g} s"


def in_code() -> dict[tuple[str, str], str]:
    found = {}
    for path in places():
        name = ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")
        for node in ast.parse(path.read_text("utf-8")).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(target, ast.Name) and re.fullmatch(r"[A-Z][A-Z0-9_]*", target.id):
                value = getattr(importlib.import_module(f"postroom.{name}"), target.id)
                if judges(value) and not BOUND.search(target.id):
                    found[name, target.id] = written(value)
    return found


def in_table() -> dict[tuple[str, str], str]:
    return {(module, name): value for module, name, value, *_ in ROW.findall(PAGE.read_text("utf-8"))}


def test_every_number_that_judges_is_in_the_table_with_its_value():
    assert in_code() == in_table()


def test_every_row_says_what_it_decides_and_where_it_comes_from():
    for module, name, _, decides, origin in ROW.findall(PAGE.read_text("utf-8")):
        assert decides.strip(), f"{module}.{name}"
        assert origin.strip(), f"{module}.{name}"


def test_every_file_of_weights_is_named_and_exists():
    named = {path for path, *_ in FILE.findall(PAGE.read_text("utf-8"))}
    fitted = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("weights.toml")}

    assert not [path for path in named if not (SOURCE / path).is_file()]
    assert fitted <= named


@pytest.mark.parametrize(
    ("value", "shown"), [(1.0, "1"), (timedelta(hours=36), "36 h"), ((timedelta(seconds=90), 2), "90 s, 2"), (3, "3")]
)
def test_values_are_written_for_people(value, shown):
    assert shown == written(value)
