"""Mail from .eml, .mbox and Maildir files."""

import os
import tracemalloc
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from postroom.nouns.providers import DRAFT, INBOX, TRASH
from postroom.outside.files import open_files
from postroom.outside.files.mbox import delivered_at

RECEIVED = "Received: from a.test by b.test; Tue, 3 Mar 2026 11:00:00 +0100\n"


def mail(subject="Hello", text="Dear Anna,\n\nsee below.\n", head=""):
    return f"{head}From: Carl <carl@client.test>\nSubject: {subject}\nMessage-ID: <{subject}@x>\n\n{text}".encode()


def in_mbox(*mails, envelope="From carl@client.test Tue Mar  3 10:00:00 2026"):
    return b"".join(f"{envelope}\n".encode() + raw + b"\n" for raw in mails)


def maildir(folder, *names):
    for part in ("cur", "new", "tmp"):
        (folder / part).mkdir(parents=True)
    for name in names:
        (folder / name).write_bytes(mail(name))
    return folder


def imported(*paths, **options):
    broken = []
    mails = list(open_files(paths, broken=broken.append, **options))
    return mails, broken


def subjects(mails):
    return [mail.raw.partition(b"Subject: ")[2].partition(b"\n")[0].decode().strip() for mail in mails]


def test_a_single_mail_is_read_as_it_is(tmp_path):
    (tmp_path / "a.eml").write_bytes(mail())

    (found,), broken = imported(tmp_path / "a.eml")

    assert mail() == found.raw
    assert ("<Hello@x>", {INBOX}, []) == (found.glimpse.internet_message_id, found.glimpse.labels, broken)


def test_a_folder_is_read_with_all_its_folders(tmp_path):
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "a.eml").write_bytes(mail("one"))
    (tmp_path / "b" / "B.EML").write_bytes(mail("two"))
    (tmp_path / "b" / "c" / "old.mbox").write_bytes(in_mbox(mail("three"), mail("four")))
    maildir(tmp_path / "d", "cur/1.M1.host:2,S", "new/2.M2.host")
    maildir(tmp_path / "d" / ".Sub", "new/3.M3.host")

    mails, broken = imported(tmp_path)

    assert subjects(mails) == ["one", "two", "three", "four", "cur/1.M1.host:2,S", "new/2.M2.host", "new/3.M3.host"]
    assert broken == []


def test_other_files_in_a_folder_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_bytes(mail())
    (tmp_path / "picture").write_bytes(b"\x89PNG")
    maildir(tmp_path / "m", "tmp/1.half")
    (tmp_path / "m" / "dovecot.index").write_bytes(b"From here on, not mail")

    assert imported(tmp_path) == ([], [])


def test_a_mailbox_file_without_a_suffix_is_known_by_its_first_words(tmp_path):
    (tmp_path / "Inbox").write_bytes(in_mbox(mail("one")))

    assert subjects(imported(tmp_path)[0]) == ["one"]


def test_a_file_that_was_named_is_read_whatever_it_is_called(tmp_path):
    (tmp_path / "letter.txt").write_bytes(mail("one"))
    (tmp_path / "letter").write_bytes(mail("two"))
    (tmp_path / "export.old").write_bytes(in_mbox(mail("three"), mail("four")))

    mails, _ = imported(*(tmp_path / name for name in ("letter.txt", "letter", "export.old")))

    assert subjects(mails) == ["one", "two", "three", "four"]


def test_importing_twice_gives_the_same_refs_and_times(tmp_path):
    (tmp_path / "a.mbox").write_bytes(in_mbox(mail("one"), mail("two")))
    first, _ = imported(tmp_path)
    os.utime(tmp_path / "a.mbox", (0, 0))

    assert imported(tmp_path)[0] == first
    assert len({found.glimpse.ref for found in first}) == 2


def test_the_same_mail_has_one_ref_wherever_it_lies(tmp_path):
    (tmp_path / "a.eml").write_bytes(mail())
    (tmp_path / "b.eml").write_bytes(mail().replace(b"\n", b"\r\n"))
    (tmp_path / "c.mbox").write_bytes(in_mbox(mail(), mail()))
    maildir(tmp_path / "d")
    (tmp_path / "d" / "new" / "1").write_bytes(mail())

    mails, _ = imported(tmp_path)

    assert (len(mails), len({found.glimpse.ref for found in mails})) == (5, 1)


