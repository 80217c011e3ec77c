-- name: sync_state
-- Each by its keys, whatever the planner thinks of tables that are small today.
SELECT s.* FROM unnest(%(ids)s::uuid[]) AS asked (id), LATERAL (
    SELECT m.id, m.tenant_id, m.address, m.provider, m.access, m.folder, m.status, m.paused_at IS NOT NULL AS paused,
           coalesce(c.delivery, 'push') AS delivery, coalesce(c.silent_runs, 0) AS silent_runs,
           m.pipelines, m.copilot, m.connected_at, c.cursor, c.synced_at, c.resync_since, c.resync_page, c.resync_cursor,
           c.resync_found, c.resync_attempts, p.last_push_at, m.outage_since IS NOT NULL AS in_outage
      FROM postroom.mailbox m LEFT JOIN postroom.mailbox_cursor c ON c.mailbox_id = m.id
      LEFT JOIN postroom.mailbox_push p ON p.mailbox_id = m.id
     WHERE m.id = asked.id OFFSET 0) s;

-- name: seed_cursor
INSERT INTO postroom.mailbox_cursor (mailbox_id, tenant_id, cursor, moved_at, synced_at)
VALUES (%(mailbox_id)s, %(tenant_id)s, %(cursor)s, %(now)s, %(now)s)
ON CONFLICT (mailbox_id) DO UPDATE SET cursor = coalesce(mailbox_cursor.cursor, excluded.cursor), synced_at = excluded.synced_at;

-- name: move_cursor
-- From where we read to what came next, or nowhere, if another was there first. `synced_at` is the moment up to which all was
-- read: only the last page of a chain proves that. With that page the oldest hints are taken, and what we know of each
-- message that they name; and what a poll found, a moment before the push that announced it, counts as pushed.
WITH moved AS (
    UPDATE postroom.mailbox_cursor c
       SET cursor = CASE WHEN %(resyncing)s THEN c.cursor ELSE %(cursor)s END,
           resync_cursor = CASE WHEN %(resyncing)s THEN %(cursor)s ELSE c.resync_cursor END,
           synced_at = CASE WHEN %(complete)s THEN %(now)s ELSE c.synced_at END,
           moved_at = CASE WHEN NOT %(resyncing)s AND c.cursor IS DISTINCT FROM %(cursor)s THEN %(now)s ELSE c.moved_at END
     WHERE c.mailbox_id = %(mailbox_id)s AND (c.resync_since IS NOT NULL) = %(resyncing)s
       AND CASE WHEN %(resyncing)s THEN c.resync_cursor ELSE c.cursor END IS NOT DISTINCT FROM %(was)s
    RETURNING c.mailbox_id
), pushed AS (
    UPDATE postroom.message SET source = 'push'
     WHERE tenant_id = %(tenant_id)s AND mailbox_id = %(mailbox_id)s AND source = 'poll' AND announced_at > %(pushed_after)s
), taken AS (
    DELETE FROM postroom.hint h
     WHERE %(complete)s AND h.mailbox_id = %(mailbox_id)s
       AND h.ref = ANY (ARRAY(SELECT o.ref FROM postroom.hint o WHERE o.mailbox_id = %(mailbox_id)s ORDER BY o.noticed_at LIMIT %(most)s))
    RETURNING h.ref)
SELECT EXISTS (SELECT FROM moved) AS moved,
       coalesce((SELECT jsonb_agg(jsonb_build_object('ref', t.ref, 'state', m.state))
                   FROM taken t LEFT JOIN postroom.message m
                        ON m.tenant_id = %(tenant_id)s AND m.mailbox_id = %(mailbox_id)s AND m.provider_message_id = t.ref), '[]') AS taken;

