-- name: lock_evidence
-- One import at a time for a tenant: the counts of terms are kept up by hand.
SELECT pg_advisory_xact_lock(hashtextextended('evidence ' || (%(tenant_id)s::uuid)::text, 0));

-- name: share_evidence
-- Papers stand still while a draft of them is written down; drafts do not wait for each other.
SELECT pg_advisory_xact_lock_shared(hashtextextended('evidence ' || (%(tenant_id)s::uuid)::text, 0));

-- name: listed_evidence
-- Papers of today by name, or answers that people sent, newest first; or every version of one, newest first; or the last
-- version of what was retired and nothing took in again, the last one first.
SELECT d.id, d.name, d.version, d.kind, d.title, d.language, d.audience, d.dated, d.valid_from, d.valid_until, d.snippets, d.sha256,
       d.mailbox_id, d.thread_id, d.is_current, d.created_by, d.created_at, d.retired_by, d.retired_at
  FROM postroom.evidence_document d
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND (%(name)s::text IS NULL OR d.name = %(name)s)
   AND (%(answers)s::boolean IS NULL OR (d.kind = 'answer') = %(answers)s)
   AND CASE WHEN %(version_of)s::uuid IS NOT NULL
            THEN d.name = (SELECT o.name FROM postroom.evidence_document o WHERE o.id = %(version_of)s AND o.tenant_id = (SELECT postroom.tenant()))
            WHEN %(retired)s::boolean
            THEN d.retired_at IS NOT NULL AND NOT EXISTS (SELECT FROM postroom.evidence_document n
                                                           WHERE n.tenant_id = d.tenant_id AND n.name = d.name AND n.version > d.version)
            ELSE d.is_current END
 ORDER BY CASE WHEN %(retired)s THEN d.retired_at END DESC, CASE WHEN %(version_of)s::uuid IS NOT NULL THEN d.version END DESC, CASE WHEN %(answers)s THEN d.created_at END DESC, d.name
 LIMIT %(most)s;

-- name: replaced_by
-- Papers that took, or will take, the place of this one.
SELECT n.id, n.name, r.effective_from FROM postroom.evidence_replacement r JOIN postroom.evidence_document n ON n.id = r.newer
 WHERE r.tenant_id = (SELECT postroom.tenant()) AND r.older = %(document_id)s AND n.is_current ORDER BY r.effective_from;

-- name: dated_parts
-- What holds only from or until a day, section by section in the paper's order.
SELECT s.headings, (array_agg(l.line ->> 'text' ORDER BY l.place))[1] AS text, count(*)::integer AS lines,
       (l.line -> 'period' ->> 'first')::date AS valid_from, (l.line -> 'period' ->> 'last')::date AS valid_until
  FROM postroom.evidence_snippet s CROSS JOIN LATERAL jsonb_array_elements(s.lines) WITH ORDINALITY AS l (line, place)
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.document_id = %(document_id)s AND jsonb_typeof(l.line -> 'period') = 'object'
 GROUP BY s.number, s.headings, valid_from, valid_until
 ORDER BY s.number, min(l.place) LIMIT %(most)s;

-- name: retire_document
UPDATE postroom.evidence_document d SET is_current = false, retired_by = %(actor)s, retired_at = %(now)s
 WHERE d.id = %(document_id)s AND d.tenant_id = (SELECT postroom.tenant()) AND d.is_current;

-- name: restore_document
-- Only the last version of what has none in use.
UPDATE postroom.evidence_document d SET is_current = true, retired_by = NULL, retired_at = NULL
 WHERE d.id = %(document_id)s AND d.tenant_id = (SELECT postroom.tenant()) AND d.retired_at IS NOT NULL
   AND NOT EXISTS (SELECT FROM postroom.evidence_document n
                    WHERE n.tenant_id = d.tenant_id AND n.name = d.name AND n.version > d.version);

-- name: newest_version
SELECT max(d.version) FROM postroom.evidence_document d WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.name = %(name)s;

