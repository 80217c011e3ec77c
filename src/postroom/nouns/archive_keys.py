"""Where in the archive (blob storage) mails and files of mails lie."""

from __future__ import annotations

from uuid import UUID

from postroom.nouns.ids import MessageId, TenantId
from postroom.nouns.providers import ProviderRef


def import_key(tenant_id: TenantId, ref: ProviderRef) -> str:
    """Where an imported mail is kept: its ref is made of its content."""
    return f"imports/{tenant_id}/{ref.rpartition(':')[2]}.eml"


def attachment_key(tenant_id: TenantId, message_id: MessageId, sha256: str) -> str:
    """Where a file lies that somebody fetched out of a mail."""
    return f"attachments/{tenant_id}/{message_id}/{sha256}"


def outgoing_key(tenant_id: TenantId, proposal_id: UUID, sha256: str) -> str:
    """Where a file lies that goes along with a proposed mail."""
    return f"outgoing/{tenant_id}/{proposal_id}/{sha256}"
