-- Mailboxes, their tokens and watches; messages, each once; the ledger that is shared with Airflow.

CREATE TABLE postroom.mailbox (
    id               uuid PRIMARY KEY,
    tenant_id        uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    address          text NOT NULL,
    provider         text NOT NULL,
    access           text NOT NULL,
    folder           text NOT NULL DEFAULT 'Inbox',
    name             text NOT NULL DEFAULT '',
    status           text NOT NULL DEFAULT 'active',
    because          text,
    paused_at        timestamptz,
    told_person_at   timestamptz,
    pipelines        text[] NOT NULL DEFAULT '{pad_contract_notes,ap_invoices}',
    rules            jsonb NOT NULL DEFAULT '{}',
    connection       jsonb NOT NULL DEFAULT '{}',
    connected_at     timestamptz NOT NULL DEFAULT now(),
    disconnected_at  timestamptz,
    CONSTRAINT mailbox_is_connected_once UNIQUE (tenant_id, provider, address),
    CONSTRAINT mailbox_address_is_lower_case CHECK (address = lower(address)),
    CONSTRAINT mailbox_provider_is_known CHECK (provider IN ('outlook', 'gmail', 'imap', 'files')),
    CONSTRAINT mailbox_access_is_known CHECK (access IN ('delegated', 'app_only', 'password', 'files')),
    CONSTRAINT mailbox_status_is_known CHECK (status IN
        ('active', 'token_refresh_failed', 'subscription_expired', 'provider_error', 'paused', 'disconnected'))
);
CALL postroom.close_to_others('postroom.mailbox');
CALL postroom.open_to_desk('postroom.mailbox', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.mailbox TO postroom_app;
CREATE INDEX mailbox_by_address ON postroom.mailbox (provider, address);

-- How far we have read. Apart from the mailbox and from its watch: neither may touch the cursor.
CREATE TABLE postroom.mailbox_cursor (
    mailbox_id      uuid PRIMARY KEY REFERENCES postroom.mailbox ON DELETE CASCADE,
    tenant_id       uuid NOT NULL,
    cursor          text,
    moved_at        timestamptz,
    synced_at       timestamptz,
    resync_since    timestamptz,
    resync_page     text,
    resync_cursor   text,
    resync_found    integer NOT NULL DEFAULT 0,
    resync_attempts integer NOT NULL DEFAULT 0,
    delivery        text NOT NULL DEFAULT 'push',
    silent_runs     integer NOT NULL DEFAULT 0,
    CONSTRAINT cursor_is_never_empty CHECK (cursor <> '' AND resync_cursor <> ''),
    CONSTRAINT delivery_is_known CHECK (delivery IN ('push', 'poll'))
) WITH (fillfactor = 50);
CALL postroom.close_to_others('postroom.mailbox_cursor');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.mailbox_cursor TO postroom_app;

-- What the bell last did. Narrow, because a busy mailbox writes it often.
CREATE TABLE postroom.mailbox_pulse (
    mailbox_id   uuid PRIMARY KEY REFERENCES postroom.mailbox ON DELETE CASCADE,
    tenant_id    uuid NOT NULL,
    last_push_at timestamptz NOT NULL,
    pushes       bigint NOT NULL DEFAULT 1
) WITH (fillfactor = 30);
CALL postroom.close_to_others('postroom.mailbox_pulse');
CALL postroom.open_to_desk('postroom.mailbox_pulse', 'SELECT, INSERT, UPDATE');
GRANT SELECT ON postroom.mailbox_pulse TO postroom_app;

-- Ids that a bell named: one that the cursor does not show is fetched by id.
CREATE TABLE postroom.hint (
    tenant_id  uuid NOT NULL,
    mailbox_id uuid NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
    ref        text NOT NULL,
    noticed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (mailbox_id, ref)
);
CALL postroom.close_to_others('postroom.hint');
CALL postroom.open_to_desk('postroom.hint', 'SELECT, INSERT');
GRANT SELECT, DELETE ON postroom.hint TO postroom_app;

CREATE TABLE postroom.mailbox_token (
    mailbox_id      uuid PRIMARY KEY REFERENCES postroom.mailbox ON DELETE CASCADE,
    tenant_id       uuid NOT NULL,
    sealed          bytea,
    updated_at      timestamptz NOT NULL DEFAULT now(),
    refreshing_till timestamptz
);
CALL postroom.close_to_others('postroom.mailbox_token');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.mailbox_token TO postroom_app;

-- A consent that somebody started and has not come back from.
CREATE TABLE postroom.consent (
    state       text PRIMARY KEY,
    tenant_id   uuid NOT NULL,
    provider    text NOT NULL,
    verifier    bytea NOT NULL,
    address     text,
    started_by  text NOT NULL,
    return_to   text NOT NULL DEFAULT '/mailboxes',
    expires_at  timestamptz NOT NULL
);
CALL postroom.close_to_others('postroom.consent');
CALL postroom.open_to_desk('postroom.consent', 'SELECT, DELETE');
GRANT SELECT, INSERT, DELETE ON postroom.consent TO postroom_app;

-- ---------------------------------------------------------------------------------------------- subscriptions

CREATE SCHEMA IF NOT EXISTS padealing;
GRANT USAGE ON SCHEMA padealing TO postroom_app, postroom_desk;

CREATE TABLE IF NOT EXISTS padealing.graph_subscription_state (
    id SERIAL PRIMARY KEY,
    subscription_id VARCHAR(255) NOT NULL UNIQUE,
    resource VARCHAR(500) NOT NULL,
    notification_url VARCHAR(500) NOT NULL,
    lifecycle_url VARCHAR(500),
    expiration_datetime TIMESTAMPTZ NOT NULL,
    status VARCHAR(20) NOT NULL DEFAULT 'active',
    last_renewed_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT NOW()
);
CREATE INDEX IF NOT EXISTS idx_graph_subscription_expiry
    ON padealing.graph_subscription_state (expiration_datetime)
    WHERE status = 'active';
ALTER TABLE padealing.graph_subscription_state
    ADD COLUMN IF NOT EXISTS tenant_id uuid,
    ADD COLUMN IF NOT EXISTS mailbox_id uuid REFERENCES postroom.mailbox ON DELETE CASCADE,
    ADD COLUMN IF NOT EXISTS client_state_digest bytea;
CREATE INDEX graph_subscription_of_mailbox ON padealing.graph_subscription_state (tenant_id, mailbox_id, status);
CREATE UNIQUE INDEX one_active_subscription_per_mailbox ON padealing.graph_subscription_state (mailbox_id)
    WHERE status = 'active';
CALL postroom.close_to_others('padealing.graph_subscription_state');
CALL postroom.open_to_desk('padealing.graph_subscription_state', 'SELECT');
GRANT SELECT, INSERT, UPDATE ON padealing.graph_subscription_state TO postroom_app;
GRANT USAGE ON SEQUENCE padealing.graph_subscription_state_id_seq TO postroom_app;

-- Gmail's watches, tracked alike.
CREATE TABLE postroom.gmail_watch_state (
    mailbox_id          uuid PRIMARY KEY REFERENCES postroom.mailbox ON DELETE CASCADE,
    tenant_id           uuid NOT NULL,
    topic               text NOT NULL,
    expiration_datetime timestamptz NOT NULL,
    status              text NOT NULL DEFAULT 'active',
    last_renewed_at     timestamptz,
    created_at          timestamptz NOT NULL DEFAULT now(),
    updated_at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT watch_status_is_known CHECK (status IN ('active', 'expired', 'removed'))
);
CALL postroom.close_to_others('postroom.gmail_watch_state');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.gmail_watch_state TO postroom_app;

-- --------------------------------------------------------------------------------------------------- messages

CREATE TABLE postroom.thread (
    id                 uuid PRIMARY KEY,
    tenant_id          uuid NOT NULL,
    mailbox_id         uuid NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
    provider_thread_id text NOT NULL,
    subject            text NOT NULL DEFAULT '',
    messages           integer NOT NULL DEFAULT 0,
    last_message_at    timestamptz NOT NULL,
    CONSTRAINT thread_is_known_once UNIQUE (tenant_id, mailbox_id, provider_thread_id)
) WITH (fillfactor = 80);
CALL postroom.close_to_others('postroom.thread');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.thread TO postroom_app;
CREATE INDEX thread_newest ON postroom.thread (tenant_id, last_message_at DESC, id);

CREATE TABLE postroom.message (
    id                  uuid PRIMARY KEY,
    tenant_id           uuid NOT NULL,
    mailbox_id          uuid NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
    provider_message_id text NOT NULL,
    state               text NOT NULL DEFAULT 'announced',
    because             text,
    source              text NOT NULL,
    thread_id           uuid REFERENCES postroom.thread ON DELETE SET NULL,
    internet_message_id text,
    sender_email        text,
    sender_name         text,
    recipients          jsonb NOT NULL DEFAULT '{}',
    subject             text,
    snippet             text,
    body                text,
    body_html           text,
    headers             jsonb NOT NULL DEFAULT '{}',
    labels              text[] NOT NULL DEFAULT '{}',
    attachments         jsonb NOT NULL DEFAULT '[]',
    automatic           text,
    trust               text,
    trust_because       text,
    version             text,
    size                integer,
    content_hash        text,
    received_at         timestamptz,
    announced_at        timestamptz NOT NULL DEFAULT now(),
    arrived_at          timestamptz,
    removed_at          timestamptz,
    CONSTRAINT message_arrives_once UNIQUE (tenant_id, mailbox_id, provider_message_id),
    CONSTRAINT message_state_is_known CHECK (state IN ('announced', 'arrived', 'gone', 'ignored')),
    CONSTRAINT message_source_is_known CHECK (source IN ('push', 'poll', 'hint', 'backfill', 'reconcile', 'import'))
) WITH (fillfactor = 90);
CALL postroom.close_to_others('postroom.message');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.message TO postroom_app;
CREATE INDEX message_newest ON postroom.message (tenant_id, received_at DESC, id);
CREATE INDEX message_of_mailbox ON postroom.message (tenant_id, mailbox_id, received_at DESC, id);
CREATE INDEX message_of_thread ON postroom.message (tenant_id, thread_id, received_at) WHERE thread_id IS NOT NULL;
CREATE INDEX message_by_internet_id ON postroom.message (tenant_id, internet_message_id) WHERE internet_message_id IS NOT NULL;

-- What became of a message in each pipeline, and why. Together with the message it accounts for every mail.
CREATE TABLE postroom.disposition (
    tenant_id   uuid NOT NULL,
    message_id  uuid NOT NULL REFERENCES postroom.message ON DELETE CASCADE,
    pipeline    text NOT NULL,
    status      text NOT NULL,
    rule        text,
    because     text,
    updated_at  timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (message_id, pipeline),
    CONSTRAINT disposition_is_known CHECK (status IN ('pending', 'processed', 'filtered', 'failed', 'deleted'))
);
CALL postroom.close_to_others('postroom.disposition');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.disposition TO postroom_app;
CREATE INDEX disposition_that_failed ON postroom.disposition (tenant_id, pipeline, message_id) WHERE status = 'failed';

-- What the provider listed against what we hold, per mailbox and window.
CREATE TABLE postroom.coverage (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id   uuid NOT NULL,
    mailbox_id  uuid NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
    since       timestamptz NOT NULL,
    checked_at  timestamptz NOT NULL,
    listed      integer NOT NULL,
    held        integer NOT NULL,
    unannounced integer NOT NULL,
    missing     text[] NOT NULL DEFAULT '{}',
    reasons     jsonb NOT NULL DEFAULT '{}'
);
CALL postroom.close_to_others('postroom.coverage');
GRANT SELECT, INSERT, DELETE ON postroom.coverage TO postroom_app;
CREATE INDEX coverage_of_mailbox ON postroom.coverage (tenant_id, mailbox_id, id DESC);

-- A reconcile on its way through the pages of a listing.
CREATE TABLE postroom.audit_run (
    mailbox_id  uuid PRIMARY KEY REFERENCES postroom.mailbox ON DELETE CASCADE,
    tenant_id   uuid NOT NULL,
    since       timestamptz NOT NULL,
    started_at  timestamptz NOT NULL,
    listed      integer NOT NULL DEFAULT 0,
    held        integer NOT NULL DEFAULT 0,
    unannounced integer NOT NULL DEFAULT 0,
    missing     text[] NOT NULL DEFAULT '{}'
);
CALL postroom.close_to_others('postroom.audit_run');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.audit_run TO postroom_app;

-- Seed C's queue, as others know it: the waiting and running syncs.
CREATE VIEW postroom.pending_sync WITH (security_invoker = true) AS
    SELECT mailbox_id, tenant_id,
           CASE WHEN state = 1 THEN 'processing' ELSE 'pending' END AS status,
           CASE WHEN state = 1 THEN started_at END AS claimed_at,
           tries AS attempts, reason AS last_error, hits
      FROM postroom.job WHERE kind = 'sync.mailbox';
GRANT SELECT ON postroom.pending_sync TO postroom_app, postroom_desk;

-- ----------------------------------------------------------------------------------------------------- budgets

-- Requests in flight per mailbox across all workers: a slot is lent to a worker for a while.
CREATE TABLE postroom.provider_slot (
    mailbox_id uuid NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
    slot       smallint NOT NULL,
    holder     uuid,
    till       timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (mailbox_id, slot)
) WITH (fillfactor = 30);
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.provider_slot TO postroom_desk;

-- Quota units per mailbox: a bucket that refills, drawn on in chunks.
CREATE TABLE postroom.provider_quota (
    mailbox_id uuid PRIMARY KEY REFERENCES postroom.mailbox ON DELETE CASCADE,
    units      double precision NOT NULL,
    at         timestamptz NOT NULL
) WITH (fillfactor = 30);
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.provider_quota TO postroom_desk;

-- ------------------------------------------------------------------------------------------------------ ledger

CREATE SCHEMA IF NOT EXISTS bo_airflow;
GRANT USAGE ON SCHEMA bo_airflow TO postroom_app, postroom_desk;

CREATE TABLE IF NOT EXISTS bo_airflow.email_ingestion_state (
    id BIGSERIAL PRIMARY KEY,
    app_name VARCHAR(100) NOT NULL,
    message_id VARCHAR(255) NOT NULL,
    mailbox_email VARCHAR(255) NOT NULL,
    sender_email VARCHAR(255),
    received_at TIMESTAMPTZ,
    subject TEXT,
    status VARCHAR(20) NOT NULL DEFAULT 'processing',
    error_message TEXT,
    attachments_processed INTEGER NOT NULL DEFAULT 0,
    trades_extracted INTEGER NOT NULL DEFAULT 0,
    archive_gcs_paths JSONB,
    worker_id VARCHAR(255),
    created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    CONSTRAINT unique_app_message UNIQUE (app_name, message_id)
);
GRANT SELECT, INSERT, UPDATE ON bo_airflow.email_ingestion_state TO postroom_app;
GRANT USAGE ON SEQUENCE bo_airflow.email_ingestion_state_id_seq TO postroom_app;

-- The ledger has no tenant column, being exactly the shared one: a mailbox of the tenant makes a row the tenant's.
-- Others who share the table (Airflow) are not bound by this.
ALTER TABLE bo_airflow.email_ingestion_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE bo_airflow.email_ingestion_state FORCE ROW LEVEL SECURITY;
CREATE POLICY own_mailboxes ON bo_airflow.email_ingestion_state TO postroom_app
    USING (EXISTS (SELECT FROM postroom.mailbox m WHERE m.address = lower(mailbox_email)))
    WITH CHECK (EXISTS (SELECT FROM postroom.mailbox m WHERE m.address = lower(mailbox_email)));
CREATE POLICY everybody_else ON bo_airflow.email_ingestion_state
    USING (current_user <> 'postroom_app') WITH CHECK (current_user <> 'postroom_app');

-- Seed A's claim, as published, also succeeds on a row that another worker is still processing. A live lease is not
-- taken over: such an update is dropped, so RETURNING gives nothing, as the statement promises. The lease is 15 minutes.
CREATE FUNCTION bo_airflow.keep_live_lease() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status = 'success' AND NEW.status <> 'success' THEN
        RETURN NULL;  -- a late failure does not undo what succeeded
    END IF;
    IF OLD.status = 'processing' AND NEW.status = 'processing'
       AND OLD.worker_id IS DISTINCT FROM NEW.worker_id
       AND OLD.updated_at > clock_timestamp() - interval '15 minutes' THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER nobody_takes_over_a_live_lease BEFORE UPDATE ON bo_airflow.email_ingestion_state
    FOR EACH ROW EXECUTE FUNCTION bo_airflow.keep_live_lease();
