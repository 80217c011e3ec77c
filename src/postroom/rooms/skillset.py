"""Skills, on one page: which room's command each one is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol
from uuid import UUID

from postroom import reads
from postroom.engine.work import TenantScope
from postroom.nouns.errors import NotFound
from postroom.nouns.ids import MessageId, ThreadId
from postroom.nouns.mail import MailMessage
from postroom.nouns.walks import NO_MAIL, Walk
from postroom.ports import Encoder, Model
from postroom.rooms.documents.commands import AttachedFile, fetch_attachment
from postroom.rooms.documents.commands.attachments import Fetching
from postroom.rooms.outbox.commands import MailProposal, WantedMail, propose
from postroom.rooms.outbox.ports import ProposingPorts
from postroom.rooms.replies.commands import preview_reply
from postroom.rooms.skills.commands import SkillGrounds, SkillResult, SkillRun, run_skill
from postroom.rooms.skills.rules import ANALYSE, FETCH_ATTACHMENT, SEND
from postroom.rooms.triage.commands import MailAnalysis, analyse_message, analyse_thread, analyse_words
from postroom.rooms.triage.rules.analysis import Analysis


class AskingPorts(Protocol):
    """What analysing asks of the outside."""

    @property
    def model(self) -> Model | None: ...

    @property
    def encoder(self) -> Encoder | None: ...


async def run_analyse(
    who: TenantScope,
    outside: AskingPorts,
    *,
    message_id: UUID | None = None,
    thread_id: UUID | None = None,
    mails: Sequence[MailMessage] = (),
) -> SkillRun[Analysis | None]:
    """A message that we keep, else a thread, else mails that we are shown."""
    if message_id is not None:
        walk = await _walk_of_message(who, message_id)
    else:
        walk = await _walk_of_thread(who, thread_id) if thread_id is not None else NO_MAIL

    async def analyse() -> SkillResult[Analysis | None]:
        if message_id is not None:
            found = await analyse_message(who, outside.model, MessageId(message_id))
        elif thread_id is not None:
            found = await analyse_thread(who, outside.model, ThreadId(thread_id))
        else:
            found = await analyse_words(who, outside.model, mails)
        return await _with_answer(who, outside, found)

    return await run_skill(who, ANALYSE, walk, analyse)


async def _with_answer(who: TenantScope, outside: AskingPorts, found: MailAnalysis) -> SkillResult[Analysis | None]:
    """An answer only where triage leaves one to be made, and only what papers support."""
    asked, verdict, latest = found.asked, found.verdict, found.thread.latest
    grounds = SkillGrounds(asked.name, asked.model) if asked.name else SkillGrounds()
    if found.analysis is None or verdict.action != "draft" or latest is None:
        return SkillResult(found.analysis, verdict.because, grounds)
    preview = await preview_reply(who, outside.model, outside.encoder, found.thread, latest)
    analysis = replace(found.analysis, draft_response=preview.body)
    because = f"{verdict.because} {preview.because}".strip()
    looked_up = replace(grounds, searched=preview.searched, evidence_ids=preview.documents)
    return SkillResult(analysis, because, looked_up)


async def run_fetch_attachment(
    who: TenantScope, outside: Fetching, message_id: UUID, sha256: str
) -> SkillRun[AttachedFile]:
    walk = await _walk_of_message(who, message_id)

    async def fetch() -> SkillResult[AttachedFile]:
        return SkillResult(await fetch_attachment(who, outside, message_id, sha256), "The file is kept.")

    return await run_skill(who, FETCH_ATTACHMENT, walk, fetch)


async def run_send(
    who: TenantScope, outside: ProposingPorts, wanted: WantedMail, origin: str
) -> SkillRun[MailProposal]:
    """Sends nothing: the proposal waits for a person, who sees exactly what would go out."""
    walk = await _walk_of_message(who, wanted.message_id) if wanted.message_id is not None else NO_MAIL

    async def ask() -> SkillResult[MailProposal]:
        made = await propose(who, outside, wanted, origin)
        because = f"It waits for {'a person' if made.needed == 1 else f'{made.needed} people'} to agree."
        return SkillResult(made, because, outcome="waiting", proposal_id=made.id)

    return await run_skill(who, SEND, walk, ask)


async def _walk_of_message(who: TenantScope, message_id: UUID) -> Walk:
    async with who.read() as tx:
        found = await reads.messages.message(tx, message_id)
        thread = await reads.threads.thread(tx, found.thread_id) if found and found.thread_id else None
    if found is None:
        raise NotFound(f"There is no message {message_id}.")
    thread_ref = thread.provider_thread_id if thread else None
    return Walk(found.mailbox_id, found.thread_id, found.id, thread_ref, found.provider_message_id)


async def _walk_of_thread(who: TenantScope, thread_id: UUID) -> Walk:
    async with who.read() as tx:
        found = await reads.threads.thread(tx, thread_id)
    if found is None:
        raise NotFound(f"There is no thread {thread_id}.")
    return Walk(found.mailbox_id, found.id, None, found.provider_thread_id)
