"""Confirming by itself, the scorecard, the threshold and what was learnt, at the command line."""

from __future__ import annotations

import json
from uuid import UUID

import psycopg
import pytest
from typer.testing import CliRunner

from harness import BOX, make_mailbox
from postroom import cli
from postroom.nouns.ids import TenantId, new_id


@pytest.fixture
def postroom(dsn, owner_dsn, tmp_path, monkeypatch):
    monkeypatch.setattr("postroom.logs.set_up", lambda *how: None)  # it would outlive the runner's captured stderr
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path / "home"))

    def run(*words: object, answer: str = "") -> tuple[int, str]:
        ended = CliRunner().invoke(cli.app, [str(word) for word in words], input=answer)
        return ended.exit_code, ended.output

    assert 0 == run("tenant", "create", "default")[0]
    return run


@pytest.fixture
def owner(owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as connection:
        yield connection


@pytest.fixture
def tenant(postroom, owner) -> TenantId:
    found = owner.execute("SELECT tenant_id FROM postroom.tenant WHERE name = 'default'").fetchone()[0]
    return TenantId(UUID(str(found)))


@pytest.fixture
def mailbox(tenant, owner_dsn):
    return make_mailbox(owner_dsn, tenant)


def judged(owner, tenant, mailbox, *, stated: float) -> None:
    """A note that the gate would have confirmed, and a person did."""
    document = new_id()
    owner.execute(
        "INSERT INTO postroom.document (id, tenant_id, mailbox_id, attachment_path, filename, content_type, size, sha256,"
        " kind, status, source, sender_email, received_at) VALUES (%s, %s, %s, 'a', 'note.pdf', 'application/pdf', 3,"
        " %s, 'contract_note', 'confirmed', 'graph_webhook', 'notes@broker.example', now())",
        [document, tenant, mailbox, document.hex * 2],
    )
    owner.execute(
        "INSERT INTO postroom.gate_verdict (document_id, tenant_id, mailbox_id, pipeline, sender_email, mode, stated,"
        " clear, passed, because, received_at, judged_at) VALUES (%s, %s, %s, 'pad_contract_notes', 'notes@broker.example', 'shadow',"
        " %s, true, true, '', now(), now())",
        [document, tenant, mailbox, stated],
    )
    owner.execute(
        "INSERT INTO postroom.trade (id, tenant_id, document_id, position, status, because, direction, trade_date,"
        " quantity, isin, net, currency, confidence, fields, fingerprint, confirmed_by, confirmed_at) VALUES (%s, %s, %s, 0,"
        " 'confirmed', '', 'BUY', '2026-03-02', 10, 'DE0007164600', 100, 'EUR', %s, '{}', 'p', 'anna@desk.example', now())",
        [new_id(), tenant, document, stated],
    )


def test_confirming_is_switched_on_only_after_its_figure_was_shown(postroom, mailbox):
    assert "is shadow" in postroom("mailbox", "confirming", BOX, "ap_invoices", "shadow")[1]
    asked = postroom("mailbox", "confirming", BOX, "ap_invoices", "on", answer="n\n")
    assert (1, True) == (asked[0], "Switch it on?" in asked[1])
    assert "is on" in postroom("mailbox", "confirming", BOX, "ap_invoices", "on", "--yes")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((BOX, "letters", "on", "--yes"), "is not a pipeline"),
        ((BOX, "ap_invoices", "maybe"), "maybe"),
        (("nobody@x.example", "ap_invoices", "off"), "nobody@x.example"),
    ],
)
def test_what_cannot_be_switched_is_refused_with_a_sentence(postroom, mailbox, words, said):
    code, output = postroom("mailbox", "confirming", *words)

    assert code != 0
    assert said in output


def test_the_scorecard_counts_what_people_decided(postroom, owner, tenant, mailbox):
    assert "Nothing was judged yet." in postroom("scorecard")[1]
    judged(owner, tenant, mailbox, stated=0.97)
    card = json.loads(postroom("scorecard", "--json", "--mailbox", BOX, "--pipeline", "pad_contract_notes")[1])

    assert (1, 1, 1) == tuple(card["every"][name] for name in ("judged", "passed", "found_right"))
    assert "notes@broker.example" in postroom("scorecard")[1]


def test_a_threshold_is_changed_after_its_effect_was_shown(postroom, owner, tenant, mailbox):
    judged(owner, tenant, mailbox, stated=0.97)
    refused = postroom("tenant", "policy", "--sure-enough", "99", answer="n\n")
    assert (1, True) == (refused[0], "90 days" in refused[1])
    assert "99.0%" in postroom("tenant", "policy", "--sure-enough", "99", "--yes")[1]


def test_what_was_learnt_of_a_sender_is_listed_and_forgotten(postroom, owner, tenant):
    assert "No correction taught anything yet." in postroom("learning", "list")[1]
    owner.execute(
        "INSERT INTO postroom.sender_profile (tenant_id, sender_email, profile, updated_at)"
        " VALUES (%s, 'notes@broker.example', %s, now())",
        [tenant, json.dumps({"labels": {"endbetrag": "net"}})],
    )
    assert "notes@broker.example" in postroom("learning", "list")[1]
    assert "is forgotten" in postroom("learning", "forget", "notes@broker.example")[1]
    assert "No correction taught anything yet." in postroom("learning", "list")[1]
