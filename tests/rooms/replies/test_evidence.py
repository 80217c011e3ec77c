"""Papers: versions, audience, validity, and what is drawn from them."""

from __future__ import annotations

from datetime import date

import pytest

from postroom.nouns.errors import BadRequest, Conflict
from postroom.rooms.replies import commands
from postroom.rooms.replies.jobs import ReadPapersAnew
from rooms.replies.drafting_desk import BREAKFAST, HOUSE_RULES, NoPdfs


class Damaged:
    """An encoder whose file was cut short."""

    def works(self):
        return False

    def nearness(self, told, asked):
        raise ValueError("cannot reshape")


async def test_the_same_paper_again_changes_nothing(drafting):
    again = await drafting.knows("house-rules.md", HOUSE_RULES)

    assert (False, 1) == (again.is_new, again.document.version)
    assert 1 == len(drafting.facts("evidence.added"))


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("../../etc/rules.md", "etc/rules.md"),
        ("C:\\papers\\.\\rules.md", "C:/papers/rules.md"),
        ("ru\x1b[31m\r\nles.md", "ru[31mles.md"),
        ("\u202egpj.rules.md", "gpj.rules.md"),
        ("re\u0301gles.md", "régles.md"),
    ],
)
async def test_a_paper_is_called_what_people_see(drafting, said, kept):
    assert kept == (await drafting.knows(said, HOUSE_RULES)).document.name


async def test_a_newer_version_replaces_the_older_for_new_drafts(drafting):
    made = await drafting.knows("house-rules.md", HOUSE_RULES.replace("7:00 to 10:30", "6:30 to 9:45"))

    await drafting.receives(BREAKFAST)

    assert (True, 2) == (made.is_new, made.document.version)
    assert "6:30 to 9:45" in drafting.draft().mail.text_body
    assert 2 == drafting.ask("SELECT count(*) FROM postroom.evidence_document")
    assert ["house-rules.md"] == [each.name for each in await commands.list_evidence(drafting.scope())]


async def test_counts_of_terms_follow_the_versions(drafting):
    counted = "SELECT sum(snippets) FROM postroom.evidence_term"
    postings = "SELECT count(*) FROM postroom.evidence_posting"
    assert drafting.ask(counted) == drafting.ask(postings)

    await drafting.knows("house-rules.md", "# Breakfast\n\nBreakfast is at eight.\n")

    assert drafting.ask(counted) == drafting.ask(postings)


async def test_a_retired_paper_is_taken_back_in_use_as_it_was(drafting):
    [paper] = await commands.list_evidence(drafting.scope())
    counted = "SELECT sum(snippets) FROM postroom.evidence_term"
    before = drafting.ask(counted)
    await commands.retire_evidence(drafting.scope(), paper.id)
    with pytest.raises(Conflict, match=r"was retired by .*: take it back in use first"):
        await commands.change_evidence(drafting.scope(), paper.id, "Words.", "public", None)
    retired, named = await commands.list_retired(drafting.scope()), paper.name

    assert paper.id == (await commands.evidence_named(drafting.scope(), named, retired=True)).id
    await commands.restore_evidence(drafting.scope(), paper.id)

    assert [paper.id] == [each.id for each in retired]
    assert ([paper], []) == (
        await commands.list_evidence(drafting.scope()),
        await commands.list_retired(drafting.scope()),
    )
    assert before == drafting.ask(counted)
    [told] = drafting.facts("evidence.restored")
    assert (paper.name, 1) == (told["name"], told["version"])
    await drafting.receives(BREAKFAST)
    assert 1 == len(drafting.drafts())


async def test_a_paper_that_was_taken_in_anew_is_not_among_the_retired(drafting):
    [paper] = await commands.list_evidence(drafting.scope())
    await commands.retire_evidence(drafting.scope(), paper.id)
    await drafting.knows(paper.name, HOUSE_RULES)

    with pytest.raises(Conflict, match="is in use already"):
        await commands.restore_evidence(drafting.scope(), paper.id)
    assert [] == await commands.list_retired(drafting.scope())


async def test_an_internal_paper_is_not_found_after_it_came_back_either(drafting):
    paper = b"# Sauna\n\nThe sauna costs 15 EUR per visit.\n"
    made = await commands.add_evidence(drafting.scope(), NoPdfs(), "staff.md", paper, audience="internal")
    await commands.retire_evidence(drafting.scope(), made.document.id)
    await commands.restore_evidence(drafting.scope(), made.document.id)

    assert 0 == drafting.ask("SELECT count(*) FROM postroom.evidence_snippet WHERE document_id = %s", made.document.id)


async def test_a_paper_of_another_name_takes_the_place_of_an_older_one(drafting):
    old = "# Price list\n\nVersion of 2024-01-05\n\n## Sauna\nThe sauna costs 15 EUR per visit.\n"
    await drafting.knows("prices-2024.md", old)
    await drafting.knows("prices-2026.md", old.replace("2024-01-05", "2026-01-05").replace("15 EUR", "19 EUR"))

    await drafting.receives("Hello, how much does the sauna cost per visit?")

    assert "19 EUR" in drafting.draft().mail.text_body
    assert "15 EUR" not in drafting.draft().mail.text_body


