"""Mail folders: list, read, create, rename, move, delete."""

from __future__ import annotations

import re

from . import listing, views
from .items import SimGraphFolder
from .mailbox import HIDDEN, SimGraphMailbox
from .request import GraphError, GraphRequest, GraphResponse, bad_request
from .table import GraphRoute

_NAME_IS = re.compile(r"displayName\s+eq\s+'((?:[^']|'')*)'", re.IGNORECASE)


class FolderRoutes:
    def routes(self) -> list[GraphRoute]:
        one = "users/{user}/mailFolders/{folder}"
        return [
            GraphRoute("GET", "users/{user}/mailFolders", self.list, need="read"),
            GraphRoute("POST", "users/{user}/mailFolders", self.create, need="write"),
            GraphRoute("GET", one, self.get, need="read"),
            GraphRoute("PATCH", one, self.rename, need="write"),
            GraphRoute("DELETE", one, self.delete, need="write"),
            GraphRoute("GET", f"{one}/childFolders", self.list, need="read"),
            GraphRoute("POST", f"{one}/childFolders", self.create, need="write"),
            GraphRoute("POST", f"{one}/move", self.move, need="write"),
        ]

    def list(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        rows = [one for one in _parent(request, mailbox).children if one.well_known not in HIDDEN]
        rows.sort(key=lambda one: one.name.lower())
        if wanted := _NAME_IS.search(request.option("filter")):
            rows = [one for one in rows if one.name.lower() == wanted[1].replace("''", "'").lower()]
        elif request.option("filter"):
            raise bad_request("Folders can be filtered by displayName eq here.", "ErrorInvalidUrlQueryFilter")
        top = request.number("top", 10, lowest=1, highest=1000)
        skip = request.number("skip", 0, lowest=0, highest=1_000_000)
        body: dict[str, object] = {
            "@odata.context": f"{request.root}/$metadata#users('{mailbox.guid}')/mailFolders",
            "value": [_shown(request, one) for one in rows[skip : skip + top]],
        }
        if request.option("count") == "true":
            body["@odata.count"] = len(rows)
        if len(rows) > skip + top:
            body["@odata.nextLink"] = listing.next_link(request, {"$top": str(top), "$skip": str(skip + top)})
        return GraphResponse(200, body)

    def get(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        return _entity(request, mailbox, mailbox.folder(request.params["folder"]))

    def create(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        made = mailbox.new_folder(_name(request), _parent(request, mailbox))
        return _entity(request, mailbox, made, 201)

    def rename(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        folder = _own(mailbox.folder(request.params["folder"]))
        folder.name = _name(request)
        return _entity(request, mailbox, folder)

    def move(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        folder = _own(mailbox.folder(request.params["folder"]))
        target = mailbox.folder(str(request.json().get("destinationId", "")))
        if folder.parent is not None:
            folder.parent.children.remove(folder)
        folder.parent = target
        target.children.append(folder)
        return _entity(request, mailbox, folder, 201)

    def delete(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        mailbox.drop_folder(_own(mailbox.folder(request.params["folder"])))
        return GraphResponse(204)


def _parent(request: GraphRequest, mailbox: SimGraphMailbox) -> SimGraphFolder:
    return mailbox.folder(request.params["folder"]) if "folder" in request.params else mailbox.root


def _own(folder: SimGraphFolder) -> SimGraphFolder:
    if folder.well_known:
        raise GraphError(403, "ErrorDeleteDistinguishedFolder", "A well-known folder cannot be changed.")
    return folder


def _name(request: GraphRequest) -> str:
    name = request.json().get("displayName")
    if not isinstance(name, str) or not name.strip():
        raise bad_request("The displayName of the folder is required.", "ErrorInvalidRequest")
    return name


def _shown(request: GraphRequest, folder: SimGraphFolder) -> dict[str, object]:
    shown = views.folder(folder)
    select = views.selected(request)
    return {name: value for name, value in shown.items() if not select or name in {"id", *select}}


def _entity(
    request: GraphRequest, mailbox: SimGraphMailbox, folder: SimGraphFolder, status: int = 200
) -> GraphResponse:
    context = {"@odata.context": f"{request.root}/$metadata#users('{mailbox.guid}')/mailFolders/$entity"}
    return GraphResponse(status, {**context, **_shown(request, folder)})
