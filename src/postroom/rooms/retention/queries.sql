-- name: policy
SELECT policy FROM postroom.tenant WHERE tenant_id = (SELECT postroom.tenant());

-- name: note_unwanted
INSERT INTO postroom.unwanted_blob (tenant_id, blob_key, noted_at)
SELECT %(tenant_id)s, key, %(now)s FROM unnest(%(keys)s::text[]) AS key ON CONFLICT DO NOTHING;

-- name: unwanted_blobs
SELECT u.blob_key,
       EXISTS (SELECT FROM postroom.attachment a WHERE a.tenant_id = u.tenant_id AND a.blob_key = u.blob_key)
    OR EXISTS (SELECT FROM postroom.document d WHERE d.tenant_id = u.tenant_id AND d.archive_path = u.blob_key) AS wanted
  FROM postroom.unwanted_blob u WHERE u.tenant_id = (SELECT postroom.tenant()) ORDER BY u.noted_at LIMIT %(most)s;

-- name: drop_unwanted
DELETE FROM postroom.unwanted_blob WHERE tenant_id = (SELECT postroom.tenant()) AND blob_key = ANY (%(keys)s);
