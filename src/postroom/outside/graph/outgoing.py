"""Sent Items and Drafts of an Outlook mailbox: a `ports.OutgoingFollower`, with a delta query for each."""

from __future__ import annotations

import asyncio
import json

from postroom.nouns.errors import CursorExpired, Gone
from postroom.nouns.providers import DRAFT, SENT, Changes, Cursor
from postroom.nouns.threads import OutgoingChanges
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.delta import DeltaReader

_SENT, _DRAFTS = frozenset({SENT}), frozenset({DRAFT})


class OutlookOutgoing:
    """The cursor holds both links. Drafts are followed without a filter: an old one may be edited any day."""

    def __init__(self, client: GraphClient, root: str, page_size: int = 100) -> None:
        self._client, self._root = client, root
        self._delta = DeltaReader(client, page_size)

    async def outgoing(self, since: Cursor | None) -> OutgoingChanges:
        if since is None:
            sent = await self._delta.from_now(f"{self._root}/mailFolders/sentitems", _SENT)
            drafts = await self._delta.from_the_start(f"{self._root}/mailFolders/drafts", _DRAFTS)
            return OutgoingChanges([], [], [], _joined(sent.cursor, drafts.cursor), more=False)
        links = _links(since)
        if not all(self._client.owns(link) for link in links):
            raise CursorExpired("The cursor belongs to another address of Microsoft Graph: follow from now on.")
        sent, drafts = await asyncio.gather(self._page(links[0], _SENT), self._page(links[1], _DRAFTS))
        return OutgoingChanges(
            sent=[one for one in sent.arrived if not one.is_draft],
            drafted=[one for one in drafts.arrived if one.is_draft],
            removed=[*sent.removed, *drafts.removed],
            cursor=_joined(sent.cursor, drafts.cursor),
            more=sent.more or drafts.more,
        )

    async def _page(self, link: str, labels: frozenset[str]) -> Changes:
        try:
            return await self._delta.page(link, labels)
        except Gone:
            raise CursorExpired("The folder is not where it was: follow from now on.") from None


def _joined(sent: Cursor, drafts: Cursor) -> Cursor:
    return Cursor(json.dumps([sent, drafts]))


def _links(cursor: Cursor) -> tuple[str, str]:
    try:
        sent, drafts = json.loads(cursor)
    except (ValueError, TypeError):
        raise CursorExpired("The stored cursor cannot be understood: follow from now on.") from None
    return str(sent), str(drafts)
