"""Everything the client did, kept for assertions."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """One request that reached a simulator, or one push that left it."""

    at: float
    api: str  # graph, entra, gmail, google, pubsub, push
    method: str
    path: str
    status: int
    mailbox: str = ""
    note: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class Recorder:
    """The newest calls, counts of all of them, and the client's mistakes."""

    def __init__(self, keep: int = 20_000) -> None:
        self.calls: deque[RecordedCall] = deque(maxlen=keep)
        self.counts: Counter[tuple[str, str, int]] = Counter()
        self.mistakes: list[str] = []  # things a well-behaved client never does

    def record(self, call: RecordedCall) -> None:
        self.calls.append(call)
        self.counts[call.api, call.method, call.status] += 1

    def mistake(self, text: str) -> None:
        self.mistakes.append(text)

    def where(self, test: Callable[[RecordedCall], bool]) -> Iterator[RecordedCall]:
        return (call for call in self.calls if test(call))

    def clear(self) -> None:
        self.calls.clear()
        self.counts.clear()
        self.mistakes.clear()

    def as_dict(self, last: int = 200) -> dict[str, Any]:
        return {
            "calls": [asdict(call) for call in list(self.calls)[-last:]],
            "counts": [{"api": a, "method": m, "status": s, "times": n} for (a, m, s), n in self.counts.items()],
            "mistakes": list(self.mistakes),
        }
