-- name: claim
SELECT * FROM postroom.claim_jobs(%(worker)s, %(most)s, %(after)s, %(cap)s, %(running)s);

-- name: ring
SELECT pg_notify(%(channel)s, %(by)s);

-- name: wake_due
-- How many became ready, and in how many seconds the next is due, as it stood before.
SELECT postroom.wake_due(%(most)s) AS woken,
       (SELECT extract(epoch FROM min(run_at) - clock_timestamp())::float8 FROM postroom.job WHERE state = 'later') AS next_in;

-- name: close_job
SELECT postroom.close_job(%(tenant)s, %(id)s, %(epoch)s, %(lane)s, %(facts)s, %(jobs)s, %(kept)s);

-- name: close_jobs
SELECT postroom.close_jobs(%(tenant)s, %(runs)s, %(facts)s, %(jobs)s);

-- name: continue_job
SELECT postroom.continue_job(%(tenant)s, %(id)s, %(epoch)s, %(facts)s, %(jobs)s);

-- name: carry_payloads
-- Bytes for jobs that were put in just now, as far as the tenant's budget goes. A job without them does without.
INSERT INTO postroom.job_payload (job_id, tenant_id, size, content)
SELECT j.id, j.tenant_id, octet_length(p.content), p.content
  FROM unnest(%(kinds)s::text[], %(keys)s::text[], %(contents)s::bytea[]) AS p (kind, key, content)
  JOIN postroom.job j ON j.tenant_id = %(tenant)s AND j.kind = p.kind AND j.key = p.key
                     AND j.state IN ('ready', 'waiting', 'later', 'parked')
 WHERE %(size)s + (SELECT coalesce(sum(h.size), 0) FROM postroom.job_payload h WHERE h.tenant_id = %(tenant)s) <= %(budget)s
ON CONFLICT (job_id) DO NOTHING;

-- name: payload
SELECT content FROM postroom.job_payload WHERE job_id = %(id)s;

-- name: drop_old_payloads
DELETE FROM postroom.job_payload WHERE created_at < clock_timestamp() - %(last)s::interval;

-- name: tell_facts
SELECT postroom.tell_facts(%(tenant)s, %(facts)s);

-- name: end_run
SELECT postroom.end_run(%(tenant)s, %(id)s, %(epoch)s, %(outcome)s, %(error)s, %(delay)s, %(spends)s, %(parked_for)s,
                        %(facts)s, %(jobs)s);

-- name: take_by_hand
-- Somebody tried it themselves: for the length of this transaction it is theirs.
UPDATE postroom.job SET state = 'running', epoch = epoch + 1, worker_id = %(worker)s, started_at = clock_timestamp()
 WHERE id = %(job_id)s AND (state IN ('parked', 'quarantined') OR state = 'later' AND run_at > clock_timestamp())
   AND NOT EXISTS (SELECT FROM postroom.job taken WHERE taken.tenant_id = job.tenant_id AND taken.lane = job.lane AND taken.id <> job.id
                      AND (taken.state IN ('ready', 'running') OR (taken.state IN ('later', 'parked') AND taken.holding)))
RETURNING id, tenant_id, kind, key, lane, args, tries, waits, epoch, correlation_id, created_at, deaths;

-- name: give_back_unknown
-- Jobs that a worker holds and does not know of, because the answer to its claim was lost. In the order of their locks.
SELECT count(postroom.end_run(tenant_id, id, epoch, 'released', NULL, interval '0', false, NULL, NULL, NULL))
  FROM (SELECT tenant_id, id, epoch FROM postroom.job
         WHERE worker_id = %(worker)s AND state = 'running' AND id <> ALL (%(known)s::bigint[])
         ORDER BY postroom.lane_lock(tenant_id, lane, kind, key)) unknown;

-- name: begin_suspect
UPDATE postroom.job SET started_at = clock_timestamp() WHERE id = %(id)s AND epoch = %(epoch)s AND state = 'running'
RETURNING true;

-- name: mind_the_clock
SELECT postroom.mind_the_clock(%(lease)s, %(began)s);

-- name: register
INSERT INTO postroom.worker (id, name, lease_till)
VALUES (%(worker)s, %(name)s, clock_timestamp() + %(lease)s::interval);

-- name: beat
UPDATE postroom.worker SET lease_till = clock_timestamp() + %(lease)s::interval WHERE id = %(worker)s;

