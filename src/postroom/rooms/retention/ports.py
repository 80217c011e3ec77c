"""What retention asks of the rooms, and of the archive."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from postroom.db.pool import Tx
from postroom.nouns.ids import TenantId
from postroom.nouns.retention import ForgottenBatch


class Forgets(Protocol):
    """A room's way of forgetting one kind of thing, at most so many at a time, within the caller's transaction."""

    async def __call__(
        self, tx: Tx, tenant_id: TenantId, before: datetime, now: datetime, most: int
    ) -> ForgottenBatch: ...


class RemovesFiles(Protocol):
    async def remove(self, key: str) -> None: ...


class RetentionPorts(Protocol):
    """What the job of this room finds in `work.outside`."""

    @property
    def archive(self) -> RemovesFiles: ...
