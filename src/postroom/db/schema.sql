-- Made by `make schema` from the migrations; compared with them in a test. Not to be edited.
-- To read, or to load into an empty database: psql --set ON_ERROR_STOP=1 --file schema.sql

DO $$ BEGIN
    IF to_regrole('postroom_app') IS NULL THEN CREATE ROLE postroom_app NOLOGIN NOBYPASSRLS; END IF;
    IF to_regrole('postroom_desk') IS NULL THEN CREATE ROLE postroom_desk NOLOGIN NOBYPASSRLS; END IF;
END $$;
SET check_function_bodies = false;
SET client_min_messages = warning;

CREATE SCHEMA bo_airflow;

CREATE SCHEMA padealing;

CREATE SCHEMA postroom;

COMMENT ON SCHEMA postroom IS 'Postroom. Every table carries tenant_id with row-level security forced, but for the house''s own: worker, timetable, house, migration, provider_slot, provider_quota.';

CREATE FUNCTION bo_airflow.is_anothers(apps text[], asked text) RETURNS boolean
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
BEGIN  -- neither in plain SQL nor with a plan for these values: either would be planned anew for every mail
    RETURN EXISTS (SELECT FROM bo_airflow.email_ingestion_state s WHERE s.app_name = ANY (apps) AND s.message_id = asked
                      AND s.worker_id LIKE 'postroom:%' AND s.worker_id <> 'postroom:' || postroom.tenant());
END $$;

CREATE FUNCTION bo_airflow.keep_live_lease() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION postroom.beside_document(p_document uuid, p_sha256 text, p_but uuid[], p_trades jsonb, p_isins text[], p_any_isin boolean, p_directions text[], p_amounts text[], p_smallest numeric, p_since date, p_until date, p_own text[], p_most integer, p_fingerprint text, p_number text, p_sender text, p_machine text, p_mailbox uuid, p_marks bigint[], OUT policy jsonb, OUT rules jsonb, OUT has_orders boolean, OUT confirmed_since_learnt bigint, OUT known jsonb, OUT trades jsonb, OUT orders jsonb, OUT invoices jsonb) RETURNS record
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
#variable_conflict use_column
DECLARE
    our uuid := postroom.tenant();
    learnt_at timestamptz;
BEGIN
    IF p_marks IS NOT NULL THEN  -- as `take_turn` does; what follows sees all that was committed before we had them
        PERFORM pg_advisory_xact_lock_shared(hashtextextended('documents.route', hashtextextended(our::text, 0)));
        PERFORM pg_advisory_xact_lock(mark) FROM unnest(p_marks) mark;
    END IF;
    IF p_mailbox IS NOT NULL THEN  -- who switches its confirming waits for us, or we for them: after an "off" nothing is confirmed
        PERFORM FROM postroom.mailbox WHERE id = p_mailbox FOR KEY SHARE;
    END IF;
    trades := '[]'; orders := '[]'; invoices := '[]';
    SELECT t.policy, coalesce((SELECT b.rules FROM postroom.mailbox b WHERE b.id = p_mailbox), '{}'),
           EXISTS (SELECT FROM postroom.pending_order o WHERE o.tenant_id = our),
           (SELECT p.updated_at FROM postroom.sender_profile p WHERE p.tenant_id = our AND p.sender_email = p_sender),
           (SELECT to_jsonb(k) FROM (
                SELECT d.sha256, d.id, d.filename, d.kind, d.status, d.archive_path, d.received_at FROM postroom.document d
                 WHERE d.tenant_id = our AND d.sha256 = p_sha256 AND d.status NOT IN ('failed', 'waiting')
                   AND d.duplicate_of IS NULL AND d.id <> ALL (p_but) ORDER BY d.id LIMIT 1) k)
      INTO policy, rules, has_orders, learnt_at, known
      FROM postroom.tenant t WHERE t.tenant_id = our;
    IF learnt_at IS NOT NULL THEN  -- documents that a person found right as read since we learnt of this sender
        SELECT count(*) INTO confirmed_since_learnt FROM postroom.document d
         WHERE d.tenant_id = our AND d.sender_email = p_sender AND d.created_at > learnt_at AND d.trust <> 'spoofed'
           AND (EXISTS (SELECT FROM postroom.trade x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                       AND x.confirmed_by <> p_machine AND x.corrected_at IS NULL)
             OR EXISTS (SELECT FROM postroom.invoice x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                         AND x.confirmed_by <> p_machine AND x.corrected_at IS NULL)
             OR EXISTS (SELECT FROM postroom.booking x WHERE x.document_id = d.id AND x.status = 'confirmed'
                                                         AND x.confirmed_by <> p_machine AND x.corrected_at IS NULL));
    END IF;
    IF jsonb_array_length(p_trades) > 0 THEN
        SELECT coalesce(jsonb_agg(jsonb_build_object('position', w.position, 'id', w.id, 'document_id', w.document_id,
                          'status', w.status, 'same_print', w.same_print, 'net', w.net::text, 'order_id', w.order_id,
                          'filename', (SELECT d.filename FROM postroom.document d WHERE d.id = w.document_id),
                          'received_on', (SELECT d.received_at::date FROM postroom.document d WHERE d.id = w.document_id))
                          ORDER BY w.position, w.same_print DESC, w.status = 'confirmed' DESC, w.id), '[]') INTO trades
          FROM (SELECT q.position, s.* FROM (
                   SELECT q.position, q.fingerprint, q.instance,
                          q.instrument || ' ' || q.direction || ' ' || (q.trade_date - date '2000-01-01')::text || ' '
                              || trim_scale(q.quantity)::text AS likeness
                     FROM jsonb_to_recordset(p_trades) AS q (position integer, fingerprint text, instance smallint,
                          trade_date date, direction text, quantity numeric, instrument text)) q
                  JOIN LATERAL (
                   SELECT s.id, s.document_id, s.status, true AS same_print, s.net, s.order_id FROM postroom.trade s
                    WHERE s.tenant_id = our AND s.fingerprint = q.fingerprint
                      AND s.instance = q.instance AND s.document_id <> p_document AND s.status <> 'duplicate'
                   UNION ALL
                   SELECT s.id, s.document_id, s.status, false, s.net, s.order_id FROM postroom.trade s
                    WHERE s.tenant_id = our AND s.likeness = q.likeness
                      AND s.fingerprint IS DISTINCT FROM q.fingerprint AND s.document_id <> p_document
                      AND s.status <> 'duplicate'
                    LIMIT 20) s ON true) w;
    END IF;
    IF has_orders THEN
        WITH exact AS MATERIALIZED (  -- fit to the last share
            SELECT o.* FROM postroom.pending_order o
             WHERE o.tenant_id = our AND o.status = 'open' AND o.isin = ANY (p_isins)
               AND o.direction = ANY (p_directions) AND o.amount_left = ANY (p_amounts)
               AND o.placed_on BETWEEN p_since AND p_until LIMIT 500
        ), unnamed AS (  -- without an ISIN they may be meant all the same
            SELECT o.* FROM postroom.pending_order o
             WHERE o.tenant_id = our AND o.status = 'open' AND o.isin IS NULL
               AND o.placed_on BETWEEN p_since AND p_until ORDER BY o.placed_on, o.external_id LIMIT 2000
        ), others AS (  -- only looked at where none fits: some of it may be meant, or one of them tells why none is
            SELECT o.* FROM postroom.pending_order o
             WHERE o.tenant_id = our AND o.status = 'open' AND o.isin IS NOT NULL
               AND (p_any_isin OR o.isin = ANY (p_isins)) AND o.placed_on BETWEEN p_since AND p_until
               AND (p_any_isin OR jsonb_array_length(p_trades) > 1 OR NOT EXISTS (SELECT FROM exact))
             ORDER BY o.quantity - o.filled >= p_smallest DESC, lower(o.username) = ANY (p_own) DESC, o.placed_on, o.external_id
             LIMIT p_most
        )
        SELECT coalesce(jsonb_agg(to_jsonb(v) || jsonb_build_object('quantity', v.quantity::text, 'filled', v.filled::text,
                          'limit_price', v.limit_price::text) ORDER BY v.placed_on, v.external_id), '[]') INTO orders
          FROM (SELECT DISTINCT ON (o.id) o.*
                  FROM (SELECT * FROM exact UNION ALL SELECT * FROM unnamed UNION ALL SELECT * FROM others) o) v;
    END IF;
    IF p_fingerprint IS NOT NULL OR p_number IS NOT NULL THEN
        SELECT coalesce(jsonb_agg(jsonb_build_object('id', i.id, 'document_id', i.document_id, 'status', i.status,
                          'same_print', i.same_print, 'supplier', i.supplier,
                          'filename', (SELECT d.filename FROM postroom.document d WHERE d.id = i.document_id),
                          'received_on', (SELECT d.received_at::date FROM postroom.document d WHERE d.id = i.document_id))
                          ORDER BY i.same_print DESC, i.status = 'confirmed' DESC, i.id), '[]') INTO invoices
          FROM (SELECT i.id, i.document_id, i.status, coalesce(i.fingerprint = p_fingerprint, false) AS same_print,
                       i.supplier
                  FROM postroom.invoice i
                 WHERE i.tenant_id = our AND (i.fingerprint = p_fingerprint OR i.number = p_number)
                   AND i.document_id <> p_document AND i.status <> 'duplicate'
                 ORDER BY same_print DESC, i.status = 'confirmed' DESC, i.id LIMIT 20) i;
    END IF;
END $$;

CREATE FUNCTION postroom.claim_jobs(p_worker uuid, p_most integer, p_after uuid, p_cap integer, p_running jsonb) RETURNS TABLE(id bigint, tenant_id uuid, kind text, key text, lane text, args jsonb, tries smallint, waits smallint, epoch integer, correlation_id uuid, created_at timestamp with time zone, deaths smallint, suspected boolean)
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_sort TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

