"""What a file is, by its bytes: two letters alone make no picture and no program."""

import pytest

from postroom.mail.sniff import is_text, sniff


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"BMO Bank: contract note\nBought 10 shares\n", "text/plain"),
        (b"MZ Handels GmbH\nRechnung 4711\n", "text/plain"),
        (b"BM\x36\x00\x0c\x00\x00\x00\x00\x00\x36\x00\x00\x00", "image/bmp"),
        (b"MZ\x90\x00\x03\x00\x00\x00", "application/x-msdownload"),
    ],
)
def test_a_name_that_begins_like_a_picture_or_a_program_is_text(content, kind):
    assert kind == sniff(content)


@pytest.mark.parametrize(
    ("content", "typed"),
    [
        (b"# Prices\n\nParking: 18 EUR\n", True),
        ("Frühstück ab 7 Uhr".encode("cp1252"), True),
        ("Prices".encode("utf-16"), True),
        (b"", True),
        (bytes(range(256)), False),
        (b"PK\x03\x04\x14\0\x06\0", False),
    ],
)
def test_what_a_person_may_have_typed_is_text(content, typed):
    assert typed is is_text(content)
