"""Graph's notifications, in every shape that has been seen."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as some

from postroom.nouns.errors import BadRequest
from postroom.nouns.providers import Notification
from postroom.nouns.secrets import Secret
from postroom.outside.graph import hook


def read(*items, **beside) -> list[Notification]:
    return hook.notifications(json.dumps({"value": list(items), **beside}).encode())


CHANGE = {
    "id": "lsgTZMr9KwAAA",
    "subscriptionId": "sub-1",
    "subscriptionExpirationDateTime": "2026-09-10T08:00:00.0000000Z",
    "clientState": "state",
    "changeType": "created",
    "tenantId": "tenant",
    "resource": "Users/guid/Messages/FromThePath",
    "resourceData": {"@odata.type": "#Microsoft.Graph.Message", "@odata.id": "Users/guid/Messages/X", "id": "AAkM="},
}
LIFECYCLE = {
    "subscriptionId": "sub-1",
    "subscriptionExpirationDateTime": "2026-09-10T08:00:00.0000000Z",
    "tenantId": "tenant",
    "clientState": "state",
    "lifecycleEvent": "reauthorizationRequired",
}
LIVE_LIFECYCLE = {
    "lifecycleEvent": "missed",
    "subscriptionId": "sub-1",
    "resource": "",
    "clientState": "state",
    "sequence": None,
    "resourceData": {},
    "encryptedContent": None,
    "organizationId": "tenant",
}


def test_a_change_names_its_subscription_its_secret_and_its_message():
    assert [
        Notification(watch_id="sub-1", client_state=Secret("state"), message_ref="AAkM=", change="created")
    ] == read(CHANGE)


@pytest.mark.parametrize(
    ("resource", "ref"),
    [
        ("Users/3f0c/Messages/AAkM-_=", "AAkM-_="),
        ("users/3f0c@tenant/messages/AAkM=", "AAkM="),
        ("Users('3f0c')/messages('AAkM=')", "AAkM="),
        ("Users('3f0c')/mailFolders('inbox')/messages('AAkM%3D')", "AAkM="),
        ("me/mailFolders/inbox/messages/AAkM=?x=1", "AAkM="),
        ("Users('o''neil')/Messages('A''k')", "A'k"),
        ("Users/3f0c/Messages", None),
        ("Users/3f0c/Events/AAkM=", None),
        ("", None),
    ],
)
def test_without_resource_data_the_path_names_the_message(resource, ref):
    bare = {**CHANGE, "resource": resource, "resourceData": None}
    absent = {name: value for name, value in bare.items() if name != "resourceData"}

    assert [ref, ref] == [one.message_ref for one in read(bare, absent)]


def test_the_odata_id_names_the_message_when_nothing_else_does():
    item = {**CHANGE, "resource": "", "resourceData": {"@odata.id": "Users/guid/Messages/AAkM="}}

    assert [one.message_ref for one in read(item)] == ["AAkM="]


@pytest.mark.parametrize(("item", "event"), [(LIFECYCLE, "reauthorizationRequired"), (LIVE_LIFECYCLE, "missed")])
def test_a_lifecycle_item_is_read_in_both_its_forms_and_beside_changes(item, event):
    found = read(CHANGE, item, validationTokens=["eyJ…"])

    assert [None, event] == [one.lifecycle for one in found]
    assert (Secret("state"), None, "") == (found[1].client_state, found[1].message_ref, found[1].change)


def test_a_lifecycle_event_we_do_not_know_is_still_a_notice_of_its_subscription():
    (found,) = read({**LIFECYCLE, "lifecycleEvent": "somethingNew"})

    assert (found.watch_id, found.lifecycle) == ("sub-1", None)


def test_a_null_client_state_is_not_said_while_an_odd_one_is_wrong():
    absent = {name: value for name, value in CHANGE.items() if name != "clientState"}

    found = read({**CHANGE, "clientState": None}, absent, {**CHANGE, "clientState": 7}, {**CHANGE, "clientState": ""})

    assert [one.client_state for one in found] == [None, None, Secret("7"), Secret("")]


def test_a_lifecycle_item_names_no_message_whatever_its_resource_says():
    (found,) = read({**CHANGE, **LIFECYCLE})

    assert found.message_ref is None


def test_an_item_we_cannot_read_is_not_silently_left_out():
    assert [Notification(), Notification(), Notification(watch_id="sub-1")] == read(
        "text", 5, {"subscriptionId": "sub-1", "resourceData": "odd", "resource": 7, "changeType": []}
    )


def test_an_empty_body_is_no_notification():
    assert read() == []


def test_a_byte_order_mark_does_no_harm():
    assert [Notification(watch_id="sub-1")] == hook.notifications(b'\xef\xbb\xbf{"value":[{"subscriptionId":"sub-1"}]}')


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"[]", b"null", b'{"value":{}}', b'{"items":[]}', b"[" * 100_000]
)
def test_what_is_no_notification_is_a_bad_request(body):
    with pytest.raises(BadRequest, match="nothing was taken"):
        hook.notifications(body)


def test_a_notice_does_not_show_its_secret():
    assert "state" not in repr(read(CHANGE)).replace("client_state", "")


JSON = some.recursive(
    some.none() | some.booleans() | some.integers() | some.text(max_size=8),
    lambda inner: (
        some.lists(inner, max_size=3)
        | some.dictionaries(some.sampled_from([*CHANGE, *LIVE_LIFECYCLE]) | some.text(max_size=5), inner, max_size=6)
    ),
    max_leaves=12,
)


@given(some.lists(JSON, max_size=4))
def test_every_item_gives_one_notice_whatever_it_holds(items):
    assert len(items) == len(read(*items))


@given(some.binary(max_size=60))
def test_no_body_does_worse_than_a_bad_request(body):
    with suppress(BadRequest):
        assert isinstance(hook.notifications(body), list)
