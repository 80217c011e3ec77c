-- Sign-in: sessions, one-time links, and how often somebody guessed wrong.

-- A person who is in. We keep the digest of what the browser holds, never the thing itself.
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
CALL postroom.close_to_others('postroom.session');
CALL postroom.open_to_desk('postroom.session', 'SELECT');
GRANT SELECT, INSERT, UPDATE, DELETE ON postroom.session TO postroom_app;
CREATE INDEX session_of_person ON postroom.session (tenant_id, person_id, seen_at DESC);
CREATE INDEX session_by_person ON postroom.session (person_id);

-- A link that lets one person in, once.
CREATE TABLE postroom.signin_link (
    digest     bytea PRIMARY KEY,
    tenant_id  uuid NOT NULL REFERENCES postroom.tenant ON DELETE CASCADE,
    person_id  uuid NOT NULL REFERENCES postroom.person ON DELETE CASCADE,
    expires_at timestamptz NOT NULL
);
CALL postroom.close_to_others('postroom.signin_link');
CALL postroom.open_to_desk('postroom.signin_link', 'SELECT, DELETE');
GRANT SELECT, INSERT, DELETE ON postroom.signin_link TO postroom_app;
CREATE INDEX signin_link_of_tenant ON postroom.signin_link (tenant_id, expires_at);
CREATE INDEX signin_link_by_person ON postroom.signin_link (person_id);

-- Guesses, by digests of who was named and where they came from. Before anybody is known there is no tenant.
CREATE TABLE postroom.signin_try (
    key       bytea PRIMARY KEY,
    tenant_id uuid,
    tries     integer NOT NULL DEFAULT 1,
    at        timestamptz NOT NULL,
    till      timestamptz NOT NULL DEFAULT '-infinity'
) WITH (fillfactor = 50);
CALL postroom.close_to_others('postroom.signin_try');
CALL postroom.open_to_desk('postroom.signin_try', 'SELECT, INSERT, UPDATE, DELETE');
CREATE INDEX signin_try_by_age ON postroom.signin_try (at);

-- The front desk counts a password that was right, and remembers who somebody is at the identity provider.
CREATE UNIQUE INDEX person_of_subject ON postroom.person (tenant_id, oidc_subject) WHERE oidc_subject IS NOT NULL;
