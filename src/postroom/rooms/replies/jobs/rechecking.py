"""Drafts that nobody touched are written anew when a paper that they quote does not say so any more."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns.jobs import Enqueue, Priority
from postroom.rooms.replies.jobs.definitions import DraftReply, RecheckDrafts
from postroom.rooms.replies.ports import DraftPorts
from postroom.rooms.replies.store import quotations
from postroom.rooms.replies.store.quotations import QuotedWords

PAPERS_AT_ONCE, DRAFTS_AT_ONCE = 50, 200


@works(RecheckDrafts)
async def recheck_drafts(job: RecheckDrafts, work: Work[DraftPorts]) -> None:
    """All that waiting drafts quote, paper by paper: what was missed before, whatever the reason, is found as well."""
    del job
    work.found_nothing()
    after = ""
    while True:
        async with work.read() as tx:
            names = await quotations.quoted_papers(tx, after, PAPERS_AT_ONCE)
            gone = await quotations.gone(tx, names, work.now.date())
        if gone:
            await _draft_anew(work, gone)
        if len(names) < PAPERS_AT_ONCE:
            return
        after = names[-1]


async def _draft_anew(work: Work[DraftPorts], gone: Sequence[QuotedWords]) -> None:
    """Page by page, each a commit of its own. The job of each thread looks itself whether there is something to do."""
    after = UUID(int=0)
    while True:
        async with work.step() as tx:
            page = await quotations.drafts_that_quote(tx, gone, after, DRAFTS_AT_ONCE, work.now)
            jobs = [DraftReply(each.mailbox_id, each.thread_id) for each in page]
            await work.enqueue(tx, *(Enqueue(each, priority=Priority.ROUTINE) for each in jobs))
        if len(page) < DRAFTS_AT_ONCE:
            return
        after = page[-1].thread_id
