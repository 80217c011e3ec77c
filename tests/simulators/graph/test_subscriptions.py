"""Subscriptions: handshake, lifetimes, refusals, renewal, and what they hear."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from simulators.graph.office import ANNA, BERT, mail


async def test_creating_shakes_hands_on_both_urls_and_answers_with_the_subscription(desk):
    made = await desk.subscribe(notificationUrl=f"{desk.hook.url}/notify?key=1")

    assert made.status == 201
    assert [path for path, _ in desk.hook.handshakes] == ["/hook/notify", "/hook/lifecycle"]
    assert all(
        token.startswith("Validation: Testing client application reachability for subscription Request-Id: ")
        for _, token in desk.hook.handshakes
    )
    assert (made.body["clientState"], made.body["changeType"]) == ("secret", "created,updated,deleted")
    assert f"{desk.hook.url}/lifecycle" == made.body["lifecycleNotificationUrl"]
    assert None is made.body["encryptionCertificate"]


@pytest.mark.parametrize("handshake", ["forbidden", "json", "quoted"])
async def test_a_wrong_handshake_creates_nothing(desk, handshake):
    desk.hook.handshake = handshake

    refused = await desk.subscribe()

    assert (refused.status, refused.code) == (400, "ValidationError")
    assert (await desk.get("/subscriptions")).body["value"] == []


async def test_the_documented_refusal_names_the_status(desk):
    desk.hook.handshake = "forbidden"

    refused = await desk.subscribe()

    assert refused.body["error"]["message"].startswith(
        "Subscription validation request failed. HTTP status code is 'Forbidden'."
    )


async def test_a_late_handshake_times_out(desk):
    desk.hook.handshake = "late"
    desk.sim.pushes.timing.validation = 0.05

    refused = await desk.subscribe()

    assert refused.body["error"]["message"] == "Subscription validation request timed out."


async def test_an_unreachable_endpoint_fails_validation(desk):
    refused = await desk.subscribe(notificationUrl="http://127.0.0.1:9/never")

    assert (refused.status, refused.code) == (400, "ValidationError")


async def test_plain_http_is_for_this_machine_only(desk):
    refused = await desk.subscribe(notificationUrl="http://hooks.example.org/notify")

    assert (
        refused.status,
        refused.body["error"]["message"],
    ) == (400, "Notification endpoint must use the HTTPS protocol.")


@pytest.mark.parametrize("missing", ["changeType", "notificationUrl", "resource", "expirationDateTime"])
async def test_required_fields_are_required(desk, missing):
    refused = await desk.subscribe(**{missing: None})

    assert refused.status == 400
    assert missing in refused.body["error"]["message"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"changeType": "renamed"},
        {"clientState": "x" * 129},
        {"resource": "users/anna@desk.test/events"},
        {"resource": "chats/all"},
        {"expirationDateTime": "yesterday"},
        {"expirationDateTime": "2020-01-01T00:00:00Z"},
        {"includeResourceData": True},
    ],
)
async def test_wrong_fields_are_refused(desk, wrong):
    assert (await desk.subscribe(**wrong)).status == 400


async def test_too_long_is_refused_and_too_short_is_raised(desk):
    long = await desk.subscribe(expirationDateTime=desk.in_minutes(10_080))
    short = await desk.subscribe(expirationDateTime=desk.in_minutes(5))

    assert (long.status, long.code) == (400, "ExtensionError")
    assert long.body["error"]["message"] == "Subscription expiration can only be 10070 minutes in the future."
    left = datetime.fromisoformat(short.body["expirationDateTime"]) - desk.sim.clock.now()
    assert timedelta(minutes=44) < left <= timedelta(minutes=45)


async def test_a_twin_is_refused_with_the_id_to_adopt(desk):
    made = await desk.subscribe()

    twin = await desk.subscribe()
    other = await desk.subscribe(changeType="created")

    assert twin.status == 409
    assert (
        f"Subscription Id {made.body['id']} already exists for the requested combination"
        == twin.body["error"]["message"]
    )
    assert other.status == 201


async def test_a_mailbox_has_at_most_a_thousand(desk):
    made = (await desk.subscribe()).body["id"]
    kept = desk.sim.subscriptions
    crowd = kept._by_mailbox[desk.sim.mailboxes[ANNA].guid]
    crowd.update({f"other-{number}": kept.all[made] for number in range(999)})

    refused = await desk.subscribe(changeType="created")

    assert refused.status == 403


async def test_getting_and_listing_hide_the_client_state(desk):
    made = (await desk.subscribe()).body

    listed = (await desk.get("/subscriptions")).body["value"]
    one = (await desk.get(f"/subscriptions/{made['id']}")).body

    assert [(made["id"], None)] == [(row["id"], row["clientState"]) for row in listed]
    assert None is one["clientState"]


async def test_another_app_sees_none_of_it(desk):
    made = (await desk.subscribe()).body
    other = desk.sim.issue_token(app="other-app")

    assert (await desk.get("/subscriptions", token=other)).body["value"] == []
    assert (await desk.get(f"/subscriptions/{made['id']}", token=other)).status == 404


async def test_renewing_moves_the_end_and_shakes_hands_again(desk):
    made = (await desk.subscribe(expirationDateTime=desk.in_minutes(60))).body
    shaken = len(desk.hook.handshakes)

    renewed = await desk.patch(f"/subscriptions/{made['id']}", {"expirationDateTime": desk.in_minutes(5000)})
    too_long = await desk.patch(f"/subscriptions/{made['id']}", {"expirationDateTime": desk.in_minutes(20_000)})
    lifecycle = await desk.patch(f"/subscriptions/{made['id']}", {"lifecycleNotificationUrl": desk.hook.url})

    assert renewed.status == 200
    assert renewed.body["expirationDateTime"] > made["expirationDateTime"]
    assert shaken + 1 == len(desk.hook.handshakes)
    assert (too_long.status, lifecycle.status) == (400, 400)


async def test_renewing_without_handshake_when_switched_off(desk):
    made = (await desk.subscribe()).body
    desk.sim.faults.turn(validate_on_renew=False)
    desk.hook.handshake = "forbidden"

    renewed = await desk.patch(f"/subscriptions/{made['id']}", {"expirationDateTime": desk.in_minutes(5000)})

    assert renewed.status == 200


async def test_an_expired_subscription_is_gone_and_hears_nothing(desk):
    made = (await desk.subscribe(expirationDateTime=desk.in_minutes(60))).body

    desk.sim.clock.advance(timedelta(minutes=61))
    desk.deliver()
    await desk.sim.settle()

    assert desk.hook.posts == []
    assert (await desk.get(f"/subscriptions/{made['id']}")).status == 404
    renewed = await desk.patch(f"/subscriptions/{made['id']}", {"expirationDateTime": desk.in_minutes(60)})
    assert renewed.status == 404
    assert (await desk.subscribe()).status == 201


async def test_reauthorize_and_patch_within_ten_minutes_are_a_mistake(desk):
    made = (await desk.subscribe()).body
    path = f"/subscriptions/{made['id']}"

    assert (await desk.post(f"{path}/reauthorize")).status == 204
    desk.sim.clock.advance(timedelta(minutes=11))
    await desk.patch(path, {"expirationDateTime": desk.in_minutes(5000)})
    assert desk.sim.recorder.mistakes == []

    await desk.post(f"{path}/reauthorize")

    assert [f"subscription {made['id']}: reauthorize within 10 minutes of PATCH"] == desk.sim.recorder.mistakes


async def test_a_deleted_subscription_hears_nothing(desk):
    made = (await desk.subscribe()).body

    assert (await desk.delete(f"/subscriptions/{made['id']}")).status == 204
    desk.deliver()
    await desk.sim.settle()

    assert desk.hook.posts == []


async def test_arrival_change_and_removal_are_told_with_immutable_ids(desk):
    made = (await desk.subscribe()).body
    key = desk.deliver()
    desk.sim.mark_read(ANNA, key)
    desk.sim.move(ANNA, key, "archive")
    await desk.sim.settle()

    assert [item["changeType"] for item in desk.hook.items] == ["created", "updated", "deleted"]
    first = desk.hook.items[0]
    guid = desk.sim.mailboxes[ANNA].guid
    assert (made["id"], "secret", key) == (first["subscriptionId"], first["clientState"], first["resourceData"]["id"])
    assert f"Users/{guid}/Messages/{key}" == first["resource"] == first["resourceData"]["@odata.id"]
    assert first["resourceData"]["@odata.type"] == "#Microsoft.Graph.Message"
    assert {"tenantId", "subscriptionExpirationDateTime"} <= set(first)


async def test_default_ids_are_told_when_the_subscription_did_not_ask_otherwise(desk):
    await desk.subscribe(headers={})
    key = desk.deliver()
    await desk.sim.settle()

    told = desk.hook.items[0]["resourceData"]["id"]
    assert key != told
    assert (await desk.get(f"/users/{ANNA}/messages/{told}")).status == 200


async def test_only_the_watched_folder_and_kind_are_told(desk):
    await desk.subscribe(changeType="created")
    key = desk.deliver()
    desk.sim.mark_read(ANNA, key)
    desk.deliver(folder="archive")
    desk.deliver(mailbox=BERT)
    await desk.sim.settle()

    assert [("created", key)] == [(item["changeType"], item["resourceData"]["id"]) for item in desk.hook.items]


async def test_a_whole_mailbox_hears_of_drafts_too(desk):
    await desk.subscribe(resource=f"/users/{ANNA}/messages", changeType="created")
    draft = (
        await desk.post(f"/users/{ANNA}/messages", {"subject": "Hm"}, headers={"Prefer": 'IdType="ImmutableId"'})
    ).body
    await desk.sim.settle()

    assert [draft["id"]] == [item["resourceData"]["id"] for item in desk.hook.items]


async def test_a_filter_on_unread_turns_reading_into_deletion(desk):
    await desk.subscribe(resource=f"users/{ANNA}/mailFolders('inbox')/messages?$filter=isRead eq false")
    key = desk.deliver()
    desk.sim.mark_read(ANNA, key)
    desk.sim.mark_read(ANNA, key, read=False)
    await desk.sim.settle()

    assert [item["changeType"] for item in desk.hook.items] == ["created", "deleted", "created"]


async def test_moving_back_is_created_again(desk):
    await desk.subscribe(changeType="created")
    key = desk.deliver()
    desk.sim.move(ANNA, key, "archive")
    desk.sim.move(ANNA, key, "inbox")
    await desk.sim.settle()

    assert [key, key] == [item["resourceData"]["id"] for item in desk.hook.items]


async def test_a_person_may_watch_only_their_own_mailbox_and_needs_read_permission(desk):
    anna = desk.sim.issue_token(ANNA)
    writer = desk.sim.issue_token(ANNA, scopes=frozenset({"Mail.ReadWrite"}))
    asked = {
        "changeType": "created",
        "notificationUrl": f"{desk.hook.url}/n",
        "expirationDateTime": desk.in_minutes(60),
    }

    own = await desk.post("/subscriptions", {**asked, "resource": "me/messages"}, token=anna)
    other = await desk.post("/subscriptions", {**asked, "resource": f"users/{BERT}/messages"}, token=anna)
    unread = await desk.post("/subscriptions", {**asked, "resource": "/me/messages"}, token=writer)

    assert (own.status, other.status, unread.status) == (201, 403, 403)


async def test_a_revoked_person_is_told_nothing_more(desk):
    token = desk.sim.issue_token(ANNA)
    asked = {
        "changeType": "created",
        "notificationUrl": f"{desk.hook.url}/n",
        "resource": "me/messages",
        "expirationDateTime": desk.in_minutes(60),
    }
    await desk.post("/subscriptions", asked, token=token)

    desk.sim.revoke(ANNA)
    desk.deliver(mail())
    await desk.sim.settle()

    assert desk.hook.posts == []
