from __future__ import annotations

import time

import pytest

from contracts.readers.misbehaving import readers_that
from contracts.readers.papers import mail_with, printed, zipped
from postroom.mail.parse import read_mail, read_mail_file
from postroom.nouns.documents import Hostile
from postroom.outside.readers.pool import Readers
from postroom.outside.readers.wire import ReadLimits


@pytest.mark.parametrize(
    ("raw", "here"),
    [
        (mail_with(("note.pdf", printed())), True),
        (mail_with(("note.zip", zipped(note=printed()))), False),
        (mail_with(("note.pdf", printed() + bytes(70_000))), True),
        (mail_with(("note.pdf", printed() + bytes(2_000_000))), False),
        (mail_with() + b"words " * 12_000, False),
        (mail_with(*[(f"{each}.txt", b"text") for each in range(60)]), False),
    ],
)
def test_only_a_mail_with_little_text_and_nothing_to_open_is_read_on_the_spot(readers, raw, here):
    def processes():
        return readers.pool._seats["open"]._idle

    before = len(processes()) and processes()[-1].served

    assert read_mail(raw) == readers.read_mail(raw)
    assert here is ((len(processes()) and processes()[-1].served) == before)


def test_a_mail_that_ends_its_process_is_known_by_its_headers_and_says_why():
    with readers_that("signal.raise_signal(signal.SIGKILL)") as struck:
        mail = struck.read_mail(mail_with(("note.zip", zipped(note=b"x")), subject="Ihre Abrechnung"))

    assert ("notes@bank.example", "Ihre Abrechnung", "") == (mail.sender.email, mail.subject, mail.text_body)
    (unread,) = mail.attachments
    assert "could not be taken apart. Reading the file ended its process (signal 9)." in unread.flaw


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("note.eml", mail_with(("note.zip", zipped(note=printed())))),
        ("notes.zip", zipped(**{"note.pdf": printed(), "mail.eml": mail_with(("other.pdf", printed()))})),
    ],
)
def test_a_file_that_holds_mails_is_taken_apart_in_a_process(readers, name, content):
    with Readers(processes=1) as fresh:
        found = fresh.read_mail_file(name, content)

        assert [1] == [process.served for process in fresh.pool._seats["open"]._idle]
    assert read_mail_file(name, content) == found
    assert found.attachments


def test_an_archive_that_ends_its_process_is_refused():
    with readers_that("signal.raise_signal(signal.SIGKILL)") as struck, pytest.raises(Hostile, match="signal 9"):
        struck.read_mail_file("notes.zip", zipped(note=b"x"))


def test_a_mail_that_takes_too_long_costs_its_process_only():
    with readers_that("time.sleep(60)", limits=ReadLimits(mail_seconds=0.3)) as slow:
        mail = slow.read_mail(mail_with(("note.zip", zipped(note=b"x"))))

    assert "took longer than 0.3 seconds" in mail.attachments[0].flaw


def test_half_a_surrogate_pair_in_a_mail_does_not_stop_it(readers):
    raw = mail_with(("note.zip", zipped(note=b"x"))).replace(b"Subject: Note", b"Subject: =?utf-7?q?+2D0-?= Note")

    assert readers.read_mail(raw).subject.endswith("Note")


@pytest.mark.parametrize("letters", ["=?", "\\", "[", "=?utf-8?b?"])
def test_a_long_line_of_no_addresses_is_read_in_a_moment(letters):
    started = time.process_time()

    assert () == read_mail(b"To: " + letters.encode() * (60_000 // len(letters)) + b"\r\n\r\nhello").to
    assert time.process_time() - started < 3


def test_ten_thousand_signature_marks_are_read_in_a_moment():
    started = time.process_time()

    assert read_mail(b"Subject: x\r\n\r\n" + b"-- \r\n" * 15_000).text_body
    assert time.process_time() - started < 3
