-- name: letter
SELECT m.id, m.mailbox_id, m.provider_message_id, m.state, m.source, m.sender_email, m.subject, m.automatic,
       coalesce(m.received_at, m.announced_at) AS received_at, jsonb_array_length(m.attachments) AS attachments,
       b.address AS mailbox_email, b.provider, b.pipelines, b.rules AS stored_rules, m.thread_id, t.provider_thread_id,
       b.provider = 'outlook' AND bo_airflow.is_anothers(b.pipelines, m.provider_message_id) AS came_from_another_tenant,
       coalesce((SELECT jsonb_agg(f -> 'sha256') FROM jsonb_array_elements(m.attachments) f), '[]') AS hashes,
       coalesce((SELECT jsonb_agg(jsonb_build_object('id', d.id, 'attachment_path', d.attachment_path, 'filename', d.filename,
                          'kind', d.kind, 'status', d.status, 'because', d.because, 'archive_path', d.archive_path,
                          'trades', (SELECT count(*) FROM postroom.trade x WHERE x.document_id = d.id),
                          'tells_of', (SELECT b.kind FROM postroom.booking b WHERE b.document_id = d.id AND d.kind = 'other' ORDER BY b.position LIMIT 1)))
                   FROM postroom.document d WHERE d.message_id = m.id), '[]') AS documents,
       EXISTS (SELECT FROM postroom.account a WHERE a.tenant_id = (SELECT postroom.tenant())) AS client_book
  FROM postroom.message m
       CROSS JOIN LATERAL (SELECT * FROM postroom.mailbox x WHERE x.id = m.mailbox_id OFFSET 0) b  -- this one: a merge would read half of all
       LEFT JOIN postroom.thread t ON t.id = m.thread_id
 WHERE m.id = %(message_id)s;

-- name: take_turns
-- What people decide, and orders they change, goes one after the other, and not beside any routing (`take_turn`).
SELECT pg_advisory_xact_lock(hashtextextended('documents.route', hashtextextended(%(tenant_id)s::uuid::text, 0)));

-- name: put_document
INSERT INTO postroom.document (id, tenant_id, message_id, mailbox_id, attachment_path, filename, content_type, size, sha256,
       kind, status, because, failure, doubts, extraction, text_source, pages, source, source_metadata, sender_email,
       received_at, trust, trust_because, archive_path, duplicate_of, created_at, updated_at)
VALUES (%(id)s, %(tenant_id)s, %(message_id)s, %(mailbox_id)s, %(attachment_path)s, %(filename)s, %(content_type)s, %(size)s,
       %(sha256)s, %(kind)s, %(status)s, %(because)s, %(failure)s, %(doubts)s, %(extraction)s, %(text_source)s, %(pages)s,
       %(source)s, %(source_metadata)s, %(sender_email)s, %(received_at)s, %(trust)s, %(trust_because)s, %(archive_path)s,
       %(duplicate_of)s, %(now)s, %(now)s)
ON CONFLICT (id) DO UPDATE
   SET kind = excluded.kind, status = excluded.status, because = excluded.because, failure = excluded.failure,
       doubts = excluded.doubts, extraction = excluded.extraction, text_source = excluded.text_source,
       pages = excluded.pages, trust = excluded.trust, trust_because = excluded.trust_because,
       archive_path = excluded.archive_path, duplicate_of = excluded.duplicate_of, updated_at = excluded.updated_at,
       revision = document.revision + 1;

-- name: set_status
UPDATE postroom.document SET status = %(status)s, because = %(because)s, updated_at = %(now)s, revision = revision + 1,
       reviewed_by = coalesce(%(reviewed_by)s, reviewed_by),
       reviewed_at = CASE WHEN %(reviewed_by)s::text IS NULL THEN reviewed_at ELSE %(now)s END
 WHERE id = %(id)s;

-- name: document
SELECT d.id, d.message_id, d.mailbox_id, d.attachment_path, d.filename, d.content_type, d.size, d.sha256, d.kind, d.status,
       d.because, d.failure, d.doubts, d.extraction, d.text_source, d.pages, d.source, d.source_metadata, d.sender_email,
       d.received_at, d.trust, d.trust_because, d.archive_path, d.archive_forgotten_at, d.duplicate_of, d.revision, d.reviewed_by,
       d.reviewed_at, d.forgotten_at, d.created_at, d.updated_at, m.thread_id, m.provider_message_id, t.provider_thread_id
  FROM postroom.document d
       LEFT JOIN postroom.message m ON m.id = d.message_id
       LEFT JOIN postroom.thread t ON t.id = m.thread_id
 WHERE d.id = %(id)s;

-- name: newest_documents
SELECT * FROM postroom.document_view
 WHERE id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
   AND (%(message_id)s::uuid IS NULL OR message_id = %(message_id)s::uuid)
 ORDER BY id DESC LIMIT %(most)s;

