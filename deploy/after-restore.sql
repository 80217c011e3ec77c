-- After a logical restore into another server, as a superuser, before Postroom starts: new facts must be numbered above
-- the restored ones, or they would fall among those that are sealed already. Safe to repeat.
UPDATE postroom.house
   SET xid_offset = xid_offset + greatest(0, 1 - (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset)
                    + greatest((SELECT coalesce(max(xid), 0) FROM postroom.fact),
                               (SELECT coalesce(max(upto_xid), 0) FROM postroom.seal)));
