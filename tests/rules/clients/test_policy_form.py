"""The mapping policy as a person writes it in a form."""

from __future__ import annotations

from decimal import Decimal
from uuid import UUID

import pytest

from postroom.nouns.errors import BadRequest
from postroom.rooms.clients.rules.policy_form import said_policy

BOX = UUID("0193a7c0-1000-7000-8000-000000000001")


@pytest.mark.parametrize(
    ("said", "left_out", "expected"),
    [
        ({}, [], {"left_out": []}),
        ({"threshold": "80"}, [], {"threshold": Decimal("0.8"), "left_out": []}),
        ({"stale_penalty": " 12,5 % "}, [], {"stale_penalty": Decimal("0.125"), "left_out": []}),
        ({"staleness_days": "90", "csrf": "x"}, [str(BOX)], {"staleness_days": 90, "left_out": [BOX]}),
    ],
)
def test_percent_and_days_become_values(said, left_out, expected):
    assert expected == said_policy(said, left_out)


@pytest.mark.parametrize(
    ("said", "left_out", "words"),
    [
        ({"threshold": "most"}, [], "How sure is sure enough: 'most' is no percentage"),
        ({"threshold": "101"}, [], "from 0 to 100"),
        ({"threshold": "NaN"}, [], "no percentage"),
        ({"staleness_days": "-3"}, [], "whole number"),
        ({"silent_after_days": "1.5"}, [], "whole number"),
        ({}, ["all"], "no mailbox"),
    ],
)
def test_what_is_no_value_is_refused_with_what_to_write(said, left_out, words):
    with pytest.raises(BadRequest, match=words):
        said_policy(said, left_out)
