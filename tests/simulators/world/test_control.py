"""The control API over real HTTP: it does what it is told, and says what to do when it cannot."""

import email
from base64 import b64encode
from datetime import datetime, timedelta
from email.policy import default

import aiohttp
import pytest

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.server import MailNotSent, send_letter

DESK = "desk@larkspur.example"
RAW = b"From: a@x.example\r\nTo: desk@larkspur.example\r\nSubject: Raw one\r\nMessage-ID: <1@x.example>\r\n\r\nHi\r\n"

both = pytest.mark.parametrize("provider", ["graph", "gmail"])


def raw_of(world, provider):
    if provider == "gmail":
        return next(reversed(world.google.mailboxes[DESK].mails.values())).raw
    return next(world.graph.mailboxes[DESK].everything.newest_first()).raw


async def test_the_overview_lists_every_endpoint(remote, world):
    found = await remote.get("/")

    assert world.base_url == found["base_url"]
    assert "POST /control/letters" in found["endpoints"]


async def test_faults_are_turned_one_by_one_and_put_back(remote, world):
    assert (await remote.ask("PUT", "/faults", {"duplicate": 0.25, "history_shuffled": True}))["duplicate"] == 0.25
    assert world.faults.switches.duplicate == 0.25
    assert (await remote.get("/faults"))["duplicate"] == 0.25

    await remote.ask("DELETE", "/faults?seed=4")

    assert world.faults.switches.duplicate == 0.0


@pytest.mark.parametrize(
    ("verb", "path", "body", "status", "words"),
    [
        ("PUT", "/faults", {"dupliacte": 1}, 400, "Unknown fault 'dupliacte'; known are"),
        ("PUT", "/faults", [1], 400, "Expected `object`"),
        ("DELETE", "/faults?seed=x", None, 400, "seed must be a whole number"),
        ("POST", "/clock/advance", {"seconds": -5}, 400, "only goes forward"),
        ("POST", "/clock/advance", {"fortnights": 1}, 400, "The fields are seconds, minutes, hours, days"),
        ("POST", "/mailboxes", {"address": "desk"}, 400, "not an address"),
        ("POST", "/mailboxes", {"address": "a@b.example", "provider": "aol"}, 400, "Invalid enum value 'aol'"),
        ("GET", "/mailboxes/nobody@x.example/messages", None, 404, "There is no mailbox nobody@x.example"),
        ("GET", f"/mailboxes/{DESK}/messages?folder=attic", None, 400, "choose one of inbox, archive"),
        ("GET", f"/mailboxes/{DESK}/messages?last=all", None, 400, "last must be a whole number"),
        ("POST", f"/mailboxes/{DESK}/messages/x/move", {"folder": "inbox"}, 404, "no message x"),
        ("PATCH", f"/mailboxes/{DESK}/drafts/x", {"words": "hi"}, 404, "x"),
        ("POST", "/letters", {"from": "a@b.example", "to": ["far@away.example"]}, 400, f"Mailboxes: {DESK}"),
        ("POST", "/letters", {"from": "nobody", "to": [DESK]}, 400, "Give the sender as 'from'"),
        ("POST", "/letters", {"mailbox": DESK, "raw": "ü"}, 400, "raw must be base64"),
        ("POST", "/letters", {"mailbox": DESK, "raw": "", "folder": "attic", "from": "a@b.c"}, 400, "Unknown folder"),
        ("POST", "/scenarios/lunch", {}, 400, "choose one of dealing-desk"),
        ("POST", "/scenarios/client-service", {"speed": -1}, 400, "must not be negative"),
        ("POST", "/graph/subscriptions/nope/lifecycle", {"event": "missed"}, 404, "There is no subscription nope"),
        ("POST", "/graph/subscriptions/nope/lifecycle", {"event": "bored"}, 400, "Invalid enum value 'bored'"),
        ("DELETE", "/graph/subscriptions/nope", None, 404, "There is no subscription nope"),
    ],
)  # fmt: skip
@both
async def test_mistakes_are_explained(remote, world, provider, verb, path, body, status, words):
    world.add_mailbox(DESK, provider=provider)

    found = await remote.ask(verb, path, body, status=status)

    assert words in found["error"]


async def test_a_form_from_a_foreign_page_is_refused(world):
    import aiohttp

    async with aiohttp.ClientSession() as session:
        for verb, path in (("POST", "/letters"), ("PUT", "/faults")):
            async with session.request(verb, f"{world.base_url}/control{path}", data={"drop": "1"}) as answer:
                assert answer.status == 400
                assert "application/json" in (await answer.json())["error"]


