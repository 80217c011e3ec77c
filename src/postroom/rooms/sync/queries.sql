-- name: reading
SELECT m.id, m.tenant_id, m.address, m.provider, m.status, m.paused_at IS NOT NULL AS paused,
       coalesce(c.delivery, 'push') AS delivery, coalesce(c.silent_runs, 0) AS silent_runs,
       m.rules, m.pipelines, m.connected_at, c.cursor, c.synced_at, c.resync_since, c.resync_page, c.resync_cursor,
       c.resync_found, c.resync_attempts, p.last_push_at
  FROM postroom.mailbox m LEFT JOIN postroom.mailbox_cursor c ON c.mailbox_id = m.id
  LEFT JOIN postroom.mailbox_pulse p ON p.mailbox_id = m.id
 WHERE m.id = %(mailbox_id)s;

-- name: seed_cursor
INSERT INTO postroom.mailbox_cursor (mailbox_id, tenant_id, cursor, moved_at, synced_at)
VALUES (%(mailbox_id)s, %(tenant_id)s, %(cursor)s, %(now)s, %(now)s)
ON CONFLICT (mailbox_id) DO UPDATE SET cursor = coalesce(mailbox_cursor.cursor, excluded.cursor), synced_at = excluded.synced_at;

-- name: move_cursor
UPDATE postroom.mailbox_cursor
   SET cursor = %(cursor)s, synced_at = %(now)s, moved_at = CASE WHEN cursor IS DISTINCT FROM %(cursor)s THEN %(now)s ELSE moved_at END
 WHERE mailbox_id = %(mailbox_id)s AND cursor IS NOT DISTINCT FROM %(was)s AND resync_since IS NULL;

-- name: move_resync_cursor
UPDATE postroom.mailbox_cursor SET resync_cursor = %(cursor)s, synced_at = %(now)s
 WHERE mailbox_id = %(mailbox_id)s AND resync_cursor IS NOT DISTINCT FROM %(was)s AND resync_since IS NOT NULL;

-- name: start_resync
INSERT INTO postroom.mailbox_cursor AS held (mailbox_id, tenant_id, resync_since, resync_attempts)
VALUES (%(mailbox_id)s, %(tenant_id)s, %(since)s, 1)
ON CONFLICT (mailbox_id) DO UPDATE
   SET resync_since = least(held.resync_since, excluded.resync_since), resync_page = NULL, resync_found = 0,
       resync_cursor = NULL, resync_attempts = held.resync_attempts + 1;

-- name: seed_resync
UPDATE postroom.mailbox_cursor SET resync_cursor = coalesce(resync_cursor, %(cursor)s)
 WHERE mailbox_id = %(mailbox_id)s AND resync_since IS NOT NULL;

-- name: turn_resync_page
UPDATE postroom.mailbox_cursor SET resync_page = %(page)s, resync_found = resync_found + %(found)s
 WHERE mailbox_id = %(mailbox_id)s AND resync_since IS NOT NULL;

-- name: end_resync
UPDATE postroom.mailbox_cursor
   SET cursor = resync_cursor, moved_at = %(now)s, resync_since = NULL, resync_page = NULL, resync_cursor = NULL
 WHERE mailbox_id = %(mailbox_id)s AND resync_since IS NOT NULL AND resync_cursor IS NOT NULL
RETURNING resync_found;

-- name: announce
-- Dedupe on insert: what is new, or is back after it was gone, waits to be taken in.
INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source, received_at, subject, sender_email, labels, version, announced_at)
SELECT g.id, %(tenant_id)s, %(mailbox_id)s, g.ref, %(source)s, g.received_at, g.subject, g.sender, coalesce(g.labels, '{}'), g.version, %(now)s
  FROM jsonb_to_recordset(%(glimpses)s) AS g (id uuid, ref text, received_at timestamptz, subject text, sender text, labels text[], version text)