-- name: start_resync
INSERT INTO postroom.mailbox_cursor AS held (mailbox_id, tenant_id, resync_since, resync_attempts)
VALUES (%(mailbox_id)s, %(tenant_id)s, %(since)s, 1)
ON CONFLICT (mailbox_id) DO UPDATE
   SET resync_since = least(held.resync_since, excluded.resync_since), resync_page = NULL, resync_found = 0,
       resync_cursor = NULL, resync_attempts = held.resync_attempts + 1;

-- name: note_unlisted
-- Mail of this time is in no listing of ours. A later gap beside it makes it larger.
UPDATE postroom.mailbox_cursor
   SET unlisted_since = least(unlisted_since, %(since)s), unlisted_till = greatest(unlisted_till, %(till)s)
 WHERE mailbox_id = %(mailbox_id)s;

-- name: seed_resync
UPDATE postroom.mailbox_cursor SET resync_cursor = coalesce(resync_cursor, %(cursor)s)
 WHERE mailbox_id = %(mailbox_id)s AND resync_since IS NOT NULL;

-- name: turn_resync_page
UPDATE postroom.mailbox_cursor SET resync_page = %(page)s, resync_found = resync_found + %(found)s
 WHERE mailbox_id = %(mailbox_id)s AND resync_since IS NOT NULL;

-- name: end_resync
UPDATE postroom.mailbox_cursor
   SET cursor = resync_cursor, moved_at = %(now)s, resync_since = NULL, resync_page = NULL, resync_cursor = NULL,
       unlisted_since = CASE WHEN unlisted_since < resync_since THEN unlisted_since END,
       unlisted_till = CASE WHEN unlisted_since < resync_since THEN least(unlisted_till, resync_since) END
 WHERE mailbox_id = %(mailbox_id)s AND resync_since IS NOT NULL AND resync_cursor IS NOT NULL
RETURNING resync_found;

-- name: announce
-- Dedupe on insert: what is new, or is back after it was gone, waits to be fetched.
INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source, received_at, subject, sender_email, labels, version, announced_at)
SELECT g.id, %(tenant_id)s, %(mailbox_id)s, g.ref, %(source)s, g.received_at, g.subject, g.sender, coalesce(g.labels, '{}'), g.version, %(now)s
  FROM jsonb_to_recordset(%(glimpses)s) AS g (id uuid, ref text, received_at timestamptz, subject text, sender text, labels text[], version text)
ON CONFLICT (tenant_id, mailbox_id, provider_message_id) DO UPDATE
   SET labels = excluded.labels, version = excluded.version, removed_at = NULL,
       state = CASE message.state WHEN 'gone' THEN 'announced' ELSE message.state END,  -- what failed waits for its job
       because = CASE message.state WHEN 'gone' THEN NULL ELSE message.because END,
       announced_at = CASE message.state WHEN 'gone' THEN excluded.announced_at ELSE message.announced_at END
 WHERE message.state = 'gone' OR (message.version IS DISTINCT FROM excluded.version AND excluded.version <> '')
RETURNING id, provider_message_id AS ref, (xmax = 0) AS is_new, state;

-- name: known_refs
-- What we know of some messages: ours, put aside, on their way.
SELECT provider_message_id AS ref, state FROM postroom.message
 WHERE tenant_id = %(tenant_id)s AND mailbox_id = %(mailbox_id)s AND provider_message_id = ANY (%(refs)s);

-- name: note_failed
-- Nothing more is tried by itself: the message says why, and so does each of its pipelines.
WITH failed AS (
    UPDATE postroom.message SET state = 'failed', because = %(because)s
     WHERE id = %(message_id)s AND state IN ('announced', 'failed') RETURNING id, tenant_id, mailbox_id)
INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status, rule, because, updated_at)
SELECT f.tenant_id, f.id, pipeline, 'failed', 'error', %(because)s, %(now)s
  FROM failed f JOIN postroom.mailbox b ON b.id = f.mailbox_id, unnest(b.pipelines) pipeline
ON CONFLICT (message_id, pipeline) DO UPDATE
   SET status = excluded.status, rule = excluded.rule, because = excluded.because, updated_at = excluded.updated_at;

