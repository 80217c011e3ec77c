"""Runs that come to their end at the same moment close in one commit."""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import UUID

import structlog

from postroom.db.pool import Tx
from postroom.logs import words

if TYPE_CHECKING:
    from postroom.engine.work import Work

WAITS_SECONDS = 0.025  # how long the first of them waits for the others
Said = TypeVar("Said")
Recording = Callable[[Tx, Sequence[tuple["Work[Any]", Said]]], Awaitable[None]]
Finishing = Callable[[Sequence["Work[Any]"]], contextlib.AbstractAsyncContextManager[Tx]]
log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Member:
    """A run that has come to its end, what it has to say and how that is recorded; and whether others took it along."""

    work: Work[Any]
    said: Any
    record: Recording[Any]
    closed: asyncio.Future[bool]


@dataclass(slots=True)
class _Companions:
    """Of one tenant and kind: the runs that may yet come to their end, and those that wait for them."""

    coming: set[int] = field(default_factory=set)
    waiting: list[_Member] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None


class Company:
    """Of one worker. Who is alone waits for nobody, and nobody fails for another: what fails together is done alone."""

    def __init__(self, finishing: Finishing) -> None:
        self._finishing = finishing
        self._groups: defaultdict[tuple[UUID, str], _Companions] = defaultdict(_Companions)
        self._closing: set[asyncio.Task[None]] = set()

    @contextlib.contextmanager
    def expects(self, work: Work[Any]) -> Iterator[None]:
        """For as long as a run is under way that may close with others."""
        place = work.tenant_id, work.claimed.kind
        group = self._groups[place]
        group.coming.add(work.claimed.id)
        try:
            yield
        finally:
            group.coming.discard(work.claimed.id)
            if not group.coming:
                self._close(group)
                if self._groups.get(place) is group:
                    del self._groups[place]

    async def closes(self, work: Work[Any], said: Said, record: Recording[Said]) -> bool:
        """Whether this run was closed with others. If not, it closes by itself."""
        group = self._groups.get((work.tenant_id, work.claimed.kind), _Companions())
        group.coming.discard(work.claimed.id)
        if work.was_begun_before or not (group.coming or group.waiting):
            return False
        loop = asyncio.get_running_loop()
        member = _Member(work, said, record, loop.create_future())
        work.context = copy_context()
        group.waiting.append(member)
        if not group.coming:
            self._close(group)
        elif group.timer is None:
            group.timer = loop.call_later(WAITS_SECONDS, self._close, group)
        return await member.closed

    def _close(self, group: _Companions) -> None:
        if group.timer is not None:
            group.timer.cancel()
        members = [each for each in group.waiting if not each.closed.done()]  # some may have been stopped
        group.waiting, group.timer = [], None
        if len(members) == 1:
            members[0].closed.set_result(False)
        elif members:
            closing = asyncio.create_task(self._close_together(members))
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)

    async def _close_together(self, members: Sequence[_Member]) -> None:
        together = False
        structlog.contextvars.clear_contextvars()  # of whoever came last
        try:
            async with self._finishing([each.work for each in members]) as tx:
                await members[0].record(tx, [(each.work, each.said) for each in members])
            together = True
        except Exception as problem:  # noqa: BLE001 - each does it alone now, and meets what is wrong if it is its own
            about = {"tenant": str(members[0].work.tenant_id), "jobs": [each.work.claimed.id for each in members]}
            log.info("closing together failed", **about, **words(problem))
        finally:
            for each in members:
                if not each.closed.done():
                    each.closed.set_result(together)
