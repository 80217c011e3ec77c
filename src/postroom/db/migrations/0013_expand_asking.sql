-- A person asks for one more try, and the job carries who it was, so that its end can be told: it worked, or it did not.
CREATE FUNCTION postroom.replay_job(p_tenant uuid, p_id bigint, p_by text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    again postroom.job;
BEGIN
    SELECT * INTO again FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM pg_advisory_xact_lock(postroom.lane_lock(p_tenant, again.lane, again.kind, coalesce(again.key, '')));
    DELETE FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant AND state IN (3, 4, 5) RETURNING * INTO again;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM postroom.put_jobs(p_tenant, jsonb_build_array(jsonb_build_object('kind', again.kind, 'key', again.key,
        'lane', again.lane, 'priority', again.priority, 'holds_lane', again.holds_lane,
        'args', again.args || jsonb_strip_nulls(jsonb_build_object('asked_by', p_by)),
        'mailbox_id', again.mailbox_id, 'correlation_id', again.correlation_id)));
    IF again.lane IS NOT NULL THEN PERFORM postroom.open_lane(p_tenant, again.lane); END IF;
    RETURN true;
END $$;

-- For workers of the version before.
CREATE OR REPLACE FUNCTION postroom.replay_job(p_tenant uuid, p_id bigint) RETURNS boolean LANGUAGE sql AS $$
    SELECT postroom.replay_job(p_tenant, p_id, NULL)
$$;
