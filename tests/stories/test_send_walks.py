"""Random walks of sending over HTTP at both providers: never two, never unapproved, never other bytes than approved.

People approve, edit, revoke and forward, mail comes in, answers are lost, workers die and kill switches are turned. What
is held against it is what really left the providers. Two walks at each by default; `make walks WALKS=200` for as many as
one wants.
"""

from __future__ import annotations

import asyncio
import functools
import os
import random
import re
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from email.message import EmailMessage
from typing import Any

import aiohttp
import pytest

from postroom.engine import budgets
from postroom.mail.parse import read_mail
from postroom.nouns.ids import TenantId
from postroom.nouns.sending import SendingPolicy
from postroom.outside.gmail.sender import GmailSender
from postroom.outside.graph.sender import OutlookSender
from postroom.rooms.outbox import telling
from postroom.rooms.outbox.jobs import sending
from postroom.rooms.tenants import commands as tenants
from rooms.outbox.send_calls import SendCalls
from stories.client_desk import BOX, PROVIDERS, ClientDeskStory, open_client_desk
from stories.test_outbox import FAULTS, goes_out, opens
from stories.test_replies import QUESTION

WALKS = int(os.environ.get("POSTROOM_SEND_WALKS", "2"))
STEPS = 14
CRASHES = ((telling, "sent"), (sending, "_commit"), (sending, "_call"), (sending, "prepare"))
NEW = re.compile(r"p\d+@client\.test")
UNANSWERED = FAULTS[:4]
CREATES = {"gmail": "gmail.drafts.create", "outlook": "graph.messages.create"}
Said = tuple[str, tuple[str, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]


def proposed(it: dict[str, Any]) -> Said:
    """Subject, words, to, cc and files."""
    files = sorted(each["sha256"] for each in it["attachments"])
    return it["subject"], tuple(it["body"].split()), tuple(sorted(it["to"])), tuple(sorted(it["cc"])), tuple(files)


def departed(raw: bytes) -> Said:
    mail = read_mail(raw)
    people = (tuple(sorted(each.email for each in group)) for group in (mail.to, mail.cc))
    files = sorted(each.sha256 for each in mail.attachments)
    return mail.subject, tuple(mail.text_body.split()), *people, tuple(files)  # type: ignore[return-value]  # to and cc


@dataclass
class HttpSendWalk:
    desk: ClientDeskStory
    chance: random.Random
    patch: pytest.MonkeyPatch
    keys: Sequence[str]  # of two people
    rules: Sequence[str]  # which mails want both
    calls: SendCalls
    seed: int
    approved: dict[tuple[str, str], Said] = field(default_factory=dict)
    wanted: dict[tuple[str, str], int] = field(default_factory=dict)  # how many people must agree
    threads: list[str] = field(default_factory=list)
    by_person: set[int] = field(default_factory=set)  # places among what departed
    number: int = 0
    switched_on: bool = True
    log: list[str] = field(default_factory=list)

    async def asks(self, method: str, path: str, body: Any = None, who: int = 0) -> tuple[int, Any]:
        url, headers = f"{self.desk.office.url}/api/v1{path}", {"Authorization": f"Bearer {self.keys[who]}"}
        async with (
            aiohttp.ClientSession() as session,
            session.request(method, url, json=body, headers=headers) as answer,
        ):
            return answer.status, await answer.json()

    async def proposals(self) -> list[dict[str, Any]]:
        return (await self.asks("GET", "/proposals?limit=100"))[1]["items"]

    async def some(self) -> dict[str, Any] | None:
        """Rather one that can still be decided about."""
        found = await self.proposals()
        is_open = [each for each in found if each["status"] in ("waiting", "revoked", "approved")]
        return self.chance.choice(is_open or found) if found else None

    def next(self) -> int:
        self.number += 1
        return self.number

    # people

    async def ask(self) -> None:
        self.threads.append(await self.desk.receives(QUESTION, subject=f"Stay {self.seed}.{self.next()}"))

    async def ask_more(self) -> None:
        if not self.threads:
            return
        key = self.chance.choice(self.threads)
        asked = "SELECT internet_message_id, subject FROM postroom.message WHERE provider_message_id = %s"
        first, subject = self.desk.office.own(asked, key)[0]
        thread = b"In-Reply-To: %b\r\nReferences: %b\r\n" % (first.encode(), first.encode())
        self.desk.delivers(thread + self.desk.office.mail("And may we bring a dog?", to=BOX, subject=f"Re: {subject}"))
        if self.chance.random() < 0.5:
            await self.desk.works()

    async def write(self) -> None:
        number = self.next()
        said = {"to": [f"p{number}@client.test"], "subject": f"News {self.seed}.{number}", "body": f"News {number}."}
        await self.asks("POST", "/proposals", said)

    async def forward(self) -> None:
        number = self.next()
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = "ada@client.test", BOX, f"Scan {self.seed}.{number}"
        mail["Message-ID"] = f"<scan-{self.seed}-{number}@client.test>"
        mail.set_content("Here it is.")
        mail.add_attachment(b"%%PDF-1.4 %d" % number, "application", "pdf", filename="scan.pdf")
        key = self.desk.delivers(mail.as_bytes())
        await self.desk.works()
        message = self.desk.office.ask("SELECT id FROM postroom.message WHERE provider_message_id = %s", key)
        said = {"kind": "forward", "message_id": str(message), "to": ["front@partner.test"], "body": "Please check."}
        await self.asks("POST", "/proposals", said)

    async def approve(self) -> None:
        if it := await self.some():
            first = self.chance.choice((0, 1))
            await self._approved_by(it, (first, 1 - first)[: self.chance.choice((1, 2))])

    async def _approved_by(self, it: dict[str, Any], people: Sequence[int]) -> None:
        for who in people:
            status, answer = await self.asks("POST", f"/proposals/{it['id']}/approve", {"hash": it["hash"]}, who)
            self.log.append(f"approve {it['subject']} {status} {answer.get('status', answer)}")
            self._agreed(it, status, answer)

    def _agreed(self, it: dict[str, Any], status: int, answer: dict[str, Any]) -> None:
        if status == 200:
            self.approved[it["id"], it["hash"]] = proposed(it)
            people = self.wanted[it["id"], it["hash"]] = self.people_wanted(it)
            assert answer["status"] != "approved" or len(set(answer["approvers"])) >= people, f"too few: {self.log}"

    def people_wanted(self, it: dict[str, Any]) -> int:
        """As the rules say it: whoever has a number of ours is new until a mail went there."""
        known = {address for raw in self.gone() for address in departed(raw)[2]}
        new = [address for address in it["to"] if NEW.match(address) and address not in known]
        both = ("attachment" in self.rules and it["attachments"]) or ("new_recipient" in self.rules and new)
        return 2 if both else 1

    async def approve_at_once(self) -> None:
        """Two people and an edit, in the same moment."""
        if it := await self.some():
            acts = [self.asks("POST", f"/proposals/{it['id']}/approve", {"hash": it["hash"]}, who) for who in (0, 1)]
            *answers, _ = await asyncio.gather(*acts, self._change(it) if self.chance.random() < 0.5 else self.work())
            for status, answer in answers:
                self._agreed(it, status, answer)

    async def approve_something_else(self) -> None:
        if it := await self.some():
            assert 409 == (await self.asks("POST", f"/proposals/{it['id']}/approve", {"hash": "sha256:other"}))[0]

    async def revoke(self) -> None:
        if it := await self.some():
            await self.asks("POST", f"/proposals/{it['id']}/revoke", {})

    async def discard(self) -> None:
        if it := await self.some():
            await self.asks("POST", f"/proposals/{it['id']}/discard", {})

    async def edit_here(self) -> None:
        if it := await self.some():
            await self._change(it)

    async def _change(self, it: dict[str, Any]) -> None:
        said: dict[str, Any] = {"body": f"Other words {self.next()}."}
        if self.chance.random() < 0.5:
            said |= {"to": [f"p{self.next()}@client.test"], "body": it["body"]}
        if it["draft_id"]:
            status, answer = await self.asks("PUT", f"/drafts/{it['draft_id']}", said)
        else:
            status, answer = await self.asks("PATCH", f"/proposals/{it['id']}", {**said, "hash": it["hash"]})
        self.log.append(f"change {it['subject']} {status} {answer.get('detail', '')}")

    async def edit_there(self) -> None:
        if drafts := self.desk.person.messages("drafts"):
            self.desk.later(seconds=2)
            self.desk.person.edit_draft(self.chance.choice(drafts)["id"], f"My own words {self.next()}.")

    async def send_there(self) -> None:
        if drafts := self.desk.person.messages("drafts"):
            self.desk.later(seconds=2)
            before = len(self.gone())
            self.desk.person.send_draft(self.chance.choice(drafts)["id"])
            self.by_person |= set(range(before, len(self.gone())))

    async def resolve(self) -> None:
        """A person looks before saying so."""
        for it in await self.proposals():
            if it["status"] == "unknown":
                outcome = "sent" if proposed(it) in map(departed, self.gone()) else "not_sent"
                await self.asks("POST", f"/proposals/{it['id']}/resolve", {"outcome": outcome})
                self.calls.resolved()

    async def turn_the_switch(self) -> None:
        self.switched_on = not self.switched_on
        assert 200 == (await self.asks("PATCH", "/policy", {"sending": "on" if self.switched_on else "off"}))[0]

    # harm

    async def lose_an_answer(self) -> None:
        what = self.chance.choice(("*.send", "*.send", CREATES[self.desk.provider]))
        self.desk.office.world.faults.plan(what, self.chance.choice(FAULTS))

    async def lose_power(self) -> None:
        module, name = self.chance.choice(CRASHES)
        real, before = getattr(module, name), self.chance.random() < 0.5

        async def dies(*given: Any, **named: Any) -> Any:
            self.patch.setattr(module, name, real)
            if not before:
                await real(*given, **named)
            raise RuntimeError("the power went")

        self.patch.setattr(module, name, dies)

    async def lose_a_send(self) -> None:
        """Of a mail that goes out for sure; nobody knows whether it did."""
        await self.write()
        [newest, *_] = await self.proposals()
        await self._approved_by(newest, (0, 1))
        self.desk.office.world.faults.plan("*.send", self.chance.choice(UNANSWERED))
        await self.work()

    async def disturb(self) -> None:
        """Something happens between a yes and its send."""
        await self.approve()
        harm = [self.edit_here, self.edit_there, self.ask_more, self.revoke, self.lose_power]
        await self.chance.choice(harm + [self.lose_an_answer] * 4)()
        await self.work()

    async def work(self) -> None:
        before = len(self.gone())
        self.desk.office.own("DELETE FROM postroom.provider_quota")
        seconds = self.chance.choice((2, 16, 61, 700))
        if self.chance.random() < 0.3:
            self.desk.later(seconds=seconds)
            self.desk.office.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
            await asyncio.gather(*(self.desk.office.house.worker().run_until_quiet(idle=0.3) for _ in range(2)))
        await goes_out(self.desk, seconds=seconds)
        assert self.switched_on or before == len(self.gone()), f"sent while sending was off: {self.log}"

    def gone(self) -> list[bytes]:
        """What left the provider: nothing else counts."""
        return [each.raw for each in self.desk.office.world.departed]

    async def goes(self) -> None:
        acts = (
            [self.disturb] * 6 + [self.work] * 3 + [self.approve, self.write, self.ask, self.ask_more, self.edit_here]
            + [self.forward, self.approve_at_once, self.approve_at_once, self.approve_something_else, self.revoke]
            + [self.discard, self.edit_there, self.send_there, self.lose_power, self.lose_an_answer, self.resolve]
            + [self.turn_the_switch]
        )  # fmt: skip
        await self.ask()
        await self.lose_a_send()
        for _ in range(STEPS):
            act = self.chance.choice(acts)
            self.log.append(act.__name__)
            await act()
        self.desk.office.world.faults.reset()
        for seconds in (2, 20, 60, 200, 700, 700, 700, 700):
            self.desk.office.own("DELETE FROM postroom.provider_quota")
            await goes_out(self.desk, seconds=seconds)

    async def check(self) -> None:
        told = f"seed {self.seed}: {self.log}"
        found = await self.proposals()
        assert [] == [each for each in found if each["status"] == "sending"], f"everything ends; {told}"
        ours = Counter(departed(raw) for place, raw in enumerate(self.gone()) if place not in self.by_person)
        assert set() == set(ours) - set(self.approved.values()), f"what left was not approved; {told}"
        certain = Counter(proposed(each) for each in found if each["status"] == "sent")
        perhaps = certain + Counter(proposed(each) for each in found if each["status"] == "unknown")
        assert set() == {said for said in ours if ours[said] > perhaps[said]}, f"twice; {told}"
        left = Counter(map(departed, self.gone()))  # a draft that we were about to send may be sent by a person
        assert set() == {said for said in certain if certain[said] > left[said]}, f"lost; {told}"
        begun = self.desk.office.own("SELECT body FROM postroom.fact WHERE kind = 'proposal.sending'")
        for (body,) in begun:
            it = body["proposal_id"], body["hash"]
            assert it in self.approved, f"not what was approved; {told}"
            assert len(set(body["approved_by"])) >= self.wanted[it], f"too few people agreed; {told}"
        assert [] == self.calls.rash, told


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        yield await opens(opened)


@pytest.fixture
def calls(desk, monkeypatch) -> SendCalls:
    """Between our house and the providers."""
    made = SendCalls(desk.office.house.clock)
    for sender in (GmailSender, OutlookSender):

        def asked(self, draft, call=made.send, real=sender.send_draft):
            return call(draft, functools.partial(real, self))

        def looked(self, draft, call=made.look, real=sender.find_sent):
            return call(draft, functools.partial(real, self))

        monkeypatch.setattr(sender, "send_draft", asked)
        monkeypatch.setattr(sender, "find_sent", looked)
    return made


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(WALKS))
async def test_no_walk_sends_twice_or_unapproved_or_other_bytes_over_http(desk, calls, monkeypatch, seed):
    chance = random.Random(seed)
    tenant = TenantId(desk.office.ask("SELECT tenant_id FROM postroom.mailbox"))
    rules = chance.choice(((), ("new_recipient",), ("attachment", "new_recipient")))
    policy = SendingPolicy("on", undo_seconds=0, second_person=rules)
    await tenants.change_sending(desk.office.house.scope(tenant, "person:test"), policy)
    keys = [await desk.office.key(), await desk.office.key()]
    walk = HttpSendWalk(desk, chance, monkeypatch, keys, rules, calls, seed)
    monkeypatch.setattr(budgets, "FIRST_WAIT_SECONDS", 0.1)  # the walk's clock jumps, the one of a wait does not

    await walk.goes()
    await walk.check()