-- name: put_aside
-- Messages whose job was put aside without a word of the room, such as one that nobody here knew how to do.
SELECT m.id, j.reason FROM postroom.message m
  JOIN postroom.job j ON j.tenant_id = m.tenant_id AND j.kind = 'sync.fetch_message' AND j.key = m.id::text AND j.state = 'quarantined'
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.mailbox_id = %(mailbox_id)s AND m.state = 'announced';

-- name: not_taken_in
-- What is announced and not ours: on its way, or put aside.
SELECT count(*) FILTER (WHERE state = 'announced') AS waiting, count(*) FILTER (WHERE state = 'failed') AS failed
  FROM postroom.message
 WHERE tenant_id = (SELECT postroom.tenant()) AND mailbox_id = %(mailbox_id)s AND state IN ('announced', 'failed');

-- name: polled
SELECT count(*) AS messages, max(announced_at) AS newest FROM postroom.message
 WHERE tenant_id = %(tenant_id)s AND mailbox_id = %(mailbox_id)s AND source = 'poll'
   AND announced_at > coalesce((SELECT c.checked_at FROM postroom.coverage c WHERE c.mailbox_id = %(mailbox_id)s
                                 ORDER BY c.id DESC LIMIT 1), '-infinity');

-- name: tombstone
UPDATE postroom.message SET removed_at = coalesce(removed_at, %(now)s)
 WHERE tenant_id = %(tenant_id)s AND mailbox_id = %(mailbox_id)s AND provider_message_id = ANY (%(refs)s);

-- name: announced
-- By their ids first: of all that wait, which may be many thousands after a burst, these are a few.
WITH named AS MATERIALIZED (
    SELECT m.id, m.mailbox_id, m.provider_message_id, m.source, m.announced_at, m.state
      FROM postroom.message m WHERE m.id = ANY (%(message_ids)s))
SELECT m.id, m.mailbox_id, m.provider_message_id, m.source, m.announced_at, b.provider, b.pipelines, b.copilot,
       b.paused_at IS NOT NULL AS paused, b.status AS mailbox_status
  FROM named m JOIN postroom.mailbox b ON b.id = m.mailbox_id
 WHERE m.state IN ('announced', 'failed');

