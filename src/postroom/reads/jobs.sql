-- name: aside
-- What waits for a person or was put aside, newest first.
SELECT * FROM postroom.job_view
 WHERE state IN ('parked', 'quarantined') AND id < %(before)s
   AND (%(state)s::text IS NULL OR state = %(state)s::text)
   AND (%(kind)s::text IS NULL OR kind = %(kind)s::text)
   AND (%(mailbox_id)s::uuid IS NULL OR mailbox_id = %(mailbox_id)s::uuid)
 ORDER BY id DESC LIMIT %(most)s;

-- name: waiting
-- What will be tried again by itself.
SELECT * FROM postroom.job_view
 WHERE state = 'later' AND (tries > 0 OR waits > 0) AND (%(mailbox_id)s::uuid IS NULL OR mailbox_id = %(mailbox_id)s::uuid)
 ORDER BY run_at LIMIT %(most)s;

-- name: jobs_of_message
-- Those that wait or were put aside; a message's job is known by the message.
SELECT id FROM postroom.job_view
 WHERE state IN ('later', 'parked', 'quarantined') AND key = %(message_id)s::uuid::text AND kind = ANY (%(kinds)s)
 ORDER BY id LIMIT 10;

-- name: newest_attempt
SELECT coalesce(max(id), 0) FROM postroom.attempt_view;

-- name: retry_progress
-- What somebody asked for in that moment, with how its last try since then went. Work that found nothing to do keeps no
-- attempt: it is done when its job is gone.
WITH asked AS (
    SELECT DISTINCT body ->> 'job_kind' AS kind, body ->> 'key' AS key FROM postroom.fact_view
     WHERE kind = 'attempt.manual_retry_requested' AND told_at BETWEEN %(since)s AND %(till)s
       AND left(encode(sha256(convert_to(actor, 'UTF8')), 'hex'), 12) = %(mark)s
), tried AS (
    SELECT DISTINCT ON (kind, key) kind, key, outcome
      FROM (SELECT id, kind, key, outcome FROM postroom.attempt_view WHERE id > %(after)s ORDER BY id LIMIT 50000) since_then
     WHERE outcome NOT IN ('lost', 'released') ORDER BY kind, key, id DESC
)
SELECT count(*) AS total,
       count(*) FILTER (WHERE outcome = 'done' OR (outcome IS NULL AND NOT EXISTS (
           SELECT FROM postroom.job_view j WHERE j.kind = asked.kind AND j.key IS NOT DISTINCT FROM asked.key))) AS done,
       count(*) FILTER (WHERE outcome IN ('parked', 'quarantined', 'stopped')) AS failed,
       count(*) FILTER (WHERE outcome IN ('retry', 'throttled')) AS later
  FROM asked LEFT JOIN tried ON tried.kind = asked.kind AND tried.key IS NOT DISTINCT FROM asked.key;
