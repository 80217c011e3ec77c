"""How IMAP's lines are read: pure."""

from datetime import UTC, datetime

import pytest

from postroom.nouns.errors import CursorExpired, Misconfigured
from postroom.outside.imap import parse, wire
from postroom.outside.imap.wire import Garbled


def told(*lines):
    return [wire.response([line]) for line in lines]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([b""], []),
        ([b"(EARLIER) 1:3,5"], [[b"EARLIER"], b"1:3,5"]),
        ([b'(A "b \\"c\\" \\\\ (" NIL "NIL" ())'], [[b"A", b'b "c" \\ (', None, b"NIL", []]]),
        (
            [b"(BODY[HEADER.FIELDS (A B)]<0> ", b"x)(\r\n", b" UID 5)"],
            [[b"BODY[HEADER.FIELDS (A B)]<0>", b"x)(\r\n", b"UID", b"5"]],
        ),
        ([b"(BODY[] ", b"", b")"], [[b"BODY[]", b""]]),
    ],
)
def test_values_are_read_with_their_literals(pieces, expected):
    assert wire.values(pieces) == expected


@pytest.mark.parametrize("line", [b"(", b")", b"(()", b'"open', b"[open"])
def test_what_is_not_balanced_is_garbled(line):
    with pytest.raises(Garbled):
        wire.values([line])


def test_a_status_is_told_from_its_code():
    answer = wire.response([b'NO [AUTHENTICATIONFAILED] Sorry (really) "no'])

    assert ("NO", "AUTHENTICATIONFAILED", 'Sorry (really) "no') == (answer.name, answer.code, answer.text)
    assert wire.response([b"ok"]).name == "OK"
    assert wire.response([b"OK [PERMANENTFLAGS (\\Seen \\*)] x"]).argument == "(\\Seen \\*)"
    assert wire.response([b"12 EXISTS"]).number == 12


def test_a_list_that_is_no_pairs_is_garbled():
    for value in (None, b"x", [b"UID"]):
        with pytest.raises(Garbled):
            wire.pairs(value)


def test_ranges_are_read_either_way_round():
    assert list(wire.numbers("3,7:5")) == [(3, 3), (5, 7)]
    for text in ("x", "1:*", "1:-2"):
        with pytest.raises(Garbled):
            list(wire.numbers(text))


def test_a_folder_is_known_by_its_numbers():
    folder = parse.folder(told(b"OK [UIDVALIDITY 7] a", b"OK [UIDNEXT 9] b", b"OK [HIGHESTMODSEQ 55] c"))

    assert parse.ImapFolder(7, 9, 55) == folder
    assert parse.folder(told(b"OK [UIDVALIDITY 7] a", b"OK [UIDNEXT 9] b", b"OK [NOMODSEQ] c")).highest_change == 0
    with pytest.raises(Misconfigured):
        parse.folder(told(b"OK [UIDNEXT 9] b"))


def test_a_server_that_names_everything_as_vanished_asks_for_a_resync():
    assert parse.vanished(told(b"VANISHED (EARLIER) 1:4294967295"), 5) == [1, 2, 3, 4, 5]
    assert parse.vanished(told(b"VANISHED (EARLIER) 9,2"), 5) == [2]
    with pytest.raises(CursorExpired):
        parse.vanished(told(b"VANISHED (EARLIER) 1:4294967295"), 4_000_000_000)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b" 3-Mar-2026 11:30:05 +0100", datetime(2026, 3, 3, 10, 30, 5, tzinfo=UTC)),
        (b"31-dec-2025 23:30:00 -0130", datetime(2026, 1, 1, 1, 0, tzinfo=UTC)),
        (b"31-Feb-2026 10:00:00 +0000", None),
        (b"03-Xyz-2026 10:00:00 +0000", None),
        (b"yesterday", None),
        (None, None),
    ],
)
def test_arrival_times_are_read_in_english_and_told_in_utc(text, expected):
    assert parse.internal_date(text) == expected


def test_the_day_to_search_from_is_never_too_late():
    assert parse.day_before(datetime(2026, 3, 1, 0, 30, tzinfo=UTC)) == "28-Feb-2026"


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("INBOX", "INBOX"),
        ("A & B", "A &- B"),
        ("Entwürfe", "Entw&APw-rfe"),
        ("~peter/mail/台北/日本語", "~peter/mail/&U,BTFw-/&ZeVnLIqe-"),
        ("🔑", "&2D3dEQ-"),
    ],
)
def test_names_of_folders_are_written_as_imap_wants(name, written):
    assert parse.folder_name(name) == written
