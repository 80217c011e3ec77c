-- The same lanes for less: a claim asks only for what is ready, a closing runs on prepared plans, and a job remembers
-- how it failed last, so that counting failures does not search the attempts.

-- NULL: it has not failed since this column is there.
ALTER TABLE postroom.job ADD COLUMN error_class text;

-- Take ready jobs: by priority, then the tenants in turn, then the oldest. Every step is one look into `job_ready`, and
-- empty priorities are not looked at, so that a claim costs about the same however much is waiting.
CREATE OR REPLACE FUNCTION postroom.claim_jobs(p_worker uuid, p_most integer, p_after uuid, p_cap integer, p_running jsonb)
RETURNS TABLE (id bigint, tenant_id uuid, kind text, key text, lane text, args jsonb, tries smallint, waits smallint, epoch integer,
               correlation_id uuid, created_at timestamptz)
LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_sort = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    level  smallint := 0;
    wanted integer := p_most;  -- how many we may still take
    turns  uuid[];             -- the tenants of this level that have room, in turn
    again  uuid[];             -- those of them that may have more than their share
    turn   uuid;
    first  uuid;               -- where a round of the tenants begins
    around boolean;
    share  integer;
    room   integer;
    got    integer;
BEGIN
    WHILE wanted > 0 LOOP
        SELECT j.priority, j.tenant_id INTO level, first FROM postroom.job j WHERE j.state = 0 AND j.priority >= level
         ORDER BY j.priority, j.tenant_id, j.id LIMIT 1;
        EXIT WHEN NOT FOUND;

        turns := '{}';
        turn := p_after;
        around := false;
        WHILE cardinality(turns) < wanted LOOP
            SELECT j.tenant_id INTO turn FROM postroom.job j
             WHERE j.state = 0 AND j.priority = level AND j.tenant_id > turn
             ORDER BY j.priority, j.tenant_id, j.id LIMIT 1;
            IF NOT FOUND AND NOT around THEN  -- once around, up to where we began
                turn := first;
                around := true;
            END IF;
            EXIT WHEN turn IS NULL OR (around AND turn > p_after);
            IF coalesce((p_running ->> turn::text)::integer, 0) < p_cap THEN turns := turns || turn; END IF;
            EXIT WHEN around AND turn = p_after;
        END LOOP;

        share := greatest(1, wanted / greatest(1, cardinality(turns)));
        WHILE cardinality(turns) > 0 LOOP
            again := '{}';
            FOREACH turn IN ARRAY turns LOOP
                room := least(wanted, share, p_cap - coalesce((p_running ->> turn::text)::integer, 0));
                CONTINUE WHEN room <= 0;
                RETURN QUERY
                    UPDATE postroom.job j SET state = 1, epoch = j.epoch + 1, worker_id = p_worker,
                           started_at = clock_timestamp()
                     WHERE j.id = ANY (ARRAY(SELECT r.id FROM postroom.job r WHERE r.state = 0 AND r.priority = level
                                                AND r.tenant_id = turn ORDER BY r.priority, r.tenant_id, r.id LIMIT room
                                                FOR UPDATE SKIP LOCKED))
                    RETURNING j.id, j.tenant_id, j.kind, j.key, j.lane, j.args, j.tries, j.waits, j.epoch,
                              j.correlation_id, j.created_at;
                GET DIAGNOSTICS got = ROW_COUNT;
                wanted := wanted - got;
                EXIT WHEN wanted = 0;
                CONTINUE WHEN got = 0;
                p_running := p_running || jsonb_build_object(turn::text,
                    coalesce((p_running ->> turn::text)::integer, 0) + got);
                IF got = room THEN again := again || turn; END IF;
            END LOOP;
            EXIT WHEN wanted = 0;
            turns := again;  -- they may take what the others left of their share
            share := wanted;
        END LOOP;
        level := level + 1;
    END LOOP;
END $$;

