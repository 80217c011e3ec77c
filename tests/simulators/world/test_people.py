"""People at their mail programs: each act shows in the mailbox, in delta or history, and rings whoever watches."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP

import aiohttp
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from postroom_simulators.incoming_mail import IncomingMail

OUTLOOK, GMAIL = "anna@desk.example", "ben@desk.example"
CARL = "carl@client.example"


def question(to: str, subject: str = "A question", **headers: str) -> bytes:
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = f"Carl <{CARL}>", to, subject
    mail["Message-ID"] = f"<{subject.replace(' ', '.')}@client.example>"
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content("When can we come?")
    return mail.as_bytes()


class Watcher:
    """A client of the API: what it is rung for, and what delta or history tell it since it last asked."""

    def __init__(self, world, session, program):
        self.world, self.session, self.program = world, session, program
        self.graph = program.provider == "graph"
        token = world.graph.issue_token() if self.graph else world.google.access_token(program.address)
        self.headers = {"Authorization": f"Bearer {token}", "Prefer": 'IdType="ImmutableId"'}
        self.rung = asyncio.Event()
        self.links: dict[str, str] = {}
        self.cursor = ""

    async def ring(self, request):
        if token := request.query.get("validationToken"):
            return web.Response(text=token)
        await request.read()
        self.rung.set()
        return web.Response(status=202)

    async def call(self, method, url, body=None):
        async with self.session.request(method, url, json=body, headers=self.headers) as answer:
            assert answer.status < 300, await answer.text()
            return await answer.json()

    async def watch(self, hook):
        if self.graph:
            body = {
                "changeType": "created,updated,deleted",
                "notificationUrl": hook,
                "resource": f"users/{OUTLOOK}/messages",
                "expirationDateTime": (self.world.clock.now() + timedelta(days=1)).isoformat(),
                "clientState": "s",
            }
            await self.call("POST", f"{self.world.base_url}/v1.0/subscriptions", body)
        else:
            topic = "projects/p/topics/mail"
            self.world.faults.turn(one_push_a_second=False)
            self.world.google.add_push_subscription("projects/p/subscriptions/s", topic, hook)
            await self.call("POST", f"{self.world.base_url}/gmail/v1/users/me/watch", {"topicName": topic})
            await asyncio.wait_for(self.rung.wait(), 10)
        await self.news()
        self.rung.clear()

    async def news(self):
        """What the provider tells to who asks for changes: by folder, or by the kind of the record."""
        return await (self._deltas() if self.graph else self._history())

    async def _deltas(self):
        told = {}
        for folder in ("inbox", "drafts", "sentitems", "deleteditems", "junkemail", "archive"):
            path = f"{self.world.base_url}/v1.0/users/{OUTLOOK}/mailFolders/{folder}/messages/delta"
            page = await self.call("GET", self.links.get(folder, path))
            self.links[folder] = page["@odata.deltaLink"]
            for item in page["value"]:
                told.setdefault(folder, []).append("removed" if "@removed" in item else item["subject"])
        return told

    async def _history(self):
        base = f"{self.world.base_url}/gmail/v1/users/me"
        if not self.cursor:
            self.cursor = (await self.call("GET", f"{base}/profile"))["historyId"]
            return {}
        page = await self.call("GET", f"{base}/history?startHistoryId={self.cursor}")
        self.cursor = page["historyId"]
        told = {}
        for record in page.get("history", ()):
            for kind in ("messagesAdded", "messagesDeleted", "labelsAdded", "labelsRemoved"):
                for change in record.get(kind, ()):
                    told.setdefault(kind, []).append(sorted(change.get("labelIds") or change["message"]["labelIds"]))
        return told

    async def rings(self):
        await asyncio.wait_for(self.rung.wait(), 10)
        self.rung.clear()


@pytest.fixture(params=["graph", "gmail"])
async def watcher(request, world):
    program = world.add_mailbox(OUTLOOK if request.param == "graph" else GMAIL, provider=request.param)
    world.deliver(IncomingMail(program.address, question(program.address)))
    async with aiohttp.ClientSession() as session:
        made = Watcher(world, session, program)
        app = web.Application()
        app.router.add_post("/hook", made.ring)
        async with TestServer(app) as server:
            await made.watch(str(server.make_url("/hook")))
            yield made


def asked(watcher) -> str:
    [mail] = watcher.program.messages("inbox")
    return mail["id"]


async def test_a_draft_of_their_own_joins_the_thread_it_answers(watcher):
    key = watcher.program.write_draft("On Monday.", answers=asked(watcher))

    await watcher.rings()
    question, draft = watcher.program.thread(key)

    expected = {"drafts": ["RE: A question"]} if watcher.graph else {"messagesAdded": [["DRAFT"]]}
    assert expected == await watcher.news()
    assert (key, "drafts", question["thread"]) == (draft["id"], draft["folder"], draft["thread"])
    assert "On Monday." in watcher.program.text(key)
    assert [CARL] == [one.partition("<")[2].strip(">") or one for one in draft["to"]]


async def test_a_new_mail_starts_as_a_draft_too(watcher):
    key = watcher.program.write_draft("Hello.", to=[CARL], cc=["dora@client.example"], subject="News")

    [draft] = watcher.program.messages("drafts")

    assert (key, "News", ["dora@client.example"]) == (draft["id"], draft["subject"], draft["cc"])


async def test_an_edit_changes_words_recipients_and_subject(watcher):
    key = watcher.program.write_draft("On Monday.", answers=asked(watcher))
    await watcher.rings()
    await watcher.news()

    added = watcher.program.edit_draft(key, "Dear Carl,", subject="RE: A good question", to=["dora@client.example"])
    await watcher.rings()
    [draft] = watcher.program.messages("drafts")
    told = await watcher.news()
    watcher.program.edit_draft(added, text="On Tuesday.")

    expected = (
        {"drafts": ["RE: A good question"]}
        if watcher.graph
        else {"messagesDeleted": [["DRAFT"]], "messagesAdded": [["DRAFT"]]}
    )
    assert expected == told
    assert ("RE: A good question", ["dora@client.example"]) == (draft["subject"], draft["to"])
    assert draft["words"].index("Dear Carl,") < draft["words"].index("On Monday.")
    assert "On Tuesday." == watcher.program.text(added).strip()


async def test_a_discarded_draft_is_gone(watcher):
    key = watcher.program.write_draft("On Monday.", answers=asked(watcher))
    await watcher.rings()
    await watcher.news()

    watcher.program.discard_draft(key)
    await watcher.rings()

    expected = (
        {"drafts": ["removed"], "deleteditems": ["RE: A question"]}
        if watcher.graph
        else {"messagesDeleted": [["DRAFT"]]}
    )
    assert expected == await watcher.news()
    assert [] == watcher.program.messages("drafts")
    with pytest.raises(KeyError):
        watcher.program.discard_draft("nothing like it")


async def test_pressing_send_makes_a_sent_message_of_the_draft(watcher):
    key = watcher.program.write_draft("On Monday.", answers=asked(watcher))
    await watcher.rings()
    await watcher.news()

    sent = watcher.program.send_draft(key)
    await watcher.rings()

    [message] = watcher.program.messages("sentitems")
    [departed] = watcher.world.departed
    told = await watcher.news()
    assert (sent == key) is watcher.graph
    assert (sent, []) == (message["id"], watcher.program.messages("drafts"))
    assert (CARL,) == departed.to
    if watcher.graph:
        assert {"drafts": ["removed"], "sentitems": ["RE: A question"]} == told
    else:
        assert {"messagesAdded": [["SENT"]], "messagesDeleted": [["DRAFT"]]} == told


async def test_answering_at_once_leaves_no_draft(watcher):
    sent = watcher.program.answer(asked(watcher), "On Monday.")
    await watcher.rings()

    thread = watcher.program.thread(sent)
    raw = message_from_bytes(watcher.world.departed[0].raw)
    expected = {"sentitems": ["RE: A question"]} if watcher.graph else {"messagesAdded": [["SENT"]]}
    assert expected == await watcher.news()
    assert ["inbox", "sentitems"] == [one["folder"] for one in thread]
    assert "<A.question@client.example>" == raw["In-Reply-To"] == raw["References"]


async def test_an_answer_to_everyone_leaves_the_mailbox_itself_out(watcher):
    address = watcher.program.address
    raw = question(f"{address}, dora@client.example", "For all", Cc="emil@client.example")
    key = watcher.world.deliver(IncomingMail(address, raw))

    watcher.program.answer(key, "Welcome, all.", everyone=True)

    assert {CARL, "dora@client.example", "emil@client.example"} == set(watcher.world.departed[0].to)


async def test_labels_are_put_on_and_taken_off(watcher):
    watcher.program.label(asked(watcher), add=["Urgent", "Travel"])
    await watcher.rings()
    put = watcher.program.messages("inbox")[0]["labels"]
    told = await watcher.news()
    watcher.program.label(asked(watcher), add=["Done"], remove=["Urgent"])
    left = watcher.program.messages("inbox")[0]["labels"]

    assert {"Urgent", "Travel"} <= set(put)
    assert {"Travel", "Done"} <= set(left)
    assert "Urgent" not in left
    assert ({"inbox"} if watcher.graph else {"labelsAdded"}) == set(told)
    if watcher.graph:
        names = {one["displayName"] for one in watcher.world.graph.mailboxes[OUTLOOK].categories.values()}
        assert {"Urgent", "Travel", "Done"} == names


@pytest.mark.parametrize(("act", "folder"), [("archive", "archive"), ("spam", "junkemail")])
async def test_a_whole_thread_leaves_the_inbox(watcher, act, folder):
    address = watcher.program.address
    again = question(address, "Re: A question", In_Reply_To="<A.question@client.example>")
    watcher.world.deliver(IncomingMail(address, again))
    await watcher.rings()
    await watcher.news()
    key = watcher.program.messages("inbox")[0]["id"]

    if act == "spam":
        watcher.program.mark_spam(key)
    else:
        watcher.program.move_thread(key, "archive")
    await watcher.rings()

    assert (0, 2) == (len(watcher.program.messages("inbox")), len(watcher.program.messages(folder)))
    told = await watcher.news()
    if watcher.graph:
        assert {"inbox": ["removed"] * 2, folder: ["A question", "Re: A question"]} == told
    else:
        assert [["INBOX"]] * 2 == told["labelsRemoved"]


async def test_mail_without_a_recipient_is_not_sent(watcher):
    key = watcher.program.write_draft("To nobody.", subject="?")

    with pytest.raises(ValueError, match="does not send it"):
        watcher.program.send_draft(key)

    assert [key] == [one["id"] for one in watcher.program.messages("drafts")]


async def test_a_poisoned_message_is_listed_but_never_read(watcher):
    poisoned = IncomingMail(watcher.program.address, question(watcher.program.address, "Poison"), poisoned=True)
    key = watcher.world.deliver(poisoned)
    base = watcher.world.base_url
    good, bad = (
        (f"{base}/v1.0/users/{OUTLOOK}/messages/{key}?$select=subject", f"{base}/v1.0/users/{OUTLOOK}/messages/{key}/$value")
        if watcher.graph
        else (f"{base}/gmail/v1/users/me/messages/{key}?format=metadata", f"{base}/gmail/v1/users/me/messages/{key}?format=raw")
    )  # fmt: skip

    assert "Poison" in json.dumps(await watcher.call("GET", good))
    for _ in range(3):
        async with watcher.session.get(bad, headers=watcher.headers) as answer:
            assert 500 == answer.status


async def test_every_act_can_be_done_by_the_control_api(watcher):
    async with aiohttp.ClientSession() as session:

        async def act(verb, path, body=None):
            url = f"{watcher.world.base_url}/control/mailboxes/{watcher.program.address}{path}"
            async with session.request(verb, url, json=body) as answer:
                assert 200 == answer.status, await answer.text()
                return await answer.json()

        key = asked(watcher)
        draft = (await act("POST", "/drafts", {"text": "On Monday.", "answers": key}))["id"]
        draft = (await act("PATCH", f"/drafts/{draft}", {"words": "Dear Carl,", "cc": ["dora@client.example"]}))["id"]
        text = (await act("GET", f"/messages/{draft}/text"))["text"]
        sent = (await act("POST", f"/drafts/{draft}/send"))["sent"]
        thrown = (await act("POST", "/drafts", {"text": "x", "subject": "y"}))["id"]
        await act("DELETE", f"/drafts/{thrown}")
        answered = (await act("POST", f"/messages/{key}/answer", {"text": "And on Tuesday."}))["sent"]
        await act("POST", f"/messages/{key}/labels", {"add": ["Done"]})
        thread = (await act("GET", f"/messages/{key}/thread"))["items"]
        await act("POST", f"/messages/{key}/move", {"folder": "archive", "thread": True})
        await act("POST", f"/messages/{key}/poison")

    assert text.index("Dear Carl,") < text.index("On Monday.")
    assert {key, sent, answered} == {one["id"] for one in thread}
    assert "Done" in next(one for one in thread if one["id"] == key)["labels"]
    assert [] == watcher.program.messages("drafts") + watcher.program.messages("inbox")
    assert 2 == len(watcher.world.departed)


async def test_an_alias_reaches_its_mailbox_and_may_send(world):
    for address, provider in ((OUTLOOK, "graph"), (GMAIL, "gmail")):
        world.add_mailbox(address, provider=provider, aliases=[f"desk-{provider}@desk.example"])
    sender = world.mail_program(OUTLOOK)

    sender.send_draft(sender.write_draft("Hello.", to=["desk-gmail@desk.example"], subject="To the alias"))
    there = world.mail_program("desk-gmail@desk.example")
    there.answer(there.messages("inbox")[0]["id"], "Hello back.")

    assert GMAIL == there.address
    assert ["To the alias"] == [one["subject"] for one in there.messages("inbox")]
    assert ["Re: To the alias"] == [one["subject"] for one in sender.messages("inbox")]
    assert 0 == len(world.departed)


def test_an_edit_in_gmails_page_may_give_the_draft_another_id(world):
    program = world.add_mailbox(GMAIL, provider="gmail")
    key = program.write_draft("On Monday.", to=[CARL], subject="A question")

    same = program.edit_draft(key, "Dear Carl,")
    world.faults.turn(new_draft_id=1.0)
    other = program.edit_draft(key, "Dear Sir,")

    assert (key, True) == (same, other != key)
    assert [other] == [draft["id"] for draft in program.messages("drafts")]
