-- Tenants, their people and keys, how they sign in, and the answers that the API keeps under a caller's key.

CREATE TABLE postroom.tenant (
    tenant_id  uuid PRIMARY KEY,
    name       text NOT NULL,
    policy     jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT tenant_name_is_unique UNIQUE (name),
    CONSTRAINT tenant_name_is_a_short_word CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
    CONSTRAINT retention_is_in_days CHECK (  -- a slip would forget too much, so it is refused here as well
        jsonb_typeof(policy -> 'retention') = 'object'
        AND NOT jsonb_path_exists(policy, '$.retention.keyvalue() ? (@.value.type() != "number" || @.value > 36500
            || @.value < 7 || (@.key != "events" && @.value < 30))'))
);
COMMENT ON TABLE postroom.tenant IS 'Whose data it is, and what they decided. Owned by tenants.';
CALL postroom.close_to_others('postroom.tenant');
CALL postroom.open_to_desk('postroom.tenant', 'SELECT, INSERT');
GRANT SELECT, UPDATE ON postroom.tenant TO postroom_app;

CREATE TABLE postroom.person (
    id            uuid PRIMARY KEY,
    tenant_id     uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    email         text NOT NULL,
    name          text NOT NULL DEFAULT '',
    role          text NOT NULL,
    password_hash text,
    oidc_subject  text,
    disabled_at   timestamptz,
    created_at    timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT person_is_known_once UNIQUE (tenant_id, email),
    CONSTRAINT person_email_is_lower_case CHECK (email = lower(email) AND email LIKE '_%@_%'),
    CONSTRAINT person_has_a_known_role CHECK (role IN ('viewer', 'operator', 'admin'))
);
COMMENT ON TABLE postroom.person IS 'Who may come in, and as what. Owned by tenants.';
CALL postroom.close_to_others('postroom.person');
CALL postroom.open_to_desk('postroom.person', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.person TO postroom_app;
CREATE INDEX person_by_email ON postroom.person (email);
CREATE UNIQUE INDEX person_of_subject ON postroom.person (tenant_id, oidc_subject) WHERE oidc_subject IS NOT NULL;

CREATE TABLE postroom.api_key (
    id           uuid PRIMARY KEY,
    tenant_id    uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    name         text NOT NULL,
    role         text NOT NULL,
    scopes       text[] NOT NULL DEFAULT '{}',
    digest       bytea NOT NULL,
    created_by   text NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    expires_at   timestamptz,
    revoked_at   timestamptz,
    CONSTRAINT key_digest_is_unique UNIQUE (digest),
    CONSTRAINT key_has_a_known_role CHECK (role IN ('viewer', 'operator', 'admin'))
);
COMMENT ON TABLE postroom.api_key IS 'Keys of programs, as digests. Owned by tenants.';
CALL postroom.close_to_others('postroom.api_key');
CALL postroom.open_to_desk('postroom.api_key', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.api_key TO postroom_app;
CREATE INDEX api_key_of_tenant ON postroom.api_key (tenant_id, created_at);

-- ----------------------------------------------------------------------------------------------------- sign-in

CREATE TABLE postroom.session (
    id         uuid PRIMARY KEY,
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    person_id  uuid NOT NULL REFERENCES postroom.person ON DELETE CASCADE,
    digest     bytea NOT NULL,
    how        text NOT NULL,
    source     text NOT NULL DEFAULT '',
    agent      text NOT NULL DEFAULT '',
    started_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    ends_at    timestamptz NOT NULL,
    CONSTRAINT session_digest_is_unique UNIQUE (digest),
    CONSTRAINT session_way_in_is_known CHECK (how IN ('password', 'oidc', 'link')),
    CONSTRAINT session_slides_only_so_far CHECK (expires_at <= ends_at)
) WITH (fillfactor = 80);
COMMENT ON TABLE postroom.session IS
    'A person who is signed in; the digest of what the browser holds, never the thing itself. Owned by tenants.';
CALL postroom.close_to_others('postroom.session');
CALL postroom.open_to_desk('postroom.session', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.session TO postroom_app;
CREATE INDEX session_of_person ON postroom.session (tenant_id, person_id, seen_at DESC);
CREATE INDEX session_by_person ON postroom.session (person_id);

CREATE TABLE postroom.signin_link (
    digest     bytea PRIMARY KEY,
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    person_id  uuid NOT NULL REFERENCES postroom.person ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
COMMENT ON TABLE postroom.signin_link IS 'A link that lets one person in, once; its digest. Owned by tenants.';
CALL postroom.close_to_others('postroom.signin_link');
CALL postroom.open_to_desk('postroom.signin_link', 'SELECT, DELETE');
GRANT SELECT, INSERT, DELETE ON postroom.signin_link TO postroom_app;
CREATE INDEX signin_link_of_tenant ON postroom.signin_link (tenant_id, expires_at);
CREATE INDEX signin_link_by_person ON postroom.signin_link (person_id);

CREATE TABLE postroom.signin_try (
    key       bytea PRIMARY KEY,
    tenant_id uuid,
    tries     integer NOT NULL DEFAULT 1,
    at        timestamptz NOT NULL,
    till      timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
COMMENT ON TABLE postroom.signin_try IS
    'Wrong guesses, by digests of who was named and where they came from; before anybody is known there is no tenant. Owned by tenants.';
CALL postroom.close_to_others('postroom.signin_try');
CALL postroom.open_to_desk('postroom.signin_try', 'SELECT, INSERT, UPDATE, DELETE');
CREATE INDEX signin_try_by_age ON postroom.signin_try (at);

CREATE TABLE postroom.presence (
    tenant_id uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    item      text NOT NULL,
    actor     text NOT NULL,
    seen_at   timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, item, actor),
    CONSTRAINT presence_is_at_one_item CHECK (item ~ '^[a-z_]{1,40}:[0-9a-f-]{36}$')
) WITH (fillfactor = 50);
COMMENT ON TABLE postroom.presence IS 'Who looks at which item of work, until some seconds after they stop. Owned by tenants.';
CALL postroom.close_to_others('postroom.presence');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.presence TO postroom_app;
CREATE INDEX presence_oldest ON postroom.presence (tenant_id, seen_at);

-- ----------------------------------------------------------------------------------------------------- the API

CREATE TABLE postroom.idempotency (
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    actor      text NOT NULL,
    key        text NOT NULL,
    request    bytea NOT NULL,
    claim      uuid NOT NULL,
    answer     bytea,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (tenant_id, actor, key)
);
COMMENT ON TABLE postroom.idempotency IS
    'Answers kept under a caller''s key and given again; sealed, since one may hold what is shown once only. Owned by engine.';
CALL postroom.close_to_others('postroom.idempotency');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.idempotency TO postroom_app;
CREATE INDEX idempotency_oldest ON postroom.idempotency (tenant_id, created_at);
