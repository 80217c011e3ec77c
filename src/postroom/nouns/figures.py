"""Figures of the copilot: which facts each counts, and what each rate is of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

Figure = Literal[
    "received", "triaged", "draftable", "drafted", "sensitive", "runs", "retried", "sent", "edited", "discarded"
]
FIGURES: tuple[Figure, ...] = get_args(Figure)
PROVIDER_ERRORS = ("rate_limited", "provider_unavailable", "provider_timeout", "auth_revoked", "permission_denied")
RETRIED = ("retry", "throttled")

# Fact kind → what it counts as. A room whose facts count adds a line.
COUNTED: Mapping[str, Sequence[Figure]] = {
    "mail.message.received": ("received",),
    "thread.triaged": ("triaged",),
    "mail.flagged.sensitive": ("sensitive",),
    "mail.draft.created": ("drafted",),
    "mail.processing.completed": ("runs",),
    "attempt.failed": ("runs",),
    "reply.sent": ("sent",),
    "reply.edited": ("edited",),
    "reply.discarded": ("discarded",),
}


def counts_as(kind: str, body: Mapping[str, Any]) -> list[Figure]:
    """What a fact is counted as, told alone from itself."""
    if kind == "attempt.failed":
        if body.get("stage") is None:
            return []
        return ["runs", "retried"] if body.get("outcome") in RETRIED else ["runs"]
    if kind == "thread.triaged":
        if body.get("again"):
            return []
        return ["triaged", "draftable"] if body.get("action") == "draft" else ["triaged"]
    return list(COUNTED.get(kind, ()))


def rate(part: int, whole: int) -> float | None:
    """None when there is nothing that it could be a rate of."""
    return part / whole if whole else None


Z_95 = 1.96


def interval(part: int, whole: int) -> tuple[float, float] | None:
    """Where a share lies with 95 %, by Wilson; None when there is nothing that it could be a share of."""
    if not whole:
        return None
    share, spread = part / whole, Z_95 * Z_95 / whole
    middle = (share + spread / 2) / (1 + spread)
    half = Z_95 / (1 + spread) * ((share * (1 - share) + spread / 4) / whole) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)
