-- Made by `make schema` from the migrations; compared in a test. Not to be edited.

-- tables

bo_airflow.email_ingestion_state
    id bigint NOT NULL DEFAULT nextval('bo_airflow.email_ingestion_state_id_seq'::regclass)
    app_name character varying(100) NOT NULL
    message_id character varying(255) NOT NULL
    mailbox_email character varying(255) NOT NULL
    sender_email character varying(255)
    received_at timestamp with time zone
    subject text
    status character varying(20) NOT NULL DEFAULT 'processing'::character varying
    error_message text
    attachments_processed integer NOT NULL DEFAULT 0
    trades_extracted integer NOT NULL DEFAULT 0
    archive_gcs_paths jsonb
    worker_id character varying(255)
    created_at timestamp with time zone NOT NULL DEFAULT now()
    updated_at timestamp with time zone NOT NULL DEFAULT now()
padealing.graph_subscription_state
    id integer NOT NULL DEFAULT nextval('padealing.graph_subscription_state_id_seq'::regclass)
    subscription_id character varying(255) NOT NULL
    resource character varying(500) NOT NULL
    notification_url character varying(500) NOT NULL
    lifecycle_url character varying(500)
    expiration_datetime timestamp with time zone NOT NULL
    status character varying(20) NOT NULL DEFAULT 'active'::character varying
    last_renewed_at timestamp with time zone
    created_at timestamp with time zone NOT NULL DEFAULT now()
    updated_at timestamp with time zone NOT NULL DEFAULT now()
    tenant_id uuid
    mailbox_id uuid
    client_state_digest bytea
postroom.api_key
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    name text NOT NULL
    role text NOT NULL
    scopes text[] NOT NULL DEFAULT '{}'::text[]
    digest bytea NOT NULL
    created_by text NOT NULL
    created_at timestamp with time zone NOT NULL DEFAULT now()
    expires_at timestamp with time zone
    revoked_at timestamp with time zone
postroom.attachment
    tenant_id uuid NOT NULL
    message_id uuid NOT NULL
    sha256 text NOT NULL
    blob_key text NOT NULL
    fetched_by text NOT NULL
    fetched_at timestamp with time zone NOT NULL
postroom.attempt
    id bigint NOT NULL GENERATED AS IDENTITY
    tenant_id uuid NOT NULL
    job_id bigint NOT NULL
    kind text NOT NULL
    key text
    mailbox_id uuid
    epoch integer NOT NULL
    outcome text NOT NULL
    error_class text
    error_code text
    error text
    retry_count smallint NOT NULL
    next_retry_at timestamp with time zone
    max_retries_reached boolean NOT NULL DEFAULT false
    correlation_id uuid NOT NULL
    worker_id uuid
    created_at timestamp with time zone NOT NULL
    started_at timestamp with time zone
    finished_at timestamp with time zone NOT NULL DEFAULT now()
postroom.audit_run
    mailbox_id uuid NOT NULL
    tenant_id uuid NOT NULL
    since timestamp with time zone NOT NULL
    started_at timestamp with time zone NOT NULL
    listed integer NOT NULL DEFAULT 0
    held integer NOT NULL DEFAULT 0
    unannounced integer NOT NULL DEFAULT 0
    missing text[] NOT NULL DEFAULT '{}'::text[]
postroom.consent
    state text NOT NULL
    tenant_id uuid NOT NULL
    provider text NOT NULL
    verifier bytea NOT NULL
    address text
    started_by text NOT NULL
    return_to text NOT NULL DEFAULT '/mailboxes'::text
    expires_at timestamp with time zone NOT NULL
    browser bytea
    ticket bytea
    shared boolean NOT NULL DEFAULT false
postroom.coverage
    id bigint NOT NULL GENERATED AS IDENTITY
    tenant_id uuid NOT NULL
    mailbox_id uuid NOT NULL
    since timestamp with time zone NOT NULL
    checked_at timestamp with time zone NOT NULL
    listed integer NOT NULL
    held integer NOT NULL
    unannounced integer NOT NULL
    missing text[] NOT NULL DEFAULT '{}'::text[]
    reasons jsonb NOT NULL DEFAULT '{}'::jsonb
postroom.disposition
    tenant_id uuid NOT NULL
    message_id uuid NOT NULL
    pipeline text NOT NULL
    status text NOT NULL
    rule text
    because text
    updated_at timestamp with time zone NOT NULL DEFAULT now()
postroom.document
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    message_id uuid
    mailbox_id uuid
    attachment_path text NOT NULL
    filename text NOT NULL
    content_type text NOT NULL
    size bigint NOT NULL
    sha256 text NOT NULL
    kind text NOT NULL DEFAULT 'other'::text
    status text NOT NULL
    because text NOT NULL DEFAULT ''::text
    failure text
    doubts text[] NOT NULL DEFAULT '{}'::text[]
    extraction jsonb
    text_source text
    pages integer
    source text NOT NULL
    source_metadata jsonb NOT NULL DEFAULT '{}'::jsonb
    sender_email text
    received_at timestamp with time zone NOT NULL
    trust text NOT NULL DEFAULT 'unknown'::text
    trust_because text NOT NULL DEFAULT ''::text
    archive_path text
    duplicate_of uuid
    reviewed_by text
    reviewed_at timestamp with time zone
    created_at timestamp with time zone NOT NULL DEFAULT now()
    updated_at timestamp with time zone NOT NULL DEFAULT now()
    forgotten_at timestamp with time zone
    archive_forgotten_at timestamp with time zone
postroom.document_correction
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    document_id uuid NOT NULL
    trade_id uuid
    invoice_id uuid
    sender_email text
    field text NOT NULL
    before text
    after text
    page integer
    box jsonb
    corrected_by text NOT NULL
    corrected_at timestamp with time zone NOT NULL
postroom.document_tally
    tenant_id uuid NOT NULL
    kind text NOT NULL
    status text NOT NULL
    count bigint NOT NULL
postroom.fact
    id bigint NOT NULL GENERATED AS IDENTITY
    xid bigint NOT NULL
    told_at timestamp with time zone NOT NULL
    tenant_id uuid NOT NULL
    kind text NOT NULL
    mailbox_id uuid
    thread_id uuid
    message_id uuid
    document_id uuid
    job_id bigint
    run_id text
    correlation_id uuid
    actor text NOT NULL
    body jsonb NOT NULL
    digest bytea NOT NULL
postroom.gmail_watch_state
    mailbox_id uuid NOT NULL
    tenant_id uuid NOT NULL
    topic text NOT NULL
    expiration_datetime timestamp with time zone NOT NULL
    status text NOT NULL DEFAULT 'active'::text
    last_renewed_at timestamp with time zone
    created_at timestamp with time zone NOT NULL DEFAULT now()
    updated_at timestamp with time zone NOT NULL DEFAULT now()
postroom.hint
    tenant_id uuid NOT NULL
    mailbox_id uuid NOT NULL
    ref text NOT NULL
    noticed_at timestamp with time zone NOT NULL DEFAULT now()
postroom.house
    single boolean NOT NULL DEFAULT true
    xid_offset bigint NOT NULL DEFAULT 0
postroom.idempotency
    tenant_id uuid NOT NULL
    actor text NOT NULL
    key text NOT NULL
    request bytea NOT NULL
    claim uuid NOT NULL
    answer bytea
    created_at timestamp with time zone NOT NULL
postroom.invoice
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    document_id uuid NOT NULL
    status text NOT NULL
    because text NOT NULL
    number text
    issue_date date
    due_date date
    supplier text
    buyer text
    currency text
    net_total numeric
    tax_total numeric
    grand_total numeric
    iban text
    tax_by_rate jsonb NOT NULL DEFAULT '{}'::jsonb
    confidence double precision NOT NULL
    fields jsonb NOT NULL DEFAULT '{}'::jsonb
    fingerprint text
    instance smallint NOT NULL DEFAULT 1
    duplicate_of uuid
    confirmed_by text
    confirmed_at timestamp with time zone
    corrected_by text
    corrected_at timestamp with time zone
    created_at timestamp with time zone NOT NULL DEFAULT now()
    updated_at timestamp with time zone NOT NULL DEFAULT now()
postroom.invoice_line
    invoice_id uuid NOT NULL
    position integer NOT NULL
    tenant_id uuid NOT NULL
    description text NOT NULL DEFAULT ''::text
    quantity numeric
    unit_price numeric
    tax_rate numeric
    total numeric
postroom.job
    id bigint NOT NULL GENERATED AS IDENTITY
    tenant_id uuid NOT NULL
    kind text NOT NULL
    key text
    lane text
    state smallint NOT NULL DEFAULT 0
    priority smallint NOT NULL DEFAULT 1
    holds_lane boolean NOT NULL DEFAULT true
    holding boolean NOT NULL DEFAULT false
    args jsonb NOT NULL DEFAULT '{}'::jsonb
    mailbox_id uuid
    correlation_id uuid NOT NULL
    run_at timestamp with time zone NOT NULL DEFAULT now()
    not_before timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone
    created_at timestamp with time zone NOT NULL DEFAULT now()
    started_at timestamp with time zone
    tries smallint NOT NULL DEFAULT 0
    waits smallint NOT NULL DEFAULT 0
    hits integer NOT NULL DEFAULT 1
    epoch integer NOT NULL DEFAULT 0
    worker_id uuid
    parked_for text
    reason text
    error_class text
postroom.mailbox
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    address text NOT NULL
    provider text NOT NULL
    access text NOT NULL
    folder text NOT NULL DEFAULT 'Inbox'::text
    name text NOT NULL DEFAULT ''::text
    status text NOT NULL DEFAULT 'active'::text
    because text
    paused_at timestamp with time zone
    told_person_at timestamp with time zone
    pipelines text[] NOT NULL DEFAULT '{pad_contract_notes,ap_invoices}'::text[]
    rules jsonb NOT NULL DEFAULT '{}'::jsonb
    connection jsonb NOT NULL DEFAULT '{}'::jsonb
    connected_at timestamp with time zone NOT NULL DEFAULT now()
    disconnected_at timestamp with time zone
postroom.mailbox_cursor
    mailbox_id uuid NOT NULL
    tenant_id uuid NOT NULL
    cursor text
    moved_at timestamp with time zone
    synced_at timestamp with time zone
    resync_since timestamp with time zone
    resync_page text
    resync_cursor text
    resync_found integer NOT NULL DEFAULT 0
    resync_attempts integer NOT NULL DEFAULT 0
    delivery text NOT NULL DEFAULT 'push'::text
    silent_runs integer NOT NULL DEFAULT 0
    unlisted_since timestamp with time zone
    unlisted_till timestamp with time zone
postroom.mailbox_pulse
    mailbox_id uuid NOT NULL
    tenant_id uuid NOT NULL
    last_push_at timestamp with time zone NOT NULL
    pushes bigint NOT NULL DEFAULT 1
