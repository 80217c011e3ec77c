"""Papers with their versions, and the snippets that a question is looked up in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.mail.language import Language
from postroom.nouns.ids import TenantId, new_id
from postroom.rooms.replies.rules.papers import Audience, EvidenceLine, Paper, Snippet
from postroom.rooms.replies.rules.search import IndexedSnippet, Statistics, index_snippet

QUERIES = sql.load("postroom.rooms.replies")


@dataclass(frozen=True, slots=True)
class EvidenceDocument:
    """The current version of a paper."""

    id: UUID
    name: str
    version: int
    kind: str
    title: str
    language: str
    audience: Audience
    dated: date | None
    valid_from: date | None
    valid_until: date | None
    snippets: int
    sha256: str
    created_by: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class EvidenceBody:
    """The text of a paper as it was read."""

    id: UUID
    name: str
    kind: str
    audience: Audience
    valid_until: date | None
    body: str


@dataclass(frozen=True, slots=True)
class FoundSnippet:
    """A snippet as it is kept, with what its paper is called."""

    id: UUID
    document_id: UUID
    source: str
    title: str
    years: list[int]
    number: int
    headings: list[str]
    language: Language
    lines: Any

    def indexed(self) -> IndexedSnippet:
        lines = tuple(msgspec.convert(each, EvidenceLine) for each in self.lines)
        snippet = Snippet(self.source, self.number, tuple(self.headings), lines, self.language)
        return index_snippet(snippet, self.title, frozenset(self.years))


@dataclass(frozen=True, slots=True)
class _Collection:
    snippets: int
    lines: int
    line_words: int


@dataclass(frozen=True, slots=True)
class _Frequency:
    term: str
    snippets: int


async def lock(tx: Tx, tenant_id: TenantId) -> None:
    await tx.values(QUERIES.lock_evidence, tenant_id=tenant_id)


async def current(tx: Tx, name: str | None = None) -> list[EvidenceDocument]:
    return await tx.rows(QUERIES.current_evidence, EvidenceDocument, name=name)


async def next_version(tx: Tx, name: str) -> int:
    return int(await tx.value(QUERIES.newest_version, name=name) or 0) + 1


async def retire(tx: Tx, document_id: UUID) -> None:
    """An older version stays to be read; nothing is drafted from it any more."""
    await tx.run(QUERIES.forget_terms, document_id=document_id)
    await tx.run(QUERIES.drop_snippets, document_id=document_id)
    await tx.run(QUERIES.replace_version, document_id=document_id)


async def put(
    tx: Tx, tenant_id: TenantId, paper: Paper, kind: str, body: str, sha256: str, actor: str, now: datetime
) -> UUID:
    """What is internal has no snippets: no search can find it."""
    document_id = new_id()
    indexed = [index_snippet(each, paper.title, paper.years) for each in paper.snippets]
    lengths = [line.length for each in indexed for line in each.lines]
    await tx.run(
        QUERIES.put_document,
        id=document_id,
        tenant_id=tenant_id,
        name=paper.source,
        version=paper.version,
        kind=kind,
        title=paper.title,
        language=paper.language,
        audience=paper.audience,
        dated=paper.validity.dated,
        valid_from=paper.validity.valid_from,
        valid_until=paper.validity.valid_until,
        years=sorted(paper.years),
        body=body,
        sha256=sha256,
        snippets=len(indexed),
        lines=len(lengths),
        line_words=sum(lengths),
        actor=actor,
        now=now,
    )
    if indexed and paper.audience == "public":
        await _put_snippets(tx, tenant_id, document_id, indexed)
    return document_id


async def _put_snippets(tx: Tx, tenant_id: TenantId, document_id: UUID, indexed: Sequence[IndexedSnippet]) -> None:
    ids = [new_id() for _ in indexed]
    rows = [
        {
            "id": str(snippet_id),
            "number": each.snippet.number,
            "headings": list(each.snippet.headings),
            "language": each.snippet.language,
            "lines": [msgspec.to_builtins(line) for line in each.snippet.lines],
        }
        for snippet_id, each in zip(ids, indexed, strict=True)
    ]
    await tx.run(QUERIES.put_snippets, tenant_id=tenant_id, document_id=document_id, snippets=as_json(rows))
    pairs = [(term, snippet_id) for snippet_id, each in zip(ids, indexed, strict=True) for term in sorted(each.held)]
    values = {"terms": [term for term, _ in pairs], "snippet_ids": [snippet_id for _, snippet_id in pairs]}
    await tx.run(QUERIES.put_postings, tenant_id=tenant_id, **values)
    await tx.run(QUERIES.count_terms, tenant_id=tenant_id, **values)


async def bodies(tx: Tx, ids: Collection[UUID]) -> list[EvidenceBody]:
    return await tx.rows(QUERIES.bodies, EvidenceBody, ids=list(ids))


async def put_replacement(tx: Tx, tenant_id: TenantId, older: UUID, newer: UUID, effective_from: date) -> None:
    values = {"older": older, "newer": newer, "effective_from": effective_from}
    await tx.run(QUERIES.put_replacement, tenant_id=tenant_id, **values)


async def statistics(tx: Tx, terms: Collection[str]) -> Statistics:
    """Of the whole collection, as far as these terms go."""
    told = await tx.row(QUERIES.collection, _Collection)
    assert told is not None  # an aggregate is always one row
    counted = await tx.rows(QUERIES.frequencies, _Frequency, terms=list(terms))
    frequency = {each.term: each.snippets for each in counted}
    return Statistics(told.snippets, told.line_words / max(1, told.lines), frequency)


async def candidates(tx: Tx, terms: Mapping[str, float], today: date, most: int) -> list[FoundSnippet]:
    asked = {"terms": list(terms), "weights": list(terms.values())}
    return await tx.rows(QUERIES.candidates, FoundSnippet, today=today, most=most, **asked)
