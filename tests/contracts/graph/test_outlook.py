"""What is Outlook's own: ids that stay, links that are not followed, clocks that differ, access by the app."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from contracts.graph.scripted import NOW
from contracts.mail.letters import mail
from postroom.nouns.errors import (
    AccessRevoked,
    BadRequest,
    CursorExpired,
    Misconfigured,
    PermissionDenied,
    Throttled,
    Unavailable,
)
from postroom.nouns.providers import TRASH, Cursor
from postroom.nouns.secrets import Secret
from postroom.outside.graph.client import GraphClient
from postroom.outside.graph.oauth import AppOnly
from postroom.outside.graph.provider import OutlookProvider
from postroom.ports import MailProvider

PLACE = "/v1.0/users/anna.ash@desk.test/mailFolders/inbox/messages"


def item(ref: str = "a", received: str = "2026-11-02T10:00:01Z"):
    return {"id": ref, "receivedDateTime": received, "isDraft": False}


def delta(scripted, token: str = "1") -> str:
    return f"{scripted.base}/me/mailFolders/inbox/messages/delta?$deltatoken={token}"


def app_only(office, **options) -> OutlookProvider:
    token = AppOnly(
        office.http,
        tenant="desk.test",
        client_id="app",
        client_secret=Secret("secret"),
        now=office.clock.now,
        login_url=office.base_url.removesuffix("/v1.0"),
        base_url=office.base_url,
    )
    client = GraphClient(office.http, token, now=office.clock.now, base_url=office.base_url)
    return OutlookProvider(client, address="Anna.Ash@desk.test", **options)


def keeps_the_port(provider: OutlookProvider) -> MailProvider:
    return provider


async def test_every_call_and_every_page_asks_for_ids_that_stay(office):
    cursor = (await office.provider.changes(None)).cursor
    since = office.clock.now()
    refs = [office.deliver(mail(f"number {number}")) for number in range(8)]
    page = await office.provider.changes(cursor)
    while page.more:
        page = await office.provider.changes(page.cursor)
    listing = await office.provider.list_since(since)
    while listing.next_page:
        listing = await office.provider.list_since(since, listing.next_page)
    await office.provider.message(refs[0])
    watch = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)
    await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, watch)

    calls = list(office.recorder.where(lambda call: call.api == "graph"))
    assert len(calls) > 10
    assert [call for call in calls if 'IdType="ImmutableId"' not in call.headers.get("Prefer", "")] == []


async def test_the_notification_names_a_message_by_the_id_that_stays(office):
    await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)

    ref = office.deliver(mail("moved before it is read"))
    office.move_out(ref)
    named = {one.message_ref for one in await office.notifications()}

    assert {ref} == named
    assert b"moved before it is read" in (await office.provider.message(ref)).raw


async def test_an_id_with_signs_of_its_own_finds_its_way_into_the_path(scripted):
    scripted.refuse(404, "ErrorItemNotFound")

    with pytest.raises(Exception, match="not in the mailbox"):
        await scripted.provider().message("A/b+c=d e'f")

    assert [one.path for one in scripted.asked] == ["/v1.0/users/anna.ash@desk.test/messages/A/b+c=d e'f"]


async def test_the_start_allows_for_a_clock_of_theirs_that_is_behind(scripted):
    items = [item("new"), item("same second", "2026-11-02T10:00:00Z"), item("old", "2026-11-02T09:57:00Z")]
    scripted.say(200, {"value": items, "@odata.deltaLink": delta(scripted)})

    page = await scripted.provider().changes(None)

    assert scripted.asked[0].query["$filter"] == "receivedDateTime ge 2026-11-02T09:55:00Z"
    assert [one.ref for one in page.arrived] == ["new", "same second"]


async def test_the_start_walks_through_every_page_to_the_last_link(scripted):
    scripted.say(200, {"value": [item("a")], "@odata.nextLink": delta(scripted, "2")})
    scripted.say(200, {"value": [], "@odata.nextLink": delta(scripted, "3")})
    scripted.say(200, {"value": [item("b")], "@odata.deltaLink": delta(scripted, "4")})

    page = await scripted.provider().changes(None)

    assert (["a", "b"], delta(scripted, "4"), False) == ([one.ref for one in page.arrived], page.cursor, page.more)


async def test_empty_pages_and_repeats_and_odd_links_do_no_harm(office):
    cursor = (await office.provider.changes(None)).cursor
    office.faults.turn(empty_page=0.5, repeat_in_delta=0.5, skiptoken_delta_link=0.5)
    put = {office.deliver(mail(f"number {number}")) for number in range(10)}

    found = []
    page = await office.provider.changes(cursor)
    found += page.arrived
    while page.more:
        page = await office.provider.changes(page.cursor)
        found += page.arrived

    assert put == {one.ref for one in found}
    assert not (await office.provider.changes(page.cursor)).arrived


async def test_a_read_state_that_changed_comes_as_a_glimpse_that_says_little(office):
    office.deliver(mail("before"))
    office.clock.advance(timedelta(hours=1))
    old = office.deliver(mail("older than the cursor"))
    office.clock.advance(timedelta(hours=1))
    cursor = (await office.provider.changes(None)).cursor

    office.sim.mark_read(office.address, old)
    (glimpse,) = (await office.provider.changes(cursor)).arrived

    assert (old, None, "") == (glimpse.ref, glimpse.received_at, glimpse.subject)


@pytest.mark.parametrize(
    "link",
    [
        "https://elsewhere.test/v1.0/me/messages/delta?$deltatoken=x",
        "http://127.0.0.1:1/v1.0/me/messages/delta",
        "/me/messages/delta",
        "",
    ],
)
async def test_a_cursor_of_another_service_is_not_followed(scripted, link):
    with pytest.raises(CursorExpired):
        await scripted.provider().changes(Cursor(link))

    assert scripted.asked == []


async def test_a_cursor_below_another_path_of_our_service_is_not_followed(scripted):
    with pytest.raises(CursorExpired):
        await scripted.provider().changes(Cursor(f"{scripted.origin}/admin/secrets"))

    assert scripted.asked == []


@pytest.mark.parametrize("name", ["@odata.nextLink", "@odata.deltaLink"])
async def test_a_link_that_leads_away_is_never_kept(scripted, name):
    scripted.say(200, {"value": [item()], name: "https://elsewhere.test/v1.0/x"})

    with pytest.raises(Misconfigured, match="POSTROOM_GRAPH_BASE_URL"):
        await scripted.provider().changes(Cursor(delta(scripted)))


async def test_a_page_of_a_listing_that_leads_away_is_not_followed(scripted):
    with pytest.raises(BadRequest):
        await scripted.provider().list_since(NOW, "https://elsewhere.test/v1.0/x")
    with pytest.raises(BadRequest):
        await scripted.provider().list_since(NOW, "no page")

    assert scripted.asked == []


async def test_a_listing_is_ordered_by_what_it_is_filtered_by(scripted):
    scripted.say(200, {"value": []})

    await scripted.provider(page_size=7).list_since(NOW)

    (asked,) = scripted.asked
    assert (asked.path, asked.query["$top"]) == (PLACE, "7")
    assert (
        asked.query["$filter"],
        asked.query["$orderby"],
    ) == ("receivedDateTime ge 2026-11-02T10:00:00Z", "receivedDateTime asc")


async def test_a_proxys_page_is_no_answer_of_graphs(scripted):
    scripted.say(200, b"<html>Please sign in</html>").say(200, ["no", "object"]).say(200, b"\xff")

    for _ in range(3):
        with pytest.raises(Unavailable, match="other than Microsoft Graph"):
            await scripted.provider().changes(Cursor(delta(scripted)))


async def test_answers_that_are_not_as_documented_are_outages_not_crashes(scripted):
    for body in ({}, {"value": [{}]}):
        scripted.say(200, body)
        with pytest.raises(Unavailable):
            await scripted.client.list_subscriptions()
        scripted.say(200, body)
        with pytest.raises(Unavailable):
            await scripted.provider(folder="Invoices").changes(None)
    for body in ({}, {"responses": [{}]}, {"responses": [{"id": "inbox", "status": 200}]}):
        scripted.say(200, {**item(), "parentFolderId": "f"}).say(200, body)
        with pytest.raises(Unavailable):
            await scripted.provider().message("a")


async def test_a_glimpse_in_hand_saves_a_call(office):
    cursor = (await office.provider.changes(None)).cursor
    ref = office.deliver(mail("known"))
    (known,) = (await office.provider.changes(cursor)).arrived
    office.recorder.clear()

    got = await office.provider.message(ref, known)

    assert len(office.recorder.calls) == 1
    assert (known, True) == (got.glimpse, b"known" in got.raw)


async def test_a_glimpse_that_says_little_saves_none(office):
    ref = office.deliver(mail("whole"))
    from_read_state = (await office.provider.message(ref)).glimpse.__class__(ref=ref)

    assert (await office.provider.message(ref, from_read_state)).glimpse.subject == "whole"


async def test_a_mail_larger_than_any_page_of_json_comes_through(office):
    big = mail("big", "x" * 900 + "\n") + b"line of a very long mail\n" * 800_000
    ref = office.deliver(big)

    assert len((await office.provider.message(ref)).raw) >= len(big)


async def test_what_was_thrown_out_of_the_bin_is_still_called_thrown_away(office):
    ref = office.deliver(mail("twice"))
    office.throw_away(ref)
    office.throw_away(ref)

    assert (await office.provider.message(ref)).glimpse.labels == {TRASH}


async def test_an_app_reads_the_mailbox_by_its_address(office):
    provider = keeps_the_port(app_only(office))
    cursor = (await provider.changes(None)).cursor
    ref = office.deliver(mail("for the app"))
    watch = await provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)

    assert office.address == await provider.address()
    assert [ref] == [one.ref for one in (await provider.changes(cursor)).arrived]
    assert b"for the app" in (await provider.message(ref)).raw
    assert watch.resource == "users/anna.ash@desk.test/mailFolders/inbox/messages"
    assert list(office.recorder.where(lambda call: call.path.startswith("/v1.0/me"))) == []


async def test_an_app_kept_out_of_a_mailbox_is_told_where_to_look(office):
    office.sim.register_app("app", "secret", only=frozenset({"other@desk.test"}))

    with pytest.raises(PermissionDenied, match="mailbox policy"):
        await app_only(office).changes(None)


async def test_an_address_without_a_mailbox_is_a_wrong_setting(office):
    provider = OutlookProvider(app_only(office)._client, address="list@desk.test")

    with pytest.raises(Misconfigured, match="no mailbox at this address"):
        await provider.changes(None)


async def test_a_refused_token_is_replaced_once_and_no_more(scripted):
    scripted.refuse(401, "InvalidAuthenticationToken").refuse(401, "InvalidAuthenticationToken")

    with pytest.raises(AccessRevoked):
        await scripted.provider().changes(Cursor(delta(scripted)))

    assert scripted.tokens == [False, True]
    assert [one.headers["Authorization"] for one in scripted.asked] == ["Bearer token-1", "Bearer token-2"]


async def test_the_time_to_wait_is_kept_to_the_second(office):
    cursor = (await office.provider.changes(None)).cursor

    for fault in ("throttle", "unavailable"):
        office.faults.turn(retry_after=17, **{fault: 1.0})
        with pytest.raises(Throttled) as refused:
            await office.provider.changes(cursor)
        office.faults.turn(**{fault: 0.0})
        assert refused.value.retry_after == 17.0


async def test_an_outage_without_a_time_is_left_to_our_backoff(scripted):
    scripted.refuse(503, "ErrorServerBusy").refuse(429, "TooManyRequests")

    with pytest.raises(Unavailable):
        await scripted.provider().changes(Cursor(delta(scripted)))
    with pytest.raises(Throttled) as refused:
        await scripted.provider().changes(Cursor(delta(scripted)))
    assert refused.value.retry_after is None


async def test_a_gate_keeps_the_requests_of_a_mailbox_few(office):
    refs = [office.deliver(mail(f"number {number}")) for number in range(8)]
    turns = asyncio.Semaphore(3)
    client = GraphClient(office.http, office.token, now=office.clock.now, base_url=office.base_url, gate=lambda: turns)
    office.faults.turn(slow=0.02)

    await asyncio.gather(*(OutlookProvider(client).message(ref) for ref in refs))

    assert office.recorder.mistakes == []


async def test_an_account_without_any_address_is_told_apart(scripted):
    scripted.say(200, {"id": "x", "mail": None, "userPrincipalName": None})

    with pytest.raises(Misconfigured, match="no address"):
        await scripted.provider(address=None).address()


async def test_an_account_without_a_mail_attribute_is_known_by_its_sign_in_name(scripted):
    scripted.say(200, {"id": "x", "mail": None, "userPrincipalName": "Anna@Desk.test"})

    assert await scripted.provider(address=None).address() == "anna@desk.test"
