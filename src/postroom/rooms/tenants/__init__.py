"""Tenants, their people and their keys: who may come in, as what, and what a tenant decides for itself.

In: a person at the command line, the console or the API.
Out: TenantCreated, PolicyChanged, RetentionChanged, SendingChanged, PersonAdded, PersonChanged, KeyCreated, KeyRevoked,
     SignInLinkMade, SessionStarted, SessionEnded, SignInRefused.
Owns: tenant, person, api_key, session, signin_link, signin_try, presence.

How long things are kept: `commands.policy.retention(scope) -> Retention` for doors and command line. A room reads
the tenant's policy and asks `nouns.retention.retention_of(policy) -> Retention`, whose
`horizon(kind, now) -> datetime | None` says what may be forgotten: `kind` is one of messages, attachments, documents,
archive; None means that it is kept.
"""
