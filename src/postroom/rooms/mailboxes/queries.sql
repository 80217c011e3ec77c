-- name: add
INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access, folder, name, connection, capability, connected_at)
VALUES (%(id)s, %(tenant_id)s, %(address)s, %(provider)s, %(access)s, %(folder)s, %(name)s, %(connection)s, %(capability)s, %(now)s)
ON CONFLICT (tenant_id, provider, address) DO UPDATE
   SET access = excluded.access, folder = excluded.folder, connection = excluded.connection, capability = excluded.capability,
       attention = mailbox.attention - 'missing_right', outage_since = NULL, status = 'active',
       because = NULL, told_person_at = NULL, paused_at = NULL, disconnected_at = NULL, connected_at = excluded.connected_at
RETURNING id, (xmax <> 0) AS again;

-- name: reserve
-- A mailbox that nobody serves yet, or the one that is there already.
INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access, status, connected_at)
VALUES (%(id)s, %(tenant_id)s, %(address)s, %(provider)s, %(access)s, 'disconnected', %(now)s)
ON CONFLICT (tenant_id, provider, address) DO UPDATE SET address = excluded.address
RETURNING id;

-- name: mailbox
SELECT * FROM postroom.mailbox_view m WHERE m.id = %(id)s;

-- name: lock_mailbox
-- Whoever decides about it, or routes a document by its rules, waits for those who were first.
SELECT id FROM postroom.mailbox WHERE id = %(id)s FOR UPDATE;

-- name: lock_mailbox_beside_its_mail
-- Likewise, but not for who takes mail in: that one may have the cursor, which another folder drops.
SELECT id FROM postroom.mailbox WHERE id = %(id)s FOR NO KEY UPDATE;

-- name: mailboxes
SELECT * FROM postroom.mailbox_view m ORDER BY m.address, m.provider;

-- name: by_address
SELECT * FROM postroom.mailbox_view m WHERE m.provider = %(provider)s AND m.address = %(address)s;

-- name: tell_once
UPDATE postroom.mailbox SET told_person_at = %(now)s, status = %(status)s, because = %(because)s
 WHERE id = %(id)s AND told_person_at IS NULL AND paused_at IS NULL AND status <> 'disconnected' RETURNING id;

-- name: recovered
UPDATE postroom.mailbox SET status = 'active', because = NULL, told_person_at = NULL
 WHERE id = %(id)s AND status NOT IN ('active', 'paused', 'disconnected') RETURNING id;

-- name: note_outage
-- A mailbox that was read meanwhile answers: then it is a matter of one message.
UPDATE postroom.mailbox m SET outage_since = %(now)s, status = 'provider_error', because = %(because)s
 WHERE m.id = %(id)s AND m.outage_since IS NULL AND m.status IN ('active', 'subscription_expired')
   AND NOT EXISTS (SELECT FROM postroom.mailbox_cursor c WHERE c.mailbox_id = m.id AND c.synced_at > %(answered_since)s)
RETURNING m.id;

-- name: end_outage
UPDATE postroom.mailbox
   SET outage_since = NULL, status = CASE WHEN status = 'provider_error' AND told_person_at IS NULL THEN 'active' ELSE status END,
       because = CASE WHEN status = 'provider_error' AND told_person_at IS NULL THEN NULL ELSE because END
 WHERE id = %(id)s AND outage_since IS NOT NULL RETURNING id;

-- name: throttled_lately
SELECT w.mailbox_id, w.waited AS amount FROM postroom.provider_wait w
 WHERE w.tenant_id = (SELECT postroom.tenant()) AND w.hour > %(since)s AND w.waited >= %(bound)s;

-- name: cursors_lost_lately
-- By themselves: a resync that a person asked for is no trouble.
SELECT f.mailbox_id, count(*)::float8 AS amount FROM postroom.fact f
 WHERE f.tenant_id = (SELECT postroom.tenant()) AND f.kind = 'sync.cursor_lost' AND f.told_at > %(since)s AND f.actor = 'postroom'
   AND f.mailbox_id IS NOT NULL GROUP BY f.mailbox_id HAVING count(*) >= %(bound)s;

-- name: note_attention
-- The first word stays with the moment it was said; true for whoever says it first.
UPDATE postroom.mailbox
   SET attention = attention || jsonb_build_object(%(about)s::text, jsonb_build_object('because', %(because)s::text,
           'since', coalesce(attention -> %(about)s::text -> 'since', to_jsonb(%(now)s::timestamptz)), 'seen', %(now)s::timestamptz))
 WHERE id = %(id)s AND status <> 'disconnected'
