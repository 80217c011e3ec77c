"""One type per id, and ids that sort by the time they were made."""

from __future__ import annotations

import os
import time
from typing import NewType
from uuid import UUID

TenantId = NewType("TenantId", UUID)
PersonId = NewType("PersonId", UUID)
KeyId = NewType("KeyId", UUID)
MailboxId = NewType("MailboxId", UUID)
MessageId = NewType("MessageId", UUID)
ThreadId = NewType("ThreadId", UUID)
AttachmentId = NewType("AttachmentId", UUID)
DocumentId = NewType("DocumentId", UUID)
TradeId = NewType("TradeId", UUID)
OrderId = NewType("OrderId", UUID)
InvoiceId = NewType("InvoiceId", UUID)
JobId = NewType("JobId", int)


def new_id() -> UUID:
    """A version 7 UUID: rows made together stand together in an index."""
    millis = time.time_ns() // 1_000_000
    tail = int.from_bytes(os.urandom(10), "big")
    value = (millis << 80) | tail
    value = (value & ~(0xF << 76)) | (0x7 << 76)
    value = (value & ~(0x3 << 62)) | (0x2 << 62)
    return UUID(int=value)