-- name: forget_terms
-- The counts without the snippets of a document.
UPDATE postroom.evidence_term t SET snippets = t.snippets - n.gone
  FROM (SELECT p.source, p.term, count(*) AS gone FROM postroom.evidence_posting p JOIN postroom.evidence_snippet s ON s.id = p.snippet_id
         WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.document_id = %(document_id)s AND p.tenant_id = s.tenant_id
         GROUP BY p.source, p.term) n
 WHERE t.tenant_id = (SELECT postroom.tenant()) AND t.source = n.source AND t.term = n.term;

-- name: drop_snippets
DELETE FROM postroom.evidence_snippet s WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.document_id = %(document_id)s;

-- name: replace_version
UPDATE postroom.evidence_document d SET is_current = false WHERE d.id = %(document_id)s;

-- name: put_document
INSERT INTO postroom.evidence_document (id, tenant_id, name, version, kind, title, language, audience, dated, valid_from, valid_until,
       years, body, sha256, snippets, lines, line_words, read_by, mailbox_id, thread_id, created_by, created_at)
VALUES (%(id)s, %(tenant_id)s, %(name)s, %(version)s, %(kind)s, %(title)s, %(language)s, %(audience)s, %(dated)s, %(valid_from)s,
       %(valid_until)s, %(years)s, %(body)s, %(sha256)s, %(snippets)s, %(lines)s, %(line_words)s, %(read_by)s, %(mailbox_id)s, %(thread_id)s,
       %(actor)s, %(now)s);

-- name: put_snippets
INSERT INTO postroom.evidence_snippet (id, tenant_id, document_id, number, headings, language, lines)
SELECT k.id, %(tenant_id)s, %(document_id)s, k.number, ARRAY(SELECT jsonb_array_elements_text(k.headings)), k.language, k.lines
  FROM jsonb_to_recordset(%(snippets)s) AS k (id uuid, number integer, headings jsonb, language text, lines jsonb);

-- name: put_postings
INSERT INTO postroom.evidence_posting (tenant_id, source, term, snippet_id)
SELECT DISTINCT %(tenant_id)s::uuid, %(source)s, k.term, k.snippet_id
  FROM unnest(%(terms)s::text[], %(snippet_ids)s::uuid[]) AS k (term, snippet_id);

-- name: count_terms
INSERT INTO postroom.evidence_term AS t (tenant_id, source, term, snippets)
SELECT %(tenant_id)s::uuid, %(source)s, k.term, count(DISTINCT k.snippet_id)
  FROM unnest(%(terms)s::text[], %(snippet_ids)s::uuid[]) AS k (term, snippet_id)
 GROUP BY k.term
ON CONFLICT (tenant_id, source, term) DO UPDATE SET snippets = t.snippets + excluded.snippets;

-- name: bodies
SELECT d.id, d.name, d.kind, d.audience, d.valid_until, d.body
  FROM postroom.evidence_document d WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.id = ANY (%(ids)s);

-- name: read_by_another
-- What is searched, but was read with other words than those of today.
SELECT d.id, d.name, d.kind, d.audience, d.valid_until, d.body
  FROM postroom.evidence_document d
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.is_current AND d.audience = 'public' AND d.read_by <> %(read_by)s
 ORDER BY d.created_at DESC LIMIT %(most)s;

-- name: read_anew
UPDATE postroom.evidence_document d
   SET title = %(title)s, language = %(language)s, years = %(years)s, snippets = %(snippets)s, lines = %(lines)s,
       line_words = %(line_words)s, read_by = %(read_by)s
 WHERE d.id = %(id)s AND d.tenant_id = (SELECT postroom.tenant());

-- name: put_replacement
INSERT INTO postroom.evidence_replacement (tenant_id, older, newer, effective_from)
VALUES (%(tenant_id)s, %(older)s, %(newer)s, %(effective_from)s) ON CONFLICT DO NOTHING;

-- name: collection
SELECT coalesce(sum(d.snippets), 0)::integer AS snippets, coalesce(sum(d.lines), 0)::integer AS lines,
       coalesce(sum(d.line_words), 0)::integer AS line_words
  FROM postroom.evidence_document d
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.is_current AND d.audience = 'public'
   AND (d.kind = 'answer') = (%(source)s::text = 'answer');

