-- name: lock_evidence
-- One import at a time for a tenant: the counts of terms are kept up by hand.
SELECT pg_advisory_xact_lock(hashtextextended('evidence ' || (%(tenant_id)s::uuid)::text, 0));

-- name: current_evidence
SELECT d.id, d.name, d.version, d.kind, d.title, d.language, d.audience, d.dated, d.valid_from, d.valid_until, d.snippets, d.sha256,
       d.created_by, d.created_at
  FROM postroom.evidence_document d
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.is_current AND (%(name)s::text IS NULL OR d.name = %(name)s)
 ORDER BY d.name;

-- name: newest_version
SELECT max(d.version) FROM postroom.evidence_document d WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.name = %(name)s;

-- name: forget_terms
-- The counts without the snippets of a document.
UPDATE postroom.evidence_term t SET snippets = t.snippets - n.gone
  FROM (SELECT p.term, count(*) AS gone FROM postroom.evidence_posting p JOIN postroom.evidence_snippet s ON s.id = p.snippet_id
         WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.document_id = %(document_id)s AND p.tenant_id = s.tenant_id
         GROUP BY p.term) n
 WHERE t.tenant_id = (SELECT postroom.tenant()) AND t.term = n.term;

-- name: drop_snippets
DELETE FROM postroom.evidence_snippet s WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.document_id = %(document_id)s;

-- name: replace_version
UPDATE postroom.evidence_document d SET is_current = false WHERE d.id = %(document_id)s;

-- name: put_document
INSERT INTO postroom.evidence_document (id, tenant_id, name, version, kind, title, language, audience, dated, valid_from, valid_until,
       years, body, sha256, snippets, lines, line_words, created_by, created_at)
VALUES (%(id)s, %(tenant_id)s, %(name)s, %(version)s, %(kind)s, %(title)s, %(language)s, %(audience)s, %(dated)s, %(valid_from)s,
       %(valid_until)s, %(years)s, %(body)s, %(sha256)s, %(snippets)s, %(lines)s, %(line_words)s, %(actor)s, %(now)s);

-- name: put_snippets
INSERT INTO postroom.evidence_snippet (id, tenant_id, document_id, number, headings, language, lines)
SELECT k.id, %(tenant_id)s, %(document_id)s, k.number, ARRAY(SELECT jsonb_array_elements_text(k.headings)), k.language, k.lines
  FROM jsonb_to_recordset(%(snippets)s) AS k (id uuid, number integer, headings jsonb, language text, lines jsonb);

-- name: put_postings
INSERT INTO postroom.evidence_posting (tenant_id, term, snippet_id)
SELECT DISTINCT %(tenant_id)s::uuid, k.term, k.snippet_id
  FROM unnest(%(terms)s::text[], %(snippet_ids)s::uuid[]) AS k (term, snippet_id);

-- name: count_terms
INSERT INTO postroom.evidence_term AS t (tenant_id, term, snippets)
SELECT %(tenant_id)s::uuid, k.term, count(DISTINCT k.snippet_id)
  FROM unnest(%(terms)s::text[], %(snippet_ids)s::uuid[]) AS k (term, snippet_id)
 GROUP BY k.term
ON CONFLICT (tenant_id, term) DO UPDATE SET snippets = t.snippets + excluded.snippets;

-- name: bodies
SELECT d.id, d.name, d.kind, d.audience, d.valid_until, d.body
  FROM postroom.evidence_document d WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.id = ANY (%(ids)s);

-- name: put_replacement
INSERT INTO postroom.evidence_replacement (tenant_id, older, newer, effective_from)
VALUES (%(tenant_id)s, %(older)s, %(newer)s, %(effective_from)s) ON CONFLICT DO NOTHING;

-- name: collection
SELECT coalesce(sum(d.snippets), 0)::integer AS snippets, coalesce(sum(d.lines), 0)::integer AS lines,
       coalesce(sum(d.line_words), 0)::integer AS line_words
  FROM postroom.evidence_document d
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.is_current AND d.audience = 'public';

-- name: frequencies
SELECT t.term, t.snippets FROM postroom.evidence_term t
 WHERE t.tenant_id = (SELECT postroom.tenant()) AND t.term = ANY (%(terms)s) AND t.snippets > 0;

-- name: candidates
-- The snippets with the most and rarest of the terms, of papers that hold today.
WITH found AS (
    SELECT p.snippet_id, sum(k.weight) AS weight
      FROM unnest(%(terms)s::text[], %(weights)s::float8[]) AS k (term, weight)
      JOIN postroom.evidence_posting p ON p.tenant_id = (SELECT postroom.tenant()) AND p.term = k.term
     GROUP BY p.snippet_id
)
SELECT s.id, d.id AS document_id, d.name AS source, d.title, d.years, s.number, s.headings, s.language, s.lines
  FROM found f JOIN postroom.evidence_snippet s ON s.id = f.snippet_id JOIN postroom.evidence_document d ON d.id = s.document_id
 WHERE d.is_current AND d.audience = 'public' AND (d.valid_until IS NULL OR d.valid_until >= %(today)s)
   AND NOT EXISTS (SELECT FROM postroom.evidence_replacement r JOIN postroom.evidence_document n ON n.id = r.newer
                    WHERE r.older = d.id AND r.effective_from <= %(today)s AND n.is_current AND n.audience = 'public'
                      AND (n.valid_until IS NULL OR n.valid_until >= %(today)s))
 ORDER BY f.weight DESC, d.name, s.number LIMIT %(most)s;