postroom.mailbox_token
    mailbox_id uuid NOT NULL
    tenant_id uuid NOT NULL
    sealed bytea
    updated_at timestamp with time zone NOT NULL DEFAULT now()
    refreshing_till timestamp with time zone
postroom.message
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    mailbox_id uuid NOT NULL
    provider_message_id text NOT NULL
    state text NOT NULL DEFAULT 'announced'::text
    because text
    source text NOT NULL
    thread_id uuid
    internet_message_id text
    sender_email text
    sender_name text
    recipients jsonb NOT NULL DEFAULT '{}'::jsonb
    subject text
    snippet text
    body text
    body_html text
    headers jsonb NOT NULL DEFAULT '{}'::jsonb
    labels text[] NOT NULL DEFAULT '{}'::text[]
    attachments jsonb NOT NULL DEFAULT '[]'::jsonb
    automatic text
    trust text
    trust_because text
    version text
    size integer
    content_hash text
    received_at timestamp with time zone
    announced_at timestamp with time zone NOT NULL DEFAULT now()
    arrived_at timestamp with time zone
    removed_at timestamp with time zone
    forgotten_at timestamp with time zone
postroom.migration
    number integer NOT NULL
    name text NOT NULL
    checksum text NOT NULL
    applied_at timestamp with time zone NOT NULL DEFAULT now()
postroom.pdf_password
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    label text NOT NULL
    sealed bytea NOT NULL
    created_by text NOT NULL
    created_at timestamp with time zone NOT NULL DEFAULT now()
postroom.pending_order
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    external_id text NOT NULL
    username text NOT NULL
    isin text
    ticker text
    name text
    direction text NOT NULL
    quantity numeric NOT NULL
    filled numeric NOT NULL DEFAULT 0
    limit_price numeric
    currency text
    placed_on date NOT NULL
    status text NOT NULL DEFAULT 'open'::text
    created_by text NOT NULL
    created_at timestamp with time zone NOT NULL DEFAULT now()
    updated_at timestamp with time zone NOT NULL DEFAULT now()
postroom.person
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    email text NOT NULL
    name text NOT NULL DEFAULT ''::text
    role text NOT NULL
    password_hash text
    oidc_subject text
    disabled_at timestamp with time zone
    created_at timestamp with time zone NOT NULL DEFAULT now()
postroom.provider_quota
    mailbox_id uuid NOT NULL
    units double precision NOT NULL
    at timestamp with time zone NOT NULL
postroom.provider_slot
    mailbox_id uuid NOT NULL
    slot smallint NOT NULL
    holder uuid
    till timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone
postroom.ring
    id bigint NOT NULL GENERATED AS IDENTITY
    tenant_id uuid NOT NULL
    mailbox_id uuid NOT NULL
    ref text
    rang_at timestamp with time zone NOT NULL
postroom.seal
    tenant_id uuid NOT NULL
    number bigint NOT NULL
    from_xid bigint NOT NULL
    upto_xid bigint NOT NULL
    facts integer NOT NULL
    root bytea NOT NULL
    chain bytea NOT NULL
    sealed_at timestamp with time zone NOT NULL
postroom.sender_profile
    tenant_id uuid NOT NULL
    sender_email text NOT NULL
    profile jsonb NOT NULL
    learnt_from uuid
    updated_at timestamp with time zone NOT NULL
postroom.sender_rule
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    pipeline text NOT NULL
    entry text NOT NULL
    created_by text NOT NULL
    created_at timestamp with time zone NOT NULL DEFAULT now()
postroom.session
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    person_id uuid NOT NULL
    digest bytea NOT NULL
    how text NOT NULL
    source text NOT NULL DEFAULT ''::text
    agent text NOT NULL DEFAULT ''::text
    started_at timestamp with time zone NOT NULL
    seen_at timestamp with time zone NOT NULL
    expires_at timestamp with time zone NOT NULL
    ends_at timestamp with time zone NOT NULL
postroom.signin_link
    digest bytea NOT NULL
    tenant_id uuid NOT NULL
    person_id uuid NOT NULL
    expires_at timestamp with time zone NOT NULL
postroom.signin_try
    key bytea NOT NULL
    tenant_id uuid
    tries integer NOT NULL DEFAULT 1
    at timestamp with time zone NOT NULL
    till timestamp with time zone NOT NULL DEFAULT '-infinity'::timestamp with time zone
postroom.tenant
    tenant_id uuid NOT NULL
    name text NOT NULL
    policy jsonb NOT NULL DEFAULT '{}'::jsonb
    created_at timestamp with time zone NOT NULL DEFAULT now()
postroom.thread
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    mailbox_id uuid NOT NULL
    provider_thread_id text NOT NULL
    subject text NOT NULL DEFAULT ''::text
    messages integer NOT NULL DEFAULT 0
    last_message_at timestamp with time zone NOT NULL
postroom.timetable
    name text NOT NULL
    spec text NOT NULL
    next_at timestamp with time zone NOT NULL
    fired bigint NOT NULL DEFAULT 0
postroom.trade
    id uuid NOT NULL
    tenant_id uuid NOT NULL
    document_id uuid NOT NULL
    position integer NOT NULL
    status text NOT NULL
    because text NOT NULL
    direction text
    trade_date date
    settlement_date date
    quantity numeric
    isin text
    ticker text
    name text
    price numeric
    currency text
    gross numeric
    fees numeric
    taxes numeric
    net numeric
    confidence double precision NOT NULL
    fields jsonb NOT NULL DEFAULT '{}'::jsonb
    fingerprint text
    instance smallint NOT NULL DEFAULT 1
    duplicate_of uuid
    order_id uuid
    order_because text
    trade_key text
    confirmed_by text
    confirmed_at timestamp with time zone
    corrected_by text
    corrected_at timestamp with time zone
    created_at timestamp with time zone NOT NULL DEFAULT now()
    updated_at timestamp with time zone NOT NULL DEFAULT now()
postroom.unwanted_blob
    tenant_id uuid NOT NULL
    blob_key text NOT NULL
    noted_at timestamp with time zone NOT NULL
postroom.upload
    document_id uuid NOT NULL
    tenant_id uuid NOT NULL
    content bytea NOT NULL
    created_at timestamp with time zone NOT NULL DEFAULT now()
postroom.worker
    id uuid NOT NULL
    name text NOT NULL
    started_at timestamp with time zone NOT NULL DEFAULT now()
    lease_till timestamp with time zone NOT NULL

-- constraints

bo_airflow.email_ingestion_state.email_ingestion_state_pkey
    PRIMARY KEY (id)
bo_airflow.email_ingestion_state.unique_app_message
    UNIQUE (app_name, message_id)
padealing.graph_subscription_state.graph_subscription_state_pkey
    PRIMARY KEY (id)
padealing.graph_subscription_state.graph_subscription_state_subscription_id_key
    UNIQUE (subscription_id)
padealing.graph_subscription_state.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
padealing.graph_subscription_state.subscription_of_a_mailbox_names_its_tenant
    CHECK (((mailbox_id IS NULL) OR (tenant_id IS NOT NULL)))
postroom.api_key.api_key_pkey
    PRIMARY KEY (id)
postroom.api_key.api_key_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.api_key.key_digest_is_unique
    UNIQUE (digest)
postroom.api_key.key_has_a_known_role
    CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text])))
postroom.attachment.attachment_hash_is_sha256
    CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
postroom.attachment.attachment_message_id_fkey
    FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE CASCADE
postroom.attachment.attachment_pkey
    PRIMARY KEY (message_id, sha256)
postroom.attempt.attempt_outcome_is_known
    CHECK ((outcome = ANY (ARRAY['done'::text, 'retry'::text, 'throttled'::text, 'parked'::text, 'quarantined'::text, 'stopped'::text, 'lost'::text, 'released'::text])))
postroom.attempt.attempt_pkey
    PRIMARY KEY (finished_at, id)
postroom.audit_run.audit_run_pkey
    PRIMARY KEY (mailbox_id)
postroom.audit_run.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.consent.consent_is_of_a_tenant
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.consent.consent_pkey
    PRIMARY KEY (state)
postroom.coverage.coverage_pkey
    PRIMARY KEY (id)
postroom.coverage.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.disposition.disposition_is_known
    CHECK ((status = ANY (ARRAY['pending'::text, 'processed'::text, 'filtered'::text, 'failed'::text, 'deleted'::text])))
postroom.disposition.disposition_message_id_fkey
    FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE CASCADE
postroom.disposition.disposition_pkey
    PRIMARY KEY (message_id, pipeline)
postroom.document.attachment_becomes_one_document
    UNIQUE (tenant_id, message_id, attachment_path)
postroom.document.document_duplicate_of_fkey
    FOREIGN KEY (duplicate_of) REFERENCES postroom.document(id) ON DELETE SET NULL
postroom.document.document_hash_is_sha256
    CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
postroom.document.document_kind_is_known
    CHECK ((kind = ANY (ARRAY['contract_note'::text, 'activity_statement'::text, 'invoice'::text, 'other'::text])))
postroom.document.document_message_id_fkey
    FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE SET NULL
postroom.document.document_pkey
    PRIMARY KEY (id)
postroom.document.document_source_is_known
    CHECK ((source = ANY (ARRAY['graph_webhook'::text, 'gmail_push'::text, 'poller'::text, 'backfill'::text, 'files'::text, 'manual_upload'::text])))
postroom.document.document_status_is_known
    CHECK ((status = ANY (ARRAY['waiting'::text, 'read'::text, 'review'::text, 'confirmed'::text, 'duplicate'::text, 'rejected'::text, 'skipped'::text, 'failed'::text])))
postroom.document.document_trust_is_known
    CHECK ((trust = ANY (ARRAY['trusted'::text, 'authenticated'::text, 'unknown'::text, 'spoofed'::text])))
postroom.document.failed_document_says_why
    CHECK (((status <> 'failed'::text) OR (because <> ''::text)))
postroom.document.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE SET NULL (mailbox_id)
postroom.document_correction.correction_changes_something
    CHECK ((before IS DISTINCT FROM after))
postroom.document_correction.document_correction_document_id_fkey
    FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE
postroom.document_correction.document_correction_invoice_id_fkey
    FOREIGN KEY (invoice_id) REFERENCES postroom.invoice(id) ON DELETE CASCADE
postroom.document_correction.document_correction_pkey
    PRIMARY KEY (id)
postroom.document_correction.document_correction_trade_id_fkey
    FOREIGN KEY (trade_id) REFERENCES postroom.trade(id) ON DELETE CASCADE
postroom.fact.fact_pkey
    PRIMARY KEY (told_at, id)
postroom.gmail_watch_state.gmail_watch_state_pkey
    PRIMARY KEY (mailbox_id)
postroom.gmail_watch_state.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.gmail_watch_state.watch_status_is_known
    CHECK ((status = ANY (ARRAY['active'::text, 'expired'::text, 'removed'::text])))
