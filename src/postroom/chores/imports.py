"""Mail and documents from files, through the same doors as those that arrive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from postroom.app.house import House
from postroom.engine.work import TenantScope
from postroom.nouns.archive_keys import import_key
from postroom.nouns.errors import PostroomError
from postroom.nouns.ids import MailboxId
from postroom.nouns.jobs import Enqueue, Priority
from postroom.nouns.providers import RawMail
from postroom.outside.files.importer import SkippedFile, open_files
from postroom.rooms.documents import commands as documents
from postroom.rooms.mailboxes import commands as mailboxes
from postroom.rooms.sync import rules, store
from postroom.rooms.sync.jobs import FetchMessage, FetchMessages

DOCUMENTS = {".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".xml", ".docx", ".xlsx", ".html", ".htm", ".csv"}
ADDRESS = "imported@files"
PAGE = 100


@dataclass(slots=True)
class ImportSummary:
    """What an import found."""

    new: int = 0
    known: int = 0
    broken: list[tuple[str, str]] = field(default_factory=list)


async def import_paths(
    house: House, scope: TenantScope, paths: Sequence[Path], progress: Callable[[int, int], None]
) -> ImportSummary:
    summary = ImportSummary()
    papers = [path for path in paths if path.is_file() and path.suffix.lower() in DOCUMENTS]
    letters = [path for path in paths if path not in papers]
    for done, path in enumerate(papers, 1):
        await _hand_in(scope, path, summary)
        progress(done, len(papers))
    if letters:
        await _import_mail(house, scope, letters, progress, summary)
    return summary


async def _hand_in(scope: TenantScope, path: Path, summary: ImportSummary) -> None:
    try:
        content = await asyncio.to_thread(path.read_bytes)
        await documents.upload(scope, content, path.name)
    except (PostroomError, OSError) as problem:
        summary.broken.append((str(path), str(problem)))
    else:
        summary.new += 1


async def _import_mail(
    house: House,
    scope: TenantScope,
    paths: Sequence[Path],
    progress: Callable[[int, int], None],
    summary: ImportSummary,
) -> None:
    mailbox_id = await mailboxes.connect_configured(
        scope, address=ADDRESS, provider="files", access="files", folder="Inbox", connection={}
    )

    def broken(found: SkippedFile) -> None:
        summary.broken.append((str(found.where), found.because))

    page: list[RawMail] = []
    for mail in open_files(paths, progress=progress, broken=broken):
        page.append(mail)
        if len(page) == PAGE:
            await _take_page(house, scope, mailbox_id, page, summary)
            page = []
    await _take_page(house, scope, mailbox_id, page, summary)


async def _take_page(
    house: House, scope: TenantScope, mailbox_id: MailboxId, page: Iterable[RawMail], summary: ImportSummary
) -> None:
    """The bytes first, then the announcement: a crash in between leaves a file that the next import uses."""
    mails = {mail.glimpse.ref: mail for mail in page}
    for ref, mail in mails.items():
        key = import_key(scope.tenant_id, ref)
        await house.outside.archive.put_if_absent(key, mail.raw, {"source": "import"}, "application/octet-stream")
    async with scope.finish() as tx:
        glimpses = [mail.glimpse for mail in mails.values()]
        announced = await store.announce(tx, scope.tenant_id, mailbox_id, glimpses, "import", scope.now)
        new = [FetchMessage(mailbox_id, each.id, mails[each.ref].glimpse) for each in announced if each.is_new]
        for some in rules.jobs_for(new):
            job = some[0] if len(some) == 1 else FetchMessages(mailbox_id, tuple(some))
            await scope.enqueue(tx, Enqueue(job, priority=Priority.BACKFILL))
    summary.new += len(new)
    summary.known += len(mails) - len(new)
