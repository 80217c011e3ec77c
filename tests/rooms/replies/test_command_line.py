"""`postroom reply`: one line with triage, draft and evidence, from files alone."""

from __future__ import annotations

import io
import json
import os

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from typer.testing import CliRunner

from postroom.cli import app
from postroom.cli import reply as replying

MAIL = "From: Anna Berg <anna@client.test>\nTo: info@house.test\nSubject: Dog\nDate: Mon, 1 Dec 2025 10:00:00 +0100\nMessage-ID: <1@client.test>\nContent-Type: text/plain; charset=utf-8\n\n{text}\n"
PAPER = "# Prices\n\nStand: 1 March 2025\n\n| extra | price |\n|---|---|\n| dog, per night | € 6.50 |\n| cot, per stay | € 15.00 |\n"


@pytest.fixture
def told(tmp_path):
    papers = tmp_path / "papers"
    (papers / "internal").mkdir(parents=True)
    (papers / "prices.md").write_text(PAPER, "utf-8")
    (papers / "internal" / "desk.md").write_text("# Desk\n\nA lost key costs € 45.00.\n", "utf-8")
    (papers / "logo.bin").write_bytes(b"\x00\x01")

    def run(text, *options):
        mail = tmp_path / "mail.eml"
        mail.write_text(MAIL.format(text=text), "utf-8")
        return CliRunner().invoke(
            app, ["reply", str(mail), "--evidence", str(papers), "--mailbox", "info@house.test", *options]
        )

    run.papers = papers
    return run


def line(found):
    assert 0 == found.exit_code, found.output
    return json.loads(found.stdout)


def test_a_question_gets_a_draft_with_its_evidence(told):
    said = line(told("How much is a dog per night?", "--json"))
    assert ("draft", "draftable", "ready") == (said["action"], said["reason"], said["state"])
    assert ("anna@client.test", "Re: Dog") == (said["draft"]["to"], said["draft"]["subject"])
    assert said["draft"]["body"] == said["analysis"]["draftResponse"]
    assert [{"source": "prices.md", "quote": "dog, per night | € 6.50"}] == said["claims"][0]["evidence"]
    assert ([], [], ["logo.bin"]) == (said["questions"], said["blocked"], [each["source"] for each in said["unread"]])
    assert said["confidence"] > 0.5


def test_without_evidence_a_person_is_asked(told):
    said = line(told("What does a lost key cost?", "--json"))
    assert ("needs_review", "evidence_missing", "needs_review", None) == (
        said["action"],
        said["reason"],
        said["state"],
        said["draft"],
    )
    assert ["What does a lost key cost?"] == said["questions"]
    assert None is said["analysis"]["draftResponse"]


def test_a_gap_needs_a_person(told):
    said = line(told("How much is a cot? And is there a sailing school with boats?", "--json"))
    assert ("draft", "needs_review") == (said["action"], said["state"])
    assert "[[" in said["draft"]["body"]


def test_what_triage_leaves_to_a_person_gets_no_draft(told):
    said = line(told("I want a full refund for my dog, or my lawyer will write to you.", "--json"))
    assert ("needs_review", None, []) == (said["action"], said["draft"], said["claims"])
    assert said["reason"].startswith("sensitive_")


def test_a_pdf_is_evidence_too(told):
    held = io.BytesIO()
    canvas = Canvas(held, pagesize=A4, invariant=1)
    for number, text in enumerate(
        ["Sailing school", "", "A sailing course for beginners costs 95 euros", "and lasts three days."]
    ):
        canvas.drawString(60, 760 - 16 * number, text)
    canvas.save()
    (told.papers / "sailing.pdf").write_bytes(held.getvalue())
    said = line(told("What does a sailing course cost?", "--json"))
    assert "95 euros" in said["draft"]["body"]
    assert "sailing.pdf" == said["claims"][0]["evidence"][0]["source"]


def test_words_between_colons_are_printed_as_they_stand(told):
    (told.papers / "prices.md").write_text(PAPER.replace("cot, per stay", "dog, per night :dog:"), "utf-8")
    assert "🐶" not in told("How much is a dog per night?").stdout


def test_for_people_it_is_a_letter(told):
    found = told("How much is a dog per night?")
    assert 0 == found.exit_code
    assert "Hello Anna Berg," in found.stdout
    assert "prices.md: dog, per night | € 6.50" in found.stdout


def test_a_folder_that_is_none_is_told(told, tmp_path):
    found = CliRunner().invoke(app, ["reply", str(tmp_path / "none.eml"), "--evidence", str(told.papers), "--json"])
    assert 1 == found.exit_code
    assert "cannot be opened" in json.loads(found.stdout)["error"]


@pytest.mark.parametrize("command", ["reply", "triage"])
@pytest.mark.parametrize("option", ["--mailbox", "--operator"])
def test_what_is_no_address_is_refused(told, tmp_path, command, option):
    (tmp_path / "one.eml").write_text(MAIL.format(text="A dog?"), "utf-8")
    papers = ["--evidence", str(told.papers)] if command == "reply" else []

    found = CliRunner().invoke(app, [command, str(tmp_path / "one.eml"), *papers, option, "Anna <info@house.test>"])

    assert 2 == found.exit_code
    assert "is not a mail address" in found.stderr


def test_a_folder_without_papers_says_so(told, tmp_path):
    (tmp_path / "none").mkdir()

    said = line(told("How much is a dog per night?", "--json", "--evidence", str(tmp_path / "none")))
    lost = told("How much is a dog per night?", "--evidence", str(tmp_path / "lost"))

    assert ["There is no paper in it: Markdown, text, HTML or PDF."] == [each["because"] for each in said["unread"]]
    assert (1, True) == (lost.exit_code, "is not a folder; name the one with the papers in it" in lost.stderr)


def test_triage_says_what_it_has_to_know(tmp_path):
    (tmp_path / "one.eml").write_text(MAIL.format(text="A dog?"), "utf-8")

    found = CliRunner().invoke(app, ["triage", str(tmp_path / "one.eml")])

    assert 0 == found.exit_code
    assert "Name its address (--mailbox)" in " ".join(found.stderr.split())


def test_what_cannot_be_read_is_named_and_the_rest_is_read(told, monkeypatch):
    (told.papers / "gone.md").symlink_to(told.papers / "nowhere.md")
    (told.papers / "gone.pdf").symlink_to(told.papers / "nowhere.pdf")
    (told.papers / "large.pdf").write_bytes(b"%PDF" + bytes(400))
    (told.papers / "locked").mkdir()
    (told.papers / "junk.md").write_bytes(bytes(range(1, 200)))
    (told.papers / "empty.md").write_bytes(b"")
    secret = told.papers.parent / "secret.md"
    secret.write_text("A dog per night costs € 99.00.", "utf-8")
    (told.papers / "secret.md").symlink_to(secret)
    (told.papers / "linked.md").symlink_to(told.papers / "prices.md")
    monkeypatch.setattr(replying, "LARGEST_PAPER", 300)
    scandir = os.scandir

    def looked(path):
        if str(path).endswith("locked"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", looked)

    found = line(told("Hello, how much is a dog per night?", "--json"))

    assert "€ 6.50" in found["draft"]["body"]
    because = {each["source"]: each["because"] for each in found["unread"]}
    unread = {"empty.md", "gone.md", "gone.pdf", "junk.md", "large.pdf", "locked", "logo.bin", "secret.md"}
    assert unread == set(because)
    assert "It is a link to a file outside the folder." == because["secret.md"]
    assert "It cannot be read: Permission denied." == because["locked"]
    assert because["large.pdf"].startswith("It is larger than")
