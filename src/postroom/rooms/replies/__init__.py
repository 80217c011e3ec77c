"""Replies: drafts from evidence, which never overwrite a person.

In: ThreadTriaged at mailboxes where the copilot writes drafts; papers that people hand in; a person who edits, discards
    or sends a draft, or answers without one.
Out: EvidenceAdded, EvidenceRetired, EvidenceRestored, AnswerLearned, ReplyPolicyChanged, DraftWritten, DraftBlocked,
     DraftWithheld, DraftEnded, DraftEdited, DraftRestored.
Owns: evidence_document, evidence_replacement, evidence_snippet, evidence_posting, evidence_term, draft_slot,
      draft_revision, draft_quotation, reply_policy.
"""
