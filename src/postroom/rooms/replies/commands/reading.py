"""Drafts as people find them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.nouns.errors import NotFound
from postroom.rooms.replies.store import drafts
from postroom.rooms.replies.store.drafts import DraftRow


async def list_drafts(
    scope: TenantScope,
    most: int,
    before: tuple[datetime, UUID] | None = None,
    *,
    thread_id: UUID | None = None,
    status: str | None = None,
    changed: bool = False,
) -> Sequence[DraftRow]:
    """Newest first. `changed`: only those that people made something else of, as examples."""
    async with scope.read() as tx:
        found = await drafts.drafts(tx, most, before, thread_id=thread_id, status=status, changed=changed)
        return await drafts.with_outdated(tx, found, scope.now.date())


async def one_draft(scope: TenantScope, draft_id: UUID) -> DraftRow:
    async with scope.read() as tx:
        found = await drafts.with_outdated(tx, await drafts.drafts(tx, 1, draft_id=draft_id), scope.now.date())
    if not found:
        raise NotFound(f"There is no draft {draft_id}.")
    return found[0]
