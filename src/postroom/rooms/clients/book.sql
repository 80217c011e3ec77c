-- name: has_book
SELECT EXISTS (SELECT FROM postroom.account WHERE tenant_id = (SELECT postroom.tenant())) AS has_book;

-- name: take_turns
-- Whoever writes in the book waits for the one who does: what was held against it stays true until it is written.
SELECT pg_advisory_xact_lock(hashtextextended('client book', hashtextextended(%(tenant_id)s::uuid::text, 0)));

-- name: held_accounts
SELECT a.id, a.code, a.name, a.aliases, a.domains, a.status, t.code_key AS merged_into
  FROM postroom.account a LEFT JOIN postroom.account t ON t.id = a.merged_into
 WHERE a.tenant_id = (SELECT postroom.tenant()) AND a.code_key = ANY (%(keys)s::text[]);

-- name: held_contacts
SELECT c.email, c.name, array_agg(a.code_key ORDER BY a.code_key) AS accounts
  FROM postroom.contact c JOIN postroom.contact_account o ON o.contact_id = c.id JOIN postroom.account a ON a.id = o.account_id
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.email = ANY (%(emails)s::text[]) AND c.status = 'active'
 GROUP BY c.email, c.name;

-- name: held_engagements
SELECT e.code, e.name, a.code_key AS account, e.status FROM postroom.engagement e JOIN postroom.account a ON a.id = e.account_id
 WHERE e.tenant_id = (SELECT postroom.tenant()) AND e.code_key = ANY (%(keys)s::text[]);

-- name: held_work_items
SELECT w.code, w.name, e.code_key AS engagement, w.status FROM postroom.work_item w JOIN postroom.engagement e ON e.id = w.engagement_id
 WHERE w.tenant_id = (SELECT postroom.tenant()) AND w.code_key = ANY (%(keys)s::text[]);

-- name: put_accounts
INSERT INTO postroom.account (id, tenant_id, code, code_key, name, aliases, domains, status, created_by, created_at, updated_at)
SELECT r.id, %(tenant_id)s::uuid, r.code, r.code_key, r.name, r.aliases, r.domains, r.status, %(actor)s::text, %(now)s::timestamptz, %(now)s::timestamptz
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (id uuid, code text, code_key text, name text, aliases text[], domains text[], status text)
ON CONFLICT (tenant_id, code_key) DO UPDATE
   SET code = excluded.code, name = excluded.name, aliases = excluded.aliases, domains = excluded.domains, status = excluded.status,
       updated_at = excluded.updated_at;

-- name: drop_account_keys
-- One probe for each key, however the book grew since the planner last looked: an `= ANY` would be held against every account.
WITH named AS MATERIALIZED (
    SELECT a.id FROM unnest(%(keys)s::text[]) asked (key)
      JOIN postroom.account a ON a.tenant_id = (SELECT postroom.tenant()) AND a.code_key = asked.key
), keys AS (
    DELETE FROM postroom.account_key k USING named n WHERE k.tenant_id = (SELECT postroom.tenant()) AND k.account_id = n.id
), domains AS (
    DELETE FROM postroom.account_domain d USING named n WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.account_id = n.id
)
DELETE FROM postroom.domain_key d USING named n WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.account_id = n.id;

-- name: put_account_keys
WITH said AS (
    SELECT a.id AS account_id, r.table_name, r.kind, r.key, r.domain
      FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (account text, table_name text, kind text, key text, domain text)
      JOIN postroom.account a ON a.tenant_id = (SELECT postroom.tenant()) AND a.code_key = r.account
), keys AS (
    INSERT INTO postroom.account_key (tenant_id, kind, key, account_id)
    SELECT %(tenant_id)s::uuid, kind, key, account_id FROM said WHERE table_name = 'account_key' ON CONFLICT DO NOTHING
), domains AS (
    INSERT INTO postroom.account_domain (tenant_id, domain, account_id)
    SELECT %(tenant_id)s::uuid, domain, account_id FROM said WHERE table_name = 'account_domain' ON CONFLICT DO NOTHING
)
INSERT INTO postroom.domain_key (tenant_id, key, domain, account_id)
SELECT %(tenant_id)s::uuid, key, domain, account_id FROM said WHERE table_name = 'domain_key' ON CONFLICT DO NOTHING;

