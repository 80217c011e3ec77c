"""The desk that sends, with sending switched on and no undo delay."""

from __future__ import annotations

import pytest

from rooms.outbox.sending_desk import SendingDesk, open_sending_desk


@pytest.fixture
async def desk(db, waker, owner_dsn) -> SendingDesk:
    made = await open_sending_desk(db, waker, owner_dsn)
    await made.allows()
    return made