-- name: search_documents
-- Looks through the newest only: a page costs the same however many there are.
SELECT id, message_id, mailbox_id, filename, content_type, size, kind, status, because, source, sender_email, received_at,
       trust, archive_path, duplicate_of, created_at, updated_at,
       (SELECT b.kind FROM postroom.booking b WHERE b.document_id = d.id AND d.kind = 'other' ORDER BY b.position LIMIT 1) AS tells_of
  FROM (SELECT * FROM postroom.document
         WHERE tenant_id = (SELECT postroom.tenant()) AND id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
         ORDER BY id DESC LIMIT 3000) d
 WHERE (%(status)s::text IS NULL OR status = %(status)s::text) AND (%(kind)s::text IS NULL OR kind = %(kind)s::text)
   AND (filename ILIKE %(words)s::text OR sender_email ILIKE %(words)s::text OR because ILIKE %(words)s::text)
 ORDER BY id DESC LIMIT %(most)s;

-- name: documents_of_status
SELECT * FROM postroom.document_view
 WHERE status = %(status)s
   AND id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
   AND (%(kind)s::text IS NULL OR kind = %(kind)s::text)
 ORDER BY id DESC LIMIT %(most)s;

-- name: documents_of_kind
SELECT * FROM postroom.document_view
 WHERE kind = %(kind)s
   AND id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
 ORDER BY id DESC LIMIT %(most)s;

-- name: documents_of_client
-- Along the client's own mail.
SELECT d.* FROM postroom.client_view c JOIN postroom.document_view d ON d.message_id = c.message_id
 WHERE c.account_id = %(account_id)s::uuid
   AND d.id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
   AND (%(status)s::text IS NULL OR d.status = %(status)s::text) AND (%(kind)s::text IS NULL OR d.kind = %(kind)s::text)
   AND (%(words)s::text IS NULL OR d.filename ILIKE %(words)s::text OR d.sender_email ILIKE %(words)s::text
        OR d.because ILIKE %(words)s::text)
 ORDER BY d.id DESC LIMIT %(most)s;

-- name: next_in_review
-- The queue of a reviewer: the one that has waited longest, after a given one.
SELECT id FROM postroom.document
 WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'review'
   AND id > coalesce(%(after)s::uuid, '00000000-0000-0000-0000-000000000000')
 ORDER BY id LIMIT 1;

-- name: previous_in_review
SELECT id FROM postroom.document
 WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'review' AND id < %(before)s ORDER BY id DESC LIMIT 1;

-- name: set_kind
UPDATE postroom.document SET kind = %(kind)s, failure = NULL WHERE id = %(id)s;

-- name: due_for_rereading
-- After the first gap, then the second, …; whoever asked for the earlier ones.
SELECT d.id
  FROM postroom.document d
       CROSS JOIN LATERAL (SELECT count(*)::integer AS times FROM postroom.document_decision c
                            WHERE c.document_id = d.id AND c.did = 'retried') again
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.status = 'failed' AND d.failure = ANY(%(failures)s::text[])
   AND d.updated_at <= %(now)s::timestamptz - (%(gaps)s::interval[])[again.times + 1]
 ORDER BY d.id LIMIT %(most)s;

-- name: give_up_waiting
-- What was to be read once more, and was not.
UPDATE postroom.document SET status = 'failed', because = %(because)s, updated_at = %(now)s, revision = revision + 1
 WHERE message_id = %(message_id)s AND status = 'waiting';

-- name: put_gate_verdict
INSERT INTO postroom.gate_verdict (document_id, tenant_id, mailbox_id, pipeline, sender_email, mode, stated, clear, passed, because,
       received_at, judged_at)
SELECT d.id, %(tenant_id)s, d.mailbox_id, %(pipeline)s, d.sender_email, %(mode)s, %(stated)s, %(clear)s, %(passed)s, %(because)s,
       d.received_at, %(now)s
  FROM postroom.document d WHERE d.id = %(document_id)s
ON CONFLICT (document_id) DO UPDATE SET pipeline = excluded.pipeline, mode = excluded.mode, stated = excluded.stated,
       clear = excluded.clear, passed = excluded.passed, because = excluded.because, judged_at = excluded.judged_at;

-- name: gate_verdict
SELECT pipeline, mode, stated, clear, passed, because FROM postroom.gate_verdict WHERE document_id = %(document_id)s;