def test_refs_are_stable_for_all_time(tmp_path):
    (tmp_path / "a.eml").write_bytes(b"From: a@b.test\n\nx\n")

    (found,), _ = imported(tmp_path)

    assert found.glimpse.ref == "sha256:8be950ee4132bfc72c603aa7e82a79a11d52e5fff73866372cbc0a560954e5e9"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_an_mbox_is_split_where_envelopes_stand_and_nowhere_else(tmp_path, end):
    prose = (
        "From here on we agree.\n\nFrom now on, as of 2026, too.\n>From quoted\n>>From twice\nFrom a b 10:00 2026 mid\n"
    )
    raw = in_mbox(mail("one", prose), mail("two")).replace(b"\n", end.encode())
    (tmp_path / "a.mbox").write_bytes(raw)

    mails, broken = imported(tmp_path)

    assert (subjects(mails), broken) == (["one", "two"], [])
    unquoted = prose.replace("\n>From q", "\nFrom q").replace("\n>>From", "\n>From").replace("\n", end)
    assert mails[0].raw.decode().endswith(end * 2 + unquoted)


def test_the_last_mail_needs_no_end(tmp_path):
    (tmp_path / "a.mbox").write_bytes(in_mbox(mail("one")) + b"From x Tue Mar  3 10:00:00 2026\nSubject: two")

    assert subjects(imported(tmp_path)[0]) == ["one", "two"]


def test_when_it_came_is_told_by_the_server_then_the_envelope_then_the_writer_then_the_file(tmp_path):
    dated = "Date: Mon, 2 Mar 2026 09:00:00 +0000\n"
    (tmp_path / "1.eml").write_bytes(mail(head=RECEIVED + dated))
    (tmp_path / "2.mbox").write_bytes(in_mbox(mail(head=dated)))
    (tmp_path / "3.eml").write_bytes(mail(head=dated))
    (tmp_path / "4.eml").write_bytes(mail(head="Date: yesterday\nReceived: nonsense\n"))
    os.utime(tmp_path / "4.eml", (1_000_000_000, 1_000_000_000))

    times = [found.glimpse.received_at for found in imported(tmp_path)[0]]

    assert times == [
        datetime(2026, 3, 3, 10, tzinfo=UTC),
        datetime(2026, 3, 3, 10, tzinfo=UTC),
        datetime(2026, 3, 2, 9, tzinfo=UTC),
        datetime.fromtimestamp(1_000_000_000, UTC),
    ]


@pytest.mark.parametrize(
    "line",
    [
        b"From carl@client.test Tue Mar  3 10:00:00 2026\n",
        b"From - Tue Mar 03 10:00:00 2026\r\n",
        b"From 17@xxx Tue Mar 03 11:00:00 +0100 2026\n",
        b"From ???@??? Tue Mar 03 10:00:00 2026\n",
        b"From a@b.test Tue, 3 Mar 2026 12:00:00 +0200\n",
    ],
)
def test_envelope_dates_are_read_in_their_usual_forms(line):
    assert delivered_at(line) == datetime(2026, 3, 3, 10, tzinfo=UTC)


def test_an_envelope_without_a_usable_date_tells_none():
    assert delivered_at(b"From carl@client.test\n") is None
    assert delivered_at(b"From x Tue Xyz 99 99:99:99 2026\n") is None


def test_the_flags_of_a_maildir_are_known(tmp_path):
    maildir(tmp_path, "cur/1:2,S", "cur/2:2,DS", "cur/3:2,ST", "new/4")

    mails, _ = imported(tmp_path)

    assert [{INBOX}, {DRAFT}, {TRASH}, {INBOX}] == [found.glimpse.labels for found in mails]
    assert [found.glimpse.is_draft for found in mails] == [False, True, False, False]


