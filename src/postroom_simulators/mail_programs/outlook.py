"""A person at Outlook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from html import escape
from itertools import islice
from typing import Any

from postroom_simulators.graph import GraphSim, ids
from postroom_simulators.graph.bodies import as_html, as_text, with_markup_above
from postroom_simulators.graph.items import SimGraphItem
from postroom_simulators.graph.messages import apply, throw_away
from postroom_simulators.graph.mime import recipient
from postroom_simulators.graph.replies import answer_to
from postroom_simulators.graph.request import GraphError
from postroom_simulators.mail_programs.program import known_folder
from postroom_simulators.scenarios.script import Provider


class OutlookProgram:
    provider: Provider = "graph"

    def __init__(self, sim: GraphSim, address: str) -> None:
        self._sim = sim
        self._box = sim.mailboxes[address.lower()]
        self.address = self._box.address

    @property
    def name(self) -> str:
        return self._box.name

    # seeing

    def counts(self) -> dict[str, int]:
        folders = self._box.well_known
        return {
            "inbox": len(folders["inbox"].items),
            "unread": folders["inbox"].unread,
            "drafts": len(folders["drafts"].items),
            "sent": len(folders["sentitems"].items),
            "total": len(self._box.everything.items),
        }

    def messages(self, folder: str = "", last: int = 50) -> list[dict[str, Any]]:
        index = self._box.well_known[known_folder(folder)] if folder else self._box.everything
        return [self._shown(item) for item in islice(index.newest_first(), last)]

    def thread(self, key: str) -> list[dict[str, Any]]:
        items = self._box.conversations[self._item(key).conversation]
        return [self._shown(item) for item in sorted(items, key=lambda one: (one.received, one.serial))]

    def text(self, key: str) -> str:
        return as_text(self._item(key).props["body"])

    def _shown(self, item: SimGraphItem) -> dict[str, Any]:
        props = item.props
        shown = {
            "id": item.immutable_id,
            "thread": item.conversation,
            "folder": item.folder.well_known or item.folder.name,
            "subject": props["subject"],
            "from": _addresses([props["from"]] if props["from"] else []),
            "to": _addresses(props["toRecipients"]),
            "cc": _addresses(props["ccRecipients"]),
            "at": datetime.fromtimestamp(item.received, UTC).isoformat(timespec="seconds"),
            "read": item.is_read,
            "labels": list(item.categories),
        }
        return {**shown, "words": props["body"]["content"]} if item.is_draft else shown

    # drafts

    def write_draft(
        self, text: str, *, answers: str = "", to: Sequence[str] = (), cc: Sequence[str] = (), subject: str = ""
    ) -> str:
        item = answer_to(self._box, self._item(answers), "createReply") if answers else self._box.compose({})
        self._write(item, text, to or None, cc or None, subject or None)
        self._box.add(item, self._box.folder("drafts"))
        return item.immutable_id

    def edit_draft(
        self,
        key: str,
        words: str = "",
        *,
        text: str | None = None,
        subject: str | None = None,
        to: Sequence[str] | None = None,
        cc: Sequence[str] | None = None,
    ) -> str:
        item = self._draft(key)

        def edit(one: SimGraphItem) -> None:
            if text is not None:
                one.props["body"] = {"contentType": "html", "content": ""}
            said = words if text is None else text
            self._write(one, said, to, cc, subject)

        self._box.edit(item, edit)
        return item.immutable_id

    def discard_draft(self, key: str) -> None:
        throw_away(self._box, self._draft(key))

    def send_draft(self, key: str) -> str:
        return self._send(self._draft(key))

    def answer(self, key: str, text: str, *, everyone: bool = False) -> str:
        item = answer_to(self._box, self._item(key), "createReplyAll" if everyone else "createReply")
        self._write(item, text, None, None, None)
        return self._send(item)

    def _send(self, item: SimGraphItem) -> str:
        try:
            self._sim.outbox.send(self._box, item)
        except GraphError as refused:
            raise ValueError(f"Outlook does not send it: {refused.message}") from refused
        return item.immutable_id

    def _write(
        self,
        item: SimGraphItem,
        text: str,
        to: Sequence[str] | None,
        cc: Sequence[str] | None,
        subject: str | None,
    ) -> None:
        """Text goes above what is there; Outlook's editor takes over the rest as a reader sees it, without comments."""
        changes: dict[str, Any] = {}
        if text:
            below = {"contentType": "html", "content": as_html(item.props["body"])}
            changes["body"] = with_markup_above(below, _paragraphs(text))
        if subject is not None:
            changes["subject"] = subject
        if to is not None:
            changes["toRecipients"] = [recipient(one) for one in to]
        if cc is not None:
            changes["ccRecipients"] = [recipient(one) for one in cc]
        apply(self._box, item, changes)

    # keeping order

    def label(self, key: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()) -> None:
        for name in add:
            self._make_category(name)

        def change(item: SimGraphItem) -> None:
            kept = [one for one in item.categories if one not in remove]
            item.categories = [*kept, *(one for one in add if one not in kept)]

        self._box.edit(self._item(key), change)

    def _make_category(self, name: str) -> None:
        known = self._box.categories.values()
        if not any(one["displayName"].lower() == name.lower() for one in known):
            key = ids.stable_guid(self._box.guid, "category", name)
            colour = f"preset{len(known) % 25}"
            self._box.categories[key] = {"id": key, "displayName": name, "color": colour}

    def move(self, key: str, folder: str) -> None:
        self._box.move(self._item(key), self._box.folder(known_folder(folder)))

    def move_thread(self, key: str, folder: str) -> None:
        target = self._box.folder(known_folder(folder))
        for item in list(self._box.conversations[self._item(key).conversation]):
            if item.folder.well_known == "inbox":
                self._box.move(item, target)

    def mark_spam(self, key: str) -> None:
        self.move_thread(key, "junkemail")

    def mark_read(self, key: str, *, read: bool) -> None:
        self._sim.mark_read(self.address, key, read=read)

    def delete(self, key: str, *, for_good: bool) -> None:
        self._sim.delete(self.address, key, for_good=for_good)

    def poison(self, key: str) -> None:
        self._item(key).poisoned = True

    def _item(self, key: str) -> SimGraphItem:
        return self._sim.item(self.address, key)

    def _draft(self, key: str) -> SimGraphItem:
        item = self._item(key)
        if not item.is_draft:
            raise KeyError(f"Message {key} of {self.address} is no draft.")
        return item


def _paragraphs(text: str) -> str:
    return "".join(f"<p>{escape(block)}</p>".replace("\n", "<br>") for block in text.split("\n\n"))


def _addresses(people: Iterable[dict[str, Any]]) -> list[str]:
    return [person["emailAddress"]["address"] for person in people]
