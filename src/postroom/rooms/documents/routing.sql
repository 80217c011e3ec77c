-- name: reading_context
-- All that is asked before the files of a mail are read, in one question: the house's names, passwords, trusted senders,
-- what the sender's corrections taught, and the first document of each content that we hold. One that could not be read
-- does not count: it may be read now.
SELECT t.name AS tenant_name,
       EXISTS (SELECT FROM postroom.pending_order o WHERE o.tenant_id = t.tenant_id) AS has_orders,
       ARRAY(SELECT DISTINCT lower(split_part(b.address, '@', 2)) FROM postroom.mailbox b
              WHERE b.tenant_id = t.tenant_id ORDER BY 1 LIMIT 500) AS domains,
       ARRAY(SELECT p.id FROM postroom.pdf_password p WHERE p.tenant_id = t.tenant_id ORDER BY p.created_at DESC, p.id) AS password_ids,
       ARRAY(SELECT p.sealed FROM postroom.pdf_password p WHERE p.tenant_id = t.tenant_id ORDER BY p.created_at DESC, p.id) AS sealed,
       coalesce((SELECT jsonb_object_agg(r.pipeline, r.entries)
                   FROM (SELECT s.pipeline, jsonb_agg(s.entry ORDER BY s.entry) AS entries FROM postroom.sender_rule s
                          WHERE s.tenant_id = t.tenant_id GROUP BY s.pipeline) r), '{}') AS allowed,
       (SELECT p.profile FROM postroom.sender_profile p
         WHERE p.tenant_id = t.tenant_id AND p.sender_email = %(sender_email)s) AS profile,
       coalesce((SELECT jsonb_agg(to_jsonb(k))
                   FROM (SELECT DISTINCT ON (d.sha256) d.sha256, d.id, d.filename, d.kind, d.status, d.archive_path, d.received_at
                           FROM postroom.document d
                          WHERE d.tenant_id = t.tenant_id AND d.sha256 = ANY (%(hashes)s) AND d.status NOT IN ('failed', 'waiting')
                            AND d.duplicate_of IS NULL AND d.message_id IS DISTINCT FROM %(but_message)s
                            AND d.id IS DISTINCT FROM %(but_document)s
                          ORDER BY d.sha256, d.id) k), '[]') AS known
  FROM postroom.tenant t WHERE t.tenant_id = (SELECT postroom.tenant());

-- name: take_turn
-- Two who handle the same content, trade, invoice or document go one after the other; anybody else goes beside them. What
-- people decide goes by itself (`take_turns`). The numbers come sorted, so that no two wait for each other.
SELECT pg_advisory_xact_lock_shared(hashtextextended('documents.route', hashtextextended(%(tenant_id)s::uuid::text, 0)))::text
UNION ALL
SELECT pg_advisory_xact_lock(mark)::text FROM unnest(%(marks)s::bigint[]) mark;

