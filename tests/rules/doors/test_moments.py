"""Times from outside become UTC, or are refused."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from postroom.nouns.moments import in_utc


def test_a_time_is_taken_to_utc():
    assert datetime(2026, 1, 1, 11, tzinfo=UTC) == in_utc(datetime.fromisoformat("2026-01-01T12:00:00+01:00"))


@pytest.mark.parametrize("text", ["2026-01-01T12:00:00", "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"])
def test_a_time_without_a_zone_or_out_of_range_is_refused(text):
    with pytest.raises(ValueError, match="time"):
        in_utc(datetime.fromisoformat(text))
