"""The folder we serve, which counts as the inbox, and what we call the others."""

from __future__ import annotations

import asyncio
from urllib.parse import quote

from postroom.nouns.errors import Misconfigured
from postroom.nouns.providers import INBOX
from postroom.outside.graph import parse, wire
from postroom.outside.graph.client import GraphClient

_SHORTEST_ID = 60  # ids are longer, and nobody names a folder so


class GraphFolders:
    """Of one mailbox. Folder ids never change, so what was learnt once is kept; share it to ask once a process."""

    def __init__(self, client: GraphClient, root: str, served: str = "Inbox") -> None:
        """`served`: a well-known name in any case, a path of display names such as `Inbox/Invoices`, or an id."""
        self._client = client
        self._root = root
        self.served = served.strip("/")
        self.served_labels = frozenset({INBOX} if self.served.lower() in parse.LABELS else {INBOX, self.served})
        self._place: str | None = None
        self._labels: dict[str, frozenset[str]] = {}
        self._learning = asyncio.Lock()

    async def place(self) -> str:
        """The path of the folder we serve, below the base."""
        if self._place is None:
            self._place = f"{self._root}/mailFolders/{quote(await self._id(), safe='=')}"
        return self._place

    def forget(self) -> None:
        """The folder was not where we remember it: look for it by its name next time."""
        self._place, self._labels = None, {}

    async def labels_of(self, folder_id: str) -> frozenset[str]:
        """Our words for a folder; its id when it has none. While they are unknown one asks, and the others wait."""
        if not self._labels:
            async with self._learning:
                if not self._labels:
                    self._labels = await self._learn()
        return self._labels.get(folder_id, frozenset({folder_id} - {""}))

    async def _learn(self) -> dict[str, frozenset[str]]:
        above = f"{self._root}/mailFolders/"
        served = (await self.place()).removeprefix(above)
        names = dict.fromkeys([*parse.LABELS, served])
        asked = [{"id": name, "method": "GET", "url": f"{above}{name}?$select=id"} for name in names]
        answers = await self._client.batch(asked)
        with parse.understood():
            there = {name: item["body"]["id"] for name, item in answers.items() if item["status"] == 200}
        known = {there[name]: frozenset({label}) for name, label in parse.LABELS.items() if name in there}
        return known | ({there[served]: self.served_labels} if served in there else {})

    async def _id(self) -> str:
        first, *rest = self.served.split("/")
        if first.lower() in parse.WELL_KNOWN:
            found = first.lower()
        elif not rest and len(first) >= _SHORTEST_ID:
            return first
        else:
            found = await self._child(f"{self._root}/mailFolders", first)
        for name in rest:
            found = await self._child(f"{self._root}/mailFolders/{quote(found, safe='')}/childFolders", name)
        return found

    async def _child(self, place: str, name: str) -> str:
        text = name.replace("'", "''")
        page: wire.GraphFolderPage = await self._client.read(
            place, {"$filter": f"displayName eq '{text}'", "$select": "id,displayName"}
        )
        with parse.understood():
            found = [one["id"] for one in page["value"]]
        if not found:
            raise Misconfigured(
                f"The mailbox has no folder {self.served!r}: name it as Outlook shows it, inner folders after a slash."
            )
        return found[0]
