"""State labels as Outlook categories: a `ports.LabelBook`. A category sits on a message, not on a thread."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

import structlog

from postroom.nouns.errors import Conflict, Gone, PermissionDenied, Unavailable
from postroom.nouns.providers import INBOX, ProviderRef
from postroom.nouns.threads import StateLabel
from postroom.outside.graph import compose, wire
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.folders import GraphFolders
from postroom.outside.graph.threads import OutlookThreads

_TRIES = 3  # of reading and writing: somebody else may label the same message meanwhile
_SELECT = "id,changeKey,categories,isDraft,parentFolderId"
log = structlog.get_logger()


class OutlookLabels:
    """A PATCH replaces all categories of a message: those of people are read, kept, and the version is checked."""

    def __init__(self, client: GraphClient, root: str, folders: GraphFolders, threads: OutlookThreads) -> None:
        self._client, self._root, self._folders, self._threads = client, root, folders, threads

    async def ensure_labels(self, labels: Sequence[StateLabel]) -> None:
        """A name that is not in the master list works too, without colour; the list needs a permission of its own."""
        for label in labels:
            try:
                await self._client.create(f"{self._root}/outlook/masterCategories", compose.category(label))
            except Conflict:
                continue  # it is there
            except PermissionDenied:
                log.info("categories stay without colour", because="MailboxSettings.ReadWrite was not granted")
                return

    async def label_thread(self, thread: ProviderRef, label: StateLabel | None, among: Sequence[StateLabel]) -> None:
        """On what lies in the served folder; what was filed away keeps no state."""
        for item in await self._threads.items(f"{self._root}/messages", thread, _SELECT):
            if not item.get("isDraft"):
                where = await self._folders.labels_of(item.get("parentFolderId") or "")
                await self._label(item, label if INBOX in where else None, among)

    async def _label(self, item: wire.GraphMessage, label: StateLabel | None, among: Sequence[StateLabel]) -> None:
        place = f"{self._root}/messages/{quote(item['id'], safe='')}"
        for _ in range(_TRIES):
            wanted = compose.relabelled(item.get("categories") or (), label, among)
            if wanted is None:
                return
            try:
                await self._client.change(place, {"categories": wanted}, item.get("changeKey") or "")
            except Gone:
                return
            except Conflict:
                item = await self._client.read(place, {"$select": _SELECT})
            else:
                return
        raise Unavailable("Somebody else keeps changing the same message: its categories are set a little later.")