-- name: frequencies
SELECT t.term, t.snippets FROM postroom.evidence_term t
 WHERE t.tenant_id = (SELECT postroom.tenant()) AND t.source = %(source)s AND t.term = ANY (%(terms)s) AND t.snippets > 0;

-- name: candidates
-- The snippets with the most and rarest of the terms, of papers that hold today; of answers only those of the mailbox.
WITH found AS (
    SELECT p.snippet_id, sum(k.weight) AS weight
      FROM unnest(%(terms)s::text[], %(weights)s::float8[]) AS k (term, weight)
      JOIN postroom.evidence_posting p
        ON p.tenant_id = (SELECT postroom.tenant()) AND p.source = %(source)s AND p.term = k.term
     GROUP BY p.snippet_id
)
SELECT k.id, k.document_id, k.source, k.title, k.years, k.number, k.headings, k.language, k.lines, k.first, k.last
  FROM (SELECT f.snippet_id, f.weight FROM found f ORDER BY f.weight DESC) f
 CROSS JOIN LATERAL (  -- one by one in that order, so that it ends with the last that is wanted
    SELECT s.id, d.id AS document_id, d.name AS source, d.title, d.years, s.number, s.headings, s.language, s.lines,
           CASE WHEN d.valid_from > %(today)s THEN d.valid_from END AS first,
           LEAST(d.valid_until, (SELECT min(r.effective_from) - 1 FROM postroom.evidence_replacement r
                                   JOIN postroom.evidence_document n ON n.id = r.newer
                                  WHERE r.older = d.id AND r.effective_from > %(today)s AND n.is_current AND n.audience = 'public')) AS last
      FROM postroom.evidence_snippet s JOIN postroom.evidence_document d ON d.id = s.document_id
     WHERE s.id = f.snippet_id AND d.is_current AND d.audience = 'public' AND (d.valid_until IS NULL OR d.valid_until >= %(today)s)
       AND d.mailbox_id IS NOT DISTINCT FROM %(mailbox_id)s::uuid
       AND NOT EXISTS (SELECT FROM postroom.evidence_replacement r JOIN postroom.evidence_document n ON n.id = r.newer
                        WHERE r.older = d.id AND r.effective_from <= %(today)s AND n.is_current AND n.audience = 'public'
                          AND (n.valid_until IS NULL OR n.valid_until >= %(today)s))
    OFFSET 0) k
 ORDER BY f.weight DESC, k.source, k.number LIMIT %(most)s;

-- name: draft_case
-- A thread, what was decided about it, and the draft it has.
SELECT t.id AS thread_id, t.mailbox_id, t.provider_thread_id AS thread_ref, b.status, b.copilot, v.action, v.reason, v.newest_ref,
       v.newest_message_id, v.not_for_us_at IS NOT NULL OR v.done_at IS NOT NULL AS set_aside,
       s.id AS slot_id, s.held, s.intent, r.id AS revision_id, r.status AS draft_status, r.message_ref AS answers, r.fingerprint, r.edited_by,
       r.proposed,
       ARRAY(SELECT a.message_ref FROM postroom.draft_revision a WHERE a.slot_id = s.id) AS answered,
       ARRAY(SELECT b.address UNION SELECT unnest(b.operators) UNION SELECT p.email FROM postroom.person p
              UNION SELECT unnest(c.addresses) FROM postroom.copilot_mailbox c WHERE c.mailbox_id = b.id) AS ours
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
       recipients, cc, subject, proposed, body, claims, questions, blocked, confidence, gate, model, final, distance, created_at, updated_at)
VALUES (%(id)s, %(tenant_id)s, %(slot_id)s, %(message_ref)s, %(message_id)s, %(status)s, %(because)s, %(provider_draft_id)s, %(fingerprint)s,
       %(recipients)s, %(cc)s, %(subject)s, %(body)s, %(body)s, %(claims)s, %(questions)s, %(blocked)s, %(confidence)s, %(gate)s, %(model)s, %(final)s,
       %(distance)s, %(now)s, %(now)s)
