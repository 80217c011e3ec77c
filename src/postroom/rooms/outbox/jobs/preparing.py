"""The draft that is about to be sent: exactly what was approved, in the thread as the approver saw it."""

from __future__ import annotations

import contextlib
import hashlib
from datetime import timedelta

from postroom.engine.work import Work
from postroom.nouns.drafts import Draft, DraftMarkers, OutgoingFile, OutgoingMail
from postroom.nouns.errors import Gone, NotFound, PostroomError
from postroom.nouns.providers import ProviderRef
from postroom.ports import CopilotMailbox
from postroom.rooms.outbox.ports import SendingPorts
from postroom.rooms.outbox.rules.approvals import NEWER_MAIL
from postroom.rooms.outbox.rules.drafted import says_what_was_approved
from postroom.rooms.outbox.rules.mails import ProposedFile
from postroom.rooms.outbox.store.proposals import ProposalCase

CLOCKS_DIFFER = timedelta(days=1)  # between ours and the provider's, at the most


class CannotPrepare(Exception):
    """What was approved cannot be sent as it is; `str()` says why, to people."""


class AlreadySent(Exception):
    """It lies in Sent, and we know nothing of it: our database is older than the send, or it was said to be lost."""

    def __init__(self, ref: ProviderRef) -> None:
        super().__init__("It was found in Sent: it went out, and we did not know, as after a restore from a backup.")
        self.ref = ref


async def prepare(work: Work[SendingPorts], box: CopilotMailbox, case: ProposalCase) -> Draft:
    """Read back from the provider. Raises CannotPrepare when it would be anything else than what was approved, and
    AlreadySent when there is nothing left to send."""
    await _require_newest(box, case)
    draft = await _copilots(box, case) if case.draft_id is not None else await _own(work, box, case)
    if not says_what_was_approved(draft, case.mail):
        await drop_own_draft(box, case, draft)
        raise CannotPrepare("The draft at the provider does not say what was approved.")
    return draft


async def _require_newest(box: CopilotMailbox, case: ProposalCase) -> None:
    """The provider is asked: what it has may not have reached us yet."""
    if case.thread_ref is None or case.head is None:
        return
    try:
        thread = await box.threads.thread(case.thread_ref)
    except Gone:
        raise CannotPrepare("Nothing of the thread is in the mailbox any more.") from None
    newest = next((each.glimpse for each in reversed(thread.messages) if not each.is_draft), None)
    if newest is None or newest.ref == case.head:
        return
    older = newest.received_at is not None and case.head_at is not None and newest.received_at < case.head_at
    if not older:
        raise CannotPrepare(NEWER_MAIL)


async def _copilots(box: CopilotMailbox, case: ProposalCase) -> Draft:
    """The draft that stands in the mailbox: only the version that was proposed."""
    held = case.written_draft
    draft = await box.drafts.draft(held.ref) if held is not None else None
    if held is None or draft is None:
        raise CannotPrepare("The draft is not in the mailbox any more.")
    if draft.version != held.version or draft.html != held.html:
        raise CannotPrepare("Somebody changed the draft in the mail program.")
    return draft


async def _own(work: Work[SendingPorts], box: CopilotMailbox, case: ProposalCase) -> Draft:
    """One of our own, for this send. A crash may have left it already, or half of it."""
    marks = markers_of(case)
    for found in await box.drafts.find_drafts(marks.key, None):
        if found.markers == marks and says_what_was_approved(found, case.mail):
            return found
        await box.drafts.discard_draft(found)
    if sent := await box.sender.find_marked(marks.key, case.mail.to[0], case.created_at - CLOCKS_DIFFER):
        raise AlreadySent(sent)
    files = tuple([await _file(work, each) for each in case.mail.files])
    answers = case.answers if case.kind == "reply" else None
    mail = case.mail
    outgoing = OutgoingMail(mail.to, mail.subject, mail.text, mail.html, mail.cc, answers, mail.bcc, files)
    try:
        return await box.drafts.create_draft(outgoing, marks)
    except Gone:
        raise CannotPrepare("The message that it answers is not in the mailbox any more.") from None


def markers_of(case: ProposalCase) -> DraftMarkers:
    """One mail of one proposal: they find it again after a lost answer, and make its Message-ID."""
    key = hashlib.sha256(f"{case.mailbox_id}\n{case.id}\nproposal".encode()).hexdigest()
    return DraftMarkers(key, "1", f"{case.id}-{case.attempt}")


def sent_draft(case: ProposalCase, ref: ProviderRef) -> Draft:
    """The draft that this mail must have been, as far as it can be told from the copy in Sent."""
    mail = case.mail
    return Draft(
        ref=ref,
        message_ref=ref,
        version="",
        thread_ref=None,
        to=mail.to,
        cc=mail.cc,
        bcc=mail.bcc,
        subject=mail.subject,
        text=mail.text,
        html=mail.html,
        markers=markers_of(case),
    )


async def _file(work: Work[SendingPorts], file: ProposedFile) -> OutgoingFile:
    try:
        content = await work.outside.archive.get(file.blob_key)
    except NotFound:
        raise CannotPrepare(f"{file.filename} is not in the archive any more.") from None
    if hashlib.sha256(content).hexdigest() != file.sha256:
        raise CannotPrepare(f"{file.filename} is not in the archive as it was approved.")
    return OutgoingFile(file.filename, file.content_type, content)


async def drop_own_draft(box: CopilotMailbox, case: ProposalCase, draft: Draft) -> None:
    """One that we made for a send that does not happen; the copilot's stays in the thread. As far as it can be done."""
    if case.draft_id is None:
        with contextlib.suppress(PostroomError):
            await box.drafts.discard_draft(draft)
