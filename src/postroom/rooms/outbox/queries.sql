-- name: put_proposal
INSERT INTO postroom.proposal (id, tenant_id, mailbox_id, thread_id, draft_id, kind, origin, hash, recipients, cc, bcc, subject, body, html,
       files, answers, message_id, head, head_at, machine_body, model, proposed_by, replaces, needed, needed_because, expires_at,
       created_at, updated_at)
VALUES (%(id)s, %(tenant_id)s, %(mailbox_id)s, %(thread_id)s, %(draft_id)s, %(kind)s, %(origin)s, %(hash)s, %(recipients)s, %(cc)s, %(bcc)s,
       %(subject)s, %(body)s, %(html)s, %(files)s, %(answers)s, %(message_id)s, %(head)s, %(head_at)s, %(machine_body)s, %(model)s,
       %(proposed_by)s, %(replaces)s, %(needed)s, %(needed_because)s, %(expires_at)s, %(now)s, %(now)s);

-- name: put_version
INSERT INTO postroom.proposal_version (proposal_id, tenant_id, version, hash, mail, made_by, made_at)
VALUES (%(proposal_id)s, %(tenant_id)s, %(version)s, %(hash)s, %(mail)s, %(actor)s, %(now)s);

-- name: change_proposal
-- Only while nobody's yes is acted upon: whoever changed it first wins.
UPDATE postroom.proposal p
   SET version = p.version + 1, status = 'waiting', because = '', hash = %(hash)s, recipients = %(recipients)s, cc = %(cc)s, bcc = %(bcc)s,
       subject = %(subject)s, body = %(body)s, html = %(html)s, files = %(files)s, needed = %(needed)s, needed_because = %(needed_because)s,
       send_at = NULL, updated_at = %(now)s
 WHERE p.id = %(id)s AND p.status IN ('waiting', 'revoked') AND p.hash = %(before)s
RETURNING p.version;

-- name: tenant_policy
SELECT t.policy FROM postroom.tenant t WHERE t.tenant_id = (SELECT postroom.tenant());

-- name: lock_sending
-- The switches stand still while it is decided whether a send begins.
SELECT t.policy FROM postroom.tenant t WHERE t.tenant_id = (SELECT postroom.tenant()) FOR SHARE;

-- name: lock_mailbox_switch
-- One send of a mailbox begins at a time, so that its cap is counted right.
SELECT b.sending FROM postroom.mailbox b WHERE b.id = %(mailbox_id)s FOR NO KEY UPDATE;

-- name: lock_proposal
SELECT p.id FROM postroom.proposal p WHERE p.id = %(id)s FOR UPDATE;

