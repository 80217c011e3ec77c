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

-- A demo that was used a little: tests/house/sampling.py. In the order of their names, so keys are checked afterwards.

SET session_replication_role = replica;

INSERT INTO bo_airflow.email_ingestion_state ("id", "app_name", "message_id", "mailbox_email", "sender_email", "received_at", "subject", "status", "error_message", "attachments_processed", "trades_extracted", "archive_gcs_paths", "worker_id", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('36', 'ap_invoices', 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0ALq9WzFJGAAAAAAo=', 'service@larkspur-retreats.example', 'oskar.nystrom@gmail.com', '2026-11-17 06:49:07+00', 'wifi?', 'skipped', 'The mail has no document with it.', '0', '0', NULL, 'postroom:01a1e844-2417-7e29-99be-e37568c99faa', '2026-11-17 06:49:17.932126+00', '2026-11-17 06:49:17.932126+00');

INSERT INTO padealing.graph_subscription_state ("id", "subscription_id", "resource", "notification_url", "lifecycle_url", "expiration_datetime", "status", "last_renewed_at", "created_at", "updated_at", "tenant_id", "mailbox_id", "client_state_digest", "url_key_digests") OVERRIDING SYSTEM VALUE VALUES
    ('2', '8740a888-eede-4c5f-b8c2-ad5a9a4f5d7b', 'users/contract.notes@larkspur.example/mailFolders/inbox/messages', 'http://127.0.0.1:8025/api/graph/notifications', 'http://127.0.0.1:8025/api/graph/lifecycle', '2026-11-24 06:39:07+00', 'active', '2026-11-17 06:49:08.548375+00', '2026-11-17 06:49:08.558333+00', '2026-11-17 06:49:08.558333+00', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2426-7e68-ab9c-1e1505f2e91a',  E'\\xd59ba2ecbc973fdb220f8a324b17eda0d8ab5a99aa743502b51ad9230bb74dd5',  E'{"\\\\x261522e48ab56aebb422828e2f77b8bd5658e0eee781d48961b39ed3affa5abe"}');

INSERT INTO postroom.account ("id", "tenant_id", "code", "code_key", "name", "aliases", "domains", "status", "merged_into", "created_by", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2808-7936-90d5-6dc2e6047f9b', '01a1e844-2417-7e29-99be-e37568c99faa', 'GRANIT', 'GRANIT', 'Granit Bau AG', '{Granit}', '{granit-bau.example}', 'closed', NULL, 'demo', '2026-11-17 06:49:03.240919+00', '2026-11-17 06:49:03.240919+00');

INSERT INTO postroom.account ("id", "tenant_id", "code", "code_key", "name", "aliases", "domains", "status", "merged_into", "created_by", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2808-7c21-a174-550d61585c10', '01a1e844-2417-7e29-99be-e37568c99faa', 'FONTANEL', 'FONTANEL', 'Atelier Fontanel', '{Fontanel}', '{atelier-fontanel.example}', 'open', NULL, 'demo', '2026-11-17 06:49:03.240919+00', '2026-11-17 06:49:03.240919+00');

INSERT INTO postroom.account ("id", "tenant_id", "code", "code_key", "name", "aliases", "domains", "status", "merged_into", "created_by", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-8c4e-7c3e-a358-645e52392674', '01a1e844-2417-7e29-99be-e37568c99faa', 'NEW', 'NEW', 'New', '{}', '{new.example}', 'open', NULL, 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:34.446661+00', '2026-11-17 06:50:34.446661+00');

INSERT INTO postroom.account ("id", "tenant_id", "code", "code_key", "name", "aliases", "domains", "status", "merged_into", "created_by", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2808-7516-ba5f-c2e795c56f94', '01a1e844-2417-7e29-99be-e37568c99faa', 'BOREALIS', 'BOREALIS', 'Borealis GmbH', '{Borealis}', '{borealis.example}', 'open', NULL, 'demo', '2026-11-17 06:49:03.240919+00', '2026-11-17 06:49:03.240919+00');

INSERT INTO postroom.account ("id", "tenant_id", "code", "code_key", "name", "aliases", "domains", "status", "merged_into", "created_by", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2808-7d4a-b4c5-5468f8298876', '01a1e844-2417-7e29-99be-e37568c99faa', 'ACME', 'ACME', 'ACME Industries GmbH', '{ACME,"ACME Industries"}', '{acme.example}', 'open', NULL, 'demo', '2026-11-17 06:49:03.240919+00', '2026-11-17 06:49:03.240919+00');

INSERT INTO postroom.account_change ("id", "tenant_id", "account_id", "what", "before", "after", "changed_by", "changed_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-283f-7496-9f07-b508b6662849', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2808-7c21-a174-550d61585c10', 'work_items', NULL, '{"codes": ["FON-0007"], "count": 1}', 'demo', '2026-11-17 06:49:03.29534+00');

INSERT INTO postroom.account_domain ("tenant_id", "domain", "account_id") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'new.example', '01a1e845-8c4e-7c3e-a358-645e52392674');

INSERT INTO postroom.account_key ("tenant_id", "kind", "key", "account_id") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'word', 'ag', '01a1e844-2808-7936-90d5-6dc2e6047f9b');

INSERT INTO postroom.api_key ("id", "tenant_id", "name", "role", "scopes", "digest", "created_by", "created_at", "expires_at", "revoked_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-81a8-7fcc-a35e-2533c0368990', '01a1e844-2417-7e29-99be-e37568c99faa', 'att', 'admin', '{}',  E'\\x273b024dd1ab8582d1ae282eadba2f0fd2b5099f1f1e84a7a9e24709cf2e0a14', 'cli:anna', '2026-11-17 06:49:26.18529+00', NULL, NULL);

INSERT INTO postroom.channel ("id", "tenant_id", "name", "place", "rules", "created_by", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-85a5-7c76-a6b1-ca223a28866c', '01a1e844-2417-7e29-99be-e37568c99faa', 'Clients', '1', '{"words": ["rooms"], "intents": [], "senders": [], "accounts": []}', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:32.741557+00');

INSERT INTO postroom.consent ("state", "tenant_id", "provider", "verifier", "address", "started_by", "return_to", "expires_at", "browser", "ticket", "shared", "capability") OVERRIDING SYSTEM VALUE VALUES
    ('BaH_X3o1szoCU_C6JFDOC_BUcHC0WI5cFgFR8HwMisk', '01a1e844-2417-7e29-99be-e37568c99faa', 'outlook',  E'\\x014314624d1f92abad5b1ab5b3d5d0299bf0d063ace935fa6dac69882d737f7c5744212b0ef97ba9e1bf42bee8cf071556c33c4cb601e3438efb08004b72bc7b6036e6afc714cd751b82a1e05c3a22b9534b849401cf66729ac1628a235d64b9c14d01e16fef26aa19729e08514765fb6c9612274d59a1845566b1', NULL, 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '/mailboxes', '2026-11-17 07:05:35.895153+00', NULL,  E'\\xc14e1a850d9554ac669cc40dfd5167bbab2791ca1892e982a4f09bca06c8e170', 'false', 'read');

INSERT INTO postroom.contact ("id", "tenant_id", "email", "name", "name_key", "status", "bounced_at", "bounce_because", "created_by", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-282d-7929-b1da-02e487f72e4c', '01a1e844-2417-7e29-99be-e37568c99faa', 'anna.kowalski@acme.example', 'Anna Kowalski', 'anna kowalski', 'active', NULL, NULL, 'demo', '2026-11-17 06:49:03.277601+00', '2026-11-17 06:49:03.277601+00');

INSERT INTO postroom.contact ("id", "tenant_id", "email", "name", "name_key", "status", "bounced_at", "bounce_because", "created_by", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-282d-7114-bc4f-20e07a16c83e', '01a1e844-2417-7e29-99be-e37568c99faa', 'j.petersen@borealis.example', 'Jonas Petersen', 'jonas petersen', 'active', NULL, NULL, 'demo', '2026-11-17 06:49:03.277601+00', '2026-11-17 06:49:03.277601+00');

INSERT INTO postroom.contact_account ("tenant_id", "contact_id", "account_id", "since") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-282d-7114-bc4f-20e07a16c83e', '01a1e844-2808-7516-ba5f-c2e795c56f94', '2026-11-17 06:49:03.277601+00');

INSERT INTO postroom.copilot_mailbox ("mailbox_id", "tenant_id", "addresses", "addresses_at", "labels", "labels_at", "refused", "refused_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-26de-75ea-b64d-7c20f9da43ba', '01a1e844-2417-7e29-99be-e37568c99faa', '{service@larkspur-retreats.example}', '2026-11-17 06:49:15.119185+00', 'Inbox Copilot', '2026-11-17 06:49:18.08994+00', NULL, NULL);

INSERT INTO postroom.coverage ("id", "tenant_id", "mailbox_id", "since", "checked_at", "listed", "held", "failed", "unannounced", "missing", "reasons") OVERRIDING SYSTEM VALUE VALUES
    ('5', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2608-7095-8d54-79182cc6c468', '2026-11-10 06:49:09.025622+00', '2026-11-17 06:49:09.853804+00', '16', '0', '0', '0', '{}', '{}');

INSERT INTO postroom.delivery ("id", "tenant_id", "webhook_id", "event_id", "thread", "status", "tries", "next_at", "answer", "error", "milliseconds", "replay_of", "created_at", "tried_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e846-2957-75dd-a353-658fce98921f', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e845-8634-7806-af79-abb060c41c0e', '3', '01a1e844-537f-7c5e-ab76-5499a2cfaf2a', 'waiting', '0', '2026-11-17 06:51:14.647214+00', NULL, NULL, NULL, NULL, '2026-11-17 06:51:14.647214+00', NULL);

INSERT INTO postroom.disposition ("tenant_id", "message_id", "pipeline", "status", "rule", "because", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-3cdf-7da2-8689-8a2982dbbfc3', 'ap_invoices', 'filtered', 'no_document', 'The mail has no document with it.', '2026-11-17 06:49:10.60662+00');

INSERT INTO postroom.document ("id", "tenant_id", "message_id", "mailbox_id", "attachment_path", "filename", "content_type", "size", "sha256", "kind", "status", "because", "failure", "doubts", "extraction", "text_source", "pages", "source", "source_metadata", "sender_email", "received_at", "trust", "trust_because", "archive_path", "duplicate_of", "revision", "reviewed_by", "reviewed_at", "created_at", "updated_at", "forgotten_at", "archive_forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-6da4-78e8-b202-1379d4e8ce2c', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-3c3b-76b6-bfa0-4d82b590b1e6', '01a1e844-2608-7095-8d54-79182cc6c468', '2', 'Autumn-catalogue.pdf', 'application/pdf', '4160', '7e3db8d5c6f6c171b4de574e65890700a534ab2d8294cbc0da3a7392e3facf00', 'other', 'skipped', 'It says of itself that it is none (“not an invoice”).', NULL, '{}', '{"type": "other", "fields": {}, "trades": [], "because": "It says of itself that it is none (“not an invoice”).", "invoice": null, "auto_confirm": false}', 'text_layer', '2', 'backfill', '{"from": "hello@news.northlight.example", "subject": "🍂 Work where you feel well: up to 30% off", "provider": "gmail", "message_id": "1a1e844389a00000", "received_at": "2026-11-17T06:49:07.482000+00:00", "attachment_filename": "Autumn-catalogue.pdf"}', 'hello@news.northlight.example', '2026-11-17 06:49:07.482+00', 'authenticated', 'hello@news.northlight.example is genuine (DMARC passed for news.northlight.example), but not on your list of trusted senders.', NULL, NULL, '1', NULL, NULL, '2026-11-17 06:49:22.06799+00', '2026-11-17 06:49:22.06799+00', NULL, NULL);

INSERT INTO postroom.document ("id", "tenant_id", "message_id", "mailbox_id", "attachment_path", "filename", "content_type", "size", "sha256", "kind", "status", "because", "failure", "doubts", "extraction", "text_source", "pages", "source", "source_metadata", "sender_email", "received_at", "trust", "trust_because", "archive_path", "duplicate_of", "revision", "reviewed_by", "reviewed_at", "created_at", "updated_at", "forgotten_at", "archive_forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-7e61-701b-bb8d-64df5a08ef7b', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-3c50-71ad-8b43-84649144d867', '01a1e844-2426-7e68-ab9c-1e1505f2e91a', '2', 'Wertpapierabrechnung_20261117.pdf', 'application/pdf', '4864', '17681f335b60179e11c0f8ba024843c129a3de870963d81ea28f8743f911f758', 'contract_note', 'review', 'DMARC failed for hansekontor.example: the mail does not come from there.', NULL, '{}', '{"type": "contract_note", "fields": {"net": {"box": [467.4, 522.4, 511.9, 534.3], "page": 1, "value": "40986.61", "confidence": 0.9948}, "fees": {"box": [483.7, 444.9, 514.2, 483.5], "page": 1, "value": "114.27", "confidence": 0.9948}, "isin": {"box": [371.3, 309.4, 430.4, 319.4], "page": 1, "value": "DE0008404005", "confidence": 0.9967}, "name": {"box": [155.9, 309.4, 290.5, 319.4], "page": 1, "value": "Allianz SE vink.Namens-Aktien o.N", "confidence": 0.9967}, "gross": {"box": [474.2, 430.9, 514.2, 441.4], "page": 1, "value": "43149.39", "confidence": 0.9948}, "price": {"box": [175.7, 362.8, 208.3, 373.4], "page": 1, "value": "339.759", "confidence": 0.9948}, "taxes": {"box": [476.2, 487.0, 514.2, 511.5], "page": 1, "value": "2048.51", "confidence": 0.9948}, "currency": {"box": [514.6, 522.4, 535.7, 534.3], "page": 1, "value": "EUR", "confidence": 0.9959}, "quantity": {"box": [83.1, 309.4, 97.3, 319.4], "page": 1, "value": "127", "confidence": 0.9992}, "direction": {"box": [56.7, 262.7, 91.2, 274.4], "page": 1, "value": "SELL", "confidence": 0.998}, "trade_date": {"box": [175.7, 348.7, 220.8, 359.2], "page": 1, "value": "2026-11-17", "confidence": 0.9563}, "settlement_date": {"box": [175.7, 391.2, 220.8, 401.7], "page": 1, "value": "2026-11-19", "confidence": 0.9948}}, "trades": [{"net": "40986.61", "fees": "114.27", "isin": "DE0008404005", "name": "Allianz SE vink.Namens-Aktien o.N", "gross": "43149.39", "price": "339.759", "taxes": "2048.51", "ticker": null, "currency": "EUR", "quantity": "127", "direction": "SELL", "confidence": 0.961, "trade_date": "2026-11-17", "settlement_date": "2026-11-19"}], "because": "127 × 339.759 = 43149.39; with charges of 2162.78 it comes to 40986.61 EUR; one valid ISIN, days in order.", "invoice": null, "auto_confirm": true}', 'text_layer', '2', 'backfill', '{"from": "wertpapierservice@hansekontor.example", "subject": "DRINGEND: Ihre Wertpapierabrechnung vom 17.11.2026", "provider": "outlook", "message_id": "AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0AyAGo1FQZAAAAAAw=", "received_at": "2026-11-17T06:49:07+00:00", "attachment_filename": "Wertpapierabrechnung_20261117.pdf"}', 'wertpapierservice@hansekontor.example', '2026-11-17 06:49:07+00', 'spoofed', 'DMARC failed for hansekontor.example: the mail does not come from there.', 'archive/sender_email=wertpapierservice%40hansekontor%2Eexample/received_date=2026-11-17/8fbff6fd803ae571/Wertpapierabrechnung_20261117.pdf', NULL, '4', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:34.068401+00', '2026-11-17 06:49:25.771291+00', '2026-11-17 06:50:34.068401+00', NULL, NULL);

INSERT INTO postroom.document ("id", "tenant_id", "message_id", "mailbox_id", "attachment_path", "filename", "content_type", "size", "sha256", "kind", "status", "because", "failure", "doubts", "extraction", "text_source", "pages", "source", "source_metadata", "sender_email", "received_at", "trust", "trust_because", "archive_path", "duplicate_of", "revision", "reviewed_by", "reviewed_at", "created_at", "updated_at", "forgotten_at", "archive_forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-6afc-7304-853e-4366df9f2f1f', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-3c3b-7da0-b95b-b4b12455f8c2', '01a1e844-2608-7095-8d54-79182cc6c468', '2', 'Rechnung_RE-2026-3072.pdf', 'application/pdf', '47052', 'a8806a5d7b24aec2af84e8e6d0b9f62bdef4c9d960c470ec53aac9a785187d1d', 'invoice', 'confirmed', 'Read from the e-invoice inside the PDF. DMARC passed for brenner-buerotechnik.example, and rechnung@brenner-buerotechnik.example is on the allow-list.', NULL, '{}', '{"type": "invoice", "fields": {"iban": {"box": null, "page": null, "value": "DE92309994340870338583", "confidence": 1.0}, "buyer": {"box": null, "page": null, "value": "Larkspur Holdings GmbH", "confidence": 1.0}, "number": {"box": null, "page": null, "value": "RE-2026-3072", "confidence": 1.0}, "currency": {"box": null, "page": null, "value": "EUR", "confidence": 1.0}, "due_date": {"box": null, "page": null, "value": "2026-11-30", "confidence": 1.0}, "supplier": {"box": null, "page": null, "value": "Brenner & Söhne Bürotechnik GmbH", "confidence": 1.0}, "net_total": {"box": null, "page": null, "value": "511.96", "confidence": 1.0}, "tax_total": {"box": null, "page": null, "value": "97.27", "confidence": 1.0}, "issue_date": {"box": null, "page": null, "value": "2026-11-16", "confidence": 1.0}, "grand_total": {"box": null, "page": null, "value": "609.23", "confidence": 1.0}}, "trades": [], "because": "Read from the e-invoice inside the PDF.", "invoice": {"iban": "DE92309994340870338583", "buyer": "Larkspur Holdings GmbH", "lines": [{"total": "192.51", "quantity": "69", "tax_rate": "19", "unit_price": "2.79", "description": "Ordner breit, Hebelmechanik"}, {"total": "170.45", "quantity": "7", "tax_rate": "19", "unit_price": "24.35", "description": "Kopierpapier A4 80 g, Karton 2.500 Blatt"}, {"total": "149", "quantity": "1", "tax_rate": "19", "unit_price": "149", "description": "Wartungspauschale Drucker Etage 3"}], "number": "RE-2026-3072", "currency": "EUR", "due_date": "2026-11-30", "supplier": "Brenner & Söhne Bürotechnik GmbH", "net_total": "511.96", "tax_total": "97.27", "issue_date": "2026-11-16", "grand_total": "609.23"}, "auto_confirm": true}', 'text_layer', '1', 'backfill', '{"from": "rechnung@brenner-buerotechnik.example", "subject": "E-Rechnung RE-2026-3072", "provider": "gmail", "message_id": "1a1e844389900001", "received_at": "2026-11-17T06:49:07.481000+00:00", "attachment_filename": "Rechnung_RE-2026-3072.pdf"}', 'rechnung@brenner-buerotechnik.example', '2026-11-17 06:49:07.481+00', 'trusted', 'DMARC passed for brenner-buerotechnik.example, and rechnung@brenner-buerotechnik.example is on the allow-list.', 'archive/sender_email=rechnung%40brenner-buerotechnik%2Eexample/received_date=2026-11-17/6e87eed890072628/Rechnung_RE-2026-3072.pdf', NULL, '1', NULL, NULL, '2026-11-17 06:49:21.708749+00', '2026-11-17 06:49:21.708749+00', NULL, NULL);

INSERT INTO postroom.document ("id", "tenant_id", "message_id", "mailbox_id", "attachment_path", "filename", "content_type", "size", "sha256", "kind", "status", "because", "failure", "doubts", "extraction", "text_source", "pages", "source", "source_metadata", "sender_email", "received_at", "trust", "trust_because", "archive_path", "duplicate_of", "revision", "reviewed_by", "reviewed_at", "created_at", "updated_at", "forgotten_at", "archive_forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-6d21-7723-a149-b6d1bdec3a08', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-3c3b-77a3-80ee-217dba6a2f49', '01a1e844-2608-7095-8d54-79182cc6c468', '2', 'factuur-2026-6385.pdf', 'application/pdf', '3052', '10f39ffa3fb27817e068a0849e91ec4b2d2679b77a05fed4ded6accc28dc6437', 'invoice', 'review', 'First invoice from administratie@groenhof.example: check it once, the next will be quicker.', NULL, '{}', '{"type": "invoice", "fields": {"iban": {"box": [80.2, 521.8, 187.3, 532.3], "page": 1, "value": "NL59RABO3302214225", "confidence": 0.9333}, "buyer": {"box": [56.7, 200.8, 163.3, 211.9], "page": 1, "value": "Larkspur Holdings GmbH", "confidence": 0.8462}, "number": {"box": [56.7, 163.9, 102.1, 175.0], "page": 1, "value": "2026-6385", "confidence": 0.75}, "currency": {"box": [493.8, 447.4, 529.0, 461.1], "page": 1, "value": "EUR", "confidence": 0.9412}, "due_date": {"box": [109.7, 534.8, 155.7, 545.3], "page": 1, "value": "2026-11-30", "confidence": 0.9118}, "supplier": {"box": [340.2, 37.3, 434.6, 47.3], "page": 1, "value": "Groenhof Hoveniers B.V.", "confidence": 0.8571}, "net_total": {"box": [503.6, 398.3, 531.1, 408.8], "page": 1, "value": "685", "confidence": 0.9474}, "tax_total": {"box": [508.6, 412.3, 531.1, 422.8], "page": 1, "value": "91.84", "confidence": 0.9412}, "issue_date": {"box": [175.7, 163.9, 224.3, 175.0], "page": 1, "value": "2026-11-16", "confidence": 0.875}, "grand_total": {"box": [493.8, 447.4, 529.0, 461.1], "page": 1, "value": "776.84", "confidence": 0.9474}}, "trades": [], "because": "685 and 91.84 tax at 21 % and 9 % make 776.84 EUR; number and date are labelled; the IBAN''s check digits fit.", "invoice": {"iban": "NL59RABO3302214225", "buyer": "Larkspur Holdings GmbH", "lines": [{"total": "41", "quantity": "1", "tax_rate": "21", "unit_price": "41", "description": "Afvoer groenafval, per m³"}, {"total": "433.5", "quantity": "34", "tax_rate": "9", "unit_price": "12.75", "description": "Plantgoed daktuin"}, {"total": "175.5", "quantity": "3", "tax_rate": "21", "unit_price": "58.5", "description": "Onderhoud binnentuin, per uur"}, {"total": "35", "quantity": "1", "tax_rate": "21", "unit_price": "35", "description": "Voorrijkosten"}], "number": "2026-6385", "currency": "EUR", "due_date": "2026-11-30", "supplier": "Groenhof Hoveniers B.V.", "net_total": "685", "tax_total": "91.84", "issue_date": "2026-11-16", "grand_total": "776.84"}, "auto_confirm": true}', 'text_layer', '1', 'backfill', '{"from": "administratie@groenhof.example", "subject": "Factuur 2026-6385", "provider": "gmail", "message_id": "1a1e84438a800000", "received_at": "2026-11-17T06:49:07.496000+00:00", "attachment_filename": "factuur-2026-6385.pdf"}', 'administratie@groenhof.example', '2026-11-17 06:49:07.496+00', 'trusted', 'DMARC passed for groenhof.example, and administratie@groenhof.example is on the allow-list.', 'archive/sender_email=administratie%40groenhof%2Eexample/received_date=2026-11-17/4ebfcad73457d8de/factuur-2026-6385.pdf', NULL, '1', NULL, NULL, '2026-11-17 06:49:22.232706+00', '2026-11-17 06:49:22.232706+00', NULL, NULL);

INSERT INTO postroom.document_correction ("id", "tenant_id", "document_id", "trade_id", "invoice_id", "sender_email", "field", "before", "after", "page", "box", "corrected_by", "corrected_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-88bc-7405-9c85-bdba36e9e43c', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-7e61-701b-bb8d-64df5a08ef7b', '01a1e844-800b-71bb-a6ca-954dd27e0241', NULL, 'wertpapierservice@hansekontor.example', 'currency', 'EUR', 'CHF', '1', '[514.6, 522.4, 535.7, 534.3]', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:33.532305+00');

INSERT INTO postroom.document_decision ("document_id", "revision", "tenant_id", "did", "said", "actor", "decided_at", "before") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-7e61-701b-bb8d-64df5a08ef7b', '4', '01a1e844-2417-7e29-99be-e37568c99faa', 'undone', 'rejected', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:34.074049+00', NULL);

INSERT INTO postroom.document_tally ("tenant_id", "kind", "status", "count") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'other', 'skipped', '1');

INSERT INTO postroom.domain_key ("tenant_id", "key", "domain", "account_id") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'new', 'new.example', '01a1e845-8c4e-7c3e-a358-645e52392674');

INSERT INTO postroom.engagement ("id", "tenant_id", "account_id", "code", "code_key", "name", "status", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2831-769a-a7cd-a45af51c819c', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2808-7516-ba5f-c2e795c56f94', 'BOR-TD', 'BOR-TD', 'Team days', 'open', '2026-11-17 06:49:03.28171+00', '2026-11-17 06:49:03.28171+00');

INSERT INTO postroom.engagement ("id", "tenant_id", "account_id", "code", "code_key", "name", "status", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2831-7102-8d64-d702c52646ad', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2808-7c21-a174-550d61585c10', 'FON-WW', 'FON-WW', 'Writers'' week', 'open', '2026-11-17 06:49:03.28171+00', '2026-11-17 06:49:03.28171+00');

INSERT INTO postroom.event ("id", "tenant_id", "type", "mailbox_id", "thread_id", "message_id", "run_id", "fact_id", "payload", "occurred_at", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('3', '01a1e844-2417-7e29-99be-e37568c99faa', 'mail.processing.completed', '01a1e844-2426-7e68-ab9c-1e1505f2e91a', '01a1e844-537f-7c5e-ab76-5499a2cfaf2a', '01a1e844-3c50-735b-97c4-bbf20b818b53', '152.1', '772', '{"data": {"stage": "documents", "job_id": 152, "run_id": "152.1", "because": "It carries Zweitschrift.pdf.", "outcome": "processed", "job_kind": "documents.read", "thread_id": "01a1e844-537f-7c5e-ab76-5499a2cfaf2a", "message_id": "01a1e844-3c50-735b-97c4-bbf20b818b53", "provider_thread_id": "AAQkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQAQAyAGo1FQZAAAAABE=", "provider_message_id": "AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0AyAGo1FQZAAAAABE="}, "type": "mail.processing.completed", "provider": "outlook", "tenant_id": "01a1e844-2417-7e29-99be-e37568c99faa", "mailbox_id": "01a1e844-2426-7e68-ab9c-1e1505f2e91a", "occurred_at": "2026-11-17T06:51:14.566017Z", "received_at": "2026-11-17T06:51:14.566021+00:00", "correlation_id": "ab94a428-0bad-440e-9bca-c6d0b3e80d5f", "outlook_change_key": "CQAAABYAAADIAajUVBkAAAAAABE="}', '2026-11-17 06:51:14.566017+00', '2026-11-17 06:51:14.629012+00');

INSERT INTO postroom.event_cursor ("tenant_id", "xid", "id") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', '1839', '9223372036854775807');

INSERT INTO postroom.evidence_document ("id", "tenant_id", "name", "version", "is_current", "kind", "title", "language", "audience", "dated", "valid_from", "valid_until", "years", "body", "sha256", "snippets", "lines", "line_words", "created_by", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-8469-7065-b9f8-29ed2b582715', '01a1e844-2417-7e29-99be-e37568c99faa', 'house-rules.md', '1', 'true', 'markdown', 'House rules', 'en', 'public', '2026-03-01', NULL, NULL, '{2026}', '# House rules

Version of 1 March 2026.

Breakfast is served from 8:00 to 10:00.
', '01340c0dcdc2e825e84a0bfc00f4e7c36fdf17d649fc46b73172d5580a8805f2', '1', '1', '7', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:32.425884+00');

INSERT INTO postroom.evidence_document ("id", "tenant_id", "name", "version", "is_current", "kind", "title", "language", "audience", "dated", "valid_from", "valid_until", "years", "body", "sha256", "snippets", "lines", "line_words", "created_by", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-851b-7bfc-b8da-42472c8156ff', '01a1e844-2417-7e29-99be-e37568c99faa', 'house-rules-2025.md', '1', 'true', 'markdown', 'House rules', 'en', 'public', '2025-03-01', NULL, NULL, '{2025}', '# House rules

Version of 1 March 2025.

Breakfast is served from 7:00 to 9:00.
', 'b83004dc1fa99a7d505c2eb3b7a4164ab72d4bc0e274065e0fbaf76d5a174dd8', '1', '1', '7', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:32.603773+00');

INSERT INTO postroom.evidence_posting ("tenant_id", "source", "term", "snippet_id") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'paper', '=7', '01a1e845-8539-7d23-a189-15f434135eca');

INSERT INTO postroom.evidence_replacement ("tenant_id", "older", "newer", "effective_from") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', '01a1e845-851b-7bfc-b8da-42472c8156ff', '01a1e845-8469-7065-b9f8-29ed2b582715', '2026-03-01');

INSERT INTO postroom.evidence_snippet ("id", "tenant_id", "document_id", "number", "headings", "language", "lines") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-8539-7d23-a189-15f434135eca', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e845-851b-7bfc-b8da-42472c8156ff', '0', '{"House rules"}', 'en', '[{"raw": "Breakfast is served from 7:00 to 9:00.", "kind": "sentence", "text": "Breakfast is served from 7:00 to 9:00.", "cells": [], "group": 2, "label": "", "columns": [], "paragraph": 1}]');

INSERT INTO postroom.evidence_term ("tenant_id", "source", "term", "snippets") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'paper', '=7', '1');

INSERT INTO postroom.fact ("id", "xid", "told_at", "tenant_id", "kind", "mailbox_id", "thread_id", "message_id", "document_id", "job_id", "run_id", "correlation_id", "actor", "body", "digest") OVERRIDING SYSTEM VALUE VALUES
    ('1', '780', '2026-11-17 06:49:02.232003+00', '01a1e844-2417-7e29-99be-e37568c99faa', 'tenant.created', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'postroom', '{"name": "default"}',  E'\\x52ac9557c3345cdd897e96fd61869f1dd2b88b5bbafd591021a6092e504a1a26');

INSERT INTO postroom.gmail_watch_state ("mailbox_id", "tenant_id", "topic", "expiration_datetime", "status", "last_renewed_at", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2608-7095-8d54-79182cc6c468', '01a1e844-2417-7e29-99be-e37568c99faa', 'projects/demo/topics/mail', '2026-11-24 06:49:08.142+00', 'active', '2026-11-17 06:49:08.389733+00', '2026-11-17 06:49:08.38983+00', '2026-11-17 06:49:08.38983+00');

INSERT INTO postroom.idempotency ("tenant_id", "actor", "key", "request", "claim", "answer", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', 'k1',  E'\\x17d273ac7593320efc436b999ad522e167ec3403fd733cf876e6b31db7d10966', '01a1e845-8583-7eea-b1d5-5b3fd411cf2c',  E'\\x014314624d1f92abad5bfa6ab2e6e474fa5cc695252fd56ee7ec2922aa754b5ffcacb82080a465764a1147f622a3990f302682389948584ce525037da99c5b3c739cb0e2ee0b0fdc89f94966e851996899ca5145590f7f33ce592a27788e453e441af868ce71a851996268e2e54b64bc1166f412d8cc2c1d291914b6ce9e791dcf7609a406bd690a824a4b4dfd2f098918d04706eb5f0f805d1b32d17115d71a71b2e801c6f802d4cc7e86d2310cec09a21c451d86d5465a8810d5195b3c85ea685336be3597bce82f947f17657d487c5a3284ed', '2026-11-17 06:50:32.707491+00');

INSERT INTO postroom.invoice ("id", "tenant_id", "document_id", "status", "because", "number", "issue_date", "due_date", "supplier", "buyer", "currency", "net_total", "tax_total", "grand_total", "iban", "tax_by_rate", "confidence", "fields", "fingerprint", "instance", "duplicate_of", "confirmed_by", "confirmed_at", "corrected_by", "corrected_at", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-702c-7e75-914d-40d844ac26ec', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-6afc-7304-853e-4366df9f2f1f', 'confirmed', 'Read from the e-invoice inside the PDF. DMARC passed for brenner-buerotechnik.example, and rechnung@brenner-buerotechnik.example is on the allow-list.', 'RE-2026-3072', '2026-11-16', '2026-11-30', 'Brenner & Söhne Bürotechnik GmbH', 'Larkspur Holdings GmbH', 'EUR', '511.96', '97.27', '609.23', 'DE92309994340870338583', '{"19": "97.27"}', '1', '{"iban": {"box": null, "page": null, "value": "DE92309994340870338583", "confidence": 1.0}, "buyer": {"box": null, "page": null, "value": "Larkspur Holdings GmbH", "confidence": 1.0}, "number": {"box": null, "page": null, "value": "RE-2026-3072", "confidence": 1.0}, "currency": {"box": null, "page": null, "value": "EUR", "confidence": 1.0}, "due_date": {"box": null, "page": null, "value": "2026-11-30", "confidence": 1.0}, "supplier": {"box": null, "page": null, "value": "Brenner & Söhne Bürotechnik GmbH", "confidence": 1.0}, "net_total": {"box": null, "page": null, "value": "511.96", "confidence": 1.0}, "tax_total": {"box": null, "page": null, "value": "97.27", "confidence": 1.0}, "issue_date": {"box": null, "page": null, "value": "2026-11-16", "confidence": 1.0}, "grand_total": {"box": null, "page": null, "value": "609.23", "confidence": 1.0}}', '3de23a4049832e4368436f7eba313baec7529d72ee1b5753a6b6fbbb9846070a', '1', NULL, 'postroom', '2026-11-17 06:49:21.805918+00', NULL, NULL, '2026-11-17 06:49:21.805918+00', '2026-11-17 06:49:21.805918+00');

INSERT INTO postroom.invoice ("id", "tenant_id", "document_id", "status", "because", "number", "issue_date", "due_date", "supplier", "buyer", "currency", "net_total", "tax_total", "grand_total", "iban", "tax_by_rate", "confidence", "fields", "fingerprint", "instance", "duplicate_of", "confirmed_by", "confirmed_at", "corrected_by", "corrected_at", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-7238-7dc7-8578-cb5ab0d4898c', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-6d21-7723-a149-b6d1bdec3a08', 'review', 'First invoice from administratie@groenhof.example: check it once, the next will be quicker.', '2026-6385', '2026-11-16', '2026-11-30', 'Groenhof Hoveniers B.V.', 'Larkspur Holdings GmbH', 'EUR', '685.00', '91.84', '776.84', 'NL59RABO3302214225', '{"9": "39.02", "21": "52.82"}', '0.75', '{"iban": {"box": [80.2, 521.8, 187.3, 532.3], "page": 1, "value": "NL59RABO3302214225", "confidence": 0.9333}, "buyer": {"box": [56.7, 200.8, 163.3, 211.9], "page": 1, "value": "Larkspur Holdings GmbH", "confidence": 0.8462}, "number": {"box": [56.7, 163.9, 102.1, 175.0], "page": 1, "value": "2026-6385", "confidence": 0.75}, "currency": {"box": [493.8, 447.4, 529.0, 461.1], "page": 1, "value": "EUR", "confidence": 0.9412}, "due_date": {"box": [109.7, 534.8, 155.7, 545.3], "page": 1, "value": "2026-11-30", "confidence": 0.9118}, "supplier": {"box": [340.2, 37.3, 434.6, 47.3], "page": 1, "value": "Groenhof Hoveniers B.V.", "confidence": 0.8571}, "net_total": {"box": [503.6, 398.3, 531.1, 408.8], "page": 1, "value": "685", "confidence": 0.9474}, "tax_total": {"box": [508.6, 412.3, 531.1, 422.8], "page": 1, "value": "91.84", "confidence": 0.9412}, "issue_date": {"box": [175.7, 163.9, 224.3, 175.0], "page": 1, "value": "2026-11-16", "confidence": 0.875}, "grand_total": {"box": [493.8, 447.4, 529.0, 461.1], "page": 1, "value": "776.84", "confidence": 0.9474}}', '773d59aa46e8960b68899ee846282b8e4cd09bf3cad76d04bdca1b1c5ed6027a', '1', NULL, NULL, NULL, NULL, NULL, '2026-11-17 06:49:22.238866+00', '2026-11-17 06:49:22.238866+00');

INSERT INTO postroom.invoice_line ("invoice_id", "position", "tenant_id", "description", "quantity", "unit_price", "tax_rate", "total") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-7238-7dc7-8578-cb5ab0d4898c', '3', '01a1e844-2417-7e29-99be-e37568c99faa', 'Voorrijkosten', '1', '35', '21', '35');

INSERT INTO postroom.mailbox ("id", "tenant_id", "address", "provider", "access", "folder", "name", "status", "because", "paused_at", "told_person_at", "capability", "outage_since", "attention", "pipelines", "rules", "connection", "copilot", "operators", "connected_at", "disconnected_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2426-7e68-ab9c-1e1505f2e91a', '01a1e844-2417-7e29-99be-e37568c99faa', 'contract.notes@larkspur.example', 'outlook', 'app_only', 'Inbox', '', 'active', NULL, NULL, NULL, 'send', NULL, '{}', '{pad_contract_notes,ap_invoices}', '{}', '{}', 'off', '{}', '2026-11-17 06:49:02.246305+00', NULL);

INSERT INTO postroom.mailbox ("id", "tenant_id", "address", "provider", "access", "folder", "name", "status", "because", "paused_at", "told_person_at", "capability", "outage_since", "attention", "pipelines", "rules", "connection", "copilot", "operators", "connected_at", "disconnected_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-26de-75ea-b64d-7c20f9da43ba', '01a1e844-2417-7e29-99be-e37568c99faa', 'service@larkspur-retreats.example', 'outlook', 'app_only', 'Inbox', '', 'active', NULL, NULL, NULL, 'send', NULL, '{}', '{pad_contract_notes,ap_invoices}', '{}', '{}', 'labels', '{nora.feld@larkspur-retreats.example}', '2026-11-17 06:49:02.942547+00', NULL);

INSERT INTO postroom.mailbox ("id", "tenant_id", "address", "provider", "access", "folder", "name", "status", "because", "paused_at", "told_person_at", "capability", "outage_since", "attention", "pipelines", "rules", "connection", "copilot", "operators", "connected_at", "disconnected_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2608-7095-8d54-79182cc6c468', '01a1e844-2417-7e29-99be-e37568c99faa', 'accounts.payable@larkspur.example', 'gmail', 'delegated', 'Inbox', '', 'active', NULL, NULL, NULL, 'send', NULL, '{}', '{pad_contract_notes,ap_invoices}', '{}', '{}', 'off', '{}', '2026-11-17 06:49:02.770322+00', NULL);

INSERT INTO postroom.mailbox_cursor ("mailbox_id", "tenant_id", "cursor", "moved_at", "synced_at", "resync_since", "resync_page", "resync_cursor", "resync_found", "resync_attempts", "delivery", "silent_runs", "unlisted_since", "unlisted_till", "outgoing_cursor", "outgoing_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2608-7095-8d54-79182cc6c468', '01a1e844-2417-7e29-99be-e37568c99faa', '742534.742534.742534.', '2026-11-17 06:49:08.421383+00', '2026-11-17 06:53:00.268621+00', NULL, NULL, NULL, '0', '0', 'push', '0', NULL, NULL, NULL, NULL);

INSERT INTO postroom.mailbox_push ("mailbox_id", "tenant_id", "last_push_at", "pushes") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2608-7095-8d54-79182cc6c468', '01a1e844-2417-7e29-99be-e37568c99faa', '2026-11-17 06:49:08.616283+00', '1');

INSERT INTO postroom.mailbox_token ("mailbox_id", "tenant_id", "sealed", "updated_at", "refreshing_till") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2608-7095-8d54-79182cc6c468', '01a1e844-2417-7e29-99be-e37568c99faa',  E'\\x014314624d1f92abad8a87a8b8b43b0a2ecc089770a58ff3b2f9f61488f1f2e1bc22f7c0d84e7199c570c794ea2b35d5b1751077140f740ea67a2b18464ceb3d4753f14c850ab73cbcad4d6496ad5183e4e2c01bcdaf88dccaa3b9bbab2a853cf9c3ace2d2ba74fe9df49622f059e3625b225cd06026e4dff2b6ebb4493dbaea7d14388d0dc1483370ee6e251e5318c134ac81c791407d6c67470e24e49e1b9d9a3c3af1965aff07797d0a41767a3095104f15a1e815088f5f2b86349857d726c6851bef8f4b6f694b6010feda8ee2acaaae1d0480f209d64100a2af98c0ad38e8902991094dc45d6d0e067f8356439d78a4ca31c0f55453fb8d16bbf36da65d59911cba45b8c4bb69efd58ca7841505c7a85440e4070c252b3a93140528a4b1a4344cd57ea63f69c14d82bb48fa2d344d377c0e38f565aef8ec347e5bbf41f8b7259effb09c0ed58a2d26b840', '2026-11-17 06:49:02.74427+00', NULL);

INSERT INTO postroom.mapping ("id", "tenant_id", "message_id", "thread_id", "sender_email", "received_at", "account_id", "engagement_id", "work_item_id", "confidence", "status", "requires_triage", "reasons", "objections", "staleness", "candidates", "ignore_reason", "decided_by", "decided_at", "version", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-59da-75c4-81fa-c17a85c83f77', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-3cdf-7a7d-8750-760c4665bf10', '01a1e844-429c-7c81-85a1-74116bee4976', 'lucia.ibarra@gmail.com', '2026-11-17 06:49:07+00', NULL, NULL, NULL, '0.00', 'triage', 'true', '{}', '{"No account is likely."}', '{}', '[]', NULL, NULL, NULL, '3', '2026-11-17 06:49:15.994872+00', '2026-11-17 06:50:35.012292+00');

INSERT INTO postroom.mapping ("id", "tenant_id", "message_id", "thread_id", "sender_email", "received_at", "account_id", "engagement_id", "work_item_id", "confidence", "status", "requires_triage", "reasons", "objections", "staleness", "candidates", "ignore_reason", "decided_by", "decided_at", "version", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-629b-71bb-b0b2-cc9070309c7d', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-3cdf-75b2-a743-bcfeb24010d4', '01a1e844-429c-751b-9a2d-66791837899e', 'oskar.nystrom@gmail.com', '2026-11-17 06:49:07+00', '01a1e844-2808-7d4a-b4c5-5468f8298876', NULL, NULL, '1.00', 'confirmed', 'false', '{}', '{"No account is likely."}', '{}', '[]', NULL, 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:34.164117+00', '2', '2026-11-17 06:49:18.235095+00', '2026-11-17 06:50:34.171744+00');

INSERT INTO postroom.mapping_change ("id", "tenant_id", "mapping_id", "act_id", "action", "sender_email", "was_account_id", "account_id", "before", "after", "misled", "outcomes", "changed_by", "changed_at", "undone_by", "undone_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-8b3d-7ca1-8e54-826ff7cf19bd', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-629b-71bb-b0b2-cc9070309c7d', '01a1e845-8b34-7e8a-9e61-063808f29578', 'confirm', 'oskar.nystrom@gmail.com', NULL, '01a1e844-2808-7d4a-b4c5-5468f8298876', '{"status": "triage", "account_id": null, "confidence": "0.00", "decided_at": null, "decided_by": null, "work_item_id": null, "engagement_id": null, "ignore_reason": null, "requires_triage": true}', '{"status": "confirmed", "account_id": "01a1e844-2808-7d4a-b4c5-5468f8298876", "confidence": "1.00", "decided_at": "2026-11-17T06:50:34.164117Z", "decided_by": "key:att:01a1e844-81a8-7fcc-a35e-2533c0368990", "work_item_id": null, "engagement_id": null, "ignore_reason": null, "requires_triage": false}', '{}', '[]', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:34.173554+00', NULL, NULL);

INSERT INTO postroom.mapping_policy ("tenant_id", "threshold", "staleness_days", "multi_account_penalty", "mixed_thread_penalty", "subject_penalty", "stale_penalty", "silent_after_days", "left_out", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', '0.85', '90', '0.25', '0.35', '0.15', '0.30', '365', '{01a1e844-2426-7e68-ab9c-1e1505f2e91a,01a1e844-2608-7095-8d54-79182cc6c468}', '2026-11-17 06:50:34.3366+00');

INSERT INTO postroom.message ("id", "tenant_id", "mailbox_id", "provider_message_id", "state", "because", "source", "thread_id", "internet_message_id", "sender_email", "sender_name", "recipients", "subject", "snippet", "body", "body_html", "headers", "labels", "attachments", "enclosed_text", "automatic", "automatic_because", "trust", "trust_because", "version", "size", "content_hash", "received_at", "announced_at", "arrived_at", "removed_at", "forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-3cdf-7da2-8689-8a2982dbbfc3', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-26de-75ea-b64d-7c20f9da43ba', 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0ALq9WzFJGAAAAAAs=', 'arrived', NULL, 'push', '01a1e844-429c-70cb-8a50-1a57cbc38604', '<0cc7a247fb980ee6.fc2175@acme.example>', 'b.achterberg@acme.example', 'Ben Achterberg', '{"cc": ["Anna Kowalski <anna.kowalski@acme.example>"], "to": ["Larkspur Retreats Service <service@larkspur-retreats.example>", "Jonas Petersen <j.petersen@borealis.example>"], "bcc": [], "reply_to": []}', 'Joint workshop in May [ACME-1050]', 'Hi all, can we move the workshop to the large room? Jonas''s team would join us. Ben', 'Hi all,

can we move the workshop to the large room? Jonas''s team would join us.

Ben', '<html><head><meta charset="utf-8"></head><body style="font-family:Calibri,sans-serif"><p>Hi all,</p><p>can we move the workshop to the large room? Jonas&#x27;s team would join us.</p><p>Ben</p></body></html>
', '{"cc": ["Anna Kowalski <anna.kowalski@acme.example>"], "to": ["Larkspur Retreats Service <service@larkspur-retreats.example>, Jonas Petersen <j.petersen@borealis.example>"], "date": ["Tue, 17 Nov 2026 06:49:29 +0000"], "from": ["Ben Achterberg <b.achterberg@acme.example>"], "authentication-results": ["spf=pass (sender IP is 203.0.113.140) smtp.mailfrom=acme.example; dkim=pass (signature was verified) header.d=acme.example; dmarc=pass action=none header.from=acme.example;compauth=pass reason=100"]}', '{INBOX,"Inbox Copilot/Needs review"}', '[]', NULL, NULL, NULL, 'authenticated', 'DMARC passed for acme.example.', 'CQAAABYAAAAur1bMUkYAAAAAABo=', '1790', 'b65f9863ca9d21a0ca5212fc6596e13c386dbd0756a5070f0e6438b4d6174468', '2026-11-17 06:49:07+00', '2026-11-17 06:49:08.575168+00', '2026-11-17 06:49:10.044317+00', NULL, NULL);

INSERT INTO postroom.message ("id", "tenant_id", "mailbox_id", "provider_message_id", "state", "because", "source", "thread_id", "internet_message_id", "sender_email", "sender_name", "recipients", "subject", "snippet", "body", "body_html", "headers", "labels", "attachments", "enclosed_text", "automatic", "automatic_because", "trust", "trust_because", "version", "size", "content_hash", "received_at", "announced_at", "arrived_at", "removed_at", "forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-3c3b-76b6-bfa0-4d82b590b1e6', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2608-7095-8d54-79182cc6c468', '1a1e844389a00000', 'arrived', NULL, 'reconcile', '01a1e844-5243-7dc0-924a-b800f58873cc', '<231bcd9b25a8a382.d931cc@news.northlight.example>', 'hello@news.northlight.example', 'Studio Northlight', '{"cc": [], "to": ["Accounts Payable <accounts.payable@larkspur.example>"], "bcc": [], "reply_to": []}', '🍂 Work where you feel well: up to 30% off', 'Hello, autumn is here, and with it our new collection: desks from €489, chairs from €259. The catalogue is attached. Warmly, Studio Northlight Unsubscribe: https://northlight.example/unsubscribe', 'Hello,

autumn is here, and with it our new collection: desks from €489, chairs from €259. The catalogue is attached.

Warmly, Studio Northlight

Unsubscribe: https://northlight.example/unsubscribe', '<html><head><meta charset="utf-8"></head><body style="font-family:Calibri,sans-serif"><p>Hello,</p><p>autumn is here, and with it our new collection: desks from €489, chairs from €259. The catalogue is attached.</p><p>Warmly, Studio Northlight</p><p>Unsubscribe: https://northlight.example/unsubscribe</p></body></html>
', '{"to": ["Accounts Payable <accounts.payable@larkspur.example>"], "date": ["Tue, 17 Nov 2026 06:49:04 +0000"], "from": ["Studio Northlight <hello@news.northlight.example>"], "precedence": ["bulk"], "list-unsubscribe": ["<https://northlight.example/unsubscribe>"], "authentication-results": ["mx.google.com; dkim=pass header.i=@news.northlight.example header.s=s1 header.b=79840a8c; spf=pass (google.com: domain of hello@news.northlight.example designates 203.0.113.175 as permitted sender) smtp.mailfrom=hello@news.northlight.example; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=news.northlight.example"]}', '{CATEGORY_PERSONAL,INBOX,UNREAD}', '[{"path": ["2"], "size": 4160, "type": "application/pdf", "inline": false, "sha256": "7e3db8d5c6f6c171b4de574e65890700a534ab2d8294cbc0da3a7392e3facf00", "filename": "Autumn-catalogue.pdf"}]', NULL, 'bulk', 'Sent in bulk (Precedence).', 'authenticated', 'DMARC passed for news.northlight.example.', '742351', '8103', '0793b3aeaa4a3c17306623e60ed863716cde1d1a62c4bc12482829e40f624a54', '2026-11-17 06:49:07.482+00', '2026-11-17 06:49:08.411024+00', '2026-11-17 06:49:12.571886+00', NULL, NULL);

INSERT INTO postroom.message ("id", "tenant_id", "mailbox_id", "provider_message_id", "state", "because", "source", "thread_id", "internet_message_id", "sender_email", "sender_name", "recipients", "subject", "snippet", "body", "body_html", "headers", "labels", "attachments", "enclosed_text", "automatic", "automatic_because", "trust", "trust_because", "version", "size", "content_hash", "received_at", "announced_at", "arrived_at", "removed_at", "forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-3c50-71ad-8b43-84649144d867', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2426-7e68-ab9c-1e1505f2e91a', 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0AyAGo1FQZAAAAAAw=', 'arrived', NULL, 'reconcile', '01a1e844-537f-7f36-9772-bdbee5a10885', '<203fbb80f70c82e1.239b3b@hansekontor.example>', 'wertpapierservice@hansekontor.example', 'Hansekontor Bank Wertpapierservice', '{"cc": [], "to": ["Contract Notes <contract.notes@larkspur.example>"], "bcc": [], "reply_to": []}', 'DRINGEND: Ihre Wertpapierabrechnung vom 17.11.2026', 'Sehr geehrte Frau Brandt, anbei erhalten Sie die Abrechnung zu Allianz SE vink.Namens-Aktien o.N. (DE0008404005). Für Rückfragen erreichen Sie uns montags bis freitags von 8 bis 18 Uhr. Mit freundlich', 'Sehr geehrte Frau Brandt,

anbei erhalten Sie die Abrechnung zu Allianz SE vink.Namens-Aktien o.N. (DE0008404005).

Für Rückfragen erreichen Sie uns montags bis freitags von 8 bis 18 Uhr.

Mit freundlichen Grüßen
Ihr Wertpapierservice

-- 
Hansekontor Bank AG, Ballindamm 37, 20095 Hamburg
Diese Nachricht wurde automatisch erzeugt.

Bitte beachten Sie unsere neue Bankverbindung.', '<html><head><meta charset="utf-8"></head><body style="font-family:Calibri,sans-serif"><p>Sehr geehrte Frau Brandt,</p><p>anbei erhalten Sie die Abrechnung zu Allianz SE vink.Namens-Aktien o.N. (DE0008404005).</p><p>Für Rückfragen erreichen Sie uns montags bis freitags von 8 bis 18 Uhr.</p><p>Mit freundlichen Grüßen<br>Ihr Wertpapierservice</p><p>-- <br>Hansekontor Bank AG, Ballindamm 37, 20095 Hamburg<br>Diese Nachricht wurde automatisch erzeugt.</p><p>Bitte beachten Sie unsere neue Bankverbindung.</p></body></html>
', '{"to": ["Contract Notes <contract.notes@larkspur.example>"], "date": ["Tue, 17 Nov 2026 06:49:27 +0000"], "from": ["Hansekontor Bank Wertpapierservice <wertpapierservice@hansekontor.example>"], "authentication-results": ["spf=fail (sender IP is 203.0.113.190) smtp.mailfrom=bulk-relay.example; dkim=none (message not signed) header.d=none; dmarc=fail action=oreject header.from=hansekontor.example;compauth=fail reason=000"]}', '{INBOX}', '[{"path": ["2"], "size": 4864, "type": "application/pdf", "inline": false, "sha256": "17681f335b60179e11c0f8ba024843c129a3de870963d81ea28f8743f911f758", "filename": "Wertpapierabrechnung_20261117.pdf"}]', NULL, NULL, NULL, 'spoofed', 'DMARC failed for hansekontor.example: the mail does not come from there.', 'CQAAABYAAADIAajUVBkAAAAAAAw=', '9444', '482e2519faa1a96818ecdde8e43df04ab08b3ab829eb28b0f0569899e5d7ad3c', '2026-11-17 06:49:07+00', '2026-11-17 06:49:08.432187+00', '2026-11-17 06:49:14.367423+00', NULL, NULL);

INSERT INTO postroom.message ("id", "tenant_id", "mailbox_id", "provider_message_id", "state", "because", "source", "thread_id", "internet_message_id", "sender_email", "sender_name", "recipients", "subject", "snippet", "body", "body_html", "headers", "labels", "attachments", "enclosed_text", "automatic", "automatic_because", "trust", "trust_because", "version", "size", "content_hash", "received_at", "announced_at", "arrived_at", "removed_at", "forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-3c3b-7da0-b95b-b4b12455f8c2', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2608-7095-8d54-79182cc6c468', '1a1e844389900001', 'arrived', NULL, 'reconcile', '01a1e844-521d-7da3-a14a-2dc1f2c325ed', '<9b9406491e66f32a.525152@brenner-buerotechnik.example>', 'rechnung@brenner-buerotechnik.example', 'Brenner & Söhne Bürotechnik GmbH', '{"cc": [], "to": ["Accounts Payable <accounts.payable@larkspur.example>"], "bcc": [], "reply_to": []}', 'E-Rechnung RE-2026-3072', 'Sehr geehrte Damen und Herren, anbei erhalten Sie unsere Rechnung RE-2026-3072 über 609,23 EUR mit der Bitte um Begleichung bis zum 30.11.2026. Mit freundlichen Grüßen Brenner & Söhne Bürotechnik GmbH', 'Sehr geehrte Damen und Herren,

anbei erhalten Sie unsere Rechnung RE-2026-3072 über 609,23 EUR mit der Bitte um Begleichung bis zum 30.11.2026.

Mit freundlichen Grüßen
Brenner & Söhne Bürotechnik GmbH

Diese Rechnung ist eine E-Rechnung im Format ZUGFeRD (EN 16931).', '<html><head><meta charset="utf-8"></head><body style="font-family:Calibri,sans-serif"><p>Sehr geehrte Damen und Herren,</p><p>anbei erhalten Sie unsere Rechnung RE-2026-3072 über 609,23 EUR mit der Bitte um Begleichung bis zum 30.11.2026.</p><p>Mit freundlichen Grüßen<br>Brenner &amp; Söhne Bürotechnik GmbH</p><p>Diese Rechnung ist eine E-Rechnung im Format ZUGFeRD (EN 16931).</p></body></html>
', '{"to": ["Accounts Payable <accounts.payable@larkspur.example>"], "date": ["Tue, 17 Nov 2026 06:49:00 +0000"], "from": ["Brenner & Söhne Bürotechnik GmbH <rechnung@brenner-buerotechnik.example>"], "authentication-results": ["mx.google.com; dkim=pass header.i=@brenner-buerotechnik.example header.s=s1 header.b=eae2d9c2; spf=pass (google.com: domain of rechnung@brenner-buerotechnik.example designates 203.0.113.115 as permitted sender) smtp.mailfrom=rechnung@brenner-buerotechnik.example; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=brenner-buerotechnik.example"]}', '{CATEGORY_PERSONAL,INBOX,UNREAD}', '[{"path": ["2"], "size": 47052, "type": "application/pdf", "inline": false, "sha256": "a8806a5d7b24aec2af84e8e6d0b9f62bdef4c9d960c470ec53aac9a785187d1d", "filename": "Rechnung_RE-2026-3072.pdf"}]', NULL, NULL, NULL, 'authenticated', 'DMARC passed for brenner-buerotechnik.example.', '742331', '66954', 'a92fbc9e17cec2156045d3e071afdf5060247401ce5a8d900328881de648e2e3', '2026-11-17 06:49:07.481+00', '2026-11-17 06:49:08.411024+00', '2026-11-17 06:49:12.571886+00', NULL, NULL);

INSERT INTO postroom.message ("id", "tenant_id", "mailbox_id", "provider_message_id", "state", "because", "source", "thread_id", "internet_message_id", "sender_email", "sender_name", "recipients", "subject", "snippet", "body", "body_html", "headers", "labels", "attachments", "enclosed_text", "automatic", "automatic_because", "trust", "trust_because", "version", "size", "content_hash", "received_at", "announced_at", "arrived_at", "removed_at", "forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-3c3b-77a3-80ee-217dba6a2f49', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2608-7095-8d54-79182cc6c468', '1a1e84438a800000', 'arrived', NULL, 'reconcile', '01a1e844-5243-77d1-90a6-66dec5f7f481', '<92e0c0beacb43272.215be5@groenhof.example>', 'administratie@groenhof.example', 'Groenhof Hoveniers B.V.', '{"cc": [], "to": ["Accounts Payable <accounts.payable@larkspur.example>"], "bcc": [], "reply_to": []}', 'Factuur 2026-6385', 'Geachte heer/mevrouw, Hierbij ontvangt u onze factuur 2026-6385 ter hoogte van 776,84 EUR. Graag betaling vóór 30-11-2026. Met vriendelijke groet, Groenhof Hoveniers B.V.', 'Geachte heer/mevrouw,

Hierbij ontvangt u onze factuur 2026-6385 ter hoogte van 776,84 EUR. Graag betaling vóór 30-11-2026.

Met vriendelijke groet,
Groenhof Hoveniers B.V.', '<html><head><meta charset="utf-8"></head><body style="font-family:Calibri,sans-serif"><p>Geachte heer/mevrouw,</p><p>Hierbij ontvangt u onze factuur 2026-6385 ter hoogte van 776,84 EUR. Graag betaling vóór 30-11-2026.</p><p>Met vriendelijke groet,<br>Groenhof Hoveniers B.V.</p></body></html>
',  E'{"to": ["Accounts Payable <accounts.payable@larkspur.example>"], "date": ["Tue, 17 Nov 2026 06:49:28 +0000"], "from": ["\\"Groenhof Hoveniers B.V.\\" <administratie@groenhof.example>"], "authentication-results": ["mx.google.com; dkim=pass header.i=@groenhof.example header.s=s1 header.b=228034a8; spf=pass (google.com: domain of administratie@groenhof.example designates 203.0.113.24 as permitted sender) smtp.mailfrom=administratie@groenhof.example; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=groenhof.example"]}', '{CATEGORY_PERSONAL,INBOX,UNREAD}', '[{"path": ["2"], "size": 3052, "type": "application/pdf", "inline": false, "sha256": "10f39ffa3fb27817e068a0849e91ec4b2d2679b77a05fed4ded6accc28dc6437", "filename": "factuur-2026-6385.pdf"}]', NULL, NULL, NULL, 'authenticated', 'DMARC passed for groenhof.example.', '742438', '6357', 'd4e0ee466e7fed7ac3d53a944584800cd02f1322ce5f64091a85501cfb2f265c', '2026-11-17 06:49:07.496+00', '2026-11-17 06:49:08.411024+00', '2026-11-17 06:49:12.571886+00', NULL, NULL);

INSERT INTO postroom.message ("id", "tenant_id", "mailbox_id", "provider_message_id", "state", "because", "source", "thread_id", "internet_message_id", "sender_email", "sender_name", "recipients", "subject", "snippet", "body", "body_html", "headers", "labels", "attachments", "enclosed_text", "automatic", "automatic_because", "trust", "trust_because", "version", "size", "content_hash", "received_at", "announced_at", "arrived_at", "removed_at", "forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-3cdf-7a7d-8750-760c4665bf10', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-26de-75ea-b64d-7c20f9da43ba', 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0ALq9WzFJGAAAAAAQ=', 'arrived', NULL, 'push', '01a1e844-429c-7c81-85a1-74116bee4976', '<6db239b386a219ef.008dbc@gmail.com>', 'lucia.ibarra@gmail.com', 'Lucía Ibarra', '{"cc": [], "to": ["Larkspur Retreats Service <service@larkspur-retreats.example>"], "bcc": [], "reply_to": []}', 'Copia de la factura de septiembre', 'Buenos días: ¿Podrían enviarme una copia de la factura de mi estancia de septiembre? No la encuentro. Gracias, Lucía Ibarra', 'Buenos días:

¿Podrían enviarme una copia de la factura de mi estancia de septiembre? No la encuentro.

Gracias, Lucía Ibarra', '<html><head><meta charset="utf-8"></head><body style="font-family:Calibri,sans-serif"><p>Buenos días:</p><p>¿Podrían enviarme una copia de la factura de mi estancia de septiembre? No la encuentro.</p><p>Gracias, Lucía Ibarra</p></body></html>
', '{"to": ["Larkspur Retreats Service <service@larkspur-retreats.example>"], "date": ["Tue, 17 Nov 2026 06:49:05 +0000"], "from": ["Lucía Ibarra <lucia.ibarra@gmail.com>"], "authentication-results": ["spf=pass (sender IP is 203.0.113.126) smtp.mailfrom=gmail.com; dkim=pass (signature was verified) header.d=gmail.com; dmarc=pass action=none header.from=gmail.com;compauth=pass reason=100"]}', '{INBOX,"Inbox Copilot/Ready"}', '[]', NULL, NULL, NULL, 'authenticated', 'DMARC passed for gmail.com.', 'CQAAABYAAAAur1bMUkYAAAAAABw=', '1818', 'd335fd45975bd205472b84d19232fbe6326df7f776785d53ce1420d2d6f8f0e4', '2026-11-17 06:49:07+00', '2026-11-17 06:49:08.575168+00', '2026-11-17 06:49:10.044317+00', NULL, NULL);

INSERT INTO postroom.message ("id", "tenant_id", "mailbox_id", "provider_message_id", "state", "because", "source", "thread_id", "internet_message_id", "sender_email", "sender_name", "recipients", "subject", "snippet", "body", "body_html", "headers", "labels", "attachments", "enclosed_text", "automatic", "automatic_because", "trust", "trust_because", "version", "size", "content_hash", "received_at", "announced_at", "arrived_at", "removed_at", "forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-3cdf-75b2-a743-bcfeb24010d4', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-26de-75ea-b64d-7c20f9da43ba', 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0ALq9WzFJGAAAAAAo=', 'arrived', NULL, 'push', '01a1e844-429c-751b-9a2d-66791837899e', '<78c93f02654c34d5.b12456@gmail.com>', 'oskar.nystrom@gmail.com', 'Oskar Nyström', '{"cc": [], "to": ["Larkspur Retreats Service <service@larkspur-retreats.example>"], "bcc": [], "reply_to": []}', 'wifi?', 'Hej, is the wifi free? /Oskar', 'Hej, is the wifi free? /Oskar

Sent from my phone', NULL, '{"to": ["Larkspur Retreats Service <service@larkspur-retreats.example>"], "date": ["Tue, 17 Nov 2026 06:49:27 +0000"], "from": ["Oskar Nyström <oskar.nystrom@gmail.com>"], "authentication-results": ["spf=pass (sender IP is 203.0.113.241) smtp.mailfrom=gmail.com; dkim=pass (signature was verified) header.d=gmail.com; dmarc=pass action=none header.from=gmail.com;compauth=pass reason=100"]}', '{INBOX,"Inbox Copilot/Ready"}', '[]', NULL, NULL, NULL, 'authenticated', 'DMARC passed for gmail.com.', 'CQAAABYAAAAur1bMUkYAAAAAACM=', '1123', 'e522f2454f74e1d71327a49569227a041b2d0a07802b3c6b90e05a93f8374b6e', '2026-11-17 06:49:07+00', '2026-11-17 06:49:08.575168+00', '2026-11-17 06:49:10.044317+00', NULL, NULL);

INSERT INTO postroom.booking ("id", "tenant_id", "document_id", "position", "kind", "status", "because", "entry", "confidence", "fields", "fingerprint", "instance", "confirmed_by", "confirmed_at", "corrected_by", "corrected_at", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-7f01-7a2b-9c11-5d0e6a1b2c3d', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-6da4-78e8-b202-1379d4e8ce2c', '0', 'dividend', 'review', 'It tells of a dividend or distribution.', '{"isin": "DE0008404005", "net": "150.37", "currency": "EUR", "pay_date": "2026-11-16"}', '0.81', '{}', NULL, '1', NULL, NULL, NULL, NULL, '2026-11-17 06:49:20+00', '2026-11-17 06:49:20+00');

INSERT INTO postroom.gate_verdict ("document_id", "tenant_id", "mailbox_id", "pipeline", "sender_email", "mode", "stated", "clear", "passed", "because", "received_at", "judged_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-6afc-7304-853e-4366df9f2f1f', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2608-7095-8d54-79182cc6c468', 'ap_invoices', 'rechnung@supplier.example', 'on', '1', 't', 't', 'Read from the e-invoice inside the PDF.', '2026-11-17 06:49:07+00', '2026-11-17 06:49:20+00');

INSERT INTO postroom.pdf_password ("id", "tenant_id", "label", "sealed", "created_by", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-251c-7133-8868-6cbc91c008c7', '01a1e844-2417-7e29-99be-e37568c99faa', 'Sample 1',  E'\\x014314624d1f92abad613159bef47bc7dda709b6b7b1a10050515203331b54178858e599af9c7b4977ca109fd269b6b51f6a', 'demo', '2026-11-17 06:49:02.492898+00');

INSERT INTO postroom.pending_order ("id", "tenant_id", "external_id", "username", "isin", "ticker", "name", "direction", "quantity", "filled", "limit_price", "currency", "placed_on", "status", "created_by", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2561-7ff1-baa6-6ce27ca4cdee', '01a1e844-2417-7e29-99be-e37568c99faa', 'ldeburna-20261117-NL0000235190-SELL-77', 'ldeburna', 'NL0000235190', NULL, 'AIRBUS SE', 'SELL', '77', '77', NULL, NULL, '2026-11-17', 'filled', 'demo', '2026-11-17 06:49:02.561921+00', '2026-11-17 06:49:24.557543+00');

INSERT INTO postroom.person ("id", "tenant_id", "email", "name", "role", "password_hash", "oidc_subject", "disabled_at", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-3858-763d-9825-c0d2226a61be', '01a1e844-2417-7e29-99be-e37568c99faa', 'admin@localhost', 'Administrator', 'admin', NULL, NULL, NULL, '2026-11-17 06:49:07.395906+00');

INSERT INTO postroom.provider_quota ("mailbox_id", "units", "at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2608-7095-8d54-79182cc6c468', '3800', '2026-11-17 06:49:20.851641+00');

INSERT INTO postroom.provider_slot ("mailbox_id", "slot", "holder", "till") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2426-7e68-ab9c-1e1505f2e91a', '0', NULL, '-infinity');

INSERT INTO postroom.seal ("tenant_id", "number", "from_xid", "upto_xid", "facts", "root", "link", "chain", "key_id", "sealed_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', '1', '0', '916', '62',  E'\\x940a90d22816676979c4620213c4f3eae8d49a5bbb14eead0279b9e1f40ab207',  E'\\x897f3b13b275233e4d27457530da06d1a9f072f4281004405c749d98de36feb7',  E'\\xda4ad02e0a7440f8501caf2697db43cdd5c3ad9bc5a1c5cf315eb902b1bdd0a8',  E'\\x4314624d1f92abad', '2026-11-17 06:49:07.714231+00');

INSERT INTO postroom.sender_choice ("id", "tenant_id", "sender_email", "account_id", "engagement_id", "reason", "act_id", "chosen_by", "chosen_at", "ended_act", "ended_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-8b9f-72e4-97a5-3bd9fe904144', '01a1e844-2417-7e29-99be-e37568c99faa', 't.vermeulen@bridgework-consulting.example', NULL, NULL, 'A newsletter.', '01a1e845-8b8d-74ff-abb8-fb6dcd6f6a81', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:34.264014+00', NULL, NULL);

INSERT INTO postroom.sender_profile ("tenant_id", "sender_email", "profile", "learnt_from", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'wertpapierservice@hansekontor.example', '{"labels": {}, "trades_on_settlement_day": false}', '01a1e844-7e61-701b-bb8d-64df5a08ef7b', '2026-11-17 06:50:34.019972+00');

INSERT INTO postroom.sender_rule ("id", "tenant_id", "pipeline", "entry", "created_by", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-24e0-7c3d-b7b1-a613587bd655', '01a1e844-2417-7e29-99be-e37568c99faa', 'ap_invoices', 'titres@berault.example', 'demo', '2026-11-17 06:49:02.43218+00');

INSERT INTO postroom.signin_link ("digest", "tenant_id", "person_id", "expires_at") OVERRIDING SYSTEM VALUE VALUES
    ( E'\\xac571def5646d718f5f02b3c8543d95d390330b784b59d85bde1dd45979e2486', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-3858-763d-9825-c0d2226a61be', '2026-11-17 07:04:07.42441+00');

INSERT INTO postroom.tenant ("tenant_id", "name", "policy", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', 'default', '{"retention": {"messages": 400}}', '2026-11-17 06:49:02.232003+00');

INSERT INTO postroom.tenant_topic ("id", "tenant_id", "name", "counts_as", "words", "created_by", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-860a-7e6a-97a3-17a8496131d8', '01a1e844-2417-7e29-99be-e37568c99faa', 'Boats', 'safety', '{boat}', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:32.843002+00');

INSERT INTO postroom.thread ("id", "tenant_id", "mailbox_id", "provider_thread_id", "subject", "messages", "last_message_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-429c-70cb-8a50-1a57cbc38604', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-26de-75ea-b64d-7c20f9da43ba', 'AAQkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQAQALq9WzFJGAAAAAAo=', 'Re: Joint workshop in May - and the invoice for April', '2', '2026-11-17 06:49:07+00');

INSERT INTO postroom.thread ("id", "tenant_id", "mailbox_id", "provider_thread_id", "subject", "messages", "last_message_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-5243-7dc0-924a-b800f58873cc', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2608-7095-8d54-79182cc6c468', '1a1e844389a00000', '🍂 Work where you feel well: up to 30% off', '1', '2026-11-17 06:49:07.482+00');

INSERT INTO postroom.thread ("id", "tenant_id", "mailbox_id", "provider_thread_id", "subject", "messages", "last_message_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-537f-7f36-9772-bdbee5a10885', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2426-7e68-ab9c-1e1505f2e91a', 'AAQkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQAQAyAGo1FQZAAAAAAw=', 'DRINGEND: Ihre Wertpapierabrechnung vom 17.11.2026', '1', '2026-11-17 06:49:07+00');

INSERT INTO postroom.thread ("id", "tenant_id", "mailbox_id", "provider_thread_id", "subject", "messages", "last_message_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-521d-7da3-a14a-2dc1f2c325ed', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2608-7095-8d54-79182cc6c468', '1a1e844389900001', 'E-Rechnung RE-2026-3072', '1', '2026-11-17 06:49:07.481+00');

INSERT INTO postroom.thread ("id", "tenant_id", "mailbox_id", "provider_thread_id", "subject", "messages", "last_message_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-5243-77d1-90a6-66dec5f7f481', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2608-7095-8d54-79182cc6c468', '1a1e84438a800000', 'Factuur 2026-6385', '1', '2026-11-17 06:49:07.496+00');

INSERT INTO postroom.thread ("id", "tenant_id", "mailbox_id", "provider_thread_id", "subject", "messages", "last_message_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-429c-7c81-85a1-74116bee4976', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-26de-75ea-b64d-7c20f9da43ba', 'AAQkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQAQALq9WzFJGAAAAAAQ=', 'Copia de la factura de septiembre', '1', '2026-11-17 06:49:07+00');

INSERT INTO postroom.thread ("id", "tenant_id", "mailbox_id", "provider_thread_id", "subject", "messages", "last_message_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-429c-751b-9a2d-66791837899e', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-26de-75ea-b64d-7c20f9da43ba', 'AAQkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQAQALq9WzFJGAAAAAAk=', 'wifi?', '1', '2026-11-17 06:49:07+00');

INSERT INTO postroom.thread ("id", "tenant_id", "mailbox_id", "provider_thread_id", "subject", "messages", "last_message_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-429c-78bd-ae6a-09e03a27473d', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-26de-75ea-b64d-7c20f9da43ba', 'AAQkAGI2NGVhZTVlLTI1OGMtNDI4My1iZmE5LTA5OGJiZGEzMTc0YQAQALq9WzFJGAAAAAAg=', 'Automatic reply: Your booking confirmation', '1', '2026-11-17 06:49:07+00');

INSERT INTO postroom.thread_state ("thread_id", "tenant_id", "mailbox_id", "reference_code", "state", "action", "reason", "because", "language", "matched", "analysis", "model", "channel_id", "channel_because", "error_code", "newest_message_id", "newest_ref", "newest_at", "newest_from", "operators_seen", "inputs", "label", "label_intended", "label_refs", "label_by_person", "settled", "assigned_to", "not_for_us_at", "not_for_us_by", "done_at", "snoozed_till", "decided_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-429c-78bd-ae6a-09e03a27473d', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-26de-75ea-b64d-7c20f9da43ba', 'PR-TUCA4M', NULL, 'ignore', 'no_reply_or_auto_reply', 'An automatic reply (Auto-Submitted).', 'en', '[]', NULL, NULL, NULL, NULL, NULL, '01a1e844-3cdf-7e0f-9403-33de09613b94', 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0ALq9WzFJGAAAAAAg=', '2026-11-17 06:49:07+00', 'b.achterberg@acme.example', '{}', '0de419493b22d7944dc6544f1dc3220b72d9734a98932ad736f114c1ba3c83eb', NULL, NULL, '{AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0ALq9WzFJGAAAAAAg=}', 'false', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-17 06:49:15.088813+00', '2026-11-17 06:49:15.6154+00');

INSERT INTO postroom.timetable ("name", "spec", "next_at", "fired") OVERRIDING SYSTEM VALUE VALUES
    ('poll', '* * * * *', '2026-11-17 06:56:00+00', '6');

INSERT INTO postroom.trade ("id", "tenant_id", "document_id", "position", "status", "because", "direction", "trade_date", "settlement_date", "quantity", "isin", "ticker", "name", "price", "currency", "gross", "fees", "taxes", "net", "confidence", "fields", "fingerprint", "instance", "duplicate_of", "order_id", "order_because", "trade_key", "confirmed_by", "confirmed_at", "corrected_by", "corrected_at", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-800b-71bb-a6ca-954dd27e0241', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-7e61-701b-bb8d-64df5a08ef7b', '0', 'review', 'DMARC failed for hansekontor.example: the mail does not come from there.', 'SELL', '2026-11-17', '2026-11-19', '127', 'DE0008404005', NULL, 'Allianz SE vink.Namens-Aktien o.N', '339.759', 'CHF', '43149.39', '114.27', '2048.51', '40986.61', '0.961008890439139', '{"net": {"box": [467.4, 522.4, 511.9, 534.3], "page": 1, "value": "40986.61", "confidence": 0.9948}, "fees": {"box": [483.7, 444.9, 514.2, 483.5], "page": 1, "value": "114.27", "confidence": 0.9948}, "isin": {"box": [371.3, 309.4, 430.4, 319.4], "page": 1, "value": "DE0008404005", "confidence": 0.9967}, "name": {"box": [155.9, 309.4, 290.5, 319.4], "page": 1, "value": "Allianz SE vink.Namens-Aktien o.N", "confidence": 0.9967}, "gross": {"box": [474.2, 430.9, 514.2, 441.4], "page": 1, "value": "43149.39", "confidence": 0.9948}, "price": {"box": [175.7, 362.8, 208.3, 373.4], "page": 1, "value": "339.759", "confidence": 0.9948}, "taxes": {"box": [476.2, 487.0, 514.2, 511.5], "page": 1, "value": "2048.51", "confidence": 0.9948}, "currency": {"box": [514.6, 522.4, 535.7, 534.3], "page": 1, "value": "CHF", "confidence": 1.0}, "quantity": {"box": [83.1, 309.4, 97.3, 319.4], "page": 1, "value": "127", "confidence": 0.9992}, "direction": {"box": [56.7, 262.7, 91.2, 274.4], "page": 1, "value": "SELL", "confidence": 0.998}, "trade_date": {"box": [175.7, 348.7, 220.8, 359.2], "page": 1, "value": "2026-11-17", "confidence": 0.9563}, "settlement_date": {"box": [175.7, 391.2, 220.8, 401.7], "page": 1, "value": "2026-11-19", "confidence": 0.9948}}', '2e5c8b0c74a36fd0b38b26c44208da296933b12993e7d9d4de9f1596a88c6c72', '1', NULL, NULL, 'No pending order is for DE0008404005.', NULL, NULL, NULL, 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:33.50003+00', '2026-11-17 06:49:25.781594+00', '2026-11-17 06:50:34.068401+00');

INSERT INTO postroom.turn ("tenant_id", "thread_id", "ref", "message_id", "draft_ref", "version", "outgoing", "sender_email", "sender_name", "recipients", "sent_at", "subject", "own_text", "forwarded_text", "quoted_text", "signature", "disclaimer", "automatic", "automatic_because", "machine_answers", "kept_at", "forgotten_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-429c-751b-9a2d-66791837899e', 'AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0ALq9WzFJGAAAAAAo=', '01a1e844-3cdf-75b2-a743-bcfeb24010d4', NULL, 'CQAAABYAAAAur1bMUkYAAAAAAAo=', 'false', 'oskar.nystrom@gmail.com', 'Oskar Nyström', '{"cc": [], "to": ["Larkspur Retreats Service <service@larkspur-retreats.example>"], "bcc": [], "reply_to": []}', '2026-11-17 06:49:07+00', 'wifi?', 'Hej, is the wifi free? /Oskar', '', '', 'Sent from my phone', '', NULL, NULL, 'false', '2026-11-17 06:49:20.181593+00', NULL);

INSERT INTO postroom.webhook ("id", "tenant_id", "number", "url", "description", "events", "secret", "old_secret", "old_secret_till", "status", "because", "failures", "failing_since", "wait_till", "last_success_at", "last_failure_at", "last_error", "created_by", "created_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e845-8634-7806-af79-abb060c41c0e', '01a1e844-2417-7e29-99be-e37568c99faa', '1', 'https://hooks.example.org/mail', 'x', '{}',  E'\\x014314624d1f92abad0013669e695b1c6b2fbe8a480500be401ef1adc5f5e69cafcb0fb0801965d39c5c8b7642a5b0ffea3777c6c864cc562067706264e576fa83b717569b3df87e5eafbdcee5b828a184a6fa364e051e', NULL, NULL, 'active', NULL, '4', '2026-11-17 06:50:33.262232+00', '2026-11-17 07:03:09.663214+00', NULL, '2026-11-17 06:53:09.663214+00', 'hooks.example.org cannot be reached (ClientConnectorDNSError).', 'key:att:01a1e844-81a8-7fcc-a35e-2533c0368990', '2026-11-17 06:50:32.901007+00');

INSERT INTO postroom.work_item ("id", "tenant_id", "engagement_id", "code", "code_key", "name", "status", "created_at", "updated_at") OVERRIDING SYSTEM VALUE VALUES
    ('01a1e844-283d-7144-8894-72561eb3a14c', '01a1e844-2417-7e29-99be-e37568c99faa', '01a1e844-2831-7102-8d64-d702c52646ad', 'FON-0007', 'FON-0007', 'Writers'' week', 'open', '2026-11-17 06:49:03.293837+00', '2026-11-17 06:49:03.293837+00');

INSERT INTO postroom.worker ("id", "name", "started_at", "lease_till") OVERRIDING SYSTEM VALUE VALUES
    ('b9b86a97-4695-415f-81f0-c6fb11550b8a', 'host:1', '2026-11-17 06:49:07.500083+00', '2026-11-17 06:56:11.028154+00');

SET session_replication_role = DEFAULT;

-- What such a demo happens not to hold.

INSERT INTO postroom.attachment (tenant_id, message_id, sha256, blob_key, fetched_by, fetched_at) VALUES
    ('10000000-0000-4000-8000-000000000001', '50000000-0000-7000-8000-000000000001', repeat('a', 64), 'tenant/message/file', 'person:anna@meridian.test', '2026-03-01 09:00:00+00');

INSERT INTO postroom.contact (id, tenant_id, email, name, status, created_by, created_at, updated_at) VALUES
    ('70000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', 'ada@client.test', 'Ada', 'active', 'person:anna@meridian.test', '2026-03-01 09:00:00+00', '2026-03-01 09:00:00+00');

INSERT INTO postroom.contact_proposal (id, tenant_id, contact_id, kind, because, made_at) VALUES
    ('70000000-0000-7000-8000-000000000002', '10000000-0000-4000-8000-000000000001', '70000000-0000-7000-8000-000000000001', 'silent', 'Nothing came from Ada for a year.', '2026-03-01 09:00:00+00');

INSERT INTO postroom.draft_slot (id, tenant_id, mailbox_id, thread_id, draft_key, current, held, updated_at) VALUES
    ('80000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', '30000000-0000-7000-8000-000000000001', '40000000-0000-7000-8000-000000000001', 'a1b2', '80000000-0000-7000-8000-000000000002', NULL, '2026-03-01 09:00:00+00');

INSERT INTO postroom.draft_revision (id, tenant_id, slot_id, message_ref, message_id, status, provider_draft_id, fingerprint, recipients, subject, proposed, body, claims, confidence, gate, model, created_at, updated_at) VALUES
    ('80000000-0000-7000-8000-000000000002', '10000000-0000-4000-8000-000000000001', '80000000-0000-7000-8000-000000000001', 'AAMk1', '50000000-0000-7000-8000-000000000001', 'written', 'AAMkDraft', 'sha256:00', '{ada@client.test}', 'Re: Rooms', 'Breakfast is at eight.', 'Breakfast is at eight.', '[{"statement": "Breakfast is at eight.", "evidence": []}]', 0.9, 0.5, 'rules', '2026-03-01 09:00:00+00', '2026-03-01 09:00:00+00');

INSERT INTO postroom.draft_quotation (tenant_id, revision_id, number, name, quote, statement) VALUES
    ('10000000-0000-4000-8000-000000000001', '80000000-0000-7000-8000-000000000002', 0, 'house.md', 'Breakfast is at eight.', 'Breakfast is at eight.');

INSERT INTO postroom.hint (tenant_id, mailbox_id, ref, noticed_at) VALUES ('10000000-0000-4000-8000-000000000001', '30000000-0000-7000-8000-000000000001', 'AAMk2', '2026-03-01 09:00:00+00');

INSERT INTO postroom.notification (tenant_id, mailbox_id, ref, received_at) VALUES ('10000000-0000-4000-8000-000000000001', '30000000-0000-7000-8000-000000000001', 'AAMk2', '2026-03-01 09:00:00+00');

INSERT INTO postroom.outgoing_message (tenant_id, mailbox_id, ref, thread_ref, draft, version, seen_at) VALUES
    ('10000000-0000-4000-8000-000000000001', '30000000-0000-7000-8000-000000000001', 'AAMkSent', 'AAQk1', FALSE, 'CQ==', '2026-03-01 09:00:00+00');

INSERT INTO postroom.presence (tenant_id, item, actor, seen_at) VALUES
    ('10000000-0000-4000-8000-000000000001', 'document:70000000-0000-7000-8000-000000000003', 'person:anna@meridian.test', '2026-03-01 09:00:00+00');

INSERT INTO postroom.provider_wait (mailbox_id, tenant_id, till, hour, waited) VALUES ('30000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', '2026-03-01 09:00:00+00', '2026-03-01 09:00:00+00', 12.5);

INSERT INTO postroom.reconcile_run (mailbox_id, tenant_id, since, started_at, listed, held) VALUES ('30000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', '2026-03-01 09:00:00+00', '2026-03-01 09:00:00+00', 4, 3);

INSERT INTO postroom.session (id, tenant_id, person_id, digest, how, started_at, seen_at, expires_at, ends_at) VALUES
    ('90000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', '20000000-0000-7000-8000-000000000001', '\x01', 'password', '2026-03-01 09:00:00+00', '2026-03-01 09:00:00+00', '2026-03-02 09:00:00+00', '2026-03-08 09:00:00+00');

INSERT INTO postroom.signal_tally (tenant_id, signal, day, rights, wrongs) VALUES ('10000000-0000-4000-8000-000000000001', 'contact', '2026-03-31', 4, 1);

INSERT INTO postroom.signin_try (key, tenant_id, tries, at) VALUES ('\x02', NULL, 2, '2026-03-01 09:00:00+00');

INSERT INTO postroom.unwanted_blob (tenant_id, blob_key, noted_at) VALUES ('10000000-0000-4000-8000-000000000001', 'tenant/message/old', '2026-03-01 09:00:00+00');

INSERT INTO postroom.upload (document_id, tenant_id, content, created_at)
SELECT id, tenant_id, '\x255044462d', '2026-03-01 09:00:00+00' FROM postroom.document LIMIT 1;

INSERT INTO postroom.proposal (id, tenant_id, mailbox_id, thread_id, kind, origin, status, hash, recipients, subject, body, html, answers, proposed_by, expires_at, created_at, updated_at) VALUES
    ('a0000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', '30000000-0000-7000-8000-000000000001', '40000000-0000-7000-8000-000000000001', 'reply', 'person', 'waiting', 'sha256:00', '{ada@client.test}', 'Re: Rooms', 'At eight.', '<p>At eight.</p>', 'AAMk1', 'person:anna@meridian.test', '2026-03-08 09:00:00+00', '2026-03-01 09:00:00+00', '2026-03-01 09:00:00+00');

INSERT INTO postroom.proposal_version (proposal_id, tenant_id, version, hash, mail, made_by, made_at) VALUES
    ('a0000000-0000-7000-8000-000000000001', '10000000-0000-4000-8000-000000000001', 1, 'sha256:00', '{"subject": "Re: Rooms"}', 'person:anna@meridian.test', '2026-03-01 09:00:00+00');

INSERT INTO postroom.approval (id, tenant_id, proposal_id, hash, actor, approved_at, expires_at) VALUES
    ('a0000000-0000-7000-8000-000000000002', '10000000-0000-4000-8000-000000000001', 'a0000000-0000-7000-8000-000000000001', 'sha256:00', 'person:anna@meridian.test', '2026-03-01 09:00:00+00', '2026-03-08 09:00:00+00');

INSERT INTO postroom.reply_policy (tenant_id, gate, language, formality, signature, updated_at) VALUES
    ('10000000-0000-4000-8000-000000000001', 0.6, 'de', 'formal', 'Meridian', '2026-03-01 09:00:00+00');

INSERT INTO postroom.written_to (tenant_id, address, first_at) VALUES ('10000000-0000-4000-8000-000000000001', 'ada@client.test', '2026-03-01 09:00:00+00');

INSERT INTO postroom.job_payload (job_id, tenant_id, size, content, created_at)
SELECT id, tenant_id, 2, '\x4869', '2026-03-01 09:00:00+00' FROM postroom.job WHERE state = 'ready';
