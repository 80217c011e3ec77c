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
    created_by  text NOT NULL,
    created_at  timestamptz NOT NULL,
    CONSTRAINT evidence_document_is_of_one_tenant UNIQUE (id, tenant_id),
    CONSTRAINT evidence_version_is_unique UNIQUE (tenant_id, name, version),
    CONSTRAINT evidence_audience_is_known CHECK (audience IN ('public', 'internal')),
    CONSTRAINT evidence_kind_is_known CHECK (kind IN ('markdown', 'text', 'html', 'pdf'))
);
COMMENT ON TABLE postroom.evidence_document IS
    'Papers that answers are drawn from, every version of each; what is internal is never quoted. Owned by replies.';
CALL postroom.close_to_others('postroom.evidence_document');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.evidence_document TO postroom_app;
CREATE UNIQUE INDEX evidence_has_one_current_version ON postroom.evidence_document (tenant_id, name) WHERE is_current;

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
    term       text NOT NULL,
    snippet_id uuid NOT NULL,
    PRIMARY KEY (tenant_id, term, snippet_id),
    CONSTRAINT snippet_is_of_the_same_tenant FOREIGN KEY (snippet_id, tenant_id) REFERENCES postroom.evidence_snippet (id, tenant_id) ON DELETE CASCADE
);
COMMENT ON TABLE postroom.evidence_posting IS
    'In which snippets each term stands: the index that a question is looked up in. Owned by replies.';
CALL postroom.close_to_others('postroom.evidence_posting');
GRANT SELECT, INSERT, DELETE ON postroom.evidence_posting TO postroom_app;
CREATE INDEX evidence_posting_of_snippet ON postroom.evidence_posting (tenant_id, snippet_id);

CREATE TABLE postroom.evidence_term (
    tenant_id uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    term      text NOT NULL,
    snippets  integer NOT NULL,
    PRIMARY KEY (tenant_id, term)
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
    subject           text NOT NULL,
    body              text NOT NULL,
    claims            jsonb NOT NULL DEFAULT '[]',
    questions         text[] NOT NULL DEFAULT '{}',
    blocked           jsonb NOT NULL DEFAULT '[]',
    confidence        double precision NOT NULL,
    gate              double precision NOT NULL,
    model             text NOT NULL,
    edited_by         text,
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL,
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

CREATE VIEW postroom.draft_view WITH (security_invoker = true) AS
SELECT r.id, s.thread_id, s.mailbox_id, b.address AS mailbox, t.provider_thread_id, r.message_id, r.message_ref, r.provider_draft_id,
       r.status, r.because, r.fingerprint, r.recipients, r.subject, r.body, r.claims, r.questions, r.blocked, r.confidence, r.gate,
       r.model, r.edited_by, s.current IS NOT DISTINCT FROM r.id AS is_current, r.created_at, r.updated_at
  FROM postroom.draft_revision r JOIN postroom.draft_slot s ON s.id = r.slot_id
  JOIN postroom.thread t ON t.id = s.thread_id JOIN postroom.mailbox b ON b.id = s.mailbox_id
 WHERE r.tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.draft_view IS 'Drafts with their thread and mailbox. Owned by reads.';
GRANT SELECT ON postroom.draft_view TO postroom_app;
