"""Jobs of replies: see to the draft of a thread."""

from postroom.rooms.replies.jobs.definitions import DraftReply
from postroom.rooms.replies.jobs.drafting import draft_reply

__all__ = ["DraftReply", "draft_reply"]