-- name: account_ids
SELECT code_key AS key, id FROM postroom.account WHERE tenant_id = (SELECT postroom.tenant()) AND code_key = ANY (%(keys)s::text[]);

-- name: drop_other_accounts
-- A contact has the accounts that are named, and no others.
DELETE FROM postroom.contact_account o
 USING jsonb_to_recordset(%(rows)s::jsonb) AS r (email text, accounts uuid[]), postroom.contact c
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.email = r.email AND o.contact_id = c.id AND o.account_id <> ALL (r.accounts);

-- name: plan_anew
-- Checks of foreign keys keep the plan that was made when the book was small: each would read all of a large one.
DISCARD PLANS;

-- name: put_contacts
-- What was retired and is named again is active again. It asks nothing of the book, so that the last of a large one costs
-- what the first did.
WITH said AS MATERIALIZED (
    SELECT r.* FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (id uuid, email text, name text, name_key text, accounts uuid[])
), kept AS (
    INSERT INTO postroom.contact AS held (id, tenant_id, email, name, name_key, created_by, created_at, updated_at)
    SELECT s.id, %(tenant_id)s::uuid, s.email, s.name, s.name_key, %(actor)s::text, %(now)s::timestamptz, %(now)s::timestamptz FROM said s
    ON CONFLICT (tenant_id, email) DO UPDATE
       SET name = CASE WHEN excluded.name = '' THEN held.name ELSE excluded.name END,
           name_key = CASE WHEN excluded.name = '' THEN held.name_key ELSE excluded.name_key END,
           status = 'active', bounced_at = NULL, bounce_because = NULL, updated_at = excluded.updated_at
    RETURNING id, email
)
INSERT INTO postroom.contact_account (tenant_id, contact_id, account_id, since)
SELECT %(tenant_id)s::uuid, k.id, wanted.account_id, %(now)s::timestamptz
  FROM kept k JOIN said s ON s.email = k.email CROSS JOIN unnest(s.accounts) wanted (account_id)
ON CONFLICT DO NOTHING;

-- name: put_engagements
INSERT INTO postroom.engagement (id, tenant_id, account_id, code, code_key, name, status, created_at, updated_at)
SELECT r.id, %(tenant_id)s::uuid, a.id, r.code, r.code_key, r.name, r.status, %(now)s::timestamptz, %(now)s::timestamptz
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (id uuid, code text, code_key text, name text, account text, status text)
  JOIN postroom.account a ON a.tenant_id = (SELECT postroom.tenant()) AND a.code_key = r.account
ON CONFLICT (tenant_id, code_key) DO UPDATE
   SET code = excluded.code, name = excluded.name, account_id = excluded.account_id, status = excluded.status, updated_at = excluded.updated_at;

-- name: put_work_items
INSERT INTO postroom.work_item (id, tenant_id, engagement_id, code, code_key, name, status, created_at, updated_at)
SELECT r.id, %(tenant_id)s::uuid, e.id, r.code, r.code_key, r.name, r.status, %(now)s::timestamptz, %(now)s::timestamptz
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (id uuid, code text, code_key text, name text, engagement text, status text)
  JOIN postroom.engagement e ON e.tenant_id = (SELECT postroom.tenant()) AND e.code_key = r.engagement
ON CONFLICT (tenant_id, code_key) DO UPDATE
   SET code = excluded.code, name = excluded.name, engagement_id = excluded.engagement_id, status = excluded.status,
       updated_at = excluded.updated_at;

-- name: put_account_changes
INSERT INTO postroom.account_change (id, tenant_id, account_id, what, before, after, changed_by, changed_at)
SELECT r.id, %(tenant_id)s::uuid, a.id, r.what, r.before, r.after, %(actor)s::text, %(now)s::timestamptz
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (id uuid, account text, what text, before jsonb, after jsonb)
  JOIN postroom.account a ON a.tenant_id = (SELECT postroom.tenant()) AND a.code_key = r.account;