-- name: lapsed
-- Whether our own lease ended before we came to renew it; nothing, if we were presumed dead.
SELECT lease_till < clock_timestamp() FROM postroom.worker WHERE id = %(worker)s;

-- name: works_alone
SELECT NOT EXISTS (SELECT FROM postroom.worker WHERE id <> %(worker)s);

-- name: leave
DELETE FROM postroom.worker w WHERE w.id = %(worker)s
   AND NOT EXISTS (SELECT FROM postroom.job j WHERE j.worker_id = w.id AND j.state = 'running');

-- name: reap
SELECT postroom.reap_workers(%(waits)s);

-- name: workers
SELECT id, name, started_at, lease_till FROM postroom.worker ORDER BY started_at;

-- name: keep_partitions
SELECT postroom.keep_partitions((now() AT TIME ZONE 'UTC')::date, %(keep_days)s);

-- name: learn_new_tables
SELECT postroom.learn_new_tables();

-- name: enqueue
SELECT postroom.enqueue(%(tenant_id)s, %(jobs)s);

-- name: unpark
SELECT postroom.unpark(%(tenant_id)s, %(parked_for)s);

-- name: replay
SELECT postroom.replay_job(%(tenant_id)s, %(job_id)s, %(by)s);

-- name: discard
DELETE FROM postroom.job WHERE id = %(job_id)s AND state IN ('parked', 'quarantined') RETURNING kind, key;

-- name: job
SELECT * FROM postroom.job_view WHERE id = %(job_id)s;

-- name: jobs
SELECT * FROM postroom.job_view
 WHERE (%(states)s::text[] IS NULL OR state = ANY (%(states)s::text[]))
   AND (%(kind)s::text IS NULL OR kind = %(kind)s::text)
   AND id > %(after)s
 ORDER BY id LIMIT %(most)s;

-- name: attempts
SELECT * FROM postroom.attempt_view
 WHERE id < %(before)s
   AND (%(failed)s::boolean IS NOT TRUE OR outcome NOT IN ('done', 'released'))
   AND (%(outcome)s::text IS NULL OR outcome = %(outcome)s::text)
   AND (%(error_class)s::text IS NULL OR error_class = %(error_class)s::text)
   AND (%(kind)s::text IS NULL OR kind = %(kind)s::text)
   AND (%(mailbox_id)s::uuid IS NULL OR mailbox_id = %(mailbox_id)s::uuid)
   AND (%(job_id)s::bigint IS NULL OR job_id = %(job_id)s::bigint)
   AND (%(since)s::timestamptz IS NULL OR finished_at >= %(since)s::timestamptz)
 ORDER BY id DESC LIMIT %(most)s;

-- name: last_tries
SELECT DISTINCT ON (job_id) * FROM postroom.attempt_view
 WHERE job_id = ANY (%(jobs)s::bigint[]) AND outcome NOT IN ('done', 'released')
 ORDER BY job_id, id DESC;

-- name: attempt
SELECT * FROM postroom.attempt_view WHERE id = %(attempt_id)s;

-- name: jobs_of_attempts
SELECT id AS attempt_id, job_id FROM postroom.attempt
 WHERE tenant_id = (SELECT postroom.tenant()) AND id = ANY (%(attempt_ids)s);

-- name: tries
SELECT count(*) AS attempts,
       count(*) FILTER (WHERE outcome NOT IN ('done', 'released')) AS failed,
       count(*) FILTER (WHERE outcome IN ('retry', 'throttled', 'lost')) AS retried,
       count(*) FILTER (WHERE error_code IN ('rate_limited', 'provider_unavailable', 'provider_timeout')) AS by_provider
  FROM postroom.attempt WHERE tenant_id = (SELECT postroom.tenant()) AND finished_at >= %(since)s;

-- name: failed_jobs
-- What failed and is not over, and can be asked for again: waits for its next try, for a person, or was put aside.
SELECT j.id
  FROM postroom.job j
 WHERE j.tenant_id = (SELECT postroom.tenant()) AND (j.state IN ('parked', 'quarantined') OR j.state = 'later' AND (j.tries > 0 OR j.waits > 0 OR j.deaths > 0))
   AND (%(kind)s::text IS NULL OR j.kind = %(kind)s::text)
   AND (%(mailbox_id)s::uuid IS NULL OR j.mailbox_id = %(mailbox_id)s::uuid)
   AND (%(error_class)s::text IS NULL OR coalesce(j.error_class, 'retryable') = %(error_class)s::text)
 ORDER BY j.id LIMIT %(most)s;

