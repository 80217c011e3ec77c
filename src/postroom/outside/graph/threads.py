"""Whole conversations of an Outlook mailbox: a `ports.ThreadReader`."""

from __future__ import annotations

from postroom.nouns.errors import Gone
from postroom.nouns.providers import ProviderRef
from postroom.nouns.threads import MailThread, ThreadMessage
from postroom.outside.graph import compose, parse, wire
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.folders import GraphFolders

_PAGE = 100


class OutlookThreads:
    """Outlook knows a conversation by its id alone; its messages lie in any folder."""

    def __init__(self, client: GraphClient, root: str, folders: GraphFolders) -> None:
        self._client, self._root, self._folders = client, root, folders

    async def thread(self, ref: ProviderRef) -> MailThread:
        items = await self.items(f"{self._root}/messages", ref, wire.THREAD_SELECT)
        if not items:
            raise Gone("Nothing of this conversation is in the mailbox any more.")
        messages = [await self._message(item) for item in items]
        return MailThread.of(ref, messages)

    async def items(self, place: str, ref: ProviderRef, select: str) -> list[wire.GraphMessage]:
        """Filtered and not ordered: both together can be refused as inefficient."""
        query = {"$filter": f"conversationId eq '{compose.quoted(ref)}'", "$select": select, "$top": str(_PAGE)}
        page: wire.GraphMessagePage = await self._client.read(place, query)
        found = list(page["value"])
        while link := page.get("@odata.nextLink"):
            page = await self._client.read(link)
            found += page["value"]
        return found

    async def _message(self, item: wire.GraphMessage) -> ThreadMessage:
        return parse.thread_message(item, await self._folders.labels_of(item.get("parentFolderId") or ""))
