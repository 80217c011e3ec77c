"""Which words of which papers the drafts quote that wait for somebody."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

from postroom import reads
from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.nouns.ids import MailboxId, TenantId, ThreadId

QUERIES = sql.load("postroom.rooms.replies")


@dataclass(frozen=True, slots=True)
class QuotedWords:
    name: str
    quote: str


@dataclass(frozen=True, slots=True)
class DraftedThread:
    thread_id: ThreadId
    mailbox_id: MailboxId


def quotations_of(claims: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    return [
        {"name": quote["source"], "quote": quote["quote"], "statement": claim["statement"]}
        for claim in claims
        for quote in claim["evidence"]
    ]


async def standing(tx: Tx, claims: Sequence[dict[str, Any]], today: date) -> list[dict[str, str]]:
    """What the claims quote of papers as they are now: only what stood there once can be missed there later."""
    held = quotations_of(claims)
    papers = await reads.papers.papers_today(tx, {each["name"] for each in held}, today)
    return [each for each in held if papers[each["name"]].says(each["quote"])]


async def put(tx: Tx, tenant_id: TenantId, revision_id: UUID, quotations: Sequence[dict[str, str]]) -> None:
    """In the place of what the revision quoted before."""
    await drop(tx, revision_id)
    if quotations:
        rows = as_json([{"number": number, **each} for number, each in enumerate(quotations)])
        await tx.run(QUERIES.put_quotations, tenant_id=tenant_id, revision_id=revision_id, quotations=rows)


async def drop(tx: Tx, revision_id: UUID) -> None:
    await tx.run(QUERIES.drop_quotations, revision_id=revision_id)


async def quoted_papers(tx: Tx, after: str, most: int) -> list[str]:
    return list(await tx.values(QUERIES.quoted_papers, after=after, most=most))


async def gone(tx: Tx, names: Collection[str], today: date) -> list[QuotedWords]:
    """What waiting drafts quote of these papers, and they do not say today. Papers that nobody quotes cost one look."""
    held = await tx.rows(QUERIES.quoted_words, QuotedWords, names=list(names))
    papers = await reads.papers.papers_today(tx, {each.name for each in held}, today) if held else {}
    return [each for each in held if not papers[each.name].says(each.quote)]


async def drafts_that_quote(
    tx: Tx, words: Sequence[QuotedWords], after: UUID, most: int, now: datetime
) -> list[DraftedThread]:
    """By their ids. Only those that may be written anew."""
    asked = {"names": [each.name for each in words], "quotes": [each.quote for each in words]}
    return await tx.rows(QUERIES.drafts_that_quote, DraftedThread, after=after, most=most, now=now, **asked)


async def somebody_said_yes(tx: Tx, thread_id: ThreadId, revision_id: UUID, now: datetime) -> bool:
    return bool(await tx.value(QUERIES.somebody_said_yes, thread_id=thread_id, revision_id=revision_id, now=now))
