"""What is let go of."""

from __future__ import annotations

from datetime import datetime

from postroom.nouns.facts.base import SilentFact


class Forgotten(SilentFact, frozen=True, kw_only=True):
    """Things older than the tenant wants them kept are gone; what is told here of them is all that stays."""

    kind = "tenant.forgotten"
    what: str
    count: int
    before: datetime
