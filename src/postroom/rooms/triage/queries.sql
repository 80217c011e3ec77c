-- name: thread_case
-- All that triage needs to know before it asks the provider.
SELECT t.id AS thread_id, t.mailbox_id, t.provider_thread_id AS thread_ref, b.address, b.provider, b.status, b.copilot, b.operators,
       coalesce(c.addresses, '{}') AS addresses, c.addresses_at, c.labels AS labels_made, c.refused,
       ARRAY(SELECT p.email FROM postroom.person p) AS people,
       s.thread_id IS NOT NULL AS known, s.state, s.action, s.reason, s.newest_ref, s.newest_message_id, s.settled, s.inputs, s.label, s.label_intended,
       coalesce(s.label_refs, '{}') AS label_refs, coalesce(s.label_by_person, false) AS label_by_person,
       s.not_for_us_at IS NOT NULL AS not_for_us, s.done_at IS NOT NULL AS done, s.snoozed_till, s.analysis, s.channel_id,
       d.held ->> 'ref' AS our_draft, d.held ->> 'version' AS our_version
  FROM postroom.thread t JOIN postroom.mailbox b ON b.id = t.mailbox_id
  LEFT JOIN postroom.copilot_mailbox c ON c.mailbox_id = t.mailbox_id
  LEFT JOIN postroom.thread_state s ON s.thread_id = t.id
  LEFT JOIN LATERAL (SELECT o.held FROM postroom.draft_slot o JOIN postroom.draft_revision r ON r.id = o.current
                      WHERE o.tenant_id = t.tenant_id AND o.thread_id = t.id AND r.status = 'written' AND r.edited_by IS NULL) d ON true
 WHERE t.id = %(thread_id)s;

-- name: turns
SELECT u.ref, u.message_id, u.draft_ref, u.version, u.outgoing, u.sender_email, u.sender_name, u.recipients, u.sent_at, u.subject,
       u.own_text, u.forwarded_text, u.quoted_text, u.signature, u.disclaimer, u.automatic, u.automatic_because, u.machine_answers
  FROM postroom.turn u WHERE u.thread_id = %(thread_id)s ORDER BY u.sent_at NULLS LAST, u.ref;

-- name: held_messages
SELECT m.id, m.provider_message_id AS ref, m.sender_email, m.sender_name, m.recipients, m.subject, m.body, m.enclosed_text,
       m.headers, m.automatic, m.automatic_because, m.received_at
  FROM postroom.message m
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.mailbox_id = %(mailbox_id)s AND m.provider_message_id = ANY (%(refs)s)
   AND m.state = 'arrived' AND m.forgotten_at IS NULL;

-- name: held_thread
SELECT m.id, m.provider_message_id AS ref, m.sender_email, m.sender_name, m.recipients, m.subject, m.body, m.enclosed_text,
       m.headers, m.automatic, m.automatic_because, m.received_at
  FROM postroom.message m
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.thread_id = %(thread_id)s AND m.state = 'arrived' AND m.forgotten_at IS NULL
 ORDER BY m.received_at DESC LIMIT %(most)s;

-- name: held_message
SELECT m.id, m.provider_message_id AS ref, m.sender_email, m.sender_name, m.recipients, m.subject, m.body, m.enclosed_text,
       m.headers, m.automatic, m.automatic_because, m.received_at
  FROM postroom.message m WHERE m.id = %(message_id)s AND m.state = 'arrived' AND m.forgotten_at IS NULL;

-- name: announced_message
SELECT m.id FROM postroom.message m
 WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.mailbox_id = %(mailbox_id)s AND m.provider_message_id = %(ref)s;

-- name: place_of_message
SELECT m.id AS message_id, m.thread_id, m.mailbox_id, m.provider_message_id AS ref, b.address, b.operators,
       ARRAY(SELECT p.email FROM postroom.person p) AS people
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id
 WHERE m.id = %(message_id)s;

-- name: own_addresses_of_all
-- Whoever answers for any mailbox of the tenant.
SELECT b.address FROM postroom.mailbox b WHERE b.tenant_id = (SELECT postroom.tenant())
 UNION SELECT unnest(b.operators) FROM postroom.mailbox b WHERE b.tenant_id = (SELECT postroom.tenant())
 UNION SELECT unnest(c.addresses) FROM postroom.copilot_mailbox c WHERE c.tenant_id = (SELECT postroom.tenant())
 UNION SELECT p.email FROM postroom.person p WHERE p.tenant_id = (SELECT postroom.tenant());

