-- Bells are answered after one append; what follows from them is sorted a moment later, many at once. A resync says what it
-- may not list. An Outlook mailbox is served for one tenant.

-- Rings that were checked and answered, until they are sorted into hints, pulses, facts and jobs. What a crash left here,
-- the next poll sorts. No foreign key: the mailbox of a ring may be deleted meanwhile, which must not spoil the others.
CREATE TABLE postroom.ring (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id  uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    ref        text,
    rang_at    timestamptz NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
CALL postroom.close_to_others('postroom.ring');
CALL postroom.open_to_desk('postroom.ring', 'SELECT, INSERT, DELETE');
GRANT SELECT, DELETE ON postroom.ring TO postroom_app;
GRANT INSERT ON postroom.hint TO postroom_app;
GRANT INSERT, UPDATE ON postroom.mailbox_pulse TO postroom_app;

-- Hints and pulses first, lanes last: a sync takes its hints away and then its lane, and nobody may wait the other way round.
CREATE OR REPLACE FUNCTION postroom.take_bells(p_now timestamptz, p_hints jsonb, p_pulses jsonb, p_facts jsonb, p_jobs jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_hints IS NOT NULL THEN
        INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at)
        SELECT h.tenant_id, h.mailbox_id, h.ref, p_now
          FROM jsonb_to_recordset(p_hints) AS h (tenant_id uuid, mailbox_id uuid, ref text)
          JOIN postroom.mailbox m ON m.id = h.mailbox_id  -- one deleted a moment ago must not spoil the others' commit
         ORDER BY h.mailbox_id, h.ref
        ON CONFLICT DO NOTHING;
    END IF;
    IF p_pulses IS NOT NULL THEN
        INSERT INTO postroom.mailbox_pulse (tenant_id, mailbox_id, last_push_at, pushes)
        SELECT p.tenant_id, p.mailbox_id, coalesce(p.rang_at, p_now), p.pushes
          FROM jsonb_to_recordset(p_pulses) AS p (tenant_id uuid, mailbox_id uuid, pushes bigint, rang_at timestamptz)
          JOIN postroom.mailbox m ON m.id = p.mailbox_id
         ORDER BY p.mailbox_id
        ON CONFLICT (mailbox_id) DO UPDATE
           SET last_push_at = greatest(mailbox_pulse.last_push_at, excluded.last_push_at),
               pushes = mailbox_pulse.pushes + excluded.pushes;
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(NULL, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.enqueue(NULL, p_jobs); END IF;
END $$;

-- Rings become what they ask for, in one commit and one round trip. False: somebody sorted them before.
CREATE FUNCTION postroom.sort_rings(p_rings bigint[], p_now timestamptz, p_hints jsonb, p_pulses jsonb, p_facts jsonb, p_jobs jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM postroom.ring WHERE id = ANY (p_rings);
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM postroom.take_bells(p_now, p_hints, p_pulses, p_facts, p_jobs);
    RETURN true;
END $$;

-- What a resync may not list any more because it is too long ago: said, and seen, until somebody has it listed.
ALTER TABLE postroom.mailbox_cursor ADD COLUMN unlisted_since timestamptz, ADD COLUMN unlisted_till timestamptz;

-- The ledger knows a message of Outlook by its id alone, and Microsoft one subscription for each folder: of two tenants who
-- serve the same mailbox, each would take mail and pushes from the other. Whoever came later stops, and is told why.
UPDATE postroom.mailbox later
   SET status = 'disconnected', disconnected_at = now(), because = 'The same mailbox is connected for another tenant.'
  FROM postroom.mailbox first
 WHERE later.provider = 'outlook' AND first.provider = 'outlook' AND later.address = first.address
   AND first.status <> 'disconnected' AND later.status <> 'disconnected' AND (first.connected_at, first.id) < (later.connected_at, later.id);
CREATE UNIQUE INDEX outlook_mailbox_is_of_one_tenant ON postroom.mailbox (address)
    WHERE provider = 'outlook' AND status <> 'disconnected';
