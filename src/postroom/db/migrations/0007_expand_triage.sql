-- Triage: what a thread wants of us, what it is about, who sees to it, and the label it bears at the provider.

CREATE TABLE postroom.channel (
    id         uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    name       text NOT NULL,
    place      integer NOT NULL,
    rules      jsonb NOT NULL DEFAULT '{}',
    active     boolean NOT NULL DEFAULT true,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT channel_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT channel_has_a_name CHECK (name <> '' AND lower(name) <> 'default')
);
COMMENT ON TABLE postroom.channel IS
    'Where threads are seen to, by rules about sender, client, words and intent; the rest is in Default. Owned by triage.';
CALL postroom.close_to_others('postroom.channel');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.channel TO postroom_app;
CREATE UNIQUE INDEX channel_name_is_unique ON postroom.channel (tenant_id, lower(name));

CREATE TABLE postroom.tenant_topic (
    id         uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    name       text NOT NULL,
    counts_as  text NOT NULL,
    words      text[] NOT NULL,
    active     boolean NOT NULL DEFAULT true,
    created_by text NOT NULL,
    created_at timestamptz NOT NULL,
    CONSTRAINT tenant_topic_counts_as_a_known_one CHECK
        (counts_as IN ('refund_or_cancellation', 'medical', 'safety', 'legal', 'exception')),
    CONSTRAINT tenant_topic_has_words CHECK (name <> '' AND cardinality(words) > 0)
);
COMMENT ON TABLE postroom.tenant_topic IS
    'A tenant''s own sensitive topics and words; they only add caution. Owned by triage.';
CALL postroom.close_to_others('postroom.tenant_topic');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.tenant_topic TO postroom_app;
CREATE UNIQUE INDEX tenant_topic_name_is_unique ON postroom.tenant_topic (tenant_id, lower(name));

