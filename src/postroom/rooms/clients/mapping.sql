-- name: message_to_map
SELECT m.id, m.mailbox_id, b.address AS mailbox, m.thread_id, m.state, m.sender_email, m.sender_name, m.recipients, m.subject, m.body,
       m.automatic, m.trust, m.trust_because, m.received_at, m.arrived_at, m.source
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id WHERE m.id = %(message_id)s::uuid;

-- name: thread_before
-- The newest of what came before, with how each was mapped.
SELECT m.sender_email, m.sender_name, m.recipients, m.subject, m.received_at,
       g.account_id, g.engagement_id, g.work_item_id, g.status, g.decided_at
  FROM postroom.message m LEFT JOIN postroom.mapping g ON g.message_id = m.id
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.thread_id = %(thread_id)s::uuid AND m.id <> %(message_id)s::uuid
   AND m.state = 'arrived' AND m.received_at <= %(before)s::timestamptz
 ORDER BY m.received_at DESC LIMIT %(most)s;

-- name: printed_clients
SELECT d.filename, coalesce(d.source_metadata -> 'printed_codes', '[]') AS codes, i.supplier, i.buyer
  FROM postroom.document d LEFT JOIN postroom.invoice i ON i.document_id = d.id
 WHERE d.message_id = %(message_id)s::uuid AND d.status NOT IN ('failed', 'rejected') ORDER BY d.id LIMIT 20;

-- name: look_up
-- Everything in the book that a mail touches, by its keys: a bounded number of probes, however large the book.
WITH hit AS (
    SELECT 'contact' AS what, c.email AS key, c.name AS label, o.account_id, NULL::uuid AS engagement_id, NULL::uuid AS work_item_id
      FROM postroom.contact c JOIN postroom.contact_account o ON o.contact_id = c.id
     WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.email = ANY (%(addresses)s::text[]) AND c.status = 'active'
    UNION ALL
    SELECT 'domain', d.domain, '', d.account_id, NULL, NULL FROM postroom.account_domain d
     WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.domain = ANY (%(domains)s::text[])
    UNION ALL
    SELECT 'near', n.key, n.domain, n.account_id, NULL, NULL
      FROM unnest(%(near)s::text[]) asked (key) CROSS JOIN LATERAL (
           SELECT k.key, k.domain, k.account_id FROM postroom.domain_key k
            WHERE k.tenant_id = (SELECT postroom.tenant()) AND k.key = asked.key LIMIT 10) n
    UNION ALL
    SELECT 'code', a.code_key, '', coalesce(a.merged_into, a.id), NULL, NULL FROM postroom.account a
     WHERE a.tenant_id = (SELECT postroom.tenant()) AND a.code_key = ANY (%(codes)s::text[])
    UNION ALL
    SELECT 'code', e.code_key, '', e.account_id, e.id, NULL FROM postroom.engagement e
     WHERE e.tenant_id = (SELECT postroom.tenant()) AND e.code_key = ANY (%(codes)s::text[])
    UNION ALL
    SELECT 'code', w.code_key, '', e.account_id, e.id, w.id
      FROM postroom.work_item w JOIN postroom.engagement e ON e.id = w.engagement_id
     WHERE w.tenant_id = (SELECT postroom.tenant()) AND w.code_key = ANY (%(codes)s::text[])
    UNION ALL
    SELECT 'name', n.key, '', n.account_id, NULL, NULL
      FROM unnest(%(phrases)s::text[]) asked (key) CROSS JOIN LATERAL (
           SELECT k.key, k.account_id FROM postroom.account_key k
            WHERE k.tenant_id = (SELECT postroom.tenant()) AND k.kind = 'phrase' AND k.key = asked.key LIMIT 6) n
    UNION ALL
    SELECT 'person', p.name_key, p.email, o.account_id, NULL, NULL
      FROM unnest(%(people)s::text[]) asked (key) CROSS JOIN LATERAL (
           SELECT c.id, c.name_key, c.email FROM postroom.contact c
            WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.name_key <> '' AND c.name_key = asked.key LIMIT 6) p
      JOIN postroom.contact_account o ON o.contact_id = p.id
    UNION ALL
    SELECT 'past', '', '', a.id, NULL, NULL FROM postroom.account a WHERE a.id = ANY (%(accounts)s::uuid[])
    UNION ALL
    SELECT 'past', '', '', e.account_id, e.id, NULL FROM postroom.engagement e WHERE e.id = ANY (%(engagements)s::uuid[])
)
SELECT h.what, h.key, h.label, a.id AS account_id, a.code AS account_code, a.name AS account_name, a.status AS account_status,
       e.id AS engagement_id, e.code AS engagement_code, e.name AS engagement_name, e.status AS engagement_status,
       w.id AS work_item_id, w.code AS work_item_code, w.name AS work_item_name, w.status AS work_item_status
  FROM hit h JOIN postroom.account a ON a.id = h.account_id
  LEFT JOIN postroom.engagement e ON e.id = h.engagement_id LEFT JOIN postroom.work_item w ON w.id = h.work_item_id;

