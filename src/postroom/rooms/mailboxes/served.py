"""A mailbox of which one folder is served: its cursors name the folder, so that none is ever read on in another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from urllib.parse import quote

from postroom.nouns.errors import CursorExpired
from postroom.nouns.providers import (
    SERVED_ONLY,
    Changes,
    Cursor,
    Glimpse,
    Listing,
    ProviderRef,
    RawMail,
    Watch,
    WatchedFolder,
)
from postroom.nouns.secrets import Secret
from postroom.ports import MailProvider


class ServedFolder:
    """A MailProvider. Somebody may choose another folder while a worker still reads the old one."""

    def __init__(self, provider: MailProvider, folder: str) -> None:
        self.provider = provider
        self._mark = f"folder:{quote(folder, safe='')} "

    async def changes(self, since: Cursor | None) -> Changes:
        inner = since
        if since is not None:
            inner = Cursor(since.removeprefix(self._mark))
            if inner.startswith("folder:"):
                raise CursorExpired("Another folder is served now: a resync reads it from the start.")
        found = await self.provider.changes(inner)
        return replace(found, cursor=Cursor(self._mark + found.cursor))

    async def list_since(self, since: datetime, page: str | None = None) -> Listing:
        inner = page.removeprefix(self._mark) if page else None
        if inner and inner.startswith("folder:"):
            inner = None  # another folder's page: begin at the first of this one
        found = await self.provider.list_since(since, inner)
        return replace(found, next_page=self._mark + found.next_page if found.next_page else None)

    async def address(self) -> str:
        return await self.provider.address()

    async def message(self, ref: ProviderRef, known: Glimpse | None = None) -> RawMail:
        return await self.provider.message(ref, known)

    async def watch(
        self,
        callback: str,
        lifecycle_callback: str,
        client_state: Secret,
        current: Watch | None,
        folders: Sequence[WatchedFolder] = SERVED_ONLY,
    ) -> Watch:
        return await self.provider.watch(callback, lifecycle_callback, client_state, current, folders)

    async def unwatch(self, watch: Watch) -> None:
        await self.provider.unwatch(watch)
