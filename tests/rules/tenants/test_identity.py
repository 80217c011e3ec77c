"""Identity providers: whom a token vouches for, and that only the browser which went can come back."""

from __future__ import annotations

import pytest

from postroom.nouns.errors import BadRequest
from postroom.nouns.identity import LoginState
from postroom.outside.oidc.claims import identity

ISSUER = "https://login.test"


@pytest.mark.parametrize("cookie", ["", "x", "a" * 42, "a" * 44, "a" * 42 + " "])
def test_without_the_cookie_that_we_set_nobody_comes_back(cookie):
    with pytest.raises(BadRequest):
        LoginState.from_cookie(cookie)


def test_state_nonce_and_verifier_follow_from_the_cookie_and_differ():
    login = LoginState.new()
    again = LoginState.from_cookie(login.secret)
    assert (login.state, login.nonce, login.verifier) == (again.state, again.nonce, again.verifier)
    assert 4 == len({login.state, login.nonce, login.verifier, login.challenge})
    assert login.state != LoginState.new().state


@pytest.mark.parametrize(
    ("claims", "opted_in", "email"),
    [
        ({"email_verified": True}, False, "anna@house.test"),
        ({"email_verified": "true"}, False, "anna@house.test"),
        ({"email_verified": False}, False, None),
        ({"email_verified": "false"}, False, None),
        ({"email_verified": 1}, False, None),
        ({"email_verified": "yes"}, False, None),
        ({}, False, None),
        ({}, True, "anna@house.test"),
        ({"email_verified": False}, True, None),
        ({"email_verified": "false"}, True, None),
    ],
)
def test_an_address_counts_when_the_provider_proved_it_or_an_admin_opted_in(claims, opted_in, email):
    told = {"sub": "42", "email": "anna@house.test", **claims}
    found = identity(told, ISSUER, trust_unverified=opted_in)
    assert (f"{ISSUER}|42", email) == (found.subject, found.email)
