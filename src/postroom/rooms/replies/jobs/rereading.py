"""Papers that were read with the words of an older release are read again, a few at a time."""

from __future__ import annotations

import asyncio

from postroom.db.pool import Tx
from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.rooms.replies.jobs.definitions import ReadPapersAnew
from postroom.rooms.replies.ports import DraftPorts
from postroom.rooms.replies.rules.papers import kept_as, read_paper
from postroom.rooms.replies.store import evidence
from postroom.rooms.replies.store.evidence import EvidenceBody

AT_ONCE = 10


@works(ReadPapersAnew)
async def read_papers_anew(job: ReadPapersAnew, work: Work[DraftPorts]) -> None:
    """Page by page, each a commit of its own: a paper is always found, by its old terms or by its new ones."""
    del job
    while True:
        async with work.step() as tx:
            await evidence.lock(tx, work.tenant_id)
            page = await evidence.read_by_another(tx, AT_ONCE)
            for held in page:
                await _read_anew(tx, work, held)
        if len(page) < AT_ONCE:
            return


async def _read_anew(tx: Tx, work: Work[DraftPorts], held: EvidenceBody) -> None:
    kind = kept_as(held.kind)
    paper = await asyncio.to_thread(read_paper, held.name, held.body, kind, held.audience, held.valid_until)
    await evidence.put_anew(tx, work.tenant_id, held.id, paper, "answer" if held.kind == "answer" else "paper")