postroom.hint.hint_pkey
    PRIMARY KEY (mailbox_id, ref)
postroom.hint.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.house.house_pkey
    PRIMARY KEY (single)
postroom.house.house_single_check
    CHECK (single)
postroom.idempotency.idempotency_pkey
    PRIMARY KEY (tenant_id, actor, key)
postroom.idempotency.idempotency_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.invoice.confirmed_invoice_is_whole
    CHECK (((status <> 'confirmed'::text) OR ((number IS NOT NULL) AND (issue_date IS NOT NULL) AND (grand_total IS NOT NULL) AND (currency IS NOT NULL) AND (confirmed_by IS NOT NULL) AND (confirmed_at IS NOT NULL))))
postroom.invoice.document_is_one_invoice
    UNIQUE (document_id)
postroom.invoice.invoice_document_id_fkey
    FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE
postroom.invoice.invoice_duplicate_of_fkey
    FOREIGN KEY (duplicate_of) REFERENCES postroom.invoice(id) ON DELETE SET NULL
postroom.invoice.invoice_pkey
    PRIMARY KEY (id)
postroom.invoice.invoice_status_is_known
    CHECK ((status = ANY (ARRAY['confirmed'::text, 'review'::text, 'rejected'::text, 'duplicate'::text])))
postroom.invoice_line.invoice_line_invoice_id_fkey
    FOREIGN KEY (invoice_id) REFERENCES postroom.invoice(id) ON DELETE CASCADE
postroom.invoice_line.invoice_line_pkey
    PRIMARY KEY (invoice_id, "position")
postroom.job.job_pkey
    PRIMARY KEY (id)
postroom.job.job_priority_is_known
    CHECK (((priority >= 0) AND (priority <= 3)))
postroom.job.job_runs_on_a_worker
    CHECK (((state <> 1) OR (worker_id IS NOT NULL)))
postroom.job.job_state_is_known
    CHECK (((state >= 0) AND (state <= 5)))
postroom.mailbox.mailbox_access_is_known
    CHECK ((access = ANY (ARRAY['delegated'::text, 'app_only'::text, 'password'::text, 'files'::text])))
postroom.mailbox.mailbox_address_is_lower_case
    CHECK ((address = lower(address)))
postroom.mailbox.mailbox_is_connected_once
    UNIQUE (tenant_id, provider, address)
postroom.mailbox.mailbox_is_of_one_tenant
    UNIQUE (id, tenant_id)
postroom.mailbox.mailbox_pkey
    PRIMARY KEY (id)
postroom.mailbox.mailbox_provider_is_known
    CHECK ((provider = ANY (ARRAY['outlook'::text, 'gmail'::text, 'imap'::text, 'files'::text])))
postroom.mailbox.mailbox_status_is_known
    CHECK ((status = ANY (ARRAY['active'::text, 'token_refresh_failed'::text, 'subscription_expired'::text, 'provider_error'::text, 'paused'::text, 'disconnected'::text])))
postroom.mailbox.mailbox_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.mailbox_cursor.cursor_is_never_empty
    CHECK (((cursor <> ''::text) AND (resync_cursor <> ''::text)))
postroom.mailbox_cursor.delivery_is_known
    CHECK ((delivery = ANY (ARRAY['push'::text, 'poll'::text])))
postroom.mailbox_cursor.mailbox_cursor_pkey
    PRIMARY KEY (mailbox_id)
postroom.mailbox_cursor.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.mailbox_pulse.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.mailbox_pulse.mailbox_pulse_pkey
    PRIMARY KEY (mailbox_id)
postroom.mailbox_token.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.mailbox_token.mailbox_token_pkey
    PRIMARY KEY (mailbox_id)
postroom.message.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.message.message_arrives_once
    UNIQUE (tenant_id, mailbox_id, provider_message_id)
postroom.message.message_pkey
    PRIMARY KEY (id)
postroom.message.message_source_is_known
    CHECK ((source = ANY (ARRAY['push'::text, 'poll'::text, 'hint'::text, 'backfill'::text, 'reconcile'::text, 'import'::text])))
postroom.message.message_state_is_known
    CHECK ((state = ANY (ARRAY['announced'::text, 'arrived'::text, 'gone'::text, 'ignored'::text])))
postroom.message.message_thread_id_fkey
    FOREIGN KEY (thread_id) REFERENCES postroom.thread(id) ON DELETE SET NULL
postroom.migration.migration_pkey
    PRIMARY KEY (number)
postroom.pdf_password.password_label_is_unique
    UNIQUE (tenant_id, label)
postroom.pdf_password.pdf_password_pkey
    PRIMARY KEY (id)
postroom.pdf_password.pdf_password_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.pending_order.order_has_a_direction
    CHECK ((direction = ANY (ARRAY['BUY'::text, 'SELL'::text])))
postroom.pending_order.order_is_known_once
    UNIQUE (tenant_id, external_id)
postroom.pending_order.order_names_an_instrument
    CHECK ((COALESCE(isin, ticker, name) IS NOT NULL))
postroom.pending_order.order_quantity_is_positive
    CHECK (((quantity > (0)::numeric) AND (filled >= (0)::numeric)))
postroom.pending_order.order_status_is_known
    CHECK ((status = ANY (ARRAY['open'::text, 'filled'::text, 'cancelled'::text])))
postroom.pending_order.pending_order_pkey
    PRIMARY KEY (id)
postroom.person.person_email_is_lower_case
    CHECK (((email = lower(email)) AND (email ~~ '_%@_%'::text)))
postroom.person.person_has_a_known_role
    CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text])))
postroom.person.person_is_known_once
    UNIQUE (tenant_id, email)
postroom.person.person_pkey
    PRIMARY KEY (id)
postroom.person.person_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.provider_quota.provider_quota_mailbox_id_fkey
    FOREIGN KEY (mailbox_id) REFERENCES postroom.mailbox(id) ON DELETE CASCADE
postroom.provider_quota.provider_quota_pkey
    PRIMARY KEY (mailbox_id)
postroom.provider_slot.provider_slot_mailbox_id_fkey
    FOREIGN KEY (mailbox_id) REFERENCES postroom.mailbox(id) ON DELETE CASCADE
postroom.provider_slot.provider_slot_pkey
    PRIMARY KEY (mailbox_id, slot)
postroom.ring.ring_pkey
    PRIMARY KEY (id)
postroom.seal.seal_covers_something
    CHECK (((facts > 0) AND (from_xid < upto_xid)))
postroom.seal.seal_pkey
    PRIMARY KEY (tenant_id, number)
postroom.sender_profile.sender_profile_learnt_from_fkey
    FOREIGN KEY (learnt_from) REFERENCES postroom.document(id) ON DELETE SET NULL
postroom.sender_profile.sender_profile_pkey
    PRIMARY KEY (tenant_id, sender_email)
postroom.sender_profile.sender_profile_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.sender_rule.sender_entry_is_lower_case
    CHECK (((entry = lower(entry)) AND (entry <> ''::text)))
postroom.sender_rule.sender_is_allowed_once
    UNIQUE (tenant_id, pipeline, entry)
postroom.sender_rule.sender_rule_pkey
    PRIMARY KEY (id)
postroom.sender_rule.sender_rule_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.session.session_digest_is_unique
    UNIQUE (digest)
postroom.session.session_person_id_fkey
    FOREIGN KEY (person_id) REFERENCES postroom.person(id) ON DELETE CASCADE
postroom.session.session_pkey
    PRIMARY KEY (id)
postroom.session.session_slides_only_so_far
    CHECK ((expires_at <= ends_at))
postroom.session.session_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.session.session_way_in_is_known
    CHECK ((how = ANY (ARRAY['password'::text, 'oidc'::text, 'link'::text])))
postroom.signin_link.signin_link_person_id_fkey
    FOREIGN KEY (person_id) REFERENCES postroom.person(id) ON DELETE CASCADE
postroom.signin_link.signin_link_pkey
    PRIMARY KEY (digest)
postroom.signin_link.signin_link_tenant_id_fkey
    FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE
postroom.signin_try.signin_try_pkey
    PRIMARY KEY (key)
postroom.tenant.retention_is_in_days
    CHECK (((jsonb_typeof((policy -> 'retention'::text)) = 'object'::text) AND (NOT jsonb_path_exists(policy, '$."retention".*?((@.type() != "number" || @ < 30) || @ > 36500)'::jsonpath))))
postroom.tenant.tenant_name_is_a_short_word
    CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
postroom.tenant.tenant_name_is_unique
    UNIQUE (name)
postroom.tenant.tenant_pkey
    PRIMARY KEY (tenant_id)
postroom.thread.mailbox_is_of_the_same_tenant
    FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE
postroom.thread.thread_is_known_once
    UNIQUE (tenant_id, mailbox_id, provider_thread_id)
postroom.thread.thread_pkey
    PRIMARY KEY (id)
postroom.timetable.timetable_pkey
    PRIMARY KEY (name)
postroom.trade.confirmed_trade_is_whole
    CHECK (((status <> 'confirmed'::text) OR ((direction IS NOT NULL) AND (trade_date IS NOT NULL) AND (quantity > (0)::numeric) AND (net IS NOT NULL) AND (currency IS NOT NULL) AND (COALESCE(isin, ticker, name) IS NOT NULL) AND (confirmed_by IS NOT NULL) AND (confirmed_at IS NOT NULL))))
postroom.trade.document_tells_a_trade_once
    UNIQUE (document_id, "position")
postroom.trade.trade_direction_is_known
    CHECK ((direction = ANY (ARRAY['BUY'::text, 'SELL'::text])))
postroom.trade.trade_document_id_fkey
    FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE
postroom.trade.trade_duplicate_of_fkey
    FOREIGN KEY (duplicate_of) REFERENCES postroom.trade(id) ON DELETE SET NULL
postroom.trade.trade_order_id_fkey
    FOREIGN KEY (order_id) REFERENCES postroom.pending_order(id) ON DELETE SET NULL
postroom.trade.trade_pkey
    PRIMARY KEY (id)
postroom.trade.trade_status_is_known
    CHECK ((status = ANY (ARRAY['confirmed'::text, 'review'::text, 'rejected'::text, 'duplicate'::text])))
postroom.unwanted_blob.unwanted_blob_pkey
    PRIMARY KEY (tenant_id, blob_key)
postroom.upload.upload_document_id_fkey
    FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE
postroom.upload.upload_pkey
    PRIMARY KEY (document_id)
postroom.worker.worker_pkey
    PRIMARY KEY (id)

-- indexes

bo_airflow.email_ingestion_state_pkey
    CREATE UNIQUE INDEX email_ingestion_state_pkey ON bo_airflow.email_ingestion_state USING btree (id)
bo_airflow.unique_app_message
    CREATE UNIQUE INDEX unique_app_message ON bo_airflow.email_ingestion_state USING btree (app_name, message_id)