-- name: begin_decision
-- With the state before it, so that it can be taken back. Only the last one can.
WITH older AS (
    UPDATE postroom.document_decision SET before = NULL WHERE document_id = %(document_id)s AND before IS NOT NULL
)
INSERT INTO postroom.document_decision (document_id, revision, tenant_id, did, said, actor, decided_at, before)
SELECT d.id, d.revision + 1, d.tenant_id, %(did)s::text, %(said)s::text, %(actor)s::text, %(now)s::timestamptz,
       jsonb_build_object(
         'status', d.status, 'because', d.because, 'kind', d.kind, 'failure', d.failure,
         'trades', coalesce((SELECT jsonb_agg(to_jsonb(t)) FROM postroom.trade t WHERE t.document_id = d.id), '[]'),
         'invoices', coalesce((SELECT jsonb_agg(to_jsonb(i)) FROM postroom.invoice i WHERE i.document_id = d.id), '[]'),
         'bookings', coalesce((SELECT jsonb_agg(to_jsonb(b)) FROM postroom.booking b WHERE b.document_id = d.id), '[]'))
  FROM postroom.document d WHERE d.id = %(document_id)s;

-- name: note_undone
-- What went back stays back: there is no state to go back to from here.
WITH older AS (
    UPDATE postroom.document_decision SET before = NULL WHERE document_id = %(document_id)s AND before IS NOT NULL
)
INSERT INTO postroom.document_decision (document_id, revision, tenant_id, did, said, actor, decided_at)
SELECT d.id, d.revision, d.tenant_id, 'undone', %(said)s::text, %(actor)s::text, %(now)s::timestamptz
  FROM postroom.document d WHERE d.id = %(document_id)s;

-- name: word_decision
UPDATE postroom.document_decision SET said = %(said)s WHERE document_id = %(document_id)s AND revision = %(revision)s;

-- name: decisions
SELECT revision, did, said, actor, decided_at, before IS NOT NULL AS can_be_undone FROM postroom.document_decision
 WHERE document_id = %(document_id)s AND revision > %(after)s ORDER BY revision;

-- name: trades_before
SELECT b.id, b.status, b.quantity, b.order_id, b.fingerprint, b.instance
  FROM postroom.document_decision c, jsonb_populate_recordset(NULL::postroom.trade, c.before -> 'trades') b
 WHERE c.document_id = %(document_id)s AND c.revision = %(revision)s;

-- name: invoices_before
SELECT b.id, b.status, NULL::numeric AS quantity, NULL::uuid AS order_id, b.fingerprint, b.instance
  FROM postroom.document_decision c, jsonb_populate_recordset(NULL::postroom.invoice, c.before -> 'invoices') b
 WHERE c.document_id = %(document_id)s AND c.revision = %(revision)s;

-- name: bookings_before
SELECT b.id, b.status, NULL::numeric AS quantity, NULL::uuid AS order_id, b.fingerprint, b.instance
  FROM postroom.document_decision c, jsonb_populate_recordset(NULL::postroom.booking, c.before -> 'bookings') b
 WHERE c.document_id = %(document_id)s AND c.revision = %(revision)s;

-- name: restore_bookings
UPDATE postroom.booking k
   SET status = b.status, because = b.because, entry = b.entry, confidence = b.confidence, fields = b.fields,
       fingerprint = b.fingerprint, instance = b.instance, confirmed_by = b.confirmed_by, confirmed_at = b.confirmed_at,
       corrected_by = b.corrected_by, corrected_at = b.corrected_at, updated_at = %(now)s
  FROM postroom.document_decision c, jsonb_populate_recordset(NULL::postroom.booking, c.before -> 'bookings') b
 WHERE c.document_id = %(document_id)s AND c.revision = %(revision)s AND k.id = b.id;

-- name: put_bookings
-- The other entries of a document, in place of those it had.
WITH dropped AS (
    DELETE FROM postroom.booking WHERE document_id = %(document_id)s RETURNING id
)
INSERT INTO postroom.booking (id, tenant_id, document_id, position, kind, status, because, entry, confidence, fields, fingerprint,
       created_at, updated_at)
SELECT b.id, %(tenant_id)s, %(document_id)s, b.position, b.kind, 'review', %(because)s, b.entry, b.confidence, b.fields,
       b.fingerprint, %(now)s, %(now)s
  FROM jsonb_to_recordset(%(bookings)s) AS b (id uuid, position integer, kind text, entry jsonb, confidence double precision,
       fields jsonb, fingerprint text)
 WHERE (SELECT count(*) FROM dropped) IS NOT NULL;  -- first those go

-- name: bookings_of_document
SELECT * FROM postroom.booking_view WHERE document_id = %(document_id)s ORDER BY position;

-- name: bookings
SELECT * FROM postroom.booking_view
 WHERE (%(status)s::text IS NULL OR status = %(status)s)
   AND id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
 ORDER BY id DESC LIMIT %(most)s;

-- name: booking
SELECT * FROM postroom.booking_view WHERE id = %(id)s;

