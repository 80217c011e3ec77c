"""A tenant with something of everything that the API shows."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

import psycopg

from databases import as_owner
from postroom.app.house import House
from postroom.doors.api import bulk_retry
from postroom.engine.work import TenantScope
from postroom.nouns.archive_keys import attachment_key
from postroom.nouns.facts import RetryRequested
from postroom.nouns.ids import MessageId, TenantId, new_id
from postroom.nouns.secrets import Secret
from postroom.reading.profiles import SenderProfile
from postroom.rooms.clients import commands as clients
from postroom.rooms.documents import commands as documents
from postroom.rooms.documents.store import attachments, reviews
from postroom.rooms.outbox import commands as outbox
from postroom.rooms.replies import commands as replies
from postroom.rooms.subscribers import commands as subscribers
from postroom.rooms.tenants import commands as tenants
from postroom.rooms.triage import commands as triage
from postroom.rooms.triage.rules.channels import ChannelRules

PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>endobj\nxref\n0 4\n0000000000 65535 f \n0000000009 00000 n \n0000000052 00000 n \n0000000101 00000 n \ntrailer<</Size 4/Root 1 0 R>>\nstartxref\n163\n%%EOF\n"

PDF_HASH = hashlib.sha256(PDF).hexdigest()


@dataclass
class Filled:
    tenant_id: TenantId
    name: str
    ids: dict[str, object] = field(default_factory=dict)

    def __getitem__(self, name: str) -> object:
        return self.ids[name]


async def fill(house: House, owner_dsn: str, name: str) -> Filled:
    tenant = await tenants.create_tenant(house.db, name)
    made = Filled(tenant, name)
    scope = house.scope(tenant, "test")
    _rows(owner_dsn, made)
    person = await tenants.add_person(scope, f"anna@{name}.test", name="Anna", role="admin")
    key, _ = await tenants.create_key(scope, name="spare", role="viewer")
    order = await documents.place_order(
        scope,
        {
            "external_id": f"{name}-1",
            "username": "anna",
            "isin": "IE00B4L5Y983",
            "direction": "BUY",
            "quantity": "100",
            "placed_on": "2026-02-04",
        },
    )
    await documents.allow_sender(scope, "pad_contract_notes", f"{name}.example")
    await documents.add_password(scope, house.providers.sealer, "Broker", Secret("hunter2"))
    hook, _ = await subscribers.create_webhook(
        scope, house.outside.sealer, house.outside.webhooks, f"https://hooks.{name}.example/mail"
    )
    sent = await subscribers.send_test(scope, hook.id)
    made.ids |= {"webhook_id": hook.id, "delivery_id": sent.id}
    made.ids |= {"person_id": person, "key_id": key, "order_id": order}
    made.ids["rule_id"] = (await documents.sender_rules(scope))[0].id
    async with scope.finish() as tx:
        profile = SenderProfile({"unterm strich": "net"})
        await reviews.put_profile(tx, scope.tenant_id, f"desk@{name}.example", profile, None, scope.now)
    made.ids["sender_email"] = f"desk@{name}.example"
    made.ids["password_id"] = (await documents.passwords(scope))[0].id
    made.ids["upload_id"] = await documents.upload(scope, PDF, "note.pdf")
    link = (await tenants.make_link(scope, "", f"anna@{name}.test")).rpartition("/")[2]
    token = await tenants.enter_with_link(
        house.db, house.scope, link, tenants.SignInSource("192.0.2.1", "Test"), scope.now
    )
    session = await tenants.who_is_in(house.db, token.reveal(), scope.now)
    assert session is not None
    made.ids["session_id"] = session.id
    made.ids |= await _clients(scope, owner_dsn, made)
    made.ids |= await _triage(scope, owner_dsn, made)
    wanted = outbox.WantedMail("We look forward to it.", to=("anna@client.example",), subject="Your stay")
    made.ids["mail_proposal_id"] = (await outbox.propose(scope, house.outside, wanted)).id
    made.ids |= await _evidence(house, scope)
    made.ids |= {"batch": await _batch(scope), "sha256": await _fetched(house, scope, made["message_id"])}
    return made


async def _clients(scope: TenantScope, owner_dsn: str, made: Filled) -> dict[str, object]:
    """A book, a mail that waits for somebody to say whose it is, and a contact that fell silent."""
    book = {
        "accounts.csv": f"code,name,domains\nACME,ACME of {made.name},acme.example\nSPARE,Spare of {made.name},\n".encode(),
        "contacts.csv": b"email,name,account\nanna@acme.example,Anna,ACME\nben@acme.example,Ben,SPARE\n",
        "engagements.csv": b"code,name,account\nLEAD,Retreat,ACME\n",
        "work_items.csv": b"code,name,engagement\nACME-1042,Rooms,LEAD\n",
    }
    assert not (await clients.import_book(scope, book)).bad
    account = (await clients.get_account(scope, "ACME")).account.id
    contact = (await clients.get_account(scope, "SPARE")).contacts[0].id
    clue = '{"signal": "domain", "weight": 5.0, "because": "broker.test is a domain of ACME."}'
    candidate = f'{{"account_id": "{account}", "account": "ACME", "name": "ACME", "status": "open", "confidence": "0.60", "clues": [{clue}]}}'
    mapping, proposal = new_id(), new_id()
    with as_owner(owner_dsn) as db:
        db.execute(
            "INSERT INTO postroom.mapping (id, tenant_id, message_id, thread_id, sender_email, received_at, account_id, confidence, status, requires_triage, reasons, objections, staleness, candidates, created_at, updated_at)"
            " VALUES (%s, %s, %s, %s, 'notes@broker.test', now(), %s, 0.6, 'triage', true, '{broker.test is a domain of ACME.}', '{}', '{}', %s, now(), now())",
            [mapping, made.tenant_id, made["message_id"], made["thread_id"], account, f"[{candidate}]"],
        )
        db.execute(
            "INSERT INTO postroom.contact_proposal (id, tenant_id, contact_id, kind, because, made_at) VALUES (%s, %s, %s, 'silent', 'Quiet. Retire the contact?', now())",
            [proposal, made.tenant_id, contact],
        )
    return {"account_id": account, "contact_id": contact, "mapping_id": mapping, "proposal_id": proposal}


async def _triage(scope: TenantScope, owner_dsn: str, made: Filled) -> dict[str, object]:
    """The thread was judged; there is a channel, and a topic of the tenant's own."""
    channel = await triage.add_channel(scope, "Brokers", ChannelRules(senders=("@broker.test",)))
    topic = await triage.add_topic(scope, "Vans", "safety", ["van"])
    analysis = (
        '{"summary": "A note.", "intent": "update", "urgency": "low", "suggestedChannel": null, "draftResponse": null,'
        ' "reasoning": "Read as update.", "note": ""}'
    )
    with as_owner(owner_dsn) as db:
        db.execute(
            "INSERT INTO postroom.thread_state (thread_id, tenant_id, mailbox_id, reference_code, state, action, reason, because, analysis, channel_id, newest_ref, newest_at, newest_from, decided_at, updated_at)"
            " VALUES (%s, %s, %s, 'PR-222222', 'ready', 'draft', 'draftable', 'An open question.', %s, %s, 'r1', now(), 'notes@broker.test', now(), now())",
            [made["thread_id"], made.tenant_id, made["mailbox_id"], analysis, channel.id],
        )
        db.execute(
            "INSERT INTO postroom.turn (tenant_id, thread_id, ref, message_id, outgoing, sender_email, subject, own_text, recipients, sent_at, kept_at)"
            " VALUES (%s, %s, 'r1', %s, false, 'notes@broker.test', 'Contract note', 'Please find attached', '{}', now(), now())",
            [made.tenant_id, made["thread_id"], made["message_id"]],
        )
        slot_id, draft_id = new_id(), new_id()
        db.execute(
            "INSERT INTO postroom.draft_slot (id, tenant_id, mailbox_id, thread_id, draft_key, current, updated_at)"
            " VALUES (%s, %s, %s, %s, 'key', %s, now())",
            [slot_id, made.tenant_id, made["mailbox_id"], made["thread_id"], draft_id],
        )
        db.execute(
            "INSERT INTO postroom.draft_revision (id, tenant_id, slot_id, message_ref, status, provider_draft_id, fingerprint, recipients, subject, proposed, body, confidence, gate, model, created_at, updated_at)"
            " VALUES (%s, %s, %s, 'r1', 'sent', 'd1', 'sha256:00', '{notes@broker.test}', 'Re: Contract note', 'Thank you.', 'Thank you.', 1, 0.5, 'rules', now(), now())",
            [draft_id, made.tenant_id, slot_id],
        )
    return {"channel_id": channel.id, "topic_id": topic.id, "draft_id": draft_id}