-- name: arrive
-- Messages become ours, each once: thread, text and a place in every pipeline; one that was ours already is left out.
-- Messages are locked before their threads, both in order, so that two who bring some of the same do not block each other.
WITH said AS (
    SELECT * FROM jsonb_to_recordset(%(messages)s) AS l (id uuid, thread_ref text, thread_id uuid, pipelines text[],
        received_at timestamptz, internet_message_id text, sender_email text, sender_name text, recipients jsonb,
        subject text, snippet text, body text, body_html text, headers jsonb, labels text[], attachments jsonb,
        enclosed_text text, automatic text, automatic_because text, trust text, trust_because text, version text,
        size integer, content_hash text)
), named AS MATERIALIZED (
    SELECT m.id, m.tenant_id, m.mailbox_id, m.state FROM postroom.message m
     WHERE m.id = ANY (ARRAY(SELECT s.id FROM said s)) ORDER BY m.id FOR UPDATE
), waiting AS (
    SELECT n.id, n.tenant_id, n.mailbox_id FROM named n WHERE n.state IN ('announced', 'failed')
), thread AS (
    INSERT INTO postroom.thread AS t (id, tenant_id, mailbox_id, provider_thread_id, subject, messages, last_message_at)
    SELECT min(s.thread_id::text)::uuid, w.tenant_id, w.mailbox_id, s.thread_ref,
           (array_agg(s.subject ORDER BY s.received_at, s.id))[1], count(*), max(s.received_at)
      FROM waiting w JOIN said s ON s.id = w.id
     GROUP BY w.tenant_id, w.mailbox_id, s.thread_ref ORDER BY s.thread_ref
    ON CONFLICT (tenant_id, mailbox_id, provider_thread_id) DO UPDATE
       SET messages = t.messages + excluded.messages, last_message_at = greatest(t.last_message_at, excluded.last_message_at)
    RETURNING id, mailbox_id, provider_thread_id
), arrived AS (
    UPDATE postroom.message m
       SET state = 'arrived', because = NULL, arrived_at = %(now)s, thread_id = t.id, internet_message_id = s.internet_message_id,
           sender_email = s.sender_email, sender_name = s.sender_name, recipients = s.recipients, subject = s.subject,
           snippet = s.snippet, body = s.body, body_html = s.body_html, headers = s.headers, labels = s.labels,
           attachments = s.attachments, enclosed_text = s.enclosed_text, automatic = s.automatic,
           automatic_because = s.automatic_because, trust = s.trust, trust_because = s.trust_because,
           version = s.version, size = s.size, content_hash = s.content_hash, received_at = s.received_at
      FROM waiting w JOIN said s ON s.id = w.id JOIN thread t ON t.mailbox_id = w.mailbox_id AND t.provider_thread_id = s.thread_ref
     WHERE m.id = w.id
    RETURNING m.id, m.tenant_id, m.thread_id, s.pipelines
), placed AS (
    INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status, updated_at)
    SELECT a.tenant_id, a.id, pipeline, 'pending', %(now)s FROM arrived a, unnest(a.pipelines) pipeline
    ON CONFLICT (message_id, pipeline) DO UPDATE
       SET status = 'pending', rule = NULL, because = NULL, updated_at = excluded.updated_at WHERE disposition.status = 'failed'
)
SELECT id, thread_id, EXISTS (SELECT FROM postroom.account a WHERE a.tenant_id = (SELECT postroom.tenant())) AS client_book
  FROM arrived;

-- name: take_in
-- Messages that nobody announced become ours in one go, as `arrive` makes them; those that we know by now are left out.
-- They may be of several mailboxes, always in the same order.
WITH said AS (
    SELECT l.* FROM jsonb_to_recordset(%(messages)s) AS l (id uuid, mailbox_id uuid, source text, ref text, thread_ref text, thread_id uuid, pipelines text[],
        received_at timestamptz, internet_message_id text, sender_email text, sender_name text, recipients jsonb,
        subject text, snippet text, body text, body_html text, headers jsonb, labels text[], attachments jsonb,
        enclosed_text text, automatic text, automatic_because text, trust text, trust_because text, version text,
        size integer, content_hash text)
     WHERE NOT EXISTS (SELECT FROM postroom.message m WHERE m.tenant_id = %(tenant_id)s AND m.mailbox_id = l.mailbox_id
                          AND m.provider_message_id = l.ref)
), thread AS (
    INSERT INTO postroom.thread AS t (id, tenant_id, mailbox_id, provider_thread_id, subject, messages, last_message_at)
    SELECT min(s.thread_id::text)::uuid, %(tenant_id)s, s.mailbox_id, s.thread_ref,
           (array_agg(s.subject ORDER BY s.received_at, s.id))[1], count(*), max(s.received_at)
      FROM said s GROUP BY s.mailbox_id, s.thread_ref ORDER BY s.mailbox_id, s.thread_ref
    ON CONFLICT (tenant_id, mailbox_id, provider_thread_id) DO UPDATE
       SET messages = t.messages + excluded.messages, last_message_at = greatest(t.last_message_at, excluded.last_message_at)
    RETURNING id, mailbox_id, provider_thread_id
), arrived AS (
    INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, state, source, thread_id, internet_message_id,
           sender_email, sender_name, recipients, subject, snippet, body, body_html, headers, labels, attachments,
           enclosed_text, automatic, automatic_because, trust, trust_because, version, size, content_hash, received_at,
           announced_at, arrived_at)
    SELECT s.id, %(tenant_id)s, s.mailbox_id, s.ref, 'arrived', s.source, t.id, s.internet_message_id,
           s.sender_email, s.sender_name, s.recipients, s.subject, s.snippet, s.body, s.body_html, s.headers, s.labels, s.attachments,
           s.enclosed_text, s.automatic, s.automatic_because, s.trust, s.trust_because, s.version, s.size, s.content_hash, s.received_at,
           %(now)s, %(now)s
      FROM said s JOIN thread t ON t.mailbox_id = s.mailbox_id AND t.provider_thread_id = s.thread_ref ORDER BY s.mailbox_id, s.ref
    RETURNING id, tenant_id, thread_id
), placed AS (
    INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status, updated_at)
    SELECT a.tenant_id, a.id, pipeline, 'pending', %(now)s FROM arrived a JOIN said s ON s.id = a.id, unnest(s.pipelines) pipeline
)
SELECT id, thread_id, EXISTS (SELECT FROM postroom.account a WHERE a.tenant_id = (SELECT postroom.tenant())) AS client_book
  FROM arrived;

