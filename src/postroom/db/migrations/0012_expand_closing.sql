-- A lane is handed on for less: whoever closes the job that had it knows that it is free.

-- The closing of a run that worked: effect, facts, next jobs and "done" are one commit, or none of it. The lane goes to the
-- next that waits before new jobs are put in, so that they queue up behind it. Nobody else can have it: ours was the only one
-- (`one_at_a_time_per_lane`), and we hold the lane's lock.
CREATE OR REPLACE FUNCTION postroom.close_job(p_tenant uuid, p_id bigint, p_epoch integer, p_lane text, p_facts jsonb,
                                              p_jobs jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    done postroom.job;
BEGIN
    IF p_jobs IS NOT NULL THEN
        PERFORM postroom.lock_lanes(p_tenant, p_jobs,
            CASE WHEN p_lane IS NOT NULL THEN postroom.lane_lock(p_tenant, p_lane, NULL, NULL) END);
    ELSIF p_lane IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(postroom.lane_lock(p_tenant, p_lane, NULL, NULL));
    END IF;
    DELETE FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 1 RETURNING * INTO done;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, mailbox_id, epoch, outcome, retry_count, correlation_id,
                                  worker_id, created_at, started_at, finished_at)
    VALUES (done.tenant_id, done.id, done.kind, done.key, done.mailbox_id, done.epoch, 'done', done.tries,
            done.correlation_id, done.worker_id, done.created_at, done.started_at, clock_timestamp());
    IF p_lane IS NOT NULL THEN
        UPDATE postroom.job SET state = 0
         WHERE id = (SELECT id FROM postroom.job WHERE tenant_id = p_tenant AND lane = p_lane AND state = 2
                      ORDER BY priority, id LIMIT 1);
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
END $$;
