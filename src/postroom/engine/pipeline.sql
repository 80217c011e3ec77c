-- name: dispose
INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status, rule, because, updated_at)
SELECT %(tenant_id)s, %(message_id)s, d.pipeline, d.status, d.rule, d.because, %(now)s
  FROM jsonb_to_recordset(%(dispositions)s) AS d (pipeline text, status text, rule text, because text)
ON CONFLICT (message_id, pipeline) DO UPDATE
   SET status = excluded.status, rule = excluded.rule, because = excluded.because, updated_at = excluded.updated_at
 WHERE NOT %(only_pending)s OR disposition.status = 'pending';
