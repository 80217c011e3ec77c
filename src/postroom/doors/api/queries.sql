-- name: claim_key
-- Ours when it comes back with our claim: new, out of date, or left behind by a request that died.
INSERT INTO postroom.idempotency AS held (tenant_id, actor, key, request, claim, created_at)
VALUES (%(tenant_id)s, %(actor)s, %(key)s, %(request)s, %(claim)s, %(now)s)
ON CONFLICT (tenant_id, actor, key) DO UPDATE
   SET request = CASE WHEN held.created_at < %(kept_since)s OR (held.answer IS NULL AND held.created_at < %(dead_since)s)
                      THEN excluded.request ELSE held.request END,
       claim = CASE WHEN held.created_at < %(kept_since)s OR (held.answer IS NULL AND held.created_at < %(dead_since)s)
                    THEN excluded.claim ELSE held.claim END,
       answer = CASE WHEN held.created_at < %(kept_since)s THEN NULL ELSE held.answer END,
       created_at = CASE WHEN held.created_at < %(kept_since)s OR (held.answer IS NULL AND held.created_at < %(dead_since)s)
                         THEN excluded.created_at ELSE held.created_at END
RETURNING request, claim, answer;

-- name: release_key
DELETE FROM postroom.idempotency WHERE actor = %(actor)s AND key = %(key)s AND claim = %(claim)s;

-- name: keep_answer
UPDATE postroom.idempotency SET answer = %(answer)s WHERE actor = %(actor)s AND key = %(key)s AND claim = %(claim)s;

-- name: forget_keys
DELETE FROM postroom.idempotency
 WHERE ctid = ANY (ARRAY(SELECT ctid FROM postroom.idempotency
                          WHERE tenant_id = (SELECT postroom.tenant()) AND created_at < %(kept_since)s LIMIT 50));

