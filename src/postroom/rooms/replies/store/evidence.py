"""Papers with their versions, and the snippets that a question is looked up in."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal
from uuid import UUID

import msgspec

from postroom.db import sql
from postroom.db.pool import Tx
from postroom.engine.facts import as_json
from postroom.mail.language import Language
from postroom.nouns.ids import MailboxId, TenantId, ThreadId, new_id
from postroom.rooms.replies.rules.papers import Audience, EvidenceLine, Paper, Snippet, held_within
from postroom.rooms.replies.rules.search import IndexedSnippet, Statistics, index_snippet
from postroom.rooms.replies.rules.terms import reading_version

QUERIES = sql.load("postroom.rooms.replies")
EvidenceSource = Literal["paper", "answer"]  # searched one after the other: what people once wrote is the lower one
MOST_PAPERS, MOST_VERSIONS, MOST_DATED_PARTS, MOST_RETIRED = 100_000, 100, 100, 1_000


@dataclass(frozen=True, slots=True)
class EvidenceDocument:
    """A version of a paper, or an answer that a person sent from a mailbox."""

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
    mailbox_id: MailboxId | None
    thread_id: ThreadId | None
    is_current: bool
    created_by: str
    created_at: datetime
    retired_by: str | None
    retired_at: datetime | None


@dataclass(frozen=True, slots=True)
class ReplacingPaper:
    id: UUID
    name: str
    effective_from: date


@dataclass(frozen=True, slots=True)
class DatedPart:
    """Lines of a section that hold only from or until a day."""

    headings: list[str]
    text: str  # of the first of them
    lines: int
    valid_from: date | None
    valid_until: date | None


@dataclass(frozen=True, slots=True)
class LearnedFrom:
    """The mailbox and thread in which an answer was given."""

    mailbox_id: MailboxId
    thread_id: ThreadId


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
    first: date | None  # from and until when its paper holds, where that counts today
    last: date | None

    def indexed(self) -> IndexedSnippet:
        lines = tuple(msgspec.convert(each, EvidenceLine) for each in self.lines)
        snippet = Snippet(self.source, self.number, tuple(self.headings), lines, self.language)
        return index_snippet(held_within(snippet, self.first, self.last), self.title, frozenset(self.years))


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


async def share(tx: Tx, tenant_id: TenantId) -> None:
    await tx.values(QUERIES.share_evidence, tenant_id=tenant_id)


async def current(
    tx: Tx, name: str | None = None, *, answers: bool = False, most: int = MOST_PAPERS
) -> list[EvidenceDocument]:
    wanted = {"name": name, "answers": answers, "version_of": None, "retired": False}
    return await tx.rows(QUERIES.listed_evidence, EvidenceDocument, most=most, **wanted)


async def versions(tx: Tx, document_id: UUID) -> list[EvidenceDocument]:
    """Of the paper that this is a version of, newest first."""
    wanted = {"name": None, "answers": None, "version_of": document_id, "retired": False}
    return await tx.rows(QUERIES.listed_evidence, EvidenceDocument, most=MOST_VERSIONS, **wanted)


async def retired(tx: Tx, name: str | None = None) -> list[EvidenceDocument]:
    wanted = {"name": name, "answers": None, "version_of": None, "retired": True}
    return await tx.rows(QUERIES.listed_evidence, EvidenceDocument, most=MOST_RETIRED, **wanted)


async def replaced_by(tx: Tx, document_id: UUID) -> list[ReplacingPaper]:
    return await tx.rows(QUERIES.replaced_by, ReplacingPaper, document_id=document_id)


async def dated_parts(tx: Tx, document_id: UUID) -> list[DatedPart]:
    return await tx.rows(QUERIES.dated_parts, DatedPart, document_id=document_id, most=MOST_DATED_PARTS)


async def next_version(tx: Tx, name: str) -> int:
    return int(await tx.value(QUERIES.newest_version, name=name) or 0) + 1


async def outdate(tx: Tx, document_id: UUID) -> None:
    """An older version stays to be read; nothing is drafted from it any more."""
    await unindex(tx, document_id)
    await tx.run(QUERIES.replace_version, document_id=document_id)


async def unindex(tx: Tx, document_id: UUID) -> None:
    await tx.run(QUERIES.forget_terms, document_id=document_id)
    await tx.run(QUERIES.drop_snippets, document_id=document_id)


async def retire(tx: Tx, document_id: UUID, actor: str, now: datetime) -> bool:
    """A person takes it off the shelf. False when it was not there any more."""
    await unindex(tx, document_id)
    return bool(await tx.run(QUERIES.retire_document, document_id=document_id, actor=actor, now=now))


async def restore(tx: Tx, document_id: UUID) -> bool:
    """It may be found again once it is indexed. False when it is in use, or a newer version is there."""
    return bool(await tx.run(QUERIES.restore_document, document_id=document_id))


async def put(
    tx: Tx,
    tenant_id: TenantId,
    paper: Paper,
    kind: str,
    body: str,
    sha256: str,
    actor: str,
    now: datetime,
    learned: LearnedFrom | None = None,
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
        read_by=reading_version(),
        mailbox_id=learned.mailbox_id if learned else None,
        thread_id=learned.thread_id if learned else None,
        actor=actor,
        now=now,
    )
    if indexed and paper.audience == "public":
        await _put_snippets(tx, tenant_id, document_id, indexed, "answer" if learned else "paper")
    return document_id


async def read_by_another(tx: Tx, most: int) -> list[EvidenceBody]:
    """Papers and answers whose terms were made with other words than those of today."""
    return await tx.rows(QUERIES.read_by_another, EvidenceBody, read_by=reading_version(), most=most)


async def put_anew(tx: Tx, tenant_id: TenantId, document_id: UUID, paper: Paper, source: EvidenceSource) -> None:
    """The same version, read once more: only how it is found changes, never what it says or until when it holds."""
    indexed = [index_snippet(each, paper.title, paper.years) for each in paper.snippets]
    lengths = [line.length for each in indexed for line in each.lines]
    await unindex(tx, document_id)
    await tx.run(
        QUERIES.read_anew,
        id=document_id,
        title=paper.title,
        language=paper.language,
        years=sorted(paper.years),
        snippets=len(indexed),
        lines=len(lengths),
        line_words=sum(lengths),
        read_by=reading_version(),
    )
    if indexed:
        await _put_snippets(tx, tenant_id, document_id, indexed, source)


async def _put_snippets(
    tx: Tx, tenant_id: TenantId, document_id: UUID, indexed: Sequence[IndexedSnippet], source: EvidenceSource
) -> None:
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
    await tx.run(QUERIES.put_postings, tenant_id=tenant_id, source=source, **values)
    await tx.run(QUERIES.count_terms, tenant_id=tenant_id, source=source, **values)


async def bodies(tx: Tx, ids: Collection[UUID]) -> list[EvidenceBody]:
    return await tx.rows(QUERIES.bodies, EvidenceBody, ids=list(ids))


async def put_replacement(tx: Tx, tenant_id: TenantId, older: UUID, newer: UUID, effective_from: date) -> None:
    values = {"older": older, "newer": newer, "effective_from": effective_from}
    await tx.run(QUERIES.put_replacement, tenant_id=tenant_id, **values)


async def statistics(tx: Tx, terms: Collection[str], source: EvidenceSource = "paper") -> Statistics:
    """Of the whole collection, as far as these terms go."""
    told = await tx.row(QUERIES.collection, _Collection, source=source)
    assert told is not None  # an aggregate is always one row
    frequency = await frequencies(tx, terms, source)
    return Statistics(told.snippets, told.line_words / max(1, told.lines), frequency)


async def frequencies(tx: Tx, terms: Collection[str], source: EvidenceSource = "paper") -> dict[str, int]:
    counted = await tx.rows(QUERIES.frequencies, _Frequency, terms=list(terms), source=source)
    return {each.term: each.snippets for each in counted}


async def candidates(
    tx: Tx, terms: Mapping[str, float], today: date, most: int, answers_of: MailboxId | None = None
) -> list[FoundSnippet]:
    """Of papers; or of the answers that a mailbox sent."""
    asked = {"terms": list(terms), "weights": list(terms.values())}
    where = {"source": "answer" if answers_of else "paper", "mailbox_id": answers_of}
    return await tx.rows(QUERIES.candidates, FoundSnippet, today=today, most=most, **asked, **where)
