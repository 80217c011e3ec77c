"""Two providers, one world."""

import asyncio
import email
import ssl
from datetime import UTC, datetime, timedelta
from email.policy import default

import aiohttp
import pytest
import trustme

from postroom_simulators.incoming_mail import IncomingMail
from postroom_simulators.scenarios import PersonAct, Scenario, ScenarioMailbox
from postroom_simulators.world import World

RAW = b"From: a@x.example\r\nTo: b@y.example\r\nSubject: Hello\r\nMessage-ID: <1@x.example>\r\n\r\nHi\r\n"


def mail(to, subject="Across"):
    made = email.message.EmailMessage()
    made["From"] = "outlook@desk.example"
    made["To"] = to
    made["Subject"] = subject
    made.set_content("Words")
    return made.as_bytes()


async def graph_send(world, to, subject="Across"):
    body = {
        "message": {
            "subject": subject,
            "body": {"contentType": "text", "content": "Words"},
            "toRecipients": [{"emailAddress": {"address": one}} for one in to],
        }
    }
    headers = {"Authorization": f"Bearer {world.graph.issue_token()}"}
    url = f"{world.base_url}/v1.0/users/outlook@desk.example/sendMail"
    async with aiohttp.ClientSession() as session, session.post(url, json=body, headers=headers) as answer:
        assert answer.status == 202, await answer.text()


async def test_a_letter_goes_to_whichever_provider_holds_the_mailbox(world):
    world.add_mailbox("o@desk.example", provider="graph")
    world.add_mailbox("g@desk.example", provider="gmail")

    for address in ("o@desk.example", "G@desk.example"):
        assert world.deliver(IncomingMail(address, RAW))

    assert [desk.counts()["inbox"] for desk in world.mail_programs()] == [1, 1]


async def test_a_world_that_begins_later_gives_no_id_a_second_time():
    ids = []
    for first in (1, 1_000):
        begun = World(first=first)
        begun.add_mailbox("o@desk.example", provider="graph")
        ids.append(
            (
                begun.deliver(IncomingMail("o@desk.example", RAW)),
                begun.graph.mailboxes["o@desk.example"].well_known["inbox"].id,
            )
        )
    (mail, inbox), (later_mail, later_inbox) = ids

    assert mail != later_mail
    assert inbox == later_inbox, "who follows the inbox still finds it"


async def test_a_letter_to_nobody_says_so(world):
    with pytest.raises(KeyError, match=r"no mailbox nobody@desk\.example"):
        world.deliver(IncomingMail("nobody@desk.example", RAW))


async def test_an_address_belongs_to_one_provider(world):
    world.add_mailbox("o@desk.example", provider="graph")

    with pytest.raises(ValueError, match="already a mailbox of the other provider"):
        world.add_mailbox("o@desk.example", provider="gmail")
    with pytest.raises(ValueError, match="not an address"):
        world.add_mailbox("desk", provider="gmail")


async def test_mail_sent_from_outlook_arrives_at_gmail_with_a_verdict(world):
    world.add_mailbox("outlook@desk.example", name="The Desk", provider="graph")
    world.add_mailbox("gmail@desk.example", provider="gmail")

    await graph_send(world, ["gmail@desk.example", "far@away.example"])

    (arrived,) = world.google.mailboxes["gmail@desk.example"].mails.values()
    parsed = email.message_from_bytes(arrived.raw, policy=default)
    assert parsed["Subject"] == "Across"
    assert "dmarc=pass" in parsed["Authentication-Results"]
    assert [one.to for one in world.departed] == [("far@away.example",)]


async def test_mail_sent_from_gmail_arrives_at_outlook(world):
    world.add_mailbox("outlook@desk.example", provider="graph")
    world.add_mailbox("gmail@desk.example", provider="gmail")
    google = world.google
    draft = google.mailboxes["gmail@desk.example"].put_draft(mail("outlook@desk.example"))

    google.send_draft("gmail@desk.example", draft.id)

    (shown,) = world.mail_program("outlook@desk.example").messages("inbox")
    assert (shown["subject"], shown["from"]) == ("Across", ["gmail@desk.example"])


async def test_the_world_answers_on_http_and_https_at_once(world):
    authority = trustme.CA()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)

    secure = await world.expose(ssl_context=context)

    assert secure.startswith("https://127.0.0.1:")
    async with aiohttp.ClientSession() as session:
        for url in (world.base_url, secure):
            async with session.get(f"{url}/control/clock", ssl=trusting) as answer:
                assert answer.status == 200


