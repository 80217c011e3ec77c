"""Every operation of the API, with a request that would do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from doors.api.filling import PDF, Filled

BODIES: dict[tuple[str, str], dict[str, Any]] = {
    ("POST", "/mailboxes/connect"): {"json": {"provider": "outlook"}},
    ("POST", "/mailboxes/imap"): {
        "json": {"address": "ap@house.test", "host": "127.0.0.1", "port": 9, "security": "plain", "password": "wrong"}
    },
    ("PUT", "/mailboxes/{mailbox_id}/folder"): {"json": {"folder": "Inbox/Notes"}},
    ("PUT", "/mailboxes/{mailbox_id}/rules"): {"json": {"rules": {"deny_files": ["*logo*"]}}},
    ("PATCH", "/mailboxes/{mailbox_id}"): {"json": {"copilot": "labels"}},
    ("POST", "/threads/{thread_id}/assign"): {"json": {"person_id": None}},
    ("POST", "/threads/{thread_id}/snooze"): {"json": {"till": None}},
    ("POST", "/threads/{thread_id}/move"): {"json": {"channel_id": None}},
    ("POST", "/channels"): {"json": {"name": "Clients", "rules": {"words": ["rooms"]}}},
    ("PUT", "/channels/{channel_id}"): {"json": {"name": "Brokers", "rules": {"words": ["note"]}}},
    ("POST", "/topics"): {"json": {"name": "Boats", "counts_as": "safety", "words": ["boat"]}},
    ("POST", "/topics/try"): {"json": {"text": "When do you open?"}},
    ("POST", "/topics/preview"): {"json": {"name": "Boats", "counts_as": "safety", "words": ["boat"]}},
    ("PUT", "/topics/{topic_id}"): {"json": {"name": "Vans", "counts_as": "legal", "words": ["van"]}},
    ("POST", "/evidence"): {"files": {"file": ("rules.md", b"# Rules\n\nBreakfast is at eight.\n")}},
    ("POST", "/skills/email-analyse/run"): {"json": {"from": "ada@client.example", "body": "When is breakfast?"}},
    ("POST", "/skills/email-send/run"): {
        "json": {"to": ["anna@client.example"], "subject": "Rooms", "body": "Two are free."}
    },
    ("POST", "/skills/email-fetch-attachment/run"): {"json": {"message_id": str(UUID(int=0)), "sha256": "0" * 64}},
    ("POST", "/evidence/ask"): {"json": {"question": "When is breakfast?"}},
    ("PUT", "/evidence/{evidence_id}"): {"json": {"text": "# Rules\n\nBreakfast is at nine.\n"}},
    ("PUT", "/drafts/{draft_id}"): {"json": {"body": "Dear Ada, at eight."}},
    ("POST", "/drafts/{draft_id}/discard"): {"json": {"reason": "The tone is wrong."}},
    ("PATCH", "/drafts/policy"): {"json": {"gate": 0.6, "signature": "The house"}},
    ("POST", "/proposals"): {"json": {"to": ["anna@client.example"], "subject": "Rooms", "body": "They are free."}},
    ("PATCH", "/proposals/{proposal_id}"): {"json": {"hash": "sha256:0", "body": "They are taken."}},
    ("POST", "/proposals/{proposal_id}/approve"): {"json": {"hash": "sha256:0"}},
    ("POST", "/proposals/{proposal_id}/resolve"): {"json": {"outcome": "sent"}},
    ("POST", "/documents"): {"files": {"file": ("note.pdf", PDF)}},
    ("POST", "/documents/{document_id}/correct"): {"json": {"changes": {"quantity": "90"}}},
    ("POST", "/documents/{document_id}/leave-out"): {"json": {"trade_id": str(UUID(int=7))}},
    ("POST", "/documents/{document_id}/enter"): {"json": {"kind": "invoice", "values": {"number": "R-1"}}},
    ("POST", "/documents/{document_id}/reject"): {"json": {"because": "Not ours."}},
    ("POST", "/orders"): {
        "json": {"username": "ben", "ticker": "AAPL", "direction": "SELL", "quantity": "5", "placed_on": "2026-02-05"}
    },
    ("POST", "/orders/import"): {
        "files": {"file": ("orders.csv", b"username,ticker,direction,quantity,placed_on\ncleo,MSFT,BUY,7,2026-02-06\n")}
    },
    ("POST", "/accounts"): {"json": {"code": "NEW", "name": "New one", "domains": ["new-client.example"]}},
    ("POST", "/accounts/import"): {"files": {"file": ("accounts.csv", b"code,name\nFILED,From a file\n")}},
    ("PATCH", "/accounts/{account_id}"): {"json": {"aliases": ["Acme"]}},
    ("POST", "/accounts/{account_id}/merge"): {"json": {"into": "SPARE"}},
    ("POST", "/accounts/{account_id}/contacts"): {"json": {"email": "cleo@acme.example", "name": "Cleo"}},
    ("POST", "/accounts/{account_id}/engagements"): {"json": {"code": "SPRING", "name": "Spring workshop"}},
    ("POST", "/accounts/{account_id}/work-items"): {"json": {"engagement": "LEAD", "code": "ACME-1050"}},
    ("POST", "/mappings/suggest"): {"json": {"from": "anna@acme.example", "subject": "Rooms"}},
    ("PATCH", "/mappings/policy"): {"json": {"threshold": 0.9}},
    ("POST", "/mappings/{mapping_id}/confirm"): {"json": {"account": "SPARE", "thread": True}},
    ("POST", "/mappings/{mapping_id}/ignore"): {"json": {"reason": "A newsletter."}},
    ("POST", "/attempts/retry"): {"json": {"error_class": "transient"}},
    ("POST", "/people"): {"json": {"email": "new@house.test", "role": "viewer"}},
    ("PATCH", "/people/{person_id}"): {"json": {"disabled": False}},
    ("POST", "/keys"): {"json": {"name": "new", "role": "viewer"}},
    ("POST", "/webhooks"): {"json": {"url": "https://hooks.example.org/mail", "events": ["mail.message.received"]}},
    ("PATCH", "/policy"): {"json": {"sending": "off"}},
    ("PATCH", "/settings"): {"json": {"sure_enough": 0.5}},
    ("POST", "/settings/senders"): {"json": {"pipeline": "ap_invoices", "entry": "supplier.test"}},
    ("POST", "/settings/passwords"): {"json": {"label": "Another", "password": "secret"}},
}
STREAMS = ("/events", "/events/mail", "/documents/events")
ADMIN = {
    *(("POST", f"/mailboxes/{act}") for act in ("connect", "{mailbox_id}/disconnect")),
    *(("POST", "/mailboxes/imap"), ("PUT", "/mailboxes/{mailbox_id}/folder")),
    ("PUT", "/mailboxes/{mailbox_id}/rules"),
    ("PATCH", "/mappings/policy"),
    ("PATCH", "/drafts/policy"),
    ("PATCH", "/mailboxes/{mailbox_id}"),
    *(
        (method, f"/{name}{path}")
        for name, one in (("channels", "/{channel_id}"), ("topics", "/{topic_id}"))
        for method, path in (("POST", ""), ("PUT", one), ("DELETE", one))
    ),
    *(
        (method, f"/people{path}")
        for method, path in (("GET", ""), ("POST", ""), ("GET", "/{person_id}"), ("PATCH", "/{person_id}"))
    ),
    *(("POST", "/people/{person_id}/link"), ("GET", "/people/{person_id}/sessions")),
    ("DELETE", "/people/{person_id}/sessions/{session_id}"),
    *((method, f"/keys{path}") for method, path in (("GET", ""), ("POST", ""), ("POST", "/{key_id}/revoke"))),
    *(("POST", "/webhooks"), ("DELETE", "/webhooks/{webhook_id}"), ("POST", "/webhooks/{webhook_id}/rotate")),
    *(
        ("PATCH", "/policy"),
        ("PATCH", "/settings"),
        ("POST", "/settings/senders"),
        ("DELETE", "/settings/senders/{rule_id}"),
        ("DELETE", "/settings/learnt/{sender_email}"),
    ),
    *(("GET", "/settings/passwords"), ("POST", "/settings/passwords"), ("DELETE", "/settings/passwords/{password_id}")),
}

READS = {  # they say something, and decide nothing
    ("POST", "/mappings/suggest"),
    ("POST", "/topics/preview"),
    ("POST", "/topics/try"),
    ("POST", "/evidence/ask"),
    ("POST", "/skills/{skill_id}/run"),
    ("POST", "/skills/email-analyse/run"),
    ("POST", "/skills/email-fetch-attachment/run"),
}


@dataclass(frozen=True)
class Ask:
    """One operation."""

    method: str
    template: str

    @property
    def role(self) -> str:
        if (self.method, self.template) in ADMIN:
            return "admin"
        reads = self.method == "GET" or (self.method, self.template) in READS
        return "viewer" if reads else "operator"

    @property
    def parameters(self) -> list[str]:
        return re.findall(r"{(\w+)}", self.template)

    def path(self, of: Filled) -> str:
        if self.template.endswith(("/pages/{number}", "/file")):  # of a document whose bytes are held here
            return self.template.format(document_id=of["upload_id"], number=1)
        if self.template.startswith("/proposals/"):  # contacts have proposals too
            return self.template.format(proposal_id=of["mail_proposal_id"])
        return re.sub(r"{(\w+)}", lambda match: "1" if match[1] == "number" else str(of[match[1]]), self.template)

    @property
    def body(self) -> dict[str, Any]:
        return BODIES.get((self.method, self.template), {})

    def __str__(self) -> str:
        return f"{self.method} {self.template}"


def every_ask(app: Any) -> Iterator[Ask]:
    """From the description itself, so that nothing new is forgotten. Streams that do not end are tested by themselves."""
    for path, operations in app.openapi()["paths"].items():
        for method in operations:
            if path.removeprefix("/api/v1") not in STREAMS:
                yield Ask(method.upper(), path.removeprefix("/api/v1"))
