-- Clients: the book of accounts, whose mail each mail is, and what people said about it.

CREATE TABLE postroom.account (
    id          uuid PRIMARY KEY,
    tenant_id   uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    code        text NOT NULL,
    code_key    text NOT NULL,
    name        text NOT NULL,
    aliases     text[] NOT NULL DEFAULT '{}',
    domains     text[] NOT NULL DEFAULT '{}',
    status      text NOT NULL DEFAULT 'open',
    merged_into uuid,
    created_by  text NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT account_code_is_unique UNIQUE (tenant_id, code_key),
    CONSTRAINT account_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT account_is_merged_within_its_tenant FOREIGN KEY (merged_into, tenant_id) REFERENCES postroom.account (id, tenant_id),
    CONSTRAINT account_status_is_known CHECK (status IN ('open', 'closed')),
    CONSTRAINT merged_account_is_closed CHECK (merged_into IS NULL OR status = 'closed'),
    CONSTRAINT account_has_a_code CHECK (code_key <> '' AND code_key = upper(code_key))
);
COMMENT ON TABLE postroom.account IS
    'Clients of the tenant, each by its code. Owned by clients.';
CALL postroom.close_to_others('postroom.account');
GRANT SELECT, INSERT, UPDATE ON postroom.account TO postroom_app;
CREATE INDEX account_newest ON postroom.account (tenant_id, id DESC);

CREATE TABLE postroom.account_key (
    tenant_id  uuid NOT NULL,
    kind       text NOT NULL,
    key        text NOT NULL,
    account_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, kind, key, account_id),
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT account_key_kind_is_known CHECK (kind IN ('phrase', 'word'))
);
COMMENT ON TABLE postroom.account_key IS
    'What an account is known by: phrases that mails may name it with, and words to search the book by. Owned by clients.';
CALL postroom.close_to_others('postroom.account_key');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.account_key TO postroom_app;
CREATE INDEX account_key_of_account ON postroom.account_key (tenant_id, account_id);

CREATE TABLE postroom.account_domain (
    tenant_id  uuid NOT NULL,
    domain     text NOT NULL,
    account_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, domain, account_id),
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT domain_is_lower_case CHECK (domain = lower(domain) AND domain <> '')
);
COMMENT ON TABLE postroom.account_domain IS
    'Domains that speak for an account. Owned by clients.';
CALL postroom.close_to_others('postroom.account_domain');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.account_domain TO postroom_app;
CREATE INDEX account_domain_of_account ON postroom.account_domain (tenant_id, account_id);

CREATE TABLE postroom.domain_key (
    tenant_id  uuid NOT NULL,
    key        text NOT NULL,
    domain     text NOT NULL,
    account_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, key, domain, account_id),
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.domain_key IS
    'Keys that a domain shares with those that look like it, so that a disguise is looked up instead of searched for. Owned by clients.';
CALL postroom.close_to_others('postroom.domain_key');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.domain_key TO postroom_app;
CREATE INDEX domain_key_of_account ON postroom.domain_key (tenant_id, account_id);

CREATE TABLE postroom.contact (
    id             uuid PRIMARY KEY,
    tenant_id      uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    email          text NOT NULL,
    name           text NOT NULL DEFAULT '',
    name_key       text NOT NULL DEFAULT '',
    status         text NOT NULL DEFAULT 'active',
    bounced_at     timestamptz,
    bounce_because text,
    created_by     text NOT NULL,
    created_at     timestamptz NOT NULL,
    updated_at     timestamptz NOT NULL,
    CONSTRAINT contact_is_known_once UNIQUE (tenant_id, email),
    CONSTRAINT contact_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT contact_email_is_lower_case CHECK (email = lower(email) AND email LIKE '_%@_%'),
    CONSTRAINT contact_status_is_known CHECK (status IN ('active', 'retired'))
);
COMMENT ON TABLE postroom.contact IS
    'People who write for accounts. Owned by clients.';
CALL postroom.close_to_others('postroom.contact');
GRANT SELECT, INSERT, UPDATE ON postroom.contact TO postroom_app;
CREATE INDEX contact_by_name ON postroom.contact (tenant_id, name_key) WHERE name_key <> '';