-- name: proposal_case
-- A proposal with all that decides about it at this moment.
SELECT p.id, p.mailbox_id, p.thread_id, p.draft_id, p.message_id, p.kind, p.origin, p.status, p.because, p.version, p.hash, p.recipients, p.cc,
       p.bcc, p.subject, p.body, p.html, p.files, p.answers, p.head, p.head_at, p.machine_body, p.model, p.proposed_by, p.needed,
       p.needed_because, p.expires_at, p.send_at, p.begun_at, p.called_at, p.sends, p.looks, p.checked, p.attempt, p.held, p.created_at,
       b.address AS mailbox, b.provider, b.access, b.status AS mailbox_status, b.sending AS mailbox_sending, b.capability, b.copilot,
       n.policy, t.provider_thread_id AS thread_ref,
       r.status AS draft_status, s.current IS NOT DISTINCT FROM r.id AS draft_is_current, r.body AS draft_body, r.fingerprint AS draft_print,
       s.held AS draft_held, s.draft_key,
       coalesce((SELECT u.ref FROM postroom.turn u
                  WHERE u.thread_id = p.thread_id AND u.draft_ref IS NULL AND u.ref <> p.head
                    AND (u.sent_at > p.head_at OR u.sent_at = p.head_at AND u.kept_at > p.created_at)
                  ORDER BY u.sent_at DESC LIMIT 1),
                (SELECT m.provider_message_id FROM postroom.message m
                  WHERE m.tenant_id = p.tenant_id AND m.thread_id = p.thread_id AND m.state = 'arrived' AND m.provider_message_id <> p.head
                    AND (m.received_at > p.head_at OR m.received_at = p.head_at AND m.arrived_at > p.created_at)
                  ORDER BY m.received_at DESC LIMIT 1)) AS newer,
       a.automatic AS answered_automatic, coalesce(w.machine_answers, false) AS answered_machine,
       ARRAY(SELECT o.address FROM postroom.mailbox o WHERE o.tenant_id = p.tenant_id AND o.status <> 'disconnected'
             UNION SELECT unnest(c.addresses) FROM postroom.copilot_mailbox c WHERE c.tenant_id = p.tenant_id) AS ours,
       (SELECT count(*) FROM postroom.proposal o WHERE o.tenant_id = p.tenant_id AND o.mailbox_id = p.mailbox_id
           AND o.begun_at > %(hour_ago)s AND o.id <> p.id)::integer AS from_mailbox,
       (SELECT count(*) FROM postroom.proposal o WHERE o.tenant_id = p.tenant_id AND o.mailbox_id = p.mailbox_id
           AND o.begun_at > %(hour_ago)s AND o.thread_id = p.thread_id AND o.id <> p.id)::integer AS in_thread,
       (SELECT min(o.begun_at) FROM postroom.proposal o WHERE o.tenant_id = p.tenant_id AND o.mailbox_id = p.mailbox_id
           AND o.begun_at > %(hour_ago)s AND o.id <> p.id) AS first_lately,
       ARRAY(SELECT v.actor FROM postroom.approval v WHERE v.tenant_id = p.tenant_id AND v.proposal_id = p.id AND v.hash = p.hash
                AND v.ended_at IS NULL AND v.used_at IS NULL AND v.expires_at > %(now)s ORDER BY v.approved_at) AS approvers
  FROM postroom.proposal p JOIN postroom.mailbox b ON b.id = p.mailbox_id JOIN postroom.tenant n ON n.tenant_id = p.tenant_id
  LEFT JOIN postroom.thread t ON t.id = p.thread_id
  LEFT JOIN postroom.draft_revision r ON r.id = p.draft_id LEFT JOIN postroom.draft_slot s ON s.id = r.slot_id
  LEFT JOIN postroom.message a ON a.id = p.message_id
  LEFT JOIN postroom.turn w ON w.thread_id = p.thread_id AND w.ref = p.answers
 WHERE p.id = %(id)s;

-- name: people_in_thread
-- Who wrote and was written to, as their headers say it.
SELECT array_remove(array_agg(DISTINCT f.said), NULL) FROM (
    SELECT u.sender_email AS said FROM postroom.turn u WHERE u.thread_id = %(thread_id)s AND u.draft_ref IS NULL
    UNION SELECT m.sender_email FROM postroom.message m WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.thread_id = %(thread_id)s
    UNION SELECT jsonb_array_elements_text(p.value) FROM postroom.turn u, jsonb_each(u.recipients) p
           WHERE u.thread_id = %(thread_id)s AND u.draft_ref IS NULL AND jsonb_typeof(p.value) = 'array'
    UNION SELECT jsonb_array_elements_text(p.value) FROM postroom.message m, jsonb_each(m.recipients) p
           WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.thread_id = %(thread_id)s AND jsonb_typeof(p.value) = 'array') f;

-- name: known_addresses
SELECT w.address FROM postroom.written_to w WHERE w.tenant_id = (SELECT postroom.tenant()) AND w.address = ANY (%(addresses)s)
UNION
SELECT c.email FROM postroom.contact c
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.email = ANY (%(addresses)s) AND c.status = 'active';

-- name: own_domains
SELECT DISTINCT b.domain FROM postroom.mailbox b WHERE b.tenant_id = (SELECT postroom.tenant());

-- name: people_behind
-- Who stands behind each actor: a key that a person made, or that such a key made, is that person; others are themselves.
WITH RECURSIVE behind AS (
    SELECT a AS actor, a AS maker FROM unnest(%(actors)s::text[]) AS a
    UNION ALL
    SELECT b.actor, k.created_by FROM behind b JOIN postroom.api_key k
        ON k.tenant_id = (SELECT postroom.tenant()) AND starts_with(b.maker, 'key:') AND k.id::text = right(b.maker, 36)
)
SELECT b.maker FROM behind b WHERE starts_with(b.maker, 'person:') OR b.maker = b.actor AND NOT EXISTS
       (SELECT FROM behind o WHERE o.actor = b.actor AND starts_with(o.maker, 'person:'));

