-- name: tenants_with_webhooks
SELECT DISTINCT tenant_id FROM postroom.webhook WHERE status <> 'disabled';

-- name: webhooks
SELECT w.id, w.number, w.url, w.description, w.events, w.status, w.because, w.failures, w.failing_since, w.wait_till,
       w.last_success_at, w.last_failure_at, w.last_error, w.old_secret_till, w.created_by, w.created_at,
       (SELECT count(*) FROM postroom.delivery d WHERE d.webhook_id = w.id AND d.status = 'waiting')::integer AS waiting
  FROM postroom.webhook w
 WHERE w.tenant_id = (SELECT postroom.tenant()) AND (%(webhook_id)s::uuid IS NULL OR w.id = %(webhook_id)s::uuid)
 ORDER BY w.number;

-- name: endpoint
SELECT id, number, url, events, status, failures, failing_since, wait_till, secret, old_secret, old_secret_till
  FROM postroom.webhook WHERE id = %(webhook_id)s;

-- name: put_webhook
INSERT INTO postroom.webhook (id, tenant_id, number, url, description, events, secret, created_by, created_at)
SELECT %(id)s::uuid, %(tenant_id)s::uuid, coalesce(max(number), 0) + 1, %(url)s::text, %(description)s::text, %(events)s::text[],
       %(secret)s::bytea, %(actor)s::text, %(now)s::timestamptz
  FROM postroom.webhook WHERE tenant_id = (SELECT postroom.tenant());

-- name: lock_webhooks
SELECT pg_advisory_xact_lock(hashtextextended('subscribers.webhooks', hashtextextended((%(tenant_id)s::uuid)::text, 0)));

-- name: begin_at_now
-- Events are made from now on, unless somebody hears of them already.
INSERT INTO postroom.event_cursor AS held (tenant_id, xid, id)
VALUES (%(tenant_id)s::uuid, postroom.settled_xid() - 1, 9223372036854775807)
ON CONFLICT (tenant_id) DO UPDATE SET xid = excluded.xid, id = excluded.id
 WHERE NOT EXISTS (SELECT FROM postroom.webhook w WHERE w.tenant_id = held.tenant_id AND w.status <> 'disabled');

-- name: set_status
UPDATE postroom.webhook SET status = %(status)s::text, because = %(because)s::text, failures = 0, failing_since = NULL, wait_till = NULL
 WHERE id = %(webhook_id)s AND status <> %(status)s::text;

-- name: try_all_now
UPDATE postroom.delivery SET next_at = %(now)s WHERE webhook_id = %(webhook_id)s AND status = 'waiting';

-- name: rotate_secret
UPDATE postroom.webhook SET old_secret = secret, old_secret_till = %(till)s, secret = %(secret)s WHERE id = %(webhook_id)s;

-- name: remove_webhook
DELETE FROM postroom.webhook WHERE id = %(webhook_id)s;

-- name: lock_cursor
-- One publisher per tenant at a time; whoever comes second has nothing to do.
SELECT xid, id FROM postroom.event_cursor WHERE tenant_id = (SELECT postroom.tenant()) FOR UPDATE SKIP LOCKED;

-- name: settled
SELECT postroom.settled_xid();

-- name: move_cursor
UPDATE postroom.event_cursor SET xid = %(xid)s, id = %(id)s WHERE tenant_id = (SELECT postroom.tenant());

-- name: facts_to_tell
-- Of transactions that are over, in their order; with what is known of the mail, and whether it is the first of its kind.
SELECT f.id, f.xid, f.told_at, f.tenant_id, f.kind, f.mailbox_id, f.thread_id, f.message_id, f.job_id, f.run_id, f.correlation_id,
       f.body, b.provider, m.version, m.provider_message_id, t.provider_thread_id,
       NOT EXISTS (SELECT FROM postroom.fact e WHERE e.tenant_id = f.tenant_id AND e.message_id = f.message_id
                      AND e.kind = f.kind AND e.id < f.id) AS is_first
  FROM postroom.fact f
       LEFT JOIN postroom.mailbox b ON b.id = f.mailbox_id
       LEFT JOIN postroom.message m ON m.id = f.message_id
       LEFT JOIN postroom.thread t ON t.id = f.thread_id
 WHERE f.tenant_id = (SELECT postroom.tenant()) AND (f.xid, f.id) > (%(xid)s, %(id)s) AND f.xid < %(upto)s
   AND f.kind = ANY (%(kinds)s::text[])
 ORDER BY f.xid, f.id LIMIT %(most)s;

