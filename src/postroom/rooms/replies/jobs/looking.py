"""The draft of a thread as it stands at the provider at this moment, and whose it is."""

from __future__ import annotations

from dataclasses import dataclass

from postroom.nouns.drafts import Draft
from postroom.nouns.errors import Gone
from postroom.nouns.providers import TRASH, ProviderRef
from postroom.nouns.threads import MailThread, ThreadMessage
from postroom.ports import CopilotMailbox
from postroom.rooms.replies.rules.draft_plans import LIVE, DraftAt, DraftStanding
from postroom.rooms.replies.rules.ownership import as_intended, still_ours
from postroom.rooms.replies.store.drafts import DraftCase, DraftIntent


@dataclass(frozen=True, slots=True)
class DraftSeen:
    standing: DraftStanding
    draft: Draft | None  # ours, as it was read just now
    latest: ProviderRef | None  # the last message that is no draft
    sent_ref: ProviderRef | None = None  # what it became when a person sent it


@dataclass(frozen=True, slots=True)
class LostAnswer:
    """What became of a write whose answer was lost."""

    draft: Draft | None  # none: it was never written, or is over
    as_meant: bool


async def look(box: CopilotMailbox, case: DraftCase) -> DraftSeen:
    thread = await _thread(box, case)
    held = case.draft
    draft: Draft | None = None
    there: DraftAt = "nowhere"
    sent: ProviderRef | None = None
    if case.draft_status in LIVE and held is not None:
        draft = await box.drafts.draft(held.ref)
        there, sent = (_place(case, draft), None) if draft is not None else await _gone(box, held)
    ours = held.ref if held is not None and draft is not None else None
    standing = DraftStanding(
        status=case.draft_status,
        answers=case.answers,
        answered=frozenset(case.answered),
        there=there,
        outdated=case.outdated if there == "untouched" else "",
        persons_draft=any(_is_draft(each) and each.draft_ref != ours for each in thread.messages),
    )
    told = [each.glimpse.ref for each in thread.messages if not each.is_draft]
    return DraftSeen(standing, draft, told[-1] if told else None, sent)


async def _thread(box: CopilotMailbox, case: DraftCase) -> MailThread:
    try:
        return await box.threads.thread(case.thread_ref)
    except Gone:
        return MailThread(case.thread_ref, [])


def _is_draft(message: ThreadMessage) -> bool:
    """Outlook keeps what was discarded in the thread, in the trash."""
    return message.is_draft and TRASH not in message.glimpse.labels


def _place(case: DraftCase, draft: Draft) -> DraftAt:
    held = case.draft
    if held is None or not still_ours(draft, case.key, case.fingerprint, held.version).ours:
        return "touched"
    return "untouched" if case.edited_by is None else "edited"


async def _gone(box: CopilotMailbox, held: Draft) -> tuple[DraftAt, ProviderRef | None]:
    """Looked for among what was sent before anything is thought of it."""
    found = await box.sender.find_sent(held)
    return ("sent", found.ref) if found.state == "sent" else ("gone", None)


def _is_held(draft: Draft, case: DraftCase) -> bool:
    """As we left it before: what should have been written over it never was."""
    held = case.draft
    return held is not None and still_ours(draft, case.key, case.fingerprint, held.version).ours


async def look_for_intended(box: CopilotMailbox, case: DraftCase, intent: DraftIntent) -> LostAnswer:
    """Told by its marks, and believed only if it says every word that we meant to write."""
    marks = intent.markers(case.key)
    found = await box.drafts.find_drafts(case.key, case.thread_ref)
    ours = [each for each in found if each.markers is not None and each.markers.revision == marks.revision]
    if len(ours) == 1 and _is_held(ours[0], case):
        return LostAnswer(None, as_meant=False)
    if len(ours) != 1:
        return LostAnswer(ours[0] if ours else None, as_meant=False)
    return LostAnswer(ours[0], as_intended(ours[0], intent.mail, marks))