-- name: accounts
SELECT id, code, name, aliases, domains, status, merged_into, created_at, updated_at FROM postroom.account
 WHERE tenant_id = (SELECT postroom.tenant()) AND code_key > %(after)s::text
   AND (%(status)s::text IS NULL OR status = %(status)s::text)
 ORDER BY code_key LIMIT %(most)s;

-- name: account
SELECT id, code, name, aliases, domains, status, merged_into, created_at, updated_at FROM postroom.account
 WHERE tenant_id = (SELECT postroom.tenant())
   AND (id = %(id)s::uuid OR (%(id)s::uuid IS NULL AND code_key = %(key)s::text));

-- name: search_accounts
-- By the beginnings of words of a name, alias or code, of an address, or of a domain. Ranges, because row-level security
-- lets an index be used with operators only that cannot tell what they saw.
WITH found AS (
    (SELECT k.account_id FROM postroom.account_key k
      WHERE k.tenant_id = (SELECT postroom.tenant()) AND k.kind = 'word' AND k.key >= %(start)s::text AND k.key < %(till)s::text LIMIT 300)
    UNION
    (SELECT o.account_id FROM postroom.contact c JOIN postroom.contact_account o ON o.contact_id = c.id
      WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.email >= %(start)s::text AND c.email < %(till)s::text LIMIT 300)
    UNION
    (SELECT d.account_id FROM postroom.account_domain d
      WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.domain >= %(start)s::text AND d.domain < %(till)s::text LIMIT 300)
)
SELECT a.id, a.code, a.name, a.aliases, a.domains, a.status, a.merged_into, a.created_at, a.updated_at
  FROM postroom.account a
 WHERE a.tenant_id = (SELECT postroom.tenant()) AND a.id IN (SELECT account_id FROM found) AND a.merged_into IS NULL
   AND NOT EXISTS (SELECT FROM unnest(%(others)s::text[]) other WHERE NOT EXISTS (
       SELECT FROM postroom.account_key k WHERE k.tenant_id = a.tenant_id AND k.account_id = a.id AND k.kind = 'word'
          AND starts_with(k.key, other)))
 ORDER BY a.code_key <> upper(%(start)s::text), a.status = 'closed', length(a.name), a.code_key LIMIT %(most)s;

-- name: contacts_of_account
SELECT c.id, c.email, c.name, c.status, c.bounced_at, c.bounce_because, o.since,
       (SELECT count(*) FROM postroom.contact_account x WHERE x.contact_id = c.id) AS accounts,
       (SELECT m.received_at FROM postroom.mapping m WHERE m.tenant_id = c.tenant_id AND m.sender_email = c.email
         ORDER BY m.received_at DESC LIMIT 1) AS last_seen_at
  FROM postroom.contact_account o JOIN postroom.contact c ON c.id = o.contact_id
 WHERE o.tenant_id = (SELECT postroom.tenant()) AND o.account_id = %(account_id)s::uuid ORDER BY c.status, c.email LIMIT %(most)s;

-- name: contact
SELECT c.id, c.email, c.name, c.status, coalesce(array_agg(a.code_key ORDER BY a.code_key) FILTER (WHERE a.id IS NOT NULL), '{}') AS accounts
  FROM postroom.contact c LEFT JOIN postroom.contact_account o ON o.contact_id = c.id LEFT JOIN postroom.account a ON a.id = o.account_id
 WHERE c.tenant_id = (SELECT postroom.tenant()) AND (c.id = %(id)s::uuid OR (%(id)s::uuid IS NULL AND c.email = %(email)s::text))
 GROUP BY c.id, c.email, c.name, c.status;

-- name: retire_contact
UPDATE postroom.contact SET status = 'retired', updated_at = %(now)s::timestamptz WHERE id = %(id)s::uuid AND status = 'active';

-- name: work_of_account
SELECT e.id AS engagement_id, e.code AS engagement_code, e.name AS engagement_name, e.status AS engagement_status,
       w.id AS work_item_id, w.code AS work_item_code, w.name AS work_item_name, w.status AS work_item_status
  FROM postroom.engagement e LEFT JOIN postroom.work_item w ON w.engagement_id = e.id AND w.tenant_id = e.tenant_id
 WHERE e.tenant_id = (SELECT postroom.tenant()) AND e.account_id = %(account_id)s::uuid
 ORDER BY e.status DESC, e.code_key, w.code_key LIMIT %(most)s;