async def test_a_world_starts_once():
    world = World()
    with pytest.raises(RuntimeError, match="Start the world"):
        await world.expose()
    await world.start()
    try:
        with pytest.raises(RuntimeError, match="already runs"):
            await world.start()
    finally:
        await world.stop()


async def test_a_taken_port_is_named_and_leaves_nothing_running(world):
    other = World()

    with pytest.raises(OSError, match="choose another port, or 0 for a free one"):
        await other.start(port=int(world.base_url.rpartition(":")[2]))

    await other.start()
    assert other.base_url != world.base_url
    await other.stop()


@pytest.mark.parametrize("name", ["dealing-desk", "accounts-payable", "client-service"])
async def test_a_scenario_plays_all_its_letters(world, name):
    story = await world.tell(name)

    played = await world.play(story, 0, patience=0)

    desk = world.mail_program(story.boxes[0].address)
    assert len(story.mails) == len(played.delivered) == desk.counts()["total"]
    assert list(story.acts) == played.gave_up
    assert abs(world.clock.now() - story.start) < timedelta(minutes=1)


async def test_letters_come_in_their_time_whatever_their_order_in_the_script(world):
    box = ScenarioMailbox("o@desk.example", "Desk", "graph")
    late, early = (
        IncomingMail(box.address, RAW.replace(b"Hello", name), after=at) for name, at in ((b"B", 0.6), (b"A", 0.0))
    )
    story = Scenario("short", "", datetime.now(UTC), [box], [late, early])
    begun = asyncio.get_running_loop().time()

    await world.play(story, 2.0)

    # A loop's timer counts whole milliseconds and may ring one early.
    assert asyncio.get_running_loop().time() - begun > 0.25
    assert [shown["subject"] for shown in world.mail_program(box.address).messages()] == ["B", "A"]


@pytest.mark.parametrize("provider", ["graph", "gmail"])
async def test_a_person_edits_the_draft_as_soon_as_it_is_there(world, provider):
    box = ScenarioMailbox("desk@desk.example", "Desk", provider)
    act = PersonAct(0.0, box.address, "projector", "Ours now.")
    playing = asyncio.create_task(world.play(Scenario("edit", "", datetime.now(UTC), [box], [], [act])))
    await asyncio.sleep(0.05)
    world.deliver(IncomingMail(box.address, mail("anna@client.example", "Re: Projector"), folder="drafts"))
    if provider == "graph":
        (item,) = world.graph.mailboxes[box.address].well_known["drafts"].items.values()
        item.is_draft = True  # a delivered letter is none; the client's own drafts are

    played = await asyncio.wait_for(playing, 5)

    (draft,) = world.mail_program(box.address).messages("drafts")
    assert [act] == played.acted
    assert "Ours now." in draft["words"]
    assert "Words" in draft["words"]


async def test_the_drip_keeps_coming_until_it_is_stopped(world):
    dripping = asyncio.create_task(world.drip(0.01, seed=2))
    async with asyncio.timeout(30):
        while sum(desk.counts()["total"] for desk in world.mail_programs()) < 5:  # noqa: ASYNC110 -- nothing to wait on
            await asyncio.sleep(0.02)
    dripping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await dripping

    assert sum(desk.counts()["total"] for desk in world.mail_programs()) >= 5
    assert len(list(world.mail_programs())) == 3


async def test_graph_and_gmail_are_served_beside_each_other(world):
    world.add_mailbox("o@desk.example", provider="graph")
    world.add_mailbox("g@desk.example", provider="gmail")
    world.deliver(IncomingMail("o@desk.example", RAW))
    world.deliver(IncomingMail("g@desk.example", RAW))
    outlook = {"Authorization": f"Bearer {world.graph.issue_token()}"}
    gmail = {"Authorization": f"Bearer {world.google.access_token('g@desk.example')}"}

    async with aiohttp.ClientSession() as session:
        url = f"{world.base_url}/v1.0/users/o@desk.example/messages"
        async with session.get(url, headers=outlook) as answer:
            assert [one["subject"] for one in (await answer.json())["value"]] == ["Hello"]
        async with session.get(f"{world.base_url}/gmail/v1/users/me/messages", headers=gmail) as answer:
            assert len((await answer.json())["messages"]) == 1

    assert {"graph", "gmail"} == {call.api for call in world.recorder.calls}
