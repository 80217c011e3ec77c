"""Pages of messages: filter, order, search, select, and the link to the next page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any
from urllib.parse import quote, urlencode

from . import filters, views
from .bodies import as_text
from .items import ItemIndex, SimGraphFolder, SimGraphItem
from .mailbox import SimGraphMailbox
from .request import GraphError, GraphRequest, bad_request


def page(request: GraphRequest, mailbox: SimGraphMailbox, folder: SimGraphFolder | None) -> dict[str, Any]:
    """One page of a folder, or of the whole mailbox including Deleted Items."""
    top = request.number("top", 10, lowest=1, highest=1000)
    skip = request.number("skip", 0, lowest=0, highest=10_000_000)
    select = selected(request)
    rows = _rows(request, mailbox, folder)
    counted: dict[str, Any] = {}
    if request.option("count") == "true":
        rows = list(rows)
        counted = {"@odata.count": len(rows)}
    found = list(islice(rows, skip, skip + top + 1))
    place = f"mailFolders('{quote(folder.id)}')/messages" if folder else "messages"
    answer = {"@odata.context": f"{request.root}/$metadata#users('{mailbox.guid}')/{place}", **counted}
    answer["value"] = [views.message(request, item, mailbox, select) for item in found[:top]]
    if len(found) > top:
        answer["@odata.nextLink"] = next_link(request, {"$top": str(top), "$skip": str(skip + top)})
    return answer


def next_link(request: GraphRequest, changed: dict[str, str]) -> str:
    kept = {name: text for name, text in request.query.items() if name.lstrip("$") not in _bare(changed)}
    return f"{request.root}/{quote(request.path, safe='/$()')}?{urlencode({**kept, **changed}, safe='$')}"


def _bare(changed: dict[str, str]) -> set[str]:
    return {name.lstrip("$") for name in changed}


def selected(request: GraphRequest) -> tuple[str, ...]:
    names = views.selected(request)
    for name in names:
        if name.split("/")[0] not in views.KNOWN:
            raise bad_request(
                f"Could not find a property named '{name}' on type 'Microsoft.OutlookServices.Message'.",
                "RequestBroker--ParseUri",
            )
    return tuple(name.split("/")[0] for name in names)


def count_of(request: GraphRequest, mailbox: SimGraphMailbox, folder: SimGraphFolder | None) -> int:
    return sum(1 for _ in _rows(request, mailbox, folder))


def _rows(request: GraphRequest, mailbox: SimGraphMailbox, folder: SimGraphFolder | None) -> Iterable[SimGraphItem]:
    order = _order(request)
    chosen = filters.parse(request.option("filter")) if request.option("filter") else None
    if chosen and order:
        refuse_inefficient(chosen, [name for name, _ in order])
    rows: Iterable[SimGraphItem] = (item for item in _candidates(mailbox, folder, chosen) if mailbox.visible(item))
    if chosen:
        rows = filter(chosen.test, rows)
    if search := request.option("search"):
        rows = _search(rows, search)
    if not order or order == [("receivedDateTime", True)]:
        return rows
    ordered = list(rows)
    for name, descending in reversed(order):
        ordered.sort(key=lambda item: _sortable(item, name), reverse=descending)
    return ordered


def _candidates(
    mailbox: SimGraphMailbox, folder: SimGraphFolder | None, chosen: filters.MessageFilter | None
) -> Iterator[SimGraphItem]:
    """As few as the filter's equalities allow, newest first."""
    known = chosen.equals if chosen else {}
    if "internetMessageId" in known or "conversationId" in known:
        few = mailbox.by_message_id.get(known.get("internetMessageId", ""), [])
        few = few or mailbox.conversations.get(known.get("conversationId", ""), [])
        here = [item for item in few if folder is None or item.folder is folder]
        return iter(sorted(here, key=lambda item: (-item.received, -item.serial)))
    shelf: ItemIndex = folder if folder is not None else mailbox.everything
    since = chosen.since if chosen else None
    return shelf.newest_first() if since is None else _till(shelf.newest_first(), since)


def _till(items: Iterator[SimGraphItem], since: float) -> Iterator[SimGraphItem]:
    for item in items:
        if item.received < since:
            return
        yield item


def _order(request: GraphRequest) -> list[tuple[str, bool]]:
    order = []
    for clause in filter(None, (one.strip() for one in request.option("orderby").split(","))):
        name, _, direction = clause.partition(" ")
        if name.split("/")[0] not in views.KNOWN:
            raise bad_request(f"Could not find a property named '{name}'.", "RequestBroker--ParseUri")
        order.append((name, direction.strip().lower() == "desc"))
    return order


def refuse_inefficient(chosen: filters.MessageFilter, ordered: list[str]) -> None:
    """What is ordered by must come first in the filter, in the same order."""
    first = list(dict.fromkeys(chosen.properties))[: len(ordered)]
    if first != ordered:
        raise GraphError(400, "InefficientFilter", "The restriction or sort order is too complex for this operation.")


def _sortable(item: SimGraphItem, name: str) -> Any:
    value: Any = views.value_of(item, name.split("/")[0])
    for step in name.split("/")[1:]:
        value = value.get(step) if isinstance(value, dict) else None
    return str(value or "").lower()


def _search(rows: Iterable[SimGraphItem], search: str) -> Iterator[SimGraphItem]:
    """Words in subject, sender or body; `field:word` narrows. Much less than KQL, enough to find a mail."""
    wanted = re.findall(r"(?:(\w+):)?([^\s\"]+)", search.strip('"').lower())
    for item in rows:
        sender = ((item.props.get("from") or {}).get("emailAddress") or {}).values()
        texts = {
            "subject": str(item.props["subject"]).lower(),
            "from": " ".join(map(str, sender)).lower(),
            "body": as_text(item.props["body"]).lower(),
        }
        if all(word in (texts.get(field, "") if field else " ".join(texts.values())) for field, word in wanted):
            yield item
