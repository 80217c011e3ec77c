-- The engine: how a tenant's rows are closed to others, lanes of jobs and their attempts, facts and their seals.

CREATE SCHEMA IF NOT EXISTS postroom;

GRANT USAGE ON SCHEMA postroom TO postroom_app, postroom_desk;
COMMENT ON SCHEMA postroom IS 'Postroom. Every table carries tenant_id with row-level security forced, but for the house''s own: worker, timetable, house, migration, provider_slot, provider_quota.';

-- Whose data this transaction may touch. Unset means nobody's.
CREATE FUNCTION postroom.tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
$$ SELECT nullif(current_setting('postroom.tenant', true), '')::uuid $$;

-- Every tenant table is closed in the same way: rows of the transaction's tenant, and nothing else, for the
-- runtime role; the front desk sees only the tables that are opened to it by name.
CREATE PROCEDURE postroom.close_to_others(place regclass) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', place);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', place);
    EXECUTE format('CREATE POLICY own_tenant ON %s TO postroom_app '
                   'USING (tenant_id = (SELECT postroom.tenant())) '
                   'WITH CHECK (tenant_id = (SELECT postroom.tenant()))', place);
END $$;

CREATE PROCEDURE postroom.open_to_desk(place regclass, rights text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE POLICY front_desk ON %s TO postroom_desk USING (true) WITH CHECK (true)', place);
    EXECUTE format('GRANT %s ON %s TO postroom_desk', rights, place);
END $$;

-- ------------------------------------------------------------------------------------------- lanes and attempts

CREATE TABLE postroom.job (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant_id      uuid NOT NULL,
    kind           text NOT NULL,
    key            text,
    lane           text,
    state          text NOT NULL DEFAULT 'ready',
    priority       smallint NOT NULL DEFAULT 1,
    holds_lane     boolean NOT NULL DEFAULT true,   -- of its kind: does a retry keep the lane?
    holding        boolean NOT NULL DEFAULT false,  -- does it keep the lane now, although it is not running?
    args           jsonb NOT NULL DEFAULT '{}',
    mailbox_id     uuid,
    correlation_id uuid NOT NULL,
    run_at         timestamptz NOT NULL DEFAULT now(),
    not_before     timestamptz NOT NULL DEFAULT '-infinity',
    created_at     timestamptz NOT NULL DEFAULT now(),
    started_at     timestamptz,
    tries          smallint NOT NULL DEFAULT 0,     -- attempts spent
    waits          smallint NOT NULL DEFAULT 0,     -- times it was told to wait, which spends none
    deaths         smallint NOT NULL DEFAULT 0,     -- workers that died while they were at it
    rounds         smallint NOT NULL DEFAULT 0,     -- times the clock began its tries anew after it was put aside
    hits           integer NOT NULL DEFAULT 1,
    epoch          integer NOT NULL DEFAULT 0,
    worker_id      uuid,
    parked_for     text,
    reason         text,
    error_class    text,                            -- how it failed last
    carries        boolean NOT NULL DEFAULT false,  -- bytes travel with it (`job_payload`)
    CONSTRAINT job_state_is_known CHECK (state IN
        ('ready', 'running', 'waiting', 'later', 'parked', 'quarantined')),
    CONSTRAINT job_priority_is_known CHECK (priority BETWEEN 0 AND 3),
    CONSTRAINT job_runs_on_a_worker CHECK (state <> 'running' OR worker_id IS NOT NULL)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 20000);
COMMENT ON TABLE postroom.job IS
    'Work that is not over, in lanes: jobs of one lane run one at a time. Owned by engine.';
CALL postroom.close_to_others('postroom.job');
CALL postroom.open_to_desk('postroom.job', 'SELECT, INSERT, UPDATE, DELETE');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.job TO postroom_app;
COMMENT ON COLUMN postroom.job.state IS
    'ready; running; waiting for its lane; later; parked for a person; quarantined, until a person replays it.';

CREATE INDEX job_ready ON postroom.job (priority, tenant_id, id) WHERE state = 'ready';
CREATE INDEX job_later ON postroom.job (run_at, id) WHERE state = 'later';
CREATE INDEX job_running ON postroom.job (worker_id) WHERE state = 'running';
CREATE INDEX job_aside ON postroom.job (tenant_id, state, id) WHERE state IN ('parked', 'quarantined');
CREATE INDEX job_lane_waiting ON postroom.job (tenant_id, lane, priority, id) WHERE state = 'waiting';
CREATE UNIQUE INDEX one_at_a_time_per_lane ON postroom.job (tenant_id, lane)
    WHERE lane IS NOT NULL AND (state IN ('ready', 'running') OR (state IN ('later', 'parked') AND holding));
CREATE UNIQUE INDEX waiting_jobs_of_one_key_are_one ON postroom.job (tenant_id, kind, key)
    WHERE key IS NOT NULL AND state IN ('ready', 'waiting', 'later', 'parked');

CREATE UNLOGGED TABLE postroom.job_payload (
    job_id     bigint PRIMARY KEY,
    tenant_id  uuid NOT NULL,
    size       integer NOT NULL,
    content    bytea NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT payload_is_small CHECK (size BETWEEN 1 AND 1048576)
);
ALTER TABLE postroom.job_payload ALTER COLUMN content SET STORAGE EXTERNAL;  -- mostly compressed already
COMMENT ON TABLE postroom.job_payload IS
    'Bytes that travel with a job for minutes: gone with its end, with time, or with a crash of the server; whoever finds none gets them anew. Owned by engine.';
CALL postroom.close_to_others('postroom.job_payload');
CALL postroom.open_to_desk('postroom.job_payload', 'SELECT (created_at), DELETE');  -- it drops what is old, and reads nothing
GRANT SELECT, INSERT, DELETE ON postroom.job_payload TO postroom_app;
CREATE INDEX job_payload_of_tenant ON postroom.job_payload (tenant_id) INCLUDE (size);

CREATE VIEW postroom.job_view WITH (security_invoker = true) AS
SELECT id, tenant_id, kind, key, lane, state, priority, args, mailbox_id, correlation_id, run_at, created_at, started_at,
       tries, waits, hits, epoch, parked_for, reason
  FROM postroom.job WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.job_view IS 'Jobs of the tenant, as everybody reads them. Owned by engine.';
GRANT SELECT ON postroom.job_view TO postroom_app;

CREATE TABLE postroom.attempt (
    id                  bigint GENERATED ALWAYS AS IDENTITY,
    tenant_id           uuid NOT NULL,
    job_id              bigint NOT NULL,
    kind                text NOT NULL,
    key                 text,
    mailbox_id          uuid,
    epoch               integer NOT NULL,
    outcome             text NOT NULL,
    error_class         text,
    error_code          text,
    error               text,
    retry_count         smallint NOT NULL,
    next_retry_at       timestamptz,
    max_retries_reached boolean NOT NULL DEFAULT false,
    correlation_id      uuid NOT NULL,
    worker_id           uuid,
    created_at          timestamptz NOT NULL,
    started_at          timestamptz,
    finished_at         timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (finished_at, id),
    CONSTRAINT attempt_outcome_is_known CHECK (outcome IN
        ('done', 'retry', 'throttled', 'parked', 'quarantined', 'stopped', 'lost', 'released'))
) PARTITION BY RANGE (finished_at);
COMMENT ON TABLE postroom.attempt IS 'Every try of every job, a partition a day, dropped by the day. Owned by engine.';
CALL postroom.close_to_others('postroom.attempt');
CALL postroom.open_to_desk('postroom.attempt', 'SELECT, INSERT');
GRANT SELECT, INSERT ON postroom.attempt TO postroom_app;
CREATE INDEX attempt_of_tenant ON postroom.attempt (tenant_id, id);
CREATE INDEX attempt_that_failed ON postroom.attempt (tenant_id, error_class, id) WHERE outcome NOT IN ('done', 'released');
-- Failures are few, so finding those of one job costs the busy path nothing.
CREATE INDEX attempt_of_failed_job ON postroom.attempt (job_id, id) WHERE outcome NOT IN ('done', 'released');

CREATE VIEW postroom.attempt_view WITH (security_invoker = true) AS
SELECT id, job_id, kind, key, mailbox_id, outcome, error_class, error_code, error, retry_count, next_retry_at,
       max_retries_reached, correlation_id, created_at, started_at, finished_at
  FROM postroom.attempt WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.attempt_view IS 'Attempts of the tenant, as everybody reads them. Owned by engine.';
GRANT SELECT ON postroom.attempt_view TO postroom_app;

CREATE TABLE postroom.worker (
    id         uuid PRIMARY KEY,
    name       text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    lease_till timestamptz NOT NULL
) WITH (fillfactor = 20);
COMMENT ON TABLE postroom.worker IS
    'A running process that works on jobs; its heartbeat is the lease of all it holds. Owned by engine.';
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.worker TO postroom_desk;

CREATE TABLE postroom.timetable (
    name    text PRIMARY KEY,
    spec    text NOT NULL,
    next_at timestamptz NOT NULL,
    fired   bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE postroom.timetable IS 'When each line of the timetable is due next. Owned by engine.';
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.timetable TO postroom_desk;

CREATE FUNCTION postroom.lane_lock(p_tenant uuid, p_lane text, p_kind text, p_key text) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
$$ SELECT hashtextextended(coalesce(p_lane, p_kind || '#' || p_key), hashtextextended(p_tenant::text, 0)) $$;

-- Put jobs in, in the caller's transaction. An equal waiting job only counts a hit. The caller holds the locks. Whether a
-- lane is taken is looked up for each job: EXISTS, for a hundred jobs that the planner expects, would read all that wait.
CREATE FUNCTION postroom.put_jobs(p_tenant uuid, p_jobs jsonb) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
    WITH asked AS (
        SELECT coalesce(j.tenant_id, p_tenant) AS tenant_id, j.kind, j.key, j.lane, coalesce(j.priority, 1) AS priority,
               coalesce(j.holds_lane, true) AS holds_lane, coalesce(j.args, '{}') AS args, j.mailbox_id,
               coalesce(j.correlation_id, gen_random_uuid()) AS correlation_id,
               coalesce(j.run_at, now() + coalesce(j.delay, 0) * interval '1 s') AS run_at, coalesce(j.rounds, 0) AS rounds,
               coalesce(j.carries, false) AS carries, j.ord
          FROM ROWS FROM (jsonb_to_recordset(p_jobs) AS (tenant_id uuid, kind text, key text, lane text,
                   priority smallint, holds_lane boolean, args jsonb, mailbox_id uuid, correlation_id uuid,
                   run_at timestamptz, rounds smallint, carries boolean, delay double precision)) WITH ORDINALITY
               AS j (tenant_id, kind, key, lane, priority, holds_lane, args, mailbox_id, correlation_id, run_at, rounds, carries, delay,
                     ord)
    ), single AS (  -- twins inside one batch: the last one says how, and they are one
        SELECT DISTINCT ON (tenant_id, kind, coalesce(key, '#' || ord)) *
          FROM asked ORDER BY tenant_id, kind, coalesce(key, '#' || ord), ord DESC
    ), placed AS (
        SELECT s.*, row_number() OVER (PARTITION BY tenant_id, coalesce(lane, '#' || ord)
                                       ORDER BY run_at > now(), priority, ord) AS turn
          FROM single s
    )
    INSERT INTO postroom.job AS waiting
           (tenant_id, kind, key, lane, priority, holds_lane, args, mailbox_id, correlation_id, run_at, rounds, carries, state)
    SELECT tenant_id, kind, key, lane, priority, holds_lane, args, mailbox_id, correlation_id, run_at, rounds, carries,
           CASE WHEN run_at > now() THEN 'later'
                WHEN lane IS NOT NULL AND (turn > 1 OR (
                        SELECT true FROM postroom.job taken
                         WHERE taken.tenant_id = p.tenant_id AND taken.lane = p.lane
                           AND (taken.state IN ('ready', 'running') OR (taken.state IN ('later', 'parked') AND taken.holding))
                         LIMIT 1)) THEN 'waiting'
                ELSE 'ready' END
      FROM placed p ORDER BY ord
    ON CONFLICT (tenant_id, kind, key) WHERE key IS NOT NULL AND state IN ('ready', 'waiting', 'later', 'parked') DO UPDATE
       SET hits = waiting.hits + 1,
           args = excluded.args,
           priority = least(waiting.priority, excluded.priority),
           rounds = greatest(waiting.rounds, excluded.rounds),
           run_at = greatest(least(waiting.run_at, excluded.run_at), waiting.not_before);
END $$;

-- Lane locks come before row locks and in one order everywhere, so that no two closings wait for each other.
CREATE FUNCTION postroom.lock_lanes(p_tenant uuid, p_jobs jsonb, p_also bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_jobs IS NULL THEN
        IF p_also IS NOT NULL THEN PERFORM pg_advisory_xact_lock(p_also); END IF;
        RETURN;
    END IF;
    PERFORM pg_advisory_xact_lock(lock) FROM (
        SELECT DISTINCT lock FROM (
            SELECT postroom.lane_lock(coalesce(j.tenant_id, p_tenant), j.lane, j.kind, j.key) AS lock
              FROM jsonb_to_recordset(p_jobs) AS j (tenant_id uuid, kind text, key text, lane text)
             WHERE j.lane IS NOT NULL OR j.key IS NOT NULL
            UNION ALL SELECT p_also WHERE p_also IS NOT NULL) every
         ORDER BY lock) sorted;
END $$;

CREATE FUNCTION postroom.enqueue(p_tenant uuid, p_jobs jsonb) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM postroom.lock_lanes(p_tenant, p_jobs, NULL);
    PERFORM postroom.put_jobs(p_tenant, p_jobs);
END $$;

-- The next of a free lane becomes ready.
CREATE FUNCTION postroom.open_lane(p_tenant uuid, p_lane text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    UPDATE postroom.job SET state = 'ready'
     WHERE id = (SELECT id FROM postroom.job WHERE tenant_id = p_tenant AND lane = p_lane AND state = 'waiting'
                  ORDER BY priority, id LIMIT 1)
       AND NOT EXISTS (SELECT FROM postroom.job taken WHERE taken.tenant_id = p_tenant AND taken.lane = p_lane
                          AND (taken.state IN ('ready', 'running') OR (taken.state IN ('later', 'parked') AND taken.holding)));
END $$;

-- Take ready jobs: by priority, then the tenants in turn, then the oldest. Every step is one look into `job_ready`, and
-- empty priorities are not looked at, so that a claim costs about the same however much is waiting.
-- A job whose workers died twice is under suspicion: its worker notes when it begins, so that those who only waited there
-- for their turn are not blamed.
CREATE FUNCTION postroom.claim_jobs(p_worker uuid, p_most integer, p_after uuid, p_cap integer, p_running jsonb)
RETURNS TABLE (id bigint, tenant_id uuid, kind text, key text, lane text, args jsonb, tries smallint, waits smallint, epoch integer,
               correlation_id uuid, created_at timestamptz, deaths smallint, suspected boolean)
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
        SELECT j.priority, j.tenant_id INTO level, first FROM postroom.job j WHERE j.state = 'ready' AND j.priority >= level
         ORDER BY j.priority, j.tenant_id, j.id LIMIT 1;
        EXIT WHEN NOT FOUND;

        turns := '{}';
        turn := p_after;
        around := false;
        WHILE cardinality(turns) < wanted LOOP
            SELECT j.tenant_id INTO turn FROM postroom.job j
             WHERE j.state = 'ready' AND j.priority = level AND j.tenant_id > turn
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
                    UPDATE postroom.job j SET state = 'running', epoch = j.epoch + 1, worker_id = p_worker,
                           started_at = CASE WHEN j.deaths < 2 THEN clock_timestamp() END
                     WHERE j.id = ANY (ARRAY(SELECT r.id FROM postroom.job r WHERE r.state = 'ready' AND r.priority = level
                                                AND r.tenant_id = turn ORDER BY r.priority, r.tenant_id, r.id LIMIT room
                                                FOR UPDATE SKIP LOCKED))
                    RETURNING j.id, j.tenant_id, j.kind, j.key, j.lane, j.args, j.tries, j.waits, j.epoch,
                              j.correlation_id, j.created_at, j.deaths, j.started_at IS NULL;
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

-- Jobs whose time has come move to ready, or queue for their lane.
CREATE FUNCTION postroom.wake_due(p_most integer) RETURNS integer LANGUAGE plpgsql
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
    due   record;
    moved integer := 0;
BEGIN
    FOR due IN SELECT * FROM (
            SELECT j.id, j.tenant_id, j.lane, j.holding,
                   CASE WHEN j.lane IS NOT NULL OR j.key IS NOT NULL
                        THEN postroom.lane_lock(j.tenant_id, j.lane, j.kind, j.key) END AS lock
              FROM postroom.job j WHERE j.state = 'later' AND j.run_at <= now() ORDER BY j.run_at, j.id LIMIT p_most) soon
            ORDER BY lock LOOP
        CONTINUE WHEN due.lock IS NOT NULL AND NOT pg_try_advisory_xact_lock(due.lock);  -- somebody is busy with this lane: next time
        UPDATE postroom.job SET state = CASE WHEN lane IS NULL OR holding THEN 'ready' ELSE 'waiting' END, holding = false
         WHERE id = due.id AND state = 'later' AND run_at <= now();
        CONTINUE WHEN NOT FOUND;
        moved := moved + 1;
        IF due.lane IS NOT NULL AND NOT due.holding THEN
            PERFORM postroom.open_lane(due.tenant_id, due.lane);
        END IF;
    END LOOP;
    RETURN moved;
END $$;

CREATE FUNCTION postroom.record_attempt(p_job postroom.job, p_outcome text, p_error jsonb, p_next timestamptz,
                                        p_exhausted boolean) RETURNS void LANGUAGE sql AS $$
    INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, mailbox_id, epoch, outcome, error_class, error_code, error,
           retry_count, next_retry_at, max_retries_reached, correlation_id, worker_id, created_at, started_at, finished_at)
    VALUES (p_job.tenant_id, p_job.id, p_job.kind, p_job.key, p_job.mailbox_id, p_job.epoch, p_outcome,
           p_error ->> 'class', p_error ->> 'code', p_error ->> 'text', p_job.tries, p_next, p_exhausted,
           p_job.correlation_id, p_job.worker_id, p_job.created_at, p_job.started_at, clock_timestamp())
$$;

-- How often a job is tried once more before it is put aside, after errors and after deaths; `RetryStrategy.MAX_RETRIES`.
CREATE FUNCTION postroom.most_retries() RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$ SELECT 5 $$;

-- ------------------------------------------------------------------------------------------------------- facts

CREATE TABLE postroom.house (
    single     boolean PRIMARY KEY DEFAULT true CHECK (single),
    xid_offset bigint NOT NULL DEFAULT 0
);
COMMENT ON TABLE postroom.house IS
    'One row. A restored copy counts transactions anew; the offset keeps the order of facts across that. Owned by engine.';
INSERT INTO postroom.house DEFAULT VALUES;
GRANT SELECT ON postroom.house TO postroom_app, postroom_desk;

-- Transactions below this number are over, as far as this database goes: a fact can no longer appear before it. The
-- snapshot's own xmin would do, but it waits for the slowest transaction of every other database of the server too.
CREATE FUNCTION postroom.settled_xid() RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
    seen   pg_snapshot := pg_current_snapshot();
    oldest bigint;
    shift  bigint;
BEGIN
    SELECT xid_offset INTO shift FROM postroom.house;
    SELECT min(x::text::bigint) INTO oldest FROM pg_snapshot_xip(seen) x
     WHERE NOT EXISTS (SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
                        WHERE l.locktype = 'transactionid' AND l.granted AND l.mode = 'ExclusiveLock'
                          AND l.transactionid::text::bigint = (x::text::bigint & 4294967295)
                          AND a.datid IS DISTINCT FROM (SELECT oid FROM pg_database WHERE datname = current_database()));
    RETURN coalesce(oldest, pg_snapshot_xmax(seen)::text::bigint) + shift;
END $$;

CREATE TABLE postroom.fact (
    id             bigint GENERATED ALWAYS AS IDENTITY,
    xid            bigint NOT NULL,
    told_at        timestamptz NOT NULL,
    tenant_id      uuid NOT NULL,
    kind           text NOT NULL,
    mailbox_id     uuid,
    thread_id      uuid,
    message_id     uuid,
    document_id    uuid,
    job_id         bigint,
    run_id         text,
    correlation_id uuid,
    actor          text NOT NULL,
    body           jsonb NOT NULL,
    digest         bytea NOT NULL,
    PRIMARY KEY (told_at, id)
) PARTITION BY RANGE (told_at);
COMMENT ON TABLE postroom.fact IS 'What happened: append-only, a partition a month, kept for ever. Owned by engine.';
CALL postroom.close_to_others('postroom.fact');
CALL postroom.open_to_desk('postroom.fact', 'SELECT, INSERT');
GRANT SELECT, INSERT ON postroom.fact TO postroom_app;
CREATE INDEX fact_in_order ON postroom.fact (tenant_id, xid, id);
CREATE INDEX fact_of_message ON postroom.fact (tenant_id, message_id, id) WHERE message_id IS NOT NULL;
CREATE INDEX fact_of_document ON postroom.fact (tenant_id, document_id, id) WHERE document_id IS NOT NULL;
CREATE INDEX fact_of_kind ON postroom.fact (tenant_id, kind, told_at);

CREATE VIEW postroom.fact_view WITH (security_invoker = true) AS
SELECT id, xid, told_at, tenant_id, kind, mailbox_id, thread_id, message_id, document_id, job_id, run_id, correlation_id,
       actor, body, digest
  FROM postroom.fact WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.fact_view IS 'Facts of the tenant, as everybody reads them. Owned by engine.';
GRANT SELECT ON postroom.fact_view TO postroom_app;

CREATE TABLE postroom.seal (
    tenant_id uuid NOT NULL,
    number    bigint NOT NULL,
    from_xid  bigint NOT NULL,
    upto_xid  bigint NOT NULL,
    facts     integer NOT NULL,
    root      bytea NOT NULL,
    link      bytea NOT NULL,
    chain     bytea NOT NULL,
    key_id    bytea NOT NULL,
    sealed_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, number),
    CONSTRAINT seal_covers_something CHECK (facts > 0 AND from_xid < upto_xid)
);
COMMENT ON TABLE postroom.seal IS 'The audit chain: batches of facts, each chained to the one before. Owned by engine.';
COMMENT ON COLUMN postroom.seal.chain IS 'HMAC of the link with a key made of the sealing key that key_id names, which is not in the database.';
CALL postroom.close_to_others('postroom.seal');
CALL postroom.open_to_desk('postroom.seal', 'SELECT');
GRANT SELECT, INSERT ON postroom.seal TO postroom_app;

CREATE VIEW postroom.seal_view WITH (security_invoker = true) AS
SELECT number, from_xid, upto_xid, facts, root, link, chain, key_id, sealed_at
  FROM postroom.seal WHERE tenant_id = (SELECT postroom.tenant());
COMMENT ON VIEW postroom.seal_view IS 'The audit chain of the tenant. Owned by engine.';
GRANT SELECT ON postroom.seal_view TO postroom_app;

CREATE FUNCTION postroom.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER facts_are_never_changed BEFORE UPDATE OR DELETE ON postroom.fact
    FOR EACH ROW EXECUTE FUNCTION postroom.refuse_change();
CREATE TRIGGER facts_are_never_emptied BEFORE TRUNCATE ON postroom.fact
    FOR EACH STATEMENT EXECUTE FUNCTION postroom.refuse_change();
CREATE TRIGGER seals_are_never_changed BEFORE UPDATE OR DELETE ON postroom.seal
    FOR EACH ROW EXECUTE FUNCTION postroom.refuse_change();
CREATE TRIGGER seals_are_never_emptied BEFORE TRUNCATE ON postroom.seal
    FOR EACH STATEMENT EXECUTE FUNCTION postroom.refuse_change();

CREATE FUNCTION postroom.tell_facts(p_tenant uuid, p_facts jsonb) RETURNS void LANGUAGE plpgsql AS $$
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

-- ------------------------------------------------------------------------------------------------ ends of a run

-- The closing of a run that worked: effect, facts, next jobs and "done" are one commit, or none of it. The lane goes to the
-- next that waits before new jobs are put in, so that they queue up behind it. Nobody else can have it: ours was the only one
-- (`one_at_a_time_per_lane`), and we hold the lane's lock.
-- Without `p_kept` no attempt is written: a look that found nothing is not worth a row.
CREATE FUNCTION postroom.close_job(p_tenant uuid, p_id bigint, p_epoch integer, p_lane text, p_facts jsonb, p_jobs jsonb, p_kept boolean)
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
    DELETE FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 'running' RETURNING * INTO done;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    IF done.carries THEN DELETE FROM postroom.job_payload WHERE job_id = p_id; END IF;
    IF p_kept OR done.tries > 0 OR done.deaths > 0 THEN
        INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, mailbox_id, epoch, outcome, retry_count, correlation_id,
                                      worker_id, created_at, started_at, finished_at)
        VALUES (done.tenant_id, done.id, done.kind, done.key, done.mailbox_id, done.epoch, 'done', done.tries,
                done.correlation_id, done.worker_id, done.created_at, done.started_at, clock_timestamp());
    END IF;
    IF p_lane IS NOT NULL THEN
        UPDATE postroom.job SET state = 'ready'
         WHERE id = (SELECT id FROM postroom.job WHERE tenant_id = p_tenant AND lane = p_lane AND state = 'waiting'
                      ORDER BY priority, id LIMIT 1);
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
END $$;

-- Runs of a tenant that close in one commit. The locks of all their lanes are taken first, in the one order.
CREATE FUNCTION postroom.close_jobs(p_tenant uuid, p_runs jsonb, p_facts jsonb, p_jobs jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM postroom.lock_lanes(p_tenant, coalesce(p_jobs, '[]') || p_runs, NULL);
    PERFORM postroom.close_job(p_tenant, r.id, r.epoch, r.lane, NULL, NULL, r.kept)
       FROM jsonb_to_recordset(p_runs) AS r (id bigint, epoch integer, lane text, kept boolean);
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
END $$;

-- The end of a run that did not: again later, parked, quarantined or stopped. An equal waiting job is taken in.
CREATE FUNCTION postroom.end_run(p_tenant uuid, p_id bigint, p_epoch integer, p_outcome text, p_error jsonb,
                                 p_delay interval, p_spends boolean, p_parked_for text, p_facts jsonb, p_jobs jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    run   postroom.job;
    twin  postroom.job;
    aside smallint;  -- how often the one that was put aside before us was tried by the clock
    at    timestamptz := CASE WHEN p_delay IS NOT NULL THEN clock_timestamp() + p_delay END;
BEGIN
    SELECT * INTO run FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant;
    PERFORM postroom.lock_lanes(p_tenant, p_jobs,
        CASE WHEN run.lane IS NOT NULL OR run.key IS NOT NULL
             THEN postroom.lane_lock(p_tenant, run.lane, run.kind, run.key) END);
    SELECT * INTO run FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 'running' FOR UPDATE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    PERFORM postroom.record_attempt(run, p_outcome, p_error, at, p_outcome = 'quarantined'
                                    AND (run.tries >= postroom.most_retries() OR run.deaths > postroom.most_retries()));
    IF p_spends THEN run.tries := run.tries + 1; END IF;
    IF p_outcome = 'throttled' THEN run.waits := run.waits + 1; ELSE run.waits := 0; END IF;
    IF p_outcome = 'stopped' THEN
        DELETE FROM postroom.job WHERE id = p_id;
    ELSE
        IF p_outcome <> 'quarantined' AND run.key IS NOT NULL THEN
            DELETE FROM postroom.job WHERE tenant_id = p_tenant AND kind = run.kind AND key = run.key
               AND state IN ('ready', 'waiting', 'later', 'parked') RETURNING * INTO twin;
        ELSIF run.key IS NOT NULL THEN  -- what keeps failing is put aside once, not once a round
            WITH older AS (DELETE FROM postroom.job WHERE tenant_id = p_tenant AND kind = run.kind AND key = run.key
                              AND state = 'quarantined' RETURNING rounds)
            SELECT max(rounds) INTO aside FROM older;
        END IF;
        UPDATE postroom.job
           SET state = CASE p_outcome WHEN 'quarantined' THEN 'quarantined' WHEN 'parked' THEN 'parked' ELSE 'later' END,
               tries = run.tries, waits = run.waits, rounds = greatest(run.rounds, aside), worker_id = NULL, started_at = NULL,
               holding = run.holds_lane AND p_outcome <> 'quarantined',
               run_at = CASE WHEN p_outcome = 'quarantined' THEN clock_timestamp() ELSE coalesce(at, run_at) END, not_before = coalesce(at, not_before),
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

-- A commit in the middle of a run: refused when the claim was lost meanwhile.
CREATE FUNCTION postroom.continue_job(p_tenant uuid, p_id bigint, p_epoch integer, p_facts jsonb, p_jobs jsonb)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF p_jobs IS NOT NULL THEN PERFORM postroom.lock_lanes(p_tenant, p_jobs, NULL); END IF;
    PERFORM FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 'running' FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
END $$;

-- Workers whose heartbeat stopped lose their jobs. They may have died of one of those that were begun: it waits as long as
-- `p_waits` says for its first death, its second, …; after the last, whoever claims it puts it aside and tells so.
CREATE FUNCTION postroom.reap_workers(p_waits interval[] DEFAULT '{}') RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    dead record;
    lost record;
    freed integer := 0;
BEGIN
    FOR dead IN SELECT w.id FROM postroom.worker w WHERE w.lease_till < clock_timestamp()
                 ORDER BY w.lease_till LIMIT 1 FOR UPDATE SKIP LOCKED LOOP  -- one a call: locks in one order
        FOR lost IN SELECT j.id, j.tenant_id, j.epoch, j.deaths + 1 AS deaths, j.started_at IS NOT NULL AS begun FROM postroom.job j
                     WHERE j.worker_id = dead.id AND j.state = 'running'
                     ORDER BY postroom.lane_lock(j.tenant_id, j.lane, j.kind, j.key) LOOP
            BEGIN
                PERFORM postroom.end_run(lost.tenant_id, lost.id, lost.epoch, 'lost', jsonb_build_object('class', 'retryable',
                    'code', 'unknown', 'text', CASE WHEN lost.begun THEN 'Its worker died.' ELSE 'Its worker died before it began.' END),
                    CASE WHEN lost.begun THEN coalesce(p_waits[lost.deaths], '0') ELSE '0' END, false, NULL, NULL, NULL);
                UPDATE postroom.job SET deaths = lost.deaths WHERE id = lost.id AND lost.begun;
                freed := freed + 1;
            EXCEPTION WHEN SQLSTATE 'PR001' THEN NULL;  -- it finished meanwhile
            END;
        END LOOP;
        DELETE FROM postroom.worker WHERE id = dead.id
           AND NOT EXISTS (SELECT FROM postroom.job j WHERE j.worker_id = dead.id AND j.state = 'running');
    END LOOP;
    RETURN freed;
END $$;

-- The clock was ahead and was put right: what was written down by it would hold leases and jobs up until then. Noticed by
-- leases that last longer than any, and at the beginning by tries that ended in the future. A job that comes too early
-- finds that out by itself. The leases begin anew, so that those who live can renew them.
CREATE FUNCTION postroom.mind_the_clock(p_lease interval, p_began boolean) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    seen timestamptz := clock_timestamp();
BEGIN
    UPDATE postroom.worker SET lease_till = seen + p_lease WHERE lease_till > seen + p_lease + interval '1 minute';
    IF NOT FOUND AND NOT (p_began AND EXISTS (SELECT FROM postroom.attempt WHERE finished_at > seen + interval '1 minute')) THEN
        RETURN false;
    END IF;
    UPDATE postroom.job SET run_at = seen, not_before = '-infinity'
     WHERE id IN (SELECT id FROM postroom.job WHERE state = 'later' AND run_at > seen + interval '5 minutes' FOR UPDATE SKIP LOCKED);
    RETURN true;
END $$;

-- A person acted: what was parked for this goes on.
CREATE FUNCTION postroom.unpark(p_tenant uuid, p_parked_for text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    freed integer;
BEGIN
    UPDATE postroom.job SET state = 'later', run_at = now(), not_before = '-infinity', parked_for = NULL, reason = NULL
     WHERE tenant_id = p_tenant AND state = 'parked' AND parked_for = p_parked_for;
    GET DIAGNOSTICS freed = ROW_COUNT;
    RETURN freed;
END $$;

-- A quarantined, parked or waiting job starts afresh, in place or merged into its waiting twin. It carries who asked for
-- that, so that its end can be told; nobody: the clock did, and how often it did is counted.
CREATE FUNCTION postroom.replay_job(p_tenant uuid, p_id bigint, p_by text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    again postroom.job;
BEGIN
    SELECT * INTO again FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM pg_advisory_xact_lock(postroom.lane_lock(p_tenant, again.lane, again.kind, coalesce(again.key, '')));
    DELETE FROM postroom.job WHERE id = p_id AND tenant_id = p_tenant AND state IN ('later', 'parked', 'quarantined') RETURNING * INTO again;
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM postroom.put_jobs(p_tenant, jsonb_build_array(jsonb_build_object('kind', again.kind, 'key', again.key,
        'lane', again.lane, 'priority', again.priority, 'holds_lane', again.holds_lane,
        'args', again.args || jsonb_strip_nulls(jsonb_build_object('asked_by', p_by)),
        'mailbox_id', again.mailbox_id, 'correlation_id', again.correlation_id,
        'rounds', CASE WHEN p_by IS NULL THEN again.rounds + 1 ELSE 0 END)));
    IF again.lane IS NOT NULL THEN PERFORM postroom.open_lane(p_tenant, again.lane); END IF;
    RETURN true;
END $$;

-- --------------------------------------------------------------------------------------------------- partitions

CREATE FUNCTION postroom.make_partition(p_parent text, p_from date, p_upto date) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    name text := format('%s_%s', p_parent, to_char(p_from, 'YYYYMMDD'));
BEGIN
    IF to_regclass('postroom.' || quote_ident(name)) IS NOT NULL THEN RETURN false; END IF;
    EXECUTE format('CREATE TABLE postroom.%I PARTITION OF postroom.%I FOR VALUES FROM (%L) TO (%L)',
                   name, p_parent, p_from::timestamp AT TIME ZONE 'UTC', p_upto::timestamp AT TIME ZONE 'UTC');
    EXECUTE format('ALTER TABLE postroom.%I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('ALTER TABLE postroom.%I FORCE ROW LEVEL SECURITY', name);
    RETURN true;
EXCEPTION WHEN check_violation THEN
    RETURN false;  -- rows of those days are in the default partition already; they stay there
END $$;

-- Owner's rights for two narrow things: make the partitions of the coming days, drop attempts that are too old.
CREATE FUNCTION postroom.keep_partitions(p_today date, p_keep_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    day     date;
    month   date;
    old     text;
    changed integer := 0;
BEGIN
    PERFORM pg_catalog.pg_advisory_xact_lock(7120001);
    FOR ahead IN 0..7 LOOP
        day := p_today + ahead;
        IF postroom.make_partition('attempt', day, day + 1) THEN changed := changed + 1; END IF;
    END LOOP;
    FOR ahead IN 0..2 LOOP
        month := (date_trunc('month', p_today) + make_interval(months => ahead))::date;
        IF postroom.make_partition('fact', month, (month + interval '1 month')::date) THEN changed := changed + 1; END IF;
    END LOOP;
    FOR old IN SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_inherits i ON i.inhrelid = c.oid
                WHERE i.inhparent = 'postroom.attempt'::regclass AND c.relname ~ '^attempt_\d{8}$'
                  AND to_date(right(c.relname, 8), 'YYYYMMDD') < p_today - greatest(p_keep_days, 1) LOOP
        EXECUTE format('DROP TABLE postroom.%I', old);
        changed := changed + 1;
    END LOOP;
    RETURN changed;
END $$;
-- Of a table that PostgreSQL knows nothing of, every index looks as good as any other, and a lookup by an id may go through
-- all rows of the tenant; it learns once a minute at best. So we look at those that grew tenfold since. The lanes have plans
-- of their own.
CREATE FUNCTION postroom.learn_new_tables() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    grown   regclass;
    learnt  integer := 0;
BEGIN
    IF NOT pg_try_advisory_xact_lock(7120003) THEN RETURN 0; END IF;
    FOR grown IN SELECT c.oid FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
                  WHERE s.schemaname = 'postroom' AND c.relkind = 'r' AND c.relname NOT IN ('job', 'job_payload')
                    AND s.n_live_tup >= 50 AND s.n_mod_since_analyze > 9 * greatest(c.reltuples, 0) ORDER BY c.oid LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) %s', grown);
        learnt := learnt + 1;
    END LOOP;
    RETURN learnt;
END $$;
REVOKE EXECUTE ON FUNCTION postroom.learn_new_tables() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION postroom.learn_new_tables() TO postroom_desk;
REVOKE EXECUTE ON FUNCTION postroom.make_partition(text, date, date) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION postroom.keep_partitions(date, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION postroom.keep_partitions(date, integer) TO postroom_desk;

CREATE TABLE postroom.attempt_default PARTITION OF postroom.attempt DEFAULT;
CREATE TABLE postroom.fact_default PARTITION OF postroom.fact DEFAULT;
ALTER TABLE postroom.attempt_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE postroom.attempt_default FORCE ROW LEVEL SECURITY;
ALTER TABLE postroom.fact_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE postroom.fact_default FORCE ROW LEVEL SECURITY;
