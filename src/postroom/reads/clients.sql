-- name: clients_of
SELECT * FROM postroom.client_view WHERE message_id = ANY (%(ids)s::uuid[]);

-- name: account_called
-- An account that was merged into another stands for that one.
SELECT coalesce(merged_into, id) FROM postroom.account
 WHERE tenant_id = (SELECT postroom.tenant()) AND (code_key = %(key)s::text OR id = %(id)s::uuid)
 ORDER BY code_key <> %(key)s::text LIMIT 1;
