"""What people may do about evidence and drafts."""

from postroom.rooms.replies.commands.editing import edit_draft
from postroom.rooms.replies.commands.library import LARGEST_PAPER, AddedEvidence, add_evidence, list_evidence

__all__ = ["LARGEST_PAPER", "AddedEvidence", "add_evidence", "edit_draft", "list_evidence"]
