"""A file of a mail, fetched when somebody asks for it: until then only its name is kept."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from postroom.engine.work import TenantScope
from postroom.mail.bodies import body_file
from postroom.nouns import facts
from postroom.nouns.archive_keys import attachment_key
from postroom.nouns.errors import BadRequest, Conflict, Gone, NoSuchMessage, NotFound
from postroom.nouns.ids import MessageId
from postroom.nouns.providers import ProviderRef
from postroom.nouns.walks import Walk
from postroom.ports import MessageFetcher
from postroom.rooms.documents.archive import ArchivePort
from postroom.rooms.documents.ports import FileReader
from postroom.rooms.documents.store import attachments as store

LARGEST = 50 * 1024 * 1024


class Fetching(Protocol):
    """What bringing a file asks of the outside."""

    @property
    def fetcher(self) -> MessageFetcher: ...

    @property
    def reader(self) -> FileReader: ...

    @property
    def archive(self) -> ArchivePort: ...


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A stranger's file. Its type is what the bytes say; offer it for saving, never run it."""

    filename: str
    content_type: str
    content: bytes = field(repr=False)


async def fetch_attachment(who: TenantScope, outside: Fetching, message_id: UUID, sha256: str) -> AttachedFile:
    """The file of a message with this hash, from where it lies already, else from the mailbox; then it is kept."""
    async with who.read() as tx:
        message = await store.files(tx, MessageId(message_id))
        key = await store.kept(tx, MessageId(message_id), sha256)
    if message is None:
        raise NoSuchMessage(f"There is no message {message_id}.")
    told = _told(message, sha256)
    stored = await _stored(outside.archive, key, sha256)
    content = stored if stored is not None else await _from_mailbox(who, outside, message, sha256)
    if stored is None:
        await _keep(who, outside.archive, message, told, content)
    return AttachedFile(told["filename"], told["type"], content)


async def fetch_body(who: TenantScope, outside: Fetching, message_id: UUID, sha256: str) -> bytes:
    """The text of a message that was taken for a document, once more from the mailbox."""
    async with who.read() as tx:
        message = await store.files(tx, MessageId(message_id))
    if message is None:
        raise NoSuchMessage(f"There is no message {message_id}.")
    return await _from_mailbox(who, outside, message, sha256)


def _told(message: store.Files, sha256: str) -> dict[str, Any]:
    """What the message says of this file; too large a one is not even fetched."""
    told = next((each for each in message.attachments if each["sha256"] == sha256), None)
    if told is None:
        raise NotFound("This message has no such file.")
    if told["size"] > LARGEST:
        megabytes = told["size"] / (1024 * 1024)
        raise BadRequest(
            f"{told['filename']} has {megabytes:.0f} MB; up to {LARGEST // (1024 * 1024)} MB are brought here. "
            "Open it in the mailbox."
        )
    return told


async def _stored(archive: ArchivePort, key: str | None, sha256: str) -> bytes | None:
    if key is None:
        return None
    try:
        content = await archive.get(key)
    except NotFound:
        return None
    return content if hashlib.sha256(content).hexdigest() == sha256 else None


async def _from_mailbox(who: TenantScope, outside: Fetching, message: store.Files, sha256: str) -> bytes:
    if message.state != "arrived":
        raise Gone("The mail was deleted at its source, and the file was not kept.")
    raw = await outside.fetcher.fetch(who.tenant_id, message.mailbox_id, ProviderRef(message.provider_message_id))
    mail = await outside.reader.aread_mail(raw.raw, tenant=who.tenant_id)
    body = body_file(mail)
    files = [*mail.attachments, *([body] if body else [])]
    found = next((each.content for each in files if each.sha256 == sha256), None)
    if found is None:
        raise Gone("The file is not in the mail any more.")
    return found


async def _keep(
    who: TenantScope, archive: ArchivePort, message: store.Files, told: dict[str, Any], content: bytes
) -> None:
    key = attachment_key(who.tenant_id, message.id, told["sha256"])
    if (
        not await archive.put_if_absent(key, content, {}, "application/octet-stream")
        and await archive.get(key) != content
    ):
        raise Conflict(f"{told['filename']} is kept with other content; remove {key} from the archive and try again.")
    async with who.finish() as tx:
        await store.keep(tx, who.tenant_id, message.id, told["sha256"], key, who.actor, who.now)
        who.about(Walk(message.mailbox_id, message.thread_id, message.id))
        fetched = facts.AttachmentFetched(
            message_id=message.id, mailbox_id=message.mailbox_id, filename=told["filename"], size=len(content)
        )
        await who.tell(tx, fetched)
