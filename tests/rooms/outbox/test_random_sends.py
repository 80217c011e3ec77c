"""Whatever happens in whatever order: never two, never unapproved, never other words than approved.

Six walks by default; POSTROOM_SEND_WALKS=500 for as many as one wants. A walk is named by its seed.
"""

from __future__ import annotations

import os
import random
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from postroom.nouns.drafts import SentLookup
from postroom.nouns.errors import PostroomError, TimedOut, Unavailable
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.outbox import commands, telling
from postroom.rooms.outbox.jobs import sending
from postroom.rooms.replies import commands as replies
from rooms.outbox.sending_desk import NORA, OTTO, SendingDesk
from rooms.replies.drafting_desk import BREAKFAST, PARKING

WALKS = int(os.environ.get("POSTROOM_SEND_WALKS", "6"))
STEPS = 18
COSTLY = "It costs EUR 9,000."  # which wants a second person
Said = tuple[str, tuple[str, ...]]  # a subject and its words


def people_wanted(body: str) -> int:
    return 2 if COSTLY in body else 1


def said_by(subject: str, text: str) -> Said:
    return subject, tuple(text.split())


@dataclass
class SendWalk:
    """People, the provider and the power, each at its worst; and what was approved, word by word."""

    desk: SendingDesk
    chance: random.Random
    crash: Any  # arranges that the next run dies at a place
    approved: dict[tuple[UUID, str], Said] = field(default_factory=dict)  # by proposal and hash
    by_person: set[str] = field(default_factory=set)  # what people sent themselves
    threads: list[Any] = field(default_factory=list)

    async def some(self) -> commands.MailProposal | None:
        found = await commands.list_proposals(self.desk.scope(), 20)
        return self.chance.choice(found) if found else None

    async def ask_something(self) -> None:
        about = f"Stay {len(self.threads)}"
        self.threads.append(await self.desk.receives(self.chance.choice((BREAKFAST, PARKING)), subject=about))

    async def write_again(self) -> None:
        if self.threads:
            ref = self.chance.choice(self.threads)
            self.desk.delivers("And one more thing: may we bring a dog?", answers=ref, subject="Re: Stay")
            if self.chance.random() < 0.5:
                await self.desk.syncs()

    async def propose(self) -> None:
        news = f"News {self.chance.random()} {self.chance.choice(('', COSTLY))}"
        wanted = commands.WantedMail(news, to=("ada@client.test",), subject="News")
        await commands.propose(self.desk.scope(), self.desk.outside, wanted)

    async def approve(self) -> None:
        if proposal := await self.some():
            hash_ = proposal.hash if self.chance.random() < 0.9 else "sha256:other"
            first = self.chance.choice((NORA, OTTO))
            for who in (first, OTTO if first == NORA else NORA)[: self.chance.choice((1, 2))]:
                done = await commands.approve(self.desk.scope(who), proposal.id, hash_)
                self.approved[proposal.id, hash_] = said_by(proposal.subject, proposal.body)
                enough = len(set(done.approvers)) >= people_wanted(proposal.body)
                assert enough or done.status != "approved", f"too few people agreed: {done}"
                if done.status == "approved":
                    break

    async def revoke(self) -> None:
        if proposal := await self.some():
            await commands.revoke(self.desk.scope(), proposal.id)

    async def discard(self) -> None:
        if proposal := await self.some():
            await commands.discard(self.desk.scope(), proposal.id)

    async def edit_here(self) -> None:
        proposal = await self.some()
        if proposal is None:
            return
        words = f"Other words {self.chance.random()}"
        if proposal.draft_id is not None:
            await replies.edit_draft(self.desk.scope(), self.desk.outside.open_copilot, proposal.draft_id, words)
        else:
            changes = commands.MailChanges(body=words)
            await commands.revise(self.desk.scope(), self.desk.outside, proposal.id, proposal.hash, changes)

    async def edit_there(self) -> None:
        if drafts := self.desk.drafts():
            self.desk.box.edit_draft(self.chance.choice(drafts).ref, f"My own words {self.chance.random()}")

    async def send_there(self) -> None:
        if drafts := self.desk.drafts():
            draft = self.chance.choice(drafts)
            self.desk.box.send(draft.ref)
            self.by_person.add(draft.ref)

    async def lose_an_answer(self) -> None:
        error = self.chance.choice((TimedOut("No answer."), Unavailable("500.")))
        self.chance.choice((self.desk.sender.before, self.desk.sender.after)).append(error)

    async def hide_it(self) -> None:
        self.desk.sender.lookup += [SentLookup("unknown")] * self.chance.choice((1, 3, 7))

    async def lose_power(self) -> None:
        self.crash(
            self.chance.choice(((telling, "sent"), (sending, "_commit"), (sending, "_call"), (sending, "prepare")))
        )

    async def turn_the_switch(self) -> None:
        if self.chance.random() < 0.5:
            await self.allows(self.chance.choice(("on", "off")))
        else:
            to = self.chance.choice(("on", "off"))
            await mailboxes.set_sending(self.desk.scope(), self.desk.mailbox, to)  # type: ignore[arg-type]  # one of both

    async def allows(self, switch: str) -> None:
        await self.desk.allows(switch=switch, second_person_amount=Decimal(5000))

    async def work(self) -> None:
        await self.desk.goes_out(seconds=self.chance.choice((1, 16, 61, 700)))

    async def disturb(self) -> None:
        """Something happens between a yes and its send."""
        await self.approve()
        harm = [self.edit_there, self.edit_here, self.write_again, self.revoke, self.lose_power]
        await self.chance.choice(harm + [self.lose_an_answer] * 4)()
        await self.desk.goes_out(seconds=1)

    async def resolve(self) -> None:
        """A person looks before saying so."""
        for proposal in await commands.list_proposals(self.desk.scope(), 20, statuses=["unknown"]):
            found = any(self.said(each) == said_by(proposal.subject, proposal.body) for each in self.ours())
            await commands.resolve(self.desk.scope(), proposal.id, "sent" if found else "not_sent")
            self.desk.sender.asked.resolved()

    def ours(self) -> list[Any]:
        return [each for each in self.desk.out() if each.ref not in self.by_person]

    @staticmethod
    def said(message: Any) -> Said:
        return said_by(message.mail.subject, message.mail.text_body)

    async def goes(self) -> None:
        acts = [
            self.ask_something, self.write_again, self.propose, self.disturb, self.disturb, self.disturb, self.disturb, self.approve, self.approve, self.revoke,
            self.discard, self.edit_here, self.edit_there, self.send_there, self.lose_an_answer, self.hide_it,
            self.lose_power, self.turn_the_switch, self.work, self.work, self.work, self.work, self.resolve,
        ]  # fmt: skip
        await self.allows("on")
        await self.ask_something()
        await self.propose()
        for _ in range(STEPS):
            try:
                await self.chance.choice(acts)()
            except PostroomError:
                continue  # refused, with a sentence
        self.desk.sender.before.clear()
        self.desk.sender.after.clear()
        for seconds in (1, 20, 60, 200, 700, 700, 700, 700, 700):
            await self.desk.goes_out(seconds=seconds)

    async def check(self) -> None:
        found = await commands.list_proposals(self.desk.scope(), 50)
        jobs = self.desk.own("SELECT kind, state, reason FROM postroom.job")
        assert [] == [each for each in found if each.status == "sending"], f"everything ends: {jobs}"
        for mail in self.ours():
            assert self.said(mail) in self.approved.values(), "other words than approved, or nobody approved them"
        for proposal in found:
            says = said_by(proposal.subject, proposal.body)
            mails = [mail for mail in self.ours() if self.said(mail) == says]
            agreed = (proposal.id, proposal.hash) in self.approved
            if proposal.status == "sent":
                quicker = proposal.sent_ref in self.by_person  # a person sent the draft that we were about to send
                assert (0 if quicker else 1, True) == (len(mails), agreed), proposal
            elif proposal.status != "unknown":
                assert [] == mails, proposal
        out = [self.said(mail) for mail in self.ours()]
        assert len(set(out)) == len(out), "one mail went out twice"
        used = self.desk.ask("SELECT count(*) FROM postroom.approval WHERE used_at IS NOT NULL")
        assert sum(people_wanted(mail.mail.text_body) for mail in self.ours()) <= used, "too few people agreed"
        assert [] == self.desk.sender.asked.rash


@pytest.mark.parametrize("seed", range(WALKS))
async def test_no_walk_sends_twice_or_unapproved_or_other_words(desk, monkeypatch, seed):
    chance = random.Random(seed)

    def crash(place: tuple[Any, str]) -> None:
        module, name = place
        real = getattr(module, name)

        async def dies(*args: Any, **more: Any) -> Any:
            monkeypatch.setattr(module, name, real)
            if chance.random() < 0.5:
                await real(*args, **more)
            raise RuntimeError("the power went")

        monkeypatch.setattr(module, name, dies)

    walk = SendWalk(desk, chance, crash)
    await walk.goes()
    await walk.check()
