"""How long a tenant keeps what, in days; nothing said means for ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

Kept = Literal["messages", "attachments", "documents", "archive", "events", "analyses", "drafts", "evidence"]
KEPT: tuple[Kept, ...] = get_args(Kept)
SHORTEST, LONGEST = 30, 36_500  # days: longer than any retry, resync or review; a hundred years
SHORTEST_OF: dict[Kept, int] = {"events": 7}  # a delivery is tried for three days
UNLESS_SAID: dict[Kept, int] = {"events": 30}  # all else is kept for ever


@dataclass(frozen=True, slots=True)
class Retention:
    """Days from the moment a thing came; None keeps it. Facts, and what was booked, are never forgotten."""

    messages: int | None = None  # what a mail says; that it came, and what became of it, stays
    attachments: int | None = None  # files that somebody fetched on demand
    documents: int | None = None  # what was read of a document that is over
    archive: int | None = None  # archived originals
    events: int | None = None  # what webhooks were told, and how that went; None: 30 days
    analyses: int | None = None  # what was concluded about a thread; None: as long as its mail
    drafts: int | None = None  # what a draft that is over said, and the excerpts it stood on
    evidence: int | None = None  # versions of papers that were replaced or retired, and answers that were learned

    def days(self, kind: Kept) -> int | None:
        held: int | None = getattr(self, kind)
        return held

    def days_kept(self, kind: Kept) -> int | None:
        """Also when nothing was said."""
        return self.days(kind) or (self.messages if kind == "analyses" else UNLESS_SAID.get(kind))

    def horizon(self, kind: Kept, now: datetime) -> datetime | None:
        """What came before this moment may be forgotten; None: nothing may."""
        days = self.days_kept(kind)
        return None if days is None else now - timedelta(days=days)

    def as_json(self) -> dict[str, int]:
        """As it stands under `retention` in a tenant's policy."""
        return {name: days for name, days in asdict(self).items() if days is not None}


@dataclass(frozen=True, slots=True)
class ForgottenBatch:
    """What a room let go of: how many things, and the stored files that nothing refers to any more."""

    count: int
    files: Sequence[str] = ()


def bounds_of(kind: Kept) -> tuple[int, int]:
    """How many days it may be kept, from and to."""
    return SHORTEST_OF.get(kind, SHORTEST), LONGEST


def retention_of(policy: Mapping[str, Any]) -> Retention:
    """From a tenant's policy."""
    held = policy.get("retention") or {}
    return Retention(**{each.name: held.get(each.name) for each in fields(Retention)})