-- name: put_approval
INSERT INTO postroom.approval (id, tenant_id, proposal_id, hash, actor, approved_at, expires_at)
VALUES (%(id)s, %(tenant_id)s, %(proposal_id)s, %(hash)s, %(actor)s, %(now)s, %(expires_at)s)
ON CONFLICT (proposal_id, actor) WHERE used_at IS NULL AND ended_at IS NULL DO NOTHING;

-- name: end_approvals
UPDATE postroom.approval a SET ended_at = %(now)s, ended_because = %(because)s
 WHERE a.proposal_id = %(proposal_id)s AND a.used_at IS NULL AND a.ended_at IS NULL;

-- name: end_expired_approvals
UPDATE postroom.approval a SET ended_at = %(now)s, ended_because = 'It expired.'
 WHERE a.proposal_id = %(proposal_id)s AND a.used_at IS NULL AND a.ended_at IS NULL AND a.expires_at <= %(now)s;

-- name: use_approvals
-- Once: what was used is not open any more.
UPDATE postroom.approval a SET used_at = %(now)s
 WHERE a.proposal_id = %(proposal_id)s AND a.hash = %(hash)s AND a.used_at IS NULL AND a.ended_at IS NULL AND a.expires_at > %(now)s
RETURNING a.actor;

-- name: approvals
SELECT a.actor, a.hash, a.approved_at, a.expires_at, a.ended_at, a.ended_because, a.used_at
  FROM postroom.approval a WHERE a.tenant_id = (SELECT postroom.tenant()) AND a.proposal_id = %(proposal_id)s ORDER BY a.approved_at, a.id;

-- name: note_needed
UPDATE postroom.proposal p SET needed = %(needed)s, needed_because = %(needed_because)s WHERE p.id = %(id)s;

-- name: set_status
UPDATE postroom.proposal p SET status = %(status)s, because = %(because)s, send_at = %(send_at)s, updated_at = %(now)s
 WHERE p.id = %(id)s AND p.status = %(was)s;

-- name: postpone
UPDATE postroom.proposal p SET send_at = %(send_at)s, because = %(because)s, updated_at = %(now)s
 WHERE p.id = %(id)s AND p.status = 'approved';

-- name: begin_sending
UPDATE postroom.proposal p
   SET status = 'sending', because = '', begun_at = %(now)s, called_at = %(now)s, sends = 1, looks = 0, checked = '[]', held = %(held)s,
       internet_message_id = %(message_id)s, updated_at = %(now)s
 WHERE p.id = %(id)s AND p.status = 'approved' AND p.hash = %(hash)s;

-- name: call_again
UPDATE postroom.proposal p SET called_at = %(now)s, sends = p.sends + 1, updated_at = %(now)s WHERE p.id = %(id)s AND p.status = 'sending';

-- name: note_look
UPDATE postroom.proposal p SET looks = p.looks + 1, checked = p.checked || %(checked)s, because = %(because)s, updated_at = %(now)s
 WHERE p.id = %(id)s AND p.status IN ('sending', 'unknown');

-- name: put_sent
UPDATE postroom.proposal p
   SET status = 'sent', because = %(because)s, sent_ref = %(sent_ref)s, sent_at = %(now)s,
       internet_message_id = coalesce(nullif(%(message_id)s, ''), p.internet_message_id), updated_at = %(now)s
 WHERE p.id = %(id)s AND p.status IN ('sending', 'unknown');

-- name: give_back
-- It was not sent: a yes to it is needed anew, and the next mail of it is another one.
UPDATE postroom.proposal p
   SET status = 'waiting', because = %(because)s, attempt = p.attempt + 1, begun_at = NULL, send_at = NULL, updated_at = %(now)s
 WHERE p.id = %(id)s AND p.status IN ('sending', 'unknown');

-- name: note_written_to
INSERT INTO postroom.written_to (tenant_id, address, first_at)
SELECT %(tenant_id)s, a, %(now)s FROM unnest(%(addresses)s::text[]) AS a ON CONFLICT DO NOTHING;