-- name: mark_gone
UPDATE postroom.message SET state = 'gone', because = %(because)s, removed_at = coalesce(removed_at, %(now)s)
 WHERE id = %(message_id)s AND state IN ('announced', 'failed');

-- name: due_for_sync
SELECT m.id FROM postroom.mailbox m LEFT JOIN postroom.mailbox_cursor c ON c.mailbox_id = m.id
 WHERE m.provider = ANY (%(providers)s) AND m.status NOT IN ('paused', 'disconnected', 'token_refresh_failed')
   AND (c.delivery = 'poll' OR coalesce(c.synced_at, '-infinity') < %(before)s
        OR c.synced_at > %(now)s::timestamptz + interval '1 hour');  -- by a clock that was ahead

-- name: served
SELECT m.id FROM postroom.mailbox m
 WHERE m.provider = ANY (%(providers)s) AND m.status NOT IN ('paused', 'disconnected', 'token_refresh_failed');

-- name: stuck_messages
-- Announced and forgotten: no job is on its way to them. What was put aside waits for a person, or for the outage to end.
SELECT m.id, m.mailbox_id FROM postroom.message m
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.state = 'announced' AND m.announced_at < %(before)s
   AND NOT EXISTS (SELECT FROM postroom.job j WHERE j.tenant_id = m.tenant_id AND j.kind = 'sync.fetch_message' AND j.key = m.id::text)
   AND NOT EXISTS (SELECT FROM postroom.job j WHERE j.tenant_id = m.tenant_id AND j.kind = 'sync.fetch_messages'
                      AND j.mailbox_id = m.mailbox_id AND j.args @> jsonb_build_object('messages', jsonb_build_array(jsonb_build_object('message_id', m.id))))
 LIMIT 1000;

-- name: start_reconcile
INSERT INTO postroom.reconcile_run (mailbox_id, tenant_id, since, started_at) VALUES (%(mailbox_id)s, %(tenant_id)s, %(since)s, %(now)s)
ON CONFLICT (mailbox_id) DO UPDATE
   SET since = excluded.since, started_at = excluded.started_at, listed = 0, held = 0, failed = 0, unannounced = 0, missing = '{}';

-- name: reconcile_page
UPDATE postroom.reconcile_run
   SET listed = listed + %(listed)s, held = held + %(held)s, failed = failed + %(failed)s, unannounced = unannounced + %(unannounced)s,
       missing = (missing || %(missing)s::text[])[1:1000]
 WHERE mailbox_id = %(mailbox_id)s;

-- name: end_reconcile
DELETE FROM postroom.reconcile_run WHERE mailbox_id = %(mailbox_id)s RETURNING since, started_at, listed, held, failed, unannounced, missing;