-- name: context
-- What has to be known besides the book: the sender's past, what people chose, who we are, and how we decide.
SELECT EXISTS (SELECT FROM postroom.account WHERE tenant_id = (SELECT postroom.tenant())) AS has_book,
       ARRAY(SELECT address FROM postroom.mailbox WHERE tenant_id = (SELECT postroom.tenant()) LIMIT 1000) AS mailboxes,
       ARRAY(SELECT email FROM postroom.person WHERE tenant_id = (SELECT postroom.tenant()) LIMIT 1000) AS people,
       coalesce((SELECT jsonb_agg(to_jsonb(p)) FROM (
           SELECT g.account_id, g.engagement_id, g.work_item_id, g.status,
                  CASE WHEN g.status = 'confirmed' THEN g.decided_at ELSE g.received_at END AS at
             FROM postroom.mapping g
            WHERE g.tenant_id = (SELECT postroom.tenant()) AND g.sender_email = %(sender)s::text
              AND g.message_id IS DISTINCT FROM %(message_id)s::uuid
              AND (%(before)s::timestamptz IS NULL OR g.received_at <= %(before)s::timestamptz)
            ORDER BY g.received_at DESC LIMIT 20) p), '[]') AS history,
       coalesce((SELECT jsonb_agg(to_jsonb(r)) FROM (
           SELECT c.was_account_id AS account_id, c.changed_at AS at FROM postroom.mapping_change c
            WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.sender_email = %(sender)s::text AND c.undone_at IS NULL
              AND c.action IN ('remap', 'ignore') AND c.was_account_id IS NOT NULL
            ORDER BY c.id DESC LIMIT 20) r), '[]') AS rejections,
       (SELECT to_jsonb(s) FROM (
           SELECT account_id, engagement_id, reason, chosen_by AS by, chosen_at AS at FROM postroom.sender_choice
            WHERE tenant_id = (SELECT postroom.tenant()) AND sender_email = %(sender)s::text AND ended_at IS NULL) s) AS choice,
       (SELECT to_jsonb(p) FROM postroom.mapping_policy p WHERE p.tenant_id = (SELECT postroom.tenant())) AS policy,
       coalesce((SELECT jsonb_agg(jsonb_build_array(t.signal, t.rights, t.wrongs)) FROM (
           SELECT signal, sum(rights * left_of) AS rights, sum(wrongs * left_of) AS wrongs
             FROM (SELECT signal, rights, wrongs, power(0.5, greatest(0, %(today)s::date - day) / %(halves_after_days)s::float) AS left_of
                     FROM postroom.signal_tally WHERE tenant_id = (SELECT postroom.tenant()) AND day > %(tallied_since)s::date) faded
            GROUP BY signal) t), '[]') AS tallies;