-- name: thread_draft
-- The draft that a thread has now, and what became of those that were proposed.
SELECT t.id AS thread_id, t.mailbox_id, t.provider_thread_id AS thread_ref, b.copilot, r.id AS draft_id, r.status, r.body, r.subject, r.fingerprint,
       r.message_ref, r.message_id, r.model, r.edited_by, s.held,
       coalesce((SELECT u.sent_at FROM postroom.turn u WHERE u.thread_id = t.id AND u.ref = r.message_ref),
                (SELECT m.received_at FROM postroom.message m WHERE m.id = r.message_id)) AS head_at
  FROM postroom.thread t JOIN postroom.mailbox b ON b.id = t.mailbox_id
  LEFT JOIN postroom.draft_slot s ON s.tenant_id = t.tenant_id AND s.mailbox_id = t.mailbox_id AND s.thread_id = t.id AND s.kind = 'copilot_reply'
  LEFT JOIN postroom.draft_revision r ON r.id = s.current
 WHERE t.id = %(thread_id)s;

-- name: drafted_proposals
-- Those of a thread that were made from drafts, with what became of each draft; oldest first. One that was over before a
-- person brought its draft back says nothing about that draft any more.
SELECT p.id, p.draft_id, p.status, p.hash, p.machine_body, p.model, r.status AS draft_status, r.edited_by, s.current IS NOT DISTINCT FROM r.id AS is_current
  FROM postroom.proposal p JOIN postroom.draft_revision r ON r.id = p.draft_id JOIN postroom.draft_slot s ON s.id = r.slot_id
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.thread_id = %(thread_id)s
   AND (r.restored_at IS NULL OR p.status NOT IN ('discarded', 'void') OR p.updated_at > r.restored_at)
 ORDER BY p.created_at, p.id;

-- name: newest_of_thread
-- As we know it: what came, and what triage saw going out.
SELECT f.ref, f.at FROM (
    SELECT u.ref, u.sent_at AS at FROM postroom.turn u WHERE u.thread_id = %(thread_id)s AND u.draft_ref IS NULL
    UNION SELECT m.provider_message_id, m.received_at FROM postroom.message m
           WHERE m.tenant_id = (SELECT postroom.tenant()) AND m.thread_id = %(thread_id)s AND m.state = 'arrived') f
 WHERE f.at IS NOT NULL ORDER BY f.at DESC, f.ref DESC LIMIT 1;

-- name: source_message
-- A message that is answered or forwarded, and the mailbox it leaves from.
SELECT m.id, m.mailbox_id, m.thread_id, m.provider_message_id AS ref, m.state, m.internet_message_id, m.sender_email, m.sender_name, m.recipients,
       m.subject, m.body, m.received_at, m.automatic, m.attachments, m.forgotten_at, b.address AS mailbox
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id WHERE m.id = %(message_id)s;

-- name: own_addresses
SELECT o.address FROM postroom.mailbox o WHERE o.tenant_id = (SELECT postroom.tenant()) AND o.status <> 'disconnected'
UNION SELECT unnest(c.addresses) FROM postroom.copilot_mailbox c WHERE c.tenant_id = (SELECT postroom.tenant());

-- name: sending_mailbox
SELECT b.id, b.address, b.provider FROM postroom.mailbox b
 WHERE b.tenant_id = (SELECT postroom.tenant()) AND b.status <> 'disconnected'
   AND (%(mailbox_id)s::uuid IS NULL OR b.id = %(mailbox_id)s) ORDER BY b.address LIMIT 2;

-- name: proposals
SELECT v.* FROM postroom.proposal_view v
 WHERE (%(id)s::uuid IS NULL OR v.id = %(id)s) AND (%(thread_id)s::uuid IS NULL OR v.thread_id = %(thread_id)s)
   AND (%(draft_id)s::uuid IS NULL OR v.draft_id = %(draft_id)s) AND (%(mailbox_id)s::uuid IS NULL OR v.mailbox_id = %(mailbox_id)s)
   AND (%(statuses)s::text[] IS NULL OR v.status = ANY (%(statuses)s))
   AND (%(words)s::text IS NULL OR strpos(lower(concat_ws(' ', v.subject, v.mailbox, v.recipients::text)), lower(%(words)s)) > 0)
   AND (%(before_at)s::timestamptz IS NULL OR (v.created_at, v.id) < (%(before_at)s, %(before_id)s::uuid))
 ORDER BY v.created_at DESC, v.id DESC LIMIT %(most)s;

-- name: versions
-- What it said, newest first; then what the proposal said whose place it took.
SELECT v.version, v.hash, v.mail, v.made_by, v.made_at
  FROM postroom.proposal_version v
 WHERE v.tenant_id = (SELECT postroom.tenant())
   AND v.proposal_id IN (%(proposal_id)s, (SELECT p.replaces FROM postroom.proposal p WHERE p.id = %(proposal_id)s))
 ORDER BY v.proposal_id = %(proposal_id)s DESC, v.version DESC LIMIT %(most)s;

