"""Mail folders: list, read, create, rename, move, delete."""

from __future__ import annotations

import re

from . import listing, views
from .asks import Answer, Ask, Refused, bad_request
from .items import Folder
from .mailbox import HIDDEN, Mailbox
from .table import Route

_NAME_IS = re.compile(r"displayName\s+eq\s+'((?:[^']|'')*)'", re.IGNORECASE)


class Folders:
    def routes(self) -> list[Route]:
        one = "users/{user}/mailFolders/{folder}"
        return [
            Route("GET", "users/{user}/mailFolders", self.list, need="read"),
            Route("POST", "users/{user}/mailFolders", self.create, need="write"),
            Route("GET", one, self.get, need="read"),
            Route("PATCH", one, self.rename, need="write"),
            Route("DELETE", one, self.delete, need="write"),
            Route("GET", f"{one}/childFolders", self.list, need="read"),
            Route("POST", f"{one}/childFolders", self.create, need="write"),
            Route("POST", f"{one}/move", self.move, need="write"),
        ]

    def list(self, ask: Ask, mailbox: Mailbox) -> Answer:
        rows = [one for one in _parent(ask, mailbox).children if one.well_known not in HIDDEN]
        rows.sort(key=lambda one: one.name.lower())
        if wanted := _NAME_IS.search(ask.option("filter")):
            rows = [one for one in rows if one.name.lower() == wanted[1].replace("''", "'").lower()]
        elif ask.option("filter"):
            raise bad_request("Folders can be filtered by displayName eq here.", "ErrorInvalidUrlQueryFilter")
        top = ask.number("top", 10, lowest=1, highest=1000)
        skip = ask.number("skip", 0, lowest=0, highest=1_000_000)
        body: dict[str, object] = {
            "@odata.context": f"{ask.root}/$metadata#users('{mailbox.guid}')/mailFolders",
            "value": [_shown(ask, one) for one in rows[skip : skip + top]],
        }
        if ask.option("count") == "true":
            body["@odata.count"] = len(rows)
        if len(rows) > skip + top:
            body["@odata.nextLink"] = listing.next_link(ask, {"$top": str(top), "$skip": str(skip + top)})
        return Answer(200, body)

    def get(self, ask: Ask, mailbox: Mailbox) -> Answer:
        return _entity(ask, mailbox, mailbox.folder(ask.params["folder"]))

    def create(self, ask: Ask, mailbox: Mailbox) -> Answer:
        made = mailbox.new_folder(_name(ask), _parent(ask, mailbox))
        return _entity(ask, mailbox, made, 201)

    def rename(self, ask: Ask, mailbox: Mailbox) -> Answer:
        folder = _own(mailbox.folder(ask.params["folder"]))
        folder.name = _name(ask)
        return _entity(ask, mailbox, folder)

    def move(self, ask: Ask, mailbox: Mailbox) -> Answer:
        folder = _own(mailbox.folder(ask.params["folder"]))
        target = mailbox.folder(str(ask.json().get("destinationId", "")))
        if folder.parent is not None:
            folder.parent.children.remove(folder)
        folder.parent = target
        target.children.append(folder)
        return _entity(ask, mailbox, folder, 201)

    def delete(self, ask: Ask, mailbox: Mailbox) -> Answer:
        mailbox.drop_folder(_own(mailbox.folder(ask.params["folder"])))
        return Answer(204)


def _parent(ask: Ask, mailbox: Mailbox) -> Folder:
    return mailbox.folder(ask.params["folder"]) if "folder" in ask.params else mailbox.root


def _own(folder: Folder) -> Folder:
    if folder.well_known:
        raise Refused(403, "ErrorDeleteDistinguishedFolder", "A well-known folder cannot be changed.")
    return folder


def _name(ask: Ask) -> str:
    name = ask.json().get("displayName")
    if not isinstance(name, str) or not name.strip():
        raise bad_request("The displayName of the folder is required.", "ErrorInvalidRequest")
    return name


def _shown(ask: Ask, folder: Folder) -> dict[str, object]:
    shown = views.folder(folder)
    select = views.selected(ask)
    return {name: value for name, value in shown.items() if not select or name in {"id", *select}}


def _entity(ask: Ask, mailbox: Mailbox, folder: Folder, status: int = 200) -> Answer:
    context = {"@odata.context": f"{ask.root}/$metadata#users('{mailbox.guid}')/mailFolders/$entity"}
    return Answer(status, {**context, **_shown(ask, folder)})
