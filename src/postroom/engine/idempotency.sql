-- name: claim_key
-- Ours when it comes back with our claim: new, out of date, or left behind by a request that died.
INSERT INTO postroom.idempotency AS held (tenant_id, actor, key, request, claim, created_at)
VALUES (%(tenant_id)s, %(actor)s, %(key)s, %(request)s, %(claim)s, %(now)s)
ON CONFLICT (tenant_id, actor, key) DO UPDATE
   SET request = CASE WHEN held.created_at < %(kept_since)s OR (held.answer IS NULL AND held.created_at < %(dead_since)s)
                      THEN excluded.request ELSE held.request END,
       claim = CASE WHEN held.created_at < %(kept_since)s OR (held.answer IS NULL AND held.created_at < %(dead_since)s)
                    THEN excluded.claim ELSE held.claim END,
       answer = CASE WHEN held.created_at < %(kept_since)s THEN NULL ELSE held.answer END,
       created_at = CASE WHEN held.created_at < %(kept_since)s OR (held.answer IS NULL AND held.created_at < %(dead_since)s)
                         THEN excluded.created_at ELSE held.created_at END
RETURNING request, claim, answer;

-- name: release_key
DELETE FROM postroom.idempotency WHERE actor = %(actor)s AND key = %(key)s AND claim = %(claim)s;

-- name: keep_answer
UPDATE postroom.idempotency SET answer = %(answer)s WHERE actor = %(actor)s AND key = %(key)s AND claim = %(claim)s;

-- name: forget_keys
DELETE FROM postroom.idempotency
 WHERE ctid = ANY (ARRAY(SELECT ctid FROM postroom.idempotency
                          WHERE tenant_id = (SELECT postroom.tenant()) AND created_at < %(kept_since)s LIMIT 50));