-- name: accounts_of_thread
-- Whose mail it is, as far as that is sure.
SELECT DISTINCT a.code_key FROM postroom.mapping p JOIN postroom.account a ON a.id = p.account_id
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.thread_id = %(thread_id)s AND p.status IN ('mapped', 'confirmed');

-- name: put_turns
INSERT INTO postroom.turn AS u (tenant_id, thread_id, ref, message_id, draft_ref, version, outgoing, sender_email, sender_name, recipients,
       sent_at, subject, own_text, forwarded_text, quoted_text, signature, disclaimer, automatic, automatic_because, machine_answers, kept_at)
SELECT %(tenant_id)s, %(thread_id)s, k.ref, k.message_id, k.draft_ref, k.version, k.outgoing, k.sender_email, k.sender_name, k.recipients,
       k.sent_at, k.subject, k.own_text, k.forwarded_text, k.quoted_text, k.signature, k.disclaimer, k.automatic, k.automatic_because,
       k.machine_answers, %(now)s
  FROM jsonb_to_recordset(%(turns)s) AS k (ref text, message_id uuid, draft_ref text, version text, outgoing boolean, sender_email text,
       sender_name text, recipients jsonb, sent_at timestamptz, subject text, own_text text, forwarded_text text, quoted_text text,
       signature text, disclaimer text, automatic text, automatic_because text, machine_answers boolean)
ON CONFLICT (thread_id, ref) DO UPDATE
   SET message_id = excluded.message_id, draft_ref = excluded.draft_ref, version = excluded.version, outgoing = excluded.outgoing,
       sender_email = excluded.sender_email, sender_name = excluded.sender_name, recipients = excluded.recipients,
       sent_at = excluded.sent_at, subject = excluded.subject, own_text = excluded.own_text, forwarded_text = excluded.forwarded_text,
       quoted_text = excluded.quoted_text, signature = excluded.signature, disclaimer = excluded.disclaimer,
       automatic = excluded.automatic, automatic_because = excluded.automatic_because, machine_answers = excluded.machine_answers;

-- name: drop_turns
DELETE FROM postroom.turn WHERE thread_id = %(thread_id)s AND ref = ANY (%(refs)s);

-- name: start_state
-- The thread gets its code with its first verdict; a code that is taken already is no code for it.
INSERT INTO postroom.thread_state (thread_id, tenant_id, mailbox_id, reference_code, updated_at)
VALUES (%(thread_id)s, %(tenant_id)s, %(mailbox_id)s, %(code)s, %(now)s)
ON CONFLICT DO NOTHING RETURNING reference_code;

-- name: put_verdict
UPDATE postroom.thread_state
   SET state = %(state)s, action = %(action)s, language = %(language)s,
       reason = CASE WHEN %(settled)s THEN reason ELSE %(reason)s END, because = CASE WHEN %(settled)s THEN because ELSE %(because)s END,
       matched = %(matched)s, error_code = NULL, newest_message_id = %(newest_message_id)s, newest_ref = %(newest_ref)s,
       newest_at = %(newest_at)s, newest_from = %(newest_from)s, operators_seen = %(operators_seen)s, inputs = %(inputs)s,
       label_by_person = %(label_by_person)s, done_at = CASE WHEN %(done)s THEN done_at END,
       snoozed_till = CASE WHEN %(wakes)s THEN NULL ELSE snoozed_till END,
       settled = CASE WHEN %(newest_ref)s::text IS NOT DISTINCT FROM settled THEN settled END,
       decided_at = %(now)s, updated_at = %(now)s
 WHERE thread_id = %(thread_id)s;

-- name: put_analysis
-- A channel that a person chose stays, as long as nobody writes anew.
UPDATE postroom.thread_state
   SET analysis = %(analysis)s, model = %(model)s, channel_id = %(channel_id)s, channel_because = %(channel_because)s
 WHERE thread_id = %(thread_id)s;

-- name: drop_analysis
UPDATE postroom.thread_state SET analysis = NULL, model = NULL, channel_id = NULL, channel_because = NULL
 WHERE thread_id = %(thread_id)s;

-- name: intend_label
UPDATE postroom.thread_state SET label_intended = %(label)s WHERE thread_id = %(thread_id)s;

-- name: put_label
UPDATE postroom.thread_state SET label = %(label)s, label_intended = %(label)s, label_refs = %(refs)s, updated_at = %(now)s
 WHERE thread_id = %(thread_id)s;

