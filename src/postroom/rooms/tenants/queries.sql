-- name: add_tenant
INSERT INTO postroom.tenant (tenant_id, name) VALUES (%(tenant_id)s, %(name)s)
ON CONFLICT (name) DO NOTHING RETURNING tenant_id;

-- name: tenant_by_name
SELECT tenant_id, name, policy, created_at FROM postroom.tenant WHERE name = %(name)s;

-- name: all_tenants
SELECT tenant_id, name, policy, created_at FROM postroom.tenant ORDER BY name;

-- name: own_tenant
SELECT tenant_id, name, policy, created_at FROM postroom.tenant;

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
SELECT id, tenant_id, name, role, scopes FROM postroom.api_key
 WHERE digest = %(digest)s AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > %(now)s);
