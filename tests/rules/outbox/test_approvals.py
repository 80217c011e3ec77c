"""When a yes counts, when it is void, and who else must say it."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from importlib import resources

import pytest

from postroom.nouns.sending import SendingPolicy
from postroom.rooms.outbox.rules.amounts import amounts
from postroom.rooms.outbox.rules.approvals import (
    NEWER_MAIL,
    ProposalStanding,
    SendingRights,
    enough,
    objection_to_approval,
    why_stopped,
    why_void,
)
from postroom.rooms.outbox.rules.guards import AnsweredMail, SentLately, objection_to_recipients, over_the_cap, plain
from postroom.rooms.outbox.rules.mails import ProposedFile, ProposedMail
from postroom.rooms.outbox.rules.second_person import KnownPeople, second_person_because
from postroom.rooms.outbox.rules.states import BEGUN, NEXT, OPEN, PROPOSAL_STATUSES, may_become, too_late

NOW = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
STANDING = ProposalStanding("waiting", "sha256:a", "m1", "m1", "written", True, True, NOW + timedelta(days=1))
RIGHTS = SendingRights("on", "on", "active", True)


# states


@pytest.mark.parametrize("final", ["sent", "void", "discarded"])
def test_what_is_over_stays_over(final):
    assert frozenset() == NEXT[final]


@pytest.mark.parametrize("begun", sorted(BEGUN))
def test_what_may_be_on_its_way_is_never_revoked_or_approved_again(begun):
    assert not NEXT[begun] & {"revoked", "approved"}


def test_only_what_is_approved_is_sent():
    assert ["approved"] == [each for each in PROPOSAL_STATUSES if may_become(each, "sending")]
    assert {"sending", "unknown"} == {each for each in PROPOSAL_STATUSES if may_become(each, "sent")}


def test_every_state_is_in_the_table_and_leads_only_to_known_ones():
    assert set(PROPOSAL_STATUSES) == set(NEXT)
    assert set(itertools.chain.from_iterable(NEXT.values())) <= set(PROPOSAL_STATUSES)


def test_the_database_holds_the_same_table():
    guard = resources.files("postroom.db").joinpath("migrations/0010_expand_outbox.sql").read_text("utf-8")
    table = guard.partition("(VALUES")[2].partition("AS may")[0]
    pairs = set(re.findall(r"\('(\w+)', '(\w+)'\)", table))
    assert {(before, after) for before, then in NEXT.items() for after in then} == pairs


@pytest.mark.parametrize("status", sorted(set(PROPOSAL_STATUSES) - OPEN))
def test_why_it_is_too_late_is_a_sentence(status):
    assert too_late(status).endswith(".")


# what voids


@pytest.mark.parametrize(
    ("change", "because"),
    [
        ({}, None),
        ({"head_now": "m2"}, NEWER_MAIL),
        ({"head_now": None}, NEWER_MAIL),
        ({"head": None, "head_now": None, "draft_status": None}, None),
        ({"draft_status": "blocked_user_edited"}, "A person changed the draft in the mail program."),
        ({"draft_status": "sent"}, "A person sent the draft in the mail program."),
        ({"draft_status": "discarded"}, "A person discarded the draft in the mail program."),
        ({"draft_status": "superseded"}, "Another draft took its place, or a person answered without it."),
        ({"draft_is_current": False}, "The draft says something else by now."),
        ({"draft_is_same": False}, "The draft says something else by now."),
        ({"expires_at": NOW}, "Nobody decided in time."),
    ],
)
def test_any_change_makes_it_void(change, because):
    assert because == why_void(replace(STANDING, **change), NOW)


# what stops


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, None),
        ({"tenant_switch": "off"}, "for this tenant"),
        ({"mailbox_switch": "off"}, "for this mailbox"),
        ({"mailbox_status": "paused"}, "paused"),
        ({"mailbox_status": "disconnected"}, "disconnected"),
        ({"mailbox_status": "token_refresh_failed"}, "token refresh failed"),
        ({"mailbox_status": "subscription_expired"}, None),
        ({"may_send": False}, "no right to send"),
    ],
)
def test_what_stops_sending_says_why(change, said):
    because = why_stopped(replace(RIGHTS, **change))
    assert because is None if said is None else said in because


# whether a yes counts


@pytest.mark.parametrize(
    ("status", "hash_", "gaps", "stopped", "guarded", "said"),
    [
        ("waiting", "sha256:a", [], None, None, None),
        ("revoked", "sha256:a", [], None, None, None),
        ("approved", "sha256:a", [], None, None, None),
        ("sending", "sha256:a", [], None, None, "begun"),
        ("sent", "sha256:a", [], None, None, "was sent"),
        ("unknown", "sha256:a", [], None, None, "may have been sent"),
        ("void", "sha256:a", [], None, None, "void"),
        ("discarded", "sha256:a", [], None, None, "discarded"),
        ("waiting", "sha256:b", [], None, None, "Look again"),
        ("waiting", "", [], None, None, "Look again"),
        ("waiting", "sha256:a", ["What does it cost?"], None, None, "What does it cost?"),
        ("waiting", "sha256:a", [], "Stopped.", None, "Stopped."),
        ("waiting", "sha256:a", [], "Stopped.", "Guarded.", "Guarded."),
    ],
)
def test_a_yes_counts_only_for_what_was_seen_and_may_be_sent(status, hash_, gaps, stopped, guarded, said):
    because = objection_to_approval(replace(STANDING, status=status), hash_, gaps, stopped, guarded)
    assert because is None if said is None else said in because


@pytest.mark.parametrize(
    ("approvers", "needed", "is_enough"),
    [([], 1, False), (["a"], 1, True), (["a"], 2, False), (["a", "a"], 2, False), (["a", "b"], 2, True)],
)
def test_each_person_counts_once(approvers, needed, is_enough):
    assert is_enough == enough(approvers, needed)


# who is never written to


OURS = {"service@house.test", "orders@house.test"}


@pytest.mark.parametrize(
    ("kind", "recipients", "answered", "said"),
    [
        ("reply", ["anna@client.test"], AnsweredMail(), None),
        ("reply", ["anna@client.test"], AnsweredMail("bounce"), "delivery report"),
        ("reply", ["anna@client.test"], AnsweredMail("auto_reply"), "automatic reply"),
        ("reply", ["anna@client.test"], AnsweredMail("report"), "receipt"),
        ("reply", ["anna@client.test"], AnsweredMail("mailing_list"), "mailing list"),
        ("reply", ["anna@client.test"], AnsweredMail("calendar"), None),
        ("reply", ["anna@client.test"], AnsweredMail("no_reply"), None),  # a web form, with a person in Reply-To
        ("reply", ["anna@client.test"], AnsweredMail(None, machine_answers=True), "answers by itself"),
        ("forward", ["anna@client.test"], AnsweredMail("bounce"), None),
        ("reply", ["no-reply@client.test"], AnsweredMail(), "takes no answers"),
        ("new", ["donotreply@client.test"], None, "takes no answers"),
        ("reply", ["MAILER-DAEMON@client.test"], AnsweredMail(), "read by a program"),
        ("new", ["postmaster@client.test"], None, "read by a program"),
        ("new", ["news-request@lists.test"], None, "read by a program"),
        ("forward", ["owner-news@lists.test"], None, "read by a program"),
        ("new", ["bounces+123=anna=client.test@lists.test"], None, "read by a program"),
        ("new", ["news-bounces+anna=client.test@lists.test"], None, "read by a program"),
        ("new", ["srs0=abcd=ef=client.test=anna@lists.test"], None, "read by a program"),
        ("new", ["anna@client.test", "news-unsubscribe@lists.test"], None, "read by a program"),
        ("new", ["requests@client.test"], None, None),
        ("new", ["owner@client.test"], None, None),
        ("new", ["ann.postmaster@client.test"], None, None),
        ("new", ["returns@client.test"], None, None),
        ("new", ["anna@client.test", "orders@house.test"], None, "our own mailboxes"),
        ("new", ["Service+tag@House.test"], None, "our own mailboxes"),
        ("new", ["nora@house.test"], None, None),
    ],
)
def test_machines_crowds_and_ourselves_are_never_written_to(kind, recipients, answered, said):
    because = objection_to_recipients(kind, recipients, OURS, answered)
    assert because is None if said is None else said in because


@pytest.mark.parametrize(
    ("lately", "said"),
    [
        (SentLately(), None),
        (SentLately(4, 99), None),
        (SentLately(5, 5), "in this thread"),
        (SentLately(0, 100), "out of this mailbox"),
    ],
)
def test_there_is_a_cap_for_each_thread_and_mailbox(lately, said):
    because = over_the_cap(lately, SendingPolicy())
    assert because is None if said is None else said in because


def test_what_stands_after_a_plus_is_the_same_mailbox():
    assert "anna@client.test" == plain("Anna+shop+x@client.TEST")


# the second person


MAIL = ProposedMail(("anna@client.test",), "Re: Fee", "We return 1,200.00 EUR.", files=())
PEOPLE = KnownPeople(frozenset({"anna@client.test"}), frozenset({"bo@other.test"}), frozenset({"house.test"}))
FILE = ProposedFile("note.pdf", "application/pdf", 10, "aa" * 32)
ALL = SendingPolicy(second_person=("new_recipient", "outside_domain", "attachment"), second_person_amount=Decimal(1000))


@pytest.mark.parametrize(
    ("change", "policy", "said"),
    [
        ({}, SendingPolicy(), []),
        ({"text": "Hello."}, ALL, []),
        ({}, ALL, ["amount"]),
        ({"text": "We return 999.99 EUR."}, ALL, []),
        ({"text": "Hello.", "subject": "Re: 1.000 €"}, ALL, ["amount"]),
        ({"text": "Hello.", "files": (FILE,)}, ALL, ["note.pdf"]),
        ({"text": "Hello.", "cc": ("bo@other.test",)}, ALL, ["other.test"]),
        ({"text": "Hello.", "cc": ("eve@client.test",)}, ALL, ["eve@client.test never"]),
        ({"text": "Hello.", "bcc": ("eve@evil.test",)}, ALL, ["eve@evil.test never", "evil.test is neither"]),
        ({"text": "Hello.", "cc": ("nora@house.test",)}, ALL, ["nora@house.test never"]),
        ({"text": "Hello.", "cc": ("anna+x@client.test",)}, ALL, []),
        ({"bcc": ("eve@evil.test",), "files": (FILE,)}, SendingPolicy(second_person=("attachment",)), ["note.pdf"]),
    ],
)
def test_who_else_must_agree_follows_from_the_rules_of_the_tenant(change, policy, said):
    because = second_person_because(replace(MAIL, **change), PEOPLE, policy)
    assert len(said) == len(because), because
    assert all(word in sentence for word, sentence in zip(said, because, strict=True))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("no money, 12 apples, on 3.4.2026 at 10:30", []),
        ("EUR 1,234.56", ["1234.56"]),
        ("1.234,56 €", ["1234.56"]),
        ("€1.234", ["1234"]),
        ("$ 12.5", ["12.5"]),
        ("CHF 1’250.50 and 80 Franken", ["1250.50", "80"]),
        ("12 000 kr", ["12000"]),
        ("£2m or 3 million euros", ["2000000", "3000000"]),
        ("50,- EUR", ["50"]),
        ("USD 5k", ["5000"]),
    ],
)
def test_amounts_are_read_so_that_none_looks_smaller_than_it_may_be(text, found):
    assert [Decimal(each) for each in found] == amounts(text)
