"""Delta over one folder: positions in its journal, retained generations, and the quirks of the field."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any
from urllib.parse import quote

from postroom_simulators.faults import Faults
from postroom_simulators.recorder import Recorder

from . import filters, listing, views
from .items import SimGraphFolder, SimGraphItem
from .mailbox import SimGraphMailbox
from .request import GraphError, GraphRequest, GraphResponse, bad_request

_CAP = 5000  # a filtered delta never returns more than this in its first round
_RETAINED = 3  # generations that the service still knows
_PAGE = 10


@dataclass(slots=True)
class DeltaState:
    """Where a link stands: next position in the journal, and messages of the first round still to name."""

    position: int
    pending: list[SimGraphItem] = field(default_factory=list)
    named: int = 0
    blank: bool = False  # an empty page went before


@dataclass(slots=True)
class DeltaChain:
    """One walk through a folder's changes, with the options of its first call."""

    number: int
    mailbox: SimGraphMailbox
    folder: SimGraphFolder
    place: str
    select: tuple[str, ...]
    chosen: filters.MessageFilter | None
    only: str
    size: int
    immutable: bool
    expand: str
    highest: int = 0
    states: dict[int, DeltaState] = field(default_factory=dict)

    def keep(self, state: DeltaState) -> str:
        """A new generation; the oldest beyond the retained ones is forgotten."""
        self.highest += 1
        self.states[self.highest] = state
        self.states.pop(self.highest - _RETAINED, None)
        return base64.urlsafe_b64encode(f"{self.number}.{self.highest}.{self.folder.id[-12:]}".encode()).decode()