-- name: add_coverage
INSERT INTO postroom.coverage (tenant_id, mailbox_id, since, checked_at, listed, held, failed, unannounced, missing, reasons)
SELECT %(tenant_id)s, %(mailbox_id)s, %(since)s, %(now)s, %(listed)s, %(held)s, %(failed)s, %(unannounced)s, %(missing)s,
       coalesce((SELECT jsonb_object_agg(reason, n) FROM (
           SELECT coalesce(d.pipeline || ': ' || d.status || coalesce(' by ' || d.rule, ''), m.state) AS reason, count(*) AS n
             FROM postroom.message m LEFT JOIN postroom.disposition d ON d.message_id = m.id
            WHERE m.tenant_id = %(tenant_id)s AND m.mailbox_id = %(mailbox_id)s AND m.received_at >= %(since)s GROUP BY 1) r), '{}');

-- name: last_push
SELECT last_push_at FROM postroom.mailbox_push WHERE mailbox_id = %(mailbox_id)s;

-- name: set_delivery
UPDATE postroom.mailbox_cursor SET delivery = %(delivery)s, silent_runs = %(silent_runs)s WHERE mailbox_id = %(mailbox_id)s;

-- name: keep_notification
-- One by itself, which is the usual case, costs a third of what many cost.
INSERT INTO postroom.notification (tenant_id, mailbox_id, ref, received_at)
VALUES (%(tenant_id)s, %(mailbox_id)s, %(ref)s, %(now)s) RETURNING id;

-- name: keep_notifications
INSERT INTO postroom.notification (tenant_id, mailbox_id, ref, received_at)
SELECT r.tenant_id, r.mailbox_id, r.ref, %(now)s::timestamptz
  FROM jsonb_to_recordset(%(notifications)s) AS r (tenant_id uuid, mailbox_id uuid, ref text)
RETURNING id;

-- name: sort_notifications
SELECT postroom.sort_notifications(%(ids)s, %(now)s, %(hints)s, %(pushes)s, %(facts)s, %(jobs)s);

-- name: sort_leftover_notifications
-- Notifications that nobody sorted: the process that took them is gone.
WITH taken AS (
    DELETE FROM postroom.notification WHERE tenant_id = %(tenant_id)s AND received_at < %(before)s RETURNING tenant_id, mailbox_id, ref, received_at
), known AS (
    SELECT t.tenant_id, t.mailbox_id, t.ref, t.received_at FROM taken t JOIN postroom.mailbox m ON m.id = t.mailbox_id
), named AS (
    INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at)
    SELECT DISTINCT tenant_id, mailbox_id, ref, %(now)s::timestamptz FROM known WHERE ref IS NOT NULL ORDER BY mailbox_id, ref
    ON CONFLICT DO NOTHING
), pushed AS (
    INSERT INTO postroom.mailbox_push (tenant_id, mailbox_id, last_push_at, pushes)
    SELECT tenant_id, mailbox_id, max(received_at), count(*) FROM known GROUP BY tenant_id, mailbox_id ORDER BY mailbox_id
    ON CONFLICT (mailbox_id) DO UPDATE
       SET last_push_at = greatest(mailbox_push.last_push_at, excluded.last_push_at), pushes = mailbox_push.pushes + excluded.pushes
)
SELECT mailbox_id, count(*) AS notifications FROM known GROUP BY mailbox_id;

-- name: take_notifications
SELECT postroom.take_notifications(%(now)s, %(hints)s, %(pushes)s, %(facts)s, %(jobs)s);

-- name: last_pushes
SELECT mailbox_id, last_push_at FROM postroom.mailbox_push WHERE mailbox_id = ANY (%(mailboxes)s);

-- name: coverages
SELECT c.id, c.mailbox_id, c.since, c.checked_at, c.listed, c.held, c.failed, c.unannounced, c.missing, c.reasons
  FROM postroom.coverage c WHERE c.mailbox_id = %(mailbox_id)s ORDER BY c.id DESC LIMIT %(most)s;