-- name: booked_bookings
SELECT b.id, d.filename, b.instance FROM postroom.booking b JOIN postroom.document d ON d.id = b.document_id
 WHERE b.tenant_id = (SELECT postroom.tenant()) AND b.fingerprint = %(fingerprint)s AND b.status = 'confirmed' AND b.id <> %(id)s;

-- name: correct_booking
UPDATE postroom.booking SET entry = %(entry)s, fields = %(fields)s, fingerprint = %(fingerprint)s, corrected_by = %(actor)s,
       corrected_at = %(now)s, updated_at = %(now)s WHERE id = %(id)s;

-- name: settle_booking
UPDATE postroom.booking
   SET status = %(status)s, because = %(because)s, instance = coalesce(%(instance)s::smallint, instance), updated_at = %(now)s,
       confirmed_by = CASE WHEN %(status)s = 'confirmed' THEN %(actor)s END,
       confirmed_at = CASE WHEN %(status)s = 'confirmed' THEN %(now)s::timestamptz END
 WHERE id = %(id)s;

-- name: restore_trades
WITH made AS (  -- what the decision itself wrote down for the first time
    DELETE FROM postroom.trade WHERE document_id = %(document_id)s AND id <> ALL (%(kept)s::uuid[])
)
UPDATE postroom.trade t
   SET status = b.status, because = b.because, direction = b.direction, trade_date = b.trade_date,
       settlement_date = b.settlement_date, quantity = b.quantity, isin = b.isin, ticker = b.ticker, name = b.name,
       price = b.price, currency = b.currency, gross = b.gross, fees = b.fees, taxes = b.taxes, net = b.net,
       confidence = b.confidence, fields = b.fields, fingerprint = b.fingerprint, instance = b.instance,
       duplicate_of = b.duplicate_of, order_id = b.order_id, order_because = b.order_because, trade_key = b.trade_key,
       confirmed_by = b.confirmed_by, confirmed_at = b.confirmed_at, corrected_by = b.corrected_by,
       corrected_at = b.corrected_at, updated_at = %(now)s
  FROM postroom.document_decision c, jsonb_populate_recordset(NULL::postroom.trade, c.before -> 'trades') b
 WHERE c.document_id = %(document_id)s AND c.revision = %(revision)s AND t.id = b.id;

-- name: restore_invoices
WITH made AS (
    DELETE FROM postroom.invoice WHERE document_id = %(document_id)s AND id <> ALL (%(kept)s::uuid[])
)
UPDATE postroom.invoice i
   SET status = b.status, because = b.because, number = b.number, issue_date = b.issue_date, due_date = b.due_date,
       supplier = b.supplier, buyer = b.buyer, currency = b.currency, net_total = b.net_total, tax_total = b.tax_total,
       grand_total = b.grand_total, iban = b.iban, confidence = b.confidence, fields = b.fields,
       fingerprint = b.fingerprint, instance = b.instance, duplicate_of = b.duplicate_of, confirmed_by = b.confirmed_by,
       confirmed_at = b.confirmed_at, corrected_by = b.corrected_by, corrected_at = b.corrected_at, updated_at = %(now)s
  FROM postroom.document_decision c, jsonb_populate_recordset(NULL::postroom.invoice, c.before -> 'invoices') b
 WHERE c.document_id = %(document_id)s AND c.revision = %(revision)s AND i.id = b.id;

-- name: restore_document
UPDATE postroom.document d
   SET status = c.before ->> 'status', because = c.before ->> 'because', kind = c.before ->> 'kind',
       failure = c.before ->> 'failure', revision = d.revision + 1, reviewed_by = %(actor)s, reviewed_at = %(now)s,
       updated_at = %(now)s
  FROM postroom.document_decision c
 WHERE c.document_id = d.id AND c.revision = %(revision)s AND d.id = %(document_id)s RETURNING d.status;

-- name: tally
SELECT kind, status, sum(count)::bigint AS count FROM postroom.document_tally
 WHERE tenant_id = (SELECT postroom.tenant()) GROUP BY kind, status HAVING sum(count) <> 0 ORDER BY kind, status;

-- name: failed_for_password
SELECT id, message_id, mailbox_id FROM postroom.document
 WHERE tenant_id = (SELECT postroom.tenant()) AND status = 'failed' AND failure = 'password_needed' ORDER BY id DESC LIMIT 1000;

-- name: put_upload
INSERT INTO postroom.upload (document_id, tenant_id, content, created_at)
VALUES (%(document_id)s, %(tenant_id)s, %(content)s, %(now)s);

-- name: upload
SELECT content FROM postroom.upload WHERE document_id = %(document_id)s;

-- name: drop_upload
DELETE FROM postroom.upload WHERE document_id = %(document_id)s;

-- name: trades_of_document
SELECT * FROM postroom.trade_view WHERE document_id = %(document_id)s ORDER BY position;