-- name: fail_thread
-- Our own state at once, with the code; the verdict that stood is kept.
UPDATE postroom.thread_state SET state = 'error', error_code = %(code)s, because = %(because)s, inputs = NULL, updated_at = %(now)s
 WHERE thread_id = %(thread_id)s AND (state IS DISTINCT FROM 'error' OR error_code IS DISTINCT FROM %(code)s);

-- name: settle_thread
-- A failure is no verdict: the one that stood is kept beside the code.
UPDATE postroom.thread_state
   SET state = %(state)s, reason = CASE WHEN %(error_code)s::text IS NULL THEN %(reason)s ELSE coalesce(reason, %(reason)s) END, because = %(because)s, settled = newest_ref,
       error_code = %(error_code)s, updated_at = %(now)s
 WHERE thread_id = %(thread_id)s AND (%(newest_ref)s::text IS NULL OR newest_ref = %(newest_ref)s);

-- name: know_addresses
INSERT INTO postroom.copilot_mailbox (mailbox_id, tenant_id, addresses, addresses_at)
VALUES (%(mailbox_id)s, %(tenant_id)s, %(addresses)s, %(now)s)
ON CONFLICT (mailbox_id) DO UPDATE SET addresses = excluded.addresses, addresses_at = excluded.addresses_at;

-- name: labels_made
INSERT INTO postroom.copilot_mailbox (mailbox_id, tenant_id, labels, labels_at) VALUES (%(mailbox_id)s, %(tenant_id)s, %(namespace)s, %(now)s)
ON CONFLICT (mailbox_id) DO UPDATE SET labels = excluded.labels, labels_at = excluded.labels_at;

-- name: refuse_labels
INSERT INTO postroom.copilot_mailbox AS c (mailbox_id, tenant_id, refused, refused_at) VALUES (%(mailbox_id)s, %(tenant_id)s, %(because)s, %(now)s)
ON CONFLICT (mailbox_id) DO UPDATE SET refused = excluded.refused, refused_at = excluded.refused_at
 WHERE c.refused IS DISTINCT FROM excluded.refused
RETURNING mailbox_id;

-- name: allow_labels
UPDATE postroom.copilot_mailbox SET refused = NULL, refused_at = NULL, labels = NULL WHERE mailbox_id = %(mailbox_id)s;

-- name: threads_to_triage
-- What came lately, and what bears a label of ours, page by page.
SELECT t.id FROM postroom.thread t LEFT JOIN postroom.thread_state s ON s.thread_id = t.id
 WHERE t.tenant_id = (SELECT postroom.tenant()) AND t.mailbox_id = %(mailbox_id)s AND t.id > %(after)s
   AND (t.last_message_at > %(since)s OR s.state IS NOT NULL OR s.label IS NOT NULL OR s.label_intended IS NOT NULL)
 ORDER BY t.id LIMIT %(most)s;

-- name: wake_threads
UPDATE postroom.thread_state SET snoozed_till = NULL, updated_at = %(now)s
 WHERE tenant_id = (SELECT postroom.tenant()) AND snoozed_till <= %(now)s
RETURNING thread_id, mailbox_id;

-- name: forget_turns
UPDATE postroom.turn
   SET subject = '', own_text = '', forwarded_text = '', quoted_text = '', signature = '', disclaimer = '', recipients = '{}',
       forgotten_at = %(now)s
 WHERE tenant_id = (SELECT postroom.tenant()) AND forgotten_at IS NULL AND kept_at < %(before)s;

-- name: forget_analyses
UPDATE postroom.thread_state SET analysis = NULL, matched = '[]', updated_at = %(now)s
 WHERE tenant_id = (SELECT postroom.tenant()) AND analysis IS NOT NULL AND decided_at < %(before)s;

-- name: standing
SELECT s.thread_id, s.mailbox_id, s.state, s.assigned_to, s.snoozed_till, s.channel_id, s.reference_code,
       s.not_for_us_at IS NOT NULL AS not_for_us, s.done_at IS NOT NULL AS done, s.revision, s.newest_from, s.newest_at
  FROM postroom.thread_state s WHERE s.thread_id = %(thread_id)s FOR UPDATE;

-- name: changes_by_people
-- What people did about a thread since a revision of it, oldest first.
SELECT f.kind, f.body->>'how' AS how, f.actor, f.told_at, coalesce(p.email, c.name) AS name, (f.body->>'revision')::int AS revision
  FROM postroom.fact f
  LEFT JOIN postroom.person p ON f.kind = 'thread.assigned' AND p.id::text = f.body->>'after'
  LEFT JOIN postroom.channel c ON f.kind = 'thread.moved' AND c.id::text = f.body->>'after'
 WHERE f.tenant_id = (SELECT postroom.tenant()) AND left(f.kind, 7) = 'thread.' AND f.thread_id = %(thread_id)s
   AND (f.body->>'revision')::int > %(revision)s ORDER BY f.xid, f.id;

