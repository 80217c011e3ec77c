"""In whose hands a consent may end, and what a person may wish for."""

from __future__ import annotations

from uuid import uuid4

import pytest

from postroom.nouns.errors import BadRequest
from postroom.nouns.ids import TenantId
from postroom.nouns.pipelines import known_pipelines
from postroom.nouns.secrets import Secret
from postroom.rooms.mailboxes import rules

OURS, THEIRS = TenantId(uuid4()), TenantId(uuid4())
HELD = Secret("what-the-browser-holds")
BOUND = rules.digest_state(HELD)
OLGA, KEY = "person:olga@house.test", "key:portal:1"


@pytest.mark.parametrize(
    ("started_by", "bound", "secret", "actor", "tenant", "because"),
    [
        (OLGA, BOUND, HELD, OLGA, OURS, None),
        (KEY, BOUND, HELD, None, None, None),
        (KEY, BOUND, HELD, OLGA, OURS, None),
        (OLGA, BOUND, None, OLGA, OURS, "another browser"),
        (OLGA, BOUND, Secret("other"), OLGA, OURS, "another browser"),
        (OLGA, None, HELD, OLGA, OURS, "another browser"),
        (KEY, None, None, None, None, "another browser"),
        (OLGA, BOUND, HELD, None, None, "not signed in"),
        (OLGA, BOUND, HELD, "person:pia@house.test", OURS, "another person"),
        (OLGA, BOUND, HELD, OLGA, THEIRS, "another tenant"),
        (KEY, BOUND, HELD, OLGA, THEIRS, "another tenant"),
    ],
)
def test_a_consent_ends_only_where_and_with_whom_it_began(started_by, bound, secret, actor, tenant, because):
    objection = rules.wrong_hands(started_by, OURS, bound, rules.Browser(secret, actor, tenant, "192.0.2.1"))

    assert (because is None) == (objection is None)
    assert because is None or because in objection


def test_a_ticket_is_opened_beside_the_address_people_come_back_to():
    url = rules.ticket_url("https://mail.example.org/oauth/outlook/callback", Secret("abc"))

    assert "https://mail.example.org/oauth/outlook/authorize?ticket=abc" == url


@pytest.mark.parametrize(
    ("provider", "folder", "clean"),
    [("outlook", " /Inbox/Invoices/ ", "Inbox/Invoices"), ("imap", " INBOX.Notes ", "INBOX.Notes")],
)
def test_a_folder_is_taken_as_people_write_it(provider, folder, clean):
    assert clean == rules.clean_folder(folder, provider)


@pytest.mark.parametrize("provider", ["gmail", "files"])
def test_some_mailboxes_have_no_folder_to_choose(provider):
    with pytest.raises(BadRequest, match="of choice"):
        rules.clean_folder("Archive", provider)


def test_pipelines_are_kept_in_their_usual_order():
    assert ["pad_contract_notes", "ap_invoices"] == known_pipelines(["ap_invoices", "pad_contract_notes"])
    assert [] == known_pipelines([])