ON CONFLICT (tenant_id, mailbox_id, provider_message_id) DO UPDATE
   SET labels = excluded.labels, version = excluded.version, removed_at = NULL,
       state = CASE message.state WHEN 'gone' THEN 'announced' ELSE message.state END,
       because = CASE message.state WHEN 'gone' THEN NULL ELSE message.because END,
       announced_at = CASE message.state WHEN 'gone' THEN excluded.announced_at ELSE message.announced_at END
 WHERE message.state = 'gone' OR (message.version IS DISTINCT FROM excluded.version AND excluded.version <> '')
RETURNING id, provider_message_id AS ref, (xmax = 0) AS is_new, state;

-- name: pending_hints
SELECT h.ref FROM postroom.hint h
 WHERE h.mailbox_id = %(mailbox_id)s ORDER BY h.noticed_at LIMIT %(most)s;

-- name: drop_hints
DELETE FROM postroom.hint WHERE mailbox_id = %(mailbox_id)s AND ref = ANY (%(refs)s);

-- name: held_refs
SELECT provider_message_id FROM postroom.message
 WHERE tenant_id = %(tenant_id)s AND mailbox_id = %(mailbox_id)s AND provider_message_id = ANY (%(refs)s)
   AND (%(even_gone)s OR state <> 'gone');

-- name: pushed_after_all
-- A poll was a moment quicker than the push that announced these.
UPDATE postroom.message SET source = 'push'
 WHERE tenant_id = %(tenant_id)s AND mailbox_id = %(mailbox_id)s AND source = 'poll' AND announced_at > %(after)s;

-- name: polled
SELECT count(*) AS messages, max(announced_at) AS newest FROM postroom.message
 WHERE tenant_id = %(tenant_id)s AND mailbox_id = %(mailbox_id)s AND source = 'poll'
   AND announced_at > coalesce((SELECT c.checked_at FROM postroom.coverage c WHERE c.mailbox_id = %(mailbox_id)s
                                 ORDER BY c.id DESC LIMIT 1), '-infinity');

-- name: tombstone
UPDATE postroom.message SET removed_at = coalesce(removed_at, %(now)s)
 WHERE tenant_id = %(tenant_id)s AND mailbox_id = %(mailbox_id)s AND provider_message_id = ANY (%(refs)s);

-- name: announced
SELECT m.id, m.mailbox_id, m.provider_message_id, m.state, m.source, m.announced_at, m.received_at, b.address,
       b.provider, b.pipelines, b.rules, b.paused_at IS NOT NULL AS paused, b.status AS mailbox_status
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id WHERE m.id = %(message_id)s;

-- name: arrive
-- The message becomes ours, once: its thread, its text and its place in every pipeline, or nothing if it was ours already.
WITH thread AS (
    INSERT INTO postroom.thread AS t (id, tenant_id, mailbox_id, provider_thread_id, subject, messages, last_message_at)
    SELECT %(thread_id)s, m.tenant_id, m.mailbox_id, %(thread_ref)s, %(subject)s, 1, %(received_at)s
      FROM postroom.message m WHERE m.id = %(message_id)s AND m.state = 'announced'
    ON CONFLICT (tenant_id, mailbox_id, provider_thread_id) DO UPDATE
       SET messages = t.messages + 1, last_message_at = greatest(t.last_message_at, excluded.last_message_at)
    RETURNING id
), arrived AS (
    UPDATE postroom.message m
       SET state = 'arrived', arrived_at = %(now)s, thread_id = thread.id, internet_message_id = %(internet_message_id)s,
           sender_email = %(sender_email)s, sender_name = %(sender_name)s, recipients = %(recipients)s, subject = %(subject)s,
           snippet = %(snippet)s, body = %(body)s, body_html = %(body_html)s, headers = %(headers)s, labels = %(labels)s,
           attachments = %(attachments)s, automatic = %(automatic)s, trust = %(trust)s, trust_because = %(trust_because)s,
           version = %(version)s, size = %(size)s, content_hash = %(content_hash)s, received_at = %(received_at)s
      FROM thread WHERE m.id = %(message_id)s AND m.state = 'announced'
    RETURNING m.id, m.tenant_id, thread.id AS thread_id
), placed AS (
    INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status, updated_at)
    SELECT a.tenant_id, a.id, pipeline, 'pending', %(now)s FROM arrived a, unnest(%(pipelines)s::text[]) pipeline
    ON CONFLICT (message_id, pipeline) DO NOTHING
)
SELECT thread_id FROM arrived;

