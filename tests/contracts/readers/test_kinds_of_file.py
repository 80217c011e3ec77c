from __future__ import annotations

import pytest

from postroom.mail.headers import decode_bytes
from postroom.mail.sniff import readable_as
from postroom.nouns.documents import NotADocument
from postroom.outside.readers.pool import Readers


@pytest.mark.parametrize("content", [b"PK\x03\x04zip", b"\x7fELF", b"MZ\x90\x00", bytes(range(32)) * 4])
def test_other_files_are_refused_by_their_content(readers, content):
    with pytest.raises(NotADocument, match="convert"):
        readers.read(content)


def test_an_empty_file_is_called_empty(readers):
    with pytest.raises(NotADocument, match="The file is empty; ask for it again"):
        readers.read(b"")


def test_typed_text_is_read_without_a_process():
    with Readers(processes=1) as idle:
        text = idle.read("Kurswert  1.234,56 €".encode("cp1252"))

    assert ["Kurswert", "1.234,56", "€"] == [word.text for word in text.pages[0].words]


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"junk before %PDF-1.4", "pdf"),
        (b"\x89PNG\r\n\x1a\n", "image"),
        (b"\xff\xd8\xff\xe0", "image"),
        (b"II*\x00", "image"),
        (b"plain words\n", "text"),
        (b"GIF89a", "unknown"),
    ],
)
def test_a_file_is_what_its_first_bytes_say(content, kind):
    assert kind == readable_as(content)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_text_is_decoded_whatever_wrote_it(encoding):
    assert "Börse €" == decode_bytes("Börse €".encode(encoding))
