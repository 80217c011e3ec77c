-- name: forget_messages
-- What they say. That they came, and what became of them, stays; what waits for somebody stays whole.
WITH old AS (
    SELECT m.id, b.provider FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id
     WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.forgotten_at IS NULL AND m.arrived_at < %(before)s
       AND NOT EXISTS (SELECT FROM postroom.disposition p
                        WHERE p.message_id = m.id AND p.status IN ('pending', 'failed'))
       AND NOT EXISTS (SELECT FROM postroom.document d
                        WHERE d.message_id = m.id AND d.status IN ('waiting', 'read', 'review', 'failed'))
     ORDER BY m.arrived_at LIMIT %(most)s FOR UPDATE OF m SKIP LOCKED
)
UPDATE postroom.message m
   SET subject = NULL, snippet = NULL, body = NULL, body_html = NULL, enclosed_text = NULL, headers = '{}', recipients = '{}',
       forgotten_at = %(now)s
  FROM old WHERE m.id = old.id RETURNING m.thread_id, m.provider_message_id, old.provider;

-- name: forget_threads
UPDATE postroom.thread t SET subject = ''
 WHERE t.id = ANY (%(ids)s) AND t.subject <> '' AND NOT EXISTS (
       SELECT FROM postroom.message m WHERE m.tenant_id = t.tenant_id AND m.thread_id = t.id AND m.forgotten_at IS NULL);
