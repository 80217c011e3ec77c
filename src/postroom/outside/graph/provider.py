"""An Outlook mailbox behind the port: one call and one parse for each thing asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from urllib.parse import quote

from postroom.nouns.errors import BadRequest, CursorExpired, Gone, Misconfigured, Unavailable
from postroom.nouns.providers import Changes, Cursor, Glimpse, Listing, ProviderRef, RawMail, Watch
from postroom.nouns.secrets import Secret
from postroom.outside.graph import parse, wire
from postroom.outside.graph.client import GraphClient, SubscriptionExists, TooLong
from postroom.outside.graph.folders import GraphFolders
from postroom.outside.graph.parse import SubscriptionInfo

LONGEST, SAFE = 10_070, 4_230  # minutes a subscription may live: as seen in the field, and as always allowed
_SKEW = timedelta(minutes=5)  # how far Microsoft's clock may be behind ours
_MOST_PAGES = 1000


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

    async def address(self) -> str:
        if self._address is None:
            person: wire.GraphUser = await self._client.read(self._root, {"$select": "id,mail,userPrincipalName"})
            self._address = parse.whose(person)
        return self._address

    # reading

    async def changes(self, since: Cursor | None) -> Changes:
        if since is None:
            return await self._from_now()
        if not self._client.owns(since):
            raise CursorExpired("The cursor belongs to another address of Microsoft Graph: a resync is needed.")
        try:
            return await self._page(since)
        except Gone:
            self._folders.forget()
            raise CursorExpired("The folder is not where it was: a resync looks for it by its name.") from None

    async def _from_now(self) -> Changes:
        """Mail has no `$deltatoken=latest`: start at a moment, walk to the end, keep what came since.

        The filter stays with the cursor for good, so it must not be later than any clock's now.
        """
        now = self._client.now().replace(microsecond=0)
        start = f"{await self._folders.place()}/messages/delta"
        options = {"$select": wire.SELECT, "$filter": f"receivedDateTime ge {parse.written(now - _SKEW)}"}
        try:
            page = await self._page(start, options)
        except Gone:
            raise self._no_folder() from None
        arrived = {one.ref: one for one in page.arrived}
        for _ in range(_MOST_PAGES):
            if not page.more:
                fresh = [one for one in arrived.values() if one.received_at is None or one.received_at >= now]
                return replace(page, arrived=fresh, removed=[])
            page = await self._page(page.cursor)
            arrived |= {one.ref: one for one in page.arrived}
        raise Unavailable("Microsoft sends page after page and never ends: try again later.")

    async def _page(self, where: str, options: dict[str, str] | None = None) -> Changes:
        prefer = (f"odata.maxpagesize={self._page_size}", "odata.track-changes")
        page: wire.GraphMessagePage = await self._client.read(where, options, prefer)
        found = parse.changes(page, self._folders.label)
        if not self._client.owns(found.cursor):
            raise Misconfigured("Microsoft Graph hands out links to another address: check POSTROOM_GRAPH_BASE_URL.")
        return found

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
        return parse.listing(found, self._folders.label)

    async def message(self, ref: ProviderRef, known: Glimpse | None = None) -> RawMail:
        """With a whole glimpse of it in hand, one call instead of two."""
        path = f"{self._root}/messages/{quote(ref, safe='')}"
        glimpse = known if known and known.received_at else await self._glimpse(path)
        return RawMail(glimpse, await self._client.content(f"{path}/$value"))

    async def _glimpse(self, path: str) -> Glimpse:
        item: wire.GraphMessage = await self._client.read(path, {"$select": wire.SELECT})
        return parse.glimpse(item, await self._folders.label_of(item.get("parentFolderId") or ""))

    def _no_folder(self) -> Misconfigured:
        self._folders.forget()
        return Misconfigured(f"The mailbox has no folder {self._folders.served!r} any more: choose another to serve.")

    # being told

    async def watch(self, callback: str, lifecycle_callback: str, client_state: Secret, current: Watch | None) -> Watch:
        resource = f"{(await self._folders.place()).lstrip('/')}/messages"
        if current and (current.resource, current.lifecycle_callback) == (resource, lifecycle_callback):
            try:
                return parse.watch(await self._renew(current.id, callback), resource)
            except Gone:
                current = None
        made = await self._create(resource, callback, lifecycle_callback, client_state)
        if current and current.id != made.id:
            await self._client.delete_subscription(current.id)
        return parse.watch(made, resource)

    async def unwatch(self, watch: Watch) -> None:
        await self._client.delete_subscription(watch.id)

    async def _renew(self, subscription_id: str, callback: str) -> SubscriptionInfo:
        return await _as_long_as_allowed(
            lambda minutes: self._client.renew_subscription(subscription_id, minutes, notification_url=callback)
        )

    async def _create(self, resource: str, callback: str, lifecycle: str, state: Secret) -> SubscriptionInfo:
        def ask(minutes: int) -> Awaitable[SubscriptionInfo]:
            return self._client.create_subscription(resource, callback, lifecycle, state.reveal(), minutes)

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


def _page_start(page: str) -> datetime:
    try:
        return parse.moment(page)
    except ValueError:
        raise BadRequest("This is no page of a listing: start again without it.") from None


async def _as_long_as_allowed(ask: Callable[[int], Awaitable[SubscriptionInfo]]) -> SubscriptionInfo:
    """The longest lifetime, a little under what is named when that is refused, else what is always allowed."""
    try:
        return await ask(LONGEST)
    except TooLong as refused:
        shorter = refused.longest - 10 if refused.longest else SAFE
    if shorter != SAFE:
        try:
            return await ask(shorter)
        except TooLong:
            pass
    return await ask(SAFE)