-- name: put_events
-- Of each message each type once: the first wins, and only it comes back.
INSERT INTO postroom.event (tenant_id, type, mailbox_id, thread_id, message_id, run_id, fact_id, payload, occurred_at, created_at)
SELECT %(tenant_id)s::uuid, e.type, e.mailbox_id, e.thread_id, e.message_id, e.run_id, e.fact_id, e.payload, e.occurred_at, %(now)s
  FROM ROWS FROM (jsonb_to_recordset(%(events)s) AS (type text, mailbox_id uuid, thread_id uuid, message_id uuid, run_id text,
           fact_id bigint, payload jsonb, occurred_at timestamptz)) WITH ORDINALITY
       AS e (type, mailbox_id, thread_id, message_id, run_id, fact_id, payload, occurred_at, ord)
 ORDER BY e.ord
ON CONFLICT ON CONSTRAINT event_happens_once DO NOTHING
RETURNING id, type, coalesce(thread_id, message_id)::text AS thread, (payload ->> 'received_at')::timestamptz AS told_at;

-- name: put_deliveries
INSERT INTO postroom.delivery (id, tenant_id, webhook_id, event_id, thread, next_at, created_at, replay_of)
SELECT d.id, %(tenant_id)s::uuid, d.webhook_id, d.event_id, d.thread, %(now)s, %(now)s, d.replay_of
  FROM jsonb_to_recordset(%(deliveries)s) AS d (id uuid, webhook_id uuid, event_id bigint, thread text, replay_of uuid);

-- name: due_deliveries
-- In order; what stands behind a failed one of its own thread waits with it.
SELECT d.id, d.event_id, d.thread, d.tries, e.payload::text AS body
  FROM postroom.delivery d JOIN postroom.event e ON e.id = d.event_id
 WHERE d.webhook_id = %(webhook_id)s AND d.status = 'waiting' AND d.next_at <= %(now)s
   AND NOT EXISTS (SELECT FROM postroom.delivery b WHERE b.webhook_id = d.webhook_id AND b.thread = d.thread AND b.status = 'waiting'
                      AND b.event_id < d.event_id AND b.next_at > %(now)s)
 ORDER BY d.event_id, d.id LIMIT %(most)s;

-- name: next_due
-- What is due and not sent stands behind another of its thread, whose time it shares.
SELECT min(next_at) FROM postroom.delivery WHERE webhook_id = %(webhook_id)s AND status = 'waiting' AND next_at > %(after)s;

-- name: record_tries
UPDATE postroom.delivery d SET status = t.status, tries = t.tries, next_at = coalesce(t.next_at, d.next_at), answer = t.answer,
       error = t.error, milliseconds = t.milliseconds, tried_at = %(now)s
  FROM jsonb_to_recordset(%(tries)s) AS t (id uuid, status text, tries smallint, next_at timestamptz, answer integer, error text,
       milliseconds integer)
 WHERE d.id = t.id;

-- name: record_health
UPDATE postroom.webhook
   SET failures = %(failures)s, failing_since = %(failing_since)s, wait_till = %(wait_till)s,
       last_success_at = CASE WHEN %(succeeded)s THEN %(now)s::timestamptz ELSE last_success_at END,
       last_failure_at = CASE WHEN %(error)s::text IS NULL THEN last_failure_at ELSE %(now)s::timestamptz END,
       last_error = coalesce(%(error)s::text, last_error),
       status = CASE WHEN %(disabled)s::text IS NULL THEN status ELSE 'disabled' END,
       because = coalesce(%(disabled)s::text, because)
 WHERE id = %(webhook_id)s;

-- name: deliveries
SELECT d.id, d.webhook_id, d.event_id, e.type, e.message_id, e.thread_id, e.mailbox_id, d.status, d.tries, d.next_at, d.answer, d.error,
       d.milliseconds, d.replay_of, d.created_at, d.tried_at, e.occurred_at, e.payload
  FROM postroom.delivery d JOIN postroom.event e ON e.id = d.event_id
 WHERE d.tenant_id = (SELECT postroom.tenant())
   AND (%(webhook_id)s::uuid IS NULL OR d.webhook_id = %(webhook_id)s::uuid)
   AND (%(delivery_id)s::uuid IS NULL OR d.id = %(delivery_id)s::uuid)
   AND d.id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
   AND (%(status)s::text IS NULL OR d.status = %(status)s::text)
 ORDER BY d.id DESC LIMIT %(most)s;

-- name: policy
SELECT t.policy FROM postroom.tenant t WHERE t.tenant_id = (SELECT postroom.tenant());

-- name: forget_events
DELETE FROM postroom.event WHERE id = ANY (ARRAY(
    SELECT e.id FROM postroom.event e WHERE e.tenant_id = (SELECT postroom.tenant()) AND e.created_at < %(before)s
     ORDER BY e.created_at LIMIT %(most)s));