RETURNING attention -> %(about)s::text ->> 'since' = to_jsonb(%(now)s::timestamptz) #>> '{}';

-- name: drop_attention
-- What was not seen again for a day is over.
UPDATE postroom.mailbox m
   SET attention = coalesce((SELECT jsonb_object_agg(each.key, each.value) FROM jsonb_each(m.attention) each
                              WHERE (each.value ->> 'seen')::timestamptz >= %(before)s), '{}')
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.attention <> '{}'
   AND EXISTS (SELECT FROM jsonb_each(m.attention) each WHERE (each.value ->> 'seen')::timestamptz < %(before)s);

-- name: pause
UPDATE postroom.mailbox SET paused_at = %(now)s, status = 'paused', because = %(because)s
 WHERE id = %(id)s AND paused_at IS NULL RETURNING id;

-- name: resume
UPDATE postroom.mailbox SET paused_at = NULL, status = 'active', because = NULL, told_person_at = NULL
 WHERE id = %(id)s AND paused_at IS NOT NULL RETURNING id;

-- name: disconnect
UPDATE postroom.mailbox SET status = 'disconnected', because = NULL, disconnected_at = %(now)s
 WHERE id = %(id)s AND status <> 'disconnected' RETURNING id;

-- name: set_rules
UPDATE postroom.mailbox SET rules = %(rules)s, pipelines = %(pipelines)s WHERE id = %(id)s;

-- name: set_copilot
UPDATE postroom.mailbox SET copilot = %(copilot)s WHERE id = %(id)s;

-- name: set_sending
UPDATE postroom.mailbox SET sending = %(sending)s WHERE id = %(id)s;

-- name: tenant_sends
SELECT t.policy #>> '{sending,switch}' = 'on' FROM postroom.tenant t WHERE t.tenant_id = (SELECT postroom.tenant());

-- name: set_operators
UPDATE postroom.mailbox SET operators = %(operators)s WHERE id = %(id)s;

-- name: set_folder
-- As if connected anew: what lies in the folder by now is history, and its watch is made anew. A trigger drops the cursor.
UPDATE postroom.mailbox SET folder = %(folder)s, connected_at = %(now)s WHERE id = %(id)s AND folder <> %(folder)s RETURNING id;

-- name: get_token
SELECT sealed FROM postroom.mailbox_token WHERE mailbox_id = %(id)s;

-- name: put_token
INSERT INTO postroom.mailbox_token (mailbox_id, tenant_id, sealed, updated_at)
VALUES (%(id)s, %(tenant_id)s, %(sealed)s, %(now)s)
ON CONFLICT (mailbox_id) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at, refreshing_till = NULL;

-- name: remove_token
UPDATE postroom.mailbox_token SET sealed = NULL, updated_at = now() WHERE mailbox_id = %(id)s;

-- name: take_refresh
-- One refreshes; the others wait for what it brings.
INSERT INTO postroom.mailbox_token AS held (mailbox_id, tenant_id, refreshing_till)
VALUES (%(id)s, %(tenant_id)s, clock_timestamp() + interval '45 s')
ON CONFLICT (mailbox_id) DO UPDATE SET refreshing_till = excluded.refreshing_till
 WHERE held.refreshing_till IS NULL OR held.refreshing_till < clock_timestamp()
    OR held.refreshing_till > clock_timestamp() + interval '1 minute'  -- by a clock that was ahead
RETURNING mailbox_id;

-- name: end_refresh
UPDATE postroom.mailbox_token SET refreshing_till = NULL WHERE mailbox_id = %(id)s;

-- name: start_consent
INSERT INTO postroom.consent (state, tenant_id, provider, verifier, address, started_by, return_to, expires_at, browser, shared, capability, ticket)
VALUES (%(state)s, %(tenant_id)s, %(provider)s, %(verifier)s, %(address)s, %(started_by)s, %(return_to)s, %(expires_at)s,
        %(browser)s, %(shared)s, %(capability)s, %(ticket)s);

-- name: ticketed_consent
-- At the front desk: who opens a ticket need not be anybody we know.
SELECT state, tenant_id, provider, verifier, address, started_by, return_to, expires_at, browser, shared, capability
  FROM postroom.consent WHERE ticket = %(ticket)s;

