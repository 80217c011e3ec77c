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
from .asks import Answer, Ask, Refused, bad_request
from .items import Folder, Item
from .mailbox import Mailbox

_CAP = 5000  # a filtered delta never returns more than this in its first round
_RETAINED = 3  # generations that the service still knows
_PAGE = 10


@dataclass(slots=True)
class State:
    """Where a link stands: next position in the journal, and messages of the first round still to name."""

    position: int
    pending: list[Item] = field(default_factory=list)
    named: int = 0
    blank: bool = False  # an empty page went before


@dataclass(slots=True)
class Chain:
    """One walk through a folder's changes, with the options of its first call."""

    number: int
    mailbox: Mailbox
    folder: Folder
    place: str
    select: tuple[str, ...]
    chosen: filters.Filter | None
    only: str
    size: int
    immutable: bool
    highest: int = 0
    states: dict[int, State] = field(default_factory=dict)

    def keep(self, state: State) -> str:
        """A new generation; the oldest beyond the retained ones is forgotten."""
        self.highest += 1
        self.states[self.highest] = state
        self.states.pop(self.highest - _RETAINED, None)
        return base64.urlsafe_b64encode(f"{self.number}.{self.highest}.{self.folder.id[-12:]}".encode()).decode()


class Deltas:
    """All walks under way."""

    def __init__(self, faults: Faults, recorder: Recorder) -> None:
        self._faults = faults
        self._recorder = recorder
        self._chains: dict[int, Chain] = {}
        self._numbers = count(1)

    def expire(self, mailbox: Mailbox | None = None) -> None:
        """Every link given out so far, of one mailbox or all, answers 410 from now on."""
        for chain in self._chains.values():
            if mailbox is None or chain.mailbox is mailbox:
                chain.states.clear()
                chain.highest += _RETAINED

    def answer(self, ask: Ask, mailbox: Mailbox, folder: Folder) -> Answer:
        token = ask.option("skiptoken") or ask.option("deltatoken")
        if token and token != "latest":  # noqa: S105 - a word of the protocol
            chain, state = self._resume(ask, folder, token)
        else:
            chain, state = self._begin(ask, mailbox, folder)
        if size := ask.prefer.get("odata.maxpagesize"):
            chain.size = max(1, min(int(size), 1000)) if size.isdigit() else chain.size
            ask.applied.append(f"odata.maxpagesize={chain.size}")
        if "odata.track-changes" in ask.prefer:
            ask.applied.append("odata.track-changes")
        return self._page(ask, chain, state)

    def _begin(self, ask: Ask, mailbox: Mailbox, folder: Folder) -> tuple[Chain, State]:
        chosen = filters.parse(ask.option("filter")) if ask.option("filter") else None
        if chosen and any(
            c not in {("receivedDateTime", "ge"), ("receivedDateTime", "gt")} for c in chosen.comparisons
        ):
            raise bad_request(
                "Change tracking supports only receivedDateTime with ge or gt.", "ErrorInvalidUrlQueryFilter"
            )
        if ask.option("search"):
            raise bad_request("$search is not supported with change tracking.", "ErrorInvalidUrlQuery")
        if ask.option("orderby") not in {"", "receivedDateTime desc"}:
            raise bad_request("Change tracking orders only by receivedDateTime desc.", "ErrorInvalidUrlQuery")
        only = ask.query.get("changeType", "")
        if only not in {"", "created", "updated", "deleted"}:
            raise bad_request(f"Invalid changeType '{only}'.", "ErrorInvalidUrlQuery")
        size = ask.number("top", _PAGE, lowest=1, highest=1000)
        select = listing.selected(ask)
        chain = Chain(next(self._numbers), mailbox, folder, ask.path, select, chosen, only, size, ask.immutable)
        self._chains[chain.number] = chain
        return chain, State(len(folder.journal), _first_round(folder, chosen))

    def _resume(self, ask: Ask, folder: Folder, token: str) -> tuple[Chain, State]:
        try:
            number, generation = map(int, base64.urlsafe_b64decode(token).decode().split(".")[:2])
        except ValueError:
            raise bad_request("Badly formed token.", "ErrorInvalidSyncStateData") from None
        chain = self._chains.get(number)
        if chain is None or chain.folder is not folder or generation not in chain.states:
            raise self._lost(ask, chain, generation)
        if chain.immutable and not ask.immutable:
            self._recorder.mistake(f"delta of {chain.mailbox.address}: a later page was asked without ImmutableId")
        return chain, chain.states[generation]

    def _lost(self, ask: Ask, chain: Chain | None, generation: int) -> Refused:
        highest = chain.highest if chain else generation + 8
        kept = "".join(f"[{highest - back}]" for back in (0, 2, 1))
        text = f"The sync state generation is not found; generation={generation};[highest={highest}]{kept}."
        place = f"{ask.root}/{quote(ask.path, safe='/$()')}?$deltatoken="
        return Refused(410, "SyncStateNotFound", text, {"Location": place})

    def _page(self, ask: Ask, chain: Chain, state: State) -> Answer:
        body: dict[str, Any] = {"@odata.context": f"{ask.root}/$metadata#Collection(message)"}
        knobs = self._faults.knobs
        if not state.blank and self._faults.strikes(knobs.empty_page):
            body["@odata.nextLink"] = self._link(ask, chain, "skiptoken", replace(state, blank=True))
            return Answer(200, {**body, "value": []})
        values, after, more = self._collect(ask, chain, state)
        if self._faults.strikes(knobs.repeat_in_delta) and values:
            values.append(values[self._faults.pick(len(values))])
        if more:
            body["@odata.nextLink"] = self._link(ask, chain, "skiptoken", after)
        else:
            name = "skiptoken" if self._faults.strikes(knobs.skiptoken_delta_link) else "deltatoken"
            body["@odata.deltaLink"] = self._link(ask, chain, name, after)
        return Answer(200, {**body, "value": values})

    def _link(self, ask: Ask, chain: Chain, name: str, state: State) -> str:
        return f"{ask.root}/{quote(chain.place, safe='/$()')}?${name}={chain.keep(state)}"

    def _collect(self, ask: Ask, chain: Chain, state: State) -> tuple[list[dict[str, Any]], State, bool]:
        if state.named < len(state.pending):
            named = state.named + chain.size
            now = state.pending[state.named : named]
            shown = [_named(ask, chain, item) for item in now if item.folder is chain.folder]
            more = named < len(state.pending)
            return shown, State(state.position, state.pending if more else [], named if more else 0), more
        values: dict[str, dict[str, Any]] = {}
        position = state.position
        journal = chain.folder.journal
        while position < len(journal) and len(values) < chain.size:
            values.update(self._told(ask, chain, *journal[position]))
            position += 1
        return list(values.values()), State(position), position < len(journal)

    def _told(
        self, ask: Ask, chain: Chain, kind: str, item: Item, mutable_id: str
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """What one line of the journal says to this walk, if anything."""
        here = item.folder is chain.folder and item.immutable_id in chain.mailbox.by_id
        key = item.immutable_id if ask.immutable else mutable_id
        if kind == "removed":
            back = here and ask.immutable
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
        if self._faults.knobs.delta_misses_return and ask.immutable and kind == "created" and item.moves > 1:
            return
        if chain.chosen is None or chain.chosen.test(item):
            yield key, _named(ask, chain, item)
        elif kind == "read":
            yield key, {"@odata.type": "#microsoft.graph.message", "id": key, "isRead": item.is_read}


def _first_round(folder: Folder, chosen: filters.Filter | None) -> list[Item]:
    found: list[Item] = []
    for item in folder.newest_first():
        if chosen and chosen.since is not None and item.received < chosen.since:
            break
        if chosen is None or chosen.test(item):
            found.append(item)
        if chosen and len(found) == _CAP:
            break
    return found


def _named(ask: Ask, chain: Chain, item: Item) -> dict[str, Any]:
    return {
        "@odata.type": "#microsoft.graph.message",
        **views.message(ask, item, chain.mailbox, chain.select),
    }
