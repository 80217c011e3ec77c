from __future__ import annotations

import io
import re
import zipfile

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


def _zip_of(*names: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return out.getvalue()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\0\0\0\x18ftypheic", "A picture from a telephone (.heic) cannot be read; ask for it as a PDF"),
        (b"RIFF\0\0\0\0WEBP", "A WebP picture cannot be read"),
        (b"GIF89a", "A GIF picture cannot be read"),
        (b"7z\xbc\xaf\x27\x1c", "A 7-Zip archive (.7z) is not opened; unpack it"),
        (b"Rar!\x1a\x07", "A RAR archive (.rar) is not opened; unpack it"),
        (b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03", "only its recipient can open; ask the sender"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "Book".encode("utf-16-le"),
            "(such as .doc, .xls or .msg) cannot be read",
        ),
        (_zip_of("FixedDocSeq.fdseq", "Documents/1/FixedDoc.fdoc"), "An XPS file (.xps, .oxps) cannot be read"),
        (_zip_of("Index/Document.iwa"), "A file of Apple Pages or Numbers cannot be read"),
    ],
    ids=["heic", "webp", "gif", "7z", "rar", "p7m", "OLE", "xps", "pages"],
)
def test_a_file_that_nobody_reads_is_named_with_what_to_do(readers, content, said):
    with pytest.raises(NotADocument, match=re.escape(said)):
        readers.extract(content + bytes(2000))