-- name: draft_case
-- A thread, what was decided about it, and the draft it has.
SELECT t.id AS thread_id, t.mailbox_id, t.provider_thread_id AS thread_ref, b.status, b.copilot, v.action, v.reason, v.newest_ref,
       v.newest_message_id, v.not_for_us_at IS NOT NULL OR v.done_at IS NOT NULL AS set_aside,
       s.id AS slot_id, s.held, s.intent, r.id AS revision_id, r.status AS draft_status, r.message_ref AS answers, r.fingerprint, r.edited_by,
       ARRAY(SELECT a.message_ref FROM postroom.draft_revision a WHERE a.slot_id = s.id) AS answered
  FROM postroom.thread t JOIN postroom.mailbox b ON b.id = t.mailbox_id
  LEFT JOIN postroom.thread_state v ON v.thread_id = t.id
  LEFT JOIN postroom.draft_slot s ON s.tenant_id = t.tenant_id AND s.mailbox_id = t.mailbox_id AND s.thread_id = t.id AND s.kind = 'copilot_reply'
  LEFT JOIN postroom.draft_revision r ON r.id = s.current
 WHERE t.id = %(thread_id)s;

-- name: spoken_turns
SELECT u.ref, u.outgoing, u.draft_ref IS NOT NULL AS is_draft, u.sender_email, u.sender_name, u.recipients, u.sent_at, u.subject, u.own_text,
       u.forwarded_text
  FROM postroom.turn u WHERE u.thread_id = %(thread_id)s ORDER BY u.sent_at NULLS LAST, u.ref;

-- name: intend_draft
INSERT INTO postroom.draft_slot AS s (id, tenant_id, mailbox_id, thread_id, draft_key, intent, updated_at)
VALUES (%(id)s, %(tenant_id)s, %(mailbox_id)s, %(thread_id)s, %(key)s, %(intent)s, %(now)s)
ON CONFLICT (tenant_id, mailbox_id, thread_id, kind) DO UPDATE SET intent = excluded.intent, updated_at = excluded.updated_at;

-- name: drop_intent
UPDATE postroom.draft_slot s SET intent = NULL, updated_at = %(now)s WHERE s.id = %(slot_id)s;

-- name: put_revision
INSERT INTO postroom.draft_revision (id, tenant_id, slot_id, message_ref, message_id, status, because, provider_draft_id, fingerprint,
       recipients, subject, body, claims, questions, blocked, confidence, gate, model, created_at, updated_at)
VALUES (%(id)s, %(tenant_id)s, %(slot_id)s, %(message_ref)s, %(message_id)s, %(status)s, %(because)s, %(provider_draft_id)s, %(fingerprint)s,
       %(recipients)s, %(subject)s, %(body)s, %(claims)s, %(questions)s, %(blocked)s, %(confidence)s, %(gate)s, %(model)s, %(now)s, %(now)s);

-- name: hold_draft
UPDATE postroom.draft_slot s SET current = %(revision_id)s, held = %(held)s, held_ref = %(held_ref)s, intent = NULL, updated_at = %(now)s WHERE s.id = %(slot_id)s;

-- name: end_draft
UPDATE postroom.draft_revision r SET status = %(status)s, because = %(because)s, updated_at = %(now)s WHERE r.id = %(revision_id)s;

-- name: edited_revision
-- Only over the draft that was read: somebody else may have been quicker.
UPDATE postroom.draft_revision r SET body = %(body)s, fingerprint = %(fingerprint)s, edited_by = %(actor)s, updated_at = %(now)s
 WHERE r.id = %(revision_id)s AND r.status = 'written' AND r.fingerprint = %(before)s;

-- name: hold_edited
UPDATE postroom.draft_slot s SET held = %(held)s, held_ref = %(held_ref)s, updated_at = %(now)s WHERE s.current = %(revision_id)s;

-- name: draft_to_edit
SELECT r.id AS revision_id, s.thread_id, s.mailbox_id, t.provider_thread_id AS thread_ref, r.message_ref, r.message_id, r.status, r.fingerprint, s.draft_key, s.held,
       s.current IS NOT DISTINCT FROM r.id AS is_current
  FROM postroom.draft_revision r JOIN postroom.draft_slot s ON s.id = r.slot_id JOIN postroom.thread t ON t.id = s.thread_id
 WHERE r.id = %(revision_id)s;

-- name: drafts
SELECT v.id, v.thread_id, v.mailbox_id, v.mailbox, v.provider_thread_id, v.message_id, v.message_ref, v.provider_draft_id, v.status,
       v.because, v.fingerprint, v.recipients, v.subject, v.body, v.claims, v.questions, v.blocked, v.confidence, v.gate, v.model,
       v.edited_by, v.is_current, v.created_at, v.updated_at
  FROM postroom.draft_view v
 WHERE (%(id)s::uuid IS NULL OR v.id = %(id)s) AND (%(thread_id)s::uuid IS NULL OR v.thread_id = %(thread_id)s)
   AND (%(status)s::text IS NULL OR v.status = %(status)s)
   AND (%(before_at)s::timestamptz IS NULL OR (v.created_at, v.id) < (%(before_at)s, %(before_id)s::uuid))
 ORDER BY v.created_at DESC, v.id DESC LIMIT %(most)s;
