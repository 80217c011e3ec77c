-- The ledger shared with Airflow: the published table, and who may touch which of its rows.

CREATE SCHEMA IF NOT EXISTS bo_airflow;
GRANT USAGE ON SCHEMA bo_airflow TO postroom_app, postroom_desk;

CREATE TABLE IF NOT EXISTS bo_airflow.email_ingestion_state (
    id BIGSERIAL PRIMARY KEY,
    app_name VARCHAR(100) NOT NULL,
    message_id VARCHAR(255) NOT NULL,
    mailbox_email VARCHAR(255) NOT NULL,
    sender_email VARCHAR(255),
    received_at TIMESTAMPTZ,
    subject TEXT,
    status VARCHAR(20) NOT NULL DEFAULT 'processing',
    error_message TEXT,
    attachments_processed INTEGER NOT NULL DEFAULT 0,
    trades_extracted INTEGER NOT NULL DEFAULT 0,
    archive_gcs_paths JSONB,
    worker_id VARCHAR(255),
    created_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    updated_at TIMESTAMPTZ NOT NULL DEFAULT NOW(),
    CONSTRAINT unique_app_message UNIQUE (app_name, message_id)
);
COMMENT ON TABLE bo_airflow.email_ingestion_state IS
    'The ledger shared with Airflow, the published columns. Owned by engine.';
GRANT SELECT, INSERT, UPDATE ON bo_airflow.email_ingestion_state TO postroom_app;
GRANT USAGE ON SEQUENCE bo_airflow.email_ingestion_state_id_seq TO postroom_app;

-- The ledger has no tenant column, being exactly the shared one. What a worker of ours wrote is its tenant's, whatever the
-- address; what others wrote (Airflow) is the tenant's whose Outlook mailbox it is about, or whose mailbox the id names.
-- Others who share the table are not bound by this.
ALTER TABLE bo_airflow.email_ingestion_state ENABLE ROW LEVEL SECURITY;
ALTER TABLE bo_airflow.email_ingestion_state FORCE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON bo_airflow.email_ingestion_state TO postroom_app
    USING (CASE WHEN worker_id LIKE 'postroom:%' THEN worker_id = 'postroom:' || (SELECT postroom.tenant())
                ELSE EXISTS (SELECT FROM postroom.mailbox m WHERE m.address = lower(mailbox_email)
                                AND (m.provider = 'outlook' OR starts_with(message_id, m.id::text))) END)
    WITH CHECK ((worker_id NOT LIKE 'postroom:%' OR worker_id = 'postroom:' || (SELECT postroom.tenant())) IS NOT FALSE
                AND EXISTS (SELECT FROM postroom.mailbox m WHERE m.address = lower(mailbox_email)));
CREATE POLICY everybody_else ON bo_airflow.email_ingestion_state
    USING (current_user <> 'postroom_app') WITH CHECK (current_user <> 'postroom_app');

-- Whether a worker of another tenant has this id: an Outlook mailbox moved from one tenant to another. The policy hides
-- such a row, so that whoever asks goes by a name of its own.
CREATE FUNCTION bo_airflow.is_anothers(apps text[], asked text) RETURNS boolean
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN  -- neither in plain SQL nor with a plan for these values: either would be planned anew for every mail
    RETURN EXISTS (SELECT FROM bo_airflow.email_ingestion_state s WHERE s.app_name = ANY (apps) AND s.message_id = asked
                      AND s.worker_id LIKE 'postroom:%' AND s.worker_id <> 'postroom:' || postroom.tenant());
END $$;
REVOKE EXECUTE ON FUNCTION bo_airflow.is_anothers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bo_airflow.is_anothers TO postroom_app;

-- The published claim also succeeds on a row that another worker is still processing. A live lease is not
-- taken over: such an update is dropped, so RETURNING gives nothing, as the statement promises. The lease is 15 minutes.
CREATE FUNCTION bo_airflow.keep_live_lease() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.status = 'success' AND NEW.status <> 'success' THEN
        RETURN NULL;  -- a late failure does not undo what succeeded
    END IF;
    IF OLD.status = 'processing' AND NEW.status = 'processing'
       AND OLD.worker_id IS DISTINCT FROM NEW.worker_id
       AND OLD.updated_at BETWEEN clock_timestamp() - interval '15 minutes' AND clock_timestamp() + interval '15 minutes' THEN
        RETURN NULL;
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER nobody_takes_over_a_live_lease BEFORE UPDATE ON bo_airflow.email_ingestion_state
    FOR EACH ROW EXECUTE FUNCTION bo_airflow.keep_live_lease();