ON CONFLICT (id) DO UPDATE SET  -- one that we took back, written anew
       status = excluded.status, because = excluded.because, provider_draft_id = excluded.provider_draft_id, fingerprint = excluded.fingerprint,
       recipients = excluded.recipients, cc = excluded.cc, subject = excluded.subject, proposed = excluded.proposed, body = excluded.body,
       claims = excluded.claims, questions = excluded.questions, blocked = excluded.blocked, confidence = excluded.confidence, gate = excluded.gate,
       model = excluded.model, final = excluded.final, distance = excluded.distance, updated_at = excluded.updated_at;

-- name: hold_draft
UPDATE postroom.draft_slot s SET current = %(revision_id)s, held = %(held)s, held_ref = %(held_ref)s, intent = NULL, updated_at = %(now)s WHERE s.id = %(slot_id)s;

-- name: end_draft
UPDATE postroom.draft_revision r SET status = %(status)s, because = %(because)s, sent_ref = coalesce(%(sent_ref)s, r.sent_ref), updated_at = %(now)s
 WHERE r.id = %(revision_id)s;

-- name: put_final
UPDATE postroom.draft_revision r SET final = %(final)s, distance = %(distance)s, updated_at = %(now)s WHERE r.id = %(revision_id)s;

-- name: sent_unread
-- Drafts that a person sent, with the words that went out.
SELECT r.id, r.proposed, u.own_text AS final
  FROM postroom.draft_slot s JOIN postroom.draft_revision r ON r.slot_id = s.id AND r.tenant_id = s.tenant_id
  JOIN postroom.turn u ON u.thread_id = s.thread_id AND u.ref = r.sent_ref
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.thread_id = %(thread_id)s AND r.status = 'sent' AND u.forgotten_at IS NULL
   AND r.forgotten_at IS NULL AND r.final IS DISTINCT FROM u.own_text;

-- name: edited_revision
-- Only over the draft that was read: somebody else may have been quicker.
UPDATE postroom.draft_revision r SET body = %(body)s, final = %(body)s, distance = %(distance)s, fingerprint = %(fingerprint)s,
       recipients = %(recipients)s, cc = %(cc)s, subject = %(subject)s, edited_by = %(actor)s, updated_at = %(now)s
 WHERE r.id = %(revision_id)s AND r.status = 'written' AND r.fingerprint = %(before)s;

-- name: hold_edited
UPDATE postroom.draft_slot s SET held = %(held)s, held_ref = %(held_ref)s, updated_at = %(now)s WHERE s.current = %(revision_id)s;

-- name: restore_revision
-- Only once: somebody else may have been quicker, or its words are forgotten.
UPDATE postroom.draft_revision r SET status = 'written', because = %(because)s, provider_draft_id = %(provider_draft_id)s,
       fingerprint = %(fingerprint)s, restored_at = %(now)s, updated_at = %(now)s
 WHERE r.id = %(revision_id)s AND r.status = 'discarded' AND r.forgotten_at IS NULL;

-- name: draft_to_edit
SELECT r.id AS revision_id, s.thread_id, s.mailbox_id, t.provider_thread_id AS thread_ref, r.message_ref, r.message_id, r.status, r.fingerprint, r.proposed,
       r.because, r.edited_by, r.updated_at, s.draft_key, s.held,
       s.current IS NOT DISTINCT FROM r.id AS is_current
  FROM postroom.draft_revision r JOIN postroom.draft_slot s ON s.id = r.slot_id JOIN postroom.thread t ON t.id = s.thread_id
 WHERE r.id = %(revision_id)s;

-- name: drafts
SELECT v.id, v.thread_id, v.mailbox_id, v.mailbox, v.provider_thread_id, v.message_id, v.message_ref, v.provider_draft_id, v.status,
       v.because, v.fingerprint, v.recipients, v.cc, v.subject, v.proposed, v.body, v.claims, v.questions, v.blocked, v.confidence, v.gate,
       v.model, v.edited_by, v.final, v.distance, v.forgotten_at, v.is_current, v.created_at, v.updated_at
  FROM postroom.draft_view v
 WHERE (%(id)s::uuid IS NULL OR v.id = %(id)s) AND (%(thread_id)s::uuid IS NULL OR v.thread_id = %(thread_id)s)
   AND (%(status)s::text IS NULL OR v.status = %(status)s) AND (NOT %(changed)s OR v.distance > 0)
   AND (%(before_at)s::timestamptz IS NULL OR (v.created_at, v.id) < (%(before_at)s, %(before_id)s::uuid))
 ORDER BY v.created_at DESC, v.id DESC LIMIT %(most)s;

