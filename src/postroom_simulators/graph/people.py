"""Users, their categories, and the translation between id formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import ids, views
from .asks import Answer, Ask, Refused, bad_request, not_found
from .mailbox import Mailbox
from .table import Route

_COLOURS = {"none", *(f"preset{number}" for number in range(25))}


class People:
    def __init__(self, mailboxes: Mapping[str, Mailbox]) -> None:
        self._mailboxes = mailboxes

    def routes(self) -> list[Route]:
        categories = "users/{user}/outlook/masterCategories"
        return [
            Route("GET", "users", service=self.list),
            Route("GET", "users/{user}", self.get, need="person"),
            Route("POST", "users/{user}/translateExchangeIds", self.translate, need="read"),
            Route("GET", categories, self.categories, need="person"),
            Route("POST", categories, self.add_category, need="person"),
            Route("GET", f"{categories}/{{category}}", self.category, need="person"),
            Route("PATCH", f"{categories}/{{category}}", self.colour, need="person"),
            Route("DELETE", f"{categories}/{{category}}", self.drop_category, need="person"),
        ]

    def list(self, ask: Ask) -> Answer:
        if not {"User.Read.All", "User.ReadBasic.All", "Directory.Read.All"} & ask.caller.scopes:
            text = "Insufficient privileges to complete the operation."
            raise Refused(403, "Authorization_RequestDenied", text)
        top = ask.number("top", 100, lowest=1, highest=999)
        skip = ask.number("skiptoken", 0, lowest=0, highest=10**9)
        rows = list(self._mailboxes.values())
        body: dict[str, Any] = {
            "@odata.context": f"{ask.root}/$metadata#users",
            "value": [_person(one) for one in rows[skip : skip + top]],
        }
        if len(rows) > skip + top:
            body["@odata.nextLink"] = f"{ask.root}/users?$top={top}&$skiptoken={skip + top}"
        return Answer(200, body)

    def get(self, ask: Ask, mailbox: Mailbox) -> Answer:
        shown = _person(mailbox)
        if select := views.selected(ask):
            shown = {name: shown.get(name) for name in select}
        return Answer(200, {"@odata.context": f"{ask.root}/$metadata#users/$entity", **shown})

    def translate(self, ask: Ask, mailbox: Mailbox) -> Answer:
        asked = ask.json()
        keys, target = asked.get("inputIds"), asked.get("targetIdType")
        if not isinstance(keys, list) or not 1 <= len(keys) <= 1000:
            raise bad_request("inputIds must have between 1 and 1000 entries.", "ErrorInvalidRequest")
        if target not in {"restId", "restImmutableEntryId"}:
            raise bad_request(f"targetIdType '{target}' is not supported here.", "ErrorInvalidRequest")
        return Answer(200, {"value": [_translated(mailbox, str(key), str(target)) for key in keys]})

    def categories(self, ask: Ask, mailbox: Mailbox) -> Answer:
        return Answer(200, {"value": list(mailbox.categories.values())})

    def category(self, ask: Ask, mailbox: Mailbox) -> Answer:
        return Answer(200, _category(ask, mailbox))

    def add_category(self, ask: Ask, mailbox: Mailbox) -> Answer:
        asked = ask.json()
        name, colour = asked.get("displayName"), str(asked.get("color") or "none").lower()
        if not isinstance(name, str) or not name or colour not in _COLOURS:
            raise bad_request(
                "A category needs a displayName and a color from preset0 to preset24.", "ErrorInvalidRequest"
            )
        if any(one["displayName"].lower() == name.lower() for one in mailbox.categories.values()):
            raise Refused(409, "CategoryNameDuplicate", "A category with this name exists already.")
        made = {"id": ids.stable_guid(mailbox.guid, "category", name), "displayName": name, "color": colour}
        mailbox.categories[made["id"]] = made
        return Answer(201, made)

    def colour(self, ask: Ask, mailbox: Mailbox) -> Answer:
        found = _category(ask, mailbox)
        asked = ask.json()
        if "displayName" in asked and asked["displayName"] != found["displayName"]:
            raise bad_request("The displayName of a category cannot be changed.", "ErrorInvalidRequest")
        found["color"] = str(asked.get("color", found["color"])).lower()
        return Answer(200, found)

    def drop_category(self, ask: Ask, mailbox: Mailbox) -> Answer:
        del mailbox.categories[_category(ask, mailbox)["id"]]
        return Answer(204)


def _category(ask: Ask, mailbox: Mailbox) -> dict[str, Any]:
    found = mailbox.categories.get(ask.params["category"])
    if found is None:
        raise not_found()
    return found


def _person(mailbox: Mailbox) -> dict[str, Any]:
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


def _translated(mailbox: Mailbox, key: str, target: str) -> dict[str, Any]:
    item = mailbox.by_id.get(key)
    if item is None:
        return {
            "sourceId": key,
            "errorDetails": {"code": "ErrorInvalidIdMalformed", "message": "Id is malformed."},
        }
    return {"sourceId": key, "targetId": item.id_for(immutable=target == "restImmutableEntryId")}
