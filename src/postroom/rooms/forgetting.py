"""Retention, on one page: which room forgets which kind of thing when the tenant keeps it no longer."""

from __future__ import annotations

from collections.abc import Mapping

from postroom.nouns.retention import Kept
from postroom.rooms.documents.store.forgetting import forget_archived, forget_attachments, forget_documents
from postroom.rooms.replies.store.forgetting import forget_drafts, forget_evidence
from postroom.rooms.retention.jobs import forgetting
from postroom.rooms.retention.ports import Forgets
from postroom.rooms.sync.forgetting import forget_messages

BY_KIND: Mapping[Kept, Forgets] = {
    "messages": forget_messages,
    "attachments": forget_attachments,
    "documents": forget_documents,
    "archive": forget_archived,
    "drafts": forget_drafts,
    "evidence": forget_evidence,
}
forget_old = forgetting(BY_KIND)
