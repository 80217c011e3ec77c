"""What this room asks of the outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from postroom.nouns.documents import DocumentText, Extraction
from postroom.nouns.mail import MailMessage
from postroom.ports import MessageFetcher, Model
from postroom.reading.profiles import SenderProfile
from postroom.rooms.documents.archive import ArchivePort


class FileReader(Protocol):
    """Reads files that strangers sent, in processes of its own. Raises only CannotRead."""

    async def aread(self, content: bytes, passwords: Sequence[str] = ()) -> DocumentText: ...

    def page_image(self, content: bytes, page: int, width: int = 1000, passwords: Sequence[str] = ()) -> bytes:
        """Page `page` (from 1) of a PDF or an image as PNG. Blocks."""


class Sealing(Protocol):
    """Keeps secrets that only we can open, each bound to what it is about."""

    def seal(self, plain: bytes, *, about: str) -> bytes: ...

    def open(self, sealed: bytes, *, about: str) -> bytes: ...


class DocumentPorts(Protocol):
    """What the jobs of this room find in `work.outside`."""

    @property
    def fetcher(self) -> MessageFetcher: ...

    @property
    def read_mail(self) -> Callable[[bytes], MailMessage]: ...

    @property
    def reader(self) -> FileReader: ...

    @property
    def extract(self) -> Callable[[DocumentText, SenderProfile | None], Extraction]:
        """What the words of a document say, to one who knows the sender. Pure and slow: called in a thread."""

    @property
    def model(self) -> Model | None:
        """Who is asked for a second opinion, if anybody."""

    @property
    def archive(self) -> ArchivePort:
        """Where the archive is kept."""

    @property
    def sealer(self) -> Sealing: ...


def about_password(tenant_id: object, password_id: object) -> str:
    return f"{tenant_id}/pdf_password/{password_id}"