async def _evidence(house: House, scope: TenantScope) -> dict[str, object]:
    paper = await replies.add_evidence(
        scope, house.outside.reader, "welcome.md", b"# Welcome\n\nTowels lie in the cupboard.\n"
    )
    return {"evidence_id": paper.document.id}


async def _fetched(house: House, scope: TenantScope, message_id: object) -> str:
    """Somebody had the message's file brought here before."""
    message = MessageId(UUID(str(message_id)))
    key = attachment_key(scope.tenant_id, message, PDF_HASH)
    await house.outside.archive.put_if_absent(key, PDF, {}, "application/octet-stream")
    async with scope.finish() as tx:
        await attachments.keep(tx, scope.tenant_id, message, PDF_HASH, key, scope.actor, scope.now)
    return PDF_HASH


async def _batch(scope: TenantScope) -> bulk_retry.RetryBatch:
    """Somebody asked for one job again."""
    since = scope.now
    async with scope.finish() as tx:
        await scope.tell(tx, RetryRequested(job_kind="sync.poll", key="again"))
    return replace((await bulk_retry.retry_jobs(scope, [])).batch, since=since)


def _rows(owner_dsn: str, made: Filled) -> None:
    """What jobs would have written."""
    ids = {
        name: new_id()
        for name in (
            "mailbox_id",
            "thread_id",
            "message_id",
            "failed_message_id",
            "announced_id",
            "document_id",
            "trade_id",
            "bill_id",
            "invoice_id",
            "booking_id",
        )
    }
    made.ids |= ids
    tenant = made.tenant_id
    with as_owner(owner_dsn) as db:
        db.execute(
            "INSERT INTO postroom.mailbox (id, tenant_id, address, provider, access) VALUES (%s, %s, %s, 'outlook', 'delegated')",
            [ids["mailbox_id"], tenant, f"desk@{made.name}.test"],
        )
        db.execute(
            "INSERT INTO postroom.thread VALUES (%s, %s, %s, 'T1', 'Contract note', 2, now())",
            [ids["thread_id"], tenant, ids["mailbox_id"]],
        )
        for at, message in enumerate(("message_id", "failed_message_id")):
            db.execute(
                "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, state, source, thread_id, sender_email, subject, snippet, body, body_html, recipients, headers, labels, attachments, trust, trust_because, size, received_at, arrived_at)"
                " VALUES (%s, %s, %s, %s, 'arrived', 'push', %s, 'notes@broker.test', 'Contract note', 'Please find', 'Please find attached',"
                " '<p onclick=x>Please <b>find</b><script>alert(1)</script><img src=http://evil.test/x.png><a href=\"javascript:x\">a</a></p>',"
                ' \'{"to": ["desk@ours.test"]}\', \'{"from": ["notes@broker.test"]}\', \'{INBOX}\', \'[{"filename": "note.pdf", "type": "application/pdf", "size": 3, "inline": false, "path": ["2"], "sha256": "'
                + PDF_HASH
                + "\"}]',"
                " 'authenticated', 'DMARC passed.', 900, now() - make_interval(mins => %s), now())",
                [ids[message], tenant, ids["mailbox_id"], f"provider-{at}-{made.name}", ids["thread_id"], at],
            )
        db.execute(
            "INSERT INTO postroom.message (id, tenant_id, mailbox_id, provider_message_id, source) VALUES (%s, %s, %s, %s, 'hint')",
            [ids["announced_id"], tenant, ids["mailbox_id"], f"provider-2-{made.name}"],
        )
        db.execute(
            "INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status) VALUES (%s, %s, 'pad_contract_notes', 'processed')",
            [tenant, ids["message_id"]],
        )
        db.execute(
            "INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status, rule, because) VALUES (%s, %s, 'ap_invoices', 'filtered', 'kind', 'A contract note is no invoice.')",
            [tenant, ids["message_id"]],
        )
        db.execute(
            "INSERT INTO postroom.disposition (tenant_id, message_id, pipeline, status, because) VALUES (%s, %s, 'pad_contract_notes', 'failed', 'note.pdf is broken.')",
            [tenant, ids["failed_message_id"]],
        )
        db.execute(
            "INSERT INTO postroom.coverage (tenant_id, mailbox_id, since, checked_at, listed, held, unannounced, missing, reasons) VALUES (%s, %s, now() - interval '7 days', now(), 4, 3, 1, '{lost}', '{\"arrived\": 3}')",
            [tenant, ids["mailbox_id"]],
        )
        _documents(db, tenant, ids)
        made.ids |= _jobs(db, tenant, ids)