-- name: failures
-- How what failed stands: its retries spent, refused at once, later, or due; and what was stopped for good in the window.
SELECT CASE WHEN j.state = 'quarantined' AND greatest(j.tries, j.deaths) > postroom.most_retries() THEN 'spent' WHEN j.state = 'quarantined' THEN 'refused'
            WHEN j.state = 'later' AND j.run_at > %(now)s THEN 'later' ELSE 'due' END AS stands,
       coalesce(j.error_class, 'retryable') AS error_class, count(*) AS failures
  FROM postroom.job j
 WHERE j.tenant_id = (SELECT postroom.tenant()) AND j.state <> 'running' AND (j.state IN ('parked', 'quarantined') OR j.tries > 0 OR j.waits > 0 OR j.deaths > 0)
   AND (%(mailbox_id)s::uuid IS NULL OR j.mailbox_id = %(mailbox_id)s::uuid)
 GROUP BY 1, 2
UNION ALL
SELECT 'refused', coalesce(error_class, 'non_retryable'), count(*)
  FROM postroom.attempt
 WHERE tenant_id = (SELECT postroom.tenant()) AND outcome NOT IN ('done', 'released') AND outcome = 'stopped'
   AND finished_at >= %(since)s AND (%(mailbox_id)s::uuid IS NULL OR mailbox_id = %(mailbox_id)s::uuid)
 GROUP BY 2;

-- name: due_again
-- What was put aside after its retries and may yet work: the clock begins anew, later each time, and not for ever.
-- In the order of their locks.
SELECT count(*) FILTER (WHERE postroom.replay_job(aside.tenant_id, aside.id, NULL)) FROM (
    SELECT j.tenant_id, j.id FROM postroom.job j
     WHERE j.tenant_id = (SELECT postroom.tenant()) AND j.state = 'quarantined' AND j.error_class <> 'non_retryable'
       AND j.rounds < cardinality(%(gaps)s::interval[]) AND j.run_at < %(now)s::timestamptz - (%(gaps)s::interval[])[j.rounds + 1]
     ORDER BY postroom.lane_lock(j.tenant_id, j.lane, j.kind, j.key) LIMIT 500) aside;

-- name: revive
-- A mailbox answers again: what was put aside while it did not goes on at once. In the order of their locks.
SELECT count(*) FILTER (WHERE postroom.replay_job(aside.tenant_id, aside.id, NULL)) FROM (
    SELECT j.tenant_id, j.id FROM postroom.job j
     WHERE j.tenant_id = (SELECT postroom.tenant()) AND j.state = 'quarantined' AND j.mailbox_id = %(mailbox_id)s
       AND j.error_class = 'transient' AND j.rounds < 20  -- one that fails by itself is not revived for ever
     ORDER BY postroom.lane_lock(j.tenant_id, j.lane, j.kind, j.key) LIMIT %(most)s) aside;

-- name: queue
SELECT state, count(*) AS jobs, extract(epoch FROM %(now)s::timestamptz - min(run_at))::float8 AS oldest
  FROM postroom.job WHERE tenant_id = (SELECT postroom.tenant()) GROUP BY state;

-- name: depth
-- A running job is as old as its run, any other as long as it is due.
SELECT state, count(*) AS jobs,
       extract(epoch FROM clock_timestamp() - min(CASE state WHEN 'running' THEN started_at ELSE run_at END))::float8 AS oldest
  FROM postroom.job GROUP BY state;

-- name: timetable_due
SELECT name, spec, next_at FROM postroom.timetable WHERE next_at <= now() FOR UPDATE SKIP LOCKED;

-- name: timetable_next
UPDATE postroom.timetable SET next_at = %(next_at)s, fired = fired + 1 WHERE name = %(name)s;

-- name: timetable_put_right
-- No line is due later than by a clock that is some minutes ahead of ours: one was further ahead when that was written.
UPDATE postroom.timetable t SET next_at = n.next_at
  FROM unnest(%(names)s::text[], %(specs)s::text[], %(next_ats)s::timestamptz[], %(latest)s::timestamptz[]) AS n (name, spec, next_at, latest)
 WHERE t.name = n.name AND t.spec = n.spec AND t.next_at > n.latest;

