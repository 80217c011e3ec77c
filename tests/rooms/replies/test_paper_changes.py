"""Papers change under drafts: what nobody touched is written anew, and what is a person's says so."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest

from postroom import reads
from postroom.nouns.errors import Conflict, TimedOut
from postroom.nouns.providers import ProviderRef
from postroom.rooms.replies import commands
from postroom.rooms.replies.jobs import RecheckDrafts, rechecking
from postroom.rooms.replies.store import drafts
from rooms.replies.drafting_desk import BREAKFAST, HOUSE_RULES, PARKING, DraftingDesk, NoPdfs
from rooms.triage.desk import READY, REVIEW

RULES = "house-rules.md"
LATER = HOUSE_RULES.replace("7:00 to 10:30", "6:30 to 11:00")
SAID = "Breakfast is served from 7:00 to 10:30 in the garden room."


async def says(desk: DraftingDesk, text: str, name: str = RULES) -> None:
    """The paper is handed in anew, and what follows is done."""
    await desk.knows(name, text)
    await desk.waits()


async def retires(desk: DraftingDesk, name: str = RULES) -> None:
    found = await commands.evidence_named(desk.scope(), name)
    await commands.retire_evidence(desk.scope(), found.id)
    await desk.waits()


async def one_draft(desk: DraftingDesk) -> commands.DraftRow:
    [row] = await commands.list_drafts(desk.scope(), 10)
    return row


def jobs_waiting(desk: DraftingDesk) -> list[str]:
    """Sent and Drafts are looked at closely for a while after each draft."""
    kinds = "SELECT kind FROM postroom.job WHERE kind <> 'sync.follow_outgoing' ORDER BY kind"
    return [kind for (kind,) in desk.own(kinds)]


async def test_a_draft_that_nobody_touched_says_what_the_changed_paper_says(drafting):
    ref = await drafting.receives(BREAKFAST)
    before = (await one_draft(drafting)).id

    await says(drafting, LATER)

    body = drafting.draft().mail.text_body
    assert ("6:30 to 11:00" in body, "7:00" in body) == (True, False)
    assert [(ref, "written")] == drafting.revisions()
    assert (("ready", "draft_written"), {READY}) == (drafting.verdict(ref), drafting.labels(ref))
    row = await one_draft(drafting)
    assert (before, (), body.strip()) == (row.id, row.outdated, row.body.strip())


@pytest.mark.parametrize("fate", ["retired", "internal", "silent"])
async def test_a_draft_that_nothing_supports_any_more_is_taken_back(drafting, fate):
    ref = await drafting.receives(BREAKFAST)

    if fate == "retired":
        await retires(drafting)
    else:
        text = "# House rules\n\nDogs are welcome.\n" if fate == "silent" else HOUSE_RULES
        audience = "internal" if fate == "internal" else None
        await commands.add_evidence(drafting.scope(), NoPdfs(), RULES, text.encode(), audience)
        await drafting.waits()

    assert [] == drafting.drafts()
    assert [(ref, "superseded")] == drafting.revisions()
    assert (("needs_review", "evidence_missing"), {REVIEW}) == (drafting.verdict(ref), drafting.labels(ref))
    assert RULES in drafting.ask("SELECT because FROM postroom.draft_revision")


async def test_a_paper_whose_validity_ended_is_noticed_by_the_clock(drafting):
    until = drafting.now.date() + timedelta(days=3)
    await commands.add_evidence(drafting.scope(), NoPdfs(), RULES, HOUSE_RULES.encode(), None, until)
    await drafting.waits()
    ref = await drafting.receives(BREAKFAST)
    drafting.now += timedelta(days=3)
    await drafting.does(RecheckDrafts())
    still = drafting.revisions()

    drafting.now += timedelta(days=1)
    await drafting.does(RecheckDrafts())

    assert ([(ref, "written")], [(ref, "superseded")]) == (still, drafting.revisions())
    assert ("needs_review", "evidence_missing") == drafting.verdict(ref)


async def test_a_paper_that_takes_the_place_of_another_is_drafted_from(drafting):
    await retires(drafting)
    old, new = ("# Prices of the house {0}\n\nValid from 1 January {0}.\n\n" + HOUSE_RULES[14:] for _ in range(2))
    await drafting.knows("prices-2025.md", old.format(2025))
    await drafting.receives(PARKING)
    assert "18 EUR" in drafting.draft().mail.text_body

    await says(drafting, new.format(2026).replace("18 EUR", "21 EUR"), "prices-2026.md")

    body = drafting.draft().mail.text_body
    assert ("21 EUR" in body, "18 EUR" in body) == (True, False)


async def test_no_job_is_made_when_the_words_still_stand_or_nobody_quotes_them(drafting):
    await drafting.receives(BREAKFAST)
    before = drafting.draft().version

    await drafting.knows(RULES, HOUSE_RULES.replace("40 places", "44 places"))
    await drafting.knows("sauna.md", "# Sauna\n\nTowels are at the desk.\n")
    await retires(drafting, "sauna.md")

    assert [] == jobs_waiting(drafting)
    assert before == drafting.draft().version
    assert [0, 0, 0] == [each["outdated"] for each in drafting.facts("evidence.added")]


async def test_a_folder_of_papers_is_one_look(drafting):
    await drafting.receives(BREAKFAST)
    await drafting.receives(PARKING, sender="bo@other.test", subject="Parking")

    for hour in range(4):
        await drafting.knows(RULES, HOUSE_RULES.replace("7:00", f"{5 + hour}:00").replace("18 EUR", f"{20 + hour} EUR"))

    assert ["replies.recheck"] == jobs_waiting(drafting)
    await drafting.waits()
    said = sorted(each.mail.text_body for each in drafting.drafts())
    assert (2, True, True) == (len(said), "8:00" in "".join(said), "23 EUR" in "".join(said))


@pytest.mark.parametrize("where", ["console", "mail program"])
async def test_a_draft_that_a_person_edited_stays_and_says_which_paper_was_changed(drafting, where):
    ref = await drafting.receives(BREAKFAST)
    row = await one_draft(drafting)
    words = f"Dear Ada,\n\n{SAID}\n\nYours, Nora"
    if where == "console":
        await commands.edit_draft(drafting.scope(), drafting.outside.open_copilot, row.id, words)
    else:
        drafting.box.edit_draft(drafting.draft().ref, words)
        await drafting.polls()

    await says(drafting, LATER)

    assert words == drafting.draft().mail.text_body.strip()
    shown = await one_draft(drafting)
    assert [f"{RULES} was changed: it does not say “{SAID}” any more."] == [each.because for each in shown.outdated]
    now = await commands.evidence_named(drafting.scope(), RULES)
    assert [now.id] == [each.paper_id for each in shown.outdated]
    assert [] == jobs_waiting(drafting)
    del ref


async def test_a_person_who_took_the_words_out_is_not_told_of_them(drafting):
    await drafting.receives(BREAKFAST)
    row = await one_draft(drafting)
    await commands.edit_draft(drafting.scope(), drafting.outside.open_copilot, row.id, "Dear Ada, until noon. Nora")

    await says(drafting, LATER)

    assert () == (await one_draft(drafting)).outdated


async def test_an_edit_between_the_change_of_a_paper_and_our_look_wins(drafting):
    ref = await drafting.receives(BREAKFAST)
    await drafting.knows(RULES, LATER)
    drafting.box.edit_draft(drafting.draft().ref, "Dear Ada, at seven. Nora")

    await drafting.waits()

    assert "Dear Ada, at seven. Nora" == drafting.draft().mail.text_body.strip()
    assert [(ref, "blocked_user_edited")] == drafting.revisions()


async def test_a_paper_that_changes_while_a_draft_of_it_is_written_is_not_missed(drafting):
    box = drafting.outside.copilot
    changed: list[Any] = []

    class Meanwhile:
        def __getattr__(self, name):
            return getattr(box.drafts, name)

        async def create_draft(self, mail, markers):
            made = await box.drafts.create_draft(mail, markers)
            changed.append(await drafting.knows(RULES, LATER))
            return made

    drafting.outside.copilot = replace(box, drafts=Meanwhile())
    await drafting.receives(BREAKFAST)

    assert 1 == len(changed)
    assert "6:30 to 11:00" in drafting.draft().mail.text_body
    assert () == (await one_draft(drafting)).outdated


@pytest.mark.parametrize("written", [False, True])
async def test_when_we_are_killed_in_the_middle_the_draft_is_written_anew_once(drafting, written):
    """The answer is lost before or after the provider has written it: the draft is ours in both cases."""
    box, lost = drafting.outside.copilot, []

    class LosesAnswers:
        def __getattr__(self, name):
            return getattr(box.drafts, name)

        async def update_draft(self, draft, mail, markers):
            made = await box.drafts.update_draft(draft, mail, markers) if written or lost else None
            if not lost:
                lost.append(made)
                raise TimedOut("The answer was lost.")
            return made

    ref = await drafting.receives(BREAKFAST)
    drafting.outside.copilot = replace(box, drafts=LosesAnswers())
    await says(drafting, LATER)
    await drafting.waits()

    assert 1 == len(lost)
    assert "6:30 to 11:00" in drafting.draft().mail.text_body
    assert [(ref, "written")] == drafting.revisions()
    assert ("ready", "draft_written") == drafting.verdict(ref)


async def test_many_drafts_of_one_paper_are_looked_through_page_by_page(drafting, monkeypatch):
    for number in range(5):
        await drafting.receives(BREAKFAST, sender=f"guest{number}@client.test", subject=f"Stay {number}")
    monkeypatch.setattr(rechecking, "DRAFTS_AT_ONCE", 2)
    monkeypatch.setattr(rechecking, "PAPERS_AT_ONCE", 1)

    await says(drafting, LATER)

    assert [True] * 5 == ["6:30 to 11:00" in each.mail.text_body for each in drafting.drafts()]


async def test_what_a_discarded_draft_quoted_is_looked_at_when_it_is_brought_back(drafting):
    await drafting.receives(BREAKFAST)
    row = await one_draft(drafting)
    await commands.discard_draft(drafting.scope(), drafting.outside.open_copilot, row.id, "Wrong button.")
    await drafting.works()
    await says(drafting, LATER)

    await commands.restore_draft(drafting.scope(), drafting.outside.open_copilot, row.id)
    await drafting.works()

    assert "6:30 to 11:00" in drafting.draft().mail.text_body
    assert 1 == drafting.ask("SELECT count(*) FROM postroom.draft_quotation")


async def test_a_draft_that_is_over_is_not_looked_for_any_more(drafting):
    await drafting.receives(BREAKFAST)
    drafting.box.send(drafting.draft().ref)
    await drafting.polls()

    assert 0 == drafting.ask("SELECT count(*) FROM postroom.draft_quotation")


# in any order


@dataclass
class Guest:
    """A thread, and what a person wrote in its draft."""

    ref: ProviderRef
    words: str = ""


@dataclass
class PaperWalk:
    """Papers change, people work on drafts, answers are lost: told by a seed."""

    desk: DraftingDesk
    chance: random.Random
    guests: list[Guest] = field(default_factory=list)
    numbers: int = 0

    def number(self) -> int:
        self.numbers += 1
        return self.numbers

    async def asks(self) -> None:
        number, text = self.number(), self.chance.choice([BREAKFAST, PARKING])
        ref = await self.desk.receives(text, sender=f"guest{number}@client.test", subject=f"Stay {number}")
        self.guests.append(Guest(ref))

    async def changes_the_paper(self) -> None:
        hour, price = self.chance.randrange(5, 10), self.chance.randrange(10, 30)
        text = HOUSE_RULES.replace("7:00", f"{hour}:00").replace("18 EUR", f"{price} EUR")
        await self.desk.knows(RULES, text)

    async def retires_the_paper(self) -> None:
        for each in await commands.list_evidence(self.desk.scope()):
            await commands.retire_evidence(self.desk.scope(), each.id)

    async def edits(self) -> None:
        """At the console or in the mail program, beside whatever we are at."""
        row = self._waiting()
        if row is None:
            return
        words, guest = f"Dear guest, {self.number()} is my word. {row.body}", self._guest(row)
        if self.chance.random() < 0.5:
            self.desk.box.edit_draft(ProviderRef(row.ref), words)
        else:
            try:
                await commands.edit_draft(self.desk.scope(), self.desk.outside.open_copilot, row.id, words)
            except Conflict:
                return
        guest.words = words

    async def works(self) -> None:
        await self.desk.waits()

    async def loses_answers(self) -> None:
        """The next writes are lost, before or after the provider did them; then somebody may be quicker than we."""
        box, walk, late = self.desk.outside.copilot, self, self.chance.random() < 0.5

        class Loses:
            def __getattr__(self, name: str) -> Any:
                return getattr(box.drafts, name)

            async def update_draft(self, *about: Any) -> Any:
                if late:
                    await box.drafts.update_draft(*about)
                raise TimedOut("The answer was lost.")

        self.desk.outside.copilot = replace(box, drafts=Loses())
        await self.desk.waits()
        self.desk.outside.copilot = box
        if walk.chance.random() < 0.3:
            await walk.edits()

    def _waiting(self) -> Any:
        rows = self.desk.own(
            "SELECT id, provider_draft_id, body, message_ref FROM postroom.draft_revision"
            " WHERE status = 'written' AND edited_by IS NULL ORDER BY id"
        )
        told = [_Row(*row) for row in rows if not self._guest(_Row(*row)).words]
        return self.chance.choice(told) if told else None

    def _guest(self, row: _Row) -> Guest:
        return next(each for each in self.guests if each.ref == row.answers)

    async def check(self) -> None:
        for guest in self.guests:
            live = [each for each in self.desk.drafts() if guest.words and guest.words in each.mail.text_body]
            assert not guest.words or len(live) == 1, "a person's words are gone"
        async with self.desk.scope().read() as tx:
            for row in await drafts.drafts(tx, 100):
                gone = await reads.papers.outdated(tx, row.id, self.desk.now.date())
                untouched = row.status == "written" and row.edited_by is None
                assert not (untouched and gone), "an untouched draft says what no paper says"
                state, _ = self.desk.verdict(ProviderRef(row.message_ref))
                assert ("ready" if untouched else "needs_review") == state or row.edited_by is not None
        assert len(self.desk.drafts()) <= len(self.guests)
        assert [] == jobs_waiting(self.desk)


@dataclass(frozen=True)
class _Row:
    id: Any
    ref: str
    body: str
    answers: str


@pytest.mark.parametrize("seed", range(int(os.environ.get("POSTROOM_PAPER_WALKS", "6"))))
async def test_no_untouched_draft_says_what_no_paper_says_and_no_word_of_a_person_is_lost(drafting, seed):
    walk = PaperWalk(drafting, random.Random(seed))
    await walk.asks()
    acts: list[Callable[[], Any]] = [
        walk.asks, walk.changes_the_paper, walk.changes_the_paper, walk.retires_the_paper, walk.edits, walk.works,
        walk.loses_answers,
    ]  # fmt: skip

    for _ in range(14):
        await walk.chance.choice(acts)()

    for _ in range(4):
        await drafting.waits()
    await walk.check()