def _documents(db: psycopg.Connection, tenant: TenantId, ids: dict[str, UUID]) -> None:
    others = '[{"value": "10", "by": "tiny-2026", "page": 1, "box": null}]'
    fields = f'{{"quantity": {{"value": "100", "confidence": 0.9, "page": 1, "box": [10, 10, 40, 20], "candidates": {others}}}}}'
    differs = '{"quantity": {"ours": "100", "theirs": "10", "quote": "10 pieces"}}'
    opinion = (
        f'{{"model": "tiny-2026", "agreed": ["isin"], "filled": [], "differs": {differs}, "dropped": {{}}, "note": ""}}'
    )
    for document, kind, message in (
        (ids["document_id"], "contract_note", ids["message_id"]),
        (ids["bill_id"], "invoice", None),
    ):
        db.execute(
            "INSERT INTO postroom.document (id, tenant_id, message_id, mailbox_id, attachment_path, filename, content_type, size, sha256, kind, status, because, source, received_at, extraction)"
            " VALUES (%s, %s, %s, %s, 'note.pdf', 'note.pdf', 'application/pdf', 3, repeat('a', 64), %s, 'review', 'Unsure of net.', 'graph_webhook', now(), %s)",
            [
                document,
                tenant,
                message,
                ids["mailbox_id"],
                kind,
                f'{{"type": "{kind}", "fields": {fields}, "opinion": {opinion}}}',
            ],
        )
    db.execute(
        "INSERT INTO postroom.trade (id, tenant_id, document_id, position, status, because, direction, trade_date, quantity, isin, price, currency, gross, net, confidence, fields)"
        " VALUES (%s, %s, %s, 0, 'review', 'Unsure of net.', 'BUY', '2026-02-04', 100, 'IE00B4L5Y983', 10.50, 'EUR', 1050.00, 1050.00, 0.8, %s)",
        [ids["trade_id"], tenant, ids["document_id"], fields],
    )
    db.execute(
        "INSERT INTO postroom.invoice (id, tenant_id, document_id, status, because, number, issue_date, supplier, currency, net_total, tax_total, grand_total, confidence)"
        " VALUES (%s, %s, %s, 'review', 'Unsure of iban.', 'R-1', '2026-02-04', 'Supplier', 'EUR', 100, 19, 119, 0.7)",
        [ids["invoice_id"], tenant, ids["bill_id"]],
    )
    db.execute(
        "INSERT INTO postroom.invoice_line (invoice_id, position, tenant_id, description, quantity, total) VALUES (%s, 0, %s, 'Paper', 2, 100)",
        [ids["invoice_id"], tenant],
    )
    db.execute(
        "INSERT INTO postroom.booking (id, tenant_id, document_id, position, kind, status, because, entry, confidence)"
        " VALUES (%s, %s, %s, 1, 'dividend', 'review', 'A person decides.', %s, 0.9)",
        [ids["booking_id"], tenant, ids["bill_id"], '{"isin": "DE0007164600", "net": "30", "currency": "EUR"}'],
    )


