"""A thread from the provider's truth: every message with its labels, and the words of each."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from postroom.engine.work import Work
from postroom.nouns.conversations import Conversation
from postroom.nouns.errors import Gone
from postroom.nouns.providers import ProviderRef
from postroom.nouns.threads import MailThread, ThreadMessage
from postroom.ports import CopilotMailbox
from postroom.rooms.triage.ports import TriagePorts
from postroom.rooms.triage.rules import turns
from postroom.rooms.triage.rules.turns import KeptTurn
from postroom.rooms.triage.store import threads
from postroom.rooms.triage.store.threads import ThreadCase


@dataclass(frozen=True, slots=True)
class ThreadRead:
    """The thread as it is now, with what is news to us."""

    thread: MailThread
    conversation: Conversation
    kept: dict[ProviderRef, KeptTurn]
    news: Sequence[KeptTurn]
    gone: Sequence[str]


async def read_thread(
    work: Work[TriagePorts], box: CopilotMailbox, case: ThreadCase, held: Sequence[KeptTurn]
) -> ThreadRead:
    thread = await thread_now(box, case)
    known = {each.ref: each for each in held}
    wanting = [each for each in thread.messages if _wants(each, known.get(each.glimpse.ref))]
    news = await _from_held(work, case, [each for each in wanting if not each.is_draft])
    news += [turns.from_glimpse(each) for each in wanting if each.is_draft]
    now = {each.glimpse.ref for each in thread.messages if not each.is_draft}
    known = {ref: each for ref, each in known.items() if each.draft_ref is None or ref not in now}  # sent: read anew
    found = known | {each.ref: each for each in news}
    fetched = [await _fetched(work, case, each) for each in turns.worth_fetching(thread, found)]
    found |= {each.ref: each for each in fetched}
    conversation = turns.conversation(thread, found, our_drafts=case.our_drafts)
    return ThreadRead(thread, conversation, found, [*news, *fetched], turns.drafts_gone(held, thread))


async def thread_now(box: CopilotMailbox, case: ThreadCase) -> MailThread:
    """With nothing in it when nothing is left of it."""
    try:
        return await box.threads.thread(case.thread_ref)
    except Gone:
        return MailThread(case.thread_ref, [])


def _wants(seen: ThreadMessage, known: KeptTurn | None) -> bool:
    """New to us, another version of a draft, or kept before it had arrived."""
    if turns.discarded(seen):
        return False
    if known is None:
        return True
    if seen.is_draft:
        return known.version != seen.glimpse.version
    return known.draft_ref is not None or (known.message_id is None and not known.outgoing)


async def _from_held(work: Work[TriagePorts], case: ThreadCase, wanting: Sequence[ThreadMessage]) -> list[KeptTurn]:
    if not wanting:
        return []
    async with work.read() as tx:
        held = await threads.held_messages(tx, case.mailbox_id, [each.glimpse.ref for each in wanting])
    seen = {each.glimpse.ref: each for each in wanting}
    return await asyncio.to_thread(lambda: [turns.from_held(each, seen[each.ref]) for each in held])


async def _fetched(work: Work[TriagePorts], case: ThreadCase, seen: ThreadMessage) -> KeptTurn:
    """What we sent, and what came before we were connected."""
    try:
        raw = await work.outside.fetcher.fetch(work.tenant_id, case.mailbox_id, seen.glimpse.ref)
    except Gone:
        return turns.from_glimpse(seen)
    mail = await work.outside.reader.aread_mail(raw.raw, tenant=work.tenant_id)
    return await asyncio.to_thread(turns.from_mail, mail, seen)
