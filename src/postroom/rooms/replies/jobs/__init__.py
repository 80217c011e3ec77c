"""Jobs of replies: see to the draft of a thread."""

from postroom.rooms.replies.jobs.definitions import DiscardDraft, DraftReply
from postroom.rooms.replies.jobs.drafting import discard_draft, draft_reply

__all__ = ["DiscardDraft", "DraftReply", "discard_draft", "draft_reply"]
