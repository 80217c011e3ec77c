"""The short chaos run; `make chaos` is the long one."""

from __future__ import annotations

import pytest
from benchmarks.chaos import storm

pytestmark = pytest.mark.programs


@pytest.mark.long
def test_effects_happen_exactly_once_while_workers_are_killed_at_random(owner_dsn, dsn):
    outcome = storm(owner_dsn, dsn, seconds=10, boxes=60, workers=2, seed=7)

    assert outcome.is_sound, outcome
    assert outcome.kills >= 4
    assert outcome.effects > 100
