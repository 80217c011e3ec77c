-- Rows as version 0.1.0 keeps them; loaded into its schema, then upgraded by tests/house/test_upgrade.py.

INSERT INTO postroom.tenant (tenant_id, name, policy, created_at) VALUES
    ('10000000-0000-4000-8000-000000000001', 'meridian', '{"retention": {"messages": 400}}', '2026-03-01 08:00:00+00');

INSERT INTO postroom.person (id, tenant_id, email, name, role, created_at) VALUES
    ('20000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', 'anna@meridian.test', 'Anna', 'admin', '2026-03-01 08:00:00+00');

INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access, connected_at) VALUES
    ('30000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', 'dealing@meridian.test', 'outlook', 'app_only', '2026-03-01 08:00:00+00');

INSERT INTO postroom.thread (id, tenant_id, mailbox_id, provider_thread_id, subject, messages, last_message_at) VALUES
    ('40000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', '30000000-0000-7000-8000-000000000001', 'AAQk1', 'Contract note', 1, '2026-03-01 09:00:00+00');

INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, state, source, thread_id, subject, received_at, announced_at, arrived_at) VALUES
    ('50000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', '30000000-0000-7000-8000-000000000001', 'AAMk1', 'arrived', 'push', '40000000-0000-7000-8000-000000000001', 'Contract note', '2026-03-01 09:00:00+00', '2026-03-01 09:00:01+00', '2026-03-01 09:00:02+00');

INSERT INTO postroom.job (tenant_id, kind, key, lane, state, tries, run_at, correlation_id, reason, parked_for) VALUES
    ('10000000-0000-4000-8000-000000000001', 'sync.mailbox', '30000000-0000-7000-8000-000000000001', '30000000-0000-7000-8000-000000000001', 'ready', 0, '2026-03-01 09:00:00+00', '60000000-0000-4000-8000-000000000001', NULL, NULL),
    ('10000000-0000-4000-8000-000000000001', 'test.later', 'a', NULL, 'later', 2, '2026-03-01 09:05:00+00', '60000000-0000-4000-8000-000000000002', 'The provider is down.', NULL),
    ('10000000-0000-4000-8000-000000000001', 'test.parked', 'b', NULL, 'parked', 0, '2026-03-01 09:00:00+00', '60000000-0000-4000-8000-000000000003', 'Reconnect the mailbox.', 'mailbox:30000000-0000-7000-8000-000000000001'),
    ('10000000-0000-4000-8000-000000000001', 'test.aside', 'c', NULL, 'quarantined', 6, '2026-03-01 09:00:00+00', '60000000-0000-4000-8000-000000000004', 'The subject is missing.', NULL);

INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, epoch, outcome, error_class, error_code, error, retry_count, correlation_id, created_at, started_at, finished_at) VALUES
    ('10000000-0000-4000-8000-000000000001', 2, 'test.later', 'a', 1, 'retry', 'transient', 'provider_unavailable', 'The provider is down.', 1, '60000000-0000-4000-8000-000000000002', '2026-03-01 09:00:00+00', '2026-03-01 09:00:00+00', '2026-03-01 09:00:01+00');
