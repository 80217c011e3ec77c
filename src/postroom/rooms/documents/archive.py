"""Where a processed document is kept for good: one path per document, written once, never replaced."""

from __future__ import annotations

import asyncio
import hashlib
import re
import unicodedata
import uuid
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Protocol
from urllib.parse import quote

from postroom.mail.sniff import DOCX, XLSX, sniff
from postroom.nouns.errors import NotFound, Unavailable

SENDER_BYTES, ID_BYTES, NAME_BYTES, LABEL_BYTES = 200, 128, 180, 256
NOBODY = "__HIVE_DEFAULT_PARTITION__"  # what Hive itself calls an empty partition value
_TRADE_KEY = re.compile(r".+-\d{8}-.+-(BUY|SELL)-\d+(\.\d+)?", re.DOTALL)


class ArchivePort(Protocol):
    """As much of an archive as is needed here."""

    async def put_if_absent(self, key: str, data: bytes, metadata: Mapping[str, str], content_type: str) -> bool: ...

    async def get(self, key: str) -> bytes: ...

    async def remove(self, key: str) -> None: ...


@dataclass(frozen=True, slots=True)
class ArchivedType:
    """A media type, and the name endings that fit it, the usual one first."""

    media_type: str
    endings: tuple[str, ...]


PDF = ArchivedType("application/pdf", ("pdf",))
_OTHERS = (
    ArchivedType("image/png", ("png",)),
    ArchivedType("image/jpeg", ("jpg", "jpeg")),
    ArchivedType("image/tiff", ("tif", "tiff")),
    ArchivedType("application/xml", ("xml",)),
    ArchivedType("text/html", ("html", "htm")),
    ArchivedType(DOCX, ("docx",)),
    ArchivedType(XLSX, ("xlsx",)),
    ArchivedType("image/heic", ("heic", "heif", "avif")),
    ArchivedType("image/webp", ("webp",)),
    ArchivedType("image/gif", ("gif",)),
    ArchivedType("image/bmp", ("bmp",)),
    ArchivedType("application/x-7z-compressed", ("7z",)),
    ArchivedType("application/vnd.rar", ("rar",)),
    ArchivedType("application/gzip", ("gz",)),
    ArchivedType("application/pkcs7-mime", ("p7m",)),
)
_BY_NAME_TOO = (ArchivedType("text/plain", ("txt",)), ArchivedType("text/csv", ("csv",)))
"""Bytes that may be anything: they are filed as text where the name says so as well."""


def archived_type(content: bytes, filename: str = "") -> ArchivedType:
    """PDF unless the bytes clearly say something else: a picture must not be filed as a PDF."""
    media_type = sniff(content)
    named = [each for each in _BY_NAME_TOO if filename.lower().endswith(each.endings)]
    return next((each for each in (*_OTHERS, *named) if each.media_type == media_type), PDF)


def key_of_trade(username: str, traded_on: date, ticker: str, direction: str, quantity: Decimal | int) -> str:
    """`ldeburna-20260204-AAPL-BUY-100`: the same trade has the same key, however its quantity was written."""
    count = f"{Decimal(quantity):f}"
    count = count.rstrip("0").rstrip(".") if "." in count else count
    return f"{username}-{traded_on:%Y%m%d}-{ticker}-{direction}-{count}"


