-- name: needs
-- What waits for a person. Counted over small tables and partial indexes only.
SELECT coalesce((SELECT sum(count) FROM postroom.document_tally
                  WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'review'), 0)::bigint AS review,
       coalesce((SELECT sum(count) FROM postroom.document_tally
                  WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'failed'), 0)::bigint AS unreadable,
       (SELECT count(*) FROM (SELECT FROM postroom.job
                               WHERE tenant_id = (SELECT postroom.tenant()) AND state IN ('parked', 'quarantined') LIMIT 1000) j) AS aside,
       (SELECT count(*) FROM postroom.mailbox
         WHERE status IN ('token_refresh_failed', 'subscription_expired', 'provider_error')) AS mailboxes;

-- name: tally
SELECT kind, status, sum(count)::bigint AS count FROM postroom.document_tally
 WHERE tenant_id = (SELECT postroom.tenant()) GROUP BY kind, status HAVING sum(count) > 0 ORDER BY kind, status;

-- name: hours
-- One kind of fact by the hour.
SELECT floor(extract(epoch FROM told_at) / 3600)::bigint AS hour, count(*) AS count FROM postroom.fact
 WHERE tenant_id = (SELECT postroom.tenant()) AND kind = %(kind)s AND told_at >= %(since)s AND told_at < %(until)s GROUP BY 1;

-- name: messages
SELECT m.id, m.mailbox_id, b.address AS mailbox, m.state, m.because, m.sender_email, m.sender_name, m.subject, m.snippet,
       jsonb_array_length(m.attachments) AS files, m.automatic, m.trust, m.received_at, m.announced_at,
       coalesce((SELECT jsonb_object_agg(d.pipeline, jsonb_build_object('status', d.status, 'rule', d.rule, 'reason', d.because))
                   FROM postroom.disposition d WHERE d.message_id = m.id), '{}') AS status
  FROM (SELECT s.* FROM postroom.message s
         WHERE s.tenant_id = (SELECT postroom.tenant())
           AND (%(mailbox_id)s::uuid IS NULL OR s.mailbox_id = %(mailbox_id)s::uuid)
           AND (%(before_at)s::timestamptz IS NULL OR s.received_at < %(before_at)s::timestamptz
                OR (s.received_at = %(before_at)s::timestamptz AND s.id > %(before_id)s::uuid))
         ORDER BY s.received_at DESC, s.id LIMIT %(scan)s) m
  JOIN postroom.mailbox b ON b.id = m.mailbox_id
 WHERE (%(status)s::text IS NULL
        OR (%(status)s::text = 'gone' AND m.state = 'gone')
        OR EXISTS (SELECT FROM postroom.disposition d WHERE d.message_id = m.id AND d.status = %(status)s::text))
   AND (%(words)s::text IS NULL OR m.subject ILIKE %(words)s::text OR m.sender_email ILIKE %(words)s::text
        OR m.sender_name ILIKE %(words)s::text OR m.internet_message_id ILIKE %(words)s::text)
 ORDER BY m.received_at DESC, m.id LIMIT %(most)s;

-- name: failed_messages
SELECT m.id, m.mailbox_id, b.address AS mailbox, m.state, m.because, m.sender_email, m.sender_name, m.subject, m.snippet,
       jsonb_array_length(m.attachments) AS files, m.automatic, m.trust, m.received_at, m.announced_at,
       (SELECT jsonb_object_agg(d.pipeline, jsonb_build_object('status', d.status, 'rule', d.rule, 'reason', d.because))
          FROM postroom.disposition d WHERE d.message_id = m.id) AS status
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id
 WHERE m.tenant_id = (SELECT postroom.tenant())
   AND m.id IN (SELECT f.message_id FROM postroom.disposition f
                 WHERE f.tenant_id = (SELECT postroom.tenant()) AND f.status = 'failed')
   AND (%(mailbox_id)s::uuid IS NULL OR m.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(before_at)s::timestamptz IS NULL OR m.received_at < %(before_at)s::timestamptz
        OR (m.received_at = %(before_at)s::timestamptz AND m.id > %(before_id)s::uuid))
   AND (%(words)s::text IS NULL OR m.subject ILIKE %(words)s::text OR m.sender_email ILIKE %(words)s::text
        OR m.sender_name ILIKE %(words)s::text)
 ORDER BY m.received_at DESC, m.id LIMIT %(most)s;

-- name: scan_end
SELECT s.received_at, s.id FROM postroom.message s
 WHERE s.tenant_id = (SELECT postroom.tenant())
   AND (%(mailbox_id)s::uuid IS NULL OR s.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(before_at)s::timestamptz IS NULL OR s.received_at < %(before_at)s::timestamptz
        OR (s.received_at = %(before_at)s::timestamptz AND s.id > %(before_id)s::uuid))
 ORDER BY s.received_at DESC, s.id OFFSET %(scan)s - 1 LIMIT 1;

