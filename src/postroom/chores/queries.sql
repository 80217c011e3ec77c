-- name: stale_tokens
-- Each of these: what was sealed with another key than the newest, its place in the table, and nothing else of it.
SELECT t.mailbox_id::text AS one, '' AS two, t.sealed FROM postroom.mailbox_token t
 WHERE substring(t.sealed FROM 2 FOR 8) <> %(newest)s AND (t.mailbox_id::text, '') > (%(one)s, %(two)s)
 ORDER BY t.mailbox_id::text LIMIT %(most)s;

-- name: reseal_token
-- Each of these: only what we read is replaced; what somebody sealed meanwhile stays.
UPDATE postroom.mailbox_token SET sealed = %(sealed)s WHERE mailbox_id = %(one)s::uuid AND %(two)s = '' AND sealed = %(was)s;

-- name: stale_verifiers
SELECT c.state AS one, '' AS two, c.verifier AS sealed FROM postroom.consent c
 WHERE substring(c.verifier FROM 2 FOR 8) <> %(newest)s AND (c.state, '') > (%(one)s, %(two)s)
 ORDER BY c.state LIMIT %(most)s;

-- name: reseal_verifier
UPDATE postroom.consent SET verifier = %(sealed)s WHERE state = %(one)s AND %(two)s = '' AND verifier = %(was)s;

-- name: stale_passwords
SELECT p.id::text AS one, '' AS two, p.sealed FROM postroom.pdf_password p
 WHERE substring(p.sealed FROM 2 FOR 8) <> %(newest)s AND (p.id::text, '') > (%(one)s, %(two)s)
 ORDER BY p.id::text LIMIT %(most)s;

-- name: reseal_password
UPDATE postroom.pdf_password SET sealed = %(sealed)s WHERE id = %(one)s::uuid AND %(two)s = '' AND sealed = %(was)s;

-- name: stale_answers
SELECT i.actor AS one, i.key AS two, i.answer AS sealed FROM postroom.idempotency i
 WHERE substring(i.answer FROM 2 FOR 8) <> %(newest)s AND (i.actor, i.key) > (%(one)s, %(two)s)
 ORDER BY i.actor, i.key LIMIT %(most)s;

-- name: reseal_answer
UPDATE postroom.idempotency SET answer = %(sealed)s WHERE actor = %(one)s AND key = %(two)s AND answer = %(was)s;

-- name: stale_webhook_secrets
SELECT w.id::text AS one, '' AS two, w.secret AS sealed FROM postroom.webhook w
 WHERE substring(w.secret FROM 2 FOR 8) <> %(newest)s AND (w.id::text, '') > (%(one)s, %(two)s)
 ORDER BY w.id::text LIMIT %(most)s;

-- name: reseal_webhook_secret
UPDATE postroom.webhook SET secret = %(sealed)s WHERE id = %(one)s::uuid AND %(two)s = '' AND secret = %(was)s;

-- name: stale_old_webhook_secrets
SELECT w.id::text AS one, '' AS two, w.old_secret AS sealed FROM postroom.webhook w
 WHERE substring(w.old_secret FROM 2 FOR 8) <> %(newest)s AND (w.id::text, '') > (%(one)s, %(two)s)
 ORDER BY w.id::text LIMIT %(most)s;

-- name: reseal_old_webhook_secret
UPDATE postroom.webhook SET old_secret = %(sealed)s WHERE id = %(one)s::uuid AND %(two)s = '' AND old_secret = %(was)s;
