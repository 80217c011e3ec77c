"""Decisions about mailboxes: when to renew, what a secret is worth, where a browser may be sent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from postroom.nouns.errors import BadRequest
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import rules

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("left", "due"),
    [(None, True), (timedelta(hours=23, minutes=59), True), (timedelta(0), True), (timedelta(hours=24), False)],
)
def test_a_watch_with_less_than_a_day_is_due(left, due):
    assert due == rules.due(NOW + left if left is not None else None, NOW)


def test_a_watch_touched_within_ten_minutes_is_left_alone():
    assert rules.touched_lately(NOW - timedelta(minutes=9), NOW)
    assert not rules.touched_lately(NOW - timedelta(minutes=10), NOW)
    assert not rules.touched_lately(None, NOW)


def test_a_watch_from_before_the_grant_is_renewed_by_it():
    assert rules.outlived_by_grant(NOW - timedelta(days=1), NOW)
    assert not rules.outlived_by_grant(NOW, NOW)
    assert not rules.outlived_by_grant(None, NOW)


def test_a_client_state_has_256_bits_fits_graph_and_is_new_each_time():
    made = {rules.make_client_state(None).reveal() for _ in range(50)}

    assert 50 == len(made)
    assert all(43 <= len(state) <= 128 for state in made)
    assert "configured-by-hand" == rules.make_client_state(Secret("configured-by-hand")).reveal()


def test_the_digest_recognises_the_state_and_does_not_show_it():
    digest = rules.digest_state(Secret("the-state"))

    assert rules.state_matches(Secret("the-state"), digest)
    assert not rules.state_matches(Secret("the-stat"), digest)
    assert not rules.state_matches(None, digest)
    assert not rules.state_matches(Secret("the-state"), None)
    assert b"the-state" not in digest


def test_a_challenge_is_not_the_verifier():
    one, other = rules.make_pkce(), rules.make_pkce()

    assert one.verifier.reveal() != other.verifier.reveal()
    assert 43 == len(one.challenge)
    assert 43 <= len(one.verifier.reveal()) <= 128


def test_another_account_than_asked_for_is_refused_by_name():
    rules.same_mailbox("Anna@Desk.test", "anna@desk.test")
    rules.same_mailbox(None, "whoever@desk.test")
    with pytest.raises(BadRequest, match=r"connect anna@desk\.test, but signed in as other@desk\.test"):
        rules.same_mailbox("anna@desk.test", "other@desk.test")


@pytest.mark.parametrize("path", ["/mailboxes", "/a/b?c=d#e"])
def test_our_own_pages_may_be_returned_to(path):
    assert rules.is_own_page(path)


@pytest.mark.parametrize(
    "path", ["", "//x.test", "/\\x.test", "https://x.test", "/\t/x.test", "/\n", "\\\\x", "javascript:1"]
)
def test_pages_elsewhere_may_not(path):
    assert not rules.is_own_page(path)


@pytest.mark.parametrize(
    ("code", "status"),
    [("auth_revoked", "token_refresh_failed"), ("permission_denied", "provider_error"), ("unknown", "provider_error")],
)
def test_the_trouble_decides_the_status(code, status):
    assert status == rules.status_after(code)
