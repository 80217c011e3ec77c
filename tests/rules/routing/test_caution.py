"""What wants a reason in a person's own words before it is booked."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from postroom.nouns.documents import Invoice
from postroom.rooms.documents.rules.caution import (
    LastConfirmed,
    cautions,
    changed_account,
    differences,
    one_reason,
)

OLD, NEW = "DE89370400440532013000", "GB29NWBK60161331926819"
LAST = LastConfirmed("Birkhof GmbH", "Larkspur", "EUR", OLD, "may.pdf", datetime(2026, 5, 2, tzinfo=UTC))


@pytest.mark.parametrize(
    ("invoice", "last", "expected"),
    [
        (Invoice(iban=OLD, supplier="Birkhof  gmbh"), LAST, []),
        (Invoice(iban=NEW, supplier="Birkhof GmbH"), LAST, [f"IBAN was {OLD}, now {NEW}."]),
        (Invoice(iban=None, currency="USD"), LAST, ["Currency was EUR, now USD."]),
        (Invoice(iban=NEW), None, []),
    ],
)
def test_an_invoice_is_compared_with_the_last_one_that_was_believed(invoice, last, expected):
    assert expected == differences(invoice, last)


@pytest.mark.parametrize(
    ("iban", "last", "accounts", "expected"),
    [
        (OLD, LAST, {OLD}, ""),
        (NEW, LAST, {OLD}, f"IBAN was {OLD}, now {NEW}."),
        (NEW, LAST, {OLD, NEW}, ""),
        (NEW, None, {OLD}, f"{NEW} is a new bank account for this sender."),
        (NEW, None, set(), ""),
        (None, LAST, {OLD}, ""),
    ],
)
def test_another_account_than_before_is_noticed(iban, last, accounts, expected):
    assert expected == changed_account(Invoice(iban=iban), last, accounts)


def test_forged_paid_elsewhere_and_not_adding_up_each_want_a_reason():
    found = cautions("spoofed", "The domain did not sign it.", "IBAN was A, now B.", ["1 and 1 do not make 3."])
    assert ["It looks forged. The domain did not sign it.", "IBAN was A, now B.", "1 and 1 do not make 3."] == found
    assert [] == cautions("unknown", "Nobody vouches for it.", "", [])
    assert one_reason("  ", found).startswith("Say why it is right all the same: It looks forged.")
    assert ["", ""] == [one_reason("They told us on the phone.", found), one_reason("", [])]
