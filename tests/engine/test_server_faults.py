"""A server that is restarted, killed or away under load; the long run is `python -m benchmarks.faults`."""

from __future__ import annotations

from uuid import uuid4

import pytest
from benchmarks.faults import KINDS, storm


@pytest.mark.long
def test_after_every_kind_of_server_fault_each_effect_is_there_once_and_nobody_waits_for_ever(request):
    place = request.config.postroom_home / f"faults-{uuid4().hex[:8]}"

    outcome = storm(place, faults=len(KINDS), every=0.6, seed=3)

    assert outcome.is_sound, outcome
    assert outcome.jobs > 100