-- name: mark_gone
UPDATE postroom.message SET state = 'gone', because = %(because)s, removed_at = coalesce(removed_at, %(now)s)
 WHERE id = %(message_id)s AND state = 'announced';

-- name: dispose
INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status, rule, because, updated_at)
SELECT %(tenant_id)s, %(message_id)s, pipeline, %(status)s, %(rule)s, %(because)s, %(now)s FROM unnest(%(pipelines)s::text[]) pipeline
ON CONFLICT (message_id, pipeline) DO UPDATE
   SET status = excluded.status, rule = excluded.rule, because = excluded.because, updated_at = excluded.updated_at;

-- name: due_for_sync
SELECT m.id FROM postroom.mailbox m LEFT JOIN postroom.mailbox_cursor c ON c.mailbox_id = m.id
 WHERE m.provider <> 'files' AND m.status NOT IN ('paused', 'disconnected', 'token_refresh_failed')
   AND (c.delivery = 'poll' OR coalesce(c.synced_at, '-infinity') < %(before)s);

-- name: served
SELECT m.id FROM postroom.mailbox m
 WHERE m.provider <> 'files' AND m.status NOT IN ('paused', 'disconnected', 'token_refresh_failed');

-- name: stuck_messages
-- Announced and forgotten: no job is on its way to them. What was put aside waits for a person, or for the outage to end.
SELECT m.id, m.mailbox_id FROM postroom.message m
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.state = 'announced' AND m.announced_at < %(before)s
   AND NOT EXISTS (SELECT FROM postroom.job j WHERE j.tenant_id = m.tenant_id AND j.kind = 'sync.take_in' AND j.key = m.id::text)
 LIMIT 1000;

-- name: try_again_after_outage
-- Good work that used up its tries while a provider was down. Refusals and faults of ours stay put aside.
SELECT count(*) FILTER (WHERE postroom.replay_job(quarantined.tenant_id, quarantined.id)) FROM (
    SELECT j.tenant_id, j.id FROM postroom.job j
      JOIN LATERAL (SELECT a.error_class, a.finished_at FROM postroom.attempt a
                     WHERE a.job_id = j.id AND a.outcome NOT IN ('done', 'released') ORDER BY a.id DESC LIMIT 1) last ON true
     WHERE j.tenant_id = (SELECT postroom.tenant()) AND j.state = 5 AND j.mailbox_id IS NOT NULL
       AND j.created_at > now() - interval '3 days'
       AND last.error_class = 'transient' AND last.finished_at < now() - interval '5 minutes'
     ORDER BY postroom.lane_lock(j.tenant_id, j.lane, j.kind, j.key) LIMIT 500) quarantined;

-- name: start_audit
INSERT INTO postroom.audit_run (mailbox_id, tenant_id, since, started_at) VALUES (%(mailbox_id)s, %(tenant_id)s, %(since)s, %(now)s)
ON CONFLICT (mailbox_id) DO UPDATE SET since = excluded.since, started_at = excluded.started_at, listed = 0, held = 0, unannounced = 0, missing = '{}';

-- name: audit_page
UPDATE postroom.audit_run
   SET listed = listed + %(listed)s, held = held + %(held)s, unannounced = unannounced + %(unannounced)s,
       missing = (missing || %(missing)s::text[])[1:1000]
 WHERE mailbox_id = %(mailbox_id)s;

-- name: end_audit
DELETE FROM postroom.audit_run WHERE mailbox_id = %(mailbox_id)s RETURNING since, started_at, listed, held, unannounced, missing;

