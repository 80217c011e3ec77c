"""A simulated mailbox: folders, messages, threads, and one place through which everything changes."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

from postroom_simulators.clock import SimClock

from . import ids, mime
from .items import BLANK, ItemIndex, SimGraphFolder, SimGraphItem
from .request import GraphError, not_found

_ALWAYS = {
    "inbox": "Inbox",
    "drafts": "Drafts",
    "sentitems": "Sent Items",
    "deleteditems": "Deleted Items",
    "junkemail": "Junk Email",
    "archive": "Archive",
    "outbox": "Outbox",
}
_ON_DEMAND = {
    "clutter": "Clutter",
    "conversationhistory": "Conversation History",
    "conflicts": "Conflicts",
    "localfailures": "Local Failures",
    "serverfailures": "Server Failures",
    "syncissues": "Sync Issues",
    "scheduled": "Scheduled",
    "searchfolders": "Search Folders",
    "recoverableitemsdeletions": "Deletions",
}
HIDDEN = {
    "recoverableitemsdeletions",
    "searchfolders",
    "conflicts",
    "localfailures",
    "serverfailures",
    "syncissues",
}


@dataclass(frozen=True, slots=True)
class SimGraphChange:
    """One change in one folder, as subscriptions want to hear of it."""

    kind: str  # created, updated, deleted
    item: SimGraphItem
    folder: SimGraphFolder
    mutable_id: str  # the default id under which the message was or is in this folder
    moved: bool = False
    matched: frozenset[str] = frozenset()  # filtered subscriptions that saw the message before


class SimGraphMailbox:
    """Everything of one account. Changes go through `add`, `edit`, `move` and `erase`."""

    def __init__(self, address: str, name: str, clock: SimClock, tenant: str = ids.TENANT, *, first: int = 1) -> None:
        self.address = address
        self.name = name or address.partition("@")[0].replace(".", " ").title()
        self.addresses = [address.lower()]  # its own first, then its aliases
        self.tenant = tenant
        self.guid = ids.stable_guid("mailbox", address.lower())
        self.owner = uuid.UUID(self.guid).bytes[:6]
        self.clock = clock
        self.everything = ItemIndex()
        self.by_id: dict[str, SimGraphItem] = {}
        self.by_message_id: dict[str, list[SimGraphItem]] = {}
        self.conversations: dict[str, list[SimGraphItem]] = {}
        self.categories: dict[str, dict[str, Any]] = {}
        self.on_change: Callable[[SimGraphMailbox, SimGraphChange], None] = lambda _mailbox, _change: None
        self.glance: Callable[[SimGraphMailbox, SimGraphItem], frozenset[str]] = lambda _mailbox, _item: frozenset()
        self._threads: dict[str, str] = {}
        self._serials, self._versions, self._conversation_numbers = count(first), count(first), count(first)
        self._numbers = count(1)  # of folders, which a world that is begun anew finds where they were
        self.folders: dict[str, SimGraphFolder] = {}
        self.well_known: dict[str, SimGraphFolder] = {}
        self.root = self._new_folder("Top of Information Store", None, "msgfolderroot")
        for key, shown in _ALWAYS.items():
            self._new_folder(shown, self.root, key)

    def folder(self, key: str) -> SimGraphFolder:
        """By id or by well-known name in any case."""
        found = self.folders.get(key) or self.well_known.get(key.lower())
        if found is None and key.lower() in _ON_DEMAND:
            return self._new_folder(_ON_DEMAND[key.lower()], self.root, key.lower())
        if found is None:
            raise not_found()
        return found

    def new_folder(self, name: str, parent: SimGraphFolder) -> SimGraphFolder:
        if any(child.name.lower() == name.lower() for child in parent.children):
            raise GraphError(409, "ErrorFolderExists", "A folder with the specified name already exists.")
        return self._new_folder(name, parent, "")

    def _new_folder(self, name: str, parent: SimGraphFolder | None, well_known: str) -> SimGraphFolder:
        folder = SimGraphFolder(self.owner, next(self._numbers), name, parent, well_known)
        self.folders[folder.id] = folder
        if well_known:
            self.well_known[well_known] = folder
        return folder

    def drop_folder(self, folder: SimGraphFolder) -> None:
        """The folder's messages go with it to Deleted Items, as far as a client can tell."""
        for item in list(folder.items.values()):
            self.move(item, self.well_known["deleteditems"])
        if folder.parent is not None:
            folder.parent.children.remove(folder)
        del self.folders[folder.id]

    def item(self, key: str) -> SimGraphItem:
        item = self.by_id.get(key)
        if item is None or (item.readable_at and item.readable_at > self.clock.time()):
            raise not_found()
        return item

    def receive(
        self, raw: bytes, folder: SimGraphFolder, at: float | None = None, *, poisoned: bool = False
    ) -> SimGraphItem:
        """A mail comes in. Only its ids are looked at: parsing waits until somebody reads it."""
        seen = mime.peek(raw)
        item = SimGraphItem(self.owner, next(self._serials), raw, self.clock.time() if at is None else at)
        item.poisoned = poisoned
        item.message_id = seen.message_id or self.new_message_id(item)
        self._thread(item, seen.refers_to)
        self.add(item, folder)
        return item

    def compose(self, props: dict[str, Any], refers_to: tuple[str, ...] = ()) -> SimGraphItem:
        """A new message of this mailbox, in no folder yet."""
        item = SimGraphItem(self.owner, next(self._serials), None, self.clock.time())
        me = mime.recipient(self.address, self.name)
        item.props = {
            **BLANK,
            "body": {"contentType": "text", "content": ""},
            "from": me,
            "sender": me,
            **props,
        }
        item.props["references"] = list(refers_to)
        item.is_draft = item.is_read = True
        item.message_id = self.new_message_id(item)
        self._thread(item, refers_to)
        return item

    def new_message_id(self, item: SimGraphItem) -> str:
        return f"<{ids.stable_guid(self.guid, str(item.serial))}@{self.address.rpartition('@')[2]}>"

    def _thread(self, item: SimGraphItem, refers_to: tuple[str, ...]) -> None:
        known = next((self._threads[one] for one in reversed(refers_to) if one in self._threads), None)
        item.conversation = known or ids.conversation_id(self.owner, next(self._conversation_numbers))
        item.depth = len(refers_to)
        for one in (item.message_id, *refers_to):
            self._threads.setdefault(one, item.conversation)

    def add(self, item: SimGraphItem, folder: SimGraphFolder) -> None:
        self.everything.add(item)
        self.by_id[item.immutable_id] = item
        self.by_message_id.setdefault(item.message_id, []).append(item)
        self.conversations.setdefault(item.conversation, []).append(item)
        self._place(item, folder)
        self.on_change(self, SimGraphChange("created", item, folder, item.mutable_id))

    def edit(self, item: SimGraphItem, change: Callable[[SimGraphItem], None]) -> None:
        """Change something about the message, with all that follows from it."""
        matched = self.glance(self, item)
        was_read = item.is_read
        change(item)
        self._stamp(item)
        item.folder.unread += was_read - item.is_read
        item.folder.journal.append(("read" if was_read != item.is_read else "updated", item, item.mutable_id))
        self.on_change(self, SimGraphChange("updated", item, item.folder, item.mutable_id, matched=matched))

    def move(self, item: SimGraphItem, folder: SimGraphFolder) -> None:
        """Into another folder; the default id changes, the immutable one stays."""
        matched = self.glance(self, item)
        source, old = item.folder, item.mutable_id
        self._displace(item)
        item.moves += 1
        self._place(item, folder)
        self.on_change(self, SimGraphChange("deleted", item, source, old, moved=True, matched=matched))
        self.on_change(self, SimGraphChange("created", item, folder, item.mutable_id, moved=True))

    def copy(self, item: SimGraphItem, folder: SimGraphFolder) -> SimGraphItem:
        twin = SimGraphItem(self.owner, next(self._serials), item.raw, item.received)
        for name in ("message_id", "conversation", "depth", "is_read", "is_draft", "inference", "flag"):
            setattr(twin, name, getattr(item, name))
        twin.categories = list(item.categories)
        if item.raw is None:
            twin.props = dict(item.props)
            twin.attached.extend(item.attached)
        self.add(twin, folder)
        return twin

    def erase(self, item: SimGraphItem) -> None:
        """Gone for good."""
        matched = self.glance(self, item)
        source, old = item.folder, item.mutable_id
        self._displace(item)
        del self.by_id[item.immutable_id]
        self.everything.drop(item)
        self.by_message_id[item.message_id].remove(item)
        self.conversations[item.conversation].remove(item)
        self.on_change(self, SimGraphChange("deleted", item, source, old, matched=matched))

    def rename_message(self, item: SimGraphItem, message_id: str) -> None:
        """Another internetMessageId, as a draft may be given."""
        self.by_message_id[item.message_id].remove(item)
        item.message_id = message_id
        self.by_message_id.setdefault(message_id, []).append(item)

    def visible(self, item: SimGraphItem) -> bool:
        return item.folder.well_known != "recoverableitemsdeletions"

    def _place(self, item: SimGraphItem, folder: SimGraphFolder) -> None:
        item.folder = folder
        item.mutable_id = ids.mutable_id(self.owner, item.serial, folder.number, item.moves)
        self.by_id[item.mutable_id] = item
        self._stamp(item)
        folder.add(item)
        folder.unread += not item.is_read
        folder.journal.append(("created", item, item.mutable_id))

    def _displace(self, item: SimGraphItem) -> None:
        source = item.folder
        source.drop(item)
        source.unread -= not item.is_read
        source.journal.append(("removed", item, item.mutable_id))
        del self.by_id[item.mutable_id]

    def _stamp(self, item: SimGraphItem) -> None:
        item.version = next(self._versions)
        item.modified = int(self.clock.time())
