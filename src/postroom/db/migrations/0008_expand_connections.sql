-- Whose mailbox a row is about, to which browser a consent belongs, and that a cursor is of the folder that is served.

-- A row of one tenant's cannot point at another's mailbox, whoever writes it. The pair replaces the single key, so that
-- writing a message costs no second look.
ALTER TABLE postroom.mailbox ADD CONSTRAINT mailbox_is_of_one_tenant UNIQUE (id, tenant_id);

DO $$
DECLARE place text;
BEGIN
    FOREACH place IN ARRAY ARRAY['postroom.audit_run', 'postroom.coverage', 'postroom.gmail_watch_state', 'postroom.hint',
        'postroom.mailbox_cursor', 'postroom.mailbox_pulse', 'postroom.mailbox_token', 'postroom.message', 'postroom.thread',
        'padealing.graph_subscription_state']
    LOOP
        EXECUTE format('ALTER TABLE %s ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) '
                       'REFERENCES postroom.mailbox (id, tenant_id) ON DELETE CASCADE NOT VALID', place);
        EXECUTE format('ALTER TABLE %s VALIDATE CONSTRAINT mailbox_is_of_the_same_tenant', place);
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', place, split_part(place, '.', 2) || '_mailbox_id_fkey');
    END LOOP;
END $$;

ALTER TABLE postroom.document ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id)
    REFERENCES postroom.mailbox (id, tenant_id) ON DELETE SET NULL (mailbox_id) NOT VALID;
ALTER TABLE postroom.document VALIDATE CONSTRAINT mailbox_is_of_the_same_tenant;
ALTER TABLE postroom.document DROP CONSTRAINT document_mailbox_id_fkey;

ALTER TABLE padealing.graph_subscription_state
    ADD CONSTRAINT subscription_of_a_mailbox_names_its_tenant CHECK (mailbox_id IS NULL OR tenant_id IS NOT NULL) NOT VALID;
ALTER TABLE padealing.graph_subscription_state VALIDATE CONSTRAINT subscription_of_a_mailbox_names_its_tenant;
GRANT DELETE ON padealing.graph_subscription_state TO postroom_app;

-- A consent belongs to the browser it was started in: only the digest of that browser's secret is kept. One that a key
-- started belongs to no browser until somebody opens its ticket. Those on their way know of none, and are started anew.
TRUNCATE postroom.consent;
ALTER TABLE postroom.consent
    ADD COLUMN browser bytea,
    ADD COLUMN ticket  bytea,
    ADD COLUMN shared  boolean NOT NULL DEFAULT false;
ALTER TABLE postroom.consent
    ADD CONSTRAINT consent_is_of_a_tenant FOREIGN KEY (tenant_id) REFERENCES postroom.tenant ON DELETE CASCADE;
CREATE UNIQUE INDEX consent_has_its_own_ticket ON postroom.consent (ticket);
CREATE INDEX consent_oldest ON postroom.consent (tenant_id, expires_at);
GRANT UPDATE (browser, ticket, verifier) ON postroom.consent TO postroom_app;

-- A sealed value may be sealed anew with the next key, and nothing else of it changed.
GRANT UPDATE (sealed) ON postroom.pdf_password TO postroom_app;

-- Another folder's cursor would read that folder for ever.
CREATE FUNCTION postroom.drop_cursor() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE postroom.mailbox_cursor
       SET cursor = NULL, moved_at = NULL, synced_at = NULL, resync_since = NULL, resync_page = NULL, resync_cursor = NULL,
           resync_found = 0, resync_attempts = 0
     WHERE mailbox_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER cursor_is_of_the_folder_we_serve AFTER UPDATE OF folder ON postroom.mailbox
    FOR EACH ROW WHEN (OLD.folder IS DISTINCT FROM NEW.folder) EXECUTE FUNCTION postroom.drop_cursor();
