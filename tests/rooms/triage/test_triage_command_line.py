"""`postroom triage`: threads from files or from standard input."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from postroom.cli import app

MAIL = "From: Anna Berg <anna@client.test>\nTo: info@house.test\nSubject: Dog\nDate: Mon, 1 Dec 2025 10:00:00 +0100\nMessage-ID: <1@client.test>\nContent-Type: text/plain; charset=utf-8\n\nHow much is a dog per night?\n"
ANSWER = "From: info@house.test\nTo: anna@client.test\nSubject: Re: Dog\nDate: Mon, 1 Dec 2025 11:00:00 +0100\nMessage-ID: <2@house.test>\nIn-Reply-To: <1@client.test>\nContent-Type: text/plain; charset=utf-8\n\nIt is 6.50.\n"
MBOX = "".join(f"From postroom@corpus.test Mon Dec  1 10:00:00 2025\n{mail}\n" for mail in (MAIL, ANSWER))


def told(*names, given):
    found = CliRunner().invoke(app, ["triage", *names, "--json", "--mailbox", "info@house.test"], input=given)
    return found.exit_code, [json.loads(line) for line in found.stdout.splitlines()]


@pytest.mark.parametrize(
    ("given", "reason"), [(MAIL, "draftable"), (MBOX, "latest_is_operator_sent"), ("", "empty_thread")]
)
def test_a_thread_may_come_from_standard_input(given, reason):
    code, lines = told("-", given=given)
    assert (0, [("-", reason)]) == (code, [(line["file"], line["reason"]) for line in lines])


def test_standard_input_stands_beside_files(tmp_path):
    (tmp_path / "thread.mbox").write_text(MBOX, "utf-8")
    code, lines = told(str(tmp_path / "thread.mbox"), "-", str(tmp_path / "none.eml"), given=MAIL)
    assert (1, ["latest_is_operator_sent", "draftable", None]) == (code, [line.get("reason") for line in lines])


def test_a_mail_that_is_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("postroom.cli.triage.LARGEST_MAIL", 100)
    code, lines = told("-", given=MAIL)
    assert (1, True) == (code, "larger" in lines[0]["error"])


@pytest.mark.parametrize("above", ["\ufeff", "\n", "\r\n\r\n", "\ufeff\n"])
@pytest.mark.parametrize(("given", "reason"), [(MAIL, "draftable"), (MBOX, "latest_is_operator_sent")])
def test_what_editors_leave_above_a_mail_does_not_matter(above, given, reason):
    code, lines = told("-", given=above + given)
    assert (0, [reason]) == (code, [line["reason"] for line in lines])


@pytest.mark.parametrize(
    "given", ["Just some words.\n", "%PDF-1.7\n\x00\x01", "a,b\n1,2\n", "Note: to myself\n\nBuy milk.\n"]
)
def test_what_is_no_mail_is_refused_with_a_sentence(given):
    code, lines = told("-", given=given)
    assert (1, ["This is no mail"]) == (code, [line["error"][:15] for line in lines])


def test_a_mail_without_a_sender_is_a_mail():
    code, lines = told("-", given="Subject: Hours\n\nWhen are you open?\n")
    assert (0, ["latest_sender_missing"]) == (code, [line["reason"] for line in lines])