CREATE FUNCTION postroom.close_job(p_tenant uuid, p_id bigint, p_epoch integer, p_lane text, p_facts jsonb, p_jobs jsonb, p_kept boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION postroom.close_jobs(p_tenant uuid, p_runs jsonb, p_facts jsonb, p_jobs jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM postroom.lock_lanes(p_tenant, coalesce(p_jobs, '[]') || p_runs, NULL);
    PERFORM postroom.close_job(p_tenant, r.id, r.epoch, r.lane, NULL, NULL, r.kept)
       FROM jsonb_to_recordset(p_runs) AS r (id bigint, epoch integer, lane text, kept boolean);
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
END $$;

CREATE PROCEDURE postroom.close_to_others(IN place regclass)
    LANGUAGE plpgsql
    AS $$
BEGIN
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', place);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', place);
    EXECUTE format('CREATE POLICY own_tenant ON %s TO postroom_app '
                   'USING (tenant_id = (SELECT postroom.tenant())) '
                   'WITH CHECK (tenant_id = (SELECT postroom.tenant()))', place);
END $$;

CREATE FUNCTION postroom.continue_job(p_tenant uuid, p_id bigint, p_epoch integer, p_facts jsonb, p_jobs jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF p_jobs IS NOT NULL THEN PERFORM postroom.lock_lanes(p_tenant, p_jobs, NULL); END IF;
    PERFORM FROM postroom.job WHERE id = p_id AND epoch = p_epoch AND state = 'running' FOR SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'The claim on job % was lost', p_id USING ERRCODE = 'PR001';
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(p_tenant, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.put_jobs(p_tenant, p_jobs); END IF;
END $$;

CREATE FUNCTION postroom.drop_cursor() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE postroom.mailbox_cursor
       SET cursor = NULL, moved_at = NULL, synced_at = NULL, resync_since = NULL, resync_page = NULL, resync_cursor = NULL,
           resync_found = 0, resync_attempts = 0
     WHERE mailbox_id = NEW.id;
    RETURN NULL;
END $$;

CREATE FUNCTION postroom.end_run(p_tenant uuid, p_id bigint, p_epoch integer, p_outcome text, p_error jsonb, p_delay interval, p_spends boolean, p_parked_for text, p_facts jsonb, p_jobs jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION postroom.enqueue(p_tenant uuid, p_jobs jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM postroom.lock_lanes(p_tenant, p_jobs, NULL);
    PERFORM postroom.put_jobs(p_tenant, p_jobs);
END $$;

CREATE FUNCTION postroom.fold_document_tally(p_tenant uuid) RETURNS void
    LANGUAGE sql
    AS $$
    WITH loose AS (
        SELECT ctid FROM postroom.document_tally WHERE tenant_id = p_tenant LIMIT 2000 FOR UPDATE SKIP LOCKED
    ), taken AS (
        DELETE FROM postroom.document_tally t USING loose WHERE t.ctid = loose.ctid RETURNING t.kind, t.status, t.count
    )
    INSERT INTO postroom.document_tally (tenant_id, kind, status, count)
    SELECT p_tenant, kind, status, sum(count) FROM taken GROUP BY kind, status HAVING sum(count) <> 0
$$;

CREATE FUNCTION postroom.guard_proposal() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF NEW.status <> OLD.status AND NOT EXISTS (SELECT FROM (VALUES
        ('waiting', 'approved'), ('waiting', 'revoked'), ('waiting', 'void'), ('waiting', 'discarded'),
        ('revoked', 'waiting'), ('revoked', 'approved'), ('revoked', 'void'), ('revoked', 'discarded'),
        ('approved', 'sending'), ('approved', 'waiting'), ('approved', 'revoked'), ('approved', 'void'), ('approved', 'discarded'),
        ('sending', 'sent'), ('sending', 'unknown'), ('sending', 'waiting'), ('sending', 'void'),
        ('unknown', 'sent'), ('unknown', 'waiting'), ('unknown', 'discarded')) AS may (before, after)
        WHERE may.before = OLD.status AND may.after = NEW.status)
    THEN
        RAISE EXCEPTION 'A proposal that is % does not become %.', OLD.status, NEW.status
            USING ERRCODE = 'check_violation', CONSTRAINT = 'proposal_moves_as_it_may';
    END IF;
    IF OLD.status IN ('approved', 'sending', 'sent', 'unknown') AND NEW.forgotten_at IS NULL
       AND (NEW.hash, NEW.mailbox_id, NEW.recipients, NEW.cc, NEW.bcc, NEW.subject, NEW.body, NEW.html, NEW.files, NEW.answers, NEW.head)
           IS DISTINCT FROM
           (OLD.hash, OLD.mailbox_id, OLD.recipients, OLD.cc, OLD.bcc, OLD.subject, OLD.body, OLD.html, OLD.files, OLD.answers, OLD.head)
    THEN
        RAISE EXCEPTION 'What was approved is not changed.'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'what_was_approved_is_not_changed';
    END IF;
    IF OLD.status = 'approved' AND NEW.status = 'sending' AND NEW.needed > (
        SELECT count(DISTINCT a.actor) FROM postroom.approval a
         WHERE a.tenant_id = NEW.tenant_id AND a.proposal_id = NEW.id AND a.hash = NEW.hash AND a.used_at = NEW.begun_at)
    THEN
        RAISE EXCEPTION 'Nothing is sent without approval.'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'nothing_is_sent_without_approval';
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION postroom.keep_partitions(p_today date, p_keep_days integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
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
END $_$;

CREATE FUNCTION postroom.lane_lock(p_tenant uuid, p_lane text, p_kind text, p_key text) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT hashtextextended(coalesce(p_lane, p_kind || '#' || p_key), hashtextextended(p_tenant::text, 0)) $$;

CREATE FUNCTION postroom.learn_new_tables() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
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

CREATE FUNCTION postroom.lock_lanes(p_tenant uuid, p_jobs jsonb, p_also bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION postroom.make_partition(p_parent text, p_from date, p_upto date) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION postroom.mind_the_clock(p_lease interval, p_began boolean) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION postroom.most_retries() RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    AS $$ SELECT 5 $$;

CREATE FUNCTION postroom.open_lane(p_tenant uuid, p_lane text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE postroom.job SET state = 'ready'
     WHERE id = (SELECT id FROM postroom.job WHERE tenant_id = p_tenant AND lane = p_lane AND state = 'waiting'
                  ORDER BY priority, id LIMIT 1)
       AND NOT EXISTS (SELECT FROM postroom.job taken WHERE taken.tenant_id = p_tenant AND taken.lane = p_lane
                          AND (taken.state IN ('ready', 'running') OR (taken.state IN ('later', 'parked') AND taken.holding)));
END $$;

CREATE PROCEDURE postroom.open_to_desk(IN place regclass, IN rights text)
    LANGUAGE plpgsql
    AS $$
BEGIN
    EXECUTE format('CREATE POLICY front_desk ON %s TO postroom_desk USING (true) WITH CHECK (true)', place);
    EXECUTE format('GRANT %s ON %s TO postroom_desk', rights, place);
END $$;

CREATE FUNCTION postroom.put_jobs(p_tenant uuid, p_jobs jsonb) RETURNS void
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    AS $$
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

CREATE FUNCTION postroom.raise_thread_revision() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF (OLD.newest_ref, OLD.done_at, OLD.not_for_us_at, OLD.assigned_to, OLD.channel_id)
       IS DISTINCT FROM (NEW.newest_ref, NEW.done_at, NEW.not_for_us_at, NEW.assigned_to, NEW.channel_id) THEN
        NEW.revision := OLD.revision + 1;
    END IF;
    RETURN NEW;
END $$;

CREATE FUNCTION postroom.reap_workers(p_waits interval[] DEFAULT '{}'::interval[]) RETURNS integer
    LANGUAGE plpgsql
    AS $$
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

CREATE TABLE postroom.job (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    key text,
    lane text,
    state text DEFAULT 'ready'::text NOT NULL,
    priority smallint DEFAULT 1 NOT NULL,
    holds_lane boolean DEFAULT true NOT NULL,
    holding boolean DEFAULT false NOT NULL,
    args jsonb DEFAULT '{}'::jsonb NOT NULL,
    mailbox_id uuid,
    correlation_id uuid NOT NULL,
    run_at timestamp with time zone DEFAULT now() NOT NULL,
    not_before timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    tries smallint DEFAULT 0 NOT NULL,
    waits smallint DEFAULT 0 NOT NULL,
    deaths smallint DEFAULT 0 NOT NULL,
    rounds smallint DEFAULT 0 NOT NULL,
    hits integer DEFAULT 1 NOT NULL,
    epoch integer DEFAULT 0 NOT NULL,
    worker_id uuid,
    parked_for text,
    reason text,
    error_class text,
    carries boolean DEFAULT false NOT NULL,
    CONSTRAINT job_priority_is_known CHECK (((priority >= 0) AND (priority <= 3))),
    CONSTRAINT job_runs_on_a_worker CHECK (((state <> 'running'::text) OR (worker_id IS NOT NULL))),
    CONSTRAINT job_state_is_known CHECK ((state = ANY (ARRAY['ready'::text, 'running'::text, 'waiting'::text, 'later'::text, 'parked'::text, 'quarantined'::text])))
)
WITH (fillfactor='70', autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0', autovacuum_analyze_scale_factor='0', autovacuum_analyze_threshold='20000');

ALTER TABLE ONLY postroom.job FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.job IS 'Work that is not over, in lanes: jobs of one lane run one at a time. Owned by engine.';

COMMENT ON COLUMN postroom.job.state IS 'ready; running; waiting for its lane; later; parked for a person; quarantined, until a person replays it.';

CREATE FUNCTION postroom.record_attempt(p_job postroom.job, p_outcome text, p_error jsonb, p_next timestamp with time zone, p_exhausted boolean) RETURNS void
    LANGUAGE sql
    AS $$
    INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, mailbox_id, epoch, outcome, error_class, error_code, error,
           retry_count, next_retry_at, max_retries_reached, correlation_id, worker_id, created_at, started_at, finished_at)
    VALUES (p_job.tenant_id, p_job.id, p_job.kind, p_job.key, p_job.mailbox_id, p_job.epoch, p_outcome,
           p_error ->> 'class', p_error ->> 'code', p_error ->> 'text', p_job.tries, p_next, p_exhausted,
           p_job.correlation_id, p_job.worker_id, p_job.created_at, p_job.started_at, clock_timestamp())
$$;

CREATE FUNCTION postroom.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END $$;

CREATE FUNCTION postroom.replay_job(p_tenant uuid, p_id bigint, p_by text) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION postroom.settled_xid() RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
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

CREATE FUNCTION postroom.sort_notifications(p_ids bigint[], p_now timestamp with time zone, p_hints jsonb, p_pushes jsonb, p_facts jsonb, p_jobs jsonb) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM postroom.notification WHERE id = ANY (p_ids);
    IF NOT FOUND THEN RETURN false; END IF;
    PERFORM postroom.take_notifications(p_now, p_hints, p_pushes, p_facts, p_jobs);
    RETURN true;
END $$;

CREATE FUNCTION postroom.take_notifications(p_now timestamp with time zone, p_hints jsonb, p_pushes jsonb, p_facts jsonb, p_jobs jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF p_hints IS NOT NULL THEN
        INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at)
        SELECT h.tenant_id, h.mailbox_id, h.ref, p_now
          FROM jsonb_to_recordset(p_hints) AS h (tenant_id uuid, mailbox_id uuid, ref text)
         WHERE (SELECT true FROM postroom.mailbox m WHERE m.id = h.mailbox_id)  -- one deleted a moment ago must not spoil the others' commit
         ORDER BY h.mailbox_id, h.ref
        ON CONFLICT DO NOTHING;
    END IF;
    IF p_pushes IS NOT NULL THEN
        INSERT INTO postroom.mailbox_push (tenant_id, mailbox_id, last_push_at, pushes)
        SELECT p.tenant_id, p.mailbox_id, coalesce(p.received_at, p_now), p.pushes
          FROM jsonb_to_recordset(p_pushes) AS p (tenant_id uuid, mailbox_id uuid, pushes bigint, received_at timestamptz)
         WHERE (SELECT true FROM postroom.mailbox m WHERE m.id = p.mailbox_id)
         ORDER BY p.mailbox_id
        ON CONFLICT (mailbox_id) DO UPDATE
           SET last_push_at = greatest(mailbox_push.last_push_at, excluded.last_push_at),
               pushes = mailbox_push.pushes + excluded.pushes;
    END IF;
    IF p_facts IS NOT NULL THEN PERFORM postroom.tell_facts(NULL, p_facts); END IF;
    IF p_jobs IS NOT NULL THEN PERFORM postroom.enqueue(NULL, p_jobs); END IF;
END $$;

CREATE FUNCTION postroom.tally_document() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'UPDATE' AND (OLD.kind, OLD.status) = (NEW.kind, NEW.status) THEN
        RETURN NULL;
    END IF;
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO postroom.document_tally VALUES (OLD.tenant_id, OLD.kind, OLD.status, -1);
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO postroom.document_tally VALUES (NEW.tenant_id, NEW.kind, NEW.status, 1);
    END IF;
    IF random() < 0.02 THEN
        PERFORM postroom.fold_document_tally(coalesce(NEW.tenant_id, OLD.tenant_id));
    END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION postroom.tell_facts(p_tenant uuid, p_facts jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION postroom.tenant() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ SELECT nullif(current_setting('postroom.tenant', true), '')::uuid $$;

CREATE FUNCTION postroom.unpark(p_tenant uuid, p_parked_for text) RETURNS integer
    LANGUAGE plpgsql
    AS $$
DECLARE
    freed integer;
BEGIN
    UPDATE postroom.job SET state = 'later', run_at = now(), not_before = '-infinity', parked_for = NULL, reason = NULL
     WHERE tenant_id = p_tenant AND state = 'parked' AND parked_for = p_parked_for;
    GET DIAGNOSTICS freed = ROW_COUNT;
    RETURN freed;
END $$;

CREATE FUNCTION postroom.wake_due(p_most integer) RETURNS integer
    LANGUAGE plpgsql
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    AS $$
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

CREATE TABLE bo_airflow.email_ingestion_state (
    id bigint NOT NULL,
    app_name character varying(100) NOT NULL,
    message_id character varying(255) NOT NULL,
    mailbox_email character varying(255) NOT NULL,
    sender_email character varying(255),
    received_at timestamp with time zone,
    subject text,
    status character varying(20) DEFAULT 'processing'::character varying NOT NULL,
    error_message text,
    attachments_processed integer DEFAULT 0 NOT NULL,
    trades_extracted integer DEFAULT 0 NOT NULL,
    archive_gcs_paths jsonb,
    worker_id character varying(255),
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY bo_airflow.email_ingestion_state FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE bo_airflow.email_ingestion_state IS 'The ledger shared with Airflow, the published columns. Owned by engine.';

CREATE SEQUENCE bo_airflow.email_ingestion_state_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE bo_airflow.email_ingestion_state_id_seq OWNED BY bo_airflow.email_ingestion_state.id;

CREATE TABLE padealing.graph_subscription_state (
    id integer NOT NULL,
    subscription_id character varying(255) NOT NULL,
    resource character varying(500) NOT NULL,
    notification_url character varying(500) NOT NULL,
    lifecycle_url character varying(500),
    expiration_datetime timestamp with time zone NOT NULL,
    status character varying(20) DEFAULT 'active'::character varying NOT NULL,
    last_renewed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    tenant_id uuid,
    mailbox_id uuid,
    client_state_digest bytea,
    url_key_digests bytea[] DEFAULT '{}'::bytea[] NOT NULL,
    folder text DEFAULT 'served'::text NOT NULL,
    CONSTRAINT subscription_of_a_mailbox_names_its_tenant CHECK (((mailbox_id IS NULL) OR (tenant_id IS NOT NULL))),
    CONSTRAINT watched_folder_is_known CHECK ((folder = ANY (ARRAY['served'::text, 'sent'::text, 'drafts'::text])))
);

ALTER TABLE ONLY padealing.graph_subscription_state FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE padealing.graph_subscription_state IS 'Graph''s promises to tell us, the published columns and five of ours. Owned by mailboxes.';

CREATE SEQUENCE padealing.graph_subscription_state_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE padealing.graph_subscription_state_id_seq OWNED BY padealing.graph_subscription_state.id;

CREATE TABLE postroom.account (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    code text NOT NULL,
    code_key text NOT NULL,
    name text NOT NULL,
    aliases text[] DEFAULT '{}'::text[] NOT NULL,
    domains text[] DEFAULT '{}'::text[] NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    merged_into uuid,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT account_has_a_code CHECK (((code_key <> ''::text) AND (code_key = upper(code_key)))),
    CONSTRAINT account_status_is_known CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text]))),
    CONSTRAINT merged_account_is_closed CHECK (((merged_into IS NULL) OR (status = 'closed'::text)))
);

ALTER TABLE ONLY postroom.account FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.account IS 'Clients of the tenant, each by its code. Owned by clients.';

CREATE TABLE postroom.account_change (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    account_id uuid NOT NULL,
    what text NOT NULL,
    before jsonb,
    after jsonb,
    changed_by text NOT NULL,
    changed_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.account_change FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.account_change IS 'Who changed what in the book. Only ever added to. Owned by clients.';

CREATE TABLE postroom.account_domain (
    tenant_id uuid NOT NULL,
    domain text NOT NULL,
    account_id uuid NOT NULL,
    CONSTRAINT domain_is_lower_case CHECK (((domain = lower(domain)) AND (domain <> ''::text)))
);

ALTER TABLE ONLY postroom.account_domain FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.account_domain IS 'Domains that speak for an account. Owned by clients.';

CREATE TABLE postroom.account_key (
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    key text NOT NULL,
    account_id uuid NOT NULL,
    CONSTRAINT account_key_kind_is_known CHECK ((kind = ANY (ARRAY['phrase'::text, 'word'::text])))
);

ALTER TABLE ONLY postroom.account_key FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.account_key IS 'What an account is known by: phrases that mails may name it with, and words to search the book by. Owned by clients.';

CREATE TABLE postroom.api_key (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    role text NOT NULL,
    scopes text[] DEFAULT '{}'::text[] NOT NULL,
    digest bytea NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    CONSTRAINT key_has_a_known_role CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text])))
);

ALTER TABLE ONLY postroom.api_key FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.api_key IS 'Keys of programs, as digests. Owned by tenants.';

CREATE TABLE postroom.approval (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    proposal_id uuid NOT NULL,
    hash text NOT NULL,
    actor text NOT NULL,
    approved_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone,
    ended_because text,
    used_at timestamp with time zone,
    CONSTRAINT approval_is_used_or_ended CHECK (((used_at IS NULL) OR (ended_at IS NULL)))
);

ALTER TABLE ONLY postroom.approval FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.approval IS 'A person''s yes to what they saw, by its hash: used once, or ended. Owned by outbox.';

CREATE TABLE postroom.attachment (
    tenant_id uuid NOT NULL,
    message_id uuid NOT NULL,
    sha256 text NOT NULL,
    blob_key text NOT NULL,
    fetched_by text NOT NULL,
    fetched_at timestamp with time zone NOT NULL,
    CONSTRAINT attachment_hash_is_sha256 CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text))
);

ALTER TABLE ONLY postroom.attachment FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.attachment IS 'Files that somebody fetched out of a mail: where the copy lies, till it is forgotten. Owned by documents.';

CREATE TABLE postroom.attempt (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    job_id bigint NOT NULL,
    kind text NOT NULL,
    key text,
    mailbox_id uuid,
    epoch integer NOT NULL,
    outcome text NOT NULL,
    error_class text,
    error_code text,
    error text,
    retry_count smallint NOT NULL,
    next_retry_at timestamp with time zone,
    max_retries_reached boolean DEFAULT false NOT NULL,
    correlation_id uuid NOT NULL,
    worker_id uuid,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT attempt_outcome_is_known CHECK ((outcome = ANY (ARRAY['done'::text, 'retry'::text, 'throttled'::text, 'parked'::text, 'quarantined'::text, 'stopped'::text, 'lost'::text, 'released'::text])))
)
PARTITION BY RANGE (finished_at);

ALTER TABLE ONLY postroom.attempt FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.attempt IS 'Every try of every job, a partition a day, dropped by the day. Owned by engine.';

CREATE TABLE postroom.attempt_default (
    id bigint CONSTRAINT attempt_id_not_null NOT NULL,
    tenant_id uuid CONSTRAINT attempt_tenant_id_not_null NOT NULL,
    job_id bigint CONSTRAINT attempt_job_id_not_null NOT NULL,
    kind text CONSTRAINT attempt_kind_not_null NOT NULL,
    key text,
    mailbox_id uuid,
    epoch integer CONSTRAINT attempt_epoch_not_null NOT NULL,
    outcome text CONSTRAINT attempt_outcome_not_null NOT NULL,
    error_class text,
    error_code text,
    error text,
    retry_count smallint CONSTRAINT attempt_retry_count_not_null NOT NULL,
    next_retry_at timestamp with time zone,
    max_retries_reached boolean DEFAULT false CONSTRAINT attempt_max_retries_reached_not_null NOT NULL,
    correlation_id uuid CONSTRAINT attempt_correlation_id_not_null NOT NULL,
    worker_id uuid,
    created_at timestamp with time zone CONSTRAINT attempt_created_at_not_null NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone DEFAULT now() CONSTRAINT attempt_finished_at_not_null NOT NULL,
    CONSTRAINT attempt_outcome_is_known CHECK ((outcome = ANY (ARRAY['done'::text, 'retry'::text, 'throttled'::text, 'parked'::text, 'quarantined'::text, 'stopped'::text, 'lost'::text, 'released'::text])))
);

ALTER TABLE ONLY postroom.attempt_default FORCE ROW LEVEL SECURITY;

ALTER TABLE postroom.attempt ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postroom.attempt_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW postroom.attempt_view WITH (security_invoker='true') AS
 SELECT id,
    job_id,
    kind,
    key,
    mailbox_id,
    outcome,
    error_class,
    error_code,
    error,
    retry_count,
    next_retry_at,
    max_retries_reached,
    correlation_id,
    created_at,
    started_at,
    finished_at
   FROM postroom.attempt
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.attempt_view IS 'Attempts of the tenant, as everybody reads them. Owned by engine.';

CREATE TABLE postroom.booking (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    "position" integer NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    because text NOT NULL,
    entry jsonb NOT NULL,
    confidence double precision NOT NULL,
    fields jsonb DEFAULT '{}'::jsonb NOT NULL,
    fingerprint text,
    instance smallint DEFAULT 1 NOT NULL,
    confirmed_by text,
    confirmed_at timestamp with time zone,
    corrected_by text,
    corrected_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT booking_status_is_known CHECK ((status = ANY (ARRAY['confirmed'::text, 'review'::text, 'rejected'::text]))),
    CONSTRAINT confirmed_booking_says_by_whom CHECK (((status <> 'confirmed'::text) OR ((confirmed_by IS NOT NULL) AND (confirmed_at IS NOT NULL))))
)
WITH (fillfactor='85');

ALTER TABLE ONLY postroom.booking FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.booking IS 'Entries of any other kind, such as dividends: their values by name, as their kind states them. Owned by documents.';

CREATE VIEW postroom.booking_view WITH (security_invoker='true') AS
 SELECT id,
    document_id,
    "position",
    kind,
    status,
    because,
    entry,
    confidence,
    fields,
    fingerprint,
    instance,
    confirmed_by,
    confirmed_at,
    corrected_by,
    corrected_at,
    created_at
   FROM postroom.booking
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.booking_view IS 'Entries of other kinds as they stand in the books. Owned by documents.';

CREATE TABLE postroom.channel (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    place integer NOT NULL,
    rules jsonb DEFAULT '{}'::jsonb NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT channel_has_a_name CHECK (((name <> ''::text) AND (lower(name) <> 'default'::text)))
);

ALTER TABLE ONLY postroom.channel FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.channel IS 'Where threads are seen to, by rules about sender, client, words and intent; the rest is in Default. Owned by triage.';

CREATE TABLE postroom.mapping (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    message_id uuid NOT NULL,
    thread_id uuid,
    sender_email text,
    received_at timestamp with time zone NOT NULL,
    account_id uuid,
    engagement_id uuid,
    work_item_id uuid,
    confidence numeric(3,2) NOT NULL,
    status text NOT NULL,
    requires_triage boolean NOT NULL,
    reasons text[] DEFAULT '{}'::text[] NOT NULL,
    objections text[] DEFAULT '{}'::text[] NOT NULL,
    staleness text[] DEFAULT '{}'::text[] NOT NULL,
    candidates jsonb DEFAULT '[]'::jsonb NOT NULL,
    ignore_reason text,
    decided_by text,
    decided_at timestamp with time zone,
    version integer DEFAULT 1 NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT a_person_confirms_and_sets_aside CHECK (((status = ANY (ARRAY['mapped'::text, 'triage'::text])) OR ((decided_by IS NOT NULL) AND (decided_at IS NOT NULL)))),
    CONSTRAINT confidence_is_a_share CHECK (((confidence >= (0)::numeric) AND (confidence <= (1)::numeric))),
    CONSTRAINT mapped_mail_has_an_account CHECK (((status <> ALL (ARRAY['mapped'::text, 'confirmed'::text])) OR (account_id IS NOT NULL))),
    CONSTRAINT mapping_status_is_known CHECK ((status = ANY (ARRAY['mapped'::text, 'triage'::text, 'confirmed'::text, 'ignored'::text]))),
    CONSTRAINT what_is_set_aside_says_why CHECK (((status <> 'ignored'::text) OR (ignore_reason <> ''::text))),
    CONSTRAINT what_needs_triage_is_not_mapped CHECK (((status <> 'mapped'::text) OR (NOT requires_triage)))
)
WITH (fillfactor='85');

ALTER TABLE ONLY postroom.mapping FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.mapping IS 'Whose mail each mail is; never deleted. What a machine suggests gives way to what a person says. Owned by clients.';

CREATE VIEW postroom.client_view WITH (security_invoker='true') AS
 SELECT g.message_id,
    g.id AS mapping_id,
    g.status,
    g.received_at,
    a.id AS account_id,
    a.code,
    a.name
   FROM (postroom.mapping g
     JOIN postroom.account a ON ((a.id = g.account_id)))
  WHERE ((g.tenant_id = ( SELECT postroom.tenant() AS tenant)) AND (g.status = ANY (ARRAY['mapped'::text, 'confirmed'::text])));

COMMENT ON VIEW postroom.client_view IS 'Whose mail each mail is, where that is sure. Owned by reads.';

CREATE TABLE postroom.consent (
    state text NOT NULL,
    tenant_id uuid NOT NULL,
    provider text NOT NULL,
    verifier bytea NOT NULL,
    address text,
    started_by text NOT NULL,
    return_to text DEFAULT '/mailboxes'::text NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    browser bytea,
    ticket bytea,
    shared boolean DEFAULT false NOT NULL,
    capability text NOT NULL
);

ALTER TABLE ONLY postroom.consent FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.consent IS 'Consents that somebody started and has not come back from. Owned by mailboxes.';

CREATE TABLE postroom.contact (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    email text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    name_key text DEFAULT ''::text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    bounced_at timestamp with time zone,
    bounce_because text,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT contact_email_is_lower_case CHECK (((email = lower(email)) AND (email ~~ '_%@_%'::text))),
    CONSTRAINT contact_status_is_known CHECK ((status = ANY (ARRAY['active'::text, 'retired'::text])))
);

ALTER TABLE ONLY postroom.contact FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.contact IS 'People who write for accounts. Owned by clients.';

CREATE TABLE postroom.contact_account (
    tenant_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    account_id uuid NOT NULL,
    since timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.contact_account FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.contact_account IS 'Whose contact a contact is; it may have several accounts. Owned by clients.';

CREATE TABLE postroom.contact_proposal (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    kind text NOT NULL,
    account_id uuid,
    because text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    made_at timestamp with time zone NOT NULL,
    decided_by text,
    decided_at timestamp with time zone,
    CONSTRAINT proposal_kind_is_known CHECK ((kind = ANY (ARRAY['bounced'::text, 'elsewhere'::text, 'silent'::text]))),
    CONSTRAINT proposal_status_is_known CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'dismissed'::text])))
);

ALTER TABLE ONLY postroom.contact_proposal FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.contact_proposal IS 'Contacts that bounce, fell silent or turned up elsewhere: what is proposed, and what a person said to it. Owned by clients.';

CREATE TABLE postroom.copilot_mailbox (
    mailbox_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    addresses text[] DEFAULT '{}'::text[] NOT NULL,
    addresses_at timestamp with time zone,
    labels text,
    labels_at timestamp with time zone,
    refused text,
    refused_at timestamp with time zone
);

ALTER TABLE ONLY postroom.copilot_mailbox FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.copilot_mailbox IS 'What the copilot knows of a mailbox: its own addresses, the namespace its labels were made in, and why they cannot be set. Owned by triage.';

