"""Papers at the command line."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from postroom import cli


@pytest.fixture
def postroom(dsn, owner_dsn, tmp_path, monkeypatch):
    monkeypatch.setattr("postroom.logs.set_up", lambda *how: None)  # it would outlive the runner's captured stderr
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("COLUMNS", "300")

    def run(*words: object) -> tuple[int, str]:
        ended = CliRunner().invoke(cli.app, [str(word) for word in words])
        return ended.exit_code, ended.output

    assert 0 == run("tenant", "create", "default")[0]
    return run


def test_a_folder_is_taken_in_and_what_cannot_be_read_is_named(postroom, tmp_path):
    papers = tmp_path / "papers"
    (papers / "internal").mkdir(parents=True)
    (papers / "rules.md").write_text("# Rules\n\nBreakfast is at eight.\n")
    (papers / "internal" / "codes.txt").write_text("The code of the door is 1234.")

    first, again = postroom("evidence", "import", papers), postroom("evidence", "import", papers)
    (papers / "odd.docx").write_bytes(b"x")
    odd = postroom("evidence", "import", papers)
    listed = postroom("evidence", "list")[1]

    assert (0, True) == (first[0], "2 new, 0 as before" in first[1])
    assert (0, True) == (again[0], "0 new, 2 as before" in again[1])
    assert (1, True) == (odd[0], "odd.docx is neither Markdown" in odd[1])
    assert "rules.md" in listed
    assert "internal/codes.txt" in listed


@pytest.fixture
def breakfast(postroom, tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "rules.md").write_text("# Breakfast\n\nBreakfast is served from 7:30 to 10:00 in the garden room.\n")
    assert 0 == postroom("evidence", "import", papers)[0]
    return postroom


def test_the_papers_are_asked_until_they_are_retired(breakfast):
    asked = breakfast("evidence", "ask", "From what time is breakfast served?")
    retired = breakfast("evidence", "retire", "rules.md")
    after = breakfast("evidence", "ask", "From what time is breakfast served?")
    again = breakfast("evidence", "retire", "rules.md")
    listed = breakfast("evidence", "list", "--retired")
    restored = breakfast("evidence", "restore", "rules.md")
    back = breakfast("evidence", "ask", "From what time is breakfast served?")
    twice = breakfast("evidence", "restore", "rules.md")

    assert (0, True) == (asked[0], "answer: Breakfast is served from 7:30 to 10:00" in asked[1])
    assert (0, "rules.md is retired.\n") == retired
    assert (0, False) == (after[0], "7:30" in after[1])
    assert (1, True) == (again[0], "There is no paper rules.md" in again[1])
    assert "rules.md" in listed[1]
    assert (0, "rules.md is in use again.\n") == restored
    assert (0, True) == (back[0], "7:30" in back[1])
    assert (1, True) == (twice[0], "rules.md is in use already." in twice[1])


def test_how_drafts_are_written_is_said_piece_by_piece(postroom):
    first = postroom("evidence", "policy", "--gate", "60", "--greeting", "en=Hi {name},", "--no-thanks")
    second = postroom("evidence", "policy", "--closing", "en=Bye", "--signature", "The desk")
    house = postroom("evidence", "policy", "--gate", "house", "--greeting", "en=")

    assert (0, True) == (first[0], "60%" in first[1])
    assert [] == [word for word in ("60%", "Hi {name},", "Bye", "The desk") if word not in second[1]]
    assert re.search(r"thanks\s+no\b", second[1])
    assert (0, False, False) == (house[0], "60%" in house[1], "Hi {name}" in house[1])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--gate", "lots"], "no percentage"),
        (["--gate", "10"], "between 0.3 and 0.95"),
        (["--greeting", "Hello"], "names no language"),
        (["--formality", "rude"], "formal"),
    ],
)
def test_what_cannot_be_meant_is_refused(postroom, words, said):
    code, output = postroom("evidence", "policy", *words)
    assert (1, True) == (code, said in output)
