"""A person changes or discards a draft at the console: only the version that was shown, and a person's from then on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import msgspec

from postroom.engine.work import TenantScope
from postroom.mail.outgoing import check_recipients, clean_addresses, clean_subject
from postroom.nouns import facts
from postroom.nouns.actors import spoken_actor
from postroom.nouns.drafts import Draft, OutgoingMail
from postroom.nouns.errors import BadRequest, Conflict, DraftTouched, Gone, NotFound
from postroom.nouns.ids import MailboxId
from postroom.ports import CopilotMailbox
from postroom.rooms.replies.rules.ownership import as_html, fingerprint, found_markers, still_ours
from postroom.rooms.replies.store import drafts
from postroom.rooms.replies.store.drafts import DraftToEdit

OpenCopilot = Callable[[Any, MailboxId], Awaitable[CopilotMailbox]]
LONGEST_REASON = 500
TOUCHED = "Somebody changed the draft in the mail program: open it there, it is left as it is."


async def discard_draft(scope: TenantScope, open_copilot: OpenCopilot, draft_id: UUID, reason: str) -> None:
    """A person throws a draft away, and says why. What was changed in the mail program is not ours to throw away."""
    async with scope.read() as tx:
        held = await drafts.draft_to_edit(tx, draft_id)
    _require_open(held, draft_id)
    assert held is not None  # it is open
    if not (said := " ".join(reason.split())):
        raise BadRequest("Say why it is thrown away: the next draft may be better for it.")
    if len(said) > LONGEST_REASON:
        raise BadRequest(f"A reason has up to {LONGEST_REASON} letters; this one has {len(said)}. Shorten it.")
    box = await open_copilot(scope.tenant_id, held.mailbox_id)
    now = await _as_shown(box, held)
    try:
        await box.drafts.discard_draft(now)
    except DraftTouched:
        raise Conflict(TOUCHED) from None
    async with scope.finish() as tx:
        because = f"{spoken_actor(scope.actor)}: {said}"
        await drafts.end(tx, draft_id, "discarded", because, scope.now)
        told = facts.DraftEnded(
            mailbox_id=held.mailbox_id,
            thread_id=held.thread_id,
            provider_thread_id=held.thread_ref,
            provider_message_id=held.message_ref,
            draft_id=draft_id,
            status="discarded",
            because=because,
            goes_on=False,
        )
        await scope.tell(tx, told)


@dataclass(frozen=True, slots=True)
class DraftHead:
    """Other recipients or another subject; what is none stays as it is."""

    to: Sequence[str] | None = None
    cc: Sequence[str] | None = None
    subject: str | None = None


async def edit_draft(
    scope: TenantScope,
    open_copilot: OpenCopilot,
    draft_id: UUID,
    body: str,
    seen: str | None = None,
    head: DraftHead | None = None,
) -> None:
    """Raises Conflict when the draft is over, or somebody was quicker. `seen` is the fingerprint that was shown."""
    if not body.strip():
        raise BadRequest("A draft needs words; discard it in the mail program if it is not wanted.")
    head = _clean(head or DraftHead())
    async with scope.read() as tx:
        held = await drafts.draft_to_edit(tx, draft_id)
    _require_open(held, draft_id)
    assert held is not None  # it is open
    if seen is not None and seen != held.fingerprint:
        who, at = spoken_actor(held.edited_by or "Somebody"), f"{held.updated_at:%H:%M} UTC"
        raise Conflict(f"{who} changed the draft at {at}, since you opened it: look at it again.")
    box = await open_copilot(scope.tenant_id, held.mailbox_id)
    written = await _written(box, held, body, head)
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


def _require_open(held: DraftToEdit | None, draft_id: UUID) -> None:
    if held is None:
        raise NotFound(f"There is no draft {draft_id}.")
    if held.status != "written" or not held.is_current:
        status, because = held.status.replace("_", " "), f" ({held.because})" if held.because else ""
        raise Conflict(f"The draft is {status}{because}: it cannot be changed here any more.")


async def _as_shown(box: CopilotMailbox, held: DraftToEdit) -> Draft:
    """Read right before it is changed: only the version that people see here."""
    known = msgspec.convert(held.held, Draft)
    now = await box.drafts.draft(known.ref)
    if now is None:
        raise Conflict("The draft is not there any more: it was sent or discarded.")
    if not still_ours(now, held.draft_key, held.fingerprint, known.version).ours:
        raise Conflict(TOUCHED)
    return now


def _clean(head: DraftHead) -> DraftHead:
    return DraftHead(
        None if head.to is None else clean_addresses(head.to),
        None if head.cc is None else clean_addresses(head.cc),
        None if head.subject is None else clean_subject(head.subject),
    )


async def _written(box: CopilotMailbox, held: DraftToEdit, body: str, head: DraftHead) -> Draft:
    now = await _as_shown(box, held)
    marks = found_markers(now)
    assert marks is not None  # what is still ours bears our mark
    mail = OutgoingMail(
        to=now.to if head.to is None else tuple(head.to),
        subject=now.subject if head.subject is None else head.subject,
        text=body,
        html=as_html(body, held.draft_key),
        cc=now.cc if head.cc is None else tuple(head.cc),
        answers=held.message_ref,
        bcc=now.bcc,
    )
    check_recipients(mail.to, mail.cc, mail.bcc)
    try:
        return await box.drafts.update_draft(now, mail, marks)
    except DraftTouched:
        raise Conflict(TOUCHED) from None
    except Gone:
        raise Conflict("The draft is not there any more: it was sent or discarded.") from None