-- name: engagement
SELECT id, account_id, code, name, status FROM postroom.engagement
 WHERE tenant_id = (SELECT postroom.tenant()) AND (id = %(id)s::uuid OR (%(id)s::uuid IS NULL AND code_key = %(key)s::text));

-- name: work_item
SELECT w.id, e.account_id, w.engagement_id, w.code, w.name, w.status
  FROM postroom.work_item w JOIN postroom.engagement e ON e.id = w.engagement_id
 WHERE w.tenant_id = (SELECT postroom.tenant()) AND (w.id = %(id)s::uuid OR (%(id)s::uuid IS NULL AND w.code_key = %(key)s::text));

-- name: changes_of_account
SELECT id, what, before, after, changed_by, changed_at FROM postroom.account_change
 WHERE tenant_id = (SELECT postroom.tenant()) AND account_id = %(account_id)s::uuid
   AND (%(before_id)s::uuid IS NULL OR id < %(before_id)s::uuid)
 ORDER BY id DESC LIMIT %(most)s;

-- name: move_contacts
WITH moved AS (
    DELETE FROM postroom.contact_account o WHERE o.tenant_id = (SELECT postroom.tenant()) AND o.account_id = %(account_id)s::uuid
    RETURNING o.contact_id, o.since
), put AS (
    INSERT INTO postroom.contact_account (tenant_id, contact_id, account_id, since)
    SELECT %(tenant_id)s::uuid, contact_id, %(into_id)s::uuid, since FROM moved ON CONFLICT DO NOTHING
)
SELECT count(*) FROM moved;

-- name: move_work
UPDATE postroom.engagement SET account_id = %(into_id)s::uuid, updated_at = %(now)s::timestamptz
 WHERE tenant_id = (SELECT postroom.tenant()) AND account_id = %(account_id)s::uuid;

-- name: move_mappings
UPDATE postroom.mapping SET account_id = %(into_id)s::uuid, version = version + 1, updated_at = %(now)s::timestamptz
 WHERE tenant_id = (SELECT postroom.tenant()) AND account_id = %(account_id)s::uuid;

-- name: move_choices
UPDATE postroom.sender_choice SET account_id = %(into_id)s::uuid
 WHERE tenant_id = (SELECT postroom.tenant()) AND account_id = %(account_id)s::uuid;

-- name: lock_account
-- Whoever is about to map mail to it waits, so that none is left behind.
SELECT id FROM postroom.account WHERE tenant_id = (SELECT postroom.tenant()) AND id = %(account_id)s::uuid FOR UPDATE;

-- name: account_that_stays
-- Itself, or the one it was merged into; it cannot be merged until we are done.
SELECT coalesce(merged_into, id) FROM postroom.account
 WHERE tenant_id = (SELECT postroom.tenant()) AND id = %(account_id)s::uuid FOR KEY SHARE;

-- name: merged_accounts
SELECT id, merged_into FROM postroom.account
 WHERE tenant_id = (SELECT postroom.tenant()) AND id = ANY (%(ids)s::uuid[]) AND merged_into IS NOT NULL;

-- name: move_merged
-- What was merged into it before goes on with it.
UPDATE postroom.account SET merged_into = %(into_id)s::uuid, updated_at = %(now)s::timestamptz
 WHERE tenant_id = (SELECT postroom.tenant()) AND merged_into = %(account_id)s::uuid;

-- name: mark_merged
UPDATE postroom.account SET status = 'closed', merged_into = %(into_id)s::uuid, aliases = '{}', domains = '{}', updated_at = %(now)s::timestamptz
 WHERE tenant_id = (SELECT postroom.tenant()) AND id = %(account_id)s::uuid;

-- name: note_bounce
UPDATE postroom.contact SET bounced_at = %(at)s::timestamptz, bounce_because = %(because)s::text
 WHERE tenant_id = (SELECT postroom.tenant()) AND email = ANY (%(emails)s::text[]) AND status = 'active'
   AND (bounced_at IS NULL OR bounced_at < %(at)s::timestamptz);

