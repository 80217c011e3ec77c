-- name: reading_context
-- All that is asked before the files of a mail are read, in one question: the house's names, passwords, trusted senders,
-- what the sender's corrections taught, and the first document of each content that we hold. One that could not be read
-- does not count: it may be read now.
SELECT t.name AS tenant_name,
       EXISTS (SELECT FROM postroom.pending_order o WHERE o.tenant_id = t.tenant_id) AS has_orders,
       ARRAY(WITH RECURSIVE ours AS (  -- from one domain to the next: mailboxes are many, their domains few
                 (SELECT b.domain FROM postroom.mailbox b WHERE b.tenant_id = t.tenant_id ORDER BY b.domain LIMIT 1)
                 UNION ALL
                 SELECT (SELECT b.domain FROM postroom.mailbox b WHERE b.tenant_id = t.tenant_id AND b.domain > o.domain
                          ORDER BY b.domain LIMIT 1) FROM ours o WHERE o.domain IS NOT NULL)
             SELECT o.domain FROM ours o WHERE o.domain IS NOT NULL LIMIT 500) AS domains,
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
-- Asked under the locks of `take_turn`, so that nothing of it changes till the commit. With `marks` it takes them itself.
SELECT * FROM postroom.beside_document(%(document_id)s, %(sha256)s, %(but)s, %(trades)s, %(isins)s, %(any_isin)s, %(directions)s,
       %(amounts)s, %(smallest)s, %(since)s, %(until)s, %(own)s, %(most)s, %(fingerprint)s, %(number)s,
       %(sender_email)s, %(machine)s, %(mailbox_id)s, %(marks)s::bigint[]);

-- name: put_trades
-- The trades of a document, in place of those it had, what the gate said of them, and the orders they fill, unless
-- somebody took one meanwhile: the answer says how many were filled.
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
), judged AS (  -- as `put_gate_verdict` does
    INSERT INTO postroom.gate_verdict (document_id, tenant_id, mailbox_id, pipeline, sender_email, mode, stated, clear, passed,
           because, received_at, judged_at)
    SELECT d.id, %(tenant_id)s, d.mailbox_id, g.pipeline, d.sender_email, g.mode, g.stated, g.clear, g.passed, g.because,
           d.received_at, %(now)s
      FROM jsonb_to_recordset(%(gate)s) AS g (pipeline text, mode text, stated double precision, clear boolean, passed boolean,
           because text)
           JOIN postroom.document d ON d.id = %(document_id)s
    ON CONFLICT (document_id) DO UPDATE SET pipeline = excluded.pipeline, mode = excluded.mode, stated = excluded.stated,
           clear = excluded.clear, passed = excluded.passed, because = excluded.because, judged_at = excluded.judged_at
), filled AS (
    UPDATE postroom.pending_order o
       SET filled = o.filled + f.quantity, updated_at = %(now)s,
           status = CASE WHEN o.filled + f.quantity >= o.quantity THEN 'filled' ELSE o.status END
      FROM jsonb_to_recordset(%(fills)s) AS f (id uuid, quantity numeric, filled numeric)
     WHERE o.id = f.id AND o.status = 'open' AND o.filled = f.filled
    RETURNING o.id
)
SELECT count(*) FROM filled;
