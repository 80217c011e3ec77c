"""Every fact is told in plain words."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from postroom.doors.console import fact_texts, topics
from postroom.engine.facts import TellingFact
from postroom.nouns import facts

KINDS = [each.kind for each in facts.every_fact()]


def told(kind: str, **body: object) -> fact_texts.FactText:
    now = datetime(2026, 3, 2, tzinfo=UTC)
    nothing = dict.fromkeys(("mailbox_id", "thread_id", "message_id", "document_id", "job_id", "run_id"))
    fact = TellingFact(
        id=1, xid=1, told_at=now, tenant_id=uuid4(), kind=kind, correlation_id=None, actor="postroom",
        body=body, digest=b"", **nothing,
    )  # fmt: skip
    return fact_texts.say(fact, {})


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"engine.counted"}))
def test_every_kind_has_words_of_its_own(kind):
    assert kind in fact_texts.TELLERS


def test_no_words_are_kept_for_facts_that_nobody_tells():
    assert set() == set(fact_texts.TELLERS) - set(KINDS)


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"engine.counted", "security.event"}))
def test_every_kind_makes_some_part_of_the_pages_look_again(kind):
    assert kind.partition(".")[0] in topics.TOPICS


def test_what_an_older_version_told_is_shown_by_its_kind():
    assert "Tenant retention changed" == told("tenant.retention_changed", other="field").text


def test_a_change_is_shown_with_what_was_before():
    said = told("tenant.retention_changed", before={"messages": 365}, after={"archive": 90})
    assert ("Retention changed", "Mail 365 days → kept; Archived originals kept → 90 days") == (said.text, said.more)
    rules = told(
        "mailbox.rules_changed",
        before={"deny_senders": []},
        after={"deny_senders": ["a.example"]},
        mailbox_id=str(UUID(int=1)),
    )
    assert "Deny senders none → a.example" == rules.more


def test_a_refused_sign_in_stands_out():
    said = told("session.refused", because="The password was wrong.", source="192.0.2.7", person_id="x")
    assert ("Sign-in refused", "warn", "The password was wrong. From 192.0.2.7.") == (said.text, said.tone, said.more)


def test_what_was_forgotten_is_counted():
    assert "1,200 mails forgotten" == told("tenant.forgotten", what="messages", count=1200, before="2026-01-01T0").text


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("thread.labelled", {"before": None, "after": "Copilot/Ready"}, "Labelled Copilot/Ready"),
        ("thread.labelled", {"before": "Copilot/Ready", "after": None}, "The label Copilot/Ready is off"),
        ("thread.label_changed_by_person", {"before": "Mine", "after": None}, "A person took the label Mine off"),
        ("thread.state_set", {"after": None, "because": ""}, "Waits for nobody"),
        ("thread.set_aside", {"how": "not_for_us"}, "Not for us"),
        ("thread.set_aside", {"how": "open"}, "Open again"),
        ("thread.snoozed", {"till": "2026-03-03T08:00:00Z"}, "Snoozed till 2026-03-03 08:00 UTC"),
        ("thread.snoozed", {"till": None}, "In sight again"),
        ("mail.thread.updated", {"what": "drafted"}, "A draft in the mailbox was written or changed"),
        (
            "mail.processing.completed",
            {"job_kind": "replies.draft", "outcome": "noop", "because": ""},
            "Draft: nothing to do",
        ),
        ("mail.flagged.sensitive", {"reason": "sensitive_legal"}, "Flagged: sensitive legal"),
    ],
)
def test_what_happened_in_a_thread_is_said_as_it_was(kind, body, text):
    assert text == told(kind, thread_id=str(UUID(int=1)), **body).text