-- name: to_tend
-- What may be over: expired, or with something newer in its thread.
SELECT p.id FROM postroom.proposal p
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.status IN ('waiting', 'revoked', 'approved')
   AND (p.expires_at <= %(now)s
        OR EXISTS (SELECT FROM postroom.approval a WHERE a.tenant_id = p.tenant_id AND a.proposal_id = p.id AND a.used_at IS NULL
                      AND a.ended_at IS NULL AND a.expires_at <= %(now)s)
        OR EXISTS (SELECT FROM postroom.message m WHERE m.tenant_id = p.tenant_id AND m.thread_id = p.thread_id AND m.state = 'arrived'
                      AND m.provider_message_id <> p.head AND m.received_at >= p.head_at
                      AND (m.received_at > p.head_at OR m.arrived_at > p.created_at)))
 ORDER BY p.created_at LIMIT %(most)s;

-- name: to_send
-- What should be on its way and may have lost its job.
SELECT p.id, p.mailbox_id, p.thread_id FROM postroom.proposal p
 WHERE p.tenant_id = (SELECT postroom.tenant())
   AND (p.status = 'approved' AND p.send_at < %(before)s OR p.status = 'sending' AND p.updated_at < %(before)s)
   AND NOT EXISTS (SELECT FROM postroom.job j WHERE j.tenant_id = p.tenant_id AND j.kind = 'outbox.send' AND j.key = p.id::text)
 ORDER BY p.created_at LIMIT %(most)s;

-- name: approved_of
SELECT p.id FROM postroom.proposal p
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.status = 'approved' AND (%(mailbox_id)s::uuid IS NULL OR p.mailbox_id = %(mailbox_id)s)
 ORDER BY p.created_at;

-- name: partly_approved_of
SELECT DISTINCT a.proposal_id FROM postroom.approval a JOIN postroom.proposal p ON p.id = a.proposal_id
 WHERE a.tenant_id = (SELECT postroom.tenant()) AND a.used_at IS NULL AND a.ended_at IS NULL AND p.status = 'waiting'
   AND (%(mailbox_id)s::uuid IS NULL OR p.mailbox_id = %(mailbox_id)s);

-- name: bounced_proposal
-- By the Message-ID that the report names.
SELECT p.id, p.mailbox_id, p.thread_id FROM postroom.proposal p
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.internet_message_id = ANY (%(message_ids)s) AND p.bounced_at IS NULL
   AND p.status IN ('sent', 'sending', 'unknown')
 ORDER BY p.created_at DESC LIMIT 1;

-- name: sent_in_thread
-- The last that went out in the thread of a report that names nothing.
SELECT p.id, p.mailbox_id, p.thread_id FROM postroom.proposal p
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.thread_id = %(thread_id)s AND p.status = 'sent' AND p.bounced_at IS NULL
   AND p.sent_at > %(after)s ORDER BY p.sent_at DESC LIMIT 1;

-- name: put_bounce
UPDATE postroom.proposal p SET bounced_at = %(now)s, bounce = %(because)s, updated_at = %(now)s
 WHERE p.id = %(id)s AND p.bounced_at IS NULL;

-- name: report
SELECT m.id, m.mailbox_id, m.thread_id, m.body, m.enclosed_text, m.headers, m.automatic, m.received_at FROM postroom.message m WHERE m.id = %(message_id)s;

-- name: forget_proposals
-- What they said; that they were sent, by whom approved and when, stays.
WITH old AS (
    SELECT p.id, p.files FROM postroom.proposal p
     WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.forgotten_at IS NULL AND p.status IN ('sent', 'void', 'discarded')
       AND p.updated_at < %(before)s ORDER BY p.updated_at LIMIT %(most)s FOR UPDATE SKIP LOCKED
), gone AS (
    DELETE FROM postroom.proposal_version v USING old WHERE v.proposal_id = old.id AND v.tenant_id = (SELECT postroom.tenant())
)
UPDATE postroom.proposal p
   SET recipients = '{}', cc = '{}', bcc = '{}', subject = '', body = '', html = '', files = '[]', machine_body = NULL, held = NULL,
       bounce = NULL, forgotten_at = %(now)s
  FROM old WHERE p.id = old.id RETURNING old.files;
