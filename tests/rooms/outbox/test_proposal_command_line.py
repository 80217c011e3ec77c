"""Proposals at the command line."""

from __future__ import annotations

import re

import psycopg
import pytest
from typer.testing import CliRunner

from harness import make_mailbox
from postroom import cli


@pytest.fixture
def postroom(dsn, owner_dsn, tmp_path, monkeypatch):
    monkeypatch.setattr("postroom.logs.set_up", lambda *how: None)  # it would outlive the runner's captured stderr
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path / "home"))

    def run(*words: object) -> tuple[int, str]:
        ended = CliRunner().invoke(cli.app, [str(word) for word in words])
        return ended.exit_code, ended.output

    assert 0 == run("tenant", "create", "default")[0]
    return run


@pytest.fixture
def proposal(postroom, owner_dsn) -> str:
    """A new mail that waits, at a tenant that sends."""
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        [tenant] = owner.execute("SELECT tenant_id FROM postroom.tenant").fetchone()
        owner.execute("""UPDATE postroom.tenant SET policy = '{"sending": {"switch": "on", "undo_seconds": 3600}}'""")
    mailbox = make_mailbox(owner_dsn, tenant)
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        [made] = owner.execute(
            "INSERT INTO postroom.proposal (id, tenant_id, mailbox_id, kind, origin, hash, recipients, subject, body, html,"
            " proposed_by, expires_at, created_at, updated_at) VALUES (gen_random_uuid(), %s, %s, 'new', 'person', 'sha256:ab',"
            " '{ada@client.test}', 'Your room', 'It is free.', '', 'person:nora', now() + interval '1 day', now(), now())"
            " RETURNING id",
            [tenant, mailbox],
        ).fetchone()
    return str(made)


def test_what_waits_is_shown_approved_by_its_hash_and_taken_back(postroom, proposal):
    listed, shown = postroom("proposal", "list", "--status", "waiting"), postroom("proposal", "show", proposal)
    wrong = postroom("proposal", "approve", proposal, "--hash", "sha256:cd")
    right = postroom("proposal", "approve", proposal, "--hash", "sha256:ab")
    back = postroom("proposal", "revoke", proposal, "--because", "Not yet.")

    assert (0, True) == (listed[0], proposal in listed[1])
    assert all(said in shown[1] for said in ("To: ada@client.test", "Subject: Your room", "It is free.", "sha256:ab"))
    assert (1, True) == (wrong[0], "Look again" in wrong[1])
    assert (0, True) == (right[0], re.search(r"approved.*goes out not before", right[1]) is not None)
    assert (0, True) == (back[0], "revoked. Not yet." in back[1])


def test_what_is_discarded_is_over_and_only_the_unknown_is_resolved(postroom, proposal):
    odd = postroom("proposal", "resolve", proposal, "--sent")
    gone = postroom("proposal", "discard", proposal)
    again = postroom("proposal", "discard", proposal)

    assert (1, 0, 1) == (odd[0], gone[0], again[0])
    assert "It was discarded." in again[1]