-- name: add_coverage
INSERT INTO postroom.coverage (tenant_id, mailbox_id, since, checked_at, listed, held, unannounced, missing, reasons)
SELECT %(tenant_id)s, %(mailbox_id)s, %(since)s, %(now)s, %(listed)s, %(held)s, %(unannounced)s, %(missing)s,
       coalesce((SELECT jsonb_object_agg(reason, n) FROM (
           SELECT coalesce(d.pipeline || ': ' || d.status || coalesce(' by ' || d.rule, ''), m.state) AS reason, count(*) AS n
             FROM postroom.message m LEFT JOIN postroom.disposition d ON d.message_id = m.id
            WHERE m.tenant_id = %(tenant_id)s AND m.mailbox_id = %(mailbox_id)s AND m.received_at >= %(since)s GROUP BY 1) r), '{}');

-- name: last_push
SELECT last_push_at FROM postroom.mailbox_pulse WHERE mailbox_id = %(mailbox_id)s;

-- name: set_delivery
UPDATE postroom.mailbox_cursor SET delivery = %(delivery)s, silent_runs = %(silent_runs)s WHERE mailbox_id = %(mailbox_id)s;

-- name: take_bells
SELECT postroom.take_bells(%(now)s, %(hints)s, %(pulses)s, %(facts)s, %(jobs)s);

-- name: pulses
SELECT mailbox_id, last_push_at FROM postroom.mailbox_pulse WHERE mailbox_id = ANY (%(mailboxes)s);

-- name: messages
SELECT m.id, m.mailbox_id, b.address AS mailbox, m.provider_message_id, m.state, m.because, m.source, m.thread_id, m.internet_message_id,
       m.sender_email, m.sender_name, m.recipients, m.subject, m.snippet, m.labels, m.attachments, m.automatic, m.trust,
       m.trust_because, m.size, m.received_at, m.announced_at, m.arrived_at, m.removed_at,
       coalesce((SELECT jsonb_object_agg(d.pipeline, jsonb_build_object('status', d.status, 'rule', d.rule, 'reason', d.because))
                   FROM postroom.disposition d WHERE d.message_id = m.id), '{}') AS status
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id
 WHERE m.tenant_id = (SELECT postroom.tenant())
   AND (%(mailbox_id)s::uuid IS NULL OR m.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(thread_id)s::uuid IS NULL OR m.thread_id = %(thread_id)s::uuid)
   AND (%(message_id)s::uuid IS NULL OR m.id = %(message_id)s::uuid)
   AND (%(provider_message_id)s::text IS NULL OR m.provider_message_id = %(provider_message_id)s::text)
   AND (CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END, m.id)
       < (CASE WHEN %(before_at)s::timestamptz IS NULL THEN 'infinity' ELSE %(before_at)s::timestamptz END, %(before_id)s::uuid)
 ORDER BY CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END DESC, m.id DESC LIMIT %(most)s;

-- name: bodies
SELECT body, body_html, headers FROM postroom.message WHERE id = %(message_id)s;

-- name: threads
SELECT t.id, t.mailbox_id, b.address AS mailbox, t.provider_thread_id, t.subject, t.messages, t.last_message_at
  FROM postroom.thread t JOIN postroom.mailbox b ON b.id = t.mailbox_id
 WHERE t.tenant_id = (SELECT postroom.tenant())
   AND (%(thread_id)s::uuid IS NULL OR t.id = %(thread_id)s::uuid)
   AND (%(before_at)s::timestamptz IS NULL OR (t.last_message_at, t.id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
 ORDER BY t.last_message_at DESC, t.id DESC LIMIT %(most)s;

-- name: coverages
SELECT c.id, c.mailbox_id, c.since, c.checked_at, c.listed, c.held, c.unannounced, c.missing, c.reasons
  FROM postroom.coverage c WHERE c.mailbox_id = %(mailbox_id)s ORDER BY c.id DESC LIMIT %(most)s;
