"""Times from outside, as the database takes them: with their zone, in UTC, and within the years there are."""

from __future__ import annotations

from datetime import UTC, datetime


def in_utc(moment: datetime) -> datetime:
    """Raises ValueError for a time without a zone, or one that is in no year of ours once its zone is taken off."""
    if moment.tzinfo is None:
        raise ValueError("a time needs its zone, such as Z or +01:00")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError("this time is out of range") from None
