"""Prometheus counters of what facts count as, by mailbox: raised after the commit that told them."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from prometheus_client import Counter, Histogram

from postroom.nouns.figures import PROVIDER_ERRORS, counts_as

MAIL = Counter("postroom_mail", "What became of mail, counted from facts", ["mailbox", "what"])
TIME_TO_DRAFT = Histogram(
    "postroom_time_to_draft_seconds",
    "From the provider's receipt of a message to its draft",
    ["mailbox"],
    buckets=(1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3600, 14400, 86400),
)
TRIES = Counter(
    "postroom_tries", "Tries of jobs about a mailbox, and those that its provider failed", ["mailbox", "what"]
)
_tries = functools.cache(TRIES.labels)
_mail, _drafted = functools.cache(MAIL.labels), functools.cache(TIME_TO_DRAFT.labels)


def count_told(rows: Iterable[Mapping[str, Any]]) -> None:
    for row in rows:
        for what in counts_as(row["kind"], row["body"]):
            _mail(row["mailbox_id"] or "", what).inc()
            if what == "drafted" and (since := row["body"].get("received_at")):
                took = datetime.fromisoformat(row["told_at"]) - datetime.fromisoformat(since)
                _drafted(row["mailbox_id"] or "").observe(max(0.0, took.total_seconds()))


def count_try(mailbox_id: str | None, error_code: str = "") -> None:
    """A try of a job; `error_code` when it did not work."""
    if mailbox_id:
        _tries(mailbox_id, "all").inc()
        if error_code in PROVIDER_ERRORS:
            _tries(mailbox_id, "provider_error").inc()
