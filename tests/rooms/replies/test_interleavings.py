"""Whatever happens in whatever order: no word of a person is lost, and no draft of ours stands beside an edited one.

Two hundred walks by default; POSTROOM_INTERLEAVINGS=10000 for as many as one wants.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from postroom.nouns.copilot import state_labels
from postroom.nouns.drafts import Draft, DraftMarkers, OutgoingMail
from postroom.nouns.errors import Conflict, DraftTouched, Gone, TimedOut
from postroom.nouns.ids import MailboxId, ThreadId, new_id
from postroom.nouns.providers import DRAFT, SENT, TRASH, ProviderRef
from postroom.outside.memory import MemoryMailbox, open_copilot
from postroom.outside.memory.mailbox import composed
from postroom.rooms.replies.jobs.looking import look, look_for_intended
from postroom.rooms.replies.rules.draft_plans import plan_draft
from postroom.rooms.replies.rules.ownership import as_html, fingerprint
from postroom.rooms.replies.store.drafts import DraftCase, DraftIntent

BOX, GUEST = "service@larkspur.example", "ada@client.test"
WALKS = int(os.environ.get("POSTROOM_INTERLEAVINGS", "200"))
ACTS = (
    "inbound",
    "edit",
    "discard",
    "send",
    "own_draft",
    "answer",
    "redraft",
    "crash_before",
    "crash_after",
    "lost",
    "hurry",
    "label",
)
THEIRS = "Family"
LABELS = list(state_labels("Inbox Copilot").values())


@dataclass
class ThreadWalk:
    """A thread in memory, people at it, and our own decisions with what we remember of them."""

    box: MemoryMailbox = field(default_factory=lambda: MemoryMailbox(BOX))
    case: DraftCase = field(init=False)
    said: dict[ProviderRef, str] = field(default_factory=dict)  # a person's words, by the draft they stand in
    thrown_away: set[ProviderRef] = field(default_factory=set)
    tagged: set[ProviderRef] = field(default_factory=set)  # what a person put a label of theirs on
    numbers: int = 0

    def __post_init__(self) -> None:
        self.copilot = open_copilot(self.box)
        self.case = DraftCase(
            thread_id=ThreadId(new_id()), mailbox_id=MailboxId(new_id()), thread_ref=ProviderRef(""), status="active",
            copilot="drafts", action="draft", reason="draftable", newest_ref=None, newest_message_id=None,
            set_aside=False, slot_id=new_id(), held=None, intent=None, revision_id=None, draft_status=None,
            answers=None, fingerprint=None, edited_by=None, proposed=None, answered=[],
        )  # fmt: skip
        self.inbound()

    # the world and people

    def word(self) -> str:
        self.numbers += 1
        return f"word {self.numbers}"

    def inbound(self) -> None:
        raw = composed(GUEST, [BOX], [], "Our stay", f"{self.word()}?", "", f"<{self.numbers}@client.test>")
        ref = self.box.deliver(raw, thread=self.case.thread_ref)
        self.case = replace(
            self.case, newest_ref=ref, thread_ref=self.box.message(ref).thread_ref, action="draft", reason="draftable"
        )

    def drafts(self) -> list[Any]:
        return [each for each in self.box.messages.values() if DRAFT in each.labels and TRASH not in each.labels]

    def edit(self) -> None:
        for each in self.drafts()[:1]:
            said = self.word()
            self.box.edit_draft(each.ref, said)
            self.said[each.ref] = said

    def discard(self) -> None:
        for each in self.drafts()[:1]:
            self.box.discard_draft(each.ref)
            self.thrown_away.add(each.ref)

    def send(self) -> None:
        for each in self.drafts()[:1]:
            self.box.send(each.ref)
            self.judged_as_answered()

    def own_draft(self) -> None:
        said = self.word()
        self.said[self.box.write_draft(said, answers=self.case.newest_ref)] = said

    def answer(self) -> None:
        said = self.word()
        ref = self.box.write_draft(said, answers=self.case.newest_ref)
        self.said[ref] = said
        self.box.send(ref)
        self.judged_as_answered()

    async def label(self) -> None:
        """A person's label on all of it, drafts too; then one of ours in place of another, as triage writes it."""
        for each in list(self.box.thread(self.case.thread_ref)):
            self.box.change(each, labels=each.labels | {THEIRS})
            self.tagged.add(each.ref)
        await self.copilot.labels.label_thread(self.case.thread_ref, LABELS[self.numbers % len(LABELS)], LABELS)

    def judged_as_answered(self) -> None:
        self.case = replace(self.case, action="ignore", reason="latest_is_operator_sent")

    # we ourselves, as the job does it

    async def redraft(self, fault: str = "") -> None:
        if not await self._find_again():
            return
        seen = await look(self.copilot, self.case)
        case = self.case
        plan = plan_draft(case.action, case.reason, case.newest_ref, seen.latest, seen.standing)
        if plan.doing in ("create", "update"):
            await self._write(seen.draft, fault)
        elif plan.doing == "supersede":
            await self._take_back(seen.draft, fault)
        elif plan.doing in ("blocked", "sent", "discarded"):
            status = "blocked_user_edited" if plan.doing == "blocked" else plan.doing
            self.case = replace(self.case, draft_status=status)

    async def _find_again(self) -> bool:
        intent = self.case.intended
        if intent is None:
            return True
        found = await look_for_intended(self.copilot, self.case, intent)
        if found.draft is None:
            self.case = replace(self.case, intent=None)
            return True
        self._record(intent, found.draft, "written" if found.as_meant else "blocked_user_edited")
        return False

    async def _write(self, draft: Draft | None, fault: str) -> None:
        intent = self._intent(updates=draft is not None)
        self.case = replace(self.case, intent=intent_json(intent))
        if fault == "crash_before":
            return
        if fault == "hurry":
            self.edit()
        try:
            made = await self._sent(draft, intent.mail, intent.markers(self.case.key))
            if fault in ("crash_after", "lost"):
                raise TimedOut("The answer was lost.")
        except (DraftTouched, Conflict, Gone):
            self.case = replace(self.case, intent=None, draft_status="blocked_user_edited")
            return
        except TimedOut:
            return
        self._record(intent, made, "written")

    async def _sent(self, draft: Draft | None, mail: OutgoingMail, marks: DraftMarkers) -> Draft:
        if draft is None:
            return await self.copilot.drafts.create_draft(mail, marks)
        return await self.copilot.drafts.update_draft(draft, mail, marks)

    async def _take_back(self, draft: Draft | None, fault: str) -> None:
        if fault == "hurry":
            self.edit()
        if draft is None or fault == "crash_before":
            return
        try:
            await self.copilot.drafts.discard_draft(draft)
        except DraftTouched:
            self.case = replace(self.case, draft_status="blocked_user_edited")
            return
        if fault != "crash_after":
            self.case = replace(self.case, draft_status="superseded")

    def _intent(self, *, updates: bool) -> DraftIntent:
        assert self.case.newest_ref is not None
        text = f"Ours: {self.word()}"
        return DraftIntent(
            new_id(), self.case.newest_ref, None, (GUEST,), "Re: Our stay", text, as_html(text, self.case.key),
            [], [], [], 1.0, 0.5, "rules", "", updates,
        )  # fmt: skip

    def _record(self, intent: DraftIntent, draft: Draft, status: Any) -> None:
        self.case = replace(
            self.case, held=msgspec.to_builtins(draft), intent=None, revision_id=intent.revision_id,
            draft_status=status, answers=intent.message_ref, fingerprint=fingerprint(draft),
            answered=[*self.case.answered, intent.message_ref],
        )  # fmt: skip

    # what must always hold

    def check(self) -> None:
        for ref, said in self.said.items():
            message = self.box.messages.get(ref)
            assert message is not None, "a person's draft was erased"
            assert said in message.mail.text_body, "a person's words were written over"
            if TRASH in message.labels:
                assert ref in self.thrown_away, "a person's draft was thrown away by us"
        for ref in self.tagged & set(self.box.messages):
            labels = self.box.message(ref).labels
            assert THEIRS in labels or labels & {TRASH, SENT}, "a person's label was taken off"
        for message in self.box.messages.values():
            assert len(message.labels & {each.name for each in LABELS}) <= 1, "two states on one message"
        live = self.drafts()
        ours = [each for each in live if each.ref not in self.said]
        assert len(ours) <= 1, "two drafts of ours in one thread"
        assert all(each.labels & {DRAFT} and SENT not in each.labels for each in live)


def intent_json(intent: DraftIntent) -> Any:
    return msgspec.to_builtins(intent)


@settings(max_examples=WALKS, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.sampled_from(ACTS), min_size=3, max_size=14))
def test_no_word_of_a_person_is_lost_in_any_order_of_events(acts):
    asyncio.run(walked(acts))


async def walked(acts: list[str]) -> None:
    walk = ThreadWalk()
    for act in acts:
        edited = {ref for ref in walk.said if walk.box.message(ref) in walk.drafts()}
        count = len(walk.drafts())
        if act in ("redraft", "crash_before", "crash_after", "lost", "hurry"):
            await walk.redraft("" if act == "redraft" else act)
            if edited:
                assert len(walk.drafts()) <= count, "a draft was written beside an edited one"
        elif act == "label":
            await walk.label()
        else:
            getattr(walk, act)()
        walk.check()
