"""Drafts of an Outlook mailbox: a `ports.DraftBox`. The immutable id stays, the changeKey is the version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from postroom.nouns.drafts import Draft, DraftMarkers, OutgoingFile, OutgoingMail
from postroom.nouns.errors import Conflict, DraftTouched, Gone
from postroom.nouns.providers import TRASH, ProviderRef
from postroom.outside.graph import compose, parse, wire
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.folders import GraphFolders

# What a person's program shows is cleaned of comments, where our body marker is: ask for the original.
_ORIGINAL = ("outlook.allow-unsafe-html",)
# https://learn.microsoft.com/graph/outlook-large-attachments
LARGEST_AT_ONCE = 3 * 1024 * 1024
PIECE = 3 * 1024 * 1024
_QUERY = {"$select": wire.DRAFT_SELECT, "$expand": compose.MARKERS_EXPANDED}


class OutlookDrafts:
    """Before each write the version is compared, and sent along as If-Match: the documents promise only one of both."""

    def __init__(self, client: GraphClient, root: str, folders: GraphFolders) -> None:
        self._client, self._root, self._folders = client, root, folders

    async def draft(self, ref: ProviderRef) -> Draft | None:
        try:
            item: wire.GraphMessage = await self._client.read(self._place(ref), _QUERY, _ORIGINAL)
        except Gone:
            return None
        # Outlook discards a draft into Deleted Items, where it stays a draft under the same id.
        thrown_away = TRASH in await self._folders.labels_of(item.get("parentFolderId") or "")
        return await self._shown(item) if item.get("isDraft") and not thrown_away else None

    async def find_drafts(self, key: str, thread: ProviderRef | None) -> Sequence[Draft]:
        query = {**_QUERY, "$filter": compose.marked(key)}
        place = f"{self._root}/mailFolders/drafts/messages"
        page: wire.GraphMessagePage = await self._client.read(place, query, _ORIGINAL)
        found = [await self._shown(item) for item in page["value"]]
        return [each for each in found if each.thread_ref == thread] if thread else found

    async def create_draft(self, mail: OutgoingMail, markers: DraftMarkers) -> Draft:
        """A reply is made by Outlook, so that it threads. Whether it takes our words along is seen afterwards; what it
        made instead is written over, but nobody else's words."""
        said = {**compose.mail(mail), **compose.markers(markers), **compose.marker_headers(markers)}
        if mail.answers is None:
            made = await self._client.create(f"{self._root}/messages", said)
        else:
            made = await self._client.create(f"{self._place(mail.answers)}/createReply", {"message": said})
        draft = await self._as_made(made)
        draft = draft if compose.took(draft, mail) else await self._write(draft, compose.mail(mail))
        for each in mail.files:
            await self._attach(draft.ref, each)
        return await self._there(draft.ref) if mail.files else draft

    async def _attach(self, ref: ProviderRef, file: OutgoingFile) -> None:
        place = f"{self._place(ref)}/attachments"
        if len(file.content) < LARGEST_AT_ONCE:
            await self._client.create(place, compose.attachment(file))
            return
        session = await self._client.create(f"{place}/createUploadSession", compose.upload_session(file))
        await self._client.upload(session["uploadUrl"], file.content, PIECE)

    async def update_draft(self, draft: Draft, mail: OutgoingMail, markers: DraftMarkers) -> Draft:
        await self.require_untouched(draft)
        return await self._write(draft, {**compose.mail(mail), **compose.markers(markers)})

    async def discard_draft(self, draft: Draft) -> None:
        if await self.draft(draft.ref) is None:
            return
        await self.require_untouched(draft)
        try:
            await self._client.remove(self._place(draft.ref), draft.version)
        except Gone:
            return
        except Conflict as touched:
            raise _touched() from touched

    async def require_untouched(self, draft: Draft) -> None:
        """Raises DraftTouched when somebody changed it since, Gone when it is no draft any more."""
        now = await self._there(draft.ref)
        if now.version != draft.version:
            raise _touched()

    async def _write(self, draft: Draft, said: Mapping[str, Any]) -> Draft:
        try:
            made = await self._client.change(self._place(draft.ref), said, draft.version)
        except Conflict as touched:
            raise _touched() from touched
        return await self._as_made(made)

    async def _as_made(self, made: wire.GraphMessage) -> Draft:
        """As Outlook shows it. What somebody made of it by then is not ours."""
        draft = await self._there(ProviderRef(made["id"]))
        if compose.shows(draft) != compose.shows(parse.draft(made)):
            raise _touched()
        return draft

    async def _shown(self, item: wire.GraphMessage) -> Draft:
        """Names of files are listed apart: with the message, their bytes would come along."""
        if not item.get("hasAttachments"):
            return parse.draft(item)
        query = {"$select": "id,name,isInline"}
        page = await self._client.read(f"{self._place(ProviderRef(item['id']))}/attachments", query)
        return parse.draft(item, [one.get("name") or "" for one in page["value"] if not one.get("isInline")])

    async def _there(self, ref: ProviderRef) -> Draft:
        found = await self.draft(ref)
        if found is None:
            raise Gone("The draft is not there any more: it was sent or discarded.")
        return found

    def _place(self, ref: ProviderRef) -> str:
        return f"{self._root}/messages/{quote(ref, safe='')}"


def _touched() -> DraftTouched:
    return DraftTouched("Somebody changed the draft since we read it: it is left as it is.")
