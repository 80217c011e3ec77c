"""Faults ordered in advance: the next requests of one kind fail in a chosen way, before or after their effect."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal, TypeVar, get_args

T = TypeVar("T")

FaultKind = Literal[
    "lost_request",  # nothing happens, and the connection breaks without an answer
    "lost_response",  # it happens, and the connection breaks without an answer
    "error_before",  # nothing happens, and the answer is 500
    "error_after",  # it happens, and the answer is 500 all the same
    "throttled",  # nothing happens, and the mailbox is throttled from now on
    "conflict",  # nothing happens, and the answer is 409
    "precondition_failed",  # nothing happens, and the answer is 412
    "race",  # a person gets in first: they edit the draft that the request names, or do what `act` says
]


class ConnectionDropped(Exception):
    """The client gets no answer."""


@dataclass(slots=True)
class PlannedFault:
    operation: str  # a name or a pattern: `graph.messages.send`, `gmail.drafts.*`, `*.send`
    kind: FaultKind
    times: int = 1  # how many requests it still hits
    mailbox: str = ""  # empty is any
    seconds: float = 0.0  # how long the line stays open before it breaks, in real time
    act: Callable[[], object] | None = None  # for a race: what the person does
    hits: int = 0

    def meets(self, operation: str, mailbox: str) -> bool:
        here = not self.mailbox or self.mailbox.lower() == mailbox.lower()
        return self.times > 0 and here and fnmatchcase(operation, self.operation)

    def as_dict(self) -> dict[str, Any]:
        named = ("operation", "kind", "times", "mailbox", "seconds", "hits")
        return {name: getattr(self, name) for name in named}


class PlannedFaults:
    """What is still to go wrong, in the order in which it was planned."""

    def __init__(self) -> None:
        self.all: list[PlannedFault] = []

    def add(self, fault: PlannedFault) -> PlannedFault:
        if fault.kind not in get_args(FaultKind):
            raise ValueError(f"Unknown kind of fault {fault.kind!r}; known are {', '.join(get_args(FaultKind))}.")
        if fault.times < 1:
            raise ValueError(f"A planned fault hits at least one request, not {fault.times}.")
        self.all.append(fault)
        return fault

    def take(self, operation: str, mailbox: str) -> PlannedFault | None:
        """The fault that hits this request, used up once."""
        for fault in self.all:
            if fault.meets(operation, mailbox):
                fault.times -= 1
                fault.hits += 1
                return fault
        return None

    def clear(self) -> None:
        self.all.clear()


async def meet(
    fault: PlannedFault,
    effect: Callable[[], Awaitable[T]],
    refusal: Callable[[FaultKind], Exception],
    race: Callable[[], object],
) -> T:
    """Let the request run into the fault: `refusal` words the provider's error, `race` is what a person does."""
    match fault.kind:
        case "lost_request":
            await asyncio.sleep(fault.seconds)
            raise ConnectionDropped(fault.kind)
        case "lost_response":
            await effect()
            await asyncio.sleep(fault.seconds)
            raise ConnectionDropped(fault.kind)
        case "error_after":
            await effect()
            raise refusal(fault.kind)
        case "race":
            (fault.act or race)()
            return await effect()
        case _:
            raise refusal(fault.kind)