padealing.graph_subscription_of_mailbox
    CREATE INDEX graph_subscription_of_mailbox ON padealing.graph_subscription_state USING btree (tenant_id, mailbox_id, status)
padealing.graph_subscription_state_pkey
    CREATE UNIQUE INDEX graph_subscription_state_pkey ON padealing.graph_subscription_state USING btree (id)
padealing.graph_subscription_state_subscription_id_key
    CREATE UNIQUE INDEX graph_subscription_state_subscription_id_key ON padealing.graph_subscription_state USING btree (subscription_id)
padealing.idx_graph_subscription_expiry
    CREATE INDEX idx_graph_subscription_expiry ON padealing.graph_subscription_state USING btree (expiration_datetime) WHERE ((status)::text = 'active'::text)
padealing.one_active_subscription_per_mailbox
    CREATE UNIQUE INDEX one_active_subscription_per_mailbox ON padealing.graph_subscription_state USING btree (mailbox_id) WHERE ((status)::text = 'active'::text)
postroom.api_key_of_tenant
    CREATE INDEX api_key_of_tenant ON postroom.api_key USING btree (tenant_id, created_at)
postroom.api_key_pkey
    CREATE UNIQUE INDEX api_key_pkey ON postroom.api_key USING btree (id)
postroom.attachment_becomes_one_document
    CREATE UNIQUE INDEX attachment_becomes_one_document ON postroom.document USING btree (tenant_id, message_id, attachment_path)
postroom.attachment_by_key
    CREATE INDEX attachment_by_key ON postroom.attachment USING btree (tenant_id, blob_key)
postroom.attachment_oldest
    CREATE INDEX attachment_oldest ON postroom.attachment USING btree (tenant_id, fetched_at)
postroom.attachment_pkey
    CREATE UNIQUE INDEX attachment_pkey ON postroom.attachment USING btree (message_id, sha256)
postroom.attempt_of_failed_job
    CREATE INDEX attempt_of_failed_job ON ONLY postroom.attempt USING btree (job_id, id) WHERE (outcome <> ALL (ARRAY['done'::text, 'released'::text]))
postroom.attempt_of_tenant
    CREATE INDEX attempt_of_tenant ON ONLY postroom.attempt USING btree (tenant_id, id)
postroom.attempt_pkey
    CREATE UNIQUE INDEX attempt_pkey ON ONLY postroom.attempt USING btree (finished_at, id)
postroom.attempt_that_failed
    CREATE INDEX attempt_that_failed ON ONLY postroom.attempt USING btree (tenant_id, error_class, id) WHERE (outcome <> ALL (ARRAY['done'::text, 'released'::text]))
postroom.audit_run_pkey
    CREATE UNIQUE INDEX audit_run_pkey ON postroom.audit_run USING btree (mailbox_id)
postroom.consent_has_its_own_ticket
    CREATE UNIQUE INDEX consent_has_its_own_ticket ON postroom.consent USING btree (ticket)
postroom.consent_oldest
    CREATE INDEX consent_oldest ON postroom.consent USING btree (tenant_id, expires_at)
postroom.consent_pkey
    CREATE UNIQUE INDEX consent_pkey ON postroom.consent USING btree (state)
postroom.correction_of_document
    CREATE INDEX correction_of_document ON postroom.document_correction USING btree (document_id, id)
postroom.correction_of_invoice
    CREATE INDEX correction_of_invoice ON postroom.document_correction USING btree (invoice_id) WHERE (invoice_id IS NOT NULL)
postroom.correction_of_sender
    CREATE INDEX correction_of_sender ON postroom.document_correction USING btree (tenant_id, sender_email, id)
postroom.correction_of_trade
    CREATE INDEX correction_of_trade ON postroom.document_correction USING btree (trade_id) WHERE (trade_id IS NOT NULL)
postroom.coverage_of_mailbox
    CREATE INDEX coverage_of_mailbox ON postroom.coverage USING btree (tenant_id, mailbox_id, id DESC)
postroom.coverage_pkey
    CREATE UNIQUE INDEX coverage_pkey ON postroom.coverage USING btree (id)
postroom.disposition_of_status
    CREATE INDEX disposition_of_status ON postroom.disposition USING btree (tenant_id, status, message_id)
postroom.disposition_pkey
    CREATE UNIQUE INDEX disposition_pkey ON postroom.disposition USING btree (message_id, pipeline)
postroom.disposition_that_failed
    CREATE INDEX disposition_that_failed ON postroom.disposition USING btree (tenant_id, pipeline, message_id) WHERE (status = 'failed'::text)
postroom.document_by_archive_path
    CREATE INDEX document_by_archive_path ON postroom.document USING btree (tenant_id, archive_path) WHERE (archive_path IS NOT NULL)
postroom.document_by_content
    CREATE INDEX document_by_content ON postroom.document USING btree (tenant_id, sha256)
postroom.document_by_original
    CREATE INDEX document_by_original ON postroom.document USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL)
postroom.document_correction_pkey
    CREATE UNIQUE INDEX document_correction_pkey ON postroom.document_correction USING btree (id)
postroom.document_in_archive
    CREATE INDEX document_in_archive ON postroom.document USING btree (tenant_id, created_at) WHERE (archive_path IS NOT NULL)
postroom.document_is_one_invoice
    CREATE UNIQUE INDEX document_is_one_invoice ON postroom.invoice USING btree (document_id)
postroom.document_newest
    CREATE INDEX document_newest ON postroom.document USING btree (tenant_id, id DESC)
postroom.document_of_kind
    CREATE INDEX document_of_kind ON postroom.document USING btree (tenant_id, kind, id DESC)
postroom.document_of_mailbox
    CREATE INDEX document_of_mailbox ON postroom.document USING btree (mailbox_id) WHERE (mailbox_id IS NOT NULL)
postroom.document_of_message
    CREATE INDEX document_of_message ON postroom.document USING btree (message_id) WHERE (message_id IS NOT NULL)
postroom.document_of_sender
    CREATE INDEX document_of_sender ON postroom.document USING btree (tenant_id, sender_email, id DESC)
postroom.document_of_status
    CREATE INDEX document_of_status ON postroom.document USING btree (tenant_id, status, id DESC)
postroom.document_pkey
    CREATE UNIQUE INDEX document_pkey ON postroom.document USING btree (id)
postroom.document_tally_of_tenant
    CREATE INDEX document_tally_of_tenant ON postroom.document_tally USING btree (tenant_id)
postroom.document_tells_a_trade_once
    CREATE UNIQUE INDEX document_tells_a_trade_once ON postroom.trade USING btree (document_id, "position")
postroom.document_to_forget
    CREATE INDEX document_to_forget ON postroom.document USING btree (tenant_id, created_at) WHERE (forgotten_at IS NULL)
postroom.fact_in_order
    CREATE INDEX fact_in_order ON ONLY postroom.fact USING btree (tenant_id, xid, id)
postroom.fact_of_document
    CREATE INDEX fact_of_document ON ONLY postroom.fact USING btree (tenant_id, document_id, id) WHERE (document_id IS NOT NULL)
postroom.fact_of_kind
    CREATE INDEX fact_of_kind ON ONLY postroom.fact USING btree (tenant_id, kind, told_at)
postroom.fact_of_message
    CREATE INDEX fact_of_message ON ONLY postroom.fact USING btree (tenant_id, message_id, id) WHERE (message_id IS NOT NULL)
postroom.fact_pkey
    CREATE UNIQUE INDEX fact_pkey ON ONLY postroom.fact USING btree (told_at, id)
postroom.gmail_watch_state_pkey
    CREATE UNIQUE INDEX gmail_watch_state_pkey ON postroom.gmail_watch_state USING btree (mailbox_id)
postroom.hint_pkey
    CREATE UNIQUE INDEX hint_pkey ON postroom.hint USING btree (mailbox_id, ref)
postroom.house_pkey
    CREATE UNIQUE INDEX house_pkey ON postroom.house USING btree (single)
postroom.idempotency_oldest
    CREATE INDEX idempotency_oldest ON postroom.idempotency USING btree (tenant_id, created_at)
postroom.idempotency_pkey
    CREATE UNIQUE INDEX idempotency_pkey ON postroom.idempotency USING btree (tenant_id, actor, key)
postroom.invoice_by_fingerprint
    CREATE INDEX invoice_by_fingerprint ON postroom.invoice USING btree (tenant_id, fingerprint) WHERE (fingerprint IS NOT NULL)
postroom.invoice_by_number
    CREATE INDEX invoice_by_number ON postroom.invoice USING btree (tenant_id, number)
postroom.invoice_by_original
    CREATE INDEX invoice_by_original ON postroom.invoice USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL)
postroom.invoice_is_booked_once
    CREATE UNIQUE INDEX invoice_is_booked_once ON postroom.invoice USING btree (tenant_id, fingerprint, instance) WHERE (status = 'confirmed'::text)
postroom.invoice_line_pkey
    CREATE UNIQUE INDEX invoice_line_pkey ON postroom.invoice_line USING btree (invoice_id, "position")
postroom.invoice_newest
    CREATE INDEX invoice_newest ON postroom.invoice USING btree (tenant_id, id DESC)
postroom.invoice_of_status
    CREATE INDEX invoice_of_status ON postroom.invoice USING btree (tenant_id, status, id DESC)
postroom.invoice_pkey
    CREATE UNIQUE INDEX invoice_pkey ON postroom.invoice USING btree (id)
postroom.job_aside
    CREATE INDEX job_aside ON postroom.job USING btree (tenant_id, state, id) WHERE (state = ANY (ARRAY[4, 5]))
postroom.job_lane_waiting
    CREATE INDEX job_lane_waiting ON postroom.job USING btree (tenant_id, lane, priority, id) WHERE (state = 2)
postroom.job_later
    CREATE INDEX job_later ON postroom.job USING btree (run_at, id) WHERE (state = 3)
postroom.job_pkey
    CREATE UNIQUE INDEX job_pkey ON postroom.job USING btree (id)
postroom.job_ready
    CREATE INDEX job_ready ON postroom.job USING btree (priority, tenant_id, id) WHERE (state = 0)
postroom.job_running
    CREATE INDEX job_running ON postroom.job USING btree (worker_id) WHERE (state = 1)
postroom.key_digest_is_unique
    CREATE UNIQUE INDEX key_digest_is_unique ON postroom.api_key USING btree (digest)
postroom.mailbox_by_address
    CREATE INDEX mailbox_by_address ON postroom.mailbox USING btree (provider, address)
postroom.mailbox_cursor_pkey
    CREATE UNIQUE INDEX mailbox_cursor_pkey ON postroom.mailbox_cursor USING btree (mailbox_id)
postroom.mailbox_is_connected_once
    CREATE UNIQUE INDEX mailbox_is_connected_once ON postroom.mailbox USING btree (tenant_id, provider, address)
