-- name: needs
-- What waits for a person. Counted over small tables and partial indexes only.
SELECT coalesce((SELECT sum(count) FROM postroom.document_tally
                  WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'review'), 0)::bigint AS review,
       coalesce((SELECT sum(count) FROM postroom.document_tally
                  WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'failed'), 0)::bigint AS unreadable,
       (SELECT count(*) FROM (SELECT FROM postroom.job_view WHERE state IN ('parked', 'quarantined') LIMIT 1000) j) AS aside,
       (SELECT count(*) FROM postroom.mailbox
         WHERE status IN ('token_refresh_failed', 'subscription_expired', 'provider_error')) AS mailboxes,
       (SELECT count(*) FROM (SELECT FROM postroom.mapping
                               WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'triage' LIMIT 1000) c) AS clients,
       (SELECT count(*) FROM (SELECT FROM postroom.thread_state
                               WHERE tenant_id = (SELECT postroom.tenant()) AND state IS NOT NULL AND snoozed_till IS NULL LIMIT 1000) h) AS threads,
       (SELECT count(*) FROM (SELECT FROM postroom.proposal
                               WHERE tenant_id = (SELECT postroom.tenant()) AND status IN ('waiting', 'revoked', 'unknown')
                               LIMIT 1000) p) AS proposals;

-- name: waiting_proposals
-- In the order of the outbox.
SELECT p.id FROM postroom.proposal p
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.status IN ('waiting', 'revoked')
 ORDER BY p.created_at DESC, p.id DESC LIMIT %(most)s;

-- name: proposals
SELECT status, count(*) AS count FROM postroom.proposal
 WHERE tenant_id = (SELECT postroom.tenant()) AND status IN ('waiting', 'revoked', 'approved', 'sending', 'unknown') GROUP BY status;

-- name: documents
SELECT kind, status, sum(count)::bigint AS count FROM postroom.document_tally
 WHERE tenant_id = (SELECT postroom.tenant()) GROUP BY kind, status HAVING sum(count) > 0 ORDER BY kind, status;
