"""Canonical events, made from facts: which fact is which event, and the envelope."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args
from uuid import UUID

Body = Mapping[str, Any]
TEST_EVENT = "webhook.test"
EventType = Literal[
    "mail.message.received",
    "mail.thread.updated",
    "mail.processing.started",
    "mail.processing.completed",
    "mail.processing.failed",
    "mail.draft.created",
    "mail.flagged.sensitive",
]
EVENT_TYPES: tuple[EventType, ...] = get_args(EventType)
CURSOR_FIELDS = {"gmail": "gmail_history_id", "outlook": "outlook_change_key"}
LONGEST_TEXT = 2000
MOST_ENTRIES = 50


def always(body: Body) -> bool:
    del body
    return True


@dataclass(frozen=True, slots=True)
class EventRule:
    """A fact of a kind is an event of a type, if its body says so; these fields of the body go along as data."""

    type: str
    fields: Sequence[str] = ()
    happened: str | None = None  # the field that says when; the fact's own time if none does
    applies: Callable[[Body], bool] = always


# Fact kind → events. A room that tells a fact which others want to hear of adds a line.
EVENTS: Mapping[str, Sequence[EventRule]] = {
    "mail.message.received": (
        EventRule("mail.message.received", ("source", "automatic"), "received_at"),
        EventRule("mail.thread.updated", (), "received_at"),
    ),
    "mail.processing.started": (
        EventRule("mail.processing.started", ("stage", "job_kind", "retry_count"), "started_at"),
    ),
    "mail.processing.completed": (
        EventRule("mail.processing.completed", ("stage", "job_kind", "outcome", "because"), "finished_at"),
    ),
    "mail.thread.updated": (EventRule("mail.thread.updated", ("what",)),),
    "mail.draft.created": (
        EventRule("mail.draft.created", ("draft_id", "provider_draft_id", "how", "state", "reason")),
    ),
    "mail.flagged.sensitive": (EventRule("mail.flagged.sensitive", ("reason", "topics")),),
    "attempt.failed": (
        EventRule(
            "mail.processing.failed",
            ("stage", "job_kind", "outcome", "error_class", "error_code", "retry_count", "next_retry_at"),
            applies=lambda body: body.get("stage") is not None,
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class FactSeen:
    """A fact with what is known of its mail, as the envelope needs it."""

    id: int
    xid: int
    told_at: datetime
    tenant_id: UUID
    kind: str
    mailbox_id: UUID | None
    thread_id: UUID | None
    message_id: UUID | None
    job_id: int | None
    run_id: str | None
    correlation_id: UUID | None
    body: dict[str, Any]
    provider: str | None
    version: str | None
    provider_message_id: str | None
    provider_thread_id: str | None
    is_first: bool  # of its kind for this message


@dataclass(frozen=True, slots=True)
class Event:
    """What is told. `run_id` is set where each run tells its own."""

    type: str
    mailbox_id: UUID | None
    thread_id: UUID | None
    message_id: UUID | None
    run_id: str | None
    fact_id: int | None
    occurred_at: datetime
    payload: dict[str, Any]


def events_of(fact: FactSeen) -> list[Event]:
    """The events that a fact is; of each message each type once, the first wins."""
    found = []
    for rule in EVENTS.get(fact.kind, ()):
        each_run = rule.type.startswith("mail.processing.")
        if fact.mailbox_id is None or not rule.applies(fact.body) or not (each_run or fact.is_first):
            continue
        payload = envelope(fact, rule)
        of_no_message = f"fact:{fact.id}" if fact.message_id is None else None  # each such fact is its own
        run_id = fact.run_id if each_run else of_no_message
        about = (fact.mailbox_id, fact.thread_id, fact.message_id)
        found.append(Event(rule.type, *about, run_id, fact.id, datetime.fromisoformat(payload["occurred_at"]), payload))
    return found


def envelope(fact: FactSeen, rule: EventRule) -> dict[str, Any]:
    """As it is sent: ids, times and the provider's cursor; of the mail itself nothing but ids."""
    told = fact.told_at.isoformat()
    body = fact.body
    provider_message_id = fact.provider_message_id or body.get("provider_message_id")
    provider_thread_id = fact.provider_thread_id or body.get("provider_thread_id")
    data = {
        "provider_message_id": provider_message_id,
        "provider_thread_id": provider_thread_id,
        "message_id": _text(fact.message_id),
        "thread_id": _text(fact.thread_id),
        "job_id": fact.job_id,
        "run_id": fact.run_id,
        **{name: bounded(body.get(name)) for name in rule.fields},
    }
    cursor = CURSOR_FIELDS.get(fact.provider or "")
    return {
        "type": rule.type,
        "tenant_id": str(fact.tenant_id),
        "mailbox_id": _text(fact.mailbox_id),
        "provider": fact.provider,
        "correlation_id": _text(fact.correlation_id),
        "occurred_at": (rule.happened and body.get(rule.happened)) or told,
        "received_at": told,
        **({cursor: fact.version or None} if cursor else {}),
        "data": data,
    }


def envelope_of_test(tenant_id: UUID, correlation_id: UUID, now: datetime) -> dict[str, Any]:
    """What the test button sends: an envelope like any other, about nothing."""
    told = now.isoformat()
    said = {"tenant_id": str(tenant_id), "mailbox_id": None, "provider": None, "correlation_id": str(correlation_id)}
    return {"type": TEST_EVENT, **said, "occurred_at": told, "received_at": told, "data": {}}


def bounded(value: Any) -> Any:
    """However long a sentence was, the payload stays small."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT else value[: LONGEST_TEXT - 1] + "…"
    if isinstance(value, list):
        return [bounded(each) for each in value[:MOST_ENTRIES]]
    return value


def _text(value: UUID | None) -> str | None:
    return None if value is None else str(value)
