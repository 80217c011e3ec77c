"""The files of a message, and those that somebody fetched."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from postroom.db.pool import Tx
from postroom.nouns.ids import MailboxId, MessageId, TenantId
from postroom.rooms.documents.store.documents import QUERIES


@dataclass(frozen=True, slots=True)
class Files:
    """What a message says of its files; their bytes are elsewhere."""

    id: MessageId
    mailbox_id: MailboxId
    thread_id: UUID | None
    provider_message_id: str
    state: str
    attachments: list[dict[str, Any]]


async def files(tx: Tx, message_id: MessageId) -> Files | None:
    return await tx.row(QUERIES.files_of_message, Files, message_id=message_id)


async def kept(tx: Tx, message_id: MessageId, sha256: str) -> str | None:
    """The key under which the bytes are stored, if they are."""
    key: str | None = await tx.value(QUERIES.kept_attachment, message_id=message_id, sha256=sha256)
    return key


async def keep(
    tx: Tx, tenant_id: TenantId, message_id: MessageId, sha256: str, blob_key: str, actor: str, now: datetime
) -> None:
    values = {"sha256": sha256, "blob_key": blob_key, "actor": actor, "now": now}
    await tx.run(QUERIES.keep_attachment, tenant_id=tenant_id, message_id=message_id, **values)
