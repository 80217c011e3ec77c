-- name: searched_facts
-- Newest first, within what one page may look through; nothing but looking finds a mailbox, a thread or an actor.
SELECT * FROM (SELECT * FROM postroom.fact_view
                WHERE (xid, id) < (%(before_xid)s, %(before_id)s) AND xid >= %(after_xid)s
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

-- name: searched_till
SELECT xid, id FROM postroom.fact_view
 WHERE (xid, id) < (%(before_xid)s, %(before_id)s) AND xid >= %(after_xid)s
   AND (%(kind)s::text IS NULL OR kind = %(kind)s::text OR starts_with(kind, %(kind)s::text || '.'))
   AND (%(message_id)s::uuid IS NULL OR message_id = %(message_id)s::uuid)
   AND (%(document_id)s::uuid IS NULL OR document_id = %(document_id)s::uuid)
 ORDER BY xid DESC, id DESC OFFSET %(scan)s - 1 LIMIT 1;

-- name: span
-- Times as transactions: after the last one that was over well before, before the first that came well after. Each kind
-- has its facts in order of time, and there are few kinds, so this costs the same however many facts there are.
WITH RECURSIVE kinds AS (
    (SELECT f.kind FROM postroom.fact_view f ORDER BY f.kind LIMIT 1)
    UNION ALL
    SELECT (SELECT f.kind FROM postroom.fact_view f WHERE f.kind > kinds.kind ORDER BY f.kind LIMIT 1)
      FROM kinds WHERE kinds.kind IS NOT NULL
)
SELECT (SELECT max(last.xid) FROM (SELECT kind FROM kinds WHERE kind IS NOT NULL) k CROSS JOIN LATERAL (
            SELECT f.xid, f.kind FROM postroom.fact_view f
             WHERE (f.kind, f.told_at) < (k.kind, %(since)s::timestamptz - interval '10 minutes')
             ORDER BY f.kind DESC, f.told_at DESC LIMIT 1) last WHERE last.kind = k.kind) AS after_xid,
       (SELECT min(first.xid) FROM (SELECT kind FROM kinds WHERE kind IS NOT NULL) k CROSS JOIN LATERAL (
            SELECT f.xid, f.kind FROM postroom.fact_view f
             WHERE (f.kind, f.told_at) >= (k.kind, %(until)s::timestamptz + interval '10 minutes')
             ORDER BY f.kind, f.told_at LIMIT 1) first WHERE first.kind = k.kind) AS before_xid;

-- name: recent_facts
-- Looks through so many of the newest at most; a page that finds few says where to look on.
SELECT * FROM (SELECT * FROM postroom.fact_view s
                WHERE (s.xid, s.id) < (%(before_xid)s, %(before_id)s)
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
SELECT * FROM (SELECT * FROM postroom.fact_view s
                WHERE s.kind = %(kind)s AND (s.told_at, s.id) < (%(before_at)s::timestamptz, %(before_id)s::bigint)
                ORDER BY s.told_at DESC, s.id DESC LIMIT %(scan)s) f
 WHERE (%(mailbox_id)s::uuid IS NULL OR f.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(actor)s::text IS NULL OR f.actor ILIKE %(actor)s::text)
   AND (%(words)s::text IS NULL OR f.body::text ILIKE %(words)s::text)
 ORDER BY f.told_at DESC, f.id DESC LIMIT %(most)s;

-- name: walk_of_message
SELECT * FROM postroom.fact_view
 WHERE message_id = %(message_id)s
    OR document_id = ANY (ARRAY(SELECT d.id FROM postroom.document d WHERE d.message_id = %(message_id)s))
 ORDER BY xid, id LIMIT 300;

-- name: walk_of_document
SELECT * FROM postroom.fact_view WHERE document_id = %(document_id)s ORDER BY xid, id LIMIT 200;

-- name: walk_of_thread
SELECT * FROM postroom.fact_view
 WHERE ((left(kind, 7) = 'thread.' AND thread_id = %(thread_id)s)
     OR message_id = ANY (ARRAY(SELECT m.id FROM postroom.message m WHERE m.tenant_id = (SELECT postroom.tenant())
                                 AND m.thread_id = %(thread_id)s ORDER BY m.received_at DESC LIMIT 20)))
   AND left(kind, 16) <> 'mail.processing.'
 ORDER BY xid, id LIMIT 300;

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
    (SELECT kind FROM postroom.fact_view ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT (SELECT f.kind FROM postroom.fact_view f WHERE f.kind > known.kind ORDER BY f.kind LIMIT 1)
      FROM known WHERE known.kind IS NOT NULL
)
SELECT kind FROM known WHERE kind IS NOT NULL;

-- name: hours
-- One kind of fact by the hour.
SELECT floor(extract(epoch FROM told_at) / 3600)::bigint AS hour, count(*) AS count FROM postroom.fact_view
 WHERE kind = %(kind)s AND told_at >= %(since)s AND told_at < %(until)s GROUP BY 1;
