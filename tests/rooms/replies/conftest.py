"""The service desk where the copilot writes drafts, with a small library."""

from __future__ import annotations

import pytest

from rooms.replies.drafting_desk import HOUSE_RULES, DraftingDesk, open_drafting_desk


@pytest.fixture
async def drafting(db, waker, owner_dsn) -> DraftingDesk:
    made = open_drafting_desk(db, waker, owner_dsn)
    await made.syncs()
    await made.syncs()
    await made.knows("house-rules.md", HOUSE_RULES)
    return made
