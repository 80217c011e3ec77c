"""A message in a simulated mailbox, and the shelf that keeps messages in order of arrival."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any

from . import ids, mime

Entry = tuple[str, "SimGraphItem", str]  # created, updated, read or removed; the message; its default id at that time

BLANK: dict[str, Any] = {
    "subject": "",
    "from": None,
    "sender": None,
    "toRecipients": [],
    "ccRecipients": [],
    "bccRecipients": [],
    "replyTo": [],
    "importance": "normal",
    "isReadReceiptRequested": False,
    "sentDateTime": None,
}


class SimGraphItem:
    """One message. What the mail says is parsed when first asked for."""

    __slots__ = (
        "_attached", "_props", "categories", "conversation", "created", "depth", "flag", "folder",
        "immutable_id", "inference", "is_draft", "is_read", "marks", "message_id", "modified", "moves",
        "mutable_id", "owner", "poisoned", "raw", "readable_at", "received", "serial", "version",
    )  # fmt: skip

    def __init__(self, owner: bytes, serial: int, raw: bytes | None, now: float) -> None:
        self.owner = owner
        self.serial = serial
        self.raw = raw
        self.immutable_id = ids.immutable_id(owner, serial)
        self.mutable_id = ""
        self.moves = 0
        self.folder: SimGraphFolder
        self.version = 0
        self.message_id = ""
        self.conversation = ""
        self.depth = 0
        self.created = self.modified = self.received = int(now)
        self.readable_at = 0.0
        self.poisoned = False  # its content answers 500, always
        self.is_read = False
        self.is_draft = False
        self.categories: list[str] = []
        self.flag: dict[str, Any] | None = None
        self.inference = "focused"
        self.marks: dict[str, Any] = {}
        self._props: dict[str, Any] | None = None
        self._attached: list[mime.SimGraphAttachment] = []

    @property
    def props(self) -> dict[str, Any]:
        if self._props is None:
            self._props, self._attached = mime.read(self.raw or b"")
            for one in self._attached:
                one.modified = self.received
        return self._props

    @props.setter
    def props(self, props: dict[str, Any]) -> None:
        self._props = props

    @property
    def attached(self) -> list[mime.SimGraphAttachment]:
        if self._props is None and self.raw is not None:
            self.props  # noqa: B018 - reading them is what parses the mail
        return self._attached

    @property
    def event_type(self) -> str | None:
        """The type of meeting mail; other mail need not be parsed to know that it is none."""
        if self._props is None and b"text/calendar" not in (self.raw or b""):
            return None
        return self.props.get("@odata.type")

    @property
    def change_key(self) -> str:
        return ids.change_key(self.owner, self.version)

    @property
    def conversation_index(self) -> str:
        root = b"\x01\x01" + self.conversation.encode()[-20:]
        steps = b"".join(b"\x80\x00\x00\x00" + bytes([step % 256]) for step in range(self.depth))
        return base64.b64encode(root + steps).decode()

    def id_for(self, *, immutable: bool) -> str:
        return self.immutable_id if immutable else self.mutable_id

    def rewritten(self) -> None:
        """The mail no longer is what once came in: parse it now, then let go of the raw form."""
        self.props  # noqa: B018 - as above
        self.raw = None


class ItemIndex:
    """Messages, newest first without sorting as long as they arrive in order."""

    def __init__(self) -> None:
        self.items: dict[int, SimGraphItem] = {}
        self._latest = 0.0
        self._sorted = True

    def add(self, item: SimGraphItem) -> None:
        if item.received < self._latest:
            self._sorted = False
        self._latest = max(self._latest, item.received)
        self.items[item.serial] = item

    def drop(self, item: SimGraphItem) -> None:
        self.items.pop(item.serial, None)

    def newest_first(self) -> Iterator[SimGraphItem]:
        if not self._sorted:
            self.items = dict(sorted(self.items.items(), key=lambda pair: (pair[1].received, pair[0])))
            self._sorted = True
        return reversed(self.items.values())


class SimGraphFolder(ItemIndex):
    """A mail folder and the journal from which delta is answered."""

    def __init__(
        self, owner: bytes, number: int, name: str, parent: SimGraphFolder | None, well_known: str = ""
    ) -> None:
        super().__init__()
        self.number = number
        self.id = ids.folder_id(owner, number)
        self.name = name
        self.parent = parent
        self.well_known = well_known
        self.children: list[SimGraphFolder] = []
        self.unread = 0
        self.journal: list[Entry] = []
        if parent is not None:
            parent.children.append(self)