-- name: draft_outcomes
-- What became of the drafts of some time.
SELECT count(*)::integer AS written, count(*) FILTER (WHERE r.status = 'sent')::integer AS sent,
       count(*) FILTER (WHERE r.status = 'sent' AND r.distance = 0)::integer AS unchanged,
       count(*) FILTER (WHERE r.status = 'discarded')::integer AS discarded,
       count(*) FILTER (WHERE r.distance > 0)::integer AS changed,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY r.distance) FILTER (WHERE r.distance > 0) AS median_distance
  FROM postroom.draft_revision r WHERE r.tenant_id = (SELECT postroom.tenant()) AND r.created_at >= %(since)s;

-- name: drop_quotations
DELETE FROM postroom.draft_quotation q WHERE q.tenant_id = (SELECT postroom.tenant()) AND q.revision_id = %(revision_id)s;

-- name: put_quotations
INSERT INTO postroom.draft_quotation (tenant_id, revision_id, number, name, quote, statement)
SELECT %(tenant_id)s, %(revision_id)s, k.number, k.name, k.quote, k.statement
  FROM jsonb_to_recordset(%(quotations)s) AS k (number integer, name text, quote text, statement text);

-- name: quoted_papers
SELECT DISTINCT q.name FROM postroom.draft_quotation q
 WHERE q.tenant_id = (SELECT postroom.tenant()) AND q.name > %(after)s ORDER BY q.name LIMIT %(most)s;

-- name: quoted_words
SELECT DISTINCT q.name, q.quote FROM postroom.draft_quotation q
 WHERE q.tenant_id = (SELECT postroom.tenant()) AND q.name = ANY (%(names)s);

-- name: drafts_that_quote
-- Threads whose draft may be written anew: ours, untouched, and nobody has said yes to it.
SELECT DISTINCT s.thread_id, s.mailbox_id
  FROM unnest(%(names)s::text[], %(quotes)s::text[]) AS k (name, quote)
  JOIN postroom.draft_quotation q ON q.tenant_id = (SELECT postroom.tenant()) AND q.name = k.name AND q.quote = k.quote
  JOIN postroom.draft_revision r ON r.id = q.revision_id
  JOIN postroom.draft_slot s ON s.id = r.slot_id AND s.current = r.id
  JOIN postroom.mailbox b ON b.id = s.mailbox_id
 WHERE r.status = 'written' AND r.edited_by IS NULL AND s.thread_id > %(after)s
   AND b.copilot = 'drafts' AND b.status NOT IN ('paused', 'disconnected', 'token_refresh_failed')
   AND NOT EXISTS (SELECT FROM postroom.proposal p WHERE p.tenant_id = q.tenant_id AND p.thread_id = s.thread_id AND p.draft_id = r.id
                      AND (p.status IN ('approved', 'sending', 'unknown')
                           OR EXISTS (SELECT FROM postroom.approval a WHERE a.tenant_id = p.tenant_id AND a.proposal_id = p.id
                                         AND a.ended_at IS NULL AND a.used_at IS NULL AND a.expires_at > %(now)s)))
 ORDER BY s.thread_id LIMIT %(most)s;

-- name: somebody_said_yes
SELECT EXISTS (SELECT FROM postroom.proposal p WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.thread_id = %(thread_id)s AND p.draft_id = %(revision_id)s
                  AND (p.status IN ('approved', 'sending', 'unknown')
                       OR EXISTS (SELECT FROM postroom.approval a WHERE a.tenant_id = p.tenant_id AND a.proposal_id = p.id
                                     AND a.ended_at IS NULL AND a.used_at IS NULL AND a.expires_at > %(now)s)));

-- name: reply_policy
SELECT p.gate, p.language, p.formality, p.thanks, p.greetings, p.closings, p.signature, p.learn_from
  FROM postroom.reply_policy p WHERE p.tenant_id = (SELECT postroom.tenant());