class DeltaQueries:
    """All walks under way."""

    def __init__(self, faults: Faults, recorder: Recorder) -> None:
        self._faults = faults
        self._recorder = recorder
        self._chains: dict[int, DeltaChain] = {}
        self._numbers = count(1)

    def expire(self, mailbox: SimGraphMailbox | None = None) -> None:
        """Every link given out so far, of one mailbox or all, answers 410 from now on."""
        for chain in self._chains.values():
            if mailbox is None or chain.mailbox is mailbox:
                chain.states.clear()
                chain.highest += _RETAINED

    def answer(self, request: GraphRequest, mailbox: SimGraphMailbox, folder: SimGraphFolder) -> GraphResponse:
        token = request.option("skiptoken") or request.option("deltatoken")
        if token and token != "latest":  # noqa: S105 - a word of the protocol
            chain, state = self._resume(request, folder, token)
        else:
            chain, state = self._begin(request, mailbox, folder)
        if size := request.prefer.get("odata.maxpagesize"):
            chain.size = max(1, min(int(size), 1000)) if size.isdigit() else chain.size
            request.applied.append(f"odata.maxpagesize={chain.size}")
        if "odata.track-changes" in request.prefer:
            request.applied.append("odata.track-changes")
        return self._page(request, chain, state)

    def _begin(
        self, request: GraphRequest, mailbox: SimGraphMailbox, folder: SimGraphFolder
    ) -> tuple[DeltaChain, DeltaState]:
        chosen = filters.parse(request.option("filter")) if request.option("filter") else None
        if chosen and any(
            c not in {("receivedDateTime", "ge"), ("receivedDateTime", "gt")} for c in chosen.comparisons
        ):
            raise bad_request(
                "Change tracking supports only receivedDateTime with ge or gt.", "ErrorInvalidUrlQueryFilter"
            )
        if request.option("search"):
            raise bad_request("$search is not supported with change tracking.", "ErrorInvalidUrlQuery")
        if request.option("orderby") not in {"", "receivedDateTime desc"}:
            raise bad_request("Change tracking orders only by receivedDateTime desc.", "ErrorInvalidUrlQuery")
        only = request.query.get("changeType", "")
        if only not in {"", "created", "updated", "deleted"}:
            raise bad_request(f"Invalid changeType '{only}'.", "ErrorInvalidUrlQuery")
        size = request.number("top", _PAGE, lowest=1, highest=1000)
        select = listing.selected(request)
        chain = DeltaChain(
            next(self._numbers),
            mailbox,
            folder,
            request.path,
            select,
            chosen,
            only,
            size,
            request.immutable,
            request.option("expand"),
        )
        self._chains[chain.number] = chain
        return chain, DeltaState(len(folder.journal), _first_round(folder, chosen))

    def _resume(self, request: GraphRequest, folder: SimGraphFolder, token: str) -> tuple[DeltaChain, DeltaState]:
        try:
            number, generation = map(int, base64.urlsafe_b64decode(token).decode().split(".")[:2])
        except ValueError:
            raise bad_request("Badly formed token.", "ErrorInvalidSyncStateData") from None
        chain = self._chains.get(number)
        if chain is None or chain.folder is not folder or generation not in chain.states:
            raise self._lost(request, chain, generation)
        if chain.immutable and not request.immutable:
            self._recorder.mistake(f"delta of {chain.mailbox.address}: a later page was asked without ImmutableId")
        return chain, chain.states[generation]

    def _lost(self, request: GraphRequest, chain: DeltaChain | None, generation: int) -> GraphError:
        highest = chain.highest if chain else generation + 8
        kept = "".join(f"[{highest - back}]" for back in (0, 2, 1))
        text = f"The sync state generation is not found; generation={generation};[highest={highest}]{kept}."
        place = f"{request.root}/{quote(request.path, safe='/$()')}?$deltatoken="
        return GraphError(410, "SyncStateNotFound", text, {"Location": place})

    def _page(self, request: GraphRequest, chain: DeltaChain, state: DeltaState) -> GraphResponse:
        body: dict[str, Any] = {"@odata.context": f"{request.root}/$metadata#Collection(message)"}
        switches = self._faults.switches
        if not state.blank and self._faults.strikes(switches.empty_page):
            body["@odata.nextLink"] = self._link(request, chain, "skiptoken", replace(state, blank=True))
            return GraphResponse(200, {**body, "value": []})
        values, after, more = self._collect(request, chain, state)
        if self._faults.strikes(switches.repeat_in_delta) and values:
            values.append(values[self._faults.pick(len(values))])
        if more:
            body["@odata.nextLink"] = self._link(request, chain, "skiptoken", after)
        else:
            name = "skiptoken" if self._faults.strikes(switches.skiptoken_delta_link) else "deltatoken"
            body["@odata.deltaLink"] = self._link(request, chain, name, after)
        return GraphResponse(200, {**body, "value": values})

    def _link(self, request: GraphRequest, chain: DeltaChain, name: str, state: DeltaState) -> str:
        return f"{request.root}/{quote(chain.place, safe='/$()')}?${name}={chain.keep(state)}"

    def _collect(
        self, request: GraphRequest, chain: DeltaChain, state: DeltaState
    ) -> tuple[list[dict[str, Any]], DeltaState, bool]:
        if state.named < len(state.pending):
            named = state.named + chain.size
            now = state.pending[state.named : named]
            shown = [_named(request, chain, item) for item in now if item.folder is chain.folder]
            more = named < len(state.pending)
            return shown, DeltaState(state.position, state.pending if more else [], named if more else 0), more
        values: dict[str, dict[str, Any]] = {}
        position = state.position
        journal = chain.folder.journal
        while position < len(journal) and len(values) < chain.size:
            values.update(self._told(request, chain, *journal[position]))
            position += 1
        return list(values.values()), DeltaState(position), position < len(journal)

    def _told(
        self, request: GraphRequest, chain: DeltaChain, kind: str, item: SimGraphItem, mutable_id: str
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """What one line of the journal says to this walk, if anything."""
        here = item.folder is chain.folder and item.immutable_id in chain.mailbox.by_id
        key = item.immutable_id if request.immutable else mutable_id
        if kind == "removed":
            back = here and request.immutable
            if chain.only in {"", "deleted"} and not back:
                removed = {
                    "@odata.type": "#microsoft.graph.message",
                    "id": key,
                    "@removed": {"reason": "deleted"},
                }
                yield key, removed
            return
        if not here or item.mutable_id != mutable_id:
            return  # left this folder since; its removal follows in the journal
        if chain.only and chain.only != ("updated" if kind == "read" else kind):
            return
        if self._faults.switches.delta_misses_return and request.immutable and kind == "created" and item.moves > 1:
            return
        if chain.chosen is None or chain.chosen.test(item):
            yield key, _named(request, chain, item)
        elif kind == "read":
            yield key, {"@odata.type": "#microsoft.graph.message", "id": key, "isRead": item.is_read}


def _first_round(folder: SimGraphFolder, chosen: filters.MessageFilter | None) -> list[SimGraphItem]:
    found: list[SimGraphItem] = []
    for item in folder.newest_first():
        if chosen and chosen.since is not None and item.received < chosen.since:
            break
        if chosen is None or chosen.test(item):
            found.append(item)
        if chosen and len(found) == _CAP:
            break
    return found


def _named(request: GraphRequest, chain: DeltaChain, item: SimGraphItem) -> dict[str, Any]:
    return {
        "@odata.type": "#microsoft.graph.message",
        **views.message(request, item, chain.mailbox, chain.select, chain.expand),
    }
