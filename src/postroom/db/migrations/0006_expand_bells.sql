-- All that a moment's bells ask for, in one statement: hints, pulses, facts and jobs are one commit and one round trip.
CREATE FUNCTION postroom.take_bells(p_now timestamptz, p_hints jsonb, p_pulses jsonb, p_facts jsonb, p_jobs jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_jobs IS NOT NULL THEN PERFORM postroom.lock_lanes(NULL, p_jobs, NULL); END IF;
    IF p_hints IS NOT NULL THEN
        INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at)
        SELECT h.tenant_id, h.mailbox_id, h.ref, p_now
          FROM jsonb_to_recordset(p_hints) AS h (tenant_id uuid, mailbox_id uuid, ref text)
          JOIN postroom.mailbox m ON m.id = h.mailbox_id  -- one deleted a moment ago must not spoil the others' commit
        ON CONFLICT DO NOTHING;
    END IF;
    IF p_pulses IS NOT NULL THEN
        INSERT INTO postroom.mailbox_pulse (tenant_id, mailbox_id, last_push_at, pushes)
        SELECT p.tenant_id, p.mailbox_id, p_now, p.pushes
          FROM jsonb_to_recordset(p_pulses) AS p (tenant_id uuid, mailbox_id uuid, pushes bigint)
          JOIN postroom.mailbox m ON m.id = p.mailbox_id
         ORDER BY p.mailbox_id
        ON CONFLICT (mailbox_id) DO UPDATE
           SET last_push_at = excluded.last_push_at, pushes = mailbox_pulse.pushes + excluded.pushes;
    END IF;
    PERFORM postroom.tell_facts(NULL, p_facts);
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(NULL, p_jobs); END IF;
END $$;