CREATE TABLE postroom.contact_account (
    tenant_id  uuid NOT NULL,
    contact_id uuid NOT NULL,
    account_id uuid NOT NULL,
    since      timestamptz NOT NULL,
    PRIMARY KEY (contact_id, account_id),
    CONSTRAINT contact_is_of_the_same_tenant FOREIGN KEY (contact_id, tenant_id) REFERENCES postroom.contact (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.contact_account IS
    'Whose contact a contact is; it may have several accounts. Owned by clients.';
CALL postroom.close_to_others('postroom.contact_account');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.contact_account TO postroom_app;
CREATE INDEX contact_of_account ON postroom.contact_account (tenant_id, account_id, contact_id);

CREATE TABLE postroom.engagement (
    id         uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL,
    account_id uuid NOT NULL,
    code       text NOT NULL,
    code_key   text NOT NULL,
    name       text NOT NULL,
    status     text NOT NULL DEFAULT 'open',
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT engagement_code_is_unique UNIQUE (tenant_id, code_key),
    CONSTRAINT engagement_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT engagement_status_is_known CHECK (status IN ('open', 'closed'))
);
COMMENT ON TABLE postroom.engagement IS
    'What is done for an account. Owned by clients.';
CALL postroom.close_to_others('postroom.engagement');
GRANT SELECT, INSERT, UPDATE ON postroom.engagement TO postroom_app;
CREATE INDEX engagement_of_account ON postroom.engagement (tenant_id, account_id, code_key);

CREATE TABLE postroom.work_item (
    id            uuid PRIMARY KEY,
    tenant_id     uuid NOT NULL,
    engagement_id uuid NOT NULL,
    code          text NOT NULL,
    code_key      text NOT NULL,
    name          text NOT NULL,
    status        text NOT NULL DEFAULT 'open',
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    CONSTRAINT work_item_code_is_unique UNIQUE (tenant_id, code_key),
    CONSTRAINT work_item_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT engagement_is_of_the_same_tenant FOREIGN KEY (engagement_id, tenant_id) REFERENCES postroom.engagement (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT work_item_status_is_known CHECK (status IN ('open', 'closed'))
);
COMMENT ON TABLE postroom.work_item IS
    'A piece of an engagement. Owned by clients.';
CALL postroom.close_to_others('postroom.work_item');
GRANT SELECT, INSERT, UPDATE ON postroom.work_item TO postroom_app;
CREATE INDEX work_item_of_engagement ON postroom.work_item (tenant_id, engagement_id, code_key);

CREATE TABLE postroom.account_change (
    id         uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL,
    account_id uuid NOT NULL,
    what       text NOT NULL,
    before     jsonb,
    after      jsonb,
    changed_by text NOT NULL,
    changed_at timestamptz NOT NULL,
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.account_change IS
    'Who changed what in the book. Only ever added to. Owned by clients.';
CALL postroom.close_to_others('postroom.account_change');
GRANT SELECT, INSERT ON postroom.account_change TO postroom_app;
CREATE INDEX account_change_of_account ON postroom.account_change (tenant_id, account_id, id DESC);

-- ---------------------------------------------------------------------------------------------------- mappings

CREATE TABLE postroom.mapping (
    id              uuid PRIMARY KEY,
    tenant_id       uuid NOT NULL,
    message_id      uuid NOT NULL REFERENCES postroom.message ON DELETE CASCADE,
    thread_id       uuid,
    sender_email    text,
    received_at     timestamptz NOT NULL,
    account_id      uuid,
    engagement_id   uuid,
    work_item_id    uuid,
    confidence      numeric(3, 2) NOT NULL,
    status          text NOT NULL,
    requires_triage boolean NOT NULL,
    reasons         text[] NOT NULL DEFAULT '{}',
    objections      text[] NOT NULL DEFAULT '{}',
    staleness       text[] NOT NULL DEFAULT '{}',
    candidates      jsonb NOT NULL DEFAULT '[]',
    ignore_reason   text,
    decided_by      text,
    decided_at      timestamptz,
    version         integer NOT NULL DEFAULT 1,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    CONSTRAINT message_is_mapped_once UNIQUE (message_id),
    CONSTRAINT mapping_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id),
    CONSTRAINT engagement_is_of_the_same_tenant FOREIGN KEY (engagement_id, tenant_id) REFERENCES postroom.engagement (id, tenant_id),
    CONSTRAINT work_item_is_of_the_same_tenant FOREIGN KEY (work_item_id, tenant_id) REFERENCES postroom.work_item (id, tenant_id),
    CONSTRAINT mapping_status_is_known CHECK (status IN ('mapped', 'triage', 'confirmed', 'ignored')),
    CONSTRAINT mapped_mail_has_an_account CHECK (status NOT IN ('mapped', 'confirmed') OR account_id IS NOT NULL),
    CONSTRAINT what_needs_triage_is_not_mapped CHECK (status <> 'mapped' OR NOT requires_triage),
    CONSTRAINT a_person_confirms_and_sets_aside CHECK (status IN ('mapped', 'triage') OR (decided_by IS NOT NULL AND decided_at IS NOT NULL)),
    CONSTRAINT what_is_set_aside_says_why CHECK (status <> 'ignored' OR ignore_reason <> ''),
    CONSTRAINT confidence_is_a_share CHECK (confidence BETWEEN 0 AND 1)
) WITH (fillfactor = 85);
COMMENT ON TABLE postroom.mapping IS
    'Whose mail each mail is; never deleted. What a machine suggests gives way to what a person says. Owned by clients.';
CALL postroom.close_to_others('postroom.mapping');
GRANT SELECT, INSERT, UPDATE ON postroom.mapping TO postroom_app;
CREATE INDEX mapping_newest ON postroom.mapping (tenant_id, id DESC);
CREATE INDEX mapping_of_status ON postroom.mapping (tenant_id, status, id DESC);
CREATE INDEX mapping_in_triage ON postroom.mapping (tenant_id, received_at, id) WHERE status = 'triage';
CREATE INDEX mapping_of_thread ON postroom.mapping (tenant_id, thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX mapping_of_sender ON postroom.mapping (tenant_id, sender_email, received_at DESC) WHERE sender_email IS NOT NULL;
CREATE INDEX mapping_of_account ON postroom.mapping (tenant_id, account_id, received_at DESC, id) WHERE account_id IS NOT NULL;

CREATE VIEW postroom.client_view WITH (security_invoker = true) AS
SELECT g.message_id, g.id AS mapping_id, g.status, g.received_at, a.id AS account_id, a.code, a.name
  FROM postroom.mapping g JOIN postroom.account a ON a.id = g.account_id
 WHERE g.tenant_id = (SELECT postroom.tenant()) AND g.status IN ('mapped', 'confirmed');
COMMENT ON VIEW postroom.client_view IS 'Whose mail each mail is, where that is sure. Owned by reads.';
GRANT SELECT ON postroom.client_view TO postroom_app;

CREATE TABLE postroom.mapping_change (
    id             uuid PRIMARY KEY,
    tenant_id      uuid NOT NULL,
    mapping_id     uuid NOT NULL,
    act_id         uuid NOT NULL,
    action         text NOT NULL,
    sender_email   text,
    was_account_id uuid,
    account_id     uuid,
    before         jsonb NOT NULL,
    after          jsonb NOT NULL,
    misled         text[] NOT NULL DEFAULT '{}',
    outcomes       jsonb NOT NULL DEFAULT '[]',
    changed_by     text NOT NULL,
    changed_at     timestamptz NOT NULL,
    undone_by      text,
    undone_at      timestamptz,
    CONSTRAINT mapping_is_of_the_same_tenant FOREIGN KEY (mapping_id, tenant_id) REFERENCES postroom.mapping (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT mapping_action_is_known CHECK (action IN ('confirm', 'remap', 'ignore'))
);
COMMENT ON TABLE postroom.mapping_change IS
    'What people said: before, after, who, when, and which signals had misled us. Only ever added to; undoing marks it. Owned by clients.';
CALL postroom.close_to_others('postroom.mapping_change');
GRANT SELECT, INSERT, UPDATE (undone_by, undone_at) ON postroom.mapping_change TO postroom_app;
CREATE INDEX mapping_change_of_mapping ON postroom.mapping_change (tenant_id, mapping_id, id DESC);
CREATE INDEX mapping_change_of_act ON postroom.mapping_change (tenant_id, act_id);
CREATE INDEX mapping_change_of_sender ON postroom.mapping_change (tenant_id, sender_email, id DESC) WHERE sender_email IS NOT NULL;

CREATE TABLE postroom.sender_choice (
    id            uuid PRIMARY KEY,
    tenant_id     uuid NOT NULL,
    sender_email  text NOT NULL,
    account_id    uuid,
    engagement_id uuid,
    reason        text NOT NULL DEFAULT '',
    act_id        uuid NOT NULL,
    chosen_by     text NOT NULL,
    chosen_at     timestamptz NOT NULL,
    ended_act     uuid,
    ended_at      timestamptz,
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT engagement_is_of_the_same_tenant FOREIGN KEY (engagement_id, tenant_id) REFERENCES postroom.engagement (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT a_choice_sets_aside_or_names_an_account CHECK (account_id IS NOT NULL OR reason <> '')
);
COMMENT ON TABLE postroom.sender_choice IS
    'What a person decided for all mail of a sender. One holds; those that ended stay. Owned by clients.';
CALL postroom.close_to_others('postroom.sender_choice');
GRANT SELECT, INSERT, UPDATE ON postroom.sender_choice TO postroom_app;
CREATE UNIQUE INDEX one_choice_holds_per_sender ON postroom.sender_choice (tenant_id, sender_email) WHERE ended_at IS NULL;
CREATE INDEX sender_choice_of_act ON postroom.sender_choice (tenant_id, act_id);
CREATE INDEX sender_choice_of_account ON postroom.sender_choice (tenant_id, account_id) WHERE account_id IS NOT NULL;

CREATE TABLE postroom.signal_tally (
    tenant_id uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    signal    text NOT NULL,
    day       date NOT NULL,
    rights    integer NOT NULL DEFAULT 0,
    wrongs    integer NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, signal, day)
) WITH (fillfactor = 50);
COMMENT ON TABLE postroom.signal_tally IS
    'How each signal did, by the month, under its last day. Owned by clients.';
CALL postroom.close_to_others('postroom.signal_tally');
GRANT SELECT, INSERT, UPDATE ON postroom.signal_tally TO postroom_app;

CREATE TABLE postroom.contact_proposal (
    id         uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL,
    contact_id uuid NOT NULL,
    kind       text NOT NULL,
    account_id uuid,
    because    text NOT NULL,
    status     text NOT NULL DEFAULT 'open',
    made_at    timestamptz NOT NULL,
    decided_by text,
    decided_at timestamptz,
    CONSTRAINT contact_is_of_the_same_tenant FOREIGN KEY (contact_id, tenant_id) REFERENCES postroom.contact (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT proposal_kind_is_known CHECK (kind IN ('bounced', 'elsewhere', 'silent')),
    CONSTRAINT proposal_status_is_known CHECK (status IN ('open', 'accepted', 'dismissed'))
);
COMMENT ON TABLE postroom.contact_proposal IS
    'Contacts that bounce, fell silent or turned up elsewhere: what is proposed, and what a person said to it. Owned by clients.';
CALL postroom.close_to_others('postroom.contact_proposal');
GRANT SELECT, INSERT, UPDATE ON postroom.contact_proposal TO postroom_app;
CREATE UNIQUE INDEX one_open_proposal_per_contact ON postroom.contact_proposal (tenant_id, contact_id) WHERE status = 'open';
CREATE INDEX contact_proposal_of_contact ON postroom.contact_proposal (contact_id, tenant_id, kind);
CREATE INDEX contact_proposal_newest ON postroom.contact_proposal (tenant_id, status, id DESC);

CREATE TABLE postroom.mapping_policy (
    tenant_id             uuid PRIMARY KEY REFERENCES postroom.tenant ON DELETE CASCADE,
    threshold             numeric(3, 2) NOT NULL,
    staleness_days        integer NOT NULL,
    multi_account_penalty numeric(3, 2) NOT NULL,
    mixed_thread_penalty  numeric(3, 2) NOT NULL,
    subject_penalty       numeric(3, 2) NOT NULL,
    stale_penalty         numeric(3, 2) NOT NULL,
    silent_after_days     integer NOT NULL,
    left_out              uuid[] NOT NULL DEFAULT '{}',  -- mailboxes whose mail is no client's
    updated_at            timestamptz NOT NULL,
    CONSTRAINT threshold_is_a_share CHECK (threshold BETWEEN 0.5 AND 1),
    CONSTRAINT multi_account_penalty_is_a_share CHECK (multi_account_penalty BETWEEN 0 AND 1),
    CONSTRAINT mixed_thread_penalty_is_a_share CHECK (mixed_thread_penalty BETWEEN 0 AND 1),
    CONSTRAINT subject_penalty_is_a_share CHECK (subject_penalty BETWEEN 0 AND 1),
    CONSTRAINT stale_penalty_is_a_share CHECK (stale_penalty BETWEEN 0 AND 1),
    CONSTRAINT staleness_is_in_days CHECK (staleness_days BETWEEN 1 AND 3650),
    CONSTRAINT silence_is_in_days CHECK (silent_after_days BETWEEN 30 AND 3650)
);
COMMENT ON TABLE postroom.mapping_policy IS
    'What a tenant decides about mapping; without a row the documented defaults hold. Owned by clients.';
CALL postroom.close_to_others('postroom.mapping_policy');
GRANT SELECT, INSERT, UPDATE ON postroom.mapping_policy TO postroom_app;