postroom.mailbox_is_of_one_tenant
    CREATE UNIQUE INDEX mailbox_is_of_one_tenant ON postroom.mailbox USING btree (id, tenant_id)
postroom.mailbox_pkey
    CREATE UNIQUE INDEX mailbox_pkey ON postroom.mailbox USING btree (id)
postroom.mailbox_pulse_pkey
    CREATE UNIQUE INDEX mailbox_pulse_pkey ON postroom.mailbox_pulse USING btree (mailbox_id)
postroom.mailbox_token_pkey
    CREATE UNIQUE INDEX mailbox_token_pkey ON postroom.mailbox_token USING btree (mailbox_id)
postroom.message_arrives_once
    CREATE UNIQUE INDEX message_arrives_once ON postroom.message USING btree (tenant_id, mailbox_id, provider_message_id)
postroom.message_by_internet_id
    CREATE INDEX message_by_internet_id ON postroom.message USING btree (tenant_id, internet_message_id) WHERE (internet_message_id IS NOT NULL)
postroom.message_in_order
    CREATE INDEX message_in_order ON postroom.message USING btree (tenant_id, (
CASE
    WHEN (received_at IS NULL) THEN announced_at
    ELSE received_at
END) DESC, id DESC)
postroom.message_in_order_of_mailbox
    CREATE INDEX message_in_order_of_mailbox ON postroom.message USING btree (tenant_id, mailbox_id, (
CASE
    WHEN (received_at IS NULL) THEN announced_at
    ELSE received_at
END) DESC, id DESC)
postroom.message_newest
    CREATE INDEX message_newest ON postroom.message USING btree (tenant_id, received_at DESC, id)
postroom.message_of_mailbox
    CREATE INDEX message_of_mailbox ON postroom.message USING btree (tenant_id, mailbox_id, received_at DESC, id)
postroom.message_of_thread
    CREATE INDEX message_of_thread ON postroom.message USING btree (tenant_id, thread_id, received_at) WHERE (thread_id IS NOT NULL)
postroom.message_on_its_way
    CREATE INDEX message_on_its_way ON postroom.message USING btree (tenant_id, announced_at) WHERE (state = 'announced'::text)
postroom.message_pkey
    CREATE UNIQUE INDEX message_pkey ON postroom.message USING btree (id)
postroom.message_to_forget
    CREATE INDEX message_to_forget ON postroom.message USING btree (tenant_id, arrived_at) WHERE ((forgotten_at IS NULL) AND (arrived_at IS NOT NULL))
postroom.migration_pkey
    CREATE UNIQUE INDEX migration_pkey ON postroom.migration USING btree (number)
postroom.one_at_a_time_per_lane
    CREATE UNIQUE INDEX one_at_a_time_per_lane ON postroom.job USING btree (tenant_id, lane) WHERE ((lane IS NOT NULL) AND ((state = ANY (ARRAY[0, 1])) OR ((state = ANY (ARRAY[3, 4])) AND holding)))
postroom.order_is_known_once
    CREATE UNIQUE INDEX order_is_known_once ON postroom.pending_order USING btree (tenant_id, external_id)
postroom.order_newest
    CREATE INDEX order_newest ON postroom.pending_order USING btree (tenant_id, id DESC)
postroom.order_that_waits
    CREATE INDEX order_that_waits ON postroom.pending_order USING btree (tenant_id, direction, placed_on) WHERE (status = 'open'::text)
postroom.outlook_mailbox_is_of_one_tenant
    CREATE UNIQUE INDEX outlook_mailbox_is_of_one_tenant ON postroom.mailbox USING btree (address) WHERE ((provider = 'outlook'::text) AND (status <> 'disconnected'::text))
postroom.password_label_is_unique
    CREATE UNIQUE INDEX password_label_is_unique ON postroom.pdf_password USING btree (tenant_id, label)
postroom.pdf_password_pkey
    CREATE UNIQUE INDEX pdf_password_pkey ON postroom.pdf_password USING btree (id)
postroom.pending_order_pkey
    CREATE UNIQUE INDEX pending_order_pkey ON postroom.pending_order USING btree (id)
postroom.person_by_email
    CREATE INDEX person_by_email ON postroom.person USING btree (email)
postroom.person_is_known_once
    CREATE UNIQUE INDEX person_is_known_once ON postroom.person USING btree (tenant_id, email)
postroom.person_of_subject
    CREATE UNIQUE INDEX person_of_subject ON postroom.person USING btree (tenant_id, oidc_subject) WHERE (oidc_subject IS NOT NULL)
postroom.person_pkey
    CREATE UNIQUE INDEX person_pkey ON postroom.person USING btree (id)
postroom.provider_quota_pkey
    CREATE UNIQUE INDEX provider_quota_pkey ON postroom.provider_quota USING btree (mailbox_id)
postroom.provider_slot_pkey
    CREATE UNIQUE INDEX provider_slot_pkey ON postroom.provider_slot USING btree (mailbox_id, slot)
postroom.ring_pkey
    CREATE UNIQUE INDEX ring_pkey ON postroom.ring USING btree (id)
postroom.seal_pkey
    CREATE UNIQUE INDEX seal_pkey ON postroom.seal USING btree (tenant_id, number)
postroom.sender_is_allowed_once
    CREATE UNIQUE INDEX sender_is_allowed_once ON postroom.sender_rule USING btree (tenant_id, pipeline, entry)
postroom.sender_profile_by_document
    CREATE INDEX sender_profile_by_document ON postroom.sender_profile USING btree (learnt_from) WHERE (learnt_from IS NOT NULL)
postroom.sender_profile_pkey
    CREATE UNIQUE INDEX sender_profile_pkey ON postroom.sender_profile USING btree (tenant_id, sender_email)
postroom.sender_rule_pkey
    CREATE UNIQUE INDEX sender_rule_pkey ON postroom.sender_rule USING btree (id)
postroom.session_by_person
    CREATE INDEX session_by_person ON postroom.session USING btree (person_id)
postroom.session_digest_is_unique
    CREATE UNIQUE INDEX session_digest_is_unique ON postroom.session USING btree (digest)
postroom.session_of_person
    CREATE INDEX session_of_person ON postroom.session USING btree (tenant_id, person_id, seen_at DESC)
postroom.session_pkey
    CREATE UNIQUE INDEX session_pkey ON postroom.session USING btree (id)
postroom.signin_link_by_person
    CREATE INDEX signin_link_by_person ON postroom.signin_link USING btree (person_id)
postroom.signin_link_of_tenant
    CREATE INDEX signin_link_of_tenant ON postroom.signin_link USING btree (tenant_id, expires_at)
postroom.signin_link_pkey
    CREATE UNIQUE INDEX signin_link_pkey ON postroom.signin_link USING btree (digest)
postroom.signin_try_by_age
    CREATE INDEX signin_try_by_age ON postroom.signin_try USING btree (at)
postroom.signin_try_pkey
    CREATE UNIQUE INDEX signin_try_pkey ON postroom.signin_try USING btree (key)
postroom.tenant_name_is_unique
    CREATE UNIQUE INDEX tenant_name_is_unique ON postroom.tenant USING btree (name)
postroom.tenant_pkey
    CREATE UNIQUE INDEX tenant_pkey ON postroom.tenant USING btree (tenant_id)
postroom.thread_is_known_once
    CREATE UNIQUE INDEX thread_is_known_once ON postroom.thread USING btree (tenant_id, mailbox_id, provider_thread_id)
postroom.thread_newest
    CREATE INDEX thread_newest ON postroom.thread USING btree (tenant_id, last_message_at DESC, id)
postroom.thread_of_mailbox
    CREATE INDEX thread_of_mailbox ON postroom.thread USING btree (tenant_id, mailbox_id, last_message_at DESC, id DESC)
postroom.thread_pkey
    CREATE UNIQUE INDEX thread_pkey ON postroom.thread USING btree (id)
postroom.timetable_pkey
    CREATE UNIQUE INDEX timetable_pkey ON postroom.timetable USING btree (name)
postroom.trade_by_fingerprint
    CREATE INDEX trade_by_fingerprint ON postroom.trade USING btree (tenant_id, fingerprint) WHERE (fingerprint IS NOT NULL)
postroom.trade_by_original
    CREATE INDEX trade_by_original ON postroom.trade USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL)
postroom.trade_is_booked_once
    CREATE UNIQUE INDEX trade_is_booked_once ON postroom.trade USING btree (tenant_id, fingerprint, instance) WHERE (status = 'confirmed'::text)
postroom.trade_newest
    CREATE INDEX trade_newest ON postroom.trade USING btree (tenant_id, id DESC)
postroom.trade_of_day
    CREATE INDEX trade_of_day ON postroom.trade USING btree (tenant_id, trade_date, direction)
postroom.trade_of_order
    CREATE INDEX trade_of_order ON postroom.trade USING btree (order_id) WHERE (order_id IS NOT NULL)
postroom.trade_of_status
    CREATE INDEX trade_of_status ON postroom.trade USING btree (tenant_id, status, id DESC)
postroom.trade_pkey
    CREATE UNIQUE INDEX trade_pkey ON postroom.trade USING btree (id)
postroom.unwanted_blob_pkey
    CREATE UNIQUE INDEX unwanted_blob_pkey ON postroom.unwanted_blob USING btree (tenant_id, blob_key)
postroom.upload_pkey
    CREATE UNIQUE INDEX upload_pkey ON postroom.upload USING btree (document_id)
postroom.waiting_jobs_of_one_key_are_one
    CREATE UNIQUE INDEX waiting_jobs_of_one_key_are_one ON postroom.job USING btree (tenant_id, kind, key) WHERE ((key IS NOT NULL) AND (state = ANY (ARRAY[0, 2, 3, 4])))
postroom.worker_pkey
    CREATE UNIQUE INDEX worker_pkey ON postroom.worker USING btree (id)

-- policies

bo_airflow.email_ingestion_state.everybody_else
    TO public FOR ALL USING (CURRENT_USER <> 'postroom_app'::name) CHECK (CURRENT_USER <> 'postroom_app'::name)
bo_airflow.email_ingestion_state.own_mailboxes
    TO postroom_app FOR ALL USING (EXISTS ( SELECT
   FROM postroom.mailbox m
  WHERE (m.address = lower((email_ingestion_state.mailbox_email)::text)))) CHECK (EXISTS ( SELECT
   FROM postroom.mailbox m
  WHERE (m.address = lower((email_ingestion_state.mailbox_email)::text))))
padealing.graph_subscription_state.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
padealing.graph_subscription_state.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.api_key.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.api_key.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.attachment.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.attempt.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.attempt.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.audit_run.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.consent.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.consent.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.coverage.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.disposition.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.document.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.document_correction.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.document_tally.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.fact.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.fact.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.gmail_watch_state.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.hint.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.hint.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.idempotency.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.invoice.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.invoice_line.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.job.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.job.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.mailbox.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.mailbox.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.mailbox_cursor.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.mailbox_pulse.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.mailbox_pulse.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.mailbox_token.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.message.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.pdf_password.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.pending_order.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.person.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.person.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.ring.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.ring.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.seal.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.seal.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.sender_profile.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.sender_rule.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.session.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.session.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.signin_link.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.signin_link.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.signin_try.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.signin_try.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.tenant.front_desk
    TO postroom_desk FOR ALL USING true CHECK true