-- name: trades
SELECT * FROM postroom.trade_view
 WHERE id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
 ORDER BY id DESC LIMIT %(most)s;

-- name: trades_of_status
SELECT * FROM postroom.trade_view
 WHERE status = %(status)s
   AND id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
 ORDER BY id DESC LIMIT %(most)s;

-- name: trade
SELECT * FROM postroom.trade_view WHERE id = %(id)s;

-- name: correct_trade
UPDATE postroom.trade
   SET direction = %(direction)s, trade_date = %(trade_date)s, settlement_date = %(settlement_date)s, quantity = %(quantity)s,
       isin = %(isin)s, ticker = %(ticker)s, name = %(name)s, price = %(price)s, currency = %(currency)s, gross = %(gross)s,
       fees = %(fees)s, taxes = %(taxes)s, net = %(net)s, confidence = %(confidence)s, fields = %(fields)s,
       fingerprint = %(fingerprint)s, because = %(because)s, order_id = %(order_id)s, order_because = %(order_because)s,
       corrected_by = %(actor)s, corrected_at = %(now)s, updated_at = %(now)s
 WHERE id = %(id)s;

-- name: settle_trade
UPDATE postroom.trade
   SET status = %(status)s, because = %(because)s, instance = coalesce(%(instance)s, instance), updated_at = %(now)s,
       order_id = coalesce(%(order_id)s, order_id), trade_key = coalesce(%(trade_key)s, trade_key),
       confirmed_by = CASE WHEN %(status)s = 'confirmed' THEN %(actor)s ELSE confirmed_by END,
       confirmed_at = CASE WHEN %(status)s = 'confirmed' THEN %(now)s::timestamptz ELSE confirmed_at END
 WHERE id = %(id)s;

-- name: booked_twin
SELECT t.id, d.filename, t.instance FROM postroom.trade t JOIN postroom.document d ON d.id = t.document_id
 WHERE t.tenant_id = (SELECT postroom.tenant()) AND t.fingerprint = %(fingerprint)s AND t.status = 'confirmed'
   AND t.id <> %(id)s ORDER BY t.instance;

-- name: fill_orders
UPDATE postroom.pending_order o
   SET filled = o.filled + f.quantity, updated_at = %(now)s,
       status = CASE WHEN o.filled + f.quantity >= o.quantity THEN 'filled' ELSE o.status END
  FROM (SELECT id, sum(quantity) AS quantity FROM jsonb_to_recordset(%(fills)s) AS f (id uuid, quantity numeric) GROUP BY id) f
 WHERE o.id = f.id AND o.status = 'open';

-- name: orders
SELECT * FROM postroom.order_view
 WHERE id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
   AND (%(status)s::text IS NULL OR status = %(status)s::text)
 ORDER BY id DESC LIMIT %(most)s;

-- name: order
SELECT * FROM postroom.order_view WHERE id = %(id)s;

-- name: put_orders
-- An open order may change; one that was filled or cancelled stays as it is.
INSERT INTO postroom.pending_order AS held (id, tenant_id, external_id, username, isin, ticker, name, direction, quantity,
       limit_price, currency, placed_on, created_by, created_at, updated_at)
SELECT o.id, %(tenant_id)s, o.external_id, o.username, o.isin, o.ticker, o.name, o.direction, o.quantity, o.limit_price,
       o.currency, o.placed_on, %(actor)s, %(now)s, %(now)s
  FROM jsonb_to_recordset(%(orders)s) AS o (id uuid, external_id text, username text, isin text, ticker text, name text,
       direction text, quantity numeric, limit_price numeric, currency text, placed_on date)
ON CONFLICT (tenant_id, external_id) DO UPDATE
   SET username = excluded.username, isin = excluded.isin, ticker = excluded.ticker, name = excluded.name,
       direction = excluded.direction, quantity = excluded.quantity, limit_price = excluded.limit_price,
       currency = excluded.currency, placed_on = excluded.placed_on, updated_at = excluded.updated_at
 WHERE held.status = 'open' AND held.filled = 0
   AND (held.username, held.isin, held.ticker, held.name, held.direction, held.quantity, held.limit_price, held.currency,
        held.placed_on) IS DISTINCT FROM (excluded.username, excluded.isin, excluded.ticker, excluded.name,
        excluded.direction, excluded.quantity, excluded.limit_price, excluded.currency, excluded.placed_on)
RETURNING id, (xmax = 0) AS is_new;

-- name: cancel_order
UPDATE postroom.pending_order SET status = 'cancelled', updated_at = %(now)s WHERE id = %(id)s AND status = 'open' RETURNING external_id;