async def test_the_clock_moves_on(remote, world):
    before = datetime.fromisoformat((await remote.get("/clock"))["now"])

    after = datetime.fromisoformat((await remote.ask("POST", "/clock/advance", {"days": 3, "hours": 1}))["now"])

    assert 73 * 3600 <= (after - before).total_seconds() < 73 * 3600 + 60


@both
async def test_mailboxes_are_added_and_counted(remote, world, provider):
    await remote.ask("POST", "/mailboxes", {"address": DESK, "name": "Desk", "provider": provider})
    world.deliver(IncomingMail(DESK, RAW))

    (shown,) = (await remote.get("/mailboxes"))["items"]

    assert {
        "address": DESK,
        "name": "Desk",
        "provider": provider,
        "inbox": 1,
        "unread": 1,
        "drafts": 0,
        "sent": 0,
        "total": 1,
    } == shown


@both
async def test_a_letter_is_written_from_fields(remote, world, provider):
    world.add_mailbox(DESK, name="Desk", provider=provider)
    order = {
        "from": "Anna Berg <anna@client.example>",
        "to": [f"Desk <{DESK}>", "other@client.example"],
        "cc": ["boss@client.example"],
        "subject": "Rechnung für März",
        "text": "Grüße",
        "attachments": [{"filename": "Rechnung März.pdf", "content": b64encode(b"%PDF-1.7").decode()}],
        "in_reply_to": "<earlier@client.example>",
        "verdict": "fail",
    }

    found = await remote.ask("POST", "/letters", order)

    mail = email.message_from_bytes(raw_of(world, provider), policy=default)
    (attachment,) = mail.iter_attachments()
    assert list(found["delivered"]) == [DESK]
    assert mail["Subject"] == "Rechnung für März"
    assert mail["In-Reply-To"] == "<earlier@client.example>"
    assert "dmarc=fail" in mail["Authentication-Results"]
    assert len(mail["To"].addresses) == 2
    assert (attachment.get_filename(), attachment.get_content_type()) == ("Rechnung März.pdf", "application/pdf")
    assert attachment.get_content() == b"%PDF-1.7"


async def test_a_whole_mail_goes_in_as_it_is(remote, world):
    world.add_mailbox(DESK, provider="gmail")

    await remote.ask("POST", "/letters", {"mailbox": DESK, "raw": b64encode(RAW).decode()})

    assert raw_of(world, "gmail") == RAW


@both
async def test_a_person_reads_moves_and_deletes(remote, world, provider):
    world.add_mailbox(DESK, provider=provider)
    key = world.deliver(IncomingMail(DESK, RAW))
    at = f"/mailboxes/{DESK}/messages"

    await remote.ask("POST", f"{at}/{key}/read", {"read": True})
    await remote.ask("POST", f"{at}/{key}/move", {"folder": "archive"})
    (archived,) = (await remote.get(f"{at}?folder=archive"))["items"]
    await remote.ask("POST", f"{at}/{key}/move", {"folder": "junkemail"})
    junk = (await remote.get(f"{at}?folder=junkemail"))["items"]
    await remote.ask("DELETE", f"{at}/{key}")
    binned = (await remote.get(f"{at}?folder=deleteditems"))["items"]
    await remote.ask("DELETE", f"{at}/{key}?for_good=1")

    assert (archived["read"], archived["subject"]) == (True, "Raw one")
    assert [[key], [key]] == [[one["id"] for one in shown] for shown in (junk, binned)]
    assert [one for one in (await remote.get(at))["items"] if one["folder"] != "recoverableitemsdeletions"] == []


@both
async def test_a_person_edits_a_draft(remote, world, provider):
    world.add_mailbox(DESK, provider=provider)
    if provider == "graph":
        box = world.graph.mailboxes[DESK]
        item = box.compose({"subject": "Re: x", "body": {"contentType": "text", "content": "Machine words"}})
        box.add(item, box.folder("drafts"))
        key = item.immutable_id
    else:
        key = world.google.mailboxes[DESK].put_draft(RAW.replace(b"Hi", b"Machine words")).id

    found = await remote.ask("PATCH", f"/mailboxes/{DESK}/drafts/{key}", {"words": "A person's <words>"})

    (draft,) = (await remote.get(f"/mailboxes/{DESK}/messages?folder=drafts"))["items"]
    assert found["id"] == draft["id"]
    assert "Machine words" in draft["words"]
    assert "A person" in draft["words"]


