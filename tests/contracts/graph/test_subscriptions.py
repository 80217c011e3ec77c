"""Subscriptions: created, renewed in place, negotiated, adopted, and never left behind."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from contracts.graph.scripted import NOW
from contracts.mail.letters import mail
from postroom.nouns.errors import BadRequest, Gone, PermissionDenied, Unavailable
from postroom.nouns.providers import Watch
from postroom.nouns.secrets import Secret
from postroom.outside.graph.client import SubscriptionExists, TooLong
from postroom.outside.graph.provider import OutlookProvider

RESOURCE = "users/anna.ash@desk.test/mailFolders/inbox/messages"
TWIN = "0f0e0d0c-1111-2222-3333-444455556666"
EXISTS = f"Subscription Id {TWIN} already exists for the requested combination"
STATE = Secret("our-own-client-state")


def made(key: str = "sub", **changes):
    return {
        "id": key,
        "resource": RESOURCE,
        "expirationDateTime": "2026-11-09T09:50:00.0000000Z",
        "notificationUrl": "https://us.test/notify",
        "lifecycleNotificationUrl": "https://us.test/lifecycle",
        "clientState": STATE.reveal(),
        **changes,
    }


def lasts(asked) -> timedelta:
    """How long a lifetime was asked for."""
    return datetime.fromisoformat(asked.json["expirationDateTime"]) - NOW.replace(microsecond=0)


async def create(office, **changes):
    asked = {
        "resource": f"users/{office.address}/mailFolders/Inbox/messages",
        "notification_url": office.callback,
        "lifecycle_url": office.lifecycle_callback,
        "client_state": office.client_state.reveal(),
        **changes,
    }
    return await office.client.create_subscription(**asked)


async def watch(provider, current: Watch | None = None, lifecycle: str = "https://us.test/lifecycle"):
    return await provider.watch("https://us.test/notify", lifecycle, STATE, current)


CURRENT = Watch("old", RESOURCE, NOW, "https://us.test/notify", "https://us.test/lifecycle")


# the four that other tools share


async def test_a_subscription_lives_4230_minutes_unless_told_otherwise(office):
    info = await create(office)

    assert abs(info.expires_at - office.clock.now() - timedelta(minutes=4230)) < timedelta(seconds=5)
    assert (info.change_type, info.client_state) == ("created", office.client_state)
    assert (info.notification_url, info.lifecycle_url) == (office.callback, office.lifecycle_callback)


async def test_renewing_extends_in_place(office):
    info = await create(office)
    office.clock.advance(timedelta(days=1))

    renewed = await office.client.renew_subscription(info.id)

    assert renewed.id == info.id
    assert abs(renewed.expires_at - info.expires_at - timedelta(days=1)) < timedelta(seconds=5)


async def test_renewing_what_has_ended_says_so(office):
    info = await create(office)
    office.sim.remove_subscription(info.id)

    with pytest.raises(Gone, match="create a new one"):
        await office.client.renew_subscription(info.id)


async def test_reading_a_subscription_back_hides_its_secret(office):
    info = await create(office)

    again = await office.client.get_subscription(info.id)

    assert (info.id, info.resource, None) == (again.id, again.resource, again.client_state)
    assert [info.id] == [one.id for one in await office.client.list_subscriptions()]


async def test_a_subscription_that_is_not_there_reads_as_none_and_is_not_deleted(office):
    info = await create(office)

    assert await office.client.delete_subscription(info.id) is True
    assert await office.client.delete_subscription(info.id) is False
    assert await office.client.get_subscription(info.id) is None


async def test_a_second_like_it_names_the_first(office):
    info = await create(office)

    with pytest.raises(SubscriptionExists) as refused:
        await create(office)

    assert info.id == refused.value.subscription_id


async def test_a_lifetime_too_long_names_the_longest(office):
    with pytest.raises(TooLong) as refused:
        await create(office, expiration_minutes=10_080)

    assert refused.value.longest == 10_070


async def test_an_address_of_ours_that_nobody_can_reach_is_tried_again(office):
    with pytest.raises(Unavailable, match="POSTROOM_PUBLIC_URL"):
        await create(office, notification_url="http://127.0.0.1:9/nobody")

    assert await office.client.list_subscriptions() == []


async def test_all_pages_of_the_list_are_read(scripted):
    scripted.say(200, {"value": [made("a")], "@odata.nextLink": f"{scripted.base}/subscriptions?$skiptoken=1"})
    scripted.say(200, {"value": [made("b")]})

    assert [one.id for one in await scripted.client.list_subscriptions()] == ["a", "b"]


async def test_an_answer_that_is_no_subscription_is_an_outage(scripted):
    scripted.say(201, {"id": "sub"})

    with pytest.raises(Unavailable):
        await scripted.client.create_subscription(RESOURCE, "https://us.test/n", "https://us.test/l", "state")


# a watch


async def test_the_longest_lifetime_is_asked_for_first(scripted):
    scripted.say(201, made())

    kept = await watch(scripted.provider())

    assert [timedelta(minutes=10_070)] == [lasts(one) for one in scripted.asked]
    assert (
        kept.id,
        kept.resource,
        kept.callback,
        kept.lifecycle_callback,
    ) == ("sub", RESOURCE, "https://us.test/notify", "https://us.test/lifecycle")


@pytest.mark.parametrize(
    ("refusals", "asked_for"),
    [
        (["Subscription expiration can only be 10070 minutes in the future."], [10_070, 10_060]),
        (["Subscription expiration can only be 4230 minutes in the future."], [10_070, 4_220]),
        (["Subscription expiration can only be 1440 minutes in the future."], [10_070, 1_430]),
        (["Something else about the extension."], [10_070, 4_230]),
        (["It can only be 10070 minutes.", "It can only be 10070 minutes."], [10_070, 10_060, 4_230]),
    ],
)
async def test_a_lifetime_that_is_refused_is_negotiated_down(scripted, refusals, asked_for):
    for text in refusals:
        scripted.refuse(400, "ExtensionError", text)
    scripted.say(201, made())

    await watch(scripted.provider())

    assert [timedelta(minutes=minutes) for minutes in asked_for] == [lasts(one) for one in scripted.asked]


async def test_a_service_that_allows_no_lifetime_is_asked_three_times_and_no_more(scripted):
    for _ in range(4):
        scripted.refuse(400, "ExtensionError", "It can only be 10070 minutes.")

    with pytest.raises(BadRequest):
        await watch(scripted.provider())

    assert len(scripted.asked) == 3


async def test_renewing_negotiates_as_creating_does(scripted):
    scripted.refuse(400, "ExtensionError", "It can only be 5000 minutes.").say(200, made("old"))

    await watch(scripted.provider(), CURRENT)

    assert [("PATCH", timedelta(minutes=10_070)), ("PATCH", timedelta(minutes=4_990))] == [
        (one.method, lasts(one)) for one in scripted.asked
    ]


async def test_a_refusal_other_than_of_the_lifetime_is_not_taken_for_one(scripted):
    scripted.refuse(400, "InvalidRequest", "The notificationUrl is odd.")

    with pytest.raises(BadRequest):
        await watch(scripted.provider())

    assert len(scripted.asked) == 1


async def test_a_renewal_moves_the_notifications_to_our_new_address(office):
    first = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)
    moved = f"{office.callback}-moved"

    again = await office.provider.watch(moved, office.lifecycle_callback, office.client_state, first)

    assert (first.id, moved) == (again.id, again.callback)
    assert moved == (await office.client.get_subscription(first.id)).notification_url


async def test_a_watch_removed_by_microsoft_is_created_anew(office):
    first = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)
    office.sim.remove_subscription(first.id)

    again = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, first)

    assert first.id != again.id
    assert [again.id] == [one.id for one in await office.client.list_subscriptions()]


async def test_what_we_created_and_forgot_is_adopted_by_its_secret(office):
    forgotten = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)
    office.clock.advance(timedelta(days=1))

    adopted = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)

    assert forgotten.id == adopted.id
    assert adopted.expires_at > forgotten.expires_at


async def test_beginning_twice_notifies_once(office):
    for _ in range(2):
        await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)

    office.deliver(mail("once"))

    assert len(await office.notifications()) == 1


async def test_one_whose_secret_we_do_not_know_is_replaced(office):
    stranger = await office.provider.watch(office.callback, office.lifecycle_callback, Secret("a" * 20), None)

    ours = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)
    office.deliver(mail("push"))

    assert stranger.id != ours.id
    assert [ours.id] == [one.id for one in await office.client.list_subscriptions()]
    assert [office.client_state] == [one.client_state for one in await office.notifications()]


async def test_one_whose_secret_is_not_shown_is_replaced(scripted):
    scripted.refuse(409, "ObjectIdentifierInUse", EXISTS).say(200, made(TWIN, clientState=None))
    scripted.say(204, b"").say(201, made("fresh"))

    kept = await watch(scripted.provider())

    assert kept.id == "fresh"
    assert [one.method for one in scripted.asked] == ["POST", "PATCH", "DELETE", "POST"]


async def test_a_lifecycle_address_cannot_be_moved_so_the_watch_is_replaced(office):
    first = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)
    moved = f"{office.lifecycle_callback}-moved"

    again = await office.provider.watch(office.callback, moved, office.client_state, first)

    assert first.id != again.id
    assert [moved] == [one.lifecycle_url for one in await office.client.list_subscriptions()]


async def test_another_folder_is_watched_before_the_old_watch_is_let_go(office):
    first = await office.provider.watch(office.callback, office.lifecycle_callback, office.client_state, None)
    archive = OutlookProvider(office.client, folder="archive")
    office.recorder.clear()

    again = await archive.watch(office.callback, office.lifecycle_callback, office.client_state, first)

    calls = [one.method for one in office.recorder.where(lambda call: call.api == "graph")]
    assert calls == ["POST", "DELETE"]
    assert [again.id] == [one.id for one in await office.client.list_subscriptions()]


async def test_an_existing_one_that_is_not_named_is_searched_for(scripted):
    scripted.refuse(409, "Conflict", "It exists.").say(
        200, {"value": [made("other", resource="me/events"), made(TWIN)]}
    )
    scripted.say(200, made(TWIN))

    assert (await watch(scripted.provider())).id == TWIN


async def test_one_that_vanishes_while_it_is_adopted_is_created(scripted):
    scripted.refuse(409, "", EXISTS).refuse(404, "ResourceNotFound").say(201, made("fresh"))

    assert (await watch(scripted.provider())).id == "fresh"


async def test_two_who_create_at_the_same_time_do_not_fight(scripted):
    scripted.refuse(409, "", EXISTS).say(200, made(TWIN, clientState="theirs")).say(204, b"").refuse(409, "", EXISTS)

    with pytest.raises(Unavailable, match="Somebody else"):
        await watch(scripted.provider())


async def test_a_spelling_that_comes_back_different_does_not_replace_the_watch(scripted):
    scripted.say(201, made(resource="Users('3f0c')/MailFolders('AAMk')/Messages")).say(200, made())

    first = await watch(scripted.provider())
    await watch(scripted.provider(), first)

    assert [one.method for one in scripted.asked] == ["POST", "PATCH"]


async def test_a_renewal_that_fails_for_now_never_creates_a_second(scripted):
    scripted.refuse(503, "ErrorServerBusy")

    with pytest.raises(Unavailable):
        await watch(scripted.provider(), CURRENT)

    assert [one.method for one in scripted.asked] == ["PATCH"]


async def test_a_shared_mailbox_cannot_be_watched_with_a_persons_grant(office):
    office.sim.add_mailbox("shared@desk.test")
    office._token = Secret(
        office.sim.issue_token(office.address, scopes=frozenset({"Mail.Read.Shared", "Mail.Read", "User.Read"}))
    )
    shared = OutlookProvider(office.client, address="shared@desk.test")

    assert (await shared.changes(None)).arrived == []
    with pytest.raises(PermissionDenied):
        await shared.watch(office.callback, office.lifecycle_callback, office.client_state, None)
