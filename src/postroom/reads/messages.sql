-- name: message
SELECT * FROM postroom.message_view WHERE id = %(message_id)s;

-- name: messages
SELECT * FROM postroom.message_view m
 WHERE (%(mailbox_id)s::uuid IS NULL OR m.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(thread_id)s::uuid IS NULL OR m.thread_id = %(thread_id)s::uuid)
   AND (%(provider_message_id)s::text IS NULL OR (m.provider_message_id = %(provider_message_id)s::text
        AND m.mailbox_id = ANY (ARRAY(SELECT o.id FROM postroom.mailbox o))))
   AND (%(state)s::text IS NULL OR m.state = %(state)s::text)
   AND (%(since)s::timestamptz IS NULL OR m.listed_at >= %(since)s::timestamptz)
   AND (%(until)s::timestamptz IS NULL OR m.listed_at < %(until)s::timestamptz)
   AND (%(before_at)s::timestamptz IS NULL OR (m.listed_at, m.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY m.listed_at DESC, m.id DESC LIMIT %(most)s;

-- name: messages_of_status
-- Apart from the other, so that a status which few have is looked up instead of searched for.
SELECT * FROM postroom.message_view m
 WHERE EXISTS (SELECT FROM postroom.disposition d
                WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.message_id = m.id AND d.status = %(status)s
                  AND (%(pipeline)s::text IS NULL OR d.pipeline = %(pipeline)s::text))
   AND (%(mailbox_id)s::uuid IS NULL OR m.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(thread_id)s::uuid IS NULL OR m.thread_id = %(thread_id)s::uuid)
   AND (%(provider_message_id)s::text IS NULL OR (m.provider_message_id = %(provider_message_id)s::text
        AND m.mailbox_id = ANY (ARRAY(SELECT o.id FROM postroom.mailbox o))))
   AND (%(state)s::text IS NULL OR m.state = %(state)s::text)
   AND (%(since)s::timestamptz IS NULL OR m.listed_at >= %(since)s::timestamptz)
   AND (%(until)s::timestamptz IS NULL OR m.listed_at < %(until)s::timestamptz)
   AND (%(before_at)s::timestamptz IS NULL OR (m.listed_at, m.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY m.listed_at DESC, m.id DESC LIMIT %(most)s;

-- name: messages_of_client
-- Likewise: along the client's own mail.
SELECT m.* FROM postroom.client_view c JOIN postroom.message_view m ON m.id = c.message_id
 WHERE c.account_id = %(account_id)s::uuid
   AND (%(status)s::text IS NULL OR EXISTS (SELECT FROM postroom.disposition d
                WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.message_id = m.id AND d.status = %(status)s::text
                  AND (%(pipeline)s::text IS NULL OR d.pipeline = %(pipeline)s::text)))
   AND (%(mailbox_id)s::uuid IS NULL OR m.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(thread_id)s::uuid IS NULL OR m.thread_id = %(thread_id)s::uuid)
   AND (%(provider_message_id)s::text IS NULL OR (m.provider_message_id = %(provider_message_id)s::text
        AND m.mailbox_id = ANY (ARRAY(SELECT o.id FROM postroom.mailbox o))))
   AND (%(state)s::text IS NULL OR m.state = %(state)s::text)
   AND (%(since)s::timestamptz IS NULL OR m.listed_at >= %(since)s::timestamptz)
   AND (%(until)s::timestamptz IS NULL OR m.listed_at < %(until)s::timestamptz)
   AND (%(before_at)s::timestamptz IS NULL OR (c.received_at, m.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY c.received_at DESC, m.id DESC LIMIT %(most)s;

-- name: searched_messages
-- Looks through so many of the newest at most; nothing but looking finds words.
SELECT v.*
  FROM (SELECT s.id, s.listed_at, s.state, s.subject, s.sender_email, s.sender_name, s.internet_message_id
          FROM postroom.message_view s
         WHERE (%(mailbox_id)s::uuid IS NULL OR s.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(account_id)s::uuid IS NULL OR s.id IN (SELECT c.message_id FROM postroom.client_view c WHERE c.account_id = %(account_id)s::uuid))
           AND (%(account_id)s::uuid IS NULL OR s.id IN (SELECT c.message_id FROM postroom.client_view c WHERE c.account_id = %(account_id)s::uuid))
           AND (%(before_at)s::timestamptz IS NULL
                OR (s.listed_at, s.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
         ORDER BY s.listed_at DESC, s.id DESC LIMIT %(scan)s) m
  JOIN postroom.message_view v ON v.id = m.id
 WHERE (%(state)s::text IS NULL OR m.state = %(state)s::text)
   AND (%(status)s::text IS NULL
        OR EXISTS (SELECT FROM postroom.disposition d WHERE d.message_id = m.id AND d.status = %(status)s::text))
   AND (%(words)s::text IS NULL OR m.subject ILIKE %(words)s::text OR m.sender_email ILIKE %(words)s::text
        OR m.sender_name ILIKE %(words)s::text OR m.internet_message_id ILIKE %(words)s::text)
 ORDER BY m.listed_at DESC, m.id DESC LIMIT %(most)s;

-- name: searched_till
SELECT s.listed_at AS at, s.id FROM postroom.message_view s
 WHERE (%(mailbox_id)s::uuid IS NULL OR s.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(before_at)s::timestamptz IS NULL OR (s.listed_at, s.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY s.listed_at DESC, s.id DESC OFFSET %(scan)s - 1 LIMIT 1;

-- name: body
SELECT body, body_html, headers FROM postroom.message WHERE id = %(message_id)s;

-- name: fetched_files
SELECT a.sha256 FROM postroom.attachment a WHERE a.message_id = %(message_id)s;

-- name: mailbox_of
SELECT id FROM postroom.mailbox WHERE address = %(address)s ORDER BY connected_at DESC, id LIMIT 1;

-- name: arrivals
-- From the provider's hands to ours, over the newest messages of the window.
SELECT count(*) AS messages,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds)::float8 AS median,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY seconds)::float8 AS p95, max(seconds)::float8 AS slowest
  FROM (SELECT extract(epoch FROM m.arrived_at - CASE WHEN %(from_provider)s THEN m.received_at ELSE m.announced_at END) AS seconds
          FROM postroom.message_view m
         WHERE m.listed_at >= %(since)s AND m.arrived_at IS NOT NULL AND m.source <> 'backfill' AND m.source <> 'import'
         ORDER BY m.listed_at DESC LIMIT 5000) newest;

-- name: document_ends
-- What became of the documents that came with these messages.
SELECT message_id, kind, status FROM postroom.document WHERE message_id = ANY (%(ids)s::uuid[]) ORDER BY message_id, id;
