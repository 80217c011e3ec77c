"""Bytes on their way from one job to the next, kept in memory while no other worker could take that job."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from postroom.nouns.ids import TenantId

MOST_BYTES = 32 * 1024 * 1024
PAYLOADS_LAST = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class Payload:
    """Bytes on their way to the job of this kind and key."""

    kind: str
    key: str
    content: bytes


@dataclass(frozen=True, slots=True)
class _Kept:
    content: bytes
    till: float


class PayloadsInMemory:
    """Of a worker that is alone. Nothing depends on it: whoever finds none gets the bytes anew."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.alone = False  # until the database says so
        self._clock, self._size = clock, 0
        self._kept: dict[tuple[TenantId, str, str], _Kept] = {}

    def keep(self, tenant_id: TenantId, payload: Payload) -> bool:
        """Whether it is kept here; else it travels in the database."""
        if not self.alone or self._size + len(payload.content) > MOST_BYTES:
            return False
        self.drop(tenant_id, payload.kind, payload.key)
        self._kept[tenant_id, payload.kind, payload.key] = _Kept(
            payload.content, self._clock() + PAYLOADS_LAST.total_seconds()
        )
        self._size += len(payload.content)
        return True

    def get(self, tenant_id: TenantId, kind: str, key: str | None) -> bytes | None:
        kept = self._kept.get((tenant_id, kind, key or ""))
        return kept.content if kept else None

    def drop(self, tenant_id: TenantId, kind: str, key: str | None) -> None:
        if kept := self._kept.pop((tenant_id, kind, key or ""), None):
            self._size -= len(kept.content)

    def drop_old(self) -> None:
        """What nobody came for."""
        now = self._clock()
        for place in [place for place, kept in self._kept.items() if kept.till <= now]:
            self.drop(*place)
