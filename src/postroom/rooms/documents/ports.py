"""What this room asks of the outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol

from postroom.nouns.documents import DocumentText, Extraction
from postroom.nouns.ids import TenantId
from postroom.nouns.mail import MailMessage
from postroom.ports import MessageFetcher, Model, Sealing
from postroom.reading.profiles import SenderProfile
from postroom.rooms.documents.archive import ArchivePort


class FileReading(Protocol):
    """What a file says, and how it was read."""

    @property
    def extraction(self) -> Extraction: ...

    @property
    def source(self) -> Literal["text_layer", "ocr", "plain", "xml"]: ...

    @property
    def pages(self) -> int: ...

    @property
    def scripted(self) -> bool: ...

    @property
    def damaged(self) -> bool: ...

    @property
    def withheld(self) -> bool:
        """Whether parts that people do not see, such as hidden rows, were left out."""

    @property
    def text(self) -> DocumentText | None:
        """The words, if they were asked for."""


class FileReader(Protocol):
    """Reads files that strangers sent, in processes of its own, never those of two tenants in one. Raises only
    CannotRead."""

    async def aread(
        self, content: bytes, passwords: Sequence[str] = (), *, tenant: TenantId | None = None
    ) -> DocumentText: ...

    async def aextract(
        self,
        content: bytes,
        passwords: Sequence[str] = (),
        *,
        profile: SenderProfile | None = None,
        own: Sequence[str] = (),
        with_words: bool = False,
        tenant: TenantId | None = None,
    ) -> FileReading: ...

    async def aread_mail(self, raw: bytes, *, tenant: TenantId | None = None) -> MailMessage: ...

    async def apage_image(
        self,
        content: bytes,
        page: int,
        width: int = 1000,
        passwords: Sequence[str] = (),
        *,
        tenant: TenantId | None = None,
    ) -> bytes:
        """Page `page` (from 1) of a PDF or an image as PNG, of another file as SVG."""


class DocumentPorts(Protocol):
    """What the jobs of this room find in `work.outside`."""

    @property
    def fetcher(self) -> MessageFetcher: ...

    @property
    def reader(self) -> FileReader: ...

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
