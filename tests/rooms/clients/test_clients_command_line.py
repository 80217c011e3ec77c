"""The client book at the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from postroom import cli
from rooms.clients.bad_books import BAD_ACCOUNTS
from rooms.clients.office import BOOK


@pytest.fixture
def postroom(dsn, owner_dsn, tmp_path, monkeypatch):
    monkeypatch.setattr("postroom.logs.set_up", lambda *how: None)  # it would outlive the runner's captured stderr
    monkeypatch.setenv("POSTROOM_DATABASE_URL", dsn)
    monkeypatch.setenv("POSTROOM_HOME", str(tmp_path / "home"))

    def run(*words: object) -> tuple[int, str]:
        ended = CliRunner().invoke(cli.app, [str(word) for word in words])
        return ended.exit_code, ended.output

    assert 0 == run("tenant", "create", "default")[0]
    return run


def folder(at: Path, **changed: bytes) -> Path:
    at.mkdir(exist_ok=True)
    for name, content in (BOOK | {f"{name}.csv": content for name, content in changed.items()}).items():
        (at / name).write_bytes(content)
    return at


def test_a_book_is_taken_in_once_and_looked_at(postroom, tmp_path):
    files = folder(tmp_path / "book")
    assert "Would change" in postroom("account", "import", files, "--dry-run")[1]
    assert "No accounts" in postroom("account", "list")[1]
    assert 0 == postroom("account", "import", files)[0]
    code, said = postroom("account", "import", files)
    assert (0, True) == (code, "nothing changed" in said)

    assert "BOREALIS" in postroom("account", "list", "boreal")[1]
    assert "OLDHAM" not in postroom("account", "list", "--status", "open")[1]
    shown = postroom("account", "show", "ACME")[1]
    assert all(word in shown for word in ("anna@acme.example", "ACME-1042", "(command line)"))


def test_each_bad_line_is_named_and_nothing_is_taken(postroom, tmp_path):
    files = folder(tmp_path / "book", contacts=b"email,name,account\nx@y.example,X,NOSUCH\nnobody,N,ACME\n")
    code, said = postroom("account", "import", files)
    assert 1 == code
    assert "contacts.csv:2: There is no account NOSUCH for x@y.example." in said
    assert "contacts.csv:3: 'nobody' is not a mail address." in said
    assert "Nothing was imported" in said
    assert "No accounts" in postroom("account", "list")[1]


@pytest.mark.parametrize(("content", "said"), BAD_ACCOUNTS)
def test_of_every_bad_file_each_bad_line_is_told_once_and_nothing_is_taken(postroom, tmp_path, content, said):
    files = tmp_path / "book"
    files.mkdir()
    (files / "accounts.csv").write_bytes(content)
    for options in ((), ("--dry-run",)):
        code, told = postroom("account", "import", files, *options)
        lines = [line for line in told.splitlines() if line.startswith("accounts.csv:")]
        assert (1, [f"accounts.csv:{line}: {because}" for line, because in said]) == (code, lines)
    assert "No accounts" in postroom("account", "list")[1]


def test_a_folder_that_is_none_says_so(postroom, tmp_path):
    (tmp_path / "empty").mkdir()
    assert (1, True) == (lambda code, said: (code, "is not a folder" in said))(
        *postroom("account", "import", tmp_path / "x")
    )
    code, said = postroom("account", "import", tmp_path / "empty")
    assert (1, True) == (code, "There is no book here" in said)


def test_the_book_is_kept_by_hand(postroom, tmp_path):
    postroom("account", "import", folder(tmp_path / "book"))
    assert 0 == postroom("account", "add", "GRANIT", "Granit Bau AG", "--domain", "granit.example")[0]
    assert (1, True) == (lambda code, said: (code, "free-mail" in said))(
        *postroom("account", "change", "GRANIT", "--domain", "gmail.com")
    )
    assert 0 == postroom("account", "contact", "GRANIT", "urs@granit.example", "--name", "Urs")[0]
    assert 0 == postroom("account", "contact", "GRANIT", "urs@granit.example", "--remove")[0]
    assert "closed" in postroom("account", "close", "GRANIT")[1]
    assert "open" in postroom("account", "reopen", "GRANIT")[1]
    assert "went to ACME" in postroom("account", "merge", "GRANIT", "ACME")[1]
    assert (1, True) == (lambda code, said: (code, "no account NOSUCH" in said))(*postroom("account", "show", "NOSUCH"))
    assert "contact" in postroom("mapping", "signals")[1]
    assert "Nothing." in postroom("mapping", "list")[1]


def test_another_tenants_book_is_not_seen(postroom, tmp_path):
    postroom("account", "import", folder(tmp_path / "book"))
    assert 0 == postroom("tenant", "create", "other")[0]
    assert "No accounts" in postroom("account", "list", "--tenant", "other")[1]
    assert 1 == postroom("account", "show", "ACME", "--tenant", "other")[0]
    assert 1 == postroom("account", "merge", "ACME", "BOREALIS", "--tenant", "other")[0]
