"""The document processor: bytes to an extraction, with a reader handed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from postroom.nouns.documents import DocumentText, Extraction
from postroom.rooms.documents.reading.extract import extract
from postroom.rooms.documents.reading.profiles import Profile


class Reader(Protocol):
    """Turns a file into words with places. Raises postroom.nouns.documents.CannotRead."""

    def read(self, content: bytes, passwords: Sequence[str] = ()) -> DocumentText: ...


class DocumentProcessorAgent:
    """Reads a document and says what it tells: trades, an invoice, or neither."""

    def __init__(self, reader: Reader, *, passwords: Sequence[str] = (), profile: Profile | None = None) -> None:
        self._reader = reader
        self._passwords = tuple(passwords)
        self._profile = profile

    def process_pdf(self, pdf_bytes: bytes) -> Extraction:
        """What the file says. Raises CannotRead with the reason when it cannot be read at all."""
        return extract(self._reader.read(pdf_bytes, self._passwords), self._profile)
