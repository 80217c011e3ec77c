"""Raw mail is read as it is, odd mail too."""

import base64

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from postroom_simulators.google.gmail import mime
from postroom_simulators.google.gmail.mailbox import SimGmailMessage
from postroom_simulators.google.gmail.wire import message

CRLF = b"From: a@b.test\r\nSubject: One\r\n  two\r\nBcc: c@d.test\r\nX-Last: y\r\n\r\nBody\r\nBcc: stays\r\n"


@pytest.mark.parametrize("raw", [CRLF, CRLF.replace(b"\r\n", b"\n")])
def test_headers_are_unfolded_and_the_body_is_none(raw):
    assert mime.headers(raw) == [
        ("From", "a@b.test"),
        ("Subject", "One  two"),
        ("Bcc", "c@d.test"),
        ("X-Last", "y"),
    ]


def test_a_header_is_dropped_and_another_added_without_touching_the_rest():
    changed = mime.with_headers(CRLF, drop=("bcc",), add=(("Message-ID", "<1@x.test>"),))
    assert changed == b"Message-ID: <1@x.test>\r\n" + CRLF.replace(b"Bcc: c@d.test\r\n", b"")


def test_threading_reads_the_nearest_reference_first():
    raw = b"Message-ID: <3@x>\nReferences: <1@x>\n <2@x>\nIn-Reply-To: <2@x>\nSubject: =?utf-8?q?Re=3A?= AW: Hi  there\n\n"
    about = mime.envelope(raw)
    assert about == mime.ThreadHeaders("<3@x>", ("<2@x>", "<2@x>", "<1@x>"), "hi there")


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"Subject: x\r\n\r\nTom & <Jerry>", "Tom &amp; &lt;Jerry&gt;"),
        (b"Content-Type: text/html\r\n\r\n<style>p{}</style><p>Tom &amp; J&eacute;r</p>", "Tom &amp; Jér"),
        (b"Content-Type: text/plain; charset=iso-8859-1\r\n\r\nGr\xfc\xdfe", "Grüße"),
        (b"Content-Type: text/plain; charset=no-such\r\n\r\nhello", "hello"),
        (b"Content-Transfer-Encoding: base64\r\n\r\naGVsbG8=", "hello"),
        (b"Content-Type: application/pdf\r\n\r\n%PDF", ""),
        (b"", ""),
    ],
)
def test_the_snippet_is_the_first_text_escaped(raw, expected):
    assert mime.snippet(raw) == expected


def test_raw_eight_bit_headers_are_read_as_utf8():
    raw = "Subject: Grüße\r\n\r\nx".encode()
    assert mime.tree(raw).headers() == mime.headers(raw) == [("Subject", "Grüße")]


@settings(deadline=None, database=None)
@given(st.binary(max_size=400))
def test_any_bytes_can_be_shown_in_every_format(raw):
    mail = SimGmailMessage("19a0000000000000", "19a0000000000000", raw, {"INBOX"}, 0.0)
    for form in ("minimal", "metadata", "full", "raw"):
        shown = message(mail, form, lambda _, part_id: f"id-{part_id}")
    assert base64.urlsafe_b64decode(shown["raw"]) == raw
    assert mime.envelope(raw).subject == mime.envelope(raw).subject.casefold()


def test_a_person_rewrites_the_body_and_keeps_the_headers():
    changed = mime.with_text(CRLF, "Neue Grüße")
    assert mime.header(changed, "X-Last") == "y"
    assert mime.tree(changed).content().decode().strip() == "Neue Grüße"
