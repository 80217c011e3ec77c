-- Mailboxes, their tokens and watches; notifications and cursors; messages, each once; what a provider lets us do at once.

CREATE TABLE postroom.mailbox (
    id               uuid PRIMARY KEY,
    tenant_id        uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    address          text NOT NULL,
    domain           text NOT NULL GENERATED ALWAYS AS (split_part(address, '@', 2)) STORED,
    provider         text NOT NULL,
    access           text NOT NULL,
    folder           text NOT NULL DEFAULT 'Inbox',
    name             text NOT NULL DEFAULT '',
    status           text NOT NULL DEFAULT 'active',
    because          text,
    paused_at        timestamptz,
    told_person_at   timestamptz,
    capability       text NOT NULL DEFAULT 'send', -- what its grant allows; of an application's own we do not know
    outage_since     timestamptz,                 -- since then its provider does not answer
    attention        jsonb NOT NULL DEFAULT '{}', -- what somebody should look at, by what it is about
    pipelines        text[] NOT NULL DEFAULT '{pad_contract_notes,ap_invoices}',
    rules            jsonb NOT NULL DEFAULT '{}',
    connection       jsonb NOT NULL DEFAULT '{}',
    copilot          text NOT NULL DEFAULT 'off',
    sending          text NOT NULL DEFAULT 'on',      -- its kill switch; the tenant's stands in the policy
    operators        text[] NOT NULL DEFAULT '{}',    -- who else answers for it: addresses, lower case
    connected_at     timestamptz NOT NULL DEFAULT now(),
    disconnected_at  timestamptz,
    CONSTRAINT mailbox_capability_is_known CHECK (capability IN ('read', 'draft', 'send')),
    CONSTRAINT mailbox_copilot_is_known CHECK (copilot IN ('off', 'labels', 'drafts')),
    CONSTRAINT mailbox_sending_is_known CHECK (sending IN ('off', 'on')),
    CONSTRAINT mailbox_is_connected_once UNIQUE (tenant_id, provider, address),
    CONSTRAINT mailbox_is_of_one_tenant UNIQUE (id, tenant_id),  -- for keys that name it together with its tenant
    CONSTRAINT mailbox_address_is_lower_case CHECK (address = lower(address)),
    CONSTRAINT mailbox_provider_is_known CHECK (provider IN ('outlook', 'gmail', 'imap', 'files')),
    CONSTRAINT mailbox_access_is_known CHECK (access IN ('delegated', 'app_only', 'password', 'files')),
    CONSTRAINT mailbox_status_is_known CHECK (status IN
        ('active', 'token_refresh_failed', 'subscription_expired', 'provider_error', 'paused', 'disconnected'))
);
COMMENT ON TABLE postroom.mailbox IS 'Accounts served, their status, pipelines and rules. Owned by mailboxes.';
CALL postroom.close_to_others('postroom.mailbox');
CALL postroom.open_to_desk('postroom.mailbox', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.mailbox TO postroom_app;
CREATE INDEX mailbox_by_address ON postroom.mailbox (provider, address);
CREATE INDEX mailbox_of_domain ON postroom.mailbox (tenant_id, domain);

CREATE VIEW postroom.mailbox_view WITH (security_invoker = true) AS
SELECT m.id, m.tenant_id, m.address, m.provider, m.access, m.folder, m.name, m.status, m.because, m.paused_at, m.pipelines,
       m.rules AS stored_rules, m.connection, m.copilot, m.sending, m.operators, m.connected_at, m.disconnected_at, m.attention, m.capability
  FROM postroom.mailbox m
 WHERE m.tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.mailbox_view IS 'Mailboxes of the tenant, as everybody reads them. Owned by mailboxes.';
GRANT SELECT ON postroom.mailbox_view TO postroom_app;
-- The ledger knows a message of Outlook by its id alone, and Microsoft one subscription for each folder: of two tenants who
-- serve the same mailbox, each would take mail and pushes from the other.
CREATE UNIQUE INDEX outlook_mailbox_is_of_one_tenant ON postroom.mailbox (address)
    WHERE provider = 'outlook' AND status <> 'disconnected';

CREATE TABLE postroom.mailbox_cursor (
    mailbox_id      uuid PRIMARY KEY,
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
    unlisted_since  timestamptz,                      -- what a resync may not list, because it is too long ago:
    unlisted_till   timestamptz,                      -- said, and seen, until somebody has it listed
    outgoing_cursor text,                             -- how far Sent and Drafts were read, while the copilot is on
    outgoing_at     timestamptz,
    CONSTRAINT cursor_is_never_empty CHECK (cursor <> '' AND resync_cursor <> '' AND outgoing_cursor <> ''),
    CONSTRAINT delivery_is_known CHECK (delivery IN ('push', 'poll')),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
) WITH (fillfactor = 50);
COMMENT ON TABLE postroom.mailbox_cursor IS
    'How far we have read; apart from the mailbox and its watch, since neither may touch the cursor. Owned by sync.';
CALL postroom.close_to_others('postroom.mailbox_cursor');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.mailbox_cursor TO postroom_app;

-- Another folder's cursor would read that folder for ever.
CREATE FUNCTION postroom.drop_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE postroom.mailbox_cursor
       SET cursor = NULL, moved_at = NULL, synced_at = NULL, resync_since = NULL, resync_page = NULL, resync_cursor = NULL,
           resync_found = 0, resync_attempts = 0
     WHERE mailbox_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER cursor_is_of_the_folder_we_serve AFTER UPDATE OF folder ON postroom.mailbox
    FOR EACH ROW WHEN (OLD.folder IS DISTINCT FROM NEW.folder) EXECUTE FUNCTION postroom.drop_cursor();

CREATE TABLE postroom.mailbox_push (
    mailbox_id   uuid PRIMARY KEY,
    tenant_id    uuid NOT NULL,
    last_push_at timestamptz NOT NULL,
    pushes       bigint NOT NULL DEFAULT 1,
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
) WITH (fillfactor = 30);
COMMENT ON TABLE postroom.mailbox_push IS
    'When the provider last notified us; narrow, because a busy mailbox writes it often. Owned by sync.';
CALL postroom.close_to_others('postroom.mailbox_push');
CALL postroom.open_to_desk('postroom.mailbox_push', 'SELECT, INSERT, UPDATE');
GRANT SELECT, INSERT, UPDATE ON postroom.mailbox_push TO postroom_app;

CREATE TABLE postroom.hint (
    tenant_id  uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    ref        text NOT NULL,
    noticed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (mailbox_id, ref),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.hint IS
    'Ids that a notification named: one that the cursor does not show is fetched by id. Owned by sync.';
CALL postroom.close_to_others('postroom.hint');
CALL postroom.open_to_desk('postroom.hint', 'SELECT, INSERT');
GRANT SELECT, INSERT, DELETE ON postroom.hint TO postroom_app;

CREATE TABLE postroom.notification (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id  uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    ref        text,
    received_at    timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
COMMENT ON TABLE postroom.notification IS
    'Notifications that were checked and answered, until they are sorted; no foreign key, since the mailbox may be deleted meanwhile. Owned by sync.';
CALL postroom.close_to_others('postroom.notification');
CALL postroom.open_to_desk('postroom.notification', 'SELECT, INSERT, DELETE');
GRANT SELECT, DELETE ON postroom.notification TO postroom_app;

-- Hints and pushes first, lanes last: a sync takes its hints away and then its lane, and nobody may wait the other way round.
CREATE FUNCTION postroom.take_notifications(p_now timestamptz, p_hints jsonb, p_pushes jsonb, p_facts jsonb, p_jobs jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_hints IS NOT NULL THEN
        INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at)
        SELECT h.tenant_id, h.mailbox_id, h.ref, p_now
          FROM jsonb_to_recordset(p_hints) AS h (tenant_id uuid, mailbox_id uuid, ref text)
         WHERE (SELECT true FROM postroom.mailbox m WHERE m.id = h.mailbox_id)  -- one deleted a moment ago must not spoil the others' commit
         ORDER BY h.mailbox_id, h.ref
        ON CONFLICT DO NOTHING;
    END IF;
    IF p_pushes IS NOT NULL THEN
        INSERT INTO postroom.mailbox_push (tenant_id, mailbox_id, last_push_at, pushes)
        SELECT p.tenant_id, p.mailbox_id, coalesce(p.received_at, p_now), p.pushes
          FROM jsonb_to_recordset(p_pushes) AS p (tenant_id uuid, mailbox_id uuid, pushes bigint, received_at timestamptz)
         WHERE (SELECT true FROM postroom.mailbox m WHERE m.id = p.mailbox_id)
         ORDER BY p.mailbox_id
        ON CONFLICT (mailbox_id) DO UPDATE
           SET last_push_at = greatest(mailbox_push.last_push_at, excluded.last_push_at),
               pushes = mailbox_push.pushes + excluded.pushes;
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(NULL, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.enqueue(NULL, p_jobs); END IF;
END $$;

-- Notifications become what they ask for, in one commit and one round trip. False: somebody sorted them before.
CREATE FUNCTION postroom.sort_notifications(p_ids bigint[], p_now timestamptz, p_hints jsonb, p_pushes jsonb, p_facts jsonb, p_jobs jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM postroom.notification WHERE id = ANY (p_ids);
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM postroom.take_notifications(p_now, p_hints, p_pushes, p_facts, p_jobs);
    RETURN true;
END $$;

CREATE TABLE postroom.mailbox_token (
    mailbox_id      uuid PRIMARY KEY,
    tenant_id       uuid NOT NULL,
    sealed          bytea,
    updated_at      timestamptz NOT NULL DEFAULT now(),
    refreshing_till timestamptz,
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.mailbox_token IS 'Grants of mailboxes, sealed. Owned by mailboxes.';
CALL postroom.close_to_others('postroom.mailbox_token');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.mailbox_token TO postroom_app;

CREATE TABLE postroom.consent (
    state       text PRIMARY KEY,
    tenant_id   uuid NOT NULL,
    provider    text NOT NULL,
    verifier    bytea NOT NULL,
    address     text,
    started_by  text NOT NULL,
    return_to   text NOT NULL DEFAULT '/mailboxes',
    expires_at  timestamptz NOT NULL,
    browser     bytea,  -- the digest of the secret of the browser it was started in; one that a key started has none
    ticket      bytea,  -- until somebody opens its ticket
    shared      boolean NOT NULL DEFAULT false,
    capability  text NOT NULL,  -- what it asks for
    CONSTRAINT consent_is_of_a_tenant FOREIGN KEY (tenant_id) REFERENCES postroom.tenant ON DELETE CASCADE
);
COMMENT ON TABLE postroom.consent IS 'Consents that somebody started and has not come back from. Owned by mailboxes.';
CALL postroom.close_to_others('postroom.consent');
CALL postroom.open_to_desk('postroom.consent', 'SELECT, DELETE');
GRANT SELECT, INSERT, DELETE, UPDATE (browser, ticket, verifier) ON postroom.consent TO postroom_app;
CREATE UNIQUE INDEX consent_has_its_own_ticket ON postroom.consent (ticket);
CREATE INDEX consent_oldest ON postroom.consent (tenant_id, expires_at);

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
COMMENT ON TABLE padealing.graph_subscription_state IS
    'Graph''s promises to tell us, the published columns and five of ours. Owned by mailboxes.';
CREATE INDEX IF NOT EXISTS idx_graph_subscription_expiry
    ON padealing.graph_subscription_state (expiration_datetime)
    WHERE status = 'active';
ALTER TABLE padealing.graph_subscription_state
    ADD COLUMN IF NOT EXISTS tenant_id uuid,
    ADD COLUMN IF NOT EXISTS mailbox_id uuid,
    ADD COLUMN IF NOT EXISTS client_state_digest bytea,
    ADD COLUMN IF NOT EXISTS url_key_digests bytea[] NOT NULL DEFAULT '{}',  -- of its URLs: the first one's, the last two
    ADD COLUMN IF NOT EXISTS folder text NOT NULL DEFAULT 'served',
    ADD CONSTRAINT watched_folder_is_known CHECK (folder IN ('served', 'sent', 'drafts')),
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE,
    ADD CONSTRAINT subscription_of_a_mailbox_names_its_tenant CHECK (mailbox_id IS NULL OR tenant_id IS NOT NULL);
CREATE INDEX graph_subscription_of_mailbox ON padealing.graph_subscription_state (tenant_id, mailbox_id, status);
CREATE UNIQUE INDEX one_active_subscription_per_folder ON padealing.graph_subscription_state (mailbox_id, folder)
    WHERE status = 'active';
CALL postroom.close_to_others('padealing.graph_subscription_state');
CALL postroom.open_to_desk('padealing.graph_subscription_state', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON padealing.graph_subscription_state TO postroom_app;
GRANT USAGE ON SEQUENCE padealing.graph_subscription_state_id_seq TO postroom_app;

CREATE TABLE postroom.gmail_watch_state (
    mailbox_id          uuid PRIMARY KEY,
    tenant_id           uuid NOT NULL,
    topic               text NOT NULL,
    expiration_datetime timestamptz NOT NULL,
    status              text NOT NULL DEFAULT 'active',
    last_renewed_at     timestamptz,
    folders             text[] NOT NULL DEFAULT '{served}',
    created_at          timestamptz NOT NULL DEFAULT now(),
    updated_at          timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT watch_status_is_known CHECK (status IN ('active', 'expired', 'removed')),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.gmail_watch_state IS 'Gmail''s promises to tell us. Owned by mailboxes.';
CALL postroom.close_to_others('postroom.gmail_watch_state');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.gmail_watch_state TO postroom_app;

-- --------------------------------------------------------------------------------------------------- messages

CREATE TABLE postroom.thread (
    id                 uuid PRIMARY KEY,
    tenant_id          uuid NOT NULL,
    mailbox_id         uuid NOT NULL,
    provider_thread_id text NOT NULL,
    subject            text NOT NULL DEFAULT '',
    messages           integer NOT NULL DEFAULT 0,
    last_message_at    timestamptz NOT NULL,
    CONSTRAINT thread_is_known_once UNIQUE (tenant_id, mailbox_id, provider_thread_id),
    CONSTRAINT thread_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
) WITH (fillfactor = 80);
COMMENT ON TABLE postroom.thread IS 'Conversations as the provider groups them. Owned by sync.';
CALL postroom.close_to_others('postroom.thread');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.thread TO postroom_app;
CREATE INDEX thread_newest ON postroom.thread (tenant_id, last_message_at DESC, id);
CREATE INDEX thread_of_mailbox ON postroom.thread (tenant_id, mailbox_id, last_message_at DESC, id DESC);

CREATE TABLE postroom.message (
    id                  uuid PRIMARY KEY,
    tenant_id           uuid NOT NULL,
    mailbox_id          uuid NOT NULL,
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
    enclosed_text       text,  -- what the mails say that it encloses
    automatic           text,
    automatic_because   text,
    trust               text,
    trust_because       text,
    version             text,
    size                integer,
    content_hash        text,
    received_at         timestamptz,
    announced_at        timestamptz NOT NULL DEFAULT now(),
    arrived_at          timestamptz,
    removed_at          timestamptz,
    forgotten_at        timestamptz,
    CONSTRAINT message_arrives_once UNIQUE (tenant_id, mailbox_id, provider_message_id),
    CONSTRAINT message_state_is_known CHECK (state IN ('announced', 'arrived', 'failed', 'gone', 'ignored')),
    CONSTRAINT message_source_is_known CHECK (source IN ('push', 'poll', 'hint', 'backfill', 'reconcile', 'import')),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
) WITH (fillfactor = 90);
COMMENT ON TABLE postroom.message IS
    'Mail as taken in, each once: headers we need, text, names of attachments; not the bytes. Owned by sync.';
CALL postroom.close_to_others('postroom.message');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.message TO postroom_app;
CREATE INDEX message_newest ON postroom.message (tenant_id, received_at DESC, id);
CREATE INDEX message_of_mailbox ON postroom.message (tenant_id, mailbox_id, received_at DESC, id);
CREATE INDEX message_of_thread ON postroom.message (tenant_id, thread_id, received_at) WHERE thread_id IS NOT NULL;
CREATE INDEX message_by_internet_id ON postroom.message (tenant_id, internet_message_id) WHERE internet_message_id IS NOT NULL;
CREATE INDEX message_on_its_way ON postroom.message (tenant_id, announced_at) WHERE state IN ('announced', 'failed');
-- What a poll found a moment before its push: every look asks for it, also those that no push caused.
CREATE INDEX message_found_by_poll ON postroom.message (tenant_id, mailbox_id, announced_at) WHERE source = 'poll';
CREATE INDEX message_to_forget ON postroom.message (tenant_id, arrived_at)
    WHERE forgotten_at IS NULL AND arrived_at IS NOT NULL;
-- Newest first, also while the provider has not said yet when a message was received. CASE and not coalesce(), which
-- row-level security takes for a leak, so that no index could be searched by it.
CREATE INDEX message_in_order ON postroom.message
    (tenant_id, (CASE WHEN received_at IS NULL THEN announced_at ELSE received_at END) DESC, id DESC);
CREATE INDEX message_in_order_of_mailbox ON postroom.message
    (tenant_id, mailbox_id, (CASE WHEN received_at IS NULL THEN announced_at ELSE received_at END) DESC, id DESC);

CREATE TABLE postroom.outgoing_message (
    tenant_id  uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    ref        text NOT NULL,
    thread_ref text NOT NULL,
    draft      boolean NOT NULL,
    version    text NOT NULL DEFAULT '',
    seen_at    timestamptz NOT NULL,
    PRIMARY KEY (mailbox_id, ref),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.outgoing_message IS
    'What was sent and is being written in threads that we know: when one is gone, only this says of which thread. Owned by sync.';
CALL postroom.close_to_others('postroom.outgoing_message');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.outgoing_message TO postroom_app;
CREATE INDEX outgoing_message_oldest ON postroom.outgoing_message (tenant_id, seen_at);

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
COMMENT ON TABLE postroom.disposition IS
    'What became of a message in each pipeline, and why; with the message it accounts for every mail. Owned by sync and engine.';
CALL postroom.close_to_others('postroom.disposition');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.disposition TO postroom_app;
CREATE INDEX disposition_that_failed ON postroom.disposition (tenant_id, pipeline, message_id) WHERE status = 'failed';
CREATE INDEX disposition_of_status ON postroom.disposition (tenant_id, status, message_id);

CREATE TABLE postroom.coverage (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id   uuid NOT NULL,
    mailbox_id  uuid NOT NULL,
    since       timestamptz NOT NULL,
    checked_at  timestamptz NOT NULL,
    listed      integer NOT NULL,
    held        integer NOT NULL,                     -- of those: arrived, or gone with a reason
    failed      integer NOT NULL DEFAULT 0,           -- of those: put aside, with the job's reason
    unannounced integer NOT NULL,
    missing     text[] NOT NULL DEFAULT '{}',         -- of those: unknown to us until then
    reasons     jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.coverage IS
    'What the provider listed against what we hold, per mailbox and window. Owned by sync.';
CALL postroom.close_to_others('postroom.coverage');
GRANT SELECT, INSERT, DELETE ON postroom.coverage TO postroom_app;
CREATE INDEX coverage_of_mailbox ON postroom.coverage (tenant_id, mailbox_id, id DESC);

CREATE TABLE postroom.reconcile_run (
    mailbox_id  uuid PRIMARY KEY,
    tenant_id   uuid NOT NULL,
    since       timestamptz NOT NULL,
    started_at  timestamptz NOT NULL,
    listed      integer NOT NULL DEFAULT 0,
    held        integer NOT NULL DEFAULT 0,
    failed      integer NOT NULL DEFAULT 0,
    unannounced integer NOT NULL DEFAULT 0,
    missing     text[] NOT NULL DEFAULT '{}',
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.reconcile_run IS 'A reconcile on its way through the pages of a listing. Owned by sync.';
CALL postroom.close_to_others('postroom.reconcile_run');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.reconcile_run TO postroom_app;

-- ------------------------------------------------------------------------------------- how pages and the API see mail

CREATE VIEW postroom.message_view WITH (security_invoker = true) AS
SELECT m.id, m.mailbox_id, b.address AS mailbox, m.provider_message_id, m.state, m.because, m.source, m.thread_id,
       m.internet_message_id, m.sender_email, m.sender_name, m.recipients, m.subject, m.snippet, m.labels, m.attachments,
       m.automatic, m.trust, m.trust_because, m.size, m.received_at, m.announced_at, m.arrived_at, m.removed_at,
       m.forgotten_at, CASE WHEN m.received_at IS NULL THEN m.announced_at ELSE m.received_at END AS listed_at,
       coalesce((SELECT jsonb_object_agg(d.pipeline, jsonb_build_object('status', d.status, 'rule', d.rule, 'reason', d.because))
                   FROM postroom.disposition d WHERE d.message_id = m.id), '{}') AS status
  FROM postroom.message m JOIN postroom.mailbox b ON b.id = m.mailbox_id
 WHERE m.tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.message_view IS 'Messages with their mailbox and what became of them in each pipeline. Owned by reads.';
GRANT SELECT ON postroom.message_view TO postroom_app;

CREATE VIEW postroom.pending_sync WITH (security_invoker = true) AS
    SELECT mailbox_id, tenant_id,
           CASE WHEN state = 'running' THEN 'processing' ELSE 'pending' END AS status,
           CASE WHEN state = 'running' THEN started_at END AS claimed_at,
           tries AS attempts, reason AS last_error, hits
      FROM postroom.job WHERE kind = 'sync.mailbox';
COMMENT ON VIEW postroom.pending_sync IS 'The waiting and running syncs, under the names other tools use. Owned by sync.';
GRANT SELECT ON postroom.pending_sync TO postroom_app, postroom_desk;

-- ----------------------------------------------------------------------------------------------------- budgets

CREATE TABLE postroom.provider_slot (
    mailbox_id uuid NOT NULL REFERENCES postroom.mailbox ON DELETE CASCADE,
    slot       smallint NOT NULL,
    holder     uuid,
    till       timestamptz NOT NULL DEFAULT '-infinity',
    PRIMARY KEY (mailbox_id, slot)
) WITH (fillfactor = 30);
COMMENT ON TABLE postroom.provider_slot IS
    'Requests in flight per mailbox across all workers: a slot is lent to a worker for a while. Owned by engine.';
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.provider_slot TO postroom_desk;

CREATE TABLE postroom.provider_wait (
    mailbox_id uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL,
    till       timestamptz NOT NULL,
    hour       timestamptz NOT NULL,
    waited     double precision NOT NULL,
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
) WITH (fillfactor = 30);
COMMENT ON TABLE postroom.provider_wait IS
    'Until when a provider asked us to leave a mailbox alone, and for how many seconds within an hour. Owned by engine.';
CALL postroom.close_to_others('postroom.provider_wait');
CALL postroom.open_to_desk('postroom.provider_wait', 'SELECT, INSERT, UPDATE');
GRANT SELECT ON postroom.provider_wait TO postroom_app;

CREATE TABLE postroom.provider_quota (
    mailbox_id uuid PRIMARY KEY REFERENCES postroom.mailbox ON DELETE CASCADE,
    units      double precision NOT NULL,
    at         timestamptz NOT NULL
) WITH (fillfactor = 30);
COMMENT ON TABLE postroom.provider_quota IS
    'Quota units per mailbox: a bucket that refills, drawn on in chunks. Owned by engine.';
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.provider_quota TO postroom_desk;