-- name: bind_consent
UPDATE postroom.consent SET browser = %(browser)s, ticket = NULL
 WHERE state = %(state)s AND browser IS NULL AND ticket IS NOT NULL RETURNING state;

-- name: take_consent
-- At the front desk: the callback carries the state and nothing else. Good for one use.
DELETE FROM postroom.consent WHERE state = %(state)s AND provider = %(provider)s
RETURNING state, tenant_id, provider, verifier, address, started_by, return_to, expires_at, browser, shared, capability;

-- name: drop_consents
DELETE FROM postroom.consent WHERE tenant_id = (SELECT postroom.tenant()) AND expires_at < %(now)s;

-- name: forsaken
SELECT m.id FROM postroom.mailbox m
 WHERE m.status = 'disconnected' AND m.disconnected_at IS NULL AND m.connected_at < %(before)s;

-- name: drop_forsaken
-- One that was connected in the meantime stays.
DELETE FROM postroom.mailbox WHERE id = ANY (%(ids)s) AND status = 'disconnected' AND disconnected_at IS NULL;

-- name: drop_empty_tokens
DELETE FROM postroom.mailbox_token t USING postroom.mailbox m
 WHERE m.id = t.mailbox_id AND m.status = 'disconnected' AND t.sealed IS NULL
   AND (t.refreshing_till IS NULL OR t.refreshing_till < clock_timestamp());

-- name: tenant_name
SELECT name FROM postroom.tenant WHERE tenant_id = (SELECT postroom.tenant());

-- name: health
SELECT m.id, CASE WHEN m.connection ? 'granted_by' THEN 'poll' ELSE coalesce(c.delivery, 'push') END AS delivery, c.cursor IS NOT NULL AS has_cursor,
       c.moved_at, c.synced_at, c.resync_since, c.unlisted_since, c.unlisted_till, p.last_push_at, p.pushes,
       coalesce(s.expiration_datetime, g.expiration_datetime) AS watch_expires_at, t.updated_at AS token_at,
       v.checked_at, v.since AS compared_since, v.listed, v.held, v.unannounced, v.reasons, now_.waiting, now_.failed, now_.came
  FROM postroom.mailbox m
  LEFT JOIN postroom.mailbox_cursor c ON c.mailbox_id = m.id
  LEFT JOIN postroom.mailbox_push p ON p.mailbox_id = m.id
  LEFT JOIN postroom.mailbox_token t ON t.mailbox_id = m.id AND t.sealed IS NOT NULL
  LEFT JOIN padealing.graph_subscription_state s ON s.mailbox_id = m.id AND s.status = 'active' AND s.folder = 'served'
  LEFT JOIN postroom.gmail_watch_state g ON g.mailbox_id = m.id AND g.status = 'active'
  LEFT JOIN LATERAL (SELECT * FROM postroom.coverage v WHERE v.mailbox_id = m.id ORDER BY v.id DESC LIMIT 1) v ON true
  LEFT JOIN LATERAL (  -- since the last comparison
      SELECT (SELECT count(*) FROM postroom.message w WHERE w.tenant_id = m.tenant_id AND w.mailbox_id = m.id AND w.state = 'announced') AS waiting,
             (SELECT count(*) FROM postroom.message w WHERE w.tenant_id = m.tenant_id AND w.mailbox_id = m.id AND w.state = 'failed') AS failed,
             (SELECT count(*) FROM postroom.message w WHERE w.tenant_id = m.tenant_id AND w.mailbox_id = m.id AND w.received_at > v.checked_at
                 AND w.state <> 'gone') AS came) now_ ON true
 WHERE %(id)s::uuid IS NULL OR m.id = %(id)s::uuid
 ORDER BY m.address, m.provider;

-- name: covered
-- At the front desk, for the whole house: what each mailbox's last reconcile told. There are four a day.
SELECT DISTINCT ON (f.mailbox_id) f.mailbox_id, (f.body->>'listed')::bigint AS listed, (f.body->>'held')::bigint AS held
  FROM postroom.tenant t
  JOIN postroom.fact f ON f.tenant_id = t.tenant_id AND f.kind = 'sync.reconciled' AND f.told_at > now() - interval '25 hours'
  JOIN postroom.mailbox m ON m.id = f.mailbox_id AND m.status <> 'disconnected'
 ORDER BY f.mailbox_id, f.told_at DESC;
