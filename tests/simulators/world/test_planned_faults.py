"""Faults by plan: the write happened or did not, and the client is left to find out."""

from __future__ import annotations

import base64
from contextlib import asynccontextmanager

import aiohttp
import pytest

OUTLOOK, GMAIL = "anna@desk.example", "ben@desk.example"
RAW = base64.urlsafe_b64encode(b"To: carl@client.example\r\nSubject: Hello\r\n\r\nDear Carl,\r\n").decode()


class Client:
    """One mailbox behind HTTP, with the same words for both providers."""

    def __init__(self, world, session, address):
        self.world, self.session, self.address = world, session, address
        self.program = world.mail_program(address)
        self.graph = self.program.provider == "graph"
        token = world.graph.issue_token() if self.graph else world.google.access_token(address)
        self._headers = {"Authorization": f"Bearer {token}", "Prefer": 'IdType="ImmutableId"'}

    @property
    def base(self):
        return (
            f"{self.world.base_url}/v1.0/users/{OUTLOOK}" if self.graph else f"{self.world.base_url}/gmail/v1/users/me"
        )

    @property
    def create(self):
        return "graph.messages.create" if self.graph else "gmail.drafts.create"

    @property
    def send(self):
        return "graph.messages.send" if self.graph else "gmail.drafts.send"

    @property
    def update(self):
        return "graph.messages.update" if self.graph else "gmail.drafts.update"

    async def call(self, method, path, body=None, **headers):
        options = {"json": body} if body is not None else {}
        async with self.session.request(method, self.base + path, headers=self._headers | headers, **options) as answer:
            return answer.status, await answer.read()

    async def make_draft(self):
        if self.graph:
            to = [{"emailAddress": {"address": "carl@client.example"}}]
            return await self.call("POST", "/messages", {"subject": "Hello", "toRecipients": to})
        return await self.call("POST", "/drafts", {"message": {"raw": RAW}})

    async def send_draft(self, key):
        if self.graph:
            return await self.call("POST", f"/messages/{key}/send")
        return await self.call("POST", "/drafts/send", {"id": key})

    async def change_draft(self, key, **headers):
        if self.graph:
            return await self.call("PATCH", f"/messages/{key}", {"subject": "Changed"}, **headers)
        return await self.call("PUT", f"/drafts/{key}", {"message": {"raw": RAW}})

    def drafts(self):
        return self.program.messages("drafts")

    def sent(self):
        return self.program.messages("sentitems")


@asynccontextmanager
async def client_at(world, address, provider):
    world.add_mailbox(address, provider=provider)
    async with aiohttp.ClientSession() as session:
        yield Client(world, session, address)


@pytest.fixture(params=["graph", "gmail"])
async def client(request, world):
    async with client_at(world, OUTLOOK if request.param == "graph" else GMAIL, request.param) as made:
        yield made


async def test_a_lost_answer_leaves_the_draft_behind(client):
    fault = client.world.plan_fault(client.create, "lost_response")

    with pytest.raises(aiohttp.ClientError):
        await client.make_draft()
    status, _ = await client.make_draft()

    assert (2, True, 1) == (len(client.drafts()), status in (200, 201), fault.hits)


async def test_a_lost_answer_to_a_send_means_that_it_was_sent(client):
    key = client.program.write_draft("Dear Carl,", to=["carl@client.example"], subject="Hello")
    client.world.plan_fault(client.send, "lost_response")

    with pytest.raises(aiohttp.ClientError):
        await client.send_draft(key)

    assert (0, 1) == (len(client.drafts()), len(client.sent()))
    assert ["Hello"] == [one.subject for one in client.world.departed]


async def test_an_error_after_the_effect_is_an_error_all_the_same(client):
    key = client.program.write_draft("Dear Carl,", to=["carl@client.example"], subject="Hello")
    client.world.plan_fault(client.send, "error_after")

    status, _ = await client.send_draft(key)

    assert (500, 1) == (status, len(client.sent()))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [("error_before", {500}), ("conflict", {409}), ("precondition_failed", {412}), ("throttled", {403, 429})],
)
async def test_a_refusal_before_the_effect_has_none(client, kind, expected):
    client.world.plan_fault(client.create, kind)

    status, _ = await client.make_draft()

    assert status in expected
    assert [] == client.drafts()


async def test_a_lost_request_has_no_effect_and_no_answer(client):
    client.world.plan_fault(client.create, "lost_request", seconds=0.05)

    with pytest.raises(aiohttp.ClientError):
        await client.make_draft()

    assert [] == client.drafts()
    assert [(0, "lost_request")] == [
        (call.status, call.note.split()[-1]) for call in client.world.recorder.calls if call.status == 0
    ]