-- name: messages
SELECT m.id, m.mailbox_id, b.address AS mailbox, m.provider_message_id, m.state, m.because, m.source, m.thread_id,
       m.internet_message_id, m.sender_email, m.sender_name, m.recipients, m.subject, m.snippet, m.labels, m.attachments,
       m.automatic, m.trust, m.trust_because, m.size, m.received_at, m.announced_at, m.arrived_at, m.removed_at,
       coalesce((SELECT jsonb_object_agg(d.pipeline, jsonb_build_object('status', d.status, 'rule', d.rule, 'reason', d.because))
                   FROM postroom.disposition d WHERE d.message_id = m.id), '{}') AS status
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id
 WHERE m.tenant_id = (SELECT postroom.tenant())
   AND (%(mailbox_id)s::uuid IS NULL OR m.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(thread_id)s::uuid IS NULL OR m.thread_id = %(thread_id)s::uuid)
   AND (%(provider_message_id)s::text IS NULL OR (m.provider_message_id = %(provider_message_id)s::text
        AND m.mailbox_id = ANY (ARRAY(SELECT o.id FROM postroom.mailbox o))))
   AND (%(state)s::text IS NULL OR m.state = %(state)s::text)
   AND (%(since)s::timestamptz IS NULL
        OR CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END >= %(since)s::timestamptz)
   AND (%(until)s::timestamptz IS NULL
        OR CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END < %(until)s::timestamptz)
   AND (%(before_at)s::timestamptz IS NULL
        OR (CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END, m.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END DESC, m.id DESC LIMIT %(most)s;

-- name: messages_of_status
-- Apart from the other, so that a status which few have is looked up instead of searched for.
SELECT m.id, m.mailbox_id, b.address AS mailbox, m.provider_message_id, m.state, m.because, m.source, m.thread_id,
       m.internet_message_id, m.sender_email, m.sender_name, m.recipients, m.subject, m.snippet, m.labels, m.attachments,
       m.automatic, m.trust, m.trust_because, m.size, m.received_at, m.announced_at, m.arrived_at, m.removed_at,
       coalesce((SELECT jsonb_object_agg(d.pipeline, jsonb_build_object('status', d.status, 'rule', d.rule, 'reason', d.because))
                   FROM postroom.disposition d WHERE d.message_id = m.id), '{}') AS status
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id
 WHERE m.tenant_id = (SELECT postroom.tenant())
   AND EXISTS (SELECT FROM postroom.disposition d
                WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.message_id = m.id AND d.status = %(status)s
                  AND (%(pipeline)s::text IS NULL OR d.pipeline = %(pipeline)s::text))
   AND (%(mailbox_id)s::uuid IS NULL OR m.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(thread_id)s::uuid IS NULL OR m.thread_id = %(thread_id)s::uuid)
   AND (%(provider_message_id)s::text IS NULL OR (m.provider_message_id = %(provider_message_id)s::text
        AND m.mailbox_id = ANY (ARRAY(SELECT o.id FROM postroom.mailbox o))))
   AND (%(state)s::text IS NULL OR m.state = %(state)s::text)
   AND (%(since)s::timestamptz IS NULL
        OR CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END >= %(since)s::timestamptz)
   AND (%(until)s::timestamptz IS NULL
        OR CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END < %(until)s::timestamptz)
   AND (%(before_at)s::timestamptz IS NULL
        OR (CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END, m.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END DESC, m.id DESC LIMIT %(most)s;

-- name: mailbox_of
SELECT id FROM postroom.mailbox WHERE address = %(address)s ORDER BY connected_at DESC, id LIMIT 1;

-- name: threads
SELECT t.id, t.mailbox_id, b.address AS mailbox, t.provider_thread_id, t.subject, t.messages, t.last_message_at
  FROM postroom.thread t JOIN postroom.mailbox b ON b.id = t.mailbox_id
 WHERE t.tenant_id = (SELECT postroom.tenant())
   AND (%(mailbox_id)s::uuid IS NULL OR t.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(before_at)s::timestamptz IS NULL OR (t.last_message_at, t.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY t.last_message_at DESC, t.id DESC LIMIT %(most)s;

-- name: jobs_of_message
-- Those that wait or were put aside; a message's job is known by the message.
SELECT id FROM postroom.job
 WHERE tenant_id = (SELECT postroom.tenant()) AND state IN ('later', 'parked', 'quarantined') AND key = %(message_id)s::uuid::text
   AND kind = ANY (%(kinds)s) ORDER BY id LIMIT 10;

-- name: newest_attempt
SELECT coalesce(max(id), 0) FROM postroom.attempt WHERE tenant_id = (SELECT postroom.tenant());

-- name: retry_progress
-- What somebody asked for in that moment, with how its last try since then went.
WITH asked AS (
    SELECT DISTINCT body ->> 'job_kind' AS kind, body ->> 'key' AS key FROM postroom.fact
     WHERE tenant_id = (SELECT postroom.tenant()) AND kind = 'attempt.manual_retry_requested'
       AND told_at BETWEEN %(since)s AND %(till)s
       AND left(encode(sha256(convert_to(actor, 'UTF8')), 'hex'), 12) = %(mark)s
), tried AS (
    SELECT DISTINCT ON (kind, key) kind, key, outcome
      FROM (SELECT id, kind, key, outcome FROM postroom.attempt
             WHERE tenant_id = (SELECT postroom.tenant()) AND id > %(after)s ORDER BY id LIMIT 50000) since_then
     WHERE outcome NOT IN ('lost', 'released') ORDER BY kind, key, id DESC
)
SELECT count(*) AS total, count(*) FILTER (WHERE outcome = 'done') AS done,
       count(*) FILTER (WHERE outcome IN ('parked', 'quarantined', 'stopped')) AS failed,
       count(*) FILTER (WHERE outcome IN ('retry', 'throttled')) AS later
  FROM asked LEFT JOIN tried ON tried.kind = asked.kind AND tried.key IS NOT DISTINCT FROM asked.key;

-- name: facts
-- Newest first, within what one page may look through; nothing but looking finds a mailbox, a thread or an actor.
SELECT id, xid, told_at, tenant_id, kind, mailbox_id, thread_id, message_id, document_id, job_id, run_id, correlation_id,
       actor, body, digest
  FROM (SELECT * FROM postroom.fact
         WHERE tenant_id = (SELECT postroom.tenant()) AND (xid, id) < (%(before_xid)s, %(before_id)s)
           AND xid >= %(after_xid)s
           AND (%(kind)s::text IS NULL OR kind = %(kind)s::text OR starts_with(kind, %(kind)s::text || '.'))
           AND (%(message_id)s::uuid IS NULL OR message_id = %(message_id)s::uuid)
           AND (%(document_id)s::uuid IS NULL OR document_id = %(document_id)s::uuid)
         ORDER BY xid DESC, id DESC LIMIT %(scan)s) newest
 WHERE (%(mailbox_id)s::uuid IS NULL OR mailbox_id = %(mailbox_id)s::uuid)
   AND (%(thread_id)s::uuid IS NULL OR thread_id = %(thread_id)s::uuid)
   AND (%(actor)s::text IS NULL OR actor = %(actor)s::text)
   AND (%(since)s::timestamptz IS NULL OR told_at >= %(since)s::timestamptz)
   AND (%(until)s::timestamptz IS NULL OR told_at < %(until)s::timestamptz)
 ORDER BY xid DESC, id DESC LIMIT %(most)s;

-- name: scan_end
SELECT xid, id FROM postroom.fact
 WHERE tenant_id = (SELECT postroom.tenant()) AND (xid, id) < (%(before_xid)s, %(before_id)s) AND xid >= %(after_xid)s
   AND (%(kind)s::text IS NULL OR kind = %(kind)s::text OR starts_with(kind, %(kind)s::text || '.'))
   AND (%(message_id)s::uuid IS NULL OR message_id = %(message_id)s::uuid)
   AND (%(document_id)s::uuid IS NULL OR document_id = %(document_id)s::uuid)
 ORDER BY xid DESC, id DESC OFFSET %(scan)s - 1 LIMIT 1;

-- name: span
-- Times as transactions: after the last one that was over well before, before the first that came well after. Each kind
-- has its facts in order of time, and there are few kinds, so this costs the same however many facts there are.
WITH RECURSIVE kinds AS (
    (SELECT f.kind FROM postroom.fact f WHERE f.tenant_id = (SELECT postroom.tenant()) ORDER BY f.kind LIMIT 1)
    UNION ALL
    SELECT (SELECT f.kind FROM postroom.fact f WHERE f.tenant_id = (SELECT postroom.tenant()) AND f.kind > kinds.kind
             ORDER BY f.kind LIMIT 1)
      FROM kinds WHERE kinds.kind IS NOT NULL
)
SELECT (SELECT max(last.xid) FROM (SELECT kind FROM kinds WHERE kind IS NOT NULL) k CROSS JOIN LATERAL (
            SELECT f.xid, f.kind FROM postroom.fact f
             WHERE f.tenant_id = (SELECT postroom.tenant())
               AND (f.kind, f.told_at) < (k.kind, %(since)s::timestamptz - interval '10 minutes')
             ORDER BY f.kind DESC, f.told_at DESC LIMIT 1) last WHERE last.kind = k.kind) AS after_xid,
       (SELECT min(first.xid) FROM (SELECT kind FROM kinds WHERE kind IS NOT NULL) k CROSS JOIN LATERAL (
            SELECT f.xid, f.kind FROM postroom.fact f
             WHERE f.tenant_id = (SELECT postroom.tenant())
               AND (f.kind, f.told_at) >= (k.kind, %(until)s::timestamptz + interval '10 minutes')
             ORDER BY f.kind, f.told_at LIMIT 1) first WHERE first.kind = k.kind) AS before_xid;

-- name: arrivals
-- From the provider's hands to ours, over the newest messages of the window.
SELECT count(*) AS messages,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds)::float8 AS median,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds)::float8 AS p95, max(seconds)::float8 AS slowest
  FROM (SELECT extract(epoch FROM m.arrived_at - CASE WHEN %(from_provider)s THEN m.received_at ELSE m.announced_at END) AS seconds
          FROM postroom.message m
         WHERE m.tenant_id = (SELECT postroom.tenant())
           AND CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END >= %(since)s
           AND m.arrived_at IS NOT NULL AND m.source <> 'backfill' AND m.source <> 'import'
         ORDER BY CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END DESC LIMIT 5000) newest;

-- name: documents
SELECT kind, status, sum(count)::bigint AS documents FROM postroom.document_tally
 WHERE tenant_id = (SELECT postroom.tenant()) GROUP BY kind, status HAVING sum(count) > 0 ORDER BY kind, status;

-- name: invoice
SELECT id, document_id, status, because, number, issue_date, due_date, supplier, buyer, currency, net_total, tax_total,
       grand_total, iban, tax_by_rate, confidence, fields, fingerprint, instance, duplicate_of, confirmed_by, confirmed_at,
       corrected_by, corrected_at, created_at
  FROM postroom.invoice WHERE id = %(id)s;
