"""The version of what a person looked at: nobody writes over what a colleague changed since."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from postroom.nouns.errors import StaleRevision


def version_of(values: Any) -> str:
    """The same as long as nothing of it changed."""
    return hashlib.sha256(msgspec.json.encode(values, order="deterministic")).hexdigest()[:32]


def require_seen(seen: str | None, held: str, what: str) -> None:
    """Raises StaleRevision when another version was looked at than is held now; with none named, nobody looked."""
    if seen is not None and seen != held:
        raise StaleRevision(f"Somebody changed {what} since you looked: look again, then decide.")