@both
async def test_grants_and_cursors_end_on_request(remote, world, provider):
    world.add_mailbox(DESK, provider=provider)
    world.deliver(IncomingMail(DESK, RAW))
    if provider == "gmail":
        refresh = world.google.grant(DESK).refresh_token
        cursor = world.google.mailboxes[DESK].history_id
    else:
        token = world.graph.issue_token(DESK)

    async def status():
        if provider == "gmail":
            form = {"grant_type": "refresh_token", "refresh_token": refresh, "client_id": "client"}
            asked = remote._session.post(f"{world.base_url}/token", data=form)
        else:
            headers = {"Authorization": f"Bearer {token}"}
            asked = remote._session.get(f"{world.base_url}/v1.0/me/messages", headers=headers)
        async with asked as answer:
            return answer.status

    before = await status()
    await remote.ask("POST", f"/mailboxes/{DESK}/expire-cursors", {})
    await remote.ask("POST", f"/mailboxes/{DESK}/revoke", {})

    assert (before, await status()) == ((200, 400) if provider == "gmail" else (200, 401))
    if provider == "gmail":
        assert not world.google.mailboxes[DESK].knows_history(cursor)


async def test_sent_mail_is_listed_also_what_left_the_world(remote, world):
    world.add_mailbox(DESK, provider="gmail")
    draft = world.google.mailboxes[DESK].put_draft(RAW.replace(b"desk@larkspur", b"far@away").replace(b"\r", b""))
    world.google.send_draft(DESK, draft.id)

    found = await remote.get("/sent")

    assert [(one["mailbox"], one["subject"]) for one in found["items"]] == [(DESK, "Raw one")]
    assert [one["to"] for one in found["left_the_world"]] == [["far@away.example"]]


async def test_a_scenario_is_started_from_afar(remote, world):
    assert (await remote.get("/scenarios"))["items"] == ["dealing-desk", "accounts-payable", "client-service"]

    story = await remote.ask("POST", "/scenarios/client-service", {"speed": 0})

    assert story["boxes"] == ["service@larkspur-retreats.example"]
    assert {"operators", "accounts", "knowledge", "threads"} == set(story["truth"])
    for _ in range(100):
        boxes = (await remote.get("/mailboxes"))["items"]
        if boxes and boxes[0]["total"] == story["letters"]:
            break
    assert story["letters"] == boxes[0]["total"]


async def test_a_scenario_whose_mailbox_is_elsewhere_is_refused(remote, world):
    world.add_mailbox("service@larkspur-retreats.example", provider="gmail")

    found = await remote.ask("POST", "/scenarios/client-service", {"speed": 0}, status=400)

    assert "already a mailbox of the other provider" in found["error"]


async def test_the_record_is_shown_and_forgotten(remote, world):
    world.add_mailbox(DESK, provider="graph")
    async with remote._session.get(f"{world.base_url}/v1.0/me/messages") as answer:
        assert answer.status == 401

    (call,) = (await remote.get("/record"))["calls"]
    await remote.ask("DELETE", "/record")

    assert (call["api"], call["status"]) == ("graph", 401)
    assert (await remote.get("/record?last=5"))["calls"] == []


async def test_a_subscriber_hears_of_dropped_mail_and_of_lifecycle_events(remote, world, hook):
    world.add_mailbox(DESK, provider="graph")
    order = {
        "changeType": "created",
        "notificationUrl": hook.url,
        "lifecycleNotificationUrl": hook.url,
        "resource": f"users/{DESK}/mailFolders('Inbox')/messages",
        "expirationDateTime": (world.clock.now() + timedelta(days=2)).isoformat(),
        "clientState": "secret",
    }
    headers = {"Authorization": f"Bearer {world.graph.issue_token()}"}
    async with remote._session.post(f"{world.base_url}/v1.0/subscriptions", json=order, headers=headers) as answer:
        made = await answer.json()
        assert answer.status == 201, made

    delivered = await remote.ask("POST", "/letters", {"from": "a@x.example", "to": [DESK], "subject": "S", "text": "T"})
    told = await hook.next()
    (listed,) = (await remote.get("/graph/subscriptions"))["items"]
    await remote.ask("POST", f"/graph/subscriptions/{made['id']}/lifecycle", {"event": "reauthorizationRequired"})
    asked = await hook.next()
    await remote.ask("DELETE", f"/graph/subscriptions/{made['id']}")

    assert delivered["delivered"][DESK]
    assert (told["changeType"], told["clientState"]) == ("created", "secret")
    assert (listed["id"], listed["clientState"]) == (made["id"], None)
    assert asked["lifecycleEvent"] == "reauthorizationRequired"
    assert (await remote.get("/graph/subscriptions"))["items"] == []