postroom.tenant.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.thread.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.trade.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.unwanted_blob.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))
postroom.upload.own_tenant
    TO postroom_app FOR ALL USING (tenant_id = ( SELECT postroom.tenant() AS tenant)) CHECK (tenant_id = ( SELECT postroom.tenant() AS tenant))

-- triggers

bo_airflow.email_ingestion_state.nobody_takes_over_a_live_lease
    CREATE TRIGGER nobody_takes_over_a_live_lease BEFORE UPDATE ON bo_airflow.email_ingestion_state FOR EACH ROW EXECUTE FUNCTION bo_airflow.keep_live_lease()
postroom.document.documents_are_tallied
    CREATE TRIGGER documents_are_tallied AFTER INSERT OR DELETE OR UPDATE OF kind, status ON postroom.document FOR EACH ROW EXECUTE FUNCTION postroom.tally_document()
postroom.fact.facts_are_never_changed
    CREATE TRIGGER facts_are_never_changed BEFORE DELETE OR UPDATE ON postroom.fact FOR EACH ROW EXECUTE FUNCTION postroom.refuse_change()
postroom.fact.facts_are_never_emptied
    CREATE TRIGGER facts_are_never_emptied BEFORE TRUNCATE ON postroom.fact FOR EACH STATEMENT EXECUTE FUNCTION postroom.refuse_change()
postroom.mailbox.cursor_is_of_the_folder_we_serve
    CREATE TRIGGER cursor_is_of_the_folder_we_serve AFTER UPDATE OF folder ON postroom.mailbox FOR EACH ROW WHEN ((old.folder IS DISTINCT FROM new.folder)) EXECUTE FUNCTION postroom.drop_cursor()
postroom.seal.seals_are_never_changed
    CREATE TRIGGER seals_are_never_changed BEFORE DELETE OR UPDATE ON postroom.seal FOR EACH ROW EXECUTE FUNCTION postroom.refuse_change()
postroom.seal.seals_are_never_emptied
    CREATE TRIGGER seals_are_never_emptied BEFORE TRUNCATE ON postroom.seal FOR EACH STATEMENT EXECUTE FUNCTION postroom.refuse_change()

-- functions

bo_airflow.keep_live_lease()
CREATE OR REPLACE FUNCTION bo_airflow.keep_live_lease()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$

postroom.claim_jobs(uuid,integer,uuid,integer,jsonb)
CREATE OR REPLACE FUNCTION postroom.claim_jobs(p_worker uuid, p_most integer, p_after uuid, p_cap integer, p_running jsonb)
 RETURNS TABLE(id bigint, tenant_id uuid, kind text, key text, lane text, args jsonb, tries smallint, waits smallint, epoch integer, correlation_id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET enable_sort TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
    level  smallint := 0;
    wanted integer := p_most;  -- how many we may still take
    turns  uuid[];             -- the tenants of this level that have room, in turn
    again  uuid[];             -- those of them that may have more than their share
    turn   uuid;
    first  uuid;               -- where a round of the tenants begins
    around boolean;
    share  integer;
    room   integer;
    got    integer;
BEGIN
    WHILE wanted > 0 LOOP
        SELECT j.priority, j.tenant_id INTO level, first FROM postroom.job j WHERE j.state = 0 AND j.priority >= level
         ORDER BY j.priority, j.tenant_id, j.id LIMIT 1;
        EXIT WHEN NOT FOUND;

        turns := '{}';
        turn := p_after;
        around := false;
        WHILE cardinality(turns) < wanted LOOP
            SELECT j.tenant_id INTO turn FROM postroom.job j
             WHERE j.state = 0 AND j.priority = level AND j.tenant_id > turn
             ORDER BY j.priority, j.tenant_id, j.id LIMIT 1;
            IF NOT FOUND AND NOT around THEN  -- once around, up to where we began
                turn := first;
                around := true;
            END IF;
            EXIT WHEN turn IS NULL OR (around AND turn > p_after);
            IF coalesce((p_running ->> turn::text)::integer, 0) < p_cap THEN turns := turns || turn; END IF;
            EXIT WHEN around AND turn = p_after;
        END LOOP;

        share := greatest(1, wanted / greatest(1, cardinality(turns)));
        WHILE cardinality(turns) > 0 LOOP
            again := '{}';
            FOREACH turn IN ARRAY turns LOOP
                room := least(wanted, share, p_cap - coalesce((p_running ->> turn::text)::integer, 0));
                CONTINUE WHEN room <= 0;
                RETURN QUERY
                    UPDATE postroom.job j SET state = 1, epoch = j.epoch + 1, worker_id = p_worker,
                           started_at = clock_timestamp()
                     WHERE j.id = ANY (ARRAY(SELECT r.id FROM postroom.job r WHERE r.state = 0 AND r.priority = level
                                                AND r.tenant_id = turn ORDER BY r.priority, r.tenant_id, r.id LIMIT room
                                                FOR UPDATE SKIP LOCKED))
                    RETURNING j.id, j.tenant_id, j.kind, j.key, j.lane, j.args, j.tries, j.waits, j.epoch,
                              j.correlation_id, j.created_at;
                GET DIAGNOSTICS got = ROW_COUNT;
                wanted := wanted - got;
                EXIT WHEN wanted = 0;
                CONTINUE WHEN got = 0;
                p_running := p_running || jsonb_build_object(turn::text,
                    coalesce((p_running ->> turn::text)::integer, 0) + got);
                IF got = room THEN again := again || turn; END IF;
            END LOOP;
            EXIT WHEN wanted = 0;
            turns := again;  -- they may take what the others left of their share
            share := wanted;
        END LOOP;
        level := level + 1;
    END LOOP;
END $function$

postroom.close_job(uuid,bigint,integer,text,jsonb,jsonb)
CREATE OR REPLACE FUNCTION postroom.close_job(p_tenant uuid, p_id bigint, p_epoch integer, p_lane text, p_facts jsonb, p_jobs jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    done postroom.job;
BEGIN
    IF p_jobs IS NOT NULL THEN
        PERFORM postroom.lock_lanes(p_tenant, p_jobs,
            CASE WHEN p_lane IS NOT NULL THEN postroom.lane_lock(p_tenant, p_lane, NULL, NULL) END);
    ELSIF p_lane IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(postroom.lane_lock(p_tenant, p_lane, NULL, NULL));
    END IF;
    DELETE FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 1 RETURNING * INTO done;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, mailbox_id, epoch, outcome, retry_count, correlation_id,
                                  worker_id, created_at, started_at, finished_at)
    VALUES (done.tenant_id, done.id, done.kind, done.key, done.mailbox_id, done.epoch, 'done', done.tries,
            done.correlation_id, done.worker_id, done.created_at, done.started_at, clock_timestamp());
    IF p_lane IS NOT NULL THEN
        UPDATE postroom.job SET state = 0
         WHERE id = (SELECT id FROM postroom.job WHERE tenant_id = p_tenant AND lane = p_lane AND state = 2
                      ORDER BY priority, id LIMIT 1);
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
END $function$

postroom.close_to_others(regclass)
CREATE OR REPLACE PROCEDURE postroom.close_to_others(IN place regclass)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', place);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', place);
    EXECUTE format('CREATE POLICY own_tenant ON %s TO postroom_app '
                   'USING (tenant_id = (SELECT postroom.tenant())) '
                   'WITH CHECK (tenant_id = (SELECT postroom.tenant()))', place);
END $procedure$