-- name: put_mapping
-- What a person said stays. Comes back with what it was before, or not at all when nothing of ours may change, or nothing
-- does: of two who find the same at one moment, one tells of it.
WITH before AS (
    SELECT status, account_id FROM postroom.mapping WHERE message_id = %(message_id)s::uuid
), stays AS MATERIALIZED (  -- the account may have been merged since we looked
    SELECT coalesce(merged_into, id) AS id FROM postroom.account WHERE id = %(account_id)s::uuid FOR KEY SHARE
)
INSERT INTO postroom.mapping AS held (id, tenant_id, message_id, thread_id, sender_email, received_at, account_id, engagement_id, work_item_id,
       confidence, status, requires_triage, reasons, objections, staleness, candidates, ignore_reason, decided_by, decided_at,
       created_at, updated_at)
VALUES (%(id)s::uuid, %(tenant_id)s::uuid, %(message_id)s::uuid, %(thread_id)s::uuid, %(sender_email)s::text, %(received_at)s::timestamptz,
       (SELECT id FROM stays), %(engagement_id)s::uuid, %(work_item_id)s::uuid, %(confidence)s::numeric, %(status)s::text,
       %(requires_triage)s::boolean, %(reasons)s::text[], %(objections)s::text[], %(staleness)s::text[], %(candidates)s::jsonb,
       %(ignore_reason)s::text, %(decided_by)s::text, %(decided_at)s::timestamptz, %(now)s::timestamptz, %(now)s::timestamptz)
ON CONFLICT (message_id) DO UPDATE
   SET account_id = excluded.account_id, engagement_id = excluded.engagement_id, work_item_id = excluded.work_item_id,
       confidence = excluded.confidence, status = excluded.status, requires_triage = excluded.requires_triage,
       reasons = excluded.reasons, objections = excluded.objections, staleness = excluded.staleness, candidates = excluded.candidates,
       ignore_reason = excluded.ignore_reason, decided_by = excluded.decided_by, decided_at = excluded.decided_at,
       version = held.version + 1, updated_at = excluded.updated_at
 WHERE held.status IN ('mapped', 'triage') AND held.decided_by IS NULL
   AND (held.account_id, held.engagement_id, held.work_item_id, held.confidence, held.status, held.reasons, held.objections,
        held.staleness, held.candidates, held.ignore_reason)
       IS DISTINCT FROM
       (excluded.account_id, excluded.engagement_id, excluded.work_item_id, excluded.confidence, excluded.status, excluded.reasons,
        excluded.objections, excluded.staleness, excluded.candidates, excluded.ignore_reason)
RETURNING held.id, held.account_id, (SELECT status FROM before) AS was_status, (SELECT account_id FROM before) AS was_account_id;

-- name: mappings
SELECT g.id, g.message_id, g.thread_id, m.mailbox_id, g.sender_email, m.sender_name, m.subject, m.snippet, m.trust, g.received_at,
       g.account_id, a.code AS account, a.name AS account_name, e.code AS engagement, w.code AS work_item, g.confidence, g.status,
       g.requires_triage, g.reasons, g.objections, g.staleness, g.candidates, g.ignore_reason, g.decided_by, g.decided_at, g.version, g.updated_at
  FROM postroom.mapping g JOIN postroom.message m ON m.id = g.message_id LEFT JOIN postroom.account a ON a.id = g.account_id
  LEFT JOIN postroom.engagement e ON e.id = g.engagement_id LEFT JOIN postroom.work_item w ON w.id = g.work_item_id
 WHERE g.tenant_id = (SELECT postroom.tenant())
   AND (%(id)s::uuid IS NULL OR g.id = %(id)s::uuid)
   AND (%(message_id)s::uuid IS NULL OR g.message_id = %(message_id)s::uuid)
   AND (%(account_id)s::uuid IS NULL OR g.account_id = %(account_id)s::uuid)
   AND (%(status)s::text IS NULL OR g.status = %(status)s::text)
   AND (%(sender)s::text IS NULL OR g.sender_email = %(sender)s::text)
   AND (%(before_id)s::uuid IS NULL OR g.id < %(before_id)s::uuid)
 ORDER BY g.id DESC LIMIT %(most)s;