-- The next of a free lane becomes ready.
CREATE OR REPLACE FUNCTION postroom.open_lane(p_tenant uuid, p_lane text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE postroom.job SET state = 0
     WHERE id = (SELECT id FROM postroom.job WHERE tenant_id = p_tenant AND lane = p_lane AND state = 2
                  ORDER BY priority, id LIMIT 1)
       AND NOT EXISTS (SELECT FROM postroom.job taken WHERE taken.tenant_id = p_tenant AND taken.lane = p_lane
                          AND (taken.state IN (0, 1) OR (taken.state IN (3, 4) AND taken.holding)));
END $$;

CREATE OR REPLACE FUNCTION postroom.tell_facts(p_tenant uuid, p_facts jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO postroom.fact (xid, told_at, tenant_id, kind, mailbox_id, thread_id, message_id, document_id, job_id,
                               run_id, correlation_id, actor, body, digest)
    SELECT pg_current_xact_id()::text::bigint + h.xid_offset, f.told_at, coalesce(f.tenant_id, p_tenant), f.kind, f.mailbox_id,
           f.thread_id, f.message_id, f.document_id, f.job_id, f.run_id, f.correlation_id, f.actor, f.body,
           decode(f.digest, 'hex')
      FROM postroom.house h,
           jsonb_to_recordset(p_facts) AS f (told_at timestamptz, tenant_id uuid, kind text, mailbox_id uuid,
               thread_id uuid, message_id uuid, document_id uuid, job_id bigint, run_id text, correlation_id uuid,
               actor text, body jsonb, digest text);
END $$;

-- The closing of a run that worked: effect, facts, next jobs and "done" are one commit, or none of it.
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
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
    IF p_lane IS NOT NULL THEN PERFORM postroom.open_lane(p_tenant, p_lane); END IF;
END $$;

-- The end of a run that did not: again later, parked, quarantined or stopped. An equal waiting job is taken in.
CREATE OR REPLACE FUNCTION postroom.end_run(p_tenant uuid, p_id bigint, p_epoch integer, p_outcome text, p_error jsonb,
                                            p_delay interval, p_spends boolean, p_parked_for text, p_facts jsonb,
                                            p_jobs jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    run  postroom.job;
    twin postroom.job;
    at   timestamptz := CASE WHEN p_delay IS NOT NULL THEN clock_timestamp() + p_delay END;
BEGIN
    SELECT * INTO run FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant;
    PERFORM postroom.lock_lanes(p_tenant, p_jobs,
        CASE WHEN run.lane IS NOT NULL OR run.key IS NOT NULL
             THEN postroom.lane_lock(p_tenant, run.lane, run.kind, run.key) END);
    SELECT * INTO run FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 1 FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    IF p_spends THEN run.tries := run.tries + 1; END IF;
    IF p_outcome = 'throttled' THEN run.waits := run.waits + 1; ELSE run.waits := 0; END IF;
    PERFORM postroom.record_attempt(run, p_outcome, p_error, at, p_outcome = 'quarantined');
    IF p_outcome = 'stopped' THEN
        DELETE FROM postroom.job WHERE id = p_id;
    ELSE
        IF p_outcome <> 'quarantined' AND run.key IS NOT NULL THEN
            DELETE FROM postroom.job WHERE tenant_id = p_tenant AND kind = run.kind AND key = run.key
               AND state IN (0, 2, 3, 4) RETURNING * INTO twin;
        END IF;
        UPDATE postroom.job
           SET state = CASE p_outcome WHEN 'quarantined' THEN 5 WHEN 'parked' THEN 4 ELSE 3 END,
               tries = run.tries, waits = run.waits, worker_id = NULL, started_at = NULL,
               holding = run.holds_lane AND p_outcome <> 'quarantined',
               run_at = coalesce(at, run_at), not_before = coalesce(at, not_before),
               parked_for = p_parked_for, reason = p_error ->> 'text',
               error_class = coalesce(p_error ->> 'class', error_class),
               hits = run.hits + coalesce(twin.hits, 0), args = coalesce(twin.args, run.args),
               priority = least(run.priority, coalesce(twin.priority, run.priority))
         WHERE id = p_id;
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
    IF run.lane IS NOT NULL THEN PERFORM postroom.open_lane(p_tenant, run.lane); END IF;
END $$;
