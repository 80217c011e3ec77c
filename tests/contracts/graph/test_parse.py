"""Graph's words and ours: pages, refusals, times."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    Conflict,
    CursorExpired,
    Gone,
    Misconfigured,
    PermissionDenied,
    Throttled,
    TimedOut,
    Unavailable,
)
from postroom.nouns.providers import DRAFT, INBOX
from postroom.nouns.secrets import Secret
from postroom.outside.graph import parse

SERVED = frozenset({INBOX})
NEXT, DELTA = "@odata.nextLink", "@odata.deltaLink"
LINK = "https://graph.microsoft.com/v1.0/me/x?$skiptoken=1"


def message(ref: str, received: str | None = "2026-11-02T10:00:00Z", **more):
    made = {"@odata.etag": f'W/"key-{ref}"', "id": ref, "receivedDateTime": received, "subject": f"about {ref}", **more}
    return {name: value for name, value in made.items() if value is not None}


def removed(ref: str):
    return {"id": ref, "@removed": {"reason": "deleted"}}


def test_a_glimpse_says_all_that_the_listing_says():
    item = message(
        "AAk=",
        "2026-11-02T11:30:00.1234567+01:30",
        changeKey="CQ",
        conversationId="thread",
        internetMessageId="<a@b>",
        **{"from": {"emailAddress": {"name": "Broker", "address": "Notes@Broker.test"}}},
    )

    seen = parse.glimpse(item, SERVED)

    assert seen.received_at == datetime(2026, 11, 2, 10, 0, 0, 123456, tzinfo=UTC)
    assert (seen.ref, seen.thread_ref, seen.version) == ("AAk=", "thread", "CQ")
    assert (seen.subject, seen.sender, seen.internet_message_id) == ("about AAk=", "notes@broker.test", "<a@b>")
    assert (seen.labels, seen.is_draft) == ({INBOX}, False)


def test_what_was_not_said_stays_empty():
    seen = parse.glimpse({"id": "AAk=", "isRead": True, "from": None, "subject": None}, SERVED)

    assert (seen.received_at, seen.thread_ref, seen.subject, seen.sender, seen.version) == (None, None, "", "", "")


def test_the_etag_is_the_version_when_no_change_key_came():
    assert parse.glimpse(message("a"), frozenset()).version == "key-a"


def test_a_draft_is_labelled_so_wherever_it_lies():
    assert parse.glimpse(message("a", isDraft=True), SERVED).labels == {INBOX, DRAFT}


def test_the_name_of_the_link_tells_whether_more_follows():
    going_on = parse.changes({"value": [], NEXT: LINK.replace("skip", "delta")}, SERVED)
    at_the_end = parse.changes({"value": [], DELTA: LINK}, SERVED)

    assert (going_on.more, at_the_end.more, at_the_end.cursor) == (True, False, LINK)


@pytest.mark.parametrize("page", [{"value": []}, {"value": [], DELTA: ""}, {"value": [], NEXT: None}])
def test_a_page_without_a_link_never_becomes_an_empty_cursor(page):
    with pytest.raises(Unavailable, match="without the link"):
        parse.changes(page, SERVED)


def test_a_message_named_twice_on_a_page_arrives_once_with_the_most_that_was_said():
    full, bare = message("a"), {"id": "a", "isRead": True}

    for items in ([full, bare], [bare, full], [bare, full, full]):
        assert [parse.glimpse(full, SERVED)] == parse.changes({"value": items, DELTA: LINK}, SERVED).arrived


def test_a_message_both_removed_and_there_is_not_given_up():
    page = parse.changes({"value": [removed("a"), message("a"), removed("b"), removed("b")], DELTA: LINK}, SERVED)

    assert ([one.ref for one in page.arrived], page.removed) == (["a"], ["b"])


def test_a_draft_on_a_page_says_that_it_is_one():
    page = parse.changes({"value": [message("a", isDraft=True), message("b")], DELTA: LINK}, SERVED)

    assert [(one.ref, one.is_draft) for one in page.arrived] == [("a", True), ("b", False)]


@pytest.mark.parametrize("page", [{}, {"value": None}, {"value": [None], DELTA: LINK}, {"value": [{}], DELTA: LINK}])
def test_a_page_that_is_not_as_documented_is_an_outage_not_a_crash(page):
    with pytest.raises(Unavailable):
        parse.changes({DELTA: LINK, **page}, SERVED)


def test_a_time_that_is_none_is_an_outage_not_a_crash():
    with pytest.raises(Unavailable):
        parse.glimpse(message("a", "yesterday"), SERVED)


def test_the_last_second_of_a_full_page_waits_for_the_next():
    items = [
        message("a", "2026-11-02T10:00:00Z"),
        message("b", "2026-11-02T10:00:01Z"),
        message("c", "2026-11-02T10:00:01Z"),
    ]

    page = parse.listing({"value": items, NEXT: LINK}, SERVED)

    assert ([one.ref for one in page.messages], page.next_page) == (["a"], "2026-11-02T10:00:01Z")


def test_a_second_that_fills_a_page_is_walked_by_the_link():
    page = parse.listing({"value": [message("a"), message("b")], NEXT: LINK}, SERVED)

    assert ([one.ref for one in page.messages], page.next_page) == (["a", "b"], LINK)


def test_an_empty_page_in_between_is_gone_past():
    assert parse.listing({"value": [], NEXT: LINK}, SERVED).next_page == LINK


def test_the_last_page_is_the_last():
    page = parse.listing({"value": [message("a"), message("d", isDraft=True)]}, SERVED)

    assert ([one.ref for one in page.messages], page.next_page) == (["a"], None)


def test_a_subscription_keeps_its_secret_out_of_sight():
    said = {
        "id": "sub",
        "resource": "me/messages",
        "expirationDateTime": "2026-11-09T09:50:00.0000000Z",
        "notificationUrl": "https://us.test/n",
        "clientState": "hush",
    }

    info = parse.subscription(said)

    assert (info.client_state, info.lifecycle_url) == (Secret("hush"), None)
    assert "hush" not in repr(info)
    assert info.expires_at == datetime(2026, 11, 9, 9, 50, tzinfo=UTC)


def error(code: str, *inner: str, key: str = "innerError"):
    made: dict = {"code": code, "message": "words"}
    place = made
    for one in inner:
        place[key] = {"code": one}
        place = place[key]
    return {"error": made}


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, error("InvalidAuthenticationToken"), AccessRevoked),
        (403, error("ErrorAccessDenied"), PermissionDenied),
        (403, error("Authorization_RequestDenied"), PermissionDenied),
        (403, error("Forbidden", "insufficient_claims"), AccessRevoked),
        (404, error("ErrorItemNotFound"), Gone),
        (404, error("ErrorInvalidUser"), Misconfigured),
        (404, error("ResourceNotFound"), Misconfigured),
        (404, error("MailboxNotEnabledForRESTAPI"), Misconfigured),
        (404, error("syncStateNotFound"), CursorExpired),
        (404, error("BadRequest", "SyncStateNotFound"), CursorExpired),
        (400, error("ErrorInvalidSyncStateData"), CursorExpired),
        (410, error("SyncStateNotFound"), CursorExpired),
        (410, error("resyncRequired"), CursorExpired),
        (410, error(""), CursorExpired),
        (400, error("InefficientFilter"), BadRequest),
        (400, error("ValidationError"), Unavailable),
        (400, error("InvalidRequest"), BadRequest),
        (405, None, BadRequest),
        (413, None, BadRequest),
        (409, error("ErrorIrresolvableConflict"), Conflict),
        (412, error("ErrorIrresolvableConflict"), Conflict),
        (408, None, TimedOut),
        (429, error("TooManyRequests"), Throttled),
        (429, error("ApplicationThrottled"), Throttled),
        (403, error("ErrorAccessDenied", "ApplicationThrottled"), Throttled),
        (500, error("ErrorInternalServerTransientError"), Unavailable),
        (500, error("UnknownError"), Unavailable),
        (500, error("ErrorTimeoutExpired"), TimedOut),
        (502, "<html>", Unavailable),
        (503, error("ErrorServerBusy"), Unavailable),
        (503, error("ErrorMailboxMoveInProgress"), Unavailable),
        (400, error("ErrorMailboxStoreUnavailable"), Unavailable),
        (504, error(""), TimedOut),
        (509, None, Throttled),
        (302, None, Unavailable),
        (404, error("", "ErrorInvalidUser", key="innererror"), Misconfigured),
        (404, error("Outer", "ErrorInvalidUser", "NeverHeardOf"), Misconfigured),
        (503, error("ErrorServerBusy", "ApplicationThrottled"), Throttled),
        (404, {"error": "text"}, Gone),
        (404, [], Gone),
    ],
)
def test_each_refusal_has_its_remedy(status, body, kind):
    assert kind is type(parse.error_for(parse.refusal(status, body)))


@pytest.mark.parametrize("status", [429, 500, 503, 509])
def test_a_time_that_was_named_is_kept_to_the_second(status):
    refused = parse.error_for(parse.refusal(status, None), 17.0)

    assert (Throttled, 17.0) == (type(refused), refused.retry_after)


def test_a_time_beside_another_kind_of_refusal_changes_nothing():
    assert Gone is type(parse.error_for(parse.refusal(404, None), 17.0))


def test_a_refusal_says_what_to_do_and_what_microsoft_called_it():
    text = str(parse.error_for(parse.refusal(403, error("ErrorAccessDenied"))))

    assert "check the app's permissions" in text
    assert "403 erroraccessdenied" in text
    assert "words" not in text
