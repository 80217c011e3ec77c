"""Random walks of a thread over HTTP at both providers: mail comes, people work on the draft, answers are lost.

The thousands of walks in memory are in tests/rooms/replies/test_interleavings.py; here it is the whole house with the real
jobs against the simulators. Two seeds at each provider by default; POSTROOM_HTTP_WALKS=50 for as many as one wants.
"""

from __future__ import annotations

import os
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from postroom.nouns.ids import TenantId
from postroom.rooms.replies import commands
from stories.client_desk import BOX, PROVIDERS, ClientDeskStory, open_client_desk
from stories.test_replies import PAPER

SEEDS = range(int(os.environ.get("POSTROOM_HTTP_WALKS", "2")))
ACTS = ("inbound", "inbound", "edit", "discard", "send", "own_draft", "minute", "faults", "redraft")
STEPS = 9
QUESTIONS = ("At what time is breakfast served on Sunday?", "How much is parking a night?", "May I park in advance?")


@dataclass
class DraftWalk:
    desk: ClientDeskStory
    chance: random.Random
    key: str = ""
    said: dict[str, str] = field(default_factory=dict)  # a person's words, by the draft they stand in
    gone: set[str] = field(default_factory=set)  # what people sent or threw away themselves
    number: int = 0

    def drafts(self) -> list[dict]:
        """Outlook keeps what was discarded in the thread, among the deleted items."""
        seen = self.desk.person.thread(self.key)
        return [each for each in seen if "words" in each and each.get("folder") != "deleteditems"]

    def word(self) -> str:
        self.number += 1
        return f"A person wrote this as number {self.number}."

    async def inbound(self) -> None:
        text = self.chance.choice(QUESTIONS)
        if not self.key:
            self.key = await self.desk.receives(text)
            return
        first = await self._first_id()
        thread = b"In-Reply-To: %b\r\nReferences: %b\r\n" % (first.encode(), first.encode())
        self.desk.delivers(thread + self.desk.office.mail(text, to=BOX))
        await self.desk.works()

    async def _first_id(self) -> str:
        """Of the mail that began the thread; it may not be taken in yet, when answers were lost before."""
        while not (
            found := self.desk.office.ask(
                "SELECT internet_message_id FROM postroom.message WHERE provider_message_id = %s", self.key
            )
        ):
            self.desk.office.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
            await self.desk.works()
        return str(found)

    async def edit(self) -> None:
        for draft in self.drafts()[:1]:
            self.desk.later(minutes=1)
            words = self.word()
            self.said.pop(draft["id"], None)
            self.said[self.desk.person.edit_draft(draft["id"], words)] = words

    async def discard(self) -> None:
        for draft in self.drafts()[:1]:
            self.desk.later(minutes=1)
            self.gone.add(draft["id"])
            self.desk.person.discard_draft(draft["id"])

    async def send(self) -> None:
        for draft in self.drafts()[:1]:
            self.desk.later(minutes=1)
            self.gone.add(draft["id"])
            self.desk.person.send_draft(draft["id"])

    async def own_draft(self) -> None:
        self.desk.later(minutes=1)
        words = self.word()
        self.said[self.desk.person.write_draft(words, answers=self.key)] = words

    async def minute(self) -> None:
        await self.desk.a_minute_passes()

    async def redraft(self) -> None:
        await self.desk.works()

    async def faults(self) -> None:
        """Answers are errors, or break off when what was asked for was done already."""
        self.desk.office.world.faults.turn(unavailable=0.1, reset=0.2)
        await self.inbound()
        self.desk.office.world.faults.turn(unavailable=0.0, reset=0.0)
        for _ in range(3):
            self.desk.office.own("UPDATE postroom.job SET run_at = now(), not_before = now() WHERE state = 'later'")
            await self.desk.works()

    def check(self) -> None:
        live = {each["id"]: each["words"] for each in self.drafts()}
        for ref, words in self.said.items():
            if ref not in self.gone:
                assert words in live.get(ref, ""), "a person's words were lost"
        ours = [ref for ref in live if ref not in self.said]
        assert len(ours) <= 1, "two drafts of ours in one thread"


@pytest.fixture(params=PROVIDERS)
async def desk(request, dsn, owner_dsn, tmp_path) -> AsyncIterator[ClientDeskStory]:
    async with open_client_desk(dsn, owner_dsn, str(tmp_path), request.param) as opened:
        tenant = TenantId(opened.office.ask("SELECT tenant_id FROM postroom.mailbox"))
        scope = opened.office.house.scope(tenant, "person:test")
        await commands.add_evidence(scope, opened.office.house.outside.reader, "house.md", PAPER)
        await opened.switches("drafts")
        yield opened


@pytest.mark.long
@pytest.mark.timeout(300)
async def test_no_word_of_a_person_is_lost_in_any_order_of_events_over_http(desk):
    for seed in SEEDS:
        walk = DraftWalk(desk, random.Random(seed))
        await walk.inbound()
        walk.check()
        for _ in range(STEPS):
            act = walk.chance.choice(ACTS)
            edited = [ref for ref in walk.said if ref in {each["id"] for each in walk.drafts()}]
            before = len(walk.drafts())
            await getattr(walk, act)()
            walk.check()
            if edited and act in ("minute", "redraft", "inbound", "faults"):
                assert len(walk.drafts()) <= before, f"a draft was written beside an edited one: seed {seed}, {act}"