async def test_a_part_of_a_paper_is_quoted_only_while_it_holds(drafting):
    old, new = "The sauna costs 15 EUR per visit.", "The sauna costs 19 EUR per visit."
    text = f"# Sauna\n\n## Prices until 31 December 2020\n\n{old}\n\n## Prices from 1 January 2021\n\n{new}\n"
    made = await drafting.knows("sauna.md", text)

    await drafting.receives("Hello, how much does the sauna cost per visit?")

    shown = await commands.one_evidence(drafting.scope(), made.document.id)
    assert [(old, None, date(2020, 12, 31)), (new, date(2021, 1, 1), None)] == [
        (each.text, each.valid_from, each.valid_until) for each in shown.parts
    ]
    assert new in drafting.draft().mail.text_body
    assert old not in drafting.draft().mail.text_body
    (written,) = await commands.list_drafts(drafting.scope(), 1)
    assert ["2021-01-01"] == [quote["valid_from"] for claim in written.claims for quote in claim["evidence"]]


async def test_a_paper_is_quoted_only_once_it_holds_and_replaces_none_before(drafting):
    old = "---\ntitle: Sauna prices\ndate: 2024-01-05\n---\n# Sauna prices\n\nThe sauna costs 15 EUR per visit, towels and tea included.\n"
    new = old.replace("2024-01-05", "2025-01-05\nvalid_from: 2090-01-01").replace("15 EUR", "19 EUR")
    await drafting.knows("prices-new.md", new)
    ref = await drafting.receives("Hello, how much does the sauna cost per visit?")
    assert ("needs_review", "evidence_missing") == drafting.verdict(ref)

    made = await drafting.knows("prices-old.md", old)
    now = await commands.ask_evidence(drafting.scope(), "How much does the sauna cost per visit?", encoder=Damaged())
    then = await commands.ask_evidence(drafting.scope(), "How much does the sauna cost per visit on 5 May 2090?")

    shown = await commands.one_evidence(drafting.scope(), made.document.id)
    assert [date(2090, 1, 1)] == [each.effective_from for each in shown.replaced_by]
    assert ("15 EUR" in now.draft.body, "19 EUR" in now.draft.body) == (True, False)
    assert ("15 EUR" in then.draft.body, "19 EUR" in then.draft.body) == (False, True)


async def test_who_asks_is_told_of_the_paper_that_is_over(drafting):
    question = "How much does the sauna cost per visit?"
    nothing = await commands.ask_evidence(drafting.scope(), question)
    assert (None, nothing.questions[0].because) == (nothing.draft.body, nothing.unanswered_because)
    silent = await commands.ask_evidence(drafting.scope(), "Good morning.")
    assert "Nothing is asked that a paper answers." == silent.unanswered_because

    await drafting.knows("sauna.md", "# Sauna\n\nValid until 31 October 2020.\n\nThe sauna costs 15 EUR per visit.\n")
    over = await commands.ask_evidence(drafting.scope(), question)
    assert (None, ["sauna.md would answer it, and held until 2020-10-31."]) == (
        over.draft.body,
        [each.because for each in over.questions],
    )
    await drafting.knows("prices.md", "# Prices\n\nThe sauna costs 19 EUR per visit.\n")
    now = await commands.ask_evidence(drafting.scope(), question)
    assert ("19 EUR" in now.draft.body, None) == (True, now.unanswered_because)


async def test_what_is_internal_is_never_quoted(drafting):
    paper = b"# Sauna\n\nThe sauna costs 15 EUR per visit.\n"
    await commands.add_evidence(drafting.scope(), NoPdfs(), "staff.md", paper, audience="internal")

    ref = await drafting.receives("Hello, how much does the sauna cost per visit?")

    assert [] == drafting.drafts()
    assert ("needs_review", "evidence_missing") == drafting.verdict(ref)
    assert 0 == drafting.ask(
        "SELECT count(*) FROM postroom.evidence_snippet s JOIN postroom.evidence_document d"
        " ON d.id = s.document_id WHERE d.audience = 'internal'"
    )


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.docx", b"x", "neither Markdown"),
        ("", b"x", "needs a name"),
        ("junk.md", bytes(range(256)) * 4, "not text"),
        ("packed.txt", b"PK\x03\x04\x14\0\x06\0", "not text"),
        ("empty.md", b"", "no words"),
        ("marks.html", b" \n--\n", "no words"),
    ],
)
async def test_what_cannot_be_read_is_refused_with_a_sentence(drafting, name, content, said):
    with pytest.raises(BadRequest, match=said):
        await commands.add_evidence(drafting.scope(), NoPdfs(), name, content)


async def test_papers_that_were_read_with_older_words_are_read_anew(drafting):
    """As after an upgrade: the terms that a newer glossary makes are not there yet."""
    told = "SELECT sum(t.snippets) FROM postroom.evidence_term t"
    before, held = drafting.ask(told), drafting.ask("SELECT count(*) FROM postroom.evidence_snippet")
    drafting.own("UPDATE postroom.evidence_document SET read_by = 'older'")
    drafting.own("UPDATE postroom.evidence_term SET snippets = 0 WHERE left(term, 1) = '@'")
    drafting.own("DELETE FROM postroom.evidence_posting WHERE left(term, 1) = '@'")
    assert drafting.ask(told) < before

    await drafting.does(ReadPapersAnew())

    assert (before, held) == (drafting.ask(told), drafting.ask("SELECT count(*) FROM postroom.evidence_snippet"))
    assert before == drafting.ask("SELECT count(*) FROM postroom.evidence_posting")
    assert 0 == drafting.ask("SELECT count(*) FROM postroom.evidence_document WHERE read_by = 'older'")
    assert [1] == [each.version for each in await commands.list_evidence(drafting.scope())]
