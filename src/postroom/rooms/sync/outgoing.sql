-- name: known_messages
-- Messages that are ours, with the label that their thread should bear: what differs, somebody changed.
SELECT m.provider_message_id AS ref, m.thread_id, t.provider_thread_id AS thread_ref, m.removed_at IS NOT NULL AS removed,
       s.thread_id IS NOT NULL AS triaged, s.label, s.label_intended
  FROM postroom.message m JOIN postroom.thread t ON t.id = m.thread_id
  LEFT JOIN postroom.thread_state s ON s.thread_id = m.thread_id
 WHERE m.tenant_id = %(tenant_id)s AND m.mailbox_id = %(mailbox_id)s AND m.provider_message_id = ANY (%(refs)s)
   AND m.state = 'arrived';

-- name: outgoing_state
SELECT m.provider, m.status, m.copilot, c.outgoing_cursor AS cursor
  FROM postroom.mailbox m LEFT JOIN postroom.mailbox_cursor c ON c.mailbox_id = m.id WHERE m.id = %(mailbox_id)s;

-- name: move_outgoing_cursor
UPDATE postroom.mailbox_cursor SET outgoing_cursor = %(cursor)s, outgoing_at = %(now)s
 WHERE mailbox_id = %(mailbox_id)s AND outgoing_cursor IS NOT DISTINCT FROM %(was)s;

-- name: known_threads
SELECT t.id, t.provider_thread_id AS ref FROM postroom.thread t
 WHERE t.tenant_id = %(tenant_id)s AND t.mailbox_id = %(mailbox_id)s AND t.provider_thread_id = ANY (%(refs)s);

-- name: keep_outgoing
INSERT INTO postroom.outgoing_message AS o (tenant_id, mailbox_id, ref, thread_ref, draft, version, seen_at)
SELECT %(tenant_id)s, %(mailbox_id)s, g.ref, g.thread_ref, g.draft, g.version, %(now)s
  FROM jsonb_to_recordset(%(seen)s) AS g (ref text, thread_ref text, draft boolean, version text)
ON CONFLICT (mailbox_id, ref) DO UPDATE
   SET draft = excluded.draft, version = excluded.version, thread_ref = excluded.thread_ref, seen_at = excluded.seen_at;

-- name: drop_outgoing
-- Of which threads they were. One that was there before we followed stands in the thread as triage last saw it;
-- one that we wrote a moment ago, in its slot.
WITH gone AS (
    DELETE FROM postroom.outgoing_message WHERE mailbox_id = %(mailbox_id)s AND ref = ANY (%(refs)s)
    RETURNING ref, thread_ref
)
SELECT t.id, t.provider_thread_id AS thread_ref, g.ref FROM gone g
  JOIN postroom.thread t ON t.mailbox_id = %(mailbox_id)s AND t.provider_thread_id = g.thread_ref
   AND t.tenant_id = (SELECT postroom.tenant())
UNION
SELECT t.id, t.provider_thread_id, u.ref FROM postroom.turn u JOIN postroom.thread t ON t.id = u.thread_id
 WHERE t.tenant_id = (SELECT postroom.tenant()) AND t.mailbox_id = %(mailbox_id)s AND u.ref = ANY (%(refs)s)
UNION
SELECT t.id, t.provider_thread_id, d.held_ref FROM postroom.draft_slot d JOIN postroom.thread t ON t.id = d.thread_id
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.mailbox_id = %(mailbox_id)s AND d.held_ref = ANY (%(refs)s);

-- name: open_threads
-- What may have been seen to while we could not look.
SELECT t.id, t.provider_thread_id AS ref FROM postroom.thread_state s JOIN postroom.thread t ON t.id = s.thread_id
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.mailbox_id = %(mailbox_id)s AND s.state IS NOT NULL
 ORDER BY s.newest_at DESC LIMIT %(most)s;

-- name: followed
SELECT m.id FROM postroom.mailbox m JOIN postroom.mailbox_cursor c ON c.mailbox_id = m.id
 WHERE m.copilot <> 'off' AND m.status NOT IN ('paused', 'disconnected', 'token_refresh_failed')
   AND (coalesce(c.outgoing_at, '-infinity') < %(before)s OR c.outgoing_at > %(before)s::timestamptz + interval '1 hour');

-- name: is_awaited
SELECT EXISTS (
    SELECT FROM (
        SELECT d.mailbox_id FROM postroom.draft_revision r
          JOIN postroom.draft_slot d ON d.id = r.slot_id AND d.tenant_id = r.tenant_id
         WHERE r.tenant_id = (SELECT postroom.tenant()) AND r.created_at > %(since)s AND r.status = 'written'
         GROUP BY d.mailbox_id ORDER BY max(r.created_at) DESC LIMIT %(most)s) f
     WHERE f.mailbox_id = %(mailbox_id)s
) AND NOT (
    EXISTS (SELECT FROM postroom.mailbox_cursor c WHERE c.mailbox_id = %(mailbox_id)s AND c.delivery = 'push')
    AND (EXISTS (SELECT FROM padealing.graph_subscription_state s
                  WHERE s.mailbox_id = %(mailbox_id)s AND s.status = 'active' AND s.folder = 'sent')
         OR EXISTS (SELECT FROM postroom.gmail_watch_state g
                     WHERE g.mailbox_id = %(mailbox_id)s AND g.status = 'active' AND 'sent' = ANY (g.folders)))
);

-- name: forget_outgoing
DELETE FROM postroom.outgoing_message WHERE tenant_id = (SELECT postroom.tenant()) AND NOT draft AND seen_at < %(before)s;