def test_broken_files_are_reported_and_the_others_go_on(tmp_path):
    (tmp_path / "1.eml").write_bytes(b"")
    (tmp_path / "2.eml").write_bytes(b"\x89PNG\r\n\x1a\n")
    (tmp_path / "3.mbox").write_bytes(b"no mailbox at all\n")
    (tmp_path / "4.mbox").write_bytes(in_mbox(mail("one"), b"rubbish\n", b"", mail("two")))
    (tmp_path / "5.eml").write_bytes(mail("three", "x" * 3_000_000))
    (tmp_path / "6.mbox").write_bytes(in_mbox(mail("four", "x\n" * 1_500_000), mail("five")))
    (tmp_path / "7.eml").write_bytes(mail("six"))

    mails, broken = imported(tmp_path, tmp_path / "missing.eml", largest=1024 * 1024)

    assert subjects(mails) == ["one", "two", "five", "six"]
    assert [(Path(one.where).name, one.because.split(":")[0]) for one in broken] == [
        ("1.eml", "There is nothing in it."),
        ("2.eml", "This does not look like a mail"),
        ("3.mbox", "This is no mbox file"),
        ("4.mbox, message 2", "This does not look like a mail"),
        ("4.mbox, message 3", "There is nothing in it."),
        ("5.eml", "It is larger than 1 MB."),
        ("6.mbox, message 1", "It is larger than 1 MB."),
        ("missing.eml", "There is no such file."),
    ]


def test_links_that_lead_nowhere_are_reported_and_the_others_go_on(tmp_path):
    (tmp_path / "a.eml").symlink_to(tmp_path / "a.eml")
    (tmp_path / "b.eml").symlink_to(tmp_path / "not there.eml")
    (tmp_path / "c.eml").write_bytes(mail("one"))

    mails, broken = imported(tmp_path, tmp_path / "b.eml")

    assert subjects(mails) == ["one"]
    assert [Path(one.where).name for one in broken] == ["a.eml", "b.eml"]


def test_a_mark_before_the_first_header_is_no_obstacle(tmp_path):
    (tmp_path / "a.eml").write_bytes(b"\xef\xbb\xbf" + mail("one"))

    assert mail("one") == imported(tmp_path)[0][0].raw


def test_links_in_a_circle_end(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "round").symlink_to(tmp_path)
    (tmp_path / "a" / "1.eml").write_bytes(mail("one"))

    assert subjects(imported(tmp_path)[0]) == ["one"]


def test_progress_counts_up_to_the_whole(tmp_path):
    told = []
    (tmp_path / "1.mbox").write_bytes(in_mbox(*(mail(str(number)) for number in range(5))))
    (tmp_path / "2.eml").write_bytes(b"")
    (tmp_path / "3.eml").write_bytes(mail())
    total = sum(path.stat().st_size for path in tmp_path.iterdir())

    imported(tmp_path, progress=lambda done, whole: told.append((done, whole)))

    assert {whole for _, whole in told} == {total}
    assert told == sorted(told)
    assert ((0, total), (total, total)) == (told[0], told[-1])
    assert len({done for done, _ in told}) == 7


def test_a_large_mailbox_takes_the_memory_of_one_mail(tmp_path):
    with (tmp_path / "a.mbox").open("wb") as file:
        for number in range(300):
            file.write(in_mbox(mail(str(number), "x" * 79 + "\n") + b"y" * 100_000 + b"\n"))

    tracemalloc.start()
    count = sum(1 for _ in open_files([tmp_path]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert count == 300
    assert peak < 3_000_000


def test_a_line_without_end_takes_no_more_memory_than_allowed(tmp_path):
    (tmp_path / "a.mbox").write_bytes(in_mbox(mail("one") + b"z" * 30_000_000 + b"\n", mail("two")))

    tracemalloc.start()
    mails, broken = imported(tmp_path, largest=1024 * 1024)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert (subjects(mails), len(broken)) == (["two"], 1)
    assert peak < 6_000_000


def test_times_without_a_zone_are_utc(tmp_path):
    (tmp_path / "a.eml").write_bytes(mail(head="Date: Mon, 2 Mar 2026 09:00:00 -0000\n"))

    (found,), _ = imported(tmp_path)

    assert found.glimpse.received_at.utcoffset() == timedelta(0)
