"""Traces, if somebody collects them: a run is a span, and what it sets in motion belongs to the same trace.

The context travels with a job's arguments: one trace leads from the notification to the draft, across processes.
Without a collector nothing is made and nothing is carried.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Protocol

CARRIED = "traceparent"  # https://www.w3.org/TR/trace-context/


class Tracing(Protocol):
    """What a collector's client can do."""

    def span(
        self, name: str, parent: str | None, attributes: Mapping[str, str | int]
    ) -> AbstractContextManager[object]: ...

    def current(self) -> str | None:
        """The span we are in, as it is carried to another process."""


_collected_by: list[Tracing] = []


@contextlib.contextmanager
def collected_by(tracing: Tracing) -> Iterator[None]:
    """For as long as the house is open."""
    _collected_by.append(tracing)
    try:
        yield
    finally:
        _collected_by.remove(tracing)


def span(name: str, parent: str | None, attributes: Mapping[str, str | int]) -> AbstractContextManager[object]:
    if not _collected_by:
        return contextlib.nullcontext()
    return _collected_by[-1].span(name, parent, attributes)


def carried() -> dict[str, str]:
    """What goes along with a job."""
    if not _collected_by or (here := _collected_by[-1].current()) is None:
        return {}
    return {CARRIED: here}
