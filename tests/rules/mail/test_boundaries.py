"""Boundaries go by other names while a mail is taken apart: nobody may see a difference."""

from __future__ import annotations

from email import message_from_bytes
from email.message import Message
from email.policy import compat32
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from postroom.mail.mime_parts import parsed, slim

LINES = (
    *('Content-Type: multipart/mixed; boundary="aaa"', "Content-Type: multipart/alternative; boundary=bbb; x=1"),
    *('Content-Type: multipart/mixed; boundary="aaab"', 'Content-Type: multipart/mixed; boundary="aaa--"'),
    *('Content-Type: multipart/mixed; boundary = "ccc"', "Content-Type: multipart/mixed; BOUNDARY*=us-ascii''aaa"),
    *('Content-Type: multipart/mixed;\n\tboundary="aaa"', 'Content-Type: multipart/mixed; boundary="a\\"aa"'),
    *(
        "Content-Type: message/rfc822",
        "Content-Type: text/plain",
        "Subject: aaa",
        "--aaa",
        "--aaa--",
        "--aaa \t",
        "--bbb",
    ),
    *("--bbb--", "--aaab", "--aaab--", "--aaa----", "--ccc", "--ccc--", " --aaa", "--aaa.", "text of aaa", "", "", ""),
)
NESTED = b"""Content-Type: multipart/mixed; boundary="one"

before
--one
Content-Type: multipart/alternative; boundary=two

--two

--one is said here: --two--
--two--
between
--one
Content-Type: message/rfc822

Content-Type: multipart/mixed; boundary="three"

--three

inner
--three--
--one--
after --one--
"""


def shape(part: Message) -> Any:
    payload = part.get_payload()
    inside = [shape(each) for each in payload] if part.is_multipart() else payload
    return [list(part.raw_items()), part.get_boundary(), inside, part.preamble, part.epilogue]


def both(raw: bytes) -> tuple[Any, Any]:
    return shape(message_from_bytes(raw, policy=compat32)), shape(parsed(slim(raw)))


@pytest.mark.parametrize("ends", [b"\n", b"\r\n", b"\r"])
def test_parts_in_parts_are_those_that_the_standard_library_finds(ends: bytes) -> None:
    expected, actual = both(NESTED.replace(b"\n", ends))
    assert expected == actual


def test_an_enclosed_mail_is_written_out_with_its_own_boundary() -> None:
    enclosed = parsed(slim(NESTED)).get_payload(1).get_payload(0)
    assert b'boundary="three"\n\n--three\n\ninner\n--three--\n' in enclosed.as_bytes()


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=25), st.lists(st.sampled_from(["\n", "\r\n"]), min_size=1))
def test_whatever_the_lines_are_the_parts_are_the_same(lines: list[str], ends: list[str]) -> None:
    expected, actual = both("".join(line + ends[at % len(ends)] for at, line in enumerate(lines)).encode())
    assert expected == actual


@given(st.lists(st.sampled_from([*LINES[:2], *LINES[8:], "Content-Type: multipart/x; boundary=aaab"]), max_size=30))
def test_so_they_are_when_every_boundary_is_stated_plainly(lines: list[str]) -> None:
    expected, actual = both("\n".join([LINES[0], "", "--aaa", *lines]).encode())
    assert expected == actual
