"""What a tenant may decide about sending, and how it is kept."""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from decimal import Decimal

import pytest

from postroom.nouns.errors import BadRequest
from postroom.nouns.sending import SendingPolicy, SendWindow, check_sending, sending_policy_of

WINDOW = SendWindow(("mon", "fri"), time(7, 30), time(19), "Europe/Berlin")
FULL = SendingPolicy("on", 30, 24, 7, WINDOW, ("new_recipient", "attachment"), Decimal("1000.50"), 3, 50)


def test_nothing_is_sent_until_a_tenant_says_so():
    assert ("off", 5, None, ()) == (
        sending_policy_of({}).switch,
        sending_policy_of({}).undo_seconds,
        sending_policy_of({}).window,
        sending_policy_of({}).second_person,
    )


@pytest.mark.parametrize("policy", [SendingPolicy(), FULL, replace(FULL, window=None, second_person_amount=None)])
def test_a_policy_is_kept_as_it_was_said(policy):
    assert policy == sending_policy_of({"sending": policy.as_json()})


def test_a_switch_that_says_neither_counts_as_off():
    assert "off" == sending_policy_of({"sending": {"switch": "maybe"}}).switch


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"undo_seconds": -1}, "undo delay"),
        ({"undo_seconds": 3_601}, "undo delay"),
        ({"approval_hours": 0}, "approval lasts"),
        ({"proposal_days": 366}, "proposal waits"),
        ({"per_thread_hour": 0}, "per thread"),
        ({"per_mailbox_hour": 0}, "per mailbox"),
        ({"second_person_amount": Decimal(-1)}, "amount"),
        ({"second_person_amount": Decimal("NaN")}, "amount"),
        ({"window": replace(WINDOW, days=())}, "at least one day"),
        ({"window": replace(WINDOW, closes=WINDOW.opens)}, "another time"),
        ({"window": replace(WINDOW, zone="Europe/Atlantis")}, "no time zone"),
        ({"window": replace(WINDOW, zone="../../etc/passwd")}, "no time zone"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_sentence(wrong, said):
    with pytest.raises(BadRequest, match=said):
        check_sending(replace(FULL, **wrong))


def test_what_can_be_meant_is_taken():
    assert FULL == check_sending(FULL)
