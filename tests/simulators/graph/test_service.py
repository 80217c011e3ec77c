"""The service as a whole: batches, limits, faults, folders, users, the record of it all."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import aiohttp
import pytest

from simulators.graph.office import ANNA, BERT, IMMUTABLE, mail

ME = f"/users/{ANNA}"


async def test_a_batch_answers_each_request_for_itself(desk):
    key = desk.deliver()
    asked = [
        {"id": "1", "method": "GET", "url": f"{ME}/messages/{key}", "headers": IMMUTABLE},
        {"id": "2", "method": "GET", "url": f"{ME}/messages/none"},
        {"id": "3", "method": "GET", "url": f"{ME}/mailFolders/inbox/messages?$select=subject&$top=1"},
        {
            "id": "4",
            "method": "PATCH",
            "url": f"{ME}/messages/{key}",
            "headers": {"Content-Type": "application/json"},
            "body": {"isRead": True},
        },
        {"id": "5", "method": "PATCH", "url": f"{ME}/messages/{key}", "body": {"isRead": False}},
    ]

    answer = await desk.post("/$batch", {"requests": asked})

    found = {row["id"]: row for row in answer.body["responses"]}
    assert [found[key]["status"] for key in "12345"] == [200, 404, 200, 200, 400]
    assert found["1"]["body"]["id"] == key
    assert found["3"]["body"]["value"][0]["subject"] == "Contract note"
    assert desk.sim.item(ANNA, key).is_read


async def test_dependants_of_a_failure_fail(desk):
    asked = [
        {"id": "a", "method": "GET", "url": f"{ME}/messages/none"},
        {"id": "b", "method": "GET", "url": ME, "dependsOn": ["a"]},
        {"id": "c", "method": "GET", "url": ME},
    ]

    answer = await desk.post("/$batch", {"requests": asked})

    assert {row["id"]: row["status"] for row in answer.body["responses"]} == {"a": 404, "b": 424, "c": 200}


@pytest.mark.parametrize(
    "requests",
    [
        [],
        [{"id": str(number), "method": "GET", "url": "/me"} for number in range(21)],
        [{"id": "x", "method": "GET", "url": "/me"}, {"id": "X", "method": "GET", "url": "/me"}],
        [{"id": "x", "method": "GET"}],
    ],
)
async def test_malformed_batches_are_refused_whole(desk, requests):
    assert (await desk.post("/$batch", {"requests": requests})).status == 400


async def test_a_fifth_request_at_a_time_for_one_mailbox_is_throttled(desk):
    desk.sim.faults.turn(slow=1.0, retry_after=10)

    answers = await asyncio.gather(*(desk.get(f"{ME}/messages") for _ in range(5)), desk.get(f"/users/{BERT}/messages"))

    throttled = [answer for answer in answers if answer.status == 429]
    assert [answer.status for answer in answers].count(200) == 5
    assert [(one.code, one.headers["Retry-After"]) for one in throttled] == [("ApplicationThrottled", "10")]
    assert desk.sim.recorder.mistakes == [f"{ANNA}: more than 4 requests at a time"]


async def test_ten_thousand_requests_in_ten_minutes_are_the_limit(desk):
    key = ("test-app", desk.sim.mailboxes[ANNA].guid)
    desk.sim.gate._counted[key] = (desk.sim.clock.time(), 9_999)

    last, over = await desk.get(ME), await desk.get(ME)
    desk.sim.clock.advance(timedelta(minutes=10))
    later = await desk.get(ME)

    assert (last.status, over.status, over.code, later.status) == (200, 429, "TooManyRequests", 200)


async def test_throttling_and_outages_come_when_switched_on(desk):
    desk.sim.faults.turn(throttle=1.0, retry_after=7)
    throttled = await desk.get(ME)
    desk.sim.faults.reset()
    desk.sim.faults.turn(unavailable=1.0)
    down = await desk.get(ME)
    async with desk.session.post(f"{desk.base}/desk.test/oauth2/v2.0/token", data={}) as entra:
        sign_in = entra.status, (await entra.json())["error"]

    assert (throttled.status, throttled.code, throttled.headers["Retry-After"]) == (429, "TooManyRequests", "7")
    assert (down.status, down.code) == (503, "ErrorInternalServerTransientError")
    assert sign_in == (503, "temporarily_unavailable")


async def test_the_line_can_go_dead_in_the_middle_of_the_body(desk):
    desk.sim.faults.turn(reset=1.0)

    with pytest.raises(aiohttp.ClientError):
        await desk.get(ME)
    with pytest.raises(aiohttp.ClientError):
        await desk.get(f"{desk.base}/common/discovery/v2.0/keys")


async def test_unknown_paths_and_methods_are_refused(desk):
    assert (await desk.get(f"{ME}/horoscope")).status == 400
    assert (await desk.delete(f"{ME}/messages")).status == 405


async def test_errors_have_graphs_shape_and_echo_the_request_id(desk):
    refused = await desk.get(f"{ME}/messages/none", headers={"client-request-id": "abc"})

    assert set(refused.body["error"]) == {"code", "message", "innerError"}
    assert set(refused.body["error"]["innerError"]) == {"date", "request-id", "client-request-id"}
    assert refused.body["error"]["innerError"]["client-request-id"] == "abc"


async def test_everything_the_client_did_is_on_record(desk):
    key = desk.deliver()
    await desk.get(f"{ME}/messages/{key}", headers=IMMUTABLE)
    await desk.get(f"{ME}/messages/none")

    good, bad = desk.sim.recorder.calls
    assert (good.api, good.method, good.status, good.mailbox) == ("graph", "GET", 200, ANNA)
    assert good.headers["Prefer"] == 'IdType="ImmutableId"'
    assert "Authorization" not in good.headers
    assert (bad.status, bad.note) == (404, "ErrorItemNotFound")


async def test_folders_are_listed_made_renamed_and_removed(desk):
    names = {row["displayName"] for row in (await desk.get(f"{ME}/mailFolders")).body["value"]}
    made = await desk.post(f"{ME}/mailFolders", {"displayName": "Clients"})
    child = await desk.post(f"{ME}/mailFolders/{made.body['id']}/childFolders", {"displayName": "Acme"})
    twin = await desk.post(f"{ME}/mailFolders", {"displayName": "clients"})
    nameless = await desk.post(f"{ME}/mailFolders", {})
    children = await desk.get(f"{ME}/mailFolders/{made.body['id']}/childFolders")
    renamed = await desk.patch(f"{ME}/mailFolders/{child.body['id']}", {"displayName": "Acme Ltd"})
    found = await desk.get(f"{ME}/mailFolders", params={"$filter": "displayName eq 'Clients'"})
    guarded = await desk.delete(f"{ME}/mailFolders/inbox")
    removed = await desk.delete(f"{ME}/mailFolders/{child.body['id']}")

    assert {"Inbox", "Drafts", "Sent Items", "Deleted Items", "Junk Email", "Archive", "Outbox"} == names
    assert (made.status, child.status, twin.status, nameless.status) == (201, 201, 409, 400)
    assert [row["displayName"] for row in children.body["value"]] == ["Acme"]
    assert renamed.body["displayName"] == "Acme Ltd"
    assert [row["id"] for row in found.body["value"]] == [made.body["id"]]
    assert (guarded.status, removed.status) == (403, 204)


async def test_a_folder_counts_its_mail(desk):
    read = desk.deliver()
    desk.deliver()
    desk.sim.mark_read(ANNA, read)

    inbox = (await desk.get(f"{ME}/mailFolders/Inbox")).body

    assert (inbox["totalItemCount"], inbox["unreadItemCount"], inbox["displayName"]) == (2, 1, "Inbox")
    assert (await desk.get(f"{ME}/mailFolders/nowhere")).status == 404


async def test_mail_in_a_child_folder_is_reached_through_its_parents(desk):
    parent = (await desk.post(f"{ME}/mailFolders/inbox/childFolders", {"displayName": "Acme"})).body["id"]
    key = desk.deliver()
    desk.sim.move(ANNA, key, parent)

    listed = await desk.get(f"{ME}/mailFolders/inbox/childFolders/{parent}/messages", headers=IMMUTABLE)
    one = await desk.get(f"{ME}/mailFolders/inbox/childFolders/{parent}/messages/{key}")

    assert [row["id"] for row in listed.body["value"]] == [key]
    assert one.status == 200


async def test_people_and_their_categories(desk):
    person = (await desk.get(f"{ME}?$select=displayName,mail")).body
    everybody = (await desk.get("/users?$top=1")).body
    rest = (await desk.get(everybody["@odata.nextLink"])).body
    path = f"{ME}/outlook/masterCategories"
    made = await desk.post(path, {"displayName": "Desk", "color": "preset3"})
    twin = await desk.post(path, {"displayName": "desk", "color": "preset3"})
    painted = await desk.patch(f"{path}/{made.body['id']}", {"color": "preset4"})
    renamed = await desk.patch(f"{path}/{made.body['id']}", {"displayName": "Other"})
    listed = (await desk.get(path)).body["value"]
    removed = await desk.delete(f"{path}/{made.body['id']}")

    assert (person["displayName"], person["mail"]) == ("Anna Ash", ANNA)
    assert [one["mail"] for one in everybody["value"] + rest["value"]] == [ANNA, BERT]
    assert (made.status, twin.status, painted.body["color"], renamed.status) == (201, 409, "preset4", 400)
    assert [row["displayName"] for row in listed] == ["Desk"]
    assert removed.status == 204


def test_a_mailbox_needs_an_address_and_exists_once(desk):
    assert desk.sim.add_mailbox(ANNA.upper()) is desk.sim.mailboxes[ANNA]
    with pytest.raises(ValueError, match="is not an address"):
        desk.sim.add_mailbox("anna")
    with pytest.raises(KeyError, match="add it with add_mailbox"):
        desk.deliver(mail(), mailbox="nobody@desk.test")