-- name: put_invoice
INSERT INTO postroom.invoice (id, tenant_id, document_id, status, because, number, issue_date, due_date, supplier, buyer,
       currency, net_total, tax_total, grand_total, iban, tax_by_rate, confidence, fields, fingerprint, duplicate_of,
       confirmed_by, confirmed_at, created_at, updated_at)
VALUES (%(id)s, %(tenant_id)s, %(document_id)s, %(status)s, %(because)s, %(number)s, %(issue_date)s, %(due_date)s, %(supplier)s,
       %(buyer)s, %(currency)s, %(net_total)s, %(tax_total)s, %(grand_total)s, %(iban)s, %(tax_by_rate)s, %(confidence)s,
       %(fields)s, %(fingerprint)s, %(duplicate_of)s, %(confirmed_by)s, %(confirmed_at)s, %(now)s, %(now)s);

-- name: put_invoice_lines
INSERT INTO postroom.invoice_line (invoice_id, position, tenant_id, description, quantity, unit_price, tax_rate, total)
SELECT %(invoice_id)s, l.position, %(tenant_id)s, l.description, l.quantity, l.unit_price, l.tax_rate, l.total
  FROM jsonb_to_recordset(%(lines)s) AS l (position integer, description text, quantity numeric, unit_price numeric,
       tax_rate numeric, total numeric);

-- name: drop_invoice
DELETE FROM postroom.invoice WHERE document_id = %(document_id)s;

-- name: invoice_of_document
SELECT * FROM postroom.invoice_view WHERE document_id = %(document_id)s;

-- name: invoice
SELECT * FROM postroom.invoice_view WHERE id = %(id)s;

-- name: invoices
SELECT * FROM postroom.invoice_view
 WHERE id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
 ORDER BY id DESC LIMIT %(most)s;

-- name: invoices_of_status
SELECT * FROM postroom.invoice_view
 WHERE status = %(status)s
   AND id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
 ORDER BY id DESC LIMIT %(most)s;

-- name: invoice_lines
SELECT description, quantity, unit_price, tax_rate, total FROM postroom.invoice_line
 WHERE invoice_id = %(invoice_id)s ORDER BY position;

-- name: correct_invoice
UPDATE postroom.invoice
   SET number = %(number)s, issue_date = %(issue_date)s, due_date = %(due_date)s, supplier = %(supplier)s, buyer = %(buyer)s,
       currency = %(currency)s, net_total = %(net_total)s, tax_total = %(tax_total)s, grand_total = %(grand_total)s,
       iban = %(iban)s, confidence = %(confidence)s, fields = %(fields)s, fingerprint = %(fingerprint)s,
       because = %(because)s, corrected_by = %(actor)s, corrected_at = %(now)s, updated_at = %(now)s
 WHERE id = %(id)s;

-- name: settle_invoice
UPDATE postroom.invoice
   SET status = %(status)s, because = %(because)s, instance = coalesce(%(instance)s, instance), updated_at = %(now)s,
       confirmed_by = CASE WHEN %(status)s = 'confirmed' THEN %(actor)s ELSE confirmed_by END,
       confirmed_at = CASE WHEN %(status)s = 'confirmed' THEN %(now)s::timestamptz ELSE confirmed_at END
 WHERE id = %(id)s;

-- name: booked_invoice
SELECT i.id, d.filename, i.instance FROM postroom.invoice i JOIN postroom.document d ON d.id = i.document_id
 WHERE i.tenant_id = (SELECT postroom.tenant()) AND i.fingerprint = %(fingerprint)s AND i.status = 'confirmed'
   AND i.id <> %(id)s ORDER BY i.instance;

-- name: last_confirmed_invoice
-- The newest that a person or the house believed, of the same sender or under the same name.
SELECT supplier, buyer, currency, iban, filename, confirmed_at FROM (
    SELECT i.supplier, i.buyer, i.currency, i.iban, d.filename, i.confirmed_at
      FROM (SELECT id, filename FROM postroom.document
             WHERE tenant_id = (SELECT postroom.tenant()) AND sender_email = %(sender_email)s AND status = 'confirmed'
               AND id <> %(document_id)s ORDER BY id DESC LIMIT 50) d
      JOIN postroom.invoice i ON i.document_id = d.id WHERE i.status = 'confirmed'
    UNION ALL
    (SELECT i.supplier, i.buyer, i.currency, i.iban, d.filename, i.confirmed_at
      FROM postroom.invoice i JOIN postroom.document d ON d.id = i.document_id
     WHERE i.tenant_id = (SELECT postroom.tenant()) AND i.status = 'confirmed' AND i.document_id <> %(document_id)s
       AND lower(i.supplier) = lower(%(supplier)s::text) ORDER BY i.id DESC LIMIT 1)) known
 ORDER BY confirmed_at DESC LIMIT 1;

