-- The API: answers kept under the caller's idempotency key, and indexes that keep its lists flat.

-- An answer that was given once is given again. Sealed, since it may hold what is shown once only.
CREATE TABLE postroom.idempotency (
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    actor      text NOT NULL,
    key        text NOT NULL,
    request    bytea NOT NULL,
    claim      uuid NOT NULL,
    answer     bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, actor, key)
);
CALL postroom.close_to_others('postroom.idempotency');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.idempotency TO postroom_app;
CREATE INDEX idempotency_oldest ON postroom.idempotency (tenant_id, created_at);

-- Newest first, also while the provider has not said yet when a message was received. CASE and not coalesce(), which
-- row-level security takes for a leak, so that no index could be searched by it.
CREATE INDEX message_in_order ON postroom.message
    (tenant_id, (CASE WHEN received_at IS NULL THEN announced_at ELSE received_at END) DESC, id DESC);
CREATE INDEX message_in_order_of_mailbox ON postroom.message
    (tenant_id, mailbox_id, (CASE WHEN received_at IS NULL THEN announced_at ELSE received_at END) DESC, id DESC);
CREATE INDEX message_on_its_way ON postroom.message (tenant_id, announced_at) WHERE state = 'announced';
CREATE INDEX thread_of_mailbox ON postroom.thread (tenant_id, mailbox_id, last_message_at DESC, id DESC);
CREATE INDEX disposition_of_status ON postroom.disposition (tenant_id, status, message_id);

-- Failures are few, so finding those of one job costs the busy path nothing.
CREATE INDEX attempt_of_failed_job ON postroom.attempt (job_id, id) WHERE outcome NOT IN ('done', 'released');