-- name: facts
-- Looks through so many of the newest at most; a page that finds few says where to look on.
SELECT f.id, f.xid, f.told_at, f.tenant_id, f.kind, f.mailbox_id, f.thread_id, f.message_id, f.document_id, f.job_id, f.run_id,
       f.correlation_id, f.actor, f.body, f.digest
  FROM (SELECT s.* FROM postroom.fact s
         WHERE s.tenant_id = (SELECT postroom.tenant()) AND (s.xid, s.id) < (%(before_xid)s, %(before_id)s)
         ORDER BY s.xid DESC, s.id DESC LIMIT %(scan)s) f
 WHERE (%(group)s::text IS NULL OR starts_with(f.kind, %(group)s::text))
   AND (NOT %(quiet)s OR NOT starts_with(f.kind, 'mail.processing.') AND f.kind NOT IN
        ('mailbox.notification_received', 'engine.counted', 'document.read', 'document.message_sifted'))
   AND (%(mailbox_id)s::uuid IS NULL OR f.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(actor)s::text IS NULL OR f.actor ILIKE %(actor)s::text)
   AND (%(words)s::text IS NULL OR f.body::text ILIKE %(words)s::text)
   AND (%(until)s::timestamptz IS NULL OR f.told_at < %(until)s::timestamptz)
 ORDER BY f.xid DESC, f.id DESC LIMIT %(most)s;

-- name: facts_of_kind
SELECT f.id, f.xid, f.told_at, f.tenant_id, f.kind, f.mailbox_id, f.thread_id, f.message_id, f.document_id, f.job_id, f.run_id,
       f.correlation_id, f.actor, f.body, f.digest
  FROM (SELECT s.* FROM postroom.fact s
         WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.kind = %(kind)s
           AND (s.told_at, s.id) < (%(before_at)s::timestamptz, %(before_id)s::bigint)
         ORDER BY s.told_at DESC, s.id DESC LIMIT %(scan)s) f
 WHERE (%(mailbox_id)s::uuid IS NULL OR f.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(actor)s::text IS NULL OR f.actor ILIKE %(actor)s::text)
   AND (%(words)s::text IS NULL OR f.body::text ILIKE %(words)s::text)
 ORDER BY f.told_at DESC, f.id DESC LIMIT %(most)s;

-- name: walk_of_message
SELECT id, xid, told_at, tenant_id, kind, mailbox_id, thread_id, message_id, document_id, job_id, run_id, correlation_id,
       actor, body, digest
  FROM postroom.fact
 WHERE tenant_id = (SELECT postroom.tenant())
   AND (message_id = %(message_id)s
        OR document_id = ANY (ARRAY(SELECT d.id FROM postroom.document d WHERE d.message_id = %(message_id)s)))
 ORDER BY xid, id LIMIT 300;

-- name: walk_of_document
SELECT id, xid, told_at, tenant_id, kind, mailbox_id, thread_id, message_id, document_id, job_id, run_id, correlation_id,
       actor, body, digest
  FROM postroom.fact
 WHERE tenant_id = (SELECT postroom.tenant()) AND document_id = %(document_id)s ORDER BY xid, id LIMIT 200;

-- name: labels
-- What the things are called that facts are about.
SELECT m.id, concat_ws(' · ', nullif(m.subject, ''), coalesce(nullif(m.sender_name, ''), m.sender_email)) AS label
  FROM postroom.message m WHERE m.id = ANY (%(messages)s)
UNION ALL
SELECT d.id, d.filename FROM postroom.document d WHERE d.id = ANY (%(documents)s)
UNION ALL
SELECT b.id, b.address FROM postroom.mailbox b WHERE b.id = ANY (%(mailboxes)s);

-- name: kinds
-- The kinds that occur, one look per kind: there are few kinds and many facts.
WITH RECURSIVE known AS (
    (SELECT kind FROM postroom.fact WHERE tenant_id = (SELECT postroom.tenant()) ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT f.kind FROM postroom.fact f WHERE f.tenant_id = (SELECT postroom.tenant()) AND f.kind > known.kind
             ORDER BY f.kind LIMIT 1)
      FROM known WHERE known.kind IS NOT NULL
)
SELECT kind FROM known WHERE kind IS NOT NULL;

-- name: aside
-- What waits for a person or was put aside, newest first.
SELECT id, kind, key, state, mailbox_id, tries, parked_for, reason, created_at, run_at FROM postroom.job
 WHERE tenant_id = (SELECT postroom.tenant()) AND state IN ('parked', 'quarantined') AND id < %(before)s
   AND (%(state)s::text IS NULL OR state = %(state)s::text)
   AND (%(kind)s::text IS NULL OR kind = %(kind)s::text)
   AND (%(mailbox_id)s::uuid IS NULL OR mailbox_id = %(mailbox_id)s::uuid)
 ORDER BY id DESC LIMIT %(most)s;

-- name: waiting
-- What will be tried again by itself.
SELECT id, kind, key, state, mailbox_id, tries, parked_for, reason, created_at, run_at FROM postroom.job
 WHERE tenant_id = (SELECT postroom.tenant()) AND state = 'later' AND tries > 0
   AND (%(mailbox_id)s::uuid IS NULL OR mailbox_id = %(mailbox_id)s::uuid)
 ORDER BY run_at LIMIT %(most)s;

-- name: document_of_sha
SELECT d.id FROM postroom.document d WHERE d.message_id = %(message_id)s AND d.sha256 = %(sha256)s ORDER BY d.id LIMIT 1;

-- name: kept_of_message
SELECT m.forgotten_at, ARRAY(SELECT a.sha256 FROM postroom.attachment a WHERE a.message_id = m.id) AS fetched
  FROM postroom.message m WHERE m.id = %(message_id)s;
