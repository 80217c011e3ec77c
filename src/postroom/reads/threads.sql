-- name: thread
SELECT * FROM postroom.thread_view WHERE id = %(thread_id)s;

-- name: threads
SELECT * FROM postroom.thread_view t
 WHERE (%(mailbox_id)s::uuid IS NULL OR t.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(before_at)s::timestamptz IS NULL OR (t.last_message_at, t.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY t.last_message_at DESC, t.id DESC LIMIT %(most)s;

-- name: inbox
-- What waits for somebody. Apart from the list of all, so that few among many are looked up by their own index.
SELECT v.* FROM postroom.thread_state s JOIN postroom.thread_view v ON v.id = s.thread_id
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.state IS NOT NULL
   AND (%(state)s::text IS NULL OR s.state = %(state)s::text)
   AND (%(mailbox_id)s::uuid IS NULL OR s.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(channel)s::text = 'any' OR (%(channel)s::text = 'default' AND s.channel_id IS NULL) OR s.channel_id::text = %(channel)s::text)
   AND (%(assigned_to)s::uuid IS NULL OR s.assigned_to = %(assigned_to)s::uuid)
   AND (s.snoozed_till IS NOT NULL) = %(snoozed)s
   AND (%(before_at)s::timestamptz IS NULL OR (s.newest_at, s.thread_id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY s.newest_at DESC, s.thread_id DESC LIMIT %(most)s;

-- name: waiting_threads
-- The same, by their ids alone.
SELECT s.thread_id FROM postroom.thread_state s
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.state IS NOT NULL AND s.snoozed_till IS NULL
 ORDER BY s.newest_at DESC, s.thread_id DESC LIMIT %(most)s;

-- name: searched_threads
-- Looks through so many of the latest at most; a code is found wherever it is.
SELECT v.* FROM (SELECT t.id, t.subject, t.last_message_at FROM postroom.thread t
                  WHERE t.tenant_id = (SELECT postroom.tenant())
                    AND (%(mailbox_id)s::uuid IS NULL OR t.mailbox_id = %(mailbox_id)s::uuid)
                    AND (%(before_at)s::timestamptz IS NULL OR (t.last_message_at, t.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
                  ORDER BY t.last_message_at DESC, t.id DESC LIMIT %(scan)s) l
  LEFT JOIN postroom.thread_state s ON s.thread_id = l.id
  JOIN postroom.thread_view v ON v.id = l.id
 WHERE (l.subject ILIKE %(words)s OR s.newest_from ILIKE %(words)s OR s.analysis->>'summary' ILIKE %(words)s)
   AND (NOT %(waiting)s OR s.state IS NOT NULL AND (s.snoozed_till IS NOT NULL) = %(snoozed)s)
   AND (%(state)s::text IS NULL OR s.state = %(state)s::text)
   AND (%(channel)s::text = 'any' OR (%(channel)s::text = 'default' AND s.channel_id IS NULL) OR s.channel_id::text = %(channel)s::text)
   AND (%(assigned_to)s::uuid IS NULL OR s.assigned_to = %(assigned_to)s::uuid)
 ORDER BY l.last_message_at DESC, l.id DESC LIMIT %(most)s;

-- name: thread_by_code
SELECT v.* FROM postroom.thread_state s JOIN postroom.thread_view v ON v.id = s.thread_id
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.reference_code = %(code)s;

-- name: forged_threads
SELECT DISTINCT m.thread_id FROM postroom.message m
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.thread_id = ANY (%(ids)s::uuid[]) AND m.trust = 'spoofed';

-- name: inbox_counts
SELECT s.state, s.channel_id, s.snoozed_till IS NOT NULL AS snoozed, count(*) AS threads
  FROM postroom.thread_state s
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.state IS NOT NULL GROUP BY 1, 2, 3;

-- name: turns
-- As they were sent; drafts below, since none is sent yet: by its own clock one may be older than the mail it answers.
SELECT u.ref, u.message_id, u.draft_ref, u.outgoing, u.sender_email, u.sender_name, u.recipients, u.sent_at, u.subject, u.own_text,
       u.forwarded_text, u.quoted_text, u.signature, u.disclaimer, u.automatic, u.automatic_because, u.forgotten_at
  FROM postroom.turn u WHERE u.thread_id = %(thread_id)s ORDER BY u.draft_ref IS NOT NULL, u.sent_at NULLS LAST, u.ref;

-- name: clients_of_thread
SELECT DISTINCT a.id, a.code, a.name, p.status FROM postroom.mapping p JOIN postroom.account a ON a.id = p.account_id
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.thread_id = %(thread_id)s AND p.status IN ('mapped', 'confirmed', 'triage');

-- name: documents_of_thread
SELECT d.id, d.filename, d.kind, d.status FROM postroom.document d JOIN postroom.message m ON m.id = d.message_id
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.thread_id = %(thread_id)s ORDER BY m.received_at DESC, d.id LIMIT 50;
