"""By the clock: files whose reading failed for a reason that may be over are read once more, a few times."""

from __future__ import annotations

import contextlib
from datetime import timedelta
from typing import ClassVar

from postroom.engine.work import Work
from postroom.engine.worker import works
from postroom.nouns.documents import Hostile, TookTooLong
from postroom.nouns.errors import Conflict
from postroom.nouns.jobs import RoutineJob
from postroom.rooms.documents.ports import DocumentPorts
from postroom.rooms.documents.rereading import read_once_more
from postroom.rooms.documents.store import documents

# A busy machine, too little memory or a fault of ours; what the file itself lacks no second look gives it.
MAY_YET_BE_READ = ("fault", TookTooLong.reason, Hostile.reason)
READ_AGAIN_AFTER = (timedelta(minutes=10), timedelta(hours=6))
MOST_AT_ONCE = 20


class RereadDocuments(RoutineJob, frozen=True):
    """Read once more what may yet be read: so many times, later each time."""

    kind: ClassVar[str] = "documents.reread"


@works(RereadDocuments)
async def reread_documents(job: RereadDocuments, work: Work[DocumentPorts]) -> None:
    del job
    async with work.finish() as tx:
        due = await documents.due_for_rereading(tx, MAY_YET_BE_READ, READ_AGAIN_AFTER, MOST_AT_ONCE, work.now)
        if not due:
            work.found_nothing()
            return
        await documents.take_turns(tx, work.tenant_id)
        for document_id in due:
            found = await documents.document(tx, document_id)
            if found is not None and found.status == "failed":
                with contextlib.suppress(Conflict):  # its mail is gone: a person enters it by hand
                    await read_once_more(tx, work, found, "The clock asked for it: the reason may be over.")
