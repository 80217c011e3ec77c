-- name: add_tenant
INSERT INTO postroom.tenant (tenant_id, name) VALUES (%(tenant_id)s, %(name)s)
ON CONFLICT (name) DO NOTHING RETURNING created_at;

-- name: tell_of_tenant
SELECT postroom.tell_facts(%(tenant_id)s, %(facts)s);

-- name: tenant_by_name
SELECT tenant_id, name, policy, created_at FROM postroom.tenant WHERE name = %(name)s;

-- name: all_tenants
SELECT tenant_id, name, policy, created_at FROM postroom.tenant ORDER BY name;

-- name: own_tenant
SELECT tenant_id, name, policy, created_at FROM postroom.tenant;

-- name: own_tenant_to_change
SELECT tenant_id, name, policy, created_at FROM postroom.tenant FOR NO KEY UPDATE;

-- name: set_policy
UPDATE postroom.tenant SET policy = policy || %(change)s WHERE tenant_id = %(tenant_id)s RETURNING policy;

-- name: add_person
INSERT INTO postroom.person (id, tenant_id, email, name, role, password_hash)
VALUES (%(id)s, %(tenant_id)s, %(email)s, %(name)s, %(role)s, %(password_hash)s)
ON CONFLICT (tenant_id, email) DO NOTHING RETURNING id;

-- name: change_person
UPDATE postroom.person
   SET role = coalesce(%(role)s, role),
       password_hash = coalesce(%(password_hash)s, password_hash),
       disabled_at = CASE WHEN %(disabled)s::boolean IS NULL THEN disabled_at WHEN %(disabled)s::boolean THEN %(now)s END
 WHERE id = %(id)s RETURNING id, email, name, role, disabled_at, created_at;

-- name: people
SELECT id, email, name, role, disabled_at, created_at FROM postroom.person ORDER BY email;

-- name: person_by_email
SELECT id, email, name, role, disabled_at, created_at FROM postroom.person WHERE email = %(email)s;

-- name: admins_left
SELECT count(*) FROM postroom.person WHERE role = 'admin' AND disabled_at IS NULL AND id <> %(id)s;

-- name: add_key
INSERT INTO postroom.api_key (id, tenant_id, name, role, scopes, digest, created_by, expires_at)
VALUES (%(id)s, %(tenant_id)s, %(name)s, %(role)s, %(scopes)s, %(digest)s, %(created_by)s, %(expires_at)s);

-- name: keys
SELECT id, name, role, scopes, created_by, created_at, expires_at, revoked_at FROM postroom.api_key ORDER BY created_at, id;

-- name: revoke_key
UPDATE postroom.api_key SET revoked_at = coalesce(revoked_at, %(now)s) WHERE id = %(id)s
RETURNING id, name, role, scopes, created_by, created_at, expires_at, revoked_at;

-- name: key_holder
-- At the front desk: the tenant is not known before the key is.
SELECT id, tenant_id, name, role, scopes, expires_at FROM postroom.api_key
 WHERE digest = %(digest)s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %(now)s);

-- name: people_to_enter
-- At the front desk: the tenant is not known before the person is.
SELECT p.id, p.tenant_id, t.name AS tenant, p.email, p.name, p.role, p.password_hash
  FROM postroom.person p JOIN postroom.tenant t ON t.tenant_id = p.tenant_id
 WHERE p.email = %(email)s AND p.disabled_at IS NULL AND (%(tenant)s::text IS NULL OR t.name = %(tenant)s::text)
 ORDER BY t.name LIMIT 4;

-- name: password_of
SELECT password_hash FROM postroom.person WHERE id = %(id)s;

-- name: person_by_id
SELECT id, email, name, role, disabled_at, created_at FROM postroom.person WHERE id = %(id)s;

-- name: first_admin
SELECT id, email, name, role, disabled_at, created_at FROM postroom.person
 WHERE role = 'admin' AND disabled_at IS NULL ORDER BY created_at, id LIMIT 1;

-- name: person_for_subject
SELECT id, email, name, role, disabled_at, created_at, oidc_subject FROM postroom.person
 WHERE oidc_subject = %(subject)s OR email = %(email)s
 ORDER BY (oidc_subject = %(subject)s) DESC NULLS LAST LIMIT 1;

-- name: bind_subject
UPDATE postroom.person SET oidc_subject = %(subject)s WHERE id = %(id)s AND oidc_subject IS NULL;

-- name: start_session
INSERT INTO postroom.session (id, tenant_id, person_id, digest, how, source, agent, started_at, seen_at, expires_at, ends_at)
VALUES (%(id)s, %(tenant_id)s, %(person_id)s, %(digest)s, %(how)s, %(source)s, %(agent)s, %(now)s, %(now)s, %(expires_at)s, %(ends_at)s);

