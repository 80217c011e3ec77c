"""What the gate says of a document, what a mailbox lets it do, and how sure a share is."""

from __future__ import annotations

from uuid import UUID

import pytest

from postroom.nouns.errors import Misconfigured
from postroom.nouns.figures import interval
from postroom.nouns.mailbox_rules import MailboxRules, mailbox_rules
from postroom.rooms.documents.rules.routes import Confirm, Duplicate, Review, as_allowed, gate_verdict

YES, NO, KNOWN = Confirm("All fits."), Review("No order fits."), Duplicate(UUID(int=1), "The same trade.")


@pytest.mark.parametrize(
    ("routes", "bare", "passed", "clear", "because"),
    [
        ([YES], [YES], True, True, "All fits."),
        ([NO], [NO], False, False, "No order fits."),
        ([NO], [YES], False, True, "No order fits."),  # only the threshold spoke against it
        ([YES, NO], [YES, NO], False, False, "No order fits."),
        ([YES, KNOWN], [YES, KNOWN], True, True, "All fits."),
    ],
)
def test_a_document_passes_when_all_that_is_new_in_it_does(routes, bare, passed, clear, because):
    said = gate_verdict("ap_invoices", "shadow", 0.97, routes, bare)

    assert said is not None
    assert (passed, clear, because, 0.97) == (said.passed, said.clear, said.because, said.stated)


def test_of_what_is_known_already_nothing_is_said():
    assert gate_verdict("ap_invoices", "on", 0.97, [KNOWN], [KNOWN]) is None


@pytest.mark.parametrize(
    ("mode", "route", "kind", "because"),
    [
        ("on", YES, Confirm, "All fits."),
        ("shadow", YES, Review, "Shadow: it would have been confirmed by itself. All fits."),
        ("off", YES, Review, "Nothing is confirmed by itself here. All fits."),
        ("shadow", NO, Review, "No order fits."),
        ("off", KNOWN, Duplicate, "The same trade."),
    ],
)
def test_a_mailbox_lets_pass_say_or_keep_back(mode, route, kind, because):
    allowed = as_allowed(route, mode)

    assert (kind, because) == (type(allowed), allowed.because)


def test_a_mailbox_confirms_by_itself_until_told_otherwise():
    rules = mailbox_rules({"confirming": {"ap_invoices": "shadow", "pad_contract_notes": "on"}})

    assert ("shadow", "on") == (rules.confirms("ap_invoices"), rules.confirms("pad_contract_notes"))
    assert {"confirming": {"ap_invoices": "shadow"}} == rules.as_json()
    assert ("on", {}) == (MailboxRules().confirms("ap_invoices"), MailboxRules().as_json())


@pytest.mark.parametrize("said", [{"faxes": "on"}, {"ap_invoices": "maybe"}, ["on"]])
def test_a_mode_that_is_none_is_refused(said):
    with pytest.raises(Misconfigured):
        mailbox_rules({"confirming": said})


@pytest.mark.parametrize(
    ("part", "whole", "low", "high"),
    [(0, 0, None, None), (10, 10, 0.722, 1.0), (5, 10, 0.237, 0.763), (0, 4, 0.0, 0.49)],
)
def test_a_share_lies_between(part, whole, low, high):
    found = interval(part, whole)

    assert (low, high) == ((None, None) if found is None else (round(found[0], 3), round(found[1], 3)))
