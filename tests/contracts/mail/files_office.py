"""Imported files: what was read from a folder once can be read again, and nothing comes by itself."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from postroom.app.providers import ImportedMail
from postroom.nouns.archive_keys import import_key
from postroom.nouns.ids import TenantId
from postroom.nouns.providers import ProviderRef
from postroom.outside.blobs import Archive, open_blobs
from postroom.outside.files import open_files
from postroom_simulators.clock import SimClock


class FilesOffice:
    name, address = "files", "imported@files"

    def __init__(self, folder: Path, archive: Archive, clock: SimClock) -> None:
        self._folder, self._shelf, self.clock = folder, archive, clock
        self._tenant = TenantId(uuid.uuid4())
        self.provider = ImportedMail(self._tenant, archive)

    async def deliver(self, raw: bytes) -> ProviderRef:
        """As `postroom ingest` does: the file is read, and its bytes are kept under its ref."""
        path = self._folder / f"{uuid.uuid4().hex}.eml"
        path.write_bytes(raw)
        [mail] = open_files([path])
        await self._shelf.put_if_absent(import_key(self._tenant, mail.glimpse.ref), mail.raw, {}, "message/rfc822")
        return mail.glimpse.ref

    async def erase(self, ref: ProviderRef) -> None:
        await self._shelf.remove(import_key(self._tenant, ref))


@asynccontextmanager
async def open_office() -> AsyncIterator[FilesOffice]:
    clock = SimClock()
    with tempfile.TemporaryDirectory(prefix="postroom-files-") as folder:
        (Path(folder) / "in").mkdir()
        archive = open_blobs((Path(folder) / "kept").as_uri(), options={}, now=clock.now)
        async with archive:
            yield FilesOffice(Path(folder) / "in", archive, clock)
