"""Papers at the command line."""

from __future__ import annotations

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
