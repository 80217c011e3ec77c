"""Users, their categories, and the translation between id formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import ids, views
from .mailbox import SimGraphMailbox
from .request import GraphError, GraphRequest, GraphResponse, bad_request, not_found
from .table import GraphRoute

_COLOURS = {"none", *(f"preset{number}" for number in range(25))}


class UserRoutes:
    def __init__(self, mailboxes: Mapping[str, SimGraphMailbox]) -> None:
        self._mailboxes = mailboxes

    def routes(self) -> list[GraphRoute]:
        categories = "users/{user}/outlook/masterCategories"
        return [
            GraphRoute("GET", "users", service=self.list),
            GraphRoute("GET", "users/{user}", self.get, need="person"),
            GraphRoute("POST", "users/{user}/translateExchangeIds", self.translate, need="read"),
            GraphRoute("GET", categories, self.categories, need="settings"),
            GraphRoute("POST", categories, self.add_category, need="set"),
            GraphRoute("GET", f"{categories}/{{category}}", self.category, need="settings"),
            GraphRoute("PATCH", f"{categories}/{{category}}", self.colour, need="set"),
            GraphRoute("DELETE", f"{categories}/{{category}}", self.drop_category, need="set"),
        ]

    def list(self, request: GraphRequest) -> GraphResponse:
        if not {"User.Read.All", "User.ReadBasic.All", "Directory.Read.All"} & request.caller.scopes:
            text = "Insufficient privileges to complete the operation."
            raise GraphError(403, "Authorization_RequestDenied", text)
        top = request.number("top", 100, lowest=1, highest=999)
        skip = request.number("skiptoken", 0, lowest=0, highest=10**9)
        rows = list(self._mailboxes.values())
        body: dict[str, Any] = {
            "@odata.context": f"{request.root}/$metadata#users",
            "value": [_person(one) for one in rows[skip : skip + top]],
        }
        if len(rows) > skip + top:
            body["@odata.nextLink"] = f"{request.root}/users?$top={top}&$skiptoken={skip + top}"
        return GraphResponse(200, body)

    def get(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        shown = _person(mailbox)
        proxies = [f"{'smtp' if at else 'SMTP'}:{address}" for at, address in enumerate(mailbox.addresses)]
        if select := views.selected(request):
            shown = {name: (shown | {"proxyAddresses": proxies}).get(name) for name in select}
        return GraphResponse(200, {"@odata.context": f"{request.root}/$metadata#users/$entity", **shown})

    def translate(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        asked = request.json()
        keys, target = asked.get("inputIds"), asked.get("targetIdType")
        if not isinstance(keys, list) or not 1 <= len(keys) <= 1000:
            raise bad_request("inputIds must have between 1 and 1000 entries.", "ErrorInvalidRequest")
        if target not in {"restId", "restImmutableEntryId"}:
            raise bad_request(f"targetIdType '{target}' is not supported here.", "ErrorInvalidRequest")
        return GraphResponse(200, {"value": [_translated(mailbox, str(key), str(target)) for key in keys]})

    def categories(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        return GraphResponse(200, {"value": list(mailbox.categories.values())})

    def category(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        return GraphResponse(200, _category(request, mailbox))

    def add_category(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        asked = request.json()
        name, colour = asked.get("displayName"), str(asked.get("color") or "none").lower()
        if not isinstance(name, str) or not name or colour not in _COLOURS:
            raise bad_request(
                "A category needs a displayName and a color from preset0 to preset24.", "ErrorInvalidRequest"
            )
        if any(one["displayName"].lower() == name.lower() for one in mailbox.categories.values()):
            raise GraphError(409, "CategoryNameDuplicate", "A category with this name exists already.")
        made = {"id": ids.stable_guid(mailbox.guid, "category", name), "displayName": name, "color": colour}
        mailbox.categories[made["id"]] = made
        return GraphResponse(201, made)

    def colour(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        found = _category(request, mailbox)
        asked = request.json()
        if "displayName" in asked and asked["displayName"] != found["displayName"]:
            raise bad_request("The displayName of a category cannot be changed.", "ErrorInvalidRequest")
        found["color"] = str(asked.get("color", found["color"])).lower()
        return GraphResponse(200, found)

    def drop_category(self, request: GraphRequest, mailbox: SimGraphMailbox) -> GraphResponse:
        del mailbox.categories[_category(request, mailbox)["id"]]
        return GraphResponse(204)


def _category(request: GraphRequest, mailbox: SimGraphMailbox) -> dict[str, Any]:
    found = mailbox.categories.get(request.params["category"])
    if found is None:
        raise not_found()
    return found


def _person(mailbox: SimGraphMailbox) -> dict[str, Any]:
    given, _, family = mailbox.name.partition(" ")
    return {
        "businessPhones": [],
        "displayName": mailbox.name,
        "givenName": given,
        "jobTitle": None,
        "mail": mailbox.address,
        "mobilePhone": None,
        "officeLocation": None,
        "preferredLanguage": None,
        "surname": family,
        "userPrincipalName": mailbox.address,
        "id": mailbox.guid,
    }


def _translated(mailbox: SimGraphMailbox, key: str, target: str) -> dict[str, Any]:
    item = mailbox.by_id.get(key)
    if item is None:
        return {
            "sourceId": key,
            "errorDetails": {"code": "ErrorInvalidIdMalformed", "message": "Id is malformed."},
        }
    return {"sourceId": key, "targetId": item.id_for(immutable=target == "restImmutableEntryId")}
