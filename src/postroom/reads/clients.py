"""Whose mail a mail is, beside messages and documents wherever they are listed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.nouns.clients import AccountId, MappingId, MappingStatus
from postroom.nouns.ids import MessageId

QUERIES = sql.load(__package__ or "", "clients.sql")
NOBODY = AccountId(UUID(int=0))


@dataclass(frozen=True, slots=True)
class MessageClient:
    """The client of a message: a row of `client_view`."""

    message_id: MessageId
    mapping_id: MappingId
    status: MappingStatus
    received_at: datetime
    account_id: AccountId
    code: str
    name: str


async def clients_of(tx: Tx, messages: Iterable[UUID | None]) -> dict[UUID | None, MessageClient]:
    """By message; those that are nobody's, or not sure, are left out."""
    ids = [each for each in messages if each is not None]
    rows = await tx.rows(QUERIES.clients_of, MessageClient, ids=ids) if ids else []
    return {row.message_id: row for row in rows}


async def account_called(tx: Tx, text: str) -> AccountId:
    """An account by its code or id; one that is nobody's when there is none, so that nothing is found."""
    found: AccountId | None = await tx.value(QUERIES.account_called, key=text.strip().upper(), id=_id(text))
    return found or NOBODY


def _id(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
