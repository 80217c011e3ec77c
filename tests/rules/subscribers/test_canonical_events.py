"""Which fact is which event, and the envelope."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import UUID

import jsonschema
import pytest

from postroom.nouns import facts
from postroom.rooms.subscribers.rules.events import EVENT_TYPES, EVENTS, FactSeen, envelope_of_test, events_of

SCHEMA = json.loads((Path(__file__).parents[3] / "docs" / "reference" / "events.schema.json").read_text("utf-8"))
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
ONE = UUID("10000000-0000-4000-8000-000000000001")


def seen(kind: str, body: dict[str, Any], **changes: Any) -> FactSeen:
    known: dict[str, Any] = {
        "id": 7, "xid": 9, "told_at": NOW, "tenant_id": ONE, "kind": kind, "mailbox_id": ONE, "thread_id": ONE,
        "message_id": ONE, "job_id": 3, "run_id": "3.1", "correlation_id": ONE, "body": body, "provider": "outlook",
        "version": "CQAA", "provider_message_id": "AAMk1", "provider_thread_id": "AAQk1", "is_first": True,
    }  # fmt: skip
    return FactSeen(**known | changes)


BODIES = {
    "mail.message.received": {"source": "push", "automatic": None, "received_at": "2026-03-02T08:59:00+00:00"},
    "mail.processing.started": {"stage": "documents", "job_kind": "documents.read", "started_at": NOW.isoformat()},
    "mail.processing.completed": {"stage": "documents", "job_kind": "documents.read", "outcome": "processed"},
    "attempt.failed": {"stage": "documents", "job_kind": "documents.read", "outcome": "retry"},
}


def test_the_page_of_events_names_what_each_carries():
    page = (Path(__file__).parents[3] / "docs" / "reference" / "events.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| `([\w.]+)` \|(?:[^|]*\|){2}([^|]*)\|$", page, re.MULTILINE))
    carried: dict[str, set[str]] = {}
    for rule in (each for rules in EVENTS.values() for each in rules):
        carried.setdefault(rule.type, set()).update(rule.fields)

    assert carried == {name: set(re.findall(r"`(\w+)`", rows[name])) for name in carried}


def valid(payload: dict[str, Any]) -> None:
    jsonschema.validate(payload, SCHEMA, format_checker=jsonschema.FormatChecker())


@pytest.mark.parametrize("provider", ["outlook", "gmail", "imap", "files"])
@pytest.mark.parametrize("kind", EVENTS)
def test_every_event_is_as_the_schema_says(kind, provider):
    for event in events_of(seen(kind, BODIES.get(kind, {}), provider=provider)):
        valid(event.payload)
        assert event.type in EVENT_TYPES


def test_the_test_event_is_as_the_schema_says():
    valid(envelope_of_test(ONE, ONE, NOW))


def test_the_schema_names_every_type():
    assert {*EVENT_TYPES, "webhook.test"} == set(SCHEMA["properties"]["type"]["enum"])


def test_every_fact_in_the_table_exists():
    assert set() == set(EVENTS) - {each.kind for each in facts.every_fact()}


def test_a_message_tells_when_the_provider_had_it_and_when_we_did():
    [received, updated] = events_of(seen("mail.message.received", BODIES["mail.message.received"]))

    assert ("mail.message.received", "mail.thread.updated") == (received.type, updated.type)
    assert ("2026-03-02T08:59:00+00:00", NOW.isoformat()) == (
        received.payload["occurred_at"],
        received.payload["received_at"],
    )
    assert "CQAA" == received.payload["outlook_change_key"]
    assert ("AAMk1", "AAQk1") == (
        received.payload["data"]["provider_message_id"],
        received.payload["data"]["provider_thread_id"],
    )


def test_only_the_first_of_its_kind_is_told_but_every_run_tells_its_own():
    assert [] == events_of(seen("mail.message.received", BODIES["mail.message.received"], is_first=False))
    [again] = events_of(seen("mail.processing.started", BODIES["mail.processing.started"], is_first=False))
    assert "3.1" == again.run_id


def test_a_failure_of_other_work_is_no_event_of_mail():
    assert [] == events_of(seen("attempt.failed", {"stage": None, "outcome": "retry"}))
    assert ["mail.processing.failed"] == [
        each.type for each in events_of(seen("attempt.failed", BODIES["attempt.failed"]))
    ]


def test_however_much_a_fact_says_the_payload_stays_small():
    body = BODIES["mail.processing.completed"] | {"because": "x" * 100_000}
    [event] = events_of(seen("mail.processing.completed", body))
    assert 5000 > len(json.dumps(event.payload))