-- name: beside
-- What the books hold beside a document that is about to be routed, in one question: the same file; trades with the same
-- print, or at least of the same instrument, day, side and quantity; orders that could be meant; like invoices; and what
-- the tenant wants. Asked under the locks of `take_turn`, so that nothing of it changes till the commit.
WITH told AS (
    SELECT q.position, q.fingerprint, q.instance,
           q.instrument || ' ' || q.direction || ' ' || (q.trade_date - date '2000-01-01')::text || ' '
               || trim_scale(q.quantity)::text AS likeness
      FROM jsonb_to_recordset(%(trades)s) AS q (position integer, fingerprint text, instance smallint, trade_date date,
                                                direction text, quantity numeric, instrument text)
), exact AS MATERIALIZED (  -- fit to the last share
    SELECT o.id FROM postroom.pending_order o
     WHERE o.tenant_id = (SELECT postroom.tenant()) AND o.status = 'open' AND o.isin = ANY (%(isins)s)
       AND o.direction = ANY (%(directions)s) AND o.amount_left = ANY (%(amounts)s)
       AND o.placed_on BETWEEN %(since)s AND %(until)s LIMIT 500
), unnamed AS (  -- without an ISIN they may be meant all the same
    SELECT o.id FROM postroom.pending_order o
     WHERE o.tenant_id = (SELECT postroom.tenant()) AND o.status = 'open' AND o.isin IS NULL
       AND o.placed_on BETWEEN %(since)s AND %(until)s ORDER BY o.placed_on, o.external_id LIMIT 2000
), others AS (  -- only looked at where none fits: some of it may be meant, or one of them tells why none is
    SELECT o.id FROM postroom.pending_order o
     WHERE o.tenant_id = (SELECT postroom.tenant()) AND o.status = 'open' AND o.isin IS NOT NULL
       AND (%(any_isin)s OR o.isin = ANY (%(isins)s)) AND o.placed_on BETWEEN %(since)s AND %(until)s
       AND (%(any_isin)s OR jsonb_array_length(%(trades)s) > 1 OR NOT EXISTS (SELECT FROM exact))
     ORDER BY o.quantity - o.filled >= %(smallest)s DESC, lower(o.username) = ANY (%(own)s) DESC, o.placed_on, o.external_id
     LIMIT %(most)s
)
SELECT t.policy, EXISTS (SELECT FROM postroom.pending_order o WHERE o.tenant_id = t.tenant_id) AS has_orders,
       (SELECT (SELECT count(*) FROM postroom.document d  -- that a person found right since we learnt of this sender
                 WHERE d.tenant_id = p.tenant_id AND d.sender_email = p.sender_email AND d.created_at > p.updated_at
                   AND EXISTS (SELECT FROM postroom.trade x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                              AND x.confirmed_by <> %(machine)s))
          FROM postroom.sender_profile p
         WHERE p.tenant_id = t.tenant_id AND p.sender_email = %(sender_email)s) AS confirmed_since_learnt,
       (SELECT to_jsonb(k) FROM (
            SELECT d.sha256, d.id, d.filename, d.kind, d.status, d.archive_path, d.received_at FROM postroom.document d
             WHERE d.tenant_id = t.tenant_id AND d.sha256 = %(sha256)s AND d.status NOT IN ('failed', 'waiting')
               AND d.duplicate_of IS NULL AND d.id <> ALL (%(but)s::uuid[]) ORDER BY d.id LIMIT 1) k) AS known,
       coalesce((SELECT jsonb_agg(jsonb_build_object('position', w.position, 'id', w.id, 'document_id', w.document_id,
                          'filename', d.filename, 'status', w.status, 'same_print', w.same_print, 'net', w.net::text,
                          'order_id', w.order_id, 'received_on', d.received_at::date)
                          ORDER BY w.position, w.same_print DESC, w.status = 'confirmed' DESC, w.id)
                   FROM (SELECT q.position, s.* FROM told q JOIN LATERAL (
                            SELECT s.id, s.document_id, s.status, true AS same_print, s.net, s.order_id FROM postroom.trade s
                             WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.fingerprint = q.fingerprint
                               AND s.instance = q.instance AND s.document_id <> %(document_id)s AND s.status <> 'duplicate'
                            UNION ALL
                            SELECT s.id, s.document_id, s.status, false, s.net, s.order_id FROM postroom.trade s
                             WHERE s.tenant_id = (SELECT postroom.tenant()) AND s.likeness = q.likeness
                               AND s.fingerprint IS DISTINCT FROM q.fingerprint AND s.document_id <> %(document_id)s
                               AND s.status <> 'duplicate'
                             LIMIT 20) s ON true) w
                   JOIN postroom.document d ON d.id = w.document_id), '[]') AS trades,
       coalesce((SELECT jsonb_agg(to_jsonb(v) || jsonb_build_object('quantity', v.quantity::text, 'filled', v.filled::text,
                          'limit_price', v.limit_price::text) ORDER BY v.placed_on, v.external_id)
                   FROM postroom.order_view v
                  WHERE v.id = ANY (ARRAY(SELECT id FROM exact UNION SELECT id FROM unnamed UNION SELECT id FROM others))), '[]') AS orders,
       coalesce((SELECT jsonb_agg(jsonb_build_object('id', i.id, 'document_id', i.document_id, 'filename', i.filename,
                          'status', i.status, 'same_print', i.same_print, 'supplier', i.supplier, 'received_on', i.received_on)
                          ORDER BY i.same_print DESC, i.status = 'confirmed' DESC, i.id)
                   FROM (SELECT i.id, i.document_id, d.filename, i.status, coalesce(i.fingerprint = %(fingerprint)s, false) AS same_print,
                                i.supplier, d.received_at::date AS received_on
                           FROM postroom.invoice i JOIN postroom.document d ON d.id = i.document_id
                          WHERE i.tenant_id = (SELECT postroom.tenant())
                            AND (i.fingerprint = %(fingerprint)s OR i.number = %(number)s)
                            AND i.document_id <> %(document_id)s AND i.status <> 'duplicate'
                          ORDER BY same_print DESC, i.status = 'confirmed' DESC, i.id LIMIT 20) i), '[]') AS invoices
  FROM postroom.tenant t WHERE t.tenant_id = (SELECT postroom.tenant());

-- name: put_trades
-- The trades of a document, in place of those it had, and the orders they fill, unless somebody took one meanwhile: the
-- answer says how many were filled.
WITH dropped AS (
    DELETE FROM postroom.trade WHERE document_id = %(document_id)s RETURNING id
), put AS (
    INSERT INTO postroom.trade (id, tenant_id, document_id, position, status, because, direction, trade_date, settlement_date,
           quantity, isin, ticker, name, price, currency, gross, fees, taxes, net, confidence, fields, fingerprint, instance,
           duplicate_of, order_id, order_because, trade_key, confirmed_by, confirmed_at, created_at, updated_at)
    SELECT t.id, %(tenant_id)s, %(document_id)s, t.position, t.status, t.because, t.direction, t.trade_date, t.settlement_date,
           t.quantity, t.isin, t.ticker, t.name, t.price, t.currency, t.gross, t.fees, t.taxes, t.net, t.confidence, t.fields,
           t.fingerprint, t.instance, t.duplicate_of, t.order_id, t.order_because, t.trade_key, t.confirmed_by,
           CASE WHEN t.status = 'confirmed' THEN %(now)s::timestamptz END, %(now)s, %(now)s
      FROM jsonb_to_recordset(%(trades)s) AS t (id uuid, position integer, status text, because text, direction text,
           trade_date date, settlement_date date, quantity numeric, isin text, ticker text, name text, price numeric,
           currency text, gross numeric, fees numeric, taxes numeric, net numeric, confidence double precision, fields jsonb,
           fingerprint text, instance smallint, duplicate_of uuid, order_id uuid, order_because text, trade_key text,
           confirmed_by text)
     WHERE (SELECT count(*) FROM dropped) IS NOT NULL  -- first those go
), filled AS (
    UPDATE postroom.pending_order o
       SET filled = o.filled + f.quantity, updated_at = %(now)s,
           status = CASE WHEN o.filled + f.quantity >= o.quantity THEN 'filled' ELSE o.status END
      FROM jsonb_to_recordset(%(fills)s) AS f (id uuid, quantity numeric, filled numeric)
     WHERE o.id = f.id AND o.status = 'open' AND o.filled = f.filled
    RETURNING o.id
)
SELECT count(*) FROM filled;