-- name: timetable_set
INSERT INTO postroom.timetable (name, spec, next_at) VALUES (%(name)s, %(spec)s, %(next_at)s)
ON CONFLICT (name) DO UPDATE SET spec = excluded.spec, next_at = excluded.next_at
 WHERE timetable.spec <> excluded.spec;

-- name: timetable_wait
SELECT extract(epoch FROM min(next_at) - clock_timestamp())::float8 FROM postroom.timetable;

-- name: tenants
SELECT tenant_id FROM postroom.tenant ORDER BY tenant_id;

-- name: facts_after
-- Transactions below the watermark are over, so nothing can appear before the last one read.
SELECT * FROM postroom.fact_view
 WHERE (xid, id) > (%(xid)s, %(id)s) AND xid < (SELECT postroom.settled_xid())
 ORDER BY xid, id LIMIT %(most)s;

-- name: facts_latest
SELECT coalesce(max(xid), 0) AS xid, coalesce(max(id), 0) AS id FROM (
    SELECT xid, id FROM postroom.fact
     WHERE tenant_id = (SELECT postroom.tenant()) AND xid < (SELECT postroom.settled_xid())
     ORDER BY xid DESC, id DESC LIMIT 1) newest;

-- name: position_reached
-- Transactions count upwards, so another database's position, or one from after a backup was taken, may not be there yet.
SELECT %(xid)s < pg_snapshot_xmax(pg_current_snapshot())::text::bigint + (SELECT xid_offset FROM postroom.house) AS reached;

-- name: facts_between
SELECT * FROM postroom.fact_view
 WHERE xid >= %(from_xid)s AND xid < %(upto_xid)s
   AND (xid, id) > (%(after_xid)s, %(after_id)s)
 ORDER BY xid, id LIMIT %(most)s;

-- name: last_seal
SELECT * FROM postroom.seal_view ORDER BY number DESC LIMIT 1;

-- name: seals
SELECT * FROM postroom.seal_view WHERE number > %(after)s ORDER BY number LIMIT %(most)s;

-- name: settled
SELECT postroom.settled_xid();

-- name: lock_seal
SELECT pg_try_advisory_xact_lock(hashtextextended(%(tenant_id)s::uuid::text, 7120002));

-- name: add_seal
INSERT INTO postroom.seal (tenant_id, number, from_xid, upto_xid, facts, root, link, chain, key_id, sealed_at)
VALUES (%(tenant_id)s, %(number)s, %(from_xid)s, %(upto_xid)s, %(facts)s, %(root)s, %(link)s, %(chain)s, %(key_id)s,
        %(sealed_at)s);

-- name: unsealed_tenants
-- By the newest fact and the last seal of each, so that a look costs the same however long the trail is.
SELECT t.tenant_id
  FROM postroom.tenant t
       CROSS JOIN LATERAL (SELECT f.xid FROM postroom.fact f WHERE f.tenant_id = t.tenant_id
                            ORDER BY f.xid DESC, f.id DESC LIMIT 1) newest
       LEFT JOIN LATERAL (SELECT s.upto_xid FROM postroom.seal s WHERE s.tenant_id = t.tenant_id
                           ORDER BY s.number DESC LIMIT 1) last ON true
 WHERE newest.xid >= coalesce(last.upto_xid, 0);

-- name: make_slots
INSERT INTO postroom.provider_slot (mailbox_id, slot)
SELECT m, n FROM unnest(%(mailboxes)s::uuid[]) m, generate_series(0, %(most)s - 1) n
 WHERE (SELECT true FROM postroom.mailbox b WHERE b.id = m)  -- one deleted a moment ago must not spoil the others'
 ORDER BY m, n
ON CONFLICT DO NOTHING;

