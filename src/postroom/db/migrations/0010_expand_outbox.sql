-- The outbox: mails that are proposed, what people said to each, and what became of those that were sent.

CREATE TABLE postroom.proposal (
    id                 uuid PRIMARY KEY,
    tenant_id          uuid NOT NULL,
    mailbox_id         uuid NOT NULL,
    thread_id          uuid,
    draft_id           uuid REFERENCES postroom.draft_revision ON DELETE SET NULL,
    kind               text NOT NULL,
    origin             text NOT NULL,
    status             text NOT NULL DEFAULT 'waiting',
    because            text NOT NULL DEFAULT '',
    version            integer NOT NULL DEFAULT 1,
    hash               text NOT NULL,
    recipients         text[] NOT NULL,
    cc                 text[] NOT NULL DEFAULT '{}',
    bcc                text[] NOT NULL DEFAULT '{}',
    subject            text NOT NULL,
    body               text NOT NULL,
    html               text NOT NULL,
    files              jsonb NOT NULL DEFAULT '[]',
    answers            text,                        -- what the provider calls the message it answers
    message_id         uuid REFERENCES postroom.message ON DELETE SET NULL,  -- that it answers or forwards
    head               text,                        -- the newest message of the thread, as the approver sees it
    head_at            timestamptz,
    machine_body       text,                        -- what the machine drafted, however often people changed it
    model              text,
    proposed_by        text NOT NULL,
    replaces           uuid REFERENCES postroom.proposal ON DELETE SET NULL,
    needed             smallint NOT NULL DEFAULT 1, -- how many people must agree
    needed_because     text[] NOT NULL DEFAULT '{}',
    expires_at         timestamptz NOT NULL,
    send_at            timestamptz,                 -- not before
    begun_at           timestamptz,                 -- from then on it cannot be taken back
    called_at          timestamptz,                 -- when the provider was last asked to send it
    sends              smallint NOT NULL DEFAULT 0,
    looks              smallint NOT NULL DEFAULT 0,
    checked            jsonb NOT NULL DEFAULT '[]', -- where it was looked for, and what was found
    attempt            smallint NOT NULL DEFAULT 1, -- a mail that a person found not to be sent is another one
    held               jsonb,                       -- the draft at the provider, as it was read before sending
    sent_ref           text,
    internet_message_id text,
    sent_at            timestamptz,
    bounced_at         timestamptz,
    bounce             text,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    forgotten_at       timestamptz,
    CONSTRAINT proposal_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
        REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id)
        REFERENCES postroom.thread (id, tenant_id) ON DELETE SET NULL (thread_id),
    CONSTRAINT proposal_kind_is_known CHECK (kind IN ('reply', 'new', 'forward')),
    CONSTRAINT proposal_origin_is_known CHECK (origin IN ('draft', 'person', 'program')),
    CONSTRAINT proposal_status_is_known CHECK
        (status IN ('waiting', 'approved', 'sending', 'sent', 'unknown', 'void', 'revoked', 'discarded')),
    CONSTRAINT proposal_goes_to_somebody CHECK (cardinality(recipients) > 0 OR forgotten_at IS NOT NULL),
    CONSTRAINT what_is_sent_was_begun CHECK (status NOT IN ('sending', 'unknown') OR (begun_at IS NOT NULL AND held IS NOT NULL))
) WITH (fillfactor = 70);
COMMENT ON TABLE postroom.proposal IS
    'Mails that wait for a person''s yes, exactly as they would go out, and what became of them. Owned by outbox.';
CALL postroom.close_to_others('postroom.proposal');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.proposal TO postroom_app;
CREATE INDEX proposal_newest ON postroom.proposal (tenant_id, created_at DESC, id DESC);
CREATE INDEX proposal_of_thread ON postroom.proposal (tenant_id, thread_id, created_at) WHERE thread_id IS NOT NULL;
CREATE INDEX proposal_not_over ON postroom.proposal (tenant_id, created_at, id)
    WHERE status IN ('waiting', 'approved', 'revoked', 'sending', 'unknown');
