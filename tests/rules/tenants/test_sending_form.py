"""What may be sent, as a person writes it in a form."""

from __future__ import annotations

from datetime import time
from decimal import Decimal

import pytest

from postroom.nouns.errors import BadRequest
from postroom.nouns.sending import SendingPolicy, SendWindow
from postroom.rooms.tenants.rules.sending_form import said_sending

TIMES = {"opens": "22:00", "closes": "06:30", "zone": " Europe/Berlin "}


def test_a_form_says_all_of_it():
    said = {"switch": "on", "undo_seconds": "30", "per_thread_hour": " 2 ", "second_person_amount": "1 000,50", **TIMES}

    found = said_sending(SendingPolicy(approval_hours=5), said, ["sun", "mon"], ["attachment", "new_recipient"])

    window = SendWindow(("mon", "sun"), time(22), time(6, 30), "Europe/Berlin")
    assert ("on", 30, 2, 5, window) == (
        found.switch,
        found.undo_seconds,
        found.per_thread_hour,
        found.approval_hours,
        found.window,
    )
    assert (("new_recipient", "attachment"), Decimal("1000.50")) == (found.second_person, found.second_person_amount)


def test_what_is_empty_asks_for_nothing():
    held = SendingPolicy(window=SendWindow(), second_person=("attachment",), second_person_amount=Decimal(5))

    assert SendingPolicy() == said_sending(held, {"second_person_amount": " ", **TIMES}, [], [])


@pytest.mark.parametrize(
    ("said", "days", "words"),
    [
        ({"switch": "maybe"}, [], "off or on"),
        ({"undo_seconds": "soon"}, [], "no whole number"),
        ({"undo_seconds": "99999"}, [], "3,600"),
        ({"undo_seconds": "٣"}, [], "no whole number"),
        ({"opens": "8 o'clock", "closes": "18:00"}, ["mon"], "08:00"),
        ({"opens": "08:00", "closes": "08:00"}, ["mon"], "another time"),
        ({"opens": "08:00", "closes": "18:00", "zone": "Mars/Base"}, ["mon"], "time zone"),
        ({"second_person_amount": "much"}, [], "no amount"),
        ({"second_person_amount": "-1"}, [], "from 0 on"),
        ({"second_person_amount": "NaN"}, [], "from 0 on"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_what_to_write(said, days, words):
    with pytest.raises(BadRequest, match=words):
        said_sending(SendingPolicy(), said, days, [])
