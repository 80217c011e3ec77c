-- name: figures
-- Facts by mailbox and day. Each rate's denominator is here too: docs/reference/metrics.md.
SELECT f.mailbox_id, date_trunc('day', f.told_at, 'UTC') AS day,
       count(*) FILTER (WHERE f.kind = 'mail.message.received') AS received,
       count(*) FILTER (WHERE f.kind = 'thread.triaged' AND f.body ->> 'again' IS DISTINCT FROM 'true') AS triaged,
       count(*) FILTER (WHERE f.kind = 'thread.triaged' AND f.body ->> 'again' IS DISTINCT FROM 'true'
                          AND f.body ->> 'action' = 'draft') AS draftable,
       count(*) FILTER (WHERE f.kind = 'mail.draft.created') AS drafted,
       count(*) FILTER (WHERE f.kind = 'mail.flagged.sensitive') AS sensitive,
       count(*) FILTER (WHERE f.kind IN ('mail.processing.completed', 'attempt.failed')) AS runs,
       count(*) FILTER (WHERE f.kind = 'attempt.failed' AND f.body ->> 'outcome' IN ('retry', 'throttled')) AS retried,
       count(*) FILTER (WHERE f.kind = 'reply.sent') AS sent,
       count(*) FILTER (WHERE f.kind = 'reply.edited') AS edited,
       count(*) FILTER (WHERE f.kind = 'reply.discarded') AS discarded
  FROM postroom.fact f
 WHERE f.tenant_id = (SELECT postroom.tenant()) AND f.kind = ANY (%(kinds)s::text[]) AND f.told_at >= %(since)s
   AND f.mailbox_id IS NOT NULL AND (f.kind <> 'attempt.failed' OR f.body ->> 'stage' IS NOT NULL)
 GROUP BY 1, 2 ORDER BY 1, 2;

-- name: times_to_draft
-- From the provider's receipt of the message to the draft that answers it.
SELECT d.mailbox_id, count(*) AS drafts,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM d.told_at - (r.body ->> 'received_at')::timestamptz)) AS median,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM d.told_at - (r.body ->> 'received_at')::timestamptz)) AS p95
  FROM postroom.fact d
  JOIN postroom.fact r ON r.tenant_id = d.tenant_id AND r.message_id = d.message_id AND r.kind = 'mail.message.received'
 WHERE d.tenant_id = (SELECT postroom.tenant()) AND d.kind = 'mail.draft.created' AND d.told_at >= %(since)s
   AND d.mailbox_id IS NOT NULL AND r.body ->> 'received_at' IS NOT NULL
 GROUP BY 1;

-- name: tries_by_mailbox
-- Every try of every job that is about a mailbox.
SELECT mailbox_id, date_trunc('day', finished_at, 'UTC') AS day, count(*) AS tries,
       count(*) FILTER (WHERE error_code = ANY (%(provider_errors)s::text[])) AS provider_errors
  FROM postroom.attempt
 WHERE tenant_id = (SELECT postroom.tenant()) AND finished_at >= %(since)s AND mailbox_id IS NOT NULL AND outcome <> 'released'
 GROUP BY 1, 2 ORDER BY 1, 2;