CREATE INDEX proposal_begun ON postroom.proposal (tenant_id, mailbox_id, begun_at) WHERE begun_at IS NOT NULL;
CREATE INDEX proposal_by_internet_id ON postroom.proposal (tenant_id, internet_message_id) WHERE internet_message_id IS NOT NULL;
CREATE INDEX proposal_of_draft ON postroom.proposal (draft_id) WHERE draft_id IS NOT NULL;
CREATE INDEX proposal_of_message ON postroom.proposal (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX proposal_that_replaces ON postroom.proposal (replaces) WHERE replaces IS NOT NULL;
CREATE UNIQUE INDEX draft_is_proposed_once_at_a_time ON postroom.proposal (draft_id)
    WHERE status IN ('waiting', 'approved', 'revoked', 'sending', 'unknown');

CREATE TABLE postroom.proposal_version (
    proposal_id uuid NOT NULL,
    tenant_id   uuid NOT NULL,
    version     integer NOT NULL,
    hash        text NOT NULL,
    mail        jsonb NOT NULL,
    made_by     text NOT NULL,
    made_at     timestamptz NOT NULL,
    PRIMARY KEY (proposal_id, version),
    CONSTRAINT proposal_is_of_the_same_tenant FOREIGN KEY (proposal_id, tenant_id)
        REFERENCES postroom.proposal (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.proposal_version IS
    'What a proposal said before and after each change, so that people see what is different. Owned by outbox.';
CALL postroom.close_to_others('postroom.proposal_version');
GRANT SELECT, INSERT, DELETE ON postroom.proposal_version TO postroom_app;

CREATE TABLE postroom.approval (
    id            uuid PRIMARY KEY,
    tenant_id     uuid NOT NULL,
    proposal_id   uuid NOT NULL,
    hash          text NOT NULL,
    actor         text NOT NULL,
    approved_at   timestamptz NOT NULL,
    expires_at    timestamptz NOT NULL,
    ended_at      timestamptz,  -- revoked, or void
    ended_because text,
    used_at       timestamptz,  -- when the send began: once
    CONSTRAINT approval_is_used_or_ended CHECK (used_at IS NULL OR ended_at IS NULL),
    CONSTRAINT proposal_is_of_the_same_tenant FOREIGN KEY (proposal_id, tenant_id)
        REFERENCES postroom.proposal (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.approval IS
    'A person''s yes to what they saw, by its hash: used once, or ended. Owned by outbox.';
CALL postroom.close_to_others('postroom.approval');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.approval TO postroom_app;
CREATE INDEX approval_of_proposal ON postroom.approval (tenant_id, proposal_id, approved_at);
CREATE UNIQUE INDEX person_approves_once ON postroom.approval (proposal_id, actor) WHERE used_at IS NULL AND ended_at IS NULL;

CREATE TABLE postroom.written_to (
    tenant_id uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    address   text NOT NULL,
    first_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, address)
);
COMMENT ON TABLE postroom.written_to IS
    'Who had mail of ours before: whoever is not here is new, which may want a second person. Owned by outbox.';
CALL postroom.close_to_others('postroom.written_to');
GRANT SELECT, INSERT, DELETE ON postroom.written_to TO postroom_app;

-- The last guard: whoever writes, a proposal moves only as it may, what is being sent is not changed, and nothing is sent
-- without as many people's yes to exactly this as it needs.
CREATE FUNCTION postroom.guard_proposal() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.status <> OLD.status AND NOT EXISTS (SELECT FROM (VALUES
        ('waiting', 'approved'), ('waiting', 'revoked'), ('waiting', 'void'), ('waiting', 'discarded'),
        ('revoked', 'waiting'), ('revoked', 'approved'), ('revoked', 'void'), ('revoked', 'discarded'),
        ('approved', 'sending'), ('approved', 'waiting'), ('approved', 'revoked'), ('approved', 'void'), ('approved', 'discarded'),
        ('sending', 'sent'), ('sending', 'unknown'), ('sending', 'waiting'), ('sending', 'void'),
        ('unknown', 'sent'), ('unknown', 'waiting'), ('unknown', 'discarded')) AS may (before, after)
        WHERE may.before = OLD.status AND may.after = NEW.status)
    THEN
        RAISE EXCEPTION 'A proposal that is % does not become %.', OLD.status, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'proposal_moves_as_it_may';
    END IF;
    IF OLD.status IN ('approved', 'sending', 'sent', 'unknown') AND NEW.forgotten_at IS NULL
       AND (NEW.hash, NEW.mailbox_id, NEW.recipients, NEW.cc, NEW.bcc, NEW.subject, NEW.body, NEW.html, NEW.files, NEW.answers, NEW.head)
           IS DISTINCT FROM
           (OLD.hash, OLD.mailbox_id, OLD.recipients, OLD.cc, OLD.bcc, OLD.subject, OLD.body, OLD.html, OLD.files, OLD.answers, OLD.head)
    THEN
        RAISE EXCEPTION 'What was approved is not changed.'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'what_was_approved_is_not_changed';
    END IF;
    IF OLD.status = 'approved' AND NEW.status = 'sending' AND NEW.needed > (
        SELECT count(DISTINCT a.actor) FROM postroom.approval a
         WHERE a.tenant_id = NEW.tenant_id AND a.proposal_id = NEW.id AND a.hash = NEW.hash AND a.used_at = NEW.begun_at)
    THEN
        RAISE EXCEPTION 'Nothing is sent without approval.'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'nothing_is_sent_without_approval';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER proposal_is_guarded BEFORE UPDATE ON postroom.proposal
    FOR EACH ROW EXECUTE FUNCTION postroom.guard_proposal();

CREATE VIEW postroom.proposal_view WITH (security_invoker = true) AS
SELECT p.id, p.mailbox_id, b.address AS mailbox, p.thread_id, t.provider_thread_id, p.draft_id, p.message_id, p.kind, p.origin, p.status,
       p.because, p.version, p.hash, p.recipients, p.cc, p.bcc, p.subject, p.body, p.html, p.files, p.answers, p.head, p.machine_body,
       p.model, p.proposed_by, p.replaces, p.needed, p.needed_because, p.expires_at, p.send_at, p.begun_at, p.sends, p.looks, p.checked,
       p.sent_ref, p.internet_message_id, p.sent_at, p.bounced_at, p.bounce, p.created_at, p.updated_at, p.forgotten_at,
       ARRAY(SELECT a.actor FROM postroom.approval a
              WHERE a.tenant_id = p.tenant_id AND a.proposal_id = p.id AND a.hash = p.hash AND a.ended_at IS NULL
                AND (a.used_at IS NULL OR a.used_at = p.begun_at)
              ORDER BY a.approved_at) AS approvers
  FROM postroom.proposal p JOIN postroom.mailbox b ON b.id = p.mailbox_id
  LEFT JOIN postroom.thread t ON t.id = p.thread_id
 WHERE p.tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.proposal_view IS 'Proposals with their mailbox, thread and who agreed. Owned by reads.';
GRANT SELECT ON postroom.proposal_view TO postroom_app;