async def test_a_planned_throttle_holds_for_the_whole_mailbox(client):
    client.world.faults.turn(retry_after=60)
    client.world.plan_fault(client.create, "throttled")
    await client.make_draft()

    status, _ = await client.call("GET", "/messages")

    assert status in (403, 429)
    assert 2 == client.world.traffic(client.address)["throttled"]


async def test_a_fault_hits_as_often_as_it_was_planned_and_only_there(client):
    other = "other@desk.example"
    client.world.plan_fault("*.create", "error_before", times=2, mailbox=client.address)
    client.world.plan_fault("*.create", "conflict", mailbox=other)

    statuses = [(await client.make_draft())[0] for _ in range(3)]

    assert [500, 500] == statuses[:2]
    assert statuses[2] in (200, 201)


async def test_a_person_gets_in_first(client):
    key = client.program.write_draft("Dear Carl,", to=["carl@client.example"], subject="Hello")
    client.world.plan_fault(client.send, "race", act=lambda: client.program.send_draft(key))

    status, _ = await client.send_draft(key)

    assert status in (403, 404)
    assert 1 == len(client.sent())


async def test_a_race_on_an_outlook_draft_is_caught_by_its_version(world):
    async with client_at(world, OUTLOOK, "graph") as client:
        key = client.program.write_draft("Dear Carl,", subject="Hello")
        version = world.graph.item(OUTLOOK, key).change_key
        world.plan_fault(client.update, "race", times=2)

        checked, _ = await client.change_draft(key, **{"If-Match": f'W/"{version}"'})
        careless, _ = await client.change_draft(key)

    assert (412, 200) == (checked, careless)
    assert "Edited meanwhile." in client.program.text(key)


async def test_a_race_on_a_gmail_draft_shows_in_its_message_id_only(world):
    async with client_at(world, GMAIL, "gmail") as client:
        key = client.program.write_draft("Dear Carl,", to=["carl@client.example"], subject="Hello")
        world.plan_fault(client.update, "race")

        status, _ = await client.change_draft(key)

    history = [record.kind for record in world.google.mailboxes[GMAIL].records]
    assert 200 == status
    assert ["messagesAdded", *["messagesDeleted", "messagesAdded"] * 2] == history


async def test_one_lost_item_loses_the_answer_to_the_whole_batch(world):
    async with client_at(world, OUTLOOK, "graph") as client:
        world.plan_fault("graph.messages.create", "lost_response")
        asked = [
            {"id": str(number), "method": "POST", "url": f"/users/{OUTLOOK}/messages", "body": {"subject": "x"},
             "headers": {"Content-Type": "application/json"}}
            for number in range(3)
        ]  # fmt: skip
        with pytest.raises(aiohttp.ClientError):
            async with client.session.post(
                f"{world.base_url}/v1.0/$batch", json={"requests": asked}, headers=client._headers
            ):
                pass

    assert 3 == len(client.drafts())


@pytest.mark.parametrize(
    ("operation", "kind", "times", "complaint"),
    [
        ("graph.messages.fax", "error_before", 1, "No operation is called 'graph.messages.fax'"),
        ("graph.messages.send", "earthquake", 1, "Unknown kind of fault 'earthquake'"),
        ("graph.messages.send", "conflict", 0, "at least one request"),
    ],
)
def test_a_plan_that_cannot_be_met_is_refused(world, operation, kind, times, complaint):
    with pytest.raises(ValueError, match=complaint):
        world.plan_fault(operation, kind, times=times)


async def test_faults_are_planned_listed_and_cleared_by_the_control_api(world, remote):
    world.add_mailbox(OUTLOOK)
    planned = await remote.ask(
        "POST", "/faults/planned", {"operation": "*.send", "kind": "lost_response", "times": 3, "mailbox": OUTLOOK}
    )
    refused = await remote.ask("POST", "/faults/planned", {"operation": "x", "kind": "conflict"}, status=400)
    listed = await remote.get("/faults/planned")
    await remote.ask("DELETE", "/faults/planned")

    assert [planned] == listed["items"]
    assert (3, 0) == (planned["times"], planned["hits"])
    assert "graph.messages.send" in refused["error"]
    assert {"gmail.drafts.send", "graph.sendMail"} <= set((await remote.get("/operations"))["items"])
    assert {"items": []} == await remote.get("/faults/planned")
