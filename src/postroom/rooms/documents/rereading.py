"""Reading once more what could not be read: because a person asks for it, or by the clock."""

from __future__ import annotations

from postroom.db.pool import Tx
from postroom.engine.work import TenantScope
from postroom.nouns import facts
from postroom.nouns.errors import Conflict
from postroom.rooms.documents.store import decisions, documents
from postroom.rooms.documents.store.documents import Document


async def read_once_more(tx: Tx, who: TenantScope, found: Document, because: str, reviewer: str | None = None) -> None:
    """It is fetched again from its mailbox, or taken from what was handed in. Raises Conflict when neither is there."""
    await _require_source(tx, found)
    await decisions.begin(tx, found.id, "retried", "", who.actor, who.now)
    await documents.set_status(tx, found.id, "waiting", "It is being read once more.", who.now, reviewer)
    told = facts.DocumentRetried(
        document_id=found.id, message_id=found.message_id, mailbox_id=found.mailbox_id, because=because
    )
    await who.tell(tx, told)


async def _require_source(tx: Tx, found: Document) -> None:
    letter = await documents.letter(tx, found.message_id) if found.message_id else None
    if letter is None and await documents.upload(tx, found.id) is None:
        raise Conflict(f"{found.filename} is no longer held here; hand it in again.")
    if letter is not None and (letter.state != "arrived" or not letter.pipelines):
        raise Conflict(f"The mail of {found.filename} is gone, or nobody reads its mailbox; enter it by hand.")