-- name: lives
-- Contacts page by page, each with when it last wrote, and where people put its mail since they last put some under its own.
SELECT c.id, c.email, c.name, coalesce(own.names, '{}') AS accounts, seen.last_seen_at, c.bounced_at,
       coalesce(c.bounce_because, '') AS bounce_because, other.account_id AS elsewhere_id,
       coalesce(other.name, '') AS elsewhere, coalesce(other.count, 0)::int AS elsewhere_count
  FROM (SELECT * FROM postroom.contact
         WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'active' AND email > %(after)s::text ORDER BY email LIMIT %(most)s) c
  LEFT JOIN LATERAL (SELECT array_agg(o.account_id) AS ids, array_agg(a.code) AS names FROM postroom.contact_account o
                       JOIN postroom.account a ON a.id = o.account_id WHERE o.contact_id = c.id) own ON true
  LEFT JOIN LATERAL (SELECT max(m.received_at) AS last_seen_at FROM postroom.mapping m
                      WHERE m.tenant_id = c.tenant_id AND m.sender_email = c.email) seen ON true
  LEFT JOIN LATERAL (
      SELECT n.account_id, a.name || ' (' || a.code || ')' AS name, count(*) AS count
        FROM (SELECT m.account_id, m.received_at, m.status,
                     bool_or(m.account_id = ANY (own.ids)) OVER (ORDER BY m.received_at DESC) AS own_since
                FROM (SELECT account_id, received_at, status FROM postroom.mapping
                       WHERE tenant_id = c.tenant_id AND sender_email = c.email AND status IN ('mapped', 'confirmed')
                       ORDER BY received_at DESC LIMIT 10) m) n
        JOIN postroom.account a ON a.id = n.account_id
       WHERE NOT n.own_since AND n.status = 'confirmed'
       GROUP BY n.account_id, a.name, a.code ORDER BY count(*) DESC LIMIT 1) other ON true
 ORDER BY c.email;

-- name: put_proposals
-- What is open stays as it is; what a person dismissed is not asked again for a while.
INSERT INTO postroom.contact_proposal (id, tenant_id, contact_id, kind, account_id, because, made_at)
SELECT r.id, %(tenant_id)s::uuid, r.contact_id, r.kind, r.account_id, r.because, %(now)s::timestamptz
  FROM jsonb_to_recordset(%(rows)s::jsonb) AS r (id uuid, contact_id uuid, kind text, account_id uuid, because text)
 WHERE NOT EXISTS (SELECT FROM postroom.contact_proposal p
                    WHERE p.contact_id = r.contact_id AND p.tenant_id = (SELECT postroom.tenant())
                      AND (p.status = 'open' OR (p.kind = r.kind AND p.decided_at > %(asked_since)s::timestamptz)))
ON CONFLICT DO NOTHING
RETURNING kind;

-- name: proposals
SELECT p.id, p.contact_id, c.email, c.name, p.kind, p.account_id, a.code AS account, p.because, p.status, p.made_at,
       p.decided_by, p.decided_at, own.codes AS accounts
  FROM postroom.contact_proposal p JOIN postroom.contact c ON c.id = p.contact_id LEFT JOIN postroom.account a ON a.id = p.account_id
  LEFT JOIN LATERAL (SELECT coalesce(array_agg(x.code ORDER BY x.code_key), '{}') AS codes FROM postroom.contact_account o
                       JOIN postroom.account x ON x.id = o.account_id WHERE o.contact_id = c.id) own ON true
 WHERE p.tenant_id = (SELECT postroom.tenant()) AND (%(status)s::text IS NULL OR p.status = %(status)s::text)
   AND (%(id)s::uuid IS NULL OR p.id = %(id)s::uuid) AND (%(before_id)s::uuid IS NULL OR p.id < %(before_id)s::uuid)
 ORDER BY p.id DESC LIMIT %(most)s;

-- name: decide_proposal
UPDATE postroom.contact_proposal SET status = %(status)s::text, decided_by = %(actor)s::text, decided_at = %(now)s::timestamptz
 WHERE id = %(id)s::uuid AND status = 'open';
