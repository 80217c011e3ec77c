-- name: scorecard
-- In one pass: all together, by mailbox and pipeline, by week, and by how sure the reading said it was.
SELECT CASE WHEN grouping(v.pipeline) = 0 THEN 'pipeline' WHEN grouping(v.week) = 0 THEN 'week'
            WHEN grouping(v.band) = 0 THEN 'band' ELSE 'all' END AS level,
       v.mailbox_id, v.pipeline, NULL::text AS sender_email, v.week, v.band,
       count(*) AS judged, count(*) FILTER (WHERE v.passed) AS passed,
       count(*) FILTER (WHERE v.passed AND v.outcome = 'right') AS found_right,
       count(*) FILTER (WHERE v.passed AND v.outcome = 'corrected') AS corrected,
       count(*) FILTER (WHERE v.passed AND v.outcome = 'rejected') AS rejected,
       count(*) FILTER (WHERE v.passed AND v.outcome = 'unseen') AS unseen,
       count(*) FILTER (WHERE v.passed AND v.outcome = 'open') AS waiting,
       count(*) FILTER (WHERE v.outcome IN ('right', 'corrected', 'rejected')) AS decided,
       count(*) FILTER (WHERE v.outcome = 'right') AS read_right,
       avg(v.stated) FILTER (WHERE v.outcome IN ('right', 'corrected', 'rejected')) AS stated
  FROM (SELECT s.mailbox_id, s.pipeline, s.passed, s.outcome, s.stated, date_trunc('week', s.received_at, 'UTC') AS week,
               width_bucket(s.stated, %(edges)s::double precision[]) AS band
          FROM postroom.scorecard_view s
         WHERE s.received_at >= %(since)s AND (%(mailbox_id)s::uuid IS NULL OR s.mailbox_id = %(mailbox_id)s)
           AND (%(pipeline)s::text IS NULL OR s.pipeline = %(pipeline)s)) v
 GROUP BY GROUPING SETS ((), (v.mailbox_id, v.pipeline), (v.week), (v.band))
 ORDER BY level, v.mailbox_id, v.pipeline, v.week, v.band;

-- name: scorecard_senders
-- Those with the most documents first.
SELECT 'sender' AS level, NULL::uuid AS mailbox_id, NULL::text AS pipeline, s.sender_email, NULL::timestamptz AS week,
       NULL::integer AS band, count(*) AS judged, count(*) FILTER (WHERE s.passed) AS passed,
       count(*) FILTER (WHERE s.passed AND s.outcome = 'right') AS found_right,
       count(*) FILTER (WHERE s.passed AND s.outcome = 'corrected') AS corrected,
       count(*) FILTER (WHERE s.passed AND s.outcome = 'rejected') AS rejected,
       count(*) FILTER (WHERE s.passed AND s.outcome = 'unseen') AS unseen,
       count(*) FILTER (WHERE s.passed AND s.outcome = 'open') AS waiting,
       count(*) FILTER (WHERE s.outcome IN ('right', 'corrected', 'rejected')) AS decided,
       count(*) FILTER (WHERE s.outcome = 'right') AS read_right,
       avg(s.stated) FILTER (WHERE s.outcome IN ('right', 'corrected', 'rejected')) AS stated
  FROM postroom.scorecard_view s
 WHERE s.received_at >= %(since)s AND (%(mailbox_id)s::uuid IS NULL OR s.mailbox_id = %(mailbox_id)s)
   AND (%(pipeline)s::text IS NULL OR s.pipeline = %(pipeline)s)
 GROUP BY s.sender_email ORDER BY count(*) DESC, s.sender_email LIMIT %(most)s;

-- name: threshold_effect
-- What another threshold would have let pass, and what people made of those documents.
SELECT count(*) AS judged, count(*) FILTER (WHERE v.was) AS before, count(*) FILTER (WHERE v.would) AS after,
       count(*) FILTER (WHERE v.would AND NOT v.was) AS more,
       count(*) FILTER (WHERE v.would AND NOT v.was AND v.outcome = 'right') AS more_right,
       count(*) FILTER (WHERE v.would AND NOT v.was AND v.outcome IN ('corrected', 'rejected')) AS more_wrong,
       count(*) FILTER (WHERE v.was AND NOT v.would) AS fewer,
       count(*) FILTER (WHERE v.was AND NOT v.would AND v.outcome = 'right') AS fewer_right,
       count(*) FILTER (WHERE v.was AND NOT v.would AND v.outcome IN ('corrected', 'rejected')) AS fewer_wrong
  FROM (SELECT s.outcome, s.clear AND s.stated >= %(before)s AS was, s.clear AND s.stated >= %(after)s AS would
          FROM postroom.scorecard_view s WHERE s.received_at >= %(since)s) v;
