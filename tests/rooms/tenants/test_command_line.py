"""Tenants, people, keys and jobs at the command line."""

from __future__ import annotations

import re

import psycopg
import pytest
from typer.testing import CliRunner

from postroom import cli

JOB = (
    "INSERT INTO postroom.job (tenant_id, kind, key, state, correlation_id, reason, tries)"
    " SELECT tenant_id, 'sync.poll', %s, 'quarantined', gen_random_uuid(), 'Broken.', 6 FROM postroom.tenant RETURNING id"
)


@pytest.fixture
def postroom(dsn, owner_dsn, tmp_path, monkeypatch):
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path))

    def run(*words: str):
        return CliRunner().invoke(cli.app, list(words))

    assert 0 == run("tenant", "create", "default").exit_code
    return run


def test_retention_is_shown_changed_and_lifted(postroom):
    assert 7 == postroom("tenant", "retention").output.count("ever")
    changed = postroom("tenant", "retention", "--messages", "365", "--archive", "2555")
    assert (0, True, True) == (changed.exit_code, "365 days" in changed.output, "2,555 days" in changed.output)
    lifted = postroom("tenant", "retention", "--messages", "keep")
    assert ("365 days" in lifted.output, "2,555 days" in lifted.output) == (False, True)


def test_a_window_that_is_too_short_is_refused_with_the_bounds(postroom):
    refused = postroom("tenant", "retention", "--messages", "7")
    assert (1, True) == (refused.exit_code, "30 to 36,500 days" in refused.output)


def test_a_link_is_printed_alone_and_made_for_people_who_are_known(postroom):
    assert 0 == postroom("person", "add", "anna@acme.test", "--role", "viewer").exit_code
    link = postroom("person", "link", "anna@acme.test")
    assert re.fullmatch(r"http://127\.0\.0\.1:8025/signin/link/[A-Za-z0-9_-]{43}\n", link.output)
    unknown = postroom("person", "link", "eve@acme.test")
    assert (1, True) == (unknown.exit_code, "postroom person add eve@acme.test" in unknown.output)


def test_with_nobody_named_the_first_admin_gets_the_link(postroom, owner_dsn):
    assert "/signin/link/" in postroom("person", "link").output
    with psycopg.connect(owner_dsn) as owner:
        assert [("admin@localhost", "admin")] == owner.execute("SELECT email, role FROM postroom.person").fetchall()


def test_many_jobs_are_tried_again_with_a_summary(postroom, owner_dsn):
    with psycopg.connect(owner_dsn, autocommit=True) as owner:
        jobs = [str(owner.execute(JOB, [key]).fetchone()[0]) for key in "abc"]
    told = postroom("job", "failures").output
    assert re.search(r"put aside after their last retry +3\b", told)
    some = postroom("job", "retry", jobs[0], "999999")
    assert (0, True, True) == (
        some.exit_code,
        "1 of 2 will be tried again." in some.output,
        "There is no job 999999" in some.output,
    )
    assert "2 of 2 will be tried again." in postroom("job", "retry", "--quarantined").output
    assert "Nothing to try again." in postroom("job", "retry", "--quarantined").output
    assert 1 == postroom("job", "retry", "999999").exit_code
