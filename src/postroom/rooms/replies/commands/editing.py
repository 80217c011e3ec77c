"""A person changes a draft at the console: written over the version that was shown, and a person's from then on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import msgspec

from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.drafts import Draft, OutgoingMail
from postroom.nouns.errors import BadRequest, Conflict, DraftTouched, Gone, NotFound
from postroom.nouns.ids import MailboxId
from postroom.ports import CopilotMailbox
from postroom.rooms.replies.rules.ownership import as_html, fingerprint, found_markers, still_ours
from postroom.rooms.replies.store import drafts
from postroom.rooms.replies.store.drafts import DraftToEdit

OpenCopilot = Callable[[Any, MailboxId], Awaitable[CopilotMailbox]]
TOUCHED = "Somebody changed the draft in the mail program: open it there, it is left as it is."


async def edit_draft(scope: TenantScope, open_copilot: OpenCopilot, draft_id: UUID, body: str) -> None:
    """Raises Conflict when the draft is over, or somebody was quicker in the mail program."""
    if not body.strip():
        raise BadRequest("A draft needs words; discard it in the mail program if it is not wanted.")
    async with scope.read() as tx:
        held = await drafts.draft_to_edit(tx, draft_id)
    if held is None:
        raise NotFound(f"There is no draft {draft_id}.")
    if held.status != "written" or not held.is_current:
        raise Conflict(f"The draft is {held.status.replace('_', ' ')}: it cannot be changed here any more.")
    box = await open_copilot(scope.tenant_id, held.mailbox_id)
    written = await _written(box, held, body)
    async with scope.finish() as tx:
        print_ = fingerprint(written)
        if not await drafts.put_edited(tx, held, written, body, print_, scope.actor, scope.now):
            raise Conflict("Something else happened to the draft meanwhile; look at it again.")
        told = facts.DraftEdited(
            mailbox_id=held.mailbox_id,
            thread_id=held.thread_id,
            draft_id=draft_id,
            before=held.fingerprint,
            after=print_,
        )
        await scope.tell(tx, told)


async def _written(box: CopilotMailbox, held: DraftToEdit, body: str) -> Draft:
    known = msgspec.convert(held.held, Draft)
    now = await box.drafts.draft(known.ref)
    if now is None:
        raise Conflict("The draft is not there any more: it was sent or discarded.")
    if not still_ours(now, held.draft_key, held.fingerprint, known.version).ours:
        raise Conflict(TOUCHED)
    marks = found_markers(now)
    assert marks is not None  # what is still ours bears our mark
    mail = OutgoingMail(now.to, now.subject, body, as_html(body, held.draft_key), now.cc, held.message_ref)
    try:
        return await box.drafts.update_draft(now, mail, marks)
    except DraftTouched:
        raise Conflict(TOUCHED) from None
    except Gone:
        raise Conflict("The draft is not there any more: it was sent or discarded.") from None