-- name: put_correction
INSERT INTO postroom.document_correction (id, tenant_id, document_id, trade_id, invoice_id, booking_id, sender_email, field, before, after,
       page, box, corrected_by, corrected_at)
VALUES (%(id)s, %(tenant_id)s, %(document_id)s, %(trade_id)s, %(invoice_id)s, %(booking_id)s, %(sender_email)s, %(field)s, %(before)s, %(after)s,
       %(page)s, %(box)s, %(actor)s, %(now)s);

-- name: corrections
-- Of a document, newest first.
SELECT field, before, after, page, box, sender_email, trade_id, invoice_id, booking_id, corrected_by, corrected_at
  FROM postroom.document_correction
 WHERE tenant_id = (SELECT postroom.tenant()) AND document_id = %(document_id)s ORDER BY id DESC LIMIT %(most)s;

-- name: put_password
INSERT INTO postroom.pdf_password (id, tenant_id, label, sealed, created_by, created_at)
VALUES (%(id)s, %(tenant_id)s, %(label)s, %(sealed)s, %(actor)s, %(now)s) ON CONFLICT (tenant_id, label) DO NOTHING RETURNING id;

-- name: passwords
SELECT id, label, sealed, created_by, created_at FROM postroom.pdf_password
 WHERE tenant_id = (SELECT postroom.tenant()) ORDER BY created_at DESC, id;

-- name: drop_password
DELETE FROM postroom.pdf_password WHERE id = %(id)s RETURNING label;

-- name: put_sender_rule
INSERT INTO postroom.sender_rule (id, tenant_id, pipeline, entry, created_by, created_at)
VALUES (%(id)s, %(tenant_id)s, %(pipeline)s, %(entry)s, %(actor)s, %(now)s)
ON CONFLICT (tenant_id, pipeline, entry) DO NOTHING RETURNING id;

-- name: sender_rules
SELECT id, pipeline, entry, created_by, created_at FROM postroom.sender_rule
 WHERE tenant_id = (SELECT postroom.tenant()) ORDER BY pipeline, entry;

-- name: drop_sender_rule
DELETE FROM postroom.sender_rule WHERE id = %(id)s RETURNING pipeline, entry;

-- name: profile
SELECT profile FROM postroom.sender_profile
 WHERE tenant_id = (SELECT postroom.tenant()) AND sender_email = %(sender_email)s;

-- name: put_profile
INSERT INTO postroom.sender_profile (tenant_id, sender_email, profile, learnt_from, updated_at)
VALUES (%(tenant_id)s, %(sender_email)s, %(profile)s, %(document_id)s, %(now)s)
ON CONFLICT (tenant_id, sender_email) DO UPDATE
   SET profile = excluded.profile, learnt_from = excluded.learnt_from, updated_at = excluded.updated_at;

-- name: profiles
-- With how many of its documents people confirmed since as they were read: so many bear it out.
SELECT p.sender_email, p.profile, p.learnt_from, p.updated_at,
       (SELECT count(*) FROM postroom.document d
         WHERE d.tenant_id = p.tenant_id AND d.sender_email = p.sender_email AND d.created_at > p.updated_at
           AND (EXISTS (SELECT FROM postroom.trade x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                       AND x.confirmed_by <> %(machine)s AND x.corrected_at IS NULL)
             OR EXISTS (SELECT FROM postroom.invoice x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                         AND x.confirmed_by <> %(machine)s AND x.corrected_at IS NULL)
             OR EXISTS (SELECT FROM postroom.booking x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                         AND x.confirmed_by <> %(machine)s AND x.corrected_at IS NULL))) AS borne_out
  FROM postroom.sender_profile p WHERE p.tenant_id = (SELECT postroom.tenant()) ORDER BY p.sender_email;

-- name: drop_profile
DELETE FROM postroom.sender_profile
 WHERE tenant_id = (SELECT postroom.tenant()) AND sender_email = %(sender_email)s RETURNING sender_email;

-- name: bears_on_profile
-- Whether a document was corrected, or comes from a sender of whom corrections said something.
SELECT EXISTS (SELECT FROM postroom.document_correction c
                WHERE c.tenant_id = (SELECT postroom.tenant()) AND c.document_id = %(document_id)s)
    OR EXISTS (SELECT FROM postroom.sender_profile p
                WHERE p.tenant_id = (SELECT postroom.tenant()) AND p.sender_email = %(sender_email)s);

-- name: no_longer_confirmed
-- Of some documents, those that a person put back or rejected.
SELECT id::text FROM postroom.document
 WHERE tenant_id = (SELECT postroom.tenant()) AND id = ANY (%(ids)s::uuid[]) AND status <> 'confirmed';

