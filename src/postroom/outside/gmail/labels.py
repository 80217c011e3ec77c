"""State labels on Gmail threads: a `ports.LabelBook`. Labels are known by ids, which are looked up by name."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.nouns.errors import BadRequest, Conflict
from postroom.nouns.providers import ProviderRef
from postroom.nouns.threads import StateLabel
from postroom.outside.gmail import compose
from postroom.outside.gmail.client import GmailClient


class GmailLabels:
    """What they are called is asked once, and again when Gmail knows one no more."""

    def __init__(self, client: GmailClient) -> None:
        self._client = client
        self._ids: dict[str, str] = {}  # by name in lower case: Gmail compares names so
        self._names: dict[str, str] = {}

    async def names(self, *, afresh: bool = False) -> dict[str, str]:
        """What people call each label, by its id."""
        if afresh or not self._names:
            await self._look()
        return self._names

    async def ensure_labels(self, labels: Sequence[StateLabel]) -> None:
        await self._look()
        for label in labels:
            if label.name.lower() not in self._ids:
                await self._make(label)

    async def label_thread(self, thread: ProviderRef, label: StateLabel | None, among: Sequence[StateLabel]) -> None:
        try:
            await self._label(thread, label, among)
        except BadRequest:  # somebody deleted a label of ours
            await self._look()
            await self._label(thread, label, among)

    async def _label(self, thread: ProviderRef, label: StateLabel | None, among: Sequence[StateLabel]) -> None:
        await self.names()
        if label is not None and label.name.lower() not in self._ids:
            await self._make(label)
        others = [each.name.lower() for each in among if label is None or each.name != label.name]
        remove = [self._ids[name] for name in others if name in self._ids]
        add = [self._ids[label.name.lower()]] if label is not None else []
        if add or remove:
            await self._client.modify_thread(thread, compose.relabelled(add, remove))

    async def _make(self, label: StateLabel) -> None:
        try:
            made = await self._client.create_label(compose.label(label))
            self._know(made["id"], made["name"])
        except Conflict:  # somebody was quicker
            await self._look()
            if label.name.lower() not in self._ids:
                raise

    async def _look(self) -> None:
        self._ids, self._names = {}, {}
        for each in (await self._client.labels()).get("labels", ()):
            self._know(each["id"], each["name"])

    def _know(self, label_id: str, name: str) -> None:
        self._ids[name.lower()] = label_id
        self._names[label_id] = name