-- name: lock_policy
-- One policy of a tenant is changed at a time, whichever room it is for.
SELECT t.tenant_id FROM postroom.tenant t WHERE t.tenant_id = (SELECT postroom.tenant()) FOR NO KEY UPDATE;

-- name: put_reply_policy
INSERT INTO postroom.reply_policy (tenant_id, gate, language, formality, thanks, greetings, closings, signature, learn_from, updated_at)
VALUES (%(tenant_id)s, %(gate)s, %(language)s, %(formality)s, %(thanks)s, %(greetings)s, %(closings)s, %(signature)s, %(learn_from)s, %(now)s)
ON CONFLICT (tenant_id) DO UPDATE SET gate = excluded.gate, language = excluded.language, formality = excluded.formality,
       thanks = excluded.thanks, greetings = excluded.greetings, closings = excluded.closings, signature = excluded.signature,
       learn_from = excluded.learn_from, updated_at = excluded.updated_at;

-- name: mailboxes_of_ours
SELECT b.id, b.address FROM postroom.mailbox b WHERE b.tenant_id = (SELECT postroom.tenant()) ORDER BY b.address;

-- name: handled_case
-- A thread that a person answered; what a person must see first is nothing to learn from.
SELECT t.id AS thread_id, t.mailbox_id, v.reference_code, v.reason, v.language, b.copilot,
       EXISTS (SELECT FROM postroom.fact f WHERE f.tenant_id = t.tenant_id AND f.kind = 'mail.flagged.sensitive'
                  AND f.message_id = ANY (ARRAY(SELECT m.id FROM postroom.message m WHERE m.tenant_id = t.tenant_id AND m.thread_id = t.id))) AS sensitive,
       ARRAY(SELECT DISTINCT a.name FROM postroom.mapping g JOIN postroom.account a ON a.id = g.account_id
              WHERE g.tenant_id = t.tenant_id AND g.thread_id = t.id) AS clients
  FROM postroom.thread t JOIN postroom.mailbox b ON b.id = t.mailbox_id JOIN postroom.thread_state v ON v.thread_id = t.id
 WHERE t.id = %(thread_id)s;

-- name: withheld_for_rights
-- Threads whose draft we were not allowed to write.
SELECT v.thread_id FROM postroom.thread_state v
 WHERE v.tenant_id = (SELECT postroom.tenant()) AND v.mailbox_id = %(mailbox_id)s AND v.state = 'needs_review' AND v.action = 'draft'
   AND v.reason = 'permission_denied' AND v.thread_id > %(after)s
 ORDER BY v.thread_id LIMIT %(most)s;

-- name: forget_drafts
-- What they say and what they stood on; that there was one, and what became of it, stays. What waits for somebody stays whole.
WITH old AS (
    SELECT r.id FROM postroom.draft_revision r
     WHERE r.tenant_id = (SELECT postroom.tenant()) AND r.forgotten_at IS NULL AND r.updated_at < %(before)s
       AND r.status NOT IN ('written', 'blocked_user_edited')
     ORDER BY r.updated_at LIMIT %(most)s FOR UPDATE SKIP LOCKED
)
UPDATE postroom.draft_revision r
   SET subject = '', proposed = '', body = '', final = NULL, claims = '[]', questions = '{}', blocked = '[]', recipients = '{}',
       cc = '{}', because = '', forgotten_at = %(now)s
  FROM old WHERE r.id = old.id RETURNING r.slot_id;

-- name: forget_held
-- The copy of a draft that is over and forgotten.
UPDATE postroom.draft_slot s SET held = NULL, held_ref = NULL
 WHERE s.id = ANY (%(slots)s) AND s.intent IS NULL
   AND EXISTS (SELECT FROM postroom.draft_revision r WHERE r.id = s.current AND r.forgotten_at IS NOT NULL);

-- name: old_evidence
-- Versions that nothing is drafted from any more, and answers that people sent. The papers of today stay.
SELECT d.id FROM postroom.evidence_document d
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.created_at < %(before)s AND (NOT d.is_current OR d.kind = 'answer')
 ORDER BY d.created_at LIMIT %(most)s FOR UPDATE SKIP LOCKED;

-- name: drop_evidence
DELETE FROM postroom.evidence_document d WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.id = ANY (%(ids)s);
