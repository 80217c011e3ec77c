"""The document processor: bytes to an extraction, with a reader handed in, and a model if there is one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from postroom.nouns.documents import BrokenFile, DocumentText, Extraction
from postroom.ports import Model
from postroom.reading.extract import extract
from postroom.reading.invoices.ours import never_ours
from postroom.reading.profiles import SenderProfile
from postroom.rooms.documents.second_opinion import with_opinion


class Reader(Protocol):
    """Turns a file into words with places. Raises postroom.nouns.documents.CannotRead."""

    def read(self, content: bytes, passwords: Sequence[str] = ()) -> DocumentText: ...


class DocumentProcessorAgent:
    """Reads a document and says what it tells: trades, an invoice, or neither.

    `own` are the names and mail addresses of the house that is served: it is never the supplier. `model` gives a second
    opinion, which is weighed and never believed by itself.
    """

    def __init__(
        self,
        reader: Reader,
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
        text = self._reader.read(pdf_bytes, self._passwords)
        read = extract(text, self._profile)
        if self._model is None:
            return never_ours(text, believable(text, read), self._own)
        with ThreadPoolExecutor(1) as beside:  # a loop of its own, whether or not one runs here
            return beside.submit(asyncio.run, reconsidered(text, read, self._profile, self._own, self._model)).result()


async def reconsidered(
    text: DocumentText, read: Extraction, profile: SenderProfile | None, own: Sequence[str], model: Model | None
) -> Extraction:
    """What our own names and a model's opinion make of a reading. Raises CannotRead as `believable` does."""
    known = await asyncio.to_thread(never_ours, text, read, own) if own else read
    return believable(text, await with_opinion(model, text, known, profile))


def believable(text: DocumentText, read: Extraction) -> Extraction:
    """Of a damaged file it is not believed that it concerns nobody: what says so may be the damage."""
    if text.damaged and read.type == "other":
        raise BrokenFile("The PDF is damaged, and what is left of it makes no sense; ask for it again.")
    return read