async def test_a_pubsub_subscription_is_made_from_afar(remote, world):
    order = {
        "name": "projects/p/subscriptions/s",
        "topic": "projects/p/topics/t",
        "endpoint": "http://127.0.0.1:1/push",
    }

    await remote.ask("POST", "/pubsub/subscriptions", order)
    await remote.ask(
        "POST", "/pubsub/subscriptions", {"name": "projects/p/subscriptions/pull", "topic": order["topic"]}
    )

    assert {order["name"], "projects/p/subscriptions/pull"} <= set(world.google.broker.subscriptions)


async def test_the_page_and_its_parts_are_served_with_a_strict_policy(world):
    import aiohttp

    async with aiohttp.ClientSession() as session:
        for path, kind in (
            ("/", "text/html"),
            ("/page/static/page.js", "text/javascript"),
            ("/page/static/page.css", "text/css"),
        ):
            async with session.get(world.base_url + path) as answer:
                body = await answer.text()
                assert (200, kind) == (answer.status, answer.content_type)
                assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
                assert "http://" not in body.replace("http://www.w3.org", "")
                assert "https://" not in body


async def test_a_command_drops_a_mail_in(world, tmp_path):
    world.add_mailbox(DESK, provider="graph")
    paper = tmp_path / "note.pdf"
    paper.write_bytes(b"%PDF-1.7 note")
    whole = tmp_path / "whole.eml"
    whole.write_bytes(RAW)

    await send_letter(
        world.base_url, sender="a@x.example", to=[DESK], subject="S", text="T", attachments=[paper, whole]
    )
    await send_letter(world.base_url, sender="", to=[DESK], subject="", raw=whole)

    second, first = world.mail_program(DESK).messages()
    mails = [item.raw for item in world.graph.mailboxes[DESK].everything.newest_first()]
    parts = [part.get_content_type() for part in email.message_from_bytes(mails[1], policy=default).iter_attachments()]
    assert (second["subject"], first["subject"]) == ("Raw one", "S")
    assert parts == ["application/pdf", "message/rfc822"]


async def test_a_command_that_cannot_send_says_what_to_do(world, tmp_path):
    with pytest.raises(MailNotSent, match="start one with `postroom simulate`"):
        await send_letter("http://127.0.0.1:9", sender="a@x.example", to=[DESK], subject="S")
    with pytest.raises(MailNotSent, match="Nobody in 'to'"):
        await send_letter(world.base_url, sender="a@x.example", to=["far@away.example"], subject="S")
    with pytest.raises(MailNotSent, match="cannot be read"):
        await send_letter(world.base_url, sender="a@x.example", to=[DESK], subject="S", attachments=[tmp_path / "no"])


async def test_an_oversized_or_poisoned_letter_can_be_planted(world, remote):
    world.add_mailbox(DESK)
    letter = {"from": "Anna <anna@client.example>", "to": [DESK], "subject": "Large", "megabytes": 3, "poisoned": True}

    key = (await remote.ask("POST", "/letters", letter))["delivered"][DESK]
    refused = await remote.ask("POST", "/letters", letter | {"megabytes": 1000}, status=400)

    item = world.graph.item(DESK, key)
    assert item.poisoned
    assert len(item.raw) > 3 * 1024 * 1024
    assert "between 0 and 140 megabytes" in refused["error"]


async def test_the_traffic_of_every_mailbox_is_shown_and_cleared(world, remote):
    world.add_mailbox(DESK)
    world.add_mailbox("ben@larkspur.test", provider="gmail")
    world.faults.turn(throttle=1.0, retry_after=600)
    headers = {"Authorization": f"Bearer {world.graph.issue_token()}"}
    async with aiohttp.ClientSession() as session:
        for _ in range(2):
            async with session.get(f"{world.base_url}/v1.0/users/{DESK}/messages", headers=headers) as answer:
                assert 429 == answer.status

    mine = await remote.get(f"/mailboxes/{DESK}/traffic")
    everybody = await remote.get("/traffic")
    await remote.ask("DELETE", "/traffic")

    assert (2, 2, 1, True) == (mine["requests"], mine["throttled"], mine["most_in_flight"], mine["waiting"])
    assert {DESK: 2, "ben@larkspur.test": 0} == {one["mailbox"]: one["throttled"] for one in everybody["items"]}
    assert (0, True) == ((await remote.get(f"/mailboxes/{DESK}/traffic"))["throttled"], mine["waiting"])
