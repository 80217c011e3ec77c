"""Reads the history of a Gmail mailbox, page by page."""

from __future__ import annotations

from postroom.nouns.errors import BadRequest
from postroom.outside.gmail import wire
from postroom.outside.gmail.client import GmailClient
from postroom.outside.gmail.parse import HistoryPosition


async def read_history(client: GmailClient, at: HistoryPosition) -> tuple[wire.HistoryPage, HistoryPosition]:
    """The page, and from where it was read: a page's token ends before the history does."""
    try:
        return await client.history(at.start, at.page), at
    except BadRequest:
        if not at.page:
            raise
    at = at.from_first_page()
    return await client.history(at.start, at.page), at
