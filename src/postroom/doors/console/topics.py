"""Which parts of the pages a fact makes old. A new group of facts adds one line here; a kind may have its own."""

from __future__ import annotations

from collections.abc import Sequence

from postroom.engine.facts import TellingFact

TOPICS = {
    "mail": ("messages", "mailboxes", "threads"),
    "thread": ("threads",),
    "channel": ("threads", "channels"),
    "triage": ("threads", "topics"),
    "evidence": ("evidence",),
    "evidence.added": ("evidence", "threads", "proposals"),
    "evidence.retired": ("evidence", "threads", "proposals"),
    "evidence.learned": ("evidence", "threads", "proposals"),
    "proposal": ("proposals", "threads"),
    "reply": ("proposals", "threads"),
    "message": ("messages",),
    "document": ("documents", "messages"),
    "trade": ("trades", "documents"),
    "invoice": ("invoices", "documents"),
    "booking": ("bookings", "documents"),
    "order": ("orders",),
    "audit": ("activity",),
    "attempt": ("attempts", "messages"),
    "mailbox": ("mailboxes",),
    "mailbox.sending_switched": ("mailboxes", "proposals"),
    "watch": ("mailboxes",),
    "sync": ("mailboxes",),
    "person": ("people",),
    "key": ("people",),
    "session": ("people",),
    "tenant": ("people",),
    "mapping": ("clients", "messages"),
    "account": ("accounts", "clients"),
    "webhook": ("webhooks",),
    "skill": ("activity",),
}

ALL_TOPICS = sorted({"activity", *(topic for each in TOPICS.values() for topic in each)})


def topics(facts: Sequence[TellingFact]) -> dict[str, int]:
    """Which parts of the pages are old now, with how many facts say so."""
    counted: dict[str, int] = {"activity": len(facts)}
    for fact in facts:
        for topic in TOPICS.get(fact.kind) or TOPICS.get(fact.kind.partition(".")[0], ()):
            counted[topic] = counted.get(topic, 0) + 1
    return counted
