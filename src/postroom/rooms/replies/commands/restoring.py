"""A person takes back that a draft was discarded: the same words stand in the mailbox again."""

from __future__ import annotations

from uuid import UUID

import msgspec

from postroom import reads
from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.drafts import MARKER_VERSION, Draft, DraftMarkers, OutgoingMail
from postroom.nouns.errors import Conflict, NotFound
from postroom.nouns.providers import ProviderRef
from postroom.ports import CopilotMailbox
from postroom.rooms.replies.commands.editing import OpenCopilot
from postroom.rooms.replies.jobs.looking import look
from postroom.rooms.replies.rules.ownership import as_html, as_intended, fingerprint
from postroom.rooms.replies.store import drafts, evidence, quotations
from postroom.rooms.replies.store.drafts import DraftCase, DraftRow

OVER = "Only the thread's last draft can be brought back, and only while it is discarded and its words are kept."


async def restore_draft(scope: TenantScope, open_copilot: OpenCopilot, draft_id: UUID) -> None:
    """Raises Conflict when something newer is in the thread, or a person writes there. Safe to repeat when cut off."""
    async with scope.read() as tx:
        was, case = await _gather(tx, draft_id)
    box = await open_copilot(scope.tenant_id, case.mailbox_id)
    draft = await _stands_again(box, case, was)
    print_ = fingerprint(draft)
    because = f"{spoken_actor(scope.actor)} brought it back."
    async with scope.finish() as tx:
        await evidence.share(tx, scope.tenant_id)
        if not await drafts.put_restored(tx, was.id, draft, print_, because, scope.now):
            raise Conflict(OVER)
        await quotations.put(tx, scope.tenant_id, was.id, quotations.quotations_of(was.claims))
        gone = await reads.papers.outdated(tx, was.id, scope.now.date())
        told = facts.DraftRestored(
            mailbox_id=was.mailbox_id,
            thread_id=was.thread_id,
            message_id=was.message_id,
            provider_thread_id=was.provider_thread_id,
            provider_message_id=was.message_ref,
            provider_draft_id=draft.ref,
            draft_id=was.id,
            state="needs_review" if was.questions else "ready",
            reason="draft_has_gaps" if was.questions else "draft_written",
            because=because,
            fingerprint=print_,
            outdated=bool(gone) and was.edited_by is None,
        )
        await scope.tell(tx, told)


async def _gather(tx: Tx, draft_id: UUID) -> tuple[DraftRow, DraftCase]:
    found = await drafts.drafts(tx, 1, draft_id=draft_id)
    if not found:
        raise NotFound(f"There is no draft {draft_id}.")
    [was] = found
    case = await drafts.draft_case(tx, was.thread_id)
    if case is None or was.status != "discarded" or not was.is_current or was.forgotten_at or case.draft is None:
        raise Conflict(OVER)
    return was, case


async def _stands_again(box: CopilotMailbox, case: DraftCase, was: DraftRow) -> Draft:
    """One that an earlier try wrote, whose answer was lost, is taken for it."""
    mail, marks = _mail(case, was), DraftMarkers(case.key, MARKER_VERSION, str(was.id))
    for each in await box.drafts.find_drafts(case.key, case.thread_ref):
        if as_intended(each, mail, marks):
            return each
    seen = await look(box, case)
    if seen.latest != was.message_ref:
        raise Conflict("Somebody wrote since: the draft answers an older message.")
    if seen.standing.persons_draft or case.intended is not None:
        raise Conflict("There is another draft in the thread by now.")
    return await box.drafts.create_draft(mail, marks)


def _mail(case: DraftCase, was: DraftRow) -> OutgoingMail:
    held = msgspec.convert(case.held, Draft)
    return OutgoingMail(
        to=tuple(was.recipients),
        subject=was.subject,
        text=was.body,
        html=as_html(was.body, case.key),
        cc=held.cc,
        answers=ProviderRef(was.message_ref),
        bcc=held.bcc,
    )
