-- name: drop_subscriptions
DELETE FROM padealing.graph_subscription_state
 WHERE tenant_id = (SELECT postroom.tenant()) AND status <> 'active' AND expiration_datetime < %(before)s;

-- name: active_subscriptions
SELECT subscription_id, resource, notification_url, lifecycle_url, expiration_datetime, status, last_renewed_at, folder
  FROM padealing.graph_subscription_state
 WHERE mailbox_id = %(id)s AND status = 'active' ORDER BY id;

-- name: retire_subscriptions
UPDATE padealing.graph_subscription_state SET status = 'expired', updated_at = NOW()
 WHERE mailbox_id = %(mailbox_id)s AND status = 'active' AND folder = %(folder)s AND subscription_id <> %(subscription_id)s;

-- name: upsert_subscription
INSERT INTO padealing.graph_subscription_state (subscription_id, resource, notification_url, lifecycle_url,
       expiration_datetime, status, last_renewed_at, tenant_id, mailbox_id, folder, client_state_digest, url_key_digests)
VALUES (%(subscription_id)s, %(resource)s, %(notification_url)s, %(lifecycle_url)s, %(expiration)s, 'active', %(now)s,
        %(tenant_id)s, %(mailbox_id)s, %(folder)s, %(digest)s, array_remove(ARRAY[%(url_key_digest)s::bytea], NULL))
ON CONFLICT (subscription_id) DO UPDATE SET expiration_datetime = excluded.expiration_datetime, status = 'active',
       folder = excluded.folder, resource = excluded.resource, notification_url = excluded.notification_url, lifecycle_url = excluded.lifecycle_url,
       last_renewed_at = excluded.last_renewed_at, updated_at = NOW(),
       client_state_digest = coalesce(excluded.client_state_digest, graph_subscription_state.client_state_digest),
       -- Renewing changes the notification URL alone, so the lifecycle URL keeps its first key; what is under way has the last.
       url_key_digests = graph_subscription_state.url_key_digests[1:1]
           || graph_subscription_state.url_key_digests[greatest(2, cardinality(graph_subscription_state.url_key_digests)):]
           || excluded.url_key_digests;

-- name: mark_subscription
UPDATE padealing.graph_subscription_state SET status = %(status)s, updated_at = NOW()
 WHERE subscription_id = %(subscription_id)s AND status = 'active' RETURNING mailbox_id;

-- name: gmail_watch
SELECT topic, expiration_datetime, status, last_renewed_at, folders FROM postroom.gmail_watch_state
 WHERE mailbox_id = %(id)s AND status = 'active';

-- name: upsert_gmail_watch
INSERT INTO postroom.gmail_watch_state (mailbox_id, tenant_id, topic, expiration_datetime, status, last_renewed_at, folders)
VALUES (%(mailbox_id)s, %(tenant_id)s, %(topic)s, %(expiration)s, 'active', %(now)s, %(folders)s)
ON CONFLICT (mailbox_id) DO UPDATE SET topic = excluded.topic, expiration_datetime = excluded.expiration_datetime,
       status = 'active', last_renewed_at = excluded.last_renewed_at, folders = excluded.folders, updated_at = now();

-- name: mark_gmail_watch
UPDATE postroom.gmail_watch_state SET status = %(status)s, updated_at = now() WHERE mailbox_id = %(id)s;

-- name: subscription_owners
-- At the front desk: which mailbox a notification is for. Old subscriptions stay known, so that their last ones count.
-- By a list that the planner does not see into: one plan for all, not one for each notification.
SELECT s.subscription_id, s.tenant_id, s.mailbox_id, s.client_state_digest, s.url_key_digests, s.status,
       s.folder
  FROM padealing.graph_subscription_state s
 WHERE s.subscription_id = ANY (ARRAY(SELECT unnest(%(ids)s::text[]))) AND s.tenant_id IS NOT NULL;

-- name: address_owners
SELECT m.address, m.tenant_id, m.id AS mailbox_id FROM postroom.mailbox m
 WHERE m.provider = %(provider)s AND m.address = ANY (%(addresses)s) AND m.status <> 'disconnected';

-- name: due_for_renewal
SELECT m.id FROM postroom.mailbox m
  LEFT JOIN LATERAL (SELECT min(s.expiration_datetime) AS till, nullif(count(*), 0) AS folders
                       FROM padealing.graph_subscription_state s WHERE s.mailbox_id = m.id AND s.status = 'active') s ON true
  LEFT JOIN postroom.gmail_watch_state g ON g.mailbox_id = m.id AND g.status = 'active'
 WHERE m.provider = ANY (%(providers)s) AND m.status NOT IN ('paused', 'disconnected', 'token_refresh_failed')
   AND (coalesce(s.till, g.expiration_datetime, '-infinity') < %(before)s
        -- Sent and Drafts are watched where the copilot is on, and nowhere else.
        OR coalesce(s.folders, cardinality(g.folders)) <> CASE WHEN m.copilot = 'off' THEN 1 ELSE 3 END);

-- name: notification_urls
SELECT s.mailbox_id, s.notification_url FROM padealing.graph_subscription_state s
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.status = 'active' AND s.mailbox_id IS NOT NULL;

-- name: expire_subscriptions
WITH gone AS (
    UPDATE padealing.graph_subscription_state SET status = 'expired', updated_at = NOW()
     WHERE status = 'active' AND expiration_datetime <= %(now)s AND mailbox_id IS NOT NULL RETURNING mailbox_id, folder
)
SELECT mailbox_id FROM gone WHERE folder = 'served';

-- name: expire_gmail_watches
UPDATE postroom.gmail_watch_state SET status = 'expired', updated_at = now()
 WHERE status = 'active' AND expiration_datetime <= %(now)s RETURNING mailbox_id;

-- name: note_expired
UPDATE postroom.mailbox SET status = 'subscription_expired', because = 'The provider''s promise to tell us ran out; it is asked for anew.'
 WHERE id = ANY (%(ids)s) AND status = 'active';