-- name: sweep_sessions
DELETE FROM postroom.session WHERE expires_at < %(now)s;

-- name: session_holder
-- At the front desk: the cookie says who, and by that which tenant.
SELECT s.id, s.tenant_id, t.name AS tenant, s.person_id, s.how, s.seen_at, s.expires_at, s.ends_at, p.email, p.name, p.role,
       postroom.settled_xid() AS settled
  FROM postroom.session s JOIN postroom.person p ON p.id = s.person_id JOIN postroom.tenant t ON t.tenant_id = s.tenant_id
 WHERE s.digest = %(digest)s AND s.expires_at > %(now)s AND p.disabled_at IS NULL;

-- name: touch_session
UPDATE postroom.session SET seen_at = %(now)s, expires_at = least(ends_at, %(expires_at)s) WHERE id = %(id)s;

-- name: sessions
SELECT s.id, s.person_id, p.email, s.how, s.source, s.agent, s.started_at, s.seen_at, s.expires_at
  FROM postroom.session s JOIN postroom.person p ON p.id = s.person_id
 WHERE s.expires_at > %(now)s AND (%(person_id)s::uuid IS NULL OR s.person_id = %(person_id)s::uuid)
 ORDER BY s.seen_at DESC LIMIT 200;

-- name: end_session
DELETE FROM postroom.session
 WHERE id = %(id)s AND (%(person_id)s::uuid IS NULL OR person_id = %(person_id)s::uuid) RETURNING person_id;

-- name: end_sessions
DELETE FROM postroom.session WHERE person_id = %(person_id)s AND id IS DISTINCT FROM %(keep)s::uuid;

-- name: add_link
INSERT INTO postroom.signin_link (digest, tenant_id, person_id, expires_at)
VALUES (%(digest)s, %(tenant_id)s, %(person_id)s, %(expires_at)s);

-- name: sweep_links
DELETE FROM postroom.signin_link WHERE expires_at < %(now)s;

-- name: take_link
-- At the front desk. Good for one use.
DELETE FROM postroom.signin_link l USING postroom.person p
 WHERE l.digest = %(digest)s AND p.id = l.person_id
RETURNING l.tenant_id, l.person_id, p.email, l.expires_at > %(now)s AND p.disabled_at IS NULL AS good;

-- name: owner_of_link
-- At the front desk. Whom it would let in; it stays good.
SELECT p.email FROM postroom.signin_link l JOIN postroom.person p ON p.id = l.person_id
 WHERE l.digest = %(digest)s AND l.expires_at > %(now)s AND p.disabled_at IS NULL;

-- name: waiting_till
SELECT max(till) FROM postroom.signin_try WHERE key = ANY (%(keys)s) AND till > %(now)s;

-- name: count_try
-- One after the other: whoever comes second waits here, and then finds the pause of the first.
INSERT INTO postroom.signin_try AS held (key, at) SELECT key, %(now)s FROM unnest(%(keys)s::bytea[]) AS key ORDER BY key
ON CONFLICT (key) DO UPDATE SET tries = CASE WHEN held.at < %(forget)s THEN 1 ELSE held.tries + 1 END, at = %(now)s
 WHERE held.till <= %(now)s
RETURNING key, tries;

-- name: hold_till
UPDATE postroom.signin_try SET till = %(till)s WHERE key = %(key)s;

-- name: forgive
DELETE FROM postroom.signin_try WHERE key = ANY (%(keys)s);

-- name: take_back_try
-- A try that was right: only wrong ones count.
UPDATE postroom.signin_try
   SET tries = tries - 1, till = CASE WHEN tries <= %(free)s THEN %(now)s ELSE till END
 WHERE key = %(key)s AND tries > 0;

-- name: sweep_tries
DELETE FROM postroom.signin_try WHERE at < %(forget)s;

-- name: look
INSERT INTO postroom.presence (tenant_id, item, actor, seen_at) VALUES (%(tenant_id)s, %(item)s, %(actor)s, %(now)s)
ON CONFLICT (tenant_id, item, actor) DO UPDATE SET seen_at = excluded.seen_at;

-- name: others_looking
-- By the names that people gave themselves.
SELECT coalesce(nullif(p.name, ''), p.email) FROM postroom.presence l
  JOIN postroom.person p ON p.tenant_id = l.tenant_id AND 'person:' || p.email = l.actor
 WHERE l.item = %(item)s AND l.actor <> %(actor)s AND l.seen_at > %(since)s ORDER BY 1 LIMIT 20;

-- name: look_away
DELETE FROM postroom.presence WHERE item = %(item)s AND actor = %(actor)s;

-- name: forget_presence
DELETE FROM postroom.presence WHERE seen_at < %(before)s;
