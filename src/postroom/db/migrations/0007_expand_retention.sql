-- How long a tenant keeps what: days under `retention` in its policy. A slip would forget too much, so it is refused
-- here as well.
ALTER TABLE postroom.tenant ADD CONSTRAINT retention_is_in_days CHECK (
    jsonb_typeof(policy -> 'retention') = 'object'
    AND NOT jsonb_path_exists(policy, '$.retention.* ? (@.type() != "number" || @ < 30 || @ > 36500)'));
