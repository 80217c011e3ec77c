"""The document processor: bytes to an extraction, with a reader handed in, and a model if there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from postroom.nouns.documents import BrokenFile, Extraction
from postroom.ports import Model
from postroom.reading.profiles import SenderProfile
from postroom.rooms.documents.ports import FileReading
from postroom.rooms.documents.second_opinion import with_opinion


class BlockingReader(Protocol):
    """Reads a file in a process of its own. Raises postroom.nouns.documents.CannotRead."""

    def extract(
        self,
        content: bytes,
        passwords: Sequence[str] = (),
        *,
        profile: SenderProfile | None = None,
        own: Sequence[str] = (),
        with_words: bool = False,
    ) -> FileReading: ...


class DocumentProcessorAgent:
    """Reads a document and says what it tells: trades, an invoice, or neither.

    `own` are the names and mail addresses of the house that is served: it is never the supplier. `model` gives a second
    opinion, which is weighed and never believed by itself.
    """

    def __init__(
        self,
        reader: BlockingReader,
        *,
        passwords: Sequence[str] = (),
        profile: SenderProfile | None = None,
        own: Sequence[str] = (),
        model: Model | None = None,
    ) -> None:
        self._reader = reader
        self._passwords = tuple(passwords)
        self._profile = profile
        self._own = tuple(own)
        self._model = model

    def process_pdf(self, pdf_bytes: bytes) -> Extraction:
        """What the file says. Raises CannotRead with the reason when it cannot be read at all. Blocks."""
        read = self._reader.extract(
            pdf_bytes, self._passwords, profile=self._profile, own=self._own, with_words=self._model is not None
        )
        if self._model is None:
            return believable(read.extraction, damaged=read.damaged)
        with ThreadPoolExecutor(1) as beside:  # a loop of its own, whether or not one runs here
            return beside.submit(asyncio.run, reconsidered(read, self._profile, self._model)).result()


async def reconsidered(read: FileReading, profile: SenderProfile | None, model: Model | None) -> Extraction:
    """What a model's opinion makes of a reading. Raises CannotRead as `believable` does."""
    told = read.extraction
    if model is not None and read.text is not None:
        told = await with_opinion(model, read.text, told, profile)
    return believable(told, damaged=read.damaged)


def believable(read: Extraction, *, damaged: bool) -> Extraction:
    """Of a damaged file it is not believed that it concerns nobody: what says so may be the damage."""
    if damaged and read.type == "other" and not read.entries:
        raise BrokenFile("The PDF is damaged, and what is left of it makes no sense; ask for it again.")
    return read