-- name: next_in_triage
-- The one that has waited longest, after this one.
SELECT g.id FROM postroom.mapping g
 WHERE g.tenant_id = (SELECT postroom.tenant()) AND g.status = 'triage' AND g.id <> coalesce(%(after)s::uuid, '00000000-0000-0000-0000-000000000000')
   AND (%(after)s::uuid IS NULL OR (g.received_at, g.id) > (SELECT x.received_at, x.id FROM postroom.mapping x WHERE x.id = %(after)s::uuid))
 ORDER BY g.received_at, g.id LIMIT 1;

-- name: previous_in_triage
SELECT g.id FROM postroom.mapping g
 WHERE g.tenant_id = (SELECT postroom.tenant()) AND g.status = 'triage'
   AND (g.received_at, g.id) < (SELECT x.received_at, x.id FROM postroom.mapping x WHERE x.id = %(before)s::uuid)
 ORDER BY g.received_at DESC, g.id DESC LIMIT 1;

-- name: waiting_in_triage
SELECT count(*) FROM (SELECT FROM postroom.mapping WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'triage' LIMIT 1000) t;

-- name: page_of_triage
SELECT g.message_id, g.id, g.received_at FROM postroom.mapping g
 WHERE g.tenant_id = (SELECT postroom.tenant()) AND g.status = 'triage' AND g.decided_by IS NULL
   AND (g.received_at, g.id) > (%(after_at)s::timestamptz, %(after_id)s::uuid)
 ORDER BY g.received_at, g.id LIMIT %(most)s;

-- name: page_of_unmapped
-- Mail that came before there was a book, newest first.
SELECT m.id, m.received_at FROM postroom.message m
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.state = 'arrived' AND m.received_at >= %(since)s::timestamptz
   AND (m.received_at, m.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid)
   AND NOT EXISTS (SELECT FROM postroom.mapping g WHERE g.message_id = m.id)
 ORDER BY m.received_at DESC, m.id DESC LIMIT %(most)s;

-- name: lock_mappings
-- Those that one act reaches: a mail, or all of its thread, or all that wait of its sender.
SELECT g.id, g.message_id, m.mailbox_id, g.thread_id, g.sender_email, g.account_id, g.engagement_id, g.work_item_id, g.confidence, g.status,
       g.requires_triage, g.ignore_reason, g.decided_by, g.decided_at, g.candidates, g.version
  FROM postroom.mapping g JOIN postroom.message m ON m.id = g.message_id
 WHERE g.tenant_id = (SELECT postroom.tenant())
   AND (g.id = %(id)s::uuid
        OR (%(thread_id)s::uuid IS NOT NULL AND g.thread_id = %(thread_id)s::uuid)
        OR (%(sender)s::text IS NOT NULL AND g.sender_email = %(sender)s::text AND g.status = 'triage'))
 ORDER BY g.id FOR UPDATE OF g;

-- name: is_ours
SELECT EXISTS (SELECT FROM postroom.mailbox WHERE tenant_id = (SELECT postroom.tenant()) AND address = %(sender)s::text)
    OR EXISTS (SELECT FROM postroom.person WHERE tenant_id = (SELECT postroom.tenant()) AND email = %(sender)s::text);

-- name: reach
-- How many mails an act would touch besides this one.
SELECT (SELECT count(*) FROM postroom.mapping t WHERE t.tenant_id = g.tenant_id AND t.thread_id = g.thread_id AND t.id <> g.id) AS thread,
       (SELECT count(*) FROM (SELECT FROM postroom.mapping s WHERE s.tenant_id = g.tenant_id AND s.sender_email = g.sender_email
                                 AND s.status = 'triage' AND s.id <> g.id LIMIT 10000) w) AS waiting_from_sender,
       (SELECT count(*) FROM (SELECT FROM postroom.mapping s WHERE s.tenant_id = g.tenant_id AND s.id <> g.id
                                 AND (s.thread_id = g.thread_id OR (s.sender_email = g.sender_email AND s.status = 'triage')) LIMIT 10000) b) AS both
  FROM postroom.mapping g WHERE g.tenant_id = (SELECT postroom.tenant()) AND g.id = %(id)s::uuid;

