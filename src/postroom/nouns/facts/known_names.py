"""What other tools call some of our facts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KNOWN_AS: Mapping[str, str] = {
    "mapping.confirmed": "email_mapping_confirmed",
    "mapping.ignored": "email_marked_ignored",
    "attempt.manual_retry_requested": "email_ingestion_manual_retry_requested",
    "attempt.manual_retry_success": "email_ingestion_manual_retry_success",
    "attempt.manual_retry_failed": "email_ingestion_manual_retry_failed",
}


def known_as(kind: str, body: Mapping[str, Any]) -> str | None:
    """The name that others know a fact by, if they know it at all."""
    if kind == "attempt.failed":
        return "email_ingestion_retry" if body.get("outcome") in ("retry", "throttled") else None
    return KNOWN_AS.get(kind)
