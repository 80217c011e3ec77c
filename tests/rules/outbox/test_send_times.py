"""When a mail goes out, what is done after a lost answer, and what is shown as changed."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from postroom.nouns.sending import SendingPolicy, SendWindow
from postroom.rooms.outbox.rules.differences import line_difference, mail_difference
from postroom.rooms.outbox.rules.doubts import LOOKS_SECONDS, MOST_SENDS, SETTLED_AFTER, after_looking
from postroom.rooms.outbox.rules.mails import ProposedFile, ProposedMail
from postroom.rooms.outbox.rules.timing import approval_expires, next_open, proposal_expires, send_at

BERLIN = SendWindow(("mon", "tue", "wed", "thu", "fri"), time(8), time(18), "Europe/Berlin")
NIGHT = SendWindow(("fri",), time(22), time(4), "UTC")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("window", "moment", "opens"),
    [
        (None, "2026-03-07T03:00", "2026-03-07T03:00"),
        (BERLIN, "2026-03-02T07:00", "2026-03-02T07:00"),  # Monday, 8 o'clock in Berlin
        (BERLIN, "2026-03-02T06:59", "2026-03-02T07:00"),
        (BERLIN, "2026-03-02T16:59", "2026-03-02T16:59"),
        (BERLIN, "2026-03-02T17:00", "2026-03-03T07:00"),
        (BERLIN, "2026-03-06T17:00", "2026-03-09T07:00"),  # over the weekend
        (BERLIN, "2026-03-27T17:30", "2026-03-30T06:00"),  # and into summer time
        (NIGHT, "2026-03-06T23:00", "2026-03-06T23:00"),
        (NIGHT, "2026-03-07T03:59", "2026-03-07T03:59"),  # still the window of Friday
        (NIGHT, "2026-03-07T04:00", "2026-03-13T22:00"),
        (NIGHT, "2026-03-06T21:00", "2026-03-06T22:00"),
        (SendWindow(("sun",), time(0), time(1), "UTC"), "2026-03-02T00:00", "2026-03-08T00:00"),
    ],
)
def test_a_send_window_opens_by_the_clock_of_its_place(window, moment, opens):
    assert at(opens) == next_open(window, at(moment))


def test_the_undo_delay_comes_before_the_window():
    policy = SendingPolicy(undo_seconds=60, window=BERLIN)
    assert at("2026-03-02T07:01") == send_at(policy, at("2026-03-02T07:00"))
    assert at("2026-03-03T07:00") == send_at(policy, at("2026-03-02T16:59:30"))


def test_nothing_waits_for_ever():
    policy = SendingPolicy(approval_hours=2, proposal_days=3)
    assert at("2026-03-02T10:00") == approval_expires(policy, at("2026-03-02T08:00"))
    assert at("2026-03-05T08:00") == proposal_expires(policy, at("2026-03-02T08:00"))


NOW = at("2026-03-02T09:00")
LONG_AGO = NOW - SETTLED_AFTER


@pytest.mark.parametrize(
    ("found", "sends", "looks", "called_at", "stopped", "doing"),
    [
        ("sent", 1, 1, NOW, None, "sent"),
        ("sent", 3, 9, LONG_AGO, "Off.", "sent"),
        ("not_sent", 1, 1, NOW, None, "look_later"),  # the call may still be at work
        ("not_sent", 1, 2, LONG_AGO + timedelta(seconds=1), None, "look_later"),
        ("not_sent", 1, 2, LONG_AGO, None, "send"),
        ("not_sent", MOST_SENDS, 2, LONG_AGO, None, "give_back"),
        ("not_sent", 1, 2, LONG_AGO, "Off.", "give_back"),
        ("not_sent", 1, 2, NOW, "Off.", "look_later"),  # it may have gone out before the switch
        ("unknown", 1, 1, LONG_AGO, None, "look_later"),
        ("unknown", 1, len(LOOKS_SECONDS), LONG_AGO, None, "look_later"),
        ("unknown", 1, len(LOOKS_SECONDS) + 1, LONG_AGO, None, "unknown"),
    ],
)
def test_after_a_lost_answer_nothing_is_sent_on_a_guess(found, sends, looks, called_at, stopped, doing):
    looking = after_looking(found, sends=sends, looks=looks, called_at=called_at, stopped=stopped, now=NOW)

    assert doing == looking.doing
    assert looking.because.endswith(".")
    assert (doing == "look_later") == (looking.at is not None and looking.at > NOW)


def test_a_changed_line_stands_beside_what_it_was():
    lines = line_difference("Dear Anna,\nuntil ten.\nYours", "Dear Anna,\r\nuntil eleven.\nYours\n\n")
    assert [("same", "Dear Anna,"), ("removed", "until ten."), ("added", "until eleven."), ("same", "Yours")] == [
        (each.kind, each.text) for each in lines
    ]


MAIL = ProposedMail(("anna@client.test",), "Re: Fee", "Hello.", files=(ProposedFile("a.pdf", "x/y", 1, "aa" * 32),))


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({}, []),
        ({"subject": "Fee"}, ["subject"]),
        ({"to": ("bo@client.test",), "cc": ("anna@client.test",)}, ["to", "cc"]),
        ({"files": (ProposedFile("a.pdf", "x/y", 1, "bb" * 32),)}, ["files"]),
        ({"bcc": ("eve@evil.test",)}, ["bcc"]),
    ],
)
def test_every_field_that_changed_is_named(change, names):
    found = mail_difference(MAIL, replace(MAIL, **change))
    assert names == [each.name for each in found.fields]
