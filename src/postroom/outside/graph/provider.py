"""An Outlook mailbox behind the port: one call and one parse for each thing asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from urllib.parse import quote

from postroom.nouns.errors import BadRequest, CursorExpired, Gone, Misconfigured, PermissionDenied, Unavailable
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
from postroom.outside.graph import parse, wire
from postroom.outside.graph.client import GraphClient, SubscriptionExists, TooLong
from postroom.outside.graph.delta import DeltaReader
from postroom.outside.graph.drafts import OutlookDrafts
from postroom.outside.graph.folders import GraphFolders
from postroom.outside.graph.labels import OutlookLabels
from postroom.outside.graph.outgoing import OutlookOutgoing
from postroom.outside.graph.parse import SubscriptionInfo
from postroom.outside.graph.sender import OutlookSender
from postroom.outside.graph.threads import OutlookThreads
from postroom.ports import CopilotMailbox

_ALL_CHANGES = "created,updated,deleted"  # a draft is edited, and goes when it is sent
_NAMES: dict[WatchedFolder, str] = {"sent": "sentitems", "drafts": "drafts"}
LONGEST_MINUTES, SAFE_MINUTES = 10_070, 4_230  # of a subscription: as seen in the field, and as always allowed


class OutlookProvider:
    """One mailbox: `address` for an app, or one shared with the person; without it, the person's own."""

    def __init__(
        self,
        client: GraphClient,
        *,
        address: str | None = None,
        folder: str = "Inbox",
        folders: GraphFolders | None = None,
        page_size: int = 100,
    ) -> None:
        self._client = client
        self._address = address.lower() if address else None
        self._root = f"/users/{quote(self._address, safe='@')}" if self._address else "/me"
        self._folders = folders or GraphFolders(client, self._root, folder)
        self._page_size = page_size
        self._delta = DeltaReader(client, page_size)

    async def address(self) -> str:
        if self._address is None:
            person: wire.GraphUser = await self._client.read(self._root, {"$select": "id,mail,userPrincipalName"})
            self._address = parse.whose(person)
        return self._address

    async def own_addresses(self) -> frozenset[str]:
        """Needs the right to read the person's profile; without it we know the mailbox's address alone."""
        query = {"$select": "id,mail,userPrincipalName,proxyAddresses,otherMails"}
        try:
            person: wire.GraphUser = await self._client.read(self._root, query)
        except PermissionDenied:
            return frozenset({await self.address()})
        return parse.own_addresses(person) | ({self._address} if self._address else set())

    @cached_property
    def copilot(self) -> CopilotMailbox:
        """What answering mail asks of this mailbox, with the same client and so within the same budget."""
        threads = OutlookThreads(self._client, self._root, self._folders)
        drafts = OutlookDrafts(self._client, self._root, self._folders)
        return CopilotMailbox(
            threads=threads,
            drafts=drafts,
            labels=OutlookLabels(self._client, self._root, self._folders, threads),
            sender=OutlookSender(self._client, self._root, drafts),
            outgoing=OutlookOutgoing(self._client, self._root, self._page_size),
            addresses=self,
        )

    # reading

    async def changes(self, since: Cursor | None) -> Changes:
        if since is None:
            return await self._from_now()
        if not self._client.owns(since):
            raise CursorExpired("The cursor belongs to another address of Microsoft Graph: a resync is needed.")
        try:
            return _mail(await self._delta.page(since, self._folders.served_labels))
        except Gone:
            self._folders.forget()
            raise CursorExpired("The folder is not where it was: a resync looks for it by its name.") from None

    async def _from_now(self) -> Changes:
        try:
            return _mail(await self._delta.from_now(await self._folders.place(), self._folders.served_labels))
        except Gone:
            raise self._no_folder() from None

    async def list_since(self, since: datetime, page: str | None = None) -> Listing:
        if page and "://" in page:
            if not self._client.owns(page):
                raise BadRequest("This page belongs to another listing: start again without it.")
            where, options = page, None
        else:
            start = _page_start(page) if page else since
            where = f"{await self._folders.place()}/messages"
            options = {
                "$filter": f"receivedDateTime ge {parse.written(start)}",
                "$orderby": "receivedDateTime asc",
                "$top": str(self._page_size),
                "$select": wire.SELECT,
            }
        try:
            found: wire.GraphMessagePage = await self._client.read(where, options)
        except Gone:
            raise self._no_folder() from None
        return parse.listing(found, self._folders.served_labels)

    async def message(self, ref: ProviderRef, known: Glimpse | None = None) -> RawMail:
        """With a whole glimpse of it in hand, one call instead of two."""
        path = f"{self._root}/messages/{quote(ref, safe='')}"
        glimpse = known if known and known.received_at else await self._glimpse(path)
        return RawMail(glimpse, await self._client.content(f"{path}/$value"))

    async def _glimpse(self, path: str) -> Glimpse:
        item: wire.GraphMessage = await self._client.read(path, {"$select": wire.SELECT})
        return parse.glimpse(item, await self._folders.labels_of(item.get("parentFolderId") or ""))

    def _no_folder(self) -> Misconfigured:
        self._folders.forget()
        return Misconfigured(f"The mailbox has no folder {self._folders.served!r} any more: choose another to serve.")

    # being told

    async def watch(
        self,
        callback: str,
        lifecycle_callback: str,
        client_state: Secret,
        current: Watch | None,
        folders: Sequence[WatchedFolder] = SERVED_ONLY,
    ) -> Watch:
        resource = await self._watched(folders)
        if current and current.resource == resource and _same_place(current.lifecycle_callback, lifecycle_callback):
            try:
                return parse.watch(await self._renew(current.id, callback), resource)
            except Gone:
                current = None
        changes = _ALL_CHANGES if "drafts" in folders else "created"
        made = await self._create(resource, callback, lifecycle_callback, client_state, changes)
        if current and current.id != made.id:
            await self._client.delete_subscription(current.id)
        return parse.watch(made, resource)

    async def _watched(self, folders: Sequence[WatchedFolder]) -> str:
        """One subscription tells of one folder."""
        [folder] = folders
        place = f"{self._root}/mailFolders/{_NAMES[folder]}" if folder in _NAMES else await self._folders.place()
        return f"{place.lstrip('/')}/messages"

    async def unwatch(self, watch: Watch) -> None:
        await self._client.delete_subscription(watch.id)

    async def is_subscribed(self, subscription_id: str) -> bool:
        """Whether Microsoft still knows it; for the doctor."""
        return await self._client.get_subscription(subscription_id) is not None

    async def _renew(self, subscription_id: str, callback: str) -> SubscriptionInfo:
        return await _as_long_as_allowed(
            lambda minutes: self._client.renew_subscription(subscription_id, minutes, notification_url=callback)
        )

    async def _create(
        self, resource: str, callback: str, lifecycle: str, state: Secret, changes: str
    ) -> SubscriptionInfo:
        def ask(minutes: int) -> Awaitable[SubscriptionInfo]:
            return self._client.create_subscription(resource, callback, lifecycle, state.reveal(), minutes, changes)

        try:
            return await _as_long_as_allowed(ask)
        except SubscriptionExists as twin:
            found = twin.subscription_id or await self._search(resource)
        if found and (adopted := await self._adopt(found, callback, lifecycle, state)):
            return adopted
        try:
            return await _as_long_as_allowed(ask)
        except SubscriptionExists:
            raise Unavailable("Somebody else created the same subscription meanwhile: this is tried again.") from None

    async def _search(self, resource: str) -> str | None:
        held = await self._client.list_subscriptions()
        return next((one.id for one in held if one.resource.lower() == resource.lower()), None)

    async def _adopt(
        self, subscription_id: str, callback: str, lifecycle: str, state: Secret
    ) -> SubscriptionInfo | None:
        """Only renewing shows the client state; one that is not ours could never be told from a forgery."""
        try:
            info = await self._renew(subscription_id, callback)
        except Gone:
            return None
        if info.client_state == state and info.lifecycle_url == lifecycle:
            return info
        await self._client.delete_subscription(subscription_id)
        return None


def _mail(changes: Changes) -> Changes:
    """What is being written here has not arrived."""
    return replace(changes, arrived=[one for one in changes.arrived if not one.is_draft])


def _same_place(one: str | None, other: str) -> bool:
    """What a URL carries in its query is another each time."""
    return (one or "").partition("?")[0] == other.partition("?")[0]


def _page_start(page: str) -> datetime:
    try:
        return parse.moment(page)
    except ValueError:
        raise BadRequest("This is no page of a listing: start again without it.") from None


async def _as_long_as_allowed(ask: Callable[[int], Awaitable[SubscriptionInfo]]) -> SubscriptionInfo:
    """The longest lifetime, a little under what is named when that is refused, else what is always allowed."""
    try:
        return await ask(LONGEST_MINUTES)
    except TooLong as refused:
        shorter = refused.longest - 10 if refused.longest else SAFE_MINUTES
    if shorter != SAFE_MINUTES:
        try:
            return await ask(shorter)
        except TooLong:
            pass
    return await ask(SAFE_MINUTES)
