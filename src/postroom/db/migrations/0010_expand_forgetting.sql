-- Files that somebody fetched out of a mail, and what is forgotten when a tenant's time for it is over.

-- An attachment that was asked for: its bytes lie beside the archive, till they are forgotten.
CREATE TABLE postroom.attachment (
    tenant_id    uuid NOT NULL,
    message_id   uuid NOT NULL REFERENCES postroom.message ON DELETE CASCADE,
    sha256       text NOT NULL,
    blob_key     text NOT NULL,
    fetched_by   text NOT NULL,
    fetched_at   timestamptz NOT NULL,
    PRIMARY KEY (message_id, sha256),
    CONSTRAINT attachment_hash_is_sha256 CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
CALL postroom.close_to_others('postroom.attachment');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.attachment TO postroom_app;
CREATE INDEX attachment_oldest ON postroom.attachment (tenant_id, fetched_at);
CREATE INDEX attachment_by_key ON postroom.attachment (tenant_id, blob_key);

-- Stored files that nothing refers to any more. They are noted in the commit that lets go of them and removed after it,
-- so that a crash in between leaves a note, never a row without its file.
CREATE TABLE postroom.unwanted_blob (
    tenant_id uuid NOT NULL,
    blob_key  text NOT NULL,
    noted_at  timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, blob_key)
);
CALL postroom.close_to_others('postroom.unwanted_blob');
GRANT SELECT, INSERT, DELETE ON postroom.unwanted_blob TO postroom_app;

ALTER TABLE postroom.message ADD COLUMN forgotten_at timestamptz;
CREATE INDEX message_to_forget ON postroom.message (tenant_id, arrived_at)
    WHERE forgotten_at IS NULL AND arrived_at IS NOT NULL;

ALTER TABLE postroom.document
    ADD COLUMN forgotten_at         timestamptz,
    ADD COLUMN archive_forgotten_at timestamptz;
CREATE INDEX document_to_forget ON postroom.document (tenant_id, created_at) WHERE forgotten_at IS NULL;
CREATE INDEX document_by_archive_path ON postroom.document (tenant_id, archive_path) WHERE archive_path IS NOT NULL;
CREATE INDEX document_in_archive ON postroom.document (tenant_id, created_at) WHERE archive_path IS NOT NULL;