-- name: decide_mappings
UPDATE postroom.mapping g
   SET account_id = r.account_id, engagement_id = r.engagement_id, work_item_id = r.work_item_id, confidence = r.confidence,
       status = r.status, requires_triage = r.requires_triage, ignore_reason = r.ignore_reason, decided_by = r.decided_by,
       decided_at = r.decided_at, version = g.version + 1, updated_at = %(now)s::timestamptz
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (id uuid, account_id uuid, engagement_id uuid, work_item_id uuid, confidence numeric,
       status text, requires_triage boolean, ignore_reason text, decided_by text, decided_at timestamptz)
 WHERE g.tenant_id = (SELECT postroom.tenant()) AND g.id = r.id;

-- name: put_mapping_changes
INSERT INTO postroom.mapping_change (id, tenant_id, mapping_id, act_id, action, sender_email, was_account_id, account_id, before, after, misled,
       outcomes, changed_by, changed_at)
SELECT r.id, %(tenant_id)s::uuid, r.mapping_id, %(act_id)s::uuid, r.action, r.sender_email, r.was_account_id, r.account_id, r.before, r.after,
       r.misled, r.outcomes, %(actor)s::text, %(now)s::timestamptz
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (id uuid, mapping_id uuid, action text, sender_email text, was_account_id uuid,
       account_id uuid, before jsonb, after jsonb, misled text[], outcomes jsonb);

-- name: changes_of_mapping
SELECT c.id, c.mapping_id, c.act_id, c.action, c.was_account_id, c.account_id, c.before, c.after, c.misled, c.outcomes, c.changed_by,
       c.changed_at, c.undone_by, c.undone_at
  FROM postroom.mapping_change c
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.mapping_id = %(mapping_id)s::uuid ORDER BY c.id DESC LIMIT %(most)s;

-- name: last_outcomes
-- What the last decision that still holds had taught, so that the next one replaces it.
SELECT DISTINCT ON (c.mapping_id) c.mapping_id, c.outcomes FROM postroom.mapping_change c
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.mapping_id = ANY (%(ids)s::uuid[]) AND c.undone_at IS NULL
 ORDER BY c.mapping_id, c.id DESC;

-- name: last_act
-- The newest decision that is not undone, of a mapping or of a person.
SELECT c.act_id FROM postroom.mapping_change c
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.undone_at IS NULL AND c.mapping_id = %(mapping_id)s::uuid
 ORDER BY c.id DESC LIMIT 1;

-- name: lock_act
SELECT g.id FROM postroom.mapping g
 WHERE g.tenant_id = (SELECT postroom.tenant())
   AND g.id IN (SELECT c.mapping_id FROM postroom.mapping_change c WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.act_id = %(act_id)s::uuid)
 ORDER BY g.id FOR UPDATE;

-- name: changes_of_act
-- Of each mail whether somebody decided about it again since.
SELECT c.id, c.mapping_id, g.message_id, m.mailbox_id, m.thread_id, c.action, c.before, c.after, c.outcomes, g.version,
       EXISTS (SELECT FROM postroom.mapping_change l WHERE l.tenant_id = c.tenant_id AND l.mapping_id = c.mapping_id AND l.id > c.id
                  AND l.undone_at IS NULL) AS is_overtaken
  FROM postroom.mapping_change c JOIN postroom.mapping g ON g.id = c.mapping_id JOIN postroom.message m ON m.id = g.message_id
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.act_id = %(act_id)s::uuid AND c.undone_at IS NULL ORDER BY c.id;

-- name: mark_undone
UPDATE postroom.mapping_change SET undone_by = %(actor)s::text, undone_at = %(now)s::timestamptz
 WHERE tenant_id = (SELECT postroom.tenant()) AND id = ANY (%(ids)s::uuid[]) AND undone_at IS NULL;

