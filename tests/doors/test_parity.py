"""Everything the console can do, the API can do too."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from postroom.doors.api import mount
from postroom.doors.console import routes

SAME = {
    "/settings/channels": "POST /channels",
    "/settings/channels/{id:uuid}": "PUT /channels/{channel_id}",
    "/settings/channels/{id:uuid}/switch": "PUT /channels/{channel_id}",
    "/settings/channels/{id:uuid}/remove": "DELETE /channels/{channel_id}",
    "/settings/topics": "POST /topics",
    "/settings/topics/preview": "POST /topics/preview",
    "/settings/topics/{id:uuid}": "PUT /topics/{topic_id}",
    "/settings/topics/{id:uuid}/preview/{step:str}": "POST /topics/preview",
    "/settings/topics/{id:uuid}/switch": "PUT /topics/{topic_id}",
    "/settings/topics/{id:uuid}/remove": "DELETE /topics/{topic_id}",
    "/settings/try": "POST /topics/try",
    "/mailboxes/{id:uuid}/copilot": "PATCH /mailboxes/{mailbox_id}",
    "/inbox/{id:uuid}/assign": "POST /threads/{thread_id}/assign",
    "/inbox/{id:uuid}/move": "POST /threads/{thread_id}/move",
    "/inbox/{id:uuid}/snooze": "POST /threads/{thread_id}/snooze",
    "/inbox/{id:uuid}/not-for-us": "POST /threads/{thread_id}/not-for-us",
    "/inbox/{id:uuid}/done": "POST /threads/{thread_id}/done",
    "/inbox/{id:uuid}/reopen": "POST /threads/{thread_id}/reopen",
    "/inbox/{id:uuid}/draft/{draft:uuid}": "PUT /drafts/{draft_id}",
    "/inbox/{id:uuid}/draft/{draft:uuid}/discard": "POST /drafts/{draft_id}/discard",
    "/inbox/{id:uuid}/draft/{draft:uuid}/restore": "POST /drafts/{draft_id}/restore",
    "/evidence": "POST /evidence",
    "/evidence/ask": "POST /evidence/ask",
    "/evidence/{id:uuid}": "PUT /evidence/{evidence_id}",
    "/evidence/{id:uuid}/retire": "POST /evidence/{evidence_id}/retire",
    "/evidence/{id:uuid}/restore": "POST /evidence/{evidence_id}/restore",
    "/settings/replies": "PATCH /policy",
    "/settings/policy/preview": "PATCH /policy",
    "/mailboxes/{id:uuid}/confirming": "PATCH /mailboxes/{mailbox_id}",
    "/mailboxes/imap": "POST /mailboxes/imap",
    "/mailboxes/{id:uuid}/pause": "POST /mailboxes/{mailbox_id}/pause",
    "/mailboxes/{id:uuid}/resume": "POST /mailboxes/{mailbox_id}/resume",
    "/mailboxes/{id:uuid}/check": "POST /mailboxes/{mailbox_id}/reconcile",
    "/mailboxes/{id:uuid}/resync": "POST /mailboxes/{mailbox_id}/resync",
    "/mailboxes/{id:uuid}/disconnect": "POST /mailboxes/{mailbox_id}/disconnect",
    "/mailboxes/{id:uuid}/rules": "PUT /mailboxes/{mailbox_id}/rules",
    "/mailboxes/{id:uuid}/folder": "PUT /mailboxes/{mailbox_id}/folder",
    "/mailboxes/{id:uuid}/sending": "PATCH /mailboxes/{mailbox_id}",
    "/outbox": "POST /proposals",
    "/outbox/{id:uuid}/approve": "POST /proposals/{proposal_id}/approve",
    "/outbox/{id:uuid}/revoke": "POST /proposals/{proposal_id}/revoke",
    "/outbox/{id:uuid}/discard": "POST /proposals/{proposal_id}/discard",
    "/outbox/{id:uuid}/again": "POST /proposals",
    "/outbox/{id:uuid}/resolve": "POST /proposals/{proposal_id}/resolve",
    "/outbox/{id:uuid}/look": "POST /proposals/{proposal_id}/look",
    "/outbox/{id:uuid}/change": "PATCH /proposals/{proposal_id}",
    "/messages/{id:uuid}/files/{sha256}/fetch": "GET /messages/{message_id}/attachments/{sha256}",
    "/documents/upload": "POST /documents",
    "/documents/{id:uuid}/confirm": "POST /documents/{document_id}/confirm",
    "/documents/{id:uuid}/correct": "POST /documents/{document_id}/correct",
    "/documents/{id:uuid}/reject": "POST /documents/{document_id}/reject",
    "/documents/{id:uuid}/leave-out": "POST /documents/{document_id}/leave-out",
    "/documents/{id:uuid}/enter": "POST /documents/{document_id}/enter",
    "/documents/{id:uuid}/undo": "POST /documents/{document_id}/undo",
    "/documents/{id:uuid}/retry": "POST /documents/{document_id}/retry",
    "/orders": "POST /orders",
    "/orders/file": "POST /orders/import",
    "/orders/{id:uuid}/cancel": "POST /orders/{order_id}/cancel",
    "/clients/{id:uuid}/confirm": "POST /mappings/{mapping_id}/confirm",
    "/clients/{id:uuid}/ignore": "POST /mappings/{mapping_id}/ignore",
    "/clients/{id:uuid}/undo": "POST /mappings/{mapping_id}/undo",
    "/accounts": "POST /accounts",
    "/accounts/files": "POST /accounts/import",
    "/accounts/contacts/{id:uuid}/accept": "POST /accounts/contact-proposals/{proposal_id}/accept",
    "/accounts/contacts/{id:uuid}/dismiss": "POST /accounts/contact-proposals/{proposal_id}/dismiss",
    "/accounts/{id:uuid}": "PATCH /accounts/{account_id}",
    "/accounts/{id:uuid}/close": "POST /accounts/{account_id}/close",
    "/accounts/{id:uuid}/reopen": "POST /accounts/{account_id}/reopen",
    "/accounts/{id:uuid}/merge": "POST /accounts/{account_id}/merge",
    "/accounts/{id:uuid}/contacts": "POST /accounts/{account_id}/contacts",
    "/accounts/{id:uuid}/contacts/{contact:uuid}/remove": "DELETE /accounts/{account_id}/contacts/{contact_id}",
    "/accounts/{id:uuid}/engagements": "POST /accounts/{account_id}/engagements",
    "/accounts/{id:uuid}/work-items": "POST /accounts/{account_id}/work-items",
    "/attempts/retry": "POST /attempts/retry",
    "/attempts/{job:int}/retry": "POST /jobs/{job_id}/replay",
    "/audit/verify": "GET /facts/verify",
    "/settings/sessions/{id:uuid}/end": "DELETE /people/{person_id}/sessions/{session_id}",
    "/settings/people": "POST /people",
    "/settings/people/{id:uuid}": "PATCH /people/{person_id}",
    "/settings/people/{id:uuid}/link": "POST /people/{person_id}/link",
    "/settings/keys": "POST /keys",
    "/settings/keys/{id:uuid}/revoke": "POST /keys/{key_id}/revoke",
    "/settings/senders": "POST /settings/senders",
    "/settings/senders/{id:uuid}/remove": "DELETE /settings/senders/{rule_id}",
    "/settings/learnt/forget": "DELETE /settings/learnt/{sender_email}",
    "/settings/passwords": "POST /settings/passwords",
    "/settings/passwords/{id:uuid}/remove": "DELETE /settings/passwords/{password_id}",
    "/settings/webhooks": "POST /webhooks",
    "/settings/webhooks/{id:uuid}/rotate": "POST /webhooks/{webhook_id}/rotate",
    "/settings/webhooks/{id:uuid}/remove": "DELETE /webhooks/{webhook_id}",
    "/settings/webhooks/{id:uuid}/pause": "POST /webhooks/{webhook_id}/pause",
    "/settings/webhooks/{id:uuid}/resume": "POST /webhooks/{webhook_id}/resume",
    "/settings/webhooks/{id:uuid}/test": "POST /webhooks/{webhook_id}/test",
    "/settings/deliveries/{id:uuid}/replay": "POST /deliveries/{delivery_id}/replay",
    "/settings/policy": "PATCH /settings",
    "/settings/retention": "PATCH /settings",
    "/settings/mapping": "PATCH /policy",
    "/settings/sending": "PATCH /policy",
}
SEEN = {  # pages that show what nothing else in this list does
    "/": "GET /metrics",
    "/mailboxes": "GET /mailboxes",
    "/mailboxes/{id:uuid}": "GET /mailboxes/{mailbox_id}",
    "/inbox": "GET /threads",
    "/inbox/{id:uuid}": "GET /threads/{thread_id}",
    "/evidence": "GET /evidence",
    "/evidence/{id:uuid}": "GET /evidence/{evidence_id}",
    "/settings/replies": "GET /policy",
    "/messages": "GET /messages",
    "/messages/{id:uuid}": "GET /messages/{message_id}",
    "/documents": "GET /documents",
    "/documents/review": "GET /documents/next",
    "/documents/{id:uuid}": "GET /documents/{document_id}",
    "/documents/{id:uuid}/pages/{page:int}/image": "GET /documents/{document_id}/pages/{number}",
    "/trades": "GET /trades",
    "/orders": "GET /orders",
    "/invoices": "GET /invoices",
    "/bookings": "GET /bookings",
    "/clients": "GET /mappings",
    "/clients/review": "GET /mappings/next",
    "/clients/signals": "GET /mappings/signals",
    "/clients/{id:uuid}": "GET /mappings/{mapping_id}",
    "/outbox": "GET /proposals",
    "/outbox/{id:uuid}": "GET /proposals/{proposal_id}/preview",
    "/accounts": "GET /accounts",
    "/accounts/contacts": "GET /accounts/contact-proposals",
    "/accounts/{id:uuid}": "GET /accounts/{account_id}",
    "/attempts": "GET /attempts",
    "/figures": "GET /metrics/figures",
    "/attempts/{job:int}": "GET /jobs/{job_id}",
    "/attempts/batches/{batch}": "GET /attempts/batches/{batch}",
    "/audit": "GET /facts",
    "/audit/export": "GET /facts/export",
    "/settings/people": "GET /people",
    "/settings/keys": "GET /keys",
    "/settings/channels": "GET /channels",
    "/settings/topics": "GET /topics",
    "/settings/webhooks": "GET /webhooks",
    "/settings/webhooks/{id:uuid}": "GET /webhooks/{webhook_id}/deliveries",
    "/settings/senders": "GET /settings/senders",
    "/settings/passwords": "GET /settings/passwords",
    "/settings/policy": "GET /settings",
    "/settings/retention": "GET /settings",
    "/settings/mapping": "GET /policy",
    "/settings/sending": "GET /policy",
    "/live": "GET /events",
}
OF_A_BROWSER = {  # coming in, one's own password, who else looks at a page, and the demo's make-believe
    *("/signin", "/signin/link/{token}", "/signout", "/settings/password", "/demo/send", "/looking", "/looking/away"),
}


@pytest.fixture(scope="module")
def operations() -> set[str]:
    app = FastAPI()
    mount(app)
    paths = app.openapi()["paths"]
    return {f"{method.upper()} {path.removeprefix('/api/v1')}" for path, known in paths.items() for method in known}


def acts() -> set[str]:
    return {route.path for route in routes.ROUTES if "POST" in route.methods}


def test_every_action_of_the_console_has_an_operation():
    assert set() == acts() - set(SAME) - OF_A_BROWSER
    assert set() == (set(SAME) | OF_A_BROWSER) - acts()


def test_those_operations_are_there(operations):
    assert set() == set(SAME.values()) - operations


def test_what_the_console_shows_can_be_asked_for(operations):
    shown = {route.path for route in routes.ROUTES if "GET" in route.methods}
    assert set() == set(SEEN) - shown
    assert set() == set(SEEN.values()) - operations
