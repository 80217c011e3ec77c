"""Which passwords will not do."""

from __future__ import annotations

import pytest

from postroom.rooms.tenants import rules

ANNA = ("anna.ash@larkspur.example", "Anna Ash")


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short", "at least 12"),
        ("x" * 300, "at most 200"),
        ("aaaaaaaaaaaaaa", "different characters"),
        ("abcabcabcabcab", "different characters"),
        ("738291046583", "more than digits"),
        ("Summer2026!!!", "everybody tries first"),
        ("passwordpassword", "everybody tries first"),
        ("P@ssw0rd1234", "everybody tries first"),
        ("qwertyuiop12", "everybody tries first"),
        ("iloveyou123456", "everybody tries first"),
        ("administrator1", "everybody tries first"),
        ("Winter2026Winter", "everybody tries first"),
        ("anna.ash@larkspur", "your own name"),
        ("AnnaAsh-12345", "your own name"),
        ("Larkspur-2026!", "your own name"),
    ],
)
def test_a_weak_password_is_refused_with_the_reason(password, why):
    assert why in (rules.objection_to_password(password, *ANNA) or "")


@pytest.mark.parametrize(
    "password",
    [
        "correct horse battery",
        "another long password",
        "xK9#mN2$pQ7!",
        "8#3!9$2@5%7&aB",
        "Password8#3!9$2@",
        "grüne Wiese am Bach",
    ],
)
def test_a_password_that_nobody_tries_first_will_do(password):
    assert rules.objection_to_password(password, *ANNA) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:192.0.2.7", "192.0.2.7", True),
        ("192.0.2.7", "192.0.2.8", False),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("a socket", "a socket", True),
    ],
)
def test_guesses_from_one_ipv6_network_count_together(one, other, same):
    assert same == (rules.counted_source(one) == rules.counted_source(other))


@pytest.mark.parametrize("token", ["", "x", "0" * 42])
def test_a_page_s_token_without_a_secret_proves_nothing(token):
    assert not rules.csrf_matches(token, rules.csrf_of(token))
    secret = rules.make_token().secret.reveal()
    assert rules.csrf_matches(secret, rules.csrf_of(secret))
