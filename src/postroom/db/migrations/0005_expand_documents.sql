-- Documents: files as understood, and the trades, orders and invoices that come of them.

CREATE TABLE postroom.document (
    id              uuid PRIMARY KEY,
    tenant_id       uuid NOT NULL,
    message_id      uuid REFERENCES postroom.message ON DELETE SET NULL,
    mailbox_id      uuid,
    attachment_path text NOT NULL,
    filename        text NOT NULL,
    content_type    text NOT NULL,
    size            bigint NOT NULL,
    sha256          text NOT NULL,
    kind            text NOT NULL DEFAULT 'other',
    status          text NOT NULL,
    because         text NOT NULL DEFAULT '',
    failure         text,
    doubts          text[] NOT NULL DEFAULT '{}',
    extraction      jsonb,
    text_source     text,
    pages           integer,
    source          text NOT NULL,
    source_metadata jsonb NOT NULL DEFAULT '{}',
    sender_email    text,
    received_at     timestamptz NOT NULL,
    trust           text NOT NULL DEFAULT 'unknown',
    trust_because   text NOT NULL DEFAULT '',
    archive_path    text,
    duplicate_of    uuid REFERENCES postroom.document ON DELETE SET NULL,
    revision        integer NOT NULL DEFAULT 1,
    reviewed_by     text,
    reviewed_at     timestamptz,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    forgotten_at         timestamptz,
    archive_forgotten_at timestamptz,
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE SET NULL (mailbox_id),
    CONSTRAINT attachment_becomes_one_document UNIQUE (tenant_id, message_id, attachment_path),
    CONSTRAINT document_kind_is_known CHECK (kind IN ('contract_note', 'activity_statement', 'invoice', 'other')),
    CONSTRAINT document_status_is_known CHECK (status IN
        ('waiting', 'read', 'review', 'confirmed', 'duplicate', 'rejected', 'skipped', 'failed')),
    CONSTRAINT document_source_is_known CHECK (source IN
        ('graph_webhook', 'gmail_push', 'poller', 'backfill', 'files', 'manual_upload')),
    CONSTRAINT document_trust_is_known CHECK (trust IN ('trusted', 'authenticated', 'unknown', 'spoofed')),
    CONSTRAINT failed_document_says_why CHECK (status <> 'failed' OR because <> ''),
    CONSTRAINT document_hash_is_sha256 CHECK (sha256 ~ '^[0-9a-f]{64}$')
) WITH (fillfactor = 85);
COMMENT ON TABLE postroom.document IS 'Files as understood. Owned by documents.';
CALL postroom.close_to_others('postroom.document');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.document TO postroom_app;
CREATE INDEX document_newest ON postroom.document (tenant_id, id DESC);
CREATE INDEX document_of_status ON postroom.document (tenant_id, status, id DESC);
CREATE INDEX document_of_kind ON postroom.document (tenant_id, kind, id DESC);
CREATE INDEX document_by_content ON postroom.document (tenant_id, sha256);
CREATE INDEX document_of_sender ON postroom.document (tenant_id, sender_email, id DESC);
CREATE INDEX document_of_message ON postroom.document (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX document_of_mailbox ON postroom.document (mailbox_id) WHERE mailbox_id IS NOT NULL;
CREATE INDEX document_by_original ON postroom.document (duplicate_of) WHERE duplicate_of IS NOT NULL;
CREATE INDEX document_by_archive_path ON postroom.document (tenant_id, archive_path) WHERE archive_path IS NOT NULL;
CREATE INDEX document_in_archive ON postroom.document (tenant_id, created_at) WHERE archive_path IS NOT NULL;
CREATE INDEX document_to_forget ON postroom.document (tenant_id, created_at) WHERE forgotten_at IS NULL;

CREATE TABLE postroom.upload (
    document_id uuid PRIMARY KEY REFERENCES postroom.document ON DELETE CASCADE,
    tenant_id   uuid NOT NULL,
    content     bytea NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE postroom.upload IS
    'Bytes that wait to be read; the original of what was read lives in the archive only. Owned by documents.';
CALL postroom.close_to_others('postroom.upload');
GRANT SELECT, INSERT, DELETE ON postroom.upload TO postroom_app;

CREATE TABLE postroom.attachment (
    tenant_id    uuid NOT NULL,
    message_id   uuid NOT NULL REFERENCES postroom.message ON DELETE CASCADE,
    sha256       text NOT NULL,
    blob_key     text NOT NULL,
    fetched_by   text NOT NULL,
    fetched_at   timestamptz NOT NULL,
    PRIMARY KEY (message_id, sha256),
    CONSTRAINT attachment_hash_is_sha256 CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
COMMENT ON TABLE postroom.attachment IS
    'Files that somebody fetched out of a mail: where the copy lies, till it is forgotten. Owned by documents.';
CALL postroom.close_to_others('postroom.attachment');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.attachment TO postroom_app;
CREATE INDEX attachment_oldest ON postroom.attachment (tenant_id, fetched_at);
CREATE INDEX attachment_by_key ON postroom.attachment (tenant_id, blob_key);

CREATE TABLE postroom.unwanted_blob (
    tenant_id uuid NOT NULL,
    blob_key  text NOT NULL,
    noted_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, blob_key)
);
COMMENT ON TABLE postroom.unwanted_blob IS
    'Stored files that nothing refers to: noted in the commit that lets go of them and removed after it, so that a crash leaves a note, never a row without its file. Owned by retention.';
CALL postroom.close_to_others('postroom.unwanted_blob');
GRANT SELECT, INSERT, DELETE ON postroom.unwanted_blob TO postroom_app;

CREATE TABLE postroom.document_tally (
    tenant_id uuid NOT NULL,
    kind      text NOT NULL,
    status    text NOT NULL,
    count     bigint NOT NULL
);
COMMENT ON TABLE postroom.document_tally IS
    'How many documents of a kind and status: changes are added as rows, which never wait for each other, and folded now and then; the count is their sum. Owned by documents.';
CALL postroom.close_to_others('postroom.document_tally');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.document_tally TO postroom_app;
CREATE INDEX document_tally_of_tenant ON postroom.document_tally (tenant_id);

CREATE FUNCTION postroom.fold_document_tally(p_tenant uuid) RETURNS void LANGUAGE sql AS $$
    WITH loose AS (
        SELECT ctid FROM postroom.document_tally WHERE tenant_id = p_tenant LIMIT 2000 FOR UPDATE SKIP LOCKED
    ), taken AS (
        DELETE FROM postroom.document_tally t USING loose WHERE t.ctid = loose.ctid RETURNING t.kind, t.status, t.count
    )
    INSERT INTO postroom.document_tally (tenant_id, kind, status, count)
    SELECT p_tenant, kind, status, sum(count) FROM taken GROUP BY kind, status HAVING sum(count) <> 0
$$;

CREATE FUNCTION postroom.tally_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND (OLD.kind, OLD.status) = (NEW.kind, NEW.status) THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO postroom.document_tally VALUES (OLD.tenant_id, OLD.kind, OLD.status, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO postroom.document_tally VALUES (NEW.tenant_id, NEW.kind, NEW.status, 1);
    END IF;
    IF random() < 0.02 THEN
        PERFORM postroom.fold_document_tally(coalesce(NEW.tenant_id, OLD.tenant_id));
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER documents_are_tallied AFTER INSERT OR UPDATE OF kind, status OR DELETE ON postroom.document
    FOR EACH ROW EXECUTE FUNCTION postroom.tally_document();

-- ------------------------------------------------------------------------------------------------------ orders

CREATE TABLE postroom.pending_order (
    id          uuid PRIMARY KEY,
    tenant_id   uuid NOT NULL,
    external_id text NOT NULL,
    username    text NOT NULL,
    isin        text,
    ticker      text,
    name        text,
    direction   text NOT NULL,
    quantity    numeric NOT NULL,
    filled      numeric NOT NULL DEFAULT 0,
    limit_price numeric,
    currency    text,
    placed_on   date NOT NULL,
    status      text NOT NULL DEFAULT 'open',
    created_by  text NOT NULL,
    created_at  timestamptz NOT NULL DEFAULT now(),
    updated_at  timestamptz NOT NULL DEFAULT now(),
    amount_left text GENERATED ALWAYS AS (trim_scale(quantity - filled)::text) STORED,  -- as text, to be searched by
    CONSTRAINT order_is_known_once UNIQUE (tenant_id, external_id),
    CONSTRAINT order_has_a_direction CHECK (direction IN ('BUY', 'SELL')),
    CONSTRAINT order_quantity_is_positive CHECK (quantity > 0 AND filled >= 0),
    CONSTRAINT order_names_an_instrument CHECK (coalesce(isin, ticker, name) IS NOT NULL),
    CONSTRAINT order_status_is_known CHECK (status IN ('open', 'filled', 'cancelled'))
);
COMMENT ON TABLE postroom.pending_order IS 'Orders that wait for their contract notes. Owned by documents.';
CALL postroom.close_to_others('postroom.pending_order');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.pending_order TO postroom_app;
CREATE INDEX order_newest ON postroom.pending_order (tenant_id, id DESC);
CREATE INDEX order_that_waits ON postroom.pending_order (tenant_id, isin, direction, amount_left) WHERE status = 'open';

-- ------------------------------------------------------------------------------------------------------ trades

CREATE TABLE postroom.trade (
    id              uuid PRIMARY KEY,
    tenant_id       uuid NOT NULL,
    document_id     uuid NOT NULL REFERENCES postroom.document ON DELETE CASCADE,
    position        integer NOT NULL,
    status          text NOT NULL,
    because         text NOT NULL,
    direction       text,
    trade_date      date,
    settlement_date date,
    quantity        numeric,
    isin            text,
    ticker          text,
    name            text,
    price           numeric,
    currency        text,
    gross           numeric,
    fees            numeric,
    taxes           numeric,
    net             numeric,
    confidence      double precision NOT NULL,
    fields          jsonb NOT NULL DEFAULT '{}',
    fingerprint     text,
    instance        smallint NOT NULL DEFAULT 1,
    duplicate_of    uuid REFERENCES postroom.trade ON DELETE SET NULL,
    order_id        uuid REFERENCES postroom.pending_order ON DELETE SET NULL,
    order_because   text,
    trade_key       text,
    confirmed_by    text,
    confirmed_at    timestamptz,
    corrected_by    text,
    corrected_at    timestamptz,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    -- Instrument, side, day and quantity as one text, which row-level security lets an index be searched by; numbers it does not.
    likeness        text GENERATED ALWAYS AS (coalesce(isin, ticker, name) || ' ' || direction || ' '
                        || (trade_date - date '2000-01-01')::text || ' ' || trim_scale(quantity)::text) STORED,
    CONSTRAINT document_tells_a_trade_once UNIQUE (document_id, position),
    CONSTRAINT trade_status_is_known CHECK (status IN ('confirmed', 'review', 'rejected', 'duplicate')),
    CONSTRAINT trade_direction_is_known CHECK (direction IN ('BUY', 'SELL')),
    CONSTRAINT confirmed_trade_is_whole CHECK (status <> 'confirmed' OR (direction IS NOT NULL AND trade_date IS NOT NULL
        AND quantity > 0 AND net IS NOT NULL AND currency IS NOT NULL AND coalesce(isin, ticker, name) IS NOT NULL
        AND confirmed_by IS NOT NULL AND confirmed_at IS NOT NULL))
) WITH (fillfactor = 85);
COMMENT ON TABLE postroom.trade IS 'What contract notes and statements say was traded. Owned by documents.';
CALL postroom.close_to_others('postroom.trade');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.trade TO postroom_app;
CREATE UNIQUE INDEX trade_is_booked_once ON postroom.trade (tenant_id, fingerprint, instance) WHERE status = 'confirmed';
CREATE INDEX trade_by_fingerprint ON postroom.trade (tenant_id, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX trade_newest ON postroom.trade (tenant_id, id DESC);
CREATE INDEX trade_of_status ON postroom.trade (tenant_id, status, id DESC);
CREATE INDEX trade_by_likeness ON postroom.trade (tenant_id, likeness) WHERE likeness IS NOT NULL;
CREATE INDEX trade_of_order ON postroom.trade (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX trade_by_original ON postroom.trade (duplicate_of) WHERE duplicate_of IS NOT NULL;

-- ---------------------------------------------------------------------------------------------------- invoices

CREATE TABLE postroom.invoice (
    id           uuid PRIMARY KEY,
    tenant_id    uuid NOT NULL,
    document_id  uuid NOT NULL REFERENCES postroom.document ON DELETE CASCADE,
    status       text NOT NULL,
    because      text NOT NULL,
    number       text,
    issue_date   date,
    due_date     date,
    supplier     text,
    buyer        text,
    currency     text,
    net_total    numeric,
    tax_total    numeric,
    grand_total  numeric,
    iban         text,
    tax_by_rate  jsonb NOT NULL DEFAULT '{}',
    confidence   double precision NOT NULL,
    fields       jsonb NOT NULL DEFAULT '{}',
    fingerprint  text,
    instance     smallint NOT NULL DEFAULT 1,
    duplicate_of uuid REFERENCES postroom.invoice ON DELETE SET NULL,
    confirmed_by text,
    confirmed_at timestamptz,
    corrected_by text,
    corrected_at timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT document_is_one_invoice UNIQUE (document_id),
    CONSTRAINT invoice_status_is_known CHECK (status IN ('confirmed', 'review', 'rejected', 'duplicate')),
    CONSTRAINT confirmed_invoice_is_whole CHECK (status <> 'confirmed' OR (number IS NOT NULL AND issue_date IS NOT NULL
        AND grand_total IS NOT NULL AND currency IS NOT NULL AND confirmed_by IS NOT NULL AND confirmed_at IS NOT NULL))
) WITH (fillfactor = 85);
COMMENT ON TABLE postroom.invoice IS 'What invoices say. Owned by documents.';
CALL postroom.close_to_others('postroom.invoice');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.invoice TO postroom_app;
CREATE UNIQUE INDEX invoice_is_booked_once ON postroom.invoice (tenant_id, fingerprint, instance) WHERE status = 'confirmed';
CREATE INDEX invoice_by_fingerprint ON postroom.invoice (tenant_id, fingerprint) WHERE fingerprint IS NOT NULL;
CREATE INDEX invoice_newest ON postroom.invoice (tenant_id, id DESC);
CREATE INDEX invoice_of_status ON postroom.invoice (tenant_id, status, id DESC);
CREATE INDEX invoice_by_number ON postroom.invoice (tenant_id, number);
CREATE INDEX invoice_of_supplier ON postroom.invoice (tenant_id, lower(supplier), id DESC) WHERE status = 'confirmed';
CREATE INDEX invoice_by_original ON postroom.invoice (duplicate_of) WHERE duplicate_of IS NOT NULL;

CREATE TABLE postroom.invoice_line (
    invoice_id  uuid NOT NULL REFERENCES postroom.invoice ON DELETE CASCADE,
    position    integer NOT NULL,
    tenant_id   uuid NOT NULL,
    description text NOT NULL DEFAULT '',
    quantity    numeric,
    unit_price  numeric,
    tax_rate    numeric,
    total       numeric,
    PRIMARY KEY (invoice_id, position)
);
COMMENT ON TABLE postroom.invoice_line IS 'The lines of an invoice. Owned by documents.';
CALL postroom.close_to_others('postroom.invoice_line');
GRANT SELECT, INSERT, DELETE ON postroom.invoice_line TO postroom_app;

-- ------------------------------------------------------------------------------------------------ other entries

CREATE TABLE postroom.booking (
    id           uuid PRIMARY KEY,
    tenant_id    uuid NOT NULL,
    document_id  uuid NOT NULL REFERENCES postroom.document ON DELETE CASCADE,
    position     integer NOT NULL,
    kind         text NOT NULL,
    status       text NOT NULL,
    because      text NOT NULL,
    entry        jsonb NOT NULL,
    confidence   double precision NOT NULL,
    fields       jsonb NOT NULL DEFAULT '{}',
    fingerprint  text,
    instance     smallint NOT NULL DEFAULT 1,
    confirmed_by text,
    confirmed_at timestamptz,
    corrected_by text,
    corrected_at timestamptz,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT document_tells_an_entry_once UNIQUE (document_id, position),
    CONSTRAINT booking_status_is_known CHECK (status IN ('confirmed', 'review', 'rejected')),
    CONSTRAINT confirmed_booking_says_by_whom CHECK (status <> 'confirmed' OR (confirmed_by IS NOT NULL AND confirmed_at IS NOT NULL))
) WITH (fillfactor = 85);
COMMENT ON TABLE postroom.booking IS
    'Entries of any other kind, such as dividends: their values by name, as their kind states them. Owned by documents.';
CALL postroom.close_to_others('postroom.booking');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.booking TO postroom_app;
CREATE UNIQUE INDEX booking_is_booked_once ON postroom.booking (tenant_id, fingerprint, instance) WHERE status = 'confirmed';

-- ------------------------------------------------------------------------------------------------ what people say

CREATE TABLE postroom.document_correction (
    id           uuid PRIMARY KEY,
    tenant_id    uuid NOT NULL,
    document_id  uuid NOT NULL REFERENCES postroom.document ON DELETE CASCADE,
    trade_id     uuid REFERENCES postroom.trade ON DELETE CASCADE,
    invoice_id   uuid REFERENCES postroom.invoice ON DELETE CASCADE,
    booking_id   uuid REFERENCES postroom.booking ON DELETE CASCADE,
    sender_email text,
    field        text NOT NULL,
    before       text,
    after        text,
    page         integer,
    box          jsonb,
    corrected_by text NOT NULL,
    corrected_at timestamptz NOT NULL,
    CONSTRAINT correction_changes_something CHECK (before IS DISTINCT FROM after)
);
COMMENT ON TABLE postroom.document_correction IS
    'A person overruling us: evidence for the next document of that sender; only ever added to. Owned by documents.';
CALL postroom.close_to_others('postroom.document_correction');
GRANT SELECT, INSERT ON postroom.document_correction TO postroom_app;
CREATE INDEX correction_of_document ON postroom.document_correction (document_id, id);
CREATE INDEX correction_of_sender ON postroom.document_correction (tenant_id, sender_email, id);
CREATE INDEX correction_of_trade ON postroom.document_correction (trade_id) WHERE trade_id IS NOT NULL;
CREATE INDEX correction_of_booking ON postroom.document_correction (booking_id) WHERE booking_id IS NOT NULL;
CREATE INDEX correction_of_invoice ON postroom.document_correction (invoice_id) WHERE invoice_id IS NOT NULL;

CREATE TABLE postroom.document_decision (
    document_id uuid NOT NULL REFERENCES postroom.document ON DELETE CASCADE,
    revision    integer NOT NULL,
    tenant_id   uuid NOT NULL,
    did         text NOT NULL,
    said        text NOT NULL DEFAULT '',
    actor       text NOT NULL,
    decided_at  timestamptz NOT NULL,
    before      jsonb,
    PRIMARY KEY (document_id, revision),
    CONSTRAINT decision_is_known CHECK (did IN
        ('confirmed', 'corrected', 'rejected', 'entered', 'retried', 'undone', 'reopened'))
);
COMMENT ON TABLE postroom.document_decision IS
    'What people decided about a document, by the revision it made; of the last one also the state before, to go back to. Owned by documents.';
CALL postroom.close_to_others('postroom.document_decision');
GRANT SELECT, INSERT, UPDATE (said, before) ON postroom.document_decision TO postroom_app;

CREATE TABLE postroom.gate_verdict (
    document_id  uuid PRIMARY KEY,
    tenant_id    uuid NOT NULL,
    mailbox_id   uuid,
    pipeline     text NOT NULL,
    sender_email text,
    mode         text NOT NULL,
    stated       double precision NOT NULL,
    clear        boolean NOT NULL,
    passed       boolean NOT NULL,
    because      text NOT NULL,
    received_at  timestamptz NOT NULL,
    judged_at    timestamptz NOT NULL,
    CONSTRAINT confirming_mode_is_known CHECK (mode IN ('off', 'shadow', 'on')),
    CONSTRAINT stated_confidence_is_a_share CHECK (stated BETWEEN 0 AND 1),
    CONSTRAINT what_passed_was_clear CHECK (clear OR NOT passed),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE SET NULL (mailbox_id),
    FOREIGN KEY (document_id) REFERENCES postroom.document ON DELETE CASCADE
);
COMMENT ON TABLE postroom.gate_verdict IS
    'Whether a document could be confirmed by itself, and how sure the reading said it was: noted when it was read, also where a person decides. Owned by documents.';
CALL postroom.close_to_others('postroom.gate_verdict');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.gate_verdict TO postroom_app;
CREATE INDEX gate_verdict_newest ON postroom.gate_verdict (tenant_id, received_at);

CREATE TABLE postroom.pdf_password (
    id         uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    label      text NOT NULL,
    sealed     bytea NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT password_label_is_unique UNIQUE (tenant_id, label)
);
COMMENT ON TABLE postroom.pdf_password IS 'Passwords of protected files, sealed. Owned by documents.';
CALL postroom.close_to_others('postroom.pdf_password');
GRANT SELECT, INSERT, DELETE, UPDATE (sealed) ON postroom.pdf_password TO postroom_app;  -- sealed anew with the next key

CREATE TABLE postroom.sender_rule (
    id         uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    pipeline   text NOT NULL,
    entry      text NOT NULL,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT sender_is_allowed_once UNIQUE (tenant_id, pipeline, entry),
    CONSTRAINT sender_entry_is_lower_case CHECK (entry = lower(entry) AND entry <> '')
);
COMMENT ON TABLE postroom.sender_rule IS
    'Who may be believed without a person looking, for each pipeline. Owned by documents.';
CALL postroom.close_to_others('postroom.sender_rule');
GRANT SELECT, INSERT, DELETE ON postroom.sender_rule TO postroom_app;

CREATE TABLE postroom.sender_profile (
    tenant_id    uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    sender_email text NOT NULL,
    profile      jsonb NOT NULL,
    learnt_from  uuid REFERENCES postroom.document ON DELETE SET NULL,
    updated_at   timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, sender_email)
);
COMMENT ON TABLE postroom.sender_profile IS
    'What a sender''s corrections taught us about its layout. Owned by documents.';
CALL postroom.close_to_others('postroom.sender_profile');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.sender_profile TO postroom_app;
CREATE INDEX sender_profile_by_document ON postroom.sender_profile (learnt_from) WHERE learnt_from IS NOT NULL;

-- ------------------------------------------------------------------------------- how pages and the API see documents

CREATE VIEW postroom.document_view WITH (security_invoker = true) AS
SELECT id, message_id, mailbox_id, filename, content_type, size, kind, status, because, source, sender_email, received_at,
       trust, archive_path, duplicate_of, created_at, updated_at,
       (SELECT b.kind FROM postroom.booking b WHERE b.document_id = d.id AND d.kind = 'other' ORDER BY b.position LIMIT 1) AS tells_of
  FROM postroom.document d WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.document_view IS 'Documents in a list. Owned by documents.';
GRANT SELECT ON postroom.document_view TO postroom_app;

CREATE VIEW postroom.trade_view WITH (security_invoker = true) AS
SELECT id, document_id, position, status, because, direction, trade_date, settlement_date, quantity, isin, ticker, name, price,
       currency, gross, fees, taxes, net, confidence, fields, fingerprint, instance, duplicate_of, order_id, order_because,
       trade_key, confirmed_by, confirmed_at, corrected_by, corrected_at, created_at
  FROM postroom.trade WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.trade_view IS 'Trades as they stand in the books. Owned by documents.';
GRANT SELECT ON postroom.trade_view TO postroom_app;

CREATE VIEW postroom.invoice_view WITH (security_invoker = true) AS
SELECT id, document_id, status, because, number, issue_date, due_date, supplier, buyer, currency, net_total, tax_total,
       grand_total, iban, tax_by_rate, confidence, fields, fingerprint, instance, duplicate_of, confirmed_by, confirmed_at,
       corrected_by, corrected_at, created_at
  FROM postroom.invoice WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.invoice_view IS 'Invoices as they stand in the books. Owned by documents.';
GRANT SELECT ON postroom.invoice_view TO postroom_app;

CREATE VIEW postroom.booking_view WITH (security_invoker = true) AS
SELECT id, document_id, position, kind, status, because, entry, confidence, fields, fingerprint, instance, confirmed_by,
       confirmed_at, corrected_by, corrected_at, created_at
  FROM postroom.booking WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.booking_view IS 'Entries of other kinds as they stand in the books. Owned by documents.';
GRANT SELECT ON postroom.booking_view TO postroom_app;

CREATE VIEW postroom.order_view WITH (security_invoker = true) AS
SELECT id, external_id, username, isin, ticker, name, direction, quantity, filled, limit_price, currency, placed_on, status
  FROM postroom.pending_order WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.order_view IS 'Orders that wait for their contract notes, or did. Owned by documents.';
GRANT SELECT ON postroom.order_view TO postroom_app;

-- What the gate said beside what people decided: `right` confirmed unchanged, `corrected`, `rejected`; `unseen` was confirmed by
-- itself and nobody touched it since; `open` waits.
CREATE VIEW postroom.scorecard_view WITH (security_invoker = true) AS
SELECT g.document_id, g.mailbox_id, g.pipeline, g.sender_email, g.mode, g.stated, g.clear, g.passed, g.received_at,
       CASE WHEN d.status = 'rejected' THEN 'rejected'
            WHEN p.corrected THEN 'corrected'
            WHEN d.status = 'confirmed' AND p.unseen THEN 'unseen'
            WHEN d.status = 'confirmed' THEN 'right'
            ELSE 'open' END AS outcome
  FROM postroom.gate_verdict g
  JOIN postroom.document d ON d.id = g.document_id
 CROSS JOIN LATERAL (SELECT coalesce(bool_or(x.corrected_at IS NOT NULL), false) AS corrected,
                            coalesce(bool_and(x.confirmed_by = 'postroom'), false) AS unseen
                       FROM (SELECT t.corrected_at, t.confirmed_by FROM postroom.trade t
                              WHERE t.document_id = g.document_id AND t.status <> 'duplicate'
                             UNION ALL
                             SELECT i.corrected_at, i.confirmed_by FROM postroom.invoice i
                              WHERE i.document_id = g.document_id) x) p
 WHERE g.tenant_id = (SELECT postroom.tenant()) AND d.status <> 'duplicate';
COMMENT ON VIEW postroom.scorecard_view IS 'What the gate said of documents, beside what people decided. Owned by documents.';
GRANT SELECT ON postroom.scorecard_view TO postroom_app;

-- ---------------------------------------------------------------------------------------- beside a document

-- What the books hold beside a document that is about to be routed, in one question: the same file; trades with the same
-- print, or at least of the same instrument, day, side and quantity; orders that could be meant; like invoices; and what the
-- tenant wants. Its plans are pinned: rows are looked up by index, one by one, also by a plan that was made when the tables were
-- empty. Planning costs more than running, so that what does not concern this document is not even planned.
CREATE FUNCTION postroom.beside_document(p_document uuid, p_sha256 text, p_but uuid[], p_trades jsonb, p_isins text[],
    p_any_isin boolean, p_directions text[], p_amounts text[], p_smallest numeric, p_since date, p_until date, p_own text[],
    p_most integer, p_fingerprint text, p_number text, p_sender text, p_machine text,
    p_mailbox uuid, p_marks bigint[], OUT policy jsonb, OUT rules jsonb, OUT has_orders boolean, OUT confirmed_since_learnt bigint, OUT known jsonb, OUT trades jsonb,
    OUT orders jsonb, OUT invoices jsonb)
LANGUAGE plpgsql VOLATILE SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
    our uuid := postroom.tenant();
    learnt_at timestamptz;
BEGIN
    IF p_marks IS NOT NULL THEN  -- as `take_turn` does; what follows sees all that was committed before we had them
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('documents.route', hashtextextended(our::text, 0)));
        PERFORM pg_advisory_xact_lock(mark) FROM unnest(p_marks) mark;
    END IF;
    IF p_mailbox IS NOT NULL THEN  -- who switches its confirming waits for us, or we for them: after an "off" nothing is confirmed
        PERFORM FROM postroom.mailbox WHERE id = p_mailbox FOR KEY SHARE;
    END IF;
    trades := '[]'; orders := '[]'; invoices := '[]';
    SELECT t.policy, coalesce((SELECT b.rules FROM postroom.mailbox b WHERE b.id = p_mailbox), '{}'),
           EXISTS (SELECT FROM postroom.pending_order o WHERE o.tenant_id = our),
           (SELECT p.updated_at FROM postroom.sender_profile p WHERE p.tenant_id = our AND p.sender_email = p_sender),
           (SELECT to_jsonb(k) FROM (
                SELECT d.sha256, d.id, d.filename, d.kind, d.status, d.archive_path, d.received_at FROM postroom.document d
                 WHERE d.tenant_id = our AND d.sha256 = p_sha256 AND d.status NOT IN ('failed', 'waiting')
                   AND d.duplicate_of IS NULL AND d.id <> ALL (p_but) ORDER BY d.id LIMIT 1) k)
      INTO policy, rules, has_orders, learnt_at, known
      FROM postroom.tenant t WHERE t.tenant_id = our;
    IF learnt_at IS NOT NULL THEN  -- documents that a person found right as read since we learnt of this sender
        SELECT count(*) INTO confirmed_since_learnt FROM postroom.document d
         WHERE d.tenant_id = our AND d.sender_email = p_sender AND d.created_at > learnt_at AND d.trust <> 'spoofed'
           AND (EXISTS (SELECT FROM postroom.trade x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                       AND x.confirmed_by <> p_machine AND x.corrected_at IS NULL)
             OR EXISTS (SELECT FROM postroom.invoice x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                         AND x.confirmed_by <> p_machine AND x.corrected_at IS NULL)
             OR EXISTS (SELECT FROM postroom.booking x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                         AND x.confirmed_by <> p_machine AND x.corrected_at IS NULL));
    END IF;
    IF jsonb_array_length(p_trades) > 0 THEN
        SELECT coalesce(jsonb_agg(jsonb_build_object('position', w.position, 'id', w.id, 'document_id', w.document_id,
                          'status', w.status, 'same_print', w.same_print, 'net', w.net::text, 'order_id', w.order_id,
                          'filename', (SELECT d.filename FROM postroom.document d WHERE d.id = w.document_id),
                          'received_on', (SELECT d.received_at::date FROM postroom.document d WHERE d.id = w.document_id))
                          ORDER BY w.position, w.same_print DESC, w.status = 'confirmed' DESC, w.id), '[]') INTO trades
          FROM (SELECT q.position, s.* FROM (
                   SELECT q.position, q.fingerprint, q.instance,
                          q.instrument || ' ' || q.direction || ' ' || (q.trade_date - date '2000-01-01')::text || ' '
                              || trim_scale(q.quantity)::text AS likeness
                     FROM jsonb_to_recordset(p_trades) AS q (position integer, fingerprint text, instance smallint,
                          trade_date date, direction text, quantity numeric, instrument text)) q
                  JOIN LATERAL (
                   SELECT s.id, s.document_id, s.status, true AS same_print, s.net, s.order_id FROM postroom.trade s
                    WHERE s.tenant_id = our AND s.fingerprint = q.fingerprint
                      AND s.instance = q.instance AND s.document_id <> p_document AND s.status <> 'duplicate'
                   UNION ALL
                   SELECT s.id, s.document_id, s.status, false, s.net, s.order_id FROM postroom.trade s
                    WHERE s.tenant_id = our AND s.likeness = q.likeness
                      AND s.fingerprint IS DISTINCT FROM q.fingerprint AND s.document_id <> p_document
                      AND s.status <> 'duplicate'
                    LIMIT 20) s ON true) w;
    END IF;
    IF has_orders THEN
        WITH exact AS MATERIALIZED (  -- fit to the last share
            SELECT o.* FROM postroom.pending_order o
             WHERE o.tenant_id = our AND o.status = 'open' AND o.isin = ANY (p_isins)
               AND o.direction = ANY (p_directions) AND o.amount_left = ANY (p_amounts)
               AND o.placed_on BETWEEN p_since AND p_until LIMIT 500
        ), unnamed AS (  -- without an ISIN they may be meant all the same
            SELECT o.* FROM postroom.pending_order o
             WHERE o.tenant_id = our AND o.status = 'open' AND o.isin IS NULL
               AND o.placed_on BETWEEN p_since AND p_until ORDER BY o.placed_on, o.external_id LIMIT 2000
        ), others AS (  -- only looked at where none fits: some of it may be meant, or one of them tells why none is
            SELECT o.* FROM postroom.pending_order o
             WHERE o.tenant_id = our AND o.status = 'open' AND o.isin IS NOT NULL
               AND (p_any_isin OR o.isin = ANY (p_isins)) AND o.placed_on BETWEEN p_since AND p_until
               AND (p_any_isin OR jsonb_array_length(p_trades) > 1 OR NOT EXISTS (SELECT FROM exact))
             ORDER BY o.quantity - o.filled >= p_smallest DESC, lower(o.username) = ANY (p_own) DESC, o.placed_on, o.external_id
             LIMIT p_most
        )
        SELECT coalesce(jsonb_agg(to_jsonb(v) || jsonb_build_object('quantity', v.quantity::text, 'filled', v.filled::text,
                          'limit_price', v.limit_price::text) ORDER BY v.placed_on, v.external_id), '[]') INTO orders
          FROM (SELECT DISTINCT ON (o.id) o.*
                  FROM (SELECT * FROM exact UNION ALL SELECT * FROM unnamed UNION ALL SELECT * FROM others) o) v;
    END IF;
    IF p_fingerprint IS NOT NULL OR p_number IS NOT NULL THEN
        SELECT coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'document_id', i.document_id, 'status', i.status,
                          'same_print', i.same_print, 'supplier', i.supplier,
                          'filename', (SELECT d.filename FROM postroom.document d WHERE d.id = i.document_id),
                          'received_on', (SELECT d.received_at::date FROM postroom.document d WHERE d.id = i.document_id))
                          ORDER BY i.same_print DESC, i.status = 'confirmed' DESC, i.id), '[]') INTO invoices
          FROM (SELECT i.id, i.document_id, i.status, coalesce(i.fingerprint = p_fingerprint, false) AS same_print,
                       i.supplier
                  FROM postroom.invoice i
                 WHERE i.tenant_id = our AND (i.fingerprint = p_fingerprint OR i.number = p_number)
                   AND i.document_id <> p_document AND i.status <> 'duplicate'
                 ORDER BY same_print DESC, i.status = 'confirmed' DESC, i.id LIMIT 20) i;
    END IF;
END $$;
