-- Subscribers: webhooks of other systems, the events they are told, and every delivery.

CREATE TABLE postroom.webhook (
    id              uuid PRIMARY KEY,
    tenant_id       uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    number          integer NOT NULL,
    url             text NOT NULL,
    description     text NOT NULL DEFAULT '',
    events          text[] NOT NULL DEFAULT '{}',
    secret          bytea NOT NULL,
    old_secret      bytea,
    old_secret_till timestamptz,
    status          text NOT NULL DEFAULT 'active',
    because         text,
    failures        integer NOT NULL DEFAULT 0,
    failing_since   timestamptz,
    wait_till       timestamptz,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    last_error      text,
    created_by      text NOT NULL,
    created_at      timestamptz NOT NULL,
    CONSTRAINT webhook_status_is_known CHECK (status IN ('active', 'paused', 'disabled')),
    CONSTRAINT webhook_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT webhook_number_is_unique UNIQUE (tenant_id, number),
    CONSTRAINT old_secret_ends CHECK ((old_secret IS NULL) = (old_secret_till IS NULL))
);
COMMENT ON TABLE postroom.webhook IS 'Where other systems want to hear of events, and how that goes. Owned by subscribers.';
COMMENT ON COLUMN postroom.webhook.events IS 'The types that are wanted; none means all.';
COMMENT ON COLUMN postroom.webhook.wait_till IS 'After a failure of the endpoint nothing is sent to it before this.';
CALL postroom.close_to_others('postroom.webhook');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.webhook TO postroom_app;
CREATE POLICY front_desk ON postroom.webhook FOR SELECT TO postroom_desk USING (true);
GRANT SELECT (tenant_id, status) ON postroom.webhook TO postroom_desk;

CREATE TABLE postroom.event_cursor (
    tenant_id uuid PRIMARY KEY REFERENCES postroom.tenant ON DELETE CASCADE,
    xid       bigint NOT NULL,
    id        bigint NOT NULL
);
COMMENT ON TABLE postroom.event_cursor IS 'Up to which fact events were made for webhooks. Owned by subscribers.';
CALL postroom.close_to_others('postroom.event_cursor');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.event_cursor TO postroom_app;

CREATE TABLE postroom.event (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id   uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    type        text NOT NULL,
    mailbox_id  uuid,
    thread_id   uuid,
    message_id  uuid,
    run_id      text,
    fact_id     bigint,
    payload     jsonb NOT NULL,
    occurred_at timestamptz NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT event_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT event_happens_once UNIQUE NULLS NOT DISTINCT (tenant_id, mailbox_id, message_id, type, run_id),
    CONSTRAINT event_is_not_too_large CHECK (octet_length(payload::text) <= 65536)
);
COMMENT ON TABLE postroom.event IS 'What webhooks are told, made from facts: of each message each type once, the first wins. Owned by subscribers.';
COMMENT ON COLUMN postroom.event.run_id IS 'Of mail.processing.*: which run, since each run tells its own.';
CALL postroom.close_to_others('postroom.event');
GRANT SELECT, INSERT, DELETE ON postroom.event TO postroom_app;
CREATE INDEX event_by_age ON postroom.event (tenant_id, created_at);

CREATE TABLE postroom.delivery (
    id           uuid PRIMARY KEY,
    tenant_id    uuid NOT NULL,
    webhook_id   uuid NOT NULL,
    event_id     bigint NOT NULL,
    thread       text NOT NULL,
    status       text NOT NULL DEFAULT 'waiting',
    tries        smallint NOT NULL DEFAULT 0,
    next_at      timestamptz NOT NULL,
    answer       integer,
    error        text,
    milliseconds integer,
    replay_of    uuid,
    created_at   timestamptz NOT NULL,
    tried_at     timestamptz,
    CONSTRAINT delivery_status_is_known CHECK (status IN ('waiting', 'delivered', 'given_up')),
    CONSTRAINT delivery_is_of_the_same_tenants_webhook FOREIGN KEY (webhook_id, tenant_id)
        REFERENCES postroom.webhook (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT delivery_is_of_the_same_tenants_event FOREIGN KEY (event_id, tenant_id)
        REFERENCES postroom.event (id, tenant_id) ON DELETE CASCADE
) WITH (fillfactor = 70);
COMMENT ON TABLE postroom.delivery IS 'An event on its way to a webhook, and how it went. Owned by subscribers.';
COMMENT ON COLUMN postroom.delivery.thread IS 'Deliveries of one thread go out in order; a failed one holds up only its own thread.';
CALL postroom.close_to_others('postroom.delivery');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.delivery TO postroom_app;
CREATE UNIQUE INDEX event_goes_to_a_webhook_once ON postroom.delivery (webhook_id, event_id) WHERE replay_of IS NULL;
CREATE INDEX delivery_waiting ON postroom.delivery (webhook_id, event_id, id) WHERE status = 'waiting';
CREATE INDEX delivery_waiting_in_thread ON postroom.delivery (webhook_id, thread, event_id) WHERE status = 'waiting';
CREATE INDEX delivery_next ON postroom.delivery (webhook_id, next_at) WHERE status = 'waiting';
CREATE INDEX delivery_newest ON postroom.delivery (tenant_id, webhook_id, id DESC);
CREATE INDEX delivery_of_event ON postroom.delivery (tenant_id, event_id);
