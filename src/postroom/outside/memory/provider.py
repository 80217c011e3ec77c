"""The mailbox in memory behind `ports.MailProvider`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

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
from postroom.outside.memory.mailbox import LoggedChange, MemoryMailbox, MemoryMessage, Side

WATCH_LASTS = timedelta(days=7)
_CURSOR = re.compile(r"memory\.(\d+)")


class MemoryProvider:
    """Never sleeps, never retries, and raises what its mailbox is told to raise."""

    def __init__(self, mailbox: MemoryMailbox, page_size: int = 100) -> None:
        self._box, self._page_size = mailbox, page_size

    async def address(self) -> str:
        ask(self._box)
        return self._box.address.lower()

    async def changes(self, since: Cursor | None) -> Changes:
        ask(self._box)
        if since is None:
            return Changes([], [], cursor_at(self._box.newest), more=False)
        page, more = read_log(self._box, since, "incoming", self._page_size)
        found = {each.ref: self._box.messages.get(each.ref) for each in page}
        arrived = [each.glimpse() for each in found.values() if each is not None and each.is_served]
        removed = [ref for ref, each in found.items() if each is None or not each.is_served]
        return Changes(arrived, removed, cursor_at(page[-1].number if page else self._box.newest), more)

    async def list_since(self, since: datetime, page: str | None = None) -> Listing:
        ask(self._box)
        served = [each for each in self._box.messages.values() if each.is_served and each.received_at >= since]
        left = sorted((each for each in served if _place(each) > (page or "")), key=_place)
        shown = left[: self._page_size]
        return Listing([each.glimpse() for each in shown], _place(shown[-1]) if len(left) > len(shown) else None)

    async def message(self, ref: ProviderRef, known: Glimpse | None = None) -> RawMail:
        ask(self._box)
        del known
        found = self._box.message(ref)
        return RawMail(found.glimpse(), found.raw)

    async def watch(
        self,
        callback: str,
        lifecycle_callback: str,
        client_state: Secret,
        current: Watch | None,
        folders: Sequence[WatchedFolder] = SERVED_ONLY,
    ) -> Watch:
        ask(self._box)
        now = self._box.clock()
        if "served" not in folders:
            watch = Watch(f"watch-{folders[0]}", folders[0], now + WATCH_LASTS, callback, lifecycle_callback)
            self._box.outgoing_watches[watch.id] = watch
            return watch
        living = current is not None and self._box.watch is not None and self._box.watch.expires_at > now
        name = current.id if current is not None and living else f"watch-{self._box.newest}-{now.timestamp()}"
        if not living:
            self._box.client_state = client_state
        self._box.watch = Watch(name, "inbox", now + WATCH_LASTS, callback, lifecycle_callback)
        return self._box.watch

    async def unwatch(self, watch: Watch) -> None:
        ask(self._box)
        self._box.outgoing_watches.pop(watch.id, None)
        if self._box.watch is not None and self._box.watch.id == watch.id:
            self._box.watch = None


def ask(mailbox: MemoryMailbox) -> None:
    """Whatever is wrong with the provider now."""
    if (problem := mailbox.trouble()) is not None:
        raise problem


def cursor_at(number: int) -> Cursor:
    return Cursor(f"memory.{number}")


def read_log(mailbox: MemoryMailbox, since: Cursor, side: Side, most: int) -> tuple[Sequence[LoggedChange], bool]:
    """What was logged after the cursor, and whether there is more."""
    found = _CURSOR.fullmatch(since)
    if found is None or int(found[1]) < mailbox.forgotten:
        raise CursorExpired("The mailbox does not know this cursor any more: a resync is needed.")
    later = [each for each in mailbox.log if each.number > int(found[1]) and each.side == side]
    return later[:most], len(later) > most


def _place(message: MemoryMessage) -> str:
    """Where a message stands in a listing, whatever leaves it meanwhile."""
    return f"{message.received_at.isoformat()} {message.ref}"