-- name: assign
UPDATE postroom.thread_state SET assigned_to = %(person_id)s, updated_at = %(now)s WHERE thread_id = %(thread_id)s RETURNING revision;

-- name: assignee
SELECT p.email, p.role <> 'viewer' AND p.disabled_at IS NULL AS may_act FROM postroom.person p WHERE p.id = %(person_id)s;

-- name: snooze
UPDATE postroom.thread_state SET snoozed_till = %(till)s, updated_at = %(now)s WHERE thread_id = %(thread_id)s;

-- name: set_aside
UPDATE postroom.thread_state
   SET not_for_us_at = CASE WHEN %(how)s = 'not_for_us' THEN %(now)s::timestamptz END,
       not_for_us_by = CASE WHEN %(how)s = 'not_for_us' THEN %(actor)s END,
       done_at = CASE WHEN %(how)s = 'done' THEN %(now)s::timestamptz END,
       snoozed_till = NULL, inputs = NULL, updated_at = %(now)s
 WHERE thread_id = %(thread_id)s RETURNING revision;

-- name: stand_as_drafted
-- A draft that answers the newest message is not written a second time, so nobody else says that the thread is ready.
UPDATE postroom.thread_state s
   SET state = CASE WHEN r.questions = '{}' THEN 'ready' ELSE 'needs_review' END,
       reason = CASE WHEN r.questions = '{}' THEN 'draft_written' ELSE 'draft_has_gaps' END, because = %(because)s
  FROM postroom.draft_slot d JOIN postroom.draft_revision r ON r.id = d.current
 WHERE s.thread_id = %(thread_id)s AND d.tenant_id = s.tenant_id AND d.mailbox_id = s.mailbox_id AND d.thread_id = s.thread_id
   AND d.kind = 'copilot_reply' AND r.status = 'written' AND r.message_ref = s.newest_ref AND s.settled = s.newest_ref;

-- name: move_to_channel
UPDATE postroom.thread_state SET channel_id = %(channel_id)s, channel_because = %(because)s, updated_at = %(now)s
 WHERE thread_id = %(thread_id)s RETURNING revision;

-- name: channels
SELECT c.id, c.name, c.rules, c.active FROM postroom.channel c ORDER BY c.place, c.id;

-- name: put_channel
INSERT INTO postroom.channel (id, tenant_id, name, place, rules, active, created_by, created_at)
VALUES (%(id)s, %(tenant_id)s, %(name)s, (SELECT coalesce(max(c.place), 0) + 1 FROM postroom.channel c), %(rules)s, %(active)s, %(actor)s, %(now)s)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, rules = excluded.rules, active = excluded.active;

-- name: drop_channel
DELETE FROM postroom.channel WHERE id = %(id)s;

-- name: topics
SELECT o.id, o.name, o.counts_as, o.words, o.active FROM postroom.tenant_topic o ORDER BY lower(o.name);

-- name: put_topic
INSERT INTO postroom.tenant_topic (id, tenant_id, name, counts_as, words, active, created_by, created_at)
VALUES (%(id)s, %(tenant_id)s, %(name)s, %(counts_as)s, %(words)s, %(active)s, %(actor)s, %(now)s)
ON CONFLICT (id) DO UPDATE SET name = excluded.name, counts_as = excluded.counts_as, words = excluded.words, active = excluded.active;

-- name: drop_topic
DELETE FROM postroom.tenant_topic WHERE id = %(id)s;

-- name: judged_lately
-- The newest message that came in each thread judged since then, and what was said of it.
SELECT s.thread_id, s.reference_code, s.action, s.reason, u.subject, u.own_text, u.forwarded_text, u.recipients, u.sender_email
  FROM postroom.thread_state s JOIN postroom.turn u ON u.thread_id = s.thread_id AND u.ref = s.newest_ref
 WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.decided_at > %(since)s
   AND (s.reason = ANY (%(reasons)s) OR s.action = 'draft')  -- whose reason tells of the draft by now
 ORDER BY s.decided_at DESC LIMIT %(most)s;

-- name: copilot_mode
SELECT b.copilot FROM postroom.mailbox b WHERE b.id = %(mailbox_id)s;

-- name: policy
SELECT t.policy FROM postroom.tenant t WHERE t.tenant_id = (SELECT postroom.tenant());
