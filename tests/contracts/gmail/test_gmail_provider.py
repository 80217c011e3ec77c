"""What only Gmail does, at a simulated Google."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest
from aiohttp import web

from contracts.mail.gmail_office import TOPIC
from contracts.mail.post_office import PAGE
from postroom.nouns.errors import (
    AccessRevoked,
    CursorExpired,
    Gone,
    Misconfigured,
    PermissionDenied,
    Throttled,
    Unavailable,
)
from postroom.nouns.providers import Cursor, ProviderRef
from postroom.nouns.secrets import Secret
from postroom.outside.gmail.client import UNITS, GmailClient
from postroom.outside.gmail.parse import HistoryPosition
from postroom.outside.gmail.provider import GmailProvider
from postroom_simulators.google.gmail.operations import ALL


async def all_changes(office, cursor):
    arrived, removed, pages = [], [], 0
    while True:
        page = await office.provider.changes(cursor)
        arrived += [glimpse.ref for glimpse in page.arrived]
        removed += page.removed
        cursor, pages = page.cursor, pages + 1
        if not page.more:
            return arrived, removed, cursor, pages


async def everything_since(office, since):
    found, page = [], None
    while True:
        listing = await office.provider.list_since(since, page)
        found += [glimpse.ref for glimpse in listing.messages]
        page = listing.next_page
        if page is None:
            return found


async def watched(office, provider=None):
    return await (provider or office.provider).watch(office.callback, "", office.client_state, None)


def calls(office, note):
    return [call for call in office.recorder.calls if call.note == note]


async def test_the_pushed_history_id_is_never_where_we_start_to_read(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    await watched(office)
    office.clock.advance(timedelta(seconds=2))
    ref = office.deliver(letter())
    *_, waker = await office.notifications(2)

    arrived, *_ = await all_changes(office, cursor)
    too_late, *_ = await all_changes(office, Cursor(str(waker.position)))

    assert ([ref], []) == (arrived, too_late)


async def test_renewing_a_watch_does_not_move_the_cursor(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    ref = office.deliver(letter())

    first = await watched(office)
    again = await office.provider.watch(office.callback, "", office.client_state, first)
    arrived, *_ = await all_changes(office, cursor)

    assert again.expires_at >= first.expires_at
    assert [ref] == arrived


async def test_a_watch_is_on_the_inbox_for_seven_days(office):
    watch = await watched(office)

    (at_google,) = office.sim.gmail.watches.of(office.address)
    assert (TOPIC, "INBOX", office.callback) == (watch.id, watch.resource, watch.callback)
    assert (at_google.labels, at_google.include) == ({"INBOX"}, True)
    assert timedelta(days=6, hours=23) < watch.expires_at - office.clock.now() <= timedelta(days=7)


async def test_a_watch_on_another_topic_of_the_project_is_replaced(office):
    before = GmailProvider(office.client, "projects/office/topics/before")
    await watched(office, before)

    assert (await watched(office)).id == TOPIC
    assert [watch.topic for watch in office.sim.gmail.watches.of(office.address)] == [TOPIC]


async def test_a_topic_that_gmail_may_not_publish_to_is_named_as_a_setting(office):
    office.sim.auto_topics = False
    office.sim.add_topic("projects/office/topics/closed", gmail_may_publish=False)

    for topic in ("projects/office/topics/closed", "projects/office/topics/missing"):
        with pytest.raises(Misconfigured, match="POSTROOM_GMAIL_TOPIC"):
            await watched(office, GmailProvider(office.client, topic))


async def test_without_a_topic_nothing_is_watched(office):
    with pytest.raises(Misconfigured, match="POSTROOM_GMAIL_TOPIC is not set"):
        await watched(office, GmailProvider(office.client))

    assert calls(office, "watch") == []


async def test_draft_churn_and_sent_mail_do_not_arrive(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    draft = office.sim.mailboxes[office.address].put_draft(letter("Not finished"))
    office.sim.edit_draft(office.address, draft.id, text="Better so.")
    office.sim.send_draft(office.address, draft.id)
    ref = office.deliver(letter())

    arrived, removed, *_ = await all_changes(office, cursor)

    assert arrived == [ref]
    assert removed == []


async def test_shuffled_history_over_several_pages_loses_nothing(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    office.faults.turn(history_shuffled=True)
    refs = [office.deliver(letter()) for _ in range(3 * PAGE)]

    arrived, _, cursor, pages = await all_changes(office, cursor)
    later = office.deliver(letter())
    again, *_ = await all_changes(office, cursor)

    assert sorted(refs) == sorted(arrived)
    assert ([later], 3) == (again, pages)


async def test_an_index_that_lags_loses_nothing(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    office.faults.turn(history_lag=30)
    ref = office.deliver(letter())

    early, _, cursor, _ = await all_changes(office, cursor)
    office.clock.advance(timedelta(seconds=31))
    arrived, *_ = await all_changes(office, cursor)

    assert ([], [ref]) == (early, arrived)


async def test_a_page_whose_token_ended_is_read_again_from_the_first(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    refs = [office.deliver(letter()) for _ in range(PAGE + 1)]
    at = HistoryPosition.read(cursor)

    arrived, *_ = await all_changes(office, HistoryPosition(at.start, at.seen, at.high, "ended").cursor())

    assert refs == arrived


async def test_a_quiet_cursor_does_not_age(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    office.deliver(letter())
    for _ in range(4):
        *_, cursor, _ = await all_changes(office, cursor)
        office.clock.advance(timedelta(days=5))

    ref = office.deliver(letter())

    assert [ref] == (await all_changes(office, cursor))[0]


async def test_forgotten_history_asks_for_a_resync(office):
    cursor = (await office.provider.changes(None)).cursor
    office.expire_cursors()

    with pytest.raises(CursorExpired, match="resync"):
        await office.provider.changes(cursor)


async def test_a_listing_starts_at_the_very_moment_within_the_second(office, letter):
    before = office.deliver(letter())
    await asyncio.sleep(0.01)
    since = office.clock.now()
    await asyncio.sleep(0.01)
    after = office.deliver(letter())

    found = await everything_since(office, since)

    assert ([after], False) == (found, before in found)


async def test_a_message_of_the_same_millisecond_is_listed(office, letter):
    ref = office.deliver(letter())
    received = (await office.provider.message(ref)).glimpse.received_at

    assert await everything_since(office, received + timedelta(microseconds=999)) == [ref]
    assert await everything_since(office, received + timedelta(microseconds=1000)) == []


async def test_a_listing_names_each_message_once_over_all_its_pages(office, letter):
    since = office.clock.now() - timedelta(milliseconds=1)
    refs = []
    for _ in range(2 * PAGE + 1):
        refs.append(office.deliver(letter()))
        office.clock.advance(timedelta(seconds=1.5))

    found = await everything_since(office, since)

    assert set(refs) == set(found)


async def test_a_listing_and_the_history_agree_on_what_is_ours(office, letter):
    since = office.clock.now() - timedelta(minutes=1)
    cursor = (await office.provider.changes(None)).cursor
    for folder in ("inbox", "junkemail", "archive", "sentitems", "deleteditems", "drafts"):
        office.deliver(letter(), folder)
    office.sim.gmail.send(office.sim.mailboxes[office.address], letter("To myself"))
    office.clock.advance(timedelta(seconds=10))

    arrived, *_ = await all_changes(office, cursor)

    assert arrived == await everything_since(office, since)
    assert len(arrived) == 1


async def test_a_message_is_the_very_bytes_that_were_sent(office):
    raw = b"From: c@client.test\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\n\xff\xfe latin \xe4\r\nno end of line"
    mail = await office.provider.message(office.deliver(raw))

    assert raw == mail.raw
    assert mail.glimpse.labels >= {"INBOX", "UNREAD"}
    assert abs(mail.glimpse.received_at - office.clock.now()) < timedelta(seconds=5)
    assert mail.glimpse.thread_ref
    assert mail.glimpse.version.isdecimal()


async def test_a_ref_cannot_reach_another_address(office):
    for ref in ("../profile", "a/b", "?x", "#", "%2e%2e"):
        with pytest.raises(Gone):
            await office.provider.message(ProviderRef(ref))


async def test_one_expired_token_is_renewed_once_and_a_second_refusal_is_the_end(office):
    asked = []

    async def dead(fresh):
        asked.append(fresh)
        return Secret("ya29.dead")

    client = GmailClient(office.http, office.base, dead, office.clock.now)

    with pytest.raises(AccessRevoked, match="anew"):
        await client.profile()

    assert asked == [False, True]


async def test_every_request_asks_for_its_units_first(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    ref = office.deliver(letter())
    office.spent.clear()

    await office.provider.changes(cursor)
    await office.provider.message(ref)
    await watched(office)
    await office.provider.unwatch(await watched(office))

    assert office.spent == [2, 20, 100, 100, 50]


async def test_a_budget_that_says_no_is_asked_before_google(office):
    async def broke(units):
        raise Throttled("The mailbox has no units left this minute.", 12.0)

    client = GmailClient(office.http, office.base, office._token, office.clock.now, broke)
    office.recorder.clear()

    with pytest.raises(Throttled):
        await client.profile()

    assert list(office.recorder.calls) == []


def test_our_prices_are_the_simulators():
    theirs = {operation.name: operation.cost[1] for operation in ALL}

    assert {name: units for name, units in UNITS.items() if name in theirs} == {
        name: theirs[name] for name in UNITS if name in theirs
    }


async def test_a_full_quota_names_the_moment_to_come_back(office, letter):
    ref = office.deliver(letter())
    for _ in range(6_000 // UNITS["messages.get"]):
        office.sim.gmail.quota.spend("", office.address, (5, 20))

    for _ in range(2):  # Google says it with 403 and with 429
        with pytest.raises(Throttled) as caught:
            await office.provider.message(ref)
        assert 50 < caught.value.retry_after <= 60


async def test_an_answer_that_is_not_json_is_a_passing_fault(office, served):
    async def hotel(request):
        return web.Response(text="<html>Welcome to the hotel", content_type="text/html")

    client = GmailClient(office.http, await served(hotel), office._token, office.clock.now)

    with pytest.raises(Unavailable, match="cannot be understood"):
        await client.profile()


async def test_a_permission_not_granted_says_what_to_do(office):
    office.forbid()

    with pytest.raises(PermissionDenied, match="tick all boxes"):
        await office.provider.changes(None)


async def test_nothing_is_asked_twice_and_no_mistakes_are_made(office, letter):
    cursor = (await office.provider.changes(None)).cursor
    ref = office.deliver(letter())
    await office.provider.changes(cursor)
    await office.provider.message(ref)
    office.faults.turn(unavailable=1.0)
    with pytest.raises(Unavailable):
        await office.provider.message(ref)

    assert [call.status for call in office.recorder.calls if "/messages/" in call.path] == [200, 503]
    assert office.recorder.mistakes == []


async def test_times_are_aware_and_in_utc(office, letter):
    mail = await office.provider.message(office.deliver(letter()))

    assert mail.glimpse.received_at.tzinfo is UTC
    assert isinstance((await watched(office)).expires_at, datetime)