CREATE TABLE postroom.copilot_mailbox (
    mailbox_id     uuid PRIMARY KEY,
    tenant_id      uuid NOT NULL,
    addresses      text[] NOT NULL DEFAULT '{}',
    addresses_at   timestamptz,
    labels         text,
    labels_at      timestamptz,
    refused        text,
    refused_at     timestamptz,
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.copilot_mailbox IS
    'What the copilot knows of a mailbox: its own addresses, the namespace its labels were made in, and why they cannot be set. Owned by triage.';
CALL postroom.close_to_others('postroom.copilot_mailbox');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.copilot_mailbox TO postroom_app;

CREATE TABLE postroom.thread_state (
    thread_id         uuid PRIMARY KEY,
    tenant_id         uuid NOT NULL,
    mailbox_id        uuid NOT NULL,
    reference_code    text NOT NULL,
    state             text,
    action            text,
    reason            text,
    because           text NOT NULL DEFAULT '',
    language          text,
    matched           jsonb NOT NULL DEFAULT '[]',
    analysis          jsonb,
    model             text,
    channel_id        uuid,
    channel_because   text,
    error_code        text,
    newest_message_id uuid,
    newest_ref        text,
    newest_at         timestamptz,
    newest_from       text,
    operators_seen    text[] NOT NULL DEFAULT '{}',
    inputs            text,
    label             text,
    label_intended    text,
    label_refs        text[] NOT NULL DEFAULT '{}',
    label_by_person   boolean NOT NULL DEFAULT false,
    settled           text,
    assigned_to       uuid,
    not_for_us_at     timestamptz,
    not_for_us_by     text,
    done_at           timestamptz,
    snoozed_till      timestamptz,
    decided_at        timestamptz,
    updated_at        timestamptz NOT NULL,
    revision          integer NOT NULL DEFAULT 1,
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id)
        REFERENCES postroom.thread (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT channel_is_of_the_same_tenant FOREIGN KEY (channel_id, tenant_id)
        REFERENCES postroom.channel (id, tenant_id) ON DELETE SET NULL (channel_id),
    CONSTRAINT assigned_person_is_known FOREIGN KEY (assigned_to) REFERENCES postroom.person ON DELETE SET NULL,
    CONSTRAINT reference_code_is_unique UNIQUE (tenant_id, reference_code),
    CONSTRAINT reference_code_has_its_form CHECK (reference_code ~ '^PR-[2-9A-HJKMNP-Z]{6}$'),
    CONSTRAINT thread_state_is_known CHECK (state IN ('ready', 'needs_review', 'error')),
    CONSTRAINT thread_action_is_known CHECK (action IN ('ignore', 'needs_review', 'draft'))
) WITH (fillfactor = 70);
COMMENT ON TABLE postroom.thread_state IS
    'What became of a thread: verdict, analysis, channel, who sees to it, and the label it bears. Owned by triage.';
CALL postroom.close_to_others('postroom.thread_state');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.thread_state TO postroom_app;
CREATE INDEX thread_state_open ON postroom.thread_state (tenant_id, newest_at DESC, thread_id DESC)
    WHERE state IS NOT NULL;
CREATE INDEX thread_state_of_channel ON postroom.thread_state (tenant_id, channel_id);
CREATE INDEX thread_state_of_mailbox ON postroom.thread_state (tenant_id, mailbox_id, thread_id);
CREATE INDEX thread_state_of_person ON postroom.thread_state (assigned_to) WHERE assigned_to IS NOT NULL;

-- What people decide about, its mails and what others decided: a decision is refused when that is another than they saw.
CREATE FUNCTION postroom.raise_thread_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (OLD.newest_ref, OLD.done_at, OLD.not_for_us_at, OLD.assigned_to, OLD.channel_id)
       IS DISTINCT FROM (NEW.newest_ref, NEW.done_at, NEW.not_for_us_at, NEW.assigned_to, NEW.channel_id) THEN
        NEW.revision := OLD.revision + 1;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER thread_has_another_revision BEFORE UPDATE ON postroom.thread_state
    FOR EACH ROW EXECUTE FUNCTION postroom.raise_thread_revision();
CREATE INDEX thread_state_snoozed ON postroom.thread_state (tenant_id, snoozed_till) WHERE snoozed_till IS NOT NULL;

CREATE TABLE postroom.turn (
    tenant_id         uuid NOT NULL,
    thread_id         uuid NOT NULL,
    ref               text NOT NULL,
    message_id        uuid REFERENCES postroom.message ON DELETE CASCADE,
    draft_ref         text,
    version           text NOT NULL DEFAULT '',
    outgoing          boolean NOT NULL,
    sender_email      text,
    sender_name       text NOT NULL DEFAULT '',
    recipients        jsonb NOT NULL DEFAULT '{}',
    sent_at           timestamptz,
    subject           text NOT NULL DEFAULT '',
    own_text          text NOT NULL DEFAULT '',
    forwarded_text    text NOT NULL DEFAULT '',
    quoted_text       text NOT NULL DEFAULT '',
    signature         text NOT NULL DEFAULT '',
    disclaimer        text NOT NULL DEFAULT '',
    automatic         text,
    automatic_because text,
    machine_answers   boolean NOT NULL DEFAULT false,
    kept_at           timestamptz NOT NULL,
    forgotten_at      timestamptz,
    PRIMARY KEY (thread_id, ref),
    CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id)
        REFERENCES postroom.thread (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.turn IS
    'Messages of a thread, ours and theirs: what is new in each, what is quoted, what is signature or disclaimer. Owned by triage.';
CALL postroom.close_to_others('postroom.turn');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.turn TO postroom_app;
CREATE INDEX turn_of_message ON postroom.turn (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX turn_to_forget ON postroom.turn (tenant_id, kept_at) WHERE forgotten_at IS NULL;

CREATE INDEX fact_of_thread ON postroom.fact (tenant_id, thread_id) WHERE left(kind, 7) = 'thread.';

CREATE VIEW postroom.thread_view WITH (security_invoker = true) AS
SELECT t.id, t.mailbox_id, b.address AS mailbox, t.provider_thread_id, t.subject, t.messages, t.last_message_at,
       s.reference_code, s.state, s.action, s.reason, s.because, s.language, s.matched, s.analysis, s.model, s.error_code,
       s.channel_id, c.name AS channel, s.channel_because, s.assigned_to, p.email AS assignee, s.snoozed_till,
       s.not_for_us_at, s.done_at, s.newest_at, s.newest_from, s.label, s.label_by_person, s.decided_at, b.copilot
  FROM postroom.thread t JOIN postroom.mailbox b ON b.id = t.mailbox_id
  LEFT JOIN postroom.thread_state s ON s.thread_id = t.id
  LEFT JOIN postroom.channel c ON c.id = s.channel_id
  LEFT JOIN postroom.person p ON p.id = s.assigned_to
 WHERE t.tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.thread_view IS 'Threads with their mailbox, and what became of them. Owned by reads.';
GRANT SELECT ON postroom.thread_view TO postroom_app;
