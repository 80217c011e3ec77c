"""Sending from an Outlook mailbox: a `ports.Sender`. A draft keeps its immutable id when it is sent."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from urllib.parse import quote

from postroom.nouns.drafts import Draft, SentLookup
from postroom.nouns.errors import Gone
from postroom.nouns.providers import ProviderRef
from postroom.outside.graph import compose, wire
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.drafts import OutlookDrafts


class OutlookSender:
    """`sendMail` answers without an id, so that it could not be looked up: everything goes out as a draft."""

    def __init__(self, client: GraphClient, root: str, drafts: OutlookDrafts) -> None:
        self._client, self._root, self._drafts = client, root, drafts

    async def send_draft(self, draft: Draft) -> ProviderRef:
        await self._drafts.require_untouched(draft)
        await self._client.perform(f"{self._root}/messages/{quote(draft.ref, safe='')}/send")
        return draft.ref

    async def find_sent(self, draft: Draft) -> SentLookup:
        try:
            query = {"$select": "id,isDraft,parentFolderId"}
            item: wire.GraphMessage = await self._client.read(
                f"{self._root}/messages/{quote(draft.ref, safe='')}", query
            )
        except Gone:
            return await self._by_message_id(draft)
        return SentLookup("not_sent") if item.get("isDraft") else SentLookup("sent", draft.ref)

    async def find_marked(self, key: str, to: str, since: datetime) -> ProviderRef | None:
        """The copy in Sent keeps the hidden property of the draft that it was, wherever somebody moves it."""
        query = {"$filter": compose.marked(key), "$select": "id,isDraft"}
        return await self._first_sent(query)

    async def _by_message_id(self, draft: Draft) -> SentLookup:
        """Its id is gone: the copy in Sent may have been moved to an archive mailbox and back, or deleted."""
        if not draft.internet_message_id:
            return SentLookup("unknown")
        query = {
            "$filter": f"internetMessageId eq '{compose.quoted(draft.internet_message_id)}'",
            "$select": "id,isDraft",
        }
        found = await self._first_sent(query)
        return SentLookup("sent", found) if found else SentLookup("unknown")

    async def _first_sent(self, query: Mapping[str, str]) -> ProviderRef | None:
        page: wire.GraphMessagePage = await self._client.read(f"{self._root}/messages", query)
        sent = [item["id"] for item in page["value"] if not item.get("isDraft")]
        return ProviderRef(sent[0]) if sent else None
