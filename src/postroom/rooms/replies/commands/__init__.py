"""What people may do about evidence and drafts."""

from postroom.rooms.replies.commands.editing import DraftHead, discard_draft, edit_draft
from postroom.rooms.replies.commands.library import (
    LARGEST_PAPER,
    AddedEvidence,
    ShownEvidence,
    add_evidence,
    change_evidence,
    evidence_named,
    list_answers,
    list_evidence,
    list_retired,
    one_evidence,
    restore_evidence,
    retire_evidence,
)
from postroom.rooms.replies.commands.policy import (
    change_reply_policy,
    draft_outcomes,
    mailboxes_to_learn_from,
    put_reply_policy,
    reply_policy,
)
from postroom.rooms.replies.commands.previewing import ReplyPreview, preview_reply
from postroom.rooms.replies.commands.reading import list_drafts, one_draft
from postroom.rooms.replies.commands.restoring import restore_draft
from postroom.rooms.replies.commands.trying import TriedAnswer, ask_evidence
from postroom.rooms.replies.store.drafts import DraftOutcomes, DraftRow

__all__ = [
    "LARGEST_PAPER",
    "AddedEvidence",
    "DraftHead",
    "DraftOutcomes",
    "DraftRow",
    "ReplyPreview",
    "ShownEvidence",
    "TriedAnswer",
    "add_evidence",
    "ask_evidence",
    "change_evidence",
    "change_reply_policy",
    "discard_draft",
    "draft_outcomes",
    "edit_draft",
    "evidence_named",
    "list_answers",
    "list_drafts",
    "list_evidence",
    "list_retired",
    "mailboxes_to_learn_from",
    "one_draft",
    "one_evidence",
    "preview_reply",
    "put_reply_policy",
    "reply_policy",
    "restore_draft",
    "restore_evidence",
    "retire_evidence",
]