CREATE TABLE postroom.coverage (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    since timestamp with time zone NOT NULL,
    checked_at timestamp with time zone NOT NULL,
    listed integer NOT NULL,
    held integer NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    unannounced integer NOT NULL,
    missing text[] DEFAULT '{}'::text[] NOT NULL,
    reasons jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE ONLY postroom.coverage FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.coverage IS 'What the provider listed against what we hold, per mailbox and window. Owned by sync.';

ALTER TABLE postroom.coverage ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postroom.coverage_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postroom.delivery (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    webhook_id uuid NOT NULL,
    event_id bigint NOT NULL,
    thread text NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    tries smallint DEFAULT 0 NOT NULL,
    next_at timestamp with time zone NOT NULL,
    answer integer,
    error text,
    milliseconds integer,
    replay_of uuid,
    created_at timestamp with time zone NOT NULL,
    tried_at timestamp with time zone,
    CONSTRAINT delivery_status_is_known CHECK ((status = ANY (ARRAY['waiting'::text, 'delivered'::text, 'given_up'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY postroom.delivery FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.delivery IS 'An event on its way to a webhook, and how it went. Owned by subscribers.';

COMMENT ON COLUMN postroom.delivery.thread IS 'Deliveries of one thread go out in order; a failed one holds up only its own thread.';

CREATE TABLE postroom.disposition (
    tenant_id uuid NOT NULL,
    message_id uuid NOT NULL,
    pipeline text NOT NULL,
    status text NOT NULL,
    rule text,
    because text,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT disposition_is_known CHECK ((status = ANY (ARRAY['pending'::text, 'processed'::text, 'filtered'::text, 'failed'::text, 'deleted'::text])))
);

ALTER TABLE ONLY postroom.disposition FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.disposition IS 'What became of a message in each pipeline, and why; with the message it accounts for every mail. Owned by sync and engine.';

CREATE TABLE postroom.document (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    message_id uuid,
    mailbox_id uuid,
    attachment_path text NOT NULL,
    filename text NOT NULL,
    content_type text NOT NULL,
    size bigint NOT NULL,
    sha256 text NOT NULL,
    kind text DEFAULT 'other'::text NOT NULL,
    status text NOT NULL,
    because text DEFAULT ''::text NOT NULL,
    failure text,
    doubts text[] DEFAULT '{}'::text[] NOT NULL,
    extraction jsonb,
    text_source text,
    pages integer,
    source text NOT NULL,
    source_metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
    sender_email text,
    received_at timestamp with time zone NOT NULL,
    trust text DEFAULT 'unknown'::text NOT NULL,
    trust_because text DEFAULT ''::text NOT NULL,
    archive_path text,
    duplicate_of uuid,
    revision integer DEFAULT 1 NOT NULL,
    reviewed_by text,
    reviewed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    forgotten_at timestamp with time zone,
    archive_forgotten_at timestamp with time zone,
    CONSTRAINT document_hash_is_sha256 CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT document_kind_is_known CHECK ((kind = ANY (ARRAY['contract_note'::text, 'activity_statement'::text, 'invoice'::text, 'other'::text]))),
    CONSTRAINT document_source_is_known CHECK ((source = ANY (ARRAY['graph_webhook'::text, 'gmail_push'::text, 'poller'::text, 'backfill'::text, 'files'::text, 'manual_upload'::text]))),
    CONSTRAINT document_status_is_known CHECK ((status = ANY (ARRAY['waiting'::text, 'read'::text, 'review'::text, 'confirmed'::text, 'duplicate'::text, 'rejected'::text, 'skipped'::text, 'failed'::text]))),
    CONSTRAINT document_trust_is_known CHECK ((trust = ANY (ARRAY['trusted'::text, 'authenticated'::text, 'unknown'::text, 'spoofed'::text]))),
    CONSTRAINT failed_document_says_why CHECK (((status <> 'failed'::text) OR (because <> ''::text)))
)
WITH (fillfactor='85');

ALTER TABLE ONLY postroom.document FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.document IS 'Files as understood. Owned by documents.';

CREATE TABLE postroom.document_correction (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    trade_id uuid,
    invoice_id uuid,
    booking_id uuid,
    sender_email text,
    field text NOT NULL,
    before text,
    after text,
    page integer,
    box jsonb,
    corrected_by text NOT NULL,
    corrected_at timestamp with time zone NOT NULL,
    CONSTRAINT correction_changes_something CHECK ((before IS DISTINCT FROM after))
);

ALTER TABLE ONLY postroom.document_correction FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.document_correction IS 'A person overruling us: evidence for the next document of that sender; only ever added to. Owned by documents.';

CREATE TABLE postroom.document_decision (
    document_id uuid NOT NULL,
    revision integer NOT NULL,
    tenant_id uuid NOT NULL,
    did text NOT NULL,
    said text DEFAULT ''::text NOT NULL,
    actor text NOT NULL,
    decided_at timestamp with time zone NOT NULL,
    before jsonb,
    CONSTRAINT decision_is_known CHECK ((did = ANY (ARRAY['confirmed'::text, 'corrected'::text, 'rejected'::text, 'entered'::text, 'retried'::text, 'undone'::text, 'reopened'::text])))
);

ALTER TABLE ONLY postroom.document_decision FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.document_decision IS 'What people decided about a document, by the revision it made; of the last one also the state before, to go back to. Owned by documents.';

CREATE TABLE postroom.document_tally (
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    status text NOT NULL,
    count bigint NOT NULL
);

ALTER TABLE ONLY postroom.document_tally FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.document_tally IS 'How many documents of a kind and status: changes are added as rows, which never wait for each other, and folded now and then; the count is their sum. Owned by documents.';

CREATE VIEW postroom.document_view WITH (security_invoker='true') AS
 SELECT id,
    message_id,
    mailbox_id,
    filename,
    content_type,
    size,
    kind,
    status,
    because,
    source,
    sender_email,
    received_at,
    trust,
    archive_path,
    duplicate_of,
    created_at,
    updated_at,
    ( SELECT b.kind
           FROM postroom.booking b
          WHERE ((b.document_id = d.id) AND (d.kind = 'other'::text))
          ORDER BY b."position"
         LIMIT 1) AS tells_of
   FROM postroom.document d
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.document_view IS 'Documents in a list. Owned by documents.';

CREATE TABLE postroom.domain_key (
    tenant_id uuid NOT NULL,
    key text NOT NULL,
    domain text NOT NULL,
    account_id uuid NOT NULL
);

ALTER TABLE ONLY postroom.domain_key FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.domain_key IS 'Keys that a domain shares with those that look like it, so that a disguise is looked up instead of searched for. Owned by clients.';

CREATE TABLE postroom.draft_quotation (
    tenant_id uuid NOT NULL,
    revision_id uuid NOT NULL,
    number integer NOT NULL,
    name text NOT NULL,
    quote text NOT NULL,
    statement text NOT NULL
);

ALTER TABLE ONLY postroom.draft_quotation FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.draft_quotation IS 'Which words of which papers the drafts quote that wait for somebody, so that a change of a paper finds them. Owned by replies.';

CREATE TABLE postroom.draft_revision (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    slot_id uuid NOT NULL,
    message_ref text NOT NULL,
    message_id uuid,
    status text NOT NULL,
    because text DEFAULT ''::text NOT NULL,
    provider_draft_id text NOT NULL,
    fingerprint text NOT NULL,
    recipients text[] NOT NULL,
    cc text[] DEFAULT '{}'::text[] NOT NULL,
    subject text NOT NULL,
    proposed text NOT NULL,
    body text NOT NULL,
    claims jsonb DEFAULT '[]'::jsonb NOT NULL,
    questions text[] DEFAULT '{}'::text[] NOT NULL,
    blocked jsonb DEFAULT '[]'::jsonb NOT NULL,
    confidence double precision NOT NULL,
    gate double precision NOT NULL,
    model text NOT NULL,
    edited_by text,
    sent_ref text,
    final text,
    distance double precision,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    forgotten_at timestamp with time zone,
    restored_at timestamp with time zone,
    CONSTRAINT distance_is_a_share CHECK (((distance >= (0)::double precision) AND (distance <= (1)::double precision))),
    CONSTRAINT draft_status_is_known CHECK ((status = ANY (ARRAY['written'::text, 'blocked_user_edited'::text, 'superseded'::text, 'sent'::text, 'discarded'::text])))
);

ALTER TABLE ONLY postroom.draft_revision FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.draft_revision IS 'Drafts as they were written, each for the message it answers, with what every statement stands on. Owned by replies.';

CREATE TABLE postroom.draft_slot (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    kind text DEFAULT 'copilot_reply'::text NOT NULL,
    draft_key text NOT NULL,
    current uuid,
    held jsonb,
    held_ref text,
    intent jsonb,
    updated_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.draft_slot FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.draft_slot IS 'The one draft of ours that a thread may have: as the provider gave it back, and what we meant to write when an answer was lost. Owned by replies.';

CREATE TABLE postroom.mailbox (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    address text NOT NULL,
    domain text GENERATED ALWAYS AS (split_part(address, '@'::text, 2)) STORED NOT NULL,
    provider text NOT NULL,
    access text NOT NULL,
    folder text DEFAULT 'Inbox'::text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    because text,
    paused_at timestamp with time zone,
    told_person_at timestamp with time zone,
    capability text DEFAULT 'send'::text NOT NULL,
    outage_since timestamp with time zone,
    attention jsonb DEFAULT '{}'::jsonb NOT NULL,
    pipelines text[] DEFAULT '{pad_contract_notes,ap_invoices}'::text[] NOT NULL,
    rules jsonb DEFAULT '{}'::jsonb NOT NULL,
    connection jsonb DEFAULT '{}'::jsonb NOT NULL,
    copilot text DEFAULT 'off'::text NOT NULL,
    sending text DEFAULT 'on'::text NOT NULL,
    operators text[] DEFAULT '{}'::text[] NOT NULL,
    connected_at timestamp with time zone DEFAULT now() NOT NULL,
    disconnected_at timestamp with time zone,
    CONSTRAINT mailbox_access_is_known CHECK ((access = ANY (ARRAY['delegated'::text, 'app_only'::text, 'password'::text, 'files'::text]))),
    CONSTRAINT mailbox_address_is_lower_case CHECK ((address = lower(address))),
    CONSTRAINT mailbox_capability_is_known CHECK ((capability = ANY (ARRAY['read'::text, 'draft'::text, 'send'::text]))),
    CONSTRAINT mailbox_copilot_is_known CHECK ((copilot = ANY (ARRAY['off'::text, 'labels'::text, 'drafts'::text]))),
    CONSTRAINT mailbox_provider_is_known CHECK ((provider = ANY (ARRAY['outlook'::text, 'gmail'::text, 'imap'::text, 'files'::text]))),
    CONSTRAINT mailbox_sending_is_known CHECK ((sending = ANY (ARRAY['off'::text, 'on'::text]))),
    CONSTRAINT mailbox_status_is_known CHECK ((status = ANY (ARRAY['active'::text, 'token_refresh_failed'::text, 'subscription_expired'::text, 'provider_error'::text, 'paused'::text, 'disconnected'::text])))
);

ALTER TABLE ONLY postroom.mailbox FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.mailbox IS 'Accounts served, their status, pipelines and rules. Owned by mailboxes.';

CREATE TABLE postroom.thread (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    provider_thread_id text NOT NULL,
    subject text DEFAULT ''::text NOT NULL,
    messages integer DEFAULT 0 NOT NULL,
    last_message_at timestamp with time zone NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE ONLY postroom.thread FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.thread IS 'Conversations as the provider groups them. Owned by sync.';

CREATE VIEW postroom.draft_view WITH (security_invoker='true') AS
 SELECT r.id,
    s.thread_id,
    s.mailbox_id,
    b.address AS mailbox,
    t.provider_thread_id,
    r.message_id,
    r.message_ref,
    r.provider_draft_id,
    r.status,
    r.because,
    r.fingerprint,
    r.recipients,
    r.cc,
    r.subject,
    r.proposed,
    r.body,
    r.claims,
    r.questions,
    r.blocked,
    r.confidence,
    r.gate,
    r.model,
    r.edited_by,
    r.final,
    r.distance,
    r.forgotten_at,
    (NOT (s.current IS DISTINCT FROM r.id)) AS is_current,
    r.created_at,
    r.updated_at
   FROM (((postroom.draft_revision r
     JOIN postroom.draft_slot s ON ((s.id = r.slot_id)))
     JOIN postroom.thread t ON ((t.id = s.thread_id)))
     JOIN postroom.mailbox b ON ((b.id = s.mailbox_id)))
  WHERE (r.tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.draft_view IS 'Drafts with their thread and mailbox. Owned by reads.';

CREATE TABLE postroom.engagement (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    account_id uuid NOT NULL,
    code text NOT NULL,
    code_key text NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT engagement_status_is_known CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text])))
);

ALTER TABLE ONLY postroom.engagement FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.engagement IS 'What is done for an account. Owned by clients.';

CREATE TABLE postroom.event (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    type text NOT NULL,
    mailbox_id uuid,
    thread_id uuid,
    message_id uuid,
    run_id text,
    fact_id bigint,
    payload jsonb NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT event_is_not_too_large CHECK ((octet_length((payload)::text) <= 65536))
);

ALTER TABLE ONLY postroom.event FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.event IS 'What webhooks are told, made from facts: of each message each type once, the first wins. Owned by subscribers.';

COMMENT ON COLUMN postroom.event.run_id IS 'Of mail.processing.*: which run, since each run tells its own.';

CREATE TABLE postroom.event_cursor (
    tenant_id uuid NOT NULL,
    xid bigint NOT NULL,
    id bigint NOT NULL
);

ALTER TABLE ONLY postroom.event_cursor FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.event_cursor IS 'Up to which fact events were made for webhooks. Owned by subscribers.';

ALTER TABLE postroom.event ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postroom.event_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postroom.evidence_document (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    is_current boolean DEFAULT true NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    language text NOT NULL,
    audience text NOT NULL,
    dated date,
    valid_from date,
    valid_until date,
    years integer[] DEFAULT '{}'::integer[] NOT NULL,
    body text NOT NULL,
    sha256 text NOT NULL,
    snippets integer NOT NULL,
    lines integer NOT NULL,
    line_words integer NOT NULL,
    read_by text DEFAULT ''::text NOT NULL,
    mailbox_id uuid,
    thread_id uuid,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    retired_by text,
    retired_at timestamp with time zone,
    CONSTRAINT answer_is_of_a_mailbox CHECK (((kind = 'answer'::text) = (mailbox_id IS NOT NULL))),
    CONSTRAINT evidence_audience_is_known CHECK ((audience = ANY (ARRAY['public'::text, 'internal'::text]))),
    CONSTRAINT evidence_kind_is_known CHECK ((kind = ANY (ARRAY['markdown'::text, 'text'::text, 'html'::text, 'pdf'::text, 'answer'::text])))
);

ALTER TABLE ONLY postroom.evidence_document FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.evidence_document IS 'Papers that answers are drawn from, every version of each, and answers that people sent; what is internal is never quoted. Owned by replies.';

CREATE TABLE postroom.evidence_posting (
    tenant_id uuid NOT NULL,
    source text NOT NULL,
    term text NOT NULL,
    snippet_id uuid NOT NULL,
    CONSTRAINT source_is_known CHECK ((source = ANY (ARRAY['paper'::text, 'answer'::text])))
);

ALTER TABLE ONLY postroom.evidence_posting FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.evidence_posting IS 'In which snippets each term stands: the index that a question is looked up in. Owned by replies.';

CREATE TABLE postroom.evidence_replacement (
    tenant_id uuid NOT NULL,
    older uuid NOT NULL,
    newer uuid NOT NULL,
    effective_from date NOT NULL
);

ALTER TABLE ONLY postroom.evidence_replacement FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.evidence_replacement IS 'Which paper takes the place of which, by title, words and dates, and from when on. Owned by replies.';

CREATE TABLE postroom.evidence_snippet (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    number integer NOT NULL,
    headings text[] NOT NULL,
    language text NOT NULL,
    lines jsonb NOT NULL
);

ALTER TABLE ONLY postroom.evidence_snippet FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.evidence_snippet IS 'Pieces of the current public papers, split at headings and tables: what is searched for. Owned by replies.';

CREATE TABLE postroom.evidence_term (
    tenant_id uuid NOT NULL,
    source text NOT NULL,
    term text NOT NULL,
    snippets integer NOT NULL,
    CONSTRAINT source_is_known CHECK ((source = ANY (ARRAY['paper'::text, 'answer'::text])))
);

ALTER TABLE ONLY postroom.evidence_term FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.evidence_term IS 'In how many snippets each term stands, so that rarity is looked up instead of counted. Owned by replies.';

CREATE TABLE postroom.fact (
    id bigint NOT NULL,
    xid bigint NOT NULL,
    told_at timestamp with time zone NOT NULL,
    tenant_id uuid NOT NULL,
    kind text NOT NULL,
    mailbox_id uuid,
    thread_id uuid,
    message_id uuid,
    document_id uuid,
    job_id bigint,
    run_id text,
    correlation_id uuid,
    actor text NOT NULL,
    body jsonb NOT NULL,
    digest bytea NOT NULL
)
PARTITION BY RANGE (told_at);

ALTER TABLE ONLY postroom.fact FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.fact IS 'What happened: append-only, a partition a month, kept for ever. Owned by engine.';

CREATE TABLE postroom.fact_default (
    id bigint CONSTRAINT fact_id_not_null NOT NULL,
    xid bigint CONSTRAINT fact_xid_not_null NOT NULL,
    told_at timestamp with time zone CONSTRAINT fact_told_at_not_null NOT NULL,
    tenant_id uuid CONSTRAINT fact_tenant_id_not_null NOT NULL,
    kind text CONSTRAINT fact_kind_not_null NOT NULL,
    mailbox_id uuid,
    thread_id uuid,
    message_id uuid,
    document_id uuid,
    job_id bigint,
    run_id text,
    correlation_id uuid,
    actor text CONSTRAINT fact_actor_not_null NOT NULL,
    body jsonb CONSTRAINT fact_body_not_null NOT NULL,
    digest bytea CONSTRAINT fact_digest_not_null NOT NULL
);

ALTER TABLE ONLY postroom.fact_default FORCE ROW LEVEL SECURITY;

ALTER TABLE postroom.fact ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postroom.fact_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW postroom.fact_view WITH (security_invoker='true') AS
 SELECT id,
    xid,
    told_at,
    tenant_id,
    kind,
    mailbox_id,
    thread_id,
    message_id,
    document_id,
    job_id,
    run_id,
    correlation_id,
    actor,
    body,
    digest
   FROM postroom.fact
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.fact_view IS 'Facts of the tenant, as everybody reads them. Owned by engine.';

CREATE TABLE postroom.gate_verdict (
    document_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    mailbox_id uuid,
    pipeline text NOT NULL,
    sender_email text,
    mode text NOT NULL,
    stated double precision NOT NULL,
    clear boolean NOT NULL,
    passed boolean NOT NULL,
    because text NOT NULL,
    received_at timestamp with time zone NOT NULL,
    judged_at timestamp with time zone NOT NULL,
    CONSTRAINT confirming_mode_is_known CHECK ((mode = ANY (ARRAY['off'::text, 'shadow'::text, 'on'::text]))),
    CONSTRAINT stated_confidence_is_a_share CHECK (((stated >= (0)::double precision) AND (stated <= (1)::double precision))),
    CONSTRAINT what_passed_was_clear CHECK ((clear OR (NOT passed)))
);

ALTER TABLE ONLY postroom.gate_verdict FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.gate_verdict IS 'Whether a document could be confirmed by itself, and how sure the reading said it was: noted when it was read, also where a person decides. Owned by documents.';

CREATE TABLE postroom.gmail_watch_state (
    mailbox_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    topic text NOT NULL,
    expiration_datetime timestamp with time zone NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    last_renewed_at timestamp with time zone,
    folders text[] DEFAULT '{served}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT watch_status_is_known CHECK ((status = ANY (ARRAY['active'::text, 'expired'::text, 'removed'::text])))
);

ALTER TABLE ONLY postroom.gmail_watch_state FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.gmail_watch_state IS 'Gmail''s promises to tell us. Owned by mailboxes.';

CREATE TABLE postroom.hint (
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    ref text NOT NULL,
    noticed_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY postroom.hint FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.hint IS 'Ids that a notification named: one that the cursor does not show is fetched by id. Owned by sync.';

CREATE TABLE postroom.house (
    single boolean DEFAULT true NOT NULL,
    xid_offset bigint DEFAULT 0 NOT NULL,
    CONSTRAINT house_single_check CHECK (single)
);

COMMENT ON TABLE postroom.house IS 'One row. A restored copy counts transactions anew; the offset keeps the order of facts across that. Owned by engine.';

CREATE TABLE postroom.idempotency (
    tenant_id uuid NOT NULL,
    actor text NOT NULL,
    key text NOT NULL,
    request bytea NOT NULL,
    claim uuid NOT NULL,
    answer bytea,
    created_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.idempotency FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.idempotency IS 'Answers kept under a caller''s key and given again; sealed, since one may hold what is shown once only. Owned by engine.';

CREATE TABLE postroom.invoice (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    status text NOT NULL,
    because text NOT NULL,
    number text,
    issue_date date,
    due_date date,
    supplier text,
    buyer text,
    currency text,
    net_total numeric,
    tax_total numeric,
    grand_total numeric,
    iban text,
    tax_by_rate jsonb DEFAULT '{}'::jsonb NOT NULL,
    confidence double precision NOT NULL,
    fields jsonb DEFAULT '{}'::jsonb NOT NULL,
    fingerprint text,
    instance smallint DEFAULT 1 NOT NULL,
    duplicate_of uuid,
    confirmed_by text,
    confirmed_at timestamp with time zone,
    corrected_by text,
    corrected_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT confirmed_invoice_is_whole CHECK (((status <> 'confirmed'::text) OR ((number IS NOT NULL) AND (issue_date IS NOT NULL) AND (grand_total IS NOT NULL) AND (currency IS NOT NULL) AND (confirmed_by IS NOT NULL) AND (confirmed_at IS NOT NULL)))),
    CONSTRAINT invoice_status_is_known CHECK ((status = ANY (ARRAY['confirmed'::text, 'review'::text, 'rejected'::text, 'duplicate'::text])))
)
WITH (fillfactor='85');

ALTER TABLE ONLY postroom.invoice FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.invoice IS 'What invoices say. Owned by documents.';

CREATE TABLE postroom.invoice_line (
    invoice_id uuid NOT NULL,
    "position" integer NOT NULL,
    tenant_id uuid NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    quantity numeric,
    unit_price numeric,
    tax_rate numeric,
    total numeric
);

ALTER TABLE ONLY postroom.invoice_line FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.invoice_line IS 'The lines of an invoice. Owned by documents.';

CREATE VIEW postroom.invoice_view WITH (security_invoker='true') AS
 SELECT id,
    document_id,
    status,
    because,
    number,
    issue_date,
    due_date,
    supplier,
    buyer,
    currency,
    net_total,
    tax_total,
    grand_total,
    iban,
    tax_by_rate,
    confidence,
    fields,
    fingerprint,
    instance,
    duplicate_of,
    confirmed_by,
    confirmed_at,
    corrected_by,
    corrected_at,
    created_at
   FROM postroom.invoice
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.invoice_view IS 'Invoices as they stand in the books. Owned by documents.';

ALTER TABLE postroom.job ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postroom.job_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE UNLOGGED TABLE postroom.job_payload (
    job_id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    size integer NOT NULL,
    content bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT payload_is_small CHECK (((size >= 1) AND (size <= 1048576)))
);
ALTER TABLE ONLY postroom.job_payload ALTER COLUMN content SET STORAGE EXTERNAL;

ALTER TABLE ONLY postroom.job_payload FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.job_payload IS 'Bytes that travel with a job for minutes: gone with its end, with time, or with a crash of the server; whoever finds none gets them anew. Owned by engine.';

CREATE VIEW postroom.job_view WITH (security_invoker='true') AS
 SELECT id,
    tenant_id,
    kind,
    key,
    lane,
    state,
    priority,
    args,
    mailbox_id,
    correlation_id,
    run_at,
    created_at,
    started_at,
    tries,
    waits,
    hits,
    epoch,
    parked_for,
    reason
   FROM postroom.job
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.job_view IS 'Jobs of the tenant, as everybody reads them. Owned by engine.';

CREATE TABLE postroom.mailbox_cursor (
    mailbox_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    cursor text,
    moved_at timestamp with time zone,
    synced_at timestamp with time zone,
    resync_since timestamp with time zone,
    resync_page text,
    resync_cursor text,
    resync_found integer DEFAULT 0 NOT NULL,
    resync_attempts integer DEFAULT 0 NOT NULL,
    delivery text DEFAULT 'push'::text NOT NULL,
    silent_runs integer DEFAULT 0 NOT NULL,
    unlisted_since timestamp with time zone,
    unlisted_till timestamp with time zone,
    outgoing_cursor text,
    outgoing_at timestamp with time zone,
    CONSTRAINT cursor_is_never_empty CHECK (((cursor <> ''::text) AND (resync_cursor <> ''::text) AND (outgoing_cursor <> ''::text))),
    CONSTRAINT delivery_is_known CHECK ((delivery = ANY (ARRAY['push'::text, 'poll'::text])))
)
WITH (fillfactor='50');

ALTER TABLE ONLY postroom.mailbox_cursor FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.mailbox_cursor IS 'How far we have read; apart from the mailbox and its watch, since neither may touch the cursor. Owned by sync.';

CREATE TABLE postroom.mailbox_push (
    mailbox_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    last_push_at timestamp with time zone NOT NULL,
    pushes bigint DEFAULT 1 NOT NULL
)
WITH (fillfactor='30');

ALTER TABLE ONLY postroom.mailbox_push FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.mailbox_push IS 'When the provider last notified us; narrow, because a busy mailbox writes it often. Owned by sync.';

CREATE TABLE postroom.mailbox_token (
    mailbox_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    sealed bytea,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    refreshing_till timestamp with time zone
);

ALTER TABLE ONLY postroom.mailbox_token FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.mailbox_token IS 'Grants of mailboxes, sealed. Owned by mailboxes.';

CREATE VIEW postroom.mailbox_view WITH (security_invoker='true') AS
 SELECT id,
    tenant_id,
    address,
    provider,
    access,
    folder,
    name,
    status,
    because,
    paused_at,
    pipelines,
    rules AS stored_rules,
    connection,
    copilot,
    sending,
    operators,
    connected_at,
    disconnected_at,
    attention,
    capability
   FROM postroom.mailbox m
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.mailbox_view IS 'Mailboxes of the tenant, as everybody reads them. Owned by mailboxes.';

CREATE TABLE postroom.mapping_change (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    mapping_id uuid NOT NULL,
    act_id uuid NOT NULL,
    action text NOT NULL,
    sender_email text,
    was_account_id uuid,
    account_id uuid,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    misled text[] DEFAULT '{}'::text[] NOT NULL,
    outcomes jsonb DEFAULT '[]'::jsonb NOT NULL,
    changed_by text NOT NULL,
    changed_at timestamp with time zone NOT NULL,
    undone_by text,
    undone_at timestamp with time zone,
    CONSTRAINT mapping_action_is_known CHECK ((action = ANY (ARRAY['confirm'::text, 'remap'::text, 'ignore'::text])))
);

ALTER TABLE ONLY postroom.mapping_change FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.mapping_change IS 'What people said: before, after, who, when, and which signals had misled us. Only ever added to; undoing marks it. Owned by clients.';

CREATE TABLE postroom.mapping_policy (
    tenant_id uuid NOT NULL,
    threshold numeric(3,2) NOT NULL,
    staleness_days integer NOT NULL,
    multi_account_penalty numeric(3,2) NOT NULL,
    mixed_thread_penalty numeric(3,2) NOT NULL,
    subject_penalty numeric(3,2) NOT NULL,
    stale_penalty numeric(3,2) NOT NULL,
    silent_after_days integer NOT NULL,
    left_out uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT mixed_thread_penalty_is_a_share CHECK (((mixed_thread_penalty >= (0)::numeric) AND (mixed_thread_penalty <= (1)::numeric))),
    CONSTRAINT multi_account_penalty_is_a_share CHECK (((multi_account_penalty >= (0)::numeric) AND (multi_account_penalty <= (1)::numeric))),
    CONSTRAINT silence_is_in_days CHECK (((silent_after_days >= 30) AND (silent_after_days <= 3650))),
    CONSTRAINT stale_penalty_is_a_share CHECK (((stale_penalty >= (0)::numeric) AND (stale_penalty <= (1)::numeric))),
    CONSTRAINT staleness_is_in_days CHECK (((staleness_days >= 1) AND (staleness_days <= 3650))),
    CONSTRAINT subject_penalty_is_a_share CHECK (((subject_penalty >= (0)::numeric) AND (subject_penalty <= (1)::numeric))),
    CONSTRAINT threshold_is_a_share CHECK (((threshold >= 0.5) AND (threshold <= (1)::numeric)))
);

ALTER TABLE ONLY postroom.mapping_policy FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.mapping_policy IS 'What a tenant decides about mapping; without a row the documented defaults hold. Owned by clients.';

CREATE TABLE postroom.message (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    provider_message_id text NOT NULL,
    state text DEFAULT 'announced'::text NOT NULL,
    because text,
    source text NOT NULL,
    thread_id uuid,
    internet_message_id text,
    sender_email text,
    sender_name text,
    recipients jsonb DEFAULT '{}'::jsonb NOT NULL,
    subject text,
    snippet text,
    body text,
    body_html text,
    headers jsonb DEFAULT '{}'::jsonb NOT NULL,
    labels text[] DEFAULT '{}'::text[] NOT NULL,
    attachments jsonb DEFAULT '[]'::jsonb NOT NULL,
    enclosed_text text,
    automatic text,
    automatic_because text,
    trust text,
    trust_because text,
    version text,
    size integer,
    content_hash text,
    received_at timestamp with time zone,
    announced_at timestamp with time zone DEFAULT now() NOT NULL,
    arrived_at timestamp with time zone,
    removed_at timestamp with time zone,
    forgotten_at timestamp with time zone,
    CONSTRAINT message_source_is_known CHECK ((source = ANY (ARRAY['push'::text, 'poll'::text, 'hint'::text, 'backfill'::text, 'reconcile'::text, 'import'::text]))),
    CONSTRAINT message_state_is_known CHECK ((state = ANY (ARRAY['announced'::text, 'arrived'::text, 'failed'::text, 'gone'::text, 'ignored'::text])))
)
WITH (fillfactor='90');

ALTER TABLE ONLY postroom.message FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.message IS 'Mail as taken in, each once: headers we need, text, names of attachments; not the bytes. Owned by sync.';

CREATE VIEW postroom.message_view WITH (security_invoker='true') AS
 SELECT m.id,
    m.mailbox_id,
    b.address AS mailbox,
    m.provider_message_id,
    m.state,
    m.because,
    m.source,
    m.thread_id,
    m.internet_message_id,
    m.sender_email,
    m.sender_name,
    m.recipients,
    m.subject,
    m.snippet,
    m.labels,
    m.attachments,
    m.automatic,
    m.trust,
    m.trust_because,
    m.size,
    m.received_at,
    m.announced_at,
    m.arrived_at,
    m.removed_at,
    m.forgotten_at,
        CASE
            WHEN (m.received_at IS NULL) THEN m.announced_at
            ELSE m.received_at
        END AS listed_at,
    COALESCE(( SELECT jsonb_object_agg(d.pipeline, jsonb_build_object('status', d.status, 'rule', d.rule, 'reason', d.because)) AS jsonb_object_agg
           FROM postroom.disposition d
          WHERE (d.message_id = m.id)), '{}'::jsonb) AS status
   FROM (postroom.message m
     JOIN postroom.mailbox b ON ((b.id = m.mailbox_id)))
  WHERE (m.tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.message_view IS 'Messages with their mailbox and what became of them in each pipeline. Owned by reads.';

CREATE TABLE postroom.migration (
    number integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE postroom.migration IS 'What was applied, and when. Owned by db.';

CREATE TABLE postroom.notification (
    id bigint NOT NULL,
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    ref text,
    received_at timestamp with time zone NOT NULL
)
WITH (autovacuum_vacuum_scale_factor='0', autovacuum_vacuum_threshold='5000');

ALTER TABLE ONLY postroom.notification FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.notification IS 'Notifications that were checked and answered, until they are sorted; no foreign key, since the mailbox may be deleted meanwhile. Owned by sync.';

ALTER TABLE postroom.notification ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME postroom.notification_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE postroom.pending_order (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    external_id text NOT NULL,
    username text NOT NULL,
    isin text,
    ticker text,
    name text,
    direction text NOT NULL,
    quantity numeric NOT NULL,
    filled numeric DEFAULT 0 NOT NULL,
    limit_price numeric,
    currency text,
    placed_on date NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    amount_left text GENERATED ALWAYS AS ((trim_scale((quantity - filled)))::text) STORED,
    CONSTRAINT order_has_a_direction CHECK ((direction = ANY (ARRAY['BUY'::text, 'SELL'::text]))),
    CONSTRAINT order_names_an_instrument CHECK ((COALESCE(isin, ticker, name) IS NOT NULL)),
    CONSTRAINT order_quantity_is_positive CHECK (((quantity > (0)::numeric) AND (filled >= (0)::numeric))),
    CONSTRAINT order_status_is_known CHECK ((status = ANY (ARRAY['open'::text, 'filled'::text, 'cancelled'::text])))
);

ALTER TABLE ONLY postroom.pending_order FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.pending_order IS 'Orders that wait for their contract notes. Owned by documents.';

CREATE VIEW postroom.order_view WITH (security_invoker='true') AS
 SELECT id,
    external_id,
    username,
    isin,
    ticker,
    name,
    direction,
    quantity,
    filled,
    limit_price,
    currency,
    placed_on,
    status
   FROM postroom.pending_order
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.order_view IS 'Orders that wait for their contract notes, or did. Owned by documents.';

CREATE TABLE postroom.outgoing_message (
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    ref text NOT NULL,
    thread_ref text NOT NULL,
    draft boolean NOT NULL,
    version text DEFAULT ''::text NOT NULL,
    seen_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.outgoing_message FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.outgoing_message IS 'What was sent and is being written in threads that we know: when one is gone, only this says of which thread. Owned by sync.';

CREATE TABLE postroom.pdf_password (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    label text NOT NULL,
    sealed bytea NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY postroom.pdf_password FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.pdf_password IS 'Passwords of protected files, sealed. Owned by documents.';

CREATE VIEW postroom.pending_sync WITH (security_invoker='true') AS
 SELECT mailbox_id,
    tenant_id,
        CASE
            WHEN (state = 'running'::text) THEN 'processing'::text
            ELSE 'pending'::text
        END AS status,
        CASE
            WHEN (state = 'running'::text) THEN started_at
            ELSE NULL::timestamp with time zone
        END AS claimed_at,
    tries AS attempts,
    reason AS last_error,
    hits
   FROM postroom.job
  WHERE (kind = 'sync.mailbox'::text);

COMMENT ON VIEW postroom.pending_sync IS 'The waiting and running syncs, under the names other tools use. Owned by sync.';

CREATE TABLE postroom.person (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    email text NOT NULL,
    name text DEFAULT ''::text NOT NULL,
    role text NOT NULL,
    password_hash text,
    oidc_subject text,
    disabled_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT person_email_is_lower_case CHECK (((email = lower(email)) AND (email ~~ '_%@_%'::text))),
    CONSTRAINT person_has_a_known_role CHECK ((role = ANY (ARRAY['viewer'::text, 'operator'::text, 'admin'::text])))
);

ALTER TABLE ONLY postroom.person FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.person IS 'Who may come in, and as what. Owned by tenants.';

CREATE TABLE postroom.presence (
    tenant_id uuid NOT NULL,
    item text NOT NULL,
    actor text NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT presence_is_at_one_item CHECK ((item ~ '^[a-z_]{1,40}:[0-9a-f-]{36}$'::text))
)
WITH (fillfactor='50');

ALTER TABLE ONLY postroom.presence FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.presence IS 'Who looks at which item of work, until some seconds after they stop. Owned by tenants.';

CREATE TABLE postroom.proposal (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    thread_id uuid,
    draft_id uuid,
    kind text NOT NULL,
    origin text NOT NULL,
    status text DEFAULT 'waiting'::text NOT NULL,
    because text DEFAULT ''::text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    hash text NOT NULL,
    recipients text[] NOT NULL,
    cc text[] DEFAULT '{}'::text[] NOT NULL,
    bcc text[] DEFAULT '{}'::text[] NOT NULL,
    subject text NOT NULL,
    body text NOT NULL,
    html text NOT NULL,
    files jsonb DEFAULT '[]'::jsonb NOT NULL,
    answers text,
    message_id uuid,
    head text,
    head_at timestamp with time zone,
    machine_body text,
    model text,
    proposed_by text NOT NULL,
    replaces uuid,
    needed smallint DEFAULT 1 NOT NULL,
    needed_because text[] DEFAULT '{}'::text[] NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    send_at timestamp with time zone,
    begun_at timestamp with time zone,
    called_at timestamp with time zone,
    sends smallint DEFAULT 0 NOT NULL,
    looks smallint DEFAULT 0 NOT NULL,
    checked jsonb DEFAULT '[]'::jsonb NOT NULL,
    attempt smallint DEFAULT 1 NOT NULL,
    held jsonb,
    sent_ref text,
    internet_message_id text,
    sent_at timestamp with time zone,
    bounced_at timestamp with time zone,
    bounce text,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    forgotten_at timestamp with time zone,
    CONSTRAINT proposal_goes_to_somebody CHECK (((cardinality(recipients) > 0) OR (forgotten_at IS NOT NULL))),
    CONSTRAINT proposal_kind_is_known CHECK ((kind = ANY (ARRAY['reply'::text, 'new'::text, 'forward'::text]))),
    CONSTRAINT proposal_origin_is_known CHECK ((origin = ANY (ARRAY['draft'::text, 'person'::text, 'program'::text]))),
    CONSTRAINT proposal_status_is_known CHECK ((status = ANY (ARRAY['waiting'::text, 'approved'::text, 'sending'::text, 'sent'::text, 'unknown'::text, 'void'::text, 'revoked'::text, 'discarded'::text]))),
    CONSTRAINT what_is_sent_was_begun CHECK (((status <> ALL (ARRAY['sending'::text, 'unknown'::text])) OR ((begun_at IS NOT NULL) AND (held IS NOT NULL))))
)
WITH (fillfactor='70');

ALTER TABLE ONLY postroom.proposal FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.proposal IS 'Mails that wait for a person''s yes, exactly as they would go out, and what became of them. Owned by outbox.';

CREATE TABLE postroom.proposal_version (
    proposal_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    version integer NOT NULL,
    hash text NOT NULL,
    mail jsonb NOT NULL,
    made_by text NOT NULL,
    made_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.proposal_version FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.proposal_version IS 'What a proposal said before and after each change, so that people see what is different. Owned by outbox.';

CREATE VIEW postroom.proposal_view WITH (security_invoker='true') AS
 SELECT p.id,
    p.mailbox_id,
    b.address AS mailbox,
    p.thread_id,
    t.provider_thread_id,
    p.draft_id,
    p.message_id,
    p.kind,
    p.origin,
    p.status,
    p.because,
    p.version,
    p.hash,
    p.recipients,
    p.cc,
    p.bcc,
    p.subject,
    p.body,
    p.html,
    p.files,
    p.answers,
    p.head,
    p.machine_body,
    p.model,
    p.proposed_by,
    p.replaces,
    p.needed,
    p.needed_because,
    p.expires_at,
    p.send_at,
    p.begun_at,
    p.sends,
    p.looks,
    p.checked,
    p.sent_ref,
    p.internet_message_id,
    p.sent_at,
    p.bounced_at,
    p.bounce,
    p.created_at,
    p.updated_at,
    p.forgotten_at,
    ARRAY( SELECT a.actor
           FROM postroom.approval a
          WHERE ((a.tenant_id = p.tenant_id) AND (a.proposal_id = p.id) AND (a.hash = p.hash) AND (a.ended_at IS NULL) AND ((a.used_at IS NULL) OR (a.used_at = p.begun_at)))
          ORDER BY a.approved_at) AS approvers
   FROM ((postroom.proposal p
     JOIN postroom.mailbox b ON ((b.id = p.mailbox_id)))
     LEFT JOIN postroom.thread t ON ((t.id = p.thread_id)))
  WHERE (p.tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.proposal_view IS 'Proposals with their mailbox, thread and who agreed. Owned by reads.';

CREATE TABLE postroom.provider_quota (
    mailbox_id uuid NOT NULL,
    units double precision NOT NULL,
    at timestamp with time zone NOT NULL
)
WITH (fillfactor='30');

COMMENT ON TABLE postroom.provider_quota IS 'Quota units per mailbox: a bucket that refills, drawn on in chunks. Owned by engine.';

CREATE TABLE postroom.provider_slot (
    mailbox_id uuid NOT NULL,
    slot smallint NOT NULL,
    holder uuid,
    till timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
)
WITH (fillfactor='30');

COMMENT ON TABLE postroom.provider_slot IS 'Requests in flight per mailbox across all workers: a slot is lent to a worker for a while. Owned by engine.';

CREATE TABLE postroom.provider_wait (
    mailbox_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    till timestamp with time zone NOT NULL,
    hour timestamp with time zone NOT NULL,
    waited double precision NOT NULL
)
WITH (fillfactor='30');

ALTER TABLE ONLY postroom.provider_wait FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.provider_wait IS 'Until when a provider asked us to leave a mailbox alone, and for how many seconds within an hour. Owned by engine.';

CREATE TABLE postroom.reconcile_run (
    mailbox_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    since timestamp with time zone NOT NULL,
    started_at timestamp with time zone NOT NULL,
    listed integer DEFAULT 0 NOT NULL,
    held integer DEFAULT 0 NOT NULL,
    failed integer DEFAULT 0 NOT NULL,
    unannounced integer DEFAULT 0 NOT NULL,
    missing text[] DEFAULT '{}'::text[] NOT NULL
);

ALTER TABLE ONLY postroom.reconcile_run FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.reconcile_run IS 'A reconcile on its way through the pages of a listing. Owned by sync.';

CREATE TABLE postroom.reply_policy (
    tenant_id uuid NOT NULL,
    gate double precision,
    language text,
    formality text DEFAULT 'neutral'::text NOT NULL,
    thanks boolean DEFAULT true NOT NULL,
    greetings jsonb DEFAULT '{}'::jsonb NOT NULL,
    closings jsonb DEFAULT '{}'::jsonb NOT NULL,
    signature text DEFAULT ''::text NOT NULL,
    learn_from uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT formality_is_known CHECK ((formality = ANY (ARRAY['neutral'::text, 'formal'::text, 'informal'::text]))),
    CONSTRAINT gate_is_a_share CHECK (((gate >= (0.3)::double precision) AND (gate <= (0.95)::double precision)))
);

ALTER TABLE ONLY postroom.reply_policy FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.reply_policy IS 'What a tenant decides about drafts: how sure, in which voice, and from whose answers they may learn; without a row the documented defaults hold. Owned by replies.';

CREATE TABLE postroom.trade (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    "position" integer NOT NULL,
    status text NOT NULL,
    because text NOT NULL,
    direction text,
    trade_date date,
    settlement_date date,
    quantity numeric,
    isin text,
    ticker text,
    name text,
    price numeric,
    currency text,
    gross numeric,
    fees numeric,
    taxes numeric,
    net numeric,
    confidence double precision NOT NULL,
    fields jsonb DEFAULT '{}'::jsonb NOT NULL,
    fingerprint text,
    instance smallint DEFAULT 1 NOT NULL,
    duplicate_of uuid,
    order_id uuid,
    order_because text,
    trade_key text,
    confirmed_by text,
    confirmed_at timestamp with time zone,
    corrected_by text,
    corrected_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    likeness text GENERATED ALWAYS AS (((((((COALESCE(isin, ticker, name) || ' '::text) || direction) || ' '::text) || ((trade_date - '2000-01-01'::date))::text) || ' '::text) || (trim_scale(quantity))::text)) STORED,
    CONSTRAINT confirmed_trade_is_whole CHECK (((status <> 'confirmed'::text) OR ((direction IS NOT NULL) AND (trade_date IS NOT NULL) AND (quantity > (0)::numeric) AND (net IS NOT NULL) AND (currency IS NOT NULL) AND (COALESCE(isin, ticker, name) IS NOT NULL) AND (confirmed_by IS NOT NULL) AND (confirmed_at IS NOT NULL)))),
    CONSTRAINT trade_direction_is_known CHECK ((direction = ANY (ARRAY['BUY'::text, 'SELL'::text]))),
    CONSTRAINT trade_status_is_known CHECK ((status = ANY (ARRAY['confirmed'::text, 'review'::text, 'rejected'::text, 'duplicate'::text])))
)
WITH (fillfactor='85');

ALTER TABLE ONLY postroom.trade FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.trade IS 'What contract notes and statements say was traded. Owned by documents.';

CREATE VIEW postroom.scorecard_view WITH (security_invoker='true') AS
 SELECT g.document_id,
    g.mailbox_id,
    g.pipeline,
    g.sender_email,
    g.mode,
    g.stated,
    g.clear,
    g.passed,
    g.received_at,
        CASE
            WHEN (d.status = 'rejected'::text) THEN 'rejected'::text
            WHEN p.corrected THEN 'corrected'::text
            WHEN ((d.status = 'confirmed'::text) AND p.unseen) THEN 'unseen'::text
            WHEN (d.status = 'confirmed'::text) THEN 'right'::text
            ELSE 'open'::text
        END AS outcome
   FROM ((postroom.gate_verdict g
     JOIN postroom.document d ON ((d.id = g.document_id)))
     CROSS JOIN LATERAL ( SELECT COALESCE(bool_or((x.corrected_at IS NOT NULL)), false) AS corrected,
            COALESCE(bool_and((x.confirmed_by = 'postroom'::text)), false) AS unseen
           FROM ( SELECT t.corrected_at,
                    t.confirmed_by
                   FROM postroom.trade t
                  WHERE ((t.document_id = g.document_id) AND (t.status <> 'duplicate'::text))
                UNION ALL
                 SELECT i.corrected_at,
                    i.confirmed_by
                   FROM postroom.invoice i
                  WHERE (i.document_id = g.document_id)) x) p)
  WHERE ((g.tenant_id = ( SELECT postroom.tenant() AS tenant)) AND (d.status <> 'duplicate'::text));

COMMENT ON VIEW postroom.scorecard_view IS 'What the gate said of documents, beside what people decided. Owned by documents.';

CREATE TABLE postroom.seal (
    tenant_id uuid NOT NULL,
    number bigint NOT NULL,
    from_xid bigint NOT NULL,
    upto_xid bigint NOT NULL,
    facts integer NOT NULL,
    root bytea NOT NULL,
    link bytea NOT NULL,
    chain bytea NOT NULL,
    key_id bytea NOT NULL,
    sealed_at timestamp with time zone NOT NULL,
    CONSTRAINT seal_covers_something CHECK (((facts > 0) AND (from_xid < upto_xid)))
);

ALTER TABLE ONLY postroom.seal FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.seal IS 'The audit chain: batches of facts, each chained to the one before. Owned by engine.';

COMMENT ON COLUMN postroom.seal.chain IS 'HMAC of the link with a key made of the sealing key that key_id names, which is not in the database.';

CREATE VIEW postroom.seal_view WITH (security_invoker='true') AS
 SELECT number,
    from_xid,
    upto_xid,
    facts,
    root,
    link,
    chain,
    key_id,
    sealed_at
   FROM postroom.seal
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.seal_view IS 'The audit chain of the tenant. Owned by engine.';

CREATE TABLE postroom.sender_choice (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    sender_email text NOT NULL,
    account_id uuid,
    engagement_id uuid,
    reason text DEFAULT ''::text NOT NULL,
    act_id uuid NOT NULL,
    chosen_by text NOT NULL,
    chosen_at timestamp with time zone NOT NULL,
    ended_act uuid,
    ended_at timestamp with time zone,
    CONSTRAINT a_choice_sets_aside_or_names_an_account CHECK (((account_id IS NOT NULL) OR (reason <> ''::text)))
);

ALTER TABLE ONLY postroom.sender_choice FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.sender_choice IS 'What a person decided for all mail of a sender. One holds; those that ended stay. Owned by clients.';

CREATE TABLE postroom.sender_profile (
    tenant_id uuid NOT NULL,
    sender_email text NOT NULL,
    profile jsonb NOT NULL,
    learnt_from uuid,
    updated_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.sender_profile FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.sender_profile IS 'What a sender''s corrections taught us about its layout. Owned by documents.';

CREATE TABLE postroom.sender_rule (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    pipeline text NOT NULL,
    entry text NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT sender_entry_is_lower_case CHECK (((entry = lower(entry)) AND (entry <> ''::text)))
);

ALTER TABLE ONLY postroom.sender_rule FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.sender_rule IS 'Who may be believed without a person looking, for each pipeline. Owned by documents.';

CREATE TABLE postroom.session (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    person_id uuid NOT NULL,
    digest bytea NOT NULL,
    how text NOT NULL,
    source text DEFAULT ''::text NOT NULL,
    agent text DEFAULT ''::text NOT NULL,
    started_at timestamp with time zone NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT session_slides_only_so_far CHECK ((expires_at <= ends_at)),
    CONSTRAINT session_way_in_is_known CHECK ((how = ANY (ARRAY['password'::text, 'oidc'::text, 'link'::text])))
)
WITH (fillfactor='80');

ALTER TABLE ONLY postroom.session FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.session IS 'A person who is signed in; the digest of what the browser holds, never the thing itself. Owned by tenants.';

CREATE TABLE postroom.signal_tally (
    tenant_id uuid NOT NULL,
    signal text NOT NULL,
    day date NOT NULL,
    rights integer DEFAULT 0 NOT NULL,
    wrongs integer DEFAULT 0 NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE ONLY postroom.signal_tally FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.signal_tally IS 'How each signal did, by the month, under its last day. Owned by clients.';

CREATE TABLE postroom.signin_link (
    digest bytea NOT NULL,
    tenant_id uuid NOT NULL,
    person_id uuid NOT NULL,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.signin_link FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.signin_link IS 'A link that lets one person in, once; its digest. Owned by tenants.';

CREATE TABLE postroom.signin_try (
    key bytea NOT NULL,
    tenant_id uuid,
    tries integer DEFAULT 1 NOT NULL,
    at timestamp with time zone NOT NULL,
    till timestamp with time zone DEFAULT '-infinity'::timestamp with time zone NOT NULL
)
WITH (fillfactor='50');

ALTER TABLE ONLY postroom.signin_try FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.signin_try IS 'Wrong guesses, by digests of who was named and where they came from; before anybody is known there is no tenant. Owned by tenants.';

CREATE TABLE postroom.tenant (
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    policy jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT retention_is_in_days CHECK (((jsonb_typeof((policy -> 'retention'::text)) = 'object'::text) AND (NOT jsonb_path_exists(policy, '$."retention".keyvalue()?(((@."value".type() != "number" || @."value" > 36500) || @."value" < 7) || @."key" != "events" && @."value" < 30)'::jsonpath)))),
    CONSTRAINT tenant_name_is_a_short_word CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);

ALTER TABLE ONLY postroom.tenant FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.tenant IS 'Whose data it is, and what they decided. Owned by tenants.';

CREATE TABLE postroom.tenant_topic (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    name text NOT NULL,
    counts_as text NOT NULL,
    words text[] NOT NULL,
    active boolean DEFAULT true NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT tenant_topic_counts_as_a_known_one CHECK ((counts_as = ANY (ARRAY['refund_or_cancellation'::text, 'medical'::text, 'safety'::text, 'legal'::text, 'exception'::text]))),
    CONSTRAINT tenant_topic_has_words CHECK (((name <> ''::text) AND (cardinality(words) > 0)))
);

ALTER TABLE ONLY postroom.tenant_topic FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.tenant_topic IS 'A tenant''s own sensitive topics and words; they only add caution. Owned by triage.';

CREATE TABLE postroom.thread_state (
    thread_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    mailbox_id uuid NOT NULL,
    reference_code text NOT NULL,
    state text,
    action text,
    reason text,
    because text DEFAULT ''::text NOT NULL,
    language text,
    matched jsonb DEFAULT '[]'::jsonb NOT NULL,
    analysis jsonb,
    model text,
    channel_id uuid,
    channel_because text,
    error_code text,
    newest_message_id uuid,
    newest_ref text,
    newest_at timestamp with time zone,
    newest_from text,
    operators_seen text[] DEFAULT '{}'::text[] NOT NULL,
    inputs text,
    label text,
    label_intended text,
    label_refs text[] DEFAULT '{}'::text[] NOT NULL,
    label_by_person boolean DEFAULT false NOT NULL,
    settled text,
    assigned_to uuid,
    not_for_us_at timestamp with time zone,
    not_for_us_by text,
    done_at timestamp with time zone,
    snoozed_till timestamp with time zone,
    decided_at timestamp with time zone,
    updated_at timestamp with time zone NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    CONSTRAINT reference_code_has_its_form CHECK ((reference_code ~ '^PR-[2-9A-HJKMNP-Z]{6}$'::text)),
    CONSTRAINT thread_action_is_known CHECK ((action = ANY (ARRAY['ignore'::text, 'needs_review'::text, 'draft'::text]))),
    CONSTRAINT thread_state_is_known CHECK ((state = ANY (ARRAY['ready'::text, 'needs_review'::text, 'error'::text])))
)
WITH (fillfactor='70');

ALTER TABLE ONLY postroom.thread_state FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.thread_state IS 'What became of a thread: verdict, analysis, channel, who sees to it, and the label it bears. Owned by triage.';

CREATE VIEW postroom.thread_view WITH (security_invoker='true') AS
 SELECT t.id,
    t.mailbox_id,
    b.address AS mailbox,
    t.provider_thread_id,
    t.subject,
    t.messages,
    t.last_message_at,
    s.reference_code,
    s.state,
    s.action,
    s.reason,
    s.because,
    s.language,
    s.matched,
    s.analysis,
    s.model,
    s.error_code,
    s.channel_id,
    c.name AS channel,
    s.channel_because,
    s.assigned_to,
    p.email AS assignee,
    s.snoozed_till,
    s.not_for_us_at,
    s.done_at,
    s.newest_at,
    s.newest_from,
    s.label,
    s.label_by_person,
    s.decided_at,
    b.copilot,
    ( SELECT NULLIF(r.proposed, ''::text) AS "nullif"
           FROM (postroom.draft_slot d
             JOIN postroom.draft_revision r ON (((r.slot_id = d.id) AND (r.tenant_id = d.tenant_id))))
          WHERE ((d.tenant_id = t.tenant_id) AND (d.mailbox_id = t.mailbox_id) AND (d.thread_id = t.id) AND (d.kind = 'copilot_reply'::text) AND (r.message_ref = s.newest_ref))) AS draft_response,
    s.revision
   FROM ((((postroom.thread t
     JOIN postroom.mailbox b ON ((b.id = t.mailbox_id)))
     LEFT JOIN postroom.thread_state s ON ((s.thread_id = t.id)))
     LEFT JOIN postroom.channel c ON ((c.id = s.channel_id)))
     LEFT JOIN postroom.person p ON ((p.id = s.assigned_to)))
  WHERE (t.tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.thread_view IS 'Threads with their mailbox, and what became of them. Owned by reads.';

CREATE TABLE postroom.timetable (
    name text NOT NULL,
    spec text NOT NULL,
    next_at timestamp with time zone NOT NULL,
    fired bigint DEFAULT 0 NOT NULL
);

COMMENT ON TABLE postroom.timetable IS 'When each line of the timetable is due next. Owned by engine.';

CREATE VIEW postroom.trade_view WITH (security_invoker='true') AS
 SELECT id,
    document_id,
    "position",
    status,
    because,
    direction,
    trade_date,
    settlement_date,
    quantity,
    isin,
    ticker,
    name,
    price,
    currency,
    gross,
    fees,
    taxes,
    net,
    confidence,
    fields,
    fingerprint,
    instance,
    duplicate_of,
    order_id,
    order_because,
    trade_key,
    confirmed_by,
    confirmed_at,
    corrected_by,
    corrected_at,
    created_at
   FROM postroom.trade
  WHERE (tenant_id = ( SELECT postroom.tenant() AS tenant));

COMMENT ON VIEW postroom.trade_view IS 'Trades as they stand in the books. Owned by documents.';

CREATE TABLE postroom.turn (
    tenant_id uuid NOT NULL,
    thread_id uuid NOT NULL,
    ref text NOT NULL,
    message_id uuid,
    draft_ref text,
    version text DEFAULT ''::text NOT NULL,
    outgoing boolean NOT NULL,
    sender_email text,
    sender_name text DEFAULT ''::text NOT NULL,
    recipients jsonb DEFAULT '{}'::jsonb NOT NULL,
    sent_at timestamp with time zone,
    subject text DEFAULT ''::text NOT NULL,
    own_text text DEFAULT ''::text NOT NULL,
    forwarded_text text DEFAULT ''::text NOT NULL,
    quoted_text text DEFAULT ''::text NOT NULL,
    signature text DEFAULT ''::text NOT NULL,
    disclaimer text DEFAULT ''::text NOT NULL,
    automatic text,
    automatic_because text,
    machine_answers boolean DEFAULT false NOT NULL,
    kept_at timestamp with time zone NOT NULL,
    forgotten_at timestamp with time zone
);

ALTER TABLE ONLY postroom.turn FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.turn IS 'Messages of a thread, ours and theirs: what is new in each, what is quoted, what is signature or disclaimer. Owned by triage.';

CREATE TABLE postroom.unwanted_blob (
    tenant_id uuid NOT NULL,
    blob_key text NOT NULL,
    noted_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.unwanted_blob FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.unwanted_blob IS 'Stored files that nothing refers to: noted in the commit that lets go of them and removed after it, so that a crash leaves a note, never a row without its file. Owned by retention.';

CREATE TABLE postroom.upload (
    document_id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    content bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY postroom.upload FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.upload IS 'Bytes that wait to be read; the original of what was read lives in the archive only. Owned by documents.';

CREATE TABLE postroom.webhook (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    number integer NOT NULL,
    url text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    events text[] DEFAULT '{}'::text[] NOT NULL,
    secret bytea NOT NULL,
    old_secret bytea,
    old_secret_till timestamp with time zone,
    status text DEFAULT 'active'::text NOT NULL,
    because text,
    failures integer DEFAULT 0 NOT NULL,
    failing_since timestamp with time zone,
    wait_till timestamp with time zone,
    last_success_at timestamp with time zone,
    last_failure_at timestamp with time zone,
    last_error text,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT old_secret_ends CHECK (((old_secret IS NULL) = (old_secret_till IS NULL))),
    CONSTRAINT webhook_status_is_known CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'disabled'::text])))
);

ALTER TABLE ONLY postroom.webhook FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.webhook IS 'Where other systems want to hear of events, and how that goes. Owned by subscribers.';

COMMENT ON COLUMN postroom.webhook.events IS 'The types that are wanted; none means all.';

COMMENT ON COLUMN postroom.webhook.wait_till IS 'After a failure of the endpoint nothing is sent to it before this.';

CREATE TABLE postroom.work_item (
    id uuid NOT NULL,
    tenant_id uuid NOT NULL,
    engagement_id uuid NOT NULL,
    code text NOT NULL,
    code_key text NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT work_item_status_is_known CHECK ((status = ANY (ARRAY['open'::text, 'closed'::text])))
);

ALTER TABLE ONLY postroom.work_item FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.work_item IS 'A piece of an engagement. Owned by clients.';

CREATE TABLE postroom.worker (
    id uuid NOT NULL,
    name text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    lease_till timestamp with time zone NOT NULL
)
WITH (fillfactor='20');

COMMENT ON TABLE postroom.worker IS 'A running process that works on jobs; its heartbeat is the lease of all it holds. Owned by engine.';

CREATE TABLE postroom.written_to (
    tenant_id uuid NOT NULL,
    address text NOT NULL,
    first_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY postroom.written_to FORCE ROW LEVEL SECURITY;

COMMENT ON TABLE postroom.written_to IS 'Who had mail of ours before: whoever is not here is new, which may want a second person. Owned by outbox.';

ALTER TABLE ONLY postroom.attempt ATTACH PARTITION postroom.attempt_default DEFAULT;

ALTER TABLE ONLY postroom.fact ATTACH PARTITION postroom.fact_default DEFAULT;

ALTER TABLE ONLY bo_airflow.email_ingestion_state ALTER COLUMN id SET DEFAULT nextval('bo_airflow.email_ingestion_state_id_seq'::regclass);

ALTER TABLE ONLY padealing.graph_subscription_state ALTER COLUMN id SET DEFAULT nextval('padealing.graph_subscription_state_id_seq'::regclass);

ALTER TABLE ONLY bo_airflow.email_ingestion_state
    ADD CONSTRAINT email_ingestion_state_pkey PRIMARY KEY (id);

ALTER TABLE ONLY bo_airflow.email_ingestion_state
    ADD CONSTRAINT unique_app_message UNIQUE (app_name, message_id);

ALTER TABLE ONLY padealing.graph_subscription_state
    ADD CONSTRAINT graph_subscription_state_pkey PRIMARY KEY (id);

ALTER TABLE ONLY padealing.graph_subscription_state
    ADD CONSTRAINT graph_subscription_state_subscription_id_key UNIQUE (subscription_id);

ALTER TABLE ONLY postroom.account_change
    ADD CONSTRAINT account_change_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.account
    ADD CONSTRAINT account_code_is_unique UNIQUE (tenant_id, code_key);

ALTER TABLE ONLY postroom.account_domain
    ADD CONSTRAINT account_domain_pkey PRIMARY KEY (tenant_id, domain, account_id);

ALTER TABLE ONLY postroom.account
    ADD CONSTRAINT account_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.account_key
    ADD CONSTRAINT account_key_pkey PRIMARY KEY (tenant_id, kind, key, account_id);

ALTER TABLE ONLY postroom.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.document
    ADD CONSTRAINT attachment_becomes_one_document UNIQUE (tenant_id, message_id, attachment_path);

ALTER TABLE ONLY postroom.attachment
    ADD CONSTRAINT attachment_pkey PRIMARY KEY (message_id, sha256);

ALTER TABLE ONLY postroom.attempt
    ADD CONSTRAINT attempt_pkey PRIMARY KEY (finished_at, id);

ALTER TABLE ONLY postroom.attempt_default
    ADD CONSTRAINT attempt_default_pkey PRIMARY KEY (finished_at, id);

ALTER TABLE ONLY postroom.booking
    ADD CONSTRAINT booking_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.channel
    ADD CONSTRAINT channel_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.channel
    ADD CONSTRAINT channel_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.consent
    ADD CONSTRAINT consent_pkey PRIMARY KEY (state);

ALTER TABLE ONLY postroom.contact_account
    ADD CONSTRAINT contact_account_pkey PRIMARY KEY (contact_id, account_id);

ALTER TABLE ONLY postroom.contact
    ADD CONSTRAINT contact_is_known_once UNIQUE (tenant_id, email);

ALTER TABLE ONLY postroom.contact
    ADD CONSTRAINT contact_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.contact
    ADD CONSTRAINT contact_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.contact_proposal
    ADD CONSTRAINT contact_proposal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.copilot_mailbox
    ADD CONSTRAINT copilot_mailbox_pkey PRIMARY KEY (mailbox_id);

ALTER TABLE ONLY postroom.coverage
    ADD CONSTRAINT coverage_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.disposition
    ADD CONSTRAINT disposition_pkey PRIMARY KEY (message_id, pipeline);

ALTER TABLE ONLY postroom.document_correction
    ADD CONSTRAINT document_correction_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.document_decision
    ADD CONSTRAINT document_decision_pkey PRIMARY KEY (document_id, revision);

ALTER TABLE ONLY postroom.invoice
    ADD CONSTRAINT document_is_one_invoice UNIQUE (document_id);

ALTER TABLE ONLY postroom.document
    ADD CONSTRAINT document_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.trade
    ADD CONSTRAINT document_tells_a_trade_once UNIQUE (document_id, "position");

ALTER TABLE ONLY postroom.booking
    ADD CONSTRAINT document_tells_an_entry_once UNIQUE (document_id, "position");

ALTER TABLE ONLY postroom.domain_key
    ADD CONSTRAINT domain_key_pkey PRIMARY KEY (tenant_id, key, domain, account_id);

ALTER TABLE ONLY postroom.draft_quotation
    ADD CONSTRAINT draft_quotation_pkey PRIMARY KEY (tenant_id, revision_id, number);

ALTER TABLE ONLY postroom.draft_revision
    ADD CONSTRAINT draft_revision_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.draft_slot
    ADD CONSTRAINT draft_slot_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.draft_slot
    ADD CONSTRAINT draft_slot_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.engagement
    ADD CONSTRAINT engagement_code_is_unique UNIQUE (tenant_id, code_key);

ALTER TABLE ONLY postroom.engagement
    ADD CONSTRAINT engagement_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.engagement
    ADD CONSTRAINT engagement_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.event_cursor
    ADD CONSTRAINT event_cursor_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY postroom.event
    ADD CONSTRAINT event_happens_once UNIQUE NULLS NOT DISTINCT (tenant_id, mailbox_id, message_id, type, run_id);

ALTER TABLE ONLY postroom.event
    ADD CONSTRAINT event_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.evidence_document
    ADD CONSTRAINT evidence_document_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.evidence_document
    ADD CONSTRAINT evidence_document_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.evidence_posting
    ADD CONSTRAINT evidence_posting_pkey PRIMARY KEY (tenant_id, source, term, snippet_id);

ALTER TABLE ONLY postroom.evidence_replacement
    ADD CONSTRAINT evidence_replacement_pkey PRIMARY KEY (older, newer);

ALTER TABLE ONLY postroom.evidence_snippet
    ADD CONSTRAINT evidence_snippet_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.evidence_snippet
    ADD CONSTRAINT evidence_snippet_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.evidence_term
    ADD CONSTRAINT evidence_term_pkey PRIMARY KEY (tenant_id, source, term);

ALTER TABLE ONLY postroom.evidence_document
    ADD CONSTRAINT evidence_version_is_unique UNIQUE (tenant_id, name, version);

ALTER TABLE ONLY postroom.fact
    ADD CONSTRAINT fact_pkey PRIMARY KEY (told_at, id);

ALTER TABLE ONLY postroom.fact_default
    ADD CONSTRAINT fact_default_pkey PRIMARY KEY (told_at, id);

ALTER TABLE ONLY postroom.gate_verdict
    ADD CONSTRAINT gate_verdict_pkey PRIMARY KEY (document_id);

ALTER TABLE ONLY postroom.gmail_watch_state
    ADD CONSTRAINT gmail_watch_state_pkey PRIMARY KEY (mailbox_id);

ALTER TABLE ONLY postroom.hint
    ADD CONSTRAINT hint_pkey PRIMARY KEY (mailbox_id, ref);

ALTER TABLE ONLY postroom.house
    ADD CONSTRAINT house_pkey PRIMARY KEY (single);

ALTER TABLE ONLY postroom.idempotency
    ADD CONSTRAINT idempotency_pkey PRIMARY KEY (tenant_id, actor, key);

ALTER TABLE ONLY postroom.invoice_line
    ADD CONSTRAINT invoice_line_pkey PRIMARY KEY (invoice_id, "position");

ALTER TABLE ONLY postroom.invoice
    ADD CONSTRAINT invoice_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.job_payload
    ADD CONSTRAINT job_payload_pkey PRIMARY KEY (job_id);

ALTER TABLE ONLY postroom.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.api_key
    ADD CONSTRAINT key_digest_is_unique UNIQUE (digest);

ALTER TABLE ONLY postroom.mailbox_cursor
    ADD CONSTRAINT mailbox_cursor_pkey PRIMARY KEY (mailbox_id);

ALTER TABLE ONLY postroom.mailbox
    ADD CONSTRAINT mailbox_is_connected_once UNIQUE (tenant_id, provider, address);

ALTER TABLE ONLY postroom.mailbox
    ADD CONSTRAINT mailbox_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.mailbox
    ADD CONSTRAINT mailbox_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.mailbox_push
    ADD CONSTRAINT mailbox_push_pkey PRIMARY KEY (mailbox_id);

ALTER TABLE ONLY postroom.mailbox_token
    ADD CONSTRAINT mailbox_token_pkey PRIMARY KEY (mailbox_id);

ALTER TABLE ONLY postroom.mapping_change
    ADD CONSTRAINT mapping_change_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.mapping
    ADD CONSTRAINT mapping_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.mapping
    ADD CONSTRAINT mapping_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.mapping_policy
    ADD CONSTRAINT mapping_policy_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY postroom.message
    ADD CONSTRAINT message_arrives_once UNIQUE (tenant_id, mailbox_id, provider_message_id);

ALTER TABLE ONLY postroom.draft_revision
    ADD CONSTRAINT message_has_one_revision UNIQUE (slot_id, message_ref);

ALTER TABLE ONLY postroom.mapping
    ADD CONSTRAINT message_is_mapped_once UNIQUE (message_id);

ALTER TABLE ONLY postroom.message
    ADD CONSTRAINT message_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (number);

ALTER TABLE ONLY postroom.notification
    ADD CONSTRAINT notification_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.pending_order
    ADD CONSTRAINT order_is_known_once UNIQUE (tenant_id, external_id);

ALTER TABLE ONLY postroom.outgoing_message
    ADD CONSTRAINT outgoing_message_pkey PRIMARY KEY (mailbox_id, ref);

ALTER TABLE ONLY postroom.pdf_password
    ADD CONSTRAINT password_label_is_unique UNIQUE (tenant_id, label);

ALTER TABLE ONLY postroom.pdf_password
    ADD CONSTRAINT pdf_password_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.pending_order
    ADD CONSTRAINT pending_order_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.person
    ADD CONSTRAINT person_is_known_once UNIQUE (tenant_id, email);

ALTER TABLE ONLY postroom.person
    ADD CONSTRAINT person_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.presence
    ADD CONSTRAINT presence_pkey PRIMARY KEY (tenant_id, item, actor);

ALTER TABLE ONLY postroom.proposal
    ADD CONSTRAINT proposal_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.proposal
    ADD CONSTRAINT proposal_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.proposal_version
    ADD CONSTRAINT proposal_version_pkey PRIMARY KEY (proposal_id, version);

ALTER TABLE ONLY postroom.provider_quota
    ADD CONSTRAINT provider_quota_pkey PRIMARY KEY (mailbox_id);

ALTER TABLE ONLY postroom.provider_slot
    ADD CONSTRAINT provider_slot_pkey PRIMARY KEY (mailbox_id, slot);

ALTER TABLE ONLY postroom.provider_wait
    ADD CONSTRAINT provider_wait_pkey PRIMARY KEY (mailbox_id);

ALTER TABLE ONLY postroom.reconcile_run
    ADD CONSTRAINT reconcile_run_pkey PRIMARY KEY (mailbox_id);

ALTER TABLE ONLY postroom.thread_state
    ADD CONSTRAINT reference_code_is_unique UNIQUE (tenant_id, reference_code);

ALTER TABLE ONLY postroom.reply_policy
    ADD CONSTRAINT reply_policy_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY postroom.seal
    ADD CONSTRAINT seal_pkey PRIMARY KEY (tenant_id, number);

ALTER TABLE ONLY postroom.sender_choice
    ADD CONSTRAINT sender_choice_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.sender_rule
    ADD CONSTRAINT sender_is_allowed_once UNIQUE (tenant_id, pipeline, entry);

ALTER TABLE ONLY postroom.sender_profile
    ADD CONSTRAINT sender_profile_pkey PRIMARY KEY (tenant_id, sender_email);

ALTER TABLE ONLY postroom.sender_rule
    ADD CONSTRAINT sender_rule_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.session
    ADD CONSTRAINT session_digest_is_unique UNIQUE (digest);

ALTER TABLE ONLY postroom.session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.signal_tally
    ADD CONSTRAINT signal_tally_pkey PRIMARY KEY (tenant_id, signal, day);

ALTER TABLE ONLY postroom.signin_link
    ADD CONSTRAINT signin_link_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY postroom.signin_try
    ADD CONSTRAINT signin_try_pkey PRIMARY KEY (key);

ALTER TABLE ONLY postroom.tenant
    ADD CONSTRAINT tenant_name_is_unique UNIQUE (name);

ALTER TABLE ONLY postroom.tenant
    ADD CONSTRAINT tenant_pkey PRIMARY KEY (tenant_id);

ALTER TABLE ONLY postroom.tenant_topic
    ADD CONSTRAINT tenant_topic_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.draft_slot
    ADD CONSTRAINT thread_has_one_slot UNIQUE (tenant_id, mailbox_id, thread_id, kind);

ALTER TABLE ONLY postroom.thread
    ADD CONSTRAINT thread_is_known_once UNIQUE (tenant_id, mailbox_id, provider_thread_id);

ALTER TABLE ONLY postroom.thread
    ADD CONSTRAINT thread_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.thread
    ADD CONSTRAINT thread_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.thread_state
    ADD CONSTRAINT thread_state_pkey PRIMARY KEY (thread_id);

ALTER TABLE ONLY postroom.timetable
    ADD CONSTRAINT timetable_pkey PRIMARY KEY (name);

ALTER TABLE ONLY postroom.trade
    ADD CONSTRAINT trade_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.turn
    ADD CONSTRAINT turn_pkey PRIMARY KEY (thread_id, ref);

ALTER TABLE ONLY postroom.unwanted_blob
    ADD CONSTRAINT unwanted_blob_pkey PRIMARY KEY (tenant_id, blob_key);

ALTER TABLE ONLY postroom.upload
    ADD CONSTRAINT upload_pkey PRIMARY KEY (document_id);

ALTER TABLE ONLY postroom.webhook
    ADD CONSTRAINT webhook_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.webhook
    ADD CONSTRAINT webhook_number_is_unique UNIQUE (tenant_id, number);

ALTER TABLE ONLY postroom.webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.work_item
    ADD CONSTRAINT work_item_code_is_unique UNIQUE (tenant_id, code_key);

ALTER TABLE ONLY postroom.work_item
    ADD CONSTRAINT work_item_is_of_one_tenant UNIQUE (id, tenant_id);

ALTER TABLE ONLY postroom.work_item
    ADD CONSTRAINT work_item_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.worker
    ADD CONSTRAINT worker_pkey PRIMARY KEY (id);

ALTER TABLE ONLY postroom.written_to
    ADD CONSTRAINT written_to_pkey PRIMARY KEY (tenant_id, address);

CREATE INDEX graph_subscription_of_mailbox ON padealing.graph_subscription_state USING btree (tenant_id, mailbox_id, status);

CREATE INDEX idx_graph_subscription_expiry ON padealing.graph_subscription_state USING btree (expiration_datetime) WHERE ((status)::text = 'active'::text);

CREATE UNIQUE INDEX one_active_subscription_per_folder ON padealing.graph_subscription_state USING btree (mailbox_id, folder) WHERE ((status)::text = 'active'::text);

CREATE INDEX account_change_of_account ON postroom.account_change USING btree (tenant_id, account_id, id DESC);

CREATE INDEX account_domain_of_account ON postroom.account_domain USING btree (tenant_id, account_id);

CREATE INDEX account_key_of_account ON postroom.account_key USING btree (tenant_id, account_id);

CREATE INDEX account_newest ON postroom.account USING btree (tenant_id, id DESC);

CREATE INDEX api_key_of_tenant ON postroom.api_key USING btree (tenant_id, created_at);

CREATE INDEX approval_of_proposal ON postroom.approval USING btree (tenant_id, proposal_id, approved_at);

CREATE INDEX attachment_by_key ON postroom.attachment USING btree (tenant_id, blob_key);

CREATE INDEX attachment_oldest ON postroom.attachment USING btree (tenant_id, fetched_at);

CREATE INDEX attempt_of_failed_job ON ONLY postroom.attempt USING btree (job_id, id) WHERE (outcome <> ALL (ARRAY['done'::text, 'released'::text]));

CREATE INDEX attempt_default_job_id_id_idx ON postroom.attempt_default USING btree (job_id, id) WHERE (outcome <> ALL (ARRAY['done'::text, 'released'::text]));

CREATE INDEX attempt_that_failed ON ONLY postroom.attempt USING btree (tenant_id, error_class, id) WHERE (outcome <> ALL (ARRAY['done'::text, 'released'::text]));

CREATE INDEX attempt_default_tenant_id_error_class_id_idx ON postroom.attempt_default USING btree (tenant_id, error_class, id) WHERE (outcome <> ALL (ARRAY['done'::text, 'released'::text]));

CREATE INDEX attempt_of_tenant ON ONLY postroom.attempt USING btree (tenant_id, id);

CREATE INDEX attempt_default_tenant_id_id_idx ON postroom.attempt_default USING btree (tenant_id, id);

CREATE UNIQUE INDEX booking_is_booked_once ON postroom.booking USING btree (tenant_id, fingerprint, instance) WHERE (status = 'confirmed'::text);

CREATE UNIQUE INDEX channel_name_is_unique ON postroom.channel USING btree (tenant_id, lower(name));

CREATE UNIQUE INDEX consent_has_its_own_ticket ON postroom.consent USING btree (ticket);

CREATE INDEX consent_oldest ON postroom.consent USING btree (tenant_id, expires_at);

CREATE INDEX contact_by_name ON postroom.contact USING btree (tenant_id, name_key) WHERE (name_key <> ''::text);

CREATE INDEX contact_of_account ON postroom.contact_account USING btree (tenant_id, account_id, contact_id);

CREATE INDEX contact_proposal_newest ON postroom.contact_proposal USING btree (tenant_id, status, id DESC);

CREATE INDEX contact_proposal_of_contact ON postroom.contact_proposal USING btree (contact_id, tenant_id, kind);

CREATE INDEX correction_of_booking ON postroom.document_correction USING btree (booking_id) WHERE (booking_id IS NOT NULL);

CREATE INDEX correction_of_document ON postroom.document_correction USING btree (document_id, id);

CREATE INDEX correction_of_invoice ON postroom.document_correction USING btree (invoice_id) WHERE (invoice_id IS NOT NULL);

CREATE INDEX correction_of_sender ON postroom.document_correction USING btree (tenant_id, sender_email, id);

CREATE INDEX correction_of_trade ON postroom.document_correction USING btree (trade_id) WHERE (trade_id IS NOT NULL);

CREATE INDEX coverage_of_mailbox ON postroom.coverage USING btree (tenant_id, mailbox_id, id DESC);

CREATE INDEX delivery_newest ON postroom.delivery USING btree (tenant_id, webhook_id, id DESC);

CREATE INDEX delivery_next ON postroom.delivery USING btree (webhook_id, next_at) WHERE (status = 'waiting'::text);

CREATE INDEX delivery_of_event ON postroom.delivery USING btree (tenant_id, event_id);

CREATE INDEX delivery_waiting ON postroom.delivery USING btree (webhook_id, event_id, id) WHERE (status = 'waiting'::text);

CREATE INDEX delivery_waiting_in_thread ON postroom.delivery USING btree (webhook_id, thread, event_id) WHERE (status = 'waiting'::text);

CREATE INDEX disposition_of_status ON postroom.disposition USING btree (tenant_id, status, message_id);

CREATE INDEX disposition_that_failed ON postroom.disposition USING btree (tenant_id, pipeline, message_id) WHERE (status = 'failed'::text);

CREATE INDEX document_by_archive_path ON postroom.document USING btree (tenant_id, archive_path) WHERE (archive_path IS NOT NULL);

CREATE INDEX document_by_content ON postroom.document USING btree (tenant_id, sha256);

CREATE INDEX document_by_original ON postroom.document USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL);

CREATE INDEX document_in_archive ON postroom.document USING btree (tenant_id, created_at) WHERE (archive_path IS NOT NULL);

CREATE INDEX document_newest ON postroom.document USING btree (tenant_id, id DESC);

CREATE INDEX document_of_kind ON postroom.document USING btree (tenant_id, kind, id DESC);

CREATE INDEX document_of_mailbox ON postroom.document USING btree (mailbox_id) WHERE (mailbox_id IS NOT NULL);

CREATE INDEX document_of_message ON postroom.document USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX document_of_sender ON postroom.document USING btree (tenant_id, sender_email, id DESC);

CREATE INDEX document_of_status ON postroom.document USING btree (tenant_id, status, id DESC);

CREATE INDEX document_tally_of_tenant ON postroom.document_tally USING btree (tenant_id);

CREATE INDEX document_to_forget ON postroom.document USING btree (tenant_id, created_at) WHERE (forgotten_at IS NULL);

CREATE INDEX domain_key_of_account ON postroom.domain_key USING btree (tenant_id, account_id);

CREATE UNIQUE INDEX draft_is_proposed_once_at_a_time ON postroom.proposal USING btree (draft_id) WHERE (status = ANY (ARRAY['waiting'::text, 'approved'::text, 'revoked'::text, 'sending'::text, 'unknown'::text]));

CREATE INDEX draft_quotation_of_paper ON postroom.draft_quotation USING btree (tenant_id, name);

CREATE INDEX draft_revision_latest ON postroom.draft_revision USING btree (tenant_id, created_at DESC, id DESC);

CREATE INDEX draft_revision_of_message ON postroom.draft_revision USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX draft_revision_of_slot ON postroom.draft_revision USING btree (tenant_id, slot_id);

CREATE INDEX draft_revision_to_forget ON postroom.draft_revision USING btree (tenant_id, updated_at) WHERE (forgotten_at IS NULL);

CREATE INDEX draft_slot_by_ref ON postroom.draft_slot USING btree (tenant_id, mailbox_id, held_ref) WHERE (held_ref IS NOT NULL);

CREATE INDEX draft_slot_of_thread ON postroom.draft_slot USING btree (tenant_id, thread_id);

CREATE INDEX engagement_of_account ON postroom.engagement USING btree (tenant_id, account_id, code_key);

CREATE INDEX event_by_age ON postroom.event USING btree (tenant_id, created_at);

CREATE UNIQUE INDEX event_goes_to_a_webhook_once ON postroom.delivery USING btree (webhook_id, event_id) WHERE (replay_of IS NULL);

CREATE INDEX evidence_document_of_mailbox ON postroom.evidence_document USING btree (tenant_id, mailbox_id) WHERE (mailbox_id IS NOT NULL);

CREATE INDEX evidence_document_of_thread ON postroom.evidence_document USING btree (tenant_id, thread_id) WHERE (thread_id IS NOT NULL);

CREATE INDEX evidence_document_to_forget ON postroom.evidence_document USING btree (tenant_id, created_at) WHERE ((NOT is_current) OR (kind = 'answer'::text));

CREATE UNIQUE INDEX evidence_has_one_current_version ON postroom.evidence_document USING btree (tenant_id, name) WHERE is_current;

CREATE INDEX evidence_posting_of_snippet ON postroom.evidence_posting USING btree (tenant_id, snippet_id);

CREATE INDEX evidence_replacement_of_newer ON postroom.evidence_replacement USING btree (tenant_id, newer);

CREATE INDEX evidence_snippet_of_document ON postroom.evidence_snippet USING btree (tenant_id, document_id, number);

CREATE INDEX fact_of_document ON ONLY postroom.fact USING btree (tenant_id, document_id, id) WHERE (document_id IS NOT NULL);

CREATE INDEX fact_default_tenant_id_document_id_id_idx ON postroom.fact_default USING btree (tenant_id, document_id, id) WHERE (document_id IS NOT NULL);

CREATE INDEX fact_of_kind ON ONLY postroom.fact USING btree (tenant_id, kind, told_at);

CREATE INDEX fact_default_tenant_id_kind_told_at_idx ON postroom.fact_default USING btree (tenant_id, kind, told_at);

CREATE INDEX fact_of_message ON ONLY postroom.fact USING btree (tenant_id, message_id, id) WHERE (message_id IS NOT NULL);

CREATE INDEX fact_default_tenant_id_message_id_id_idx ON postroom.fact_default USING btree (tenant_id, message_id, id) WHERE (message_id IS NOT NULL);

CREATE INDEX fact_of_thread ON ONLY postroom.fact USING btree (tenant_id, thread_id) WHERE ("left"(kind, 7) = 'thread.'::text);

CREATE INDEX fact_default_tenant_id_thread_id_idx ON postroom.fact_default USING btree (tenant_id, thread_id) WHERE ("left"(kind, 7) = 'thread.'::text);

CREATE INDEX fact_in_order ON ONLY postroom.fact USING btree (tenant_id, xid, id);

CREATE INDEX fact_default_tenant_id_xid_id_idx ON postroom.fact_default USING btree (tenant_id, xid, id);

CREATE INDEX gate_verdict_newest ON postroom.gate_verdict USING btree (tenant_id, received_at);

CREATE INDEX idempotency_oldest ON postroom.idempotency USING btree (tenant_id, created_at);

CREATE INDEX invoice_by_fingerprint ON postroom.invoice USING btree (tenant_id, fingerprint) WHERE (fingerprint IS NOT NULL);

CREATE INDEX invoice_by_number ON postroom.invoice USING btree (tenant_id, number);

CREATE INDEX invoice_by_original ON postroom.invoice USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL);

CREATE UNIQUE INDEX invoice_is_booked_once ON postroom.invoice USING btree (tenant_id, fingerprint, instance) WHERE (status = 'confirmed'::text);

CREATE INDEX invoice_newest ON postroom.invoice USING btree (tenant_id, id DESC);

CREATE INDEX invoice_of_status ON postroom.invoice USING btree (tenant_id, status, id DESC);

CREATE INDEX invoice_of_supplier ON postroom.invoice USING btree (tenant_id, lower(supplier), id DESC) WHERE (status = 'confirmed'::text);

CREATE INDEX job_aside ON postroom.job USING btree (tenant_id, state, id) WHERE (state = ANY (ARRAY['parked'::text, 'quarantined'::text]));

CREATE INDEX job_lane_waiting ON postroom.job USING btree (tenant_id, lane, priority, id) WHERE (state = 'waiting'::text);

CREATE INDEX job_later ON postroom.job USING btree (run_at, id) WHERE (state = 'later'::text);

CREATE INDEX job_payload_of_tenant ON postroom.job_payload USING btree (tenant_id) INCLUDE (size);

CREATE INDEX job_ready ON postroom.job USING btree (priority, tenant_id, id) WHERE (state = 'ready'::text);

CREATE INDEX job_running ON postroom.job USING btree (worker_id) WHERE (state = 'running'::text);

CREATE INDEX mailbox_by_address ON postroom.mailbox USING btree (provider, address);

CREATE INDEX mailbox_of_domain ON postroom.mailbox USING btree (tenant_id, domain);

CREATE INDEX mapping_change_of_act ON postroom.mapping_change USING btree (tenant_id, act_id);

CREATE INDEX mapping_change_of_mapping ON postroom.mapping_change USING btree (tenant_id, mapping_id, id DESC);

CREATE INDEX mapping_change_of_sender ON postroom.mapping_change USING btree (tenant_id, sender_email, id DESC) WHERE (sender_email IS NOT NULL);

CREATE INDEX mapping_in_triage ON postroom.mapping USING btree (tenant_id, received_at, id) WHERE (status = 'triage'::text);

CREATE INDEX mapping_newest ON postroom.mapping USING btree (tenant_id, id DESC);

CREATE INDEX mapping_of_account ON postroom.mapping USING btree (tenant_id, account_id, received_at DESC, id) WHERE (account_id IS NOT NULL);

CREATE INDEX mapping_of_sender ON postroom.mapping USING btree (tenant_id, sender_email, received_at DESC) WHERE (sender_email IS NOT NULL);

CREATE INDEX mapping_of_status ON postroom.mapping USING btree (tenant_id, status, id DESC);

CREATE INDEX mapping_of_thread ON postroom.mapping USING btree (tenant_id, thread_id) WHERE (thread_id IS NOT NULL);

CREATE INDEX message_by_internet_id ON postroom.message USING btree (tenant_id, internet_message_id) WHERE (internet_message_id IS NOT NULL);

CREATE INDEX message_found_by_poll ON postroom.message USING btree (tenant_id, mailbox_id, announced_at) WHERE (source = 'poll'::text);

CREATE INDEX message_in_order ON postroom.message USING btree (tenant_id, (
CASE
    WHEN (received_at IS NULL) THEN announced_at
    ELSE received_at
END) DESC, id DESC);

CREATE INDEX message_in_order_of_mailbox ON postroom.message USING btree (tenant_id, mailbox_id, (
CASE
    WHEN (received_at IS NULL) THEN announced_at
    ELSE received_at
END) DESC, id DESC);

CREATE INDEX message_newest ON postroom.message USING btree (tenant_id, received_at DESC, id);

CREATE INDEX message_of_mailbox ON postroom.message USING btree (tenant_id, mailbox_id, received_at DESC, id);

CREATE INDEX message_of_thread ON postroom.message USING btree (tenant_id, thread_id, received_at) WHERE (thread_id IS NOT NULL);

CREATE INDEX message_on_its_way ON postroom.message USING btree (tenant_id, announced_at) WHERE (state = ANY (ARRAY['announced'::text, 'failed'::text]));

CREATE INDEX message_to_forget ON postroom.message USING btree (tenant_id, arrived_at) WHERE ((forgotten_at IS NULL) AND (arrived_at IS NOT NULL));

CREATE UNIQUE INDEX one_at_a_time_per_lane ON postroom.job USING btree (tenant_id, lane) WHERE ((lane IS NOT NULL) AND ((state = ANY (ARRAY['ready'::text, 'running'::text])) OR ((state = ANY (ARRAY['later'::text, 'parked'::text])) AND holding)));

CREATE UNIQUE INDEX one_choice_holds_per_sender ON postroom.sender_choice USING btree (tenant_id, sender_email) WHERE (ended_at IS NULL);

CREATE UNIQUE INDEX one_open_proposal_per_contact ON postroom.contact_proposal USING btree (tenant_id, contact_id) WHERE (status = 'open'::text);

CREATE INDEX order_newest ON postroom.pending_order USING btree (tenant_id, id DESC);

CREATE INDEX order_that_waits ON postroom.pending_order USING btree (tenant_id, isin, direction, amount_left) WHERE (status = 'open'::text);

CREATE INDEX outgoing_message_oldest ON postroom.outgoing_message USING btree (tenant_id, seen_at);

CREATE UNIQUE INDEX outlook_mailbox_is_of_one_tenant ON postroom.mailbox USING btree (address) WHERE ((provider = 'outlook'::text) AND (status <> 'disconnected'::text));

CREATE UNIQUE INDEX person_approves_once ON postroom.approval USING btree (proposal_id, actor) WHERE ((used_at IS NULL) AND (ended_at IS NULL));

CREATE INDEX person_by_email ON postroom.person USING btree (email);

CREATE UNIQUE INDEX person_of_subject ON postroom.person USING btree (tenant_id, oidc_subject) WHERE (oidc_subject IS NOT NULL);

CREATE INDEX presence_oldest ON postroom.presence USING btree (tenant_id, seen_at);

CREATE INDEX proposal_begun ON postroom.proposal USING btree (tenant_id, mailbox_id, begun_at) WHERE (begun_at IS NOT NULL);

CREATE INDEX proposal_by_internet_id ON postroom.proposal USING btree (tenant_id, internet_message_id) WHERE (internet_message_id IS NOT NULL);

CREATE INDEX proposal_newest ON postroom.proposal USING btree (tenant_id, created_at DESC, id DESC);

CREATE INDEX proposal_not_over ON postroom.proposal USING btree (tenant_id, created_at, id) WHERE (status = ANY (ARRAY['waiting'::text, 'approved'::text, 'revoked'::text, 'sending'::text, 'unknown'::text]));

CREATE INDEX proposal_of_draft ON postroom.proposal USING btree (draft_id) WHERE (draft_id IS NOT NULL);

CREATE INDEX proposal_of_message ON postroom.proposal USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX proposal_of_thread ON postroom.proposal USING btree (tenant_id, thread_id, created_at) WHERE (thread_id IS NOT NULL);

CREATE INDEX proposal_that_replaces ON postroom.proposal USING btree (replaces) WHERE (replaces IS NOT NULL);

CREATE INDEX sender_choice_of_account ON postroom.sender_choice USING btree (tenant_id, account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX sender_choice_of_act ON postroom.sender_choice USING btree (tenant_id, act_id);

CREATE INDEX sender_profile_by_document ON postroom.sender_profile USING btree (learnt_from) WHERE (learnt_from IS NOT NULL);

CREATE INDEX session_by_person ON postroom.session USING btree (person_id);

CREATE INDEX session_of_person ON postroom.session USING btree (tenant_id, person_id, seen_at DESC);

CREATE INDEX signin_link_by_person ON postroom.signin_link USING btree (person_id);

CREATE INDEX signin_link_of_tenant ON postroom.signin_link USING btree (tenant_id, expires_at);

CREATE INDEX signin_try_by_age ON postroom.signin_try USING btree (at);

CREATE UNIQUE INDEX tenant_topic_name_is_unique ON postroom.tenant_topic USING btree (tenant_id, lower(name));

CREATE INDEX thread_newest ON postroom.thread USING btree (tenant_id, last_message_at DESC, id);

CREATE INDEX thread_of_mailbox ON postroom.thread USING btree (tenant_id, mailbox_id, last_message_at DESC, id DESC);

CREATE INDEX thread_state_of_channel ON postroom.thread_state USING btree (tenant_id, channel_id);

CREATE INDEX thread_state_of_mailbox ON postroom.thread_state USING btree (tenant_id, mailbox_id, thread_id);

CREATE INDEX thread_state_of_person ON postroom.thread_state USING btree (assigned_to) WHERE (assigned_to IS NOT NULL);

CREATE INDEX thread_state_open ON postroom.thread_state USING btree (tenant_id, newest_at DESC, thread_id DESC) WHERE (state IS NOT NULL);

CREATE INDEX thread_state_snoozed ON postroom.thread_state USING btree (tenant_id, snoozed_till) WHERE (snoozed_till IS NOT NULL);

CREATE INDEX trade_by_fingerprint ON postroom.trade USING btree (tenant_id, fingerprint) WHERE (fingerprint IS NOT NULL);

CREATE INDEX trade_by_likeness ON postroom.trade USING btree (tenant_id, likeness) WHERE (likeness IS NOT NULL);

CREATE INDEX trade_by_original ON postroom.trade USING btree (duplicate_of) WHERE (duplicate_of IS NOT NULL);

CREATE UNIQUE INDEX trade_is_booked_once ON postroom.trade USING btree (tenant_id, fingerprint, instance) WHERE (status = 'confirmed'::text);

CREATE INDEX trade_newest ON postroom.trade USING btree (tenant_id, id DESC);

CREATE INDEX trade_of_order ON postroom.trade USING btree (order_id) WHERE (order_id IS NOT NULL);

CREATE INDEX trade_of_status ON postroom.trade USING btree (tenant_id, status, id DESC);

CREATE INDEX turn_of_message ON postroom.turn USING btree (message_id) WHERE (message_id IS NOT NULL);

CREATE INDEX turn_to_forget ON postroom.turn USING btree (tenant_id, kept_at) WHERE (forgotten_at IS NULL);

CREATE UNIQUE INDEX waiting_jobs_of_one_key_are_one ON postroom.job USING btree (tenant_id, kind, key) WHERE ((key IS NOT NULL) AND (state = ANY (ARRAY['ready'::text, 'waiting'::text, 'later'::text, 'parked'::text])));

CREATE INDEX work_item_of_engagement ON postroom.work_item USING btree (tenant_id, engagement_id, code_key);

ALTER INDEX postroom.attempt_of_failed_job ATTACH PARTITION postroom.attempt_default_job_id_id_idx;

ALTER INDEX postroom.attempt_pkey ATTACH PARTITION postroom.attempt_default_pkey;

ALTER INDEX postroom.attempt_that_failed ATTACH PARTITION postroom.attempt_default_tenant_id_error_class_id_idx;

ALTER INDEX postroom.attempt_of_tenant ATTACH PARTITION postroom.attempt_default_tenant_id_id_idx;

ALTER INDEX postroom.fact_pkey ATTACH PARTITION postroom.fact_default_pkey;

ALTER INDEX postroom.fact_of_document ATTACH PARTITION postroom.fact_default_tenant_id_document_id_id_idx;

ALTER INDEX postroom.fact_of_kind ATTACH PARTITION postroom.fact_default_tenant_id_kind_told_at_idx;

ALTER INDEX postroom.fact_of_message ATTACH PARTITION postroom.fact_default_tenant_id_message_id_id_idx;

ALTER INDEX postroom.fact_of_thread ATTACH PARTITION postroom.fact_default_tenant_id_thread_id_idx;

ALTER INDEX postroom.fact_in_order ATTACH PARTITION postroom.fact_default_tenant_id_xid_id_idx;

CREATE TRIGGER nobody_takes_over_a_live_lease BEFORE UPDATE ON bo_airflow.email_ingestion_state FOR EACH ROW EXECUTE FUNCTION bo_airflow.keep_live_lease();

CREATE TRIGGER cursor_is_of_the_folder_we_serve AFTER UPDATE OF folder ON postroom.mailbox FOR EACH ROW WHEN ((old.folder IS DISTINCT FROM new.folder)) EXECUTE FUNCTION postroom.drop_cursor();

CREATE TRIGGER documents_are_tallied AFTER INSERT OR DELETE OR UPDATE OF kind, status ON postroom.document FOR EACH ROW EXECUTE FUNCTION postroom.tally_document();

CREATE TRIGGER facts_are_never_changed BEFORE DELETE OR UPDATE ON postroom.fact FOR EACH ROW EXECUTE FUNCTION postroom.refuse_change();

CREATE TRIGGER facts_are_never_emptied BEFORE TRUNCATE ON postroom.fact FOR EACH STATEMENT EXECUTE FUNCTION postroom.refuse_change();

CREATE TRIGGER proposal_is_guarded BEFORE UPDATE ON postroom.proposal FOR EACH ROW EXECUTE FUNCTION postroom.guard_proposal();

CREATE TRIGGER seals_are_never_changed BEFORE DELETE OR UPDATE ON postroom.seal FOR EACH ROW EXECUTE FUNCTION postroom.refuse_change();

CREATE TRIGGER seals_are_never_emptied BEFORE TRUNCATE ON postroom.seal FOR EACH STATEMENT EXECUTE FUNCTION postroom.refuse_change();

CREATE TRIGGER thread_has_another_revision BEFORE UPDATE ON postroom.thread_state FOR EACH ROW EXECUTE FUNCTION postroom.raise_thread_revision();

ALTER TABLE ONLY padealing.graph_subscription_state
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.account
    ADD CONSTRAINT account_is_merged_within_its_tenant FOREIGN KEY (merged_into, tenant_id) REFERENCES postroom.account(id, tenant_id);

ALTER TABLE ONLY postroom.account_change
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.account_domain
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.account_key
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.contact_account
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.contact_proposal
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.domain_key
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.engagement
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mapping
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id);

ALTER TABLE ONLY postroom.sender_choice
    ADD CONSTRAINT account_is_of_the_same_tenant FOREIGN KEY (account_id, tenant_id) REFERENCES postroom.account(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.account
    ADD CONSTRAINT account_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.api_key
    ADD CONSTRAINT api_key_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.thread_state
    ADD CONSTRAINT assigned_person_is_known FOREIGN KEY (assigned_to) REFERENCES postroom.person(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.attachment
    ADD CONSTRAINT attachment_message_id_fkey FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.booking
    ADD CONSTRAINT booking_document_id_fkey FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.thread_state
    ADD CONSTRAINT channel_is_of_the_same_tenant FOREIGN KEY (channel_id, tenant_id) REFERENCES postroom.channel(id, tenant_id) ON DELETE SET NULL (channel_id);

ALTER TABLE ONLY postroom.channel
    ADD CONSTRAINT channel_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.consent
    ADD CONSTRAINT consent_is_of_a_tenant FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.contact_account
    ADD CONSTRAINT contact_is_of_the_same_tenant FOREIGN KEY (contact_id, tenant_id) REFERENCES postroom.contact(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.contact_proposal
    ADD CONSTRAINT contact_is_of_the_same_tenant FOREIGN KEY (contact_id, tenant_id) REFERENCES postroom.contact(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.contact
    ADD CONSTRAINT contact_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.delivery
    ADD CONSTRAINT delivery_is_of_the_same_tenants_event FOREIGN KEY (event_id, tenant_id) REFERENCES postroom.event(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.delivery
    ADD CONSTRAINT delivery_is_of_the_same_tenants_webhook FOREIGN KEY (webhook_id, tenant_id) REFERENCES postroom.webhook(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.disposition
    ADD CONSTRAINT disposition_message_id_fkey FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.document_correction
    ADD CONSTRAINT document_correction_booking_id_fkey FOREIGN KEY (booking_id) REFERENCES postroom.booking(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.document_correction
    ADD CONSTRAINT document_correction_document_id_fkey FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.document_correction
    ADD CONSTRAINT document_correction_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES postroom.invoice(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.document_correction
    ADD CONSTRAINT document_correction_trade_id_fkey FOREIGN KEY (trade_id) REFERENCES postroom.trade(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.document_decision
    ADD CONSTRAINT document_decision_document_id_fkey FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.document
    ADD CONSTRAINT document_duplicate_of_fkey FOREIGN KEY (duplicate_of) REFERENCES postroom.document(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.evidence_snippet
    ADD CONSTRAINT document_is_of_the_same_tenant FOREIGN KEY (document_id, tenant_id) REFERENCES postroom.evidence_document(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.document
    ADD CONSTRAINT document_message_id_fkey FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.draft_quotation
    ADD CONSTRAINT draft_quotation_revision_id_fkey FOREIGN KEY (revision_id) REFERENCES postroom.draft_revision(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.draft_quotation
    ADD CONSTRAINT draft_quotation_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.draft_revision
    ADD CONSTRAINT draft_revision_message_id_fkey FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.mapping
    ADD CONSTRAINT engagement_is_of_the_same_tenant FOREIGN KEY (engagement_id, tenant_id) REFERENCES postroom.engagement(id, tenant_id);

ALTER TABLE ONLY postroom.sender_choice
    ADD CONSTRAINT engagement_is_of_the_same_tenant FOREIGN KEY (engagement_id, tenant_id) REFERENCES postroom.engagement(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.work_item
    ADD CONSTRAINT engagement_is_of_the_same_tenant FOREIGN KEY (engagement_id, tenant_id) REFERENCES postroom.engagement(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.event_cursor
    ADD CONSTRAINT event_cursor_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.event
    ADD CONSTRAINT event_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.evidence_document
    ADD CONSTRAINT evidence_document_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.evidence_term
    ADD CONSTRAINT evidence_term_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.gate_verdict
    ADD CONSTRAINT gate_verdict_document_id_fkey FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.idempotency
    ADD CONSTRAINT idempotency_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.invoice
    ADD CONSTRAINT invoice_document_id_fkey FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.invoice
    ADD CONSTRAINT invoice_duplicate_of_fkey FOREIGN KEY (duplicate_of) REFERENCES postroom.invoice(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.invoice_line
    ADD CONSTRAINT invoice_line_invoice_id_fkey FOREIGN KEY (invoice_id) REFERENCES postroom.invoice(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.copilot_mailbox
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.coverage
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.document
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE SET NULL (mailbox_id);

ALTER TABLE ONLY postroom.draft_slot
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.evidence_document
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.gate_verdict
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE SET NULL (mailbox_id);

ALTER TABLE ONLY postroom.gmail_watch_state
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.hint
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mailbox_cursor
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mailbox_push
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mailbox_token
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.message
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.outgoing_message
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.proposal
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.provider_wait
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.reconcile_run
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.thread
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.thread_state
    ADD CONSTRAINT mailbox_is_of_the_same_tenant FOREIGN KEY (mailbox_id, tenant_id) REFERENCES postroom.mailbox(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mailbox
    ADD CONSTRAINT mailbox_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mapping_change
    ADD CONSTRAINT mapping_is_of_the_same_tenant FOREIGN KEY (mapping_id, tenant_id) REFERENCES postroom.mapping(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mapping
    ADD CONSTRAINT mapping_message_id_fkey FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mapping_policy
    ADD CONSTRAINT mapping_policy_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.message
    ADD CONSTRAINT message_thread_id_fkey FOREIGN KEY (thread_id) REFERENCES postroom.thread(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.evidence_replacement
    ADD CONSTRAINT newer_is_of_the_same_tenant FOREIGN KEY (newer, tenant_id) REFERENCES postroom.evidence_document(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.evidence_replacement
    ADD CONSTRAINT older_is_of_the_same_tenant FOREIGN KEY (older, tenant_id) REFERENCES postroom.evidence_document(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.pdf_password
    ADD CONSTRAINT pdf_password_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.person
    ADD CONSTRAINT person_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.presence
    ADD CONSTRAINT presence_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.proposal
    ADD CONSTRAINT proposal_draft_id_fkey FOREIGN KEY (draft_id) REFERENCES postroom.draft_revision(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.approval
    ADD CONSTRAINT proposal_is_of_the_same_tenant FOREIGN KEY (proposal_id, tenant_id) REFERENCES postroom.proposal(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.proposal_version
    ADD CONSTRAINT proposal_is_of_the_same_tenant FOREIGN KEY (proposal_id, tenant_id) REFERENCES postroom.proposal(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.proposal
    ADD CONSTRAINT proposal_message_id_fkey FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.proposal
    ADD CONSTRAINT proposal_replaces_fkey FOREIGN KEY (replaces) REFERENCES postroom.proposal(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.provider_quota
    ADD CONSTRAINT provider_quota_mailbox_id_fkey FOREIGN KEY (mailbox_id) REFERENCES postroom.mailbox(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.provider_slot
    ADD CONSTRAINT provider_slot_mailbox_id_fkey FOREIGN KEY (mailbox_id) REFERENCES postroom.mailbox(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.reply_policy
    ADD CONSTRAINT reply_policy_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.sender_profile
    ADD CONSTRAINT sender_profile_learnt_from_fkey FOREIGN KEY (learnt_from) REFERENCES postroom.document(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.sender_profile
    ADD CONSTRAINT sender_profile_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.sender_rule
    ADD CONSTRAINT sender_rule_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.session
    ADD CONSTRAINT session_person_id_fkey FOREIGN KEY (person_id) REFERENCES postroom.person(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.session
    ADD CONSTRAINT session_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.signal_tally
    ADD CONSTRAINT signal_tally_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.signin_link
    ADD CONSTRAINT signin_link_person_id_fkey FOREIGN KEY (person_id) REFERENCES postroom.person(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.signin_link
    ADD CONSTRAINT signin_link_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.draft_revision
    ADD CONSTRAINT slot_is_of_the_same_tenant FOREIGN KEY (slot_id, tenant_id) REFERENCES postroom.draft_slot(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.evidence_posting
    ADD CONSTRAINT snippet_is_of_the_same_tenant FOREIGN KEY (snippet_id, tenant_id) REFERENCES postroom.evidence_snippet(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.tenant_topic
    ADD CONSTRAINT tenant_topic_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.draft_slot
    ADD CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id) REFERENCES postroom.thread(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.evidence_document
    ADD CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id) REFERENCES postroom.thread(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.proposal
    ADD CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id) REFERENCES postroom.thread(id, tenant_id) ON DELETE SET NULL (thread_id);

ALTER TABLE ONLY postroom.thread_state
    ADD CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id) REFERENCES postroom.thread(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.turn
    ADD CONSTRAINT thread_is_of_the_same_tenant FOREIGN KEY (thread_id, tenant_id) REFERENCES postroom.thread(id, tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.trade
    ADD CONSTRAINT trade_document_id_fkey FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.trade
    ADD CONSTRAINT trade_duplicate_of_fkey FOREIGN KEY (duplicate_of) REFERENCES postroom.trade(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.trade
    ADD CONSTRAINT trade_order_id_fkey FOREIGN KEY (order_id) REFERENCES postroom.pending_order(id) ON DELETE SET NULL;

ALTER TABLE ONLY postroom.turn
    ADD CONSTRAINT turn_message_id_fkey FOREIGN KEY (message_id) REFERENCES postroom.message(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.upload
    ADD CONSTRAINT upload_document_id_fkey FOREIGN KEY (document_id) REFERENCES postroom.document(id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.webhook
    ADD CONSTRAINT webhook_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE ONLY postroom.mapping
    ADD CONSTRAINT work_item_is_of_the_same_tenant FOREIGN KEY (work_item_id, tenant_id) REFERENCES postroom.work_item(id, tenant_id);

ALTER TABLE ONLY postroom.written_to
    ADD CONSTRAINT written_to_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES postroom.tenant(tenant_id) ON DELETE CASCADE;

ALTER TABLE bo_airflow.email_ingestion_state ENABLE ROW LEVEL SECURITY;

CREATE POLICY everybody_else ON bo_airflow.email_ingestion_state USING ((CURRENT_USER <> 'postroom_app'::name)) WITH CHECK ((CURRENT_USER <> 'postroom_app'::name));

CREATE POLICY own_rows ON bo_airflow.email_ingestion_state TO postroom_app USING (
CASE
    WHEN ((worker_id)::text ~~ 'postroom:%'::text) THEN ((worker_id)::text = ('postroom:'::text || ( SELECT postroom.tenant() AS tenant)))
    ELSE (EXISTS ( SELECT
       FROM postroom.mailbox m
      WHERE ((m.address = lower((email_ingestion_state.mailbox_email)::text)) AND ((m.provider = 'outlook'::text) OR starts_with((email_ingestion_state.message_id)::text, (m.id)::text)))))
END) WITH CHECK ((((((worker_id)::text !~~ 'postroom:%'::text) OR ((worker_id)::text = ('postroom:'::text || ( SELECT postroom.tenant() AS tenant)))) IS NOT FALSE) AND (EXISTS ( SELECT
   FROM postroom.mailbox m
  WHERE (m.address = lower((email_ingestion_state.mailbox_email)::text))))));

CREATE POLICY front_desk ON padealing.graph_subscription_state TO postroom_desk USING (true) WITH CHECK (true);

ALTER TABLE padealing.graph_subscription_state ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_tenant ON padealing.graph_subscription_state TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

ALTER TABLE postroom.account ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.account_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.account_domain ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.account_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.api_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.approval ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.attachment ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.attempt_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.booking ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.channel ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.consent ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.contact ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.contact_account ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.contact_proposal ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.copilot_mailbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.coverage ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.delivery ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.disposition ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.document ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.document_correction ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.document_decision ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.document_tally ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.domain_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.draft_quotation ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.draft_revision ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.draft_slot ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.engagement ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.event ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.event_cursor ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.evidence_document ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.evidence_posting ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.evidence_replacement ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.evidence_snippet ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.evidence_term ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.fact ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.fact_default ENABLE ROW LEVEL SECURITY;

CREATE POLICY front_desk ON postroom.api_key TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.attempt TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.consent TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.fact TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.hint TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.job TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.job_payload TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.mailbox TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.mailbox_push TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.notification TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.person TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.provider_wait TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.seal TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.session TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.signin_link TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.signin_try TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.tenant TO postroom_desk USING (true) WITH CHECK (true);

CREATE POLICY front_desk ON postroom.webhook FOR SELECT TO postroom_desk USING (true);

ALTER TABLE postroom.gate_verdict ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.gmail_watch_state ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.hint ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.idempotency ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.invoice ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.invoice_line ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.job ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.job_payload ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.mailbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.mailbox_cursor ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.mailbox_push ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.mailbox_token ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.mapping ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.mapping_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.mapping_policy ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.message ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.notification ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.outgoing_message ENABLE ROW LEVEL SECURITY;

CREATE POLICY own_tenant ON postroom.account TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.account_change TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.account_domain TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.account_key TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.api_key TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.approval TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.attachment TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.attempt TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.booking TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.channel TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.consent TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.contact TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.contact_account TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.contact_proposal TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.copilot_mailbox TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.coverage TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.delivery TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.disposition TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.document TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.document_correction TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.document_decision TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.document_tally TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.domain_key TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.draft_quotation TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.draft_revision TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.draft_slot TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.engagement TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.event TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.event_cursor TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.evidence_document TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.evidence_posting TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.evidence_replacement TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.evidence_snippet TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.evidence_term TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.fact TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.gate_verdict TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.gmail_watch_state TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.hint TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.idempotency TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.invoice TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.invoice_line TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.job TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.job_payload TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.mailbox TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.mailbox_cursor TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.mailbox_push TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.mailbox_token TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.mapping TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.mapping_change TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.mapping_policy TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.message TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.notification TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.outgoing_message TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.pdf_password TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.pending_order TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.person TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.presence TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.proposal TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.proposal_version TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.provider_wait TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.reconcile_run TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.reply_policy TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.seal TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.sender_choice TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.sender_profile TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.sender_rule TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.session TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.signal_tally TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.signin_link TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.signin_try TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.tenant TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.tenant_topic TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.thread TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.thread_state TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.trade TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.turn TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.unwanted_blob TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.upload TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.webhook TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.work_item TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

CREATE POLICY own_tenant ON postroom.written_to TO postroom_app USING ((tenant_id = ( SELECT postroom.tenant() AS tenant))) WITH CHECK ((tenant_id = ( SELECT postroom.tenant() AS tenant)));

ALTER TABLE postroom.pdf_password ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.pending_order ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.person ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.presence ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.proposal ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.proposal_version ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.provider_wait ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.reconcile_run ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.reply_policy ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.seal ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.sender_choice ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.sender_profile ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.sender_rule ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.session ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.signal_tally ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.signin_link ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.signin_try ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.tenant ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.tenant_topic ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.thread ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.thread_state ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.trade ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.turn ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.unwanted_blob ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.upload ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.webhook ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.work_item ENABLE ROW LEVEL SECURITY;

ALTER TABLE postroom.written_to ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA bo_airflow TO postroom_app;
GRANT USAGE ON SCHEMA bo_airflow TO postroom_desk;

GRANT USAGE ON SCHEMA padealing TO postroom_app;
GRANT USAGE ON SCHEMA padealing TO postroom_desk;

GRANT USAGE ON SCHEMA postroom TO postroom_app;
GRANT USAGE ON SCHEMA postroom TO postroom_desk;

REVOKE ALL ON FUNCTION bo_airflow.is_anothers(apps text[], asked text) FROM PUBLIC;
GRANT ALL ON FUNCTION bo_airflow.is_anothers(apps text[], asked text) TO postroom_app;

REVOKE ALL ON FUNCTION postroom.keep_partitions(p_today date, p_keep_days integer) FROM PUBLIC;
GRANT ALL ON FUNCTION postroom.keep_partitions(p_today date, p_keep_days integer) TO postroom_desk;

REVOKE ALL ON FUNCTION postroom.learn_new_tables() FROM PUBLIC;
GRANT ALL ON FUNCTION postroom.learn_new_tables() TO postroom_desk;

REVOKE ALL ON FUNCTION postroom.make_partition(p_parent text, p_from date, p_upto date) FROM PUBLIC;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.job TO postroom_desk;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.job TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE bo_airflow.email_ingestion_state TO postroom_app;

GRANT USAGE ON SEQUENCE bo_airflow.email_ingestion_state_id_seq TO postroom_app;

GRANT SELECT ON TABLE padealing.graph_subscription_state TO postroom_desk;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE padealing.graph_subscription_state TO postroom_app;

GRANT USAGE ON SEQUENCE padealing.graph_subscription_state_id_seq TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.account TO postroom_app;

GRANT SELECT,INSERT ON TABLE postroom.account_change TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.account_domain TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.account_key TO postroom_app;

GRANT SELECT ON TABLE postroom.api_key TO postroom_desk;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.api_key TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.approval TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.attachment TO postroom_app;

GRANT SELECT,INSERT ON TABLE postroom.attempt TO postroom_desk;
GRANT SELECT,INSERT ON TABLE postroom.attempt TO postroom_app;

GRANT SELECT ON TABLE postroom.attempt_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.booking TO postroom_app;

GRANT SELECT ON TABLE postroom.booking_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.channel TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.mapping TO postroom_app;

GRANT SELECT ON TABLE postroom.client_view TO postroom_app;

GRANT SELECT,DELETE ON TABLE postroom.consent TO postroom_desk;
GRANT SELECT,INSERT,DELETE ON TABLE postroom.consent TO postroom_app;

GRANT UPDATE(verifier) ON TABLE postroom.consent TO postroom_app;

GRANT UPDATE(browser) ON TABLE postroom.consent TO postroom_app;

GRANT UPDATE(ticket) ON TABLE postroom.consent TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.contact TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.contact_account TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.contact_proposal TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.copilot_mailbox TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.coverage TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.delivery TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.disposition TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.document TO postroom_app;

GRANT SELECT,INSERT ON TABLE postroom.document_correction TO postroom_app;

GRANT SELECT,INSERT ON TABLE postroom.document_decision TO postroom_app;

GRANT UPDATE(said) ON TABLE postroom.document_decision TO postroom_app;

GRANT UPDATE(before) ON TABLE postroom.document_decision TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.document_tally TO postroom_app;

GRANT SELECT ON TABLE postroom.document_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.domain_key TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.draft_quotation TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.draft_revision TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.draft_slot TO postroom_app;

GRANT SELECT ON TABLE postroom.mailbox TO postroom_desk;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.mailbox TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.thread TO postroom_app;

GRANT SELECT ON TABLE postroom.draft_view TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.engagement TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.event TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.event_cursor TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.evidence_document TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.evidence_posting TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.evidence_replacement TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.evidence_snippet TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.evidence_term TO postroom_app;

GRANT SELECT,INSERT ON TABLE postroom.fact TO postroom_desk;
GRANT SELECT,INSERT ON TABLE postroom.fact TO postroom_app;

GRANT SELECT ON TABLE postroom.fact_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.gate_verdict TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.gmail_watch_state TO postroom_app;

GRANT SELECT,INSERT ON TABLE postroom.hint TO postroom_desk;
GRANT SELECT,INSERT,DELETE ON TABLE postroom.hint TO postroom_app;

GRANT SELECT ON TABLE postroom.house TO postroom_app;
GRANT SELECT ON TABLE postroom.house TO postroom_desk;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.idempotency TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.invoice TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.invoice_line TO postroom_app;

GRANT SELECT ON TABLE postroom.invoice_view TO postroom_app;

GRANT DELETE ON TABLE postroom.job_payload TO postroom_desk;
GRANT SELECT,INSERT,DELETE ON TABLE postroom.job_payload TO postroom_app;

GRANT SELECT(created_at) ON TABLE postroom.job_payload TO postroom_desk;

GRANT SELECT ON TABLE postroom.job_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.mailbox_cursor TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.mailbox_push TO postroom_desk;
GRANT SELECT,INSERT,UPDATE ON TABLE postroom.mailbox_push TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.mailbox_token TO postroom_app;

GRANT SELECT ON TABLE postroom.mailbox_view TO postroom_app;

GRANT SELECT,INSERT ON TABLE postroom.mapping_change TO postroom_app;

GRANT UPDATE(undone_by) ON TABLE postroom.mapping_change TO postroom_app;

GRANT UPDATE(undone_at) ON TABLE postroom.mapping_change TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.mapping_policy TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.message TO postroom_app;

GRANT SELECT ON TABLE postroom.message_view TO postroom_app;

GRANT SELECT ON TABLE postroom.migration TO postroom_app;
GRANT SELECT ON TABLE postroom.migration TO postroom_desk;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.notification TO postroom_desk;
GRANT SELECT,DELETE ON TABLE postroom.notification TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.pending_order TO postroom_app;

GRANT SELECT ON TABLE postroom.order_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.outgoing_message TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.pdf_password TO postroom_app;

GRANT UPDATE(sealed) ON TABLE postroom.pdf_password TO postroom_app;

GRANT SELECT ON TABLE postroom.pending_sync TO postroom_app;
GRANT SELECT ON TABLE postroom.pending_sync TO postroom_desk;

GRANT SELECT ON TABLE postroom.person TO postroom_desk;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.person TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.presence TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.proposal TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.proposal_version TO postroom_app;

GRANT SELECT ON TABLE postroom.proposal_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.provider_quota TO postroom_desk;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.provider_slot TO postroom_desk;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.provider_wait TO postroom_desk;
GRANT SELECT ON TABLE postroom.provider_wait TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.reconcile_run TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.reply_policy TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.trade TO postroom_app;

GRANT SELECT ON TABLE postroom.scorecard_view TO postroom_app;

GRANT SELECT ON TABLE postroom.seal TO postroom_desk;
GRANT SELECT,INSERT ON TABLE postroom.seal TO postroom_app;

GRANT SELECT ON TABLE postroom.seal_view TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.sender_choice TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.sender_profile TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.sender_rule TO postroom_app;

GRANT SELECT ON TABLE postroom.session TO postroom_desk;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.session TO postroom_app;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.signal_tally TO postroom_app;

GRANT SELECT,DELETE ON TABLE postroom.signin_link TO postroom_desk;
GRANT SELECT,INSERT,DELETE ON TABLE postroom.signin_link TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.signin_try TO postroom_desk;

GRANT SELECT,INSERT ON TABLE postroom.tenant TO postroom_desk;
GRANT SELECT,UPDATE ON TABLE postroom.tenant TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.tenant_topic TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.thread_state TO postroom_app;

GRANT SELECT ON TABLE postroom.thread_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.timetable TO postroom_desk;

GRANT SELECT ON TABLE postroom.trade_view TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.turn TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.unwanted_blob TO postroom_app;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.upload TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.webhook TO postroom_app;

GRANT SELECT(tenant_id) ON TABLE postroom.webhook TO postroom_desk;

GRANT SELECT(status) ON TABLE postroom.webhook TO postroom_desk;

GRANT SELECT,INSERT,UPDATE ON TABLE postroom.work_item TO postroom_app;

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE postroom.worker TO postroom_desk;

GRANT SELECT,INSERT,DELETE ON TABLE postroom.written_to TO postroom_app;