-- name: lease_slots
-- Of each mailbox as many as are free, and how long it is to be left alone, if it is: who needs a slot needs to know that too.
-- Lent for seconds: nobody waits until that is on the disk. After a crash of the server it lapses, or is lent anew.
-- One without slots was deleted, and gets no answer. What is wanted is JSON: of an array PostgreSQL would make a plan each time, for its length.
WITH asked AS (
    SELECT * FROM jsonb_to_recordset(%(wanted)s) AS a (mailbox_id uuid, wanted integer)
), leased AS (
    UPDATE postroom.provider_slot s SET holder = %(holder)s, till = clock_timestamp() + %(lease)s::interval
      FROM (SELECT f.mailbox_id, f.slot FROM asked a CROSS JOIN LATERAL (
                SELECT s.mailbox_id, s.slot FROM postroom.provider_slot s
                 WHERE s.mailbox_id = a.mailbox_id AND s.slot < %(most)s
                   AND (s.till < clock_timestamp() OR s.till > clock_timestamp() + 2 * %(lease)s::interval)  -- by a clock that was put right
                 ORDER BY s.slot LIMIT a.wanted FOR UPDATE SKIP LOCKED) f) free
     WHERE s.mailbox_id = free.mailbox_id AND s.slot = free.slot
    RETURNING s.mailbox_id, s.slot, set_config('synchronous_commit', 'off', true)
)
SELECT a.mailbox_id, ARRAY(SELECT l.slot FROM leased l WHERE l.mailbox_id = a.mailbox_id) AS slots,
       (SELECT extract(epoch FROM w.till - clock_timestamp())::float8 FROM postroom.provider_wait w
         WHERE w.mailbox_id = a.mailbox_id AND w.hour <= clock_timestamp() + interval '1 minute') AS wait_left
  FROM asked a WHERE (SELECT true FROM postroom.provider_slot s WHERE s.mailbox_id = a.mailbox_id LIMIT 1);

-- name: renew_slots
UPDATE postroom.provider_slot SET till = clock_timestamp() + %(lease)s::interval
 WHERE holder = %(holder)s AND till > clock_timestamp() AND mailbox_id = ANY (%(mailboxes)s);

-- name: release_slots
UPDATE postroom.provider_slot s SET holder = NULL, till = '-infinity'
  FROM unnest(%(mailboxes)s::uuid[], %(slots)s::integer[]) AS idle (mailbox_id, slot)
 WHERE s.mailbox_id = idle.mailbox_id AND s.slot = idle.slot AND s.holder = %(holder)s
RETURNING set_config('synchronous_commit', 'off', true);

-- name: wait_left
-- What was written down by a clock that was ahead does not count.
SELECT extract(epoch FROM till - clock_timestamp())::float8 FROM postroom.provider_wait
 WHERE mailbox_id = %(mailbox_id)s AND hour <= clock_timestamp() + interval '1 minute';

-- name: told_to_wait
-- The later moment counts, and only what it adds is added up.
INSERT INTO postroom.provider_wait AS w (mailbox_id, tenant_id, till, hour, waited)
SELECT m.id, m.tenant_id, clock_timestamp() + %(wait)s::interval, clock_timestamp(), extract(epoch FROM %(wait)s::interval)
  FROM postroom.mailbox m WHERE m.id = %(mailbox_id)s
ON CONFLICT (mailbox_id) DO UPDATE
   SET till = CASE WHEN w.hour > excluded.hour + interval '1 minute' THEN excluded.till ELSE greatest(w.till, excluded.till) END,
       hour = CASE WHEN abs(extract(epoch FROM excluded.hour - w.hour)) > 3600 THEN excluded.hour ELSE least(w.hour, excluded.hour) END,
       waited = CASE WHEN abs(extract(epoch FROM excluded.hour - w.hour)) > 3600 THEN 0 ELSE w.waited END
                + greatest(0, extract(epoch FROM excluded.till
                    - CASE WHEN w.hour > excluded.hour + interval '1 minute' THEN excluded.hour ELSE greatest(w.till, excluded.hour) END));

-- name: draw_units
-- A bucket that refills with time, also where the clock was put back. Negative: so many units are missing, and nothing was drawn.
WITH now AS (SELECT clock_timestamp() AS at), had AS (
    SELECT least(%(capacity)s::float8, q.units + abs(extract(epoch FROM now.at - q.at)) * %(rate)s::float8) AS units
      FROM postroom.provider_quota q, now WHERE q.mailbox_id = %(mailbox_id)s FOR UPDATE OF q
), seen AS (SELECT coalesce((SELECT units FROM had), %(capacity)s::float8) AS units), kept AS (
    INSERT INTO postroom.provider_quota AS q (mailbox_id, units, at)
    SELECT %(mailbox_id)s, seen.units - %(want)s, now.at FROM seen, now WHERE seen.units >= %(want)s
    ON CONFLICT (mailbox_id) DO UPDATE SET units = excluded.units, at = excluded.at RETURNING 1
)
SELECT seen.units - %(want)s FROM seen LEFT JOIN kept ON true;