def unique_id_for(trade_key: str | None = None, message_id: str | None = None) -> str:
    """The trade's key; else 16 hex digits of the message id's SHA-256; else a UUID, for the caller to keep."""
    if trade_key:
        return trade_key
    if message_id:
        return hashlib.sha256(message_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return str(uuid.uuid4())


def archive_path(
    sender_email: str, received: date, unique_id: str, filename: str, kind: ArchivedType = PDF, mark: str = ""
) -> str:
    """`archive/sender_email={encoded}/received_date={YYYY-MM-DD}/{unique_id}/{filename}.pdf`.

    The sender is encoded as Hive wants it. Id and name stay as they are, except for what could mislead:
    slashes, percent signs, control and formatting characters, dots that lead, trail or repeat, and outer
    blanks become %XX, so that unquoting gives the original back. Overlong parts end in `~` and 16 hex digits
    of their hash. A name that already has its ending does not get it twice.
    """
    sender = _short(hive(sender_email), SENDER_BYTES) or NOBODY
    folder = _short(harmless(unique_id), ID_BYTES)
    stem, ending = _ending(filename, kind)
    name = _short(harmless(stem), NAME_BYTES) or "document"
    day = _day(received).isoformat()
    return f"archive/sender_email={sender}/received_date={day}/{folder}/{name}{mark}.{ending}"


def hive(value: str) -> str:
    return quote(value, safe="-_~", errors="replace").replace(".", "%2E")


def harmless(text: str) -> str:
    """As one path segment that means the same everywhere."""
    shown = "".join(_percent(char) if _misleads(char) else char for char in unicodedata.normalize("NFC", text))
    return re.sub(r"^[. ]+|[. ]+$|\.{2,}", lambda found: _percent(found[0]), shown)


def _misleads(char: str) -> bool:
    # Controls, formatting (also text direction), surrogates, unassigned, line and paragraph separators.
    return char in "/\\%" or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn", "Zl", "Zp")


def _percent(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8", "replace"))


def _short(text: str, limit: int) -> str:
    raw = text.encode()
    if len(raw) <= limit:
        return text
    mark = f"~{hashlib.sha256(raw).hexdigest()[:16]}"
    kept = raw[: limit - len(mark)].decode("utf-8", "ignore")
    return re.sub(r"%[0-9A-F]?$", "", kept) + mark


def _ending(filename: str, kind: ArchivedType) -> tuple[str, str]:
    stem, dot, ending = filename.rpartition(".")
    if dot and ending.lower() in kind.endings:
        return stem, ending.lower()
    return filename, kind.endings[0]


def _day(received: date) -> date:
    if isinstance(received, datetime):
        return (received.astimezone(UTC) if received.tzinfo else received).date()
    return received


class PDFArchiver:
    """One archive for all sources. The returned path is the key to read the document back with.

    The same content under the same id and name is kept once, however often it comes, so that a crash between
    archiving and recording leaves one file. Other content under the same id and name gets a path of its own,
    marked with its hash. `under` is a folder before `archive/` that keeps one tenant's documents apart.
    """

    def __init__(self, archive: ArchivePort, *, now: Callable[[], datetime], under: str = "") -> None:
        self._shelf = archive
        self._now = now
        self._under = f"{under}/" if under else ""

    def archive_processed_pdf(
        self,
        pdf_bytes: bytes,
        sender_email: str,
        received_date: date,
        unique_id: str,
        filename: str,
        source: str,
        *,
        trade_key: str | None = None,
    ) -> str:
        """Blocks until the document is kept. Async code awaits `aarchive_processed_pdf` instead."""

        def work() -> str:
            return asyncio.run(
                self.aarchive_processed_pdf(
                    pdf_bytes, sender_email, received_date, unique_id, filename, source, trade_key=trade_key
                )
            )

        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return work()
        with ThreadPoolExecutor(1) as aside:  # a running loop cannot run another
            return aside.submit(work).result()

    async def aarchive_processed_pdf(
        self,
        pdf_bytes: bytes,
        sender_email: str,
        received_date: date,
        unique_id: str,
        filename: str,
        source: str,
        *,
        trade_key: str | None = None,
    ) -> str:
        kind = archived_type(pdf_bytes, filename)
        folder = unique_id if unique_id.strip() else unique_id_for()
        labels = self._labels(sender_email, source, trade_key or _as_trade_key(unique_id))
        for mark in _marks(pdf_bytes):
            path = self._under + archive_path(sender_email, received_date, folder, filename, kind, mark)
            if await self._keep(path, pdf_bytes, labels, kind.media_type):
                return path
        raise Unavailable("The archive gave back something else than what was put there; try again.")

    async def _keep(self, path: str, content: bytes, labels: Mapping[str, str], content_type: str) -> bool:
        if await self._shelf.put_if_absent(path, content, labels, content_type):
            return True
        try:
            return await self._shelf.get(path) == content
        except NotFound:
            raise Unavailable(f"{path} was removed while it was compared; try again.") from None

    def _labels(self, sender_email: str, source: str, trade: str | None) -> dict[str, str]:
        labels = {
            "sender-email": _label(sender_email),
            "source": _label(source, 64),
            "processed-at": self._now().astimezone(UTC).isoformat(),
        }
        return labels | ({"trade-key": _label(trade)} if trade else {})


def _marks(content: bytes) -> Iterator[str]:
    """Nothing first; what is taken by other content gets a piece of its own hash, then a longer one."""
    yield ""
    digest = hashlib.sha256(content).hexdigest()
    yield f"-{digest[:16]}"
    yield f"-{digest[:40]}"


def _as_trade_key(unique_id: str) -> str | None:
    return unique_id if _TRADE_KEY.fullmatch(unique_id) else None


def _label(value: str, limit: int = LABEL_BYTES) -> str:
    return value.encode("utf-8", "replace")[:limit].decode("utf-8", "ignore")