-- name: end_choice
UPDATE postroom.sender_choice SET ended_at = %(now)s::timestamptz, ended_act = %(act_id)s::uuid
 WHERE tenant_id = (SELECT postroom.tenant()) AND sender_email = %(sender)s::text AND ended_at IS NULL;

-- name: put_choice
INSERT INTO postroom.sender_choice (id, tenant_id, sender_email, account_id, engagement_id, reason, act_id, chosen_by, chosen_at)
VALUES (%(id)s::uuid, %(tenant_id)s::uuid, %(sender)s::text, %(account_id)s::uuid, %(engagement_id)s::uuid, %(reason)s::text, %(act_id)s::uuid,
        %(actor)s::text, %(now)s::timestamptz);

-- name: undo_choice
-- The choice of an act ends, and the one that it had ended holds again.
WITH ended AS (
    UPDATE postroom.sender_choice SET ended_at = %(now)s::timestamptz
     WHERE tenant_id = (SELECT postroom.tenant()) AND act_id = %(act_id)s::uuid AND ended_at IS NULL RETURNING sender_email
)
SELECT c.id FROM postroom.sender_choice c JOIN ended e ON e.sender_email = c.sender_email
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.ended_act = %(act_id)s::uuid ORDER BY c.id DESC LIMIT 1;

-- name: reopen_choice
UPDATE postroom.sender_choice SET ended_at = NULL, ended_act = NULL WHERE tenant_id = (SELECT postroom.tenant()) AND id = %(id)s::uuid;

-- name: put_tallies
-- By the month, under its last day: however many people decide, a signal has few rows to add up for every mail.
INSERT INTO postroom.signal_tally AS held (tenant_id, signal, day, rights, wrongs)
SELECT %(tenant_id)s::uuid, r.signal, (date_trunc('month', %(day)s::date) + interval '1 month - 1 day')::date, sum(r.rights), sum(r.wrongs)
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (signal text, rights integer, wrongs integer) GROUP BY r.signal ORDER BY r.signal
ON CONFLICT (tenant_id, signal, day) DO UPDATE SET rights = held.rights + excluded.rights, wrongs = held.wrongs + excluded.wrongs;

-- name: tallies
SELECT signal, day, rights, wrongs FROM postroom.signal_tally
 WHERE tenant_id = (SELECT postroom.tenant()) AND day > %(since)s::date ORDER BY signal, day;

-- name: lock_policy
-- One policy of a tenant is changed at a time, whichever room it is for; whatever only refers to the tenant goes on.
SELECT tenant_id FROM postroom.tenant WHERE tenant_id = (SELECT postroom.tenant()) FOR NO KEY UPDATE;

-- name: put_policy
INSERT INTO postroom.mapping_policy (tenant_id, threshold, staleness_days, multi_account_penalty, mixed_thread_penalty, subject_penalty,
       stale_penalty, silent_after_days, left_out, updated_at)
VALUES (%(tenant_id)s::uuid, %(threshold)s::numeric, %(staleness_days)s::int, %(multi_account_penalty)s::numeric, %(mixed_thread_penalty)s::numeric,
        %(subject_penalty)s::numeric, %(stale_penalty)s::numeric, %(silent_after_days)s::int, %(left_out)s::uuid[], %(now)s::timestamptz)
ON CONFLICT (tenant_id) DO UPDATE SET threshold = excluded.threshold, staleness_days = excluded.staleness_days,
       multi_account_penalty = excluded.multi_account_penalty, mixed_thread_penalty = excluded.mixed_thread_penalty,
       subject_penalty = excluded.subject_penalty, stale_penalty = excluded.stale_penalty,
       silent_after_days = excluded.silent_after_days, left_out = excluded.left_out, updated_at = excluded.updated_at;

-- name: unknown_mailboxes
SELECT w.id FROM unnest(%(mailboxes)s::uuid[]) AS w (id)
 WHERE NOT EXISTS (SELECT FROM postroom.mailbox b WHERE b.id = w.id AND b.tenant_id = (SELECT postroom.tenant()))
 ORDER BY w.id;

