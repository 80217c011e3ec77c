"""The ledger shared with Airflow: the published statements, to the letter.

The `app_name` stands in the published statements as a literal; other pipelines run the same text with their name.
A trigger keeps anybody from taking over a live lease, so the claim is safe for both sides as it is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from postroom.db.pool import Tx
from postroom.nouns.ids import MailboxId, TenantId
from postroom.nouns.provider_traits import traits
from postroom.nouns.providers import ProviderName

PUBLISHED_APP = "pad_contract_notes"
LONGEST_ID = 255

CHECK = """
SELECT 1 FROM bo_airflow.email_ingestion_state
WHERE app_name = 'pad_contract_notes'
  AND message_id = %s
  AND status = 'success'
"""

CLAIM = """
INSERT INTO bo_airflow.email_ingestion_state
    (app_name, message_id, mailbox_email, sender_email,
     received_at, subject, status, worker_id, created_at, updated_at)
VALUES
    ('pad_contract_notes', %s, %s, %s, %s, %s, 'processing', %s, NOW(), NOW())
ON CONFLICT (app_name, message_id) DO UPDATE SET
    status = CASE
        WHEN email_ingestion_state.status IN ('failed', 'skipped')
        THEN 'processing'
        ELSE email_ingestion_state.status
    END,
    worker_id = EXCLUDED.worker_id,
    updated_at = NOW()
WHERE email_ingestion_state.status != 'success'
RETURNING status
"""

SUCCESS = """
UPDATE bo_airflow.email_ingestion_state
SET status = 'success',
    attachments_processed = %s,
    trades_extracted = %s,
    archive_gcs_paths = %s,
    updated_at = NOW()
WHERE app_name = 'pad_contract_notes' AND message_id = %s
"""

FAILED = """
UPDATE bo_airflow.email_ingestion_state
SET status = 'failed',
    error_message = %s,
    updated_at = NOW()
WHERE app_name = 'pad_contract_notes' AND message_id = %s
"""

SKIPPED = FAILED.replace("'failed'", "'skipped'")


@dataclass(frozen=True, slots=True)
class LedgerMail:
    """What the ledger says of a message."""

    message_id: str
    mailbox_email: str
    sender_email: str | None
    received_at: datetime | None
    subject: str | None


def known_as(provider: ProviderName, mailbox_id: MailboxId, ref: str, *, moved: bool = False) -> str:
    """What the ledger calls a message: its `message_id` has to be unique in the world.

    Graph's immutable ids are, and the DAG writes them as they are. Ids of other providers, and of imported files, count
    within one mailbox only, so that they go by it; so does a mail that another tenant's worker noted under Graph's id,
    before its mailbox `moved` here.
    """
    if traits(provider).ids_are_unique and not moved:
        return ref if len(ref) <= LONGEST_ID else _hash(ref)
    whole = f"{mailbox_id}:{ref}"
    return whole if len(whole) <= LONGEST_ID else f"{mailbox_id}:{_hash(ref)}"


def worker_name(tenant_id: TenantId) -> str:
    """One name for all our workers: among ourselves the lanes decide, so that a crash does not lock us out."""
    return f"postroom:{tenant_id}"


def statement(published: str, app_name: str) -> str:
    """The published text, for another pipeline under its own name."""
    if not app_name.replace("_", "").isalnum():
        raise ValueError(f"{app_name!r} cannot name a pipeline.")
    return published.replace(f"'{PUBLISHED_APP}'", f"'{app_name}'")


async def is_done(tx: Tx, app_name: str, message_id: str) -> bool:
    return bool(await tx.letter_of(statement(CHECK, app_name), [message_id]))


async def claim(tx: Tx, app_name: str, mail: LedgerMail, worker: str) -> bool:
    """Whether the message is ours to process. Nothing returned: somebody else owns it."""
    values = [
        mail.message_id,
        mail.mailbox_email,
        _short(mail.sender_email),
        mail.received_at,
        mail.subject,
        worker,
    ]
    return bool(await tx.letter_of(statement(CLAIM, app_name), values))


async def succeed(tx: Tx, app_name: str, message_id: str, attachments: int, trades: int, paths: Sequence[str]) -> None:
    await tx.letter_of(statement(SUCCESS, app_name), [attachments, trades, json.dumps(list(paths)), message_id])


async def fail(tx: Tx, app_name: str, message_id: str, error: str) -> None:
    """A success that somebody else reached meanwhile is final: the trigger drops the update."""
    await tx.letter_of(statement(FAILED, app_name), [error, message_id])


async def skip(tx: Tx, app_name: str, message_id: str, because: str) -> None:
    await tx.letter_of(statement(SKIPPED, app_name), [because, message_id])


def _hash(ref: str) -> str:
    return hashlib.sha256(ref.encode()).hexdigest()


def _short(text: str | None) -> str | None:
    return None if text is None else text[:255]
