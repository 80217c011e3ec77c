"""Jobs of replies: see to the draft of a thread, keep what people made of it, and draft again when we may."""

from postroom.rooms.replies.jobs.definitions import (
    DiscardDraft,
    DraftAgain,
    DraftReply,
    KeepAnswer,
    ReadPapersAnew,
    RecheckDrafts,
)
from postroom.rooms.replies.jobs.drafting import discard_draft, draft_reply
from postroom.rooms.replies.jobs.keeping import draft_again, keep_answer
from postroom.rooms.replies.jobs.rechecking import recheck_drafts
from postroom.rooms.replies.jobs.rereading import read_papers_anew

__all__ = [
    "DiscardDraft",
    "DraftAgain",
    "DraftReply",
    "KeepAnswer",
    "ReadPapersAnew",
    "RecheckDrafts",
    "discard_draft",
    "draft_again",
    "draft_reply",
    "keep_answer",
    "read_papers_anew",
    "recheck_drafts",
]
