"""What a Pub/Sub push says: pure."""

import base64
import json

import pytest

from postroom.nouns.errors import BadRequest, NotAllowed
from postroom.nouns.providers import Notification
from postroom.outside.gmail import hook

OURS = "projects/office/subscriptions/mail"
# Its base64 has a character that the two alphabets write differently, and padding.
NEWS = {"emailAddress": "Änna?>~@Office.test", "historyId": "9876543210"}


def data(news, encode=base64.b64encode):
    return encode(json.dumps(news, ensure_ascii=False).encode()).decode()


def envelope(text, subscription=OURS, **more):
    return json.dumps({"message": {"data": text, **more}, "subscription": subscription}).encode()


def test_the_alphabets_differ_in_this_test():
    assert data(NEWS) != data(NEWS, base64.urlsafe_b64encode)
    assert data(NEWS).endswith("=")


@pytest.mark.parametrize("encode", [base64.b64encode, base64.urlsafe_b64encode])
@pytest.mark.parametrize("padding", ["=", ""])
@pytest.mark.parametrize("number", ["9876543210", 9876543210])
def test_every_spelling_of_the_news_is_read(encode, padding, number):
    text = data(NEWS | {"historyId": number}, encode).rstrip("=" if not padding else " ")

    assert Notification(address="änna?>~@office.test", position=9876543210) == hook.notification(envelope(text), OURS)


def test_both_spellings_of_the_id_and_unknown_fields_are_borne():
    for more in ({"messageId": "1"}, {"message_id": "1"}, {"messageId": "1", "message_id": "1", "attributes": {}}):
        assert hook.notification(envelope(data(NEWS), **more), OURS).position == 9876543210


def test_a_push_of_another_subscription_is_refused():
    with pytest.raises(NotAllowed, match="POSTROOM_GMAIL_SUBSCRIPTION"):
        hook.notification(envelope(data(NEWS), "projects/else/subscriptions/mail"), OURS)


def test_without_a_known_subscription_any_is_taken():
    assert hook.notification(envelope(data(NEWS), "projects/else/subscriptions/mail")).position == 9876543210


@pytest.mark.parametrize("body", [b"", b"{}", b"[]", b"\xff", b'{"message": null}', b'{"message": {"data": 5}}'])
def test_a_body_that_is_no_envelope_is_a_bad_request(body):
    with pytest.raises(BadRequest, match="envelope"):
        hook.notification(body)


@pytest.mark.parametrize(
    "text",
    ["", "???", data("hello"), data({}), data({"emailAddress": "a@b.test"}), data(NEWS | {"historyId": "many"})],
)
def test_a_message_that_is_not_gmails_is_a_bad_request(text):
    with pytest.raises(BadRequest, match="not from Gmail"):
        hook.notification(envelope(text), OURS)


def test_what_is_refused_is_not_quoted():
    with pytest.raises(BadRequest) as caught:
        hook.notification(envelope(data({"emailAddress": "anna@office.test"})), OURS)

    assert "anna" not in str(caught.value)
    assert caught.value.__suppress_context__
