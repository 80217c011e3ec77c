"""Delta queries of one folder: from now on, or on from a link."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from postroom.nouns.errors import Misconfigured, Unavailable
from postroom.nouns.providers import Changes
from postroom.outside.graph import parse, wire
from postroom.outside.graph.client import GraphClient

_CLOCK_SKEW = timedelta(minutes=5)  # how far Microsoft's clock may be behind ours
_MOST_PAGES = 1000


class DeltaReader:
    """Reads page by page; the links are the cursors."""

    def __init__(self, client: GraphClient, page_size: int) -> None:
        self._client, self._page_size = client, page_size

    async def from_now(self, place: str, labels: frozenset[str]) -> Changes:
        """Mail has no `$deltatoken=latest`: start at a moment, walk to the end, keep what came since.

        The filter stays with the cursor for good, so it must not be later than any clock's now.
        """
        now = self._client.now().replace(microsecond=0)
        since = {"$filter": f"receivedDateTime ge {parse.written(now - _CLOCK_SKEW)}"}
        found = await self._to_the_end(place, labels, since)
        return replace(
            found, arrived=[one for one in found.arrived if one.received_at is None or one.received_at >= now]
        )

    async def from_the_start(self, place: str, labels: frozenset[str]) -> Changes:
        """Everything that is there. Without a filter: a change of what is old shows up later too."""
        return await self._to_the_end(place, labels, {})

    async def _to_the_end(self, place: str, labels: frozenset[str], options: dict[str, str]) -> Changes:
        page = await self.page(f"{place}/messages/delta", labels, {"$select": wire.SELECT, **options})
        arrived = {one.ref: one for one in page.arrived}
        for _ in range(_MOST_PAGES):
            if not page.more:
                return replace(page, arrived=list(arrived.values()), removed=[])
            page = await self.page(page.cursor, labels)
            arrived |= {one.ref: one for one in page.arrived}
        raise Unavailable("Microsoft sends page after page and never ends: try again later.")

    async def page(self, where: str, labels: frozenset[str], options: dict[str, str] | None = None) -> Changes:
        prefer = (f"odata.maxpagesize={self._page_size}", "odata.track-changes")
        page: wire.GraphMessagePage = await self._client.read(where, options, prefer)
        found = parse.changes(page, labels)
        if not self._client.owns(found.cursor):
            raise Misconfigured("Microsoft Graph hands out links to another address: check POSTROOM_GRAPH_BASE_URL.")
        return found
