"""The scores that reading goes by: every weight of every heuristic, by name, in one table."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

Weights = Mapping[str, float]
"""By `section.name`. The unit is a plain label: one that names a value beyond doubt weighs 3."""


@cache
def shipped() -> Weights:
    """The table that comes with the package: set by hand, then fitted by `benchmarks/evals/trades.py --refit`."""
    text = (resources.files(__package__) / "weights.toml").read_text("utf-8")
    return from_table(tomllib.loads(text))


def from_table(table: Mapping[str, Mapping[str, Any]]) -> Weights:
    return {f"{section}.{name}": float(value) for section, named in table.items() for name, value in named.items()}
