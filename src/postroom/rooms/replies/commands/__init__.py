"""What people may do about evidence and drafts."""

from postroom.rooms.replies.commands.editing import edit_draft
from postroom.rooms.replies.commands.library import LARGEST_PAPER, AddedEvidence, add_evidence, list_evidence
from postroom.rooms.replies.commands.previewing import ReplyPreview, preview_reply
from postroom.rooms.replies.commands.reading import list_drafts, one_draft
from postroom.rooms.replies.store.drafts import DraftRow

__all__ = [
    "LARGEST_PAPER",
    "AddedEvidence",
    "DraftRow",
    "ReplyPreview",
    "add_evidence",
    "edit_draft",
    "list_drafts",
    "list_evidence",
    "one_draft",
    "preview_reply",
]