-- name: policy
SELECT threshold, staleness_days, multi_account_penalty, mixed_thread_penalty, subject_penalty, stale_penalty, silent_after_days, left_out
  FROM postroom.mapping_policy WHERE tenant_id = (SELECT postroom.tenant());

-- name: forget_mappings
-- What a mail said is forgotten with the mail; whose it was stays.
UPDATE postroom.mapping g SET sender_email = NULL, reasons = '{}', objections = '{}', candidates = '[]'
  FROM (SELECT m.id FROM postroom.message m JOIN postroom.mapping o ON o.message_id = m.id
         WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.forgotten_at IS NOT NULL AND m.forgotten_at >= %(since)s::timestamptz
           AND o.sender_email IS NOT NULL LIMIT %(most)s) old
 WHERE g.message_id = old.id;

-- name: mail_of_account
SELECT g.id, g.message_id, m.subject, m.sender_email, m.sender_name, m.mailbox_id, g.received_at, g.status, g.confidence,
       e.code AS engagement, w.code AS work_item
  FROM postroom.mapping g JOIN postroom.message m ON m.id = g.message_id
  LEFT JOIN postroom.engagement e ON e.id = g.engagement_id LEFT JOIN postroom.work_item w ON w.id = g.work_item_id
 WHERE g.tenant_id = (SELECT postroom.tenant()) AND g.account_id = %(account_id)s::uuid AND g.status IN ('mapped', 'confirmed')
   AND (%(before_at)s::timestamptz IS NULL OR (g.received_at, g.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY g.received_at DESC, g.id DESC LIMIT %(most)s;

-- name: documents_of_account
SELECT d.id, d.filename, d.kind, d.status, d.received_at, d.message_id
  FROM (SELECT message_id, received_at FROM postroom.mapping
         WHERE tenant_id = (SELECT postroom.tenant()) AND account_id = %(account_id)s::uuid AND status IN ('mapped', 'confirmed')
         ORDER BY received_at DESC LIMIT 500) g
  JOIN postroom.document d ON d.message_id = g.message_id
 ORDER BY d.received_at DESC, d.id DESC LIMIT %(most)s;

-- name: trades_of_account
SELECT t.id, t.document_id, t.status, t.direction, t.trade_date, t.quantity, t.isin, t.name, t.net, t.currency
  FROM (SELECT message_id, received_at FROM postroom.mapping
         WHERE tenant_id = (SELECT postroom.tenant()) AND account_id = %(account_id)s::uuid AND status IN ('mapped', 'confirmed')
         ORDER BY received_at DESC LIMIT 500) g
  JOIN postroom.document d ON d.message_id = g.message_id JOIN postroom.trade t ON t.document_id = d.id
 WHERE t.status <> 'rejected' ORDER BY t.trade_date DESC NULLS LAST, t.id DESC LIMIT %(most)s;

-- name: invoices_of_account
SELECT i.id, i.document_id, i.status, i.number, i.issue_date, i.supplier, i.buyer, i.grand_total, i.currency
  FROM (SELECT message_id, received_at FROM postroom.mapping
         WHERE tenant_id = (SELECT postroom.tenant()) AND account_id = %(account_id)s::uuid AND status IN ('mapped', 'confirmed')
         ORDER BY received_at DESC LIMIT 500) g
  JOIN postroom.document d ON d.message_id = g.message_id JOIN postroom.invoice i ON i.document_id = d.id
 WHERE i.status <> 'rejected' ORDER BY i.issue_date DESC NULLS LAST, i.id DESC LIMIT %(most)s;

-- name: clients_of_messages
SELECT g.message_id, g.id, g.status, g.account_id, a.code AS account, a.name
  FROM postroom.mapping g LEFT JOIN postroom.account a ON a.id = g.account_id WHERE g.message_id = ANY (%(ids)s::uuid[]);
