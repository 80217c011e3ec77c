-- Replies: the tenant's papers as evidence, and the drafts that were written from them.

CREATE TABLE postroom.evidence_document (
    id          uuid PRIMARY KEY,
    tenant_id   uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    name        text NOT NULL,
    version     integer NOT NULL,
    is_current  boolean NOT NULL DEFAULT true,
    kind        text NOT NULL,
    title       text NOT NULL,
    language    text NOT NULL,
    audience    text NOT NULL,
    dated       date,
    valid_from  date,
    valid_until date,
    years       integer[] NOT NULL DEFAULT '{}',
    body        text NOT NULL,
    sha256      text NOT NULL,
    snippets    integer NOT NULL,
    lines       integer NOT NULL,
    line_words  integer NOT NULL,
    read_by     text NOT NULL DEFAULT '',
    mailbox_id  uuid,
    thread_id   uuid,
    created_by  text NOT NULL,
    created_at  timestamptz NOT NULL,
    retired_by  text,
    retired_at  timestamptz,
    CONSTRAINT evidence_document_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT evidence_version_is_unique UNIQUE (tenant_id, name, version),
    CONSTRAINT evidence_audience_is_known CHECK (audience IN ('public', 'internal')),
    CONSTRAINT evidence_kind_is_known CHECK (kind IN ('markdown', 'text', 'html', 'pdf', 'answer')),
    CONSTRAINT answer_is_of_a_mailbox CHECK ((kind = 'answer') = (mailbox_id IS NOT NULL)),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id) REFERENCES postroom.thread (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.evidence_document IS
    'Papers that answers are drawn from, every version of each, and answers that people sent; what is internal is never quoted. Owned by replies.';
CALL postroom.close_to_others('postroom.evidence_document');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.evidence_document TO postroom_app;
CREATE UNIQUE INDEX evidence_has_one_current_version ON postroom.evidence_document (tenant_id, name) WHERE is_current;
CREATE INDEX evidence_document_to_forget ON postroom.evidence_document (tenant_id, created_at) WHERE NOT is_current OR kind = 'answer';
CREATE INDEX evidence_document_of_thread ON postroom.evidence_document (tenant_id, thread_id) WHERE thread_id IS NOT NULL;
CREATE INDEX evidence_document_of_mailbox ON postroom.evidence_document (tenant_id, mailbox_id) WHERE mailbox_id IS NOT NULL;

CREATE TABLE postroom.evidence_replacement (
    tenant_id      uuid NOT NULL,
    older          uuid NOT NULL,
    newer          uuid NOT NULL,
    effective_from date NOT NULL,
    PRIMARY KEY (older, newer),
    CONSTRAINT older_is_of_the_same_tenant FOREIGN KEY (older, tenant_id) REFERENCES postroom.evidence_document (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT newer_is_of_the_same_tenant FOREIGN KEY (newer, tenant_id) REFERENCES postroom.evidence_document (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.evidence_replacement IS
    'Which paper takes the place of which, by title, words and dates, and from when on. Owned by replies.';
CALL postroom.close_to_others('postroom.evidence_replacement');
GRANT SELECT, INSERT, DELETE ON postroom.evidence_replacement TO postroom_app;
CREATE INDEX evidence_replacement_of_newer ON postroom.evidence_replacement (tenant_id, newer);

CREATE TABLE postroom.evidence_snippet (
    id          uuid PRIMARY KEY,
    tenant_id   uuid NOT NULL,
    document_id uuid NOT NULL,
    number      integer NOT NULL,
    headings    text[] NOT NULL,
    language    text NOT NULL,
    lines       jsonb NOT NULL,
    CONSTRAINT evidence_snippet_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT document_is_of_the_same_tenant FOREIGN KEY (document_id, tenant_id) REFERENCES postroom.evidence_document (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.evidence_snippet IS
    'Pieces of the current public papers, split at headings and tables: what is searched for. Owned by replies.';
CALL postroom.close_to_others('postroom.evidence_snippet');
GRANT SELECT, INSERT, DELETE ON postroom.evidence_snippet TO postroom_app;
CREATE INDEX evidence_snippet_of_document ON postroom.evidence_snippet (tenant_id, document_id, number);

-- A table and not a GIN index over an array: under row-level security only leakproof operators may use an index, and
-- equality of texts is one while the overlap of arrays is not.
CREATE TABLE postroom.evidence_posting (
    tenant_id  uuid NOT NULL,
    source     text NOT NULL,
    term       text NOT NULL,
    snippet_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, source, term, snippet_id),
    CONSTRAINT source_is_known CHECK (source IN ('paper', 'answer')),
    CONSTRAINT snippet_is_of_the_same_tenant FOREIGN KEY (snippet_id, tenant_id) REFERENCES postroom.evidence_snippet (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.evidence_posting IS
    'In which snippets each term stands: the index that a question is looked up in. Owned by replies.';
CALL postroom.close_to_others('postroom.evidence_posting');
GRANT SELECT, INSERT, DELETE ON postroom.evidence_posting TO postroom_app;
CREATE INDEX evidence_posting_of_snippet ON postroom.evidence_posting (tenant_id, snippet_id);

CREATE TABLE postroom.evidence_term (
    tenant_id uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    source    text NOT NULL,
    term      text NOT NULL,
    snippets  integer NOT NULL,
    PRIMARY KEY (tenant_id, source, term),
    CONSTRAINT source_is_known CHECK (source IN ('paper', 'answer'))
);
COMMENT ON TABLE postroom.evidence_term IS
    'In how many snippets each term stands, so that rarity is looked up instead of counted. Owned by replies.';
CALL postroom.close_to_others('postroom.evidence_term');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.evidence_term TO postroom_app;

CREATE TABLE postroom.draft_slot (
    id          uuid PRIMARY KEY,
    tenant_id   uuid NOT NULL,
    mailbox_id  uuid NOT NULL,
    thread_id   uuid NOT NULL,
    kind        text NOT NULL DEFAULT 'copilot_reply',
    draft_key   text NOT NULL,
    current     uuid,
    held        jsonb,
    held_ref    text,
    intent      jsonb,
    updated_at  timestamptz NOT NULL,
    CONSTRAINT draft_slot_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT thread_has_one_slot UNIQUE (tenant_id, mailbox_id, thread_id, kind),
    CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id) REFERENCES postroom.thread (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.draft_slot IS
    'The one draft of ours that a thread may have: as the provider gave it back, and what we meant to write when an answer was lost. Owned by replies.';
CALL postroom.close_to_others('postroom.draft_slot');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.draft_slot TO postroom_app;
CREATE INDEX draft_slot_of_thread ON postroom.draft_slot (tenant_id, thread_id);
CREATE INDEX draft_slot_by_ref ON postroom.draft_slot (tenant_id, mailbox_id, held_ref) WHERE held_ref IS NOT NULL;

CREATE TABLE postroom.draft_revision (
    id                uuid PRIMARY KEY,
    tenant_id         uuid NOT NULL,
    slot_id           uuid NOT NULL,
    message_ref       text NOT NULL,
    message_id        uuid REFERENCES postroom.message ON DELETE SET NULL,
    status            text NOT NULL,
    because           text NOT NULL DEFAULT '',
    provider_draft_id text NOT NULL,
    fingerprint       text NOT NULL,
    recipients        text[] NOT NULL,
    cc                text[] NOT NULL DEFAULT '{}',
    subject           text NOT NULL,
    proposed          text NOT NULL,
    body              text NOT NULL,
    claims            jsonb NOT NULL DEFAULT '[]',
    questions         text[] NOT NULL DEFAULT '{}',
    blocked           jsonb NOT NULL DEFAULT '[]',
    confidence        double precision NOT NULL,
    gate              double precision NOT NULL,
    model             text NOT NULL,
    edited_by         text,
    sent_ref          text,
    final             text,
    distance          double precision,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
    forgotten_at      timestamptz,
    restored_at       timestamptz,
    CONSTRAINT distance_is_a_share CHECK (distance BETWEEN 0 AND 1),
    CONSTRAINT message_has_one_revision UNIQUE (slot_id, message_ref),
    CONSTRAINT slot_is_of_the_same_tenant FOREIGN KEY (slot_id, tenant_id) REFERENCES postroom.draft_slot (id, tenant_id) ON DELETE CASCADE,
    CONSTRAINT draft_status_is_known CHECK (status IN ('written', 'blocked_user_edited', 'superseded', 'sent', 'discarded'))
);
COMMENT ON TABLE postroom.draft_revision IS
    'Drafts as they were written, each for the message it answers, with what every statement stands on. Owned by replies.';
CALL postroom.close_to_others('postroom.draft_revision');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.draft_revision TO postroom_app;
CREATE INDEX draft_revision_latest ON postroom.draft_revision (tenant_id, created_at DESC, id DESC);
CREATE INDEX draft_revision_of_message ON postroom.draft_revision (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX draft_revision_to_forget ON postroom.draft_revision (tenant_id, updated_at) WHERE forgotten_at IS NULL;
CREATE INDEX draft_revision_of_slot ON postroom.draft_revision (tenant_id, slot_id);

CREATE TABLE postroom.draft_quotation (
    tenant_id   uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    revision_id uuid NOT NULL REFERENCES postroom.draft_revision ON DELETE CASCADE,
    number      integer NOT NULL,
    name        text NOT NULL,
    quote       text NOT NULL,
    statement   text NOT NULL,
    PRIMARY KEY (tenant_id, revision_id, number)
);
COMMENT ON TABLE postroom.draft_quotation IS
    'Which words of which papers the drafts quote that wait for somebody, so that a change of a paper finds them. Owned by replies.';
CALL postroom.close_to_others('postroom.draft_quotation');
GRANT SELECT, INSERT, DELETE ON postroom.draft_quotation TO postroom_app;
CREATE INDEX draft_quotation_of_paper ON postroom.draft_quotation (tenant_id, name);

CREATE TABLE postroom.reply_policy (
    tenant_id  uuid PRIMARY KEY REFERENCES postroom.tenant ON DELETE CASCADE,
    gate       double precision,
    language   text,
    formality  text NOT NULL DEFAULT 'neutral',
    thanks     boolean NOT NULL DEFAULT true,
    greetings  jsonb NOT NULL DEFAULT '{}',
    closings   jsonb NOT NULL DEFAULT '{}',
    signature  text NOT NULL DEFAULT '',
    learn_from uuid[] NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL,
    CONSTRAINT gate_is_a_share CHECK (gate BETWEEN 0.3 AND 0.95),
    CONSTRAINT formality_is_known CHECK (formality IN ('neutral', 'formal', 'informal'))
);
COMMENT ON TABLE postroom.reply_policy IS
    'What a tenant decides about drafts: how sure, in which voice, and from whose answers they may learn; without a row the documented defaults hold. Owned by replies.';
CALL postroom.close_to_others('postroom.reply_policy');
GRANT SELECT, INSERT, UPDATE ON postroom.reply_policy TO postroom_app;

CREATE VIEW postroom.draft_view WITH (security_invoker = true) AS
SELECT r.id, s.thread_id, s.mailbox_id, b.address AS mailbox, t.provider_thread_id, r.message_id, r.message_ref, r.provider_draft_id,
       r.status, r.because, r.fingerprint, r.recipients, r.cc, r.subject, r.proposed, r.body, r.claims, r.questions, r.blocked, r.confidence,
       r.gate, r.model, r.edited_by, r.final, r.distance, r.forgotten_at, s.current IS NOT DISTINCT FROM r.id AS is_current, r.created_at, r.updated_at
  FROM postroom.draft_revision r JOIN postroom.draft_slot s ON s.id = r.slot_id
  JOIN postroom.thread t ON t.id = s.thread_id JOIN postroom.mailbox b ON b.id = s.mailbox_id
 WHERE r.tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.draft_view IS 'Drafts with their thread and mailbox. Owned by reads.';
GRANT SELECT ON postroom.draft_view TO postroom_app;

-- With what was proposed for the newest message.
CREATE OR REPLACE VIEW postroom.thread_view WITH (security_invoker = true) AS
SELECT t.id, t.mailbox_id, b.address AS mailbox, t.provider_thread_id, t.subject, t.messages, t.last_message_at,
       s.reference_code, s.state, s.action, s.reason, s.because, s.language, s.matched, s.analysis, s.model, s.error_code,
       s.channel_id, c.name AS channel, s.channel_because, s.assigned_to, p.email AS assignee, s.snoozed_till,
       s.not_for_us_at, s.done_at, s.newest_at, s.newest_from, s.label, s.label_by_person, s.decided_at, b.copilot,
       (SELECT nullif(r.proposed, '') FROM postroom.draft_slot d JOIN postroom.draft_revision r ON r.slot_id = d.id AND r.tenant_id = d.tenant_id
         WHERE d.tenant_id = t.tenant_id AND d.mailbox_id = t.mailbox_id AND d.thread_id = t.id AND d.kind = 'copilot_reply'
           AND r.message_ref = s.newest_ref) AS draft_response, s.revision
  FROM postroom.thread t JOIN postroom.mailbox b ON b.id = t.mailbox_id
  LEFT JOIN postroom.thread_state s ON s.thread_id = t.id
  LEFT JOIN postroom.channel c ON c.id = s.channel_id
  LEFT JOIN postroom.person p ON p.id = s.assigned_to
 WHERE t.tenant_id = (SELECT postroom.tenant());