-- name: checked_papers
-- A sender's newest documents of one entry that somebody found right, but for one.
SELECT d.id, d.archive_path, d.reviewed_by IS NOT NULL AS by_person
  FROM postroom.document d
  JOIN LATERAL (SELECT x.status FROM postroom.trade x WHERE x.document_id = d.id
                UNION ALL SELECT x.status FROM postroom.invoice x WHERE x.document_id = d.id
                UNION ALL SELECT x.status FROM postroom.booking x WHERE x.document_id = d.id) t ON true
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.sender_email = %(sender_email)s AND d.id <> %(document_id)s
   AND d.archive_path IS NOT NULL
 GROUP BY d.id HAVING count(*) = 1 AND bool_and(t.status = 'confirmed')
 ORDER BY d.id DESC LIMIT %(most)s;

-- name: release_order
UPDATE postroom.pending_order
   SET filled = greatest(filled - %(quantity)s, 0), updated_at = %(now)s,
       status = CASE WHEN status = 'filled' AND %(quantity)s > 0 THEN 'open' ELSE status END
 WHERE id = %(id)s;

-- name: accounts_of_sender
-- The bank accounts that a sender's newest confirmed invoices named.
SELECT DISTINCT i.iban
  FROM (SELECT id FROM postroom.document
         WHERE tenant_id = (SELECT postroom.tenant()) AND sender_email = %(sender_email)s AND status = 'confirmed'
           AND trust <> 'spoofed'
         ORDER BY id DESC LIMIT 200) d
  JOIN postroom.invoice i ON i.document_id = d.id
 WHERE i.status = 'confirmed' AND i.iban IS NOT NULL ORDER BY i.iban;

-- name: files_of_message
SELECT id, mailbox_id, thread_id, provider_message_id, state, attachments FROM postroom.message WHERE id = %(message_id)s;

-- name: kept_attachment
-- Where the bytes lie already: fetched before, or archived as a document.
SELECT blob_key FROM postroom.attachment WHERE message_id = %(message_id)s AND sha256 = %(sha256)s
UNION ALL
SELECT archive_path FROM postroom.document
 WHERE tenant_id = (SELECT postroom.tenant()) AND sha256 = %(sha256)s AND archive_path IS NOT NULL LIMIT 1;

-- name: keep_attachment
INSERT INTO postroom.attachment (tenant_id, message_id, sha256, blob_key, fetched_by, fetched_at)
VALUES (%(tenant_id)s, %(message_id)s, %(sha256)s, %(blob_key)s, %(actor)s, %(now)s)
ON CONFLICT (message_id, sha256) DO UPDATE
   SET blob_key = excluded.blob_key, fetched_by = excluded.fetched_by, fetched_at = excluded.fetched_at;

-- name: forget_attachments
DELETE FROM postroom.attachment a
 USING (SELECT message_id, sha256 FROM postroom.attachment
         WHERE tenant_id = (SELECT postroom.tenant()) AND fetched_at < %(before)s
         ORDER BY fetched_at LIMIT %(most)s FOR UPDATE SKIP LOCKED) old
 WHERE a.message_id = old.message_id AND a.sha256 = old.sha256 RETURNING a.blob_key;

-- name: forget_documents
-- What was read of a document that is over. The document itself, and what was booked of it, stays.
WITH old AS (
    SELECT id FROM postroom.document
     WHERE tenant_id = (SELECT postroom.tenant()) AND forgotten_at IS NULL AND created_at < %(before)s
       AND status IN ('confirmed', 'duplicate', 'rejected', 'skipped')
     ORDER BY created_at LIMIT %(most)s FOR UPDATE SKIP LOCKED
), undo AS (
    UPDATE postroom.document_decision c SET before = NULL FROM old WHERE c.document_id = old.id AND c.before IS NOT NULL
), handed_in AS (
    DELETE FROM postroom.upload u USING old WHERE u.document_id = old.id
)
UPDATE postroom.document d
   SET extraction = NULL, source_metadata = d.source_metadata - 'subject', forgotten_at = %(now)s
  FROM old WHERE d.id = old.id RETURNING d.id;

-- name: forget_archived
-- Originals in the archive, once every document that shares one is over and old enough.
WITH old AS (
    SELECT DISTINCT archive_path FROM (
        SELECT d.archive_path FROM postroom.document d
         WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.archive_path IS NOT NULL AND d.created_at < %(before)s
           AND NOT EXISTS (SELECT FROM postroom.document o
                            WHERE o.tenant_id = d.tenant_id AND o.archive_path = d.archive_path
                              AND (o.created_at >= %(before)s
                                   OR o.status NOT IN ('confirmed', 'duplicate', 'rejected', 'skipped')))
         ORDER BY d.created_at LIMIT %(most)s) paths
), left_behind AS (
    UPDATE postroom.document d SET archive_path = NULL, archive_forgotten_at = %(now)s
      FROM old WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.archive_path = old.archive_path
)
SELECT archive_path FROM old;
