"""Sent mail and drafts of a Gmail mailbox: a `ports.OutgoingFollower`, in the same history as what arrives."""

from __future__ import annotations

from postroom.nouns.providers import Cursor
from postroom.nouns.threads import OutgoingChanges
from postroom.outside.gmail import parse
from postroom.outside.gmail.client import GmailClient
from postroom.outside.gmail.history import read_history
from postroom.outside.gmail.parse import HistoryPosition


class GmailOutgoing:
    """With a cursor of its own: reading on here moves nothing there."""

    def __init__(self, client: GmailClient) -> None:
        self._client = client

    async def outgoing(self, since: Cursor | None) -> OutgoingChanges:
        if since is None:
            profile = await self._client.profile()
            return OutgoingChanges([], [], [], HistoryPosition.at(profile["historyId"]).cursor(), more=False)
        at = HistoryPosition.read(since)
        return parse.outgoing(*await read_history(self._client, at))