def _jobs(db: psycopg.Connection, tenant: TenantId, ids: dict[str, UUID]) -> dict[str, object]:
    """One that was put aside, one that is tried again later, one that was given up; each with its attempt."""
    job = db.execute(
        "INSERT INTO postroom.job (tenant_id, kind, key, state, args, mailbox_id, correlation_id, tries, reason) VALUES (%s, 'sync.fetch_message', %s, 'quarantined', '{}', %s, %s, 6, 'Broken.') RETURNING id",
        [tenant, str(ids["announced_id"]), ids["mailbox_id"], uuid4()],
    ).fetchone()[0]
    later = db.execute(
        "INSERT INTO postroom.job (tenant_id, kind, key, state, args, mailbox_id, correlation_id, tries, run_at, error_class) VALUES (%s, 'sync.mailbox', 'x', 'later', '{}', %s, %s, 1, now() + interval '5 min', 'transient') RETURNING id",
        [tenant, ids["mailbox_id"], uuid4()],
    ).fetchone()[0]
    attempt = (
        "INSERT INTO postroom.attempt (tenant_id, job_id, kind, key, mailbox_id, epoch, outcome, error_class, error_code, error, retry_count, max_retries_reached, correlation_id, created_at)"
        " VALUES (%s, %s, 'sync.fetch_message', %s, %s, 1, %s, %s, 'unknown', 'Broken.', 5, %s, %s, now()) RETURNING id"
    )
    key = str(ids["announced_id"])
    first = db.execute(
        attempt, [tenant, job, key, ids["mailbox_id"], "quarantined", "retryable", True, uuid4()]
    ).fetchone()[0]
    db.execute(attempt, [tenant, later, key, ids["mailbox_id"], "retry", "transient", False, uuid4()])
    db.execute(attempt, [tenant, later + 1_000_000, key, ids["mailbox_id"], "stopped", "non_retryable", False, uuid4()])
    db.execute(attempt, [tenant, later + 1_000_001, key, ids["mailbox_id"], "done", None, False, uuid4()])
    return {"job_id": job, "later_job_id": later, "attempt_id": first}