postroom.continue_job(uuid,bigint,integer,jsonb,jsonb)
CREATE OR REPLACE FUNCTION postroom.continue_job(p_tenant uuid, p_id bigint, p_epoch integer, p_facts jsonb, p_jobs jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF p_jobs IS NOT NULL THEN PERFORM postroom.lock_lanes(p_tenant, p_jobs, NULL); END IF;
    PERFORM FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 1 FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
END $function$

postroom.drop_cursor()
CREATE OR REPLACE FUNCTION postroom.drop_cursor()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE postroom.mailbox_cursor
       SET cursor = NULL, moved_at = NULL, synced_at = NULL, resync_since = NULL, resync_page = NULL, resync_cursor = NULL,
           resync_found = 0, resync_attempts = 0
     WHERE mailbox_id = NEW.id;
    RETURN NULL;
END $function$

postroom.end_run(uuid,bigint,integer,text,jsonb,interval,boolean,text,jsonb,jsonb)
CREATE OR REPLACE FUNCTION postroom.end_run(p_tenant uuid, p_id bigint, p_epoch integer, p_outcome text, p_error jsonb, p_delay interval, p_spends boolean, p_parked_for text, p_facts jsonb, p_jobs jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
    run  postroom.job;
    twin postroom.job;
    at   timestamptz := CASE WHEN p_delay IS NOT NULL THEN clock_timestamp() + p_delay END;
BEGIN
    SELECT * INTO run FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant;
    PERFORM postroom.lock_lanes(p_tenant, p_jobs,
        CASE WHEN run.lane IS NOT NULL OR run.key IS NOT NULL
             THEN postroom.lane_lock(p_tenant, run.lane, run.kind, run.key) END);
    SELECT * INTO run FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 1 FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    IF p_spends THEN run.tries := run.tries + 1; END IF;
    IF p_outcome = 'throttled' THEN run.waits := run.waits + 1; ELSE run.waits := 0; END IF;
    PERFORM postroom.record_attempt(run, p_outcome, p_error, at, p_outcome = 'quarantined');
    IF p_outcome = 'stopped' THEN
        DELETE FROM postroom.job WHERE id = p_id;
    ELSE
        IF p_outcome <> 'quarantined' AND run.key IS NOT NULL THEN
            DELETE FROM postroom.job WHERE tenant_id = p_tenant AND kind = run.kind AND key = run.key
               AND state IN (0, 2, 3, 4) RETURNING * INTO twin;
        END IF;
        UPDATE postroom.job
           SET state = CASE p_outcome WHEN 'quarantined' THEN 5 WHEN 'parked' THEN 4 ELSE 3 END,
               tries = run.tries, waits = run.waits, worker_id = NULL, started_at = NULL,
               holding = run.holds_lane AND p_outcome <> 'quarantined',
               run_at = coalesce(at, run_at), not_before = coalesce(at, not_before),
               parked_for = p_parked_for, reason = p_error ->> 'text',
               error_class = coalesce(p_error ->> 'class', error_class),
               hits = run.hits + coalesce(twin.hits, 0), args = coalesce(twin.args, run.args),
               priority = least(run.priority, coalesce(twin.priority, run.priority))
         WHERE id = p_id;
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
    IF run.lane IS NOT NULL THEN PERFORM postroom.open_lane(p_tenant, run.lane); END IF;
END $function$

postroom.enqueue(uuid,jsonb)
CREATE OR REPLACE FUNCTION postroom.enqueue(p_tenant uuid, p_jobs jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    PERFORM postroom.lock_lanes(p_tenant, p_jobs, NULL);
    PERFORM postroom.put_jobs(p_tenant, p_jobs);
END $function$

postroom.fold_document_tally(uuid)
CREATE OR REPLACE FUNCTION postroom.fold_document_tally(p_tenant uuid)
 RETURNS void
 LANGUAGE sql
AS $function$
    WITH loose AS (
        SELECT ctid FROM postroom.document_tally WHERE tenant_id = p_tenant LIMIT 2000 FOR UPDATE SKIP LOCKED
    ), taken AS (
        DELETE FROM postroom.document_tally t USING loose WHERE t.ctid = loose.ctid RETURNING t.kind, t.status, t.count
    )
    INSERT INTO postroom.document_tally (tenant_id, kind, status, count)
    SELECT p_tenant, kind, status, sum(count) FROM taken GROUP BY kind, status HAVING sum(count) <> 0
$function$

postroom.keep_partitions(date,integer)
CREATE OR REPLACE FUNCTION postroom.keep_partitions(p_today date, p_keep_days integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
    day     date;
    month   date;
    old     text;
    changed integer := 0;
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(7120001);
    FOR ahead IN 0..7 LOOP
        day := p_today + ahead;
        IF postroom.make_partition('attempt', day, day + 1) THEN changed := changed + 1; END IF;
    END LOOP;
    FOR ahead IN 0..2 LOOP
        month := (date_trunc('month', p_today) + make_interval(months => ahead))::date;
        IF postroom.make_partition('fact', month, (month + interval '1 month')::date) THEN changed := changed + 1; END IF;
    END LOOP;
    FOR old IN SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid
                WHERE i.inhparent = 'postroom.attempt'::regclass AND c.relname ~ '^attempt_\d{8}$'
                  AND to_date(right(c.relname, 8), 'YYYYMMDD') < p_today - greatest(p_keep_days, 1) LOOP
        EXECUTE format('DROP TABLE postroom.%I', old);
        changed := changed + 1;
    END LOOP;
    RETURN changed;
END $function$

postroom.lane_lock(uuid,text,text,text)
CREATE OR REPLACE FUNCTION postroom.lane_lock(p_tenant uuid, p_lane text, p_kind text, p_key text)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$ SELECT hashtextextended(coalesce(p_lane, p_kind || '#' || p_key), hashtextextended(p_tenant::text, 0)) $function$

postroom.lock_lanes(uuid,jsonb,bigint)
CREATE OR REPLACE FUNCTION postroom.lock_lanes(p_tenant uuid, p_jobs jsonb, p_also bigint)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF p_jobs IS NULL THEN
        IF p_also IS NOT NULL THEN PERFORM pg_advisory_xact_lock(p_also); END IF;
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(lock) FROM (
        SELECT DISTINCT lock FROM (
            SELECT postroom.lane_lock(coalesce(j.tenant_id, p_tenant), j.lane, j.kind, j.key) AS lock
              FROM jsonb_to_recordset(p_jobs) AS j (tenant_id uuid, kind text, key text, lane text)
             WHERE j.lane IS NOT NULL OR j.key IS NOT NULL
            UNION ALL SELECT p_also WHERE p_also IS NOT NULL) every
         ORDER BY lock) sorted;
END $function$

postroom.make_partition(text,date,date)
CREATE OR REPLACE FUNCTION postroom.make_partition(p_parent text, p_from date, p_upto date)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
    name text := format('%s_%s', p_parent, to_char(p_from, 'YYYYMMDD'));
BEGIN
    IF to_regclass('postroom.' || quote_ident(name)) IS NOT NULL THEN RETURN false; END IF;
    EXECUTE format('CREATE TABLE postroom.%I PARTITION OF postroom.%I FOR VALUES FROM (%L) TO (%L)',
                   name, p_parent, p_from::timestamp AT TIME ZONE 'UTC', p_upto::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('ALTER TABLE postroom.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE postroom.%I FORCE ROW LEVEL SECURITY', name);
    RETURN true;
EXCEPTION WHEN check_violation THEN
    RETURN false;  -- rows of those days are in the default partition already; they stay there
END $function$

postroom.open_lane(uuid,text)
CREATE OR REPLACE FUNCTION postroom.open_lane(p_tenant uuid, p_lane text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    UPDATE postroom.job SET state = 0
     WHERE id = (SELECT id FROM postroom.job WHERE tenant_id = p_tenant AND lane = p_lane AND state = 2
                  ORDER BY priority, id LIMIT 1)
       AND NOT EXISTS (SELECT FROM postroom.job taken WHERE taken.tenant_id = p_tenant AND taken.lane = p_lane
                          AND (taken.state IN (0, 1) OR (taken.state IN (3, 4) AND taken.holding)));
END $function$

postroom.open_to_desk(regclass,text)
CREATE OR REPLACE PROCEDURE postroom.open_to_desk(IN place regclass, IN rights text)
 LANGUAGE plpgsql
AS $procedure$
BEGIN
    EXECUTE format('CREATE POLICY front_desk ON %s TO postroom_desk USING (true) WITH CHECK (true)', place);
    EXECUTE format('GRANT %s ON %s TO postroom_desk', rights, place);
END $procedure$

postroom.put_jobs(uuid,jsonb)
CREATE OR REPLACE FUNCTION postroom.put_jobs(p_tenant uuid, p_jobs jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    WITH asked AS (
        SELECT coalesce(j.tenant_id, p_tenant) AS tenant_id, j.kind, j.key, j.lane, coalesce(j.priority, 1) AS priority,
               coalesce(j.holds_lane, true) AS holds_lane, coalesce(j.args, '{}') AS args, j.mailbox_id,
               coalesce(j.correlation_id, gen_random_uuid()) AS correlation_id,
               coalesce(j.run_at, now()) AS run_at, j.ord
          FROM ROWS FROM (jsonb_to_recordset(p_jobs) AS (tenant_id uuid, kind text, key text, lane text,
                   priority smallint, holds_lane boolean, args jsonb, mailbox_id uuid, correlation_id uuid,
                   run_at timestamptz)) WITH ORDINALITY
               AS j (tenant_id, kind, key, lane, priority, holds_lane, args, mailbox_id, correlation_id, run_at, ord)
    ), single AS (  -- twins inside one batch: the last one says how, and they are one
        SELECT DISTINCT ON (tenant_id, kind, coalesce(key, '#' || ord)) *
          FROM asked ORDER BY tenant_id, kind, coalesce(key, '#' || ord), ord DESC
    ), placed AS (
        SELECT s.*, row_number() OVER (PARTITION BY tenant_id, coalesce(lane, '#' || ord)
                                       ORDER BY run_at > now(), priority, ord) AS turn
          FROM single s
    )
    INSERT INTO postroom.job AS waiting
           (tenant_id, kind, key, lane, priority, holds_lane, args, mailbox_id, correlation_id, run_at, state)
    SELECT tenant_id, kind, key, lane, priority, holds_lane, args, mailbox_id, correlation_id, run_at,
           CASE WHEN run_at > now() THEN 3
                WHEN lane IS NOT NULL AND (turn > 1 OR EXISTS (
                        SELECT FROM postroom.job taken
                         WHERE taken.tenant_id = p.tenant_id AND taken.lane = p.lane
                           AND (taken.state IN (0, 1) OR (taken.state IN (3, 4) AND taken.holding)))) THEN 2
                ELSE 0 END
      FROM placed p ORDER BY ord
    ON CONFLICT (tenant_id, kind, key) WHERE key IS NOT NULL AND state IN (0, 2, 3, 4) DO UPDATE
       SET hits = waiting.hits + 1,
           args = excluded.args,
           priority = least(waiting.priority, excluded.priority),
           run_at = greatest(least(waiting.run_at, excluded.run_at), waiting.not_before);
END $function$

postroom.reap_workers(integer)
CREATE OR REPLACE FUNCTION postroom.reap_workers(p_most_tries integer)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
    dead record;
    lost record;
    freed integer := 0;
BEGIN
    FOR dead IN SELECT w.id FROM postroom.worker w WHERE w.lease_till < clock_timestamp()
                 ORDER BY w.lease_till LIMIT 1 FOR UPDATE SKIP LOCKED LOOP  -- one a call: locks in one order
        FOR lost IN SELECT j.id, j.tenant_id, j.epoch, j.tries FROM postroom.job j
                     WHERE j.worker_id = dead.id AND j.state = 1
                     ORDER BY postroom.lane_lock(j.tenant_id, j.lane, j.kind, j.key) LOOP
            BEGIN
                IF lost.tries >= p_most_tries THEN
                    PERFORM postroom.end_run(lost.tenant_id, lost.id, lost.epoch, 'quarantined', jsonb_build_object('class',
                        'non_retryable', 'code', 'unknown', 'text', format('Its worker died %s times.', lost.tries + 1)),
                        NULL, true, NULL, NULL, NULL);
                ELSE
                    PERFORM postroom.end_run(lost.tenant_id, lost.id, lost.epoch, 'lost', jsonb_build_object('class',
                        'retryable', 'code', 'unknown', 'text', 'Its worker died.'), interval '0', true, NULL, NULL, NULL);
                END IF;
                freed := freed + 1;
            EXCEPTION WHEN SQLSTATE 'PR001' THEN NULL;  -- it finished meanwhile
            END;
        END LOOP;
        DELETE FROM postroom.worker WHERE id = dead.id
           AND NOT EXISTS (SELECT FROM postroom.job j WHERE j.worker_id = dead.id AND j.state = 1);
    END LOOP;
    RETURN freed;
END $function$

postroom.record_attempt(postroom.job,text,jsonb,timestamp with time zone,boolean)
CREATE OR REPLACE FUNCTION postroom.record_attempt(p_job postroom.job, p_outcome text, p_error jsonb, p_next timestamp with time zone, p_exhausted boolean)
 RETURNS void
 LANGUAGE sql
AS $function$
    INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, mailbox_id, epoch, outcome, error_class, error_code, error,
           retry_count, next_retry_at, max_retries_reached, correlation_id, worker_id, created_at, started_at, finished_at)
    VALUES (p_job.tenant_id, p_job.id, p_job.kind, p_job.key, p_job.mailbox_id, p_job.epoch, p_outcome,
           p_error ->> 'class', p_error ->> 'code', p_error ->> 'text', p_job.tries, p_next, p_exhausted,
           p_job.correlation_id, p_job.worker_id, p_job.created_at, p_job.started_at, clock_timestamp())
$function$

postroom.refuse_change()
CREATE OR REPLACE FUNCTION postroom.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $function$

postroom.replay_job(uuid,bigint)
CREATE OR REPLACE FUNCTION postroom.replay_job(p_tenant uuid, p_id bigint)
 RETURNS boolean
 LANGUAGE sql
AS $function$
    SELECT postroom.replay_job(p_tenant, p_id, NULL)
$function$

postroom.replay_job(uuid,bigint,text)
CREATE OR REPLACE FUNCTION postroom.replay_job(p_tenant uuid, p_id bigint, p_by text)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
    again postroom.job;
BEGIN
    SELECT * INTO again FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM pg_advisory_xact_lock(postroom.lane_lock(p_tenant, again.lane, again.kind, coalesce(again.key, '')));
    DELETE FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant AND state IN (3, 4, 5) RETURNING * INTO again;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM postroom.put_jobs(p_tenant, jsonb_build_array(jsonb_build_object('kind', again.kind, 'key', again.key,
        'lane', again.lane, 'priority', again.priority, 'holds_lane', again.holds_lane,
        'args', again.args || jsonb_strip_nulls(jsonb_build_object('asked_by', p_by)),
        'mailbox_id', again.mailbox_id, 'correlation_id', again.correlation_id)));
    IF again.lane IS NOT NULL THEN PERFORM postroom.open_lane(p_tenant, again.lane); END IF;
    RETURN true;
END $function$

postroom.settled_xid()
CREATE OR REPLACE FUNCTION postroom.settled_xid()
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
    seen   pg_snapshot := pg_current_snapshot();
    oldest bigint;
    shift  bigint;
BEGIN
    SELECT xid_offset INTO shift FROM postroom.house;
    SELECT min(x::text::bigint) INTO oldest FROM pg_snapshot_xip(seen) x
     WHERE NOT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
                        WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock'
                          AND l.transactionid::text::bigint = (x::text::bigint & 4294967295)
                          AND a.datid IS DISTINCT FROM (SELECT oid FROM pg_database WHERE datname = current_database()));
    RETURN coalesce(oldest, pg_snapshot_xmax(seen)::text::bigint) + shift;
END $function$

postroom.sort_rings(bigint[],timestamp with time zone,jsonb,jsonb,jsonb,jsonb)
CREATE OR REPLACE FUNCTION postroom.sort_rings(p_rings bigint[], p_now timestamp with time zone, p_hints jsonb, p_pulses jsonb, p_facts jsonb, p_jobs jsonb)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
BEGIN
    DELETE FROM postroom.ring WHERE id = ANY (p_rings);
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM postroom.take_bells(p_now, p_hints, p_pulses, p_facts, p_jobs);
    RETURN true;
END $function$

postroom.take_bells(timestamp with time zone,jsonb,jsonb,jsonb,jsonb)
CREATE OR REPLACE FUNCTION postroom.take_bells(p_now timestamp with time zone, p_hints jsonb, p_pulses jsonb, p_facts jsonb, p_jobs jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    IF p_hints IS NOT NULL THEN
        INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at)
        SELECT h.tenant_id, h.mailbox_id, h.ref, p_now
          FROM jsonb_to_recordset(p_hints) AS h (tenant_id uuid, mailbox_id uuid, ref text)
          JOIN postroom.mailbox m ON m.id = h.mailbox_id  -- one deleted a moment ago must not spoil the others' commit
         ORDER BY h.mailbox_id, h.ref
        ON CONFLICT DO NOTHING;
    END IF;
    IF p_pulses IS NOT NULL THEN
        INSERT INTO postroom.mailbox_pulse (tenant_id, mailbox_id, last_push_at, pushes)
        SELECT p.tenant_id, p.mailbox_id, coalesce(p.rang_at, p_now), p.pushes
          FROM jsonb_to_recordset(p_pulses) AS p (tenant_id uuid, mailbox_id uuid, pushes bigint, rang_at timestamptz)
          JOIN postroom.mailbox m ON m.id = p.mailbox_id
         ORDER BY p.mailbox_id
        ON CONFLICT (mailbox_id) DO UPDATE
           SET last_push_at = greatest(mailbox_pulse.last_push_at, excluded.last_push_at),
               pushes = mailbox_pulse.pushes + excluded.pushes;
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(NULL, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.enqueue(NULL, p_jobs); END IF;
END $function$

postroom.tally_document()
CREATE OR REPLACE FUNCTION postroom.tally_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
END $function$

postroom.tell_facts(uuid,jsonb)
CREATE OR REPLACE FUNCTION postroom.tell_facts(p_tenant uuid, p_facts jsonb)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
    INSERT INTO postroom.fact (xid, told_at, tenant_id, kind, mailbox_id, thread_id, message_id, document_id, job_id,
                               run_id, correlation_id, actor, body, digest)
    SELECT pg_current_xact_id()::text::bigint + h.xid_offset, f.told_at, coalesce(f.tenant_id, p_tenant), f.kind, f.mailbox_id,
           f.thread_id, f.message_id, f.document_id, f.job_id, f.run_id, f.correlation_id, f.actor, f.body,
           decode(f.digest, 'hex')
      FROM postroom.house h,
           jsonb_to_recordset(p_facts) AS f (told_at timestamptz, tenant_id uuid, kind text, mailbox_id uuid,
               thread_id uuid, message_id uuid, document_id uuid, job_id bigint, run_id text, correlation_id uuid,
               actor text, body jsonb, digest text);
END $function$

postroom.tenant()
CREATE OR REPLACE FUNCTION postroom.tenant()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ SELECT nullif(current_setting('postroom.tenant', true), '')::uuid $function$

postroom.unpark(uuid,text)
CREATE OR REPLACE FUNCTION postroom.unpark(p_tenant uuid, p_parked_for text)
 RETURNS integer
 LANGUAGE plpgsql
AS $function$
DECLARE
    freed integer;
BEGIN
    UPDATE postroom.job SET state = 3, run_at = now(), not_before = '-infinity', parked_for = NULL, reason = NULL
     WHERE tenant_id = p_tenant AND state = 4 AND parked_for = p_parked_for;
    GET DIAGNOSTICS freed = ROW_COUNT;
    RETURN freed;
END $function$

postroom.wake_due(integer)
CREATE OR REPLACE FUNCTION postroom.wake_due(p_most integer)
 RETURNS integer
 LANGUAGE plpgsql
 SET enable_seqscan TO 'off'
 SET enable_bitmapscan TO 'off'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
DECLARE
    due   record;
    moved integer := 0;
BEGIN
    FOR due IN SELECT * FROM (
            SELECT j.id, j.tenant_id, j.lane, j.holding,
                   CASE WHEN j.lane IS NOT NULL OR j.key IS NOT NULL
                        THEN postroom.lane_lock(j.tenant_id, j.lane, j.kind, j.key) END AS lock
              FROM postroom.job j WHERE j.state = 3 AND j.run_at <= now() ORDER BY j.run_at, j.id LIMIT p_most) soon
            ORDER BY lock LOOP
        CONTINUE WHEN due.lock IS NOT NULL AND NOT pg_try_advisory_xact_lock(due.lock);  -- somebody is busy with this lane: next time
        UPDATE postroom.job SET state = CASE WHEN lane IS NULL OR holding THEN 0 ELSE 2 END, holding = false
         WHERE id = due.id AND state = 3 AND run_at <= now();
        CONTINUE WHEN NOT FOUND;
        moved := moved + 1;
        IF due.lane IS NOT NULL AND NOT due.holding THEN
            PERFORM postroom.open_lane(due.tenant_id, due.lane);
        END IF;
    END LOOP;
    RETURN moved;
END $function$


-- grants

bo_airflow.email_ingestion_state to postroom_app
    INSERT, SELECT, UPDATE
padealing.graph_subscription_state to postroom_app
    DELETE, INSERT, SELECT, UPDATE
padealing.graph_subscription_state to postroom_desk
    SELECT
postroom.api_key to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.api_key to postroom_desk
    SELECT
postroom.attachment to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.attempt to postroom_app
    INSERT, SELECT
postroom.attempt to postroom_desk
    INSERT, SELECT
postroom.audit_run to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.consent to postroom_app
    DELETE, INSERT, SELECT
postroom.consent to postroom_desk
    DELETE, SELECT
postroom.coverage to postroom_app
    DELETE, INSERT, SELECT
postroom.disposition to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.document to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.document_correction to postroom_app
    INSERT, SELECT
postroom.document_tally to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.fact to postroom_app
    INSERT, SELECT
postroom.fact to postroom_desk
    INSERT, SELECT
postroom.gmail_watch_state to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.hint to postroom_app
    DELETE, INSERT, SELECT
postroom.hint to postroom_desk
    INSERT, SELECT
postroom.house to postroom_app
    SELECT
postroom.house to postroom_desk
    SELECT
postroom.idempotency to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.invoice to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.invoice_line to postroom_app
    DELETE, INSERT, SELECT
postroom.job to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.job to postroom_desk
    DELETE, INSERT, SELECT, UPDATE
postroom.mailbox to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.mailbox to postroom_desk
    SELECT
postroom.mailbox_cursor to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.mailbox_pulse to postroom_app
    INSERT, SELECT, UPDATE
postroom.mailbox_pulse to postroom_desk
    INSERT, SELECT, UPDATE
postroom.mailbox_token to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.message to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.migration to postroom_app
    SELECT
postroom.migration to postroom_desk
    SELECT
postroom.pdf_password to postroom_app
    DELETE, INSERT, SELECT
postroom.pending_order to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.person to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.person to postroom_desk
    SELECT
postroom.provider_quota to postroom_desk
    DELETE, INSERT, SELECT, UPDATE
postroom.provider_slot to postroom_desk
    DELETE, INSERT, SELECT, UPDATE
postroom.ring to postroom_app
    DELETE, SELECT
postroom.ring to postroom_desk
    DELETE, INSERT, SELECT
postroom.seal to postroom_app
    INSERT, SELECT
postroom.seal to postroom_desk
    SELECT
postroom.sender_profile to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.sender_rule to postroom_app
    DELETE, INSERT, SELECT
postroom.session to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.session to postroom_desk
    SELECT
postroom.signin_link to postroom_app
    DELETE, INSERT, SELECT
postroom.signin_link to postroom_desk
    DELETE, SELECT
postroom.signin_try to postroom_desk
    DELETE, INSERT, SELECT, UPDATE
postroom.tenant to postroom_app
    SELECT, UPDATE
postroom.tenant to postroom_desk
    INSERT, SELECT
postroom.thread to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.timetable to postroom_desk
    DELETE, INSERT, SELECT, UPDATE
postroom.trade to postroom_app
    DELETE, INSERT, SELECT, UPDATE
postroom.unwanted_blob to postroom_app
    DELETE, INSERT, SELECT
postroom.upload to postroom_app
    DELETE, INSERT, SELECT
postroom.worker to postroom_desk
    DELETE, INSERT, SELECT, UPDATE
